//! What the characters of a block say, in one pass over its text and in any language.
//!
//! Counted are words, kinds of characters and punctuation; hashed are the whole text, so that repeated blocks are known,
//! and its words and pairs of words, which are looked up in what the page says of itself (`self_description.rs`).
//! Scripts without spaces count each ideograph as a word, as everywhere ([`unchaff_dom::words`]).

use super::blocks::Block;
use super::self_description::SelfDescription;
use unchaff_dom::words::{is_ideograph, is_word_character};
use unchaff_dom::{NodeId, Page};

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
    /// Numbers.
    pub numbers: u32,
    /// Whether there is a copyright sign.
    pub has_copyright: bool,
    /// Whether there is an at sign.
    pub has_at: bool,
    /// Characters of the longest word.
    pub longest: u32,
    /// The last character that is not white space.
    pub last: char,
    /// The first character that is not white space.
    pub first: char,
    /// Words that the page's title has too.
    pub in_title: u32,
    /// Words that the page's description has too.
    pub in_description: u32,
    /// Pairs of words that the page's structured data has too.
    pub in_data: u32,
    /// A hash of the words, digits left out.
    pub hash: u64,
}

impl Default for Reader {
    fn default() -> Self {
        Reader { word: WORD_SEED, pair: 0, length: 0, digits: 0, value: 0, starts_capital: false }
    }
}

const WORD_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Hashes words as they go by.
pub(super) struct Reader {
    word: u64,
    pair: u64,
    length: u32,
    digits: u32,
    value: u32,
    starts_capital: bool,
}

/// A word that has ended: its hash and that of it with the word before.
pub(super) struct Word {
    pub(super) hash: u64,
    pub(super) pair: u64,
}

impl Reader {
    fn push(&mut self, character: u32) {
        self.word = (self.word.rotate_left(5) ^ u64::from(character)).wrapping_mul(0x517c_c1b7_2722_0a95);
        self.length += 1;
    }

    fn end(&mut self) -> Word {
        let hash = self.word;
        let pair = self.pair.wrapping_mul(31).wrapping_add(hash);
        *self = Reader { pair: hash, ..Reader::default() };
        Word { hash, pair }
    }
}

/// The words of a text, hashed without regard to case.
pub(super) fn hash_words(text: &str, mut each: impl FnMut(Word)) {
    let mut reader = Reader::default();
    for character in text.chars() {
        let alone = is_ideograph(character);
        if (alone || !is_word_character(character)) && reader.length > 0 {
            each(reader.end());
        }
        if is_word_character(character) {
            reader.push(lower(character));
            if alone {
                each(reader.end());
            }
        }
    }
    if reader.length > 0 {
        each(reader.end());
    }
}

fn lower(character: char) -> u32 {
    if character.is_ascii() {
        u32::from(character.to_ascii_lowercase())
    } else {
        character.to_lowercase().next().map_or(0, u32::from)
    }
}

impl TextSigns {
    /// Words, with an ideograph as a part of one: comparable across scripts.
    #[must_use]
    pub fn weight(&self) -> f32 {
        self.words as f32 - 0.4 * self.ideographs as f32
    }

    fn end_word(&mut self, reader: &mut Reader, known: &SelfDescription) {
        if reader.length == 0 {
            return;
        }
        self.words += 1;
        self.longest = self.longest.max(reader.length);
        self.capital_words += u32::from(reader.starts_capital);
        let is_number = reader.digits == reader.length;
        self.numbers += u32::from(is_number);
        self.years += u32::from(is_number && reader.digits == 4 && (1900..2040).contains(&reader.value));
        let word = reader.end();
        if !is_number {
            self.hash = self.hash.rotate_left(7).wrapping_add(word.hash);
        }
        let seen = known.look_up(&word);
        self.in_title += u32::from(seen.title);
        self.in_description += u32::from(seen.description);
        self.in_data += u32::from(seen.data);
    }

