//! How text is counted, by two rules that everything in unchaff shares.
//!
//! - A **token** is what stands between white space, as the research works count words. White space is Unicode's
//!   `White_Space`, the no-break space included.
//! - A **word** is a run of letters, digits and underscores (Unicode `Alphabetic` or `Numeric`), so that `don't` has
//!   two and ` – ` none. Scripts written without spaces have no such runs: there, every ideograph and every kana
//!   (U+3040–30FF, U+3400–9FFF, U+F900–FAFF, U+20000–3FFFF) is a word of its own.
//! - **Characters** are those of the text with every run of white space as one space and none at either end, so that
//!   pretty-printed and minified pages count alike.

/// Counts of one piece of text; see the [module](self) for the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextCounts {
    /// Characters, white space collapsed.
    pub chars: u32,
    /// Pieces between white space.
    pub tokens: u32,
    /// Runs of letters and digits; ideographs and kana one by one.
    pub words: u32,
}

/// Whether a character is a word of its own: ideographs and kana.
#[must_use]
pub fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a character is part of a word.
#[must_use]
#[inline]
pub fn is_word_character(character: char) -> bool {
    is_common_letter(character) || character.is_alphanumeric() || character == '_'
}

/// Letters of the scripts that most pages are written in. The tables of Unicode know all others; a look at them costs ten times as much.
#[inline]
fn is_common_letter(character: char) -> bool {
    matches!(character,
        'a'..='z' | 'A'..='Z' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2c1}' // Latin
        | '\u{3a3}'..='\u{3f5}' // Greek
        | '\u{400}'..='\u{481}' // Cyrillic
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' // Chinese, Korean
    )
}

const SPACE: u8 = 0;
const WORD: u8 = 1;
const OTHER: u8 = 2;

/// The class of each ASCII character.
const CLASS: [u8; 128] = {
    let mut table = [OTHER; 128];
    let mut byte = 0;
    while byte < 128 {
        if matches!(byte as u8, 9..=13 | b' ') {
            table[byte] = SPACE;
        } else if (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_' {
            table[byte] = WORD;
        }
        byte += 1;
    }
    table
};

/// Bits of each of the three counters that are packed into one number.
const BITS: u32 = 21;

/// What a character adds to the packed counters (solid characters, tokens, words), by the class before it and its own.
const STEP: [u64; 12] = {
    let mut table = [0; 12];
    let mut before = 0;
    while before < 3 {
        let mut class = 0;
        while class < 3 {
            let solid = (class != SPACE) as u64;
            let token = (class != SPACE && before == SPACE) as u64;
            let word = (class == WORD && before != WORD) as u64;
            table[(before * 4 + class) as usize] = solid | token << BITS | word << (2 * BITS);
            class += 1;
        }
        before += 1;
    }
    table
};

/// Counts a piece of text in one pass.
#[must_use]
pub fn count(text: &str) -> TextCounts {
    let mut counts = TextCounts::default();
    let mut before = SPACE;
    // Every other text is the white space between two elements.
    let mut rest = text.trim_ascii_start();
    // A character adds at most one to each counter, so no counter overflows within such a piece.
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary((1 << BITS) - 1));
        let packed = count_piece(piece, &mut before);
        let counter = |at: u32| ((packed >> (at * BITS)) & ((1 << BITS) - 1)) as u32;
        counts.chars += counter(0);
        counts.tokens += counter(1);
        counts.words += counter(2);
        rest = after;
    }
    counts.chars += counts.tokens.saturating_sub(1);
    counts
}

/// ASCII characters that are counted in one step.
const SIDE_BY_SIDE: usize = 16;
/// Bits of a character that is no white space, and of one that is part of a word.
const IS_SOLID: u8 = 1;
const IS_WORD: u8 = 2;

/// Counts ASCII characters side by side, as processors do that with a single instruction for many bytes.
#[inline]
fn count_ascii(bytes: &[u8; SIDE_BY_SIDE], state: &mut u8) -> u64 {
    let mut bits = [0; SIDE_BY_SIDE + 1];
    bits[0] = [0, IS_SOLID | IS_WORD, IS_SOLID][usize::from(*state % 3)];
    for (own, byte) in bits[1..].iter_mut().zip(bytes) {
        let is_space = byte.wrapping_sub(9) < 5 || *byte == b' ';
        let is_word = (byte | 0x20).wrapping_sub(b'a') < 26 || byte.wrapping_sub(b'0') < 10 || *byte == b'_';
        *own = (u8::from(!is_space) * IS_SOLID) | (u8::from(is_word) * IS_WORD);
    }
    let (mut solid, mut tokens, mut words) = (0, 0, 0);
    for at in 0..SIDE_BY_SIDE {
        let starts = bits[at + 1] & !bits[at];
        solid += bits[at + 1] & IS_SOLID;
        tokens += starts & IS_SOLID;
        words += starts >> 1;
    }
    *state = [SPACE, OTHER, WORD, WORD][usize::from(bits[SIDE_BY_SIDE] % 4)];
    u64::from(solid) | u64::from(tokens) << BITS | u64::from(words) << (2 * BITS)
}

