//! Tag frequency distribution analysis (TFDA): how the shares of the tags differ.
//!
//! I. Cruz, S. Borisov, M. Marks, T. Webb: Measuring Structural Similarity Among Web Documents, 1998; Gottron, 2008, §3.5. With
//! `F` the percentage of a tag among all tags of a page, the distance is the sum of `(F₁ − F₂)² · w` over the tags. The weights are
//! not published; they are equal here, over the tags that one of the pages has, and sum up to one. The limit of 10,000
//! is reached only by two pages of one tag each, if all weight is on these: distances are small numbers.

use super::tag_vector::pairs;

/// The distance as published, 0 to 10,000.
#[must_use]
pub(crate) fn squared_difference(one: &[(u16, u32)], other: &[(u16, u32)]) -> f64 {
    let total = |counts: &[(u16, u32)]| counts.iter().map(|pair| f64::from(pair.1)).sum::<f64>().max(1.0);
    let (ours, theirs) = (total(one), total(other));
    let (sum, kinds) = pairs(one, other).fold((0.0, 0.0), |(sum, kinds), (here, there)| {
        let difference = 100.0 * f64::from(here) / ours - 100.0 * f64::from(there) / theirs;
        (sum + difference * difference, kinds + 1.0)
    });
    if kinds == 0.0 { 0.0 } else { sum / kinds }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples of ours.
    #[test]
    fn distances_of_the_published_examples() {
        let (p, div, a, b) = (1, 2, 3, 4);
        assert_eq!(squared_difference(&[(p, 50), (div, 30), (a, 20)], &[(p, 40), (div, 30), (b, 30)]), 350.0);
        assert_eq!(squared_difference(&[(p, 1)], &[(b, 1)]), 10_000.0);
        assert_eq!(squared_difference(&[(p, 5), (b, 5)], &[(p, 1), (b, 1)]), 0.0, "shares, not counts");
        assert_eq!(squared_difference(&[], &[]), 0.0);
    }
}