    fn read(&mut self, text: &str, reader: &mut Reader, known: &SelfDescription) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if byte.is_ascii() {
                at += 1;
                self.read_ascii(*byte, reader, known);
            } else {
                let Some(character) = text[at..].chars().next() else { break };
                at += character.len_utf8();
                self.read_other(character, reader, known);
            }
        }
        // Inline tags hardly ever divide words; where they do, it costs a word.
        self.end_word(reader, known);
    }

    fn read_ascii(&mut self, byte: u8, reader: &mut Reader, known: &SelfDescription) {
        let character = char::from(byte);
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            if byte.is_ascii_uppercase() {
                self.capitals += 1;
                reader.starts_capital |= reader.length == 0;
            } else if byte.is_ascii_digit() {
                self.digits += 1;
                reader.digits += 1;
                reader.value = reader.value.wrapping_mul(10).wrapping_add(u32::from(byte - b'0'));
            }
            reader.push(u32::from(byte.to_ascii_lowercase()));
        } else {
            self.end_word(reader, known);
            if matches!(byte, b' ' | 9..=13) {
                return;
            }
            match byte {
                b',' => self.commas += 1,
                b'.' | b'!' | b'?' => self.ends += 1,
                b'|' | b'/' | b'>' | b'<' | b'*' => self.separators += 1,
                b'$' => self.currencies += 1,
                b'"' | b'(' | b')' => self.quotes += 1,
                b'@' => self.has_at = true,
                _ => {}
            }
        }
        self.solid(character);
    }

    fn read_other(&mut self, character: char, reader: &mut Reader, known: &SelfDescription) {
        let alone = is_ideograph(character);
        if alone || !is_word_character(character) {
            self.end_word(reader, known);
        }
        if character.is_whitespace() {
            return;
        }
        if is_word_character(character) {
            if character.is_uppercase() {
                self.capitals += 1;
                reader.starts_capital |= reader.length == 0;
            }
            reader.push(lower(character));
            if alone {
                self.ideographs += 1;
                self.end_word(reader, known);
            }
        } else {
            match character {
                '，' | '、' | '،' | '﹐' => self.commas += 1,
                '。' | '！' | '？' | '؟' | '۔' | '।' | '．' | '…' => self.ends += 1,
                '»' | '›' | '·' | '•' | '→' | '«' | '‹' | '←' | '｜' => self.separators += 1,
                '€' | '£' | '¥' | '₹' | '₽' => self.currencies += 1,
                '“' | '”' | '„' | '「' | '」' | '《' | '》' | '（' | '）' => self.quotes += 1,
                '©' => self.has_copyright = true,
                _ => {}
            }
        }
        self.solid(character);
    }

    fn solid(&mut self, character: char) {
        if self.chars == 0 {
            self.first = character;
        }
        self.chars += 1;
        self.last = character;
    }

    /// Reads a block.
    #[must_use]
    pub fn of(page: &Page, block: &Block, known: &SelfDescription) -> TextSigns {
        let mut signs = TextSigns::default();
        let mut reader = Reader::default();
        for node in (block.first.0..=block.last.0).map(NodeId) {
            if page.tag(node) == unchaff_dom::Tag::Text {
                signs.read(page.string(node), &mut reader, known);
            }
        }
        signs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auto::blocks::blocks;
    use proptest::prelude::*;

    fn signs(html: &str) -> TextSigns {
        let page = Page::parse(html);
        TextSigns::of(&page, &blocks(&page)[0], &SelfDescription::of(&page))
    }

    #[test]
    fn characters_are_counted_by_kind_in_any_script() {
        let found = signs("<p>In 1999, Ada paid <b>$5</b> (or €4)! 12345 ©");
        assert_eq!((found.words, found.commas, found.ends, found.currencies, found.years), (8, 1, 1, 2, 1));
        assert_eq!((found.numbers, found.capitals, found.capital_words, found.has_copyright), (4, 2, 2, true));
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
    fn words_of_title_description_and_data_are_known() {
        let found = signs(
            "<title>Rain in May</title><meta name=description content='It rained'><script type=application/ld+json>{\"a\":\"all day long\"}</script><p>Rain: it fell all day",
        );
        assert_eq!((found.in_title, found.in_description, found.in_data), (1, 1, 1));
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
