//! Data of a program that stand in the page as text: a block that is one JSON object and nothing else.
//!
//! Scripts leave them there for themselves, and style hides them. Where code is shown, or a cell holds an example, an object is what the page is about;
//! so it is where it is all that the page says.

use super::listing::is_listing;
use crate::{NodeId, Page, Tag};

/// Whether a block holds an object for a script.
pub(super) fn is_stray_data(page: &Page, node: NodeId) -> bool {
    let text = page.text(node).trim_ascii();
    text.starts_with('{') && text.ends_with('}') && is_object_of_no_code(page, node, text)
}

#[inline(never)]
fn is_object_of_no_code(page: &Page, node: NodeId, text: &str) -> bool {
    const MOST_ABOVE: usize = 16;
    // A block with blocks in it is judged by these, so that no text is read twice.
    let is_other = |below: NodeId| page.tag(below).is_block() || is_for_code(page, below);
    let is_all = || page.body().is_some_and(|body| page.counts(body).chars == page.counts(node).chars);
    !page.descendants(node).any(is_other)
        && is_object(text)
        && !is_all()
        && !is_for_code(page, node)
        && !page.ancestors(node).take(MOST_ABOVE).any(|above| is_for_code(page, above))
}

/// Whether an element is for code, or for a value in a table.
fn is_for_code(page: &Page, node: NodeId) -> bool {
    use Tag::*;
    const CLASSES: [&str; 6] = ["code", "highlight", "syntax", "editor", "example", "sample"];
    match page.tag(node) {
        Pre | Code | Samp | Kbd | Tt | Var | Textarea | Listing | Xmp | Plaintext | Td | Th => true,
        Body | Html => false,
        tag => {
            tag.is_element()
                && (CLASSES.iter().any(|class| page.class(node).contains(class)) || tag == Div && is_listing(page, node))
        }
    }
}

/// Whether a text has the form of a JSON object with a key at least, which ends where the text does.
fn is_object(text: &str) -> bool {
    let Some(key) = text.strip_prefix('{').and_then(|rest| rest.trim_ascii_start().strip_prefix('"')) else { return false };
    if !key.split_once('"').is_some_and(|(_, rest)| rest.trim_ascii_start().starts_with(':')) {
        return false;
    }
    let mut depth = 0_usize;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 1 => return bytes.next().is_none(),
            b'}' | b']' => depth -= 1,
            b'"' => loop {
                match bytes.next() {
                    Some(b'"') => break,
                    Some(b'\\') => _ = bytes.next(),
                    Some(_) => {}
                    None => return false,
                }
            },
            // Numbers, and the letters of `true`, `false` and `null`.
            b',' | b':' | b'-' | b'+' | b'.' | b'0'..=b'9' | b'E' => {}
            b't' | b'r' | b'u' | b'e' | b'f' | b'a' | b'l' | b's' | b'n' => {}
            _ if byte.is_ascii_whitespace() => {}
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit;

    #[test]
    fn objects_are_told_from_what_only_looks_like_them() {
        for object in [r#"{"a":1}"#, r#"{ "a" : {"b": [true, null, -1.5E+3, "}\"{"]} }"#, r#"{"a":"","b":{}}"#] {
            assert!(is_object(object), "{object}");
        }
        for text in [
            "{}",
            "{",
            r#"{"a"}"#,
            r#"{"a", "b"}"#,
            r#"{"a":1} and {"b":2}"#,
            r#"{"a":1}{"b":2}"#,
            r#"{"a": we say}"#,
            r#"{"a":"1}"#,
            r#"{"a":{"b":1}"#,
            "{a: 1}",
        ] {
            assert!(!is_object(text), "{text}");
        }
    }

    #[test]
    fn a_block_that_is_an_object_is_written_only_where_code_is_shown() {
        const OBJECT: &str = r#"{"id": 7, "on": true}"#;
        let text = |html: &str| {
            let page = Page::parse(html);
            emit::text(&page, &page.subtree_set(page.root()))
        };
        for open in ["<div>", "<p>", "<li>", "<section>", "<div><div><span>", "<h2>"] {
            assert_eq!(text(&format!("<p>Rain</p>{open} {OBJECT} ")).trim_end(), "Rain", "{open}");
        }
        for open in
            ["<pre>", "<p><code>", "<code><div>", "<samp>", "<table><td>", "<div class=code-box><div>", "<p>So: ", "<span>"]
        {
            assert!(text(&format!("<p>Rain</p>{open}{OBJECT}")).contains(OBJECT), "{open}");
        }
        assert!(text(&format!("<div>{OBJECT}</div>")).contains(OBJECT));
        assert_eq!(text(&format!("<main><div>{OBJECT}</div><p>Rain</p><div>{OBJECT}</div></main>")), "Rain\n");
    }
}
