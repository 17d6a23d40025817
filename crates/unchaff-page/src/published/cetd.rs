//! CETD: the main content from the text density of elements.
//!
//! F. Sun, D. Song, L. Liao: DOM Based Content Extraction via Text Density, SIGIR 2011. Text density is characters per tag;
//! composite text density also punishes links, the more the fewer the page has. Two ways to find the content: *DensitySum*
//! takes the element whose children are densest together and, from the body down, the best one below every element
//! that is dense enough; *smoothing* keeps text whose element, averaged with its neighbours in document order, is denser
//! than the body. The literature's names: CETD-DS (density, DensitySum), CECTD-S (composite, smoothing), CECTD-DS (composite, DensitySum).
//!
//! A zero count in a denominator is 1, and so is the number of link characters wherever it is zero. How smoothing selects
//! is not in the material at hand beyond its name: kernel and threshold are our reading, after CETR and the body's density.

use crate::parameters::{choice, parameters};
use crate::registry::Entry;
use crate::views::whole_elements::with_whole_elements;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use std::f64::consts::E;
use std::marker::PhantomData;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

choice! {
    /// What DensitySum sums.
    pub enum SumOver {
        /// The densities of the children (the definition). An element without children has its own density.
        Children = "children",
        /// Those and a value for each stretch of text directly in the element (the authors' program).
        ChildrenAndText = "children-and-text",
    }
}

choice! {
    /// Which elements are links.
    pub enum LinkTags {
        /// `a`, `button` and `select`.
        Controls = "controls",
        /// `a` with an address.
        Href = "href",
    }
}

parameters! {
    /// Parameters of the CETD family. The default is the published setting.
    pub struct Params {
        /// What DensitySum sums: the densities of the children, or a value for text beside them too.
        pub sum_over: SumOver = SumOver::Children,
        /// Which elements are links: a, button and select, or only a with an address.
        pub link_tags: LinkTags = LinkTags::Controls,
        /// Leave out what is not displayed: display:none in a style attribute, the attribute hidden, noscript.
        pub skip_hidden: bool = true,
        /// How many neighbours on either side smoothing averages with; only used by the -s technique.
        pub radius: usize = 1,
    }
}

/// Counts over an element: characters, tags below it, and how many of both are links'.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Characters.
    pub chars: u32,
    /// Tags below the element.
    pub tags: u32,
    /// Characters in links.
    pub link_chars: u32,
    /// Links below the element.
    pub link_tags: u32,
}

/// Characters per tag (TD).
#[must_use]
pub fn text_density(counted: Counted) -> f64 {
    f64::from(counted.chars) / f64::from(counted.tags.max(1))
}

/// Text density weighed by how little of it is links (CTD); `link_share` is the share of the body's characters in links.
#[must_use]
pub fn composite_text_density(counted: Counted, link_share: f64) -> f64 {
    if counted.chars == 0 {
        return 0.0;
    }
    let at_least_one = |count: u32| f64::from(count.max(1));
    let (chars, link_chars) = (f64::from(counted.chars), at_least_one(counted.link_chars));
    let other_chars = at_least_one(counted.chars.saturating_sub(counted.link_chars));
    let base = (chars / other_chars * link_chars + link_share * chars + E).ln();
    let purity = chars / link_chars * (at_least_one(counted.tags) / at_least_one(counted.link_tags));
    text_density(counted) * purity.ln() / base.ln()
}

/// What a stretch of text directly in an element adds to its DensitySum in the authors' program.
fn stretch_value(chars: u32, link_share: f64) -> f64 {
    let chars = f64::from(chars);
    let divisor = (link_share * chars + E).ln().ln();
    chars * chars.max(1.0).ln() / if divisor > 0.0 { divisor } else { 1.0 }
}

/// A member of the family.
pub trait Variant: Send + Sync + 'static {
    /// Its name in the registry.
    const NAME: &'static str;
    /// Whether it uses composite text density.
    const COMPOSITE: bool;
    /// Whether it smooths densities in place of summing them.
    const SMOOTHED: bool;
}

