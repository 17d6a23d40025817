//! The numbers of the items of a list, as `start`, `reversed` and `value` have them.

use crate::{NodeId, Page, Tag};

/// The number from which on a list counts from 1: CommonMark takes nine digits.
const MOST: u64 = 999_000_000;

/// The number of the next item of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbering {
    next: u64,
    is_reversed: bool,
}

impl Numbering {
    /// The numbering of a list before its first item.
    pub(super) fn of(page: &Page, list: NodeId) -> Numbering {
        let is_reversed = page.attr(list, "reversed").is_some();
        let items = || page.element_children(list).filter(|item| page.tag(*item) == Tag::Li).count() as u64;
        let next = number(page, list, "start").unwrap_or_else(|| if is_reversed { items() } else { 1 });
        Numbering { next, is_reversed }
    }

    /// Goes to an item, which may say its number itself.
    pub(super) fn go_to(&mut self, page: &Page, item: NodeId) {
        self.next = number(page, item, "value").unwrap_or(self.next);
    }

    /// Goes on behind an item.
    pub(super) fn advance(&mut self) {
        self.next = if self.is_reversed { self.next.saturating_sub(1) } else { self.next + 1 };
    }

    /// The number of the item.
    pub(super) fn number(self) -> u64 {
        self.next
    }

    /// How wide the number is, with the sign and the space behind it.
    pub(super) fn width(self) -> usize {
        self.next.checked_ilog10().unwrap_or(0) as usize + 3
    }
}

fn number(page: &Page, node: NodeId, name: &str) -> Option<u64> {
    page.attr(node, name)?.trim().parse().ok().filter(|number| *number < MOST)
}

#[cfg(test)]
mod tests {
    use crate::{Page, emit};

    #[test]
    fn items_have_the_numbers_that_browsers_show() {
        for (html, expected) in [
            ("<ol start=0><li>a<li>b</ol>", "0. a\n1. b\n"),
            ("<ol reversed><li>a<li>b<li>c</ol>", "3. a\n2. b\n1. c\n"),
            ("<ol reversed start=10><li>a<li>b</ol>", "10. a\n9. b\n"),
            ("<ol><li value=4>a<li>b</ol>", "4. a\n5. b\n"),
            ("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c\n"),
            ("<ol start=9999999999><li>a</ol>", "1. a\n"),
            ("<ol start=-3 reversed><li value=x>a<li>b<li>c</ol>", "3. a\n2. b\n1. c\n"),
            ("<ul><li value=3>a</ul>", "- a\n"),
        ] {
            let page = Page::parse(html);
            let nodes = page.subtree_set(page.root());
            assert_eq!(emit::text(&page, &nodes), expected, "{html}");
            assert_eq!(emit::markdown(&page, &nodes), expected, "{html}");
        }
    }
}
