//! What no output shows, whatever is chosen: raw text, `head`, form controls, embedded documents, the fallback of media, TeX beside MathML, line
//! numbers beside code, permalinks, names of icons, data for scripts, and remarks to readers on how to use the page.
//!
//! Whoever cuts a page into blocks, looks for tables or writes it asks this of all elements, so it is found once for a page. Most is told by a class, and most
//! classes are ruled out by how their names begin.

use super::disclosure;
use super::formula::is_second_copy;
use super::gutter::{counts_lines, is_gutter, numbers_line};
use super::recipe::is_tool;
use super::stray_data::is_stray_data;
use crate::{NodeId, NodeSet, Page, Tag};

/// Whether nothing in an element is ever written, whatever the set says: form controls, embedded documents, line numbers
/// beside code and the like.
#[must_use]
#[inline]
pub fn is_never_written(page: &Page, node: NodeId) -> bool {
    let found = || NodeSet::from_nodes(page, page.nodes().filter(|node| is_unwritten(page, *node, page.tag(*node))));
    page.never_written.get_or_init(found).contains(node)
}

fn is_unwritten(page: &Page, node: NodeId, tag: Tag) -> bool {
    use Tag::*;
    match tag {
        // One that is the shadow of an element is shown.
        Template => page.attr(node, "shadowrootmode").is_none(),
        Head | Title | Script | Style | Iframe | Embed | Noembed | Noframes | Audio | Video | Canvas => true,
        Button => !disclosure::is_label(page, node),
        Input | Select | Textarea | Datalist | Progress | Meter | Keygen => true,
        // One that is not closed, because the standard ignores its end tag where a block is open, holds the rest of the page.
        Noscript => is_closed(page, node) && !is_most_of_page(page, node),
        Foreign => matches!(page.name(node), "annotation" | "annotation-xml"),
        Td | Pre | Code => may_be_unwritten(page.class(node)) && is_gutter(page, node) || counts_lines(page, node),
        A => is_permalink(page, node) || is_tool(page, node, tag) || may_be_unwritten(page.class(node)) && is_gutter(page, node),
        Label => is_tool(page, node, tag),
        Em | I | Small => {
            is_remark_in_link(page, node) || tag != Small && may_be_unwritten(page.class(node)) && is_ligature(page, node)
        }
        Span if is_tool(page, node, tag) || numbers_line(page, node) => true,
        Span | Div => {
            let class = page.class(node);
            let by_class =
                || is_gutter(page, node) || is_second_copy(page, node, tag) || is_remark(page, node) || is_ligature(page, node);
            // All others of these are known by a class.
            may_be_unwritten(class) && by_class()
                || (tag == Span || !class.is_empty()) && is_remark_in_link(page, node)
                || tag == Div && is_stray_data(page, node)
        }
        Body | Html => false,
        _ => tag.is_block() && is_stray_data(page, node),
    }
}

/// Applications that draw themselves put what they are about into a `noscript`, for all who do not run their scripts. A
/// shorter one only says that scripts are needed.
fn is_most_of_page(page: &Page, noscript: NodeId) -> bool {
    let words = page.counts(noscript).words;
    words >= 20 && words > 2 * (page.counts(page.body().unwrap_or(page.root())).words / 3)
}

fn is_closed(page: &Page, noscript: NodeId) -> bool {
    const END: &[u8] = b"</noscript>";
    let source = page.source()[page.source_range(noscript)].as_bytes();
    source.len() >= END.len() && source[source.len() - END.len()..].eq_ignore_ascii_case(END)
}

/// Whether a link in a heading, or in a term that is defined, only leads to it.
fn is_permalink(page: &Page, node: NodeId) -> bool {
    const SIGNS: [&str; 7] = ["¶", "#", "§", "🔗", "⚓", "\u{f0c1}", "∞"];
    if page.counts(node).chars > 1 {
        return false;
    }
    let text = page.text(node).trim();
    let is_heading = |node: NodeId| page.tag(node).heading_level().is_some() || page.tag(node) == Tag::Dt;
    SIGNS.contains(&text)
        && page.attr(node, "href").is_some_and(|href| href.contains('#'))
        && (page.ancestors(node).take(3).any(is_heading)
            || page.parent(node).is_some_and(|parent| page.element_children(parent).take(2).any(is_heading)))
}

