//! What is known of a candidate: its place and size, what is in it, what is around it, and how it is called. None of it depends on the language of the
//! page, and sizes are mostly shares of the page.

use super::candidates::{Candidate, Candidates};
use crate::rect::Rect;
use std::collections::BTreeMap;
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_page::learned::name_families::{Family, NameFamilies};

/// How many features there are.
pub const FEATURES: usize = 68;

/// The features of a candidate, in the order of [`NAMES`].
pub type Features = [f32; FEATURES];

/// What the features are called.
pub const NAMES: [&str; FEATURES] = [
    "width",
    "height",
    "area",
    "top",
    "bottom",
    "left",
    "log-height",
    "log-width",
    "top-pixels", // place and size
    "characters",
    "items",
    "log-items",
    "pixels",
    "image-pixels",
    "link-density",
    "log-links",
    "words-per-link",
    "largest-type", // what is in it
    "proportions",
    "log-characters-outside-links",
    "log-images",
    "has-player",
    "depth",
    "children",
    "siblings",
    "items-of-parent",
    "area-of-parent",
    "parent-area",
    "parent-items",
    "parent-children", // the tree
    "largest-child",
    "largest-child-items",
    "second-child-items",
    "items-in-no-child",
    "like-children",
    "like-siblings",
    "number-of-like-siblings",
    "children-stacked",
    "beside-a-sibling",
    "largest-sibling",
    "gap-before",
    "gap-after",
    "own-background",
    "page-items",
    "page-height", // the page
    "named-head",
    "named-foot",
    "named-navigation",
    "named-content",
    "named-side",
    "named-post",
    "named-widget",
    "named-search",
    "named-brand",
    "named-ad",
    "named-listing",
    "named-title",
    "in-head",
    "in-foot",
    "in-navigation",
    "in-content",
    "in-side", // names
    "is-cell",
    "is-item",
    "is-image",
    "is-heading",
    "is-inline",
    "has-form", // tags
];

/// The families of names that are features.
const FAMILIES: [Family; 12] = [
    Family::Head,
    Family::Foot,
    Family::Navigation,
    Family::Content,
    Family::Side,
    Family::Post,
    Family::Widget,
    Family::Search,
    Family::Brand,
    Family::Ad,
    Family::Listing,
    Family::Title,
];

/// Of how many of them it is a feature whether something around is called so.
const AROUND: usize = 5;

/// What is noted of a candidate before its features are put together.
struct Noted {
    rect: Rect,
    items: f64,
    depth: f64,
    /// The families of its names, as bits in the order of [`FAMILIES`], and of those around it.
    names: u16,
    around: u16,
    /// What its outermost element looks like in the source: name and first class.
    form: u64,
    /// How many of its siblings are of its form, with itself, and the area of the largest of the others.
    alike: f64,
    largest_sibling: f64,
    /// The share of its children that are of their most frequent form; -1 without children.
    like_children: f64,
}

/// The features of all candidates of a page.
#[must_use]
pub fn features(candidates: &Candidates<'_>) -> Vec<Features> {
    let page = candidates.views.page;
    let families = NameFamilies::of(page);
    let mut noted: Vec<Noted> = Vec::with_capacity(candidates.list.len());
    for candidate in &candidates.list {
        noted.push(note(candidates, candidate, &noted, &families));
    }
    candidates.list.iter().enumerate().for_each(|(at, candidate)| compare_children(at, &candidate.children, &mut noted));
    let holds = Holds::new(page);
    (0..candidates.list.len()).map(|at| one(candidates, &noted, at, &holds)).collect()
}

/// How many forms with what is in them, images, and things that are played there are before each node.
struct Holds {
    forms: Vec<u32>,
    images: Vec<u32>,
    players: Vec<u32>,
}

impl Holds {
    fn new(page: &Page) -> Holds {
        let count = |wanted: &[Tag]| {
            let mut sums = vec![0_u32];
            for node in page.nodes() {
                sums.push(sums[node.index()] + u32::from(wanted.contains(&page.tag(node))));
            }
            sums
        };
        Holds {
            forms: count(&[Tag::Form, Tag::Input, Tag::Select, Tag::Textarea]),
            images: count(&[Tag::Img, Tag::Svg, Tag::Canvas]),
            players: count(&[Tag::Video, Tag::Audio, Tag::Iframe, Tag::Object, Tag::Embed]),
        }
    }

