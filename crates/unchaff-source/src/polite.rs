//! Fetches pages without being a burden: what `robots.txt` allows, one request a host at a time, with a pause between.
//!
//! A server that asks for time (429, 503) gets it; one that fails again and again is left alone. Redirects are not
//! followed but told, since whoever asked must know where pages lie. Addresses that are not public are refused
//! (`client.rs`), and so no proxy is used, which would look up names by itself.

use std::collections::HashMap;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use ureq::Body;
use ureq::http::Response;
use url::Url;

use crate::client::{Client, Reach};
use crate::content_encoding::Bounds;
use crate::content_type::ContentType;
use crate::error::FetchError;
use crate::fetch::{ACCEPT, shown};
use crate::robots::{self, Robots};
use crate::warc::{Fields, NotUnpacked, ResponseHead, WarcPage, looks_like_html};

/// The name that `robots.txt` files call us by, whatever else the `User-Agent` says.
const PRODUCT: &str = "unchaff";

/// How often a request is tried again when the server asks for time.
const RETRIES: u32 = 3;

/// The first pause for a server that asks for time but does not say how much; it doubles with each try.
const FIRST_PAUSE: Duration = Duration::from_secs(5);

/// Most redirects followed for a `robots.txt` (RFC 9309, 2.3.1.2).
const ROBOTS_REDIRECTS: usize = 5;

/// How pages are fetched from servers of other people.
#[derive(Debug, Clone, PartialEq)]
pub struct PoliteOptions {
    /// The pause between two requests to a host, also where `robots.txt` asks for less. Default: 1 s.
    pub delay: Duration,
    /// The longest pause that a host can ask for. Where `Crawl-delay` asks for more, this is kept; where `Retry-After`
    /// does, the host is left alone. Default: 60 s.
    pub max_delay: Duration,
    /// Time for one request, from looking up the name to the last byte. Default: 30 s.
    pub timeout: Duration,
    /// Most bytes of a page, before and after decompression; larger ones are left out. Default: 64 MiB.
    pub max_bytes: u64,
    /// After so many failures in a row a host is left alone. Default: 5.
    pub max_errors: u32,
    /// Value of the `User-Agent` header. Default: `unchaff/` and the version, and where to read and complain about it.
    pub user_agent: String,
    /// Whether addresses of private networks and of this machine may be fetched, and proxies of the environment used.
    /// Default: no.
    pub allow_private: bool,
}

impl Default for PoliteOptions {
    fn default() -> Self {
        Self {
            delay: Duration::from_secs(1),
            max_delay: Duration::from_secs(60),
            timeout: Duration::from_secs(30),
            max_bytes: 64 << 20,
            max_errors: 5,
            user_agent: concat!("unchaff/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")").to_owned(),
            allow_private: false,
        }
    }
}

impl PoliteOptions {
    /// What unpacking a page may cost, from now on.
    fn bounds(&self) -> Bounds {
        Bounds { most: self.max_bytes, deadline: Instant::now().checked_add(self.timeout) }
    }
}

/// Why a page was not fetched. The message is complete: what, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotFetched {
    #[error("{url} is not fetched: robots.txt of {host} does not allow it; ask its owner")]
    Forbidden { url: String, host: String },
    #[error(
        "{url} is not fetched: robots.txt of {host} cannot be read ({cause}), so nothing there may be fetched; try again later"
    )]
    NoRobots { url: String, host: String, cause: NoRules },
    #[error("{url} is not fetched: {host} failed too often or asked for more time; try again later")]
    LeftAlone { url: String, host: String },
    #[error("{0}")]
    Failed(#[from] FetchError),
    #[error("stopped")]
    Stopped,
}

/// Why the rules of a host cannot be had.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum NoRules {
    #[error("{0}")]
    Failed(Arc<FetchError>),
    #[error("the server answered {0}")]
    Status(u16),
    #[error("it is packed in an unknown way")]
    Packed,
}

/// What a server answered. The body is there only if it may be a page.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) url: Url,
    pub(crate) status: u16,
    pub(crate) reason: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) complete: bool,
    pub(crate) time: SystemTime,
}

/// Why an answer is no page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoPage {
    /// An error, a redirect, or a document of another kind.
    Other,
    NotUnpacked(NotUnpacked),
}

impl NotFetched {
    pub(crate) fn is_private(&self) -> bool {
        matches!(self, NotFetched::Failed(FetchError::Private { .. }))
    }
}

