//! `unchaff segment SOURCE --site`: all pages of a site, of which only those of unknown templates are rendered.
//!
//! After Zelený (2017), the multi-page use case and chapter 7. Pages are read and looked up in the store by many threads, and settled in
//! their order, so that the answers do not depend on how many threads there are; one browser renders.

use super::{Found, SegmentFormat, SegmentOptions, Segmenter, document};
use crate::extract::page_bar;
use crate::output::{print, write_file};
use crate::site::{named, sample};
use crate::source_pages::{Batch, SourcePages};
use crate::with_store::site_of;
use anyhow::{Context, Result, ensure};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};
use unchaff::Page;
use unchaff::compare::LearnedSite;
use unchaff::dom::PageId;
use unchaff_segment::files::Files;
use unchaff_source::OutputNames;
use unchaff_store::{Look, SegmentStream};

/// From how many pages of a site its content, template and menu are learned, by which segments are named.
const SAMPLE: usize = 200;

/// What happened so far.
#[derive(Default)]
struct Summary {
    pages: usize,
    failed: usize,
    transferred: usize,
    templates: BTreeSet<String>,
    /// Of pages, with looking them up, and of the sample.
    reading: Duration,
}

/// Segments all pages of the source; says whether all went well.
pub(crate) fn run(segmenter: &mut Segmenter<'_>, stream: &SegmentStream) -> Result<bool> {
    let options = segmenter.options;
    let [source] = &options.inputs[..] else {
        anyhow::bail!(
            "--site takes one source: a mirrored folder, a list of files with their addresses, a WARC, or a web address"
        )
    };
    let jobs = usize::from(options.jobs.unwrap_or(0));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().context("cannot start threads; try a smaller --jobs")?;
    let source = SourcePages { source, base_urls: &options.base_url, limit: options.limit, allow_private: options.allow_private };
    let bar = page_bar();
    let mut pages = Pages {
        segmenter,
        stream,
        out: Out::open(options)?,
        names: OutputNames::new(options.format.extension()),
        learned: None,
        summary: Summary::default(),
    };
    let whole = pool.install(|| source.each(&bar, &mut |batch| pages.batch(batch, &bar)));
    bar.finish_and_clear();
    whole?;
    ensure!(pages.summary.pages + pages.summary.failed > 0, "{} has no page", source.source.display());
    let _ = writeln!(std::io::stderr(), "unchaff: {}", pages.told());
    Ok(pages.summary.failed == 0)
}

/// Where results go.
enum Out {
    Lines(Option<File>),
    Folder,
}

impl Out {
    fn open(options: &SegmentOptions) -> Result<Out> {
        match (&options.output, options.format) {
            (Some(folder), SegmentFormat::Annotated) => {
                ensure!(!folder.is_file(), "{} is a file; -o names a folder for the pages", folder.display());
                Ok(Out::Folder)
            }
            (None, SegmentFormat::Annotated) => anyhow::bail!("annotated pages need a folder to be written to (-o DIR)"),
            (Some(path), _) => {
                let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
                Ok(Out::Lines(Some(file)))
            }
            (None, _) => Ok(Out::Lines(None)),
        }
    }
}

struct Pages<'r, 'o> {
    segmenter: &'r mut Segmenter<'o>,
    stream: &'r SegmentStream,
    out: Out,
    names: OutputNames,
    /// What a sample of the site teaches about content, template and menu, once it is needed, with the name of the site.
    learned: Option<(String, LearnedSite)>,
    summary: Summary,
}

impl Pages<'_, '_> {
    fn batch(&mut self, batch: &Batch<'_>, bar: &ProgressBar) -> Result<()> {
        let start = Instant::now();
        let stream = self.stream;
        let look = |id: &PageId| -> Result<(Arc<Page>, String, Look)> {
            let page = batch.site.load(*id)?;
            let site = site_of(&page).unwrap_or_else(|| batch.name.to_owned());
            let look = stream.look(&site, &page)?;
            Ok((page, site, look))
        };
        let seen: Vec<Result<_>> = batch.pages.par_iter().map(look).collect();
        self.summary.reading += start.elapsed();
        for (id, seen) in batch.pages.iter().zip(seen) {
            let done = seen.and_then(|(page, site, look)| {
                let found = self.settle(batch, *id, &page, &site, look)?;
                Ok((page, found))
            });
            match done {
                Ok((page, found)) => self.write(batch, *id, &page, &found)?,
                // Without a browser all the others would fail too.
                Err(error) if self.segmenter.has_no_browser => return Err(error),
                Err(error) => {
                    self.summary.failed += 1;
                    bar.suspend(|| drop(writeln!(std::io::stderr(), "unchaff: {error:#}")));
                }
            }
            bar.inc(1);
        }
        Ok(stream.flush()?)
    }

    fn settle(&mut self, batch: &Batch<'_>, id: PageId, page: &Page, site: &str, look: Look) -> Result<Found> {
        let Pages { segmenter, stream, learned, summary, .. } = self;
        let mut known = |page: &Page| {
            let start = Instant::now();
            if learned.as_ref().is_none_or(|(name, _)| name != batch.name) && !batch.is_live() {
                let sample = sample(&batch.site.known(), SAMPLE);
                *learned = Some((batch.name.to_owned(), LearnedSite::learn(batch.site, &sample)));
            }
            let (group, detection) = learned.as_ref()?.1.detect(page);
            summary.reading += start.elapsed();
            // Of a page like no other nothing is known but what it shows itself.
            group.map(|_| detection)
        };
        let files = batch.any.and_then(|any| any.file(id));
        let files = files.map(|(root, page)| Files { root: root.to_owned(), page: page.to_owned() });
        let found = segmenter.with_store(stream, site, page, look, files.as_ref(), &mut known);
        found.with_context(|| batch.site.url(id).to_string())
    }

    fn write(&mut self, batch: &Batch<'_>, id: PageId, page: &Page, found: &Found) -> Result<()> {
        self.summary.pages += 1;
        if let Some(stored) = &found.stored {
            self.summary.transferred += usize::from(stored.is_transferred);
            self.summary.templates.extend(stored.template.clone());
        }
        let url = batch.site.url(id);
        let input = match batch.any.and_then(|any| any.file(id)) {
            Some((_, file)) => file.display().to_string(),
            None => url.to_string(),
        };
        match (&mut self.out, &self.segmenter.options.output) {
            (Out::Folder, Some(folder)) => {
                let text = document::annotated(page, &found.segmentation);
                write_file(&folder.join(self.names.name(&named(&url))), text.as_bytes())
            }
            (Out::Lines(Some(file)), _) => {
                let line = document::json(&input, self.segmenter.technique.name(), page, found)?;
                file.write_all(line.as_bytes()).context("cannot write the lines")
            }
            _ => print(document::json(&input, self.segmenter.technique.name(), page, found)?.as_bytes()),
        }
    }

    fn told(&self) -> String {
        let Summary { pages, failed, transferred, templates, reading } = &self.summary;
        let share = 100.0 * *transferred as f64 / (*pages).max(1) as f64;
        let failures = if *failed == 0 { String::new() } else { format!(", {failed} failed") };
        let seconds = |time: &Duration| format!("{:.1} s", time.as_secs_f64());
        format!(
            "{pages} pages{failures}, {} templates, {transferred} pages with segments carried over ({share:.0} %); reading and looking up {}, layout {}, segmentation {}",
            templates.len(),
            seconds(reading),
            seconds(&self.segmenter.layout_time),
            seconds(&self.segmenter.segment_time),
        )
    }
}
