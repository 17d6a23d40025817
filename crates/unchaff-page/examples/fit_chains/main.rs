//! Trains the weights of techniques that label texts in sequence, and says how good they are on pages that they were not trained on.
//!
//! `fit_chains victor DATA WEIGHTS` reads sets of pages with gold text as `fit_content` does (`<set>/{pages/<id>.html,gold/<id>.txt,meta.json}`), prints cross-validated
//! figures (word-bag F1, mean over pages; pages of one site or template are never divided) and writes the weights of all pages. The same for `web2text`.
//! The weights of each fold are written, read and run as the engine does it. The same data gives the same weights.

#![allow(clippy::disallowed_methods, reason = "an example reads files, on many threads")]

#[path = "../fit_content/alignment.rs"]
mod alignment;
#[allow(dead_code, reason = "what the features of `auto` need is not used here")]
#[path = "../fit_content/corpus.rs"]
mod corpus;
mod field;
mod lessons;
mod networks;

use lessons::{Lesson, Lessons};
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

const FOLDS: usize = 3;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [technique, data, file] = &arguments[..] else {
        return Err(io::Error::other("give victor or web2text, the folder of the data, and the file of the weights"));
    };
    match technique.as_str() {
        "victor" => cross_validate(Path::new(data), file, &field::Victor),
        "web2text" => cross_validate(Path::new(data), file, &networks::Web2Text),
        other => Err(io::Error::other(format!("there is no `{other}` to be trained here"))),
    }
}

/// A technique that is trained.
pub(crate) trait Trained: Sync {
    /// What it sees of a page.
    type Seen: Send + Sync;

    /// What it sees of a page, and the texts that it labels.
    fn see(&self, page: &unchaff_dom::Page) -> (Self::Seen, Vec<unchaff_dom::NodeId>);

    /// The weights of these pages, as they are kept.
    fn fit(&self, lessons: &[&Lesson<Self::Seen>]) -> Vec<u8>;

    /// What weights that were kept say of a page.
    fn label(&self, weights: &[u8], seen: &Self::Seen) -> Vec<bool>;
}

fn cross_validate<T: Trained>(data: &Path, file: &str, technique: &T) -> io::Result<()> {
    let lessons = Lessons::read(data, technique, FOLDS)?;
    let all = &lessons.pages;
    report("best choice of texts", all, |lesson| lesson.f1(&lesson.labels));
    let numbers: Vec<usize> = (0..=FOLDS).collect();
    let fits = corpus::in_parallel(&numbers, |fold| {
        Ok(technique.fit(&all.iter().filter(|lesson| lesson.fold != *fold).collect::<Vec<_>>()))
    })?;
    report("cross-validated", all, |lesson| lesson.f1(&technique.label(&fits[lesson.fold], &lesson.seen)));
    report("on the pages it was trained on", all, |lesson| lesson.f1(&technique.label(&fits[FOLDS], &lesson.seen)));
    fs::write(file, &fits[FOLDS])
}

/// Prints the means of sets and their mean.
fn report<S>(title: &str, lessons: &[Lesson<S>], value: impl Fn(&Lesson<S>) -> f64) {
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for lesson in lessons {
        let sum = sums.entry(&lesson.set).or_default();
        *sum = (sum.0 + value(lesson), sum.1 + 1.0);
    }
    let means: Vec<(&str, f64)> = sums.into_iter().map(|(set, (sum, count))| (set, sum / count)).collect();
    let list: Vec<String> = means.iter().map(|(set, mean)| format!("{set} {mean:.4}")).collect();
    println!("{title}: mean {:.4}; {}", means.iter().map(|(_, mean)| mean).sum::<f64>() / means.len() as f64, list.join(", "));
}
