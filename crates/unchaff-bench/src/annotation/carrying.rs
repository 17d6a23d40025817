//! What was said of one page carried over to another page of its template, for someone to confirm.
//!
//! Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017, §9.2: a segmentation made by hand
//! serves all pages of its template. How blocks find their places is in `unchaff_site::carried_over`; nothing of it is gold until a person has
//! looked at it.

use super::{Annotation, SegmentMark, elements, numbers, ranges};
use serde::{Deserialize, Serialize};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, NodeSet, Page};
use unchaff_site::carried_over::match_dom::THRESHOLD;
use unchaff_site::carried_over::path_set::{PathSet, PathToken};
use unchaff_site::carried_over::pruned_dom::{PrunedDom, Pruning};
use unchaff_site::carried_over::transfer::{MarkedBlock, Transfer, transfer};

/// What is proposed for a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedOver {
    /// What would be said of it.
    pub annotation: Annotation,
    /// How similar the pages are, 0 to 1.
    pub similarity: f64,
    /// Whether they share a template: whether they are more similar than 0.7.
    pub same_template: bool,
    /// How much of what is carried over has its place here, 0 to 1.
    pub verified: f64,
}

/// How similar the structures of two pages are, 0 to 1.
#[must_use]
pub fn similarity(one: &Page, other: &Page) -> f64 {
    let paths = |page: &Page| PathSet::of(&PrunedDom::of(page, &Pruning::for_templates()), PathToken::default());
    paths(one).similarity(&paths(other))
}

/// Carries what is said of a page over to another.
#[must_use]
pub fn carry_over(from: &Page, annotation: &Annotation, to: &Page) -> CarriedOver {
    let all = elements(from);
    let subtree = |element: u32| {
        (element..).take(all[element as usize..].iter().take_while(|node| **node < from.end(all[element as usize])).count())
    };
    let mut blocks: Vec<(Said, MarkedBlock)> = Vec::new();
    for (class, ranges) in [(0, &annotation.content), (1, &annotation.comments), (2, &annotation.other), (3, &annotation.ads)] {
        blocks.push((Said::Class(class), MarkedBlock::new(["content", "comments", "other", "ads"][class], numbers(ranges))));
    }
    if let Some(menu) = annotation.menu {
        blocks.push((Said::Menu, MarkedBlock::new("menu", subtree(menu))));
    }
    for segment in &annotation.segments {
        let name = format!("{} {}", segment.level, segment.kind);
        blocks.push((Said::Segment, MarkedBlock::new(&name, subtree(segment.element))));
    }
    let how = Pruning::for_templates();
    let (stored, dom) = (PrunedDom::of(from, &how), PrunedDom::of(to, &how));
    let marked: Vec<MarkedBlock> = blocks.iter().map(|(_, block)| block.clone()).collect();
    let found = transfer(&stored, &marked, to, &dom, &Transfer::default());
    let similarity = PathSet::of(&stored, PathToken::default()).similarity(&PathSet::of(&dom, PathToken::default()));
    let mut carried = Annotation::default();
    for (at, (name, nodes)) in found.blocks.iter().enumerate() {
        // Those at the end are more segments of a row that is longer here.
        let said = blocks.get(at).map_or(Said::Segment, |(said, _)| *said);
        let element = |node: NodeId| to.element_number(node) as u32;
        let roots = || roots(to, nodes);
        match said {
            Said::Class(class) => {
                let of = [&mut carried.content, &mut carried.comments, &mut carried.other, &mut carried.ads];
                *of[class] = ranges(nodes.iter().filter(|node| to.is_element(*node)).map(element));
            }
            Said::Menu => carried.menu = roots().next().map(element),
            Said::Segment => {
                let Some((level, kind)) = name.split_once(' ') else { continue };
                let Ok(level) = level.parse() else { continue };
                carried.segments.extend(roots().map(|node| SegmentMark { element: element(node), level, kind: kind.to_owned() }));
            }
        }
    }
    carried.segments.order();
    carried.segments.dedup_by_key(|segment| segment.element);
    let verified = if marked.iter().all(MarkedBlock::is_empty) { 1.0 } else { found.verified };
    CarriedOver { annotation: carried, similarity, same_template: similarity > THRESHOLD, verified }
}

/// What a block says of its elements.
#[derive(Clone, Copy)]
enum Said {
    Class(usize),
    Menu,
    Segment,
}

/// The elements of a set that are in no other of it.
fn roots<'p>(page: &'p Page, nodes: &'p NodeSet) -> impl Iterator<Item = NodeId> + 'p {
    let is_root = |node: &NodeId| page.is_element(*node) && page.parent(*node).is_none_or(|parent| !nodes.contains(parent));
    nodes.iter().filter(is_root)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(title: &str, paragraphs: usize, entries: usize) -> Page {
        Page::parse(format!(
            "<body><nav><ul><li><a href=/>Home</a><li><a href=/b>B</a></ul></nav><main><h1>{title}</h1>{}</main><ul class=more>{}</ul><footer><p>Us</p></footer></body>",
            "<p>Some text.</p>".repeat(paragraphs),
            "<li class=entry><a href=/x>Entry</a></li>".repeat(entries),
        ))
    }

    #[test]
    fn a_segmentation_by_hand_serves_other_pages_of_its_template() {
        let from = page("Tea", 2, 2);
        let number =
            |page: &Page, name: &str| page.element_number(page.nodes().find(|node| page.name(*node) == name).unwrap()) as u32;
        let (nav, main) = (number(&from, "nav"), number(&from, "main"));
        let segment = |element: u32, level: u8, kind: &str| SegmentMark { element, level, kind: kind.to_owned() };
        let annotation = Annotation {
            content: vec![[main, main + 4]],
            menu: Some(number(&from, "ul")),
            segments: vec![segment(nav, 1, "Menu"), segment(main, 1, "Main content")],
            ..Annotation::default()
        };
        let to = page("Coffee", 5, 4);
        let carried = carry_over(&from, &annotation, &to);
        let main = number(&to, "main");
        assert_eq!(carried.annotation.content, [[main, main + 7]]);
        assert_eq!(carried.annotation.menu, Some(number(&to, "ul")));
        assert_eq!(carried.annotation.segments, [segment(number(&to, "nav"), 1, "Menu"), segment(main, 1, "Main content")]);
        assert!(carried.same_template && carried.verified > 0.9, "{carried:?}");
        assert_eq!(carried.annotation.check(&to), Ok(()));
        // To itself, it stays as it is.
        assert_eq!(carry_over(&from, &annotation, &from).annotation, annotation);
        let other = Page::parse("<body><table><tr><td>1<td>2</table></body>");
        assert!(!carry_over(&from, &annotation, &other).same_template);
    }

    #[test]
    fn any_two_pages_are_carried_over() {
        let pages = ["", "<p>a", "<frameset>", "<ul><li>1<li>2<li>3</ul>", &"<div>".repeat(600)].map(Page::parse);
        for (from, to) in pages.iter().flat_map(|from| pages.iter().map(move |to| (from, to))) {
            let count = elements(from).len() as u32;
            let segments = (0..count.min(9)).map(|element| SegmentMark { element, level: 1, kind: String::new() }).collect();
            let annotation = Annotation { content: vec![[0, count]], menu: Some(count - 1), segments, ..Annotation::default() };
            let carried = carry_over(from, &annotation, to);
            assert_eq!(carried.annotation.check(to), Ok(()));
        }
    }
}
