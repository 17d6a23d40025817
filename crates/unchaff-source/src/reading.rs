//! How pages are read, wherever they come from: within which limits, and in which charset if someone knows better than the pages.

use std::time::Duration;

use unchaff_dom::{Document, Limits, Page};

use crate::fetch::{FetchOptions, Fetched};
use crate::polite::PoliteOptions;

/// The same for files, folders, lists, archives and the web.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The charset of all pages, if what they and their servers say is not to be believed.
    pub charset: Option<String>,
    /// Most bytes of a page, unpacked. Default: 64 MiB, many times the largest page a person would read.
    pub max_bytes: u64,
    /// Time for one page, to be fetched from the web, or to be unpacked where it lies in an archive. Default: 30 s.
    pub timeout: Duration,
    /// Limits of the tree.
    pub limits: Limits,
}

impl Default for Reading {
    fn default() -> Self {
        let FetchOptions { timeout, max_bytes, .. } = FetchOptions::default();
        Self { charset: None, max_bytes, timeout, limits: Limits::default() }
    }
}

impl Reading {
    /// Reads a page: the one place at which all loaders end.
    pub fn page(&self, document: Document) -> Page {
        let charset = self.charset.clone().or(document.charset);
        Document { charset, ..document }.page_within(self.limits)
    }

    /// Tells all that the page of a document depends on.
    pub(crate) fn tell(&self, document: &Document, each: &mut dyn FnMut(&[u8])) {
        let charset = self.charset.as_ref().or(document.charset.as_ref());
        each(format!("{:?} {charset:?} {:?} {}", document.url, self.limits, document.bytes.len()).as_bytes());
        each(&document.bytes);
    }

    /// How single addresses are fetched, and whether they may lead to private ones.
    pub fn fetch_options(&self, allow_private: bool) -> FetchOptions {
        FetchOptions { timeout: self.timeout, max_bytes: self.max_bytes, allow_private, ..FetchOptions::default() }
    }

    /// How the pages of a site are fetched, else as given.
    pub fn polite(&self, options: PoliteOptions) -> PoliteOptions {
        PoliteOptions { timeout: self.timeout, max_bytes: self.max_bytes, ..options }
    }
}

impl From<Fetched> for Document {
    fn from(fetched: Fetched) -> Document {
        Document { bytes: fetched.bytes, url: fetched.url, charset: fetched.charset }
    }
}
