//! `unchaff store`: what is in a template store, and how it is looked after.

use crate::output::print;
use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, Subcommand};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use unchaff_store::{Imported, LineError, LineFault, Removal, Removed, StoreError, TemplateStore};

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

fn list(options: &List) -> Result<()> {
    let kept = TemplateStore::open_to_read(&options.store)?.list(options.only.as_deref())?;
    print(if options.format == "json" { kept.json_lines() } else { kept.table() }.as_bytes())
}

fn show(options: &Show) -> Result<()> {
    let Show { store, name, format } = options;
    print(TemplateStore::open_to_read(store)?.show(name, format == "json")?.as_bytes())
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
    let imported = TemplateStore::open(store)?.import_lines(lines);
    let Imported { models, templates, known, blocks } = imported.map_err(|LineError { line, cause }| {
        let cause = match cause {
            LineFault::Read(cause) => anyhow::Error::from(cause),
            LineFault::Parse(cause) => cause.into(),
            LineFault::Store(cause) => cause.into(),
        };
        cause.context(format!("{}, line {line}", path.display()))
    })?;
    ensure!(models + templates + known + blocks > 0, "{} has no lines; `unchaff store export` writes them", path.display());
    let left_out = match blocks {
        0 => String::new(),
        _ => {
            format!("; {blocks} templates of blocks left out, which are not carried over any more: their sites are learned again")
        }
    };
    writeln!(std::io::stderr(), "{models} models and {templates} templates imported, {known} were there already{left_out}")?;
    Ok(())
}
