//! The page itself, changed so that a set of nodes stands out: the ways in which content extraction is realised beside extracting and
//! marking (Gottron 2008, section 4.3). All take any set, of whole subtrees or of single texts, and all are pages for a browser, in which
//! nothing runs ([`browser_page`](super::browser_page)).
//!
//! | mode | the text of the set | the rest |
//! |---|---|---|
//! | [`hidden`] | stays | is there, and not shown |
//! | [`replaced`] | stays | other characters stand for its texts; elements and pictures stay |
//! | [`deleted`] | stays | its texts are gone; elements and pictures stay |
//! | [`restructured`] | comes first | comes after it, navigation last |
//! | [`highlighted`] | is coloured | stays |
//!
//! What is left of the text in `hidden` (without what is hidden) and `deleted` is that of the set, up to white space. White space between
//! elements stays everywhere. The head stays in all of them.

#[cfg(test)]
mod tests;

use super::browser_page::{Becomes, browser_page, push_nodes, start};
use super::html::push_attribute;
use crate::{NodeId, NodeSet, Page, Tag};

/// What stands for the text of the rest in [`replaced`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Filler {
    /// A no-break space for each character that is none already: the page keeps its shape.
    #[default]
    Blank,
    /// Another character for each.
    Character(char),
    /// `…` for each text.
    Ellipsis,
    /// `[12 characters]` for each text: how much is gone.
    Placeholder,
}

/// Of a page, which nodes are kept, and which elements hold some of these.
struct Kept<'s> {
    nodes: &'s NodeSet,
    holding: NodeSet,
    body: std::ops::Range<usize>,
}

