//! The gate: figures that must not fall.
//!
//! A file lists floors: a technique with its settings, a suite with its digest, a block, a measure, and the least mean F1. The
//! gate runs what the floors need and fails if a figure is lower, or if the suite is not the one the floor was taken on.
//! Floors are raised when it is asked for and never lowered but by hand, so that a loss of quality is a decision that can
//! be seen in the history of the file. A suite that is not there is skipped: a floor may be for data that only some have.

use crate::database::Database;
use crate::digest::digest;
use crate::form::Form;
use crate::report::table::Table;
use crate::run::{Contender, Options, RunError, run};
use crate::structure::gold;
use crate::suite::{Suite, SuiteError};
use crate::summary::{Results, Selection};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;
use unchaff::{Extractor, SettingError, UnknownTechnique};
use unchaff_job::{JobError, write_file};

/// The measure of Markdown that people wrote, line by line ([`gold`]); its suite is a folder of pages with such Markdown beside them.
const LINES: &str = "lines";

/// Why the gate cannot be checked.
#[derive(Debug, Error)]
pub enum GateError {
    /// The file of floors cannot be read.
    #[error("cannot read {}: {cause}; name the file of floors with --floors FILE", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file of floors is not what it should be.
    #[error(
        "{} is no file of floors: {cause}; it is like {{\"floors\": [{{\"technique\": \"conex-page\", \"suite\": \"pages\", \
         \"digest\": \"\", \"block\": \"content\", \"measure\": \"words\", \"minimum\": 0.8}}]}}",
        .path.display()
    )]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        cause: serde_json::Error,
    },
    /// A suite is there but cannot be used.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A technique cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Pages with Markdown cannot be read.
    #[error("cannot read the pages of {}: {cause}", .path.display())]
    Pages {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// A technique is unknown.
    #[error(transparent)]
    Unknown(#[from] UnknownTechnique),
    /// It takes other settings.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] JobError),
    /// The figures cannot be read.
    #[error("the figures cannot be read: {0}")]
    Figures(#[from] rusqlite::Error),
}

/// The least that a technique must reach.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floor {
    /// The technique.
    pub technique: String,
    /// Its settings other than the defaults.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub settings: Map<String, Value>,
    /// The folder of the suite, relative to the file of floors.
    pub suite: String,
    /// The name of the suite, if the folder holds several and it is not that of the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The digest of the suite; empty until it is filled in by an update.
    pub digest: String,
    /// The block.
    pub block: String,
    /// The measure.
    pub measure: String,
    /// The least mean F1 over the pages of the suite.
    pub minimum: f64,
}

/// A file of floors.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floors {
    /// The floors.
    pub floors: Vec<Floor>,
}

/// How a floor was met.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// It was, with this figure.
    Met(f64),
    /// It was not, with this figure.
    Missed(f64),
    /// The suite has another digest; the figure says nothing.
    OtherSuite {
        /// The digest that the suite has.
        digest: String,
        /// The figure on it.
        actual: f64,
    },
    /// The suite has no page with gold for the block and the measure, or none with boxes, or the technique does not apply to it.
    NoFigure,
    /// The suite is not there.
    Skipped,
}

/// How all floors of a file are met.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The floors.
    pub floors: Floors,
    /// How each of them is met.
    pub verdicts: Vec<Verdict>,
    /// How many were changed, if they were to be raised.
    pub changed: Option<usize>,
}

impl Judged {
    /// Judges the floors of a file, raised to what is reached if that is wanted.
    ///
    /// # Errors
    /// If the file is none of floors, or what they need cannot be run.
    pub fn of(path: &Path, raise: bool, jobs: usize) -> Result<Judged, GateError> {
        let mut floors = Floors::read(path)?;
        let (changed, verdicts) = if raise {
            let (changed, verdicts) = floors.update(path, jobs)?;
            (Some(changed), verdicts)
        } else {
            (None, floors.check(path.parent().unwrap_or(Path::new("")), jobs)?)
        };
        Ok(Judged { floors, verdicts, changed })
    }

    /// How many floors are not met.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.verdicts.iter().filter(|verdict| !verdict.passes()).count()
    }

    /// The verdicts in a form.
    #[must_use]
    pub fn write(&self, form: Form) -> String {
        let Judged { floors, verdicts, .. } = self;
        form.write(|| floors.terminal(verdicts), || floors.markdown(verdicts), || floors.json(verdicts))
    }
}

