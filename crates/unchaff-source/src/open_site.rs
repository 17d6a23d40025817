//! Opens whatever a person names as a site: a folder, a list of addresses, a web archive, or a web address.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha1_smol::Sha1;
use unchaff_dom::links::site as site_of;
use unchaff_dom::{LoadError, Page, PageId, Site};
use url::Url;

use crate::fetch::parse_web_address;
use crate::file_kind::{FileKind, file_kind};
use crate::inputs::has_web_scheme;
use crate::live::LiveSite;
use crate::mirror::MirroredFolder;
use crate::packing::undo_packing;
use crate::polite::PoliteOptions;
use crate::reading::Reading;
use crate::site_error::SiteError;
use crate::url_list::{UrlList, looks_like_url_list};
use crate::warc_sites::{WarcSite, WarcSites};

/// Most pages fetched for a site on the live web: many times what techniques look at.
const MAX_LIVE_PAGES: usize = 200;

/// A site of any kind.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnySite {
    /// A mirrored folder.
    Folder(MirroredFolder),
    /// Files with a list of addresses.
    List(UrlList),
    /// A site of a web archive.
    Warc(WarcSite),
    /// The live web.
    Live(LiveSite),
}

impl AnySite {
    /// What tells these pages from others: made of their addresses and, where they are files, their sizes.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut sum = Sha1::new();
        let pages = self.known();
        for id in &pages {
            let size = self.file(*id).and_then(|(root, page)| root.join(page).metadata().ok()).map(|file| file.len());
            sum.update(format!("{} {size:?}\n", self.url(*id)).as_bytes());
        }
        format!("{} pages {}", pages.len(), sum.digest())
    }
}

/// Opens a site. What is named tells what it is:
///
/// - `https://example.org/`: the live web, fetched as `polite` says, with the limits of `reading`;
/// - a folder: a mirror, which stands for the base URLs;
/// - a file that is a web archive (or another that holds pages with their addresses, as for [`pages()`](crate::pages())): the site of that name in it, written `archive.warc.gz#example.org`, or that of the first
///   base URL, or the only one;
/// - a file with lines of address, tab and file (or JSON lines): the files listed.
///
/// # Errors
/// If it is none of these, or nothing in it is a page.
pub fn open_site(source: &OsStr, base_urls: &[Url], polite: PoliteOptions, reading: &Reading) -> Result<AnySite, SiteError> {
    if let Some(text) = source.to_str().filter(|text| has_web_scheme(text)) {
        let url = parse_web_address(text).map_err(|reason| SiteError::BadUrl { url: text.to_owned(), reason })?;
        return Ok(AnySite::Live(LiveSite::open(&url, polite, reading, MAX_LIVE_PAGES)?));
    }
    let (path, name) = split_name(source);
    let read_error = |cause: io::Error| match cause.kind() {
        io::ErrorKind::NotFound => SiteError::NotFound { path: path.clone() },
        _ => SiteError::Read { path: path.clone(), cause },
    };
    if std::fs::metadata(&path).map_err(read_error)?.is_dir() {
        return Ok(AnySite::Folder(MirroredFolder::open(&path, base_urls, reading)?));
    }
    let mut start = Vec::new();
    let mut file = File::open(&path).map_err(read_error)?;
    // Damage shows when the file is read; here it only matters how it begins.
    let _ = undo_packing(&mut file as &mut dyn Read).map_err(read_error)?.take(4096).read_to_end(&mut start);
    if looks_like_url_list(&start) {
        return Ok(AnySite::List(UrlList::open(&path, reading)?));
    }
    let (kind, _) = file_kind(&mut File::open(&path).map_err(read_error)?);
    let is_archive = matches!(kind, FileKind::Warc | FileKind::Arc | FileKind::Zip | FileKind::JsonLines);
    if is_archive || start.windows(5).any(|window| window == b"WARC/") {
        return Ok(AnySite::Warc(open_archive(&path, name, base_urls, reading)?));
    }
    Err(SiteError::NotASite { path })
}

fn open_archive(path: &Path, name: Option<String>, base_urls: &[Url], reading: &Reading) -> Result<WarcSite, SiteError> {
    let sites = WarcSites::open(path, reading)?;
    if let Some(name) = name.or_else(|| base_urls.first().and_then(site_of)) {
        return sites.site(&name);
    }
    let mut names = sites.sites().map(|(name, _)| name);
    match (names.next(), names.len()) {
        (Some(only), 0) => sites.site(only),
        (first, more) => {
            let example = first.unwrap_or_default().to_owned();
            Err(SiteError::ManySites { path: path.to_owned(), sites: more + 1, example })
        }
    }
}

/// The file and the name behind `#`, unless there is a file whose name has that in it.
fn split_name(source: &OsStr) -> (PathBuf, Option<String>) {
    let whole = PathBuf::from(source);
    match source.to_str().and_then(|text| text.rsplit_once('#')) {
        Some((path, name)) if !whole.exists() && !name.is_empty() => (path.into(), Some(name.to_owned())),
        _ => (whole, None),
    }
}

