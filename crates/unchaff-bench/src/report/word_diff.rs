//! What two texts have in common, word by word, for people to look at.
//!
//! Patience diff (Bram Cohen): words that stand once in both texts are anchors, the longest run of them in common order
//! holds, and the rest is compared between them. What has no anchor is compared exactly if it is short and is taken as
//! different if it is long, so that the time stays linear in practice and the memory always. It is a view, not a measure.

use std::collections::HashMap;
use std::ops::Range;
use unchaff_dom::words::is_ideograph;

/// The longest pieces without an anchor that are compared exactly: product of their words.
const EXACT: usize = 250_000;

/// How often pieces are divided by anchors.
const DEPTH: u32 = 32;

/// Where a piece of text stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Both,
    /// In the gold only.
    Missed,
    /// In the result only.
    Extra,
}

/// A word with the white space after it. Ideographs and kana are words of their own.
pub(super) fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        let begins = !character.is_whitespace() && (before.is_whitespace() || is_ideograph(before) || is_ideograph(character));
        if begins && at > start {
            found.push(&text[start..at]);
            start = at;
        }
        before = character;
    }
    found.extend((start < text.len()).then(|| &text[start..]));
    found
}

enum Work {
    Compare(Range<usize>, Range<usize>, u32),
    Same(Range<usize>),
}

/// The words of both texts in order, in runs of one side; those of the gold come first where both differ.
pub(super) fn diff<'a>(gold: &[&'a str], found: &[&'a str]) -> Vec<(Side, Vec<&'a str>)> {
    let same = |a: usize, b: usize| gold[a].trim() == found[b].trim();
    let mut runs: Vec<(Side, Vec<&str>)> = Vec::new();
    let mut put = |side: Side, words: &[&'a str]| match runs.last_mut() {
        _ if words.is_empty() => {}
        Some((last, run)) if *last == side => run.extend(words),
        _ => runs.push((side, words.to_vec())),
    };
    let mut work = vec![Work::Compare(0..gold.len(), 0..found.len(), 0)];
    while let Some(next) = work.pop() {
        let (mut a, mut b, depth) = match next {
            Work::Same(range) => {
                put(Side::Both, &gold[range]);
                continue;
            }
            Work::Compare(a, b, depth) => (a, b, depth),
        };
        let prefix = a.clone().zip(b.clone()).take_while(|(a, b)| same(*a, *b)).count();
        put(Side::Both, &gold[a.start..a.start + prefix]);
        (a.start, b.start) = (a.start + prefix, b.start + prefix);
        let suffix = a.clone().rev().zip(b.clone().rev()).take_while(|(a, b)| same(*a, *b)).count();
        work.push(Work::Same(a.end - suffix..a.end));
        (a.end, b.end) = (a.end - suffix, b.end - suffix);
        let anchors = if depth < DEPTH { anchors(gold, found, &a, &b) } else { Vec::new() };
        if !anchors.is_empty() {
            let (mut a_end, mut b_end) = (a.end, b.end);
            for (at_a, at_b) in anchors.into_iter().rev() {
                work.push(Work::Compare(at_a + 1..a_end, at_b + 1..b_end, depth + 1));
                work.push(Work::Same(at_a..at_a + 1));
                (a_end, b_end) = (at_a, at_b);
            }
            work.push(Work::Compare(a.start..a_end, b.start..b_end, depth + 1));
        } else if a.len() * b.len() <= EXACT {
            for (side, at) in exact(&a, &b, same) {
                put(side, if side == Side::Extra { &found[at..=at] } else { &gold[at..=at] });
            }
        } else {
            put(Side::Missed, &gold[a]);
            put(Side::Extra, &found[b]);
        }
    }
    runs
}

