//! InfoDiscoverer: blocks whose words occur evenly over the pages of a site are redundant, the others informative.
//!
//! Shian-Hua Lin, Jan-Ming Ho: Discovering informative content blocks from web documents. KDD 2002, as retold by T. Gottron
//! (Content Extraction, 2008, section 3.3.2, algorithm 3.6). Blocks are the cells of tables, nested ones taken out of those around
//! them; what stands in no table is one more block. A block's entropy is the mean of its words' (`feature_entropy`). The threshold is
//! raised in steps of a tenth until a step brings no new word.
//!
//! On pages that are laid out without tables there is one block, and nothing to choose from; `blocks` takes other elements.

use crate::candidates::training_set::{Detector, Judgement, Part, Settings, Trained, TrainingSet, nodes_of_texts};
use crate::learned::page_keys::KeyMap;
use crate::registry::{SiteEntry, entry};
use crate::text::feature_entropy::{Entropies, Weights};
use crate::text::keywords::{Keywords, STOP_WORDS};
use unchaff_dom::{NodeId, Page, Site, Tag};
use unchaff_page::BlockKind;
use unchaff_page::parameters::parameters;

parameters! {
    /// Parameters of InfoDiscoverer. The default is the published setting.
    pub struct Params {
        /// The elements that are blocks, with spaces between them.
        pub blocks: String = "table td th".to_owned(),
        /// Words that do not count, with spaces between them.
        pub stop_words: String = STOP_WORDS.to_owned(),
        /// Whether English words are reduced to their stems.
        pub stemming: bool = true,
        /// The weight of a word in a page: its share of the occurrences in all pages, or occurrences scaled to 1 at most.
        /// The second is a reading of the text that turns the measure around.
        pub weights: Weights = Weights::Shares,
        /// Whether the threshold is found by raising it until nothing is gained.
        pub greedy: bool = true,
        /// Whether the threshold is raised as long as no block is below it, even if nothing is gained.
        pub require_nonempty_start: bool = true,
        /// The threshold (0 to 1) if it is not found; blocks of a higher entropy are redundant.
        pub threshold: f64 = 0.5,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<Trained<Params>, Settings<Params>>(
    Params::NAME,
    BlockKind::Content,
    "table cells whose words are not spread evenly over the pages of the site, by mean entropy",
    "S.-H. Lin, J.-M. Ho: Discovering informative content blocks from web documents. KDD 2002, \
     after T. Gottron: Content Extraction, 2008, section 3.3.2",
    "linear in the pages loaded, and sorting their words",
);

/// What rounding may add to an entropy.
const ROUNDING: f64 = 1e-9;

/// The blocks of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageBlocks {
    /// The element of each block, in document order; the first is the body.
    pub elements: Vec<NodeId>,
    /// The distinct features of each, sorted.
    pub features: Vec<Vec<u64>>,
    /// Which block each text with words is in.
    pub texts: Vec<(NodeId, u32)>,
}

/// What was learned from a set of pages.
#[derive(Clone, Debug)]
pub(crate) struct Discovery {
    /// The blocks of each page.
    pub pages: Vec<PageBlocks>,
    /// The entropies of all features.
    pub entropies: Entropies,
}

impl Discovery {
    /// The entropy of a block; one without features is as redundant as can be.
    #[must_use]
    pub(crate) fn entropy(&self, page: usize, block: usize) -> f64 {
        self.entropies.mean(&self.pages[page].features[block]).unwrap_or(1.0)
    }

    /// The blocks of some pages with their entropies.
    pub(crate) fn blocks<'d>(&'d self, pages: impl Iterator<Item = usize> + 'd) -> impl Iterator<Item = (&'d [u64], f64)> + 'd {
        pages.flat_map(move |page| {
            let features = self.pages[page].features.iter().enumerate();
            features.map(move |(block, features)| (features.as_slice(), self.entropy(page, block)))
        })
    }

    /// Which blocks of a page are informative at a threshold.
    #[must_use]
    pub(crate) fn informative(&self, page: usize, threshold: f64) -> Vec<bool> {
        (0..self.pages[page].elements.len()).map(|block| self.entropy(page, block) <= threshold + ROUNDING).collect()
    }
}

