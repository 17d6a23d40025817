//! The structure of a page: the names of its elements in document order and how they nest, and nothing else.
//!
//! Thomas Gottron: Content Extraction: Identifying the Main Content in HTML Documents. PhD thesis, Universität Mainz,
//! 2008, §7.1.1: a document is a tree, a set of paths or a sequence of tags. All three are read off two arrays here. A
//! name is a number that is the same on every page, so that structures of pages that were read at different times, by
//! different threads, can be compared without a table of names.

use unchaff_dom::{Page, Tag};

/// Set in the label of a node that has no end tag: void elements, and text where it counts.
const NO_END: u16 = 0x8000;
/// Set in a symbol of the sequence that stands for an end tag.
const END: u16 = 0x4000;
/// Names that HTML does not define are hashed into the labels from here to [`END`].
const FIRST_HASHED: u16 = 256;

/// Elements beyond this many are not looked at: a page of ten times the size of any that a person reads.
pub(crate) const MOST_NODES: usize = 100_000;

/// A page as names and nesting.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PageStructure {
    /// The label of every node in document order; equal labels are equal names.
    pub labels: Vec<u16>,
    /// The first node after the subtree of each.
    pub ends: Vec<u32>,
    /// The parent of each; 0 for the first, which has none.
    pub parents: Vec<u32>,
}

impl PageStructure {
    /// The elements of a page from `html` on; with `text_nodes`, text that is not blank is a leaf too.
    #[must_use]
    pub fn of(page: &Page, text_nodes: bool) -> PageStructure {
        let mut structure = PageStructure::default();
        let Some(html) = page.html() else { return structure };
        let mut places = vec![0u32; page.range(html).len()];
        let mut kept = Vec::new();
        for node in page.subtree(html) {
            let tag = page.tag(node);
            let counts = tag.is_element() || (text_nodes && tag == Tag::Text && page.counts(node).tokens > 0);
            if !counts || kept.len() == MOST_NODES {
                continue;
            }
            places[node.index() - html.index()] = kept.len() as u32;
            kept.push(node);
            structure.labels.push(label(tag, page.name(node)));
            let parent = page.parent(node).filter(|_| node != html);
            structure.parents.push(parent.map_or(0, |parent| places[parent.index() - html.index()]));
        }
        structure.find_ends();
        structure
    }

