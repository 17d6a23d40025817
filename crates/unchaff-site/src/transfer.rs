//! Blocks of one page carried over to another page of the same template, and how far that can be trusted.
//!
//! Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017, §7.5.
//! A block is any set of elements with a name: content, template, menu, or a segment. As published ([`Way::Published`]), the
//! root of every part of a block is located ([`locate_node`](mod@crate::locate_node)) and verified; what is not found is missing,
//! never guessed. Ours ([`Way::SiblingRuns`]) asks from the other side: every element of the page is in the blocks of its
//! counterpart ([`sibling_runs`](crate::sibling_runs)), so that parts may grow and shrink.
//!
//! What to do with misses is not published (T-29): the share that is verified is returned, and below
//! [`Transfer::min_verified`] the page is better analysed.

use crate::locate_node::{equivalent, locate_node};
use crate::page_keys::mix;
use crate::pruned_dom::PrunedDom;
use crate::sibling_runs::{Counterparts, kind};
use std::ops::Range;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

/// How blocks are carried over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Way {
    /// Every element is in the blocks of its counterpart.
    #[default]
    SiblingRuns,
    /// The root of each part is located by place, number of siblings, `id` and name, and its subtree verified.
    Published,
}

/// How blocks are carried over, and when that is believed.
#[derive(Clone, PartialEq, Debug)]
pub struct Transfer {
    /// How.
    pub way: Way,
    /// Subtrees are the same if their path sets are more similar than this (0 to 1). As published, where it is the threshold
    /// of pages.
    pub subtree_similarity: f64,
    /// If less is verified (0 to 1), the page is to be analysed.
    pub min_verified: f64,
    /// Blocks that are about as long on every page must have at least this share (0 to 1) of their words, and not as many
    /// times more.
    pub min_steady: f64,
}

impl Default for Transfer {
    fn default() -> Transfer {
        Transfer { way: Way::SiblingRuns, subtree_similarity: 0.7, min_verified: 0.9, min_steady: 0.6 }
    }
}

impl Transfer {
    /// As published, with the limit that the spec recommends for what the thesis leaves open.
    #[must_use]
    pub fn published() -> Transfer {
        Transfer { way: Way::Published, subtree_similarity: 0.7, min_verified: 0.5, min_steady: 0.0 }
    }
}

/// A named set of elements of a stored page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarkedBlock {
    /// What the elements are: `content`, `template`, `menu`, or the name of a segment.
    pub kind: String,
    /// The elements by number, as ranges that ascend and do not touch.
    pub elements: Vec<Range<u32>>,
    /// How many words it has, if it has about as many on every page: a template has, content has not.
    pub steady_words: Option<u32>,
}

impl MarkedBlock {
    /// A block of these elements, which ascend.
    #[must_use]
    pub fn new(kind: &str, elements: impl IntoIterator<Item = u32>) -> MarkedBlock {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for element in elements {
            match ranges.last_mut() {
                Some(last) if last.end == element => last.end += 1,
                _ => ranges.push(element..element + 1),
            }
        }
        MarkedBlock { kind: kind.to_owned(), elements: ranges, steady_words: None }
    }

    /// A block of a page. Text cannot be addressed: an element is in the block if it is itself, or text directly in it.
    #[must_use]
    pub fn of(kind: &str, page: &Page, nodes: &NodeSet) -> MarkedBlock {
        let mut elements: Vec<u32> = Vec::new();
        for node in nodes.iter() {
            let element = if page.is_element(node) {
                Some(node)
            } else {
                let is_blank = page.string(node).trim_ascii().is_empty();
                page.parent(node).filter(|parent| !is_blank && page.is_element(*parent))
            };
            elements.extend(element.map(|element| page.element_number(element) as u32));
        }
        elements.sort_unstable();
        elements.dedup();
        MarkedBlock::new(kind, elements)
    }

    /// The same block, of which is known that it is about as long on every page as on this one.
    #[must_use]
    pub fn steady(self, page: &Page, nodes: &NodeSet) -> MarkedBlock {
        MarkedBlock { steady_words: Some(words(page, nodes)), ..self }
    }

