//! The content of a page by all that is known: what `auto` makes of it, cleaned and completed by its site.
//!
//! Our own. The page alone tells prose from lists of links and knows what comes after an article; the site tells what recurs
//! and what is template. What recurs on other pages goes, as in [`content_with_site`](crate::learned::content_with_site). In the
//! element that holds most of the content, blocks in places that are not template gain a little: headings, dates and short lines of an
//! article. Where `auto` doubts its own choice they gain all over the page, the more it doubts. Then the page is cut again
//! where the expected F1 is best. To take all that is not template, as [`content_site`](crate::learned::content_site) does,
//! is better on small sites and far worse on news (word F1 .69), whose pages are full of teasers that no other page has.

use crate::SiteTechnique;
use crate::learned::comparison::Company;
use crate::learned::content_with_site::ContentWithSite;
use crate::learned::site_model::SiteModel;
use crate::learned::with_site::{Beside, WithSite};
use crate::registry::{SiteEntry, entry};
use std::ops::Range;
use unchaff_dom::{LoadError, PageId, Site};
use unchaff_page::learned::auto::{self, Analysis, Auto, Favor};
use unchaff_page::parameters::parameters;
use unchaff_page::{BlockKind, Detection, Explanation};

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
        /// Where `auto` expects less than this F1 (0 to 1), places that are not template gain.
        pub unsure: f64 = 0.6,
        /// How much they gain, in log-odds for each unit of F1 below; never more than half of the log-odds against template.
        pub gain: f64 = 20.0,
        /// How much places that are not template gain in the element that holds the content, in log-odds.
        pub inside: f64 = 0.5,
        /// The share of the expected content that this element holds at least.
        pub holds: f64 = 0.5,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<AutoWithSite, Params>(
    "auto-with-site",
    BlockKind::Content,
    "what auto takes, without what recurs, and with more of what is not template near it and where auto is unsure",
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

fn log_odds(p: f64) -> f64 {
    let p = p.clamp(1e-6, 1.0 - 1e-6);
    (p / (1.0 - p)).ln()
}

/// The blocks of the smallest level that holds a share of the content that is expected.
fn container(analysis: &Analysis<'_>, share: f64) -> Range<usize> {
    let mut sums = vec![0.0];
    for (p, signs) in analysis.p.iter().zip(&analysis.view.signs) {
        sums.push(sums.last().copied().unwrap_or_default() + f64::from(*p) * f64::from(signs.words));
    }
    let wanted = share * sums.last().copied().unwrap_or_default();
    let ranges = analysis.view.levels.all.iter().map(|level| level.start as usize..level.end as usize);
    ranges.filter(|range| sums[range.end] - sums[range.start] >= wanted).min_by_key(ExactSizeIterator::len).unwrap_or(0..0)
}

impl AutoWithSite {
    fn recipe(&self) -> WithSite {
        let Params { used, rare, .. } = self.params;
        WithSite { content: self.params.clone(), company: Company { used, rare, ..Company::default() } }
    }

    /// Rates the blocks of a page again by what its site says.
    fn combine<'p>(&self, mut analysis: Analysis<'p>, beside: &Beside<'_>) -> Analysis<'p> {
        let Params { favor, unsure, gain, inside, holds, .. } = self.params;
        let most = (gain * (unsure - f64::from(analysis.cut.expected_f1))).max(0.0);
        if !beside.comparison.is_known() || (most <= 0.0 && inside <= 0.0) {
            return analysis;
        }
        let template = beside.applied.by_node(analysis.view.page, &beside.keys);
        let container = container(&analysis, holds);
        for (at, (block, p)) in analysis.view.blocks.iter().zip(&mut analysis.p).enumerate() {
            let most = if container.contains(&at) { most.max(inside) } else { most };
            let gained = (0.5 * -log_odds(f64::from(template[block.first.index()]))).clamp(0.0, most);
            let sum = log_odds(f64::from(*p)) + gained;
            *p = (1.0 / (1.0 + (-sum).exp())) as f32;
        }
        analysis.cut_again(favor);
        analysis
    }

    /// The content of a page that was analysed alone and stands beside its site.
    pub(crate) fn content(&self, analysis: Analysis<'_>, beside: &Beside<'_>) -> Detection {
        let page = analysis.view.page;
        let mut detection = self.combine(analysis, beside).detection();
        if beside.comparison.is_known() {
            for block in &mut detection.blocks {
                block.nodes = ContentWithSite::default().without_recurring(page, &beside.keys, &block.nodes, &beside.comparison);
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
        let recipe = self.recipe();
        Ok(recipe.detect(&model, &page).only(BlockKind::Content))
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let page = site.load(key)?;
        let model = SiteModel::of_site(site, key, &page, self.params.loads);
        let analysis = Auto::from(auto::Params { favor: self.params.favor }).analyse(&page);
        let beside = self.recipe().beside(&model, &page);
        let mut explanation = self.combine(analysis, &beside).explanation();
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

    #[test]
    fn in_the_element_that_holds_the_content_what_is_not_template_gains() {
        let site = articles(6);
        let page = site.load(PageId(1)).unwrap();
        let ratings = |inside: f64| {
            let technique = AutoWithSite::from(Params { inside, unsure: 0.0, ..Params::default() });
            let model = SiteModel::of_site(&site, PageId(1), &page, 8);
            let analysis = Auto::default().analyse(&page);
            let held = container(&analysis, 0.5);
            (held, technique.combine(analysis, &WithSite::default().beside(&model, &page)).p)
        };
        let ((held, without), (_, with)) = (ratings(0.0), ratings(0.5));
        assert!(!held.is_empty() && held.len() < without.len());
        assert!(held.clone().any(|block| with[block] > without[block]));
        assert!((0..without.len()).filter(|block| !held.contains(block)).all(|block| with[block] == without[block]));
    }

    #[test]
    fn where_auto_is_unsure_places_that_are_not_template_gain() {
        let site = articles(6);
        let page = site.load(PageId(1)).unwrap();
        let p_of = |unsure: f64, selector: &str| {
            let technique = AutoWithSite::from(Params { unsure, ..Params::default() });
            let model = SiteModel::of_site(&site, PageId(1), &page, 8);
            let analysis = technique.combine(Auto::default().analyse(&page), &WithSite::default().beside(&model, &page));
            let inside = page.range(find(&page, selector));
            analysis.view.blocks.iter().position(|block| inside.contains(&block.first.index())).map(|at| analysis.p[at]).unwrap()
        };
        assert!(p_of(2.0, "article p") > p_of(0.0, "article p"));
        assert_eq!(p_of(2.0, "nav"), p_of(0.0, "nav"));
    }
}
