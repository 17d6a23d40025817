//! `unchaff site`: a whole site, or all sites of a web archive, at once (`unchaff_job::WholeSites`).

use crate::extract::{Reader, base_urls};
use crate::output::Printed;
use crate::progress::Bar;
use anyhow::{Result, bail, ensure};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use unchaff::{BlockKind, Format};
use unchaff_job::{KnownSites, Output, Sites, Watch, WholeSites, Workers};

const EXAMPLES: &str = "\
Examples:
  unchaff site mirror/ -o result/ --base-url https://example.org/
  unchaff site crawl.warc.gz -o result/           every site of a web archive
  unchaff site crawl.warc.gz -o result/ -f markdown --only example.org
  unchaff site crawl.warc.gz -o result/ --store templates.db     with what earlier runs learned
  unchaff site mirror/ > pages.jsonl              one site, JSON lines";

/// What `unchaff site` is asked.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SiteOptions {
    /// A mirrored folder, a list of files with their addresses, or a WARC, which may hold many sites.
    #[arg(value_name = "SOURCE")]
    source: OsString,

    /// The folder to write to: for each site its pages, and sites.jsonl with a line about each finished site.
    ///
    /// With --format json, SITE.jsonl has a line for each page: the name of its template and the blocks content, template and
    /// menu, in the form of docs/json.md. With other formats, the folder SITE has a file for each page. A run that was
    /// stopped goes on where it was, and sites of which pages failed are tried again. Without this, the JSON lines of the one site go to standard output.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// What to write: json (lines), text, markdown, html, annotated, skeleton, hidden, replaced, deleted, restructured, highlighted or
    /// ranges; see `unchaff extract --help`.
    #[arg(short, long, value_name = "FORMAT", value_parser = clap::value_parser!(Format), default_value = "json")]
    format: Format,

    /// Which block text, markdown, html and skeleton show: content, template or menu. annotated and json have all three.
    #[arg(long, value_name = "BLOCK", value_parser = shown, default_value = "content")]
    show: BlockKind,

    /// Show everything but that block.
    #[arg(long)]
    complement: bool,

    /// Only these sites of an archive, by name; can be repeated.
    #[arg(long, value_name = "SITE")]
    only: Vec<String>,

    /// The address that a mirrored folder stands for; can be repeated if it has several.
    #[arg(long, value_name = "URL")]
    base_url: Vec<String>,

    /// From how many pages of a site to learn, the same whatever their order.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=64))]
    sample: u32,

    /// A file in which what is learned about sites is kept, made if it is not there.
    ///
    /// What earlier runs learned about a site helps with its pages, and what this run learns is added. Several processes can share
    /// it; `unchaff store` shows what is in it.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// Replace results of another source, or of other settings, that the folder has. Files of pages that are no more stay.
    #[arg(long, requires = "output")]
    overwrite: bool,

    #[command(flatten)]
    reader: Reader,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

fn shown(name: &str) -> Result<BlockKind, String> {
    let kind: BlockKind = name.parse().map_err(|error: unchaff::page::UnknownBlockKind| error.to_string())?;
    let is_found = matches!(kind, BlockKind::Content | BlockKind::Template | BlockKind::Menu);
    if is_found { Ok(kind) } else { Err("a site tells content, template and menu".to_owned()) }
}

pub(crate) fn run(options: &SiteOptions) -> Result<bool> {
    ensure!(options.format != Format::Csv, "a site is written page by page; for a table, give its pages to `unchaff extract`");
    let sites = Sites::open(&options.source, &base_urls(&options.base_url)?, &options.reader.reading()?)?;
    let bar = if options.output.is_some() { Bar::new() } else { Bar::hidden() };
    sites.warnings().iter().for_each(|warning| bar.warn(warning));
    let names = sites.names();
    if let Some(unknown) = options.only.iter().find(|only| names.iter().all(|(name, _)| name != *only)) {
        let known: Vec<&str> = names.iter().take(8).map(|(name, _)| name.as_str()).collect();
        bail!("--only {unknown}: there is no such site in {}; there are {}", options.source.display(), known.join(", "));
    }
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    let chosen: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).filter(|name| wanted(name)).collect();
    if options.output.is_none() {
        ensure!(chosen.len() == 1, "there are {} sites; name a folder to write to (-o DIR)", chosen.len());
        ensure!(options.format == Format::Json, "{} needs a folder to write to (-o DIR)", options.format);
    }
    let known = options.store.as_deref().map(crate::store::open).transpose()?.map(KnownSites::new);
    let job = WholeSites {
        workers: &Workers::new(options.jobs.map(usize::from))?,
        watch: &bar,
        format: options.format,
        shows: options.show,
        complement: options.complement,
        sample: options.sample as usize,
        known: known.as_ref(),
        overwrite: options.overwrite,
    };
    let Some(folder) = &options.output else {
        let done = sites.with(chosen[0], |site| job.site(site, chosen[0], &mut Output::Stream(&mut Printed)))?;
        return Ok(done.failed == 0 && !sites.is_damaged());
    };
    ensure!(!folder.is_file(), "{} is a file; -o names a folder", folder.display());
    let all_well = job.run(&sites, &wanted, folder)?;
    bar.finish();
    Ok(all_well && !sites.is_damaged())
}
