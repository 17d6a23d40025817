//! Equal subtrees of several pages, found from the leaves up.
//!
//! G. Valiente: An Efficient Bottom-Up Distance between Trees, SPIRE 2001: isomorphic subtrees are one vertex of a
//! compacted graph, so a node is mapped if and only if everything below it is. Here the vertex is a hash of the node and
//! its children's vertices, one pass a page, and pages need not be held together to be compared. Blank text and comments
//! are no part of the trees: how a page is indented says nothing.

use crate::learned::page_keys::{Addresses, hash_bytes, hash_text, mix};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::parameters::choice;

choice! {
    /// When two nodes, leaving aside what is below them, are the same.
    pub enum Likeness {
        /// Same name, attributes and text, as they are written.
        Exact = "exact",
        /// The same, with addresses resolved: a menu written with relative links is the same in all folders.
        Resolved = "resolved",
        /// Same name; any text is like any other.
        Tags = "tags",
    }
}

/// What each node is by itself, by node; 0 for nodes outside the body and for blank text and comments.
#[must_use]
pub(crate) fn labels(page: &Page, likeness: Likeness) -> Vec<u64> {
    let mut labels = vec![0; page.len()];
    let mut addresses = Addresses::of(page);
    for node in page.body().into_iter().flat_map(|body| page.subtree(body)) {
        labels[node.index()] = label(page, node, likeness, &mut addresses);
    }
    labels
}

fn label(page: &Page, node: NodeId, likeness: Likeness, addresses: &mut Addresses<'_>) -> u64 {
    let tag = page.tag(node);
    let name = match tag {
        Tag::Custom | Tag::Foreign => hash_bytes(tag as u64, page.name(node).as_bytes()),
        tag => mix(tag as u64, 0),
    };
    match tag {
        Tag::Comment | Tag::Doctype => 0,
        Tag::Text if page.counts(node).tokens == 0 => 0,
        _ if likeness == Likeness::Tags => name,
        Tag::Text | Tag::Raw => hash_text(name, page.string(node)),
        _ => page
            .attrs(node)
            .fold(name, |sum, (attribute, value)| {
                let is_address = likeness == Likeness::Resolved && matches!(attribute, "href" | "src" | "action" | "data");
                let value = if is_address { addresses.hash(value.trim_ascii()) } else { hash_bytes(0, value.as_bytes()) };
                // A sum, because the order of attributes means nothing.
                sum.wrapping_add(mix(hash_bytes(1, attribute.as_bytes()), value))
            })
            .max(1),
    }
}

/// Labels of a smaller tree that says the same: text belongs to the element it stands in, and an image is its `alt` text; comments have no label to
/// begin with. L. Shi, C. Niu, M. Zhou, J. Gao: A DOM Tree Alignment Model for Mining Parallel Data from the Web, 2006, after Gottron, 2008, §3.5.
#[must_use]
pub(crate) fn reduced(page: &Page, mut labels: Vec<u64>) -> Vec<u64> {
    for node in page.nodes() {
        let label = &mut labels[node.index()];
        match page.tag(node) {
            _ if *label == 0 => {}
            Tag::Img => *label = hash_text(Tag::Img as u64, page.attr(node, "alt").unwrap_or_default()).max(1),
            Tag::Text => {
                let text = std::mem::take(label);
                if let Some(parent) = page.parent(node).filter(|parent| labels[parent.index()] != 0) {
                    labels[parent.index()] = mix(labels[parent.index()], text).max(1);
                }
            }
            _ => {}
        }
    }
    labels
}

/// The class of each node's subtree, by node: equal if and only if the subtrees are. Nodes with label 0 are left out with all
/// that is below them.
#[must_use]
pub(crate) fn classes(page: &Page, labels: &[u64]) -> Vec<u64> {
    let mut classes = vec![0; page.len()];
    // Children arrive from last to first and are folded into what becomes the class of their parent.
    for node in page.nodes().rev().filter(|node| labels[node.index()] != 0) {
        let class = mix(labels[node.index()], classes[node.index()]);
        classes[node.index()] = class;
        if let Some(parent) = page.parent(node).filter(|parent| labels[parent.index()] != 0) {
            classes[parent.index()] = mix(classes[parent.index()], class);
        }
    }
    classes
}

