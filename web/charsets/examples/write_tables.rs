//! Writes `tables.bin` from the crate `encoding_rs`: `cargo run --release --example write_tables > tables.bin`.
//!
//! The crate has no tables to be read, so every sequence of bytes is decoded.

use as_crate::Encoding;
use encoding_rs::packing::pack;
use encoding_rs::tables::{TABLES, Table, order};
use std::io::Write;

const SINGLE_BYTE: [&str; 27] = [
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
];

/// The only character that these bytes are; 0 if they are none.
fn decoded(charset: &str, bytes: &[u8]) -> u32 {
    let charset = Encoding::for_label(charset.as_bytes()).expect("a label of the standard");
    let text = charset.decode_without_bom_handling_and_without_replacement(bytes).unwrap_or_default();
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none()).map_or(0, u32::from)
}

fn bytes_at(table: Table, at: usize) -> (&'static str, Vec<u8>) {
    let pair = |row: usize, column: usize| vec![row as u8, column as u8];
    match table {
        Table::SingleByte => (SINGLE_BYTE[at / 128], vec![(at % 128) as u8 + 0x80]),
        Table::Gb18030 => ("gb18030", pair(0x81 + at / 190, at % 190 + if at % 190 < 0x3F { 0x40 } else { 0x41 })),
        Table::Gb18030Ranges => (
            "gb18030",
            vec![
                0x81 + (at / 12_600) as u8,
                0x30 + (at / 1_260 % 10) as u8,
                0x81 + (at / 10 % 126) as u8,
                0x30 + (at % 10) as u8,
            ],
        ),
        Table::Big5 => ("big5", pair(0x81 + at / 157, at % 157 + if at % 157 < 0x3F { 0x40 } else { 0x62 })),
        Table::Jis0208 => {
            let row = at / 188;
            ("shift_jis", pair(row + if row < 0x1F { 0x81 } else { 0xC1 }, at % 188 + if at % 188 < 0x3F { 0x40 } else { 0x41 }))
        }
        Table::Jis0212 => ("euc-jp", [vec![0x8F], pair(0xA1 + at / 94, 0xA1 + at % 94)].concat()),
        Table::EucKr => ("euc-kr", pair(0x81 + at / 190, 0x41 + at % 190)),
    }
}

fn main() {
    let packed: Vec<Vec<u8>> = TABLES
        .into_iter()
        .map(|(table, length)| {
            let entries: Vec<u32> =
                (0..length).map(|at| bytes_at(table, at)).map(|(charset, bytes)| decoded(charset, &bytes)).collect();
            pack(&entries, order(table, length))
        })
        .collect();
    let lengths = packed.iter().flat_map(|bytes| (bytes.len() as u32).to_le_bytes());
    let file: Vec<u8> = lengths.chain(packed.iter().flatten().copied()).collect();
    std::io::stdout().write_all(&file).expect("standard output");
}
