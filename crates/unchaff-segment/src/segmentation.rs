//! What segmentation finds: segments of a page, as boxes and as nodes.
//!
//! A segment is a set of boxes that a reader sees, and the largest nodes that hold nothing else (Zelený 2017, Defs 22, 23).
//! Techniques that work on boxes and techniques that work on nodes meet here: either is turned into the other.
//!
//! Segments form a tree: the page has areas, these have parts, and so on. A flat list is a tree of one level. A cut through the tree
//! ([`Segmentation::cut`]) is flat again, and leaves nothing out: what of a divided segment is in none of its parts stays together.

use crate::largest_nodes::{Above, largest_nodes};
use crate::layout::Layout;
use crate::rect::Rect;
use serde::{Deserialize, Serialize};
use std::fmt;
use unchaff_dom::order::InOrder;
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
    /// What stands beside the content.
    Sidebar,
    /// One text of several: an article, a teaser, an entry.
    Article,
    /// A run of like records, such as products, teasers or posts, which are its parts.
    Records,
    /// A list of links.
    Links,
    /// The sign of the site.
    Logo,
    /// The title of the page, or of a part of it.
    Title,
    /// A form to search with.
    Search,
    /// A picture.
    Image,
    /// A film, or something else that is played.
    Video,
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
    /// All kinds.
    pub const ALL: [SegmentKind; 16] = {
        use SegmentKind::*;
        [
            Header,
            Menu,
            Content,
            Sidebar,
            Article,
            Records,
            Links,
            Logo,
            Title,
            Search,
            Image,
            Video,
            Comments,
            Advertisement,
            Footer,
            Template,
        ]
    };

    /// Its name in outputs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SegmentKind::Header => "header",
            SegmentKind::Menu => "menu",
            SegmentKind::Content => "content",
            SegmentKind::Sidebar => "sidebar",
            SegmentKind::Article => "article",
            SegmentKind::Records => "records",
            SegmentKind::Links => "links",
            SegmentKind::Logo => "logo",
            SegmentKind::Title => "title",
            SegmentKind::Search => "search",
            SegmentKind::Image => "image",
            SegmentKind::Video => "video",
            SegmentKind::Comments => "comments",
            SegmentKind::Advertisement => "advertisement",
            SegmentKind::Footer => "footer",
            SegmentKind::Template => "template",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<SegmentKind> {
        SegmentKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl fmt::Display for SegmentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A segment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Segment {
    /// The segment that it is a part of, by its position in the list, which is before its own; none for the areas of the page.
    pub parent: Option<u32>,
    /// The smallest rectangle around its boxes, those that hold them among these (the bounding box of a cluster); none if the page was not rendered.
    pub rect: Option<Rect>,
    /// The text lines and images in it, by their positions in the layout.
    pub boxes: Vec<u32>,
    /// The largest nodes that hold nothing but it, in document order.
    pub nodes: Vec<NodeId>,
    /// What it is for, if that can be told.
    pub kind: Option<SegmentKind>,
    /// What it is called on its site, the same on all pages, if it is an area of the site or a part of one and pages of the site were segmented together.
    pub name: Option<String>,
    /// The degree of coherence (VIPS), from 1 to 10: the higher, the less sense it makes to divide it. No part has less than the whole.
    pub coherence: Option<f64>,
}

impl Segment {
    /// Whether it is a run of records, which puts parts together and is none itself.
    #[must_use]
    pub fn is_run(&self) -> bool {
        self.kind == Some(SegmentKind::Records)
    }
}

/// The segments of a page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Segmentation {
    /// The segments, each before its parts: from the top if the page was rendered, else in document order.
    pub segments: Vec<Segment>,
    /// Text lines and images in no segment.
    pub unclustered: Vec<u32>,
    /// Whether what of a divided segment is in none of its parts is in no segment, as in clustering; else it is one.
    pub is_loose: bool,
}

/// A technique that finds segments.
pub trait SegmentTechnique: Send + Sync {
    /// The name under which the registry knows it.
    fn name(&self) -> &'static str;

    /// Finds the segments of a page. The layout is empty if the page was not rendered.
    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation;

