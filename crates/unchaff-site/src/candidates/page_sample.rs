//! A sample of a site's pages, and techniques that judge a page by such a sample.
//!
//! The classical detectors take any pages of a site, from two dozen to 500, and do not ask how they link to each other.
//! Here the page's own links are followed first, near ones before far ones ([`siblings`](mod@crate::candidates::siblings)), or pages
//! are drawn by a seed, or they are those that TemEx would choose ([`candidates`](crate::candidates::choice)), as in the comparison
//! of J. Alarte (2023, chapter 12). Pages are loaded one at a time, so a large sample needs no more memory than what a
//! technique keeps of it. Copies of the page (print and reply versions) are left out: in a sample they make all of a page
//! look like template (T. Gottron: Content Extraction, PhD thesis, Mainz 2008, 3.3.1).

use crate::SiteTechnique;
use crate::candidates::choice::Candidates;
use crate::candidates::link_order::{linked_pages, scramble};
use crate::candidates::siblings::sibling_pages;
use crate::learned::page_keys::{KeyMap, hash_folded};
use crate::registry::{SiteEntry, entry};
use std::collections::HashSet;
use std::sync::Arc;
use unchaff_dom::site::Stage;
use unchaff_dom::{LoadError, NodeId, NodeSet, Page, PageId, Site, Tag};
use unchaff_page::parameters::{Parameter, Parameters, choice, parameters};
use unchaff_page::{BlockKind, Detection, Explanation, Likely};

choice! {
    /// Which pages of a site are sampled.
    pub enum Draw {
        /// Those the page links to, near ones first, then others in near folders.
        Near = "near",
        /// Any that the page links to or the site knows of, by the seed (most publications).
        Random = "random",
        /// Pages that all link to each other, as TemEx chooses them; more are loaded until they are found.
        Linked = "linked",
    }
}

parameters! {
    /// Which other pages a page is compared with.
    pub struct Sampling {
        /// With how many other pages of the site the page is compared at most.
        pub pages: usize = 24,
        /// Which ones: near ones, random ones, or such as link to each other.
        pub draw: Draw = Draw::Near,
        /// Chooses among random samples; the same seed gives the same pages.
        pub seed: u32 = 0,
        /// A page with so much of the key page's texts (0 to 1) is a copy of it and is left out; above 1 none is.
        pub copy: f64 = 0.97,
    }
}

impl Sampling {
    fn choose(&self, site: &dyn Site, key: PageId, page: &Page) -> Vec<PageId> {
        match self.draw {
            Draw::Near => return sibling_pages(site, key, page, self.pages),
            Draw::Linked => {
                let candidates = Candidates { n: self.pages, ..Candidates::default() };
                return candidates.select(site, key, page).search.pages;
            }
            Draw::Random => {}
        }
        let mut seen = HashSet::from([key]);
        let linked = linked_pages(site, key, page).into_iter().map(|(page, _)| page);
        let pages: Vec<PageId> = linked.chain(site.known()).filter(|page| seen.insert(*page)).collect();
        let mut drawn: Vec<(u64, PageId)> = (0..).zip(pages).map(|(at, page)| (scramble(self.seed, at), page)).collect();
        drawn.sort_unstable();
        drawn.into_iter().take(self.pages).map(|(_, page)| page).collect()
    }

    /// The pages to compare `page`, which is `key`, with.
    pub(crate) fn sample<'s>(&self, site: &'s dyn Site, key: PageId, page: &Page) -> PageSample<'s> {
        let texts = texts(page).map(|text| (text, 0)).collect();
        site.begins(Stage::LinkAnalysis);
        let pages = self.choose(site, key, page).into_iter();
        site.begins(Stage::Detection);
        PageSample { site, pages, texts, copy: self.copy, loaded: 0, compared: Vec::new(), copies: 0, failed: None }
    }
}

/// Hashes of the texts of a page, digits folded.
fn texts(page: &Page) -> impl Iterator<Item = u64> + '_ {
    let body = page.body().unwrap_or(page.root());
    let solid = page.subtree(body).filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0);
    solid.map(|node| hash_folded(0, page.string(node)))
}

/// Pages of a site, loaded as they are asked for.
pub(crate) struct PageSample<'s> {
    site: &'s dyn Site,
    pages: std::vec::IntoIter<PageId>,
    /// The texts of the key page, with the number of the last page seen to have them.
    texts: KeyMap<u32>,
    copy: f64,
    loaded: u32,
    compared: Vec<PageId>,
    copies: usize,
    failed: Option<LoadError>,
}

