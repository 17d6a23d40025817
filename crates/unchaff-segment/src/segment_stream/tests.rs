use super::*;
use crate::labels;
use crate::layout::{BoxKind, Layout, RenderedBox};
use crate::rect::Rect;
use crate::registry;
use crate::segmentation::Group;
use proptest::prelude::*;
use std::convert::Infallible;
use unchaff_dom::{NodeId, Parser};
use unchaff_site::carried_over::memory_templates::MemoryTemplates;
use unchaff_site::carried_over::transfer::Transfer;

/// Articles and, for odd numbers, tables of figures, in one frame.
fn page(number: usize) -> Page {
    let text = |part: usize| {
        format!("It rained {} hours on day {part} of week {number}, and then the sun came out. ", number * 7 + part)
    };
    let main: String = if number.is_multiple_of(2) {
        let paragraphs: String = (0..4).map(|part| format!("<p>{}</p>", text(part).repeat(3))).collect();
        format!("<article><h1>Week {number}</h1>{paragraphs}</article>")
    } else {
        let rows: String = (0..4).map(|row| format!("<tr><td>{}</td><td>{row}</td></tr>", text(row))).collect();
        format!("<table class=figures><tbody>{rows}</tbody></table><form class=filter><input name=q></form>")
    };
    let menu: String =
        ["Home", "News", "Sport", "Culture"].iter().map(|name| format!("<li><a href=/{name}>{name}</a></li>")).collect();
    let html = format!(
        "<body><header id=top><b>The Daily</b></header><nav><ul>{menu}</ul></nav>{main}<footer><p>All rights reserved, by us and others.</p></footer>"
    );
    Parser::new().url(&format!("https://example.org/{number}.html")).parse(html)
}

fn direct(page: &Page, technique: &str, settings: &[(&str, &str)]) -> Segmentation {
    let layout = Layout::default();
    let mut found = registry::find(technique).unwrap().technique(settings).unwrap().segment(page, &layout);
    labels::label(page, &layout, &mut found);
    found
}

fn dom_blocks(page: &Page) -> Result<Segmentation, Infallible> {
    Ok(direct(page, "dom-blocks", &[]))
}

fn stream(options: StreamOptions) -> SegmentStream<MemoryTemplates> {
    SegmentStream::new(MemoryTemplates::new(), "dom-blocks", options)
}

fn untried() -> StreamOptions {
    StreamOptions { trials: 0, ..StreamOptions::default() }
}

fn process(stream: &SegmentStream<MemoryTemplates>, page: &Page) -> Segmented {
    stream.settle("example.org", page, stream.look("example.org", page).unwrap(), dom_blocks).unwrap()
}

/// Segments without the names that they have on their site.
fn unnamed(mut found: Segmentation) -> Segmentation {
    found.segments.iter_mut().for_each(|segment| segment.name = None);
    found
}

/// Of the pages of a template all but one are served by mapping.
#[test]
fn the_share_of_pages_carried_over_is_one_less_templates_by_pages() {
    let stream = stream(untried());
    let found: Vec<Segmented> = (0..40).map(|number| process(&stream, &page(number))).collect();
    let transferred = found.iter().filter(|found| found.is_transferred).count();
    let templates = stream.finish().unwrap().templates().len();
    assert_eq!((templates, transferred), (2, 40 - templates));
}

/// The header, and the article with its heading and its first text.
fn areas_with_parts(page: &Page) -> Segmentation {
    let named = |name: &str| page.nodes().find(|node| page.name(*node) == name).unwrap();
    let group = |name: &str, parent, kind| Group { nodes: vec![named(name)], parent, kind, coherence: None };
    let groups = vec![
        group("header", None, Some(SegmentKind::Header)),
        group("article", None, Some(SegmentKind::Content)),
        group("h1", Some(1), Some(SegmentKind::Title)),
        group("ul", None, None),
        group("p", Some(1), None),
        group("footer", None, Some(SegmentKind::Footer)),
    ];
    Segmentation::from_groups(page, &Layout::default(), groups)
}

#[test]
fn parts_are_carried_over_with_what_they_are_parts_of() {
    let stream = stream(StreamOptions::default());
    for number in [0, 2, 4, 6] {
        let page = page(number);
        let look = stream.look("example.org", &page).unwrap();
        let found = stream.settle("example.org", &page, look, |page| Ok::<_, Infallible>(areas_with_parts(page))).unwrap();
        assert_eq!(found.is_transferred, number >= 4, "{number}");
        let told = |found: &Segmentation| -> Vec<(Option<u32>, Option<SegmentKind>, String)> {
            let text = |segment: &Segment| segment.nodes.iter().map(|node| page.text(*node)).collect::<String>();
            found.segments.iter().map(|segment| (segment.parent, segment.kind, text(segment))).collect()
        };
        assert_eq!(told(&found.segmentation), told(&areas_with_parts(&page)));
    }
}

