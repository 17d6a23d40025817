//! Writes a web archive (WARC 1.1), one gzip member a record, that is valid whenever the program ends.
//!
//! A record is packed in memory and written in one piece, so only a stop in the middle of that leaves half a record.
//! When the file is opened again to go on, such a half is cut off, if we wrote the file; one of somebody else is left as it is.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha1_smol::Sha1;
use url::Url;

use crate::warc::{Captured, WarcReader};

/// The answer of a server, to be written as a `response` record.
#[derive(Debug, Clone)]
pub struct CapturedResponse<'a> {
    /// The address that was asked for.
    pub url: &'a Url,
    /// The number of the status.
    pub status: u16,
    /// Its name, such as `Not Found`; may be empty.
    pub reason: &'a str,
    /// Header fields as they came. `Transfer-Encoding` is left out, since the body comes without it.
    pub headers: &'a [(String, String)],
    /// The body, still with its content encoding.
    pub body: &'a [u8],
    /// Whether this is all of the body; if not, the record says so.
    pub complete: bool,
    /// When it was captured.
    pub time: SystemTime,
}

/// Writes records to the end of an archive.
#[derive(Debug)]
pub struct WarcWriter {
    file: File,
    records: u64,
}

impl WarcWriter {
    /// Opens an archive to go on with it, or begins a new one if there is none. Another process that writes to the same
    /// archive, and a file that is not a record-compressed WARC, is an error.
    pub fn open(path: &Path) -> io::Result<WarcWriter> {
        Self::open_noting(path).map(|(writer, _)| writer)
    }

    /// Opens an archive, and tells which answers of servers are in it already.
    pub(crate) fn open_noting(path: &Path) -> io::Result<(WarcWriter, Vec<Captured>)> {
        let refused = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidData, what));
        if path.exists() && !path.is_file() {
            return refused("it is no regular file, so it could not be continued; give another name");
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another program is writing to it; wait until it ends"));
            }
            // Where files cannot be locked, nobody is kept out.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let length = file.metadata()?.len();
        let mut reader = WarcReader::new(&file)?;
        let mut there = Vec::new();
        while let Some(captured) = reader.next_captured() {
            if reader.finish() {
                there.push(captured);
            }
        }
        let (records, whole_until) = (reader.records(), reader.whole_until());
        // One that can be read but for its check sum is cut off as well.
        there.retain(|captured| captured.location.member < whole_until);
        if length > 0 && (records == 0 || whole_until == 0) {
            return refused("it is not a WARC file with each record compressed, which could be continued; give another name");
        }
        if whole_until < length && !is_ours(&file)? {
            return refused("its end is damaged, and it is another program's, so it is left as it is; give another name");
        }
        file.set_len(whole_until)?;
        (&file).seek(SeekFrom::Start(whole_until))?;
        let mut writer = WarcWriter { file, records };
        if whole_until == 0 {
            let software = concat!("software: unchaff/", env!("CARGO_PKG_VERSION"), "\r\nformat: WARC File Format 1.1\r\n");
            writer.write(
                "warcinfo",
                None,
                SystemTime::now(),
                "Content-Type: application/warc-fields\r\n",
                software.as_bytes(),
            )?;
        }
        Ok((writer, there))
    }

    /// Appends the answer of a server.
    pub fn write_response(&mut self, response: &CapturedResponse<'_>) -> io::Result<()> {
        let one_line = |text: &str| text.replace(['\r', '\n'], " ");
        let mut block = format!("HTTP/1.1 {} {}\r\n", response.status, one_line(response.reason)).into_bytes();
        for (name, value) in response.headers {
            let about_transfer = name.eq_ignore_ascii_case("transfer-encoding");
            let about_length = response.complete && name.eq_ignore_ascii_case("content-length");
            if !about_transfer && !about_length {
                block.extend_from_slice(format!("{}: {}\r\n", one_line(name), one_line(value)).as_bytes());
            }
        }
        if response.complete {
            block.extend_from_slice(format!("Content-Length: {}\r\n", response.body.len()).as_bytes());
        }
        block.extend_from_slice(b"\r\n");
        block.extend_from_slice(response.body);
        let truncated = if response.complete { "" } else { "WARC-Truncated: unspecified\r\n" };
        let headers = format!(
            "WARC-Payload-Digest: {}\r\n{truncated}Content-Type: application/http; msgtype=response\r\n",
            digest(response.body)
        );
        self.write("response", Some(response.url), response.time, &headers, &block)
    }

    fn write(&mut self, kind: &str, url: Option<&Url>, time: SystemTime, headers: &str, block: &[u8]) -> io::Result<()> {
        let date = date(time);
        let target = url.map_or(String::new(), |url| format!("WARC-Target-URI: {url}\r\n"));
        let id = self.record_id(&target);
        let head = format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nWARC-Date: {date}\r\n{target}\
             WARC-Block-Digest: {}\r\n{headers}Content-Length: {}\r\n\r\n",
            digest(block),
            block.len()
        );
        let mut member = GzEncoder::new(Vec::new(), Compression::default());
        for part in [head.as_bytes(), block, b"\r\n\r\n"] {
            member.write_all(part)?;
        }
        let begin = self.file.stream_position()?;
        if let Err(cause) = self.file.write_all(&member.finish()?) {
            // A full disk takes a part of it.
            let _ = self.file.set_len(begin).and_then(|()| self.file.seek(SeekFrom::Start(begin)));
            return Err(cause);
        }
        self.records += 1;
        Ok(())
    }

    /// A name that no other record has: made of what is written, when, by which process, and as which record.
    fn record_id(&self, target: &str) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let mut hash = Sha1::new();
        hash.update(format!("{now} {} {} {target}", std::process::id(), self.records).as_bytes());
        let mut bytes = hash.digest().bytes();
        // The marks of a UUID of version 8, whose content is up to whoever makes it (RFC 9562, 5.8).
        bytes[6] = bytes[6] & 0x0f | 0x80;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let hex: String = bytes[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }
}

