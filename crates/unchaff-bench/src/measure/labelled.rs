//! Scores against labelled nodes: elements, words inside them, links.
//!
//! A text belongs to the element around it, so a word counts if that element is retrieved, or the text itself. Of a menu the links count, and
//! marking its root is as good as marking all of it. Elements that the parser copied from one misnested formatting tag stand
//! together: neither labels nor marks on the tag can tell them apart, so all count as most of them do.

use super::blocks::{self, Side};
use super::words::for_each_word;
use super::{Measures, Score};
use crate::gold::elements_below_body;
use crate::suite::Benchmark;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::BlockKind;
use unchaff_page::parameters::choice;

choice! {
    /// Which nodes count (Alarte 2023 does not say, and tables 9.1 and 13.7 disagree).
    pub enum NodeRule {
        /// Elements below the body.
        ElementsBelowBody = "elements",
        /// All nodes, the body and everything below it, text and comments too.
        NodesFromBody = "from-body",
        /// The same without `script`, `style` and `iframe` and what is in them, as the published detectors see the page.
        NodesWithoutScripts = "without-scripts",
    }
}

impl NodeRule {
    fn nodes(self, page: &Page) -> Vec<NodeId> {
        let Some(body) = page.body() else { return Vec::new() };
        match self {
            NodeRule::ElementsBelowBody => elements_below_body(page).collect(),
            NodeRule::NodesFromBody => page.subtree(body).collect(),
            NodeRule::NodesWithoutScripts => {
                let mut hidden_until = NodeId(0);
                let mut visible = |node: &NodeId| {
                    if *node >= hidden_until && matches!(page.tag(*node), Tag::Script | Tag::Style | Tag::Iframe) {
                        hidden_until = page.end(*node);
                    }
                    *node >= hidden_until
                };
                page.subtree(body).filter(|node| visible(node)).collect()
            }
        }
    }
}

