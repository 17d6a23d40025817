//! Boosted oblivious trees: the sum of trees in which all nodes of a level ask the same question, made a probability.
//!
//! In the file there is a line for each tree: the name of what it decides on, its questions (`feature>threshold`), and the values of its leaves in
//! thousandths. The answers to the questions are the bits of the leaf's number, the first the lowest. A line without questions is the bias. Lines that start with `#` are remarks.

use super::features::{FEATURES, Features, NAMES};
use std::fmt::Write;

/// A tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    /// The questions: is this feature above that?
    pub questions: Vec<(usize, f32)>,
    /// A value for each combination of answers.
    pub leaves: Vec<f32>,
}

/// The trees that decide on one thing.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Boosted {
    /// What they decide on.
    pub name: String,
    /// The trees.
    pub trees: Vec<Tree>,
}

impl Boosted {
    /// The sum of the trees.
    #[must_use]
    pub fn sum(&self, features: &Features) -> f32 {
        let mut sum = 0.0;
        for tree in &self.trees {
            let mut leaf = 0;
            for (bit, (feature, threshold)) in tree.questions.iter().enumerate() {
                leaf |= usize::from(features[*feature] > *threshold) << bit;
            }
            sum += tree.leaves[leaf];
        }
        sum
    }

    /// The probability.
    #[must_use]
    pub fn probability(&self, features: &Features) -> f32 {
        1.0 / (1.0 + (-self.sum(features)).exp())
    }

    /// The trees as lines of the file.
    #[must_use]
    pub fn lines(&self) -> String {
        let mut out = String::new();
        for tree in &self.trees {
            let _ = write!(out, "{}", self.name);
            for (feature, threshold) in &tree.questions {
                let _ = write!(out, " {}>{threshold}", NAMES[*feature]);
            }
            let leaves: Vec<String> = tree.leaves.iter().map(|leaf| format!("{:.0}", leaf * 1000.0)).collect();
            let _ = writeln!(out, " : {}", leaves.join(" "));
        }
        out
    }

    /// Reads all trees of a file, those of one name together, in the order of the file. None if it is of another form.
    #[must_use]
    pub fn read(text: &str) -> Option<Vec<Boosted>> {
        let mut all: Vec<Boosted> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (asked, leaves) = line.split_once(" : ")?;
            let mut words = asked.split(' ');
            let name = words.next()?;
            if all.last().is_none_or(|last| last.name != name) {
                all.push(Boosted { name: name.to_owned(), trees: Vec::new() });
            }
            let question = |word: &str| {
                let (feature, threshold) = word.split_once('>')?;
                Some((NAMES.iter().position(|name| *name == feature)?, threshold.parse().ok()?))
            };
            let questions: Vec<(usize, f32)> = words.map(question).collect::<Option<_>>()?;
            let leaves: Vec<f32> =
                leaves.split(' ').map(|leaf| Some(leaf.parse::<f32>().ok()? / 1000.0)).collect::<Option<_>>()?;
            if leaves.len() != 1 << questions.len() || questions.iter().any(|(feature, _)| *feature >= FEATURES) {
                return None;
            }
            all.last_mut()?.trees.push(Tree { questions, leaves });
        }
        Some(all)
    }
}
