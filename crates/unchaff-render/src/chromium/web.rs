//! What a page has from the web, fetched by us: by a few threads, behind the guard, with limits for a page as a whole.
//!
//! Each page has threads of its own, so that none waits for what another asked slow servers for.

use super::Options;
use super::connection::Incoming;
use super::requests::{fulfilled, refused};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use unchaff_source::{FetchOptions, Fetcher, Resource};
use url::Url;

/// How many requests are under way at a time.
const THREADS: usize = 6;

/// The most bytes of one style sheet, font or image.
const MOST_BYTES: u64 = 16 << 20;

/// The most bytes of all that a page has from the web.
const MOST_BYTES_OF_PAGE: u64 = 128 << 20;

/// A request that is to be answered from the web.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) session: Option<String>,
    pub(super) id: Value,
    pub(super) url: Url,
    pub(super) accept: &'static str,
}

/// What the page has from the web so far.
#[derive(Debug, Default)]
struct OfPage {
    /// Whether nobody waits for more.
    is_over: AtomicBool,
    bytes: AtomicU64,
    /// An image is asked for twice: to be seen, and to be read.
    known: Mutex<HashMap<Url, Arc<Resource>>>,
}

/// Threads that fetch for a page; they end with this.
#[derive(Debug)]
pub(super) struct Web {
    requests: Sender<Request>,
    page: Arc<OfPage>,
}

impl Drop for Web {
    fn drop(&mut self) {
        self.page.is_over.store(true, Ordering::Relaxed);
    }
}

impl Web {
    pub(super) fn new(options: &Options, answers: &Sender<Incoming>) -> Web {
        let fetcher = Fetcher::new(FetchOptions {
            timeout: options.time_limit,
            max_bytes: MOST_BYTES,
            allow_private: options.allow_private,
            // A proxy looks up names by itself, so nobody could tell where it goes.
            proxy_from_environment: options.allow_private,
            ..FetchOptions::default()
        });
        let (requests, queue) = channel();
        let page = Arc::new(OfPage::default());
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..THREADS {
            let worker = Worker {
                fetcher: fetcher.clone(),
                queue: Arc::clone(&queue),
                answers: answers.clone(),
                page: Arc::clone(&page),
                scripts: options.scripts,
            };
            std::thread::spawn(move || worker.work());
        }
        Web { requests, page }
    }

    pub(super) fn ask(&self, request: Request) {
        // The threads live as long as this.
        let _ = self.requests.send(request);
    }
}

struct Worker {
    fetcher: Fetcher,
    queue: Arc<Mutex<Receiver<Request>>>,
    answers: Sender<Incoming>,
    page: Arc<OfPage>,
    scripts: bool,
}

impl Worker {
    fn work(self) {
        loop {
            let request = self.queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(request) = request else { return };
            if self.page.is_over.load(Ordering::Relaxed) {
                return;
            }
            let (method, params) = self.answer(&request);
            if self.answers.send(Incoming::Answer { session: request.session, method, params }).is_err() {
                return;
            }
        }
    }

    fn answer(&self, request: &Request) -> (&'static str, Value) {
        let Some(found) = self.resource(request) else { return refused(&request.id, "Failed") };
        let content_type = found.content_type.as_deref().unwrap_or("application/octet-stream");
        let mut headers = vec![("Content-Type", content_type)];
        // Without scripts nobody reads it but us.
        let readers = if self.scripts { found.allow_origin.as_deref() } else { Some("*") };
        headers.extend(readers.map(|readers| ("Access-Control-Allow-Origin", readers)));
        fulfilled(&request.id, &headers, &found.bytes)
    }

    fn resource(&self, request: &Request) -> Option<Arc<Resource>> {
        let known = || self.page.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(&request.url) {
            return Some(Arc::clone(known));
        }
        if self.page.bytes.load(Ordering::Relaxed) > MOST_BYTES_OF_PAGE {
            return None;
        }
        let found = Arc::new(self.fetcher.resource(&request.url, request.accept).ok()?);
        self.page.bytes.fetch_add(found.bytes.len() as u64, Ordering::Relaxed);
        known().insert(request.url.clone(), Arc::clone(&found));
        Some(found)
    }
}
