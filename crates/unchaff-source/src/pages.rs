//! What a person names on the command line, with files that hold many pages opened: web archives, zip archives of pages or of web archives (WACZ),
//! and JSON lines; and with those that name pages of the web: lists of addresses, sitemaps, feeds.
//!
//! They are told by their first bytes, whatever their names, also on standard input; in folders, where files are taken by name, by their names first.
//! Pages come as they are read, so memory is bounded by the largest of them. What is wrong with an archive is an error after its
//! pages.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use serde_json::{Map, Value};
use url::Url;
use zip::{CompressionMethod, ZipArchive};

use crate::addresses::addresses;
use crate::arc::ArcAsWarc;
use crate::content_encoding::Bounds;
use crate::fetch::parse_web_address;
use crate::file_kind::{FileKind, file_kind};
use crate::inputs::{Held, Input, InputError, Inputs, Named, inputs, relative_of};
use crate::packing::undo_packing;
use crate::page_file_name::looks_like_page;
use crate::read::read_limited;
use crate::reading::Reading;
use crate::warc::{WarcPage, WarcReader};

/// JSON lines are longer than their pages: what is escaped, and other fields.
const LONGER: u64 = 2;

/// A stream that an archive is read from; whoever has [`Pages`] may hand them to another thread.
type Stream = Box<dyn Read + Send>;

/// The pages that arguments stand for, in order: as [`inputs()`], with archives and JSON lines opened.
///
/// A line of JSON is an object with `html`, or `path` or `file` (of a file, from the folder of the lines on), or `url` alone, which is then fetched; `url` is the address of
/// the page, and all other fields are handed on ([`Named::given`]).
///
/// ```
/// use unchaff_source::{Input, Reading, pages};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("pages.jsonl");
/// std::fs::write(&path, r#"{"url": "https://example.org/a", "html": "<p>One", "id": 7}"#)?;
/// let named = pages(&[&path], Reading::default()).next().unwrap()?;
/// let Input::Held(page) = &named.input else { panic!() };
/// assert_eq!((page.url.as_deref(), &page.bytes[..]), (Some("https://example.org/a"), &b"<p>One"[..]));
/// assert_eq!(named.given.as_deref(), Some(r#"{"id":7}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pages<S: AsRef<OsStr>>(arguments: &[S], reading: Reading) -> Pages {
    Pages { inputs: inputs(arguments).with_archives(), reading, open: None }
}

/// The iterator that [`pages()`] returns.
pub struct Pages {
    inputs: Inputs,
    reading: Reading,
    open: Option<Open>,
}

/// A file of many pages.
enum Open {
    Warc(Box<Warc>),
    Zip(Box<Zip>),
    Lines(Box<Lines>),
    Addresses(std::vec::IntoIter<Url>),
}

impl Iterator for Pages {
    type Item = Result<Named, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next = match &mut self.open {
                None => {
                    let named = match self.inputs.next()? {
                        Ok(named) => named,
                        Err(error) => return Some(Err(error)),
                    };
                    match self.opened(&named) {
                        Ok(None) => return Some(Ok(named)),
                        Ok(open) => self.open = open,
                        Err(error) => return Some(Err(error)),
                    }
                    continue;
                }
                Some(Open::Warc(warc)) => warc.next(),
                Some(Open::Zip(zip)) => zip.next(&self.reading),
                Some(Open::Lines(lines)) => lines.next(&self.reading),
                Some(Open::Addresses(urls)) => {
                    urls.next().map(|url| Ok(Named { relative: relative_of(&url), input: Input::Url(url.into()), given: None }))
                }
            };
            match next {
                None => self.open = None,
                next => return next,
            }
        }
    }
}

