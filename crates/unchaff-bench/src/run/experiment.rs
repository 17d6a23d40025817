//! One technique on one page: it is run, timed and measured. Whatever goes wrong is a result that scores zero.

use super::Options;
use super::contender::{Contender, Technique};
use super::metered_site::{LoadCosts, MeteredSite};
use crate::database::{Experiment, ScoreRecord};
use crate::measure::{Answer, Score, segment_scores, try_score, zeros};
use crate::suite::Benchmark;
use crate::timing::Timing;
use std::any::Any;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use unchaff_dom::site::Stage;
use unchaff_job::external::{Printed, SiteFiles};
use unchaff_page::{BlockKind, Detection};
use unchaff_segment::segmentation::Segmentation;

/// How many answers to one page are remembered with their scores. Neighbouring settings mostly give the same answer, and
/// measuring one costs more than finding it.
const REMEMBERED: usize = 16;

/// A page on which techniques are tried one after the other.
pub(super) struct Bench<'a> {
    benchmark: &'a Benchmark,
    files: Option<&'a SiteFiles>,
    costs: &'a LoadCosts,
    options: &'a Options,
    measured: Vec<(Detection, Vec<ScoreRecord>)>,
}

/// What a technique answered.
enum Found {
    Nodes(Detection),
    Segments(Vec<Segmentation>),
    Printed(Printed),
}

/// A single run.
struct Attempt {
    found: Found,
    loads: u64,
    load: Duration,
    compute: Duration,
    stages: Vec<(Stage, Duration)>,
}

impl Attempt {
    /// A run that loads nothing but the page.
    fn of_page(found: Found, compute: Duration) -> Attempt {
        Attempt { found, loads: 1, load: Duration::ZERO, compute, stages: Vec::new() }
    }

