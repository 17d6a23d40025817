//! Logarithms of small counts, which facts about elements are full of: looked up, and the same as computed.

use std::sync::LazyLock;

const KNOWN: usize = 256;

static LN: LazyLock<[f32; KNOWN]> = LazyLock::new(|| std::array::from_fn(|number| (number as f32).ln()));
static LN_1P: LazyLock<[f32; KNOWN]> = LazyLock::new(|| std::array::from_fn(|number| (number as f32).ln_1p()));

/// The logarithm of a count.
#[must_use]
#[inline]
pub fn ln(number: u32) -> f32 {
    LN.get(number as usize).copied().unwrap_or_else(|| (number as f32).ln())
}

/// The logarithm of a count and one.
#[must_use]
#[inline]
pub fn ln_1p(number: u32) -> f32 {
    LN_1P.get(number as usize).copied().unwrap_or_else(|| (number as f32).ln_1p())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_is_computed() {
        for number in [0, 1, 2, 99, 255, 256, 257, 100_000] {
            assert_eq!((ln(number), ln_1p(number)), ((number as f32).ln(), (number as f32).ln_1p()));
        }
    }
}
