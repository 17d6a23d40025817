//! Experiments as others send them: in batches of JSON, in the form in which they are [exported](crate::export).
//!
//! After the evaluation back end of Alarte (2023), which takes experiments of many browsers at a time, some hundreds in one request, because one
//! request for each was too much. A batch is entered as a whole or not at all, and entering it again changes nothing. What is sent is not
//! believed: names have a length, shares are shares, and the folder of a suite is never taken from outside, since pages of it are shown.

use crate::database::{Database, DatabaseError, Experiment, PageRecord, ScoreRecord, TechniqueRecord};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::HashMap;
use thiserror::Error;

/// Most experiments of a batch.
pub const MOST_IN_BATCH: usize = 10_000;

/// Most bytes of a name or a message.
const LONGEST: usize = 2_000;

/// Most scores of one experiment.
const MOST_SCORES: usize = 200;

/// One technique on one page, with the fields of a line that `unchaff bench export --format jsonl` writes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentRecord {
    /// The name of the suite.
    pub suite: String,
    /// The digest over its files.
    pub digest: String,
    /// The page's name in the suite.
    pub item: String,
    /// Its category.
    #[serde(default)]
    pub category: Option<String>,
    /// Its language.
    #[serde(default)]
    pub language: Option<String>,
    /// `train` or `eval`.
    #[serde(default)]
    pub split: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// How many nodes it has.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// How many words it has.
    #[serde(default)]
    pub words: Option<u64>,
    /// The technique.
    pub technique: String,
    /// `page`, `site`, `segment` or `external`.
    pub kind: String,
    /// The version of the program that has it.
    pub version: String,
    /// Settings other than the defaults.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// How many pages it loaded.
    #[serde(default)]
    pub loads: Option<u64>,
    /// The time that loading took.
    #[serde(default)]
    pub load_seconds: Option<f64>,
    /// The time that computing took.
    #[serde(default)]
    pub compute_seconds: Option<f64>,
    /// The same for each 1,000 bytes; follows from the others.
    #[serde(default)]
    pub seconds_per_kb: Option<f64>,
    /// How often it was computed.
    #[serde(default)]
    pub repetitions: Option<u32>,
    /// 1 if the time settled, 0 if it did not; none if it was not taken by the protocol.
    #[serde(default)]
    pub steady: Option<u8>,
    /// `ok` or `error`; follows from the error.
    #[serde(default)]
    pub status: Option<String>,
    /// Why it failed, if it did.
    #[serde(default)]
    pub error: Option<String>,
    /// What was measured.
    #[serde(default)]
    pub scores: Vec<ScoreEntry>,
}

/// What was counted for one block by one measure.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreEntry {
    /// The block, or `segments`.
    pub block: String,
    /// The measure.
    pub measure: String,
    /// How much was retrieved.
    pub retrieved: f64,
    /// How much there was to retrieve.
    pub gold: f64,
    /// How much of the retrieved was right.
    pub common: f64,
    /// The share of the gold that was retrieved.
    pub recall: f64,
    /// The share of the retrieved that was right.
    pub precision: f64,
    /// The harmonic mean of both.
    pub f1: f64,
}

/// What a batch brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entered {
    /// How many experiments it had.
    pub experiments: usize,
    /// Of how many techniques with their settings.
    pub techniques: usize,
    /// On how many pages.
    pub pages: usize,
}

