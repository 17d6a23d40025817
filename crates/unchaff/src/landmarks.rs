//! The parts of a page by the elements that HTML 5 has for them: which the page declares, and where they would have to be by what is found.
//!
//! T. Gottron (2008, section 8.4) foresaw both uses: a converter of older pages, and a check of what authors declare. Roles (`role=main`)
//! count like the elements. `header` and `footer` are those of the page, not of an article or a section.

use crate::Extractor;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::BlockKind;
use unchaff_page::learned::name_families::{Family, NameFamilies};

/// A part that HTML 5 has an element for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Landmark {
    Main,
    Article,
    Nav,
    Aside,
    Header,
    Footer,
}

impl Landmark {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Landmark::Main => "main",
            Landmark::Article => "article",
            Landmark::Nav => "nav",
            Landmark::Aside => "aside",
            Landmark::Header => "header",
            Landmark::Footer => "footer",
        }
    }

    /// What an element is declared to be.
    pub(crate) fn of(page: &Page, node: NodeId) -> Option<Landmark> {
        let role = page.attr(node, "role").unwrap_or_default().trim().to_ascii_lowercase();
        Some(match (role.as_str(), page.tag(node)) {
            ("main", _) | ("", Tag::Main) => Landmark::Main,
            ("article", _) | ("", Tag::Article) => Landmark::Article,
            ("navigation", _) | ("", Tag::Nav) => Landmark::Nav,
            ("complementary", _) | ("", Tag::Aside) => Landmark::Aside,
            ("banner", _) => Landmark::Header,
            ("contentinfo", _) => Landmark::Footer,
            ("", Tag::Header) if is_of_page(page, node) => Landmark::Header,
            ("", Tag::Footer) if is_of_page(page, node) => Landmark::Footer,
            _ => return None,
        })
    }
}

fn is_of_page(page: &Page, node: NodeId) -> bool {
    !page.ancestors(node).any(|above| matches!(page.tag(above), Tag::Article | Tag::Aside | Tag::Main | Tag::Nav | Tag::Section))
}

/// The landmarks that a page declares, in document order. What is `hidden` is not there.
pub(crate) fn declared(page: &Page) -> Vec<(Landmark, NodeId)> {
    let Some(body) = page.body() else { return Vec::new() };
    let elements = page.descendants(body).filter(|node| page.is_element(*node) && page.attr(*node, "hidden").is_none());
    elements.filter_map(|node| Some((Landmark::of(page, node)?, node))).collect()
}

/// What is found on a page, by its default techniques.
pub(crate) struct Found {
    pub(crate) content: NodeSet,
    pub(crate) menu: NodeSet,
    pub(crate) comments: NodeSet,
    pub(crate) ads: NodeSet,
}

impl Found {
    pub(crate) fn of(page: &Page) -> Found {
        let of = |kind| Extractor::of(kind).extract(page).detection.nodes(kind).cloned().unwrap_or_else(|| NodeSet::new(page));
        Found {
            content: of(BlockKind::Content),
            menu: of(BlockKind::Menu),
            comments: of(BlockKind::Comments),
            ads: of(BlockKind::Ads),
        }
    }
}

/// Where an element of HTML 5 is to be put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// It is this element, under another name.
    Renamed(NodeId),
    /// It goes around this element and the siblings after it up to that one.
    Around(NodeId, NodeId),
}

/// The landmarks that a page lacks, and where they would have to be, outer ones first.
pub(crate) fn missing(page: &Page, found: &Found) -> Vec<(Landmark, Place)> {
    let known = declared(page);
    let has = |landmark: Landmark| known.iter().any(|(known, _)| *known == landmark);
    let mut missing = Vec::new();
    let mut taken = NodeSet::new(page);
    let mut put = |landmark, place: Option<Place>| {
        let Some(place) = place else { return };
        let (first, last) = match place {
            Place::Renamed(node) => (node, node),
            Place::Around(first, last) => (first, last),
        };
        if !taken.contains(first) && !taken.contains(last) {
            missing.push((landmark, place));
            (first.0..page.end(last).0).for_each(|at| taken.insert(NodeId(at)));
        }
    };
    let main = match known.iter().find(|(landmark, _)| *landmark == Landmark::Main) {
        Some((_, main)) => Some((*main, *main)),
        None => holding(page, &found.content).map(|(first, last)| outside_of_parts(page, first, last)),
    };
    if let Some((first, last)) = main {
        if !has(Landmark::Main) {
            put(Landmark::Main, place(page, first, last));
        }
        around_main(page, found, first, last, &known, &mut put);
    }
    let in_nav = |node: NodeId| {
        std::iter::once(node).chain(page.ancestors(node)).any(|above| Landmark::of(page, above) == Some(Landmark::Nav))
    };
    if let Some((first, last)) = holding(page, &found.menu)
        && !in_nav(first)
        && !found.content.with_ancestors(page).contains(first)
    {
        // The menu may be in a header that has its place already.
        missing.extend(place(page, first, last).map(|place| (Landmark::Nav, place)));
    }
    missing
}

/// The same run of siblings, or the outermost part of the page that it is in: `main` stands in none of these.
fn outside_of_parts(page: &Page, first: NodeId, last: NodeId) -> (NodeId, NodeId) {
    let is_part = |node: &NodeId| matches!(page.tag(*node), Tag::Article | Tag::Aside | Tag::Header | Tag::Footer | Tag::Nav);
    page.ancestors(first).filter(is_part).last().map_or((first, last), |part| (part, part))
}

