//! Page-level ConEx: the main content of a page from four ratios of its nodes.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! chapter 6. Every node that may hold content gets four ratios: words near it, few links, more than two children, a
//! middle depth. Standardised, they make it a point in a space of four dimensions. The *c* nodes farthest from the
//! centre are kept (c-SET), those that merely repeat an ancestor's text are dropped, and the one with most words per
//! tag is the content, with its siblings in the set. At last, groups of short links are taken out of it.
//!
//! Where the thesis is unclear the reading taken is a parameter, whose documentation names the alternatives.

use crate::parameters::{choice, parameters};
use crate::registry::Entry;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use std::cmp::Ordering;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

/// Elements that are never rated themselves (§6.2.2); what is inside them can be. The thesis lists `UNDEFINED` too, for nodes without a name.
const EXCLUDED: &str = "a body br em h1 h2 h3 h4 h5 header hr iframe nav span script";

choice! {
    /// Which text counts as link text in the word ratio.
    pub enum LinkText {
        /// Text whose parent is an `a` (the formula of the thesis).
        Parent = "parent",
        /// Text with an `a` anywhere above it (its prose).
        Ancestor = "ancestor",
    }
}

choice! {
    /// What the density of the last selection counts.
    pub enum Density {
        /// Words per tag (the prose of the thesis).
        Words = "words",
        /// Characters per tag (its code).
        Chars = "chars",
    }
}

choice! {
    /// Which children count for "more than two children".
    pub enum ChildCount {
        /// All nodes, white space and comments too, as in browsers.
        All = "all",
        /// Without blank text and comments, so that indentation does not matter.
        Solid = "solid",
    }
}

choice! {
    /// Which `a` elements are links.
    pub enum Links {
        /// All (the definition).
        All = "all",
        /// Those with an `href`.
        Href = "href",
    }
}

choice! {
    /// How words are counted.
    pub enum WordCount {
        /// Between white space, as the thesis counts; Chinese and Japanese have few such words.
        Tokens = "tokens",
        /// Runs of letters and digits, ideographs one by one.
        Words = "words",
    }
}

choice! {
    /// When a link is its parent's only child in the post-process.
    pub enum OnlyChild {
        /// When nothing but blank text and comments stands beside it.
        Solid = "solid",
        /// When no other element stands beside it (as printed): deletes paragraphs with one link.
        Elements = "elements",
    }
}

choice! {
    /// What to return when no node of the c-SET has text.
    pub enum Fallback {
        /// Nothing (as printed).
        Nothing = "nothing",
        /// The node farthest from the centre.
        Farthest = "farthest",
    }
}

parameters! {
    /// Parameters of ConEx. The default is the published best setting.
    pub struct Params {
        /// How many of the nodes farthest from the centre are looked at (the size of the c-SET).
        pub c: usize = 3,
        /// A link of fewer words has its whole group of links removed from the content; 0 switches that off.
        pub max_words: u32 = 3,
        /// Take the whole body of a page that is as wide as it is deep.
        pub wide_page_rule: bool = true,
        /// The elements that are never content themselves, by name, with spaces between; what is inside them can be.
        pub excluded: String = EXCLUDED.to_owned(),
        /// What makes text link text: an `a` as its parent or as any ancestor.
        pub link_text: LinkText = LinkText::Parent,
        /// What is counted per tag to choose the content.
        pub density: Density = Density::Words,
        /// Which children count: all nodes, or without blank text and comments.
        pub child_count: ChildCount = ChildCount::All,
        /// Which `a` elements are links: all, or those with an href.
        pub links: Links = Links::All,
        /// How words are counted: between white space, or by letters and ideographs.
        pub words: WordCount = WordCount::Tokens,
        /// What may stand beside a link that counts as alone: blanks, or any text.
        pub only_child: OnlyChild = OnlyChild::Solid,
        /// Nodes with a smaller share of the page's words are not rated.
        /// A paragraph of the thesis speaks of such a rule (a third of the text) that its list of rules lacks.
        pub min_text_share: f64 = 0.0,
        /// What to return if the farthest nodes have no text.
        pub fallback: Fallback = Fallback::Nothing,
    }
}

/// A node with its four ratios (Def. 6.2.1) and, after standardisation, its place in the space.
#[derive(Clone, Copy, Debug)]
pub struct Rated {
    /// The node.
    pub node: NodeId,
    /// Word, hyperlink, children and position ratio.
    pub ratios: [f64; 4],
    /// The same, standardised over all rated nodes (Def. 6.2.2).
    pub point: [f64; 4],
    /// Distance from the centroid, which standardisation puts at the origin (Def. 6.2.4).
    pub distance: f64,
}

