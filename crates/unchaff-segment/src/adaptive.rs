//! Each region of the page by what suits it: running text is left whole, repeated records are taken one by one, and the rest is divided by VIPS.
//!
//! J. Zelený (PhD thesis, Brno 2017, ch. 10) names it as a way on: a preliminary scan, then different algorithms or parameters for different parts of
//! the page, such as a structured top, a solid middle and a complex footer. The scan is `visual-blocks` with its few large parts. What a region is called
//! solid or structured for is ours: the share of its characters that are not in links and stand in long lines, and the share of its boxes that are in records (`wish`).

use crate::layout::{BoxKind, Layout};
use crate::registry::{self, Sees, SegmentEntry};
use crate::segmentation::{Cluster, SegmentTechnique, Segmentation};
use crate::wish::Wish;
use unchaff_dom::{NodeId, Page};
use unchaff_page::parameters;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;

parameters! {
    /// The parameters.
    pub struct Params {
        /// The largest share of the page that a region of the scan may cover (`most` of visual-blocks).
        pub most: f64 = 0.7,
        /// A region is solid if this share of its characters is running text.
        pub solid: f64 = 0.6,
        /// A line has at least so many characters if it is running text.
        pub line: usize = 30,
        /// A region is structured if this share of its boxes is in records.
        pub records: f64 = 0.5,
        /// The degree of coherence to which the others are divided (`pdoc` of vips).
        pub pdoc: f64 = 8.0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SegmentEntry = SegmentEntry {
    name: "adaptive",
    summary: "large regions first; solid text is left whole, records are taken one by one, the rest is divided by vips",
    source: "J. Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017, ch. 10 (as an idea)",
    cost: "that of visual-blocks, wish and vips, the last for at most 16 regions",
    kind: Sees::Boxes,
    parameters: Params::list,
    build: |settings| Ok(Box::new(Adaptive { params: read(settings)? })),
};

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Adaptive {
    params: Params,
}

/// So many regions are looked into, the first ones; VIPS looks at the whole tree for each.
const MOST_REGIONS: usize = 16;

impl SegmentTechnique for Adaptive {
    fn name(&self) -> &'static str {
        "adaptive"
    }

    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation {
        let setting = |name: &str, parameter: &str, value: f64| {
            registry::find(name).and_then(|entry| entry.technique(&[(parameter, &value.to_string())]).ok())
        };
        let (scan, vips) = (setting("visual-blocks", "most", self.params.most), setting("vips", "pdoc", self.params.pdoc));
        let (Some(scan), Some(vips)) = (scan, vips) else { return Segmentation::default() };
        let regions = scan.segment(page, layout);
        let mut clusters: Vec<Cluster> = Vec::new();
        for (at, region) in regions.segments.iter().enumerate() {
            let here = clusters.len();
            clusters.push(Cluster::default());
            let parts = if at >= MOST_REGIONS || self.is_solid(page, layout, &region.boxes) {
                Vec::new()
            } else {
                let records = self.records(page, layout, &region.nodes, &region.boxes);
                let in_records = records.iter().map(Vec::len).sum::<usize>() as f64;
                if in_records >= self.params.records * region.boxes.len() as f64 {
                    records
                } else {
                    let (some, places) = only(layout, &region.boxes);
                    let found = vips.segment(page, &some).segments;
                    found.into_iter().map(|part| part.boxes.iter().map(|at| places[*at as usize]).collect()).collect()
                }
            };
            let mut taken: Vec<u32> = Vec::new();
            // One part is the region itself.
            for boxes in parts.into_iter().filter(|boxes: &Vec<u32>| !boxes.is_empty() && boxes.len() < region.boxes.len()) {
                taken.extend(&boxes);
                clusters.push(Cluster { boxes, parent: Some(here as u32), coherence: None });
            }
            taken.sort_unstable();
            let rest = region.boxes.iter().filter(|at| taken.binary_search(at).is_err());
            clusters[here].boxes = rest.copied().collect();
        }
        Segmentation { is_loose: false, ..Segmentation::from_clusters(page, layout, clusters) }
    }
}

impl Adaptive {
    /// Whether most of what some boxes say is running text.
    fn is_solid(&self, page: &Page, layout: &Layout, boxes: &[u32]) -> bool {
        let mut lines: Vec<u32> = boxes
            .iter()
            .map(|at| &layout.boxes[*at as usize])
            .filter(|found| found.kind == BoxKind::Text)
            .filter_map(|found| found.node)
            .collect();
        lines.sort_unstable();
        let (mut running, mut all) = (0.0, 0.0);
        for of_text in lines.chunk_by(|one, other| one == other).filter(|text| (text[0] as usize) < page.len()) {
            let counts = page.counts(NodeId(of_text[0]));
            let in_link = page.ancestors(NodeId(of_text[0])).take(3).any(|above| page.tag(above) == unchaff_dom::Tag::A);
            all += f64::from(counts.chars);
            if !in_link && counts.chars as usize >= self.params.line * of_text.len() {
                running += f64::from(counts.chars);
            }
        }
        all > 0.0 && running >= self.params.solid * all
    }

    /// The boxes of each record in a region.
    fn records(&self, page: &Page, layout: &Layout, nodes: &[NodeId], boxes: &[u32]) -> Vec<Vec<u32>> {
        let mut by_node: Vec<(u32, u32)> = boxes.iter().filter_map(|at| Some((layout.boxes[*at as usize].node?, *at))).collect();
        by_node.sort_unstable();
        let of_node = |node: &NodeId| {
            let range = page.range(*node);
            let place = |end: usize| by_node.partition_point(|(node, _)| (*node as usize) < end);
            by_node[place(range.start)..place(range.end)].iter().map(|(_, at)| *at)
        };
        let records = nodes.iter().flat_map(|node| Wish::default().regions(page, *node)).flatten();
        records.map(|record| record.iter().flat_map(of_node).collect()).collect()
    }
}

/// A layout with some text lines and images only, and what is around them; with the place of each box in the whole.
fn only(layout: &Layout, boxes: &[u32]) -> (Layout, Vec<u32>) {
    let mut wanted = vec![false; layout.boxes.len()];
    boxes.iter().for_each(|at| wanted[*at as usize] = true);
    for at in (0..wanted.len()).rev() {
        if let Some(parent) = layout.boxes[at].parent.filter(|_| wanted[at]) {
            wanted[parent as usize] = true;
        }
    }
    let mut places: Vec<u32> = Vec::new();
    let mut now_at = vec![0_u32; wanted.len()];
    let mut some = Layout { width: layout.width, height: layout.height, boxes: Vec::new() };
    for at in (0..wanted.len()).filter(|at| wanted[*at]) {
        now_at[at] = places.len() as u32;
        places.push(at as u32);
        let mut found = layout.boxes[at].clone();
        found.parent = found.parent.map(|parent| now_at[parent as usize]);
        some.boxes.push(found);
    }
    (some, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::RenderedBox;
    use crate::rect::Rect;

    /// Texts one below the other, as high as they are told to be by how many lines they have.
    fn set(page: &Page) -> Layout {
        let (mut boxes, mut top) = (Vec::new(), 0);
        for node in page.nodes().filter(|node| page.name(*node) == "#text" && page.counts(*node).chars > 0) {
            let height = if page.counts(node).chars > 60 { 200 } else { 20 };
            let rect = Rect::from([0, top, 900, top + height]);
            boxes.push(RenderedBox { node: Some(node.0), font_size: 16, ..RenderedBox::new(BoxKind::Text, rect) });
            top += height + 10;
        }
        Layout { width: 1000, height: top, boxes }
    }

    #[test]
    fn solid_text_is_left_whole_and_records_are_taken_one_by_one() {
        let long = "It rained all day and all night, and then the sun came out over the hills again. ".repeat(3);
        let records = "<div><h3>Name</h3><p><a href=/x>Some words</a></p></div>".repeat(12);
        let page = Page::parse(format!("<body><main><p>{long}</p><p>{long}</p></main><section>{records}</section></body>"));
        let layout = set(&page);
        let found = Adaptive::default().segment(&page, &layout);
        let parts = |parent: u32| found.segments.iter().filter(|segment| segment.parent == Some(parent)).count();
        let areas: Vec<u32> =
            (0..).zip(&found.segments).filter(|(_, segment)| segment.parent.is_none()).map(|(at, _)| at).collect();
        let solid = areas.iter().find(|at| found.segments[**at as usize].boxes.contains(&0)).copied().unwrap();
        assert_eq!(parts(solid), 0, "{found:?}");
        assert_eq!(found.segments.iter().filter(|segment| segment.parent.is_some()).count(), 12, "{found:?}");
    }

    #[test]
    fn a_part_of_a_layout_keeps_what_is_around_it() {
        let outer = RenderedBox::new(BoxKind::Other, Rect::from([0, 0, 100, 100]));
        let text =
            |top: i32, parent| RenderedBox { parent, ..RenderedBox::new(BoxKind::Text, Rect::from([0, top, 50, top + 9])) };
        let layout = Layout { width: 100, height: 100, boxes: vec![outer.clone(), text(0, Some(0)), outer, text(20, Some(2))] };
        let (some, places) = only(&layout, &[3]);
        assert_eq!(places, [2, 3]);
        assert_eq!(some.boxes[1].parent, Some(0));
    }
}
