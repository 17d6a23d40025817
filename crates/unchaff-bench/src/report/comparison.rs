//! Two techniques side by side, on the pages that both were run on: `unchaff bench compare A B`.

use super::table::{Table, markdown_text, printable, share};
use super::{ReportError, measure_rank};
use crate::bootstrap::Paired;
use crate::database::Database;
use crate::form::Form;
use crate::summary::{PageScore, Results, Selection};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use unchaff_dom::order::InOrder;

/// How many pages with the largest differences are named.
const LARGEST: usize = 5;

/// Two techniques compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The first technique.
    pub first: String,
    /// The second technique.
    pub second: String,
    /// A comparison for each suite, block and measure that both have scores in; the most telling measure first.
    pub parts: Vec<Part>,
}

/// Two techniques on one suite in one measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// The suite.
    pub suite: String,
    /// Its digest.
    pub digest: String,
    /// The block.
    pub block: String,
    /// The measure.
    pub measure: String,
    /// The mean F1 of both.
    pub means: (f64, f64),
    /// Difference, interval, wins and losses in F1.
    pub paired: Paired,
    /// The pages with the largest differences: name, F1 of the first, F1 of the second.
    pub largest: Vec<(String, f64, f64)>,
    /// The pages' F1.
    pub(crate) pairs: Vec<(f64, f64)>,
}

/// Compares two techniques, each named as in the tables or, where that is clear, without its settings.
///
/// # Errors
/// If one is not in the database, if the name fits several, or if the database cannot be read.
pub fn compare(database: &Database, first: &str, second: &str, selection: &Selection) -> Result<Comparison, ReportError> {
    let selection = Selection { techniques: Vec::new(), ..selection.clone() };
    let results = Results::read(database.connection(), selection)?;
    compare_in(&results, find(&results, first)?, find(&results, second)?, |_| true)
}

/// The technique of a label, or of a name that only one has.
pub(super) fn find(results: &Results, name: &str) -> Result<usize, ReportError> {
    if let Some(found) = results.techniques.iter().position(|technique| technique.label == name) {
        return Ok(found);
    }
    let named: Vec<usize> = (0..results.techniques.len()).filter(|at| results.techniques[*at].name == name).collect();
    let labels = |list: &[usize]| {
        let mut labels: Vec<String> = list.iter().take(20).map(|at| format!("`{}`", results.techniques[*at].label)).collect();
        if list.len() > labels.len() {
            labels.push(format!("{} more", list.len() - labels.len()));
        }
        if labels.is_empty() { "none".to_owned() } else { labels.join(", ") }
    };
    match named.as_slice() {
        [one] => Ok(*one),
        [] => {
            let all: Vec<usize> = (0..results.techniques.len()).collect();
            Err(ReportError::Unknown { name: name.to_owned(), known: labels(&all) })
        }
        several => Err(ReportError::Ambiguous { name: name.to_owned(), known: labels(several) }),
    }
}

/// Compares two techniques in the scores that are `wanted`.
pub(super) fn compare_in(
    results: &Results,
    first: usize,
    second: usize,
    wanted: impl Fn(&PageScore) -> bool,
) -> Result<Comparison, ReportError> {
    let (ours, theirs) = (results.scores(first)?, results.scores(second)?);
    let place = |score: &PageScore| (score.page, score.block.clone(), score.measure.clone());
    let mut parts: BTreeMap<_, Vec<(usize, f64, f64)>> = BTreeMap::new();
    let mut other = theirs.iter().peekable();
    for score in ours.iter().filter(|score| wanted(score)) {
        while other.next_if(|other| place(other) < place(score)).is_some() {}
        if let Some(same) = other.next_if(|other| place(other) == place(score)) {
            let rank = measure_rank(&score.block, &score.measure);
            let part = (results.pages[score.page].suite, &score.block, rank, &score.measure);
            parts.entry(part).or_default().push((score.page, score.f1, same.f1));
        }
    }
    let parts = parts.into_iter().filter_map(|((suite, block, _, measure), mut pages)| {
        let pairs: Vec<(f64, f64)> = pages.iter().map(|(_, first, second)| (*first, *second)).collect();
        let mean = |one: fn(&(f64, f64)) -> f64| pairs.iter().map(one).sum::<f64>() / pairs.len() as f64;
        let means = (mean(|pair| pair.0), mean(|pair| pair.1));
        pages.order_by(|a, b| (b.1 - b.2).abs().total_cmp(&(a.1 - a.2).abs()));
        let differing = pages.iter().filter(|(_, first, second)| first != second).take(LARGEST);
        Some(Part {
            suite: results.suites[suite].name.clone(),
            digest: results.suites[suite].digest.clone(),
            block: block.to_string(),
            measure: measure.to_string(),
            means,
            paired: Paired::compare(&pairs)?,
            largest: differing.map(|(page, first, second)| (results.pages[*page].item.clone(), *first, *second)).collect(),
            pairs,
        })
    });
    let label = |technique: usize| results.techniques[technique].label.clone();
    Ok(Comparison { first: label(first), second: label(second), parts: parts.collect() })
}

