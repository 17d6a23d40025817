//! What can be asked of `unchaff bench segmentation`, and its help.

use crate::arguments::{Reader, Setting, base_url, setting, value};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use unchaff_bench::form::Form;
use unchaff_source::Url;

pub(super) const EXAMPLES: &str = "\
Examples:
  unchaff bench segmentation --suite data/segments --layouts boxes/ -f html -o study.html
  unchaff bench segmentation --suite data/segments --try bcs:ct=0.1..1:0.1 --try vips:pdoc=1..10
  unchaff bench segmentation --tables --suite data/segments --layouts boxes/        techniques beside each other
  unchaff bench segmentation crawl.warc.gz --limit 1000                             templates by number of pages
  unchaff bench segmentation mirror/ --gain bcs --gain vips --limit 500             and what they save
  unchaff bench segmentation mirror/ --gain bcs --carry-over way=published --carry-over trials=0";

#[derive(Args, Debug)]
pub(crate) struct Segmentation {
    /// Mirrored folders, lists of files with their addresses, or web archives, as for `unchaff site`.
    #[arg(value_name = "SOURCE", required_unless_present = "suites")]
    pub(crate) sources: Vec<OsString>,

    /// The suites to take: folders of pages whose segments are known; can be repeated.
    #[arg(short, long = "suite", value_name = "SUITE")]
    pub(crate) suites: Vec<PathBuf>,

    /// A technique at several settings, for the suites; can be repeated. Default: bcs:ct=0.1..1:0.1 and vips:pdoc=1..10; with --tables one setting each of all techniques.
    #[arg(long = "try", value_name = "TECHNIQUE:PARAMETER=VALUES")]
    pub(crate) tried: Vec<String>,

    /// Compare techniques on the suites instead: whole segments, both levels and kinds, with intervals, and what kinds were taken for what; segments-auto by cross-validation, beside
    /// which the others stand.
    #[arg(long, requires = "suites")]
    pub(crate) tables: bool,

    /// With --tables: a suite that segments-auto is fitted to as well but not measured on; can be repeated.
    #[arg(long, value_name = "SUITE", requires = "tables")]
    pub(crate) also_fit: Vec<PathBuf>,

    /// With --tables: write the model of segments-auto that is fitted to all pages to this file.
    #[arg(long, value_name = "FILE", requires = "tables")]
    pub(crate) write_model: Option<PathBuf>,

    /// A technique whose work with and without templates is compared, for the sources; can be repeated. Pages are rendered if it needs boxes.
    #[arg(long, value_name = "TECHNIQUE", requires = "sources")]
    pub(crate) gain: Vec<String>,

    /// Set how segments are carried over to pages of a known template, as for `unchaff segment`; can be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) carry_over: Vec<Setting>,

    /// How similar pages of one template are at least, by their paths, where templates are counted.
    #[arg(long, value_name = "SHARE", default_value_t = 0.7)]
    pub(crate) similarity: f64,

    /// Take at most so many pages, of each site and of each suite.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) limit: usize,

    /// The address that a mirrored folder stands for; can be repeated if it has several.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub(crate) base_url: Vec<Url>,

    /// Where boxes of pages with segments are kept, once a browser has made them.
    #[arg(long, value_name = "DIR")]
    pub(crate) layouts: Option<PathBuf>,

    /// What to write: table, json, markdown or html; html draws it.
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = value::<Form>)]
    pub(crate) format: Form,

    /// Where to write: a file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reader: Reader,
}