impl Answer {
    /// The page, if it is one.
    pub(crate) fn page(&self, options: &PoliteOptions) -> Result<WarcPage, NoPage> {
        let head = ResponseHead { status: self.status, fields: Fields::new(self.headers.iter().cloned()) };
        let content_type = head.content_type();
        let may_be = (200..300).contains(&self.status) && is_html(&content_type).unwrap_or(true);
        if !may_be {
            return Err(NoPage::Other);
        }
        if !self.complete {
            return Err(NoPage::NotUnpacked(NotUnpacked::TooLarge));
        }
        let bytes = head.unpack(self.body.clone(), options.bounds()).map_err(NoPage::NotUnpacked)?;
        let is_page = is_html(&content_type).unwrap_or_else(|| looks_like_html(&bytes));
        is_page.then(|| WarcPage { url: self.url.clone(), charset: content_type.charset, bytes }).ok_or(NoPage::Other)
    }

    /// What was answered, whatever it is, if it is all there.
    pub(crate) fn document(&self, options: &PoliteOptions) -> Option<Vec<u8>> {
        let head = ResponseHead { status: self.status, fields: Fields::new(self.headers.iter().cloned()) };
        let is_there = (200..300).contains(&self.status) && self.complete;
        is_there.then(|| head.unpack(self.body.clone(), options.bounds()).ok()).flatten()
    }

    /// Where it redirects to, if it does.
    pub(crate) fn redirect(&self) -> Option<Url> {
        let location = self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("location"));
        let to = self.url.join(&location?.1).ok()?;
        (matches!(self.status, 301 | 302 | 303 | 307 | 308) && is_web(&to)).then_some(to)
    }

    /// Whether the same request may well succeed later.
    pub(crate) fn is_failure_of_server(&self) -> bool {
        self.status == 429 || self.status >= 500
    }
}