impl<'s> Kept<'s> {
    fn of(page: &Page, nodes: &'s NodeSet) -> Kept<'s> {
        let body = page.body().map_or(0..0, |body| body.index() + 1..page.end(body).index());
        Kept { nodes, holding: nodes.with_ancestors(page), body }
    }

    /// Whether a node is text of the rest that a reader could see.
    fn is_other_text(&self, page: &Page, node: NodeId) -> bool {
        page.tag(node) == Tag::Text
            && self.body.contains(&node.index())
            && !self.nodes.contains(node)
            && !page.string(node).trim().is_empty()
    }
}

/// The page with everything that is not of the set hidden by style (`data-unchaff-hidden`); cells of tables keep their place.
#[must_use]
pub fn hidden(page: &Page, nodes: &NodeSet) -> String {
    const STYLE: &str = "[data-unchaff-hidden]{display:none!important}\
        td[data-unchaff-hidden],th[data-unchaff-hidden]{display:table-cell!important;visibility:hidden!important}";
    let kept = Kept::of(page, nodes);
    let mut hidden_to = NodeId(0);
    browser_page(page, STYLE, |node| {
        if node < hidden_to || !kept.body.contains(&node.index()) {
            return Becomes::Itself;
        }
        let is_other = match page.tag(node) {
            Tag::Text => kept.is_other_text(page, node),
            // They show nothing themselves, or only part what stands beside them.
            Tag::Br | Tag::Wbr | Tag::Style | Tag::Script | Tag::Link | Tag::Meta | Tag::Template | Tag::Col | Tag::Colgroup => {
                false
            }
            tag => tag.is_element() && !kept.holding.contains(node),
        };
        if !is_other {
            return Becomes::Itself;
        }
        hidden_to = page.end(node);
        Becomes::Marked("data-unchaff-hidden", String::new())
    })
}

/// The page with other characters for the texts that are not of the set.
#[must_use]
pub fn replaced(page: &Page, nodes: &NodeSet, filler: Filler) -> String {
    let kept = Kept::of(page, nodes);
    browser_page(page, "", |node| match kept.is_other_text(page, node) {
        true => Becomes::Text(filled(page.string(node), filler)),
        false => Becomes::Itself,
    })
}

/// Text of which only the length is left.
fn filled(text: &str, filler: Filler) -> String {
    let each = |with: char| text.chars().map(|c| if c.is_whitespace() { c } else { with }).collect();
    let inside = |with: &str| {
        let (start, end) = (text.len() - text.trim_start().len(), text.trim_end().len());
        format!("{}{with}{}", &text[..start], &text[end..])
    };
    match filler {
        Filler::Blank => each('\u{a0}'),
        Filler::Character(c) => each(c),
        Filler::Ellipsis => inside("…"),
        Filler::Placeholder => match text.trim().chars().count() {
            1 => inside("[1 character]"),
            many => inside(&format!("[{many} characters]")),
        },
    }
}

/// The page without the texts that are not of the set; its elements stay as they are.
#[must_use]
pub fn deleted(page: &Page, nodes: &NodeSet) -> String {
    let kept = Kept::of(page, nodes);
    browser_page(page, "", |node| match kept.is_other_text(page, node) {
        true => Becomes::Nothing,
        false => Becomes::Itself,
    })
}

/// The page with the set first, then the rest, then of that what is to come last: for small screens and for who listens. What holds a
/// part is written with each of the parts, and keeps its `id` in the first. Scripts go, and so do elements that show nothing.
#[must_use]
pub fn restructured(page: &Page, nodes: &NodeSet, last: &NodeSet) -> String {
    let kept = Kept::of(page, nodes);
    let shows = showing(page);
    let in_body = |node: &NodeId| kept.body.contains(&node.index());
    let first = NodeSet::from_nodes(page, nodes.iter().filter(in_body));
    let mut navigation = last.clone();
    navigation.difference(&first);
    let mut rest = NodeSet::from_nodes(page, shows.iter().filter(in_body));
    rest.difference(&first);
    rest.difference(&navigation);
    let mut out = start(page, "");
    out.push_str("<body");
    if let Some(body) = page.body() {
        for (name, value) in page.attrs(body).filter(|(name, _)| matches!(*name, "class" | "id" | "style" | "lang" | "dir")) {
            push_attribute(&mut out, name, value);
        }
    }
    out.push('>');
    let mut seen = NodeSet::new(page);
    for (name, part) in [("first", &first), ("rest", &rest), ("last", &navigation)] {
        let part = NodeSet::from_nodes(page, part.iter().filter(|node| shows.contains(*node)));
        if part.is_empty() {
            continue;
        }
        let holding = part.with_ancestors(page);
        out.push_str(&format!("\n<div data-unchaff-part=\"{name}\">"));
        let (from, to) = (NodeId(kept.body.start as u32), NodeId(kept.body.end as u32));
        push_nodes(&mut out, page, from, to, |node| {
            let is_written = match page.tag(node) {
                Tag::Text => part.contains(node) || page.string(node).trim().is_empty() && in_its_place(page, node, &holding),
                Tag::Raw => true,
                Tag::Script => false,
                Tag::Style | Tag::Link => name == "first" || part.contains(node),
                _ => holding.contains(node),
            };
            match is_written {
                false => Becomes::Nothing,
                true if page.is_element(node) && seen.contains(node) => Becomes::Repeated,
                true => {
                    seen.insert(node);
                    Becomes::Itself
                }
            }
        });
        out.push_str("</div>");
    }
    out.push_str("</body></html>\n");
    out
}

/// Whether white space parts two things of which one is written.
fn in_its_place(page: &Page, node: NodeId, holding: &NodeSet) -> bool {
    page.parent(node).is_some_and(|parent| holding.contains(parent))
}

/// The nodes that show something, and what holds them.
fn showing(page: &Page) -> NodeSet {
    let shows = |node: &NodeId| match page.tag(*node) {
        Tag::Text => !page.string(*node).trim().is_empty(),
        Tag::Raw => page.parent(*node).is_some_and(|parent| matches!(page.tag(parent), Tag::Style | Tag::Foreign)),
        Tag::Img | Tag::Svg | Tag::Math | Tag::Foreign | Tag::Audio | Tag::Video | Tag::Source | Tag::Track | Tag::Canvas => true,
        Tag::Object | Tag::Embed | Tag::Param | Tag::Iframe | Tag::Picture | Tag::Map | Tag::Area | Tag::Br | Tag::Hr => true,
        Tag::Input | Tag::Select | Tag::Textarea | Tag::Button | Tag::Option | Tag::Meter | Tag::Progress => true,
        Tag::Style | Tag::Link | Tag::Td | Tag::Th => true,
        _ => false,
    };
    NodeSet::from_nodes(page, page.nodes().filter(shows)).with_ancestors(page)
}

/// The page with blocks in colours, for people: pairs of a block's name and its nodes. The topmost elements of a block carry
/// `data-unchaff`, and text of which the element around it is not in the block gets an element of its own.
#[must_use]
pub fn highlighted(page: &Page, blocks: &[(&str, &NodeSet)]) -> String {
    let mut style =
        String::from("[data-unchaff]{outline:2px solid #888!important;background-color:rgba(136,136,136,.15)!important}");
    let mut legend = String::new();
    for (name, _) in blocks {
        let (color, tint) = color(name);
        style += &format!("[data-unchaff~={name}]{{outline-color:{color}!important;background-color:{tint}!important}}");
        legend += &format!(" {name} ");
    }
    style += &format!(
        "html::after{{content:\"{legend}\";position:fixed;right:0;bottom:0;z-index:2147483647;padding:2px 6px;\
         background:#fff;color:#000;border:1px solid #888;font:12px sans-serif}}"
    );
    let is_root = |node: NodeId, nodes: &NodeSet| {
        let parent = page.parent(node).filter(|parent| !matches!(page.tag(*parent), Tag::Html | Tag::Document));
        nodes.contains(node) && !parent.is_some_and(|parent| nodes.contains(parent))
    };
    browser_page(page, &style, |node| {
        let is_blank = page.tag(node) == Tag::Text && page.string(node).trim().is_empty();
        if is_blank || !(page.is_element(node) || page.tag(node) == Tag::Text) {
            return Becomes::Itself;
        }
        let names: Vec<&str> = blocks.iter().filter(|(_, nodes)| is_root(node, nodes)).map(|(name, _)| *name).collect();
        match names.is_empty() {
            true => Becomes::Itself,
            false => Becomes::Marked(super::ATTRIBUTE, names.join(" ")),
        }
    })
}

/// The colour of a block's frame and of its ground.
fn color(name: &str) -> (&'static str, &'static str) {
    match name {
        "content" => ("#2a2", "rgba(34,170,34,.15)"),
        "template" => ("#999", "rgba(153,153,153,.2)"),
        "menu" => ("#28d", "rgba(34,136,221,.15)"),
        "comments" => ("#d82", "rgba(221,136,34,.15)"),
        "ads" => ("#d22", "rgba(221,34,34,.15)"),
        _ => ("#a3a", "rgba(170,51,170,.15)"),
    }
}
