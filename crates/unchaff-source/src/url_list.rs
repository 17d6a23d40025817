//! A set of files with a list of their addresses: for pages that are not laid out like the site they come from.
//!
//! A line of the list is an address, a tab and a file, or a JSON object with `url` and `file`. Files are looked for beside
//! the list. Whoever writes the list decides which files are read; only what is no file at all is refused.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use unchaff_dom::{Document, LoadError, Page, PageId, Site};
use url::Url;

use crate::address_key::address_key;
use crate::fetch::{Fetcher, parse_web_address};
use crate::inputs::Input;
use crate::page_cache::PageCache;
use crate::read::read;
use crate::reading::Reading;
use crate::site_error::SiteError;

/// A site of listed files.
#[derive(Debug)]
pub struct UrlList {
    /// Where the list lies.
    folder: PathBuf,
    pages: Vec<(Url, PathBuf)>,
    by_key: HashMap<String, PageId>,
    loaded: PageCache,
    reading: Reading,
}

impl UrlList {
    /// Reads a list. Empty lines and lines that begin with `#` are passed over; of two lines with one address the first
    /// counts, and a file may have several addresses.
    ///
    /// # Errors
    /// If the list cannot be read, a line is neither of the two, or there is no page.
    pub fn open(path: &Path, reading: &Reading) -> Result<UrlList, SiteError> {
        let read_error = |cause: std::io::Error| match cause.kind() {
            std::io::ErrorKind::NotFound => SiteError::NotFound { path: path.to_owned() },
            _ => SiteError::Read { path: path.to_owned(), cause },
        };
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        let mut list = UrlList {
            folder,
            pages: Vec::new(),
            by_key: HashMap::new(),
            loaded: PageCache::of_one_site(),
            reading: reading.clone(),
        };
        let mut by_file: HashMap<PathBuf, PageId> = HashMap::new();
        for (at, line) in BufReader::new(File::open(path).map_err(read_error)?).lines().enumerate() {
            let line = line.map_err(read_error)?;
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (url, file) =
                read_line(line).map_err(|reason| SiteError::BadLine { path: path.to_owned(), line: at + 1, reason })?;
            let id = *by_file.entry(file.clone()).or_insert_with(|| {
                list.pages.push((url.clone(), file));
                PageId(u32::try_from(list.pages.len() - 1).unwrap_or(u32::MAX))
            });
            list.by_key.entry(address_key(&url)).or_insert(id);
        }
        if list.pages.is_empty() {
            return Err(SiteError::NoPages { path: path.to_owned(), wanted: "the list has no line with an address and a file" });
        }
        Ok(list)
    }

    /// The page in a file: a path as one would open it, or as it stands in the list.
    pub fn find_file(&self, path: &Path) -> Result<PageId, SiteError> {
        let wanted = std::fs::canonicalize(path).ok();
        let same = |file: &Path| file == path || wanted.is_some() && std::fs::canonicalize(self.folder.join(file)).ok() == wanted;
        match self.pages.iter().position(|(_, file)| same(file)) {
            Some(at) => Ok(PageId(at as u32)),
            None => {
                let reason = "it is not in the list of addresses; add it there".to_owned();
                Err(SiteError::NotAPage { path: path.to_owned(), reason })
            }
        }
    }

    /// The folder of the list, and the file of a page in it; none if the file lies elsewhere.
    #[must_use]
    pub fn file(&self, page: PageId) -> Option<(&Path, &Path)> {
        let (_, file) = self.pages.get(page.index())?;
        let inside = file.components().all(|part| matches!(part, Component::Normal(_)));
        inside.then_some((&self.folder, file))
    }

    fn read(&self, page: PageId) -> Result<Page, LoadError> {
        Ok(self.reading.page(self.document(page)?))
    }

    fn document(&self, page: PageId) -> Result<Document, LoadError> {
        let (url, file) = &self.pages[page.index()];
        let fetcher = Fetcher::new(self.reading.fetch_options(false));
        let fetched = read(&Input::File(self.folder.join(file)), &fetcher)?;
        Ok(Document::new(fetched.bytes).at(url.as_str()))
    }
}

impl Site for UrlList {
    fn find(&self, url: &Url) -> Option<PageId> {
        self.by_key.get(&address_key(url)).copied()
    }

