//! The decoders of the standard, <https://encoding.spec.whatwg.org/>, in its order and with its names, a byte at a time.

use crate::Kind;
use crate::tables::{self, Table};

/// What comes of a byte.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Nothing yet; at the end, that it is the end.
    More,
    One(char),
    Two(char, char),
    /// An error of so many bytes, after which the last ones, so many, are to be looked at again.
    Bad {
        length: u8,
        again: u8,
    },
}

/// The states of ISO-2022-JP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Ascii,
    Roman,
    Katakana,
    LeadByte,
    TrailByte,
    EscapeStart,
    Escape,
}

/// A decoder.
#[derive(Debug)]
pub(crate) struct Machine {
    kind: Kind,
    /// Bytes of a character that is not whole; the first is 0 if there is none.
    lead: u8,
    second: u8,
    third: u8,
    /// EUC-JP: the next two bytes are of JIS X 0212.
    is_jis0212: bool,
    state: State,
    output_state: State,
    output: bool,
    /// UTF-8 and UTF-16: what of a character is known.
    code_point: u32,
    needed: u8,
    bounds: (u8, u8),
    /// UTF-16: the first byte of a unit.
    half: Option<u8>,
}

/// An error of one byte.
const BAD: Step = Step::Bad { length: 1, again: 0 };

fn one(code_point: u32) -> Step {
    char::from_u32(code_point).map_or(BAD, Step::One)
}

impl Machine {
    pub(crate) fn new(kind: Kind) -> Machine {
        let ascii = State::Ascii;
        Machine {
            kind,
            lead: 0,
            second: 0,
            third: 0,
            is_jis0212: false,
            state: ascii,
            output_state: ascii,
            output: false,
            code_point: 0,
            needed: 0,
            bounds: (0x80, 0xBF),
            half: None,
        }
    }

    /// Whether a byte of ASCII is itself now.
    pub(crate) fn is_plain(&self) -> bool {
        self.lead == 0 && self.needed == 0 && !matches!(self.kind, Kind::Utf16 { .. } | Kind::Replacement | Kind::Iso2022Jp)
    }

    /// Takes a byte, or the end.
    pub(crate) fn step(&mut self, byte: Option<u8>) -> Step {
        match (self.kind, byte) {
            (Kind::Iso2022Jp, _) => self.iso_2022_jp(byte),
            (Kind::Utf16 { is_big }, _) => self.utf_16(byte, is_big),
            (Kind::Utf8, _) => self.utf_8(byte),
            (Kind::Replacement, Some(_)) if self.lead == 0 => {
                self.lead = 1;
                BAD
            }
            (Kind::Replacement, _) => Step::More,
            (_, None) if self.lead == 0 => Step::More,
            (_, None) => {
                (self.lead, self.second, self.third, self.is_jis0212) = (0, 0, 0, false);
                BAD
            }
            (Kind::UserDefined, Some(byte @ 0x80..)) => one(0xF700 + u32::from(byte)),
            (Kind::SingleByte(number), Some(byte @ 0x80..)) => {
                match tables::code_point(Table::SingleByte, usize::from(number) * 128 + usize::from(byte - 0x80)) {
                    0 => BAD,
                    found => one(found),
                }
            }
            (Kind::Gb18030, Some(byte)) => self.gb18030(byte),
            (_, Some(byte)) if self.lead != 0 => self.trail(byte),
            (_, Some(byte @ ..0x80)) => Step::One(char::from(byte)),
            (kind, Some(byte)) => {
                let leads = match kind {
                    Kind::EucJp => matches!(byte, 0x8E | 0x8F | 0xA1..=0xFE),
                    Kind::ShiftJis => matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
                    _ => matches!(byte, 0x81..=0xFE),
                };
                match (kind, byte) {
                    _ if leads => {
                        self.lead = byte;
                        Step::More
                    }
                    (Kind::ShiftJis, 0x80) => one(0x80),
                    (Kind::ShiftJis, 0xA1..=0xDF) => one(0xFF61 - 0xA1 + u32::from(byte)),
                    _ => BAD,
                }
            }
        }
    }

