//! `/v1/segment`: the parts of a page, from the boxes that are sent with it, or from the tree alone. Nothing is rendered here.

use crate::answer::Answer;
use crate::asked::AskedOptions;
use crate::problem::Problem;
use axum::http::{HeaderMap, header};
use serde_json::{Map, Value};
use unchaff::{Detection, Document};
use unchaff_segment::document::{SegmentDocument, annotated};
use unchaff_segment::layout::Layout;
use unchaff_segment::registry::{self, SegmentEntry};
use unchaff_segment::renderer::Rendering;
use unchaff_segment::segmentation::SegmentTechnique;
use unchaff_segment::{labels, picture};

/// What is used without boxes, if no technique is named.
const FROM_TREE: &str = "dom-blocks";

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SegmentFormat {
    Json,
    Annotated,
    Svg,
}

/// A technique with its settings, its boxes, and how its answer is written.
pub(crate) struct Segmenter {
    technique: Box<dyn SegmentTechnique>,
    rendering: Rendering,
    format: SegmentFormat,
    /// What the page is called.
    pub(crate) input: String,
}

impl Segmenter {
    pub(crate) fn new(
        options: &AskedOptions,
        boxes: Option<Map<String, Value>>,
        headers: &HeaderMap,
    ) -> Result<Segmenter, Problem> {
        let AskedOptions { include, exclude, title, fields, metadata, explain, complement, favor, show, .. } = options;
        let other = [
            (!include.is_empty(), "include"),
            (!exclude.is_empty(), "exclude"),
            (title.is_some(), "title"),
            (!fields.is_empty(), "fields"),
            (*metadata, "metadata"),
            (*explain, "explain"),
            (*complement, "complement"),
            (favor.is_some(), "favor"),
            (show.is_some(), "show"),
        ];
        if let Some((_, name)) = other.iter().find(|(is_given, _)| *is_given) {
            return Err(Problem::bad(format!("{name} is not for segments; leave it away")));
        }
        let default = if boxes.is_some() { registry::DEFAULT } else { FROM_TREE };
        let name = options.technique.as_deref().unwrap_or(default);
        let entry = find(name)?;
        if entry.kind.needs_layout() && boxes.is_none() {
            return Err(Problem::bad(format!(
                "{name} needs the boxes of the page, as `unchaff segment --format boxes` writes them, in the field boxes; dom-blocks and block-fusion need none"
            )));
        }
        let settings = options.settings()?;
        let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let technique = entry.technique(&settings).map_err(|error| Problem::bad(error.to_string()))?;
        let rendering = match boxes {
            None => Rendering::default(),
            Some(boxes) => {
                let json = Value::Object(boxes).to_string();
                Layout::from_json(json.as_bytes()).map_err(|error| Problem::bad(format!("the boxes: {error}")))?.into()
            }
        };
        let is_page = || headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes().starts_with(b"text/html"));
        let format = match options.format.as_deref() {
            None if is_page() => SegmentFormat::Annotated,
            None | Some("json") => SegmentFormat::Json,
            Some("annotated") => SegmentFormat::Annotated,
            Some("svg") => SegmentFormat::Svg,
            Some(other) => return Err(Problem::bad(format!("segments are written as json, annotated or svg, not as {other}"))),
        };
        Ok(Segmenter { technique, rendering, format, input: "-".to_owned() })
    }

    /// What the command prints.
    pub(crate) fn answer(self, document: Document) -> Result<Answer, Problem> {
        let page = document.page();
        let layout = &self.rendering.layout;
        let mut found = self.technique.tree(&page, layout);
        labels::label_with(&page, layout, &Detection::default(), &mut found);
        Ok(match self.format {
            SegmentFormat::Annotated => Answer { text: annotated(&page, &found), media_type: "text/html; charset=utf-8" },
            SegmentFormat::Svg => Answer { text: picture::svg(layout, &found, None), media_type: "image/svg+xml" },
            SegmentFormat::Json => {
                let mut document = SegmentDocument::new(self.technique.name(), &page, &found, &self.rendering);
                document.input = Some(self.input);
                let text = document.to_json().map_err(|error| Problem::internal(error.to_string()))?;
                Answer { text, media_type: "application/json" }
            }
        })
    }
}

fn find(name: &str) -> Result<&'static SegmentEntry, Problem> {
    registry::find(name).ok_or_else(|| {
        let known: Vec<&str> = registry::all().iter().map(|entry| entry.name).collect();
        Problem::bad(format!("there is no technique `{name}` for segments; there are {}", known.join(", ")))
    })
}
