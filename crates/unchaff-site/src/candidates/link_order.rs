//! The order in which the links of a page are explored: near in the site first, far apart in the page first.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! Algorithm 8; earlier in his master thesis (2014), Algorithm 1. Links are grouped by hyperlink distance; inside a group
//! the next link is always the one farthest, in the page, from those of the group that are already chosen. The thesis compares
//! all pairs; here a queue holds distances that may be outdated, which is right because they can only shrink: what comes
//! out with a distance that still holds is the farthest. So a page of 100,000 links costs little more than sorting them.

use crate::candidates::dom_distance::Farthest;
use crate::candidates::hyperlink_distance::{LastSegment, directories, hyperlink_distance, link_relevance};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, Page, PageId, Site, Tag};
use unchaff_page::parameters::choice;

choice! {
    /// Which link of a group comes first.
    pub enum FirstPick {
        /// The first in the page.
        DocumentOrder = "document-order",
        /// Any, by the seed (as printed).
        Random = "random",
        /// The one farthest from its nearest neighbour among all links (the example of the master thesis).
        Farthest = "farthest",
    }
}

choice! {
    /// From which links a link should be far.
    pub enum TieReference {
        /// From those of its group chosen before it (as printed).
        Group = "group",
        /// From all other links of the page (the example of the master thesis).
        AllLinks = "all-links",
    }
}

/// How links are put in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkOrder {
    /// What the last piece of an address is.
    pub last_segment: LastSegment,
    /// Which link of a group comes first.
    pub first_pick: FirstPick,
    /// From which links a link should be far.
    pub tie_reference: TieReference,
    /// For the random first pick.
    pub seed: u32,
}

/// A link of the key page to another page of its site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CandidateLink {
    /// Where it leads.
    pub page: PageId,
    /// The first `a` element with that target.
    pub node: NodeId,
    /// Hyperlink distance from the key page.
    pub hyperlink_distance: i32,
    /// DOM distance to the links it should be far from, when it was chosen; none for the first of a group.
    pub dom_distance: Option<u32>,
}

/// The other pages of the same host that a page links to, each with its first link, in document order (§7.2:
/// no repeated links, no links to the page itself, none to other domains or subdomains).
#[must_use]
pub(crate) fn linked_pages(site: &dyn Site, key: PageId, page: &Page) -> Vec<(PageId, NodeId)> {
    let host = site.url(key).host_str().map(str::to_owned);
    let mut seen = HashSet::from([key]);
    let links = page.links().filter(|link| page.tag(link.node) == Tag::A);
    links
        .filter_map(|link| {
            let target = site.find(&link.url?)?;
            (seen.insert(target) && site.url(target).host_str() == host.as_deref()).then_some((target, link.node))
        })
        .collect()
}

impl LinkOrder {
    /// Sorts the links of a page (Algorithm 8).
    #[must_use]
    pub(crate) fn sort(&self, site: &dyn Site, key: PageId, page: &Page, links: &[(PageId, NodeId)]) -> Vec<CandidateLink> {
        let from = directories(&site.url(key), self.last_segment);
        let mut sorted: Vec<CandidateLink> = links
            .iter()
            .map(|(target, node)| {
                let to = directories(&site.url(*target), self.last_segment);
                CandidateLink {
                    page: *target,
                    node: *node,
                    hyperlink_distance: hyperlink_distance(&from, &to),
                    dom_distance: None,
                }
            })
            .collect();
        sorted.order_by_key(|link| link_relevance(link.hyperlink_distance));
        self.spread(page, &mut sorted);
        sorted
    }