impl Floors {
    /// Reads a file of floors.
    ///
    /// # Errors
    /// If it cannot be read or is something else.
    pub fn read(path: &Path) -> Result<Floors, GateError> {
        let text = std::fs::read_to_string(path).map_err(|cause| GateError::Read { path: path.to_owned(), cause })?;
        serde_json::from_str(&text).map_err(|cause| GateError::Broken { path: path.to_owned(), cause })
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let floors: Vec<String> =
            self.floors.iter().map(|floor| format!("    {}", serde_json::to_string(floor).unwrap_or_default())).collect();
        format!("{{\n  \"floors\": [\n{}\n  ]\n}}\n", floors.join(",\n"))
    }

    /// Runs what the floors need and says how each of them was met. `folder` is where their file lies.
    ///
    /// # Errors
    /// If a suite that is there cannot be used, or a technique cannot be run.
    pub fn check(&self, folder: &Path, jobs: usize) -> Result<Vec<Verdict>, GateError> {
        let mut verdicts = vec![Verdict::Skipped; self.floors.len()];
        let mut by_suite: BTreeMap<(&str, Option<&str>), Vec<usize>> = BTreeMap::new();
        for (at, floor) in self.floors.iter().enumerate() {
            by_suite.entry((&floor.suite, floor.name.as_deref())).or_default().push(at);
        }
        for ((path, name), places) in by_suite {
            let path = folder.join(path);
            if !path.exists() {
                continue;
            }
            let (lines, places): (Vec<usize>, Vec<usize>) = places.into_iter().partition(|at| self.floors[*at].measure == LINES);
            for at in lines {
                verdicts[at] = verdict_on_lines(&path, &self.floors[at])?;
            }
            if places.is_empty() {
                continue;
            }
            let Some(suite) = suite_in(&path, name)? else { continue };
            let floors: Vec<&Floor> = places.iter().map(|at| &self.floors[*at]).collect();
            for (at, verdict) in places.iter().zip(verdicts_on(suite, &floors, jobs)?) {
                verdicts[*at] = verdict;
            }
        }
        Ok(verdicts)
    }

    /// Raises floors to what was reached, cut to three digits, and fills in digests. A floor that was missed stays. Says
    /// how many floors changed.
    pub fn raise(&mut self, verdicts: &[Verdict]) -> usize {
        let mut changed = 0;
        for (floor, verdict) in self.floors.iter_mut().zip(verdicts) {
            let before = floor.clone();
            let actual = match verdict {
                Verdict::Met(actual) => *actual,
                Verdict::OtherSuite { digest, actual } => {
                    floor.digest.clone_from(digest);
                    *actual
                }
                Verdict::Missed(_) | Verdict::NoFigure | Verdict::Skipped => continue,
            };
            floor.minimum = floor.minimum.max((actual * 1000.0).floor() / 1000.0);
            changed += usize::from(*floor != before);
        }
        changed
    }

    /// Raises the floors of a file and writes it, if any changed; says how many did, and how the floors are met then.
    ///
    /// # Errors
    /// As [`check`](Self::check), or if the file cannot be written.
    pub fn update(&mut self, path: &Path, jobs: usize) -> Result<(usize, Vec<Verdict>), GateError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let verdicts = self.check(folder, jobs)?;
        let changed = self.raise(&verdicts);
        if changed == 0 {
            return Ok((0, verdicts));
        }
        write_file(path, self.to_text().as_bytes())?;
        Ok((changed, self.check(folder, jobs)?))
    }

    /// Floors and figures side by side.
    fn table(&self, verdicts: &[Verdict]) -> Table {
        let mut table = Table::new(&["technique", "suite", "block", "measure", ">floor", ">actual", "verdict"]);
        for (floor, verdict) in self.floors.iter().zip(verdicts) {
            let actual = verdict.actual().map_or_else(|| "–".to_owned(), |actual| format!("{actual:.4}"));
            let cells =
                [floor.label(), floor.title(), floor.block.clone(), floor.measure.clone(), format!("{:.4}", floor.minimum)];
            table.push(cells.into_iter().chain([actual, verdict.text(floor)]).collect());
        }
        table
    }

    /// For the terminal.
    #[must_use]
    pub fn terminal(&self, verdicts: &[Verdict]) -> String {
        self.table(verdicts).terminal()
    }

    /// In Markdown.
    #[must_use]
    pub fn markdown(&self, verdicts: &[Verdict]) -> String {
        self.table(verdicts).markdown()
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self, verdicts: &[Verdict]) -> Value {
        let row = |(floor, verdict): (&Floor, &Verdict)| json!({"floor": floor, "actual": verdict.actual(), "passed": verdict.passes(), "verdict": verdict.text(floor)});
        json!({"rows": self.floors.iter().zip(verdicts).map(row).collect::<Vec<Value>>()})
    }
}

