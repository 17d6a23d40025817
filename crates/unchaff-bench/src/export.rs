//! Experiments with their scores as CSV or JSON lines, for other programs.
//!
//! CSV is after Gottron (2008, 5.3.1) and RFC 4180: a header, commas, points in numbers, quotes where needed. A line is one
//! score, so that any number of blocks and measures has its place; an experiment without scores has one line in which
//! these are empty. In JSON a line is one experiment with all its scores. The order is that of the pages' names, whatever
//! the order of the runs.

use crate::database::Database;
use rusqlite::types::ValueRef;
use rusqlite::{Row, named_params};
use serde_json::{Map, Value};
use std::io::{self, Write};
use thiserror::Error;
use unchaff_page::parameters::choice;

/// The columns of one line of CSV; up to `error` also the fields of a line of JSON.
const COLUMNS: &str = "page.suite, page.digest, page.item, page.category, page.language, page.split, page.bytes, page.nodes, \
    page.words, technique.name AS technique, technique.kind, technique.version, technique.settings, experiment.loads, \
    experiment.load_seconds, experiment.compute_seconds, experiment.compute_seconds / (page.bytes / 1000.0) AS seconds_per_kb, \
    experiment.repetitions, experiment.steady, iif(experiment.error IS NULL, 'ok', 'error') AS status, experiment.error, \
    score.block, score.measure, score.retrieved, score.gold, score.common, score.recall, score.precision, score.f1";

choice! {
    /// The form of an export.
    pub enum Form {
        /// One line for each score.
        Csv = "csv",
        /// One line for each experiment.
        JsonLines = "jsonl",
    }
}

/// Why an export failed.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The database cannot be read.
    #[error("the database of results cannot be read: {0}")]
    Database(#[from] rusqlite::Error),
    /// The output cannot be written.
    #[error("the results cannot be written")]
    Output(#[from] io::Error),
}

/// Which experiments are wanted; what is none stands for all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// The name of the technique.
    pub technique: Option<String>,
    /// The suite, by name or digest.
    pub suite: Option<String>,
    /// The name of the page in its suite.
    pub page: Option<String>,
    /// The split of the page.
    pub split: Option<String>,
    /// Settings that the technique was run with, each of them.
    pub settings: Vec<(String, String)>,
    /// How many at most.
    pub most: Option<u32>,
    /// How many of them to leave out at the beginning.
    pub after: u32,
}

/// Writes all experiments of a database.
///
/// # Errors
/// If the database cannot be read or the output not be written.
pub fn export(database: &Database, form: Form, out: &mut dyn Write) -> Result<(), ExportError> {
    export_some(database, form, &Wanted::default(), out)
}

/// Writes those experiments of a database that are wanted.
///
/// # Errors
/// If the database cannot be read or the output not be written.
pub fn export_some(database: &Database, form: Form, wanted: &Wanted, out: &mut dyn Write) -> Result<(), ExportError> {
    const TABLES: &str =
        "experiment JOIN page ON page.id = experiment.page JOIN technique ON technique.id = experiment.technique";
    const ORDER: &str = "page.suite, page.digest, page.item, technique.name, technique.settings, technique.version";
    let mut query = database.connection().prepare(&format!(
        "SELECT {COLUMNS}, experiment.id FROM {TABLES} LEFT JOIN score ON score.experiment = experiment.id
         WHERE experiment.id IN (
           SELECT experiment.id FROM {TABLES}
           WHERE (:technique IS NULL OR technique.name = :technique) AND (:suite IS NULL OR :suite IN (page.suite, page.digest))
             AND (:page IS NULL OR page.item = :page) AND (:split IS NULL OR page.split = :split)
             AND NOT EXISTS (
               SELECT 1 FROM json_each(:settings) AS wanted WHERE NOT EXISTS (
                 SELECT 1 FROM json_each(technique.settings) AS own WHERE own.key = wanted.key
                   AND iif(own.type IN ('true', 'false'), own.type, CAST(own.value AS TEXT)) = wanted.value))
           ORDER BY {ORDER} LIMIT :most OFFSET :after)
         ORDER BY {ORDER}, score.block, score.measure"
    ))?;
    let names: Vec<String> = query.column_names().map(str::to_owned).collect();
    let settings: Map<String, Value> =
        wanted.settings.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    let rows = query.query(named_params! {
        ":technique": wanted.technique, ":suite": wanted.suite, ":page": wanted.page, ":split": wanted.split,
        ":settings": Value::Object(settings).to_string(), ":most": wanted.most.map_or(-1, i64::from), ":after": wanted.after,
    })?;
    match form {
        Form::Csv => csv(&names[..names.len() - 1], rows, out)?,
        Form::JsonLines => json_lines(&names, rows, out)?,
    }
    Ok(out.flush()?)
}