impl Pages {
    /// Opens an input if it is one that holds many pages.
    fn opened(&self, named: &Named) -> Result<Option<Open>, InputError> {
        let name = named.input.to_string();
        let unreadable = |cause| InputError::Unreadable { name: name.clone(), cause };
        let (kind, packed) = match &named.input {
            Input::File(path) if self.inputs.is_named_or_archive(path) => kind_of_file(path).map_err(unreadable)?,
            Input::Stdin => file_kind(&mut io::stdin().lock().fill_buf().map_err(unreadable)?),
            _ => return Ok(None),
        };
        let stream = || -> io::Result<Stream> {
            Ok(match &named.input {
                Input::File(path) => Box::new(File::open(path)?),
                _ => Box::new(io::stdin()),
            })
        };
        let unpacked = || stream().and_then(undo_packing).map(|stream| Box::new(stream) as Stream);
        let warc = |archive: WarcReader<Stream>| Some(Open::Warc(Box::new(Warc::new(name.clone(), archive, &self.reading))));
        Ok(match kind {
            FileKind::Page => None,
            // The reader finds records again in gzip where it is damaged.
            FileKind::Warc if !packed => {
                let length = match &named.input {
                    Input::File(path) => path.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len()),
                    _ => None,
                };
                warc(stream().and_then(WarcReader::new).map_err(unreadable)?.of_length(length))
            }
            FileKind::Warc => warc(unpacked().and_then(WarcReader::new).map_err(unreadable)?),
            FileKind::Arc => {
                let records = unpacked().map_err(unreadable)?;
                warc(WarcReader::new(Box::new(ArcAsWarc::new(records)) as Stream).map_err(unreadable)?)
            }
            FileKind::Zip => match &named.input {
                Input::File(path) if !packed => Some(Open::Zip(Box::new(Zip::open(path, name)?))),
                _ => return Err(InputError::Foreign { name, what: "a zip archive, which has to be a file, not packed again" }),
            },
            FileKind::JsonLines => {
                let lines = unpacked().map_err(unreadable)?;
                let folder = match &named.input {
                    Input::File(path) => path.parent().unwrap_or(Path::new("")).to_owned(),
                    _ => PathBuf::new(),
                };
                let stem = named.relative.file_stem().unwrap_or(OsStr::new("page")).into();
                Some(Open::Lines(Box::new(Lines { name, folder, stem, lines: BufReader::new(lines), line: 0 })))
            }
            FileKind::Addresses(naming) => {
                let bounds = Bounds { most: self.reading.max_bytes, deadline: None };
                let Some(bytes) = stream().and_then(|mut stream| read_limited(&mut stream, bounds)).map_err(unreadable)? else {
                    let what = format!("it is larger than {} bytes", self.reading.max_bytes);
                    return Err(InputError::Damaged { name, what });
                };
                let urls = addresses(naming, &bytes, None);
                if urls.is_empty() {
                    return Err(InputError::Damaged { name, what: "it names no page of the web".to_owned() });
                }
                Some(Open::Addresses(urls.into_iter()))
            }
            FileKind::Foreign(what) => return Err(InputError::Foreign { name, what }),
        })
    }
}

/// Whether a file is one that [`pages()`] opens, because it holds many pages: a web archive, a zip archive, JSON lines.
#[must_use]
pub fn holds_pages(path: &Path) -> bool {
    let kind = kind_of_file(path).map(|(kind, _)| kind);
    matches!(kind, Ok(FileKind::Warc | FileKind::Arc | FileKind::Zip | FileKind::JsonLines))
}

fn kind_of_file(path: &Path) -> io::Result<(FileKind, bool)> {
    // What is no regular file, such as a pipe, can be read only once.
    if path.metadata()?.is_file() { Ok(file_kind(&mut File::open(path)?)) } else { Ok((FileKind::Page, false)) }
}

/// A web archive being read.
struct Warc {
    name: String,
    archive: WarcReader<Stream>,
    /// How many of its warnings were handed on.
    told: usize,
}

impl Warc {
    fn new(name: String, archive: WarcReader<Stream>, reading: &Reading) -> Warc {
        Warc { name, archive: archive.max_bytes(reading.max_bytes).timeout(reading.timeout), told: 0 }
    }

