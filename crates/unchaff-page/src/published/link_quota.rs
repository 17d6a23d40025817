//! LQF, the link quota filter: what is mostly links is no content.
//!
//! After Thomas Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, section 3.2.4,
//! algorithms 3.3 and 3.4. The quota of a block is the share of link text in the text that stands in it and in no block
//! inside it; text of blocks above a threshold goes. Only lists of links can be found that way: headers and footers stay.
//! Two relatives that the thesis describes are [`crunch`](crate::published::crunch) and [`lqf-mantratzis`](crate::published::link_lists).
//!
//! The printed pseudo-code says *descendants* where it must mean children: read as descendants, text would count once
//! for every element around it. Quotas are those of the page as it is, before anything is removed.

use crate::parameters::{choice, parameters};
use crate::registry::Entry;
use crate::views::whole_elements::with_whole_elements;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

choice! {
    /// What link text is compared with.
    pub enum Ratio {
        /// All text: 0 to 1.
        OfAll = "of-all",
        /// Text outside links, the link/text removal ratio: 0 to infinity. A quota *q* of all text is *q*/(1−*q*) of the rest.
        ToRest = "to-rest",
    }
}

choice! {
    /// Which text goes with a block.
    pub enum Scope {
        /// What stands in it and in no block inside it: the text that the quota is about.
        Local = "local",
        /// All text below it, as the pseudo-code can be read.
        Subtree = "subtree",
    }
}

choice! {
    /// Which `a` elements are links.
    pub enum Links {
        /// Those with an `href`.
        Href = "href",
        /// All.
        All = "all",
    }
}