#[test]
fn segments_are_carried_over_with_their_kinds_and_without_boxes() {
    let stream = stream(StreamOptions::default());
    for number in [0, 2, 4, 6, 8] {
        let page = page(number);
        let (found, direct) = (process(&stream, &page), direct(&page, "dom-blocks", &[]));
        assert_eq!(found.is_transferred, number >= 4, "{number}");
        assert_eq!(found.verified > 0.0, found.is_transferred);
        let told = |segmentation: &Segmentation| -> Vec<(Option<SegmentKind>, Vec<NodeId>)> {
            segmentation.segments.iter().map(|segment| (segment.kind, segment.nodes.clone())).collect()
        };
        assert_eq!(told(&found.segmentation)[1].0, Some(SegmentKind::Menu));
        assert_eq!(told(&found.segmentation), told(&direct), "{number}");
        assert!(found.segmentation.segments.iter().all(|segment| segment.rect.is_none() && segment.boxes.is_empty()));
    }
}

/// Segments of another technique, another threshold or another window are not used.
#[test]
fn what_was_made_otherwise_is_not_used() {
    let mut store = MemoryTemplates::new();
    let makers: [(&str, &[(&str, &str)]); 3] = [("dom-blocks", &[]), ("dom-blocks", &[("most", "0.1")]), ("block-fusion", &[])];
    for round in 0..2 {
        for (technique, settings) in makers {
            let maker = registry::find(technique).unwrap().described(settings);
            let stream = SegmentStream::new(store, &maker, untried());
            let page = page(0);
            let look = stream.look("example.org", &page).unwrap();
            let segment = |page: &Page| Ok::<_, Infallible>(direct(page, technique, settings));
            let found = stream.settle("example.org", &page, look, segment).unwrap();
            assert_eq!(found.is_transferred, round == 1, "{maker}");
            let nodes = |segmentation: &Segmentation| -> Vec<Vec<NodeId>> {
                segmentation.segments.iter().map(|segment| segment.nodes.clone()).collect()
            };
            assert_eq!(nodes(&found.segmentation), nodes(&direct(&page, technique, settings)), "{maker}");
            store = stream.finish().unwrap();
        }
    }
    let mut kept: Vec<String> = store.templates().iter().map(|kept| kept.template.maker.clone()).collect();
    kept.dedup();
    assert_eq!(kept.len(), 3);
}

/// Below the limit a page is segmented and stands for itself.
#[test]
fn what_cannot_be_verified_is_segmented() {
    let strict = Transfer { min_verified: 1.1, ..Transfer::default() };
    let stream = stream(StreamOptions { transfer: strict, ..untried() });
    for number in [0, 2] {
        let found = process(&stream, &page(number));
        assert!(!found.is_transferred && unnamed(found.segmentation) == direct(&page(number), "dom-blocks", &[]));
    }
    assert_eq!(stream.finish().unwrap().templates().len(), 2);
}

#[test]
fn a_page_that_disagrees_is_segmented_until_two_agree() {
    let stream = stream(StreamOptions::default());
    let by_settings = |number: usize, most: &str| {
        let page = page(number);
        let look = stream.look("example.org", &page).unwrap();
        let segment = |page: &Page| Ok::<_, Infallible>(direct(page, "dom-blocks", &[("most", most)]));
        stream.settle("example.org", &page, look, segment).unwrap().is_transferred
    };
    let settings = ["1", "0.4", "0.4", "0.4", "0.4"];
    let transferred: Vec<bool> = (0..5).zip(settings).map(|(at, most)| by_settings(2 * at, most)).collect();
    assert_eq!(transferred, [false, false, false, true, true]);
}

#[test]
fn where_segmentation_fails_nothing_is_learned() {
    let stream = stream(untried());
    let page = page(0);
    let look = stream.look("example.org", &page).unwrap();
    let failed: Result<_, Box<dyn std::error::Error>> =
        stream.settle("example.org", &page, look, |_| Err("there is no browser".into()));
    assert_eq!(failed.unwrap_err().to_string(), "there is no browser");
    assert!(!process(&stream, &page).is_transferred);
    assert!(process(&stream, &page).is_transferred);
}

