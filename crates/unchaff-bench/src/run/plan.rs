//! A run as it is asked for: the suites, who takes part, where results are kept, and whether settings are looked for; and what came of it.

use super::{Contender, Done, HttpOptions, Options, RunError, check_applicable, render_missing, run};
use crate::database::{Database, DatabaseError};
use crate::form::Form;
use crate::gold::Notation;
use crate::report::{self, ReportError, ReportOptions};
use crate::suite::{MissingBoxes, Suite, SuiteError};
use crate::summary::Selection;
use crate::sweep::{Sweep, Swept, sweep};
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;
use unchaff_job::external;

/// Why there are no results.
#[derive(Debug, Error)]
pub enum PlanError {
    /// A suite cannot be opened.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// Something cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Boxes are missing.
    #[error(transparent)]
    Boxes(#[from] MissingBoxes),
    /// The results cannot be kept.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Who takes part.
#[derive(Clone, Debug)]
pub struct Entrants {
    /// Names of techniques, also with settings, or `all`: of these, those stay out that no suite has a gold standard for.
    pub techniques: Vec<String>,
    /// Settings for all of them.
    pub settings: Vec<(String, String)>,
    /// External commands.
    pub commands: Vec<String>,
    /// Systems behind HTTP.
    pub systems: Vec<String>,
    /// How long a command or a system may take for a page.
    pub limit: Duration,
    /// Whether systems on other machines may be asked.
    pub anywhere: bool,
    /// Where we are the upstream proxy of systems, if we are.
    pub replay: Option<String>,
}

impl Default for Entrants {
    fn default() -> Self {
        Entrants {
            techniques: Vec::new(),
            settings: Vec::new(),
            commands: Vec::new(),
            systems: Vec::new(),
            limit: external::TIME_LIMIT,
            anywhere: false,
            replay: None,
        }
    }
}

impl Entrants {
    /// All of them, ready to run.
    ///
    /// # Errors
    /// If something that is named does not exist, is of the wrong form, or fits no suite.
    pub fn contenders(&self, suites: &[Suite]) -> Result<Vec<Contender>, RunError> {
        let trimmed = |(name, value): &(String, String)| (name.trim().to_owned(), value.trim().to_owned());
        let settings: Vec<(String, String)> = self.settings.iter().map(trimmed).collect();
        let mut contenders = Vec::new();
        for name in &self.techniques {
            let mut named = Contender::named(name, &settings)?;
            if name == "all" {
                named.retain(|contender| check_applicable(std::slice::from_ref(contender), suites).is_ok());
            }
            contenders.extend(named);
        }
        for text in &self.commands {
            contenders.push(Contender::external(text, self.limit)?);
        }
        check_applicable(&contenders, suites)?;
        if !self.systems.is_empty() {
            let how = HttpOptions::new(self.limit, self.anywhere, self.replay.as_deref())?;
            let systems = self.systems.iter().map(|text| Contender::http(text, &how)).collect::<Result<Vec<_>, _>>()?;
            check_applicable(&systems, suites)?;
            contenders.extend(systems);
        }
        Ok(contenders)
    }
}

/// What is to be run, on what.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Folders of suites.
    pub suites: Vec<PathBuf>,
    /// How their labels are read.
    pub notation: Notation,
    /// Where boxes are kept, if it is not with the suite or in the user's cache.
    pub layouts: Option<PathBuf>,
    /// Who takes part.
    pub entrants: Entrants,
    /// How to run.
    pub options: Options,
    /// The settings to be tried, if the best are looked for.
    pub sweep: Option<Sweep>,
    /// The file of results; they are gone afterwards if there is none.
    pub database: Option<PathBuf>,
}

/// What came of a plan.
#[derive(Debug)]
pub struct Ran {
    /// The results.
    pub database: Database,
    /// What was done.
    pub outcome: Outcome,
}

/// What was done.
#[derive(Debug)]
pub enum Outcome {
    /// Settings of each technique were looked for.
    Swept(Vec<Swept>),
    /// All was run, and this is what of the results it was.
    Run(Done, Box<Selection>),
}

impl Plan {
    /// The suites, and who takes part.
    ///
    /// # Errors
    /// If a suite cannot be opened, or something that is named cannot be run on any.
    pub fn opened(&self) -> Result<(Vec<Suite>, Vec<Contender>), PlanError> {
        let mut suites = Suite::open_all(&self.suites, self.notation)?;
        if let Some(folder) = &self.layouts {
            suites.iter_mut().for_each(|suite| suite.keep_boxes_in(folder));
        }
        let contenders = self.entrants.contenders(&suites)?;
        Ok((suites, contenders))
    }

    /// Runs it, and tells what is going on; `progress` is told of each page that is finished, and of how many there are.
    ///
    /// # Errors
    /// If something cannot be opened or run.
    pub fn run(&self, tell: &mut dyn FnMut(&str), progress: &(dyn Fn(u64, u64) + Sync)) -> Result<Ran, PlanError> {
        let (suites, contenders) = self.opened()?;
        let mut database = match &self.database {
            Some(path) => Database::open(path)?,
            None => Database::in_memory()?,
        };
        render_missing(&suites, &contenders, &self.options, tell)?;
        let outcome = match &self.sweep {
            Some(plan) => {
                let swept = contenders.iter().map(|base| sweep(&mut database, &suites, base, plan, &self.options, progress));
                Outcome::Swept(swept.collect::<Result<_, _>>()?)
            }
            None => {
                let done = run(&mut database, &suites, &contenders, &self.options, progress)?;
                let selection = Selection {
                    techniques: contenders.iter().map(|contender| contender.name.clone()).collect(),
                    suites: suites.iter().map(|suite| suite.digest.clone()).collect(),
                    split: self.options.split.map(|split| split.to_string()),
                    ..Selection::default()
                };
                Outcome::Run(done, Box::new(selection))
            }
        };
        Ok(Ran { database, outcome })
    }
}

impl Ran {
    /// What was done, and how fast: a line, or one for each technique whose settings were looked for.
    #[must_use]
    pub fn done(&self) -> Vec<Done> {
        match &self.outcome {
            Outcome::Swept(swept) => swept.iter().map(|one| one.done).collect(),
            Outcome::Run(done, _) => vec![*done],
        }
    }

    /// What came of it, in a form; with `beta` also an F in which recall weighs so many times as much as precision.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn write(&self, form: Form, beta: Option<f64>) -> Result<String, ReportError> {
        match &self.outcome {
            Outcome::Swept(swept) => Ok(Swept::write(swept, form)),
            Outcome::Run(_, selection) => {
                let selection = Selection { beta, ..Selection::clone(selection) };
                report::write(&self.database, &ReportOptions { selection, ..ReportOptions::default() }, form)
            }
        }
    }
}
