//! `unchaff segment SOURCE --whole-site`: all pages of a site, of which only those of unknown templates are rendered.
//!
//! After Zelený (2017), the multi-page use case and chapter 7. Pages are read and looked up in the store by many threads, and settled in
//! their order, so that the answers do not depend on how many threads there are; one browser renders.

use super::{Found, SegmentFormat, SegmentOptions, SegmentStream, Segmenter, reading};
use crate::extract::base_urls;
use crate::output::{print, said};
use crate::progress::Bar;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};
use unchaff::compare::learned::site_model::MOST_PAGES;
use unchaff::dom::PageId;
use unchaff::{Page, SiteModel};
use unchaff_job::{Batch, SourcePages, Watch, Workers, learn_site, page_name, site_of, write_file};
use unchaff_render::files::Files;
use unchaff_segment::document::annotated;
use unchaff_segment::renderer::RenderError;
use unchaff_segment::segment_stream::Look;
use unchaff_source::OutputNames;

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
    anyhow::ensure!(
        !options.inputs.is_empty(),
        "--whole-site takes a source: a mirrored folder, a list of files with their addresses, web archives, or a web address"
    );
    let workers = Workers::new(options.jobs.map(usize::from))?;
    let source = SourcePages {
        sources: &options.inputs,
        base_urls: &base_urls(&options.base_url)?,
        limit: options.limit.map(|limit| limit as usize),
        allow_private: options.allow_private,
        reading: reading(options),
    };
    let bar = Bar::new();
    let mut pages = Pages {
        segmenter,
        stream,
        workers: &workers,
        out: Out::open(options)?,
        names: OutputNames::new(options.format.extension()),
        learned: None,
        summary: Summary::default(),
    };
    let done = source.each(workers.at_a_time(), &bar, &mut |batch| pages.batch(batch, &bar));
    bar.finish();
    let is_whole = done?;
    ensure!(pages.summary.pages + pages.summary.failed > 0, "the source has no page");
    let _ = writeln!(std::io::stderr(), "unchaff: {}", pages.told());
    Ok(pages.summary.failed == 0 && is_whole)
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
    workers: &'r Workers,
    out: Out,
    names: OutputNames,
    /// What a sample of the site teaches about content, template and menu, once it is needed, with the name of the site.
    learned: Option<(String, SiteModel)>,
    summary: Summary,
}

impl Pages<'_, '_> {
    fn batch(&mut self, batch: &Batch<'_>, bar: &Bar) -> Result<()> {
        let start = Instant::now();
        let stream = self.stream;
        let look = |id: PageId| -> Result<(Arc<Page>, String, Look)> {
            let page = batch.site.load(id)?;
            let site = site_of(&page).unwrap_or_else(|| batch.name.to_owned());
            let look = stream.look(&site, &page)?;
            Ok((page, site, look))
        };
        let seen: Vec<Result<_>> = self.workers.all(batch.pages.to_vec(), look);
        self.summary.reading += start.elapsed();
        for (id, seen) in batch.pages.iter().zip(seen) {
            let done = seen.and_then(|(page, site, look)| {
                let found = self.settle(batch, *id, &page, &site, look)?;
                Ok((page, found))
            });
            match done {
                Ok((page, found)) => self.write(batch, *id, &page, &found)?,
                // Without a browser all the others would fail too.
                Err(error) if is_without_renderer(&error) => return Err(error),
                Err(error) => {
                    self.summary.failed += 1;
                    bar.warn(&said(&error));
                }
            }
            bar.advance(1);
        }
        Ok(stream.flush()?)
    }

    fn settle(&mut self, batch: &Batch<'_>, id: PageId, page: &Page, site: &str, look: Look) -> Result<Found> {
        let Pages { segmenter, stream, workers, learned, summary, .. } = self;
        let mut known = |page: &Page| {
            let start = Instant::now();
            if learned.as_ref().is_none_or(|(name, _)| name != batch.name) && !batch.is_live() {
                *learned = Some((batch.name.to_owned(), workers.install(|| learn_site(batch.site, MOST_PAGES)).0));
            }
            // Of a page alone nothing is known but what it shows itself.
            let detection = learned.as_ref().filter(|(_, model)| model.pages() > 1).map(|(_, model)| model.detect(page));
            summary.reading += start.elapsed();
            detection
        };
        let files = batch.any.and_then(|any| any.file(id));
        let files = files.map(|(root, page)| Files { root: root.to_owned(), page: page.to_owned() });
        let found = segmenter.with_store(stream, site, page, look, files.as_ref(), &mut known);
        Ok(segmenter.cut(page, found.with_context(|| batch.site.url(id).to_string())?))
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
                let text = annotated(page, &found.segmentation);
                Ok(write_file(&folder.join(self.names.name(&page_name(&url))), text.as_bytes())?)
            }
            (Out::Lines(Some(file)), _) => {
                let line = found.json(input, &*self.segmenter.technique, page)?;
                file.write_all(line.as_bytes()).context("cannot write the lines")
            }
            _ => print(found.json(input, &*self.segmenter.technique, page)?.as_bytes()),
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

/// Whether there is nothing that could render any page.
fn is_without_renderer(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| matches!(cause.downcast_ref(), Some(RenderError::Missing { .. })))
}