#[test]
fn looking_ahead_changes_no_answer() {
    let pages: Vec<Page> = (0..24).map(page).collect();
    let run = |batch: usize| {
        let stream = stream(StreamOptions::default());
        let mut answers = Vec::new();
        for pages in pages.chunks(batch) {
            let looks: Vec<Look> = pages.iter().map(|page| stream.look("example.org", page).unwrap()).collect();
            for (page, look) in pages.iter().zip(looks) {
                answers.push(stream.settle("example.org", page, look, dom_blocks).unwrap());
            }
            stream.flush().unwrap();
        }
        answers
    };
    assert!(run(1) == run(5) && run(1) == run(24));
}

#[test]
fn agreement_is_of_whole_segments() {
    let page = Page::parse("<p>one two</p><p>three four</p><p>five six</p><p>seven eight</p>");
    let paragraphs: Vec<NodeId> = page.nodes().filter(|node| page.name(*node) == "p").collect();
    let of = |groups: &[&[usize]]| {
        let groups = groups.iter().map(|group| group.iter().map(|at| paragraphs[*at]).collect()).collect();
        Segmentation::from_nodes(&page, &Layout::default(), groups)
    };
    let (whole, halves) = (of(&[&[0, 1, 2, 3]]), of(&[&[0, 1], &[2, 3]]));
    assert_eq!((agreement(&page, &halves, &halves), agreement(&page, &of(&[]), &halves)), (1.0, 0.0));
    // Precision 1 and recall 1/2.
    assert!((agreement(&page, &halves, &whole) - 2.0 / 3.0).abs() < 1e-9);
    assert!((agreement(&page, &whole, &halves) - 2.0 / 3.0).abs() < 1e-9);
}

/// Boxes of the texts of a page, all 16 pixels high, one below the other with a gap now and then.
fn set(page: &Page) -> Layout {
    let texts = page.nodes().filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0);
    let mut top = 0;
    let boxes: Vec<RenderedBox> = texts
        .map(|node| {
            top += if node.0 % 3 == 0 { 60 } else { 18 };
            let width = 10 + 7 * (node.0 % 9) as i32;
            RenderedBox { node: Some(node.0), ..RenderedBox::new(BoxKind::Text, Rect::from([0, top, width, top + 16])) }
        })
        .collect();
    Layout { width: 100, height: top + 40, boxes }
}

proptest! {
    /// `transfer(r, r.D)` is the identity, for the segments of every technique.
    #[test]
    fn a_page_gets_its_own_segments_back(
        html in "(<(div|p|ul|li|b|br|table|td)( id=[a-c]| class=[a-c])?>|</(div|p|ul|b)>|some text|more, and more |<a href=/>go</a>| ){0,40}",
    ) {
        let page = Page::parse(html);
        let layout = set(&page);
        let is_blank = |node: &NodeId| page.tag(*node) == Tag::Text && page.string(*node).trim().is_empty();
        let not_blank = |nodes: &[NodeId]| nodes.iter().filter(|node| !is_blank(node)).copied().collect::<Vec<_>>();
        for entry in registry::all() {
            let found = entry.default_technique().segment(&page, &layout);
            let stream = stream(untried());
            for is_transferred in [false, true] {
                let look = stream.look("example.org", &page).unwrap();
                let again = stream.settle("example.org", &page, look, |_| Ok::<_, Infallible>(found.clone())).unwrap();
                prop_assert_eq!(again.is_transferred, is_transferred);
                prop_assert_eq!(again.segmentation.segments.len(), found.segments.len(), "{}", entry.name);
                for (segment, found) in again.segmentation.segments.iter().zip(&found.segments) {
                    prop_assert_eq!(not_blank(&segment.nodes), not_blank(&found.nodes), "{}", entry.name);
                }
            }
        }
    }
}

#[test]
fn areas_of_the_site_have_the_same_names_found_or_carried_over() {
    let stream = stream(StreamOptions::default());
    let found: Vec<Segmented> = (0..12).map(|number| process(&stream, &page(number))).collect();
    assert!(found.iter().any(|found| found.is_transferred) && found.iter().any(|found| !found.is_transferred));
    let names = |found: &Segmented| {
        let segments = found.segmentation.segments.iter();
        segments.filter_map(|segment| Some((segment.name.clone()?, segment.kind?))).collect::<Vec<_>>()
    };
    let first = names(&found[0]);
    assert!(first.contains(&("menu".to_owned(), SegmentKind::Menu)), "{first:?}");
    for (number, found) in found.iter().enumerate() {
        assert_eq!(names(found), first, "{number}");
        let menu = found.segmentation.segments.iter().find(|segment| segment.name.as_deref() == Some("menu")).unwrap();
        let text: String = menu.nodes.iter().map(|node| page(number).text(*node).to_owned()).collect();
        assert!(text.contains("Culture") && !text.contains("It rained"), "{text}");
    }
}
