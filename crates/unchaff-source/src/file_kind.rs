//! What a file is, by its first bytes: a page, many pages in one, or something of which nothing can be read here.
//!
//! Any bytes are a page, so only what is known by a mark of its own is taken for something else.

use std::io::Read;

use crate::addresses::{Naming, naming};
use crate::packing::{is_packed, undo_packing};

/// So many bytes are looked at.
pub(crate) const LOOKED_AT: usize = 8 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Page,
    Warc,
    /// A web archive of the older form.
    Arc,
    Zip,
    /// One JSON object a line.
    JsonLines,
    /// Addresses of pages.
    Addresses(Naming),
    /// Something else, by the name that a person would give it.
    Foreign(&'static str),
}

/// What begins with which bytes.
const MARKS: &[(&[u8], FileKind)] = &[
    (b"WARC/", FileKind::Warc),
    (b"filedesc://", FileKind::Arc),
    (b"PK\x03\x04", FileKind::Zip),
    (b"%PDF-", FileKind::Foreign("a PDF document")),
    (b"\x89PNG\r\n", FileKind::Foreign("a PNG image")),
    (b"\xff\xd8\xff", FileKind::Foreign("a JPEG image")),
    (b"GIF87a", FileKind::Foreign("a GIF image")),
    (b"GIF89a", FileKind::Foreign("a GIF image")),
    (b"\x7fELF", FileKind::Foreign("a program")),
    (b"MZ\x90\0", FileKind::Foreign("a program")),
    (b"\0asm", FileKind::Foreign("a WebAssembly module")),
    (b"Rar!\x1a\x07", FileKind::Foreign("a RAR archive")),
    (b"7z\xbc\xaf\x27\x1c", FileKind::Foreign("a 7z archive")),
    (b"\xfd7zXZ\0", FileKind::Foreign("an xz file")),
    (b"SQLite format 3\0", FileKind::Foreign("an SQLite database")),
    (b"PAR1", FileKind::Foreign("a Parquet file")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileKind::Foreign("an old Office document")),
    (b"{\\rtf", FileKind::Foreign("an RTF document")),
    (b"wOFF\0", FileKind::Foreign("a font")),
    (b"wOF2\0", FileKind::Foreign("a font")),
    (b"OggS\0", FileKind::Foreign("an Ogg file")),
    (b"ID3\x03", FileKind::Foreign("an MP3 file")),
    (b"ID3\x04", FileKind::Foreign("an MP3 file")),
];

/// What a file is, and whether it is packed other than with gzip. What is packed is looked into.
pub(crate) fn file_kind(file: &mut dyn Read) -> (FileKind, bool) {
    let mut first = Vec::new();
    // What is damaged, or ends in the middle, has shown enough before.
    let _ = (&mut *file).take(4).read_to_end(&mut first);
    let packed = is_packed(&first);
    let mut unpacked = Vec::new();
    let mut whole = first.as_slice().chain(file);
    let _ = undo_packing(&mut whole as &mut dyn Read).and_then(|file| read_on(file.take(LOOKED_AT as u64), &mut unpacked));
    (plain_kind(&unpacked), packed)
}

/// As much as can be read.
fn read_on(mut file: impl Read, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    let mut chunk = [0; 512];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(()),
            count => bytes.extend_from_slice(&chunk[..count]),
        }
    }
}

fn plain_kind(first: &[u8]) -> FileKind {
    if let Some((_, kind)) = MARKS.iter().find(|(mark, _)| first.starts_with(mark)) {
        return *kind;
    }
    if let Some(naming) = naming(first) {
        return FileKind::Addresses(naming);
    }
    let is_object = first.trim_ascii_start().strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""));
    if is_object { FileKind::JsonLines } else { FileKind::Page }
}

/// What these bytes are instead of a page, by name.
pub(crate) fn no_page(bytes: &[u8]) -> Option<&'static str> {
    match plain_kind(&bytes[..bytes.len().min(LOOKED_AT)]) {
        FileKind::Page | FileKind::JsonLines | FileKind::Addresses(_) => None,
        FileKind::Warc | FileKind::Arc => Some("a web archive"),
        FileKind::Zip => Some("a zip archive"),
        FileKind::Foreign(name) => Some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content_encoding::tests::gzip;
    use crate::packing::tests::{lz4, zstandard};

    #[test]
    fn files_are_told_by_their_marks_also_packed() {
        for (bytes, kind) in [
            (&b"WARC/1.0\r\nWARC-Type: warcinfo"[..], FileKind::Warc),
            (b"filedesc://a.arc 0.0.0.0 2001 text/plain 7", FileKind::Arc),
            (b"PK\x03\x04\x14", FileKind::Zip),
            (b" {\n \"url\": 1}", FileKind::JsonLines),
            (b"%PDF-1.7", FileKind::Foreign("a PDF document")),
            (b"https://example.org/\nhttps://example.org/a\n", FileKind::Addresses(Naming::List)),
            (b"<?xml version='1.0'?>\n<urlset>", FileKind::Addresses(Naming::Sitemap)),
            (b"<rss version='2.0'>", FileKind::Addresses(Naming::Feed)),
            (b"<!doctype html>", FileKind::Page),
            (b"{ margin: 0 }", FileKind::Page),
            (b"WARC is a format", FileKind::Page),
            (b"\x1f\x8b", FileKind::Page),
            (b"\xff\xfe<\0", FileKind::Page),
            (b"", FileKind::Page),
        ] {
            assert_eq!(file_kind(&mut &bytes[..]), (kind, false), "{}", bytes.escape_ascii());
            assert_eq!(file_kind(&mut &gzip(bytes)[..]), (kind, false), "{} packed", bytes.escape_ascii());
            assert_eq!(file_kind(&mut &zstandard(bytes)[..]), (kind, true), "{} in Zstandard", bytes.escape_ascii());
            assert_eq!(file_kind(&mut &lz4(bytes)[..]), (kind, true), "{} in LZ4", bytes.escape_ascii());
        }
        let long = gzip(&[b"WARC/1.0\r\n".as_slice(), &[b'x'; 100_000]].concat());
        assert_eq!(file_kind(&mut &long[..long.len() / 2]), (FileKind::Warc, false));
    }

    #[test]
    fn what_is_no_page_has_a_name() {
        assert_eq!(no_page(b"PK\x03\x04"), Some("a zip archive"));
        assert_eq!(no_page(b"{\"a\": 1}"), None);
        assert_eq!(no_page(b"text"), None);
    }
}
