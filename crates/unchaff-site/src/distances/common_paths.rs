//! Common paths: which ways lead from the root to a leaf.
//!
//! S. Joshi, N. Agrawal, R. Krishnapuram, S. Negi: A Bag of Paths Model for Measuring Structural Similarity in Web Documents,
//! 2003; as sets in Gottron, 2008, §7.1.1. A path is the names of the elements down to one that has no element below it. How often
//! a path occurs does not count in the set, so that a longer list or another order of blocks makes no difference, which
//! the thesis finds to be why it beats edit distances. In the bag, counts matter.

use super::structure::PageStructure;
use crate::learned::page_keys::mix;

/// The paths to all leaves, in document order, with repetitions.
#[must_use]
pub(crate) fn leaf_paths(structure: &PageStructure) -> Vec<u64> {
    let mut paths = vec![1u64; structure.len()];
    for node in 0..structure.len() {
        let above = if node == 0 { 1 } else { paths[structure.parents[node] as usize] };
        paths[node] = mix(above, u64::from(structure.labels[node]));
    }
    let is_leaf = |node: &usize| structure.is_leaf(*node);
    (0..structure.len()).filter(is_leaf).map(|node| paths[node]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::overlap::{bag, overlap_distance, set, union_distance};
    use super::super::structure::tests::tree;
    use super::*;

    fn paths(text: &str) -> Vec<u64> {
        set(leaf_paths(&tree(text)))
    }

    /// Trees made by hand.
    #[test]
    fn distances_of_the_published_examples() {
        let distance = |one: &str, other: &str| overlap_distance(&paths(one), &paths(other));
        assert_eq!(distance("html(body(div(p,p)))", "html(body(div(p,ul(li))))"), 0.5);
        assert_eq!(distance("html(body(div(h1,p,p),ul(li,li)))", "html(body(ul(li,li,li),div(h1,p)))"), 0.0);
        assert_eq!(distance("html(body(div(p),ul(li)))", "html(body(div(div(p)),ul(li)))"), 0.5);
    }

    /// The largest count of all, by which Joshi et al. divide, cancels, so that raw counts give the same value.
    #[test]
    fn the_bag_of_paths_of_the_published_example() {
        let counts = |text: &str| bag(leaf_paths(&tree(text)));
        let one = counts("html(body(p,p,p,p,ul(li,li),h1))");
        let other = counts("html(body(p,ul(li,li),div(p,p,p)))");
        assert!((1.0 - union_distance(&one, &other) - 0.3).abs() < 1e-12);
        assert_eq!(union_distance(&one, &one), 0.0);
    }
}
