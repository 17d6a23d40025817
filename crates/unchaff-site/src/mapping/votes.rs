//! Votes: in how many other pages a node of the key page was found, and which nodes that makes template.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! Algorithms 10 and 11. A node that enough pages have is template. The thesis maps the page onto every subset of the others at
//! once; counting in how many it has a partner gives the same set. Sites whose pages share different parts with the key page are
//! the reason for votes: not all need to agree. The master thesis (2014) prints an intersection instead, in which every page
//! sees what the ones before it left.

use crate::mapping::equal_top_down::{Mapper, Mapping, Pairing};
use crate::mapping::node_equality::{Equality, normalised};
use crate::mapping::tree_view::{TreeView, ignored};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::parameters::{choice, parameters};

choice! {
    /// How the mappings of several pages become one template.
    pub enum Aggregation {
        /// Nodes that enough pages have.
        Votes = "votes",
        /// Nodes left after page upon page took away what it does not have (the listing of the master thesis).
        IntersectAll = "intersect-all",
    }
}

choice! {
    /// How many votes are needed when fewer pages were found than wanted.
    pub enum FewPages {
        /// As many as were best for so many pages (Table 8.4), but no more than asked for.
        Best = "best",
        /// No more than there are pages (the release).
        AllOfThem = "all-of-them",
        /// As many as always; there may then be no template at all.
        Same = "same",
    }
}

parameters! {
    /// How pages vote. The default is the published best setting.
    pub struct Voting {
        /// How many pages must have a node for it to be template.
        pub votes: u32 = 2,
        /// How many votes are needed when fewer pages were found than wanted.
        pub few_pages: FewPages = FewPages::Best,
        /// Whether each page that has all nodes of the key page raises the votes needed by one (the release).
        pub copies_raise_votes: bool = false,
        /// How the mappings of several pages become one template.
        pub aggregation: Aggregation = Aggregation::Votes,
        /// Whether the text right inside an element must be the same on the pages that vote for it.
        /// Elements around others are then template if something in them is. Ours, not published: it pays.
        pub own_text: bool = false,
    }
}

/// The best number of votes for so many pages (Table 8.4).
#[must_use]
pub(crate) fn best_votes(pages: usize) -> u32 {
    const BEST: [u32; 8] = [1, 2, 2, 2, 3, 3, 4, 4];
    match pages {
        0 => 1,
        1..=8 => BEST[pages - 1],
        _ => u32::try_from(pages.div_ceil(2)).unwrap_or(u32::MAX),
    }
}

/// In how many pages each node of the key page was found.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// Pages in which a node has a partner, by node.
    pub occurrences: Vec<u32>,
    /// Those of them in which the text right inside it is the same.
    pub same_text: Vec<u32>,
    /// Whether anything of each page was mapped.
    pub mapped: Vec<bool>,
    /// The sum of the numbers, from 1, of the pages in which a node has a partner. Where one page alone has none, it tells which.
    places: Vec<u64>,
    /// How many pages have all nodes of the key page.
    copies: u32,
    /// Nodes that had no vote because another technique took them out.
    removed: NodeSet,
}

