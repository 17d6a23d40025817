//! The phases of site-level ConEx on examples made by hand, and on small sites.

use super::*;
use proptest::prelude::*;
use unchaff_dom::Parser;
use unchaff_dom::site::LoadedSite;

/// A page whose elements say in `n` how often they occur; text is as its element.
fn with_occurrences(html: &str) -> (Page, Vec<u32>) {
    let page = Page::parse(html);
    let mut occurrences = vec![0; page.len()];
    for node in page.nodes() {
        let holder = if page.is_element(node) { Some(node) } else { page.parent(node) };
        occurrences[node.index()] = holder.and_then(|holder| page.attr(holder, "n")).map_or(0, |number| number.parse().unwrap());
    }
    (page, occurrences)
}

fn ids(page: &Page, nodes: &[NodeId]) -> String {
    nodes.iter().map(|node| page.attr(*node, "id").unwrap_or(page.name(*node))).collect::<Vec<_>>().join(" ")
}

const CHAIN: &str = "<body n=3><div id=head n=3><a n=3></a><a n=3></a></div>\
    <div id=mid n=3><div id=c1><p>t</p></div><div id=c2>t</div><div id=c3>t<!-- -->t</div></div>\
    <div id=side n=2><ul n=2><li id=c4>t</ul></div>";

/// After Alarte 2023, Examples 10.2.5 to 10.2.7.
#[test]
fn from_candidates_to_content() {
    let (page, occurrences) = with_occurrences(CHAIN);
    let analysis = Choosing::default().analyse(&page, &occurrences);
    assert_eq!(ids(&page, &analysis.reduced), "c1 c2 c3 c4");
    assert_eq!(ids(&page, &[analysis.branch.unwrap()]), "mid");
    assert_eq!(ids(&page, &analysis.content), "mid");
}

/// The thesis leaves out no candidate for its kind, so that a script can enlarge the branch (Algorithm 13).
#[test]
fn one_new_script_makes_the_body_the_content_unless_it_is_skipped() {
    let (page, occurrences) = with_occurrences(&format!("{CHAIN}<script></script>"));
    let analysis = Choosing::default().analyse(&page, &occurrences);
    assert_eq!(ids(&page, &analysis.reduced), "c1 c2 c3 c4 script");
    assert_eq!(ids(&page, &analysis.content), "body");
    let skip = Choosing { candidate_filter: CandidateFilter::SkipNonContent, ..Choosing::default() };
    assert_eq!(ids(&page, &skip.analyse(&page, &occurrences).content), "mid");
}

#[test]
fn the_first_of_equal_branches_is_taken_and_a_single_node_is_the_answer() {
    let (page, occurrences) = with_occurrences("<body n=1><div n=1><p id=a>x</p></div><div n=1><p id=b>x</p></div>");
    assert_eq!(ids(&page, &Choosing::default().analyse(&page, &occurrences).content), "a");
    let (page, occurrences) = with_occurrences("<body n=1><div n=1><p id=a>x</p></div>");
    assert_eq!(ids(&page, &Choosing::default().analyse(&page, &occurrences).content), "a");
    let (page, occurrences) = with_occurrences("<body><div><p>x</p></div>");
    assert_eq!(ids(&page, &Choosing::default().analyse(&page, &occurrences).content), "body");
}

fn page_of(url: &str, paragraphs: usize) -> Page {
    let menu: String = ["/", "/1", "/2", "/3"].map(|link| format!("<li><a href={link}>menu</a></li>")).concat();
    let text = "<p>text</p>".repeat(paragraphs);
    let html = format!(
        "<body><nav id=n><ul>{menu}</ul></nav><div id=c class=content>{text}</div><footer class=foot>foot</footer></body>"
    );
    Parser::new().url(&format!("https://example.org{url}")).parse(html)
}