    /// Whether an element is in the block.
    #[must_use]
    pub fn contains(&self, element: u32) -> bool {
        let after = self.elements.partition_point(|range| range.start <= element);
        after > 0 && element < self.elements[after - 1].end
    }

    /// Whether the whole subtree of an element is.
    fn contains_all(&self, dom: &PrunedDom, element: u32) -> bool {
        let after = self.elements.partition_point(|range| range.start <= element);
        after > 0 && dom.end(element) <= self.elements[after - 1].end
    }

    /// The elements in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.elements.iter().cloned().flatten()
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.elements.iter().map(ExactSizeIterator::len).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }
}

/// Blocks carried over to a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Transferred {
    /// The blocks, in the order of the stored ones.
    pub blocks: Vec<(String, NodeSet)>,
    /// How much of it is verified, 0 to 1.
    pub verified: f64,
    /// How many parts of blocks have no place in the page.
    pub missing: usize,
    /// How well the length of the steady blocks agrees, 0 to 1: the worst ratio of words. 1 if there is none.
    pub steady: f64,
}

impl Transferred {
    /// Whether it can be believed.
    #[must_use]
    pub fn is_verified(&self, how: &Transfer) -> bool {
        self.verified >= how.min_verified && self.steady >= how.min_steady
    }
}

/// A few words more or less say nothing: dates, counters, the names of sections.
const FEW_WORDS: f64 = 20.0;

/// The words of the texts of a set.
#[must_use]
pub fn words(page: &Page, nodes: &NodeSet) -> u32 {
    nodes.iter().filter(|node| page.tag(*node) == Tag::Text).map(|node| page.counts(node).words).sum()
}

/// Carries blocks of a stored page over to a page, of which `dom` is the pruned tree, pruned alike.
#[must_use]
pub fn transfer(stored: &PrunedDom, blocks: &[MarkedBlock], page: &Page, dom: &PrunedDom, how: &Transfer) -> Transferred {
    let mut transferred = match how.way {
        Way::SiblingRuns => by_counterparts(stored, blocks, page, dom),
        Way::Published => by_location(stored, blocks, page, dom, how.subtree_similarity),
    };
    for (block, (_, nodes)) in blocks.iter().zip(&transferred.blocks) {
        if let Some(known) = block.steady_words {
            let (known, here) = (f64::from(known) + FEW_WORDS, f64::from(words(page, nodes)) + FEW_WORDS);
            transferred.steady = transferred.steady.min(known.min(here) / known.max(here));
        }
    }
    transferred
}

/// The elements of a page by number.
fn elements(page: &Page) -> Vec<NodeId> {
    page.nodes().filter(|node| page.is_element(*node)).collect()
}

/// Adds an element with what stands directly in it and is no element.
fn insert_own(page: &Page, nodes: &mut NodeSet, element: NodeId) {
    nodes.insert(element);
    for child in page.children(element).filter(|child| !page.is_element(*child)) {
        nodes.insert(child);
    }
}

fn by_counterparts(stored: &PrunedDom, blocks: &[MarkedBlock], page: &Page, dom: &PrunedDom) -> Transferred {
    let counterparts = Counterparts::find(stored, dom);
    let elements = elements(page);
    let mut found = vec![false; stored.len()];
    let mut transferred = Vec::with_capacity(blocks.len());
    for block in blocks {
        let mut inside = vec![false; stored.len()];
        block.iter().for_each(|element| inside[element as usize] = true);
        let mut nodes = NodeSet::new(page);
        for (number, element) in (0..dom.len() as u32).zip(&elements) {
            if inside[counterparts.takes_after(number) as usize] {
                insert_own(page, &mut nodes, *element);
            }
        }
        transferred.push((block.kind.clone(), nodes));
    }
    let marks = Marks::of(stored, blocks);
    let weights = weights(page, dom.len());
    let (mut verified, mut whole) = (0u64, 0u64);
    let (mut below, mut doubt) = (vec![false; dom.len()], vec![false; dom.len()]);
    for number in 0..dom.len() as u32 {
        let at = number as usize;
        let parent = dom.parent(number).unwrap_or(0) as usize;
        let own = counterparts.of(number);
        if let Some(own) = own {
            found[own as usize] = true;
        }
        // Where all of a subtree is in the same blocks, what is new in it is in them too, whatever it is.
        let inherited = number != 0 && below[parent];
        below[at] = inherited || own.is_some_and(|own| marks.uniform[own as usize]);
        let guessed = counterparts.is_guessed(number) && own.is_some_and(|own| marks.in_mixed_run[own as usize]);
        doubt[at] = !inherited && (doubt[parent] || guessed);
        whole += weights[at];
        if inherited || (own.is_some() && !doubt[at]) {
            verified += weights[at];
        }
    }
    let (mut missing, mut lost, mut all) = (0, 0usize, 0usize);
    for block in blocks {
        for part in parts(stored, block) {
            let is_found = part.iter().any(|root| found[*root as usize]);
            let size: usize = part.iter().map(|root| (stored.end(*root) - root) as usize).sum();
            all += size;
            if !is_found {
                missing += 1;
                lost += size;
            }
        }
    }
    let on_page = verified as f64 / whole as f64;
    let in_store = if all == 0 { 1.0 } else { 1.0 - lost as f64 / all as f64 };
    Transferred { blocks: transferred, verified: on_page.min(in_store), missing, steady: 1.0 }
}

