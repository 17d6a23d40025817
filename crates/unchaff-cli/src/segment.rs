//! `unchaff segment`: a page in, the parts that a person sees on it out, as JSON, in the page, or drawn over a picture of it
//! (`unchaff_job::Segmenter`).

use crate::arguments::{Setting, setting, settings};
use crate::blitz;
use crate::extract::base_urls;
use crate::output::{Sink, said, tell};
use crate::progress::Bar;
use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use unchaff_job::{
    BoxesFrom, Cut, Destination, SegmentForm, SegmentedPages, SegmentedSite, Segmenter, SourcePages, Watch, Workers,
};
use unchaff_render::chromium::{Chromium, Options};
use unchaff_segment::layout::Layout;
use unchaff_segment::registry::{self, SegmentEntry};
use unchaff_segment::renderer::Window;
use unchaff_segment::segment_stream::StreamOptions;
use unchaff_source::{Fetcher, Reading, inputs};
use unchaff_store::TemplateStore;

/// Segments go through a store, if only one in memory.
type SegmentStream = unchaff_segment::segment_stream::SegmentStream<TemplateStore>;

const EXAMPLES: &str = "\
Examples:
  unchaff segment page.html                          the segments as JSON
  unchaff segment mirror/news/a.html --root mirror/ -f png -o a.png
                                                     drawn over a picture of the page
  unchaff segment page.html --level 1                the few areas of the page; --level 2: their parts
  unchaff segment page.html --technique vips --set pdoc=8
  unchaff segment page.html --ct 0.5 -f svg > segments.svg
  unchaff segment page.html -f boxes > boxes.json    what the browser made of the page
  unchaff segment page.html --boxes boxes.json       the same again, without a browser
  unchaff segment page.html --layout blitz           laid out without a browser, if built with Blitz
  unchaff segment page.html --technique dom-blocks   from the tree alone, without a browser
  unchaff segment mirror/ --whole-site --store templates.db > segments.jsonl
                                                     all pages of a site; few have to be rendered
  unchaff segment https://example.org/ --whole-site --limit 100";

/// Where boxes come from.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayoutFrom {
    /// Chromium or Chrome on this machine.
    Chromium,
    /// Blitz, an engine within the program: less exact, if the program was built with it. Fonts: its own, after those of the folder UNCHAFF_FONTS.
    Blitz,
    /// A file (--boxes).
    Json,
    /// Nowhere; for techniques that need none.
    None,
}

/// A form by its name.
fn form() -> impl TypedValueParser<Value = SegmentForm> {
    let names = PossibleValuesParser::new(SegmentForm::ALL.map(SegmentForm::as_str));
    names.map(|name| SegmentForm::named(&name).unwrap_or(SegmentForm::Json))
}

