//! Runs of like records, such as products, teasers or posts: neighbours among the parts of an area that are made alike. A reader sees them as one thing with parts.
//!
//! Records are alike as in WISH: of one name, of three tags or more, and with trees that have most tags in common, level by level; a list of plain links is no run. They
//! stand beside each other, with nothing seen between them, in one element or at the same place of neighbouring ones, such as the cells of the rows of a table.

use super::candidates::Candidates;
use crate::wish::{in_common, levels};
use std::ops::Range;
use unchaff_dom::NodeId;

/// A run has at least so many records.
const RECORDS: usize = 3;

/// A record has at least so many tags.
const TAGS: u32 = 3;

/// Records that follow each other have at least this share of tags in common.
const ALIKE: f64 = 0.7;

/// The runs among candidates in document order, of which none lies in another.
pub(super) fn runs(candidates: &Candidates<'_>, members: &[usize]) -> Vec<Range<usize>> {
    let page = candidates.views.page;
    let trees: Vec<Option<Vec<usize>>> = members
        .iter()
        .map(|at| candidates.list[*at].inner)
        .map(|node| (page.counts(node).elements >= TAGS).then(|| levels(page, &[node])))
        .collect();
    let follows = |at: usize| {
        let (Some(before), Some(own)) = (&trees[at - 1], &trees[at]) else { return false };
        let tag = |at: usize| page.tag(candidates.list[members[at]].inner);
        tag(at - 1) == tag(at) && are_neighbours(candidates, members[at - 1], members[at]) && in_common(before, own) >= ALIKE
    };
    let mut found = Vec::new();
    let mut from = 0;
    for at in 1..=members.len() {
        if at < members.len() && follows(at) {
            continue;
        }
        if at - from >= RECORDS {
            found.push(from..at);
        }
        from = at;
    }
    found
}

/// Whether one candidate follows the other with nothing between them: in one parent, or as the last of its parent and the first of the next.
fn are_neighbours(candidates: &Candidates<'_>, one: usize, other: usize) -> bool {
    let list = &candidates.list;
    let is_last = |at: usize| list[at].parent.is_some_and(|parent| list[parent].children.len() == list[at].rank + 1);
    // A row of a single record is that record, so the two need not be at the same depth.
    let ends = [Some(one), list[one].parent.filter(|_| is_last(one))];
    let starts = [Some(other), list[other].parent.filter(|_| list[other].rank == 0)];
    let is_next = |end: usize, start: usize| list[end].parent == list[start].parent && list[start].rank == list[end].rank + 1;
    ends.into_iter().flatten().any(|end| starts.into_iter().flatten().any(|start| is_next(end, start)))
}

/// The nodes of a run: the element that holds the records and nothing else that is seen, if there is one, else the records.
pub(super) fn nodes(candidates: &Candidates<'_>, records: &[usize]) -> Vec<NodeId> {
    let items = |at: usize| candidates.items(candidates.list[at].outer);
    let all: u32 = records.iter().map(|at| items(*at)).sum();
    let mut above = records.first().copied();
    while let Some(at) = above.filter(|at| items(*at) < all) {
        above = candidates.list[at].parent;
    }
    match above.filter(|at| items(*at) == all) {
        Some(at) => vec![candidates.list[at].outer],
        None => records.iter().map(|at| candidates.list[*at].outer).collect(),
    }
}
