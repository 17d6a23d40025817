//! Common path shingles: pieces of fixed length of the paths from the root to the leaves.
//!
//! D. Buttler: A Short Survey of Document Structure Similarity Algorithms, 2004, who suggests lengths of 1 to 4; Gottron, 2008,
//! §7.1.1, takes 4. One element more near the root changes all paths below it, but only a few of their pieces. A path shorter than
//! a piece is a piece itself.

use super::structure::PageStructure;
use crate::learned::page_keys::mix;

/// The pieces of all paths, with repetitions. Each piece ends at a node, so there are no more than nodes.
#[must_use]
pub(crate) fn path_shingles(structure: &PageStructure, length: usize) -> Vec<u64> {
    let length = length.max(1);
    let mut shingles = Vec::with_capacity(structure.len());
    for node in 0..structure.len() {
        let (mut at, mut hash, mut steps) = (node, 1, 0);
        loop {
            hash = mix(hash, u64::from(structure.labels[at]));
            steps += 1;
            if steps == length || at == 0 {
                break;
            }
            at = structure.parents[at] as usize;
        }
        if steps == length || structure.is_leaf(node) {
            shingles.push(mix(hash, steps as u64));
        }
    }
    shingles
}

#[cfg(test)]
mod tests {
    use super::super::overlap::{common, overlap_distance, set};
    use super::super::structure::tests::tree;
    use super::*;

    fn shingles(text: &str, length: usize) -> Vec<u64> {
        set(path_shingles(&tree(text), length))
    }

    /// Trees made by hand.
    #[test]
    fn pieces_of_four_of_the_published_examples() {
        let (one, other) = (shingles("html(body(div(p,p)))", 4), shingles("html(body(div(p,ul(li))))", 4));
        assert_eq!((one.len(), other.len(), common(&one, &other)), (1, 3, 1));
        assert!((overlap_distance(&one, &other) - 2.0 / 3.0).abs() < 1e-12);
        let (a, b) = ("html(body(div(h1,p,p),ul(li,li)))", "html(body(ul(li,li,li),div(h1,p)))");
        assert_eq!(overlap_distance(&shingles(a, 4), &shingles(b, 4)), 0.0);
    }

    /// Made by hand: 5 and 6 pieces of two, 5 of them common.
    #[test]
    fn pieces_of_two_of_the_published_example() {
        let (one, other) = (shingles("html(body(div(p),ul(li)))", 2), shingles("html(body(div(div(p)),ul(li)))", 2));
        assert_eq!((one.len(), other.len(), common(&one, &other)), (5, 6, 5));
    }

    #[test]
    fn a_short_path_is_a_piece_and_differs_from_longer_ones() {
        assert_eq!(shingles("html(body)", 4).len(), 1);
        assert_eq!(common(&shingles("html(body)", 4), &shingles("html(body(p(b)))", 4)), 0);
        assert!(shingles("", 4).is_empty());
    }
}
