//! `unchaff store`: what is in a template store, and how it is looked after.

use crate::output::print;
use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use unchaff::compare::carried_over::templates::{StoredTemplate, Templates};
use unchaff_store::{Exported, ImportError, Listing, ModelSummary, Removal, Removed, StoreError, TemplateStore, TemplateSummary};

/// What can be asked of a store.
#[derive(Subcommand, Debug)]
pub(crate) enum Store {
    /// List what is kept of each site: its model, and the templates whose segments are carried over.
    #[command(
        after_help = "A model tells content, template and menu of a site's pages; its pages are those it was learned from. A template has the segments of one page for others like it; its pages are those it recognised.\n\nExamples:\n  unchaff store list templates.db\n  unchaff store list templates.db --only example.org -f json"
    )]
    List(List),
    /// Show a template, with its elements and the segment each belongs to, or tell about the model of a site.
    #[command(after_help = "Examples:\n  unchaff store show templates.db 3fa2\n  unchaff store show templates.db example.org")]
    Show(Show),
    /// Remove models and templates: retired ones, those not used for long, those of a site.
    #[command(
        after_help = "A template is retired when none of the last 1,000 pages of its site was recognised by it; it is then not used any more, but kept until it is pruned. What is removed is learned again when pages come by.\n\nExamples:\n  unchaff store prune templates.db --retired\n  unchaff store prune templates.db --unused-days 90\n  unchaff store prune templates.db --only example.org"
    )]
    Prune(Prune),
    /// Write all models and templates as JSON lines, one a line.
    #[command(after_help = "Example:\n  unchaff store export templates.db > templates.jsonl")]
    Export(Export),
    /// Read models and templates from JSON lines into a store. A model is merged into that of its site; of two templates of one name, the one that
    /// recognised more pages stays.
    #[command(after_help = "Example:\n  unchaff store import other.db templates.jsonl")]
    Import(Import),
}

#[derive(Args, Debug)]
pub(crate) struct List {
    /// The store.
    #[arg(value_name = "FILE")]
    store: PathBuf,
    /// Only this site, by name.
    #[arg(long, alias = "site", value_name = "SITE")]
    only: Option<String>,
    /// What to write: text, or json (lines).
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    format: String,
}

#[derive(Args, Debug)]
pub(crate) struct Show {
    /// The store.
    #[arg(value_name = "FILE")]
    store: PathBuf,
    /// The template's name, or how it starts; or a site.
    #[arg(value_name = "TEMPLATE|SITE")]
    name: String,
    /// What to write: text, or json.
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    format: String,
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("which").required(true).multiple(true))]
pub(crate) struct Prune {
    /// The store.
    #[arg(value_name = "FILE")]
    store: PathBuf,
    /// Remove templates that are retired.
    #[arg(long, group = "which")]
    retired: bool,
    /// Remove templates by which no page was recognised, and models of sites of which no page was learned, for so many days.
    #[arg(long, value_name = "N", group = "which")]
    unused_days: Option<u32>,
    /// Only this site, by name: remove all that is kept of it.
    #[arg(long, alias = "site", value_name = "SITE", group = "which")]
    only: Option<String>,
    /// Remove the template of this name, or whose name starts with it.
    #[arg(long, alias = "template", value_name = "TEMPLATE", group = "which")]
    name: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Export {
    /// The store.
    #[arg(value_name = "FILE")]
    store: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Import {
    /// The store; it is made if it is not there.
    #[arg(value_name = "FILE")]
    store: PathBuf,
    /// The JSON lines, or - for standard input.
    #[arg(value_name = "LINES")]
    lines: PathBuf,
}

pub(crate) fn run(command: &Store) -> Result<()> {
    let (done, store) = match command {
        Store::List(options) => (list(options), &options.store),
        Store::Show(options) => (show(options), &options.store),
        Store::Prune(options) => (prune(options), &options.store),
        Store::Export(options) => (export(options), &options.store),
        Store::Import(options) => (import(options), &options.store),
    };
    done.map_err(|error| with_way_out(error, store))
}

/// Opens a store for a command that uses it.
pub(crate) fn open(path: &Path) -> Result<TemplateStore> {
    TemplateStore::open(path).map_err(|error| with_way_out(error, path))
}

/// An error with what the command offers as a way out, if it is one of the store.
pub(crate) fn with_way_out(error: impl Into<anyhow::Error>, store: &Path) -> anyhow::Error {
    let error = error.into();
    let way = error.chain().find_map(|cause| way_out(cause.downcast_ref()?, store));
    match way {
        Some(way) => anyhow!("{error:#} ({way})"),
        None => error,
    }
}

fn way_out(error: &StoreError, store: &Path) -> Option<String> {
    let store = store.display();
    match error {
        StoreError::Missing { .. } => Some(format!("`unchaff site … --store {store}` writes one")),
        StoreError::DamagedModel { site, .. } => Some(format!("`unchaff store prune {store} --only {site}` removes it")),
        StoreError::DamagedTemplate { name, .. } => Some(format!("`unchaff store prune {store} --name {name}` removes it")),
        StoreError::Unknown { .. } | StoreError::Ambiguous { .. } => {
            Some(format!("`unchaff store list {store}` shows what is there"))
        }
        _ => None,
    }
}

/// A model or a template as a line of JSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Listed<'s> {
    Model(ListedModel<'s>),
    Template(ListedTemplate<'s>),
}

#[derive(Serialize)]
struct ListedModel<'s> {
    site: &'s str,
    pages: u64,
    bytes: u64,
    created: &'s str,
    learned: &'s str,
}

#[derive(Serialize)]
struct ListedTemplate<'s> {
    template: &'s str,
    site: &'s str,
    maker: &'s str,
    url: &'s str,
    /// `learning`, `in use` or `retired`.
    state: &'static str,
    pages: u64,
    missed: u64,
    bytes: u64,
    created: &'s str,
    matched: Option<&'s str>,
    retired: Option<&'s str>,
}

impl<'s> From<&'s ModelSummary> for ListedModel<'s> {
    fn from(summary: &'s ModelSummary) -> ListedModel<'s> {
        let ModelSummary { site, pages, bytes, created, learned } = summary;
        ListedModel { site, pages: *pages, bytes: *bytes, created, learned }
    }
}

impl<'s> From<&'s TemplateSummary> for ListedTemplate<'s> {
    fn from(summary: &'s TemplateSummary) -> ListedTemplate<'s> {
        let TemplateSummary { name, site, maker, url, ripe, pages, missed, created, matched, retired, bytes } = summary;
        let state = match (retired, ripe) {
            (Some(_), _) => "retired",
            (None, true) => "in use",
            (None, false) => "learning",
        };
        let (matched, retired) = (matched.as_deref(), retired.as_deref());
        ListedTemplate {
            template: name,
            site,
            maker,
            url,
            state,
            pages: *pages,
            missed: *missed,
            bytes: *bytes,
            created,
            matched,
            retired,
        }
    }
}

impl Listed<'_> {
    fn site(&self) -> &str {
        match self {
            Listed::Model(model) => model.site,
            Listed::Template(template) => template.site,
        }
    }

