//! What can be told of a text by its words: how many there are, how long they take to read, in which language they are, and a fingerprint
//! by which near-duplicates are found.
//!
//! It is computed when it is asked for, of the text that an extraction shows, so that every door says the same of the same page.
//!
//! - **Words** are counted as everywhere ([`unchaff_dom::words`]): runs of letters and digits; ideographs and kana one by one.
//! - **Reading time** is in minutes, rounded up: 238 words a minute (Brysbaert 2019, silent reading of non-fiction), and 300 ideographs and kana (between the
//!   255 of Chinese and the 357 of Japanese of Trauzettel-Klosinski and Dietz 2012).
//! - **Language** is looked for where the page declares none, in the first 2,000 bytes, by the frequencies of three letters in a row
//!   and of alphabets (`whatlang`); only if it is sure.
//! - The **fingerprint** is a SimHash of 64 bits (Charikar 2002; Manku, Jain and Das Sarma 2007), see [`Fingerprint`].

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;
use unchaff_dom::words::{is_ideograph, words};
use whatlang::Lang;

/// Words read in a minute.
const WORDS_A_MINUTE: usize = 238;
/// Ideographs and kana read in a minute.
const IDEOGRAPHS_A_MINUTE: usize = 300;
/// Bytes in which the language is looked for.
const LANGUAGE_BYTES: usize = 2_000;
/// Words of which each feature of a fingerprint consists.
const SHINGLE: usize = 3;

/// What can be told of a text by its words; see the [module](self).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextFacts {
    /// How many words it has.
    pub words: usize,
    /// How many minutes it takes to read, rounded up.
    pub reading_minutes: usize,
    /// Its fingerprint; none if it has no word.
    pub fingerprint: Option<Fingerprint>,
    /// A hash of all its words in order, in lower case; none if it has no word. Texts that differ in marks, case and layout alone have the same.
    pub words_hash: Option<u64>,
}

impl TextFacts {
    /// Counts a text and takes its fingerprint, in one pass.
    ///
    /// ```
    /// let facts = unchaff::TextFacts::of("It rained all day.");
    /// assert_eq!((facts.words, facts.reading_minutes), (4, 1));
    /// ```
    #[must_use]
    pub fn of(text: &str) -> TextFacts {
        let mut ones = Ones::default();
        let mut last = [0_u64; SHINGLE];
        let (mut all, mut ideographs, mut hash) = (0, 0, 0);
        for word in words(text) {
            ideographs += usize::from(word.chars().next().is_some_and(is_ideograph));
            all += 1;
            last.rotate_left(1);
            last[SHINGLE - 1] = hash_of_word(word);
            hash = mixed(hash, last[SHINGLE - 1]);
            if all >= SHINGLE {
                ones.add(hash_of_shingle(&last));
            }
        }
        if (1..SHINGLE).contains(&all) {
            ones.add(hash_of_shingle(&last[SHINGLE - all..]));
        }
        let seconds = (all - ideographs) * 60 / WORDS_A_MINUTE + ideographs * 60 / IDEOGRAPHS_A_MINUTE;
        TextFacts {
            words: all,
            reading_minutes: if all == 0 { 0 } else { seconds.div_ceil(60).max(1) },
            fingerprint: (all > 0).then(|| Fingerprint(ones.majority())),
            words_hash: (all > 0).then_some(hash),
        }
    }
}

/// A SimHash of 64 bits: texts with most of their words in common differ in few bits.
///
/// The features are all runs of three [words](unchaff_dom::words), in lower case, as often as they occur; a text of fewer is one feature. A
/// word is hashed by FNV-1a over its bytes in UTF-8, a run by mixing the hashes of its words in order (the finaliser of SplitMix64
/// after each). A bit of the fingerprint is set if it is set in more than half of the features. This definition does not change: fingerprints
/// can be stored and compared with those of later versions.
///
/// Compare by [distance](Fingerprint::distance). Measured on texts of 150 to 3,000 words, in bits for 95 of 100: one word changed, or ten added, 4; one
/// word in a hundred changed 8; one in twenty 15. No two of 120 unrelated texts differed in fewer than 18. It says little about texts of
/// a few dozen words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Fingerprint(pub u64);

