//! Trains the two networks of Web2Text: cross-entropy by gradients of pieces of pages, steps by Adam (Kingma, Ba 2015).
//!
//! A piece is a run of texts of one page, at most so long that no page counts for many; where it starts is drawn anew in each round. Networks of texts and of pairs are
//! trained one after the other, as published. Nothing depends on the number of threads or on time.

use crate::Trained;
use crate::lessons::Lesson;
use unchaff_dom::{NodeId, Page};
use unchaff_page::published::web2text::Networks;
use unchaff_page::published::web2text::features::{Features, OWN, PAIR};
use unchaff_page::published::web2text::network::{Layer, Network};

const ROUNDS: usize = 6;
const RATE: f32 = 1.5e-3;
/// How much of a weight is taken off at a step, by the step's length.
const PULL: f32 = 0.01;
/// Texts of a piece at most.
const PIECE: usize = 96;
/// What pairs count against single texts when a page is labelled; the technique's default.
const LAMBDA: f64 = 1.0;

pub(crate) struct Web2Text;

impl Trained for Web2Text {
    type Seen = Features;

    fn see(&self, page: &Page) -> (Features, Vec<NodeId>) {
        let features = Features::of(page);
        let texts = features.texts.clone();
        (features, texts)
    }

    fn fit(&self, lessons: &[&Lesson<Features>]) -> Vec<u8> {
        let own = |lesson: &Lesson<Features>| {
            let labels: Vec<u8> = lesson.labels.iter().map(|label| u8::from(*label)).collect();
            (lesson.seen.own.clone(), labels)
        };
        let pairs = |lesson: &Lesson<Features>| {
            let labels = lesson.labels.windows(2).map(|two| 2 * u8::from(two[0]) + u8::from(two[1])).collect();
            (lesson.seen.pairs.clone(), labels)
        };
        Networks { own: train(lessons, OWN, 2, own), pairs: train(lessons, PAIR, 4, pairs) }.write()
    }

    fn label(&self, weights: &[u8], seen: &Features) -> Vec<bool> {
        Networks::read(weights).map(|networks| networks.chain(seen, LAMBDA).best()).unwrap_or_default()
    }
}

/// Numbers and labels of a page's texts or pairs.
type Sequence = (Vec<f32>, Vec<u8>);

fn train(lessons: &[&Lesson<Features>], inputs: usize, labels: usize, of: impl Fn(&Lesson<Features>) -> Sequence) -> Network {
    let mut network = Network::new(inputs, labels);
    let mut sequences: Vec<Sequence> = lessons.iter().map(|lesson| of(lesson)).filter(|(_, labels)| !labels.is_empty()).collect();
    (network.means, network.scales) = normal(&sequences, inputs);
    sequences.iter_mut().for_each(|(numbers, _)| *numbers = network.comparable(numbers));
    let mut chance = Chance(7);
    for layer in &mut network.layers {
        let spread = (2.0 / (layer.kernel * layer.inputs) as f32).sqrt() * 3.0_f32.sqrt();
        layer.weights.iter_mut().for_each(|weight| *weight = (2.0 * chance.next() - 1.0) * spread);
    }
    let mut moments: Vec<[Vec<[f32; 2]>; 2]> =
        network.layers.iter().map(|layer| [vec![[0.0; 2]; layer.weights.len()], vec![[0.0; 2]; layer.bias.len()]]).collect();
    let (mut step, steps) = (0, ROUNDS * sequences.len());
    for _ in 0..ROUNDS {
        let mut order: Vec<usize> = (0..sequences.len()).collect();
        (1..order.len()).rev().for_each(|at| order.swap(at, (chance.next() * (at + 1) as f32) as usize));
        for number in order {
            let (numbers, labels) = &sequences[number];
            let from = (chance.next() * (labels.len().saturating_sub(PIECE) + 1) as f32) as usize;
            let to = labels.len().min(from + PIECE);
            let slopes = slopes(&network, &numbers[from * inputs..to * inputs], &labels[from..to]);
            step += 1;
            let rate = RATE * (1.0 - step as f32 / (steps + 1) as f32);
            for ((layer, slopes), moments) in network.layers.iter_mut().zip(&slopes).zip(&mut moments) {
                adam(&mut layer.weights, &slopes.weights, &mut moments[0], rate, PULL, step);
                adam(&mut layer.bias, &slopes.bias, &mut moments[1], rate, 0.0, step);
            }
        }
    }
    network
}

