//! The `unchaff` command: what the user asks for, read once, then done. See `arguments.rs` for what can be asked.
//!
//! It is a library by itself, so that whatever else carries the engine (the Python package) can be the command too, and so that it can be built small: the program is built at
//! the level of the crate that `main` is in, and that must be fast.

mod arguments;
mod bench;
mod check;
mod cluster;
mod crawl;
mod extract;
#[cfg(feature = "serve")]
mod mcp;
mod output;
mod progress;
mod segment;
#[cfg(feature = "serve")]
mod serve;
mod site;
mod store;
mod techniques;
#[cfg(test)]
mod vocabulary;

use anyhow::Context;
use arguments::{Arguments, Command, OfContent};
use clap::{CommandFactory, Parser};
use std::ffi::OsString;
use std::path::Path;
use unchaff::BlockKind;

/// Runs the command with these arguments, the first of which is its own name. Ends the process where there is only help to show,
/// or where the arguments make no sense.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = Arguments::parse_from(arguments);
    if arguments.quiet {
        output::be_quiet();
    }
    let done = match arguments.command {
        Command::Extract(options) => extract::run(&options.pages, &options.content, BlockKind::Content),
        Command::Menu(options) => extract::run(&options, &OfContent::default(), BlockKind::Menu),
        Command::Template(options) => extract::run(&options, &OfContent::default(), BlockKind::Template),
        Command::Site(options) => site::run(&options),
        Command::Store(command) => store::run(&command).map(|()| true),
        Command::Cluster(options) => cluster::run(&options),
        Command::Segment(options) => segment::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Crawl(options) => crawl::run(&options),
        #[cfg(feature = "serve")]
        Command::Serve(options) => serve::run(&options).map(|()| true),
        #[cfg(feature = "serve")]
        Command::Mcp(options) => mcp::run(&options).map(|()| true),
        Command::Techniques(options) => techniques::run(&options).map(|()| true),
        Command::Bench(command) => bench::run(command),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "unchaff", &mut script);
            output::print(&script).map(|()| true)
        }
        Command::Man { output: None } => man_page().map(|()| true),
        Command::Man { output: Some(folder) } => man_pages(&folder).map(|()| true),
    };
    match done {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(error) if output::is_closed_pipe(&error) => 0,
        Err(error) => {
            output::inform(&output::said(&error));
            2
        }
    }
}

/// The manual: a page for the command and one for each subcommand, in the order of the help.
fn manual() -> Vec<clap_mangen::Man> {
    let mut command = Arguments::command();
    command.build();
    let (mut pages, mut rest) = (Vec::new(), vec![command]);
    while let Some(command) = rest.pop() {
        if !command.is_hide_set() && command.get_name() != "help" {
            let below: Vec<_> = command.get_subcommands().cloned().collect();
            rest.extend(below.into_iter().rev());
            pages.push(clap_mangen::Man::new(command).source(concat!("unchaff ", env!("CARGO_PKG_VERSION"))));
        }
    }
    pages
}

/// Writes each page of the manual into a file.
fn man_pages(folder: &Path) -> anyhow::Result<()> {
    let why = || format!("cannot write manual pages to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(why)?;
    manual().iter().try_for_each(|page| page.generate_to(folder).map(drop)).with_context(why)
}

/// Prints the manual as one.
fn man_page() -> anyhow::Result<()> {
    let mut page = Vec::new();
    manual().iter().try_for_each(|part| part.render(&mut page))?;
    output::print(&page)
}
