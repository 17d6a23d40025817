//! `/v1/techniques`: what the registries know.

use serde::{Deserialize, Serialize};
use unchaff::compare::registry as compare;
use unchaff::page::parameters::Parameter;
use unchaff::{Entry, registry};
use unchaff_segment::registry as segments;

/// All techniques.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TechniqueList {
    pub(crate) techniques: Vec<TechniqueRecord>,
}

/// A technique.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TechniqueRecord {
    pub(crate) name: String,
    /// What it finds: content, template, menu, segments and so on.
    pub(crate) finds: String,
    /// What it looks at: `page`, `site` or `boxes`.
    pub(crate) looks_at: String,
    pub(crate) summary: String,
    pub(crate) source: String,
    pub(crate) cost: String,
    /// Whether it is used if none is named.
    pub(crate) default: bool,
    pub(crate) parameters: Vec<ParameterRecord>,
}

/// A parameter of a technique.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParameterRecord {
    pub(crate) name: String,
    pub(crate) default: String,
    pub(crate) takes: String,
    pub(crate) meaning: String,
}

fn parameters(parameters: Vec<Parameter>) -> Vec<ParameterRecord> {
    let record = |Parameter { name, default, takes, meaning }: Parameter| ParameterRecord {
        name: name.to_owned(),
        default,
        takes,
        meaning: meaning.to_owned(),
    };
    parameters.into_iter().map(record).collect()
}

fn record<T: ?Sized>(entry: &Entry<T>, looks_at: &str, default: bool) -> TechniqueRecord {
    TechniqueRecord {
        name: entry.name.to_owned(),
        finds: entry.kind.as_str().to_owned(),
        looks_at: looks_at.to_owned(),
        summary: entry.summary.to_owned(),
        source: entry.source.to_owned(),
        cost: entry.cost.to_owned(),
        default,
        parameters: parameters(entry.parameters()),
    }
}

/// All techniques of the three registries.
pub(crate) fn list() -> TechniqueList {
    let pages = registry::all().iter().map(|entry| record(entry, "page", registry::default_for(entry.kind) == entry.name));
    let sites = compare::all().iter().map(|entry| record(entry, "site", compare::default_for(entry.kind) == Some(entry.name)));
    let segments = segments::all().iter().map(|entry| TechniqueRecord {
        name: entry.name.to_owned(),
        finds: "segments".to_owned(),
        looks_at: if entry.kind.needs_layout() { "boxes" } else { "page" }.to_owned(),
        summary: entry.summary.to_owned(),
        source: entry.source.to_owned(),
        cost: entry.cost.to_owned(),
        default: entry.name == segments::DEFAULT,
        parameters: parameters((entry.parameters)()),
    });
    TechniqueList { techniques: pages.chain(sites).chain(segments).collect() }
}
