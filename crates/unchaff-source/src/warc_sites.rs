//! The sites in web archives, and in other files that hold many pages, each to be had on its own.
//!
//! An archive holds its sites mixed, thousands of them in one file, so it is read twice: once to note which page lies
//! where, and then, site by site, only the pages that are asked for. The notes take an address and a few numbers a page,
//! whatever the pages weigh. Where pages cannot be reached without unpacking much that lies before them (all records
//! packed as one stream, other packings than gzip, the old form, zip archives, JSON lines), they are put into a temporary file on the first pass.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha1_smol::Sha1;
use unchaff_dom::links::site as site_of;
use unchaff_dom::{Document, LoadError, Page, PageId, Site};
use url::Url;

use crate::address_key::address_key;
use crate::file_kind::{FileKind, file_kind};
use crate::inputs::Input;
use crate::page_cache::PageCache;
use crate::pages::pages;
use crate::reading::Reading;
use crate::site_error::SiteError;
use crate::url_list::is_url_list;
use crate::warc::{CapturedKind, Location, NotUnpacked, WarcReader};

/// How much may be unpacked to get to a page before it is put into a file of its own.
const MAX_SKIP: u64 = 1 << 20;

/// How much of each end of an archive goes into its fingerprint.
const FINGERPRINTED: u64 = 1 << 20;

/// Most redirects followed from one address to a page, as browsers do.
const MAX_REDIRECTS: usize = 20;

/// The sites of an archive, by name: a site is a registrable domain, or a host where there is none.
#[derive(Debug)]
pub struct WarcSites {
    sites: BTreeMap<String, Vec<Noted>>,
    files: Arc<Files>,
    warnings: Vec<String>,
    reading: Reading,
}

/// An address of a site, and what the archive has of it.
#[derive(Debug)]
struct Noted {
    url: Box<str>,
    what: What,
}

#[derive(Debug)]
enum What {
    Page(Place),
    Redirect(Box<str>),
}

#[derive(Debug, Clone, Copy)]
enum Place {
    /// In the archive of that number.
    Archive(u32, Location),
    /// Where in the temporary file.
    Unpacked(u64),
}

#[derive(Debug)]
struct Files {
    archives: Vec<PathBuf>,
    unpacked: Option<tempfile::NamedTempFile>,
}

impl Files {
    /// What to call them.
    fn name(&self) -> PathBuf {
        match self.archives.as_slice() {
            [] => PathBuf::new(),
            [one] => one.clone(),
            [first, more @ ..] => format!("{} and {} more", first.display(), more.len()).into(),
        }
    }
}

/// Pages on their way into the temporary file.
type Unpacked = Option<(BufWriter<tempfile::NamedTempFile>, u64)>;

/// What is noted while archives are read.
#[derive(Default)]
struct Notes {
    sites: BTreeMap<String, Vec<Noted>>,
    unpacked: Unpacked,
    warnings: Vec<String>,
    records: u64,
}

impl WarcSites {
    /// Notes the pages of an archive, which is read through once.
    ///
    /// A file that is cut off or damaged gives what can be read; [`warnings`](Self::warnings) says so.
    ///
    /// # Errors
    /// If the file cannot be read, or there is no page in it.
    pub fn open(path: &Path, reading: &Reading) -> Result<WarcSites, SiteError> {
        Self::open_all(vec![path.to_owned()], reading)
    }

