//! Quantities of the page as a whole, the same for all of its blocks: what kind of page it may be.

use super::features::feature_group;
use super::text_signs::TextSigns;
use super::view::{Sums, View, ratio};
use crate::learned::name_families::Family;
use unchaff_dom::{TAG_COUNT, Tag};

fn tag_counts(view: &View<'_>) -> [u32; TAG_COUNT] {
    let mut counts = [0; TAG_COUNT];
    view.page.nodes().for_each(|node| counts[view.page.tag(node) as usize] += 1);
    counts
}

fn has_kind(view: &View<'_>, kind: usize) -> u8 {
    u8::from(view.known.kinds >> kind & 1 == 1)
}

fn body_is(view: &View<'_>, family: Family) -> u8 {
    u8::from(view.levels.body_families >> family as u32 & 1 == 1)
}

feature_group! {
    /// Measures a page.
    fn write(view: &View<'_>, total: Sums) {
        let tags = tag_counts(view);
        let ideographs = view.signs.iter().map(|signs| signs.ideographs).sum::<u32>();
        let longest = view.signs.iter().map(TextSigns::weight).fold(0.0, f32::max);
        let same = view.same_text.iter().filter(|same| **same > 1).count();
        let top = view.candidate.top.map_or(Sums::default(), |top| view.level_sum(top));
        let stretch = view.sum(view.candidate.stretch.0 as usize, view.candidate.stretch.1 as usize);
        let widest = view.alike.iter().map(|alike| alike.levels).fold(0.0, f32::max);
    }

    blocks = total.blocks, "Blocks.";
    weight = total.weight, "Words.";
    link_density = total.link_density(), "Share of words in links.";
    prose_share = total.prose_share(), "Share of paragraph-like text.";
    paragraphs = total.paragraphs, "Paragraph-like blocks.";
    headings = total.headings, "Headings.";
    currencies = total.currencies, "Signs of currencies.";
    digits = ratio(total.digits, total.weight), "Digits per word.";
    marks = ratio(total.marks, total.weight), "Commas and ends per word.";
    longest = longest, "Words of the longest block.";
    ideographs = ratio(ideographs as f32, total.weight), "Ideographs per word.";
    repeated = ratio(same as f32, total.blocks), "Share of blocks whose text is there more than once.";
    widest = widest, "Most levels of one kind beside each other.";
    inputs = (tags[Tag::Input as usize] + tags[Tag::Textarea as usize] + tags[Tag::Select as usize]), "Fields to fill in.";
    buttons = tags[Tag::Button as usize], "Buttons.";
    images = tags[Tag::Img as usize], "Images.";
    tables = tags[Tag::Table as usize], "Tables.";
    articles = tags[Tag::Article as usize], "Elements called `article`.";
    mains = tags[Tag::Main as usize], "Elements called `main`.";
    sections = tags[Tag::Section as usize], "Elements called `section`.";
    is_article = has_kind(view, 0) | has_kind(view, 1) | has_kind(view, 2), "Says it is an article.";
    is_product = has_kind(view, 3), "Says it is a product.";
    is_website = has_kind(view, 4), "Says it is a website.";
    path_hyphens = view.known.path_hyphens.map_or(-1.0, |hyphens| hyphens as f32), "Hyphens in the last part of its address.";
    path_digits = view.known.path_digits, "Digits in its address.";
    named_listing = body_is(view, Family::Listing), "The body's names speak of a list.";
    named_post = body_is(view, Family::Post), "The body's names speak of a post.";
    top_share = ratio(top.weight, total.weight), "Share of text in the best container.";
    top_links = top.link_density(), "Share of links in the best container.";
    stretch_share = ratio(stretch.weight, total.weight), "Share of text in the densest stretch.";
}
