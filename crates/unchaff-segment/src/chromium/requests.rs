//! What a page gets when it asks for something: itself, files of a folder, the web if that is allowed, or nothing.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};
use url::Url;

/// The largest file that is handed to the browser.
const MOST_BYTES: u64 = 64 << 20;

/// Files that the relative addresses of a page lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// The folder above all of them; nothing outside of it is read.
    pub root: PathBuf,
    /// Where the page lies in it.
    pub page: PathBuf,
}

/// How the requests of one page are answered.
#[derive(Debug)]
pub(super) struct Answers {
    source: String,
    address: String,
    root: Option<PathBuf>,
    network: bool,
    /// The frame of the page itself.
    frame: String,
    served: bool,
}

impl Answers {
    pub(super) fn new(source: &str, address: Option<&str>, files: Option<&Files>, network: bool, frame: &str) -> Answers {
        let address = match (files, address) {
            (Some(files), _) => {
                let mut url = Url::parse("http://page.invalid/").expect("it is an address");
                if let Ok(mut segments) = url.path_segments_mut() {
                    segments.clear().extend(files.page.components().map(|part| part.as_os_str().to_string_lossy()));
                }
                url.to_string()
            }
            (None, Some(address)) if address.starts_with("http") => address.split('#').next().unwrap_or(address).to_owned(),
            _ => "http://page.invalid/".to_owned(),
        };
        let root = files.map(|files| files.root.clone());
        Answers { source: source.to_owned(), address, root, network, frame: frame.to_owned(), served: false }
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// The method and parameters by which a paused request is answered.
    pub(super) fn answer(&mut self, paused: &Value) -> (&'static str, Value) {
        let id = &paused["requestId"];
        let refuse = |reason: &str| ("Fetch.failRequest", json!({"requestId": id, "errorReason": reason}));
        let fulfil = |kind: &str, body: &[u8]| {
            let headers = json!([{"name": "Content-Type", "value": kind}]);
            (
                "Fetch.fulfillRequest",
                json!({"requestId": id, "responseCode": 200, "responseHeaders": headers, "body": BASE64.encode(body)}),
            )
        };
        let address = paused["request"]["url"].as_str().unwrap_or_default();
        if paused["resourceType"] == "Document" && paused["frameId"] == self.frame.as_str() {
            // A page that leads elsewhere at once is still the page that was asked for.
            if self.served {
                return refuse("Aborted");
            }
            self.served = true;
            return fulfil("text/html; charset=utf-8", self.source.as_bytes());
        }
        if let Some(file) = self.root.as_ref().and_then(|root| file_of(root, address)) {
            return match std::fs::read(&file) {
                Ok(bytes) => fulfil(content_type(&file), &bytes),
                Err(_) => refuse("Failed"),
            };
        }
        if self.network { ("Fetch.continueRequest", json!({"requestId": id})) } else { refuse("BlockedByClient") }
    }
}

/// The file that an address leads to, if it is below the root.
fn file_of(root: &Path, address: &str) -> Option<PathBuf> {
    let url = Url::parse(address).ok().filter(|url| url.host_str() == Some("page.invalid"))?;
    let decode = |text: &str| percent_decode(text.trim_start_matches('/'));
    let with_query = url.query().map(|query| decode(&format!("{}?{query}", url.path())));
    let inside = |path: &String| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let small = |file: &PathBuf| file.metadata().is_ok_and(|found| found.is_file() && found.len() <= MOST_BYTES);
    with_query.into_iter().chain([decode(url.path())]).filter(inside).map(|path| root.join(path)).find(small)
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

fn content_type(file: &Path) -> &'static str {
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
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

    fn asked(address: &str, kind: &str, frame: &str) -> Value {
        json!({"requestId": "1", "request": {"url": address}, "resourceType": kind, "frameId": frame})
    }

    #[test]
    fn requests_are_answered_from_the_folder_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a b")).unwrap();
        std::fs::write(folder.path().join("a b/style.css"), "p{}").unwrap();
        std::fs::write(folder.path().join("pic.png?v=1"), "picture").unwrap();
        let files = Files { root: folder.path().to_owned(), page: PathBuf::from("a b/index.html") };
        let mut answers = Answers::new("<p>", Some("https://example.org/"), Some(&files), false, "main");
        assert_eq!(answers.address(), "http://page.invalid/a%20b/index.html");
        let page = answers.address().to_owned();
        assert_eq!(answers.answer(&asked(&page, "Document", "main")).0, "Fetch.fulfillRequest");
        let (method, params) = answers.answer(&asked("https://elsewhere.example/", "Document", "main"));
        assert_eq!((method, &params["errorReason"]), ("Fetch.failRequest", &json!("Aborted")));
        let (method, params) = answers.answer(&asked("http://page.invalid/a%20b/style.css", "Stylesheet", "main"));
        assert_eq!((method, &params["body"]), ("Fetch.fulfillRequest", &json!(BASE64.encode("p{}"))));
        assert_eq!(answers.answer(&asked("http://page.invalid/pic.png?v=1", "Image", "main")).0, "Fetch.fulfillRequest");
        for address in ["http://page.invalid/..%2f..%2fetc/passwd", "http://page.invalid/none.css", "https://example.org/x.css"] {
            assert_eq!(answers.answer(&asked(address, "Stylesheet", "main")).0, "Fetch.failRequest", "{address}");
        }
        let mut open = Answers::new("<p>", Some("https://example.org/a#b"), None, true, "main");
        assert_eq!(open.address(), "https://example.org/a");
        assert_eq!(open.answer(&asked("https://example.org/x.css", "Stylesheet", "main")).0, "Fetch.continueRequest");
    }
}
