//! Words per leaf: the largest of the nodes that are dense with text.
//!
//! David Insa, Josep Silva, Salvador Tamarit: Using the words/leafs ratio in the DOM tree for content extraction. Journal of
//! Logic and Algebraic Programming 82(8), 2013, pp. 311–325, as far as later works tell it: the density of a node is the
//! number of words below it by that of leaves, and among the nodes of higher density the most relevant one is the main
//! content. What is *higher* and what is *relevant* they do not say. Here a node is dense if its density is at least a
//! share of the greatest on the page, and the most relevant one is that with most words. Both are ours; the share was chosen
//! among .05 to .5 on pages of the public sets, where larger ones leave single paragraphs.

use crate::parameters::{choice, parameters};
use crate::published::conex::WordCount;
use crate::registry::Entry;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

choice! {
    /// Which leaves are counted.
    pub enum Leaves {
        /// All but blank text, raw text and comments, so that indentation does not matter.
        Solid = "solid",
        /// All nodes without children.
        All = "all",
    }
}

parameters! {
    /// Parameters of the technique.
    pub struct Params {
        /// A node is dense if it has at least this share of the greatest density of the page.
        pub dense: f64 = 0.1,
        /// Which leaves are counted: all, or without blank text and comments.
        pub leaves: Leaves = Leaves::Solid,
        /// How words are counted: between white space, or by letters and ideographs.
        pub words: WordCount = WordCount::Tokens,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<WordLeaf, Params>(
    "word-leaf",
    BlockKind::Content,
    "the largest of the elements with many words per leaf",
    "D. Insa, J. Silva, S. Tamarit: Using the words/leafs ratio in the DOM tree for content extraction. \
     Journal of Logic and Algebraic Programming 82(8), 2013; thresholds are not in the sources we have",
    "linear in the page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct WordLeaf {
    params: Params,
}

impl From<Params> for WordLeaf {
    fn from(params: Params) -> WordLeaf {
        WordLeaf { params }
    }
}

impl PageTechnique for WordLeaf {
    fn name(&self) -> &'static str {
        "word-leaf"
    }

    fn detect(&self, page: &Page) -> Detection {
        let densities = self.densities(page);
        Detection::of(BlockKind::Content, NodeSet::from_roots(page, self.content(page, &densities)))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let densities = self.densities(page);
        let content = self.content(page, &densities);
        let mut explanation = Explanation::new(&["words", "density"]).rated_by("density", Likely::High);
        for (node, density) in &densities {
            let remark = if Some(*node) == content { "content" } else { "" };
            explanation.push(*node, &[f64::from(self.words_of(page, *node)), *density], remark);
        }
        explanation
    }
}

impl WordLeaf {
    fn words_of(&self, page: &Page, node: NodeId) -> u32 {
        match self.params.words {
            WordCount::Tokens => page.counts(node).tokens,
            WordCount::Words => page.counts(node).words,
        }
    }

    /// Words per leaf of every element below the body that has leaves.
    fn densities(&self, page: &Page) -> Vec<(NodeId, f64)> {
        let Some(body) = page.body() else { return Vec::new() };
        let is_counted = |node: NodeId| match page.tag(node) {
            Tag::Text => self.params.leaves == Leaves::All || page.counts(node).tokens > 0,
            Tag::Comment | Tag::Raw => self.params.leaves == Leaves::All,
            _ => page.range(node).len() == 1,
        };
        let mut leaves = Vec::with_capacity(page.range(body).len() + 1);
        let mut total = 0u32;
        leaves.push(0);
        for node in page.subtree(body) {
            total += u32::from(is_counted(node));
            leaves.push(total);
        }
        let elements = page.subtree(body).filter(|node| page.is_element(*node));
        elements
            .filter_map(|node| {
                let range = page.range(node);
                let leaves = leaves[range.end - body.index()] - leaves[range.start - body.index()];
                (leaves > 0).then(|| (node, f64::from(self.words_of(page, node)) / f64::from(leaves)))
            })
            .collect()
    }

    /// The dense element with most words; of nested ones with the same words the outermost, with what may stand beside them.
    fn content(&self, page: &Page, densities: &[(NodeId, f64)]) -> Option<NodeId> {
        let densest = densities.iter().map(|(_, density)| *density).fold(0.0, f64::max);
        let dense = densities
            .iter()
            .filter(|(_, density)| *density >= self.params.dense * densest && *density > 0.0)
            .map(|(node, _)| *node);
        dense.reduce(|best, node| if self.words_of(page, node) > self.words_of(page, best) { node } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(number: usize) -> String {
        vec!["w"; number].join(" ")
    }

    fn content(html: &str, params: Params) -> Option<String> {
        let page = Page::parse(html);
        let technique = WordLeaf::from(params);
        let node = technique.content(&page, &technique.densities(&page))?;
        Some(page.attr(node, "id").unwrap_or(page.name(node)).to_owned())
    }

    #[test]
    fn the_largest_dense_node_is_the_content() {
        // Leaves 3, words 90, density 30; the menu has 1 word per leaf, the body (90 + 8) / 11 = 8.9.
        let links = "<li><a>one</a></li>".repeat(8);
        let html =
            format!("<body><ul>{links}</ul><div id=x><p>{}</p><p>{}</p><p>{}</p></div></body>", words(40), words(30), words(20));
        assert_eq!(content(&html, Params { dense: 0.25, ..Params::default() }).as_deref(), Some("x"));
        assert_eq!(content(&html, Params::default()).as_deref(), Some("body"));
        assert_eq!(content(&html, Params { dense: 1.0, ..Params::default() }).as_deref(), Some("p"));
        assert_eq!(content("<body><img></body>", Params::default()), None);
    }

    #[test]
    fn switches_change_what_they_say() {
        let density = |html: &str, params: Params| {
            let page = Page::parse(html);
            WordLeaf::from(params).densities(&page)[1].1
        };
        let html = "<body><div>\n<p>one two</p>\n<p>three four<img></p><!-- x --></div></body>";
        assert!((density(html, Params::default()) - 4.0 / 3.0).abs() < 1e-9);
        assert!((density(html, Params { leaves: Leaves::All, ..Params::default() }) - 4.0 / 6.0).abs() < 1e-9);
        assert_eq!(density("<body><p>今天下雨</p></body>", Params::default()), 1.0);
        assert_eq!(density("<body><p>今天下雨</p></body>", Params { words: WordCount::Words, ..Params::default() }), 4.0);
    }

    proptest! {
        #[test]
        fn no_element_is_denser_than_its_densest_leaf(page in prop::collection::vec("<(div|p|ul|li|b|img)>|</(div|p|ul)>|one two |three ", 0..60)) {
            let page = Page::parse(page.concat());
            let most = page.nodes().filter(|node| page.tag(*node) == Tag::Text).map(|node| page.counts(node).tokens).max().unwrap_or(0);
            prop_assert!(WordLeaf::default().densities(&page).iter().all(|(_, density)| *density <= f64::from(most)));
        }
    }
}
