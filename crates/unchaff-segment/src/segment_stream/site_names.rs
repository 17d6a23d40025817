//! What the areas of a site are called: each area that the site puts around its content, and each part of one, gets a name of its own when it is first seen, such as `header`, `menu-2` or `header/logo`, and
//! has this name and kind on all pages from then on. Content is of the page and has no name.
//!
//! An area is known again by where it stands: the names, ids and classes of the elements down to it, and the position where an element has neither.

use crate::segmentation::{SegmentKind, Segmentation};
use std::collections::{BTreeMap, btree_map::Entry};
use unchaff_dom::{NodeId, Page};

/// So many names of a site are remembered; what is new then has none.
const MOST_NAMES: usize = 4096;

/// The elements nearest to an area that tell where it stands; so many are enough.
const MOST_STEPS: usize = 32;

/// So many siblings before an element tell its position.
const MOST_SIBLINGS: usize = 256;

/// The areas of a site.
#[derive(Debug, Default)]
pub(super) struct SiteNames {
    /// Name and kind by place.
    known: BTreeMap<String, (String, SegmentKind)>,
    /// How many there are of each kind, by the name of what they are parts of.
    counts: BTreeMap<(String, SegmentKind), u32>,
}

/// Whether what is of this kind is the site's and not the page's.
fn is_of_site(kind: SegmentKind) -> bool {
    use SegmentKind::*;
    matches!(kind, Header | Menu | Sidebar | Footer | Template | Links | Logo | Search | Advertisement)
}

impl SiteNames {
    /// Names the segments of a page that was segmented itself. What is known keeps its kind.
    pub(super) fn name(&mut self, page: &Page, segmentation: &mut Segmentation) {
        let places = places(page, segmentation);
        for (at, place) in places.into_iter().enumerate() {
            let parent = segmentation.segments[at].parent.map(|parent| parent as usize);
            // A run of records puts parts together: they are named as parts of what it is in, and it has no name.
            if segmentation.segments[at].is_run() {
                continue;
            }
            let mut whole = parent;
            while let Some(run) = whole.filter(|whole| segmentation.segments[*whole].is_run()) {
                whole = segmentation.segments[run].parent.map(|parent| parent as usize);
            }
            let scope = match whole.map(|whole| segmentation.segments[whole].name.clone()) {
                // Parts of content are content.
                Some(None) => continue,
                Some(Some(name)) => name + "/",
                None => String::new(),
            };
            // Below an area of the site all is the site's.
            let Some(kind) = segmentation.segments[at].kind.filter(|kind| parent.is_some() || is_of_site(*kind)) else {
                continue;
            };
            let is_full = self.known.len() >= MOST_NAMES;
            let named = match self.known.entry(scope.clone() + &place) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(_) if is_full => continue,
                Entry::Vacant(new) => {
                    let count = self.counts.entry((scope.clone(), kind)).or_default();
                    *count += 1;
                    let number = if *count > 1 { format!("-{count}") } else { String::new() };
                    new.insert((format!("{scope}{kind}{number}"), kind))
                }
            };
            let segment = &mut segmentation.segments[at];
            (segment.name, segment.kind) = (Some(named.0.clone()), Some(named.1));
        }
    }

    /// Takes note of the names of a page that got its segments from a template.
    pub(super) fn note(&mut self, page: &Page, segmentation: &Segmentation) {
        for (segment, place) in segmentation.segments.iter().zip(places(page, segmentation)) {
            let (Some(name), Some(kind)) = (&segment.name, segment.kind) else { continue };
            let scope = name.rsplit_once('/').map_or(String::new(), |(scope, _)| format!("{scope}/"));
            if self.known.len() >= MOST_NAMES || self.known.contains_key(&(scope.clone() + &place)) {
                continue;
            }
            let number = name.rsplit_once('-').and_then(|(_, number)| number.parse().ok()).unwrap_or(1);
            let count = self.counts.entry((scope.clone(), kind)).or_default();
            *count = number.max(*count);
            self.known.insert(scope + &place, (name.clone(), kind));
        }
    }
}

