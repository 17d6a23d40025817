//! Segments as they are handed to others: as a document that is written as JSON, and in the page.
//!
//! The document is the schema of `unchaff segment` (`docs/segmentation.md`); who offers segments elsewhere uses the same, so that answers
//! are the same too. It stands by itself: nodes come with their paths and segments with their texts.

use crate::rect::Rect;
use crate::renderer::Rendering;
use crate::segment_stream::Segmented;
use crate::segmentation::{Segment, SegmentKind, Segmentation, group_of_nodes};
use serde::{Deserialize, Serialize};
use unchaff_dom::address::bounded::Addresses;
use unchaff_dom::emit::{self, Texts};
use unchaff_dom::{NodeId, Page};

/// The segments of a page.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SegmentDocument {
    /// Where the page was read from, if it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The address of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The name of the technique.
    pub technique: String,
    /// With a store: whether the segments were carried over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transferred: Option<bool>,
    /// The name of the page's template in the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// How much of what was carried over is verified, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<f64>,
    /// The width of the rendered page in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<i32>,
    /// The height of the rendered page in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<i32>,
    /// The segments, in the order of the segmentation.
    pub segments: Vec<DocumentSegment>,
    /// How many text lines and images are in no segment; not known if segments were carried over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unclustered: Option<usize>,
    /// Their places on the page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unclustered_boxes: Vec<Rect>,
    /// What the user should know, in a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A segment of a document.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DocumentSegment {
    /// 1 for the areas of the page, 2 for their parts, and so on.
    pub level: u32,
    /// The segment that it is a part of, by its position in the list, from 0; left out for areas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// What it is for, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<SegmentKind>,
    /// What it is called on its site, the same on all pages, if it is an area of the site or a part of one and pages of the site were segmented together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The degree of coherence, from 1 to 10, if the technique has one, in tenths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coherence: Option<f64>,
    /// Its place on the page, if the page was rendered.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// The largest nodes that hold nothing else.
    pub nodes: Vec<DocumentNode>,
    /// Its text.
    pub text: String,
}

/// A node of a segment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DocumentNode {
    /// Its position in document order.
    pub node: u32,
    /// Its path: the positions of the elements to it among their siblings; empty if the paths of this page are too long for it.
    pub path: String,
}

impl DocumentNode {
    fn new(addresses: &Addresses<'_>, node: NodeId) -> DocumentNode {
        DocumentNode { node: node.0, path: addresses.path(node) }
    }
}

impl DocumentSegment {
    fn new(texts: &Texts<'_>, addresses: &Addresses<'_>, segment: &Segment, level: u32) -> DocumentSegment {
        let mut in_order = segment.nodes.clone();
        in_order.sort_unstable();
        DocumentSegment {
            level,
            parent: segment.parent,
            kind: segment.kind,
            name: segment.name.clone(),
            coherence: segment.coherence.map(|degree| (degree * 10.0).round() / 10.0),
            rect: segment.rect,
            nodes: segment.nodes.iter().map(|node| DocumentNode::new(addresses, *node)).collect(),
            text: texts.below(&in_order),
        }
    }
}

impl SegmentDocument {
    /// The document of a page, of the segments that a technique found on it, and of the boxes that it found them by.
    #[must_use]
    pub fn new(technique: &str, page: &Page, found: &Segmentation, rendering: &Rendering) -> SegmentDocument {
        let layout = &rendering.layout;
        let is_rendered = !layout.boxes.is_empty();
        let all = page.subtree_set(page.root());
        let (texts, addresses) = (Texts::new(page, &all), Addresses::new(page, 2));
        let with_levels = found.segments.iter().zip(found.levels());
        let segments = with_levels.map(|(segment, level)| DocumentSegment::new(&texts, &addresses, segment, level)).collect();
        SegmentDocument {
            url: page.url().map(|url| url.as_str().to_owned()),
            technique: technique.to_owned(),
            width: is_rendered.then_some(layout.width),
            height: is_rendered.then_some(layout.height),
            segments,
            unclustered: Some(found.unclustered.len()),
            unclustered_boxes: found.unclustered.iter().filter_map(|at| Some(layout.boxes.get(*at as usize)?.rect)).collect(),
            notes: rendering.notes.iter().cloned().chain(addresses.warning().map(|(_, warning)| warning)).collect(),
            ..SegmentDocument::default()
        }
    }

    /// The same with what is kept about the template of the page.
    #[must_use]
    pub fn with_template(mut self, kept: &Segmented) -> SegmentDocument {
        self.transferred = Some(kept.is_transferred);
        self.template.clone_from(&kept.template);
        self.verified = kept.is_transferred.then(|| (kept.verified * 1e3).round() / 1e3);
        self.unclustered = self.unclustered.filter(|_| !kept.is_transferred);
        if kept.is_transferred {
            self.unclustered_boxes.clear();
        }
        self
    }

