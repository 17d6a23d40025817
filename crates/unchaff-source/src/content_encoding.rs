//! Undoing compression: what a `Content-Encoding` header lists, and gzip files.
//!
//! Where a body does not begin like what the header says, it is taken as it is, for servers mislabel. After the last
//! member of a gzip stream anything else is ignored, as gzip itself does with padding. All of it is streamed; how much
//! may come out is for the reader of the stream to limit. What goes into each layer is limited here ([`Bounds`]), in bytes and in time, for a
//! layer can take in gigabytes and give nothing.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::time::Instant;

use flate2::bufread::GzDecoder;
use flate2::read::{DeflateDecoder, ZlibDecoder};

/// A body with more layers than this is an attack or a mistake.
const MAX_LAYERS: usize = 3;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

type Stream<'a> = Box<dyn Read + 'a>;

/// What this module can undo, as sent in `Accept-Encoding`.
pub(crate) const ACCEPTED: &str = "gzip, deflate, br";

/// The names listed in a `Content-Encoding` header, in the order they were applied, or the one that cannot be undone.
pub(crate) fn layers(header: &str) -> Result<Vec<String>, String> {
    let names: Vec<String> = header
        .split(',')
        .map(|name| name.trim().to_ascii_lowercase())
        .filter(|name| !name.is_empty() && name != "identity")
        .collect();
    if let Some(unknown) = names.iter().find(|name| !matches!(name.as_str(), "gzip" | "x-gzip" | "deflate" | "br")) {
        return Err(unknown.clone());
    }
    if names.len() > MAX_LAYERS { Err(header.to_owned()) } else { Ok(names) }
}

/// What undoing may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Most bytes of the page that comes out.
    pub(crate) most: u64,
    /// When it is given up.
    pub(crate) deadline: Option<Instant>,
}

impl Bounds {
    /// What goes into a layer: as much as may come out at the end, and what packing adds to bytes that cannot be packed.
    pub(crate) fn around<R>(self, stream: R) -> Bounded<R> {
        Bounded { stream, left: self.most.saturating_add(self.most / 64).saturating_add(4096), deadline: self.deadline }
    }
}

/// A stream that ends in an error if it goes on for too long: [`FileTooLarge`](io::ErrorKind::FileTooLarge) or
/// [`TimedOut`](io::ErrorKind::TimedOut).
pub(crate) struct Bounded<R> {
    stream: R,
    left: u64,
    deadline: Option<Instant>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let count = self.stream.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(count)
    }
}

/// Undoes the [`layers`] of a body, last applied first.
pub(crate) fn undo<'a>(body: impl Read + 'a, layers: &[String], bounds: Bounds) -> io::Result<Stream<'a>> {
    let mut stream: Stream<'a> = Box::new(body);
    for layer in layers.iter().rev() {
        let stream_in = bounds.around(stream);
        stream = match layer.as_str() {
            "deflate" => undo_deflate(stream_in)?,
            "br" => undo_brotli(stream_in)?,
            _ => Box::new(undo_gzip(stream_in)?),
        };
    }
    Ok(stream)
}

/// Decompresses what begins like gzip, and hands on anything else.
pub(crate) fn undo_gzip<R: Read>(stream: R) -> io::Result<MaybeGzip<R>> {
    let (head, stream) = peek(stream)?;
    if head != GZIP_MAGIC {
        return Ok(MaybeGzip::Plain(stream));
    }
    Ok(MaybeGzip::Packed(Box::new(GzipMembers { member: Some(GzDecoder::new(BufReader::new(stream))) })))
}

/// A stream of which the first bytes were looked at.
type Peeked<R> = io::Chain<Cursor<Vec<u8>>, R>;

/// A stream that was packed or not, and no longer is.
pub(crate) enum MaybeGzip<R> {
    Plain(Peeked<R>),
    Packed(Box<GzipMembers<BufReader<Peeked<R>>>>),
}

impl<R: Read> Read for MaybeGzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            MaybeGzip::Plain(stream) => stream.read(buffer),
            MaybeGzip::Packed(members) => members.read(buffer),
        }
    }
}

/// `deflate` means zlib (RFC 9110, 8.4.1.2), but some servers send bare deflate; the zlib header has a check sum.
fn undo_deflate<'a>(stream: impl Read + 'a) -> io::Result<Stream<'a>> {
    let (head, stream) = peek(stream)?;
    Ok(match head[..] {
        [first, second] if first & 0x0f == 8 && u16::from_be_bytes([first, second]).is_multiple_of(31) => {
            Box::new(ZlibDecoder::new(stream))
        }
        [] => Box::new(stream),
        _ => Box::new(DeflateDecoder::new(stream)),
    })
}

fn undo_brotli<'a>(stream: impl Read + 'a) -> io::Result<Stream<'a>> {
    let (head, stream) = peek(stream)?;
    Ok(if head.is_empty() { Box::new(stream) } else { Box::new(brotli_decompressor::Decompressor::new(stream, 16 << 10)) })
}

/// The first two bytes (fewer if there are no more), and the stream with them put back.
fn peek<R: Read>(mut stream: R) -> io::Result<(Vec<u8>, Peeked<R>)> {
    let mut head = Vec::with_capacity(2);
    stream.by_ref().take(2).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(stream)))
}