/// Whether a header says HTML; none if it says nothing.
fn is_html(content_type: &ContentType) -> Option<bool> {
    content_type.essence.as_deref().map(|essence| matches!(essence, "text/html" | "application/xhtml+xml"))
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// Fetches pages of any number of hosts, from any number of threads.
#[derive(Debug)]
pub(crate) struct PoliteFetcher {
    options: PoliteOptions,
    client: Client,
    hosts: Mutex<HashMap<String, Arc<Mutex<Host>>>>,
    stop: Arc<AtomicBool>,
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Page,
    /// A page, or what names pages: a sitemap or a feed.
    Names,
    Robots,
}

/// What is known of a host. It is locked while a request to it is under way.
#[derive(Debug, Default)]
struct Host {
    robots: Option<Result<Robots, NoRules>>,
    /// When the next request may be made.
    next: Option<Instant>,
    errors: u32,
}

impl PoliteFetcher {
    /// A fetcher that ends its waiting soon after `stop` is set.
    pub(crate) fn new(options: PoliteOptions, stop: Arc<AtomicBool>) -> Self {
        let client = Client::new(&options.user_agent, options.timeout, options.allow_private);
        Self { options, client, hosts: Mutex::default(), stop }
    }

    pub(crate) fn options(&self) -> &PoliteOptions {
        &self.options
    }

    /// Fetches one address when its host's turn comes, without following where it leads.
    pub(crate) fn get(&self, url: &Url) -> Result<Answer, NotFetched> {
        self.get_wanted(url, Wanted::Page)
    }

    /// The same of an address that may be a sitemap or a feed.
    pub(crate) fn get_names(&self, url: &Url) -> Result<Answer, NotFetched> {
        self.get_wanted(url, Wanted::Names)
    }

    fn get_wanted(&self, url: &Url, wanted: Wanted) -> Result<Answer, NotFetched> {
        let name = host_of(url);
        let host = Arc::clone(self.hosts.lock().unwrap_or_else(PoisonError::into_inner).entry(name.clone()).or_default());
        let mut host = host.lock().unwrap_or_else(PoisonError::into_inner);
        if host.errors >= self.options.max_errors {
            return Err(NotFetched::LeftAlone { url: shown(url), host: name });
        }
        let robots = match host.robots.clone() {
            Some(robots) => robots,
            None => {
                let robots = self.fetch_robots(url, &mut host)?;
                host.robots = Some(robots.clone());
                robots
            }
        };
        let robots = robots.map_err(|cause| NotFetched::NoRobots { url: shown(url), host: name.clone(), cause })?;
        if !robots.allows(url) {
            return Err(NotFetched::Forbidden { url: shown(url), host: name });
        }
        let mut pause = FIRST_PAUSE;
        for tries_left in (0..=RETRIES).rev() {
            let answer = self.request(url, wanted, &mut host).inspect_err(|error| {
                if matches!(error, NotFetched::Failed(_)) && !error.is_private() {
                    host.errors += 1;
                }
            })?;
            if !matches!(answer.status, 429 | 503) || tries_left == 0 {
                host.errors = if answer.is_failure_of_server() { host.errors + 1 } else { 0 };
                return Ok(answer);
            }
            let asked = answer.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("retry-after"));
            let asked = asked.and_then(|(_, value)| value.trim().parse().ok()).map(Duration::from_secs);
            if asked.is_some_and(|asked| asked > self.options.max_delay) {
                host.errors = self.options.max_errors;
                return Ok(answer);
            }
            let until = Instant::now() + asked.unwrap_or(pause.min(self.options.max_delay));
            host.next = host.next.max(Some(until));
            pause *= 2;
        }
        unreachable!("the last try returns")
    }

    /// The rules of a host, or why they cannot be had. A private address is refused before it comes to that.
    fn fetch_robots(&self, url: &Url, host: &mut Host) -> Result<Result<Robots, NoRules>, NotFetched> {
        let mut here = url.clone();
        here.set_path("/robots.txt");
        here.set_query(None);
        here.set_fragment(None);
        for _ in 0..=ROBOTS_REDIRECTS {
            let answer = match self.request(&here, Wanted::Robots, host) {
                Ok(answer) => answer,
                // Elsewhere than where it was asked for, it is the rules that lead there.
                Err(private) if private.is_private() && here.host() == url.host() => return Err(private),
                Err(NotFetched::Failed(error)) => return Ok(Err(NoRules::Failed(Arc::new(error)))),
                Err(other) => return Err(other),
            };
            match (answer.redirect(), answer.status) {
                (Some(to), _) => here = to,
                (None, 200..300) => {
                    let head = ResponseHead { status: answer.status, fields: Fields::new(answer.headers) };
                    let most = robots::MAX_BYTES + 1;
                    return Ok(match head.beginning(answer.body, self.options.bounds(), most) {
                        Ok((text, _)) => Ok(Robots::parse(&text, PRODUCT)),
                        Err(_) => Err(NoRules::Packed),
                    });
                }
                (None, 429 | 500..) => return Ok(Err(NoRules::Status(answer.status))),
                // There are no rules (RFC 9309, 2.3.1.3).
                (None, _) => return Ok(Ok(Robots::default())),
            }
        }
        Ok(Ok(Robots::default()))
    }

    /// One request, after the pause that the host is due.
    fn request(&self, url: &Url, wanted: Wanted, host: &mut Host) -> Result<Answer, NotFetched> {
        self.wait_until(host.next)?;
        let time = SystemTime::now();
        let answer = self.client.get(url, ACCEPT, Reach::of(self.options.allow_private), None);
        if let Err(refused @ FetchError::Private { .. }) = answer {
            return Err(refused.into());
        }
        let answer = answer.map_err(NotFetched::from).and_then(|response| self.receive(url, wanted, response, time));
        let asked = host.robots.as_ref().and_then(|robots| robots.as_ref().ok()?.delay()).unwrap_or_default();
        host.next = Some(Instant::now() + self.options.delay.max(asked.min(self.options.max_delay)));
        answer
    }

    fn receive(&self, url: &Url, wanted: Wanted, response: Response<Body>, time: SystemTime) -> Result<Answer, NotFetched> {
        let status = response.status();
        let headers: Vec<(String, String)> = response
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect();
        let content_type = headers.iter().find(|(name, _)| name == "content-type").map_or("", |(_, value)| value);
        let may_be_page = || is_html(&ContentType::parse(content_type)).unwrap_or(true);
        let may_name = || ["xml", "gzip", "octet-stream", "text/plain"].iter().any(|kind| content_type.contains(kind));
        let is_wanted =
            status.is_success() && (wanted == Wanted::Robots || may_be_page() || wanted == Wanted::Names && may_name());
        let mut body = Vec::new();
        let mut complete = is_wanted || response.body().content_length() == Some(0);
        if is_wanted {
            let limit = match wanted {
                Wanted::Page | Wanted::Names => self.options.max_bytes,
                // Of rules that are too long the beginning counts (RFC 9309, 2.5).
                Wanted::Robots => robots::MAX_BYTES,
            };
            let stream = response.into_body().into_reader();
            stream
                .take(limit.saturating_add(1))
                .read_to_end(&mut body)
                .map_err(|cause| FetchError::receiving(shown(url), self.options.timeout, limit, cause))?;
            if body.len() as u64 > limit && wanted != Wanted::Robots {
                body.clear();
                complete = false;
            }
        }
        let reason = status.canonical_reason().unwrap_or_default().to_owned();
        Ok(Answer { url: url.clone(), status: status.as_u16(), reason, headers, body, complete, time })
    }

    fn wait_until(&self, until: Option<Instant>) -> Result<(), NotFetched> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(NotFetched::Stopped);
            }
            let left = until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }
}

/// The name of a host, with its port if it is an uncommon one.
pub(crate) fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or(host.to_owned(), |port| format!("{host}:{port}"))
}
