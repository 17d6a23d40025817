//! Crunch: a chain of filters that take away what is typical of everything but content; here those that concern links.
//!
//! Suhit Gupta, Gail Kaiser, David Neistadt, Peter Grimm: DOM-based content extraction of HTML documents. WWW 2003, as
//! retold by Thomas Gottron (2008, sections 3.2.1 and 3.2.4). Crunch is a proxy that rather keeps too much than too little.
//! Its remover of link lists compares the words in links with the words of a table cell, words being estimated from
//! characters. Cells are all that pages of its time were made of; for pages made of other blocks there is a switch.
//!
//! Of its other filters, the remover of advertisements is here, with no patterns to begin with, and that of empty cells. Filters of one's own are
//! selectors of what goes. Links that were removed can be written at the end, so that the page can still be navigated. Filters that only
//! change the layout have nothing to say about which nodes are content.
//!
//! Crunch loads settings by the genre of a page. Neither its genres, how they are told nor the settings found for them were published; ours are the kinds of pages of a
//! labelled set (wcxb-dev, 1,497 pages of 2025–26), each with the best of twelve settings there (docs/techniques.md).

use crate::learned::auto::self_description::{KINDS, SelfDescription};
use crate::parameters::{choice, parameters};
use crate::published::link_quota::{Links, Quotas, Ratio, Scope, is_block, remaining_text};
use crate::registry::Entry;
use crate::views::whole_elements::with_whole_elements;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use unchaff_dom::select::Selector;
use unchaff_dom::{NodeId, NodeSet, Page, Tag, emit};

choice! {
    /// What the remover of link lists looks at.
    pub enum Fragments {
        /// Table cells.
        Cells = "cells",
        /// All block elements.
        Blocks = "blocks",
    }
}

choice! {
    /// The genre of a page, by which settings are chosen.
    pub enum Genre {
        /// None: the settings are those that are given.
        None = "none",
        /// What the page says of itself in its head: an article or a product; else the given settings.
        Told = "told",
        /// News, posts of blogs, pages of companies.
        Article = "article",
        /// One thing to buy.
        Product = "product",
        /// Threads.
        Forum = "forum",
        /// Manuals.
        Documentation = "documentation",
        /// Lists that are what a page is for.
        Listing = "listing",
    }
}

impl Genre {
    /// The threshold that was found best, for blocks, if the genre has one.
    fn threshold(self) -> Option<f64> {
        match self {
            Genre::None | Genre::Told => None,
            Genre::Article => Some(0.35),
            Genre::Product | Genre::Forum => Some(0.2),
            Genre::Documentation | Genre::Listing => Some(0.8),
        }
    }

    fn told_by(page: &Page) -> Genre {
        let kinds = SelfDescription::of(page).kinds;
        let has = |names: &[&str]| KINDS.iter().enumerate().any(|(at, kind)| kinds >> at & 1 == 1 && names.contains(kind));
        if has(&["product"]) {
            Genre::Product
        } else if has(&["article", "newsarticle", "blogposting"]) {
            Genre::Article
        } else {
            Genre::None
        }
    }
}

