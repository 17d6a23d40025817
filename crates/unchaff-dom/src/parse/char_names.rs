//! The names of characters in HTML (`&amp;`), in byte order.
//!
//! They are the 2,231 of the standard, which says that there will be no more. As strings they would take 200 kilobytes of any program, with where each of
//! them begins; so they are packed, and unpacked when the first page has one.

use std::sync::OnceLock;

/// Of each name what it does not share with the one before, after a character that says how much it shares (a space and so many above it); then `;`, or `!` if the
/// name may stand without a semicolon too, and what it means. A byte of 1 ends each.
static PACKED: &str = include_str!("char_names.txt");

/// All names, without their `&`, with what they mean.
pub(crate) struct CharNames {
    ordered: Vec<(&'static str, &'static str)>,
    /// Where in `ordered` the names with a given first byte start; names are ASCII, and the last entry closes the last range.
    first_byte_starts: [usize; 129],
}

impl CharNames {
    pub(crate) fn get() -> &'static CharNames {
        static NAMES: OnceLock<CharNames> = OnceLock::new();
        NAMES.get_or_init(|| {
            let ordered = unpacked();
            let first_byte_starts =
                std::array::from_fn(|byte| ordered.partition_point(|(name, _)| usize::from(name.as_bytes()[0]) < byte));
            CharNames { ordered, first_byte_starts }
        })
    }

    /// What a name means; with its semicolon, if it has one.
    pub(crate) fn meaning(&self, name: &str) -> Option<&'static str> {
        let at = self.ordered.binary_search_by_key(&name, |(name, _)| name).ok()?;
        Some(self.ordered[at].1)
    }

    /// The longest name that `input` starts with, and its text: narrows the range of names that agree with the input, byte by byte.
    pub(crate) fn longest_prefix_of(&self, input: &[u8]) -> Option<(&'static str, &'static str)> {
        let first = usize::from(*input.first()?);
        let low = *self.first_byte_starts.get(first)?;
        let high = *self.first_byte_starts.get(first + 1)?;
        let mut agreeing = &self.ordered[low..high];
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
}

fn unpacked() -> Vec<(&'static str, &'static str)> {
    // All names are in one string, which is needed as long as the program runs.
    let (mut all, mut name, mut found) = (String::new(), String::new(), Vec::new());
    for line in PACKED.split_terminator('\x01') {
        let Some(end) = line.bytes().skip(1).position(|byte| matches!(byte, b';' | b'!')).map(|at| at + 1) else { continue };
        name.truncate(usize::from(line.as_bytes()[0] - b' '));
        name.push_str(&line[1..end]);
        let start = all.len();
        all.extend([name.as_str(), ";"]);
        found.push((start..all.len(), &line[end + 1..]));
        if line.as_bytes()[end] == b'!' {
            found.push((start..all.len() - 1, &line[end + 1..]));
        }
    }
    let all: &'static str = all.leak();
    let mut ordered: Vec<_> = found.into_iter().map(|(name, meaning)| (&all[name], meaning)).collect();
    ordered.sort_unstable();
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_the_standard() {
        let mut expected: Vec<(&str, &str)> =
            entities::ENTITIES.iter().map(|entity| (entity.entity.trim_start_matches('&'), entity.characters)).collect();
        expected.sort_unstable();
        let names = CharNames::get();
        assert_eq!(names.ordered, expected);
        assert!(expected.iter().all(|(name, meaning)| names.meaning(name) == Some(meaning)));
        assert_eq!(names.meaning("amq;"), None);
    }
}
