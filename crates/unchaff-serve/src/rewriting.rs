//! Addresses in a page, rewritten where they stand: links to go on through us, pictures and style sheets to be found from here.
//!
//! The parser tells at which byte of the source each tag begins, so nothing but the values of these attributes changes. Nobody's safety depends on it: what a page
//! may do is said by the headers it is sent with.

use std::collections::BTreeMap;
use std::ops::Range;
use unchaff::{Document, NodeId, Page};
use url::Url;

/// The page with its links as `link` writes them, and other addresses absolute. `base` is what its addresses are resolved against.
pub(crate) fn rewritten(html: String, base: Option<&Url>, link: impl Fn(&Url) -> String) -> String {
    let page = Document { url: base.map(Url::to_string), ..Document::new(html).in_charset("utf-8") }.page();
    // By where they begin: an element that the parser had to repeat has one tag in the source.
    let mut edits: BTreeMap<usize, (Range<usize>, String)> = BTreeMap::new();
    for node in page.nodes().filter(|node| page.is_element(*node)) {
        for (range, value) in edits_of(&page, node, &link) {
            edits.entry(range.start).or_insert((range, value));
        }
    }
    let source = page.source();
    let mut out = String::with_capacity(source.len() + source.len() / 4);
    let mut at = 0;
    for (range, value) in edits.into_values().filter(|(range, _)| range.end <= source.len()) {
        out.push_str(&source[at..range.start]);
        out += &format!("\"{}\"", escaped(&value));
        at = range.end;
    }
    out.push_str(&source[at..]);
    out
}

/// Text as the value of an attribute.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What changes in the tag of an element: where, and to what.
fn edits_of(page: &Page, node: NodeId, link: &impl Fn(&Url) -> String) -> Vec<(Range<usize>, String)> {
    let wanted: &[&str] = match page.name(node) {
        "a" | "area" | "link" => &["href"],
        "img" | "source" => &["src", "srcset"],
        "video" | "audio" => &["src", "poster"],
        _ => return Vec::new(),
    };
    let has = |name: &&&str| page.attr(node, name).is_some();
    if !wanted.iter().any(|name| has(&name)) {
        return Vec::new();
    }
    let is_link = matches!(page.name(node), "a" | "area");
    let mut edits = Vec::new();
    for (name, range) in values(page.source(), page.source_range(node).start, page.name(node)) {
        let Some(name) = wanted.iter().find(|wanted| name.eq_ignore_ascii_case(wanted)) else { continue };
        let Some(value) = page.attr(node, name) else { continue };
        let absolute = |address: &str| page.resolve(address).filter(|url| matches!(url.scheme(), "http" | "https"));
        let new = match *name {
            "srcset" => Some(srcset(value, absolute)),
            // A place on the same page.
            "href" if is_link && value.trim_start().starts_with('#') => None,
            "href" if is_link => absolute(value).map(|url| link(&url)),
            _ => absolute(value).map(String::from),
        };
        edits.extend(new.map(|new| (range, new)));
    }
    edits
}

/// A list of pictures with their sizes.
fn srcset(value: &str, absolute: impl Fn(&str) -> Option<Url>) -> String {
    let candidate = |candidate: &str| {
        let (address, size) = candidate.split_once(char::is_whitespace).unwrap_or((candidate, ""));
        let address = absolute(address).map_or(address.to_owned(), String::from);
        format!("{address} {}", size.trim()).trim_end().to_owned()
    };
    // A comma ends a candidate only before a space: addresses have commas too.
    let candidates = value.split_whitespace().collect::<Vec<_>>().join(" ");
    candidates.split(", ").map(|one| candidate(one.trim().trim_end_matches(','))).collect::<Vec<_>>().join(", ")
}

/// The attributes of the tag that begins at a byte of the source, if it is one of that name: their names and where their values are, with
/// their quotes.
fn values<'s>(source: &'s str, start: usize, name: &str) -> Vec<(&'s str, Range<usize>)> {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let is_tag = bytes.get(start) == Some(&b'<')
        && bytes.get(start + 1..start + 1 + name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()));
    if !is_tag {
        return found;
    }
    let mut at = start + 1 + name.len();
    let skip = |mut at: usize, wanted: &dyn Fn(u8) -> bool| {
        while bytes.get(at).is_some_and(|byte| wanted(*byte)) {
            at += 1;
        }
        at
    };
    let is_space = |byte: u8| byte.is_ascii_whitespace();
    loop {
        at = skip(at, &|byte| is_space(byte) || byte == b'/');
        if matches!(bytes.get(at), None | Some(b'>')) {
            return found;
        }
        let name_start = at;
        // A name may begin with `=`.
        at = skip(at + 1, &|byte| !is_space(byte) && !matches!(byte, b'/' | b'>' | b'='));
        let name = name_start..at;
        let equals = skip(at, &is_space);
        if bytes.get(equals) != Some(&b'=') {
            continue;
        }
        let value = skip(equals + 1, &is_space);
        at = match bytes.get(value) {
            Some(quote @ (b'"' | b'\'')) => skip(value + 1, &|byte| byte != *quote) + 1,
            _ => skip(value, &|byte| !is_space(byte) && byte != b'>'),
        };
        if let Some(name) = source.get(name)
            && at <= bytes.len()
        {
            found.push((name, value..at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(html: &str) -> String {
        let base = Url::parse("https://example.org/a/b").unwrap();
        rewritten(html.to_owned(), Some(&base), |url| format!("/read?{url}"))
    }

    #[test]
    fn links_lead_through_us_and_pictures_are_found() {
        for (before, after) in [
            ("<a href=c>x</a>", "<a href=\"/read?https://example.org/a/c\">x</a>"),
            (
                "<A class=k HREF = '/c?x=1&amp;y' title='a > b'>x</A>",
                "<A class=k HREF = \"/read?https://example.org/c?x=1&amp;y\" title='a > b'>x</A>",
            ),
            ("<a href=\"#here\">x</a>", "<a href=\"#here\">x</a>"),
            ("<a href=mailto:a@b>x</a><a href='javascript:a()'>y</a>", "<a href=mailto:a@b>x</a><a href='javascript:a()'>y</a>"),
            (
                "<img src=/p.png srcset='/p.png 1x, q,r.png 2x'>",
                "<img src=\"https://example.org/p.png\" srcset=\"https://example.org/p.png 1x, https://example.org/a/q,r.png 2x\">",
            ),
            ("<link rel=stylesheet href=s.css>", "<link rel=stylesheet href=\"https://example.org/a/s.css\">"),
            ("<!-- <a href=c> --><script>'<a href=c>'</script>", "<!-- <a href=c> --><script>'<a href=c>'</script>"),
            ("<a name=x>y</a><a href>z</a>", "<a name=x>y</a><a href>z</a>"),
        ] {
            assert_eq!(through(before), after);
        }
        let repeated = through("<p><a href=c>one<p>two");
        assert_eq!(repeated.matches("/read?").count(), 1, "{repeated}");
    }

    #[test]
    fn any_page_comes_through() {
        for odd in [
            "",
            "<a href=",
            "<a href=\"c",
            "<a href='",
            "<a =x href=c>",
            "<a href=c href=d>",
            "<img src=\u{e9}",
            "<a/href=c/>",
            "\u{0}<a href=c",
        ] {
            let _ = through(odd);
        }
        assert_eq!(
            through("<a href=c href=d>x"),
            "<a href=\"/read?https://example.org/a/c\" href=\"/read?https://example.org/a/c\">x"
        );
    }
}
