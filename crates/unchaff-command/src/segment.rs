//! `unchaff segment`: a page in, the parts that a person sees on it out, as JSON, in the page, or drawn over a picture of it
//! (`unchaff_job::Segmenter`).

use crate::arguments::segment::{LayoutFrom, SegmentOptions};
use crate::arguments::settings;
use crate::output::{Stdout, inform, read_file, said};
use crate::progress::Bar;
use anyhow::{Context, Result, bail, ensure};
use std::fs::File;
use std::io::Write;
use std::time::Duration;
use unchaff_job::{
    BoxesFrom, Cut, Destination, JobError, SegmentForm, SegmentedPages, SegmentedSite, Segmenter, SourcePages, Watch, Workers,
};
use unchaff_render::chromium::{Chromium, Options};
use unchaff_segment::layout::Layout;
use unchaff_segment::registry::{self, SegmentEntry};
use unchaff_segment::segment_stream::StreamOptions;
use unchaff_source::{Fetcher, Reading, inputs};
use unchaff_store::TemplateStore;

/// Segments go through a store, if only one in memory.
type SegmentStream = unchaff_segment::segment_stream::SegmentStream<TemplateStore>;

/// Segments all inputs; says whether all went well.
pub(crate) fn run(options: &SegmentOptions) -> Result<bool> {
    let default = if options.ct.is_some() { "bcs" } else { registry::DEFAULT };
    let entry = registry::find(options.technique.as_deref().unwrap_or(default)).context("there is no such technique")?;
    let mut segmenter = segmenter(options, entry)?;
    if options.site || options.store.is_some() {
        segmenter.check_unrendered()?;
    }
    let store = match &options.store {
        Some(path) => Some(crate::store::open(path)?),
        None if options.site => Some(TemplateStore::in_memory()?),
        None => None,
    };
    ensure!(
        store.is_some() || options.carry_over.is_empty(),
        "--carry-over is for pages that come after others; name them with --site, or keep templates with --store FILE"
    );
    let carrying = StreamOptions::with_settings(&settings(None, &options.carry_over)).context("--carry-over")?;
    let stream = store.map(|store| SegmentStream::new(store, segmenter.maker(), carrying));
    let all_well = match &stream {
        Some(stream) if options.site => of_site(options, &mut segmenter, stream)?,
        stream => each_input(options, &mut segmenter, stream.as_ref())?,
    };
    stream.map(SegmentStream::finish).transpose()?;
    Ok(all_well)
}

/// The technique with its settings, and what is wanted of it.
fn segmenter(options: &SegmentOptions, entry: &SegmentEntry) -> Result<Segmenter> {
    let SegmentOptions { level, doc, most, .. } = options;
    let ct = options.ct.map(|ct| ct.to_string());
    let mut given: Vec<(&str, &str)> = ct.iter().map(|ct| ("ct", ct.as_str())).collect();
    given.extend(settings(None, &options.settings));
    let browser = Chromium::new(Options {
        program: None,
        window: options.viewport,
        scripts: options.scripts,
        network: options.network,
        allow_private: options.allow_private,
        time_limit: Duration::from_secs(options.timeout),
    });
    let mut segmenter = Segmenter::new(entry, &given, boxes_from(options, entry)?, browser, options.format)?;
    segmenter.cut = level.map(Cut::Level).or(doc.map(Cut::Coherence)).or(most.map(Cut::Share));
    Ok(segmenter)
}

