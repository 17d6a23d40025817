//! Victor: the texts of a page as a sequence that a conditional random field labels.
//!
//! M. Marek, P. Pecina, M. Spousta: Web Page Cleaning with Conditional Random Fields (CLEANEVAL 2007), and M. Spousta, M. Marek, P. Pecina:
//! Victor: the Web-Page Cleaning Tool (WAC-4, 2008). Every tag ends a block; each block has features of markup, content and document
//! (`features`); a linear-chain conditional random field over them, with features of the blocks before and after, gives each block its
//! label, all of them together the likeliest (Viterbi).
//!
//! Known are the kinds of features and the model, not where numbers are divided into levels, how it was trained, or its weights. The weights here
//! were trained by `examples/fit_chains` on pages with gold text, with two labels, content and not, since that is what such gold tells
//! (the authors' labels are those of CLEANEVAL: heading, paragraph, list, and continuations of them). Which tags stand between two blocks counts for their pair of
//! labels too: where a paragraph ends, labels may change.

pub mod features;

use super::linear_chain::{LinearChain, Pair, detection, explanation};
use crate::parameters::parameters;
use crate::registry::Entry;
use crate::views::text_leaves::Split;
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use features::{Features, INDICATORS, names};
use std::fmt::Write;
use std::sync::LazyLock;
use unchaff_dom::{NodeId, Page};

parameters! {
    /// Parameters of Victor.
    pub struct Params {
        /// What is added to the score of content for each block: above 0 finds more, below 0 less.
        pub content: f64 = 0.0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Victor, Params>(
    "victor",
    BlockKind::Content,
    "texts labelled in sequence by a conditional random field over markup, characters, sentences and place",
    "M. Spousta, M. Marek, P. Pecina: Victor: the Web-Page Cleaning Tool. WAC-4, 2008; weights trained by unchaff",
    "linear in the page",
);

/// Blocks whose features count for a block: the one before, itself, the one after.
pub const WINDOW: usize = 3;

/// Which pairs of blocks have weights of their own: all, and those with tags of a kind between them.
pub const PAIRS: usize = 1 + Split::ALL.len();

/// The weights of the field.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// What an indicator of the block before, the block itself and the one after says for content.
    pub own: Vec<[f32; WINDOW]>,
    /// What pairs of labels are worth.
    pub pairs: [[[f32; 2]; 2]; PAIRS],
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { own: vec![[0.0; WINDOW]; INDICATORS], pairs: [[[0.0; 2]; 2]; PAIRS] }
    }
}

impl Weights {
    /// A line for each indicator and each kind of pair: name and weights.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (name, [before, own, after]) in names().zip(&self.own) {
            let _ = writeln!(text, "{name}\t{before:.3}\t{own:.3}\t{after:.3}");
        }
        for (name, [[a, b], [c, d]]) in pair_names().zip(&self.pairs) {
            let _ = writeln!(text, "pair {name}\t{a:.3}\t{b:.3}\t{c:.3}\t{d:.3}");
        }
        text
    }

    /// Weights as [`Weights::write`] writes them, if they are for the features of this program.
    #[must_use]
    pub fn read(text: &str) -> Option<Weights> {
        let mut weights = Weights::default();
        let mut lines = text.lines();
        let mut line = |name: String, values: &mut [f32]| {
            let mut fields = lines.next()?.split('\t');
            (fields.next()? == name).then_some(())?;
            values.iter_mut().try_for_each(|value| fields.next()?.parse().ok().map(|read| *value = read))
        };
        for (name, own) in names().zip(&mut weights.own) {
            line(name, own)?;
        }
        for (name, pair) in pair_names().zip(&mut weights.pairs) {
            line(format!("pair {name}"), pair.as_flattened_mut())?;
        }
        Some(weights)
    }

    /// The scores of a page's texts.
    #[must_use]
    pub fn chain(&self, features: &Features, content: f64) -> LinearChain {
        let count = features.leaves.texts.len();
        let score = |at: usize, place: usize| -> f64 {
            features.at(at).iter().map(|indicator| f64::from(self.own[usize::from(*indicator)][place])).sum()
        };
        let own = |at: usize| {
            let before = at.checked_sub(1).map_or(0.0, |before| score(before, 0));
            let after = if at + 1 < count { score(at + 1, 2) } else { 0.0 };
            [0.0, before + score(at, 1) + after + content]
        };
        let pair = |split: &Split| {
            let mut sum = Pair::default();
            for weights in pairs_of(*split).map(|number| &self.pairs[number]) {
                for (sum, weight) in sum.as_flattened_mut().iter_mut().zip(weights.as_flattened()) {
                    *sum += f64::from(*weight);
                }
            }
            sum
        };
        LinearChain { own: (0..count).map(own).collect(), pairs: features.leaves.splits.iter().skip(1).map(pair).collect() }
    }
}

