//! Web2Text: networks rate each text and each pair of neighbours, and the labelling of the whole page that is best by both is taken.
//!
//! T. Vogels, O.-E. Ganea, C. Eickhoff: Web2Text: Deep Structured Boilerplate Removal. ECIR 2018. The page's tree is collapsed (`collapsed`), its leaves
//! are the blocks. About 128 numbers of each block, of the nodes above it and of the page, and 25 of each pair of neighbours (`features`) go through a convolutional network each
//! (`network`), which give the probabilities of two labels, and of the four pairs of labels. In the hidden Markov model over them Viterbi's algorithm finds the best labelling; `lambda` weighs
//! pairs against single blocks.
//!
//! Features and layers are those that the authors published with their program. The weights are not theirs: ours were trained by `examples/fit_chains` on pages with gold text of
//! several sets. Stop words are those of the page's language, where theirs are English.

mod collapsed;
pub mod features;
pub mod network;

use super::linear_chain::{LinearChain, detection, explanation};
use crate::parameters::parameters;
use crate::registry::Entry;
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use features::{Features, OWN, PAIR};
use network::Network;
use std::sync::LazyLock;
use unchaff_dom::{NodeId, Page};

parameters! {
    /// Parameters of Web2Text.
    pub struct Params {
        /// How much pairs of labels count against labels of single blocks.
        pub lambda: f64 = 1.0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Web2Text, Params>(
    "web2text",
    BlockKind::Content,
    "texts and pairs of texts rated by small convolutional networks, and the best labelling of the page by both",
    "T. Vogels, O.-E. Ganea, C. Eickhoff: Web2Text: Deep Structured Boilerplate Removal. ECIR 2018; weights trained by unchaff",
    "linear in the page",
);

/// The two networks.
#[derive(Clone, PartialEq, Debug)]
pub struct Networks {
    /// Rates texts: not content, content.
    pub own: Network,
    /// Rates pairs: none, the second, the first, both.
    pub pairs: Network,
}

impl Networks {
    /// As bytes.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        [self.own.write(), self.pairs.write()].concat()
    }

    /// Networks as [`Networks::write`] writes them, if they are for the features of this program.
    #[must_use]
    pub fn read(mut bytes: &[u8]) -> Option<Networks> {
        let own = Network::read(&mut bytes, OWN, 2)?;
        let pairs = Network::read(&mut bytes, PAIR, 4)?;
        bytes.is_empty().then_some(Networks { own, pairs })
    }

    /// The scores of a page's texts.
    #[must_use]
    pub fn chain(&self, features: &Features, lambda: f64) -> LinearChain {
        let own = self.own.rate(&features.own);
        let pairs = self.pairs.rate(&features.pairs);
        LinearChain {
            own: own.as_chunks().0.iter().map(|[a, b]| [f64::from(*a), f64::from(*b)]).collect(),
            pairs: pairs
                .as_chunks()
                .0
                .iter()
                .map(|[a, b, c, d]| [[*a, *b], [*c, *d]].map(|row| row.map(|score| lambda * f64::from(score))))
                .collect(),
        }
    }
}

/// The networks that `examples/fit_chains` wrote.
static NETWORKS: LazyLock<Networks> = LazyLock::new(|| {
    Networks::read(include_bytes!("web2text/networks.bin")).unwrap_or_else(|| unreachable!("a test reads them"))
});

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Web2Text {
    params: Params,
}

impl From<Params> for Web2Text {
    fn from(params: Params) -> Web2Text {
        Web2Text { params }
    }
}

impl Web2Text {
    fn chain(&self, page: &Page) -> (Vec<NodeId>, LinearChain) {
        let features = Features::of(page);
        let chain = NETWORKS.chain(&features, self.params.lambda);
        (features.texts, chain)
    }
}

impl PageTechnique for Web2Text {
    fn name(&self) -> &'static str {
        "web2text"
    }

    fn detect(&self, page: &Page) -> Detection {
        let (texts, chain) = self.chain(page);
        detection(page, &texts, &chain)
    }

    fn explain(&self, page: &Page) -> Explanation {
        let (texts, chain) = self.chain(page);
        explanation(&texts, &chain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::emit;

    #[test]
    fn the_networks_are_for_the_features_of_this_program() {
        assert_eq!(Networks::read(&NETWORKS.write()).as_ref(), Some(&*NETWORKS));
        assert_eq!(Networks::read(&[0; 100]), None);
    }

    /// Networks of zeros but for the last bias: each text is content by 3 to 1, each pair the same label by 9 to 1.
    #[test]
    fn scores_are_logarithms_of_probabilities_with_pairs_weighed() {
        let mut networks = Networks { own: Network::new(OWN, 2), pairs: Network::new(PAIR, 4) };
        networks.own.layers[4].bias = vec![0.0, 3.0_f32.ln()];
        networks.pairs.layers[4].bias = vec![9.0_f32.ln(), 0.0, 0.0, 9.0_f32.ln()];
        let chain = networks.chain(&Features::of(&Page::parse("<p>one</p><p>two</p>")), 0.5);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-5;
        assert_eq!((chain.own.len(), chain.pairs.len()), (2, 1));
        assert!(near(chain.own[0][1], 0.75_f64.ln()) && near(chain.pairs[0][0][0], 0.5 * 0.45_f64.ln()), "{chain:?}");
        assert!(near(chain.pairs[0][1][0], 0.5 * 0.05_f64.ln()));
    }

    #[test]
    fn prose_is_told_from_links_around_it() {
        let prose = "<p>It rained all day and all night, and nobody went out into the wet streets of the old town, not even for bread.</p>";
        let page = Page::parse(format!(
            "<body><div><a href=/>Home</a> <a href=/n>News</a> <a href=/c>Contact</a></div><div><h1>Rain</h1>{}</div><div>© 2020 The Paper</div></body>",
            prose.repeat(6)
        ));
        let found = Web2Text::default().detect(&page);
        let text = emit::text(&page, found.nodes(BlockKind::Content).unwrap());
        assert!(text.contains("nobody went out") && !text.contains("News"), "{text}");
    }
}
