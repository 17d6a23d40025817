//! Levels: the elements above a block, counted only where they add blocks.
//!
//! A chain of elements around the same blocks is one level, so that pages with many nested `div` and pages with few look
//! alike. Levels form a tree; every level knows its range of blocks, the signs of all its elements (what they are called,
//! what their class, id, role and itemprop say) and a key, its outermost tag and first class, by which levels of one kind
//! are known. The distance to the nearest sign of each sort is one number.

use super::blocks::Block;
use crate::learned::name_families::{FAMILY_NAMES, Families, NameFamilies, RECENT, Reader};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use unchaff_dom::{AttrName, NodeId, Page, Tag};

/// Signs that elements give by what they are. The families of names follow them.
pub const ELEMENT_SIGNS: [&str; 28] = [
    "main",
    "article",
    "footer",
    "nav",
    "aside",
    "header",
    "section",
    "form",
    "table",
    "cell",
    "list",
    "item",
    "definitions",
    "figure",
    "quote",
    "code",
    "link",
    "heading",
    "label",
    "hidden",
    "details",
    "paragraph",
    "dialog",
    "bold",
    "address",
    "time",
    "custom",
    "small",
];

/// How many signs there are: those of elements, those of names, and a number in a name.
pub const SIGNS: usize = ELEMENT_SIGNS.len() + 32;

/// The same with what fills it up to eights.
pub(super) const SIGNS_ROW: usize = SIGNS.next_multiple_of(8);

/// The distance to a sign that is nowhere above.
pub const NOWHERE: u8 = 30;

/// The names of all signs, in the order of their bits.
#[must_use]
pub fn sign_names() -> Vec<String> {
    let mut names: Vec<String> = ELEMENT_SIGNS.iter().map(|name| (*name).to_owned()).collect();
    names.extend(FAMILY_NAMES.iter().map(|name| format!("named_{}", name.to_lowercase())));
    names.push("named_number".to_owned());
    names
}

/// Elements around the same blocks.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The level above; itself for the outermost.
    pub parent: u32,
    /// The first of its blocks.
    pub start: u32,
    /// The end of its blocks.
    pub end: u32,
    /// Levels above it.
    pub depth: u32,
    /// The signs of its elements, a bit each.
    pub signs: u64,
    /// What its outermost element is called: tag and first class, numbers left out.
    pub key: u64,
    /// Its outermost element.
    pub top: NodeId,
    /// The number of its region: all levels with the same parent and key.
    pub region: u32,
    /// Which of these it is.
    pub place: u32,
    /// The number of its kind: all levels of the page with the same key.
    pub kind: u32,
}

/// All levels of a page.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// The levels, each after its parent.
    pub all: Vec<Level>,
    /// The level of each block's home.
    pub of_block: Vec<u32>,
    /// Levels up to the nearest with each sign, for every level.
    pub distances: Vec<[u8; SIGNS_ROW]>,
    /// How many regions there are: levels of one kind side by side.
    pub regions: usize,
    /// How many kinds of levels there are.
    pub kinds: usize,
    /// The families of the names of `body`.
    pub body_families: u32,
}

/// A hash good enough for names of one page.
#[derive(Default)]
pub(super) struct NameHasher(u64);

