//! `unchaff store`: what is in a template store, and how it is looked after.

use crate::arguments::TextOrJson;
use crate::arguments::store::{Import, List, Prune, Show, Store};
use crate::output::{print, said, tell};
use anyhow::{Context, Result, anyhow, ensure};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use unchaff_store::{Imported, Removal, Removed, StoreError, TemplateStore};

pub(crate) fn run(command: &Store) -> Result<()> {
    let (done, store) = match command {
        Store::List(options) => (list(options), &options.store),
        Store::Show(options) => (show(options), &options.store),
        Store::Prune(options) => (prune(options), &options.store),
        Store::Export(options) => (export(&options.store), &options.store),
        Store::Import(options) => (import(options), &options.store),
    };
    done.map_err(|error| with_way_out(error, store))
}

/// Opens a store for a command that uses it.
pub(crate) fn open(path: &Path) -> Result<TemplateStore> {
    TemplateStore::open(path).map_err(|error| with_way_out(error.into(), path))
}

/// An error with what the command offers as a way out, if it is one of the store.
fn with_way_out(error: anyhow::Error, store: &Path) -> anyhow::Error {
    match error.chain().find_map(|cause| way_out(cause.downcast_ref()?, store)) {
        Some(way) => anyhow!("{} ({way})", said(&error)),
        None => error,
    }
}

fn way_out(error: &StoreError, store: &Path) -> Option<String> {
    let store = store.display();
    match error {
        StoreError::Missing { .. } | StoreError::Empty { .. } => Some(format!("`unchaff site … --store {store}` writes one")),
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
    print(if options.format == TextOrJson::Json { kept.json_lines() } else { kept.table() }.as_bytes())
}

fn show(options: &Show) -> Result<()> {
    let Show { store, name, format } = options;
    print(TemplateStore::open_to_read(store)?.show(name, *format == TextOrJson::Json)?.as_bytes())
}

fn prune(options: &Prune) -> Result<()> {
    let Prune { store, retired, unused_days, only, name } = options;
    let removal = Removal { retired: *retired, unused_days: *unused_days, site: only.clone(), template: name.clone() };
    let Removed { models, templates } = TemplateStore::open_existing(store)?.prune(&removal)?;
    print(format!("{models} models and {templates} templates removed\n").as_bytes())
}

fn export(store: &Path) -> Result<()> {
    TemplateStore::open_to_read(store)?.export(|exported| -> Result<()> { print((exported.to_json() + "\n").as_bytes()) })
}

fn import(options: &Import) -> Result<()> {
    let file = options.lines.display();
    let lines: Box<dyn BufRead> = if options.lines == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(&options.lines).with_context(|| format!("cannot read {file}"))?))
    };
    let imported = TemplateStore::open(&options.store)?.import_lines(lines).with_context(|| file.to_string())?;
    ensure!(imported != Imported::default(), "{file} has no lines; `unchaff store export` writes them");
    tell(&imported.to_string());
    Ok(())
}