    /// The second byte of a character in Big5, EUC-JP, Shift_JIS and EUC-KR.
    fn trail(&mut self, byte: u8) -> Step {
        let lead = std::mem::take(&mut self.lead);
        let [row, column] = [lead, byte].map(usize::from);
        let (table, pointer) = match (self.kind, lead, byte) {
            (Kind::Big5, _, 0x40..=0x7E) => (Table::Big5, Some((row - 0x81) * 157 + column - 0x40)),
            (Kind::Big5, _, 0xA1..=0xFE) => (Table::Big5, Some((row - 0x81) * 157 + column - 0x62)),
            (Kind::EucJp, 0x8E, 0xA1..=0xDF) => return one(0xFF61 - 0xA1 + u32::from(byte)),
            (Kind::EucJp, 0x8F, 0xA1..=0xFE) if !self.is_jis0212 => {
                (self.is_jis0212, self.lead) = (true, byte);
                return Step::More;
            }
            (Kind::EucJp, 0xA1..=0xFE, 0xA1..=0xFE) => {
                let table = if self.is_jis0212 { Table::Jis0212 } else { Table::Jis0208 };
                (table, Some((row - 0xA1) * 94 + column - 0xA1))
            }
            (Kind::ShiftJis, _, 0x40..=0x7E | 0x80..=0xFC) => {
                let row = row - if lead < 0xA0 { 0x81 } else { 0xC1 };
                (Table::Jis0208, Some(row * 188 + column - if byte < 0x7F { 0x40 } else { 0x41 }))
            }
            (Kind::EucKr, _, 0x41..=0xFE) => (Table::EucKr, Some((row - 0x81) * 190 + column - 0x41)),
            _ => (Table::Big5, None),
        };
        let length = 2 + u8::from(std::mem::take(&mut self.is_jis0212));
        if let (Kind::Big5, Some(pointer @ (1133 | 1135 | 1164 | 1166))) = (self.kind, pointer) {
            let letter = if pointer < 1164 { '\u{CA}' } else { '\u{EA}' };
            return Step::Two(letter, if pointer % 31 == 17 { '\u{304}' } else { '\u{30C}' });
        }
        self.found(table, pointer, byte, length)
    }

    /// The character at a place of a table, if there is one. An ASCII byte in a pair that is none stays.
    fn found(&self, table: Table, pointer: Option<usize>, byte: u8, length: u8) -> Step {
        match pointer.map_or(0, |pointer| tables::code_point(table, pointer)) {
            0 if byte.is_ascii() => Step::Bad { length: length - 1, again: 1 },
            0 => Step::Bad { length, again: 0 },
            found => one(found),
        }
    }

    fn gb18030(&mut self, byte: u8) -> Step {
        let (first, second, third) = (self.lead, self.second, self.third);
        if third != 0 {
            (self.lead, self.second, self.third) = (0, 0, 0);
            if !byte.is_ascii_digit() {
                return Step::Bad { length: 1, again: 3 };
            }
            let parts = [first - 0x81, second - 0x30, third - 0x81, byte - 0x30].map(u32::from);
            let pointer = parts[0] * 12_600 + parts[1] * 1_260 + parts[2] * 10 + parts[3];
            return match pointer {
                ..39_420 => one(tables::code_point(Table::Gb18030Ranges, pointer as usize)),
                189_000..=1_237_575 => one(pointer - 189_000 + 0x1_0000),
                _ => Step::Bad { length: 4, again: 0 },
            };
        }
        if second != 0 {
            if let 0x81..=0xFE = byte {
                self.third = byte;
                return Step::More;
            }
            (self.lead, self.second) = (0, 0);
            return Step::Bad { length: 1, again: 2 };
        }
        match (first, byte) {
            (0, ..0x80) => Step::One(char::from(byte)),
            (0, 0x80) => one(0x20AC),
            (0, 0xFF) => BAD,
            (0, _) => {
                self.lead = byte;
                Step::More
            }
            (_, b'0'..=b'9') => {
                self.second = byte;
                Step::More
            }
            _ => {
                self.lead = 0;
                let column = match byte {
                    0x40..=0x7E => Some(byte - 0x40),
                    0x80..=0xFE => Some(byte - 0x41),
                    _ => None,
                };
                let pointer = column.map(|column| usize::from(first - 0x81) * 190 + usize::from(column));
                self.found(Table::Gb18030, pointer, byte, 2)
            }
        }
    }