    /// The same for several archives, whose sites may lie in more than one.
    ///
    /// # Errors
    /// If a file cannot be read, or there is no page in any.
    pub fn open_all(archives: Vec<PathBuf>, reading: &Reading) -> Result<WarcSites, SiteError> {
        let mut notes = Notes::default();
        for (number, path) in (0..).zip(&archives) {
            let read_error = |cause: io::Error| match cause.kind() {
                io::ErrorKind::NotFound => SiteError::NotFound { path: path.clone() },
                _ => SiteError::Read { path: path.clone(), cause },
            };
            let (before, is_one) = (notes.warnings.len(), archives.len() == 1);
            match File::open(path).map(|mut file| file_kind(&mut file)).map_err(read_error)? {
                // A list of files with their addresses is a site by itself.
                (FileKind::JsonLines, _) if is_url_list(path) => Ok(()),
                (FileKind::Arc | FileKind::Zip | FileKind::JsonLines, _) | (FileKind::Warc, true) => notes.spool(path, reading),
                _ => notes.index(number, path),
            }
            .map_err(read_error)?;
            if !is_one {
                notes.warnings[before..].iter_mut().for_each(|warning| *warning = format!("{}: {warning}", path.display()));
            }
        }
        let Notes { mut sites, unpacked, warnings, records } = notes;
        let files = Files { archives, unpacked: None };
        sites.retain(|_, noted| noted.iter().any(|noted| matches!(noted.what, What::Page(_))));
        if sites.is_empty() {
            let wanted = if records == 0 {
                "it is not a web archive, nor a file of many pages with their addresses; give a .warc.gz, .wacz or JSON lines"
            } else {
                "the archive has no response with HTML; give one of a crawl that saved pages"
            };
            return Err(SiteError::NoPages { path: files.name(), wanted });
        }
        let unpacked = unpacked.map(|(file, _)| file.into_inner()).transpose();
        let unpacked = unpacked.map_err(|error| SiteError::Read { path: files.name(), cause: error.into_error() })?;
        let files = Arc::new(Files { unpacked, ..files });
        Ok(WarcSites { sites, files, warnings, reading: reading.clone() })
    }

    /// What was wrong with the archive, one message each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What tells this archive from others, and from itself after it was continued: made of its length, its beginning and its end.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn fingerprint(&self) -> Result<String, SiteError> {
        let read = |path: &Path| -> io::Result<String> {
            let mut file = File::open(path)?;
            let length = file.metadata()?.len();
            let (mut begin, mut end) = (Vec::new(), Vec::new());
            (&file).take(FINGERPRINTED).read_to_end(&mut begin)?;
            file.seek(SeekFrom::Start(length.saturating_sub(FINGERPRINTED)))?;
            (&file).take(FINGERPRINTED).read_to_end(&mut end)?;
            let mut sum = Sha1::from(&begin);
            sum.update(&end);
            Ok(format!("{length} {}", sum.digest()))
        };
        let one = |path: &PathBuf| read(path).map_err(|cause| SiteError::Read { path: path.clone(), cause });
        Ok(self.files.archives.iter().map(one).collect::<Result<Vec<_>, _>>()?.join(", "))
    }

    /// The names of the sites in alphabetical order, each with the number of pages captured (twice if captured twice).
    pub fn sites(&self) -> impl ExactSizeIterator<Item = (&str, usize)> {
        self.sites
            .iter()
            .map(|(name, noted)| (name.as_str(), noted.iter().filter(|noted| matches!(noted.what, What::Page(_))).count()))
    }

    /// A site by its name. Of an address captured more than once the first capture counts.
    ///
    /// # Errors
    /// If the archive has no such site.
    pub fn site(&self, name: &str) -> Result<WarcSite, SiteError> {
        let Some(noted) = self.sites.get(name) else {
            let known: Vec<&str> = self.sites.keys().take(5).map(String::as_str).collect();
            let more = if self.sites.len() > known.len() {
                format!(" and {} others", self.sites.len() - known.len())
            } else {
                String::new()
            };
            let (path, name) = (self.files.name(), name.to_owned());
            return Err(SiteError::NoSuchSite { path, name, known: known.join(", ") + &more });
        };
        let mut site = WarcSite {
            pages: Vec::new(),
            by_key: HashMap::new(),
            files: Arc::clone(&self.files),
            loaded: PageCache::default(),
            reading: self.reading.clone(),
        };
        let mut redirects = HashMap::new();
        for Noted { url, what } in noted {
            let Ok(url) = Url::parse(url) else { continue };
            let key = address_key(&url);
            match what {
                What::Page(place) => {
                    let id = PageId(u32::try_from(site.pages.len()).unwrap_or(u32::MAX));
                    site.by_key.entry(key).or_insert_with(|| {
                        site.pages.push((url, *place));
                        id
                    });
                }
                What::Redirect(to) => {
                    if let Ok(to) = Url::parse(to) {
                        redirects.entry(key).or_insert_with(|| address_key(&to));
                    }
                }
            }
        }
        site.add_redirects(&redirects);
        Ok(site)
    }
}

