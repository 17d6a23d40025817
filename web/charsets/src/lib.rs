//! The charsets of the WHATWG Encoding Standard with packed tables, in place of the crate `encoding_rs`.
//!
//! The module is downloaded by everybody who uses it, so its size counts. That crate is written for speed, with a decoder for each kind of
//! output and its tables as they are; here every charset is one small machine ([`Decoder`]), and the tables are packed (`tables`) until a page needs them. It has what the
//! engine and its detector of charsets call, and answers the same; tests compare them. Platforms' own decoders would save
//! the tables too, but that of Node is not the standard's: its Big5 and EUC-KR have thousands of other characters.

mod machine;
pub mod packing;
pub mod tables;

use machine::{Machine, Step};
use std::borrow::Cow;

/// A charset.
#[derive(Debug)]
pub struct Encoding {
    name: &'static str,
    kind: Kind,
}

/// How a charset is decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Utf8,
    Utf16 {
        is_big: bool,
    },
    Replacement,
    UserDefined,
    /// The place of its upper half among those of all such charsets.
    SingleByte(u8),
    Gb18030,
    Big5,
    EucJp,
    Iso2022Jp,
    ShiftJis,
    EucKr,
}

macro_rules! charsets {
    ($($constant:ident $init:ident $name:literal $kind:expr;)*) => {
        $(#[doc = $name]
        pub static $init: Encoding = Encoding { name: $name, kind: $kind };
        #[doc = $name]
        pub static $constant: &Encoding = &$init;)*
        static ALL: &[&Encoding] = &[$(&$init),*];
    };
}

charsets! {
    UTF_8 UTF_8_INIT "UTF-8" Kind::Utf8;
    UTF_16LE UTF_16LE_INIT "UTF-16LE" Kind::Utf16 { is_big: false };
    UTF_16BE UTF_16BE_INIT "UTF-16BE" Kind::Utf16 { is_big: true };
    REPLACEMENT REPLACEMENT_INIT "replacement" Kind::Replacement;
    X_USER_DEFINED X_USER_DEFINED_INIT "x-user-defined" Kind::UserDefined;
    GBK GBK_INIT "GBK" Kind::Gb18030;
    GB18030 GB18030_INIT "gb18030" Kind::Gb18030;
    BIG5 BIG5_INIT "Big5" Kind::Big5;
    EUC_JP EUC_JP_INIT "EUC-JP" Kind::EucJp;
    ISO_2022_JP ISO_2022_JP_INIT "ISO-2022-JP" Kind::Iso2022Jp;
    SHIFT_JIS SHIFT_JIS_INIT "Shift_JIS" Kind::ShiftJis;
    EUC_KR EUC_KR_INIT "EUC-KR" Kind::EucKr;
    IBM866 IBM866_INIT "IBM866" Kind::SingleByte(0);
    ISO_8859_2 ISO_8859_2_INIT "ISO-8859-2" Kind::SingleByte(1);
    ISO_8859_3 ISO_8859_3_INIT "ISO-8859-3" Kind::SingleByte(2);
    ISO_8859_4 ISO_8859_4_INIT "ISO-8859-4" Kind::SingleByte(3);
    ISO_8859_5 ISO_8859_5_INIT "ISO-8859-5" Kind::SingleByte(4);
    ISO_8859_6 ISO_8859_6_INIT "ISO-8859-6" Kind::SingleByte(5);
    ISO_8859_7 ISO_8859_7_INIT "ISO-8859-7" Kind::SingleByte(6);
    ISO_8859_8 ISO_8859_8_INIT "ISO-8859-8" Kind::SingleByte(7);
    ISO_8859_8_I ISO_8859_8_I_INIT "ISO-8859-8-I" Kind::SingleByte(7);
    ISO_8859_10 ISO_8859_10_INIT "ISO-8859-10" Kind::SingleByte(8);
    ISO_8859_13 ISO_8859_13_INIT "ISO-8859-13" Kind::SingleByte(9);
    ISO_8859_14 ISO_8859_14_INIT "ISO-8859-14" Kind::SingleByte(10);
    ISO_8859_15 ISO_8859_15_INIT "ISO-8859-15" Kind::SingleByte(11);
    ISO_8859_16 ISO_8859_16_INIT "ISO-8859-16" Kind::SingleByte(12);
    KOI8_R KOI8_R_INIT "KOI8-R" Kind::SingleByte(13);
    KOI8_U KOI8_U_INIT "KOI8-U" Kind::SingleByte(14);
    MACINTOSH MACINTOSH_INIT "macintosh" Kind::SingleByte(15);
    WINDOWS_874 WINDOWS_874_INIT "windows-874" Kind::SingleByte(16);
    WINDOWS_1250 WINDOWS_1250_INIT "windows-1250" Kind::SingleByte(17);
    WINDOWS_1251 WINDOWS_1251_INIT "windows-1251" Kind::SingleByte(18);
    WINDOWS_1252 WINDOWS_1252_INIT "windows-1252" Kind::SingleByte(19);
    WINDOWS_1253 WINDOWS_1253_INIT "windows-1253" Kind::SingleByte(20);
    WINDOWS_1254 WINDOWS_1254_INIT "windows-1254" Kind::SingleByte(21);
    WINDOWS_1255 WINDOWS_1255_INIT "windows-1255" Kind::SingleByte(22);
    WINDOWS_1256 WINDOWS_1256_INIT "windows-1256" Kind::SingleByte(23);
    WINDOWS_1257 WINDOWS_1257_INIT "windows-1257" Kind::SingleByte(24);
    WINDOWS_1258 WINDOWS_1258_INIT "windows-1258" Kind::SingleByte(25);
    X_MAC_CYRILLIC X_MAC_CYRILLIC_INIT "x-mac-cyrillic" Kind::SingleByte(26);
}

