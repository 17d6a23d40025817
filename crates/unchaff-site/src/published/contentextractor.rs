//! ContentExtractor: blocks that few pages have, or have almost, are the primary content.
//!
//! Sandip Debnath, Prasenjit Mitra, Nirmal Pal, C. Lee Giles: Automatic identification of informative sections of web pages.
//! TKDE 2005, as retold by T. Gottron (Content Extraction, 2008, section 3.3.3). Blocks are those of the FeatureExtractor
//! ([`feature_extractor`]), which needs no other pages: `fe`. Two blocks are the same if the cosine of
//! their sets of words is above 0.9. The inverse block document frequency IBDF = f(1 / (number of pages + 1)) grows
//! as pages get fewer; the rule is printed the wrong way round, as if it shrank. Neither f nor the threshold is published: the threshold
//! here is on the share of pages, which no growing f changes.

use crate::candidates::training_set::{Detector, Judgement, Part, Settings, Trained, TrainingSet};
use crate::distances::overlap::common;
use crate::registry::{SiteEntry, entry};
use crate::text::keywords::Keywords;
use crate::text::shingles::{SetIndex, sequence_hash};
use std::collections::HashMap;
use unchaff_dom::{NodeId, NodeSet, Page, Site, Tag};
use unchaff_page::BlockKind;
use unchaff_page::parameters::{choice, parameters};
use unchaff_page::published::feature_extractor::{self, Block, Remainder};

choice! {
    /// Which blocks are primary.
    pub enum Rule {
        /// Those that few pages have.
        Few = "few",
        /// Those that many pages have (as printed).
        Many = "many",
    }
}

parameters! {
    /// Parameters of ContentExtractor. The default is the published setting where there is one.
    pub struct Params {
        /// Blocks with a cosine above this (0 to 1) are the same.
        pub min_cosine: f64 = 0.9,
        /// A block is on few pages if at most this share of them (0 to 1) has it.
        pub max_share: f64 = 0.5,
        /// Which blocks are primary: those that few pages have, or, as printed, those that many have.
        pub rule: Rule = Rule::Few,
        /// The elements at which pages are divided, in this order, with spaces between them.
        pub divide_at: String = "table tr p hr ul".to_owned(),
        /// What becomes of the rest of a block that is divided: lost, or kept as a block.
        pub remainder: Remainder = Remainder::Drop,
        /// Whether blocks that are not primary are taken out of primary ones they stand in.
        pub take_out_nested: bool = true,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<Trained<Params>, Settings<Params>>(
    Params::NAME,
    BlockKind::Content,
    "blocks of which at most half of the pages have one with almost the same words",
    "S. Debnath, P. Mitra, N. Pal, C. L. Giles: Automatic identification of informative sections of web pages. TKDE 2005, \
     after T. Gottron: Content Extraction, 2008, section 3.3.3",
    "linear in the pages loaded, times the blocks that share rare words",
);

/// Tables nested in tables have their words in every one of them; of a page no more than so many, over all blocks, are kept.
const MOST_WORDS: usize = 1 << 18;

/// The cosine of two sets of words, as vectors of zeros and ones; 0 if one is empty.
#[must_use]
pub(crate) fn cosine(one: &[u64], other: &[u64]) -> f64 {
    let length = ((one.len() * other.len()) as f64).sqrt();
    if length > 0.0 { common(one, other) as f64 / length } else { 0.0 }
}

/// The argument of the inverse block document frequency.
#[must_use]
pub(crate) fn inverse_frequency(pages: usize) -> f64 {
    1.0 / (pages as f64 + 1.0)
}

/// The words of all texts of a page, one text after the other.
struct TextWords {
    words: Vec<u64>,
    texts: Vec<(NodeId, usize)>,
}

impl TextWords {
    fn of(page: &Page, keywords: &mut Keywords) -> TextWords {
        let mut all = TextWords { words: Vec::new(), texts: Vec::new() };
        for node in page.nodes().filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).words > 0) {
            all.texts.push((node, all.words.len()));
            keywords.read(page.string(node), &mut all.words);
        }
        all.texts.push((NodeId(page.len() as u32), all.words.len()));
        all
    }

    /// The distinct words of a block, sorted.
    fn of_block(&self, page: &Page, block: &Block) -> Vec<u64> {
        let start = |node: NodeId| self.texts[self.texts.partition_point(|(text, _)| *text < node).min(self.texts.len() - 1)].1;
        let mut from = start(block.root);
        let mut words = Vec::new();
        for removed in &block.without {
            words.extend_from_slice(&self.words[from..start(*removed)]);
            from = start(page.end(*removed));
        }
        words.extend_from_slice(&self.words[from..start(page.end(block.root))]);
        words.sort_unstable();
        words.dedup();
        words
    }
}

