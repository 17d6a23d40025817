//! What a person names on the command line, with files that hold many pages opened: web archives, zip archives of pages or of web archives (WACZ),
//! and JSON lines.
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

use crate::content_encoding::{Bounds, undo_gzip};
use crate::fetch::parse_web_address;
use crate::file_kind::{FileKind, LOOKED_AT, file_kind};
use crate::inputs::{Held, Input, InputError, Inputs, Named, inputs, relative_of};
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
        let kind = match &named.input {
            Input::File(path) if self.inputs.is_named_or_archive(path) => file_kind(&first_bytes(path).map_err(unreadable)?),
            Input::Stdin => file_kind(io::stdin().lock().fill_buf().map_err(unreadable)?),
            _ => return Ok(None),
        };
        let stream = |path: &Input| -> io::Result<Stream> {
            Ok(match path {
                Input::File(path) => Box::new(File::open(path)?),
                _ => Box::new(io::stdin()),
            })
        };
        Ok(match kind {
            FileKind::Page => None,
            FileKind::Warc => {
                let length = match &named.input {
                    Input::File(path) => path.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len()),
                    _ => None,
                };
                let archive = stream(&named.input).and_then(WarcReader::new).map_err(unreadable)?;
                Some(Open::Warc(Box::new(Warc::new(name, archive.of_length(length), &self.reading))))
            }
            FileKind::Zip => match &named.input {
                Input::File(path) => Some(Open::Zip(Box::new(Zip::open(path, name)?))),
                _ => return Err(InputError::Foreign { name, what: "a zip archive, which has to be a file" }),
            },
            FileKind::JsonLines => {
                let lines = stream(&named.input).and_then(undo_gzip).map_err(unreadable)?;
                let folder = match &named.input {
                    Input::File(path) => path.parent().unwrap_or(Path::new("")).to_owned(),
                    _ => PathBuf::new(),
                };
                let stem = named.relative.file_stem().unwrap_or(OsStr::new("page")).into();
                Some(Open::Lines(Box::new(Lines { name, folder, stem, lines: BufReader::new(Box::new(lines)), line: 0 })))
            }
            FileKind::Foreign(what) => return Err(InputError::Foreign { name, what }),
        })
    }
}

/// Whether a file is one that [`pages()`] opens, because it holds many pages: a web archive, a zip archive, JSON lines.
#[must_use]
pub fn holds_pages(path: &Path) -> bool {
    let kind = first_bytes(path).map(|first| file_kind(&first));
    matches!(kind, Ok(FileKind::Warc | FileKind::Zip | FileKind::JsonLines))
}

fn first_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    // What is no regular file, such as a pipe, can be read only once.
    if path.metadata()?.is_file() {
        File::open(path)?.take(LOOKED_AT as u64).read_to_end(&mut first)?;
    }
    Ok(first)
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
        let entry = self.archive.by_index(self.at - 1)?;
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
            self.within = Some(Box::new(Warc::new(told, WarcReader::new(stream)?, reading)));
            return Ok(None);
        }
        if !looks_like_page(&name) {
            return Ok(None);
        }
        self.found = true;
        let bounds = Bounds { most: reading.max_bytes, deadline: None };
        let Some(bytes) = read_limited(entry, bounds)? else {
            return Err(io::Error::other(format!("{} is larger than {} bytes", relative.display(), reading.max_bytes)));
        };
        Ok(Some(held(relative, Held { name: told, bytes, url: None, charset: None }, None)))
    }
}

/// Whether a file has the name of a web archive.
pub(crate) fn is_web_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".warc", ".warc.gz", ".wacz"].iter().any(|end| name.ends_with(end))
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
                let file = File::open(self.folder.join(&path)).and_then(|file| read_limited(file, bounds));
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