    fn next(&mut self) -> Option<Result<Named, InputError>> {
        if let Some(WarcPage { url, charset, bytes }) = self.archive.next() {
            return Some(Ok(held(
                relative_of(&url),
                Held { name: url.to_string(), url: Some(url.into()), charset, bytes },
                None,
            )));
        }
        let what = self.archive.warnings().get(self.told)?.clone();
        self.told += 1;
        Some(Err(InputError::Damaged { name: self.name.clone(), what }))
    }
}

fn held(relative: PathBuf, page: Held, given: Option<Arc<str>>) -> Named {
    Named { input: Input::Held(Arc::new(page)), relative, given }
}

/// A zip archive being read: of pages, or of web archives.
struct Zip {
    name: String,
    path: PathBuf,
    archive: ZipArchive<File>,
    at: usize,
    found: bool,
    within: Option<Box<Warc>>,
}

impl Zip {
    fn open(path: &Path, name: String) -> Result<Zip, InputError> {
        let file = File::open(path).map_err(|cause| InputError::Unreadable { name: name.clone(), cause })?;
        let damaged = |error: zip::result::ZipError| InputError::Damaged { name: name.clone(), what: error.to_string() };
        let archive = ZipArchive::new(file).map_err(damaged)?;
        Ok(Zip { name, path: path.to_owned(), archive, at: 0, found: false, within: None })
    }

    fn next(&mut self, reading: &Reading) -> Option<Result<Named, InputError>> {
        loop {
            if let Some(next) = self.within.as_mut().and_then(|warc| warc.next()) {
                return Some(next);
            }
            self.within = None;
            if self.at == self.archive.len() {
                self.at += 1;
                let what = "there is no page in it, and no web archive".to_owned();
                return (!self.found).then_some(Err(InputError::Damaged { name: self.name.clone(), what }));
            }
            if self.at > self.archive.len() {
                return None;
            }
            self.at += 1;
            match self.entry(reading) {
                Ok(None) => {}
                Ok(Some(named)) => return Some(Ok(named)),
                Err(error) => return Some(Err(InputError::Damaged { name: self.name.clone(), what: error.to_string() })),
            }
        }
    }

    /// The entry before the place: a page; none if it is something else, or an archive, which is then read.
    fn entry(&mut self, reading: &Reading) -> io::Result<Option<Named>> {
        let mut entry = self.archive.by_index(self.at - 1)?;
        let Some(relative) = entry.enclosed_name().filter(|_| entry.is_file()) else { return Ok(None) };
        let name = relative.file_name().map(OsStr::to_string_lossy).unwrap_or_default().into_owned();
        let told = format!("{}: {}", self.name, relative.display());
        if is_web_archive(&name) {
            self.found = true;
            let mut file = File::open(&self.path)?;
            let Some(start) = entry.data_start() else { return Err(io::ErrorKind::InvalidData.into()) };
            file.seek(SeekFrom::Start(start))?;
            let stored = file.take(entry.compressed_size());
            let stream: Stream = match entry.compression() {
                CompressionMethod::Stored => Box::new(stored),
                CompressionMethod::Deflated => Box::new(DeflateDecoder::new(stored)),
                other => return Err(io::Error::other(format!("{} is packed in an unknown way ({other})", relative.display()))),
            };
            // By its name, for what is in an archive is read only once.
            let name = name.to_ascii_lowercase();
            let stream: Stream = match name.ends_with(".gz") || name.ends_with(".warc") {
                true if name.ends_with(".arc.gz") => Box::new(ArcAsWarc::new(Box::new(undo_packing(stream)?) as Stream)),
                true => stream,
                false if name.contains(".arc") => Box::new(ArcAsWarc::new(Box::new(undo_packing(stream)?) as Stream)),
                false => Box::new(undo_packing(stream)?),
            };
            self.within = Some(Box::new(Warc::new(told, WarcReader::new(stream)?, reading)));
            return Ok(None);
        }
        if !looks_like_page(&name) {
            return Ok(None);
        }
        self.found = true;
        let bounds = Bounds { most: reading.max_bytes, deadline: None };
        let Some(bytes) = read_limited(&mut entry, bounds)? else {
            return Err(io::Error::other(format!("{} is larger than {} bytes", relative.display(), reading.max_bytes)));
        };
        Ok(Some(held(relative, Held { name: told, bytes, url: None, charset: None }, None)))
    }
}

