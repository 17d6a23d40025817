//! Quantities of a group: all blocks of one kind, wherever they stand.

use super::features::feature_group;
use super::view::{Group, Sums, ratio};

feature_group! {
    /// Measures one group.
    fn write(group: &Group, total: Sums) {
        let sums = &group.sums;
    }

    blocks = sums.blocks, "Blocks of its kind.";
    share = ratio(sums.weight, total.weight), "Share of the page's text in blocks of its kind.";
    links = sums.link_density(), "Share of links in blocks of its kind.";
    weight = sums.mean_weight(), "Words per block of its kind.";
    prose = sums.prose_share(), "Share of paragraph-like text in blocks of its kind.";
    marks = ratio(sums.marks, sums.weight), "Commas and ends per word in blocks of its kind.";
    span = ratio((group.last - group.first) as f32 + 1.0, total.blocks), "Share of the page that blocks of its kind stretch over.";
    start = ratio(group.first as f32, total.blocks), "Where the first of its kind stands.";
}
