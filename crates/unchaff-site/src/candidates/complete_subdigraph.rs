//! A complete subdigraph: pages that all link to each other, found while loading as few as possible.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! §7.2.1 and Algorithm 9. Pages reached from one menu carry that menu and so link to each other; such pages share a
//! template. Links are loaded in order until `n` of the loaded pages are linked in pairs, both ways. The key page itself
//! does not count. Where no `n` such pages exist, the largest set found is the answer, of equals the earliest.
//!
//! The thesis looks through all subsets; here only those with the page that came last are, in order, and no more steps are
//! spent than `MOST_STEPS`, which no real site needs.

use crate::candidates::link_order::linked_pages;
use unchaff_dom::{PageId, Site};

/// Steps of the search after which the best set found so far is taken.
const MOST_STEPS: usize = 2_000_000;

/// How pages are searched for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    /// How many pages are wanted.
    pub n: usize,
    /// No more pages are loaded, the key page included; 0 is no limit.
    pub max_loads: usize,
    /// Whether a page must link back to the key page.
    pub require_backlink: bool,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Subdigraph {
    /// Pages that all link to each other, in the order in which they were loaded.
    pub pages: Vec<PageId>,
    /// How many links were followed.
    pub followed: usize,
    /// Pages that could not be loaded, and why.
    pub failed: Vec<(PageId, String)>,
    /// Whether the search ended because of the limit on loads.
    pub limited: bool,
}

impl Subdigraph {
    /// How many pages were loaded, the key page and failures included.
    #[must_use]
    pub fn loads(&self) -> usize {
        self.followed + 1
    }
}

impl Search {
    /// Follows links in order until a complete subdigraph of the wanted size is found (Algorithm 9).
    #[must_use]
    pub(crate) fn find(&self, site: &dyn Site, key: PageId, order: &[PageId]) -> Subdigraph {
        let mut found = Subdigraph::default();
        let mut graph = MutualLinks::new(order);
        for page in order {
            if found.pages.len() >= self.n {
                break;
            }
            if self.max_loads > 0 && found.loads() >= self.max_loads {
                found.limited = true;
                break;
            }
            found.followed += 1;
            let loaded = match site.load(*page) {
                Ok(loaded) => loaded,
                Err(error) => {
                    found.failed.push((*page, error.to_string()));
                    continue;
                }
            };
            let mut out: Vec<PageId> = linked_pages(site, *page, &loaded).into_iter().map(|(target, _)| target).collect();
            out.sort_unstable();
            if self.require_backlink && out.binary_search(&key).is_err() {
                continue;
            }
            graph.add(*page, &out);
            let largest = graph.largest_with_last(self.n);
            if largest.len() > found.pages.len() {
                found.pages = largest;
            }
        }
        found
    }

    /// Follows links in order until the wanted number of pages is loaded, whatever links they have.
    #[must_use]
    pub(crate) fn first(&self, site: &dyn Site, order: &[PageId]) -> Subdigraph {
        let mut found = Subdigraph::default();
        for page in order {
            found.limited = self.max_loads > 0 && found.loads() >= self.max_loads && found.pages.len() < self.n;
            if found.limited || found.pages.len() >= self.n {
                break;
            }
            found.followed += 1;
            match site.load(*page) {
                Ok(_) => found.pages.push(*page),
                Err(error) => found.failed.push((*page, error.to_string())),
            }
        }
        found
    }
}

/// The loaded pages and which of them link to each other.
#[derive(Debug)]
struct MutualLinks {
    /// The pages that may come, ascending; links to others are of no interest.
    reachable: Vec<PageId>,
    pages: Vec<PageId>,
    /// The links of each page, ascending.
    out: Vec<Vec<PageId>>,
    /// Pages that each page shares links with, by position.
    mutual: Vec<Vec<usize>>,
    steps: usize,
}

impl MutualLinks {
    fn new(reachable: &[PageId]) -> MutualLinks {
        let mut reachable = reachable.to_vec();
        reachable.sort_unstable();
        MutualLinks { reachable, pages: Vec::new(), out: Vec::new(), mutual: Vec::new(), steps: 0 }
    }

    fn add(&mut self, page: PageId, out: &[PageId]) {
        let out: Vec<PageId> = out.iter().copied().filter(|target| self.reachable.binary_search(target).is_ok()).collect();
        let linked = |at: &usize| out.binary_search(&self.pages[*at]).is_ok() && self.out[*at].binary_search(&page).is_ok();
        let mutual: Vec<usize> = (0..self.pages.len()).filter(linked).collect();
        mutual.iter().for_each(|at| self.mutual[*at].push(self.pages.len()));
        self.pages.push(page);
        self.out.push(out);
        self.mutual.push(mutual);
    }

