//! How the service is run: where it listens, and what it allows.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

/// What the service is run with; the default is one for a single person on their own machine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on. Default: 127.0.0.1, which this machine alone reaches.
    pub bind: IpAddr,
    /// The port; 0 for any that is free. Default: 8017.
    pub port: u16,
    /// Other names than those of this machine by which a service on it may be asked for: those of a web server in front of it. Default: none.
    pub hosts: Vec<String>,
    /// Whether addresses are fetched for those who ask. Default: no.
    pub fetch: bool,
    /// Whether also addresses of private networks, of this machine and on any port. Default: no.
    pub fetch_private: bool,
    /// Most bytes of a request, and of a page that is fetched. Default: 16 MiB.
    pub max_bytes: u64,
    /// Time for a request to arrive, for its page to be fetched, and for it to be answered, each. Default: 30 s.
    pub timeout: Duration,
    /// How many pages are worked on at a time. Default: one per core.
    pub jobs: Option<usize>,
    /// Whether no line is written for each request. Default: no.
    pub quiet: bool,
    /// What everybody who asks has to know, if anything. Default: nothing.
    pub token: Option<String>,
    /// Most requests at a time of one address. Default: 256.
    pub per_client: usize,
    /// Most requests at a time of all. Default: 1,024.
    pub requests: usize,
    /// Most connections at a time. Default: 16,384, or as many as the system allows.
    pub connections: usize,
    /// Most bytes of all requests that are there at a time. Default: 512 MiB.
    pub held_bytes: u64,
    /// Time for the head of a request, and that a connection may be idle. Default: 15 s.
    pub idle: Duration,
    /// Most sites that are known. Default: 256.
    pub sites: usize,
    /// Most bytes of all that is known about sites. Default: 256 MiB.
    pub site_bytes: usize,
    /// A folder of suites whose pages are annotated, with results in `results.db`; or a database of results alone. Default: none.
    pub workbench: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 8017,
            hosts: Vec::new(),
            fetch: false,
            fetch_private: false,
            max_bytes: 16 << 20,
            timeout: Duration::from_secs(30),
            jobs: None,
            quiet: false,
            token: None,
            per_client: 256,
            requests: 1024,
            connections: 16_384,
            held_bytes: 512 << 20,
            idle: Duration::from_secs(15),
            sites: 256,
            site_bytes: 256 << 20,
            workbench: None,
        }
    }
}

impl Options {
    /// Whether nobody but this machine can connect.
    pub(crate) fn is_local(&self) -> bool {
        self.bind.is_loopback()
    }
}
