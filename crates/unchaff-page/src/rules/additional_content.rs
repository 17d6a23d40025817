//! What the parts of a page are that are not its content: navigation, lists of links, commercials, functional elements, comments.
//!
//! The fine classes of additional content of T. Gottron: *Content Extraction* (PhD thesis, Mainz 2008), 1.2, which he names and does not detect; the rules are ours. A block of text is what the nearest element
//! around it that has no content in it says: by what other techniques find (advertisements, comments, the menu), by tags and roles (`nav`, `form`, `button`), by names (`share`, `breadcrumb`), or by its links
//! (three or more, with most of its characters). What nothing is said of is other: a logo, a copyright note, a date. One pass over the page, besides the techniques.

use crate::learned::menu_auto::MenuAuto;
use crate::learned::name_families::{Families, Family, NameFamilies};
use crate::rules::ads::Ads;
use crate::rules::comments::Comments;
use crate::views::text_blocks::{Cut, Role, text_blocks};
use crate::{BlockKind, PageTechnique};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

/// What a part of a page is for that is not its content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Additional {
    /// Ways through the site, or where in it one is.
    Navigation,
    /// Other collections of links.
    LinkList,
    /// Advertisements.
    Commercial,
    /// What one does something with: search, share, log in, subscribe.
    Functional,
    /// What readers wrote.
    Comments,
    /// Anything else.
    Other,
}

impl Additional {
    /// The name: `navigation`, `link-list`, `commercial`, `functional`, `comments`, `other`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Additional::Navigation => "navigation",
            Additional::LinkList => "link-list",
            Additional::Commercial => "commercial",
            Additional::Functional => "functional",
            Additional::Comments => "comments",
            Additional::Other => "other",
        }
    }
}

/// A run of text that is not content, all of one kind for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdditionalPart {
    /// What it is.
    pub kind: Additional,
    /// Why, in a few words.
    pub why: &'static str,
    /// The element that says so; the page's root if none does.
    pub node: NodeId,
    /// Its text, a line for each block.
    pub text: String,
}

const CUT: Cut = Cut { role, ideographs: true };

fn role(tag: Tag) -> Role {
    match tag {
        Tag::Script | Tag::Style | Tag::Noscript | Tag::Textarea => Role::Ignored,
        Tag::A => Role::Link,
        _ if tag.is_block() || matches!(tag, Tag::Td | Tag::Th) => Role::Separator,
        _ => Role::Inline,
    }
}

