use super::*;
use crate::carried_over::pruned_dom::Pruning;
use crate::carried_over::pruned_dom::tests::{A, B, b_with_list, find};
use proptest::prelude::*;

fn pruned(page: &Page) -> PrunedDom {
    PrunedDom::of(page, &Pruning::for_templates())
}

/// The blocks `main` and `rest` of page A.
fn stored() -> (PrunedDom, Vec<MarkedBlock>) {
    let page = Page::parse(A);
    let dom = pruned(&page);
    let main = find(&dom, "div#main");
    let inside = main..dom.end(main);
    let rest = (0..dom.len() as u32).filter(|element| !inside.contains(element));
    let blocks = vec![MarkedBlock::new("main", inside.clone()), MarkedBlock::new("rest", rest)];
    (dom, blocks)
}

fn texts(html: &str, how: &Transfer) -> (Vec<String>, Transferred) {
    let (dom, blocks) = stored();
    let page = Page::parse(html);
    let transferred = transfer(&dom, &blocks, &page, &pruned(&page), how);
    let text = |(_, nodes): &(String, NodeSet)| {
        let inside = page.nodes().filter(|node| nodes.contains(*node));
        inside.map(|node| page.string(node).trim()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    };
    (transferred.blocks.iter().map(text).collect(), transferred)
}

#[test]
fn parts_may_grow_and_new_elements_in_them_belong_to_them() {
    for how in [Transfer::default(), Transfer::published()] {
        let (text, transferred) = texts(A, &how);
        assert_eq!((text, transferred.verified, transferred.missing), (vec!["h 1 2".into(), "a x 1 2 f".into()], 1.0, 0));
    }
    let (text, transferred) = texts(&b_with_list(), &Transfer::default());
    assert_eq!((text, transferred.verified), (vec!["h 1 2 3 x".into(), "b x 1 2 3 f".into()], 1.0));
}

/// The page matches, its main part is not verified; it is missing and not guessed.
#[test]
fn as_published_a_subtree_that_differs_is_missing() {
    let (text, transferred) = texts(B, &Transfer::published());
    assert_eq!(text[0], "h 1 2 3", "main is verified whatever is repeated in it");
    assert_eq!((transferred.verified, transferred.missing), (1.0, 0));
    let (text, transferred) = texts(&b_with_list(), &Transfer::published());
    assert_eq!(text[0], "");
    assert!(transferred.missing > 0 && transferred.verified < 1.0);
    assert_eq!(texts(&b_with_list(), &Transfer { subtree_similarity: 0.6, ..Transfer::published() }).0[0], "h 1 2 3 x");
}

#[test]
fn a_page_of_another_template_is_not_verified() {
    let other = "<html><head><title>a</title></head><body><table><tr><td>1<td>2<td>3<tr><td>4<td>5<td>6</table></body>";
    for how in [Transfer::default(), Transfer::published()] {
        let (_, transferred) = texts(other, &how);
        assert!(!transferred.is_verified(&how) && transferred.missing > 0, "{transferred:?}");
    }
}

#[test]
fn where_one_more_of_a_kind_makes_it_a_guess_nothing_is_believed() {
    let html = |paragraphs: usize| format!("<div>{}</div>", "<p>Some words of text.</p>".repeat(paragraphs));
    let (page, longer) = (Page::parse(html(4)), Page::parse(html(5)));
    let dom = pruned(&page);
    let verified = |block: MarkedBlock, page: &Page| transfer(&dom, &[block], page, &pruned(page), &Transfer::default()).verified;
    let (all, some) = (MarkedBlock::new("all", 4..8), MarkedBlock::new("some", 4..6));
    assert_eq!((verified(all.clone(), &page), verified(some.clone(), &page)), (1.0, 1.0));
    assert!(verified(all, &longer) > 0.99 && verified(some, &longer) < 0.5);
}

/// A list of which every entry is a segment has as many segments as entries.
#[test]
fn a_row_of_blocks_of_one_name_may_be_longer_or_shorter() {
    let html = |entries: usize| format!("<ul>{}</ul><p>end</p>", "<li><b>a</b> word</li>".repeat(entries));
    let page = Page::parse(html(3));
    let dom = pruned(&page);
    let entries: Vec<NodeId> = page.nodes().filter(|node| page.name(*node) == "li").collect();
    let rows = |names: [&'static str; 3]| MarkedBlock::of_roots(&page, names.into_iter().zip(entries.chunks(1)));
    for count in [1, 2, 3, 5] {
        let other = Page::parse(html(count));
        let found = transfer(&dom, &rows(["entry"; 3]), &other, &pruned(&other), &Transfer::default());
        let blocks: Vec<Vec<NodeId>> =
            found.blocks.iter().map(|(_, nodes)| nodes.roots(&other)).filter(|roots| !roots.is_empty()).collect();
        let items: Vec<Vec<NodeId>> = other.nodes().filter(|node| other.name(*node) == "li").map(|node| vec![node]).collect();
        assert_eq!((blocks, found.verified, found.missing), (items, 1.0, 0), "{count}");
        let found = transfer(&dom, &rows(["menu", "entry", "entry"]), &other, &pruned(&other), &Transfer::default());
        assert_eq!((found.verified == 1.0, found.blocks.len()), (count == 3, 3), "which is which cannot be told");
    }
    let many = Page::parse(html(MOST_FURTHER + 5000));
    let found = transfer(&dom, &rows(["entry"; 3]), &many, &pruned(&many), &Transfer::default());
    assert!(found.verified < 0.9 && found.blocks.len() == 3 + MOST_FURTHER, "{}", found.verified);
}

#[test]
fn a_template_that_grew_too_much_is_not_believed() {
    let (dom, mut blocks) = stored();
    let (page, long) = (Page::parse(A), Page::parse(A.replace(">f<", &format!(">{}<", "word ".repeat(60)))));
    let all = NodeSet::from_roots(&page, [page.root()]);
    blocks[1] = blocks[1].clone().steady(&page, &all);
    let how = Transfer::default();
    let steady = |page: &Page| transfer(&dom, &blocks, page, &pruned(page), &how);
    assert!(steady(&page).steady > 0.8 && steady(&page).is_verified(&how));
    assert!(steady(&long).steady < 0.4 && !steady(&long).is_verified(&how));
    assert!(steady(&long).is_verified(&Transfer { min_steady: 0.0, ..how.clone() }));
}

#[test]
fn text_belongs_to_the_element_it_stands_in() {
    let page = Page::parse("<div>one<p>two</p> </div>");
    let texts: Vec<NodeId> = page.nodes().filter(|node| !page.string(*node).is_empty()).collect();
    let of = |nodes: &[NodeId]| MarkedBlock::of("x", &page, &NodeSet::from_nodes(&page, nodes.iter().copied()));
    let div = page.element_number(page.parent(texts[0]).unwrap()) as u32;
    assert_eq!(of(&texts[..1]), MarkedBlock::new("x", [div]));
    assert_eq!(of(&texts[..2]), MarkedBlock::new("x", [div, div + 1]));
    assert!(of(&texts[2..]).is_empty(), "white space says nothing");
    assert_eq!(of(&texts).len(), 2);
}

/// Texts that share an element are told apart by their places.
#[test]
fn single_texts_are_found_by_place_and_nothing_is_believed_if_there_are_more() {
    let page = Page::parse("<div>one<br>two<p>three</p> four</div>");
    let texts: Vec<NodeId> = page.nodes().filter(|node| page.tag(*node) == Tag::Text).collect();
    let dom = pruned(&page);
    let blocks = MarkedBlock::of_roots(&page, [("a", &texts[..1]), ("b", &[texts[1], texts[3]])]);
    let div = page.element_number(page.parent(texts[0]).unwrap()) as u32;
    assert_eq!(blocks[1].texts[0], TextPlace { element: div, position: 1, siblings: 3 });
    for how in [Transfer::default(), Transfer::published()] {
        let read = |html: &str| {
            let page = Page::parse(html);
            let found = transfer(&dom, &blocks, &page, &pruned(&page), &how);
            let text = |(_, nodes): &(String, NodeSet)| nodes.iter().map(|node| page.string(node)).collect::<String>();
            (found.blocks.iter().map(text).collect::<Vec<_>>(), found)
        };
        let (text, found) = read("<div>1<br>2<p>3</p>4</div>");
        assert_eq!((text, found.verified, found.missing), (vec!["1".to_owned(), "24".to_owned()], 1.0, 0));
        let (_, found) = read("<div>1<br>2<br>3<br>4<p>5</p>6</div>");
        assert!(found.verified < 0.9, "{found:?}");
    }
}

proptest! {
    /// Carried over to its own page, a block is what it was.
    #[test]
    fn transfer_to_the_page_itself_changes_nothing(
        html in "(<(div|p|ul|li|b)( id=[a-c]| class=[a-c])?>|</(div|p|ul|b)>|t){0,40}",
        marks in prop::collection::vec(0u8..4, 50),
    ) {
        let page = Page::parse(html);
        let dom = pruned(&page);
        let marks = &marks;
        let marked = |bit: u8| (0..dom.len() as u32).filter(move |element| marks[*element as usize % 50] & bit != 0);
        let blocks = [MarkedBlock::new("one", marked(1)), MarkedBlock::new("two", marked(2))];
        for how in [Transfer::default(), Transfer::published()] {
            let transferred = transfer(&dom, &blocks, &page, &dom, &how);
            prop_assert_eq!((transferred.verified, transferred.missing), (1.0, 0));
            for (block, (kind, nodes)) in blocks.iter().zip(&transferred.blocks) {
                prop_assert_eq!(&MarkedBlock::of(kind, &page, nodes), block);
            }
        }
    }

    #[test]
    fn subtrees_and_texts_are_carried_over_to_the_page_itself(
        html in "(<(div|p|ul|li|b|br)( id=[a-c]| class=[a-c])?>|</(div|p|ul|b)>|t|u){0,40}",
        marks in prop::collection::vec(0u8..3, 50),
    ) {
        let page = Page::parse(html);
        let dom = pruned(&page);
        let is_node = |node: &NodeId| page.is_element(*node) || page.tag(*node) == Tag::Text;
        let roots = |mark: u8| -> Vec<NodeId> {
            let marked = page.nodes().filter(is_node).filter(|node| marks[node.index() % 50] == mark);
            NodeSet::from_roots(&page, marked).roots(&page)
        };
        let roots = [roots(1), roots(2)];
        let blocks = MarkedBlock::of_roots(&page, [("one", &roots[0][..]), ("two", &roots[1])]);
        for how in [Transfer::default(), Transfer::published()] {
            let transferred = transfer(&dom, &blocks, &page, &dom, &how);
            prop_assert_eq!((transferred.verified, transferred.missing), (1.0, 0));
            for (roots, (_, nodes)) in roots.iter().zip(&transferred.blocks) {
                prop_assert_eq!(&nodes.roots(&page), roots);
            }
        }
    }

    #[test]
    fn any_two_pages_have_an_answer(one in "(<(div|p|li|b)( id=[a-c])?>|</(div|p)>|t){0,30}", other in "(<(div|p|li|b)( id=[a-c])?>|</(div|p)>|t){0,30}") {
        let (one, other) = (Page::parse(one), Page::parse(other));
        let (stored, dom) = (pruned(&one), pruned(&other));
        let blocks = [MarkedBlock::new("all", 0..stored.len() as u32)];
        for how in [Transfer::default(), Transfer::published()] {
            let transferred = transfer(&stored, &blocks, &other, &dom, &how);
            prop_assert!((0.0..=1.0).contains(&transferred.verified));
        }
    }
}
