//! What can be asked of `unchaff serve`, and its help.

use clap::Args;
use std::net::IpAddr;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  unchaff serve                                  then open http://127.0.0.1:8017/
  curl -H 'Accept: text/markdown' --data-binary @page.html http://127.0.0.1:8017/v1/extract
  unchaff serve --fetch                          pages are fetched by address, from public addresses only
  unchaff serve --workbench suites/              annotate pages and see results: http://127.0.0.1:8017/workbench
  UNCHAFF_TOKEN=secret unchaff serve --bind 0.0.0.0 --quiet

docs/service.md tells all that can be asked; so does http://127.0.0.1:8017/openapi.json to programs.";

/// How the service is run.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeOptions {
    /// The port; 0 for any that is free.
    #[arg(long, value_name = "N", default_value_t = 8017)]
    pub(crate) port: u16,

    /// The address to listen on. 127.0.0.1 is reached by this machine alone, 0.0.0.0 by all that reach it.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) bind: IpAddr,

    /// Another name by which a service on this machine may be asked for, that of a web server in front of it; can be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,

    /// Fetch pages by address, for those who ask, from public addresses and usual ports only; without it, they have to send them.
    #[arg(long)]
    pub(crate) fetch: bool,

    /// With --fetch: also from private networks, this machine and any port. For a service that nobody else can reach.
    #[arg(long, requires = "fetch")]
    pub(crate) fetch_private: bool,

    /// The most bytes a page may have, and a request.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_bytes: u64,

    /// Seconds after which a page is given up that is fetched, sent or worked on, each.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub(crate) timeout: u64,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,

    /// The workbench in the browser, at /workbench: a folder of suites whose pages are annotated, with results in its results.db; or a database of
    /// results alone. `unchaff bench suite from` makes a folder of a site.
    #[arg(long, value_name = "FOLDER|FILE")]
    pub(crate) workbench: Option<PathBuf>,
}