    fn below(page: &Page, sums: &[u32], node: NodeId) -> f64 {
        f64::from(sums[page.range(node).end] - sums[page.range(node).start])
    }
}

/// Notes how alike the children of a candidate are.
fn compare_children(at: usize, children: &[usize], noted: &mut [Noted]) {
    let mut forms: BTreeMap<u64, usize> = BTreeMap::new();
    let (mut largest, mut second) = (0.0_f64, 0.0_f64);
    for child in children {
        *forms.entry(noted[*child].form).or_default() += 1;
        let area = noted[*child].rect.area() as f64;
        (largest, second) = if area > largest { (area, largest) } else { (largest, second.max(area)) };
    }
    for child in children {
        let child = &mut noted[*child];
        child.alike = forms[&child.form] as f64;
        child.largest_sibling = if child.rect.area() as f64 >= largest { second } else { largest };
    }
    noted[at].like_children = forms.values().max().map_or(-1.0, |most| *most as f64 / children.len() as f64);
}

/// The family that an element belongs to by its own name.
fn family_of(tag: Tag) -> Option<Family> {
    match tag {
        Tag::Header => Some(Family::Head),
        Tag::Footer => Some(Family::Foot),
        Tag::Nav => Some(Family::Navigation),
        Tag::Main => Some(Family::Content),
        Tag::Aside => Some(Family::Side),
        Tag::Article => Some(Family::Post),
        _ => None,
    }
}

fn note(candidates: &Candidates<'_>, candidate: &Candidate, before: &[Noted], families: &NameFamilies) -> Noted {
    let page = candidates.views.page;
    let parent = candidate.parent.map(|parent| &before[parent]);
    let mut names = 0_u16;
    let mut node = Some(candidate.inner);
    while let Some(here) = node {
        if page.tag(here) != Tag::Body {
            let (said, by_tag) = (families.at(here), family_of(page.tag(here)));
            for (bit, family) in FAMILIES.into_iter().enumerate() {
                names |= u16::from(said.has(family) || by_tag == Some(family)) << bit;
            }
        }
        node = page.parent(here).filter(|_| here != candidate.outer);
    }
    let class = page.attr(candidate.outer, "class").and_then(|class| class.split_ascii_whitespace().next()).unwrap_or_default();
    let form = page.name(candidate.outer).bytes().chain([0]).chain(class.bytes());
    Noted {
        rect: candidates.views.rect(candidate.inner).unwrap_or_default(),
        items: f64::from(candidates.items(candidate.outer)),
        depth: parent.map_or(0.0, |parent| parent.depth + 1.0),
        names,
        around: parent.map_or(0, |parent| parent.around | parent.names),
        form: form.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)),
        alike: 1.0,
        largest_sibling: 0.0,
        like_children: -1.0,
    }
}

