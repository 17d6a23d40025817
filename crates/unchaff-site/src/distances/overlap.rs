//! How much two sets have in common, which is what most structural distances come down to.
//!
//! Thomas Gottron, 2008, §7.1.1: distance `1 − |A ∩ B| / max(|A|, |B|)`, of sets of paths or of shingles. Two empty sets are
//! equal, an empty and another one have nothing in common. Bags are sets here too: the second occurrence of a member
//! is a member of its own ([`bag`]), so that the smaller of two counts is a plain intersection.

use crate::learned::page_keys::mix;

/// A sorted set of what may occur several times.
#[must_use]
pub(crate) fn set(mut members: Vec<u64>) -> Vec<u64> {
    members.sort_unstable();
    members.dedup();
    members.shrink_to_fit();
    members
}

/// A sorted set in which the n-th occurrence of a member differs from the first.
#[must_use]
pub(crate) fn bag(mut members: Vec<u64>) -> Vec<u64> {
    members.sort_unstable();
    let mut last = (0, 0u64);
    for member in &mut members {
        last = (*member, if *member == last.0 { last.1 + 1 } else { 0 });
        if last.1 > 0 {
            *member = mix(*member, last.1);
        }
    }
    set(members)
}

/// How many members two sorted sets have in common.
#[must_use]
pub(crate) fn common(one: &[u64], other: &[u64]) -> usize {
    let (mut left, mut right, mut common) = (0, 0, 0);
    // No branch depends on the members, which are hashes and cannot be foreseen.
    while left < one.len() && right < other.len() {
        let (mine, theirs) = (one[left], other[right]);
        left += usize::from(mine <= theirs);
        right += usize::from(theirs <= mine);
        common += usize::from(mine == theirs);
    }
    common
}

/// The distance by the share of the larger set.
#[must_use]
pub(crate) fn overlap_distance(one: &[u64], other: &[u64]) -> f64 {
    share_missing(common(one, other), one.len().max(other.len()))
}

/// The distance by the share of the union (Jaccard).
#[must_use]
pub(crate) fn union_distance(one: &[u64], other: &[u64]) -> f64 {
    let common = common(one, other);
    share_missing(common, one.len() + other.len() - common)
}

fn share_missing(common: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { 1.0 - common as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_sets_are_equal_and_far_from_all_others() {
        assert_eq!([overlap_distance(&[], &[]), overlap_distance(&[], &[1]), union_distance(&[], &[])], [0.0, 1.0, 0.0]);
        assert_eq!([overlap_distance(&[1, 2, 3], &[2, 3]), union_distance(&[1, 2], &[2, 3])], [1.0 - 2.0 / 3.0, 1.0 - 1.0 / 3.0]);
    }

    #[test]
    fn a_bag_counts_what_a_set_does_not() {
        let (few, many) = (vec![7, 7, 9], vec![7, 9, 7, 7]);
        assert_eq!(common(&set(few.clone()), &set(many.clone())), 2);
        assert_eq!(common(&bag(few), &bag(many)), 3);
    }
}
