//! `unchaff crawl`: a site of the web into a web archive, politely.

use crate::output::{is_quiet, tell};
use anyhow::{Context, Result};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use unchaff::Page;
use unchaff_job::CrawledLines;
use unchaff_source::{CrawlOptions, CrawlReport, PageTaker, PoliteOptions};

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
    starts: Vec<String>,

    /// Where to write: an archive, record-compressed WARC 1.1. If it is there already, the crawl goes on where it was.
    #[arg(short, long, value_name = "FILE.warc.gz")]
    output: PathBuf,

    /// Write here, while the crawl goes on, what of each page is not template: a line of JSON for each.
    ///
    /// By IWPTD (Wang et al. 2008): a page is judged when it comes, by the texts that pages of its site before it have; the first one has no template. Pages of earlier runs come first again. Lines have
    /// url, site, known_pages, template_share and text.
    #[arg(long, value_name = "FILE.jsonl")]
    templates: Option<PathBuf>,

    /// Take at most so many pages, with those that the archive has.
    #[arg(long, visible_alias = "max-pages", value_name = "N", default_value_t = 1_000)]
    limit: usize,

    /// How many links away from the first page to go; 0 is that page alone. Default: no limit.
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Seconds between two requests to a host; more if robots.txt asks for it.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    delay: f64,

    /// The longest pause, in seconds, that a host can ask for.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    max_delay: f64,

    /// How many pages to work on at a time, each of another host; one host always gets one request at a time.
    #[arg(short, long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,

    /// Follow links to other sites too. A site is a registrable domain, with all its subdomains.
    #[arg(long)]
    other_sites: bool,

    /// When the site is done, go on to so many other sites that it links to, one after the other.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "other_sites")]
    follow_sites: usize,

    /// The most pages of each site. Default: as many as --limit leaves.
    #[arg(long, value_name = "N")]
    site_pages: Option<usize>,

    /// Follow links and pages marked nofollow too.
    #[arg(long)]
    follow_nofollow: bool,

    /// Fetch from private networks and this machine too, and use proxies of the environment.
    #[arg(long)]
    allow_private: bool,

    /// What to tell servers about who asks; give a way to reach you.
    #[arg(long, value_name = "TEXT")]
    user_agent: Option<String>,

    /// After so many failures in a row a host is left alone.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    max_errors: u32,

    /// Seconds after which a page is given up that is fetched.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,

    /// The most bytes a page may have, unpacked.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    max_bytes: u64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "give seconds from 0 to 86400".to_owned())
}

/// Crawls; whether there is a page in the archive now and nothing failed.
pub(crate) fn run(options: &Crawl) -> Result<bool> {
    let starts = unchaff_source::starts(&options.starts)?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopping = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        // Whoever asks twice does not want to wait for the request under way.
        if stopping.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot take care of Ctrl-C")?;
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {msg} ({elapsed})")?);
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut lines = options.templates.as_ref().map(|path| CrawledLines::create(path)).transpose()?;
    let mut progress = |report: &CrawlReport| bar.set_message(report.to_string());
    let report = {
        let mut take = lines.as_mut().map(|lines| |page: &Page| lines.add(page));
        let take = take.as_mut().map(|take| take as PageTaker<'_>);
        unchaff_source::crawl_reading(&starts, &options.output, &options.crawl_options(), &stop, &mut progress, take)
    };
    let taken = bar.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let report = report?;
    lines.map_or(Ok(()), CrawledLines::finish).context("the archive is whole")?;
    for message in &report.messages {
        tell(&format!("unchaff: {message}"));
    }
    if report.private > 0 {
        tell("unchaff: --allow-private fetches from private networks and this machine too");
    }
    if report.pages + report.archived > 0 && !is_quiet() {
        let rate = report.pages as f64 / taken.max(0.001);
        tell(&format!("{report} in {}; {taken:.0} s, {rate:.1} a second", options.output.display()));
    }
    if report.stopped || report.left > 0 {
        tell(&format!("{} addresses are left; the same command goes on with them, up to --limit", report.left));
    }
    anyhow::ensure!(
        report.stopped || report.pages + report.archived > 0,
        "no page of {} could be fetched, so there is no archive",
        options.starts.join(", ")
    );
    Ok(report.failed == 0 && !report.stopped)
}

impl Crawl {
    fn crawl_options(&self) -> CrawlOptions {
        let defaults = PoliteOptions::default();
        CrawlOptions {
            polite: PoliteOptions {
                delay: Duration::from_secs_f64(self.delay),
                max_delay: Duration::from_secs_f64(self.max_delay),
                timeout: Duration::from_secs(self.timeout),
                max_bytes: self.max_bytes,
                max_errors: self.max_errors,
                user_agent: self.user_agent.clone().unwrap_or(defaults.user_agent),
                allow_private: self.allow_private,
            },
            max_pages: self.limit,
            depth: self.depth,
            concurrency: usize::from(self.jobs),
            other_sites: self.other_sites,
            follow_sites: self.follow_sites,
            site_pages: self.site_pages,
            follow_nofollow: self.follow_nofollow,
            ..CrawlOptions::default()
        }
    }
}
