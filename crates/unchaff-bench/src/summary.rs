//! From the database to [figures](crate::figures): what each technique reaches on each suite, in each measure.
//!
//! A page on which a technique failed counts as zero wherever the page has gold, as if nothing had been found. Where it has
//! gold is known from what any technique was scored for there, else from what this one was scored for on the same suite.
//!
//! Techniques are read one at a time, so that a sweep of millions of experiments needs the memory of one technique. Pages
//! are taken in the order of their names, so that figures do not depend on the order of the runs to the last bit.

use crate::figures::{Figures, GROUPINGS, Grouping};
use rusqlite::{Connection, Result, params};
use serde::Serialize;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use unchaff_dom::order::InOrder;

/// A technique with its settings, as it was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Technique {
    id: i64,
    /// Its name in the registry, or the one given to a command.
    pub name: String,
    /// `page`, `site`, `segment` or `external`.
    pub kind: String,
    /// The block it looks for, or `segments`.
    pub block: String,
    /// A JSON object, `{}` for the defaults.
    pub settings: String,
    /// The version that was run.
    pub version: String,
    /// The name with what sets it apart in this database: settings, and the version where several were run.
    pub label: String,
}

/// A suite in one state of its files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteState {
    /// Its name.
    pub name: String,
    /// The digest over its files.
    pub digest: String,
    /// The folder it was read from.
    pub root: String,
    /// Its pages in the database, as a range of [`Results::pages`].
    pub pages: std::ops::Range<usize>,
}

impl SuiteState {
    /// The name and the digest, without which no figure is printed.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{} {}", self.name, self.digest)
    }
}

/// A page of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageState {
    /// Its suite, a position in [`Results::suites`].
    pub suite: usize,
    /// Its name in the suite.
    pub item: String,
    /// What kind of page it is.
    pub category: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// Which part of the suite it is in.
    pub split: Option<String>,
    /// The size of its source.
    pub bytes: u64,
    /// Its quarter of the suite by size, 0 for the smallest pages.
    pub quarter: usize,
}

/// What a technique reached on a page, in one measure.
#[derive(Clone, PartialEq, Debug)]
pub struct PageScore {
    /// The page, a position in [`Results::pages`].
    pub page: usize,
    /// The block in question.
    pub block: Arc<str>,
    /// The measure.
    pub measure: Arc<str>,
    /// The share of the gold that was found.
    pub recall: f64,
    /// The share of what was found that is gold.
    pub precision: f64,
    /// The harmonic mean of both.
    pub f1: f64,
    /// Whether the technique failed on the page.
    pub failed: bool,
    /// How many pages were loaded for it.
    pub loads: Option<f64>,
    /// How long the technique computed.
    pub seconds: Option<f64>,
}

/// A technique that ran on a suite and has no score there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unscored {
    /// The technique.
    pub technique: String,
    /// The suite.
    pub suite: String,
    /// Its digest.
    pub digest: String,
    /// On how many pages it ran.
    pub pages: usize,
    /// On how many of them it failed.
    pub failures: usize,
    /// What went wrong first, by the name of the page.
    pub error: Option<String>,
}

/// One line of a summary.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The technique, a position in [`Results::techniques`].
    pub technique: usize,
    /// The suite, a position in [`Results::suites`].
    pub suite: usize,
    /// The block in question.
    pub block: Arc<str>,
    /// The measure.
    pub measure: Arc<str>,
    /// The group of pages, if it is not all of them.
    pub group: Option<(Grouping, String)>,
    /// The figures.
    pub figures: Figures,
}

/// Everything a report says in numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// Over all pages, ordered by suite, block and measure, and there by falling F1.
    pub rows: Vec<Row>,
    /// Over groups of pages, ordered likewise, after grouping and group.
    pub groups: Vec<Row>,
    /// What ran without any score.
    pub unscored: Vec<Unscored>,
}

