//! `unchaff segment`: a page in, the parts that a person sees on it out, as JSON, in the page, or drawn over a picture of it.
//!
//! Pages are rendered one after the other by one browser.

use crate::output::{print, write_file};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use unchaff::{NodeSet, Page, Parser, dom::emit};
use unchaff_segment::chromium::{Chromium, Files, Options, Rendering};
use unchaff_segment::layout::Layout;
use unchaff_segment::rect::Rect;
use unchaff_segment::registry::{self, SegmentEntry};
use unchaff_segment::segmentation::{SegmentKind, SegmentTechnique, Segmentation};
use unchaff_segment::{labels, picture};
use unchaff_source::{FetchOptions, Fetcher, Input, Named, OutputNames, inputs, read};

const EXAMPLES: &str = "\
Examples:
  unchaff segment page.html                          the segments as JSON
  unchaff segment mirror/news/a.html --root mirror/ -f png -o a.png
                                                     drawn over a picture of the page
  unchaff segment page.html --technique vips --set pdoc=8
  unchaff segment page.html --ct 0.5 -f svg > segments.svg
  unchaff segment page.html -f boxes > boxes.json    what the browser made of the page
  unchaff segment page.html --boxes boxes.json       the same again, without a browser
  unchaff segment page.html --technique dom-blocks   from the tree alone, without a browser";

/// Where boxes come from.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayoutFrom {
    /// Chromium or Chrome on this machine.
    Chromium,
    /// A file (--boxes).
    Json,
    /// Nowhere; for techniques that need none.
    None,
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
    /// Files, folders (read recursively), web addresses, or - for standard input.
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<OsString>,

    /// The technique. Default: visual-blocks; bcs if --ct is given.
    #[arg(short, long, value_name = "NAME",
        value_parser = clap::builder::PossibleValuesParser::new(registry::all().iter().map(|entry| entry.name)))]
    technique: Option<String>,

    /// The clustering threshold of bcs, from 0 (only what touches) to 1; the same as --set ct=….
    #[arg(long, value_name = "NUMBER")]
    ct: Option<f64>,

    /// Set a parameter of the technique; can be repeated.
    #[arg(long = "set", value_name = "PARAMETER=VALUE")]
    settings: Vec<String>,

    /// Where boxes come from. Default: chromium, if the technique or the format needs boxes; json with --boxes.
    #[arg(long, value_enum)]
    layout: Option<LayoutFrom>,

    /// The boxes of the page, as `--format boxes` writes them; for one input.
    #[arg(long, value_name = "FILE")]
    boxes: Option<PathBuf>,

    /// What to write.
    #[arg(short, long, value_enum, default_value = "json")]
    format: SegmentFormat,

    /// The folder above all files of the page, for style sheets and images. Default: the folder of the page.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,

    /// Let the page load style sheets and images from the web.
    #[arg(long)]
    network: bool,

    /// Let scripts of the page run.
    #[arg(long)]
    scripts: bool,

    /// Width and height of the window.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x1024", value_parser = viewport)]
    viewport: (u32, u32),

    /// Seconds that a page may take to be fetched, and to be rendered.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,

    /// The address of the page, against which its links are resolved. For one input.
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Write to this file; for many inputs, a folder, in which each gets a file of its own.
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
}

fn viewport(text: &str) -> Result<(u32, u32), String> {
    let size = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    size.filter(|(width, height)| (1..=10_000).contains(width) && (1..=10_000).contains(height))
        .ok_or_else(|| "write it like 1280x1024, each number from 1 to 10000".to_owned())
}

