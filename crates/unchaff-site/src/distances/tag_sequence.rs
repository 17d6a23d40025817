//! Longest common tag sequence (LCTS): what is left of both pages' tags when as few as possible are taken out.
//!
//! Thomas Gottron, 2008, §7.1.1: `1 − |lcts| / max(|D₁|, |D₂|)` over start and end tags. Computed 64 cells of the matrix at a time
//! (H. Hyyrö: Bit-Parallel LCS-length Computation Revisited, 2004), in space of one row, after what both pages have
//! in common at their start and end is taken off. It remains a product of both lengths, so that only the first tags of very
//! large pages are compared.

/// The length of the longest common subsequence.
#[must_use]
pub(crate) fn common_length(one: &[u16], other: &[u16]) -> usize {
    let start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[start..], &other[start..]);
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[..one.len() - end], &other[..other.len() - end]);
    start + end + bit_parallel(one, other)
}

fn bit_parallel(one: &[u16], other: &[u16]) -> usize {
    let words = one.len().div_ceil(64);
    if words == 0 || other.is_empty() {
        return 0;
    }
    let mut symbols = one.to_vec();
    symbols.sort_unstable();
    symbols.dedup();
    let mut places = vec![0u64; symbols.len() * words];
    for (at, symbol) in one.iter().enumerate() {
        if let Ok(row) = symbols.binary_search(symbol) {
            places[row * words + at / 64] |= 1 << (at % 64);
        }
    }
    // A zero marks a place where a longer subsequence begins.
    let mut column = vec![u64::MAX; words];
    for symbol in other {
        let Ok(row) = symbols.binary_search(symbol) else { continue };
        let mut carry = false;
        for (word, places) in column.iter_mut().zip(&places[row * words..]) {
            let matches = *word & places;
            let (sum, first) = word.overflowing_add(matches);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *word = sum | (*word & !places);
        }
    }
    let unused = words * 64 - one.len();
    let last = column[words - 1] | u64::MAX.checked_shl(64 - unused as u32).unwrap_or(0);
    let zeros = column[..words - 1].iter().map(|word| word.count_zeros()).sum::<u32>() + last.count_zeros();
    zeros as usize
}

/// The distance by the share of the longer sequence.
#[must_use]
pub(crate) fn distance(one: &[u16], other: &[u16]) -> f64 {
    let longer = one.len().max(other.len());
    if longer == 0 { 0.0 } else { 1.0 - common_length(one, other) as f64 / longer as f64 }
}

#[cfg(test)]
mod tests {
    use super::super::structure::tests::tree;
    use super::*;
    use proptest::prelude::*;

    /// Trees made by hand.
    #[test]
    fn distances_of_the_published_examples() {
        let sequence = |text: &str| tree(text).tag_sequence();
        let (one, other) = (sequence("html(body(div(p,p)))"), sequence("html(body(div(p,ul(li))))"));
        assert_eq!(common_length(&one, &other), 8);
        assert!((distance(&one, &other) - 1.0 / 3.0).abs() < 1e-12);
        let (a, b) = (sequence("html(body(div(h1,p,p),ul(li,li)))"), sequence("html(body(ul(li,li,li),div(h1,p)))"));
        assert_eq!(common_length(&a, &b), 10);
        assert!((distance(&a, &b) - 8.0 / 18.0).abs() < 1e-12);
        assert_eq!([distance(&[], &[]), distance(&[], &[1])], [0.0, 1.0]);
    }

    fn by_matrix(one: &[u16], other: &[u16]) -> usize {
        let mut row = vec![0; other.len() + 1];
        for a in one {
            let mut diagonal = 0;
            for (at, b) in other.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if a == b { diagonal + 1 } else { above.max(row[at]) };
                diagonal = above;
            }
        }
        row[other.len()]
    }

    proptest! {
        #[test]
        fn bits_agree_with_the_matrix(one in prop::collection::vec(0u16..5, 0..200), other in prop::collection::vec(0u16..5, 0..200)) {
            prop_assert_eq!(common_length(&one, &other), by_matrix(&one, &other));
            prop_assert_eq!(common_length(&other, &one), by_matrix(&one, &other));
        }
    }
}
