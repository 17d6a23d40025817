//! The entropy of features over documents: 1 for a word that all pages have alike, 0 for a word of one page.
//!
//! Shian-Hua Lin, Jan-Ming Ho: Discovering informative content blocks from web documents. KDD 2002, as retold by T. Gottron
//! (Content Extraction, 2008, section 3.3.2). The weight of a feature in a document is its share of all occurrences; the
//! thesis only asks for weights between 0 and 1, but with plain scaling a word that is once on every page would
//! have entropy 0. Weights by TF-IDF come to the same shares, because the document frequency is one number a feature.

use crate::learned::page_keys::KeyMap;
use unchaff_page::parameters::choice;

choice! {
    /// The weight of a feature in a document.
    pub enum Weights {
        /// Its share of the feature's occurrences in all documents.
        Shares = "shares",
        /// Its occurrences, divided by those in the document that has most.
        Scaled = "scaled",
    }
}

/// The entropy of a feature that occurs so often in the documents, of which there are `documents`; 0 if there is but one.
#[must_use]
pub(crate) fn entropy(occurrences: impl Iterator<Item = u32> + Clone, documents: usize, weights: Weights) -> f64 {
    if documents < 2 {
        return 0.0;
    }
    let whole = match weights {
        Weights::Shares => occurrences.clone().map(f64::from).sum::<f64>(),
        Weights::Scaled => f64::from(occurrences.clone().max().unwrap_or(0)),
    };
    let base = (documents as f64).ln();
    let weights = occurrences.filter(|number| *number > 0).map(|number| f64::from(number) / whole);
    // Adding up to the right of 0 turns the -0 of a single weight of 1 into 0.
    0.0 - weights.map(|weight| weight * weight.ln() / base).sum::<f64>()
}

/// The entropies of all features of some documents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entropies {
    by_feature: KeyMap<f64>,
}

impl Entropies {
    /// The entropies over documents, each given by its features, one for each occurrence.
    #[must_use]
    pub(crate) fn of<'d>(documents: impl IntoIterator<Item = &'d [u64]>, weights: Weights) -> Entropies {
        let mut occurrences: Vec<(u64, u32)> = Vec::new();
        let mut number = 0;
        for features in documents {
            occurrences.extend(features.iter().map(|feature| (*feature, number)));
            number += 1;
        }
        occurrences.sort_unstable();
        let of_feature = |all: &[(u64, u32)]| {
            let by_document = all.chunk_by(|one, next| one.1 == next.1).map(|own| own.len() as u32);
            (all[0].0, entropy(by_document, number as usize, weights))
        };
        Entropies { by_feature: occurrences.chunk_by(|one, next| one.0 == next.0).map(of_feature).collect() }
    }

    /// The entropy of a feature; of one that no document has, 0.
    #[must_use]
    pub(crate) fn of_feature(&self, feature: u64) -> f64 {
        self.by_feature.get(&feature).copied().unwrap_or(0.0)
    }

    /// The mean over distinct features; none if there is none.
    #[must_use]
    pub(crate) fn mean(&self, features: &[u64]) -> Option<f64> {
        let sum: f64 = features.iter().map(|feature| self.of_feature(*feature)).sum();
        (!features.is_empty()).then(|| sum / features.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_of_all_pages_have_entropy_1_and_words_of_one_page_0() {
        // Examples of ours: shares of four pages, logarithms to the base 4.
        let of = |occurrences: [u32; 4]| entropy(occurrences.into_iter(), 4, Weights::Shares);
        let expected = [([1, 1, 1, 1], 1.0), ([2, 2, 0, 0], 0.5), ([5, 0, 0, 0], 0.0), ([3, 1, 0, 0], 0.405_639)];
        for (occurrences, entropy) in expected {
            assert!((of(occurrences) - entropy).abs() < 1e-6, "{occurrences:?}");
        }
        let entropies = Entropies::of([&[7, 9][..], &[7, 9], &[7], &[7, 11]], Weights::Shares);
        assert!((entropies.mean(&[7, 9]).unwrap() - 0.75).abs() < 1e-9);
        assert_eq!((entropies.of_feature(11), entropies.of_feature(12), entropies.mean(&[])), (0.0, 0.0, None));
    }

    #[test]
    fn scaled_weights_turn_the_measure_around() {
        // Between 0 and 1, which is all that the thesis asks for.
        assert_eq!(entropy([1, 1, 1, 1].into_iter(), 4, Weights::Scaled), 0.0);
        assert!(entropy([3, 1, 0, 0].into_iter(), 4, Weights::Scaled) > 0.0);
        assert_eq!(entropy([4].into_iter(), 1, Weights::Shares), 0.0);
    }

    proptest! {
        #[test]
        fn entropies_of_shares_lie_between_0_and_1(occurrences in prop::collection::vec(0..9u32, 1..9)) {
            let entropy = entropy(occurrences.iter().copied(), occurrences.len(), Weights::Shares);
            prop_assert!((0.0..=1.0 + 1e-9).contains(&entropy), "{}", entropy);
        }
    }
}
