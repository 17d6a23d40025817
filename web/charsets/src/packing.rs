//! Tables of characters, packed.
//!
//! Most tables go through Unicode in order here and there: a character is told by how many that the table has not had yet lie between it and the one before. The numbers
//! are written by an adaptive binary range coder (Martin 1979, in the form of LZMA), bit by bit: what kind of step it is, given the kind of the last one, then its length. The same
//! function writes and reads, so that they cannot differ.

/// The probability of a bit, and how often it was seen: the first ones move it more.
#[derive(Clone, Copy)]
struct Bit {
    zero: u16,
    seen: u16,
}

const EVEN: Bit = Bit { zero: 1 << 15, seen: 0 };

impl Bit {
    fn learn(&mut self, bit: bool) {
        let rate = self.seen + 2;
        self.seen = (self.seen + 1).min(62);
        if bit {
            self.zero -= self.zero / rate
        } else {
            self.zero += (u16::MAX - self.zero) / rate
        }
        self.zero = self.zero.clamp(64, u16::MAX - 64);
    }
}

/// Writes bits, or reads them: given one, it answers the one that counts.
trait Coder {
    fn code(&mut self, bit: bool, model: &mut Bit) -> bool;
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    range: u32,
    code: u32,
}

impl<'b> Reader<'b> {
    fn new(bytes: &'b [u8]) -> Reader<'b> {
        let mut reader = Reader { bytes, at: 0, range: u32::MAX, code: 0 };
        // The first byte is a carry that never comes.
        (0..5).for_each(|_| reader.shift());
        reader
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.get(self.at).copied().unwrap_or(0));
        self.at += 1;
    }
}

impl Coder for Reader<'_> {
    fn code(&mut self, _: bool, model: &mut Bit) -> bool {
        let bound = (self.range >> 16) * u32::from(model.zero);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        model.learn(bit);
        bit
    }
}

struct Writer {
    bytes: Vec<u8>,
    low: u64,
    range: u32,
    cache: u8,
    pending: u64,
}

impl Writer {
    fn shift(&mut self) {
        if self.low < 0xFF00_0000 || self.low > 0xFFFF_FFFF {
            let carry = (self.low >> 32) as u8;
            let mut byte = self.cache;
            loop {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xFF;
                self.pending -= 1;
                if self.pending == 0 {
                    break;
                }
            }
            self.cache = (self.low >> 24) as u8;
        }
        self.pending += 1;
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }
}

impl Coder for Writer {
    fn code(&mut self, bit: bool, model: &mut Bit) -> bool {
        let bound = (self.range >> 16) * u32::from(model.zero);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        model.learn(bit);
        bit
    }
}

/// Which characters a table has had.
struct Had(Vec<u64>);

const MOST: usize = 0x3_0000;

impl Had {
    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// How many of a range it has not had.
    fn missing(&self, from: usize, to: usize) -> usize {
        (from..to).filter(|at| !self.has(*at)).count()
    }

    /// The one after `missing` others that it has not had, upwards from `at` or downwards.
    fn find(&self, mut at: usize, mut missing: usize, is_up: bool) -> usize {
        loop {
            let word = if is_up { at + 1 } else { at.wrapping_sub(1) };
            if word >= MOST {
                return 0;
            }
            at = word;
            // Whole words are counted at once.
            let starts = if is_up { at.is_multiple_of(64) } else { at % 64 == 63 };
            let absent = self.0[at / 64].count_zeros() as usize;
            if starts && missing >= absent {
                missing -= absent;
                at = if is_up { at + 63 } else { at - 63 };
            } else if !self.has(at) {
                if missing == 0 {
                    return at;
                }
                missing -= 1;
            }
        }
    }
}

/// Kinds of steps: none, one that the table has had, upwards and downwards by the length of the number.
const NONE: usize = 0;
const AGAIN: usize = 1;
const UP: usize = 2;
const DOWN: usize = UP + 19;
const KINDS: usize = 64;

/// The models of the bits of a table.
struct Models {
    kinds: Vec<[Bit; KINDS]>,
    numbers: Vec<[Bit; 64]>,
}

/// Codes a number of so many bits, the first of them by their models.
fn number(coder: &mut impl Coder, value: usize, bits: usize, models: &mut [Bit; 64]) -> usize {
    let mut prefix = 1;
    (0..bits).rev().fold(0, |read, bit| {
        let mut even = EVEN;
        let model = if prefix < 8 { &mut models[prefix] } else { &mut even };
        let found = usize::from(coder.code(value >> bit & 1 == 1, model));
        prefix = prefix << 1 | found;
        read << 1 | found
    })
}

/// Codes a table, whose entries are overwritten with what was read.
///
/// After every `restart` entries a part begins that knows nothing of what the others have.
fn table(coder: &mut impl Coder, table: &mut [u32], (order, restart): (impl Iterator<Item = usize>, usize), writes: bool) {
    let mut models = Models { kinds: vec![[EVEN; KINDS]; KINDS], numbers: vec![[EVEN; 64]; KINDS] };
    let (mut had, mut before, mut last) = (Had(vec![0; MOST / 64]), 0, NONE);
    for place in order {
        if place % restart == 0 && restart < table.len() {
            (had, before) = (Had(vec![0; MOST / 64]), 0x7F);
        }
        let wanted = table[place] as usize;
        let (kind, distance) = match wanted {
            _ if !writes => (0, 0),
            0 => (NONE, 0),
            _ if had.has(wanted) => (AGAIN, wanted),
            _ => {
                let is_up = wanted > before;
                let distance = if is_up { had.missing(before + 1, wanted) } else { had.missing(wanted + 1, before) };
                ((if is_up { UP } else { DOWN }) + (usize::BITS - distance.leading_zeros()) as usize, distance)
            }
        };
        let mut prefix = 1;
        for bit in (0..6).rev() {
            prefix = prefix << 1 | usize::from(coder.code(kind >> bit & 1 == 1, &mut models.kinds[last][prefix]));
        }
        let kind = prefix - 64;
        let found = match kind {
            NONE => 0,
            AGAIN => number(coder, distance, 18, &mut models.numbers[kind]),
            _ => {
                let (is_up, length) = if kind < DOWN { (true, kind - UP) } else { (false, kind - DOWN) };
                // The highest bit is known by the length.
                let top = if length == 0 { 0 } else { 1 << (length - 1) };
                let rest = number(coder, distance & !top, length.saturating_sub(1), &mut models.numbers[kind]);
                had.find(before, top | rest, is_up)
            }
        };
        last = kind;
        if found != 0 {
            before = found;
            had.0[found / 64] |= 1 << (found % 64);
        }
        table[place] = found as u32;
    }
}

/// Packs a table, its entries taken in this order, in parts of so many.
#[must_use]
pub fn pack(entries: &[u32], order: (impl Iterator<Item = usize>, usize)) -> Vec<u8> {
    let mut writer = Writer { bytes: Vec::new(), low: 0, range: u32::MAX, cache: 0, pending: 1 };
    table(&mut writer, &mut entries.to_vec(), order, true);
    (0..5).for_each(|_| writer.shift());
    writer.bytes
}

/// Unpacks a table of so many entries, which were taken in this order and in parts of so many.
#[must_use]
pub fn unpack(bytes: &[u8], length: usize, order: (impl Iterator<Item = usize>, usize)) -> Vec<u32> {
    let mut entries = vec![0; length];
    table(&mut Reader::new(bytes), &mut entries, order, false);
    entries
}
