//! The live web as a site: pages are fetched when a technique asks for them, politely.
//!
//! Every address of the host is taken for a page until it is loaded, for nothing is known of it before. Redirects within
//! the site are followed; `robots.txt`, pauses and limits are those of [`PoliteOptions`].

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use unchaff_dom::links::site;
use unchaff_dom::site::without_fragment;
use unchaff_dom::{LoadError, Page, PageId, Site};
use url::Url;

use crate::address_key::address_key;
use crate::error::FetchError;
use crate::fetch::{check_web_address, shown};
use crate::page_cache::PageCache;
use crate::polite::{NoPage, NoRules, NotFetched, PoliteFetcher, PoliteOptions};
use crate::reading::Reading;
use crate::site_error::SiteError;
use crate::warc::NotUnpacked;

/// Most redirects followed to a page.
const MAX_REDIRECTS: u32 = 10;

/// Most addresses that get a number; a page can have a hundred thousand links.
const MAX_ADDRESSES: usize = 1_000_000;

/// The pages of one host on the web.
#[derive(Debug)]
pub struct LiveSite {
    fetcher: PoliteFetcher,
    /// What the keys of all addresses of the host begin with.
    host: String,
    max_pages: usize,
    addresses: Mutex<Addresses>,
    loaded: PageCache,
    reading: Reading,
}

#[derive(Debug, Default)]
struct Addresses {
    urls: Vec<Url>,
    by_key: HashMap<String, PageId>,
}

impl LiveSite {
    /// The host of an address, whose page is the first that is known. Nothing is fetched yet; no more than `max_pages` pages
    /// ever are.
    ///
    /// # Errors
    /// If it is no web address.
    pub fn open(url: &Url, options: PoliteOptions, reading: &Reading, max_pages: usize) -> Result<LiveSite, SiteError> {
        check_web_address(url).map_err(|reason| SiteError::BadUrl { url: url.to_string(), reason })?;
        let live = LiveSite {
            fetcher: PoliteFetcher::new(reading.polite(options), Arc::new(AtomicBool::new(false))),
            host: host_key(url),
            max_pages,
            addresses: Mutex::default(),
            loaded: PageCache::default(),
            reading: reading.clone(),
        };
        live.find(url);
        Ok(live)
    }

    fn addresses(&self) -> MutexGuard<'_, Addresses> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, page: PageId) -> Result<Page, LoadError> {
        let start = self.url(page);
        let page = shown(&start);
        if self.loaded.loads() > self.max_pages {
            return Err(LoadError::TooManyPages { page, limit: self.max_pages });
        }
        let mut here = start.clone();
        for _ in 0..=MAX_REDIRECTS {
            let answer = self.fetcher.get(&here).map_err(|why| match why {
                NotFetched::Failed(error) => error.into(),
                NotFetched::NoRobots { cause: NoRules::Failed(cause), .. } if matches!(*cause, FetchError::Timeout { .. }) => {
                    LoadError::Late { page: format!("robots.txt of {}", shown(&here)), limit: self.reading.timeout }
                }
                why => LoadError::NotFetched { page: shown(&here), reason: why.to_string() },
            })?;
            let Some(to) = answer.redirect() else {
                let PoliteOptions { max_bytes, timeout, .. } = *self.fetcher.options();
                let page = shown(&here);
                return match answer.page(self.fetcher.options()) {
                    Ok(page) => Ok(self.reading.page(page.into())),
                    Err(NoPage::NotUnpacked(NotUnpacked::TooLarge)) => Err(LoadError::TooLarge { page, limit: max_bytes }),
                    Err(NoPage::NotUnpacked(NotUnpacked::Late)) => Err(LoadError::Late { page, limit: timeout }),
                    Err(NoPage::NotUnpacked(NotUnpacked::Encoding(encoding))) => {
                        Err(FetchError::ContentEncoding { url: page, encoding }.into())
                    }
                    Err(NoPage::Other) => {
                        Err(LoadError::NotAPage { page, answer: format!("{} {}", answer.status, answer.reason) })
                    }
                };
            };
            if site(&to) != site(&start) {
                return Err(LoadError::Elsewhere { page, to: shown(&to) });
            }
            here = without_fragment(&to);
        }
        Err(LoadError::TooManyRedirects { page, limit: MAX_REDIRECTS })
    }
}