/// How the elements of a page are weighed: as one, and each word that stands directly in them.
fn weights(page: &Page, elements: usize) -> Vec<u64> {
    let mut weights = vec![1; elements];
    for node in page.nodes().filter(|node| page.tag(*node) == Tag::Text) {
        if let Some(parent) = page.parent(node).filter(|parent| page.is_element(*parent)) {
            weights[page.element_number(parent)] += u64::from(page.counts(node).words);
        }
    }
    weights
}

/// What the blocks of a stored page say about its elements.
struct Marks {
    /// Whether all of a subtree is in the same blocks.
    uniform: Vec<bool>,
    /// Whether siblings of its kind are not all in the same blocks, with all that is in them.
    in_mixed_run: Vec<bool>,
}

impl Marks {
    fn of(stored: &PrunedDom, blocks: &[MarkedBlock]) -> Marks {
        let mut marks = vec![0u64; stored.len()];
        for (number, block) in blocks.iter().enumerate() {
            block.iter().for_each(|element| marks[element as usize] = mix(marks[element as usize], number as u64));
        }
        let mut uniform = vec![true; stored.len()];
        for node in (1..stored.len()).rev() {
            let parent = stored.parent(node as u32).unwrap_or(0) as usize;
            if !uniform[node] || marks[node] != marks[parent] {
                uniform[parent] = false;
            }
        }
        let mut in_mixed_run = vec![false; stored.len()];
        let mut siblings: Vec<(u64, u32)> = Vec::new();
        for node in (0..stored.len() as u32).filter(|node| stored.end(*node) > node + 2) {
            siblings.clear();
            siblings.extend(stored.children(node).map(|child| (kind(stored, child), child)));
            siblings.sort_unstable();
            for run in siblings.chunk_by(|one, other| one.0 == other.0).filter(|run| run.len() > 1) {
                let first = marks[run[0].1 as usize];
                if run.iter().any(|(_, child)| marks[*child as usize] != first || !uniform[*child as usize]) {
                    run.iter().for_each(|(_, child)| in_mixed_run[*child as usize] = true);
                }
            }
        }
        Marks { uniform, in_mixed_run }
    }
}

/// The roots of a block, those with one parent together: siblings can stand for each other.
fn parts(stored: &PrunedDom, block: &MarkedBlock) -> Vec<Vec<u32>> {
    let mut roots: Vec<(Option<u32>, u32)> = block
        .iter()
        .filter(|element| stored.parent(*element).is_none_or(|parent| !block.contains(parent)))
        .map(|root| (stored.parent(root), root))
        .collect();
    roots.sort_unstable();
    roots.chunk_by(|one, other| one.0 == other.0).map(|part| part.iter().map(|(_, root)| *root).collect()).collect()
}

