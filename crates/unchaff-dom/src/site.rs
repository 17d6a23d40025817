//! A site: pages that know each other by address and are loaded one by one.
//!
//! Techniques that compare pages ask a [`Site`] for the page behind a link and load only what they need; where the pages
//! lie (a mirrored folder, a WARC, the web) is the affair of whoever implements it. Loaded pages are remembered, loads
//! are counted.

use crate::Page;
use crate::links::normalize;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use url::Url;

/// A page of a site: its number there, given in the order in which pages become known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PageId(pub u32);

impl PageId {
    /// The number as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a page of a site cannot be had. The message says which page, why, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadError(pub String);

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LoadError {}

/// Pages that can be found by address and loaded one by one.
///
/// Two addresses of one page have one number, so that numbers can be compared where addresses cannot.
pub trait Site: Send + Sync {
    /// The page at an address; none if the address is not of this site or is known to lead nowhere. Loads nothing.
    fn find(&self, url: &Url) -> Option<PageId>;

    /// The address of a page, one and the same however it was found.
    fn url(&self, page: PageId) -> Url;

    /// The page, which is loaded if it was not before.
    ///
    /// # Errors
    /// If it cannot be read; then it cannot be the next time either.
    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError>;

    /// The pages known without loading any, in a fixed order: all pages of a folder, none but the first of the web.
    fn known(&self) -> Vec<PageId>;

    /// How many pages have been loaded so far, failures included.
    fn loads(&self) -> usize;
}

/// A site whose pages are in memory.
#[derive(Debug, Default)]
pub struct LoadedSite {
    pages: Vec<(Url, Arc<Page>)>,
    by_url: HashMap<Url, PageId>,
    loaded: Vec<std::sync::atomic::AtomicBool>,
    loads: AtomicUsize,
}

impl LoadedSite {
    /// A site of these pages. Of two at one address the first counts. A page without an address gets one that no real page has
    /// (RFC 2606), by its number.
    #[must_use]
    pub fn new(pages: impl IntoIterator<Item = Page>) -> LoadedSite {
        let mut site = LoadedSite::default();
        for page in pages {
            // More pages than can be numbered do not fit into memory.
            let id = PageId(site.pages.len() as u32);
            let url = page.url().cloned().or_else(|| Url::parse(&format!("http://site.invalid/{}", id.0)).ok());
            let Some(url) = url.as_ref().map(without_fragment) else { continue };
            if let std::collections::hash_map::Entry::Vacant(vacant) = site.by_url.entry(url.clone()) {
                vacant.insert(id);
                site.pages.push((url, Arc::new(page)));
                site.loaded.push(false.into());
            }
        }
        site
    }
}

impl Site for LoadedSite {
    fn find(&self, url: &Url) -> Option<PageId> {
        self.by_url.get(&without_fragment(url)).copied()
    }

    fn url(&self, page: PageId) -> Url {
        self.pages[page.index()].0.clone()
    }

    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        if !self.loaded[page.index()].swap(true, Ordering::Relaxed) {
            self.loads.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Arc::clone(&self.pages[page.index()].1))
    }

    fn known(&self) -> Vec<PageId> {
        (0..self.pages.len() as u32).map(PageId).collect()
    }

    fn loads(&self) -> usize {
        self.loads.load(Ordering::Relaxed)
    }
}

/// What a page is found by: its normalised address without the fragment.
#[must_use]
pub fn without_fragment(url: &Url) -> Url {
    let mut url = normalize(url.clone());
    url.set_fragment(None);
    url
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parser;

    fn page(url: &str, html: &str) -> Page {
        Parser::new().url(url).parse(html)
    }

    #[test]
    fn a_page_without_an_address_is_a_page_of_the_site() {
        let site = LoadedSite::new([Page::parse("<p>one"), page("https://example.org/", "<p>two"), Page::parse("<p>three")]);
        assert_eq!(site.known().len(), 3);
        assert_eq!(site.url(PageId(2)).as_str(), "http://site.invalid/2");
        assert!(site.load(PageId(0)).unwrap().url().is_none());
    }

    #[test]
    fn pages_are_found_by_address_and_loads_are_counted_once() {
        let site = LoadedSite::new([
            page("https://example.org/", "<a href=/a#top>a</a>"),
            page("https://example.org/a", "<p>a"),
            page("https://example.org/a#again", "<p>never seen"),
        ]);
        assert_eq!(site.known(), [PageId(0), PageId(1)]);
        let home = site.load(PageId(0)).unwrap();
        let link = home.links().next().unwrap().url.unwrap();
        let found = site.find(&link).unwrap();
        assert_eq!((found, site.loads()), (PageId(1), 1));
        let page = site.load(found).unwrap();
        assert_eq!(page.text(page.body().unwrap()), "a");
        site.load(found).unwrap();
        assert_eq!(site.loads(), 2);
        assert_eq!(site.url(found).as_str(), "https://example.org/a");
        assert!(site.find(&Url::parse("https://example.org/b").unwrap()).is_none());
    }
}
