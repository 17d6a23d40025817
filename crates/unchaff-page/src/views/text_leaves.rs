//! The texts of a page as a sequence: every piece of text between two tags, and which tags stand between one and the next.
//!
//! What sequence labellers label. Text that is never written (scripts, buttons) and white space alone are left out.

use unchaff_dom::{NodeId, Page, Tag, emit};

/// Tags that open or close between a text and the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Split(u8);

impl Split {
    /// A paragraph.
    pub const PARAGRAPH: Split = Split(1);
    /// A line break.
    pub const BREAK: Split = Split(2);
    /// A rule.
    pub const RULE: Split = Split(4);
    /// An element of running text.
    pub const INLINE: Split = Split(8);
    /// A block-level element.
    pub const BLOCK: Split = Split(16);

    /// All kinds by name.
    pub const ALL: [(&'static str, Split); 5] = [
        ("split.p", Split::PARAGRAPH),
        ("split.br", Split::BREAK),
        ("split.hr", Split::RULE),
        ("split.class-inline", Split::INLINE),
        ("split.class-block", Split::BLOCK),
    ];

    /// Whether tags of this kind are among them.
    #[must_use]
    pub fn has(self, kind: Split) -> bool {
        self.0 & kind.0 != 0
    }

    fn add(&mut self, tag: Tag) {
        self.0 |= match tag {
            Tag::P => Split::PARAGRAPH.0 | Split::BLOCK.0,
            Tag::Br => Split::BREAK.0,
            Tag::Hr => Split::RULE.0,
            tag if tag.is_block() || tag == Tag::Custom => Split::BLOCK.0,
            _ => Split::INLINE.0,
        };
    }
}

/// The texts of a page in document order.
#[derive(Clone, Debug, Default)]
pub struct TextLeaves {
    /// Text nodes that can be written and are not blank.
    pub texts: Vec<NodeId>,
    /// The tags between each of them and the one before.
    pub splits: Vec<Split>,
}

impl TextLeaves {
    /// The texts of a page's body.
    #[must_use]
    pub fn of(page: &Page) -> TextLeaves {
        let body = page.body().unwrap_or(page.root());
        let mut leaves = TextLeaves::default();
        let mut open: Vec<(NodeId, Tag)> = Vec::new();
        let mut split = Split::default();
        let mut node = NodeId(body.0 + 1);
        while node < page.end(body) {
            while let Some((_, tag)) = open.pop_if(|(end, _)| *end <= node) {
                split.add(tag);
            }
            let tag = page.tag(node);
            let mut next = NodeId(node.0 + 1);
            if tag == Tag::Text {
                if page.counts(node).tokens > 0 {
                    leaves.texts.push(node);
                    leaves.splits.push(std::mem::take(&mut split));
                }
            } else if tag.is_element() {
                split.add(tag);
                if emit::is_never_written(page, node) {
                    next = page.end(node);
                } else if page.end(node) > next {
                    open.push((page.end(node), tag));
                }
            }
            node = next;
        }
        leaves
    }

    /// How many texts stand before a node.
    #[must_use]
    pub fn before(&self, node: NodeId) -> usize {
        self.texts.partition_point(|text| *text < node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_ends_a_text_and_is_known_by_the_next() {
        let page = Page::parse("<p>one <b>two</b> three</p><script>x</script><div>four<br>five<hr>six</div> ");
        let leaves = TextLeaves::of(&page);
        let texts: Vec<&str> = leaves.texts.iter().map(|text| page.string(*text).trim()).collect();
        assert_eq!(texts, ["one", "two", "three", "four", "five", "six"]);
        let names = |at: usize| {
            Split::ALL.iter().filter(|(_, kind)| leaves.splits[at].has(*kind)).map(|(name, _)| *name).collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["split.p", "split.class-block"]);
        assert_eq!(names(1), ["split.class-inline"]);
        assert_eq!(names(2), ["split.class-inline"]);
        assert_eq!(names(3), ["split.p", "split.class-inline", "split.class-block"]);
        assert_eq!((names(4), names(5)), (vec!["split.br"], vec!["split.hr"]));
    }
}
