//! The content of a page by all that is known: what `auto` makes of it, cleaned and completed by its site.
//!
//! Our own. The page alone tells prose from lists of links and knows what comes after an article; the site tells what recurs
//! and what is template. What both say of a block ([`block_facts`](crate::learned::block_facts)) changes the probability that `auto` gave it, by trees that
//! were fitted to pages with more and with fewer others beside them ([`block_trees`]); then the page is cut again where the expected F1 is best, posts of a thread are made whole again, and text that
//! recurs word for word goes, as in `content_with_site`, and so does the way from the start page to here ([`trails`]). Where
//! `auto` doubts its own choice and nearly all of that is template, the site alone decides: all that is not template is
//! content, as in [`content_site`](crate::learned::content_site), which is good on small sites and bad on news (word F1 .69), whose
//! pages are full of teasers that no other page has.

use crate::SiteTechnique;
use crate::learned::block_facts::{log_odds, survey};
use crate::learned::block_trees;
use crate::learned::comparison::Company;
use crate::learned::content_with_site::{self, ContentWithSite};
use crate::learned::site_model::SiteModel;
use crate::learned::with_site::{Beside, WithSite};
use crate::registry::{SiteEntry, entry};
use unchaff_dom::{LoadError, PageId, Site};
use unchaff_page::learned::auto::{self, Analysis, Auto, Favor};
use unchaff_page::parameters::parameters;
use unchaff_page::rules::trail::trails;
use unchaff_page::{BlockKind, Detection, Explanation};

/// Text that more than this share of all pages has, or of similar ones ([`content_with_site::Params`]), is no content. Of less the trees decide: a lower
/// share takes what pages of one kind rightly have in common (word F1 on all pages of our suite .947 with .3, .970 with these, .969 with none).
const SHARE: f64 = 0.8;
const ALIKE: f64 = 0.6;

