//! What a person names on the command line, as a stream of inputs.
//!
//! Folders are walked in a fixed order, by name within each folder, and in bounded memory, which a plain sort of a folder
//! with a million files is not: a pass over the folder keeps the next [`BATCH`] names in a heap, and the next pass starts
//! after the last of them. So a folder of `n` names is listed `n / BATCH` times, which is once for all but huge ones.
//! Folders being walked stand on a stack of our own, so depth does not matter; links to folders are not followed, so a
//! circle cannot arise.

use std::collections::BinaryHeap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use url::Url;

use crate::fetch::{parse_web_address, shown};
use crate::page_file_name::looks_like_page;
use crate::pages::is_web_archive;

/// Most names of one folder held at a time: a few megabytes.
const BATCH: usize = 1 << 16;

/// One place a page can be read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// An http or https address.
    Url(String),
    /// Standard input.
    Stdin,
    /// A page that is here already: of an archive, or of a line of JSON.
    Held(Arc<Held>),
}

/// A page that was read together with others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Held {
    /// What it is called: its address, or the file it is from and its place there.
    pub name: String,
    /// The page.
    pub bytes: Vec<u8>,
    /// Its address.
    pub url: Option<String>,
    /// The charset that is told with it.
    pub charset: Option<String>,
}

impl fmt::Display for Input {
    /// The input as a person may see it: an address without its password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(formatter),
            Self::Url(url) => formatter.write_str(&Url::parse(url).map_or_else(|_| url.clone(), |url| shown(&url))),
            Self::Stdin => formatter.write_str("standard input"),
            Self::Held(page) => formatter.write_str(&page.name),
        }
    }
}

/// An input and what it is called among the others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Named {
    /// Where to read it.
    pub input: Input,
    /// Its path below the folder that was named, the name of a file, `host/path` of an address, or `stdin`. What an
    /// output file is named after, through [`output_name`](crate::output_name()).
    pub relative: PathBuf,
    /// What else a line of JSON says of it, as a JSON object.
    pub given: Option<Arc<str>>,
}

