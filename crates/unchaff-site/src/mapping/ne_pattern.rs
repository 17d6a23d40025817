//! ne-patterns, node extraction patterns: trees with wildcards, as regular expressions are strings with wildcards.
//!
//! D. C. Reis, P. B. Golgher, A. S. da Silva, A. H. F. Laender: Automatic Web News Extraction Using Tree Edit Distance, WWW 2004, as retold by T. Gottron
//! (Content Extraction, PhD thesis, Mainz 2008, section 3.3.5). A node may be optional (`?`), any text (`.`), repeated (`+`), or both (`*`). A page is its own
//! pattern. Two patterns are combined into one that accepts what either accepts; how is not printed. Here they are aligned by a restricted top-down
//! mapping ([`rtdm_mapping`](super::rtdm_mapping)): texts that differ become `.`, what only one has becomes `?`, and siblings of the same shape whose
//! number varies become `+` or `*`.
//!
//! Accepting is an alignment as well, in which what is forbidden costs more than anything; of the ways to accept a page, the one with most literal texts is
//! taken. Both are quadratic in the children of two nodes, and have a limit. Nothing recurses.

use crate::learned::page_keys::hash_text;
use crate::mapping::bottom_up_mapping::{Likeness, labels};
use crate::mapping::rtdm_mapping::{Costs, LabelledTree, RtdmMapping};
use std::collections::HashMap;
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, Page, Tag};

/// The node may be missing.
const OPTIONAL: u8 = 1;
/// The node may stand there several times.
const REPEATED: u8 = 2;
/// What stands for any text among the labels of a mapping.
const ANY_TEXT: u64 = 2;
/// A pattern does not grow beyond so many nodes; it then accepts less.
const MOST_NODES: usize = 50_000;
/// Cells of all alignments after which a page is not accepted.
const MOST_CELLS: usize = 4_000_000;
const NEVER: u32 = u32::MAX / 4;

/// A tree with wildcards, in document order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pattern {
    /// What each node is: the name of an element, or that it is a text.
    names: Vec<u64>,
    /// Of each text its hash, or 0 if it is any text; 0 for elements.
    texts: Vec<u64>,
    ends: Vec<u32>,
    marks: Vec<u8>,
    is_text: Vec<bool>,
}

/// A page as a pattern, with the nodes that it was made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageTree {
    pattern: Pattern,
    nodes: Vec<NodeId>,
}

/// A text of a page that stands for a wildcard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Filled {
    /// The text.
    pub text: NodeId,
    /// The outermost wildcard around it, by its place in the pattern.
    pub wildcard: u32,
    /// The innermost element around that wildcard, by its place in the pattern.
    pub container: u32,
}

impl PageTree {
    /// The body of a page, without blank text and comments.
    #[must_use]
    pub(crate) fn of(page: &Page) -> PageTree {
        let names = labels(page, Likeness::Tags);
        let mut tree = PageTree::default();
        let mut open: Vec<(NodeId, usize)> = Vec::new();
        for node in page.body().into_iter().flat_map(|body| page.subtree(body)).filter(|node| names[node.index()] != 0) {
            while let Some((_, at)) = open.pop_if(|(end, _)| *end <= node) {
                tree.pattern.ends[at] = tree.nodes.len() as u32;
            }
            let is_text = matches!(page.tag(node), Tag::Text | Tag::Raw);
            open.push((page.end(node), tree.nodes.len()));
            tree.nodes.push(node);
            // 0 and 2 have a meaning of their own.
            let text = if is_text { hash_text(0, page.string(node)).max(3) } else { 0 };
            tree.pattern.push(names[node.index()], text, 0, is_text);
        }
        for (_, at) in open {
            tree.pattern.ends[at] = tree.nodes.len() as u32;
        }
        tree
    }

    /// The pattern that accepts this page alone.
    #[must_use]
    pub(crate) fn pattern(&self) -> &Pattern {
        &self.pattern
    }
}

/// A step of building a pattern.
enum Step {
    /// A node that both have.
    Merge(u32, u32),
    /// A subtree that one has.
    Copy {
        from_second: bool,
        node: u32,
    },
    Close(usize),
}

impl Pattern {
    fn push(&mut self, name: u64, text: u64, marks: u8, is_text: bool) {
        self.names.push(name);
        self.texts.push(text);
        self.ends.push(0);
        self.marks.push(marks);
        self.is_text.push(is_text);
    }