/// Everything ConEx computes on the way to its result.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Whether the wide-page rule decided; then there is nothing else.
    pub wide_page: bool,
    /// The rated nodes in document order.
    pub rated: Vec<Rated>,
    /// The c-SET, farthest first (Alg. 4).
    pub c_set: Vec<NodeId>,
    /// The c-SET without nodes that repeat an ancestor's text (Alg. 5).
    pub reduced: Vec<NodeId>,
    /// The roots selected (Alg. 6), outermost only.
    pub roots: Vec<NodeId>,
    /// Roots of the groups of links taken out of them (Alg. 7).
    pub removed: Vec<NodeId>,
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Conex, Params>(
    "conex-page",
    BlockKind::Content,
    "nodes as points in a space of four ratios; the content is among the farthest from the centre",
    "J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapter 6",
    "linear in the page times its depth",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug)]
pub struct Conex {
    params: Params,
    /// By number of the tag.
    excluded: [bool; 256],
}

impl Default for Conex {
    fn default() -> Conex {
        Conex::from(Params::default())
    }
}

impl PageTechnique for Conex {
    fn name(&self) -> &'static str {
        "conex-page"
    }

    fn detect(&self, page: &Page) -> Detection {
        let analysis = self.analyse(page);
        let mut nodes = NodeSet::from_roots(page, analysis.roots.iter().copied());
        for removed in &analysis.removed {
            nodes.remove_subtree(page, *removed);
        }
        let mut detection = Detection::of(BlockKind::Content, nodes);
        if analysis.roots.is_empty() {
            detection.notes.push("none of the nodes that stand out has any text".to_owned());
        }
        detection
    }

    fn explain(&self, page: &Page) -> Explanation {
        let analysis = self.analyse(page);
        let mut explanation =
            Explanation::new(&["words", "links", "children", "position", "distance"]).rated_by("distance", Likely::High);
        if analysis.wide_page {
            explanation.notes.push("the page is as wide as it is deep: all of its body is content".to_owned());
        }
        let steps = [
            (&analysis.c_set, "c-SET"),
            (&analysis.reduced, "reduced"),
            (&analysis.roots, "content"),
            (&analysis.removed, "removed group of links"),
        ]
        .map(|(nodes, says)| (NodeSet::from_nodes(page, nodes.iter().copied()), says));
        for Rated { node, ratios: [words, links, children, position], distance, .. } in analysis.rated {
            let said = steps.iter().filter(|(nodes, _)| nodes.contains(node)).map(|(_, says)| *says);
            let remark = said.collect::<Vec<_>>().join(", ");
            explanation.push(node, &[words, links, children, position, distance], &remark);
        }
        explanation
    }
}

impl From<Params> for Conex {
    fn from(params: Params) -> Conex {
        // Names that HTML does not define share a tag: they are compared by name.
        let mut excluded = [false; 256];
        for name in params.excluded.split_ascii_whitespace() {
            excluded[Tag::from_name(&name.to_ascii_lowercase()) as usize] = true;
        }
        Conex { params, excluded }
    }
}

impl Conex {
    /// ConEx with these parameters.
    #[must_use]
    pub fn new(params: Params) -> Conex {
        Conex::from(params)
    }

    /// Runs all steps and keeps what they found.
    #[must_use]
    pub fn analyse(&self, page: &Page) -> Analysis {
        let Some(body) = page.body() else { return Analysis::default() };
        if self.params.wide_page_rule && self.is_wide(page, body) {
            return Analysis { wide_page: true, roots: page.children(body).collect(), ..Analysis::default() };
        }
        let mut rated = self.rate(page, body);
        standardise(&mut rated);
        let c_set = c_set(&rated, self.params.c);
        let reduced = reduce(page, &c_set);
        let mut roots = self.select(page, &reduced);
        if roots.is_empty() && self.params.fallback == Fallback::Farthest {
            roots.extend(c_set.first());
        }
        let removed = if self.params.max_words > 0 { self.link_groups(page, &roots) } else { Vec::new() };
        Analysis { wide_page: false, rated, c_set, reduced, roots, removed }
    }

    fn words_of(&self, page: &Page, node: NodeId) -> u32 {
        let counts = page.counts(node);
        match self.params.words {
            WordCount::Tokens => counts.tokens,
            WordCount::Words => counts.words,
        }
    }