/// Pages, and how to segment them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SegmentOptions {
    /// Files, folders (read recursively), web addresses, or - for standard input; with --whole-site, one source.
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<OsString>,

    /// The input is a site: a mirrored folder, a list of files with their addresses, a WARC, or a web address, whose links are followed.
    ///
    /// Pages of one template get their segments from one of them: it is segmented, and its segments are carried over to the others by
    /// their nodes, if that can be verified. These are not rendered and have no boxes. There is a line of JSON for each page, in
    /// order, in which transferred tells which they are; a summary goes to standard error.
    #[arg(long = "whole-site", alias = "site", conflicts_with_all = ["url", "boxes"])]
    site: bool,

    /// A file in which what is learned about sites is kept, made if it is not there: pages of a known template get their segments from it.
    ///
    /// What was found with another technique, other settings or another window is not used. Pages need an address, which tells their site.
    /// Several processes can share it; `unchaff store` shows what is in it.
    #[arg(long, value_name = "FILE", conflicts_with = "boxes")]
    store: Option<PathBuf>,

    /// Set how segments are carried over to pages of a known template; can be repeated.
    ///
    /// way=sibling-runs|published (Zelený 2017, 7.5), subtree_similarity, min_verified (how much of a page must be verified), min_steady (how far lengths may differ), similarity (of pages of one
    /// template), trials and agreement (on how many pages, and how far, it must agree with the analysis first; trials=0 as published), most_tries. Settings of the way come with it, others after it.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    carry_over: Vec<Setting>,

    /// Take at most so many pages, spread evenly over the source. Default: all; 50 of a site on the web.
    #[arg(long, value_name = "N", requires = "site", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// The address that a mirrored folder stands for; can be repeated if it has several.
    #[arg(long, value_name = "URL", requires = "site")]
    base_url: Vec<String>,

    /// Fetch from private networks and this machine too: pages of a site on the web, what a page loads with --network, and where an
    /// address of the web leads.
    #[arg(long)]
    allow_private: bool,

    /// How many pages to work on at a time, of a site. Default: one per core.
    #[arg(short, long, value_name = "N", requires = "site", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// The technique. Default: segments-auto; bcs if --ct is given.
    #[arg(short, long, value_name = "NAME",
        value_parser = clap::builder::PossibleValuesParser::new(registry::all().iter().map(|entry| entry.name)))]
    technique: Option<String>,

    /// The clustering threshold of bcs, from 0 (only what touches) to 1; the same as --set ct=….
    #[arg(long, value_name = "NUMBER")]
    ct: Option<f64>,

    /// Only segments of this level of the tree: 1 for the areas of the page, 2 for their parts, and so on.
    ///
    /// The list is then flat and leaves nothing out: areas without parts stay as they are, and what of an area is in none of its parts stays together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["doc", "most"])]
    level: Option<u32>,

    /// Divide segments, from the top, until each has at least this degree of coherence (1 to 10), if the technique has degrees: segments-auto, vips, bcs.
    #[arg(long, value_name = "DEGREE", conflicts_with_all = ["most", "site", "store"])]
    doc: Option<f64>,

    /// Divide segments, from the top, until none covers more than this share of the page (0 to 1).
    #[arg(long, value_name = "SHARE", conflicts_with_all = ["site", "store"])]
    most: Option<f64>,

    /// Set a parameter of the technique; can be repeated.
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = setting)]
    settings: Vec<Setting>,

    /// Where boxes come from. Default: chromium, if the technique or the format needs boxes; json with --boxes.
    #[arg(long, value_enum)]
    layout: Option<LayoutFrom>,

    /// The boxes of the page, as `--format boxes` writes them; for one input.
    #[arg(long, value_name = "FILE")]
    boxes: Option<PathBuf>,

    /// What to write: json, the segments; annotated, the page with the number and kind of its segment on every element; svg or png, a picture with the segments; or boxes.
    #[arg(short, long, value_name = "FORMAT", value_parser = form(), default_value = "json", hide_possible_values = true)]
    format: SegmentForm,

    /// The folder above all files of the page, for style sheets and images. Default: the folder of the page.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,

    /// Let the page load style sheets, fonts and images from the web; with --scripts also scripts and what they ask for.
    ///
    /// They are fetched from public addresses, unless --allow-private is given.
    #[arg(long)]
    network: bool,

    /// Let scripts of the page run. They can read the files below --root, and with --network tell others about them.
    #[arg(long)]
    scripts: bool,

    /// Width and height of the window.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t)]
    pub(crate) viewport: Window,

    /// Seconds after which a page is given up that is fetched, or rendered.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,

    /// The address of the page, against which its links are resolved. For one input.
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Where to write: a file; for many inputs a folder, in which each gets a file of its own.
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
}

/// Segments all inputs; says whether all went well.
pub(crate) fn run(options: &SegmentOptions) -> Result<bool> {
    let default = if options.ct.is_some() { "bcs" } else { registry::DEFAULT };
    let entry = registry::find(options.technique.as_deref().unwrap_or(default)).context("there is no such technique")?;
    let mut segmenter = segmenter(options, entry)?;
    ensure!(
        !(options.site || options.store.is_some()) || matches!(options.format, SegmentForm::Json | SegmentForm::Annotated),
        "boxes and pictures are of rendered pages, but with --whole-site and --store pages of a known template are not rendered; leave these out, or ask for --format json or annotated"
    );
    let store = match &options.store {
        Some(path) => Some(crate::store::open(path)?),
        None if options.site => Some(TemplateStore::in_memory()?),
        None => None,
    };
    ensure!(
        store.is_some() || options.carry_over.is_empty(),
        "--carry-over is for pages that come after others; name them with --site, or keep templates with --store FILE"
    );
    let carrying = carrying(&options.carry_over)?;
    let stream = store.map(|store| SegmentStream::new(store, segmenter.maker(), carrying));
    let all_well = match &stream {
        Some(stream) if options.site => of_site(options, &mut segmenter, stream)?,
        stream => each_input(options, &mut segmenter, stream.as_ref())?,
    };
    stream.map(SegmentStream::finish).transpose()?;
    Ok(all_well)
}

/// How segments are carried over.
pub(crate) fn carrying(given: &[Setting]) -> Result<StreamOptions> {
    StreamOptions::with_settings(&settings(None, given)).context("--carry-over")
}

