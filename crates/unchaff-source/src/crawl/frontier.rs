//! Addresses that wait to be fetched, level by level, and what becomes of each: the queue of a crawl, without the web.

use std::collections::{HashSet, VecDeque};
use std::io;

use unchaff_dom::Page;
use unchaff_dom::links::site;
use unchaff_dom::site::without_fragment;
use url::Url;

use super::{CrawlOptions, CrawlReport};
use crate::polite::NotFetched;

/// How many pages are under way between two looks at what they link to.
const BATCH: usize = 64;

/// Most messages kept for the report.
const MAX_MESSAGES: usize = 100;

/// Most redirects followed from one link.
const MAX_REDIRECTS: u32 = 10;

/// An address to be fetched.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) url: Url,
    redirects: u32,
    /// Whether the crawl begins here, or where this redirects to.
    first: bool,
    /// Whether it may name other pages: it is where the crawl begins, or a sitemap named it.
    pub(super) names: bool,
}

pub(super) enum Outcome {
    Page {
        links: Vec<Url>,
        archived: bool,
        /// If someone takes pages.
        page: Option<Box<Page>>,
    },
    /// A sitemap or a feed, with the addresses that it names.
    Names(Vec<Url>),
    Redirect(Url),
    Other,
    NotFetched(NotFetched),
    NotWritten(io::Error),
}

/// Addresses that wait, and all that were ever met.
pub(super) struct Frontier<'a> {
    options: &'a CrawlOptions,
    pub(super) sites: HashSet<Option<String>>,
    level: VecDeque<Task>,
    next: VecDeque<Task>,
    seen: HashSet<Url>,
    /// Addresses of other sites, one of each, in the order in which they were met.
    outbound: VecDeque<Url>,
    /// The sites of those, and all that the crawl has been to.
    met: HashSet<Option<String>>,
    /// How many other sites the crawl has gone on to.
    followed: usize,
}

impl<'a> Frontier<'a> {
    pub(super) fn new(starts: &[Url], options: &'a CrawlOptions) -> Self {
        let mut seen = HashSet::new();
        let starts: Vec<Url> = starts.iter().map(without_fragment).filter(|start| seen.insert(start.clone())).collect();
        let task = |url: &Url| Task { url: url.clone(), redirects: 0, first: true, names: true };
        let sites: HashSet<Option<String>> = starts.iter().map(site).collect();
        Frontier {
            options,
            level: starts.iter().map(task).collect(),
            next: VecDeque::new(),
            outbound: VecDeque::new(),
            met: sites.clone(),
            followed: 0,
            sites,
            seen,
        }
    }

    pub(super) fn next_batch(&mut self, most: usize) -> Vec<Task> {
        let count = most.min(BATCH).min(self.level.len());
        self.level.drain(..count).collect()
    }

    /// Goes on with what the pages of this level link to; whether there is anything.
    pub(super) fn next_level(&mut self) -> bool {
        // A level that is not done ended at the most pages.
        if self.level.is_empty() {
            self.level = std::mem::take(&mut self.next);
            return !self.level.is_empty();
        }
        false
    }

    /// Goes on to a site that was linked to; whether there is one. What was left of the site before, beyond its most pages, is left.
    pub(super) fn next_site(&mut self, report: &mut CrawlReport) -> bool {
        if self.followed == self.options.follow_sites {
            return false;
        }
        let Some(url) = self.outbound.pop_front() else { return false };
        report.left += self.level.len() + self.next.len();
        report.sites += 1;
        self.followed += 1;
        self.sites = HashSet::from([site(&url)]);
        self.next.clear();
        self.level = VecDeque::from([Task { url: url.clone(), redirects: 0, first: true, names: false }]);
        self.seen.insert(url);
        true
    }

    pub(super) fn settle(&mut self, task: &Task, outcome: Outcome, report: &mut CrawlReport) -> io::Result<()> {
        match outcome {
            Outcome::Page { links, archived, .. } => {
                *if archived { &mut report.archived } else { &mut report.pages } += 1;
                for url in links {
                    if self.admits(&url) {
                        self.next.push_back(Task { url, redirects: 0, first: false, names: false });
                    } else {
                        self.keep_outbound(url);
                    }
                }
            }
            Outcome::Names(urls) => {
                report.others += 1;
                for url in urls.iter().map(without_fragment) {
                    if self.admits(&url) {
                        self.level.push_back(Task { url, redirects: 0, first: false, names: true });
                    }
                }
            }
            Outcome::Redirect(to) => {
                report.others += 1;
                let to = without_fragment(&to);
                if task.first {
                    // The site has moved, and that is where it is.
                    self.met.insert(site(&to));
                    self.sites.insert(site(&to));
                }
                if task.redirects < MAX_REDIRECTS && self.admits(&to) {
                    self.level.push_back(Task { url: to, redirects: task.redirects + 1, ..*task });
                }
            }
            Outcome::Other => report.others += 1,
            Outcome::NotFetched(NotFetched::Stopped) => report.left += 1,
            Outcome::NotFetched(why) => {
                let private = why.is_private();
                report.private += usize::from(private);
                let forbidden = private || matches!(why, NotFetched::Forbidden { .. });
                *if forbidden { &mut report.forbidden } else { &mut report.failed } += 1;
                if report.messages.len() < MAX_MESSAGES {
                    report.messages.push(why.to_string());
                }
            }
            Outcome::NotWritten(cause) => return Err(cause),
        }
        Ok(())
    }

    /// Whether an address is to be fetched; each is only once.
    fn admits(&mut self, url: &Url) -> bool {
        (self.options.other_sites || self.sites.contains(&site(url)))
            && self.seen.len() < self.options.max_addresses
            && self.seen.insert(url.clone())
    }

    /// Keeps the first address of a site that was not met before, if the crawl may go there.
    fn keep_outbound(&mut self, url: Url) {
        // A few in reserve for each that is wanted, since some cannot be fetched.
        let most = self.options.follow_sites.saturating_mul(16).min(self.options.max_addresses);
        if self.outbound.len() < most && !self.sites.contains(&site(&url)) && self.met.insert(site(&url)) {
            self.outbound.push_back(url);
        }
    }

    pub(super) fn end(self, mut report: CrawlReport) -> CrawlReport {
        report.left += self.level.len() + self.next.len();
        report
    }
}