    /// The same segments with those that they are parts of, if the technique comes to them by dividing or joining.
    fn tree(&self, page: &Page, layout: &Layout) -> Segmentation {
        self.segment(page, layout)
    }
}

/// A group of nodes that becomes a segment of a tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Group {
    /// The roots; those of parts stand in them.
    pub nodes: Vec<NodeId>,
    /// The group that it is a part of, by its position in the list, which is before its own.
    pub parent: Option<u32>,
    /// What it is for, if that is known.
    pub kind: Option<SegmentKind>,
    /// Its degree of coherence, if that is known.
    pub coherence: Option<f64>,
}

/// A cluster of boxes that becomes a segment of a tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cluster {
    /// The boxes of the layout that are in none of its parts.
    pub boxes: Vec<u32>,
    /// The cluster that it is a part of, by its position in the list, which is before its own.
    pub parent: Option<u32>,
    /// Its degree of coherence, if that is known.
    pub coherence: Option<f64>,
}

impl Segmentation {
    /// Segments from groups of boxes of the layout. Boxes that hold others stand for what is in them.
    #[must_use]
    pub fn from_boxes(page: &Page, layout: &Layout, groups: impl IntoIterator<Item = Vec<u32>>) -> Segmentation {
        let clusters = groups.into_iter().map(|boxes| Cluster { boxes, ..Cluster::default() }).collect();
        Segmentation { is_loose: false, ..Segmentation::from_clusters(page, layout, clusters) }
    }

    /// A tree of segments from clusters of boxes of the layout, each after the one that it is a part of; what is in a part is in the whole too.
    #[must_use]
    pub fn from_clusters(page: &Page, layout: &Layout, clusters: Vec<Cluster>) -> Segmentation {
        let mut owners: Vec<Option<u32>> = vec![None; layout.boxes.len()];
        let mut bounds: Vec<Option<Rect>> = Vec::new();
        for (number, cluster) in (0..).zip(&clusters) {
            bounds.push(Rect::around(cluster.boxes.iter().map(|member| layout.boxes[*member as usize].rect)));
            cluster.boxes.iter().for_each(|member| owners[*member as usize] = Some(number));
        }
        for (at, cluster) in clusters.iter().enumerate().rev() {
            if let Some(parent) = cluster.parent.map(|parent| parent as usize) {
                bounds[parent] = Rect::around(bounds[parent].into_iter().chain(bounds[at]));
            }
        }
        for (at, rendered) in layout.boxes.iter().enumerate() {
            if let Some(parent) = rendered.parent.filter(|_| owners[at].is_none()) {
                owners[at] = owners[parent as usize];
            }
        }
        let above = Above::new(clusters.iter().map(|cluster| cluster.parent).collect());
        let nodes = largest_nodes(page, layout, &owners, &above);
        let groups = nodes.into_iter().zip(clusters);
        let groups =
            groups.map(|(nodes, Cluster { parent, coherence, .. })| Group { nodes, parent, kind: None, coherence }).collect();
        Segmentation { is_loose: true, ..Segmentation::assemble(layout, &owners, groups, &bounds) }
    }

    /// Segments from groups of nodes; where groups are nested, what is in the inner one is not in the outer.
    #[must_use]
    pub fn from_nodes(page: &Page, layout: &Layout, groups: Vec<Vec<NodeId>>) -> Segmentation {
        let groups = groups.into_iter().map(|nodes| Group { nodes, ..Group::default() }).collect();
        Segmentation::from_groups(page, layout, groups)
    }

    /// A tree of segments from groups of nodes, each after the one that it is a part of; what is in a part is in the whole too. Groups of which nothing
    /// is seen, with their parts, are left out.
    #[must_use]
    pub fn from_groups(page: &Page, layout: &Layout, mut groups: Vec<Group>) -> Segmentation {
        for group in &mut groups {
            group.nodes.sort_unstable();
            group.nodes.dedup();
        }
        let of_node = group_of_nodes(page, groups.iter().map(|group| group.nodes.as_slice()));
        let owner = |node: u32| of_node.get(node as usize).copied().flatten();
        let owners: Vec<Option<u32>> = layout.boxes.iter().map(|rendered| rendered.node.and_then(owner)).collect();
        Segmentation::assemble(layout, &owners, groups, &[])
    }

