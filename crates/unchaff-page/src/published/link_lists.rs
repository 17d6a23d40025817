//! The link lists of Mantratzis, Orgun and Cassidy: elements that are mostly links, with what is nested in them.
//!
//! Constantine Mantratzis, Mehmet Orgun, Steve Cassidy: Separating XHTML content from navigation clutter using DOM-structure
//! block analysis. Hypertext 2005, as retold by Thomas Gottron (2008, section 3.2.4). Two ratios of every block element
//! are compared with thresholds: links by elements, and characters in links by characters. Blocks nested in it count
//! less the deeper they stand, by a factor the authors do not give. An element above both is a list of links, and goes
//! with all that is in it. A short text beside a long list of links goes with it: the factor is critical.

use crate::parameters::parameters;
use crate::published::link_quota::{Links, is_block};
use crate::registry::Entry;
use crate::views::whole_elements::with_whole_elements;
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

parameters! {
    /// Parameters of the filter. The default is the published setting, but for `attenuation`, which is not published.
    pub struct Params {
        /// A list of links has a higher share of links among its elements.
        pub element_ratio: f64 = 0.5,
        /// A list of links has a higher share of characters in links.
        pub character_ratio: f64 = 0.4,
        /// By how much a nested block counts less for every step down the tree.
        pub attenuation: f64 = 0.5,
        /// Which `a` elements are links: those with an href, or all.
        pub links: Links = Links::Href,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<LinkLists, Params>(
    "lqf-mantratzis",
    BlockKind::Content,
    "everything but elements that are lists of links by their elements and by their characters",
    "C. Mantratzis, M. Orgun, S. Cassidy: Separating XHTML content from navigation clutter using DOM-structure block analysis. \
     Hypertext 2005, after T. Gottron: Content Extraction, 2008, section 3.2.4",
    "linear in the page",
);

/// What a block has in itself and, attenuated, in the blocks nested in it.
#[derive(Clone, Copy, Debug, Default)]
struct Weighed {
    links: f64,
    elements: f64,
    link_characters: f64,
    characters: f64,
}

impl Weighed {
    fn add(&mut self, other: Weighed, factor: f64) {
        self.links += other.links * factor;
        self.elements += other.elements * factor;
        self.link_characters += other.link_characters * factor;
        self.characters += other.characters * factor;
    }

    fn element_ratio(self) -> f64 {
        if self.elements > 0.0 { self.links / self.elements } else { 0.0 }
    }

    fn character_ratio(self) -> f64 {
        if self.characters > 0.0 { self.link_characters / self.characters } else { 0.0 }
    }
}

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct LinkLists {
    params: Params,
}

impl From<Params> for LinkLists {
    fn from(params: Params) -> LinkLists {
        LinkLists { params }
    }
}

impl PageTechnique for LinkLists {
    fn name(&self) -> &'static str {
        "lqf-mantratzis"
    }

    fn detect(&self, page: &Page) -> Detection {
        let weighed = self.weigh(page);
        let Some(body) = page.body() else { return Detection::of(BlockKind::Content, NodeSet::new(page)) };
        let mut kept = NodeSet::from_nodes(page, page.descendants(body).filter(|node| page.tag(*node) == Tag::Text));
        for list in page.subtree(body).filter(|node| self.is_list(page, &weighed, *node)) {
            kept.remove_subtree(page, list);
        }
        Detection::of(BlockKind::Content, with_whole_elements(page, &kept))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let weighed = self.weigh(page);
        let mut explanation = Explanation::new(&["element ratio", "character ratio"]);
        for block in page.nodes().filter(|node| is_block(page.tag(*node))) {
            let of_block = weighed[block.index()];
            explanation.push(
                block,
                &[of_block.element_ratio(), of_block.character_ratio()],
                if self.is_list(page, &weighed, block) { "removed" } else { "" },
            );
        }
        explanation
    }
}

impl LinkLists {
    fn is_list(&self, page: &Page, weighed: &[Weighed], node: NodeId) -> bool {
        let of_node = weighed[node.index()];
        is_block(page.tag(node))
            && of_node.element_ratio() > self.params.element_ratio
            && of_node.character_ratio() > self.params.character_ratio
    }

    /// The sums of every block, from the last node to the first: what a node passes on to its parent has one step more to
    /// go. A block's own share is what stands in it and in no block inside it, itself not counted among its elements.
    fn weigh(&self, page: &Page) -> Vec<Weighed> {
        let mut own = vec![Weighed::default(); page.len()];
        let mut block_of: Vec<Option<NodeId>> = vec![None; page.len()];
        let mut link_end = NodeId(0);
        for node in page.nodes() {
            let block = page.parent(node).and_then(|parent| block_of[parent.index()]);
            block_of[node.index()] = if is_block(page.tag(node)) { Some(node) } else { block };
            let is_link = self.params.links.is_link(page, node);
            if is_link {
                link_end = link_end.max(page.end(node));
            }
            let Some(own) = block.map(|block| &mut own[block.index()]) else { continue };
            if page.tag(node) == Tag::Text {
                let characters = f64::from(page.counts(node).chars);
                own.characters += characters;
                own.link_characters += if node < link_end { characters } else { 0.0 };
            } else if page.is_element(node) && !is_block(page.tag(node)) {
                let is_empty = page.counts(node).tokens == 0 && page.counts(node).elements == 1;
                own.elements += 1.0;
                own.links += f64::from(u8::from(is_link && !is_empty));
            }
        }
        for node in page.nodes().rev() {
            if let Some(parent) = page.parent(node).filter(|_| page.is_element(node)) {
                let passed = own[node.index()];
                own[parent.index()].add(passed, self.params.attenuation);
            }
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::emit;
    use unchaff_dom::select::Selector;

    fn text(html: &str, params: Params) -> String {
        let page = Page::parse(html);
        emit::text(&page, &LinkLists::from(params).detect(&page).blocks.remove(0).nodes)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_list_of_links_goes_as_a_whole_and_prose_with_links_stays() {
        let html = "<body><p>Head</p><ul><li><a href=1>one</a><li><a href=2>two</a><li>three</ul>\
                    <p>Some prose with <b>one</b> <a href=3>link</a> in it.</p></body>";
        assert_eq!(text(html, Params::default()), "Head Some prose with one link in it.");
    }

    #[test]
    fn nested_blocks_count_less_by_the_factor() {
        // The outer div has 9 characters of its own and, a step down, 20 in links.
        let page = Page::parse("<body><div id=outer>some text<p><a href=1>twenty characters ..</a></p></div></body>");
        let outer = page.select(&Selector::parse("#outer").unwrap()).next().unwrap();
        let ratio = |attenuation| {
            LinkLists::from(Params { attenuation, ..Params::default() }).weigh(&page)[outer.index()].character_ratio()
        };
        assert!((ratio(0.5) - 10.0 / 19.0).abs() < 1e-9);
        assert_eq!(ratio(0.0), 0.0);
        assert!((ratio(1.0) - 20.0 / 29.0).abs() < 1e-9);
    }

    #[test]
    fn both_ratios_must_be_exceeded() {
        let html = "<body><p>prose</p><div>four<a href=1>four</a><b></b></div></body>";
        assert_eq!(text(html, Params::default()), "prose fourfour", "half of the elements is not more than half");
        assert_eq!(text(html, Params { element_ratio: 0.4, ..Params::default() }), "prose");
        assert_eq!(text(html, Params { element_ratio: 0.4, character_ratio: 0.5, ..Params::default() }), "prose fourfour");
        let empty = "<body><div><a href=1></a><a href=2>two</a></div></body>";
        assert_eq!(text(empty, Params::default()), "two", "an empty link is none");
        let nameless = "<body><div><a>one</a></div></body>";
        assert_eq!(text(nameless, Params::default()), "one");
        assert_eq!(text(nameless, Params { links: Links::All, ..Params::default() }), "");
    }

    proptest! {
        #[test]
        fn sums_equal_the_definition(words in prop::collection::vec("<(div|p|td|li|b|span)>|<a href=x>|</(div|p|b|a)>|one two |three ", 0..40)) {
            let page = Page::parse(words.concat());
            let weighed = LinkLists::default().weigh(&page);
            let local = LinkLists::from(Params { attenuation: 0.0, ..Params::default() }).weigh(&page);
            for block in page.nodes().filter(|node| is_block(page.tag(*node))) {
                let expected: f64 = page.subtree(block).filter(|node| page.is_element(*node))
                    .map(|node| local[node.index()].characters * 0.5f64.powi((page.depth(node) - page.depth(block)) as i32)).sum();
                prop_assert!((weighed[block.index()].characters - expected).abs() < 1e-9);
                prop_assert!((0.0..=1.0 + 1e-9).contains(&weighed[block.index()].element_ratio()));
                prop_assert!((0.0..=1.0 + 1e-9).contains(&weighed[block.index()].character_ratio()));
            }
        }
    }
}
