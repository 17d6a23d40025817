//! Decoding of the bytes of a web page to text.
//!
//! The evidence for the charset, strongest first:
//!
//! 1. a byte order mark (UTF-8, UTF-16LE, UTF-16BE), which is not part of the text;
//! 2. UTF-16 without a byte order mark, seen by its pattern of NUL bytes: no other charset of
//!    the web produces it, and no label can be read before it is recognised;
//! 3. the charset given by the caller, as a rule from the `Content-Type` header;
//! 4. a `meta` element or an XML declaration among the first bytes of the page;
//! 5. bytes that are UTF-8;
//! 6. a guess by the frequencies of letters (`chardetng`, the detector of Firefox) and by the country of the page's address.
//!
//! A label (3 and 4) that the bytes refute is passed over, and the next evidence decides; see
//! [`decode`]. The order, the labels and the search for `meta` are those of the WHATWG standards:
//! <https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding> and
//! <https://encoding.spec.whatwg.org/>.

mod guess;
mod prescan;

use std::borrow::Cow;
use std::cell::LazyCell;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874};

/// How far into the page labels and NUL bytes are looked for. The standard says 1024 bytes, but
/// real pages put scripts and styles before their `meta` element.
const PRESCAN_LENGTH: usize = 16 * 1024;

/// How the charset of a page was found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CharsetSource {
    /// A byte order mark.
    Bom,
    /// The label given by the caller.
    Given,
    /// A `meta` element or an XML declaration.
    Meta,
    /// No label, or one that the bytes refute; the bytes are UTF-8.
    Utf8,
    /// No label, or one that the bytes refute; the bytes look like this charset.
    Guessed,
}

impl CharsetSource {
    /// The name of the source in lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bom => "bom",
            Self::Given => "given",
            Self::Meta => "meta",
            Self::Utf8 => "utf8",
            Self::Guessed => "guessed",
        }
    }
}

/// The text of a page, and how it came out of the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without a byte order mark.
    pub text: String,
    /// The name of the charset in the WHATWG Encoding Standard, such as `windows-1252`.
    pub charset: &'static str,
    /// How the charset was found out.
    pub source: CharsetSource,
    /// Some bytes mean nothing in the charset; U+FFFD stands in their place.
    pub malformed: bool,
    /// The text has the same bytes as the input, so that byte offsets into one hold for the other.
    pub offsets_match: bool,
}

/// Whether a charset of this name is known to the web.
#[must_use]
pub fn is_known(label: &str) -> bool {
    known_label(label.as_bytes()).is_some()
}

/// Decodes the bytes of a page. `given` is the charset the caller knows of, if any: a label of the
/// WHATWG Encoding Standard. A label that the standard does not know is ignored.
///
/// Any bytes give a text. Owned bytes that are UTF-8 become the text without being copied.
///
/// Labels are often wrong in ways that the bytes show, and then do not count:
///
/// * UTF-8, but there are more malformed sequences than well-formed multi-byte sequences. A page
///   in UTF-8 with a few stray bytes stays UTF-8; in text of another charset, well-formed
///   sequences come about only by accident. A character cut off by the end is no error.
/// * A legacy charset in a `meta` element, but the bytes are UTF-8 and not ASCII. In charsets whose
///   characters can combine to UTF-8 by accident (those of East Asia, and Thai) eight such
///   sequences are needed. The caller is not contradicted in this way, as in browsers.
/// * UTF-16 given by the caller, but the bytes are UTF-8 without a NUL byte, as in no UTF-16 markup.
#[must_use]
pub fn decode<'a>(bytes: impl Into<Cow<'a, [u8]>>, given: Option<&str>) -> Decoded {
    decode_bytes(bytes.into(), given, None)
}

/// Decodes the bytes of a page of a host, whose country helps where the charset can only be guessed.
#[must_use]
pub fn decode_at<'a>(bytes: impl Into<Cow<'a, [u8]>>, given: Option<&str>, host: Option<&str>) -> Decoded {
    decode_bytes(bytes.into(), given, host)
}

