//! Scores as in the CLEANEVAL task: the edit distance of words, with and without marks for headings, paragraphs and items.
//!
//! M. Baroni et al.: *CleanEval: a competition for cleaning web pages* (LREC 2008). The exact form of its percentage is not documented (Gottron 2008, 8.3). Our
//! reading: one minus the [edit distance](edit_distance) of both sequences of words by the length of the longer. `levenshtein` sees words alone,
//! `levenshtein-marks` also the marks `<h>`, `<p>` and `<l>` as tokens of their own, where the gold has them; both are one number, in all columns. Marks count at
//! the start of a line only, and gold in this form, as the task distributes it, is read without them by all other measures.

use super::labelled::Retrieved;
use super::levenshtein::edit_distance;
use super::{Empty, Measures, Score};
use crate::suite::Benchmark;
use std::borrow::Cow;
use unchaff_dom::emit;
use unchaff_page::BlockKind;

/// The marks, and what stands before the first of them in files of the task.
const MARKS: [&str; 3] = ["<h>", "<p>", "<l>"];
const ADDRESS: &str = "URL:";

/// The mark that a line starts with, and the rest of the line.
fn marked(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim_start();
    let start = line.get(..3)?;
    MARKS.into_iter().find(|mark| mark.eq_ignore_ascii_case(start)).map(|mark| (mark, &line[3..]))
}

/// Whether a text has marks: the first line that is not empty, after an address, starts with one.
pub(crate) fn has_marks(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.find(|line| !line.starts_with(ADDRESS)).is_some_and(|line| marked(line).is_some())
}

/// A text without marks; as it is, if it has none.
pub(crate) fn without_marks(text: &str) -> Cow<'_, str> {
    if !has_marks(text) {
        return Cow::Borrowed(text);
    }
    let lines = text.lines().skip_while(|line| line.trim().is_empty() || line.trim_start().starts_with(ADDRESS));
    Cow::Owned(lines.map(|line| marked(line).map_or(line, |(_, rest)| rest)).flat_map(|line| [line, "\n"]).collect())
}

/// The words of a text with its marks, each a token.
fn tokens(text: &str, measures: &Measures) -> Vec<String> {
    let mut tokens = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with(ADDRESS)) {
        let (mark, rest) = marked(line).map_or((None, line), |(mark, rest)| (Some(mark), rest));
        tokens.extend(mark.map(str::to_owned));
        tokens.extend(measures.words.words(rest));
    }
    tokens
}

/// The scores of an answer, of which `text` is what it says without marks.
pub(super) fn scores(
    benchmark: &Benchmark,
    gold: &str,
    retrieved: &Retrieved<'_>,
    text: &str,
    measures: &Measures,
) -> Vec<Score> {
    let (gold_words, words) = (measures.words.words(gold), measures.words.words(text));
    if gold_words.is_empty() && measures.empty == Empty::Zero {
        return Vec::new();
    }
    let mut scores = vec![score("levenshtein", &gold_words, &words)];
    if let Some(marked) = &benchmark.gold.marked {
        let answer = match retrieved {
            Retrieved::Nodes(nodes) => Cow::Owned(emit::cleaneval(&benchmark.page, nodes)),
            Retrieved::Text(text) => Cow::Borrowed(*text),
        };
        scores.push(score("levenshtein-marks", &tokens(marked, measures), &tokens(&answer, measures)));
    }
    scores
}

fn score(measure: &'static str, gold: &[String], found: &[String]) -> Score {
    let longer = gold.len().max(found.len());
    let value = if longer == 0 { 1.0 } else { 1.0 - edit_distance(gold, found) as f64 / longer as f64 };
    Score::single(BlockKind::Content, measure, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::Gold;
    use unchaff_dom::Page;

    #[test]
    fn marks_are_told_from_text() {
        assert_eq!(
            without_marks("URL: http://example.org/\n\n<h>Tea\n<P>Two <p> kinds\nand more"),
            "Tea\nTwo <p> kinds\nand more\n"
        );
        assert_eq!(without_marks("One <p> is no mark\n<p>x"), "One <p> is no mark\n<p>x");
        assert_eq!(tokens("<h>Tea\n<l>green tea", &Measures::default()), ["<h>", "tea", "<l>", "green", "tea"]);
    }

    // By hand: of six tokens one mark and one word differ.
    #[test]
    fn words_and_marks_are_counted_apart() {
        let page = Page::parse("<h1>Tea</h1><ul><li>green<li>black</ul>");
        let all = page.subtree_set(page.root());
        let gold = Gold::of_text("<h>Tea\n<p>green\n<l>white\n".to_owned());
        assert_eq!(gold.text.as_deref(), Some("Tea\ngreen\nwhite\n"));
        let benchmark = Benchmark::new(Vec::new(), page, gold);
        let retrieved = Retrieved::Nodes(Cow::Owned(all));
        let scores = scores(&benchmark, "Tea green white", &retrieved, "Tea green black", &Measures::default());
        let figures: Vec<String> = scores.iter().map(|score| format!("{} {:.4}", score.measure, score.f1)).collect();
        assert_eq!(figures, ["levenshtein 0.6667", "levenshtein-marks 0.6667"]);
        assert_eq!(score("levenshtein", &[], &[]).f1, 1.0);
    }
}
