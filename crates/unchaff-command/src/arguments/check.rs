//! What can be asked of `unchaff check`, and its help.

use super::{Reader, TextOrJson};
use clap::Args;
use std::ffi::OsString;

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
    pub(crate) inputs: Vec<OsString>,

    /// What to write: text (file:line:column: level: message [rule], as editors read it) or json, a line for each page.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,

    /// Warnings make the exit code 1 too.
    #[arg(long)]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) reader: Reader,
}
