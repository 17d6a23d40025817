//! What can be asked of `unchaff store`, and its help.

use super::TextOrJson;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What can be asked of a store.
#[derive(Subcommand, Debug)]
pub(crate) enum Store {
    /// List what is kept of each site: its model, its answers, and the templates whose segments are carried over.
    #[command(
        after_help = "A model tells content, template and menu of a site's pages; its pages are those it was learned from. Answers are what was written of pages, for when they come again as they were. A template has the segments of one page for others like it; its pages are those it recognised.\n\nExamples:\n  unchaff store list templates.db\n  unchaff store list templates.db --only example.org -f json"
    )]
    List(List),
    /// Show a template, with its elements and the segment each belongs to, or tell about the model of a site.
    #[command(after_help = "Examples:\n  unchaff store show templates.db 3fa2\n  unchaff store show templates.db example.org")]
    Show(Show),
    /// Remove models, with their answers, and templates: retired ones, those not used for long, those of a site.
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
    pub(crate) store: PathBuf,
    /// Only this site, by name.
    #[arg(long, alias = "site", value_name = "SITE")]
    pub(crate) only: Option<String>,
    /// What to write: text, or json (lines).
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,
}

#[derive(Args, Debug)]
pub(crate) struct Show {
    /// The store.
    #[arg(value_name = "FILE")]
    pub(crate) store: PathBuf,
    /// The template's name, or how it starts; or a site.
    #[arg(value_name = "TEMPLATE|SITE")]
    pub(crate) name: String,
    /// What to write: text, or json.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("which").required(true).multiple(true))]
pub(crate) struct Prune {
    /// The store.
    #[arg(value_name = "FILE")]
    pub(crate) store: PathBuf,
    /// Remove templates that are retired.
    #[arg(long, group = "which")]
    pub(crate) retired: bool,
    /// Remove templates by which no page was recognised, and models of sites of which no page was learned, for so many days.
    #[arg(long, value_name = "N", group = "which")]
    pub(crate) unused_days: Option<u32>,
    /// Only this site, by name: remove all that is kept of it.
    #[arg(long, alias = "site", value_name = "SITE", group = "which")]
    pub(crate) only: Option<String>,
    /// Remove the template of this name, or whose name starts with it.
    #[arg(long, alias = "template", value_name = "TEMPLATE", group = "which")]
    pub(crate) name: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Export {
    /// The store.
    #[arg(value_name = "FILE")]
    pub(crate) store: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Import {
    /// The store; it is made if it is not there.
    #[arg(value_name = "FILE")]
    pub(crate) store: PathBuf,
    /// The JSON lines, or - for standard input.
    #[arg(value_name = "LINES")]
    pub(crate) lines: PathBuf,
}
