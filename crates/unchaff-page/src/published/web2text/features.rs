//! What Web2Text looks at: numbers of each text and the nodes above it, and of each pair of neighbours.
//!
//! By the lists that its authors published with their program: of a text its words, characters, marks, numbers, sentences, capitals, place and signs; of its
//! parent, the parent's parent and the body much the same with the share of links; tags; how often the text is repeated. Of a pair the steps between them in
//! the collapsed tree, whether a line ends there, and the numbers of the node that holds both. Logarithms and bounds are the published ones; means and
//! deviations, by which numbers are made comparable, are those of the pages that ours was trained on and stand with the weights.

use super::collapsed::{Collapsed, LEAF_TAGS, NODE_TAGS};
use crate::views::stop_words::stop_words_of;
use crate::views::text_facts::{TextFacts, sums_of};
use crate::views::text_leaves::{Split, TextLeaves};
use foldhash::{HashMap, HashMapExt};
use std::ops::Range;
use unchaff_dom::{NodeId, Page, Tag};

const TEXT: usize = 24;
const NODE: usize = 20;
const DUPLICATES: usize = 2;

/// Numbers of a text.
pub const OWN: usize = DUPLICATES + TEXT + (NODE + NODE_TAGS.len()) + NODE + NODE + LEAF_TAGS.len();
/// Numbers of a pair.
pub const PAIR: usize = 4 + 1 + NODE;

/// The numbers of a page.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// The texts.
    pub texts: Vec<NodeId>,
    /// [`OWN`] numbers for each text.
    pub own: Vec<f32>,
    /// [`PAIR`] numbers for each text with the next.
    pub pairs: Vec<f32>,
}

impl Features {
    /// Reads a page.
    #[must_use]
    pub fn of(page: &Page) -> Features {
        let leaves = TextLeaves::of(page);
        let reading = Reading {
            page,
            sums: sums_of(page, &leaves.texts, &stop_words_of(page)),
            collapsed: Collapsed::of(page, &leaves),
            forms: forms_before(page),
            leaves: &leaves,
        };
        let mut features = Features { texts: leaves.texts.clone(), ..Features::default() };
        let body = page.body().unwrap_or(page.root());
        let whole = reading.of_node(body);
        let mut seen: HashMap<&str, u32> = HashMap::with_capacity(leaves.texts.len());
        leaves.texts.iter().for_each(|text| *seen.entry(page.string(*text).trim()).or_default() += 1);
        // Many texts have the same nodes above them.
        let mut known: HashMap<NodeId, [f32; NODE]> = HashMap::new();
        let mut of_node = |node: NodeId| *known.entry(node).or_insert_with(|| reading.of_node(node));
        features.own.reserve_exact(leaves.texts.len() * OWN);
        for (at, text) in leaves.texts.iter().enumerate() {
            let parent = reading.collapsed.parent(*text);
            let times = seen[page.string(*text).trim()];
            features.own.extend([yes(times > 1), yes(times > 9)]);
            features.own.extend(reading.of_text(at));
            features.own.extend(of_node(parent));
            features.own.extend(reading.collapsed.tags(parent).of_node().map(yes));
            features.own.extend(of_node(reading.collapsed.parent(parent)));
            features.own.extend(whole);
            features.own.extend(reading.collapsed.tags(*text).of_leaf().map(yes));
        }
        for (at, two) in leaves.texts.windows(2).enumerate() {
            let (common, steps) = reading.collapsed.common(two[0], two[1]);
            let split = leaves.splits[at + 1];
            let breaks = split.has(Split::BLOCK) || split.has(Split::BREAK) || split.has(Split::RULE);
            features.pairs.extend([yes(steps == 2), yes(steps == 3), yes(steps == 4), yes(steps > 4), yes(breaks)]);
            features.pairs.extend(of_node(common));
        }
        features
    }
}

struct Reading<'p> {
    page: &'p Page,
    leaves: &'p TextLeaves,
    sums: Vec<TextFacts>,
    collapsed: Collapsed<'p>,
    /// Fields of forms before each node.
    forms: Vec<u32>,
}

fn yes(is: bool) -> f32 {
    if is { 1.0 } else { -1.0 }
}

/// A share; 0 where there is nothing to have a share of.
fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

fn log(value: f32, low: f32, high: f32) -> f32 {
    value.max(1e-9).ln().clamp(low, high)
}

fn forms_before(page: &Page) -> Vec<u32> {
    let mut sums = Vec::with_capacity(page.len() + 1);
    let mut sum = 0;
    for node in page.nodes() {
        sums.push(sum);
        sum += u32::from(matches!(page.tag(node), Tag::Input | Tag::Select | Tag::Textarea | Tag::Button));
    }
    sums.push(sum);
    sums
}

