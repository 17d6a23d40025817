//! The steps of clustering as a tree of segments: each cluster with those that were joined to it, and how coherent it is.
//!
//! What is joined at a small CT is coherent: the degree of a cluster is 10 less nine times the least CT at which it is found. Steps come in the order of CT, so
//! no part has a lower degree than the whole. Degrees are told in tenths, and of the steps of one tenth only the last is in the tree: so
//! no box is in more than 91 segments, however many steps there were.

use super::Steps;
use super::clustering::Merge;
use crate::segmentation::Cluster;

/// The degree of coherence of a cluster that is found at this CT, in tenths, downwards.
fn degree(ct: f64) -> f64 {
    // A hair above, because tenths have no exact form.
    ((100.0 - 90.0 * ct + 1e-9).floor() / 10.0).clamp(1.0, 10.0)
}

/// The clusters of steps, each before those that were joined to it.
pub(super) fn groups(merges: &[Merge], steps: Steps) -> Vec<Cluster> {
    // For each step the one of its tenth that it ends up in, and how many parts there are to each of these. Wholes come after their parts.
    let mut last: Vec<usize> = (0..merges.len()).collect();
    let mut parts = vec![0; merges.len()];
    for at in (0..merges.len()).rev() {
        if let Some(whole) = merges[at].part_of.map(|whole| last[whole as usize]) {
            if degree(merges[at].ct) == degree(merges[whole].ct) {
                last[at] = whole;
            } else {
                parts[whole] += 1;
            }
        }
    }
    let mut places: Vec<u32> = vec![0; merges.len()];
    let mut groups: Vec<Cluster> = Vec::new();
    for at in (0..merges.len()).rev() {
        let merge = &merges[at];
        let whole = merge.part_of.map(|whole| whole as usize);
        let is_kept = match whole {
            None => true,
            Some(whole) => last[at] == at && (steps == Steps::All || parts[last[whole]] > 1),
        };
        let parent = whole.map(|whole| places[whole]);
        places[at] = match parent.filter(|_| !is_kept) {
            Some(whole) => whole,
            None => {
                groups.push(Cluster { boxes: Vec::new(), parent, coherence: Some(degree(merge.ct)) });
                groups.len() as u32 - 1
            }
        };
        groups[places[at] as usize].boxes.extend(&merge.boxes);
    }
    groups
}
