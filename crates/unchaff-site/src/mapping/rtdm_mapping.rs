//! Restricted top-down mapping of two trees: what of one is found again, level by level, in the other.
//!
//! D. C. Reis, P. B. Golgher, A. S. da Silva, A. H. F. Laender: Automatic Web News Extraction Using Tree Edit Distance, WWW
//! 2004, in the form of T. Gottron (Content Extraction, PhD thesis, Mainz 2008, algorithm 3.7). Children are aligned at the
//! least cost of deleting, inserting and replacing subtrees; equal subtrees cost nothing. His listing lets inner nodes of
//! different names stand for each other at no cost, against the definition: then nothing below may be mapped, which is the
//! default here. Read of subtrees instead of nodes, the definition maps equal subtrees alone.
//!
//! Alignments are quadratic. Equal children at both ends are paired beforehand, alignments of equal pairs of subtrees are
//! computed once and in linear space (algorithm 7.1), and there is a limit to the cells of all alignments of two pages,
//! beyond which all children but equal ones at the ends are deleted and inserted: so neither time nor memory grows out of
//! bounds. Depth is a stack of pairs, not of calls.

use crate::learned::page_keys::{KeyMap, mix};
use crate::mapping::bottom_up_mapping::{Likeness, classes, labels, reduced};
use unchaff_dom::{NodeId, Page};
use unchaff_page::parameters::{choice, parameters};

choice! {
    /// What it means to replace an inner node by one that is not like it.
    pub enum InnerReplacement {
        /// Nothing below is mapped: it is deleted and inserted (the definition).
        Fringe = "fringe",
        /// The same of inner nodes that are alike but not all that is below them: equal subtrees alone are mapped.
        Subtrees = "subtrees",
        /// What is below is mapped, and replacing costs what it costs.
        Costly = "costly",
        /// What is below is mapped, and replacing costs nothing (the listing).
        Free = "free",
    }
}

parameters! {
    /// What is mapped onto what, and what it costs.
    pub struct Costs {
        /// When nodes are alike: exact, with addresses resolved, or by name alone.
        pub likeness: Likeness = Likeness::Resolved,
        /// Whether trees are made smaller first: text belongs to its element, an image is its alt text (Shi et al. 2006).
        pub reduce: bool = false,
        /// The cost of deleting a node.
        pub delete: u32 = 1,
        /// The cost of inserting a node.
        pub insert: u32 = 1,
        /// The cost of replacing a node by one that is not like it.
        pub replace: u32 = 1,
        /// Nothing is replaced or kept where the alignment up to there costs more (the published ε).
        pub epsilon: u32 = 1_000_000_000,
        /// What becomes of what is below inner nodes that are not equal: fringe, subtrees, costly or free.
        pub inner: InnerReplacement = InnerReplacement::Fringe,
        /// So many thousand cells of alignments are computed for two pages at most.
        pub cells: u32 = 4000,
    }
}

impl Costs {
    /// What the nodes of a page are to a mapping.
    #[must_use]
    pub(crate) fn labels(&self, page: &Page) -> Vec<u64> {
        let labels = labels(page, self.likeness);
        if self.reduce { reduced(page, labels) } else { labels }
    }
}

const NEVER: u32 = u32::MAX;

/// A tree as a mapping sees it: labelled nodes in document order.
#[derive(Clone, Debug, Default)]
pub(crate) struct LabelledTree {
    /// The nodes of the page.
    pub nodes: Vec<NodeId>,
    labels: Vec<u64>,
    classes: Vec<u64>,
    ends: Vec<u32>,
    /// The children of all nodes, and where those of each node start.
    children: Vec<u32>,
    child_starts: Vec<u32>,
}

