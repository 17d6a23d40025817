//! `unchaff cluster`: which pages of a site, or of a whole archive, share a template.
//!
//! Pages are reduced to their structure as they stream by and forgotten; what is kept of a page are some kilobytes. How they are
//! clustered depends on how many there are (`unchaff_site::clustering`). The result is a table, JSON, or a report to look at.

use crate::arguments::{Setting, setting, settings};
use crate::extract::{Reader, base_urls};
use crate::output::write_or_print;
use crate::progress::Bar;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use unchaff::compare::clustering::duplicates::{DuplicateOptions, Sameness, duplicates};
use unchaff::compare::clustering::{ClusterOptions, Method, cluster};
use unchaff::compare::distances::{Distance, Measure, ReducedPage};
use unchaff::dom::emit;
use unchaff::page::parameters::ParameterValue;
use unchaff::{Agreement, ClusterRecord, DuplicateRecord, Extractor, Page, Truth};
use unchaff_bench::cluster_report::{ClusterReport, PageCard};
use unchaff_job::{SourcePages, Workers, write_file};

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
enum ClusterFormat {
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
    sources: Vec<OsString>,

    /// What of two pages is compared.
    ///
    /// tag-shingles (pieces of the sequence of tags), class-paths (tags and classes from the root down), common-paths, path-shingles and
    /// id-paths are sets and fast; bag-of-paths and bottom-up count as well; tag-vector, tag-kinds, tag-frequency, fourier and parametric are coarse;
    /// rtdm (edit cost of the trees) and tag-sequence are slow. docs/clustering.md has figures for all.
    #[arg(long, value_name = "NAME", default_value_t = Measure::TagShingles, value_parser = named::<Measure>)]
    distance: Measure,

    /// Set a parameter of the technique, here of the distance, such as tag_shingle=4; can be repeated.
    ///
    /// path_shingle, tag_shingle (lengths of pieces), inner_names (replaced, free, fringe) and epsilon of rtdm, counted_tags (start, both, separate), text_nodes, fold_ids
    /// (true, false), frequencies, quadratic_nodes.
    #[arg(long, value_name = "PARAMETER=VALUE", value_parser = setting)]
    set: Vec<Setting>,

    /// How pages are put together: single-linkage, k-median (needs --k) or stream.
    ///
    /// Single linkage joins pages to their nearest neighbours and finds the number of clusters. k-median finds compact clusters around
    /// so many pages. In a stream, each page joins the first page it is like, or opens a cluster: one pass, in the order of the pages.
    #[arg(long, value_name = "NAME", default_value_t = Method::SingleLinkage, value_parser = named::<Method>)]
    method: Method,

    /// The distance up to which pages belong together, 0 to 1. Default: what suits the distance.
    #[arg(long, value_name = "DISTANCE", value_parser = threshold)]
    threshold: Option<f64>,

    /// Keep kinds of pages of one site apart, such as articles, sections and products: a smaller threshold.
    #[arg(long, conflicts_with_all = ["threshold", "k"])]
    kinds: bool,

    /// How many clusters to make; single linkage then needs no threshold.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    k: Option<u32>,

    /// Take at most so many pages, spread evenly over the source. Default: all; 50 of a site on the web.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// Compare all pairs of pages also where there are more than 2,000, instead of those that their sketches find.
    #[arg(long)]
    exact: bool,

    /// Say how far the clusters agree with what is known: Rand index, purity, mutual information.
    ///
    /// site: the host of each page; folder: the first folder of its address; or a file whose lines are an address, a tab, and what the page is.
    #[arg(long, value_name = "site|folder|FILE")]
    truth: Option<String>,

    /// Find pages with the same text instead: exact, shingles (runs of four words, most of which both have) or i-match (the same terms).
    #[arg(long, value_name = "METHOD", value_parser = named::<Sameness>, conflicts_with_all = ["method", "k", "kinds", "exact", "report", "distance", "set", "truth"])]
    duplicates: Option<Sameness>,

    /// With --duplicates: compare the content of the pages, or all of their text (page).
    #[arg(long, value_name = "content|page", default_value = "content", value_parser = ["content", "page"], requires = "duplicates")]
    of: String,

    /// What to write: table, json or html.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = ClusterFormat::Table)]
    format: ClusterFormat,

    /// Write the report to this file: a map of the pages, how the clusters are related, a page that stands for each.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Where to write: a file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The address that a mirrored folder stands for; can be repeated if it has several.
    #[arg(long, value_name = "URL")]
    base_url: Vec<String>,

    /// Fetch from private networks and this machine too, if the site is on the web.
    #[arg(long)]
    allow_private: bool,