parameters! {
    /// Parameters of the filter. The default is the published best setting.
    pub struct Params {
        /// The text of blocks with a higher quota goes.
        /// The thesis tried 0.25, 0.5 and 0.75 and found little difference.
        pub threshold: f64 = 0.25,
        /// What link text is compared with: all text, or text outside links.
        pub ratio: Ratio = Ratio::OfAll,
        /// Which text goes with a block: its own, or all below it.
        pub scope: Scope = Scope::Local,
        /// Which `a` elements are links: those with an href, or all.
        pub links: Links = Links::Href,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<LinkQuotaFilter, Params>(
    "lqf",
    BlockKind::Content,
    "everything but blocks of which too much text is links",
    "T. Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, section 3.2.4",
    "linear in the page",
);

/// Elements that make a block. The thesis does not list them; the choice is ours.
pub(crate) fn is_block(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Address
            | Article
            | Aside
            | Blockquote
            | Body
            | Center
            | Dd
            | Dir
            | Div
            | Dl
            | Dt
            | Fieldset
            | Figcaption
            | Figure
            | Footer
            | Form
            | Frameset
            | H1
            | H2
            | H3
            | H4
            | H5
            | H6
            | Header
            | Hr
            | Li
            | Main
            | Menu
            | Nav
            | Noframes
            | Noscript
            | Ol
            | P
            | Pre
            | Section
            | Table
            | Tbody
            | Td
            | Tfoot
            | Th
            | Thead
            | Tr
            | Ul
    )
}

impl Links {
    pub(crate) fn is_link(self, page: &Page, node: NodeId) -> bool {
        page.tag(node) == Tag::A && (self == Links::All || page.attr(node, "href").is_some())
    }
}

/// How much text stands in each fragment of a page and in none inside it, and how much of that is links; by node.
pub(crate) struct Quotas {
    /// Characters in links and in all.
    sums: Vec<(f64, f64)>,
}

impl Quotas {
    /// Algorithm 3.3 for all nodes at once, from the last to the first, as children follow their parents. `is_fragment`
    /// says which elements have their text for themselves.
    pub(crate) fn new(page: &Page, links: Links, is_fragment: impl Fn(Tag) -> bool) -> Quotas {
        let mut sums = vec![(0.0, 0.0); page.len()];
        for node in page.nodes().rev() {
            let length = f64::from(page.counts(node).chars);
            let Some(parent) = page.parent(node).filter(|_| length > 0.0 && !is_fragment(page.tag(node))) else { continue };
            let linked = match page.tag(node) {
                Tag::Text => 0.0,
                _ if links.is_link(page, node) => length,
                _ => share(sums[node.index()]) * length,
            };
            let (of_parent, all_of_parent) = &mut sums[parent.index()];
            *of_parent += linked;
            *all_of_parent += length;
        }
        Quotas { sums }
    }

    /// Characters in links and in all of the text that a fragment has for itself.
    pub(crate) fn characters(&self, node: NodeId) -> (f64, f64) {
        self.sums[node.index()]
    }
}

fn share((linked, all): (f64, f64)) -> f64 {
    if all > 0.0 { linked / all } else { 0.0 }
}

impl Ratio {
    /// The quota of a text from its characters in links and in all; that of no text is 0.
    pub(crate) fn quota(self, (linked, all): (f64, f64)) -> f64 {
        match self {
            Ratio::OfAll => share((linked, all)),
            Ratio::ToRest if all > linked => linked / (all - linked),
            Ratio::ToRest if linked > 0.0 => f64::INFINITY,
            Ratio::ToRest => 0.0,
        }
    }
}

/// The text nodes of the body that stay when the text of some fragments goes.
pub(crate) fn remaining_text(
    page: &Page,
    scope: Scope,
    is_fragment: impl Fn(Tag) -> bool,
    goes: impl Fn(NodeId) -> bool,
) -> NodeSet {
    let mut kept = NodeSet::new(page);
    let Some(body) = page.body() else { return kept };
    // Whether the text directly in each node goes.
    let mut gone = vec![false; page.range(body).len()];
    for node in page.subtree(body) {
        let inherited = node != body && page.parent(node).is_some_and(|parent| gone[parent.index() - body.index()]);
        let is_gone = if is_fragment(page.tag(node)) { goes(node) || scope == Scope::Subtree && inherited } else { inherited };
        gone[node.index() - body.index()] = is_gone;
        if page.tag(node) == Tag::Text && !is_gone {
            kept.insert(node);
        }
    }
    kept
}

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct LinkQuotaFilter {
    params: Params,
}

impl From<Params> for LinkQuotaFilter {
    fn from(params: Params) -> LinkQuotaFilter {
        LinkQuotaFilter { params }
    }
}

impl PageTechnique for LinkQuotaFilter {
    fn name(&self) -> &'static str {
        "lqf"
    }

    fn detect(&self, page: &Page) -> Detection {
        let quotas = Quotas::new(page, self.params.links, is_block);
        let kept = remaining_text(page, self.params.scope, is_block, |block| self.quota(&quotas, block) > self.params.threshold);
        Detection::of(BlockKind::Content, with_whole_elements(page, &kept))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let quotas = Quotas::new(page, self.params.links, is_block);
        let mut explanation = Explanation::new(&["link characters", "characters", "quota"]).rated_by("quota", Likely::Low);
        for block in page.nodes().filter(|node| is_block(page.tag(*node))) {
            let (linked, all) = quotas.characters(block);
            let quota = self.quota(&quotas, block);
            let remark = if quota > self.params.threshold { "removed" } else { "" };
            explanation.push(block, &[linked, all, quota], remark);
        }
        explanation
    }
}

