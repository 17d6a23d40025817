//! What is known about a site, and which pages share a template.

use crate::document::{address, document, one_of_many};
use crate::errors::{Class, engine};
use crate::extraction::PyExtraction;
use crate::finder::{Plan, extract, parts, with_site};
use crate::stream::{PATIENCE, in_flight};
use crate::values::value;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use unchaff::compare::clustering::{self, ClusterOptions, Method};
use unchaff::compare::distances::{Distance, Measure, ReducedPage};
use unchaff::page::parameters::ParameterValue;
use unchaff::{BlockKind, Page, Parts, SiteModel};
use unchaff_job::{JobError, Next, Workers, guarded};
use unchaff_source::Url;

/// What is known about a site: a sample of its pages, by what can be found again on others. `unchaff.learn` makes one of many pages; `bytes()`
/// and pickling store it. It is the same in whatever order pages are learned.
#[pyclass(frozen, name = "SiteModel", module = "unchaff")]
#[derive(Default)]
pub(crate) struct PySiteModel {
    model: Mutex<Arc<SiteModel>>,
}

impl PySiteModel {
    fn of(model: SiteModel) -> PySiteModel {
        PySiteModel { model: Mutex::new(Arc::new(model)) }
    }

    fn lock(&self) -> MutexGuard<'_, Arc<SiteModel>> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn model(&self) -> Arc<SiteModel> {
        Arc::clone(&self.lock())
    }

    fn shown(
        &self,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        charset: Option<String>,
        plan: impl FnOnce(Arc<SiteModel>) -> PyResult<Plan>,
    ) -> PyResult<PyExtraction> {
        let document = document(html, url.filter(|url| !url.is_none()), charset)?;
        extract(html.py(), &plan(self.model())?, document)
    }
}

#[pymethods]
impl PySiteModel {
    #[new]
    fn new() -> PySiteModel {
        PySiteModel::default()
    }

    /// The model that `bytes()` made bytes of.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<PySiteModel> {
        py.detach(|| SiteModel::from_bytes(data)).map(PySiteModel::of).map_err(|error| Class::Model.error(py, error))
    }

    /// Learns from one more page.
    #[pyo3(signature = (html, *, url=None, charset=None))]
    fn add(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        charset: Option<String>,
    ) -> PyResult<()> {
        let document = document(html, url.filter(|url| !url.is_none()), charset)?;
        let learned = engine(py, || SiteModel::learn([&document.page()]))?;
        Arc::make_mut(&mut self.lock()).merge(learned);
        Ok(())
    }

    /// Learns what another model has learned: the same as if all pages had been learned by one.
    fn merge(&self, other: &Bound<'_, PySiteModel>) {
        let other = other.get().model();
        Arc::make_mut(&mut self.lock()).merge(SiteModel::clone(&other));
    }

    /// Whether a page at this address would be among the first so many of the sample; of one that would not nothing is learned.
    #[pyo3(signature = (url, most=64))]
    fn wants(&self, url: &Bound<'_, PyAny>, most: usize) -> PyResult<bool> {
        let url = Url::parse(&address(url)?);
        Ok(url.map_or(true, |url| self.model().wants_address(&url, most)))
    }

    /// Forgets all pages but the first so many of the sample: what a model that keeps no more would have learned.
    fn keep(&self, most: usize) {
        Arc::make_mut(&mut self.lock()).keep(most);
    }

    /// The content of a page of the site; `blocks` has template and menu too.
    #[pyo3(signature = (html, *, url=None, charset=None, favor=None, include=None, exclude=None))]
    #[allow(clippy::too_many_arguments)]
    fn extract(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        charset: Option<String>,
        favor: Option<String>,
        include: Option<&Bound<'_, PyAny>>,
        exclude: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyExtraction> {
        self.shown(html, url, charset, |model| {
            let settings: Vec<_> = favor.map(|favor| ("favor".to_owned(), favor)).into_iter().collect();
            Ok(Plan::with_model(model, with_site(py, &settings)?, BlockKind::Content, parts(include, exclude, py)?))
        })
    }

    /// The template of a page of the site: what it shares with others.
    #[pyo3(signature = (html, *, url=None, charset=None))]
    fn template(
        &self,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        charset: Option<String>,
    ) -> PyResult<PyExtraction> {
        self.shown(html, url, charset, |model| {
            Ok(Plan::with_model(model, Default::default(), BlockKind::Template, Parts::default()))
        })
    }

    /// The main menu of a page of the site.
    #[pyo3(signature = (html, *, url=None, charset=None))]
    fn menu(&self, html: &Bound<'_, PyAny>, url: Option<&Bound<'_, PyAny>>, charset: Option<String>) -> PyResult<PyExtraction> {
        self.shown(html, url, charset, |model| Ok(Plan::with_model(model, Default::default(), BlockKind::Menu, Parts::default())))
    }

    /// From how many pages it is; it keeps a sample of at most 64.
    #[getter]
    fn pages(&self) -> usize {
        self.model().pages()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let model = self.model();
        PyBytes::new(py, &py.detach(|| model.to_bytes()))
    }

    fn __eq__(&self, other: &Bound<'_, PySiteModel>) -> bool {
        *self.model() == *other.get().model()
    }

    fn __repr__(&self) -> String {
        format!("<SiteModel of {} pages>", self.pages())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let from_bytes = py.get_type::<PySiteModel>().getattr("from_bytes")?;
        Ok((from_bytes, PyTuple::new(py, [self.__bytes__(py)])?))
    }
}

