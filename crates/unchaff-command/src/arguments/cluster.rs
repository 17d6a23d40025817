//! What can be asked of `unchaff cluster`, and its help.

use super::{Reader, Setting, base_url, one_of, setting, value};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use unchaff::Truth;
use unchaff::compare::clustering::Method;
use unchaff::compare::clustering::duplicates::Sameness;
use unchaff::compare::distances::Measure;
use unchaff_job::TextOf;
use unchaff_source::Url;

const EXAMPLES: &str = "\
Examples:
  unchaff cluster mirror/                                the clusters as a table
  unchaff cluster crawl.warc.gz --report clusters.html   a map of the pages to look at, too
  unchaff cluster crawl.warc.gz -f json > clusters.json
  unchaff cluster mirror/ --distance common-paths --threshold 0.4
  unchaff cluster mirror/ --kinds                        articles, sections and products of one site apart
  unchaff cluster mirror/ --method k-median --k 5
  unchaff cluster sites/ --truth folder --set tag_shingle=4   how far clusters are what the folders say
  unchaff cluster crawl.warc.gz --duplicates shingles    pages whose content is the same, or nearly
  unchaff cluster https://example.org/ --limit 40        fetched politely, following links";

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ClusterFormat {
    /// A line for each cluster.
    Table,
    /// One document with all clusters and their pages.
    Json,
    /// The report.
    Html,
}

/// What `unchaff cluster` is asked.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ClusterArguments {
    /// A mirrored folder, a list of files with their addresses, web archives and other files of many pages, all of whose sites are taken together, or a web
    /// address.
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<OsString>,

    /// What of two pages is compared. Default: tag-shingles; common-paths with --kinds.
    ///
    /// tag-shingles (pieces of the sequence of tags), class-paths (tags and classes from the root down), common-paths, path-shingles and
    /// id-paths are sets and fast; bag-of-paths and bottom-up count as well; tag-vector, tag-kinds, tag-frequency, fourier and parametric are coarse;
    /// rtdm (edit cost of the trees) and tag-sequence are slow. docs/clustering.md has figures for all.
    #[arg(long, value_name = "NAME", value_parser = value::<Measure>)]
    pub(crate) distance: Option<Measure>,

    /// Set a parameter of the technique, here of the distance, such as tag_shingle=4; can be repeated.
    ///
    /// path_shingle, tag_shingle (lengths of pieces), inner_names (replaced, free, fringe) and epsilon of rtdm, counted_tags (start, both, separate), text_nodes, fold_ids
    /// (true, false), frequencies, quadratic_nodes.
    #[arg(long, value_name = "PARAMETER=VALUE", value_parser = setting)]
    pub(crate) set: Vec<Setting>,

    /// How pages are put together: single-linkage, k-median (needs --k) or stream.
    ///
    /// Single linkage joins pages to their nearest neighbours and finds the number of clusters. k-median finds compact clusters around
    /// so many pages. In a stream, each page joins the first page it is like, or opens a cluster: one pass, in the order of the pages.
    #[arg(long, value_name = "NAME", default_value_t = Method::SingleLinkage, value_parser = value::<Method>)]
    pub(crate) method: Method,

    /// The distance up to which pages belong together, 0 to 1. Default: what suits the distance.
    #[arg(long, value_name = "DISTANCE", value_parser = threshold)]
    pub(crate) threshold: Option<f64>,

    /// Keep kinds of pages of one site apart, such as articles, sections and products: paths are compared, with a smaller threshold.
    #[arg(long, conflicts_with_all = ["threshold", "k"])]
    pub(crate) kinds: bool,

    /// How many clusters to make; single linkage then needs no threshold.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) k: Option<u32>,

    /// Take at most so many pages, spread evenly over the source. Default: all; 50 of a site on the web.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,

    /// Compare all pairs of pages also where there are more than 2,000, instead of those that their sketches find.
    #[arg(long)]
    pub(crate) exact: bool,

    /// Say how far the clusters agree with what is known: Rand index, purity, mutual information.
    ///
    /// site: the host of each page; folder: the first folder of its address; or a file whose lines are an address, a tab, and what the page is.
    #[arg(long, value_name = "site|folder|FILE", value_parser = truth)]
    pub(crate) truth: Option<Truth>,

    /// Find pages with the same text instead: exact, shingles (runs of four words, most of which both have) or i-match (the same terms).
    #[arg(long, value_name = "METHOD", value_parser = value::<Sameness>, conflicts_with_all = ["method", "k", "kinds", "exact", "report", "distance", "set", "truth"])]
    pub(crate) duplicates: Option<Sameness>,

    /// With --duplicates: compare the content of the pages, or all of their text (page).
    #[arg(long, value_name = "content|page", default_value = "content", value_parser = one_of::<TextOf>(["content", "page"]), requires = "duplicates")]
    pub(crate) of: TextOf,

    /// What to write: table, json or html.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = ClusterFormat::Table)]
    pub(crate) format: ClusterFormat,

    /// Write the report to this file: a map of the pages, how the clusters are related, a page that stands for each.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// Where to write: a file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The address that a mirrored folder stands for; can be repeated if it has several.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub(crate) base_url: Vec<Url>,

    /// Fetch from private networks and this machine too, if the site is on the web.
    #[arg(long)]
    pub(crate) allow_private: bool,

    #[command(flatten)]
    pub(crate) reader: Reader,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
}

fn threshold(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|number| (0.0..=1.0).contains(number)).ok_or("a distance is a number from 0 to 1")
}

/// What pages are known to be.
fn truth(named: &str) -> Result<Truth, String> {
    let read = |file| std::fs::read_to_string(file).map(|text| Truth::told(&text));
    match named {
        "site" => Ok(Truth::Host),
        "folder" => Ok(Truth::Folder),
        file => read(file).map_err(|error| format!("{error}; it is site, folder, or a file of addresses and classes")),
    }
}
