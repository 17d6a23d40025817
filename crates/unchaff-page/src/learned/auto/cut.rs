//! The cut: how many of the most probable blocks to take so that the F1 expected of the choice is best.
//!
//! Taken are all blocks of at least some probability; the question is of which. If each block were right or wrong for itself, the expected F1
//! would be 2·Σ(p·n over taken) ÷ (Σ(n over taken) + Σ(p·n over all)), n being words (Lipton, Elkan, Naryanaswamy: Optimal
//! Thresholding of Classifiers to Maximize F1, 2014). But blocks hang together: what nobody can tell is how much of a page is
//! wanted, the bare article or all that goes with it. If that were all there is to it, there would be one unknown level for the page, as likely
//! here as there, and all blocks as probable as it would be content together. The truth lies between, and so does what is
//! maximised: the sum of both. Every page has a threshold of its own and there is none to tune.

/// Which blocks are taken.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cut {
    /// Blocks of at least this probability are taken.
    pub threshold: f32,
    /// The F1 that is expected.
    pub expected_f1: f32,
}

/// Probabilities are told apart in so many steps.
const STEPS: usize = 256;
/// Of what hangs together, log-odds count as this part of what they are: a model that is wrong is wrong of all of it.
const TRUST: f32 = 0.8;

/// The blocks of a step and of all above.
#[derive(Clone, Copy)]
struct Step {
    /// The mean probability of the step.
    level: f32,
    /// How likely it is that just this step and those above are content, if all hangs together.
    likelihood: f32,
    /// The least.
    threshold: f32,
    words: f32,
    /// The words that are expected to be content.
    expected: f32,
}

/// Finds the best threshold. `demand` is what a missing word counts for each that is too many: below 1 fewer blocks are taken, above more.
#[must_use]
pub fn cut(p: &[f32], words: &[f32], demand: f32) -> Cut {
    let steps = steps(p, words);
    let mut best = (0.0, Cut { threshold: 1.1, expected_f1: 0.0 });
    let expected = steps.last().map_or(0.0, |all| all.expected);
    let [likely, words, demanded]: [Vec<f32>; 3] = [
        steps.iter().map(|step| step.likelihood * (1.0 + demand)).collect(),
        steps.iter().map(|step| step.words).collect(),
        steps.iter().map(|step| demand * step.words).collect(),
    ];
    let mut values = vec![0.0; steps.len()];
    for taken in &steps {
        let value = (1.0 + demand) * taken.expected / (demand * expected + taken.words);
        // What each step adds is computed side by side, and added up in order after that.
        for (((value, likely), words), demanded) in values.iter_mut().zip(&likely).zip(&words).zip(&demanded) {
            let both = if *words < taken.words { *words } else { taken.words };
            *value = likely * both / (demanded + taken.words);
        }
        let value = values.iter().fold(value, |sum, value| sum + value);
        if value > best.0 {
            let expected_f1 = 2.0 * taken.expected / (taken.words + expected);
            best = (value, Cut { threshold: taken.threshold, expected_f1 });
        }
    }
    best.1
}

/// Blocks by probability, the most probable first.
fn steps(p: &[f32], words: &[f32]) -> Vec<Step> {
    let empty = Step { level: 0.0, likelihood: 0.0, threshold: f32::INFINITY, words: 0.0, expected: 0.0 };
    let mut all = [empty; STEPS];
    for (p, words) in p.iter().zip(words).filter(|(_, words)| **words > 0.0) {
        let odds = (p / (1.0 - p)).powf(TRUST);
        let level = if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 };
        let step = &mut all[((level * STEPS as f32) as usize).min(STEPS - 1)];
        step.level += level * words;
        step.threshold = step.threshold.min(*p);
        step.words += words;
        step.expected += p * words;
    }
    let mut steps: Vec<Step> = Vec::new();
    for step in all.into_iter().rev().filter(|step| step.words > 0.0) {
        let above = steps.last().copied().unwrap_or(empty);
        steps.push(Step {
            level: step.level / step.words,
            likelihood: 0.0,
            threshold: step.threshold,
            words: above.words + step.words,
            expected: above.expected + step.expected,
        });
    }
    let mut below = 0.0;
    for step in steps.iter_mut().rev() {
        step.likelihood = step.level - below;
        below = step.level;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_is_taken_where_nothing_is_expected() {
        assert_eq!(cut(&[], &[], 1.0), Cut { threshold: 1.1, expected_f1: 0.0 });
        assert_eq!(cut(&[0.7, 0.2], &[0.0, 0.0], 1.0), Cut { threshold: 1.1, expected_f1: 0.0 });
        assert_eq!(cut(&[0.0, 0.0], &[3.0, 4.0], 1.0).expected_f1, 0.0);
    }

    #[test]
    fn less_demand_takes_no_more() {
        let (p, words) = ([0.9, 0.6, 0.35, 0.3, 0.05], [20.0, 30.0, 40.0, 50.0, 60.0]);
        let thresholds: Vec<f32> = [0.3, 1.0, 3.0].map(|demand| cut(&p, &words, demand).threshold).to_vec();
        assert!(thresholds.is_sorted_by(|a, b| a >= b), "{thresholds:?}");
        assert!(thresholds[0] > thresholds[2]);
    }

    #[test]
    fn doubtful_blocks_that_hang_together_are_left() {
        // Each for itself they would be taken: 2·(95 + 120) ÷ (500 + 215) is more than 2·95 ÷ (100 + 215).
        let (p, words) = ([0.95, 0.3], [100.0, 400.0]);
        assert_eq!(cut(&p, &words, 1.0).threshold, 0.95);
    }

    proptest! {
        #[test]
        fn no_threshold_is_better(blocks in prop::collection::vec((0_u8..=100, 0_u8..20), 0..12)) {
            let p: Vec<f32> = blocks.iter().map(|(p, _)| f32::from(*p) / 100.0).collect();
            let words: Vec<f32> = blocks.iter().map(|(_, words)| f32::from(*words)).collect();
            let level = |p: f32| if p < 1.0 { let odds = (p / (1.0 - p)).powf(TRUST); odds / (1.0 + odds) } else { 1.0 };
            let sum = |from: f32| blocks.iter().zip(&p).filter(|(_, p)| level(**p) >= from).map(|(block, _)| f32::from(block.1)).sum::<f32>();
            // The mean over a thousand levels.
            let together = |threshold: f32| (0..1000).map(|at| (at as f32 + 0.5) / 1000.0).map(|from| {
                let (wanted, taken) = (sum(from), sum(level(threshold)));
                if wanted > 0.0 { 2.0 * wanted.min(taken) / (wanted + taken) } else { 0.0 }
            }).sum::<f32>() / 1000.0;
            let expected = |from: f32| blocks.iter().zip(&p).filter(|(_, p)| level(**p) >= from).map(|(block, p)| f32::from(block.1) * p).sum::<f32>();
            let apart = |threshold: f32| 2.0 * expected(level(threshold)) / (sum(level(threshold)) + expected(0.0)).max(0.1);
            let value = |threshold: f32| together(threshold) + apart(threshold);
            let best = p.iter().map(|p| value(*p)).fold(0.0, f32::max);
            let found = cut(&p, &words, 1.0);
            prop_assert!(found.threshold > 1.0 || value(found.threshold) > best - 0.01, "{found:?} {best}");
            prop_assert!((0.0..=1.0001).contains(&found.expected_f1));
        }
    }
}
