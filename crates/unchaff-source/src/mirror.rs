//! A mirrored folder: a site as `wget --mirror` and its like save it, one file a page.
//!
//! The folder stands for a base URL, and the address of a page is that URL and the path of its file. An address finds the
//! file of its path and query, percent-decoded on both sides, with what such tools do to names: `dir/` is its
//! `index.html`, `page?x=1` may be saved as `page?x=1.html` or `page@x=1`, `page` as `page.html`, and a query after the name
//! of an HTML file may mean nothing. Upper and lower case stay apart, as on servers. Names are listed once when the folder is opened and looked up in memory, so no address,
//! however written, leads to a file outside.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use unchaff_dom::order::InOrder;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode, percent_decode_str, percent_encode};
use unchaff_dom::links::NOWHERE;
use unchaff_dom::{Document, LoadError, Page, PageId, Site};
use url::Url;

use crate::content_encoding::Bounds;
use crate::inputs::{Input, InputError, inputs};
use crate::page_cache::PageCache;
use crate::read::read_file;
use crate::reading::Reading;
use crate::site_error::SiteError;

/// Files that stand for the folder they are in, first choice first.
const INDEX: &[&str] = &[
    "index.html",
    "index.htm",
    "index.xhtml",
    "index.shtml",
    "index.php",
    "index.asp",
    "index.aspx",
    "index.jsp",
    "index",
    "default.html",
    "default.htm",
    "default.asp",
    "default.aspx",
];

/// Files that are what they are whatever query follows. Some tools save `page?x=1` as `page3c97.html` and leave the query
/// in the link; a script such as `page.php` is another page with each query.
const STATIC: &[&str] = &[".html", ".htm", ".xhtml"];

/// What must not stand bare in the path or query of an address made from a file name. `%` is among them: it is part of the
/// name, and means nothing else.
const IN_PATH: &AsciiSet = &IN_QUERY.add(b'?').add(b'`').add(b'{').add(b'}').add(b'\\').add(b'^').add(b'|');
const IN_QUERY: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'\'').add(b'%');

/// A site in a folder.
#[derive(Debug)]
pub struct MirroredFolder {
    /// Absolute and without links.
    root: PathBuf,
    /// Paths of the pages below the root, by number.
    files: Vec<PathBuf>,
    /// What pages are found by: the name of the file, for some also as it reads when percent-decoded. With `/`, as bytes.
    names: HashMap<Vec<u8>, PageId>,
    /// The base URL that addresses are made with.
    base: Url,
    /// All base URLs, longest first.
    bases: Vec<Url>,
    warnings: Vec<String>,
    pages: PageCache,
    reading: Reading,
}

impl MirroredFolder {
    /// Lists the pages of a folder, which stands for all of the base URLs; addresses are made with the first of them.
    /// Without one the folder stands for `http://site.invalid/`.
    ///
    /// Pages are told from other files by their names, as [`inputs()`](crate::inputs()) does. A link to a page inside the
    /// folder is another name of that page. Links that lead out of the folder, links to folders and files that cannot be
    /// read are left out; [`warnings`](Self::warnings) says which.
    pub fn open(root: &Path, base_urls: &[Url], reading: &Reading) -> Result<MirroredFolder, SiteError> {
        let canonical = fs::canonicalize(root).map_err(|cause| match cause.kind() {
            std::io::ErrorKind::NotFound => SiteError::NotFound { path: root.to_owned() },
            _ => SiteError::Read { path: root.to_owned(), cause },
        })?;
        if !canonical.is_dir() {
            return Err(SiteError::NotAFolder { path: root.to_owned() });
        }
        let mut bases: Vec<Url> = base_urls.iter().map(as_folder).collect();
        if bases.is_empty() {
            bases.push(Url::parse(NOWHERE).expect("the constant is an address"));
        }
        let base = bases[0].clone();
        bases.order_by_key(|base| std::cmp::Reverse(base.path().len()));
        let mut folder = MirroredFolder {
            root: canonical,
            files: Vec::new(),
            names: HashMap::new(),
            base,
            bases,
            warnings: Vec::new(),
            pages: PageCache::of_one_site(),
            reading: reading.clone(),
        };
        folder.list().map_err(|cause| match cause {
            InputError::NoPages { .. } => {
                SiteError::NoPages { path: root.to_owned(), wanted: "no file there ends in .html or the like" }
            }
            InputError::Inaccessible { path, cause } => SiteError::Read { path, cause },
            _ => SiteError::NotFound { path: root.to_owned() },
        })?;
        Ok(folder)
    }

