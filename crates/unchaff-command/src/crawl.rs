//! `unchaff crawl`: a site of the web into a web archive, politely.

use crate::arguments::crawl::Crawl;
use crate::output::{inform, is_quiet, tell};
use crate::progress::Bar;
use anyhow::{Context, Result, ensure};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use unchaff::Page;
use unchaff_job::CrawledLines;
use unchaff_source::{CrawlOptions, CrawlReport, PageTaker, PoliteOptions};

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
    let (bar, start) = (Bar::new(), Instant::now());
    let mut lines = options.templates.as_ref().map(|path| CrawledLines::create(path)).transpose()?;
    let mut progress = |report: &CrawlReport| bar.say(&report.to_string());
    let report = {
        let mut take = lines.as_mut().map(|lines| |page: &Page| lines.add(page));
        let take = take.as_mut().map(|take| take as PageTaker<'_>);
        unchaff_source::crawl_reading(&starts, &options.output, &options.crawl_options(), &stop, &mut progress, take)
    };
    bar.finish();
    let report = report?;
    lines.map_or(Ok(()), CrawledLines::finish).context("the archive is whole")?;
    tell_of(options, &report, start.elapsed().as_secs_f64());
    ensure!(
        report.stopped || report.pages + report.archived > 0,
        "no page of {} could be fetched, so there is no archive",
        options.starts.join(", ")
    );
    Ok(report.failed == 0 && !report.stopped)
}

/// Tells what became of it, in so many seconds.
fn tell_of(options: &Crawl, report: &CrawlReport, taken: f64) {
    report.messages.iter().for_each(|message| inform(message));
    if report.private > 0 {
        inform("--allow-private fetches from private networks and this machine too");
    }
    if report.pages + report.archived > 0 && !is_quiet() {
        let rate = report.pages as f64 / taken.max(0.001);
        tell(&format!("{report} in {}; {taken:.0} s, {rate:.1} a second", options.output.display()));
    }
    if report.stopped || report.left > 0 {
        tell(&format!("{} addresses are left; the same command goes on with them, up to --limit", report.left));
    }
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
