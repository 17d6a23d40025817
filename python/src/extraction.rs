//! What was found on a page: with the page, of which outputs are made when they are asked for; or without it, as a record.

use crate::element::PyPage;
use crate::errors::{Class, engine};
use crate::finder::Failed;
use crate::values::{value, value_of_json};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyTuple};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use unchaff::{
    BlockKind, CommentRecord, Extraction, ExtractionRecord, Extractor, Format, MenuItem, MetadataRecord, UnknownFormat,
};
use unchaff_source::Url;

/// What can be made of an extraction ahead of time, by the thread that made it.
#[derive(Clone, Default)]
pub(crate) struct Prepared {
    pub(crate) markdown: Option<String>,
    pub(crate) text: Option<String>,
    pub(crate) html: Option<String>,
    pub(crate) metadata: Option<MetadataRecord>,
}

/// An extraction without its page.
#[derive(Clone)]
struct Kept {
    record: ExtractionRecord,
    rest: Rest,
}

/// What the record does not have.
#[derive(Clone, Serialize, Deserialize)]
struct Rest {
    /// The record as it was written, because numbers that are read again may differ in their last digit.
    json: String,
    html: String,
    menu: Vec<MenuItem>,
    confidence: Option<f64>,
}

/// What pickling keeps.
#[derive(Serialize, Deserialize)]
enum Pickled {
    Kept(Rest),
    Failed { input: Option<String>, url: Option<String>, why: String },
}

enum State {
    Live { found: Box<Extraction<'static>>, input: Option<String>, given: Option<Arc<str>> },
    Kept(Box<Kept>),
    Failed { input: Option<String>, url: Option<String>, error: Py<PyAny> },
}

/// What was found on a page. It holds the page, and makes each form when it is first asked for. As a string it is Markdown; it is false if
/// nothing was found.
#[pyclass(frozen, name = "Extraction", module = "unchaff")]
pub(crate) struct PyExtraction {
    state: State,
    prepared: Prepared,
    markdown: PyOnceLock<Py<PyString>>,
    text: PyOnceLock<Py<PyString>>,
    html: PyOnceLock<Py<PyString>>,
    metadata: PyOnceLock<Py<PyAny>>,
    blocks: PyOnceLock<Py<PyAny>>,
    menu: PyOnceLock<Py<PyAny>>,
}

/// An extraction from what pickling kept of it.
#[pyfunction]
pub(crate) fn restored(py: Python<'_>, state: &[u8]) -> PyResult<PyExtraction> {
    let damaged = |_| Class::Model.error(py, "this is no extraction of this version of unchaff; extract the page again");
    Ok(match serde_json::from_slice(state).map_err(damaged)? {
        Pickled::Kept(rest) => {
            let record = serde_json::from_str(&rest.json).map_err(damaged)?;
            PyExtraction::of(State::Kept(Box::new(Kept { record, rest })))
        }
        Pickled::Failed { input, url, why } => PyExtraction::failed(py, Failed::page(why), input, url),
    })
}

impl PyExtraction {
    fn of(state: State) -> PyExtraction {
        PyExtraction {
            state,
            prepared: Prepared::default(),
            markdown: PyOnceLock::new(),
            text: PyOnceLock::new(),
            html: PyOnceLock::new(),
            metadata: PyOnceLock::new(),
            blocks: PyOnceLock::new(),
            menu: PyOnceLock::new(),
        }
    }

    /// What was found, under the name that the caller has for the page.
    pub(crate) fn live(found: Extraction<'static>, input: Option<String>) -> PyExtraction {
        PyExtraction::of(State::Live { found: Box::new(found), input, given: None })
    }

    pub(crate) fn prepared(mut self, prepared: Prepared) -> PyExtraction {
        self.prepared = prepared;
        self
    }

    /// What the source says of the page besides, as a JSON object.
    pub(crate) fn with_given(mut self, more: Option<Arc<str>>) -> PyExtraction {
        if let State::Live { given, .. } = &mut self.state {
            *given = more;
        }
        self
    }

    /// A page of which nothing can be told but why.
    pub(crate) fn failed(py: Python<'_>, failed: Failed, input: Option<String>, url: Option<String>) -> PyExtraction {
        let error = failed.error(py).into_value(py).into_any();
        PyExtraction::of(State::Failed { input, url, error })
    }