macro_rules! variants {
    ($($(#[$doc:meta])* $name:ident = $text:literal, composite: $composite:literal, smoothed: $smoothed:literal, $entry:ident: $summary:literal;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Variant for $name {
            const NAME: &'static str = $text;
            const COMPOSITE: bool = $composite;
            const SMOOTHED: bool = $smoothed;
        }

        /// What the registry knows of it.
        pub(crate) const $entry: Entry = Entry::new::<Cetd<$name>, Params>(
            $text,
            BlockKind::Content,
            $summary,
            "F. Sun, D. Song, L. Liao: DOM Based Content Extraction via Text Density. SIGIR 2011",
            "linear in the page",
        );)*
    };
}

variants! {
    /// Text density and DensitySum.
    CetdDs = "cetd-ds", composite: false, smoothed: false, CETD_DS_ENTRY: "elements with most characters per tag, chosen by the sum over their children";
    /// Composite text density, smoothed.
    CectdS = "cectd-s", composite: true, smoothed: true, CECTD_S_ENTRY: "text in elements with many characters per tag and few links, smoothed over their neighbours";
    /// Composite text density and DensitySum.
    CectdDs = "cectd-ds", composite: true, smoothed: false, CECTD_DS_ENTRY: "elements with many characters per tag and few links, chosen by the sum over their children";
}

/// Everything a member of the family computes on the way to its result; arrays are by node, from the body on.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Density of each element; 0 for other nodes.
    pub density: Vec<f64>,
    /// DensitySum of each element, or its smoothed density.
    pub score: Vec<f64>,
    /// The element with the greatest DensitySum.
    pub best: Option<NodeId>,
    /// The density that content has at least.
    pub threshold: f64,
    /// Elements marked as content, in document order; their subtrees are the result.
    pub marked: Vec<NodeId>,
    /// Roots of what is not displayed.
    hidden: Vec<NodeId>,
}

/// A member of the family; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Cetd<V> {
    params: Params,
    variant: PhantomData<V>,
}

impl<V> From<Params> for Cetd<V> {
    fn from(params: Params) -> Self {
        Cetd { params, variant: PhantomData }
    }
}

impl<V: Variant> PageTechnique for Cetd<V> {
    fn name(&self) -> &'static str {
        V::NAME
    }

    fn detect(&self, page: &Page) -> Detection {
        let Some(body) = page.body() else { return Detection::of(BlockKind::Content, NodeSet::new(page)) };
        let analysis = self.analyse(page);
        let mut nodes = if V::SMOOTHED {
            let dense = |node: NodeId| {
                page.parent(node).is_some_and(|parent| analysis.score[parent.index() - body.index()] >= analysis.threshold)
            };
            let text = page.descendants(body).filter(|node| page.tag(*node) == Tag::Text && dense(*node));
            with_whole_elements(page, &NodeSet::from_nodes(page, text))
        } else {
            NodeSet::from_roots(page, analysis.marked.iter().copied())
        };
        for hidden in &analysis.hidden {
            nodes.remove_subtree(page, *hidden);
        }
        let mut detection = Detection::of(BlockKind::Content, nodes);
        if analysis.density.iter().all(|density| *density <= 0.0) {
            detection.notes.push("no element has any density: there is no text, or all of it is in links".to_owned());
        }
        detection
    }

    fn explain(&self, page: &Page) -> Explanation {
        let mut explanation = Explanation::new(&["density", if V::SMOOTHED { "smoothed" } else { "density sum" }])
            .rated_by("density", Likely::High);
        let Some(body) = page.body() else { return explanation };
        let analysis = self.analyse(page);
        explanation.notes.push(format!("content has a density of at least {:.3}", analysis.threshold));
        for node in page.subtree(body).filter(|node| page.is_element(*node)) {
            let at = node.index() - body.index();
            let remark = match analysis.marked.binary_search(&node) {
                _ if analysis.best == Some(node) => "greatest sum, content",
                Ok(_) => "content",
                Err(_) if analysis.density[at] < analysis.threshold => "below the threshold",
                Err(_) => "",
            };
            explanation.push(node, &[analysis.density[at], analysis.score[at]], remark);
        }
        explanation
    }
}

