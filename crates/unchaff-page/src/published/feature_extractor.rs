//! FE and KFE, the FeatureExtractor and the K-FeatureExtractor: the block, or the blocks, richest in text.
//!
//! Sandip Debnath, Prasenjit Mitra, C. Lee Giles: Identifying content blocks from web documents. ISMIS 2005, as retold by
//! Thomas Gottron (2008, section 3.2.5, algorithm 3.5). The page is divided at certain elements, one kind after the other. A
//! block's probability is the share of the wanted feature, words as a rule, in all of its features: words, links, images,
//! applets, scripts, nested blocks. FE takes the block of the highest probability, KFE the best of three clusters.
//!
//! Short blocks are purer than long ones, so FE keeps the headline and loses the article. That is how it was published.

use crate::parameters::{choice, parameters};
use crate::registry::Entry;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

choice! {
    /// What a block can be rich in.
    pub enum Feature {
        /// Words, those in links too.
        Words = "words",
        /// Links.
        Links = "links",
        /// Images.
        Images = "images",
        /// Applets.
        Applets = "applets",
        /// Scripts.
        Scripts = "scripts",
        /// Elements at which pages are divided.
        Blocks = "blocks",
    }
}

choice! {
    /// What becomes of the rest of a block that is divided.
    pub enum Remainder {
        /// It is lost (as printed).
        Drop = "drop",
        /// It is a block of its own.
        Keep = "keep",
    }
}

parameters! {
    /// Parameters of FE. The default is the published setting.
    pub struct Params {
        /// The elements at which pages are divided, in this order, with spaces between them.
        pub divide_at: String = "table tr p hr ul".to_owned(),
        /// What becomes of the rest of a block that is divided: lost, or kept as a block.
        pub remainder: Remainder = Remainder::Drop,
        /// What the blocks are to be rich in.
        pub feature: Feature = Feature::Words,
        /// Blocks of a lower probability are no candidates.
        pub least: f64 = 0.5,
    }
}

parameters! {
    /// Parameters of KFE. The default is the published setting.
    pub struct ClusterParams {
        /// Into how many clusters the candidates fall, by probability.
        pub clusters: usize = 3,
        /// The elements at which pages are divided, in this order, with spaces between them.
        pub divide_at: String = "table tr p hr ul".to_owned(),
        /// What becomes of the rest of a block that is divided: lost, or kept as a block.
        pub remainder: Remainder = Remainder::Drop,
        /// What the blocks are to be rich in.
        pub feature: Feature = Feature::Words,
        /// Blocks of a lower probability are no candidates.
        pub least: f64 = 0.5,
    }
}

const SOURCE: &str = "S. Debnath, P. Mitra, C. L. Giles: Identifying content blocks from web documents. ISMIS 2005, \
                      after T. Gottron: Content Extraction, 2008, section 3.2.5";

/// What the registry knows of FE.
pub(crate) const ENTRY: Entry = Entry::new::<FeatureExtractor, Params>(
    "fe",
    BlockKind::Content,
    "the block of which the greatest share of features is words",
    SOURCE,
    "linear in the page times the nesting of its tables",
);

/// What the registry knows of KFE.
pub(crate) const CLUSTER_ENTRY: Entry = Entry::new::<ClusterFeatureExtractor, ClusterParams>(
    "kfe",
    BlockKind::Content,
    "the cluster of blocks of which the greatest share of features is words",
    SOURCE,
    "linear in the page times the nesting of its tables",
);

/// A part of a page: a subtree, without some subtrees in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Block {
    /// The root of the subtree.
    pub root: NodeId,
    /// The roots of what is not part of it, in document order and apart.
    pub without: Vec<NodeId>,
}

/// FE; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct FeatureExtractor {
    params: Params,
}

/// KFE; see the [module](self).
#[derive(Clone, Debug)]
pub struct ClusterFeatureExtractor {
    params: Params,
    clusters: usize,
}

impl From<Params> for FeatureExtractor {
    fn from(params: Params) -> FeatureExtractor {
        FeatureExtractor { params }
    }
}

impl From<ClusterParams> for ClusterFeatureExtractor {
    fn from(params: ClusterParams) -> ClusterFeatureExtractor {
        let ClusterParams { clusters, divide_at, remainder, feature, least } = params;
        ClusterFeatureExtractor { params: Params { divide_at, remainder, feature, least }, clusters }
    }
}

