//! `unchaff store`: what is in a template store, and how it is looked after.

use crate::output::print;
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use unchaff_store::{BLOCKS, ExportedTemplate, Removal, StoredTemplate, TemplateStore, TemplateSummary};

/// What can be asked of a store.
#[derive(Subcommand, Debug)]
pub(crate) enum Store {
    /// List the templates: their sites, what is kept of them, how many pages they recognised, and when.
    #[command(
        after_help = "Examples:\n  unchaff store list templates.db\n  unchaff store list templates.db --site example.org -f json"
    )]
    List(List),
    /// Show a template: its elements, and which block or segment each belongs to.
    #[command(after_help = "Example:\n  unchaff store show templates.db 3fa2")]
    Show(Show),
    /// Remove templates: retired ones, those not used for long, those of a site.
    #[command(
        after_help = "A template is retired when none of the last 1,000 pages of its site was recognised by it; it is then not used any more, but kept until it is pruned.\n\nExamples:\n  unchaff store prune templates.db --retired\n  unchaff store prune templates.db --unused-days 90"
    )]
    Prune(Prune),
    /// Write all templates as JSON lines, one template a line.
    #[command(after_help = "Example:\n  unchaff store export templates.db > templates.jsonl")]
    Export(Export),
    /// Read templates from JSON lines into a store. Of two of one name, the one that recognised more pages stays.
    #[command(after_help = "Example:\n  unchaff store import other.db templates.jsonl")]
    Import(Import),
}

#[derive(Args, Debug)]
pub(crate) struct List {
    /// The store.
    #[arg(value_name = "FILE")]
    store: PathBuf,
    /// Only templates of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// What to write: text, or json (lines).
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    format: String,
}

#[derive(Args, Debug)]
pub(crate) struct Show {
    /// The store.
    #[arg(value_name = "FILE")]
    store: PathBuf,
    /// The template's name, or how it starts.
    #[arg(value_name = "TEMPLATE")]
    template: String,
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
    /// Remove templates by which no page was recognised for so many days.
    #[arg(long, value_name = "N", group = "which")]
    unused_days: Option<u32>,
    /// Remove all templates of this site.
    #[arg(long, value_name = "SITE", group = "which")]
    site: Option<String>,
    /// Remove this template, by its name or how it starts.
    #[arg(long, value_name = "TEMPLATE", group = "which")]
    template: Option<String>,
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
    match command {
        Store::List(options) => list(options),
        Store::Show(options) => show(options),
        Store::Prune(options) => prune(options),
        Store::Export(options) => export(options),
        Store::Import(options) => import(options),
    }
}

/// A template as a line of JSON.
#[derive(Serialize)]
struct Listed<'s> {
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

