//! Segments as they are written: as JSON, and in the page.

use super::Found;
use anyhow::Result;
use serde::Serialize;
use unchaff::{NodeSet, Page, dom::emit};
use unchaff_segment::rect::Rect;
use unchaff_segment::segmentation::{SegmentKind, Segmentation};

#[derive(Serialize)]
struct Document<'a> {
    input: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    technique: &'a str,
    /// With a store: whether the segments were carried over.
    #[serde(skip_serializing_if = "Option::is_none")]
    transferred: Option<bool>,
    /// The name of the page's template in the store.
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a str>,
    /// How much of what was carried over is verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<i32>,
    segments: Vec<SegmentJson>,
    /// How many text lines and images are in no segment; not known if segments were carried over.
    #[serde(skip_serializing_if = "Option::is_none")]
    unclustered: Option<usize>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
}

#[derive(Serialize)]
struct SegmentJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    rect: Option<Rect>,
    nodes: Vec<NodeJson>,
    text: String,
}

#[derive(Serialize)]
struct NodeJson {
    node: u32,
    path: String,
}

/// The segments of a page as one line of JSON.
pub(crate) fn json(input: &str, technique: &str, page: &Page, found: &Found) -> Result<String> {
    let layout = &found.rendering.layout;
    let rendered = !layout.boxes.is_empty();
    let segments = found.segmentation.segments.iter().map(|segment| SegmentJson {
        kind: segment.kind.map(SegmentKind::as_str),
        rect: segment.rect,
        nodes: segment.nodes.iter().map(|node| NodeJson { node: node.0, path: page.path(*node) }).collect(),
        text: emit::text(page, &NodeSet::from_roots(page, segment.nodes.iter().copied())),
    });
    let stored = found.stored.as_ref();
    let document = Document {
        input,
        url: page.url().map(unchaff_source::Url::as_str),
        technique,
        transferred: stored.map(|stored| stored.is_transferred),
        template: stored.and_then(|stored| stored.template.as_deref()),
        verified: stored.filter(|stored| stored.is_transferred).map(|stored| (stored.verified * 1e3).round() / 1e3),
        width: rendered.then_some(layout.width),
        height: rendered.then_some(layout.height),
        segments: segments.collect(),
        unclustered: stored.is_none_or(|stored| !stored.is_transferred).then_some(found.segmentation.unclustered.len()),
        notes: &found.rendering.notes,
    };
    Ok(serde_json::to_string(&document)? + "\n")
}

/// The page in which every element carries the number of its segment (`segment-3`) and its kind in `data-unchaff`.
pub(crate) fn annotated(page: &Page, found: &Segmentation) -> String {
    let mut blocks: Vec<(String, NodeSet)> = Vec::new();
    for (at, segment) in found.segments.iter().enumerate() {
        blocks.push((format!("segment-{}", at + 1), NodeSet::from_roots(page, segment.nodes.iter().copied())));
    }
    let segments = blocks.len();
    for (at, segment) in found.segments.iter().enumerate() {
        let Some(kind) = segment.kind else { continue };
        let nodes = blocks[at].1.clone();
        match blocks[segments..].iter_mut().find(|(name, _)| name == kind.as_str()) {
            Some((_, known)) => known.union(&nodes),
            None => blocks.push((kind.as_str().to_owned(), nodes)),
        }
    }
    let blocks: Vec<(&str, &NodeSet)> = blocks.iter().map(|(name, nodes)| (name.as_str(), nodes)).collect();
    emit::annotated(page, &blocks)
}
