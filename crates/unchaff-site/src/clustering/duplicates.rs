//! Pages with the same text, or nearly: what is to be left out before frequencies are counted, because copies skew them (T. Gottron:
//! Content Extraction, 2008, section 3.3, names both tools).
//!
//! *Shingles*: A. Broder, On the resemblance and containment of documents, 1997. Two texts are copies if the sets of their runs of n words
//! resemble each other (common out of all) by a threshold. Copies of copies are together, whether they resemble each other or not.
//!
//! *I-Match*: A. Chowdhury, O. Frieder, D. Grossman, M. McCabe, Collection statistics for fast duplicate document detection, 2002. Texts are
//! copies if the sets of their terms are the same, without terms that are too frequent or too rare. Frequencies are those of the
//! pages at hand: a term that one page alone has does not count, nor one whose normalised idf is below a threshold. A text of which
//! nothing is left is compared as a whole.
//!
//! Words are runs of letters and digits in lower case.

use super::Clustering;
use crate::learned::page_keys::mix;
use crate::text::connected_components::Components;
use crate::text::shingles::{SetIndex, resemblance, sequence_hash, shingles, word_hash};
use std::collections::HashMap;
use unchaff_page::parameters::choice;

choice! {
    /// What makes two pages copies of each other.
    pub enum Sameness {
        /// The same words in the same order.
        Exact = "exact",
        /// Runs of words, most of which both have.
        Shingles = "shingles",
        /// The same set of terms that are neither too frequent nor too rare.
        IMatch = "i-match",
    }
}

/// How copies are found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DuplicateOptions {
    /// What makes two pages copies.
    pub sameness: Sameness,
    /// The words of a shingle.
    pub shingle: usize,
    /// From which resemblance on, 0 to 1, texts are copies.
    pub resemblance: f64,
    /// The least normalised idf of a term that I-Match counts: 0 is that of a term that all pages have, 1 of a term that one has.
    pub least_idf: f64,
}

impl Default for DuplicateOptions {
    fn default() -> Self {
        DuplicateOptions { sameness: Sameness::Shingles, shingle: 4, resemblance: 0.9, least_idf: 0.1 }
    }
}

/// What is kept of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReducedText {
    /// A number that stands for all of it.
    whole: u64,
    /// Its shingles or its terms, sorted, if they are compared.
    parts: Vec<u64>,
}

impl DuplicateOptions {
    /// What is compared of a text.
    #[must_use]
    pub fn reduce(&self, text: &str) -> ReducedText {
        let is_part = |c: char| !c.is_alphanumeric();
        let words: Vec<u64> =
            text.split(is_part).filter(|word| !word.is_empty()).map(|word| word_hash(&word.to_lowercase())).collect();
        let parts = match self.sameness {
            Sameness::Exact => Vec::new(),
            Sameness::Shingles => shingles(&words, self.shingle),
            Sameness::IMatch => shingles(&words, 1),
        };
        ReducedText { whole: sequence_hash(&words), parts }
    }
}

/// Puts copies together: clusters of pages whose texts are the same, or nearly.
///
/// ```
/// use unchaff_site::clustering::duplicates::{DuplicateOptions, duplicates};
///
/// let options = DuplicateOptions { resemblance: 0.5, ..DuplicateOptions::default() };
/// let texts = ["it rained all day and all night", "it rained all day and all Night!", "the sun shone"];
/// let found = duplicates(&texts.map(|text| options.reduce(text)), &options);
/// assert_eq!((found.of(0) == found.of(1), found.of(0) == found.of(2)), (true, false));
/// ```
#[must_use]
pub fn duplicates(texts: &[ReducedText], options: &DuplicateOptions) -> Clustering {
    let mut components = Components::new(texts.len());
    // Texts that are the same to the word stand for each other, so that a thousand copies cost no million comparisons.
    let mut first: HashMap<u64, usize> = HashMap::new();
    for (at, text) in texts.iter().enumerate() {
        let same = *first.entry(text.whole).or_insert(at);
        components.join(same, at);
    }
    let mut distinct: Vec<usize> = first.into_values().collect();
    distinct.sort_unstable();
    match options.sameness {
        Sameness::Exact => {}
        Sameness::Shingles => {
            let index = SetIndex::new(distinct.iter().map(|at| texts[*at].parts.as_slice()));
            for one in &distinct {
                let set = &texts[*one].parts;
                for other in index.candidates(set, options.resemblance) {
                    let other = distinct[other as usize];
                    if other < *one && resemblance(set, &texts[other].parts) >= options.resemblance {
                        components.join(*one, other);
                    }
                }
            }
        }
        Sameness::IMatch => {
            let mut frequencies: HashMap<u64, u32> = HashMap::new();
            texts.iter().flat_map(|text| &text.parts).for_each(|term| *frequencies.entry(*term).or_default() += 1);
            let all = (texts.len() as f64).ln();
            let counts = |term: &u64| {
                let frequency = frequencies.get(term).copied().unwrap_or_default();
                let idf = if all > 0.0 { (all - f64::from(frequency).ln()) / all } else { 0.0 };
                frequency > 1 && idf >= options.least_idf
            };
            let mut same: HashMap<u64, usize> = HashMap::new();
            for at in distinct {
                let terms: Vec<u64> = texts[at].parts.iter().copied().filter(|term| counts(term)).collect();
                let signature = if terms.is_empty() { mix(1, texts[at].whole) } else { sequence_hash(&terms) };
                let first = *same.entry(signature).or_insert(at);
                components.join(first, at);
            }
        }
    }
    Clustering::new((0..texts.len()).map(|at| components.first(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(texts: &[&str], options: DuplicateOptions) -> Vec<usize> {
        let reduced: Vec<ReducedText> = texts.iter().map(|text| options.reduce(text)).collect();
        let found = duplicates(&reduced, &options);
        (0..texts.len()).map(|at| found.of(at)).collect()
    }

    /// Made by hand: 8 words have 5 shingles of four; with the last changed, 4 of 6 are common, .667.
    #[test]
    fn shingles_take_what_resembles_enough_and_copies_of_copies() {
        let texts = ["a b c d e f g h", "a b c d e f g x", "y b c d e f g x", "p q r s t", ""];
        let with = |resemblance| DuplicateOptions { resemblance, ..DuplicateOptions::default() };
        assert_eq!(groups(&texts, with(0.6)), [0, 0, 0, 1, 2]);
        assert_eq!(groups(&texts, with(0.7)), [0, 1, 2, 3, 4]);
        assert_eq!(groups(&["A, b!", "a b", "b a"], with(0.9)), [0, 0, 1]);
    }

    /// Made by hand: of six pages, `site` is on all (idf 0) and `typo` on one; what is left of the first two is the same.
    #[test]
    fn i_match_leaves_out_terms_that_all_pages_or_one_page_has() {
        let options = DuplicateOptions { sameness: Sameness::IMatch, ..DuplicateOptions::default() };
        let texts = ["site rain river", "river typo rain site", "site rain", "site sun", "site sun moon", "site river moon"];
        assert_eq!(groups(&texts, options), [0, 0, 1, 2, 3, 4]);
        assert_eq!(groups(&["alone"], options), [0]);
    }

    #[test]
    fn exact_copies_are_the_same_to_the_word() {
        let options = DuplicateOptions { sameness: Sameness::Exact, ..DuplicateOptions::default() };
        assert_eq!(groups(&["a b", "a  b.", "b a", "a b"], options), [0, 0, 1, 0]);
    }
}