    /// Puts each run of links at one hyperlink distance in the order of DOM relevance (Def. 4.2.6).
    fn spread(&self, page: &Page, links: &mut [CandidateLink]) {
        let needs_neighbours = self.tie_reference == TieReference::AllLinks || self.first_pick == FirstPick::Farthest;
        let nodes = links.iter().map(|link| link.node);
        let neighbours = if needs_neighbours { nearest_other(page, nodes) } else { Vec::new() };
        let neighbour = |node: NodeId| neighbours.get(node.index()).copied().unwrap_or(u32::MAX);
        let mut farthest = Farthest::new(page);
        for (number, group) in (0..).zip(links.chunk_by_mut(|a, b| a.hyperlink_distance == b.hyperlink_distance)) {
            if self.tie_reference == TieReference::AllLinks {
                group.iter_mut().for_each(|link| link.dom_distance = Some(neighbour(link.node)));
                group.order_by_key(|link| Reverse(link.dom_distance));
                continue;
            }
            let first = match self.first_pick {
                FirstPick::DocumentOrder => 0,
                FirstPick::Random => (scramble(self.seed, number) % group.len() as u64) as usize,
                FirstPick::Farthest => (0..group.len()).min_by_key(|at| Reverse(neighbour(group[*at].node))).unwrap_or(0),
            };
            let mut order = Vec::with_capacity(group.len());
            farthest.choose(group[first].node);
            order.push(group[first]);
            let mut queue: BinaryHeap<(u32, Reverse<usize>)> =
                (0..group.len()).filter(|at| *at != first).map(|at| (u32::MAX, Reverse(at))).collect();
            while let Some((distance, Reverse(at))) = queue.pop() {
                let now = farthest.distance(group[at].node);
                if now == Some(distance) {
                    farthest.choose(group[at].node);
                    order.push(CandidateLink { dom_distance: now, ..group[at] });
                } else {
                    queue.push((now.unwrap_or(0), Reverse(at)));
                }
            }
            group.copy_from_slice(&order);
            farthest.forget(order.iter().map(|link| link.node));
        }
    }
}

/// For each of some nodes the distance to the nearest other one; [`u32::MAX`] if there is none. In one pass up, which keeps
/// the two nearest ways down of each node, and one pass down.
fn nearest_other(page: &Page, nodes: impl Iterator<Item = NodeId>) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut is_one = vec![false; page.len()];
    nodes.for_each(|node| is_one[node.index()] = true);
    // The two shortest ways down, and the child the shortest one goes through (the node itself if it is one).
    let mut down = vec![(NONE, NONE, 0u32); page.len()];
    let offer = |(best, second, through): &mut (u32, u32, u32), way: u32, by: u32| {
        if way < *best {
            (*best, *second, *through) = (way, *best, by);
        } else if way < *second {
            *second = way;
        }
    };
    for node in page.nodes().rev() {
        if is_one[node.index()] {
            offer(&mut down[node.index()], 0, node.0);
        }
        let way = down[node.index()].0;
        if let Some(parent) = page.parent(node).filter(|_| way < NONE) {
            offer(&mut down[parent.index()], way + 1, node.0);
        }
    }
    // The shortest way out of each subtree, through the parent.
    let mut up = vec![NONE; page.len()];
    let mut nearest = vec![NONE; page.len()];
    for node in page.nodes() {
        if let Some(parent) = page.parent(node) {
            let (best, second, through) = down[parent.index()];
            let beside = if through == node.0 { second } else { best };
            up[node.index()] = beside.min(up[parent.index()]).saturating_add(1);
        }
        let (best, second, through) = down[node.index()];
        nearest[node.index()] = up[node.index()].min(if through == node.0 { second } else { best });
    }
    nearest
}

