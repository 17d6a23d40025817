//! What can be asked of the command, and its help.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod crawl;
#[cfg(feature = "serve")]
pub(crate) mod mcp;
pub(crate) mod segment;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod site;
pub(crate) mod store;

use crate::output;
use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use unchaff::page::parameters::{self, ParameterValue};
use unchaff::{BlockKind, Field, Flavour, Links, Part, TOKENS, Title};
use unchaff_job::{ExternalTechnique, Form, JobError, Rendering, Sites};
use unchaff_source::{Reading, Url};

/// Separates what a web page is about from everything around it.
#[derive(Parser, Debug)]
#[command(name = "unchaff", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Exit code: 0 if all went well, 1 if an input failed (the others are done), 2 if nothing could be done.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Tell errors only: no progress, no summary, no line for each request.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Extract the main content of pages.
    #[command(after_help = EXTRACT_EXAMPLES)]
    Extract(Extract),
    /// Find the main menu of pages: its entries, their links and sub-menus.
    #[command(after_help = MENU_EXAMPLES)]
    Menu(Pages),
    /// Find the template of a page: what it shares with the other pages of its site.
    #[command(after_help = TEMPLATE_EXAMPLES)]
    Template(Pages),
    /// Work on a whole site, or all sites of a web archive: learn the templates, then find content, template and menu.
    Site(site::SiteOptions),
    /// Look after a template store: list, show, prune, export and import templates.
    #[command(subcommand)]
    Store(store::Store),
    /// Find which pages share a template: clusters of pages, a page that stands for each, a map of them all.
    Cluster(cluster::ClusterArguments),
    /// Find the parts that a person sees on a rendered page.
    Segment(segment::SegmentOptions),
    /// Tell where the markup of a page (main, article, nav, aside, header, footer) and what is found on it differ.
    Check(check::CheckOptions),
    /// Fetch a site politely into a web archive (WARC).
    Crawl(crawl::Crawl),
    /// Answer over HTTP: an interface for other programs, and a page to try it in a browser.
    #[cfg(feature = "serve")]
    Serve(serve::ServeOptions),
    /// Be a tool of an assistant: the Model Context Protocol on standard input and output.
    #[cfg(feature = "serve")]
    Mcp(mcp::McpOptions),
    /// List the techniques, or tell all about one.
    Techniques(Techniques),
    /// Measure techniques on pages of which the truth is known: suites, runs, sweeps, reports.
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Print a completion script for a shell.
    #[command(after_help = "Example:\n  unchaff completions bash > ~/.local/share/bash-completion/completions/unchaff")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one for each subcommand.
    #[command(after_help = "Examples:\n  unchaff man | man -l -\n  unchaff man -o ~/.local/share/man/man1")]
    Man {
        /// Where to write: a folder, which gets a page for the command and one for each of its subcommands.
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

const EXTRACT_EXAMPLES: &str = "\
Examples:
  unchaff extract page.html                      the content as Markdown
  unchaff extract https://example.org/news       fetched from the web
  curl -s https://example.org | unchaff extract --url https://example.org --format json
  unchaff extract mirror/ -o content/ -f text    every page of a folder, one file each
  unchaff extract mirror/ > content.jsonl        every page of a folder, JSON lines
  unchaff extract crawl.warc.gz --fields url,title,published,text > content.jsonl
  unchaff extract pages.jsonl -f csv --fields url,title,words > table.csv
  unchaff extract mirror/ -f parquet --fields url,title,text -o content.parquet
  unchaff extract mirror/ -f chunks --max-tokens 500 --links none > chunks.jsonl    for language models
  unchaff extract mirror/a.html --site mirror/   with the help of the site's other pages
  unchaff extract https://example.org/news/1 --bootstrap     learns from pages it links to
  unchaff extract page.html --include comments --exclude images,links
  unchaff extract https://example.org/news --store templates.db
  unchaff extract page.html -t ccb --set range=20
  unchaff extract page.html --external trafilatura=trafilatura -f json     another extractor in its place
  unchaff extract page.html -f hidden > page-only.html       the page with all else hidden
  unchaff extract page.html --complement         all that is not content
  unchaff extract page.html --explain            what led to the result, as a table
  unchaff extract page.html --explain -f annotated > marked.html";

const MENU_EXAMPLES: &str = "\
Examples:
  unchaff menu page.html                         the menu as nested Markdown lists
  unchaff menu https://example.org -f json       as a tree of text and links, in the field menu
  unchaff menu mirror/a.html --site mirror/      confirmed by the site's other pages
  unchaff menu page.html -t menex-euclid --explain";

const TEMPLATE_EXAMPLES: &str = "\
Examples:
  unchaff template mirror/news/1.html --site mirror/ --base-url https://example.org/ -f annotated
  unchaff template https://example.org/news/1 --site crawl.warc.gz -f skeleton > empty.html
  unchaff template https://example.org/news/1 --site https://example.org/ --explain
  unchaff template page.html                     a guess from the page alone";

/// What `unchaff extract` is asked.
#[derive(Args, Debug)]
pub(crate) struct Extract {
    #[command(flatten)]
    pub(crate) pages: Pages,

    #[command(flatten)]
    pub(crate) content: OfContent,
}

/// What is asked of the content, and of no other block.
#[derive(Args, Debug, Default)]
pub(crate) struct OfContent {
    /// Follow the page's own links, one step and politely, to learn what its site has everywhere; then extract.
    ///
    /// For a single web address, or with --site. The technique is bootstrap-learned; `unchaff techniques
    /// bootstrap-learned` tells its parameters for --set.
    #[arg(long, conflicts_with_all = ["technique", "store"])]
    pub(crate) bootstrap: bool,

    /// What to be careful about: to take nothing that is not content (precision), or to leave nothing of it out (recall).
    ///
    /// For the technique auto; the same as --set favor=….
    #[arg(long, value_name = "WHAT", value_parser = ["precision", "balanced", "recall"], conflicts_with = "store")]
    pub(crate) favor: Option<String>,

    #[command(flatten)]
    pub(crate) looks: Looks,
}

/// How content is written; the same for pages one by one and for whole sites.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Looks {
    /// Begin Markdown with what the page says about itself: title, author, dates, address and so on, as YAML.
    #[arg(long)]
    pub(crate) metadata: bool,

    /// Parts to take even where the technique leaves them out: comments, tables, images, links.
    ///
    /// Comments are taken wherever they stand, the others between the first and the last of the content.
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_parser = clap::value_parser!(Part))]
    pub(crate) include: Vec<Part>,

    /// Parts to leave out even where the technique takes them: comments, tables, images, links.
    ///
    /// Of links the text stays.
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_parser = clap::value_parser!(Part))]
    pub(crate) exclude: Vec<Part>,

    /// The title of the page in Markdown: once, as its first heading; as the technique found it; or drop, from all formats.
    #[arg(long, value_name = "once|found|drop", default_value_t, value_parser = clap::value_parser!(Title), hide_default_value = true)]
    pub(crate) title: Title,

    /// Where links of Markdown say where they lead: inline, references (at the end) or none.
    #[arg(long, value_name = "inline|references|none", default_value_t, value_parser = clap::value_parser!(Links), hide_default_value = true)]
    pub(crate) links: Links,

    /// For which readers Markdown is: gfm (GitHub's, with tables and notes), or commonmark, which needs no extension and no HTML.
    #[arg(long = "markdown", value_name = "gfm|commonmark", default_value_t, value_parser = clap::value_parser!(Flavour), hide_default_value = true)]
    pub(crate) flavour: Flavour,

    /// Break paragraphs of text and Markdown into lines of at most so many characters. Default: one line each.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(10..))]
    pub(crate) width: Option<u16>,

    /// About how many tokens of a language model a piece has at most, with --format chunks. Default: 1000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_tokens: Option<u32>,
}

