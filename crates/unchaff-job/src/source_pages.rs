//! The pages of a source, in order and some at a time: of a folder, a list, all sites of an archive, or the web.
//!
//! On the web, a page is followed by those that it links to, in the order of the links (Zelený 2017, the multi-page use case: a queue of
//! addresses, each inspected once). How many come is limited; elsewhere the pages taken are spread evenly over the source.

use crate::{JobError, Sites, Watch, Workers};
use std::collections::{HashSet, VecDeque};
use std::ffi::OsString;
use unchaff::Page;
use unchaff::dom::{PageId, Site};
use unchaff_source::{AnySite, PoliteOptions, Reading, Url, open_site};

/// How many pages of a site on the web are fetched if no limit is given.
const LIVE_PAGES: usize = 50;

/// A source, and what of it is wanted.
#[derive(Debug)]
pub struct SourcePages<'s> {
    /// What is named: a folder, a list, archives, a web address.
    pub sources: &'s [OsString],
    /// The addresses that a folder stands for.
    pub base_urls: &'s [Url],
    /// At most so many pages.
    pub limit: Option<usize>,
    /// Whether the web may lead to private networks.
    pub allow_private: bool,
    /// How pages are read.
    pub reading: Reading,
}

/// Some pages of one site.
pub struct Batch<'s> {
    /// What the site is called.
    pub name: &'s str,
    /// The site.
    pub site: &'s dyn Site,
    /// The same site, unless it is one of many in an archive.
    pub any: Option<&'s AnySite>,
    /// The pages, by number.
    pub pages: &'s [PageId],
}

impl Batch<'_> {
    /// Whether pages are fetched as they come, so that there is no other to learn from.
    #[must_use]
    pub fn is_live(&self) -> bool {
        matches!(self.any, Some(AnySite::Live(_)))
    }
}

impl SourcePages<'_> {
    /// Hands all pages to `work`, at most so many at a time; it loads them itself, and says what cannot be loaded. Says whether the source
    /// is whole.
    ///
    /// # Errors
    /// If the source cannot be opened, and what the work fails with.
    pub fn each<E: From<JobError>>(
        &self,
        at_a_time: usize,
        watch: &dyn Watch,
        work: &mut dyn FnMut(&Batch<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        if let [source] = self.sources
            && source.to_str().is_some_and(|source| source.contains("://"))
        {
            let polite = PoliteOptions { allow_private: self.allow_private, ..PoliteOptions::default() };
            let site = open_site(source, self.base_urls, polite, &self.reading).map_err(JobError::Site)?;
            return follow_links(&site, self.limit.unwrap_or(LIVE_PAGES), watch, work).map(|()| true);
        }
        let sites = Sites::open(self.sources, self.base_urls, &self.reading)?;
        sites.warnings().iter().for_each(|warning| watch.warn(warning));
        let names = sites.names();
        let total: usize = names.iter().map(|(_, pages)| pages).sum();
        let limit = self.limit.map_or(total, |limit| limit.min(total));
        watch.total(limit as u64);
        let mut before = 0;
        for (name, _) in &names {
            sites.with(name, |site| -> Result<(), E> {
                let known = site.known();
                let share = |at: usize| (before + at) * limit / total.max(1);
                let taken: Vec<PageId> =
                    known.iter().enumerate().filter(|(at, _)| share(at + 1) > share(*at)).map(|(_, id)| *id).collect();
                before += known.len();
                for pages in taken.chunks(at_a_time.max(1)) {
                    if watch.is_cancelled() {
                        return Err(JobError::Cancelled.into());
                    }
                    work(&Batch { name, site, any: sites.any(), pages })?;
                }
                Ok(())
            })?;
        }
        Ok(!sites.is_damaged())
    }
}

/// Pages reduced to what is compared, with their addresses.
#[derive(Clone, PartialEq, Debug)]
pub struct ReducedPages<P> {
    /// The addresses.
    pub urls: Vec<String>,
    /// What is kept of each page.
    pub pages: Vec<P>,
    /// How many could not be read.
    pub failed: usize,
    /// Whether all of the source could be read; of a damaged one nobody knows how many pages are missing.
    pub is_whole: bool,
}

impl SourcePages<'_> {
    /// Reads all pages, and keeps of each what is compared: `reduce` gets it with its address and, if it is a file, the address of that.
    ///
    /// # Errors
    /// If the source cannot be opened, or has no page that can be read.
    pub fn reduced<P: Send>(
        &self,
        workers: &Workers,
        watch: &dyn Watch,
        reduce: impl Fn(&Page, &str, Option<String>) -> P + Sync,
    ) -> Result<ReducedPages<P>, JobError> {
        let mut reduced = ReducedPages { urls: Vec::new(), pages: Vec::new(), failed: 0, is_whole: false };
        reduced.is_whole = self.each(workers.at_a_time(), watch, &mut |batch| {
            let load = |id: PageId| {
                let url = batch.site.url(id).to_string();
                let file = batch.any.and_then(|site| site.file(id)).map(|(folder, file)| folder.join(file));
                let file = file.and_then(|file| Url::from_file_path(std::path::absolute(file).ok()?).ok());
                let page = batch.site.load(id).map(|page| reduce(&page, &url, file.map(|file| file.to_string())));
                watch.advance(1);
                (url, page)
            };
            for (url, page) in workers.all(batch.pages.to_vec(), load) {
                match page {
                    Ok(page) => {
                        reduced.urls.push(url);
                        reduced.pages.push(page);
                    }
                    Err(error) => {
                        reduced.failed += 1;
                        watch.warn(&error.to_string());
                    }
                }
            }
            Ok::<(), JobError>(())
        })?;
        if reduced.pages.is_empty() {
            return Err(JobError::NoPage { source_name: self.name() });
        }
        Ok(reduced)
    }

    /// What the source is called.
    #[must_use]
    pub fn name(&self) -> String {
        self.sources.iter().map(|source| source.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }
}

/// Pages of the web one after another, by the links of those loaded.
fn follow_links<E: From<JobError>>(
    site: &AnySite,
    limit: usize,
    watch: &dyn Watch,
    work: &mut dyn FnMut(&Batch<'_>) -> Result<(), E>,
) -> Result<(), E> {
    watch.total(limit as u64);
    let mut waiting: VecDeque<PageId> = site.known().into();
    let mut seen: HashSet<PageId> = waiting.iter().copied().collect();
    let mut loaded = 0;
    while let Some(id) = waiting.pop_front().filter(|_| loaded < limit) {
        let page = site.load(id);
        if let Ok(page) = &page {
            let found = page.links().filter_map(|link| site.find(&link.url?)).filter(|found| seen.insert(*found));
            waiting.extend(found);
        }
        // A link that leads nowhere is no fault of the site's other pages; the first page is.
        if page.is_ok() || loaded == 0 {
            work(&Batch { name: "site", site, any: Some(site), pages: &[id] })?;
        }
        loaded += usize::from(page.is_ok());
    }
    Ok(())
}
