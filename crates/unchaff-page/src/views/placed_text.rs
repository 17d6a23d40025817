//! Where a text stands on a page: from the text that another program printed to nodes of the page.
//!
//! Other extractors print text, often with white space, list marks and line breaks of their own. Its words are [aligned](super::alignment) with those of the
//! page, in order, and a text node is in if at least half of its words have a partner; elements follow (`whole_elements.rs`). A
//! word that the page has twice may be taken from the wrong place if nothing around it tells; what the page does not show is not found.

use crate::views::alignment::aligned;
use crate::views::whole_elements::with_whole_elements;
use std::collections::HashMap;
use unchaff_dom::words::words;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

/// The words of a page's texts, each with its node, in lower case and numbered, and those of a text by the same numbers.
struct Numbered {
    page: Vec<u32>,
    nodes: Vec<NodeId>,
    text: Vec<u32>,
}

impl Numbered {
    fn of(page: &Page, text: &str) -> Numbered {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut number = |word: &str| {
            let next = numbers.len() as u32;
            *numbers.entry(word.to_lowercase()).or_insert(next)
        };
        let mut all = Numbered { page: Vec::new(), nodes: Vec::new(), text: Vec::new() };
        for node in page.body().into_iter().flat_map(|body| page.subtree(body)).filter(|node| page.tag(*node) == Tag::Text) {
            for word in words(page.string(node)) {
                all.page.push(number(word));
                all.nodes.push(node);
            }
        }
        all.text.extend(words(text).map(number));
        all
    }
}

/// For every text node with words, in document order, how many it has and how many of them the text has too, at that place.
#[must_use]
pub fn placed_words(page: &Page, text: &str) -> Vec<(NodeId, u32, u32)> {
    let numbered = Numbered::of(page, text);
    let mut found: Vec<(NodeId, u32, u32)> = Vec::new();
    for (node, is_paired) in numbered.nodes.iter().zip(aligned(&numbered.page, &numbered.text)) {
        match found.last_mut() {
            Some((last, all, paired)) if last == node => (*all, *paired) = (*all + 1, *paired + u32::from(is_paired)),
            _ => found.push((*node, 1, u32::from(is_paired))),
        }
    }
    found
}

/// The nodes of a page that a text is of.
///
/// ```
/// use unchaff_dom::{Page, emit};
/// use unchaff_page::views::placed_text::nodes_of_text;
///
/// let page = Page::parse("<nav>Home Tea</nav><p>Tea is <b>good</b>.</p><p>Drink tea!</p>");
/// let nodes = nodes_of_text(&page, "* tea is\n  good\n* drink tea");
/// assert_eq!(emit::text(&page, &nodes), "Tea is good.\n\nDrink tea!\n");
/// ```
#[must_use]
pub fn nodes_of_text(page: &Page, text: &str) -> NodeSet {
    let texts = placed_words(page, text).into_iter().filter(|(_, all, paired)| paired * 2 >= *all).map(|(node, ..)| node);
    with_whole_elements_of_words(page, &NodeSet::from_nodes(page, texts))
}

/// Texts without words, such as a full stop after a link, are where the texts around them are.
fn with_whole_elements_of_words(page: &Page, texts: &NodeSet) -> NodeSet {
    let mut with = texts.clone();
    let mut last: Option<NodeId> = None;
    for node in page.body().into_iter().flat_map(|body| page.subtree(body)).filter(|node| page.tag(*node) == Tag::Text) {
        if page.counts(node).words > 0 {
            last = Some(node);
        } else if let Some(last) = last
            && texts.contains(last)
            && page.parent(last).zip(page.parent(node)).is_some_and(|(one, other)| one == other || page.is_ancestor(other, one))
        {
            with.insert(node);
        }
    }
    with_whole_elements(page, &with)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::emit;

    fn found(html: &str, text: &str) -> String {
        let page = Page::parse(html);
        emit::text(&page, &nodes_of_text(&page, text))
    }

    #[test]
    fn the_place_is_told_by_the_words_around() {
        let html =
            "<ul><li>Rain<li>Sun</ul><p>Rain again, said the miller.</p><p>Then the sun came.</p><footer>Rain Sun</footer>";
        assert_eq!(
            found(html, "Rain again, said the miller. Then the sun came."),
            "Rain again, said the miller.\n\nThen the sun came.\n"
        );
        assert_eq!(found(html, "nothing of it"), "");
        assert_eq!(found("", "x"), "");
    }

    #[test]
    fn marks_of_markdown_and_missing_words_do_not_matter() {
        let html = "<p>See <a href=/>the river</a>, and <code>a + b</code>.</p><p>Other text here</p>";
        assert_eq!(found(html, "- See [the river](/), and `a + b`.\n"), "See the river, and a + b.\n");
        assert_eq!(found(html, "text here"), "Other text here\n");
    }
}
