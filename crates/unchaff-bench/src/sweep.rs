//! Sweeps: finding the settings of a technique as the theses did.
//!
//! All settings of a grid, or a random part of it, are tried on the training pages; the one with the highest mean F1 is then
//! run on the evaluation pages, once, beside the settings that the sweep started from. Only that second figure says
//! what the settings are worth. Pages are parsed once, however many settings there are (Alarte 2023 needed 227 days for
//! 11 million experiments).
//!
//! With several suites the figure is the mean of their means, so that a large suite does not decide alone. Sums are kept
//! as whole numbers, which add up to the same in any order; so the best settings do not depend on the number of threads.

mod grid;
#[cfg(test)]
mod tests;

pub use grid::{Axis, Sample, Sum, settings};

use crate::database::{Database, Experiment};
use crate::form::Form;
use crate::report::table::Table;
use crate::run::{Contender, Done, Heat, Options, RunError, Settings, selected, settings_json, settings_text};
use crate::suite::{Layout, Split, Suite};
use rusqlite::params;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use unchaff_page::BlockKind;
use unchaff_page::parameters::choice;

/// What to try, and what to keep of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Sweep {
    /// The parameters and their values.
    pub axes: Vec<Axis>,
    /// Parameters that must add up.
    pub sums: Vec<Sum>,
    /// A part of the grid instead of all of it.
    pub sample: Option<Sample>,
    /// What the database keeps of the training.
    pub keep: Keep,
    /// The measure whose F1 decides; [`main_measure`] if none.
    pub measure: Option<String>,
    /// How many of the best settings are told.
    pub top: usize,
}

choice! {
    /// What the database keeps of a sweep's training.
    pub enum Keep {
        /// Every experiment; a sweep that was stopped can be taken up.
        All = "all",
        /// The experiments of the best settings and of those that the sweep started from. For very large sweeps.
        Best = "best",
    }
}

/// Means over pages.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Means {
    /// Mean recall.
    pub recall: f64,
    /// Mean precision.
    pub precision: f64,
    /// Mean F1.
    pub f1: f64,
    /// Over how many pages.
    pub pages: u64,
}

/// How settings fared.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The settings other than the defaults.
    pub settings: Settings,
    /// On the training pages.
    pub train: Means,
    /// On the evaluation pages, of which the training knew nothing.
    pub eval: Option<Means>,
}

/// What came of a sweep.
#[derive(Clone, PartialEq, Debug)]
pub struct Swept {
    /// The technique.
    pub technique: String,
    /// The block it looks for, or `segments`.
    pub block: &'static str,
    /// The suites with their digests, and the measure that decided on each.
    pub suites: Vec<(String, String, String)>,
    /// How many settings were tried.
    pub tried: usize,
    /// The settings that the sweep started from.
    pub base: Standing,
    /// The best settings, the best first; only this one is evaluated.
    pub best: Vec<Standing>,
    /// What was done.
    pub done: Done,
}

/// The measure that says most about a block on suites of a layout: words of text, nodes of templates, links of menus; about segments,
/// which are no block, the F of the upper level.
#[must_use]
pub fn main_measure(layout: Layout, block: Option<BlockKind>) -> &'static str {
    match (layout, block) {
        (Layout::Texts | Layout::Package, _) => "word-bag",
        (_, None) => "f-1",
        (_, Some(BlockKind::Menu)) => "links",
        (_, Some(BlockKind::Content | BlockKind::Comments)) => "words",
        (_, Some(BlockKind::Template | BlockKind::Ads)) => "nodes",
    }
}

