//! The tables of the standard, each unpacked when a page first needs it.

use crate::packing::unpack;
use std::sync::OnceLock;

/// A table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// The upper halves of charsets of single bytes, one after another.
    SingleByte,
    /// Pairs of bytes in gb18030 and GBK.
    Gb18030,
    /// The first four-byte characters of gb18030.
    Gb18030Ranges,
    /// Big5 with HKSCS.
    Big5,
    /// JIS X 0208 with the extensions of Shift_JIS.
    Jis0208,
    /// JIS X 0212.
    Jis0212,
    /// EUC-KR with the extensions of windows-949.
    EucKr,
}

/// All tables, in the order of the file, with their lengths.
pub const TABLES: [(Table, usize); 7] = [
    (Table::SingleByte, 27 * 128),
    (Table::Gb18030, 126 * 190),
    (Table::Gb18030Ranges, 39_420),
    (Table::Big5, 126 * 157),
    (Table::Jis0208, 60 * 188),
    (Table::Jis0212, 94 * 94),
    (Table::EucKr, 126 * 190),
];

/// Written by `examples/write_tables.rs`: the length of each packed table in four bytes, then these.
static PACKED: &[u8] = include_bytes!("../tables.bin");

static UNPACKED: [OnceLock<Vec<u32>>; 7] = [const { OnceLock::new() }; 7];

/// The order in which entries are packed: the older and smaller charset within a larger one first, of which the rest of the larger one is what is left over; and how many
/// are a part.
pub fn order(table: Table, length: usize) -> (impl Iterator<Item = usize>, usize) {
    let is_first = move |place: usize| match table {
        Table::Gb18030 | Table::EucKr => place / 190 >= 0x20 && place % 190 >= 0x60,
        Table::Big5 => place / 157 >= 0x20,
        _ => true,
    };
    let order = (0..length).filter(move |place| is_first(*place)).chain((0..length).filter(move |place| !is_first(*place)));
    (order, if table == Table::SingleByte { 128 } else { length })
}

/// The code point at a place of a table; 0 if there is none.
pub(crate) fn code_point(table: Table, place: usize) -> u32 {
    let unpacked = UNPACKED[table as usize].get_or_init(|| {
        let number = |at: usize| PACKED[4 * at..4 * at + 4].iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        let start = 4 * TABLES.len() + (0..table as usize).map(number).sum::<usize>();
        let length = TABLES[table as usize].1;
        unpack(&PACKED[start..start + number(table as usize)], length, order(table, length))
    });
    unpacked.get(place).copied().unwrap_or(0)
}
