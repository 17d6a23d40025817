//! Line numbers beside code: nothing that a reader copies, so they are never written.

use crate::{NodeId, Page, Tag};

/// Classes that say of an element that it holds line numbers.
pub(super) const CLASSES: [&str; 15] = [
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

/// Whether an element is the number of a line of code that stands beside it, as the numbers of the lines around it say.
pub(super) fn numbers_line(page: &Page, node: NodeId) -> bool {
    const MOST_DIGITS: usize = 5;
    let number = |node: NodeId| {
        let text = page.text(node).trim();
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u32>().ok())?
    };
    let first = |row: NodeId| page.element_children(row).next();
    if page.counts(node).chars as usize > MOST_DIGITS {
        return false;
    }
    let text = page.text(node);
    if text.len() > MOST_DIGITS || !text.starts_with(|digit: char| digit.is_ascii_digit()) || page.next_sibling(node).is_none() {
        return false;
    }
    let (Some(own), Some(row)) = (number(node), page.parent(node)) else { return false };
    let is_beside = |other: Option<NodeId>, expected: u32| other.and_then(first).and_then(number) == Some(expected);
    first(row) == Some(node)
        && page.ancestors(row).take(4).any(|above| matches!(page.tag(above), Tag::Pre | Tag::Code))
        && (is_beside(page.next_sibling(row), own + 1) || is_beside(page.previous_sibling(row), own.wrapping_sub(1)))
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

#[cfg(test)]
mod tests {
    use crate::{Page, emit};

    #[test]
    fn numbers_of_lines_that_no_class_names_are_told_by_their_neighbours() {
        let line = |number: u32, code: &str| format!("<div class=r><span class=n>{number}</span><div>{code}\n</div></div>");
        for (lines, expected) in [
            ([line(9, "a = 1"), line(10, ""), line(11, "b = <span>2</span>")], "a = 1\n\nb = 2\n"),
            ([line(9, "a"), line(7, "b"), line(5, "c")], "9\na\n7\nb\n5\nc\n"),
        ] {
            let page = Page::parse(format!("<pre><code>{}</code></pre>", lines.concat()));
            assert_eq!(emit::text(&page, &page.subtree_set(page.root())), expected);
        }
        let page = Page::parse("<div><span>1</span><p>a</div><div><span>2</span><p>b</div>");
        assert_eq!(emit::text(&page, &page.subtree_set(page.root())), "1\n\na\n\n2\n\nb\n");
    }
}