/// Why an argument, or something below it, is no input. The message is complete: what, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// Nothing has this name.
    #[error("no such file or folder: `{}`; check the name (a web address starts with https://)", .path.display())]
    NotFound {
        /// What was named.
        path: PathBuf,
    },
    /// There is something of this name, but the system does not let us look at it.
    #[error("cannot open {}: {cause}; check that you may read it", .path.display())]
    Inaccessible {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// A symbolic link to nothing.
    #[error("{} links to a file that does not exist; remove the link or bring the file back", .path.display())]
    DanglingLink {
        /// The link.
        path: PathBuf,
    },
    /// Not an address that can be fetched.
    #[error("not a web address: `{url}` ({reason}); write it like https://example.org/page")]
    BadUrl {
        /// What was given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder in which nothing looks like a page.
    #[error("no pages in {}: no file there ends in .html or the like; name the files themselves to read them all the same", .folder.display())]
    NoPages {
        /// The folder that was named.
        folder: PathBuf,
    },
    /// Standard input named again.
    #[error("standard input (-) is named twice, but can be read only once; name it once")]
    StdinTwice,
    /// No page and nothing that holds pages.
    #[error("{name} is {what}, not a web page")]
    Foreign {
        /// The file.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// It cannot be looked into.
    #[error("could not read {name}: {cause}; check that it is there and that you may read it")]
    Unreadable {
        /// The file.
        name: String,
        /// What the system says.
        cause: io::Error,
    },
    /// Something is wrong with an archive; what could be read of it has come before.
    #[error("{name}: {what}")]
    Damaged {
        /// The archive.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// A line of JSON that is no page.
    #[error("line {line} of {name} is no page: {why}; write it like {{\"url\": …, \"html\": …}}")]
    Line {
        /// The file.
        name: String,
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
}

/// The inputs that arguments stand for, in order: `-` is standard input, `http://` and `https://` begin an address, a
/// folder stands for the pages in it and below, and anything else is a file, whatever its name.
///
/// In folders, a file is taken for a page by its name: `.html`, `.htm`, `.xhtml`, `.shtml`, `.php`, `.asp`, `.aspx`,
/// `.jsp` and their kin (also followed by `.gz`), no extension, or a query (`?`) in its name as download tools write it,
/// unless it is a style, script, image or other thing that pages load. Hidden files and folders are left out. Links to
/// files are followed, links to folders are not (except one that is itself an argument).
///
/// An error concerns one argument or one folder; the iterator goes on after it.
///
/// ```
/// use std::path::Path;
/// use unchaff_source::{Input, inputs};
///
/// let mut named = inputs(&["https://example.org/news/", "-"]);
/// assert_eq!(named.next().unwrap().unwrap().relative, Path::new("example.org/news/index.html"));
/// assert_eq!(named.next().unwrap().unwrap().input, Input::Stdin);
/// assert!(named.next().is_none());
/// ```
pub fn inputs<S: AsRef<OsStr>>(arguments: &[S]) -> Inputs {
    let arguments: Vec<OsString> = arguments.iter().map(|argument| argument.as_ref().to_owned()).collect();
    Inputs { arguments: arguments.into_iter(), walk: Vec::new(), found: false, stdin_taken: false, batch: BATCH, archives: false }
}

/// The iterator that [`inputs()`] returns.
#[derive(Debug)]
pub struct Inputs {
    arguments: std::vec::IntoIter<OsString>,
    /// The folder being walked, from the one that was named down to the current one.
    walk: Vec<Folder>,
    /// Whether the folder that was named has given an input, or an error that says why not.
    found: bool,
    stdin_taken: bool,
    batch: usize,
    /// Whether web archives are taken in folders too.
    archives: bool,
}

impl Iterator for Inputs {
    type Item = Result<Named, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let item = if self.walk.is_empty() {
                let argument = self.arguments.next()?;
                self.start(argument)
            } else {
                self.step()
            };
            if item.is_some() {
                return item;
            }
        }
    }
}

impl Inputs {
    /// Takes web archives in folders too, by their names.
    pub(crate) fn with_archives(self) -> Self {
        Self { archives: true, ..self }
    }

    /// Whether the file that came last was named itself, or has the name of a web archive.
    pub(crate) fn is_named_or_archive(&self, path: &Path) -> bool {
        self.walk.is_empty() || path.file_name().is_some_and(|name| is_web_archive(&name.to_string_lossy()))
    }

    /// The input an argument stands for; none if it is a folder, which is then walked.
    fn start(&mut self, argument: OsString) -> Option<Result<Named, InputError>> {
        if argument == "-" {
            if std::mem::replace(&mut self.stdin_taken, true) {
                return Some(Err(InputError::StdinTwice));
            }
            return Some(Ok(Named { input: Input::Stdin, relative: "stdin".into(), given: None }));
        }
        if let Some(text) = argument.to_str().filter(|text| has_web_scheme(text)) {
            return Some(match parse_web_address(text) {
                Ok(url) => Ok(Named { relative: relative_of(&url), input: Input::Url(url.into()), given: None }),
                Err(reason) => Err(InputError::BadUrl { url: text.to_owned(), reason }),
            });
        }
        let path = PathBuf::from(argument);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                self.found = false;
                self.walk.push(Folder::new(path, PathBuf::new()));
                None
            }
            Ok(_) => {
                let relative = path.file_name().unwrap_or(OsStr::new("page")).into();
                Some(Ok(Named { input: Input::File(path), relative, given: None }))
            }
            Err(cause) => Some(Err(not_opened(path, cause))),
        }
    }

    /// One step of the walk: an input, or none after going down into a folder, up out of one, or past something else.
    fn step(&mut self) -> Option<Result<Named, InputError>> {
        let folder = self.walk.last_mut()?;
        let item = match folder.next(self.batch, self.archives) {
            Ok(None) => {
                let done = self.walk.pop()?;
                let nothing = self.walk.is_empty() && !self.found;
                return nothing.then_some(Err(InputError::NoPages { folder: done.path }));
            }
            Ok(Some(Entry { name, kind })) => {
                let (path, relative) = (folder.path.join(&name), folder.relative.join(&name));
                match kind {
                    Kind::Folder => {
                        self.walk.push(Folder::new(path, relative));
                        return None;
                    }
                    Kind::File => Ok(Named { input: Input::File(path), relative, given: None }),
                    Kind::Link => match fs::metadata(&path) {
                        Ok(target) if target.is_file() => Ok(Named { input: Input::File(path), relative, given: None }),
                        Ok(_) => return None,
                        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Err(InputError::DanglingLink { path }),
                        Err(cause) => Err(InputError::Inaccessible { path, cause }),
                    },
                }
            }
            Err(cause) => Err(InputError::Inaccessible { path: folder.path.clone(), cause }),
        };
        self.found = true;
        Some(item)
    }
}

