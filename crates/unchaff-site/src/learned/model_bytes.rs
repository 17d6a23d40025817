//! A model of a site as bytes: each key once, with the set of pages that have it.
//!
//! Most of what a frame has recurs on many pages, and pages of one make recur together, so there are few sets of pages: they are written once and
//! referred to by number, the most used by the least. Keys ascend, and what is written is how far each is from the one before. They are hashes, spread
//! evenly, so distances take little more bits than what is not known of them: about 17 a key for a page alone, 11 where 64 pages are together.
//!
//! ```text
//! pages    count, then the hashes of address and of all keys of each, 8 bytes little-endian each
//! sets     count, then 8 bytes each: a bit for each page
//! counts   of keys, of paths; the order of the code of sets
//! keys     in bits, for each: distance, set
//! paths    in bits, for each: distance, set, and for each page of the set how often, less one
//! ```
//!
//! Counts are written seven bits a byte, the lowest first, with the eighth bit set in all bytes but the last. What is in bits is written by the
//! codes of [`bit_codes`](super::bit_codes); if there is one set only, keys do not name it.

use crate::learned::bit_codes::{BitReader, BitWriter, exponential_bits, rice_bits};
use crate::learned::comparison::{MOST_PAGES, bits};
use crate::learned::page_keys::UNUSED_BITS;
use crate::learned::page_record::{MOST_ELEMENTS, PageRecord};
use std::collections::HashMap;
use unchaff_dom::order::InOrder;

/// A page has at most so many keys: four for each element.
const MOST_KEYS: usize = 4 * MOST_ELEMENTS;
/// Bits of a key.
const KEY_BITS: u32 = u64::BITS - UNUSED_BITS;
/// The highest order of the code of sets: more than 64 pages have no use for more.
const MOST_ORDER: u32 = 12;

/// One key: which pages have it, and for paths how often, from the first of these pages to the last.
struct Row {
    key: u64,
    pages: u64,
    counts: Vec<u16>,
}

/// Appends records as bytes.
pub(crate) fn write(records: &[PageRecord], out: &mut Vec<u8>) {
    put(out, records.len() as u64);
    for number in records.iter().flat_map(|record| [record.address, record.all]) {
        out.extend(number.to_le_bytes());
    }
    let (mut keys, mut paths) = (Vec::new(), Vec::new());
    for (page, record) in (0..).zip(records) {
        keys.extend(record.keys.iter().map(|key| (*key, page, 0)));
        paths.extend(record.paths.iter().map(|(path, count)| (*path, page, *count)));
    }
    let (keys, paths) = (rows(keys, false), rows(paths, true));
    let sets = by_use(keys.iter().chain(&paths).map(|row| row.pages));
    put(out, sets.len() as u64);
    sets.iter().for_each(|(set, _)| out.extend(set.to_le_bytes()));
    put(out, keys.len() as u64);
    put(out, paths.len() as u64);
    let order = order_for(&sets);
    out.push(order as u8);
    let numbers: HashMap<u64, u64> = sets.iter().map(|(set, _)| *set).zip(0..).collect();
    let mut bits = BitWriter::new(out);
    for rows in [keys, paths] {
        let low = rice_bits(rows.len(), KEY_BITS);
        let mut before = 0;
        for row in rows {
            bits.put_rice((row.key - before) >> UNUSED_BITS, low);
            if numbers.len() > 1 {
                bits.put_exponential(numbers[&row.pages], order);
            }
            row.counts.iter().for_each(|count| bits.put_exponential(u64::from(*count) - 1, 0));
            before = row.key;
        }
    }
    bits.finish();
}

/// The order with which the numbers of sets take the fewest bits.
fn order_for(sets: &[(u64, usize)]) -> u32 {
    let bits = |order: u32| -> u64 {
        sets.iter().zip(0..).map(|((_, times), number)| *times as u64 * u64::from(exponential_bits(number, order))).sum()
    };
    (0..=MOST_ORDER).min_by_key(|order| bits(*order)).unwrap_or(0)
}

/// All keys of some pages, ascending, each once.
fn rows(mut all: Vec<(u64, u8, u16)>, counted: bool) -> Vec<Row> {
    all.sort_unstable();
    let same = all.chunk_by(|one, other| one.0 == other.0);
    let row = |same: &[(u64, u8, u16)]| Row {
        key: same[0].0,
        pages: same.iter().fold(0, |pages, (_, page, _)| pages | 1 << page),
        counts: if counted { same.iter().map(|(_, _, count)| *count).collect() } else { Vec::new() },
    };
    same.map(row).collect()
}

