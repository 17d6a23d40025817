//! How good a clustering is: against the truth (Rand, purity, mutual information), and by its distances (Dunn).
//!
//! Thomas Gottron, 2008, §7.1.3. Two of his tables do not follow the usual definitions: the Rand index counts all ordered pairs, each page with
//! itself too, and mutual information is divided by the logarithm of clusters times classes twice, not once as in the formula.
//! The usual values are given first and the printed ones for comparison. All are computed from how many pages of each class
//! each cluster holds.

use super::Clustering;

/// How many pages of each class (column) are in each cluster (row).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contingency {
    rows: Vec<Vec<u64>>,
}

impl Contingency {
    /// Counts the pages that two clusterings of the same pages have in common, the second being the truth.
    #[must_use]
    pub fn new(clusters: &Clustering, truth: &Clustering) -> Contingency {
        let mut rows = vec![vec![0; truth.len()]; clusters.len()];
        for page in 0..clusters.pages().min(truth.pages()) {
            rows[clusters.of(page)][truth.of(page)] += 1;
        }
        Contingency { rows }
    }

    fn cluster_sizes(&self) -> Vec<u64> {
        self.rows.iter().map(|row| row.iter().sum()).collect()
    }

    fn class_sizes(&self) -> Vec<u64> {
        let classes = self.rows.first().map_or(0, Vec::len);
        (0..classes).map(|class| self.rows.iter().map(|row| row[class]).sum()).collect()
    }

    fn pages(&self) -> u64 {
        self.cluster_sizes().iter().sum()
    }

    /// Sums over cells, clusters and classes of the pairs in each.
    fn pairs(&self, pairs: impl Fn(u64) -> f64) -> [f64; 3] {
        let sum = |counts: &mut dyn Iterator<Item = u64>| counts.map(&pairs).sum::<f64>();
        [
            sum(&mut self.rows.iter().flatten().copied()),
            sum(&mut self.cluster_sizes().into_iter()),
            sum(&mut self.class_sizes().into_iter()),
        ]
    }

    /// The share of pairs of pages that both put together or both keep apart.
    #[must_use]
    pub fn rand(&self) -> f64 {
        self.agreement(|count| count as f64 * (count as f64 - 1.0))
    }

    /// The Rand index as printed: over all ordered pairs, each page with itself among them.
    #[must_use]
    pub fn printed_rand(&self) -> f64 {
        self.agreement(|count| (count as f64).powi(2))
    }

    fn agreement(&self, pairs: impl Fn(u64) -> f64) -> f64 {
        let all = pairs(self.pages());
        let [both, clusters, classes] = self.pairs(pairs);
        if all == 0.0 { 1.0 } else { (all - clusters - classes + 2.0 * both) / all }
    }

    /// The Rand index less what chance gives (L. Hubert, P. Arabie: Comparing Partitions, 1985): 0 for chance, 1 for agreement.
    #[must_use]
    pub fn adjusted_rand(&self) -> f64 {
        let pairs = |count: u64| count as f64 * (count as f64 - 1.0) / 2.0;
        let all = pairs(self.pages());
        let [both, clusters, classes] = self.pairs(pairs);
        let (expected, most) = (clusters * classes / all.max(1.0), (clusters + classes) / 2.0);
        if most == expected { 1.0 } else { (both - expected) / (most - expected) }
    }

    /// The share of pages that belong to the most frequent class of their cluster.
    #[must_use]
    pub fn purity(&self) -> f64 {
        let most: u64 = self.rows.iter().map(|row| row.iter().copied().max().unwrap_or(0)).sum();
        most as f64 / self.pages().max(1) as f64
    }

    /// The mean over clusters of the share of the most frequent class, as printed: a page alone weighs like a hundred.
    #[must_use]
    pub fn mean_purity(&self) -> f64 {
        let shares = self.rows.iter().map(|row| {
            let most = row.iter().copied().max().unwrap_or(0);
            most as f64 / row.iter().sum::<u64>().max(1) as f64
        });
        shares.sum::<f64>() / self.rows.len().max(1) as f64
    }

    /// What the cluster of a page tells about its class, in nats.
    #[must_use]
    pub fn mutual_information(&self) -> f64 {
        let pages = self.pages() as f64;
        let (clusters, classes) = (self.cluster_sizes(), self.class_sizes());
        let mut sum = 0.0;
        for (row, cluster) in self.rows.iter().zip(&clusters) {
            for (count, class) in row.iter().zip(&classes).filter(|(count, _)| **count > 0) {
                let count = *count as f64;
                sum += count / pages * (count * pages / (*cluster as f64 * *class as f64)).ln();
            }
        }
        sum
    }

    /// Mutual information by the formula of the thesis: with the logarithm to the base of clusters times classes.
    #[must_use]
    pub fn scaled_information(&self) -> f64 {
        self.scaled(1)
    }

