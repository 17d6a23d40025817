//! The charset of a page without a label that could be trusted, guessed from its bytes.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::PRESCAN_LENGTH;

/// How many bytes the detector is fed. It is slow (some 30 MB/s), and more changes no answer, while
/// with a quarter of this it confuses ISO-8859-7 with windows-1253 more often.
const SAMPLE_LENGTH: usize = 64 * 1024;

/// How many ASCII bytes beside a byte that is not ASCII the detector is fed. It weighs pairs of
/// neighbouring letters, so nothing further away has influence.
const SAMPLE_CONTEXT: usize = 16;

/// UTF-16 without a byte order mark: markup is ASCII, whose other half is NUL.
pub(super) fn utf16_by_nul_bytes(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(PRESCAN_LENGTH)];
    if !start.contains(&0) {
        return None;
    }
    let (mut high, mut low, mut pairs) = (0_usize, 0_usize, 0_usize);
    for pair in start.chunks_exact(2) {
        high += usize::from(pair[0] == 0);
        low += usize::from(pair[1] == 0);
        pairs += 1;
    }
    // A share of an eighth admits pages with much Chinese among the markup; a factor of eight
    // admits Chinese characters whose second half is zero, such as U+4E00.
    let plain = |more: usize, fewer: usize| more >= 2 && more * 8 >= pairs && more >= fewer * 8;
    if plain(low, high) {
        Some(UTF_16LE)
    } else if plain(high, low) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Guesses by the bytes that are not ASCII and their neighbours, wherever on the page they are:
/// a page may well begin with more scripts and styles than the detector can be fed. The country of the host decides between
/// charsets that the letters fit alike.
pub(super) fn guess(bytes: &[u8], host: Option<&str>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let mut budget = SAMPLE_LENGTH;
    let mut feed = |part: &[u8]| {
        let part = &part[..part.len().min(budget)];
        budget -= part.len();
        // Never told that the text ends: a character cut off there would rule out its charset.
        detector.feed(part, false);
        budget > 0
    };
    if bytes.is_ascii() {
        let escape = bytes.iter().position(|byte| *byte == 0x1B).unwrap_or(0);
        feed(&bytes[escape..]);
    } else {
        let mut rest = bytes;
        while !rest.is_empty() {
            let ascii = Encoding::ascii_valid_up_to(rest);
            let (before, after) = rest.split_at(ascii);
            let other = after.iter().position(u8::is_ascii).unwrap_or(after.len());
            let goes_on = if before.len() > 2 * SAMPLE_CONTEXT {
                // Both ends, of which the first belongs to what has been fed before.
                feed(&before[..SAMPLE_CONTEXT]) && feed(&before[before.len() - SAMPLE_CONTEXT..]) && feed(&after[..other])
            } else {
                feed(&rest[..ascii + other])
            };
            if !goes_on {
                break;
            }
            rest = &after[other..];
        }
    }
    // UTF-8 has been ruled out by a better test than that of the detector.
    let encoding = detector.guess(host.and_then(top_level_domain), Utf8Detection::Deny);
    if only_symbols_differ(bytes, encoding) { WINDOWS_1252 } else { encoding }
}

/// The last label of a host, if it is written as the detector wants it: ASCII in lower case.
fn top_level_domain(host: &str) -> Option<&[u8]> {
    let label = host.rsplit('.').next()?.as_bytes();
    let is_domain = label.first().is_some_and(u8::is_ascii_lowercase);
    (is_domain && label.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')).then_some(label)
}

/// Whether the guessed charset differs from windows-1252 only in bytes that are symbols there, none
/// of which stands within a word. Pages in English with nothing but a pound sign (the byte of `Ł`)
/// or a copyright sign (the byte of `Š`) are taken for Central European by the detector.
fn only_symbols_differ(bytes: &[u8], guessed: &'static Encoding) -> bool {
    if !guessed.is_single_byte() {
        return false;
    }
    let upper: Vec<u8> = (0x80..=0xFF).collect();
    let (guessed, _) = guessed.decode_without_bom_handling(&upper);
    let (western, _) = WINDOWS_1252.decode_without_bom_handling(&upper);
    // For each byte: whether the charsets differ, and whether it is a letter in windows-1252.
    // Unicode has letters there that are used as symbols.
    let letter = |char: char| char.is_alphabetic() && !matches!(char, 'ª' | 'º' | 'µ' | 'ˆ');
    let pairs = guessed.chars().zip(western.chars());
    let difference: Vec<(bool, bool)> = pairs.map(|(guessed, western)| (guessed != western, letter(western))).collect();
    let is_letter = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte >= 0xC0);
    bytes.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()).all(|(index, byte)| {
        let (differs, is_letter_there) = difference[usize::from(*byte & 0x7F)];
        let before = index.checked_sub(1).and_then(|index| bytes.get(index));
        let within_word = is_letter(before) && is_letter(bytes.get(index + 1));
        !differs || !(is_letter_there || within_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::WINDOWS_1250;

    #[test]
    fn a_lone_symbol_on_an_english_page_is_western() {
        for text in ["It costs £5 or £6.", "All rights reserved. ©1999 Us", "a footnote¹.", "a café"] {
            let (bytes, _, _) = WINDOWS_1252.encode(text);
            assert_eq!(guess(&bytes, None), WINDOWS_1252, "{text}");
        }
        let (bytes, _, _) = WINDOWS_1250.encode("The city of Łomża in Poland");
        assert_eq!(guess(&bytes, None), WINDOWS_1250);
    }

    #[test]
    fn nul_bytes_without_a_pattern_are_no_utf16() {
        for bytes in ["", "\0", "a\0", "\0\0\0\0", "<p>text\0</p><p>more text</p>"] {
            assert_eq!(utf16_by_nul_bytes(bytes.as_bytes()), None, "{bytes:?}");
        }
    }
}
