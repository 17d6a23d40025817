//! Files that are packed as a whole: gzip, Zstandard and LZ4, told by their first bytes.
//!
//! What is packed in several frames, one after the other, is read to the end. Web archives in Zstandard may begin with the dictionary of all
//! their frames (the draft for `.warc.zst` of the IIPC), which is used. Like [`content_encoding`](crate::content_encoding), all of it is
//! streamed, and who reads it limits what comes out.

use std::io::{self, BufReader, Cursor, Read};

use lz4_flex::frame::FrameDecoder as Lz4Decoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};

use crate::content_encoding::{MaybeGzip, undo_gzip};

const ZSTANDARD: u32 = 0xFD2F_B528;
const LZ4: u32 = 0x184D_2204;
/// Frames of any content, in both formats, whose numbers end in any digit of sixteen.
const SKIPPED: u32 = 0x184D_2A50;
/// The skipped frame that is the dictionary of a web archive.
const DICTIONARY: u32 = 0x184D_2A5D;
/// Most bytes of a dictionary; those in use have some hundred thousand.
const MAX_DICTIONARY: u32 = 16 << 20;

/// Whether the first bytes are those of a file that [`undo_packing`] unpacks, other than gzip.
pub(crate) fn is_packed(first: &[u8]) -> bool {
    first.first_chunk().is_some_and(|number| begins_frame(u32::from_le_bytes(*number)))
}

fn begins_frame(number: u32) -> bool {
    matches!(number, ZSTANDARD | LZ4) || number & !0xF == SKIPPED
}

/// Unpacks what begins like one of these, and hands on anything else.
///
/// The decoders are large and there would be a copy of each for every kind of stream, so callers hand in `&mut dyn Read`, or [`Pages`](crate::Pages) its boxes.
pub(crate) fn undo_packing<R: Read>(stream: R) -> io::Result<Unpacked<R>> {
    let mut input = BufReader::with_capacity(64 << 10, stream);
    let first = four_bytes(&mut input)?;
    let number = first.first_chunk().map(|number| u32::from_le_bytes(*number));
    let whole = PutBack { first: Cursor::new(first), input };
    Ok(match number {
        Some(LZ4) => Unpacked::Lz4(Box::new(Lz4Frames { decoder: Some(Lz4Decoder::new(whole)) })),
        Some(number) if begins_frame(number) => {
            Unpacked::Zstandard(Box::new(Frames { input: whole, decoder: FrameDecoder::new(), within: false }))
        }
        _ => Unpacked::Gzip(undo_gzip(whole)?),
    })
}

/// A file as it was before it was packed, if it was.
pub(crate) enum Unpacked<R: Read> {
    Zstandard(Box<Frames<PutBack<BufReader<R>>>>),
    Lz4(Box<Lz4Frames<BufReader<R>>>),
    Gzip(MaybeGzip<PutBack<BufReader<R>>>),
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Unpacked::Zstandard(frames) => frames.read(buffer),
            Unpacked::Lz4(frames) => frames.read(buffer),
            Unpacked::Gzip(stream) => stream.read(buffer),
        }
    }
}

/// The next four bytes, fewer at the end.
fn four_bytes(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(4);
    input.take(4).read_to_end(&mut first)?;
    Ok(first)
}

/// The frames of a file in LZ4, a decoder for each.
pub(crate) struct Lz4Frames<R: Read> {
    /// None at the end.
    decoder: Option<Lz4Decoder<PutBack<R>>>,
}

/// A stream with its first bytes put back.
pub(crate) struct PutBack<R> {
    first: Cursor<Vec<u8>>,
    input: R,
}

impl<R: Read> Read for PutBack<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.first.read(buffer)? {
            0 => self.input.read(buffer),
            count => Ok(count),
        }
    }
}

impl<R: Read> Read for Lz4Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let mut input = self.decoder.take().map(Lz4Decoder::into_inner).expect("the loop holds a decoder");
            let first = four_bytes(&mut input)?;
            self.decoder =
                (!first.is_empty()).then(|| Lz4Decoder::new(PutBack { first: Cursor::new(first), input: input.input }));
        }
        Ok(0)
    }
}

/// The frames of a file in Zstandard.
pub(crate) struct Frames<R: Read> {
    input: R,
    decoder: FrameDecoder,
    /// Whether a frame has begun that has not ended.
    within: bool,
}

fn damaged(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

impl<R: Read> Frames<R> {
    /// Goes on to the next frame; false at the end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            let first = four_bytes(&mut self.input)?;
            if first.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(first.as_slice().chain(&mut self.input)) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { magic_number, length })) => {
                    self.skip(magic_number, length)?;
                }
                Err(error) => return Err(damaged(error)),
            }
        }
    }

    /// Passes over a frame, unless it is the dictionary.
    fn skip(&mut self, number: u32, length: u32) -> io::Result<()> {
        if number != DICTIONARY || length > MAX_DICTIONARY {
            let passed = io::copy(&mut (&mut self.input).take(u64::from(length)), &mut io::sink())?;
            return if passed == u64::from(length) { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        let mut bytes = Vec::new();
        (&mut self.input).take(u64::from(length)).read_to_end(&mut bytes)?;
        if bytes.first_chunk() == Some(&ZSTANDARD.to_le_bytes()) {
            let packed = std::mem::take(&mut bytes);
            let frames = Frames { input: &packed[..], decoder: FrameDecoder::new(), within: false };
            frames.take(u64::from(MAX_DICTIONARY)).read_to_end(&mut bytes)?;
        }
        let dictionary = Dictionary::decode_dict(&bytes).map_err(damaged)?;
        self.decoder.add_dict(dictionary).map_err(damaged)
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if buffer.is_empty() || !self.within && !self.begin()? {
                return Ok(0);
            }
            self.within = true;
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder.decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1)).map_err(damaged)?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            self.within = false;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::content_encoding::tests::gzip;
    use proptest::prelude::*;
    use std::io::Write;

    pub(crate) fn zstandard(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    pub(crate) fn lz4(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        undo_packing(bytes)?.take(1 << 20).read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn frames_are_read_one_after_the_other_and_others_are_passed_over() {
        let (one, two) = ([b'a'; 70_000].as_slice(), b"two".as_slice());
        let skipped = [&0x184D_2A53_u32.to_le_bytes()[..], &5_u32.to_le_bytes(), b"12345"].concat();
        for pack in [zstandard, lz4] {
            assert!(unpacked(&pack(one)).unwrap() == one);
            assert!(unpacked(&[pack(one), pack(two)].concat()).unwrap() == [one, two].concat());
            // What is left of a frame that is cut off may be nothing.
            let cut = pack(one);
            assert!(unpacked(&cut[..cut.len() - 3]).map_or(true, |left| one.starts_with(&left)));
        }
        let among_others = [skipped.clone(), zstandard(two), skipped, zstandard(one)].concat();
        assert!(unpacked(&among_others).unwrap() == [two, one].concat());
        assert_eq!(unpacked(&gzip(two)).unwrap(), two);
        for plain in [b"".as_slice(), b"<", b"<p>x", b"<p>page"] {
            assert_eq!(unpacked(plain).unwrap(), plain);
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(kind in 0_usize..4, bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let number = [ZSTANDARD, LZ4, SKIPPED, DICTIONARY][kind].to_le_bytes();
            let _ = unpacked(&[&number[..], &bytes].concat());
        }
    }
}
