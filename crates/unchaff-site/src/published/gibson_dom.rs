//! Gibson, Punera and Tomkins' detector on the tree: subtrees that recur anywhere on a tenth of the site's pages are
//! template.
//!
//! D. Gibson, K. Punera, A. Tomkins: The Volume and Evolution of Web Page Templates, WWW 2005; as described by T. Gottron
//! (Content Extraction, PhD thesis, Mainz 2008, 3.3.8). Every element has a hash of itself and all that is in it
//! (`bottom_up_mapping`); template are the outermost elements whose hash is on enough pages.
//! They meant to measure a site, not a page: on few pages a tenth is less than one, so that a page would be its own
//! witness; at least two must have it.

use crate::candidates::page_sample::{Draw, Judge, Judgement, sampled_entry};
use crate::learned::page_keys::KeyMap;
use crate::mapping::bottom_up_mapping::{Likeness, classes, labels, with_paths};
use crate::registry::SiteEntry;
use std::sync::Arc;
use unchaff_dom::{NodeId, NodeSet, Page};
use unchaff_page::BlockKind;
use unchaff_page::parameters::parameters;

parameters! {
    /// Parameters of the detector on the tree.
    pub struct Params {
        /// The share of pages, the page itself included, from which on an element is template (0 to 1).
        pub min_share: f64 = 0.1,
        /// The share of pages up to which it is; 1 has no effect, less leaves out what is everywhere, such as `br`.
        pub max_share: f64 = 1.0,
        /// How many pages must have it in any case, the page itself included.
        pub min_pages: usize = 2,
        /// When nodes are equal: exact, with addresses resolved, or by name alone.
        pub likeness: Likeness = Likeness::Resolved,
        /// Between two pieces of template beside each other, so many characters are template too; 0 is off.
        pub gap: usize = 0,
        /// Whether what is around the template, up to the body, is template too; not in the publication.
        pub paths: bool = true,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = sampled_entry::<Params>(
    "elements that are, with all that is in them, on a tenth of the pages, wherever they stand",
    "D. Gibson, K. Punera, A. Tomkins: The Volume and Evolution of Web Page Templates. WWW 2005; after T. Gottron, 2008, 3.3.8",
    "linear in the pages compared",
);

impl Params {
    /// The share of the bytes of some pages' bodies that is template, which is what the publication asks for; none if there are none.
    #[must_use]
    pub(crate) fn share(&self, pages: &[&Page]) -> Option<f64> {
        let hashes = |page: &Page| classes(page, &labels(page, self.likeness));
        // How many pages have it, and the last of them.
        let mut found: KeyMap<(u32, u32)> = KeyMap::default();
        for (number, page) in (1..).zip(pages) {
            for hash in hashes(page).into_iter().filter(|hash| *hash != 0) {
                let (count, last) = found.entry(hash).or_insert((0, 0));
                if *last != number {
                    (*count, *last) = (*count + 1, number);
                }
            }
        }
        let is_template = |hash: &u64| {
            let count = found.get(hash).map_or(0, |(count, _)| *count);
            let share = f64::from(count) / pages.len() as f64;
            share >= self.min_share && share <= self.max_share && count as usize >= self.min_pages
        };
        let (mut template, mut all) = (0, 0);
        for page in pages {
            let hashes = hashes(page);
            let Some(body) = page.body() else { continue };
            all += page.source_range(body).len();
            let mut node = body;
            while node < page.end(body) {
                if page.is_element(node) && is_template(&hashes[node.index()]) {
                    template += page.source_range(node).len();
                    node = page.end(node);
                } else {
                    node.0 += 1;
                }
            }
        }
        (all > 0).then(|| (template as f64 / all as f64).min(1.0))
    }
}

impl Judge for Params {
    const NAME: &'static str = "gibson-dom";
    const KIND: BlockKind = BlockKind::Template;
    const PAGES: usize = 24;
    const DRAW: Draw = Draw::Near;
    const COMPUTES: &'static str = "share of pages";

    fn judge(&self, page: &Page, others: &mut dyn Iterator<Item = Arc<Page>>) -> Judgement {
        let hashes = |page: &Page| classes(page, &labels(page, self.likeness));
        let own = hashes(page);
        // How many pages have it, and the last of them.
        let mut found: KeyMap<(u32, u32)> = own.iter().filter(|hash| **hash != 0).map(|hash| (*hash, (1, 0))).collect();
        let mut others_seen = 0;
        for other in others {
            others_seen += 1;
            for hash in hashes(&other) {
                if let Some((count, last)) = found.get_mut(&hash).filter(|(_, last)| *last != others_seen) {
                    (*count, *last) = (*count + 1, others_seen);
                }
            }
        }
        let mut judgement = Judgement::nothing(page);
        let mut roots: Vec<NodeId> = Vec::new();
        let mut covered = NodeId(0);
        for node in page.nodes().filter(|node| own[node.index()] != 0 && page.is_element(*node)) {
            let count = found[&own[node.index()]].0;
            let share = f64::from(count) / f64::from(others_seen + 1);
            judgement.values[node.index()] = share;
            let is_template = share >= self.min_share && share <= self.max_share && count as usize >= self.min_pages;
            if is_template && node >= covered {
                roots.push(node);
                covered = page.end(node);
            }
        }
        let mut template = NodeSet::from_roots(page, roots.iter().copied());
        for pair in roots.windows(2).filter(|pair| self.gap > 0 && page.parent(pair[0]) == page.parent(pair[1])) {
            let (from, to) = (page.end(pair[0]), pair[1]);
            if page.counts_between(from, to).chars as usize <= self.gap {
                (from.0..to.0).for_each(|between| template.insert(NodeId(between)));
            }
        }
        judgement.nodes = if self.paths { with_paths(page, &template) } else { template };
        judgement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::page_sample::tests::{answers_without_help, judged, names, tells_a_frame_from_articles};

    fn template(params: &Params, pages: &[String]) -> Vec<String> {
        let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
        let (page, judgement) = judged(params, &pages);
        names(&page, &judgement.nodes)
    }

    fn bare() -> Params {
        Params { paths: false, ..Params::default() }
    }

    /// Of 20 pages, one is too few, two and all are enough; what is inside is not reported again.
    #[test]
    fn a_tenth_of_the_pages_is_enough() {
        for (on, is_template) in [(1, false), (2, true), (20, true)] {
            let pages: Vec<String> = (0..20)
                .map(|at| format!("{}<p>{}</p>", if at < on { "<ul><li>x</ul>" } else { "" }, "own".repeat(at + 1)))
                .collect();
            let found = template(&bare(), &pages);
            assert_eq!(found == ["ul", "li", "'x'"], is_template, "{on}: {found:?}");
            assert_eq!(found.is_empty(), !is_template);
        }
    }

    /// Both have the list and nothing else in common.
    #[test]
    fn the_share_of_a_site_is_in_bytes() {
        let list = "<ul><li>x</ul>";
        let pages = [format!("<body>{list}<p>one</body>"), format!("<body>{list}<p>three</body>")].map(Page::parse);
        let bytes: usize = pages.iter().map(|page| page.source_range(page.body().unwrap()).len()).sum();
        let pages: Vec<&Page> = pages.iter().collect();
        assert_eq!(Params::default().share(&pages), Some(2.0 * list.len() as f64 / bytes as f64));
        assert_eq!(Params::default().share(&[]), None);
    }

    #[test]
    fn a_page_is_no_witness_for_itself_however_few_there_are() {
        let pages = ["<p>own</p>", "<p>other</p>"].map(str::to_owned);
        assert!(template(&bare(), &pages).is_empty());
        assert_eq!(template(&Params { min_pages: 1, ..bare() }, &pages), ["body", "p", "'own'"]);
    }

    #[test]
    fn what_is_everywhere_can_be_left_out_and_gaps_be_joined() {
        let pages: Vec<String> = (0..12)
            .map(|at| {
                format!(
                    "<p>{}<br><i>{}</i></p><div><b>Page</b><i>{at}</i><u>{}</u></div>",
                    "x".repeat(at),
                    "y".repeat(at),
                    if at < 5 { "of" } else { "" }
                )
            })
            .collect();
        assert_eq!(template(&bare(), &pages), ["br", "b", "'Page'", "u", "'of'"]);
        assert_eq!(template(&Params { max_share: 0.9, ..bare() }, &pages), ["u", "'of'"]);
        assert_eq!(template(&Params { gap: 20, ..bare() }, &pages), ["br", "b", "'Page'", "i", "'0'", "u", "'of'"]);
        assert_eq!(template(&Params::default(), &pages), ["body", "p", "br", "div", "b", "'Page'", "u", "'of'"]);
    }

    #[test]
    fn a_frame_is_told_from_articles() {
        tells_a_frame_from_articles::<Params>();
    }

    #[test]
    fn a_site_of_one_page_has_an_answer() {
        answers_without_help::<Params>();
    }
}
