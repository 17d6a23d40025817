//! A site of which some pages are given, and which notes what else it is asked for.
//!
//! A technique decides itself which pages it loads, one after another. A caller who has to wait for a page (a browser that fetches it) cannot answer
//! in the middle of a call. So what is not given cannot be loaded, its address is noted, and the caller calls again with the first of these; the
//! technique comes to the same choice and a step further.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use unchaff::Page;
use unchaff::dom::site::without_fragment;
use unchaff::dom::{LoadError, PageId, Site};
use url::Url;

/// The pages that are known by address, those that are given with their page.
#[derive(Default)]
struct Known {
    pages: Vec<(Url, Option<Arc<Page>>)>,
    by_url: HashMap<Url, PageId>,
    wanted: Vec<PageId>,
}

pub(crate) struct SiteInParts {
    known: Mutex<Known>,
    given: usize,
}

impl SiteInParts {
    /// The page in question is the first, and has an address.
    pub(crate) fn new(pages: impl IntoIterator<Item = Page>) -> SiteInParts {
        let mut known = Known::default();
        for page in pages {
            let Some(url) = page.url().map(without_fragment) else { continue };
            let id = PageId(known.pages.len() as u32);
            if let std::collections::hash_map::Entry::Vacant(vacant) = known.by_url.entry(url.clone()) {
                vacant.insert(id);
                known.pages.push((url, Some(Arc::new(page))));
            }
        }
        SiteInParts { given: known.pages.len(), known: Mutex::new(known) }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Known) -> T) -> T {
        work(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The addresses of pages that were asked for and are not given, in that order.
    pub(crate) fn wanted(&self) -> Vec<String> {
        self.with(|known| known.wanted.iter().map(|page| known.pages[page.index()].0.to_string()).collect())
    }
}

impl Site for SiteInParts {
    fn find(&self, url: &Url) -> Option<PageId> {
        let url = without_fragment(url);
        self.with(|known| {
            if let Some(page) = known.by_url.get(&url) {
                return Some(*page);
            }
            let (key, _) = known.pages.first()?;
            let of_this_host = url.host_str() == key.host_str() && url.port_or_known_default() == key.port_or_known_default();
            if !of_this_host || !matches!(url.scheme(), "http" | "https") {
                return None;
            }
            let page = PageId(u32::try_from(known.pages.len()).ok()?);
            known.by_url.insert(url.clone(), page);
            known.pages.push((url, None));
            Some(page)
        })
    }

    fn url(&self, page: PageId) -> Url {
        self.with(|known| known.pages[page.index()].0.clone())
    }

    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        self.with(|known| {
            let (url, given) = &known.pages[page.index()];
            if let Some(given) = given {
                return Ok(Arc::clone(given));
            }
            let error = LoadError::NotFetched { page: url.to_string(), reason: format!("{url} is not at hand") };
            if !known.wanted.contains(&page) {
                known.wanted.push(page);
            }
            Err(error)
        })
    }

    /// As on the web: what is given was asked for before, and is found again in the same way.
    fn known(&self) -> Vec<PageId> {
        vec![PageId(0)]
    }

    fn loads(&self) -> usize {
        self.given
    }
}
