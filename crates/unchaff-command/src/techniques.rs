//! `unchaff techniques`: what the registries know.

use crate::arguments::Techniques;
use crate::output;
use std::fmt::Write as _;
use unchaff::Extractor;
use unchaff_segment::catalogue::{self, LooksAt, Technique};

pub(crate) fn run(options: &Techniques) -> anyhow::Result<()> {
    let all = catalogue::all();
    let text = match &options.name {
        None => list(&all),
        Some(name) => match all.iter().find(|technique| technique.name == name) {
            Some(technique) => details(technique),
            None => return Ok(Extractor::entry(name).map(|_| ())?),
        },
    };
    output::print(text.as_bytes())
}

/// A line for each technique.
fn list(all: &[Technique]) -> String {
    let (of_blocks, of_segments): (Vec<&Technique>, Vec<_>) = all.iter().partition(|technique| technique.block.is_some());
    let (of_sites, of_pages): (Vec<_>, Vec<_>) = of_blocks.into_iter().partition(|technique| technique.looks_at == LooksAt::Site);
    let width = of_pages.iter().chain(&of_sites).map(|technique| technique.name.len()).max().unwrap_or(0);
    let part = |title: &str, techniques: Vec<&Technique>| {
        techniques.into_iter().fold(format!("{title}:\n"), |text, technique| {
            let default = if technique.is_default { " (default)" } else { "" };
            text + &format!("{:width$}  {:8}  {}{default}\n", technique.name, technique.finds(), technique.summary)
        })
    };
    let pages = part("From one page", of_pages);
    let sites = part("From several pages of a site (--site)", of_sites);
    [pages, sites, part("Parts of a rendered page (unchaff segment)", of_segments)].join("\n")
}

/// All about one.
fn details(technique: &Technique) -> String {
    let Technique { name, summary, source, cost, .. } = technique;
    let from = match (technique.block, technique.looks_at) {
        (None, LooksAt::Boxes) => "one rendered page (unchaff segment)",
        (None, _) => "one page (unchaff segment)",
        (_, LooksAt::Site) => "several pages of a site (--site)",
        _ => "one page",
    };
    let mut text = format!("{name}: {summary}\n\nfinds   {}\nfrom    {from}\n", technique.finds());
    let _ = writeln!(text, "source  {source}\ncost    {cost}\n\nparameters (--set NAME=VALUE), with their defaults:");
    for parameter in &technique.parameters {
        let _ = writeln!(text, "  {}={}  ({})\n      {}", parameter.name, parameter.default, parameter.takes, parameter.meaning);
    }
    text
}
