//! Crawls a site politely into a web archive.
//!
//! The crawl goes level by level: the first page, then what it links to, and so on, in the order of the links. Hosts are
//! fetched side by side, each one request at a time (`polite.rs`). All that a later run needs is in the archive: it goes the
//! same way again, reads the links of archived pages from there and fetches only what is missing, so a crawl that was
//! stopped goes on where it was, and a finished one adds nothing. Where it begins may be a sitemap or a feed: then the pages that it names are the first.
//!
//! Links that leave the site can be kept in a queue of their own (J. Zelený 2017, chapter 7: a site is best crawled as a whole): when
//! the site is done, the crawl goes on to the first site in it that it has not been to.

mod frontier;
mod report;

pub use report::CrawlReport;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use unchaff_dom::site::without_fragment;
use unchaff_dom::{NodeId, Page, Tag};
use url::Url;

use self::frontier::{Frontier, Outcome, Task};
use crate::addresses::{Naming, addresses, naming};
use crate::fetch::{check_web_address, parse_web_address, shown};
use crate::inputs::{Input, InputError};
use crate::packing::undo_packing;
use crate::pages::pages;
use crate::polite::{Answer, NotFetched, PoliteFetcher, PoliteOptions, host_of};
use crate::reading::Reading;
use crate::warc::{CapturedKind, Location, WarcPage, WarcReader};
use crate::warc_writer::{CapturedResponse, WarcWriter};

/// Most links taken from a page; pages for people have fewer.
const MAX_LINKS: usize = 10_000;

/// Extensions of what is surely no page, so that no request is spent on it. Names of pages that end alike exist only for
/// words such as `Node.js`, which is why scripts are not listed.
const NO_PAGE: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp", "tif", "tiff", // images
    "css", "woff", "woff2", "ttf", "otf", "eot", // styles and fonts
    "mp3", "mp4", "m4a", "m4v", "webm", "ogg", "ogv", "wav", "avi", "mov", // sound and film
    "pdf", "zip", "gz", "tgz", "bz2", "xz", "7z", "rar", "tar", "exe", "dmg", "iso", "deb", "rpm", // downloads
];

/// What is crawled, and how far.
#[derive(Debug, Clone, PartialEq)]
pub struct CrawlOptions {
    /// How pages are fetched.
    pub polite: PoliteOptions,
    /// Most pages in the archive, those of earlier runs included. Default: 1,000.
    pub max_pages: usize,
    /// How many links away from the first page; 0 is that page alone. Default: no limit.
    pub depth: Option<u32>,
    /// How many hosts are fetched side by side; one host always gets one request at a time. Default: 4.
    pub concurrency: usize,
    /// Whether links to other sites are followed too. A site is a registrable domain. Default: no.
    pub other_sites: bool,
    /// To how many other sites the crawl goes on, one after the other, each when the one before is done. Default: 0.
    pub follow_sites: usize,
    /// Most pages of a site, after which it is done. Default: no limit but `max_pages`.
    pub site_pages: Option<usize>,
    /// Whether links with `rel=nofollow`, and those of pages that say so in `meta name=robots`, are followed too. The mark is
    /// meant for search engines, but also set on links that no crawler should follow, such as calendars without end.
    /// Default: no.
    pub follow_nofollow: bool,
    /// Most addresses kept in mind; links beyond are left out. Default: 1,000,000, a few hundred megabytes.
    pub max_addresses: usize,
}

impl Default for CrawlOptions {
    fn default() -> Self {
        Self {
            polite: PoliteOptions::default(),
            max_pages: 1_000,
            depth: None,
            concurrency: 4,
            other_sites: false,
            follow_sites: 0,
            site_pages: None,
            follow_nofollow: false,
            max_addresses: 1_000_000,
        }
    }
}