impl Looks {
    /// What is written of a page, in a form; a table has columns whether or not fields are named.
    pub(crate) fn rendering(&self, form: Form, fields: &[Field], complement: bool) -> anyhow::Result<Rendering> {
        let is_table = form == Form::Parquet && fields.is_empty();
        let rendering = Rendering {
            format: form.of_pages(),
            complement,
            fields: if is_table { Field::USUAL.to_vec() } else { fields.to_vec() },
            metadata: self.metadata,
            parts: unchaff::Parts::new(self.include.clone(), self.exclude.clone())?,
            title: self.title,
            links: self.links,
            flavour: self.flavour,
            width: self.width.map(usize::from),
            max_tokens: self.max_tokens.map_or(TOKENS, |most| most as usize),
        };
        Ok(rendering.checked()?)
    }
}

/// A command in the place of a technique.
#[derive(Args, Debug)]
pub(crate) struct External {
    /// A command in the place of a technique.
    ///
    /// It reads a page on standard input and prints the text of the block, which is then looked for on the page, or the page with the
    /// attribute data-unchaff on each element of a block. NAME:BLOCK=COMMAND says which block it looks for. With --site and a folder, {pages} in the command stands
    /// for the folder of the site's pages, {key} for the file of the page and {base} for the address of the folder.
    #[arg(long = "external", value_name = "NAME=COMMAND", conflicts_with_all = ["technique", "settings", "store"])]
    command: Option<String>,

