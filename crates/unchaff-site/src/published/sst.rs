//! SST: template is what has the same style on the pages of a site and says nothing new in it.
//!
//! L. Yi, B. Liu, X. Li: Eliminating Noisy Information in Web Pages for Data Mining, KDD 2003; as described by T. Gottron
//! (PhD thesis, Mainz 2008, 3.3.4) and J. Alarte (PhD thesis, Universitat Politècnica de València, 2023, chapter 12). The
//! pages are laid over each other in a `SiteStyleTree`; an element whose composite importance, and that of everything
//! below it, is under a threshold is *noisy*: the authors drop it, a template detector reports it. Alarte's wording is
//! simpler: a group of siblings that enough pages have is template. Both are here; the threshold of neither is published.
//! Refinements whose conditions are not published (merging similar styles, ignoring small and rare elements) are left out.

use crate::candidates::page_sample::{Draw, Judge, Judgement, sampled_entry};
use crate::mapping::bottom_up_mapping::with_paths;
use crate::mapping::site_style_tree::{Leaves, Looks, NOWHERE, SiteStyleTree};
use crate::registry::SiteEntry;
use std::sync::Arc;
use unchaff_dom::{NodeId, NodeSet, Page};
use unchaff_page::parameters::{choice, parameters};
use unchaff_page::{BlockKind, Likely};

choice! {
    /// What makes an element template.
    pub enum Measure {
        /// It and all below it are of little importance (the authors).
        Importance = "importance",
        /// It and its siblings, and so all the way up, are on enough pages (as Alarte tells it).
        Count = "count",
    }
}