impl AnySite {
    /// The page that a person names: by its address, or, where pages are files, by its file.
    ///
    /// # Errors
    /// If the site has no such page.
    pub fn find_page(&self, name: &OsStr) -> Result<PageId, SiteError> {
        let path = Path::new(name);
        if let Some(text) = name.to_str().filter(|text| has_web_scheme(text)) {
            let url = parse_web_address(text).map_err(|reason| SiteError::BadUrl { url: text.to_owned(), reason })?;
            return self.find(&url).ok_or_else(|| SiteError::NotAPage {
                path: path.to_owned(),
                reason: "there is no page at this address; check the address and the base URL".to_owned(),
            });
        }
        match self {
            AnySite::Folder(folder) => folder.find_file(path),
            AnySite::List(list) => list.find_file(path),
            AnySite::Warc(_) | AnySite::Live(_) => {
                let reason = "its pages are no files; give the address of the page".to_owned();
                Err(SiteError::NotAPage { path: path.to_owned(), reason })
            }
        }
    }

    /// The folder above all files of the site and, in it, the file of a page; none if pages are no files.
    #[must_use]
    pub fn file(&self, page: PageId) -> Option<(&Path, &Path)> {
        match self {
            AnySite::Folder(folder) => folder.file(page),
            AnySite::List(list) => list.file(page),
            AnySite::Warc(_) | AnySite::Live(_) => None,
        }
    }

    fn site(&self) -> &dyn Site {
        match self {
            AnySite::Folder(site) => site,
            AnySite::List(site) => site,
            AnySite::Warc(site) => site,
            AnySite::Live(site) => site,
        }
    }
}

impl Site for AnySite {
    fn find(&self, url: &Url) -> Option<PageId> {
        self.site().find(url)
    }

    fn url(&self, page: PageId) -> Url {
        self.site().url(page)
    }

    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        self.site().load(page)
    }

    fn load_last(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        self.site().load_last(page)
    }

    fn tell_source(&self, page: PageId, each: &mut dyn FnMut(&[u8])) -> bool {
        self.site().tell_source(page, each)
    }

    fn known(&self) -> Vec<PageId> {
        self.site().known()
    }

    fn loads(&self) -> usize {
        self.site().loads()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content_encoding::tests::gzip;
    use crate::warc::tests::html;

    #[test]
    fn each_kind_of_site_is_told_by_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path.into_os_string()
        };
        let page = put("page.html", b"<p>page");
        let list = put("list", b"https://example.org/\tpage.html\n");
        let one = put("one", &gzip(&html("https://example.org/", "<p>one")));
        let many = put("many#x", &[html("https://a.example.org/", "<p>a"), html("https://b.example.com/", "<p>b")].concat());
        let base = Url::parse("https://example.org/").unwrap();
        let open = |source: &OsStr| {
            open_site(source, std::slice::from_ref(&base), PoliteOptions::default(), &Reading::default()).unwrap()
        };
        let named = |mut source: std::ffi::OsString, name: &str| {
            source.push(name);
            source
        };

        let site = open(folder.path().as_os_str());
        assert!(matches!(site, AnySite::Folder(_)));
        let key = site.find_page(&page).unwrap();
        assert_eq!(site.find_page(OsStr::new("https://example.org/page.html")).unwrap(), key);
        assert_eq!(site.load(key).unwrap().url(), Some(&site.url(key)));
        let (root, file) = site.file(key).unwrap();
        assert!(file == Path::new("page.html") && root.join(file).is_file());

        let site = open(&list);
        assert!(matches!(site, AnySite::List(_)));
        assert_eq!(site.file(PageId(0)), Some((folder.path(), Path::new("page.html"))));
        assert_eq!(site.find_page(&page).unwrap(), site.find(&base).unwrap());

        let site = open_site(&one, &[], PoliteOptions::default(), &Reading::default()).unwrap();
        assert!(matches!(site, AnySite::Warc(_)));
        assert!(site.find_page(&page).unwrap_err().to_string().contains("give the address"));
        assert_eq!(site.file(PageId(0)), None);
        assert!(site.find_page(OsStr::new("https://example.org/b")).unwrap_err().to_string().contains("no page at this address"));

        assert_eq!(open(&many).url(PageId(0)).as_str(), "https://a.example.org/");
        assert_eq!(open(&named(many.clone(), "#example.com")).url(PageId(0)).as_str(), "https://b.example.com/");
        let message = open_site(&many, &[], PoliteOptions::default(), &Reading::default()).unwrap_err().to_string();
        assert!(message.contains("2 sites") && message.contains("#example.com"), "{message}");
        assert!(
            open_site(&named(many, "#example.net"), &[], PoliteOptions::default(), &Reading::default())
                .unwrap_err()
                .to_string()
                .contains("no pages of the site example.net")
        );

        assert!(matches!(
            open_site(OsStr::new("https://example.org/"), &[], PoliteOptions::default(), &Reading::default()).unwrap(),
            AnySite::Live(_)
        ));
        assert!(
            open_site(OsStr::new("http://"), &[], PoliteOptions::default(), &Reading::default())
                .unwrap_err()
                .to_string()
                .contains("not a web address")
        );
        assert!(
            open_site(OsStr::new("no/such"), &[], PoliteOptions::default(), &Reading::default())
                .unwrap_err()
                .to_string()
                .contains("no such file or folder")
        );
        assert!(
            open_site(&page, &[], PoliteOptions::default(), &Reading::default()).unwrap_err().to_string().contains("neither")
        );
    }
}
