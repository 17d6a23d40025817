//! LSI, the largest size increase: the node that adds most text to what its largest child has.
//!
//! A heuristic of XWRAP Elite; as an extractor of the main content by Thomas Gottron: Content Extraction. PhD thesis,
//! Johannes Gutenberg-Universität Mainz, 2008, section 6.2, algorithm 6.1. It looks for the smallest subtree with all of
//! the main content, to which the articles' paragraphs are the children. It has no parameters; the switches are
//! readings that the thesis leaves open. Where a side bar of many short items splits off early, it finds that (section 6.5.2).

use crate::parameters::{choice, parameters};
use crate::registry::Entry;
use crate::views::text_length::{Characters, TextLength};
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use unchaff_dom::{NodeId, Page};

choice! {
    /// Which nodes can be the content, and have their text compared.
    pub enum Candidates {
        /// Elements.
        Elements = "elements",
        /// Text nodes too: then the text directly in an element counts against it if it is the longest piece.
        All = "all",
    }
}

parameters! {
    /// Switches of LSI.
    pub struct Params {
        /// Which nodes are compared: elements, or text nodes too.
        pub candidates: Candidates = Candidates::Elements,
        /// Which characters make the length of a text: all but white space, or with single spaces.
        pub characters: Characters = Characters::Solid,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<LargestSizeIncrease, Params>(
    "lsi",
    BlockKind::Content,
    "the element that has most text beyond that of its largest child",
    "T. Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, section 6.2, after XWRAP Elite",
    "linear in the page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct LargestSizeIncrease {
    params: Params,
}

impl From<Params> for LargestSizeIncrease {
    fn from(params: Params) -> LargestSizeIncrease {
        LargestSizeIncrease { params }
    }
}

impl PageTechnique for LargestSizeIncrease {
    fn name(&self) -> &'static str {
        "lsi"
    }

    fn detect(&self, page: &Page) -> Detection {
        let best = self.best(page, &self.increases(page));
        Detection::of(BlockKind::Content, page.subtree_set(best))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let increases = self.increases(page);
        let best = self.best(page, &increases);
        let lengths = TextLength::new(page, self.params.characters);
        let mut explanation = Explanation::new(&["characters", "increase"]).rated_by("increase", Likely::High);
        for node in page.nodes().filter(|node| self.is_candidate(page, *node)) {
            let remark = if node == best { "content" } else { "" };
            explanation.push(node, &[f64::from(lengths.of(page, node)), f64::from(increases[node.index()])], remark);
        }
        explanation
    }
}

impl LargestSizeIncrease {
    fn is_candidate(&self, page: &Page, node: NodeId) -> bool {
        self.params.candidates == Candidates::All || page.is_element(node)
    }

    /// By how much each node is larger than its largest child. No descendant is larger than a child, so these are all that
    /// the algorithm's maximum over descendants can be.
    fn increases(&self, page: &Page) -> Vec<u32> {
        let lengths = TextLength::new(page, self.params.characters);
        let mut largest_child = vec![0u32; page.len()];
        for node in page.nodes().filter(|node| self.is_candidate(page, *node)) {
            if let Some(parent) = page.parent(node) {
                largest_child[parent.index()] = largest_child[parent.index()].max(lengths.of(page, node));
            }
        }
        for node in page.nodes() {
            largest_child[node.index()] = lengths.of(page, node) - largest_child[node.index()];
        }
        largest_child
    }

    /// The first node of the largest increase; the root of a page without text.
    fn best(&self, page: &Page, increases: &[u32]) -> NodeId {
        let root = page.html().unwrap_or(page.root());
        let candidates = page.subtree(root).filter(|node| self.is_candidate(page, *node));
        candidates
            .reduce(|best, node| if increases[node.index()] > increases[best.index()] { node } else { best })
            .unwrap_or(root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::Tag;
    use unchaff_dom::select::Selector;

    fn letters(number: usize) -> String {
        "a".repeat(number)
    }

    fn best(html: &str, params: Params) -> String {
        let page = Page::parse(html);
        let lsi = LargestSizeIncrease::from(params);
        let node = lsi.best(&page, &lsi.increases(&page));
        page.attr(node, "id").unwrap_or(page.name(node)).to_owned()
    }

    #[test]
    fn the_parent_of_the_paragraphs_adds_most() {
        // The page is made by hand.
        let links = format!("<li><a href=x>{}</a></li>", letters(10)).repeat(8);
        let html = format!(
            "<body><div><p>{}</p><p>{}</p><p>{}</p><ul>{links}</ul></div></body>",
            letters(120),
            letters(200),
            letters(150)
        );
        let page = Page::parse(html.clone());
        let increases = LargestSizeIncrease::default().increases(&page);
        let increase = |selector: &str| {
            page.select(&Selector::parse(selector).unwrap()).map(|node| increases[node.index()]).collect::<Vec<_>>()
        };
        assert_eq!(increase("p"), [120, 200, 150]);
        assert_eq!(
            (increase("ul"), increase("div"), increase("body"), increase("html")),
            (vec![70], vec![350], vec![0], vec![0])
        );
        assert_eq!(best(&html, Params::default()), "div");
    }

    #[test]
    fn a_side_bar_of_short_items_can_add_more_than_the_article() {
        // Seen on the package chip (Gottron 2008, section 6.5.2); the page is made by hand.
        let items = format!("<p>{}</p>", letters(60)).repeat(10);
        let html = format!("<body><div id=main><p>{}</p></div><div id=side>{items}</div></body>", letters(300));
        assert_eq!(best(&html, Params::default()), "side");
    }

    #[test]
    fn wrappers_add_nothing_and_no_text_is_the_root() {
        assert_eq!(best("<body><div><div><p>text</p></div></div></body>", Params::default()), "p");
        assert_eq!(best("<body><div><img></div></body>", Params::default()), "html");
        // Both paragraphs and the body add as much; the body comes first.
        assert_eq!(best("<body><p>text</p><p>text</p></body>", Params::default()), "body");
    }

    #[test]
    fn switches_change_what_they_say() {
        // With text nodes the longest piece is a candidate itself.
        let html = format!("<body><div>{}<b>{}</b></div></body>", letters(50), letters(40));
        assert_eq!(best(&html, Params::default()), "div");
        assert_eq!(best(&html, Params { candidates: Candidates::All, ..Params::default() }), Tag::Text.name());
        // Spaces between words count, or not.
        let html = "<body><p id=words>a b c d e</p><p id=letters>abcdefgh</p></body>";
        assert_eq!(best(html, Params::default()), "letters");
        assert_eq!(best(html, Params { characters: Characters::Collapsed, ..Params::default() }), "words");
    }

    proptest! {
        #[test]
        fn children_stand_for_all_descendants(words in prop::collection::vec("<(div|p|ul|li|a|b)>|</(div|p|ul|a)>|one two |three ", 0..60)) {
            let page = Page::parse(words.concat());
            let lengths = TextLength::new(&page, Characters::Solid);
            let increases = LargestSizeIncrease::default().increases(&page);
            for node in page.nodes() {
                let largest = page.descendants(node).filter(|below| page.is_element(*below)).map(|below| lengths.of(&page, below)).max();
                prop_assert_eq!(increases[node.index()], lengths.of(&page, node) - largest.unwrap_or(0));
            }
        }
    }
}
