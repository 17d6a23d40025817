//! Paths of many nodes for one result, in all no longer than a multiple of the page.
//!
//! A path is as long as its node is deep, and names of any length are in it, so the paths of all nodes of a small page can come to a
//! thousand times the page. Those that come after the limit are left out; the byte at which the node stands still finds it.

use super::{CssPaths, Paths};
use crate::{NodeId, Page};
use std::cell::Cell;

/// What paths of a small page may come to.
const AT_LEAST: usize = 1_000_000;

/// Paths of many nodes, up to a limit; see the [module](self).
#[derive(Debug)]
pub struct Addresses<'p> {
    paths: Paths<'p>,
    css: CssPaths<'p>,
    /// How many bytes are left; none once a path did not fit.
    left: Cell<Option<usize>>,
    left_out: Cell<usize>,
}

impl<'p> Addresses<'p> {
    /// Paths that in all come to no more than so many times the page, and one megabyte.
    #[must_use]
    pub fn new(page: &'p Page, times: usize) -> Addresses<'p> {
        let left = Cell::new(Some(times * page.source().len() + AT_LEAST));
        Addresses { paths: page.paths(), css: page.css_paths(), left, left_out: Cell::new(0) }
    }

    /// The positional path of a node; empty beyond the limit.
    #[must_use]
    pub fn path(&self, node: NodeId) -> String {
        self.within_limit(|| self.paths.of(node))
    }

    /// The CSS path of a node; empty beyond the limit.
    #[must_use]
    pub fn css(&self, node: NodeId) -> String {
        self.within_limit(|| self.css.of(node))
    }

    fn within_limit(&self, write: impl FnOnce() -> String) -> String {
        let Some(left) = self.left.get() else {
            self.left_out.set(self.left_out.get() + 1);
            return String::new();
        };
        let written = write();
        // The first that does not fit ends it: whether shorter ones still would should not matter.
        self.left.set(left.checked_sub(written.len()));
        if self.left.get().is_some() { written } else { self.within_limit(String::new) }
    }

    /// What the user should know: a code and a sentence.
    #[must_use]
    pub fn warning(&self) -> Option<(&'static str, String)> {
        let left_out = Some(self.left_out.get()).filter(|number| *number > 0)?;
        Some((
            "address-limit",
            format!("the paths of the nodes found are too long for the page; {left_out} of them were left out"),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_to_no_more_than_a_multiple_of_the_page() {
        let page = Page::parse(format!("{}{}", "<div>".repeat(400), "<p>x</p>".repeat(2000)));
        let addresses = Addresses::new(&page, 2);
        let written: Vec<String> = page.nodes().map(|node| addresses.path(node) + &addresses.css(node)).collect();
        let all: usize = written.iter().map(String::len).sum();
        assert!(all <= 2 * page.source().len() + AT_LEAST && all > AT_LEAST - 20_000, "{all}");
        assert!(written[0].starts_with('/') && written.last().unwrap().is_empty());
        let (code, sentence) = addresses.warning().unwrap();
        assert_eq!(code, "address-limit");
        assert!(sentence.ends_with(" of them were left out"), "{sentence}");
        // An ordinary page has all of them. The document has no CSS path, which is none left out.
        let page = Page::parse("<p>One</p><p>Two</p>");
        let addresses = Addresses::new(&page, 2);
        for node in page.nodes() {
            assert_eq!((addresses.path(node), addresses.css(node)), (page.path(node), page.css_path(node)));
        }
        assert_eq!(addresses.warning(), None);
    }
}