impl Comparison {
    fn table(&self) -> Table {
        let titles = [
            "suite",
            "digest",
            "block",
            "measure",
            ">F1 of A",
            ">F1 of B",
            ">A − B",
            ">95 % interval",
            ">A better",
            ">B better",
            ">same",
            "verdict",
        ];
        let mut table = Table::new(&titles);
        for part in &self.parts {
            let Paired { difference, interval, wins, losses, ties } = part.paired;
            let mut row: Vec<String> = [&part.suite, &part.digest, &part.block, &part.measure].map(String::clone).to_vec();
            row.extend([share(part.means.0), share(part.means.1), format!("{difference:+.4}")]);
            row.extend([
                format!("{:+.4} to {:+.4}", interval.0, interval.1),
                wins.to_string(),
                losses.to_string(),
                ties.to_string(),
            ]);
            row.push(
                if interval.0 > 0.0 {
                    "A"
                } else if interval.1 < 0.0 {
                    "B"
                } else {
                    "not told apart"
                }
                .to_owned(),
            );
            table.push(row);
        }
        table
    }

    fn largest(&self) -> Table {
        let mut table = Table::new(&["suite", "block", "measure", "page", ">F1 of A", ">F1 of B", ">A − B"]);
        for part in &self.parts {
            for (item, first, second) in &part.largest {
                let mut row: Vec<String> = [&part.suite, &part.block, &part.measure, item].map(String::clone).to_vec();
                row.extend([share(*first), share(*second), format!("{:+.3}", first - second)]);
                table.push(row);
            }
        }
        table
    }

    fn nothing(&self) -> String {
        format!("{} and {} have no page with scores in common; run both on the same suite.\n", self.first, self.second)
    }

    /// In a form.
    #[must_use]
    pub fn write(&self, form: Form) -> String {
        form.write(|| self.terminal(), || self.markdown(), || self.json())
    }

    /// As text for a terminal.
    #[must_use]
    pub fn terminal(&self) -> String {
        if self.parts.is_empty() {
            return printable(self.nothing().trim_end()) + "\n";
        }
        let (first, second) = (printable(&self.first), printable(&self.second));
        let (table, largest) = (self.table().terminal(), self.largest().terminal());
        format!("A: {first}\nB: {second}\n\n{table}\nLargest differences\n\n{largest}")
    }

    /// As Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        if self.parts.is_empty() {
            return markdown_text(self.nothing().trim_end()) + "\n";
        }
        let (first, second) = (markdown_text(&self.first), markdown_text(&self.second));
        let (table, largest) = (self.table().markdown(), self.largest().markdown());
        format!("# A: {first}, B: {second}\n\n{table}\n## Largest differences\n\n{largest}")
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let parts: Vec<Value> = self
            .parts
            .iter()
            .map(|part| {
                let Paired { difference, interval, wins, losses, ties } = part.paired;
                let largest: Vec<Value> = part
                    .largest
                    .iter()
                    .map(|(item, first, second)| json!({"item": item, "first": first, "second": second}))
                    .collect();
                json!({
                    "suite": part.suite, "digest": part.digest, "block": part.block, "measure": part.measure,
                    "first": part.means.0, "second": part.means.1, "difference": difference,
                    "interval": [interval.0, interval.1], "wins": wins, "losses": losses, "ties": ties, "largest": largest,
                })
            })
            .collect();
        json!({"first": self.first, "second": self.second, "rows": parts})
    }
}
