//! The bytes of a WARC file, unpacked, with the place in the file from which each can be read again.
//!
//! A `.warc.gz` is as a rule one gzip member a record, so that a record can be read from where its member begins; what
//! was packed as one stream is read as well, only that its records lie deep inside a member. Bytes between members, and
//! members that are damaged, are passed over up to where the next member may begin.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

/// How much is unpacked at a time.
const CHUNK: usize = 64 << 10;

/// Most bytes that are kept to go back to.
const MOST_KEPT: usize = 64 << 20;

/// What a record begins with.
const RECORD: &[u8] = b"WARC/1.";

/// With the only method there is.
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Where something begins: a place in the file, and how many unpacked bytes lie between it and that place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Location {
    pub(crate) member: u64,
    pub(crate) skip: u64,
}

/// A stream of unpacked bytes. A chunk never holds bytes of two members.
pub(crate) struct Members<R: Read> {
    source: Source<R>,
    is_plain: bool,
    chunk: Vec<u8>,
    from: usize,
    to: usize,
    /// Where in the file the current member begins; for a file that is not packed, where the chunk ends.
    member: u64,
    /// How many bytes of the member lie before the end of the chunk.
    unpacked: u64,
    /// The end of the last member that is whole.
    whole_until: u64,
    truncated: bool,
    /// How many bytes between members were passed over.
    passed_over: u64,
    /// What was consumed since a place that looks like a record, if we may want to go back there.
    kept: Option<Vec<u8>>,
}

enum Source<R: Read> {
    Plain(Counted<R>),
    Member(Box<GzDecoder<Counted<R>>>),
    Between(Counted<R>),
    Done,
}

impl<R: Read> Members<R> {
    /// Reads a file that lies at this position of a larger one.
    pub(crate) fn new(file: R, position: u64) -> io::Result<Self> {
        let mut input = Counted { input: BufReader::with_capacity(CHUNK, file), position };
        let packed = input.fill_buf()?.first() == Some(&GZIP_MAGIC[0]);
        Ok(Self {
            source: if packed { Source::Between(input) } else { Source::Plain(input) },
            is_plain: !packed,
            chunk: vec![0; CHUNK],
            from: 0,
            to: 0,
            member: position,
            unpacked: 0,
            whole_until: position,
            truncated: false,
            passed_over: 0,
            kept: None,
        })
    }

    /// What is unpacked and not consumed; nothing at the end. After damage, which is an error once, it goes on with the
    /// next member.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        while self.from == self.to {
            // It is longer after going back.
            self.chunk.resize(CHUNK, 0);
            (self.from, self.to) = (0, 0);
            match std::mem::replace(&mut self.source, Source::Done) {
                Source::Done => break,
                Source::Plain(mut input) => {
                    let count = input.read(&mut self.chunk)?;
                    self.take(count);
                    self.member = input.position;
                    if count > 0 {
                        self.source = Source::Plain(input);
                    }
                }
                Source::Between(mut input) => {
                    if self.find_member(&mut input)? {
                        self.member = input.position;
                        self.unpacked = 0;
                        self.kept = None;
                        self.source = Source::Member(Box::new(GzDecoder::new(input)));
                    }
                }
                Source::Member(mut decoder) => match decoder.read(&mut self.chunk) {
                    Ok(0) => {
                        let input = decoder.into_inner();
                        self.whole_until = input.position;
                        self.source = Source::Between(input);
                    }
                    Ok(count) => {
                        self.take(count);
                        self.source = Source::Member(decoder);
                    }
                    Err(cause) => {
                        let mut input = decoder.into_inner();
                        if input.position == self.member {
                            input.consume(1);
                        }
                        self.truncated = cause.kind() == io::ErrorKind::UnexpectedEof && input.fill_buf()?.is_empty();
                        self.source = Source::Between(input);
                        return Err(cause);
                    }
                },
            }
        }
        Ok(&self.chunk[self.from..self.to])
    }

    pub(crate) fn consume(&mut self, count: usize) {
        let end = (self.from + count).min(self.to);
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(&self.chunk[self.from..end]);
            let is_record = kept.iter().zip(RECORD).all(|(byte, expected)| byte == expected);
            if !is_record || kept.len() > MOST_KEPT {
                self.kept = None;
            }
        }
        self.from = end;
    }

    /// Consumes, and keeps what comes from the first line on that begins like a record.
    pub(crate) fn consume_watching(&mut self, count: usize) {
        let end = (self.from + count).min(self.to);
        let mut line = self.from;
        // What seemed to begin a record at the end of the last chunk may go on otherwise in this one.
        if let Some(kept) = &self.kept
            && kept.iter().chain(&self.chunk[line..end]).zip(RECORD).any(|(byte, expected)| byte != expected)
        {
            self.kept = None;
        }
        while self.kept.is_none()
            && let Some(at) = self.chunk[line..end].iter().position(|byte| *byte == b'\n')
        {
            line += at + 1;
            let begin = &self.chunk[line..end];
            if begin.iter().zip(RECORD).all(|(byte, expected)| byte == expected) {
                self.from = line;
                self.kept = Some(Vec::new());
            }
        }
        self.consume(end - self.from);
    }

    /// Whether there is a line to go back to that begins like a record.
    pub(crate) fn has_kept(&self) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.len() >= RECORD.len())
    }

    /// Whether something is kept that may become such a line.
    pub(crate) fn is_keeping(&self) -> bool {
        self.kept.is_some()
    }

    /// No longer keeps what is consumed.
    pub(crate) fn forget(&mut self) {
        self.kept = None;
    }

    /// Goes back to the line that begins like a record.
    pub(crate) fn go_back(&mut self) {
        if let Some(mut kept) = self.kept.take() {
            kept.extend_from_slice(&self.chunk[self.from..self.to]);
            (self.from, self.to) = (0, kept.len());
            self.chunk = kept;
        }
    }

    /// Whether the next byte is the first of a member that begins like a record.
    pub(crate) fn begins_record_in_member(&self) -> bool {
        self.begins_member() && self.chunk[self.from..self.to].starts_with(RECORD)
    }

    /// Whether the file is not packed.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Where the next byte lies, once [`fill`](Self::fill) has made sure that there is one.
    pub(crate) fn location(&self) -> Location {
        let left = (self.to - self.from) as u64;
        match self.is_plain {
            true => Location { member: self.member - left, skip: 0 },
            false => Location { member: self.member, skip: self.unpacked - left },
        }
    }

    /// Whether the next byte is the first of a gzip member.
    pub(crate) fn begins_member(&self) -> bool {
        !self.is_plain && self.location().skip == 0
    }

    /// The end of the last gzip member that is whole; what follows it can be cut off.
    pub(crate) fn whole_until(&self) -> u64 {
        self.whole_until
    }

    /// Whether the file ends inside a member.
    pub(crate) fn truncated(&self) -> bool {
        self.truncated
    }

    /// How many bytes between members were passed over since this was last asked.
    pub(crate) fn passed_over(&mut self) -> u64 {
        std::mem::take(&mut self.passed_over)
    }

    fn take(&mut self, count: usize) {
        (self.from, self.to) = (0, count);
        self.unpacked += count as u64;
    }

    /// Goes to where a member may begin, if there is such a place.
    fn find_member(&mut self, input: &mut Counted<R>) -> io::Result<bool> {
        loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            match bytes.iter().position(|byte| *byte == GZIP_MAGIC[0]) {
                Some(0) if bytes.iter().zip(GZIP_MAGIC).all(|(byte, magic)| *byte == magic) => return Ok(true),
                Some(at) => {
                    self.passed_over += at.max(1) as u64;
                    input.consume(at.max(1));
                }
                None => {
                    // Zeros fill up the blocks of tapes and are nothing to speak of.
                    self.passed_over += bytes.iter().filter(|byte| **byte != 0).count() as u64;
                    let count = bytes.len();
                    input.consume(count);
                }
            }
        }
    }
}