/// Words that stand once in both pieces: the longest sequence of them that has the same order in both.
fn anchors(gold: &[&str], found: &[&str], a: &Range<usize>, b: &Range<usize>) -> Vec<(usize, usize)> {
    let mut seen: HashMap<&str, (u32, usize, u32)> = HashMap::new();
    for at in b.clone() {
        let entry = seen.entry(found[at].trim()).or_default();
        (entry.0, entry.1) = (entry.0 + 1, at);
    }
    for at in a.clone() {
        if let Some(entry) = seen.get_mut(gold[at].trim()) {
            entry.2 += 1;
        }
    }
    let unique = a.clone().filter_map(|at| match seen.get(gold[at].trim()) {
        Some((1, other, 1)) => Some((at, *other)),
        _ => None,
    });
    let unique: Vec<(usize, usize)> = unique.collect();
    // Longest increasing subsequence: the last of the best sequence of each length, and who came before.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(unique.len());
    for (at, (_, other)) in unique.iter().enumerate() {
        let length = tails.partition_point(|tail| unique[*tail].1 < *other);
        before.push(length.checked_sub(1).map(|length| tails[length]));
        if length == tails.len() { tails.push(at) } else { tails[length] = at }
    }
    let mut chain: Vec<(usize, usize)> =
        std::iter::successors(tails.last().copied(), |at| before[*at]).map(|at| unique[at]).collect();
    chain.reverse();
    chain
}

/// A longest common subsequence by the table.
fn exact(a: &Range<usize>, b: &Range<usize>, same: impl Fn(usize, usize) -> bool) -> Vec<(Side, usize)> {
    let width = b.len() + 1;
    let mut lengths = vec![0_u32; (a.len() + 1) * width];
    for row in (0..a.len()).rev() {
        for column in (0..b.len()).rev() {
            lengths[row * width + column] = if same(a.start + row, b.start + column) {
                lengths[(row + 1) * width + column + 1] + 1
            } else {
                lengths[(row + 1) * width + column].max(lengths[row * width + column + 1])
            };
        }
    }
    let (mut row, mut column, mut steps) = (0, 0, Vec::new());
    while row < a.len() && column < b.len() {
        if same(a.start + row, b.start + column) {
            steps.push((Side::Both, a.start + row));
            (row, column) = (row + 1, column + 1);
        } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
            steps.push((Side::Missed, a.start + row));
            row += 1;
        } else {
            steps.push((Side::Extra, b.start + column));
            column += 1;
        }
    }
    steps.extend((row..a.len()).map(|row| (Side::Missed, a.start + row)));
    steps.extend((column..b.len()).map(|column| (Side::Extra, b.start + column)));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(gold: &str, found: &str) -> String {
        let (gold, found) = (words(gold), words(found));
        let mark = |side| match side {
            Side::Both => "=",
            Side::Missed => "-",
            Side::Extra => "+",
        };
        let runs = diff(&gold, &found).into_iter().map(|(side, words)| format!("{}{}", mark(side), words.concat().trim()));
        runs.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn runs_say_what_is_missed_and_what_is_too_much() {
        assert_eq!(shown("the cat sat down", "the dog sat down there"), "=the -cat +dog =sat down +there");
        assert_eq!(shown("", "menu"), "+menu");
        assert_eq!(shown("text", ""), "-text");
        assert_eq!(shown("", ""), "");
        assert_eq!(shown("今天下雨", "今天 下了雨"), "=今天下 +了 =雨");
    }

    #[test]
    fn long_texts_without_anchors_are_different_and_cost_no_memory() {
        let runs = shown(&"a b ".repeat(2000), &"c d ".repeat(2000));
        assert!(runs.starts_with("-a b") && runs.ends_with("c d"));
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_off_the_diff(gold in "[abc中 ]{0,60}", found in "[abcd中 ]{0,60}") {
            let (a, b) = (words(&gold), words(&found));
            prop_assert_eq!(a.concat(), gold.clone());
            let runs = diff(&a, &b);
            let side = |skip: Side| -> Vec<&str> {
                runs.iter().filter(|(side, _)| *side != skip).flat_map(|(_, words)| words).map(|word| word.trim()).collect()
            };
            prop_assert_eq!(side(Side::Extra), a.iter().map(|word| word.trim()).collect::<Vec<_>>());
            prop_assert_eq!(side(Side::Missed), b.iter().map(|word| word.trim()).collect::<Vec<_>>());
        }
    }
}