    /// A string that is made once, while other threads of Python run.
    fn string(
        &self,
        py: Python<'_>,
        once: &PyOnceLock<Py<PyString>>,
        prepared: Option<&String>,
        live: fn(&Extraction<'static>) -> String,
        kept: fn(&Kept) -> &String,
    ) -> PyResult<Py<PyString>> {
        if let Some(text) = once.get(py) {
            return Ok(text.clone_ref(py));
        }
        let text = match (&self.state, prepared) {
            (_, Some(text)) => PyString::new(py, text),
            (State::Live { found, .. }, None) => PyString::new(py, &engine(py, || live(found))?),
            (State::Kept(data), None) => PyString::new(py, kept(data)),
            (State::Failed { .. }, None) => PyString::new(py, ""),
        };
        Ok(once.get_or_init(py, || text.unbind()).clone_ref(py))
    }

    fn live_page(&self, py: Python<'_>, what: &str) -> PyResult<&Extraction<'static>> {
        match &self.state {
            State::Live { found, .. } => Ok(found),
            State::Kept(_) => {
                let why = format!("this extraction has left its page behind, which {what} is made of; extract the page again");
                Err(Class::Page.error(py, why))
            }
            State::Failed { error, .. } => Err(PyErr::from_value(error.bind(py).clone())),
        }
    }

    fn kept(&self, py: Python<'_>) -> PyResult<Option<Kept>> {
        Ok(match &self.state {
            State::Live { found, input, given } => Some(engine(py, || {
                let record = record(found, input.as_deref(), given.as_deref());
                let rest = Rest { json: record.json(), html: found.html(), menu: menu_of(found), confidence: found.confidence() };
                Kept { record, rest }
            })?),
            State::Kept(kept) => Some(Kept::clone(kept)),
            State::Failed { .. } => None,
        })
    }
}

/// All of an extraction, with what the source says of the page.
fn record(found: &Extraction<'static>, input: Option<&str>, given: Option<&str>) -> ExtractionRecord {
    let given = given.and_then(|given| serde_json::from_str(given).ok());
    ExtractionRecord { given, ..found.record(input) }
}

/// The menu that was found, or if none was looked for, the one that the page shows.
fn menu_of(found: &Extraction<'static>) -> Vec<MenuItem> {
    found.menu().or_else(|| Extractor::of(BlockKind::Menu).extract(found.page()).menu()).unwrap_or_default()
}

#[pymethods]
impl PyExtraction {
    /// What was found as Markdown (CommonMark with tables); of a menu its entries as nested lists.
    #[getter]
    fn markdown(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.string(py, &self.markdown, self.prepared.markdown.as_ref(), Extraction::markdown, |kept| &kept.record.markdown)
    }

    /// What was found as plain text; of a menu its entries.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.string(py, &self.text, self.prepared.text.as_ref(), Extraction::text, |kept| &kept.record.text)
    }

    /// What was found as HTML: content markup only, safe attributes, absolute addresses if the page's address is known.
    #[getter]
    fn html(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.string(py, &self.html, self.prepared.html.as_ref(), Extraction::html, |kept| &kept.rest.html)
    }

    /// The whole page, in which every element of a block carries `data-unchaff` with the block's name.
    fn annotated(&self, py: Python<'_>) -> PyResult<String> {
        let found = self.live_page(py, "the annotated page")?;
        engine(py, || found.annotated())
    }

    /// The page with everything taken out that is not of the block: of a template, the empty form.
    fn skeleton(&self, py: Python<'_>) -> PyResult<String> {
        let found = self.live_page(py, "the skeleton")?;
        engine(py, || found.skeleton())
    }

    /// What was found in any format of the command: `text`, `markdown`, `hidden`, `replaced:x`, `highlighted`, `ranges` and so on.
    fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let format: Format = format.parse().map_err(|error: UnknownFormat| Class::Option.error(py, error.to_string()))?;
        let found = self.live_page(py, "this format")?;
        engine(py, || found.render(format))
    }

    /// The same with outputs that show everything but the block.
    fn complement(&self, py: Python<'_>) -> PyResult<PyExtraction> {
        let found = self.live_page(py, "what is not of a block")?;
        let input = match &self.state {
            State::Live { input, .. } => input.clone(),
            _ => None,
        };
        let found = engine(py, || found.clone().complemented())?;
        Ok(PyExtraction::live(found, input))
    }

