//! The pages of a site that a page is compared with when nothing is published about the choice: a few, near and various.
//!
//! Pages linked from the key page come first, in the order of Algorithm 8 (J. Alarte, 2023, chapter 7): measured on 68
//! sites, eight pages in that order are worth .02 of node F1 more than eight in document order. If the page
//! links to too few, pages that the site knows anyway follow, nearest in the folders first. Which of those loaded are used is decided
//! by their similarity ([`comparison`](crate::learned::comparison)): one page of the same template is worth eight of others.

use crate::candidates::hyperlink_distance::{LastSegment, directories, hyperlink_distance, link_relevance};
use crate::candidates::link_order::{FirstPick, LinkOrder, TieReference, linked_pages};
use std::collections::HashSet;
use std::sync::Arc;
use unchaff_dom::{Page, PageId, Site};

/// Loads up to `loads` other pages of the site; those that cannot be loaded count but are left out.
#[must_use]
pub fn siblings(site: &dyn Site, key: PageId, page: &Page, loads: usize) -> Vec<(PageId, Arc<Page>)> {
    sibling_pages(site, key, page, loads).into_iter().filter_map(|page| Some((page, site.load(page).ok()?))).collect()
}

/// Up to `number` other pages of the site, none of which is loaded.
#[must_use]
pub fn sibling_pages(site: &dyn Site, key: PageId, page: &Page, number: usize) -> Vec<PageId> {
    let last_segment = LastSegment::Resource;
    let order = LinkOrder { last_segment, first_pick: FirstPick::DocumentOrder, tie_reference: TieReference::Group, seed: 0 };
    let links = linked_pages(site, key, page);
    let mut chosen: Vec<PageId> = order.sort(site, key, page, &links).iter().take(number).map(|link| link.page).collect();
    if chosen.len() < number {
        let seen: HashSet<PageId> = chosen.iter().copied().chain([key]).collect();
        let from = directories(&site.url(key), last_segment);
        let distance = |page: &PageId| link_relevance(hyperlink_distance(&from, &directories(&site.url(*page), last_segment)));
        let mut known: Vec<PageId> = site.known().into_iter().filter(|page| !seen.contains(page)).collect();
        known.sort_by_cached_key(distance);
        chosen.extend(known.into_iter().take(number - chosen.len()));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    fn urls(loads: usize) -> Vec<String> {
        let page = |url: &str, html: &str| Parser::new().url(url).parse(html);
        let site = LoadedSite::new([
            page(
                "https://example.org/a/1",
                "<a href=/b/2>2</a><a href=/a/3>3</a><a href=/gone>x</a><a href=https://other.example/>y</a>",
            ),
            page("https://example.org/b/2", ""),
            page("https://example.org/a/3", ""),
            page("https://example.org/c/4", ""),
            page("https://example.org/a/5", ""),
        ]);
        let key = site.load(PageId(0)).unwrap();
        siblings(&site, PageId(0), &key, loads).iter().map(|(page, _)| site.url(*page).path().to_owned()).collect()
    }

    #[test]
    fn linked_pages_come_first_and_near_ones_before_far_ones() {
        assert_eq!(urls(1), ["/a/3"]);
        assert_eq!(urls(2), ["/a/3", "/b/2"]);
        assert_eq!(urls(9), ["/a/3", "/b/2", "/a/5", "/c/4"]);
        assert!(urls(0).is_empty());
    }
}
