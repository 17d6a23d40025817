//! Line numbers beside code: nothing that a reader copies, so they are never written.

use crate::{NodeId, Page, Tag};

/// Classes that say of an element that it holds line numbers.
const CLASSES: [&str; 15] = [
    "ln",
    "lnt",
    "lntd",
    "line-num",
    "gutter",
    "linenos",
    "lineno",
    "linenumber",
    "line-number",
    "line-numbers",
    "linenodiv",
    "blob-num",
    "hljs-ln-numbers",
    "rouge-gutter",
    "crayon-nums",
];
/// So many numbers count, if no class says what they are: three lines.
const LEAST: usize = 3;

/// Whether an element holds the line numbers beside a piece of code: nothing but numbers, and a class that says so.
pub(super) fn is_gutter(page: &Page, node: NodeId) -> bool {
    let text = page.text(node).as_bytes();
    starts_with_digit(text)
        && page.classes(node).any(|class| CLASSES.contains(&class))
        && text.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace())
}

/// Whether an element counts the lines of the code in the next one, although no class says so.
pub(super) fn counts_lines(page: &Page, node: NodeId) -> bool {
    starts_with_digit(page.text(node).as_bytes()) && counts_up(page, node) && next_is_code(page, node)
}

fn starts_with_digit(text: &[u8]) -> bool {
    text.iter().take(40).find(|byte| !byte.is_ascii_whitespace()).is_some_and(u8::is_ascii_digit)
}

/// Whether all that an element says are numbers, each one more than the last: `1 2 3` or `7. 8. 9.`
fn counts_up(page: &Page, node: NodeId) -> bool {
    let (mut numbers, mut next) = (0, None);
    for below in page.descendants(node) {
        match page.tag(below) {
            // Cells of a table within are asked themselves, and no text is looked at for more than one cell.
            Tag::Table => return false,
            Tag::Text => {
                for word in page.string(below).split_ascii_whitespace() {
                    let Ok(number) = word.trim_end_matches(['.', ':']).parse::<u32>() else { return false };
                    if next.is_some_and(|next| next != number) {
                        return false;
                    }
                    (numbers, next) = (numbers + 1, number.checked_add(1));
                }
            }
            _ => {}
        }
    }
    numbers >= LEAST
}

/// Whether the element after this one is code, or starts with it.
fn next_is_code(page: &Page, node: NodeId) -> bool {
    let mut next = page.next_sibling(node);
    while let Some(blank) = next.filter(|next| page.tag(*next) == Tag::Text && page.counts(*next).chars == 0) {
        next = page.next_sibling(blank);
    }
    let is_code = |node: NodeId| matches!(page.tag(node), Tag::Pre | Tag::Code | Tag::Listing | Tag::Xmp);
    next.is_some_and(|next| page.subtree(next).filter(|below| page.is_element(*below)).take(4).any(is_code))
}