/// The different sets with how often they are used, the most used first, so that they get the shortest numbers.
fn by_use(sets: impl Iterator<Item = u64>) -> Vec<(u64, usize)> {
    let mut used: HashMap<u64, usize> = HashMap::new();
    sets.for_each(|set| *used.entry(set).or_default() += 1);
    let mut used: Vec<(u64, usize)> = used.into_iter().collect();
    used.order_by_key(|(set, times)| (std::cmp::Reverse(*times), *set));
    used
}

/// The records that [`write`] wrote, if that is what the bytes are and nothing is left. However few bytes there are, this can take the memory of [`MOST_PAGES`]
/// pages of [`MOST_ELEMENTS`] elements, and no more.
pub(crate) fn read(mut bytes: &[u8]) -> Option<Vec<PageRecord>> {
    let bytes = &mut bytes;
    let pages = take_count(bytes, 16).filter(|pages| *pages <= MOST_PAGES)?;
    let mut records = Vec::with_capacity(pages);
    for _ in 0..pages {
        let (address, all) = (take_u64(bytes)?, take_u64(bytes)?);
        records.push(PageRecord { address, all, keys: Vec::new(), paths: Vec::new() });
    }
    let sets = take_count(bytes, 8)?;
    let sets: Vec<u64> = (0..sets).map(|_| take_u64(bytes)).collect::<Option<_>>()?;
    if sets.iter().any(|set| *set == 0 || bits(*set).any(|page| page >= pages)) {
        return None;
    }
    let (keys, paths) = (take_number(bytes)?, take_number(bytes)?);
    let (first, rest) = bytes.split_first()?;
    let order = u32::from(*first);
    if order > MOST_ORDER {
        return None;
    }
    let bits = &mut BitReader::new(rest);
    read_rows(bits, keys, &sets, order, |key, page, _| {
        let keys = &mut records[page].keys;
        keys.push(key);
        (keys.len() <= MOST_KEYS).then_some(())
    })?;
    read_rows(bits, paths, &sets, order, |key, page, bits| {
        let count = u16::try_from(bits.take_exponential(0)? + 1).ok()?;
        let paths = &mut records[page].paths;
        paths.push((key, count));
        (paths.len() <= MOST_ELEMENTS).then_some(())
    })?;
    let whole = bits.is_done() && records.iter().all(|record| !record.paths.is_empty());
    let ascend = records.is_sorted_by(|one, other| one.address < other.address);
    (whole && ascend).then_some(records)
}

/// Reads keys in ascending order and hands each on with every page that has it.
fn read_rows<'b>(
    from: &mut BitReader<'b>,
    rows: u64,
    sets: &[u64],
    order: u32,
    mut add: impl FnMut(u64, usize, &mut BitReader<'b>) -> Option<()>,
) -> Option<()> {
    let low = rice_bits(usize::try_from(rows).ok()?, KEY_BITS);
    let mut key = 0u64;
    for _ in 0..rows {
        let distance = from.take_rice(low).filter(|distance| *distance > 0 && *distance < 1 << KEY_BITS)?;
        key = key.checked_add(distance << UNUSED_BITS)?;
        let set = if sets.len() > 1 { from.take_exponential(order)? } else { 0 };
        let set = *sets.get(usize::try_from(set).ok()?)?;
        bits(set).try_for_each(|page| add(key, page, from))?;
    }
    Some(())
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        let low = u64::from(first & 0x7f);
        // The last byte that fits has one bit left, and a number ends with no empty byte: so it has one spelling.
        if low << shift >> shift != low || *first == 0 && shift > 0 {
            return None;
        }
        number |= low << shift;
        if *first < 0x80 {
            return Some(number);
        }
    }
    None
}

/// How many things of at least so many bytes follow; none if there are not as many bytes.
fn take_count(bytes: &mut &[u8], each: usize) -> Option<usize> {
    let count = usize::try_from(take_number(bytes)?).ok()?;
    (count.checked_mul(each)? <= bytes.len()).then_some(count)
}

fn take_u64(bytes: &mut &[u8]) -> Option<u64> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back_and_have_one_spelling(number in prop_oneof![any::<u64>(), 0..300u64]) {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            let mut rest = bytes.as_slice();
            prop_assert_eq!((take_number(&mut rest), rest.len()), (Some(number), 0));
            *bytes.last_mut().unwrap() |= 0x80;
            bytes.push(0);
            prop_assert_eq!(take_number(&mut bytes.as_slice()), None);
        }

        #[test]
        fn any_bytes_are_a_model_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Some(records) = read(&bytes) {
                let mut again = Vec::new();
                write(&records, &mut again);
                prop_assert_eq!(read(&again), Some(records));
            }
        }
    }
}
