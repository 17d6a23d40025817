//! The learned pages by key: one look-up tells which of them have it.
//!
//! A key is looked up for every text, link and place of a page, so the table is made for that: keys ascend, with gaps between them, so that each stands where its share of
//! the largest says, or a little behind. Whatever the keys are, a look-up takes no more steps than their logarithm. Most models are not in the cache when a page
//! comes, and each place in memory that a look-up has to visit is waited for; so the table is as small as can be: most keys are on the same pages as others, and what is to be
//! said of them stands apart, once.

use crate::distances::sketch;
use crate::learned::comparison::{MOST_PAGES, bits};
use crate::learned::page_keys::{PATH, UNUSED_BITS, long};
use crate::learned::page_record::{PageRecord, sorted};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Pages with at least this share of common paths share a template.
const SAME_TEMPLATE: f64 = 0.3;

/// A key stands hardly ever further behind the place where it is looked for.
const NEAR: usize = 8;

/// A page by its paths.
type Sketch = sketch::Sketch<64>;

/// All pages have the place of `body`, which says nothing.
fn sketch_of(paths: impl Iterator<Item = u64>) -> Sketch {
    Sketch::of(paths.filter(|path| *path != PATH))
}

/// Which pages have a key; for paths also where the counts of how often begin, one for each page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) pages: u64,
    counts: u32,
}

/// A key, without the bits that none uses, and the number of what is to be said of it.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u32,
    seen: u32,
}

/// The index; see the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyIndex {
    pub(crate) pages: Vec<Known>,
    /// All keys, ascending; a gap has what stands before it.
    keys: Vec<Entry>,
    /// Among so many places keys are looked for.
    places: u64,
    /// What is to be said of keys: no two of texts are equal, nor of paths that each page has as often.
    seen: Vec<Seen>,
    /// How often paths occur on each page that has them.
    counts: Vec<u16>,
}

/// A learned page without its keys.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) address: u64,
    pub(crate) all: u64,
    /// How many paths it has.
    pub(crate) paths: u32,
    sketch: Sketch,
    /// The page that stands for its template.
    template: usize,
}

fn short(key: u64) -> u32 {
    (key >> UNUSED_BITS) as u32
}

impl KeyIndex {
    /// An index over at most [`MOST_PAGES`] records.
    pub(crate) fn of(records: &[PageRecord]) -> KeyIndex {
        let mut index = KeyIndex::default();
        // Bits that keys do not use say which page has it, and how often, if it is a path.
        let mut all = Vec::new();
        for (number, record) in (0..).zip(records.iter().take(MOST_PAGES)) {
            all.extend(record.keys.iter().map(|key| key | number << 16));
            all.extend(record.paths.iter().map(|(path, count)| path | number << 16 | u64::from(*count)));
            index.add_page(record);
        }
        let all = sorted(&all);
        let number = all.chunk_by(|one, other| short(*one) == short(*other)).count();
        index.places = (number + number / 2) as u64;
        index.keys.reserve(index.places as usize);
        let mut known: HashMap<(u64, u16), u32, RandomState> = HashMap::default();
        let mut counts = Vec::new();
        for of_key in all.chunk_by(|one, other| short(*one) == short(*other)) {
            counts.clear();
            let mut pages = 0;
            for of_page in of_key.chunk_by(|one, other| one >> 16 == other >> 16) {
                let last = of_page[of_page.len() - 1];
                pages |= 1 << (last >> 16 & 0x3f);
                counts.push(last as u16);
            }
            let seen = if counts.iter().all(|count| *count == counts[0]) {
                *known.entry((pages, counts[0])).or_insert_with(|| index.add_seen(pages, &counts))
            } else {
                index.add_seen(pages, &counts)
            };
            let entry = Entry { key: short(of_key[0]), seen };
            let before = index.keys.last().copied().unwrap_or_default();
            index.keys.resize(index.keys.len().max(index.place(entry.key)), before);
            index.keys.push(entry);
        }
        index
    }

    /// The number of what is to be said of a key that pages have, and have so often, which a text has 0 times.
    fn add_seen(&mut self, pages: u64, counts: &[u16]) -> u32 {
        self.seen.push(Seen { pages, counts: self.counts.len() as u32 });
        self.counts.extend(counts);
        self.seen.len() as u32 - 1
    }