impl Params {
    /// Divides the pages of a set into blocks and computes the entropies of their features.
    #[must_use]
    pub(crate) fn discover(&self, set: &TrainingSet) -> Discovery {
        let tags: Vec<Tag> = self.blocks.split_whitespace().map(|name| Tag::from_name(&name.to_ascii_lowercase())).collect();
        let mut keywords = Keywords::new(&self.stop_words, self.stemming);
        let (mut pages, mut documents) = (Vec::with_capacity(set.len()), Vec::with_capacity(set.len()));
        for page in set.pages() {
            let mut blocks = divide(page, |tag| tag != Tag::Custom && tags.contains(&tag), &mut keywords);
            documents.push(blocks.features.concat());
            for features in &mut blocks.features {
                features.sort_unstable();
                features.dedup();
            }
            pages.push(blocks);
        }
        let entropies = Entropies::of(documents.iter().map(Vec::as_slice), self.weights);
        Discovery { pages, entropies }
    }

    /// The threshold for some blocks.
    #[must_use]
    pub(crate) fn threshold<'d>(&self, blocks: impl Iterator<Item = (&'d [u64], f64)>) -> f64 {
        if self.greedy { greedy_threshold(blocks, self.require_nonempty_start) } else { self.threshold }
    }

    /// What is said of the page, given which of its blocks are in.
    pub(crate) fn judgement(discovery: &Discovery, page: &Page, chosen: &[bool], notes: Vec<String>) -> Judgement {
        let blocks = &discovery.pages[0];
        let block_of = |node: NodeId| blocks.texts.binary_search_by_key(&node, |(text, _)| *text).map(|at| blocks.texts[at].1);
        let nodes = nodes_of_texts(page, |node| block_of(node).is_ok_and(|block| chosen[block as usize]));
        let parts = blocks.elements.iter().zip(chosen).enumerate().map(|(at, (node, chosen))| Part {
            node: *node,
            values: [blocks.features[at].len() as f64, discovery.entropy(0, at)],
            chosen: *chosen,
        });
        Judgement { nodes, columns: COLUMNS, parts: parts.collect(), notes }
    }
}

pub(crate) const COLUMNS: [&str; 2] = ["features", "entropy"];

/// The blocks of a page with their features, one for each occurrence (algorithm 3.6).
fn divide(page: &Page, is_block: impl Fn(Tag) -> bool, keywords: &mut Keywords) -> PageBlocks {
    let mut blocks = PageBlocks::default();
    let Some(body) = page.body() else { return blocks };
    let mut open = vec![0u32];
    blocks.elements.push(body);
    blocks.features.push(Vec::new());
    for node in page.descendants(body) {
        while page.end(blocks.elements[*open.last().unwrap_or(&0) as usize]) <= node {
            open.pop();
        }
        if page.tag(node) == Tag::Text {
            if page.counts(node).tokens > 0 {
                let block = *open.last().unwrap_or(&0);
                blocks.texts.push((node, block));
                keywords.read(page.string(node), &mut blocks.features[block as usize]);
            }
        } else if is_block(page.tag(node)) {
            open.push(blocks.elements.len() as u32);
            blocks.elements.push(node);
            blocks.features.push(Vec::new());
        }
    }
    blocks
}

/// The threshold that is raised by a tenth until no new feature comes in.
///
/// As printed this stops at 0 if no block has an entropy of 0 to 0.1; with `require_nonempty_start` it goes on until there is one.
#[must_use]
pub(crate) fn greedy_threshold<'d>(blocks: impl Iterator<Item = (&'d [u64], f64)>, require_nonempty_start: bool) -> f64 {
    let mut least: KeyMap<f64> = KeyMap::default();
    for (features, entropy) in blocks {
        for feature in features {
            least.entry(*feature).and_modify(|least| *least = least.min(entropy)).or_insert(entropy);
        }
    }
    // How many features come in with each step.
    let mut gains = [0u32; 11];
    for entropy in least.into_values() {
        if let Some(step) = (0..=10).find(|step| entropy <= *step as f64 / 10.0 + ROUNDING) {
            gains[step] += 1;
        }
    }
    let (mut step, mut features) = (0, gains[0]);
    while step < 10 && (gains[step + 1] > 0 || require_nonempty_start && features == 0) {
        step += 1;
        features += gains[step];
    }
    step as f64 / 10.0
}

impl Detector for Params {
    const NAME: &'static str = "infodiscoverer";
    const KIND: BlockKind = BlockKind::Content;

