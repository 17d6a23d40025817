//! Equal top-down mapping: which node of another page stands for a node of the key page.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! Def. 4.2.7 and chapter 8. The bodies are mapped onto each other if they are equal, then the children of mapped nodes,
//! pair by pair; below a node without a partner nothing is mapped. Parents with very many children have them grouped first,
//! neighbours with neighbours (§9.3.1): groups are paired like nodes, then the children of paired groups. The thesis inserts
//! elements for that; here groups are ranges, both sides are grouped if one must be, and numbers of children stay true.

use crate::mapping::node_equality::{Equality, Item, Shapes};
use crate::mapping::node_position::{PositionDenominator, PositionFormula};
use crate::mapping::sibling_pairing::{PairingOption, PairingRules, Recount, SiblingPairing, Ties};
use crate::mapping::tree_view::TreeView;
use std::ops::Range;
use unchaff_dom::NodeId;
use unchaff_page::parameters::parameters;
use unchaff_page::published::conex::ChildCount;

parameters! {
    /// How two pages are mapped. The default is the published best setting for templates.
    pub struct Pairing {
        /// How positions are counted after a pair is made, and what becomes of pairs that cross it.
        pub option: PairingOption = PairingOption::CrossingLast,
        /// Among which siblings positions are counted again in options 1 and 2.
        pub recount: Recount = Recount::Remaining,
        /// Which places among the siblings of another page may be the counterpart of one.
        pub position_formula: PositionFormula = PositionFormula::Interval,
        /// How many steps from there are the whole way.
        pub position_denominator: PositionDenominator = PositionDenominator::KeySide,
        /// Which of several best pairs is made.
        pub ties: Ties = Ties::First,
        /// Whether the bodies of two pages must be equal for anything to be mapped.
        pub root_test: bool = true,
        /// How many children of a parent with too many are put in a group.
        pub group: usize = 100,
        /// How many children are too many; 0 groups none, and the cost of such a parent is the square of their number.
        pub group_from: usize = 200,
        /// Which child nodes count: all, or without blank text and comments.
        pub child_nodes: ChildCount = ChildCount::All,
        /// Whether scripts, styles and inline frames are compared; otherwise they share their parent's fate.
        pub scripts: bool = true,
    }
}

/// Which node of another page stands for each node of the key page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mapping {
    partners: Vec<u32>,
}

const NO_PARTNER: u32 = u32::MAX;

impl Mapping {
    /// The partner of a node of the key page.
    #[must_use]
    pub(crate) fn partner(&self, node: NodeId) -> Option<NodeId> {
        self.partners.get(node.index()).filter(|partner| **partner != NO_PARTNER).map(|partner| NodeId(*partner))
    }

    /// Nodes of the key page that have a partner, with it, in document order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        let mapped = (0..).map(NodeId).zip(&self.partners).filter(|(_, partner)| **partner != NO_PARTNER);
        mapped.map(|(node, partner)| (node, NodeId(*partner)))
    }

    /// Whether nothing is mapped, not even the bodies.
    #[must_use]
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.pairs().next().is_none()
    }
}

/// Maps pages; keeps what it knows of their nodes, and its memory, from one to the next.
#[derive(Debug)]
pub(crate) struct Mapper {
    shapes: Shapes,
    pairing: SiblingPairing,
    groups: Grouping,
    root_test: bool,
}

impl Mapper {
    /// A mapper with these parameters.
    #[must_use]
    pub(crate) fn new(equality: &Equality, pairing: &Pairing) -> Mapper {
        let rules = PairingRules {
            option: pairing.option,
            recount: pairing.recount,
            ties: pairing.ties,
            formula: pairing.position_formula,
            denominator: pairing.position_denominator,
        };
        let groups = Grouping { size: pairing.group.max(1), from: pairing.group_from };
        Mapper { shapes: Shapes::new(equality), pairing: SiblingPairing::new(rules), groups, root_test: pairing.root_test }
    }

    /// What the nodes of a page are, for [`map`](Mapper::map).
    pub(crate) fn items(&mut self, view: &TreeView) -> Vec<Item> {
        self.shapes.items(view)
    }

    /// The mapping of one page onto another.
    pub(crate) fn map(&mut self, (key, key_items): (&TreeView, &[Item]), (other, other_items): (&TreeView, &[Item])) -> Mapping {
        let mut partners = vec![NO_PARTNER; key.page.len()];
        let rule = self.shapes.rule(key_items[key.root.index()], other_items[other.root.index()]);
        if self.root_test && !rule.is_some_and(|rule| self.shapes.accepts(rule.score(1.0))) {
            return Mapping { partners };
        }
        partners[key.root.index()] = other.root.0;
        let mut open = vec![(key.root, other.root)];
        let (mut a, mut b): (Vec<NodeId>, Vec<NodeId>) = (Vec::new(), Vec::new());
        let (mut a_items, mut b_items): (Vec<Item>, Vec<Item>) = (Vec::new(), Vec::new());
        while let Some((one, two)) = open.pop() {
            if key.child_count(one) == 0 || other.child_count(two) == 0 {
                continue;
            }
            a.clear();
            a.extend(key.children(one));
            b.clear();
            b.extend(other.children(two));
            a_items.clear();
            a_items.extend(a.iter().map(|node| key_items[node.index()]));
            b_items.clear();
            b_items.extend(b.iter().map(|node| other_items[node.index()]));
            self.pair_children(&a_items, &b_items, |x, y| {
                partners[a[x].index()] = b[y].0;
                open.push((a[x], b[y]));
            });
        }
        Mapping { partners }
    }

    /// Pairs two lists of children, in groups if one of them is too long.
    fn pair_children(&mut self, a: &[Item], b: &[Item], mut found: impl FnMut(usize, usize)) {
        let mut open = vec![(0..a.len(), 0..b.len(), usize::MAX)];
        while let Some((one, two, within)) = open.pop() {
            let size = self.groups.chunk(one.len().max(two.len())).filter(|size| *size < within);
            let Some(size) = size else {
                self.pairing.pair(&self.shapes, &a[one.clone()], &b[two.clone()], |x, y| found(one.start + x, two.start + y));
                continue;
            };
            let (one, two) = (chunks(one, size), chunks(two, size));
            let mut group = |chunk: &Range<usize>| self.shapes.group(chunk.len() as u32);
            let a_groups: Vec<Item> = one.iter().map(&mut group).collect();
            let b_groups: Vec<Item> = two.iter().map(&mut group).collect();
            self.pairing.pair(&self.shapes, &a_groups, &b_groups, |x, y| open.push((one[x].clone(), two[y].clone(), size)));
        }
    }
}

/// When and how children are grouped.
#[derive(Clone, Copy, Debug)]
struct Grouping {
    size: usize,
    from: usize,
}

impl Grouping {
    /// How many of so many children make a group, so that there are not too many groups either; none if no group is needed.
    fn chunk(self, children: usize) -> Option<usize> {
        if self.from == 0 || children < self.from || self.size < 2 {
            return None;
        }
        let mut size = self.size;
        while children.div_ceil(size) >= self.from.max(2) {
            size = size.saturating_mul(self.size);
        }
        Some(size)
    }
}

/// Consecutive ranges of at most so many.
fn chunks(range: Range<usize>, size: usize) -> Vec<Range<usize>> {
    range.clone().step_by(size).map(|start| start..range.end.min(start.saturating_add(size))).collect()
}

#[cfg(test)]
mod tests;
