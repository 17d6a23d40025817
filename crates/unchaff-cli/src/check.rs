//! `unchaff check`: where the markup of pages and what is found on them differ, for their authors.

use crate::extract::{Reader, inputs_or_stdin};
use crate::output::{print, said, tell};
use crate::progress::Bar;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use unchaff::{Document, Level};
use unchaff_job::{Watch, guarded, input_name};
use unchaff_source::{Fetcher, Named, inputs, read};

const EXAMPLES: &str = "\
Examples:
  unchaff check page.html
  unchaff check site/ --strict                   every page of a folder; warnings count too
  unchaff check https://example.org/news -f json
  unchaff extract page.html -f html5 > new.html  writes the elements that are missing

Exit code: 0 if there is no error, 1 if there is one (with --strict, or a warning), 2 if a page cannot be read.";

/// What `unchaff check` is asked.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckOptions {
    /// Files, folders (read recursively), web addresses, or - for standard input.
    #[arg(value_name = "INPUT")]
    inputs: Vec<OsString>,

    /// What to write: text (file:line:column: level: message [rule], as editors read it) or json, a line for each page.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = CheckFormat::Text)]
    format: CheckFormat,

    /// Warnings make the exit code 1 too.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    reader: Reader,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum CheckFormat {
    Text,
    Json,
}

pub(crate) fn run(options: &CheckOptions) -> Result<bool> {
    let named = inputs_or_stdin(&options.inputs, "`unchaff check --help` shows examples")?;
    let reading = options.reader.reading()?;
    let fetcher = Fetcher::new(reading.fetch_options(false));
    let worst = if options.strict { Level::Warning } else { Level::Error };
    let (mut is_well, mut unread) = (true, 0u32);
    let bar = Bar::hidden();
    for named in inputs(&named) {
        let checked = named.map_err(anyhow::Error::from).and_then(|Named { input, .. }| {
            let name = input_name(&input);
            let page = reading.page(Document::from(read(&input, &fetcher)?));
            let check = guarded(|| unchaff::check(&page)).with_context(|| name.clone())?;
            Ok((name, check))
        });
        bar.advance(1);
        match checked {
            Err(error) => {
                unread += 1;
                tell(&format!("unchaff: {}", said(&error)));
            }
            Ok((name, mut check)) => {
                is_well &= check.at_least(worst) == 0;
                let text = match options.format {
                    CheckFormat::Text => check.text(&name),
                    CheckFormat::Json => {
                        check.input = Some(name);
                        check.json() + "\n"
                    }
                };
                print(text.as_bytes())?;
            }
        }
    }
    bar.finish_with();
    ensure!(unread == 0, "{unread} pages could not be read");
    Ok(is_well)
}