impl PageTechnique for FeatureExtractor {
    fn name(&self) -> &'static str {
        "fe"
    }

    fn detect(&self, page: &Page) -> Detection {
        let blocks = self.params.rate(page);
        detection(page, &blocks, &self.params.best(&blocks))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let blocks = self.params.rate(page);
        self.params.explanation(&blocks, &self.params.best(&blocks))
    }
}

impl PageTechnique for ClusterFeatureExtractor {
    fn name(&self) -> &'static str {
        "kfe"
    }

    fn detect(&self, page: &Page) -> Detection {
        let blocks = self.params.rate(page);
        detection(page, &blocks, &self.best(&blocks))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let blocks = self.params.rate(page);
        self.params.explanation(&blocks, &self.best(&blocks))
    }
}

impl ClusterFeatureExtractor {
    /// The positions of the blocks in the cluster of the highest probability.
    fn best(&self, blocks: &[Rated]) -> Vec<usize> {
        let candidates = self.params.candidates(blocks);
        let probabilities: Vec<f64> = candidates.iter().map(|at| blocks[*at].probability).collect();
        top_cluster(&probabilities, self.clusters).into_iter().map(|at| candidates[at]).collect()
    }
}

/// A block with the counts of its features, in the order of [`Feature`].
struct Rated {
    block: Block,
    features: [u32; 6],
    probability: f64,
}

fn detection(page: &Page, blocks: &[Rated], best: &[usize]) -> Detection {
    let mut nodes = NodeSet::new(page);
    for Block { root, without } in best.iter().map(|at| &blocks[*at].block) {
        if without.is_empty() {
            nodes.insert_subtree(page, *root);
            continue;
        }
        let mut part = page.subtree_set(*root);
        part.remove(*root);
        for removed in without {
            part.remove_subtree(page, *removed);
        }
        nodes.union(&part);
    }
    let mut detection = Detection::of(BlockKind::Content, nodes);
    if best.is_empty() {
        detection.notes.push("no block has enough of what is wanted".to_owned());
    }
    detection
}

impl Params {
    fn tags(&self) -> Vec<Tag> {
        self.divide_at
            .split_whitespace()
            .map(|name| Tag::from_name(&name.to_ascii_lowercase()))
            .filter(|tag| *tag != Tag::Custom)
            .collect()
    }

    /// The blocks of a page, in document order.
    #[must_use]
    pub fn blocks(&self, page: &Page) -> Vec<Block> {
        self.divide(page, &self.tags())
    }

    /// The blocks of a page with their probabilities, in document order.
    fn rate(&self, page: &Page) -> Vec<Rated> {
        let tags = self.tags();
        let mut sums = Vec::with_capacity(page.len() + 1);
        let mut total = [0u32; 4];
        sums.push(total);
        for node in page.nodes() {
            let tag = page.tag(node);
            for (sum, is_one) in
                total.iter_mut().zip([tag == Tag::Img, tag == Tag::Applet, tag == Tag::Script, tags.contains(&tag)])
            {
                *sum += u32::from(is_one);
            }
            sums.push(total);
        }
        let features_of = |node: NodeId| {
            let counts = page.counts(node);
            let [images, applets, scripts, blocks] =
                std::array::from_fn(|at| sums[page.end(node).index()][at] - sums[node.index()][at]);
            [counts.tokens, counts.links, images, applets, scripts, blocks]
        };
        let blocks = self.divide(page, &tags);
        blocks
            .into_iter()
            .map(|block| {
                let mut features = features_of(block.root);
                // A block is not nested in itself.
                features[Feature::Blocks as usize] -= u32::from(tags.contains(&page.tag(block.root)));
                for removed in &block.without {
                    for (feature, gone) in features.iter_mut().zip(features_of(*removed)) {
                        *feature -= gone;
                    }
                }
                let all: u32 = features.iter().sum();
                let probability = if all > 0 { f64::from(features[self.feature as usize]) / f64::from(all) } else { 0.0 };
                Rated { block, features, probability }
            })
            .collect()
    }

