//! Runs: techniques on the pages of suites, into a database.
//!
//! Pages are the outer loop and techniques the inner one: a page is read and parsed once, however many settings are tried
//! on it. Pages are worked on in parallel; one thread writes what they yield, in batches that are as large as the moment
//! allows (Alarte 2023 sends 200 experiments at a time). What the database has already is not run again, so a run that was
//! stopped at any moment is taken up by running it once more. The order in which pages are finished has no influence on
//! any figure.

mod contender;
mod experiment;
mod http_system;
mod metered_site;
mod one_document_server;
mod plan;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod tiny_suite;

pub use contender::{Contender, Settings, settings_json, settings_text};
pub use http_system::HttpOptions;
pub use plan::{Entrants, Outcome, Plan, PlanError, Ran};

use crate::database::{Database, DatabaseError, Experiment, PageRecord};
use crate::measure::Measures;
use crate::suite::{Item, MissingBoxes, Split, Suite};
use crate::timing::Protocol;
use experiment::{Bench, guarded, unmeasured};
use metered_site::LoadCosts;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;
use unchaff_dom::links::NOWHERE;
use unchaff_job::ExternalError;
use unchaff_job::external::SiteFiles;
use unchaff_page::parameters::NoSetting;
use unchaff_page::registry::SettingError;

/// How many experiments are written at a time.
const BATCH: usize = 200;

/// How many settings of one page are tried before they are handed on; so many also are worth a thread of their own.
const CHUNK: usize = 250;

/// Why a run cannot start or go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// There is no technique of this name.
    #[error("there is no technique `{name}`; there are {known}, and `all`")]
    UnknownTechnique {
        /// The name.
        name: String,
        /// Those that exist.
        known: String,
    },
    /// A setting is not of the right form.
    #[error(transparent)]
    Setting(#[from] NoSetting),
    /// A setting is refused by the technique.
    #[error(transparent)]
    Refused(#[from] SettingError),
    /// An external command is not of the right form.
    #[error(transparent)]
    External(#[from] ExternalError),
    /// A system behind HTTP cannot be asked.
    #[error("`{text}` cannot be used over HTTP: {reason}")]
    Http {
        /// Its address.
        text: String,
        /// Why.
        reason: String,
    },
    /// No suite has a gold standard for a technique.
    #[error(
        "{technique} looks for {block}, of which no suite that was named has a gold standard{site}; name a suite that has (labelled pages, docs/workbench.md), or leave it away with -t"
    )]
    Inapplicable {
        /// The technique.
        technique: String,
        /// Its block.
        block: &'static str,
        /// What is to be said of techniques that need a site.
        site: &'static str,
    },
    /// Nothing to run, or nothing to run it on.
    #[error("{0}")]
    Nothing(String),
    /// A range of values is not of the right form.
    #[error("{0}")]
    Sweep(String),
    /// Threads cannot be started.
    #[error("cannot start threads ({0}); try fewer jobs")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The results cannot be kept.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<rusqlite::Error> for RunError {
    fn from(error: rusqlite::Error) -> Self {
        RunError::Database(error.into())
    }
}

/// How to run.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Options {
    /// The part of the suites; all if none.
    pub split: Option<Split>,
    /// The most pages of each suite, the first ones.
    pub limit: Option<usize>,
    /// How many pages to work on at a time; 0 for one per core.
    pub jobs: usize,
    /// How to take times; each technique is run once if none.
    pub protocol: Option<Protocol>,
    /// Run again what the database has already.
    pub fresh: bool,
    /// How answers are measured.
    pub measures: Measures,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Done {
    /// Pages that were loaded.
    pub pages: u64,
    /// Experiments that were made.
    pub experiments: u64,
    /// Of these, those that failed.
    pub failed: u64,
    /// Experiments that the database had already.
    pub earlier: u64,
    /// The time it took.
    pub elapsed: Duration,
}

/// What was done, and how fast.
impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed.as_secs_f64();
        let rate = self.experiments as f64 / seconds.max(1e-9);
        let [experiments, pages, failed, earlier] = [self.experiments, self.pages, self.failed, self.earlier].map(grouped);
        write!(f, "{experiments} experiments on {pages} pages in {seconds:.1} s: {rate:.0} a second")?;
        if self.failed > 0 {
            write!(f, "; {failed} failed and count as zero")?;
        }
        if self.earlier > 0 {
            write!(f, "; {earlier} were in the database already (--fresh runs them again)")?;
        }
        Ok(())
    }
}

/// A number with commas between its thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let parts = [&digits[..first]]
        .into_iter()
        .chain(digits.as_bytes()[first..].chunks(3).map(|part| std::str::from_utf8(part).unwrap_or_default()));
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",")
}

impl std::ops::AddAssign for Done {
    fn add_assign(&mut self, other: Done) {
        self.pages += other.pages;
        self.experiments += other.experiments;
        self.failed += other.failed;
        self.earlier += other.earlier;
        self.elapsed += other.elapsed;
    }
}

