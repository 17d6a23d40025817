//! `unchaff segment`: a page in, the parts that a person sees on it out, as JSON, in the page, or drawn over a picture of it.
//!
//! Pages are rendered one after the other, by one browser or by Blitz; with a store of templates (`--store`, `--whole-site`) only those of which the
//! template is not known.

mod of_site;

use crate::blitz;
use crate::output::{print, said, tell};
use crate::progress::Bar;
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use unchaff::{Detection, Document, Page};
use unchaff_job::{Watch, site_of, write_file};
use unchaff_render::chromium::{Chromium, Options};
use unchaff_render::files::Files;
use unchaff_segment::document::{SegmentDocument, annotated};
use unchaff_segment::layout::Layout;
use unchaff_segment::registry::{self, SegmentEntry};
use unchaff_segment::renderer::{PageToRender, Renderer, Rendering, Window};
use unchaff_segment::segment_stream::{Look, Segmented, StreamOptions};
use unchaff_segment::segmentation::{SegmentTechnique, Segmentation};
use unchaff_segment::{labels, picture};
use unchaff_source::{Fetcher, Input, Named, OutputNames, Reading, inputs, read};
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

impl LayoutFrom {
    /// Whether pages are rendered, from their source and files.
    fn renders(self) -> bool {
        matches!(self, LayoutFrom::Chromium | LayoutFrom::Blitz)
    }
}

/// What is written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SegmentFormat {
    /// The segments: box, nodes, text, kind.
    Json,
    /// The page with the number and kind of its segment on every element.
    Annotated,
    /// A picture of the page with the segments drawn over it.
    Svg,
    /// The same, as pixels.
    Png,
    /// The boxes of the page.
    Boxes,
}

impl SegmentFormat {
    fn extension(self) -> &'static str {
        match self {
            SegmentFormat::Json | SegmentFormat::Boxes => "json",
            SegmentFormat::Annotated => "html",
            SegmentFormat::Svg => "svg",
            SegmentFormat::Png => "png",
        }
    }

    fn is_picture(self) -> bool {
        matches!(self, SegmentFormat::Svg | SegmentFormat::Png)
    }
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
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::arguments::setting)]
    carry_over: Vec<String>,

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
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = crate::arguments::setting)]
    settings: Vec<String>,

    /// Where boxes come from. Default: chromium, if the technique or the format needs boxes; json with --boxes.
    #[arg(long, value_enum)]
    layout: Option<LayoutFrom>,

    /// The boxes of the page, as `--format boxes` writes them; for one input.
    #[arg(long, value_name = "FILE")]
    boxes: Option<PathBuf>,

    /// What to write: json, the segments; annotated, the page with the number and kind of its segment on every element; svg or png, a picture with the segments; or boxes.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "json", hide_possible_values = true)]
    format: SegmentFormat,

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
    let mut segmenter = Segmenter::new(options, entry)?;
    ensure!(
        !(options.site || options.store.is_some()) || matches!(options.format, SegmentFormat::Json | SegmentFormat::Annotated),
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
    let stream = store.map(|store| SegmentStream::new(store, &segmenter.maker, carrying));
    let all_well = match &stream {
        Some(stream) if options.site => of_site::run(&mut segmenter, stream)?,
        stream => each_input(options, &mut segmenter, stream.as_ref())?,
    };
    stream.map(SegmentStream::finish).transpose()?;
    Ok(all_well)
}

/// How segments are carried over.
pub(crate) fn carrying(settings: &[String]) -> Result<StreamOptions> {
    let pairs: Vec<(&str, &str)> = settings.iter().filter_map(|setting| setting.split_once('=')).collect();
    StreamOptions::with_settings(&pairs).map_err(|error| anyhow::anyhow!("--carry-over: {error}"))
}

fn each_input(options: &SegmentOptions, segmenter: &mut Segmenter<'_>, stream: Option<&SegmentStream>) -> Result<bool> {
    let inputs: Vec<_> = inputs(&options.inputs).collect();
    let is_many = inputs.len() > 1;
    ensure!(!(is_many && options.boxes.is_some()), "--boxes are the boxes of one page, but there are many inputs");
    ensure!(!(is_many && options.url.is_some()), "--url is the address of one page, but there are many inputs");
    ensure!(
        !is_many || options.output.is_some() || options.format == SegmentFormat::Json,
        "many inputs on standard output are JSON lines (--format json); for the rest, name a folder to write to (-o DIR)"
    );
    let fetcher = Fetcher::new(reading(options).fetch_options(options.allow_private));
    let mut names = OutputNames::new(options.format.extension());
    let mut failed = 0;
    let bar = Bar::hidden();
    for named in inputs {
        bar.advance(1);
        let written = named.map_err(Into::into).and_then(|named: Named| {
            let path = names.name(&named);
            let bytes = segmenter.input(&named, &fetcher, stream)?;
            match &options.output {
                None => print(&bytes),
                Some(folder) if is_many || folder.is_dir() => Ok(write_file(&folder.join(path), &bytes)?),
                Some(file) => Ok(write_file(file, &bytes)?),
            }
        });
        if let Err(error) = written {
            if crate::output::is_closed_pipe(&error) || !is_many {
                return Err(error);
            }
            failed += 1;
            tell(&format!("unchaff: {}", said(&error)));
        }
    }
    bar.finish_with();
    Ok(failed == 0)
}