/// A reader that knows how far it has come.
struct Counted<R> {
    input: BufReader<R>,
    position: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: Read> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.position += count as u64;
        self.input.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::content_encoding::tests::gzip;

    type Chunks = Vec<(Location, String)>;

    /// All that can be unpacked, with the location of each chunk, and how often it was damaged.
    fn unpack(bytes: &[u8]) -> (Chunks, usize, Members<Cursor<Vec<u8>>>) {
        let mut members = Members::new(Cursor::new(bytes.to_vec()), 0).unwrap();
        let (mut chunks, mut damaged) = (Vec::new(), 0);
        loop {
            match members.fill() {
                Ok([]) => return (chunks, damaged, members),
                Ok(chunk) => {
                    let chunk = String::from_utf8_lossy(chunk).into_owned();
                    chunks.push((members.location(), chunk.clone()));
                    members.consume(chunk.len());
                }
                Err(_) => damaged += 1,
            }
        }
    }

    #[test]
    fn each_member_is_found_where_it_begins() {
        let (one, two) = (gzip(b"one"), gzip(b"two"));
        let (chunks, damaged, members) = unpack(&[one.clone(), vec![0; 7], two.clone()].concat());
        let second = one.len() as u64 + 7;
        let expected = [(Location::default(), "one".into()), (Location { member: second, skip: 0 }, "two".into())];
        assert_eq!((chunks.as_slice(), damaged), (&expected[..], 0));
        assert_eq!(members.whole_until(), second + two.len() as u64);
        assert!(!members.truncated());
    }

    #[test]
    fn what_is_not_packed_is_handed_on() {
        let (chunks, damaged, _) = unpack(b"plain");
        assert_eq!((chunks.as_slice(), damaged), (&[(Location::default(), "plain".into())][..], 0));
        assert!(unpack(b"").0.is_empty());
    }

    #[test]
    fn damage_and_garbage_cost_one_member() {
        let mut broken = gzip(b"It rained all day, and then it rained all night.");
        broken[20] ^= 0xff;
        let whole = [gzip(b"one"), broken, b"garbage\x1f\x1f\x8bmore".to_vec(), gzip(b"two")].concat();
        let (chunks, damaged, members) = unpack(&whole);
        assert_eq!((chunks.first().unwrap().1.as_str(), chunks.last().unwrap().1.as_str()), ("one", "two"));
        assert!(damaged >= 1 && !members.truncated());
        assert_eq!(members.whole_until(), whole.len() as u64);
    }

    #[test]
    fn a_cut_is_told_with_the_place_up_to_which_all_is_whole() {
        let one = gzip(b"one");
        let two = gzip(b"two");
        for cut in 1..two.len() {
            let (chunks, _, members) = unpack(&[one.as_slice(), &two[..cut]].concat());
            assert_eq!((chunks[0].1.as_str(), members.whole_until()), ("one", one.len() as u64), "{cut}");
            assert!(members.truncated(), "{cut}");
        }
    }
}
