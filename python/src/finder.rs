//! How blocks are found: a technique with its settings, what is known about the site, and which parts are wanted.

use crate::document::document;
use crate::element::{Element, PyPage};
use crate::errors::{self, Class};
use crate::extraction::PyExtraction;
use crate::site_of_pages::{PageOfSite, open};
use crate::sites::PySiteModel;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping, PyString};
use std::sync::Arc;
use unchaff::compare::learned::auto_with_site::Params;
use unchaff::compare::learned::with_site::WithSite;
use unchaff::dom::Site;
use unchaff::page::parameters::Parameters;
use unchaff::registry;
use unchaff::{
    Block, BlockKind, Detection, Document, Extraction, NodeSet, Page, Part, Parts, SITE, SettingError, SiteExtractor, SiteModel,
};
use unchaff_job::guarded;

/// A way to find blocks.
pub(crate) enum Finder {
    /// On the page alone.
    Page(unchaff::Extractor),
    /// By what is known about the site.
    Model(Arc<SiteModel>, WithSite),
    /// By comparing it with other pages.
    Compare(SiteExtractor, Box<dyn Site>),
    /// By a technique that is written in Python.
    Python(Py<PyAny>, String),
}

/// A way to find blocks, with its options; those of `unchaff.extract`, and `show` for another kind of block. Threads can share it.
#[pyclass(frozen, module = "unchaff")]
pub(crate) struct Extractor {
    plan: Arc<Plan>,
}

/// Everything that is the same for all pages.
pub(crate) struct Plan {
    finder: Finder,
    shows: BlockKind,
    explain: bool,
    parts: Parts,
}

/// Why there is nothing to show of a page.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The engine says so.
    Said(Class, String),
    /// A technique that is written in Python raised this.
    Raised(PyErr),
}

impl Failed {
    pub(crate) fn page(why: impl ToString) -> Failed {
        Failed::Said(Class::Page, why.to_string())
    }

    pub(crate) fn error(self, py: Python<'_>) -> PyErr {
        match self {
            Failed::Said(class, why) => class.error(py, why),
            Failed::Raised(error) => error,
        }
    }
}

impl Plan {
    /// What the model of a site tells about its pages.
    pub(crate) fn with_model(model: Arc<SiteModel>, with: WithSite, shows: BlockKind, parts: Parts) -> Plan {
        Plan { finder: Finder::Model(model, with), shows, explain: false, parts }
    }

    /// Reads a page and finds its blocks; whatever happens is that page's affair.
    pub(crate) fn extract(&self, document: Document) -> Result<Extraction<'static>, Failed> {
        self.extract_page(|| Ok(Arc::new(document.page())))
    }

    /// The same for who looks at nothing but what is shown: of a page with its site nothing else is looked for.
    pub(crate) fn extract_shown(&self, document: Document) -> Result<Extraction<'static>, Failed> {
        match &self.finder {
            Finder::Model(model, with) => {
                let with = WithSite { only: Some(self.shows), ..with.clone() };
                Plan::with_model(Arc::clone(model), with, self.shows, self.parts.clone()).extract(document)
            }
            _ => self.extract(document),
        }
    }

    pub(crate) fn extract_page(&self, read: impl FnOnce() -> Result<Arc<Page>, Failed>) -> Result<Extraction<'static>, Failed> {
        let extracted = guarded(|| {
            let page = read()?;
            let found = self.find(&page)?;
            let found = if self.parts == Parts::default() { found } else { found.with_parts(&self.parts) };
            Ok(found.with_page(Arc::clone(&page)))
        });
        extracted.unwrap_or_else(|panicked| Err(Failed::page(panicked)))
    }

    fn find<'p>(&self, page: &'p Arc<Page>) -> Result<Extraction<'p>, Failed> {
        Ok(match &self.finder {
            Finder::Page(extractor) if self.explain => extractor.explain(page),
            Finder::Page(extractor) => extractor.extract(page),
            Finder::Model(model, with) => Extraction::of(page, self.shows, SITE, with.detect(model, page)),
            Finder::Compare(extractor, site) => {
                let with_page = PageOfSite::new(&**site, Arc::clone(page));
                let key = with_page.key();
                let found = if self.explain {
                    extractor.explain(&with_page, key, page)
                } else {
                    extractor.extract(&with_page, key, page)
                };
                found.map_err(Failed::page)?
            }
            Finder::Python(technique, name) => {
                let found = Python::attach(|py| detected(technique.bind(py), page, self.shows));
                Extraction::of(page, self.shows, name.clone(), found.map_err(Failed::Raised)?)
            }
        })
    }
}

