//! The template of a page with the help of its site: what recurs on similar pages, put together along the tree.
//!
//! Our own; the template of the [recipe](crate::learned::with_site). A sample of the site's pages is learned from; those most like
//! the page in structure count, copies of it do not. Where the site is of no help, the page is judged alone, as `template-page` does,
//! and a note says so.

use crate::SiteTechnique;
use crate::learned::comparison::Company;
use crate::learned::site_model::SiteModel;
use crate::learned::with_site::{NO_HELP, WithSite};
use crate::registry::{SiteEntry, entry};
use unchaff_dom::{LoadError, PageId, Site};
use unchaff_page::learned::template_page::TemplatePage;
use unchaff_page::parameters::parameters;
use unchaff_page::{BlockKind, Detection, Explanation, Likely, PageTechnique};

parameters! {
    /// Parameters of the template detector.
    pub struct Params {
        /// From how many pages of the site is learned at most, 64 at most.
        pub loads: usize = 64,
        /// How many of them are used, the most similar first.
        pub used: usize = 64,
        /// A page with so much of the key page's texts (0 to 1) is a copy of it and is not used.
        pub copy: f64 = 0.97,
        /// A page with more than so much (0 to 1) of the words that few pages have is a copy too.
        pub rare: f64 = 0.5,
        /// Pages that share less of the structure (0 to 1) are not used.
        pub min_similarity: f64 = 0.02,
        /// Nodes are template from this confidence on (0 to 1): higher finds less, and more surely.
        pub min_confidence: f64 = 0.6,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<TemplateAuto, Params>(
    "template-auto",
    BlockKind::Template,
    "text, references and places that recur on similar pages, tied along the tree; confidence by exact marginals",
    "unchaff's own",
    "linear in the pages loaded",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct TemplateAuto {
    params: Params,
}

impl From<Params> for TemplateAuto {
    fn from(params: Params) -> TemplateAuto {
        TemplateAuto { params }
    }
}

impl TemplateAuto {
    fn recipe(&self) -> WithSite {
        let Params { used, copy, rare, min_similarity, min_confidence, .. } = self.params;
        WithSite {
            company: Company { used, copy, rare, min_similarity, min_confidence },
            only: Some(BlockKind::Template),
            ..WithSite::default()
        }
    }
}

impl SiteTechnique for TemplateAuto {
    fn name(&self) -> &'static str {
        "template-auto"
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
        let beside = self.recipe().beside(&model, &page);
        if !beside.comparison.is_known() {
            let mut explanation = TemplatePage::default().explain(&page);
            explanation.notes.push(NO_HELP.to_owned());
            return Ok(explanation);
        }
        let detection = self.recipe().conclude(&page, &beside);
        let template = detection.nodes(BlockKind::Template);
        let mut explanation = Explanation::new(&["evidence", "confidence"]).rated_by("confidence", Likely::High);
        for (at, node) in beside.keys.nodes.iter().enumerate() {
            let remark = if template.is_some_and(|nodes| nodes.contains(*node)) { "template" } else { "" };
            explanation.push(*node, &[beside.applied.evidence[at], beside.applied.probabilities[at]], remark);
        }
        explanation.notes = detection.notes;
        Ok(explanation)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use unchaff_dom::select::Selector;
    use unchaff_dom::site::LoadedSite;
    use unchaff_dom::{NodeId, NodeSet, Page, Parser};

    const WORDS: &[&str] = &[
        "river", "bridge", "mayor", "harbour", "market", "winter", "station", "garden", "school", "theatre", "mountain",
        "island", "council", "festival", "museum", "library", "forest", "railway", "airport", "village", "castle", "valley",
    ];

    /// Text of its own for each number.
    fn prose(number: usize, paragraph: usize) -> String {
        let word = |at: usize| WORDS[(number * 7 + paragraph * 5 + at * (number + 3) + at * at) % WORDS.len()];
        (0..30).map(word).collect::<Vec<_>>().join(" ")
    }

    /// A small site: pages of articles in one frame, all linked from its menu.
    pub(crate) fn articles(number: usize) -> LoadedSite {
        LoadedSite::new((0..number).map(|at| {
            let menu: String = (0..number).map(|other| format!("<li><a href=/{other}.html>Section {}</a></li>", WORDS[other])).collect();
            let paragraphs: String = (0..3).map(|paragraph| format!("<p>{}.</p>", prose(at, paragraph))).collect();
            let html = format!(
                "<title>{0}</title><body class=page-{at}><header class=site-header><a class=logo href=/>The Daily</a><nav class=main-menu><ul>{menu}</ul></nav></header>\
                 <div id=wrap><article class='post post-{at}'><h1>About the {0} number {at}</h1>{paragraphs}</article>\
                 <aside class=sidebar><h3>Follow us</h3><ul><li><a href=https://a.example/>On A</a><li><a href=https://b.example/>On B</a></ul></aside></div>\
                 <footer><p>© The Daily, page {at} of {number}. All rights reserved.</p></footer></body>",
                WORDS[at]
            );
            Parser::new().url(&format!("https://example.org/{at}.html")).parse(html)
        }))
    }

    pub(crate) fn find(page: &Page, selector: &str) -> NodeId {
        page.select(&Selector::parse(selector).unwrap()).next().unwrap()
    }

    fn template(site: &LoadedSite, key: u32) -> NodeSet {
        TemplateAuto::default().detect(site, PageId(key)).unwrap().blocks.remove(0).nodes
    }

    #[test]
    fn what_recurs_is_template_and_what_does_not_is_none() {
        for pages in [2, 3, 6, 12] {
            let site = articles(pages);
            let page = site.load(PageId(1)).unwrap();
            let nodes = template(&site, 1);
            for selector in ["header", "nav a", "aside", "aside a", "footer", "footer p"] {
                assert!(nodes.contains(find(&page, selector)), "{selector} of {pages}");
            }
            for selector in ["h1", "article p"] {
                assert!(!nodes.contains(find(&page, selector)), "{selector} of {pages}");
            }
        }
    }

    #[test]
    fn a_site_without_help_is_said_so_and_the_page_judged_alone() {
        let site = articles(1);
        let detection = TemplateAuto::default().detect(&site, PageId(0)).unwrap();
        assert_eq!(detection.notes, [NO_HELP]);
        let alone = TemplatePage::default().detect(&site.load(PageId(0)).unwrap());
        assert_eq!(detection.blocks, alone.blocks);
    }

    #[test]
    fn copies_of_the_page_are_no_witnesses() {
        let mut pages: Vec<Page> = Vec::new();
        let site = articles(5);
        for key in site.known() {
            pages.push(Page::clone(&site.load(key).unwrap()));
        }
        let print = Parser::new()
            .url("https://example.org/print.html")
            .parse(pages[1].source().replace("All rights", "Printed, all rights"));
        pages.push(print);
        let with_copy = LoadedSite::new(pages);
        let page = with_copy.load(PageId(1)).unwrap();
        let nodes = TemplateAuto::from(Params { copy: 0.9, ..Params::default() })
            .detect(&with_copy, PageId(1))
            .unwrap()
            .blocks
            .remove(0)
            .nodes;
        assert!(!nodes.contains(find(&page, "article p")));
        assert!(nodes.contains(find(&page, "nav a")));
    }

    #[test]
    fn the_answer_is_the_same_every_time_and_explained() {
        let site = articles(6);
        assert_eq!(template(&site, 2), template(&site, 2));
        let explanation = TemplateAuto::default().explain(&site, PageId(2)).unwrap();
        let nodes = template(&site, 2);
        assert!(explanation.rows.iter().all(|row| (row.remark == "template") == nodes.contains(row.node)));
    }

    #[test]
    fn no_more_pages_are_loaded_than_asked() {
        let site = articles(12);
        TemplateAuto::from(Params { loads: 3, ..Params::default() }).detect(&site, PageId(0)).unwrap();
        assert!((3..=4).contains(&site.loads()));
    }
}
