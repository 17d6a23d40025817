//! Which way text runs. Elements that say so are often unwrapped; then what is written of them says it.

use crate::{NodeId, Page, Tag};

/// The open elements that say which way text runs, each with how many elements of the output were open around it.
#[derive(Default)]
pub(super) struct Directions(Vec<(NodeId, &'static str, usize)>);

impl Directions {
    /// Notes what an element says. That a container runs from left to right is no news unless it is the other way around it.
    pub(super) fn enter(&mut self, page: &Page, node: NodeId, depth: usize) {
        let direction = match page.attr(node, "dir").map(str::trim) {
            Some(value) if value.eq_ignore_ascii_case("rtl") => "rtl",
            Some(value) if value.eq_ignore_ascii_case("ltr") && (!self.0.is_empty() || page.tag(node) == Tag::P) => "ltr",
            _ => return,
        };
        self.0.push((node, direction, depth));
    }

    pub(super) fn leave(&mut self, node: NodeId) {
        self.0.pop_if(|(last, ..)| *last == node);
    }

    /// What an element has to say that is written inside so many others.
    pub(super) fn at(&self, depth: usize) -> Option<&'static str> {
        self.0.last().filter(|(.., inside)| *inside == depth).map(|(_, direction, _)| *direction)
    }
}
