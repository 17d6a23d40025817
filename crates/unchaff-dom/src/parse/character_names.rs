//! The names of characters, without their `&`.
//!
//! The `entities` crate has them as a table of references into texts. In a program that may be loaded anywhere, each of these costs three times its size; so
//! the table is made one text when the crate is compiled, and put in order on the first reference that needs it.

use entities::ENTITIES;
use std::sync::OnceLock;

/// Stands behind each name and behind each text; in none of them.
const END: u8 = 0;

static PACKED: [u8; LENGTH] = {
    let (mut packed, mut length, mut at) = ([END; LENGTH], 0, 0);
    while at < ENTITIES.len() {
        length = pack(&mut packed, length, ENTITIES[at].entity.as_bytes(), 1);
        length = pack(&mut packed, length, ENTITIES[at].characters.as_bytes(), 0);
        at += 1;
    }
    packed
};

const LENGTH: usize = {
    let (mut length, mut at) = (0, 0);
    while at < ENTITIES.len() {
        length += ENTITIES[at].entity.len() + ENTITIES[at].characters.len() + 1;
        at += 1;
    }
    length
};

/// Writes a text from a place on, and an end behind it; where that is.
const fn pack(packed: &mut [u8; LENGTH], mut length: usize, text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        packed[length] = text[at];
        length += 1;
        at += 1;
    }
    length + 1
}

/// All names with their texts, in byte order.
struct Names {
    ordered: Vec<(&'static str, &'static str)>,
    /// Where in `ordered` the names with a given first byte start; names are
    /// ASCII, and the last entry closes the last range.
    first_byte_starts: [usize; 129],
}

impl Names {
    fn get() -> &'static Names {
        static NAMES: OnceLock<Names> = OnceLock::new();
        NAMES.get_or_init(|| {
            let mut packed = std::str::from_utf8(&PACKED).unwrap_or_default().split(char::from(END));
            let mut ordered: Vec<(&str, &str)> = std::iter::from_fn(|| Some((packed.next()?, packed.next()?))).collect();
            ordered.sort_unstable();
            let first_byte_starts =
                std::array::from_fn(|byte| ordered.partition_point(|(name, _)| usize::from(name.as_bytes()[0]) < byte));
            Names { ordered, first_byte_starts }
        })
    }
}

/// What a name means, which ends with its semicolon if it has one.
pub(crate) fn meaning(name: &str) -> Option<&'static str> {
    let ordered = &Names::get().ordered;
    ordered.binary_search_by_key(&name, |(name, _)| name).ok().map(|at| ordered[at].1)
}

/// The longest name that `input` starts with, and its text: narrows the
/// range of names that agree with the input, byte by byte.
pub(super) fn longest_prefix_of(input: &[u8]) -> Option<(&'static str, &'static str)> {
    let names = Names::get();
    let first = usize::from(*input.first()?);
    let low = *names.first_byte_starts.get(first)?;
    let high = *names.first_byte_starts.get(first + 1)?;
    let mut agreeing = &names.ordered[low..high];
    let mut longest = None;
    let mut depth = 1;
    while let Some(&(name, text)) = agreeing.first() {
        // A name sorts before all that continue it.
        if name.len() == depth {
            longest = Some((name, text));
        }
        let Some(byte) = input.get(depth) else { break };
        let at_depth = |entry: &(&'static str, _)| entry.0.as_bytes().get(depth).copied();
        agreeing = &agreeing[agreeing.partition_point(|entry| at_depth(entry) < Some(*byte))..];
        agreeing = &agreeing[..agreeing.partition_point(|entry| at_depth(entry) == Some(*byte))];
        depth += 1;
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_there() {
        assert_eq!(Names::get().ordered.len(), ENTITIES.len());
        for entity in &ENTITIES {
            assert_eq!(meaning(&entity.entity[1..]), Some(entity.characters));
        }
        assert_eq!([meaning(""), meaning("amp;amp;")], [None, None]);
    }
}
