//! Shingles: the runs of n consecutive words of a text, as a set, and how much two such sets resemble each other.
//!
//! A. Broder: On the resemblance and containment of documents, 1997; used on parts of pages by Z. Bar-Yossef and
//! S. Rajagopalan (2002). The set, not the bag: `a b a b` and `a b a b a` have the same. A text shorter than n words is one
//! shingle. Shingles are 64-bit hashes; a set is a sorted list of them. [`SetIndex`] finds the sets that share most of their
//! elements with a given one without looking at all others: whoever shares enough must have one of its rarest elements.

use crate::distances::overlap::common;
use crate::learned::page_keys::{hash_bytes, mix};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, Page, Tag};

const WORD: u64 = 0x8ebc_6af0_9c88_c6e3;
const SHINGLE: u64 = 0x5899_65cc_7537_4cc3;

/// The hash of a word.
#[must_use]
pub(crate) fn word_hash(word: &str) -> u64 {
    hash_bytes(WORD, word.as_bytes())
}

/// Writes the hashes of the words of a subtree into `words`: what stands between white space, as it is written.
pub(crate) fn read_words(page: &Page, root: NodeId, words: &mut Vec<u64>) {
    words.clear();
    let texts = page.subtree(root).filter(|node| page.tag(*node) == Tag::Text);
    words.extend(texts.flat_map(|node| page.string(node).split_whitespace()).map(word_hash));
}

/// A number that stands for a sequence of hashes.
#[must_use]
pub(crate) fn sequence_hash(hashes: &[u64]) -> u64 {
    hashes.iter().fold(mix(SHINGLE, hashes.len() as u64), |sum, hash| mix(sum, *hash))
}

/// The set of shingles of `n` words (1 if 0 is asked for); empty if there is no word.
#[must_use]
pub(crate) fn shingles(words: &[u64], n: usize) -> Vec<u64> {
    if words.is_empty() {
        return Vec::new();
    }
    let mut set: Vec<u64> = words.windows(n.clamp(1, words.len())).map(sequence_hash).collect();
    set.sort_unstable();
    set.dedup();
    set
}

/// The resemblance of two sets: what they have in common out of all they have. Two empty sets are the same.
#[must_use]
pub(crate) fn resemblance(one: &[u64], other: &[u64]) -> f64 {
    let common = common(one, other);
    let all = one.len() + other.len() - common;
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

/// The least elements of a set under `count` orders. Each is equal for two sets as often as they resemble each other.
#[must_use]
pub(crate) fn minima(set: &[u64], count: usize) -> Vec<u64> {
    let order = |at: usize| mix(0x1d8e_4e27_c47d_124f, at as u64);
    (0..count).filter_map(|at| set.iter().map(|element| mix(*element, order(at))).min()).collect()
}

/// Sets that can be found by what they contain.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetIndex {
    /// Each element with the number of a set it is in, in order.
    entries: Vec<(u64, u32)>,
}

impl SetIndex {
    /// An index of these sets, which are known by their places.
    #[must_use]
    pub(crate) fn new<'s>(sets: impl IntoIterator<Item = &'s [u64]>) -> SetIndex {
        let numbered = sets.into_iter().enumerate();
        let mut entries: Vec<(u64, u32)> =
            numbered.flat_map(|(at, set)| set.iter().map(move |element| (*element, at as u32))).collect();
        entries.sort_unstable();
        SetIndex { entries }
    }

    fn with(&self, element: u64) -> &[(u64, u32)] {
        let from = self.entries.partition_point(|entry| entry.0 < element);
        let number = self.entries[from..].partition_point(|entry| entry.0 == element);
        &self.entries[from..from + number]
    }

    /// The numbers of sets that may have at least a `share` (0 to 1) of the elements of `set`, in order: all that do, and some more.
    #[must_use]
    pub(crate) fn candidates(&self, set: &[u64], share: f64) -> Vec<u32> {
        let mut found: Vec<&[(u64, u32)]> = set.iter().map(|element| self.with(*element)).collect();
        found.order_by_key(|entries| entries.len());
        let needed = ((share * set.len() as f64) - 1e-9).ceil().max(1.0) as usize;
        // Whoever has none of the rarest cannot have as many as needed of the others.
        let rarest = (set.len() + 1).saturating_sub(needed);
        let mut candidates: Vec<u32> =
            found.iter().take(rarest).flat_map(|entries| entries.iter().map(|entry| entry.1)).collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str, n: usize) -> Vec<u64> {
        let words: Vec<u64> = text.split_whitespace().map(word_hash).collect();
        shingles(&words, n)
    }

    #[test]
    fn shingles_are_a_set_of_runs_of_words() {
        // Made by hand.
        assert_eq!(of("a b c d", 2).len(), 3);
        assert_eq!(of("a b a b", 2), of("a b a b a", 2));
        assert_eq!(of("a b a b", 2).len(), 2);
        assert_ne!(of("a b a b", 2), of("a b c d", 2));
        assert_eq!((of("a b", 4).len(), of("a b", 4) == of("a c", 4)), (1, false));
        assert!(of(" \n", 4).is_empty());
        assert_eq!(of("a b c", 0), of("a b c", 1));
    }

    #[test]
    fn resemblance_is_what_is_common_out_of_all() {
        assert_eq!(resemblance(&of("a b c d", 2), &of("b c d e", 2)), 0.5);
        assert_eq!((resemblance(&[], &[]), resemblance(&[1], &[])), (1.0, 0.0));
    }

    #[test]
    fn minima_agree_as_often_as_sets_resemble_each_other() {
        let one: Vec<u64> = (0..300).map(|number| mix(WORD, number)).collect();
        let other: Vec<u64> = (100..400).map(|number| mix(WORD, number)).collect();
        let agree = minima(&one, 400).iter().zip(minima(&other, 400)).filter(|(a, b)| **a == *b).count();
        assert!((160..240).contains(&agree), "{agree} of 400, and half is expected");
        assert!(minima(&[], 3).is_empty());
    }

    proptest! {
        #[test]
        fn no_set_that_shares_enough_is_missed(
            sets in prop::collection::vec(prop::collection::btree_set(0..20u64, 0..10), 1..12), share in 0.05..1.0f64,
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let index = SetIndex::new(sets.iter().map(Vec::as_slice));
            for set in &sets {
                let candidates = index.candidates(set, share);
                for (at, other) in sets.iter().enumerate() {
                    let shared = common(set, other);
                    prop_assert_eq!(shared, set.iter().filter(|element| other.contains(element)).count());
                    if shared > 0 && shared as f64 >= share * set.len() as f64 {
                        prop_assert!(candidates.contains(&(at as u32)));
                    }
                }
            }
        }
    }
}
