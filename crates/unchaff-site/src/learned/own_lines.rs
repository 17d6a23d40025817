//! Lines that the page alone takes and that are its own, though what the site says of them speaks against them.
//!
//! Our own. The site knows elements, not lines, and compares texts with their digits folded; three kinds of content fell to that:
//!
//! - **bare paragraphs**: text directly in an element that wraps other parts is judged as that wrapper, which may be template to its last child;
//! - **listings**: topics of a forum, posts of a tag. What is in links and varies from page to page is mostly further reading, but on a page whose own text is such links they are what it is about;
//! - **specifications** all of whose values differ by digits alone: with digits folded every page has them, and their labels.
//!
//! They are kept where the page alone takes them and similar pages do not have them, and nowhere where names say that they stand beside the content. Similar products below a product
//! are none of these: they are in links, or stand on several pages.

use crate::learned::belonging::Lines;
use std::ops::Range;
use unchaff_page::learned::auto::Analysis;
use unchaff_page::learned::auto::levels::ELEMENT_SIGNS;
use unchaff_page::learned::name_families::Family;

/// A bare paragraph is as likely as this for the page alone.
const LIKELY: f32 = 0.5;
/// A listing has so many entries,
const ENTRIES: usize = 2;
/// at least one of so many lines of its make is one,
const OF_MAKE: usize = 3;
/// and they have such a share of the words that are the page's own.
const OF_OWN: f32 = 0.3;
/// If more than this share of these words is left, the page is about what is left.
const LEFT: f32 = 0.7;
/// A specification has so many values,
const VALUES: usize = 3;
/// at least one of so many of its lines is one,
const OF_LINES: usize = 3;
/// and no more than one of so many is neither a value nor a label.
const NEITHER: usize = 4;
/// A value weighs no more words.
const VALUE: f32 = 12.0;
/// Labels are on more than this share of the pages that have their place.
const LABEL: f32 = 0.5;
/// Names of what stands beside the content, if they are fewer levels up than this.
const BESIDE: [Family; 5] = [Family::Related, Family::Side, Family::Comment, Family::Pager, Family::Share];
const NEAR: u8 = 8;

/// How likely each line is that the page alone takes, before its site is asked; 0 of the others.
pub(crate) fn taken_alone(analysis: &Analysis<'_>) -> Vec<f32> {
    analysis.p.iter().enumerate().map(|(at, p)| if analysis.takes(at) { *p } else { 0.0 }).collect()
}

