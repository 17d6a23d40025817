//! Which characters of a text Markdown would read as its own, and how they are kept as they are.
//!
//! A character gets a backslash only where it could do something: `*` between spaces, `_` inside a word, `<` before a
//! space and `]` that no target follows are left alone. Where it depends on what stands next and that is not known yet,
//! because the text node ends, it is escaped. Marks that count at the start of a line alone (`#`, `-`, `1.` …) are
//! escaped there alone.

/// Where a text is written to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Where the line starts, if marks for blocks count in it.
    pub(super) line_start: Option<usize>,
    /// Whether it stands between brackets.
    pub(super) in_brackets: bool,
    /// Whether it stands in a cell of a table.
    pub(super) in_cell: bool,
    /// Whether it stands in struck text.
    pub(super) in_strike: bool,
}

/// Bytes that may need a backslash anywhere.
const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"\\`*_[]<&~!|";
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

/// Writes a run of text; `after` is the character that follows it, if known.
pub(super) fn push_escaped(out: &mut String, run: &str, place: Place, after: Option<char>) {
    let bytes = run.as_bytes();
    let mut copied = escape_start(out, run, place, after);
    let mut at = copied;
    while let Some(found) = bytes[at..].iter().position(|byte| SPECIAL[usize::from(*byte)]) {
        at += found;
        out.push_str(&run[copied..at]);
        copied = at;
        if needs_escape(out, run, at, place, after) {
            out.push('\\');
        }
        at += 1;
    }
    out.push_str(&run[copied..]);
}

fn needs_escape(out: &str, run: &str, at: usize, place: Place, after: Option<char>) -> bool {
    let next = run[at + 1..].chars().next().or(after);
    let starts_line = place.line_start == Some(out.len());
    let before = || out.chars().next_back().filter(|_| !starts_line);
    // The space at the end of a run may not be written.
    let stands_alone = || before().is_some_and(char::is_whitespace) && run[at + 1..].starts_with(' ');
    match run.as_bytes()[at] {
        b'`' => true,
        b'\\' => !next.is_some_and(char::is_alphanumeric),
        b'*' => !stands_alone(),
        b'_' => !(stands_alone() || before().is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric)),
        b'[' => place.in_brackets || starts_line && is_check_box(run.as_bytes()),
        b']' => place.in_brackets || matches!(next, Some('(' | '[' | ':')),
        b'<' => next.is_none_or(|next| next.is_ascii_alphabetic() || "/!?".contains(next)),
        b'&' => is_reference(&run[at + 1..], after),
        b'~' => {
            place.in_strike || next.is_none() || starts_line && next == Some('~') || before().is_some_and(|c| !c.is_whitespace())
        }
        b'!' => next == Some('['),
        b'|' => place.in_cell || starts_line,
        _ => false,
    }
}

/// Whether a line starts with the box of GitHub's lists of tasks, or may.
fn is_check_box(line: &[u8]) -> bool {
    matches!(line, [b'['] | [b'[', b' ' | b'x' | b'X'] | [b'[', b' ' | b'x' | b'X', b']', ..])
}

/// Whether what follows an ampersand makes, or may make, a character reference.
fn is_reference(rest: &str, after: Option<char>) -> bool {
    let end = rest.bytes().position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'#'));
    match end {
        Some(end) => end > 0 && rest.as_bytes()[end] == b';',
        None => after.is_none(),
    }
}

/// Escapes what starts a run if it would start a block, or would turn a bracket before it into a link. Returns how much
/// of the run is written.
fn escape_start(out: &mut String, run: &str, place: Place, after: Option<char>) -> usize {
    let bytes = run.as_bytes();
    let ends_word = |at: usize| run[at..].chars().next().or(after).is_none_or(char::is_whitespace);
    if matches!(bytes.first(), Some(b'(' | b'[' | b':')) && out.ends_with(']') {
        out.push('\\');
        out.push(char::from(bytes[0]));
        return 1;
    }
    let Some(so_far) = place.line_start.and_then(|start| out.get(start..)) else { return 0 };
    if so_far.bytes().all(|byte| byte.is_ascii_digit()) {
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_number = so_far.len() + digits > 0 && so_far.len() + digits < 10;
        if is_number && matches!(bytes.get(digits), Some(b'.' | b')')) && ends_word(digits + 1) {
            out.push_str(&run[..digits]);
            out.push('\\');
            out.push(char::from(bytes[digits]));
            return digits + 1;
        }
    }
    if !so_far.is_empty() {
        return 0;
    }
    let is_followed_by = |marks: &[u8]| bytes.get(1).is_some_and(|next| marks.contains(next));
    let is_mark = match bytes.first() {
        Some(b'#') => ends_word(bytes.iter().take_while(|byte| **byte == b'#').count()),
        Some(b'>') => true,
        Some(b'-') => ends_word(1) || is_followed_by(b"-|:"),
        Some(b'+') => ends_word(1),
        Some(b'=') => ends_word(1) || is_followed_by(b"="),
        Some(b':') => is_followed_by(b"-") || bytes.len() == 1,
        _ => false,
    };
    if is_mark {
        out.push('\\');
        out.push(char::from(bytes[0]));
    }
    usize::from(is_mark)
}

/// Bytes of addresses that are written as they are wherever they stand.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        plain[byte] =
            (byte as u8).is_ascii_graphic() && !matches!(byte as u8, b'(' | b')' | b'\\' | b'`' | b'|' | b'<' | b'>' | b'&');
        byte += 1;
    }
    plain
};

/// Writes an address as the target of a link or an image.
pub(super) fn push_address(out: &mut String, address: &str, in_cell: bool) {
    // Nearly all addresses are written as they are.
    if address.bytes().all(|byte| PLAIN[usize::from(byte)]) {
        return out.push_str(address);
    }
    let mut depth = 0_i32;
    let is_balanced = address.bytes().all(|byte| {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        depth >= 0
    }) && depth == 0;
    for character in address.chars() {
        match character {
            '(' | ')' if !is_balanced => out.extend(['\\', character]),
            '\\' => out.push_str("%5C"),
            '`' => out.push_str("%60"),
            '|' if in_cell => out.push_str("%7C"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '&' if address.contains(';') => out.push_str("&amp;"),
            ' ' | '\u{a0}' => out.push_str("%20"),
            character if character.is_whitespace() || character.is_control() => {}
            character => out.push(character),
        }
    }
}

/// Gives the number signs that end a heading a backslash, if they would be read as its end.
pub(super) fn escape_heading_end(out: &mut String, start: usize) {
    let text = &out[start.min(out.len())..];
    let before = text.trim_end_matches('#');
    if before.len() < text.len() && (before.is_empty() || before.ends_with(' ')) {
        out.insert(out.len() - 1, '\\');
    }
}

/// The longest run of backticks in a text.
pub(super) fn longest_ticks(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}
