//! Clusters as a table for the terminal, and as JSON.

use super::Clustered;
use anyhow::Result;
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct Document<'c> {
    source: &'c str,
    pages: usize,
    failed: usize,
    distance: String,
    method: String,
    threshold: Option<f64>,
    exact: bool,
    dunn: Option<f64>,
    clusters: Vec<Cluster<'c>>,
    merges: Vec<Near>,
}

#[derive(Serialize)]
struct Cluster<'c> {
    cluster: usize,
    pages: usize,
    representative: &'c str,
    spread: f64,
    urls: Vec<&'c str>,
}

/// Two clusters and how far they are apart.
#[derive(Serialize)]
struct Near {
    one: usize,
    other: usize,
    distance: f64,
}

/// How many pages that are alone in their cluster a table has.
const ALONE: usize = 20;

/// A number without the digits that are not meant.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

pub(super) fn json(clustered: &Clustered) -> Result<String> {
    let found = &clustered.found;
    let clusters = clustered.by_size.iter().enumerate().map(|(rank, cluster)| Cluster {
        cluster: rank + 1,
        pages: clustered.members[*cluster].len(),
        representative: clustered.representative(*cluster),
        spread: rounded(found.spread[*cluster]),
        urls: clustered.members[*cluster].iter().map(|page| clustered.urls[*page].as_str()).collect(),
    });
    let merges = found.tree.merges.iter().map(|merge| Near {
        one: clustered.rank[merge.one as usize] + 1,
        other: clustered.rank[merge.other as usize] + 1,
        distance: rounded(f64::from(merge.distance)),
    });
    let document = Document {
        source: &clustered.source,
        pages: clustered.urls.len(),
        failed: clustered.failed,
        distance: clustered.distance.to_string(),
        method: clustered.method.to_string(),
        threshold: found.threshold,
        exact: found.exact,
        dunn: found.dunn.map(rounded),
        clusters: clusters.collect(),
        merges: merges.collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

pub(super) fn table(clustered: &Clustered) -> String {
    let mut out = format!("{}\n\n", clustered.summary());
    let _ = writeln!(out, "cluster   pages  share  spread  nearest         representative");
    let together = clustered.members.iter().filter(|members| members.len() > 1).count();
    for (rank, cluster) in clustered.by_size.iter().enumerate().take(together + ALONE) {
        let pages = clustered.members[*cluster].len();
        let nearest = clustered
            .nearest(*cluster)
            .map_or("–".to_owned(), |(other, distance)| format!("{distance:.2} to {}", clustered.rank[other] + 1));
        let _ = writeln!(
            out,
            "{:>7} {pages:>7} {:>5.1}% {:>7.2}  {nearest:<14}  {}",
            rank + 1,
            100.0 * pages as f64 / clustered.urls.len() as f64,
            clustered.found.spread[*cluster],
            printable(clustered.representative(*cluster))
        );
    }
    if clustered.by_size.len() > together + ALONE {
        let more = clustered.by_size.len() - together - ALONE;
        let _ = writeln!(out, "and {more} more pages that are alone in their cluster; --format json has them");
    }
    let _ = writeln!(
        out,
        "\nspread: mean distance to the representative; nearest: distance to the nearest other cluster, and which it is"
    );
    out
}

/// Addresses come from files; what could steer the terminal is shown as a question mark.
fn printable(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { '?' } else { character }).collect()
}