    fn assemble(layout: &Layout, owners: &[Option<u32>], groups: Vec<Group>, bounds: &[Option<Rect>]) -> Segmentation {
        let mut segments: Vec<Segment> = groups
            .into_iter()
            .map(|Group { nodes, parent, kind, coherence }| Segment { parent, nodes, kind, coherence, ..Segment::default() })
            .collect();
        let mut unclustered = Vec::new();
        for at in layout.content() {
            let mut owner = owners[at as usize];
            unclustered.extend(owner.is_none().then_some(at));
            while let Some(segment) = owner {
                segments[segment as usize].boxes.push(at);
                owner = segments[segment as usize].parent;
            }
        }
        for (at, segment) in segments.iter_mut().enumerate() {
            let texts = segment.boxes.iter().map(|at| layout.boxes[*at as usize].rect);
            segment.rect = Rect::around(texts.chain(bounds.get(at).copied().flatten()));
        }
        if !layout.boxes.is_empty() {
            segments = kept(segments, |segment| !segment.boxes.is_empty());
        }
        Segmentation { segments: in_order(segments), unclustered, is_loose: false }
    }

    /// The same with each segment before its parts, and parts of one whole from the top, or in document order if they have no place.
    pub(crate) fn ordered(self) -> Segmentation {
        Segmentation { segments: in_order(self.segments), ..self }
    }

    /// The level of each segment: 1 for the areas of the page, 2 for their parts, and so on. A run of records puts parts together, so that they are of its level.
    #[must_use]
    pub fn levels(&self) -> Vec<u32> {
        self.steps(|whole| u32::from(!whole.is_run()))
    }

    /// The depth of each segment in the tree: one more than that of the segment that it is a part of, whatever that is.
    pub(crate) fn depths(&self) -> Vec<u32> {
        self.steps(|_| 1)
    }

