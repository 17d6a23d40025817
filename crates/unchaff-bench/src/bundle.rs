//! The report bundle: everything that somebody needs to repeat experiments, in one folder or zip archive.
//!
//! The rules of the TeCo suite (Alarte 2023, 13.5) oblige whoever uses it to publish the results with enough said that anybody can repeat them; no tool made
//! what they ask for. A bundle has the report to read (`report.html`), every experiment with its scores (`experiments.csv`), the figures
//! (`summary.json`), all parameters of all techniques with the values they had, defaults included (`parameters.json`), and `README.md`, which says on which machine, with which parser,
//! by which conventions and averages, on which suites in which state, and how times were taken. The same database on the same machine gives the same bytes.

use crate::database::{Database, DatabaseError};
use crate::export::{self, ExportError, export};
use crate::measure::Measures;
use crate::report::{self, ReportError, ReportOptions};
use crate::run::Contender;
use crate::summary::Results;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use thiserror::Error;

/// Why there is no bundle.
#[derive(Debug, Error)]
pub enum BundleError {
    /// The database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The report cannot be made.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The experiments cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// It cannot be written.
    #[error("the bundle cannot be written: {0}")]
    Output(#[from] io::Error),
}

impl From<rusqlite::Error> for BundleError {
    fn from(error: rusqlite::Error) -> Self {
        BundleError::Report(error.into())
    }
}

/// The files of a bundle, by name.
///
/// # Errors
/// If the database cannot be read.
pub fn files(database: &Database, options: &ReportOptions) -> Result<Vec<(&'static str, Vec<u8>)>, BundleError> {
    let results = Results::read(database.connection(), options.selection.clone())?;
    let mut experiments = Vec::new();
    export(database, export::Form::Csv, &mut experiments)?;
    let text = |value: &Value| format!("{value:#}\n").into_bytes();
    Ok(vec![
        ("README.md", readme(database, &results)?.into_bytes()),
        ("experiments.csv", experiments),
        ("parameters.json", text(&parameters(&results))),
        ("report.html", report::html(database, options)?.into_bytes()),
        ("summary.json", text(&report::json(database, options)?)),
    ])
}

/// Writes a bundle: to a zip archive if the name ends in `.zip`, else to a folder, which is made.
///
/// # Errors
/// If the database cannot be read, or the bundle not be written.
pub fn write(database: &Database, options: &ReportOptions, path: &Path) -> Result<(), BundleError> {
    let files = files(database, options)?;
    if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("zip")) {
        fs::create_dir_all(path)?;
        return Ok(files.iter().try_for_each(|(name, bytes)| fs::write(path.join(name), bytes))?);
    }
    let mut archive = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    // The time is that of no clock, so that the same results are the same bytes.
    let how = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::default());
    for (name, bytes) in &files {
        archive.start_file(*name, how).map_err(io::Error::from)?;
        archive.write_all(bytes)?;
    }
    let bytes = archive.finish().map_err(io::Error::from)?.into_inner();
    Ok(fs::write(path, bytes)?)
}

/// All parameters of all techniques, those that were set and the defaults.
fn parameters(results: &Results<'_>) -> Value {
    let of = |technique: &crate::summary::Technique| {
        let set: Map<String, Value> = serde_json::from_str(&technique.settings).unwrap_or_default();
        let mut all: Map<String, Value> = Contender::parameters(&technique.name)
            .into_iter()
            .map(|parameter| (parameter.name.to_owned(), parameter.default.into()))
            .collect();
        all.extend(set);
        json!({"technique": technique.name, "kind": technique.kind, "block": technique.block, "version": technique.version, "parameters": all})
    };
    Value::Array(results.techniques.iter().map(of).collect())
}

