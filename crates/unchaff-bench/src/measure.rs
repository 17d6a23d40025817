//! How good an answer is: what was retrieved, what should have been, what both have in common.
//!
//! Recall is the common part of the gold, precision the common part of what was retrieved, F1 their harmonic mean. What is
//! counted depends on the gold. Labelled pages count elements, words inside them, or links (Alarte 2023, chapters 4 to 6).
//! Text golds count words and characters by the four models of Gottron (*Content Extraction*, PhD thesis 2008, 5.2.2):
//! bag and set of words, longest common subsequence of words and of characters; and sentences that must and must not be
//! there. Segments are sets of the page's lines and images ([`segments`]). [`score`] gives the figures that `score_pages.py` and `score_sites.py` give; [`Measures`] has the other readings.

pub(crate) mod blocks;
mod cleaneval;
mod labelled;
mod levenshtein;
mod segmented_page;
pub mod segments;
mod text;
mod words;

pub(crate) use cleaneval::without_marks;
pub use labelled::NodeRule;
pub(crate) use labelled::PageIndex;
pub use levenshtein::edit_distance;
pub use segmented_page::{named_segments, segment_scores, whole_with_runs};
pub use text::text_scores;
pub use unchaff_page::views::lcs::lcs_length;
pub use words::WordRule;

use crate::gold::OtherElements;
use crate::suite::Benchmark;
use labelled::Retrieved;
use std::borrow::Cow;
use std::fmt;
use unchaff_dom::emit;
use unchaff_page::parameters::choice;
use unchaff_page::{BlockKind, Detection};

/// What techniques that divide a page into segments look for, in the place of a block.
pub const SEGMENTS: &str = "segments";

/// What a technique answered.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'a> {
    /// Blocks of the page.
    Nodes(&'a Detection),
    /// The text of the block that was asked for.
    Text(&'a str),
    /// The page as HTML in which every element of a block carries its name in `data-unchaff`.
    Annotated(&'a [u8]),
}

/// What an answer is worth by one measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Score {
    /// The block that was asked for, or [`SEGMENTS`].
    pub block: &'static str,
    /// `nodes`, `words`, `links`, `word-bag`, `word-set`, `character-lcs`, `word-lcs` or `sentences`; with [`Measures::more`] also `accuracy`,
    /// `blocks`, `aligned-blocks`, `block-accuracy`, `levenshtein`, `levenshtein-marks`; those of segments are in [`segment_scores`].
    pub measure: &'static str,
    /// How much the answer has.
    pub retrieved: f64,
    /// How much it should have.
    pub gold: f64,
    /// How much of it is right.
    pub common: f64,
    /// The part of the gold that the answer has.
    pub recall: f64,
    /// The part of the answer that is right.
    pub precision: f64,
    /// The harmonic mean of both.
    pub f1: f64,
}

choice! {
    /// What precision is when nothing was retrieved, and recall when there was nothing to retrieve.
    pub enum Empty {
        /// Zero: who finds nothing is not right. A page whose gold is empty is left out where the gold is text.
        Zero = "zero",
        /// One (Gottron 2008, 2.2.4): nothing of it is wrong. Lifts the mean precision of techniques that often find nothing.
        One = "one",
    }
}

/// How answers are measured. The default is that of the scorers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measures {
    /// What a word of a text is.
    pub words: WordRule,
    /// What quotients with nothing below the line are.
    pub empty: Empty,
    /// Which nodes count.
    pub nodes: NodeRule,
    /// Whether common subsequences are computed, which takes far longer than everything else; sweeps do without.
    pub subsequences: bool,
    /// Whether further measures are taken: accuracy, blocks, aligned blocks, edit distances. Aligning costs about as much as common subsequences.
    pub more: bool,
}

impl Default for Measures {
    fn default() -> Self {
        Measures {
            words: WordRule::Letters,
            empty: Empty::Zero,
            nodes: NodeRule::ElementsBelowBody,
            subsequences: true,
            more: false,
        }
    }
}

/// The conventions by which all figures of a database are taken.
impl fmt::Display for Measures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "words={} empty={} nodes={}", self.words, self.empty, self.nodes)
    }
}

impl Measures {
    /// The conventions of Gottron's evaluation framework (2008, 5.2 and 5.3): words between white space, an empty
    /// extraction has precision 1.
    #[must_use]
    pub fn gottron() -> Measures {
        Measures { words: WordRule::WhiteSpace, empty: Empty::One, ..Measures::default() }
    }
}

