//! A page of others as plain HTML to be shown in a frame: no script, nothing to load, no address to follow.
//!
//! It is written from its tree, elements and attributes that only change how it looks and no others. That may show a page other than its author meant
//! it, but marks are where the nodes are. A frame without scripts and a policy are around it as well; each of the three would do.

use super::document::escape;
use std::fmt::Write;
use unchaff_dom::{NodeId, Page, Tag};

/// The page as HTML without anything that acts. Nodes are marked by `data-unchaff` where their `status` is other than that of the element around
/// them, `none` at first; elements get `more` in their tags, which has to be attributes.
pub(crate) fn harmless(page: &Page, status: impl Fn(NodeId) -> &'static str, more: impl Fn(NodeId) -> Option<String>) -> String {
    harmless_with(page, status, more, &mut Bare)
}

/// Where what a page looks like comes from.
pub(crate) trait Looks {
    /// Rules that stand in the page, without what would be loaded.
    fn rules(&mut self, css: &str) -> String;
    /// A sheet that the page links to, as an element.
    fn sheet(&mut self, address: &str, media: &str) -> Option<String>;
    /// What is loaded as a picture.
    fn picture(&mut self, address: &str) -> Option<String>;
    /// Whether frames, films and drawings, which are not shown, have empty boxes in their places.
    fn has_boxes(&self) -> bool;
}

/// No sheets, no pictures.
struct Bare;

impl Looks for Bare {
    fn rules(&mut self, css: &str) -> String {
        without_addresses(css)
    }

