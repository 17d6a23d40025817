//! What a suite has and what is wrong with it, for people and programs.

use super::{Layout, Problem, Split, Suite, SuiteError};
use crate::form::Form;
use crate::gold::Notation;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// What a suite has. As text it is a few lines; as JSON an object of the same fields.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Overview {
    /// The name.
    pub name: String,
    /// Its folder.
    pub root: String,
    /// How it is laid out.
    pub layout: Layout,
    /// Its identity.
    pub digest: String,
    /// How many pages it has.
    pub pages: usize,
    /// How many of them are for training.
    pub train: usize,
    /// How many are for evaluation.
    pub eval: usize,
    /// The size of these pages.
    pub bytes: u64,
    /// Pages by category.
    pub categories: BTreeMap<String, usize>,
    /// Pages by language.
    pub languages: BTreeMap<String, usize>,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// What all suites in folders have, every page of which was loaded.
#[derive(Clone, PartialEq, Debug)]
pub struct Overviews(pub Vec<Overview>);

impl Overviews {
    /// Opens and checks all suites in folders.
    ///
    /// # Errors
    /// If a folder holds none.
    pub fn of(folders: &[PathBuf], notation: Notation) -> Result<Overviews, SuiteError> {
        let mut suites = Suite::open_all(folders, notation)?;
        suites.iter_mut().for_each(Suite::check);
        Ok(Overviews(suites.iter().map(Suite::overview).collect()))
    }

    /// Whether nothing is wrong with any.
    #[must_use]
    pub fn are_well(&self) -> bool {
        self.0.iter().all(|suite| suite.problems.is_empty())
    }

    /// As a few lines for each suite, or as JSON.
    #[must_use]
    pub fn write(&self, form: Form) -> String {
        let lines = || self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        form.write(lines, lines, || serde_json::json!(self.0))
    }
}

impl Suite {
    /// Loads every page and adds what is wrong with it to the [problems](Suite::problems).
    pub fn check(&mut self) {
        let found: Vec<Vec<String>> = self
            .items
            .par_iter()
            .map(|item| {
                let mut notes = Vec::new();
                if let Err(error) = self.load_noting(item, &mut notes) {
                    notes.push(error.to_string());
                }
                notes
            })
            .collect();
        for (item, notes) in self.items.iter().zip(found) {
            self.problems.extend(notes.into_iter().map(|what| Problem { item: Some(item.id.clone()), what }));
        }
    }

    /// What it has.
    #[must_use]
    pub fn overview(&self) -> Overview {
        let count = |split: Split| self.items.iter().filter(|item| item.split == Some(split)).count();
        let (mut categories, mut languages) = (BTreeMap::new(), BTreeMap::new());
        for item in &self.items {
            for (counts, name) in [(&mut categories, &item.category), (&mut languages, &item.language)] {
                if let Some(name) = name {
                    *counts.entry(name.clone()).or_insert(0) += 1;
                }
            }
        }
        Overview {
            name: self.name.clone(),
            root: self.root.display().to_string(),
            layout: self.layout,
            digest: self.digest.clone(),
            pages: self.items.len(),
            train: count(Split::Train),
            eval: count(Split::Eval),
            bytes: self.items.iter().map(|item| item.bytes).sum(),
            categories,
            languages,
            problems: self.problems.clone(),
        }
    }
}

impl fmt::Display for Overview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Overview { name, layout, digest, pages, train, eval, bytes, .. } = self;
        let megabytes = *bytes as f64 / 1e6;
        writeln!(f, "{name}  {layout}  {digest}  {pages} pages ({train} train, {eval} eval), {megabytes:.1} MB")?;
        for (title, counts) in [("categories", &self.categories), ("languages", &self.languages)] {
            if !counts.is_empty() {
                let list: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
                writeln!(f, "  {title}: {}", list.join(", "))?;
            }
        }
        for problem in &self.problems {
            writeln!(f, "  ! {problem}")?;
        }
        Ok(())
    }
}
