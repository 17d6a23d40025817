//! The edit distance of two sequences of words: how many have to be put in, taken out or replaced.
//!
//! V. I. Levenshtein (1966); 64 rows of the table at a time by G. Myers, *A fast bit-vector algorithm for approximate string matching based on
//! dynamic programming* (JACM 46(3), 1999), in the form of H. Hyyrö, *Explaining and extending the bit-parallel approximate string
//! matching algorithm of Myers* (2001). Common ends are cut off before; that does not change the distance.
//!
//! A pair of texts of n and m words costs n·m/64 steps. Where that is more than [`MOST_STEPS`], the distance is taken of pieces of both texts, cut
//! where the same rare words follow each other ([`anchored_pieces`]), and the sum is an upper bound that is nearly always exact.

use std::collections::HashMap;
use std::hash::Hash;
use unchaff_page::views::alignment::anchored_pieces;

/// The most steps for a pair of texts: 300,000 words against as many take less than a second or two.
const MOST_STEPS: usize = 1 << 31;

/// The edit distance of two sequences: the least number of insertions, deletions and replacements that make one of the other. Of sequences so long
/// that it would take minutes it is an upper bound.
#[must_use]
pub fn edit_distance<T: Eq + Hash>(one: &[T], other: &[T]) -> usize {
    let front = one.iter().zip(other).take_while(|(left, right)| left == right).count();
    let (one, other) = (&one[front..], &other[front..]);
    let back = one.iter().rev().zip(other.iter().rev()).take_while(|(left, right)| left == right).count();
    let (one, other) = (&one[..one.len() - back], &other[..other.len() - back]);
    if one.len().div_ceil(64).saturating_mul(other.len()) <= MOST_STEPS {
        return middle(one, other);
    }
    let distance = |(left, right): (std::ops::Range<usize>, std::ops::Range<usize>)| match left
        .len()
        .div_ceil(64)
        .saturating_mul(right.len())
    {
        steps if steps <= MOST_STEPS => middle(&one[left], &other[right]),
        _ => left.len().max(right.len()),
    };
    anchored_pieces(one, other).into_iter().map(distance).sum()
}

/// The differences of 64 neighbouring rows in one column: where it grows, where it shrinks.
#[derive(Clone, Copy)]
struct Block {
    grows: u64,
    shrinks: u64,
}

fn middle<T: Eq + Hash>(one: &[T], other: &[T]) -> usize {
    if one.is_empty() || other.is_empty() {
        return one.len().max(other.len());
    }
    let mut places: HashMap<&T, Vec<(usize, u64)>> = HashMap::new();
    for (at, item) in one.iter().enumerate() {
        let found = places.entry(item).or_default();
        match found.last_mut() {
            Some((block, bits)) if *block == at / 64 => *bits |= 1 << (at % 64),
            _ => found.push((at / 64, 1 << (at % 64))),
        }
    }
    let mut blocks = vec![Block { grows: u64::MAX, shrinks: 0 }; one.len().div_ceil(64)];
    let last_bit = 1u64 << ((one.len() - 1) % 64);
    let mut distance = one.len();
    for item in other {
        let mut found = places.get(item).map_or(&[][..], Vec::as_slice);
        // The first row of the table grows by one in each column.
        let mut carry = 1i8;
        let last = blocks.len() - 1;
        for (at, block) in blocks.iter_mut().enumerate() {
            let mut equal = 0;
            if let [(first, bits), rest @ ..] = found
                && *first == at
            {
                (equal, found) = (*bits, rest);
            }
            let (next, [up, down]) = step(*block, equal, carry);
            *block = next;
            if at == last {
                distance += usize::from(up & last_bit != 0);
                distance -= usize::from(down & last_bit != 0);
            }
            carry = i8::from(up >> 63 != 0) - i8::from(down >> 63 != 0);
        }
    }
    distance
}

/// The next column of a block; `carry` is how the row above it changes. Also where rows grow and shrink from the last column to this one.
fn step(Block { grows, shrinks }: Block, equal: u64, carry: i8) -> (Block, [u64; 2]) {
    let vertical = equal | shrinks;
    let equal = equal | u64::from(carry < 0);
    let diagonal = (((equal & grows).wrapping_add(grows)) ^ grows) | equal;
    let up = shrinks | !(diagonal | grows);
    let down = grows & diagonal;
    let shifted_up = (up << 1) | u64::from(carry > 0);
    let shifted_down = (down << 1) | u64::from(carry < 0);
    (Block { grows: shifted_down | !(vertical | shifted_up), shrinks: shifted_up & vertical }, [up, down])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The table of every textbook.
    fn naive<T: Eq>(one: &[T], other: &[T]) -> usize {
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, left) in one.iter().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, right) in other.iter().enumerate() {
                let replaced = diagonal + usize::from(left != right);
                diagonal = row[j + 1];
                row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
            }
        }
        row[other.len()]
    }

    #[test]
    fn textbook_examples() {
        for (one, other, distance) in [
            ("kitten", "sitting", 3),
            ("saturday", "sunday", 3),
            ("", "abc", 3),
            ("abc", "", 3),
            ("", "", 0),
            ("ab", "ab", 0),
            ("flaw", "lawn", 2),
        ] {
            assert_eq!(edit_distance(one.as_bytes(), other.as_bytes()), distance, "{one} {other}");
        }
    }

    #[test]
    fn sequences_longer_than_a_block() {
        assert_eq!(edit_distance(&[1; 1000], &[1; 700]), 300);
        assert_eq!(edit_distance(&[1; 200], &[2; 150]), 200);
    }

    proptest! {
        #[test]
        fn equals_the_table(one in prop::collection::vec(0u8..4, 0..200), other in prop::collection::vec(0u8..4, 0..200)) {
            prop_assert_eq!(edit_distance(&one, &other), naive(&one, &other));
        }
    }
}