    /// What led to the result as a table for people, if the extraction was made with `explain`.
    fn table(&self, py: Python<'_>) -> PyResult<String> {
        let found = self.live_page(py, "the table")?;
        engine(py, || found.table())
    }

    /// All of it as JSON on one line, in the schema of the command (docs/json.md). `input` is what the page is called there.
    #[pyo3(signature = (input=None))]
    fn json(&self, py: Python<'_>, input: Option<&str>) -> PyResult<String> {
        match &self.state {
            State::Live { found, input: own, given } => {
                engine(py, || record(found, input.or(own.as_deref()), given.as_deref()).json())
            }
            State::Kept(kept) => match input {
                Some(input) => Ok(ExtractionRecord { input: Some(input.to_owned()), ..kept.record.clone() }.json()),
                None => Ok(kept.rest.json.clone()),
            },
            State::Failed { error, .. } => Err(PyErr::from_value(error.bind(py).clone())),
        }
    }

    /// What the page says about itself.
    #[getter]
    fn metadata(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let made = self.metadata.get_or_try_init(py, || {
            let record = match (&self.prepared.metadata, &self.state) {
                (Some(prepared), _) => prepared.clone(),
                (None, State::Live { found, .. }) => engine(py, || found.metadata())?,
                (None, State::Kept(kept)) => kept.record.metadata.clone(),
                (None, State::Failed { .. }) => MetadataRecord::default(),
            };
            Ok::<_, PyErr>(value(py, "metadata", &record)?.unbind())
        })?;
        Ok(made.clone_ref(py))
    }

    /// The blocks that were found, with their nodes.
    #[getter]
    fn blocks(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let made = self.blocks.get_or_try_init(py, || {
            let blocks = match &self.state {
                State::Live { found, .. } => engine(py, || found.blocks())?,
                State::Kept(kept) => kept.record.blocks.clone(),
                State::Failed { .. } => Vec::new(),
            };
            Ok::<_, PyErr>(value(py, "blocks", &blocks)?.unbind())
        })?;
        Ok(made.clone_ref(py))
    }

    /// The main menu as a tree, whatever else was looked for; empty if there is none.
    #[getter]
    fn menu(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let made = self.menu.get_or_try_init(py, || {
            let menu = match &self.state {
                State::Live { found, .. } => engine(py, || menu_of(found))?,
                State::Kept(kept) => kept.rest.menu.clone(),
                State::Failed { .. } => Vec::new(),
            };
            Ok::<_, PyErr>(value(py, "menu", &menu)?.unbind())
        })?;
        Ok(made.clone_ref(py))
    }

    /// What readers wrote about the page, one by one.
    #[getter]
    fn comments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let comments = match &self.state {
            State::Live { found, .. } => engine(py, || found.comments().into_iter().map(CommentRecord::from).collect())?,
            State::Kept(kept) => kept.record.comments.clone(),
            State::Failed { .. } => Vec::new(),
        };
        value(py, "comments", &comments)
    }