/// Sweeps the settings of a technique.
///
/// # Errors
/// If the settings are wrong, no page was scored, or the results cannot be kept.
pub fn sweep(
    database: &mut Database,
    suites: &[Suite],
    base: &Contender,
    sweep: &Sweep,
    options: &Options,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Swept, RunError> {
    database.keep_to(&options.measures)?;
    let mut candidates: Vec<Contender> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for settings in settings(&sweep.axes, &sweep.sums, sweep.sample)? {
        let candidate = base.with(&settings)?;
        if let std::collections::hash_map::Entry::Vacant(vacant) = places.entry(settings_json(&candidate.settings)) {
            vacant.insert(candidates.len());
            candidates.push(candidate);
        }
    }
    let tried = candidates.len();
    // The settings that the sweep started from run along for comparison; they win only if the grid has them.
    let base_place = *places.entry(settings_json(&base.settings)).or_insert(tried);
    if base_place == tried {
        candidates.push(base.with(&[])?);
    }
    let measures = suites.iter().map(|suite| measure_on(suite, base, sweep)).collect::<Vec<String>>();
    let mut options = *options;
    options.measures.subsequences = measures.iter().any(|measure| measure.contains("lcs"));
    options.measures.more &=
        measures.iter().any(|measure| ["accuracy", "block", "levenshtein"].iter().any(|name| measure.contains(name)));
    let trial = Trial { suites, measures: &measures, options, progress };

    let all: Vec<&Contender> = candidates.iter().collect();
    let (train, mut done) = trial.run(database, &all, Split::Train, sweep.keep)?;
    let mut order: Vec<usize> = (0..tried).collect();
    order.sort_by(|a, b| train[*b].f1.total_cmp(&train[*a].f1).then(a.cmp(b)));
    order.truncate(sweep.top.max(1));

    let finalists: Vec<&Contender> = vec![all[order[0]], all[base_place]];
    if sweep.keep == Keep::Best {
        done += trial.run(database, &finalists, Split::Train, Keep::All)?.1;
    }
    let (eval, evaluated) = trial.run(database, &finalists, Split::Eval, Keep::All)?;
    done += evaluated;
    let standing = |at: usize, eval| Standing { settings: candidates[at].settings.clone(), train: train[at], eval };
    let titles = suites.iter().zip(&measures).filter(|(suite, _)| base.applies_to(suite.layout));
    Ok(Swept {
        technique: base.name.clone(),
        block: base.looks_for(),
        suites: titles.map(|(suite, measure)| (suite.name.clone(), suite.digest.clone(), measure.clone())).collect(),
        tried,
        base: standing(base_place, Some(eval[1])),
        best: order.iter().enumerate().map(|(rank, at)| standing(*at, (rank == 0).then_some(eval[0]))).collect(),
        done,
    })
}

fn measure_on(suite: &Suite, base: &Contender, sweep: &Sweep) -> String {
    sweep.measure.clone().unwrap_or_else(|| main_measure(suite.layout, base.block).to_owned())
}

/// Techniques on one part of the suites.
struct Trial<'a> {
    suites: &'a [Suite],
    measures: &'a [String],
    options: Options,
    progress: &'a (dyn Fn(u64, u64) + Sync),
}

/// Sums over the pages of one suite, in units of 2^-40.
#[derive(Clone, Copy, Default)]
struct Total {
    sums: [i64; 3],
    pages: u64,
}

const UNIT: f64 = (1_u64 << 40) as f64;

impl Total {
    fn add(&mut self, values: [f64; 3]) {
        for (sum, value) in self.sums.iter_mut().zip(values) {
            *sum += (value * UNIT).round() as i64;
        }
        self.pages += 1;
    }
}

impl Trial<'_> {
    /// The means of all contenders over the pages of a split.
    fn run(
        &self,
        database: &mut Database,
        contenders: &[&Contender],
        split: Split,
        keep: Keep,
    ) -> Result<(Vec<Means>, Done), RunError> {
        let numbers: Vec<i64> = match keep {
            Keep::All => database.techniques(&contenders.iter().map(|contender| contender.record()).collect::<Vec<_>>())?,
            Keep::Best => (0..contenders.len() as i64).collect(),
        };
        let place: HashMap<i64, usize> = numbers.iter().enumerate().map(|(at, number)| (*number, at)).collect();
        let block = contenders.first().map_or("", |contender| contender.looks_for());
        let options = Options { split: Some(split), ..self.options };
        let pages = |suite: &Suite| selected(suite, &options).len() as u64;
        let total_pages = self.suites.iter().map(pages).sum();
        let mut means = MeanOfMeans::new(contenders.len());
        let mut done = Done::default();
        for (suite, measure) in self.suites.iter().zip(self.measures) {
            if !contenders.iter().all(|contender| contender.applies_to(suite.layout)) {
                continue;
            }
            let mut totals = vec![Total::default(); contenders.len()];
            let mut earlier = HashMap::new();
            if keep == Keep::All && !options.fresh {
                earlier = database.done(&suite.name, &suite.digest, options.protocol.is_some())?;
                let items: HashSet<&str> = selected(suite, &options).iter().map(|item| item.id.as_str()).collect();
                add_earlier(database, suite, [block, measure], |item, technique, values| {
                    let known = earlier.get(item).is_some_and(|done| done.binary_search(&technique).is_ok());
                    if let Some(at) = place.get(&technique).filter(|_| known && items.contains(item)) {
                        totals[*at].add(values);
                    }
                })?;
            }
            let before = done.pages;
            let heat = Heat { suite, contenders, numbers: &numbers, earlier: &earlier, options: &options };
            let mut keep_batch = |batch: &crate::run::Batch| {
                for experiment in batch.iter().flat_map(|(_, experiments)| experiments) {
                    if let Some(values) = values_of(experiment, block, measure) {
                        totals[place[&experiment.technique]].add(values);
                    }
                }
                if keep == Keep::All { database.record(batch) } else { Ok(()) }
            };
            done += heat.run(&mut keep_batch, &|pages| (self.progress)(before + pages, total_pages))?;
            means.add(&totals);
        }
        let means = means.means().ok_or_else(|| {
            RunError::Nothing(format!(
                "no page of the split `{}` has a score for {block} by {}; `unchaff bench suites` tells what a suite has",
                split.as_str(),
                self.measures.join(" or "),
            ))
        })?;
        Ok((means, done))
    }
}

