//! Addresses of nodes: a positional path that always finds its node again, and a CSS path that a person can read.
//!
//! A positional path lists, from the document down, the position of each step among all children of its parent, from 0:
//! `/1/1/0/2`. The CSS path names elements by what tells them apart: an `id` that occurs once, else the tag, with
//! `:nth-of-type(n)` where siblings share it: `#main > p:nth-of-type(2)`. Elements also have a number: their rank in
//! document order, from 0 for `html`, the same that html5lib gives for the same page.

pub mod bounded;

use crate::{NodeId, Page};
use foldhash::{HashMap, HashMapExt};
use std::cell::RefCell;
use std::fmt::Write as _;

impl Page {
    /// The positional path of a node: `/` for the document.
    #[must_use]
    pub fn path(&self, node: NodeId) -> String {
        let mut steps: Vec<usize> = Vec::new();
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            steps.push(self.children(parent).take_while(|sibling| *sibling < at).count());
            at = parent;
        }
        if steps.is_empty() {
            return "/".to_owned();
        }
        steps.iter().rev().fold(String::new(), |mut path, step| {
            let _ = write!(path, "/{step}");
            path
        })
    }

    /// The node at a positional path.
    #[must_use]
    pub fn at_path(&self, path: &str) -> Option<NodeId> {
        let mut node = self.root();
        for step in path.strip_prefix('/')?.split('/').filter(|step| !step.is_empty()) {
            node = self.children(node).nth(step.parse().ok()?)?;
        }
        Some(node)
    }

    /// The number of an element: how many elements stand before it.
    #[must_use]
    pub fn element_number(&self, node: NodeId) -> usize {
        self.counts_between(self.root(), node).elements as usize
    }

    /// The element of a number.
    #[must_use]
    pub fn element_at(&self, number: usize) -> Option<NodeId> {
        let after = self.sums.partition_point(|sum| sum.elements as usize <= number);
        let node = NodeId(u32::try_from(after.checked_sub(1)?).ok()?);
        (node.index() < self.len() && self.is_element(node)).then_some(node)
    }

    /// Paths of many nodes of this page; each child is counted once, so that many siblings cost no more than few.
    #[must_use]
    pub fn paths(&self) -> Paths<'_> {
        let mut positions = vec![0u32; self.len()];
        let mut children = vec![0u32; self.len()];
        for node in self.nodes() {
            if let Some(parent) = self.parent(node) {
                let count = &mut children[parent.index()];
                positions[node.index()] = *count;
                *count += 1;
            }
        }
        Paths { page: self, positions, above: RefCell::new((self.root(), String::new())) }
    }

    /// Paths of many elements of this page in CSS; it counts the page's ids and siblings once.
    #[must_use]
    pub fn css_paths(&self) -> CssPaths<'_> {
        let mut ids: HashMap<&str, u32> = HashMap::new();
        for node in self.nodes().filter(|node| self.is_element(*node)) {
            if let Some(id) = self.attr(node, "id").filter(|id| !id.is_empty()) {
                *ids.entry(id).or_default() += 1;
            }
        }
        CssPaths { page: self, ids, ranks: RefCell::default(), above: RefCell::new((self.root(), String::new())) }
    }

    /// The CSS path of one element; for many, [`Page::css_paths`] is cheaper. A node that is no element gets the path of
    /// its nearest element.
    #[must_use]
    pub fn css_path(&self, node: NodeId) -> String {
        self.css_paths().of(node)
    }
}

/// Writes positional paths for a page; see [`Page::paths`].
#[derive(Debug)]
pub struct Paths<'p> {
    page: &'p Page,
    positions: Vec<u32>,
    /// The parent of the node asked for last, and its path: neighbours are asked for one after the other.
    above: RefCell<(NodeId, String)>,
}

impl Paths<'_> {
    /// The positional path of a node: `/` for the document.
    #[must_use]
    pub fn of(&self, node: NodeId) -> String {
        let Some(parent) = self.page.parent(node) else { return "/".to_owned() };
        let mut above = self.above.borrow_mut();
        if above.0 != parent {
            let mut steps: Vec<u32> = Vec::new();
            let mut at = parent;
            while let Some(next) = self.page.parent(at) {
                steps.push(self.positions[at.index()]);
                at = next;
            }
            above.0 = parent;
            above.1.clear();
            steps.iter().rev().for_each(|step| push_step(&mut above.1, *step));
        }
        let mut path = String::with_capacity(above.1.len() + 8);
        path.push_str(&above.1);
        push_step(&mut path, self.positions[node.index()]);
        path
    }
}