    /// As a line of the table.
    fn line(&self, width: usize) -> String {
        let day = |time: &str| time.get(..10).unwrap_or_default().to_owned();
        match self {
            Listed::Model(ListedModel { site, pages, bytes, learned, .. }) => {
                format!("{site:width$}  {:13}  {:8}  {pages:>7}  {:>6}  {bytes:>9}  {}", "model", "in use", "", day(learned))
            }
            Listed::Template(listed) => {
                let ListedTemplate { template, site, maker, url, state, pages, missed, bytes, created, matched, .. } = listed;
                // The settings of a technique take too much room here; JSON and `show` have them.
                let maker = maker.split(' ').next().unwrap_or_default();
                let last = day(matched.unwrap_or(created));
                format!("{site:width$}  {maker:13}  {state:8}  {pages:>7}  {missed:>6}  {bytes:>9}  {last}  {template}  {url}")
            }
        }
    }
}

fn list(options: &List) -> Result<()> {
    let Listing { models, templates } = TemplateStore::open_to_read(&options.store)?.list(options.only.as_deref())?;
    let models = models.iter().map(|model| Listed::Model(model.into()));
    let mut listed: Vec<Listed<'_>> = models.chain(templates.iter().map(|template| Listed::Template(template.into()))).collect();
    // The model of a site stands before its templates.
    listed.sort_by(|one, other| one.site().cmp(other.site()));
    let mut text = String::new();
    if options.format == "json" {
        for listed in &listed {
            text += &serde_json::to_string(listed)?;
            text.push('\n');
        }
        return print(text.as_bytes());
    }
    if listed.is_empty() {
        return print(b"nothing is kept\n");
    }
    let width = listed.iter().map(|listed| listed.site().chars().count()).max().unwrap_or(0).max("site".len());
    writeln!(
        text,
        "{:width$}  {:13}  {:8}  {:>7}  {:>6}  {:>9}  {:10}  {:16}  page",
        "site", "of", "state", "pages", "missed", "bytes", "last", "template"
    )?;
    for listed in &listed {
        writeln!(text, "{}", listed.line(width))?;
    }
    print(text.as_bytes())
}

/// A template, element by element.
#[derive(Serialize)]
struct Shown<'s> {
    template: &'s str,
    site: &'s str,
    maker: &'s str,
    url: &'s str,
    ripe: bool,
    paths: usize,
    elements: Vec<Element>,
}

#[derive(Serialize)]
struct Element {
    depth: usize,
    element: String,
    blocks: Vec<String>,
}

