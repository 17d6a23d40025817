//! Candidates: the few other pages of a site that a page is compared with.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! chapter 7. Only pages linked from the key page are considered. Hyperlink analysis puts their links in order and follows
//! them until a complete subdigraph is found; the other selectors are those it is compared with in Table 7.6, and
//! two simple ones.

use crate::candidates::complete_subdigraph::{Search, Subdigraph};
use crate::candidates::hyperlink_distance::LastSegment;
use crate::candidates::link_order::{CandidateLink, FirstPick, LinkOrder, TieReference, linked_pages, scramble};
use std::collections::HashSet;
use std::sync::Arc;
use unchaff_dom::order::InOrder;
use unchaff_dom::site::Stage;
use unchaff_dom::{NodeId, Page, PageId, Site};
use unchaff_page::parameters::{choice, parameters};
use unchaff_page::published::menex::Menex;

choice! {
    /// How pages to compare with are chosen.
    pub enum Selector {
        /// Hyperlink analysis: links in order until n pages all link to each other.
        Cs = "cs",
        /// The same with links of the main menu, as MenEx finds it, before all others: the menu's pages link to each other, so fewer are loaded.
        /// The thesis proposes it as further work (§7.4).
        MenuFirst = "menu-first",
        /// The same with links of the main menu only.
        Menu = "menu",
        /// The same with links outside the main menu.
        NotMenu = "not-menu",
        /// The first n links in the same directory, whether they link to each other or not.
        Directory = "directory",
        /// The first n links of the page.
        First = "first",
        /// Any n links of the page, by the seed.
        Random = "random",
    }
}

parameters! {
    /// Which pages a page is compared with. The default is the published best setting for templates.
    pub struct Candidates {
        /// How pages to compare with are chosen.
        pub selector: Selector = Selector::Cs,
        /// How many pages are compared with (the size of the complete subdigraph).
        pub n: usize = 3,
        /// No more pages are loaded, the page itself included; 0 is no limit.
        /// The thesis has none: it needs 10 pages on average, but 143 and 392 on two of its 150 sites.
        pub max_loads: usize = 100,
        /// Whether only pages count that link back to the page itself, which the thesis says but does not do.
        pub require_backlink: bool = false,
        /// Which link of those equally far in directories is followed first.
        pub first_pick: FirstPick = FirstPick::DocumentOrder,
        /// From which other links a link should be far in the page: those followed before it, or all.
        pub tie_reference: TieReference = TieReference::Group,
        /// Whether the last piece of an address without a slash names a resource or a directory.
        pub last_segment: LastSegment = LastSegment::Resource,
        /// Chooses among random orders; the same seed gives the same pages.
        pub seed: u32 = 0,
    }
}

/// The pages chosen, and how it came to that.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The pages to compare with, in the order in which they were loaded.
    pub pages: Vec<(PageId, Arc<Page>)>,
    /// All links that could be followed, in order.
    pub links: Vec<CandidateLink>,
    /// The search among them.
    pub search: Subdigraph,
    /// How many pages were wanted.
    pub wanted: usize,
    /// Whether they had to link to each other.
    linked: bool,
}

impl Candidates {
    /// Chooses pages to compare `page`, which is `key`, with.
    #[must_use]
    pub(crate) fn select(&self, site: &dyn Site, key: PageId, page: &Page) -> Selection {
        self.select_without(site, key, page, &[])
    }

    /// The same without some pages.
    #[must_use]
    pub(crate) fn select_without(&self, site: &dyn Site, key: PageId, page: &Page, without: &[PageId]) -> Selection {
        site.begins(Stage::LinkAnalysis);
        let mut links = linked_pages(site, key, page);
        links.retain(|(page, _)| !without.contains(page));
        let order = LinkOrder {
            last_segment: self.last_segment,
            first_pick: self.first_pick,
            tie_reference: self.tie_reference,
            seed: self.seed,
        };
        let needs_menu = matches!(self.selector, Selector::MenuFirst | Selector::Menu | Selector::NotMenu);
        let menu = if needs_menu { Menex::default().analyse(page).menu } else { None };
        let in_menu = |node: NodeId| menu.is_some_and(|menu| page.range(menu).contains(&node.index()));
        if matches!(self.selector, Selector::Menu | Selector::NotMenu) {
            links.retain(|(_, node)| in_menu(*node) == (self.selector == Selector::Menu));
        }
        let mut links = order.sort(site, key, page, &links);
        match self.selector {
            Selector::Cs | Selector::Menu | Selector::NotMenu => {}
            Selector::MenuFirst => links.order_by_key(|link| !in_menu(link.node)),
            Selector::Directory => links.retain(|link| link.hyperlink_distance == 0),
            Selector::First => links.order_by_key(|link| link.node),
            Selector::Random => links.order_by_key(|link| (scramble(self.seed, u64::from(link.node.0)), link.node)),
        }
        let targets: Vec<PageId> = links.iter().map(|link| link.page).collect();
        let search = Search { n: self.n, max_loads: self.max_loads, require_backlink: self.require_backlink };
        site.begins(Stage::Subdigraph);
        let linked = matches!(self.selector, Selector::Cs | Selector::MenuFirst | Selector::Menu | Selector::NotMenu);
        let search = if linked { search.find(site, key, &targets) } else { search.first(site, &targets) };
        let pages = search.pages.iter().filter_map(|page| Some((*page, site.load(*page).ok()?))).collect();
        site.begins(Stage::Detection);
        Selection { pages, links, search, wanted: self.n, linked }
    }
}

impl Selection {
    /// What a user should know about the pages chosen, if something.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let kind = if self.linked { "pages that link to each other" } else { "pages" };
        if self.links.is_empty() {
            remarks.push("the page links to no other page of its site: there is nothing to compare it with".to_owned());
        } else if self.pages.is_empty() {
            remarks.push(format!("none of the {} pages tried can be compared with", self.search.followed));
        } else if self.pages.len() < self.wanted {
            remarks.push(format!("only {} of {} {kind} were found: the result is less certain", self.pages.len(), self.wanted));
        }
        if self.search.limited {
            remarks.push(format!("the search stopped after {} pages; `max_loads` raises that limit", self.search.loads()));
        }
        if let [(_, error), rest @ ..] = &self.search.failed[..] {
            let more = if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
            remarks.push(format!("a page could not be loaded: {error}{more}"));
        }
        remarks
    }

    /// The links in the order followed with their distances, and what came of them.
    #[must_use]
    pub fn account(&self, site: &dyn Site) -> Vec<String> {
        let mut lines = Vec::new();
        let all_failed: HashSet<PageId> = self.search.failed.iter().map(|(page, _)| *page).collect();
        for (number, link) in self.links.iter().take(self.search.followed).enumerate() {
            let chosen = self.search.pages.contains(&link.page);
            let failed = all_failed.contains(&link.page);
            lines.push(format!(
                "candidate {}: {} (hyperlink distance {:+}, DOM distance {}){}",
                number + 1,
                site.url(link.page),
                link.hyperlink_distance,
                link.dom_distance.map_or_else(|| "none".to_owned(), |distance| distance.to_string()),
                if chosen {
                    ", compared with"
                } else if failed {
                    ", cannot be loaded"
                } else {
                    ""
                },
            ));
        }
        lines.push(format!(
            "{} pages loaded, the page itself included; {} more links were not followed; {} of {} wanted pages found",
            self.search.loads(),
            self.links.len() - self.search.followed,
            self.pages.len(),
            self.wanted,
        ));
        lines.extend(self.remarks());
        lines
    }
}
