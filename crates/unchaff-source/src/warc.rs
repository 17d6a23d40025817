//! Web archives: the pages in a WARC file (ISO 28500, WARC 1.0 and 1.1), packed or not, one after the other.
//!
//! Only captured pages are handed on: `response` and `resource` records with HTML. Requests, metadata, revisits and
//! other documents are passed over. A file that is cut off gives all that comes before; what is no record is passed over
//! up to the next line that begins one. A record whose length is wrong costs itself and none of those after it: they are found again where
//! the next member begins, or at the next line that begins a record, but only once it is clear that the length is wrong, for a page may have
//! such lines too. All this is told in [`WarcReader::warnings`]. No more than one record, and of a record no more than the limit, is in memory.

mod http_response;
mod members;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

use unchaff_dom::{Document, Page};
use url::Url;

use crate::content_encoding::Bounds;
use crate::fetch::{FetchOptions, parse_web_address};
pub(crate) use http_response::{Fields, NotUnpacked, ResponseHead, looks_like_html};
pub(crate) use members::Location;
use members::Members;

/// Most bytes of the head of a record or response; real ones have a few thousand.
const MAX_HEAD: usize = 256 << 10;

/// Most warnings kept of a file in which nothing is right.
const MAX_WARNINGS: usize = 100;

/// So often the reader goes back in a file that has wrong lengths, for each time costs some reading.
const MAX_GOING_BACK: u32 = 64;

/// A page in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcPage {
    /// The address it was captured from.
    pub url: Url,
    /// The character set named by the server, as written there.
    pub charset: Option<String>,
    /// The page, without transfer and content encoding.
    pub bytes: Vec<u8>,
}

impl WarcPage {
    /// The page, parsed with its address and charset.
    pub fn parse(self) -> Page {
        Document::from(self).page()
    }
}

impl From<WarcPage> for Document {
    fn from(page: WarcPage) -> Document {
        Document { bytes: page.bytes, url: Some(page.url.into()), charset: page.charset }
    }
}

/// A captured answer of a server, its body not read yet.
#[derive(Debug)]
pub(crate) struct Captured {
    pub(crate) url: Url,
    pub(crate) location: Location,
    pub(crate) kind: CapturedKind,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CapturedKind {
    Page,
    Redirect(Url),
    /// Another document, an error, or nothing.
    Other,
}

/// Reads the pages of an archive in the order of the file.
///
/// ```
/// use unchaff_source::WarcReader;
///
/// let record = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://example.org/\r\n\
///               Content-Type: text/html\r\nContent-Length: 5\r\n\r\n<p>hi\r\n\r\n";
/// let mut archive = WarcReader::new(record.as_bytes())?;
/// let page = archive.next().unwrap();
/// assert_eq!((page.url.as_str(), &page.bytes[..]), ("https://example.org/", &b"<p>hi"[..]));
/// assert!(archive.next().is_none() && archive.warnings().is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct WarcReader<R: Read> {
    members: Members<R>,
    max_bytes: u64,
    timeout: Duration,
    /// Bytes of the current record that are not read yet.
    remaining: u64,
    response: ResponseHead,
    /// Why the page asked for last could not be had, if it was too much.
    not_unpacked: Option<NotUnpacked>,
    warnings: Vec<String>,
    ended: bool,
    truncated: bool,
    records: u64,
    went_back: u32,
    /// How long the file is, if that is known.
    length: Option<u64>,
    /// Whether the record cannot be as long as it says.
    is_beyond_end: bool,
}

impl WarcReader<File> {
    /// Opens an archive.
    ///
    /// # Errors
    /// If the file cannot be opened or read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
        Ok(Self::new(file)?.of_length(length))
    }

    /// Opens an archive at the record that begins there.
    pub(crate) fn open_at(path: &Path, location: Location) -> io::Result<Self> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(location.member))?;
        let mut reader = Self::at(file, location.member)?;
        let mut left = location.skip;
        while left > 0 {
            let count = reader.members.fill()?.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            reader.members.consume(count);
            left -= count as u64;
        }
        Ok(reader)
    }
}

