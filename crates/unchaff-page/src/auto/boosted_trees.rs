//! Gradient-boosted trees, evaluated from one compact file.
//!
//! Friedman: Greedy Function Approximation: A Gradient Boosting Machine, 2001; the trees are grown by LightGBM (Ke et al., 2017)
//! and written by `training/train`. The two children of a node stand side by side, so a step is one comparison and one
//! addition without a branch, and a leaf leads to itself; all rows of a batch walk a tree together, so that the
//! processor waits for none of them. Rows whose sum is hopeless after the first trees are left as they are.
//!
//! The file, little-endian: `UCBT`, version, number of features, of trees, of nodes, the bias; the features' names, each
//! ended by a line feed; for each tree its first node and depth; for each node a threshold, a feature and the offset of
//! its children in the tree; for each node its value.

use thiserror::Error;

/// Rows that walk a tree together.
const BATCH: usize = 16;
/// Every so many trees rows are looked at for being hopeless.
const ROUND: usize = 30;
/// A sum below this, or above its opposite, after a round is final: p below .0025 or above .9975.
const HOPELESS: f32 = -6.0;
const MAGIC: &[u8; 4] = b"UCBT";
const VERSION: u32 = 1;

/// Why a model file was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ModelError {
    /// It does not start as model files do.
    #[error("this is no model of boosted trees; write one with training/train")]
    NoModel,
    /// It was written for another version.
    #[error("the model has version {0}, this program reads {VERSION}; train it again with training/train")]
    Version(u32),
    /// It ends too early or goes on too long.
    #[error("the model file is cut off or damaged; write it again with training/train")]
    Damaged,
    /// A tree leads out of itself or asks for a feature that is not there.
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

#[derive(Clone, Copy, Debug)]
struct Node {
    threshold: f32,
    feature: u16,
    /// The first of its two children, counted from the tree's first node; itself for a leaf.
    child: u16,
}

#[derive(Clone, Copy, Debug)]
struct Tree {
    first: u32,
    depth: u32,
}

/// A model: a sum of trees, made a probability.
#[derive(Clone, Debug, Default)]
pub struct BoostedTrees {
    bias: f32,
    width: usize,
    trees: Vec<Tree>,
    nodes: Vec<Node>,
    values: Vec<f32>,
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

    fn u16(&mut self) -> Result<u16, ModelError> {
        Ok(u16::from_le_bytes(self.number()?))
    }

    fn f32(&mut self) -> Result<f32, ModelError> {
        Ok(f32::from_le_bytes(self.number()?))
            .and_then(|value: f32| if value.is_nan() { Err(ModelError::Damaged) } else { Ok(value) })
    }

    fn line(&mut self) -> Result<&'b [u8], ModelError> {
        let end = self.0.iter().position(|byte| *byte == b'\n').ok_or(ModelError::Damaged)?;
        let line = self.take(end)?;
        self.take(1)?;
        Ok(line)
    }
}

impl BoostedTrees {
    /// Reads a model for features of these names.
    ///
    /// # Errors
    /// If it is damaged or was trained with other features.
    pub fn read(bytes: &[u8], names: impl IntoIterator<Item = String>) -> Result<BoostedTrees, ModelError> {
        let mut bytes = Bytes(bytes);
        if bytes.take(4).map_err(|_| ModelError::NoModel)? != MAGIC {
            return Err(ModelError::NoModel);
        }
        match bytes.u32()? {
            VERSION => {}
            other => return Err(ModelError::Version(other)),
        }
        let (width, trees, nodes) = (bytes.u32()? as usize, bytes.u32()? as usize, bytes.u32()? as usize);
        let bias = bytes.f32()?;
        let mut wanted = names.into_iter();
        for _ in 0..width {
            let found = bytes.line()?;
            let wanted = wanted.next().unwrap_or_default();
            if found != wanted.as_bytes() {
                return Err(ModelError::OtherFeatures { found: String::from_utf8_lossy(found).into_owned(), wanted });
            }
        }
        if let Some(wanted) = wanted.next() {
            return Err(ModelError::OtherFeatures { found: String::new(), wanted });
        }
        if bytes.0.len() != trees.saturating_mul(8).saturating_add(nodes.saturating_mul(12)) {
            return Err(ModelError::Damaged);
        }
        let mut model = BoostedTrees { bias, width, ..BoostedTrees::default() };
        for _ in 0..trees {
            model.trees.push(Tree { first: bytes.u32()?, depth: bytes.u32()? });
        }
        for _ in 0..nodes {
            model.nodes.push(Node { threshold: bytes.f32()?, feature: bytes.u16()?, child: bytes.u16()? });
        }
        for _ in 0..nodes {
            model.values.push(bytes.f32()?);
        }
        model.check()?;
        Ok(model)
    }