impl LabelledTree {
    /// The body of a page, without nodes of label 0 and what is below them.
    #[must_use]
    pub(crate) fn new(page: &Page, labels: &[u64]) -> LabelledTree {
        let mut tree = LabelledTree::default();
        let Some(body) = page.body().filter(|body| labels[body.index()] != 0) else { return tree };
        let classes = classes(page, labels);
        let mut open: Vec<(NodeId, usize)> = Vec::new();
        let mut next = body;
        while next < page.end(body) {
            while let Some((_, at)) = open.pop_if(|(end, _)| *end <= next) {
                tree.ends[at] = tree.nodes.len() as u32;
            }
            if labels[next.index()] == 0 {
                next = page.end(next);
                continue;
            }
            open.push((page.end(next), tree.nodes.len()));
            tree.nodes.push(next);
            tree.labels.push(labels[next.index()]);
            tree.classes.push(classes[next.index()]);
            tree.ends.push(0);
            next.0 += 1;
        }
        for (_, at) in open {
            tree.ends[at] = tree.nodes.len() as u32;
        }
        tree.find_children();
        tree
    }

    /// A tree of these labels in document order, none of them 0, with the ends of their subtrees; its nodes are the places.
    #[must_use]
    pub(crate) fn of_labels(labels: Vec<u64>, ends: Vec<u32>) -> LabelledTree {
        let mut classes = vec![0; labels.len()];
        let mut parents = vec![0usize; labels.len()];
        for node in (0..labels.len()).rev() {
            let mut child = node + 1;
            while child < ends[node] as usize {
                parents[child] = node;
                child = ends[child] as usize;
            }
        }
        for node in (0..labels.len()).rev() {
            classes[node] = mix(labels[node], classes[node]);
            if node > 0 {
                classes[parents[node]] = mix(classes[parents[node]], classes[node]);
            }
        }
        let nodes = (0..labels.len() as u32).map(NodeId).collect();
        let mut tree = LabelledTree { nodes, labels, classes, ends, ..LabelledTree::default() };
        tree.find_children();
        tree
    }

    fn find_children(&mut self) {
        let tree = self;
        for node in 0..tree.nodes.len() as u32 {
            tree.child_starts.push(tree.children.len() as u32);
            let mut child = node + 1;
            while child < tree.ends[node as usize] {
                tree.children.push(child);
                child = tree.ends[child as usize];
            }
        }
        tree.child_starts.push(tree.children.len() as u32);
    }

    fn size(&self, node: u32) -> u32 {
        self.ends[node as usize] - node
    }

    fn below(&self, node: u32) -> u32 {
        self.size(node) - 1
    }

    fn children(&self, node: u32) -> &[u32] {
        &self.children[self.child_starts[node as usize] as usize..self.child_starts[node as usize + 1] as usize]
    }
}

/// What was computed for two nodes: the cost of mapping their children, and whether they were aligned or there were too many.
#[derive(Clone, Copy, Debug)]
struct Alignment {
    cost: u32,
    aligned: bool,
}

/// The cheapest mapping of one tree onto another.
#[derive(Debug)]
pub(crate) struct RtdmMapping<'t> {
    one: &'t LabelledTree,
    two: &'t LabelledTree,
    costs: Costs,
    /// Alignments of the children of two subtrees, by their classes.
    known: KeyMap<Alignment>,
    cells: u64,
}

/// Children that have to be aligned, between equal ones at both ends, which are paired.
struct Between<'t> {
    one: &'t [u32],
    two: &'t [u32],
    /// How many are paired at the start and at the end.
    paired: [usize; 2],
}

