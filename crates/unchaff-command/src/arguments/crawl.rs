//! What can be asked of `unchaff crawl`, and its help.

use clap::Args;
use std::path::PathBuf;

/// Where to begin, and how far to go.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  unchaff crawl https://example.org -o example.warc.gz
  unchaff crawl https://example.org -o example.warc.gz --limit 5000   goes on where it was
  unchaff crawl https://example.org -o web.warc.gz --follow-sites 20 --site-pages 50   and on to sites it links to
  unchaff crawl https://example.org/sitemap.xml -o example.warc.gz --depth 0   the pages that it names
  unchaff crawl sites.txt -o sites.warc.gz --limit 100000             a list of addresses
  unchaff crawl https://example.org -o example.warc.gz --templates pages.jsonl   text without templates, as pages come
  unchaff crawl http://localhost:8000 -o draft.warc.gz --allow-private --delay 0")]
pub(crate) struct Crawl {
    /// Where to begin: addresses of pages, sitemaps or feeds, or files that name some (a list, a sitemap, a feed).
    #[arg(value_name = "URL|FILE", required = true)]
    pub(crate) starts: Vec<String>,

    /// Where to write: an archive, record-compressed WARC 1.1. If it is there already, the crawl goes on where it was.
    #[arg(short, long, value_name = "FILE.warc.gz")]
    pub(crate) output: PathBuf,

    /// Write here, while the crawl goes on, what of each page is not template: a line of JSON for each.
    ///
    /// By IWPTD (Wang et al. 2008): a page is judged when it comes, by the texts that pages of its site before it have; the first one has no template. Pages of earlier runs come first again. Lines have
    /// url, site, known_pages, template_share and text.
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) templates: Option<PathBuf>,

    /// Take at most so many pages, with those that the archive has.
    #[arg(long, visible_alias = "max-pages", value_name = "N", default_value_t = 1_000)]
    pub(crate) limit: usize,

    /// How many links away from the first page to go; 0 is that page alone. Default: no limit.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,

    /// Seconds between two requests to a host; more if robots.txt asks for it.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    pub(crate) delay: f64,

    /// The longest pause, in seconds, that a host can ask for.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub(crate) max_delay: f64,

    /// How many pages to work on at a time, each of another host; one host always gets one request at a time.
    #[arg(short, long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) jobs: u16,

    /// Follow links to other sites too. A site is a registrable domain, with all its subdomains.
    #[arg(long)]
    pub(crate) other_sites: bool,

    /// When the site is done, go on to so many other sites that it links to, one after the other.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "other_sites")]
    pub(crate) follow_sites: usize,

    /// The most pages of each site. Default: as many as --limit leaves.
    #[arg(long, value_name = "N")]
    pub(crate) site_pages: Option<usize>,

    /// Follow links and pages marked nofollow too.
    #[arg(long)]
    pub(crate) follow_nofollow: bool,

    /// Fetch from private networks and this machine too, and use proxies of the environment.
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// What to tell servers about who asks; give a way to reach you.
    #[arg(long, value_name = "TEXT")]
    pub(crate) user_agent: Option<String>,

    /// After so many failures in a row a host is left alone.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_errors: u32,

    /// Seconds after which a page is given up that is fetched.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: u64,

    /// The most bytes a page may have, unpacked.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_bytes: u64,
}

fn seconds(text: &str) -> Result<f64, &'static str> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.ok_or("give seconds from 0 to 86400")
}
