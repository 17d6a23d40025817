//! What drives run time: the time of each technique against properties of the pages, as in Alarte (2023, chapters 5, 6, 9, 10).
//!
//! For each technique the rank correlation (Spearman) of its times with bytes, nodes and words of the pages and with the pages that it loaded, and for times and properties whether
//! they are normally distributed (Kolmogorov–Smirnov, Shapiro–Wilk), which they hardly ever are. Times count where the technique went well.

use crate::database::Database;
use crate::form::Form;
use crate::report::table::Table;
use crate::statistics::{Test, kolmogorov_smirnov, shapiro_wilk, spearman};
use rusqlite::{Connection, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The properties of a page that times are compared with, as columns of the database.
const PROPERTIES: [(&str, &str); 4] =
    [("bytes", "page.bytes"), ("nodes", "page.nodes"), ("words", "page.words"), ("loads", "experiment.loads")];

/// A property of pages, or time itself, for one technique.
#[derive(Clone, PartialEq, Debug)]
pub struct Driver {
    /// The technique, with its settings.
    pub technique: String,
    /// `time`, `bytes`, `nodes`, `words` or `loads`.
    pub property: &'static str,
    /// How many pages.
    pub pages: usize,
    /// Its rank correlation with time; none for time itself, and where it is the same on all pages.
    pub spearman: Option<Test>,
    /// Whether it is normally distributed.
    pub kolmogorov_smirnov: Option<Test>,
    /// Whether it is, by another test.
    pub shapiro_wilk: Option<Test>,
}

/// The drivers of the times in a database, by technique.
///
/// # Errors
/// If the database cannot be read.
pub fn drivers(connection: &Connection) -> Result<Vec<Driver>> {
    let columns: Vec<&str> = PROPERTIES.iter().map(|(_, column)| *column).collect();
    let mut query = connection.prepare(&format!(
        "SELECT technique.name, technique.settings, experiment.compute_seconds, {} FROM experiment
         JOIN page ON page.id = experiment.page JOIN technique ON technique.id = experiment.technique
         WHERE experiment.error IS NULL ORDER BY technique.name, technique.settings, page.suite, page.digest, page.item",
        columns.join(", ")
    ))?;
    let mut by_technique: BTreeMap<String, Vec<[f64; 5]>> = BTreeMap::new();
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (name, settings): (String, String) = (row.get(0)?, row.get(1)?);
        let label = if settings == "{}" { name } else { format!("{name} {settings}") };
        let mut values = [0.0; 5];
        for (at, value) in values.iter_mut().enumerate() {
            *value = row.get::<_, Option<f64>>(at + 2)?.unwrap_or(0.0);
        }
        by_technique.entry(label).or_default().push(values);
    }
    let names = std::iter::once("time").chain(PROPERTIES.map(|(name, _)| name));
    let names: Vec<&'static str> = names.collect();
    let of = |technique: &str, pages: &[[f64; 5]], at: usize| {
        let values: Vec<f64> = pages.iter().map(|page| page[at]).collect();
        let pairs: Vec<(f64, f64)> = pages.iter().map(|page| (page[at], page[0])).collect();
        Driver {
            technique: technique.to_owned(),
            property: names[at],
            pages: pages.len(),
            spearman: if at == 0 { None } else { spearman(&pairs) },
            kolmogorov_smirnov: kolmogorov_smirnov(&values),
            shapiro_wilk: shapiro_wilk(&values),
        }
    };
    Ok(by_technique
        .iter()
        .flat_map(|(technique, pages)| (0..5).map(move |at| (technique, pages, at)))
        .map(|(t, p, at)| of(t, p, at))
        .collect())
}

