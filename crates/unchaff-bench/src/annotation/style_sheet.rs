//! The addresses of a style sheet, replaced: what it imports by the rules that are imported, pictures by others, and everything else by nothing.
//!
//! Read by the tokens of CSS Syntax 3 as far as that takes: comments, strings, `url(…)`, `@import`. An address that is written with escapes is not found; a policy of the frame
//! sees to it that nothing comes of that.

/// What the addresses of a sheet lead to.
pub(super) trait StyleSheet {
    /// A picture, as a value.
    fn picture(&mut self, address: &str) -> Option<String>;
    /// Rules of another sheet.
    fn import(&mut self, address: &str) -> Option<String>;
}

/// Nothing.
impl StyleSheet for () {
    fn picture(&mut self, _: &str) -> Option<String> {
        None
    }

    fn import(&mut self, _: &str) -> Option<String> {
        None
    }
}

/// The sheet with its addresses replaced, and without comments.
pub(super) fn rewritten(css: &str, sheet: &mut dyn StyleSheet) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    let mut is_word = false;
    while let Some(first) = rest.chars().next() {
        let starts = |text: &str| rest.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
        let mut taken = first.len_utf8();
        if starts("/*") {
            taken = rest[2..].find("*/").map_or(rest.len(), |end| end + 4);
        } else if matches!(first, '"' | '\'') {
            taken = string(rest);
            out.push_str(&rest[..taken]);
        } else if starts("url(") && !is_word {
            let address;
            (address, taken) = function(rest);
            out.push_str(sheet.picture(address).as_deref().unwrap_or("none"));
        } else if starts("@import") {
            let (address, media);
            (address, media, taken) = import(rest);
            if let Some(rules) = sheet.import(address) {
                out.push_str(&if media.is_empty() { rules } else { format!("@media {media}{{{rules}}}") });
            }
        } else {
            out.push(first);
        }
        is_word = first.is_alphanumeric() || matches!(first, '-' | '_');
        rest = &rest[taken..];
    }
    out
}

/// How long the string at the beginning is.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if text.starts_with(c) => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The address in `url(…)` at the beginning, and how long that is.
fn function(text: &str) -> (&str, usize) {
    let inner = text[4..].trim_ascii_start();
    let start = text.len() - inner.len();
    if inner.starts_with(['"', '\'']) {
        let length = string(inner);
        let end = inner[length..].find(')').map_or(text.len(), |end| start + length + end + 1);
        return (inner[1..length].trim_end_matches(['"', '\'']), end);
    }
    let length = inner.find(')').unwrap_or(inner.len());
    (inner[..length].trim_ascii_end(), (start + length + 1).min(text.len()))
}

/// What `@import …;` at the beginning imports, for which media, and how long it is.
fn import(text: &str) -> (&str, &str, usize) {
    let inner = text["@import".len()..].trim_ascii_start();
    let start = text.len() - inner.len();
    let (address, length) = if inner.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("url(")) {
        function(inner)
    } else if inner.starts_with(['"', '\'']) {
        let length = string(inner);
        (inner[1..length].trim_end_matches(['"', '\'']), length)
    } else {
        ("", 0)
    };
    let more = &inner[length..];
    let end = more.find([';', '{', '}']).unwrap_or(more.len());
    let closes = usize::from(more[end..].starts_with(';'));
    // Layers and conditions are kept for media alone.
    let media = more[..end].trim();
    let media = if media.contains("layer") || media.contains("supports") { "" } else { media };
    (address, media, start + length + end + closes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Named(Vec<String>);

    impl StyleSheet for Named {
        fn picture(&mut self, address: &str) -> Option<String> {
            self.0.push(address.to_owned());
            (address != "no").then(|| format!("[{address}]"))
        }

        fn import(&mut self, address: &str) -> Option<String> {
            self.0.push(format!("import {address}"));
            Some("i{}".to_owned())
        }
    }

    #[test]
    fn addresses_are_replaced_and_the_rest_stays() {
        for (css, becomes) in [
            ("p{color:red}/* url(a) */b{}", "p{color:red}b{}"),
            ("p{background:URL( a.png ) no-repeat}", "p{background:[a.png] no-repeat}"),
            ("p{background:url('a)b.png'), url(\"c.png\" )}", "p{background:[a)b.png], [c.png]}"),
            (
                "p::before{content:\"url(x) \\\" /* \"}q{background:url(no)}",
                "p::before{content:\"url(x) \\\" /* \"}q{background:none}",
            ),
            ("@import url(a.css) print;@IMPORT 'b.css';p{}", "@media print{i{}}i{}p{}"),
            ("@import", "i{}"),
            ("p{x:my-url(a)}", "p{x:my-url(a)}"),
            ("p{background:url(a", "p{background:[a]"),
        ] {
            assert_eq!(rewritten(css, &mut Named(Vec::new())), becomes, "{css}");
        }
    }

    proptest! {
        #[test]
        fn any_sheet_has_an_end(css in "(url\\(|@import|[a\"'\\\\/*(){};é\n ]){0,30}") {
            rewritten(&css, &mut Named(Vec::new()));
        }
    }
}
