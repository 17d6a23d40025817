//! Box tree analysis: boxes that stand out are areas, areas that look alike and adjoin are one, and wide gaps divide what is left.
//!
//! R. Burget (2010), as J. Zelený describes it (PhD thesis, Brno 2017, §3.1.2), in its four steps. The tree of boxes follows what is seen: a box that
//! lies in none above it in the document is moved up, and one that sticks out makes the one it is in larger. A box stands out if it is a text line or an
//! image, holds nothing but lines of text, or has a background of its own; the others are dissolved. (Borders would count too, but boxes have
//! none here.) Lines and blocks in the same type on the same ground that adjoin are one continuous area. Last, what is in an area is divided at separators, as VIPS finds them,
//! that are wide enough, rows first and then columns. How near and how wide is left open there; these are ours.

use crate::layout::{BoxKind, Color, Layout};
use crate::rect::Rect;
use crate::registry::{Sees, SegmentEntry};
use crate::segmentation::{Cluster, SegmentTechnique, Segmentation};
use crate::vips::separators::separators;
use unchaff_dom::Page;
use unchaff_dom::order::InOrder;
use unchaff_page::parameters;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;

parameters! {
    /// The parameters of box tree analysis.
    pub struct Params {
        /// Areas of the same type adjoin if they are at most this far apart, in heights of it.
        pub near: f64 = 1.0,
        /// Separators have at least so many pixels.
        pub separator: u32 = 12,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SegmentEntry = SegmentEntry {
    name: "box-tree",
    summary: "boxes that stand out by text or background, joined where they adjoin and are alike, divided at wide gaps",
    source: "R. Burget 2010, as described by J. Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017, §3.1.2",
    cost: "n log n in the boxes",
    kind: Sees::Boxes,
    parameters: Params::list,
    build: |settings| Ok(Box::new(BoxTree { params: read(settings)? })),
};

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    params: Params,
}

/// Areas that are deeper are not in the tree of segments, only what is in them: each level names all boxes again.
const MOST_LEVELS: u32 = 6;

/// Rows in columns in rows are divided no further.
const MOST_TURNS: u32 = 24;

/// So far up a box is moved; then it is in the page itself.
const MOST_MOVES: usize = 64;

/// The look of an area: its type and what it stands on.
type Look = (u16, bool, Option<Color>, Color);

/// A visual area.
#[derive(Clone, Debug)]
struct Area {
    rect: Rect,
    /// The text lines and images directly in it.
    boxes: Vec<u32>,
    /// The areas in it.
    areas: Vec<usize>,
    /// Its look, if it is running text.
    look: Option<Look>,
}

impl SegmentTechnique for BoxTree {
    fn name(&self) -> &'static str {
        "box-tree"
    }

    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation {
        let areas = self.areas(layout);
        Segmentation { is_loose: false, ..Segmentation::from_clusters(page, layout, self.clusters(areas)) }
    }
}

