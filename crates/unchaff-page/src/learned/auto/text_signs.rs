//! What the characters of a block say, in one pass over its text and in any language.
//!
//! Counted are words, kinds of characters and punctuation; hashed are the whole text, so that repeated blocks are known,
//! and its words, which are looked up in what the page says of itself (`self_description.rs`). Scripts without spaces
//! count each ideograph as a word, as everywhere ([`unchaff_dom::words`]). All counters that an ASCII character can touch are
//! parts of one number, so that such a character costs one addition.

use super::blocks::Block;
use super::self_description::SelfDescription;
use unchaff_dom::words::{is_ideograph, is_word_character};
use unchaff_dom::{NodeId, Page, Tag};

/// What was counted in one block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextSigns {
    /// Runs of letters and digits, ideographs one by one.
    pub words: u32,
    /// Ideographs and kana.
    pub ideographs: u32,
    /// Characters but white space.
    pub chars: u32,
    /// Digits.
    pub digits: u32,
    /// Capital letters.
    pub capitals: u32,
    /// Words that start with a capital letter.
    pub capital_words: u32,
    /// Commas of any script.
    pub commas: u32,
    /// Full stops, question and exclamation marks of any script.
    pub ends: u32,
    /// Bars, bullets, arrows and slashes.
    pub separators: u32,
    /// Signs of currencies.
    pub currencies: u32,
    /// Quotation marks and brackets.
    pub quotes: u32,
    /// Numbers of four digits that may be a year.
    pub years: u32,
    /// Whether there is an at sign.
    pub has_at: bool,
    /// The last character that is not white space.
    pub last: char,
    /// Words that the page's title has too.
    pub in_title: u32,
    /// Words that the page's description has too.
    pub in_description: u32,
    /// A hash of the words, digits left out.
    pub hash: u64,
}

/// A word as it goes by: its hash without regard to case, and what tells numbers.
#[derive(Clone, Copy, Default)]
struct Word {
    hash: u64,
    length: u32,
    /// All bits that its characters have.
    bits: u32,
    is_capital: bool,
}

/// The hash of a word before its end. As digits are fewer than the factor, years are in order by it.
const fn step(hash: u64, character: u32) -> u64 {
    (hash << 5).wrapping_sub(hash).wrapping_add(character as u64)
}

const fn year(digits: &[u8; 4]) -> u64 {
    step(step(step(step(0, digits[0] as u32), digits[1] as u32), digits[2] as u32), digits[3] as u32)
}

const FIRST_YEAR: u64 = year(b"1900");
const LAST_YEAR: u64 = year(b"2039");

impl Word {
    #[inline]
    fn push(&mut self, character: u32) {
        self.hash = step(self.hash, character);
        self.bits |= character;
        self.length += 1;
    }

    /// Digits have no bits above the sixth; all other characters of words have.
    fn is_number(&self) -> bool {
        self.bits & !0x3f == 0
    }

    fn is_year(&self) -> bool {
        self.is_number() && self.length == 4 && (FIRST_YEAR..=LAST_YEAR).contains(&self.hash)
    }

    /// Spreads the hash over all bits: tables take their place from the upper ones.
    #[inline]
    fn end(&mut self) -> u64 {
        let hash = self.hash.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        *self = Word::default();
        hash ^ hash >> 29
    }
}

/// The hashes of the words of a text.
pub(super) fn hash_words(text: &str, mut each: impl FnMut(u64)) {
    let mut word = Word::default();
    for character in text.chars() {
        let alone = is_ideograph(character);
        if (alone || !is_word_character(character)) && word.length > 0 {
            each(word.end());
        }
        if is_word_character(character) {
            word.push(lower(character));
            if alone {
                each(word.end());
            }
        }
    }
    if word.length > 0 {
        each(word.end());
    }
}

/// The [hash](TextSigns::hash) of a text without numbers.
pub(crate) fn text_hash(text: &str) -> u64 {
    let mut hash = 0;
    hash_words(text, |word| hash = hash_on(hash, word));
    hash
}