impl<V: Variant> Cetd<V> {
    /// Runs all steps and keeps what they found. A page without a body has an empty analysis.
    #[must_use]
    pub fn analyse(&self, page: &Page) -> Analysis {
        let Some(body) = page.body() else { return Analysis::default() };
        let hidden = if self.params.skip_hidden { hidden_roots(page, body) } else { Vec::new() };
        let sums = self.sums(page, body, &hidden);
        let counted = |node: NodeId| {
            let (from, below, to) = (
                sums[node.index() - body.index()],
                sums[node.index() + 1 - body.index()],
                sums[page.end(node).index() - body.index()],
            );
            Counted {
                chars: to.chars - from.chars,
                tags: to.tags - below.tags,
                link_chars: to.link_chars - from.link_chars,
                link_tags: to.link_tags - below.link_tags,
            }
        };
        let whole = counted(body);
        let link_share = f64::from(whole.link_chars) / f64::from(whole.chars.max(1));
        let density: Vec<f64> = page
            .subtree(body)
            .map(|node| match page.is_element(node) {
                true if V::COMPOSITE => composite_text_density(counted(node), link_share),
                true => text_density(counted(node)),
                false => 0.0,
            })
            .collect();
        let mut analysis = Analysis { threshold: density[0], hidden, ..Analysis::default() };
        if V::SMOOTHED {
            analysis.score = self.smoothed(page, body, &density);
        } else {
            analysis.score = self.density_sums(page, body, &density, link_share, &sums);
            select_by_sum(page, body, &density, &mut analysis);
        }
        analysis.density = density;
        analysis
    }

    /// Totals of all nodes before each one from the body on, and of all.
    fn sums(&self, page: &Page, body: NodeId, hidden: &[NodeId]) -> Vec<Counted> {
        let mut sums = Vec::with_capacity(page.range(body).len() + 1);
        let mut total = Counted::default();
        let (mut link_end, mut hidden_end) = (body, body);
        let mut hidden = hidden.iter().peekable();
        for node in page.subtree(body) {
            sums.push(total);
            if let Some(root) = hidden.next_if_eq(&&node) {
                hidden_end = page.end(*root);
            }
            if node < hidden_end {
                continue;
            }
            let tag = page.tag(node);
            if tag == Tag::Text {
                let chars = page.counts(node).chars;
                total.chars += chars;
                total.link_chars += if node < link_end { chars } else { 0 };
            } else if tag.is_element() && !matches!(tag, Tag::Script | Tag::Style) {
                total.tags += 1;
                let is_link = match self.params.link_tags {
                    LinkTags::Controls => matches!(tag, Tag::A | Tag::Button | Tag::Select),
                    LinkTags::Href => tag == Tag::A && page.attr(node, "href").is_some(),
                };
                if is_link {
                    total.link_tags += 1;
                    link_end = link_end.max(page.end(node));
                }
            }
        }
        sums.push(total);
        sums
    }

    fn density_sums(&self, page: &Page, body: NodeId, density: &[f64], link_share: f64, sums: &[Counted]) -> Vec<f64> {
        let at = |node: NodeId| node.index() - body.index();
        let mut result = vec![0.0; density.len()];
        for node in page.descendants(body) {
            let Some(parent) = page.parent(node) else { continue };
            if page.is_element(node) {
                result[at(parent)] += density[at(node)];
            } else if page.tag(node) == Tag::Text && self.params.sum_over == SumOver::ChildrenAndText {
                let chars = sums[at(node) + 1].chars - sums[at(node)].chars;
                result[at(parent)] += stretch_value(chars, link_share);
            }
        }
        for node in page.subtree(body).filter(|node| page.counts(*node).elements == 1 && page.is_element(*node)) {
            result[at(node)] = density[at(node)];
        }
        result
    }

    /// Densities averaged with those of the elements before and after, with the weights of a bell curve of that width.
    fn smoothed(&self, page: &Page, body: NodeId, density: &[f64]) -> Vec<f64> {
        let elements: Vec<usize> =
            page.subtree(body).filter(|node| page.is_element(*node)).map(|node| node.index() - body.index()).collect();
        // Beyond some hundred neighbours there is nothing left to tell apart, and the cost would no longer be linear.
        let radius = self.params.radius.min(500);
        let weight = |distance: usize| (-((distance * distance) as f64) / (2 * radius * radius).max(1) as f64).exp();
        let weights: Vec<f64> = (0..=radius).map(weight).collect();
        let mut result = vec![0.0; density.len()];
        for (at, element) in elements.iter().enumerate() {
            let near = at.saturating_sub(radius)..(at + radius + 1).min(elements.len());
            let (mut sum, mut total) = (0.0, 0.0);
            for other in near {
                sum += weights[at.abs_diff(other)] * density[elements[other]];
                total += weights[at.abs_diff(other)];
            }
            result[*element] = sum / total;
        }
        result
    }
}

