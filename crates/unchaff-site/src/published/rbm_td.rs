//! RBM-TD: template is what is the same, with everything below it, in the same place of all pages.
//!
//! K. Vieira, A. L. da Costa Carvalho, K. Berlt, E. S. de Moura, A. S. da Silva, J. Freire: On Finding Templates on Web
//! Collections, World Wide Web 12, 2009; as described by J. Alarte (PhD thesis, Universitat Politècnica de València, 2023,
//! chapter 12). A restricted bottom-up mapping (`bottom_up_mapping`) of each page onto the key
//! page; what all of them map, with the way up to the body, is the template. Neither what makes nodes equal nor what a
//! place is was published: both are parameters. A page of another template leaves nothing, which is why so few pages are
//! asked.

use crate::candidates::page_sample::{Draw, Judge, Judgement, sampled_entry};
use crate::learned::page_keys::{KeyMap, mix};
use crate::mapping::bottom_up_mapping::{Likeness, classes, labels, with_paths};
use crate::registry::SiteEntry;
use std::sync::Arc;
use unchaff_dom::{NodeSet, Page};
use unchaff_page::BlockKind;
use unchaff_page::parameters::{choice, parameters};

choice! {
    /// What the place of a node is.
    pub enum Place {
        /// The way down from the body by numbers: first child, third child.
        Indexes = "indexes",
        /// The way down from the body by names.
        Tags = "tags",
    }
}

parameters! {
    /// Parameters of RBM-TD.
    pub struct Params {
        /// When nodes are equal: exact, with addresses resolved, or by name alone.
        pub likeness: Likeness = Likeness::Resolved,
        /// What the place of a node is: the numbers or the names of the nodes on the way to it.
        pub place: Place = Place::Indexes,
        /// The share of pages that must have a node, all of them as published (0 to 1).
        pub share: f64 = 1.0,
        /// Whether the way up to the body is template too, as published.
        pub paths: bool = true,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = sampled_entry::<Params>(
    "subtrees that all other pages have in the same place, word for word",
    "K. Vieira et al.: On Finding Templates on Web Collections. World Wide Web 12, 2009; after J. Alarte, 2023, chapter 12",
    "linear in the pages compared",
);

impl Params {
    /// Of each node its subtree and place in one number; 0 for what is not compared.
    fn placed(&self, page: &Page) -> Vec<u64> {
        let mut placed = classes(page, &labels(page, self.likeness));
        let mut places = vec![0; page.len()];
        let mut children = vec![0u64; page.len()];
        for node in page.body().into_iter().flat_map(|body| page.descendants(body)) {
            let Some(parent) = page.parent(node).filter(|_| placed[node.index()] != 0) else { continue };
            children[parent.index()] += 1;
            let step = match self.place {
                Place::Indexes => children[parent.index()],
                Place::Tags => page.tag(node) as u64,
            };
            places[node.index()] = mix(places[parent.index()], step);
            placed[node.index()] = mix(placed[node.index()], places[node.index()]);
        }
        placed
    }
}

impl Judge for Params {
    const NAME: &'static str = "rbm-td";
    const KIND: BlockKind = BlockKind::Template;
    const PAGES: usize = 3;
    const DRAW: Draw = Draw::Linked;
    const COMPUTES: &'static str = "pages";

    fn judge(&self, page: &Page, others: &mut dyn Iterator<Item = Arc<Page>>) -> Judgement {
        let placed = self.placed(page);
        // How many pages have it, and the last of them.
        let mut found: KeyMap<(u32, u32)> = placed.iter().filter(|key| **key != 0).map(|key| (*key, (0, 0))).collect();
        let mut pages = 0;
        for other in others {
            pages += 1;
            for key in self.placed(&other) {
                if let Some((count, last)) = found.get_mut(&key).filter(|(_, last)| *last != pages) {
                    (*count, *last) = (*count + 1, pages);
                }
            }
        }
        let mut judgement = Judgement::nothing(page);
        let needed = (self.share * f64::from(pages)).max(1.0);
        let mut common = NodeSet::new(page);
        for node in page.nodes().filter(|node| placed[node.index()] != 0) {
            let count = f64::from(found[&placed[node.index()]].0);
            judgement.values[node.index()] = count;
            if count >= needed {
                common.insert_subtree(page, node);
            }
        }
        judgement.nodes = if self.paths { with_paths(page, &common) } else { common };
        judgement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::page_sample::tests::{answers_without_help, judged, names, tells_a_frame_from_articles};

    fn template(params: &Params, pages: &[&str]) -> Vec<String> {
        let (page, judgement) = judged(params, pages);
        names(&page, &judgement.nodes)
    }

    /// Pages made by hand.
    #[test]
    fn only_what_is_in_its_place_is_common() {
        let key = "<body><div><a></a><b></b></div><p>x</p></body>";
        let moved = "<body><p>x</p><div><a></a><b></b></div></body>";
        let other_text = "<body><div><a></a><b></b></div><p>y</p></body>";
        let (tags, bare) = (Params { place: Place::Tags, ..Params::default() }, Params { paths: false, ..Params::default() });
        assert_eq!(template(&Params::default(), &[key, other_text]), ["body", "div", "a", "b"]);
        assert_eq!(template(&bare, &[key, other_text]), ["div", "a", "b"]);
        assert!(template(&Params::default(), &[key, moved]).is_empty());
        assert_eq!(template(&tags, &[key, moved]), ["body", "div", "a", "b", "p", "'x'"]);
    }

    #[test]
    fn all_pages_must_have_it_or_as_many_as_asked() {
        let pages = ["<p>x</p><p>1</p>", "<p>x</p><p>2</p>", "<p>x</p><p>3</p>", "<p>y</p><p>4</p>"];
        assert!(template(&Params::default(), &pages).is_empty());
        assert_eq!(template(&Params { share: 0.6, ..Params::default() }, &pages), ["body", "p", "'x'"]);
        let tags = Params { likeness: Likeness::Tags, ..Params::default() };
        assert_eq!(template(&tags, &pages).len(), 5);
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