/// What of a database is looked at. Empty lists stand for everything.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Selection {
    /// Techniques, by name or label.
    pub techniques: Vec<String>,
    /// Suites, by name or digest.
    pub suites: Vec<String>,
    /// Blocks.
    pub blocks: Vec<String>,
    /// Measures.
    pub measures: Vec<String>,
    /// A split; none stands for all pages.
    pub split: Option<String>,
    /// With this, figures have an F in which recall weighs so many times as much as precision.
    pub beta: Option<f64>,
}

fn chosen(list: &[String], names: &[&str]) -> bool {
    list.is_empty() || list.iter().any(|known| names.contains(&known.as_str()))
}

/// Blocks and measures that something has scores for.
type Measured = BTreeSet<(Arc<str>, Arc<str>)>;

/// The experiments of one technique, as they are read.
#[derive(Default)]
struct Ran {
    scores: Vec<PageScore>,
    /// Failures without a score, with their errors.
    failed: BTreeMap<usize, String>,
    /// For each suite how many experiments have no score.
    without_score: BTreeMap<usize, usize>,
}

/// The results in a database, ready to be summed up.
#[derive(Debug)]
pub struct Results<'db> {
    connection: &'db Connection,
    selection: Selection,
    /// The techniques, by name, settings and version.
    pub techniques: Vec<Technique>,
    /// The suites, by name and digest.
    pub suites: Vec<SuiteState>,
    /// The pages, by suite and name.
    pub pages: Vec<PageState>,
    positions: HashMap<i64, usize>,
    /// What pages with failures have gold for.
    gold: HashMap<usize, Measured>,
    names: RefCell<HashSet<Arc<str>>>,
}