    /// The ends follow from the parents: the last node below a node ends where it does.
    fn find_ends(&mut self) {
        self.ends = (1..=self.labels.len() as u32).collect();
        for node in (1..self.labels.len()).rev() {
            let parent = self.parents[node] as usize;
            self.ends[parent] = self.ends[parent].max(self.ends[node]);
        }
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is none, as on a page without elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// How many nodes the subtree of a node has.
    #[must_use]
    pub fn size(&self, node: usize) -> usize {
        self.ends[node] as usize - node
    }

    /// Whether nothing stands below a node.
    #[must_use]
    pub fn is_leaf(&self, node: usize) -> bool {
        self.size(node) == 1
    }

    /// The first nodes in document order, for what costs more than it is worth on very large pages.
    #[must_use]
    pub fn first(mut self, nodes: usize) -> PageStructure {
        if nodes < self.len() {
            self.labels.truncate(nodes);
            self.parents.truncate(nodes);
            self.ends.truncate(nodes);
            self.ends.iter_mut().for_each(|end| *end = (*end).min(nodes as u32));
        }
        self
    }

    /// The tags as a sequence of symbols: a start and an end for each element, one symbol for those that have no end tag.
    #[must_use]
    pub fn tag_sequence(&self) -> Vec<u16> {
        let mut sequence = Vec::with_capacity(2 * self.len());
        let mut open: Vec<usize> = Vec::new();
        for (node, label) in self.labels.iter().enumerate() {
            while let Some(last) = open.pop_if(|last| self.ends[*last] as usize <= node) {
                sequence.push(self.labels[last] | END);
            }
            sequence.push(*label);
            if label & NO_END == 0 {
                open.push(node);
            }
        }
        sequence.extend(open.iter().rev().map(|node| self.labels[*node] | END));
        sequence
    }
}

/// The symbol of the end tag of an element; none if it has no end tag.
#[must_use]
pub(crate) fn end_symbol(label: u16) -> Option<u16> {
    (label & NO_END == 0).then_some(label | END)
}

/// Whether a symbol of the sequence is an end tag, and the number of its name.
#[must_use]
pub(crate) fn symbol_parts(symbol: u16) -> (bool, u16) {
    (symbol & END != 0, symbol & !(END | NO_END))
}

/// The label of an element by its tag, or by its name where HTML has none.
pub(super) fn label(tag: Tag, name: &str) -> u16 {
    let number = match tag {
        Tag::Custom | Tag::Foreign => {
            let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
            });
            FIRST_HASHED + ((hash >> 32) % u64::from(END - FIRST_HASHED)) as u16
        }
        tag => tag as u16,
    };
    if tag.is_void() || tag == Tag::Text { number | NO_END } else { number }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The tree that is written like `html(body(div(p,p)))`.
    pub(crate) fn tree(text: &str) -> PageStructure {
        let mut structure = PageStructure::default();
        let mut open: Vec<u32> = Vec::new();
        let mut name = String::new();
        for character in text.chars().chain([',']) {
            match character {
                '(' | ')' | ',' => {
                    if !name.is_empty() {
                        structure.labels.push(label(Tag::from_name(&name), &name));
                        structure.parents.push(open.last().copied().unwrap_or(0));
                        name.clear();
                    }
                    match character {
                        '(' => open.push(structure.labels.len() as u32 - 1),
                        ')' => drop(open.pop()),
                        _ => {}
                    }
                }
                ' ' => {}
                letter => name.push(letter),
            }
        }
        structure.find_ends();
        structure
    }

    /// Trees of up to 24 nodes with few names, so that equal parts are frequent.
    pub(crate) fn trees() -> impl Strategy<Value = PageStructure> {
        prop::collection::vec((0usize..24, 0usize..4), 0..24).prop_map(|nodes| {
            let mut structure = PageStructure::default();
            let mut open: Vec<u32> = Vec::new();
            for (at, (up, name)) in nodes.into_iter().enumerate() {
                // Going up at most as far as below the root keeps document order.
                let keep = open.len() - up.min(open.len().saturating_sub(1));
                open.truncate(keep);
                structure.parents.push(open.last().copied().unwrap_or(0));
                structure.labels.push(label(Tag::from_name(["div", "p", "ul", "br"][name]), ""));
                open.push(at as u32);
            }
            structure.find_ends();
            structure
        })
    }

    #[test]
    fn a_page_is_its_elements_and_text_only_if_wanted() {
        let page = Page::parse("<title>t</title><body><!-- c --><p>one <b>two</b> </p><br><x-y></x-y>");
        let structure = PageStructure::of(&page, false);
        assert_eq!(structure.len(), 8, "html head title body p b br x-y");
        assert_eq!(structure.ends, [8, 3, 3, 8, 6, 6, 7, 8]);
        assert_eq!(structure.parents, [0, 0, 1, 0, 3, 4, 3, 3]);
        assert_eq!(PageStructure::of(&page, true).len(), 11, "and three texts that are not blank");
        assert!(!PageStructure::of(&Page::parse(""), false).is_empty(), "html, head and body are implied");
        let names = |html: &str| PageStructure::of(&Page::parse(html), false).labels;
        assert_eq!(names("<x-y></x-y>"), names("<X-Y></X-Y>"));
        assert_ne!(names("<x-y></x-y>"), names("<x-z></x-z>"));
    }

    #[test]
    fn start_and_end_tags_make_the_sequence_and_void_elements_are_one_tag() {
        // Trees made by hand.
        let lengths = ["html(body(div(p,p)))", "html(body(div(p,ul(li))))", "html(body(div(h1,p,p),ul(li,li)))"];
        assert_eq!(lengths.map(|text| tree(text).tag_sequence().len()), [10, 12, 18]);
        assert_eq!(tree("html(br,img)").tag_sequence().len(), 4);
    }

    #[test]
    fn a_cut_tree_is_a_tree() {
        let cut = tree("html(head(title),body(div(p,p),p))").first(5);
        assert_eq!((cut.len(), cut.ends[0], cut.ends[3], cut.size(4)), (5, 5, 5, 1));
        assert_eq!(cut.tag_sequence().len(), 10);
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_structure(html in "(<div>|</div>|<p>|<svg>|<br>|<table>|x| |<x-a>|<template>){0,40}") {
            let structure = PageStructure::of(&Page::parse(html.as_str()), true);
            for node in 1..structure.len() {
                let parent = structure.parents[node] as usize;
                prop_assert!(parent < node && structure.ends[node] <= structure.ends[parent]);
            }
        }
    }
}
