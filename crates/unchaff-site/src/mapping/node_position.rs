//! Position: how well the places of two nodes among their siblings agree.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, §8.2.1,
//! Tables 8.1–8.3; earlier in his master thesis (2014), §3.2. If the other page has more siblings, any of several places may
//! be the counterpart of one: all between the same place counted from the left and from the right cost nothing, every step
//! outside costs one part of the siblings. The printed Table 8.2 is shifted by a column; that reading can be had too.

use unchaff_page::parameters::choice;

choice! {
    /// Which places may be the counterpart of one.
    pub enum PositionFormula {
        /// All between the same place from the left and the same from the right.
        Interval = "interval",
        /// These two only.
        MinEnd = "min-end",
        /// As printed in Table 8.2, whose first column stands there twice.
        Printed = "printed",
    }
}

choice! {
    /// How many steps are the whole way.
    pub enum PositionDenominator {
        /// As many as the key page has siblings (the tables of the thesis).
        KeySide = "key-side",
        /// As many as the page with fewer siblings has (the master thesis and the release).
        Smaller = "smaller",
    }
}

/// A reading of the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) formula: PositionFormula,
    pub(crate) denominator: PositionDenominator,
    /// Whether siblings are counted from the right.
    pub(crate) mirrored: bool,
}

impl Position {
    /// The first and last counterpart, among `q` siblings, of place `x` among `p`.
    pub(crate) fn counterparts(&self, p: i64, q: i64, x: i64) -> (i64, i64) {
        if self.mirrored {
            let (first, last) = Position { mirrored: false, ..*self }.counterparts(p, q, p - 1 - x);
            return (q - 1 - last, q - 1 - first);
        }
        let x = if self.formula == PositionFormula::Printed && p > q { (x - (p - q)).max(0) } else { x };
        (x.min(x + q - p), x.max(x + q - p))
    }

    /// How well place `y` among `q` siblings agrees with these counterparts of a place among `p`.
    pub(crate) fn value(&self, p: i64, q: i64, (first, last): (i64, i64), y: i64) -> f64 {
        let distance = match self.formula {
            PositionFormula::MinEnd => (y - first).abs().min((y - last).abs()),
            _ => (first - y).max(y - last).max(0),
        };
        self.share(p, q, (p.min(q) - distance).max(0))
    }

    /// The best value there can be.
    pub(crate) fn best(&self, p: i64, q: i64) -> f64 {
        self.share(p, q, p.min(q))
    }

    fn share(&self, p: i64, q: i64, part: i64) -> f64 {
        let whole = match self.denominator {
            PositionDenominator::KeySide => p,
            PositionDenominator::Smaller => p.min(q),
        };
        if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn position(formula: PositionFormula, denominator: PositionDenominator, p: i64, q: i64, x: i64, y: i64) -> f64 {
        let position = Position { formula, denominator, mirrored: false };
        position.value(p, q, position.counterparts(p, q, x), y)
    }

    fn table(formula: PositionFormula, denominator: PositionDenominator, p: i64, q: i64) -> Vec<Vec<f64>> {
        let rounded = |value: f64| (value * 1e9).round() / 1e9;
        (0..q).map(|y| (0..p).map(|x| rounded(position(formula, denominator, p, q, x, y))).collect()).collect()
    }

    /// Alarte 2023, Tables 8.1 to 8.3.
    #[test]
    fn values_of_the_published_tables() {
        use PositionDenominator::KeySide;
        use PositionFormula::{Interval, Printed};
        let same = [
            [1.0, 0.8, 0.6, 0.4, 0.2],
            [0.8, 1.0, 0.8, 0.6, 0.4],
            [0.6, 0.8, 1.0, 0.8, 0.6],
            [0.4, 0.6, 0.8, 1.0, 0.8],
            [0.2, 0.4, 0.6, 0.8, 1.0],
        ];
        assert_eq!(table(Interval, KeySide, 5, 5), same);
        let fewer = [[0.8, 0.8, 0.6, 0.4, 0.2], [0.6, 0.8, 0.8, 0.6, 0.4], [0.4, 0.6, 0.8, 0.8, 0.6], [0.2, 0.4, 0.6, 0.8, 0.8]];
        assert_eq!(table(Interval, KeySide, 5, 4), fewer);
        let printed =
            [[0.8, 0.8, 0.8, 0.6, 0.4], [0.6, 0.6, 0.8, 0.8, 0.6], [0.4, 0.4, 0.6, 0.8, 0.8], [0.2, 0.2, 0.4, 0.6, 0.8]];
        assert_eq!(table(Printed, KeySide, 5, 4), printed);
        let more = [
            [1.0, 0.75, 0.5, 0.25],
            [1.0, 1.0, 0.75, 0.5],
            [0.75, 1.0, 1.0, 0.75],
            [0.5, 0.75, 1.0, 1.0],
            [0.25, 0.5, 0.75, 1.0],
        ];
        assert_eq!(table(Interval, KeySide, 4, 5), more);
    }

    /// The formula of the master thesis; Table 8.2 of the doctoral thesis never exceeds 0.8.
    #[test]
    fn with_the_smaller_count_a_perfect_place_is_worth_one_on_either_side() {
        use PositionDenominator::Smaller;
        let fewer =
            [[1.0, 1.0, 0.75, 0.5, 0.25], [0.75, 1.0, 1.0, 0.75, 0.5], [0.5, 0.75, 1.0, 1.0, 0.75], [0.25, 0.5, 0.75, 1.0, 1.0]];
        assert_eq!(table(PositionFormula::Interval, Smaller, 5, 4), fewer);
        // Examples 3.2.3 and 3.2.4 of the master thesis.
        for y in 0..9 {
            let value = |p, x| position(PositionFormula::Interval, Smaller, p, 9, x, y);
            assert_eq!(value(4, 3) == 1.0, (3..=8).contains(&y), "{y}");
            assert_eq!(value(5, 3) == 1.0, (3..=7).contains(&y), "{y}");
        }
    }

    proptest! {
        #[test]
        fn it_is_the_same_from_the_right_and_never_out_of_bounds(p in 1i64..9, q in 1i64..9, x in 0i64..9, y in 0i64..9) {
            let (x, y) = (x % p, y % q);
            for formula in [PositionFormula::Interval, PositionFormula::MinEnd] {
                let plain = Position { formula, denominator: PositionDenominator::KeySide, mirrored: false };
                let mirrored = Position { mirrored: true, ..plain };
                let value = plain.value(p, q, plain.counterparts(p, q, x), y);
                prop_assert_eq!(value, mirrored.value(p, q, mirrored.counterparts(p, q, x), y));
                prop_assert!((0.0..=plain.best(p, q)).contains(&value));
                prop_assert!(formula == PositionFormula::MinEnd || value >= 1.0 / p as f64 - 1e-12);
                // The two formulas differ only where the counts do by more than one.
                if (p - q).abs() <= 1 {
                    prop_assert_eq!(value, position(PositionFormula::Interval, PositionDenominator::KeySide, p, q, x, y));
                }
            }
        }
    }
}
