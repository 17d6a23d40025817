//! Blocks of one kind decide alike: cards, search results, fields of records, paragraphs of one class.
//!
//! What stands in elements of the same tag and class is mostly content together or not at all. So the log-odds of a block are drawn a
//! little towards the mean of its kind, long blocks counting more. All the way would be too far: related articles have the class of the
//! article's own parts.

/// How much of a block's log-odds are those of its kind.
const ALIKE: f32 = 0.25;
/// Probabilities are as sure as this at most.
const SUREST: f32 = 1e-6;

/// Draws probabilities towards those of their kind. `kinds` numbers the kind of each block from 0.
pub fn decide_alike(kinds: &[u32], words: &[f32], p: &mut [f32]) {
    let count = kinds.iter().max().map_or(0, |last| *last as usize + 1);
    let mut sums = vec![(0.0_f32, 0.0_f32); count];
    let mut log_odds: Vec<f32> = p.iter().map(|p| p.clamp(SUREST, 1.0 - SUREST)).map(|p| (p / (1.0 - p)).ln()).collect();
    for ((own, words), kind) in log_odds.iter().zip(words).zip(kinds) {
        let (sum, weight) = &mut sums[*kind as usize];
        // Also blocks without words have a say where there are no others.
        *sum += own * (words + 0.5);
        *weight += words + 0.5;
    }
    for ((own, p), kind) in log_odds.iter_mut().zip(p).zip(kinds) {
        let (sum, weight) = sums[*kind as usize];
        let drawn = (1.0 - ALIKE) * *own + ALIKE * sum / weight;
        *p = 1.0 / (1.0 + (-drawn).exp());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_doubtful_record_among_sure_ones_gains_and_the_others_hardly_lose() {
        let mut p = [0.95, 0.95, 0.4, 0.95, 0.4];
        decide_alike(&[0, 0, 0, 0, 1], &[20.0; 5], &mut p);
        assert!(p[2] > 0.5 && p[0] > 0.9, "{p:?}");
        assert!((p[4] - 0.4).abs() < 1e-6, "alone of its kind it stays as it is: {p:?}");
    }

    proptest! {
        #[test]
        fn probabilities_stay_between_the_least_and_the_most_of_their_kind(blocks in prop::collection::vec((0_u32..3, 0_u8..=100, 0_u8..20), 0..12)) {
            let kinds: Vec<u32> = blocks.iter().map(|(kind, ..)| *kind).collect();
            let words: Vec<f32> = blocks.iter().map(|(.., words)| f32::from(*words)).collect();
            let before: Vec<f32> = blocks.iter().map(|(_, p, _)| f32::from(*p) / 100.0).collect();
            let mut p = before.clone();
            decide_alike(&kinds, &words, &mut p);
            for (kind, p) in kinds.iter().zip(&p) {
                let own = || before.iter().zip(&kinds).filter(|(_, other)| *other == kind).map(|(p, _)| *p);
                let (least, most) = (own().fold(1.0, f32::min), own().fold(0.0, f32::max));
                prop_assert!(least - 1e-4 <= *p && *p <= most + 1e-4);
            }
        }
    }
}
