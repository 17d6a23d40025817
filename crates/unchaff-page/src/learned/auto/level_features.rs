//! Quantities of a level: its text, its place, how many are like it, and what all of these have together.
//!
//! Records of a list, posts of a thread and cards of a shop are levels of one kind side by side. What they have together
//! tells such a region from a row of links as a single one of them cannot.

use super::features::feature_group;
use super::view::{Sums, View, ratio};

feature_group! {
    /// Measures one level.
    fn write(view: &View<'_>, number: u32, total: Sums) {
        let level = &view.levels.all[number as usize];
        let sums = view.level_sum(number);
        let parent = view.level_sum(level.parent);
        let alike = view.alike[level.region as usize];
        let kind = view.kinds[level.kind as usize];
    }

    weight = sums.weight, "Words.";
    share = ratio(sums.weight, total.weight), "Share of the page's text.";
    of_parent = ratio(sums.weight, parent.weight), "Share of the text of the level above.";
    link_density = sums.link_density(), "Share of words in links.";
    blocks = sums.blocks, "Blocks.";
    mean_weight = sums.mean_weight(), "Words per block.";
    prose_share = sums.prose_share(), "Share of paragraph-like text.";
    paragraphs = sums.paragraphs, "Paragraph-like blocks.";
    marks = ratio(sums.marks, sums.weight), "Commas and ends per word.";
    headings = sums.headings, "Headings.";
    digits = ratio(sums.digits, sums.weight), "Digits per word.";
    currencies = ratio(sums.currencies, sums.blocks), "Signs of currencies per block.";
    score = view.candidate.score[number as usize], "Points of a container, as a share of the best one's.";
    end = ratio(level.end as f32, total.blocks), "Where it ends, as a share of the page's blocks.";
    tag = view.page.tag(level.top) as u8, "Tag of its outermost element.";
    alike = alike.levels, "Levels beside it of the same kind.";
    place = level.place, "Which of these it is.";
    alike_share = ratio(alike.sums.weight, total.weight), "Share of the page's text in these.";
    alike_weight = ratio(alike.sums.weight, alike.levels), "Words of each of these.";
    alike_links = alike.sums.link_density(), "Share of words in links in these.";
    alike_prose = alike.sums.prose_share(), "Share of paragraph-like text in these.";
    of_key = kind.levels, "Levels of its kind on the page.";
    key_share = ratio(kind.sums.weight, total.weight), "Share of the page's text in these.";
    key_weight = ratio(kind.sums.weight, kind.levels), "Words of each of these.";
}