    /// Mutual information as printed in its tables: scaled twice.
    #[must_use]
    pub fn printed_information(&self) -> f64 {
        self.scaled(2)
    }

    fn scaled(&self, times: i32) -> f64 {
        let base = ((self.rows.len() * self.class_sizes().len()) as f64).ln();
        if base > 0.0 { self.mutual_information() / base.powi(times) } else { 0.0 }
    }

    /// Mutual information as a share of the mean entropy of clusters and classes: 1 if each tells the other.
    #[must_use]
    pub fn normalised_information(&self) -> f64 {
        let pages = self.pages() as f64;
        let entropy = |sizes: Vec<u64>| {
            let shares = sizes.into_iter().filter(|size| *size > 0).map(|size| size as f64 / pages);
            -shares.map(|share| share * share.ln()).sum::<f64>()
        };
        let mean = (entropy(self.cluster_sizes()) + entropy(self.class_sizes())) / 2.0;
        if mean > 0.0 { self.mutual_information() / mean } else { 1.0 }
    }
}

/// Dunn's index: the least distance between two clusters by the largest within one. Above 1 they are well apart. None if there are
/// no two clusters, or no cluster has two different pages.
#[must_use]
pub fn dunn(clusters: &Clustering, distance: impl Fn(usize, usize) -> f32) -> Option<f64> {
    let (mut between, mut within) = (f32::INFINITY, 0f32);
    for one in 0..clusters.pages() {
        for other in 0..one {
            let distance = distance(one, other);
            if clusters.of(one) == clusters.of(other) {
                within = within.max(distance);
            } else {
                between = between.min(distance);
            }
        }
    }
    (between.is_finite() && within > 0.0).then(|| f64::from(between) / f64::from(within))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[u64]]) -> Contingency {
        Contingency { rows: rows.iter().map(|row| row.to_vec()).collect() }
    }

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-6
    }

    /// The clusters are reconstructed; the last column and Rand over all pairs are what tables 7.4 and 7.5 of the thesis print.
    #[test]
    fn measures_of_the_published_tables() {
        let pure: Vec<Vec<u64>> = (0..5).map(|row| (0..5).map(|class| if row == class { 100 } else { 0 }).collect()).collect();
        let cases = [
            (Contingency { rows: pure }, [1.0, 1.0, 1.0, 1.609438, 0.5, 0.155334]),
            (
                table(&[&[100, 100, 100, 0, 0], &[0, 0, 0, 100, 0], &[0, 0, 0, 0, 100]]),
                [0.76, 0.759519, 0.777778, 0.950271, 0.350906, 0.129579],
            ),
            (
                table(&[&[100, 99, 0, 0, 0], &[0, 1, 0, 0, 0], &[0, 0, 100, 0, 0], &[0, 0, 0, 100, 0], &[0, 0, 0, 0, 100]]),
                [0.920008, 0.919848, 0.900503, 1.333570, 0.414297, 0.128709],
            ),
        ];
        for (table, expected) in cases {
            let found = [
                table.printed_rand(),
                table.rand(),
                table.mean_purity(),
                table.mutual_information(),
                table.scaled_information(),
                table.printed_information(),
            ];
            assert!(found.iter().zip(expected).all(|(found, expected)| near(*found, expected)), "{found:?} {expected:?}");
        }
    }

    /// Tables made by hand.
    #[test]
    fn adjusted_rand_of_the_published_tables() {
        assert!((table(&[&[1, 1, 0], &[1, 2, 1], &[0, 0, 4]]).adjusted_rand() - 0.31257).abs() < 1e-5);
        assert!(near(table(&[&[3, 0], &[0, 4]]).adjusted_rand(), 1.0));
        assert!((table(&[&[2, 1], &[1, 3]]).adjusted_rand() - 0.02778).abs() < 1e-5);
    }

    /// Points made by hand.
    #[test]
    fn dunn_of_the_published_points() {
        let points = [0f32, 1.0, 3.0, 7.0];
        let distance = |one: usize, other: usize| (points[one] - points[other]).abs();
        assert!(near(dunn(&Clustering::new([0, 0, 0, 1]), distance).unwrap(), 4.0 / 3.0));
        assert_eq!(dunn(&Clustering::new([0, 0, 0, 0]), distance), None);
        assert_eq!(dunn(&Clustering::new([0, 1, 2, 3]), distance), None);
    }

    #[test]
    fn nothing_and_one_of_each_agree() {
        for table in [Contingency::new(&Clustering::default(), &Clustering::default()), table(&[&[5]])] {
            assert_eq!([table.rand(), table.adjusted_rand(), table.normalised_information()], [1.0; 3]);
            assert_eq!(table.printed_information(), 0.0);
        }
        assert!(near(table(&[&[10, 0], &[5, 5]]).purity(), 0.75));
    }
}
