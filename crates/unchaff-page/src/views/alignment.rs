//! Which words of one text stand for which of another: an alignment with as many pairs of equal words as there can be.
//!
//! A longest common subsequence itself, not only its length, in linear memory: D. S. Hirschberg, *A linear space algorithm for computing maximal common
//! subsequences* (CACM 18(6), 1975), over bit-parallel rows (`lcs.rs`). Texts so long that this would take seconds are cut first where words that occur
//! once in both follow each other in the same order (patience sorting); between two such cuts the alignment is exact, and a piece that is still
//! too long is left without pairs.

use super::lcs::rows;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

/// The most pairs of words that are compared at once: two texts of 60,000 words.
const MOST_PAIRS: u64 = 1 << 32;

/// How many pairs two sequences of these lengths make; the same where addresses are short.
fn pairs_of(one: usize, other: usize) -> u64 {
    (one as u64).saturating_mul(other as u64)
}

/// Pieces of both sequences that stand for each other.
pub type Pieces = Vec<(Range<usize>, Range<usize>)>;

/// For each item of the first sequence whether it has a partner in the second, the partners being in the same order.
#[must_use]
pub fn aligned<T: Eq + Hash>(one: &[T], other: &[T]) -> Vec<bool> {
    let mut pairs = vec![false; one.len()];
    let whole = pairs_of(one.len(), other.len()) <= MOST_PAIRS;
    let pieces = if whole { vec![(0..one.len(), 0..other.len())] } else { anchored_pieces(one, other) };
    // A stack, not a recursion: pieces are halved, and done from the left or the right alike.
    let mut open = pieces;
    while let Some((left, right)) = open.pop() {
        let (mut left, mut right) = (left, right);
        while !left.is_empty() && !right.is_empty() && one[left.start] == other[right.start] {
            pairs[left.start] = true;
            (left.start, right.start) = (left.start + 1, right.start + 1);
        }
        while !left.is_empty() && !right.is_empty() && one[left.end - 1] == other[right.end - 1] {
            pairs[left.end - 1] = true;
            (left.end, right.end) = (left.end - 1, right.end - 1);
        }
        if left.is_empty() || right.is_empty() || pairs_of(left.len(), right.len()) > MOST_PAIRS {
            continue;
        }
        if left.len() == 1 {
            pairs[left.start] = other[right].contains(&one[left.start]);
            continue;
        }
        let middle = left.start + left.len() / 2;
        let cut = best_cut(&one[left.start..middle], &one[middle..left.end], &other[right.clone()]);
        open.push((left.start..middle, right.start..right.start + cut));
        open.push((middle..left.end, right.start + cut..right.end));
    }
    gather(one, &mut pairs);
    pairs
}

/// How far a run of paired words is looked along to tell how long it is.
const RUN: usize = 32;

/// Of equal words that may have the partner, those that stand beside a run of words with partners that is no shorter: among alignments of the same length this is the one that a
/// reader would take.
fn gather<T: Eq>(one: &[T], pairs: &mut [bool]) {
    let after = |pairs: &[bool], at: usize| pairs[at..].iter().take(RUN).take_while(|pair| **pair).count();
    let before = |pairs: &[bool], at: usize| pairs[..=at].iter().rev().take(RUN).take_while(|pair| **pair).count();
    let mut last: Option<usize> = None;
    for at in 0..one.len() {
        if !pairs[at] {
            continue;
        }
        let mut place = at;
        if let Some(last) = last
            && last + 1 < at
            && one[last + 1] == one[at]
            && before(pairs, last) >= after(pairs, at)
        {
            pairs.swap(last + 1, at);
            place = last + 1;
        }
        last = Some(place);
    }
    let mut next: Option<usize> = None;
    for at in (0..one.len()).rev() {
        if !pairs[at] {
            continue;
        }
        let mut place = at;
        if let Some(next) = next
            && at + 1 < next
            && one[next - 1] == one[at]
            && after(pairs, next) >= before(pairs, at)
        {
            pairs.swap(next - 1, at);
            place = next - 1;
        }
        next = Some(place);
    }
}