    /// The largest complete set of at most `n` pages with the last one in it; of equals the one of the earliest pages.
    fn largest_with_last(&mut self, n: usize) -> Vec<PageId> {
        let Some(last) = self.pages.len().checked_sub(1).filter(|_| n > 0) else { return Vec::new() };
        let mut best: Vec<usize> = Vec::new();
        let mut chosen: Vec<usize> = Vec::new();
        // Of each level, who can still join the chosen, and the next of them to try.
        let mut levels: Vec<(Vec<usize>, usize)> = vec![(self.mutual[last].clone(), 0)];
        while let Some((joining, next)) = levels.last_mut() {
            let hopeless = chosen.len() + (joining.len() - *next) <= best.len();
            if hopeless || best.len() + 1 >= n || self.steps >= MOST_STEPS {
                levels.pop();
                chosen.pop();
                continue;
            }
            let page = joining[*next];
            *next += 1;
            self.steps += joining.len() - *next + 1;
            let rest = joining[*next..].iter().copied().filter(|other| self.mutual[page].binary_search(other).is_ok()).collect();
            chosen.push(page);
            if chosen.len() > best.len() {
                best.clone_from(&chosen);
            }
            levels.push((rest, 0));
        }
        best.iter().chain([&last]).map(|at| self.pages[*at]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    const PLAIN: Search = Search { n: 3, max_loads: 0, require_backlink: false };

    /// A site whose key page, number 0, links to pages 1, 2, … and these to each other as told.
    fn site(pages: usize, arcs: &[(usize, usize)]) -> LoadedSite {
        let link = |to: usize| format!("<a href=/{to}>{to}</a>");
        LoadedSite::new((0..=pages).map(|page| {
            let html: String = match page {
                0 => (1..=pages).map(link).collect(),
                _ => arcs.iter().filter(|(from, _)| *from == page).map(|(_, to)| link(*to)).collect(),
            };
            Parser::new().url(&format!("https://example.org/{page}")).parse(html)
        }))
    }

    fn find(search: Search, pages: usize, arcs: &[(usize, usize)]) -> (Vec<u32>, usize) {
        let order: Vec<PageId> = (1..=pages as u32).map(PageId).collect();
        let found = search.find(&site(pages, arcs), PageId(0), &order);
        (found.pages.iter().map(|page| page.0).collect(), found.loads())
    }

    fn both_ways(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
        pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect()
    }

    /// §7.2.3, after Table 7.2: the second and the fourth page link to the others, but are not linked back.
    #[test]
    fn the_published_example_of_four_pages() {
        let mut arcs = both_ways(&[(1, 3), (1, 5), (1, 6), (3, 5), (3, 6), (5, 6)]);
        arcs.extend([2, 4].iter().flat_map(|from| [1, 3, 5, 6].map(|to| (*from, to))));
        assert_eq!(find(Search { n: 4, ..PLAIN }, 8, &arcs), (vec![1, 3, 5, 6], 7));
    }

    /// Graphs made by hand.
    #[test]
    fn without_enough_pages_the_largest_set_is_taken_the_earliest_of_equals() {
        assert_eq!(find(PLAIN, 3, &both_ways(&[(1, 2), (2, 3)])), (vec![1, 2], 4));
        assert_eq!(find(Search { n: 1, ..PLAIN }, 3, &[]), (vec![1], 2));
        assert_eq!(find(PLAIN, 0, &[]), (vec![], 1));
        assert_eq!(find(Search { n: 2, ..PLAIN }, 2, &[(1, 2)]), (vec![1], 3));
        assert_eq!(find(Search { n: 0, ..PLAIN }, 2, &[(1, 2)]), (vec![], 1));
    }

    /// A graph made by hand.
    #[test]
    fn pages_are_loaded_only_until_enough_are_found() {
        let arcs = [(1, 2), (1, 3), (1, 4), (2, 1), (2, 3), (3, 1), (3, 2), (4, 1), (5, 1), (5, 2), (5, 3)];
        assert_eq!(find(Search { n: 2, ..PLAIN }, 5, &arcs), (vec![1, 2], 3));
        assert_eq!(find(Search { n: 3, ..PLAIN }, 5, &arcs), (vec![1, 2, 3], 4));
        assert_eq!(find(Search { n: 4, ..PLAIN }, 5, &arcs), (vec![1, 2, 3], 6));
        assert_eq!(find(Search { n: 4, max_loads: 3, ..PLAIN }, 5, &arcs), (vec![1, 2], 3));
    }

    /// The prose of §7.2.1 asks for it, Algorithm 9 does not.
    #[test]
    fn a_link_back_to_the_key_page_can_be_asked_for() {
        let mut arcs = both_ways(&[(1, 2), (1, 3), (2, 3), (2, 4), (3, 4)]);
        assert_eq!(find(PLAIN, 4, &arcs).0, [1, 2, 3]);
        arcs.extend([(2, 0), (3, 0), (4, 0)]);
        assert_eq!(find(Search { require_backlink: true, ..PLAIN }, 4, &arcs).0, [2, 3, 4]);
    }

    /// Algorithm 9 without short cuts: all subsets, the largest, of equals that of the earliest pages.
    fn by_subsets(n: usize, pages: usize, arcs: &[(usize, usize)]) -> (Vec<u32>, usize) {
        let mut best: Vec<usize> = Vec::new();
        for last in 1..=pages {
            let mut largest: Vec<usize> = Vec::new();
            for subset in 0u32..1 << (last - 1) {
                let mut set: Vec<usize> = (1..last).filter(|page| subset >> (page - 1) & 1 == 1).collect();
                set.push(last);
                let complete = set.iter().all(|a| set.iter().all(|b| a == b || arcs.contains(&(*a, *b))));
                if complete && set.len() <= n && (set.len() > largest.len() || set.len() == largest.len() && set < largest) {
                    largest = set;
                }
            }
            if largest.len() > best.len() {
                best = largest;
            }
            if best.len() == n {
                return (best.iter().map(|page| *page as u32).collect(), last + 1);
            }
        }
        (best.iter().map(|page| *page as u32).collect(), pages + 1)
    }

    proptest! {
        #[test]
        fn the_search_equals_trying_all_subsets(n in 1usize..6, pages in 0usize..9, arcs in prop::collection::vec((1usize..9, 1usize..9), 0..60)) {
            let arcs: Vec<_> = arcs.into_iter().filter(|(a, b)| a != b && *a <= pages && *b <= pages).collect();
            prop_assert_eq!(find(Search { n, ..PLAIN }, pages, &arcs), by_subsets(n, pages, &arcs));
        }
    }
}
