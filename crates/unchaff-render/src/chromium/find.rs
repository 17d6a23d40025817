//! Where the browser is: named by `UNCHAFF_CHROMIUM`, or under one of its usual names.

use super::BrowserError;
use std::path::{Path, PathBuf};

/// The oldest version that is known to do what is asked of it.
pub const LEAST_VERSION: u32 = 112;

const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chrome-headless-shell",
    "microsoft-edge",
];

const PLACES: &[&str] = &[
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/snap/bin/chromium",
];

/// The browser on this machine.
///
/// # Errors
/// If there is none, with what to do about it.
pub fn find_browser() -> Result<PathBuf, BrowserError> {
    search(std::env::var_os("UNCHAFF_CHROMIUM").map(PathBuf::from), std::env::var_os("PATH").unwrap_or_default().as_os_str())
}

fn search(named: Option<PathBuf>, path: &std::ffi::OsStr) -> Result<PathBuf, BrowserError> {
    if let Some(named) = named.filter(|named| !named.as_os_str().is_empty()) {
        return if named.is_file() { Ok(named) } else { Err(BrowserError::Missing { named: Some(named) }) };
    }
    let folders: Vec<PathBuf> = std::env::split_paths(path).collect();
    let candidates = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let mut places = candidates.chain(PLACES.iter().map(PathBuf::from));
    places.find(|place| place.is_file()).ok_or(BrowserError::Missing { named: None })
}

/// What is missing, and how to get it.
pub(super) fn missing(named: Option<&Path>) -> String {
    match named {
        Some(named) => format!(
            "UNCHAFF_CHROMIUM names {}, where there is no browser; name the program of Chromium or Chrome, or unset it",
            named.display()
        ),
        None => "a browser is needed to render pages, and none was found: install Chromium or Chrome (Debian: apt-get install chromium; \
                 Fedora: dnf install chromium; macOS: brew install --cask chromium), or say where it is with UNCHAFF_CHROMIUM=/path/to/it"
            .to_owned(),
    }
}

/// Whether what a browser says it is (`HeadlessChrome/148.0.1.2`) is new enough; what cannot be read is given a chance.
pub(super) fn check_version(program: &Path, product: &str) -> Result<(), BrowserError> {
    let major = product.split('/').nth(1).and_then(|version| version.split('.').next()?.parse::<u32>().ok());
    match major {
        Some(major) if major < LEAST_VERSION => {
            Err(BrowserError::TooOld { program: program.to_owned(), version: product.to_owned() })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_browser_is_told_with_the_way_out() {
        let empty = tempfile::tempdir().unwrap();
        let wrong = search(Some(empty.path().join("nothing")), empty.path().as_os_str()).unwrap_err().to_string();
        assert!(wrong.contains("nothing") && wrong.contains("UNCHAFF_CHROMIUM"), "{wrong}");
        if !PLACES.iter().any(|place| Path::new(place).is_file()) {
            let missing = search(None, empty.path().as_os_str()).unwrap_err().to_string();
            assert!(missing.contains("apt-get install chromium") && missing.contains("UNCHAFF_CHROMIUM"), "{missing}");
        }
        std::fs::write(empty.path().join("chromium"), "").unwrap();
        assert_eq!(search(None, empty.path().as_os_str()).unwrap(), empty.path().join("chromium"));
    }

    #[test]
    fn a_browser_that_is_too_old_is_refused() {
        let program = Path::new("chromium");
        let old = check_version(program, "HeadlessChrome/79.0.3945.88").unwrap_err().to_string();
        assert!(old.contains("79.0.3945.88") && old.contains("update"), "{old}");
        assert!(check_version(program, "HeadlessChrome/148.0.7778.167").is_ok());
        assert!(check_version(program, "").is_ok());
    }
}
