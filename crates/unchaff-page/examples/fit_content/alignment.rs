//! Labels of blocks by alignment with the gold text.
//!
//! A block's label is the share of its words that are aligned with the gold: by a longest common subsequence, of which only
//! blocks keep their matches that have half of their words in it, because common words match anywhere; what is left of both
//! sides is aligned once more for text that stands elsewhere in the gold.

use std::collections::HashMap;

/// The share of each block's words that the gold has in their place. Words are numbers, below zero those that the gold has not.
pub(crate) fn labels(gold: &[i32], blocks: &[Vec<i32>]) -> Vec<f32> {
    let owners: Vec<usize> = blocks.iter().enumerate().flat_map(|(at, block)| std::iter::repeat_n(at, block.len())).collect();
    let all: Vec<i32> = blocks.concat();
    let mut label = vec![0.0_f32; blocks.len()];
    let mut gold_left: Vec<bool> = vec![true; gold.len()];
    let pairs = common_subsequence(&all, gold);
    let mut matched = vec![0_usize; blocks.len()];
    pairs.iter().for_each(|(word, _)| matched[owners[*word]] += 1);
    let share = |matched: usize, at: usize| matched as f32 / blocks[at].len().max(1) as f32;
    let keeps = |at: usize| share(matched[at], at) >= 0.5 || (matched[at] >= 8 && share(matched[at], at) > 0.3);
    for (word, place) in &pairs {
        if keeps(owners[*word]) {
            gold_left[*place] = false;
            label[owners[*word]] = share(matched[owners[*word]], owners[*word]);
        }
    }
    let rest: Vec<i32> = gold.iter().zip(&gold_left).filter(|(_, left)| **left).map(|(word, _)| *word).collect();
    let (mut words, mut rest_owners) = (Vec::new(), Vec::new());
    for (word, owner) in all.iter().zip(&owners).filter(|(_, owner)| label[**owner] == 0.0) {
        words.push(*word);
        rest_owners.push(*owner);
    }
    let mut matched = vec![0_usize; blocks.len()];
    common_subsequence(&words, &rest).iter().for_each(|(word, _)| matched[rest_owners[*word]] += 1);
    for at in 0..blocks.len() {
        if label[at] == 0.0 && matched[at] >= 3 && share(matched[at], at) >= 0.7 {
            label[at] = share(matched[at], at);
        }
    }
    label
}

/// A longest common subsequence as pairs of places, found with one bit a gold word (Hyyrö, 2004) and traced back.
fn common_subsequence(text: &[i32], gold: &[i32]) -> Vec<(usize, usize)> {
    let width = gold.len().div_ceil(64);
    let mut masks: HashMap<i32, Vec<u64>> = HashMap::new();
    for (at, word) in gold.iter().enumerate() {
        masks.entry(*word).or_insert_with(|| vec![0; width])[at / 64] |= 1 << (at % 64);
    }
    let places: Vec<usize> = (0..text.len()).filter(|at| masks.contains_key(&text[*at])).collect();
    let mut rows: Vec<u64> = Vec::with_capacity(places.len() * width);
    let mut row = vec![u64::MAX; width];
    for place in &places {
        let mask = &masks[&text[*place]];
        let mut carry = false;
        for (bits, mask) in row.iter_mut().zip(mask) {
            let both = *bits & mask;
            let (sum, over) = bits.overflowing_add(both);
            let (sum, over_carry) = sum.overflowing_add(u64::from(carry));
            carry = over || over_carry;
            *bits = sum | (*bits & !mask);
        }
        rows.extend_from_slice(&row);
    }
    let is_set = |row: usize, at: usize| rows[row * width + at / 64] >> (at % 64) & 1 == 1;
    let (mut row, mut at) = (places.len(), gold.len());
    let mut pairs = Vec::new();
    while row > 0 && at > 0 {
        if is_set(row - 1, at - 1) {
            at -= 1;
        } else {
            row -= 1;
            if row == 0 || is_set(row - 1, at - 1) {
                at -= 1;
                pairs.push((places[row], at));
            }
        }
    }
    pairs.reverse();
    pairs
}
