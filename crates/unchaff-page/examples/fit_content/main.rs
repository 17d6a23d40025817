//! Trains the model of `auto`, and says how good it is on pages that it was not trained on.
//!
//! `fit_content DATA MODEL` reads sets of pages with gold text, prints cross-validated figures (word-bag F1, mean over pages;
//! pages of one site or template are never divided), and writes the model. `fit_content DATA --check` leaves out whole sets in turn
//! instead: what the features are worth on pages of another make. `fit_content DATA MODEL --without=SET` writes the model of all sets but one, by which
//! what is built on ratings can be fitted to that set, and prints nothing. `fit_content DATA --judge` rates the pages by the model that is there, and
//! trains none. With a folder as third argument the models of the folds are kept there, and those that are there already are not trained again. The model of each fold is
//! written, read and run as the engine does it, so the figures are the engine's.

#![allow(clippy::disallowed_methods, reason = "an example reads files, on many threads")]

mod alignment;
mod boosting;
mod corpus;
mod mistakes;

use boosting::{Lesson, Settings, chance, grow};
use corpus::{Corpus, GoldPage};
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};
use unchaff_page::learned::auto::features::Source;
use unchaff_page::learned::auto::oblivious_trees::ObliviousTrees;
use unchaff_page::learned::auto::tables::LANES;
use unchaff_page::learned::auto::{self, alike, comments, cut::cut};

const FOLDS: usize = 3;
const SETTINGS: Settings = Settings { trees: 900, rate: 0.09, pull: 2.0, rows: 0.3, columns: 0.25, seed: 7 };
/// Blocks of fewer words are sampled, those kept standing for the others.
const SHORT: usize = 6;
const KEPT: f32 = 0.4;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (data, then, kept, without) = match &arguments[..] {
        [data, then] => (data, then, None, None),
        [data, then, without] if without.starts_with("--without=") => (data, then, None, without.strip_prefix("--without=")),
        [data, then, kept] => (data, then, Some(Path::new(kept)), None),
        _ => return Err(io::Error::other("give the folder of the data, and the file of the model, --check or --judge")),
    };
    let columns = auto::columns();
    let sources: Vec<Source> = columns.iter().map(|(_, source)| *source).collect();
    let corpus = Corpus::read(Path::new(data), &sources)?;
    if let Some(without) = without {
        let (bias, trees) = grow(&lesson(&corpus, |page| corpus.pages[page].set != *without), &SETTINGS);
        return fs::write(then, ObliviousTrees::write(bias, &columns, &corpus.borders, &trees));
    }
    report("best choice of blocks", &corpus.pages, |page| page.f1(|block| page.labels[block] >= 0.5));
    let is_check = then == "--check";
    let mut sets: Vec<&str> = corpus.pages.iter().map(|page| &*page.set).collect();
    sets.dedup();
    let fold_of = if is_check {
        corpus.pages.iter().map(|page| sets.iter().position(|set| *set == page.set).unwrap_or(0)).collect()
    } else {
        corpus.folds(FOLDS)
    };
    let folds = if is_check { sets.len() } else { FOLDS };
    let fit = |fold: usize| {
        let file = kept.map(|kept| kept.join(format!("{}{fold}.bin", if is_check { "set" } else { "fold" })));
        if let Some(model) = file.as_ref().and_then(|file| fs::read(file).ok()) {
            return Ok(model);
        }
        let (bias, trees) = grow(&lesson(&corpus, |page| fold_of[page] != fold), &SETTINGS);
        let model = ObliviousTrees::write(bias, &columns, &corpus.borders, &trees);
        file.map_or(Ok(()), |file| fs::write(file, &model)).map(|()| model)
    };
    if then == "--judge" {
        let shipped = ObliviousTrees::read(&fs::read("crates/unchaff-page/src/learned/auto/model.bin")?, &columns)
            .map_err(io::Error::other)?;
        let asked: Vec<usize> =
            shipped.columns().iter().filter_map(|asked| sources.iter().position(|own| own == asked)).collect();
        let mut p = vec![0.0; corpus.pages.last().map_or(0, |page| page.end)];
        corpus.pages.iter().for_each(|page| rate(&shipped, &asked, &corpus, page, &mut p));
        judge(&corpus, &columns, &mut p, "the model as it is");
        return Ok(());
    }
    // The last leaves nothing out: it is the model that is kept.
    let numbers: Vec<usize> = if is_check { (0..folds).collect() } else { (0..=folds).collect() };
    let models: Vec<Vec<u8>> = corpus::in_parallel(&numbers, |fold| fit(*fold))?;
    let mut p = vec![0.0; corpus.pages.last().map_or(0, |page| page.end)];
    for (fold, model) in models.iter().enumerate().take(folds) {
        let model = ObliviousTrees::read(model, &columns).map_err(io::Error::other)?;
        let asked: Vec<usize> = model.columns().iter().filter_map(|asked| sources.iter().position(|own| own == asked)).collect();
        for page in corpus.pages.iter().enumerate().filter(|(at, _)| fold_of[*at] == fold).map(|(_, page)| page) {
            rate(&model, &asked, &corpus, page, &mut p);
        }
    }
    judge(&corpus, &columns, &mut p, if is_check { "sets left out" } else { "cross-validated" });
    match models.last().filter(|_| !is_check) {
        Some(model) => fs::write(then, model),
        None => Ok(()),
    }
}

