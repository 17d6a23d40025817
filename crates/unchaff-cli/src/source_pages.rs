//! The pages of a source, in order and some at a time: of a folder, a list, all sites of an archive, or the web.
//!
//! On the web, a page is followed by those that it links to, in the order of the links (Zelený 2017, the multi-page use case: a queue of
//! addresses, each inspected once). How many come is limited; elsewhere the pages taken are spread evenly over the source.

use crate::extract::{base_urls, set_total};
use crate::site::Sites;
use anyhow::Result;
use indicatif::ProgressBar;
use std::collections::{HashSet, VecDeque};
use std::ffi::OsStr;
use std::io::Write;
use unchaff::dom::{PageId, Site};
use unchaff_source::{AnySite, PoliteOptions, open_site};

/// How many pages of a site on the web are fetched if no limit is given.
const LIVE_PAGES: usize = 50;

/// A source, and what of it is wanted.
pub(crate) struct SourcePages<'s> {
    pub(crate) source: &'s OsStr,
    pub(crate) base_urls: &'s [String],
    pub(crate) limit: Option<u32>,
    pub(crate) allow_private: bool,
}

/// Some pages of one site.
pub(crate) struct Batch<'s> {
    /// What the site is called.
    pub(crate) name: &'s str,
    pub(crate) site: &'s dyn Site,
    /// The same site, unless it is one of many in an archive.
    pub(crate) any: Option<&'s AnySite>,
    pub(crate) pages: &'s [PageId],
}

impl Batch<'_> {
    /// Whether pages are fetched as they come, so that there is no other to learn from.
    pub(crate) fn is_live(&self) -> bool {
        matches!(self.any, Some(AnySite::Live(_)))
    }
}

impl SourcePages<'_> {
    /// Hands all pages to `work`; it loads them itself, and says what cannot be loaded.
    pub(crate) fn each(&self, bar: &ProgressBar, work: &mut dyn FnMut(&Batch<'_>) -> Result<()>) -> Result<()> {
        let base = base_urls(self.base_urls)?;
        if self.source.to_str().is_some_and(|source| source.contains("://")) {
            let polite = PoliteOptions { allow_private: self.allow_private, ..PoliteOptions::default() };
            let site = open_site(self.source, &base, polite)?;
            return follow_links(&site, self.limit.map_or(LIVE_PAGES, |limit| limit as usize), bar, work);
        }
        let sites = Sites::open(self.source, &base)?;
        for warning in sites.warnings() {
            let _ = writeln!(std::io::stderr(), "unchaff: {warning}");
        }
        let names = sites.names();
        let total: usize = names.iter().map(|(_, pages)| pages).sum();
        let limit = self.limit.map_or(total, |limit| (limit as usize).min(total));
        set_total(bar, limit as u64);
        let mut before = 0;
        for (name, _) in &names {
            sites.with(name, |site| {
                let known = site.known();
                let share = |at: usize| (before + at) * limit / total.max(1);
                let taken: Vec<PageId> =
                    known.iter().enumerate().filter(|(at, _)| share(at + 1) > share(*at)).map(|(_, id)| *id).collect();
                before += known.len();
                for pages in taken.chunks(rayon::current_num_threads() * 16) {
                    work(&Batch { name, site, any: sites.any(), pages })?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Pages of the web one after another, by the links of those loaded.
fn follow_links(site: &AnySite, limit: usize, bar: &ProgressBar, work: &mut dyn FnMut(&Batch<'_>) -> Result<()>) -> Result<()> {
    set_total(bar, limit as u64);
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