/// The segments of a page, and how they came about.
struct Found {
    segmentation: Segmentation,
    rendering: Rendering,
    /// What a store says of the page, if there is one; the segments are above.
    stored: Option<Segmented>,
}

impl Found {
    /// The segments as a line of JSON.
    fn json(&self, input: String, technique: &dyn SegmentTechnique, page: &Page) -> Result<String> {
        let mut document = SegmentDocument::new(technique.name(), page, &self.segmentation, &self.rendering);
        document.input = Some(input);
        if let Some(stored) = &self.stored {
            document = document.with_template(stored);
        }
        Ok(document.to_json()?)
    }
}

/// A technique with its settings, and where its boxes come from.
struct Segmenter<'o> {
    options: &'o SegmentOptions,
    from: LayoutFrom,
    technique: Box<dyn SegmentTechnique>,
    /// All that segments depend on.
    maker: String,
    /// Renders, and draws pictures whoever rendered.
    browser: Chromium,
    blitz: Option<Box<dyn Renderer>>,
    layout_time: Duration,
    segment_time: Duration,
}

impl<'o> Segmenter<'o> {
    fn new(options: &'o SegmentOptions, entry: &SegmentEntry) -> Result<Segmenter<'o>> {
        let ct = options.ct.map(|ct| ct.to_string());
        let mut settings: Vec<(&str, &str)> = ct.iter().map(|ct| ("ct", ct.as_str())).collect();
        for setting in &options.settings {
            let Some(pair) = setting.split_once('=') else { bail!("--set {setting} is not of the form PARAMETER=VALUE") };
            settings.push(pair);
        }
        let from = layout_from(options, entry)?;
        let browser = Chromium::new(Options {
            program: None,
            window: options.viewport,
            scripts: options.scripts,
            network: options.network,
            allow_private: options.allow_private,
            time_limit: Duration::from_secs(options.timeout),
        });
        let mut segmenter = Segmenter {
            options,
            from,
            technique: entry.technique(&settings)?,
            maker: entry.described(&settings),
            browser,
            blitz: (from == LayoutFrom::Blitz).then(|| blitz::renderer(options)).transpose()?,
            layout_time: Duration::ZERO,
            segment_time: Duration::ZERO,
        };
        if let Some(conditions) = segmenter.renderer().map(|renderer| renderer.conditions()) {
            segmenter.maker += &format!(" {conditions}");
        }
        Ok(segmenter)
    }

    /// Who renders pages, if anyone does.
    fn renderer(&mut self) -> Option<&mut dyn Renderer> {
        match self.from {
            LayoutFrom::Chromium => Some(&mut self.browser),
            LayoutFrom::Blitz => self.blitz.as_mut().map(|blitz| &mut **blitz as &mut dyn Renderer),
            LayoutFrom::Json | LayoutFrom::None => None,
        }
    }

    /// What is written of an input.
    fn input(&mut self, named: &Named, fetcher: &Fetcher, stream: Option<&SegmentStream>) -> Result<Vec<u8>> {
        let page = parse(self.options, named, fetcher)?;
        let files = if self.from.renders() { files(self.options, &named.input)? } else { None };
        let files = files.as_ref();
        let found = match (stream, site_of(&page)) {
            (Some(stream), Some(site)) => {
                let look = stream.look(&site, &page)?;
                self.with_store(stream, &site, &page, look, files, &mut |_| None)
            }
            (stream, _) => self.direct(&page, files, &mut |_| None).map(|mut found| {
                let note = "the page has no address (--url), so the store cannot tell its site".to_owned();
                found.rendering.notes.extend(stream.map(|_| note));
                found
            }),
        };
        let found = self.cut(&page, found.with_context(|| named.input.to_string())?);
        let Rendering { layout, screenshot, .. } = &found.rendering;
        let svg = || picture::svg(layout, &found.segmentation, screenshot.as_deref());
        Ok(match self.options.format {
            SegmentFormat::Boxes => layout.to_json().into_bytes(),
            SegmentFormat::Annotated => annotated(&page, &found.segmentation).into_bytes(),
            SegmentFormat::Svg => svg().into_bytes(),
            SegmentFormat::Png => self.browser.draw(&svg())?,
            SegmentFormat::Json => {
                let input = if named.input == Input::Stdin { "-".to_owned() } else { named.input.to_string() };
                found.json(input, &*self.technique, &page)?.into_bytes()
            }
        })
    }

    /// The segments of a page that was looked up: those of its template if it is known, else as [`direct`](Self::direct), to be learned.
    fn with_store(
        &mut self,
        stream: &SegmentStream,
        site: &str,
        page: &Page,
        look: Look,
        files: Option<&Files>,
        known: &mut dyn FnMut(&Page) -> Option<Detection>,
    ) -> Result<Found> {
        let mut rendering = Rendering::default();
        let mut stored = stream.settle(site, page, look, |page| -> Result<Segmentation> {
            let found = self.direct(page, files, known)?;
            rendering = found.rendering;
            Ok(found.segmentation)
        })?;
        Ok(Found { segmentation: std::mem::take(&mut stored.segmentation), rendering, stored: Some(stored) })
    }

    /// The cut through the tree of segments that was asked for, if one was.
    fn cut(&self, page: &Page, mut found: Found) -> Found {
        let (tree, layout) = (&found.segmentation, &found.rendering.layout);
        let SegmentOptions { level, doc, most, .. } = self.options;
        let flat = match (level, doc, most) {
            (Some(level), ..) => tree.level(page, layout, *level),
            (_, Some(least), _) => tree.coherent(page, layout, *least),
            (_, _, Some(most)) => tree.no_larger(page, layout, *most),
            _ => return found,
        };
        found.segmentation = flat;
        found
    }

    /// The segments of a page, which is rendered if need be; `known` may tell its blocks, by which segments are named.
    fn direct(&mut self, page: &Page, files: Option<&Files>, known: &mut dyn FnMut(&Page) -> Option<Detection>) -> Result<Found> {
        let start = Instant::now();
        let rendering = self.render(page, files)?;
        self.layout_time += start.elapsed();
        if self.options.format == SegmentFormat::Boxes {
            return Ok(Found { segmentation: Segmentation::default(), rendering, stored: None });
        }
        let known = known(page).unwrap_or_default();
        let start = Instant::now();
        let mut segmentation = self.technique.tree(page, &rendering.layout);
        labels::label_with(page, &rendering.layout, &known, &mut segmentation);
        self.segment_time += start.elapsed();
        Ok(Found { segmentation, rendering, stored: None })
    }

    fn render(&mut self, page: &Page, files: Option<&Files>) -> Result<Rendering> {
        if let (LayoutFrom::Json, Some(boxes)) = (self.from, &self.options.boxes) {
            let json = std::fs::read(boxes).with_context(|| format!("cannot read {}", boxes.display()))?;
            return Ok(Layout::from_json(&json).with_context(|| boxes.display().to_string())?.into());
        }
        let page = PageToRender::new(page).with_subresources(files.cloned());
        let page = page.with_screenshot(self.options.format.is_picture());
        let Some(renderer) = self.renderer() else { return Ok(Rendering::default()) };
        Ok(renderer.render(&page)?)
    }
}

fn layout_from(options: &SegmentOptions, entry: &SegmentEntry) -> Result<LayoutFrom> {
    let needs_boxes = entry.kind.needs_layout() || options.format.is_picture() || options.format == SegmentFormat::Boxes;
    let from = options.layout.unwrap_or(match &options.boxes {
        Some(_) => LayoutFrom::Json,
        None if needs_boxes => LayoutFrom::Chromium,
        None => LayoutFrom::None,
    });
    match from {
        LayoutFrom::Json => ensure!(options.boxes.is_some(), "--layout json needs the boxes: --boxes FILE"),
        LayoutFrom::Chromium => ensure!(options.boxes.is_none(), "--boxes are for --layout json"),
        LayoutFrom::Blitz => {
            ensure!(options.boxes.is_none(), "--boxes are for --layout json");
            ensure!(!options.network, "--layout blitz loads nothing from the web; leave out --network, or use --layout chromium");
            ensure!(!options.scripts, "--layout blitz runs no scripts; leave out --scripts, or use --layout chromium");
            ensure!(
                options.format != SegmentFormat::Png,
                "a picture in pixels is drawn by Chromium; with --layout blitz use --format svg, or use --layout chromium"
            );
        }
        LayoutFrom::None => ensure!(
            !needs_boxes,
            "{} and {:?} need the boxes of the page; leave out --layout none, or use a technique that needs none (block-fusion, dom-blocks) with --format json",
            entry.name,
            options.format
        ),
    }
    Ok(from)
}

fn parse(options: &SegmentOptions, named: &Named, fetcher: &Fetcher) -> Result<Page> {
    let document = Document::from(read(&named.input, fetcher)?);
    let url = options.url.clone().or(document.url);
    Ok(reading(options).page(Document { url, ..document }))
}

/// How pages are read.
fn reading(options: &SegmentOptions) -> Reading {
    Reading { timeout: Duration::from_secs(options.timeout), ..Reading::default() }
}

/// The files that a page refers to.
fn files(options: &SegmentOptions, input: &Input) -> Result<Option<Files>> {
    let Input::File(file) = input else { return Ok(None) };
    Ok(Some(Files::around(file, options.root.as_deref())?))
}
