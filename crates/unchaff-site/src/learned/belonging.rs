//! What belongs to the content that was taken, though it recurs: labels, headings, fields of records.
//!
//! Our own. A site tells text of its own from text that recurs, and most of what recurs is no content. But the labels of a
//! specification recur on every product, prices and dates do when only their digits differ, and "Ingredients" stands above every recipe. Without them a value
//! does not say what it is of. So when content is settled, what only makes sense together is made whole:
//!
//! - **lines** are taken with all their words or none;
//! - **records**, short parts of one make side by side (lines of a specification, products, topics of a forum), are taken with all fields in which they differ, if half of
//!   them are there already; one that only comes in then brings no links that every page has, and what they say alike (*Add to cart*) is left as it is;
//! - **prices** between two lines that are taken stay where they are, **terms** with their definitions, **headings** with most of their section.
//!
//! Dates, authors and single labels are not treated like prices: beside news they are mostly no content.

use crate::learned::with_site::Beside;
use std::ops::Range;
use unchaff_dom::{NodeId, NodeSet, Tag};
use unchaff_page::learned::auto::Analysis;
use unchaff_page::learned::auto::levels::Level;
use unchaff_page::learned::auto::view::View;

/// A heading has no more words.
const HEADING: u32 = 16;
/// A record has no more words,
const RECORD: f32 = 60.0;
/// and no more lines.
const RECORD_LINES: u32 = 12;
/// A price has no more words.
const PRICE: u32 = 12;
/// So many lines between two that are taken may be prices.
const GAP: usize = 3;
/// Text that a larger share of similar pages has, to the digit, is of no page in particular.
const EVERYWHERE: f32 = 0.6;

/// Takes what is of this page alone, by what was [taken](crate::learned::own_lines::taken_alone) without its site, and what belongs to what is taken.
pub(crate) fn take_what_belongs(analysis: &Analysis<'_>, alone: &[f32], beside: &Beside<'_>, content: &mut NodeSet) {
    let view = &analysis.view;
    make_lines_whole(view, content);
    let taken = view.blocks.iter().map(|block| content.contains(block.first)).collect();
    let mut lines = Lines { view, beside, taken };
    lines.keep_own(alone);
    lines.take_prices();
    // Ranks and places in a thread differ from post to post, and are left out on purpose.
    if !analysis.is_thread {
        lines.take_records();
    }
    lines.take_terms();
    lines.take_headings();
    for (at, block) in view.blocks.iter().enumerate().filter(|(at, _)| lines.taken[*at]) {
        if content.contains(block.first) {
            continue;
        }
        let home = &view.levels.all[view.levels.of_block[at] as usize];
        if home.end - home.start == 1 {
            content.insert_subtree(view.page, block.home);
        } else {
            block.texts(view.page).for_each(|text| content.insert(text));
        }
    }
}

/// Takes lines whole of which a part is left. Lines are chosen whole; what is taken out of them after that are single elements: the one around a sentence, which may hold
/// half of the page, but not the emphasised word in it.
fn make_lines_whole(view: &View<'_>, content: &mut NodeSet) {
    for block in view.blocks.iter().filter(|block| block.first != block.last) {
        if block.texts(view.page).any(|text| content.contains(text)) {
            block.texts(view.page).for_each(|text| content.insert(text));
        }
    }
}

/// The lines of a page, and which of them are taken.
pub(super) struct Lines<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) beside: &'a Beside<'a>,
    pub(super) taken: Vec<bool>,
}

fn lines_of(level: &Level) -> Range<usize> {
    level.start as usize..level.end as usize
}