/// Where each segment stands. Of several with the same names around them, the rank is a part of it.
fn places(page: &Page, segmentation: &Segmentation) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let one = |nodes: &[NodeId]| {
        let mut place = nodes.first().map(|node| steps(page, *node)).unwrap_or_default();
        if let [first, .., last] = nodes {
            // A run of neighbours is known by its ends.
            place += if page.parent(*first) == page.parent(*last) { " to " } else { " and " };
            place += &step(page, *last);
        }
        let rank = seen.entry(place.clone()).or_default();
        *rank += 1;
        if *rank > 1 { format!("{place} {rank}") } else { place }
    };
    segmentation.segments.iter().map(|segment| &segment.nodes[..]).map(one).collect()
}

/// The elements down to a node.
fn steps(page: &Page, node: NodeId) -> String {
    let around = page.ancestors(node).filter(|above| page.is_element(*above)).take(MOST_STEPS);
    let mut steps: Vec<String> = std::iter::once(node).chain(around).map(|node| step(page, node)).collect();
    steps.reverse();
    steps.join(">")
}

/// An element by its name and id, or class, or position among its like.
fn step(page: &Page, node: NodeId) -> String {
    let name = page.name(node);
    if let Some(id) = page.attr(node, "id").filter(|id| !id.bytes().any(|byte| byte.is_ascii_digit())) {
        return format!("{name}#{id}");
    }
    if let Some(class) = page.classes(node).next() {
        return format!("{name}.{class}");
    }
    let siblings = std::iter::successors(page.previous_sibling(node), |before| page.previous_sibling(*before));
    let before = siblings.take(MOST_SIBLINGS).filter(|before| page.name(*before) == name).count();
    format!("{name}:{before}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::segmentation::Group;

    fn segmented(html: &str, kinds: &[(&str, Option<usize>, SegmentKind)]) -> (Page, Segmentation) {
        let page = Page::parse(html);
        let group = |(class, parent, kind): &(&str, Option<usize>, SegmentKind)| Group {
            nodes: page.nodes().filter(|node| page.classes(*node).any(|of| of == *class)).collect(),
            parent: parent.map(|parent| parent as u32),
            kind: Some(*kind),
            coherence: None,
        };
        let found = Segmentation::from_groups(&page, &Layout::default(), kinds.iter().map(group).collect());
        (page, found)
    }

    fn names(found: &Segmentation) -> Vec<(Option<&str>, Option<SegmentKind>)> {
        found.segments.iter().map(|segment| (segment.name.as_deref(), segment.kind)).collect()
    }

    const PAGE: &str = "<body><div class=top><p class=sign>The Daily</p></div><ul class=one>a</ul><ul class=two>b</ul>\
        <div class=text><p class=intro>It rains</p></div></body>";

    #[test]
    fn areas_of_the_site_are_named_once_and_content_is_not() {
        use SegmentKind::*;
        let mut site = SiteNames::default();
        let kinds = [("top", None, Header), ("sign", Some(0), Logo), ("one", None, Menu), ("two", None, Menu)];
        let content = [("text", None, Content), ("intro", Some(4), Links)];
        let (page, mut found) = segmented(PAGE, &[&kinds[..], &content].concat());
        site.name(&page, &mut found);
        let told = [
            (Some("header"), Some(Header)),
            (Some("header/logo"), Some(Logo)),
            (Some("menu"), Some(Menu)),
            (Some("menu-2"), Some(Menu)),
            (None, Some(Content)),
            (None, Some(Links)),
        ];
        assert_eq!(names(&found), told);
        // Another page lacks the first menu, and the second is taken for something else.
        let (page, mut found) =
            segmented(&PAGE.replace("<ul class=one>a</ul>", ""), &[("top", None, Header), ("two", None, Links), content[0]]);
        site.name(&page, &mut found);
        assert_eq!(names(&found), [told[0], told[3], told[4]]);
        // Who has only seen names carried over goes on with them.
        let mut later = SiteNames::default();
        later.note(&page, &found);
        let (page, mut again) = segmented(PAGE, &[("one", None, Menu), ("two", None, Menu)]);
        later.name(&page, &mut again);
        assert_eq!(names(&again), [(Some("menu-3"), Some(Menu)), told[3]]);
    }
}
