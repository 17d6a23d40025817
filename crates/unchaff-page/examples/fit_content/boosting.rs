//! Grows oblivious trees by gradient boosting: cross-entropy of soft labels, Newton steps, histograms of bins.
//!
//! Friedman: Greedy Function Approximation, 2001, and Stochastic Gradient Boosting, 2002: each tree sees a part of the rows
//! and of the columns. The histograms of a level come from those of the level above: only the smaller child of each leaf is counted,
//! the other is the rest. Nothing depends on the number of threads or on time.

use unchaff_page::learned::auto::oblivious_trees::{DEPTH, LEAVES, Split, Tree};

/// Bins of a column.
const BINS: usize = 64;

/// How trees are grown.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// Trees.
    pub(crate) trees: usize,
    /// The part of a Newton step that a leaf takes.
    pub(crate) rate: f32,
    /// Weight, in units of curvature, that pulls leaves to 0.
    pub(crate) pull: f32,
    /// The share of rows that a tree's splits are chosen by.
    pub(crate) rows: f32,
    /// The share of columns that a tree may ask for.
    pub(crate) columns: f32,
    /// Where chance begins.
    pub(crate) seed: u64,
}

/// What to learn from: columns of bins, and the rows of them with label and weight.
pub(crate) struct Lesson<'a> {
    pub(crate) columns: &'a [Vec<u8>],
    pub(crate) rows: Vec<u32>,
    pub(crate) labels: Vec<f32>,
    pub(crate) weights: Vec<f32>,
}

/// Sums of slope and curvature.
type Cell = [f32; 2];

#[derive(Clone, Copy)]
struct Item {
    row: u32,
    leaf: u32,
    slope: Cell,
}

/// A number from 0 to 1 that depends on nothing but its arguments (SplitMix64).
pub(crate) fn chance(seed: u64, a: usize, b: usize) -> f32 {
    let mix = |value: u64| {
        let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    };
    (mix(seed ^ mix(a as u64 ^ mix(b as u64))) >> 40) as f32 / (1 << 24) as f32
}

/// Grows trees; returns the bias and the trees.
pub(crate) fn grow(lesson: &Lesson<'_>, settings: &Settings) -> (f32, Vec<Tree>) {
    let sum = |values: &mut dyn Iterator<Item = f32>| values.map(f64::from).sum::<f64>();
    let wanted = sum(&mut lesson.labels.iter().zip(&lesson.weights).map(|(label, weight)| label * weight));
    let mean = wanted / sum(&mut lesson.weights.iter().copied());
    let bias = (mean / (1.0 - mean)).ln() as f32;
    let mut scores = vec![bias; lesson.rows.len()];
    let mut slopes: Vec<Cell> = vec![[0.0; 2]; lesson.rows.len()];
    let mut trees = Vec::with_capacity(settings.trees);
    for number in 0..settings.trees {
        for (at, slope) in slopes.iter_mut().enumerate() {
            let p = 1.0 / (1.0 + (-scores[at]).exp());
            *slope = [lesson.weights[at] * (lesson.labels[at] - p), lesson.weights[at] * (p * (1.0 - p)).max(1e-6)];
        }
        let splits = choose_splits(lesson, settings, number, &slopes);
        let leaves: Vec<u8> = lesson.rows.iter().map(|row| leaf(&splits, lesson.columns, *row)).collect();
        let mut sums = [[0.0_f64; 2]; LEAVES];
        for (leaf, slope) in leaves.iter().zip(&slopes) {
            let sum = &mut sums[usize::from(*leaf)];
            *sum = [sum[0] + f64::from(slope[0]), sum[1] + f64::from(slope[1])];
        }
        let values = sums.map(|[slope, curve]| settings.rate * (slope / (curve + f64::from(settings.pull))) as f32);
        scores.iter_mut().zip(&leaves).for_each(|(score, leaf)| *score += values[usize::from(*leaf)]);
        trees.push(Tree { splits, values });
    }
    (bias, trees)
}

fn leaf(splits: &[Split; DEPTH], columns: &[Vec<u8>], row: u32) -> u8 {
    let answer = |split: &Split| u8::from(columns[usize::from(split.column)][row as usize] > split.bin);
    splits.iter().enumerate().fold(0, |leaf, (level, split)| leaf | answer(split) << level)
}