impl Lines<'_> {
    /// Takes lines of the page's own that it takes alone; see the [module](self).
    pub(super) fn keep_own(&mut self, alone: &[f32]) {
        let is_lost = |lines: &Self, at: usize| alone[at] > 0.0 && !lines.taken[at];
        if (0..alone.len()).any(|at| is_lost(self, at)) {
            self.keep_bare_paragraphs(alone);
            self.keep_listings(alone);
            let mut start = 0;
            while let Some(first) = (start..alone.len()).find(|at| is_lost(self, *at)) {
                let end = (first..alone.len()).find(|at| !is_lost(self, *at)).unwrap_or(alone.len());
                self.keep_specification(first..end);
                start = end;
            }
        }
    }

    /// Whether hardly any page has a line.
    fn is_only_here(&self, at: usize) -> bool {
        let comparison = &self.beside.comparison;
        let few = (comparison.used().count_ones() / 8).min(1);
        let mut texts = self.view.blocks[at].texts(self.view.page);
        texts.all(|text| comparison.pages_with_text(self.element_of(text)).count_ones() <= few)
    }

    fn is_in_links(&self, at: usize) -> bool {
        self.view.sum(at, at + 1).link_density() >= 0.5
    }

    fn is_beside(&self, at: usize) -> bool {
        let distances = &self.view.levels.distances[self.view.levels.of_block[at] as usize];
        BESIDE.iter().any(|family| distances[ELEMENT_SIGNS.len() + *family as usize] < NEAR)
    }

    fn keep_bare_paragraphs(&mut self, alone: &[f32]) {
        for (at, p) in alone.iter().enumerate().filter(|(_, p)| **p >= LIKELY) {
            let home = &self.view.levels.all[self.view.levels.of_block[at] as usize];
            let is_bare = home.end - home.start > 1 && self.view.is_paragraph[at];
            self.taken[at] |= *p > 0.0 && is_bare && self.is_only_here(at);
        }
    }

    fn keep_listings(&mut self, alone: &[f32]) {
        let is_entry = |lines: &Self, at: usize| lines.is_in_links(at) && !lines.is_beside(at) && lines.is_only_here(at);
        let is_lost = |at: usize| alone[at] > 0.0 && !self.taken[at] && self.is_in_links(at);
        if (0..alone.len()).filter(|at| is_lost(*at)).count() < ENTRIES {
            return;
        }
        let (mut own, mut left) = (0, 0);
        // Lines of each make, entries among those that the page alone takes, and words of these.
        let mut makes = vec![(0_usize, 0_usize, 0_u32); self.view.of_group.iter().max().map_or(0, |last| *last as usize + 1)];
        for at in 0..alone.len() {
            let (lines, entries, words) = &mut makes[self.view.of_group[at] as usize];
            *lines += 1;
            if alone[at] > 0.0 && self.is_only_here(at) {
                own += self.words(at);
                left += if self.taken[at] { self.words(at) } else { 0 };
                if is_entry(self, at) {
                    *entries += 1;
                    *words += self.words(at);
                }
            }
        }
        if left as f32 >= LEFT * own as f32 {
            return;
        }
        for at in 0..alone.len() {
            let (lines, entries, words) = makes[self.view.of_group[at] as usize];
            let is_listing = entries >= ENTRIES && OF_MAKE * entries >= lines && words as f32 >= OF_OWN * own as f32;
            self.taken[at] |= is_listing && is_entry(self, at);
        }
    }

    /// Takes what is a specification in a run of lines that the site left out.
    fn keep_specification(&mut self, run: Range<usize>) {
        let view = self.view;
        let is_value = |at: usize| {
            view.signs[at].digits > 0
                && view.sum(at, at + 1).weight <= VALUE
                && !self.is_in_links(at)
                && view.blocks[at].texts(view.page).any(|text| self.is_own_text(text))
        };
        let are_values: Vec<bool> = run.clone().map(is_value).collect();
        let values = are_values.iter().filter(|is_value| **is_value).count();
        let value = |is_value: &bool| *is_value;
        let (Some(first), Some(last)) = (are_values.iter().position(value), are_values.iter().rposition(value)) else { return };
        // From the label of the first value on.
        let lines = run.start.max(self.around(run.start + first).start)..run.start + last + 1;
        let is_label = |at: usize| {
            let comparison = &self.beside.comparison;
            comparison.found(self.element_of(view.blocks[at].first)).text_where_placed >= LABEL
        };
        let neither = lines.clone().filter(|at| !are_values[at - run.start] && !is_label(*at)).count();
        let is_specification = values >= VALUES
            && OF_LINES * values >= lines.len()
            && NEITHER * neither <= lines.len()
            && !lines.clone().any(|at| self.is_beside(at));
        if is_specification {
            self.taken[lines].fill(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::learned::belonging::take_what_belongs;
    use crate::learned::belonging::tests::words_of_first;
    use crate::learned::site_model::SiteModel;
    use crate::learned::with_site::WithSite;
    use unchaff_dom::select::Selector;
    use unchaff_dom::{NodeSet, Parser, emit};
    use unchaff_page::learned::auto::{self, Auto};

    const NAMES: [&str; 10] =
        ["Heron", "Jellyfish", "Plumb", "Glow", "Counter", "Pebble", "Harbour", "Winter", "Arbour", "Cinder"];
    const SHADES: [&str; 10] = ["paper", "brass", "linen", "oak", "glass", "river", "garden", "window", "wool", "kitchen"];

    /// The words of the first of ten pages of a shop.
    fn words(body: impl Fn(usize) -> String) -> String {
        let menu: String = NAMES.iter().map(|name| format!("<li><a href=/{name}>{name}</a>")).collect();
        words_of_first(NAMES.len(), |at| {
            format!(
                "<title>{} - Lamps by the sea</title><header><a href=/>Lamps by the sea</a><nav><ul>{menu}</ul></nav></header>{}<footer><p>Made with care in our workshop by the sea since 1987.</p></footer>",
                NAMES[at],
                body(at)
            )
        })
    }

    /// Sentences that no other page has.
    fn prose(at: usize, more: usize) -> String {
        let shade = |step: usize| SHADES[(at * (step + 1) + more * step + 3) % SHADES.len()];
        let sentence = |step: usize| {
            format!(
                "The {} lamp has a shade of {} that throws its light on the {} and, later on, the {}. ",
                NAMES[at],
                shade(step),
                shade(step + 1),
                shade(step + 2)
            )
        };
        (0..3).map(sentence).collect()
    }

    /// What is kept of the first page if it alone takes some elements, and some of these with its site.
    fn kept(body: impl Fn(usize) -> String, alone: &str, taken: &str) -> String {
        let page = |at: usize| Parser::new().url(&format!("https://example.org/{at}")).parse(body(at));
        let model = SiteModel::learn(&(1..NAMES.len()).map(page).collect::<Vec<_>>());
        let page = page(0);
        let (analysis, beside) = (Auto::default().analyse(&page), WithSite::default().beside(&model, &page));
        let chosen = |selector: &str| {
            let roots: Vec<_> = page.select(&Selector::parse(selector).unwrap()).collect();
            NodeSet::from_roots(&page, roots)
        };
        let (alone, mut content) = (chosen(alone), chosen(taken));
        let likely = |block: &auto::blocks::Block| if alone.contains(block.first) { 0.7 } else { 0.0 };
        let alone: Vec<f32> = analysis.view.blocks.iter().map(likely).collect();
        take_what_belongs(&analysis, &alone, &beside, &mut content);
        emit::text(&page, &content)
    }

    /// A list of links that only this page has, and a name around it.
    fn listing(at: usize, name: &str) -> String {
        let entry = |step: usize| {
            format!(
                "<li class=entry><a href=/{at}/{step}>Why the {} of {} glows by the {}</a></li>",
                SHADES[step],
                NAMES[at],
                SHADES[(at + step) % 10]
            )
        };
        format!("<div class={name}><ul>{}</ul></div>", (0..6).map(entry).collect::<String>())
    }

    #[test]
    fn a_listing_stays_where_it_is_most_of_what_is_the_page_s_own() {
        let page = |at: usize| {
            format!(
                "<body><h1>{}</h1>{}<div class=about><p>{}</p><p>{}</p><p>{}</p></div>",
                NAMES[at],
                listing(at, "topics"),
                prose(at, 1),
                prose(at, 4),
                prose(at, 7)
            )
        };
        let text = kept(page, "h1, .topics", "h1");
        assert!(text.contains("Why the paper of Heron") && text.contains("Why the river of Heron"), "{text}");
        assert!(!kept(page, "h1, .topics, .about", "h1, .about").contains("Why"), "the page is about what is left");
        assert!(!kept(page, "h1", "h1").contains("Why"), "the page alone does not take it");
    }

    #[test]
    fn no_listing_stays_that_is_called_further_reading_or_that_other_pages_have() {
        let related = |at: usize| format!("<body><h1>{}</h1>{}", NAMES[at], listing(at, "related-posts"));
        assert!(!kept(related, "h1, .related-posts", "h1").contains("Why"));
        let everywhere = |at: usize| format!("<body><h1>{}</h1>{}<p>{}</p>", NAMES[at], listing(3, "topics"), prose(at, 1));
        assert!(!kept(everywhere, "h1, .topics", "h1").contains("Why"));
    }

    #[test]
    fn a_paragraph_stays_that_stands_bare_in_a_wrapper_of_other_parts() {
        let page = |at: usize| {
            format!(
                "<body><div class=wrapper><h1>{}</h1>{}<div class=ad><p>Buy two lamps, pay for one, this week and next.</p></div></div>",
                NAMES[at],
                prose(at, 1)
            )
        };
        let text = kept(page, "h1, .wrapper", "h1");
        assert!(text.contains("The Heron lamp has a shade"), "{text}");
        assert!(!text.contains("Buy two lamps"), "every page has it: {text}");
    }

    #[test]
    fn a_specification_stays_whose_values_differ_by_digits_alone_and_similar_products_below_it_do_not() {
        let facts = |at: usize| {
            [("Height", "cm", 61), ("Width", "cm", 19), ("Weight", "kg", 7), ("Cable", "m", 18), ("Power", "W", 10)]
                .map(|(label, unit, number)| (label, format!("{} {unit}", number * 3 + at * number)))
        };
        type Form = fn(&str, &str) -> String;
        let forms: [(&str, Form); 4] = [
            ("table", |label, value| format!("<tr><th>{label}</th><td>{value}</td></tr>")),
            ("dl", |label, value| format!("<dt>{label}</dt><dd>{value}</dd>")),
            ("ul", |label, value| format!("<li><strong>{label}:</strong> {value}</li>")),
            ("div", |label, value| format!("<div class=row><div class=label>{label}</div><div class=value>{value}</div></div>")),
        ];
        for (element, form) in forms {
            let text = words(|at| {
                let specification: String = facts(at).iter().map(|(label, value)| form(label, value)).collect();
                let card = |step: usize| {
                    let name = NAMES[(at + step) % NAMES.len()];
                    format!("<div class=card><a href=/{name}>{name} lamp</a><p>{}9,00 €</p></div>", 20 + step)
                };
                format!(
                    "<main><h1>{} lamp</h1><p>{}</p><h2>Dimensions</h2><{element} class=spec>{specification}</{element}><h2>Story</h2><p>{}</p><section class=more><h2>You may also like</h2>{}{}{}</section></main>",
                    NAMES[at],
                    prose(at, 1),
                    prose(at, 5),
                    card(1),
                    card(3),
                    card(4)
                )
            });
            for said in ["Dimensions", "Height", "183 cm", "Width", "57 cm", "Power", "30 W", "Story"] {
                assert!(text.contains(said), "{element}, {said}: {text}");
            }
            assert!(!text.contains("also like") && !text.contains("Jellyfish") && !text.contains("€"), "{element}: {text}");
        }
    }
}
