//! How well a technique puts the blocks of pages in order: ROC and lift curves, the area below, precision among the first.
//!
//! T. Gottron: *Content Extraction* (PhD thesis, Mainz 2008), 2.2.4 and 3.3.6, names them. Recall, precision and F1 judge one cut; here every cut is judged, so that the rating is told apart from
//! the threshold. Items are the blocks of text of a page ([`crate::measure`]); a block is right if two thirds of its words are gold. It is rated by the technique: by the probabilities that
//! come with its answer, else by the value of its explanation that decides, of the nearest element that has one; blocks without one come last. Blocks of the same rating are in no
//! order, and each point within them counts as what it is on average. Curves are means over pages, each of which counts as much: a page's ratings need not be comparable with another's. How far they are, the pooled area says.

mod picture;

use crate::form::Form;
use crate::measure::blocks::{Side, judged, ranges};
use crate::report::table::Table;
use crate::run::{Contender, Options, selected};
use crate::suite::{Benchmark, Suite};
use rayon::prelude::*;
use serde_json::{Value, json};
use thiserror::Error;
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, Page, Tag};

pub use picture::picture;

/// How finely curves are drawn.
pub(crate) const STEPS: usize = 100;

/// After how many of the first blocks precision is told.
pub const RANKS: [usize; 3] = [1, 5, 10];

/// A block of text: how it is rated, and whether it is right. None is no rating.
pub type Rated = (Option<f64>, bool);

/// The curves of a technique on a suite.
#[derive(Clone, PartialEq, Debug)]
pub struct Curves {
    /// The technique, with its settings.
    pub technique: String,
    /// The block that it looks for.
    pub block: &'static str,
    /// The suite and its digest.
    pub suite: (String, String),
    /// How many pages have blocks of both kinds.
    pub pages: usize,
    /// How many pages failed; they are in no curve.
    pub failed: usize,
    /// The share of the right blocks among the first, by the share of the wrong ones, from 0 to 1.
    pub roc: Vec<f64>,
    /// The share of the right blocks among the first, by the share of all blocks, from 0 to 1.
    pub lift: Vec<f64>,
    /// The mean area below the ROC curve.
    pub area: f64,
    /// The area below the curve of all blocks together.
    pub pooled_area: f64,
    /// How many times more right blocks are among the first tenth than in any tenth.
    pub first_tenth: f64,
    /// The share of right blocks among the first ([`RANKS`]).
    pub precision_at: [f64; RANKS.len()],
    /// The share of right blocks among as many of the first as there are right ones.
    pub precision_at_right: f64,
}

/// Why there are no curves.
#[derive(Debug, Error)]
pub enum CurvesError {
    /// Threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// No technique rates.
    #[error("none of these techniques rates what it looks at; auto, cectd-ds, lqf and template-auto are some that do")]
    NoRating,
}

/// The curves of techniques on suites. Techniques that do not rate are told.
///
/// # Errors
/// If none rates, or threads cannot be started.
pub fn curves(
    suites: &[Suite],
    contenders: &[Contender],
    options: &Options,
    tell: &mut dyn FnMut(String),
) -> Result<Vec<Curves>, CurvesError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build()?;
    let mut found = Vec::new();
    for suite in suites {
        let items = selected(suite, options);
        let entered: Vec<&Contender> = contenders.iter().filter(|contender| contender.applies_to(suite.layout)).collect();
        let pages: Vec<Vec<Option<Vec<Rated>>>> = pool.install(|| {
            let of = |item: &&crate::suite::Item| {
                let Ok(benchmark) = suite.load(item) else { return vec![None; entered.len()] };
                entered.iter().map(|contender| page(&benchmark, contender)).collect()
            };
            items.par_iter().with_max_len(1).map(of).collect()
        });
        for (at, contender) in entered.iter().enumerate() {
            let of: Vec<Option<&[Rated]>> = pages.iter().map(|page| page[at].as_deref()).collect();
            if of.iter().flatten().all(|page| page.iter().all(|(rating, _)| rating.is_none())) {
                tell(format!("{} does not rate what it looks at on {}: it has no curve", contender.label(), suite.name));
                continue;
            }
            found.extend(Curves::of(contender, suite, &of));
        }
    }
    if found.is_empty() {
        return Err(CurvesError::NoRating);
    }
    // Techniques that look for the same are shown together.
    found.order_by(|one: &Curves, other| (&one.suite, one.block).cmp(&(&other.suite, other.block)));
    Ok(found)
}

/// The blocks of a page, rated; none if the technique failed, and no block if the page has nothing to find.
fn page(benchmark: &Benchmark, contender: &Contender) -> Option<Vec<Rated>> {
    let kind = contender.block?;
    let page = &benchmark.page;
    let gold = match (benchmark.gold.nodes(kind), &benchmark.gold.text) {
        (Some(nodes), _) => Side::Nodes(nodes),
        (None, Some(text)) if kind == unchaff_page::BlockKind::Content => Side::Text(text),
        _ => return Some(Vec::new()),
    };
    let ratings = contender.ratings(benchmark).ok()?;
    let blocks = ranges(page);
    let right = judged(page, &blocks, gold);
    Some(blocks.iter().map(|block| rating(page, *block, &ratings)).zip(right).collect())
}