/// Why a crawl could not begin or go on. What was archived before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CrawlError {
    /// Not an address that can be fetched.
    #[error("not a web address: `{url}` ({reason}); write it like https://example.org/")]
    BadUrl {
        /// What was given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The archive cannot be written.
    #[error("cannot write {}: {cause}", .path.display())]
    Archive {
        /// The archive.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

/// Crawls the sites of `starts` into an archive (`.warc.gz`), which is continued if it is there already. A start is a page, a sitemap or a feed. If there is no page
/// in the end, there is no archive either.
///
/// `progress` is called after each address with what has been done so far. Soon after `stop` is set the crawl ends; the
/// archive is valid then, as it is at any other time.
///
/// # Errors
/// If a start is no web address, or the archive cannot be written. Pages that cannot be fetched are part of the report.
pub fn crawl(
    starts: &[Url],
    archive: &Path,
    options: &CrawlOptions,
    stop: &Arc<AtomicBool>,
    progress: &mut dyn FnMut(&CrawlReport),
) -> Result<CrawlReport, CrawlError> {
    crawl_reading(starts, archive, options, stop, progress, None)
}

/// Takes the pages of a crawl as they come.
pub type PageTaker<'t> = &'t mut dyn FnMut(&Page);

/// As [`crawl()`]; `take` gets each page, those of earlier runs too, always in the same order.
///
/// # Errors
/// As [`crawl()`].
pub fn crawl_reading(
    starts: &[Url],
    archive: &Path,
    options: &CrawlOptions,
    stop: &Arc<AtomicBool>,
    progress: &mut dyn FnMut(&CrawlReport),
    take: Option<PageTaker<'_>>,
) -> Result<CrawlReport, CrawlError> {
    for start in starts {
        check_web_address(start).map_err(|reason| CrawlError::BadUrl { url: start.to_string(), reason })?;
    }
    let failed = |cause| CrawlError::Archive { path: archive.to_owned(), cause };
    let is_new = !archive.exists();
    let report = crawl_into(starts, archive, options, stop, progress, take)?;
    if is_new && report.pages == 0 && !report.stopped {
        std::fs::remove_file(archive).map_err(failed)?;
    }
    Ok(report)
}

fn crawl_into(
    starts: &[Url],
    archive: &Path,
    options: &CrawlOptions,
    stop: &Arc<AtomicBool>,
    progress: &mut dyn FnMut(&CrawlReport),
    mut take: Option<PageTaker<'_>>,
) -> Result<CrawlReport, CrawlError> {
    let failed = |cause| CrawlError::Archive { path: archive.to_owned(), cause };
    let (writer, there) = WarcWriter::open_noting(archive).map_err(failed)?;
    let mut past = HashMap::new();
    for captured in there {
        let what = match captured.kind {
            CapturedKind::Page => Past::Page(captured.location),
            CapturedKind::Redirect(to) => Past::Redirect(to),
            CapturedKind::Other => Past::Other(captured.location),
        };
        past.entry(without_fragment(&captured.url)).or_insert(what);
    }
    let crawler = Crawler {
        options,
        archive,
        past,
        writer: Mutex::new(writer),
        fetcher: PoliteFetcher::new(options.polite.clone(), Arc::clone(stop)),
        stop,
        hands_on: take.is_some(),
        halted: AtomicBool::new(false),
    };
    let mut frontier = Frontier::new(starts, options);
    let mut report = CrawlReport { sites: frontier.sites.len(), ..CrawlReport::default() };
    let mut depth = 0;
    let mut before_site = 0;
    loop {
        loop {
            let done = report.pages + report.archived;
            let of_site = options.site_pages.map_or(usize::MAX, |most| most.saturating_sub(done - before_site));
            let batch = frontier.next_batch((options.max_pages - done).min(of_site));
            if batch.is_empty() {
                break;
            }
            let follow = options.depth.is_none_or(|most| depth < most);
            let mut written = Ok(());
            crawler.fetch_all(&batch, follow, |task, mut outcome| {
                if let (Some(take), Outcome::Page { page, .. }) = (&mut take, &mut outcome)
                    && let Some(page) = page.take()
                {
                    take(&page);
                }
                if let Err(cause) = frontier.settle(task, outcome, &mut report) {
                    crawler.halted.store(true, Ordering::Relaxed);
                    written = Err(cause);
                }
                progress(&report);
            });
            written.map_err(failed)?;
            if stop.load(Ordering::Relaxed) {
                report.stopped = true;
                return Ok(frontier.end(report));
            }
        }
        let done = report.pages + report.archived;
        if frontier.next_level() {
            depth += 1;
        } else if done < options.max_pages && frontier.next_site(&mut report) {
            (depth, before_site) = (0, done);
        } else {
            return Ok(frontier.end(report));
        }
    }
}

/// Where a crawl begins, of what a person names: addresses, and files that name some (a list, a sitemap, a feed).
///
/// # Errors
/// If one is neither, or a file names no address.
pub fn starts<S: AsRef<str>>(arguments: &[S]) -> Result<Vec<Url>, InputError> {
    let mut starts = Vec::new();
    for argument in arguments.iter().map(AsRef::as_ref) {
        let bad = |reason: &str| InputError::BadUrl { url: argument.to_owned(), reason: reason.to_owned() };
        if argument.contains("://") || !Path::new(argument).is_file() {
            starts.push(parse_web_address(argument).map_err(|reason| bad(&reason))?);
            continue;
        }
        for named in pages(&[argument], Reading::default()) {
            match named?.input {
                Input::Url(url) => starts.push(parse_web_address(&url).map_err(|reason| bad(&reason))?),
                _ => return Err(bad("it is a file that names no addresses")),
            }
        }
    }
    Ok(starts)
}

/// What an earlier run found at an address.
#[derive(Debug)]
enum Past {
    Page(Location),
    Redirect(Url),
    Other(Location),
}

/// What the threads of a crawl share.
struct Crawler<'a> {
    options: &'a CrawlOptions,
    archive: &'a Path,
    past: HashMap<Url, Past>,
    writer: Mutex<WarcWriter>,
    fetcher: PoliteFetcher,
    stop: &'a AtomicBool,
    /// Whether someone takes pages.
    hands_on: bool,
    /// Whether the archive can no longer be written.
    halted: AtomicBool,
}

impl Crawler<'_> {
    /// Tells what each task comes to, in the order of the tasks, as soon as those before are done. A host is one thread's
    /// work.
    fn fetch_all(&self, tasks: &[Task], follow: bool, mut settle: impl FnMut(&Task, Outcome)) {
        let mut by_host: Vec<(String, Vec<usize>)> = Vec::new();
        for (at, task) in tasks.iter().enumerate() {
            let host = host_of(&task.url);
            match by_host.iter_mut().find(|(known, _)| *known == host) {
                Some((_, places)) => places.push(at),
                None => by_host.push((host, vec![at])),
            }
        }
        let threads = self.options.concurrency.clamp(1, by_host.len().max(1));
        let queue = Mutex::new(by_host.into_iter());
        let queue = &queue;
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let sender = sender.clone();
                scope.spawn(move || {
                    loop {
                        let Some((_, places)) = queue.lock().unwrap_or_else(PoisonError::into_inner).next() else { return };
                        for at in places {
                            // The receiver lives until all threads are done.
                            let _ = sender.send((at, self.fetch(&tasks[at], follow)));
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting: BTreeMap<usize, Outcome> = BTreeMap::new();
            let mut next = 0;
            for (at, outcome) in receiver {
                waiting.insert(at, outcome);
                while let Some(outcome) = waiting.remove(&next) {
                    settle(&tasks[next], outcome);
                    next += 1;
                }
            }
        });
    }

    fn fetch(&self, task: &Task, follow: bool) -> Outcome {
        let url = &task.url;
        if self.stop.load(Ordering::Relaxed) || self.halted.load(Ordering::Relaxed) {
            return Outcome::NotFetched(NotFetched::Stopped);
        }
        match self.past.get(url) {
            Some(Past::Redirect(to)) => return Outcome::Redirect(to.clone()),
            Some(Past::Other(location)) => {
                let document = if task.names { self.read_again(*location) } else { None };
                return document.and_then(|document| self.names(&document.bytes, url)).map_or(Outcome::Other, Outcome::Names);
            }
            Some(Past::Page(location)) => {
                let page = if follow || self.hands_on { self.read_again(*location) } else { None };
                return self.page(page, follow, true);
            }
            None => {}
        }
        let fetched = if task.names { self.fetcher.get_names(url) } else { self.fetcher.get(url) };
        let answer = match fetched {
            Ok(answer) => answer,
            Err(why) => return Outcome::NotFetched(why),
        };
        if answer.is_failure_of_server() {
            let failure = crate::FetchError::Status { url: shown(url), status: format!("{} {}", answer.status, answer.reason) };
            return Outcome::NotFetched(failure.into());
        }
        if let Err(cause) = self.write(&answer) {
            return Outcome::NotWritten(cause);
        }
        if let Some(to) = answer.redirect() {
            return Outcome::Redirect(to);
        }
        match answer.page(&self.options.polite) {
            Ok(page) => self.page(Some(page), follow, false),
            Err(_) => {
                let document = if task.names { answer.document(&self.options.polite) } else { None };
                document.and_then(|bytes| self.names(&bytes, url)).map_or(Outcome::Other, Outcome::Names)
            }
        }
    }

    /// What comes of a page, which is parsed if that is needed.
    fn page(&self, page: Option<WarcPage>, follow: bool, archived: bool) -> Outcome {
        let page = page.filter(|_| follow || self.hands_on).map(WarcPage::parse);
        let links = page.as_ref().filter(|_| follow).map_or_else(Vec::new, |page| self.links(page));
        Outcome::Page { links, archived, page: page.filter(|_| self.hands_on).map(Box::new) }
    }

    /// The addresses that a sitemap or a feed names, packed or not.
    fn names(&self, mut bytes: &[u8], url: &Url) -> Option<Vec<Url>> {
        let mut unpacked = Vec::new();
        undo_packing(&mut bytes as &mut dyn Read).ok()?.take(self.options.polite.max_bytes).read_to_end(&mut unpacked).ok()?;
        let naming = naming(&unpacked).filter(|naming| *naming != Naming::List)?;
        Some(addresses(naming, &unpacked, Some(url)))
    }

    fn write(&self, answer: &Answer) -> io::Result<()> {
        let Answer { url, status, reason, headers, body, complete, time } = answer;
        let (status, complete, time) = (*status, *complete, *time);
        let response = CapturedResponse { url, status, reason, headers, body, complete, time };
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).write_response(&response)
    }

    fn read_again(&self, location: Location) -> Option<WarcPage> {
        let mut reader = WarcReader::open_at(self.archive, location).ok()?.max_bytes(self.options.polite.max_bytes);
        let captured = reader.next_captured()?;
        reader.document(&captured)
    }

    /// The addresses that a page links to and that may be pages, each once, in the order of the page.
    fn links(&self, page: &Page) -> Vec<Url> {
        let heeds = !self.options.follow_nofollow;
        if heeds && says_nofollow(page) {
            return Vec::new();
        }
        let has_nofollow = |node: NodeId| {
            page.attr(node, "rel")
                .is_some_and(|rel| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("nofollow")))
        };
        let frames =
            page.nodes().filter(|node| page.name(*node) == "frame").filter_map(|node| page.resolve(page.attr(node, "src")?));
        let links = page.links().filter(|link| !heeds || !has_nofollow(link.node)).filter_map(|link| link.url);
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for mut url in frames.chain(links) {
            if check_web_address(&url).is_err() || is_surely_no_page(&url) {
                continue;
            }
            url.set_fragment(None);
            // A name and password in a link are not ours to use.
            if url.set_username("").is_err() || url.set_password(None).is_err() || !seen.insert(url.clone()) {
                continue;
            }
            found.push(url);
            if found.len() == MAX_LINKS {
                break;
            }
        }
        found
    }
}

fn says_nofollow(page: &Page) -> bool {
    page.nodes().filter(|node| page.tag(*node) == Tag::Meta).any(|node| {
        page.attr(node, "name").is_some_and(|name| name.eq_ignore_ascii_case("robots"))
            && page.attr(node, "content").is_some_and(|content| {
                content.split([',', ' ']).any(|word| word.eq_ignore_ascii_case("nofollow") || word.eq_ignore_ascii_case("none"))
            })
    })
}

fn is_surely_no_page(url: &Url) -> bool {
    let extension = url.path().rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    extension.is_some_and(|(_, extension)| NO_PAGE.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

#[cfg(test)]
pub(crate) mod tests;