impl LinkQuotaFilter {
    fn quota(&self, quotas: &Quotas, block: NodeId) -> f64 {
        self.params.ratio.quota(quotas.characters(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::emit;

    fn text(html: &str, params: Params) -> String {
        let page = Page::parse(html);
        emit::text(&page, &LinkQuotaFilter::from(params).detect(&page).blocks.remove(0).nodes)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The quotas of all elements of a tag.
    fn quotas(fragment: &str, tag: Tag, ratio: Ratio) -> Vec<f64> {
        let page = Page::parse(format!("<body><table><tr><td>{fragment}</td></tr></table></body>").replace("<a>", "<a href=x>"));
        let quotas = Quotas::new(&page, Links::Href, is_block);
        page.nodes().filter(|node| page.tag(*node) == tag).map(|node| ratio.quota(quotas.characters(node))).collect()
    }

    #[test]
    fn quotas_are_those_of_the_children_reading() {
        // Algorithm 3.3, on fragments made by hand.
        assert_eq!(quotas("abcde<a>fghij</a>", Tag::Td, Ratio::OfAll), [0.5]);
        assert_eq!(quotas("<a>foo</a>", Tag::Td, Ratio::OfAll), [1.0]);
        assert_eq!(quotas("<b>xx<a>yyyy</a>xx</b>", Tag::Td, Ratio::OfAll), [0.5]);
        assert_eq!(quotas("abc<span>de<i><a>fgh</a></i></span>", Tag::Td, Ratio::OfAll), [0.375]);
        assert_eq!(quotas("<div>aaaa<div><a>bbbb</a></div></div>", Tag::Div, Ratio::OfAll), [0.0, 1.0]);
        assert_eq!(quotas("<div></div>", Tag::Div, Ratio::OfAll), [0.0]);
        assert_eq!(quotas("abcde<a>fghij</a>", Tag::Td, Ratio::ToRest), [1.0]);
        assert_eq!(quotas("<a>foo</a>", Tag::Td, Ratio::ToRest), [f64::INFINITY]);
    }

    #[test]
    fn a_block_goes_above_the_threshold_not_at_it() {
        let html = "<body><p>abcde<a href=x>fghij</a></p></body>";
        assert_eq!(text(html, Params { threshold: 0.5, ..Params::default() }), "abcdefghij");
        assert_eq!(text(html, Params::default()), "");
    }

    #[test]
    fn switches_change_what_they_say() {
        // The text of nested blocks stays, or goes, as algorithm 3.4 has it if read literally.
        let html = "<body><div><a href=x>menu</a><p>text</p></div></body>";
        assert_eq!(text(html, Params::default()), "text");
        assert_eq!(text(html, Params { scope: Scope::Subtree, ..Params::default() }), "");
        // An `a` without an address is no link, or is one.
        let html = "<body><p><a>text</a></p></body>";
        assert_eq!(text(html, Params::default()), "text");
        assert_eq!(text(html, Params { links: Links::All, ..Params::default() }), "");
        // Three fifths of all are three halves of the rest.
        let html = "<body><p>ab<a href=x>cde</a></p></body>";
        assert_eq!(text(html, Params { threshold: 1.0, ..Params::default() }), "abcde");
        assert_eq!(text(html, Params { threshold: 1.0, ratio: Ratio::ToRest, ..Params::default() }), "");
    }

    /// Algorithm 3.3 as printed, with children for descendants.
    fn recursive(page: &Page, node: NodeId) -> f64 {
        let (mut linked, mut all) = (0.0, 0.0);
        for child in page.children(node).filter(|child| !is_block(page.tag(*child))) {
            let length = f64::from(page.counts(child).chars);
            all += length;
            linked += match page.tag(child) {
                Tag::Text => 0.0,
                _ if Links::Href.is_link(page, child) => length,
                _ => recursive(page, child) * length,
            };
        }
        share((linked, all))
    }

    proptest! {
        #[test]
        fn one_pass_equals_the_printed_recursion(words in prop::collection::vec("<(div|p|td|li|b|span)>|<a href=x>|</(div|p|b|a)>|one two |three ", 0..60), threshold in 0.0..1.0) {
            let page = Page::parse(words.concat());
            let quotas = Quotas::new(&page, Links::Href, is_block);
            for node in page.nodes() {
                let quota = share(quotas.characters(node));
                prop_assert!((quota - recursive(&page, node)).abs() < 1e-9 && (0.0..=1.0 + 1e-9).contains(&quota));
            }
            // A higher threshold removes no more.
            let at = |threshold| LinkQuotaFilter::from(Params { threshold, ..Params::default() }).detect(&page).blocks.remove(0).nodes;
            let (strict, lax) = (at(threshold), at(threshold + 0.1));
            prop_assert!(strict.iter().filter(|node| page.tag(*node) == Tag::Text).all(|node| lax.contains(node)));
        }
    }
}
