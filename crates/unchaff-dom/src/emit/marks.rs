//! Reading marks back: which nodes of a page an [annotated](super::annotated) copy of it says are of a block.

use super::{ATTRIBUTE, marked_texts};
use crate::{NodeId, NodeSet, Page, Tag};
use std::fmt;

/// The elements below the body, in document order: what labels and marks are compared by.
pub fn elements_below_body(page: &Page) -> impl Iterator<Item = NodeId> + '_ {
    let below = page.body().map(|body| page.descendants(body));
    below.into_iter().flatten().filter(|node| page.is_element(*node))
}

/// Two pages that should have the same elements have not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherElements {
    /// Elements below the body of the page that is right.
    pub expected: usize,
    /// Elements below the body of the other.
    pub found: usize,
    /// The first that differs, counted from 1.
    pub at: usize,
}

impl fmt::Display for OtherElements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OtherElements { expected, found, at } = self;
        write!(
            f,
            "other elements than the page: {found} below body instead of {expected}, different from the {at}. on; change nothing but attributes"
        )
    }
}

impl std::error::Error for OtherElements {}

/// Checks that two pages have the same elements below their bodies.
///
/// # Errors
/// Where they first differ.
pub fn same_elements(expected: &Page, found: &Page) -> Result<(), OtherElements> {
    let mut expected_elements = elements_below_body(expected);
    let mut found_elements = elements_below_body(found);
    let mut at = 0;
    loop {
        at += 1;
        match (expected_elements.next(), found_elements.next()) {
            (None, None) => return Ok(()),
            (Some(one), Some(other)) if expected.name(one) == found.name(other) => {}
            _ => {
                let (expected, found) = (elements_below_body(expected).count(), elements_below_body(found).count());
                return Err(OtherElements { expected, found, at });
            }
        }
    }
}

/// The nodes of a page that annotated HTML marks as a block.
///
/// # Errors
/// If it has other elements than the page.
pub fn marked_nodes(page: &Page, html: &[u8], block: &str) -> Result<NodeSet, OtherElements> {
    let annotated = Page::parse(html);
    same_elements(page, &annotated)?;
    let is_marked = |node: NodeId| {
        annotated.attr(node, ATTRIBUTE).is_some_and(|names| names.split_ascii_whitespace().any(|name| name == block))
    };
    let elements = elements_below_body(page).zip(elements_below_body(&annotated));
    let mut nodes = NodeSet::from_nodes(page, elements.filter(|(_, theirs)| is_marked(*theirs)).map(|(ours, _)| ours));
    let texts = marked_texts(&annotated, block);
    let all = page.nodes().filter(|node| page.tag(*node) == Tag::Text).zip(texts);
    all.filter(|(_, is_marked)| *is_marked).for_each(|(text, _)| nodes.insert(text));
    for node in page.nodes().filter(|node| !page.is_element(*node)) {
        if page.parent(node).is_some_and(|parent| nodes.contains(parent)) {
            nodes.insert(node);
        }
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit;

    #[test]
    fn what_was_marked_is_read_back() {
        let page = Page::parse("<nav>a</nav><p>b <b>c</b><p>d");
        let paragraphs = page.nodes().filter(|node| page.name(*node) == "p").take(1);
        let nodes = NodeSet::from_nodes(&page, paragraphs.flat_map(|node| page.subtree(node)));
        let annotated = emit::annotated(&page, &[("content", &nodes)]);
        assert_eq!(marked_nodes(&page, annotated.as_bytes(), "content"), Ok(nodes));
        assert!(marked_nodes(&page, annotated.as_bytes(), "menu").unwrap().is_empty());
        assert_eq!(marked_nodes(&page, b"<p>x", "content").unwrap_err().at, 1);
    }
}