/// The hash of a text with one more word.
fn hash_on(hash: u64, word: u64) -> u64 {
    hash.rotate_left(7).wrapping_add(word)
}

fn lower(character: char) -> u32 {
    if character.is_ascii() { fold(character as u8) } else { character.to_lowercase().next().map_or(0, u32::from) }
}

/// A letter as a small one, a digit as it is, the underscore as something else.
#[inline]
fn fold(byte: u8) -> u32 {
    u32::from(byte | 0x20)
}

/// Bits of a counter that is part of a number with others.
const BITS: u32 = 8;
/// Characters that can be counted before a counter may be full.
const MOST: usize = 255;
/// A flag above the counters, where adding it up does no harm: the character is part of a word.
const WORD: u64 = 1 << 63;

/// What each ASCII character adds to the counters: characters, capitals, digits, commas, ends, separators, quotes.
const COUNTERS: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let own = match byte as u8 {
            9..=13 | b' ' => 0,
            b'A'..=b'Z' => 1 | 1 << BITS | WORD,
            b'0'..=b'9' => 1 | 1 << (2 * BITS) | WORD,
            b'a'..=b'z' | b'_' => 1 | WORD,
            b',' => 1 | 1 << (3 * BITS),
            b'.' | b'!' | b'?' => 1 | 1 << (4 * BITS),
            b'|' | b'/' | b'>' | b'<' | b'*' => 1 | 1 << (5 * BITS),
            b'"' | b'(' | b')' => 1 | 1 << (6 * BITS),
            _ => 1,
        };
        table[byte] = own;
        byte += 1;
    }
    table
};

impl TextSigns {
    /// Words, with an ideograph as a part of one: comparable across scripts.
    #[must_use]
    pub fn weight(&self) -> f32 {
        self.words as f32 - 0.4 * self.ideographs as f32
    }

    fn end_word(&mut self, word: &mut Word, known: &SelfDescription) {
        self.words += 1;
        self.capital_words += u32::from(word.is_capital);
        let is_number = word.is_number();
        self.years += u32::from(word.is_year());
        let hash = word.end();
        if !is_number {
            self.hash = hash_on(self.hash, hash);
        }
        let (in_title, in_description) = known.has(hash);
        self.in_title += u32::from(in_title);
        self.in_description += u32::from(in_description);
    }

    fn read(&mut self, text: &str, known: &SelfDescription) {
        let mut word = Word::default();
        let mut rest = text;
        while !rest.is_empty() {
            let read = self.read_ascii(&rest.as_bytes()[..rest.len().min(MOST)], &mut word, known);
            // All that was read is ASCII, so this is the border of a character.
            rest = &rest[read..];
            if let Some(character) = rest.chars().next().filter(|next| !next.is_ascii()) {
                rest = &rest[character.len_utf8()..];
                self.read_other(character, &mut word, known);
            }
        }
        // Inline tags hardly ever divide words; where they do, it costs a word.
        if word.length > 0 {
            self.end_word(&mut word, known);
        }
    }

    /// Reads up to the first character that is not ASCII; at most as many as the counters hold.
    fn read_ascii(&mut self, bytes: &[u8], word: &mut Word, known: &SelfDescription) -> usize {
        let mut counters = 0_u64;
        let mut last = None;
        let mut at = 0;
        while let Some(first) = bytes.get(at).filter(|byte| byte.is_ascii()) {
            let own = COUNTERS[usize::from(*first)];
            if own & WORD == 0 {
                at += 1;
                counters = counters.wrapping_add(own);
                if word.length > 0 {
                    self.end_word(word, known);
                }
                if own != 0 {
                    last = Some(*first);
                    self.currencies += u32::from(*first == b'$');
                    self.has_at |= *first == b'@';
                }
                continue;
            }
            if word.length == 0 {
                word.is_capital = first.is_ascii_uppercase();
            }
            for byte in &bytes[at..] {
                let own = COUNTERS[usize::from(*byte)];
                if own & WORD == 0 {
                    break;
                }
                counters = counters.wrapping_add(own);
                word.push(fold(*byte));
                at += 1;
            }
            last = Some(bytes[at - 1]);
        }
        let counter = |at: u32| (counters >> (at * BITS)) as u32 & 0xff;
        self.chars += counter(0);
        self.capitals += counter(1);
        self.digits += counter(2);
        self.commas += counter(3);
        self.ends += counter(4);
        self.separators += counter(5);
        self.quotes += counter(6);
        self.last = last.map_or(self.last, char::from);
        at
    }

