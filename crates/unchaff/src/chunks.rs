//! Markdown in pieces of bounded length, cut at headings where that is possible: for language models and search by meaning.
//!
//! A chunk knows the headings it stands under. It ends before a heading if what comes up to the next one would not fit, else between paragraphs, and
//! only a paragraph that is too long by itself is cut at the ends of sentences, or, at worst, between words. Code and tables are cut between lines. All chunks
//! together are the Markdown.

use crate::Extraction;
use serde::Serialize;

/// Most tokens of a chunk if nothing else is said.
pub const TOKENS: usize = 1_000;

/// A piece of Markdown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Chunk {
    /// The headings that it stands under, outermost first; those in the chunk itself come in its text.
    pub headings: Vec<String>,
    /// About how many tokens it has.
    pub tokens: usize,
    /// The piece.
    pub markdown: String,
}

/// About how many tokens a text is for a language model: one for each six bytes of a word begun, for each mark, and for each character of scripts
/// without spaces. Vocabularies differ; for English prose this is some ten percent above those in use, for code nearer.
///
/// ```
/// assert_eq!(unchaff::tokens("The internationalization of tea, at last."), 11);
/// ```
#[must_use]
pub fn tokens(text: &str) -> usize {
    let (mut count, mut word) = (0, 0_usize);
    for character in text.chars() {
        let is_ideograph = matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3ffff}');
        if character.is_alphanumeric() && !is_ideograph {
            word += character.len_utf8();
            continue;
        }
        count += word.div_ceil(6) + usize::from(!character.is_whitespace());
        word = 0;
    }
    count + word.div_ceil(6)
}

/// Cuts Markdown into chunks of at most so many tokens.
///
/// ```
/// let chunks = unchaff::chunks("# Tea\n\nIt is hot.\n\n## Green\n\nIt is not black.\n", 8);
/// assert_eq!(chunks.len(), 2);
/// assert_eq!((chunks[1].headings.join(" > "), chunks[1].markdown.as_str()), ("Tea".to_owned(), "## Green\n\nIt is not black.\n"));
/// ```
#[must_use]
pub fn chunks(markdown: &str, most: usize) -> Vec<Chunk> {
    let most = most.max(1);
    let mut chunks = Vec::new();
    // Headings above the place, with their levels.
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut open: Option<(Vec<String>, String, usize)> = None;
    for section in sections(markdown) {
        let heading = heading(section);
        if let Some((level, _)) = heading {
            above.retain(|(other, _)| *other < level);
        }
        let all = tokens(section);
        for (at, piece) in pieces(section, most).into_iter().enumerate() {
            let count = tokens(piece);
            match &mut open {
                // A section begins in a chunk only if it ends there.
                Some((_, text, size)) if *size + if at == 0 { all } else { count } <= most => {
                    text.push_str(piece);
                    *size += count;
                }
                _ => {
                    chunks.extend(open.take().map(chunk));
                    let mut headings: Vec<String> = above.iter().map(|(_, text)| text.clone()).collect();
                    // What is left of a section stands under its heading.
                    headings.extend(heading.filter(|_| at > 0).map(|(_, text)| text.to_owned()));
                    open = Some((headings, piece.to_owned(), count));
                }
            }
        }
        above.extend(heading.map(|(level, text)| (level, text.to_owned())));
    }
    chunks.extend(open.map(chunk));
    chunks
}

fn chunk((headings, markdown, tokens): (Vec<String>, String, usize)) -> Chunk {
    Chunk { headings, tokens, markdown }
}

/// The level and the text of the heading that a section begins with.
fn heading(section: &str) -> Option<(usize, &str)> {
    let line = section.lines().next()?;
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| (level, text.trim()))
}

/// Markdown cut before each heading; lines of code are none.
fn sections(markdown: &str) -> Vec<&str> {
    let (mut sections, mut from, mut at) = (Vec::new(), 0, 0);
    let mut fence: Option<&str> = None;
    for line in markdown.split_inclusive('\n') {
        let mark = line.trim_start();
        match fence {
            Some(open) if mark.starts_with(open) => fence = None,
            Some(_) => {}
            None => {
                let length = mark.len() - mark.trim_start_matches(['`', '~']).len();
                if length >= 3 {
                    fence = Some(&mark[..length]);
                } else if at > from && heading(line).is_some() {
                    sections.push(&markdown[from..at]);
                    from = at;
                }
            }
        }
        at += line.len();
    }
    if from < markdown.len() {
        sections.push(&markdown[from..]);
    }
    sections
}

