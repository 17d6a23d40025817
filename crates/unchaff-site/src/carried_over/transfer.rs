//! Blocks of one page carried over to another page of the same template, and how far that can be trusted.
//!
//! Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017, §7.5.
//! A block is any set of elements with a name: content, template, menu, or a segment, which may have single texts too. As published ([`Way::Published`]), the
//! root of every part of a block is located (`locate_node`) and verified; what is not found is missing,
//! never guessed. Ours ([`Way::SiblingRuns`]) asks from the other side: every element of the page is in the blocks of its
//! counterpart (`sibling_runs`), so that parts may grow and shrink. Where every sibling of a kind is a block of
//! its own, all of one name, as in a list of which each entry is a segment, there are as many such blocks as there are siblings.
//!
//! What to do with misses is not published: the share that is verified is returned, and below
//! [`Transfer::min_verified`] the page is better analysed.

use crate::carried_over::locate_node::{equivalent, locate_node};
use crate::carried_over::pruned_dom::PrunedDom;
use crate::carried_over::sibling_runs::{Counterparts, kind};
use crate::learned::page_keys::mix;
use std::ops::Range;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::parameters::{choice, parameters};

choice! {
    /// How blocks are carried over.
    pub enum Way {
        /// Every element is in the blocks of its counterpart.
        SiblingRuns = "sibling-runs",
        /// The root of each part is located by place, number of siblings, `id` and name, and its subtree verified.
        Published = "published",
    }
}

parameters! {
    /// How blocks are carried over, and when that is believed.
    pub struct Transfer {
        /// How blocks are carried over; `published` has limits of its own: 0.5 must be verified, and lengths do not matter.
        pub way: Way = Way::SiblingRuns,
        /// As published: subtrees are the same if their path sets are more similar than this (0 to 1).
        pub subtree_similarity: f64 = 0.7,
        /// If less is verified (0 to 1), the page is analysed.
        pub min_verified: f64 = 0.9,
        /// Blocks that are about as long on every page must have at least this share (0 to 1) of their words, and not as many
        /// times more.
        pub min_steady: f64 = 0.6,
    }
}

impl Transfer {
    /// As published, with limits of ours for what the thesis leaves open.
    #[must_use]
    pub fn published() -> Transfer {
        Transfer { way: Way::Published, subtree_similarity: 0.7, min_verified: 0.5, min_steady: 0.0 }
    }
}

/// Where a text stands that is in a block while other texts around it are not: texts have no names, so by
/// element and place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TextPlace {
    /// The element, by number.
    pub element: u32,
    /// Its place among the texts directly in the element, from 0. White space does not count.
    pub position: u32,
    /// How many such texts there are.
    pub siblings: u32,
}

/// A named set of elements of a stored page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarkedBlock {
    /// What the elements are: `content`, `template`, `menu`, or the name of a segment.
    pub kind: String,
    /// The elements by number, as ranges that ascend and do not touch.
    pub elements: Vec<Range<u32>>,
    /// Texts that are in it without the element in which they stand, in ascending order.
    pub texts: Vec<TextPlace>,
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
        MarkedBlock { kind: kind.to_owned(), elements: ranges, texts: Vec::new(), steady_words: None }
    }

    /// Blocks by name, each of whole subtrees and of single texts, which are kept apart from what stands beside them.
    #[must_use]
    pub fn of_roots<'r>(page: &Page, blocks: impl IntoIterator<Item = (&'r str, &'r [NodeId])>) -> Vec<MarkedBlock> {
        let places = text_places(page);
        let mut marked = Vec::new();
        for (kind, roots) in blocks {
            let nodes = roots.iter().flat_map(|root| page.subtree(*root)).filter(|node| page.is_element(*node));
            let mut elements: Vec<u32> = nodes.map(|node| page.element_number(node) as u32).collect();
            elements.sort_unstable();
            elements.dedup();
            let place = |root: &NodeId| places.binary_search_by_key(root, |(text, _)| *text).ok().map(|at| places[at].1);
            let mut texts: Vec<TextPlace> = roots.iter().filter_map(place).collect();
            texts.sort_unstable();
            texts.dedup();
            marked.push(MarkedBlock { texts, ..MarkedBlock::new(kind, elements) });
        }
        marked
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
        self.elements.is_empty() && self.texts.is_empty()
    }
}

/// The texts of a page with their places, in document order.
fn text_places(page: &Page) -> Vec<(NodeId, TextPlace)> {
    let mut places = Vec::new();
    for (number, element) in elements(page).into_iter().enumerate() {
        let from = places.len();
        for (position, text) in (0..).zip(texts_in(page, element)) {
            places.push((text, TextPlace { element: number as u32, position, siblings: 0 }));
        }
        let siblings = (places.len() - from) as u32;
        places[from..].iter_mut().for_each(|(_, place)| place.siblings = siblings);
    }
    places.sort_unstable();
    places
}