fn shown(template: &StoredTemplate) -> Shown<'_> {
    let StoredTemplate { name, site, maker, url, dom, paths, blocks, ripe, .. } = template;
    let mut depths: Vec<usize> = Vec::with_capacity(dom.len());
    let elements = (0..dom.len() as u32).map(|element| {
        let depth = dom.parent(element).map_or(0, |parent| depths[parent as usize] + 1);
        depths.push(depth);
        // Segments are told apart by their numbers, as many are of one kind.
        let inside = (1..).zip(blocks).filter(|(_, block)| block.contains(element));
        // Kind, level and name; the name says it all.
        let called = |kind: &'_ str| kind.splitn(3, ' ').nth(2).unwrap_or(kind).to_owned();
        let blocks = inside.map(|(number, block): (usize, _)| format!("{number} {}", called(&block.kind))).collect();
        Element { depth, element: dom.token(element), blocks }
    });
    let elements = elements.collect();
    Shown { template: name, site, maker, url, ripe: *ripe, paths: paths.len(), elements }
}

fn show(options: &Show) -> Result<()> {
    let Show { store, name, format } = options;
    let store = TemplateStore::open_to_read(store)?;
    let of_site = store.list(Some(name))?;
    if of_site != Listing::default() {
        return show_site(&store, name, &of_site, format == "json");
    }
    let template = store.template(name)?;
    let shown = shown(&template);
    if format == "json" {
        return print((serde_json::to_string(&shown)? + "\n").as_bytes());
    }
    let Shown { template, site, maker, url, ripe, paths, elements } = shown;
    let mut text = String::new();
    writeln!(text, "template  {template}\nsite      {site}\nof        {maker}\npage      {url}")?;
    writeln!(
        text,
        "state     {}",
        if ripe { "in use: its segments are carried over" } else { "learning: its pages are still analysed" }
    )?;
    writeln!(text, "paths     {paths}\n")?;
    for Element { depth, element, blocks } in elements {
        let blocks = if blocks.is_empty() { String::new() } else { format!("  [{}]", blocks.join(", ")) };
        writeln!(text, "{:1$}{element}{blocks}", "", 2 * depth)?;
    }
    print(text.as_bytes())
}

/// What is known of a site: its model, and how many templates there are.
#[derive(Serialize)]
struct ShownSite<'s> {
    site: &'s str,
    model: Option<ListedModel<'s>>,
    templates: usize,
}

fn show_site(store: &TemplateStore, site: &str, kept: &Listing, as_json: bool) -> Result<()> {
    // A damaged model is told here, before somebody needs it.
    store.model(site)?;
    let shown = ShownSite { site, model: kept.models.first().map(Into::into), templates: kept.templates.len() };
    if as_json {
        return print((serde_json::to_string(&shown)? + "\n").as_bytes());
    }
    let mut text = format!("site       {site}\n");
    match &shown.model {
        Some(ListedModel { pages, bytes, created, learned, .. }) => {
            writeln!(text, "model      learned from {pages} pages, {bytes} bytes\ncreated    {created}\nlearned    {learned}")?;
        }
        None => text += "model      none\n",
    }
    writeln!(text, "templates  {}", shown.templates)?;
    print(text.as_bytes())
}

fn prune(options: &Prune) -> Result<()> {
    let Prune { store, retired, unused_days, only, name } = options;
    let removal = Removal { retired: *retired, unused_days: *unused_days, site: only.clone(), template: name.clone() };
    let Removed { models, templates } = TemplateStore::open_existing(store)?.prune(&removal)?;
    print(format!("{models} models and {templates} templates removed\n").as_bytes())
}

fn export(options: &Export) -> Result<()> {
    TemplateStore::open_to_read(&options.store)?
        .export(|exported| -> Result<()> { print((exported.to_json() + "\n").as_bytes()) })
}

fn import(options: &Import) -> Result<()> {
    let Import { store, lines: path } = options;
    let lines: Box<dyn BufRead> = if path == Path::new(OsStr::new("-")) {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).with_context(|| format!("cannot read {}", path.display()))?))
    };
    let mut store = TemplateStore::open(store)?;
    let (mut models, mut templates, mut known, mut blocks) = (0, 0, 0, 0);
    for (number, line) in (1..).zip(lines.lines()) {
        let place = || format!("{}, line {number}", path.display());
        let line = line.with_context(place)?;
        if line.trim().is_empty() {
            continue;
        }
        let exported = match Exported::parse(&line) {
            Err(ImportError::Blocks { .. }) => {
                blocks += 1;
                continue;
            }
            parsed => parsed.with_context(place)?,
        };
        let count = match &exported {
            _ if !store.import(&exported).with_context(place)? => &mut known,
            Exported::Model(_) => &mut models,
            Exported::Template(_) => &mut templates,
        };
        *count += 1;
    }
    ensure!(models + templates + known + blocks > 0, "{} has no lines; `unchaff store export` writes them", path.display());
    let mut said = format!("{models} models and {templates} templates imported, {known} were there already");
    if blocks > 0 {
        write!(
            said,
            "; {blocks} templates of blocks left out, which are not carried over any more: their sites are learned again"
        )?;
    }
    writeln!(std::io::stderr(), "{said}")?;
    Ok(())
}
