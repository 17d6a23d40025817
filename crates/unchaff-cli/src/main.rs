//! The `unchaff` command: what the user asks for, read once, then done. See `arguments.rs` for what can be asked.

mod arguments;
mod extract;
mod output;
mod techniques;

use arguments::{Arguments, Command};
use clap::{CommandFactory, Parser};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.command {
        Command::Extract(options) => extract::run(&options, unchaff::registry::DEFAULT),
        Command::Menu(options) => extract::run(&options, unchaff::registry::DEFAULT_MENU),
        Command::Techniques(options) => techniques::run(&options).map(|()| true),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "unchaff", &mut script);
            output::print(&script).map(|()| true)
        }
        Command::Man => man_page().map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "unchaff: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// One page for the command and all its subcommands.
fn man_page() -> anyhow::Result<()> {
    let mut page = Vec::new();
    let mut command = Arguments::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set() && subcommand.get_name() != "help")
    {
        clap_mangen::Man::new(subcommand.clone()).render(&mut page)?;
    }
    output::print(&page)
}
