//! How alike two segmentations of a page are: the one found and the one that people drew.
//!
//! Both are sets of items, which are the text lines and images of the rendered page. Three families:
//! precision, recall and the adjusted Rand index over pairs of segments that share an item, as J. Zelený computes them
//! (PhD thesis, Brno 2017, §9.2.2); BCubed, extended to segments that overlap (E. Amigó et al., Information
//! Retrieval 12, 2009; for segmentations J. Kiesel et al., CIKM 2020), with items that weigh what they have of nodes, characters or
//! pixels; and segments that are found as a whole, exactly or nearly, as R. Kreuzer et al. count them (ICWE 2015).

use super::f_measure;
use std::collections::BTreeMap;

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SegmentScore {
    /// How much of what was found is right.
    pub precision: f64,
    /// How much of what is right was found.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
}

impl SegmentScore {
    fn new(precision: f64, recall: f64) -> SegmentScore {
        SegmentScore { precision, recall, f1: f_measure(recall, precision, 1.0) }
    }
}

/// How many items each segment found shares with each of the gold; pairs that share none are left out.
fn contingency(found: &[Vec<u32>], gold: &[Vec<u32>]) -> BTreeMap<(usize, usize), usize> {
    let mut of_item: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, segment) in gold.iter().enumerate() {
        for item in segment {
            of_item.entry(*item).or_default().push(at);
        }
    }
    let mut table = BTreeMap::new();
    for (at, segment) in found.iter().enumerate() {
        for right in segment.iter().filter_map(|item| of_item.get(item)).flatten() {
            *table.entry((at, *right)).or_default() += 1;
        }
    }
    table
}

/// The adjusted Rand index of a table of common items (Hubert and Arabie 1985); 1 if there is nothing to tell apart.
#[must_use]
pub fn adjusted_rand_index(table: &BTreeMap<(usize, usize), usize>) -> f64 {
    let pairs = |items: usize| items as f64 * (items as f64 - 1.0) / 2.0;
    let (mut rows, mut columns): (BTreeMap<usize, usize>, BTreeMap<usize, usize>) = Default::default();
    for ((row, column), items) in table {
        *rows.entry(*row).or_default() += items;
        *columns.entry(*column).or_default() += items;
    }
    let sum = |items: &BTreeMap<usize, usize>| items.values().map(|items| pairs(*items)).sum::<f64>();
    let (in_rows, in_columns, in_both) = (sum(&rows), sum(&columns), table.values().map(|items| pairs(*items)).sum::<f64>());
    let all = pairs(table.values().sum());
    let expected = if all > 0.0 { in_rows * in_columns / all } else { 0.0 };
    let below = f64::midpoint(in_rows, in_columns) - expected;
    if below.abs() < 1e-12 { 1.0 } else { (in_both - expected) / below }
}

/// Zelený's scores: the mean precision over all pairs of a segment found and one of the gold that share an item, the mean recall over
/// the same pairs and a 0 for each of the gold that shares nothing, and the adjusted Rand index of the table.
#[must_use]
pub fn box_scores(found: &[Vec<u32>], gold: &[Vec<u32>]) -> (SegmentScore, f64) {
    let table = contingency(found, gold);
    let share =
        |of: &dyn Fn(&(usize, usize)) -> usize| table.iter().map(|(pair, common)| *common as f64 / of(pair) as f64).sum::<f64>();
    let precision = share(&|pair| found[pair.0].len()) / table.len().max(1) as f64;
    let lost = (0..gold.len()).filter(|at| !table.keys().any(|pair| pair.1 == *at)).count();
    let recall = share(&|pair| gold[pair.1].len()) / (table.len() + lost).max(1) as f64;
    (SegmentScore::new(precision, recall), if table.is_empty() { 0.0 } else { adjusted_rand_index(&table) })
}

/// The segments of items, as lists of their numbers.
fn memberships(items: usize, segments: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut of_item = vec![Vec::new(); items];
    for (at, segment) in segments.iter().enumerate() {
        segment.iter().for_each(|item| of_item[*item as usize].push(at as u32));
    }
    of_item
}

/// How many numbers two sorted lists have in common.
fn common(one: &[u32], other: &[u32]) -> usize {
    one.iter().filter(|number| other.binary_search(number).is_ok()).count()
}

/// Items that are in the same segments of both sides, which score alike.
struct Case<'a> {
    found: &'a [u32],
    gold: &'a [u32],
    weight: f64,
}

/// Extended BCubed with items of these weights. Precision is over the items in segments found, recall over those of the gold.
#[must_use]
pub fn bcubed(weights: &[f64], found: &[Vec<u32>], gold: &[Vec<u32>]) -> SegmentScore {
    let (found, gold) = (memberships(weights.len(), found), memberships(weights.len(), gold));
    let mut cases: BTreeMap<(&[u32], &[u32]), f64> = BTreeMap::new();
    for (at, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        *cases.entry((&found[at], &gold[at])).or_default() += weight;
    }
    let mut cases: Vec<Case<'_>> = cases.into_iter().map(|((found, gold), weight)| Case { found, gold, weight }).collect();
    let precision = mean_precision(&cases);
    cases.iter_mut().for_each(|case| std::mem::swap(&mut case.found, &mut case.gold));
    SegmentScore::new(precision, mean_precision(&cases))
}

