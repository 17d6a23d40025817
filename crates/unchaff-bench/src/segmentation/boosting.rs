//! Boosted oblivious trees are fitted: gradient boosting of the logistic loss (Friedman 2001), with one question for each level of a tree
//! (Prokhorenkova et al.: CatBoost, 2018). Each tree sees a part of the rows, and each level a part of the features, drawn by a generator with a fixed
//! start, so that the same rows give the same trees.

use unchaff_segment::segments_auto::boosted_trees::{Boosted, Tree};
use unchaff_segment::segments_auto::features::{FEATURES, Features};

/// How trees are fitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) trees: usize,
    pub(super) depth: usize,
    /// How much of a step each tree makes.
    pub(super) rate: f64,
    /// The quadratic penalty of leaves.
    pub(super) penalty: f64,
}

/// The most thresholds of a feature.
const THRESHOLDS: usize = 32;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) as f64 / u64::MAX as f64
    }
}

/// The thresholds of a feature: between values, at equal numbers of rows, with few digits.
fn thresholds(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_by(f32::total_cmp);
    let mut distinct = values.clone();
    distinct.dedup();
    let source = if distinct.len() <= THRESHOLDS { distinct } else { values };
    let mut found: Vec<f32> = Vec::new();
    for at in 1..=THRESHOLDS.min(source.len() - 1) {
        let place = if source.len() <= THRESHOLDS + 1 { at } else { at * (source.len() - 1) / (THRESHOLDS + 1) };
        let middle = f32::midpoint(source[place], source[(place + 1).min(source.len() - 1)].max(source[place]));
        let middle = if source.len() <= THRESHOLDS + 1 { f32::midpoint(source[place - 1], source[place]) } else { middle };
        let rounded = if middle.abs() < 10.0 { (middle * 1e4).round() / 1e4 } else { (middle * 10.0).round() / 10.0 };
        found.push(rounded);
    }
    found.dedup();
    found
}

/// Fits trees that tell rows with the target from those without.
pub(super) fn fit(name: &str, rows: &[Features], targets: &[bool], settings: Settings) -> Boosted {
    let borders: Vec<Vec<f32>> = (0..FEATURES).map(|feature| thresholds(rows.iter().map(|row| row[feature]).collect())).collect();
    let bins: Vec<Vec<u8>> = (0..FEATURES)
        .map(|feature| rows.iter().map(|row| borders[feature].partition_point(|border| row[feature] > *border) as u8).collect())
        .collect();
    let yes = targets.iter().filter(|target| **target).count() as f64;
    let rounded = |value: f64| ((value * 1e3).round() / 1e3) as f32;
    let bias = rounded(((yes + 0.5) / (targets.len() as f64 - yes + 0.5)).ln());
    let mut trees = vec![Tree { questions: Vec::new(), leaves: vec![bias] }];
    let mut sums = vec![bias; rows.len()];
    let mut random = Random(7);
    for _ in 0..settings.trees {
        let sample: Vec<usize> = (0..rows.len()).filter(|_| random.share() < 0.7).collect();
        let slopes: Vec<(f64, f64)> = sample
            .iter()
            .map(|row| {
                let chance = 1.0 / (1.0 + (-f64::from(sums[*row])).exp());
                (f64::from(u8::from(targets[*row])) - chance, chance * (1.0 - chance))
            })
            .collect();
        let mut leaves = vec![0_usize; sample.len()];
        let mut questions: Vec<(usize, f32)> = Vec::new();
        for level in 0..settings.depth {
            let mut best = (0.0, 0, 0);
            for (feature, borders) in borders.iter().enumerate() {
                if random.share() > 0.5 || borders.is_empty() {
                    continue;
                }
                let width = borders.len() + 1;
                let mut table = vec![(0.0, 0.0); width << level];
                for ((row, leaf), slope) in sample.iter().zip(&leaves).zip(&slopes) {
                    let cell = &mut table[leaf * width + bins[feature][*row] as usize];
                    *cell = (cell.0 + slope.0, cell.1 + slope.1);
                }
                let mut gains = vec![0.0; width - 1];
                for cells in table.chunks(width) {
                    let add = |one: (f64, f64), other: &(f64, f64)| (one.0 + other.0, one.1 + other.1);
                    let all = cells.iter().fold((0.0, 0.0), add);
                    let worth = |(slope, bend): (f64, f64)| slope * slope / (bend + settings.penalty);
                    let mut left = (0.0, 0.0);
                    for (gain, cell) in gains.iter_mut().zip(cells) {
                        left = add(left, cell);
                        *gain += worth(left) + worth((all.0 - left.0, all.1 - left.1)) - worth(all);
                    }
                }
                for (at, gain) in gains.into_iter().enumerate() {
                    if gain > best.0 {
                        best = (gain, feature, at);
                    }
                }
            }
            let (gain, feature, at) = best;
            if gain <= 0.0 {
                break;
            }
            for (leaf, row) in leaves.iter_mut().zip(&sample) {
                *leaf |= usize::from(bins[feature][*row] as usize > at) << level;
            }
            questions.push((feature, borders[feature][at]));
        }
        let mut values = vec![(0.0, 0.0); 1 << questions.len()];
        for (leaf, slope) in leaves.iter().zip(&slopes) {
            values[*leaf] = (values[*leaf].0 + slope.0, values[*leaf].1 + slope.1);
        }
        let values = values.into_iter().map(|(slope, bend)| rounded(settings.rate * slope / (bend + settings.penalty))).collect();
        let tree = Boosted { name: String::new(), trees: vec![Tree { questions, leaves: values }] };
        sums.iter_mut().zip(rows).for_each(|(sum, row)| *sum += tree.sum(row));
        trees.extend(tree.trees);
    }
    Boosted { name: name.to_owned(), trees }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_question_tells_is_learned_and_the_same_rows_give_the_same_trees() {
        let row = |value: usize| {
            let mut row = [0.0; FEATURES];
            row[3] = value as f32;
            row
        };
        // Few values, so that there is a border between any two.
        let rows: Vec<Features> = (0..60).map(|at| row(at / 5)).collect();
        let targets: Vec<bool> = (0..60).map(|at| at / 5 > 7).collect();
        let settings = Settings { trees: 30, depth: 1, rate: 0.3, penalty: 1.0 };
        let fitted = fit("area", &rows, &targets, settings);
        for (row, target) in rows.iter().zip(&targets) {
            assert_eq!(fitted.probability(row) > 0.5, *target, "{}", row[3]);
        }
        assert_eq!(fitted, fit("area", &rows, &targets, settings));
    }
}