impl Tally {
    /// Maps the key page, without some subtrees, onto other pages (Algorithm 11).
    #[must_use]
    pub(crate) fn count<'p>(
        key: &Page,
        removed: NodeSet,
        pages: impl IntoIterator<Item = &'p Page>,
        equality: &Equality,
        pairing: &Pairing,
        aggregation: Aggregation,
    ) -> Tally {
        let ignored = |page: &Page| ignored(page, pairing.child_nodes, pairing.scripts);
        let key_ignored = ignored(key);
        let mut hidden = key_ignored.clone();
        hidden.union(&removed);
        let mut view = TreeView::new(key, hidden.clone());
        let mut mapper = Mapper::new(equality, pairing);
        let mut items = mapper.items(&view);
        let key_texts = own_texts(key);
        let counts = vec![0; key.len()];
        let mut tally = Tally {
            occurrences: counts.clone(),
            same_text: counts,
            mapped: Vec::new(),
            places: vec![0; key.len()],
            copies: 0,
            removed,
        };
        for page in pages {
            let other = TreeView::new(page, ignored(page));
            let other_items = mapper.items(&other);
            let mapping = mapper.map((&view, &items), (&other, &other_items));
            let nodes = tally.add(&mapping, &key_texts, &own_texts(page));
            tally.copies += u32::from(nodes == view.nodes().count());
            if aggregation == Aggregation::IntersectAll && nodes > 0 {
                view.nodes().filter(|node| mapping.partner(*node).is_none()).for_each(|node| hidden.insert(node));
                view = TreeView::new(key, hidden.clone());
                items = mapper.items(&view);
            }
        }
        // What took no part shares the fate of its parent.
        for node in key_ignored.iter().filter(|node| !tally.removed.contains(*node)) {
            let parent = key.parent(node).map_or(0, NodeId::index);
            for below in key.subtree(node) {
                tally.occurrences[below.index()] = tally.occurrences[parent];
                tally.same_text[below.index()] = tally.same_text[parent];
            }
        }
        tally
    }

    /// Counts a mapping in; tells how many nodes are mapped.
    fn add(&mut self, mapping: &Mapping, key_texts: &[u64], texts: &[u64]) -> usize {
        let number = self.mapped.len() as u64 + 1;
        let mut nodes = 0;
        for (node, partner) in mapping.pairs() {
            nodes += 1;
            self.occurrences[node.index()] += 1;
            self.places[node.index()] += number;
            self.same_text[node.index()] += u32::from(key_texts[node.index()] == texts[partner.index()]);
        }
        self.mapped.push(nodes > 0);
        nodes
    }

    /// How many pages had something in common with the key page.
    #[must_use]
    pub(crate) fn voters(&self) -> u32 {
        self.mapped.iter().filter(|mapped| **mapped).count() as u32
    }

    /// The page that lacks most of the nodes that all other pages have, if it lacks more than this share of them. Of two pages that
    /// disagree none is the atypical one.
    #[must_use]
    pub(crate) fn atypical_page(&self, share: f64) -> Option<usize> {
        let pages = self.mapped.len();
        if pages < 3 {
            return None;
        }
        let all: u64 = (1..=pages as u64).sum();
        let mut lacking = vec![0u32; pages];
        let mut agreed = 0u32;
        for (count, places) in self.occurrences.iter().zip(&self.places) {
            match pages - *count as usize {
                0 => agreed += 1,
                1 if *places > 0 => lacking[(all - places - 1) as usize] += 1,
                _ => {}
            }
        }
        // Of equals the first.
        let most = (0..pages).rev().max_by_key(|page| lacking[*page])?;
        let others_have = agreed + lacking[most];
        (f64::from(lacking[most]) > share * f64::from(others_have)).then_some(most)
    }

    /// How many votes are needed.
    #[must_use]
    pub(crate) fn votes_needed(&self, voting: &Voting, wanted: usize) -> u32 {
        let pages = self.mapped.len();
        let votes = match (voting.aggregation, voting.few_pages) {
            (Aggregation::IntersectAll, _) => self.voters().max(1),
            (_, FewPages::Best) if pages < wanted => voting.votes.min(best_votes(pages)),
            (_, FewPages::AllOfThem) => voting.votes.min(pages as u32).max(1),
            _ => voting.votes,
        };
        votes.max(1) + if voting.copies_raise_votes { self.copies } else { 0 }
    }

    /// The nodes that have enough votes.
    #[must_use]
    pub(crate) fn template(&self, key: &Page, voting: &Voting, wanted: usize) -> NodeSet {
        let votes = self.votes_needed(voting, wanted);
        let Some(body) = key.body() else { return NodeSet::new(key) };
        let enough = |node: &NodeId| self.occurrences[node.index()] >= votes && !self.removed.contains(*node);
        if !voting.own_text {
            return NodeSet::from_nodes(key, key.subtree(body).filter(enough));
        }
        let keeps_text = |node: NodeId| self.same_text[node.index()] >= votes;
        let mut template = NodeSet::new(key);
        // Backwards, so that it is known of each element whether something below it is kept.
        let mut has_kept = vec![false; key.len()];
        for node in key.subtree(body).rev().filter(|node| enough(node) && key.is_element(*node)) {
            let has_own_text = key.children(node).any(|child| key.tag(child) == Tag::Text && key.counts(child).tokens > 0);
            let is_wrapper = !has_own_text && key.element_children(node).next().is_some();
            if has_kept[node.index()] || !is_wrapper && keeps_text(node) {
                template.insert(node);
                if let Some(parent) = key.parent(node) {
                    has_kept[parent.index()] = true;
                }
            }
        }
        // Text and the like follow their element, where they have votes.
        for node in key.subtree(body).filter(|node| enough(node) && !key.is_element(*node)) {
            let follows = |parent: NodeId| template.contains(parent) && (keeps_text(parent) || key.counts(node).tokens == 0);
            if key.parent(node).is_some_and(follows) {
                template.insert(node);
            }
        }
        template
    }
}

/// The text right inside each element, white space aside, as a number.
fn own_texts(page: &Page) -> Vec<u64> {
    let mut texts = vec![0u64; page.len()];
    for node in page.nodes().filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0) {
        if let Some(parent) = page.parent(node) {
            let text = &mut texts[parent.index()];
            *text = text.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ normalised(page.text(node));
        }
    }
    texts
}
