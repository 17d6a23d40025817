//! Fits the trees of `auto-with-site` and says what they reach on sites that they were not fitted to.
//!
//! `fit_content_with_site DATA MODEL TREES` reads `DATA/sites` (labelled key pages with other pages of their site) and `DATA/pages/daniel` (news pages
//! with gold text, many a site), prints word-bag F1 by number of other pages, with sites left out and with all sites of one kind
//! left out, and writes the trees. MODEL is a model of `auto` that has not seen daniel (`fit_content DATA/pages MODEL --without=daniel`): its ratings
//! of pages that it was trained on would be too good. `auto` has seen none of the pages of DATA/sites.
//!
//! Every page is there several times, with 1 to 64 other pages of its site chosen at random, so that the trees serve few and many.

#![allow(clippy::disallowed_methods, reason = "an example reads files, on many threads")]

#[path = "../../../unchaff-page/examples/fit_content/alignment.rs"]
mod alignment;
mod boosting;
mod corpus;

use boosting::{Lesson, grow};
use corpus::{BUDGETS, Corpus, Sample};
use std::{fs, io, path::Path};
use unchaff_page::learned::auto::{cut::cut, level};
use unchaff_site::learned::block_trees::{Tree, write};

const FOLDS: usize = 5;
/// Where `auto` is unsure: as in the technique.
const UNSURE: f32 = 0.6;
const OWN: f32 = 0.3;
/// The share of samples of news pages that trees are grown from: neighbouring numbers of pages say much the same.
const KEPT: f32 = 0.4;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [data, model, trees] = &arguments[..] else {
        return Err(io::Error::other("give the folder of the data, a model of auto without daniel, and the file of the trees"));
    };
    let corpus = Corpus::read(Path::new(data), Path::new(model))?;
    println!(
        "{} pages, {} samples; F1 of the page alone, then with {BUDGETS:?} other pages at most",
        corpus.pages.len(),
        corpus.samples.len()
    );
    let fold_of: Vec<usize> = corpus.samples.iter().map(|sample| corpus.pages[sample.page].site % FOLDS).collect();
    let kind_of: Vec<usize> = corpus.samples.iter().map(|sample| usize::from(corpus.pages[sample.page].is_news)).collect();
    let by_site: Vec<Vec<Tree>> = in_parallel(FOLDS, |fold| fit(&corpus, |sample| fold_of[sample] != fold));
    report(&corpus, "sites left out", |at| &by_site[fold_of[at]]);
    let by_kind: Vec<Vec<Tree>> = in_parallel(2, |kind| fit(&corpus, |sample| kind_of[sample] != kind));
    report(&corpus, "all of a kind left out", |at| &by_kind[kind_of[at]]);
    let all = fit(&corpus, |_| true);
    report(&corpus, "in sample", |_| &all);
    fs::write(trees, write(&all))
}

fn in_parallel<T: Send>(count: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let make = &make;
        let threads: Vec<_> = (0..count).map(|at| scope.spawn(move || make(at))).collect();
        threads.into_iter().map(|thread| thread.join().expect("fitting ends")).collect()
    })
}

/// Grows trees from the samples wanted. Pages count alike, and the sites of each kind together too; of a site of many pages each counts less.
fn fit(corpus: &Corpus, wants: impl Fn(usize) -> bool) -> Vec<Tree> {
    let mut lesson = Lesson::default();
    let news: f32 = corpus.pages.iter().filter(|page| page.is_news).map(|page| 1.0 / page.of_site.sqrt()).sum();
    let sites = corpus.pages.iter().filter(|page| !page.is_news).count() as f32;
    for (number, sample) in corpus.samples.iter().enumerate().filter(|(number, _)| wants(*number)) {
        let page = &corpus.pages[sample.page];
        if page.is_news && boosting::chance(3, number, 0) >= KEPT {
            continue;
        }
        let share = if page.is_news { 1.0 / page.of_site.sqrt() / news / KEPT * 0.4 } else { 1.0 / sites };
        for (block, facts) in sample.facts.iter().enumerate() {
            let words = page.words[block].len() as f32;
            let weight = ((words + 1.0) / (page.gold_words() as f32 + 50.0)).min(1.0);
            lesson.add(facts, sample.log_odds(page, block), page.labels[block], 5e4 * weight * share / page.samples as f32);
        }
    }
    grow(&lesson)
}