    /// What was left out when the folder was opened, one message each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The page in a file: a path as one would open it, or one below the folder.
    pub fn find_file(&self, path: &Path) -> Result<PageId, SiteError> {
        let not_a_page = |reason: &str| Err(SiteError::NotAPage { path: path.to_owned(), reason: reason.to_owned() });
        let Ok(file) = fs::canonicalize(path).or_else(|_| fs::canonicalize(self.root.join(path))) else {
            return Err(SiteError::NotFound { path: path.to_owned() });
        };
        let Ok(relative) = file.strip_prefix(&self.root) else {
            return not_a_page(&format!("it lies outside of {}; name a file in there", self.root.display()));
        };
        match self.names.get(&name_of(relative)) {
            // Not the name of another file that reads the same when it is decoded.
            Some(id) if self.files[id.index()] == relative => Ok(*id),
            _ => not_a_page("its name does not end in .html or the like, or is hidden; rename it"),
        }
    }

    /// The folder, and the file of a page in it.
    #[must_use]
    pub fn file(&self, page: PageId) -> Option<(&Path, &Path)> {
        Some((&self.root, self.files.get(page.index())?))
    }

    fn list(&mut self) -> Result<(), InputError> {
        let mut links = Vec::new();
        for found in inputs(&[&self.root]) {
            let named = match found {
                Ok(named) => named,
                Err(InputError::Inaccessible { path, cause }) if path != self.root => {
                    self.warnings.push(InputError::Inaccessible { path, cause }.to_string());
                    continue;
                }
                Err(InputError::DanglingLink { path }) => {
                    self.warnings.push(InputError::DanglingLink { path }.to_string());
                    continue;
                }
                Err(other) => return Err(other),
            };
            let Input::File(path) = named.input else { continue };
            if fs::symlink_metadata(&path).is_ok_and(|file| file.is_symlink()) {
                links.push((path, named.relative));
                continue;
            }
            let id = PageId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
            self.names.insert(name_of(&named.relative), id);
            self.files.push(named.relative);
        }
        self.add_links(links);
        self.add_decoded();
        if self.files.is_empty() { Err(InputError::NoPages { folder: self.root.clone() }) } else { Ok(()) }
    }

    /// Links to pages inside the folder are other names of these.
    fn add_links(&mut self, links: Vec<(PathBuf, PathBuf)>) {
        for (path, relative) in links {
            let target = fs::canonicalize(&path).ok();
            let inside = target.as_deref().and_then(|target| target.strip_prefix(&self.root).ok());
            match inside.map(|inside| self.names.get(&name_of(inside)).copied()) {
                Some(Some(id)) => {
                    self.names.entry(name_of(&relative)).or_insert(id);
                }
                Some(None) => {}
                None => self.warnings.push(format!(
                    "{} links to a file outside of the folder and is left out; copy the file into the folder if it belongs to the site",
                    path.display()
                )),
            }
        }
    }

    /// A name such as `page%3Fx=1.html` is also found as `page?x=1.html`, unless there is such a file.
    fn add_decoded(&mut self) {
        for (at, file) in self.files.iter().enumerate() {
            let name = name_of(file);
            if !name.contains(&b'%') {
                continue;
            }
            let decoded: Vec<u8> = percent_decode(&name).collect();
            if let Entry::Vacant(vacant) = self.names.entry(decoded) {
                vacant.insert(PageId(at as u32));
            }
        }
    }

    /// The page of a path and query below a base URL.
    fn find_below(&self, path: &str, query: Option<&str>) -> Option<PageId> {
        let path: Vec<u8> = percent_decode_str(path).collect();
        let folder = path.is_empty() || path.ends_with(b"/");
        if let Some(query) = query {
            let query: Vec<u8> = percent_decode_str(query).collect();
            let saved = [b"?", b"@"].iter().find_map(|mark| {
                let with_query = |name: &[u8]| {
                    let name = [name, *mark, &query].concat();
                    self.named(&[&name, b""]).or_else(|| self.named(&[&name, b".html"]))
                };
                let of_folder = |path: &[u8]| INDEX.iter().find_map(|index| with_query(&[path, index.as_bytes()].concat()));
                with_query(&path)
                    .or_else(|| if folder { of_folder(&path) } else { of_folder(&[&path, b"/".as_slice()].concat()) })
            });
            let fixed = || STATIC.iter().any(|end| path.ends_with(end.as_bytes()));
            return saved.or_else(|| if fixed() { self.named(&[&path]) } else { None });
        }
        let in_folder = |slash: &[u8]| INDEX.iter().find_map(|index| self.named(&[&path, slash, index.as_bytes()]));
        if folder {
            return in_folder(b"");
        }
        ["", ".html", ".htm"].iter().find_map(|end| self.named(&[&path, end.as_bytes()])).or_else(|| in_folder(b"/"))
    }

