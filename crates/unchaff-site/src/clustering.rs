//! Which pages share a template: clusters of pages by how far their structures are apart.
//!
//! Thomas Gottron: Content Extraction: Identifying the Main Content in HTML Documents. PhD thesis, Universität Mainz, 2008, §7.1. Techniques that
//! compare pages need pages of one template; pages of others are noise to them. [`single_linkage`] is what the thesis
//! recommends, [`k_median`] what it compares with, [`stream`] serves where pages never end, `sketched` where there are
//! very many. [`quality`] measures the result, `scaling` draws it. [`cluster`] is all of it with the choice made by the number of pages.

pub mod duplicates;
pub mod k_median;
mod page_clusters;
pub mod picture;
pub mod quality;
pub(crate) mod scaling;
pub mod single_linkage;
pub mod skeleton;
pub(crate) mod sketched;
pub mod stream;

pub use page_clusters::{ClusterError, ClusterOptions, Method, PageClusters, cluster};

/// Every page in one cluster. Clusters are numbered in the order of their first pages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clustering {
    of: Vec<u32>,
    count: usize,
}

impl Clustering {
    /// The clustering in which pages are together that have the same label.
    #[must_use]
    pub fn new(labels: impl IntoIterator<Item = usize>) -> Clustering {
        let mut numbers = std::collections::HashMap::new();
        let of = labels.into_iter().map(|label| {
            let next = numbers.len() as u32;
            *numbers.entry(label).or_insert(next)
        });
        let of: Vec<u32> = of.collect();
        Clustering { count: numbers.len(), of }
    }

    /// The cluster of a page.
    #[must_use]
    pub fn of(&self, page: usize) -> usize {
        self.of[page] as usize
    }

    /// How many clusters there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none, because there is no page.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many pages there are.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.of.len()
    }

    /// The pages of every cluster, in their order.
    #[must_use]
    pub fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.count];
        self.of.iter().enumerate().for_each(|(page, cluster)| members[*cluster as usize].push(page));
        members
    }
}

/// The page with the smallest sum of distances to all others, of equals the first; none of none.
#[must_use]
pub fn medoid(pages: &[usize], distance: impl Fn(usize, usize) -> f64) -> Option<usize> {
    let total = |page: usize| pages.iter().filter(|other| **other != page).map(|other| distance(page, *other)).sum::<f64>();
    let totals = pages.iter().map(|page| (*page, total(*page)));
    totals.reduce(|best, next| if next.1 < best.1 { next } else { best }).map(|(page, _)| page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_numbered_by_their_first_pages() {
        let clustering = Clustering::new([7, 3, 7, 9, 3]);
        assert_eq!(clustering.members(), [vec![0, 2], vec![1, 4], vec![3]]);
        assert_eq!((clustering.len(), clustering.pages()), (3, 5));
    }

    #[test]
    fn the_medoid_is_in_the_middle() {
        let points = [0.0f64, 1.0, 2.0, 9.0];
        let distance = |one: usize, other: usize| (points[one] - points[other]).abs();
        assert_eq!(medoid(&[0, 1, 2, 3], distance), Some(1));
        assert_eq!(medoid(&[3], distance), Some(3));
        assert_eq!(medoid(&[], distance), None);
    }
}