/// What a technique that is written in Python finds: elements of the kind that it is for, or elements by kind.
fn detected(technique: &Bound<'_, PyAny>, page: &Arc<Page>, kind: BlockKind) -> PyResult<Detection> {
    let py = technique.py();
    let found = technique.call_method1("detect", (PyPage { page: Arc::clone(page) },))?;
    let mut detection = Detection::default();
    let mut add = |kind: BlockKind, elements: &Bound<'_, PyAny>| -> PyResult<()> {
        let mut nodes = NodeSet::new(page);
        for element in elements.try_iter()? {
            let element = element?;
            let element = element.cast::<Element>().map_err(|_| {
                PyTypeError::new_err(format!("detect() returns elements of the page, not {}", element.get_type()))
            })?;
            if !Arc::ptr_eq(&element.get().page, page) {
                return Err(Class::Option.error(py, "detect() returned an element of another page"));
            }
            nodes.insert_subtree(page, element.get().node);
        }
        detection.blocks.push(Block::of(kind, nodes));
        Ok(())
    };
    match found.cast::<PyMapping>() {
        Ok(by_kind) => {
            for item in by_kind.items()?.iter() {
                let (name, elements): (String, Bound<'_, PyAny>) = item.extract()?;
                add(block_kind(py, &name)?, &elements)?;
            }
        }
        Err(_) => add(kind, &found)?,
    }
    Ok(detection)
}

pub(crate) fn block_kind(py: Python<'_>, name: &str) -> PyResult<BlockKind> {
    name.parse().map_err(|error: unchaff::page::UnknownBlockKind| Class::Option.error(py, error))
}

/// Parts by their names; a single one may come without a list around it.
fn parts_named(parts: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Part>> {
    let Some(parts) = parts.filter(|parts| !parts.is_none()) else { return Ok(Vec::new()) };
    let read = |name: &str| name.parse().map_err(|error: unchaff::UnknownPart| Class::Option.error(parts.py(), error));
    if let Ok(one) = parts.cast::<PyString>() {
        return Ok(vec![read(one.to_str()?)?]);
    }
    parts.try_iter()?.map(|name| read(&name?.extract::<String>()?)).collect()
}

pub(crate) fn parts(include: Option<&Bound<'_, PyAny>>, exclude: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> PyResult<Parts> {
    Parts::new(parts_named(include)?, parts_named(exclude)?).map_err(|error| Class::Option.error(py, error))
}

/// Settings as techniques read them: names and values as text.
pub(crate) fn settings_of(settings: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let Some(settings) = settings else { return Ok(Vec::new()) };
    let read = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let value = match value.cast::<PyBool>() {
            Ok(value) => value.is_true().to_string(),
            Err(_) => value.str()?.to_string(),
        };
        Ok((name.extract()?, value))
    };
    settings.iter().map(read).collect()
}

fn pairs(settings: &[(String, String)]) -> Vec<(&str, &str)> {
    settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// The recipe of sites with some settings.
pub(crate) fn with_site(py: Python<'_>, settings: &[(String, String)]) -> PyResult<WithSite> {
    let settings = pairs(settings);
    let content = registry::read::<Params>(&settings)
        .map_err(|wrong| errors::setting(py, &SettingError::of("site", &Params::list(), settings[wrong])))?;
    Ok(WithSite { content, ..WithSite::default() })
}

/// The technique that is meant: none for the default, a name, or an object with a method `detect`.
enum Named<'py> {
    Default,
    Engine(String),
    Python(Bound<'py, PyAny>),
}

fn named<'py>(technique: Option<&Bound<'py, PyAny>>) -> PyResult<Named<'py>> {
    let Some(technique) = technique.filter(|technique| !technique.is_none()) else { return Ok(Named::Default) };
    let registered = technique.py().import("unchaff._technique")?.getattr("find")?.call1((technique,))?;
    if !registered.is_none() {
        return Ok(Named::Python(registered));
    }
    match technique.cast::<PyString>() {
        Ok(name) => Ok(Named::Engine(name.to_str()?.to_owned())),
        Err(_) => Err(PyTypeError::new_err(format!(
            "technique is a name or an unchaff.Technique, not {}",
            technique.get_type().name()?
        ))),
    }
}