impl Fingerprint {
    /// In how many of 64 bits two fingerprints differ.
    #[must_use]
    pub fn distance(self, other: Fingerprint) -> u32 {
        (self.0 ^ other.0).count_ones()
    }
}

impl fmt::Display for Fingerprint {
    /// Sixteen hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Fingerprint {
    type Err = ParseIntError;

    fn from_str(digits: &str) -> Result<Fingerprint, ParseIntError> {
        u64::from_str_radix(digits, 16).map(Fingerprint)
    }
}

/// How often each of 64 bits was set: binary numbers side by side, of which each plane holds one digit of all.
#[derive(Debug, Default)]
struct Ones {
    planes: [u64; 32],
    features: u32,
}

impl Ones {
    /// Adds one to the numbers whose bits are set; carries die out after a few planes.
    fn add(&mut self, hash: u64) {
        self.features += 1;
        let mut carry = hash;
        for plane in &mut self.planes {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
            if carry == 0 {
                break;
            }
        }
    }

    fn count(&self, bit: usize) -> u64 {
        self.planes.iter().rev().fold(0, |count, plane| count << 1 | plane >> bit & 1)
    }

    fn majority(&self) -> u64 {
        let bits = (0..64).filter(|bit| 2 * self.count(*bit) > u64::from(self.features));
        bits.fold(0, |bits, bit| bits | 1 << bit)
    }
}

/// FNV-1a over the word in lower case.
fn hash_of_word(word: &str) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    if word.is_ascii() {
        return word.bytes().fold(START, |hash, byte| add(hash, byte.to_ascii_lowercase()));
    }
    let mut buffer = [0; 4];
    let lower = word.chars().flat_map(char::to_lowercase);
    lower.fold(START, |hash, character| character.encode_utf8(&mut buffer).bytes().fold(hash, add))
}

/// The hashes of words in order, mixed: FNV-1a alone leaves the high bits of short words alike.
fn hash_of_shingle(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash, word| mixed(hash, *word))
}