/// Classes of what only who listens is told.
const HIDDEN: [&str; 11] = [
    "sr-only",
    "fr-sr-only",
    "screen-reader-text",
    "screen-reader",
    "visually-hidden",
    "visuallyhidden",
    "screenreader-only",
    "element-invisible",
    "u-hidden",
    "hidden",
    "clipped",
];

/// Whether a value of `class` may have a name that is looked for here ([`is_gutter`], [`is_second_copy`], [`HIDDEN`]), by how its names begin. Most have
/// not, and are read no more than once.
fn may_be_unwritten(class: &str) -> bool {
    let bytes = class.as_bytes();
    let mut is_start = true;
    bytes.iter().zip(bytes.iter().skip(1)).any(|(first, second)| {
        let starts = std::mem::replace(&mut is_start, first.is_ascii_whitespace());
        starts
            && matches!(
                &[*first, *second],
                b"ln"
                    | b"li"
                    | b"gu"
                    | b"bl"
                    | b"hl"
                    | b"ro"
                    | b"cr"
                    | b"ka"
                    | b"Ma"
                    | b"ma"
                    | b"mw"
                    | b"sr"
                    | b"fr"
                    | b"sc"
                    | b"vi"
                    | b"el"
                    | b"u-"
                    | b"hi"
                    | b"cl"
            )
    })
}

/// Names of classes of fonts that have pictures for words: `expand_more` is an arrow.
const LIGATURES: [&str; 2] = ["material-icons", "material-symbols"];

