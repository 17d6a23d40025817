//! The HTTP response in a record: its head, and the page in its body.
//!
//! Archives differ in what they did to the body. Some keep it as it was sent, some undo chunks and compression but keep
//! the headers that announce them; so each is undone only where the bytes look like it.

use std::io::{self, Read};

use crate::content_encoding::{self, Bounds};
use crate::content_type::ContentType;

/// The head of a response.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ResponseHead {
    pub(crate) status: u16,
    pub(crate) fields: Fields,
}

/// Header fields, of HTTP or of WARC.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Fields that are known one by one.
    pub(crate) fn new(fields: impl IntoIterator<Item = (String, String)>) -> Fields {
        Fields(fields.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect())
    }

    /// Reads lines of `name: value`. A line that begins with a blank goes on with the one before; what is no field is
    /// passed over.
    pub(crate) fn parse(lines: &[u8]) -> Fields {
        let text = String::from_utf8_lossy(lines);
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            if line.starts_with([' ', '\t']) {
                if let Some((_, value)) = fields.last_mut() {
                    value.push(' ');
                    value.push_str(line.trim());
                }
            } else if let Some((name, value)) = line.split_once(':') {
                fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        Fields(fields)
    }

    /// The first value of a name, which is given in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl ResponseHead {
    /// Reads a head without its blank line; none if it does not begin like HTTP.
    pub(crate) fn parse(head: &[u8]) -> Option<ResponseHead> {
        let end = head.iter().position(|byte| *byte == b'\n').unwrap_or(head.len());
        let status_line = String::from_utf8_lossy(&head[..end]);
        let mut words = status_line.split_ascii_whitespace();
        words.next().filter(|version| version.get(..5).is_some_and(|http| http.eq_ignore_ascii_case("http/")))?;
        let status = words.next()?.parse().ok()?;
        Some(ResponseHead { status, fields: Fields::parse(head.get(end + 1..).unwrap_or_default()) })
    }

    pub(crate) fn content_type(&self) -> ContentType {
        ContentType::parse(self.fields.get("content-type").unwrap_or_default())
    }

    /// The body as the page was before it was sent: without chunks and compression; the part that can be read if it is cut off.
    pub(crate) fn unpack(&self, body: Vec<u8>, bounds: Bounds) -> Result<Vec<u8>, NotUnpacked> {
        let (bytes, done) = self.beginning(body, bounds, bounds.most.saturating_add(1))?;
        match done {
            _ if bytes.len() as u64 > bounds.most => Err(NotUnpacked::TooLarge),
            Some(io::ErrorKind::FileTooLarge) => Err(NotUnpacked::TooLarge),
            Some(io::ErrorKind::TimedOut) => Err(NotUnpacked::Late),
            _ => Ok(bytes),
        }
    }

    /// The first `most` bytes of it, and what kept us from more, if something did.
    pub(crate) fn beginning(
        &self,
        body: Vec<u8>,
        bounds: Bounds,
        most: u64,
    ) -> Result<(Vec<u8>, Option<io::ErrorKind>), NotUnpacked> {
        let chunked = self.fields.get("transfer-encoding").is_some_and(|value| value.to_ascii_lowercase().contains("chunked"));
        let mut body = if chunked { without_chunks(body) } else { body };
        let layers = content_encoding::layers(self.fields.get("content-encoding").unwrap_or_default());
        let layers = layers.map_err(NotUnpacked::Encoding)?;
        if layers.is_empty() || looks_like_html(&body) {
            body.truncate(usize::try_from(most).unwrap_or(usize::MAX));
            return Ok((body, None));
        }
        let mut bytes = Vec::new();
        let done = match content_encoding::undo(body.as_slice(), &layers, bounds) {
            Ok(stream) => read_while_possible(stream.take(most), &mut bytes),
            Err(cause) => Some(cause.kind()),
        };
        Ok((bytes, done))
    }
}

/// Why a body is not what was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotUnpacked {
    TooLarge,
    Late,
    /// Compressed in a way that is not known.
    Encoding(String),
}

/// Reads up to the end or an error, which is returned.
fn read_while_possible(mut stream: impl Read, bytes: &mut Vec<u8>) -> Option<io::ErrorKind> {
    let mut chunk = [0; 8192];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => return None,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Some(cause.kind()),
        }
    }
}

