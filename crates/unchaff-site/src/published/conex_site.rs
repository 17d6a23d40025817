//! Site-level ConEx: the main content of a page is what no other page of its site has.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! chapter 10. The page is mapped onto four pages that link to each other. Nodes that none of them has are candidates
//! (Algorithm 11); of nested ones the topmost is kept (12). The parent of a candidate stands on the border between template
//! and content; the largest such parent is the branch (13), what is not in it is discarded (14), and siblings that are left
//! are replaced by their parent (15).

use crate::SiteTechnique;
use crate::candidates::choice::Candidates;
use crate::mapping::equal_top_down::Pairing;
use crate::mapping::node_equality::Equality;
use crate::mapping::sibling_pairing::PairingOption;
use crate::published::temex;
use crate::published::temex::Comparison;
use crate::registry::{SiteEntry, entry};
use unchaff_dom::order::InOrder;
use unchaff_dom::{LoadError, NodeId, NodeSet, Page, PageId, Site, Tag};
use unchaff_page::parameters::{Parameter, Parameters, choice, parameters};
use unchaff_page::published::conex::Conex;
use unchaff_page::{BlockKind, Detection, Explanation, PageTechnique};

choice! {
    /// Which nodes may be candidates.
    pub enum CandidateFilter {
        /// All (as printed): one new script at the end of the page can make all of it content.
        None = "none",
        /// All but scripts, styles, comments and blank text.
        SkipNonContent = "skip-non-content",
    }
}

choice! {
    /// What to answer when the site is of no help.
    pub enum Fallback {
        /// What page-level ConEx finds.
        Page = "page",
        /// Nothing.
        Nothing = "nothing",
    }
}

parameters! {
    /// How the content is chosen among candidates.
    pub struct Choosing {
        /// Which nodes may be candidates.
        pub candidate_filter: CandidateFilter = CandidateFilter::None,
        /// What to answer when there is no page to compare with, or nothing is unique.
        pub fallback: Fallback = Fallback::Page,
    }
}

/// Parameters of site-level ConEx. The default is the published best setting.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Params {
    /// Which pages the page is compared with.
    pub candidates: Candidates,
    /// When nodes are equal.
    pub equality: Equality,
    /// How pages are mapped.
    pub pairing: Pairing,
    /// How the content is chosen among candidates.
    pub choosing: Choosing,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            candidates: Candidates { n: 4, ..Candidates::default() },
            equality: Equality { position: 0.0, attributes: 0.2, children: 0.7, threshold: 0.9, ..Equality::default() },
            pairing: Pairing { option: PairingOption::Static, group_from: 300, ..Pairing::default() },
            choosing: Choosing::default(),
        }
    }
}

