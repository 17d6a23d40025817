//! What links, images and pieces of code point to: addresses made absolute, and the language of code.
//!
//! Only `http`, `https`, `mailto` and `tel` lead anywhere; images need `http` or `https`. On a page without an address, or in a
//! folder that stands for none, a relative one stays as it is. An image that is loaded late has its address in one of a few attributes that scripts
//! use, and its `src` is a grey picture or nothing; an image of one or two pixels counts visits and is no content, nor is an ornament.

use crate::plain_address::is_resolved;
use crate::{NodeId, Page, Tag};
use std::borrow::Cow;

/// The address a link leads to.
pub(super) fn link<'p>(page: &'p Page, node: NodeId) -> Option<Cow<'p, str>> {
    // A bare `#` is a button.
    address(page, page.attr(node, "href").filter(|href| href.trim() != "#")?, &["http", "https", "mailto", "tel"])
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
    sources(page, node).find_map(|source| web_address(page, source))
}

/// Where an image may be loaded from, the likeliest first, as it stands in the page: what scripts load late, what it has itself, other data that ends like the
/// name of a picture, and what the `picture` around it has.
fn sources(page: &Page, node: NodeId) -> impl Iterator<Item = &str> {
    const OWN: [&str; 7] = ["data-src", "data-original", "data-lazy-src", "data-srcset", "data-lazy-srcset", "src", "srcset"];
    let named =
        move |node: NodeId, names: &'static [&str]| names.iter().filter_map(move |name| source(name, page.attr(node, name)?));
    let others = page.attrs(node).filter(|(name, value)| name.starts_with("data-") && is_picture(value));
    let around = page.parent(node).filter(|parent| page.tag(*parent) == Tag::Picture);
    let beside =
        around.into_iter().flat_map(|picture| page.element_children(picture)).filter(|child| page.tag(*child) == Tag::Source);
    named(node, &OWN)
        .chain(others.filter_map(|(name, value)| source(name, value)))
        .chain(beside.flat_map(move |node| named(node, &["srcset", "data-srcset"])))
}

/// The address that an attribute has, the first if it is a set of several.
fn source<'p>(name: &str, value: &'p str) -> Option<&'p str> {
    let first = if name.ends_with("srcset") { value.split_ascii_whitespace().next()?.trim_end_matches(',') } else { value };
    (!first.trim().is_empty() && !is_placeholder(first) && !first.contains('{')).then_some(first)
}

/// Whether an address ends as files of pictures do.
fn is_picture(address: &str) -> bool {
    const ENDS: [&str; 6] = ["jpg", "jpeg", "png", "webp", "avif", "gif"];
    let path = address.trim().split(['?', '#', ' ']).next().unwrap_or_default();
    let is_name = |(name, end): (&str, &str)| !name.is_empty() && ENDS.iter().any(|one| end.eq_ignore_ascii_case(one));
    path.rsplit_once('.').is_some_and(is_name)
}

/// Images that are no pictures of anything: bullets, dividers and stars, which a page shows again and again without a word about them, and what stands in
/// the place of pictures until a script puts them there, with other words each time.
#[derive(Default)]
pub(super) struct Ornaments<'p> {
    /// Where they are loaded from, in order; none: not looked for yet.
    sources: Option<Vec<&'p str>>,
}

impl<'p> Ornaments<'p> {
    /// An image is one if the page shows it so often.
    const OFTEN: usize = 3;

    /// Whether an image is one.
    pub(super) fn has(&mut self, page: &'p Page, image: NodeId) -> bool {
        let all = self.sources.get_or_insert_with(|| Ornaments::of(page));
        sources(page, image).next().is_some_and(|source| all.binary_search(&source).is_ok())
    }

