//! MenEx: the main menu of a page from six properties of its nodes.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! chapter 5. Every element that is no leaf gets a weight, the weighted sum of six properties: many children, many links,
//! little text outside links, being an `ul`, being called a menu, standing early in the page. From each of the heaviest
//! nodes the tree is climbed as long as most siblings are heavy as well; the node reached may hold the whole menu (its
//! root). Of several roots the one whose heavy nodes are heaviest on average is the menu.
//!
//! The choice between roots is the least certain part: pseudo-code and prose contradict each other. Every reading is a
//! parameter.

use crate::parameters::{choice, parameters};
use crate::published::conex::{ChildCount, Links};
use crate::registry::Entry;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

choice! {
    /// Among which nodes of a root the heavy ones are averaged (Alg. 2).
    pub enum Scope {
        /// The root and everything below it.
        Subtree = "subtree",
        /// Everything below it (the prose).
        Descendants = "descendants",
        /// Its children (the pseudo-code).
        Children = "children",
    }
}

choice! {
    /// What a threshold is a share of.
    pub enum Reference {
        /// The heaviest weight of the page.
        MaxWeight = "max-weight",
        /// One, that is, the threshold is absolute (Alg. 2, and §5.3.1 of candidates); few nodes ever weigh as much.
        One = "one",
    }
}

choice! {
    /// Which of several roots is the menu (Alg. 2).
    pub enum MenuBy {
        /// The one whose heavy nodes are heaviest on average (the pseudo-code).
        Average = "average",
        /// The one with most heavy nodes (a sentence of the prose); of equals the first.
        Count = "count",
    }
}

choice! {
    /// How the root is reached from a candidate.
    pub enum Climb {
        /// While most siblings are heavy (Alg. 1).
        Majority = "majority",
        /// To the heaviest node above it, if that is heavier than it (the outline at the head of §5.2).
        Heaviest = "heaviest",
    }
}

choice! {
    /// How text lowers the text ratio: characters of the node `n`, of the page `p`.
    pub enum TextFormula {
        /// 1 − n/√p, as printed.
        RootOfPage = "root-of-page",
        /// 1 − n/p.
        Share = "share",
        /// 1 − √(n/p).
        RootOfShare = "root-of-share",
    }
}

choice! {
    /// When a class names a menu.
    pub enum ClassMatch {
        /// When one of the classes is `menu` or `nav` (the prose).
        Tokens = "tokens",
        /// When the whole attribute is (the formula).
        Equals = "equals",
    }
}

parameters! {
    /// Parameters of MenEx. The default is the published best setting.
    pub struct Params {
        /// Weight of the amplitude: many children.
        pub amplitude: f64 = 0.30,
        /// Weight of the link ratio: many links among the descendants.
        pub link: f64 = 0.05,
        /// Weight of the text ratio: little text outside links.
        pub text: f64 = 0.10,
        /// Weight of being an ul.
        pub ul: f64 = 0.15,
        /// Weight of the representative tag: being a nav, or of class or id menu or nav.
        pub representative: f64 = 0.15,
        /// Weight of the position: standing early in the page.
        pub position: f64 = 0.25,
        /// Nodes above this share of the reference are candidates; the heaviest always is.
        pub candidate_factor: f64 = 0.85,
        /// What the threshold of candidates is a share of: the heaviest weight of the page, or one.
        pub candidate_reference: Reference = Reference::MaxWeight,
        /// How the root is reached from a candidate: while most siblings are heavy, or to the heaviest node above.
        pub climb: Climb = Climb::Majority,
        /// The tree is climbed while most siblings are above this share of the candidate's weight.
        pub root_threshold: f64 = 0.90,
        /// Nodes above this share of the reference are averaged to choose between roots.
        pub menu_threshold: f64 = 0.85,
        /// Among which nodes of a root the heavy ones are averaged.
        pub menu_scope: Scope = Scope::Subtree,
        /// Which of several roots is the menu: that of the heaviest average, or that with most heavy nodes.
        pub menu_by: MenuBy = MenuBy::Average,
        /// What the menu threshold is a share of: the heaviest weight of the page, or one.
        pub menu_reference: Reference = Reference::MaxWeight,
        /// How text lowers the text ratio.
        pub text_formula: TextFormula = TextFormula::RootOfPage,
        /// Whether a text ratio below 0 becomes 0.
        pub clamp_text: bool = false,
        /// Whether white space is text, all of it as it stands in the page, indentation too; the thesis does not say.
        pub white_space: bool = false,
        /// When a class names a menu: one of the classes, or the whole attribute.
        pub class_match: ClassMatch = ClassMatch::Tokens,
        /// Which children count: all nodes, or without blank text and comments.
        pub child_count: ChildCount = ChildCount::All,
        /// Which `a` elements are links: all, or those with an href.
        pub links: Links = Links::All,
        /// Roots with fewer links below them are no menu.
        pub min_links: u32 = 0,
    }
}