/// The mean times of the parts of a technique's work, in milliseconds.
#[derive(Clone, PartialEq, Debug)]
pub struct Modules {
    /// The technique, with its settings.
    pub technique: String,
    /// How many pages.
    pub pages: usize,
    /// How many pages were loaded for one, it included.
    pub loads: f64,
    /// Finding and ordering links, if the technique told.
    pub link_analysis: Option<f64>,
    /// Looking for pages that link to each other, if the technique told.
    pub subdigraph: Option<f64>,
    /// Reading and parsing all pages that were loaded.
    pub parsing: f64,
    /// The rest.
    pub detection: f64,
}

/// The times by module (Alarte 2023, table 12.2), by technique.
///
/// # Errors
/// If the database cannot be read.
pub fn modules(connection: &Connection) -> Result<Vec<Modules>> {
    let mut query = connection.prepare(
        "SELECT technique.name, technique.settings, count(*), avg(experiment.loads), avg(experiment.load_seconds),
           avg(experiment.compute_seconds), avg(link.seconds), avg(subdigraph.seconds), avg(detection.seconds)
         FROM experiment JOIN technique ON technique.id = experiment.technique
         LEFT JOIN stage AS link ON link.experiment = experiment.id AND link.stage = 'link-analysis'
         LEFT JOIN stage AS subdigraph ON subdigraph.experiment = experiment.id AND subdigraph.stage = 'subdigraph'
         LEFT JOIN stage AS detection ON detection.experiment = experiment.id AND detection.stage = 'detection'
         WHERE experiment.error IS NULL GROUP BY technique.id ORDER BY technique.name, technique.settings",
    )?;
    let read = query.query_map([], |row| {
        let (name, settings): (String, String) = (row.get(0)?, row.get(1)?);
        let ms = |column: usize| Ok::<_, rusqlite::Error>(row.get::<_, Option<f64>>(column)?.map(|seconds| seconds * 1e3));
        Ok(Modules {
            technique: if settings == "{}" { name } else { format!("{name} {settings}") },
            pages: row.get::<_, i64>(2)? as usize,
            loads: row.get::<_, Option<f64>>(3)?.unwrap_or(0.0),
            parsing: ms(4)?.unwrap_or(0.0),
            link_analysis: ms(6)?,
            subdigraph: ms(7)?,
            detection: match ms(8)? {
                Some(detection) => detection,
                None => ms(5)?.unwrap_or(0.0),
            },
        })
    })?;
    read.collect()
}

/// What the times in a database say: of what drives them, or of each module.
///
/// # Errors
/// If the database cannot be read.
pub fn report(database: &Database, by_module: bool, form: Form) -> Result<String> {
    let connection = database.connection();
    Ok(if by_module { write_modules(&modules(connection)?, form) } else { write(&drivers(connection)?, form) })
}

/// The times by module as a table or JSON.
#[must_use]
pub fn write_modules(modules: &[Modules], form: Form) -> String {
    let table = || {
        let mut table =
            Table::new(&["technique", ">pages", ">loads", ">link analysis ms", ">subdigraph ms", ">parsing ms", ">detection ms"]);
        for row in modules {
            let told = |ms: Option<f64>| ms.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.3}"));
            table.push(vec![
                row.technique.clone(),
                row.pages.to_string(),
                format!("{:.2}", row.loads),
                told(row.link_analysis),
                told(row.subdigraph),
                told(Some(row.parsing)),
                told(Some(row.detection)),
            ]);
        }
        table
    };
    let row = |row: &Modules| {
        json!({"technique": row.technique, "pages": row.pages, "loads": row.loads, "link_analysis_ms": row.link_analysis,
               "subdigraph_ms": row.subdigraph, "parsing_ms": row.parsing, "detection_ms": row.detection})
    };
    form.write(|| table().terminal(), || table().markdown(), || json!({"rows": modules.iter().map(row).collect::<Vec<_>>()}))
}

