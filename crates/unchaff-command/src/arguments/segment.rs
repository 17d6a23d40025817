//! What can be asked of `unchaff segment`, and its help.

use super::{Setting, base_url, one_of, setting};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use unchaff_job::SegmentForm;
use unchaff_segment::registry;
use unchaff_segment::renderer::Window;
use unchaff_source::Url;

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

/// Pages, and how to segment them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SegmentOptions {
    /// Files, folders (read recursively), web addresses, or - for standard input; with --whole-site, one source.
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<OsString>,

    /// The input is a site: a mirrored folder, a list of files with their addresses, a WARC, or a web address, whose links are followed.
    ///
    /// Pages of one template get their segments from one of them: it is segmented, and its segments are carried over to the others by
    /// their nodes, if that can be verified. These are not rendered and have no boxes. There is a line of JSON for each page, in
    /// order, in which transferred tells which they are; a summary goes to standard error.
    #[arg(long = "whole-site", alias = "site", conflicts_with_all = ["url", "boxes"])]
    pub(crate) site: bool,

    /// A file in which what is learned about sites is kept, made if it is not there: pages of a known template get their segments from it.
    ///
    /// What was found with another technique, other settings or another window is not used. Pages need an address, which tells their site.
    /// Several processes can share it; `unchaff store` shows what is in it.
    #[arg(long, value_name = "FILE", conflicts_with = "boxes")]
    pub(crate) store: Option<PathBuf>,

    /// Set how segments are carried over to pages of a known template; can be repeated.
    ///
    /// way=sibling-runs|published (Zelený 2017, 7.5), subtree_similarity, min_verified (how much of a page must be verified), min_steady (how far lengths may differ), similarity (of pages of one
    /// template), trials and agreement (on how many pages, and how far, it must agree with the analysis first; trials=0 as published), most_tries. Settings of the way come with it, others after it.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) carry_over: Vec<Setting>,

    /// Take at most so many pages, spread evenly over the source. Default: all; 50 of a site on the web.
    #[arg(long, value_name = "N", requires = "site", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,

    /// The address that a mirrored folder stands for; can be repeated if it has several.
    #[arg(long, value_name = "URL", requires = "site", value_parser = base_url)]
    pub(crate) base_url: Vec<Url>,

    /// Fetch from private networks and this machine too: pages of a site on the web, what a page loads with --network, and where an
    /// address of the web leads.
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// How many pages to work on at a time, of a site. Default: one per core.
    #[arg(short, long, value_name = "N", requires = "site", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,

    /// The technique. Default: segments-auto; bcs if --ct is given.
    #[arg(short, long, value_name = "NAME",
        value_parser = clap::builder::PossibleValuesParser::new(registry::all().iter().map(|entry| entry.name)))]
    pub(crate) technique: Option<String>,

    /// The clustering threshold of bcs, from 0 (only what touches) to 1; the same as --set ct=….
    #[arg(long, value_name = "NUMBER")]
    pub(crate) ct: Option<f64>,

    /// Only segments of this level of the tree: 1 for the areas of the page, 2 for their parts, and so on.
    ///
    /// The list is then flat and leaves nothing out: areas without parts stay as they are, and what of an area is in none of its parts stays together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["doc", "most"])]
    pub(crate) level: Option<u32>,

    /// Divide segments, from the top, until each has at least this degree of coherence (1 to 10), if the technique has degrees: segments-auto, vips, bcs.
    #[arg(long, value_name = "DEGREE", conflicts_with_all = ["most", "site", "store"])]
    pub(crate) doc: Option<f64>,

    /// Divide segments, from the top, until none covers more than this share of the page (0 to 1).
    #[arg(long, value_name = "SHARE", conflicts_with_all = ["site", "store"])]
    pub(crate) most: Option<f64>,

    /// Set a parameter of the technique; can be repeated.
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = setting)]
    pub(crate) settings: Vec<Setting>,

    /// Where boxes come from. Default: chromium, if the technique or the format needs boxes; json with --boxes.
    #[arg(long, value_enum)]
    pub(crate) layout: Option<LayoutFrom>,

    /// The boxes of the page, as `--format boxes` writes them; for one input.
    #[arg(long, value_name = "FILE")]
    pub(crate) boxes: Option<PathBuf>,

    /// What to write: json, the segments; annotated, the page with the number and kind of its segment on every element; svg or png, a picture with the segments; or boxes.
    #[arg(short, long, value_name = "FORMAT", value_parser = one_of::<SegmentForm>(["json", "annotated", "svg", "png", "boxes"]), default_value = "json", hide_possible_values = true)]
    pub(crate) format: SegmentForm,

    /// The folder above all files of the page, for style sheets and images. Default: the folder of the page.
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Let the page load style sheets, fonts and images from the web; with --scripts also scripts and what they ask for.
    ///
    /// They are fetched from public addresses, unless --allow-private is given.
    #[arg(long)]
    pub(crate) network: bool,

    /// Let scripts of the page run. They can read the files below --root, and with --network tell others about them.
    #[arg(long)]
    pub(crate) scripts: bool,

    /// Width and height of the window.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t)]
    pub(crate) viewport: Window,

    /// Seconds after which a page is given up that is fetched, or rendered.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,

    /// The address of the page, against which its links are resolved. For one input.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,

    /// Where to write: a file; for many inputs a folder, in which each gets a file of its own.
    #[arg(short, long, value_name = "FILE|DIR")]
    pub(crate) output: Option<PathBuf>,
}
