//! The text of pages that draw themselves by script: what their JSON-LD says in full.
//!
//! Articles have an `articleBody`, reviews a `reviewBody`, postings, questions and answers a `text`. Search engines ask
//! for them, so that they are there even if the page is an empty shell otherwise. Of several the longest counts, with its
//! headline before it and, for questions and discussions, what was answered after it.

use super::json_ld::{Node, has_type, nodes, texts_of};
use super::{MOST_JSON, is_json_ld, json_text};
use crate::{Page, Tag};
use serde_json::Value;

/// Answers and replies that are taken.
const MOST_REPLIES: usize = 200;
/// Where the text of something stands.
const BODIES: [&str; 3] = ["articleBody", "reviewBody", "text"];

/// What JSON-LD says a page is about, in full and as HTML, if it has more than `more_than` bytes.
///
/// ```
/// let page = unchaff_dom::Page::parse(
///     r#"<script type="application/ld+json">{"@type": "Article", "headline": "Rain", "articleBody": "It rained.\nAll day."}</script>"#,
/// );
/// let html = unchaff_dom::metadata::embedded_text(&page, 10).unwrap();
/// assert_eq!(html, "<h1>Rain</h1>\n<p>It rained.</p>\n<p>All day.</p>\n");
/// assert_eq!(unchaff_dom::metadata::embedded_text(&page, 100), None);
/// ```
#[must_use]
pub fn embedded_text(page: &Page, more_than: usize) -> Option<String> {
    let scripts = page.nodes().filter(|node| page.tag(*node) == Tag::Script && is_json_ld(page, *node));
    let scripts = scripts.map(|node| page.children(node).next().map_or("", |raw| page.string(raw)));
    let mut left = MOST_JSON;
    let mut values: Vec<Value> = Vec::new();
    // Reading JSON costs more than looking whether it can hold such a text at all.
    for script in scripts.filter(|script| script.len() > more_than && BODIES.iter().any(|key| script.contains(key))) {
        left = left.saturating_sub(script.len());
        if left > 0 {
            values.extend(json_text::values(script));
        }
    }
    let bodies = nodes(&values).into_iter().filter_map(|node| Some((body(node)?, node)));
    let (body, node) = bodies.max_by_key(|(body, _)| body.len())?;
    let mut html = String::new();
    if let Some(title) = texts_of(node, &["headline", "name"]).next() {
        write_paragraphs("h1", title, &mut html);
    }
    let before = html.len();
    write(body, &mut html);
    for reply in replies(node).take(MOST_REPLIES) {
        write(reply, &mut html);
    }
    (html.len() - before > more_than).then_some(html)
}

/// The text of a node; `text` only of what is written by somebody, as a `WebPage` has its summary there.
fn body(node: &Node) -> Option<&str> {
    let is_written = |name: &str| name.ends_with("Posting") || matches!(name, "Question" | "Answer" | "Comment" | "Message");
    let keys = if has_type(node, is_written) { &BODIES[..] } else { &BODIES[..2] };
    texts_of(node, keys).max_by_key(|text| text.len())
}

/// What was answered to a question, or in a discussion.
fn replies(node: &Node) -> impl Iterator<Item = &str> {
    let is_discussion = has_type(node, |name| matches!(name, "Question" | "DiscussionForumPosting"));
    let keys: &[&str] = if is_discussion { &["acceptedAnswer", "suggestedAnswer", "comment"] } else { &[] };
    let values = keys.iter().filter_map(|key| node.get(*key));
    let items = values.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
    items.filter_map(Value::as_object).filter_map(body)
}

/// Adds text that may itself be HTML.
pub(super) fn write(text: &str, html: &mut String) {
    let is_markup = ["<p>", "<p ", "<br", "</"].iter().any(|tag| text.contains(tag));
    if is_markup {
        html.push_str("<div>");
        html.push_str(text);
        html.push_str("</div>\n");
    } else {
        write_paragraphs("p", text, html);
    }
}

/// Adds an element for each line.
pub(super) fn write_paragraphs(tag: &str, text: &str, html: &mut String) {
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let line = line.replace('<', "&lt;");
        html.extend(["<", tag, ">", &line, "</", tag, ">\n"]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded(json: &str) -> Option<String> {
        embedded_text(&Page::parse(format!("<body><script type='application/ld+json'>{json}</script>")), 0)
    }

    #[test]
    fn the_longest_text_is_taken_with_its_headline() {
        let two = r#"[{"@type": "Article", "articleBody": "Short."}, {"@type": "NewsArticle", "headline": "H", "articleBody": "A longer one."}]"#;
        assert_eq!(embedded(two).as_deref(), Some("<h1>H</h1>\n<p>A longer one.</p>\n"));
    }

    #[test]
    fn answers_follow_their_question() {
        let question = r#"{"@type": "QAPage", "mainEntity": {"@type": "Question", "name": "Why?", "text": "Why is it so?",
            "acceptedAnswer": {"@type": "Answer", "text": "Because."}, "suggestedAnswer": [{"@type": "Answer", "text": "1 < 2"}]}}"#;
        let html = "<h1>Why?</h1>\n<p>Why is it so?</p>\n<p>Because.</p>\n<p>1 &lt; 2</p>\n";
        assert_eq!(embedded(question).as_deref(), Some(html));
    }

    #[test]
    fn markup_stays_markup() {
        let html = r#"{"@type": "Article", "articleBody": "<p>One</p><p>Two"}"#;
        assert_eq!(embedded(html).as_deref(), Some("<div><p>One</p><p>Two</div>\n"));
    }

    #[test]
    fn summaries_and_broken_data_are_no_text() {
        for json in
            [r#"{"@type": "WebPage", "text": "Summary"}"#, r#"{"@type": "Article", "articleBody": 7}"#, "{", "", "articleBody"]
        {
            assert_eq!(embedded(json), None, "{json}");
        }
    }
}
