//! A site: pages that know each other by address and are loaded one by one.
//!
//! Techniques that compare pages ask a [`Site`] for the page behind a link and load only what they need; where the pages
//! lie (a mirrored folder, a WARC, the web) is the affair of whoever implements it. Loaded pages are remembered, loads
//! are counted.

use crate::Page;
use crate::links::{NOWHERE, normalize};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
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

/// Why a page of a site cannot be had. The message says which page, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// It cannot be read where it lies.
    Unreadable {
        /// Its address or file.
        page: String,
        /// Why, and what to do.
        reason: String,
    },
    /// It has more bytes than a page may have.
    TooLarge {
        /// Its address or file.
        page: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// It takes longer than a page may take.
    Late {
        /// Its address or file.
        page: String,
        /// The limit.
        limit: Duration,
    },
    /// It lies in a private network or on this machine, where a site of the web must not lead.
    Private {
        /// Its address.
        page: String,
        /// Which address its name stands for.
        reason: String,
    },
    /// It is not fetched, or the server does not give it.
    NotFetched {
        /// Its address.
        page: String,
        /// Why, as a whole sentence.
        reason: String,
    },
    /// There is something else than a page.
    NotAPage {
        /// Its address.
        page: String,
        /// What the server answered.
        answer: String,
    },
    /// It is a page of another site by now.
    Elsewhere {
        /// Its address.
        page: String,
        /// Where it redirects to.
        to: String,
    },
    /// It redirects again and again.
    TooManyRedirects {
        /// Its address.
        page: String,
        /// How many are followed.
        limit: u32,
    },
    /// More pages would be loaded than may be.
    TooManyPages {
        /// Its address.
        page: String,
        /// How many may be.
        limit: usize,
    },
    /// It is the same as the page that it was to be compared with.
    Copy {
        /// Its address.
        page: String,
        /// The other's.
        of: String,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Unreadable { page, reason } => write!(f, "cannot read {page}: {reason}"),
            LoadError::TooLarge { page, limit } => write!(f, "{page} has more than {limit} bytes, the limit for a page"),
            LoadError::Late { page, limit } => {
                write!(f, "{page} takes longer than {} s, the limit for a page", limit.as_secs_f64())
            }
            LoadError::Private { page, reason } => {
                write!(f, "{page} is not fetched: {reason}; allow private addresses if it is yours")
            }
            LoadError::NotFetched { reason, .. } => f.write_str(reason),
            LoadError::NotAPage { page, answer } => {
                write!(f, "{page} is no page: the server answered {answer}; check it in a browser")
            }
            LoadError::Elsewhere { page, to } => write!(f, "{page} redirects to {to}, another site; give that address"),
            LoadError::TooManyRedirects { page, limit } => {
                write!(f, "{page} redirects more than {limit} times; give an address closer to the page")
            }
            LoadError::TooManyPages { page, limit } => {
                write!(f, "{page} is not fetched: it would be more than {limit} pages")
            }
            LoadError::Copy { page, of } => write!(f, "{page} is a copy of {of}"),
        }
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

    /// The page, by someone who will not ask for it again: who remembers pages need not remember this one.
    ///
    /// # Errors
    /// If it cannot be read.
    fn load_last(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        self.load(page)
    }

    /// Tells what a page is made of, without making it: its bytes, and all that its tree depends on. To who has seen the same before, the page is
    /// known. False where it cannot be told, as on the web.
    fn tell_source(&self, _page: PageId, _each: &mut dyn FnMut(&[u8])) -> bool {
        false
    }

    /// The pages known without loading any, in a fixed order: all pages of a folder, none but the first of the web.
    fn known(&self) -> Vec<PageId>;

    /// How many pages have been loaded so far, failures included.
    fn loads(&self) -> usize;

    /// Is told by a technique which part of its work it begins. Who measures times listens; others need not care.
    fn begins(&self, _stage: Stage) {}
}

/// A part of the work of a technique that compares pages (the modules of Alarte 2023, chapter 12). It lasts until the next begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Finding the links of the page and putting them in order.
    LinkAnalysis,
    /// Looking for pages that all link to each other, or drawing others.
    Subdigraph,
    /// Finding the block.
    Detection,
}

impl Stage {
    /// All stages, in the order of the work.
    pub const ALL: [Stage; 3] = [Stage::LinkAnalysis, Stage::Subdigraph, Stage::Detection];

    /// The name of the stage: `link-analysis`, `subdigraph`, `detection`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::LinkAnalysis => "link-analysis",
            Stage::Subdigraph => "subdigraph",
            Stage::Detection => "detection",
        }
    }
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
            let url = page.url().cloned().or_else(|| Url::parse(&format!("{}{}", NOWHERE, id.0)).ok());
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