impl Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        for byte in chunks.remainder() {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

/// A map by strings or hashes of one page.
pub(super) type PageMap<K, V> = HashMap<K, V, BuildHasherDefault<NameHasher>>;

/// What a name says, read once for each distinct one.
#[derive(Clone, Copy)]
struct Name {
    families: Families,
    key: u64,
}

/// The names of a page that were read, and what reads them.
#[derive(Default)]
struct Names<'p> {
    /// Values of attributes as a whole.
    values: PageMap<&'p str, Name>,
    /// The last of each length: what elements of a kind have in turn is found without hashing it.
    last: [Option<(&'p str, Name)>; RECENT],
    /// The names in them: utility classes come in ever new combinations.
    single: PageMap<&'p str, Families>,
    reader: Reader,
    /// What was read before, of `class` and `id`, and the keys of these classes by number.
    known: Option<&'p NameFamilies>,
    keys: Vec<Option<u64>>,
}

/// The first name in a class, numbers left out.
fn key_of(class: &str) -> u64 {
    let mut hasher = NameHasher::default();
    let first = class.split_ascii_whitespace().next().unwrap_or_default();
    first.bytes().filter(|byte| !byte.is_ascii_digit()).for_each(|byte| hasher.write_u8(byte));
    hasher.finish()
}

impl<'p> Names<'p> {
    fn read(&mut self, value: &'p str) -> Name {
        let Names { values, last, single, reader, .. } = self;
        let last = &mut last[value.len() % RECENT];
        if let Some((_, name)) = last.filter(|(known, _)| *known == value) {
            return name;
        }
        let name = *values.entry(value).or_insert_with(|| {
            let families = value.split_ascii_whitespace().map(|name| *single.entry(name).or_insert_with(|| reader.reread(name)));
            Name { families: families.fold(Families::default(), Families::and), key: key_of(value) }
        });
        *last = Some((value, name));
        name
    }

    /// The key of a class that was read before; none if nothing was.
    fn known_key(&mut self, element: NodeId, class: &str) -> Option<u64> {
        let number = self.known?.class(element) as usize;
        Some(*self.keys[number].get_or_insert_with(|| key_of(class)))
    }
}

impl Levels {
    /// Finds the levels above all blocks; the names of elements need not be read if they were before.
    #[must_use]
    pub fn of(page: &Page, blocks: &[Block], known: Option<&NameFamilies>) -> Levels {
        let mut levels = Levels::default();
        let keys = vec![None; known.map_or(0, NameFamilies::distinct)];
        let mut names = Names { known, keys, ..Names::default() };
        let mut level_of: Vec<u32> = vec![u32::MAX; page.len()];
        let mut chain: Vec<NodeId> = Vec::new();
        // Blocks are in document order, so those of an element end where the first one behind it starts.
        let firsts: Vec<NodeId> = blocks.iter().map(|block| block.first).collect();
        for (at, block) in blocks.iter().enumerate() {
            let mut known = None;
            let mut node = Some(block.home);
            while let Some(above) = node {
                if level_of[above.index()] != u32::MAX {
                    known = Some(level_of[above.index()]);
                    break;
                }
                chain.push(above);
                node = page.parent(above);
            }
            let mut parent = known;
            while let Some(element) = chain.pop() {
                let end = page.end(element);
                let end = at + firsts[at..].partition_point(|first| *first < end);
                let is_same = parent.is_some_and(|parent| {
                    let above: &Level = &levels.all[parent as usize];
                    above.start as usize == at && above.end as usize == end
                });
                let (signs, key) = element_signs(page, element, &mut names, &mut levels.body_families);
                let level = match parent.filter(|_| is_same) {
                    Some(level) => level,
                    None => {
                        let level = levels.all.len() as u32;
                        levels.all.push(Level {
                            parent: parent.unwrap_or(level),
                            start: at as u32,
                            end: end as u32,
                            depth: parent.map_or(0, |parent| levels.all[parent as usize].depth + 1),
                            signs: 0,
                            key,
                            top: element,
                            region: 0,
                            place: 0,
                            kind: 0,
                        });
                        level
                    }
                };
                levels.all[level as usize].signs |= signs;
                level_of[element.index()] = level;
                parent = Some(level);
            }
            levels.of_block.push(level_of[block.home.index()]);
        }
        levels.number_alike();
        levels.measure_distances();
        levels
    }

    fn number_alike(&mut self) {
        let mut regions: PageMap<(u64, u64), (u32, u32)> = PageMap::with_capacity_and_hasher(self.all.len(), Default::default());
        let mut kinds: PageMap<u64, u32> = PageMap::default();
        for level in &mut self.all {
            let next = regions.len() as u32;
            let region = regions.entry((u64::from(level.parent), level.key)).or_insert((next, 0));
            (level.region, level.place) = *region;
            region.1 += 1;
            let next = kinds.len() as u32;
            level.kind = *kinds.entry(level.key).or_insert(next);
        }
        (self.regions, self.kinds) = (regions.len(), kinds.len());
    }

    fn measure_distances(&mut self) {
        self.distances.reserve(self.all.len());
        for (at, level) in self.all.iter().enumerate() {
            let mut distances = [NOWHERE; SIGNS_ROW];
            if at > 0 {
                for (mine, above) in distances.iter_mut().zip(&self.distances[level.parent as usize]) {
                    *mine = (above + 1).min(NOWHERE);
                }
            }
            let mut left = level.signs;
            while left != 0 {
                distances[left.trailing_zeros() as usize] = 0;
                left &= left - 1;
            }
            self.distances.push(distances);
        }
    }

    /// The level a number of steps above another; the outermost if there are not so many.
    #[must_use]
    pub fn above(&self, level: u32, steps: usize) -> u32 {
        (0..steps).fold(level, |level, _| self.all[level as usize].parent)
    }

    /// A level that holds more than the one block: where a paragraph's siblings are.
    #[must_use]
    pub fn around(&self, block: usize) -> u32 {
        let home = self.of_block[block];
        let level = &self.all[home as usize];
        if level.end - level.start > 1 { home } else { level.parent }
    }
}

/// The bit of a sign of elements.
pub(super) fn bit(name: &str) -> u64 {
    ELEMENT_SIGNS.iter().position(|sign| *sign == name).map_or(0, |at| 1 << at)
}

fn tag_sign(tag: Tag) -> u64 {
    use Tag::*;
    match tag {
        Main => 1,
        Article => 1 << 1,
        Footer => 1 << 2,
        Nav => 1 << 3,
        Aside => 1 << 4,
        Header => 1 << 5,
        Section => 1 << 6,
        Form | Fieldset | Search => 1 << 7,
        Table => 1 << 8,
        Td | Th => 1 << 9,
        Ul | Ol | Menu | Dir => 1 << 10,
        Li => 1 << 11,
        Dl | Dt | Dd => 1 << 12,
        Figure | Figcaption | Caption => 1 << 13,
        Blockquote | Q => 1 << 14,
        Pre | Code | Samp | Kbd | Listing | Xmp => 1 << 15,
        A => 1 << 16,
        H1 | H2 | H3 | H4 | H5 | H6 => 1 << 17,
        Label | Legend => 1 << 18,
        Details | Summary => 1 << 20,
        P => 1 << 21,
        Dialog => 1 << 22,
        B | Strong => 1 << 23,
        Address => 1 << 24,
        Time => 1 << 25,
        Custom => 1 << 26,
        Small | Sub | Sup => 1 << 27,
        _ => 0,
    }
}

fn role_sign(role: &str) -> u64 {
    match role {
        "main" => bit("main"),
        "navigation" | "menu" | "menubar" | "menuitem" => bit("nav"),
        "banner" => bit("header"),
        "contentinfo" => bit("footer"),
        "complementary" => bit("aside"),
        "article" => bit("article"),
        "dialog" | "alertdialog" | "alert" => bit("dialog"),
        "search" => bit("form"),
        "list" => bit("list"),
        "listitem" => bit("item"),
        "heading" => bit("heading"),
        "button" | "tab" | "tablist" => bit("label"),
        _ => 0,
    }
}

fn element_signs<'p>(page: &'p Page, element: NodeId, names: &mut Names<'p>, body_families: &mut u32) -> (u64, u64) {
    let tag = page.tag(element);
    let mut signs = tag_sign(tag);
    let mut key = tag as u64 + 1;
    let mut families = names.known.map_or(0, |known| known.at(element).bits());
    let is_read = |name| {
        use AttrName::*;
        matches!(name, Class | Id | Itemprop | Role | Hidden | AriaHidden | Style)
    };
    for (name, value) in page.attrs_named(element, is_read) {
        match name {
            AttrName::Class if names.known.is_some() && !value.is_empty() => {
                key = key.wrapping_add(names.known_key(element, value).unwrap_or_default());
            }
            AttrName::Id if names.known.is_some() => {}
            AttrName::Class | AttrName::Id | AttrName::Itemprop if !value.is_empty() => {
                let read = names.read(value);
                families |= read.families.bits();
                if name == AttrName::Class {
                    key = key.wrapping_add(read.key);
                }
            }
            AttrName::Role => signs |= role_sign(value.trim()),
            AttrName::Hidden => signs |= bit("hidden"),
            AttrName::AriaHidden if value.trim() == "true" => signs |= bit("hidden"),
            AttrName::Style if hides(value) => signs |= bit("hidden"),
            _ => {}
        }
    }
    if matches!(tag, Tag::Body | Tag::Html) {
        // They speak of the page, not of a part of it.
        *body_families |= families;
        return (0, key);
    }
    (signs | u64::from(families) << ELEMENT_SIGNS.len(), key)
}

fn hides(style: &str) -> bool {
    style.split(';').any(|declaration| {
        let (property, value) = declaration.split_once(':').unwrap_or_default();
        let (property, value) = (property.trim(), value.trim());
        let starts = |start: &str| value.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start));
        (property.eq_ignore_ascii_case("display") && starts("none"))
            || (property.eq_ignore_ascii_case("visibility") && starts("hidden"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::auto::blocks::blocks;
    use proptest::prelude::*;

    fn levels(html: &str) -> Levels {
        let page = Page::parse(html);
        let (blocks, names) = (blocks(&page), NameFamilies::of(&page));
        let levels = Levels::of(&page, &blocks, None);
        assert_eq!(format!("{:?}", Levels::of(&page, &blocks, Some(&names))), format!("{levels:?}"));
        levels
    }

    #[test]
    fn elements_around_the_same_blocks_are_one_level() {
        let found = levels("<div><div class=sidebar><p>a</p><p>b</p></div></div>");
        assert_eq!(
            found.all.iter().map(|level| (level.start, level.end, level.parent)).collect::<Vec<_>>(),
            [(0, 2, 0), (0, 1, 0), (1, 2, 0)]
        );
        assert_eq!((found.all[2].place, found.all[2].region), (1, found.all[1].region));
        assert_eq!((found.regions, found.kinds), (2, 2));
    }

    #[test]
    fn the_nearest_sign_of_each_sort_is_known_by_its_distance() {
        let found = levels("<main><p>x</p><div class=comments hidden><p>a</p><p role=button>b</p></div></main>");
        let distance =
            |level: u32, name: &str| found.distances[level as usize][sign_names().iter().position(|sign| sign == name).unwrap()];
        let last = *found.of_block.last().unwrap();
        assert_eq!(
            (distance(last, "label"), distance(last, "named_comment"), distance(last, "hidden"), distance(last, "main")),
            (0, 1, 1, 2)
        );
        assert_eq!(distance(last, "footer"), NOWHERE);
        assert_eq!(sign_names().len(), SIGNS);
    }

    #[test]
    fn numbers_in_a_class_do_not_make_it_another_key() {
        let found = levels("<ul><li class='post-12 x'>a</li><li class='post-7 y'>b</li><li class=other>c</li></ul>");
        assert_eq!(
            found.all.iter().skip(1).map(|level| (level.region, level.kind)).collect::<Vec<_>>(),
            [(1, 1), (1, 1), (2, 2)]
        );
    }

    proptest! {
        #[test]
        fn every_level_lies_within_its_parent_and_holds_its_blocks(parts in prop::collection::vec("<(div|p|ul|li|a|br|td|table|span)>|</(div|p|ul|a|span)>|one |two", 0..60)) {
            let page = Page::parse(parts.concat());
            let blocks = blocks(&page);
            let levels = Levels::of(&page, &blocks, None);
            for (at, level) in levels.all.iter().enumerate() {
                let parent = levels.all[level.parent as usize];
                prop_assert!(parent.start <= level.start && level.end <= parent.end && level.start < level.end);
                prop_assert!(at == 0 || (level.parent as usize) < at && (parent.start, parent.end) != (level.start, level.end));
                for (index, block) in blocks.iter().enumerate() {
                    let inside = (level.start as usize..level.end as usize).contains(&index);
                    prop_assert_eq!(page.is_ancestor(level.top, block.first), inside);
                }
            }
        }
    }
}
