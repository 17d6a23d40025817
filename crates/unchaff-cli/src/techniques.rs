//! `unchaff techniques`: what the registry knows.

use crate::arguments::Techniques;
use crate::output;
use std::fmt::Write as _;
use unchaff::{Extractor, registry};

pub(crate) fn run(options: &Techniques) -> anyhow::Result<()> {
    let mut text = String::new();
    match &options.name {
        None => {
            let width = registry::all().iter().map(|entry| entry.name.len()).max().unwrap_or(0);
            for entry in registry::all() {
                let default = if [registry::DEFAULT, registry::DEFAULT_MENU].contains(&entry.name) { " (default)" } else { "" };
                writeln!(text, "{:width$}  {:8}  {}{default}", entry.name, entry.kind.as_str(), entry.summary)?;
            }
        }
        Some(name) => {
            let entry = Extractor::entry(name)?;
            writeln!(text, "{}: {}\n", entry.name, entry.summary)?;
            writeln!(text, "finds   {}\nsource  {}\ncost    {}\n", entry.kind, entry.source, entry.cost)?;
            writeln!(text, "parameters (--set NAME=VALUE), with their defaults:")?;
            for parameter in entry.parameters() {
                writeln!(text, "  {}={}  ({})\n      {}", parameter.name, parameter.default, parameter.takes, parameter.meaning)?;
            }
        }
    }
    output::print(text.as_bytes())
}