    /// The document as one line of JSON, with the end of the line.
    ///
    /// # Errors
    /// Never with a document that was made here; numbers that are not finite have no JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

/// The page in which every element carries the number of its segment (`segment-3`) and its kind in `data-unchaff`; in a part of a segment the number and kind
/// of each, from the outermost.
#[must_use]
pub fn annotated(page: &Page, found: &Segmentation) -> String {
    let segments = found.segments.len();
    let mut kinds: Vec<&str> = found.segments.iter().filter_map(|segment| Some(segment.kind?.as_str())).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let numbers: Vec<String> = (1..=segments).map(|number| format!("segment-{number}")).collect();
    let names: Vec<&str> = numbers.iter().map(String::as_str).chain(kinds.iter().copied()).collect();
    let of_node = group_of_nodes(page, found.segments.iter().map(|segment| segment.nodes.as_slice()));
    emit::annotated_by(page, &names, |node, in_blocks| {
        let first = in_blocks.len();
        let mut at = of_node[node.index()];
        while let Some(segment) = at.map(|segment| segment as usize) {
            let kind = found.segments[segment].kind.and_then(|kind| kinds.binary_search(&kind.as_str()).ok());
            // Backwards, because the outermost comes first in the end.
            let kind = kind.map(|kind| segments + kind);
            in_blocks.extend(kind.filter(|kind| !in_blocks[first..].contains(kind)));
            in_blocks.push(segment);
            at = found.segments[segment].parent;
        }
        in_blocks[first..].reverse();
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{BoxKind, Layout, RenderedBox};
    use unchaff_dom::Parser;

    fn found() -> (Page, Segmentation, Rendering) {
        let page = Parser::new().url("https://example.org/a").parse("<body><ul><li>Home</li></ul><p>One</p><p>Two</p></body>");
        let by_name = |name: &str| page.nodes().filter(|node| page.name(*node) == name).collect::<Vec<_>>();
        let rect = Rect::from([0, 0, 90, 16]);
        let (nodes, coherence) = (by_name("ul"), Some(9.26));
        let menu = Segment { kind: Some(SegmentKind::Menu), rect: Some(rect), nodes, coherence, ..Segment::default() };
        let part = Segment { parent: Some(1), nodes: by_name("p")[1..].to_vec(), ..Segment::default() };
        let segments = vec![menu, Segment { nodes: by_name("p"), ..Segment::default() }, part];
        let boxes = vec![RenderedBox::new(BoxKind::Text, rect)];
        let rendering = Rendering { notes: vec!["Cut.".to_owned()], ..Layout { width: 200, height: 100, boxes }.into() };
        (page, Segmentation { segments, unclustered: vec![0], is_loose: false }, rendering)
    }

    #[test]
    fn json_has_the_documented_form_and_comes_back() {
        let (page, segmentation, rendering) = found();
        let mut document = SegmentDocument::new("bcs", &page, &segmentation, &rendering);
        document.input = Some("a.html".to_owned());
        let json = document.to_json().unwrap();
        assert_eq!(
            json,
            concat!(
                r#"{"input":"a.html","url":"https://example.org/a","technique":"bcs","width":200,"height":100,"segments":["#,
                r#"{"level":1,"kind":"menu","coherence":9.3,"box":[0,0,90,16],"nodes":[{"node":4,"path":"/0/1/0"}],"text":"- Home\n"},"#,
                r#"{"level":1,"nodes":[{"node":7,"path":"/0/1/1"},{"node":9,"path":"/0/1/2"}],"text":"One\n\nTwo\n"},"#,
                r#"{"level":2,"parent":1,"nodes":[{"node":9,"path":"/0/1/2"}],"text":"Two\n"}],"#,
                r#""unclustered":1,"unclustered_boxes":[[0,0,90,16]],"notes":["Cut."]}"#,
                "\n"
            )
        );
        assert_eq!(serde_json::from_str::<SegmentDocument>(&json).unwrap(), document);
    }

    #[test]
    fn of_segments_that_were_carried_over_it_is_told_how_far_they_are_verified() {
        let (page, segmentation, _) = found();
        let document = || SegmentDocument::new("bcs", &page, &segmentation, &Rendering::default());
        let kept = |is_transferred, verified| {
            let template = Some("t1".to_owned());
            Segmented { segmentation: Segmentation::default(), is_transferred, template, verified }
        };
        let carried = document().with_template(&kept(true, 0.98765));
        assert_eq!((carried.transferred, carried.verified, carried.unclustered), (Some(true), Some(0.988), None));
        assert_eq!((carried.template.as_deref(), carried.width), (Some("t1"), None));
        let learned = document().with_template(&kept(false, 0.0));
        assert_eq!((learned.transferred, learned.verified, learned.unclustered), (Some(false), None, Some(1)));
    }

    #[test]
    fn elements_of_the_page_carry_their_segment_and_its_kind() {
        let (page, segmentation, _) = found();
        let marked = annotated(&page, &segmentation);
        assert!(marked.contains("segment-1 menu") && marked.contains("<p data-unchaff=\"segment-2\">One"), "{marked}");
        assert!(marked.contains("<p data-unchaff=\"segment-2 segment-3\">Two"), "{marked}");
    }

    /// A set of nodes for each segment, and a count for each pair of an element and a segment, would be four gigabytes here.
    #[test]
    fn many_segments_cost_no_more_than_few() {
        let page = Page::parse(format!("<body>{}</body>", "<p>One <b>word</b></p>".repeat(20_000)));
        let paragraphs = page.nodes().filter(|node| page.name(*node) == "p");
        let segments = paragraphs.map(|node| Segment { nodes: vec![node], ..Segment::default() }).collect();
        let found = Segmentation { segments, ..Segmentation::default() };
        let document = SegmentDocument::new("x", &page, &found, &Rendering::default());
        assert!(document.segments.iter().all(|segment| segment.text == "One word\n" && segment.text.capacity() < 100));
        assert_eq!(document.segments[19_999].nodes[0].path, page.path(found.segments[19_999].nodes[0]));
        let marked = annotated(&page, &found);
        assert!(marked.contains("<p data-unchaff=\"segment-20000\">One <b data-unchaff=\"segment-20000\">word</b></p>"));
    }
}