impl Params {
    fn divide(&self, page: &Page) -> Vec<Block> {
        let divide_at = self.divide_at.clone();
        feature_extractor::Params { divide_at, remainder: self.remainder, ..feature_extractor::Params::default() }.blocks(page)
    }

    fn is_primary(&self, words: &[u64], pages: usize, all: usize) -> bool {
        let few = pages as f64 <= self.max_share * all as f64 + 1e-9;
        !words.is_empty() && few == (self.rule == Rule::Few)
    }
}

impl Detector for Params {
    const NAME: &'static str = "contentextractor";
    const KIND: BlockKind = BlockKind::Content;

    fn judge(&self, set: &TrainingSet, _: &dyn Site) -> Judgement {
        let columns = ["pages", "inverse frequency"];
        let page = set.page();
        if set.len() < 2 {
            return Judgement::undecided(page, Self::KIND, columns);
        }
        let mut keywords = Keywords::all_words();
        // Equal sets of words are kept once, with the pages that have them and where the blocks of the page itself are.
        let mut places: HashMap<u64, usize> = HashMap::new();
        let (mut sets, mut pages_of, mut own, mut own_places) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut notes = Vec::new();
        for (at, page) in set.pages().enumerate() {
            let words = TextWords::of(page, &mut keywords);
            let (blocks, mut total) = (self.divide(page), 0);
            for block in blocks {
                if total > MOST_WORDS {
                    notes.push(format!(
                        "page {at} of the set has more than {MOST_WORDS} words in its blocks; the rest was left out"
                    ));
                    break;
                }
                let words = words.of_block(page, &block);
                total += words.len();
                let place = *places.entry(sequence_hash(&words)).or_insert(sets.len());
                if place == sets.len() {
                    sets.push(words);
                    pages_of.push(vec![at]);
                } else if pages_of[place].last() != Some(&at) {
                    pages_of[place].push(at);
                }
                if at == 0 {
                    own.push(block);
                    own_places.push(place);
                }
            }
        }
        let index = SetIndex::new(sets.iter().map(Vec::as_slice));
        let mut parts = Vec::with_capacity(own.len());
        for (block, place) in own.iter().zip(own_places) {
            let words = &sets[place];
            let candidates = index.candidates(words, self.min_cosine * self.min_cosine);
            let like =
                candidates.iter().map(|other| *other as usize).filter(|other| cosine(words, &sets[*other]) > self.min_cosine);
            let mut pages: Vec<usize> = like.flat_map(|other| pages_of[other].iter().copied()).chain([0]).collect();
            pages.sort_unstable();
            pages.dedup();
            let values = [pages.len() as f64, inverse_frequency(pages.len())];
            parts.push(Part { node: block.root, values, chosen: self.is_primary(words, pages.len(), set.len()) });
        }
        let nodes = self.nodes(page, &own, &parts);
        Judgement { nodes, columns, parts, notes }
    }
}

