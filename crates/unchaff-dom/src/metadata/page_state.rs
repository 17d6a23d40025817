//! The text of pages that draw themselves by script: the state that they carry along.
//!
//! Frameworks put what a page will show into a script of JSON (`type="application/json"`; Next.js calls it `__NEXT_DATA__`) or into an
//! attribute (`data-page`, or `data-preloaded`, whose strings are JSON again), among settings, menus and texts of buttons. Pieces of text are strings that read like prose or hold markup. Those that stand at the same place of
//! like objects (the same path of keys, whatever the places in lists) are one group, and the group with most text is the page's. What
//! stands beside it in the smallest part of the state that has nearly all of the group is taken too: headings and short lines of the
//! same article. This is Readability's way with containers, on keys instead of elements.

use super::MOST_JSON;
use super::embedded::{write, write_paragraphs};
use crate::words::words;
use crate::{NodeId, Page, Tag};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Values that are looked at.
const MOST_VALUES: usize = 1 << 18;
/// Words of a piece of prose at least.
const PROSE_WORDS: usize = 8;
/// The share of a group's text that a part of the state must have.
const NEARLY_ALL: f64 = 0.8;
/// Bytes of a title at most.
const LONGEST_TITLE: usize = 300;
/// How far above the text its title may stand.
const TITLE_STEPS: usize = 4;
/// Keys of titles.
const TITLES: [&str; 3] = ["headline", "title", "name"];
/// Keys of short lines that belong to the text beside them.
const LINES: [&str; 9] = ["text", "heading", "title", "headline", "html", "content", "value", "caption", "body"];
/// Words in keys of what is no text of the page.
const OTHER: [&str; 16] = [
    "translation",
    "i18n",
    "locale",
    "messages",
    "labels",
    "config",
    "settings",
    "cookie",
    "consent",
    "footer",
    "navigation",
    "menu",
    "style",
    "script",
    "seo",
    "meta",
];

/// Attributes that hold the state.
const ATTRIBUTES: [&str; 4] = ["data-page", "data-preloaded", "data-props", "data-state"];

/// A string of the state that may be text.
struct Piece<'j> {
    text: &'j str,
    key: &'j str,
    /// Its path of keys.
    path: u64,
    /// The number of the object or list that it stands in.
    container: usize,
    /// Bytes of text, if it is prose or markup.
    length: usize,
}

/// An object or list of the state.
struct Container<'j> {
    parent: usize,
    title: Option<&'j str>,
}

/// What the state of a page says at length, as HTML, if it has more than `more_than` bytes of text.
///
/// ```
/// let page = unchaff_dom::Page::parse(
///     r#"<script type="application/json">{"post": {"title": "Rain", "body": "<p>It rained all day, and nobody went out at all.</p>"}}</script>"#,
/// );
/// let html = unchaff_dom::metadata::state_text(&page, 10).unwrap();
/// assert_eq!(html, "<h1>Rain</h1>\n<div><p>It rained all day, and nobody went out at all.</p></div>\n");
/// assert_eq!(unchaff_dom::metadata::state_text(&page, 100), None);
/// ```
#[must_use]
pub fn state_text(page: &Page, more_than: usize) -> Option<String> {
    let scripts = page.nodes().filter(|node| is_json(page, *node));
    let scripts = scripts.map(|node| page.children(node).next().map_or("", |raw| page.string(raw)));
    let attributes = page.nodes().flat_map(|node| page.attrs(node)).filter(|(name, _)| ATTRIBUTES.contains(name));
    let mut left = MOST_JSON;
    let mut values: Vec<Value> = Vec::new();
    let mut read = |json: &str, values: &mut Vec<Value>| {
        if json.len() > more_than && json.trim_start().starts_with(['{', '[']) {
            left = left.saturating_sub(json.len());
            if left > 0 {
                values.extend(serde_json::from_str::<Value>(json));
            }
        }
    };
    for json in scripts.chain(attributes.map(|(_, value)| value)) {
        let first = values.len();
        read(json, &mut values);
        let mut inner = Vec::new();
        for fields in values[first..].iter().filter_map(Value::as_object) {
            fields.values().filter_map(Value::as_str).for_each(|json| read(json, &mut inner));
        }
        values.extend(inner);
    }
    let (pieces, containers) = pieces(&values);
    let chosen = choose(&pieces, &containers)?;
    let mut html = String::new();
    let above = std::iter::successors(Some(pieces[chosen[0]].container), |at| Some(containers[*at].parent));
    let title = above.take(TITLE_STEPS).find_map(|at| containers[at].title);
    // A list of like things begins with the title of its first.
    if let Some(title) = title.filter(|title| chosen.iter().all(|at| pieces[*at].text != *title)) {
        write_paragraphs("h1", title, &mut html);
    }
    let mut seen: HashSet<&str> = HashSet::new();
    for piece in chosen.iter().map(|at| &pieces[*at]).filter(|piece| seen.insert(piece.text)) {
        write(piece.text, &mut html);
    }
    (chosen.iter().map(|at| pieces[*at].length).sum::<usize>() > more_than).then_some(html)
}