impl<'db> Results<'db> {
    /// Reads what techniques, suites and pages there are.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn read(connection: &'db Connection, selection: Selection) -> Result<Results<'db>> {
        let mut results = Results {
            connection,
            techniques: techniques(connection, &selection)?,
            suites: Vec::new(),
            pages: Vec::new(),
            positions: HashMap::new(),
            gold: HashMap::new(),
            names: RefCell::default(),
            selection,
        };
        results.read_pages()?;
        results.read_gold()?;
        Ok(results)
    }

    fn read_pages(&mut self) -> Result<()> {
        let mut query = self.connection.prepare(
            "SELECT id, suite, digest, item, category, language, split, bytes, root FROM page ORDER BY suite, digest, item",
        )?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let (name, digest): (String, String) = (row.get(1)?, row.get(2)?);
            let split: Option<String> = row.get(6)?;
            let other_split = self.selection.split.is_some() && split != self.selection.split;
            if other_split || !chosen(&self.selection.suites, &[&name, &digest]) {
                continue;
            }
            let at = self.pages.len();
            if self.suites.last().is_none_or(|suite| suite.name != name || suite.digest != digest) {
                let root = row.get::<_, Option<String>>(8)?.unwrap_or_default();
                self.suites.push(SuiteState { name, digest, root, pages: at..at });
            }
            let suite = self.suites.len() - 1;
            self.suites[suite].pages.end = at + 1;
            self.positions.insert(row.get(0)?, at);
            let bytes = u64::try_from(row.get::<_, Option<i64>>(7)?.unwrap_or(0)).unwrap_or(0);
            let (category, language) = (row.get(4)?, row.get(5)?);
            self.pages.push(PageState { suite, item: row.get(3)?, category, language, split, bytes, quarter: 0 });
        }
        for suite in &self.suites {
            let pages = &mut self.pages[suite.pages.clone()];
            let mut by_size: Vec<usize> = (0..pages.len()).collect();
            by_size.order_by_key(|at| pages[*at].bytes);
            for (rank, at) in by_size.iter().enumerate() {
                pages[*at].quarter = rank * 4 / by_size.len();
            }
        }
        Ok(())
    }

    fn read_gold(&mut self) -> Result<()> {
        let mut query = self.connection.prepare(
            "SELECT DISTINCT e.page, s.block, s.measure FROM experiment e JOIN score s ON s.experiment = e.id \
             WHERE e.page IN (SELECT page FROM experiment WHERE error IS NOT NULL)",
        )?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            if let Some(page) = self.positions.get(&row.get(0)?) {
                let known = (self.name(row.get_ref(1)?.as_str()?), self.name(row.get_ref(2)?.as_str()?));
                self.gold.entry(*page).or_default().insert(known);
            }
        }
        Ok(())
    }

    /// One string for each name, however often it is read.
    fn name(&self, text: &str) -> Arc<str> {
        let mut names = self.names.borrow_mut();
        if let Some(known) = names.get(text) {
            return Arc::clone(known);
        }
        let name: Arc<str> = text.into();
        names.insert(Arc::clone(&name));
        name
    }

    /// The scores of a technique by page, block and measure; failures as zeros.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn scores(&self, technique: usize) -> Result<Vec<PageScore>> {
        let mut scores = Vec::new();
        self.for_techniques(Some(technique), |_, found, _| scores = found)?;
        Ok(scores)
    }

    /// Reads the experiments of one technique or of all, technique by technique.
    fn for_techniques(&self, only: Option<usize>, mut take: impl FnMut(usize, Vec<PageScore>, Vec<Unscored>)) -> Result<()> {
        let known: HashMap<i64, usize> = self.techniques.iter().enumerate().map(|(at, technique)| (technique.id, at)).collect();
        let mut query = self.connection.prepare_cached(
            "SELECT e.technique, e.page, s.block, s.measure, s.recall, s.precision, s.f1, e.error, e.loads, e.compute_seconds \
             FROM experiment e LEFT JOIN score s ON s.experiment = e.id WHERE ?1 IS NULL OR e.technique = ?1 ORDER BY e.technique",
        )?;
        let mut rows = query.query(params![only.map(|technique| self.techniques[technique].id)])?;
        let mut current = None;
        let mut ran = Ran::default();
        while let Some(row) = rows.next()? {
            let Some(technique) = known.get(&row.get(0)?).copied() else { continue };
            let Some(page) = self.positions.get(&row.get(1)?).copied() else { continue };
            if let Some(before) = current.replace(technique).filter(|before| *before != technique) {
                let (scores, unscored) = self.finish(before, std::mem::take(&mut ran));
                take(before, scores, unscored);
            }
            let error: Option<String> = row.get(7)?;
            let Some(block) = row.get_ref(2)?.as_str_or_null()? else {
                *ran.without_score.entry(self.pages[page].suite).or_default() += 1;
                ran.failed.extend(error.map(|error| (page, error)));
                continue;
            };
            let number = |column| row.get::<_, Option<f64>>(column);
            ran.scores.push(PageScore {
                page,
                block: self.name(block),
                measure: self.name(row.get_ref(3)?.as_str()?),
                recall: number(4)?.unwrap_or(0.0),
                precision: number(5)?.unwrap_or(0.0),
                f1: number(6)?.unwrap_or(0.0),
                failed: error.is_some(),
                loads: number(8)?,
                seconds: number(9)?,
            });
        }
        if let Some(last) = current {
            let (scores, unscored) = self.finish(last, ran);
            take(last, scores, unscored);
        }
        Ok(())
    }

    /// Enters failures as zeros and puts scores in order.
    fn finish(&self, technique: usize, ran: Ran) -> (Vec<PageScore>, Vec<Unscored>) {
        let technique = &self.techniques[technique];
        let Ran { mut scores, failed, mut without_score } = ran;
        let mut own: BTreeMap<usize, Measured> = BTreeMap::new();
        for score in &scores {
            own.entry(self.pages[score.page].suite).or_default().insert((Arc::clone(&score.block), Arc::clone(&score.measure)));
        }
        for page in failed.keys().copied() {
            let gold = self.gold.get(&page).or_else(|| own.get(&self.pages[page].suite));
            for (block, measure) in gold.into_iter().flatten().filter(|(block, _)| **block == *technique.block) {
                scores.push(PageScore {
                    page,
                    block: Arc::clone(block),
                    measure: Arc::clone(measure),
                    recall: 0.0,
                    precision: 0.0,
                    f1: 0.0,
                    failed: true,
                    loads: None,
                    seconds: None,
                });
            }
        }
        let scored: BTreeSet<usize> = scores.iter().map(|score| self.pages[score.page].suite).collect();
        without_score.retain(|suite, _| !scored.contains(suite));
        let unscored = without_score.into_iter().map(|(suite, pages)| {
            let suite = &self.suites[suite];
            let mut errors = failed.range(suite.pages.clone());
            Unscored {
                technique: technique.label.clone(),
                suite: suite.name.clone(),
                digest: suite.digest.clone(),
                pages,
                failures: errors.clone().count(),
                error: errors.next().map(|(page, error)| format!("{}: {error}", self.pages[*page].item)),
            }
        });
        let unscored = unscored.collect();
        let Selection { blocks, measures, .. } = &self.selection;
        scores.retain(|score| chosen(blocks, &[&score.block]) && chosen(measures, &[&score.measure]));
        scores.order_by(|a, b| (a.page, &a.block, &a.measure).cmp(&(b.page, &b.block, &b.measure)));
        (scores, unscored)
    }

    /// Sums everything up.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn summary(&self) -> Result<Summary> {
        let mut summary = Summary::default();
        self.for_techniques(None, |technique, scores, unscored| {
            summary.unscored.extend(unscored);
            let mut parts: BTreeMap<_, Vec<&PageScore>> = BTreeMap::new();
            for score in &scores {
                let page = &self.pages[score.page];
                let groups = GROUPINGS.iter().filter_map(|by| Some((*by, by.group(page)?)));
                for group in groups.map(Some).chain([None]) {
                    parts.entry((page.suite, &score.block, &score.measure, group)).or_default().push(score);
                }
            }
            for ((suite, block, measure, group), scores) in parts {
                let Some(figures) = Figures::over(scores.iter().copied(), |page| self.pages[page].bytes, self.selection.beta)
                else {
                    continue;
                };
                let group = group.map(|(by, group)| (by, group.to_owned()));
                let rows = if group.is_some() { &mut summary.groups } else { &mut summary.rows };
                rows.push(Row { technique, suite, block: Arc::clone(block), measure: Arc::clone(measure), group, figures });
            }
        })?;
        summary.unscored.order_by(|a, b| (&a.technique, &a.suite, &a.digest).cmp(&(&b.technique, &b.suite, &b.digest)));
        for rows in [&mut summary.rows, &mut summary.groups] {
            rows.order_by(|a, b| {
                let place = (a.suite, &a.block, &a.measure, &a.group).cmp(&(b.suite, &b.block, &b.measure, &b.group));
                place.then(b.figures.f1.total_cmp(&a.figures.f1)).then(a.technique.cmp(&b.technique))
            });
        }
        Ok(summary)
    }
}