/// Segments all inputs; says whether all went well.
pub(crate) fn run(options: &SegmentOptions) -> Result<bool> {
    let default = if options.ct.is_some() { "bcs" } else { registry::DEFAULT };
    let entry = registry::find(options.technique.as_deref().unwrap_or(default)).context("there is no such technique")?;
    let technique = technique(options, entry)?;
    let inputs: Vec<_> = inputs(&options.inputs).collect();
    let is_many = inputs.len() > 1;
    let from = layout_from(options, entry)?;
    ensure!(!(is_many && options.boxes.is_some()), "--boxes are the boxes of one page, but there are many inputs");
    ensure!(!(is_many && options.url.is_some()), "--url is the address of one page, but there are many inputs");
    ensure!(
        !is_many || options.output.is_some() || options.format == SegmentFormat::Json,
        "many inputs on standard output are JSON lines (--format json); for the rest, name a folder to write to (-o DIR)"
    );
    let fetcher = Fetcher::new(FetchOptions { timeout: Duration::from_secs(options.timeout), ..FetchOptions::default() });
    let mut browser = None;
    let mut names = OutputNames::new(options.format.extension());
    let mut failed = 0;
    for named in inputs {
        let written = named.map_err(Into::into).and_then(|named: Named| {
            let path = names.name(&named);
            let bytes = segment(options, from, &*technique, &named, &fetcher, &mut browser)?;
            match &options.output {
                None => print(&bytes),
                Some(folder) if is_many || folder.is_dir() => write_file(&folder.join(path), &bytes),
                Some(file) => write_file(file, &bytes),
            }
        });
        if let Err(error) = written {
            if crate::output::is_closed_pipe(&error) || !is_many {
                return Err(error);
            }
            failed += 1;
            let _ = writeln!(std::io::stderr(), "unchaff: {error:#}");
        }
    }
    Ok(failed == 0)
}

fn technique(options: &SegmentOptions, entry: &SegmentEntry) -> Result<Box<dyn SegmentTechnique>> {
    let ct = options.ct.map(|ct| ct.to_string());
    let mut settings: Vec<(&str, &str)> = ct.iter().map(|ct| ("ct", ct.as_str())).collect();
    for setting in &options.settings {
        let Some(pair) = setting.split_once('=') else { bail!("--set {setting} is not of the form PARAMETER=VALUE") };
        settings.push(pair);
    }
    Ok(entry.technique(&settings)?)
}

fn layout_from(options: &SegmentOptions, entry: &SegmentEntry) -> Result<LayoutFrom> {
    let needs_boxes = entry.needs_layout || options.format.is_picture() || options.format == SegmentFormat::Boxes;
    let from = options.layout.unwrap_or(match &options.boxes {
        Some(_) => LayoutFrom::Json,
        None if needs_boxes => LayoutFrom::Chromium,
        None => LayoutFrom::None,
    });
    match from {
        LayoutFrom::Json => ensure!(options.boxes.is_some(), "--layout json needs the boxes: --boxes FILE"),
        LayoutFrom::Chromium => ensure!(options.boxes.is_none(), "--boxes are for --layout json"),
        LayoutFrom::None => ensure!(
            !needs_boxes,
            "{} and {:?} need the boxes of the page; leave out --layout none, or use a technique that needs none (block-fusion, dom-blocks) with --format json",
            entry.name,
            options.format
        ),
    }
    Ok(from)
}

fn segment(
    options: &SegmentOptions,
    from: LayoutFrom,
    technique: &dyn SegmentTechnique,
    named: &Named,
    fetcher: &Fetcher,
    browser: &mut Option<Chromium>,
) -> Result<Vec<u8>> {
    let page = parse(options, named, fetcher)?;
    let Rendering { layout, screenshot, notes } = match (from, &options.boxes) {
        (LayoutFrom::Json, Some(boxes)) => {
            let json = std::fs::read(boxes).with_context(|| format!("cannot read {}", boxes.display()))?;
            let layout = Layout::from_json(&json).with_context(|| boxes.display().to_string())?;
            Rendering { layout, screenshot: None, notes: Vec::new() }
        }
        (LayoutFrom::Chromium, _) => {
            let files = files(options, &named.input)?;
            started(options, browser)?
                .render(&page, files.as_ref(), options.format.is_picture())
                .with_context(|| named.input.to_string())?
        }
        _ => Rendering { layout: Layout::default(), screenshot: None, notes: Vec::new() },
    };
    if options.format == SegmentFormat::Boxes {
        return Ok(layout.to_json().into_bytes());
    }
    let mut found = technique.segment(&page, &layout);
    labels::label(&page, &layout, &mut found);
    Ok(match options.format {
        SegmentFormat::Annotated => annotated(&page, &found).into_bytes(),
        SegmentFormat::Svg => picture::svg(&layout, &found, screenshot.as_deref()).into_bytes(),
        SegmentFormat::Png => started(options, browser)?.draw(&picture::svg(&layout, &found, screenshot.as_deref()))?,
        SegmentFormat::Json | SegmentFormat::Boxes => json(named, technique.name(), &page, &layout, &found, notes)?.into_bytes(),
    })
}

