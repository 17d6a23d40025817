//! A chain of blocks of which each has one of two labels: the best labelling of all, and how likely each label is.
//!
//! What sequence labellers share (Victor, a conditional random field, and Web2Text, a hidden Markov model over the potentials of two
//! networks): each block has a score for each of its labels, each pair of neighbours one for each of the four pairs of labels, and a
//! labelling is as good as the sum of its scores. Viterbi's algorithm finds the best; sums forwards and backwards give, with the scores
//! read as logarithms of potentials, the probability of each label over all labellings. Both are linear.

use crate::views::whole_elements::with_whole_elements_among;
use crate::{Block, BlockKind, Detection, Explanation, Likely};
use unchaff_dom::{NodeId, NodeSet, Page};

/// Scores by the label of a block: 0 is not content, 1 is.
pub type Own = [f64; 2];
/// Scores by the labels of two neighbours, the first one's first.
pub type Pair = [[f64; 2]; 2];

/// The scores of a page's blocks, in document order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LinearChain {
    /// A block's own scores.
    pub own: Vec<Own>,
    /// The scores of each block with the next; one fewer.
    pub pairs: Vec<Pair>,
}

/// How likely labels are.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Likelihoods {
    /// The logarithm of the sum over all labellings.
    pub log_sum: f64,
    /// The probability of each block to be content.
    pub own: Vec<f64>,
    /// The probabilities of the labels of each block with the next.
    pub pairs: Vec<Pair>,
}

impl LinearChain {
    fn pair(&self, at: usize) -> Pair {
        self.pairs.get(at).copied().unwrap_or_default()
    }

    /// The labelling with the highest sum; of equals the one with less content first.
    #[must_use]
    pub fn best(&self) -> Vec<bool> {
        let Some(first) = self.own.first() else { return Vec::new() };
        let mut best = *first;
        // For each block but the first and for each of its labels, which label of the block before leads to the best.
        let mut from: Vec<[bool; 2]> = Vec::with_capacity(self.own.len());
        for (at, own) in self.own.iter().enumerate().skip(1) {
            let pair = self.pair(at - 1);
            let through = |label: usize| [best[0] + pair[0][label], best[1] + pair[1][label]];
            let (to_none, to_content) = (through(0), through(1));
            from.push([to_none[1] > to_none[0], to_content[1] > to_content[0]]);
            best = [to_none[0].max(to_none[1]) + own[0], to_content[0].max(to_content[1]) + own[1]];
        }
        let mut label = best[1] > best[0];
        let mut labels = vec![label; self.own.len()];
        for (at, from) in from.iter().enumerate().rev() {
            label = from[usize::from(label)];
            labels[at] = label;
        }
        labels
    }

    /// The probabilities of labels, and of labels of neighbours.
    #[must_use]
    pub fn likelihoods(&self) -> Likelihoods {
        let Some(first) = self.own.first() else { return Likelihoods::default() };
        let mut forward: Vec<Own> = vec![*first];
        for (at, own) in self.own.iter().enumerate().skip(1) {
            let (pair, before) = (self.pair(at - 1), forward[at - 1]);
            let to = |label: usize| log_of_sum(before[0] + pair[0][label], before[1] + pair[1][label]) + own[label];
            forward.push([to(0), to(1)]);
        }
        let last = forward[forward.len() - 1];
        let log_sum = log_of_sum(last[0], last[1]);
        let mut own = vec![0.0; self.own.len()];
        let mut pairs = vec![Pair::default(); self.own.len() - 1];
        let mut backward: Own = [0.0, 0.0];
        for at in (0..self.own.len()).rev() {
            own[at] = (forward[at][1] + backward[1] - log_sum).exp().min(1.0);
            let Some(before) = at.checked_sub(1) else { break };
            let (pair, here) = (self.pair(before), [backward[0] + self.own[at][0], backward[1] + self.own[at][1]]);
            for (one, (row, scores)) in pairs[before].iter_mut().zip(&pair).enumerate() {
                for (other, (cell, score)) in row.iter_mut().zip(scores).enumerate() {
                    *cell = (forward[before][one] + score + here[other] - log_sum).exp().min(1.0);
                }
            }
            backward =
                [log_of_sum(pair[0][0] + here[0], pair[0][1] + here[1]), log_of_sum(pair[1][0] + here[0], pair[1][1] + here[1])];
        }
        Likelihoods { log_sum, own, pairs }
    }
}

fn log_of_sum(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high + (low - high).exp().ln_1p()
}

