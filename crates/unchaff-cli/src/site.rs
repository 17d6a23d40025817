//! `unchaff site`: a whole site, or all sites of a web archive, at once (`unchaff_job::WholeSites`).

use crate::arguments::{External, Looks, Setting, setting, settings};
use crate::extract::{Reader, base_urls};
use crate::output::{Sink, print};
use crate::progress::Bar;
use anyhow::{Result, bail, ensure};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use unchaff::compare::published::site_structure::StructureOptions;
use unchaff::{BlockKind, Field, Format, StructureRecord};
use unchaff_job::{Form, KnownSites, Named, Sites, Watch, WholeSites, Workers};

const EXAMPLES: &str = "\
Examples:
  unchaff site mirror/ -o result/ --base-url https://example.org/
  unchaff site crawl.warc.gz -o result/           every site of a web archive
  unchaff site crawl.warc.gz -o result/ -f markdown --only example.org
  unchaff site crawl.warc.gz -o result/ -f markdown --metadata --llms     for assistants: llms.txt and a file for each page
  unchaff site crawl.warc.gz -o result/ --store templates.db     with what earlier runs learned
  unchaff site crawl/ -o result/                  all archives of a folder, as one
  unchaff site crawl.warc.gz --structure -f text  index pages, articles, how much is template
  unchaff site pages.jsonl --fields url,title,text > content.jsonl    every site, on one stream";

/// What `unchaff site` is asked.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SiteOptions {
    /// A mirrored folder, a list of files with their addresses, or files that hold many pages and perhaps many sites, and folders of such files: web archives
    /// (WARC, WACZ, ARC), JSON lines ({"url": …, "html": …}).
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<OsString>,

    /// Where to write: a folder, which gets the pages of each site, and sites.jsonl with a line about each finished site.
    ///
    /// With --format json, SITE.jsonl has a line for each page: the name of its template and the blocks content, template and
    /// menu, in the form of docs/json.md. With other formats, the folder SITE has a file for each page. A run that was
    /// stopped goes on where it was, and sites of which pages failed are tried again. Without this, the lines of all sites go to standard output.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// What to write: json (lines), text, markdown, html, chunks, annotated, skeleton, hidden, replaced, deleted, restructured, highlighted,
    /// ranges or cleaneval; csv and parquet to standard output. See `unchaff extract --help`.
    #[arg(short, long, value_name = "FORMAT", value_parser = clap::value_parser!(Form), default_value = "json")]
    format: Form,

    /// Which block text, markdown, html and skeleton show: content, template or menu. annotated and json have all three.
    #[arg(long, value_name = "BLOCK", value_parser = shown, default_value = "content")]
    show: BlockKind,

    /// Show everything but the block.
    #[arg(long)]
    complement: bool,

    /// The fields of json, and the columns of csv and parquet, and no others: see `unchaff extract --help`. With -o, url has to be among them.
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',', value_parser = clap::value_parser!(Field))]
    fields: Vec<Field>,

    #[command(flatten)]
    looks: Looks,

    /// The technique, in the place of what is learned about the site; `unchaff techniques` lists them.
    #[arg(short, long, value_name = "NAME", conflicts_with_all = ["store", "show"])]
    technique: Option<String>,

    #[command(flatten)]
    external: External,

    /// Set a parameter of the technique; can be repeated. PARAMETER=@FILE reads the value from a file.
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = setting, requires = "technique")]
    settings: Vec<Setting>,

    /// What to be careful about, with --technique auto: to take nothing that is not content (precision), or to leave nothing of it out (recall).
    #[arg(long, value_name = "WHAT", value_parser = ["precision", "balanced", "recall"], requires = "technique")]
    favor: Option<String>,

    /// Tell the structure of each site instead: its index pages and the articles they lead to, and how much of its pages is template.
    ///
    /// A line of JSON for each site, or text with -f text. 200 pages of a site are looked at, the same whatever their order.
    #[arg(long, conflicts_with_all = ["output", "technique", "store", "show", "complement", "fields"])]
    structure: bool,

    /// Only this site, by name, of an archive; can be repeated.
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

    /// Also write llms.txt for each site: all of its files with title and description, in the sections of the site.
    #[arg(long, requires = "output")]
    llms: bool,

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