    /// How many nodes it has.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    fn children(&self, node: u32) -> Vec<u32> {
        let mut children = Vec::new();
        let mut child = node + 1;
        while child < self.ends[node as usize] {
            children.push(child);
            child = self.ends[child as usize];
        }
        children
    }

    /// As a mapping sees it: different texts are different.
    fn labelled(&self) -> LabelledTree {
        let label = |at: usize| match self.is_text[at] {
            true if self.texts[at] == 0 => ANY_TEXT,
            true => self.texts[at],
            false => self.names[at],
        };
        LabelledTree::of_labels((0..self.len()).map(label).collect(), self.ends.clone())
    }

    /// A pattern that accepts what this one or the other accepts; this one if it would grow too large, or either is empty.
    #[must_use]
    pub(crate) fn combined(&self, other: &Pattern) -> Pattern {
        if self.len() == 0 || other.len() == 0 || self.len() + other.len() > MOST_NODES {
            return self.clone();
        }
        let (one, two) = (self.labelled(), other.labelled());
        let mut partners = vec![u32::MAX; self.len()];
        for (x, y) in RtdmMapping::new(&one, &two, &Costs::default()).pairs() {
            let same_kind = self.is_text[x as usize] == other.is_text[y as usize];
            if x == 0 || same_kind && (self.is_text[x as usize] || self.names[x as usize] == other.names[y as usize]) {
                partners[x as usize] = y;
            }
        }
        let mut result = Pattern::default();
        // The last child so far of each node that is open.
        let mut last: Vec<Option<usize>> = vec![None];
        let mut steps = vec![Step::Merge(0, 0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Close(at) => {
                    last.pop();
                    result.ends[at] = result.len() as u32;
                    result.collapse(at, &mut last);
                }
                Step::Copy { from_second, node } => {
                    let source = if from_second { other } else { self };
                    let range = node as usize..source.ends[node as usize] as usize;
                    let (at, offset) = (result.len(), result.len() as i64 - i64::from(node));
                    for place in range {
                        let Pattern { names, texts, marks, is_text, .. } = source;
                        result.push(names[place], texts[place], marks[place], is_text[place]);
                        let end = i64::from(source.ends[place]) + offset;
                        *result.ends.last_mut().unwrap_or(&mut 0) = end as u32;
                    }
                    result.marks[at] |= OPTIONAL;
                    result.collapse(at, &mut last);
                }
                Step::Merge(x, y) => {
                    let (a, b) = (x as usize, y as usize);
                    let text = if self.texts[a] == other.texts[b] { self.texts[a] } else { 0 };
                    steps.push(Step::Close(result.len()));
                    last.push(None);
                    result.push(self.names[a], text, self.marks[a] | other.marks[b], self.is_text[a]);
                    // Both lists of children, those that only one has before the next that both have.
                    let mut order = Vec::new();
                    let mut theirs = other.children(y).into_iter().peekable();
                    for child in self.children(x) {
                        let partner = partners[child as usize];
                        if partner == u32::MAX {
                            order.push(Step::Copy { from_second: false, node: child });
                            continue;
                        }
                        while let Some(node) = theirs.next_if(|node| *node < partner) {
                            order.push(Step::Copy { from_second: true, node });
                        }
                        theirs.next();
                        order.push(Step::Merge(child, partner));
                    }
                    order.extend(theirs.map(|node| Step::Copy { from_second: true, node }));
                    steps.extend(order.into_iter().rev());
                }
            }
        }
        result
    }

    /// Makes one repeated node of the last subtree and the sibling before it, if they are of one shape and their number varies.
    fn collapse(&mut self, at: usize, last: &mut [Option<usize>]) {
        let Some(last) = last.last_mut() else { return };
        let Some(before) = last.replace(at) else { return };
        let size = self.len() - at;
        let varies = (self.marks[before] | self.marks[at]) != 0;
        let same_shape = at - before == size
            && !self.is_text[at]
            && (0..size).all(|offset| {
                self.names[before + offset] == self.names[at + offset]
                    && self.ends[before + offset] as usize + size == self.ends[at + offset] as usize
            });
        if !varies || !same_shape {
            return;
        }
        *last = Some(before);
        for offset in 0..size {
            let (kept, gone) = (before + offset, at + offset);
            if self.texts[kept] != self.texts[gone] {
                self.texts[kept] = 0;
            }
            let marks = if offset == 0 {
                REPEATED | self.marks[kept] & self.marks[gone] & OPTIONAL
            } else {
                self.marks[kept] | self.marks[gone]
            };
            self.marks[kept] = marks;
        }
        self.names.truncate(at);
        self.texts.truncate(at);
        self.ends.truncate(at);
        self.marks.truncate(at);
        self.is_text.truncate(at);
    }

    /// The texts of a page that stand for wildcards, in document order; none if the pattern does not accept the page, or finding out would cost too much.
    #[must_use]
    pub(crate) fn filled(&self, page: &PageTree) -> Option<Vec<Filled>> {
        if self.len() == 0 || page.pattern.len() == 0 {
            return (self.len() == page.pattern.len()).then(Vec::new);
        }
        let mut matching = Matching { pattern: self, page: &page.pattern, known: HashMap::new(), cells: MOST_CELLS };
        if !matching.solve(0, 0) || matching.known[&(0, 0)] >= NEVER {
            return None;
        }
        let mut filled = Vec::new();
        // Pairs with the outermost wildcard around them, and the element around that.
        let mut open: Vec<(u32, u32, Option<u32>, u32)> = vec![(0, 0, None, 0)];
        while let Some((x, y, wildcard, container)) = open.pop() {
            let is_wild = self.marks[x as usize] != 0 || self.is_text[x as usize] && self.texts[x as usize] == 0;
            let wildcard = wildcard.or_else(|| is_wild.then_some(x));
            if let Some(wildcard) = wildcard.filter(|_| self.is_text[x as usize]) {
                filled.push(Filled { text: page.nodes[y as usize], wildcard, container });
            }
            let inside = if wildcard.is_none() { x } else { container };
            open.extend(matching.trace(x, y).into_iter().map(|(x, y)| (x, y, wildcard, inside)));
        }
        filled.order_by_key(|filled| filled.text);
        Some(filled)
    }
}

