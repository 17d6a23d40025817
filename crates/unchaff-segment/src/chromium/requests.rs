//! What a page gets when it asks for something: itself, files of a folder, the web if that is allowed, or nothing.

use crate::files::Files;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use std::path::Path;
use url::Url;

/// How the requests of one page are answered.
#[derive(Debug)]
pub(super) struct Answers {
    source: String,
    address: String,
    files: Option<Files>,
    network: bool,
    /// The frame of the page itself.
    frame: String,
    served: bool,
}

impl Answers {
    pub(super) fn new(source: &str, address: Option<&str>, files: Option<&Files>, network: bool, frame: &str) -> Answers {
        let address = match (files, address) {
            (Some(files), _) => files.address().to_string(),
            (None, Some(address)) if address.starts_with("http") => address.split('#').next().unwrap_or(address).to_owned(),
            _ => Files::nowhere().to_string(),
        };
        Answers { source: source.to_owned(), address, files: files.cloned(), network, frame: frame.to_owned(), served: false }
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
        let file = self.files.as_ref().zip(Url::parse(address).ok()).and_then(|(files, address)| files.find(&address));
        if let Some(file) = file {
            return match std::fs::read(&file) {
                Ok(bytes) => fulfil(content_type(&file), &bytes),
                Err(_) => refuse("Failed"),
            };
        }
        if self.network { ("Fetch.continueRequest", json!({"requestId": id})) } else { refuse("BlockedByClient") }
    }
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
    use std::path::PathBuf;

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