parameters! {
    /// Parameters of SST.
    pub struct Params {
        /// What makes an element template: little importance, or enough pages.
        pub measure: Measure = Measure::Importance,
        /// Elements of less composite importance are noisy (0 to 1); the authors set it by looking at 20 pages.
        pub threshold: f64 = 0.2,
        /// The weight of what is below an element with one style; with more styles a power of it (0 to 1).
        pub gamma: f64 = 0.9,
        /// For the measure count: the share of pages that must have a group of siblings (0 to 1), at least two.
        pub share: f64 = 2.0 / 3.0,
        /// What an element is besides its name: its attributes for looks, all, or nothing.
        pub looks: Looks = Looks::Presentation,
        /// Which elements are leaves: those without elements in them, or those around text.
        pub leaves: Leaves = Leaves::Elements,
        /// Whether what is around the template, up to the body, is template too.
        pub paths: bool = true,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = sampled_entry::<Params>(
    "elements that have the same style on the pages laid over each other, and little in them that differs",
    "L. Yi, B. Liu, X. Li: Eliminating Noisy Information in Web Pages for Data Mining. KDD 2003; after T. Gottron, 2008, 3.3.4",
    "linear in the pages compared",
);

impl Params {
    /// The highest importance of each element node and all below it.
    fn highest(&self, tree: &SiteStyleTree) -> Vec<f64> {
        let mut highest = tree.importance(self.gamma);
        for style in tree.styles.iter().rev() {
            let below = highest[style.first as usize..(style.first + style.len) as usize].iter().copied();
            let below = below.fold(0.0, f64::max);
            let above = &mut highest[style.parent as usize];
            *above = above.max(below);
        }
        highest
    }

    /// The smallest number of pages that have an element node, or one above it.
    fn fewest(tree: &SiteStyleTree) -> Vec<f64> {
        let mut fewest: Vec<f64> = (0..tree.style_of.len() as u32).map(|element| f64::from(tree.pages_with(element))).collect();
        for style in &tree.styles {
            let above = fewest[style.parent as usize];
            fewest[style.first as usize..(style.first + style.len) as usize].iter_mut().for_each(|own| *own = own.min(above));
        }
        fewest
    }
}

impl Judge for Params {
    const NAME: &'static str = "sst";
    const KIND: BlockKind = BlockKind::Template;
    const PAGES: usize = 24;
    const DRAW: Draw = Draw::Near;
    const COMPUTES: &'static str = "measure";
    const LIKELY: Likely = Likely::Low;

    fn judge(&self, page: &Page, others: &mut dyn Iterator<Item = Arc<Page>>) -> Judgement {
        let mut judgement = Judgement::nothing(page);
        let Some(body) = page.body() else { return judgement };
        // Where nothing but styles is counted, all elements have some.
        let leaves = if self.measure == Measure::Count { Leaves::Elements } else { self.leaves };
        let mut tree = SiteStyleTree::new(self.looks, leaves);
        let places = tree.add(page);
        let mut pages = 1;
        for other in others {
            tree.add(&other);
            pages += 1;
        }
        if pages == 1 {
            return judgement;
        }
        let values = match self.measure {
            Measure::Importance => self.highest(&tree),
            Measure::Count => Params::fewest(&tree),
        };
        let needed = (self.share * f64::from(pages)).max(2.0) - 1e-9;
        let mut template = NodeSet::new(page);
        for (at, place) in places.iter().enumerate().filter(|(_, place)| **place != NOWHERE) {
            let node = NodeId(body.0 + at as u32);
            let value = values[*place as usize];
            judgement.values[node.index()] = value;
            match self.measure {
                Measure::Importance if value < self.threshold => template.insert_subtree(page, node),
                // The body has no siblings that could be counted.
                Measure::Count if value >= needed && node > body => {
                    template.insert(node);
                    page.children(node).filter(|child| !page.is_element(*child)).for_each(|child| template.insert(child));
                }
                _ => {}
            }
        }
        judgement.nodes = if self.paths { with_paths(page, &template) } else { template };
        judgement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::page_sample::tests::{answers_without_help, judged, names};

    fn template(params: &Params, pages: &[&str]) -> Vec<String> {
        let (page, judgement) = judged(params, pages);
        names(&page, &judgement.nodes)
    }

    const PAGES: [&str; 3] = [
        "<ul><li>Home<li>News</ul><div><p>Rain all day</p></div>",
        "<ul><li>Home<li>News</ul><div><p>Sun at noon</p></div>",
        "<ul><li>Home<li>News</ul><div><p>Snow tonight</p><p>Again</p></div>",
    ];

    #[test]
    fn what_is_the_same_everywhere_is_noisy() {
        assert_eq!(template(&Params::default(), &PAGES), ["body", "ul", "li", "'Home'", "li", "'News'"]);
        let bare = Params { paths: false, ..Params::default() };
        assert_eq!(template(&bare, &PAGES), ["ul", "li", "'Home'", "li", "'News'"]);
    }

    #[test]
    fn an_element_is_noisy_only_if_all_below_it_is() {
        // The division has one style, and its paragraph makes it important: gamma of nothing hides that, but not below it.
        let params = Params { gamma: 0.0, paths: false, ..Params::default() };
        assert_eq!(template(&params, &PAGES[..2]), ["ul", "li", "'Home'", "li", "'News'"]);
        let all = Params { threshold: 1.1, ..Params::default() };
        assert_eq!(template(&all, &PAGES[..2]).len(), 9);
    }

    #[test]
    fn groups_of_siblings_that_enough_pages_have_are_counted() {
        let count = Params { measure: Measure::Count, ..Params::default() };
        let found = template(&count, &PAGES);
        assert_eq!(found, ["body", "ul", "li", "'Home'", "li", "'News'", "div", "p", "'Rain all day'"]);
        let all = Params { share: 1.0, ..count.clone() };
        assert_eq!(template(&all, &PAGES), ["body", "ul", "li", "'Home'", "li", "'News'", "div"]);
        assert!(template(&count, &["<p>x</p>", "<div>x</div>"]).is_empty());
    }

    #[test]
    fn a_site_of_one_page_has_an_answer() {
        answers_without_help::<Params>();
    }
}