/// The drivers as a table or JSON.
#[must_use]
pub fn write(drivers: &[Driver], form: Form) -> String {
    let table = || {
        let mut table = Table::new(&["technique", "property", ">pages", ">Spearman", ">p", ">K-S", ">p", ">S-W", ">p"]);
        for driver in drivers {
            let tests = [driver.spearman, driver.kolmogorov_smirnov, driver.shapiro_wilk];
            let cells = tests.iter().flat_map(|test| match test {
                Some(Test { statistic, p }) => [format!("{statistic:.3}"), format!("{p:.3}")],
                None => ["–".to_owned(), "–".to_owned()],
            });
            table.push(
                [driver.technique.clone(), driver.property.to_owned(), driver.pages.to_string()]
                    .into_iter()
                    .chain(cells)
                    .collect(),
            );
        }
        table
    };
    let test = |test: Option<Test>| test.map_or(Value::Null, |Test { statistic, p }| json!({"statistic": statistic, "p": p}));
    let row = |driver: &Driver| {
        json!({"technique": driver.technique, "property": driver.property, "pages": driver.pages, "spearman": test(driver.spearman),
               "kolmogorov_smirnov": test(driver.kolmogorov_smirnov), "shapiro_wilk": test(driver.shapiro_wilk)})
    };
    form.write(|| table().terminal(), || table().markdown(), || json!({"rows": drivers.iter().map(row).collect::<Vec<_>>()}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;

    #[test]
    fn modules_are_means_and_what_nobody_told_is_detection() {
        let database = Database::in_memory().unwrap();
        let insert = |sql: &str| database.connection().execute_batch(sql).unwrap();
        insert(
            "INSERT INTO technique VALUES(1, 'auto', 'page', 'content', '{}', '1'), (2, 'temex', 'site', 'template', '{}', '1');
             INSERT INTO page(id, suite, digest, item) VALUES(1, 's', 'd', 'a'), (2, 's', 'd', 'b');
             INSERT INTO experiment(id, technique, page, loads, load_seconds, compute_seconds) VALUES
               (1, 1, 1, 1, 0.001, 0.004), (2, 2, 1, 4, 0.010, 0.006), (3, 2, 2, 6, 0.030, 0.006);
             INSERT INTO experiment(id, technique, page, error, compute_seconds) VALUES(4, 1, 2, 'broken', 9);
             INSERT INTO stage VALUES(2, 'link-analysis', 0.001), (2, 'subdigraph', 0.002), (2, 'detection', 0.003),
               (3, 'link-analysis', 0.003), (3, 'subdigraph', 0.001), (3, 'detection', 0.002)",
        );
        let table = write_modules(&modules(database.connection()).unwrap(), Form::Table);
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["auto", "1", "1.00", "–", "–", "1.000", "4.000"]);
        assert_eq!(lines[2], ["temex", "2", "5.00", "2.000", "1.500", "20.000", "2.500"]);
    }

    #[test]
    fn time_that_follows_the_nodes_is_correlated_with_them() {
        let database = Database::in_memory().unwrap();
        let insert = |sql: &str| database.connection().execute_batch(sql).unwrap();
        insert("INSERT INTO technique VALUES(1, 'auto', 'page', 'content', '{}', '1')");
        for at in 1..=12 {
            insert(&format!(
                "INSERT INTO page(id, suite, digest, item, bytes, nodes, words) VALUES({at}, 's', 'd', '{at}', {}, {}, 7);
                 INSERT INTO experiment(technique, page, loads, compute_seconds) VALUES(1, {at}, 1, {})",
                (at * 7) % 13,
                at * at,
                f64::from(at) * 0.001
            ));
        }
        let found = drivers(database.connection()).unwrap();
        let of = |name: &str| found.iter().find(|driver| driver.property == name).unwrap();
        assert_eq!((of("nodes").spearman.unwrap().statistic, of("words").spearman, of("time").spearman), (1.0, None, None));
        assert!(of("bytes").spearman.unwrap().p > 0.1 && of("time").shapiro_wilk.unwrap().p > 0.1);
        let table = write(&found, Form::Table);
        assert!(table.lines().any(|line| line.contains("nodes") && line.contains("1.000")), "{table}");
    }
}
