//! What a stretch of HTML source means as text: character references, line ends
//! and U+0000.
//!
//! Follows <https://html.spec.whatwg.org/#character-reference-state> and the
//! states after it, and <https://infra.spec.whatwg.org/#normalize-newlines>.
//! The names are unpacked once, on the first reference that is not one of the
//! five found on nearly every page.
//! Parse errors are not reported, only recovered from.

use super::char_names::CharNames;
use memchr::{memchr, memchr2, memchr3};

/// How a stretch of the source becomes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Data,
    Rcdata,
    Cdata,
    AttributeValue,
    /// Raw text, scripts, comments, doctypes.
    Raw,
}

impl Content {
    pub(super) fn has_references(self) -> bool {
        matches!(self, Content::Data | Content::Rcdata | Content::AttributeValue)
    }

    /// Elsewhere the tree builder decides what becomes of U+0000.
    fn replaces_nul(self) -> bool {
        !matches!(self, Content::Data | Content::Cdata)
    }
}

/// Writes what `raw` means to `buffer`, if that differs from what it is; returns
/// whether it does. `normalise` is false if the source is known to contain neither
/// U+000D nor U+0000, to be spared the search.
pub(super) fn decode(raw: &str, content: Content, normalise: bool, buffer: &mut String) -> bool {
    let bytes = raw.as_bytes();
    let mut is_decoded = false;
    let mut copied = 0;
    let mut position = 0;
    loop {
        let rest = &bytes[position..];
        let found = match (content.has_references(), normalise) {
            (true, true) => memchr3(b'&', b'\r', 0, rest),
            (true, false) => memchr(b'&', rest),
            (false, true) => memchr2(b'\r', 0, rest),
            (false, false) => None,
        };
        let Some(offset) = found else { break };
        let special = position + offset;
        position = special + 1;
        let is_attribute = content == Content::AttributeValue;
        let (meaning, end) = match bytes[special] {
            b'&' => match character_reference(&bytes[position..], is_attribute) {
                Some((referent, length)) => (Some(referent), position + length),
                None => continue,
            },
            // Of CR LF the LF stays, as part of what follows.
            b'\r' if bytes.get(position) == Some(&b'\n') => (None, position),
            b'\r' => (Some(Referent::Character('\n')), position),
            _ if content.replaces_nul() => (Some(Referent::Character(char::REPLACEMENT_CHARACTER)), position),
            _ => continue,
        };
        if !is_decoded {
            buffer.clear();
            is_decoded = true;
        }
        buffer.push_str(&raw[copied..special]);
        if let Some(referent) = meaning {
            referent.push_to(buffer);
        }
        copied = end;
        position = end;
    }
    if is_decoded {
        buffer.push_str(&raw[copied..]);
    }
    is_decoded
}

/// What a character reference stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Referent {
    Character(char),
    /// A named reference may stand for two characters.
    Text(&'static str),
}

impl Referent {
    fn push_to(self, out: &mut String) {
        match self {
            Referent::Character(character) => out.push(character),
            Referent::Text(text) => out.push_str(text),
        }
    }
}

/// Reads the reference whose `&` stands just before `input`. Returns what it
/// means and how many bytes of `input` it takes, or `None` if the `&` is just
/// an ampersand. `input` may end where the text or attribute value ends: no
/// reference reaches over that border.
fn character_reference(input: &[u8], in_attribute: bool) -> Option<(Referent, usize)> {
    match input.first()? {
        b'#' => numeric(input),
        byte if byte.is_ascii_alphanumeric() => named(input, in_attribute),
        _ => None,
    }
}