/// The mean, over the items found, of how far those that are in a segment with it should be.
fn mean_precision(cases: &[Case<'_>]) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for case in cases.iter().filter(|case| !case.found.is_empty()) {
        let (mut shared, mut agreed) = (0.0, 0.0);
        for other in cases {
            let together = common(case.found, other.found);
            if together > 0 {
                shared += other.weight;
                agreed += other.weight * together.min(common(case.gold, other.gold)) as f64 / together as f64;
            }
        }
        sum += case.weight * agreed / shared;
        total += case.weight;
    }
    if total > 0.0 { sum / total } else { 0.0 }
}

/// Segments that were found as a whole: two are the same if what they share is at least `least` of the mean of both (1 is
/// exactly, 0.8 is nearly). Items without weight do not count, nor segments without any that do.
#[must_use]
pub fn whole_segments(weights: &[f64], found: &[Vec<u32>], gold: &[Vec<u32>], least: f64) -> SegmentScore {
    let weigh = |items: &[u32]| items.iter().map(|item| weights[*item as usize]).sum::<f64>();
    let solid = |segments: &[Vec<u32>]| segments.iter().filter(|segment| weigh(segment) > 0.0).cloned().collect::<Vec<_>>();
    let (found, gold) = (solid(found), solid(gold));
    let mut shared: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let of_item = memberships(weights.len(), &gold);
    for (at, segment) in found.iter().enumerate() {
        for item in segment {
            of_item[*item as usize]
                .iter()
                .for_each(|right| *shared.entry((at, *right as usize)).or_default() += weights[*item as usize]);
        }
    }
    let (mut hits, mut met) = (vec![false; found.len()], vec![false; gold.len()]);
    for ((at, right), weight) in shared {
        if 2.0 * weight >= least * (weigh(&found[at]) + weigh(&gold[right])) - 1e-9 {
            (hits[at], met[right]) = (true, true);
        }
    }
    let share = |hits: &[bool]| hits.iter().filter(|hit| **hit).count() as f64 / hits.len().max(1) as f64;
    SegmentScore::new(share(&hits), share(&met))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(rows: &[&[usize]]) -> BTreeMap<(usize, usize), usize> {
        let cells = rows
            .iter()
            .enumerate()
            .flat_map(|(row, cells)| cells.iter().enumerate().map(move |(column, items)| ((row, column), *items)));
        cells.filter(|(_, items)| *items > 0).collect()
    }

    /// By the formula of L. Hubert and P. Arabie (1985); the tables are made by hand.
    #[test]
    fn w18_adjusted_rand_index() {
        let near = |rows: &[&[usize]], expected: f64| assert!((adjusted_rand_index(&table(rows)) - expected).abs() < 1e-5);
        near(&[&[1, 1, 0], &[1, 2, 1], &[0, 0, 4]], 0.31257);
        near(&[&[3, 0], &[0, 4]], 1.0);
        near(&[&[2, 1], &[1, 3]], 0.02778);
    }

    #[test]
    fn pairs_that_share_a_box_are_averaged_and_lost_segments_cost_recall() {
        let found = [vec![0, 1, 2, 3]];
        let gold = [vec![0, 1], vec![2, 3], vec![9]];
        let (score, _) = box_scores(&found, &gold);
        assert!((score.precision - 0.5).abs() < 1e-12 && (score.recall - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(box_scores(&[], &gold).0, SegmentScore::default());
    }

    #[test]
    fn bcubed_of_a_split_segment() {
        // Two items of four stand apart: precision is full, recall is (2·2/4 + 2·2/4)/4 of each.
        let score = bcubed(&[1.0; 4], &[vec![0, 1], vec![2, 3]], &[vec![0, 1, 2, 3]]);
        assert_eq!((score.precision, score.recall), (1.0, 0.5));
        // An item that weighs nothing changes nothing.
        let score = bcubed(&[1.0, 1.0, 1.0, 1.0, 0.0], &[vec![0, 1, 4], vec![2, 3]], &[vec![0, 1, 2, 3]]);
        assert_eq!((score.precision, score.recall), (1.0, 0.5));
    }

    #[test]
    fn segments_are_found_exactly_or_nearly() {
        let weights = [10.0, 10.0, 1.0, 5.0];
        let (found, gold) = ([vec![0, 1], vec![3]], [vec![0, 1, 2], vec![3]]);
        assert_eq!(whole_segments(&weights, &found, &gold, 1.0).f1, 0.5);
        assert_eq!(whole_segments(&weights, &found, &gold, 0.8).f1, 1.0);
    }

    proptest! {
        #[test]
        fn a_segmentation_agrees_with_itself(labels in prop::collection::vec(0..5usize, 1..40)) {
            let mut segments = vec![Vec::new(); 5];
            labels.iter().enumerate().for_each(|(item, label)| segments[*label].push(item as u32));
            segments.retain(|segment| !segment.is_empty());
            let weights = vec![1.5; labels.len()];
            prop_assert!((bcubed(&weights, &segments, &segments).f1 - 1.0).abs() < 1e-9);
            let (score, ari) = box_scores(&segments, &segments);
            prop_assert!((score.f1 - 1.0).abs() < 1e-9 && (ari - 1.0).abs() < 1e-9);
            prop_assert!((whole_segments(&weights, &segments, &segments, 1.0).f1 - 1.0).abs() < 1e-9);
        }
    }
}
