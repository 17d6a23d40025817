//! What is known about a site: a sample of its pages, by what can be found again on others.
//!
//! Our own. A model is a set of page records, those whose addresses have the least hashes, [`MOST_PAGES`] of them. So it depends on the
//! set of pages and not on their order; pages can be learned on many machines and the models merged, with the same result; and
//! memory is bounded whatever the site. What it says about a page is computed by one recipe ([`with_site`](crate::learned::with_site)), whoever asks.
//!
//! ```
//! use unchaff_dom::Parser;
//! use unchaff_page::BlockKind;
//! use unchaff_site::SiteModel;
//!
//! let page = |name: &str, text: &str| {
//!     let html = format!("<ul><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul><main><p>{text}</p></main>");
//!     Parser::new().url(&format!("https://example.org/{name}")).parse(html)
//! };
//! let pages = [page("a", "It rained all day long."), page("b", "Then came the sun."), page("c", "Snow fell in the night.")];
//! let model = SiteModel::learn(&pages);
//! let detection = model.detect(&pages[0]);
//! let content = unchaff_dom::emit::text(&pages[0], detection.nodes(BlockKind::Content).unwrap());
//! assert_eq!(content.trim(), "It rained all day long.");
//! assert_eq!(SiteModel::from_bytes(&model.to_bytes())?, model);
//! # Ok::<(), unchaff_site::ModelError>(())
//! ```

use crate::candidates::siblings::siblings;
pub use crate::learned::comparison::MOST_PAGES;
use crate::learned::comparison::{Company, Comparison};
use crate::learned::key_index::KeyIndex;
use crate::learned::model_bytes;
use crate::learned::page_facts::PageFacts;
use crate::learned::page_keys::PageKeys;
use crate::learned::page_record::{PageRecord, hash_url};
use crate::learned::with_site::WithSite;
use std::sync::OnceLock;
use thiserror::Error;
use unchaff_dom::{Page, PageId, Site};
use unchaff_page::{BlockKind, Detection};
use url::Url;

/// On the web, where a page knows no other pages than those it links to, so many of them are loaded.
const LINKED_PAGES: usize = 8;

/// What is known about a site; see the [module](self). Of nothing learned, it judges pages alone.
#[derive(Clone, Debug, Default)]
pub struct SiteModel {
    /// In ascending order, no two of one address.
    records: Vec<PageRecord>,
    /// Made when it is first needed.
    index: OnceLock<Box<KeyIndex>>,
}

impl PartialEq for SiteModel {
    fn eq(&self, other: &SiteModel) -> bool {
        self.records == other.records
    }
}

impl Eq for SiteModel {}

/// Why bytes are no model of a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// They do not start as one does.
    #[error("this is no model of a site")]
    Foreign,
    /// They are of another version of unchaff.
    #[error("the model of the site is of version {0}, and this unchaff reads version {own}; learn it again", own = SiteModel::VERSION)]
    Version(u32),
    /// They end too early or contradict themselves.
    #[error("the model of the site is damaged; learn it again")]
    Damaged,
}

const MAGIC: &[u8; 8] = b"unchaff\x02";

impl SiteModel {
    /// The version of the bytes, and of how keys are made.
    pub const VERSION: u32 = 5;

