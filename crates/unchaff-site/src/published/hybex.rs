//! HybEx: the template as TemEx finds it after the page's main content has been taken out.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! chapter 11. Content that several pages have would be taken for template; so page-level ConEx removes what it finds from the key
//! page, and from it alone, before the page is mapped onto others. Where it finds nothing, or all, nothing is removed.

use crate::SiteTechnique;
use crate::published::temex;
use crate::registry::{SiteEntry, entry};
use unchaff_dom::{LoadError, NodeSet, Page, PageId, Site};
use unchaff_page::parameters::{Parameter, Parameters, parameters};
use unchaff_page::published::conex::{self, Conex};
use unchaff_page::{BlockKind, Detection, Explanation};

parameters! {
    /// How the content that is taken out is found; the rest is as in page-level ConEx.
    pub struct Content {
        /// How many nodes page-level ConEx looks at (the size of its c-SET).
        pub c: usize = 3,
        /// A link of fewer words has its group of links removed from the content of page-level ConEx.
        pub max_words: u32 = 3,
    }
}

/// Parameters of HybEx. The default is the published best setting.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Params {
    /// How the content is found.
    pub content: Content,
    /// How the template is.
    pub temex: temex::Params,
}

impl Parameters for Params {
    fn described(&self) -> Vec<Parameter> {
        [self.content.described(), self.temex.described()].concat()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let Params { content, temex } = self;
        content.set(name, value).or_else(|| temex.set(name, value))
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<Hybex, Params>(
    "hybex",
    BlockKind::Template,
    "temex on the page without the content that conex-page finds",
    "J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapter 11",
    "as temex and conex-page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Hybex {
    params: Params,
}

impl Params {
    /// The content that is taken out, with everything below it.
    fn removed(&self, page: &Page) -> NodeSet {
        let Content { c, max_words } = self.content;
        let analysis = Conex::new(conex::Params { c, max_words, ..conex::Params::default() }).analyse(page);
        // A page that is content throughout has no template left to find.
        if analysis.wide_page || analysis.roots.iter().any(|root| Some(*root) == page.body()) {
            return NodeSet::new(page);
        }
        NodeSet::from_roots(page, analysis.roots)
    }
}

impl SiteTechnique for Hybex {
    fn name(&self) -> &'static str {
        "hybex"
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let comparison = self.params.temex.compare(site, key, |page| self.params.removed(page))?;
        let notes = comparison.remarks(site);
        Ok(Detection { notes, ..Detection::of(BlockKind::Template, comparison.template) })
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let comparison = self.params.temex.compare(site, key, |page| self.params.removed(page))?;
        let mut explanation = comparison.explanation(site);
        let removed = self.params.removed(&comparison.page);
        for row in explanation.rows.iter_mut().filter(|row| removed.contains(row.node)) {
            row.remark = "content, taken out".to_owned();
        }
        Ok(explanation)
    }
}

impl From<Params> for Hybex {
    fn from(params: Params) -> Hybex {
        Hybex { params }
    }
}

#[cfg(test)]
mod tests;
