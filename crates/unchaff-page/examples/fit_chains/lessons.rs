//! Pages with gold text as sequences of labelled texts.

use crate::Trained;
use crate::alignment::labels;
use crate::corpus::{Corpus, in_parallel};
use std::collections::HashMap;
use std::path::Path;
use std::{fs, io};
use unchaff_dom::{NodeId, Page, words::words};

/// One page.
pub(crate) struct Lesson<S> {
    pub(crate) set: String,
    pub(crate) fold: usize,
    /// What the technique sees of it.
    pub(crate) seen: S,
    /// Whether most of each text's words are gold.
    pub(crate) labels: Vec<bool>,
    /// For each text its words: their numbers among the gold's, -1 for others.
    words: Vec<Vec<i32>>,
    /// How often the gold has each of its words.
    gold: Vec<u32>,
}

impl<S> Lesson<S> {
    /// Word-bag F1 of a choice of texts.
    pub(crate) fn f1(&self, taken: &[bool]) -> f64 {
        let mut left = self.gold.clone();
        let (mut shared, mut count) = (0_u32, 0);
        for (words, _) in self.words.iter().zip(taken).filter(|(_, taken)| **taken) {
            count += words.len();
            for word in words.iter().filter(|word| **word >= 0) {
                if left[*word as usize] > 0 {
                    left[*word as usize] -= 1;
                    shared += 1;
                }
            }
        }
        2.0 * f64::from(shared) / (count + self.gold.iter().sum::<u32>() as usize) as f64
    }
}

/// All pages.
pub(crate) struct Lessons<S> {
    pub(crate) pages: Vec<Lesson<S>>,
}

impl<S: Send + Sync> Lessons<S> {
    /// Reads the pages; which of them are of one site or template is found out as for `fit_content`.
    pub(crate) fn read<T: Trained<Seen = S>>(data: &Path, technique: &T, folds: usize) -> io::Result<Lessons<S>> {
        let corpus = Corpus::read(data, &[])?;
        let listed: Vec<_> = corpus.pages.iter().zip(corpus.folds(folds)).collect();
        let pages = in_parallel(&listed, |(listed, fold)| {
            let folder = data.join(&listed.set);
            let gold_text = fs::read_to_string(folder.join("gold").join(format!("{}.txt", listed.id)))?;
            let page = Page::parse(fs::read(folder.join("pages").join(format!("{}.html", listed.id)))?);
            let (seen, texts) = technique.see(&page);
            Ok(lesson(&page, &texts, &gold_text, seen, (&listed.set, *fold)))
        })?;
        Ok(Lessons { pages })
    }
}

fn lesson<S>(page: &Page, texts: &[NodeId], gold_text: &str, seen: S, (set, fold): (&str, usize)) -> Lesson<S> {
    let mut vocabulary: HashMap<String, i32> = HashMap::new();
    let mut wanted = Vec::new();
    for word in words(&gold_text.to_lowercase()) {
        let next = vocabulary.len() as i32;
        wanted.push(*vocabulary.entry(word.to_owned()).or_insert(next));
    }
    let read = |text: &NodeId| {
        let text = page.string(*text).to_lowercase();
        words(&text).map(|word| vocabulary.get(word).copied().unwrap_or(-1)).collect::<Vec<i32>>()
    };
    let words: Vec<Vec<i32>> = texts.iter().map(read).collect();
    let mut gold = vec![0; vocabulary.len()];
    wanted.iter().for_each(|word| gold[*word as usize] += 1);
    let labels = labels(&wanted, &words).into_iter().map(|share| share >= 0.5).collect();
    Lesson { set: set.to_owned(), fold, seen, labels, words, gold }
}