impl Score {
    /// The score of three amounts.
    #[must_use]
    pub fn new(block: BlockKind, measure: &'static str, [retrieved, gold, common]: [usize; 3], empty: Empty) -> Score {
        let [retrieved, gold, common] = [retrieved, gold, common].map(|amount| amount as f64);
        let share = |whole: f64| match empty {
            _ if whole > 0.0 => common / whole,
            Empty::Zero => 0.0,
            Empty::One => 1.0,
        };
        let (precision, recall) = (share(retrieved), share(gold));
        Score {
            block: block.as_str(),
            measure,
            retrieved,
            gold,
            common,
            recall,
            precision,
            f1: f_measure(recall, precision, 1.0),
        }
    }
}

impl Score {
    /// A figure that is one number: it stands in all columns.
    #[must_use]
    pub fn single(block: BlockKind, measure: &'static str, value: f64) -> Score {
        let [retrieved, gold, common, recall, precision, f1] = [value; 6];
        Score { block: block.as_str(), measure, retrieved, gold, common, recall, precision, f1 }
    }
}

/// The weighted harmonic mean of recall and precision, in which recall weighs `beta` times as much; 0 if both are.
#[must_use]
pub fn f_measure(recall: f64, precision: f64, beta: f64) -> f64 {
    let weight = beta * beta;
    let below = weight * precision + recall;
    if below > 0.0 { (weight + 1.0) * precision * recall / below } else { 0.0 }
}

/// The standard deviation of scores over documents (Gottron 2008, 5.2.2), which says how stable a technique is; none for fewer
/// than two.
#[must_use]
pub fn spread(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.len() > 1).then(|| (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt())
}

/// All scores of an answer to the question for a block. No score if the gold does not know the block, or the answer is of
/// a form that cannot be compared with it. Zeros if annotated HTML has other elements than the page; [`try_score`] says so.
#[must_use]
pub fn score(benchmark: &Benchmark, kind: BlockKind, answer: &Answer<'_>) -> Vec<Score> {
    let measures = Measures::default();
    try_score(benchmark, kind, answer, &measures).unwrap_or_else(|_| zeros(benchmark, kind, &measures))
}

/// As [`score`], by other measures than the default.
///
/// # Errors
/// If the answer is annotated HTML with other elements than the page.
pub fn try_score(
    benchmark: &Benchmark,
    kind: BlockKind,
    answer: &Answer<'_>,
    measures: &Measures,
) -> Result<Vec<Score>, OtherElements> {
    let retrieved = match answer {
        Answer::Nodes(detection) => match detection.nodes(kind) {
            Some(nodes) => Retrieved::Nodes(Cow::Borrowed(nodes)),
            None => return Ok(Vec::new()),
        },
        Answer::Text(text) => Retrieved::Text(text),
        Answer::Annotated(html) => Retrieved::Nodes(Cow::Owned(emit::marked_nodes(&benchmark.page, html, kind.as_str())?)),
    };
    Ok(measure(benchmark, kind, &retrieved, measures))
}

/// The scores of no answer at all: what a technique that failed gets.
#[must_use]
pub fn zeros(benchmark: &Benchmark, kind: BlockKind, measures: &Measures) -> Vec<Score> {
    let nothing = Retrieved::Nodes(Cow::Owned(unchaff_dom::NodeSet::new(&benchmark.page)));
    measure(benchmark, kind, &nothing, &Measures { subsequences: measures.subsequences, empty: Empty::Zero, ..*measures })
}

fn measure(benchmark: &Benchmark, kind: BlockKind, retrieved: &Retrieved<'_>, measures: &Measures) -> Vec<Score> {
    let gold = &benchmark.gold;
    let mut scores = Vec::new();
    if let Some(right) = gold.nodes(kind) {
        scores.extend(labelled::scores(benchmark, kind, right, retrieved, measures));
    }
    if kind == BlockKind::Content
        && let Some(right) = &gold.text
    {
        let text = match retrieved {
            Retrieved::Nodes(nodes) => Cow::Owned(emit::text(&benchmark.page, nodes)),
            Retrieved::Text(text) => without_marks(text),
        };
        scores.extend(text_scores(right, &text, measures));
        if measures.more {
            let found = match retrieved {
                Retrieved::Nodes(nodes) => blocks::Side::Nodes(nodes),
                Retrieved::Text(_) => blocks::Side::Text(&text),
            };
            scores.extend(blocks::scores(&benchmark.page, kind, blocks::Side::Text(right), found, measures));
            scores.extend(cleaneval::scores(benchmark, right, retrieved, &text, measures));
        }
        scores.extend(text::sentence_score(&gold.must, &gold.must_not, &text, measures.empty));
    }
    scores
}

#[cfg(test)]
mod tests;