    /// How far each segment is from the top of the tree, where 1 is, by how far each is from the one that it is a part of.
    fn steps(&self, step: impl Fn(&Segment) -> u32) -> Vec<u32> {
        let mut steps: Vec<u32> = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            let whole = segment.parent.map(|whole| whole as usize);
            let steps_to = whole.map_or(1, |whole| steps[whole] + step(&self.segments[whole]));
            steps.push(steps_to);
        }
        steps
    }

    /// A cut through the tree, which is flat: from the top, segments are replaced by their parts as long as `is_divided`, asked with their
    /// positions, says so. What of a divided segment is in none of its parts is a segment of the same kind, or, of clusters, in none. What has no parts is kept
    /// whatever is said.
    #[must_use]
    pub fn cut(&self, page: &Page, layout: &Layout, is_divided: impl Fn(usize) -> bool) -> Segmentation {
        let mut parts: Vec<Vec<u32>> = vec![Vec::new(); self.segments.len()];
        for (at, segment) in (0..).zip(&self.segments) {
            segment.parent.into_iter().for_each(|parent| parts[parent as usize].push(at));
        }
        // Whether a segment is reached: all that it is a part of are divided.
        let mut reached = vec![true; self.segments.len()];
        let (mut segments, mut unclustered) = (Vec::new(), self.unclustered.clone());
        for (at, segment) in self.segments.iter().enumerate() {
            let divided = reached[at] && !parts[at].is_empty() && is_divided(at);
            parts[at].iter().for_each(|part| reached[*part as usize] = divided);
            if divided {
                let rest = self.rest(page, layout, segment, &parts[at]);
                match self.is_loose {
                    true => unclustered.extend(rest.into_iter().flat_map(|rest| rest.boxes)),
                    false => segments.extend(rest),
                }
            } else if reached[at] {
                segments.push(Segment { parent: None, ..segment.clone() });
            }
        }
        unclustered.sort_unstable();
        Segmentation { segments: in_order(segments), unclustered, is_loose: self.is_loose }
    }

    /// The cut at a level: its segments, and those above it that have no parts. Of a run it has the records.
    #[must_use]
    pub fn level(&self, page: &Page, layout: &Layout, level: u32) -> Segmentation {
        let levels = self.levels();
        self.cut(page, layout, |at| levels[at] < level || self.segments[at].is_run())
    }

    /// The cut at which all segments are as coherent as this, as far as they can be divided. Of which the degree is not known counts as 1.
    #[must_use]
    pub fn coherent(&self, page: &Page, layout: &Layout, least: f64) -> Segmentation {
        self.cut(page, layout, |at| self.segments[at].coherence.unwrap_or(1.0) < least)
    }

    /// The cut at which no segment has more than this share of the page, as far as they can be divided: of its area, or, if it was not rendered, of its
    /// characters.
    #[must_use]
    pub fn no_larger(&self, page: &Page, layout: &Layout, most: f64) -> Segmentation {
        let all = Rect::around(self.segments.iter().filter_map(|segment| segment.rect)).map_or(0, Rect::area) as f64;
        let characters = |nodes: &[NodeId]| nodes.iter().map(|node| f64::from(page.counts(*node).chars)).sum::<f64>();
        let whole = characters(&[page.root()]).max(1.0);
        self.cut(page, layout, |at| match self.segments[at].rect {
            Some(rect) => rect.area() as f64 > most * all,
            None => characters(&self.segments[at].nodes) > most * whole,
        })
    }

    /// What of a segment is in none of its parts.
    fn rest(&self, page: &Page, layout: &Layout, segment: &Segment, parts: &[u32]) -> Option<Segment> {
        let in_parts = |list: &dyn Fn(&Segment) -> Vec<u32>| {
            let mut all: Vec<u32> = parts.iter().flat_map(|part| list(&self.segments[*part as usize])).collect();
            all.sort_unstable();
            all
        };
        let taken = in_parts(&|part| part.boxes.clone());
        let boxes: Vec<u32> = segment.boxes.iter().filter(|at| taken.binary_search(at).is_err()).copied().collect();
        if !layout.boxes.is_empty() && boxes.is_empty() {
            return None;
        }
        let mut seen: Vec<u32> = boxes.iter().filter_map(|at| layout.boxes[*at as usize].node).collect();
        seen.sort_unstable();
        let roots = in_parts(&|part| part.nodes.iter().map(|node| node.0).collect());
        let any = |sorted: &[u32], node: NodeId| {
            let range = page.range(node);
            let first = sorted.partition_point(|other| (*other as usize) < range.start);
            sorted.get(first).is_some_and(|other| (*other as usize) < range.end)
        };
        let (mut nodes, mut open) = (Vec::new(), segment.nodes.clone());
        while let Some(node) = open.pop() {
            if roots.binary_search(&node.0).is_ok() {
                continue;
            }
            if any(&roots, node) {
                open.extend(page.children(node));
            } else if any(&seen, node) || layout.boxes.is_empty() && page.counts(node).tokens > 0 {
                nodes.push(node);
            }
        }
        nodes.sort_unstable();
        let rect = Rect::around(boxes.iter().map(|at| layout.boxes[*at as usize].rect));
        let is_seen = !nodes.is_empty() || !boxes.is_empty();
        let rest = Segment { rect, boxes, nodes, kind: segment.kind, name: segment.name.clone(), ..Segment::default() };
        is_seen.then_some(rest)
    }
}

/// The segments that are wanted, without the parts of those that are not.
fn kept(segments: Vec<Segment>, wanted: impl Fn(&Segment) -> bool) -> Vec<Segment> {
    let mut places: Vec<Option<u32>> = Vec::with_capacity(segments.len());
    let mut kept: Vec<Segment> = Vec::new();
    for mut segment in segments {
        let parent = segment.parent.map(|parent| places[parent as usize]);
        if parent == Some(None) || !wanted(&segment) {
            places.push(None);
            continue;
        }
        segment.parent = parent.flatten();
        places.push(Some(kept.len() as u32));
        kept.push(segment);
    }
    kept
}