parameters! {
    /// Parameters of the combination.
    pub struct Params {
        /// What to favour where it is not clear how much is content: precision, recall or the balance of both.
        pub favor: Favor = Favor::Balanced,
        /// From how many pages of the site is learned at most, 64 at most.
        pub loads: usize = 64,
        /// How many of them are used, the most similar first.
        pub used: usize = 64,
        /// A page with more than so much (0 to 1) of the words that few pages have is a copy and is not used.
        pub rare: f64 = 0.5,
        /// Text that is template with at least this probability (0 to 1), and more likely no content than content, is none.
        pub sure: f64 = 0.8,
        /// Where `auto` expects less than this F1 (0 to 1) it is unsure.
        pub unsure: f64 = 0.6,
        /// Where it is unsure and less than this share of what it takes (0 to 1) is not template, the site alone decides.
        pub own: f64 = 0.3,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<AutoWithSite, Params>(
    "auto-with-site",
    BlockKind::Content,
    "blocks rated by auto, and again by what other pages of the site have of them; each page cut at its best expected F1",
    "unchaff's own",
    "linear in the pages loaded, after auto",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct AutoWithSite {
    params: Params,
}

impl From<Params> for AutoWithSite {
    fn from(params: Params) -> AutoWithSite {
        AutoWithSite { params }
    }
}

impl AutoWithSite {
    fn recipe(&self) -> WithSite {
        let Params { used, rare, .. } = self.params;
        let company = Company { used, rare, ..Company::default() };
        WithSite { content: self.params.clone(), company, only: Some(BlockKind::Content) }
    }

    /// Rates the blocks of a page again by what its site says.
    fn combine(&self, analysis: &mut Analysis<'_>, beside: &Beside<'_>) {
        let Params { favor, unsure, own, .. } = self.params;
        if !beside.comparison.is_known() {
            return;
        }
        let survey = survey(analysis, &beside.keys, &beside.comparison, &beside.applied);
        let is_unsure = f64::from(analysis.cut.expected_f1) < unsure && f64::from(survey.own_of_auto) < own;
        let sums: Vec<f32> = if is_unsure {
            let template = beside.applied.by_node(analysis.view.page, &beside.keys);
            analysis.view.blocks.iter().map(|block| -0.5 * log_odds(template[block.first.index()])).collect()
        } else {
            let changes = block_trees::changes(analysis.p.len(), |block, mut lane| {
                survey.describe(block, |fact, value| lane.set(fact, value));
            });
            analysis.p.iter().zip(changes).map(|(p, change)| log_odds(*p) + change).collect()
        };
        for (p, sum) in analysis.p.iter_mut().zip(sums) {
            *p = 1.0 / (1.0 + (-sum).exp());
        }
        analysis.cut_again(favor);
    }

    /// The content of a page that was analysed alone and stands beside its site.
    pub(crate) fn content(&self, analysis: &mut Analysis<'_>, beside: &Beside<'_>) -> Detection {
        let page = analysis.view.page;
        self.combine(analysis, beside);
        let mut detection = analysis.detection();
        if beside.comparison.is_known() {
            let recurring = ContentWithSite::from(content_with_site::Params { share: SHARE, alike: ALIKE, ..Default::default() });
            let trails = trails(page);
            for block in &mut detection.blocks {
                block.nodes = recurring.without_recurring(page, &beside.keys, &block.nodes, &beside.comparison);
                trails.iter().for_each(|trail| block.nodes.remove_subtree(page, *trail));
            }
        }
        detection
    }
}

impl SiteTechnique for AutoWithSite {
    fn name(&self) -> &'static str {
        "auto-with-site"
    }

    // The model knows copies itself, and must be the same whichever page asks.
    fn detect(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        self.detect_among(site, key)
    }

    fn explain(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        self.explain_among(site, key)
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let page = site.load(key)?;
        let model = SiteModel::of_site(site, key, &page, self.params.loads);
        Ok(self.recipe().detect(&model, &page))
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let page = site.load(key)?;
        let model = SiteModel::of_site(site, key, &page, self.params.loads);
        let mut analysis = Auto::from(auto::Params { favor: self.params.favor }).analyse(&page);
        let beside = self.recipe().beside(&model, &page);
        self.combine(&mut analysis, &beside);
        let mut explanation = analysis.explanation();
        if !beside.comparison.is_known() {
            explanation.notes.push(crate::learned::with_site::NO_HELP.to_owned());
        }
        Ok(explanation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::template_auto::tests::{articles, find};
    use unchaff_page::PageTechnique;

    #[test]
    fn the_article_is_content_and_the_frame_is_not() {
        let site = articles(6);
        let page = site.load(PageId(1)).unwrap();
        let nodes = AutoWithSite::default().detect(&site, PageId(1)).unwrap().blocks.remove(0).nodes;
        assert!(nodes.contains(find(&page, "article p")));
        for selector in ["nav a", "aside a", "footer p"] {
            assert!(!nodes.contains(find(&page, selector)), "{selector}");
        }
    }

    #[test]
    fn without_other_pages_it_is_auto() {
        let alone = articles(1);
        let page = alone.load(PageId(0)).unwrap();
        let detection = AutoWithSite::default().detect(&alone, PageId(0)).unwrap();
        assert_eq!(detection.blocks, Auto::default().detect(&page).blocks);
        assert_eq!(detection.notes, [crate::learned::with_site::NO_HELP]);
    }

    /// The probability of the first block in an element.
    fn rating(params: Params, selector: &str) -> f32 {
        let site = articles(6);
        let page = site.load(PageId(1)).unwrap();
        let model = SiteModel::of_site(&site, PageId(1), &page, 8);
        let beside = WithSite::default().beside(&model, &page);
        let mut analysis = Auto::default().analyse(&page);
        AutoWithSite::from(params).combine(&mut analysis, &beside);
        let inside = page.range(find(&page, selector));
        analysis.view.blocks.iter().position(|block| inside.contains(&block.first.index())).map(|at| analysis.p[at]).unwrap()
    }

    #[test]
    fn what_only_the_page_has_is_likelier_than_what_recurs() {
        assert!(rating(Params::default(), "article p") > 0.5);
        assert!(rating(Params::default(), "footer p") < 0.5);
    }

    #[test]
    fn where_auto_is_unsure_and_what_it_takes_is_template_the_site_decides() {
        let always = || Params { unsure: 2.0, own: 2.0, ..Params::default() };
        assert!(rating(always(), "article p") > 0.5 && rating(always(), "nav") < 0.5);
    }
}