/// Does some work on every page of an iterable by threads, and hands the results on in order.
fn each_page<R: Send + 'static>(
    pages: &Bound<'_, PyAny>,
    jobs: Option<usize>,
    work: impl Fn(Page) -> R + Send + Sync + 'static,
    mut take: impl FnMut(R) -> PyResult<()>,
) -> PyResult<()> {
    let py = pages.py();
    let mut flight = in_flight::<Result<R, unchaff_job::Panicked>>(py, jobs)?;
    let work = Arc::new(work);
    let mut pages = pages.try_iter()?;
    let mut is_ended = false;
    loop {
        while !is_ended && flight.has_room() {
            match pages.next() {
                None => is_ended = true,
                Some(item) => {
                    let (document, work) = (one_of_many(&item?, None)?, Arc::clone(&work));
                    flight.begin(document.bytes.len(), move || guarded(|| work(document.page())));
                }
            }
        }
        match py.detach(|| flight.next(PATIENCE)) {
            Next::Ready(Some(Ok(result))) => take(result)?,
            Next::Ready(Some(Err(panicked))) => return Err(Class::Page.error(py, panicked)),
            Next::Ready(None) | Next::NotYet => {}
            Next::Idle => return Ok(()),
        }
        py.check_signals()?;
    }
}

/// Learns a site from its pages.
#[pyfunction]
#[pyo3(signature = (pages, jobs))]
pub(crate) fn learn(py: Python<'_>, pages: &Bound<'_, PyAny>, jobs: Option<usize>) -> PyResult<PySiteModel> {
    if crate::site_of_pages::path(pages)?.is_some() {
        let model = crate::site_of_pages::open(pages)?.learn(py)?;
        return Ok(PySiteModel { model: Mutex::new(model) });
    }
    let mut model = SiteModel::default();
    // Most pages of a long stream are not kept, which is told before they are looked at closely.
    each_page(pages, jobs, |page| page, |page| engine(py, || model.add(&page)))?;
    Ok(PySiteModel::of(model))
}

/// Clusters of pages, as `_values.py` reads them.
#[derive(Serialize)]
struct Clusters {
    labels: Vec<usize>,
    urls: Vec<Option<String>>,
    representatives: Vec<usize>,
    spread: Vec<f64>,
    threshold: Option<f64>,
    exact: bool,
}

/// Puts pages that are built alike into clusters.
#[pyfunction]
#[pyo3(signature = (pages, distance, method, threshold, k, exact, jobs))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn cluster<'py>(
    py: Python<'py>,
    pages: &Bound<'py, PyAny>,
    distance: &str,
    method: &str,
    threshold: Option<f64>,
    k: Option<usize>,
    exact: bool,
    jobs: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let refuse =
        |what: &str, name: &str, takes: String| Class::Option.error(py, format!("`{name}` is no {what}; there is {takes}"));
    let measure = Measure::read(distance).ok_or_else(|| refuse("distance", distance, Measure::takes()))?;
    let method = Method::read(method).ok_or_else(|| refuse("method", method, Method::takes()))?;
    if threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        return Err(Class::Option.error(py, "threshold is a distance, a number from 0 to 1"));
    }
    if k.is_some() && (threshold.is_some() || method == Method::Stream) {
        return Err(Class::Option.error(py, "k is the number of clusters, which neither a threshold nor a stream is told"));
    }
    let distance = Distance { measure, ..Distance::default() };
    let (mut reduced, mut urls): (Vec<ReducedPage>, Vec<Option<String>>) = Default::default();
    let reduce = distance.clone();
    each_page(
        pages,
        jobs,
        move |page| (page.url().map(ToString::to_string), reduce.reduce(&page)),
        |(url, page)| {
            urls.push(url);
            reduced.push(page);
            Ok(())
        },
    )?;
    let options = ClusterOptions { distance, method, threshold, clusters: k, exact, ..ClusterOptions::default() };
    // Threads of its own: those that all share do not survive a fork.
    let found = engine(py, || Ok::<_, JobError>(Workers::new(jobs)?.install(|| clustering::cluster(&reduced, &options))))?;
    let found = found.map_err(|error| Class::Page.error(py, error))?.map_err(|error| Class::Option.error(py, error))?;
    let clusters = Clusters {
        labels: (0..urls.len()).map(|page| found.clustering.of(page)).collect(),
        urls,
        representatives: found.representatives,
        spread: found.spread,
        threshold: found.threshold,
        exact: found.exact,
    };
    value(py, "clusters", &clusters)
}
