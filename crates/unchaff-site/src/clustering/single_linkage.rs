//! Single linkage: the two nearest clusters are merged again and again, where near means their two nearest pages are.
//!
//! Thomas Gottron, 2008, §7.1.2, who finds templates without error with it: clusters may have any shape. The merges in their order are the
//! edges of a minimum spanning tree, which is grown from one page (R. Prim: Shortest Connection Networks, 1957): each distance
//! is asked once, and nothing is kept but a line for each page. A cut at a distance gives the connected components of the
//! pages that are as near as that.

use super::Clustering;
use crate::parallel;
use crate::text::connected_components::Components;

/// Two pages whose clusters are merged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Merge {
    /// A page of the one.
    pub one: u32,
    /// A page of the other.
    pub other: u32,
    /// How far they are apart.
    pub distance: f32,
}

/// All merges from single pages to one cluster, the nearest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Dendrogram {
    pages: usize,
    /// The merges in their order.
    pub merges: Vec<Merge>,
}

/// How many distances are worth a thread of their own.
const ROW_PART: usize = 256;

impl Dendrogram {
    /// The merges of so many pages by a distance.
    #[must_use]
    pub fn new(pages: usize, distance: impl Fn(usize, usize) -> f32 + Sync) -> Dendrogram {
        // Pages outside of the tree, with the nearest page inside.
        let mut outside: Vec<Merge> = (1..pages as u32).map(|other| Merge { one: 0, other, distance: f32::INFINITY }).collect();
        let mut merges = Vec::with_capacity(outside.len());
        let mut last = 0u32;
        while !outside.is_empty() {
            parallel::for_each(&mut outside, ROW_PART, |_, edge: &mut Merge| {
                let distance = distance(last as usize, edge.other as usize);
                if distance < edge.distance {
                    (edge.one, edge.distance) = (last, distance);
                }
            });
            let nearer = |one: &(usize, &Merge), other: &(usize, &Merge)| {
                one.1.distance.total_cmp(&other.1.distance).then(one.1.other.cmp(&other.1.other))
            };
            let Some((at, _)) = outside.iter().enumerate().min_by(nearer) else { break };
            let edge = outside.swap_remove(at);
            last = edge.other;
            merges.push(Merge { one: edge.one.min(edge.other), other: edge.one.max(edge.other), distance: edge.distance });
        }
        merges.sort_by(|a, b| a.distance.total_cmp(&b.distance).then((a.one, a.other).cmp(&(b.one, b.other))));
        Dendrogram { pages, merges }
    }