/// The mean rating of the texts of a block, by words: each has that of the nearest rated node above it.
fn rating(page: &Page, (first, last): (NodeId, NodeId), ratings: &[(NodeId, f64)]) -> Option<f64> {
    let of = |node: NodeId| ratings.binary_search_by_key(&node, |(rated, _)| *rated).ok().map(|at| ratings[at].1);
    let (mut sum, mut words) = (0.0, 0.0);
    for text in (first.0..=last.0).map(NodeId).filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).words > 0) {
        if let Some(rating) = std::iter::once(text).chain(page.ancestors(text)).find_map(of) {
            let weight = f64::from(page.counts(text).words);
            sum += rating * weight;
            words += weight;
        }
    }
    (words > 0.0).then(|| sum / words).filter(|mean| mean.is_finite())
}

/// Runs of blocks of the same rating, the likeliest first: how many are right, how many wrong.
fn runs(blocks: &[Rated]) -> Vec<[f64; 2]> {
    let mut sorted = blocks.to_vec();
    let key = |block: &Rated| block.0.unwrap_or(f64::NEG_INFINITY);
    sorted.order_by(|a, b| key(b).total_cmp(&key(a)));
    let count = |run: &[Rated]| {
        let right = run.iter().filter(|(_, right)| *right).count();
        [right as f64, (run.len() - right) as f64]
    };
    sorted.chunk_by(|a, b| key(a) == key(b)).map(count).collect()
}

/// The area below the ROC curve; none if all blocks are right or none is.
#[must_use]
pub fn area(blocks: &[Rated]) -> Option<f64> {
    let runs = runs(blocks);
    let all = runs.iter().fold([0.0, 0.0], |all, run| [all[0] + run[0], all[1] + run[1]]);
    let (mut below, mut right) = (0.0, 0.0);
    for [more, wrong] in runs {
        below += wrong * (right + more / 2.0);
        right += more;
    }
    (all[0] > 0.0 && all[1] > 0.0).then(|| below / (all[0] * all[1]))
}

/// What share of the right blocks is found after each hundredth of `taken`, which says how far a run goes on the axis.
fn curve(runs: &[[f64; 2]], taken: impl Fn(&[f64; 2]) -> f64) -> Vec<f64> {
    let whole: f64 = runs.iter().map(&taken).sum();
    let right: f64 = runs.iter().map(|run| run[0]).sum();
    let mut points = Vec::with_capacity(STEPS + 1);
    let (mut before, mut found, mut at) = (0.0, 0.0, 0);
    for step in 0..=STEPS {
        let x = whole * step as f64 / STEPS as f64;
        while at < runs.len() && before + taken(&runs[at]) <= x {
            before += taken(&runs[at]);
            found += runs[at][0];
            at += 1;
        }
        let part = runs.get(at).map_or(0.0, |run| run[0] * (x - before) / taken(run));
        points.push((found + part) / right);
    }
    points
}

/// The share of right blocks among the first `rank`.
#[must_use]
pub fn precision_at(blocks: &[Rated], rank: usize) -> f64 {
    let (mut left, mut right) = (rank.min(blocks.len()) as f64, 0.0);
    let whole = left;
    for run in runs(blocks) {
        let share = (left / (run[0] + run[1])).min(1.0);
        right += run[0] * share;
        left -= (run[0] + run[1]) * share;
    }
    if whole > 0.0 { right / whole } else { 0.0 }
}

impl Curves {
    fn of(contender: &Contender, suite: &Suite, pages: &[Option<&[Rated]>]) -> Option<Curves> {
        let both = |blocks: &&[Rated]| blocks.iter().any(|(_, right)| *right) && blocks.iter().any(|(_, right)| !*right);
        let used: Vec<&[Rated]> = pages.iter().flatten().copied().filter(both).collect();
        let count = used.len() as f64;
        let mean = |of: &dyn Fn(&[Rated]) -> f64| used.iter().map(|blocks| of(blocks)).sum::<f64>() / count;
        let mean_curve = |of: &dyn Fn(&[Rated]) -> Vec<f64>| {
            let mut sums = vec![0.0; STEPS + 1];
            for blocks in &used {
                sums.iter_mut().zip(of(blocks)).for_each(|(sum, value)| *sum += value / count);
            }
            sums
        };
        if used.is_empty() {
            return None;
        }
        let lift = mean_curve(&|blocks| curve(&runs(blocks), |run| run[0] + run[1]));
        Some(Curves {
            technique: contender.label(),
            block: contender.looks_for(),
            suite: (suite.name.clone(), suite.digest.clone()),
            pages: used.len(),
            failed: pages.iter().filter(|page| page.is_none()).count(),
            roc: mean_curve(&|blocks| curve(&runs(blocks), |run| run[1])),
            first_tenth: lift[STEPS / 10] * 10.0,
            lift,
            area: mean(&|blocks| area(blocks).unwrap_or(0.5)),
            pooled_area: area(&used.concat()).unwrap_or(0.5),
            precision_at: RANKS.map(|rank| mean(&|blocks| precision_at(blocks, rank))),
            precision_at_right: mean(&|blocks| precision_at(blocks, blocks.iter().filter(|(_, right)| *right).count())),
        })
    }