impl Parameters for Params {
    fn described(&self) -> Vec<Parameter> {
        let parts = [self.candidates.described(), self.choosing.described(), self.equality.described(), self.pairing.described()];
        parts.concat()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let Params { candidates, equality, pairing, choosing } = self;
        candidates
            .set(name, value)
            .or_else(|| choosing.set(name, value))
            .or_else(|| equality.set(name, value))
            .or_else(|| pairing.set(name, value))
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<ConexSite, Params>(
    "conex-site",
    BlockKind::Content,
    "the branch of the page that none of four other pages has, those pages being linked to each other",
    "J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapter 10",
    "linear in the pages compared, times the number of siblings that are not alike",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct ConexSite {
    params: Params,
}

/// What Algorithms 12 to 15 find on the way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Analysis {
    /// Topmost nodes that no page has (Algorithm 12).
    pub reduced: Vec<NodeId>,
    /// The largest of their parents (Algorithm 13); none if there is but one node.
    pub branch: Option<NodeId>,
    /// The content (Algorithms 14 and 15).
    pub content: Vec<NodeId>,
}

impl Choosing {
    /// Chooses the content from how often each node occurs in other pages (Algorithms 12 to 15).
    #[must_use]
    pub(crate) fn analyse(&self, page: &Page, occurrences: &[u32]) -> Analysis {
        let Some(body) = page.body() else { return Analysis::default() };
        let is_candidate = |node: NodeId| occurrences[node.index()] == 0;
        // Everything below a candidate is one too, so the topmost are those whose parent is none.
        let topmost = |node: &NodeId| {
            is_candidate(*node) && (*node == body || page.parent(*node).is_some_and(|parent| !is_candidate(parent)))
        };
        let reduced: Vec<NodeId> =
            page.subtree(body).filter(topmost).filter(|node| self.candidate_filter.admits(page, *node)).collect();
        if reduced.len() <= 1 {
            return Analysis { content: reduced.clone(), reduced, branch: None };
        }
        let parents = reduced.iter().filter_map(|node| page.parent(*node));
        let branch = parents.reduce(|best, parent| if page.range(parent).len() > page.range(best).len() { parent } else { best });
        let within = |node: &NodeId| branch.is_some_and(|branch| page.is_ancestor(branch, *node));
        let mut content: Vec<NodeId> = reduced.iter().copied().filter(within).collect();
        merge_siblings(page, body, &mut content);
        Analysis { reduced, branch, content: NodeSet::from_nodes(page, content).roots(page) }
    }
}

/// Replaces nodes that share a parent by it until no two do (Algorithm 15). A parent stands before its children, so one pass from
/// the deepest nodes up meets every pair.
fn merge_siblings(page: &Page, body: NodeId, content: &mut Vec<NodeId>) {
    content.order_by_key(|node| (page.depth(*node), *node));
    let mut kept = Vec::new();
    while let Some(depth) = content.last().map(|node| page.depth(*node)) {
        let level = content.split_off(content.partition_point(|node| page.depth(*node) < depth));
        let mut parents = Vec::new();
        for siblings in level.chunk_by(|one, other| page.parent(*one) == page.parent(*other)) {
            match page.parent(siblings[0]).filter(|_| siblings.len() > 1 && siblings[0] != body) {
                Some(parent) => parents.push(parent),
                None => kept.extend_from_slice(siblings),
            }
        }
        content.extend(parents);
        content.order_by_key(|node| (page.depth(*node), *node));
        content.dedup();
    }
    *content = kept;
}

impl CandidateFilter {
    fn admits(self, page: &Page, node: NodeId) -> bool {
        self == CandidateFilter::None
            || match page.tag(node) {
                Tag::Script | Tag::Style | Tag::Noscript | Tag::Comment | Tag::Raw => false,
                Tag::Text => page.counts(node).tokens > 0,
                _ => true,
            }
    }
}

impl ConexSite {
    fn compare(&self, site: &dyn Site, key: PageId) -> Result<(Comparison, Analysis), LoadError> {
        let Params { candidates, equality, pairing, choosing } = self.params.clone();
        let compared = temex::Params { candidates, equality, pairing, ..temex::Params::default() };
        let comparison = compared.compare(site, key, NodeSet::new)?;
        let analysis = if comparison.selection.pages.is_empty() {
            Analysis::default()
        } else {
            choosing.analyse(&comparison.page, &comparison.tally.occurrences)
        };
        Ok((comparison, analysis))
    }
}

impl From<Params> for ConexSite {
    fn from(params: Params) -> ConexSite {
        ConexSite { params }
    }
}

impl SiteTechnique for ConexSite {
    fn name(&self) -> &'static str {
        "conex-site"
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let (comparison, analysis) = self.compare(site, key)?;
        let page = &comparison.page;
        let mut notes = comparison.remarks(site);
        let mut content = NodeSet::from_roots(page, analysis.content.iter().copied());
        if analysis.content.is_empty() {
            if !comparison.selection.pages.is_empty() {
                notes.push("everything on the page is on other pages too: nothing tells its content".to_owned());
            }
            if self.params.choosing.fallback == Fallback::Page {
                notes.push("the content is that of the page alone, by conex-page".to_owned());
                content = Conex::default().detect(page).nodes(BlockKind::Content).cloned().unwrap_or(content);
            }
        }
        Ok(Detection { notes, ..Detection::of(BlockKind::Content, content) })
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let (comparison, analysis) = self.compare(site, key)?;
        let mut explanation = comparison.explanation(site);
        explanation.notes.pop();
        for row in &mut explanation.rows {
            let steps = [
                analysis.reduced.binary_search(&row.node).is_ok().then_some("topmost unique node"),
                (analysis.branch == Some(row.node)).then_some("branch"),
                analysis.content.binary_search(&row.node).is_ok().then_some("content"),
            ];
            row.remark = steps.into_iter().flatten().collect::<Vec<_>>().join(", ");
        }
        Ok(explanation)
    }
}

#[cfg(test)]
mod tests;
