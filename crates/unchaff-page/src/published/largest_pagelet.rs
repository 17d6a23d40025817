//! LP, the largest pagelet: of the parts into which links divide a page, the one with most text.
//!
//! Thomas Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, section 6.3, algorithm 6.2,
//! with the pagelets of Bar-Yossef and Rajagopalan (2002): nodes of which no child has *k* links or more, and no ancestor is
//! a pagelet. A list of related links beside the paragraphs of an article tears it apart; then the longest paragraph is
//! all that is found (section 6.5.2).

use crate::parameters::parameters;
use crate::published::link_quota::Links;
use crate::registry::Entry;
use crate::views::text_length::{Characters, TextLength};
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use std::collections::VecDeque;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

parameters! {
    /// Parameters of LP. The default is the published best setting.
    pub struct Params {
        /// An element is divided if a child has this many links.
        /// The thesis tried 3 to 11; the pagelets' inventors used 3.
        pub k: u32 = 7,
        /// Whether text directly in an element that is divided becomes a pagelet of its own.
        /// Otherwise it belongs to none.
        pub loose_text: bool = true,
        /// Which `a` elements are links: those with an href, or all.
        pub links: Links = Links::Href,
        /// Which characters make the length of a text: all but white space, or with single spaces.
        pub characters: Characters = Characters::Solid,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<LargestPagelet, Params>(
    "lp",
    BlockKind::Content,
    "of the parts into which links divide a page, the one with most text",
    "T. Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, section 6.3, \
     after Bar-Yossef and Rajagopalan, 2002",
    "linear in the page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct LargestPagelet {
    params: Params,
}

impl From<Params> for LargestPagelet {
    fn from(params: Params) -> LargestPagelet {
        LargestPagelet { params }
    }
}

impl PageTechnique for LargestPagelet {
    fn name(&self) -> &'static str {
        "lp"
    }

    fn detect(&self, page: &Page) -> Detection {
        let largest = self.largest(page, &self.pagelets(page));
        Detection::of(BlockKind::Content, NodeSet::from_roots(page, largest))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let pagelets = self.pagelets(page);
        let largest = self.largest(page, &pagelets);
        let lengths = TextLength::new(page, self.params.characters);
        let mut explanation = Explanation::new(&["characters", "links"]);
        for pagelet in pagelets {
            let remark = if Some(pagelet) == largest { "content" } else { "" };
            explanation.push(pagelet, &[f64::from(lengths.of(page, pagelet)), f64::from(self.links_of(page, pagelet))], remark);
        }
        explanation
    }
}

impl LargestPagelet {
    fn links_of(&self, page: &Page, node: NodeId) -> u32 {
        match self.params.links {
            Links::Href => page.counts(node).links,
            Links::All => page.counts(node).anchors,
        }
    }

    /// The pagelets of a page in document order; none stands in another.
    #[must_use]
    pub fn pagelets(&self, page: &Page) -> Vec<NodeId> {
        let mut queue = VecDeque::from([page.html().unwrap_or(page.root())]);
        let mut pagelets = Vec::new();
        while let Some(node) = queue.pop_front() {
            let is_divided = self.links_of(page, node) >= self.params.k
                && page.children(node).any(|child| self.links_of(page, child) >= self.params.k);
            if is_divided {
                let is_part = |child: &NodeId| page.is_element(*child) || self.params.loose_text && page.tag(*child) == Tag::Text;
                queue.extend(page.children(node).filter(is_part));
            } else {
                pagelets.push(node);
            }
        }
        pagelets.sort_unstable();
        pagelets
    }

    /// The first of the pagelets with most text.
    fn largest(&self, page: &Page, pagelets: &[NodeId]) -> Option<NodeId> {
        let lengths = TextLength::new(page, self.params.characters);
        let larger =
            |best: NodeId, pagelet: NodeId| if lengths.of(page, pagelet) > lengths.of(page, best) { pagelet } else { best };
        pagelets.iter().copied().reduce(larger)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn letters(number: usize) -> String {
        "a".repeat(number)
    }

    fn largest(html: &str, params: Params) -> String {
        let page = Page::parse(html);
        let lp = LargestPagelet::from(params);
        let node = lp.largest(&page, &lp.pagelets(&page)).unwrap();
        page.attr(node, "id").unwrap_or(page.name(node)).to_owned()
    }

    #[test]
    fn a_list_of_links_tears_the_article_apart_unless_it_is_short() {
        // Seen on the news of Yahoo (Gottron 2008, section 6.5.2); the page is made by hand.
        let links = format!("<li><a href=x>{}</a></li>", letters(10)).repeat(8);
        let html = format!(
            "<body><div><p>{}</p><p id=long>{}</p><p>{}</p><ul>{links}</ul></div></body>",
            letters(120),
            letters(200),
            letters(150)
        );
        assert_eq!(largest(&html, Params::default()), "long");
        assert_eq!(largest(&html, Params { k: 9, ..Params::default() }), "html");
        let page = Page::parse(html);
        let tags: Vec<Tag> = LargestPagelet::default().pagelets(&page).iter().map(|node| page.tag(*node)).collect();
        assert_eq!(tags, [Tag::Head, Tag::P, Tag::P, Tag::P, Tag::Ul]);
    }

    #[test]
    fn switches_change_what_they_say() {
        let links = "<li><a href=x>y</a></li>".repeat(7);
        let html = format!("<body>{}<p id=p>{}</p><ul>{links}</ul></body>", letters(50), letters(40));
        assert_eq!(largest(&html, Params::default()), Tag::Text.name());
        assert_eq!(largest(&html, Params { loose_text: false, ..Params::default() }), "p");
        let html = html.replace(" href=x", "");
        assert_eq!(largest(&html, Params::default()), "html");
        assert_eq!(largest(&html, Params { links: Links::All, ..Params::default() }), Tag::Text.name());
        let html = format!("<body><p id=words>a b c d e</p><p id=letters>abcdefgh</p><ul>{links}</ul></body>");
        assert_eq!(largest(&html, Params::default()), "letters");
        assert_eq!(largest(&html, Params { characters: Characters::Collapsed, ..Params::default() }), "words");
        assert_eq!(largest("<body></body>", Params::default()), "html");
    }

    proptest! {
        #[test]
        fn pagelets_are_disjoint_and_hold_all_text(words in prop::collection::vec("<(div|p|ul|li|b)>|<a href=x>|</(div|p|ul|a)>|one two |three ", 0..60), k in 0..4u32) {
            let page = Page::parse(words.concat());
            let pagelets = LargestPagelet::from(Params { k, ..Params::default() }).pagelets(&page);
            prop_assert!(pagelets.windows(2).all(|pair| page.end(pair[0]) <= pair[1]));
            let tokens: u32 = pagelets.iter().map(|pagelet| page.counts(*pagelet).tokens).sum();
            prop_assert_eq!(tokens, page.counts(page.root()).tokens);
        }
    }
}