/// <https://html.spec.whatwg.org/#numeric-character-reference-state>;
/// `input` starts at the `#`.
fn numeric(input: &[u8]) -> Option<(Referent, usize)> {
    let (radix, digits_start) = match input.get(1)? {
        b'x' | b'X' => (16, 2),
        _ => (10, 1),
    };
    let mut code: u32 = 0;
    let mut end = digits_start;
    while let Some(digit) = input.get(end).and_then(|&byte| char::from(byte).to_digit(radix)) {
        // Saturating: however many digits follow, it stays out of range.
        code = code.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    if end == digits_start {
        return None;
    }
    if input.get(end) == Some(&b';') {
        end += 1;
    }
    Some((Referent::Character(numeric_character(code)), end))
}

/// <https://html.spec.whatwg.org/#numeric-character-reference-end-state>
fn numeric_character(code: u32) -> char {
    /// What authors meant by the codes 0x80 to 0x9F: windows-1252, with its
    /// five unassigned codes kept.
    const WINDOWS_1252: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘', '’', '“',
        '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    match code {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9F => WINDOWS_1252[(code - 0x80) as usize],
        // Fails for surrogates and beyond U+10FFFF, as the standard wants it.
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// <https://html.spec.whatwg.org/#named-character-reference-state>
fn named(input: &[u8], in_attribute: bool) -> Option<(Referent, usize)> {
    /// Spares the ordinary page the ordering of all the names.
    const MOST_COMMON: [(&[u8], char); 5] = [(b"amp;", '&'), (b"nbsp;", '\u{A0}'), (b"quot;", '"'), (b"lt;", '<'), (b"gt;", '>')];
    for (name, character) in MOST_COMMON {
        if input.starts_with(name) {
            return Some((Referent::Character(character), name.len()));
        }
    }
    let (name, text) = CharNames::get().longest_prefix_of(input)?;
    // Old links such as `?a=1&copy=2` must keep their ampersand.
    if in_attribute
        && !name.ends_with(';')
        && matches!(input.get(name.len()), Some(byte) if *byte == b'=' || byte.is_ascii_alphanumeric())
    {
        return None;
    }
    Some((Referent::Text(text), name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The meaning of the reference at the start of `input`, and what is left.
    fn read(input: &str, in_attribute: bool) -> Option<(String, &str)> {
        let (referent, length) = character_reference(input.as_bytes(), in_attribute)?;
        let mut text = String::new();
        referent.push_to(&mut text);
        Some((text, &input[length..]))
    }

    #[test]
    fn numbers_mean_their_character_or_its_replacement() {
        for (input, meaning, rest) in [
            ("#65;x", "A", "x"),
            ("#65x", "A", "x"),
            ("#x41;", "A", ""),
            ("#X4a;", "J", ""),
            ("#x41g", "A", "g"),
            ("#13;", "\r", ""),
            ("#0;", "\u{FFFD}", ""),
            ("#x80;", "€", ""),
            ("#150;", "–", ""),
            ("#x81;", "\u{81}", ""),
            ("#x9F;", "Ÿ", ""),
            ("#xA0;", "\u{A0}", ""),
            ("#xD800;", "\u{FFFD}", ""),
            ("#xDFFF;", "\u{FFFD}", ""),
            ("#xFFFE;", "\u{FFFE}", ""),
            ("#x10FFFF;", "\u{10FFFF}", ""),
            ("#x110000;", "\u{FFFD}", ""),
            ("#99999999999999999999999999;", "\u{FFFD}", ""),
        ] {
            for in_attribute in [false, true] {
                let expected = Some((meaning.to_owned(), rest));
                assert_eq!(read(input, in_attribute), expected, "&{input}");
            }
        }
    }

    #[test]
    fn longest_name_wins() {
        for (input, meaning, rest) in [
            ("amp;x", "&", "x"),
            ("ampx", "&", "x"),
            ("AMP;", "&", ""),
            ("not;", "¬", ""),
            ("notit;", "¬", "it;"),
            ("notin;", "∉", ""),
            ("notin", "¬", "in"),
            ("ac;", "∾", ""),
            ("acE;", "∾\u{333}", ""),
            ("zwnj;", "\u{200C}", ""),
            ("Zeta;", "Ζ", ""),
            ("CounterClockwiseContourIntegral;", "∳", ""),
        ] {
            let expected = Some((meaning.to_owned(), rest));
            assert_eq!(read(input, false), expected, "&{input}");
        }
    }

    #[test]
    fn all_else_is_just_an_ampersand() {
        for input in ["", " ", ";", "=", "é", "#", "#;", "#x", "#x;", "#xg", "#a", "z", "zz;", "1;", "am", "hellip", "ac"] {
            for in_attribute in [false, true] {
                assert_eq!(read(input, in_attribute), None, "&{input}");
            }
        }
    }

    #[test]
    fn attribute_keeps_name_without_semicolon_before_equals_sign_or_alphanumeric() {
        for input in ["copy=1", "copyx", "copy1", "notit;", "ampX"] {
            assert_eq!(read(input, true), None, "&{input}");
            assert!(read(input, false).is_some(), "&{input}");
        }
        for (input, rest) in [("copy", ""), ("copy;=", "="), ("copy;x", "x"), ("copy&", "&"), ("copyé", "é")] {
            assert_eq!(read(input, true), Some(("©".to_owned(), rest)), "&{input}");
        }
    }

    #[test]
    fn every_name_is_found() {
        for entity in &entities::ENTITIES {
            let expected = Some((entity.characters.to_owned(), ""));
            assert_eq!(read(&entity.entity[1..], false), expected);
        }
    }

    #[test]
    fn content_decides_what_is_decoded() {
        let source = "&lt;&copy=\r\n\r\0";
        for (content, expected) in [
            (Content::Data, "<©=\n\n\0"),
            (Content::Rcdata, "<©=\n\n\u{FFFD}"),
            (Content::AttributeValue, "<&copy=\n\n\u{FFFD}"),
            (Content::Cdata, "&lt;&copy=\n\n\0"),
            (Content::Raw, "&lt;&copy=\n\n\u{FFFD}"),
        ] {
            let mut buffer = "old".to_owned();
            assert!(decode(source, content, true, &mut buffer));
            assert_eq!(buffer, expected, "{content:?}");
        }
    }

    #[test]
    fn nothing_is_copied_where_nothing_changes() {
        for (source, content) in [
            ("", Content::Data),
            ("a & b &x; \0", Content::Data),
            ("?a=1&copy=2", Content::AttributeValue),
            ("&lt;", Content::Raw),
            ("&lt;\0", Content::Cdata),
        ] {
            assert!(!decode(source, content, true, &mut String::new()), "{source}");
        }
    }
}