    fn read_other(&mut self, character: char, word: &mut Word, known: &SelfDescription) {
        let alone = is_ideograph(character);
        let in_word = is_word_character(character);
        if (alone || !in_word) && word.length > 0 {
            self.end_word(word, known);
        }
        if character.is_whitespace() {
            return;
        }
        if in_word {
            if character.is_uppercase() {
                self.capitals += 1;
                word.is_capital |= word.length == 0;
            }
            word.push(lower(character));
            if alone {
                self.ideographs += 1;
                self.end_word(word, known);
            }
        } else {
            match character {
                '，' | '、' | '،' | '﹐' => self.commas += 1,
                '。' | '！' | '？' | '؟' | '۔' | '।' | '．' | '…' => self.ends += 1,
                '»' | '›' | '·' | '•' | '→' | '«' | '‹' | '←' | '｜' => self.separators += 1,
                '€' | '£' | '¥' | '₹' | '₽' => self.currencies += 1,
                '“' | '”' | '„' | '「' | '」' | '《' | '》' | '（' | '）' => self.quotes += 1,
                _ => {}
            }
        }
        self.chars += 1;
        self.last = character;
    }

    /// Reads a block.
    #[must_use]
    pub fn of(page: &Page, block: &Block, known: &SelfDescription) -> TextSigns {
        let mut signs = TextSigns::default();
        for node in (block.first.0..=block.last.0).map(NodeId) {
            if page.tag(node) == Tag::Text {
                signs.read(page.string(node), known);
            }
        }
        signs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::auto::blocks::blocks;
    use proptest::prelude::*;

    fn signs(html: &str) -> TextSigns {
        let page = Page::parse(html);
        TextSigns::of(&page, &blocks(&page)[0], &SelfDescription::of(&page))
    }

    #[test]
    fn characters_are_counted_by_kind_in_any_script() {
        let found = signs("<p>In 1999, Ada paid <b>$5</b> (or €4)! 12345 ©");
        assert_eq!((found.words, found.commas, found.ends, found.currencies, found.years), (8, 1, 1, 2, 1));
        assert_eq!((found.digits, found.capitals, found.capital_words, found.last), (11, 2, 2, '©'));
        let found = signs("<p>今天下雨，然后晴。");
        assert_eq!((found.words, found.ideographs, found.commas, found.ends), (7, 7, 1, 1));
        let found = signs("<p>هطل المطر، ثم أشرقت؟");
        assert_eq!((found.words, found.commas, found.ends), (4, 1, 1));
    }

    #[test]
    fn equal_texts_have_equal_hashes_whatever_their_numbers() {
        assert_eq!(signs("<p>12 Comments").hash, signs("<p>comments <b>7</b>").hash);
        assert_ne!(signs("<p>one two").hash, signs("<p>two one").hash);
    }

    #[test]
    fn words_of_title_and_description_are_known() {
        let found = signs("<title>Rain in May</title><meta name=description content='It rained'><p>RAIN: it fell all day");
        assert_eq!((found.in_title, found.in_description), (1, 1));
    }

    #[test]
    fn long_texts_are_counted_in_full() {
        let found = signs(&format!("<p>{}", "Ab, 1. ".repeat(300)));
        assert_eq!((found.words, found.chars, found.capitals, found.commas, found.ends), (600, 1500, 300, 300, 300));
    }

    proptest! {
        #[test]
        fn words_are_those_of_the_page(text in "[ab_9é中の!, \n-]{0,40}") {
            let page = Page::parse(format!("<p>{text}"));
            for block in blocks(&page) {
                prop_assert_eq!(TextSigns::of(&page, &block, &SelfDescription::of(&page)).words, block.counts(&page).words);
            }
        }
    }
}