    /// Whether an element is never rated itself.
    fn is_excluded(&self, page: &Page, node: NodeId) -> bool {
        let tag = page.tag(node);
        self.excluded[tag as usize]
            && (tag != Tag::Custom
                || self.params.excluded.split_ascii_whitespace().any(|name| name.eq_ignore_ascii_case(page.name(node))))
    }

    /// Whether the body has at least as many children as the page is deep below it, not counting excluded elements
    /// (§6.2.2, third criterion): flat, old pages that are content throughout.
    fn is_wide(&self, page: &Page, body: NodeId) -> bool {
        let counts = |node: NodeId| page.is_element(node) && !self.is_excluded(page, node);
        let width = page.children(body).filter(|child| counts(*child)).count();
        let mut deepest = 0;
        let mut depths = vec![0u16; page.range(body).len()];
        for node in page.descendants(body).filter(|node| page.is_element(*node)) {
            let above = page.parent(node).map_or(0, |parent| depths[parent.index() - body.index()]);
            let depth = above + u16::from(counts(node));
            depths[node.index() - body.index()] = depth;
            deepest = deepest.max(depth);
        }
        width >= usize::from(deepest)
    }

    /// The ratios of all nodes that may hold content (§6.2.2, Def. 6.2.1).
    fn rate(&self, page: &Page, body: NodeId) -> Vec<Rated> {
        let depth = |node| page.depth(node) - page.depth(body);
        let max_depth = page.subtree(body).map(depth).max().unwrap_or(0);
        let word_ratios = self.word_ratios(page, body);
        let least_words = self.params.min_text_share * f64::from(self.words_of(page, body));
        let rated = page.descendants(body).filter(|node| {
            let tag = page.tag(*node);
            let is_leaf = page.range(*node).len() == 1;
            tag.is_element() && !is_leaf && !self.is_excluded(page, *node) && f64::from(self.words_of(page, *node)) >= least_words
        });
        rated
            .map(|node| {
                let counts = page.counts(node);
                let links = match self.params.links {
                    Links::All => counts.anchors,
                    Links::Href => counts.links,
                };
                let children = match self.params.child_count {
                    ChildCount::All => page.children(node).take(3).count(),
                    ChildCount::Solid => page.children(node).filter(|child| !is_blank(page, *child)).take(3).count(),
                };
                let upper_half = 2 * depth(node) <= max_depth;
                let ratios = [
                    word_ratios[node.index() - body.index()],
                    1.0 / f64::from(links.max(1)),
                    f64::from(u8::from(children > 2)),
                    if upper_half { depth(node) as f64 } else { (max_depth - depth(node)) as f64 },
                ];
                Rated { node, ratios, point: [0.0; 4], distance: 0.0 }
            })
            .collect()
    }

    /// Sums, for every node from the body on, the words of the text below it, each divided by its distance. Text in
    /// `noscript` is not for readers (its siblings in `script` and `style` are no text nodes to begin with).
    fn word_ratios(&self, page: &Page, body: NodeId) -> Vec<f64> {
        let mut ratios = vec![0.0; page.range(body).len()];
        let mut noscript_end = NodeId(0);
        for node in page.descendants(body) {
            if page.tag(node) == Tag::Noscript {
                noscript_end = noscript_end.max(page.end(node));
            }
            if page.tag(node) != Tag::Text || node < noscript_end {
                continue;
            }
            let words = f64::from(self.words_of(page, node));
            let in_link = |ancestor: NodeId| page.tag(ancestor) == Tag::A;
            let skip = match self.params.link_text {
                LinkText::Parent => page.parent(node).is_some_and(in_link),
                LinkText::Ancestor => page.ancestors(node).any(in_link),
            };
            if words == 0.0 || skip {
                continue;
            }
            for (step, ancestor) in page.ancestors(node).take_while(|ancestor| *ancestor >= body).enumerate() {
                ratios[ancestor.index() - body.index()] += words / (step + 1) as f64;
            }
        }
        ratios
    }

    /// The node with most words per tag and its siblings in the set (Alg. 6); of nested nodes the outer one.
    fn select(&self, page: &Page, reduced: &[NodeId]) -> Vec<NodeId> {
        let density = |node: NodeId| {
            let counts = page.counts(node);
            let amount = match self.params.density {
                Density::Words => self.words_of(page, node),
                Density::Chars => counts.chars,
            };
            (u64::from(amount), u64::from(counts.elements))
        };
        // Compared as fractions, in integers: ties are exact, and all of them are taken.
        let compare = |a: (u64, u64), b: (u64, u64)| (a.0 * b.1).cmp(&(b.0 * a.1));
        let Some(most) = reduced.iter().map(|node| density(*node)).max_by(|a, b| compare(*a, *b)).filter(|most| most.0 > 0)
        else {
            return Vec::new();
        };
        let best: Vec<NodeId> = reduced.iter().copied().filter(|node| compare(density(*node), most) == Ordering::Equal).collect();
        let beside_best = |node: NodeId| best.iter().any(|other| page.parent(*other) == page.parent(node));
        let selected = reduced.iter().copied().filter(|node| beside_best(*node));
        NodeSet::from_nodes(page, selected).roots(page)
    }