/// Says how good probabilities are: block by block, and after each of the engine's steps.
fn judge(corpus: &Corpus, columns: &[(String, Source)], p: &mut [f32], title: &str) {
    let f1 = |page: &GoldPage, p: &[f32]| {
        let taken = choose(page, &p[page.first..page.end]);
        page.f1(|block| taken[block])
    };
    report(&format!("{title}, block by block"), &corpus.pages, |page| f1(page, p));
    for page in &corpus.pages {
        let words: Vec<f32> = page.words.iter().map(|words| words.len() as f32).collect();
        let units: Vec<_> = page.units.iter().map(|(range, unit)| (range.clone(), unit)).collect();
        auto::level(&units, &words, &mut p[page.first..page.end]);
    }
    report(&format!("{title}, units whole"), &corpus.pages, |page| f1(page, p));
    for page in &corpus.pages {
        let words: Vec<f32> = page.words.iter().map(|words| words.len() as f32).collect();
        let p = &mut p[page.first..page.end];
        alike::decide_alike(&page.of_group, &words, p);
        let units: Vec<_> = page.units.iter().map(|(range, unit)| (range.clone(), unit)).collect();
        auto::level(&units, &words, p);
    }
    report(&format!("{title}, and blocks of one kind alike"), &corpus.pages, |page| f1(page, p));
    for page in &corpus.pages {
        let words: Vec<f32> = page.words.iter().map(|words| words.len() as f32).collect();
        comments::leave_out(&page.comments, &words, &mut p[page.first..page.end]);
    }
    report(&format!("{title}, and without comments: as the engine has it"), &corpus.pages, |page| f1(page, p));
    mistakes::report(corpus, columns, |page| choose(page, &p[page.first..page.end]));
}

/// Rows of the pages wanted. Weights make long and short pages count alike, as the measure does.
fn lesson(corpus: &Corpus, wants: impl Fn(usize) -> bool) -> Lesson<'_> {
    let mut lesson = Lesson { columns: &corpus.columns, rows: Vec::new(), labels: Vec::new(), weights: Vec::new() };
    for (number, page) in corpus.pages.iter().enumerate().filter(|(number, _)| wants(*number)) {
        for (block, words) in page.words.iter().enumerate().filter(|(_, words)| !words.is_empty()) {
            let is_short = words.len() < SHORT;
            if is_short && chance(SETTINGS.seed + 2, number, block) >= KEPT {
                continue;
            }
            let weight = ((words.len() + 1) as f32 / (page.gold_words() + 50) as f32).min(1.0);
            lesson.rows.push((page.first + block) as u32);
            lesson.labels.push(page.labels[block]);
            lesson.weights.push(if is_short { weight / KEPT } else { weight });
        }
    }
    lesson
}

fn rate(model: &ObliviousTrees, asked: &[usize], corpus: &Corpus, page: &GoldPage, p: &mut [f32]) {
    let mut batch = vec![[0; LANES]; asked.len()];
    for first in (page.first..page.end).step_by(LANES) {
        let end = page.end.min(first + LANES);
        for (lanes, column) in batch.iter_mut().zip(asked) {
            lanes[..end - first].copy_from_slice(&corpus.columns[*column][first..end]);
        }
        p[first..end].copy_from_slice(&model.rate(&batch)[..end - first]);
    }
}

fn choose(page: &GoldPage, p: &[f32]) -> Vec<bool> {
    let words: Vec<f32> = page.words.iter().map(|words| words.len() as f32).collect();
    let cut = cut(p, &words, 1.0);
    p.iter().map(|p| *p >= cut.threshold).collect()
}

/// Prints the means of sets, of kinds of pages, and of the sets' means.
fn report(title: &str, pages: &[GoldPage], value: impl Fn(&GoldPage) -> f64) {
    let mut sums: BTreeMap<(bool, &str), (f64, f64)> = BTreeMap::new();
    for page in pages {
        let value = value(page);
        for key in [Some((false, &*page.set)), page.kind.as_deref().map(|kind| (true, kind))].into_iter().flatten() {
            let sum = sums.entry(key).or_default();
            *sum = (sum.0 + value, sum.1 + 1.0);
        }
    }
    let means: Vec<((bool, &str), f64)> = sums.into_iter().map(|(key, (sum, count))| (key, sum / count)).collect();
    let of_sets: Vec<f64> = means.iter().filter(|((is_kind, _), _)| !is_kind).map(|(_, mean)| *mean).collect();
    println!("{title}: mean {:.4}", of_sets.iter().sum::<f64>() / of_sets.len() as f64);
    for ((is_kind, name), mean) in means {
        println!("{}{name} {mean:.4}", if is_kind { "    " } else { "  " });
    }
}
