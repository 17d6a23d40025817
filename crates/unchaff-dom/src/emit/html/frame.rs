//! A block element that is open in clean HTML, and what may stand in it.

use crate::{NodeId, Tag};

/// What may stand directly in an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// Paragraphs and other blocks; text gets a paragraph.
    Paragraphs,
    /// Text as it is as long as it comes first, then as above.
    TextFirst,
    /// One line of text.
    Text,
    /// Only elements of a certain kind, such as items.
    Parts,
}

/// A block element that is open.
pub(super) struct Frame {
    /// None: implied.
    pub(super) node: Option<NodeId>,
    pub(super) tag: Tag,
    pub(super) holds: Holds,
    /// Whether a block stands in it already.
    pub(super) has_blocks: bool,
    /// Whether a paragraph is open in it.
    pub(super) in_paragraph: bool,
    /// Whether text is open in it that has no paragraph.
    pub(super) in_text: bool,
    /// How many `p` of the page are open in it.
    pub(super) paragraphs: u32,
}

impl Frame {
    /// One of which nothing is written.
    pub(super) fn new(node: Option<NodeId>, tag: Tag, holds: Holds) -> Frame {
        Frame { node, tag, holds, has_blocks: false, in_paragraph: false, in_text: false, paragraphs: 0 }
    }
}
