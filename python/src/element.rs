//! A page and its elements, for techniques that are written in Python.

use crate::document::document;
use crate::errors::Class;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use unchaff::dom::select::Selector;
use unchaff::{NodeId, Page};

/// A page that is read.
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

    #[getter]
    fn url(&self) -> Option<&str> {
        self.page.url().map(|url| url.as_str())
    }

    #[getter]
    fn source(&self) -> &str {
        self.page.source()
    }

    #[getter]
    fn root(&self) -> Element {
        Element { page: Arc::clone(&self.page), node: self.page.root() }
    }

    #[getter]
    fn body(&self) -> Option<Element> {
        self.page.body().map(|node| Element { page: Arc::clone(&self.page), node })
    }

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
    #[getter]
    fn tag(&self) -> &str {
        self.page.name(self.node)
    }

    #[getter]
    fn text(&self) -> &str {
        self.page.text(self.node)
    }

    #[getter]
    fn words(&self) -> u32 {
        self.page.counts(self.node).words
    }

    #[getter]
    fn link_words(&self) -> u32 {
        self.page.counts(self.node).link_words
    }

    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attrs = PyDict::new(py);
        for (name, value) in self.page.attrs(self.node) {
            attrs.set_item(name, value)?;
        }
        Ok(attrs)
    }

    #[pyo3(signature = (name, default=None))]
    fn get(&self, name: &str, default: Option<String>) -> Option<String> {
        self.page.attr(self.node, name).map(str::to_owned).or(default)
    }

    #[getter]
    fn parent(&self) -> Option<Element> {
        self.page.parent(self.node).map(|node| self.at(node))
    }

    #[getter]
    fn children(&self) -> Vec<Element> {
        self.page.children(self.node).map(|node| self.at(node)).collect()
    }

    #[getter]
    fn path(&self) -> String {
        self.page.path(self.node)
    }

    #[getter]
    fn css(&self) -> String {
        self.page.css_path(self.node)
    }

    #[getter]
    fn source(&self) -> (usize, usize) {
        let range = self.page.source_range(self.node);
        (range.start, range.end)
    }

    fn select(&self, py: Python<'_>, css: &str) -> PyResult<Vec<Element>> {
        selected(py, &self.page, self.node, css)
    }

    fn __repr__(&self) -> String {
        format!("<Element {}>", if self.node == self.page.root() { "document".to_owned() } else { self.css() })
    }
}