/// Whether a file has the name of a web archive.
#[must_use]
pub fn is_web_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = [".gz", ".zst", ".lz4"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    [".warc", ".arc", ".wacz"].iter().any(|end| name.ends_with(end))
}

/// JSON lines being read.
struct Lines {
    name: String,
    /// Where files of the lines are looked for.
    folder: PathBuf,
    /// What pages without an address are called after.
    stem: PathBuf,
    lines: BufReader<Stream>,
    line: u64,
}

impl Lines {
    fn next(&mut self, reading: &Reading) -> Option<Result<Named, InputError>> {
        let most = reading.max_bytes.saturating_mul(LONGER).saturating_add(1 << 20);
        loop {
            self.line += 1;
            let mut line = Vec::new();
            let count = match self.lines.by_ref().take(most).read_until(b'\n', &mut line) {
                Ok(count) => count as u64,
                Err(cause) => {
                    // What is damaged stays so.
                    self.lines = BufReader::new(Box::new(io::empty()));
                    return Some(Err(InputError::Damaged { name: self.name.clone(), what: cause.to_string() }));
                }
            };
            if count == 0 {
                return None;
            }
            let why = if count == most && !line.ends_with(b"\n") {
                self.skip_line();
                format!("it is longer than {most} bytes")
            } else if line.trim_ascii().is_empty() {
                continue;
            } else {
                match self.page(&line, reading) {
                    Ok(named) => return Some(Ok(named)),
                    Err(why) => why,
                }
            };
            return Some(Err(InputError::Line { name: self.name.clone(), line: self.line, why }));
        }
    }

    fn skip_line(&mut self) {
        while let Ok(rest) = self.lines.fill_buf() {
            let (count, ended) = match rest.iter().position(|byte| *byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (rest.len(), rest.is_empty()),
            };
            self.lines.consume(count);
            if ended {
                return;
            }
        }
    }

    fn page(&self, line: &[u8], reading: &Reading) -> Result<Named, String> {
        let mut fields: Map<String, Value> =
            serde_json::from_slice(line).map_err(|error| format!("it is no JSON object: {error}"))?;
        let mut text = |key: &str| match fields.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("`{key}` is no text")),
        };
        let (url, html, path, file) = (text("url")?, text("html")?, text("path")?, text("file")?);
        let path = path.or(file);
        let address = url.as_deref().map(Url::parse).and_then(Result::ok).filter(Url::has_host);
        let name = url.clone().or_else(|| path.clone()).unwrap_or_else(|| format!("{}:{}", self.name, self.line));
        let relative = match (&address, &path) {
            (Some(url), _) => relative_of(url),
            (None, Some(path)) => PathBuf::from(path),
            (None, None) => self.stem.join(self.line.to_string()),
        };
        let given = (!fields.is_empty()).then(|| Value::Object(fields).to_string().into());
        let (bytes, charset) = match (html, path, &url) {
            // Text has no charset any more, whatever the page says of itself.
            (Some(html), _, _) => (html.into_bytes(), Some("utf-8".to_owned())),
            (None, Some(path), _) => {
                let bounds = Bounds { most: reading.max_bytes, deadline: None };
                let file = File::open(self.folder.join(&path)).and_then(|mut file| read_limited(&mut file, bounds));
                match file.map_err(|cause| format!("could not read {path}: {cause}"))? {
                    Some(bytes) => (bytes, None),
                    None => return Err(format!("{path} is larger than {} bytes", reading.max_bytes)),
                }
            }
            (None, None, Some(url)) => {
                let url = parse_web_address(url).map_err(|reason| format!("`{url}` is no web address ({reason})"))?;
                return Ok(Named { input: Input::Url(url.into()), relative, given });
            }
            (None, None, None) => return Err("it has neither html nor path nor url".to_owned()),
        };
        Ok(held(relative, Held { name, bytes, url, charset }, given))
    }
}

#[cfg(test)]
mod tests;
