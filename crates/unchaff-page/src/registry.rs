//! All techniques by name: what they find, where they come from, their parameters.
//!
//! A new technique is one new file and one entry here; the command line and the documentation read this list.

use crate::conex::{Conex, Params};
use crate::{BlockKind, PageTechnique};
use thiserror::Error;

/// The technique used when none is named.
pub const DEFAULT: &str = "conex-page";

/// A parameter of a technique.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in settings (`name=value`).
    pub name: &'static str,
    /// Its published or chosen value.
    pub default: &'static str,
    /// What it does, and which values it takes.
    pub meaning: &'static str,
}

/// Why a setting was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingError {
    /// The technique has no such parameter.
    #[error("{technique} has no parameter `{name}`; it has {known}")]
    Unknown {
        /// The technique.
        technique: &'static str,
        /// The name that was given.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// The parameter does not take this value.
    #[error("`{value}` is not a value of {technique}'s `{name}`: {meaning}")]
    Value {
        /// The technique.
        technique: &'static str,
        /// The parameter.
        name: String,
        /// The value that was given.
        value: String,
        /// What the parameter means.
        meaning: &'static str,
    },
}

/// What is known about a technique.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// The block it finds.
    pub kind: BlockKind,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// How its cost grows.
    pub cost: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    build: fn(&[(&str, &str)]) -> Result<Box<dyn PageTechnique>, usize>,
}

impl Entry {
    /// The technique with its default parameters.
    #[must_use]
    pub fn default_technique(&self) -> Box<dyn PageTechnique> {
        match self.technique(&[]) {
            Ok(technique) => technique,
            Err(_) => unreachable!("no setting can be wrong when there is none"),
        }
    }

    /// The technique with some parameters set to other values.
    ///
    /// # Errors
    /// If a parameter does not exist or does not take its value.
    pub fn technique(&self, settings: &[(&str, &str)]) -> Result<Box<dyn PageTechnique>, SettingError> {
        (self.build)(settings).map_err(|wrong| {
            let (name, value) = settings[wrong];
            match self.parameters.iter().find(|parameter| parameter.name == name) {
                Some(parameter) => {
                    SettingError::Value { technique: self.name, name: name.to_owned(), value: value.to_owned(), meaning: parameter.meaning }
                }
                None => {
                    let known = self.parameters.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(", ");
                    SettingError::Unknown { technique: self.name, name: name.to_owned(), known }
                }
            }
        })
    }
}

/// Applies settings to parameters one by one; the position of the first that is refused.
fn apply<P: Default>(settings: &[(&str, &str)], set: impl Fn(&mut P, &str, &str) -> Option<()>) -> Result<P, usize> {
    let mut params = P::default();
    for (at, (name, value)) in settings.iter().enumerate() {
        set(&mut params, name, value).ok_or(at)?;
    }
    Ok(params)
}

static ENTRIES: &[Entry] = &[Entry {
    name: "conex-page",
    kind: BlockKind::Content,
    summary: "Nodes as points in a space of four ratios; the content is among the farthest from the centre",
    source: "J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapter 6 (page-level ConEx)",
    cost: "linear in the page times its depth",
    parameters: crate::conex::PARAMETERS,
    build: |settings| Ok(Box::new(Conex::new(apply(settings, Params::set)?))),
}];

/// All techniques.
#[must_use]
pub fn all() -> &'static [Entry] {
    ENTRIES
}

/// The technique of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_builds_with_each_of_its_documented_defaults() {
        for entry in all() {
            assert_eq!(entry.default_technique().name(), entry.name);
            for parameter in entry.parameters {
                entry.technique(&[(parameter.name, parameter.default)]).unwrap_or_else(|error| panic!("{error}"));
            }
        }
        assert!(find(DEFAULT).is_some());
    }

    #[test]
    fn a_wrong_setting_is_refused_with_what_would_be_right() {
        let conex = find("conex-page").unwrap();
        let unknown = conex.technique(&[("c", "2"), ("d", "1")]).err().unwrap().to_string();
        assert!(unknown.contains("`d`") && unknown.contains("max-words"), "{unknown}");
        let value = conex.technique(&[("c", "many")]).err().unwrap().to_string();
        assert!(value.contains("`many`") && value.contains("`c`"), "{value}");
    }
}