impl Site for LiveSite {
    fn find(&self, url: &Url) -> Option<PageId> {
        if check_web_address(url).is_err() || host_key(url) != self.host {
            return None;
        }
        let mut addresses = self.addresses();
        let Addresses { urls, by_key } = &mut *addresses;
        let key = address_key(url);
        if let Some(known) = by_key.get(&key) {
            return Some(*known);
        }
        if urls.len() >= MAX_ADDRESSES {
            return None;
        }
        let id = PageId(u32::try_from(urls.len()).ok()?);
        urls.push(without_fragment(url));
        by_key.insert(key, id);
        Some(id)
    }

    fn url(&self, page: PageId) -> Url {
        self.addresses().urls[page.index()].clone()
    }

    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        self.loaded.load(page, || self.read(page))
    }

    fn known(&self) -> Vec<PageId> {
        vec![PageId(0)]
    }

    fn loads(&self) -> usize {
        self.loaded.loads()
    }
}

/// Host and port, `www.` or not.
fn host_key(url: &Url) -> String {
    let key = address_key(url);
    key.split('/').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::tests::{Server, polite, redirect_to};

    #[test]
    fn pages_are_fetched_when_asked_for_and_only_once() {
        let server = Server::new(|path| match path {
            "/" => Server::page("<a href=/a#x>a</a><a href=/old>old</a><a href=/gone>g</a><a href=https://example.org/>e</a>"),
            "/a" => Server::page("<p>a"),
            "/old" => redirect_to("/a"),
            "/away" => redirect_to("https://example.org/"),
            "/round" => redirect_to("/round?"),
            _ => Server::status("404 Not Found"),
        });
        let site = LiveSite::open(&server.url("/"), polite(), &Reading::default(), 5).unwrap();
        assert_eq!((site.known(), site.loads(), server.asked().len()), (vec![PageId(0)], 0, 0));
        let home = site.load(PageId(0)).unwrap();
        let found: Vec<_> = home.links().map(|link| site.find(&link.url.unwrap())).collect();
        assert_eq!(found, [Some(PageId(1)), Some(PageId(2)), Some(PageId(3)), None]);
        assert_eq!(site.find(&server.url("/a")), Some(PageId(1)));
        let old = site.load(PageId(2)).unwrap();
        assert_eq!((old.text(old.body().unwrap()), old.url().unwrap().path()), ("a", "/a"));
        assert!(site.load(PageId(3)).unwrap_err().to_string().contains("404"));
        let message = |path: &str| site.load(site.find(&server.url(path)).unwrap()).unwrap_err().to_string();
        assert!(message("/away").contains("another site"));
        assert!(message("/round").contains("redirects more than"));
        assert!(message("/a").contains("more than 5 pages"));
        site.load(PageId(0)).unwrap();
        assert_eq!(server.asked().iter().filter(|path| *path == "/").count(), 1);
        assert_eq!(server.asked()[0], "/robots.txt");
    }

    #[test]
    fn a_page_that_is_too_large_is_told_so_with_the_limit() {
        let server = Server::new(|path| match path {
            "/robots.txt" => Server::status("404 Not Found"),
            _ => Server::page(&"<p>much ".repeat(100)),
        });
        let reading = Reading { max_bytes: 100, ..Reading::default() };
        let site = LiveSite::open(&server.url("/"), polite(), &reading, 5).unwrap();
        let error = site.load(PageId(0)).unwrap_err();
        assert_eq!(error, LoadError::TooLarge { page: server.url("/").into(), limit: 100 });
        assert!(error.to_string().contains("more than 100 bytes"), "{error}");
    }

    #[test]
    fn a_private_address_is_refused() {
        let site = LiveSite::open(&Url::parse("http://127.0.0.1:1/").unwrap(), PoliteOptions::default(), &Reading::default(), 5)
            .unwrap();
        let message = site.load(PageId(0)).unwrap_err().to_string();
        assert!(message.contains("not a public address") && message.contains("allow private addresses"), "{message}");
    }
}
