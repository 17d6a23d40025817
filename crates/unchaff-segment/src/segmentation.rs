//! What segmentation finds: segments of a page, as boxes and as nodes.
//!
//! A segment is a set of boxes that a reader sees, and the largest nodes that hold nothing else (Zelený 2017, Defs 22, 23).
//! Techniques that work on boxes and techniques that work on nodes meet here: either is turned into the other.

use crate::layout::Layout;
use crate::rect::Rect;
use serde::{Deserialize, Serialize};
use std::fmt;
use unchaff_dom::{NodeId, Page};

/// What a segment is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SegmentKind {
    /// The head of the page.
    Header,
    /// The menu.
    Menu,
    /// What the page is about.
    Content,
    /// A list of links.
    Links,
    /// What readers wrote.
    Comments,
    /// Advertisements.
    Advertisement,
    /// The foot of the page.
    Footer,
    /// What the site has on other pages too, and is none of the above.
    Template,
}

impl SegmentKind {
    /// Its name in outputs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SegmentKind::Header => "header",
            SegmentKind::Menu => "menu",
            SegmentKind::Content => "content",
            SegmentKind::Links => "links",
            SegmentKind::Comments => "comments",
            SegmentKind::Advertisement => "advertisement",
            SegmentKind::Footer => "footer",
            SegmentKind::Template => "template",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<SegmentKind> {
        use SegmentKind::{Advertisement, Comments, Content, Footer, Header, Links, Menu, Template};
        let kinds = [Header, Menu, Content, Links, Comments, Advertisement, Footer, Template];
        kinds.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl fmt::Display for SegmentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A segment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Segment {
    /// The smallest rectangle around its boxes, those that hold them among these (the bounding box of a cluster); none if the page was not rendered.
    pub rect: Option<Rect>,
    /// The text lines and images in it, by their positions in the layout.
    pub boxes: Vec<u32>,
    /// The largest nodes that hold nothing but it, in document order.
    pub nodes: Vec<NodeId>,
    /// What it is for, if that can be told.
    pub kind: Option<SegmentKind>,
}

/// The segments of a page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Segmentation {
    /// The segments: from the top if the page was rendered, else in document order.
    pub segments: Vec<Segment>,
    /// Text lines and images in no segment.
    pub unclustered: Vec<u32>,
}

/// A technique that finds segments.
pub trait SegmentTechnique: Send + Sync {
    /// The name under which the registry knows it.
    fn name(&self) -> &'static str;

    /// Finds the segments of a page. The layout is empty if the page was not rendered.
    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation;
}

/// What the nodes below one belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    /// There is nothing to see.
    Empty,
    /// All of one segment.
    Segment(u32),
    /// Of several, or of none.
    Mixed,
}

impl Label {
    fn with(self, other: Label) -> Label {
        match (self, other) {
            (Label::Empty, label) | (label, Label::Empty) => label,
            (one, other) if one == other => one,
            _ => Label::Mixed,
        }
    }
}

impl Segmentation {
    /// Segments from groups of boxes of the layout. Boxes that hold others stand for what is in them.
    #[must_use]
    pub fn from_boxes(page: &Page, layout: &Layout, groups: impl IntoIterator<Item = Vec<u32>>) -> Segmentation {
        let mut owners: Vec<Option<u32>> = vec![None; layout.boxes.len()];
        let mut count = 0;
        let mut bounds: Vec<Option<Rect>> = Vec::new();
        for group in groups {
            bounds.push(Rect::around(group.iter().map(|member| layout.boxes[*member as usize].rect)));
            group.iter().for_each(|member| owners[*member as usize] = Some(count));
            count += 1;
        }
        for (at, rendered) in layout.boxes.iter().enumerate() {
            if let Some(parent) = rendered.parent.filter(|_| owners[at].is_none()) {
                owners[at] = owners[parent as usize];
            }
        }
        let nodes = largest_nodes(page, layout, &owners, count);
        Segmentation::assemble(layout, &owners, nodes, &bounds)
    }

    /// Segments from groups of nodes; where groups are nested, what is in the inner one is not in the outer.
    #[must_use]
    pub fn from_nodes(page: &Page, layout: &Layout, mut groups: Vec<Vec<NodeId>>) -> Segmentation {
        for group in &mut groups {
            group.sort_unstable();
            group.dedup();
        }
        let of_node = group_of_nodes(page, groups.iter().map(Vec::as_slice));
        let owner = |node: u32| of_node.get(node as usize).copied().flatten();
        let owners: Vec<Option<u32>> = layout.boxes.iter().map(|rendered| rendered.node.and_then(owner)).collect();
        Segmentation::assemble(layout, &owners, groups, &[])
    }

