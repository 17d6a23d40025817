//! The content of a page by all that is known: what `auto` thinks of each block, and whether its place is template.
//!
//! Our own. The page alone tells prose from lists of links and knows what comes after an article; the site tells what recurs.
//! Each makes mistakes that the other does not: `auto` takes a welcome text that every page has, the complement of the
//! template takes teasers that no other page has. So the log-odds of both are added, block by block, and the page is cut
//! where the expected F1 of the sum is best, as `auto` does. Where the site is of no help, `auto` alone decides.

use crate::SiteTechnique;
use crate::learned_template::{Applied, LearnedTemplate};
use crate::page_keys::PageKeys;
use crate::registry::{SiteEntry, entry};
use crate::siblings::siblings;
use crate::template_auto;
use unchaff_dom::{LoadError, Page, PageId, Site};
use unchaff_page::auto::{self, Analysis, Auto, Favor};
use unchaff_page::parameters::parameters;
use unchaff_page::{BlockKind, Detection, Explanation};

parameters! {
    /// Parameters of the combination.
    pub struct Params {
        /// What to favour where it is not clear how much is content: precision, recall or the balance of both.
        pub favor: Favor = Favor::Balanced,
        /// How many other pages of the site are loaded at most, 32 at most.
        pub loads: usize = 8,
        /// How much it counts that a block's place is, or is not, template.
        pub weight: f64 = 0.5,
        /// The log-odds of a place to be template count at most so much against a block.
        pub against: f64 = 4.0,
        /// The log-odds of a place not to be template count at most so much for a block, times how much `auto` doubts its own
        /// choice (1 less the F1 it expects): on an article it knows better than the site what is beside it.
        pub in_favor: f64 = 10.0,
        /// Where `auto` expects more than this F1 (0 to 1), a place that is not template says nothing for a block.
        pub sure: f64 = 1.0,
        /// Added to the log-odds of all blocks: what a place that could be template or not says.
        pub bias: f64 = 0.0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<AutoWithSite, Params>(
    "auto-with-site",
    BlockKind::Content,
    "what auto makes of each block and whether template-auto calls its place template, added up; cut at the best expected F1",
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

const NO_HELP: &str = "no other page of the site resembles this one; the page was judged alone";

fn log_odds(p: f64) -> f64 {
    let p = p.clamp(1e-6, 1.0 - 1e-6);
    (p / (1.0 - p)).ln()
}

/// How probable it is that each node of a page is template: that of the element around it.
fn by_node(page: &Page, applied: &Applied) -> Vec<f32> {
    let mut probabilities = vec![0.5; page.len()];
    let mut elements = applied.elements.iter().zip(&applied.probabilities).peekable();
    for node in page.nodes() {
        probabilities[node.index()] = match elements.next_if(|(element, _)| **element == node) {
            Some((_, probability)) => *probability as f32,
            None => page.parent(node).map_or(0.5, |parent| probabilities[parent.index()]),
        };
    }
    probabilities
}

impl AutoWithSite {
    /// Rates the blocks of a page whose template is known by what was learned.
    #[must_use]
    pub fn combine<'p>(&self, page: &'p Page, mut analysis: Analysis<'p>, applied: &Applied) -> Analysis<'p> {
        let Params { favor, weight, against, in_favor, bias, sure, .. } = self.params;
        if !applied.is_known() {
            return analysis;
        }
        let template = by_node(page, applied);
        let in_favor = in_favor * (sure - f64::from(analysis.cut.expected_f1)).max(0.0);
        for (block, p) in analysis.view.blocks.iter().zip(&mut analysis.p) {
            let is_template = log_odds(f64::from(template[block.first.index()])).clamp(-in_favor, against);
            let sum = log_odds(f64::from(*p)) - weight * is_template + bias;
            *p = (1.0 / (1.0 + (-sum).exp())) as f32;
        }
        analysis.cut_again(favor);
        analysis
    }

    /// What `auto` makes of the page and what its site says of the template.
    fn analyse<'p>(&self, site: &dyn Site, key: PageId, page: &'p Page) -> (Analysis<'p>, Applied) {
        let analysis = Auto::from(auto::Params { favor: self.params.favor }).analyse(page);
        let keys = PageKeys::of(page);
        let others: Vec<PageKeys> =
            siblings(site, key, page, self.params.loads).iter().map(|(_, page)| PageKeys::of(page)).collect();
        let application = template_auto::Params::default().application();
        let applied = LearnedTemplate::learn(&others).apply_to(page, &keys, &application);
        (analysis, applied)
    }
}

impl SiteTechnique for AutoWithSite {
    fn name(&self) -> &'static str {
        "auto-with-site"
    }

    fn detect(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let page = site.load(key)?;
        let (analysis, applied) = self.analyse(site, key, &page);
        let mut detection = self.combine(&page, analysis, &applied).detection();
        detection.notes.push(match applied.is_known() {
            true => format!("compared with {} pages of the site", applied.used),
            false => NO_HELP.to_owned(),
        });
        Ok(detection)
    }

    fn explain(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let page = site.load(key)?;
        let (analysis, applied) = self.analyse(site, key, &page);
        let mut explanation = self.combine(&page, analysis, &applied).explanation();
        if !applied.is_known() {
            explanation.notes.push(NO_HELP.to_owned());
        }
        Ok(explanation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template_auto::tests::{articles, find};
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
    fn without_other_pages_and_without_weight_it_is_auto() {
        let alone = articles(1);
        let page = alone.load(PageId(0)).unwrap();
        let detection = AutoWithSite::default().detect(&alone, PageId(0)).unwrap();
        assert_eq!(detection.blocks, Auto::default().detect(&page).blocks);
        assert_eq!(detection.notes, [NO_HELP]);
        let site = articles(5);
        let page = site.load(PageId(2)).unwrap();
        let weightless = AutoWithSite::from(Params { weight: 0.0, bias: 0.0, ..Params::default() });
        assert_eq!(
            weightless.detect(&site, PageId(2)).unwrap().nodes(BlockKind::Content),
            Auto::default().detect(&page).nodes(BlockKind::Content)
        );
    }

    #[test]
    fn what_the_template_has_counts_against_a_block_the_more_its_weight() {
        let site = articles(6);
        let page = site.load(PageId(1)).unwrap();
        let p_of_menu = |weight: f64| {
            let technique = AutoWithSite::from(Params { weight, ..Params::default() });
            let (analysis, applied) = technique.analyse(&site, PageId(1), &page);
            let analysis = technique.combine(&page, analysis, &applied);
            let menu = page.end(find(&page, "nav"));
            analysis.view.blocks.iter().position(|block| block.first < menu).map(|at| analysis.p[at]).unwrap()
        };
        assert!(p_of_menu(1.0) < p_of_menu(0.1));
    }
}
