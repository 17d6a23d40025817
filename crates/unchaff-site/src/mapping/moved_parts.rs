//! Parts of a page that other pages have somewhere else.
//!
//! A top-down mapping finds a node only where all above it is found. Julián Alarte's master thesis (Universitat Politècnica de València, 2014)
//! proposes as further work to compare subtrees, so that parts of the template that stand in another place are recognised; no
//! version of TemEx does. Here equal subtrees are found by their hashes ([`bottom_up_mapping`](super::bottom_up_mapping)), one pass a page.

use crate::learned::page_keys::KeyMap;
use crate::mapping::bottom_up_mapping::{Likeness, classes, labels};
use unchaff_dom::{NodeId, NodeSet, Page};

/// The outermost subtrees of at least so many nodes that at least so many pages have word for word, wherever they stand; none of them has a
/// node in `removed`.
#[must_use]
pub(crate) fn moved_parts<'p>(
    key: &Page,
    removed: &NodeSet,
    pages: impl IntoIterator<Item = &'p Page>,
    least_nodes: usize,
    votes: u32,
) -> Vec<NodeId> {
    let hashes = |page: &Page| classes(page, &labels(page, Likeness::Resolved));
    let own = hashes(key);
    // How many pages have it, and the last of them.
    let mut found: KeyMap<(u32, u32)> = own.iter().filter(|hash| **hash != 0).map(|hash| (*hash, (0, 0))).collect();
    for (number, page) in (1..).zip(pages) {
        for hash in hashes(page) {
            if let Some((count, last)) = found.get_mut(&hash).filter(|(_, last)| *last != number) {
                (*count, *last) = (*count + 1, number);
            }
        }
    }
    // Whether something of each subtree is removed; children come before their parents.
    let mut is_broken = vec![false; key.len()];
    for node in key.nodes().rev() {
        is_broken[node.index()] |= removed.contains(node);
        if let Some(parent) = key.parent(node).filter(|_| is_broken[node.index()]) {
            is_broken[parent.index()] = true;
        }
    }
    let mut parts = Vec::new();
    let mut covered = NodeId(0);
    for node in key.body().into_iter().flat_map(|body| key.descendants(body)) {
        let is_part = node >= covered
            && key.range(node).len() >= least_nodes
            && !is_broken[node.index()]
            && found.get(&own[node.index()]).is_some_and(|(count, _)| *count >= votes);
        if is_part {
            parts.push(node);
            covered = key.end(node);
        }
    }
    parts
}