/// One more word in a hash.
fn mixed(hash: u64, word: u64) -> u64 {
    let mut mixed = (hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// The language of a text as a BCP 47 tag, if it is plain.
#[must_use]
pub fn detect_language(text: &str) -> Option<&'static str> {
    let start = &text[..text.floor_char_boundary(LANGUAGE_BYTES)];
    let found = whatlang::detect(start)?;
    found.is_reliable().then(|| tag(found.lang()))
}

/// The shortest tag of a language, as BCP 47 wants it.
fn tag(language: Lang) -> &'static str {
    match language {
        Lang::Epo => "eo",
        Lang::Eng => "en",
        Lang::Rus => "ru",
        Lang::Cmn => "zh",
        Lang::Spa => "es",
        Lang::Por => "pt",
        Lang::Ita => "it",
        Lang::Ben => "bn",
        Lang::Fra => "fr",
        Lang::Deu => "de",
        Lang::Ukr => "uk",
        Lang::Kat => "ka",
        Lang::Ara => "ar",
        Lang::Hin => "hi",
        Lang::Jpn => "ja",
        Lang::Heb => "he",
        Lang::Yid => "yi",
        Lang::Pol => "pl",
        Lang::Amh => "am",
        Lang::Jav => "jv",
        Lang::Kor => "ko",
        Lang::Nob => "nb",
        Lang::Dan => "da",
        Lang::Swe => "sv",
        Lang::Fin => "fi",
        Lang::Tur => "tr",
        Lang::Nld => "nl",
        Lang::Hun => "hu",
        Lang::Ces => "cs",
        Lang::Ell => "el",
        Lang::Bul => "bg",
        Lang::Bel => "be",
        Lang::Mar => "mr",
        Lang::Kan => "kn",
        Lang::Ron => "ro",
        Lang::Slv => "sl",
        Lang::Hrv => "hr",
        Lang::Srp => "sr",
        Lang::Mkd => "mk",
        Lang::Lit => "lt",
        Lang::Lav => "lv",
        Lang::Est => "et",
        Lang::Tam => "ta",
        Lang::Vie => "vi",
        Lang::Urd => "ur",
        Lang::Tha => "th",
        Lang::Guj => "gu",
        Lang::Uzb => "uz",
        Lang::Pan => "pa",
        Lang::Aze => "az",
        Lang::Ind => "id",
        Lang::Tel => "te",
        Lang::Pes => "fa",
        Lang::Mal => "ml",
        Lang::Ori => "or",
        Lang::Mya => "my",
        Lang::Nep => "ne",
        Lang::Sin => "si",
        Lang::Khm => "km",
        Lang::Tuk => "tk",
        Lang::Aka => "ak",
        Lang::Zul => "zu",
        Lang::Sna => "sn",
        Lang::Afr => "af",
        Lang::Lat => "la",
        Lang::Slk => "sk",
        Lang::Cat => "ca",
        Lang::Tgl => "tl",
        Lang::Hye => "hy",
        Lang::Cym => "cy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(text: &str) -> Fingerprint {
        TextFacts::of(text).fingerprint.unwrap()
    }

    /// A text of numbered words, some of them changed.
    fn text(words: usize, is_changed: impl Fn(usize) -> bool) -> String {
        (0..words).map(|at| if is_changed(at) { format!("changed{at} ") } else { format!("word{at} ") }).collect()
    }

    #[test]
    fn fingerprints_are_those_of_every_version() {
        let cases = [
            ("It rained all day.", "8124308000204850"),
            ("rain", "eb56840b5060c19f"),
            ("今天下雨了", "33d4fe6a8cf758fd"),
            ("Ünïcode ŁÓDŹ straße", "3451795edc25bfc1"),
        ];
        for (text, digits) in cases {
            assert_eq!(fingerprint(text).to_string(), digits, "{text}");
            assert_eq!(digits.parse(), Ok(fingerprint(text)));
        }
    }

    #[test]
    fn case_marks_and_white_space_do_not_matter_but_order_does() {
        assert_eq!(fingerprint("It rained, all DAY!"), fingerprint("it  rained\nall day"));
        assert_ne!(fingerprint("it rained all day"), fingerprint("all day it rained"));
        assert_eq!(TextFacts::of(" – … "), TextFacts { words: 0, reading_minutes: 0, fingerprint: None, words_hash: None });
    }

    #[test]
    fn a_hash_of_words_is_that_of_every_version_and_tells_any_other_word() {
        let hash = |text: &str| TextFacts::of(text).words_hash;
        assert_eq!(hash("It rained, all DAY!"), Some(585_443_132_832_790_017));
        assert_eq!(hash("It rained, all DAY!"), hash("it  rained\nall day"));
        let others = ["it rained all", "all day it rained", "it rained all days", "it rained all day day", "itrained all day"];
        others.iter().for_each(|other| assert_ne!(hash(other), hash("it rained all day"), "{other}"));
    }

    #[test]
    fn copies_are_near_and_others_far() {
        let original = fingerprint(&text(400, |_| false));
        assert!(original.distance(fingerprint(&text(400, |at| at == 200))) <= 6);
        assert!(original.distance(fingerprint(&text(400, |at| at >= 390))) <= 10);
        assert!(original.distance(fingerprint(&text(400, |_| true))) >= 16);
    }

    #[test]
    fn reading_takes_as_long_as_it_takes() {
        let minutes = |text: &str| TextFacts::of(text).reading_minutes;
        assert_eq!((minutes("word"), minutes(&text(238, |_| false)), minutes(&text(500, |_| false))), (1, 1, 3));
        assert_eq!(minutes(&"雨".repeat(900)), 3);
    }

    #[test]
    fn the_language_is_told_of_plain_texts_only() {
        let cases = [
            ("Es hat den ganzen Tag geregnet, und niemand war auf der Straße, bis am Abend die Sonne wieder schien.", Some("de")),
            ("It rained all day long, and nobody was in the street until the sun came out again in the evening.", Some("en")),
            ("Il a plu toute la journée, et personne n’était dans la rue avant que le soleil ne revienne le soir.", Some("fr")),
            ("Весь день шёл дождь, и на улице никого не было, пока вечером снова не выглянуло солнце.", Some("ru")),
            ("一日中雨が降って、夕方に太陽が出るまで通りには誰もいませんでした。", Some("ja")),
            ("整天都在下雨，街上没有人，直到傍晚太阳又出来了。", Some("zh")),
            ("12 345", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(detect_language(text), expected, "{text}");
        }
    }
}
