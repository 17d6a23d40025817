//! A whole site: its templates learned once, from a sample of pages, and applied to every page.
//!
//! Our own. After learning, a page costs its keys, one look-up each in what its group has learned, and the page-level
//! techniques: about as much as parsing it. No page is kept, so memory does not grow with the site.

use crate::learned::learned_template::Application;
use crate::learned::page_blocks::PageBlocks;
use crate::learned::page_groups::{Grouping, SiteLearner, SiteTemplates};
use unchaff_dom::{Page, PageId, Site};
use unchaff_page::Detection;

/// What was learned from a site, and the techniques for what a single page tells.
pub struct LearnedSite {
    templates: SiteTemplates,
    blocks: PageBlocks,
}

impl LearnedSite {
    /// Learns from these pages, in their order; pages that cannot be loaded teach nothing.
    #[must_use]
    pub fn learn(site: &dyn Site, pages: &[PageId]) -> LearnedSite {
        let mut learner = SiteLearner::new(Grouping::default());
        for page in pages.iter().filter_map(|page| site.load(*page).ok()) {
            learner.add(&page);
        }
        LearnedSite { templates: learner.finish(), blocks: PageBlocks::default() }
    }

    /// The groups of pages that share a template.
    #[must_use]
    pub fn templates(&self) -> &SiteTemplates {
        &self.templates
    }

    /// Content, template and menu of a page, and the number of its template, if it has one that was learned.
    ///
    /// The template of a page like no other is not known; it is left empty, and the content is what the page alone tells.
    #[must_use]
    pub fn detect(&self, page: &Page) -> (Option<usize>, Detection) {
        let applied = self.templates.apply(page, &Application::default());
        match applied.filter(|(_, applied)| PageBlocks::believes(applied)) {
            Some((group, applied)) => (Some(group), self.blocks.with_template(page, applied)),
            None => {
                let mut detection = self.blocks.without_template(page);
                detection.notes.push("no other page of the site is like this one; it was judged alone".to_owned());
                (None, detection)
            }
        }
    }
}

impl std::fmt::Debug for LearnedSite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LearnedSite").field("groups", &self.templates.groups.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::template_auto::tests::{articles, find};
    use unchaff_page::BlockKind;

    #[test]
    fn every_page_gets_its_three_blocks_from_a_few_pages() {
        let site = articles(8);
        let learned = LearnedSite::learn(&site, &site.known()[..5]);
        assert_eq!(learned.templates().groups.len(), 1);
        for id in site.known() {
            let page = site.load(id).unwrap();
            let (group, detection) = learned.detect(&page);
            assert_eq!(group, Some(0));
            let in_block = |kind, selector| detection.nodes(kind).unwrap().contains(find(&page, selector));
            assert!(in_block(BlockKind::Template, "nav a") && !in_block(BlockKind::Template, "article p"));
            assert!(in_block(BlockKind::Content, "article p") && !in_block(BlockKind::Content, "nav a"));
            assert!(detection.nodes(BlockKind::Menu).is_some());
        }
    }

    #[test]
    fn a_page_like_no_other_is_judged_alone() {
        let site = articles(4);
        let learned = LearnedSite::learn(&site, &site.known());
        let page = Page::parse("<table class=odd><tr><td>One long sentence that nobody else has, with a comma.</table>");
        let (group, detection) = learned.detect(&page);
        assert_eq!(group, None);
        assert!(detection.nodes(BlockKind::Template).unwrap().is_empty() && !detection.notes.is_empty());
        assert!(detection.nodes(BlockKind::Content).is_some());
    }
}