/// A charset a line: its name, and its labels.
static LABELS: &str = include_str!("../labels.txt");

impl PartialEq for Encoding {
    fn eq(&self, other: &Encoding) -> bool {
        self.name == other.name
    }
}

impl Eq for Encoding {}

impl Encoding {
    /// The charset of a label.
    #[must_use]
    pub fn for_label(label: &[u8]) -> Option<&'static Encoding> {
        let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ');
        let start = label.iter().position(|byte| !is_space(byte))?;
        let end = label.iter().rposition(|byte| !is_space(byte))?;
        let label = &label[start..=end];
        let is_it = |known: &str| known.as_bytes().eq_ignore_ascii_case(label);
        let line = LABELS.lines().find(|line| line.split(' ').skip(1).any(is_it))?;
        let name = line.split(' ').next()?;
        ALL.iter().copied().find(|charset| charset.name == name)
    }

    /// The charset of a byte order mark, and the length of the mark.
    #[must_use]
    pub fn for_bom(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
        match bytes {
            [0xEF, 0xBB, 0xBF, ..] => Some((UTF_8, 3)),
            [0xFF, 0xFE, ..] => Some((UTF_16LE, 2)),
            [0xFE, 0xFF, ..] => Some((UTF_16BE, 2)),
            _ => None,
        }
    }

    /// Its name in the standard.
    #[must_use]
    pub fn name(&'static self) -> &'static str {
        self.name
    }

    /// Whether each byte is a character.
    #[must_use]
    pub fn is_single_byte(&'static self) -> bool {
        matches!(self.kind, Kind::SingleByte(_) | Kind::UserDefined)
    }

    /// How many bytes at the start are UTF-8.
    #[must_use]
    pub fn utf8_valid_up_to(bytes: &[u8]) -> usize {
        std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len)
    }

    /// How many bytes at the start are ASCII.
    #[must_use]
    pub fn ascii_valid_up_to(bytes: &[u8]) -> usize {
        let whole = bytes.chunks_exact(32).take_while(|chunk| chunk.is_ascii()).count() * 32;
        bytes[whole..].iter().position(|byte| !byte.is_ascii()).map_or(bytes.len(), |at| whole + at)
    }

    /// The text of bytes, and whether some mean nothing. A byte order mark is a character.
    #[must_use]
    pub fn decode_without_bom_handling<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        let valid = match self.kind {
            Kind::Utf8 => {
                let text = String::from_utf8_lossy(bytes);
                // Only where something had to be replaced the text is another one.
                let malformed = matches!(text, Cow::Owned(_));
                return (text, malformed);
            }
            Kind::Utf16 { .. } | Kind::Replacement => 0,
            Kind::Iso2022Jp => {
                bytes.iter().position(|byte| !byte.is_ascii() || matches!(byte, 0x0E | 0x0F | 0x1B)).unwrap_or(bytes.len())
            }
            _ => Encoding::ascii_valid_up_to(bytes),
        };
        match std::str::from_utf8(&bytes[..valid]) {
            Ok(text) if valid == bytes.len() && !matches!(self.kind, Kind::Utf16 { .. } | Kind::Replacement) => {
                (Cow::Borrowed(text), false)
            }
            _ => {
                let (text, malformed) = self.decode(bytes);
                (Cow::Owned(text), malformed)
            }
        }
    }

    fn decode(&'static self, bytes: &[u8]) -> (String, bool) {
        let mut machine = Machine::new(self.kind);
        let (mut text, mut malformed, mut at) = (String::with_capacity(bytes.len()), false, 0);
        loop {
            if machine.is_plain() {
                let ascii = Encoding::ascii_valid_up_to(&bytes[at..]);
                text.push_str(std::str::from_utf8(&bytes[at..at + ascii]).unwrap_or_default());
                at += ascii;
            }
            let byte = bytes.get(at).copied();
            at += usize::from(byte.is_some());
            match machine.step(byte) {
                Step::More if byte.is_none() => return (text, malformed),
                Step::More => {}
                Step::One(char) => text.push(char),
                Step::Two(one, two) => text.extend([one, two]),
                Step::Bad { again, .. } => {
                    text.push('\u{FFFD}');
                    malformed = true;
                    // Bytes that may be something by themselves are looked at again.
                    at = at.saturating_sub(usize::from(again));
                }
            }
        }
    }

    /// A decoder of bytes that come in pieces.
    #[must_use]
    pub fn new_decoder_without_bom_handling(&'static self) -> Decoder {
        Decoder(Machine::new(self.kind))
    }
}