    /// A model of these pages, whatever their order. A stream of any length takes no more memory than [`MOST_PAGES`] pages.
    #[must_use]
    pub fn learn<'p>(pages: impl IntoIterator<Item = &'p Page>) -> SiteModel {
        let mut model = SiteModel::default();
        pages.into_iter().for_each(|page| model.add(page));
        model
    }

    /// Learns from one more page. Of two pages at one address the one whose keys have the lesser hash stays.
    pub fn add(&mut self, page: &Page) {
        if page.url().is_some_and(|url| !self.wants(hash_url(url))) {
            return;
        }
        self.add_facts(&PageFacts::of(page));
    }

    /// Learns from one more page by what is known of it.
    pub fn add_facts(&mut self, page: &PageFacts) {
        if !page.keys.is_empty() && self.wants(page.keys.address) {
            self.insert(PageRecord::of(&page.keys));
        }
    }

    /// Where a page at this address comes in the order of samples: of any pages those with the least numbers are kept. So a sample can be chosen by
    /// addresses alone, before any page is read.
    #[must_use]
    pub fn order(url: &Url) -> u64 {
        hash_url(url)
    }

    /// Whether a page at this address would be among the first so many; of one that would not nothing is learned.
    #[must_use]
    pub fn wants_address(&self, url: &Url, most: usize) -> bool {
        match most.min(MOST_PAGES).checked_sub(1) {
            Some(last) => self.records.get(last).is_none_or(|last| hash_url(url) <= last.address),
            None => false,
        }
    }

    /// Forgets all pages but the first so many in the order of samples: what a model that keeps no more would have learned.
    pub fn keep(&mut self, most: usize) {
        if most < self.records.len() {
            self.records.truncate(most);
            self.index = OnceLock::new();
        }
    }

    /// Whether a page that comes here in the order of samples would be kept.
    fn wants(&self, order: u64) -> bool {
        self.records.len() < MOST_PAGES || self.records.last().is_some_and(|last| order <= last.address)
    }

    fn insert(&mut self, record: PageRecord) {
        match self.records.binary_search_by_key(&record.address, |known| known.address) {
            Ok(at) if record < self.records[at] => self.records[at] = record,
            Ok(_) => return,
            Err(at) => self.records.insert(at, record),
        }
        self.records.truncate(MOST_PAGES);
        self.index = OnceLock::new();
    }

    /// Learns what another model has learned: the same as if all pages had been learned by one.
    pub fn merge(&mut self, other: SiteModel) {
        other.records.into_iter().for_each(|record| self.insert(record));
    }

    /// The pages of a site that a model is learned from, in the order in which they are taken: as many as it keeps, and behind them those
    /// that take the place of what cannot be loaded.
    #[must_use]
    pub fn sample(site: &dyn Site) -> Vec<PageId> {
        let mut pages = site.known();
        pages.sort_by_cached_key(|page| hash_url(&site.url(*page)));
        pages
    }

    /// The model that serves a page of a site: of a sample of the pages that the site knows, or, where it knows the page
    /// alone, as on the web, of pages that it links to.
    #[must_use]
    pub fn of_site(site: &dyn Site, key: PageId, page: &Page, most: usize) -> SiteModel {
        let mut model = SiteModel::default();
        let sample = SiteModel::sample(site);
        if sample.iter().all(|known| *known == key) {
            siblings(site, key, page, LINKED_PAGES.min(most)).iter().for_each(|(_, page)| model.add(page));
        }
        for page in sample {
            if model.pages() >= most.min(MOST_PAGES) {
                break;
            }
            site.load(page).iter().for_each(|page| model.add(page));
        }
        model
    }

    /// From how many pages it is.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.records.len()
    }

    fn index(&self) -> &KeyIndex {
        self.index.get_or_init(|| Box::new(KeyIndex::of(&self.records)))
    }

    /// Compares a page with those that were learned.
    #[must_use]
    pub fn compare(&self, keys: &PageKeys, how: &Company) -> Comparison<'_> {
        self.index().compare(keys, how)
    }

    /// Content, template and menu of a page of the site.
    #[must_use]
    pub fn detect(&self, page: &Page) -> Detection {
        self.detect_facts(page, PageFacts::of(page))
    }

    /// One kind of block of a page of the site, as [`detect`](Self::detect) finds it.
    #[must_use]
    pub fn detect_only(&self, page: &Page, kind: BlockKind) -> Detection {
        WithSite { only: Some(kind), ..WithSite::default() }.detect(self, page)
    }

    /// The same, given what was found out when the page was learned from.
    #[must_use]
    pub fn detect_facts(&self, page: &Page, facts: PageFacts) -> Detection {
        WithSite::default().detect_facts(self, page, facts)
    }

    /// As bytes, the same for the same pages; [`from_bytes`](Self::from_bytes) reads them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(SiteModel::VERSION.to_le_bytes());
        model_bytes::write(&self.records, &mut out);
        out
    }

    /// What [`to_bytes`](Self::to_bytes) wrote. Takes no more memory than a model of the largest pages, whatever the bytes are.
    ///
    /// # Errors
    /// If it is something else, of another version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<SiteModel, ModelError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ModelError::Foreign)?;
        let (version, rest) = rest.split_first_chunk().ok_or(ModelError::Damaged)?;
        match u32::from_le_bytes(*version) {
            SiteModel::VERSION => {
                let records = model_bytes::read(rest).ok_or(ModelError::Damaged)?;
                Ok(SiteModel { records, index: OnceLock::new() })
            }
            other => Err(ModelError::Version(other)),
        }
    }
}

#[cfg(test)]
mod tests;
