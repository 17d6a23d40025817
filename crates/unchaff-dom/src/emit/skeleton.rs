//! A page with parts taken out: the markup of everything that is kept, as it was, and nothing of the rest.
//!
//! What is kept of a site's template is an empty form: elements of the set and what holds them stay, with their attributes,
//! the text of the set stays, and where something page-specific stood there is now nothing. The head stays whole but for
//! the title, which is the page's own.

use super::html::{push_attribute, push_escaped};
use crate::{NodeId, NodeSet, Page, Tag};

/// Writes the page without what is not in the set.
///
/// ```
/// use unchaff_dom::{Page, emit, select::Selector};
///
/// let page = Page::parse("<body><nav><a href=/>Home</a></nav><main><p>Today's news</p></main>");
/// let mut nodes = page.subtree_set(page.root());
/// nodes.remove_subtree(&page, page.select(&Selector::parse("p").unwrap()).next().unwrap());
/// let skeleton = emit::skeleton(&page, &nodes);
/// assert!(skeleton.contains("<nav><a href=\"/\">Home</a></nav><main></main>"));
/// ```
#[must_use]
pub fn skeleton(page: &Page, nodes: &NodeSet) -> String {
    let kept = nodes.with_ancestors(page);
    let mut out = String::from("<!DOCTYPE html>\n");
    let mut open: Vec<NodeId> = Vec::new();
    let in_head = page.head().map_or(0..0, |head| page.range(head));
    let mut at = page.root();
    while at.index() < page.len() {
        while let Some(last) = open.pop_if(|node| page.end(*node) <= at) {
            out.extend(["</", page.name(last), ">"]);
        }
        let is_kept = if in_head.contains(&at.index()) {
            page.tag(at) != Tag::Title
        } else {
            kept.contains(at) || matches!(page.tag(at), Tag::Document | Tag::Html | Tag::Body)
        };
        if !is_kept {
            at = page.end(at);
            continue;
        }
        match page.tag(at) {
            Tag::Document | Tag::Comment | Tag::Doctype => {}
            Tag::Text | Tag::Raw => {
                let is_raw = page.parent(at).is_some_and(|parent| is_raw_text(page.tag(parent)));
                if is_raw { out.push_str(page.string(at)) } else { push_escaped(&mut out, page.string(at)) }
            }
            tag => {
                out.extend(["<", page.name(at)]);
                for (name, value) in page.attrs(at) {
                    push_attribute(&mut out, name, value);
                }
                out.push('>');
                if !tag.is_void() {
                    open.push(at);
                }
            }
        }
        at = NodeId(at.0 + 1);
    }
    while let Some(last) = open.pop() {
        out.extend(["</", page.name(last), ">"]);
    }
    out.push('\n');
    out
}

/// Elements whose text is written as it is.
fn is_raw_text(tag: Tag) -> bool {
    matches!(tag, Tag::Script | Tag::Style | Tag::Xmp | Tag::Iframe | Tag::Noembed | Tag::Noframes | Tag::Plaintext)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_goes_scripts_stay_as_they_are_and_text_is_escaped() {
        let page = Page::parse(
            "<head><title>Today</title><style>a > b {}</style></head><body class='x \"y\"'>a &lt; b<script>if (a < b) c();</script><br><p>gone<b>too</b></p>&amp;",
        );
        let mut nodes = page.subtree_set(page.root());
        let paragraph = page.nodes().find(|node| page.tag(*node) == Tag::P).unwrap();
        nodes.remove_subtree(&page, paragraph);
        assert_eq!(
            skeleton(&page, &nodes),
            "<!DOCTYPE html>\n<html><head><style>a > b {}</style></head><body class=\"x &quot;y&quot;\">a &lt; b\
             <script>if (a < b) c();</script><br>&amp;</body></html>\n"
        );
    }

    #[test]
    fn what_holds_a_kept_element_stays_and_an_empty_set_leaves_an_empty_body() {
        let page = Page::parse("<div id=a>text<div id=b><i>kept</i>not</div></div>");
        let nodes = NodeSet::from_roots(&page, page.nodes().find(|node| page.tag(*node) == Tag::I));
        assert!(skeleton(&page, &nodes).contains("<body><div id=\"a\"><div id=\"b\"><i>kept</i></div></div></body>"));
        assert!(skeleton(&page, &NodeSet::new(&page)).contains("<body></body>"));
    }
}
