//! Reports on the results in a database: for the terminal, in Markdown, as JSON, and as one HTML file to read.
//!
//! All four say the same figures, those of [`crate::summary`], and print the digest of the suite with them. The HTML file
//! holds everything it needs: it loads nothing, scripts of pages shown in it do not run, and without scripts of its own only
//! sorting and filtering are gone. Where it is served from the database ([`ReportOptions::links`]), it leads to each page and what was found on
//! it ([`pages`], [`page`]).

mod charts;
mod comparison;
mod document;
pub(crate) mod harmless_page;
mod live;
mod overlay;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod word_diff;

pub use comparison::{Comparison, Part, compare};
pub use document::escape;
pub use live::{Place, page, pages};

use crate::database::Database;
use crate::figures::Grouping;
use crate::form::Form;
use crate::summary::{Results, Row, Selection, Summary};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use table::{Table, markdown_text, number, printable, share};
use thiserror::Error;

/// The style of reports, light and dark.
pub const STYLE: &str = include_str!("report/style.css");
/// What sorts their tables, and lights up what belongs together (`data-t`).
pub const SCRIPT: &str = include_str!("report/script.js");

/// What a report shows.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportOptions {
    /// What of the database it is about.
    pub selection: Selection,
    /// Its title.
    pub title: String,
    /// How many techniques a table or chart of the HTML report has at most, the best ones; a sweep has thousands.
    pub techniques: usize,
    /// Of how many of the best techniques of a block single pages are shown, on each suite.
    pub shown: usize,
    /// How many pages are shown of each of them, the worst ones.
    pub worst: usize,
    /// The longest page that is shown, in bytes of what is written.
    pub page_bytes: usize,
    /// The two techniques to compare; the best two of each block if none are named.
    pub compare: Option<(String, String)>,
    /// Where boxes of pages with segments are kept, if it is not with the suite or in the user's cache.
    pub layouts: Option<PathBuf>,
    /// Whether techniques link to their [`pages`], and these to each [`page`], at addresses beside that of the report.
    pub links: bool,
}

impl Default for ReportOptions {
    fn default() -> Self {
        ReportOptions {
            selection: Selection::default(),
            title: "What the techniques reach".to_owned(),
            techniques: 40,
            shown: 2,
            worst: 5,
            page_bytes: 200_000,
            compare: None,
            layouts: None,
            links: false,
        }
    }
}

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The database cannot be read.
    #[error("the database of results cannot be read: {0}")]
    Database(#[from] rusqlite::Error),
    /// There is no page of a name.
    #[error("there are no results on a page `{item}` of a suite `{suite}`")]
    UnknownPage {
        /// The suite, by name or digest.
        suite: String,
        /// The name of the page.
        item: String,
    },
    /// There is no technique of a name.
    #[error("there are no results of `{name}`; there are results of {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The techniques that there are.
        known: String,
    },
    /// A name fits several techniques.
    #[error("`{name}` was run with several settings; name one of {known}")]
    Ambiguous {
        /// The name.
        name: String,
        /// The techniques it fits.
        known: String,
    },
}

/// What is said when there is nothing to report.
const NOTHING: &str = "There are no scores here. `unchaff bench run` makes some; if it did, the selection leaves them out.";

/// The place of a measure among those of a block: the one that says most about it comes first.
fn measure_rank(block: &str, measure: &str) -> usize {
    let order: &[&str] = match block {
        "menu" => &["links", "nodes", "words"],
        "template" => &["nodes", "words", "links"],
        "segments" => &["f-1", "ari-1", "f-2", "ari-2", "whole"],
        _ => &["word-bag", "words", "word-lcs", "word-set", "character-lcs", "nodes", "links", "sentences"],
    };
    order.iter().position(|known| *known == measure).unwrap_or(order.len())
}

/// A report in a form.
///
/// # Errors
/// If the database cannot be read, or has not the techniques that are to be compared.
pub fn write(database: &Database, options: &ReportOptions, form: Form) -> Result<String, ReportError> {
    match form {
        Form::Html => html(database, options),
        Form::Table => terminal(database, options),
        Form::Markdown => markdown(database, options),
        Form::Json => Ok(format!("{:#}\n", json(database, options)?)),
    }
}