/// Where boxes come from, by what is asked and what the technique needs.
fn boxes_from(options: &SegmentOptions, entry: &SegmentEntry) -> Result<BoxesFrom> {
    let from = options.layout.unwrap_or(match &options.boxes {
        Some(_) => LayoutFrom::Json,
        None if Segmenter::needs_boxes(entry, options.format) => LayoutFrom::Chromium,
        None => LayoutFrom::None,
    });
    Ok(match (from, &options.boxes) {
        (LayoutFrom::Json, None) => bail!("--layout json needs the boxes: --boxes FILE"),
        (LayoutFrom::Json, Some(boxes)) => {
            BoxesFrom::Given(Layout::from_json(&read_file(boxes)?).with_context(|| boxes.display().to_string())?)
        }
        (LayoutFrom::Chromium | LayoutFrom::Blitz, Some(_)) => bail!("--boxes are for --layout json"),
        (LayoutFrom::Chromium, None) => BoxesFrom::Browser,
        (LayoutFrom::Blitz, None) => {
            ensure!(
                !(options.network || options.scripts),
                "--layout blitz loads nothing from the web and runs no scripts; leave out --network and --scripts, or use --layout chromium"
            );
            // Said before whether there is a Blitz at all.
            ensure!(options.format != SegmentForm::Png, JobError::NoPixels);
            let fonts = std::env::var_os("UNCHAFF_FONTS").map(Into::into);
            BoxesFrom::Renderer(unchaff_render::blitz(options.viewport, fonts, Duration::from_secs(options.timeout))?)
        }
        (LayoutFrom::None, _) => BoxesFrom::Nowhere,
    })
}

/// How pages are read.
fn reading(options: &SegmentOptions) -> Reading {
    Reading { timeout: Duration::from_secs(options.timeout), ..Reading::default() }
}

fn each_input(options: &SegmentOptions, segmenter: &mut Segmenter, stream: Option<&SegmentStream>) -> Result<bool> {
    let inputs: Vec<_> = inputs(&options.inputs).collect();
    let is_many = inputs.len() > 1;
    ensure!(!(is_many && options.boxes.is_some()), "--boxes are the boxes of one page, but there are many inputs");
    ensure!(!(is_many && options.url.is_some()), "--url is the address of one page, but there are many inputs");
    ensure!(
        !is_many || options.output.is_some() || options.format == SegmentForm::Json,
        "many inputs on standard output are JSON lines (--format json); for the rest, name a folder to write to (-o DIR)"
    );
    let mut job = SegmentedPages {
        segmenter,
        templates: stream,
        url: options.url.clone(),
        root: options.root.clone(),
        reading: reading(options),
        fetcher: Fetcher::new(reading(options).fetch_options(options.allow_private)),
        destination: Destination::of(options.output.as_deref(), is_many)?,
        unaddressed: "the page has no address (--url), so the store cannot tell its site",
    };
    let bar = Bar::hidden();
    let failed = job.run(inputs, &bar, &mut Stdout, &mut |error| {
        ensure!(is_many, error);
        inform(&said(&error.into()));
        Ok(())
    })?;
    bar.finish_with();
    Ok(failed == 0)
}

fn of_site(options: &SegmentOptions, segmenter: &mut Segmenter, stream: &SegmentStream) -> Result<bool> {
    let source = SourcePages {
        sources: &options.inputs,
        base_urls: &options.base_url,
        limit: options.limit.map(|limit| limit as usize),
        allow_private: options.allow_private,
        reading: reading(options),
    };
    let (folder, mut out): (_, Box<dyn Write>) = match (&options.output, options.format) {
        (None, SegmentForm::Annotated) => bail!("annotated pages need a folder to be written to (-o DIR)"),
        (Some(folder), SegmentForm::Annotated) if folder.is_file() => {
            bail!("{} is a file; -o names a folder for the pages", folder.display())
        }
        (folder, SegmentForm::Annotated) => (folder.clone(), Box::new(Stdout)),
        (None, _) => (None, Box::new(Stdout)),
        (Some(path), _) => (None, Box::new(File::create(path).with_context(|| format!("cannot write {}", path.display()))?)),
    };
    let (bar, workers) = (Bar::new(), Workers::new(options.jobs.map(usize::from))?);
    let mut job = SegmentedSite { segmenter, templates: stream, workers: &workers, watch: &bar, folder };
    let done = job.run(&source, &mut *out, &mut |error| bar.warn(&said(&error.into())));
    bar.finish();
    let summary = done?;
    ensure!(summary.pages + summary.failed > 0, "the source has no page");
    inform(&summary.to_string());
    Ok(summary.failed == 0 && summary.is_whole)
}
