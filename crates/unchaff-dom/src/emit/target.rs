//! What links, images and pieces of code point to: addresses made absolute, and the language of code.
//!
//! Only `http`, `https`, `mailto` and `tel` lead anywhere; images need `http` or `https`. On a page without an address, or in a
//! folder that stands for none, a relative one stays as it is. An image that is loaded late has its address in one of a few attributes that scripts
//! use, and its `src` is a grey picture or nothing; an image of one or two pixels counts visits and is no content.

use crate::plain_address::is_resolved;
use crate::{NodeId, Page, Tag};
use std::borrow::Cow;

/// The address a link leads to.
pub(super) fn link<'p>(page: &'p Page, node: NodeId) -> Option<Cow<'p, str>> {
    address(page, page.attr(node, "href")?, &["http", "https", "mailto", "tel"])
}

/// The address in an attribute, if it is one of the web.
pub(super) fn web_address<'p>(page: &'p Page, value: &'p str) -> Option<Cow<'p, str>> {
    address(page, value, &["http", "https"])
}

fn address<'p>(page: &'p Page, value: &'p str, schemes: &[&str]) -> Option<Cow<'p, str>> {
    let value = value.trim();
    if is_resolved(value) {
        return Some(Cow::Borrowed(value));
    }
    if let Some(url) = page.resolve_to_show(value) {
        return schemes.contains(&url.scheme()).then(|| Cow::Owned(url.into()));
    }
    let is_relative = matches!(url::Url::parse(value), Err(url::ParseError::RelativeUrlWithoutBase));
    (is_relative && !value.is_empty() && !value.contains(|c: char| c.is_ascii_control())).then_some(Cow::Borrowed(value))
}

/// The address of an image.
pub(super) fn image<'p>(page: &'p Page, node: NodeId) -> Option<Cow<'p, str>> {
    if is_pixel(page, node) {
        return None;
    }
    const SOURCES: [&str; 6] = ["data-src", "data-original", "data-lazy-src", "src", "srcset", "data-srcset"];
    SOURCES.iter().find_map(|name| {
        let value = page.attr(node, name)?;
        let first = if name.ends_with("srcset") { value.split_ascii_whitespace().next()?.trim_end_matches(',') } else { value };
        let is_address = !first.trim().is_empty() && !is_placeholder(first) && !first.contains('{');
        is_address.then(|| web_address(page, first))?
    })
}

fn is_placeholder(src: &str) -> bool {
    let src = src.trim_start();
    src.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:")) || src.starts_with("about:")
}

fn is_pixel(page: &Page, node: NodeId) -> bool {
    let is_small = |name| page.attr(node, name).is_some_and(|size| matches!(size.trim().trim_end_matches("px"), "0" | "1" | "2"));
    is_small("width") || is_small("height")
}

/// The address of an `audio` or `video`: its own, or that of its first source.
pub(super) fn media<'p>(page: &'p Page, node: NodeId) -> Option<Cow<'p, str>> {
    let own = page.attr(node, "src");
    let source = || page.children(node).filter(|child| page.tag(*child) == Tag::Source).find_map(|child| page.attr(child, "src"));
    web_address(page, own.or_else(source)?)
}

/// The language of a piece of code, as highlighters write it into classes and attributes of `pre`, of its `code` or of
/// the two elements around it.
pub(super) fn code_language(page: &Page, pre: NodeId) -> Option<&str> {
    let code = page.element_children(pre).next().filter(|child| page.tag(*child) == Tag::Code);
    let around = page.ancestors(pre).take(2).filter(|node| matches!(page.tag(*node), Tag::Div | Tag::Figure | Tag::Custom));
    [pre].into_iter().chain(code).chain(around).find_map(|node| language_of(page, node))
}

fn language_of(page: &Page, node: NodeId) -> Option<&str> {
    const PREFIXES: [&str; 4] = ["language-", "lang-", "highlight-source-", "brush:"];
    const AFTER: [&str; 4] = ["brush:", "sourceCode", "hljs", "highlight"];
    let attribute = || ["data-lang", "data-language"].iter().find_map(|name| page.attr(node, name).and_then(language_name));
    let prefixed = || {
        page.classes(node).find_map(|class| PREFIXES.iter().find_map(|prefix| class.strip_prefix(prefix)).and_then(language_name))
    };
    let following = || {
        let mut classes = page.classes(node);
        classes.find(|class| AFTER.contains(class))?;
        language_name(classes.next()?)
            .filter(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'+' || byte == b'#'))
    };
    let by_sphinx = || {
        page.classes(node).find(|class| *class == "notranslate")?;
        page.classes(node).find_map(|class| class.strip_prefix("highlight-").and_then(language_name))
    };
    attribute().or_else(prefixed).or_else(by_sphinx).or_else(following)
}

