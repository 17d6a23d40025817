//! Gradient-boosted oblivious trees, evaluated from one compact file.
//!
//! In an oblivious tree all nodes of a level ask the same question (Kohavi & Li: Oblivious Decision Trees, Graphs, and Top-Down
//! Pruning, IJCAI 1995; boosted in CatBoost, Prokhorenkova et al., 2018). So the answers are the bits of the leaf's number, there
//! is no walk, and sixteen blocks are compared in one step. As single trees they say less than free ones; several times as
//! many cost a fraction of the time. Blocks that are certain after the first trees do not see the others: most are.
//!
//! The file, little-endian: `UCOT`, version, number of columns, of quantities, of trees, the bias, the value of a leaf's unit; the
//! columns' names, each ended by a line feed; for each quantity the number of its thresholds in a byte, then these; for each
//! tree six splits (a column in two bytes, the bin that must be exceeded in one) and 64 leaves in two bytes each.

use super::features::Source;
use super::tables::{Asked, Batch, Borders, LANES, Lanes, QUANTITIES, Tables};
use super::view::View;
use thiserror::Error;

/// Levels of a tree.
pub const DEPTH: usize = 6;
/// Leaves of a tree.
pub const LEAVES: usize = 1 << DEPTH;
/// After so many trees blocks are looked at for being certain.
const LOOKS: [usize; 2] = [100, 300];
/// A sum that is as far from 0 as this is certain: p below .018 or above .982.
const CERTAIN: f32 = 4.0;
/// Values of leaves are rounded to this part of the largest. Finer steps change no answer that matters, and take room where the model is downloaded.
const LEAF_STEPS: f32 = 2047.0;
const MAGIC: &[u8; 4] = b"UCOT";
const VERSION: u32 = 1;

/// Why a model file was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ModelError {
    /// It does not start as model files do.
    #[error("this is no model of oblivious trees; write one with training/train")]
    NoModel,
    /// It was written for another version.
    #[error("the model has version {0}, this program reads {VERSION}; train it again with training/train")]
    Version(u32),
    /// It ends too early or goes on too long, or its numbers are none.
    #[error("the model file is cut off or damaged; write it again with training/train")]
    Damaged,
    /// A tree asks for a column that is not there.
    #[error("tree {0} of the model is broken; write the model again with training/train")]
    BrokenTree(usize),
    /// It was trained with other features.
    #[error("the model was trained with other features (`{found}` where `{wanted}` is); train it again with training/train")]
    OtherFeatures {
        /// The feature in the file.
        found: String,
        /// The feature of this program.
        wanted: String,
    },
}

/// A question: is this column's bin above that one?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// The column.
    pub column: u16,
    /// The bin that must be exceeded.
    pub bin: u8,
}

/// A tree: the answer to each split is a bit of the leaf's number, the first the lowest.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The questions.
    pub splits: [Split; DEPTH],
    /// The value of each leaf.
    pub values: [f32; LEAVES],
}

/// A model: a sum of trees, made a probability.
#[derive(Clone, Debug)]
pub struct ObliviousTrees {
    bias: f32,
    borders: Box<[Borders; QUANTITIES]>,
    /// The columns that trees ask for; splits name them by their places here.
    columns: Vec<Source>,
    /// The places of those that the trees from one look to the next ask for.
    asked: Vec<Asked>,
    trees: Vec<Evaluated>,
}

struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], ModelError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(ModelError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        self.take(N)?.try_into().map_err(|_| ModelError::Damaged)
    }

    fn u32(&mut self) -> Result<u32, ModelError> {
        Ok(u32::from_le_bytes(self.number()?))
    }

    fn f32(&mut self) -> Result<f32, ModelError> {
        Ok(f32::from_le_bytes(self.number()?))
            .and_then(|value: f32| if value.is_finite() { Ok(value) } else { Err(ModelError::Damaged) })
    }

    fn line(&mut self) -> Result<&'b [u8], ModelError> {
        let end = self.0.iter().position(|byte| *byte == b'\n').ok_or(ModelError::Damaged)?;
        let line = self.take(end)?;
        self.take(1)?;
        Ok(line)
    }

    fn tree(&mut self, unit: f32) -> Result<Tree, ModelError> {
        let mut tree = Tree { splits: [Split { column: 0, bin: u8::MAX }; DEPTH], values: [0.0; LEAVES] };
        for split in &mut tree.splits {
            *split = Split { column: u16::from_le_bytes(self.number()?), bin: self.number::<1>()?[0] };
        }
        for value in &mut tree.values {
            *value = f32::from(i16::from_le_bytes(self.number()?)) * unit;
        }
        Ok(tree)
    }
}