/// The pages of a suite that a run is about, in the suite's order.
#[must_use]
pub fn selected<'a>(suite: &'a Suite, options: &Options) -> Vec<&'a Item> {
    let wanted = suite.items.iter().filter(|item| options.split.is_none_or(|split| item.split == Some(split)));
    wanted.take(options.limit.unwrap_or(usize::MAX)).collect()
}

/// Runs techniques on suites; `progress` is told of each page that is finished, and of how many there are.
///
/// # Errors
/// If there is nothing to run, or the results cannot be kept.
pub fn run(
    database: &mut Database,
    suites: &[Suite],
    contenders: &[Contender],
    options: &Options,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Done, RunError> {
    let contenders = distinct(contenders);
    if contenders.is_empty() {
        return Err(RunError::Nothing("no technique was named; name one, or `all`".to_owned()));
    }
    database.keep_to(&options.measures)?;
    let numbers = database.techniques(&contenders.iter().map(|contender| contender.record()).collect::<Vec<_>>())?;
    let mut done = Done::default();
    let total = suites.iter().map(|suite| selected(suite, options).len() as u64).sum();
    if total == 0 {
        return Err(RunError::Nothing(nothing_to_run_on(suites, options)));
    }
    for suite in suites {
        let (entered, numbers): (Vec<&Contender>, Vec<i64>) =
            contenders.iter().zip(&numbers).filter(|(contender, _)| contender.applies_to(suite.layout)).unzip();
        let earlier = match options.fresh {
            true => HashMap::new(),
            false => database.done(&suite.name, &suite.digest, options.protocol.is_some())?,
        };
        let before = done.pages;
        let heat = Heat { suite, contenders: &entered, numbers: &numbers, earlier: &earlier, options };
        done += heat.run(&mut |batch| database.record(batch), &|pages| progress(before + pages, total))?;
    }
    Ok(done)
}

/// Has the pages rendered that segments are to be found on, and tells what is going on. Without a browser, techniques that need no boxes are left, if
/// there are any.
///
/// # Errors
/// If there is no browser and nothing is left.
pub fn render_missing(
    suites: &[Suite],
    contenders: &[Contender],
    options: &Options,
    tell: &mut dyn FnMut(&str),
) -> Result<(), MissingBoxes> {
    for suite in suites {
        let entered: Vec<&Contender> = contenders.iter().filter(|contender| contender.applies_to(suite.layout)).collect();
        if entered.is_empty() {
            continue;
        }
        if let Err(error) = suite.render_missing(&selected(suite, options), tell) {
            let (without, left): (Vec<&Contender>, Vec<&Contender>) =
                entered.iter().partition(|contender| contender.needs_boxes());
            if left.is_empty() {
                return Err(error);
            }
            let names: Vec<String> = without.iter().map(|contender| contender.label()).collect();
            let out = if names.is_empty() { String::new() } else { format!("; not run there: {}", names.join(", ")) };
            tell(&format!("unchaff: {error}{out}"));
        }
    }
    Ok(())
}

/// Fails if a technique is not applicable to any suite.
///
/// # Errors
/// The first such technique.
pub fn check_applicable(contenders: &[Contender], suites: &[Suite]) -> Result<(), RunError> {
    let outside = |contender: &&Contender| !suites.iter().any(|suite| contender.applies_to(suite.layout));
    contenders.iter().find(outside).map_or(Ok(()), |contender| {
        let site = match &*contender.record().kind {
            "page" | "segment" => "",
            _ => " with the pages of a site",
        };
        Err(RunError::Inapplicable { technique: contender.label(), block: contender.looks_for(), site })
    })
}

fn nothing_to_run_on(suites: &[Suite], options: &Options) -> String {
    match (suites, options.split) {
        ([], _) => "no suite was found; name the folder of one".to_owned(),
        (_, Some(split)) => format!("no page of the suites belongs to the split `{}`", split.as_str()),
        _ => "the suites have no page that can be used; `unchaff bench suites` says what is wrong with them".to_owned(),
    }
}

/// Each technique with the same settings once.
fn distinct(contenders: &[Contender]) -> Vec<&Contender> {
    let mut seen = HashSet::new();
    contenders.iter().filter(|contender| seen.insert((contender.name.clone(), settings_json(&contender.settings)))).collect()
}

/// Where the site of a page lies, if it does; the address is the scorers' where it is unknown.
fn site_files(item: &Item) -> Option<SiteFiles> {
    let (pages, key) = (item.site_folder()?.to_owned(), item.page_file()?.to_owned());
    let base = item.base_url().map_or_else(|| NOWHERE.to_owned(), ToString::to_string);
    Some(SiteFiles { pages, key, base })
}

/// Experiments of one page, on their way to whoever keeps them.
pub(crate) type Batch = Vec<(PageRecord, Vec<Experiment>)>;

/// Techniques on one suite.
pub(crate) struct Heat<'a> {
    pub(crate) suite: &'a Suite,
    pub(crate) contenders: &'a [&'a Contender],
    pub(crate) numbers: &'a [i64],
    /// By item, the numbers of techniques that need not be run, in ascending order.
    pub(crate) earlier: &'a HashMap<String, Vec<i64>>,
    pub(crate) options: &'a Options,
}

