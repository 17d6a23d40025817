//! From stretches of a page's text to a set of nodes.
//!
//! Techniques that see a page as a stream or as lines select text, not nodes. A text node is in the result if at least
//! half of what it has in the stream is; elements follow (`whole_elements.rs`).

use crate::views::token_stream::{TokenStream, Unit};
use crate::views::whole_elements::with_whole_elements;
use std::ops::Range;
use unchaff_dom::{NodeId, NodeSet, Page};

/// How much text each node of a page has in a stream, and how much of it was selected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextSelection {
    /// Entries of the stream by node; 0 for all that is no text.
    pub total: Vec<u32>,
    /// Those of them that were selected.
    pub selected: Vec<u32>,
}

impl TextSelection {
    /// What of each text node lies in some places of the stream's vector, given in order and apart.
    #[must_use]
    pub fn of(page: &Page, stream: &TokenStream, unit: Unit, places: &[Range<u32>]) -> TextSelection {
        let mut selection = TextSelection { total: vec![0; page.len()], selected: vec![0; page.len()] };
        let mut next = 0;
        for (token, place) in stream.places(unit) {
            let Some(node) = token.text else { continue };
            while places.get(next).is_some_and(|range| range.end <= place.start) {
                next += 1;
            }
            let overlap = |range: &Range<u32>| range.end.min(place.end).saturating_sub(range.start.max(place.start));
            let inside: u32 = places[next..].iter().take_while(|range| range.start < place.end).map(overlap).sum();
            selection.total[node.index()] += place.end - place.start;
            selection.selected[node.index()] += inside;
        }
        selection
    }

    /// Whether a text node is in: at least half of it is.
    #[must_use]
    pub fn has(&self, node: NodeId) -> bool {
        let (total, selected) = (self.total[node.index()], self.selected[node.index()]);
        selected > 0 && u64::from(selected) * 2 >= u64::from(total)
    }

    /// The text nodes that have something in the stream, in document order.
    pub fn texts(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.total.iter().enumerate().filter(|(_, total)| **total > 0).map(|(at, _)| NodeId(at as u32))
    }

    /// The nodes that are in.
    #[must_use]
    pub fn nodes(&self, page: &Page) -> NodeSet {
        with_whole_elements(page, &NodeSet::from_nodes(page, self.texts().filter(|node| self.has(*node))))
    }
}
