//! The list of techniques, from the registries.

use crate::frame::{Answer, Request};
use serde::Serialize;
use unchaff::compare::registry as compare;
use unchaff::page::parameters::Parameter;
use unchaff::{Entry, registry};
use unchaff_segment::registry as segments;

#[derive(Serialize)]
struct Technique {
    name: &'static str,
    kind: &'static str,
    level: &'static str,
    family: &'static str,
    default: bool,
    summary: &'static str,
    source: &'static str,
    cost: &'static str,
    parameters: Vec<OneParameter>,
}

#[derive(Serialize)]
struct OneParameter {
    name: &'static str,
    default: String,
    takes: String,
    meaning: &'static str,
}

fn parameters(parameters: Vec<Parameter>) -> Vec<OneParameter> {
    let list = |Parameter { name, default, takes, meaning }| OneParameter { name, default, takes, meaning };
    parameters.into_iter().map(list).collect()
}

fn technique<T: ?Sized>(entry: &Entry<T>, level: &'static str, family: &'static str, default: bool) -> Technique {
    Technique {
        name: entry.name,
        kind: entry.kind.as_str(),
        level,
        family,
        default,
        summary: entry.summary,
        source: entry.source,
        cost: entry.cost,
        parameters: parameters(entry.parameters()),
    }
}

pub(crate) fn list(_: &Request<'_>) -> Result<Answer, String> {
    let of_pages = registry::all()
        .iter()
        .map(|entry| technique(entry, "page", registry::family(entry.name), registry::default_for(entry.kind) == entry.name));
    let of_sites = compare::all()
        .iter()
        .map(|entry| technique(entry, "site", compare::family(entry.name), compare::default_for(entry.kind) == Some(entry.name)));
    let of_boxes = segments::all().iter().map(|entry| Technique {
        name: entry.name,
        kind: "segments",
        level: if entry.kind.needs_layout() { "boxes" } else { "page" },
        family: if entry.kind.needs_layout() { "boxes" } else { "tree" },
        default: entry.name == segments::DEFAULT,
        summary: entry.summary,
        source: entry.source,
        cost: entry.cost,
        parameters: parameters((entry.parameters)()),
    });
    Answer::json(&of_pages.chain(of_sites).chain(of_boxes).collect::<Vec<_>>())
}