    fn of(page: &'p Page) -> Vec<&'p str> {
        let images = page.nodes().filter(|node| page.tag(*node) == Tag::Img);
        let described = |image| Some((sources(page, image).next()?, page.attr(image, "alt").unwrap_or_default().trim()));
        let mut shown: Vec<(&str, &str)> = images.filter_map(described).collect();
        shown.sort_unstable();
        let is_one = |same: &&[(&str, &str)]| {
            let descriptions = same.chunk_by(|(_, one), (_, other)| one == other).count();
            // Descriptions are in order, and none is the first.
            let undescribed = same.partition_point(|(_, description)| description.is_empty());
            let is_undescribed = undescribed == same.len() || undescribed >= 2 * Self::OFTEN;
            same.len() >= Self::OFTEN && (descriptions >= Self::OFTEN || is_undescribed)
        };
        shown.chunk_by(|(one, _), (other, _)| one == other).filter(is_one).map(|same| same[0].0).collect()
    }
}

fn is_placeholder(src: &str) -> bool {
    let src = src.trim_start();
    src.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:")) || src.starts_with("about:")
}

fn is_pixel(page: &Page, node: NodeId) -> bool {
    let is_small = |name| page.attr(node, name).is_some_and(|size| matches!(size.trim().trim_end_matches("px"), "0" | "1" | "2"));
    is_small("width") || is_small("height")
}

/// Parts of addresses of frames that readers are not meant to look at: counters of visits, advertisements, buttons, boxes to tick.
const NO_FRAMES: [&str; 20] = [
    "googletagmanager.",
    "doubleclick.",
    "googlesyndication.",
    "google-analytics.",
    "amazon-adsystem.",
    "adserv",
    "/ad/",
    "/ads/",
    "/banner",
    "affiliate",
    "aff_",
    "recaptcha",
    "hcaptcha.",
    "/plugins/like",
    "/plugins/share",
    "/button",
    "_button",
    "plusone.google.",
    "/cookie",
    "/consent",
];

/// The address of an `audio`, a `video` or an `iframe` that is something to readers: its own, also where it is loaded late, or that of its first source.
pub(super) fn media<'p>(page: &'p Page, node: NodeId) -> Option<Cow<'p, str>> {
    const SOURCES: [&str; 3] = ["data-src", "data-lazy-src", "src"];
    let own = |node: NodeId| {
        let values = SOURCES.iter().filter_map(move |name| page.attr(node, name));
        values.map(str::trim).find(|value| !value.is_empty() && !is_placeholder(value) && !value.contains('{'))
    };
    let source = || page.children(node).filter(|child| page.tag(*child) == Tag::Source).find_map(own);
    let address = web_address(page, own(node).or_else(source)?)?;
    let is_hidden = || {
        let style = page.attr(node, "style").unwrap_or_default().replace(' ', "");
        page.attr(node, "hidden").is_some() || style.contains("display:none") || style.contains("visibility:hidden")
    };
    let is_known = || {
        let address = address.to_ascii_lowercase();
        NO_FRAMES.iter().any(|part| address.contains(part))
    };
    let is_nothing = || is_pixel(page, node) || is_hidden() || is_known();
    (page.tag(node) != Tag::Iframe || !is_nothing()).then_some(address)
}