    /// How many pages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages
    }

    /// Whether there is no page.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages == 0
    }

    fn after(&self, merges: usize) -> Clustering {
        let mut sets = Components::new(self.pages);
        for merge in &self.merges[..merges] {
            sets.join(merge.one as usize, merge.other as usize);
        }
        Clustering::new((0..self.pages).map(|page| sets.first(page)))
    }

    /// So many clusters: the last merges are undone.
    #[must_use]
    pub fn cut_to(&self, clusters: usize) -> Clustering {
        self.after(self.pages.saturating_sub(clusters.max(1)))
    }

    /// Clusters that are farther apart than this.
    #[must_use]
    pub fn cut_at(&self, distance: f64) -> Clustering {
        self.after(self.merges.partition_point(|merge| f64::from(merge.distance) <= distance))
    }

    /// The merges between clusters of a cut, as a dendrogram of the clusters.
    #[must_use]
    pub fn above(&self, cut: &Clustering) -> Dendrogram {
        let number = |page: u32| cut.of(page as usize) as u32;
        let between = self.merges.iter().map(|merge| Merge { one: number(merge.one), other: number(merge.other), ..*merge });
        Dendrogram { pages: cut.len(), merges: between.filter(|merge| merge.one != merge.other).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distances::matrix::DistanceMatrix;
    use proptest::prelude::*;

    fn on_a_line(points: &[f32]) -> Dendrogram {
        Dendrogram::new(points.len(), |one, other| (points[one] - points[other]).abs())
    }

    /// Points made by hand.
    #[test]
    fn points_on_a_line_merge_as_published() {
        let dendrogram = on_a_line(&[0.0, 1.0, 3.0, 7.0]);
        assert_eq!(dendrogram.merges.iter().map(|merge| merge.distance).collect::<Vec<_>>(), [1.0, 2.0, 4.0]);
        let numbers = |clustering: Clustering| (0..4).map(|page| clustering.of(page)).collect::<Vec<_>>();
        assert_eq!(numbers(dendrogram.cut_to(2)), [0, 0, 0, 1]);
        assert_eq!(numbers(dendrogram.cut_to(3)), [0, 0, 1, 2]);
        assert_eq!(numbers(dendrogram.cut_at(2.5)), [0, 0, 0, 1]);
        assert_eq!(numbers(dendrogram.cut_at(2.0)), [0, 0, 0, 1], "a distance as large as the threshold still joins");
        assert_eq!((dendrogram.cut_to(0).len(), dendrogram.cut_to(9).len()), (1, 4));
    }

    /// Gottron 2008, figure 7.3: undoing the last two of seven merges leaves {A,B,C}, {D,E}, {F,G,H}.
    #[test]
    fn eight_items_fall_into_three_clusters_when_two_merges_are_undone() {
        let dendrogram = on_a_line(&[0.0, 1.0, 2.1, 7.0, 8.2, 14.0, 15.3, 16.7]);
        assert_eq!(dendrogram.merges.len(), 7);
        let clusters = dendrogram.cut_to(3).members();
        assert_eq!(clusters, [vec![0, 1, 2], vec![3, 4], vec![5, 6, 7]]);
        let above = dendrogram.above(&dendrogram.cut_to(3));
        assert_eq!((above.len(), above.merges.len()), (3, 2));
    }

    /// Gottron 2008, figures 7.4 and 7.5: a ring around a blob is one cluster, a chain joins two blobs.
    #[test]
    fn clusters_may_have_any_shape() {
        let ring = (0..40).map(|at| (f32::sin(at as f32 * 0.157) * 10.0, f32::cos(at as f32 * 0.157) * 10.0));
        let blob = (0..10).map(|at| (at as f32 * 0.1, 0.0));
        let points: Vec<(f32, f32)> = ring.chain(blob).collect();
        let distance = |one: usize, other: usize| (points[one].0 - points[other].0).hypot(points[one].1 - points[other].1);
        let clusters = Dendrogram::new(points.len(), distance).cut_to(2);
        assert_eq!(clusters.members().iter().map(Vec::len).collect::<Vec<_>>(), [40, 10]);
    }

    #[test]
    fn no_page_and_one_page_have_no_merge() {
        assert!(on_a_line(&[]).is_empty() && on_a_line(&[]).cut_at(1.0).is_empty());
        assert_eq!(on_a_line(&[4.0]).cut_to(1).len(), 1);
    }

    proptest! {
        /// The threshold cut is the connected components.
        #[test]
        fn a_cut_is_what_is_connected(values in prop::collection::vec(0u8..20, 0..78), threshold in 0u8..20) {
            let pages = (0..).take_while(|pages| pages * (pages + 1) / 2 <= values.len()).last().unwrap_or(0);
            let matrix = DistanceMatrix::new(pages, |one, other| f64::from(values[one * (one - 1) / 2 + other]));
            let dendrogram = Dendrogram::new(pages, |one, other| matrix.at(one, other));
            let cut = dendrogram.cut_at(f64::from(threshold));
            let mut sets = Components::new(pages);
            for one in 0..pages {
                for other in (0..one).filter(|other| matrix.at(one, *other) <= f32::from(threshold)) {
                    sets.join(one, other);
                }
            }
            prop_assert_eq!(&cut, &Clustering::new((0..pages).map(|page| sets.first(page))));
            prop_assert_eq!(&dendrogram.cut_to(cut.len()), &cut);
        }
    }
}