/// Marks, from the body down, the best element in every subtree whose root and all above it are dense enough. The threshold is the
/// least density on the way from the best element of all to the body. Of equal sums the outer, then the first one wins.
fn select_by_sum(page: &Page, body: NodeId, density: &[f64], analysis: &mut Analysis) {
    let at = |node: NodeId| node.index() - body.index();
    let score = &analysis.score;
    let mut best: Vec<NodeId> = page.subtree(body).collect();
    for node in page.descendants(body).rev().filter(|node| page.is_element(*node)) {
        let Some(parent) = page.parent(node) else { continue };
        let (mine, so_far) = (best[at(node)], best[at(parent)]);
        let greater = score[at(mine)] > score[at(so_far)];
        if greater || (score[at(mine)] == score[at(so_far)] && so_far != parent) {
            best[at(parent)] = mine;
        }
    }
    if score[at(best[0])] <= 0.0 {
        return;
    }
    analysis.best = Some(best[0]);
    let path = std::iter::once(best[0]).chain(page.ancestors(best[0])).take_while(|node| *node >= body);
    analysis.threshold = path.map(|node| density[at(node)]).fold(f64::INFINITY, f64::min);
    let mut node = body;
    while node < page.end(body) {
        if page.is_element(node) && density[at(node)] >= analysis.threshold {
            if score[at(best[at(node)])] > 0.0 {
                analysis.marked.push(best[at(node)]);
            }
            node.0 += 1;
        } else {
            node = page.end(node);
        }
    }
    analysis.marked.sort_unstable();
    analysis.marked.dedup();
}

/// The outermost elements that are not displayed.
fn hidden_roots(page: &Page, body: NodeId) -> Vec<NodeId> {
    let mut roots = Vec::new();
    let mut node = NodeId(body.0 + 1);
    while node < page.end(body) {
        if page.is_element(node) && (page.tag(node) == Tag::Noscript || is_hidden(page, node)) {
            roots.push(node);
            node = page.end(node);
        } else {
            node.0 += 1;
        }
    }
    roots
}