/// What an `audio`, a `video` or an `iframe` is called: as it says itself, else by its file or its host.
pub(super) fn media_title(page: &Page, node: NodeId, address: &str) -> String {
    let said = ["title", "aria-label", "data-title"].iter().filter_map(|name| page.attr(node, name)).map(str::trim);
    if let Some(title) = said.into_iter().find(|title| title.chars().any(char::is_alphanumeric)) {
        return title.to_owned();
    }
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let (host, file) = path.split_once("://").map_or(("", path), |(_, rest)| rest.split_once('/').unwrap_or((rest, "")));
    let file = file.rsplit('/').next().unwrap_or_default();
    if page.tag(node) == Tag::Iframe && !host.is_empty() || file.is_empty() { host.to_owned() } else { file.to_owned() }
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

/// Whether an element says no more than the language of the listing right behind it, which the listing says itself.
pub(super) fn is_language_label(page: &Page, node: NodeId) -> bool {
    const MOST_CHARS: u32 = 20;
    const MOST_STEPS: usize = 3;
    let chars = page.counts(node).chars;
    if !(1..=MOST_CHARS).contains(&chars) {
        return false;
    }
    let mut at = node;
    for _ in 0..MOST_STEPS {
        let mut behind = std::iter::successors(page.next_sibling(at), |node| page.next_sibling(*node))
            .filter(|node| page.counts(*node).chars > 0 && page.tag(*node) != Tag::Button);
        if let Some(next) = behind.next() {
            let pre = page.subtree(next).take(MOST_STEPS + 1).find(|below| page.tag(*below) == Tag::Pre);
            return pre
                .and_then(|pre| code_language(page, pre))
                .is_some_and(|language| page.text(node).trim().eq_ignore_ascii_case(language));
        }
        match page.parent(at) {
            Some(parent) => at = parent,
            None => return false,
        }
    }
    false
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
            ("#", None),
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
        let page = Page::parse("<a href=//f.org/g>x</a>");
        let node = page.nodes().find(|node| page.tag(*node) == Tag::A).unwrap();
        assert_eq!(link(&page, node).as_deref(), Some("https://f.org/g"), "another host has an address also seen from nowhere");
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
            ("src=blank.gif data-srcset='a.png 1x, b.png 2x'", Some("https://e.org/a/a.png")),
            ("src=data:x data-lazy-srcset='a.png 1x' srcset='data:y 1x'", Some("https://e.org/a/a.png")),
            ("data-src-pc='/b.JPG?w=2' alt=x", Some("https://e.org/b.JPG?w=2")),
            ("data-id=a data-caption='It is a.png of' data-kind='.png'", None),
            ("src=data:x", None),
            ("", None),
            ("src=a.gif width=1 height=1", None),
        ];
        for (attributes, expected) in cases {
            assert_eq!(first(&format!("<img {attributes}>"), Tag::Img, image).as_deref(), expected, "{attributes}");
        }
        let picture = "<picture><source><source data-srcset='a.webp 1x'><img src=data:x></picture>";
        assert_eq!(first(picture, Tag::Img, image).as_deref(), Some("https://e.org/a/a.webp"));
    }

    #[test]
    fn what_a_page_shows_again_and_again_without_words_or_with_others_each_time_is_no_picture() {
        let written = |images: &str| {
            let page = Parser::new().url("https://e.org/").parse(format!("<p>a {images}<img src=boat.jpg><img src=boat.jpg> b"));
            let all = page.subtree_set(page.root());
            let [markdown, html] = [crate::emit::markdown(&page, &all), crate::emit::html(&page, &all)];
            assert_eq!((markdown.matches("boat").count(), html.matches("boat").count()), (2, 2));
            (markdown.matches("![").count() - 2, html.matches("<img").count() - 2)
        };
        assert_eq!(written(&"<img src=dot.gif>".repeat(3)), (0, 0));
        assert_eq!(written(&"<img src=dot.gif>".repeat(2)), (2, 2));
        assert_eq!(written(&format!("<img src=dot.gif alt=Menu>{}", "<img src=dot.gif>".repeat(3))), (4, 4));
        assert_eq!(written(&format!("<img src=dot.gif alt=Menu>{}", "<img src=dot.gif>".repeat(6))), (0, 0));
        assert_eq!(written(&"<img src=star.gif alt='*'>".repeat(3)), (3, 3));
        assert_eq!(written("<img src=x.svg alt=a><img src=x.svg alt=b><img src=x.svg alt=c>"), (0, 0));
        assert_eq!(written("<img src=x.svg data-src=1><img src=x.svg data-src=2><img src=x.svg data-src=3>"), (3, 3));
    }

    #[test]
    fn media_and_frames_lead_somewhere_and_counters_are_none() {
        let cases = [
            ("<iframe src=//v.example/embed/1 title='A boat'></iframe>", Some(("https://v.example/embed/1", "A boat"))),
            (
                "<iframe src=about:blank data-src=https://v.example/embed/1?a></iframe>",
                Some(("https://v.example/embed/1?a", "v.example")),
            ),
            ("<video title=' '><source src=clip.mp4></video>", Some(("https://e.org/a/clip.mp4", "clip.mp4"))),
            ("<audio src=https://v.example/ aria-label=Song></audio>", Some(("https://v.example/", "Song"))),
            ("<iframe></iframe>", None),
            ("<iframe src=''></iframe>", None),
            ("<iframe srcdoc='<p>a'></iframe>", None),
            ("<iframe src=javascript:void(0)></iframe>", None),
            ("<iframe src=https://c.example/ width=1 height=1></iframe>", None),
            ("<iframe src=https://c.example/ style='display: none'></iframe>", None),
            ("<iframe src=https://www.googletagmanager.com/ns.html?id=G></iframe>", None),
            ("<iframe src=/2010/AD/LIFE.html></iframe>", None),
            ("<video src=blob:https://e.org/1></video>", None),
        ];
        for (html, expected) in cases {
            let page = Parser::new().url("https://e.org/a/b").parse(html);
            let node = page.nodes().find(|node| matches!(page.tag(*node), Tag::Iframe | Tag::Video | Tag::Audio)).unwrap();
            let found = media(&page, node).map(|address| (address.to_string(), media_title(&page, node, &address)));
            assert_eq!(found, expected.map(|(address, title)| (address.to_owned(), title.to_owned())), "{html}");
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