fn language_name(name: &str) -> Option<&str> {
    let name = name.trim_end_matches(';');
    let is_name = (1..=20).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"+#-._".contains(&b));
    (is_name && !matches!(name, "none" | "default" | "auto" | "undefined" | "notranslate" | "plaintext" | "text")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parser;

    fn first(html: &str, tag: Tag, find: impl for<'p> Fn(&'p Page, NodeId) -> Option<Cow<'p, str>>) -> Option<String> {
        let page = Parser::new().url("https://e.org/a/b").parse(html);
        let node = page.nodes().find(|node| page.tag(*node) == tag)?;
        find(&page, node).map(Cow::into_owned)
    }

    #[test]
    fn links_are_absolute_and_lead_somewhere() {
        let cases = [
            ("c?d=1&amp;e", Some("https://e.org/a/c?d=1&e")),
            ("//f.org", Some("https://f.org/")),
            ("mailto:a@e.org", Some("mailto:a@e.org")),
            ("javascript:void(0)", None),
            (" JavaScript:void(0)", None),
            ("data:text/html,x", None),
            ("http://[bad", None),
        ];
        for (href, expected) in cases {
            assert_eq!(first(&format!("<a href=\"{href}\">x</a>"), Tag::A, link).as_deref(), expected, "{href}");
        }
        assert_eq!(first("<a>x</a>", Tag::A, link), None);
        let page = Page::parse("<a href=' b/c#d '>x</a>");
        let node = page.nodes().find(|node| page.tag(*node) == Tag::A).unwrap();
        assert_eq!(link(&page, node).as_deref(), Some("b/c#d"));
    }

    #[test]
    fn images_loaded_late_are_found_and_pixels_dropped() {
        let cases = [
            ("src=a.png", Some("https://e.org/a/a.png")),
            ("src='data:image/gif;base64,R0' data-src=a.png", Some("https://e.org/a/a.png")),
            ("src=data:x srcset='a.png 1x, b.png 2x'", Some("https://e.org/a/a.png")),
            ("data-original=a.png", Some("https://e.org/a/a.png")),
            ("src=blank.gif data-src=a.png", Some("https://e.org/a/a.png")),
            ("src=a.png data-src=''", Some("https://e.org/a/a.png")),
            ("src=a.png data-src='{{ image }}'", Some("https://e.org/a/a.png")),
            ("src=a.png data-src='http://[bad'", Some("https://e.org/a/a.png")),
            ("src=data:x", None),
            ("", None),
            ("src=a.gif width=1 height=1", None),
        ];
        for (attributes, expected) in cases {
            assert_eq!(first(&format!("<img {attributes}>"), Tag::Img, image).as_deref(), expected, "{attributes}");
        }
    }

    #[test]
    fn languages_of_code_are_found_where_highlighters_put_them() {
        let cases = [
            ("<pre><code class='language-rust'>x</code></pre>", Some("rust")),
            ("<pre class='prettyprint lang-js'>x</pre>", Some("js")),
            ("<div class='highlight highlight-source-c++'><pre>x</pre></div>", Some("c++")),
            ("<pre class='brush: python; toolbar: false'>x</pre>", Some("python")),
            ("<pre class='brush:css'>x</pre>", Some("css")),
            ("<figure data-lang=go><pre>x</pre></figure>", Some("go")),
            ("<pre class='sourceCode haskell'>x</pre>", Some("haskell")),
            ("<div class='highlight'><pre>x</pre></div>", None),
            ("<div class='highlight-python notranslate'><div class=highlight><pre>x</pre></div></div>", Some("python")),
            ("<pre class=language-none>x</pre>", None),
        ];
        for (html, expected) in cases {
            assert_eq!(
                first(html, Tag::Pre, |page, node| code_language(page, node).map(Cow::Borrowed)).as_deref(),
                expected,
                "{html}"
            );
        }
    }
}