    fn url(&self, page: PageId) -> Url {
        self.pages[page.index()].0.clone()
    }

    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        self.loaded.load(page, || self.read(page))
    }

    fn load_last(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        self.loaded.load_last(page, || self.read(page))
    }

    fn tell_source(&self, page: PageId, each: &mut dyn FnMut(&[u8])) -> bool {
        self.document(page).is_ok_and(|document| {
            self.reading.tell(&document, each);
            true
        })
    }

    fn known(&self) -> Vec<PageId> {
        (0..self.pages.len() as u32).map(PageId).collect()
    }

    fn loads(&self) -> usize {
        self.loaded.loads()
    }
}

/// The address and the file of a line.
fn read_line(line: &str) -> Result<(Url, PathBuf), String> {
    let (url, file) = if line.starts_with('{') {
        let value: serde_json::Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let field = |name: &str| value[name].as_str().map(str::to_owned).ok_or_else(|| format!("\"{name}\" is missing"));
        (field("url")?, field("file")?)
    } else {
        let (url, file) = line.split_once('\t').ok_or("there is no tab")?;
        (url.trim().to_owned(), file.trim().to_owned())
    };
    let address = parse_web_address(&url).map_err(|reason| format!("`{url}` is no web address ({reason})"))?;
    if file.is_empty() { Err("the file is missing".to_owned()) } else { Ok((address, file.into())) }
}

/// Whether a file begins like such a list.
pub(crate) fn looks_like_url_list(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let first = text.trim_start_matches('\u{feff}').lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        let line = line.trim();
        line.starts_with('{') && line.contains("\"url\"") && line.contains("\"file\"") && !line.contains("\"html\"")
            || line.split_once('\t').is_some_and(|(url, _)| parse_web_address(url.trim()).is_ok())
    })
}

/// Whether a file is such a list, as far as its beginning tells.
pub(crate) fn is_url_list(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    read.is_ok() && looks_like_url_list(&start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(list: &str) -> (tempfile::TempDir, Result<UrlList, SiteError>) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("p")).unwrap();
        std::fs::write(folder.path().join("p/1.html"), "<a href=/two>2</a>").unwrap();
        std::fs::write(folder.path().join("p/2.html"), "<p>two").unwrap();
        std::fs::write(folder.path().join("list.tsv"), list).unwrap();
        let site = UrlList::open(&folder.path().join("list.tsv"), &Reading::default());
        (folder, site)
    }

    #[test]
    fn both_kinds_of_lines_give_pages_with_addresses() {
        let (folder, site) = open(
            "\u{feff}# my pages\nhttps://example.org/\tp/1.html\r\n\n{\"url\": \"http://example.org/two\", \"file\": \"p/2.html\"}\n\
             https://example.org/deux\tp/2.html\nhttps://example.org/\tp/2.html\nhttps://example.org/gone\tp/3.html\n",
        );
        let site = site.unwrap();
        assert_eq!(site.known().len(), 3);
        let key = site.find_file(&folder.path().join("p/1.html")).unwrap();
        assert_eq!(site.find_file(Path::new("p/1.html")).unwrap(), key);
        let link = site.load(key).unwrap().links().next().unwrap().url.unwrap();
        let two = site.find(&link).unwrap();
        assert_eq!(site.find(&Url::parse("https://example.org/deux").unwrap()), Some(two));
        assert_eq!(site.url(two).as_str(), "http://example.org/two");
        let page = site.load(two).unwrap();
        assert_eq!((page.text(page.body().unwrap()), site.loads()), ("two", 2));
        let gone = site.find(&Url::parse("https://example.org/gone").unwrap()).unwrap();
        assert!(site.load(gone).unwrap_err().to_string().contains("3.html"));
        assert!(site.find_file(Path::new("p/9.html")).unwrap_err().to_string().contains("not in the list"));
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        for (list, part) in [
            ("https://example.org/ p/1.html", "no tab"),
            ("\nexample.org\tp/1.html", "line 2"),
            ("{\"url\": \"https://example.org/\"}", "\"file\" is missing"),
            ("{\"url\"", "EOF"),
            ("# nothing", "no line with an address"),
        ] {
            let message = open(list).1.unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn lists_are_told_from_other_files() {
        assert!(looks_like_url_list(b"# x\nhttps://example.org/\tp/1.html"));
        assert!(looks_like_url_list(b"{\"file\":\"a\",\"url\":\"https://example.org/\"}"));
        for other in
            [&b""[..], b"{\"url\":\"https://example.org/\",\"html\":\"<p>\"}", b"<html>", b"WARC/1.0\r\n", b"\x1f\x8b", b"a\tb"]
        {
            assert!(!looks_like_url_list(other));
        }
    }
}