fn is_hidden(page: &Page, node: NodeId) -> bool {
    page.attrs(node).any(|(name, value)| match name {
        "hidden" => true,
        "style" => value.split(';').any(|declaration| {
            let (property, value) = declaration.split_once(':').unwrap_or_default();
            property.trim().eq_ignore_ascii_case("display")
                && value.trim().get(..4).is_some_and(|start| start.eq_ignore_ascii_case("none"))
        }),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::emit;
    use unchaff_dom::select::Selector;

    fn find(page: &Page, selector: &str) -> NodeId {
        page.select(&Selector::parse(selector).unwrap()).next().unwrap()
    }

    fn text<V: Variant>(html: &str, params: Params) -> String {
        let page = Page::parse(html);
        let detection = Cetd::<V>::from(params).detect(&page);
        emit::text(&page, detection.nodes(BlockKind::Content).unwrap()).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn composite_density_is_as_computed_by_hand() {
        // By the formula of Sun et al. (2011), with a fifth of the page's characters in links.
        let density =
            |chars, tags, link_chars, link_tags| composite_text_density(Counted { chars, tags, link_chars, link_tags }, 0.2);
        assert!((density(200, 1, 0, 0) - 797.26).abs() < 0.01, "{}", density(200, 1, 0, 0));
        assert_eq!(density(40, 5, 40, 5), 0.0);
        assert!((density(200, 4, 20, 1) - 129.09).abs() < 0.01, "{}", density(200, 4, 20, 1));
        assert_eq!(density(0, 3, 0, 1), 0.0);
    }

    const PAGE: &str = "<body><ul><li><a href=1>Home</a></li><li><a href=2>News</a></li><li><a href=3>Contact us</a></li></ul>\
        <div id=main><h1>Rain</h1><p>It rained all day and all night, and nobody went out.</p>\
        <p>Then the sun came, and everybody <a href=4>danced</a> in the streets of the town.</p></div><p><a href=5>Imprint</a></p></body>";

    #[test]
    fn density_sum_finds_the_element_with_the_densest_children() {
        let page = Page::parse(PAGE);
        let analysis = Cetd::<CectdDs>::from(Params::default()).analyse(&page);
        assert_eq!(analysis.best, Some(find(&page, "#main")));
        let main = find(&page, "#main").index() - page.body().unwrap().index();
        assert!(analysis.threshold <= analysis.density[main] && analysis.threshold <= analysis.density[0]);
        for found in [text::<CectdDs>(PAGE, Params::default()), text::<CetdDs>(PAGE, Params::default())] {
            assert_eq!(
                found,
                "Rain It rained all day and all night, and nobody went out. Then the sun came, and everybody danced in the streets of the town."
            );
        }
    }

    #[test]
    fn smoothing_keeps_dense_text_but_not_all_that_belongs_to_it() {
        let found = text::<CectdS>(PAGE, Params::default());
        assert!(found.contains("It rained all day") && !found.contains("Home") && !found.contains("Imprint"), "{found}");
    }

    #[test]
    fn text_beside_elements_counts_if_asked_for() {
        let html = "<body><div id=x>Text between breaks counts for nothing in the sum.<br>And this is more of it.<br></div><p id=y>Short one.</p></body>";
        let page = Page::parse(html);
        let sum = |sum_over, selector: &str| {
            let analysis = Cetd::<CectdDs>::from(Params { sum_over, ..Params::default() }).analyse(&page);
            analysis.score[find(&page, selector).index() - page.body().unwrap().index()]
        };
        assert_eq!(sum(SumOver::Children, "#x"), 0.0);
        assert!(sum(SumOver::ChildrenAndText, "#x") > 0.0);
        assert_eq!(sum(SumOver::Children, "#y"), sum(SumOver::ChildrenAndText, "#y"));
    }

    #[test]
    fn what_is_not_displayed_is_left_out_unless_asked_for() {
        let html = "<body><div><p>Shown to all of the readers.</p><p style='color:red; Display : none'>Hidden from all of the readers.</p><p hidden>And this.</p></div></body>";
        assert_eq!(text::<CectdDs>(html, Params::default()), "Shown to all of the readers.");
        assert!(text::<CectdDs>(html, Params { skip_hidden: false, ..Params::default() }).contains("Hidden from"));
    }

    #[test]
    fn buttons_are_links_unless_only_addresses_count() {
        let html = "<body><button>Press this for something else</button></body>";
        let density = |link_tags| {
            *Cetd::<CectdDs>::from(Params { link_tags, ..Params::default() })
                .analyse(&Page::parse(html))
                .density
                .last_chunk::<2>()
                .unwrap()
        };
        assert_eq!(density(LinkTags::Controls)[0], 0.0);
        assert!(density(LinkTags::Href)[0] > 0.0);
    }

    #[test]
    fn a_wider_kernel_moves_densities_nearer_to_each_other() {
        let page = Page::parse(PAGE);
        let spread = |radius| {
            let analysis = Cetd::<CectdS>::from(Params { radius, ..Params::default() }).analyse(&page);
            analysis.score.iter().copied().fold(0.0, f64::max)
        };
        assert!(spread(0) > spread(1) && spread(1) > spread(4));
    }

    proptest! {
        #[test]
        fn marked_elements_are_the_best_below_dense_ones(parts in prop::collection::vec("<(div|p|ul|li|a|span|b)>|</(div|p|ul|a)>|one two |three ", 0..60)) {
            let page = Page::parse(parts.concat());
            let body = page.body().unwrap();
            let at = |node: NodeId| node.index() - body.index();
            let analysis = Cetd::<CectdDs>::from(Params::default()).analyse(&page);
            // The definition, quadratic.
            let mut expected: Vec<NodeId> = Vec::new();
            for node in page.subtree(body).filter(|node| page.is_element(*node)) {
                let passes = std::iter::once(node).chain(page.ancestors(node)).take_while(|above| *above >= body).all(|above| analysis.density[at(above)] >= analysis.threshold);
                let inside: Vec<NodeId> = page.subtree(node).filter(|inside| page.is_element(*inside)).collect();
                let most = inside.iter().map(|inside| analysis.score[at(*inside)]).fold(0.0, f64::max);
                if passes && most > 0.0 {
                    expected.extend(inside.iter().find(|inside| analysis.score[at(**inside)] == most));
                }
            }
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(&analysis.marked, &expected);
            prop_assert!(analysis.density.iter().chain(&analysis.score).all(|value| value.is_finite() && *value >= 0.0));
        }
    }
}