fn techniques(connection: &Connection, selection: &Selection) -> Result<Vec<Technique>> {
    let mut query =
        connection.prepare("SELECT id, name, kind, block, settings, version FROM technique ORDER BY name, settings, version")?;
    let read = query.query_map([], |row| {
        let (name, settings): (String, String) = (row.get(1)?, row.get(4)?);
        let (id, kind, block, version): (_, String, _, _) = (row.get(0)?, row.get(2)?, row.get(3)?, row.get(5)?);
        Ok(Technique { id, label: label(&name, &kind, &settings), name, kind, block, settings, version })
    })?;
    let mut techniques: Vec<Technique> = read.collect::<Result<_>>()?;
    let mut versions: HashMap<String, usize> = HashMap::new();
    for technique in &techniques {
        *versions.entry(technique.label.clone()).or_default() += 1;
    }
    for technique in &mut techniques {
        if versions[&technique.label] > 1 {
            technique.label = format!("{} @{}", technique.label, technique.version);
        }
    }
    techniques.retain(|technique| chosen(&selection.techniques, &[&technique.name, &technique.label]));
    Ok(techniques)
}

/// A name with its settings, in the form in which they can be given again: `conex-page:c=2,max_words=40`.
fn label(name: &str, kind: &str, settings: &str) -> String {
    let settings = match serde_json::from_str(settings) {
        Ok(Value::Object(settings)) if kind != "external" => settings,
        _ => return name.to_owned(),
    };
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let pairs: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect();
    if pairs.is_empty() { name.to_owned() } else { format!("{name}:{}", pairs.join(",")) }
}
