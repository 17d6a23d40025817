//! Features of the block itself: its text, its place, headings and title near it, and where an article would be.

use super::features::feature_group;
use super::view::{View, ratio};

/// A distance for "there is none".
const NONE: f32 = 999.0;

fn blocks_since(at: usize, other: Option<u32>) -> f32 {
    other.map_or(NONE, |other| at as f32 - other as f32)
}

feature_group! {
    /// Writes the features of one block.
    fn write(view: &View<'_>, at: usize) {
        let signs = &view.signs[at];
        let own = view.sum(at, at + 1);
        let total = view.total();
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
        let around = view.levels.around(at);
        let outside = view.levels.all[around as usize].parent;
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
    marks_share = ratio(own.marks, words), "Commas and ends per word.";
    digit_share = ratio(signs.digits as f32, chars), "Share of digits.";
    capital_share = ratio(signs.capitals as f32, chars), "Share of capital letters.";
    capital_word_share = ratio(signs.capital_words as f32, words), "Share of words with a capital letter.";
    number_share = ratio(signs.numbers as f32, words), "Share of words that are numbers.";
    separators = signs.separators, "Bars, bullets, arrows.";
    currencies = signs.currencies, "Signs of currencies.";
    quotes = signs.quotes, "Quotation marks and brackets.";
    years = signs.years, "Numbers that may be years.";
    has_copyright = u8::from(signs.has_copyright), "Has a copyright sign.";
    has_at = u8::from(signs.has_at), "Has an at sign.";
    ends_sentence = u8::from(matches!(signs.last, '.' | '!' | '?' | '。' | '！' | '？' | '…' | '؟' | '۔' | '।' | '"' | '”' | '」')), "Ends like a sentence.";
    ends_colon = u8::from(matches!(signs.last, ':' | '：')), "Ends with a colon.";
    starts_lower = u8::from(signs.first.is_lowercase()), "Starts with a small letter.";
    starts_digit = u8::from(signs.first.is_ascii_digit()), "Starts with a digit.";
    mean_word = ratio(chars, words), "Characters per word.";
    longest_word = signs.longest, "Characters of the longest word.";
    elements = counts.elements, "Elements in its line.";
    tag = view.tag(at) as u8, "The tag of its home.";
    same_text = view.same_text[at], "Blocks of the page with the same text.";
    title_share = ratio(signs.in_title as f32, words), "Share of its words that the title has.";
    title_cover = ratio(signs.in_title as f32, view.known.title_words as f32), "Its words that the title has, as a share of the title.";
    description_share = ratio(signs.in_description as f32, words), "Share of its words that the description has.";
    description_cover = ratio(signs.in_description as f32, view.known.description_words as f32), "The same as a share of the description.";
    data_share = if view.known.data_words > 0 { ratio(signs.in_data as f32, words) } else { -1.0 }, "Share of its pairs of words that structured data has.";
    // The place.
    place = at as f32 / count, "Place among the blocks.";
    index = at, "Blocks before it.";
    blocks_left = count - at as f32, "Blocks from it to the end.";
    weight_before = ratio(before.weight, total.weight), "Share of the page's text before it.";
    prose_before = ratio(before.prose, total.prose), "Share of paragraph-like text before it.";
    prose_before_weight = before.prose, "Paragraph-like text before it.";
    prose_after_weight = total.prose - before.prose - own.prose, "Paragraph-like text after it.";
    depth = depth, "Levels above it.";
    since_paragraph = blocks_since(at, view.paragraph_before[at]), "Blocks since the last paragraph.";
    until_paragraph = -blocks_since(at, view.paragraph_after[at]), "Blocks to the next paragraph, less than zero; -999 if there is none.";
    // Headings and the title.
    heading = view.heading[at], "The level of the heading it is, or 0.";
    since_heading = blocks_since(at, heading), "Blocks since the last heading.";
    since_heading_weight = view.sum(heading_at, at).weight, "Words since the last heading.";
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
    candidate_outside = candidate.score[outside as usize], "Points of the level above that.";
    candidate_outer = candidate.score[view.levels.all[outside as usize].parent as usize], "Points of the next level.";
    candidate_home = candidate.score[home as usize], "Points of its own level.";
    in_top = u8::from((top_start..top_end).contains(&at)), "Stands in the best container.";
    to_top = candidate.to_top[home as usize], "Levels up to one that holds the best container.";
    top_distance = if at < top_start { top_start as f32 - at as f32 } else { (at + 1).saturating_sub(top_end) as f32 }, "Blocks to the best container.";
    after_top = u8::from(at >= top_end), "Stands after the best container.";
    top_share = ratio(view.sum(top_start, top_end).weight, total.weight), "Share of text in the best container.";
    top_place = ratio(at as f32 - top_start as f32, top_end as f32 - top_start as f32), "Place relative to the best container.";
    top_prose_left = ratio(view.sum(at.max(top_start), top_end.max(at)).prose, view.sum(top_start, top_end).prose), "Share of the best container's prose still to come.";
    in_stretch = u8::from((stretch_start..stretch_end).contains(&at)), "Stands in the densest stretch.";
    stretch_distance = if at < stretch_start { at as f32 - stretch_start as f32 } else { (at + 1).saturating_sub(stretch_end) as f32 }, "Blocks to the densest stretch.";
    stretch_share = ratio(view.sum(stretch_start, stretch_end).weight, total.weight), "Share of text in the densest stretch.";
}
