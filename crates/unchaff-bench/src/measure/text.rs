//! Scores of a text against the text that is right.

use super::words::{WordRule, collapse};
use super::{Empty, Measures, Score};
use std::collections::HashMap;
use unchaff_page::BlockKind;
use unchaff_page::views::lcs::lcs_length;

/// The scores of a text by the four models (Gottron 2008, 5.2.2). None where the gold has no word and emptiness counts as zero:
/// such a page cannot be got right.
#[must_use]
pub fn text_scores(gold: &str, text: &str, measures: &Measures) -> Vec<Score> {
    let (gold_words, words) = (measures.words.words(gold), measures.words.words(text));
    if gold_words.is_empty() && measures.empty == Empty::Zero {
        return Vec::new();
    }
    let new = |measure, amounts| Score::new(BlockKind::Content, measure, amounts, measures.empty);
    let (gold_bag, bag) = (count(&gold_words), count(&words));
    let common = |limit: u32| -> usize {
        bag.iter().filter_map(|(word, count)| Some(limit.min(*count).min(*gold_bag.get(word)?) as usize)).sum()
    };
    let mut scores = vec![
        new("word-bag", [words.len(), gold_words.len(), common(u32::MAX)]),
        new("word-set", [bag.len(), gold_bag.len(), common(1)]),
    ];
    if measures.subsequences {
        scores.push(new("word-lcs", [words.len(), gold_words.len(), lcs_length(&gold_words, &words)]));
        let [gold, text] = [gold, text].map(|text| collapse(text).chars().collect::<Vec<char>>());
        scores.push(new("character-lcs", [text.len(), gold.len(), lcs_length(&gold, &text)]));
    }
    scores
}

fn count(words: &[String]) -> HashMap<&str, u32> {
    let mut bag = HashMap::with_capacity(words.len());
    for word in words {
        *bag.entry(word.as_str()).or_insert(0) += 1;
    }
    bag
}

/// The score of sentences: of those that must and must not be there, which are, and which of these should. A sentence is
/// there if its words stand in the text in a row, so that line ends, markers of lists and quotation marks do not matter.
/// Sentences without words do not count. Where nothing must be there, there is no score unless emptiness counts as one.
pub(super) fn sentence_score(must: &[String], must_not: &[String], text: &str, empty: Empty) -> Option<Score> {
    let words = |text: &str| format!(" {} ", WordRule::Letters.words(text).join(" "));
    let text = words(text);
    let there = |sentences: &[String]| {
        let sentences: Vec<String> = sentences.iter().map(|sentence| words(sentence)).filter(|words| words != "  ").collect();
        (sentences.iter().filter(|sentence| text.contains(*sentence)).count(), sentences.len())
    };
    let ((right, all), (wrong, all_wrong)) = (there(must), there(must_not));
    let is_told = all > 0 || all_wrong > 0 && empty == Empty::One;
    is_told.then(|| Score::new(BlockKind::Content, "sentences", [right + wrong, all, right], empty))
}