fn choose_splits(lesson: &Lesson<'_>, settings: &Settings, tree: usize, slopes: &[Cell]) -> [Split; DEPTH] {
    let is_seen = |at: &usize| chance(settings.seed, tree, *at) < settings.rows;
    let item = |at: usize| Item { row: lesson.rows[at], leaf: 0, slope: slopes[at] };
    let mut items: Vec<Item> = (0..slopes.len()).filter(is_seen).map(item).collect();
    let mut histograms: Vec<(usize, Vec<Cell>)> = (0..lesson.columns.len())
        .filter(|column| chance(settings.seed + 1, tree, *column) < settings.columns)
        .map(|column| (column, Vec::new()))
        .collect();
    // A split that no bin passes asks nothing.
    let mut splits = [Split { column: 0, bin: u8::MAX }; DEPTH];
    for (level, split) in splits.iter_mut().enumerate() {
        let (counted, upper) = smaller_children(&items, level);
        let mut best = (0.0, Split { column: 0, bin: u8::MAX });
        for (column, histogram) in &mut histograms {
            refine(&lesson.columns[*column], &counted, level, &upper, histogram);
            let (gain, bin) = best_border(histogram, settings.pull);
            if gain > best.0 {
                best = (gain, Split { column: *column as u16, bin });
            }
        }
        *split = best.1;
        let column = &lesson.columns[usize::from(best.1.column)];
        items.iter_mut().for_each(|item| item.leaf |= u32::from(column[item.row as usize] > best.1.bin) << level);
    }
    splits
}

/// The items of the smaller child of each leaf of the level above, with that leaf's number, and whether it is the upper child.
fn smaller_children(items: &[Item], level: usize) -> (Vec<Item>, Vec<bool>) {
    let Some(above) = level.checked_sub(1) else { return (items.to_vec(), Vec::new()) };
    let half = 1_u32 << above;
    let mut counts = vec![[0_u32; 2]; half as usize];
    items.iter().for_each(|item| counts[(item.leaf % half) as usize][usize::from(item.leaf >= half)] += 1);
    let upper: Vec<bool> = counts.iter().map(|[low, high]| high <= low).collect();
    let counted = items.iter().filter(|item| (item.leaf >= half) == upper[(item.leaf % half) as usize]);
    (counted.map(|item| Item { leaf: item.leaf % half, ..*item }).collect(), upper)
}

/// Makes the histograms of a level's leaves out of those of the level above.
fn refine(column: &[u8], counted: &[Item], level: usize, upper: &[bool], histogram: &mut Vec<Cell>) {
    let half = (1 << level) / 2 * BINS;
    histogram.resize((BINS << level).max(BINS), [0.0; 2]);
    let (low, high) = histogram.split_at_mut(half);
    for item in counted {
        let cell = &mut high[item.leaf as usize * BINS + usize::from(column[item.row as usize]) % BINS];
        *cell = [cell[0] + item.slope[0], cell[1] + item.slope[1]];
    }
    for ((low, high), is_upper) in low.chunks_mut(BINS).zip(high.chunks_mut(BINS)).zip(upper) {
        for (low, high) in low.iter_mut().zip(high) {
            let rest = [low[0] - high[0], (low[1] - high[1]).max(0.0)];
            (*low, *high) = if *is_upper { (rest, *high) } else { (*high, rest) };
        }
    }
}

/// The border with the largest gain over all leaves together.
fn best_border(histogram: &[Cell], pull: f32) -> (f32, u8) {
    let mut gains = [0.0_f32; BINS];
    let mut last = 0;
    for leaf in histogram.chunks_exact(BINS) {
        let mut total = [0.0_f32; 2];
        for (bin, cell) in leaf.iter().enumerate() {
            total = [total[0] + cell[0], total[1] + cell[1]];
            if cell[1] > 1e-6 {
                last = last.max(bin);
            }
        }
        let own = total[0] * total[0] / (total[1] + pull);
        let mut low = [0.0_f32; 2];
        for (gain, cell) in gains.iter_mut().zip(leaf) {
            low = [low[0] + cell[0], low[1] + cell[1]];
            let high = [total[0] - low[0], (total[1] - low[1]).max(0.0)];
            *gain += low[0] * low[0] / (low[1] + pull) + high[0] * high[0] / (high[1] + pull) - own;
        }
    }
    let mut best = (0.0, 0);
    for (bin, gain) in gains.iter().enumerate().take(last) {
        if *gain > best.0 {
            best = (*gain, bin as u8);
        }
    }
    best
}