impl BoxTree {
    /// Steps 1 to 3; the first area is the page.
    fn areas(&self, layout: &Layout) -> Vec<Area> {
        let page = Rect { left: 0, top: 0, right: layout.width, bottom: layout.height };
        let mut areas = vec![Area { rect: page, boxes: Vec::new(), areas: Vec::new(), look: None }];
        // What each box is in, by what is seen, and its extent with what it holds.
        let mut parents: Vec<Option<usize>> = Vec::with_capacity(layout.boxes.len());
        let mut rects: Vec<Rect> = layout.boxes.iter().map(|rendered| rendered.rect).collect();
        let (mut children, mut texts) = (vec![0_u32; rects.len()], vec![0_u32; rects.len()]);
        for (at, rendered) in layout.boxes.iter().enumerate() {
            let above = std::iter::successors(rendered.parent, |above| layout.boxes[*above as usize].parent);
            let holder = above.take(MOST_MOVES).map(|above| above as usize).find(|above| rects[*above].overlaps(rendered.rect));
            if let Some(holder) = holder.filter(|_| layout.is_content(at)) {
                rects[holder] = rects[holder].union(rendered.rect);
                children[holder] += 1;
                texts[holder] += u32::from(rendered.kind == BoxKind::Text);
            }
            parents.push(holder);
        }
        // The ground that each box stands on, and the area that what is in it belongs to.
        let mut grounds: Vec<Color> = Vec::with_capacity(rects.len());
        let mut of_box: Vec<usize> = Vec::with_capacity(rects.len());
        for (at, rendered) in layout.boxes.iter().enumerate() {
            let ground = parents[at].map_or(Color::WHITE, |parent| grounds[parent]);
            let around = parents[at].map_or(0, |parent| of_box[parent]);
            grounds.push(rendered.background.unwrap_or(ground));
            let is_text = rendered.kind == BoxKind::Other && children[at] > 0 && children[at] == texts[at];
            let stands_out = is_text || rendered.kind == BoxKind::Other && grounds[at] != ground;
            if stands_out {
                let next = areas.len();
                areas[around].areas.push(next);
                of_box.push(areas.len());
                areas.push(Area { rect: rects[at], boxes: Vec::new(), areas: Vec::new(), look: None });
                continue;
            }
            of_box.push(around);
            if !layout.is_content(at) {
                continue;
            }
            let look = (rendered.font_size, rendered.bold, rendered.color, grounds[at]);
            let is_line = rendered.kind == BoxKind::Text;
            let held_by = parents[at]
                .is_some_and(|parent| children[parent] == texts[parent] && layout.boxes[parent].kind == BoxKind::Other);
            if held_by {
                // A line of a block of text.
                areas[around].boxes.push(at as u32);
                areas[around].look = areas[around].look.or(Some(look));
            } else {
                let next = areas.len();
                areas[around].areas.push(next);
                let area = Area { rect: rendered.rect, boxes: vec![at as u32], areas: Vec::new(), look: is_line.then_some(look) };
                areas.push(area);
            }
        }
        for at in 0..areas.len() {
            self.join(&mut areas, at);
        }
        areas
    }

    /// Continuous areas: those in one that look alike and adjoin become one.
    fn join(&self, areas: &mut [Area], at: usize) {
        let mut inner = std::mem::take(&mut areas[at].areas);
        inner.order_by_key(|inner| areas[*inner].rect);
        let mut kept: Vec<usize> = Vec::new();
        for next in inner {
            if let Some(last) = kept.last().copied()
                && let (Some(look), true) = (areas[last].look, areas[last].look == areas[next].look)
                && areas[last].areas.is_empty()
                && areas[next].areas.is_empty()
                && adjoin(areas[last].rect, areas[next].rect, self.params.near * f64::from(look.0.max(10)))
            {
                let mut boxes = std::mem::take(&mut areas[next].boxes);
                areas[last].boxes.append(&mut boxes);
                areas[last].rect = areas[last].rect.union(areas[next].rect);
                continue;
            }
            kept.push(next);
        }
        areas[at].areas = kept;
    }

    /// Step 4: areas with those in them, divided at separators; each cluster before its parts.
    fn clusters(&self, mut areas: Vec<Area>) -> Vec<Cluster> {
        let mut clusters: Vec<Cluster> = Vec::new();
        // Areas that are one segment, the segment they are in, its level, and how often they were divided: into rows, into columns, and so on.
        let mut open: Vec<(Vec<usize>, Option<u32>, u32, u32)> = vec![(std::mem::take(&mut areas[0].areas), None, 0, 0)];
        while let Some((group, parent, level, turn)) = open.pop() {
            if group.is_empty() {
                continue;
            }
            let by_columns = turn % 2 == 1;
            let parts = if turn < MOST_TURNS { self.divided(&areas, &group, by_columns) } else { Vec::new() };
            if parts.len() > 1 {
                // Columns are looked for in rows, rows in columns.
                open.extend(parts.into_iter().rev().map(|part| (part, parent, level, turn + 1)));
                continue;
            }
            if !by_columns && turn < MOST_TURNS {
                open.push((group, parent, level, turn + 1));
                continue;
            }
            // A segment of its own, if it is not all of the one around it.
            let is_new = level < MOST_LEVELS;
            let here = match parent.filter(|_| !is_new) {
                Some(parent) => parent,
                None => {
                    clusters.push(Cluster { boxes: Vec::new(), parent, coherence: None });
                    clusters.len() as u32 - 1
                }
            };
            for area in &group {
                clusters[here as usize].boxes.append(&mut areas[*area].boxes);
                let inner = std::mem::take(&mut areas[*area].areas);
                if !inner.is_empty() {
                    open.push((inner, Some(here), level + 1, 0));
                }
            }
        }
        clusters
    }