impl<R: Read> WarcReader<R> {
    /// Reads an archive from a stream.
    ///
    /// # Errors
    /// If nothing can be read from it.
    pub fn new(stream: R) -> io::Result<Self> {
        Self::at(stream, 0)
    }

    fn at(stream: R, position: u64) -> io::Result<Self> {
        Ok(Self {
            members: Members::new(stream, position)?,
            max_bytes: FetchOptions::default().max_bytes,
            timeout: FetchOptions::default().timeout,
            remaining: 0,
            response: ResponseHead::default(),
            not_unpacked: None,
            warnings: Vec::new(),
            ended: false,
            truncated: false,
            records: 0,
            went_back: 0,
            length: None,
            is_beyond_end: false,
        })
    }

    /// Says how long the archive is, packed, if that is known: no record is longer.
    pub(crate) fn of_length(mut self, length: Option<u64>) -> Self {
        self.length = length;
        self
    }

    /// Sets the most bytes of a page, before and after it is unpacked; larger ones are passed over with a warning. Default:
    /// 64 MiB.
    #[must_use]
    pub fn max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Sets the time in which a page has to be unpacked; one that takes longer is passed over with a warning. Default: 30 s.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// What was wrong so far: garbage, damage, pages that are too large, a file that is cut off. The first hundred.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether the file was found to end inside a record.
    pub fn truncated(&self) -> bool {
        self.truncated
    }

    /// How many records of any kind have been met so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Why the page asked for last could not be had, if the limits are to blame.
    pub(crate) fn not_unpacked(&self) -> Option<&NotUnpacked> {
        self.not_unpacked.as_ref()
    }

    /// The end of the last gzip member that is whole.
    pub(crate) fn whole_until(&self) -> u64 {
        self.members.whole_until()
    }

    /// The next answer of a server. What is left of the one before is passed over.
    pub(crate) fn next_captured(&mut self) -> Option<Captured> {
        while !self.ended {
            match self.try_next_captured() {
                Ok(Some(captured)) => return Some(captured),
                Ok(None) => {}
                Err(cause) => self.broken(&cause),
            }
        }
        None
    }

    /// Passes over what is left of the answer; whether it is all there.
    pub(crate) fn finish(&mut self) -> bool {
        let skipped = self.skip_block();
        if let Err(cause) = &skipped {
            self.broken(cause);
        }
        skipped.is_ok()
    }

    /// The page of the answer that [`next_captured`](Self::next_captured) gave last, if it is one and within the limit.
    pub(crate) fn page(&mut self, captured: &Captured) -> Option<WarcPage> {
        if captured.kind == CapturedKind::Page { self.document(captured) } else { None }
    }

    /// The same of an answer that need not be a page.
    pub(crate) fn document(&mut self, captured: &Captured) -> Option<WarcPage> {
        let read = if self.remaining <= self.max_bytes { self.read_block().map(Some) } else { Ok(None) };
        match read {
            Ok(body) => {
                let charset = self.response.content_type().charset;
                let bounds = Bounds { most: self.max_bytes, deadline: Instant::now().checked_add(self.timeout) };
                match body.ok_or(NotUnpacked::TooLarge).and_then(|body| self.response.unpack(body, bounds)) {
                    Ok(bytes) => Some(WarcPage { url: captured.url.clone(), charset, bytes }),
                    Err(why) => {
                        let told = match &why {
                            NotUnpacked::TooLarge => format!("larger than {} bytes", self.max_bytes),
                            NotUnpacked::Late => format!("not unpacked within {} s", self.timeout.as_secs_f64()),
                            NotUnpacked::Encoding(name) => format!("packed in an unknown way ({name})"),
                        };
                        self.warn(format!("{} is {told}; passed over", captured.url));
                        self.not_unpacked = Some(why);
                        None
                    }
                }
            }
            Err(cause) => {
                self.broken(&cause);
                None
            }
        }
    }