/// The word-bag F1 of a sample, and what was expected.
fn judge(corpus: &Corpus, sample: &Sample, trees: &[Tree]) -> (f64, f32) {
    let page = &corpus.pages[sample.page];
    let is_unsure = page.expected_f1 < UNSURE && sample.own_of_auto < OWN;
    let rate = |block: usize| {
        let facts = &sample.facts[block];
        let change: f32 = trees.iter().map(|tree| tree.value(facts)).sum();
        let sum = if is_unsure { -0.5 * sample.template(block) } else { sample.log_odds(page, block) + change };
        1.0 / (1.0 + (-sum).exp())
    };
    page.f1((0..sample.facts.len()).map(rate).collect())
}

impl corpus::GoldPage {
    /// The word-bag F1 of a page with these probabilities, cut as the engine does, and what was expected.
    fn f1(&self, mut p: Vec<f32>) -> (f64, f32) {
        let units: Vec<_> = self.units.iter().map(|(range, unit)| (range.clone(), unit)).collect();
        level(&units, &self.counts, &mut p);
        let cut = cut(&p, &self.counts, 1.0);
        (self.choice_f1(|block| p[block] >= cut.threshold), cut.expected_f1)
    }
}

/// Prints means by number of other pages, with an interval over sites, and how well the F1 that is expected foretells the one there is.
fn report<'t>(corpus: &Corpus, title: &str, trees: impl Fn(usize) -> &'t [Tree] + Sync) {
    let judged: Vec<(f64, f32)> =
        corpus.samples.iter().enumerate().map(|(at, sample)| judge(corpus, sample, trees(at))).collect();
    for is_news in [false, true] {
        let mut line = Vec::new();
        let mut last: Vec<(usize, f64, f64)> = Vec::new();
        for budget in std::iter::once(0).chain(BUDGETS) {
            last.clear();
            for (number, page) in corpus.pages.iter().enumerate().filter(|(_, page)| page.is_news == is_news) {
                let alone = page.f1(page.p.clone()).0;
                // With no more pages than there are.
                let own =
                    corpus.samples.iter().zip(&judged).filter(|(sample, _)| sample.page == number && sample.others <= budget);
                let f1 = own.max_by_key(|(sample, _)| sample.others).map_or(alone, |(_, (f1, _))| *f1);
                last.push((page.site, f1, alone));
            }
            line.push(format!("{:.4}", last.iter().map(|page| page.1).sum::<f64>() / last.len() as f64));
        }
        let (low, high) = interval(&last);
        let kind = if is_news { "news pages" } else { "websites" };
        println!("{title}, {kind}: {}; gain over the page alone {low:+.4} to {high:+.4} (95 %, over sites)", line.join(" "));
        let worse = last.iter().filter(|page| page.1 < page.2 - 0.02).count();
        println!(
            "    {worse} pages are worse by more than .02, {} better",
            last.iter().filter(|page| page.1 > page.2 + 0.02).count()
        );
    }
    let full = corpus.samples.iter().zip(&judged).filter(|(sample, _)| sample.is_last);
    let mut pairs: Vec<(f32, f64)> = full.map(|(_, (f1, expected))| (*expected, *f1)).collect();
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut error = 0.0;
    for tenth in pairs.chunks(pairs.len().div_ceil(10)) {
        let mean = |of: &dyn Fn(&(f32, f64)) -> f64| tenth.iter().map(of).sum::<f64>() / tenth.len() as f64;
        let (expected, found) = (mean(&|pair| f64::from(pair.0)), mean(&|pair| pair.1));
        error += (expected - found).abs() * tenth.len() as f64 / pairs.len() as f64;
        print!(" {expected:.2}:{found:.2}");
    }
    let bad = |pairs: &[(f32, f64)]| pairs.iter().filter(|pair| pair.1 < 0.6).count();
    let lowest = &pairs[..pairs.len().div_ceil(10)];
    println!(
        "\n    expected:found F1 by tenths; error {error:.3}; of {} pages below .6, {} are in the lowest tenth",
        bad(&pairs),
        bad(lowest)
    );
}

/// The gain over the page alone, by drawing sites again.
fn interval(pages: &[(usize, f64, f64)]) -> (f64, f64) {
    let sites = pages.iter().map(|page| page.0).max().unwrap_or(0) + 1;
    let mut sums = vec![(0.0, 0.0); sites];
    pages.iter().for_each(|(site, with, alone)| sums[*site] = (sums[*site].0 + with - alone, sums[*site].1 + 1.0));
    sums.retain(|sum| sum.1 > 0.0);
    let draw = |round: usize| {
        let drawn = (0..sums.len()).map(|at| sums[(boosting::chance(11, round, at) * sums.len() as f32) as usize % sums.len()]);
        let (gain, count) = drawn.fold((0.0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        gain / count
    };
    let mut gains: Vec<f64> = (0..1000).map(draw).collect();
    gains.sort_by(f64::total_cmp);
    (gains[25], gains[974])
}