    /// Groups of elements that hold nothing but a link each, one of them a short one (Alg. 7, independent of order).
    fn link_groups(&self, page: &Page, roots: &[NodeId]) -> Vec<NodeId> {
        let content = NodeSet::from_roots(page, roots.iter().copied());
        let mut parents = content.clone();
        for parent in roots.iter().filter_map(|root| page.parent(*root)) {
            parents.insert(parent);
        }
        let mut removed = Vec::new();
        let mut lone: Vec<(Tag, NodeId, bool)> = Vec::new();
        for parent in parents.iter().filter(|node| page.is_element(*node)) {
            lone.clear();
            for child in page.children(parent).filter(|child| content.contains(*child) && page.is_element(*child)) {
                if let Some(link) = self.lone_link(page, child) {
                    lone.push((page.tag(child), child, self.words_of(page, link) < self.params.max_words));
                }
            }
            let in_group = |tag: Tag| lone.iter().filter(move |other| other.0 == tag);
            removed.extend(
                lone.iter()
                    .filter(|(tag, ..)| in_group(*tag).nth(1).is_some() && in_group(*tag).any(|other| other.2))
                    .map(|(_, node, _)| *node),
            );
        }
        removed.sort_unstable();
        removed
    }

    /// The link that is an element's only child, if it is.
    fn lone_link(&self, page: &Page, node: NodeId) -> Option<NodeId> {
        let mut children = page.children(node).filter(|child| match self.params.only_child {
            OnlyChild::Solid => !is_blank(page, *child),
            OnlyChild::Elements => page.is_element(*child),
        });
        let link = children.next().filter(|child| page.tag(*child) == Tag::A)?;
        children.next().is_none().then_some(link)
    }
}

/// Blank text and comments.
fn is_blank(page: &Page, node: NodeId) -> bool {
    match page.tag(node) {
        Tag::Text => page.counts(node).tokens == 0,
        tag => tag == Tag::Comment,
    }
}

/// Shifts each ratio to mean 0 and deviation 1 over all rated nodes; a ratio that is the same for all becomes 0.
fn standardise(rated: &mut [Rated]) {
    let number = rated.len() as f64;
    for axis in 0..4 {
        let mean = rated.iter().map(|node| node.ratios[axis]).sum::<f64>() / number;
        let variance = rated.iter().map(|node| (node.ratios[axis] - mean).powi(2)).sum::<f64>() / number;
        let deviation = variance.sqrt();
        for node in rated.iter_mut() {
            // Rounding can leave a deviation next to nothing where there is none.
            node.point[axis] = if deviation > 1e-12 { (node.ratios[axis] - mean) / deviation } else { 0.0 };
        }
    }
    for node in rated {
        node.distance = node.point.iter().map(|x| x * x).sum::<f64>().sqrt();
    }
}

/// The `c` nodes farthest from the centroid, ties in document order (Alg. 4).
fn c_set(rated: &[Rated], c: usize) -> Vec<NodeId> {
    let mut farthest: Vec<&Rated> = Vec::new();
    for node in rated {
        let at = farthest.partition_point(|other| other.distance >= node.distance);
        if at < c {
            farthest.truncate(c - 1);
            farthest.insert(at, node);
        }
    }
    farthest.iter().map(|node| node.node).collect()
}

/// Drops nodes that have the same text as an ancestor in the set (Alg. 5).
fn reduce(page: &Page, c_set: &[NodeId]) -> Vec<NodeId> {
    // The text of a descendant is part of its ancestor's; it is all of it if nothing stands before or after.
    let same_text = |above: NodeId, below: NodeId| {
        page.counts_between(above, below).tokens == 0 && page.counts_between(page.end(below), page.end(above)).tokens == 0
    };
    let repeats = |node: NodeId| c_set.iter().any(|above| page.is_ancestor(*above, node) && same_text(*above, node));
    c_set.iter().copied().filter(|node| !repeats(*node)).collect()
}

#[cfg(test)]
mod tests;