    /// What you should know: limits met, characters replaced, what the technique has to say.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let warnings = match &self.state {
            State::Live { found, .. } => found.warnings(),
            State::Kept(kept) => kept.record.warnings.clone(),
            State::Failed { .. } => Vec::new(),
        };
        value(py, "warnings", &warnings)
    }

    /// What led to the result, if the extraction was made with `explain`.
    #[getter]
    fn explanation<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let json = match &self.state {
            State::Live { found, .. } if found.explanation().is_some() => engine(py, || found.json(None))?,
            State::Kept(kept) if kept.record.explanation.is_some() => kept.rest.json.clone(),
            _ => return Ok(None),
        };
        value_of_json(py, "explanation", &json).map(Some)
    }

    /// How far to trust what was found, 0 to 1, if the technique can say; of `auto` the F1 that is expected of it.
    #[getter]
    fn confidence(&self) -> Option<f64> {
        match &self.state {
            State::Live { found, .. } => found.confidence(),
            State::Kept(kept) => kept.rest.confidence,
            State::Failed { .. } => None,
        }
    }

    /// The technique that found it; `site` for what is known about a site.
    #[getter]
    fn technique(&self) -> &str {
        match &self.state {
            State::Live { found, .. } => found.technique(),
            State::Kept(kept) => &kept.record.technique,
            State::Failed { .. } => "",
        }
    }

    /// The kind of block that `markdown`, `text` and `html` are of.
    #[getter]
    fn shows(&self) -> &str {
        match &self.state {
            State::Live { found, .. } => found.shows().as_str(),
            State::Kept(kept) => &kept.record.shows,
            State::Failed { .. } => "",
        }
    }

    /// The name of the page's template among those of its site, if the site is known and has it.
    #[getter]
    fn template_name(&self) -> Option<&str> {
        match &self.state {
            State::Live { found, .. } => found.detection().template.as_deref(),
            State::Kept(kept) => kept.record.template.as_deref(),
            State::Failed { .. } => None,
        }
    }

    /// The page's address, if it is known.
    #[getter]
    fn url(&self) -> Option<&str> {
        match &self.state {
            State::Live { found, .. } => found.page().url().map(Url::as_str),
            State::Kept(kept) => kept.record.url.as_deref(),
            State::Failed { url, .. } => url.as_deref(),
        }
    }

    /// What the page was read from, if unchaff read it.
    #[getter]
    fn input(&self) -> Option<&str> {
        match &self.state {
            State::Live { input, .. } | State::Failed { input, .. } => input.as_deref(),
            State::Kept(kept) => kept.record.input.as_deref(),
        }
    }

    /// What else the source says of the page: the other fields of a line of JSON.
    #[getter]
    fn given<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = match &self.state {
            State::Live { given, .. } => given.as_deref().map(str::to_owned),
            State::Kept(kept) => kept.record.given.as_ref().map(|given| serde_json::Value::Object(given.clone()).to_string()),
            State::Failed { .. } => None,
        };
        value_of_json(py, "given", json.as_deref().unwrap_or("{}"))
    }

    /// The charset the page was read in.
    #[getter]
    fn charset(&self) -> Option<&str> {
        match &self.state {
            State::Live { found, .. } => Some(found.page().charset().0),
            State::Kept(kept) => Some(&kept.record.charset.name),
            State::Failed { .. } => None,
        }
    }

    /// Why there is nothing, of a page among many that could not be worked on; None of all others.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        match &self.state {
            State::Failed { error, .. } => Some(error.clone_ref(py)),
            _ => None,
        }
    }

    /// The page itself; None if it was left behind.
    #[getter]
    fn page(&self) -> Option<PyPage> {
        match &self.state {
            State::Live { found, .. } => found.shared_page().map(|page| PyPage { page }),
            _ => None,
        }
    }

    /// The same without its page, which takes several times its size in memory. It has everything but `annotated`, `skeleton` and `table`.
    fn detach(slf: Bound<'_, PyExtraction>) -> PyResult<Bound<'_, PyExtraction>> {
        let py = slf.py();
        match (&slf.get().state, slf.get().kept(py)?) {
            (State::Live { .. }, Some(kept)) => Bound::new(py, PyExtraction::of(State::Kept(Box::new(kept)))),
            _ => Ok(slf),
        }
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.markdown(py)
    }

    fn __bool__(&self) -> bool {
        match &self.state {
            State::Live { found, .. } => {
                found.nodes().is_some_and(|nodes| !nodes.is_empty()) || found.detection().embedded.is_some()
            }
            State::Kept(kept) => !kept.record.text.is_empty(),
            State::Failed { .. } => false,
        }
    }

    fn __repr__(slf: &Bound<'_, PyExtraction>) -> PyResult<String> {
        slf.py().import("unchaff._show")?.getattr("shown")?.call1((slf,))?.extract()
    }

    fn _repr_html_(slf: &Bound<'_, PyExtraction>) -> PyResult<String> {
        slf.py().import("unchaff._show")?.getattr("shown_in_notebook")?.call1((slf,))?.extract()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let pickled = match (&self.state, self.kept(py)?) {
            (State::Failed { input, url, error }, _) => {
                Pickled::Failed { input: input.clone(), url: url.clone(), why: error.bind(py).str()?.to_string() }
            }
            (_, Some(kept)) => Pickled::Kept(kept.rest),
            (_, None) => unreachable!("only what failed has nothing to keep"),
        };
        let state = serde_json::to_vec(&pickled).unwrap_or_else(|_| unreachable!("strings and numbers are always JSON"));
        let restored = py.import("unchaff._engine")?.getattr("restored")?;
        Ok((restored, PyTuple::new(py, [PyBytes::new(py, &state)])?))
    }
}