#[pymethods]
impl Extractor {
    #[new]
    #[pyo3(signature = (*, technique=None, favor=None, include=None, exclude=None, settings=None, explain=false, show=None, site=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        technique: Option<&Bound<'_, PyAny>>,
        favor: Option<String>,
        include: Option<&Bound<'_, PyAny>>,
        exclude: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
        explain: bool,
        show: Option<&str>,
        site: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Extractor> {
        let mut settings = settings_of(settings)?;
        settings.extend(favor.map(|favor| ("favor".to_owned(), favor)));
        let show = show.map(|show| block_kind(py, show)).transpose()?;
        let site = site.filter(|site| !site.is_none());
        let (finder, shows) = match (named(technique)?, site) {
            (Named::Python(technique), None) => {
                let kind = block_kind(py, &technique.getattr("kind")?.extract::<String>()?)?;
                let name = technique.getattr("name")?.extract()?;
                if explain || !settings.is_empty() {
                    return Err(Class::Option
                        .error(py, format!("{name} is written in Python: set it up yourself, and let it tell what it does")));
                }
                (Finder::Python(technique.unbind(), name), kind)
            }
            (Named::Python(_), Some(_)) => {
                return Err(Class::Option.error(py, "a technique that is written in Python looks at one page; leave site away"));
            }
            (Named::Default, Some(site)) => {
                if explain {
                    return Err(
                        Class::Option.error(py, "to explain a result with a site, name a technique, such as auto-with-site")
                    );
                }
                let model = match site.cast::<PySiteModel>() {
                    Ok(model) => model.get().model(),
                    Err(_) => open(site)?.learn(py)?,
                };
                (Finder::Model(model, with_site(py, &settings)?), show.unwrap_or(BlockKind::Content))
            }
            (Named::Engine(name), Some(site)) => {
                let entry = SiteExtractor::entry(&name).map_err(|error| errors::unknown_technique(py, &error))?;
                let extractor =
                    SiteExtractor::with_settings(entry, &pairs(&settings)).map_err(|error| errors::setting(py, &error))?;
                (Finder::Compare(extractor, open(site)?.into_site(py)?), entry.kind)
            }
            (named, None) => {
                let name = match named {
                    Named::Engine(name) => name,
                    _ => registry::default_for(show.unwrap_or(BlockKind::Content)).to_owned(),
                };
                let entry = unchaff::Extractor::entry(&name).map_err(|error| errors::unknown_technique(py, &error))?;
                let extractor =
                    unchaff::Extractor::with_settings(entry, &pairs(&settings)).map_err(|error| errors::setting(py, &error))?;
                (Finder::Page(extractor), entry.kind)
            }
        };
        if show.is_some_and(|show| show != shows) {
            return Err(Class::Option.error(py, format!("this technique finds the {shows}; leave show away, or name another")));
        }
        let parts = parts(include, exclude, py)?;
        if shows != BlockKind::Content && parts != Parts::default() {
            return Err(Class::Option.error(py, "include and exclude are about the parts of the content"));
        }
        Ok(Extractor { plan: Arc::new(Plan { finder, shows, explain, parts }) })
    }

    /// Finds the blocks of a page.
    #[pyo3(signature = (html, *, url=None, charset=None))]
    fn extract(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        charset: Option<String>,
    ) -> PyResult<PyExtraction> {
        extract(py, &self.plan, document(html, url.filter(|url| !url.is_none()), charset)?)
    }

    fn __repr__(&self) -> String {
        let by = match &self.plan.finder {
            Finder::Page(extractor) => format!("{extractor:?}"),
            Finder::Model(model, _) => format!("a model of {} pages", model.pages()),
            Finder::Compare(extractor, _) => format!("{extractor:?}"),
            Finder::Python(_, name) => name.clone(),
        };
        format!("<Extractor of the {}: {by}>", self.plan.shows)
    }
}

impl Extractor {
    pub(crate) fn plan(&self) -> Arc<Plan> {
        Arc::clone(&self.plan)
    }
}

/// Finds the blocks of a page while other threads of Python run.
pub(crate) fn extract(py: Python<'_>, plan: &Plan, document: Document) -> PyResult<PyExtraction> {
    let found = py.detach(|| plan.extract(document)).map_err(|failed| failed.error(py))?;
    Ok(PyExtraction::live(found, None))
}
