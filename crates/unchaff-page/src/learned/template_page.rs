//! The template of a page from that page alone: what is surely not content, with a confidence for every node.
//!
//! Our own; the thesis that published ConEx names a page-level template detector derived from it as an open line (J. Alarte,
//! 2023, chapter 16). Every element gets evidence for or against template: what ConEx takes for the content, landmarks,
//! names, links, prose, position, repetition (`template_evidence.rs`). Alone, most elements say
//! little, so labels of parents and children are tied: template mostly goes on in its children, and hardly ever starts again
//! below what is none. Of this tree of labels the exact marginal of each node is computed in one pass up and one down
//! (Pearl's belief propagation, 1982); it is the confidence.
//!
//! Wrappers between template and content come out as neither: they are not template, and ConEx does not take them.

use crate::learned::name_families::NameFamilies;
use crate::learned::template_evidence::{BACK, Elements, LEAVE, evidence, survey, weightiest};
use crate::learned::tree_labelling::marginals;
use crate::parameters::parameters;
use crate::published::conex::{self, Conex};
use crate::registry::Entry;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use unchaff_dom::{NodeId, NodeSet, Page};

parameters! {
    /// Parameters of the page-level template detector.
    pub struct Params {
        /// Nodes are template from this confidence on (0 to 1): higher finds less, and more surely.
        pub min_confidence: f64 = 0.5,
        /// Never call template what ConEx takes for content, however sure.
        /// Off, its content is evidence like the rest.
        pub keep_content: bool = false,
        /// How strongly neighbours in the tree are tied; 0 leaves every element to its own evidence.
        pub ties: f64 = 1.0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<TemplatePage, Params>(
    "template-page",
    BlockKind::Template,
    "evidence of each element, tied along the tree; confidence by exact marginals",
    "unchaff's own; an open line of J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapter 16",
    "linear in the page, after ConEx",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct TemplatePage {
    params: Params,
}

impl From<Params> for TemplatePage {
    fn from(params: Params) -> TemplatePage {
        TemplatePage { params }
    }
}

/// The elements of a page with their evidence and confidence.
#[derive(Debug, Default)]
pub struct Analysis {
    /// Elements from `body` on, in document order.
    pub elements: Vec<NodeId>,
    /// What each says for (positive) or against template on its own, in log-odds.
    pub evidence: Vec<f64>,
    /// How probable it is that each is template, given the evidence of all.
    pub confidence: Vec<f64>,
    /// The fact that weighs most in each one's evidence.
    pub reason: Vec<&'static str>,
    /// What ConEx takes for content.
    pub content: NodeSet,
}

impl PageTechnique for TemplatePage {
    fn name(&self) -> &'static str {
        "template-page"
    }

    fn detect(&self, page: &Page) -> Detection {
        let analysis = self.analyse(page);
        // How sure it is of its elements one by one, whichever side they are on.
        let sure: f64 = analysis.confidence.iter().map(|confidence| confidence.max(1.0 - confidence)).sum();
        Detection::of(BlockKind::Template, self.nodes(page, &analysis))
            .with_confidence(sure / (analysis.elements.len() as f64).max(1.0))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let analysis = self.analyse(page);
        let nodes = self.nodes(page, &analysis);
        let mut explanation = Explanation::new(&["evidence", "confidence"]).rated_by("confidence", Likely::High);
        for (at, node) in analysis.elements.iter().enumerate() {
            let label = if nodes.contains(*node) { "template, " } else { "" };
            let remark = format!("{label}{}", analysis.reason[at]);
            explanation.push(*node, &[analysis.evidence[at], analysis.confidence[at]], &remark);
        }
        explanation
    }
}

impl TemplatePage {
    /// The detector with these parameters.
    #[must_use]
    pub fn new(params: Params) -> TemplatePage {
        TemplatePage::from(params)
    }

    /// Evidence and confidence of all elements.
    #[must_use]
    pub fn analyse(&self, page: &Page) -> Analysis {
        let Some(body) = page.body() else { return Analysis::default() };
        let conex = Conex::default().analyse(page);
        let (mut own, mut reason) = (Vec::new(), Vec::new());
        let Elements { nodes, parents } = survey(page, body, &conex, &NameFamilies::of(page), |_, facts| {
            own.push(evidence(facts));
            reason.push(weightiest(facts));
        });
        let confidence = marginals(&parents, &own, self.params.ties * LEAVE, self.params.ties * BACK);
        Analysis { elements: nodes, evidence: own, confidence, reason, content: content_of(page, &conex) }
    }

    /// Elements that are confident enough, with the text that stands directly in them.
    fn nodes(&self, page: &Page, analysis: &Analysis) -> NodeSet {
        let mut nodes = NodeSet::new(page);
        for (node, confidence) in analysis.elements.iter().zip(&analysis.confidence) {
            if *confidence >= self.params.min_confidence {
                nodes.insert(*node);
            }
        }
        let Some(body) = page.body() else { return nodes };
        for node in page.descendants(body).filter(|node| !page.is_element(*node)) {
            if page.parent(node).is_some_and(|parent| nodes.contains(parent)) {
                nodes.insert(node);
            }
        }
        if self.params.keep_content {
            nodes.difference(&analysis.content);
        }
        nodes
    }
}

/// The content that ConEx's steps lead to.
fn content_of(page: &Page, conex: &conex::Analysis) -> NodeSet {
    let mut content = NodeSet::from_roots(page, conex.roots.iter().copied());
    for removed in &conex.removed {
        content.remove_subtree(page, *removed);
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::select::Selector;

    fn site() -> Page {
        let paragraph =
            "It rained all day, and the river rose until the old bridge was closed to everyone but the mayor. ".repeat(3);
        Page::parse(format!(
            "<title>The flood of the year | Daily</title><body><header class=site-header><a class=logo href=/>Daily</a><nav><ul><li><a href=/a>News</a>\
             <li><a href=/b>Sport</a><li><a href=/c>Weather</a><li><a href=/d>Contact</a></ul></nav></header><div id=wrap><div id=main><article class=post>\
             <h1>The flood of the year</h1><p>{paragraph}</p><p>{paragraph}</p><p>{paragraph}</p></article></div><aside class=sidebar><h3>Links</h3><ul>\
             <li><a href=/x>Archive</a><li><a href=/y>Partners</a><li><a href=/z>Feeds</a></ul></aside></div><footer><p>© Daily <a href=/i>Imprint</a></p>\
             </footer></body>"
        ))
    }

    fn find(page: &Page, selector: &str) -> NodeId {
        page.select(&Selector::parse(selector).unwrap()).next().unwrap()
    }

    fn template(page: &Page, params: Params) -> NodeSet {
        TemplatePage::new(params).detect(page).blocks.remove(0).nodes
    }

    #[test]
    fn landmarks_are_template_and_the_article_is_not() {
        let page = site();
        let nodes = template(&page, Params::default());
        for selector in ["body", "header", "nav a", "aside", "aside a", "footer", "footer p"] {
            assert!(nodes.contains(find(&page, selector)), "{selector}");
        }
        for selector in ["article", "h1", "article p"] {
            assert!(!nodes.contains(find(&page, selector)), "{selector}");
        }
    }

    #[test]
    fn text_goes_with_the_element_it_stands_in() {
        let page = site();
        let nodes = template(&page, Params::default());
        for node in page.descendants(page.body().unwrap()).filter(|node| !page.is_element(*node)) {
            assert_eq!(nodes.contains(node), nodes.contains(page.parent(node).unwrap()));
        }
    }

    // Template and content have no node in common (Alarte 2023, §4.3.5).
    #[test]
    fn content_is_kept_out_if_asked_even_at_confidence_nothing() {
        let page = site();
        let content = Conex::default().detect(&page).blocks.remove(0).nodes;
        assert!(!content.is_empty());
        let mut common = template(&page, Params { keep_content: true, min_confidence: 0.0, ..Params::default() });
        common.intersection(&content);
        assert!(common.is_empty());
        assert!(template(&page, Params { min_confidence: 0.0, ..Params::default() }).contains(content.iter().next().unwrap()));
    }

    #[test]
    fn higher_confidence_finds_a_part_of_what_lower_finds() {
        let page = site();
        let mut before = template(&page, Params { min_confidence: 0.0, ..Params::default() });
        for min_confidence in [0.3, 0.5, 0.9, 0.99, 1.1] {
            let nodes = template(&page, Params { min_confidence, ..Params::default() });
            let mut more = nodes.clone();
            more.difference(&before);
            assert!(more.is_empty());
            before = nodes;
        }
        assert!(before.is_empty());
    }

    #[test]
    fn without_ties_confidence_is_that_of_the_evidence_alone() {
        let page = site();
        let analysis = TemplatePage::new(Params { ties: 0.0, ..Params::default() }).analyse(&page);
        for (evidence, confidence) in analysis.evidence.iter().zip(&analysis.confidence) {
            assert!((confidence - 1.0 / (1.0 + (-evidence).exp())).abs() < 1e-9);
        }
    }

    #[test]
    fn a_page_without_body_or_text_has_an_answer() {
        for html in ["", "<frameset><frame></frameset>", "<body></body>", "text"] {
            let page = Page::parse(html);
            assert!(template(&page, Params::default()).len() <= page.len());
        }
    }
}
