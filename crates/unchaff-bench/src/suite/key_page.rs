//! A mirrored site whose key page is the labelled one: its labels are taken off, so the file itself must not be read.

use super::SuiteError;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use unchaff_dom::links::NOWHERE;
use unchaff_dom::{LoadError, Page, PageId, Parser, Site};
use unchaff_source::{MirroredFolder, Reading};
use url::Url;

/// A folder of pages, and the key page as it was read before.
pub(super) struct KeyPageSite {
    folder: MirroredFolder,
    key: PageId,
    url: Url,
    page: Arc<Page>,
    is_loaded: AtomicBool,
}

impl KeyPageSite {
    /// The site of a key page in `file`, read from `source`.
    pub(super) fn open(root: &Path, base_urls: &[Url], file: &Path, source: &[u8]) -> Result<KeyPageSite, SuiteError> {
        let folder = MirroredFolder::open(root, base_urls, &Reading::default())?;
        let (key, url) = match folder.find_file(file) {
            Ok(key) => (key, folder.url(key)),
            // Some key pages have names that no page has (`techcrunch.com/gadgets`); links find them all the same.
            Err(_) => {
                let key = PageId(u32::try_from(folder.known().len()).unwrap_or(u32::MAX));
                (key, address(root, base_urls, file)?)
            }
        };
        let page = Arc::new(Parser::new().url(url.as_str()).parse(source));
        Ok(KeyPageSite { folder, key, url, page, is_loaded: AtomicBool::new(false) })
    }

    /// The key page and its number.
    pub(super) fn key(&self) -> (PageId, Arc<Page>) {
        (self.key, Arc::clone(&self.page))
    }
}

/// The address of a file below the first base URL.
fn address(root: &Path, base_urls: &[Url], file: &Path) -> Result<Url, SuiteError> {
    let mut url = match base_urls.first() {
        Some(url) => url.clone(),
        None => Url::parse(NOWHERE).expect("the constant is an address"),
    };
    let relative = file.strip_prefix(root).unwrap_or(file);
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty();
        for part in relative.components() {
            path.push(&part.as_os_str().to_string_lossy());
        }
    }
    Ok(url)
}

impl Site for KeyPageSite {
    fn find(&self, url: &Url) -> Option<PageId> {
        let same = || unchaff_dom::site::without_fragment(url) == unchaff_dom::site::without_fragment(&self.url);
        self.folder.find(url).or_else(|| same().then_some(self.key))
    }

    fn url(&self, page: PageId) -> Url {
        if page == self.key { self.url.clone() } else { self.folder.url(page) }
    }

    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        if page == self.key {
            self.is_loaded.store(true, Ordering::Relaxed);
            return Ok(Arc::clone(&self.page));
        }
        self.folder.load(page)
    }

    fn known(&self) -> Vec<PageId> {
        let mut known = self.folder.known();
        if !known.contains(&self.key) {
            known.push(self.key);
        }
        known
    }

    fn loads(&self) -> usize {
        self.folder.loads() + usize::from(self.is_loaded.load(Ordering::Relaxed))
    }
}