    /// Areas divided at the separators of one direction that are wide enough.
    fn divided(&self, areas: &[Area], group: &[usize], by_columns: bool) -> Vec<Vec<usize>> {
        let edges = |at: &usize| match areas[*at].rect {
            rect if by_columns => (rect.left, rect.right),
            rect => (rect.top, rect.bottom),
        };
        let intervals: Vec<(i32, i32)> = group.iter().map(edges).collect();
        let wide = separators(&intervals)
            .into_iter()
            .filter(|(from, to)| i64::from(*to) - i64::from(*from) >= i64::from(self.params.separator));
        let cuts: Vec<i32> = wide.map(|(from, _)| from).collect();
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); cuts.len() + 1];
        for at in group {
            parts[cuts.partition_point(|cut| *cut < edges(at).1)].push(*at);
        }
        parts.retain(|part| !part.is_empty());
        parts
    }
}

/// Whether two rectangles are at most this far apart, above each other or side by side.
fn adjoin(one: Rect, other: Rect, most: f64) -> bool {
    let gap = |end: i32, start: i32| f64::from(start) - f64::from(end);
    let across = gap(one.right, other.left).max(gap(other.right, one.left));
    let down = gap(one.bottom, other.top).max(gap(other.bottom, one.top));
    across < 0.0 && down <= most || down < 0.0 && across <= most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::RenderedBox;

    fn rendered(kind: BoxKind, rect: [i32; 4], parent: Option<u32>) -> RenderedBox {
        RenderedBox { parent, font_size: 16, ..RenderedBox::new(kind, Rect::from(rect)) }
    }

    /// Segments as lists of boxes, with their levels.
    fn found(boxes: Vec<RenderedBox>) -> Vec<(u32, Vec<u32>)> {
        let layout = Layout { width: 1000, height: 1000, boxes };
        let found = BoxTree::default().segment(&Page::parse(""), &layout);
        found.levels().into_iter().zip(found.segments.into_iter().map(|segment| segment.boxes)).collect()
    }

    #[test]
    fn lines_in_one_type_that_adjoin_are_one_and_wide_gaps_divide() {
        let line = |top: i32| rendered(BoxKind::Text, [0, top, 200, top + 16], None);
        assert_eq!(found(vec![line(0), line(20), line(40), line(100)]), [(1, vec![0, 1, 2]), (1, vec![3])]);
    }

    #[test]
    fn a_background_makes_an_area_and_a_box_without_one_is_dissolved() {
        let mut painted = rendered(BoxKind::Other, [0, 0, 400, 120], None);
        painted.background = Some(Color([10, 10, 10]));
        let plain = rendered(BoxKind::Other, [0, 0, 400, 60], Some(0));
        let image = |top: i32, parent: u32| rendered(BoxKind::Image, [0, top, 40, top + 30], Some(parent));
        // Two images far apart in the painted box: two parts of it. The plain box shows nothing.
        assert_eq!(found(vec![painted, plain, image(0, 1), image(80, 0)]), [(1, vec![2, 3]), (2, vec![2]), (2, vec![3])]);
    }

    #[test]
    fn a_box_that_lies_elsewhere_is_in_the_page() {
        let mut painted = rendered(BoxKind::Other, [0, 0, 400, 100], None);
        painted.background = Some(Color([10, 10, 10]));
        let inside = rendered(BoxKind::Image, [0, 0, 40, 30], Some(0));
        let outside = rendered(BoxKind::Image, [600, 600, 700, 700], Some(0));
        let segments = found(vec![painted, inside, outside]);
        assert_eq!(segments.iter().filter(|(level, _)| *level == 1).count(), 2);
    }
}