    /// Algorithm 3.5: from the whole body, for one kind of element after the other, every block that holds such elements is
    /// replaced by them. Nested elements make blocks that overlap.
    fn divide(&self, page: &Page, tags: &[Tag]) -> Vec<Block> {
        let Some(body) = page.body() else { return Vec::new() };
        let mut blocks = vec![Block { root: body, without: Vec::new() }];
        for tag in tags {
            let borders: Vec<NodeId> = page.descendants(body).filter(|node| page.tag(*node) == *tag).collect();
            let mut divided = Vec::new();
            for block in blocks {
                let first = borders.partition_point(|border| *border <= block.root);
                let last = borders.partition_point(|border| *border < page.end(block.root));
                let is_left = |border: &NodeId| !is_within(page, &block.without, *border);
                let mut parts = borders[first..last].iter().copied().filter(is_left).peekable();
                if parts.peek().is_none() {
                    divided.push(block);
                    continue;
                }
                let mut without = block.without.clone();
                for root in parts {
                    let inside_from = block.without.partition_point(|removed| *removed < root);
                    let inside_to = block.without.partition_point(|removed| *removed < page.end(root));
                    let inside = block.without[inside_from..inside_to].to_vec();
                    divided.push(Block { root, without: inside });
                    without.push(root);
                }
                if self.remainder == Remainder::Keep {
                    let without = NodeSet::from_nodes(page, without).roots(page);
                    divided.push(Block { root: block.root, without });
                }
            }
            divided.sort_unstable();
            divided.dedup();
            blocks = divided;
        }
        blocks
    }

    /// The positions of the blocks whose probability is high enough.
    fn candidates(&self, blocks: &[Rated]) -> Vec<usize> {
        (0..blocks.len()).filter(|at| blocks[*at].probability >= self.least && blocks[*at].probability > 0.0).collect()
    }

    /// The position of the block of the highest probability, the first of several.
    fn best(&self, blocks: &[Rated]) -> Vec<usize> {
        let better = |best: usize, at: usize| if blocks[at].probability > blocks[best].probability { at } else { best };
        self.candidates(blocks).into_iter().reduce(better).into_iter().collect()
    }

    fn explanation(&self, blocks: &[Rated], best: &[usize]) -> Explanation {
        let mut explanation = Explanation::new(&["words", "links", "images", "applets", "scripts", "blocks", "probability"])
            .rated_by("probability", Likely::High);
        let mut is_best = vec![false; blocks.len()];
        best.iter().for_each(|at| is_best[*at] = true);
        for (at, rated) in blocks.iter().enumerate() {
            let mut values: Vec<f64> = rated.features.iter().map(|count| f64::from(*count)).collect();
            values.push(rated.probability);
            explanation.push(rated.block.root, &values, if is_best[at] { "content" } else { "" });
        }
        explanation
    }
}

/// Whether a node is one of some disjoint subtrees, or in it.
fn is_within(page: &Page, roots: &[NodeId], node: NodeId) -> bool {
    let after = roots.partition_point(|root| *root <= node);
    after > 0 && node < page.end(roots[after - 1])
}

