//! What can be asked of `unchaff site`, and its help.

use super::{External, Looks, Reader, Setting, base_url, setting};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use unchaff::{BlockKind, Field};
use unchaff_job::Form;
use unchaff_source::Url;

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
    pub(crate) sources: Vec<OsString>,

    /// Where to write: a folder, which gets the pages of each site, and sites.jsonl with a line about each finished site.
    ///
    /// With --format json, SITE.jsonl has a line for each page: the name of its template and the blocks content, template and
    /// menu, in the form of docs/json.md. With other formats, the folder SITE has a file for each page. A run that was
    /// stopped goes on where it was, and sites of which pages failed are tried again. Without this, the lines of all sites go to standard output.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// What to write: json (lines), text, markdown, html, chunks, annotated, skeleton, hidden, replaced, deleted, restructured, highlighted,
    /// ranges or cleaneval; csv and parquet to standard output. See `unchaff extract --help`.
    #[arg(short, long, value_name = "FORMAT", value_parser = clap::value_parser!(Form), default_value = "json")]
    pub(crate) format: Form,

    /// Which block text, markdown, html and skeleton show: content, template or menu. annotated and json have all three.
    #[arg(long, value_name = "BLOCK", value_parser = shown, default_value = "content")]
    pub(crate) show: BlockKind,

    /// Show everything but the block.
    #[arg(long)]
    pub(crate) complement: bool,

    /// The fields of json, and the columns of csv and parquet, and no others: see `unchaff extract --help`. With -o, url has to be among them.
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',', value_parser = clap::value_parser!(Field))]
    pub(crate) fields: Vec<Field>,

    #[command(flatten)]
    pub(crate) looks: Looks,

    /// The technique, in the place of what is learned about the site; `unchaff techniques` lists them.
    #[arg(short, long, value_name = "NAME", conflicts_with_all = ["store", "show"])]
    pub(crate) technique: Option<String>,

    #[command(flatten)]
    pub(crate) external: External,

    /// Set a parameter of the technique; can be repeated. PARAMETER=@FILE reads the value from a file.
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = setting, requires = "technique")]
    pub(crate) settings: Vec<Setting>,

    /// What to be careful about, with --technique auto: to take nothing that is not content (precision), or to leave nothing of it out (recall).
    #[arg(long, value_name = "WHAT", value_parser = ["precision", "balanced", "recall"], requires = "technique")]
    pub(crate) favor: Option<String>,

    /// Tell the structure of each site instead: its index pages and the articles they lead to, and how much of its pages is template.
    ///
    /// A line of JSON for each site, or text with -f text. 200 pages of a site are looked at, the same whatever their order.
    #[arg(long, conflicts_with_all = ["output", "technique", "store", "show", "complement", "fields"])]
    pub(crate) structure: bool,

    /// Only this site, by name, of an archive; can be repeated.
    #[arg(long, value_name = "SITE")]
    pub(crate) only: Vec<String>,

    /// The address that a mirrored folder stands for; can be repeated if it has several.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub(crate) base_url: Vec<Url>,

    /// From how many pages of a site to learn, the same whatever their order.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) sample: u32,

    /// A file in which what is learned about sites is kept, made if it is not there.
    ///
    /// What earlier runs learned about a site helps with its pages, and what this run learns is added. A page that is as it was, of a site that is as it
    /// was, gets the answer that is kept of it. Several processes can share the file; `unchaff store` shows what is in it.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,

    /// Replace results of another source, or of other settings, that the folder has. Files of pages that are no more stay.
    #[arg(long, requires = "output")]
    pub(crate) overwrite: bool,

    /// Also write llms.txt for each site: all of its files with title and description, in the sections of the site.
    #[arg(long, requires = "output")]
    pub(crate) llms: bool,

    #[command(flatten)]
    pub(crate) reader: Reader,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
}

fn shown(name: &str) -> anyhow::Result<BlockKind> {
    let kind = name.parse()?;
    let is_found = matches!(kind, BlockKind::Content | BlockKind::Template | BlockKind::Menu);
    anyhow::ensure!(is_found, "a site tells content, template and menu");
    Ok(kind)
}