parameters! {
    /// Parameters of Crunch. The default is its published setting.
    pub struct Params {
        /// The text of fragments with a higher share of words in links goes.
        pub threshold: f64 = 0.35,
        /// What words in links are compared with: all words, or those outside links; not stated for Crunch.
        pub ratio: Ratio = Ratio::OfAll,
        /// How many characters make a word.
        /// Of no effect unless words are rounded.
        pub characters_per_word: f64 = 5.0,
        /// Whether words are rounded down to whole ones, so that short texts have none.
        pub whole_words: bool = false,
        /// What is looked at: table cells, or all block elements.
        pub fragments: Fragments = Fragments::Cells,
        /// Which text goes with a fragment: its own, or all below it.
        pub scope: Scope = Scope::Local,
        /// Which `a` elements are links: those with an href, or all.
        pub links: Links = Links::Href,
        /// Keep the links that were removed, with their text.
        /// Crunch writes them at the end of the page; here they stay in their place.
        pub keep_links: bool = false,
        /// Write the links that were removed at the end, as Crunch does.
        pub append_links: bool = false,
        /// Elements that go in any case, as CSS selectors with commas between them: filters of one's own.
        pub drop: String = String::new(),
        /// Elements whose src or href has one of these in it are advertisements: texts with spaces between them.
        pub advertisements: String = String::new(),
        /// Whether table cells without text go.
        pub drop_empty_cells: bool = true,
        /// The genre of the page, which then decides on threshold and fragments.
        pub genre: Genre = Genre::None,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Crunch, Params>(
    "crunch",
    BlockKind::Content,
    "everything but table cells of which too many words are links",
    "S. Gupta, G. Kaiser, D. Neistadt, P. Grimm: DOM-based content extraction of HTML documents. WWW 2003, \
     after T. Gottron: Content Extraction, 2008, section 3.2.1",
    "linear in the page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Crunch {
    params: Params,
}

impl From<Params> for Crunch {
    fn from(params: Params) -> Crunch {
        Crunch { params }
    }
}

impl PageTechnique for Crunch {
    fn name(&self) -> &'static str {
        "crunch"
    }

    fn detect(&self, page: &Page) -> Detection {
        if let Some(settled) = self.settled(page) {
            return settled.detect(page);
        }
        let quotas = Quotas::new(page, self.params.links, |tag| self.is_fragment(tag));
        let mut kept = remaining_text(
            page,
            self.params.scope,
            |tag| self.is_fragment(tag),
            |fragment| self.quota(&quotas, fragment) > self.params.threshold,
        );
        if self.params.keep_links {
            for link in page.nodes().filter(|node| self.params.links.is_link(page, *node)) {
                kept.insert_subtree(page, link);
            }
        }
        let mut nodes = with_whole_elements(page, &kept);
        if self.params.drop_empty_cells {
            self.remove(page, &mut nodes, |node| is_cell(page.tag(node)) && page.counts(node).tokens == 0);
        }
        if !self.params.advertisements.is_empty() {
            self.remove(page, &mut nodes, |node| self.is_advertisement(page, node));
        }
        let mut notes = Vec::new();
        match Selector::parse(&self.params.drop) {
            _ if self.params.drop.trim().is_empty() => {}
            Ok(selector) => {
                let dropped = NodeSet::from_nodes(page, page.select(&selector));
                self.remove(page, &mut nodes, |node| dropped.contains(node));
            }
            Err(error) => notes.push(format!("nothing was dropped: {error}")),
        }
        let embedded = self.params.append_links.then(|| with_removed_links(page, &nodes, self.params.links));
        Detection { embedded: embedded.flatten(), notes, ..Detection::of(BlockKind::Content, nodes) }
    }

    fn explain(&self, page: &Page) -> Explanation {
        if let Some(settled) = self.settled(page) {
            return settled.explain(page);
        }
        let quotas = Quotas::new(page, self.params.links, |tag| self.is_fragment(tag));
        let mut explanation = Explanation::new(&["link text", "text", "quota"]).rated_by("quota", Likely::Low);
        for fragment in page.nodes().filter(|node| self.is_fragment(page.tag(*node))) {
            let (linked, all) = self.words(quotas.characters(fragment));
            let quota = self.quota(&quotas, fragment);
            explanation.push(fragment, &[linked, all, quota], if quota > self.params.threshold { "removed" } else { "" });
        }
        explanation
    }
}

/// The content with the links that are not in it at the end; nothing if there are none.
fn with_removed_links(page: &Page, nodes: &NodeSet, links: Links) -> Option<String> {
    let has_text = |link: NodeId| page.subtree(link).any(|node| page.tag(node) == Tag::Text && page.counts(node).tokens > 0);
    let is_kept = |link: NodeId| page.subtree(link).any(|node| page.tag(node) == Tag::Text && nodes.contains(node));
    let removed = page.nodes().filter(|node| links.is_link(page, *node) && has_text(*node) && !is_kept(*node));
    let removed = NodeSet::from_roots(page, removed);
    (!removed.is_empty()).then(|| format!("{}<hr>\n{}", emit::html(page, nodes), emit::html(page, &removed)))
}

fn is_cell(tag: Tag) -> bool {
    matches!(tag, Tag::Td | Tag::Th)
}

impl Crunch {
    /// The same with the settings of the page's genre; nothing if it has none.
    fn settled(&self, page: &Page) -> Option<Crunch> {
        let genre = if self.params.genre == Genre::Told { Genre::told_by(page) } else { self.params.genre };
        let threshold = genre.threshold()?;
        Some(Crunch { params: Params { threshold, fragments: Fragments::Blocks, genre: Genre::None, ..self.params.clone() } })
    }

    fn is_fragment(&self, tag: Tag) -> bool {
        match self.params.fragments {
            Fragments::Cells => is_cell(tag),
            Fragments::Blocks => is_block(tag),
        }
    }

    /// Words as Crunch estimates them. The characters of a word cancel out unless they are rounded; a division that changes
    /// nothing would only blur equality with the threshold.
    fn words(&self, (linked, all): (f64, f64)) -> (f64, f64) {
        let words = |characters: f64| (characters / self.params.characters_per_word.max(1.0)).floor();
        if self.params.whole_words { (words(linked), words(all)) } else { (linked, all) }
    }

    fn quota(&self, quotas: &Quotas, fragment: NodeId) -> f64 {
        self.params.ratio.quota(self.words(quotas.characters(fragment)))
    }

    fn is_advertisement(&self, page: &Page, node: NodeId) -> bool {
        page.is_element(node)
            && ["src", "href"]
                .into_iter()
                .filter_map(|name| page.attr(node, name))
                .any(|address| self.params.advertisements.split_whitespace().any(|pattern| address.contains(pattern)))
    }

    /// Takes the subtrees of some nodes out. Elements above them no longer hold all of their text.
    fn remove(&self, page: &Page, nodes: &mut NodeSet, is_removed: impl Fn(NodeId) -> bool) {
        let mut end = NodeId(0);
        for node in page.nodes() {
            if node >= end && is_removed(node) {
                end = page.end(node);
                nodes.remove_subtree(page, node);
                if page.counts(node).tokens > 0 {
                    for ancestor in page.ancestors(node) {
                        nodes.remove(ancestor);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PAGE: &str = "<body><table><tr><td><a href=1>One</a> <a href=2>Two</a><td>A text with <a href=3>a link</a> in it.</table>\
                        <ul><li><a href=4>Four</a></ul></body>";

    fn text(html: &str, params: Params) -> String {
        let page = Page::parse(html);
        let words = emit::text(&page, &Crunch::from(params).detect(&page).blocks.remove(0).nodes);
        words
            .split(|character: char| character.is_whitespace() || character == '-')
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn cells_of_links_go_and_nothing_else() {
        assert_eq!(text(PAGE, Params::default()), "A text with a link in it. Four");
    }

    #[test]
    fn switches_change_what_they_say() {
        let set = |change: fn(&mut Params)| {
            let mut params = Params::default();
            change(&mut params);
            text(PAGE, params)
        };
        assert_eq!(set(|params| params.fragments = Fragments::Blocks), "A text with a link in it.");
        assert_eq!(set(|params| params.keep_links = true), "One Two A text with a link in it. Four");
        // 6 of 22 characters are in links: 0.27 of all, 0.375 of the rest.
        assert_eq!(set(|params| params.ratio = Ratio::ToRest), "Four");
        assert_eq!(set(|params| params.threshold = 0.2), "Four");
        assert_eq!(set(|params| params.advertisements = "nothing 3 other".to_owned()), "A text with in it. Four");
        // Six characters are one word of five, and none of seven; then there are no words in links to be compared.
        assert_eq!(set(|params| params.whole_words = true), "A text with a link in it. Four");
        assert_eq!(
            set(|params| {
                params.whole_words = true;
                params.characters_per_word = 7.0;
            }),
            "One Two A text with a link in it. Four"
        );
        // A cell in a cell stands for itself, or goes with what is around it.
        let nested = "<body><table><tr><td><a href=1>One</a><table><tr><td>text</table></table></body>";
        assert_eq!(text(nested, Params::default()), "text");
        assert_eq!(text(nested, Params { scope: Scope::Subtree, ..Params::default() }), "");
        let nameless = "<body><table><tr><td><a>One</a></table></body>";
        assert_eq!(text(nameless, Params::default()), "One");
        assert_eq!(text(nameless, Params { links: Links::All, ..Params::default() }), "");
        let page = Page::parse("<body><table><tr><td>a<td></table></body>");
        let cells = |drop_empty_cells| {
            let nodes = Crunch::from(Params { drop_empty_cells, ..Params::default() }).detect(&page).blocks.remove(0).nodes;
            nodes.iter().filter(|node| is_cell(page.tag(*node))).count()
        };
        assert_eq!((cells(true), cells(false)), (1, 2));
    }

    #[test]
    fn a_genre_decides_on_threshold_and_fragments_and_may_be_told_by_the_page() {
        // 6 of 22 characters of the second cell are in links: 0.27.
        let of = |genre: Genre, head: &str| text(&format!("<head>{head}</head>{PAGE}"), Params { genre, ..Params::default() });
        assert_eq!(of(Genre::Article, ""), "A text with a link in it.");
        assert_eq!(of(Genre::Product, ""), "");
        assert_eq!(of(Genre::Forum, ""), "");
        assert_eq!(of(Genre::Listing, ""), "A text with a link in it.");
        let (product, article) = ("<meta property=og:type content=product>", "<meta property=og:type content=article>");
        assert_eq!(of(Genre::Told, product), of(Genre::Product, ""));
        assert_eq!(of(Genre::Told, article), of(Genre::Article, ""));
        assert_eq!(of(Genre::Told, ""), of(Genre::None, ""));
        let page = Page::parse(PAGE);
        let settled = Crunch::from(Params { genre: Genre::Documentation, ..Params::default() });
        let given = Crunch::from(Params { threshold: 0.8, fragments: Fragments::Blocks, ..Params::default() });
        assert_eq!((settled.detect(&page), settled.explain(&page)), (given.detect(&page), given.explain(&page)));
    }

    #[test]
    fn removed_links_can_be_written_at_the_end_and_filters_be_added() {
        let page = Page::parse(PAGE);
        let detection = Crunch::from(Params { append_links: true, ..Params::default() }).detect(&page);
        let html = detection.embedded.unwrap();
        let (content, end) = html.split_once("<hr>").unwrap();
        assert!(content.contains("A text with") && !content.contains("One"), "{html}");
        assert!(end.contains("One") && end.contains("Two") && end.contains("href=\"1\"") && !end.contains("a link"), "{html}");
        assert_eq!(Crunch::default().detect(&page).embedded, None);
        let dropped = |drop: &str| text(PAGE, Params { drop: drop.to_owned(), ..Params::default() });
        assert_eq!(dropped("ul, td a[href='3']"), "A text with in it.");
        let wrong = Crunch::from(Params { drop: "ul[".to_owned(), ..Params::default() }).detect(&page);
        assert!(wrong.notes[0].starts_with("nothing was dropped"), "{:?}", wrong.notes);
    }

    proptest! {
        #[test]
        fn characters_per_word_matter_only_when_rounded(words in prop::collection::vec("<(table|tr|td|div|p)>|<a href=x>|</(table|p|a)>|one two |three ", 0..60), size in 1.0..9.0) {
            let page = Page::parse(words.concat());
            let one = Crunch::default().detect(&page);
            let other = Crunch::from(Params { characters_per_word: size, ..Params::default() }).detect(&page);
            prop_assert_eq!(one, other);
        }
    }
}