    /// Seconds after which the command is given up for a page, with all it started.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..), requires = "command")]
    external_timeout: u64,
}

impl External {
    /// The command, if there is one, for a block.
    pub(crate) fn technique(&self, kind: BlockKind) -> anyhow::Result<Option<ExternalTechnique>> {
        let limit = std::time::Duration::from_secs(self.external_timeout);
        let read = |text: &String| ExternalTechnique::read(text, limit)?.looking_for(kind);
        Ok(self.command.as_ref().map(read).transpose()?)
    }
}

/// Pages, and what to do with them.
#[derive(Args, Debug)]
pub(crate) struct Pages {
    /// Files, folders (read recursively), web addresses, or - for standard input.
    ///
    /// A file can be a page, a web archive (WARC, WACZ, ARC), a zip archive of pages, JSON lines ({"url": …, "html": …}; "path" for a file, or "url" alone to
    /// have it fetched; other fields are handed on in the field given), or a list of addresses, a sitemap or a feed, whose pages are fetched. Standard input is read
    /// if nothing is named and it is not a terminal. What is packed with gzip, Zstandard or LZ4 is unpacked.
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<OsString>,

    /// The site of the pages, for techniques that compare: a mirrored folder, a list of files with their addresses, a
    /// WARC, or a web address.
    ///
    /// The inputs are then pages of it: files of the folder, or addresses. Other pages are loaded as they are needed.
    #[arg(long, value_name = "FOLDER|LIST|WARC|URL")]
    pub(crate) site: Option<OsString>,

    /// The address that a mirrored folder stands for; can be repeated if it has several.
    #[arg(long, value_name = "URL", requires = "site", value_parser = base_url)]
    pub(crate) base_url: Vec<Url>,

    /// Fetch from private networks and this machine too: pages of a site on the web, and where an address of the
    /// web leads.
    ///
    /// An address that is named may be private without this, and then so may all it leads to.
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// A file in which what is learned about sites is kept, made if it is not there.
    ///
    /// What was learned about the site of a page helps with it, and the site learns from the page, so that every page helps those that
    /// come after it. Pages need an address, which tells their site. No technique can be named: it is what --site does by default.
    /// Several processes can share the file; `unchaff store` shows what is in it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["technique", "settings", "explain"])]
    pub(crate) store: Option<PathBuf>,

    /// What to write: text, markdown, html, tei, json, csv, parquet, chunks, annotated, skeleton, hidden, replaced, deleted, restructured, highlighted, html5, ranges or cleaneval.
    ///
    /// html is content markup only, with safe attributes and absolute addresses. tei is XML of the Text Encoding Initiative. json has metadata, the blocks with their
    /// nodes, text, Markdown and warnings. annotated is the whole page, in which every element of a block carries the
    /// attribute data-unchaff with the block's name. skeleton is the page with everything taken out that is not of the
    /// block. csv is a table with a line for each page (--fields), parquet the same as a file of that format (if the program was built with it), chunks are JSON lines with pieces of the Markdown.
    ///
    /// The next are the page itself, for a browser, with scripts that do not run: hidden has the rest hidden by style; replaced has other characters for its
    /// texts (replaced:X: a character, ellipsis or placeholder; without it, blanks); deleted has its texts taken out and its elements
    /// kept; restructured has the block first and navigation last; highlighted has all blocks in colours. html5 is the source with main, nav, header, footer and aside
    /// written in, where it has none (see `unchaff check`). ranges are the places of the
    /// block's texts in the page: first and last character, from 1. cleaneval is text in lines that start with <h>, <p> or <l>. Default: markdown; json for many inputs on standard output, and with --fields.
    #[arg(short, long, value_name = "FORMAT", value_parser = clap::value_parser!(Form))]
    pub(crate) format: Option<Form>,

    /// Show everything but the block, in any format.
    #[arg(long)]
    pub(crate) complement: bool,