impl Notes {
    /// Notes where the pages of an archive lie.
    fn index(&mut self, number: u32, path: &Path) -> io::Result<()> {
        let mut reader = WarcReader::open(path)?;
        while let Some(captured) = reader.next_captured() {
            let what = match &captured.kind {
                CapturedKind::Other => continue,
                CapturedKind::Redirect(to) => What::Redirect(to.as_str().into()),
                CapturedKind::Page if captured.location.skip <= MAX_SKIP => What::Page(Place::Archive(number, captured.location)),
                CapturedKind::Page => match reader.page(&captured) {
                    Some(page) => What::Page(self.unpack(page.url.as_str(), page.charset.as_deref(), &page.bytes)?),
                    None => continue,
                },
            };
            let Some(site) = site_of(&captured.url).filter(|_| reader.finish()) else { continue };
            self.sites.entry(site).or_default().push(Noted { url: captured.url.as_str().into(), what });
        }
        self.records += reader.records();
        self.warnings.extend_from_slice(reader.warnings());
        Ok(())
    }

    /// Puts the pages of a file that can only be read from its beginning into the temporary one.
    fn spool(&mut self, path: &Path, reading: &Reading) -> io::Result<()> {
        let mut without_address = 0;
        for named in pages(&[path], reading.clone()) {
            self.records += 1;
            let page = match named.map(|named| named.input) {
                Ok(Input::Held(page)) => page,
                Ok(_) => {
                    without_address += 1;
                    continue;
                }
                Err(error) => {
                    self.warnings.push(error.to_string());
                    continue;
                }
            };
            let url = page.url.as_deref().and_then(|url| Url::parse(url).ok());
            let Some((url, site)) = url.and_then(|url| site_of(&url).map(|site| (url, site))) else {
                without_address += 1;
                continue;
            };
            let place = self.unpack(url.as_str(), page.charset.as_deref(), &page.bytes)?;
            self.sites.entry(site).or_default().push(Noted { url: url.as_str().into(), what: What::Page(place) });
        }
        if without_address > 0 {
            self.warnings
                .push(format!("{without_address} pages are passed over: a page of a site needs its address and its HTML"));
        }
        Ok(())
    }

    /// Appends a page to the temporary file, as a record; where it begins.
    fn unpack(&mut self, url: &str, charset: Option<&str>, bytes: &[u8]) -> io::Result<Place> {
        if self.unpacked.is_none() {
            self.unpacked = Some((BufWriter::new(tempfile::NamedTempFile::new()?), 0));
        }
        let (file, end) = self.unpacked.as_mut().expect("there is one by now");
        let charset = charset.map_or(String::new(), |charset| format!("; charset={}", charset.replace(['\r', '\n'], " ")));
        let head = format!(
            "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: {url}\r\nContent-Type: text/html{charset}\r\nContent-Length: {}\r\n\r\n",
            bytes.len()
        );
        let begin = *end;
        for part in [head.as_bytes(), bytes, b"\r\n\r\n"] {
            file.write_all(part)?;
            *end += part.len() as u64;
        }
        Ok(Place::Unpacked(begin))
    }
}

/// One site of an archive.
#[derive(Debug)]
pub struct WarcSite {
    pages: Vec<(Url, Place)>,
    by_key: HashMap<String, PageId>,
    files: Arc<Files>,
    loaded: PageCache,
    reading: Reading,
}

impl WarcSite {
    /// Addresses that were redirected to a page are other addresses of it.
    fn add_redirects(&mut self, redirects: &HashMap<String, String>) {
        let mut found = Vec::new();
        for from in redirects.keys().filter(|from| !self.by_key.contains_key(*from)) {
            let mut here = from;
            for _ in 0..MAX_REDIRECTS {
                let Some(next) = redirects.get(here) else { break };
                if let Some(page) = self.by_key.get(next) {
                    found.push((from.clone(), *page));
                    break;
                }
                here = next;
            }
        }
        self.by_key.extend(found);
    }