/// Whether a word is written that readers see as a picture, beside other text: one alone, as in a cell, says something.
fn is_ligature(page: &Page, node: NodeId) -> bool {
    let is_one = |class: &str| {
        LIGATURES.iter().any(|name| class.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
    };
    page.counts(node).tokens == 1
        && page.parent(node).is_some_and(|parent| page.counts(parent).tokens > 1)
        && page.classes(node).any(is_one)
}

/// Whether an element tells readers how to use the page: to edit a part, or where a link opens.
fn is_remark(page: &Page, node: NodeId) -> bool {
    let counts = page.counts(node);
    if counts.chars == 0 || counts.words > 10 {
        return false;
    }
    page.classes(node)
        .any(|class| class == "mw-editsection" || HIDDEN.contains(&class) && says_where_a_link_opens(page.text(node)))
}

/// Whether an element is not written where it stands: never, or because it tells who listens what stands before it already.
pub(super) fn is_left_out(page: &Page, node: NodeId, tag: Tag) -> bool {
    const MOST_CHARS: u32 = 300;
    is_never_written(page, node)
        || matches!(tag, Tag::Span | Tag::Div)
            && (1..=MOST_CHARS).contains(&page.counts(node).chars)
            && may_be_unwritten(page.class(node))
            && page.classes(node).any(|class| HIDDEN.contains(&class))
            && says_again(page, node)
}

/// Whether an element starts with all that stands before it.
fn says_again(page: &Page, node: NodeId) -> bool {
    const LEAST: usize = 3;
    let before = |node: &NodeId| page.previous_sibling(*node);
    let seen =
        std::iter::successors(before(&node), before).take(2).map(|node| page.text(node).trim()).find(|text| !text.is_empty());
    seen.is_some_and(|seen| seen.len() >= LEAST && page.text(node).trim_start().starts_with(seen))
}

/// Whether an element in a link says where the link opens, and nothing else.
fn is_remark_in_link(page: &Page, node: NodeId) -> bool {
    const MOST_CHARS: u32 = 60;
    let chars = page.counts(node).chars;
    (1..=MOST_CHARS).contains(&chars)
        && page.ancestors(node).take(2).any(|above| page.tag(above) == Tag::A && page.counts(above).chars > chars)
        && is_opening(page.text(node))
}

/// A text in a link without the remark in brackets at its end that says where the link opens.
pub(super) fn without_opening<'p>(page: &'p Page, node: NodeId, text: &'p str) -> &'p str {
    let Some(bare) = text.trim_end().strip_suffix([')', ']']) else { return text };
    match bare.rfind(['(', '[']) {
        Some(at) if is_opening(&bare[at..]) && page.ancestors(node).take(4).any(|above| page.tag(above) == Tag::A) => {
            if text.ends_with(char::is_whitespace) { &text[..at] } else { text[..at].trim_end() }
        }
        _ => text,
    }
}

fn says_where_a_link_opens(text: &str) -> bool {
    const OPENS: [&str; 17] = [
        "new window",
        "new tab",
        "new browser",
        "external link",
        "external site",
        "link is external",
        "neuem fenster",
        "neuen fenster",
        "neues fenster",
        "neuem tab",
        "neuen tab",
        "nouvelle fenêtre",
        "nouvel onglet",
        "nueva ventana",
        "nueva pestaña",
        "nuova finestra",
        "nuova scheda",
    ];
    let text = text.to_lowercase();
    OPENS.iter().any(|opens| text.contains(opens))
}

/// Whether a text starts as those do that say where a link opens, and says so.
fn is_opening(text: &str) -> bool {
    const STARTS: [&str; 18] = [
        "open",
        "link",
        "this link",
        "external",
        "new ",
        "in a new",
        "in new",
        "öffnet",
        "extern",
        "neues",
        "wird in",
        "in neuem",
        "nouve",
        "ouv",
        "s'ouvre",
        "se abre",
        "abre",
        "si apre",
    ];
    const MOST_BYTES: usize = 80;
    if text.len() > MOST_BYTES {
        return false;
    }
    let lower = text.trim_start_matches(|mark: char| !mark.is_alphanumeric()).to_lowercase();
    STARTS.iter().any(|start| lower.starts_with(start)) && says_where_a_link_opens(&lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::{formula, gutter};

    #[test]
    fn every_class_that_is_looked_for_is_let_through() {
        let names = gutter::CLASSES.iter().chain(&formula::COPIES).chain(&HIDDEN).chain(&LIGATURES).chain(&["mw-editsection"]);
        for name in names {
            assert!(
                may_be_unwritten(name) && may_be_unwritten(&format!("x {name}")) && !may_be_unwritten(&format!("x-{name}")),
                "{name}"
            );
        }
        assert!(!may_be_unwritten("") && !may_be_unwritten("article post-7 l"));
    }

    #[test]
    fn names_of_icons_beside_text_are_not_written() {
        let page = Page::parse(
            "<p><i class=material-icons>star</i> It <span class='big material-symbols-outlined'>umbrella</span> rained.<table><tr><th>a<th>b<tr><td>c<td><i class=material-icons>check</i></table>\
             <p><i class=material>So</i> it <i class='material-icons'>did so</i>.",
        );
        let markdown = crate::emit::markdown(&page, &page.subtree_set(page.root()));
        assert_eq!(markdown, "It rained.\n\n| a | b |\n| --- | --- |\n| c | *check* |\n\n*So* it *did so*.\n");
    }

    #[test]
    fn the_shadow_of_an_element_is_written_and_other_templates_are_not() {
        let page = Page::parse(
            "<x-card><template shadowrootmode=open><style>p {}</style><p>It rained.</p></template><p>Then it snowed.</p></x-card><template><p>Later.</template>",
        );
        assert_eq!(crate::emit::text(&page, &page.subtree_set(page.root())), "It rained.\n\nThen it snowed.\n");
        assert_eq!(page.counts(page.root()).words, 5);
        let bare = Page::parse("<x-card><template shadowrootmode=open>It rained</template>Then it snowed.</x-card>");
        assert_eq!(crate::emit::text(&bare, &bare.subtree_set(bare.root())), "It rained\nThen it snowed.\n");
    }
}