/// The names of the six properties (Def. 5.2.1), in the order of [`Rated::properties`].
pub(crate) const PROPERTIES: [&str; 6] = ["amplitude", "links", "text", "ul", "representative", "position"];

/// A node with its six properties and its weight.
#[derive(Clone, Copy, Debug)]
pub struct Rated {
    /// The node.
    pub node: NodeId,
    /// Amplitude, link ratio, text ratio, ul ratio, representative tag, position.
    pub properties: [f64; 6],
    /// What they come to.
    pub weight: f64,
}

/// Everything MenEx computes on the way to its result.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The rated nodes in document order.
    pub rated: Vec<Rated>,
    /// The heaviest of them (§5.2.2), with the root reached from each (Alg. 1).
    pub candidates: Vec<(NodeId, NodeId)>,
    /// The menu, unless no node is rated or none has enough links.
    pub menu: Option<NodeId>,
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Menex, Params>(
    "menex",
    BlockKind::Menu,
    "the node that six weighted properties (children, links, text, tag, name, position) tell to be the main menu",
    "J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapter 5",
    "linear in the page, but for sorting; candidates times depth",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Menex {
    params: Params,
}

impl PageTechnique for Menex {
    fn name(&self) -> &'static str {
        "menex"
    }

    fn detect(&self, page: &Page) -> Detection {
        self.analyse(page).detection(page)
    }

    fn explain(&self, page: &Page) -> Explanation {
        self.analyse(page).explanation("weight")
    }
}

impl From<Params> for Menex {
    fn from(params: Params) -> Menex {
        Menex { params }
    }
}

impl Menex {
    /// MenEx with these parameters.
    #[must_use]
    pub fn new(params: Params) -> Menex {
        Menex::from(params)
    }

    /// Runs all steps and keeps what they found.
    #[must_use]
    pub fn analyse(&self, page: &Page) -> Analysis {
        self.analyse_where(page, |_| true)
    }

    /// The same among the nodes that pass a test, such as occurring on other pages; no other can be a menu.
    #[must_use]
    pub fn analyse_where(&self, page: &Page, admits: impl Fn(NodeId) -> bool) -> Analysis {
        let Params { amplitude, link, text, ul, representative, position, .. } = self.params;
        let weights = [amplitude, link, text, ul, representative, position];
        let mut rated = self.params.rate(page);
        rated.retain(|rated| admits(rated.node));
        for node in &mut rated {
            node.weight = node.properties.iter().zip(weights).map(|(property, weight)| property * weight).sum();
        }
        self.params.select(page, rated)
    }
}

impl Analysis {
    pub(crate) fn detection(&self, page: &Page) -> Detection {
        let mut detection = Detection::of(BlockKind::Menu, NodeSet::from_roots(page, self.menu));
        if self.menu.is_none() {
            detection.notes.push("no node of the page can be a menu".to_owned());
        }
        detection
    }

    pub(crate) fn explanation(&self, weight: &'static str) -> Explanation {
        let mut explanation = Explanation::new(&PROPERTIES);
        explanation.columns.push(weight);
        explanation = explanation.rated_by(weight, Likely::High);
        let mut roots: Vec<NodeId> = self.candidates.iter().map(|(_, root)| *root).collect();
        roots.sort_unstable();
        for rated in &self.rated {
            let node = rated.node;
            let [a, b, c, d, e, f] = rated.properties;
            let steps = [
                self.candidates.binary_search_by_key(&node, |(candidate, _)| *candidate).is_ok().then_some("candidate"),
                roots.binary_search(&node).is_ok().then_some("root"),
                (self.menu == Some(node)).then_some("menu"),
            ];
            explanation.push(
                node,
                &[a, b, c, d, e, f, rated.weight],
                &steps.into_iter().flatten().collect::<Vec<_>>().join(", "),
            );
        }
        explanation
    }
}

impl Reference {
    fn weight(self, max_weight: f64) -> f64 {
        match self {
            Reference::MaxWeight => max_weight,
            Reference::One => 1.0,
        }
    }
}

