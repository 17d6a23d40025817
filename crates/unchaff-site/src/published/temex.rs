//! TemEx: the template of a page is what enough other pages of its site have too.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! chapter 9. Three pages that link to each other are found (`candidates`), the page is mapped onto
//! each of them (`mapping`), and nodes that two of them have are template (`votes`).
//! Two ideas that the master thesis (2014) leaves for later are parameters: parts that stand elsewhere on other pages, and replacing a page
//! that is unlike the others.
//! Earlier versions of the technique are settings of the same ([`earlier_versions`](crate::published::earlier_versions)).

use crate::SiteTechnique;
use crate::candidates::choice::{Candidates, Selection};
use crate::mapping::bottom_up_mapping::with_paths;
use crate::mapping::equal_top_down::Pairing;
use crate::mapping::moved_parts::moved_parts;
use crate::mapping::node_equality::Equality;
use crate::mapping::votes::{Tally, Voting};
use crate::registry::{SiteEntry, entry};
use std::sync::Arc;
use unchaff_dom::{LoadError, NodeSet, Page, PageId, Site};
use unchaff_page::parameters::{Parameter, Parameters, parameters};
use unchaff_page::{BlockKind, Detection, Explanation, Likely};

parameters! {
    /// What the master thesis announces as further work; off by default, as in all versions.
    pub struct Announced {
        /// From how many nodes on a part that enough pages have word for word is template wherever it stands there; 0 is off.
        pub moved: usize = 0,
        /// A page that lacks more than this share (0 to 1) of the nodes that all other pages have is replaced by another; 0 is off.
        pub atypical: f64 = 0.0,
    }
}

/// Parameters of TemEx. The default is the published best setting.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Params {
    /// Which pages the page is compared with.
    pub candidates: Candidates,
    /// When nodes are equal.
    pub equality: Equality,
    /// How pages are mapped.
    pub pairing: Pairing,
    /// How pages vote.
    pub voting: Voting,
    /// Ideas for later.
    pub announced: Announced,
}

impl Parameters for Params {
    fn described(&self) -> Vec<Parameter> {
        let Params { candidates, equality, pairing, voting, announced } = self;
        let parts =
            [candidates.described(), voting.described(), equality.described(), pairing.described(), announced.described()];
        parts.concat()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let Params { candidates, equality, pairing, voting, announced } = self;
        candidates
            .set(name, value)
            .or_else(|| voting.set(name, value))
            .or_else(|| equality.set(name, value))
            .or_else(|| pairing.set(name, value))
            .or_else(|| announced.set(name, value))
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
pub(crate) struct Temex {
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
    /// Pages that were unlike the others and were replaced.
    replaced: Vec<PageId>,
    /// How many parts were found elsewhere on other pages.
    moved: usize,
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
        let removed = removed(&page);
        let tally_of = |selection: &Selection| {
            let others = selection.pages.iter().map(|(_, page)| &**page);
            Tally::count(&page, removed.clone(), others, &self.equality, &self.pairing, self.voting.aggregation)
        };
        let mut selection = self.candidates.select(site, key, &page);
        let mut tally = tally_of(&selection);
        let mut replaced = Vec::new();
        // No more often than there are pages: a site may be such that all are unlike each other.
        while self.announced.atypical > 0.0
            && replaced.len() < self.candidates.n
            && let Some(at) = tally.atypical_page(self.announced.atypical)
        {
            let without: Vec<PageId> = replaced.iter().copied().chain([selection.pages[at].0]).collect();
            let other = self.candidates.select_without(site, key, &page, &without);
            if other.pages.len() < selection.pages.len() {
                break;
            }
            (selection, replaced) = (other, without);
            tally = tally_of(&selection);
        }
        let votes_needed = tally.votes_needed(&self.voting, selection.wanted);
        let mut template = tally.template(&page, &self.voting, selection.wanted);
        let mut moved = 0;
        if self.announced.moved > 0 {
            let others = selection.pages.iter().map(|(_, page)| &**page);
            let mut parts = moved_parts(&page, &removed, others, self.announced.moved, votes_needed);
            parts.retain(|part| !template.contains(*part));
            moved = parts.len();
            template.union(&with_paths(&page, &NodeSet::from_roots(&page, parts)));
        }
        Ok(Comparison { page, selection, tally, template, votes_needed, replaced, moved })
    }
}

impl Comparison {
    /// What a user should know about the comparison.
    pub(crate) fn remarks(&self, site: &dyn Site) -> Vec<String> {
        let mut remarks = self.selection.remarks();
        remarks.extend(self.mismatches(site));
        remarks.extend(self.changes(site));
        remarks
    }

    fn mismatches(&self, site: &dyn Site) -> Vec<String> {
        let unlike = self.selection.pages.iter().zip(&self.tally.mapped).filter(|(_, mapped)| !**mapped);
        unlike
            .map(|((page, _), _)| format!("the body of {} is unlike that of the page: it has no vote", site.url(*page)))
            .collect()
    }

    fn changes(&self, site: &dyn Site) -> Vec<String> {
        let replaced =
            self.replaced.iter().map(|page| format!("{} lacks what the other pages share, and was replaced", site.url(*page)));
        let moved = (self.moved > 0).then(|| format!("{} parts stand in another place on other pages", self.moved));
        replaced.chain(moved).collect()
    }

    /// The candidates, and the votes of each node.
    pub(crate) fn explanation(&self, site: &dyn Site) -> Explanation {
        let mut explanation = Explanation::new(&["votes", "same text"]).rated_by("votes", Likely::High);
        explanation.notes = self.selection.account(site);
        explanation.notes.extend(self.mismatches(site));
        explanation.notes.extend(self.changes(site));
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
    /// The same under the name of a preset.
    pub(crate) fn named(name: &'static str, params: Params) -> Temex {
        Temex { name, params }
    }
}

#[cfg(test)]
mod tests;