/// A pattern and a page, and what it costs to match their nodes.
struct Matching<'t> {
    pattern: &'t Pattern,
    page: &'t Pattern,
    known: HashMap<(u32, u32), u32>,
    cells: usize,
}

impl Matching<'_> {
    /// The cost of a node of the page standing for one of the pattern, if it is known already.
    fn cost(&self, x: u32, y: u32) -> Option<u32> {
        let (a, b) = (x as usize, y as usize);
        match (self.pattern.is_text[a], self.page.is_text[b]) {
            (true, true) if self.pattern.texts[a] == 0 => Some(1),
            (true, true) => Some(if self.pattern.texts[a] == self.page.texts[b] { 0 } else { NEVER }),
            (false, false) if self.pattern.names[a] == self.page.names[b] => self.known.get(&(x, y)).copied(),
            _ => Some(NEVER),
        }
    }

    /// Finds the costs of two nodes and of all below them that matter; whether that was possible within the limit.
    fn solve(&mut self, x: u32, y: u32) -> bool {
        let mut open = vec![(x, y, false)];
        while let Some((x, y, is_ready)) = open.pop() {
            if self.known.contains_key(&(x, y)) {
                continue;
            }
            let (ours, theirs) = (self.pattern.children(x), self.page.children(y));
            if is_ready {
                let cost = self.align(&ours, &theirs).last().copied().unwrap_or(NEVER);
                self.known.insert((x, y), cost);
                continue;
            }
            let cells = (ours.len() + 1) * (theirs.len() + 1);
            let Some(left) = self.cells.checked_sub(cells) else { return false };
            self.cells = left;
            open.push((x, y, true));
            for x in &ours {
                open.extend(theirs.iter().filter(|y| self.cost(*x, **y).is_none()).map(|y| (*x, *y, false)));
            }
        }
        true
    }

    /// The costs of matching the first of some children, row by row.
    fn align(&self, ours: &[u32], theirs: &[u32]) -> Vec<u32> {
        let width = theirs.len() + 1;
        let mut costs = vec![NEVER; width * (ours.len() + 1)];
        costs[0] = 0;
        for (i, x) in ours.iter().enumerate() {
            let marks = self.pattern.marks[*x as usize];
            for j in 0..width {
                let mut best = if marks & OPTIONAL != 0 { costs[i * width + j] } else { NEVER };
                if j > 0 {
                    let cost = self.cost(*x, theirs[j - 1]).unwrap_or(NEVER);
                    let once = costs[i * width + j - 1].saturating_add(cost);
                    let again = if marks & REPEATED != 0 { costs[(i + 1) * width + j - 1].saturating_add(cost) } else { NEVER };
                    best = best.min(once).min(again);
                }
                costs[(i + 1) * width + j] = best.min(NEVER);
            }
        }
        costs
    }

    /// Which children stand for each other where two nodes do.
    fn trace(&self, x: u32, y: u32) -> Vec<(u32, u32)> {
        let (ours, theirs) = (self.pattern.children(x), self.page.children(y));
        let width = theirs.len() + 1;
        let costs = self.align(&ours, &theirs);
        let mut pairs = Vec::new();
        let (mut i, mut j) = (ours.len(), theirs.len());
        while i > 0 && costs[i * width + j] < NEVER {
            let x = ours[i - 1];
            let here = costs[i * width + j];
            let cost = if j > 0 { self.cost(x, theirs[j - 1]).unwrap_or(NEVER) } else { NEVER };
            if j > 0 && here == costs[(i - 1) * width + j - 1].saturating_add(cost) {
                pairs.push((x, theirs[j - 1]));
                (i, j) = (i - 1, j - 1);
            } else if j > 0
                && self.pattern.marks[x as usize] & REPEATED != 0
                && here == costs[i * width + j - 1].saturating_add(cost)
            {
                pairs.push((x, theirs[j - 1]));
                j -= 1;
            } else {
                i -= 1;
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tree(html: &str) -> (Page, PageTree) {
        let page = Page::parse(html);
        let tree = PageTree::of(&page);
        (page, tree)
    }

    fn combined(pages: &[&str]) -> Pattern {
        let mut trees = pages.iter().map(|html| tree(html).1.pattern);
        let first = trees.next().unwrap_or_default();
        trees.fold(first, |pattern, other| pattern.combined(&other))
    }

    /// A pattern in words: marks after nodes, what is below them in parentheses.
    fn shown(pattern: &Pattern, page: &Page) -> String {
        let names: HashMap<u64, String> = {
            let labels = labels(page, Likeness::Tags);
            page.nodes().map(|node| (labels[node.index()], page.name(node).to_owned())).collect()
        };
        let mut text = String::new();
        let mut open: Vec<usize> = Vec::new();
        for at in 0..pattern.len() {
            while open.pop_if(|end| *end <= at).is_some() {
                text.push(')');
            }
            if !text.is_empty() && !text.ends_with('(') {
                text.push(' ');
            }
            text += match pattern.is_text[at] {
                true if pattern.texts[at] == 0 => ".",
                true => "'",
                false => names.get(&pattern.names[at]).map_or("_", String::as_str),
            };
            text += ["", "?", "+", "*"][usize::from(pattern.marks[at])];
            if pattern.ends[at] as usize > at + 1 {
                text.push('(');
                open.push(pattern.ends[at] as usize);
            }
        }
        text + &")".repeat(open.len())
    }

    /// Worked by hand.
    #[test]
    fn wildcards_are_learned() {
        let learned = |pages: &[&str]| shown(&combined(pages), &Page::parse(pages[0]));
        assert_eq!(learned(&["<h1>A</h1><i>x</i>"]), "body(h1(') i('))");
        assert_eq!(learned(&["<h1>A</h1><i>x</i>", "<h1>B</h1><i>x</i>"]), "body(h1(.) i('))");
        assert_eq!(learned(&["<h1>A</h1><hr>", "<h1>A</h1>"]), "body(h1(') hr?)");
        assert_eq!(learned(&["<h1>A</h1>", "<h1>A</h1><b>x</b>"]), "body(h1(') _?('))");
        assert_eq!(learned(&["<p>a</p><hr>", "<p>b</p><p>c</p><hr>"]), "body(p+(.) hr)");
        assert_eq!(learned(&["<p>a</p><p>b</p><hr>", "<hr>"]), "body(p*(.) hr)");
        // Three pages, one after the other.
        assert_eq!(learned(&["<p>a</p><hr>", "<p>b</p><p>c</p><hr>", "<hr>"]), "body(p*(.) hr)");
    }

    #[test]
    fn what_stands_for_wildcards_is_found_on_a_new_page() {
        let pattern = combined(&[
            "<ul><li>Home<li>News</ul><h1>Rain</h1><div><p>one</p><p>two</p></div><i>End</i>",
            "<ul><li>Home<li>News</ul><h1>Sun</h1><div><p>three</p></div><i>End</i>",
        ]);
        let (page, new) = tree("<ul><li>Home<li>News</ul><h1>Wind</h1><div><p>a</p><p>b</p><p>c</p></div><i>End</i>");
        let filled = pattern.filled(&new).unwrap();
        let texts: Vec<&str> = filled.iter().map(|filled| page.string(filled.text)).collect();
        assert_eq!(texts, ["Wind", "a", "b", "c"]);
        assert!(filled[1].wildcard == filled[3].wildcard && filled[0].wildcard != filled[1].wildcard);
        assert!(filled[1].container == filled[3].container && filled[0].container != filled[1].container);
        // Another menu, another element: not accepted.
        assert_eq!(pattern.filled(&tree("<ul><li>Home<li>Blog</ul><h1>Wind</h1><div><p>a</p></div><i>End</i>").1), None);
        assert_eq!(pattern.filled(&tree("<ul><li>Home<li>News</ul><h2>Wind</h2><div><p>a</p></div><i>End</i>").1), None);
    }

    proptest! {
        /// The condition that the publication has for combining.
        #[test]
        fn a_combined_pattern_accepts_all_pages_it_was_made_of(
            pages in prop::collection::vec("(<(div|ul|li|b|p)>|</(div|ul|b|p)>|x|y ){0,16}", 1..5),
        ) {
            let html: Vec<&str> = pages.iter().map(String::as_str).collect();
            let pattern = combined(&html);
            for page in &html {
                prop_assert!(pattern.filled(&tree(page).1).is_some(), "{:?}: {}", html, shown(&pattern, &Page::parse(*page)));
            }
        }
    }
}
