//! All techniques that find segments, by name.
//!
//! A new technique is one new file and one line here; the command line and the documentation read this list.

use crate::segmentation::SegmentTechnique;
use crate::{adaptive, bcs, block_fusion, box_tree, content_clustering, dom_blocks, segments_auto, vips, visual_blocks, wish};
use unchaff_page::registry::Entry;

static ENTRIES: &[SegmentEntry] = &[
    // From boxes.
    bcs::ENTRY,
    bcs::PROGRAM_ENTRY,
    bcs::PRINTED_ENTRY,
    box_tree::ENTRY,
    // From boxes and the tree.
    segments_auto::ENTRY,
    visual_blocks::ENTRY,
    vips::ENTRY,
    content_clustering::ENTRY,
    adaptive::ENTRY,
    // From the tree alone.
    block_fusion::ENTRY,
    dom_blocks::ENTRY,
    wish::ENTRY,
];

/// The technique used when none is named.
pub const DEFAULT: &str = "segments-auto";

/// What is known about a technique that finds segments.
pub type SegmentEntry = Entry<dyn SegmentTechnique, Sees>;

/// What a technique has to see of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// Its boxes: the page has to be rendered.
    Boxes,
    /// Its tree.
    Tree,
}

impl Sees {
    /// Whether the page has to be rendered.
    #[must_use]
    pub fn needs_layout(self) -> bool {
        self == Sees::Boxes
    }
}

/// All techniques.
#[must_use]
pub fn all() -> &'static [SegmentEntry] {
    ENTRIES
}

/// The technique of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static SegmentEntry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{BoxKind, Layout, RenderedBox};
    use crate::rect::Rect;
    use unchaff_dom::Page;

    #[test]
    fn every_entry_builds_with_each_of_its_documented_defaults() {
        for entry in all() {
            assert_eq!(entry.default_technique().name(), entry.name);
            for parameter in entry.parameters() {
                entry.technique(&[(parameter.name, &parameter.default)]).unwrap_or_else(|error| panic!("{error}"));
            }
        }
        let wrong = find("bcs").unwrap().technique(&[("ct", "little")]).err().unwrap().to_string();
        assert!(wrong.contains("`little`") && wrong.contains("a number"), "{wrong}");
        assert!(find("bcs").unwrap().technique(&[("tc", "1")]).err().unwrap().to_string().contains("ct"));
    }

    #[test]
    fn what_finds_different_segments_is_described_differently() {
        let bcs = find("bcs").unwrap();
        assert!(bcs.described(&[]).starts_with("bcs ct=0.3 "), "{}", bcs.described(&[]));
        assert_eq!(bcs.described(&[]), bcs.described(&[("ct", "0.5"), ("ct", "0.30")]));
        assert_ne!(bcs.described(&[]), bcs.described(&[("ct", "0.5")]));
        assert_ne!(bcs.described(&[]), find("bcs-program").unwrap().described(&[]));
    }

    /// Boxes of the texts of a page, as a poor renderer would set them: all 16 pixels high, one below the other.
    fn set(page: &Page) -> Layout {
        let texts = page.nodes().filter(|node| page.name(*node) == "#text" && page.counts(*node).tokens > 0);
        let boxes: Vec<RenderedBox> = texts
            .enumerate()
            .map(|(at, node)| {
                let top = 20 * at as i32;
                let width = 7 * page.counts(node).chars.min(100) as i32;
                RenderedBox { node: Some(node.0), ..RenderedBox::new(BoxKind::Text, Rect::from([0, top, width, top + 16])) }
            })
            .collect();
        Layout { width: 700, height: 20 * boxes.len() as i32, boxes }
    }

    #[test]
    fn every_technique_has_an_answer_for_odd_pages() {
        let many = format!("<body>{}</body>", "<div><a href=/x>link</a><p>Some text, with a comma.</p></div>".repeat(500));
        let nested = format!("{}text{}", "<div>".repeat(600), "</div>".repeat(600));
        let odd = ["", "only text", "<frameset><frame src=a></frameset>", "<body></body>", "<body><p>one box", &many, &nested];
        for html in odd {
            let page = Page::parse(html);
            for layout in [Layout::default(), set(&page)] {
                for entry in all() {
                    let technique = entry.default_technique();
                    let found = technique.segment(&page, &layout);
                    assert_eq!(found, technique.segment(&page, &layout), "{}", entry.name);
                    let flat = found.level(&page, &layout, u32::MAX);
                    let mut seen: Vec<u32> =
                        flat.segments.iter().flat_map(|segment| &segment.boxes).chain(&flat.unclustered).copied().collect();
                    seen.sort_unstable();
                    assert_eq!(seen, layout.content().collect::<Vec<_>>(), "{}: each box once", entry.name);
                    let tree = technique.tree(&page, &layout);
                    assert!(
                        tree.segments
                            .iter()
                            .enumerate()
                            .all(|(at, segment)| segment.parent.is_none_or(|parent| (parent as usize) < at))
                    );
                }
            }
        }
    }
}
