//! The public suffixes as a sorted list that is searched, in place of the crate `psl`, which has them as nested matches.
//!
//! The module is downloaded by everybody who uses it, so its size counts; a search among ten thousand names takes a microsecond, and there
//! is one a page. The names are those of the crate `psl` that the command is linked with (`../build` takes them from there), and so are the answers, which a
//! test compares for all of them. Names in other scripts are there as they stand in addresses (`xn--`), which is how hosts come out of these.

use std::sync::LazyLock;

pub use psl_types::{Info, List as Psl, Type};

/// Each line without the start that it shares with the one before, whose length is told by a byte from a space on.
static PACKED: &[u8] = include_bytes!("../rules.txt");

/// One rule a line, its labels from the last to the first, in the order of the bytes: `ck.!www`, `ck.*`, `uk.co`.
static RULES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let (mut rules, mut last) = (Vec::with_capacity(2 * PACKED.len()), 0);
    for line in PACKED.split(|byte| *byte == b'\n') {
        let Some((shared, rest)) = line.split_first() else { continue };
        let start = rules.len();
        rules.extend_from_within(last..last + usize::from(shared.saturating_sub(b' ')));
        rules.extend_from_slice(rest);
        rules.push(b'\n');
        last = start;
    }
    rules.pop();
    rules
});

/// The rules, one a line.
#[must_use]
pub fn rules() -> &'static str {
    std::str::from_utf8(&RULES).unwrap_or_default()
}

/// The list.
struct List;

impl Psl for List {
    fn find<'a, T: Iterator<Item = &'a [u8]>>(&self, labels: T) -> Info {
        let (mut info, known) = (Info { len: 0, typ: None }, Some(Type::Icann));
        // The labels so far, from the last to the first, each with a dot after it.
        let mut name = Vec::new();
        for (at, label) in labels.enumerate() {
            let above = name.len();
            name.extend(label);
            if at == 0 {
                // What is nowhere in the list is a suffix of one label.
                info = Info { len: label.len(), typ: known.filter(|_| has(&name, false)) };
            } else if has(&[&name[..above], b"!", label].concat(), false) {
                return Info { len: above - 1, typ: known };
            } else if has(&name, false) {
                info = Info { len: name.len(), typ: known };
            }
            name.push(b'.');
            if !has(&name, true) {
                // A star stands for what has no rules of its own.
                if at > 0 && !has(&name[..name.len() - 1], false) && has(&[&name[..above], b"*"].concat(), false) {
                    info = Info { len: name.len() - 1, typ: known };
                }
                break;
            }
        }
        info
    }
}

/// Whether a rule is in the list, or one that begins so.
fn has(rule: &[u8], only_begins: bool) -> bool {
    let rules = RULES.as_slice();
    let (mut from, mut to) = (0, rules.len());
    while from < to {
        // The line that the middle is in.
        let middle = (from + to) / 2;
        let start = rules[from..middle].iter().rposition(|byte| *byte == b'\n').map_or(from, |at| from + at + 1);
        let end = rules[middle..to].iter().position(|byte| *byte == b'\n').map_or(to, |at| middle + at);
        let line = &rules[start..end];
        match line.cmp(rule) {
            _ if only_begins && line.starts_with(rule) => return true,
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => from = (end + 1).min(to),
            std::cmp::Ordering::Greater => to = start,
        }
    }
    false
}

/// The domain that somebody registered, of which a name is: `example.co.uk` of `www.example.co.uk`.
#[must_use]
pub fn domain_str(name: &str) -> Option<&str> {
    let bytes = List.domain(name.as_bytes())?.trim().as_bytes();
    std::str::from_utf8(bytes).ok()
}