impl<'t> RtdmMapping<'t> {
    /// Maps one tree onto another.
    #[must_use]
    pub(crate) fn new(one: &'t LabelledTree, two: &'t LabelledTree, costs: &Costs) -> RtdmMapping<'t> {
        let cells = u64::from(costs.cells) * 1000;
        let mut mapping = RtdmMapping { one, two, costs: costs.clone(), known: KeyMap::default(), cells };
        if !one.nodes.is_empty() && !two.nodes.is_empty() {
            mapping.solve(0, 0);
        }
        mapping
    }

    /// What the mapping costs.
    #[must_use]
    #[cfg(test)]
    pub(crate) fn cost(&self) -> u32 {
        match (self.one.nodes.len() as u32, self.two.nodes.len() as u32) {
            (0, two) => two.saturating_mul(self.costs.insert),
            (one, 0) => one.saturating_mul(self.costs.delete),
            _ => {
                let roots = if self.costs.inner == InnerReplacement::Free { 0 } else { self.replace(0, 0) };
                self.known[&self.pair(0, 0)].cost.saturating_add(roots)
            }
        }
    }

    fn pair(&self, x: u32, y: u32) -> u64 {
        mix(self.one.classes[x as usize], self.two.classes[y as usize])
    }

    fn is_like(&self, x: u32, y: u32) -> bool {
        self.one.labels[x as usize] == self.two.labels[y as usize]
    }

    fn is_equal(&self, x: u32, y: u32) -> bool {
        self.one.classes[x as usize] == self.two.classes[y as usize]
    }

    fn replace(&self, x: u32, y: u32) -> u32 {
        if self.is_like(x, y) { 0 } else { self.costs.replace }
    }

    fn delete(&self, nodes: u32) -> u32 {
        nodes.saturating_mul(self.costs.delete)
    }

    fn insert(&self, nodes: u32) -> u32 {
        nodes.saturating_mul(self.costs.insert)
    }

    /// Whether the children of two nodes are aligned when one stands for the other.
    fn descends(&self, x: u32, y: u32) -> bool {
        let both_inner = self.one.below(x) > 0 && self.two.below(y) > 0;
        let may_descend = match self.costs.inner {
            InnerReplacement::Fringe => self.is_like(x, y),
            InnerReplacement::Subtrees => false,
            InnerReplacement::Costly | InnerReplacement::Free => true,
        };
        both_inner && may_descend && !self.is_equal(x, y)
    }

    /// The cost of one node, with what is below it, standing for another.
    fn substitute(&self, x: u32, y: u32) -> u32 {
        if self.is_equal(x, y) {
            return 0;
        }
        if self.descends(x, y) {
            let own = if self.costs.inner == InnerReplacement::Free { 0 } else { self.replace(x, y) };
            return self.known[&self.pair(x, y)].cost.saturating_add(own);
        }
        let below = self.delete(self.one.below(x)).saturating_add(self.insert(self.two.below(y)));
        self.replace(x, y).saturating_add(below)
    }

    fn between(&self, x: u32, y: u32) -> Between<'t> {
        let (one, two) = (self.one.children(x), self.two.children(y));
        let start = one.iter().zip(two).take_while(|(x, y)| self.is_equal(**x, **y)).count();
        let (one, two) = (&one[start..], &two[start..]);
        // A limit to the cost may forbid even equal ones after much that differs.
        let all = self.delete(self.one.below(x)).saturating_add(self.insert(self.two.below(y)));
        let from_end = one.iter().rev().zip(two.iter().rev());
        let end = if self.costs.epsilon < all { 0 } else { from_end.take_while(|(x, y)| self.is_equal(**x, **y)).count() };
        Between { one: &one[..one.len() - end], two: &two[..two.len() - end], paired: [start, end] }
    }

    fn solve(&mut self, x: u32, y: u32) {
        let mut open = vec![(x, y, false)];
        let mut row = Vec::new();
        while let Some((x, y, is_ready)) = open.pop() {
            let pair = self.pair(x, y);
            if self.known.contains_key(&pair) {
                continue;
            }
            let (m, n) = (self.one.children(x).len() as u64, self.two.children(y).len() as u64);
            if is_ready {
                let cost = self.align(&self.between(x, y), &mut row, |_| {});
                self.known.insert(pair, Alignment { cost, aligned: true });
                continue;
            }
            // Looking at the children costs too, even if most of them are equal.
            let between = (m + n <= self.cells).then(|| self.between(x, y));
            let cells = between.as_ref().map(|between| between.one.len() as u64 * between.two.len() as u64 + m + n);
            match (between, cells) {
                (Some(between), Some(cells)) if cells <= self.cells => {
                    self.cells -= cells;
                    open.push((x, y, true));
                    let pairs = between.one.iter().flat_map(|x| between.two.iter().map(|y| (*x, *y)));
                    let unknown = |(x, y): &(u32, u32)| self.descends(*x, *y) && !self.known.contains_key(&self.pair(*x, *y));
                    open.extend(pairs.filter(unknown).map(|(x, y)| (x, y, false)));
                }
                _ => {
                    let cost = self.delete(self.one.below(x)).saturating_add(self.insert(self.two.below(y)));
                    self.known.insert(pair, Alignment { cost, aligned: false });
                }
            }
        }
    }

    /// Aligns children and tells the cost. Each row of the matrix is shown when it is complete.
    fn align(&self, between: &Between, row: &mut Vec<u32>, mut show: impl FnMut(&[u32])) -> u32 {
        row.clear();
        let mut last = 0u32;
        row.push(last);
        for y in between.two {
            last = last.saturating_add(self.insert(self.two.size(*y)));
            row.push(last);
        }
        show(row);
        for x in between.one {
            let deleted = self.delete(self.one.size(*x));
            let mut before = row[0];
            row[0] = before.saturating_add(deleted);
            for (at, y) in between.two.iter().enumerate() {
                let delete = row[at + 1].saturating_add(deleted);
                let insert = row[at].saturating_add(self.insert(self.two.size(*y)));
                let replace = self.diagonal(before, *x, *y);
                before = row[at + 1];
                row[at + 1] = delete.min(insert).min(replace);
            }
            show(row);
        }
        row[between.two.len()]
    }

    fn diagonal(&self, before: u32, x: u32, y: u32) -> u32 {
        if before > self.costs.epsilon { NEVER } else { before.saturating_add(self.substitute(x, y)) }
    }

    /// The nodes of the first tree that stand for one like them, so far down as all above them do. The roots stand for each other.
    #[must_use]
    pub(crate) fn kept(&self) -> Vec<NodeId> {
        let whole = self.costs.inner != InnerReplacement::Subtrees;
        let is_kept = |(x, y): &(u32, u32)| *x == 0 || self.is_equal(*x, *y) || whole && self.is_like(*x, *y);
        let mut kept: Vec<NodeId> = self.pairs().into_iter().filter(is_kept).map(|(x, _)| self.one.nodes[x as usize]).collect();
        kept.sort_unstable();
        kept
    }

    /// All nodes of both trees that stand for each other, like each other or not; below those that are not, none does. The roots always do.
    #[must_use]
    pub(crate) fn pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        if self.one.nodes.is_empty() || self.two.nodes.is_empty() {
            return pairs;
        }
        let mut open = vec![(0, 0)];
        while let Some((x, y)) = open.pop() {
            if self.is_equal(x, y) {
                pairs.extend((x..self.one.ends[x as usize]).zip(y..self.two.ends[y as usize]));
                continue;
            }
            pairs.push((x, y));
            let is_end = !self.is_like(x, y) || self.costs.inner == InnerReplacement::Subtrees || !self.descends(x, y);
            if x > 0 && is_end {
                continue;
            }
            let between = self.between(x, y);
            let (one, two) = (self.one.children(x), self.two.children(y));
            let [start, end] = between.paired;
            open.extend(one.iter().copied().zip(two.iter().copied()).take(start));
            open.extend(one.iter().rev().copied().zip(two.iter().rev().copied()).take(end));
            if self.known[&self.pair(x, y)].aligned {
                self.trace(&between, &mut open);
            }
        }
        pairs
    }

    /// Pairs of children on the cheapest way through the alignment.
    fn trace(&self, between: &Between, pairs: &mut Vec<(u32, u32)>) {
        let width = between.two.len() + 1;
        let mut matrix: Vec<u32> = Vec::with_capacity(width * (between.one.len() + 1));
        self.align(between, &mut Vec::new(), |row| matrix.extend(row));
        let at = |i: usize, j: usize| matrix[i * width + j];
        let (mut i, mut j) = (between.one.len(), between.two.len());
        while i > 0 && j > 0 {
            let (x, y) = (between.one[i - 1], between.two[j - 1]);
            if at(i, j) == self.diagonal(at(i - 1, j - 1), x, y) {
                pairs.push((x, y));
                (i, j) = (i - 1, j - 1);
            } else if at(i, j) == at(i - 1, j).saturating_add(self.delete(self.one.size(x))) {
                i -= 1;
            } else {
                j -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tree(html: &str, likeness: Likeness) -> (Page, LabelledTree) {
        let page = Page::parse(html);
        let tree = LabelledTree::new(&page, &labels(&page, likeness));
        (page, tree)
    }

    fn cost(one: &str, two: &str, inner: InnerReplacement, epsilon: u32) -> u32 {
        let (one, two) = (tree(one, Likeness::Tags).1, tree(two, Likeness::Tags).1);
        RtdmMapping::new(&one, &two, &Costs { inner, epsilon, ..Costs::default() }).cost()
    }

    const T1: &str = "<h1></h1><div><p></p><p></p></div><ul><li></li><li></li></ul>";

    /// An example of ours, with the definition's reading added: the fourth then costs replacing one and deleting and inserting
    /// two each.
    #[test]
    fn costs_of_the_published_example() {
        use InnerReplacement::{Costly, Free, Fringe};
        let table = [
            (T1, [0, 0, 0, 0]),
            ("<h1></h1><div><p></p><p></p><p></p></div><ul><li></li><li></li></ul>", [1, 1, 1, 7]),
            ("<h1></h1><div><p></p><p></p></div>", [3, 3, 3, 3]),
            ("<h1></h1><span><p></p><p></p></span><ul><li></li><li></li></ul>", [5, 1, 0, 0]),
            ("<h2></h2><div><p></p><p></p></div><ul><li></li><li></li></ul>", [1, 1, 1, 13]),
            ("<h1></h1><p></p><ul><li></li><li></li></ul>", [3, 3, 3, 9]),
            ("", [7, 7, 7, 7]),
        ];
        for (other, [fringe, costly, free, no_epsilon]) in table {
            assert_eq!(cost(T1, other, Fringe, NEVER), fringe, "{other}");
            assert_eq!(cost(T1, other, Costly, NEVER), costly, "{other}");
            assert_eq!(cost(T1, other, Free, NEVER), free, "{other}");
            assert_eq!(cost(T1, other, Free, 0), no_epsilon, "{other}");
        }
        let nested = format!("<div>{T1}</div>");
        assert_eq!([cost(T1, &nested, Costly, NEVER), cost(T1, &nested, Free, NEVER), cost(T1, &nested, Free, 0)], [11, 11, 14]);
    }

    /// Examples of ours, by the definition and by the listing.
    #[test]
    fn inner_nodes_that_are_replaced_are_the_end_of_the_mapping() {
        use InnerReplacement::{Free, Fringe};
        let (one, two) = ("<ul><li></li></ul><b></b>", "<ul><li></li></ul><i></i>");
        assert_eq!(cost(one, two, Fringe, NEVER), 1);
        let (one, two) = ("<div><b></b><i></i></div>", "<section><b></b><i></i></section>");
        assert_eq!((cost(one, two, Free, NEVER), cost(one, two, Fringe, NEVER)), (0, 5));
        assert_eq!(cost("<div><p></p><p></p></div>", "<div><p></p><ul><li></li></ul></div>", Fringe, NEVER), 2);
        let (a, b) = (
            "<div><h1></h1><p></p><p></p></div><ul><li></li><li></li></ul>",
            "<ul><li></li><li></li><li></li></ul><div><h1></h1><p></p></div>",
        );
        assert_eq!(cost(a, b, Free, NEVER), 5);
    }

    fn kept(one: &str, two: &str, costs: &Costs) -> Vec<String> {
        let ((page, one), (_, two)) = (tree(one, Likeness::Exact), tree(two, Likeness::Exact));
        let kept = RtdmMapping::new(&one, &two, costs).kept();
        kept.into_iter().map(|node| page.name(node).to_owned()).collect()
    }

    #[test]
    fn what_stands_for_one_like_it_is_kept() {
        let (one, two) = ("<div><a>x</a><b>y</b></div><p>own</p><i>z</i>", "<div><u></u><b>y</b></div><p>other</p><i>z</i>");
        assert_eq!(kept(one, two, &Costs::default()), ["body", "div", "b", "#text", "p", "i", "#text"]);
        assert_eq!(kept(one, "<p class=c>own</p>", &Costs::default()), ["body"]);
        let subtrees = Costs { inner: InnerReplacement::Subtrees, ..Costs::default() };
        assert_eq!(kept(one, two, &subtrees), ["body", "i", "#text"]);
    }

    #[test]
    fn beyond_the_limit_only_ends_are_mapped() {
        let list = |own: &str| format!("<ul><li>first{}<li>last</ul>", own.repeat(60));
        let (one, two) = (list("<li>a<i></i>"), list("<li>b<i></i>"));
        assert_eq!(kept(&one, &two, &Costs::default()).len(), 2 + 4 + 60 * 2);
        assert_eq!(kept(&one, &two, &Costs { cells: 3, ..Costs::default() }), ["body", "ul", "li", "#text", "li", "#text"]);
    }

    /// The definition, by plain recursion.
    fn plain(mapping: &RtdmMapping, x: u32, y: u32) -> u32 {
        let (one, two) = (mapping.one.children(x), mapping.two.children(y));
        let mut m = vec![vec![0u32; two.len() + 1]; one.len() + 1];
        for i in 0..=one.len() {
            for j in 0..=two.len() {
                let delete = if i > 0 { m[i - 1][j] + mapping.one.size(one[i - 1]) } else { NEVER };
                let insert = if j > 0 { m[i][j - 1] + mapping.two.size(two[j - 1]) } else { NEVER };
                let substitute = if i > 0 && j > 0 && m[i - 1][j - 1] <= mapping.costs.epsilon {
                    let (x, y) = (one[i - 1], two[j - 1]);
                    let below = match mapping.descends(x, y) {
                        _ if mapping.is_equal(x, y) => 0,
                        true => plain(mapping, x, y),
                        false => mapping.one.below(x) + mapping.two.below(y),
                    };
                    m[i - 1][j - 1] + mapping.replace(x, y) + below
                } else {
                    NEVER
                };
                m[i][j] = if i + j == 0 { 0 } else { delete.min(insert).min(substitute) };
            }
        }
        m[one.len()][two.len()]
    }

    proptest! {
        #[test]
        fn short_cuts_do_not_change_the_cost(
            one in "(<(div|ul|li|b)>|</(div|ul|b)>|x){0,14}", two in "(<(div|ul|li|b)>|</(div|ul|b)>|x){0,14}", epsilon in 0u32..12,
        ) {
            let (one, two) = (tree(&one, Likeness::Tags).1, tree(&two, Likeness::Tags).1);
            for inner in [InnerReplacement::Fringe, InnerReplacement::Subtrees, InnerReplacement::Costly] {
                for epsilon in [epsilon, Costs::default().epsilon] {
                    let costs = Costs { inner, epsilon, ..Costs::default() };
                    let mapping = RtdmMapping::new(&one, &two, &costs);
                    prop_assert_eq!(mapping.cost(), plain(&mapping, 0, 0));
                    let kept = mapping.kept();
                    prop_assert!(kept.is_sorted_by(|a, b| a < b));
                }
            }
            let both = [RtdmMapping::new(&one, &two, &Costs::default()).cost(), RtdmMapping::new(&two, &one, &Costs::default()).cost()];
            prop_assert_eq!(both[0], both[1]);
        }
    }
}