/// The texts with the label content, as a technique's answer, with the probability of each.
pub(super) fn detection(page: &Page, texts: &[NodeId], chain: &LinearChain) -> Detection {
    let taken = texts.iter().zip(chain.best()).filter(|(_, label)| *label).map(|(text, _)| *text);
    let taken = NodeSet::from_nodes(page, taken);
    let all = NodeSet::from_nodes(page, texts.iter().copied());
    let nodes = with_whole_elements_among(page, |node| all.contains(node), &taken);
    let likely = chain.likelihoods().own;
    let ratings = texts.iter().copied().zip(likely.iter().map(|p| *p as f32)).collect();
    Detection { blocks: vec![Block { ratings, ..Block::of(BlockKind::Content, nodes) }], ..Detection::default() }
}

/// What a chain says of each text: how likely it is content over all labellings, and its own score without its neighbours' labels.
pub(super) fn explanation(texts: &[NodeId], chain: &LinearChain) -> Explanation {
    let mut explanation = Explanation::new(&["p", "score"]).rated_by("p", Likely::High);
    explanation.notes.push("texts are content where the likeliest labelling of the whole page has them so".to_owned());
    let likely = chain.likelihoods().own;
    for (((text, label), p), own) in texts.iter().zip(chain.best()).zip(likely).zip(&chain.own) {
        explanation.push(*text, &[p, own[1] - own[0]], if label { "content" } else { "" });
    }
    explanation
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Three blocks. By themselves the middle one would be none (0 against 1); its neighbours, which are content by 2 each and give 1 to
    /// the same label, make it content: 2+1+0+1+2 = 6 against 2+0+1+0+2 = 5.
    #[test]
    fn neighbours_decide_about_a_block_that_hardly_differs() {
        let same: Pair = [[1.0, 0.0], [0.0, 1.0]];
        let chain = LinearChain { own: vec![[0.0, 2.0], [1.0, 0.0], [0.0, 2.0]], pairs: vec![same; 2] };
        assert_eq!(chain.best(), [true, true, true]);
        let alone = LinearChain { pairs: vec![Pair::default(); 2], ..chain };
        assert_eq!(alone.best(), [true, false, true]);
    }

    /// Two blocks, worked by hand: potentials of the four labellings are 1, 1, 2·1 and 2·3 in the order 00, 01, 10, 11.
    #[test]
    fn likelihoods_are_shares_of_the_sum_over_all_labellings() {
        let pair: Pair = [[0.0, 0.0], [0.0, 3.0_f64.ln()]];
        let chain = LinearChain { own: vec![[0.0, 2.0_f64.ln()], [0.0, 0.0]], pairs: vec![pair] };
        let likely = chain.likelihoods();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(likely.log_sum, 10.0_f64.ln()) && near(likely.own[0], 0.8) && near(likely.own[1], 0.7), "{likely:?}");
        assert!(near(likely.pairs[0][1][1], 0.6) && near(likely.pairs[0][0][1], 0.1) && near(likely.pairs[0][1][0], 0.2));
    }

    #[test]
    fn no_block_has_no_label() {
        assert!(LinearChain::default().best().is_empty() && LinearChain::default().likelihoods().own.is_empty());
    }

    proptest! {
        #[test]
        fn the_best_labelling_is_the_best_of_all(
            own in prop::collection::vec([-3.0..3.0_f64, -3.0..3.0], 1..8),
            pairs in prop::collection::vec([[-3.0..3.0_f64, -3.0..3.0], [-3.0..3.0, -3.0..3.0]], 7),
        ) {
            let chain = LinearChain { pairs: pairs[..own.len() - 1].to_vec(), own };
            let value = |labels: &[usize]| {
                let own: f64 = labels.iter().zip(&chain.own).map(|(label, own)| own[*label]).sum();
                own + labels.windows(2).zip(&chain.pairs).map(|(two, pair)| pair[two[0]][two[1]]).sum::<f64>()
            };
            let labels = |bits: usize| (0..chain.own.len()).map(|at| bits >> at & 1).collect::<Vec<_>>();
            let all: Vec<f64> = (0..1 << chain.own.len()).map(|bits| value(&labels(bits))).collect();
            let found: Vec<usize> = chain.best().into_iter().map(usize::from).collect();
            let highest = all.iter().copied().fold(f64::MIN, f64::max);
            prop_assert!((value(&found) - highest).abs() < 1e-9);
            let likely = chain.likelihoods();
            let sum: f64 = all.iter().map(|value| value.exp()).sum();
            prop_assert!((likely.log_sum - sum.ln()).abs() < 1e-9);
            for at in 0..chain.own.len() {
                let share: f64 = all.iter().enumerate().filter(|(bits, _)| bits >> at & 1 == 1).map(|(_, value)| value.exp()).sum();
                prop_assert!((likely.own[at] - share / sum).abs() < 1e-9);
            }
        }
    }
}
