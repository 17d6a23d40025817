//! Addresses of nodes: a positional path that always finds its node again, and a CSS path that a person can read.
//!
//! A positional path lists, from the document down, the position of each step among all children of its parent, from 0:
//! `/1/1/0/2`. The CSS path names elements by what tells them apart: an `id` that occurs once, else the tag, with
//! `:nth-of-type(n)` where siblings share it: `#main > p:nth-of-type(2)`. Elements also have a number: their rank in
//! document order, from 0 for `html`, the same that html5lib gives for the same page.

pub mod bounded;

use crate::{NodeId, Page, TAG_COUNT, Tag};
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
    push_number(path, step);
}

fn push_number(out: &mut String, number: u32) {
    let mut unit = 1;
    while number / unit > 9 {
        unit *= 10;
    }
    while unit > 0 {
        out.push(char::from(b'0' + (number / unit % 10) as u8));
        unit /= 10;
    }
}

/// Writes CSS paths for a page; see [`Page::css_paths`].
#[derive(Debug)]
pub struct CssPaths<'p> {
    page: &'p Page,
    ids: HashMap<&'p str, u32>,
    /// Of each node its place among siblings of one name; of none before a sibling of it was asked for.
    ranks: RefCell<Vec<Rank>>,
    /// The parent of the node asked for last, and its path.
    above: RefCell<(NodeId, String)>,
}

/// Which sibling of its name a node is, from 1, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
struct Rank {
    own: u32,
    all: u32,
}

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
        let mut path = String::new();
        if self.push_unique_id(node, &mut path) {
            return path;
        }
        let parent = page.parent(node).unwrap_or(page.root());
        let mut above = self.above.borrow_mut();
        if above.0 != parent {
            *above = (parent, self.written(parent));
        }
        path.reserve(above.1.len() + 24);
        path.push_str(&above.1);
        self.push_step(node, &mut path);
        path
    }

    /// Writes the `id` of a node that no other has.
    fn push_unique_id(&self, node: NodeId, path: &mut String) -> bool {
        let Some(id) = self.page.attr(node, "id").filter(|id| self.ids.get(id) == Some(&1)) else { return false };
        path.push('#');
        push_identifier(path, id);
        true
    }

    /// The path of a node, step by step.
    fn written(&self, node: NodeId) -> String {
        let page = self.page;
        let mut path = String::new();
        let mut steps: Vec<NodeId> = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            at = page.parent(node);
            if !page.is_element(node) {
                continue;
            }
            if self.push_unique_id(node, &mut path) {
                break;
            }
            steps.push(node);
        }
        steps.iter().rev().for_each(|node| self.push_step(*node, &mut path));
        path
    }

    /// Appends the step to a node.
    fn push_step(&self, node: NodeId, path: &mut String) {
        let page = self.page;
        if !path.is_empty() {
            path.push_str(" > ");
        }
        push_identifier(path, page.name(node));
        let Some(parent) = page.parent(node) else { return };
        let mut ranks = self.ranks.borrow_mut();
        if ranks.is_empty() {
            ranks.resize(page.len(), Rank::default());
        }
        if ranks[node.index()].own == 0 {
            rank_children(page, parent, &mut ranks);
        }
        let Rank { own, all } = ranks[node.index()];
        if all > 1 {
            path.push_str(":nth-of-type(");
            push_number(path, own);
            path.push(')');
        }
    }
}

/// Finds the rank of each child among those of one name, and how many there are.
fn rank_children(page: &Page, parent: NodeId, ranks: &mut [Rank]) {
    let mut of_tags = [0u32; TAG_COUNT];
    let mut of_names: HashMap<&str, u32> = HashMap::new();
    // A foreign element can have the name of another.
    let by_name = page.element_children(parent).any(|child| matches!(page.tag(child), Tag::Custom | Tag::Foreign));
    for child in page.element_children(parent) {
        let count = match by_name {
            true => of_names.entry(page.name(child)).or_default(),
            false => &mut of_tags[page.tag(child) as usize],
        };
        *count += 1;
        ranks[child.index()].own = *count;
    }
    for child in page.element_children(parent) {
        ranks[child.index()].all = match by_name {
            true => of_names[page.name(child)],
            false => of_tags[page.tag(child) as usize],
        };
    }
}

/// Appends a name so that CSS reads it as one identifier (CSSOM, "serialize an identifier").
fn push_identifier(out: &mut String, name: &str) {
    // Nearly all names need no more than a look.
    let is_plain = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | 0x80..);
    let mut bytes = name.as_bytes().iter();
    if bytes.next().is_some_and(is_plain) && bytes.all(|byte| is_plain(byte) || byte.is_ascii_digit() || *byte == b'-') {
        return out.push_str(name);
    }
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
}