    /// Which pages have a key.
    #[inline]
    pub(crate) fn get(&self, key: u32) -> Option<&Seen> {
        let behind = self.keys.get(self.place(key)..)?;
        let (near, far) = behind.split_at(behind.len().min(NEAR));
        let not_before = near.iter().find(|entry| entry.key >= key);
        let not_before = not_before.or_else(|| far.get(far.partition_point(|entry| entry.key < key)));
        not_before.filter(|entry| entry.key == key).map(|entry| &self.seen[entry.seen as usize])
    }

    /// Where a key stands at the earliest.
    fn place(&self, key: u32) -> usize {
        ((u64::from(key) * self.places) >> (u64::BITS - UNUSED_BITS)) as usize
    }

    /// The same, a bit each.
    pub(crate) fn pages_with(&self, key: u32) -> u64 {
        self.get(key).map_or(0, |seen| seen.pages)
    }

    /// The pages that have a path, and how often each has it.
    pub(crate) fn counts(&self, path: &Seen) -> impl Iterator<Item = (usize, u32)> {
        let counts = self.counts.get(path.counts as usize..).unwrap_or_default();
        bits(path.pages).zip(counts.iter().map(|count| u32::from(*count)))
    }

    /// Whether all pages that have a path have it so often.
    pub(crate) fn has_always(&self, path: &Seen, often: u32) -> bool {
        let end = path.counts as usize + path.pages.count_ones() as usize;
        match (self.counts.get(path.counts as usize..end), u16::try_from(often)) {
            (Some(counts), Ok(often)) => counts.iter().fold(0, |differ, count| differ | (count ^ often)) == 0,
            _ => false,
        }
    }

    /// A page joins the template of the most similar page that stands for one, or stands for one itself.
    fn add_page(&mut self, record: &PageRecord) {
        let sketch = sketch_of(record.paths.iter().map(|(path, _)| *path));
        let own = self.pages.len();
        let template = self.nearest(&sketch).unwrap_or(own);
        let (address, all, paths) = (record.address, record.all, record.paths.len() as u32);
        self.pages.push(Known { address, all, paths, sketch, template });
    }

    /// The page that stands for the template most like a sketch, if one is like enough; of equals the first.
    fn nearest(&self, sketch: &Sketch) -> Option<usize> {
        let stands = self.pages.iter().enumerate().filter(|(at, page)| page.template == *at);
        let similar = stands.map(|(at, page)| (at, page.sketch.similarity(sketch)));
        let similar = similar.filter(|(_, similarity)| *similarity >= SAME_TEMPLATE);
        similar.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(at, _)| at)
    }

    /// The name of the template of a page with these paths, if a learned page has it: that of the page that stands for it.
    pub(crate) fn template(&self, paths: impl Iterator<Item = u32>) -> Option<String> {
        let sketch = sketch_of(paths.map(long));
        self.nearest(&sketch).map(|at| format!("{:08x}", self.pages[at].address >> 32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn what_pages_have_is_found_and_nothing_else(
            pages in prop::collection::vec(prop::collection::btree_map(prop_oneof![1..9u64, 1..1u64 << 24, (1 << 24) - 9..1u64 << 24], 0..4u16, 0..60), 0..70),
            others in prop::collection::vec(1..1u64 << 24, 20),
        ) {
            let key = |short: u64| short << UNUSED_BITS;
            // What occurs 0 times is a text, and the rest are paths; some are both.
            let record = |(address, keys): (usize, &BTreeMap<u64, u16>)| PageRecord {
                address: address as u64,
                all: 0,
                keys: keys.iter().filter(|(_, count)| **count < 2).map(|(short, _)| key(*short)).collect(),
                paths: keys.iter().filter(|(_, count)| **count > 0).map(|(short, count)| (key(*short), *count)).collect(),
            };
            let records: Vec<PageRecord> = pages.iter().enumerate().map(record).collect();
            let index = KeyIndex::of(&records);
            let known = || pages.iter().take(MOST_PAGES).enumerate();
            for short in pages.iter().flat_map(|keys| keys.keys()).chain(&others) {
                let expected = known().filter(|(_, keys)| keys.contains_key(short)).fold(0, |pages, (page, _)| pages | 1u64 << page);
                prop_assert_eq!(index.get(*short as u32).map_or(0, |seen| seen.pages), expected);
                for (page, keys) in known() {
                    if let (Some(count @ 1..), Some(seen)) = (keys.get(short), index.get(*short as u32)) {
                        prop_assert!(index.counts(seen).any(|found| found == (page, u32::from(*count))));
                    }
                }
            }
        }
    }
}