impl Floor {
    fn settings(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.settings.iter().map(|(name, value)| (name.clone(), text(value))).collect()
    }

    fn label(&self) -> String {
        let settings: Vec<String> = self.settings().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if settings.is_empty() { self.technique.clone() } else { format!("{}:{}", self.technique, settings.join(",")) }
    }

    fn title(&self) -> String {
        format!("{} {}", self.name.as_ref().unwrap_or(&self.suite), self.digest).trim_end().to_owned()
    }
}

impl Verdict {
    fn of(actual: f64, floor: &Floor, digest: &str) -> Verdict {
        match actual {
            _ if floor.digest != digest => Verdict::OtherSuite { digest: digest.to_owned(), actual },
            _ if actual >= floor.minimum => Verdict::Met(actual),
            _ => Verdict::Missed(actual),
        }
    }

    /// Whether the gate stays open.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Verdict::Met(_) | Verdict::Skipped)
    }

    /// The figure that was reached.
    #[must_use]
    pub fn actual(&self) -> Option<f64> {
        match self {
            Verdict::Met(actual) | Verdict::Missed(actual) | Verdict::OtherSuite { actual, .. } => Some(*actual),
            Verdict::NoFigure | Verdict::Skipped => None,
        }
    }

    fn text(&self, floor: &Floor) -> String {
        match self {
            Verdict::Met(_) => "met".to_owned(),
            Verdict::Missed(_) => "MISSED".to_owned(),
            Verdict::OtherSuite { digest, .. } if floor.digest.is_empty() => format!("NO DIGEST, the suite's is {digest}"),
            Verdict::OtherSuite { digest, .. } => format!("OTHER SUITE, now {digest}"),
            Verdict::NoFigure => "NO FIGURE, the suite has no such gold, or no boxes of its pages".to_owned(),
            Verdict::Skipped => "skipped, the suite is not here".to_owned(),
        }
    }
}

/// The suite of a name in a folder; of several without a name, the one that is called like the folder.
fn suite_in(path: &Path, name: Option<&str>) -> Result<Option<Suite>, SuiteError> {
    let mut suites = match Suite::open(path) {
        Err(SuiteError::NoSuite(_)) => return Ok(None),
        suites => suites?,
    };
    if name.is_none() && suites.len() == 1 {
        return Ok(suites.pop());
    }
    let folder = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(suites.into_iter().find(|suite| suite.name == name.unwrap_or(&folder)))
}

fn verdict_on_lines(path: &Path, floor: &Floor) -> Result<Verdict, GateError> {
    let unread = |cause| GateError::Pages { path: path.to_owned(), cause };
    let files = gold::pages(path).map_err(unread)?;
    let settings = floor.settings();
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let extractor = Extractor::with_settings(Extractor::entry(&floor.technique)?, &settings)?;
    let Some(actual) = gold::mean(&files, &extractor).map_err(unread)? else { return Ok(Verdict::NoFigure) };
    let all: Vec<PathBuf> = files.into_iter().flat_map(|file| [file.with_extension("md"), file]).collect();
    Ok(Verdict::of(actual, floor, &digest(path, &all)))
}