/// Mean, and one by the deviation, of each number.
fn normal(sequences: &[Sequence], inputs: usize) -> (Vec<f32>, Vec<f32>) {
    let mut sums = vec![[0.0_f64; 2]; inputs];
    let mut count = 0.0;
    for row in sequences.iter().flat_map(|(numbers, _)| numbers.chunks_exact(inputs)) {
        count += 1.0;
        for (sum, number) in sums.iter_mut().zip(row) {
            let number = f64::from(*number);
            *sum = [sum[0] + number, sum[1] + number * number];
        }
    }
    let means: Vec<f64> = sums.iter().map(|sum| sum[0] / count).collect();
    let scale = |(sum, mean): (&[f64; 2], &f64)| 1.0 / (sum[1] / count - mean * mean).max(1e-4).sqrt();
    let scales = sums.iter().zip(&means).map(scale).map(|scale| scale as f32).collect();
    (means.into_iter().map(|mean| mean as f32).collect(), scales)
}

/// The slopes of all weights for a piece: of the mean cross-entropy of its labels.
fn slopes(network: &Network, numbers: &[f32], labels: &[u8]) -> Vec<Layer> {
    let last = network.layers.len() - 1;
    let mut values: Vec<Vec<f32>> = vec![numbers.to_vec()];
    for (at, layer) in network.layers.iter().enumerate() {
        let out = layer.run(&values[at], at == last);
        values.push(out);
    }
    let outputs = network.layers[last].outputs;
    let mut errors = values[last + 1].clone();
    for (scores, label) in errors.chunks_exact_mut(outputs).zip(labels) {
        let highest = scores.iter().fold(f32::MIN, |highest, score| highest.max(*score));
        scores.iter_mut().for_each(|score| *score = (*score - highest).exp());
        let sum: f32 = scores.iter().sum();
        scores.iter_mut().for_each(|score| *score /= sum * labels.len() as f32);
        scores[usize::from(*label)] -= 1.0 / labels.len() as f32;
    }
    let mut all: Vec<Layer> = Vec::new();
    for (at, layer) in network.layers.iter().enumerate().rev() {
        let (slopes, below) = backwards(layer, &values[at], &errors, at > 0);
        errors = below;
        // What was below zero did not count.
        errors.iter_mut().zip(&values[at]).filter(|(_, value)| **value <= 0.0).for_each(|(error, _)| *error = 0.0);
        all.push(slopes);
    }
    all.reverse();
    all
}

fn backwards(layer: &Layer, values: &[f32], errors: &[f32], wants_below: bool) -> (Layer, Vec<f32>) {
    let (inputs, outputs) = (layer.inputs, layer.outputs);
    let count = values.len() / inputs;
    let mut slopes = Layer { weights: vec![0.0; layer.weights.len()], bias: vec![0.0; outputs], ..*layer };
    let mut below = vec![0.0; if wants_below { values.len() } else { 0 }];
    for error in errors.chunks_exact(outputs) {
        slopes.bias.iter_mut().zip(error).for_each(|(slope, error)| *slope += error);
    }
    for place in 0..layer.kernel {
        let shift = place as isize - (layer.kernel / 2) as isize;
        let range = place * inputs * outputs..(place + 1) * inputs * outputs;
        let (weights, slopes) = (&layer.weights[range.clone()], &mut slopes.weights[range]);
        for at in 0..count {
            let Some(from) = at.checked_add_signed(shift).filter(|from| *from < count) else { continue };
            let error = &errors[at * outputs..][..outputs];
            let input = &values[from * inputs..][..inputs];
            for (value, slopes) in input.iter().zip(slopes.chunks_exact_mut(outputs)).filter(|(value, _)| **value != 0.0) {
                slopes.iter_mut().zip(error).for_each(|(slope, error)| *slope += value * error);
            }
            if wants_below {
                for (below, weights) in below[from * inputs..][..inputs].iter_mut().zip(weights.chunks_exact(outputs)) {
                    *below += weights.iter().zip(error).map(|(weight, error)| weight * error).sum::<f32>();
                }
            }
        }
    }
    (slopes, below)
}

fn adam(weights: &mut [f32], slopes: &[f32], moments: &mut [[f32; 2]], rate: f32, pull: f32, step: usize) {
    let (first, second) = (1.0 - 0.9_f32.powi(step.min(1000) as i32), 1.0 - 0.999_f32.powi(step.min(20_000) as i32));
    for ((weight, slope), moment) in weights.iter_mut().zip(slopes).zip(moments) {
        *moment = [0.9 * moment[0] + 0.1 * slope, 0.999 * moment[1] + 0.001 * slope * slope];
        *weight -= rate * (moment[0] / first / ((moment[1] / second).sqrt() + 1e-8) + pull * *weight);
    }
}

/// Numbers from 0 to below 1 that look drawn, the same in every run (xorshift).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }
}