    /// The parts of a time, in the proportions of this run.
    fn parts_of(&self, seconds: f64) -> Vec<(Cow<'static, str>, f64)> {
        let all: f64 = self.stages.iter().map(|(_, spent)| spent.as_secs_f64()).sum();
        let share = |spent: &Duration| if all > 0.0 { spent.as_secs_f64() / all } else { 0.0 };
        self.stages.iter().map(|(stage, spent)| (stage.as_str().into(), seconds * share(spent))).collect()
    }
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        benchmark: &'a Benchmark,
        files: Option<&'a SiteFiles>,
        costs: &'a LoadCosts,
        options: &'a Options,
    ) -> Bench<'a> {
        Bench { benchmark, files, costs, options, measured: Vec::new() }
    }

    /// Runs a technique, known to the database by `number`.
    pub(super) fn experiment(&mut self, contender: &Contender, number: i64) -> Experiment {
        let (attempt, timing) = match self.timed(contender) {
            Ok(done) => done,
            Err(error) => return self.failed(contender, number, error),
        };
        let (compute_seconds, repetitions, steady) = match timing {
            Some(timing) => (timing.seconds, timing.repetitions, Some(timing.steady)),
            None => (attempt.compute.as_secs_f64(), 1, None),
        };
        let stages = attempt.parts_of(compute_seconds);
        // Measuring reads what an external command printed, which can be anything.
        let scores = guarded(|| self.scores(contender, attempt.found));
        let scores = match scores {
            Ok(scores) => scores,
            Err(error) => return self.failed(contender, number, error),
        };
        Experiment {
            technique: number,
            error: None,
            loads: attempt.loads,
            load_seconds: (self.benchmark.load_time + attempt.load).as_secs_f64(),
            compute_seconds,
            repetitions,
            steady,
            scores,
            stages,
        }
    }

    fn timed(&self, contender: &Contender) -> Result<(Attempt, Option<Timing>), String> {
        let Some(protocol) = self.options.protocol else { return Ok((self.attempt(contender)?, None)) };
        let mut last = None;
        let timing = protocol.time(|| {
            let attempt = self.attempt(contender)?;
            let compute = attempt.compute;
            last = Some(attempt);
            Ok::<_, String>(compute)
        })?;
        let attempt = last.ok_or("it was never run")?;
        Ok((attempt, Some(timing)))
    }

    fn attempt(&self, contender: &Contender) -> Result<Attempt, String> {
        let benchmark = self.benchmark;
        guarded(|| match &contender.technique {
            Technique::Page(technique) => {
                let start = Instant::now();
                let detection = technique.detect(&benchmark.page);
                Ok(Attempt::of_page(Found::Nodes(detection), start.elapsed()))
            }
            Technique::Site(technique) => {
                let (Some(site), Some(key)) = (&benchmark.site, benchmark.key) else {
                    return Err("the page belongs to no site".to_owned());
                };
                let site = MeteredSite::new(&**site, self.costs);
                let start = Instant::now();
                let detection = technique.detect(&site, key).map_err(|error| error.to_string())?;
                let compute = start.elapsed().saturating_sub(site.waited());
                let loads = unchaff_dom::Site::loads(&site) as u64;
                Ok(Attempt { found: Found::Nodes(detection), loads, load: site.charged(), compute, stages: site.stages() })
            }
            Technique::Segment(_) => {
                let start = Instant::now();
                let found = contender.segments(benchmark).ok_or("the page is of a suite without segments")?;
                Ok(Attempt::of_page(Found::Segments(found), start.elapsed()))
            }
            Technique::External(external) => {
                let (printed, compute) = external.run(&benchmark.source, self.files).map_err(|error| error.to_string())?;
                Ok(Attempt::of_page(Found::Printed(printed), compute))
            }
            Technique::Http(system) => {
                let (printed, compute) = system.ask(benchmark)?;
                Ok(Attempt::of_page(Found::Printed(printed), compute))
            }
        })
    }

    fn scores(&mut self, contender: &Contender, found: Found) -> Result<Vec<ScoreRecord>, String> {
        let measure = |kind, answer: &Answer<'_>| {
            let scores = try_score(self.benchmark, kind, answer, &self.options.measures).map_err(|error| error.to_string())?;
            Ok::<Vec<ScoreRecord>, String>(scores.into_iter().map(record).collect())
        };
        match found {
            Found::Nodes(mut detection) => {
                detection.notes.clear();
                if let Some(at) = self.measured.iter().position(|(other, _)| *other == detection) {
                    // The last used comes first, so that it is found soon and forgotten late.
                    self.measured[..=at].rotate_right(1);
                    return Ok(self.measured[0].1.clone());
                }
                let mut scores: Vec<ScoreRecord> = Vec::new();
                let mut kinds: Vec<BlockKind> = Vec::new();
                for block in &detection.blocks {
                    if !kinds.contains(&block.kind) {
                        kinds.push(block.kind);
                        scores.extend(measure(block.kind, &Answer::Nodes(&detection))?);
                    }
                }
                self.measured.truncate(REMEMBERED - 1);
                self.measured.insert(0, (detection, scores.clone()));
                Ok(scores)
            }
            Found::Segments(found) => Ok(segment_scores(self.benchmark, &found).into_iter().map(record).collect()),
            Found::Printed(printed) => {
                let answer = match &printed {
                    Printed::Text(text) => Answer::Text(text),
                    Printed::Annotated(bytes) => Answer::Annotated(bytes),
                };
                measure(contender.block.ok_or("commands find no segments")?, &answer)
            }
        }
    }

    /// A failure scores zero wherever an answer would have been measured.
    fn failed(&self, contender: &Contender, number: i64, error: String) -> Experiment {
        let scores = guarded(|| {
            Ok(match contender.block {
                Some(block) => zeros(self.benchmark, block, &self.options.measures),
                None => segment_scores(self.benchmark, &[]),
            })
        });
        let scores = scores.unwrap_or_default();
        Experiment { scores: scores.into_iter().map(record).collect(), ..unmeasured(number, error) }
    }
}

/// A failure on a page of which not even the gold standard is known.
pub(super) fn unmeasured(number: i64, error: String) -> Experiment {
    Experiment {
        technique: number,
        error: Some(error),
        loads: 0,
        load_seconds: 0.0,
        compute_seconds: 0.0,
        repetitions: 0,
        // Also where times are asked for, this will not be tried again.
        steady: Some(false),
        scores: Vec::new(),
        stages: Vec::new(),
    }
}

fn record(score: Score) -> ScoreRecord {
    let Score { block, measure, retrieved, gold, common, recall, precision, f1 } = score;
    ScoreRecord { block: block.into(), measure: measure.into(), retrieved, gold, common, recall, precision, f1 }
}

/// Runs something of which a panic is an error like others.
pub(super) fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic: Box<dyn Any + Send>| {
        let said = panic.downcast_ref::<&str>().map(|said| (*said).to_owned());
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(format!("it panicked: {}", said.unwrap_or_else(|| "no message".to_owned())))
    })
}