/// Why a batch is not entered.
#[derive(Debug, Error)]
pub enum ExchangeError {
    /// It is no batch.
    #[error("{0}; a batch is a list of experiments, or a line for each, as `unchaff bench export --format jsonl` writes them")]
    NoBatch(String),
    /// It is too large.
    #[error("more than {MOST_IN_BATCH} experiments in a batch; send several")]
    TooMany,
    /// An experiment makes no sense.
    #[error("experiment {at} of the batch: {what}; nothing of the batch was entered")]
    Senseless {
        /// Its place, from 1.
        at: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Reads a batch: a JSON list, or JSON lines.
///
/// # Errors
/// If it is neither, or too large.
pub fn read_batch(bytes: &[u8]) -> Result<Vec<ExperimentRecord>, ExchangeError> {
    let no_batch = |error: serde_json::Error| ExchangeError::NoBatch(error.to_string());
    let mut records: Vec<ExperimentRecord> = Vec::new();
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        records = serde_json::from_slice(bytes).map_err(no_batch)?;
    } else {
        for record in serde_json::Deserializer::from_slice(bytes).into_iter() {
            records.push(record.map_err(no_batch)?);
            if records.len() > MOST_IN_BATCH {
                break;
            }
        }
    }
    if records.len() > MOST_IN_BATCH { Err(ExchangeError::TooMany) } else { Ok(records) }
}

/// Reads what was [exported](crate::export) as JSON lines, however much it is.
///
/// # Errors
/// If it is something else.
pub fn read_written(bytes: &[u8]) -> Result<Vec<ExperimentRecord>, ExchangeError> {
    let records = serde_json::Deserializer::from_slice(bytes).into_iter();
    records.collect::<Result<_, _>>().map_err(|error| ExchangeError::NoBatch(error.to_string()))
}

impl ExperimentRecord {
    /// Whether it makes sense; else what does not.
    fn check(&self) -> Result<(), String> {
        let names = [("suite", &self.suite), ("digest", &self.digest), ("item", &self.item), ("technique", &self.technique)];
        if let Some((name, _)) = names.iter().find(|(_, value)| value.is_empty()) {
            return Err(format!("{name} is empty"));
        }
        let others = [&self.category, &self.language, &self.error].into_iter().flatten().chain([&self.version]);
        if names.iter().map(|(_, value)| *value).chain(others).any(|text| text.len() > LONGEST) {
            return Err(format!("a name or message has more than {LONGEST} bytes"));
        }
        if !["page", "site", "segment", "external"].contains(&self.kind.as_str()) {
            return Err(format!("kind is page, site, segment or external, not {}", self.kind));
        }
        if !matches!(self.split.as_deref(), None | Some("train" | "eval")) {
            return Err("split is train or eval".to_owned());
        }
        if self.steady.is_some_and(|steady| steady > 1) {
            return Err("steady is 0 or 1".to_owned());
        }
        // SQLite has no larger numbers.
        let counts = [Some(self.bytes), self.nodes, self.words, self.loads];
        if counts.into_iter().flatten().any(|count| i64::try_from(count).is_err()) {
            return Err("a count is larger than any can be".to_owned());
        }
        if Value::Object(self.settings.clone()).to_string().len() > LONGEST {
            return Err(format!("the settings have more than {LONGEST} bytes"));
        }
        let times = [self.load_seconds, self.compute_seconds];
        if times.into_iter().flatten().any(|time| !(0.0..1e9).contains(&time)) {
            return Err("a time is negative or longer than anyone waits".to_owned());
        }
        if self.scores.len() > MOST_SCORES {
            return Err(format!("more than {MOST_SCORES} scores"));
        }
        for score in &self.scores {
            let ScoreEntry { block, measure, retrieved, gold, common, recall, precision, f1 } = score;
            if [block, measure].iter().any(|name| name.is_empty() || name.len() > 100) {
                return Err("the name of a block or measure is empty or long".to_owned());
            }
            if [recall, precision, f1].iter().any(|share| !(0.0..=1.0).contains(*share)) {
                return Err(format!("recall, precision and f1 of {block} in {measure} are from 0 to 1"));
            }
            if [retrieved, gold, common].iter().any(|count| !count.is_finite() || **count < 0.0) {
                return Err(format!("the counts of {block} in {measure} are not negative"));
            }
        }
        let mut measured: Vec<(&str, &str)> = self.scores.iter().map(|score| (&*score.block, &*score.measure)).collect();
        measured.sort_unstable();
        match measured.windows(2).find(|two| two[0] == two[1]) {
            Some(twice) => Err(format!("{} is measured by {} twice", twice[0].0, twice[0].1)),
            None => Ok(()),
        }
    }

