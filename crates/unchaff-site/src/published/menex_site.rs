//! Site-level MenEx: the main menu of a page among what other pages of its site link to as well.
//!
//! A menu, by definition (Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de
//! València, 2023, Def. 4.3.1), also occurs on another page of the site; MenEx (chapter 5) looks at one page and cannot ask.
//! Here it can: an element is considered only if enough of the links in it are on enough of the other pages too, wherever
//! they stand there. Lists of links that belong to the page fall away; the rest is MenEx. Not published.

use crate::SiteTechnique;
use crate::candidates::choice::{Candidates, Selection};
use crate::registry::{SiteEntry, entry};
use std::collections::HashSet;
use std::sync::Arc;
use unchaff_dom::site::without_fragment;
use unchaff_dom::{LoadError, NodeId, NodeSet, Page, PageId, Site, Tag};
use unchaff_page::parameters::{Parameter, Parameters, parameters};
use unchaff_page::published::menex::{self, Menex};
use unchaff_page::{BlockKind, Detection, Explanation, Likely};
use url::Url;

parameters! {
    /// When an element is confirmed by other pages.
    pub struct Confirmation {
        /// The share of its links that other pages must have.
        pub share: f64 = 0.8,
        /// On how many of the other pages a link must be.
        pub confirming_pages: usize = 1,
    }
}

/// Parameters of site-level MenEx; those of MenEx itself have their published values.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Params {
    /// Which pages the page is compared with.
    pub candidates: Candidates,
    /// When an element is confirmed by them.
    pub confirmation: Confirmation,
    /// How the menu is chosen among confirmed elements.
    pub menex: menex::Params,
}