/// One self-contained HTML file.
///
/// # Errors
/// If the database cannot be read, or has not the techniques that are to be compared.
pub fn html(database: &Database, options: &ReportOptions) -> Result<String, ReportError> {
    let results = Results::read(database.connection(), options.selection.clone())?;
    document::write(&results, &results.summary()?, options)
}

/// Rows as JSON: `rows` over all pages, `groups` over groups of them, `unscored` what has no score.
///
/// # Errors
/// If the database cannot be read.
pub fn json(database: &Database, options: &ReportOptions) -> Result<Value, ReportError> {
    let results = Results::read(database.connection(), options.selection.clone())?;
    let Summary { rows, groups, unscored } = results.summary()?;
    let list = |rows: &[Row]| rows.iter().map(|row| json_row(&results, row)).collect::<Vec<Value>>();
    Ok(json!({"rows": list(&rows), "groups": list(&groups), "unscored": unscored}))
}

fn json_row(results: &Results, row: &Row) -> Value {
    let (technique, suite) = (&results.techniques[row.technique], &results.suites[row.suite]);
    let settings = serde_json::from_str(&technique.settings).unwrap_or_else(|_| Value::from(technique.settings.as_str()));
    let mut value = json!({
        "technique": technique.name, "settings": settings, "version": technique.version, "kind": technique.kind,
        "suite": suite.name, "digest": suite.digest, "block": *row.block, "measure": *row.measure,
    });
    if let (Some((by, group)), Value::Object(fields)) = (&row.group, &mut value) {
        fields.insert("by".to_owned(), by.as_str().into());
        fields.insert("group".to_owned(), group.as_str().into());
    }
    if let (Ok(Value::Object(figures)), Value::Object(fields)) = (serde_json::to_value(&row.figures), &mut value) {
        fields.extend(figures);
    }
    value
}

/// Tables in Markdown.
///
/// # Errors
/// If the database cannot be read.
pub fn markdown(database: &Database, options: &ReportOptions) -> Result<String, ReportError> {
    let mut out = format!("# {}\n", markdown_text(&options.title));
    for (heading, table) in tables(database, options)? {
        out += &format!("\n## {}\n\n{}", markdown_text(&heading), table.markdown());
    }
    if !out.contains("\n## ") {
        out += &format!("\n{NOTHING}\n");
    }
    Ok(out)
}

/// Tables for the terminal.
///
/// # Errors
/// If the database cannot be read.
pub fn terminal(database: &Database, options: &ReportOptions) -> Result<String, ReportError> {
    let tables: Vec<String> = tables(database, options)?
        .into_iter()
        .map(|(heading, table)| format!("{}\n\n{}", printable(&heading), table.terminal()))
        .collect();
    Ok(if tables.is_empty() { format!("{NOTHING}\n") } else { tables.join("\n") })
}

/// Everything as tables with a heading each: by suite, block and measure, then by group, then what has no score.
fn tables(database: &Database, options: &ReportOptions) -> Result<Vec<(String, Table)>, ReportError> {
    let results = Results::read(database.connection(), options.selection.clone())?;
    let summary = results.summary()?;
    let mut tables = Vec::new();
    for rows in parts(&summary.rows) {
        let beta = options.selection.beta.map(|beta| [format!(">F{beta}"), format!(">E{beta}")]);
        let mut titles = FIGURES.to_vec();
        titles.extend(beta.iter().flatten().map(String::as_str));
        let mut table = Table::new(&titles);
        for row in rows {
            table.push(figures(&results, row));
        }
        tables.push((heading(&results, &rows[0]), table));
    }
    for (by, columns, rows) in primary_groups(&summary, &Primary::of(&summary)) {
        let titles: Vec<String> = columns.iter().map(|column| format!(">{column}")).collect();
        let mut titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        titles.insert(0, "technique");
        let mut table = Table::new(&titles);
        for (technique, cells) in by_technique(&rows, &columns) {
            let cells = cells.iter().map(|row| row.map_or_else(|| "–".to_owned(), |row| share(row.figures.f1)));
            table.push(std::iter::once(results.techniques[technique].label.clone()).chain(cells).collect());
        }
        tables.push((format!("{} · F1 by {}", heading(&results, rows[0]), by.as_str()), table));
    }
    if !summary.unscored.is_empty() {
        let mut table = Table::new(&["technique", "suite", "digest", ">pages", ">failures", "first error"]);
        for without in summary.unscored {
            let counts = [without.pages.to_string(), without.failures.to_string(), without.error.unwrap_or_default()];
            table.push([without.technique, without.suite, without.digest].into_iter().chain(counts).collect());
        }
        tables.push(("Without a score".to_owned(), table));
    }
    Ok(tables)
}