/// Made by hand: pages that differ in how many paragraphs they have.
#[test]
fn the_content_of_a_small_site() {
    let site = LoadedSite::new([page_of("/", 5), page_of("/1", 2), page_of("/2", 9), page_of("/3", 3)]);
    let detection = ConexSite::default().detect(&site, PageId(0)).unwrap();
    let page = site.load(PageId(0)).unwrap();
    let roots = detection.nodes(BlockKind::Content).unwrap().roots(&page);
    assert_eq!(ids(&page, &roots), "c");
    assert!(detection.notes[0].contains("only 3 of 4"));
    let explanation = ConexSite::default().explain(&site, PageId(0)).unwrap();
    assert!(explanation.rows.iter().any(|row| row.remark == "topmost unique node, content"));
}

#[test]
fn where_the_site_is_of_no_help_the_page_alone_decides() {
    let alone = LoadedSite::new([page_of("/x", 5)]);
    let other = page_of("/1", 5);
    let printed = Parser::new().url("https://example.org/1").parse(format!("<!-- printed -->{}", other.source()));
    let same = LoadedSite::new([page_of("/x", 5), printed]);
    for (site, says) in [(alone, "nothing to compare"), (same, "on other pages too")] {
        let page = site.load(PageId(0)).unwrap();
        let detection = ConexSite::default().detect(&site, PageId(0)).unwrap();
        assert_eq!(detection.nodes(BlockKind::Content), Conex::default().detect(&page).nodes(BlockKind::Content));
        assert!(detection.notes.iter().any(|note| note.contains(says)), "{:?}", detection.notes);
        let nothing = Choosing { fallback: Fallback::Nothing, ..Choosing::default() };
        let detection = ConexSite::from(Params { choosing: nothing, ..Params::default() }).detect(&site, PageId(0)).unwrap();
        assert!(detection.nodes(BlockKind::Content).unwrap().is_empty());
    }
}

/// Algorithm 15 word for word: two that share a parent are replaced by it, until there are none.
fn merged_literally(page: &Page, body: NodeId, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
    loop {
        let shares = |node: &NodeId| nodes.iter().any(|other| other != node && page.parent(*other) == page.parent(*node));
        let Some(parent) = nodes.iter().find(|node| **node != body && shares(node)).and_then(|node| page.parent(*node)) else {
            return nodes;
        };
        nodes.retain(|node| page.parent(*node) != Some(parent) && *node != parent);
        nodes.push(parent);
    }
}

proptest! {
    /// Alarte 2023, Theorem 10.2.4 and Algorithms 12 to 15; that the content has no node inside another is ours.
    #[test]
    fn the_phases_hold_what_they_promise(pieces in prop::collection::vec(prop::sample::select(vec!["<div>", "</div>", "<p>", "x", "<b>", "</b>"]), 0..40), seed in any::<u64>()) {
        let page = Page::parse(format!("<body>{}", pieces.concat()));
        let body = page.body().unwrap();
        // Occurrences that never grow downwards, as those of mappings do.
        let mut occurrences = vec![0u32; page.len()];
        for node in page.subtree(body) {
            let above = if node == body { 3 } else { occurrences[page.parent(node).unwrap().index()] };
            let drop = crate::candidates::link_order::scramble(seed as u32, u64::from(node.0)).is_multiple_of(4);
            occurrences[node.index()] = if drop { above.saturating_sub(2) } else { above };
        }
        let analysis = Choosing::default().analyse(&page, &occurrences);
        for node in &analysis.reduced {
            prop_assert!(page.subtree(*node).all(|below| occurrences[below.index()] == 0));
            prop_assert!(*node == body || occurrences[page.parent(*node).unwrap().index()] > 0);
        }
        prop_assert!(analysis.content.iter().all(|a| analysis.content.iter().all(|b| !page.is_ancestor(*a, *b))));
        if let Some(branch) = analysis.branch {
            let inside: Vec<NodeId> = analysis.reduced.iter().copied().filter(|node| page.is_ancestor(branch, *node)).collect();
            let expected = NodeSet::from_nodes(&page, merged_literally(&page, body, inside)).roots(&page);
            prop_assert_eq!(analysis.content, expected);
        }
    }
}