    fn named(&self, parts: &[&[u8]]) -> Option<PageId> {
        self.names.get(&parts.concat()).copied()
    }

    /// The address of a file as it is below a base URL.
    fn url_below(&self, base: &Url, page: PageId) -> Url {
        let name = name_of(&self.files[page.index()]);
        let decoded: Vec<u8> = percent_decode(&name).collect();
        let name = if self.names.get(&decoded) == Some(&page) { decoded } else { name };
        let mut url = base.clone();
        let (path, query) = match name.iter().position(|byte| *byte == b'?') {
            Some(at) => (&name[..at], Some(&name[at + 1..])),
            None => (&name[..], None),
        };
        url.set_path(&format!("{}{}", base.path(), percent_encode(path, IN_PATH)));
        if let Some(query) = query {
            url.set_query(Some(&percent_encode(query, IN_QUERY).to_string()));
        }
        url
    }

    fn read(&self, page: PageId) -> Result<Page, LoadError> {
        Ok(self.reading.page(self.document(page)?))
    }

    fn document(&self, page: PageId) -> Result<Document, LoadError> {
        let path = self.root.join(&self.files[page.index()]);
        let cannot = |reason: String| LoadError::Unreadable { page: path.display().to_string(), reason };
        // Again, for what was a file when the folder was opened may be a link by now.
        let real = fs::canonicalize(&path).map_err(|cause| cannot(format!("{cause}; check that it is still there")))?;
        if !real.starts_with(&self.root) {
            return Err(cannot("it links to a file outside of the folder; copy the file into the folder".to_owned()));
        }
        let limit = self.reading.max_bytes;
        match File::open(&real).and_then(|file| read_file(file, Bounds { most: limit, deadline: None })) {
            Ok(Some(bytes)) => Ok(Document::new(bytes).at(self.url(page).as_str())),
            Ok(None) => Err(LoadError::TooLarge { page: path.display().to_string(), limit }),
            Err(cause) => Err(cannot(format!("{cause}; check that you may read it"))),
        }
    }
}

impl Site for MirroredFolder {
    fn find(&self, url: &Url) -> Option<PageId> {
        let url = unchaff_dom::site::without_fragment(url);
        self.bases.iter().find_map(|base| {
            let path = below(base, &url)?;
            self.find_below(path, url.query())
        })
    }

    fn url(&self, page: PageId) -> Url {
        let url = self.url_below(&self.base, page);
        // Where one base URL is part of another, an address made with the first may mean a file below the longest.
        if self.bases.len() > 1 && self.find(&url) != Some(page) { self.url_below(&self.bases[0], page) } else { url }
    }

    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        self.pages.load(page, || self.read(page))
    }

    fn load_last(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        self.pages.load_last(page, || self.read(page))
    }

    fn tell_source(&self, page: PageId, each: &mut dyn FnMut(&[u8])) -> bool {
        self.document(page).is_ok_and(|document| {
            self.reading.tell(&document, each);
            true
        })
    }

    fn known(&self) -> Vec<PageId> {
        (0..self.files.len() as u32).map(PageId).collect()
    }

    fn loads(&self) -> usize {
        self.pages.loads()
    }
}

/// The address without what does not name a folder: `https://example.org/blog` is the folder `blog`.
fn as_folder(base: &Url) -> Url {
    let mut base = unchaff_dom::site::without_fragment(base);
    base.set_query(None);
    if !base.path().ends_with('/') {
        base.set_path(&format!("{}/", base.path()));
    }
    base
}

/// The path of an address below a base URL; `http` or `https`, `www.` or not is the same to it.
fn below<'a>(base: &Url, url: &'a Url) -> Option<&'a str> {
    let web = |url: &Url| matches!(url.scheme(), "http" | "https");
    let host = |url: &Url| url.host_str().map(|host| host.strip_prefix("www.").unwrap_or(host).to_owned());
    let same_scheme = base.scheme() == url.scheme() || web(base) && web(url);
    if !same_scheme || host(base) != host(url) || base.port() != url.port() {
        return None;
    }
    url.path().strip_prefix(base.path()).or_else(|| {
        // The folder itself, without its slash.
        (url.path() == base.path().trim_end_matches('/')).then_some("")
    })
}

/// The path of a file as addresses write it, in the system's bytes.
fn name_of(relative: &Path) -> Vec<u8> {
    let mut name = Vec::new();
    for part in relative.components() {
        if !name.is_empty() {
            name.push(b'/');
        }
        name.extend_from_slice(part.as_os_str().as_encoded_bytes());
    }
    name
}

#[cfg(test)]
mod tests;
