//! The files that the relative addresses of a page lead to.
//!
//! A renderer gets the page under an address of a host that cannot exist, so that whatever the page refers to
//! relatively comes back as an address of that host, and nothing else does. Only files below the folder are read.

use std::path::{Component, Path, PathBuf};
use thiserror::Error;
use unchaff_segment::renderer::{Subresource, Subresources};
use url::Url;

/// A host that no name server knows (RFC 6761, 6.4).
const HOST: &str = "page.invalid";

/// The largest file that is handed to a renderer.
const MOST_BYTES: u64 = 64 << 20;

/// Why a page has no files.
#[derive(Debug, Error)]
pub enum FilesError {
    /// The page or the folder is not there.
    #[error("cannot find {}: {cause}", .path.display())]
    Missing {
        /// What is not there.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The page is somewhere else.
    #[error("{} is not in {}; name a folder above the page", .file.display(), .root.display())]
    Outside {
        /// The page.
        file: PathBuf,
        /// The folder.
        root: PathBuf,
    },
}

/// Files that the relative addresses of a page lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// The folder above all of them; nothing outside of it is read.
    pub root: PathBuf,
    /// Where the page lies in it.
    pub page: PathBuf,
}

impl Files {
    /// The files of a page that lies in a folder: those below `root`, or below the folder of the page.
    ///
    /// # Errors
    /// If one of the two is not there, or the page is not in the folder.
    pub fn around(page: &Path, root: Option<&Path>) -> Result<Files, FilesError> {
        let absolute =
            |path: &Path| std::fs::canonicalize(path).map_err(|cause| FilesError::Missing { path: path.to_owned(), cause });
        let file = absolute(page)?;
        let root = match root {
            Some(root) => absolute(root)?,
            None => file.parent().unwrap_or(Path::new("/")).to_owned(),
        };
        match file.strip_prefix(&root) {
            Ok(page) => Ok(Files { page: page.to_owned(), root: root.clone() }),
            Err(_) => Err(FilesError::Outside { file, root }),
        }
    }

    /// The file that an address leads to, if there is one below the folder.
    #[must_use]
    pub fn find(&self, address: &Url) -> Option<PathBuf> {
        if address.host_str() != Some(HOST) {
            return None;
        }
        let decode = |text: &str| percent_decode(text.trim_start_matches('/'));
        let with_query = address.query().map(|query| decode(&format!("{}?{query}", address.path())));
        let inside = |path: &String| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let small = |file: &PathBuf| file.metadata().is_ok_and(|found| found.is_file() && found.len() <= MOST_BYTES);
        let named = with_query.into_iter().chain([decode(address.path())]).filter(inside).map(|path| self.root.join(path));
        named.filter(|file| self.is_below(file)).find(small)
    }
}

impl Files {
    /// Whether a file is below the folder wherever links lead, for a mirror may have links of somebody else's making.
    fn is_below(&self, file: &Path) -> bool {
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        real(file).zip(real(&self.root)).is_some_and(|(file, root)| file.starts_with(root))
    }
}

impl Subresources for Files {
    fn address(&self) -> Url {
        let mut url = nowhere();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.clear().extend(self.page.components().map(|part| part.as_os_str().to_string_lossy()));
        }
        url
    }

    fn read(&self, address: &Url) -> Option<Subresource> {
        let file = self.find(address)?;
        Some(Subresource { bytes: std::fs::read(&file).ok()?, media_type: media_type(&file).to_owned() })
    }

    fn has(&self, address: &Url) -> bool {
        self.find(address).is_some()
    }
}

/// The address of a page without files and without an address of its own.
pub(crate) fn nowhere() -> Url {
    Url::parse(&format!("http://{HOST}/")).expect("it is an address")
}

fn percent_decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn media_type(file: &Path) -> &'static str {
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    // Mirrors keep the query in the name.
    let name = extension.split('?').next().unwrap_or_default();
    match name {
        "css" => "text/css",
        "js" => "text/javascript",
        "html" | "htm" => "text/html",
        "png" => "image/png",
        "gif" => "image/gif",
        "jpg" | "jpeg" => "image/jpeg",
        "svg" => "image/svg+xml",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_to_files_of_the_folder_only() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a b")).unwrap();
        std::fs::write(folder.path().join("a b/style.css"), "p{}").unwrap();
        std::fs::write(folder.path().join("pic.png?v=1"), "picture").unwrap();
        let files = Files { root: folder.path().to_owned(), page: PathBuf::from("a b/index.html") };
        assert_eq!(files.address().as_str(), "http://page.invalid/a%20b/index.html");
        let found = |relative: &str| files.find(&files.address().join(relative).unwrap());
        assert_eq!(found("style.css"), Some(folder.path().join("a b/style.css")));
        assert_eq!(found("style.css?v=2"), Some(folder.path().join("a b/style.css")));
        assert_eq!(found("/pic.png?v=1"), Some(folder.path().join("pic.png?v=1")));
        let sheet = files.read(&files.address().join("style.css").unwrap()).unwrap();
        assert_eq!((&sheet.bytes[..], &sheet.media_type[..]), (&b"p{}"[..], "text/css"));
        assert_eq!(files.read(&files.address().join("/pic.png?v=1").unwrap()).unwrap().media_type, "image/png");
        for elsewhere in ["/..%2f..%2fetc/passwd", "none.css", "/", "https://example.org/a%20b/style.css"] {
            assert_eq!(found(elsewhere), None, "{elsewhere}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_files_of_the_folder_only() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("mirror");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(folder.path().join("secret.css"), "secret").unwrap();
        std::fs::write(root.join("own.css"), "own").unwrap();
        for (link, to) in [("out.css", "../secret.css"), ("in.css", "own.css"), ("up", "..")] {
            std::os::unix::fs::symlink(to, root.join(link)).unwrap();
        }
        let files = Files { root: root.clone(), page: PathBuf::from("index.html") };
        let read = |name: &str| files.read(&files.address().join(name).unwrap()).map(|found| found.bytes);
        assert_eq!(read("in.css"), Some(b"own".to_vec()));
        assert_eq!((read("out.css"), read("up/secret.css")), (None, None));
    }

    #[test]
    fn the_files_of_a_page_are_those_of_its_folder_or_of_one_above() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("a")).unwrap();
        std::fs::create_dir_all(root.join("b")).unwrap();
        std::fs::write(root.join("a/index.html"), "").unwrap();
        let around =
            |above: Option<&str>| Files::around(&root.join("a/index.html"), above.map(|above| root.join(above)).as_deref());
        assert_eq!(around(None).unwrap(), Files { root: root.join("a"), page: PathBuf::from("index.html") });
        assert_eq!(around(Some(".")).unwrap(), Files { root: root.clone(), page: PathBuf::from("a/index.html") });
        assert!(matches!(around(Some("b")), Err(FilesError::Outside { .. })));
        assert!(around(Some("none")).unwrap_err().to_string().contains("none"));
    }
}
