//! Where a node of a stored page is in another page of its template, as published: the node, or nothing.
//!
//! Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017, §7.5,
//! Alg. 5 and Def. 28. One goes down from the root by place among siblings; their number, the `id` and the name must agree
//! at every step. The subtree found is then verified by its path set. The printed loop stops after one step. One
//! sibling more anywhere on the way loses the node; [`sibling_runs`](crate::carried_over::sibling_runs) is what we do about it.

use crate::carried_over::path_set::{PathSet, PathToken};
use crate::carried_over::pruned_dom::{Descriptor, PrunedDom};

/// The node at a path of distinguished positions; the root for an empty one.
#[must_use]
pub(crate) fn locate_node(dom: &PrunedDom, path: &[Descriptor]) -> Option<u32> {
    let mut node = 0;
    for step in path {
        node = dom.children(node).nth(step.position as usize).filter(|child| dom.descriptor(*child) == *step)?;
    }
    Some(node)
}

/// Whether two subtrees are equivalent: their path sets are more similar than the threshold. Text does not matter.
#[must_use]
pub(crate) fn equivalent(one: (&PrunedDom, u32), other: (&PrunedDom, u32), threshold: f64) -> bool {
    let paths = |(dom, node): (&PrunedDom, u32)| PathSet::below(dom, node, PathToken::NameAndId);
    paths(one).similarity(&paths(other)) > threshold
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carried_over::pruned_dom::Pruning;
    use crate::carried_over::pruned_dom::tests::{A, B, b_with_list, find, pruned};
    use proptest::prelude::*;
    use unchaff_dom::Page;

    /// Pages made by hand.
    #[test]
    fn a_node_is_found_if_nothing_on_its_way_changed() {
        let a = pruned(A);
        let main = a.descriptors(find(&a, "div#main"));
        let b = pruned(B);
        assert_eq!(locate_node(&b, &main), Some(find(&b, "div#main")));
        let second = a.children(find(&a, "div#main")).nth(2).unwrap();
        assert_eq!(locate_node(&b, &a.descriptors(second)), None, "main has one paragraph more");
        assert_eq!(locate_node(&pruned(&A.replace("id=main", "id=content")), &main), None);
        let without = pruned(&A.replace("<div id=nav>", "<div>"));
        assert_eq!(locate_node(&without, &a.descriptors(find(&a, "div#nav"))), None);
        assert_eq!(locate_node(&without, &main), Some(find(&without, "div#main")), "only nodes on the way are asked");
        assert_eq!(locate_node(&b, &[]), Some(0));
    }

    /// A small subtree fails although the page matches; the threshold is that of pages, as no other is published.
    #[test]
    fn one_difference_in_a_small_subtree_fails() {
        let main = |html: &str| (pruned(html), find(&pruned(html), "div#main"));
        let ((a, main_a), (b, main_b), (list, main_list)) = (main(A), main(B), main(&b_with_list()));
        assert!(equivalent((&a, main_a), (&b, main_b), 0.7));
        assert!(!equivalent((&a, main_a), (&list, main_list), 0.7));
        assert!(equivalent((&a, main_a), (&list, main_list), 0.6));
    }

    proptest! {
        /// A path of distinguished positions (Def. 27) leads back to its node.
        #[test]
        fn every_node_is_found_in_its_own_page(html in "(<(div|p|ul|li|b)( id=[a-c])?>|</(div|p|ul|b)>|t){0,40}") {
            let dom = PrunedDom::of(&Page::parse(html), &Pruning::default());
            for node in 0..dom.len() as u32 {
                prop_assert_eq!(locate_node(&dom, &dom.descriptors(node)), Some(node));
            }
        }
    }
}
