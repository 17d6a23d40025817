//! The page written for a browser, from its tree: everything stays where it is unless it is said otherwise, and nothing in it runs.
//!
//! Such a page is shown to people, maybe from another address than its own, so what would act is made inert while what is seen stays:
//! - scripts keep their text but have the type `text/plain`; handlers (`onclick`, …), `javascript:` addresses and `srcdoc` are kept under
//!   a name with `data-unchaff-` before it;
//! - `meta` that reloads the page, sets a policy or names a charset is renamed likewise, and a policy of ours comes first that lets no script run;
//! - what `noscript` holds in the body is shown, because scripts do not run;
//! - with a known address, `base` is absolute, so that styles and pictures are found.
//!
//! The doctype stays as it is (a page without one is laid out by other rules). A misnested page is written as it was understood.

use super::html::{push_attribute, push_escaped};
use crate::{NodeId, Page, Tag};

/// What becomes of a node.
pub(super) enum Becomes {
    /// It stays.
    Itself,
    /// An element stays with this attribute more; text gets an element around it that has it.
    Marked(&'static str, String),
    /// An element that has been written before: it stays without its `id`.
    Repeated,
    /// Other text stands in the place of text.
    Text(String),
    /// It goes, with everything below it.
    Nothing,
}

/// The policy that a written page begins with.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'\">";

/// Writes the page. `style` is CSS of ours; `becomes` is asked of every node outside of the head that is not below one that goes.
pub(super) fn browser_page(page: &Page, style: &str, mut becomes: impl FnMut(NodeId) -> Becomes) -> String {
    let mut out = start(page, style);
    let (from, to) = match (page.head(), page.root()) {
        (Some(head), _) => (page.end(head), NodeId(page.len() as u32)),
        (None, root) => (root, page.end(root)),
    };
    push_nodes(&mut out, page, from, to, &mut becomes);
    out.push_str("</html>\n");
    out
}

/// Everything up to the end of the head.
pub(super) fn start(page: &Page, style: &str) -> String {
    let source = page.source();
    let mut out = String::with_capacity(source.len() + source.len() / 8);
    if let Some(doctype) = page.children(page.root()).find(|node| page.tag(*node) == Tag::Doctype) {
        out.push_str(&source[page.source_range(doctype)]);
        out.push('\n');
    }
    out.push_str("<html");
    if let Some(html) = page.children(page.root()).find(|node| page.tag(*node) == Tag::Html) {
        push_attributes(&mut out, page, html, false);
    }
    out.extend(["><head>", POLICY, "<meta charset=\"utf-8\">"]);
    if let Some(base) = page.base() {
        out.push_str("<base");
        push_attribute(&mut out, "href", base.as_str());
        out.push('>');
    }
    if let Some(head) = page.head() {
        let stays = |node| if page.tag(node) == Tag::Noscript { Becomes::Nothing } else { Becomes::Itself };
        push_nodes(&mut out, page, NodeId(head.0 + 1), page.end(head), stays);
    }
    if !style.is_empty() {
        out.extend(["<style>", style, "</style>"]);
    }
    out.push_str("</head>");
    out
}

/// Writes the nodes from one position up to another, whose subtrees lie within.
pub(super) fn push_nodes(out: &mut String, page: &Page, from: NodeId, to: NodeId, mut becomes: impl FnMut(NodeId) -> Becomes) {
    let mut open: Vec<(NodeId, &str)> = Vec::new();
    let mut at = from;
    while at < to {
        while let Some((_, name)) = open.pop_if(|(node, _)| page.end(*node) <= at) {
            out.extend(["</", name, ">"]);
        }
        let became = becomes(at);
        if matches!(became, Becomes::Nothing) {
            // What stood on both sides of an element does not become one word.
            if page.is_element(at) && !out.ends_with(|c: char| c.is_whitespace() || c == '>') {
                out.push(' ');
            }
            at = page.end(at);
            continue;
        }
        match page.tag(at) {
            Tag::Document | Tag::Comment | Tag::Doctype | Tag::Html => {}
            Tag::Text | Tag::Raw => push_text(out, page, at, became),
            tag => {
                let name = name(page, at);
                out.extend(["<", name]);
                push_attributes(out, page, at, matches!(became, Becomes::Repeated));
                if let Becomes::Marked(attribute, value) = &became {
                    push_attribute(out, attribute, value);
                }
                out.push('>');
                if !tag.is_void() {
                    open.push((at, name));
                }
            }
        }
        at = NodeId(at.0 + 1);
    }
    while let Some((_, name)) = open.pop() {
        out.extend(["</", name, ">"]);
    }
}

/// The name an element is written under. `plaintext` could not be closed, and `noscript` would not be shown.
fn name(page: &Page, node: NodeId) -> &str {
    match page.tag(node) {
        Tag::Plaintext => "pre",
        Tag::Noscript => "unchaff-noscript",
        _ => page.name(node),
    }
}

fn push_text(out: &mut String, page: &Page, node: NodeId, becomes: Becomes) {
    let parent = page.parent(node);
    let of = parent.map_or(Tag::Document, |parent| page.tag(parent));
    let text = page.string(node);
    // The first end of line in these is none of their text.
    let is_eaten = matches!(of, Tag::Pre | Tag::Textarea | Tag::Listing) && parent.is_some_and(|parent| parent.0 + 1 == node.0);
    if is_eaten && text.starts_with('\n') {
        out.push('\n');
    }
    match becomes {
        // Where it is read again as markup, as in SVG, it must not become elements.
        _ if is_raw_text(of) => out.push_str(&text.replace('<', "&lt;")),
        Becomes::Text(other) => push_escaped(out, &other),
        Becomes::Marked(attribute, value) if may_hold_span(of) => {
            out.push_str("<span");
            push_attribute(out, attribute, &value);
            out.push('>');
            push_escaped(out, text);
            out.push_str("</span>");
        }
        _ => push_escaped(out, text),
    }
}

/// Writes the attributes of an element, those that would act under other names.
fn push_attributes(out: &mut String, page: &Page, node: NodeId, is_repeated: bool) {
    let tag = page.tag(node);
    // That of SVG is another element of the same name.
    let is_script = tag == Tag::Script || page.name(node).eq_ignore_ascii_case("script");
    if is_script {
        out.push_str(" type=\"text/plain\"");
    } else if tag == Tag::Iframe {
        out.push_str(" sandbox=\"\"");
    }
    let is_acting_meta = tag == Tag::Meta && page.attr(node, "http-equiv").is_some();
    for (name, value) in page.attrs(node).filter(|(name, _)| !(is_repeated && *name == "id")) {
        let acts = name.starts_with("on")
            || name == "srcdoc"
            || is_script && matches!(name, "type" | "src" | "href" | "xlink:href")
            || tag == Tag::Iframe && name == "sandbox"
            || tag == Tag::Meta && name == "charset"
            || is_acting_meta && name == "http-equiv"
            || tag == Tag::Base && name == "href" && page.base().is_some()
            || !is_said(name) && is_script_address(value);
        match acts {
            true => push_attribute(out, &format!("data-unchaff-{name}"), value),
            false => push_attribute(out, name, value),
        }
    }
}

/// Whether the value of an attribute is text, whatever it begins with.
fn is_said(name: &str) -> bool {
    matches!(name, "title" | "alt" | "class" | "id" | "lang" | "aria-label" | "placeholder" | "content")
        || name.starts_with("data-")
}

/// Whether a value is an address that runs.
fn is_script_address(value: &str) -> bool {
    let mut scheme = value.chars().filter(|c| !c.is_whitespace() && !c.is_control()).map(|c| c.to_ascii_lowercase());
    let scheme: String = scheme.by_ref().take("javascript:".len()).collect();
    scheme == "javascript:" || scheme.starts_with("vbscript:")
}

/// Elements whose text is written as it is.
pub(super) fn is_raw_text(tag: Tag) -> bool {
    matches!(tag, Tag::Script | Tag::Style | Tag::Xmp | Tag::Iframe | Tag::Noembed | Tag::Noframes)
}

/// Whether a `span` may stand in an element without changing what the parser makes of it.
fn may_hold_span(tag: Tag) -> bool {
    let holds_parts = matches!(
        tag,
        Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr | Tag::Colgroup | Tag::Frameset | Tag::Html | Tag::Document
    );
    let holds_text = matches!(tag, Tag::Option | Tag::Optgroup | Tag::Select | Tag::Textarea | Tag::Title);
    tag.is_html() && !holds_parts && !holds_text || tag == Tag::Custom
}