/// The texts directly in an element that are no white space.
fn texts_in(page: &Page, element: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    page.children(element).filter(|child| page.tag(*child) == Tag::Text && !page.string(*child).trim_ascii().is_empty())
}

/// Blocks carried over to a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Transferred {
    /// The blocks, in the order of the stored ones; then those for which a row of blocks is longer here.
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
    let (of_element, places) = (BlocksOf::elements(stored, blocks), BlocksOf::places(blocks));
    let mut found = vec![false; stored.len()];
    let mut found_places = vec![false; places.len()];
    // Elements in which it is a guess which text is which.
    let mut unsure = vec![false; dom.len()];
    let mut transferred: Vec<(String, NodeSet)> = blocks.iter().map(|block| (block.kind.clone(), NodeSet::new(page))).collect();
    let marks = Marks::of(stored, blocks);
    // The block for which a further one of a row stands in a subtree, and that one.
    let mut instead: Vec<Option<(u32, u32)>> = vec![None; dom.len()];
    for (number, element) in (0..dom.len() as u32).zip(&elements) {
        let after = counterparts.takes_after(number);
        instead[number as usize] = dom.parent(number).and_then(|parent| instead[parent as usize]);
        if let Some((own, row)) = counterparts.of(number).and_then(|own| Some((own, marks.rows[own as usize]?))) {
            let is_further = std::mem::replace(&mut found[own as usize], true);
            unsure[number as usize] = is_further && transferred.len() >= blocks.len() + MOST_FURTHER;
            if is_further && !unsure[number as usize] {
                instead[number as usize] = Some((row.block, transferred.len() as u32));
                transferred.push((blocks[row.block as usize].kind.clone(), NodeSet::new(page)));
            }
        }
        for block in of_element.of(after) {
            let further = instead[number as usize].filter(|(of, _)| of == block);
            insert_own(page, &mut transferred[further.map_or(*block, |(_, further)| further) as usize].1, *element);
        }
        let range = places.partition_point(|(place, _)| place.element < after)
            ..places.partition_point(|(place, _)| place.element <= after);
        let Some((TextPlace { siblings, .. }, first)) = places.get(range.start).filter(|_| !range.is_empty()) else { continue };
        let mut count = 0;
        for text in texts_in(page, *element) {
            // If there are more, the rest is taken for the last one, as with elements.
            let position = count.min(siblings - 1);
            count += 1;
            let from = range.start + places[range.clone()].partition_point(|(place, _)| place.position < position);
            for at in (from..range.end).take_while(|at| places[*at].0.position == position) {
                transferred[places[at].1 as usize].1.insert(text);
                found_places[at] = true;
            }
        }
        let all_of_one = range.len() == *siblings as usize && places[range].iter().all(|(_, block)| block == first);
        unsure[number as usize] = count != *siblings && !all_of_one;
    }
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
        if inherited || (own.is_some() && !doubt[at] && !unsure[at]) {
            verified += weights[at];
        }
    }
    let (mut missing, mut lost, mut all) = (0, 0usize, 0usize);
    for block in blocks {
        for part in parts(stored, block) {
            // Of a row some may be missing.
            let stands_for = |root: &u32| marks.rows[*root as usize].map_or(*root, |row| row.first);
            let is_found = part.iter().any(|root| found[*root as usize] || found[stands_for(root) as usize]);
            let size: usize = part.iter().map(|root| (stored.end(*root) - root) as usize).sum();
            all += size;
            if !is_found {
                missing += 1;
                lost += size;
            }
        }
    }
    let lost_places = found_places.iter().filter(|found| !**found).count();
    (missing, lost, all) = (missing + lost_places, lost + lost_places, all + places.len());
    let on_page = verified as f64 / whole as f64;
    let in_store = if all == 0 { 1.0 } else { 1.0 - lost as f64 / all as f64 };
    Transferred { blocks: transferred, verified: on_page.min(in_store), missing, steady: 1.0 }
}

/// The blocks that each stored element is in.
struct BlocksOf {
    starts: Vec<u32>,
    blocks: Vec<u32>,
}