    fn json(&self) -> Value {
        let at: serde_json::Map<String, Value> =
            RANKS.iter().zip(self.precision_at).map(|(rank, share)| (rank.to_string(), json!(share))).collect();
        json!({"technique": self.technique, "block": self.block, "suite": self.suite.0, "digest": self.suite.1, "pages": self.pages, "failed": self.failed,
               "area": self.area, "pooled_area": self.pooled_area, "lift_of_first_tenth": self.first_tenth, "precision_at": at,
               "precision_at_right": self.precision_at_right, "roc": self.roc, "lift": self.lift})
    }
}

/// The figures of curves as a table, JSON (with the curves), or a page with pictures.
#[must_use]
pub fn write(curves: &[Curves], form: Form) -> String {
    if form == Form::Html {
        return picture(curves);
    }
    let table = || {
        let mut heads = vec!["suite", "block", "technique", ">pages", ">area", ">pooled", ">lift of first tenth"];
        let ranks = RANKS.map(|rank| format!(">precision at {rank}"));
        heads.extend(ranks.iter().map(String::as_str));
        heads.push(">at all right");
        let mut table = Table::new(&heads);
        for one in curves {
            let mut row = vec![
                format!("{} {}", one.suite.0, one.suite.1),
                one.block.to_owned(),
                one.technique.clone(),
                one.pages.to_string(),
            ];
            row.extend([one.area, one.pooled_area].map(|value| format!("{value:.3}")));
            row.push(format!("{:.2}", one.first_tenth));
            row.extend(one.precision_at.iter().chain([&one.precision_at_right]).map(|value| format!("{value:.3}")));
            table.push(row);
        }
        table
    };
    let json = || json!({"curves": curves.iter().map(Curves::json).collect::<Vec<_>>()});
    form.write(|| table().terminal(), || table().markdown(), json)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(rated: &[(f64, bool)]) -> Vec<Rated> {
        rated.iter().map(|(rating, right)| (Some(*rating), *right)).collect()
    }

    #[test]
    fn the_area_is_the_share_of_pairs_in_the_right_order() {
        assert_eq!(area(&blocks(&[(0.9, true), (0.8, true), (0.2, false)])), Some(1.0));
        assert_eq!(area(&blocks(&[(0.9, false), (0.1, true)])), Some(0.0));
        assert_eq!(area(&blocks(&[(0.5, false), (0.5, true)])), Some(0.5));
        // Of six pairs three are in order and one is in none.
        let some = blocks(&[(0.9, true), (0.7, false), (0.7, true), (0.4, false), (0.3, true)]);
        assert_eq!(area(&some), Some((2.0 + 1.5 + 0.0) / 6.0));
        assert_eq!(area(&blocks(&[(0.5, true)])), None);
    }

    #[test]
    fn blocks_without_a_rating_come_last() {
        assert_eq!(area(&[(Some(-5.0), true), (None, false)]), Some(1.0));
    }

    #[test]
    fn precision_counts_ties_as_they_are_on_average() {
        let some = blocks(&[(3.0, true), (2.0, false), (2.0, true), (1.0, false)]);
        assert_eq!([1, 2, 3, 10].map(|rank| precision_at(&some, rank)), [1.0, 0.75, 2.0 / 3.0, 0.5]);
        assert_eq!(precision_at(&[], 5), 0.0);
    }

    #[test]
    fn curves_go_from_nothing_to_all() {
        let runs = runs(&blocks(&[(3.0, true), (2.0, false), (1.0, true), (0.0, false)]));
        let roc = curve(&runs, |run| run[1]);
        assert_eq!([roc[0], roc[25], roc[50], roc[99], roc[100]], [0.5, 0.5, 1.0, 1.0, 1.0]);
        let lift = curve(&runs, |run| run[0] + run[1]);
        assert_eq!([lift[0], lift[25], lift[50], lift[75], lift[100]], [0.0, 0.5, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn a_block_has_the_rating_of_the_nearest_element() {
        let page = Page::parse("<div><p>one two three <b>four</b></p><p>five</p></div>");
        let node = |name: &str| page.nodes().find(|node| page.name(*node) == name).unwrap();
        let mut ratings = vec![(node("div"), 1.0), (node("p"), 2.0), (node("b"), 6.0)];
        let blocks = ranges(&page);
        let of = |ratings: &[(NodeId, f64)]| blocks.iter().map(|block| rating(&page, *block, ratings)).collect::<Vec<_>>();
        assert_eq!(of(&ratings), [Some(3.0), Some(1.0)]);
        ratings.remove(0);
        assert_eq!(of(&ratings), [Some(3.0), None]);
    }
}