impl PageSample<'_> {
    fn is_copy(&mut self, page: &Page) -> bool {
        let mut common = 0u32;
        for text in texts(page) {
            if let Some(last) = self.texts.get_mut(&text).filter(|last| **last != self.loaded) {
                *last = self.loaded;
                common += 1;
            }
        }
        common > 0 && f64::from(common) >= self.copy * self.texts.len() as f64
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.compared.is_empty() {
            remarks.push("there is no other page to compare with".to_owned());
        }
        if self.copies > 0 {
            remarks.push(format!("{} copies of the page were left out; `copy` says what is one", self.copies));
        }
        if let Some(error) = &self.failed {
            remarks.push(format!("a page could not be loaded: {error}"));
        }
        remarks
    }
}

impl Iterator for PageSample<'_> {
    type Item = Arc<Page>;

    fn next(&mut self) -> Option<Arc<Page>> {
        loop {
            let id = self.pages.next()?;
            self.loaded += 1;
            match self.site.load(id) {
                Ok(page) if self.is_copy(&page) => self.copies += 1,
                Ok(page) => {
                    self.compared.push(id);
                    return Some(page);
                }
                Err(error) => self.failed = self.failed.take().or(Some(error)),
            }
        }
    }
}

/// What became of a page.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Judgement {
    /// The block.
    pub nodes: NodeSet,
    /// What was computed, by node; not a number for nodes that were not looked at.
    pub values: Vec<f64>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Judgement {
    /// No node, and nothing computed.
    #[must_use]
    pub(crate) fn nothing(page: &Page) -> Judgement {
        Judgement { nodes: NodeSet::new(page), values: vec![f64::NAN; page.len()], notes: Vec::new() }
    }
}

/// A technique that judges a page by a sample of others; its parameters are itself.
pub(crate) trait Judge: Parameters + Send + Sync {
    /// The name under which the registry knows it.
    const NAME: &'static str;
    /// The block it finds.
    const KIND: BlockKind;
    /// How many other pages it is compared with if nothing else is said.
    const PAGES: usize;
    /// Which pages if nothing else is said.
    const DRAW: Draw;
    /// What [`Judgement::values`] are.
    const COMPUTES: &'static str;
    /// Which of them say that a node is of the block.
    const LIKELY: Likely = Likely::High;

    /// Finds the block of a page. There may be no other page.
    fn judge(&self, page: &Page, others: &mut dyn Iterator<Item = Arc<Page>>) -> Judgement;
}

/// A judge together with its sample, which is a technique.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Sampled<J> {
    /// Which pages are compared with.
    pub sampling: Sampling,
    /// Who compares.
    pub judge: J,
}

impl<J: Judge> Default for Sampled<J> {
    fn default() -> Self {
        Sampled { sampling: Sampling { pages: J::PAGES, draw: J::DRAW, ..Sampling::default() }, judge: J::default() }
    }
}

impl<J: Judge> Parameters for Sampled<J> {
    fn described(&self) -> Vec<Parameter> {
        [self.judge.described(), self.sampling.described()].concat()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        self.judge.set(name, value).or_else(|| self.sampling.set(name, value))
    }
}

impl<J: Judge> Sampled<J> {
    fn run(&self, site: &dyn Site, key: PageId) -> Result<(Judgement, Vec<PageId>, Vec<String>), LoadError> {
        let page = site.load(key)?;
        let mut sample = self.sampling.sample(site, key, &page);
        let judgement = self.judge.judge(&page, &mut sample);
        let mut remarks = sample.remarks();
        remarks.extend(judgement.notes.iter().cloned());
        Ok((judgement, sample.compared, remarks))
    }
}

impl<J: Judge> SiteTechnique for Sampled<J> {
    fn name(&self) -> &'static str {
        J::NAME
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let (judgement, _, notes) = self.run(site, key)?;
        Ok(Detection { notes, ..Detection::of(J::KIND, judgement.nodes) })
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let (judgement, compared, remarks) = self.run(site, key)?;
        let mut explanation = Explanation::new(&[J::COMPUTES]).rated_by(J::COMPUTES, J::LIKELY);
        for (node, value) in (0..).map(NodeId).zip(&judgement.values).filter(|(_, value)| !value.is_nan()) {
            explanation.push(node, &[*value], if judgement.nodes.contains(node) { J::KIND.as_str() } else { "" });
        }
        explanation.notes = compared.iter().map(|page| format!("compared with {}", site.url(*page))).chain(remarks).collect();
        Ok(explanation)
    }
}