/// Why a [`Decoder`] came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecoderResult {
    /// All bytes were read.
    InputEmpty,
    /// There is no room for another character.
    OutputFull,
    /// So many bytes mean nothing, the last of them so many before those that were read.
    Malformed(u8, u8),
}

/// A decoder of bytes that come in pieces, as the detector uses it: after bytes that mean nothing in GBK or ISO-2022-JP it is not used on.
#[derive(Debug)]
pub struct Decoder(Machine);

impl Decoder {
    /// Decodes to UTF-16; answers how many bytes were read and how many units were written.
    pub fn decode_to_utf16_without_replacement(
        &mut self,
        bytes: &[u8],
        to: &mut [u16],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        let mut written = 0;
        let (result, read) = self.decode(bytes, last, |char| match char {
            None => to.len() - written >= 2,
            Some(char) => {
                written += char.encode_utf16(&mut to[written..]).len();
                true
            }
        });
        (result, read, written)
    }

    /// Decodes to UTF-8; answers how many bytes were read and how many were written.
    pub fn decode_to_utf8_without_replacement(
        &mut self,
        bytes: &[u8],
        to: &mut [u8],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        let mut written = 0;
        let (result, read) = self.decode(bytes, last, |char| match char {
            None => to.len() - written >= 6,
            Some(char) => {
                written += char.encode_utf8(&mut to[written..]).len();
                true
            }
        });
        (result, read, written)
    }

    /// Decodes to what takes characters, and says whether there is room for two when it is given none.
    fn decode(&mut self, bytes: &[u8], last: bool, mut take: impl FnMut(Option<char>) -> bool) -> (DecoderResult, usize) {
        let ends = last.then_some(None);
        for (at, byte) in bytes.iter().copied().map(Some).chain(ends).enumerate() {
            if !take(None) {
                return (DecoderResult::OutputFull, at);
            }
            match self.0.step(byte) {
                Step::More => {}
                Step::One(char) => _ = take(Some(char)),
                Step::Two(one, two) => _ = take(Some(one)) && take(Some(two)),
                Step::Bad { length, again } => {
                    let read = (at + 1).min(bytes.len()).saturating_sub(usize::from(again));
                    return (DecoderResult::Malformed(length, again), read);
                }
            }
        }
        (DecoderResult::InputEmpty, bytes.len())
    }
}
