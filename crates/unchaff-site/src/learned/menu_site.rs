//! The main menu of a page, confirmed by other pages of its site.
//!
//! Our own, on top of [`menu_auto`](unchaff_page::learned::menu_auto). A site's menu stands in the same place on most of its pages, so every
//! candidate of the page is scored there too: its score is averaged with those of the candidates in the same place (tags and
//! classes of the path) on the other pages, and a page that has none there speaks against it. Other lists of links
//! recur as well, so this confirms a good candidate more than it finds one.

use crate::SiteTechnique;
use crate::candidates::siblings::siblings;
use crate::learned::page_keys::{KeyMap, PageKeys, long};
use crate::registry::{SiteEntry, entry};
use unchaff_dom::{LoadError, NodeSet, Page, PageId, Site};
use unchaff_page::learned::menu_auto::{Candidate, MenuAuto, NONE, confidence};
use unchaff_page::parameters::parameters;
use unchaff_page::{BlockKind, Detection, Explanation, Likely};

parameters! {
    /// Parameters of the confirmed menu.
    pub struct Params {
        /// How many other pages of the site are loaded at most.
        pub loads: usize = 4,
        /// How much the other pages count against the page itself (0 to 1).
        pub weight: f64 = 0.3,
        /// What a page says that has no such candidate: so much less than "no menu" scores.
        pub absence: f64 = 2.0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<MenuSite, Params>(
    "menu-site",
    BlockKind::Menu,
    "the candidates of menu-auto, scored on other pages too",
    "unchaff's own",
    "linear in the pages loaded",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct MenuSite {
    params: Params,
}

impl From<Params> for MenuSite {
    fn from(params: Params) -> MenuSite {
        MenuSite { params }
    }
}

/// The best score in each place of a page.
fn by_place(page: &Page) -> KeyMap<f64> {
    let keys = PageKeys::of(page);
    let mut scores = KeyMap::default();
    for candidate in MenuAuto::default().candidates(page) {
        if let Ok(at) = keys.nodes.binary_search(&candidate.node) {
            let score = scores.entry(long(keys.keys[at].path)).or_insert(f64::MIN);
            *score = candidate.score.max(*score);
        }
    }
    scores
}

impl MenuSite {
    /// The candidates of a page with scores that the other pages have a share in.
    #[must_use]
    pub(crate) fn candidates(&self, site: &dyn Site, key: PageId, page: &Page) -> Vec<Candidate> {
        let mut candidates = MenuAuto::default().candidates(page);
        let others: Vec<KeyMap<f64>> =
            siblings(site, key, page, self.params.loads).iter().map(|(_, page)| by_place(page)).collect();
        if others.is_empty() {
            return candidates;
        }
        let keys = PageKeys::of(page);
        for candidate in &mut candidates {
            let Ok(at) = keys.nodes.binary_search(&candidate.node) else { continue };
            let path = long(keys.keys[at].path);
            let there = |scores: &KeyMap<f64>| scores.get(&path).copied().unwrap_or(NONE - self.params.absence);
            let mean = others.iter().map(there).sum::<f64>() / others.len() as f64;
            candidate.score += self.params.weight * (mean - candidate.score);
        }
        candidates
    }
}

impl SiteTechnique for MenuSite {
    fn name(&self) -> &'static str {
        "menu-site"
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let page = site.load(key)?;
        let candidates = self.candidates(site, key, &page);
        let best = MenuAuto::default().choose(&candidates);
        let nodes = best.map_or_else(|| NodeSet::new(&page), |best| page.subtree_set(candidates[best].node));
        let mut detection = Detection::of(BlockKind::Menu, nodes);
        match best {
            Some(best) => detection = detection.with_confidence(confidence(&candidates, best)),
            None => detection.notes.push("nothing on the page looks like the main menu of the site".to_owned()),
        }
        Ok(detection)
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let page = site.load(key)?;
        let candidates = self.candidates(site, key, &page);
        let best = MenuAuto::default().choose(&candidates);
        let mut explanation = Explanation::new(&["score", "confidence"]).rated_by("score", Likely::High);
        for (at, candidate) in candidates.iter().enumerate() {
            let remark = if best == Some(at) { "menu" } else { "" };
            explanation.push(candidate.node, &[candidate.score, confidence(&candidates, at)], remark);
        }
        explanation.notes.push(format!("a menu scores more than {NONE:.2}"));
        Ok(explanation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::template_auto::tests::{articles, find};
    use unchaff_dom::site::LoadedSite;

    #[test]
    fn the_menu_is_found_and_the_same_on_all_pages() {
        let site = articles(5);
        for key in site.known() {
            let page = site.load(key).unwrap();
            let nodes = MenuSite::default().detect(&site, key).unwrap().blocks.remove(0).nodes;
            assert_eq!(nodes.roots(&page), [find(&page, "nav ul")]);
        }
    }

    #[test]
    fn other_pages_speak_against_what_only_one_page_has() {
        let site = articles(5);
        let page = site.load(PageId(1)).unwrap();
        let alone = MenuAuto::default().candidates(&page);
        let confirmed = MenuSite::default().candidates(&site, PageId(1), &page);
        let score = |candidates: &[Candidate], selector| {
            let node = find(&page, selector);
            candidates.iter().find(|candidate| candidate.node == node).unwrap().score
        };
        let change = |selector| score(&confirmed, selector) - score(&alone, selector);
        assert!(change("nav ul").abs() < 0.5);
        let unweighted = MenuSite::from(Params { weight: 0.0, ..Params::default() }).candidates(&site, PageId(1), &page);
        assert_eq!(score(&unweighted, "nav ul"), score(&alone, "nav ul"));
    }

    #[test]
    fn a_site_of_one_page_is_judged_alone_and_may_have_no_menu() {
        let site = LoadedSite::new([unchaff_dom::Parser::new()
            .url("https://example.org/")
            .parse("<p>No menu here. <a href=/a>a</a>, <a href=/b>b</a>.</p>")]);
        let detection = MenuSite::default().detect(&site, PageId(0)).unwrap();
        assert!(detection.nodes(BlockKind::Menu).unwrap().is_empty());
        assert_eq!(detection.notes.len(), 1);
    }
}