    fn technique(&self) -> TechniqueRecord {
        let known = unchaff_page::registry::find(&self.technique).map(|entry| entry.kind.as_str());
        let known = known.or_else(|| unchaff_site::registry::find(&self.technique).map(|entry| entry.kind.as_str()));
        let measured = self.scores.first().map(|score| Cow::Owned(score.block.clone()));
        TechniqueRecord {
            name: self.technique.clone(),
            kind: self.kind.clone().into(),
            block: known.map(Cow::Borrowed).or(measured).unwrap_or(Cow::Borrowed("content")),
            settings: Value::Object(self.settings.clone()).to_string(),
            version: self.version.clone(),
        }
    }

    fn page(&self, root: String) -> PageRecord {
        PageRecord {
            suite: self.suite.clone(),
            digest: self.digest.clone(),
            item: self.item.clone(),
            category: self.category.clone(),
            language: self.language.clone(),
            split: self.split.clone().map(Cow::Owned),
            bytes: self.bytes,
            nodes: self.nodes,
            words: self.words,
            root,
        }
    }
}

/// Enters a batch, all of it or nothing. `root` knows the folders of suites by name and digest.
///
/// # Errors
/// If an experiment makes no sense, or the database cannot be written.
pub fn enter(
    database: &mut Database,
    records: Vec<ExperimentRecord>,
    root: impl Fn(&str, &str) -> Option<String>,
) -> Result<Entered, ExchangeError> {
    for (at, record) in (1..).zip(&records) {
        record.check().map_err(|what| ExchangeError::Senseless { at, what })?;
    }
    let techniques: Vec<TechniqueRecord> = records.iter().map(ExperimentRecord::technique).collect();
    let numbers = database.techniques(&techniques)?;
    let mut roots: HashMap<(String, String), String> = HashMap::new();
    let mut pages: Vec<(PageRecord, Vec<Experiment>)> = Vec::new();
    let mut places: HashMap<(String, String, String), usize> = HashMap::new();
    let experiments = records.len();
    for (record, technique) in records.into_iter().zip(&numbers) {
        let key = (record.suite.clone(), record.digest.clone(), record.item.clone());
        let at = *places.entry(key).or_insert_with(|| {
            let suite = (record.suite.clone(), record.digest.clone());
            let root = roots.entry(suite).or_insert_with(|| root(&record.suite, &record.digest).unwrap_or_default());
            pages.push((record.page(root.clone()), Vec::new()));
            pages.len() - 1
        });
        pages[at].1.push(Experiment {
            technique: *technique,
            error: record.error,
            loads: record.loads.unwrap_or(0),
            load_seconds: record.load_seconds.unwrap_or(0.0),
            compute_seconds: record.compute_seconds.unwrap_or(0.0),
            repetitions: record.repetitions.unwrap_or(1),
            steady: record.steady.map(|steady| steady == 1),
            scores: record.scores.into_iter().map(score).collect(),
            stages: Vec::new(),
        });
    }
    database.record(&pages)?;
    let mut numbers = numbers;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(Entered { experiments, techniques: numbers.len(), pages: pages.len() })
}

fn score(score: ScoreEntry) -> ScoreRecord {
    let ScoreEntry { block, measure, retrieved, gold, common, recall, precision, f1 } = score;
    ScoreRecord { block: block.into(), measure: measure.into(), retrieved, gold, common, recall, precision, f1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{Form, export};
    use serde_json::json;

    fn record(item: &str, f1: f64) -> Value {
        json!({"suite": "small", "digest": "00", "item": item, "bytes": 2000, "technique": "ccb", "kind": "page", "version": "1", "settings": {"range": 20},
               "compute_seconds": 0.25, "scores": [{"block": "content", "measure": "words", "retrieved": 4, "gold": 3, "common": 3, "recall": 1, "precision": f1, "f1": f1}]})
    }

    fn exported(database: &Database) -> String {
        let mut out = Vec::new();
        export(database, Form::JsonLines, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_exported_can_be_entered_and_twice_is_once() {
        let mut database = Database::in_memory().unwrap();
        let batch = json!([record("one", 0.5), record("two", 0.75)]).to_string();
        let entered = enter(&mut database, read_batch(batch.as_bytes()).unwrap(), |_, _| None).unwrap();
        assert_eq!(entered, Entered { experiments: 2, techniques: 1, pages: 2 });
        let lines = exported(&database);
        assert_eq!(lines.lines().count(), 2);
        // JSON lines, into the same and into another database.
        enter(&mut database, read_batch(lines.as_bytes()).unwrap(), |_, _| None).unwrap();
        assert_eq!(exported(&database), lines);
        let mut other = Database::in_memory().unwrap();
        enter(&mut other, read_batch(lines.as_bytes()).unwrap(), |_, _| None).unwrap();
        assert_eq!(exported(&other), lines);
        let block: String = other.connection().query_row("SELECT block FROM technique", [], |row| row.get(0)).unwrap();
        assert_eq!(block, "content");
    }

    #[test]
    fn folders_of_suites_are_ours_to_know() {
        let mut database = Database::in_memory().unwrap();
        let mut enter = |known: Option<&str>| {
            let batch = json!([record("one", 0.5)]).to_string();
            let root = |_: &str, _: &str| known.map(str::to_owned);
            super::enter(&mut database, read_batch(batch.as_bytes()).unwrap(), root).unwrap();
            database.connection().query_row("SELECT root FROM page", [], |row| row.get::<_, String>(0)).unwrap()
        };
        assert_eq!(enter(None), "");
        assert_eq!(enter(Some("suite/sites")), "suite/sites");
        assert_eq!(enter(None), "suite/sites");
        let mut named = record("one", 0.5);
        named["root"] = "/etc".into();
        assert!(read_batch(json!([named]).to_string().as_bytes()).is_err());
    }

    #[test]
    fn nothing_of_a_batch_is_entered_if_one_makes_no_sense() {
        let mut database = Database::in_memory().unwrap();
        let changes: [(&str, Value); 8] = [
            ("technique", "".into()),
            ("kind", "magic".into()),
            ("split", "dev".into()),
            ("steady", 2.into()),
            ("compute_seconds", (-1).into()),
            ("item", "x".repeat(LONGEST + 1).into()),
            ("bytes", u64::MAX.into()),
            ("scores", json!([record("x", 2.0)["scores"][0]])),
        ];
        for (field, value) in changes {
            let mut wrong = record("two", 0.5);
            wrong[field] = value;
            let batch = read_batch(json!([record("one", 0.5), wrong]).to_string().as_bytes()).unwrap();
            let told = enter(&mut database, batch, |_, _| None).unwrap_err().to_string();
            assert!(told.starts_with("experiment 2 of the batch: "), "{field}: {told}");
        }
        let mut twice = record("one", 0.5);
        twice["scores"] = json!([twice["scores"][0], twice["scores"][0]]);
        let batch = read_batch(twice.to_string().as_bytes()).unwrap();
        assert!(enter(&mut database, batch, |_, _| None).unwrap_err().to_string().contains("twice"));
        assert_eq!(exported(&database), "");
        for senseless in ["{", "[1]", "{\"suite\": 1}", "null"] {
            assert!(read_batch(senseless.as_bytes()).is_err(), "{senseless}");
        }
        assert!(read_batch(b"").unwrap().is_empty());
        let many = format!("[{}]", vec![record("one", 0.5).to_string(); MOST_IN_BATCH + 1].join(","));
        assert!(matches!(read_batch(many.as_bytes()), Err(ExchangeError::TooMany)));
    }
}