impl ObliviousTrees {
    /// Reads a model for these columns.
    ///
    /// # Errors
    /// If it is damaged or was trained with other features.
    pub fn read(bytes: &[u8], columns: &[(String, Source)]) -> Result<ObliviousTrees, ModelError> {
        let mut bytes = Bytes(bytes);
        if bytes.take(4).map_err(|_| ModelError::NoModel)? != MAGIC {
            return Err(ModelError::NoModel);
        }
        match bytes.u32()? {
            VERSION => {}
            other => return Err(ModelError::Version(other)),
        }
        let (width, quantities, trees) = (bytes.u32()? as usize, bytes.u32()? as usize, bytes.u32()?);
        let (bias, unit) = (bytes.f32()?, bytes.f32()?);
        for at in 0..width.max(columns.len()) {
            let found = if at < width { bytes.line()? } else { b"" };
            let wanted = columns.get(at).map_or("", |(name, _)| name);
            if found != wanted.as_bytes() {
                let found = String::from_utf8_lossy(found).into_owned();
                return Err(ModelError::OtherFeatures { found, wanted: wanted.to_owned() });
            }
        }
        let mut borders = Vec::new();
        for _ in 0..quantities {
            let [count] = bytes.number()?;
            borders.push((0..count).map(|_| bytes.f32()).collect::<Result<Vec<f32>, _>>()?);
        }
        let mut read = Vec::new();
        for number in 0..trees {
            let tree = bytes.tree(unit)?;
            if tree.splits.iter().any(|split| usize::from(split.column) >= width) {
                return Err(ModelError::BrokenTree(number as usize));
            }
            read.push(tree);
        }
        if !bytes.0.is_empty() {
            return Err(ModelError::Damaged);
        }
        let columns = keep_asked_columns(&mut read, columns);
        let borders = borders.iter().map(|own| Borders::new(own).ok_or(ModelError::Damaged)).collect::<Result<Box<[_]>, _>>()?;
        let borders = borders.try_into().map_err(|_| ModelError::Damaged)?;
        let mut model =
            ObliviousTrees { bias, borders, columns, asked: Vec::new(), trees: read.iter().map(Evaluated::of).collect() };
        model.asked = model.rounds().map(|trees| Asked::of(&model.columns, asked_by(trees))).collect();
        Ok(model)
    }

    /// Writes a model as [`read`](Self::read) reads it.
    #[must_use]
    pub fn write(bias: f32, columns: &[(String, Source)], borders: &[Vec<f32>], trees: &[Tree]) -> Vec<u8> {
        let largest = trees.iter().flat_map(|tree| tree.values).fold(0.0, |most: f32, value| most.max(value.abs()));
        let unit = largest.max(f32::MIN_POSITIVE) / LEAF_STEPS;
        let mut bytes = MAGIC.to_vec();
        let counts = [columns.len(), borders.len(), trees.len()];
        bytes.extend([VERSION, counts[0] as u32, counts[1] as u32, counts[2] as u32].map(u32::to_le_bytes).as_flattened());
        bytes.extend([bias, unit].map(f32::to_le_bytes).as_flattened());
        columns.iter().for_each(|(name, _)| bytes.extend(format!("{name}\n").into_bytes()));
        for borders in borders {
            bytes.push(borders.len() as u8);
            borders.iter().for_each(|border| bytes.extend(border.to_le_bytes()));
        }
        for tree in trees {
            for split in &tree.splits {
                bytes.extend(split.column.to_le_bytes());
                bytes.push(split.bin);
            }
            tree.values.iter().for_each(|value| bytes.extend(((value / unit).round() as i16).to_le_bytes()));
        }
        bytes
    }

    /// The probability of each block.
    #[must_use]
    pub fn probabilities(&self, view: &View<'_>) -> Vec<f32> {
        let tables = Tables::binned(view, &self.borders);
        let mut batch = Batch::new(self.columns.len());
        let mut sums = vec![self.bias; view.blocks.len()];
        let mut open: Vec<u32> = (0..view.blocks.len() as u32).collect();
        for (round, asked) in self.rounds().zip(&self.asked) {
            for blocks in open.chunks(LANES) {
                tables.read(view, asked, blocks, &mut batch);
                let mut own = [0.0; LANES];
                own.iter_mut().zip(blocks).for_each(|(own, block)| *own = sums[*block as usize]);
                add(round, &batch.columns, &mut own);
                own.iter().zip(blocks).for_each(|(own, block)| sums[*block as usize] = *own);
            }
            open.retain(|block| !is_certain(sums[*block as usize]));
        }
        sums.into_iter().map(probability).collect()
    }

    /// The same for a batch, given the columns in the order of [`columns`](Self::columns).
    #[must_use]
    pub fn rate(&self, batch: &[Lanes]) -> [f32; LANES] {
        let mut sums = [self.bias; LANES];
        for (number, round) in self.rounds().enumerate() {
            let before = sums;
            add(round, batch, &mut sums);
            sums.iter_mut()
                .zip(before)
                .filter(|(_, before)| number > 0 && is_certain(*before))
                .for_each(|(sum, before)| *sum = before);
        }
        sums.map(probability)
    }