impl Params {
    /// The union of the primary blocks. Blocks come in document order, so one that is nested comes after that around it.
    fn nodes(&self, page: &Page, blocks: &[Block], parts: &[Part]) -> NodeSet {
        let mut nodes = NodeSet::new(page);
        for (block, part) in blocks.iter().zip(parts) {
            if !part.chosen && !self.take_out_nested {
                continue;
            }
            let mut from = block.root;
            let mut put = |from: NodeId, to: NodeId| {
                for node in (from.0..to.0).map(NodeId) {
                    if part.chosen { nodes.insert(node) } else { nodes.remove(node) }
                }
            };
            for removed in &block.without {
                put(from, *removed);
                from = page.end(*removed);
            }
            put(from, page.end(block.root));
            if !block.without.is_empty() {
                // What is left of a block does not stand for the element whose other parts are blocks of their own.
                nodes.remove(block.root);
            }
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::training_set::tests::{found, linked, set_of};
    use proptest::prelude::*;

    #[test]
    fn cosines_of_sets_of_words() {
        // Examples of ours, computed from the formulas of section 3.3.3.
        let near = |one: f64, other: f64| (one - other).abs() < 1e-6;
        assert!(near(cosine(&[1, 2, 3], &[1, 2]), 0.816_497));
        let words: Vec<u64> = (0..10).collect();
        assert!(near(cosine(&words, &words[..9]), 0.948_683));
        assert!(near(cosine(&words[..6], &words[..5]), 0.912_871));
        assert!(near(cosine(&words[..5], &words[..4]), 0.894_427));
        assert_eq!((cosine(&[], &[1]), inverse_frequency(1), inverse_frequency(9)), (0.0, 0.5, 0.1));
    }

    const BODIES: [&str; 4] = [
        "<ul><li>Home<li>News</ul><p>It rained all day.</p><p>all six words but one differ today</p>",
        "<ul><li>Home<li>News</ul><p>Then the sun came.</p><p>all six words but one differ</p>",
        "<ul><li>Home<li>News</ul><p>Nobody knew.</p><p>all six words but one differ tomorrow</p>",
        "<ul><li>Home<li>News</ul><p>Everybody did.</p><p>all six words but one differ today</p>",
    ];

    #[test]
    fn blocks_of_few_pages_are_primary() {
        assert_eq!(found(&Params::default(), &BODIES), "It rained all day.");
        let strict = Params { min_cosine: 0.95, ..Params::default() };
        assert_eq!(found(&strict, &BODIES), "It rained all day. all six words but one differ today");
    }

    #[test]
    fn the_printed_rule_chooses_what_recurs() {
        // The inequality of section 3.3.3 by the letter.
        let text = found(&Params { rule: Rule::Many, ..Params::default() }, &BODIES);
        assert_eq!(text, "all six words but one differ today");
    }

    #[test]
    fn what_is_left_of_a_divided_block_is_lost_or_kept() {
        // A page divided at `p` has lost its list, and what stands directly in the body.
        let bodies = BODIES.map(|body| format!("{body} alone with {} others", &body[28..38]));
        let bodies = bodies.each_ref().map(String::as_str);
        assert_eq!(found(&Params::default(), &bodies), "It rained all day.");
        let kept = found(&Params { remainder: Remainder::Keep, divide_at: "ul p".to_owned(), ..Params::default() }, &bodies);
        assert!(kept.contains("alone") && kept.contains("It rained") && !kept.contains("Home"), "{kept}");
    }

    #[test]
    fn nested_blocks_that_recur_are_taken_out_or_not() {
        let body =
            |text: &str| format!("<table><tr><td>{text}<table><tr><td>Same everywhere</td></tr></table></td></tr></table>");
        let bodies = ["One of them", "Another one", "Third time", "Nothing more"].map(body);
        let bodies = bodies.each_ref().map(String::as_str);
        assert_eq!(found(&Params::default(), &bodies), "One of them");
        assert_eq!(found(&Params { take_out_nested: false, ..Params::default() }, &bodies), "One of them Same everywhere");
    }

    #[test]
    fn deep_tables_do_not_multiply_their_words() {
        let words = |page: usize| (0..3_000).map(|word| format!("w{page}x{word} ")).collect::<String>();
        let nested = |page: usize| format!("{}{}", "<table><tr><td>".repeat(150), words(page));
        let bodies = [nested(1), nested(2)];
        let site = linked(&bodies.each_ref().map(String::as_str));
        let judgement = Params::default().judge(&set_of(&site), &site);
        assert!(judgement.notes.iter().any(|note| note.contains("left out")) && judgement.parts.len() < 150);
        assert!(!judgement.nodes.is_empty());
    }

    proptest! {
        #[test]
        fn the_index_finds_what_all_pairs_find(
            pages in prop::collection::vec("(<p>|<ul>|<li>|</ul>|<table>|<tr>|<td>|</table>|one |two |three |four |five ){0,40}", 2..5),
            keep in any::<bool>(), min_cosine in 0.0..1.0f64,
        ) {
            let bodies: Vec<&str> = pages.iter().map(String::as_str).collect();
            let site = linked(&bodies);
            let set = set_of(&site);
            let remainder = if keep { Remainder::Keep } else { Remainder::Drop };
            let params = Params { remainder, min_cosine, ..Params::default() };
            let judgement = params.judge(&set, &site);
            let words: Vec<Vec<Vec<u64>>> = set.pages().map(|page| {
                let words = TextWords::of(page, &mut Keywords::all_words());
                params.divide(page).iter().map(|block| words.of_block(page, block)).collect()
            }).collect();
            for (part, own) in judgement.parts.iter().zip(&words[0]) {
                let others = words[1..].iter().filter(|page| page.iter().any(|other| cosine(own, other) > min_cosine)).count();
                prop_assert_eq!(part.values[0], (others + 1) as f64);
            }
        }
    }
}
