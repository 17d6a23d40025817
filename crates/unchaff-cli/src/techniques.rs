//! `unchaff techniques`: what the registry knows.

use crate::arguments::Techniques;
use crate::output;
use std::fmt::Write as _;
use unchaff::compare::registry as compare;
use unchaff::page::parameters::Parameter;
use unchaff::{Entry, Extractor, registry};
use unchaff_segment::registry as segments;

/// The lines of one technique, whatever it looks at.
fn details<T: ?Sized, K>(entry: &Entry<T, K>, finds: &str, looks_at: &str) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    writeln!(text, "{}: {}\n", entry.name, entry.summary)?;
    writeln!(text, "finds   {finds}\nfrom    {looks_at}\nsource  {}\ncost    {}\n", entry.source, entry.cost)?;
    list_parameters(&mut text, &entry.parameters())?;
    Ok(text)
}

fn list_parameters(text: &mut String, parameters: &[Parameter]) -> std::fmt::Result {
    writeln!(text, "parameters (--set NAME=VALUE), with their defaults:")?;
    for parameter in parameters {
        writeln!(text, "  {}={}  ({})\n      {}", parameter.name, parameter.default, parameter.takes, parameter.meaning)?;
    }
    Ok(())
}

/// A line for each technique.
fn list<T: ?Sized>(text: &mut String, entries: &[Entry<T>], width: usize, is_default: impl Fn(&Entry<T>) -> bool) {
    for entry in entries {
        let default = if is_default(entry) { " (default)" } else { "" };
        let _ = writeln!(text, "{:width$}  {:8}  {}{default}", entry.name, entry.kind.as_str(), entry.summary);
    }
}

pub(crate) fn run(options: &Techniques) -> anyhow::Result<()> {
    let text = match &options.name {
        None => {
            let names = registry::all().iter().map(|entry| entry.name).chain(compare::all().iter().map(|entry| entry.name));
            let width = names.map(str::len).max().unwrap_or(0);
            let mut text = String::from("From one page:\n");
            list(&mut text, registry::all(), width, |entry| registry::default_for(entry.kind) == entry.name);
            text.push_str("\nFrom several pages of a site (--site):\n");
            list(&mut text, compare::all(), width, |entry| compare::default_for(entry.kind) == Some(entry.name));
            text.push_str("\nParts of a rendered page (unchaff segment):\n");
            for entry in segments::all() {
                let default = if entry.name == segments::DEFAULT { " (default)" } else { "" };
                let _ = writeln!(text, "{:width$}  {:8}  {}{default}", entry.name, "segments", entry.summary);
            }
            text
        }
        Some(name) => match (segments::find(name), compare::find(name)) {
            (Some(entry), _) if entry.kind.needs_layout() => details(entry, "segments", "one rendered page (unchaff segment)")?,
            (Some(entry), _) => details(entry, "segments", "one page (unchaff segment)")?,
            (_, Some(entry)) => details(entry, entry.kind.as_str(), "several pages of a site (--site)")?,
            (None, None) => {
                let entry = Extractor::entry(name)?;
                details(entry, entry.kind.as_str(), "one page")?
            }
        },
    };
    output::print(text.as_bytes())
}