    /// For each block how much each column moves its sum: half of what the other answers to its questions would change.
    pub fn pulls(&self, view: &View<'_>, mut take: impl FnMut(usize, &[f32])) {
        let tables = Tables::binned(view, &self.borders);
        let mut batch = Batch::new(self.columns.len());
        let all: Vec<u32> = (0..view.blocks.len() as u32).collect();
        let mut pulls = vec![0.0; self.columns.len()];
        for blocks in all.chunks(LANES) {
            self.asked.iter().for_each(|asked| tables.read(view, asked, blocks, &mut batch));
            for (lane, block) in blocks.iter().enumerate() {
                pulls.fill(0.0);
                self.trees.iter().for_each(|tree| tree.pull(&batch.columns, lane, &mut pulls));
                take(*block as usize, &pulls);
            }
        }
    }

    /// The trees from one look to the next.
    fn rounds(&self) -> impl Iterator<Item = &[Evaluated]> {
        let look = |number: usize| LOOKS.get(number).map_or(self.trees.len(), |look| self.trees.len().min(*look));
        (0..=LOOKS.len()).map(move |number| &self.trees[number.checked_sub(1).map_or(0, look)..look(number)])
    }

    /// The columns that trees ask for.
    #[must_use]
    pub fn columns(&self) -> &[Source] {
        &self.columns
    }
}

fn is_certain(sum: f32) -> bool {
    sum.abs() >= CERTAIN
}