    fn judge(&self, set: &TrainingSet, _: &dyn Site) -> Judgement {
        if set.len() < 2 {
            return Judgement::undecided(set.page(), Self::KIND, COLUMNS);
        }
        let discovery = self.discover(set);
        let threshold = self.threshold(discovery.blocks(0..set.len()));
        let notes = vec![format!("blocks of an entropy above {threshold} are redundant")];
        Params::judgement(&discovery, set.page(), &discovery.informative(0, threshold), notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::training_set::tests::{found, linked, set_of};
    use proptest::prelude::*;

    #[test]
    fn the_threshold_rises_until_nothing_is_gained() {
        // Made by hand: home 1, news 2, quaero 3, google 4, airbus 5, login 6, teaser 7.
        let blocks: [(&[u64], f64); 5] = [(&[1, 2], 0.95), (&[3, 4], 0.08), (&[5, 4], 0.17), (&[6], 0.9), (&[7], 0.42)];
        assert_eq!(greedy_threshold(blocks.into_iter(), true), 0.2);
        // As printed, nothing is gained from 0 to 0.1 where the least entropy is 0.25, and nothing is extracted.
        let late: [(&[u64], f64); 2] = [(&[1], 0.25), (&[2], 0.9)];
        assert_eq!(greedy_threshold(late.into_iter(), false), 0.0);
        assert_eq!(greedy_threshold(late.into_iter(), true), 0.3);
        assert_eq!(greedy_threshold(std::iter::empty(), true), 1.0);
    }

    const BODIES: [&str; 3] = [
        "<table><tr><td>Home News</td><td>Rivers rise<table><tr><td>Weather forecast</td></tr></table>quickly</td></tr></table>",
        "<table><tr><td>Home News</td><td>Engines<table><tr><td>Weather forecast</td></tr></table>stop</td></tr></table>",
        "<table><tr><td>Home News</td><td>Elections<table><tr><td>Weather forecast</td></tr></table>begin</td></tr></table>",
    ];

    #[test]
    fn cells_of_even_words_are_redundant_and_nested_cells_blocks_of_their_own() {
        assert_eq!(found(&Params::default(), &BODIES), "Rivers rise quickly");
        assert_eq!(
            found(&Params { greedy: false, threshold: 1.0, ..Params::default() }, &BODIES),
            "Home News Rivers rise Weather forecast quickly"
        );
        let plain = BODIES.map(|body| body.replace("<td>", "<div>").replace("</td>", "</div>").replace("table>", "p>"));
        let plain = plain.each_ref().map(String::as_str);
        let divided = Params { blocks: "div".to_owned(), ..Params::default() };
        assert!(found(&divided, &plain).contains("Rivers rise") && !found(&divided, &plain).contains("Home"));
    }

    #[test]
    fn one_page_alone_is_not_decided() {
        let site = linked(&BODIES[..1]);
        let judgement = Params::default().judge(&set_of(&site), &site);
        assert!(judgement.notes[0].contains("too few") && judgement.nodes.contains(site_body(&site)));
    }

    fn site_body(site: &unchaff_dom::site::LoadedSite) -> NodeId {
        site.load(unchaff_dom::PageId(0)).unwrap().body().unwrap()
    }

    #[test]
    fn scaled_weights_call_the_menu_informative() {
        // Between 0 and 1, which is all that section 3.3.2 asks for.
        let text = found(&Params { weights: Weights::Scaled, ..Params::default() }, &BODIES);
        assert!(text.contains("Home News"), "{text}");
    }

    proptest! {
        #[test]
        fn every_text_is_in_one_block_and_a_higher_threshold_keeps_more(
            pages in prop::collection::vec("(<table>|<tr>|<td>|</td>|</table>|<p>|one |two |three ){0,30}", 2..5), low in 0.0..1.0f64,
        ) {
            let bodies: Vec<&str> = pages.iter().map(String::as_str).collect();
            let site = linked(&bodies);
            let set = set_of(&site);
            let discovery = Params::default().discover(&set);
            for (page, blocks) in set.pages().zip(&discovery.pages) {
                let texts = page.nodes().filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0).count();
                prop_assert_eq!(blocks.texts.len(), texts);
                prop_assert!(blocks.texts.is_sorted());
            }
            let judge = |threshold| Params { greedy: false, threshold, ..Params::default() }.judge(&set, &site);
            let (few, many) = (judge(low), judge(1.0));
            prop_assert!(few.nodes.iter().all(|node| many.nodes.contains(node)));
        }
    }
}
