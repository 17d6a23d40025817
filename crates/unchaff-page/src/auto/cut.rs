//! The cut: how many of the most probable blocks to take so that the F1 expected of the choice is best.
//!
//! Blocks are sorted by probability; taken is the beginning of that order for which 2·Σ(p·n over taken) ÷ (Σ(n over taken) +
//! Σ(p·n over all)) is largest, n being words. For independent blocks that is the expected F1 to a first approximation, and its
//! best choice is always such a beginning (Lipton, Elkan, Naryanaswamy: Optimal Thresholding of Classifiers to Maximize F1,
//! 2014). So every page has a threshold of its own and there is none to tune.

/// Which blocks are taken.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cut {
    /// Blocks of at least this probability are taken.
    pub threshold: f32,
    /// The F1 that is expected.
    pub expected_f1: f32,
}

/// Finds the best threshold. `demand` scales the words expected to be content: below 1 fewer blocks are taken, above more.
#[must_use]
pub fn cut(p: &[f32], words: &[f32], demand: f32) -> Cut {
    let mut order: Vec<u32> = (0..p.len() as u32).filter(|at| words[*at as usize] > 0.0).collect();
    order.sort_unstable_by(|a, b| p[*b as usize].total_cmp(&p[*a as usize]).then(a.cmp(b)));
    let expected: f64 = p.iter().zip(words).map(|(p, words)| f64::from(*p) * f64::from(*words)).sum();
    let wanted = expected * f64::from(demand);
    let mut best = Cut { threshold: 1.1, expected_f1: 0.0 };
    let (mut hits, mut taken) = (0.0, 0.0);
    let mut at = 0;
    while let Some(first) = order.get(at) {
        let threshold = p[*first as usize];
        // Equal probabilities are taken together, so that a threshold says it all.
        while let Some(next) = order.get(at).filter(|next| p[**next as usize] == threshold) {
            hits += f64::from(threshold) * f64::from(words[*next as usize]);
            taken += f64::from(words[*next as usize]);
            at += 1;
        }
        let f1 = (2.0 * hits / (taken + wanted)) as f32;
        if f1 > best.expected_f1 {
            best = Cut { threshold, expected_f1: f1 };
        }
    }
    if demand != 1.0 && best.expected_f1 > 0.0 {
        let taken = |at: &usize| p[*at] >= best.threshold;
        let sums = (0..p.len()).filter(taken).map(|at| (p[at] * words[at], words[at]));
        let (hits, taken) = sums.fold((0.0, 0.0), |sum: (f32, f32), own| (sum.0 + own.0, sum.1 + own.1));
        best.expected_f1 = 2.0 * hits / (taken + expected as f32);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_is_taken_where_nothing_is_expected() {
        assert_eq!(cut(&[], &[], 1.0), Cut { threshold: 1.1, expected_f1: 0.0 });
        assert_eq!(cut(&[0.0, 0.0], &[3.0, 4.0], 1.0).expected_f1, 0.0);
    }

    #[test]
    fn less_demand_takes_no_more() {
        let (p, words) = ([0.9, 0.6, 0.35, 0.3, 0.05], [20.0, 30.0, 40.0, 50.0, 60.0]);
        let thresholds: Vec<f32> = [0.5, 1.0, 2.0].map(|demand| cut(&p, &words, demand).threshold).to_vec();
        assert!(thresholds.is_sorted_by(|a, b| a >= b), "{thresholds:?}");
        assert!(thresholds[0] > thresholds[2]);
    }

    proptest! {
        #[test]
        fn no_choice_of_blocks_is_better(blocks in prop::collection::vec((0_u8..=100, 0_u8..20), 0..10)) {
            let p: Vec<f32> = blocks.iter().map(|(p, _)| f32::from(*p) / 100.0).collect();
            let words: Vec<f32> = blocks.iter().map(|(_, words)| f32::from(*words)).collect();
            let expected: f32 = p.iter().zip(&words).map(|(p, words)| p * words).sum();
            let value = |takes: &dyn Fn(usize) -> bool| {
                let (mut hits, mut taken) = (0.0, 0.0);
                for at in (0..p.len()).filter(|at| takes(*at)) {
                    hits += p[at] * words[at];
                    taken += words[at];
                }
                if taken + expected > 0.0 { 2.0 * hits / (taken + expected) } else { 0.0 }
            };
            let best = (0..1_u32 << p.len()).map(|choice| value(&|at| choice >> at & 1 == 1)).fold(0.0, f32::max);
            let found = cut(&p, &words, 1.0);
            prop_assert!((value(&|at| p[at] >= found.threshold) - best).abs() < 1e-4);
            prop_assert!((found.expected_f1 - best).abs() < 1e-4 && (0.0..=1.0001).contains(&found.expected_f1));
        }
    }
}
