//! TemEx: the template of a page is what enough other pages of its site have too.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! chapter 9. Three pages that link to each other are found (`candidates`), the page is mapped onto
//! each of them (`mapping`), and nodes that two of them have are template (`votes`).
//! Earlier versions of the technique are settings of the same ([`earlier_versions`](crate::published::earlier_versions)).

use crate::SiteTechnique;
use crate::candidates::choice::{Candidates, Selection};
use crate::mapping::equal_top_down::Pairing;
use crate::mapping::node_equality::Equality;
use crate::mapping::votes::{Tally, Voting};
use crate::registry::{SiteEntry, entry};
use std::sync::Arc;
use unchaff_dom::{LoadError, NodeSet, Page, PageId, Site};
use unchaff_page::parameters::{Parameter, Parameters};
use unchaff_page::{BlockKind, Detection, Explanation};

/// Parameters of TemEx. The default is the published best setting.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Params {
    /// Which pages the page is compared with.
    pub candidates: Candidates,
    /// When nodes are equal.
    pub equality: Equality,
    /// How pages are mapped.
    pub pairing: Pairing,
    /// How pages vote.
    pub voting: Voting,
}

impl Parameters for Params {
    fn described(&self) -> Vec<Parameter> {
        let parts = [self.candidates.described(), self.voting.described(), self.equality.described(), self.pairing.described()];
        parts.concat()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let Params { candidates, equality, pairing, voting } = self;
        candidates
            .set(name, value)
            .or_else(|| voting.set(name, value))
            .or_else(|| equality.set(name, value))
            .or_else(|| pairing.set(name, value))
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<Temex, Params>(
    "temex",
    BlockKind::Template,
    "nodes that two of three other pages have in the same place, those pages being linked to each other",
    "J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapters 7–9",
    "linear in the pages compared, times the number of siblings that are not alike",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug)]
pub struct Temex {
    name: &'static str,
    params: Params,
}

/// A page with those it was compared with and what came of it.
pub(crate) struct Comparison {
    pub(crate) page: Arc<Page>,
    pub(crate) selection: Selection,
    pub(crate) tally: Tally,
    pub(crate) template: NodeSet,
    votes_needed: u32,
}

impl Params {
    /// Compares a page, without some of its subtrees, with others of its site.
    pub(crate) fn compare(
        &self,
        site: &dyn Site,
        key: PageId,
        removed: impl FnOnce(&Page) -> NodeSet,
    ) -> Result<Comparison, LoadError> {
        let page = site.load(key)?;
        let selection = self.candidates.select(site, key, &page);
        let others = selection.pages.iter().map(|(_, page)| &**page);
        let tally = Tally::count(&page, removed(&page), others, &self.equality, &self.pairing, self.voting.aggregation);
        let votes_needed = tally.votes_needed(&self.voting, selection.wanted);
        let template = tally.template(&page, &self.voting, selection.wanted);
        Ok(Comparison { page, selection, tally, template, votes_needed })
    }
}

impl Comparison {
    /// What a user should know about the comparison.
    pub(crate) fn remarks(&self, site: &dyn Site) -> Vec<String> {
        let mut remarks = self.selection.remarks();
        remarks.extend(self.mismatches(site));
        remarks
    }

    fn mismatches(&self, site: &dyn Site) -> Vec<String> {
        let unlike = self.selection.pages.iter().zip(&self.tally.mapped).filter(|(_, mapped)| !**mapped);
        unlike
            .map(|((page, _), _)| format!("the body of {} is unlike that of the page: it has no vote", site.url(*page)))
            .collect()
    }

    /// The candidates, and the votes of each node.
    pub(crate) fn explanation(&self, site: &dyn Site) -> Explanation {
        let mut explanation = Explanation::new(&["votes", "same text"]);
        explanation.notes = self.selection.account(site);
        explanation.notes.extend(self.mismatches(site));
        explanation.notes.push(format!("{} votes make a node template", self.votes_needed));
        let body = self.page.body().unwrap_or(self.page.root());
        for node in self.page.subtree(body) {
            let values = [&self.tally.occurrences, &self.tally.same_text].map(|counts| f64::from(counts[node.index()]));
            explanation.push(node, &values, if self.template.contains(node) { "template" } else { "" });
        }
        explanation
    }
}

impl SiteTechnique for Temex {
    fn name(&self) -> &'static str {
        self.name
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let comparison = self.params.compare(site, key, NodeSet::new)?;
        let notes = comparison.remarks(site);
        Ok(Detection { notes, ..Detection::of(BlockKind::Template, comparison.template) })
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        Ok(self.params.compare(site, key, NodeSet::new)?.explanation(site))
    }
}

impl From<Params> for Temex {
    fn from(params: Params) -> Temex {
        Temex::named("temex", params)
    }
}

impl Temex {
    /// TemEx with these parameters.
    #[must_use]
    pub fn new(params: Params) -> Temex {
        Temex::from(params)
    }

    /// The same under the name of a preset.
    pub(crate) fn named(name: &'static str, params: Params) -> Temex {
        Temex { name, params }
    }

    /// The template of a page as other pages tell it; for who has them already.
    #[must_use]
    pub fn template<'p>(&self, page: &Page, others: impl IntoIterator<Item = &'p Page>) -> NodeSet {
        let Params { equality, pairing, voting, .. } = &self.params;
        let tally = Tally::count(page, NodeSet::new(page), others, equality, pairing, voting.aggregation);
        tally.template(page, voting, self.params.candidates.n)
    }
}

#[cfg(test)]
mod tests;