fn csv(names: &[String], mut rows: rusqlite::Rows<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    writeln!(out, "{}", names.join(","))?;
    while let Some(row) = rows.next()? {
        for at in 0..names.len() {
            if at > 0 {
                out.write_all(b",")?;
            }
            match row.get_ref(at)? {
                ValueRef::Null => {}
                ValueRef::Integer(number) => write!(out, "{number}")?,
                ValueRef::Real(number) => write!(out, "{number}")?,
                ValueRef::Text(text) | ValueRef::Blob(text) => field(text, out)?,
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// A field of text, in quotes if it has to be.
fn field(text: &[u8], out: &mut dyn Write) -> io::Result<()> {
    if !text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return out.write_all(text);
    }
    out.write_all(b"\"")?;
    for (at, piece) in text.split(|byte| *byte == b'"').enumerate() {
        if at > 0 {
            out.write_all(b"\"\"")?;
        }
        out.write_all(piece)?;
    }
    out.write_all(b"\"")
}

fn json_lines(names: &[String], mut rows: rusqlite::Rows<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let scores_from = names.iter().position(|name| name == "block").unwrap_or(names.len());
    let mut current: Option<(i64, Map<String, Value>)> = None;
    while let Some(row) = rows.next()? {
        let experiment: i64 = row.get(names.len() - 1)?;
        if current.as_ref().is_none_or(|(id, _)| *id != experiment) {
            write_line(current.take(), out)?;
            let mut line = fields(names, row, 0..scores_from)?;
            if let Some(Value::String(settings)) = line.get("settings") {
                let settings = serde_json::from_str(settings).unwrap_or(Value::Null);
                line.insert("settings".to_owned(), settings);
            }
            line.insert("scores".to_owned(), Value::Array(Vec::new()));
            current = Some((experiment, line));
        }
        let score = fields(names, row, scores_from..names.len() - 1)?;
        if let Some((_, line)) = &mut current
            && let Some(Value::Array(scores)) = line.get_mut("scores")
            && !score["block"].is_null()
        {
            scores.push(Value::Object(score));
        }
    }
    write_line(current, out)
}

fn write_line(line: Option<(i64, Map<String, Value>)>, out: &mut dyn Write) -> Result<(), ExportError> {
    if let Some((_, line)) = line {
        writeln!(out, "{}", Value::Object(line))?;
    }
    Ok(())
}

fn fields(names: &[String], row: &Row<'_>, columns: std::ops::Range<usize>) -> rusqlite::Result<Map<String, Value>> {
    columns.map(|at| Ok((names[at].clone(), value(row.get_ref(at)?)))).collect()
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::from(number),
        ValueRef::Real(number) => Value::from(number),
        ValueRef::Text(text) | ValueRef::Blob(text) => Value::from(String::from_utf8_lossy(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{Experiment, PageRecord, ScoreRecord, TechniqueRecord};

    fn results() -> Database {
        let mut database = Database::in_memory().unwrap();
        let technique = |name: &str, settings: &str| TechniqueRecord {
            name: name.to_owned(),
            kind: "page".into(),
            block: "content".into(),
            settings: settings.to_owned(),
            version: "1".to_owned(),
        };
        let numbers = database.techniques(&[technique("b", "{\"c\":2,\"d\":\"x\"}"), technique("a", "{}")]).unwrap();
        let page = PageRecord {
            suite: "small".to_owned(),
            digest: "00".to_owned(),
            item: "one".to_owned(),
            category: Some("news, \"daily\"".to_owned()),
            language: None,
            split: Some("train".into()),
            bytes: 2000,
            nodes: Some(9),
            words: Some(4),
            root: "small".to_owned(),
        };
        let score = |measure: &'static str| ScoreRecord {
            block: "content".into(),
            measure: measure.into(),
            retrieved: 4.0,
            gold: 3.0,
            common: 3.0,
            recall: 1.0,
            precision: 0.75,
            f1: 6.0 / 7.0,
        };
        let experiment = |technique, error: Option<&str>, scores| Experiment {
            technique,
            error: error.map(str::to_owned),
            loads: 1,
            load_seconds: 0.5,
            compute_seconds: 0.25,
            repetitions: 1,
            steady: None,
            scores,
            stages: Vec::new(),
        };
        let both = vec![
            experiment(numbers[0], None, vec![score("words"), score("nodes")]),
            experiment(numbers[1], Some("no\nluck"), vec![]),
        ];
        database.record(&[(page, both)]).unwrap();
        database
    }

    fn exported(form: Form) -> String {
        let mut out = Vec::new();
        export(&results(), form, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn csv_has_a_line_for_each_score() {
        let csv = exported(Form::Csv);
        let head = "suite,digest,item,category,language,split,bytes,nodes,words,technique,kind,version,settings,loads,\
            load_seconds,compute_seconds,seconds_per_kb,repetitions,steady,status,error,block,measure,retrieved,gold,common,\
            recall,precision,f1\n";
        let page = "small,00,one,\"news, \"\"daily\"\"\",,train,2000,9,4";
        let b = "b,page,1,\"{\"\"c\"\":2,\"\"d\"\":\"\"x\"\"}\",1,0.5,0.25,0.125,1,,ok,";
        let expected = format!(
            "{head}{page},a,page,1,{{}},1,0.5,0.25,0.125,1,,error,\"no\nluck\",,,,,,,,\n\
             {page},{b},content,nodes,4,3,3,1,0.75,0.8571428571428571\n{page},{b},content,words,4,3,3,1,0.75,0.8571428571428571\n"
        );
        assert_eq!(csv, expected);
    }

    #[test]
    fn json_has_a_line_for_each_experiment() {
        let lines: Vec<Value> = exported(Form::JsonLines).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!((&lines[0]["error"], &lines[0]["scores"]), (&Value::from("no\nluck"), &Value::Array(vec![])));
        assert_eq!((&lines[1]["settings"]["c"], &lines[1]["language"]), (&Value::from(2), &Value::Null));
        assert_eq!(lines[1]["scores"][1]["measure"], "words");
        assert_eq!(lines[1]["scores"][1]["precision"], 0.75);
    }

    #[test]
    fn only_what_is_wanted_is_written() {
        let lines = |wanted: Wanted| {
            let mut out = Vec::new();
            export_some(&results(), Form::JsonLines, &wanted, &mut out).unwrap();
            let lines: Vec<Value> =
                out.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
            lines.iter().map(|line| line["technique"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(lines(Wanted::default()), ["a", "b"]);
        assert_eq!(lines(Wanted { technique: text("b"), suite: text("00"), page: text("one"), ..Wanted::default() }), ["b"]);
        assert_eq!(lines(Wanted { suite: text("small"), split: text("eval"), ..Wanted::default() }), [""; 0]);
        let setting = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(lines(Wanted { settings: vec![setting("c", "2"), setting("d", "x")], ..Wanted::default() }), ["b"]);
        assert_eq!(lines(Wanted { settings: vec![setting("c", "3")], ..Wanted::default() }), [""; 0]);
        assert_eq!(lines(Wanted { most: Some(1), after: 1, ..Wanted::default() }), ["b"]);
    }

    #[test]
    fn an_empty_database_has_a_header() {
        let mut out = Vec::new();
        export(&Database::in_memory().unwrap(), Form::Csv, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), 1);
    }
}