/// A number that looks random but is the same every time (SplitMix64).
pub(crate) fn scramble(seed: u32, number: u64) -> u64 {
    let mut z = (u64::from(seed) << 32 ^ number).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::dom_distance::dom_distance;
    use proptest::prelude::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;
    use url::Url;

    const PLAIN: LinkOrder = LinkOrder {
        last_segment: LastSegment::Resource,
        first_pick: FirstPick::DocumentOrder,
        tie_reference: TieReference::Group,
        seed: 0,
    };

    /// A site of a page and all pages it links to.
    fn site_of(url: &str, html: &str) -> (LoadedSite, PageId, std::sync::Arc<Page>) {
        let key = Parser::new().url(url).parse(html);
        let linked: Vec<Url> = key.links().filter_map(|link| link.url).collect();
        let linked = linked.into_iter().map(|link| Parser::new().url(link.as_str()).parse(""));
        let site = LoadedSite::new(std::iter::once(key).chain(linked));
        let page = site.load(PageId(0)).unwrap();
        (site, PageId(0), page)
    }

    fn sorted(order: LinkOrder, url: &str, html: &str) -> Vec<(String, i32, Option<u32>)> {
        let (site, key, page) = site_of(url, html);
        let links = order.sort(&site, key, &page, &linked_pages(&site, key, &page));
        links.iter().map(|link| (page.text(link.node).to_owned(), link.hyperlink_distance, link.dom_distance)).collect()
    }

    fn names(order: LinkOrder, url: &str, html: &str) -> Vec<String> {
        sorted(order, url, html).into_iter().map(|(name, ..)| name).collect()
    }

    #[test]
    fn links_are_those_to_other_pages_of_the_same_host_each_once() {
        let html = "<a href=/a#x>first</a><a href=/a>again</a><a href=#top>self</a><a href=/key>self</a><a href=//shop.example.org/>other</a>\
                    <a href=mailto:x@example.org>mail</a><area href=/area><a name=x>none</a><a href=/b>b</a>";
        assert_eq!(names(PLAIN, "https://example.org/key", html), ["first", "b"]);
    }

    /// A page made by hand.
    #[test]
    fn the_next_link_is_the_one_farthest_from_those_chosen() {
        let html = "<body><nav><ul><li><a href=1>A1</a></li><li><a href=2>A2</a></li></ul></nav><div><a href=3>A3</a></div><footer><p><a href=4>A4</a></p></footer>";
        let expected = [("A1", None), ("A4", Some(7)), ("A3", Some(5)), ("A2", Some(4))];
        assert_eq!(sorted(PLAIN, "https://example.org/", html), expected.map(|(name, distance)| (name.to_owned(), 0, distance)));
    }

    /// Examples 2.2.13 and 2.2.15, with the distances of the latter.
    #[test]
    fn both_readings_of_the_example_of_the_master_thesis() {
        let html = "<body><div><a href=/news/world/europe/>A1</a></div>\
                    <div><div><a href=/>A2</a><p><a href=/news/uk/>A3</a></p></div></div>\
                    <div><div><a href=/sport/0/football/28497920/>A4</a></div></div>\
                    <div><div><a href=/news/also_in_the_news/>A5</a></div></div>";
        let url = "https://www.bbc.com/news/";
        let groups: Vec<i32> = sorted(PLAIN, url, html).into_iter().map(|(_, distance, _)| distance).collect();
        assert_eq!(groups, [1, 1, 2, -1, -1]);
        assert_eq!(names(PLAIN, url, html), ["A3", "A5", "A1", "A2", "A4"]);
        let all = LinkOrder { tie_reference: TieReference::AllLinks, ..PLAIN };
        assert_eq!(names(all, url, html), ["A5", "A3", "A1", "A4", "A2"]);
        let farthest = LinkOrder { first_pick: FirstPick::Farthest, ..PLAIN };
        assert_eq!(names(farthest, url, html)[0], "A5");
    }

    /// Some links of Table 7.2: groups at 0, 1 and −1.
    #[test]
    fn the_links_of_the_long_example_fall_into_its_groups() {
        let zero = ["/about/at-a-glance", "/about/caltech-media", "/about/offices-departments"];
        let one = ["/about/news/a", "/about/legacy/b", "/about/visit/c", "/about/visit/d"];
        let minus_one =
            ["/quick-links-faculty", "/map/history", "/academics/resources/academic-calendar", "/", "/about", "/research/jpl"];
        let link = |path: &&str| format!("<p><a href={path}>{path}</a></p>");
        let html: String = minus_one.iter().chain(&one).chain(&zero).map(link).collect();
        let found = sorted(PLAIN, "https://www.caltech.org/about/news", &html);
        let distances: Vec<i32> = found.iter().map(|(_, distance, _)| *distance).collect();
        assert_eq!(distances, [[0].repeat(3), [1].repeat(4), [-1].repeat(6)].concat());
    }

    #[test]
    fn a_page_of_very_many_links_is_sorted_at_once() {
        let html: String = (0..100_000).map(|at| format!("<li><a href={at}>x</a>")).collect();
        let (site, key, page) = site_of("https://example.org/", &html);
        let links = linked_pages(&site, key, &page);
        assert_eq!(PLAIN.sort(&site, key, &page, &links).len(), 100_000);
    }

    /// The definition as it stands: in each group, the one farthest from those chosen, compared with each of them.
    fn by_definition(page: &Page, links: &[CandidateLink]) -> Vec<NodeId> {
        let mut order = Vec::new();
        for group in links.chunk_by(|a, b| a.hyperlink_distance == b.hyperlink_distance) {
            let mut rest: Vec<NodeId> = group.iter().map(|link| link.node).collect();
            let mut chosen = vec![rest.remove(0)];
            while !rest.is_empty() {
                let distance = |node: NodeId| chosen.iter().map(|other| dom_distance(page, *other, node)).min();
                let next = (0..rest.len()).rev().max_by_key(|at| distance(rest[*at])).unwrap();
                chosen.push(rest.remove(next));
            }
            order.extend(chosen);
        }
        order
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_the_definition(pieces in prop::collection::vec((0usize..6, 0usize..9, 0usize..3), 0..25), seed in 0u32..9) {
            let html: String = pieces.iter().map(|(piece, number, depth)| match piece {
                0 => "<div>".to_owned(),
                1 => "</div>".to_owned(),
                2 => "<ul><li>".to_owned(),
                _ => format!("<a href={}{number}>x</a>", ["", "d/", "/"][*depth]),
            }).collect();
            let (site, key, page) = site_of("https://example.org/k/k", &html);
            let links = linked_pages(&site, key, &page);
            let sorted = PLAIN.sort(&site, key, &page, &links);
            let in_page: Vec<CandidateLink> = {
                let mut plain = sorted.clone();
                plain.order_by_key(|link| (link_relevance(link.hyperlink_distance), link.node));
                plain
            };
            prop_assert_eq!(sorted.iter().map(|link| link.node).collect::<Vec<_>>(), by_definition(&page, &in_page));
            for (first_pick, tie_reference) in [(FirstPick::Random, TieReference::Group), (FirstPick::Farthest, TieReference::Group), (FirstPick::DocumentOrder, TieReference::AllLinks)] {
                let order = LinkOrder { first_pick, tie_reference, seed, ..PLAIN };
                let other = order.sort(&site, key, &page, &links);
                let nodes = |links: &[CandidateLink]| { let mut nodes: Vec<_> = links.iter().map(|link| link.node).collect(); nodes.sort(); nodes };
                prop_assert_eq!(nodes(&other), nodes(&sorted));
                for group in other.chunk_by(|a, b| a.hyperlink_distance == b.hyperlink_distance) {
                    prop_assert!(group.iter().filter_map(|link| link.dom_distance).is_sorted_by(|a, b| a >= b));
                }
            }
            let all: Vec<NodeId> = links.iter().map(|(_, node)| *node).collect();
            let nearest = nearest_other(&page, all.iter().copied());
            for node in &all {
                let expected = all.iter().filter(|other| *other != node).map(|other| dom_distance(&page, *node, *other) as u32).min();
                prop_assert_eq!(nearest[node.index()], expected.unwrap_or(u32::MAX));
            }
        }
    }
}
