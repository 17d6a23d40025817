//! The list of techniques, from the registries.

use crate::frame::{Answer, Request};
use serde::Serialize;
use unchaff::page::parameters::Parameter;
use unchaff_segment::catalogue;

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

fn listed(one: catalogue::Technique) -> Technique {
    let parameter = |Parameter { name, default, takes, meaning }| OneParameter { name, default, takes, meaning };
    Technique {
        name: one.name,
        kind: one.finds(),
        level: one.looks_at.as_str(),
        family: one.family,
        default: one.is_default,
        summary: one.summary,
        source: one.source,
        cost: one.cost,
        parameters: one.parameters.into_iter().map(parameter).collect(),
    }
}

pub(crate) fn list(_: &Request<'_>) -> Result<Answer, String> {
    Answer::json(&catalogue::all().into_iter().map(listed).collect::<Vec<_>>())
}