/// What was retrieved, in a form that can be measured.
pub(super) enum Retrieved<'a> {
    Nodes(Cow<'a, NodeSet>),
    Text(&'a str),
}

/// All scores of a labelled block.
pub(super) fn scores(
    benchmark: &Benchmark,
    kind: BlockKind,
    right: &NodeSet,
    retrieved: &Retrieved<'_>,
    measures: &Measures,
) -> Vec<Score> {
    let page = &*benchmark.page;
    let index = benchmark.index.get_or_init(|| PageIndex::new(page));
    let together = match retrieved {
        Retrieved::Nodes(nodes) => Some(index.together(nodes)),
        Retrieved::Text(_) => None,
    };
    let new = |measure, amounts| Score::new(kind, measure, amounts, measures.empty);
    let mut scores = Vec::new();
    match &together {
        Some(nodes) if kind == BlockKind::Menu => scores.push(new("links", links(page, right, nodes))),
        Some(nodes) => {
            let mut amounts = [0; 3];
            let counted = measures.nodes.nodes(page);
            for node in &counted {
                add(&mut amounts, nodes.contains(*node), right.contains(*node));
            }
            scores.push(new("nodes", amounts));
            if measures.more && !counted.is_empty() {
                let [retrieved, gold, common] = amounts;
                let judged_right = counted.len() + 2 * common - retrieved - gold;
                scores.push(Score::single(kind, "accuracy", judged_right as f64 / counted.len() as f64));
            }
        }
        None => {}
    }
    if matches!(kind, BlockKind::Content | BlockKind::Comments) {
        let found = match (&together, retrieved) {
            (Some(nodes), _) | (None, Retrieved::Nodes(nodes)) => index.bag(nodes),
            (None, Retrieved::Text(text)) => index.bag_of_text(text),
        };
        scores.push(new("words", common_words(&found, &index.bag_of_gold(page, kind, right, &benchmark.gold.parts))));
    }
    if measures.more && kind != BlockKind::Menu {
        let found = match (&together, retrieved) {
            (Some(nodes), _) | (None, Retrieved::Nodes(nodes)) => Side::Nodes(nodes),
            (None, Retrieved::Text(text)) => Side::Text(text),
        };
        scores.extend(blocks::scores(page, kind, Side::Nodes(right), found, measures));
    }
    scores
}

fn add([retrieved, gold, common]: &mut [usize; 3], is_retrieved: bool, is_gold: bool) {
    *retrieved += usize::from(is_retrieved);
    *gold += usize::from(is_gold);
    *common += usize::from(is_retrieved && is_gold);
}

/// Links, retrieved if they or anything around them is; right if they are below the menu's root.
fn links(page: &Page, right: &NodeSet, nodes: &NodeSet) -> [usize; 3] {
    let mut amounts = [0; 3];
    let root = right.roots(page).first().copied();
    let mut covered_until = NodeId(0);
    for node in elements_below_body(page) {
        if nodes.contains(node) {
            covered_until = covered_until.max(page.end(node));
        }
        if page.name(node) == "a" && page.attr(node, "href").is_some() {
            add(&mut amounts, node < covered_until, root.is_some_and(|root| page.is_ancestor(root, node)));
        }
    }
    amounts
}

fn common_words(found: &[u32], gold: &[u32]) -> [usize; 3] {
    let total = |bag: &[u32]| bag.iter().map(|count| *count as usize).sum();
    let common = found.iter().zip(gold).map(|(found, gold)| *found.min(gold) as usize).sum();
    [total(found), total(gold), common]
}

/// What measuring needs to know about a page, made once, so that measuring a set of nodes again and again is counting: its
/// words, numbered, by the text they stand in, and which elements are copies.
#[derive(Debug, Default)]
pub(crate) struct PageIndex {
    /// The texts that count: each with the element around it, and where its words start.
    texts: Vec<(NodeId, NodeId, usize)>,
    words: Vec<u32>,
    numbers: HashMap<String, u32>,
    /// Elements from one tag, where there are several.
    copies: Vec<Vec<NodeId>>,
}

impl PageIndex {
    fn new(page: &Page) -> PageIndex {
        let mut all = PageIndex { copies: copies(page), ..PageIndex::default() };
        let Some(body) = page.body() else { return all };
        for node in page.descendants(body).filter(|node| matches!(page.tag(*node), Tag::Text | Tag::Raw)) {
            let Some(parent) = page.parent(node) else { continue };
            if parent == body || matches!(page.name(parent), "script" | "style") {
                continue;
            }
            all.texts.push((node, parent, all.words.len()));
            for_each_word(page.string(node), |word| {
                let next = all.numbers.len() as u32;
                let number = match all.numbers.get(word) {
                    Some(number) => *number,
                    None => *all.numbers.entry(word.to_owned()).or_insert(next),
                };
                all.words.push(number);
            });
        }
        all
    }

    /// A set in which copies stand together, as they do when marks are written into the page.
    fn together<'s>(&self, nodes: &'s NodeSet) -> Cow<'s, NodeSet> {
        let mut nodes = Cow::Borrowed(nodes);
        for copies in &self.copies {
            let inside = copies.iter().filter(|node| nodes.contains(**node)).count();
            if inside > 0 && inside < copies.len() {
                let nodes = nodes.to_mut();
                let change = if inside * 2 >= copies.len() { NodeSet::insert } else { NodeSet::remove };
                copies.iter().for_each(|node| change(nodes, *node));
            }
        }
        nodes
    }

    /// How often each word stands in the texts of elements of a set; one more place, always 0, for words of other texts.
    fn bag(&self, nodes: &NodeSet) -> Vec<u32> {
        let mut bag = vec![0; self.numbers.len() + 1];
        let ends = self.texts.iter().skip(1).map(|(_, _, start)| *start).chain([self.words.len()]);
        for ((text, parent, start), end) in self.texts.iter().zip(ends) {
            if nodes.contains(*parent) || nodes.contains(*text) {
                for word in &self.words[*start..end] {
                    bag[*word as usize] += 1;
                }
            }
        }
        bag
    }

    /// The same of gold, of which some texts are only in part.
    fn bag_of_gold(
        &self,
        page: &Page,
        kind: BlockKind,
        right: &NodeSet,
        parts: &[(BlockKind, NodeId, Vec<Range<usize>>)],
    ) -> Vec<u32> {
        let mut bag = self.bag(right);
        for (_, node, ranges) in parts.iter().filter(|(of, ..)| *of == kind) {
            let Ok(at) = self.texts.binary_search_by_key(node, |(text, ..)| *text) else { continue };
            let (text, parent, start) = self.texts[at];
            let end = self.texts.get(at + 1).map_or(self.words.len(), |(_, _, start)| *start);
            if right.contains(parent) || right.contains(text) {
                self.words[start..end].iter().for_each(|word| bag[*word as usize] -= 1);
            }
            for range in ranges {
                let words = self.bag_of_text(&page.string(text)[range.clone()]);
                bag.iter_mut().zip(words).for_each(|(all, more)| *all += more);
            }
        }
        bag
    }

    /// How often each word stands in a text; words that the page does not have are counted together.
    fn bag_of_text(&self, text: &str) -> Vec<u32> {
        let unknown = self.numbers.len();
        let mut bag = vec![0; unknown + 1];
        for_each_word(text, |word| bag[self.numbers.get(word).map_or(unknown, |number| *number as usize)] += 1);
        bag
    }
}

/// The groups of elements that come from one tag of the source.
fn copies(page: &Page) -> Vec<Vec<NodeId>> {
    let has_tag = |node: &NodeId| {
        let tag = &page.source()[page.source_range(*node).start..];
        tag.get(1..=page.name(*node).len()).is_some_and(|name| name.eq_ignore_ascii_case(page.name(*node)))
    };
    let mut elements: Vec<NodeId> = elements_below_body(page).filter(has_tag).collect();
    elements.order_by_key(|node| page.source_range(*node).start);
    let groups = elements.chunk_by(|one, other| {
        page.source_range(*one).start == page.source_range(*other).start && page.name(*one) == page.name(*other)
    });
    groups.filter(|group| group.len() > 1).map(<[NodeId]>::to_vec).collect()
}
