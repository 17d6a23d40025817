//! The structure of a site: its index pages and the articles they lead to, and how much of its pages is template.
//!
//! What three works give for a site rather than for a page, in one report. LAMIS (Kao et al. 2004, `lamis`): hubs are
//! index pages, and where the links of their informative blocks lead are articles. Gibson, Punera and Tomkins (2005): the share of template among
//! the characters of text (`gibson_text`) and among the bytes of markup (`gibson_dom`); they found 40 to 50 percent. Bar-Yossef and Rajagopalan
//! (2002): authorities by links of pagelets instead of pages, so that a menu does not vote (`pagelets`).
//!
//! A sample of the site is looked at, 200 pages as Gibson had, chosen by their addresses, so that the order of pages does not matter. How many hubs
//! are index pages is not published: here it is a twentieth of the pages, three at least, and none without half of the best hub's value.

use crate::candidates::training_set::{Copies, TrainingSet};
use crate::learned::page_keys::hash_bytes;
use crate::published::{gibson_dom, gibson_text, lamis, pagelets};
use unchaff_dom::order::InOrder;
use unchaff_dom::{PageId, Site};

/// How much of a site is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StructureOptions {
    /// The most pages.
    pub sample: usize,
    /// The most authorities that are named.
    pub authorities: usize,
}

impl Default for StructureOptions {
    fn default() -> Self {
        StructureOptions { sample: 200, authorities: 10 }
    }
}

/// A page and what it is worth in a ranking, from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RankedPage {
    /// The page.
    pub page: PageId,
    /// Its value.
    pub value: f64,
}

/// What was found out about a site.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SiteStructure {
    /// How many pages were looked at.
    pub pages: usize,
    /// How many pages have the text of another one and were left out.
    pub copies: usize,
    /// How many could not be loaded.
    pub failed: usize,
    /// Index pages with their values as hubs, the best first.
    pub index_pages: Vec<RankedPage>,
    /// Articles that informative blocks of index pages lead to, with their values as authorities, the best first.
    pub articles: Vec<RankedPage>,
    /// The best authorities by links of pagelets that are no template, the best first.
    pub authorities: Vec<RankedPage>,
    /// The share of the characters of text that is template; none of fewer than two pages.
    pub template_text: Option<f64>,
    /// The share of the bytes of markup that is template.
    pub template_bytes: Option<f64>,
}

/// Finds out about a site.
#[must_use]
pub fn site_structure(site: &dyn Site, options: &StructureOptions) -> SiteStructure {
    let mut structure = SiteStructure::default();
    let mut known: Vec<(u64, PageId)> =
        site.known().into_iter().map(|page| (hash_bytes(0, site.url(page).as_str().as_bytes()), page)).collect();
    known.sort_unstable();
    let mut copies = Copies::new(1.0);
    let mut pages = Vec::new();
    for (_, id) in known.into_iter().take(options.sample) {
        match site.load(id) {
            Err(_) => structure.failed += 1,
            Ok(page) if copies.is_new(&page) => pages.push((id, page)),
            Ok(_) => structure.copies += 1,
        }
    }
    structure.pages = pages.len();
    if pages.len() < 2 {
        return structure;
    }
    let set = TrainingSet::of(pages);
    let all: Vec<_> = set.pages().collect();
    structure.template_text = gibson_text::Params::default().share(&all);
    structure.template_bytes = gibson_dom::Params::default().share(&all);
    let ranked = |values: &[f64], places: &mut dyn Iterator<Item = usize>| {
        let mut ranked: Vec<RankedPage> = places.map(|at| RankedPage { page: set.id(at), value: values[at] }).collect();
        // Rounding aside, equal values are in the order of addresses.
        ranked.order_by_key(|ranked| (-(ranked.value * 1e9).round() as i64, site.url(ranked.page).to_string()));
        ranked
    };
    // Blocks of today's pages are not table cells.
    let mut lamis = lamis::Params::default();
    lamis.structure.hubs = (set.len() / 20).max(3);
    lamis.blocks.blocks = "table td th div section article main nav header footer aside ul ol".to_owned();
    let found = lamis.informative_structure(&set, site, &lamis.blocks.discover(&set));
    let best = found.hubs.first().map_or(0.0, |best| found.ranking.hubs[*best]);
    structure.index_pages =
        ranked(&found.ranking.hubs, &mut found.hubs.iter().copied().filter(|at| found.ranking.hubs[*at] >= best / 2.0));
    let is_index = |page: PageId| structure.index_pages.iter().any(|index| index.page == page);
    structure.articles =
        ranked(&found.ranking.authorities, &mut found.articles.iter().copied().filter(|at| !is_index(set.id(*at))));
    let authorities = pagelets::Params::default().authorities(&set, site);
    structure.authorities = ranked(&authorities, &mut (0..set.len()).filter(|at| authorities[*at] > 0.0));
    structure.authorities.truncate(options.authorities);
    structure
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    /// A start page that leads to six articles, and a page of legal notices that all link to.
    fn news() -> LoadedSite {
        let words = [
            "flood river rain",
            "vote ballot party",
            "match goal striker",
            "theatre stage actor",
            "bread flour oven",
            "train rail station",
        ];
        let page = |url: &str, main: &str| {
            let html = format!(
                "<body><div><a href=/>Start</a> <a href=/legal>Legal notice</a> <a href=/about>About us</a></div><div>{main}</div>\
                 <div>The Example Herald appears daily except on holidays</div></body>"
            );
            Parser::new().url(&format!("https://example.org{url}")).parse(html)
        };
        let teasers: String = words.iter().enumerate().map(|(at, words)| format!("<a href=/{at}>{words}</a> ")).collect();
        let mut pages =
            vec![page("/", &teasers), page("/legal", "liability disclaimers"), page("/about", "staff since founding")];
        for (at, words) in words.iter().enumerate() {
            let text: String =
                words.split(' ').map(|word| format!("{word} tells story{at} of {word}{at} and more{at} ")).collect();
            pages.push(page(&format!("/{at}"), &text));
        }
        LoadedSite::new(pages)
    }

    #[test]
    fn index_pages_articles_authorities_and_the_share_of_template() {
        let site = news();
        let structure = site_structure(&site, &StructureOptions::default());
        let paths = |ranked: &[RankedPage]| {
            let mut paths: Vec<String> = ranked.iter().map(|ranked| site.url(ranked.page).path().to_owned()).collect();
            paths.sort();
            paths.join(" ")
        };
        assert_eq!((structure.pages, structure.copies, structure.failed), (9, 0, 0));
        assert_eq!(paths(&structure.index_pages), "/");
        assert_eq!(paths(&structure.articles), "/0 /1 /2 /3 /4 /5");
        // The pagelet with the menu is on all pages and has no vote.
        assert_eq!(paths(&structure.authorities), "/0 /1 /2 /3 /4 /5");
        let text = structure.template_text.unwrap();
        let bytes = structure.template_bytes.unwrap();
        assert!((0.2..0.5).contains(&text) && (0.4..0.7).contains(&bytes), "{text} {bytes}");
    }

    #[test]
    fn sites_of_no_or_one_page_have_a_report() {
        for pages in [vec![], vec![Parser::new().url("https://example.org/").parse("<p>one")]] {
            let number = pages.len();
            let structure = site_structure(&LoadedSite::new(pages), &StructureOptions::default());
            assert_eq!(structure, SiteStructure { pages: number, ..SiteStructure::default() });
        }
        let few = site_structure(&news(), &StructureOptions { sample: 3, authorities: 1 });
        assert_eq!(few.pages, 3);
    }
}
