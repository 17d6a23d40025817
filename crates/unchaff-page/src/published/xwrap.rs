//! XWRAP Elite's two heuristics for structured data: the subtree with most tags, and the element with most children.
//!
//! Wei Han, David Buttler, Calton Pu: Wrapping Web Data into XML. SIGMOD Record 30(3), 2001, as retold by Thomas Gottron: Content
//! Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, sections 3.1.2 and 6.2. XWRAP Elite locates the part of a page
//! that holds its objects by *largest tag count*, *highest fanout* and *largest size increase*
//! ([`lsi`](crate::published::largest_size_increase)). The first two look for lists of records; Gottron finds them unsuited to text.
//!
//! Taken by the letter, no subtree has more tags than the body. How ancestors are kept from winning is not in the material at
//! hand; here it is done as the third heuristic does it, by what an element has beyond its largest child.

use crate::parameters::{choice, parameters};
use crate::registry::Entry;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use unchaff_dom::{NodeId, NodeSet, Page};

choice! {
    /// How tags are counted.
    pub enum Counted {
        /// Tags below an element beyond those of its largest child, so that the innermost element around many small ones wins.
        Increase = "increase",
        /// All tags below an element, by the letter: the body wins.
        All = "all",
    }
}

parameters! {
    /// Parameters of the largest tag count.
    pub struct TagCountParams {
        /// How tags are counted: beyond those of the largest child, or all.
        pub counted: Counted = Counted::Increase,
    }
}

parameters! {
    /// The highest fanout has no parameters.
    pub struct FanoutParams {}
}

/// What the registry knows of the largest tag count.
pub(crate) const TAG_COUNT_ENTRY: Entry = Entry::new::<TagCount, TagCountParams>(
    "tag-count",
    BlockKind::Content,
    "the element that has most tags beyond those of its largest child",
    "W. Han, D. Buttler, C. Pu: Wrapping Web Data into XML. SIGMOD Record 30(3), 2001, after T. Gottron: Content Extraction, 2008, section 6.2",
    "linear in the page",
);

/// What the registry knows of the highest fanout.
pub(crate) const FANOUT_ENTRY: Entry = Entry::new::<Fanout, FanoutParams>(
    "fanout",
    BlockKind::Content,
    "the element with most children",
    "W. Han, D. Buttler, C. Pu: Wrapping Web Data into XML. SIGMOD Record 30(3), 2001, after T. Gottron: Content Extraction, 2008, section 6.2",
    "linear in the page",
);

/// The largest tag count; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct TagCount {
    params: TagCountParams,
}

/// The highest fanout; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Fanout;

impl From<TagCountParams> for TagCount {
    fn from(params: TagCountParams) -> TagCount {
        TagCount { params }
    }
}

impl From<FanoutParams> for Fanout {
    fn from(_: FanoutParams) -> Fanout {
        Fanout
    }
}

impl TagCount {
    /// What every node is worth.
    fn values(&self, page: &Page) -> Vec<u32> {
        let below = |node: NodeId| page.counts(node).elements.saturating_sub(1);
        let mut largest = vec![0; page.len()];
        for node in page.nodes().filter(|node| page.is_element(*node)) {
            if let Some(parent) = page.parent(node).filter(|_| self.params.counted == Counted::Increase) {
                largest[parent.index()] = largest[parent.index()].max(below(node));
            }
        }
        page.nodes().map(|node| if page.is_element(node) { below(node) - largest[node.index()] } else { 0 }).collect()
    }
}

/// How many elements are right below every node.
fn fanouts(page: &Page) -> Vec<u32> {
    let mut children = vec![0; page.len()];
    for parent in page.nodes().filter(|node| page.is_element(*node)).filter_map(|node| page.parent(node)) {
        children[parent.index()] += 1;
    }
    children
}

/// The first element of the body that is worth most.
fn best(page: &Page, values: &[u32]) -> Option<NodeId> {
    let elements = page.subtree(page.body()?).filter(|node| page.is_element(*node));
    elements.reduce(|best, node| if values[node.index()] > values[best.index()] { node } else { best })
}

fn detection(page: &Page, values: &[u32]) -> Detection {
    let nodes = best(page, values).map_or_else(|| NodeSet::new(page), |best| page.subtree_set(best));
    Detection::of(BlockKind::Content, nodes)
}

fn explanation(page: &Page, values: &[u32], column: &'static str) -> Explanation {
    let mut explanation = Explanation::new(&[column]).rated_by(column, Likely::High);
    let best = best(page, values);
    for node in page.body().into_iter().flat_map(|body| page.subtree(body)).filter(|node| page.is_element(*node)) {
        explanation.push(node, &[f64::from(values[node.index()])], if best == Some(node) { "content" } else { "" });
    }
    explanation
}

impl PageTechnique for TagCount {
    fn name(&self) -> &'static str {
        "tag-count"
    }

    fn detect(&self, page: &Page) -> Detection {
        detection(page, &self.values(page))
    }

    fn explain(&self, page: &Page) -> Explanation {
        explanation(page, &self.values(page), "tags")
    }
}

impl PageTechnique for Fanout {
    fn name(&self) -> &'static str {
        "fanout"
    }

    fn detect(&self, page: &Page) -> Detection {
        detection(page, &fanouts(page))
    }

    fn explain(&self, page: &Page) -> Explanation {
        explanation(page, &fanouts(page), "children")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Tag;

    /// Below the body there are 21 tags, 14 of them below the div; below the table's body 12, in rows of 2 each; below the list 5.
    const PAGE: &str = "<body><div><table><tbody><tr><td>a<td>b<tr><td>c<td>d<tr><td>e<td>f<tr><td>g<td>h</table></div>\
                        <ul><li>1<li>2<li>3<li>4<li>5</ul></body>";

    fn found(technique: &dyn PageTechnique) -> String {
        let page = Page::parse(PAGE);
        let nodes = technique.detect(&page).blocks.remove(0).nodes;
        page.name(nodes.iter().next().unwrap()).to_owned()
    }

    #[test]
    fn most_children_and_most_tags_beyond_the_largest_child() {
        assert_eq!(found(&Fanout), "ul");
        assert_eq!(found(&TagCount::default()), "tbody");
        assert_eq!(found(&TagCount::from(TagCountParams { counted: Counted::All })), "body");
        let page = Page::parse(PAGE);
        let values = TagCount::default().values(&page);
        let of = |tag: Tag| values[page.nodes().find(|node| page.tag(*node) == tag).unwrap().index()];
        assert_eq!([Tag::Body, Tag::Div, Tag::Table, Tag::Tbody, Tag::Tr, Tag::Ul].map(of), [7, 1, 1, 10, 2, 5]);
    }
}