fn verdicts_on(suite: Suite, floors: &[&Floor], jobs: usize) -> Result<Vec<Verdict>, GateError> {
    let contender = |floor: &&Floor| Contender::one(&floor.technique, &floor.settings());
    let contenders = floors.iter().map(contender).collect::<Result<Vec<Contender>, RunError>>()?;
    let mut options = Options { jobs, ..Options::default() };
    options.measures.subsequences = floors.iter().any(|floor| floor.measure.contains("lcs"));
    let suites = [suite];
    let mut database = Database::in_memory().map_err(RunError::from)?;
    run(&mut database, &suites, &contenders, &options, &|_, _| {})?;
    let results = Results::read(database.connection(), Selection::default())?;
    let summary = results.summary()?;
    let verdict = |(floor, contender): (&&Floor, &Contender)| {
        let record = contender.record();
        let row = summary.rows.iter().find(|row| {
            let technique = &results.techniques[row.technique];
            technique.name == record.name
                && technique.settings == record.settings
                && *row.block == *floor.block
                && *row.measure == *floor.measure
        });
        let Some(actual) = row.map(|row| row.figures.f1) else { return Verdict::NoFigure };
        Verdict::of(actual, floor, &suites[0].digest)
    };
    Ok(floors.iter().zip(&contenders).map(verdict).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tiny_suite;

    fn floor(technique: &str, suite: &str, digest: &str, minimum: f64) -> Floor {
        Floor {
            technique: technique.to_owned(),
            settings: Map::new(),
            suite: suite.to_owned(),
            name: None,
            digest: digest.to_owned(),
            block: "content".to_owned(),
            measure: "word-bag".to_owned(),
            minimum,
        }
    }

    #[test]
    fn floors_are_met_missed_or_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let suite = tiny_suite::write(&folder.path().join("tiny"), 6);
        let mut right = floor("lqf", "tiny", &suite.digest, 0.9);
        right.settings.insert("threshold".to_owned(), json!(0.5));
        let mut menu = floor("menex", "tiny", &suite.digest, 0.1);
        menu.block = "menu".to_owned();
        let mut floors = Floors {
            floors: vec![
                right,
                floor("lqf", "tiny", &suite.digest, 0.5),
                floor("lqf:threshold=0.5", "tiny", "0123456789abcdef", 0.5),
                floor("lqf", "elsewhere", "", 0.5),
                menu,
            ],
        };
        let verdicts = floors.check(folder.path(), 1).unwrap();
        let other = Verdict::OtherSuite { digest: suite.digest.clone(), actual: 1.0 };
        assert_eq!(verdicts, [Verdict::Met(1.0), Verdict::Missed(0.0), other, Verdict::Skipped, Verdict::NoFigure]);
        assert_eq!(verdicts.iter().map(Verdict::passes).collect::<Vec<_>>(), [true, false, false, true, false]);
        let table = floors.terminal(&verdicts);
        assert!(
            ["MISSED", "OTHER SUITE", "skipped", "NO FIGURE", "lqf:threshold=0.5"].iter().all(|word| table.contains(word)),
            "{table}"
        );

        // Raised where it was met, told the digest where that was another, and never lowered.
        assert_eq!(floors.raise(&verdicts), 2);
        assert_eq!(floors.floors.iter().map(|floor| floor.minimum).collect::<Vec<_>>(), [1.0, 0.5, 1.0, 0.5, 0.1]);
        assert_eq!(floors.floors[2].digest, suite.digest);
        let again = floors.check(folder.path(), 2).unwrap();
        assert_eq!((&again[2], &again[1]), (&Verdict::Met(1.0), &Verdict::Missed(0.0)));
    }

    #[test]
    fn the_file_is_written_as_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("floors.json");
        let mut with_settings = floor("conex-page", "../suites/a", "00", 0.25);
        with_settings.settings.insert("c".to_owned(), json!(2));
        let floors = Floors { floors: vec![with_settings, floor("bte", "b", "", 0.5)] };
        std::fs::write(&path, floors.to_text()).unwrap();
        assert_eq!(Floors::read(&path).unwrap(), floors);
        assert_eq!(floors.to_text().lines().count(), 6);
        std::fs::write(&path, "{\"floors\": [{\"technique\": \"bte\"}]}").unwrap();
        let said = Floors::read(&path).unwrap_err().to_string();
        assert!(said.contains("minimum") && said.contains("suite"), "{said}");
        assert!(Floors::read(&folder.path().join("none")).unwrap_err().to_string().contains("--floors"));
    }

    #[test]
    fn a_floor_of_an_unknown_technique_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let suite = tiny_suite::write(&folder.path().join("tiny"), 2);
        for name in ["lqff", "all"] {
            let floors = Floors { floors: vec![floor(name, "tiny", &suite.digest, 0.5)] };
            assert!(floors.check(folder.path(), 1).unwrap_err().to_string().contains("there is no technique"));
        }
    }
}
