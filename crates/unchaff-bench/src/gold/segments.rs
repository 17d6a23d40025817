//! Segments that people drew on rendered pages: elements with `data-block` (the level) and `data-block-type`.
//!
//! The labelled copy of a page was saved by a browser after its scripts ran, so it can have a few elements more or less than
//! the page that is measured. A labelled element is found there by what identifies it (name, id, classes and addresses): if
//! both pages have equally many such elements, the one of the same rank, else the one at the nearest relative position.

use std::collections::HashMap;
use unchaff_dom::{NodeId, Page};
use unchaff_segment::segmentation::SegmentKind;

/// What identifies an element: name, id, class, href, src.
type Signature<'p> = (&'p str, [Option<&'p str>; 4]);

fn signature(page: &Page, node: NodeId) -> Signature<'_> {
    (page.name(node), ["id", "class", "href", "src"].map(|name| page.attr(node, name)))
}

/// The elements of each signature, with their positions among all elements, from 0 to 1.
fn by_signature(page: &Page) -> HashMap<Signature<'_>, Vec<(NodeId, f64)>> {
    let elements: Vec<NodeId> = page.nodes().filter(|node| page.is_element(*node)).collect();
    let mut found: HashMap<Signature<'_>, Vec<(NodeId, f64)>> = HashMap::new();
    for (at, node) in elements.iter().enumerate() {
        found.entry(signature(page, *node)).or_default().push((*node, at as f64 / elements.len() as f64));
    }
    found
}

/// The kind that a label of a suite stands for; none if it is for none of ours. What is one text of several, such as a table or a product, counts as an article.
#[must_use]
pub fn kind_of_label(label: &str) -> Option<SegmentKind> {
    Some(match label {
        "Header" => SegmentKind::Header,
        "Menu" => SegmentKind::Menu,
        "Content" => SegmentKind::Content,
        "Sidebar" => SegmentKind::Sidebar,
        "Article" | "Table" | "Author" | "Product" => SegmentKind::Article,
        "LinkList" => SegmentKind::Links,
        "Logo" => SegmentKind::Logo,
        "Title" => SegmentKind::Title,
        "Searchbar" => SegmentKind::Search,
        "Image" => SegmentKind::Image,
        "Video" => SegmentKind::Video,
        "Comments" => SegmentKind::Comments,
        "Ad" | "Advertisement" => SegmentKind::Advertisement,
        "Footer" => SegmentKind::Footer,
        _ => return None,
    })
}

/// The segments of a labelled copy as elements of the page, and how many were not found there.
pub(crate) fn segments(labelled: &Page, page: &Page) -> (Vec<(u8, String, NodeId)>, usize) {
    let (ours, theirs) = (by_signature(page), by_signature(labelled));
    let mut segments = Vec::new();
    let mut lost = 0;
    for node in labelled.nodes().filter(|node| labelled.is_element(*node)) {
        let Some(level) = labelled.attr(node, "data-block").and_then(|level| level.trim().parse::<u8>().ok()) else { continue };
        let kind = labelled.attr(node, "data-block-type").unwrap_or_default().to_owned();
        let signature = signature(labelled, node);
        let copies = &theirs[&signature];
        let rank = copies.partition_point(|(copy, _)| *copy < node);
        let found = ours.get(&signature).and_then(|candidates| {
            if candidates.len() == copies.len() {
                return candidates.get(rank);
            }
            let distance = |at: f64| (at - copies[rank].1).abs();
            candidates.iter().min_by(|one, other| distance(one.1).total_cmp(&distance(other.1)))
        });
        match found {
            Some((found, _)) => segments.push((level, kind, *found)),
            None => lost += 1,
        }
    }
    (segments, lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_found_in_a_page_with_other_elements() {
        let labelled = Page::parse(
            "<script></script><div data-block=1 data-block-type=Menu id=m>m</div><p data-block=2 data-block-type=Article>a</p><p>b</p><hr data-block=1>",
        );
        let page = Page::parse("<div id=m>m</div><p>a</p><p>b</p>");
        let (found, lost) = segments(&labelled, &page);
        let found: Vec<_> = found.iter().map(|(level, kind, node)| (*level, kind.as_str(), page.text(*node))).collect();
        assert_eq!(found, [(1, "Menu", "m"), (2, "Article", "a")]);
        assert_eq!(lost, 1);
    }
}