fn decode_bytes(bytes: Cow<'_, [u8]>, given: Option<&str>, host: Option<&str>) -> Decoded {
    // Most pages are UTF-8, and are read through once to know it.
    let (mut text, bytes) = match String::from_utf8(bytes.into_owned()) {
        Ok(text) => (text, Vec::new()),
        Err(error) => (String::new(), error.into_bytes()),
    };
    let is_utf8 = bytes.is_empty();
    let bytes = if is_utf8 { text.as_bytes() } else { &bytes };
    let (encoding, source, skip) = choose(bytes, is_utf8, given, host);
    let charset = encoding.name();
    if !(is_utf8 && encoding == UTF_8) {
        let (decoded, malformed) = encoding.decode_without_bom_handling(bytes.get(skip..).unwrap_or_default());
        // Else the bytes are ASCII that means the same in this charset.
        if !is_utf8 || matches!(decoded, Cow::Owned(_)) {
            return Decoded { text: decoded.into_owned(), charset, source, malformed, offsets_match: false };
        }
    }
    text.drain(..skip);
    Decoded { text, charset, source, malformed: false, offsets_match: skip == 0 }
}

/// Weighs the evidence. The last value is the length of the byte order mark.
fn choose(bytes: &[u8], is_utf8: bool, given: Option<&str>, host: Option<&str>) -> (&'static Encoding, CharsetSource, usize) {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return (encoding, CharsetSource::Bom, length);
    }
    let given = given.and_then(|label| known_label(label.as_bytes()));
    if let Some(encoding) = guess::utf16_by_nul_bytes(bytes) {
        let agrees = given == Some(encoding);
        let source = if agrees { CharsetSource::Given } else { CharsetSource::Guessed };
        return (encoding, source, 0);
    }
    // Not counted unless needed: there is an error at almost every letter of a legacy charset.
    let counts = LazyCell::new(|| count_sequences(bytes));
    let refuted_utf8 = |encoding| encoding == UTF_8 && !is_utf8 && counts.1 > counts.0;
    if let Some(encoding) = given {
        let is_utf16 = encoding == UTF_16LE || encoding == UTF_16BE;
        if !(refuted_utf8(encoding) || is_utf16 && is_utf8 && !bytes.contains(&0)) {
            return (encoding, CharsetSource::Given, 0);
        }
    }
    if let Some(encoding) = prescan::declared(bytes) {
        let by_accident = !encoding.is_single_byte() || encoding == WINDOWS_874;
        let needed = if by_accident { 8 } else { 1 };
        let refuted_legacy = encoding != UTF_8 && is_utf8 && sequences(bytes).take(needed).count() == needed;
        if !(refuted_utf8(encoding) || refuted_legacy) {
            return (encoding, CharsetSource::Meta, 0);
        }
    }
    if is_utf8 {
        // ISO-2022-JP is written in ASCII bytes, with escape sequences.
        if bytes.contains(&0x1B) && bytes.is_ascii() && guess::guess(bytes, host) == ISO_2022_JP {
            return (ISO_2022_JP, CharsetSource::Guessed, 0);
        }
        return (UTF_8, CharsetSource::Utf8, 0);
    }
    // Without a label that says UTF-8, the bytes must say it more clearly.
    let (well_formed, malformed) = *counts;
    let damaged_utf8 = well_formed > 0 && malformed <= well_formed / 4;
    let encoding = if damaged_utf8 { UTF_8 } else { guess::guess(bytes, host) };
    (encoding, CharsetSource::Guessed, 0)
}

/// The encoding of a label. Labels of charsets that the standard only names in order to refuse
/// them (ISO-2022-KR and the like) would lose the whole text, so they count as unknown.
fn known_label(label: &[u8]) -> Option<&'static Encoding> {
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    let mut parts = label.split(is_quote).map(<[u8]>::trim_ascii);
    let label = parts.find(|part| !part.is_empty())?;
    Encoding::for_label(label).filter(|encoding| *encoding != REPLACEMENT)
}