impl Parameters for Params {
    fn described(&self) -> Vec<Parameter> {
        [self.candidates.described(), self.confirmation.described(), self.menex.described()].concat()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let Params { candidates, confirmation, menex } = self;
        candidates.set(name, value).or_else(|| confirmation.set(name, value)).or_else(|| menex.set(name, value))
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<MenexSite, Params>(
    "menex-site",
    BlockKind::Menu,
    "menex among the elements whose links are on other pages too",
    "ours, after J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, Def. 4.3.1",
    "linear in the pages compared, but for sorting",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct MenexSite {
    params: Params,
}

impl Confirmation {
    /// For every position of a page, how many links stand before it, and how many of them enough other pages have.
    fn links(&self, page: &Page, others: &[(PageId, Arc<Page>)]) -> Vec<(u32, u32)> {
        let addresses = |page: &Page| page.links().filter_map(|link| link.url).map(|url| without_fragment(&url)).collect();
        let others: Vec<HashSet<Url>> = others.iter().map(|(_, other)| addresses(other)).collect();
        let mut links = page.links().filter(|link| page.tag(link.node) == Tag::A).peekable();
        let mut sums = Vec::with_capacity(page.len() + 1);
        let mut sum = (0, 0);
        for node in page.nodes() {
            sums.push(sum);
            if let Some(link) = links.next_if(|link| link.node == node) {
                let address = link.url.map(|url| without_fragment(&url));
                let has = |other: &&HashSet<Url>| address.as_ref().is_some_and(|address| other.contains(address));
                let confirmed = others.iter().filter(has).count() >= self.confirming_pages;
                sum = (sum.0 + 1, sum.1 + u32::from(confirmed));
            }
        }
        sums.push(sum);
        sums
    }

    fn confirms(&self, page: &Page, links: &[(u32, u32)], node: NodeId) -> bool {
        let (from, to) = (links[page.range(node).start], links[page.range(node).end]);
        to.0 > from.0 && f64::from(to.1 - from.1) >= self.share * f64::from(to.0 - from.0)
    }
}

impl MenexSite {
    /// The page, those it was compared with, what MenEx computed, and whether other pages had a say in it.
    fn analyse(&self, site: &dyn Site, key: PageId) -> Result<(Arc<Page>, Selection, menex::Analysis, bool), LoadError> {
        let page = site.load(key)?;
        let selection = self.params.candidates.select(site, key, &page);
        let menex = Menex::new(self.params.menex.clone());
        let links = self.params.confirmation.links(&page, &selection.pages);
        let analysis = menex.analyse_where(&page, |node| self.params.confirmation.confirms(&page, &links, node));
        let confirmed = analysis.menu.is_some();
        let analysis = if confirmed { analysis } else { menex.analyse(&page) };
        Ok((page, selection, analysis, confirmed))
    }
}

impl From<Params> for MenexSite {
    fn from(params: Params) -> MenexSite {
        MenexSite { params }
    }
}

impl SiteTechnique for MenexSite {
    fn name(&self) -> &'static str {
        "menex-site"
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let (page, selection, analysis, confirmed) = self.analyse(site, key)?;
        let mut notes = selection.remarks();
        if analysis.menu.is_none() {
            notes.push("no node of the page can be a menu".to_owned());
        } else if !confirmed {
            notes.push("no other page confirms a menu: it is that of the page alone, by menex".to_owned());
        }
        Ok(Detection { notes, ..Detection::of(BlockKind::Menu, NodeSet::from_roots(&page, analysis.menu)) })
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let (page, selection, analysis, _) = self.analyse(site, key)?;
        let links = self.params.confirmation.links(&page, &selection.pages);
        let mut explanation = Explanation::new(&["links", "confirmed links", "weight"]).rated_by("weight", Likely::High);
        explanation.notes = selection.account(site);
        for rated in &analysis.rated {
            let (from, to) = (links[page.range(rated.node).start], links[page.range(rated.node).end]);
            let root = analysis.candidates.iter().any(|(_, root)| *root == rated.node);
            let remark = match analysis.menu {
                Some(menu) if menu == rated.node => "menu",
                _ if root => "root",
                _ => "",
            };
            explanation.push(rated.node, &[f64::from(to.0 - from.0), f64::from(to.1 - from.1), rated.weight], remark);
        }
        Ok(explanation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    /// A page whose first list links to its own subjects and whose second is the same on all pages.
    fn page(name: &str, own: &[&str]) -> Page {
        let list = |links: &[&str]| links.iter().map(|link| format!("<li><a href=/{link}>{link}</a></li>")).collect::<String>();
        let html = format!(
            "<body><ul id=own>{}</ul><ul id=menu-list>{}</ul><p>Some text.</p></body>",
            list(own),
            list(&["a", "b", "c"])
        );
        Parser::new().url(&format!("https://example.org/{name}")).parse(html)
    }

    fn menu_id(page: &Page, menu: &NodeSet) -> Option<String> {
        menu.roots(page).first().and_then(|root| page.attr(*root, "id")).map(str::to_owned)
    }

    #[test]
    fn a_list_of_links_that_no_other_page_has_is_no_menu() {
        let own = ["x1", "x2", "x3", "x4", "x5"];
        let site = LoadedSite::new([page("key", &own), page("a", &["y1", "y2"]), page("b", &["z1"]), page("c", &["z2"])]);
        let key = site.load(PageId(0)).unwrap();
        assert_eq!(Menex::default().analyse(&key).menu.and_then(|menu| key.attr(menu, "id")), Some("own"));
        let technique = MenexSite::default();
        let detection = technique.detect(&site, PageId(0)).unwrap();
        assert_eq!(menu_id(&key, detection.nodes(BlockKind::Menu).unwrap()).as_deref(), Some("menu-list"));
        assert!(detection.notes.is_empty(), "{:?}", detection.notes);
        let explanation = technique.explain(&site, PageId(0)).unwrap();
        assert!(explanation.rows.iter().any(|row| row.remark == "menu" && row.values[..2] == [3.0, 3.0]));
    }

    #[test]
    fn without_other_pages_it_is_menex() {
        let site = LoadedSite::new([page("key", &["x1", "x2"])]);
        let detection = MenexSite::default().detect(&site, PageId(0)).unwrap();
        let key = site.load(PageId(0)).unwrap();
        let menu = Menex::default().analyse(&key).menu;
        assert_eq!(detection.nodes(BlockKind::Menu), Some(&NodeSet::from_roots(&key, menu)));
        assert_eq!(detection.notes.len(), 2, "{:?}", detection.notes);
    }
}
