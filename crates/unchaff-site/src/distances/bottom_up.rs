//! Bottom-up mapping: how many nodes stand above the same subtree in both trees.
//!
//! G. Valiente: An Efficient Bottom-Up Distance between Trees, 2001. Two nodes are mapped only if all below them is, so that
//! mapped nodes carry equal subtrees. Mapping the largest first leaves, of each kind of subtree, as many pairs as the tree with
//! fewer of them has: the mapping is the intersection of two bags of subtrees, and needs no walk. Unlike a top-down mapping
//! it does not care where on the page a block stands, but one different leaf separates all nodes above it.

use super::overlap::{bag, common};
use super::rtdm::subtree_hashes;
use super::structure::PageStructure;

/// The kinds of subtrees of a page, as a bag.
#[must_use]
pub(crate) fn subtrees(structure: &PageStructure) -> Vec<u64> {
    bag(subtree_hashes(structure))
}

/// The nodes that are deleted and inserted: all that are not mapped.
#[must_use]
pub(crate) fn edit_cost(one: &[u64], other: &[u64]) -> usize {
    one.len() + other.len() - 2 * common(one, other)
}

#[cfg(test)]
mod tests {
    use super::super::structure::tests::{tree, trees};
    use super::*;
    use proptest::prelude::*;

    fn cost(one: &str, other: &str) -> usize {
        edit_cost(&subtrees(&tree(one)), &subtrees(&tree(other)))
    }

    #[test]
    fn a_block_that_moved_stays_mapped_and_a_changed_leaf_spoils_what_is_above() {
        assert_eq!(cost("html(body(div(h1,p),ul(li,li)))", "html(body(div(h1,p),ul(li,li)))"), 0);
        assert_eq!(cost("body(div(h1,p),ul(li,li))", "body(ul(li,li),div(h1,p))"), 2, "only the body");
        assert_eq!(cost("body(div(h1,p),ul(li,li))", "body(div(h2,p),ul(li,li))"), 6, "heading, div and body");
        assert_eq!(cost("body(p,p,p)", "body(p)"), 4, "two more paragraphs and the body");
    }

    /// Valiente's walk: from the root down, every node that is not mapped yet takes an equal one that is free.
    fn walked(one: &PageStructure, other: &PageStructure) -> usize {
        let (ours, theirs) = (subtree_hashes(one), subtree_hashes(other));
        let (mut mapped, mut taken) = (vec![false; one.len()], vec![false; other.len()]);
        let mut nodes: Vec<usize> = (0..one.len()).collect();
        nodes.sort_by_key(|node| std::cmp::Reverse(one.size(*node)));
        for node in nodes {
            let free = |at: &usize| !taken[*at] && theirs[*at] == ours[node];
            if let Some(found) = (0..other.len()).find(free).filter(|_| !mapped[node]) {
                for at in 0..one.size(node) {
                    (mapped[node + at], taken[found + at]) = (true, true);
                }
            }
        }
        mapped.iter().filter(|mapped| **mapped).count()
    }

    proptest! {
        #[test]
        fn the_bags_say_what_the_walk_finds(one in trees(), other in trees()) {
            let mapped = common(&subtrees(&one), &subtrees(&other));
            prop_assert_eq!(mapped, walked(&one, &other));
        }
    }
}
