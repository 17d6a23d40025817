//! Nodes as a program knows them that has the page's tree elsewhere, such as a browser: an element by its number, a text by its element
//! and its place among the texts there, and positions in UTF-16, as JavaScript counts.

use serde::Serialize;
use unchaff::{NodeId, Page};

/// An element, or a text in it.
#[derive(Serialize)]
pub(crate) struct NodeName<'p> {
    /// How many elements of the page stand before it; of a text, the element's that it is right in.
    element: usize,
    /// Of a text, its place among the texts right in that element.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<usize>,
    /// The value of the attribute that was asked for, if the element has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'p str>,
}

pub(crate) fn is_text(page: &Page, node: NodeId) -> bool {
    page.name(node) == "#text"
}

/// Names nodes. Asked in document order, each child of an element is looked at once.
pub(crate) struct Names<'p> {
    page: &'p Page,
    mark: Option<&'p str>,
    /// The place of each text among those of its element.
    places: Vec<u32>,
}

impl<'p> Names<'p> {
    pub(crate) fn new(page: &'p Page, mark: Option<&'p str>) -> Names<'p> {
        let mut places = vec![0; page.len()];
        for element in page.nodes().filter(|node| page.is_element(*node) || *node == page.root()) {
            let texts = page.children(element).filter(|child| is_text(page, *child));
            texts.enumerate().for_each(|(place, text)| places[text.index()] = place as u32);
        }
        Names { page, mark, places }
    }

    pub(crate) fn of(&self, node: NodeId) -> NodeName<'p> {
        let is_text = is_text(self.page, node);
        let element = match self.page.parent(node) {
            Some(parent) if is_text => parent,
            _ => node,
        };
        NodeName {
            element: self.page.element_number(element),
            text: is_text.then(|| self.places[node.index()] as usize),
            mark: self.mark.and_then(|mark| self.page.attr(element, mark)),
        }
    }
}

/// Positions in UTF-16 of positions in the source, which have to be asked for in order.
pub(crate) struct Utf16<'p> {
    source: &'p str,
    bytes: usize,
    units: usize,
}

impl<'p> Utf16<'p> {
    pub(crate) fn new(page: &'p Page) -> Utf16<'p> {
        Utf16 { source: page.source(), bytes: 0, units: 0 }
    }

    /// The units of all positions, in the order given.
    pub(crate) fn of_all(page: &'p Page, positions: impl Iterator<Item = usize>) -> Vec<usize> {
        let positions: Vec<usize> = positions.collect();
        let mut order: Vec<usize> = (0..positions.len()).collect();
        order.sort_unstable_by_key(|at| positions[*at]);
        let mut units = vec![0; positions.len()];
        let mut counter = Utf16::new(page);
        order.into_iter().for_each(|at| units[at] = counter.at(positions[at]));
        units
    }

    fn at(&mut self, position: usize) -> usize {
        let between = &self.source.as_bytes()[self.bytes..position.min(self.source.len()).max(self.bytes)];
        // Every character is a unit, counted at its first byte, and those of four bytes are two.
        let units = between.iter().map(|byte| usize::from(*byte & 0xC0 != 0x80) + usize::from(*byte >= 0xF0));
        self.units += units.sum::<usize>();
        self.bytes += between.len();
        self.units
    }
}