    fn try_next_captured(&mut self) -> io::Result<Option<Captured>> {
        self.skip_block()?;
        let Some((location, fields)) = self.next_record()? else {
            self.ended = true;
            return Ok(None);
        };
        let kind = fields.get("warc-type").unwrap_or_default().to_ascii_lowercase();
        let address = fields.get("warc-target-uri").unwrap_or_default().trim_matches(['<', '>']);
        let Ok(url) = parse_web_address(address) else { return Ok(None) };
        self.response = match kind.as_str() {
            "resource" => {
                let content_type = fields.get("content-type").unwrap_or_default();
                let fields = Fields::new([("content-type".to_owned(), content_type.to_owned())]);
                ResponseHead { status: 200, fields }
            }
            "response" => match self.read_response_head()? {
                Some(response) => response,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let kind = self.kind_of(&url)?;
        Ok(Some(Captured { url, location, kind }))
    }

    fn kind_of(&mut self, url: &Url) -> io::Result<CapturedKind> {
        let location = self.response.fields.get("location");
        Ok(match (self.response.status, location) {
            (301 | 302 | 303 | 307 | 308, Some(location)) => match url.join(location) {
                Ok(to) if matches!(to.scheme(), "http" | "https") => CapturedKind::Redirect(to),
                _ => CapturedKind::Other,
            },
            (200..=299, _) if self.remaining > 0 => match self.response.content_type().essence.as_deref() {
                Some("text/html" | "application/xhtml+xml") => CapturedKind::Page,
                None => {
                    let left = usize::try_from(self.remaining).unwrap_or(usize::MAX);
                    let bytes = self.members.fill()?;
                    if looks_like_html(&bytes[..bytes.len().min(left)]) { CapturedKind::Page } else { CapturedKind::Other }
                }
                Some(_) => CapturedKind::Other,
            },
            _ => CapturedKind::Other,
        })
    }

    /// Where the next record begins, and its head; none at the end of the file.
    fn next_record(&mut self) -> io::Result<Option<(Location, Fields)>> {
        let mut line = Vec::new();
        let mut garbage = 0u64;
        loop {
            self.members.fill()?;
            let location = self.members.location();
            let complete = self.read_line(&mut line)?;
            if line.is_empty() {
                self.warn_of_garbage(garbage);
                return Ok(None);
            }
            if !line.starts_with(b"WARC/") {
                garbage += if line.trim_ascii().is_empty() { 0 } else { line.len() as u64 };
                continue;
            }
            self.warn_of_garbage(std::mem::take(&mut garbage));
            let mut head = Vec::new();
            let mut whole = false;
            while complete && head.len() < MAX_HEAD && self.read_line(&mut line)? {
                if line.trim_ascii().is_empty() {
                    whole = true;
                    break;
                }
                head.extend_from_slice(&line);
            }
            let fields = Fields::parse(&head);
            let length = fields.get("content-length").and_then(|length| length.parse().ok());
            match length.filter(|_| whole) {
                Some(length) => {
                    self.remaining = length;
                    self.records += 1;
                    let begin = if self.members.is_plain() { self.members.location().member } else { 0 };
                    self.is_beyond_end =
                        self.members.is_plain() && self.length.is_some_and(|end| length > end.saturating_sub(begin));
                    return Ok(Some((location, fields)));
                }
                None if self.members.fill()?.is_empty() => {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                None => self.warn("a record without a usable head is passed over".to_owned()),
            }
        }
    }

    /// A line with its end, no longer than a head may be and within one member; whether its end was found.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        while line.len() < MAX_HEAD {
            let bytes = self.members.fill()?;
            if bytes.is_empty() || !line.is_empty() && self.members.begins_member() {
                return Ok(false);
            }
            let bytes = self.members.fill()?;
            let end = bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let count = end.unwrap_or(bytes.len());
            line.extend_from_slice(&bytes[..count]);
            self.members.consume(count);
            if end.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The head of the response at the beginning of the record; none if there is none.
    fn read_response_head(&mut self) -> io::Result<Option<ResponseHead>> {
        let mut head = Vec::new();
        let mut line = Vec::new();
        while head.len() < MAX_HEAD && self.remaining > 0 {
            let complete = self.read_line_of_block(&mut line)?;
            if !complete || line.trim_ascii().is_empty() {
                break;
            }
            head.extend_from_slice(&line);
        }
        Ok(ResponseHead::parse(&head))
    }

    fn read_line_of_block(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        while self.remaining > 0 && line.len() < MAX_HEAD {
            let bytes = self.chunk_of_block()?;
            let end = bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let count = end.unwrap_or(bytes.len());
            line.extend_from_slice(&bytes[..count]);
            self.consume_of_block(count);
            if end.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read_block(&mut self) -> io::Result<Vec<u8>> {
        let mut block = Vec::new();
        while self.remaining > 0 {
            let bytes = self.chunk_of_block()?;
            block.extend_from_slice(bytes);
            let count = bytes.len();
            self.consume_of_block(count);
        }
        self.check_end()?;
        Ok(block)
    }

    fn skip_block(&mut self) -> io::Result<()> {
        while self.remaining > 0 {
            let count = self.chunk_of_block()?.len();
            self.consume_of_block(count);
        }
        self.check_end()
    }

    /// If something in the block looks like a record: whether after the block there is one, or the end, as it must be.
    fn check_end(&mut self) -> io::Result<()> {
        while self.members.is_keeping() {
            let next = self.members.fill()?;
            let blank = next.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if blank > 0 {
                self.members.consume(blank);
            } else if next.iter().zip(b"WARC/").all(|(byte, expected)| byte == expected) {
                break;
            } else {
                self.go_back();
                return Err(wrong_length());
            }
        }
        self.members.forget();
        Ok(())
    }

    fn chunk_of_block(&mut self) -> io::Result<&[u8]> {
        let left = usize::try_from(self.remaining).unwrap_or(usize::MAX);
        let at_end = self.members.fill()?.is_empty();
        if self.members.has_kept() && (at_end || self.is_beyond_end) {
            self.go_back();
            return Err(wrong_length());
        }
        if self.members.begins_record_in_member() {
            return Err(wrong_length());
        }
        if at_end {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let bytes = self.members.fill()?;
        Ok(&bytes[..bytes.len().min(left)])
    }

    fn consume_of_block(&mut self, count: usize) {
        if self.went_back < MAX_GOING_BACK {
            self.members.consume_watching(count);
        } else {
            self.members.consume(count);
        }
        self.remaining -= count as u64;
    }

    fn go_back(&mut self) {
        self.went_back += 1;
        self.members.go_back();
    }

    /// Gives up the record in which the bytes ran out or made no sense, and says so.
    fn broken(&mut self, cause: &io::Error) {
        self.remaining = 0;
        match cause.kind() {
            io::ErrorKind::UnexpectedEof if self.members.truncated() || self.members.fill().is_ok_and(<[u8]>::is_empty) => {
                self.truncated = true;
                self.warn("the file ends inside a record; all before it is read, get the file again for the rest".to_owned());
            }
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                self.warn(format!("a record is damaged ({cause}) and passed over; get the file again to have it"));
            }
            _ => {
                self.ended = true;
                self.warn(format!("cannot read on: {cause}; all before is read"));
            }
        }
    }

    fn warn_of_garbage(&mut self, bytes: u64) {
        let bytes = bytes + self.members.passed_over();
        if bytes > 0 {
            self.warn(format!("{bytes} bytes between records are no record and passed over"));
        }
    }

    fn warn(&mut self, warning: String) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning);
        }
    }
}

fn wrong_length() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "its length is not what it says")
}

impl<R: Read> Iterator for WarcReader<R> {
    type Item = WarcPage;

    fn next(&mut self) -> Option<WarcPage> {
        loop {
            let captured = self.next_captured()?;
            if let Some(page) = self.page(&captured) {
                return Some(page);
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