impl Params {
    /// The properties of all elements of the body that have something below them (§5.2.1); no weight yet.
    pub(crate) fn rate(&self, page: &Page) -> Vec<Rated> {
        let Some(body) = page.body() else { return Vec::new() };
        let number = page.range(body).len() as f64;
        let offset = |node: NodeId| node.index() - body.index();
        let characters = self.characters(page, body);
        let characters_of = |node: NodeId| f64::from(characters[page.range(node).end - body.index()] - characters[offset(node)]);
        let of_page = characters_of(body);
        let mut children = vec![0u32; page.range(body).len()];
        for node in page.descendants(body) {
            if let Some(parent) = page.parent(node).filter(|_| self.child_count == ChildCount::All || !is_blank(page, node)) {
                children[offset(parent)] += 1;
            }
        }
        let rated = page.subtree(body).filter(|node| page.is_element(*node) && page.range(*node).len() > 1);
        rated
            .map(|node| {
                let links = f64::from(self.links_below(page, node));
                let descendants = (page.range(node).len() - 1) as f64;
                let text = match self.text_formula {
                    _ if of_page == 0.0 => 1.0,
                    TextFormula::RootOfPage => 1.0 - characters_of(node) / of_page.sqrt(),
                    TextFormula::Share => 1.0 - characters_of(node) / of_page,
                    TextFormula::RootOfShare => 1.0 - (characters_of(node) / of_page).sqrt(),
                };
                let properties = [
                    1.0 - 1.0 / f64::from(children[offset(node)].max(1)),
                    // Printed without the parentheses that keep it below 1.
                    if links < 2.0 { 0.0 } else { (links + descendants) / (2.0 * descendants) },
                    if self.clamp_text { text.max(0.0) } else { text },
                    f64::from(u8::from(page.tag(node) == Tag::Ul)),
                    f64::from(u8::from(self.is_representative(page, node))),
                    1.0 - (offset(node) + 1) as f64 / number,
                ];
                Rated { node, properties, weight: 0.0 }
            })
            .collect()
    }

    /// Characters outside links before every node from the body on, and in all. Text in `noscript` is not for readers.
    fn characters(&self, page: &Page, body: NodeId) -> Vec<u32> {
        let mut sums = Vec::with_capacity(page.range(body).len() + 1);
        let mut total = 0;
        let mut skipped = body;
        sums.push(0);
        for node in page.subtree(body) {
            if self.is_link(page, node) || page.tag(node) == Tag::Noscript {
                skipped = skipped.max(page.end(node));
            }
            if page.tag(node) == Tag::Text && node >= skipped {
                total += if self.white_space { page.text(node).chars().count() as u32 } else { page.counts(node).chars };
            }
            sums.push(total);
        }
        sums
    }

    fn is_link(&self, page: &Page, node: NodeId) -> bool {
        page.tag(node) == Tag::A && (self.links == Links::All || page.attr(node, "href").is_some())
    }

    fn links_below(&self, page: &Page, node: NodeId) -> u32 {
        let counts = page.counts(node);
        let links = match self.links {
            Links::All => counts.anchors,
            Links::Href => counts.links,
        };
        links - u32::from(self.is_link(page, node))
    }

    fn is_representative(&self, page: &Page, node: NodeId) -> bool {
        let names_menu = |name: &str| name == "menu" || name == "nav";
        page.tag(node) == Tag::Nav
            || page.attr(node, "id").is_some_and(names_menu)
            || match self.class_match {
                ClassMatch::Tokens => page.classes(node).any(names_menu),
                ClassMatch::Equals => page.attr(node, "class").is_some_and(names_menu),
            }
    }

    /// From weights to the menu (§5.2.2–5.2.4). A page of which no node weighs anything has its heaviest node as the only
    /// candidate.
    pub(crate) fn select(&self, page: &Page, rated: Vec<Rated>) -> Analysis {
        let weights = Weights::new(page, rated.iter().map(|rated| (rated.node, rated.weight)));
        // The first of the heaviest: later ones must be heavier to replace it.
        let heaviest = rated.iter().reduce(|best, node| if node.weight > best.weight { node } else { best });
        let Some(&Rated { node: heaviest, weight: max_weight, .. }) = heaviest else { return Analysis::default() };
        let bar = self.candidate_factor * self.candidate_reference.weight(max_weight);
        let is_candidate = |rated: &&Rated| rated.weight > bar && max_weight > 0.0 || rated.node == heaviest;
        let root = |candidate: NodeId| match self.climb {
            Climb::Majority => weights.root(candidate, self.root_threshold),
            Climb::Heaviest => weights.heaviest_above(candidate),
        };
        let candidates: Vec<(NodeId, NodeId)> = rated
            .iter()
            .filter(is_candidate)
            .map(|rated| (rated.node, root(rated.node)))
            .filter(|(_, root)| self.links_below(page, *root) >= self.min_links)
            .collect();
        let menu = self.menu(&weights, &candidates, max_weight);
        Analysis { rated, candidates, menu }
    }