const FIGURES: [&str; 12] = [
    "technique",
    ">F1",
    ">recall",
    ">precision",
    ">F1 of means",
    ">deviation",
    ">median",
    ">pages",
    ">failures",
    ">loads",
    ">ms",
    ">ms/kB",
];

fn figures(results: &Results, row: &Row) -> Vec<String> {
    let figures = &row.figures;
    let mut cells = vec![
        results.techniques[row.technique].label.clone(),
        share(figures.f1),
        share(figures.recall),
        share(figures.precision),
        share(figures.f1_of_means),
        figures.deviation.map_or_else(|| "–".to_owned(), share),
        share(figures.median),
        figures.pages.to_string(),
        figures.failures.to_string(),
        number(figures.loads),
        number(figures.compute_ms),
        number(figures.ms_per_kb),
    ];
    cells.extend(figures.f_beta.into_iter().flat_map(|f| [share(f), share(1.0 - f)]));
    cells
}

fn heading(results: &Results, row: &Row) -> String {
    format!("{} · {} · {}", results.suites[row.suite].title(), row.block, row.measure)
}

/// Rows of one suite, block and measure (and grouping) each.
fn parts(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    rows.chunk_by(|a, b| a.suite == b.suite && a.block == b.block && a.measure == b.measure)
}

/// For each suite and block the measure that says most about it, of those in the rows.
struct Primary<'a>(BTreeMap<(usize, &'a str), &'a str>);

impl<'a> Primary<'a> {
    fn of(summary: &'a Summary) -> Primary<'a> {
        let mut primary: BTreeMap<(usize, &str), &str> = BTreeMap::new();
        for rows in parts(&summary.rows) {
            let (suite, block, measure) = (rows[0].suite, &*rows[0].block, &*rows[0].measure);
            let known = primary.entry((suite, block)).or_insert(measure);
            if (measure_rank(block, measure), measure) < (measure_rank(block, known), *known) {
                *known = measure;
            }
        }
        Primary(primary)
    }

    fn has(&self, row: &Row) -> bool {
        self.0.get(&(row.suite, &*row.block)).is_some_and(|measure| *measure == &*row.measure)
    }
}

/// For each suite and block, and each grouping that has several groups there: the groups, and the rows of all of them.
fn primary_groups<'a>(summary: &'a Summary, primary: &Primary) -> Vec<(Grouping, Vec<&'a str>, Vec<&'a Row>)> {
    let mut found = Vec::new();
    for rows in parts(&summary.groups).filter(|rows| primary.has(&rows[0])) {
        for by in crate::figures::GROUPINGS {
            let rows: Vec<(&str, &Row)> = rows
                .iter()
                .filter_map(|row| row.group.as_ref().filter(|(known, _)| *known == by).map(|(_, group)| (group.as_str(), row)))
                .collect();
            let mut columns: Vec<&str> = rows.iter().map(|(group, _)| *group).collect();
            columns.dedup();
            if columns.len() > 1 {
                found.push((by, columns, rows.into_iter().map(|(_, row)| row).collect()));
            }
        }
    }
    found
}

/// The rows of groups as a line for each technique, by falling mean over the groups.
fn by_technique<'a>(rows: &[&'a Row], columns: &[&str]) -> Vec<(usize, Vec<Option<&'a Row>>)> {
    let mut lines: BTreeMap<usize, Vec<Option<&Row>>> = BTreeMap::new();
    for row in rows {
        let group = row.group.as_ref().map_or("", |(_, group)| group);
        if let Some(at) = columns.iter().position(|column| *column == group) {
            lines.entry(row.technique).or_insert_with(|| vec![None; columns.len()])[at] = Some(row);
        }
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    let total = |cells: &[Option<&Row>]| cells.iter().flatten().map(|row| row.figures.f1).sum::<f64>() / cells.len() as f64;
    lines.sort_by(|a, b| total(&b.1).total_cmp(&total(&a.1)));
    lines
}
