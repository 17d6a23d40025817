//! Is the difference between two techniques more than chance? The paired bootstrap (Efron and Tibshirani 1993, ch. 13).
//!
//! Both techniques are scored on the same pages. Pages are drawn with replacement, as many as there are, 10,000 times; the
//! interval holds the middle 95 % of the mean differences. It speaks of pages like those of the suite, and of no others. The
//! generator is SplitMix64 (Steele, Lea and Flood 2014) with a fixed seed, so that the same scores give the same interval.

/// How often pages are drawn anew.
pub const RESAMPLES: usize = 10_000;

/// How many resamples lie outside the interval on either side: 2.5 %.
const OUTSIDE: usize = RESAMPLES / 40;

const SEED: u64 = 0x756e_6368_6166_6621;

/// Differences smaller than this are ties: they come from rounding.
const TIE: f64 = 1e-9;

/// Two techniques on the same pages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Paired {
    /// The mean of the first less the mean of the second.
    pub difference: f64,
    /// The 95 % interval of the difference.
    pub interval: (f64, f64),
    /// Pages on which the first is better.
    pub wins: usize,
    /// Pages on which the second is better.
    pub losses: usize,
    /// Pages on which neither is.
    pub ties: usize,
}

impl Paired {
    /// Compares the scores of two techniques on the same pages; none without pages.
    #[must_use]
    pub fn compare(pairs: &[(f64, f64)]) -> Option<Paired> {
        let differences: Vec<f64> = pairs.iter().map(|(first, second)| first - second).collect();
        let pages = differences.len();
        if pages == 0 {
            return None;
        }
        let mut random = SplitMix64(SEED);
        let mut means: Vec<f64> =
            (0..RESAMPLES).map(|_| (0..pages).map(|_| differences[random.below(pages)]).sum::<f64>() / pages as f64).collect();
        means.sort_by(f64::total_cmp);
        let wins = differences.iter().filter(|difference| **difference > TIE).count();
        let losses = differences.iter().filter(|difference| **difference < -TIE).count();
        Some(Paired {
            difference: differences.iter().sum::<f64>() / pages as f64,
            interval: (means[OUTSIDE], means[RESAMPLES - 1 - OUTSIDE]),
            wins,
            losses,
            ties: pages - wins - losses,
        })
    }

    /// What the interval says, in a sentence.
    #[must_use]
    pub fn verdict(&self, first: &str, second: &str) -> String {
        match self.interval {
            (low, _) if low > 0.0 => format!("{first} is better than {second} on pages like these."),
            (_, high) if high < 0.0 => format!("{second} is better than {first} on pages like these."),
            _ => format!("These pages do not tell {first} and {second} apart."),
        }
    }
}

/// A share over all pages together, such as the segments whose kind was told, with its interval over pages: pages are drawn with all that is in them, because what is in one page is alike.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// How many were right, of all pages.
    pub right: usize,
    /// How many there are.
    pub all: usize,
    /// The 95 % interval of the share.
    pub interval: (f64, f64),
}

impl Share {
    /// The share of pages of which each has so many right of so many; none if there is nothing in them.
    #[must_use]
    pub fn of(pages: &[(usize, usize)]) -> Option<Share> {
        let sum =
            |pages: &mut dyn Iterator<Item = (usize, usize)>| pages.fold((0, 0), |sum, page| (sum.0 + page.0, sum.1 + page.1));
        let share = |(right, all): (usize, usize)| right as f64 / all.max(1) as f64;
        let (right, all) = sum(&mut pages.iter().copied());
        if all == 0 {
            return None;
        }
        let mut random = SplitMix64(SEED);
        let mut shares: Vec<f64> =
            (0..RESAMPLES).map(|_| share(sum(&mut (0..pages.len()).map(|_| pages[random.below(pages.len())])))).collect();
        shares.sort_by(f64::total_cmp);
        Some(Share { right, all, interval: (shares[OUTSIDE], shares[RESAMPLES - 1 - OUTSIDE]) })
    }

    /// The share itself.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.right as f64 / self.all as f64
    }
}

struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; with bounds far below 2^64 all are as likely.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_share_over_pages_is_as_sure_as_pages_agree() {
        let even = Share::of(&[(5, 10); 40]).unwrap();
        assert_eq!((even.right, even.all, even.value(), even.interval), (200, 400, 0.5, (0.5, 0.5)));
        let uneven = Share::of(&[[(10, 10), (0, 10)]; 20].concat()).unwrap();
        assert_eq!(uneven.value(), 0.5);
        assert!(uneven.interval.0 < 0.4 && uneven.interval.1 > 0.6, "{uneven:?}");
        assert_eq!((Share::of(&[]), Share::of(&[(0, 0)])), (None, None));
    }

    #[test]
    fn the_generator_gives_the_published_numbers() {
        // The first three outputs for seed 1234567 of the reference implementation in C.
        let mut random = SplitMix64(1_234_567);
        assert_eq!(
            [random.next(), random.next(), random.next()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn a_clear_difference_is_told_and_a_doubtful_one_is_not() {
        let clear: Vec<(f64, f64)> = (0..50).map(|at| (0.9, 0.7 + f64::from(at) * 0.001)).collect();
        let paired = Paired::compare(&clear).unwrap();
        assert_eq!((paired.wins, paired.losses, paired.ties), (50, 0, 0));
        assert!(paired.interval.0 > 0.16 && paired.interval.1 < 0.19, "{paired:?}");
        assert!(paired.verdict("a", "b").starts_with("a is better than b"));
        let doubtful = [(0.9, 0.8), (0.5, 0.7), (0.6, 0.6)];
        let paired = Paired::compare(&doubtful).unwrap();
        assert_eq!((paired.wins, paired.losses, paired.ties), (1, 1, 1));
        assert!(paired.interval.0 < 0.0 && paired.interval.1 > 0.0, "{paired:?}");
        assert!(paired.verdict("a", "b").contains("do not tell"));
        assert_eq!(Paired::compare(&[]), None);
    }

    #[test]
    fn the_interval_is_close_to_that_of_the_normal_distribution_on_many_pages() {
        let pairs: Vec<(f64, f64)> = (0..400).map(|at| (if at % 2 == 0 { 0.6 } else { 0.4 }, 0.5)).collect();
        let (low, high) = Paired::compare(&pairs).unwrap().interval;
        let expected = 1.96 * 0.1 / 20.0;
        assert!((low + expected).abs() < 0.001 && (high - expected).abs() < 0.001, "{low} {high}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn the_interval_is_ordered_lies_within_the_differences_and_turns_with_the_order(
            pairs in proptest::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 1..20)
        ) {
            let paired = Paired::compare(&pairs).unwrap();
            let turned = Paired::compare(&pairs.iter().map(|(a, b)| (*b, *a)).collect::<Vec<_>>()).unwrap();
            let differences = pairs.iter().map(|(a, b)| a - b);
            prop_assert!(paired.interval.0 <= paired.interval.1);
            prop_assert!(differences.clone().fold(f64::MAX, f64::min) <= paired.interval.0 + TIE);
            prop_assert!(differences.fold(f64::MIN, f64::max) >= paired.interval.1 - TIE);
            prop_assert!((paired.interval.0 + turned.interval.1).abs() < TIE);
            prop_assert_eq!((paired.wins, paired.losses), (turned.losses, turned.wins));
        }
    }
}