    fn read(&self, page: PageId) -> Result<Page, LoadError> {
        Ok(self.reading.page(self.document(page)?))
    }

    fn document(&self, page: PageId) -> Result<Document, LoadError> {
        let (url, place) = &self.pages[page.index()];
        let archive = match place {
            Place::Archive(number, _) => self.files.archives[*number as usize].display().to_string(),
            Place::Unpacked(_) => self.files.name().display().to_string(),
        };
        let unreadable = |reason: String| LoadError::Unreadable { page: format!("{url} in {archive}"), reason };
        let reader = match (place, &self.files.unpacked) {
            (Place::Archive(number, location), _) => WarcReader::open_at(&self.files.archives[*number as usize], *location),
            (Place::Unpacked(at), Some(file)) => WarcReader::open_at(file.path(), Location { member: *at, skip: 0 }),
            (Place::Unpacked(_), None) => Err(io::ErrorKind::NotFound.into()),
        };
        let reader: WarcReader<File> =
            reader.map_err(|cause| unreadable(format!("{cause}; check that the file is still there")))?;
        let mut reader = reader.max_bytes(self.reading.max_bytes).timeout(self.reading.timeout);
        let found = reader.next_captured().filter(|captured| captured.url == *url).and_then(|captured| reader.page(&captured));
        match (found, reader.not_unpacked()) {
            (Some(page), _) => Ok(page.into()),
            (None, Some(NotUnpacked::TooLarge)) => {
                Err(LoadError::TooLarge { page: format!("{url} in {archive}"), limit: self.reading.max_bytes })
            }
            (None, Some(NotUnpacked::Late)) => {
                Err(LoadError::Late { page: format!("{url} in {archive}"), limit: self.reading.timeout })
            }
            (None, _) => {
                let why = reader.warnings().first().map_or("the file has changed", String::as_str);
                Err(unreadable(format!("{why}; get the file again if it is damaged")))
            }
        }
    }
}

impl Site for WarcSite {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content_encoding::tests::gzip;
    use crate::warc::tests::{html, redirect, response};

    fn open(bytes: &[u8]) -> (tempfile::TempDir, Result<WarcSites, SiteError>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        std::fs::write(&path, bytes).unwrap();
        let sites = WarcSites::open(&path, &Reading::default());
        (folder, sites)
    }

    fn records() -> Vec<Vec<u8>> {
        vec![
            html("http://www.one.example.org/", "<a href=/a>a</a><a href=https://two.example.com/>two</a>"),
            html("http://two.example.com/", "<p>two"),
            response("http://www.one.example.org/logo.png", "Content-Type: image/png\r\n", b"\x89PNG"),
            redirect("http://www.one.example.org/old", "/older"),
            redirect("http://www.one.example.org/older", "https://one.example.org/a"),
            redirect("http://www.one.example.org/circle", "/back"),
            redirect("http://www.one.example.org/back", "/circle"),
            redirect("http://only.redirect.example.net/", "http://two.example.com/"),
            html("https://one.example.org/a", &"<p>a ".repeat(300_000)),
            html("https://one.example.org/a", "<p>again"),
            html("https://one.example.org/b", "<p>b"),
        ]
    }

