//! RTDM-TD: template is what a restricted top-down mapping finds on one page after the other.
//!
//! K. Vieira, A. S. da Silva, N. Pinto, E. S. de Moura, J. M. B. Cavalcanti, J. Freire: A Fast and Robust Method for Web
//! Page Template Detection and Removal, CIKM 2006; as described by J. Alarte (PhD thesis, Universitat Politècnica de
//! València, 2023, chapter 12). The page is mapped onto another (`rtdm_mapping`), what is mapped
//! onto nodes exactly like it is the template so far, which is mapped onto the next page. Each page can only take away, so
//! one page of another template leaves little. The parameters are those of the mapping. With `inner=subtrees` and
//! `likeness=exact` recall is .17 on 40 sites, as low as Alarte has it (.16); mapped as defined it is .69.

use crate::candidates::page_sample::{Draw, Judge, Judgement, sampled_entry};
use crate::mapping::rtdm_mapping::{Costs, LabelledTree, RtdmMapping};
use crate::registry::SiteEntry;
use std::sync::Arc;
use unchaff_dom::{NodeSet, Page};
use unchaff_page::BlockKind;

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = sampled_entry::<Costs>(
    "nodes that a restricted top-down mapping finds exactly alike on all other pages",
    "K. Vieira et al.: A Fast and Robust Method for Web Page Template Detection and Removal. CIKM 2006; after J. Alarte, 2023, chapter 12",
    "quadratic in the children that are not alike, up to a limit, for each page compared",
);

impl Judge for Costs {
    const NAME: &'static str = "rtdm-td";
    const KIND: BlockKind = BlockKind::Template;
    const PAGES: usize = 3;
    const DRAW: Draw = Draw::Linked;
    const COMPUTES: &'static str = "pages";

    fn judge(&self, page: &Page, others: &mut dyn Iterator<Item = Arc<Page>>) -> Judgement {
        let mut judgement = Judgement::nothing(page);
        let mut left = self.labels(page);
        let mut pages = 0;
        for other in others {
            let (one, two) = (LabelledTree::new(page, &left), LabelledTree::new(&other, &self.labels(&other)));
            let kept = RtdmMapping::new(&one, &two, self).kept();
            pages += 1;
            let kept = NodeSet::from_nodes(page, kept);
            for node in &one.nodes {
                judgement.values[node.index()] = f64::from(pages);
                if !kept.contains(*node) {
                    judgement.values[node.index()] = f64::from(pages - 1);
                    left[node.index()] = 0;
                }
            }
        }
        if pages == 0 {
            return judgement;
        }
        for node in page.body().into_iter().flat_map(|body| page.subtree(body)) {
            // Blank text and comments, which are not mapped, go with what they stand in.
            let is_left = left[node.index()] != 0;
            let is_unmapped = judgement.values[node.index()].is_nan();
            if is_left || is_unmapped && page.parent(node).is_some_and(|parent| judgement.nodes.contains(parent)) {
                judgement.nodes.insert(node);
            }
        }
        judgement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::page_sample::tests::{answers_without_help, judged, names, tells_a_frame_from_articles};
    use crate::mapping::bottom_up_mapping::Likeness;

    fn template(params: &Costs, pages: &[&str]) -> Vec<String> {
        let (page, judgement) = judged(params, pages);
        names(&page, &judgement.nodes)
    }

    const PAGES: [&str; 3] = [
        "<ul> <li>Home<li>News</ul><div class=a><p>Rain</p></div><p>End</p>",
        "<ul> <li>Home<li>News</ul><div class=a><p>Sun</p></div><p>End</p>",
        "<ul> <li>Home<li>Blog</ul><h1>Title</h1><div class=b><p>Rain</p></div><p>End</p>",
    ];

    #[test]
    fn each_page_takes_away_what_it_has_not() {
        let found = template(&Costs::default(), &PAGES[..2]);
        assert_eq!(found, ["body", "ul", "' '", "li", "'Home'", "li", "'News'", "div", "p", "p", "'End'"]);
        let found = template(&Costs::default(), &PAGES);
        assert_eq!(found, ["body", "ul", "' '", "li", "'Home'", "li", "p", "'End'"]);
        let tags = Costs { likeness: Likeness::Tags, ..Costs::default() };
        assert_eq!(template(&tags, &PAGES).len(), 12);
    }

    /// The image is the same by its text, and `Rain` is a part of its paragraph.
    #[test]
    fn trees_can_be_made_smaller_first() {
        let (one, two) = ("<p>Rain</p><img src=a alt=x><p>End</p>", "<p>Sun</p><img src=b alt=x><p>End</p>");
        assert_eq!(template(&Costs::default(), &[one, two]), ["body", "p", "p", "'End'"]);
        let reduced = Costs { reduce: true, ..Costs::default() };
        assert_eq!(template(&reduced, &[one, two]), ["body", "img", "p", "'End'"]);
    }

    #[test]
    fn a_limit_to_the_cost_forbids_what_comes_after_much_that_differs() {
        let strict = Costs { epsilon: 0, ..Costs::default() };
        let found = template(&strict, &["<i>x</i><b>y</b>", "<u>z</u><b>y</b>"]);
        assert_eq!(found, ["body"]);
        assert_eq!(template(&Costs::default(), &["<i>x</i><b>y</b>", "<u>z</u><b>y</b>"]), ["body", "b", "'y'"]);
    }

    #[test]
    fn a_frame_is_told_from_articles() {
        tells_a_frame_from_articles::<Costs>();
    }

    #[test]
    fn a_site_of_one_page_has_an_answer() {
        answers_without_help::<Costs>();
    }
}
