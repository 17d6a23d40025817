//! Segments, the list of techniques, and the command.

use crate::document::document;
use crate::errors::{self, Class, engine};
use crate::finder::settings_of;
use crate::values::value;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use unchaff::page::parameters::Parameter;
use unchaff_render::chromium::{Chromium, Options};
use unchaff_segment::catalogue::{self, Technique};
use unchaff_segment::document::SegmentDocument;
use unchaff_segment::labels;
use unchaff_segment::layout::Layout;
use unchaff_segment::registry as segments;
use unchaff_segment::renderer::{PageToRender, RenderError, Renderer, Rendering};

/// Finds the parts that a person sees on a page.
#[pyfunction]
#[pyo3(signature = (html, url, charset, boxes, browser, technique, settings))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn segment<'py>(
    py: Python<'py>,
    html: &Bound<'py, PyAny>,
    url: Option<&Bound<'py, PyAny>>,
    charset: Option<String>,
    boxes: Option<&str>,
    browser: bool,
    technique: Option<&str>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let has_boxes = boxes.is_some() || browser;
    let name = technique.unwrap_or(if has_boxes { segments::DEFAULT } else { "dom-blocks" });
    let entry = segments::find(name).ok_or_else(|| {
        let known: Vec<&str> = segments::all().iter().map(|entry| entry.name).collect();
        Class::Option.error(py, format!("there is no technique `{name}` for segments; there are {}", known.join(", ")))
    })?;
    if entry.kind.needs_layout() && !has_boxes {
        let why = format!("{name} needs to know where things stand: give boxes, or say browser=True to have the page rendered");
        return Err(Class::Option.error(py, why));
    }
    let settings = settings_of(settings)?;
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let technique = entry.technique(&settings).map_err(|error| errors::setting(py, &error))?;
    let layout = boxes.map(|boxes| Layout::from_json(boxes.as_bytes()).map_err(|error| Class::Option.error(py, error)));
    let layout = layout.transpose()?;
    let document = document(html, url.filter(|url| !url.is_none()), charset)?;
    let found = engine(py, || -> Result<SegmentDocument, RenderError> {
        let page = document.page();
        let rendering = match layout {
            Some(layout) => Rendering::from(layout),
            None if browser => Chromium::new(Options::default()).render(&PageToRender::new(&page))?,
            None => Rendering::default(),
        };
        let mut found = technique.tree(&page, &rendering.layout);
        labels::label(&page, &rendering.layout, &mut found);
        Ok(SegmentDocument::new(technique.name(), &page, &found, &rendering))
    })?;
    value(py, "segments", &found.map_err(|error| Class::Page.error(py, error))?)
}

/// A technique, as `_values.py` reads it.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    finds: &'static str,
    needs: &'static str,
    is_default: bool,
    summary: &'static str,
    source: &'static str,
    cost: &'static str,
    parameters: Vec<ListedParameter>,
}

#[derive(Serialize)]
struct ListedParameter {
    name: &'static str,
    default: String,
    takes: String,
    meaning: &'static str,
}

fn listed(one: Technique) -> Listed {
    let parameter = |Parameter { name, default, takes, meaning }| ListedParameter { name, default, takes, meaning };
    Listed {
        name: one.name,
        finds: one.finds(),
        needs: one.looks_at.as_str(),
        is_default: one.is_default,
        summary: one.summary,
        source: one.source,
        cost: one.cost,
        parameters: one.parameters.into_iter().map(parameter).collect(),
    }
}

/// All techniques of the engine.
#[pyfunction]
pub(crate) fn technique_list(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    value(py, "techniques", &catalogue::all().into_iter().map(listed).collect::<Vec<_>>())
}

/// Runs the command; its code says how it went.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> PyResult<u8> {
    #[cfg(feature = "command")]
    return Ok(py.detach(|| unchaff_command::run(arguments)));
    #[cfg(not(feature = "command"))]
    return Err(Class::Option.error(py, format!("this build has no command ({} arguments)", arguments.len())));
}