impl Lines<'_> {
    pub(super) fn words(&self, at: usize) -> u32 {
        self.view.signs[at].words
    }

    /// Where the element around a text stands among the keys.
    pub(super) fn element_of(&self, text: NodeId) -> usize {
        let (page, keys) = (self.view.page, &self.beside.keys);
        let mut element = keys.nodes.partition_point(|node| *node < text).saturating_sub(1);
        while page.end(keys.nodes[element]) <= text && element > 0 {
            element = keys.parents[element] as usize;
        }
        element
    }

    /// Whether other pages have a line as it is, but not most of them.
    fn is_own(&self, at: usize) -> bool {
        self.is_own_text(self.view.blocks[at].first)
    }

    /// The same of a text.
    pub(super) fn is_own_text(&self, text: NodeId) -> bool {
        let comparison = &self.beside.comparison;
        comparison.share_of(comparison.on(self.element_of(text)).text) <= EVERYWHERE
    }

    /// The lines of the level around one, itself included.
    pub(super) fn around(&self, at: usize) -> Range<usize> {
        lines_of(&self.view.levels.all[self.view.levels.around(at) as usize])
    }

    /// Takes prices between two lines that are taken, if they stand in one element with either.
    fn take_prices(&mut self) {
        let mut last: Option<usize> = None;
        for at in 0..self.taken.len() {
            if !self.taken[at] {
                continue;
            }
            if let Some(before) = last.replace(at)
                && (1..=GAP).contains(&(at - before - 1))
            {
                for between in before + 1..at {
                    let around = self.around(between);
                    let is_price = self.view.signs[between].currencies > 0 && self.words(between) <= PRICE;
                    let is_between = around.contains(&before) || around.contains(&at);
                    self.taken[between] = is_price && is_between && self.is_own(between);
                }
            }
        }
    }

    /// Takes the fields in which records differ, of which half are taken.
    fn take_records(&mut self) {
        let view = self.view;
        let is_record = |level: &&Level| {
            (2..=RECORD_LINES).contains(&(level.end - level.start))
                && view.sum(level.start as usize, level.end as usize).weight <= RECORD
        };
        // Of each region its records, and those that are taken.
        let mut counts = vec![(0_u32, 0_u32); view.levels.regions];
        let mut is_taken = vec![false; view.levels.all.len()];
        for (at, level) in view.levels.all.iter().enumerate().filter(|(_, level)| is_record(level)) {
            is_taken[at] = lines_of(level).any(|line| self.taken[line] && self.is_own(line));
            let (records, taken) = &mut counts[level.region as usize];
            *records += 1;
            *taken += u32::from(is_taken[at]);
        }
        let is_wanted = |level: &&Level| {
            let (records, taken) = counts[level.region as usize];
            taken > 1 && 2 * taken >= records && records as f32 >= view.alike[level.region as usize].levels
        };
        let mut fields: Vec<Field<'_>> = Vec::new();
        for (record, level) in view.levels.all.iter().enumerate().filter(|(_, level)| is_wanted(level)) {
            let text = |at: usize| view.page.string(view.blocks[at].first).trim();
            let field = |at: usize| Field { region: level.region, group: view.of_group[at], text: text(at), at, record };
            fields.extend(lines_of(level).map(field));
        }
        fields.sort_unstable();
        let varies = |field: &&[Field<'_>]| {
            let texts = field.chunk_by(|one, other| one.text == other.text).count();
            let has_digits = field.iter().all(|line| view.signs[line.at].digits > 0);
            (if has_digits { 3 } else { 2 }) * texts > field.len()
        };
        let by_field = || fields.chunk_by(|one, other| (one.region, one.group) == (other.region, other.group)).filter(varies);
        let mut comes_in = vec![false; view.levels.all.len()];
        for line in by_field().flatten().filter(|line| self.is_own(line.at)) {
            comes_in[line.record] = true;
        }
        for line in by_field().flatten() {
            // A record that comes in by its own value brings its label, though every page has that.
            let is_label = || comes_in[line.record] && view.sum(line.at, line.at + 1).link_density() < 0.5;
            self.taken[line.at] |= is_taken[line.record] || self.is_own(line.at) || is_label();
        }
    }

    /// Takes the terms of definitions that are taken.
    fn take_terms(&mut self) {
        for term in (0..self.taken.len().saturating_sub(1)).rev() {
            self.taken[term] |= self.taken[term + 1] && self.view.tag(term) == Tag::Dt;
        }
    }

    /// Takes the headings of sections most of which are taken and no links, from the first line on that is taken.
    fn take_headings(&mut self) {
        let page = self.view.page;
        let Some(first) = self.taken.iter().position(|taken| *taken) else { return };
        for at in (first..self.taken.len()).rev() {
            let level = self.view.heading[at];
            if self.taken[at] || !(2..=6).contains(&level) || self.words(at) > HEADING {
                continue;
            }
            let home = self.view.blocks[at].home;
            let is_heading = |node: &NodeId| matches!(page.tag(*node), Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6);
            let heading = std::iter::once(home).chain(page.ancestors(home)).find(is_heading).unwrap_or(home);
            let end = page.parent(heading).map_or(NodeId(0), |around| page.end(around));
            let is_inside = |other: &usize| {
                self.view.blocks[*other].last < end && (self.view.heading[*other] == 0 || self.view.heading[*other] > level)
            };
            let (mut all, mut taken) = (0, 0);
            for other in (at + 1..self.taken.len()).take_while(is_inside) {
                all += self.words(other);
                let is_prose = self.taken[other] && self.view.sum(other, other + 1).link_density() < 0.5;
                taken += if is_prose { self.words(other) } else { 0 };
            }
            self.taken[at] = taken > 0 && 2 * taken >= all;
        }
    }
}