fn count_piece(text: &str, before: &mut u8) -> u64 {
    let bytes = text.as_bytes();
    let mut packed = 0;
    let mut at = 0;
    while at < bytes.len() {
        if let Some(many) = bytes[at..].first_chunk().filter(|many| many.is_ascii()) {
            packed += count_ascii(many, before);
            at += SIDE_BY_SIDE;
        } else {
            packed += count_some(text, &mut at, before);
        }
    }
    packed
}

/// Counts about as many characters, or all that are left, one by one.
fn count_some(text: &str, at: &mut usize, before: &mut u8) -> u64 {
    let bytes = text.as_bytes();
    let end = bytes.len().min(*at + SIDE_BY_SIDE);
    let mut packed = 0;
    let mut state = *before;
    while let Some(byte) = bytes[..end].get(*at) {
        let class = if *byte < 128 {
            *at += 1;
            CLASS[usize::from(*byte)]
        } else {
            let Some(character) = text[*at..].chars().next() else { break };
            *at += character.len_utf8();
            if is_ideograph(character) {
                // A word by itself, and for its neighbours no part of theirs.
                packed += 1 << (2 * BITS);
                OTHER
            } else if is_word_character(character) {
                WORD
            } else if character.is_whitespace() {
                SPACE
            } else {
                OTHER
            }
        };
        packed += STEP[usize::from(state * 4 + class)];
        state = class;
    }
    *before = state;
    packed
}

/// The words of a text, in order.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(is_word_character)?;
        rest = &rest[start..];
        let first = rest.chars().next()?;
        let end = if is_ideograph(first) {
            first.len_utf8()
        } else {
            rest.find(|character| !is_word_character(character) || is_ideograph(character)).unwrap_or(rest.len())
        };
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

/// The hashes of the [words](words()) of a text in order, the same in upper and lower case.
pub fn hash_words(text: &str, mut each: impl FnMut(u64)) {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    let step = |hash: u64, letter: u32| (hash ^ u64::from(letter)).wrapping_mul(0x0100_0000_01b3);
    let lower = |character: char| character.to_lowercase().map(u32::from);
    let (mut hash, mut is_in_word) = (START, false);
    for character in text.chars() {
        let is_alone = !character.is_ascii() && is_ideograph(character);
        let continues = !is_alone && is_word_character(character);
        if is_in_word && !continues {
            each(hash);
            (hash, is_in_word) = (START, false);
        }
        if is_alone {
            // Not every character of these ranges is one of words.
            if is_word_character(character) {
                each(lower(character).fold(START, step));
            }
        } else if continues {
            is_in_word = true;
            hash = if character.is_ascii() {
                step(hash, u32::from(character.to_ascii_lowercase()))
            } else {
                lower(character).fold(hash, step)
            };
        }
    }
    if is_in_word {
        each(hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counted(text: &str) -> (u32, u32, u32) {
        let TextCounts { chars, tokens, words } = count(text);
        (chars, tokens, words)
    }

    #[test]
    fn counts_follow_the_stated_rules() {
        assert_eq!(counted(""), (0, 0, 0));
        assert_eq!(counted("  \n\t "), (0, 0, 0));
        assert_eq!(counted("  Hello,\n   world! "), (13, 2, 2));
        assert_eq!(counted("don't – 3.5"), (11, 3, 4));
        assert_eq!(counted("a\u{a0}b"), (3, 2, 2));
        assert_eq!(counted("été naïve"), (9, 2, 2));
        assert_eq!(counted("中文 text"), (7, 2, 3));
        assert_eq!(counted("ab中cd"), (5, 1, 3));
        assert_eq!(counted("ひらがな、カナ"), (7, 1, 6));
        assert_eq!(counted("हिन्दी भाषा").1, 2);
    }

    #[test]
    fn common_letters_are_letters() {
        assert!(('\0'..=char::MAX).all(|character| !is_common_letter(character) || character.is_alphabetic()));
    }

    proptest! {
        #[test]
        fn one_pass_counts_equal_naive_counts(text in "[ab_9é中の\u{a0}!, \n-]{0,40}|[a_9,! \n\t\u{b}]{0,90}") {
            let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let counts = count(&text);
            prop_assert_eq!(counts.chars as usize, joined.chars().count());
            prop_assert_eq!(counts.tokens as usize, text.split_whitespace().count());
            prop_assert_eq!(counts.words as usize, words(&text).count());
        }

        #[test]
        fn hashes_are_those_of_words_in_small_letters(text in "[aBé_İ9 ,.中のー々〻ß]{0,30}") {
            let mut found = Vec::new();
            hash_words(&text, |hash| found.push(hash));
            let step = |hash: u64, letter: char| (hash ^ u64::from(letter)).wrapping_mul(0x0100_0000_01b3);
            let hash = |word: &str| word.chars().flat_map(char::to_lowercase).fold(0xcbf2_9ce4_8422_2325, step);
            prop_assert_eq!(found, words(&text).map(hash).collect::<Vec<u64>>());
        }
    }
}