/// What stands beside the main part, at each level up to the body: before it headers, after it footers, and asides.
fn around_main(
    page: &Page,
    found: &Found,
    first: NodeId,
    last: NodeId,
    known: &[(Landmark, NodeId)],
    put: &mut impl FnMut(Landmark, Option<Place>),
) {
    let names = NameFamilies::of(page);
    let menu = found.menu.with_ancestors(page);
    let (mut has_header, mut has_footer) = (false, false);
    for (landmark, _) in known {
        has_header |= *landmark == Landmark::Header;
        has_footer |= *landmark == Landmark::Footer;
    }
    let (mut first, mut last) = (first, last);
    while let Some(parent) = page.parent(first).filter(|parent| page.is_element(*parent) && page.tag(*parent) != Tag::Html) {
        for sibling in page.element_children(parent).filter(|node| *node < first || *node > last) {
            let holds_known = known.iter().any(|(_, node)| page.range(sibling).contains(&node.index()));
            let counts = page.counts(sibling);
            if holds_known || !may_be_region(page.tag(sibling)) || counts.words == 0 && counts.elements < 2 {
                continue;
            }
            let named = names.at(sibling);
            let is_menu = menu.contains(sibling);
            let is_side = named.has(Family::Side) || named.has(Family::Widget) || named.has(Family::Related);
            let landmark = if is_side && !is_menu {
                Landmark::Aside
            } else if sibling < first {
                let is_header = named.has(Family::Head) || named.has(Family::Brand) || is_menu || has_brand(page, sibling);
                match is_header && !has_header {
                    true => {
                        has_header = true;
                        Landmark::Header
                    }
                    false => continue,
                }
            } else if !has_footer && (named.has(Family::Foot) || says_copyright(page, sibling)) {
                has_footer = true;
                Landmark::Footer
            } else if page.tag(sibling) == Tag::Td && counts.link_words * 2 > counts.words {
                Landmark::Aside
            } else {
                continue;
            };
            // A menu alone is `nav`, and no header.
            if landmark == Landmark::Header
                && is_menu
                && counts.links > 0
                && counts.link_words == counts.words
                && !has_brand(page, sibling)
            {
                has_header = false;
                continue;
            }
            put(landmark, place(page, sibling, sibling));
        }
        (first, last) = (parent, parent);
    }
}

/// Whether an element has a heading or a picture, as the top of a page does.
fn has_brand(page: &Page, node: NodeId) -> bool {
    page.subtree(node).any(|node| matches!(page.tag(node), Tag::H1 | Tag::H2 | Tag::Img | Tag::Svg))
}

fn says_copyright(page: &Page, node: NodeId) -> bool {
    let text = page.text(node);
    page.counts(node).words < 120 && (text.contains('©') || text.to_lowercase().contains("copyright"))
}

fn may_be_region(tag: Tag) -> bool {
    matches!(tag, Tag::Div | Tag::Section | Tag::Td | Tag::Tr | Tag::Table | Tag::Ul | Tag::Center | Tag::Dl | Tag::P)
}

/// The smallest run of siblings that holds all texts of a set.
fn holding(page: &Page, nodes: &NodeSet) -> Option<(NodeId, NodeId)> {
    let is_shown = |node: &NodeId| page.tag(*node) == Tag::Text && page.counts(*node).words > 0;
    let body = page.body()?;
    let mut texts = nodes.iter().filter(is_shown);
    let first = texts.next()?;
    let last = texts.last().unwrap_or(first);
    // The lowest element above both, and its children that hold them.
    let mut above = page.parent(first)?;
    while page.end(above) <= last {
        above = page.parent(above)?;
    }
    let child_with = |node: NodeId| page.children(above).find(|child| page.range(*child).contains(&node.index()));
    let (mut first, mut last) = (child_with(first)?, child_with(last)?);
    // Parts of a list, a table or a line of text cannot be put into a landmark; what they are part of can.
    while above != body && !may_hold_landmark(page.tag(above)) {
        (first, last) = (above, above);
        above = page.parent(above)?;
    }
    let is_all = page.children(above).all(|child| (first..=last).contains(&child) || !is_worth(page, child));
    if is_all && above != body && page.tag(above) == Tag::Div {
        return Some((above, above));
    }
    Some((first, last))
}

fn is_worth(page: &Page, node: NodeId) -> bool {
    page.counts(node).words > 0 || page.is_element(node) && page.tag(node) != Tag::Script
}

fn may_hold_landmark(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Body
            | Tag::Div
            | Tag::Section
            | Tag::Td
            | Tag::Th
            | Tag::Center
            | Tag::Form
            | Tag::Article
            | Tag::Main
            | Tag::Header
    )
}

/// How a landmark is put where a run of siblings is, if it can be.
fn place(page: &Page, first: NodeId, last: NodeId) -> Option<Place> {
    let tag = page.tag(first);
    if first == last && tag == Tag::Div {
        return Some(Place::Renamed(first));
    }
    let of_table = matches!(tag, Tag::Td | Tag::Th | Tag::Tr | Tag::Tbody);
    if first == last && of_table {
        // Inside of the cell, if it is the only one.
        let mut inner = first;
        while matches!(page.tag(inner), Tag::Tr | Tag::Tbody) {
            let mut children = page.element_children(inner);
            let only = children.next()?;
            if children.next().is_some() {
                return None;
            }
            inner = only;
        }
        let children: Vec<NodeId> = page.children(inner).collect();
        return Some(Place::Around(*children.first()?, *children.last()?));
    }
    let parent = page.parent(first)?;
    may_hold_landmark(page.tag(parent)).then_some(Place::Around(first, last))
}
