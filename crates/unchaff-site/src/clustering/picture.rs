//! How far pages are apart, for a person to look at: a picture of the matrix of distances, and how often each distance occurs.
//!
//! Thomas Gottron, 2008, §7.1.3: pages in the order of their clusters show templates as dark squares along the diagonal, and
//! the histogram of all distances has two hills with a gap between them, distances within templates and between them. A cut belongs into the gap.
//! Nothing is decided by either.

use super::Clustering;
use super::page_clusters::spread_evenly;
use super::single_linkage::Dendrogram;
use unchaff_dom::order::InOrder;

/// How many pages a picture has at most.
const SHOWN: usize = 96;
/// How many bars a histogram has.
pub const BARS: usize = 40;

/// A picture of distances.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DistancePicture {
    /// The pages shown, the largest cluster first.
    pub pages: Vec<usize>,
    /// The distance of each of them to each, row by row.
    pub distances: Vec<f32>,
    /// How many pairs of one cluster, and of two, are so far apart: equal steps from 0 to 1.
    pub bars: Vec<[u32; 2]>,
    /// Of how many pages these are.
    pub counted: usize,
}

impl DistancePicture {
    /// A picture of clustered pages; distances are counted of all pairs if there are few, else of those shown.
    pub(super) fn of(clusters: &Clustering, distance: impl Fn(usize, usize) -> f64, counts_all: bool) -> DistancePicture {
        let mut members = clusters.members();
        members.order_by_key(|members| std::cmp::Reverse(members.len()));
        let order: Vec<usize> = members.into_iter().flatten().collect();
        let pages: Vec<usize> = spread_evenly(order.len(), SHOWN).into_iter().map(|at| order[at]).collect();
        let mut distances = Vec::with_capacity(pages.len() * pages.len());
        for (row, one) in pages.iter().enumerate() {
            for (column, other) in pages.iter().enumerate() {
                let far = match column.cmp(&row) {
                    std::cmp::Ordering::Less => distances[column * pages.len() + row],
                    std::cmp::Ordering::Equal => 0.0,
                    std::cmp::Ordering::Greater => distance(*one, *other) as f32,
                };
                distances.push(far);
            }
        }
        let mut bars = vec![[0; 2]; BARS];
        let mut count = |one: usize, other: usize, far: f32| {
            let bar = ((far * BARS as f32) as usize).min(BARS - 1);
            bars[bar][usize::from(clusters.of(one) != clusters.of(other))] += 1;
        };
        let counted = if counts_all { clusters.pages() } else { pages.len() };
        for one in 0..counted {
            for other in 0..one {
                if counts_all {
                    count(one, other, distance(one, other) as f32);
                } else {
                    count(pages[one], pages[other], distances[one * pages.len() + other]);
                }
            }
        }
        DistancePicture { pages, distances, bars, counted }
    }
}

/// An interval of distances at which no two clusters meet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gap {
    /// Where it begins: the distance of the last merge before it.
    pub from: f64,
    /// Where it ends: that of the next.
    pub to: f64,
    /// How many clusters a cut within it makes.
    pub clusters: usize,
}

impl Dendrogram {
    /// The gap in which a distance lies.
    #[must_use]
    pub fn gap_at(&self, distance: f64) -> Gap {
        self.gap_after(self.merges.partition_point(|merge| f64::from(merge.distance) <= distance))
    }

    /// The widest gap between two merges that leaves more than one cluster; none if there are no two merges.
    #[must_use]
    pub fn widest_gap(&self) -> Option<Gap> {
        let gaps = (1..self.merges.len()).map(|merges| self.gap_after(merges));
        gaps.reduce(|best, next| if next.to - next.from > best.to - best.from { next } else { best })
    }

    fn gap_after(&self, merges: usize) -> Gap {
        let at = |merge: usize| self.merges.get(merge).map(|merge| f64::from(merge.distance));
        let from = merges.checked_sub(1).and_then(at).unwrap_or(0.0);
        Gap {
            from,
            to: at(merges).unwrap_or(1.0),
            clusters: self.len().saturating_sub(merges).max(usize::from(!self.is_empty())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points made by hand: two groups, 0.1 apart within, 0.5 between.
    const POINTS: [f64; 5] = [0.0, 0.6, 0.1, 0.7, 0.8];

    fn far(one: usize, other: usize) -> f64 {
        (POINTS[one] - POINTS[other]).abs()
    }

    #[test]
    fn pages_stand_by_cluster_and_each_pair_is_counted_once() {
        let picture = DistancePicture::of(&Clustering::new([0, 1, 0, 1, 1]), far, true);
        assert_eq!(picture.pages, [1, 3, 4, 0, 2], "the larger cluster first");
        assert_eq!((picture.distances[0], picture.distances[3]), (0.0, 0.6), "a page and itself; the first of both clusters");
        assert!((0..25).all(|at| picture.distances[at] == picture.distances[at % 5 * 5 + at / 5]));
        let sums = picture.bars.iter().fold([0, 0], |sum, bar| [sum[0] + bar[0], sum[1] + bar[1]]);
        assert_eq!((sums, picture.counted), ([4, 6], 5));
        assert_eq!(picture.bars, DistancePicture::of(&Clustering::new([0, 1, 0, 1, 1]), far, false).bars);
    }

    #[test]
    fn the_widest_gap_is_between_the_groups() {
        let tree = Dendrogram::new(5, |one, other| far(one, other) as f32);
        let gap = tree.widest_gap().unwrap();
        assert!((gap.from - 0.1).abs() < 1e-6 && (gap.to - 0.5).abs() < 1e-6 && gap.clusters == 2, "{gap:?}");
        assert_eq!(tree.gap_at(0.3), gap);
        assert_eq!(tree.gap_at(0.9), Gap { from: f64::from(0.5_f32), to: 1.0, clusters: 1 });
        assert_eq!(Dendrogram::new(0, |_, _| 0.0).gap_at(0.5).clusters, 0);
        assert_eq!(Dendrogram::new(2, |_, _| 0.5).widest_gap(), None);
    }

    #[test]
    fn of_many_pages_some_are_shown() {
        let clusters = Clustering::new((0..500).map(|at| at % 4));
        let picture = DistancePicture::of(&clusters, |one, other| if one % 4 == other % 4 { 0.1 } else { 0.9 }, false);
        assert_eq!((picture.pages.len(), picture.distances.len(), picture.counted), (SHOWN, SHOWN * SHOWN, SHOWN));
        assert!(DistancePicture::of(&Clustering::default(), |_, _| 0.0, true).pages.is_empty());
    }
}