/// A section as it is, or cut into paragraphs, those into lines, those into sentences, those into words: each piece fits if it can.
fn pieces(section: &str, most: usize) -> Vec<&str> {
    let mut pieces = vec![section];
    for end in ["\n\n", "\n", ". ", " "] {
        let cut = |piece: &'_ str| tokens(piece) > most;
        if !pieces.iter().copied().any(cut) {
            break;
        }
        pieces = pieces
            .into_iter()
            .flat_map(|piece| if cut(piece) { piece.split_inclusive(end).collect() } else { vec![piece] })
            .collect();
    }
    pieces
}

/// A line of JSON for each chunk, with what it is from.
pub fn lines(extraction: &Extraction<'_>, input: Option<&str>, given: Option<&str>, most: usize) -> String {
    #[derive(Serialize)]
    struct Line<'l> {
        #[serde(skip_serializing_if = "Option::is_none")]
        input: Option<&'l str>,
        url: Option<String>,
        title: Option<String>,
        chunk: usize,
        of: usize,
        #[serde(flatten)]
        piece: &'l Chunk,
        #[serde(skip_serializing_if = "Option::is_none")]
        given: Option<serde_json::Value>,
    }
    let all = chunks(&extraction.markdown(), most);
    let title = extraction.metadata_with(|| extraction.text()).title.map(|title| title.value);
    let url = extraction.page().url_to_show().map(ToString::to_string);
    let line = |(chunk, piece)| {
        let given = given.and_then(|given| serde_json::from_str(given).ok());
        let line = Line { input, url: url.clone(), title: title.clone(), chunk, of: all.len(), piece, given };
        serde_json::to_string(&line).unwrap_or_default() + "\n"
    };
    (1..).zip(&all).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sections_stay_together_where_they_fit_and_know_what_they_stand_under() {
        let markdown =
            "# Tea\n\nHot.\n\n## Green\n\nNot black.\n\n### Sencha\n\nOf Japan.\n\n## Code\n\n```sh\n# no heading\nmake\n```\n";
        let whole = chunks(markdown, 1_000);
        assert_eq!((whole.len(), whole[0].markdown.as_str()), (1, markdown));
        let cut = chunks(markdown, 12);
        let shown: Vec<(String, &str)> = cut.iter().map(|chunk| (chunk.headings.join(" > "), chunk.markdown.as_str())).collect();
        assert_eq!(shown[0], (String::new(), "# Tea\n\nHot.\n\n## Green\n\nNot black.\n\n"));
        assert_eq!(shown[1], ("Tea > Green".to_owned(), "### Sencha\n\nOf Japan.\n\n"));
        assert!(shown[2].0 == "Tea" && shown[2].1.starts_with("## Code"), "{shown:?}");
    }

    #[test]
    fn what_is_too_long_is_cut_at_sentences_and_goes_on_under_its_heading() {
        let cut = chunks("## Rain\n\nIt rained all day. It rained all night. Nobody came at all.\n", 8);
        assert!(cut.len() > 2 && cut[1..].iter().all(|chunk| chunk.headings == ["Rain"]), "{cut:?}");
        assert!(cut.iter().any(|chunk| chunk.markdown == "It rained all night. "), "{cut:?}");
    }

    proptest! {
        #[test]
        fn chunks_are_the_markdown_and_no_longer_than_asked(
            lines in proptest::collection::vec("(#{1,3} [a-z]{1,9}|```|[a-zé. ]{0,60}|)", 0..30), most in 1_usize..40,
        ) {
            let markdown = lines.join("\n") + "\n";
            let cut = chunks(&markdown, most);
            prop_assert_eq!(cut.iter().map(|chunk| chunk.markdown.as_str()).collect::<String>(), markdown);
            for chunk in &cut {
                prop_assert!(chunk.tokens <= most || !chunk.markdown.trim().contains(' '), "{:?}", chunk);
            }
        }
    }
}
