//! Which nodes are divided and how coherent those are that are not (VIPS §4.1), and what separators weigh (§4.2.2).
//!
//! A node is valid if something of it is seen ([`Views`]). Text is text nodes and virtual text nodes: inline elements with nothing but
//! text in them. Which of the twelve rules apply depends on the tag, as in the report's table.

use super::separators::Side;
use crate::node_views::Views;
use unchaff_dom::{NodeId, Tag};

/// What becomes of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Decision {
    /// It is divided.
    Divide,
    /// It is a block, this coherent.
    Block(f64),
    /// Nothing of it is seen.
    Skip,
}

impl Views<'_> {
    /// What becomes of the children of a node that is divided.
    pub(super) fn decide_children(&self, node: NodeId, root: NodeId, small: f64) -> Vec<(NodeId, Decision)> {
        let mut decided: Vec<(NodeId, Decision)> = Vec::new();
        for child in self.valid_children(node) {
            let before = decided.last().map(|(_, decision)| *decision);
            let painted = self.backgrounds[child.index()].is_some_and(|color| Some(color) != self.background(node));
            let decision = if painted && node != root && self.share(child) >= small / 4.0 {
                // Rule 7: what has a background of its own is not divided in this round.
                Decision::Block(7.0)
            } else {
                self.decide(child, before, small)
            };
            decided.push((child, decision));
        }
        decided
    }

    fn decide(&self, node: NodeId, before: Option<Decision>, small: f64) -> Decision {
        let at = node.index();
        if self.rect(node).is_none() {
            return Decision::Skip; // Rule 1.
        }
        let mut children = self.valid_children(node);
        let Some(first) = children.next() else { return Decision::Block(if self.text[at] { 10.0 } else { 8.0 }) };
        let only = children.next().is_none();
        if only && !self.text[first.index()] {
            return Decision::Divide; // Rule 2. Rule 3 is for the root, which is always divided.
        }
        let (mut all_text, mut any_text, mut any_break, mut rule, mut largest) = (true, false, false, false, 0.0_f64);
        for child in self.valid_children(node) {
            all_text &= self.text[child.index()];
            any_text |= self.text[child.index()];
            any_break |= !self.inline[child.index()] && self.page.is_element(child);
            largest = largest.max(self.share(child));
        }
        rule |= self.page.element_children(node).any(|child| self.page.tag(child) == Tag::Hr);
        let tag = self.page.tag(node);
        let table_part = matches!(tag, Tag::Table | Tag::Tbody | Tag::Tr);
        let is_small = self.share(node) < small;
        if !table_part && all_text {
            return Decision::Block(if self.even[at] { 10.0 } else { 9.0 }); // Rule 4.
        }
        if (self.inline[at] || tag == Tag::P) && any_break || !table_part && tag != Tag::Td && rule {
            return Decision::Divide; // Rules 5 and 6.
        }
        if !table_part && any_text && is_small {
            return Decision::Block(8.0); // Rule 8.
        }
        if largest < small / 4.0 {
            return Decision::Block(if is_small { 8.0 } else { 6.0 }); // Rule 9.
        }
        match (tag, before) {
            (Tag::Td, Some(Decision::Block(doc))) => Decision::Block(doc.min(8.0)), // Rule 10.
            (Tag::Table | Tag::Tbody | Tag::Tr | Tag::Td, _) if is_small => Decision::Block(7.0), // Rule 12.
            _ => Decision::Divide,                                                  // Rule 11.
        }
    }

    /// What a separator weighs: its width, and how unlike its sides are.
    pub(super) fn weight(&self, side: Side, width: i32, gap: f64, before: &[NodeId], after: &[NodeId]) -> f64 {
        let mut weight = 1.0 + (f64::from(width) / gap).min(6.0);
        let (Some(one), Some(other)) = (before.first(), after.first()) else { return weight };
        if self.background(*one) != self.background(*other) {
            weight += 2.0;
        }
        let larger = |nodes: &[NodeId]| nodes.iter().map(|node| self.fonts[node.index()]).max().unwrap_or_default();
        let (above, below) = (larger(before), larger(after));
        if side == Side::Horizontal {
            if above != below {
                weight += 0.5;
            }
            // A heading opens something new.
            if below.0 > above.0 {
                weight += 1.0;
            }
            if before.iter().chain(after).all(|node| self.text[node.index()]) && above == below {
                weight -= 1.0;
            }
        }
        weight
    }
}