    /// The menu among the roots (Alg. 2); where no root has a heavy node, the root of the heaviest candidate.
    fn menu(&self, weights: &Weights, candidates: &[(NodeId, NodeId)], max_weight: f64) -> Option<NodeId> {
        let mut roots: Vec<NodeId> = candidates.iter().map(|(_, root)| *root).collect();
        roots.sort_unstable();
        roots.dedup();
        if let [only] = roots[..] {
            return Some(only);
        }
        let reference = self.menu_reference.weight(max_weight);
        let page = weights.page;
        let heavy: Vec<(NodeId, f64)> =
            weights.rated.iter().copied().filter(|(_, weight)| *weight > self.menu_threshold * reference).collect();
        let mut best: Option<(NodeId, f64)> = None;
        for root in roots {
            let first = heavy.partition_point(|(node, _)| *node < root);
            let last = heavy.partition_point(|(node, _)| *node < page.end(root));
            let in_scope = |node: NodeId| match self.menu_scope {
                Scope::Subtree => true,
                Scope::Descendants => node != root,
                Scope::Children => page.parent(node) == Some(root),
            };
            let (mut sum, mut number) = (0.0, 0u32);
            for (_, weight) in heavy[first..last].iter().filter(|(node, _)| in_scope(*node)) {
                sum += weight;
                number += 1;
            }
            let value = match self.menu_by {
                MenuBy::Average => sum / f64::from(number),
                MenuBy::Count => f64::from(number),
            };
            if number > 0 && best.is_none_or(|(_, most)| value > most) {
                best = Some((root, value));
            }
        }
        let heaviest =
            || candidates.iter().reduce(|best, pair| if weights.of(pair.0) > weights.of(best.0) { pair } else { best });
        best.map(|(root, _)| root).or_else(|| heaviest().map(|(_, root)| *root))
    }
}

fn is_blank(page: &Page, node: NodeId) -> bool {
    match page.tag(node) {
        Tag::Text => page.counts(node).tokens == 0,
        tag => tag == Tag::Comment,
    }
}

/// The weights of a page's nodes, ready for climbing.
struct Weights<'p> {
    page: &'p Page,
    /// In document order.
    rated: Vec<(NodeId, f64)>,
    /// How many elements are right below each node.
    children: Vec<u32>,
    /// Of each node, the weight that more than half of the elements right below it reach. Most of them are heavier than a bar if
    /// this is, so a step up costs the same whatever the number of siblings, for each of many candidates.
    majority: Vec<f64>,
}

impl<'p> Weights<'p> {
    fn new(page: &'p Page, rated: impl Iterator<Item = (NodeId, f64)>) -> Weights<'p> {
        let rated: Vec<(NodeId, f64)> = rated.collect();
        let mut children = vec![0; page.len()];
        for parent in page.nodes().filter(|node| page.is_element(*node)).filter_map(|node| page.parent(node)) {
            children[parent.index()] += 1;
        }
        // Rated nodes by parent, heavier ones first.
        let mut siblings: Vec<(NodeId, f64)> =
            rated.iter().filter_map(|(node, weight)| Some((page.parent(*node)?, *weight))).collect();
        siblings.order_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        let mut majority = vec![f64::NEG_INFINITY; page.len()];
        for of_parent in siblings.chunk_by(|one, other| one.0 == other.0) {
            let parent = of_parent[0].0.index();
            if let Some((_, weight)) = of_parent.get(children[parent] as usize / 2) {
                majority[parent] = *weight;
            }
        }
        Weights { page, rated, children, majority }
    }

    /// The weight of a node, if it is rated.
    fn of(&self, node: NodeId) -> Option<f64> {
        self.rated.binary_search_by_key(&node, |(rated, _)| *rated).ok().map(|at| self.rated[at].1)
    }

    /// The node that holds the whole menu a candidate is part of (Alg. 1). An element with one child is passed through,
    /// but is not the root itself.
    fn root(&self, candidate: NodeId, threshold: f64) -> NodeId {
        let bar = threshold * self.of(candidate).unwrap_or(0.0);
        let mut root = candidate;
        let mut current = candidate;
        while Some(current) != self.page.body()
            && let Some(parent) = self.page.parent(current).filter(|parent| self.majority[parent.index()] > bar)
        {
            current = parent;
            if self.children[parent.index()] > 1 {
                root = parent;
            }
        }
        root
    }

    /// The heaviest of a candidate and the nodes above it, up to the body; of equals the innermost.
    fn heaviest_above(&self, candidate: NodeId) -> NodeId {
        let above = self.page.ancestors(candidate).take_while(|node| Some(*node) >= self.page.body());
        above.fold(candidate, |best, node| if self.of(node) > self.of(best) { node } else { best })
    }
}

#[cfg(test)]
mod tests;