    /// The fields of json, and the columns of csv and parquet, and no others: title, author, date, text, markdown and so on.
    ///
    /// All of them: input, url, title, author, date, published, modified, language, site_name, description, image, canonical, kind, tags, categories,
    /// licence, paywalled, words, reading_minutes, fingerprint, confidence, technique, template, warnings, text, markdown, html, comments, posts, additional.
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',', value_parser = clap::value_parser!(Field))]
    pub(crate) fields: Vec<Field>,

    /// The technique; `unchaff techniques` lists them with the defaults.
    #[arg(short, long, value_name = "NAME")]
    pub(crate) technique: Option<String>,

    /// Set a parameter of the technique; can be repeated. PARAMETER=@FILE reads the value from a file.
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = setting)]
    pub(crate) settings: Vec<Setting>,

    #[command(flatten)]
    pub(crate) external: External,

    /// Show what led to the result: weights, ratios or ranges of the nodes that were looked at.
    ///
    /// A table; with --format annotated the page itself, with frames around the blocks and the values of an element
    /// where the pointer rests on it; with --format json the field explanation.
    #[arg(long)]
    pub(crate) explain: bool,

    /// The address of the page, against which its links are resolved. For one input.
    #[arg(long, value_name = "URL", value_parser = page_url)]
    pub(crate) url: Option<String>,

    #[command(flatten)]
    pub(crate) reader: Reader,

    /// Where to write: a file; for many inputs a folder, in which each gets a file of its own.
    #[arg(short, long, value_name = "FILE|DIR")]
    pub(crate) output: Option<PathBuf>,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  unchaff techniques\n  unchaff techniques conex-page")]
pub(crate) struct Techniques {
    /// Tell all about this one: source, cost, parameters with their defaults.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// How pages are read; the same for every command that reads any.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reader {
    /// The charset of the pages, if what they say themselves is not to be believed.
    #[arg(long, value_name = "NAME", value_parser = charset)]
    pub(crate) charset: Option<String>,

    /// Seconds after which a page is given up that is fetched.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,

    /// The most bytes a page may have, unpacked.
    #[arg(long, value_name = "BYTES", default_value_t = 512_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_bytes: u64,
}

impl Reader {
    pub(crate) fn reading(&self) -> Reading {
        let Reader { charset, timeout, max_bytes } = self.clone();
        Reading { charset, timeout: Duration::from_secs(timeout), max_bytes, ..Reading::default() }
    }

    /// The sites of a source; what is wrong with it is told.
    pub(crate) fn sites(&self, sources: &[OsString], base_urls: &[Url]) -> Result<Sites, JobError> {
        let sites = Sites::open(sources, base_urls, &self.reading())?;
        sites.warnings().iter().for_each(|warning| output::inform(warning));
        Ok(sites)
    }
}

/// Text for people, or JSON for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TextOrJson {
    Text,
    Json,
}

/// A value by its name.
pub(crate) fn value<T: ParameterValue>(text: &str) -> Result<T, String> {
    T::read(text).ok_or_else(|| format!("it takes {}", T::takes()))
}

/// A value of one of these names, which the help lists.
pub(crate) fn one_of<T: ParameterValue + Clone + Send + Sync + 'static>(
    names: impl Into<PossibleValuesParser>,
) -> impl TypedValueParser<Value = T> {
    names.into().try_map(|name| value(&name))
}

fn charset(name: &str) -> Result<String, &'static str> {
    let known = unchaff::dom::decode::is_known(name).then(|| name.to_owned());
    known.ok_or("it is not a charset of the web; names are like utf-8, windows-1252, shift_jis, gb18030")
}

fn page_url(text: &str) -> Result<String, &'static str> {
    let is_absolute = Url::parse(text).is_ok_and(|url| url.has_host());
    is_absolute.then(|| text.to_owned()).ok_or("it is not an absolute address; write it like https://example.org/page")
}

fn base_url(text: &str) -> anyhow::Result<Url> {
    Url::parse(text).context("it is not an address; write it like https://example.org/")
}

/// A parameter and its value.
pub(crate) type Setting = (String, String);

/// A setting as it is meant: `PARAMETER=@FILE` has its value in a file.
pub(crate) fn setting(given: &str) -> anyhow::Result<Setting> {
    let (name, value) = parameters::setting(given)?;
    let value = match value.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file).map_err(|error| anyhow::anyhow!("cannot read {file}: {error}"))?,
        None => value.to_owned(),
    };
    Ok((name.to_owned(), value))
}

/// What parameters of a technique are set to.
pub(crate) fn settings<'o>(favor: Option<&'o str>, given: &'o [Setting]) -> Vec<(&'o str, &'o str)> {
    let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    favor.into_iter().map(|favor| ("favor", favor)).chain(given).collect()
}
