//! Features of what is around a block: its neighbours, windows of blocks, and all blocks of the same kind.

use super::features::feature_group;
use super::view::{Sums, View, ratio};

fn window(view: &View<'_>, at: usize, before: usize, after: usize) -> Sums {
    view.sum(at.saturating_sub(before), at + 1 + after)
}

fn neighbour(view: &View<'_>, at: usize, steps: isize) -> Sums {
    at.checked_add_signed(steps).map_or(Sums::default(), |other| view.sum(other, other + 1))
}

feature_group! {
    /// Writes the features of a block's surroundings.
    fn write(view: &View<'_>, at: usize) {
        let group = &view.groups[view.of_group[at] as usize];
        let total = view.total();
        let (last, next) = (neighbour(view, at, -1), neighbour(view, at, 1));
        let (last2, next2) = (neighbour(view, at, -2), neighbour(view, at, 2));
        let (last3, next3) = (neighbour(view, at, -3), neighbour(view, at, 3));
        let near = window(view, at, 2, 2);
        let five = window(view, at, 5, 5);
        let ten = window(view, at, 10, 10);
        let wide = window(view, at, 25, 25);
        let before5 = view.sum(at.saturating_sub(5), at);
        let before15 = view.sum(at.saturating_sub(15), at);
        let after5 = view.sum(at + 1, at + 6);
        let after15 = view.sum(at + 1, at + 16);
    }

    last_weight = last.weight, "Words of the block before.";
    last_links = last.link_density(), "Its share of links.";
    next_weight = next.weight, "Words of the block after.";
    next_links = next.link_density(), "Its share of links.";
    last2_weight = last2.weight, "Words of the second block before.";
    last2_links = last2.link_density(), "Its share of links.";
    next2_weight = next2.weight, "Words of the second block after.";
    next2_links = next2.link_density(), "Its share of links.";
    last3_weight = last3.weight, "Words of the third block before.";
    next3_weight = next3.weight, "Words of the third block after.";
    near_weight = near.mean_weight(), "Words per block, two either side.";
    near_links = near.link_density(), "Share of links, two either side.";
    five_weight = five.mean_weight(), "Words per block, five either side.";
    five_links = five.link_density(), "Share of links, five either side.";
    five_prose = five.prose_share(), "Share of paragraph-like text, five either side.";
    ten_weight = ten.mean_weight(), "Words per block, ten either side.";
    ten_links = ten.link_density(), "Share of links, ten either side.";
    ten_prose = ten.prose_share(), "Share of paragraph-like text, ten either side.";
    wide_weight = wide.mean_weight(), "Words per block, twenty-five either side.";
    wide_links = wide.link_density(), "Share of links, twenty-five either side.";
    wide_prose = wide.prose_share(), "Share of paragraph-like text, twenty-five either side.";
    before5_weight = before5.mean_weight(), "Words per block, five before.";
    before5_links = before5.link_density(), "Share of links, five before.";
    before15_weight = before15.mean_weight(), "Words per block, fifteen before.";
    before15_links = before15.link_density(), "Share of links, fifteen before.";
    before15_prose = before15.prose_share(), "Share of paragraph-like text, fifteen before.";
    after5_weight = after5.mean_weight(), "Words per block, five after.";
    after5_links = after5.link_density(), "Share of links, five after.";
    after15_weight = after15.mean_weight(), "Words per block, fifteen after.";
    after15_links = after15.link_density(), "Share of links, fifteen after.";
    after15_prose = after15.prose_share(), "Share of paragraph-like text, fifteen after.";
    group_blocks = group.sums.blocks, "Blocks of its kind.";
    group_share = ratio(group.sums.weight, total.weight), "Share of the page's text in blocks of its kind.";
    group_links = group.sums.link_density(), "Share of links in blocks of its kind.";
    group_weight = group.sums.mean_weight(), "Words per block of its kind.";
    group_prose = group.sums.prose_share(), "Share of paragraph-like text in blocks of its kind.";
    group_span = ratio((group.last - group.first) as f32 + 1.0, total.blocks), "Share of the page that blocks of its kind stretch over.";
    group_marks = ratio(group.sums.marks, group.sums.weight), "Commas and ends per word in blocks of its kind.";
}
