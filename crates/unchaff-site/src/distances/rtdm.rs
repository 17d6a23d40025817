//! RTDM: the cost of turning one tree into another, level by level.
//!
//! D. Reis, P. Golgher, A. da Silva, A. Laender: Automatic Web News Extraction Using Tree Edit Distance, 2004; in linear
//! space as in Gottron, 2008, algorithm 7.1. Restricted top-down mapping: the children of two mapped nodes are aligned like
//! letters of two words; what is not aligned is deleted or inserted with all that is below it. Costs are one for each node.
//!
//! Three things make it fast without changing the result: equal subtrees cost nothing and are known by their hash, the cost
//! of two kinds of subtrees is computed once for a pair of pages, and a substitution that cannot beat deleting or
//! inserting, because the sizes alone differ too much, is not computed. The walk keeps its own stack.

use super::structure::PageStructure;
use crate::learned::page_keys::{KeyMap, mix};
use unchaff_page::parameters::choice;

choice! {
    /// What it costs to map two inner nodes of different names to each other.
    pub enum InnerNames {
        /// One, like any other replacement, and one for the roots if they differ.
        Replaced = "replaced",
        /// Nothing (as printed): equal children below `div` and `table` are the same.
        Free = "free",
        /// Everything below both of them: only leaves are replaced (the restriction in the words of the paper).
        Fringe = "fringe",
    }
}

/// A tree, with a hash of the structure of each subtree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HashedTree {
    structure: PageStructure,
    hashes: Vec<u64>,
}

/// The hash of every subtree: names and order, nothing else.
#[must_use]
pub(crate) fn subtree_hashes(structure: &PageStructure) -> Vec<u64> {
    let mut hashes = vec![1u64; structure.len()];
    for node in (0..structure.len()).rev() {
        hashes[node] = mix(hashes[node], u64::from(structure.labels[node]));
        if node > 0 {
            // Children arrive from last to first, which tells orders apart as well.
            let parent = structure.parents[node] as usize;
            hashes[parent] = mix(hashes[parent], hashes[node]);
        }
    }
    hashes
}

impl HashedTree {
    /// The tree of a structure.
    #[must_use]
    pub fn new(structure: PageStructure) -> HashedTree {
        let hashes = subtree_hashes(&structure);
        HashedTree { structure, hashes }
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.structure.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.structure.is_empty()
    }

    fn size(&self, node: u32) -> u32 {
        self.structure.ends[node as usize] - node
    }

    fn label(&self, node: u32) -> u16 {
        self.structure.labels[node as usize]
    }

    fn hash(&self, node: u32) -> u64 {
        self.hashes[node as usize]
    }

    fn end(&self, node: u32) -> u32 {
        self.structure.ends[node as usize]
    }
}

const INFINITE: u32 = u32::MAX / 4;

/// Two nodes whose children are being aligned.
struct Frame {
    key: u64,
    /// The child of the first node whose row is computed, and where its children end.
    child: u32,
    end: u32,
    /// The column that comes next, from 1.
    column: usize,
    /// The value up and left of it, before its row was overwritten.
    diagonal: u32,
    /// Where the children of the second node and the row of costs start in their stacks.
    children: usize,
    row: usize,
}

