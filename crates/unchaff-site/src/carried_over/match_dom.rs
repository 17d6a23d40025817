//! Which stored page a new one is like enough to share its template, found without looking at all of them.
//!
//! Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017,
//! Alg. 4: the most similar stored page by path sets, if it is more similar than 0.7; of equals the first. The thesis looks at
//! every stored page of the site and leaves an index to others. Ours is exact: two sets that are alike enough must share the
//! least of their common paths, and that one stands among the first few of both, in any order that is the same for all
//! sets (prefix filtering: S. Chaudhuri, V. Ganti, R. Kaushik: A primitive operator for similarity joins, 2006). So only those
//! few are indexed and looked up: three in ten at 0.7.

use crate::carried_over::path_set::PathSet;
use crate::learned::page_keys::KeyMap;

/// The published threshold, after Gottron: pages more similar than this share a template.
pub const THRESHOLD: f64 = 0.7;

/// A stored page that is like the one in question.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Match {
    /// Which one, by the order in which they were stored.
    pub at: usize,
    /// How similar it is.
    pub similarity: f64,
}

/// The stored page most similar to a page, if it is more similar than the threshold; of equals the first.
#[must_use]
pub fn match_dom<'s>(stored: impl IntoIterator<Item = &'s PathSet>, page: &PathSet, threshold: f64) -> Option<Match> {
    best(stored.into_iter().enumerate(), page, threshold)
}

fn best<'s>(stored: impl Iterator<Item = (usize, &'s PathSet)>, page: &PathSet, threshold: f64) -> Option<Match> {
    let mut best: Option<Match> = None;
    for (at, set) in stored {
        let similarity = page.similarity(set);
        if similarity > best.map_or(threshold, |best| best.similarity) {
            best = Some(Match { at, similarity });
        }
    }
    best
}

/// The paths by which a set is indexed and looked up: sets more similar than the threshold have one of them in common.
#[must_use]
pub fn index_paths(set: &PathSet, threshold: f64) -> &[u64] {
    // More than this many are common. Rounding may make it one too few, which costs a path and loses none.
    let common = (threshold.clamp(0.0, 1.0) * set.len() as f64 - 1e-9).floor().max(0.0) as usize;
    &set.hashes()[..set.len() - common.min(set.len())]
}

/// Stored pages in memory, indexed by path.
#[derive(Clone, Debug)]
pub struct PathIndex {
    threshold: f64,
    sets: Vec<PathSet>,
    by_path: KeyMap<Vec<u32>>,
}

impl Default for PathIndex {
    fn default() -> PathIndex {
        PathIndex::new(THRESHOLD)
    }
}

impl PathIndex {
    /// An index for this threshold, empty.
    #[must_use]
    pub fn new(threshold: f64) -> PathIndex {
        PathIndex { threshold, sets: Vec::new(), by_path: KeyMap::default() }
    }

    /// Stores a page; returns its number.
    pub fn insert(&mut self, set: PathSet) -> usize {
        let number = self.sets.len();
        for path in index_paths(&set, self.threshold) {
            self.by_path.entry(*path).or_default().push(number as u32);
        }
        self.sets.push(set);
        number
    }

    /// The stored pages in the order in which they came.
    #[must_use]
    pub fn sets(&self) -> &[PathSet] {
        &self.sets
    }

    /// What [`match_dom`] finds among all stored pages.
    #[must_use]
    pub fn find(&self, page: &PathSet) -> Option<Match> {
        let lists = index_paths(page, self.threshold).iter().filter_map(|path| self.by_path.get(path));
        let mut candidates: Vec<u32> = lists.flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        best(candidates.into_iter().map(|at| (at as usize, &self.sets[at as usize])), page, self.threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(paths: impl IntoIterator<Item = u64>) -> PathSet {
        PathSet::from_hashes(paths.into_iter().collect())
    }

    /// 7 of 10 common is no match: Alg. 4 is strict.
    #[test]
    fn seven_of_ten_is_not_enough_and_eight_is() {
        let page = set(0..10);
        assert_eq!(match_dom([&set(3..13)], &page, THRESHOLD), None);
        assert_eq!(match_dom([&set(2..12)], &page, THRESHOLD), Some(Match { at: 0, similarity: 0.8 }));
        assert_eq!(index_paths(&page, THRESHOLD), [0, 1, 2, 3]);
    }

    /// Alg. 4 is strict on the best so far too, so the first stored wins ties.
    #[test]
    fn the_most_similar_wins_and_of_equals_the_first() {
        let stored = [set(2..12), set(1..11), set(0..9), set(0..100)];
        let found = match_dom(&stored, &set(0..10), THRESHOLD);
        assert_eq!(found, Some(Match { at: 1, similarity: 0.9 }));
        let mut index = PathIndex::default();
        for set in stored {
            index.insert(set);
        }
        assert_eq!(index.find(&set(0..10)), found);
        assert_eq!(index.sets().len(), 4);
        assert_eq!(index.find(&set(50..60)), None);
    }

    proptest! {
        #[test]
        fn the_index_finds_what_looking_at_all_finds(
            stored in prop::collection::vec(prop::collection::vec(0u64..24, 1..16), 0..12),
            page in prop::collection::vec(0u64..24, 0..16),
            threshold in 0.0f64..1.0,
        ) {
            let stored: Vec<PathSet> = stored.into_iter().map(set).collect();
            let page = set(page);
            let mut index = PathIndex::new(threshold);
            for set in &stored {
                index.insert(set.clone());
            }
            prop_assert_eq!(index.find(&page), match_dom(&stored, &page, threshold));
        }
    }
}
