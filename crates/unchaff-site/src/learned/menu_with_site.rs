//! The main menu of a page beside its site: a list of links that other pages do not have is not the menu.
//!
//! Our own, on top of [`menu_auto`](unchaff_page::learned::menu_auto). All that leads through a site recurs, and more than the main menu does: the
//! footer, categories, the copy for small screens. So the site cannot choose the menu; it can only speak against candidates whose links stand on few
//! similar pages: lists within the content, related pages, an index of the page. What recurs most on the page is the measure, so that a sample
//! of unlike pages averages no menu away.

use crate::learned::comparison::Comparison;
use crate::learned::page_keys::PageKeys;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::learned::menu_auto::{Candidate, MenuAuto, confidence};
use unchaff_page::learned::name_families::NameFamilies;
use unchaff_page::{Block, BlockKind};

/// How much less a candidate scores of whose links no similar page has any.
const AGAINST: f64 = 3.0;

/// How far the links of each candidate recur on similar pages, 0 to 1 for those that recur most.
#[must_use]
pub fn recurrence(page: &Page, keys: &PageKeys, comparison: &Comparison<'_>, candidates: &[Candidate]) -> Vec<f64> {
    // Links, and their shares of pages, before each element.
    let mut before = vec![(0.0, 0.0)];
    let (mut links, mut shares) = (0.0, 0.0);
    for (at, node) in keys.nodes.iter().enumerate() {
        if page.tag(*node) == Tag::A && keys.keys[at].reference != 0 {
            links += 1.0;
            shares += f64::from(comparison.found(at).reference);
        }
        before.push((links, shares));
    }
    let place = |node: NodeId| keys.nodes.partition_point(|other| *other < node);
    let mean = |candidate: &Candidate| {
        let (from, to) = (before[place(candidate.node)], before[place(page.end(candidate.node))]);
        if to.0 > from.0 { (to.1 - from.1) / (to.0 - from.0) } else { 0.0 }
    };
    let means: Vec<f64> = candidates.iter().map(mean).collect();
    let most = means.iter().copied().fold(0.0, f64::max);
    means.into_iter().map(|mean| if most > 0.0 { mean / most } else { 1.0 }).collect()
}

/// The menu of a page that was compared with others.
pub(crate) fn menu(page: &Page, names: &NameFamilies, keys: &PageKeys, comparison: &Comparison<'_>) -> Block {
    let technique = MenuAuto::default();
    let mut candidates = technique.candidates_named(page, names);
    if comparison.is_known() {
        let recurrence = recurrence(page, keys, comparison, &candidates);
        candidates.iter_mut().zip(recurrence).for_each(|(candidate, recurs)| candidate.score -= AGAINST * (1.0 - recurs));
    }
    match technique.choose(&candidates) {
        Some(best) => {
            let nodes = page.subtree_set(candidates[best].node);
            Block { confidence: Some(confidence(&candidates, best) as f32), ..Block::of(BlockKind::Menu, nodes) }
        }
        None => Block::of(BlockKind::Menu, NodeSet::new(page)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteModel;
    use crate::learned::comparison::Company;
    use unchaff_dom::Parser;
    use unchaff_dom::select::Selector;

    const TOWNS: [&str; 5] = ["Aldermoor", "Brackwater", "Coldharbour", "Dunsmere", "Eastwick"];

    /// A page with a list of its own that looks like a menu, and the one that all pages have.
    fn page(number: usize) -> Page {
        let town = TOWNS[number];
        let list = |id: &str, start: &str| {
            let items: String =
                ["east", "west", "north", "south"].map(|side| format!("<li><a href=/{start}-{side}>{start} {side}</a>")).concat();
            format!("<ul id={id}>{items}</ul>")
        };
        let html = format!(
            "<div class=nav>{}</div><p>Rain fell on {town} and did not stop until the river of {town} was full to its brim.</p><div class=nav>{}</div>",
            list("own", town),
            list("all", "section")
        );
        Parser::new().url(&format!("https://example.org/{town}")).parse(html)
    }

    fn found(others: usize) -> String {
        let model = SiteModel::learn(&(1..=others).map(page).collect::<Vec<_>>());
        let page = page(0);
        let (keys, names) = (PageKeys::of(&page), NameFamilies::of(&page));
        let menu = menu(&page, &names, &keys, &model.compare(&keys, &Company::default()));
        page.attr(menu.nodes.roots(&page)[0], "id").unwrap_or_default().to_owned()
    }

    #[test]
    fn a_list_that_no_other_page_has_is_not_the_menu() {
        assert_eq!([found(0), found(1), found(4)], ["own", "all", "all"]);
    }

    #[test]
    fn what_recurs_most_is_the_measure() {
        let (page, model) = (page(0), SiteModel::learn(&[page(1), page(2)]));
        let keys = PageKeys::of(&page);
        let candidates = MenuAuto::default().candidates(&page);
        let found = recurrence(&page, &keys, &model.compare(&keys, &Company::default()), &candidates);
        let at = |id: &str| {
            let node = page.select(&Selector::parse(id).unwrap()).next();
            found[candidates.iter().position(|candidate| Some(candidate.node) == node).unwrap()]
        };
        assert_eq!((at("#own"), at("#all")), (0.0, 1.0));
    }
}