/// The cost of turning one tree into the other. Where a cost before a substitution exceeds `epsilon`, it is not considered:
/// late in a long list, that means deleting and inserting.
#[must_use]
pub(crate) fn edit_cost(one: &HashedTree, other: &HashedTree, inner: InnerNames, epsilon: u32) -> u32 {
    if one.is_empty() || other.is_empty() {
        return (one.len() + other.len()) as u32;
    }
    let root = u32::from(inner == InnerNames::Replaced && one.label(0) != other.label(0));
    let mut known: KeyMap<u32> = KeyMap::default();
    let (mut frames, mut children, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    frames.push(open(one, other, 0, 0, &mut children, &mut rows));
    while let Some(frame) = frames.last_mut() {
        if let Some((child, node)) = advance(frame, &children, &mut rows, &known, (one, other), inner, epsilon) {
            let below = open(one, other, child, node, &mut children, &mut rows);
            frames.push(below);
            continue;
        }
        let cost = *rows.last().unwrap_or(&0);
        if let Some(done) = frames.pop() {
            known.insert(done.key, cost);
            children.truncate(done.children);
            rows.truncate(done.row);
            if frames.is_empty() {
                return cost + root;
            }
        }
    }
    root
}

fn open(one: &HashedTree, other: &HashedTree, first: u32, second: u32, children: &mut Vec<u32>, rows: &mut Vec<u32>) -> Frame {
    let frame = Frame {
        key: mix(one.hash(first), other.hash(second)),
        child: first + 1,
        end: one.end(first),
        column: 0,
        diagonal: 0,
        children: children.len(),
        row: rows.len(),
    };
    rows.push(0);
    let (mut child, mut cost) = (second + 1, 0);
    while child < other.end(second) {
        cost += other.size(child);
        children.push(child);
        rows.push(cost);
        child = other.end(child);
    }
    frame
}

/// Fills rows until all children are aligned (none), or the cost of two inner nodes is needed (those nodes).
fn advance(
    frame: &mut Frame,
    children: &[u32],
    rows: &mut [u32],
    known: &KeyMap<u32>,
    (one, other): (&HashedTree, &HashedTree),
    inner: InnerNames,
    epsilon: u32,
) -> Option<(u32, u32)> {
    let columns = &children[frame.children..];
    let row = &mut rows[frame.row..];
    while frame.child < frame.end {
        let child = frame.child;
        let size = one.size(child);
        if frame.column == 0 {
            frame.diagonal = row[0];
            row[0] += size;
            frame.column = 1;
        }
        while let Some(&node) = columns.get(frame.column - 1) {
            let node_size = other.size(node);
            let without = (row[frame.column] + size).min(row[frame.column - 1] + node_size);
            let replace = u32::from(one.label(child) != other.label(node));
            let substituted = if frame.diagonal > epsilon {
                INFINITE
            } else if one.hash(child) == other.hash(node) {
                frame.diagonal
            } else if size == 1 || node_size == 1 {
                frame.diagonal + replace + (size - 1) + (node_size - 1)
            } else if inner == InnerNames::Fringe && replace == 1 {
                frame.diagonal + 1 + (size - 1) + (node_size - 1)
            } else {
                let replace = if inner == InnerNames::Replaced { replace } else { 0 };
                // Every node that one side has more must be inserted or deleted.
                if frame.diagonal + replace + size.abs_diff(node_size) >= without {
                    INFINITE
                } else {
                    match known.get(&mix(one.hash(child), other.hash(node))) {
                        Some(cost) => frame.diagonal + replace + cost,
                        None => return Some((child, node)),
                    }
                }
            };
            frame.diagonal = row[frame.column];
            row[frame.column] = without.min(substituted);
            frame.column += 1;
        }
        frame.child = one.end(child);
        frame.column = 0;
    }
    None
}

/// The cost as a share of what deleting one tree and inserting the other costs.
#[must_use]
pub(crate) fn distance(one: &HashedTree, other: &HashedTree, inner: InnerNames, epsilon: u32) -> f64 {
    let cost = edit_cost(one, other, inner, epsilon);
    let roots = match (one.is_empty() || other.is_empty(), inner) {
        (true, _) => 0,
        (false, InnerNames::Replaced) => 1,
        (false, _) => 2,
    };
    let most = (one.len() + other.len()).saturating_sub(roots);
    if most == 0 { 0.0 } else { f64::from(cost) / most as f64 }
}

#[cfg(test)]
mod tests {
    use super::super::structure::tests::{tree, trees};
    use super::*;
    use proptest::prelude::*;

    fn cost(one: &str, other: &str, inner: InnerNames, epsilon: u32) -> u32 {
        edit_cost(&HashedTree::new(tree(one)), &HashedTree::new(tree(other)), inner, epsilon)
    }

    /// Examples of ours: as printed, with a price for names of inner nodes, and as printed with an ε of 0.
    #[test]
    fn costs_of_the_published_table() {
        let rows = [
            ("body(h1,div(p,p),ul(li,li))", 0, 0, 0),
            ("body(h1,div(p,p,p),ul(li,li))", 1, 1, 7),
            ("body(h1,div(p,p))", 3, 3, 3),
            ("body(h1,span(p,p),ul(li,li))", 0, 1, 0),
            ("body(h2,div(p,p),ul(li,li))", 1, 1, 13),
            ("body(h1,p,ul(li,li))", 3, 3, 9),
            ("body()", 7, 7, 7),
            ("body(div(h1,div(p,p),ul(li,li)))", 11, 11, 14),
        ];
        for (other, free, replaced, pruned) in rows {
            let to = |inner, epsilon| cost("body(h1,div(p,p),ul(li,li))", other, inner, epsilon);
            assert_eq!(
                [to(InnerNames::Free, u32::MAX), to(InnerNames::Replaced, u32::MAX), to(InnerNames::Free, 0)],
                [free, replaced, pruned],
                "{other}"
            );
        }
        assert_eq!(cost("html(p,p)", "div(p,p)", InnerNames::Free, u32::MAX), 0, "the roots are never compared");
        assert_eq!(cost("html(p,p)", "div(p,p)", InnerNames::Replaced, u32::MAX), 1);
    }

    /// Examples of ours. As printed, names of inner nodes are never compared (Gottron 2008, algorithm 7.1).
    #[test]
    fn costs_of_the_other_published_examples() {
        let all = |one: &str, other: &str| {
            [InnerNames::Free, InnerNames::Replaced, InnerNames::Fringe].map(|inner| cost(one, other, inner, u32::MAX))
        };
        assert_eq!(all("html(body(div(p,p)))", "html(body(div(p,ul(li))))"), [2, 2, 2]);
        assert_eq!(all("html(body(div(h1,p,p),ul(li,li)))", "html(body(ul(li,li,li),div(h1,p)))"), [5, 7, 8]);
        assert_eq!(all("html(body(div(p,p)))", "html(body(table(p,p)))"), [0, 1, 5]);
        assert_eq!(all("a(b,c)", "a(b,d)"), [1, 1, 1]);
        assert_eq!(all("a(b(x,y))", "a(b(x))"), [1, 1, 1]);
        assert_eq!(all("a(b(x))", "a(c(x))"), [0, 1, 3]);
    }

    #[test]
    fn depth_and_length_do_no_harm() {
        let deep = |name: &str| format!("{}p{}", format!("{name}(").repeat(3000), ")".repeat(3000));
        assert_eq!(cost(&deep("div"), &deep("ul"), InnerNames::Replaced, u32::MAX), 3000);
        let long = |name: &str| format!("ul({})", vec![format!("li({name})"); 2000].join(","));
        assert_eq!(cost(&long("a"), &long("b"), InnerNames::Replaced, u32::MAX), 2000);
        assert_eq!(distance(&HashedTree::default(), &HashedTree::default(), InnerNames::Replaced, 0), 0.0);
        assert_eq!(distance(&HashedTree::default(), &HashedTree::new(tree("p")), InnerNames::Replaced, 0), 1.0);
        assert_eq!(distance(&HashedTree::new(tree("p")), &HashedTree::new(tree("p")), InnerNames::Free, 0), 0.0);
    }

    /// Algorithm 3.7 of the thesis as printed: the whole matrix, no short cuts.
    fn quadratic(one: &PageStructure, other: &PageStructure, a: usize, b: usize, inner: InnerNames, epsilon: u32) -> u32 {
        let children = |tree: &PageStructure, node: usize| {
            (node + 1..tree.ends[node] as usize).filter(|child| tree.parents[*child] as usize == node).collect::<Vec<_>>()
        };
        let (ones, others) = (children(one, a), children(other, b));
        let mut matrix = vec![vec![0u32; others.len() + 1]; ones.len() + 1];
        for i in 0..=ones.len() {
            for j in 0..=others.len() {
                let size_one = |i: usize| one.size(ones[i - 1]) as u32;
                let size_other = |j: usize| other.size(others[j - 1]) as u32;
                matrix[i][j] = match (i, j) {
                    (0, 0) => 0,
                    (i, 0) => matrix[i - 1][0] + size_one(i),
                    (0, j) => matrix[0][j - 1] + size_other(j),
                    (i, j) => {
                        let (x, y) = (ones[i - 1], others[j - 1]);
                        let (sx, sy) = (size_one(i), size_other(j));
                        let replace = u32::from(one.labels[x] != other.labels[y]);
                        let same = one.labels[x..x + sx as usize] == other.labels[y..y + sy as usize]
                            && (0..sx as usize).all(|at| one.size(x + at) == other.size(y + at));
                        let sub = if same {
                            0
                        } else if sx == 1 || sy == 1 || (inner == InnerNames::Fringe && replace == 1) {
                            replace + sx - 1 + sy - 1
                        } else {
                            let below = quadratic(one, other, x, y, inner, epsilon);
                            below + if inner == InnerNames::Replaced { replace } else { 0 }
                        };
                        let sub = if matrix[i - 1][j - 1] > epsilon { INFINITE } else { matrix[i - 1][j - 1] + sub };
                        (matrix[i - 1][j] + sx).min(matrix[i][j - 1] + sy).min(sub)
                    }
                };
            }
        }
        matrix[ones.len()][others.len()]
    }

    proptest! {
        #[test]
        fn linear_space_and_short_cuts_agree_with_the_whole_matrix(one in trees(), other in trees(), epsilon in prop_oneof![0u32..6, Just(u32::MAX)]) {
            let (a, b) = (HashedTree::new(one.clone()), HashedTree::new(other.clone()));
            for inner in [InnerNames::Free, InnerNames::Replaced, InnerNames::Fringe] {
                let found = edit_cost(&a, &b, inner, epsilon);
                if one.is_empty() || other.is_empty() {
                    prop_assert_eq!(found as usize, one.len() + other.len());
                } else {
                    let root = u32::from(inner == InnerNames::Replaced && one.labels[0] != other.labels[0]);
                    prop_assert_eq!(found, quadratic(&one, &other, 0, 0, inner, epsilon) + root);
                }
            }
        }
    }
}