/// A line of a record: those of one make in one region are a field.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Field<'a> {
    region: u32,
    group: u32,
    text: &'a str,
    at: usize,
    /// The level that is its record.
    record: usize,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::learned::site_model::SiteModel;
    use crate::learned::with_site::WithSite;
    use unchaff_dom::select::Selector;
    use unchaff_dom::{Page, Parser, emit};
    use unchaff_page::BlockKind;
    use unchaff_page::learned::auto::Auto;

    const NAMES: [&str; 8] = ["Heron", "Jellyfish", "Plumb", "Glow", "Counter", "Pebble", "Harbour", "Winter"];

    /// The words of the first of so many pages of a site.
    pub(in crate::learned) fn words_of_first(pages: usize, html: impl Fn(usize) -> String) -> String {
        let page = |at: usize| -> Page { Parser::new().url(&format!("https://example.org/{at}")).parse(html(at)) };
        let model = SiteModel::learn(&(1..pages).map(page).collect::<Vec<_>>());
        let page = page(0);
        let detection = WithSite::default().detect(&model, &page);
        emit::text(&page, detection.nodes(BlockKind::Content).unwrap())
    }

    /// The same of eight pages about lamps.
    fn words(body: impl Fn(usize) -> String) -> String {
        let menu: String = NAMES.iter().map(|name| format!("<li><a href=/{name}>{name}</a>")).collect();
        words_of_first(NAMES.len(), |at| {
            format!(
                "<title>Lamp {0}</title><nav><ul>{menu}</ul></nav><main class=main>{1}</main><footer><p>Made with care in our workshop by the sea.</p></footer>",
                NAMES[at],
                body(at)
            )
        })
    }

    /// Sentences that no other page has.
    fn prose(at: usize, more: usize) -> String {
        let own = |word: usize| NAMES[(at + word * (at + 1) + more) % NAMES.len()].to_lowercase();
        format!(
            "The {} lamp was drawn for people who read at night, and its light falls on the {} and {more} times on the {}, however late it gets.",
            NAMES[at],
            own(1),
            own(2)
        )
    }

    /// What belongs to some elements of a page that stands beside four others.
    fn belonging(body: impl Fn(usize) -> String, taken: &str) -> String {
        let page = |at: usize| Parser::new().url(&format!("https://example.org/{at}")).parse(body(at));
        let model = SiteModel::learn(&(1..5).map(page).collect::<Vec<_>>());
        let page = page(0);
        let (analysis, beside) = (Auto::default().analyse(&page), WithSite::default().beside(&model, &page));
        let taken: Vec<_> = page.select(&Selector::parse(taken).unwrap()).collect();
        let mut content = NodeSet::from_roots(&page, taken);
        take_what_belongs(&analysis, &vec![0.0; analysis.p.len()], &beside, &mut content);
        emit::text(&page, &content)
    }

    #[test]
    fn a_specification_keeps_all_its_values_with_their_labels() {
        let row = |label: &str, value: String, class: &str| {
            format!("<div class=row><div class=label>{label}</div><div class='value {class}'>{value}</div></div>")
        };
        let page = |at: usize| {
            let rows = [
                row("Height:", format!("{} cm", 20 + at), ""),
                row("Shade:", format!("paper of {}", NAMES[at]), "own"),
                row("Maker:", format!("{} and sons", NAMES[at]), "own"),
            ];
            format!("<p>{}</p><div class=facts>{}</div><p>Add to cart</p>", prose(at, 1), rows.concat())
        };
        let text = belonging(page, ".own");
        for said in ["Height:", "20 cm", "Shade:", "paper", "Maker:", "sons"] {
            assert!(text.contains(said), "{said}: {text}");
        }
        assert!(!text.contains("cart") && !text.contains("lamp"), "{text}");
        assert!(!belonging(page, "p").contains("Height:"), "of a specification nothing was taken of");
    }

    #[test]
    fn a_line_of_which_a_word_is_left_is_whole_and_a_term_stays_with_its_definition() {
        let page = |at: usize| {
            format!(
                "<div>The lines are <em>parallel</em> number {at} or the same.<dl><dt>Member for</dt><dd>{at} years</dd></dl><p>{}</p></div>",
                prose(at, 1)
            )
        };
        let text = belonging(page, "em, dd");
        assert!(text.contains("The lines are parallel number 0 or the same.") && text.contains("Member for"), "{text}");
    }

    #[test]
    fn prices_of_products_stay_and_their_buttons_do_not() {
        let text = words(|at| {
            let card = |other: usize| {
                format!(
                    "<div class=card><h3><a href=/{0}>Lamp {0}{at}</a></h3><p class=about>Bends towards number {0} {at} when the evening comes.</p><p class=price>{other}9,00 €</p><p class=more>See it in our shop</p></div>",
                    NAMES[other]
                )
            };
            let cards: String = (0..4).map(|other| card((at + other) % 8)).collect();
            format!("<h1>Lamps for {}</h1><p>{}</p><div class=cards>{cards}</div>", NAMES[at], prose(at, 1))
        });
        for said in ["Lamp Heron0", "09,00 €", "19,00 €", "29,00 €", "39,00 €"] {
            assert!(text.contains(said), "{said}: {text}");
        }
        assert!(!text.contains("our shop"), "{text}");
    }

    #[test]
    fn headings_that_recur_stay_with_their_sections() {
        let text = words(|at| {
            let section = |heading: &str, more: usize| format!("<h2>{heading}</h2><p>{}</p>", prose(at, more));
            let sections = section("How it works", 1)
                + &section("How it is made", 2)
                + "<h2>Write to us</h2><p>We answer every letter on the same day.</p>";
            format!("<h1>Lamp {}</h1>{sections}", NAMES[at])
        });
        assert!(text.contains("How it works") && text.contains("How it is made"), "{text}");
        assert!(!text.contains("Write to us"), "{text}");
    }
}