    #[test]
    fn sites_are_told_apart_and_read_however_the_file_is_packed() {
        let records = records();
        let by_record: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        for (bytes, spooled) in [(records.concat(), false), (by_record, false), (gzip(&records.concat()), true)] {
            let (_folder, sites) = open(&bytes);
            let sites = sites.unwrap();
            assert_eq!(sites.files.unpacked.is_some(), spooled);
            assert_eq!(sites.sites().collect::<Vec<_>>(), [("example.com", 1), ("example.org", 4)]);
            let site = sites.site("example.org").unwrap();
            assert_eq!(site.known().len(), 3);
            let find = |url: &str| site.find(&Url::parse(url).unwrap());
            let a = find("https://one.example.org/a").unwrap();
            assert_eq!(find("http://www.one.example.org/a#x"), Some(a));
            assert_eq!(find("http://one.example.org/old"), Some(a));
            assert_eq!(find("http://one.example.org/circle"), None);
            assert_eq!(find("http://one.example.org/logo.png"), None);
            assert_eq!(find("http://two.example.com/"), None);
            assert_eq!(site.loads(), 0);
            for id in site.known() {
                assert_eq!(site.find(&site.url(id)), Some(id));
                assert_eq!(site.load(id).unwrap().url(), Some(&site.url(id)));
            }
            let page = site.load(a).unwrap();
            assert!(page.text(page.body().unwrap()).starts_with("a a a"));
            let b = site.load(find("https://one.example.org/b").unwrap()).unwrap();
            assert_eq!(b.text(b.body().unwrap()), "b");
            assert_eq!(site.loads(), 3);
        }
    }

    #[test]
    fn other_files_of_many_pages_have_sites_and_several_files_are_one_source() {
        use crate::packing::tests::zstandard;
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let lines = put(
            "pages.jsonl",
            b"{\"url\": \"https://one.example.org/x\", \"html\": \"<p>x \\u00e9\"}\n{\"html\": \"<p>no address\"}\n",
        );
        let frames = put("a.warc.zst", &zstandard(&records().concat()));
        let plain = put("b.warc", &html("https://one.example.org/c", "<p>c"));
        let sites = WarcSites::open_all(vec![frames, lines, plain], &Reading::default()).unwrap();
        assert_eq!(sites.sites().collect::<Vec<_>>(), [("example.com", 1), ("example.org", 6)]);
        assert!(
            matches!(sites.warnings(), [one] if one.contains("pages.jsonl: 1 pages are passed over")),
            "{:?}",
            sites.warnings()
        );
        let site = sites.site("example.org").unwrap();
        let text = |url: &str| {
            let page = site.load(site.find(&Url::parse(url).unwrap()).unwrap()).unwrap();
            page.text(page.body().unwrap()).to_owned()
        };
        assert_eq!((text("https://one.example.org/x"), text("https://one.example.org/c")), ("x é".to_owned(), "c".to_owned()));
        assert!(sites.fingerprint().unwrap().contains(", "));
    }

    #[test]
    fn a_site_that_is_not_there_is_named_with_those_that_are() {
        let (_folder, sites) = open(&records().concat());
        let message = sites.unwrap().site("nowhere.example").unwrap_err().to_string();
        assert!(message.contains("nowhere.example") && message.contains("example.com, example.org"), "{message}");
    }

    #[test]
    fn what_has_no_pages_says_why() {
        let (_folder, sites) = open(b"<html>not an archive");
        assert!(sites.unwrap_err().to_string().contains("not a web archive"));
        let (_folder, sites) = open(&response("http://a.example/logo.png", "Content-Type: image/png\r\n", b"\x89PNG"));
        assert!(sites.unwrap_err().to_string().contains("no response with HTML"));
        assert!(
            WarcSites::open(Path::new("no/such.warc"), &Reading::default()).unwrap_err().to_string().contains("no such file")
        );
    }

    #[test]
    fn a_file_that_is_cut_off_gives_the_sites_before_and_a_file_that_changes_is_an_error() {
        let whole: Vec<u8> = records().iter().flat_map(|record| gzip(record)).collect();
        let (folder, sites) = open(&whole[..whole.len() - 40]);
        let sites = sites.unwrap();
        assert!(sites.warnings()[0].contains("ends inside a record"), "{:?}", sites.warnings());
        // The page that is cut off is none.
        assert_eq!(sites.sites().collect::<Vec<_>>(), [("example.com", 1), ("example.org", 3)]);
        let site = sites.site("example.org").unwrap();
        std::fs::write(folder.path().join("a.warc.gz"), "something else").unwrap();
        let message = site.load(PageId(0)).unwrap_err().to_string();
        assert!(message.contains("http://www.one.example.org/") && message.contains("get the file again"), "{message}");
    }
}