    #[command(flatten)]
    reader: Reader,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

fn named<T: ParameterValue>(text: &str) -> Result<T, String> {
    T::read(text).ok_or_else(|| format!("there is {}", T::takes()))
}

fn threshold(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a distance is a number from 0 to 1".to_owned())
}

pub(crate) fn run(options: &ClusterArguments) -> Result<bool> {
    ensure!(
        options.k.is_none() || options.method != Method::Stream,
        "a stream cannot be told how many clusters to make; leave out --k"
    );
    ensure!(options.threshold.is_none() || options.k.is_none(), "--k and --threshold exclude each other; give one of them");
    let source = SourcePages {
        sources: &options.sources,
        base_urls: &base_urls(&options.base_url)?,
        limit: options.limit.map(|limit| limit as usize),
        allow_private: options.allow_private,
        reading: options.reader.reading()?,
    };
    let workers = Workers::new(options.jobs.map(usize::from))?;
    match options.duplicates {
        Some(sameness) => find_duplicates(options, sameness, &source, &workers),
        None => find_clusters(options, &source, &workers),
    }
}

fn find_clusters(options: &ClusterArguments, source: &SourcePages<'_>, workers: &Workers) -> Result<bool> {
    let distance = Distance::with_settings(options.distance, &settings(None, &options.set))?;
    let truth = options.truth.as_deref().map(truth).transpose()?;
    let has_report = options.report.is_some() || options.format == ClusterFormat::Html;
    let bar = Bar::new();
    let reduced = source.reduced(workers, &bar, |page, url, file| {
        let card = if has_report { PageCard::of(page, url.to_owned(), file) } else { PageCard::default() };
        (distance.reduce(page), card)
    })?;
    bar.finish();
    let (pages, cards): (Vec<ReducedPage>, Vec<PageCard>) = reduced.pages.into_iter().unzip();
    let truth = truth.as_ref().map(|truth| truth.of(&reduced.urls));
    ensure!(
        truth.as_ref().is_none_or(|truth| truth.iter().any(Option::is_some)),
        "--truth names none of the pages; each line is an address, a tab, and what the page is"
    );
    let asked = ClusterOptions {
        distance,
        method: options.method,
        threshold: options.threshold,
        kinds: options.kinds,
        clusters: options.k.map(|k| k as usize),
        exact: options.exact,
        map: has_report,
        ..ClusterOptions::default()
    };
    let comparing = Bar::saying("comparing");
    let found = workers.install(|| cluster(&pages, &asked))?;
    comparing.finish();
    let mut record = ClusterRecord::of(&reduced.urls, &asked, &found);
    record.source = Some(source.name());
    record.failed = Some(reduced.failed);
    record.agreement = truth.and_then(|truth| Agreement::of(&found.clustering, &truth));
    let report = || ClusterReport { record: &record, found: &found, pages: &cards }.html();
    if let Some(path) = &options.report {
        write_file(path, report().as_bytes())?;
    }
    let text = match options.format {
        ClusterFormat::Table => record.table(),
        ClusterFormat::Json => serde_json::to_string_pretty(&record)? + "\n",
        ClusterFormat::Html => report(),
    };
    write_or_print(options.output.as_deref(), text.as_bytes())?;
    Ok(reduced.failed == 0 && reduced.is_whole)
}

/// What pages are known to be.
fn truth(named: &str) -> Result<Truth> {
    match named {
        "site" => Ok(Truth::Host),
        "folder" => Ok(Truth::Folder),
        file => {
            let text = std::fs::read_to_string(file).with_context(|| {
                format!("--truth {file} cannot be read; it is site, folder, or a file of addresses and classes")
            })?;
            Ok(Truth::told(&text))
        }
    }
}

fn find_duplicates(options: &ClusterArguments, sameness: Sameness, source: &SourcePages<'_>, workers: &Workers) -> Result<bool> {
    ensure!(options.format != ClusterFormat::Html, "copies are written as a table or as JSON (-f table, json)");
    let how = DuplicateOptions { sameness, ..DuplicateOptions::default() };
    // A distance is what two texts have not in common.
    let how = DuplicateOptions { resemblance: options.threshold.map_or(how.resemblance, |distance| 1.0 - distance), ..how };
    let extractor = Extractor::new();
    let text = |page: &Page| match options.of.as_str() {
        "page" => page.body().map(|body| emit::text(page, &page.subtree_set(body))).unwrap_or_default(),
        _ => extractor.extract(page).text(),
    };
    let bar = Bar::new();
    let reduced = source.reduced(workers, &bar, |page, _, _| how.reduce(&text(page)))?;
    bar.finish();
    let found = workers.install(|| duplicates(&reduced.pages, &how));
    let record = DuplicateRecord::of(&reduced.urls, sameness.to_string(), options.of.clone(), &found);
    let written = match options.format {
        ClusterFormat::Json => serde_json::to_string(&record)? + "\n",
        _ => record.table(),
    };
    write_or_print(options.output.as_deref(), written.as_bytes())?;
    Ok(reduced.failed == 0 && reduced.is_whole)
}
