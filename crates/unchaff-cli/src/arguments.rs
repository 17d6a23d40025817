//! What can be asked of the command, and its help.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use unchaff::Format;

/// Separates what a web page is about from everything around it.
#[derive(Parser, Debug)]
#[command(name = "unchaff", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Exit code: 0 if all went well, 1 if an input failed (the others are done), 2 if nothing could be done.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Extract the main content of pages.
    Extract(Extract),
    /// List the techniques, or tell all about one.
    Techniques(Techniques),
    /// Print a completion script for a shell.
    #[command(after_help = "Example:\n  unchaff completions bash > ~/.local/share/bash-completion/completions/unchaff")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    #[command(after_help = "Example:\n  unchaff man | man -l -")]
    Man,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  unchaff extract page.html                      the content as Markdown
  unchaff extract https://example.org/news       fetched from the web
  curl -s https://example.org | unchaff extract --url https://example.org --format json
  unchaff extract mirror/ -o content/ -f text    every page of a folder, one file each
  unchaff extract mirror/ > content.jsonl        every page of a folder, JSON lines
  unchaff extract page.html -f annotated > marked.html
")]
pub(crate) struct Extract {
    /// Files, folders (read recursively), web addresses, or - for standard input.
    ///
    /// Standard input is read if nothing is named and it is not a terminal. Files compressed with gzip are unpacked.
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<std::ffi::OsString>,

    /// What to write: text, markdown, html, json or annotated.
    ///
    /// html is content markup only, with safe attributes and absolute addresses. json has metadata, the blocks with their
    /// nodes, text, Markdown and warnings. annotated is the whole page, in which every element of a block carries the
    /// attribute data-unchaff with the block's name. Default: markdown; json for many inputs on standard output.
    #[arg(short, long, value_name = "FORMAT", value_parser = clap::value_parser!(Format))]
    pub(crate) format: Option<Format>,

    /// The technique; `unchaff techniques` lists them.
    #[arg(short, long, value_name = "NAME", default_value = unchaff::registry::DEFAULT)]
    pub(crate) technique: String,

    /// Set a parameter of the technique; can be repeated.
    #[arg(long = "set", value_name = "PARAMETER=VALUE")]
    pub(crate) settings: Vec<String>,

    /// The address of the page, against which its links are resolved. For one input.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,

    /// The charset of the pages, if what they say themselves is not to be believed.
    #[arg(long, value_name = "NAME")]
    pub(crate) charset: Option<String>,

    /// Write to this file; for many inputs, a folder, in which each gets a file of its own.
    #[arg(short, long, value_name = "FILE|DIR")]
    pub(crate) output: Option<PathBuf>,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,

    /// Seconds after which fetching a page is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,

    /// The most bytes a page may have, unpacked.
    #[arg(long, value_name = "BYTES", default_value_t = 512_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_bytes: u64,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  unchaff techniques\n  unchaff techniques conex-page")]
pub(crate) struct Techniques {
    /// Tell all about this one: source, cost, parameters with their defaults.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}