/// Where times are taken one by one, nothing else runs meanwhile, not even the writing (Gottron 2008, 5.3.3).
struct Turns(Option<Mutex<()>>);

impl Turns {
    fn take(&self) -> Option<MutexGuard<'_, ()>> {
        self.0.as_ref().map(|turn| turn.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What comes from the threads.
struct Yield {
    page: PageRecord,
    experiments: Vec<Experiment>,
    /// How many experiments of the page were there already; told with the last part of a page.
    finished: Option<u64>,
}

impl Heat<'_> {
    /// Runs all and hands the results to `keep`.
    pub(crate) fn run(
        &self,
        keep: &mut dyn FnMut(&Batch) -> Result<(), DatabaseError>,
        progress: &dyn Fn(u64),
    ) -> Result<Done, RunError> {
        let start = Instant::now();
        let items = selected(self.suite, self.options);
        let mut done = Done::default();
        if self.contenders.is_empty() {
            return Ok(done);
        }
        // Times are taken one by one unless it was asked otherwise.
        let jobs = if self.options.protocol.is_some() { self.options.jobs.max(1) } else { self.options.jobs };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
        let (sender, receiver) = sync_channel::<Yield>(64);
        let turns = &Turns((self.options.protocol.is_some() && jobs == 1).then(Mutex::default));
        let written = pool.in_place_scope(|scope| {
            // Gone as soon as something cannot be kept, so that no thread waits for its results to be taken.
            let receiver = receiver;
            scope.spawn(move |_| {
                // An error means that nobody listens any more, because nothing can be kept.
                let _ = items.par_iter().with_max_len(1).try_for_each(|item| self.page(item, turns, &sender));
            });
            let mut batch = Batch::new();
            while let Ok(first) = receiver.recv() {
                let mut size = 0;
                for part in std::iter::once(first).chain(receiver.try_iter()) {
                    size += part.experiments.len();
                    done.experiments += part.experiments.len() as u64;
                    done.failed += part.experiments.iter().filter(|experiment| experiment.error.is_some()).count() as u64;
                    if let Some(earlier) = part.finished {
                        done.pages += 1;
                        done.earlier += earlier;
                    }
                    if !part.experiments.is_empty() {
                        batch.push((part.page, part.experiments));
                    }
                    if size >= BATCH {
                        break;
                    }
                }
                let turn = turns.take();
                keep(&batch)?;
                drop(turn);
                batch.clear();
                progress(done.pages);
            }
            Ok::<(), DatabaseError>(())
        });
        written?;
        done.elapsed = start.elapsed();
        Ok(done)
    }

    fn page(&self, item: &Item, turns: &Turns, sender: &SyncSender<Yield>) -> Result<(), ()> {
        let hand_on = |part: Yield| sender.send(part).map_err(drop);
        let mut page = self.record(item);
        let earlier = self.earlier.get(&item.id).map_or(&[][..], Vec::as_slice);
        let mut missing: Vec<usize> =
            (0..self.contenders.len()).filter(|at| earlier.binary_search(&self.numbers[*at]).is_err()).collect();
        let finished = Some((self.contenders.len() - missing.len()) as u64);
        if missing.is_empty() {
            return hand_on(Yield { page, experiments: Vec::new(), finished });
        }
        let benchmark = match guarded(|| self.suite.load(item).map_err(|error| error.to_string())) {
            Ok(benchmark) => benchmark,
            Err(error) => {
                let experiments = missing.iter().map(|at| unmeasured(self.numbers[*at], error.clone())).collect();
                return hand_on(Yield { page, experiments, finished });
            }
        };
        // Not a failure: they are run as soon as the page was rendered.
        missing.retain(|at| benchmark.is_rendered() || !self.contenders[*at].needs_boxes());
        page.nodes = Some(benchmark.page.len() as u64);
        page.words = Some(u64::from(benchmark.page.counts(benchmark.page.root()).words));
        let costs = LoadCosts::default();
        let files = site_files(item);
        let try_all = |chunk: &[usize]| {
            let mut bench = Bench::new(&benchmark, files.as_ref(), &costs, self.options);
            let turn = turns.take();
            let experiments = chunk.iter().map(|at| bench.experiment(self.contenders[*at], self.numbers[*at])).collect();
            drop(turn);
            hand_on(Yield { page: page.clone(), experiments, finished: None })
        };
        missing.par_chunks(CHUNK).try_for_each(try_all)?;
        hand_on(Yield { page: page.clone(), experiments: Vec::new(), finished })
    }

    fn record(&self, item: &Item) -> PageRecord {
        PageRecord {
            suite: self.suite.name.clone(),
            digest: self.suite.digest.clone(),
            item: item.id.clone(),
            category: item.category.clone(),
            language: item.language.clone(),
            split: item.split.map(|split| split.as_str().into()),
            bytes: item.bytes,
            nodes: None,
            words: None,
            root: self.suite.root.to_string_lossy().into_owned(),
        }
    }
}
