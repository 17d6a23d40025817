//! The distances of all pairs of pages, one half of a symmetric matrix, computed by all cores.
//!
//! Rows are written where they belong whatever thread computes them, so the matrix is the same every time. It takes two bytes
//! for each page squared: for many pages one works with sketches and representatives instead.

use crate::parallel;

/// Distances by pair of pages.
#[derive(Clone, PartialEq, Debug)]
pub struct DistanceMatrix {
    pages: usize,
    /// The row of page `i` has its distances to all pages before it.
    values: Vec<f32>,
}

impl DistanceMatrix {
    /// The matrix of a distance, which is asked once for each pair, the later page first.
    #[must_use]
    pub fn new(pages: usize, distance: impl Fn(usize, usize) -> f64 + Sync) -> DistanceMatrix {
        let mut values = vec![0f32; pages * pages.saturating_sub(1) / 2];
        let mut rows = Vec::with_capacity(pages);
        let mut rest = &mut values[..];
        for page in 0..pages {
            let (row, after) = rest.split_at_mut(page);
            rows.push((page, row));
            rest = after;
        }
        // The long rows first, so that no thread is left with one at the end.
        rows.reverse();
        parallel::for_each(&mut rows, 1, |_, (page, row)| {
            row.iter_mut().enumerate().for_each(|(other, value)| *value = distance(*page, other) as f32);
        });
        DistanceMatrix { pages, values }
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

    /// The distance of two pages.
    #[must_use]
    pub fn at(&self, one: usize, other: usize) -> f32 {
        match one.cmp(&other) {
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => self.values[one * (one - 1) / 2 + other],
            std::cmp::Ordering::Less => self.values[other * (other - 1) / 2 + one],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_asked_once_and_found_from_both_sides() {
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let matrix = DistanceMatrix::new(20, |one, other| {
            asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            assert!(one > other);
            (one * 100 + other) as f64
        });
        assert_eq!(asked.into_inner(), 190);
        assert_eq!([matrix.at(7, 3), matrix.at(3, 7), matrix.at(5, 5)], [703.0, 703.0, 0.0]);
        assert!(DistanceMatrix::new(0, |_, _| 0.0).is_empty());
    }

    #[cfg(feature = "threads")]
    #[test]
    fn threads_do_not_change_it() {
        let distance = |one: usize, other: usize| ((one * 31 + other * 17) % 101) as f64 / 101.0;
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| DistanceMatrix::new(50, distance))
        };
        assert_eq!(on(1), on(4));
    }
}
