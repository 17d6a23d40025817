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
use crate::{BlockKind, Detection, Explanation, PageTechnique};
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
    /// What the menu threshold is a share of (Alg. 2).
    pub enum Reference {
        /// The heaviest weight of the page.
        MaxWeight = "max-weight",
        /// One, that is, the threshold is absolute (the pseudo-code); few nodes ever weigh as much.
        One = "one",
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
        /// Nodes above this share of the heaviest weight are candidates.
        pub candidate_factor: f64 = 0.85,
        /// The tree is climbed while most siblings are above this share of the candidate's weight.
        pub root_threshold: f64 = 0.90,
        /// Nodes above this share of the reference are averaged to choose between roots.
        pub menu_threshold: f64 = 0.85,
        /// Among which nodes of a root the heavy ones are averaged.
        pub menu_scope: Scope = Scope::Subtree,
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
        let is_candidate =
            |rated: &&Rated| rated.weight > self.candidate_factor * max_weight && max_weight > 0.0 || rated.node == heaviest;
        let candidates: Vec<(NodeId, NodeId)> = rated
            .iter()
            .filter(is_candidate)
            .map(|rated| (rated.node, weights.root(rated.node, self.root_threshold)))
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
        let reference = match self.menu_reference {
            Reference::MaxWeight => max_weight,
            Reference::One => 1.0,
        };
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
            let average = sum / f64::from(number);
            if number > 0 && best.is_none_or(|(_, most)| average > most) {
                best = Some((root, average));
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
        siblings.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::select::Selector;

    /// A page made by hand, without white space between tags.
    fn full_rating() -> Page {
        Page::parse(format!(
            "<body><div id=\"top\"><h1>Site</h1><ul class=\"menu\"><li><a>Home</a></li><li><a>News</a></li><li><a>About</a></li>\
             <li><a>Help</a></li></ul></div><div id=\"main\"><p>{}</p><p>{}<a>more</a>{}</p></div></body>",
            "a".repeat(50),
            "b".repeat(30),
            "c".repeat(16)
        ))
    }

    fn find(page: &Page, selector: &str) -> NodeId {
        page.select(&Selector::parse(selector).unwrap()).next().unwrap()
    }

    /// The properties of the first node that a selector finds.
    fn properties(html: &str, selector: &str, params: Params) -> [f64; 6] {
        let page = Page::parse(html);
        let node = find(&page, selector);
        params.rate(&page).iter().find(|rated| rated.node == node).unwrap().properties
    }

    #[test]
    fn d1_d2_link_ratio_and_amplitude() {
        let ratio = |links: usize, others: usize| {
            let html = format!("<body><div>{}{}</div></body>", "<a></a>".repeat(links), "<i></i>".repeat(others));
            let [amplitude, link, ..] = properties(&html, "div", Params::default());
            (amplitude, (link * 1e6).round() / 1e6)
        };
        let vectors =
            [(0, 5, 0.0), (1, 3, 0.0), (2, 2, 1.0), (2, 4, 0.75), (2, 6, 0.666_667), (4, 12, 0.666_667), (10, 100, 0.55)];
        for (links, descendants, expected) in vectors {
            assert_eq!(ratio(links, descendants - links).1, expected);
        }
        for (children, expected) in [(1, 0.0), (2, 0.5), (4, 0.75), (10, 0.9)] {
            assert_eq!(ratio(0, children).0, expected);
        }
    }

    #[test]
    fn d3_a_full_run_rates_and_selects_as_computed_by_hand() {
        let page = full_rating();
        let analysis = Menex::default().analyse(&page);
        let expected = [
            ("body", [0.5, 0.604_167, -9.0, 0.0, 0.0, 0.96], -0.479_792),
            ("#top", [0.5, 0.633_333, 0.6, 0.0, 0.0, 0.92], 0.471_667),
            ("h1", [0.0, 0.0, 0.6, 0.0, 0.0, 0.88], 0.28),
            ("ul", [0.75, 0.666_667, 1.0, 1.0, 1.0, 0.8], 0.858_333),
            ("li", [0.0, 0.0, 1.0, 0.0, 0.0, 0.76], 0.29),
            ("li + li + li + li", [0.0, 0.0, 1.0, 0.0, 0.0, 0.4], 0.2),
            ("li a", [0.0, 0.0, 1.0, 0.0, 0.0, 0.72], 0.28),
            ("#main", [0.5, 0.0, -8.6, 0.0, 0.0, 0.28], -0.64),
            ("p", [0.0, 0.0, -4.0, 0.0, 0.0, 0.24], -0.34),
            ("p + p", [0.666_667, 0.0, -3.6, 0.0, 0.0, 0.16], -0.12),
            ("p a", [0.0, 0.0, 1.0, 0.0, 0.0, 0.08], 0.12),
        ];
        assert_eq!(analysis.rated.len(), 16);
        for (selector, properties, weight) in expected {
            let node = find(&page, selector);
            let rated = analysis.rated.iter().find(|rated| rated.node == node).unwrap();
            let is_near = rated.properties.iter().zip(properties).all(|(found, expected)| (found - expected).abs() < 1e-6);
            assert!(is_near, "{selector}: {:?}", rated.properties);
            assert!((rated.weight - weight).abs() < 1e-6, "{selector}: {}", rated.weight);
        }
        let menu = find(&page, "ul");
        assert_eq!(analysis.candidates, [(menu, menu)]);
        assert_eq!(analysis.menu, Some(menu));
    }

    /// The root reached from `#cand`, with weights given by the attribute `w`.
    fn climb(second: f64) -> String {
        let page = Page::parse(format!(
            "<body><div id=top><div id=dash w=.40><ul id=dark w=.85><li w=.80><ul id=cand w=.87><li>x</ul><li w={second}>x<li w=.80>x<li w=.50>x</ul></div>\
             <p w=.30>x</p></div></body>"
        ));
        let weighted = page.nodes().filter_map(|node| Some((node, page.attr(node, "w")?.parse().ok()?)));
        let root = Weights::new(&page, weighted).root(find(&page, "#cand"), 0.9);
        page.attr(root, "id").unwrap().to_owned()
    }

    #[test]
    fn d4_the_root_is_reached_through_a_majority_of_heavy_siblings() {
        assert_eq!(climb(0.79), "dark");
        assert_eq!(climb(0.70), "cand");
        let page = Page::parse("<body>x</body>");
        let body = page.body().unwrap();
        assert_eq!(Weights::new(&page, [(body, 1.0)].into_iter()).root(body, 0.9), body);
    }

    #[test]
    fn d5_the_menu_has_the_heaviest_heavy_nodes() {
        let page = Page::parse(
            "<body><ul id=one w=.90><li>x</ul><ul id=two w=.60><li w=.95>x<li w=.97>x</ul><ul id=like w=.88><li>x</ul></body>",
        );
        let weighted = page.nodes().filter_map(|node| Some((node, page.attr(node, "w")?.parse().ok()?)));
        let weights = Weights::new(&page, weighted);
        let [one, two, like] = ["#one", "#two", "#like"].map(|selector| find(&page, selector));
        for menu_scope in [Scope::Subtree, Scope::Descendants, Scope::Children] {
            let params = Params { menu_scope, ..Params::default() };
            assert_eq!(params.menu(&weights, &[(one, one), (two, two)], 1.0), Some(two));
        }
        let params = Params { menu_scope: Scope::Children, ..Params::default() };
        assert_eq!(params.menu(&weights, &[(like, like), (one, one)], 1.0), Some(one), "the root of the heaviest candidate");
        // Against the heaviest weight, even the light page has heavy nodes; against one (Alg. 2 as printed), it has none.
        assert_eq!(Params::default().menu(&weights, &[(like, like), (two, two)], 0.9), Some(two));
        let absolute = Params { menu_reference: Reference::One, menu_threshold: 0.99, ..Params::default() };
        assert_eq!(absolute.menu(&weights, &[(one, one), (two, two)], 0.9), Some(one));
    }

    #[test]
    fn switches_change_what_they_say() {
        // White space counts as a child, or not.
        let html = "<body><ul>\n<li>a</li>\n<li>b</li>\n<!-- c --></ul></body>";
        assert!((properties(html, "ul", Params::default())[0] - 5.0 / 6.0).abs() < 1e-9);
        assert_eq!(properties(html, "ul", Params { child_count: ChildCount::Solid, ..Params::default() })[0], 0.5);
        // An `a` without an address is a link, or not, with its text.
        let html = "<body><p><a>123</a><a href=b>4</a><a>5</a></p></body>";
        assert_eq!(properties(html, "p", Params::default())[1..3], [0.75, 1.0]);
        assert_eq!(properties(html, "p", Params { links: Links::Href, ..Params::default() })[1..3], [0.0, -1.0]);
        // The text ratio (Def. 5.2.1): three formulas, and none below 0.
        let html = format!("<body><p>{}</p><div>{}</div></body>", "a".repeat(36), "b".repeat(64));
        let text = |text_formula, clamp_text| properties(&html, "p", Params { text_formula, clamp_text, ..Params::default() })[2];
        assert!((text(TextFormula::RootOfPage, false) + 2.6).abs() < 1e-9);
        assert_eq!(text(TextFormula::RootOfPage, true), 0.0);
        assert!((text(TextFormula::Share, false) - 0.64).abs() < 1e-9);
        assert!((text(TextFormula::RootOfShare, false) - 0.4).abs() < 1e-9);
        // White space between tags and words is text, or not: 8 of 9 characters are.
        let html = "<body>\n\n<p>a</p>\n\n\n\n\n\n</body>";
        assert_eq!(properties(html, "body", Params::default())[2], 0.0);
        assert!((properties(html, "body", Params { white_space: true, ..Params::default() })[2] - (1.0 - 3.0)).abs() < 1e-9);
        // One of the classes, as we read the prose, or the whole attribute, as the formula has it; never a part of a name.
        let named = |html: &str, class_match| properties(html, "div", Params { class_match, ..Params::default() })[4];
        assert_eq!(named("<body><div class='x menu'>a</div></body>", ClassMatch::Tokens), 1.0);
        assert_eq!(named("<body><div class='x menu'>a</div></body>", ClassMatch::Equals), 0.0);
        assert_eq!(named("<body><div id=nav>a</div></body>", ClassMatch::Equals), 1.0);
        assert_eq!(named("<body><div class=main-menu id=navbar>a</div></body>", ClassMatch::Tokens), 0.0);
        // A node without links is a menu, or not: Def. 4.3.1 asks for two links, MenEx for none.
        let page = Page::parse("<body><ul class=menu><li>one<li>two</ul><p><a>1</a><a>2</a></p></body>");
        assert_eq!(Menex::default().analyse(&page).menu, Some(find(&page, "ul")));
        assert_eq!(Menex::new(Params { min_links: 2, ..Params::default() }).analyse(&page).menu, None);
    }

    proptest! {
        #[test]
        fn properties_and_weights_keep_their_bounds(words in prop::collection::vec("<(div|p|ul|li|nav|ul class=menu)>|<a href=x>|</(div|ul|a)>|one |two ", 0..60)) {
            let page = Page::parse(words.concat());
            let analysis = Menex::default().analyse(&page);
            for Rated { properties: [amplitude, link, text, ul, representative, position], weight, .. } in &analysis.rated {
                prop_assert!((0.0..1.0).contains(amplitude) && (0.0..1.0).contains(position) && *text <= 1.0);
                prop_assert!(*link == 0.0 || (*link > 0.5 && *link <= 1.0));
                // Ceilings that follow from the weights of Table 5.1.
                prop_assert!(*weight < 0.70 + 0.15 * ul + 0.15 * representative);
            }
            prop_assert_eq!(analysis.menu.is_none(), analysis.rated.is_empty());
            let Some(menu) = analysis.menu else { return Ok(()) };
            prop_assert!(analysis.candidates.iter().any(|(_, root)| *root == menu));
            prop_assert!(menu >= page.body().unwrap());
        }

        #[test]
        fn the_root_is_the_one_reached_by_counting_heavy_children_at_every_step(
            parts in prop::collection::vec("<(div|p|ul)( w=[0-9])?>|</(div|ul)>|x", 1..60), threshold in 0..12u8,
        ) {
            let page = Page::parse(parts.concat());
            let weighted: Vec<(NodeId, f64)> =
                page.nodes().filter_map(|node| Some((node, page.attr(node, "w")?.parse().ok()?))).collect();
            let weights = Weights::new(&page, weighted.iter().copied());
            let threshold = f64::from(threshold) / 10.0;
            for (candidate, weight) in &weighted {
                let bar = threshold * weight;
                let (mut root, mut current) = (*candidate, *candidate);
                while let Some(parent) = page.parent(current).filter(|_| Some(current) != page.body()) {
                    let children = page.element_children(parent).count();
                    let heavy = page.element_children(parent).filter(|child| weights.of(*child).is_some_and(|weight| weight > bar));
                    if 2 * heavy.count() <= children {
                        break;
                    }
                    current = parent;
                    if children > 1 {
                        root = parent;
                    }
                }
                prop_assert_eq!(weights.root(*candidate, threshold), root);
            }
        }
    }
}
