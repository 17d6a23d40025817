//! Features of the levels above a block, the same for each of the first few.

use super::features::feature_group;
use super::view::{Sums, View, ratio};

/// How many levels are looked at.
pub(super) const LEVELS: usize = 6;

feature_group! {
    /// Writes the features of one level above a block.
    fn write(view: &View<'_>, at: usize, number: u32, total: Sums) {
        let level = &view.levels.all[number as usize];
        let sums = view.level_sum(number);
        let parent = view.level_sum(level.parent);
    }

    weight = sums.weight, "Words";
    share = ratio(sums.weight, total.weight), "Share of the page's text";
    of_parent = ratio(sums.weight, parent.weight), "Share of the text of the level above";
    link_density = sums.link_density(), "Share of words in links";
    blocks = sums.blocks, "Blocks";
    mean_weight = sums.mean_weight(), "Words per block";
    prose_share = sums.prose_share(), "Share of paragraph-like text";
    paragraphs = sums.paragraphs, "Paragraph-like blocks";
    marks = ratio(sums.marks, sums.weight), "Commas and ends per word";
    headings = sums.headings, "Headings";
    digits = ratio(sums.digits, sums.weight), "Digits per word";
    alike = level.alike, "Levels beside it of the same kind";
    place = level.place, "Which of these it is";
    of_key = level.of_key, "Levels of its kind on the page";
    inside = ratio(at as f32 - level.start as f32, sums.blocks), "Place of the block in it";
    tag = view.page.tag(level.top) as u8, "Tag of its outermost element";
}