fn one(candidates: &Candidates<'_>, noted: &[Noted], at: usize, holds: &Holds) -> Features {
    let (page, views) = (candidates.views.page, &candidates.views);
    let candidate = &candidates.list[at];
    let (own, body) = (&noted[at], &noted[0]);
    let extent = views.rect(candidates.list[0].outer).unwrap_or_default();
    let parent = candidate.parent.unwrap_or(at);
    let around = &noted[parent];
    let siblings: &[usize] = candidate.parent.map_or(&[0][..], |parent| &candidates.list[parent].children);
    let children = &candidate.children;
    let area = |noted: &Noted| noted.rect.area().max(1) as f64;
    let share = |part: f64, whole: f64| part / whole.max(1.0);
    let (page_width, page_height) = (extent.width().max(1) as f64, extent.height().max(1) as f64);
    let (width, height) = (own.rect.width() as f64, own.rect.height() as f64);
    let from_top = f64::from(own.rect.top) - f64::from(extent.top);
    let (pixels, image_pixels) = candidates.pixels(candidate.outer);
    let counts = page.counts(candidate.outer);
    let body_node = candidates.list[0].outer;

    let (mut largest, mut most_items, mut second_items, mut in_children) = (-1.0_f64, -1.0_f64, -1.0_f64, 0.0);
    for child in children {
        let child = &noted[*child];
        largest = largest.max(share(area(child), area(own)));
        let items = share(child.items, own.items);
        in_children += items;
        (most_items, second_items) = if items > most_items { (items, most_items) } else { (most_items, second_items.max(items)) };
    }
    let stacked =
        children.windows(2).filter(|pair| noted[pair[1]].rect.top >= noted[pair[0]].rect.bottom.saturating_sub(2)).count();
    let stacked = if children.len() > 1 { stacked as f64 / (children.len() - 1) as f64 } else { -1.0 };
    let neighbour = |rank: Option<usize>| rank.and_then(|rank| siblings.get(rank)).map(|other| noted[*other].rect);
    let (before, after) = (neighbour(candidate.rank.checked_sub(1)), neighbour(Some(candidate.rank + 1)));
    let beside = [before, after].into_iter().flatten().any(|other| {
        let common = i64::from(own.rect.bottom.min(other.bottom)) - i64::from(own.rect.top.max(other.top));
        2 * common > own.rect.height().min(other.height())
    });
    let gap = |other: Option<Rect>| other.map_or(99.0, |other| gap(own.rect, other).min(99.0));
    let ground = page.parent(candidate.outer).and_then(|above| views.background(above));
    let own_background = views.background(candidate.inner) != ground;
    let tag = |wanted: &[Tag]| [candidate.outer, candidate.inner].iter().any(|node| wanted.contains(&page.tag(*node)));
    let flag = |yes: bool| f64::from(u8::from(yes));
    let named = |bits: u16, bit: usize| flag(bits >> bit & 1 == 1);

    let mut values = vec![
        width / page_width,
        height / page_height,
        width * height / (page_width * page_height),
        from_top / page_height,
        (f64::from(extent.bottom) - f64::from(own.rect.bottom)) / page_height,
        (f64::from(own.rect.left) - f64::from(extent.left)) / page_width,
        height.ln_1p(),
        width.ln_1p(),
        from_top,
        share(candidates.characters(candidate.outer), candidates.characters(body_node)),
        share(own.items, body.items),
        own.items.ln_1p(),
        share(pixels, candidates.pixels(body_node).0),
        share(image_pixels, pixels),
        if counts.chars > 0 { f64::from(counts.link_chars) / f64::from(counts.chars) } else { -1.0 },
        f64::from(counts.links).ln_1p(),
        f64::from(counts.words) / f64::from(counts.links.max(1)),
        f64::from(views.fonts[candidate.outer.index()].0) / candidates.usual_type,
        ((width + 1.0) / (height + 1.0)).ln(),
        f64::from(counts.chars.saturating_sub(counts.link_chars)).ln_1p(),
        Holds::below(page, &holds.images, candidate.outer).ln_1p(),
        flag(Holds::below(page, &holds.players, candidate.outer) > 0.0),
        own.depth,
        children.len() as f64,
        siblings.len() as f64,
        share(own.items, around.items),
        share(area(own), area(around)),
        share(area(around), page_width * page_height),
        share(around.items, body.items),
        candidates.list[parent].children.len() as f64,
        largest,
        most_items,
        second_items,
        1.0 - in_children,
        own.like_children,
        own.alike / siblings.len() as f64,
        own.alike,
        stacked,
        flag(beside),
        share(own.largest_sibling, page_width * page_height),
        gap(before),
        gap(after),
        flag(own_background),
        body.items.ln_1p(),
        page_height.ln_1p(),
    ];
    values.extend((0..FAMILIES.len()).map(|bit| named(own.names, bit)));
    values.extend((0..AROUND).map(|bit| named(own.around, bit)));
    values.extend([
        flag(tag(&[Tag::Td, Tag::Th])),
        flag(tag(&[Tag::Li])),
        flag(tag(&[Tag::Img])),
        flag(tag(&[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6])),
        flag(views.inline[candidate.outer.index()]),
        flag(Holds::below(page, &holds.forms, candidate.outer) > 0.0),
    ]);
    let mut features = [0.0; FEATURES];
    for (feature, value) in features.iter_mut().zip(values) {
        *feature = value as f32;
    }
    features
}

/// How far two rectangles are apart, along the axis on which they are further.
fn gap(one: Rect, other: Rect) -> f64 {
    let apart = |from: i32, to: i32| (i64::from(to) - i64::from(from)).max(0);
    let across = apart(one.right, other.left).max(apart(other.right, one.left));
    let down = apart(one.bottom, other.top).max(apart(other.bottom, one.top));
    across.max(down) as f64
}
