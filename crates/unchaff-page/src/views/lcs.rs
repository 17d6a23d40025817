//! The length of the longest common subsequence, 64 positions at a time.
//!
//! Hyyrö, *Bit-parallel LCS-length computation revisited* (AWOCA 2004), after Crochemore et al. (2001): one bit for each
//! item of the first sequence says whether the row of the usual table does *not* grow there, and a row follows from the one
//! before by an addition. Here the masks of an item are kept as a list of the words that have a bit set, so that memory is
//! linear whatever the number of different items, and a row costs only the words in which the item occurs, and those that
//! the addition carries into. Common ends are cut off before; that does not change the rest.

use std::collections::HashMap;
use std::hash::Hash;

/// The length of the longest common subsequence of two sequences.
#[must_use]
pub fn lcs_length<T: Eq + Hash>(one: &[T], other: &[T]) -> usize {
    let front = one.iter().zip(other).take_while(|(left, right)| left == right).count();
    let (one, other) = (&one[front..], &other[front..]);
    let back = one.iter().rev().zip(other.iter().rev()).take_while(|(left, right)| left == right).count();
    front + back + middle(&one[..one.len() - back], &other[..other.len() - back])
}

/// Where an item occurs: the words of the row, and the bits in each.
type Occurrences = Vec<(usize, u64)>;

fn middle<T: Eq + Hash>(one: &[T], other: &[T]) -> usize {
    // Bits beyond the last item are in no mask, so they stay set.
    last_row(one.iter(), other.iter()).iter().map(|word| word.count_zeros() as usize).sum()
}

/// For each length of a start of the first sequence, how long the longest subsequence is that it has in common with all of the second.
pub(super) fn rows<'t, T: Eq + Hash + 't>(
    one: impl ExactSizeIterator<Item = &'t T>,
    other: impl Iterator<Item = &'t T>,
) -> Vec<usize> {
    let length = one.len();
    let row = last_row(one, other);
    let mut common = 0;
    let grown = (0..length).map(|at| {
        common += usize::from(row[at / 64] & 1 << (at % 64) == 0);
        common
    });
    std::iter::once(0).chain(grown).collect()
}

fn last_row<'t, T: Eq + Hash + 't>(one: impl ExactSizeIterator<Item = &'t T>, other: impl Iterator<Item = &'t T>) -> Vec<u64> {
    let length = one.len();
    let mut places: HashMap<&T, Occurrences> = HashMap::new();
    for (at, item) in one.enumerate() {
        let occurrences = places.entry(item).or_default();
        match occurrences.last_mut() {
            Some((word, bits)) if *word == at / 64 => *bits |= 1 << (at % 64),
            _ => occurrences.push((at / 64, 1 << (at % 64))),
        }
    }
    let mut row = vec![u64::MAX; length.div_ceil(64)];
    for item in other {
        if let Some(occurrences) = places.get(item) {
            step(&mut row, occurrences);
        }
    }
    row
}

/// The next row: `(row + (row & mask)) | (row & !mask)`, over all words.
fn step(row: &mut [u64], occurrences: &[(usize, u64)]) {
    let mut carry_into = usize::MAX;
    for (at, mask) in occurrences {
        // A word without the item changes only by the carry, which goes on as long as all bits of a word are set.
        while carry_into < *at {
            carry_into = carry(row, carry_into);
        }
        let word = row[*at];
        let (sum, over) = word.overflowing_add(word & mask);
        let (sum, over_again) = sum.overflowing_add(u64::from(carry_into == *at));
        row[*at] = sum | (word & !mask);
        carry_into = if over || over_again { at + 1 } else { usize::MAX };
    }
    while carry_into < row.len() {
        carry_into = carry(row, carry_into);
    }
}

/// Carries into a word that has no bit of the mask; says which word is next.
fn carry(row: &mut [u64], at: usize) -> usize {
    let (sum, over) = row[at].overflowing_add(1);
    row[at] |= sum;
    if over { at + 1 } else { usize::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The table of every textbook.
    fn naive(one: &[u8], other: &[u8]) -> usize {
        let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
        for (i, left) in one.iter().enumerate() {
            for (j, right) in other.iter().enumerate() {
                table[i + 1][j + 1] = if left == right { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[one.len()][other.len()]
    }

    #[test]
    fn textbook_example() {
        // The first is that of Cormen et al., Introduction to Algorithms (3rd edition, 15.4).
        assert_eq!(lcs_length(b"ABCBDAB", b"BDCABA"), 4);
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        assert_eq!(lcs_length(&words("the cat sat down"), &words("a cat sat on the mat")), 2);
        assert_eq!(lcs_length::<u8>(&[], &[]), 0);
        assert_eq!(lcs_length(b"a", b""), 0);
    }

    #[test]
    fn long_sequences_of_one_item_carry_over_words() {
        assert_eq!(lcs_length(&[1; 1000], &[1; 700]), 700);
        let mut one = vec![1; 500];
        one[0] = 2;
        let mut other = vec![1; 300];
        other[299] = 3;
        assert_eq!(lcs_length(&one, &other), 299);
    }

    proptest! {
        #[test]
        fn equals_the_table(one in prop::collection::vec(0u8..5, 0..300), other in prop::collection::vec(0u8..5, 0..300)) {
            prop_assert_eq!(lcs_length(&one, &other), naive(&one, &other));
        }

        #[test]
        fn equals_the_table_with_many_different_items(one in prop::collection::vec(any::<u8>(), 0..300), other in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert_eq!(lcs_length(&one, &other), naive(&one, &other));
        }
    }
}
