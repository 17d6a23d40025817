//! Other pages of a site, from wherever Python names them: pairs of address and page, or a source that `unchaff-source` opens.

use crate::document::one_of_many;
use crate::errors::Class;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use unchaff::compare::learned::site_model::MOST_PAGES;
use unchaff::dom::site::{LoadedSite, without_fragment};
use unchaff::dom::{LoadError, PageId, Site};
use unchaff::{Page, SiteModel};
use unchaff_job::{Workers, learn_site};
use unchaff_source::{AnySite, PoliteOptions, Reading, Url, open_site};

/// Pages that belong together.
pub(crate) enum Pages {
    Loaded(Vec<Page>),
    Source(Box<AnySite>),
}

/// The path or address that an object of Python is, if it is one: a string, or something with a path.
pub(crate) fn path(object: &Bound<'_, PyAny>) -> PyResult<Option<OsString>> {
    let is_path = object.is_instance_of::<PyString>() || object.hasattr("__fspath__")?;
    if is_path { object.extract::<PathBuf>().map(|path| Some(path.into_os_string())) } else { Ok(None) }
}

/// Opens what is named as a site.
pub(crate) fn open(site: &Bound<'_, PyAny>) -> PyResult<Pages> {
    let py = site.py();
    if let Some(source) = path(site)? {
        let opened = py.detach(|| open_site(&source, &[], PoliteOptions::default(), &Reading::default()));
        return opened.map(|site| Pages::Source(Box::new(site))).map_err(|error| Class::Source.error(py, error));
    }
    let mut pages = Vec::new();
    for item in site.try_iter()? {
        let document = one_of_many(&item?, None)?;
        pages.push(py.detach(|| document.page()));
        py.check_signals()?;
    }
    Ok(Pages::Loaded(pages))
}

impl Pages {
    /// The model of the site.
    pub(crate) fn learn(self, py: Python<'_>) -> PyResult<Arc<SiteModel>> {
        let model = py.detach(|| match self {
            Pages::Loaded(pages) => Ok(SiteModel::learn(&pages)),
            Pages::Source(site) => Workers::new(None).map(|workers| workers.install(|| learn_site(&*site, MOST_PAGES).0)),
        });
        model.map(Arc::new).map_err(|error| Class::Source.error(py, error))
    }

    pub(crate) fn into_site(self, py: Python<'_>) -> PyResult<Box<dyn Site>> {
        Ok(match self {
            Pages::Loaded(pages) => Box::new(py.detach(|| LoadedSite::new(pages))),
            Pages::Source(site) => site,
        })
    }
}

/// The number of a page that the site may not know.
const VISITOR: PageId = PageId(u32::MAX);

/// A site together with a page that is given: it stands in the place of what the site has at its address.
pub(crate) struct PageOfSite<'s> {
    site: &'s dyn Site,
    page: Arc<Page>,
    url: Url,
    key: PageId,
}

impl<'s> PageOfSite<'s> {
    pub(crate) fn new(site: &'s dyn Site, page: Arc<Page>) -> PageOfSite<'s> {
        let nowhere = || Url::parse("http://page.invalid/").unwrap_or_else(|_| unreachable!("it is an address"));
        let url = page.url().map_or_else(nowhere, without_fragment);
        let key = site.find(&url).unwrap_or(VISITOR);
        PageOfSite { site, page, url, key }
    }

    pub(crate) fn key(&self) -> PageId {
        self.key
    }
}

impl Site for PageOfSite<'_> {
    fn find(&self, url: &Url) -> Option<PageId> {
        if without_fragment(url) == self.url { Some(self.key) } else { self.site.find(url) }
    }

    fn url(&self, page: PageId) -> Url {
        if page == self.key { self.url.clone() } else { self.site.url(page) }
    }

    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        if page == self.key { Ok(Arc::clone(&self.page)) } else { self.site.load(page) }
    }

    fn known(&self) -> Vec<PageId> {
        let mut known = self.site.known();
        if self.key == VISITOR {
            known.push(VISITOR);
        }
        known
    }

    fn loads(&self) -> usize {
        self.site.loads()
    }
}