/// Where to cut `other` so that its parts have most in common with the two halves of the first sequence.
fn best_cut<T: Eq + Hash>(first: &[T], second: &[T], other: &[T]) -> usize {
    let front = rows(other.iter(), first.iter());
    let back = rows(other.iter().rev(), second.iter().rev());
    let total = |cut: usize| front[cut] + back[other.len() - cut];
    (0..=other.len()).rev().max_by_key(|cut| total(*cut)).unwrap_or(0)
}

/// Both sequences cut at words that each has once and that stand in the same order; the words themselves start the pieces after them.
#[must_use]
pub fn anchored_pieces<T: Eq + Hash>(one: &[T], other: &[T]) -> Pieces {
    let mut seen: HashMap<&T, (usize, usize, usize)> = HashMap::new();
    for (at, item) in one.iter().enumerate() {
        let entry = seen.entry(item).or_insert((0, at, 0));
        entry.0 += 1;
    }
    let mut last: HashMap<&T, usize> = HashMap::new();
    for (at, item) in other.iter().enumerate() {
        if let Some(entry) = seen.get_mut(item) {
            entry.2 += 1;
            last.insert(item, at);
        }
    }
    let mut unique: Vec<(usize, usize)> = seen
        .iter()
        .filter(|(_, (left, _, right))| *left == 1 && *right == 1)
        .map(|(item, (_, at, _))| (*at, last[item]))
        .collect();
    unique.sort_unstable();
    let (mut from, mut pieces) = ((0, 0), Pieces::new());
    for (left, right) in increasing(&unique) {
        pieces.push((from.0..left, from.1..right));
        from = (left, right);
    }
    pieces.push((from.0..one.len(), from.1..other.len()));
    pieces
}

/// The longest part of pairs, ordered by the first, in which the second increases too.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // By length, where the shortest-ending sequence of that length ends; and before each pair, the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (at, (_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *second);
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut chain: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::super::lcs::lcs_length;
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn words_are_aligned_in_their_order() {
        let page = words("home about the cat sat on the mat login");
        let taken: Vec<&str> =
            page.iter().zip(aligned(&page, &words("the cat sat on the mat"))).filter(|pair| pair.1).map(|pair| *pair.0).collect();
        assert_eq!(taken.join(" "), "the cat sat on the mat");
        assert_eq!(aligned(&words("a b c"), &words("c b a")).iter().filter(|pair| **pair).count(), 1);
        assert!(aligned::<u8>(&[], &[1]).is_empty());
    }

    #[test]
    fn words_stay_with_their_neighbours() {
        let page = words("tea home green tea is good tea shop tea");
        let taken =
            |text: &str| aligned(&page, &words(text)).iter().map(|pair| if *pair { 'x' } else { '.' }).collect::<String>();
        assert_eq!(
            (taken("green tea is").as_str(), taken("tea is good").as_str(), taken("green tea is good tea").as_str()),
            ("..xxx....", "...xxx...", "..xxxxx..")
        );
    }

    #[test]
    fn pieces_between_unique_words_hold_everything() {
        let (one, other) = (words("x a x b x c"), words("y a y c y b"));
        let pieces = anchored_pieces(&one, &other);
        assert_eq!(pieces.iter().map(|(left, _)| left.len()).sum::<usize>(), one.len());
        assert_eq!(pieces.iter().map(|(_, right)| right.len()).sum::<usize>(), other.len());
        assert_eq!(pieces.len(), 3);
    }

    proptest! {
        #[test]
        fn as_many_pairs_as_the_longest_common_subsequence(one in prop::collection::vec(0u8..6, 0..120), other in prop::collection::vec(0u8..6, 0..120)) {
            let pairs = aligned(&one, &other);
            let taken: Vec<u8> = one.iter().zip(&pairs).filter(|pair| *pair.1).map(|pair| *pair.0).collect();
            prop_assert_eq!(taken.len(), lcs_length(&one, &other));
            prop_assert_eq!(lcs_length(&taken, &other), taken.len());
        }
    }
}