/// The lead bytes of multi-byte sequences.
fn sequences(bytes: &[u8]) -> impl Iterator<Item = &u8> {
    bytes.iter().filter(|byte| **byte >= 0xC0)
}

/// How many multi-byte sequences of UTF-8 are well-formed, and how many malformed.
fn count_sequences(bytes: &[u8]) -> (usize, usize) {
    let (mut well_formed, mut malformed) = (0, 0);
    let mut rest = bytes;
    while let Err(error) = std::str::from_utf8(rest) {
        let (valid, invalid) = rest.split_at(error.valid_up_to());
        well_formed += sequences(valid).count();
        // Without a length, the end of the bytes cuts off a character: no fault of the charset.
        let Some(length) = error.error_len() else {
            return (well_formed, malformed);
        };
        malformed += 1;
        rest = &invalid[length..];
    }
    (well_formed + sequences(rest).count(), malformed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Charsets with sentences of our own that are long enough for a guess.
    const SENTENCES: [(&str, &str); 17] = [
        ("GB18030", "昨天下午，图书馆门口排起了长队，因为新来的管理员把借书证的颜色全都换成了蓝色。"),
        ("GBK", "老王每天早上六点起床，先到河边散步，然后去市场买豆腐和青菜，回来给孙子做早饭。"),
        ("Big5", "山上的小學只有十二個學生，老師每星期帶他們到溪邊觀察魚和青蛙，回來再畫成圖畫。"),
        ("Shift_JIS", "駅前のパン屋は朝の七時に開きます。焼きたてのパンの匂いがすると、犬も足を止めてしまいます。"),
        ("EUC-JP", "祖母は毎年の春に庭の梅の実を集めて、大きな瓶に漬けます。夏になると、家族みんなで飲みます。"),
        ("ISO-2022-JP", "雨の日には、古い本を読みながら、窓の外の音を聞くのが好きです。"),
        ("EUC-KR", "어제 저녁에 동네 도서관에서 작은 음악회가 열렸습니다. 비가 왔지만 많은 사람들이 모였습니다."),
        ("windows-1250", "Příliš mnoho lidí čekalo ráno na zpožděný vlak, a tak si paní učitelka sedla na kufr a četla žákům."),
        ("ISO-8859-2", "Wczoraj po południu listonosz zgubił klucze, więc wszyscy sąsiedzi pomagali mu szukać ich pod śniegiem."),
        (
            "windows-1251",
            "Вчера вечером почтальон потерял ключи, и соседи до темноты искали их под снегом возле старой мельницы.",
        ),
        ("KOI8-R", "Моя бабушка каждое утро кормит воробьёв крошками, а потом долго рассказывает им последние новости."),
        (
            "KOI8-U",
            "Щоранку дідусь їздить до лісу, збирає гриби й повертається аж увечері, бо ґрунтові дороги розмокли, її це дивує.",
        ),
        (
            "windows-1252",
            "Le boulanger a été très étonné : la fenêtre de l’école était ouverte, et un garçon y mangeait une crêpe.",
        ),
        ("windows-1253", "Ο ταχυδρόμος έχασε χθες τα κλειδιά του και οι γείτονες έψαχναν μέχρι το βράδυ κάτω από το χιόνι."),
        ("windows-1255", "הדוור איבד אתמול את המפתחות שלו, וכל השכנים עזרו לו לחפש אותם עד הערב ליד הבאר הישנה."),
        ("windows-1256", "فقد ساعي البريد مفاتيحه أمس، فساعده كل الجيران في البحث عنها حتى المساء قرب البئر القديمة."),
        ("UTF-8", "Ζωή, жизнь, život, 生活 – jede Sprache hat dafür ein eigenes Wort."),
    ];

    fn page(head: &str, sentence: &str) -> String {
        format!("<html><head>{head}</head><body><p>{sentence}</p></body></html>")
    }

    fn encode(text: &str, charset: &str) -> Vec<u8> {
        let encoding = Encoding::for_label(charset.as_bytes()).expect("label");
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable, "{charset}");
        bytes.into_owned()
    }

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    fn check(bytes: &[u8], given: Option<&str>, text: &str, charset: &str, source: CharsetSource) {
        let decoded = decode(bytes, given);
        let found = (decoded.text.as_str(), decoded.charset, decoded.source);
        assert_eq!(found, (text, charset, source));
        assert!(!decoded.malformed, "{charset}");
        assert_eq!(decoded.offsets_match, bytes == text.as_bytes());
    }

    #[test]
    fn text_comes_out_by_the_label_of_the_caller() {
        for (charset, sentence) in SENTENCES {
            let name = if charset == "GB18030" { "gb18030" } else { charset };
            let bytes = encode(sentence, charset);
            check(&bytes, Some(charset), sentence, name, CharsetSource::Given);
            let quoted = format!(" '{}' ", charset.to_lowercase());
            check(&bytes, Some(&quoted), sentence, name, CharsetSource::Given);
        }
    }

    #[test]
    fn text_comes_out_by_a_meta_element() {
        for (charset, sentence) in SENTENCES {
            let name = if charset == "GB18030" { "gb18030" } else { charset };
            let text = page(&format!("<meta charset={charset}>"), sentence);
            let bytes = encode(&text, charset);
            check(&bytes, None, &text, name, CharsetSource::Meta);
            check(&bytes, Some("unknown-8"), &text, name, CharsetSource::Meta);
        }
    }

    #[test]
    fn text_comes_out_by_guess() {
        for (charset, sentence) in SENTENCES {
            // Scripts of more than the sample before the text must not hide it.
            for script in ["", &"var a = 1;\n".repeat(10_000)] {
                let text = page(script, sentence);
                let decoded = decode(encode(&text, charset), None);
                assert_eq!(decoded.text, text, "{charset}");
                let is_utf8 = decoded.source == CharsetSource::Utf8;
                assert_eq!(is_utf8, charset == "UTF-8");
            }
        }
    }

    #[test]
    fn the_country_of_the_host_decides_where_letters_do_not() {
        let texts = ["Jó idő", "Esős nap", "fő út", "Eladó ház, kertes, Győr", "Friss hírek: az eső", "Gyűjtő"];
        let is_read = |text: &&str, host| decode_at(encode(text, "windows-1250"), None, host).text == **text;
        assert!(!texts.iter().all(|text| is_read(text, None)));
        assert!(texts.iter().all(|text| is_read(text, Some("www.example.hu"))));
        let bytes = encode(texts[0], "windows-1250");
        // Nothing of a host is trusted: it may be none at all.
        for host in ["", ".", "HU", "example.HU", "пример.рф", "10.0.0.1", "[::1]"] {
            let _ = decode_at(&bytes, None, Some(host));
        }
    }

    #[test]
    fn a_byte_order_mark_wins_and_is_no_text() {
        let text = page("<meta charset=koi8-r>", "Grüße, привет, 你好");
        let marked = format!("\u{FEFF}{text}");
        for given in [None, Some("koi8-r"), Some("utf-8")] {
            let bytes = utf16(&marked, u16::to_le_bytes);
            check(&bytes, given, &text, "UTF-16LE", CharsetSource::Bom);
            let bytes = utf16(&marked, u16::to_be_bytes);
            check(&bytes, given, &text, "UTF-16BE", CharsetSource::Bom);
            check(marked.as_bytes(), given, &text, "UTF-8", CharsetSource::Bom);
        }
    }

    #[test]
    fn utf16_is_seen_without_a_byte_order_mark() {
        let text = page("<meta charset=utf-16>", "一些中文字，一点标记。");
        for given in [None, Some("utf-8"), Some("utf-16")] {
            let source = match given {
                Some("utf-16") => CharsetSource::Given,
                _ => CharsetSource::Guessed,
            };
            let bytes = utf16(&text, u16::to_le_bytes);
            check(&bytes, given, &text, "UTF-16LE", source);
            // The label "utf-16" means the other byte order.
            let bytes = utf16(&text, u16::to_be_bytes);
            check(&bytes, given, &text, "UTF-16BE", CharsetSource::Guessed);
        }
        check(text.as_bytes(), Some("utf-16"), &text, "UTF-8", CharsetSource::Meta);
    }

    #[test]
    fn a_false_label_of_utf8_gives_way_to_other_evidence() {
        for (charset, sentence) in &SENTENCES[6..16] {
            let text = page("<meta charset=utf-8>", sentence);
            let decoded = decode(encode(&text, charset), Some("utf-8"));
            assert_eq!((decoded.text, decoded.source), (text, CharsetSource::Guessed));
        }
        let text = page("<meta charset=iso-8859-5>", "Ещё");
        let bytes = encode(&text, "iso-8859-5");
        check(&bytes, Some("utf-8"), &text, "ISO-8859-5", CharsetSource::Meta);
    }

    #[test]
    fn utf8_with_few_errors_stays_utf8() {
        let mut bytes = page("", "Żółw, jeż, łoś i żaba").into_bytes();
        bytes.extend(b"caf\xE9s");
        for (given, source) in [(Some("utf-8"), CharsetSource::Given), (None, CharsetSource::Guessed)] {
            let decoded = decode(&bytes, given);
            assert_eq!((decoded.charset, decoded.source), ("UTF-8", source));
            assert!(decoded.malformed && !decoded.offsets_match);
            assert!(decoded.text.ends_with("caf\u{FFFD}s"));
        }
    }

    #[test]
    fn a_false_meta_of_a_legacy_charset_gives_way_to_utf8_but_a_given_one_does_not() {
        let text = page("<meta charset=iso-8859-1>", "señor");
        check(text.as_bytes(), None, &text, "UTF-8", CharsetSource::Utf8);
        assert!(decode(text.as_bytes(), Some("latin1")).text.contains("seÃ±or"));
        // Two characters of GBK that happen to be UTF-8, and enough UTF-8 to be sure.
        let text = page("<meta charset=gb2312>", "联通");
        check(&encode(&text, "gbk"), None, &text, "GBK", CharsetSource::Meta);
        let text = page("<meta charset=gb2312>", "今天的天气非常好");
        check(text.as_bytes(), None, &text, "UTF-8", CharsetSource::Utf8);
    }

    #[test]
    fn owned_utf8_is_not_copied() {
        let bytes = page("", "Grüße").into_bytes();
        let address = bytes.as_ptr();
        assert_eq!(decode(bytes, None).text.as_ptr(), address);
    }

    #[test]
    fn truncation_at_any_position_loses_only_the_end() {
        for (charset, sentence) in SENTENCES {
            let bytes = encode(sentence, charset);
            for end in 0..=bytes.len() {
                // A cut escape sequence of ISO-2022-JP leaves ASCII characters behind.
                let text = decode(&bytes[..end], Some(charset)).text;
                assert!(charset == "ISO-2022-JP" || sentence.starts_with(text.trim_end_matches('\u{FFFD}')), "{charset} {end}");
                let _ = decode(&bytes[..end], None);
            }
        }
        let bytes = SENTENCES[16].1.as_bytes();
        for end in 2..=bytes.len() {
            assert_eq!(decode(&bytes[..end], None).charset, "UTF-8");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_text(bytes: Vec<u8>, label in 0..SENTENCES.len()) {
            for given in [None, Some(SENTENCES[label].0), Some("utf-16be")] {
                let decoded = decode(&bytes, given);
                prop_assert_eq!(decoded.offsets_match, decoded.text.as_bytes() == bytes);
            }
        }

        #[test]
        fn markup_of_any_kind_gives_a_text(
            text in "(<meta |<!--|-->|<|>|charset|=|\"|'|content|http-equiv|koi8-r|/|;|é| |<?xml){0,30}",
        ) {
            prop_assert_eq!(decode(encode(&text, "latin1"), Some("latin1")).text, text.clone());
            let _ = decode(encode(&text, "latin1"), None);
        }
    }
}