fn values_of(experiment: &Experiment, block: &str, measure: &str) -> Option<[f64; 3]> {
    let score = experiment.scores.iter().find(|score| score.block == block && score.measure == measure)?;
    Some([score.recall, score.precision, score.f1])
}

/// Hands on the scores that the database has for a suite.
fn add_earlier(
    database: &Database,
    suite: &Suite,
    [block, measure]: [&str; 2],
    mut add: impl FnMut(&str, i64, [f64; 3]),
) -> Result<(), RunError> {
    let mut query = database.connection().prepare_cached(
        "SELECT page.item, experiment.technique, score.recall, score.precision, score.f1
         FROM page JOIN experiment ON experiment.page = page.id JOIN score ON score.experiment = experiment.id
         WHERE page.suite = ? AND page.digest = ? AND score.block = ? AND score.measure = ?",
    )?;
    let mut rows = query.query(params![suite.name, suite.digest, block, measure])?;
    while let Some(row) = rows.next()? {
        let item = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        add(item, row.get(1)?, [row.get(2)?, row.get(3)?, row.get(4)?]);
    }
    Ok(())
}

/// The mean over suites of the means over their pages.
struct MeanOfMeans {
    sums: Vec<[f64; 3]>,
    pages: Vec<u64>,
    suites: Vec<u32>,
}

impl MeanOfMeans {
    fn new(contenders: usize) -> MeanOfMeans {
        MeanOfMeans { sums: vec![[0.0; 3]; contenders], pages: vec![0; contenders], suites: vec![0; contenders] }
    }

    fn add(&mut self, totals: &[Total]) {
        for (at, total) in totals.iter().enumerate().filter(|(_, total)| total.pages > 0) {
            for (sum, of_suite) in self.sums[at].iter_mut().zip(total.sums) {
                *sum += of_suite as f64 / UNIT / total.pages as f64;
            }
            self.pages[at] += total.pages;
            self.suites[at] += 1;
        }
    }

    /// None if nobody was scored.
    fn means(self) -> Option<Vec<Means>> {
        if self.pages.iter().all(|pages| *pages == 0) {
            return None;
        }
        let mean = |at: usize| {
            let [recall, precision, f1] = self.sums[at].map(|sum| sum / f64::from(self.suites[at].max(1)));
            Means { recall, precision, f1, pages: self.pages[at] }
        };
        Some((0..self.sums.len()).map(mean).collect())
    }
}

impl Swept {
    /// The table, with a heading.
    fn table(&self) -> (String, Table) {
        let suites: Vec<String> =
            self.suites.iter().map(|(name, digest, measure)| format!("{name} {digest} ({measure})")).collect();
        let mut table = Table::new(&[
            "settings",
            ">train F1",
            ">recall",
            ">precision",
            ">pages",
            ">eval F1",
            ">recall",
            ">precision",
            ">pages",
        ]);
        let figures = |means: Option<&Means>| {
            let share = |value: fn(&Means) -> f64| means.map_or_else(|| "–".to_owned(), |means| format!("{:.4}", value(means)));
            let pages = means.map_or_else(|| "–".to_owned(), |means| means.pages.to_string());
            [share(|means| means.f1), share(|means| means.recall), share(|means| means.precision), pages]
        };
        let mut line = |name: String, standing: &Standing| {
            table.push([name].into_iter().chain(figures(Some(&standing.train))).chain(figures(standing.eval.as_ref())).collect());
        };
        for standing in &self.best {
            line(self.settings_of(standing), standing);
        }
        line(format!("{} (the start)", self.settings_of(&self.base)), &self.base);
        (format!("{} · {} · {} settings · {}", self.technique, self.block, self.tried, suites.join(", ")), table)
    }

    fn settings_of(&self, standing: &Standing) -> String {
        let text = settings_text(&standing.settings);
        if text.is_empty() { "defaults".to_owned() } else { text }
    }

    /// Several of them in a form.
    #[must_use]
    pub fn write(swept: &[Swept], form: Form) -> String {
        let texts = |write: fn(&Swept) -> String| swept.iter().map(write).collect::<Vec<_>>().join("\n");
        let json = || json!({ "sweeps": swept.iter().map(Swept::json).collect::<Vec<_>>() });
        form.write(|| texts(Swept::terminal), || texts(Swept::markdown), json)
    }

    /// For the terminal.
    #[must_use]
    pub fn terminal(&self) -> String {
        let (heading, table) = self.table();
        format!("{heading}\n\n{}", table.terminal())
    }

    /// In Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let (heading, table) = self.table();
        format!("## {heading}\n\n{}", table.markdown())
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let standing =
            |standing: &Standing| json!({"settings": standing.settings, "train": standing.train, "eval": standing.eval});
        let suite =
            |(name, digest, measure): &(String, String, String)| json!({"suite": name, "digest": digest, "measure": measure});
        json!({
            "technique": self.technique,
            "block": self.block,
            "suites": self.suites.iter().map(suite).collect::<Vec<Value>>(),
            "tried": self.tried,
            "start": standing(&self.base),
            "best": self.best.iter().map(standing).collect::<Vec<Value>>(),
        })
    }
}