/// Whether bytes begin like an HTML page, for servers that do not say what they send.
pub(crate) fn looks_like_html(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let start = start[..start.len().min(512)].to_ascii_lowercase();
    start.starts_with(b"<!doctype html")
        || start.starts_with(b"<!--")
        || [b"<html".as_slice(), b"<head", b"<body", b"<title"]
            .iter()
            .any(|tag| start.windows(tag.len()).any(|window| window == *tag))
}

/// The body without the chunks it was sent in (RFC 9112, 7.1); as it is if it does not begin with one.
fn without_chunks(body: Vec<u8>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = body.as_slice();
    let mut chunks = 0;
    while let Some(end) = rest.iter().take(1024).position(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(&rest[..end]);
        let digits = line.split(';').next().unwrap_or_default().trim();
        let Ok(length) = usize::from_str_radix(digits, 16) else { break };
        rest = &rest[end + 1..];
        chunks += 1;
        let part = &rest[..length.min(rest.len())];
        out.extend_from_slice(part);
        rest = &rest[part.len()..];
        rest = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n")).unwrap_or(rest);
        if length == 0 {
            break;
        }
    }
    if chunks == 0 { body } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content_encoding::tests::{brotli, gzip};

    fn unpack(headers: &str, body: &[u8]) -> Result<Vec<u8>, NotUnpacked> {
        let bounds = Bounds { most: 1000, deadline: None };
        ResponseHead::parse(format!("HTTP/1.1 200 OK\r\n{headers}").as_bytes()).unwrap().unpack(body.to_vec(), bounds)
    }

    #[test]
    fn heads_as_servers_send_them() {
        let head =
            ResponseHead::parse(b"HTTP/1.0 404\nContent-Type: text/html;\r\n charset=utf-8\r\nnonsense\r\nX: 1:2").unwrap();
        assert_eq!(head.status, 404);
        assert_eq!(head.content_type().charset.as_deref(), Some("utf-8"));
        assert_eq!((head.fields.get("x"), head.fields.get("y")), (Some("1:2"), None));
        assert_eq!(ResponseHead::parse(b"http/2 200").unwrap().status, 200);
        for no_head in [&b""[..], b"\n", b"<html>", b"HTTP/1.1", b"HTTP/1.1 OK", b"HTTP/1.1 99999999"] {
            assert_eq!(ResponseHead::parse(no_head), None);
        }
    }

    #[test]
    fn chunks_and_compression_are_undone_where_they_are() {
        let chunked = "Transfer-Encoding: chunked";
        assert_eq!(unpack(chunked, b"3;x=y\r\n<p>\r\n2\r\nhi\r\n0\r\n\r\n").unwrap(), b"<p>hi");
        assert_eq!(unpack(chunked, b"3\r\n<p>\r\n9\r\ncut").unwrap(), b"<p>cut");
        assert_eq!(unpack(chunked, b"<p>not in chunks\n").unwrap(), b"<p>not in chunks\n");
        assert_eq!(unpack("Content-Encoding: gzip", &gzip(b"<p>")).unwrap(), b"<p>");
        assert_eq!(unpack("Content-Encoding: gzip", b"<p>unpacked already").unwrap(), b"<p>unpacked already");
        assert_eq!(unpack("Content-Encoding: br", &brotli(b"<p>")).unwrap(), b"<p>");
        assert_eq!(unpack("Content-Encoding: br", b"<html>unpacked already").unwrap(), b"<html>unpacked already");
        assert_eq!(unpack("Content-Encoding: unheard", b"x"), Err(NotUnpacked::Encoding("unheard".to_owned())));
        assert_eq!(unpack("Content-Encoding: gzip", &gzip(&[0; 1001])), Err(NotUnpacked::TooLarge));
        assert_eq!(unpack("", &[b'a'; 1001]), Err(NotUnpacked::TooLarge));
        let nothing = crate::content_encoding::tests::empty_members(100_000, 3);
        assert_eq!(unpack("Content-Encoding: gzip, gzip, gzip", &nothing), Err(NotUnpacked::TooLarge));
    }

    #[test]
    fn of_a_body_that_is_cut_off_the_beginning_is_read() {
        let packed = gzip(&(0..900u32).map(|i| (i * i % 251) as u8).collect::<Vec<_>>());
        let bytes = unpack("Content-Encoding: gzip", &packed[..packed.len() / 2]).unwrap();
        assert!(!bytes.is_empty() && bytes.len() < 900);
    }
}
