//! Quantities of a block: its text, its place, headings and title near it, what is around it, and where an article would be.

use super::features::feature_group;
use super::view::{Sums, View, ratio};

/// A distance for "there is none".
const NONE: f32 = 999.0;

fn blocks_since(at: usize, other: Option<u32>) -> f32 {
    other.map_or(NONE, |other| at as f32 - other as f32)
}

fn window(view: &View<'_>, at: usize, before: usize, after: usize) -> Sums {
    view.sum(at.saturating_sub(before), at + 1 + after)
}

feature_group! {
    /// Measures one block.
    fn write(view: &View<'_>, at: usize, total: Sums) {
        let signs = &view.signs[at];
        let own = view.sum(at, at + 1);
        let (before, count) = (view.sum(0, at), view.blocks.len() as f32);
        let counts = view.blocks[at].counts(view.page);
        let chars = signs.chars as f32;
        let words = signs.words as f32;
        let heading = view.heading_before[at];
        let heading_at = heading.map_or(0, |heading| heading as usize);
        let section = view.sum(heading_at, view.heading_after[at] as usize);
        let home = view.levels.of_block[at];
        let depth = view.levels.all[home as usize].depth as f32;
        let heading_depth = heading.map_or(NONE, |heading| view.levels.all[view.levels.of_block[heading as usize] as usize].depth as f32 - depth);
        let candidate = &view.candidate;
        let group = &view.groups[view.of_group[at] as usize];
        let near = window(view, at, 2, 2);
        let five = window(view, at, 5, 5);
        let wide = window(view, at, 25, 25);
        let (before5, before15) = (view.sum(at.saturating_sub(5), at), view.sum(at.saturating_sub(15), at));
        let (after5, after15) = (view.sum(at + 1, at + 6), view.sum(at + 1, at + 16));
        let around = view.levels.around(at);
        let (top_start, top_end) = candidate.top.map_or((0, 0), |top| (view.levels.all[top as usize].start as usize, view.levels.all[top as usize].end as usize));
        let (stretch_start, stretch_end) = (candidate.stretch.0 as usize, candidate.stretch.1 as usize);
    }

    // The text.
    weight = own.weight, "Words, ideographs as parts of one.";
    chars = chars, "Characters without white space.";
    link_density = own.link_density(), "Share of words in links.";
    links = counts.links, "Links.";
    ends = signs.ends, "Ends of sentences.";
    commas = signs.commas, "Commas.";
    capital_share = ratio(signs.capitals as f32, chars), "Share of capital letters.";
    capital_word_share = ratio(signs.capital_words as f32, words), "Share of words with a capital letter.";
    separators = signs.separators, "Bars, bullets, arrows.";
    quotes = signs.quotes, "Quotation marks and brackets.";
    years = signs.years, "Numbers that may be years.";
    has_at = u8::from(signs.has_at), "Has an at sign.";
    ends_sentence = u8::from(matches!(signs.last, '.' | '!' | '?' | '。' | '！' | '？' | '…' | '؟' | '۔' | '।' | '"' | '”' | '」')), "Ends like a sentence.";
    mean_word = ratio(chars, words), "Characters per word.";
    elements = counts.elements, "Elements in its line.";
    tag = view.tag(at) as u8, "The tag of its home.";
    same_text = view.same_text[at], "Blocks of the page with the same text.";
    title_share = ratio(signs.in_title as f32, words), "Share of its words that the title has.";
    title_cover = ratio(signs.in_title as f32, view.known.title_words as f32), "Its words that the title has, as a share of the title.";
    description_share = ratio(signs.in_description as f32, words), "Share of its words that the description has.";
    description_cover = ratio(signs.in_description as f32, view.known.description_words as f32), "The same as a share of the description.";
    // What is around.
    near_weight = near.mean_weight(), "Words per block, two either side.";
    near_links = near.link_density(), "Share of links, two either side.";
    five_links = five.link_density(), "Share of links, five either side.";
    wide_weight = wide.mean_weight(), "Words per block, twenty-five either side.";
    wide_links = wide.link_density(), "Share of links, twenty-five either side.";
    before5_links = before5.link_density(), "Share of links, five before.";
    before15_links = before15.link_density(), "Share of links, fifteen before.";
    after5_weight = after5.mean_weight(), "Words per block, five after.";
    after15_weight = after15.mean_weight(), "Words per block, fifteen after.";
    after15_links = after15.link_density(), "Share of links, fifteen after.";
    group_place = ratio(at as f32 - group.first as f32, (group.last - group.first) as f32 + 1.0), "Place among the blocks of its kind.";
    // The place.
    place = at as f32 / count, "Place among the blocks.";
    index = at, "Blocks before it.";
    blocks_left = count - at as f32, "Blocks from it to the end.";
    weight_before = ratio(before.weight, total.weight), "Share of the page's text before it.";
    prose_before = ratio(before.prose, total.prose), "Share of paragraph-like text before it.";
    prose_before_weight = before.prose, "Paragraph-like text before it.";
    depth = depth, "Levels above it.";
    since_paragraph = blocks_since(at, view.paragraph_before[at]), "Blocks since the last paragraph.";
    // Headings and the title.
    heading = view.heading[at], "The level of the heading it is, or 0.";
    since_heading = blocks_since(at, heading), "Blocks since the last heading.";
    last_heading = heading.map_or(0, |heading| view.heading[heading as usize]), "The level of the last heading.";
    heading_depth = heading_depth, "How much deeper than it the last heading stands.";
    heading_links = heading.map_or(-1.0, |heading| view.sum(heading as usize, heading as usize + 1).link_density()), "Share of links in the last heading.";
    section_weight = section.weight, "Words of the section under the last heading.";
    section_links = section.link_density(), "Share of links in the section.";
    section_prose = section.prose_share(), "Share of paragraph-like text in the section.";
    section_blocks = section.blocks, "Blocks of the section.";
    since_title = blocks_since(at, view.title), "Blocks since the one most like the title.";
    since_title_weight = view.title.map_or(-1.0, |title| view.sum((title as usize).min(at), at).weight), "Words since then.";
    title_levels = candidate.to_title[home as usize], "Levels up to one that holds the title.";
    since_first_heading = blocks_since(at, view.first_h1), "Blocks since the first h1.";
    headings_before = before.headings, "Headings before it.";
    // Where an article would be.
    candidate_around = candidate.score[around as usize], "Points of the level around it.";
    in_top = u8::from((top_start..top_end).contains(&at)), "Stands in the best container.";
    to_top = candidate.to_top[home as usize], "Levels up to one that holds the best container.";
    top_distance = if at < top_start { top_start as f32 - at as f32 } else { (at + 1).saturating_sub(top_end) as f32 }, "Blocks to the best container.";
    after_top = u8::from(at >= top_end), "Stands after the best container.";
    top_place = ratio(at as f32 - top_start as f32, top_end as f32 - top_start as f32), "Place relative to the best container.";
    top_prose_left = ratio(view.sum(at.max(top_start), top_end.max(at)).prose, view.sum(top_start, top_end).prose), "Share of the best container's prose still to come.";
    in_stretch = u8::from((stretch_start..stretch_end).contains(&at)), "Stands in the densest stretch.";
    stretch_distance = if at < stretch_start { at as f32 - stretch_start as f32 } else { (at + 1).saturating_sub(stretch_end) as f32 }, "Blocks to the densest stretch.";
}