fn parse(options: &SegmentOptions, named: &Named, fetcher: &Fetcher) -> Result<Page> {
    let fetched = read(&named.input, fetcher)?;
    let mut parser = Parser::new();
    if let Some(url) = options.url.as_ref().or(fetched.url.as_ref()) {
        parser = parser.url(url);
    }
    if let Some(charset) = &fetched.charset {
        parser = parser.charset(charset);
    }
    Ok(parser.parse(fetched.bytes))
}

fn started<'b>(options: &SegmentOptions, browser: &'b mut Option<Chromium>) -> Result<&'b mut Chromium> {
    if browser.is_none() {
        *browser = Some(Chromium::new(Options {
            program: None,
            viewport: options.viewport,
            scripts: options.scripts,
            network: options.network,
            time_limit: Duration::from_secs(options.timeout),
        })?);
    }
    browser.as_mut().context("the browser is gone")
}

/// The files that a page refers to.
fn files(options: &SegmentOptions, input: &Input) -> Result<Option<Files>> {
    let Input::File(file) = input else { return Ok(None) };
    let absolute = |path: &Path| std::fs::canonicalize(path).with_context(|| format!("cannot find {}", path.display()));
    let file = absolute(file)?;
    let root = match &options.root {
        Some(root) => absolute(root)?,
        None => file.parent().unwrap_or(Path::new("/")).to_owned(),
    };
    match file.strip_prefix(&root) {
        Ok(page) => Ok(Some(Files { page: page.to_owned(), root: root.clone() })),
        Err(_) => bail!("{} is not in {}; name a folder above the page with --root", file.display(), root.display()),
    }
}

#[derive(Serialize)]
struct Document<'a> {
    input: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    technique: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<i32>,
    segments: Vec<SegmentJson>,
    /// How many text lines and images are in no segment.
    unclustered: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Serialize)]
struct SegmentJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    rect: Option<Rect>,
    nodes: Vec<NodeJson>,
    text: String,
}

#[derive(Serialize)]
struct NodeJson {
    node: u32,
    path: String,
}

fn json(
    named: &Named,
    technique: &str,
    page: &Page,
    layout: &Layout,
    found: &Segmentation,
    notes: Vec<String>,
) -> Result<String> {
    let rendered = !layout.boxes.is_empty();
    let segments = found.segments.iter().map(|segment| SegmentJson {
        kind: segment.kind.map(SegmentKind::as_str),
        rect: segment.rect,
        nodes: segment.nodes.iter().map(|node| NodeJson { node: node.0, path: page.path(*node) }).collect(),
        text: emit::text(page, &NodeSet::from_roots(page, segment.nodes.iter().copied())),
    });
    let document = Document {
        input: match &named.input {
            Input::Stdin => "-".to_owned(),
            input => input.to_string(),
        },
        url: page.url().map(unchaff_source::Url::as_str),
        technique,
        width: rendered.then_some(layout.width),
        height: rendered.then_some(layout.height),
        segments: segments.collect(),
        unclustered: found.unclustered.len(),
        notes,
    };
    Ok(serde_json::to_string(&document)? + "\n")
}

/// The page in which every element carries the number of its segment (`segment-3`) and its kind in `data-unchaff`.
fn annotated(page: &Page, found: &Segmentation) -> String {
    let mut blocks: Vec<(String, NodeSet)> = Vec::new();
    for (at, segment) in found.segments.iter().enumerate() {
        blocks.push((format!("segment-{}", at + 1), NodeSet::from_roots(page, segment.nodes.iter().copied())));
    }
    let segments = blocks.len();
    for (at, segment) in found.segments.iter().enumerate() {
        let Some(kind) = segment.kind else { continue };
        let nodes = blocks[at].1.clone();
        match blocks[segments..].iter_mut().find(|(name, _)| name == kind.as_str()) {
            Some((_, known)) => known.union(&nodes),
            None => blocks.push((kind.as_str().to_owned(), nodes)),
        }
    }
    let blocks: Vec<(&str, &NodeSet)> = blocks.iter().map(|(name, nodes)| (name.as_str(), nodes)).collect();
    emit::annotated(page, &blocks)
}
