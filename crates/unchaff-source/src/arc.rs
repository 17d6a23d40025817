//! Web archives of the older form (ARC 1.0 and 2.0, Internet Archive 1996), read as if they were WARC.
//!
//! A record is a line (address, host's number, date, type and, last, the length), the answer of the server, and a blank line. Each is
//! handed on as a `response` record, so that limits, damage and warnings are those of [`WarcReader`](crate::warc::WarcReader).

use std::io::{self, BufRead, BufReader, Read};

/// Most bytes of the line that begins a record.
const MAX_LINE: u64 = 64 << 10;

/// The records of an archive, unpacked, as a WARC file.
pub(crate) struct ArcAsWarc<R: Read> {
    arc: BufReader<R>,
    head: io::Cursor<Vec<u8>>,
    /// Bytes left of the record.
    left: u64,
    /// The blank lines after a record.
    end: &'static [u8],
}

impl<R: Read> ArcAsWarc<R> {
    pub(crate) fn new(arc: R) -> Self {
        Self { arc: BufReader::with_capacity(64 << 10, arc), head: io::Cursor::default(), left: 0, end: b"" }
    }

    /// Goes to the next record; false at the end of the file.
    fn next_record(&mut self) -> io::Result<bool> {
        loop {
            let mut line = Vec::new();
            if (&mut self.arc).take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(false);
            }
            let line = String::from_utf8_lossy(&line);
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            let (Some(address), Some(length)) = (words.first(), words.last().and_then(|length| length.parse::<u64>().ok()))
            else {
                continue;
            };
            if words.len() < 4 || !address.contains(':') {
                continue;
            }
            let kind = if address.starts_with("filedesc:") { "warcinfo" } else { "response" };
            let head = format!("WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {address}\r\nContent-Length: {length}\r\n\r\n");
            (self.head, self.left, self.end) = (io::Cursor::new(head.into_bytes()), length, b"\r\n\r\n");
            return Ok(true);
        }
    }
}

impl<R: Read> Read for ArcAsWarc<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let count = self.head.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            if self.left > 0 {
                let count = (&mut self.arc).take(self.left).read(buffer)?;
                self.left -= count as u64;
                // The reader of WARC sees that the record is cut off.
                return Ok(count);
            }
            if !self.end.is_empty() {
                return self.end.read(buffer);
            }
            if !self.next_record()? {
                return Ok(0);
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::warc::WarcReader;

    pub(crate) fn arc(pages: &[(&str, &str)]) -> Vec<u8> {
        let about = "1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n";
        let mut file = format!("filedesc://a.arc 0.0.0.0 20010203040506 text/plain {}\n{about}\n", about.len());
        for (url, html) in pages {
            let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
            file += &format!("{url} 192.0.2.1 20010203040506 text/html {}\n{answer}\n", answer.len());
        }
        file.into_bytes()
    }

    #[test]
    fn pages_are_read_and_a_cut_is_told() {
        let file = arc(&[("http://example.org/a", "<p>One"), ("http://example.org/b", "<p>Two\n<p>more")]);
        let read = |bytes: &[u8]| {
            let mut reader = WarcReader::new(ArcAsWarc::new(bytes)).unwrap();
            let pages: Vec<_> =
                reader.by_ref().map(|page| (page.url.to_string(), String::from_utf8(page.bytes).unwrap())).collect();
            (pages, reader.warnings().to_vec())
        };
        let (pages, warnings) = read(&file);
        let expected = [("http://example.org/a", "<p>One"), ("http://example.org/b", "<p>Two\n<p>more")];
        assert_eq!(pages, expected.map(|(url, html)| (url.to_owned(), html.to_owned())));
        assert!(warnings.is_empty(), "{warnings:?}");
        let (pages, warnings) = read(&file[..file.len() - 6]);
        assert_eq!(pages.len(), 1);
        assert!(warnings[0].contains("ends inside a record"), "{warnings:?}");
    }
}
