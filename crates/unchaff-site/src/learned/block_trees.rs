//! How much the site changes what `auto` says of a block: a few small trees.
//!
//! Gradient-boosted oblivious trees of depth three, as in `auto` itself, over the [facts](crate::learned::block_facts) about a block. Their sum is added
//! to the log-odds of `auto`, so that without trees, and without other pages, the answer is that of the page alone.
//! `examples/fit_content_with_site.rs` fits them and says what they reach on sites that they were not fitted to.
//!
//! The file, little-endian, for each tree: three splits (the number of a fact in a byte, the threshold that must be exceeded in four) and
//! eight leaves of four bytes.

use crate::learned::block_facts::{FACTS, Facts};
use std::sync::LazyLock;

/// Questions of a tree.
pub const DEPTH: usize = 3;
/// Leaves of a tree.
pub const LEAVES: usize = 1 << DEPTH;
const BYTES: usize = 5 * DEPTH + 4 * LEAVES;

const LANES: usize = 8;

/// So many blocks are judged side by side: by fact and block.
type Columns = [[f32; LANES]; FACTS.len()];

/// A tree: the answer to each question is a bit of the leaf's number, the first the lowest.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    /// A fact by number, and what it must exceed.
    pub splits: [(u8, f32); DEPTH],
    /// The value of each leaf.
    pub values: [f32; LEAVES],
}

impl Tree {
    /// What the tree says of a block.
    #[must_use]
    pub fn value(&self, facts: &Facts) -> f32 {
        let answer = |(at, (fact, threshold)): (usize, &(u8, f32))| usize::from(facts[usize::from(*fact)] > *threshold) << at;
        self.values[self.splits.iter().enumerate().map(answer).sum::<usize>()]
    }

    /// The leaves of some blocks. What is found there is added apart: mixed with that, comparisons would not be done by vectors.
    #[inline(never)]
    fn leaves(&self, columns: &Columns) -> [u32; LANES] {
        let mut leaves = [0; LANES];
        for (at, (fact, threshold)) in self.splits.iter().enumerate() {
            for (leaf, fact) in leaves.iter_mut().zip(&columns[usize::from(*fact)]) {
                *leaf |= u32::from(*fact > *threshold) << at;
            }
        }
        leaves
    }
}

/// Trees as bytes.
#[must_use]
pub fn write(trees: &[Tree]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(trees.len() * BYTES);
    for tree in trees {
        for (fact, threshold) in tree.splits {
            bytes.push(fact);
            bytes.extend(threshold.to_le_bytes());
        }
        tree.values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    }
    bytes
}

/// What [`write()`] wrote; nothing if the bytes are something else.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Vec<Tree>> {
    let (trees, rest) = bytes.as_chunks::<BYTES>();
    if !rest.is_empty() {
        return None;
    }
    let number = |bytes: &[u8]| bytes.try_into().ok().map(f32::from_le_bytes).filter(|number| number.is_finite());
    let tree = |bytes: &[u8; BYTES]| {
        let (splits, values) = bytes.split_at(5 * DEPTH);
        let mut tree = Tree { splits: [(0, 0.0); DEPTH], values: [0.0; LEAVES] };
        for (own, bytes) in tree.splits.iter_mut().zip(splits.chunks_exact(5)) {
            *own = (bytes[0], number(&bytes[1..])?);
        }
        for (own, bytes) in tree.values.iter_mut().zip(values.chunks_exact(4)) {
            *own = number(bytes)?;
        }
        tree.splits.iter().all(|(fact, _)| usize::from(*fact) < FACTS.len()).then_some(tree)
    };
    trees.iter().map(tree).collect()
}

/// The trees in use.
static TREES: LazyLock<Vec<Tree>> = LazyLock::new(|| read(include_bytes!("block_trees.bin")).unwrap_or_default());

/// One of the blocks that are judged side by side.
pub struct Lane<'c> {
    columns: &'c mut Columns,
    lane: usize,
}

impl Lane<'_> {
    /// Takes a fact about the block, by number.
    #[inline]
    pub fn set(&mut self, fact: usize, value: f32) {
        self.columns[fact][self.lane] = value;
    }
}

/// What the site adds to the log-odds of each of so many blocks. Their facts are asked for when they are needed: those of all blocks at once would fill a cache.
#[must_use]
pub fn changes(blocks: usize, describe: impl Fn(usize, Lane<'_>)) -> Vec<f32> {
    let trees = &*TREES;
    let mut all = Vec::with_capacity(blocks + LANES);
    let mut columns: Columns = [[0.0; LANES]; FACTS.len()];
    for first in (0..blocks).step_by(LANES) {
        for (lane, block) in (first..blocks).take(LANES).enumerate() {
            describe(block, Lane { columns: &mut columns, lane });
        }
        let mut sums = [0.0; LANES];
        for tree in trees {
            for (sum, leaf) in sums.iter_mut().zip(tree.leaves(&columns)) {
                *sum += tree.values[leaf as usize % LEAVES];
            }
        }
        all.extend(sums);
    }
    all.truncate(blocks);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trees_in_use_can_be_read_and_written() {
        let bytes = include_bytes!("block_trees.bin");
        let trees = read(bytes).unwrap();
        assert!(trees.len() >= 20);
        assert_eq!(write(&trees), bytes);
    }

    #[test]
    fn damaged_trees_are_refused() {
        let tree = Tree { splits: [(0, 1.0), (1, 2.0), (2, 3.0)], values: [1.0; LEAVES] };
        let good = write(&[tree]);
        assert!(read(&good).is_some());
        assert!(read(&good[1..]).is_none());
        let mut other_fact = good.clone();
        other_fact[0] = FACTS.len() as u8;
        assert!(read(&other_fact).is_none());
        let mut no_number = good;
        no_number[1..5].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(read(&no_number).is_none());
    }

    #[test]
    fn answers_are_the_bits_of_the_leaf() {
        let tree = Tree { splits: [(0, 1.0), (1, 1.0), (2, 1.0)], values: std::array::from_fn(|leaf| leaf as f32) };
        let mut facts: Facts = [0.0; FACTS.len()];
        (facts[0], facts[2]) = (2.0, 1.5);
        assert_eq!(tree.value(&facts), 5.0);
    }

    #[test]
    fn blocks_side_by_side_get_what_each_gets_alone() {
        let blocks: Vec<Facts> =
            (0..51).map(|block| std::array::from_fn(|fact| ((block * 31 + fact * 17) % 23) as f32 / 7.0 - 1.0)).collect();
        let alone: Vec<f32> = blocks.iter().map(|facts| TREES.iter().map(|tree| tree.value(facts)).sum()).collect();
        let describe =
            |block: usize, mut lane: Lane<'_>| blocks[block].iter().enumerate().for_each(|(fact, value)| lane.set(fact, *value));
        assert_eq!(changes(blocks.len(), describe), alone);
    }
}