    /// Children come after their parent and within the tree, so no walk leaves a tree or goes round.
    fn check(&self) -> Result<(), ModelError> {
        for (number, tree) in self.trees.iter().enumerate() {
            let end = self.trees.get(number + 1).map_or(self.nodes.len(), |next| next.first as usize);
            let broken = ModelError::BrokenTree(number);
            let Some(nodes) = self.nodes.get(tree.first as usize..end).filter(|nodes| !nodes.is_empty()) else {
                return Err(broken);
            };
            if tree.depth as usize > nodes.len() || nodes.len() > usize::from(u16::MAX) {
                return Err(broken);
            }
            for (at, node) in nodes.iter().enumerate() {
                let child = usize::from(node.child);
                let leaf = child == at && node.threshold == f32::INFINITY;
                let split = child > at && child + 1 < nodes.len();
                if !(leaf || split) || usize::from(node.feature) >= self.width.max(1) {
                    return Err(broken);
                }
            }
        }
        Ok(())
    }

    /// How many numbers a row has.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The probability of each row.
    #[must_use]
    pub fn probabilities(&self, rows: &[f32]) -> Vec<f32> {
        if self.width == 0 {
            return Vec::new();
        }
        let mut sums = vec![self.bias; rows.len() / self.width];
        let mut open: Vec<u32> = (0..sums.len() as u32).collect();
        for round in self.trees.chunks(ROUND) {
            for batch in open.chunks(BATCH) {
                self.add(round, rows, batch, &mut sums);
            }
            open.retain(|row| sums[*row as usize].abs() < -HOPELESS);
        }
        sums.iter().map(|sum| 1.0 / (1.0 + (-sum).exp())).collect()
    }

    fn add(&self, trees: &[Tree], rows: &[f32], batch: &[u32], sums: &mut [f32]) {
        let mut starts = [0_usize; BATCH];
        for (start, row) in starts.iter_mut().zip(batch) {
            *start = *row as usize * self.width;
        }
        let mut totals = [0.0_f32; BATCH];
        for tree in trees {
            let nodes = &self.nodes[tree.first as usize..];
            let mut places = [0_u16; BATCH];
            for _ in 0..tree.depth {
                for (place, start) in places.iter_mut().zip(&starts[..batch.len()]) {
                    let node = &nodes[usize::from(*place)];
                    *place = node.child + u16::from(rows[start + usize::from(node.feature)] > node.threshold);
                }
            }
            for (total, place) in totals.iter_mut().zip(places) {
                *total += self.values[tree.first as usize + usize::from(place)];
            }
        }
        for (row, total) in batch.iter().zip(totals) {
            sums[*row as usize] += total;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("f{at}")).collect()
    }

