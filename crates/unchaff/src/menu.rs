//! A menu as a tree of text and links: what a person would call its entries and sub-menus.

use serde::{Deserialize, Serialize};
use unchaff_dom::links::leads_nowhere;
use unchaff_dom::plain_address::Targets;
use unchaff_dom::{NodeId, NodeSet, Page, Tag, emit};

/// An entry of a menu.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MenuItem {
    /// What the entry says; the alternative text of its picture if it is one.
    pub text: String,
    /// Where it leads, absolute if the page's address is known; none for a heading of a sub-menu that is no link.
    pub url: Option<String>,
    /// The entries of its sub-menu.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<MenuItem>,
}

/// The entries of the menu that these nodes are: each link, nested as lists nest in each other. Text that is no link becomes
/// an entry if a sub-menu follows it. Links that only lead past the menu ("Skip to content") are none.
#[must_use]
pub fn menu(page: &Page, nodes: &NodeSet) -> Vec<MenuItem> {
    let mut flat: Vec<(usize, MenuItem)> = Vec::new();
    let mut targets = Targets::of(page);
    let mut link_end = NodeId(0);
    for node in nodes.iter().filter(|node| *node < page.end(page.root())) {
        if node < link_end {
            continue;
        }
        let depth = page.ancestors(node).filter(|ancestor| nodes.contains(*ancestor) && is_list(page.tag(*ancestor))).count();
        if page.tag(node) == Tag::A && page.attr(node, "href").is_some() {
            link_end = page.end(node);
            let href = page.attr(node, "href").unwrap_or_default();
            if leads_past(page, node, href) {
                continue;
            }
            let url = targets.target(href).address.filter(|url| !leads_nowhere(url)).unwrap_or(href.trim()).to_owned();
            flat.push((depth, MenuItem { text: label(page, node), url: Some(url), items: Vec::new() }));
        } else if page.tag(node) == Tag::Text && page.counts(node).words > 0 {
            flat.push((depth, MenuItem { text: collapse(page.string(node)), url: None, items: Vec::new() }));
        }
    }
    nest(flat)
}

/// Words in names of links for those who do not see the page.
const UNSEEN: [&str; 7] = ["skip", "skiplink", "skipnav", "sr", "reader", "visually", "visuallyhidden"];

/// How links begin that lead past the menu.
const PAST: [&str; 26] = [
    "skip ",
    "jump to",
    "go to content",
    "go to main",
    "zum inhalt",
    "zum hauptinhalt",
    "zur navigation",
    "zum menü",
    "direkt zum",
    "aller au",
    "passer au",
    "saltar a",
    "ir al contenido",
    "ir a contenido",
    "ir para o conteúdo",
    "pular para",
    "salta al",
    "vai al contenuto",
    "passa al contenuto",
    "naar de inhoud",
    "ga naar",
    "przejdź do",
    "přeskočit",
    "hoppa till",
    "gå til",
    "перейти к",
];

/// Whether a link leads to a place in the page, and is named or says that it is for getting past the menu. Entries of a page that is a site of its own
/// lead to places in it too.
fn leads_past(page: &Page, link: NodeId, href: &str) -> bool {
    let Some((before, place)) = href.trim().split_once('#') else { return false };
    let is_here = before.is_empty() || page.url().is_none_or(|url| url.as_str().split('#').next() == Some(before));
    if place.is_empty() || !is_here {
        return false;
    }
    let is_unseen = |node: NodeId| {
        let names = [page.attr(node, "class"), page.attr(node, "id")].into_iter().flatten();
        let mut words = names.flat_map(|name| name.split(|letter: char| !letter.is_alphanumeric()));
        words.any(|word| UNSEEN.iter().any(|unseen| word.eq_ignore_ascii_case(unseen)))
    };
    if is_unseen(link) || page.parent(link).is_some_and(is_unseen) {
        return true;
    }
    let says = label(page, link).to_lowercase();
    PAST.iter().any(|past| says.starts_with(past))
}

/// A menu as nested Markdown lists.
pub(crate) fn markdown(items: &[MenuItem]) -> String {
    lines(items, |item| format!("- {}", emit::markdown_line(&item.text, item.url.as_deref())))
}

/// A menu as indented lines: text, a tab, and where it leads.
pub(crate) fn text(items: &[MenuItem]) -> String {
    lines(items, |item| match &item.url {
        Some(url) => format!("{}\t{url}", item.text),
        None => item.text.clone(),
    })
}

