//! A set of nodes as places in the source: the index set that Gottron 2008, section 4.2, defines content extraction by.

use crate::{NodeId, NodeSet, Page, Tag};

/// The pieces of the page's source that are the texts of a set, but for white space between elements: pairs of their first and last character, from 1, in order, disjoint,
/// and none right after another. Characters are those of the page as text, whatever its charset; text that the source does not have in one piece (a misnested page) is
/// where it starts to where it ends.
///
/// ```
/// use unchaff_dom::{Page, emit};
///
/// let page = Page::parse("<p>A<b>é</b>!");
/// assert_eq!(emit::ranges(&page, &page.subtree_set(page.root())), [(4, 4), (8, 8), (13, 13)]);
/// ```
#[must_use]
pub fn ranges(page: &Page, nodes: &NodeSet) -> Vec<(usize, usize)> {
    let is_text = |tag| matches!(tag, Tag::Text | Tag::Raw);
    let is_worth = |node: NodeId| node.index() < page.len() && is_text(page.tag(node)) && !page.string(node).trim().is_empty();
    let texts = nodes.iter().filter(|node| is_worth(*node));
    let mut bytes: Vec<_> = texts.map(|node| page.source_range(node)).filter(|range| !range.is_empty()).collect();
    bytes.sort_by_key(|range| (range.start, range.end));
    let mut pieces: Vec<std::ops::Range<usize>> = Vec::new();
    for range in bytes {
        match pieces.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => pieces.push(range),
        }
    }
    let (mut at, mut characters) = (0, 0);
    let mut characters_before = |place: usize| {
        characters += page.source()[at..place].chars().count();
        at = place;
        characters
    };
    pieces.into_iter().map(|piece| (characters_before(piece.start) + 1, characters_before(piece.end))).collect()
}