/// The positions of the values in the cluster of the greatest centre: k-means in one dimension, started from values
/// evenly chosen among the sorted ones, so that it is the same every time. That is our choice: the sources give only k.
fn top_cluster(values: &[f64], k: usize) -> Vec<usize> {
    let mut sorted = values.to_vec();
    sorted.order_by(f64::total_cmp);
    sorted.dedup();
    let k = k.min(sorted.len());
    let mut centres: Vec<f64> = (0..k).map(|at| sorted[at * (sorted.len() - 1) / (k - 1).max(1)]).collect();
    let mut clusters = vec![usize::MAX; values.len()];
    for _ in 0..100 {
        // Centres stay in order, so the last of the nearest is the greater one.
        let nearest = |value: f64| {
            (0..k).reduce(|best, at| if (value - centres[at]).abs() <= (value - centres[best]).abs() { at } else { best })
        };
        let assigned: Vec<usize> = values.iter().map(|value| nearest(*value).unwrap_or(0)).collect();
        if assigned == clusters {
            break;
        }
        clusters = assigned;
        for (at, centre) in centres.iter_mut().enumerate() {
            let members = values.iter().zip(&clusters).filter(|(_, cluster)| **cluster == at).map(|(value, _)| *value);
            let (sum, number) = members.fold((0.0, 0u32), |(sum, number), value| (sum + value, number + 1));
            if number > 0 {
                *centre = sum / f64::from(number);
            }
        }
    }
    let Some(top) = clusters.iter().copied().max() else { return Vec::new() };
    (0..values.len()).filter(|at| clusters[*at] == top).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::emit;

    const DIVIDED: &str = "<body>intro<table><tr><td>A</td></tr><tr><td>B</td></tr></table><p>C</p></body>";

    fn texts(html: &str, params: &Params) -> Vec<String> {
        let page = Page::parse(html);
        let rated = params.rate(&page);
        (0..rated.len()).map(|at| emit::text(&page, &detection(&page, &rated, &[at]).blocks[0].nodes).trim().to_owned()).collect()
    }

    #[test]
    fn probabilities_are_shares_of_features_and_the_best_block_wins() {
        // The example of Gottron (2008, section 3.2.5).
        let html =
            "<body><p>a b <a href=1></a><a href=2>c</a><img></p><p>a b c <a href=1>d</a></p><p><a href=1><img></a></p></body>";
        let page = Page::parse(html);
        let params = Params::default();
        let rated = params.rate(&page);
        assert_eq!(rated.iter().map(|rated| rated.probability).collect::<Vec<_>>(), [0.5, 0.8, 0.0]);
        assert_eq!(params.candidates(&rated), [0, 1]);
        assert_eq!(params.best(&rated), [1]);
    }

    #[test]
    fn blocks_are_divided_in_order_and_the_rest_is_lost_or_kept() {
        // Algorithm 3.5, on a page made by hand.
        assert_eq!(texts(DIVIDED, &Params::default()), ["A", "B"]);
        assert_eq!(texts(DIVIDED, &Params { divide_at: "p table tr hr ul".to_owned(), ..Params::default() }), ["C"]);
        // The rest of the body, of which p is divided off as well; of the table nothing is left but its borders.
        let kept = Params { remainder: Remainder::Keep, ..Params::default() };
        assert_eq!(texts(DIVIDED, &kept), ["intro", "", "A", "B", "C"]);
    }

    #[test]
    fn nested_elements_make_blocks_that_overlap_and_are_counted() {
        let html = "<body><table><tr><td>a<table><tr><td>b</table></table></body>";
        let page = Page::parse(html);
        let rated = Params::default().rate(&page);
        let counts: Vec<(u32, u32)> =
            rated.iter().map(|rated| (rated.features[0], rated.features[Feature::Blocks as usize])).collect();
        assert_eq!(counts, [(2, 2), (1, 0)]);
    }

    #[test]
    fn the_top_cluster_is_found_by_k_means() {
        // The values are made by hand; three clusters are published (Gottron 2008, section 3.2.5).
        assert_eq!(top_cluster(&[1.0, 0.95, 0.8, 0.6, 0.55], 3), [0, 1]);
        assert_eq!(top_cluster(&[1.0, 0.92, 0.91, 0.55], 3), [0]);
        assert_eq!(top_cluster(&[0.7, 0.7], 3), [0, 1]);
        assert_eq!(top_cluster(&[], 3), [0usize; 0]);
        assert_eq!(top_cluster(&[0.9, 0.5], 1), [0, 1]);
    }

    #[test]
    fn switches_change_what_they_say() {
        let page = Page::parse("<body><p>one two three</p><p><img><img>four</p></body>");
        let best = |params: Params| {
            FeatureExtractor::from(params).detect(&page).blocks[0].nodes.iter().next().map(|node| page.text(node).to_owned())
        };
        assert_eq!(best(Params::default()).as_deref(), Some("one two three"));
        assert_eq!(best(Params { feature: Feature::Images, ..Params::default() }).as_deref(), Some("four"));
        assert_eq!(best(Params { feature: Feature::Images, least: 0.7, ..Params::default() }), None);
        let words = |clusters| {
            let technique = ClusterFeatureExtractor::from(ClusterParams { clusters, least: 0.1, ..ClusterParams::default() });
            technique.detect(&page).blocks[0].nodes.iter().filter(|node| page.tag(*node) == Tag::P).count()
        };
        assert_eq!((words(1), words(3)), (2, 1));
    }

    proptest! {
        #[test]
        fn kept_blocks_hold_all_text_and_probabilities_are_shares(words in prop::collection::vec("<(div|table|tr|td|p|ul|li|hr|img)>|<a href=x>|</(div|table|p|ul|a)>|one two |three ", 0..60)) {
            let page = Page::parse(words.concat());
            let params = Params { remainder: Remainder::Keep, ..Params::default() };
            let rated = params.rate(&page);
            prop_assert!(rated.iter().all(|rated| (0.0..=1.0).contains(&rated.probability)));
            let all: Vec<usize> = (0..rated.len()).collect();
            let nodes = detection(&page, &rated, &all).blocks.remove(0).nodes;
            let body = page.body().unwrap();
            prop_assert!(page.descendants(body).filter(|node| page.tag(*node) == Tag::Text).all(|node| nodes.contains(node)));
        }

        #[test]
        fn the_top_cluster_holds_the_greatest_value(values in prop::collection::vec(0.0..1.0, 1..30), k in 1..5usize) {
            let top = top_cluster(&values, k);
            let least = top.iter().map(|at| values[*at]).fold(f64::INFINITY, f64::min);
            prop_assert!((0..values.len()).all(|at| top.contains(&at) == (values[at] >= least)));
        }
    }
}