    fn sheet(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn picture(&mut self, _: &str) -> Option<String> {
        None
    }

    fn has_boxes(&self) -> bool {
        false
    }
}

/// The same, with the looks that the page has somewhere.
pub(crate) fn harmless_with(
    page: &Page,
    status: impl Fn(NodeId) -> &'static str,
    more: impl Fn(NodeId) -> Option<String>,
    looks: &mut dyn Looks,
) -> String {
    let mut out = String::new();
    let mut open: Vec<(NodeId, &str, &str)> = Vec::new();
    let mut skip = page.root();
    for node in page.nodes() {
        while let Some((_, name, _)) = open.pop_if(|(end, ..)| *end <= node) {
            write!(out, "</{name}>").ok();
        }
        let tag = page.tag(node);
        if node < skip || matches!(tag, Tag::Document | Tag::Doctype | Tag::Comment | Tag::Raw) {
            continue;
        }
        let around = open.last().map_or("none", |(.., status)| *status);
        let status = status(node);
        if tag == Tag::Text {
            let text = escape(page.text(node));
            // White space between cells or items must not get an element around it.
            if status == around || page.text(node).trim().is_empty() {
                out += &text;
            } else {
                write!(out, "<span data-unchaff={status}>{text}</span>").ok();
            }
            continue;
        }
        let name = match tag {
            Tag::Style => {
                let rules: String = page.descendants(node).map(|node| page.string(node)).collect();
                let media = page.attr(node, "media").map_or_else(String::new, |media| format!(" media=\"{}\"", escape(media)));
                write!(out, "<style{media}>{}</style>", looks.rules(&rules).replace("</", "<\\/")).ok();
                skip = page.end(node);
                continue;
            }
            Tag::Link => {
                let rel = page.attr(node, "rel").unwrap_or_default().to_ascii_lowercase();
                let is_sheet = rel.split_ascii_whitespace().any(|rel| rel == "stylesheet") && !rel.contains("alternate");
                if let Some(address) = page.attr(node, "href").filter(|_| is_sheet && page.attr(node, "disabled").is_none()) {
                    out += &looks.sheet(address, page.attr(node, "media").unwrap_or_default()).unwrap_or_default();
                }
                skip = page.end(node);
                continue;
            }
            Tag::Iframe | Tag::Object | Tag::Embed | Tag::Video | Tag::Audio | Tag::Canvas | Tag::Svg if looks.has_boxes() => {
                let size = ["width", "height"].map(|side| {
                    let pixels = page.attr(node, side).and_then(|size| size.trim().trim_end_matches("px").parse::<f64>().ok());
                    pixels.map_or_else(String::new, |pixels| format!("{side}:{}px;", pixels.clamp(0.0, 4000.0)))
                });
                write!(out, "<x-part data-was={} style=\"{}\"", page.name(node), size.concat()).ok();
                out += &more(node).unwrap_or_default();
                for (name, value) in page.attrs(node).filter(|(name, _)| ["class", "id"].contains(name)) {
                    write!(out, " {name}=\"{}\"", escape(value)).ok();
                }
                out += "></x-part>";
                skip = page.end(node);
                continue;
            }
            Tag::Script
            | Tag::Template
            | Tag::Iframe
            | Tag::Frame
            | Tag::Object
            | Tag::Embed
            | Tag::Applet
            | Tag::Meta
            | Tag::Base
            | Tag::Title
            | Tag::Svg
            | Tag::Math
            | Tag::Foreign
            | Tag::Audio
            | Tag::Video
            | Tag::Source
            | Tag::Track
            | Tag::Param
            | Tag::Noembed
            | Tag::Noframes => {
                skip = page.end(node);
                continue;
            }
            // What has a hyphen in its name is nothing to a browser without scripts, and may be addressed by the page's style.
            Tag::Custom if is_custom(page.name(node)) => page.name(node),
            // These may stand where a `div` would end a paragraph.
            Tag::Custom | Tag::Noscript => "x-part",
            Tag::Plaintext | Tag::Xmp | Tag::Listing | Tag::Frameset | Tag::Marquee | Tag::Dialog => "div",
            tag => tag.name(),
        };
        write!(out, "<{name}").ok();
        if status != around {
            write!(out, " data-unchaff={status}").ok();
        }
        out += &more(node).unwrap_or_default();
        for (name, value) in page.attrs(node).filter(|(name, _)| HARMLESS.contains(name)) {
            let value = if name == "style" { looks.rules(value) } else { value.to_owned() };
            write!(out, " {name}=\"{}\"", escape(&value)).ok();
        }
        if tag == Tag::Img {
            // Pictures that a script would load have their address elsewhere.
            let named =
                ["src", "data-src", "data-original", "data-lazy-src"].into_iter().filter_map(|name| page.attr(node, name));
            if let Some(picture) = named.filter_map(|address| looks.picture(address)).last() {
                write!(out, " src=\"{}\"", escape(&picture)).ok();
            }
        } else if let Some(picture) = page.attr(node, "background").and_then(|address| looks.picture(address)) {
            write!(out, " background=\"{}\"", escape(&picture)).ok();
        }
        out.push('>');
        // The first line feed in these is dropped by whoever reads it.
        let is_preformatted = matches!(tag, Tag::Pre | Tag::Textarea);
        if is_preformatted && page.children(node).next().is_some_and(|first| page.string(first).starts_with('\n')) {
            out.push('\n');
        }
        if !tag.is_void() {
            open.push((page.end(node), name, status));
        }
    }
    for (_, name, _) in open.into_iter().rev() {
        write!(out, "</{name}>").ok();
    }
    out
}

/// Attributes that change the looks of an element and nothing else.
const HARMLESS: [&str; 24] = [
    "align",
    "alt",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "class",
    "color",
    "colspan",
    "dir",
    "face",
    "height",
    "hidden",
    "id",
    "lang",
    "nowrap",
    "open",
    "rowspan",
    "size",
    "start",
    "style",
    "type",
    "valign",
    "width",
];

/// Style without anything to load: a declaration that names an address is made invalid.
fn without_addresses(style: &str) -> String {
    style.replace("url(", "none(").replace("@import", "@none")
}

/// Whether a name can be that of a custom element of HTML.
fn is_custom(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.contains('-') && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(is_plain)
}
