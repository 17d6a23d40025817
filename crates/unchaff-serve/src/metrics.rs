//! What the service counts, as Prometheus reads it (text format 0.0.4).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the classes of times, in seconds.
const BOUNDS: [f64; 9] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0];

/// Counters of all requests since the start.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// By route and status: both are few, whatever is asked for.
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: [AtomicU64; BOUNDS.len() + 1],
    nanoseconds: AtomicU64,
    received: AtomicU64,
    fetched: AtomicU64,
    in_flight: AtomicUsize,
    connections: AtomicUsize,
    refused: AtomicU64,
}

/// Something that is under way as long as this lives.
#[derive(Debug)]
pub(crate) struct UnderWay<'m>(&'m AtomicUsize);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// One more request is worked on; also says how many there are now.
    pub(crate) fn request(&self) -> (UnderWay<'_>, usize) {
        let now = self.in_flight.fetch_add(1, Ordering::Relaxed) + 1;
        (UnderWay(&self.in_flight), now)
    }

    /// One more connection is open.
    pub(crate) fn connection(&self) -> UnderWay<'_> {
        self.connections.fetch_add(1, Ordering::Relaxed);
        UnderWay(&self.connections)
    }

    pub(crate) fn refused_connection(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn received(&self, bytes: usize) {
        self.received.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn fetched(&self) {
        self.fetched.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn answered(&self, route: &str, status: u16, time: Duration) {
        let seconds = time.as_secs_f64();
        let class = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len());
        self.times[class].fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route.to_owned(), status)).or_default() += 1;
    }

    /// All of it as text; `sites` and `site_bytes` are what is known about sites.
    pub(crate) fn text(&self, sites: usize, site_bytes: usize) -> String {
        let mut out = String::new();
        let mut say = |name: &str, kind: &str, help: &str, lines: &[(String, String)]| {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (labels, value) in lines {
                let _ = writeln!(out, "{name}{labels} {value}");
            }
        };
        let one = |value: u64| [(String::new(), value.to_string())];
        let requests: Vec<_> = {
            let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
            let line = |((route, status), count): (&(String, u16), &u64)| {
                (format!("{{route=\"{route}\",status=\"{status}\"}}"), count.to_string())
            };
            requests.iter().map(line).collect()
        };
        say("unchaff_requests_total", "counter", "Requests that were answered.", &requests);
        say(
            "unchaff_requests_in_flight",
            "gauge",
            "Requests that are worked on.",
            &one(self.in_flight.load(Ordering::Relaxed) as u64),
        );
        say("unchaff_connections", "gauge", "Connections that are open.", &one(self.connections.load(Ordering::Relaxed) as u64));
        say(
            "unchaff_connections_refused_total",
            "counter",
            "Connections beyond the limit.",
            &one(self.refused.load(Ordering::Relaxed)),
        );
        say(
            "unchaff_received_bytes_total",
            "counter",
            "Bytes of pages that were sent.",
            &one(self.received.load(Ordering::Relaxed)),
        );
        say("unchaff_fetched_pages_total", "counter", "Pages that were fetched.", &one(self.fetched.load(Ordering::Relaxed)));
        say("unchaff_sites", "gauge", "Sites that are known.", &one(sites as u64));
        say("unchaff_sites_bytes", "gauge", "Bytes of what is known about sites.", &one(site_bytes as u64));
        let _ = writeln!(
            out,
            "# HELP unchaff_request_seconds Time from the head of a request to its answer.\n# TYPE unchaff_request_seconds histogram"
        );
        let mut below = 0;
        for (class, count) in self.times.iter().enumerate() {
            below += count.load(Ordering::Relaxed);
            let bound = BOUNDS.get(class).map_or("+Inf".to_owned(), ToString::to_string);
            let _ = writeln!(out, "unchaff_request_seconds_bucket{{le=\"{bound}\"}} {below}");
        }
        let seconds = self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9;
        let _ = writeln!(out, "unchaff_request_seconds_sum {seconds}\nunchaff_request_seconds_count {below}");
        out
    }
}
