//! Clusters of very many pages: single linkage without looking at all pairs.
//!
//! Our own. Pages whose [sketches](crate::distances::sketch) agree in a band are candidates; what they are is decided by
//! the distance itself, so that no page joins a cluster it is not near to. Pages that have met already need not be compared, and
//! a bucket remembers the last few pages of each cluster it has seen, so that ten thousand pages of one template cost
//! some ten thousand comparisons and not fifty million. A cluster may be found in two parts if its pages never meet; tests and
//! `unchaff cluster --exact` compare with the whole matrix.

use super::Clustering;
use crate::distances::sketch::{Sketch, buckets};
use crate::text::connected_components::Components;

/// How many pages a bucket remembers: with more that are not near, what meets there says nothing.
const REMEMBERED: usize = 64;
/// How many of them are of one cluster.
const OF_A_CLUSTER: usize = 4;

/// The connected components of pages within a distance of each other, among those that meet in a bucket.
pub(crate) fn components<'s>(
    sketches: impl ExactSizeIterator<Item = &'s Sketch>,
    rows: usize,
    is_near: impl Fn(usize, usize) -> bool,
) -> Clustering {
    let pages = sketches.len();
    let mut sets = Components::new(pages);
    let mut remembered: Vec<usize> = Vec::with_capacity(REMEMBERED);
    buckets(sketches, rows, |bucket| {
        remembered.clear();
        for page in bucket {
            for known in &remembered {
                if sets.first(*known) != sets.first(page) && is_near(*known, page) {
                    sets.join(*known, page);
                }
            }
            let own = sets.first(page);
            let mut of_own = (0..remembered.len()).filter(|at| sets.first(remembered[*at]) == own);
            if let Some(oldest) = of_own.next()
                && of_own.count() + 1 >= OF_A_CLUSTER
            {
                remembered.remove(oldest);
            }
            if remembered.len() < REMEMBERED {
                remembered.push(page);
            }
        }
    });
    Clustering::new((0..pages).map(|page| sets.first(page)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clustering::single_linkage::Dendrogram;
    use crate::distances::overlap::{overlap_distance, set};
    use crate::distances::sketch::rows_for;
    use crate::learned::page_keys::mix;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// Templates of 60 paths, of which each page has most, and some paths of its own.
        #[test]
        fn templates_are_found_as_by_all_pairs(pages in prop::collection::vec((0u64..6, 40u64..60, 0u64..20), 1..80)) {
            let sets: Vec<Vec<u64>> = pages.iter().enumerate().map(|(at, (template, shared, own))| {
                let paths = (0..*shared).map(|path| mix(*template + 1, path + 1));
                set(paths.chain((0..*own).map(|path| mix(at as u64 + 1000, path + 1))).collect())
            }).collect();
            let sketches: Vec<Sketch> = sets.iter().map(|set| Sketch::of(set.iter().copied())).collect();
            let near = |one: usize, other: usize| overlap_distance(&sets[one], &sets[other]);
            let found = components(sketches.iter(), rows_for(0.25), |one, other| near(one, other) <= 0.6);
            let exact = Dendrogram::new(sets.len(), |one, other| near(one, other) as f32).cut_at(0.6);
            prop_assert_eq!(found, exact);
        }
    }

    #[test]
    fn a_page_without_anything_stands_alone() {
        let sketches: Vec<Sketch> = vec![Sketch::of([]); 3];
        assert_eq!(components(sketches.iter(), 2, |_, _| true).len(), 3);
        assert!(components([].iter(), 2, |_, _| true).is_empty());
    }
}