/// All members of a gzip file, one after the other.
pub(crate) struct GzipMembers<R> {
    /// None once the last member has ended.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let mut rest = self.member.take().map(GzDecoder::into_inner).expect("the loop holds a member");
            if rest.fill_buf()?.first() == Some(&GZIP_MAGIC[0]) {
                self.member = Some(GzDecoder::new(rest));
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    pub(crate) fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    fn zlib(data: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    fn bare_deflate(data: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    /// One uncompressed meta-block and the empty last one (RFC 7932, 9.2).
    pub(crate) fn brotli(data: &[u8]) -> Vec<u8> {
        let header = (u32::try_from(data.len() - 1).unwrap() << 4) | (1 << 20);
        let mut stream = header.to_le_bytes()[..3].to_vec();
        stream.extend_from_slice(data);
        stream.push(0b11);
        stream
    }

    fn undone(body: &[u8], header: &str) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        undo(body, &layers(header).unwrap(), UNBOUNDED)?.read_to_end(&mut out)?;
        Ok(out)
    }

    const UNBOUNDED: Bounds = Bounds { most: u64::MAX, deadline: None };

    /// Layers of gzip, of which the innermost is nothing but members with nothing in them.
    pub(crate) fn empty_members(count: usize, layers: usize) -> Vec<u8> {
        (1..layers).fold(gzip(b"").repeat(count), |inner, _| gzip(&inner))
    }

    const PAGE: &[u8] = b"<p>It rained all day, all day, all day.";

    #[test]
    fn every_encoding_gives_the_page_back() {
        assert_eq!(undone(PAGE, "").unwrap(), PAGE);
        assert_eq!(undone(PAGE, "identity").unwrap(), PAGE);
        assert_eq!(undone(&gzip(PAGE), "gzip").unwrap(), PAGE);
        assert_eq!(undone(&gzip(PAGE), "X-GZIP").unwrap(), PAGE);
        assert_eq!(undone(&zlib(PAGE), "deflate").unwrap(), PAGE);
        assert_eq!(undone(&bare_deflate(PAGE), "deflate").unwrap(), PAGE);
        assert_eq!(undone(&brotli(PAGE), "br").unwrap(), PAGE);
        assert_eq!(undone(&brotli(&gzip(PAGE)), "gzip, br").unwrap(), PAGE);
    }

    #[test]
    fn an_empty_body_and_a_mislabelled_one_are_taken_as_they_are() {
        for encoding in ["gzip", "deflate", "br"] {
            assert_eq!(undone(b"", encoding).unwrap(), b"", "{encoding}");
        }
        assert_eq!(undone(PAGE, "gzip").unwrap(), PAGE);
        assert_eq!(undone(b"<", "gzip").unwrap(), b"<");
    }

    #[test]
    fn members_follow_each_other_and_padding_is_ignored() {
        let two = [gzip(b"one "), gzip(b"two"), vec![0; 600]].concat();
        assert_eq!(undone(&two, "gzip").unwrap(), b"one two");
    }

    #[test]
    fn a_cut_stream_is_an_error_of_its_own() {
        for (whole, encoding) in [(gzip(PAGE), "gzip"), (zlib(PAGE), "deflate")] {
            let error = undone(&whole[..whole.len() - 9], encoding).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{encoding}: {error}");
        }
        // This decompressor does not tell a cut stream from a damaged one.
        let whole = brotli(PAGE);
        assert_eq!(undone(&whole[..whole.len() - 9], "br").unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn what_goes_into_a_layer_is_limited_in_bytes_and_time_even_if_nothing_comes_out() {
        let three = empty_members(100_000, 3);
        assert!(three.len() < 20_000, "{}", three.len());
        let names = layers("gzip, gzip, gzip").unwrap();
        let kind = |bounds| {
            let mut out = Vec::new();
            let done = undo(three.as_slice(), &names, bounds).and_then(|mut stream| stream.read_to_end(&mut out));
            assert!(out.is_empty());
            done.unwrap_err().kind()
        };
        assert_eq!(kind(Bounds { most: 1 << 20, deadline: None }), io::ErrorKind::FileTooLarge);
        assert_eq!(kind(Bounds { most: u64::MAX, deadline: Some(Instant::now()) }), io::ErrorKind::TimedOut);
    }

    #[test]
    fn a_page_at_the_limit_that_cannot_be_packed_is_undone() {
        let noise: Vec<u8> = (0..100_000u64).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
        let packed = gzip(&gzip(&noise));
        let bounds = Bounds { most: noise.len() as u64, deadline: None };
        let mut out = Vec::new();
        undo(packed.as_slice(), &layers("gzip, gzip").unwrap(), bounds).unwrap().read_to_end(&mut out).unwrap();
        assert_eq!(out, noise);
    }

    #[test]
    fn unknown_and_piled_up_encodings_are_refused() {
        assert_eq!(layers("gzip, zstd").unwrap_err(), "zstd");
        assert_eq!(layers("gzip, gzip, gzip, gzip").unwrap_err(), "gzip, gzip, gzip, gzip");
    }
}