/// A line for each entry, those of sub-menus indented, without recursion.
fn lines(items: &[MenuItem], line: impl Fn(&MenuItem) -> String) -> String {
    let mut out = String::new();
    let mut open: Vec<(&MenuItem, usize)> = items.iter().rev().map(|item| (item, 0)).collect();
    while let Some((item, depth)) = open.pop() {
        out += &format!("{}{}\n", "  ".repeat(depth), line(item));
        open.extend(item.items.iter().rev().map(|item| (item, depth + 1)));
    }
    out
}

fn is_list(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir | Tag::Dl)
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of a link, or what stands for it.
fn label(page: &Page, link: NodeId) -> String {
    let text = collapse(page.text(link));
    if !text.is_empty() {
        return text;
    }
    let named = page.subtree(link).find_map(|node| {
        let name = page.attr(node, "alt").or_else(|| page.attr(node, "aria-label")).or_else(|| page.attr(node, "title"));
        name.map(collapse).filter(|name| !name.is_empty())
    });
    named.unwrap_or_default()
}

/// Turns entries with depths into a tree: a deeper entry belongs to the one before it. Text without a sub-menu is dropped.
fn nest(flat: Vec<(usize, MenuItem)>) -> Vec<MenuItem> {
    let mut open: Vec<(usize, MenuItem)> = Vec::new();
    let mut done: Vec<MenuItem> = Vec::new();
    let mut close = |open: &mut Vec<(usize, MenuItem)>| {
        let Some((_, item)) = open.pop() else { return };
        if item.url.is_some() || !item.items.is_empty() {
            match open.last_mut() {
                Some((_, parent)) => parent.items.push(item),
                None => done.push(item),
            }
        }
    };
    for (depth, item) in flat {
        while open.last().is_some_and(|(above, _)| *above >= depth) {
            close(&mut open);
        }
        open.push((depth, item));
    }
    while !open.is_empty() {
        close(&mut open);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(items: &[MenuItem]) -> String {
        let inner = |item: &MenuItem| {
            let below = if item.items.is_empty() { String::new() } else { format!("({})", outline(&item.items)) };
            format!("{}{}{below}", item.text, if item.url.is_some() { "" } else { "*" })
        };
        items.iter().map(inner).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lists_in_lists_become_sub_menus() {
        let page = Page::parse(
            "<ul><li><a href=/>Home</a></li><li><a href=/t> The  town </a><ul><li><a href=/t/1>Hall</a><li><a href=/t/2><img alt=Pool></a></ul></li>\
             <li><span>More</span><ul><li><a href=/m>Letters</a></ul><li>not a link</ul>",
        );
        let items = menu(&page, &page.subtree_set(page.root()));
        assert_eq!(outline(&items), "Home The town(Hall Pool) More*(Letters)");
        assert_eq!(items[1].items[0].url.as_deref(), Some("/t/1"));
        assert_eq!(text(&items), "Home\t/\nThe town\t/t\n  Hall\t/t/1\n  Pool\t/t/2\nMore\n  Letters\t/m\n");
        assert!(markdown(&items).starts_with("- [Home](/)\n- [The town](/t)\n  - [Hall](/t/1)\n"));
    }

    #[test]
    fn links_past_the_menu_are_no_entries_and_places_in_the_page_are() {
        let html = "<ul><li><a href=#main>Skip to content</a><li class=skip-link><a href=#text>Text</a><li><a href='https://example.org/p#x'>Zum Inhalt springen</a>\
                    <li><a href=#prices>Prices</a><li><a href=/skip>Skip tracing</a></ul>";
        let entries = |page: &Page| outline(&menu(page, &page.subtree_set(page.root())));
        assert_eq!(entries(&unchaff_dom::Parser::new().url("https://example.org/p").parse(html)), "Prices Skip tracing");
        assert_eq!(entries(&Page::parse(html)), "Prices Skip tracing", "also without its address");
    }

    #[test]
    fn links_without_lists_are_one_level() {
        let page = Page::parse("<div><a href=/a>A</a> | <a href=/b>B</a></div>");
        assert_eq!(outline(&menu(&page, &page.subtree_set(page.root()))), "A B");
        assert!(menu(&page, &NodeSet::new(&page)).is_empty());
    }
}
