//! What drives run time: the time of each technique against properties of the pages, as in Alarte (2023, chapters 5, 6, 9, 10).
//!
//! For each technique the rank correlation (Spearman) of its times with bytes, nodes and words of the pages and with the pages that it loaded, and for times and properties whether
//! they are normally distributed (Kolmogorov–Smirnov, Shapiro–Wilk), which they hardly ever are. Times count where the technique went well.

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
