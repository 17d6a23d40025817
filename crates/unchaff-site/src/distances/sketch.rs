//! Sketches: a set by a few minima of hashes, from which the share of common members can be estimated.
//!
//! A. Broder: On the Resemblance and Containment of Documents, 1997; all minima from one pass as in P. Li, A. Owen, C.-H. Zhang: One Permutation
//! Hashing, 2012. Sets of which some minima agree are found without comparing all pairs: minima are taken together in bands,
//! and sets that agree in a band fall into one bucket (P. Indyk, R. Motwani: Approximate Nearest Neighbors, 1998). With few
//! minima a band, sets that have little in common still meet; the price is more pairs to look at.

use crate::learned::page_keys::mix;

/// How many minima stand for a page that is looked for among many.
pub(crate) const PLACES: usize = 128;

/// The share of pairs as similar as wanted that may fail to meet in any bucket.
const MOST_MISSED: f64 = 0.02;

/// A set by the least hash in each of a number of places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sketch<const N: usize = PLACES>([u32; N]);

impl<const N: usize> Sketch<N> {
    /// Each member falls into one of the places, where the least hash stays: one step a member, however often it occurs.
    #[must_use]
    pub fn of(members: impl IntoIterator<Item = u64>) -> Sketch<N> {
        let mut minima = [u32::MAX; N];
        for member in members {
            let hash = mix(member, 0x2545_f491_4f6c_dd1d);
            let place = &mut minima[(hash % N as u64) as usize];
            *place = (*place).min((hash >> 32) as u32);
        }
        Sketch(minima)
    }

    /// An estimate of the share of common members (Jaccard). Places that are empty on both sides say nothing.
    #[must_use]
    pub fn similarity(&self, other: &Sketch<N>) -> f64 {
        let pairs = self.0.iter().zip(other.0).filter(|(one, other)| **one != u32::MAX || *other != u32::MAX);
        let (same, all) = pairs.fold((0, 0), |(same, all), (one, other)| (same + u32::from(*one == other), all + 1));
        if all == 0 { 0.0 } else { f64::from(same) / f64::from(all) }
    }

    /// A key for each band that is not empty.
    fn bands(&self, rows: usize) -> impl Iterator<Item = u64> + '_ {
        let filled = |(_, band): &(usize, &[u32])| band.iter().any(|minimum| *minimum != u32::MAX);
        let bands = self.0.chunks_exact(rows).enumerate().filter(filled);
        bands.map(|(at, band)| band.iter().fold(at as u64, |key, minimum| mix(key, u64::from(*minimum))))
    }
}

/// How many minima a band needs so that sets with this share of common members meet almost always, and others seldom.
#[must_use]
pub(crate) fn rows_for(similarity: f64) -> usize {
    let missed = |rows: &i32| (1.0 - similarity.powi(*rows)).powi(PLACES as i32 / rows);
    [8, 4, 2].into_iter().find(|rows| missed(rows) <= MOST_MISSED).unwrap_or(1) as usize
}

/// Groups of sets that agree in a band, each group in ascending order, the groups in the order of their keys. A set without
/// members is in no group.
pub(crate) fn buckets<'s>(
    sketches: impl Iterator<Item = &'s Sketch>,
    rows: usize,
    mut visit: impl FnMut(&mut dyn Iterator<Item = usize>),
) {
    let keyed = sketches.enumerate().flat_map(|(set, sketch)| sketch.bands(rows).map(move |key| (key, set as u32)));
    let mut keyed: Vec<(u64, u32)> = keyed.collect();
    keyed.sort_unstable();
    for bucket in keyed.chunk_by(|one, other| one.0 == other.0).filter(|bucket| bucket.len() > 1) {
        visit(&mut bucket.iter().map(|(_, set)| *set as usize));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn members(from: u64, to: u64) -> impl Iterator<Item = u64> {
        (from..to).map(|member| mix(member, 7))
    }

    #[test]
    fn the_share_of_common_members_is_estimated() {
        let one: Sketch = Sketch::of(members(0, 600));
        for (other, share) in [(members(0, 600), 1.0), (members(300, 900), 1.0 / 3.0), (members(600, 1200), 0.0)] {
            assert!((one.similarity(&Sketch::of(other)) - share).abs() < 0.1, "{share}");
        }
        let empty: Sketch = Sketch::of([]);
        assert_eq!((empty.similarity(&empty), empty.bands(1).count()), (0.0, 0));
    }

    #[test]
    fn similar_sets_meet_in_a_bucket_and_others_hardly_ever() {
        // Families of ten sets with two thirds in common.
        let sets: Vec<Sketch> = (0..200)
            .map(|at| {
                Sketch::of(
                    members(at / 10 * 2000, at / 10 * 2000 + 500)
                        .chain(members(1_000_000 + at * 300, 1_000_000 + at * 300 + 120)),
                )
            })
            .collect();
        let rows = rows_for(0.5);
        assert_eq!(rows, 2);
        let mut pairs = std::collections::BTreeSet::new();
        buckets(sets.iter(), rows, |bucket| {
            let bucket: Vec<usize> = bucket.collect();
            pairs.extend(bucket.iter().flat_map(|a| bucket.iter().filter(move |b| a < b).map(move |b| (*a, *b))));
        });
        let (near, far): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(a, b)| a / 10 == b / 10);
        assert!(near.len() >= 20 * 45 - 9 && far.len() < 20, "{} {}", near.len(), far.len());
    }

    #[test]
    fn the_less_is_asked_for_the_shorter_the_bands() {
        assert_eq!([0.9, 0.6, 0.25, 0.08].map(rows_for), [8, 4, 2, 1]);
    }

    proptest! {
        #[test]
        fn order_and_repetition_do_not_matter(mut set in prop::collection::vec(any::<u64>(), 0..60)) {
            let sketch: Sketch<64> = Sketch::of(set.iter().copied());
            set.extend_from_within(..);
            set.reverse();
            prop_assert_eq!(sketch, Sketch::of(set));
        }
    }
}