/// Segments of a tree with each before its parts, and those of one whole from the top.
fn in_order(mut segments: Vec<Segment>) -> Vec<Segment> {
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); segments.len() + 1];
    let top = segments.len();
    for (at, segment) in segments.iter().enumerate() {
        parts[segment.parent.map_or(top, |parent| parent as usize)].push(at);
    }
    for list in &mut parts {
        // Stable, and taken from the end.
        list.order_by_key(|at| (segments[*at].rect, segments[*at].nodes.first().copied()));
        list.reverse();
    }
    let mut order: Vec<Segment> = Vec::with_capacity(segments.len());
    let mut open: Vec<(usize, Option<u32>)> = parts[top].iter().map(|at| (*at, None)).collect();
    while let Some((at, parent)) = open.pop() {
        let here = Some(order.len() as u32);
        order.push(Segment { parent, ..std::mem::take(&mut segments[at]) });
        open.extend(parts[at].iter().map(|part| (*part, here)));
    }
    order
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

    /// The first half as an area with a part, the second without.
    fn tree(page: &Page, layout: &Layout) -> Segmentation {
        let tagged = |name: &str| page.nodes().filter(|node| page.name(*node) == name).collect::<Vec<NodeId>>();
        let (areas, paragraphs) = (tagged("div"), tagged("p"));
        let group = |node: NodeId, parent, coherence| Group { nodes: vec![node], parent, kind: None, coherence: Some(coherence) };
        let groups = vec![group(areas[1], None, 8.0), group(areas[0], None, 3.0), group(paragraphs[1], Some(1), 10.0)];
        Segmentation::from_groups(page, layout, groups)
    }

    fn texts(page: &Page, found: &Segmentation) -> Vec<String> {
        found.segments.iter().map(|segment| segment.nodes.iter().map(|node| page.text(*node)).collect()).collect()
    }

    #[test]
    fn segments_stand_before_their_parts_and_have_what_these_have() {
        let page = page();
        let found = tree(&page, &layout(&page, "p"));
        assert_eq!(texts(&page, &found), ["onetwo", "two", "threefour"]);
        assert_eq!(found.levels(), [1, 2, 1]);
        assert_eq!(
            found.segments.iter().map(|segment| segment.boxes.clone()).collect::<Vec<_>>(),
            [vec![0, 1], vec![1], vec![2, 3]]
        );
        let parents: Vec<Option<u32>> = found.segments.iter().map(|segment| segment.parent).collect();
        assert_eq!(parents, [None, Some(0), None]);
        assert_eq!(found.segments[0].rect, Some(Rect::from([0, 0, 100, 36])));
    }

    #[test]
    fn a_cut_is_flat_and_leaves_nothing_out() {
        let page = page();
        for layout in [layout(&page, "p"), Layout::default()] {
            let found = tree(&page, &layout);
            let upper = ["onetwo", "threefour"];
            let lower = ["one", "two", "threefour"];
            assert_eq!(texts(&page, &found.level(&page, &layout, 1)), upper);
            assert_eq!(texts(&page, &found.level(&page, &layout, 2)), lower);
            assert_eq!(found.level(&page, &layout, 9), found.level(&page, &layout, 2));
            assert_eq!(texts(&page, &found.coherent(&page, &layout, 3.0)), upper);
            assert_eq!(texts(&page, &found.coherent(&page, &layout, 5.0)), lower);
            assert_eq!(texts(&page, &found.no_larger(&page, &layout, 1.0)), upper);
            assert_eq!(texts(&page, &found.no_larger(&page, &layout, 0.1)), lower);
            let flat = found.level(&page, &layout, 2);
            assert!(flat.segments.iter().all(|segment| segment.parent.is_none()));
            let boxes: Vec<u32> = flat.segments.iter().flat_map(|segment| segment.boxes.clone()).collect();
            assert_eq!(boxes, layout.content().collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_is_not_seen_is_left_out_with_its_parts() {
        let page = page();
        let mut layout = layout(&page, "p");
        layout.boxes.truncate(2);
        let found = tree(&page, &layout);
        assert_eq!(texts(&page, &found), ["onetwo", "two"]);
        layout.boxes = layout.boxes.split_off(1);
        layout.boxes[0].node = page.nodes().filter(|node| page.name(*node) == "p").nth(2).map(|node| node.0);
        assert_eq!(texts(&page, &tree(&page, &layout)), ["threefour"]);
    }
}