impl BlocksOf {
    fn elements(stored: &PrunedDom, blocks: &[MarkedBlock]) -> BlocksOf {
        let mut starts = vec![0u32; stored.len() + 1];
        blocks.iter().flat_map(MarkedBlock::iter).for_each(|element| starts[element as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut of = vec![0; starts[stored.len()] as usize];
        for (number, block) in blocks.iter().enumerate() {
            for element in block.iter() {
                let place = &mut next[element as usize];
                of[*place as usize] = number as u32;
                *place += 1;
            }
        }
        BlocksOf { starts, blocks: of }
    }

    fn of(&self, element: u32) -> &[u32] {
        &self.blocks[self.starts[element as usize] as usize..self.starts[element as usize + 1] as usize]
    }

    /// The texts that stand alone, by place, each with its block.
    fn places(blocks: &[MarkedBlock]) -> Vec<(TextPlace, u32)> {
        let of =
            |(number, block): (usize, &MarkedBlock)| block.texts.iter().map(|place| (*place, number as u32)).collect::<Vec<_>>();
        let mut places: Vec<(TextPlace, u32)> = blocks.iter().enumerate().flat_map(of).collect();
        places.sort_unstable();
        places
    }
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

/// So many further blocks of rows there may be; the rest of a longer row is a guess.
const MOST_FURTHER: usize = 256;

/// An element in a row of siblings, each of which is a block by itself.
#[derive(Clone, Copy)]
struct Row {
    /// The first of the row.
    first: u32,
    /// The block that the element is.
    block: u32,
}

/// What the blocks of a stored page say about its elements.
struct Marks {
    /// Whether all of a subtree is in the same blocks.
    uniform: Vec<bool>,
    /// Whether siblings of its kind are not all in the same blocks, with all that is in them.
    in_mixed_run: Vec<bool>,
    /// Which are in a row of blocks.
    rows: Vec<Option<Row>>,
}

impl Marks {
    fn of(stored: &PrunedDom, blocks: &[MarkedBlock]) -> Marks {
        let mut marks = vec![0u64; stored.len()];
        for (number, block) in blocks.iter().enumerate() {
            block.iter().for_each(|element| marks[element as usize] = mix(marks[element as usize], number as u64));
        }
        let mut uniform = vec![true; stored.len()];
        blocks.iter().flat_map(|block| &block.texts).for_each(|place| uniform[place.element as usize] = false);
        for node in (1..stored.len()).rev() {
            let parent = stored.parent(node as u32).unwrap_or(0) as usize;
            if !uniform[node] || marks[node] != marks[parent] {
                uniform[parent] = false;
            }
        }
        let mut is_block: Vec<Option<u32>> = vec![None; stored.len()];
        for (number, block) in (0..).zip(blocks) {
            if let ([range], []) = (&block.elements[..], &block.texts[..])
                && stored.end(range.start) == range.end
            {
                is_block[range.start as usize] = Some(number);
            }
        }
        let (mut in_mixed_run, mut rows) = (vec![false; stored.len()], vec![None; stored.len()]);
        let mut siblings: Vec<(u64, u32)> = Vec::new();
        for node in (0..stored.len() as u32).filter(|node| stored.end(*node) > node + 2) {
            siblings.clear();
            siblings.extend(stored.children(node).map(|child| (kind(stored, child), child)));
            siblings.sort_unstable();
            for run in siblings.chunk_by(|one, other| one.0 == other.0).filter(|run| run.len() > 1) {
                let first = marks[run[0].1 as usize];
                let block = |child: u32| is_block[child as usize].filter(|_| uniform[child as usize]);
                let name = |child: u32| block(child).map(|block| &blocks[block as usize].kind);
                if name(run[0].1).is_some() && run.iter().all(|(_, child)| name(*child) == name(run[0].1)) {
                    let row = |child: u32| block(child).map(|block| Row { first: run[0].1, block });
                    run.iter().for_each(|(_, child)| rows[*child as usize] = row(*child));
                } else if run.iter().any(|(_, child)| marks[*child as usize] != first || !uniform[*child as usize]) {
                    run.iter().for_each(|(_, child)| in_mixed_run[*child as usize] = true);
                }
            }
        }
        Marks { uniform, in_mixed_run, rows }
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
        for TextPlace { element, position, siblings } in &block.texts {
            let found = locate_node(dom, &stored.descriptors(*element)).and_then(|found| elements.get(found as usize));
            let found = found.filter(|found| texts_in(page, **found).count() == *siblings as usize);
            all += 1;
            match found.and_then(|found| texts_in(page, *found).nth(*position as usize)) {
                Some(text) => nodes.insert(text),
                None => missing += 1,
            }
        }
        transferred.push((block.kind.clone(), nodes));
    }
    let verified = if all == 0 { 1.0 } else { (all - missing) as f64 / all as f64 };
    Transferred { blocks: transferred, verified, missing, steady: 1.0 }
}

#[cfg(test)]
mod tests;
