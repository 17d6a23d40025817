//! VIPS: blocks by rules on the tree, separators between them, and blocks joined across the weakest separators.
//!
//! Source: D. Cai, S. Yu, J.-R. Wen, W.-Y. Ma, *VIPS: a vision-based page segmentation algorithm*, Microsoft Research, MSR-TR-2003-79,
//! §4: which node is divided (`rules.rs`), where separators are (`separators.rs`), how a region is divided at its heaviest
//! separators, and so on for each part until all are coherent enough. The report gives no weights in numbers, so
//! these are ours, within its rules. Segments are the leaves, as in the comparison of Zelený (2017, §9.2.2); the tree has the regions that were divided too,
//! each with its degree of coherence.

mod rules;
pub(crate) mod separators;

use crate::layout::Layout;
use crate::node_views::Views;
use crate::rect::Rect;
use crate::registry::{Sees, SegmentEntry};
use crate::segmentation::{Group, SegmentTechnique, Segmentation};
use rules::Decision;
use separators::{Side, separators};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_page::parameters;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;

parameters! {
    /// The parameters of VIPS.
    pub struct Params {
        /// The permitted degree of coherence, from 1 to 10: what is less coherent is divided.
        pub pdoc: f64 = 5.0,
        /// The share of the page below which a node is small (rules 8 and 9).
        pub small: f64 = 0.1,
        /// How many pixels of a separator make up one unit of weight.
        pub gap: f64 = 8.0,
        /// What a rule (`hr`) in a separator adds to its weight.
        pub rule: f64 = 1.0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SegmentEntry = SegmentEntry {
    name: "vips",
    summary: "blocks by rules on tags, sizes and backgrounds, divided at the heaviest separators",
    source: "D. Cai, S. Yu, J.-R. Wen, W.-Y. Ma: VIPS, a Vision-based Page Segmentation Algorithm. Microsoft Research, MSR-TR-2003-79, 2003",
    cost: "n log n in the blocks, times the levels",
    kind: Sees::Boxes,
    parameters: Params::list,
    build: |settings| Ok(Box::new(Vips { params: read(settings)? })),
};

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Vips {
    params: Params,
}

/// A visual block: a node, and how coherent it is.
#[derive(Clone, Copy, Debug)]
struct Block {
    node: NodeId,
    rect: Rect,
    doc: f64,
}

/// Blocks that are one segment, or will be divided.
struct Region {
    blocks: Vec<Block>,
    /// The region that it is in, by its position among the groups.
    parent: Option<u32>,
    /// How many times the page was divided to come to it.
    level: u32,
    /// The degree of coherence of the region that it is in.
    doc: f64,
}

/// Regions below so many levels are not in the tree, only their leaves: each level names all boxes again.
const MOST_LEVELS: u32 = 6;

impl SegmentTechnique for Vips {
    fn name(&self) -> &'static str {
        "vips"
    }

    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation {
        let mut leaves: Vec<Vec<NodeId>> = self.groups(page, layout, 0).into_iter().map(|group| group.nodes).collect();
        leaves.sort_unstable();
        Segmentation::from_nodes(page, layout, leaves)
    }

    fn tree(&self, page: &Page, layout: &Layout) -> Segmentation {
        Segmentation::from_groups(page, layout, self.groups(page, layout, MOST_LEVELS))
    }
}

impl Vips {
    /// The leaves, and above them so many levels of the regions that were divided on the way to them, without the page itself. The degree of
    /// coherence of a region is that of its block, or of the whole that its separators leave, and never below that of the region it is in.
    fn groups(&self, page: &Page, layout: &Layout, levels: u32) -> Vec<Group> {
        let (mut groups, mut regions) = (Vec::new(), Vec::new());
        let views = Views::new(page, layout);
        let lines = Lines::new(page, layout);
        let body = page.body().filter(|_| !layout.boxes.is_empty());
        if let Some((node, rect)) = body.and_then(|body| Some((body, views.rect(body)?))) {
            regions.push(Region { blocks: vec![Block { node, rect, doc: 1.0 }], parent: None, level: 0, doc: 1.0 });
        }
        while let Some(Region { blocks, parent, level, doc: least }) = regions.pop() {
            let pdoc = self.params.pdoc;
            let (parts, doc) = match blocks[..] {
                [block] if block.doc >= pdoc => (Vec::new(), block.doc),
                [block] => (self.divide(&self.extract(&views, block), &views, &lines).0, block.doc),
                _ => self.divide(&blocks, &views, &lines),
            };
            let doc = doc.max(least);
            // Nothing to divide it at, or no need to.
            let is_leaf = parts.len() < 2 || blocks.len() > 1 && doc >= pdoc;
            let here = if is_leaf || (1..=levels).contains(&level) {
                let nodes = blocks.iter().map(|block| block.node).collect();
                groups.push(Group { nodes, parent, kind: None, coherence: Some(doc) });
                Some(groups.len() as u32 - 1)
            } else {
                parent
            };
            if !is_leaf {
                regions.extend(parts.into_iter().map(|blocks| Region { blocks, parent: here, level: level + 1, doc }));
            }
        }
        groups
    }

    /// Visual block extraction (§4.1): the blocks below one, in document order.
    fn extract(&self, views: &Views<'_>, block: Block) -> Vec<Block> {
        let mut found = Vec::new();
        let mut rest = vec![(block.node, Decision::Divide)];
        while let Some((node, decision)) = rest.pop() {
            match decision {
                Decision::Skip => {}
                Decision::Block(doc) => found.extend(views.rect(node).map(|rect| Block { node, rect, doc })),
                Decision::Divide => {
                    let children = views.decide_children(node, block.node, self.params.small);
                    if children.is_empty() {
                        found.extend(views.rect(node).map(|rect| Block { node, rect, doc: 10.0 }));
                    }
                    rest.extend(children.into_iter().rev());
                }
            }
        }
        found
    }

    /// Divides blocks at their heaviest separators (§4.2, §4.3); the parts, and how coherent the whole is.
    fn divide(&self, blocks: &[Block], views: &Views<'_>, lines: &Lines) -> (Vec<Vec<Block>>, f64) {
        let rects: Vec<Rect> = blocks.iter().map(|block| block.rect).collect();
        let region = Rect::around(rects.iter().copied()).unwrap_or_default();
        let mut weighed = Vec::new();
        for side in [Side::Horizontal, Side::Vertical] {
            let edges = |rect: &Rect| match side {
                Side::Horizontal => (rect.top, rect.bottom),
                Side::Vertical => (rect.left, rect.right),
            };
            let intervals: Vec<(i32, i32)> = rects.iter().map(edges).collect();
            let ends = Edges::new(blocks, intervals.iter().map(|edges| edges.1));
            let starts = Edges::new(blocks, intervals.iter().map(|edges| edges.0));
            for (from, to) in separators(&intervals) {
                let mut weight = views.weight(side, to - from, self.params.gap, ends.at(from), starts.at(to));
                if side == Side::Horizontal && lines.any_in(from, to, region) {
                    weight += self.params.rule;
                }
                weighed.push((weight, side, from, to));
            }
        }
        let Some(heaviest) = weighed.iter().map(|separator| separator.0).max_by(f64::total_cmp) else {
            // Blocks that lie over each other: each for itself.
            return (blocks.iter().map(|block| vec![*block]).collect(), 1.0);
        };
        let cuts = |side: Side| {
            let mut cuts: Vec<i32> =
                weighed.iter().filter(|found| found.0 == heaviest && found.1 == side).map(|found| found.2).collect();
            cuts.sort_unstable();
            cuts
        };
        let (rows, columns) = (cuts(Side::Horizontal), cuts(Side::Vertical));
        let cell = |block: &Block| {
            (rows.partition_point(|cut| *cut < block.rect.bottom), columns.partition_point(|cut| *cut < block.rect.right))
        };
        let mut sorted: Vec<((usize, usize), Block)> = blocks.iter().map(|block| (cell(block), *block)).collect();
        sorted.order_by_key(|(cell, block)| (*cell, block.node));
        let parts =
            sorted.chunk_by(|one, other| one.0 == other.0).map(|part| part.iter().map(|(_, block)| *block).collect()).collect();
        (parts, (10.0 - heaviest).clamp(1.0, 10.0))
    }
}

/// The rules (`hr`) of a page, from the top: a separator with one in it weighs more (§4.2).
struct Lines(Vec<Rect>);

/// So many rules of a separator are looked at.
const MOST_LINES: usize = 32;

impl Lines {
    fn new(page: &Page, layout: &Layout) -> Lines {
        let is_rule = |node: u32| (node as usize) < page.len() && page.tag(NodeId(node)) == Tag::Hr;
        let found = layout.boxes.iter().filter(|rendered| rendered.node.is_some_and(is_rule));
        let mut lines: Vec<Rect> = found.map(|rendered| rendered.rect).collect();
        lines.sort_unstable();
        Lines(lines)
    }

    /// Whether one lies between these edges, somewhere along a region.
    fn any_in(&self, from: i32, to: i32, region: Rect) -> bool {
        let first = self.0.partition_point(|line| line.top < from);
        let mut inside = self.0[first..].iter().take_while(|line| line.top < to).take(MOST_LINES);
        inside.any(|line| line.bottom <= to && line.right > region.left && line.left < region.right)
    }
}

/// Which blocks have an edge at a place. Sorted once, because there are as many separators as blocks.
struct Edges {
    places: Vec<i32>,
    nodes: Vec<NodeId>,
}

impl Edges {
    fn new(blocks: &[Block], places: impl Iterator<Item = i32>) -> Edges {
        let mut sorted: Vec<(i32, NodeId)> = places.zip(blocks.iter().map(|block| block.node)).collect();
        // Stable: those at one place stay in their order.
        sorted.order_by_key(|(place, _)| *place);
        let (places, nodes) = sorted.into_iter().unzip();
        Edges { places, nodes }
    }

    fn at(&self, place: i32) -> &[NodeId] {
        let first = self.places.partition_point(|other| *other < place);
        &self.nodes[first..first + self.places[first..].partition_point(|other| *other == place)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{BoxKind, RenderedBox};
    use proptest::prelude::*;

    /// A page with a header, two columns and a footer, set by hand.
    fn page() -> (Page, Layout) {
        let page =
            Page::parse("<body><div>head</div><div><div>left</div><div><p>one</p><p>two</p></div></div><div>foot</div></body>");
        let rects = [
            ("head", [0, 0, 600, 40]),
            ("left", [0, 80, 100, 300]),
            ("one", [160, 80, 600, 180]),
            ("two", [160, 184, 600, 300]),
            ("foot", [0, 340, 600, 360]),
        ];
        let texts = page.nodes().filter(|node| page.name(*node) == "#text");
        let boxes = texts.map(|node| {
            let rect = rects.iter().find(|(name, _)| *name == page.text(node)).unwrap().1;
            RenderedBox { node: Some(node.0), ..RenderedBox::new(BoxKind::Text, Rect::from(rect)) }
        });
        let boxes = boxes.collect();
        (page, Layout { width: 600, height: 360, boxes })
    }

    proptest! {
        #[test]
        fn blocks_at_an_edge_are_those_that_a_look_at_each_finds(places in prop::collection::vec(0..6, 0..20)) {
            let rect = Rect::from([0, 0, 1, 1]);
            let blocks: Vec<Block> = (0..places.len()).map(|node| Block { node: NodeId(node as u32), rect, doc: 1.0 }).collect();
            let edges = Edges::new(&blocks, places.iter().copied());
            for place in 0..6 {
                let found: Vec<NodeId> = blocks.iter().zip(&places).filter(|(_, at)| **at == place).map(|(block, _)| block.node).collect();
                prop_assert_eq!(edges.at(place), found);
            }
        }
    }

    #[test]
    fn a_page_is_divided_at_its_wide_gaps() {
        let (page, layout) = page();
        let found = Vips::default().segment(&page, &layout);
        let texts: Vec<String> =
            found.segments.iter().map(|segment| segment.nodes.iter().map(|node| page.text(*node)).collect()).collect();
        assert_eq!(texts, ["head", "left", "onetwo", "foot"]);
        let fine = Vips { params: Params { pdoc: 10.0, ..Params::default() } }.segment(&page, &layout);
        assert_eq!(fine.segments.len(), 5);
        let coarse = Vips { params: Params { pdoc: 1.0, ..Params::default() } }.segment(&page, &layout);
        assert_eq!(coarse.segments.len(), 1);
    }

    /// §4.2, the second of its rules on weights.
    #[test]
    fn a_rule_in_a_separator_makes_it_heavier() {
        let page = Page::parse("<body><p>one</p><p>two</p><hr><p>three</p></body>");
        let node = |name: &str| page.nodes().filter(|node| page.name(*node) == name).map(|node| Some(node.0)).collect::<Vec<_>>();
        let texts = node("#text").into_iter().zip([0, 40, 80]);
        let mut boxes: Vec<RenderedBox> = texts
            .map(|(node, top)| RenderedBox { node, ..RenderedBox::new(BoxKind::Text, Rect::from([0, top, 500, top + 20])) })
            .collect();
        boxes.push(RenderedBox { node: node("hr")[0], ..RenderedBox::new(BoxKind::Other, Rect::from([0, 69, 500, 71])) });
        let layout = Layout { width: 500, height: 100, boxes };
        let tree = |rule: f64| Vips { params: Params { pdoc: 10.0, rule, ..Params::default() } }.tree(&page, &layout);
        // Gaps are alike: without the rule the page falls into three at once.
        let areas = |found: &Segmentation| found.segments.iter().filter(|segment| segment.parent.is_none()).count();
        assert_eq!((areas(&tree(0.0)), areas(&tree(1.0))), (3, 2));
    }

    #[test]
    fn the_tree_has_what_was_divided_with_its_degree_of_coherence() {
        let (page, layout) = page();
        let vips = Vips { params: Params { pdoc: 10.0, ..Params::default() } };
        let tree = vips.tree(&page, &layout);
        let texts: Vec<String> =
            tree.segments.iter().map(|segment| segment.nodes.iter().map(|node| page.text(*node)).collect()).collect();
        assert!(texts.contains(&"onetwo".to_owned()) && texts.contains(&"one".to_owned()), "{texts:?}");
        for segment in &tree.segments {
            let degree = segment.coherence.unwrap();
            assert!((1.0..=10.0).contains(&degree));
            let whole = segment.parent.map_or(0.0, |parent| tree.segments[parent as usize].coherence.unwrap());
            assert!(whole <= degree, "{texts:?}");
        }
        let leaves = |found: &Segmentation| found.segments.iter().map(|segment| segment.nodes.clone()).collect::<Vec<_>>();
        assert_eq!(leaves(&tree.level(&page, &layout, 99)), leaves(&vips.segment(&page, &layout)));
        // A cut at a degree is what the technique finds with it.
        let coarse = Vips::default();
        assert_eq!(leaves(&tree.coherent(&page, &layout, 5.0)), leaves(&coarse.segment(&page, &layout)));
    }
}