    /// A file of trees, each a list of splits that divide its nodes in order: (feature, threshold).
    fn file(width: usize, trees: &[Vec<(u16, f32)>], bias: f32) -> Vec<u8> {
        let (mut heads, mut bodies, mut values, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0_u32);
        for tree in trees {
            let size = 2 * tree.len() + 1;
            heads.extend([count.to_le_bytes(), (tree.len() as u32).to_le_bytes()].concat());
            for at in 0..size {
                let (threshold, feature, child) = match tree.get(at) {
                    Some((feature, threshold)) => (*threshold, *feature, 2 * at as u16 + 1),
                    None => (f32::INFINITY, 0, at as u16),
                };
                bodies.extend([&threshold.to_le_bytes()[..], &feature.to_le_bytes(), &child.to_le_bytes()].concat());
                values.extend(((at as f32 - tree.len() as f32 * 1.5) / 8.0).to_le_bytes());
            }
            count += size as u32;
        }
        let head = [VERSION, width as u32, trees.len() as u32, count].map(u32::to_le_bytes).concat();
        let names = names(width).iter().map(|name| format!("{name}\n")).collect::<String>();
        [&MAGIC[..], &head, &bias.to_le_bytes(), names.as_bytes(), &heads, &bodies, &values].concat()
    }

    /// The definition: walk each tree for each row until a leaf.
    fn naive(model: &BoostedTrees, row: &[f32]) -> f32 {
        let mut sum = model.bias;
        for (number, tree) in model.trees.iter().enumerate() {
            if number % ROUND == 0 && number > 0 && sum.abs() >= -HOPELESS {
                break;
            }
            let mut at = tree.first as usize;
            loop {
                let node = model.nodes[at];
                if usize::from(node.child) == at - tree.first as usize {
                    break;
                }
                at = tree.first as usize + usize::from(node.child) + usize::from(row[usize::from(node.feature)] > node.threshold);
            }
            sum += model.values[at];
        }
        1.0 / (1.0 + (-sum).exp())
    }

    #[test]
    fn broken_files_are_refused() {
        let good = file(2, &[vec![(0, 1.0), (1, 2.0)], vec![(1, 0.5)]], 0.1);
        assert!(BoostedTrees::read(&good, names(2)).is_ok());
        for end in 0..good.len() {
            assert!(BoostedTrees::read(&good[..end], names(2)).is_err(), "{end}");
        }
        assert_eq!(BoostedTrees::read(b"nonsense", names(2)).err(), Some(ModelError::NoModel));
        assert!(matches!(BoostedTrees::read(&good, names(3)), Err(ModelError::OtherFeatures { .. })));
        assert!(matches!(BoostedTrees::read(&good, ["f0".to_owned(), "g".to_owned()]), Err(ModelError::OtherFeatures { .. })));
        assert_eq!(BoostedTrees::read(&file(1, &[vec![(3, 1.0)]], 0.0), names(1)).err(), Some(ModelError::BrokenTree(0)));
        let mut later = good;
        later[4] = 9;
        assert_eq!(BoostedTrees::read(&later, names(2)).err(), Some(ModelError::Version(9)));
    }

    proptest! {
        #[test]
        fn damaged_files_never_lead_astray(place in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = file(2, &[vec![(0, 1.0), (1, 2.0), (0, 3.0)], vec![(1, 0.5)]], 0.1);
            let at = place.index(bytes.len());
            bytes[at] = byte;
            if let Ok(model) = BoostedTrees::read(&bytes, names(2)) {
                prop_assert_eq!(model.probabilities(&[1.5, 0.0, 4.0, 1.0]).len(), 2);
            }
        }

        #[test]
        fn batches_give_what_a_walk_gives(
            trees in prop::collection::vec(prop::collection::vec((0_u16..3, 0_u8..10), 0..9), 0..70),
            rows in prop::collection::vec(0_u8..10, 0..40),
        ) {
            let trees: Vec<Vec<(u16, f32)>> = trees.iter().map(|tree| tree.iter().map(|(feature, at)| (*feature, f32::from(*at))).collect()).collect();
            let model = BoostedTrees::read(&file(3, &trees, 0.2), names(3)).unwrap();
            let rows: Vec<f32> = rows.iter().map(|value| f32::from(*value)).collect();
            let rows = &rows[..rows.len() / 3 * 3];
            let found = model.probabilities(rows);
            for (row, p) in rows.chunks(3).zip(&found) {
                prop_assert!((naive(&model, row) - p).abs() < 1e-4, "{} {p}", naive(&model, row));
                prop_assert!((0.0..=1.0).contains(p));
            }
        }
    }
}
