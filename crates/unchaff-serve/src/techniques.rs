//! `/v1/techniques`: what the registries know.

use serde::{Deserialize, Serialize};
use unchaff::page::parameters::Parameter;
use unchaff_segment::catalogue::{self, Technique};

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

fn record(technique: Technique) -> TechniqueRecord {
    let parameter = |Parameter { name, default, takes, meaning }: Parameter| ParameterRecord {
        name: name.to_owned(),
        default,
        takes,
        meaning: meaning.to_owned(),
    };
    TechniqueRecord {
        name: technique.name.to_owned(),
        finds: technique.finds().to_owned(),
        looks_at: technique.looks_at.as_str().to_owned(),
        summary: technique.summary.to_owned(),
        source: technique.source.to_owned(),
        cost: technique.cost.to_owned(),
        default: technique.is_default,
        parameters: technique.parameters.into_iter().map(parameter).collect(),
    }
}

/// All techniques of the three registries.
pub(crate) fn list() -> TechniqueList {
    TechniqueList { techniques: catalogue::all().into_iter().map(record).collect() }
}
