//! The segments of all pages of a site, of which only those of unknown templates are rendered.
//!
//! After Zelený (2017), the multi-page use case and chapter 7. Pages are read and looked up in the store by many threads, and settled in
//! their order, so that the answers do not depend on how many threads there are; one browser renders.

use crate::segmenter::{Found, SegmentError, Segmenter};
use crate::{Batch, JobError, SourcePages, Watch, Workers, learn_site, page_name, site_of, write_file};
use std::collections::BTreeSet;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use unchaff::compare::learned::site_model::MOST_PAGES;
use unchaff::dom::PageId;
use unchaff::{Page, SiteModel};
use unchaff_render::files::Files;
use unchaff_segment::segment_stream::{Look, SegmentStream};
use unchaff_site::carried_over::templates::Templates;
use unchaff_source::OutputNames;

/// What became of the pages.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SegmentSummary {
    /// How many have segments.
    pub pages: usize,
    /// How many have none.
    pub failed: usize,
    /// How many got their segments from others.
    pub transferred: usize,
    /// The names of their templates.
    pub templates: BTreeSet<String>,
    /// Whether all of the source could be read.
    pub is_whole: bool,
    /// Time to read pages, with looking them up, and of the sample.
    pub reading: Duration,
    /// Time to render pages.
    pub layout: Duration,
    /// Time to segment them.
    pub segmentation: Duration,
}

impl fmt::Display for SegmentSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SegmentSummary { pages, failed, transferred, templates, reading, layout, segmentation, .. } = self;
        let share = 100.0 * *transferred as f64 / (*pages).max(1) as f64;
        let failures = if *failed == 0 { String::new() } else { format!(", {failed} failed") };
        let seconds = |time: &Duration| format!("{:.1} s", time.as_secs_f64());
        write!(
            f,
            "{pages} pages{failures}, {} templates, {transferred} pages with segments carried over ({share:.0} %); reading and looking up {}, layout {}, segmentation {}",
            templates.len(),
            seconds(reading),
            seconds(layout),
            seconds(segmentation),
        )
    }
}

/// Segments all pages of a source.
pub struct SegmentedSite<'j, T> {
    /// How.
    pub segmenter: &'j mut Segmenter,
    /// What is kept about templates.
    pub templates: &'j SegmentStream<T>,
    /// The threads.
    pub workers: &'j Workers,
    /// Whoever watches.
    pub watch: &'j dyn Watch,
    /// The folder in which each page gets a file; else all go to the stream.
    pub folder: Option<PathBuf>,
}

impl<T: Templates + Send> SegmentedSite<'_, T> {
    /// Does all pages; each that fails is told.
    ///
    /// # Errors
    /// If the source cannot be opened or the stream takes no more, or if nothing on this machine can render a page.
    pub fn run(
        &mut self,
        source: &SourcePages<'_>,
        stream: &mut dyn Write,
        failed: &mut dyn FnMut(SegmentError),
    ) -> Result<SegmentSummary, SegmentError> {
        self.segmenter.check_unrendered()?;
        let (workers, watch) = (self.workers, self.watch);
        let names = OutputNames::new(self.segmenter.form.extension());
        let mut pages = Pages { job: self, names, learned: None, summary: SegmentSummary::default() };
        let is_whole = source.each(workers.at_a_time(), watch, &mut |batch| pages.batch(batch, stream, failed))?;
        let Pages { job, summary, .. } = pages;
        let (layout, segmentation) = (job.segmenter.layout_time, job.segmenter.segment_time);
        Ok(SegmentSummary { is_whole, layout, segmentation, ..summary })
    }
}

/// A run that is under way.
struct Pages<'r, 'j, T> {
    job: &'r mut SegmentedSite<'j, T>,
    names: OutputNames,
    /// What a sample of the site teaches about content, template and menu, once it is needed, with the name of the site.
    learned: Option<(String, SiteModel)>,
    summary: SegmentSummary,
}

impl<T: Templates + Send> Pages<'_, '_, T> {
    fn batch(
        &mut self,
        batch: &Batch<'_>,
        stream: &mut dyn Write,
        failed: &mut dyn FnMut(SegmentError),
    ) -> Result<(), SegmentError> {
        let start = Instant::now();
        let templates = self.job.templates;
        let look = |id: PageId| -> Result<(Arc<Page>, String, Look), SegmentError> {
            let page = batch.site.load(id)?;
            let site = site_of(&page).unwrap_or_else(|| batch.name.to_owned());
            let look = templates.look(&site, &page).map_err(SegmentError::kept)?;
            Ok((page, site, look))
        };
        let seen: Vec<Result<_, SegmentError>> = self.job.workers.all(batch.pages.to_vec(), look);
        self.summary.reading += start.elapsed();
        for (id, seen) in batch.pages.iter().zip(seen) {
            let done = seen.and_then(|(page, site, look)| {
                let found = self.settle(batch, *id, &page, &site, look)?;
                Ok((page, found))
            });
            match done {
                Ok((page, found)) => self.write(batch, *id, &page, &found, stream)?,
                // Without a browser all the others would fail too.
                Err(error) if error.is_without_renderer() => return Err(error),
                Err(error) => {
                    self.summary.failed += 1;
                    failed(error);
                }
            }
            self.job.watch.advance(1);
        }
        templates.flush().map_err(SegmentError::kept)
    }

    fn settle(&mut self, batch: &Batch<'_>, id: PageId, page: &Page, site: &str, look: Look) -> Result<Found, SegmentError> {
        let Pages { job, learned, summary, .. } = self;
        let workers = job.workers;
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
        let found = job.segmenter.with_store(job.templates, site, page, look, files.as_ref(), &mut known);
        Ok(job.segmenter.cut(page, found.map_err(|error| error.at(batch.site.url(id)))?))
    }

    fn write(
        &mut self,
        batch: &Batch<'_>,
        id: PageId,
        page: &Page,
        found: &Found,
        stream: &mut dyn Write,
    ) -> Result<(), SegmentError> {
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
        let bytes = self.job.segmenter.write(page, found, input)?;
        match &self.job.folder {
            Some(folder) => write_file(&folder.join(self.names.name(&page_name(&url))), &bytes)?,
            None => stream.write_all(&bytes).map_err(JobError::Output)?,
        }
        Ok(())
    }
}