pub(crate) fn has_web_scheme(argument: &str) -> bool {
    argument
        .split_once("://")
        .is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
}

fn not_opened(path: PathBuf, cause: io::Error) -> InputError {
    let missing = matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
    match path.to_str().filter(|text| missing && text.contains("://")) {
        Some(text) => {
            let reason = "only http and https can be fetched; a local file is given by its path alone".to_owned();
            InputError::BadUrl { url: text.to_owned(), reason }
        }
        None if missing => InputError::NotFound { path },
        None => InputError::Inaccessible { path, cause },
    }
}

/// `host/path?query` of an address, readable and free of anything that would leave the folder it is put in.
pub(crate) fn relative_of(url: &Url) -> PathBuf {
    let part = |text: &str| match &*percent_decode_str(text).decode_utf8_lossy() {
        "." | ".." => "_".to_owned(),
        text => text.replace(['/', '\\', ':', '\0'], "_"),
    };
    let host = url.host_str().unwrap_or("host");
    let mut relative = PathBuf::from(part(&url.port().map_or(host.to_owned(), |port| format!("{host}:{port}"))));
    let mut segments: Vec<&str> = url.path_segments().into_iter().flatten().collect();
    let last = segments.pop().filter(|last| !last.is_empty()).unwrap_or("index.html");
    relative.extend(segments.into_iter().filter(|segment| !segment.is_empty()).map(part));
    let query = url.query().filter(|query| !query.is_empty()).map(|query| format!("?{}", part(query)));
    relative.push(part(last) + &query.unwrap_or_default());
    relative
}

/// A folder in the middle of being walked.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    relative: PathBuf,
    /// What the last pass found and is not yet taken.
    pending: std::vec::IntoIter<Entry>,
    /// The last name the last pass found; the next pass starts after it.
    last: Option<OsString>,
    /// Whether there is nothing after `last`.
    complete: bool,
}

/// Ordered by name.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    name: OsString,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Folder,
    File,
    /// A symbolic link, or something the system did not tell the kind of; looked at when its turn comes.
    Link,
}

impl Folder {
    fn new(path: PathBuf, relative: PathBuf) -> Self {
        Self { path, relative, pending: Vec::new().into_iter(), last: None, complete: false }
    }

    /// The next entry by name. After an error there are no more.
    fn next(&mut self, batch: usize, archives: bool) -> io::Result<Option<Entry>> {
        if self.pending.as_slice().is_empty() && !self.complete {
            self.complete = true;
            let (entries, more) = next_entries(&self.path, self.last.as_deref(), batch, archives)?;
            self.complete = !more;
            self.last = entries.last().map(|entry| entry.name.clone());
            self.pending = entries.into_iter();
        }
        Ok(self.pending.next())
    }
}

/// The first `batch` entries of a folder whose names come after `last`, by name, and whether there are more.
fn next_entries(folder: &Path, last: Option<&OsStr>, batch: usize, archives: bool) -> io::Result<(Vec<Entry>, bool)> {
    let mut first = BinaryHeap::new();
    let mut more = false;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if last.is_some_and(|last| *name <= *last) {
            continue;
        }
        if first.len() == batch && first.peek().is_some_and(|latest: &Entry| latest.name < name) {
            more = true;
            continue;
        }
        let kind = match entry.file_type() {
            Ok(kind) if kind.is_dir() => Kind::Folder,
            Ok(kind) if kind.is_file() => Kind::File,
            Ok(kind) if !kind.is_symlink() => continue,
            _ => Kind::Link,
        };
        let readable = name.to_string_lossy();
        let wanted = match kind {
            Kind::Folder => !readable.starts_with('.'),
            _ => looks_like_page(&readable) || archives && is_web_archive(&readable) && !readable.starts_with('.'),
        };
        if wanted {
            first.push(Entry { name, kind });
            if first.len() > batch {
                first.pop();
                more = true;
            }
        }
    }
    Ok((first.into_sorted_vec(), more))
}

#[cfg(test)]
mod tests;
