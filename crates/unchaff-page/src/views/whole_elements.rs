//! From text nodes to elements: what a technique that selects text says about the tree.
//!
//! An element is in, with everything below it, if all text below it is in and there is some: so images in a paragraph stay
//! with it, outputs mark elements, and the result is made of whole subtrees wherever it can be.

use unchaff_dom::{NodeId, NodeSet, Page, Tag};

/// Text nodes of the body and every element all of whose text they are, with everything below it.
pub(crate) fn with_whole_elements(page: &Page, texts: &NodeSet) -> NodeSet {
    with_whole_elements_among(page, |node| page.tag(node) == Tag::Text && page.counts(node).tokens > 0, texts)
}

/// The same where only some texts count, such as those that can be written.
pub(crate) fn with_whole_elements_among(page: &Page, counts: impl Fn(NodeId) -> bool, texts: &NodeSet) -> NodeSet {
    // Texts with words before each node, and how many of them are in.
    let body = page.body().unwrap_or(page.root());
    let mut before: Vec<(u32, u32)> = Vec::with_capacity(page.range(body).len() + 1);
    let mut sum = (0, 0);
    for node in page.subtree(body) {
        before.push(sum);
        if counts(node) {
            sum = (sum.0 + 1, sum.1 + u32::from(texts.contains(node)));
        }
    }
    before.push(sum);
    let mut set = NodeSet::new(page);
    let mut node = body;
    while node < page.end(body) {
        let (from, to) = (before[node.index() - body.index()], before[page.end(node).index() - body.index()]);
        let (all, inside) = (to.0 - from.0, to.1 - from.1);
        if all > 0 && all == inside {
            set.insert_subtree(page, node);
        }
        // Where nothing or all is in, nothing below can differ.
        node = if inside == 0 || all == inside { page.end(node) } else { NodeId(node.0 + 1) };
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::select::Selector;

    #[test]
    fn an_element_is_in_with_images_and_blanks_if_all_its_text_is() {
        let page = Page::parse("<div id=d><p id=a>one <b>two</b> <img></p> <p id=b>three<img></p><p id=c><img></p></div>");
        let find = |selector: &str| page.select(&Selector::parse(selector).unwrap()).next().unwrap();
        let whole = |has: &dyn Fn(NodeId) -> bool| {
            with_whole_elements(&page, &NodeSet::from_nodes(&page, page.nodes().filter(|node| has(*node))))
        };
        let set = whole(&|node| page.text(node) != "three");
        assert_eq!(set, page.subtree_set(find("#a")));
        let set = whole(&|node| page.text(node) != "one ");
        assert_eq!(set.roots(&page), [find("#a b"), find("#b")]);
        assert_eq!(whole(&|_| true), page.subtree_set(page.body().unwrap()));
        assert!(whole(&|_| false).is_empty());
    }

    proptest! {
        #[test]
        fn the_texts_of_the_set_are_the_texts_given(pieces in prop::collection::vec("<(div|p|b|td|table)>|</(div|p|b)>|one |two ", 0..40), picks in any::<u64>()) {
            let page = Page::parse(pieces.concat());
            let has = |node: NodeId| picks >> (node.0 % 64) & 1 == 1;
            let set = with_whole_elements(&page, &NodeSet::from_nodes(&page, page.nodes().filter(|node| has(*node))));
            for node in page.subtree(page.body().unwrap()) {
                let mut texts = page.subtree(node).filter(|below| page.tag(*below) == Tag::Text && page.counts(*below).tokens > 0).peekable();
                if texts.peek().is_some() {
                    prop_assert_eq!(set.contains(node), texts.all(has));
                }
            }
        }
    }
}
