//! The path set of a page: the different ways from its root down to its leaves, and how alike two pages are by them.
//!
//! Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017,
//! Def. 21 and §7.4, after the common-paths measure of Thomas Gottron (2008) with two changes: elements only, and an `id`
//! is part of its element's token (`html/body/div#main/p`). Repeated siblings give one path, so that long and short pages of one
//! template are alike. A leaf is an element without element children.
//!
//! Paths are kept as hashes in ascending order: 8 bytes each, compared in one pass. Templates are stored with them, so
//! a change of how they are computed is a change of the store's version.

use crate::carried_over::pruned_dom::PrunedDom;
use crate::learned::page_keys::mix;

/// What of an element stands in a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PathToken {
    /// Its name, and its `id` if it has one (Zelený).
    #[default]
    NameAndId,
    /// Its name alone (Gottron).
    Name,
}

/// The different paths of a page; see the [module](self).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathSet {
    hashes: Vec<u64>,
}

const ROOT: u64 = 0x3c79_ac49_2ba7_b653;

impl PathSet {
    /// The paths of a whole page.
    #[must_use]
    pub fn of(dom: &PrunedDom, token: PathToken) -> PathSet {
        PathSet::below(dom, 0, token)
    }

    /// The paths of a subtree, which start at its root.
    #[must_use]
    pub fn below(dom: &PrunedDom, node: u32, token: PathToken) -> PathSet {
        let end = dom.end(node);
        let mut paths: Vec<u64> = Vec::with_capacity((end - node) as usize);
        let mut leaves = Vec::new();
        for at in node..end {
            let (label, id, _) = dom.hashes(at);
            let own = if id != 0 && token == PathToken::NameAndId { mix(label, id) } else { label };
            let above = if at == node { ROOT } else { dom.parent(at).map_or(ROOT, |parent| paths[(parent - node) as usize]) };
            paths.push(mix(above, own));
            if dom.end(at) == at + 1 {
                leaves.push(paths[(at - node) as usize]);
            }
        }
        PathSet::from_hashes(leaves)
    }

    /// A set of these hashes, in any order.
    #[must_use]
    pub fn from_hashes(mut hashes: Vec<u64>) -> PathSet {
        hashes.sort_unstable();
        hashes.dedup();
        PathSet { hashes }
    }

    /// The hashes in ascending order.
    #[must_use]
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// How many paths there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is none, which no page has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// How many paths two sets have in common.
    #[must_use]
    pub fn common(&self, other: &PathSet) -> usize {
        let (mut one, mut two) = (self.hashes.iter().peekable(), other.hashes.iter().peekable());
        let mut common = 0;
        while let (Some(left), Some(right)) = (one.peek(), two.peek()) {
            match left.cmp(right) {
                std::cmp::Ordering::Less => drop(one.next()),
                std::cmp::Ordering::Greater => drop(two.next()),
                std::cmp::Ordering::Equal => {
                    common += 1;
                    one.next();
                    two.next();
                }
            }
        }
        common
    }

    /// How alike two sets are, 0 to 1: the common paths as a share of the larger set. One minus it is a metric.
    ///
    /// The printed normalisations (Alg. 4) are unusable: one never exceeds the threshold, not even for a page and itself, the
    /// other always does.
    #[must_use]
    pub fn similarity(&self, other: &PathSet) -> f64 {
        match self.len().max(other.len()) {
            0 => 1.0,
            larger => self.common(other) as f64 / larger as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carried_over::pruned_dom::tests::{A, B, b_with_list, find, pruned};
    use proptest::prelude::*;

    fn paths(html: &str) -> PathSet {
        PathSet::of(&pruned(html), PathToken::NameAndId)
    }

    /// Page C, made by hand like A and B: a table and an aside, no menu.
    const C: &str = "<html><head><title>c</title></head><body><div id=top><h1>x</h1></div><div id=main><h2>h</h2><table><tbody><tr><td>1</td></tr></tbody></table></div><div id=foot><p>f</p></div><aside><p>a</p></aside></body>";

    /// Of the pages made by hand.
    #[test]
    fn sizes_and_similarities_of_the_published_pages() {
        assert_eq!(paths(A).len(), 6);
        assert_eq!(PathSet::of(&pruned(A), PathToken::Name).len(), 5);
        assert_eq!(paths(A).similarity(&paths(B)), 1.0);
        assert_eq!(paths(A).similarity(&paths(&b_with_list())), 6.0 / 7.0);
        assert_eq!(paths(A).similarity(&paths(C)), 4.0 / 6.0);
    }

    /// The verification of `div#main` (§7.5).
    #[test]
    fn subtrees_are_compared_from_their_root_on() {
        let below = |html: &str| {
            let dom = pruned(html);
            PathSet::below(&dom, find(&dom, "div#main"), PathToken::NameAndId)
        };
        assert_eq!(below(A).similarity(&below(B)), 1.0);
        assert_eq!(below(A).similarity(&below(&b_with_list())), 2.0 / 3.0);
    }

    #[test]
    fn hashes_are_what_stores_hold() {
        assert_eq!(paths("<html><head></head><body><p id=a>x</p></body>").hashes(), PINNED);
    }

    const PINNED: &[u64] = &[6_000_451_235_882_891_937, 13_522_035_285_539_059_444];

    proptest! {
        /// What Zelený 2017, §3.2.4, asks of a metric: 0 to itself, symmetry, triangle inequality.
        #[test]
        fn one_minus_similarity_is_a_metric(sets in prop::array::uniform3(prop::collection::vec(0u64..12, 0..10))) {
            let [a, b, c] = sets.map(PathSet::from_hashes);
            let far = |one: &PathSet, other: &PathSet| 1.0 - one.similarity(other);
            prop_assert_eq!(far(&a, &a), 0.0);
            prop_assert_eq!(far(&a, &b), far(&b, &a));
            prop_assert!((0.0..=1.0).contains(&far(&a, &b)));
            prop_assert!(far(&a, &c) <= far(&a, &b) + far(&b, &c) + 1e-12);
        }
    }
}