/// A set together with the way from each of its nodes up to the body.
#[must_use]
pub(crate) fn with_paths(page: &Page, nodes: &NodeSet) -> NodeSet {
    let mut all = nodes.with_ancestors(page);
    for outside in page.body().into_iter().flat_map(|body| page.ancestors(body)) {
        all.remove(outside);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;

    fn class(likeness: Likeness, url: &str, html: &str) -> u64 {
        let page = Parser::new().url(url).parse(html);
        classes(&page, &labels(&page, likeness))[page.body().unwrap().index()]
    }

    #[test]
    fn a_reduced_tree_has_neither_texts_nor_addresses_of_images() {
        let of = |html: &str| {
            let page = Page::parse(html);
            let once = reduced(&page, labels(&page, Likeness::Exact));
            assert_eq!(once, reduced(&page, once.clone()), "twice is once");
            (once.iter().filter(|label| **label != 0).count(), classes(&page, &once)[page.body().unwrap().index()])
        };
        let one = of("<p>Rain <b>falls</b></p><img src=a.png alt=Cloud>");
        assert_eq!(one.0, 4, "body, p, b, img");
        assert_eq!(one, of("<p>Rain <b>falls</b></p><img src=b.png alt=Cloud><!-- said -->"));
        assert_ne!(one.1, of("<p>Sun <b>falls</b></p><img src=a.png alt=Cloud>").1);
        assert_ne!(one.1, of("<p>Rain <b>falls</b></p><img src=a.png alt=Sun>").1);
    }

    #[test]
    fn subtrees_are_equal_if_all_that_is_in_them_is() {
        let of = |html| class(Likeness::Exact, "https://example.org/", html);
        let one = "<ul class=a id=b><li>one<li><b>two</b></ul>";
        assert_eq!(of(one), of("<!-- said -->\n<ul id=b class=a>\n <li>one\n<li><b> two </b></ul>"));
        let others = [
            "<ul class=a id=b><li>one<li><b>three</b></ul>",
            "<ul class=a id=c><li>one<li><b>two</b></ul>",
            "<ul class=a id=b><li><b>two</b><li>one</ul>",
            "<ul class=a id=b><li>one<li><i>two</i></ul>",
            "<ul class=a id=b><li>one<b>two</b></ul>",
            "<ul class=b id=a><li>one<li><b>two</b></ul>",
        ];
        for (at, html) in others.iter().enumerate() {
            assert_ne!(of(html), of(one), "{html}");
            assert!(others[..at].iter().all(|other| of(other) != of(html)), "{html}");
        }
    }

    #[test]
    fn likeness_says_whether_addresses_and_texts_count() {
        let link = "<a href=../x>one</a>";
        let (near, far) = ("https://example.org/a/b", "https://example.org/a/b/c");
        assert_eq!(class(Likeness::Exact, near, link), class(Likeness::Exact, far, link));
        assert_ne!(class(Likeness::Resolved, near, link), class(Likeness::Resolved, far, link));
        assert_eq!(class(Likeness::Resolved, near, link), class(Likeness::Resolved, far, "<a href=/x>one</a>"));
        assert_eq!(class(Likeness::Tags, near, link), class(Likeness::Tags, far, "<a>two</a>"));
        assert_ne!(class(Likeness::Tags, near, link), class(Likeness::Tags, far, "<a></a>"));
    }

    #[test]
    fn paths_end_at_the_body() {
        let page = Page::parse("<body><div><p>x</p></div><ul></ul></body>");
        let text = page.nodes().find(|node| page.tag(*node) == Tag::Text).unwrap();
        let set = with_paths(&page, &NodeSet::from_nodes(&page, [text]));
        let names: Vec<&str> = set.iter().map(|node| page.name(node)).collect();
        assert_eq!(names, ["body", "div", "p", "#text"]);
    }
}
