//! The page itself as an output: its block shown in place, the rest hidden, replaced, deleted or moved (Gottron 2008, section 4.3), and
//! what is not of a block.

use crate::Extraction;
use unchaff_dom::emit::{self, Filler};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::BlockKind;

/// Elements in which so many links, or more, make a list of links.
const LINKS: u32 = 3;

impl Extraction<'_> {
    /// The whole page, in which everything that is not of the block is hidden by style. Nothing in it runs.
    #[must_use]
    pub fn hidden(&self) -> String {
        self.in_place(emit::hidden)
    }

    /// The page with other characters for the texts that are not of the block. Nothing in it runs.
    #[must_use]
    pub fn replaced(&self, filler: Filler) -> String {
        self.in_place(|page, nodes| emit::replaced(page, nodes, filler))
    }

    /// The page without the texts that are not of the block; its elements stay. Nothing in it runs.
    #[must_use]
    pub fn deleted(&self) -> String {
        self.in_place(emit::deleted)
    }

    /// The page with the block first, then the rest, and what leads elsewhere last: the menu, `nav`, lists of links. Nothing in it runs.
    #[must_use]
    pub fn restructured(&self) -> String {
        self.in_place(|page, nodes| emit::restructured(page, nodes, &self.navigation(nodes)))
    }

    /// The whole page with all blocks in colours. Nothing in it runs.
    #[must_use]
    pub fn highlighted(&self) -> String {
        emit::highlighted(self.page(), &self.marked_blocks())
    }

    /// Where in the page as text the texts of the block are: the first and the last character of each piece, from 1.
    #[must_use]
    pub fn ranges(&self) -> Vec<(usize, usize)> {
        self.nodes().map(|nodes| emit::ranges(self.page(), nodes)).unwrap_or_default()
    }

    /// Writes the page with the block, or with nothing if none was looked for.
    fn in_place(&self, write: impl FnOnce(&Page, &NodeSet) -> String) -> String {
        match self.nodes() {
            Some(nodes) => write(self.page(), nodes),
            None => write(self.page(), &NodeSet::new(self.page())),
        }
    }

    /// The blocks with the names they are marked by. What is shown in place of a block is named after that: `not-content`.
    pub(crate) fn marked_blocks(&self) -> Vec<(&'static str, &NodeSet)> {
        let blocks = self.detection.blocks.iter();
        let named = blocks.map(|block| match &self.complement {
            Some(rest) if block.kind == self.shows => (name_of_rest(block.kind), rest),
            _ => (block.kind.as_str(), &block.nodes),
        });
        named.collect()
    }

    /// Of what is not shown, what leads elsewhere.
    fn navigation(&self, shown: &NodeSet) -> NodeSet {
        let page = self.page();
        let mut navigation = NodeSet::new(page);
        if let Some(menu) = self.detection.nodes(BlockKind::Menu) {
            navigation.union(menu);
        }
        let holding = shown.with_ancestors(page);
        let Some(body) = page.body() else { return navigation };
        let mut at = NodeId(body.0 + 1);
        while at < page.end(body) {
            let may_be = page.is_element(at) && !holding.contains(at);
            if may_be && leads_elsewhere(page, at) {
                navigation.insert_subtree(page, at);
                at = page.end(at);
            } else {
                at = NodeId(at.0 + 1);
            }
        }
        navigation
    }
}

/// Whether an element is there to lead elsewhere: it says so, or most of its words are links.
fn leads_elsewhere(page: &Page, node: NodeId) -> bool {
    let counts = page.counts(node);
    page.tag(node) == Tag::Nav
        || page.attr(node, "role").is_some_and(|role| role.eq_ignore_ascii_case("navigation"))
        || counts.links >= LINKS && counts.link_words * 2 > counts.words
}

fn name_of_rest(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Content => "not-content",
        BlockKind::Template => "not-template",
        BlockKind::Menu => "not-menu",
        BlockKind::Comments => "not-comments",
        BlockKind::Ads => "not-ads",
    }
}

/// All of the body that is not of a block, but for what holds some of it.
pub(crate) fn complement(page: &Page, block: Option<&NodeSet>) -> NodeSet {
    let Some(body) = page.body() else { return NodeSet::new(page) };
    let mut rest = NodeSet::from_nodes(page, page.descendants(body));
    if let Some(block) = block {
        rest.difference(&block.with_ancestors(page));
    }
    rest
}

/// Pairs as lines.
pub(crate) fn lines(ranges: &[(usize, usize)]) -> String {
    ranges.iter().map(|(first, last)| format!("{first}\t{last}\n")).collect()
}