/// The technique with its settings, and what is wanted of it.
fn segmenter(options: &SegmentOptions, entry: &SegmentEntry) -> Result<Segmenter> {
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
    let SegmentOptions { level, doc, most, .. } = options;
    segmenter.cut = level.map(Cut::Level).or(doc.map(Cut::Coherence)).or(most.map(Cut::Share));
    Ok(segmenter)
}

/// Where boxes come from, by what is asked and what the technique needs.
fn boxes_from(options: &SegmentOptions, entry: &SegmentEntry) -> Result<BoxesFrom> {
    let needs_boxes = entry.kind.needs_layout() || options.format.needs_boxes();
    let from = options.layout.unwrap_or(match &options.boxes {
        Some(_) => LayoutFrom::Json,
        None if needs_boxes => LayoutFrom::Chromium,
        None => LayoutFrom::None,
    });
    Ok(match (from, &options.boxes) {
        (LayoutFrom::Json, None) => bail!("--layout json needs the boxes: --boxes FILE"),
        (LayoutFrom::Json, Some(boxes)) => {
            let json = std::fs::read(boxes).with_context(|| format!("cannot read {}", boxes.display()))?;
            BoxesFrom::Given(Layout::from_json(&json).with_context(|| boxes.display().to_string())?)
        }
        (LayoutFrom::Chromium | LayoutFrom::Blitz, Some(_)) => bail!("--boxes are for --layout json"),
        (LayoutFrom::Chromium, None) => BoxesFrom::Browser,
        (LayoutFrom::Blitz, None) => {
            ensure!(!options.network, "--layout blitz loads nothing from the web; leave out --network, or use --layout chromium");
            ensure!(!options.scripts, "--layout blitz runs no scripts; leave out --scripts, or use --layout chromium");
            ensure!(
                options.format != SegmentForm::Png,
                "a picture in pixels is drawn by Chromium; with --layout blitz use --format svg, or use --layout chromium"
            );
            BoxesFrom::Renderer(blitz::renderer(options)?)
        }
        (LayoutFrom::None, _) => {
            ensure!(
                !needs_boxes,
                "{} and {:?} need the boxes of the page; leave out --layout none, or use a technique that needs none (block-fusion, dom-blocks) with --format json",
                entry.name,
                options.format
            );
            BoxesFrom::Nowhere
        }
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
        destination: match &options.output {
            None => Destination::Stream,
            Some(folder) if is_many || folder.is_dir() => Destination::Folder(folder.clone()),
            Some(file) => Destination::File(file.clone()),
        },
        unaddressed: "the page has no address (--url), so the store cannot tell its site",
    };
    let bar = Bar::hidden();
    let failed = job.run(inputs, &bar, &mut Sink::Printed, &mut |error| {
        ensure!(is_many, error);
        tell(&format!("unchaff: {}", said(&error.into())));
        Ok(())
    })?;
    bar.finish_with();
    Ok(failed == 0)
}

fn of_site(options: &SegmentOptions, segmenter: &mut Segmenter, stream: &SegmentStream) -> Result<bool> {
    let workers = Workers::new(options.jobs.map(usize::from))?;
    let source = SourcePages {
        sources: &options.inputs,
        base_urls: &base_urls(&options.base_url)?,
        limit: options.limit.map(|limit| limit as usize),
        allow_private: options.allow_private,
        reading: reading(options),
    };
    let mut out: Box<dyn Write> = Box::new(Sink::Printed);
    let folder = match (&options.output, options.format) {
        (Some(folder), SegmentForm::Annotated) => {
            ensure!(!folder.is_file(), "{} is a file; -o names a folder for the pages", folder.display());
            Some(folder.clone())
        }
        (None, SegmentForm::Annotated) => bail!("annotated pages need a folder to be written to (-o DIR)"),
        (Some(path), _) => {
            out = Box::new(File::create(path).with_context(|| format!("cannot write {}", path.display()))?);
            None
        }
        (None, _) => None,
    };
    let bar = Bar::new();
    let mut job = SegmentedSite { segmenter, templates: stream, workers: &workers, watch: &bar, folder };
    let done = job.run(&source, &mut *out, &mut |error| bar.warn(&said(&error.into())));
    bar.finish();
    let summary = done?;
    ensure!(summary.pages + summary.failed > 0, "the source has no page");
    let _ = writeln!(std::io::stderr(), "unchaff: {summary}");
    Ok(summary.failed == 0 && summary.is_whole)
}
