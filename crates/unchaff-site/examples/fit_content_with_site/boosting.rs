//! Grows oblivious trees of depth three by gradient boosting, starting from given log-odds.

use unchaff_site::learned::block_facts::{FACTS, Facts};
use unchaff_site::learned::block_trees::{DEPTH, LEAVES, Tree};

const TREES: usize = 80;
const RATE: f32 = 0.08;
/// How much leaves are pulled to 0.
const PULL: f32 = 20.0;
/// The share of rows and of facts that a tree is grown from.
const ROWS: f32 = 0.7;
const WIDTH: f32 = 0.5;
/// A leaf that has less than this, in the unit of weights times p(1 − p), is not split off.
const LEAST: f32 = 20.0;
const MOST_BINS: usize = 64;

/// Rows to learn from.
#[derive(Default)]
pub(crate) struct Lesson {
    facts: Vec<Facts>,
    start: Vec<f32>,
    labels: Vec<f32>,
    weights: Vec<f32>,
}

impl Lesson {
    pub(crate) fn add(&mut self, facts: &Facts, start: f32, label: f32, weight: f32) {
        self.facts.push(*facts);
        self.start.push(start);
        self.labels.push(label);
        self.weights.push(weight);
    }

    /// Thresholds of a fact that divide the rows evenly.
    fn borders(&self, fact: usize) -> Vec<f32> {
        let mut values: Vec<f32> = self.facts.iter().step_by(7).map(|facts| facts[fact]).collect();
        values.sort_unstable_by(f32::total_cmp);
        let mut borders = values.clone();
        borders.dedup();
        if borders.len() >= MOST_BINS {
            borders = (1..MOST_BINS).map(|at| values[at * values.len() / MOST_BINS]).collect();
            borders.dedup();
        }
        borders.pop();
        borders
    }
}

/// A number from 0 to 1 that looks random.
pub(crate) fn chance(seed: u64, one: usize, other: usize) -> f32 {
    let mut hash =
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (one as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ (other as u64) << 20;
    for _ in 0..2 {
        hash = (hash ^ hash >> 31).wrapping_mul(0x94d0_49bb_1331_11eb);
    }
    (hash >> 40) as f32 / (1 << 24) as f32
}

/// Gradient and curvature.
type Slope = [f32; 2];

fn gain(slope: Slope) -> f32 {
    slope[0] * slope[0] / (slope[1] + PULL)
}

pub(crate) fn grow(lesson: &Lesson) -> Vec<Tree> {
    let borders: Vec<Vec<f32>> = (0..FACTS.len()).map(|fact| lesson.borders(fact)).collect();
    let bin = |fact: usize| {
        let borders = &borders[fact];
        lesson.facts.iter().map(|facts| borders.partition_point(|border| *border < facts[fact]) as u8).collect::<Vec<u8>>()
    };
    let bins: Vec<Vec<u8>> = (0..FACTS.len()).map(bin).collect();
    let mut sums = lesson.start.clone();
    let mut trees = Vec::new();
    for number in 0..TREES {
        let rows: Vec<usize> = (0..sums.len()).filter(|row| chance(7, number, *row) < ROWS).collect();
        let facts: Vec<usize> =
            (0..FACTS.len()).filter(|fact| !borders[*fact].is_empty() && chance(9, number, *fact) < WIDTH).collect();
        let slope = |row: &usize| {
            let p = 1.0 / (1.0 + (-sums[*row]).exp());
            [lesson.weights[*row] * (lesson.labels[*row] - p), lesson.weights[*row] * p * (1.0 - p)]
        };
        let slopes: Vec<Slope> = rows.iter().map(slope).collect();
        let mut leaves: Vec<u8> = vec![0; rows.len()];
        let mut tree = Tree { splits: [(0, f32::MAX); DEPTH], values: [0.0; LEAVES] };
        for depth in 0..DEPTH {
            let mut best: (f32, usize, usize) = (0.0, 0, 0);
            for fact in &facts {
                let mut sums = vec![[[0.0f32; 2]; MOST_BINS]; 1 << depth];
                for ((row, leaf), slope) in rows.iter().zip(&leaves).zip(&slopes) {
                    let own = &mut sums[usize::from(*leaf)][usize::from(bins[*fact][*row])];
                    *own = [own[0] + slope[0], own[1] + slope[1]];
                }
                for split in 0..borders[*fact].len() {
                    let mut value = 0.0;
                    for bins in &sums {
                        let add = |sum: Slope, own: &Slope| [sum[0] + own[0], sum[1] + own[1]];
                        let (low, high) =
                            (bins[..=split].iter().fold([0.0; 2], add), bins[split + 1..].iter().fold([0.0; 2], add));
                        let whole = gain([low[0] + high[0], low[1] + high[1]]);
                        value += if low[1].min(high[1]) < LEAST { whole } else { gain(low) + gain(high) };
                    }
                    if value > best.0 {
                        best = (value, *fact, split);
                    }
                }
            }
            let (_, fact, split) = best;
            tree.splits[depth] = (fact as u8, borders[fact].get(split).copied().unwrap_or(f32::MAX));
            for (row, leaf) in rows.iter().zip(&mut leaves) {
                *leaf |= u8::from(usize::from(bins[fact][*row]) > split) << depth;
            }
        }
        let mut slopes_of = [[0.0f32; 2]; LEAVES];
        for (leaf, slope) in leaves.iter().zip(&slopes) {
            let own = &mut slopes_of[usize::from(*leaf)];
            *own = [own[0] + slope[0], own[1] + slope[1]];
        }
        tree.values = slopes_of.map(|slope| RATE * slope[0] / (slope[1] + PULL));
        sums.iter_mut().zip(&lesson.facts).for_each(|(sum, facts)| *sum += tree.value(facts));
        trees.push(tree);
    }
    trees
}