fn pair_names() -> impl Iterator<Item = &'static str> {
    std::iter::once("any").chain(Split::ALL.iter().map(|(name, _)| *name))
}

/// The numbers of the weights that a pair of blocks with these tags between them has.
pub fn pairs_of(split: Split) -> impl Iterator<Item = usize> {
    std::iter::once(0)
        .chain(Split::ALL.into_iter().enumerate().filter(move |(_, (_, kind))| split.has(*kind)).map(|(at, _)| at + 1))
}

/// The weights that `examples/fit_chains` wrote.
static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| Weights::read(include_str!("victor/weights.tsv")).unwrap_or_else(|| unreachable!("a test reads them")));

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Victor {
    params: Params,
}

impl From<Params> for Victor {
    fn from(params: Params) -> Victor {
        Victor { params }
    }
}

impl Victor {
    fn chain(&self, page: &Page) -> (Vec<NodeId>, LinearChain) {
        let features = Features::of(page);
        let chain = WEIGHTS.chain(&features, self.params.content);
        (features.leaves.texts, chain)
    }
}

impl PageTechnique for Victor {
    fn name(&self) -> &'static str {
        "victor"
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
    fn the_weights_are_for_the_features_of_this_program() {
        assert!(WEIGHTS.own.iter().flatten().any(|weight| *weight != 0.0));
        assert_eq!(Weights::read(&WEIGHTS.write()).as_ref(), Some(&*WEIGHTS));
        assert_eq!(Weights::read("container.p\t1\t2\t3\n"), None);
    }

    /// Two texts in a paragraph each. `container.p` says 2 for content where it is the block's own, 1 where it is the block's before; a paragraph between two
    /// texts gives 3 to labels that differ. So both score 2 and 3, and differing labels are worth 3: 0+3 +3 = 6 against 2+3 = 5.
    #[test]
    fn scores_are_sums_of_weights_of_a_block_and_its_neighbours() {
        let mut weights = Weights::default();
        weights.own[0] = [1.0, 2.0, 0.0];
        weights.pairs[1] = [[0.0, 3.0], [3.0, 0.0]];
        let features = Features::of(&Page::parse("<p>one</p><p>two</p>"));
        let chain = weights.chain(&features, 0.0);
        assert_eq!(chain.own, [[0.0, 2.0], [0.0, 3.0]]);
        assert_eq!(chain.pairs, [[[0.0, 3.0], [3.0, 0.0]]]);
        assert_eq!(chain.best(), [false, true]);
        assert_eq!(weights.chain(&features, 5.0).best(), [true, true]);
    }

    #[test]
    fn prose_is_told_from_links_around_it() {
        let prose = "<p>It rained all day and all night, and nobody went out into the wet streets of the old town, not even for bread.</p>";
        let page = Page::parse(format!(
            "<body><div><a href=/>Home</a> <a href=/n>News</a> <a href=/c>Contact</a></div><div><h1>Rain</h1>{}</div><div>© 2020 The Paper</div></body>",
            prose.repeat(6)
        ));
        let found = Victor::default().detect(&page);
        let text = emit::text(&page, found.nodes(BlockKind::Content).unwrap());
        assert!(text.contains("nobody went out") && !text.contains("News") && !text.contains('©'), "{text}");
        let more = Victor::from(Params { content: 100.0 }).detect(&page);
        assert!(emit::text(&page, more.nodes(BlockKind::Content).unwrap()).contains("News"));
    }
}