fn by_location(stored: &PrunedDom, blocks: &[MarkedBlock], page: &Page, dom: &PrunedDom, threshold: f64) -> Transferred {
    let elements = elements(page);
    let (mut all, mut missing) = (0usize, 0usize);
    let mut transferred = Vec::with_capacity(blocks.len());
    for block in blocks {
        let mut nodes = NodeSet::new(page);
        let mut covered = 0;
        for element in block.iter() {
            if element < covered {
                continue;
            }
            let whole = block.contains_all(stored, element);
            let found = locate_node(dom, &stored.descriptors(element))
                .filter(|found| !whole || equivalent((stored, element), (dom, *found), threshold));
            all += 1;
            match found.and_then(|found| elements.get(found as usize)) {
                Some(found) if whole => nodes.insert_subtree(page, *found),
                Some(found) => insert_own(page, &mut nodes, *found),
                None => missing += 1,
            }
            if whole {
                covered = stored.end(element);
            }
        }
        transferred.push((block.kind.clone(), nodes));
    }
    let verified = if all == 0 { 1.0 } else { (all - missing) as f64 / all as f64 };
    Transferred { blocks: transferred, verified, missing, steady: 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pruned_dom::Pruning;
    use crate::pruned_dom::tests::{A, B, b_with_list, find};
    use proptest::prelude::*;

    fn pruned(page: &Page) -> PrunedDom {
        PrunedDom::of(page, &Pruning::for_templates())
    }

    /// The blocks `main` and `rest` of page A of the spec.
    fn stored() -> (PrunedDom, Vec<MarkedBlock>) {
        let page = Page::parse(A);
        let dom = pruned(&page);
        let main = find(&dom, "div#main");
        let inside = main..dom.end(main);
        let rest = (0..dom.len() as u32).filter(|element| !inside.contains(element));
        let blocks = vec![MarkedBlock::new("main", inside.clone()), MarkedBlock::new("rest", rest)];
        (dom, blocks)
    }

    fn texts(html: &str, how: &Transfer) -> (Vec<String>, Transferred) {
        let (dom, blocks) = stored();
        let page = Page::parse(html);
        let transferred = transfer(&dom, &blocks, &page, &pruned(&page), how);
        let text = |(_, nodes): &(String, NodeSet)| {
            let inside = page.nodes().filter(|node| nodes.contains(*node));
            inside.map(|node| page.string(node).trim()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
        };
        (transferred.blocks.iter().map(text).collect(), transferred)
    }

    #[test]
    fn parts_may_grow_and_new_elements_in_them_belong_to_them() {
        for how in [Transfer::default(), Transfer::published()] {
            let (text, transferred) = texts(A, &how);
            assert_eq!((text, transferred.verified, transferred.missing), (vec!["h 1 2".into(), "a x 1 2 f".into()], 1.0, 0));
        }
        let (text, transferred) = texts(&b_with_list(), &Transfer::default());
        assert_eq!((text, transferred.verified), (vec!["h 1 2 3 x".into(), "b x 1 2 3 f".into()], 1.0));
    }

    /// Spec 40 W-14 and T-24: the page matches, its main part is not verified; it is missing and not guessed.
    #[test]
    fn as_published_a_subtree_that_differs_is_missing() {
        let (text, transferred) = texts(B, &Transfer::published());
        assert_eq!(text[0], "h 1 2 3", "main is verified whatever is repeated in it");
        assert_eq!((transferred.verified, transferred.missing), (1.0, 0));
        let (text, transferred) = texts(&b_with_list(), &Transfer::published());
        assert_eq!(text[0], "");
        assert!(transferred.missing > 0 && transferred.verified < 1.0);
        assert_eq!(texts(&b_with_list(), &Transfer { subtree_similarity: 0.6, ..Transfer::published() }).0[0], "h 1 2 3 x");
    }

    #[test]
    fn a_page_of_another_template_is_not_verified() {
        let other = "<html><head><title>a</title></head><body><table><tr><td>1<td>2<td>3<tr><td>4<td>5<td>6</table></body>";
        for how in [Transfer::default(), Transfer::published()] {
            let (_, transferred) = texts(other, &how);
            assert!(!transferred.is_verified(&how) && transferred.missing > 0, "{transferred:?}");
        }
    }

    #[test]
    fn where_one_more_of_a_kind_makes_it_a_guess_nothing_is_believed() {
        let html = |paragraphs: usize| format!("<div>{}</div>", "<p>Some words of text.</p>".repeat(paragraphs));
        let (page, longer) = (Page::parse(html(4)), Page::parse(html(5)));
        let dom = pruned(&page);
        let verified =
            |block: MarkedBlock, page: &Page| transfer(&dom, &[block], page, &pruned(page), &Transfer::default()).verified;
        let (all, some) = (MarkedBlock::new("all", 4..8), MarkedBlock::new("some", 4..6));
        assert_eq!((verified(all.clone(), &page), verified(some.clone(), &page)), (1.0, 1.0));
        assert!(verified(all, &longer) > 0.99 && verified(some, &longer) < 0.5);
    }

    #[test]
    fn a_template_that_grew_too_much_is_not_believed() {
        let (dom, mut blocks) = stored();
        let (page, long) = (Page::parse(A), Page::parse(A.replace(">f<", &format!(">{}<", "word ".repeat(60)))));
        let all = NodeSet::from_roots(&page, [page.root()]);
        blocks[1] = blocks[1].clone().steady(&page, &all);
        let how = Transfer::default();
        let steady = |page: &Page| transfer(&dom, &blocks, page, &pruned(page), &how);
        assert!(steady(&page).steady > 0.8 && steady(&page).is_verified(&how));
        assert!(steady(&long).steady < 0.4 && !steady(&long).is_verified(&how));
        assert!(steady(&long).is_verified(&Transfer { min_steady: 0.0, ..how.clone() }));
    }

    #[test]
    fn text_belongs_to_the_element_it_stands_in() {
        let page = Page::parse("<div>one<p>two</p> </div>");
        let texts: Vec<NodeId> = page.nodes().filter(|node| !page.string(*node).is_empty()).collect();
        let of = |nodes: &[NodeId]| MarkedBlock::of("x", &page, &NodeSet::from_nodes(&page, nodes.iter().copied()));
        let div = page.element_number(page.parent(texts[0]).unwrap()) as u32;
        assert_eq!(of(&texts[..1]), MarkedBlock::new("x", [div]));
        assert_eq!(of(&texts[..2]), MarkedBlock::new("x", [div, div + 1]));
        assert!(of(&texts[2..]).is_empty(), "white space says nothing");
        assert_eq!(of(&texts).len(), 2);
    }

    proptest! {
        /// Spec 40 §11, property tests: `transfer(r, r.D)` is the identity.
        #[test]
        fn transfer_to_the_page_itself_changes_nothing(
            html in "(<(div|p|ul|li|b)( id=[a-c]| class=[a-c])?>|</(div|p|ul|b)>|t){0,40}",
            marks in prop::collection::vec(0u8..4, 50),
        ) {
            let page = Page::parse(html);
            let dom = pruned(&page);
            let marks = &marks;
            let marked = |bit: u8| (0..dom.len() as u32).filter(move |element| marks[*element as usize % 50] & bit != 0);
            let blocks = [MarkedBlock::new("one", marked(1)), MarkedBlock::new("two", marked(2))];
            for how in [Transfer::default(), Transfer::published()] {
                let transferred = transfer(&dom, &blocks, &page, &dom, &how);
                prop_assert_eq!((transferred.verified, transferred.missing), (1.0, 0));
                for (block, (kind, nodes)) in blocks.iter().zip(&transferred.blocks) {
                    prop_assert_eq!(&MarkedBlock::of(kind, &page, nodes), block);
                }
            }
        }

        #[test]
        fn any_two_pages_have_an_answer(one in "(<(div|p|li|b)( id=[a-c])?>|</(div|p)>|t){0,30}", other in "(<(div|p|li|b)( id=[a-c])?>|</(div|p)>|t){0,30}") {
            let (one, other) = (Page::parse(one), Page::parse(other));
            let (stored, dom) = (pruned(&one), pruned(&other));
            let blocks = [MarkedBlock::new("all", 0..stored.len() as u32)];
            for how in [Transfer::default(), Transfer::published()] {
                let transferred = transfer(&stored, &blocks, &other, &dom, &how);
                prop_assert!((0.0..=1.0).contains(&transferred.verified));
            }
        }
    }
}