/// Tells the structure of each site.
fn structure(options: &SiteOptions, sites: &Sites, wanted: impl Fn(&str) -> bool) -> Result<bool> {
    let mut failed = 0;
    for (name, _) in sites.names().iter().filter(|(name, _)| wanted(name)) {
        let record = sites.with(name, |site| anyhow::Ok(StructureRecord::of(name, site, &StructureOptions::default())))?;
        failed += record.failed;
        let line =
            if options.format == Form::Page(Format::Text) { record.to_string() } else { serde_json::to_string(&record)? + "\n" };
        print(line.as_bytes())?;
    }
    Ok(failed == 0 && !sites.is_damaged())
}

pub(crate) fn run(options: &SiteOptions) -> Result<bool> {
    let mut rendering = options.looks.rendering(options.format.of_pages(), &options.fields, options.complement)?;
    if options.format == Form::Parquet {
        rendering.fields = rendering.columns().to_vec();
    }
    let settings = settings(options.favor.as_deref(), &options.settings);
    let technique = match options.external.technique(options.show)? {
        Some(command) => Some(Named::command(command)?),
        None => options.technique.as_ref().map(|name| Named::find(name, &settings)).transpose()?,
    };
    ensure!(
        !options.llms || options.format == Form::Page(Format::Markdown),
        "--llms lists files of Markdown; add --format markdown"
    );
    match &options.output {
        None if options.structure => {
            ensure!(
                matches!(options.format, Form::Page(Format::Json | Format::Text)),
                "--structure is written as json or text, not as {}",
                options.format
            );
        }
        None => ensure!(rendering.is_lines(), "{} needs a folder to write to (-o DIR)", options.format),
        Some(_) => {
            ensure!(
                !matches!(options.format, Form::Parquet | Form::Page(Format::Csv)),
                "a table is one for all pages: write it with > FILE instead of -o"
            );
            ensure!(
                options.fields.is_empty() || options.fields.contains(&Field::Url),
                "with -o, --fields has to name url, by which a run that was stopped knows what is done"
            );
        }
    }
    let sites = Sites::open(&options.sources, &base_urls(&options.base_url)?, &options.reader.reading()?)?;
    let bar = if options.output.is_some() { Bar::new() } else { Bar::hidden() };
    sites.warnings().iter().for_each(|warning| bar.warn(warning));
    let names = sites.names();
    if let Some(unknown) = options.only.iter().find(|only| names.iter().all(|(name, _)| name != *only)) {
        let known: Vec<&str> = names.iter().take(8).map(|(name, _)| name.as_str()).collect();
        bail!("--only {unknown}: there is no such site; there are {}", known.join(", "));
    }
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    if options.structure {
        return structure(options, &sites, wanted);
    }
    let known = options.store.as_deref().map(crate::store::open).transpose()?.map(KnownSites::new);
    let job = WholeSites {
        workers: &Workers::new(options.jobs.map(usize::from))?,
        watch: &bar,
        rendering,
        technique,
        shows: options.show,
        sample: options.sample as usize,
        known: known.as_ref(),
        overwrite: options.overwrite,
        overview: options.llms,
    };
    let Some(folder) = &options.output else {
        let mut sink = Sink::open(Some(options.format), None, &job.rendering.fields)?;
        let failed = job.stream(&sites, &wanted, &mut sink)?;
        sink.finish()?;
        bar.finish_with();
        return Ok(failed == 0 && !sites.is_damaged());
    };
    ensure!(!folder.is_file(), "{} is a file; -o names a folder", folder.display());
    let all_well = job.run(&sites, &wanted, folder)?;
    bar.finish_with();
    Ok(all_well && !sites.is_damaged())
}
