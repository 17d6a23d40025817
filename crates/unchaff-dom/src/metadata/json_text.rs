//! JSON as it is found in pages: strict if possible, else after a light repair.
//!
//! Scripts of JSON-LD are written by templates and break in a few ways again and again: comments or CDATA marks around them,
//! commas before a closing bracket, raw line ends or bare quotes inside strings, several objects in a row, an end that
//! is missing. The repair is one pass that mends these; what is still no JSON afterwards is given up, but for the values
//! that were read before. Nesting is bounded by serde_json (128 levels), size by the caller.

use serde_json::{Deserializer, Value};

/// Nesting that the repair follows; the same as serde_json reads.
const DEEPEST: usize = 128;

/// All values in a script, as far as they can be read.
pub(super) fn values(script: &str) -> Vec<Value> {
    let script = unwrapped(script);
    let (values, is_whole) = read(script);
    if is_whole {
        return values;
    }
    let (mended, _) = read(&repaired(script));
    if mended.len() >= values.len() { mended } else { values }
}

fn read(text: &str) -> (Vec<Value>, bool) {
    let mut values = Vec::new();
    for value in Deserializer::from_str(text).into_iter::<Value>() {
        match value {
            Ok(value) => values.push(value),
            Err(_) => return (values, false),
        }
    }
    (values, true)
}

/// Without what scripts are wrapped in: comments, CDATA marks, a byte order mark, a semicolon at the end.
fn unwrapped(script: &str) -> &str {
    const BEFORE: [&str; 6] = ["\u{feff}", "<!--", "//", "<![CDATA[", "/*", "*/"];
    const AFTER: [&str; 6] = ["-->", "//", "]]>", "*/", "/*", ";"];
    let mut text = script.trim();
    while let Some(rest) = BEFORE.iter().find_map(|mark| text.strip_prefix(mark)) {
        text = rest.trim_start();
    }
    while let Some(rest) = AFTER.iter().find_map(|mark| text.strip_suffix(mark)) {
        text = rest.trim_end();
    }
    text
}

/// Mends what can be mended in one pass.
fn repaired(text: &str) -> String {
    let decoded;
    let text = if text.contains("&quot;") && !text.contains('"') {
        decoded = super::value::decode(text);
        &*decoded
    } else {
        text
    };
    let mut json = String::with_capacity(text.len() + 16);
    let mut open: Vec<char> = Vec::new();
    let mut is_string = false;
    let mut rest = text.char_indices();
    while let Some((at, character)) = rest.next() {
        let after = &text[at + character.len_utf8()..];
        match character {
            '\\' if is_string => match rest.next() {
                Some((_, escaped @ ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't'))) => json.extend(['\\', escaped]),
                Some((_, 'u')) if after.as_bytes().get(1..5).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => {
                    json.push_str("\\u");
                }
                Some((_, escaped)) if !escaped.is_control() => json.push(escaped),
                _ => {}
            },
            '"' if is_string && !ends_string(after, open.last() == Some(&'}')) => json.push_str("\\\""),
            '"' => {
                is_string = !is_string;
                json.push('"');
            }
            _ if is_string => json.push(if character.is_control() { ' ' } else { character }),
            ',' if past_space(after).is_empty() || past_space(after).starts_with(['}', ']', ',']) => {}
            '{' | '[' => {
                // Deeper is not read anyway.
                if open.len() == DEEPEST {
                    break;
                }
                open.push(if character == '{' { '}' } else { ']' });
                json.push(character);
            }
            '}' | ']' => {
                if open.last() == Some(&character) {
                    open.pop();
                    json.push(character);
                }
            }
            _ => json.push(if character.is_control() { ' ' } else { character }),
        }
    }
    if is_string {
        json.push('"');
    }
    json.extend(open.iter().rev());
    json
}

/// Whether a quote ends its string, seen from what follows. Bare quotes inside strings are mostly followed by words.
fn ends_string(after: &str, in_object: bool) -> bool {
    let after = past_space(after);
    let Some(next) = after.strip_prefix(',') else { return after.is_empty() || after.starts_with([':', '}', ']']) };
    let next = past_space(next);
    let is_literal = || next.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '{' | '[' | '-'));
    next.is_empty() || next.starts_with(['"', '}', ']', ',']) || (!in_object && is_literal())
}

fn past_space(text: &str) -> &str {
    text.trim_start_matches(|character: char| character.is_whitespace() || character.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_breaks_are_mended() {
        let cases = [
            r#"{"a":"b"}"#,
            r#"<!-- {"a":"b"} -->"#,
            r#"//<![CDATA[
            {"a":"b"}
            //]]>"#,
            r#"/*<![CDATA[*/{"a":"b"}/*]]>*/"#,
            r#"{"a":"b"};"#,
            r#"{"a":"b",}"#,
            r#"{"a":"b",,}"#,
            r#"{"a":"b""#,
            r#"{"a":"b"#,
            r#"{"a":"b"]}"#,
            "{\"a\":\"b\",\u{0}}",
            "{&quot;a&quot;:&quot;b&quot;}",
            "\u{feff}{\"a\":\"b\"}",
        ];
        for script in cases {
            assert_eq!(values(script), [serde_json::json!({"a": "b"})], "{script}");
        }
        assert_eq!(values("{\"a\":\"x\ny\tz\"}"), [serde_json::json!({"a": "x y z"})]);
        assert_eq!(values(r#"{"a":"so \'it\' is","b":["c",]}"#), [serde_json::json!({"a": "so 'it' is", "b": ["c"]})]);
        assert_eq!(values(r#"{"a":"the "best" one","b":1}"#), [serde_json::json!({"a": "the \"best\" one", "b": 1})]);
        assert_eq!(values(r#"{"a":1}{"b":2} oops"#).len(), 2);
    }

    #[test]
    fn hopeless_scripts_are_nothing_and_cost_little() {
        for script in ["", "var x = 1;", "{", "}", "\\", "\"", "{\"a\":}", "<!--", "//", "\0\0"] {
            let _ = values(script);
        }
        assert!(values("nonsense").is_empty());
        for piece in ["[", "{\"a\":", "\"", "\\", ", ", "\" ", "/*"] {
            let _ = values(&piece.repeat(200_000));
        }
    }

    proptest::proptest! {
        #[test]
        fn no_script_panics(script in r#"[\[\]{}",:\\ua1 \n/*<!-]{0,60}|\PC{0,40}"#) {
            let _ = values(&script);
        }
    }
}
