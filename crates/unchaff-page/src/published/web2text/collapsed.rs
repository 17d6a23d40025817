//! The collapsed tree (CDOM) of Web2Text: a page without nodes that have no text, and with chains of single children as one node.
//!
//! An element that has the same texts in it as its parent is one with it. So a node of the collapsed tree is a chain of elements, and its parent is
//! the parent of the chain's topmost one. All of it is arrays over the page's nodes, filled in one pass.

use crate::views::text_leaves::TextLeaves;
use std::ops::Range;
use unchaff_dom::{NodeId, Page, Tag};

/// Tags that the features of nodes ask for.
pub(super) const NODE_TAGS: &[Tag] = &[
    Tag::Td,
    Tag::Div,
    Tag::P,
    Tag::Tr,
    Tag::Table,
    Tag::Body,
    Tag::Ul,
    Tag::Span,
    Tag::Li,
    Tag::Blockquote,
    Tag::B,
    Tag::Small,
    Tag::A,
    Tag::Ol,
    Tag::I,
    Tag::Form,
    Tag::Dl,
    Tag::Strong,
    Tag::Pre,
];

/// Tags that the features of texts ask for.
pub(super) const LEAF_TAGS: &[Tag] = &[
    Tag::A,
    Tag::P,
    Tag::Td,
    Tag::B,
    Tag::Li,
    Tag::Span,
    Tag::I,
    Tag::Tr,
    Tag::Div,
    Tag::Strong,
    Tag::Em,
    Tag::H3,
    Tag::H2,
    Tag::Table,
    Tag::H4,
    Tag::Small,
    Tag::Sup,
    Tag::H1,
    Tag::Blockquote,
];

/// A bit for each tag of the lists; tags in both have two.
fn bits(tag: Tag) -> u64 {
    let bit = |tags: &[Tag], shift: usize| tags.iter().position(|one| *one == tag).map_or(0, |at| 1_u64 << (at + shift));
    bit(NODE_TAGS, 0) | bit(LEAF_TAGS, NODE_TAGS.len())
}

/// The tags of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tags(u64);

impl Tags {
    pub(super) fn of_node(self) -> impl Iterator<Item = bool> {
        (0..NODE_TAGS.len()).map(move |at| self.0 >> at & 1 == 1)
    }

    pub(super) fn of_leaf(self) -> impl Iterator<Item = bool> {
        (NODE_TAGS.len()..NODE_TAGS.len() + LEAF_TAGS.len()).map(move |at| self.0 >> at & 1 == 1)
    }
}

/// What is known of an element.
#[derive(Clone, Copy)]
struct Place {
    /// Texts before it, and before its end.
    from: u32,
    to: u32,
    /// The topmost element of its chain.
    top: NodeId,
    /// The tags of its chain, down to itself.
    tags: u64,
    /// Nodes of the collapsed tree above it.
    depth: u32,
}

/// The collapsed tree of a page's body.
pub(super) struct Collapsed<'p> {
    page: &'p Page,
    body: NodeId,
    places: Vec<Place>,
}

impl<'p> Collapsed<'p> {
    pub(super) fn of(page: &'p Page, leaves: &TextLeaves) -> Collapsed<'p> {
        let body = page.body().unwrap_or(page.root());
        let all = leaves.texts.len() as u32;
        let root = Place { from: 0, to: all, top: body, tags: bits(page.tag(body)), depth: 0 };
        let mut collapsed = Collapsed { page, body, places: vec![root; page.range(body).len()] };
        // Ends are looked up in the same order as starts only for siblings; a search costs little.
        for node in page.descendants(body) {
            let from = leaves.before(node) as u32;
            let to = if page.end(node).0 == node.0 + 1 {
                from + u32::from(leaves.texts.get(from as usize) == Some(&node))
            } else {
                leaves.before(page.end(node)) as u32
            };
            let above = *collapsed.place(page.parent(node).unwrap_or(body));
            let own = if page.is_element(node) { bits(page.tag(node)) } else { 0 };
            let joins = (from, to) == (above.from, above.to);
            let place = Place {
                from,
                to,
                top: if joins { above.top } else { node },
                tags: if joins { above.tags | own } else { own },
                depth: above.depth + u32::from(!joins),
            };
            collapsed.places[node.index() - body.index()] = place;
        }
        collapsed
    }

    fn place(&self, node: NodeId) -> &Place {
        &self.places[node.index().saturating_sub(self.body.index())]
    }

    /// The parent of a node in the collapsed tree: the lowest element of its chain; the body's is the body.
    pub(super) fn parent(&self, node: NodeId) -> NodeId {
        self.page.parent(self.place(node).top).filter(|above| *above >= self.body).unwrap_or(self.body)
    }

    /// The texts in a node, by number.
    pub(super) fn texts(&self, node: NodeId) -> Range<usize> {
        let place = self.place(node);
        place.from as usize..place.to as usize
    }

    /// The tags of a node's chain, if it is the lowest of it.
    pub(super) fn tags(&self, node: NodeId) -> Tags {
        Tags(self.place(node).tags)
    }

    /// The lowest node that holds two texts, and how many steps lead from one over it to the other.
    pub(super) fn common(&self, one: NodeId, other: NodeId) -> (NodeId, u32) {
        let mut common = self.parent(one);
        while common != self.body && self.page.end(common) <= other {
            common = self.parent(common);
        }
        let depth = |node: NodeId| self.place(node).depth;
        (common, (depth(one) - depth(common)) + (depth(other) - depth(common)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `body` has `div` (one text below `ul`, `li`) and `p` with three texts, the middle one in `b`.
    #[test]
    fn chains_are_one_node_and_elements_without_text_are_none() {
        let page = Page::parse("<div><br><ul><li>one</li></ul></div><p>two <b>three</b> four</p><div></div>");
        let leaves = TextLeaves::of(&page);
        let collapsed = Collapsed::of(&page, &leaves);
        let [one, two, three, four] = leaves.texts[..] else { panic!() };
        let tag = |node: NodeId| page.tag(node);
        assert_eq!((tag(collapsed.parent(one)), tag(collapsed.parent(three))), (Tag::Body, Tag::P));
        let names = |text: NodeId| {
            LEAF_TAGS.iter().zip(collapsed.tags(text).of_leaf()).filter(|(_, is)| *is).map(|(tag, _)| *tag).collect::<Vec<_>>()
        };
        assert_eq!(names(one), [Tag::Li, Tag::Div]);
        assert_eq!(names(three), [Tag::B]);
        assert_eq!((collapsed.common(one, two).1, collapsed.common(two, three).1), (3, 2));
        assert_eq!((tag(collapsed.common(one, two).0), tag(collapsed.common(three, four).0)), (Tag::Body, Tag::P));
        assert_eq!(collapsed.texts(collapsed.parent(two)), 1..4);
    }
}