fn probability(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

/// The places of the columns that some trees ask for.
fn asked_by(trees: &[Evaluated]) -> Vec<u16> {
    let mut asked: Vec<u16> = trees.iter().flat_map(|tree| tree.columns).collect();
    asked.sort_unstable();
    asked.dedup();
    asked
}

/// Renumbers the columns so that only those that trees ask for are there, and returns these.
fn keep_asked_columns(trees: &mut [Tree], columns: &[(String, Source)]) -> Vec<Source> {
    let mut numbers: Vec<Option<u16>> = vec![None; columns.len()];
    let mut asked = Vec::new();
    for split in trees.iter_mut().flat_map(|tree| &mut tree.splits) {
        let column = usize::from(split.column);
        split.column = *numbers[column].get_or_insert_with(|| {
            asked.push(columns[column].1);
            asked.len() as u16 - 1
        });
    }
    asked
}

/// A tree as it is evaluated.
#[derive(Clone, Debug)]
struct Evaluated {
    columns: [u16; DEPTH],
    /// The bin that must be exceeded, once for each lane. As bins are fewer than 128, they are compared with a sign, for which any
    /// processor has an instruction.
    bins: [[i8; LANES]; DEPTH],
    values: [f32; LEAVES],
}

impl Evaluated {
    fn of(tree: &Tree) -> Evaluated {
        Evaluated {
            columns: tree.splits.map(|split| split.column),
            bins: tree.splits.map(|split| [split.bin.min(i8::MAX as u8) as i8; LANES]),
            values: tree.values,
        }
    }

    fn pull(&self, batch: &[Lanes], lane: usize, pulls: &mut [f32]) {
        let answer = |level: usize| batch[usize::from(self.columns[level])][lane] as i8 > self.bins[level][lane];
        let leaf = (0..DEPTH).map(|level| usize::from(answer(level)) << level).sum::<usize>();
        for (level, column) in self.columns.iter().enumerate() {
            pulls[usize::from(*column)] += (self.values[leaf] - self.values[leaf ^ (1 << level)]) / 2.0;
        }
    }

    /// The leaf of each lane.
    #[inline(always)] // A call would cost as much as the comparisons.
    fn leaves(&self, batch: &[Lanes]) -> Lanes {
        let mut leaves: Lanes = [0; LANES];
        // From the highest bit to the lowest, so that no level needs a shift of its own.
        self.ask::<5>(batch, &mut leaves);
        self.ask::<4>(batch, &mut leaves);
        self.ask::<3>(batch, &mut leaves);
        self.ask::<2>(batch, &mut leaves);
        self.ask::<1>(batch, &mut leaves);
        self.ask::<0>(batch, &mut leaves);
        leaves
    }

    /// Puts the answers to a level's question behind those of the levels above, all lanes in one comparison.
    #[inline(always)]
    fn ask<const LEVEL: usize>(&self, batch: &[Lanes], leaves: &mut Lanes) {
        let (found, own) = (&batch[usize::from(self.columns[LEVEL])], &self.bins[LEVEL]);
        for lane in 0..LANES {
            leaves[lane] = leaves[lane] << 1 | u8::from(found[lane] as i8 > own[lane]);
        }
    }
}

/// Adds what trees say to the sums of all lanes, tree by tree; a sum is read and written once for several.
#[inline(never)] // By itself its comparisons are of all lanes at once; as a part of another function they may become one by one.
fn add(trees: &[Evaluated], batch: &[Lanes], sums: &mut [f32; LANES]) {
    let (several, rest) = trees.as_chunks::<4>();
    several.iter().for_each(|trees| add_some(trees, batch, sums));
    rest.iter().for_each(|tree| add_some(std::array::from_ref(tree), batch, sums));
}

#[inline]
fn add_some<const N: usize>(trees: &[Evaluated; N], batch: &[Lanes], sums: &mut [f32; LANES]) {
    let mut leaves = [[0; LANES]; N];
    leaves.iter_mut().zip(trees).for_each(|(leaves, tree)| *leaves = tree.leaves(batch));
    for lane in 0..LANES {
        for at in 0..N {
            sums[lane] += trees[at].values[usize::from(leaves[at][lane]) % LEAVES];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn columns(count: usize) -> Vec<(String, Source)> {
        (0..count).map(|at| (format!("f{at}"), Source::Sign(at))).collect()
    }

    fn tree(splits: [(u16, u8); DEPTH], factor: i16) -> Tree {
        let values = std::array::from_fn(|leaf| f32::from((leaf as i16 * 37 % 64 - 32) * factor) / 512.0);
        Tree { splits: splits.map(|(column, bin)| Split { column, bin }), values }
    }

    fn file(width: usize, trees: &[Tree]) -> Vec<u8> {
        ObliviousTrees::write(0.1, &columns(width), &vec![vec![1.0, 2.0]; QUANTITIES], trees)
    }

    #[test]
    fn broken_files_are_refused() {
        let good = file(2, &[tree([(0, 1), (1, 2), (0, 3), (1, 4), (0, 5), (1, 6)], 1)]);
        assert!(ObliviousTrees::read(&good, &columns(2)).is_ok());
        for end in 0..good.len() {
            assert!(ObliviousTrees::read(&good[..end], &columns(2)).is_err(), "{end}");
        }
        assert_eq!(ObliviousTrees::read(b"nonsense", &columns(2)).err(), Some(ModelError::NoModel));
        assert!(matches!(ObliviousTrees::read(&good, &columns(3)), Err(ModelError::OtherFeatures { .. })));
        assert!(matches!(ObliviousTrees::read(&good, &columns(1)), Err(ModelError::OtherFeatures { .. })));
        let broken = file(1, &[tree([(0, 1), (1, 2), (0, 3), (1, 4), (0, 5), (1, 6)], 1)]);
        assert_eq!(ObliviousTrees::read(&broken, &columns(1)).err(), Some(ModelError::BrokenTree(0)));
        let mut later = good;
        later[4] = 9;
        assert_eq!(ObliviousTrees::read(&later, &columns(2)).err(), Some(ModelError::Version(9)));
    }

    proptest! {
        #[test]
        fn damaged_files_never_lead_astray(place in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = file(3, &[tree([(0, 1), (1, 2), (2, 3), (1, 4), (0, 5), (1, 6)], 3)]);
            let at = place.index(bytes.len());
            bytes[at] = byte;
            if let Ok(model) = ObliviousTrees::read(&bytes, &columns(3)) {
                let p = model.rate(&vec![[3; LANES]; model.columns().len()]);
                prop_assert!(p.iter().all(|p| (0.0..=1.0).contains(p)));
            }
        }

        #[test]
        fn batches_give_what_each_block_gives(
            trees in prop::collection::vec((prop::array::uniform6((0_u16..3, 0_u8..10)), -3_i16..4), 0..9),
            bins in prop::array::uniform3(prop::array::uniform16(0_u8..10)),
        ) {
            let trees: Vec<Tree> = trees.iter().map(|(splits, factor)| tree(*splits, *factor)).collect();
            let model = ObliviousTrees::read(&file(3, &trees), &columns(3)).unwrap();
            let batch: Vec<Lanes> = model.columns().iter().map(|source| match source {
                Source::Sign(at) => bins[*at],
                _ => [0; LANES],
            }).collect();
            for (lane, p) in model.rate(&batch).iter().enumerate() {
                let mut sum = 0.1;
                for tree in &trees {
                    let answer = |split: &Split| usize::from(bins[usize::from(split.column)][lane] > split.bin);
                    let leaf: usize = tree.splits.iter().enumerate().map(|(level, split)| answer(split) << level).sum();
                    sum += tree.values[leaf];
                }
                let wanted = 1.0 / (1.0 + (-sum).exp());
                prop_assert!((wanted - p).abs() < 1e-3, "{wanted} {p}");
            }
        }
    }
}
