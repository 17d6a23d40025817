//! The length of the text below every node, as prefix sums, by either of two rules about white space.

use crate::parameters::choice;
use unchaff_dom::{NodeId, Page, Tag};

choice! {
    /// Which characters make the length of a text.
    pub enum Characters {
        /// All but white space, so that indentation and line breaks do not matter.
        Solid = "solid",
        /// Runs of white space count as one space, and not at all at the ends of a text node.
        Collapsed = "collapsed",
    }
}

/// The length of the text below each node of a page, without raw text (`script`, `style` and their like).
pub(crate) struct TextLength {
    sums: Vec<u32>,
}

impl TextLength {
    pub(crate) fn new(page: &Page, rule: Characters) -> TextLength {
        let mut sums = Vec::with_capacity(page.len() + 1);
        let mut total = 0;
        sums.push(0);
        for node in page.nodes() {
            if page.tag(node) == Tag::Text {
                let counts = page.counts(node);
                total += match rule {
                    // There is one space between each two tokens.
                    Characters::Solid => counts.chars - counts.tokens.saturating_sub(1),
                    Characters::Collapsed => counts.chars,
                };
            }
            sums.push(total);
        }
        TextLength { sums }
    }

    /// The length of the text of a node and everything below it.
    pub(crate) fn of(&self, page: &Page, node: NodeId) -> u32 {
        self.sums[page.end(node).index()] - self.sums[node.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_counts_by_the_rule() {
        let page = Page::parse("<body><p>  one \n two</p> <p>three<script>four</script></p></body>");
        let body = page.body().unwrap();
        assert_eq!(TextLength::new(&page, Characters::Solid).of(&page, body), 11);
        assert_eq!(TextLength::new(&page, Characters::Collapsed).of(&page, body), 12);
    }
}
