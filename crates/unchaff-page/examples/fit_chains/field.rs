//! Trains Victor's conditional random field: the likelihood of the labels, by stochastic gradients of single pages.
//!
//! The gradient of a page's log likelihood is what is there less what is expected (Lafferty, McCallum, Pereira 2001); steps are scaled by the
//! gradients that each weight has seen (AdaGrad, Duchi et al. 2011) and weights are drawn to zero. A page counts by the root of its length: the
//! measure counts every page once, but long ones tell more.

use crate::Trained;
use crate::lessons::Lesson;
use unchaff_dom::{NodeId, Page};
use unchaff_page::published::victor::features::Features;
use unchaff_page::published::victor::{PAIRS, Weights, pairs_of};

const ROUNDS: usize = 16;
const RATE: f32 = 0.1;
/// How much of a weight is taken off at a step, by the step's length.
const PULL: f32 = 2e-5;

pub(crate) struct Victor;

impl Trained for Victor {
    type Seen = Features;

    fn see(&self, page: &Page) -> (Features, Vec<NodeId>) {
        let features = Features::of(page);
        let texts = features.leaves.texts.clone();
        (features, texts)
    }

    fn fit(&self, lessons: &[&Lesson<Features>]) -> Vec<u8> {
        let mut weights = Weights::default();
        let mut seen = Weights::default();
        for round in 0..ROUNDS {
            // Steps get smaller towards the end, so that the last pages do not decide.
            let rate = RATE * (1.0 - round as f32 / ROUNDS as f32);
            // A step that has no divisor in common with the number visits all, the same ones in every run.
            let step = (0..).map(|more| 7919 + 2 * round + more).find(|step| is_prime_to(*step, lessons.len())).unwrap_or(1);
            for at in 0..lessons.len() {
                learn(&mut weights, &mut seen, lessons[at * step % lessons.len()], rate);
            }
        }
        weights.write().into_bytes()
    }

    fn label(&self, weights: &[u8], seen: &Features) -> Vec<bool> {
        let weights = std::str::from_utf8(weights).ok().and_then(Weights::read);
        weights.map(|weights| weights.chain(seen, 0.0).best()).unwrap_or_default()
    }
}

fn is_prime_to(a: usize, b: usize) -> bool {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

fn learn(weights: &mut Weights, seen: &mut Weights, lesson: &Lesson<Features>, rate: f32) {
    let features = &lesson.seen;
    let count = features.leaves.texts.len();
    if count == 0 {
        return;
    }
    let likely = weights.chain(features, 0.0).likelihoods();
    let share = 1.0 / (count as f32).sqrt();
    let mut slopes = Weights::default();
    for at in 0..count {
        let slope = (f64::from(u8::from(lesson.labels[at])) - likely.own[at]) as f32 * share;
        for (place, block) in [at.checked_sub(1), Some(at), Some(at + 1).filter(|next| *next < count)].into_iter().enumerate() {
            for indicator in block.map_or(&[][..], |block| features.at(block)) {
                slopes.own[usize::from(*indicator)][place] += slope;
            }
        }
    }
    for (at, expected) in likely.pairs.iter().enumerate() {
        let (one, other) = (usize::from(lesson.labels[at]), usize::from(lesson.labels[at + 1]));
        for number in pairs_of(features.leaves.splits[at + 1]) {
            for (a, row) in expected.iter().enumerate() {
                for (b, expected) in row.iter().enumerate() {
                    slopes.pairs[number][a][b] += (f64::from(u8::from(a == one && b == other)) - expected) as f32 * share;
                }
            }
        }
    }
    let step = |weight: &mut f32, seen: &mut f32, slope: f32| {
        *seen += slope * slope;
        if *seen > 0.0 {
            *weight += rate / (seen.sqrt() + 1e-3) * (slope - PULL * *weight);
        }
    };
    for (number, slopes) in slopes.own.iter().enumerate() {
        for (place, slope) in slopes.iter().enumerate() {
            step(&mut weights.own[number][place], &mut seen.own[number][place], *slope);
        }
    }
    for number in 0..PAIRS {
        for (cell, slope) in slopes.pairs[number].as_flattened().iter().enumerate() {
            step(&mut weights.pairs[number].as_flattened_mut()[cell], &mut seen.pairs[number].as_flattened_mut()[cell], *slope);
        }
    }
}
