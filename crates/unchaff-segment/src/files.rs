//! The files that the relative addresses of a page lead to.
//!
//! A renderer gets the page under an address of a host that cannot exist, so that whatever the page refers to
//! relatively comes back as an address of that host, and nothing else does. Only files below the folder are read.

use std::path::{Component, Path, PathBuf};
use url::Url;

/// A host that no name server knows (RFC 6761, 6.4).
const HOST: &str = "page.invalid";

/// The largest file that is handed to a renderer.
const MOST_BYTES: u64 = 64 << 20;

/// Files that the relative addresses of a page lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// The folder above all of them; nothing outside of it is read.
    pub root: PathBuf,
    /// Where the page lies in it.
    pub page: PathBuf,
}

impl Files {
    /// The address that a renderer gets the page under.
    #[must_use]
    pub fn address(&self) -> Url {
        let mut url = Files::nowhere();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.clear().extend(self.page.components().map(|part| part.as_os_str().to_string_lossy()));
        }
        url
    }

    /// The address of a page without files and without an address of its own.
    #[must_use]
    pub fn nowhere() -> Url {
        Url::parse(&format!("http://{HOST}/")).expect("it is an address")
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
        with_query.into_iter().chain([decode(address.path())]).filter(inside).map(|path| self.root.join(path)).find(small)
    }
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = (*first == b'%').then(|| after.get(..2)).flatten().and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
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
        for elsewhere in ["/..%2f..%2fetc/passwd", "none.css", "/", "https://example.org/a%20b/style.css"] {
            assert_eq!(found(elsewhere), None, "{elsewhere}");
        }
    }
}