impl Reading<'_> {
    fn facts(&self, texts: Range<usize>) -> TextFacts {
        self.sums[texts.end] - self.sums[texts.start]
    }

    /// Whether a stretch of text ends with a mark, and whether with a question mark.
    fn ends(&self, texts: Range<usize>) -> [f32; 2] {
        let last = texts.last().and_then(|text| self.page.string(self.leaves.texts[text]).trim_end().chars().next_back());
        [
            yes(last.is_some_and(|last| matches!(last, '.' | '!' | '?' | ':' | ';' | ',' | '…' | '。' | '！' | '？'))),
            yes(matches!(last, Some('?' | '？'))),
        ]
    }

    fn of_text(&self, text: usize) -> [f32; TEXT] {
        let facts = self.facts(text..text + 1);
        let (words, chars) = (facts.words(), facts.chars());
        let whole = self.sums[self.leaves.texts.len()].chars();
        let place = share(self.sums[text].chars() + chars / 2, whole);
        let capitals = share(facts.capitals, words);
        let [mark, question] = self.ends(text..text + 1);
        [
            yes(words > 0),
            log(words as f32, 0.0, 3.5),
            share(facts.letters + facts.digits, words).clamp(3.0, 15.0),
            yes(facts.stop_words > 0),
            share(facts.stop_words, words),
            log(chars as f32, 2.5, 5.5),
            yes(facts.punctuation > 0),
            (facts.punctuation as f32).min(10.0),
            log(share(facts.punctuation, chars), -4.0, -2.5),
            yes(facts.digits > 0),
            share(facts.digits, chars),
            log(share(chars, facts.sentences()), 2.0, 5.0),
            yes(facts.sentence_ends > 1),
            place,
            place * place,
            mark,
            question,
            yes(facts.copyrights > 0),
            yes(facts.emails > 0),
            yes(facts.urls > 0),
            yes(facts.years > 0),
            capitals,
            capitals.powi(2),
            capitals.powi(3),
        ]
    }

    fn of_node(&self, node: NodeId) -> [f32; NODE] {
        let texts = self.collapsed.texts(node);
        let facts = self.facts(texts.clone());
        let (words, chars) = (facts.words(), facts.chars());
        let capitals = share(facts.capitals, words);
        let [mark, question] = self.ends(texts);
        let forms = self.forms[self.page.end(node).index()] > self.forms[node.index()];
        [
            share(chars, self.sums[self.leaves.texts.len()].chars()),
            share(facts.link_chars, chars),
            share(facts.letters + facts.digits, words).clamp(3.0, 15.0),
            yes(facts.stop_words > 0),
            share(facts.stop_words, words),
            log(chars as f32, 2.5, 10.0),
            log(share(facts.punctuation, chars), -4.0, -2.5),
            yes(facts.digits > 0),
            share(facts.digits, chars),
            log(share(chars, facts.sentences()), 2.0, 5.0),
            mark,
            question,
            yes(facts.copyrights > 0),
            yes(facts.emails > 0),
            yes(facts.urls > 0),
            yes(facts.years > 0),
            capitals,
            capitals.powi(2),
            capitals.powi(3),
            yes(forms),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "Rain fell on us." beside a link: four words, twelve letters, one mark, one capital, two stop words (on, us), a sentence.
    #[test]
    fn the_numbers_of_a_text_and_its_parent_are_those_counted_by_hand() {
        let page = Page::parse("<html lang=en><body><div><p>Rain fell on us.</p><p><a href=x>More</a></p></div>");
        let features = Features::of(&page);
        assert_eq!((features.own.len(), features.pairs.len()), (2 * OWN, PAIR));
        let near = |a: f32, b: f32| (a - b).abs() < 1e-5;
        let text = &features.own[DUPLICATES..DUPLICATES + TEXT];
        assert!(near(text[1], 4.0_f32.ln()) && near(text[2], 3.0) && near(text[4], 0.5), "{text:?}");
        assert!(near(text[5], 16.0_f32.ln()) && near(text[7], 1.0) && near(text[15], 1.0) && near(text[21], 0.25));
        // The body, with the div in its chain, is the parent: 4 of 20 characters in links.
        let parent = &features.own[DUPLICATES + TEXT..];
        assert!(near(parent[0], 1.0) && near(parent[1], 4.0 / 20.0), "{parent:?}");
        // Two steps from one text over the body to the other, and a line ends.
        assert_eq!(features.pairs[..5], [1.0, -1.0, -1.0, -1.0, 1.0]);
    }

    #[test]
    fn a_page_without_text_has_no_numbers() {
        let features = Features::of(&Page::parse("<div></div>"));
        assert!(features.own.is_empty() && features.pairs.is_empty());
    }
}
