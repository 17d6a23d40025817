//! Mappings of whole pages: what must always hold, and the published examples.

use super::*;
use proptest::prelude::*;
use unchaff_dom::{NodeSet, Page};

fn map_with(equality: &Equality, pairing: &Pairing, key: &Page, other: &Page) -> Mapping {
    let mut mapper = Mapper::new(equality, pairing);
    let (key, other) = (TreeView::new(key, NodeSet::new(key)), TreeView::new(other, NodeSet::new(other)));
    let (key_items, other_items) = (mapper.items(&key), mapper.items(&other));
    mapper.map((&key, &key_items), (&other, &other_items))
}

fn map(key: &Page, other: &Page) -> Mapping {
    map_with(&Equality::default(), &Pairing::default(), key, other)
}

fn names(page: &Page, mapping: &Mapping) -> String {
    mapping.pairs().map(|(node, _)| page.name(node).to_owned()).collect::<Vec<_>>().join(" ")
}

/// Pages made by hand.
#[test]
fn nothing_is_mapped_below_a_node_without_a_partner() {
    let (key, other) = (Page::parse("<body><table><tr></table>"), Page::parse("<body><div><table><tr></table></div>"));
    assert_eq!(names(&key, &map_with(&Equality::m14(), &Pairing::split_before_after(), &key, &other)), "body");
}

#[test]
fn bodies_that_are_not_equal_map_nothing_unless_they_are_taken_as_equal() {
    let (key, other) = (Page::parse("<body a b c><p>x</p>"), Page::parse("<body><p>x</p>"));
    assert!(map(&key, &other).is_empty());
    let pairing = Pairing { root_test: false, ..Pairing::default() };
    assert_eq!(map_with(&Equality::default(), &pairing, &key, &other).pairs().count(), 3);
}

/// The first three are of Alarte 2023, §9.3.1 with Example 9.3.2, and §10.3.1; the others are made by hand.
#[test]
fn children_are_grouped_as_published() {
    let sizes = |children: usize, size: usize, from: usize| {
        let chunk = Grouping { size, from }.chunk(children);
        chunk.map(|size| chunks(0..children, size).iter().map(ExactSizeIterator::len).collect::<Vec<_>>())
    };
    assert_eq!(sizes(10, 5, 10), Some(vec![5; 2]));
    assert_eq!(sizes(200, 50, 200), Some(vec![50; 4]));
    assert_eq!(sizes(320, 40, 200), Some(vec![40; 8]));
    assert_eq!(sizes(199, 100, 200), None);
    assert_eq!(sizes(200, 100, 200), Some(vec![100; 2]));
    assert_eq!(sizes(250, 100, 200), Some(vec![100, 100, 50]));
    assert_eq!(sizes(50_000, 100, 200), Some(vec![10_000; 5]), "groups of groups");
    assert_eq!(sizes(300, 125, 100), Some(vec![125, 125, 50]));
    for (size, from) in [(0, 5), (1, 1), (2, 1), (2, 2), (100, 1)] {
        sizes(1_000, size, from);
    }
}

fn list(items: impl IntoIterator<Item = usize>) -> Page {
    let items: String = items.into_iter().map(|item| format!("<li title=t{item}>item</li>")).collect();
    Page::parse(format!("<body><ul>{items}</ul></body>"))
}

#[test]
fn very_wide_parents_are_mapped_in_groups() {
    let values = Equality { attribute_mode: crate::mapping::node_equality::AttributeMode::NamesAndValues, ..Equality::default() };
    let (key, other) = (list(0..50_000), list(0..50_000));
    assert_eq!(map_with(&values, &Pairing::default(), &key, &other).pairs().count(), key.range(key.body().unwrap()).len());
    let other = list((0..25_000).chain(60_000..60_010).chain(25_000..50_000));
    let mapped = map_with(&values, &Pairing::default(), &key, &other).pairs().count();
    assert!(mapped > 90_000, "{mapped}");
}

/// If one side must be grouped, both are.
#[test]
fn a_list_just_short_of_grouping_still_finds_its_partner() {
    let (key, other) = (list(0..199), list(0..201));
    assert_eq!(map(&key, &other).pairs().count(), 2 + 2 * 199);
}

fn some_page() -> impl Strategy<Value = Page> {
    let pieces = prop::sample::select(vec![
        "<div>",
        "<div class=a>",
        "</div>",
        "<ul>",
        "<li>",
        "</ul>",
        "<p id=x>",
        "text",
        "<b>",
        "</b>",
        "<!--c-->",
        "<img src=a>",
    ]);
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| Page::parse(format!("<body>{}", pieces.concat())))
}

proptest! {
    /// Alarte 2023, Def. 4.2.7.
    #[test]
    fn a_mapping_is_one_to_one_equal_and_top_down(key in some_page(), other in some_page(), grouped in any::<bool>()) {
        let pairing = Pairing { group: 3, group_from: if grouped { 4 } else { 0 }, ..Pairing::default() };
        let mapping = map_with(&Equality::default(), &pairing, &key, &other);
        let mut partners: Vec<NodeId> = mapping.pairs().map(|(_, partner)| partner).collect();
        partners.sort_unstable();
        prop_assert!(partners.is_sorted_by(|a, b| a < b));
        for (node, partner) in mapping.pairs() {
            prop_assert_eq!(key.name(node), other.name(partner));
            if Some(node) != key.body() {
                let parents = (key.parent(node).unwrap(), other.parent(partner).unwrap());
                prop_assert_eq!(mapping.partner(parents.0), Some(parents.1));
            }
        }
    }

    /// Groups make no difference where the children are the same (Alarte 2023, §9.3.1).
    #[test]
    fn a_page_mapped_onto_itself_maps_every_node_onto_itself_grouped_or_not(page in some_page(), from in prop::sample::select(vec![0usize, 2, 4])) {
        let pairing = Pairing { group: 2, group_from: from, ..Pairing::default() };
        let mapping = map_with(&Equality::default(), &pairing, &page, &page);
        prop_assert!(page.subtree(page.body().unwrap()).all(|node| mapping.partner(node) == Some(node)));
    }
}
