//! Clusters as a table for the terminal, and as JSON.

use super::Clustered;
use anyhow::Result;
use std::fmt::Write;
use unchaff::ClusterRecord;

/// How many pages that are alone in their cluster a table has.
const ALONE: usize = 20;

pub(super) fn json(clustered: &Clustered) -> Result<String> {
    let mut record = ClusterRecord::of(&clustered.urls, &clustered.asked, &clustered.found);
    record.source = Some(clustered.source.clone());
    record.failed = Some(clustered.failed);
    Ok(serde_json::to_string_pretty(&record)? + "\n")
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
