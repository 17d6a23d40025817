//! k-median: a given number of clusters, each around the page that is nearest to all of its others.
//!
//! Thomas Gottron, 2008, §7.1.2: k-means with the median document for a centre, since documents have no mean. It starts from a random
//! assignment and depends on it, finds compact clusters only, and has to be told how many there are. What the thesis leaves open: of
//! equal distances the first counts, and a cluster that has become empty gets the page that is farthest from its median.

use super::Clustering;
use crate::distances::matrix::DistanceMatrix;
use unchaff_page::parameters::{choice, parameters};

choice! {
    /// Where the search starts.
    pub enum Start {
        /// From clusters drawn at random for each page (as published): the first medians are all near the middle.
        Assignment = "assignment",
        /// From medians that are far apart, the first drawn at random.
        Spread = "spread",
    }
}

parameters! {
    /// How to search.
    pub struct KMedian {
        /// Where the search starts: from random clusters, or from medians far apart.
        pub start: Start = Start::Assignment,
        /// How often to search, from another start each time; the best result counts.
        pub repeats: usize = 10,
        /// After how many rounds a search ends that has not settled.
        pub rounds: usize = 100,
        /// What the random numbers start from.
        pub seed: u32 = 1,
    }
}

/// A number that looks random and follows from its place (splitmix64).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl KMedian {
    /// The clusters with the least sum of distances to their medians, and the medians.
    #[must_use]
    pub fn cluster(&self, matrix: &DistanceMatrix, clusters: usize) -> (Clustering, Vec<usize>) {
        let k = clusters.min(matrix.len());
        if k == 0 {
            return (Clustering::default(), Vec::new());
        }
        let mut state = u64::from(self.seed);
        let searches = (0..self.repeats.max(1)).map(|_| self.search(matrix, k, &mut state));
        let (_, medians) = searches.reduce(|best, next| if next.0 < best.0 { next } else { best }).unwrap_or_default();
        let clustering = Clustering::new((0..matrix.len()).map(|page| nearest(matrix, &medians, page)));
        let mut ordered = vec![0; clustering.len()];
        for (at, median) in medians.iter().enumerate() {
            if nearest(matrix, &medians, *median) == at {
                ordered[clustering.of(*median)] = *median;
            }
        }
        (clustering, ordered)
    }

    fn search(&self, matrix: &DistanceMatrix, k: usize, state: &mut u64) -> (f64, Vec<usize>) {
        let pages = matrix.len();
        let mut medians = Vec::with_capacity(k);
        let mut clusters: Vec<usize> = match self.start {
            Start::Assignment => (0..pages).map(|_| (random(state) % k as u64) as usize).collect(),
            Start::Spread => {
                medians.push((random(state) % pages as u64) as usize);
                let mut far: Vec<f32> = (0..pages).map(|page| matrix.at(page, medians[0])).collect();
                while medians.len() < k {
                    let next = farthest(&far);
                    medians.push(next);
                    far.iter_mut().enumerate().for_each(|(page, far)| *far = far.min(matrix.at(page, next)));
                }
                (0..pages).map(|page| nearest(matrix, &medians, page)).collect()
            }
        };
        for _ in 0..self.rounds.max(1) {
            medians = find_medians(matrix, &mut clusters, k);
            let next: Vec<usize> = (0..pages).map(|page| nearest(matrix, &medians, page)).collect();
            if next == clusters {
                break;
            }
            clusters = next;
        }
        let cost = (0..pages).map(|page| f64::from(matrix.at(page, medians[nearest(matrix, &medians, page)]))).sum();
        (cost, medians)
    }
}

/// The page with the largest value, of equals the first.
fn farthest(far: &[f32]) -> usize {
    let better = |best: (usize, f32), next: (usize, f32)| if next.1 > best.1 { next } else { best };
    far.iter().copied().enumerate().reduce(better).map_or(0, |(page, _)| page)
}

fn nearest(matrix: &DistanceMatrix, medians: &[usize], page: usize) -> usize {
    let distances = medians.iter().map(|median| matrix.at(page, *median)).enumerate();
    distances.reduce(|best, next| if next.1 < best.1 { next } else { best }).map_or(0, |(cluster, _)| cluster)
}

/// The median of every cluster.
fn find_medians(matrix: &DistanceMatrix, clusters: &mut [usize], k: usize) -> Vec<usize> {
    let mut members = vec![Vec::new(); k];
    clusters.iter().enumerate().for_each(|(page, cluster)| members[*cluster].push(page));
    let median = |members: &[usize]| super::medoid(members, |one, other| f64::from(matrix.at(one, other)));
    let mut medians: Vec<Option<usize>> = members.iter().map(|members| median(members)).collect();
    for cluster in 0..k {
        if medians[cluster].is_none() {
            let to_median = |page: usize| match medians[clusters[page]] {
                Some(median) if median != page => matrix.at(page, median),
                _ => -1.0,
            };
            let far: Vec<f32> = (0..clusters.len()).map(to_median).collect();
            let taken = farthest(&far);
            clusters[taken] = cluster;
            medians[cluster] = Some(taken);
        }
    }
    medians.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrix(points: &[f64]) -> DistanceMatrix {
        DistanceMatrix::new(points.len(), |one, other| (points[one] - points[other]).abs())
    }

    /// Gottron 2008, figure 7.5: two blobs with a thin chain between them are told apart, where single linkage merges them.
    #[test]
    fn compact_clusters_are_found_though_a_chain_joins_them() {
        let points = [0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.1, 1.4, 1.7, 2.0, 2.2, 2.3, 2.4, 2.5];
        for start in [Start::Assignment, Start::Spread] {
            let (clusters, medians) = KMedian { start, ..KMedian::default() }.cluster(&matrix(&points), 2);
            assert_eq!(clusters.members().iter().map(Vec::len).collect::<Vec<_>>(), [7, 7], "{start}");
            assert_eq!(medians, [3, 10], "{start}");
        }
    }

    #[test]
    fn more_clusters_than_pages_are_as_many_as_pages() {
        let (clusters, medians) = KMedian::default().cluster(&matrix(&[1.0, 5.0, 9.0]), 7);
        assert_eq!((clusters.len(), medians), (3, vec![0, 1, 2]));
        assert!(KMedian::default().cluster(&matrix(&[]), 3).0.is_empty());
        let (same, _) = KMedian::default().cluster(&matrix(&[2.0; 6]), 3);
        assert_eq!(same.pages(), 6, "equal pages cannot be told apart, but all have a cluster");
    }

    proptest! {
        #[test]
        fn every_page_is_with_its_nearest_median(points in prop::collection::vec(0.0f64..10.0, 1..30), k in 1usize..6, seed in any::<u32>()) {
            let matrix = matrix(&points);
            let how = KMedian { seed, repeats: 3, ..KMedian::default() };
            let (clusters, medians) = how.cluster(&matrix, k);
            prop_assert_eq!(clusters.len(), medians.len());
            for page in 0..points.len() {
                let own = matrix.at(page, medians[clusters.of(page)]);
                prop_assert!(medians.iter().all(|median| own <= matrix.at(page, *median)));
            }
            prop_assert_eq!(how.cluster(&matrix, k), (clusters, medians));
        }
    }
}
