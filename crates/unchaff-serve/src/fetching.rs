//! Fetches pages for those who ask, if that is allowed: from public addresses on usual ports, one after the other from each host, with a pause.
//!
//! The client is not asynchronous, so it has threads of its own, a bounded number. Which addresses may be reached is decided
//! in `unchaff-source` on what a name resolves to, and the connection goes to that very address.

use crate::options::Options;
use crate::problem::Problem;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use unchaff::Document;
use unchaff_job::guarded;
use unchaff_source::{FetchOptions, Fetcher, Url};

/// So many pages are fetched at a time.
const AT_A_TIME: usize = 32;

/// The pause between two requests to one host.
const PAUSE: Duration = Duration::from_secs(1);

/// So many hosts are remembered; the oldest have had their pause long ago.
const MOST_HOSTS: usize = 4096;

/// What was fetched is kept for so long, since the same page is looked at in many ways.
const KEPT_FOR: Duration = Duration::from_secs(60);

/// And so many bytes of it.
const KEPT_BYTES: usize = 32 << 20;

/// Fetches pages, or nothing.
#[derive(Debug)]
pub(crate) struct Fetching {
    fetcher: Option<Arc<Fetcher>>,
    places: Arc<Semaphore>,
    pause: Duration,
    /// When each host may be asked again.
    turns: Mutex<HashMap<String, Instant>>,
    timeout: Duration,
    /// The latest at the end.
    kept: Mutex<VecDeque<(Instant, String, Document)>>,
}

impl Fetching {
    pub(crate) fn new(options: &Options) -> Fetching {
        let fetcher = || {
            Arc::new(Fetcher::new(FetchOptions {
                timeout: options.timeout,
                max_bytes: options.max_bytes,
                allow_private: options.fetch_private,
                // A proxy would look up names by itself.
                proxy_from_environment: options.fetch_private,
                ..FetchOptions::default()
            }))
        };
        Fetching {
            fetcher: options.fetch.then(fetcher),
            places: Arc::new(Semaphore::new(AT_A_TIME)),
            pause: if options.fetch_private { Duration::ZERO } else { PAUSE },
            turns: Mutex::default(),
            timeout: options.timeout,
            kept: Mutex::default(),
        }
    }

    /// A page that was fetched a moment ago.
    fn kept(&self, url: &str) -> Option<Document> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(when, _, _)| when.elapsed() < KEPT_FOR);
        kept.iter().find(|(_, known, _)| known == url).map(|(_, _, document)| document.clone())
    }

    fn keep(&self, url: String, document: &Document) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back((Instant::now(), url, document.clone()));
        let size =
            |kept: &VecDeque<(Instant, String, Document)>| kept.iter().map(|(_, _, page)| page.bytes.len() + 1024).sum::<usize>();
        while size(&kept) > KEPT_BYTES {
            kept.pop_front();
        }
    }

    /// The page at an address.
    ///
    /// # Errors
    /// If nothing is fetched, or not this address, or if it cannot be had.
    pub(crate) async fn page(&self, url: &str) -> Result<Document, Problem> {
        let fetcher = Arc::clone(self.fetcher.as_ref().ok_or_else(Problem::no_fetching)?);
        if let Some(kept) = self.kept(url) {
            return Ok(kept);
        }
        let late = || Problem::busy("too many pages of that site are asked for; wait for some of them");
        let turn = self.turn(url);
        if turn.saturating_duration_since(Instant::now()) > self.timeout {
            return Err(late());
        }
        tokio::time::sleep_until(turn.into()).await;
        let place = tokio::time::timeout(self.timeout, Arc::clone(&self.places).acquire_owned()).await;
        let place = place.map_err(|_| late())?.map_err(|_| Problem::busy("the service ends"))?;
        let (asked, url) = (url.to_owned(), url.to_owned());
        let fetched = tokio::task::spawn_blocking(move || {
            let _place = place;
            guarded(|| fetcher.fetch_for(&url))
        });
        let document: Document = fetched.await.map_err(|error| Problem::internal(error.to_string()))???.into();
        self.keep(asked, &document);
        Ok(document)
    }

    /// When the host of an address may be asked; the next after that.
    fn turn(&self, url: &str) -> Instant {
        let now = Instant::now();
        let Some(host) = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)) else { return now };
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if turns.len() >= MOST_HOSTS {
            turns.retain(|_, next| *next > now);
        }
        let turn = turns.get(&host).map_or(now, |next| (*next).max(now));
        if turns.len() < MOST_HOSTS && turn.saturating_duration_since(now) <= self.timeout {
            turns.insert(host, turn + self.pause);
        }
        turn
    }
}