/// The entry of a technique that judges by a sample.
pub(crate) const fn sampled_entry<J: Judge + 'static>(
    summary: &'static str,
    source: &'static str,
    cost: &'static str,
) -> SiteEntry {
    entry::<Sampled<J>, Sampled<J>>(J::NAME, J::KIND, summary, source, cost)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::learned::template_auto::tests::{articles, find};
    use proptest::prelude::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    /// What a judge with these parameters says of the first of some pages.
    pub(crate) fn judged<J: Judge>(judge: &J, pages: &[&str]) -> (Page, Judgement) {
        let page = Page::parse(pages[0]);
        let mut others = pages[1..].iter().map(|html| Arc::new(Page::parse(*html)));
        let judgement = judge.judge(&page, &mut others);
        (page, judgement)
    }

    /// The names of the elements in a block, and the texts in quotes.
    pub(crate) fn names(page: &Page, nodes: &NodeSet) -> Vec<String> {
        let name = |node: NodeId| match page.tag(node) {
            Tag::Text => format!("'{}'", page.string(node)),
            _ => page.name(node).to_owned(),
        };
        nodes.iter().map(name).collect()
    }

    /// A frame around articles is told from them with defaults.
    pub(crate) fn tells_a_frame_from_articles<J: Judge>() {
        let site = articles(12);
        let page = site.load(PageId(1)).unwrap();
        let nodes = Sampled::<J>::default().detect(&site, PageId(1)).unwrap().blocks.remove(0).nodes;
        for (selector, is_template) in [("nav a", true), ("aside a", true), ("article p", false), ("h1", false)] {
            let expected = is_template == (J::KIND == BlockKind::Template);
            assert_eq!(nodes.contains(find(&page, selector)), expected, "{}: {selector}", J::NAME);
        }
    }

    /// Sites of one page, whatever page, have an answer: no template, or all content.
    pub(crate) fn answers_without_help<J: Judge>() {
        for html in ["", "<p>one", "<frameset><frame src=a></frameset>"] {
            let alone = LoadedSite::new([Parser::new().url("https://example.org/").parse(html)]);
            let detection = Sampled::<J>::default().detect(&alone, PageId(0)).unwrap();
            assert_eq!(detection.notes, ["there is no other page to compare with"]);
            let is_all = J::KIND == BlockKind::Content && html == "<p>one";
            assert_eq!(detection.blocks[0].nodes.is_empty(), !is_all, "{}: {html}", J::NAME);
        }
    }

    fn compared(sampling: &Sampling, site: &LoadedSite) -> (Vec<PageId>, usize, usize) {
        let page = site.load(PageId(0)).unwrap();
        let mut sample = sampling.sample(site, PageId(0), &page);
        sample.by_ref().for_each(drop);
        (sample.compared, sample.copies, site.loads())
    }

    #[test]
    fn no_more_pages_are_loaded_than_asked_and_a_seed_always_draws_the_same() {
        let sampling = Sampling { pages: 4, ..Sampling::default() };
        let (near, _, loads) = compared(&sampling, &articles(12));
        assert_eq!((near.len(), loads), (4, 5));
        let random = |seed| compared(&Sampling { draw: Draw::Random, seed, ..sampling.clone() }, &articles(12)).0;
        assert_eq!(random(1), random(1));
        assert!((1..9).any(|seed| random(seed) != near));
    }

    #[test]
    fn copies_are_left_out_unless_asked_for() {
        let site = articles(3);
        let mut pages: Vec<Page> = site.known().iter().map(|id| Page::clone(&site.load(*id).unwrap())).collect();
        pages.push(Parser::new().url("https://example.org/print").parse(pages[0].source().to_owned()));
        let site = LoadedSite::new(pages);
        let (ids, copies, _) = compared(&Sampling::default(), &site);
        assert_eq!((ids.len(), copies), (2, 1));
        let (ids, copies, _) = compared(&Sampling { copy: 1.1, ..Sampling::default() }, &site);
        assert_eq!((ids.len(), copies), (3, 0));
    }

    #[test]
    fn pages_that_link_to_each_other_can_be_asked_for() {
        let linked = Sampling { pages: 3, draw: Draw::Linked, ..Sampling::default() };
        assert_eq!(compared(&linked, &articles(6)).0.len(), 3);
    }

    fn answers<J: Judge>(pages: &[&str]) {
        let (page, judgement) = judged(&J::default(), pages);
        let body = page.body().unwrap();
        assert!(judgement.nodes.iter().all(|node| page.range(body).contains(&node.index())), "{}", J::NAME);
        assert_eq!(judgement.values.len(), page.len());
        assert_eq!(judgement.nodes, judged(&J::default(), pages).1.nodes, "{}", J::NAME);
    }

    proptest! {
        #[test]
        fn any_pages_have_an_answer(
            pages in prop::collection::vec("(<(div|p|a href=x|ul|li|b|br|table|td|img src=y)( class=[ab])?>|</(div|p|ul|a)>|one |2 ){0,30}", 1..5),
        ) {
            let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
            answers::<crate::published::sst::Params>(&pages);
            answers::<crate::mapping::rtdm_mapping::Costs>(&pages);
            answers::<crate::published::iwptd::Params>(&pages);
            answers::<crate::published::rtdm_news::Params>(&pages);
            answers::<crate::published::rbm_td::Params>(&pages);
            answers::<crate::published::gibson_dom::Params>(&pages);
            answers::<crate::published::gibson_text::Params>(&pages);
            answers::<crate::learned::recurring_text::Params>(&pages);
        }
    }
}