/// Appends a slash and a number.
fn push_step(path: &mut String, step: u32) {
    path.push('/');
    let mut unit = 1;
    while step / unit > 9 {
        unit *= 10;
    }
    while unit > 0 {
        path.push(char::from(b'0' + (step / unit % 10) as u8));
        unit /= 10;
    }
}

/// Writes CSS paths for a page; see [`Page::css_paths`].
#[derive(Debug)]
pub struct CssPaths<'p> {
    page: &'p Page,
    ids: HashMap<&'p str, u32>,
    /// For the children of nodes that were asked for: their rank among siblings of one name, from 1, and how many there are.
    ranks: RefCell<HashMap<NodeId, Ranks>>,
    /// The parent of the node asked for last, and its path.
    above: RefCell<(NodeId, String)>,
}

/// Of each child of a node, its rank and how many of its name there are.
type Ranks = HashMap<NodeId, (u32, u32)>;

impl CssPaths<'_> {
    /// A selector that matches this element alone.
    #[must_use]
    pub fn of(&self, node: NodeId) -> String {
        let page = self.page;
        let mut node = node;
        while !page.is_element(node) {
            let Some(parent) = page.parent(node) else { return String::new() };
            node = parent;
        }
        if let Some(id) = self.unique_id(node) {
            return id;
        }
        let parent = page.parent(node).unwrap_or(page.root());
        let mut above = self.above.borrow_mut();
        if above.0 != parent {
            *above = (parent, self.written(parent));
        }
        let step = self.step(node);
        if above.1.is_empty() { step } else { [&above.1, " > ", &step].concat() }
    }

    fn unique_id(&self, node: NodeId) -> Option<String> {
        let id = self.page.attr(node, "id").filter(|id| self.ids.get(id) == Some(&1))?;
        Some(format!("#{}", escape_identifier(id)))
    }

    /// The path of a node, step by step.
    fn written(&self, node: NodeId) -> String {
        let page = self.page;
        let mut steps: Vec<String> = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            at = page.parent(node);
            if !page.is_element(node) {
                continue;
            }
            if let Some(id) = self.unique_id(node) {
                steps.push(id);
                break;
            }
            steps.push(self.step(node));
        }
        steps.reverse();
        steps.join(" > ")
    }

    fn step(&self, node: NodeId) -> String {
        let page = self.page;
        let name = page.name(node);
        let mut step = escape_identifier(name);
        let Some(parent) = page.parent(node) else { return step };
        let mut ranks = self.ranks.borrow_mut();
        let of_parent = ranks.entry(parent).or_insert_with(|| ranks_below(page, parent));
        if let Some((rank, all)) = of_parent.get(&node).filter(|(_, all)| *all > 1) {
            let _ = write!(step, ":nth-of-type({rank})");
            debug_assert!(rank <= all);
        }
        step
    }
}

/// The rank of each child among those of one name, and how many there are.
fn ranks_below(page: &Page, parent: NodeId) -> Ranks {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let mut ranked: Vec<(NodeId, u32)> = Vec::new();
    for child in page.element_children(parent) {
        let count = counts.entry(page.name(child)).or_default();
        *count += 1;
        ranked.push((child, *count));
    }
    ranked.into_iter().map(|(child, rank)| (child, (rank, counts[page.name(child)]))).collect()
}

/// Writes a name so that CSS reads it as one identifier (CSSOM, "serialize an identifier").
fn escape_identifier(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (at, character) in name.chars().enumerate() {
        let leading_digit = character.is_ascii_digit() && (at == 0 || at == 1 && name.starts_with('-'));
        match character {
            '\0' => out.push('\u{fffd}'),
            '\x01'..='\x1f' | '\x7f' => {
                let _ = write!(out, "\\{:x} ", character as u32);
            }
            _ if leading_digit => {
                let _ = write!(out, "\\{:x} ", character as u32);
            }
            '-' if name == "-" => out.push_str("\\-"),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '\u{80}'.. => out.push(character),
            _ => {
                out.push('\\');
                out.push(character);
            }
        }
    }
    out
}