/// Whether a script holds plain JSON.
#[must_use]
pub fn is_json(page: &Page, node: NodeId) -> bool {
    page.tag(node) == Tag::Script
        && page.attr(node, "type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// All strings of some values, in order, and the objects and lists that they stand in.
fn pieces(values: &[Value]) -> (Vec<Piece<'_>>, Vec<Container<'_>>) {
    let mut pieces = Vec::new();
    let mut containers = vec![Container { parent: 0, title: None }];
    let mut waiting: Vec<(&Value, &str, u64, usize)> = values.iter().rev().map(|value| (value, "", 0, 0)).collect();
    for _ in 0..MOST_VALUES {
        let Some((value, key, path, parent)) = waiting.pop() else { break };
        match value {
            Value::String(text) => {
                let length = length(text);
                if length > 0 || (LINES.contains(&key) && text.contains(char::is_alphabetic)) {
                    pieces.push(Piece { text, key, path, container: parent, length });
                }
            }
            Value::Array(items) => {
                containers.push(Container { parent, title: None });
                let own = containers.len() - 1;
                waiting.extend(items.iter().rev().map(|item| (item, key, step(path, "*"), own)));
            }
            Value::Object(fields) => {
                let title = TITLES.iter().find_map(|key| fields.get(*key)?.as_str());
                let title =
                    title.filter(|title| title.len() <= LONGEST_TITLE && !title.contains('<') && !title.trim().is_empty());
                containers.push(Container { parent, title });
                let own = containers.len() - 1;
                let fields = fields.iter().rev().filter(|(key, _)| !is_other(key));
                waiting.extend(fields.map(|(key, field)| (field, &**key, step(path, key), own)));
            }
            _ => {}
        }
    }
    (pieces, containers)
}

fn step(path: u64, key: &str) -> u64 {
    key.bytes().fold(path.rotate_left(9) ^ 0x9e37_79b9_7f4a_7c15, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn is_other(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    OTHER.iter().any(|word| key.contains(word))
}

/// Bytes of text of what reads like prose or is markup; 0 for all other strings.
fn length(text: &str) -> usize {
    if text.len() < 2 * PROSE_WORDS || !text.contains([' ', '\u{3000}', '。', '，']) {
        return 0;
    }
    let is_markup = text.contains("</") || text.contains("<br") || text.contains("<p>");
    let (mut letters, mut others, mut depth) = (0_usize, 0_usize, 0_usize);
    for character in text.chars() {
        match character {
            '<' if is_markup => depth = 1,
            '>' if depth > 0 => depth = 0,
            _ if depth > 0 => {}
            _ if character.is_alphabetic() || character == ' ' => letters += character.len_utf8(),
            _ => others += character.len_utf8(),
        }
    }
    let is_drawing = text.trim_start().starts_with("<svg") || text.trim_start().starts_with("<style");
    let is_said = text.contains(['.', ',', '!', '?', '。', '，', '؟', '।', '…']);
    let is_text = !is_drawing && is_said && letters >= 4 * others && words(text).nth(PROSE_WORDS - 1).is_some();
    if is_text { letters + others } else { 0 }
}

/// The numbers of the pieces that are the page's text.
fn choose(pieces: &[Piece<'_>], containers: &[Container<'_>]) -> Option<Vec<usize>> {
    let mut groups: HashMap<u64, usize> = HashMap::new();
    pieces.iter().for_each(|piece| *groups.entry(piece.path).or_default() += piece.length);
    let longest = pieces.iter().map(|piece| (groups[&piece.path], piece.path)).max_by_key(|(length, _)| *length);
    let (total, path) = longest.filter(|(length, _)| *length > 0)?;
    let members: Vec<usize> = (0..pieces.len()).filter(|at| pieces[*at].path == path && pieces[*at].length > 0).collect();
    if members.len() == 1 {
        return Some(members);
    }
    // Containers come after their parents, so that sums go up in one pass.
    let mut inside = vec![0_usize; containers.len()];
    members.iter().for_each(|at| inside[pieces[*at].container] += pieces[*at].length);
    for at in (1..containers.len()).rev() {
        inside[containers[at].parent] += inside[at];
    }
    let has_nearly_all = |at: &usize| inside[*at] as f64 >= NEARLY_ALL * total as f64;
    let smallest = (0..containers.len()).rev().find(has_nearly_all)?;
    let mut is_inside = vec![false; containers.len()];
    for at in 0..containers.len() {
        is_inside[at] = at == smallest || (at > 0 && is_inside[containers[at].parent]);
    }
    let is_line = |piece: &Piece<'_>| piece.length > 0 || LINES.contains(&piece.key);
    Some((0..pieces.len()).filter(|at| is_inside[pieces[*at].container] && is_line(&pieces[*at])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn state(json: &str) -> Option<String> {
        state_text(&Page::parse(format!("<body><script id=__NEXT_DATA__ type='application/json'>{json}</script>")), 0)
    }

    const LONG: &str = "It rained all day, and nobody went out into the streets.";

    #[test]
    fn one_long_text_is_taken_with_its_title_and_nothing_else() {
        let html = state(&format!(
            r#"{{"props": {{"post": {{"title": "Rain", "body": "{LONG} {LONG}", "excerpt": "{LONG}", "slug": "rain"}},
                "footer": {{"about": "{LONG} {LONG} {LONG} {LONG}"}}, "cookieText": "{LONG} {LONG} {LONG}"}}}}"#
        ));
        assert_eq!(html.unwrap(), format!("<h1>Rain</h1>\n<p>{LONG} {LONG}</p>\n"));
    }

    #[test]
    fn parts_of_an_article_stay_together_in_their_order() {
        let html = state(&format!(
            r#"{{"article": {{"headline": "Rain", "blocks": [{{"text": "{LONG} 1"}}, {{"heading": "Later"}}, {{"text": "{LONG} 2"}}, {{"text": "{LONG} 1"}}]}},
                "related": [{{"title": "Sun", "teaser": "{LONG}"}}]}}"#
        ));
        assert_eq!(html.unwrap(), format!("<h1>Rain</h1>\n<p>{LONG} 1</p>\n<p>Later</p>\n<p>{LONG} 2</p>\n"));
    }

    #[test]
    fn attributes_hold_state_too_and_strings_in_it_may_be_json_again() {
        let state = format!(r#"{{"props": {{"post": {{"title": "Rain", "body": "{LONG}"}}}}}}"#);
        let page = |name: &str, json: &str| {
            let page = Page::parse(format!("<div id=app {name}='{}'></div>", json.replace('\'', "&#39;")));
            state_text(&page, 0)
        };
        assert_eq!(page("data-page", &state).unwrap(), format!("<h1>Rain</h1>\n<p>{LONG}</p>\n"));
        let posts = format!(
            r#"{{"title": "Rain", "stream": {{"posts": [{{"cooked": "<p>{LONG} 1</p>"}}, {{"cooked": "<p>{LONG} 2</p>"}}]}}}}"#
        );
        let preloaded = serde_json::json!({"site": "{\"name\": \"Weather\"}", "topic_7": posts}).to_string();
        let found = page("data-preloaded", &preloaded).unwrap();
        assert_eq!(found, format!("<h1>Rain</h1>\n<div><p>{LONG} 1</p></div>\n<div><p>{LONG} 2</p></div>\n"));
        assert_eq!(page("data-label", &state), None);
    }

    #[test]
    fn settings_and_what_is_no_text_are_nothing() {
        for json in [
            "{}",
            "{",
            "",
            r#"{"url": "https://example.org/a/long/path/of/an/address,with,commas,and%20spaces"}"#,
            r#"{"css": "a { color: red; } b { margin: 0, 1, 2; padding: 0 } c { x: 1 }"}"#,
            r#"{"data": "aGVsbG8gd29ybGQsIHRoaXMgaXMgYSBsb25nIHN0cmluZw=="}"#,
            r#"{"translations": {"a": "This is a long line, but it is on a button somewhere, you see."}}"#,
        ] {
            assert_eq!(state(json), None, "{json}");
        }
    }

    proptest! {
        #[test]
        fn any_script_can_be_read(json in "(\\{\"text\": |\\[|\"body\": |\"It rained all day, and nobody went out at all.\"|<p>a|,|\\]|\\}|\"|:|\\PC){0,40}") {
            let _ = state(&json);
        }
    }
}
