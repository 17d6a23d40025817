//! Segments from the tree alone: elements are divided until none holds more than a share of what the page says.
//!
//! A baseline of ours, for pages that are not rendered. What a page says is counted in characters, an image as a few of them.
//! An element that says what it is for (`header`, `nav`, `aside`, `footer`) is not divided unless it is far too large, and runs of
//! text and inline elements between blocks are one segment.

use crate::layout::Layout;
use crate::registry::{Sees, SegmentEntry};
use crate::segmentation::{SegmentTechnique, Segmentation};
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_page::parameters;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;

parameters! {
    /// The parameters.
    pub struct Params {
        /// The largest share of the page that a segment holds, if it can be divided.
        pub most: f64 = 0.4,
        /// The same for elements that say what they are for.
        pub most_named: f64 = 0.5,
        /// Children with a smaller share do not make it worth dividing an element.
        pub least: f64 = 0.01,
        /// How many characters an image counts for.
        pub image: f64 = 100.0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SegmentEntry = SegmentEntry {
    name: "dom-blocks",
    summary: "elements, divided until none holds too large a share of the page",
    source: "unchaff",
    cost: "linear",
    kind: Sees::Tree,
    parameters: Params::list,
    build: |settings| Ok(Box::new(DomBlocks { params: read(settings)? })),
};

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct DomBlocks {
    params: Params,
}

impl SegmentTechnique for DomBlocks {
    fn name(&self) -> &'static str {
        "dom-blocks"
    }

    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation {
        Segmentation::from_nodes(page, layout, self.groups(page))
    }
}

impl DomBlocks {
    fn groups(&self, page: &Page) -> Vec<Vec<NodeId>> {
        let Some(body) = page.body() else { return Vec::new() };
        let images = image_sums(page);
        let amount = |node: NodeId| {
            let range = page.range(node);
            f64::from(page.counts(node).chars) + self.params.image * f64::from(images[range.end] - images[range.start])
        };
        let all = amount(body).max(1.0);
        let mut groups: Vec<Vec<NodeId>> = Vec::new();
        let mut rest = vec![body];
        while let Some(node) = rest.pop() {
            let named = matches!(page.tag(node), Tag::Header | Tag::Nav | Tag::Aside | Tag::Footer);
            let most = if named { self.params.most_named } else { self.params.most };
            let blocks = || page.children(node).filter(|child| is_block(page, *child) && amount(*child) > 0.0);
            let worth_it = blocks().filter(|child| amount(*child) >= self.params.least * all).take(2).count();
            // An only block is looked into, whatever its size: it is the same segment.
            if amount(node) <= most * all || blocks().next().is_none() || worth_it < 2 && blocks().count() > 1 {
                groups.push(vec![node]);
                continue;
            }
            let mut run = Vec::new();
            for child in page.children(node) {
                if is_block(page, child) {
                    groups.extend((!run.is_empty()).then(|| std::mem::take(&mut run)));
                    if amount(child) > 0.0 {
                        rest.push(child);
                    }
                } else if amount(child) > 0.0 {
                    run.push(child);
                }
            }
            groups.extend((!run.is_empty()).then_some(run));
        }
        groups.sort_unstable();
        groups
    }
}

/// Blocks by tag, and whatever has one in it.
fn is_block(page: &Page, node: NodeId) -> bool {
    page.tag(node).is_block() || page.is_element(node) && page.element_children(node).any(|child| page.tag(child).is_block())
}

/// How many images there are before each node.
fn image_sums(page: &Page) -> Vec<u32> {
    let mut sums = Vec::with_capacity(page.len() + 1);
    sums.push(0);
    for node in page.nodes() {
        let image = matches!(page.tag(node), Tag::Img | Tag::Svg | Tag::Video | Tag::Iframe | Tag::Object | Tag::Embed);
        sums.push(sums[node.index()] + u32::from(image));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(html: &str) -> Vec<String> {
        let page = Page::parse(html);
        let found = DomBlocks::default().segment(&page, &Layout::default());
        found
            .segments
            .iter()
            .map(|segment| segment.nodes.iter().map(|node| page.text(*node).trim()).collect::<Vec<_>>().join("|"))
            .collect()
    }

    #[test]
    fn large_elements_are_divided_and_named_ones_kept() {
        let long = "word ".repeat(40);
        let html = format!(
            "<header><p>Name</p><p>Motto</p></header><div><div><p>{long}</p><p>{long}</p></div><div>side column</div></div><footer>foot</footer>"
        );
        let found = texts(&html);
        assert_eq!(found.len(), 5, "{found:?}");
        assert_eq!(found[0], "NameMotto");
        assert_eq!(found[4], "foot");
    }

    #[test]
    fn runs_of_text_between_blocks_are_one_segment() {
        let long = "word ".repeat(40);
        assert_eq!(texts(&format!("one <b>two</b><p>{long}</p>three<p>{long}</p>"))[..1], ["one|two"]);
    }
}
