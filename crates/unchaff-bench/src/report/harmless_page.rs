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
                write!(out, "<style>{}</style>", inline_style(page, node)).ok();
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
            | Tag::Link
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
            Tag::Custom
            | Tag::Plaintext
            | Tag::Xmp
            | Tag::Listing
            | Tag::Frameset
            | Tag::Noscript
            | Tag::Marquee
            | Tag::Dialog => "div",
            tag => tag.name(),
        };
        write!(out, "<{name}").ok();
        if status != around {
            write!(out, " data-unchaff={status}").ok();
        }
        out += &more(node).unwrap_or_default();
        for (name, value) in page.attrs(node).filter(|(name, _)| HARMLESS.contains(name)) {
            let value = if name == "style" { without_addresses(value) } else { value.to_owned() };
            write!(out, " {name}=\"{}\"", escape(&value)).ok();
        }
        out.push('>');
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

/// The rules of a style element.
fn inline_style(page: &Page, style: NodeId) -> String {
    let rules: String = page.descendants(style).map(|node| page.string(node)).collect();
    without_addresses(&rules).replace("</", "")
}

/// Style without anything to load: a declaration that names an address is made invalid.
fn without_addresses(style: &str) -> String {
    style.replace("url(", "none(").replace("@import", "@none")
}
