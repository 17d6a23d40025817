//! The nodes of segments that are made of boxes (Zelený 2017, Defs 22, 23): the largest of which all that is seen belongs to one. Where segments are parts of others, each has its own.

use crate::layout::Layout;
use unchaff_dom::{NodeId, Page};

/// What the nodes below one belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    /// There is nothing to see.
    Empty,
    /// All of one segment, this the innermost.
    Segment(u32),
    /// Of several, or of none.
    Mixed,
}

/// The tree of clusters, by the parent of each.
pub(crate) struct Above {
    parents: Vec<Option<u32>>,
    depths: Vec<u32>,
}

impl Above {
    pub(crate) fn new(parents: Vec<Option<u32>>) -> Above {
        let mut depths: Vec<u32> = Vec::with_capacity(parents.len());
        for parent in &parents {
            depths.push(parent.map_or(0, |parent| depths[parent as usize] + 1));
        }
        Above { parents, depths }
    }

    /// What nodes belong to of which some belong to one and the others to the other: the innermost cluster that holds both.
    fn join(&self, one: Label, other: Label) -> Label {
        let (mut one, mut other) = match (one, other) {
            (Label::Empty, label) | (label, Label::Empty) => return label,
            (Label::Segment(one), Label::Segment(other)) => (one, other),
            _ => return Label::Mixed,
        };
        while one != other {
            let deeper = if self.depths[one as usize] >= self.depths[other as usize] { &mut one } else { &mut other };
            match self.parents[*deeper as usize] {
                Some(parent) => *deeper = parent,
                None => return Label::Mixed,
            }
        }
        Label::Segment(one)
    }
}

/// For each segment the largest nodes of which all boxes belong to it; the document itself is none. A text node that several segments share goes to the one
/// with most of its lines.
pub(crate) fn largest_nodes(page: &Page, layout: &Layout, owners: &[Option<u32>], above: &Above) -> Vec<Vec<NodeId>> {
    let mut labels = vec![Label::Empty; page.len()];
    let mut lines: Vec<(u32, Option<u32>)> = layout
        .content()
        .filter_map(|at| Some((layout.boxes[at as usize].node?, owners[at as usize])))
        .filter(|(node, _)| (*node as usize) < page.len())
        .collect();
    lines.sort_unstable();
    for of_node in lines.chunk_by(|one, other| one.0 == other.0) {
        let most = of_node.chunk_by(|one, other| one.1 == other.1).max_by_key(|same| same.len());
        let owner = most.and_then(|same| same[0].1);
        labels[of_node[0].0 as usize] = owner.map_or(Label::Mixed, Label::Segment);
    }
    for at in (1..page.len()).rev() {
        if let Some(parent) = page.parent(NodeId(at as u32)) {
            labels[parent.index()] = above.join(labels[parent.index()], labels[at]);
        }
    }
    let mut nodes = vec![Vec::new(); above.parents.len()];
    for node in page.nodes() {
        let (Label::Segment(innermost), Some(parent)) = (labels[node.index()], page.parent(node)) else { continue };
        // It is the largest for all clusters around it that do not hold its parent too.
        let held = if parent == page.root() { Label::Mixed } else { labels[parent.index()] };
        let mut owner = Some(innermost);
        while let Some(cluster) = owner.filter(|cluster| held != Label::Segment(*cluster)) {
            nodes[cluster as usize].push(node);
            owner = above.parents[cluster as usize];
        }
    }
    nodes
}
