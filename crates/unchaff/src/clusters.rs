//! Clusters of pages as a value: the JSON of `unchaff cluster`, which `docs/clustering.md` describes.

use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use unchaff_site::clustering::{ClusterOptions, PageClusters};

/// Which pages share a template.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClusterRecord {
    /// Where the pages come from, if the caller says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// How many pages there are.
    pub pages: usize,
    /// How many could not be read, if the caller read them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<usize>,
    /// What of two pages was compared.
    pub distance: String,
    /// How pages were put together.
    pub method: String,
    /// The distance up to which pages belong together; none if the number of clusters was given.
    pub threshold: Option<f64>,
    /// Whether all pairs were compared.
    pub exact: bool,
    /// The Dunn index of the result, if it was computed.
    pub dunn: Option<f64>,
    /// The clusters, the largest first.
    pub clusters: Vec<OneCluster>,
    /// How far clusters are apart, the nearest first.
    pub merges: Vec<NearClusters>,
}

/// Pages that share a template.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OneCluster {
    /// Its number, from 1.
    pub cluster: usize,
    /// How many pages it has.
    pub pages: usize,
    /// The address of the page that stands for it.
    pub representative: String,
    /// The mean distance of its pages to that page.
    pub spread: f64,
    /// The addresses of its pages.
    pub urls: Vec<String>,
}

/// Two clusters and how far they are apart.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NearClusters {
    /// The number of one.
    pub one: usize,
    /// The number of the other.
    pub other: usize,
    /// Their distance.
    pub distance: f64,
}

/// A number without the digits that are not meant.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

impl ClusterRecord {
    /// What was found of pages with these addresses, and what was asked for.
    #[must_use]
    pub fn of(urls: &[String], asked: &ClusterOptions, found: &PageClusters) -> ClusterRecord {
        let members = found.clustering.members();
        let mut by_size: Vec<usize> = (0..members.len()).collect();
        by_size.sort_by_key(|cluster| Reverse(members[*cluster].len()));
        let mut number = vec![0; members.len()];
        by_size.iter().enumerate().for_each(|(rank, cluster)| number[*cluster] = rank + 1);
        let clusters = by_size.into_iter().map(|cluster| OneCluster {
            cluster: number[cluster],
            pages: members[cluster].len(),
            representative: urls[found.representatives[cluster]].clone(),
            spread: rounded(found.spread[cluster]),
            urls: members[cluster].iter().map(|page| urls[*page].clone()).collect(),
        });
        let merges = found.tree.merges.iter().map(|merge| NearClusters {
            one: number[merge.one as usize],
            other: number[merge.other as usize],
            distance: rounded(f64::from(merge.distance)),
        });
        ClusterRecord {
            source: None,
            pages: urls.len(),
            failed: None,
            distance: asked.distance.measure.to_string(),
            method: asked.method.to_string(),
            threshold: found.threshold,
            exact: found.exact,
            dunn: found.dunn.map(rounded),
            clusters: clusters.collect(),
            merges: merges.collect(),
        }
    }
}