/// What is said of an element and all in it.
type Said = (Additional, &'static str, NodeId);

/// The parts of a page that are not among `content`, in document order.
#[must_use]
pub fn additional(page: &Page, content: &NodeSet) -> Vec<AdditionalPart> {
    let Some(body) = page.body() else { return Vec::new() };
    let said = evidence(page, body, content);
    let mut parts: Vec<AdditionalPart> = Vec::new();
    let mut line = String::new();
    for block in text_blocks(page, body, CUT).iter().filter(|block| block.words > 0) {
        let (mut own, mut all) = (0, 0);
        for text in block.text_nodes(page) {
            all += page.counts(text).words;
            own += if content.contains(text) { page.counts(text).words } else { 0 };
        }
        if own * 2 > all {
            continue;
        }
        let above = page.parent(block.first).unwrap_or(body);
        let (kind, why, node) = said[above.index()].unwrap_or((Additional::Other, "nothing else is known of it", page.root()));
        block.write_text(page, &mut line);
        match parts.last_mut() {
            Some(last) if (last.kind, last.node) == (kind, node) && kind != Additional::Other => {
                last.text.push('\n');
                last.text.push_str(&line);
            }
            _ => parts.push(AdditionalPart { kind, why, node, text: line.clone() }),
        }
    }
    parts
}

/// For each element below the body what is said of it: by itself, or else by the nearest one around it.
fn evidence(page: &Page, body: NodeId, content: &NodeSet) -> Vec<Option<Said>> {
    let names = NameFamilies::of(page);
    let found = |technique: &dyn PageTechnique, kind: BlockKind| technique.detect(page).nodes(kind).cloned();
    let sets = [
        (found(&Ads::default(), BlockKind::Ads), Additional::Commercial, "an advertisement by its signs"),
        (found(&Comments::beside_content(), BlockKind::Comments), Additional::Comments, "comments by their signs"),
        (found(&MenuAuto::default(), BlockKind::Menu), Additional::Navigation, "the menu of the page"),
    ];
    // Texts of the content before each node.
    let mut before = vec![0u32; page.len() + 1];
    for node in page.nodes() {
        let is_content = page.tag(node) == Tag::Text && page.counts(node).words > 0 && content.contains(node);
        before[node.index() + 1] = before[node.index()] + u32::from(is_content);
    }
    let mut said: Vec<Option<Said>> = vec![None; page.len()];
    for node in page.descendants(body).filter(|node| page.is_element(*node)) {
        let range = page.range(node);
        let around = page.parent(node).and_then(|parent| said[parent.index()]);
        let own = || {
            let in_set = sets.iter().find(|(set, ..)| set.as_ref().is_some_and(|set| set.contains(node)));
            let by_set = in_set.map(|(_, kind, why)| (*kind, *why));
            by_set.or_else(|| by_markup(page, node)).or_else(|| by_name(names.at(node))).or_else(|| by_links(page, node))
        };
        let holds_content = before[range.end] > before[range.start];
        let own = if holds_content { None } else { own() };
        said[node.index()] = match (own, around) {
            // A list of links in a menu is a menu, and one in an advertisement an advertisement; what is found as a whole stays whole.
            (Some((Additional::LinkList, _)), Some(around)) => Some(around),
            (Some((kind, _)), Some(around)) if kind == around.0 => Some(around),
            (Some(_), Some(around @ (Additional::Commercial | Additional::Comments, ..))) => Some(around),
            (Some((kind, why)), _) => Some((kind, why, node)),
            (None, around) => around,
        };
    }
    said
}

fn by_markup(page: &Page, node: NodeId) -> Option<(Additional, &'static str)> {
    match page.tag(node) {
        Tag::Nav => return Some((Additional::Navigation, "nav")),
        Tag::Form => return Some((Additional::Functional, "a form")),
        Tag::Button | Tag::Select | Tag::Label => return Some((Additional::Functional, "a control")),
        _ => {}
    }
    match page.attr(node, "role")?.trim().to_ascii_lowercase().as_str() {
        "navigation" | "menu" | "menubar" | "tablist" => Some((Additional::Navigation, "its role")),
        "search" | "button" | "toolbar" | "dialog" | "alertdialog" | "form" => Some((Additional::Functional, "its role")),
        _ => None,
    }
}

fn by_name(names: Families) -> Option<(Additional, &'static str)> {
    let any = |families: &[Family]| families.iter().any(|family| names.has(*family));
    if any(&[Family::Breadcrumb, Family::Pager, Family::Navigation]) {
        return Some((Additional::Navigation, "its name"));
    }
    if any(&[Family::Share, Family::Search, Family::Account, Family::Popup]) {
        return Some((Additional::Functional, "its name"));
    }
    any(&[Family::Related]).then_some((Additional::LinkList, "its name"))
}

/// Three links with most of the characters make a list of links.
fn by_links(page: &Page, node: NodeId) -> Option<(Additional, &'static str)> {
    let counts = page.counts(node);
    let holds = page.tag(node).is_block() || matches!(page.tag(node), Tag::Td | Tag::Th);
    (holds && counts.links >= 3 && counts.link_chars * 2 > counts.chars).then_some((Additional::LinkList, "mostly links"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::select::Selector;

    fn told(html: &str, content: &str) -> Vec<String> {
        let page = Page::parse(html);
        let content = Selector::parse(content).unwrap();
        let found = additional(&page, &NodeSet::from_roots(&page, page.select(&content)));
        found.into_iter().map(|part| format!("{}: {}", part.kind.as_str(), part.text.replace('\n', " | "))).collect()
    }

    #[test]
    fn each_of_the_published_kinds_is_told() {
        let html = "<div class=logo>The Harbour News</div><nav><a href=/>Home</a><p><a href=/a>Sport</a></nav>\
            <p class=breadcrumb>You are here: <a href=/a>Sport</a></p>\
            <main><h1>Rain</h1><p>It rained all day.</p><div class=share-buttons><button>Print</button> <span>Mail this</span></div></main>\
            <div class=ad-slot><p>Buy umbrellas</p></div>\
            <div><h3><a href=/1>Sun at last</a></h3><ul><li><a href=/2>Snow tomorrow</a><li><a href=/3>Wind</a></ul></div>\
            <form action=/s><label>Search</label><input></form><p>© 2026</p>";
        assert_eq!(
            told(html, "h1, main > p"),
            [
                "other: The Harbour News",
                "navigation: Home | Sport",
                "navigation: You are here: Sport",
                "functional: Print Mail this",
                "commercial: Buy umbrellas",
                "link-list: Sun at last | Snow tomorrow | Wind",
                "functional: Search",
                "other: © 2026",
            ]
        );
    }

    #[test]
    fn an_element_with_content_in_it_says_nothing() {
        // All of some pages is in one form.
        assert_eq!(told("<form><p>Rain</p><p>Ours</p></form>", "p:first-child"), ["other: Ours"]);
        assert!(told("<p>Rain</p>", "p").is_empty() && told("", "p").is_empty());
    }

    #[test]
    fn links_in_a_menu_are_navigation_and_two_links_are_no_list() {
        let links = "<a href=1>one</a> <a href=2>two</a>";
        assert_eq!(told(&format!("<div>{links}</div><p>x"), "p"), ["other: one two"]);
        assert_eq!(told(&format!("<div>{links} <a href=3>three</a></div><p>x"), "p"), ["link-list: one two three"]);
        assert_eq!(
            told(&format!("<div role=navigation><div>{links} <a href=3>three</a></div></div><p>x"), "p"),
            ["navigation: one two three"]
        );
    }
}
