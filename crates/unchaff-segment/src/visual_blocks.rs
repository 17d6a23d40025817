//! Segments from tree and boxes: elements, divided while they cover much of the page; small ones side by side stay together.
//!
//! A technique of ours. People draw segments along elements, so segments are made of elements, as in VIPS; what decides is how
//! much of the page is seen of them, as for the boxes of clustering. From the body down, an element is divided as long as it covers
//! more than a share of the page and has blocks in it. Children that cover little are joined with small neighbours, up to
//! the next heading, sectioning element or background of its own. One parameter sets how coarse the result is.

use crate::layout::Layout;
use crate::node_views::Views;
use crate::registry::{Sees, SegmentEntry};
use crate::segmentation::{SegmentTechnique, Segmentation};
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_page::parameters;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;

parameters! {
    /// The parameters.
    pub struct Params {
        /// Elements that cover more of the page are divided.
        /// 0.7 is best for the few large parts of a page, 0.2 for the parts of those.
        pub most: f64 = 0.5,
        /// Children that cover less of the page are joined with small neighbours.
        pub least: f64 = 0.02,
        /// Whether a background of its own keeps a small child apart.
        pub backgrounds: bool = true,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SegmentEntry = SegmentEntry {
    name: "visual-blocks",
    summary: "elements, divided while they cover much of the page; small neighbours joined",
    source: "unchaff",
    cost: "linear in boxes and nodes",
    kind: Sees::Boxes,
    parameters: Params::list,
    build: |settings| Ok(Box::new(VisualBlocks { params: read(settings)? })),
};

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct VisualBlocks {
    params: Params,
}

impl SegmentTechnique for VisualBlocks {
    fn name(&self) -> &'static str {
        "visual-blocks"
    }

    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation {
        let views = Views::new(page, layout);
        let groups = page.body().map(|body| self.groups(&views, body)).unwrap_or_default();
        Segmentation::from_nodes(page, layout, groups)
    }
}

impl VisualBlocks {
    fn groups(&self, views: &Views<'_>, body: NodeId) -> Vec<Vec<NodeId>> {
        let mut groups = Vec::new();
        let mut rest: Vec<NodeId> = views.rect(body).map(|_| body).into_iter().collect();
        while let Some(node) = rest.pop() {
            if !self.is_divided(views, node) {
                groups.push(vec![node]);
                continue;
            }
            let behind = views.background(node);
            // Small children in a row, and whether the next one may join them.
            let (mut run, mut open): (Vec<NodeId>, bool) = (Vec::new(), false);
            for child in views.valid_children(node) {
                let large = views.share(child) >= self.params.least;
                let painted =
                    self.params.backgrounds && views.backgrounds[child.index()].is_some_and(|color| Some(color) != behind);
                if large || painted || !open || begins(views.page.tag(child)) {
                    groups.extend((!run.is_empty()).then(|| std::mem::take(&mut run)));
                }
                if large {
                    rest.push(child);
                } else {
                    run.push(child);
                }
                open = !painted;
            }
            groups.extend((!run.is_empty()).then_some(run));
        }
        groups.sort_unstable();
        groups
    }

    fn is_divided(&self, views: &Views<'_>, node: NodeId) -> bool {
        let blocks = views.valid_children(node).any(|child| views.page.is_element(child) && !views.text[child.index()]);
        let only = views.valid_children(node).nth(1).is_none();
        // An only child is looked into, whatever its size: it is the same segment.
        blocks && (only || views.share(node) > self.params.most)
    }
}

/// Elements at which something new begins.
fn begins(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, H1 | H2 | H3 | Hr | Nav | Header | Footer | Aside | Section | Article)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{BoxKind, Color, RenderedBox};
    use crate::rect::Rect;

    const PAGE: &str = "<div>name</div><p>motto</p><div><div>left</div><div>main</div></div><div>foot</div>";
    const RECTS: [(&str, [i32; 4]); 5] = [
        ("name", [0, 0, 300, 30]),
        ("motto", [0, 40, 300, 60]),
        ("left", [0, 100, 200, 800]),
        ("main", [250, 100, 1000, 800]),
        ("foot", [0, 900, 1000, 930]),
    ];

    fn segments(params: Params, html: &str, painted: Option<&str>) -> Vec<String> {
        segments_in(1000, params, html, painted)
    }

    fn segments_in(height: i32, params: Params, html: &str, painted: Option<&str>) -> Vec<String> {
        let page = Page::parse(html);
        let mut boxes: Vec<RenderedBox> = Vec::new();
        for node in page.nodes().filter(|node| page.name(*node) == "#text") {
            let (text, rect) = *RECTS.iter().find(|(text, _)| *text == page.text(node)).unwrap();
            let rect = Rect::from(rect);
            if painted == Some(text) {
                let parent = page.parent(node).unwrap();
                let background = Some(Color([255, 0, 0]));
                boxes.push(RenderedBox { node: Some(parent.0), background, ..RenderedBox::new(BoxKind::Other, rect) });
            }
            boxes.push(RenderedBox { node: Some(node.0), ..RenderedBox::new(BoxKind::Text, rect) });
        }
        let found = VisualBlocks { params }.segment(&page, &Layout { width: 1000, height, boxes });
        found.segments.iter().map(|segment| segment.nodes.iter().map(|node| page.text(*node)).collect()).collect()
    }

    #[test]
    fn large_elements_are_divided_and_small_neighbours_joined() {
        assert_eq!(segments(Params::default(), PAGE, None), ["namemotto", "left", "main", "foot"]);
        let coarse = Params { most: 0.8, ..Params::default() };
        assert_eq!(segments(coarse, PAGE, None), ["namemotto", "leftmain", "foot"]);
        let whole = Params { most: 1.0, ..Params::default() };
        assert_eq!(segments(whole, PAGE, None).len(), 1);
        let fine = Params { least: 0.0, ..Params::default() };
        assert_eq!(segments(fine, PAGE, None), ["name", "motto", "left", "main", "foot"]);
    }

    #[test]
    fn a_window_larger_than_the_page_makes_no_difference() {
        assert_eq!(segments_in(5000, Params::default(), PAGE, None), segments(Params::default(), PAGE, None));
    }

    #[test]
    fn headings_and_backgrounds_keep_small_neighbours_apart() {
        let headed = PAGE.replace("<p>motto</p>", "<h2>motto</h2>");
        assert_eq!(segments(Params::default(), &headed, None)[..2], ["name", "motto"]);
        assert_eq!(segments(Params::default(), PAGE, Some("name"))[..2], ["name", "motto"]);
        let blind = Params { backgrounds: false, ..Params::default() };
        assert_eq!(segments(blind, PAGE, Some("name"))[0], "namemotto");
    }
}