impl<'s> From<&'s TemplateSummary> for Listed<'s> {
    fn from(summary: &'s TemplateSummary) -> Listed<'s> {
        let TemplateSummary { name, site, maker, url, ripe, pages, missed, created, matched, retired, bytes } = summary;
        let state = match (retired, ripe) {
            (Some(_), _) => "retired",
            (None, true) => "in use",
            (None, false) => "learning",
        };
        let (matched, retired) = (matched.as_deref(), retired.as_deref());
        Listed {
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

fn list(options: &List) -> Result<()> {
    let templates = TemplateStore::open_existing(&options.store)?.list(options.site.as_deref())?;
    let mut text = String::new();
    if options.format == "json" {
        for template in &templates {
            text += &serde_json::to_string(&Listed::from(template))?;
            text.push('\n');
        }
        return print(text.as_bytes());
    }
    if templates.is_empty() {
        return print(b"no templates\n");
    }
    let width = templates.iter().map(|template| template.site.chars().count()).max().unwrap_or(0).max("site".len());
    writeln!(
        text,
        "{:16}  {:width$}  {:13}  {:8}  {:>7}  {:>6}  {:>8}  {:10}  page",
        "template", "site", "of", "state", "pages", "missed", "bytes", "last"
    )?;
    for template in &templates {
        let Listed { template, site, maker, url, state, pages, missed, bytes, created, matched, .. } = Listed::from(template);
        // The settings of a technique take too much room here; JSON and `show` have them.
        let maker = maker.split(' ').next().unwrap_or_default();
        let last = matched.unwrap_or(created).get(..10).unwrap_or_default();
        writeln!(
            text,
            "{template:16}  {site:width$}  {maker:13}  {state:8}  {pages:>7}  {missed:>6}  {bytes:>8}  {last:10}  {url}"
        )?;
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
    learned_pages: usize,
    learned_keys: usize,
    elements: Vec<Element>,
}

#[derive(Serialize)]
struct Element {
    depth: usize,
    element: String,
    blocks: Vec<String>,
}

fn shown(template: &StoredTemplate) -> Shown<'_> {
    let StoredTemplate { name, site, maker, url, dom, paths, blocks, learned, ripe, .. } = template;
    let mut depths: Vec<usize> = Vec::with_capacity(dom.len());
    let elements = (0..dom.len() as u32).map(|element| {
        let depth = dom.parent(element).map_or(0, |parent| depths[parent as usize] + 1);
        depths.push(depth);
        // Segments are told apart by their numbers, as many are of one kind.
        let called = |(number, kind): (usize, &str)| if maker == BLOCKS { kind.to_owned() } else { format!("{number} {kind}") };
        let inside = (1..).zip(blocks).filter(|(_, block)| block.contains(element)).map(|(at, block)| called((at, &block.kind)));
        Element { depth, element: dom.token(element), blocks: inside.collect() }
    });
    let elements = elements.collect();
    let (learned_pages, learned_keys) = (learned.pages(), learned.keys());
    Shown { template: name, site, maker, url, ripe: *ripe, paths: paths.len(), learned_pages, learned_keys, elements }
}

fn show(options: &Show) -> Result<()> {
    let template = TemplateStore::open_existing(&options.store)?.template(&options.template)?;
    let shown = shown(&template);
    if options.format == "json" {
        return print((serde_json::to_string(&shown)? + "\n").as_bytes());
    }
    let Shown { template, site, maker, url, ripe, paths, learned_pages, learned_keys, elements } = shown;
    let mut text = String::new();
    writeln!(text, "template  {template}\nsite      {site}\nof        {maker}\npage      {url}")?;
    writeln!(
        text,
        "state     {}",
        if ripe { "in use: its blocks are carried over" } else { "learning: its pages are still analysed" }
    )?;
    writeln!(text, "paths     {paths}\nlearned   {learned_keys} keys from {learned_pages} pages\n")?;
    for Element { depth, element, blocks } in elements {
        let blocks = if blocks.is_empty() { String::new() } else { format!("  [{}]", blocks.join(", ")) };
        writeln!(text, "{:1$}{element}{blocks}", "", 2 * depth)?;
    }
    print(text.as_bytes())
}

fn prune(options: &Prune) -> Result<()> {
    let Prune { store, retired, unused_days, site, template } = options;
    let removal = Removal { retired: *retired, unused_days: *unused_days, site: site.clone(), template: template.clone() };
    let removed = TemplateStore::open_existing(store)?.prune(&removal)?;
    print(format!("{removed} templates removed\n").as_bytes())
}

fn export(options: &Export) -> Result<()> {
    TemplateStore::open_existing(&options.store)?
        .export(|template| -> Result<()> { print((serde_json::to_string(template)? + "\n").as_bytes()) })
}

fn import(options: &Import) -> Result<()> {
    let Import { store, lines: path } = options;
    let lines: Box<dyn BufRead> = if path == Path::new(OsStr::new("-")) {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).with_context(|| format!("cannot read {}", path.display()))?))
    };
    let mut store = TemplateStore::open(store)?;
    let (mut stored, mut known) = (0, 0);
    for (number, line) in (1..).zip(lines.lines()) {
        let place = || format!("{}, line {number}", path.display());
        let line = line.with_context(place)?;
        if line.trim().is_empty() {
            continue;
        }
        let (exported, template) = ExportedTemplate::parse(&line).with_context(place)?;
        *if store.import(&exported, &template).with_context(place)? { &mut stored } else { &mut known } += 1;
    }
    ensure!(stored + known > 0, "{} has no lines; `unchaff store export` writes them", path.display());
    writeln!(std::io::stderr(), "{stored} templates imported, {known} were there already")?;
    Ok(())
}
