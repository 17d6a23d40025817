//! Sets of nodes of one page: a bit for each node, and, when they are made of whole subtrees, a short list of roots.

use crate::{NodeId, Page};

/// A set of nodes of one page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeSet {
    bits: Vec<u64>,
}

impl NodeSet {
    /// The empty set of nodes of a page.
    #[must_use]
    pub fn new(page: &Page) -> NodeSet {
        NodeSet { bits: vec![0; page.len().div_ceil(64)] }
    }

    /// All nodes of the subtrees of these roots.
    #[must_use]
    pub fn from_roots(page: &Page, roots: impl IntoIterator<Item = NodeId>) -> NodeSet {
        let mut set = NodeSet::new(page);
        for root in roots {
            set.insert_subtree(page, root);
        }
        set
    }

    /// The nodes given, without what is below them.
    #[must_use]
    pub fn from_nodes(page: &Page, nodes: impl IntoIterator<Item = NodeId>) -> NodeSet {
        let mut set = NodeSet::new(page);
        for node in nodes {
            set.insert(node);
        }
        set
    }

    /// Adds one node.
    #[inline]
    pub fn insert(&mut self, node: NodeId) {
        self.bits[node.index() / 64] |= 1 << (node.index() % 64);
    }

    /// Takes one node out.
    pub fn remove(&mut self, node: NodeId) {
        self.bits[node.index() / 64] &= !(1 << (node.index() % 64));
    }

    /// Adds a node and everything below it.
    pub fn insert_subtree(&mut self, page: &Page, node: NodeId) {
        self.for_words(page.range(node), |word, mask| *word |= mask);
    }

    /// Takes out a node and everything below it.
    pub fn remove_subtree(&mut self, page: &Page, node: NodeId) {
        self.for_words(page.range(node), |word, mask| *word &= !mask);
    }

    fn for_words(&mut self, range: std::ops::Range<usize>, apply: impl Fn(&mut u64, u64)) {
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min((start / 64 + 1) * 64);
            let mask = (u64::MAX >> (64 - (end - start))) << (start % 64);
            apply(&mut self.bits[start / 64], mask);
            start = end;
        }
    }

    /// Whether a node is in the set.
    #[must_use]
    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        self.bits.get(node.index() / 64).is_some_and(|word| word >> (node.index() % 64) & 1 == 1)
    }

    /// How many nodes are in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no node is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| *word == 0)
    }

    /// The nodes in document order.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.bits.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(NodeId(at as u32 * 64 + bit))
            })
        })
    }

    /// The nodes of a subtree that are in the set, in document order; costs no more than the subtree.
    pub fn iter_below(&self, page: &Page, root: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        page.range(root).map(|at| NodeId(at as u32)).filter(|node| self.contains(*node))
    }

    /// Adds all nodes of another set of the same page.
    pub fn union(&mut self, other: &NodeSet) {
        self.combine(other, |mine, theirs| mine | theirs);
    }

    /// Takes out all nodes of another set of the same page.
    pub fn difference(&mut self, other: &NodeSet) {
        self.combine(other, |mine, theirs| mine & !theirs);
    }

    /// Keeps only the nodes that another set of the same page has too.
    pub fn intersection(&mut self, other: &NodeSet) {
        self.combine(other, |mine, theirs| mine & theirs);
    }

    fn combine(&mut self, other: &NodeSet, apply: impl Fn(u64, u64) -> u64) {
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        for (at, word) in self.bits.iter_mut().enumerate() {
            *word = apply(*word, other.bits.get(at).copied().unwrap_or(0));
        }
    }

    /// The minimal roots: the nodes of the set that have no ancestor in it, in document order. Their subtrees are the
    /// set again if it is made of whole subtrees.
    #[must_use]
    pub fn roots(&self, page: &Page) -> Vec<NodeId> {
        let mut roots: Vec<NodeId> = Vec::new();
        let mut covered = NodeId(0);
        for node in self.iter() {
            if node >= covered {
                roots.push(node);
                covered = page.end(node);
            }
        }
        roots
    }

    /// The set together with all ancestors of its nodes.
    #[must_use]
    pub fn with_ancestors(&self, page: &Page) -> NodeSet {
        let mut set = self.clone();
        for node in self.iter() {
            for ancestor in page.ancestors(node) {
                if set.contains(ancestor) {
                    // It came earlier, and its own ancestors with it.
                    break;
                }
                set.insert(ancestor);
            }
        }
        set
    }
}
