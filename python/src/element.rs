//! A page and its elements, for techniques that are written in Python.

use crate::document::document;
use crate::errors::Class;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use unchaff::dom::select::Selector;
use unchaff::{NodeId, Page};
use unchaff_source::Url;

/// A page that is read: its tree, to be looked at. Techniques that are written in Python get one.
#[pyclass(frozen, name = "Page", module = "unchaff")]
pub(crate) struct PyPage {
    pub(crate) page: Arc<Page>,
}

/// An element of a page, or a text in it.
#[pyclass(frozen, eq, hash, module = "unchaff")]
pub(crate) struct Element {
    pub(crate) page: Arc<Page>,
    pub(crate) node: NodeId,
}

impl PartialEq for Element {
    fn eq(&self, other: &Element) -> bool {
        Arc::ptr_eq(&self.page, &other.page) && self.node == other.node
    }
}

impl std::hash::Hash for Element {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.page) as usize, self.node).hash(state);
    }
}

fn selected(py: Python<'_>, page: &Arc<Page>, below: NodeId, css: &str) -> PyResult<Vec<Element>> {
    let selector = Selector::parse(css).map_err(|error| Class::Option.error(py, error))?;
    Ok(page.select_in(below, &selector).map(|node| Element { page: Arc::clone(page), node }).collect())
}

#[pymethods]
impl PyPage {
    #[new]
    #[pyo3(signature = (html, *, url=None, charset=None))]
    fn new(py: Python<'_>, html: &Bound<'_, PyAny>, url: Option<&Bound<'_, PyAny>>, charset: Option<String>) -> PyResult<PyPage> {
        let document = document(html, url, charset)?;
        Ok(PyPage { page: Arc::new(py.detach(|| document.page())) })
    }

    /// Its address, if it is known.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.page.url().map(Url::as_str)
    }

    /// The page as text.
    #[getter]
    fn source(&self) -> &str {
        self.page.source()
    }

    /// The document, above all elements.
    #[getter]
    fn root(&self) -> Element {
        Element { page: Arc::clone(&self.page), node: self.page.root() }
    }

    /// The element `body`; None of a page of frames.
    #[getter]
    fn body(&self) -> Option<Element> {
        self.page.body().map(|node| Element { page: Arc::clone(&self.page), node })
    }

    /// All elements that a CSS selector matches, in document order.
    fn select(&self, py: Python<'_>, css: &str) -> PyResult<Vec<Element>> {
        selected(py, &self.page, self.page.root(), css)
    }

    /// All elements, in document order.
    fn elements(&self) -> Vec<Element> {
        let elements = self.page.nodes().filter(|node| self.page.is_element(*node));
        elements.map(|node| Element { page: Arc::clone(&self.page), node }).collect()
    }

    fn __len__(&self) -> usize {
        self.page.len()
    }

    fn __repr__(&self) -> String {
        format!("<Page {}of {} nodes>", self.page.url().map_or_else(String::new, |url| format!("{url} ")), self.page.len())
    }
}

impl Element {
    fn at(&self, node: NodeId) -> Element {
        Element { page: Arc::clone(&self.page), node }
    }
}

#[pymethods]
impl Element {
    /// The element's name; `#text` for text.
    #[getter]
    fn tag(&self) -> &str {
        self.page.name(self.node)
    }

    /// The text in it.
    #[getter]
    fn text(&self) -> &str {
        self.page.text(self.node)
    }

    /// How many words are in it.
    #[getter]
    fn words(&self) -> u32 {
        self.page.counts(self.node).words
    }

    /// How many words are in links in it.
    #[getter]
    fn link_words(&self) -> u32 {
        self.page.counts(self.node).link_words
    }

    /// Its attributes.
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attrs = PyDict::new(py);
        for (name, value) in self.page.attrs(self.node) {
            attrs.set_item(name, value)?;
        }
        Ok(attrs)
    }

    /// The value of an attribute.
    #[pyo3(signature = (name, default=None))]
    fn get(&self, name: &str, default: Option<String>) -> Option<String> {
        self.page.attr(self.node, name).map(str::to_owned).or(default)
    }

    /// The element around it; None for the document.
    #[getter]
    fn parent(&self) -> Option<Element> {
        self.page.parent(self.node).map(|node| self.at(node))
    }

    /// What is right inside it: elements, texts and comments.
    #[getter]
    fn children(&self) -> Vec<Element> {
        self.page.children(self.node).map(|node| self.at(node)).collect()
    }

    /// Positions among all children, from the document down: `/1/1/0`.
    #[getter]
    fn path(&self) -> String {
        self.page.path(self.node)
    }

    /// A selector that matches this element alone; for text, its element.
    #[getter]
    fn css(&self) -> String {
        self.page.css_path(self.node)
    }

    /// Where it stands in the source: start and end in bytes of UTF-8.
    #[getter]
    fn source(&self) -> (usize, usize) {
        let range = self.page.source_range(self.node);
        (range.start, range.end)
    }

    /// All elements below it that a CSS selector matches, in document order.
    fn select(&self, py: Python<'_>, css: &str) -> PyResult<Vec<Element>> {
        selected(py, &self.page, self.node, css)
    }

    fn __repr__(&self) -> String {
        format!("<Element {}>", if self.node == self.page.root() { "document".to_owned() } else { self.css() })
    }
}