fn readme(database: &Database, results: &Results<'_>) -> Result<String, BundleError> {
    let conventions = database.conventions()?.unwrap_or_else(|| Measures::default().to_string());
    let (timed, steady): (i64, i64) = database.connection().query_row(
        "SELECT count(steady), coalesce(sum(steady), 0) FROM experiment WHERE error IS NULL",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let mut text = String::from("# How these results came about\n\n");
    let facts = [
        ("program", format!("unchaff {}", env!("CARGO_PKG_VERSION"))),
        ("machine", machine()),
        ("parser", format!("unchaff-dom {}: the HTML standard, scripts do not run", env!("CARGO_PKG_VERSION"))),
        ("conventions", format!("{conventions} (nodes: which count; words: what one is; empty: what the precision of nothing is)")),
        ("averages", "means over pages; F1 is the mean of the pages' F1, and the F1 of the means stands beside it. A failure counts as zero".to_owned()),
        ("other pages", "what a technique compares with is its own choice: the parameters selector, draw, pages and loads in parameters.json; loads are in experiments.csv".to_owned()),
        ("times", match timed {
            0 => "taken once; see docs/workbench.md for --time".to_owned(),
            _ => format!("without loading; the first run discarded, then repeated until ten in a row agree within a tenth: {steady} of {timed} did"),
        }),
    ];
    for (name, fact) in facts {
        let _ = writeln!(text, "- {name}: {fact}");
    }
    text.push_str("\n## Suites\n\n| suite | digest | pages | for training | for evaluation |\n|---|---|---|---|---|\n");
    for suite in &results.suites {
        let pages = &results.pages[suite.pages.clone()];
        let of = |split: &str| pages.iter().filter(|page| page.split.as_deref() == Some(split)).count();
        let _ = writeln!(text, "| {} | {} | {} | {} | {} |", suite.name, suite.digest, pages.len(), of("train"), of("eval"));
    }
    text.push_str("\n## Files\n\n- report.html: to read; it needs nothing else\n- experiments.csv: a line for each score of each technique on each page\n- summary.json: the figures\n- parameters.json: every parameter of every technique, with the value it had\n");
    Ok(text)
}

/// What is known of the machine: processor, number of its cores, system.
fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim()));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{}, {cores} threads, {} {}", model.unwrap_or("unknown processor"), std::env::consts::OS, std::env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Options, run, tiny_suite};

    #[test]
    fn a_bundle_says_all_that_the_rules_ask_for_and_is_the_same_twice() {
        let folder = tempfile::tempdir().unwrap();
        let suite = tiny_suite::write(&folder.path().join("tiny"), 4);
        let mut database = Database::in_memory().unwrap();
        let contenders = [Contender::one("lqf:threshold=0.5", &[]).unwrap(), Contender::one("plain", &[]).unwrap()];
        run(&mut database, std::slice::from_ref(&suite), &contenders, &Options::default(), &|_, _| ()).unwrap();
        let zipped = |name: &str| {
            let path = folder.path().join(name);
            write(&database, &ReportOptions::default(), &path).unwrap();
            fs::read(path).unwrap()
        };
        assert_eq!(zipped("a.zip"), zipped("b.zip"));
        let opened = folder.path().join("bundle");
        write(&database, &ReportOptions::default(), &opened).unwrap();
        let read = |name: &str| fs::read_to_string(opened.join(name)).unwrap();
        let about = read("README.md");
        for said in [
            "machine: ",
            "parser: unchaff-dom",
            "nodes=elements",
            &format!("| tiny | {} | 4 | 2 | 2 |", suite.digest),
            "taken once",
        ] {
            assert!(about.contains(said), "{said}: {about}");
        }
        let parameters: Value = serde_json::from_str(&read("parameters.json")).unwrap();
        assert_eq!((&parameters[0]["technique"], &parameters[0]["parameters"]["threshold"]), (&json!("lqf"), &json!(0.5)));
        assert!(parameters[0]["parameters"].as_object().unwrap().len() > 1, "defaults are there too");
        assert_eq!(read("experiments.csv").lines().filter(|line| line.contains(",word-bag,")).count(), 8);
        assert!(read("report.html").contains("tiny") && read("summary.json").contains("\"f1\""));
    }
}