    fn assemble(layout: &Layout, owners: &[Option<u32>], nodes: Vec<Vec<NodeId>>, bounds: &[Option<Rect>]) -> Segmentation {
        let segments = nodes.into_iter().map(|nodes| Segment { nodes, ..Segment::default() }).collect();
        let mut found = Segmentation { segments, unclustered: Vec::new() };
        for at in layout.content() {
            match owners[at as usize] {
                Some(owner) => found.segments[owner as usize].boxes.push(at),
                None => found.unclustered.push(at),
            }
        }
        for (at, segment) in found.segments.iter_mut().enumerate() {
            let texts = segment.boxes.iter().map(|at| layout.boxes[*at as usize].rect);
            segment.rect = Rect::around(texts.chain(bounds.get(at).copied().flatten()));
        }
        if !layout.boxes.is_empty() {
            found.segments.retain(|segment| !segment.boxes.is_empty());
        }
        found.segments.sort_by_key(|segment| (segment.rect, segment.nodes.first().copied()));
        found
    }
}

/// The group that each node is in, given the roots of each; where groups are nested, the inner one.
#[must_use]
pub fn group_of_nodes<'g>(page: &Page, groups: impl IntoIterator<Item = &'g [NodeId]>) -> Vec<Option<u32>> {
    let mut of_node: Vec<Option<u32>> = vec![None; page.len()];
    for (number, roots) in (0..).zip(groups) {
        roots.iter().for_each(|root| of_node[root.index()] = Some(number));
    }
    for node in page.nodes() {
        if of_node[node.index()].is_none() {
            of_node[node.index()] = page.parent(node).and_then(|parent| of_node[parent.index()]);
        }
    }
    of_node
}

/// For each segment the largest nodes of which all boxes belong to it; the document itself is none. A text node that several segments share goes to the one
/// with most of its lines.
fn largest_nodes(page: &Page, layout: &Layout, owners: &[Option<u32>], segments: u32) -> Vec<Vec<NodeId>> {
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
            labels[parent.index()] = labels[parent.index()].with(labels[at]);
        }
    }
    let mut nodes = vec![Vec::new(); segments as usize];
    for node in page.nodes() {
        if let Label::Segment(owner) = labels[node.index()]
            && page.parent(node).is_some_and(|parent| parent == page.root() || labels[parent.index()] != labels[node.index()])
        {
            nodes[owner as usize].push(node);
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{BoxKind, RenderedBox};

    fn page() -> Page {
        Page::parse("<body><div><p>one</p><p>two</p></div><div><p>three</p><p>four</p></div></body>")
    }

    fn layout(page: &Page, tag: &str) -> Layout {
        let nodes = page.nodes().filter(|node| page.name(*node) == tag);
        let boxes = nodes.enumerate().map(|(at, node)| {
            let top = 20 * at as i32;
            RenderedBox { node: Some(node.0), ..RenderedBox::new(BoxKind::Text, Rect::from([0, top, 100, top + 16])) }
        });
        Layout { width: 100, height: 100, boxes: boxes.collect() }
    }

    /// A page made by hand.
    #[test]
    fn a_segment_is_the_largest_nodes_that_hold_nothing_else() {
        let page = page();
        let layout = layout(&page, "p");
        let found = Segmentation::from_boxes(&page, &layout, [vec![0, 1], vec![2]]);
        let names = |segment: &Segment| {
            segment.nodes.iter().map(|node| (page.name(*node).to_owned(), page.text(*node).to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(names(&found.segments[0]), [("div".to_owned(), "onetwo".to_owned())]);
        assert_eq!(names(&found.segments[1]), [("p".to_owned(), "three".to_owned())]);
        assert_eq!(found.unclustered, [3]);
        assert_eq!(found.segments[0].rect, Some(Rect::from([0, 0, 100, 36])));
    }

    #[test]
    fn the_box_of_a_cluster_is_around_all_its_members() {
        let page = page();
        let mut layout = layout(&page, "#text");
        let around = RenderedBox::new(BoxKind::Other, Rect::from([0, 0, 300, 50]));
        layout.boxes.push(around);
        let found = Segmentation::from_boxes(&page, &layout, [vec![0, 4]]);
        assert_eq!(found.segments[0].rect, Some(Rect::from([0, 0, 300, 50])));
        assert_eq!(found.unclustered, [1, 2, 3]);
    }

    #[test]
    fn nodes_and_boxes_tell_of_the_same_segments() {
        let page = page();
        let layout = layout(&page, "#text");
        let found = Segmentation::from_boxes(&page, &layout, [vec![0, 1], vec![2, 3]]);
        let again =
            Segmentation::from_nodes(&page, &layout, found.segments.iter().map(|segment| segment.nodes.clone()).collect());
        assert_eq!(found, again);
    }
}