    fn iso_2022_jp(&mut self, byte: Option<u8>) -> Step {
        let state = self.state;
        match (state, byte) {
            (State::EscapeStart, Some(byte @ (b'$' | b'('))) => {
                (self.lead, self.state) = (byte, State::Escape);
                Step::More
            }
            (State::EscapeStart, _) => self.no_escape(u8::from(byte.is_some())),
            (State::Escape, _) => {
                let next = match (std::mem::take(&mut self.lead), byte) {
                    (b'(', Some(b'B')) => State::Ascii,
                    (b'(', Some(b'J')) => State::Roman,
                    (b'(', Some(b'I')) => State::Katakana,
                    (b'$', Some(b'@' | b'B')) => State::LeadByte,
                    _ => return self.no_escape(1 + u8::from(byte.is_some())),
                };
                (self.state, self.output_state) = (next, next);
                // Two escapes with nothing between them are an error.
                if std::mem::replace(&mut self.output, true) { Step::Bad { length: 3, again: 0 } } else { Step::More }
            }
            (State::TrailByte, Some(0x1B)) => {
                self.state = State::EscapeStart;
                BAD
            }
            (State::TrailByte, _) => {
                self.state = State::LeadByte;
                let lead = std::mem::take(&mut self.lead);
                let Some(byte @ 0x21..=0x7E) = byte else { return BAD };
                match tables::code_point(Table::Jis0208, usize::from(lead - 0x21) * 94 + usize::from(byte - 0x21)) {
                    0 => Step::Bad { length: 2, again: 0 },
                    found => one(found),
                }
            }
            (_, None) => Step::More,
            (_, Some(0x1B)) => {
                self.state = State::EscapeStart;
                Step::More
            }
            (_, Some(byte)) => {
                self.output = false;
                match (state, byte) {
                    (State::LeadByte, 0x21..=0x7E) => {
                        (self.lead, self.state) = (byte, State::TrailByte);
                        Step::More
                    }
                    (State::Katakana, 0x21..=0x5F) => one(0xFF61 - 0x21 + u32::from(byte)),
                    (State::Roman, 0x5C) => one(0xA5),
                    (State::Roman, 0x7E) => one(0x203E),
                    (State::Ascii | State::Roman, ..0x80) if !matches!(byte, 0x0E | 0x0F) => Step::One(char::from(byte)),
                    _ => BAD,
                }
            }
        }
    }

    /// What began as an escape was none.
    fn no_escape(&mut self, again: u8) -> Step {
        (self.output, self.state) = (false, self.output_state);
        Step::Bad { length: 1, again }
    }

    fn utf_16(&mut self, byte: Option<u8>, is_big: bool) -> Step {
        let Some(byte) = byte else {
            let is_cut = self.half.take().is_some() | (std::mem::take(&mut self.code_point) != 0);
            return if is_cut { BAD } else { Step::More };
        };
        let Some(half) = self.half.take() else {
            self.half = Some(byte);
            return Step::More;
        };
        let unit = u32::from(if is_big { u16::from_be_bytes([half, byte]) } else { u16::from_le_bytes([half, byte]) });
        let lead = std::mem::take(&mut self.code_point);
        match (lead, unit) {
            (0, 0xD800..0xDC00) => {
                self.code_point = unit;
                Step::More
            }
            (0, _) => one(unit),
            (_, 0xDC00..0xE000) => one(0x1_0000 + ((lead - 0xD800) << 10) + (unit - 0xDC00)),
            _ => Step::Bad { length: 2, again: 2 },
        }
    }

    fn utf_8(&mut self, byte: Option<u8>) -> Step {
        let bounds = std::mem::replace(&mut self.bounds, (0x80, 0xBF));
        match (self.needed, byte) {
            (0, None) => Step::More,
            (_, None) => {
                self.needed = 0;
                BAD
            }
            (0, Some(byte)) => {
                let (needed, bits) = match byte {
                    ..0x80 => return Step::One(char::from(byte)),
                    0xC2..=0xDF => (1, byte & 0x1F),
                    0xE0..=0xEF => (2, byte & 0x0F),
                    0xF0..=0xF4 => (3, byte & 0x07),
                    _ => return BAD,
                };
                self.bounds = match byte {
                    0xE0 => (0xA0, 0xBF),
                    0xED => (0x80, 0x9F),
                    0xF0 => (0x90, 0xBF),
                    0xF4 => (0x80, 0x8F),
                    _ => (0x80, 0xBF),
                };
                (self.needed, self.code_point) = (needed, u32::from(bits));
                Step::More
            }
            (_, Some(byte)) if byte < bounds.0 || byte > bounds.1 => {
                self.needed = 0;
                Step::Bad { length: 1, again: 1 }
            }
            (needed, Some(byte)) => {
                (self.needed, self.code_point) = (needed - 1, self.code_point << 6 | u32::from(byte & 0x3F));
                if self.needed == 0 { one(self.code_point) } else { Step::More }
            }
        }
    }
}
