//! The parts that a person sees on a page, from boxes that the caller has.

use crate::finding::{page, pairs, settings};
use crate::frame::{Answer, Given, Request};
use crate::models;
use crate::numbers::{Names, NodeName, is_text};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use unchaff::{NodeId, Page};
use unchaff_segment::document::{DocumentNode, SegmentDocument};
use unchaff_segment::labels;
use unchaff_segment::layout::Layout;
use unchaff_segment::registry;
use unchaff_segment::renderer::Rendering;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    page: Given,
    /// How many bytes of boxes come after the page.
    boxes: Option<usize>,
    technique: Option<String>,
    #[serde(default)]
    settings: BTreeMap<String, Value>,
    /// The number of a model.
    site: Option<usize>,
    /// The attribute by which boxes name elements.
    mark: Option<String>,
}

/// The document of the command, in which nodes have names too.
#[derive(Serialize)]
struct Segments<'p> {
    #[serde(flatten)]
    document: SegmentDocument,
    /// The nodes of each segment, in the same order.
    names: Vec<Vec<NodeName<'p>>>,
}

pub(crate) fn segment(request: &Request<'_>) -> Result<Answer, String> {
    let options: Options = request.options()?;
    let page = page(request, options.page)?;
    let boxes = options.boxes.map(|length| request.part(length)).transpose()?;
    let name = options.technique.as_deref().unwrap_or(if boxes.is_some() { registry::DEFAULT } else { "dom-blocks" });
    let entry = registry::find(name).ok_or_else(|| {
        let known: Vec<&str> = registry::all().iter().map(|entry| entry.name).collect();
        format!("there is no technique `{name}` for segments; there are {}", known.join(", "))
    })?;
    if entry.kind.needs_layout() && boxes.is_none() {
        return Err(format!("{name} needs to know where things stand: give boxes"));
    }
    let settings = settings(&options.settings);
    let technique = entry.technique(&pairs(&settings)).map_err(|error| error.to_string())?;
    let mark = options.mark.as_deref();
    let layout = match (boxes, mark) {
        (None, _) => Layout::default(),
        (Some(boxes), None) => Layout::from_json(boxes).map_err(|error| error.to_string())?,
        (Some(boxes), Some(mark)) => marked(&page, boxes, mark)?,
    };
    let rendering = Rendering::from(layout);
    let mut found = technique.tree(&page, &rendering.layout);
    match options.site {
        None => labels::label(&page, &rendering.layout, &mut found),
        Some(model) => labels::label_with(&page, &rendering.layout, &models::get(model)?.detect(&page), &mut found),
    }
    let document = SegmentDocument::new(technique.name(), &page, &found, &rendering);
    let names = Names::new(&page, mark);
    let name = |node: &DocumentNode| names.of(NodeId(node.node));
    let names = document.segments.iter().map(|segment| segment.nodes.iter().map(name).collect()).collect();
    Answer::json(&Segments { document, names })
}

/// Boxes that name their elements by an attribute, and texts by their place among the texts of their element.
fn marked(page: &Page, boxes: &[u8], mark: &str) -> Result<Layout, String> {
    let wrong = |error: serde_json::Error| format!("the boxes are not of the form that docs/segmentation.md describes: {error}");
    let mut json: Value = serde_json::from_slice(boxes).map_err(wrong)?;
    let by_mark: HashMap<&str, NodeId> = page.nodes().rev().filter_map(|node| Some((page.attr(node, mark)?, node))).collect();
    for found in json.get_mut("boxes").and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut) {
        let (marked, text) = (found.remove("mark"), found.remove("text"));
        let node = match &marked {
            Some(Value::String(text)) => by_mark.get(text.as_str()),
            Some(Value::Number(number)) => by_mark.get(number.to_string().as_str()),
            _ => None,
        };
        let node = match (node, text.and_then(|text| text.as_u64())) {
            (Some(element), Some(place)) => {
                let mut texts = page.children(*element).filter(|child| is_text(page, *child));
                usize::try_from(place).ok().and_then(|place| texts.nth(place))
            }
            (node, _) => node.copied(),
        };
        if let Some(node) = node {
            found.insert("node".to_owned(), node.0.into());
        }
    }
    let json = serde_json::to_vec(&json).map_err(wrong)?;
    Layout::from_json(&json).map_err(|error| error.to_string())
}