/// Whether an archive begins with the record that says it is ours.
fn is_ours(mut file: &File) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut begin = Vec::new();
    // What cannot be unpacked is not ours.
    let _ = GzDecoder::new(file).take(2048).read_to_end(&mut begin);
    let begin = String::from_utf8_lossy(&begin);
    Ok(begin.starts_with("WARC/1.1\r\nWARC-Type: warcinfo\r\n") && begin.contains("\r\nsoftware: unchaff/"))
}

/// A SHA-1 in base 32, as archives have it.
fn digest(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let sum = Sha1::from(bytes).digest().bytes();
    let mut text = String::from("sha1:");
    for group in sum.chunks(5) {
        let bits = group.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        text.extend((0..8).rev().map(|at| char::from(DIGITS[(bits >> (at * 5)) as usize & 31])));
    }
    text
}

/// A time as archives write it: `2026-01-31T23:59:59Z`.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March, so that leap days come last; eras of 400 years have the same number of days.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + carry;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn write(writer: &mut WarcWriter, path: &str, body: &[u8]) {
        let url = Url::parse("https://example.org/").unwrap().join(path).unwrap();
        let headers = [("Content-Type".into(), "text/html".into()), ("transfer-encoding".into(), "chunked".into())];
        let time = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let response = CapturedResponse { url: &url, status: 200, reason: "OK", headers: &headers, body, complete: true, time };
        writer.write_response(&response).unwrap();
    }

    fn pages(path: &Path) -> Vec<String> {
        let mut reader = WarcReader::open(path).unwrap();
        let pages = reader.by_ref().map(|page| page.url.path().to_owned()).collect();
        assert!(reader.warnings().is_empty(), "{:?}", reader.warnings());
        pages
    }

    #[test]
    fn what_is_written_can_be_read_and_continued_after_any_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let mut writer = WarcWriter::open(&path).unwrap();
        let begun = std::fs::metadata(&path).unwrap().len() as usize;
        write(&mut writer, "/1", b"<p>one");
        let whole = std::fs::metadata(&path).unwrap().len() as usize;
        write(&mut writer, "/2", b"<p>two");
        drop(writer);
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(pages(&path), ["/1", "/2"]);
        for cut in (0..bytes.len()).step_by(7) {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let opened = WarcWriter::open(&path);
            if (1..begun).contains(&cut) {
                // It is not known whose it is.
                assert!(opened.unwrap_err().to_string().contains("give another name"));
                assert_eq!(std::fs::read(&path).unwrap(), bytes[..cut], "{cut}");
                continue;
            }
            write(&mut opened.unwrap(), "/new", b"<p>new");
            let expected: &[&str] = if cut < whole { &["/new"] } else { &["/1", "/new"] };
            assert_eq!(pages(&path), expected, "{cut}");
        }
    }

    #[test]
    fn a_damaged_archive_of_another_program_is_left_alone_and_a_whole_one_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let record = |path: &str| {
            crate::content_encoding::tests::gzip(&crate::warc::tests::html(&format!("http://e.org{path}"), "<p>text"))
        };
        let whole = [record("/1"), record("/2")].concat();
        let notes = crate::content_encoding::tests::gzip("my notes, which are long enough to be cut".as_bytes());
        for bytes in [&whole[..whole.len() - 9], &notes[..notes.len() - 9], &notes[..12]] {
            std::fs::write(&path, bytes).unwrap();
            assert!(WarcWriter::open(&path).unwrap_err().to_string().contains("give another name"));
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        std::fs::write(&path, &whole).unwrap();
        write(&mut WarcWriter::open(&path).unwrap(), "/new", b"<p>new");
        assert_eq!(pages(&path), ["/1", "/2", "/new"]);
        let error = WarcWriter::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("no regular file"), "{error}");
    }

    #[test]
    fn a_record_has_what_the_standard_asks_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let mut writer = WarcWriter::open(&path).unwrap();
        write(&mut writer, "/a%20b", b"<p>");
        let mut text = String::new();
        let file = File::open(&path).unwrap();
        io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(file), &mut text).unwrap();
        assert!(text.starts_with("WARC/1.1\r\nWARC-Type: warcinfo\r\n"), "{text}");
        for part in [
            "WARC-Type: response\r\n",
            "WARC-Target-URI: https://example.org/a%20b\r\n",
            "WARC-Date: 2023-11-14T22:13:20Z\r\n",
            "WARC-Record-ID: <urn:uuid:",
            "\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\n",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn a_file_that_is_no_such_archive_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let plain = crate::warc::tests::html("http://e.org/", "<p>");
        for bytes in [b"my notes".to_vec(), plain, crate::content_encoding::tests::gzip(b"my notes")] {
            std::fs::write(&path, &bytes).unwrap();
            assert!(WarcWriter::open(&path).unwrap_err().to_string().contains("give another name"));
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn two_writers_at_once_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let _writer = WarcWriter::open(&path).unwrap();
        assert!(WarcWriter::open(&path).unwrap_err().to_string().contains("another program"));
    }

    #[test]
    fn digests_and_dates_are_those_of_others() {
        // The SHA-1 of nothing, as every archive with an empty body has it.
        assert_eq!(digest(b""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        let at = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
