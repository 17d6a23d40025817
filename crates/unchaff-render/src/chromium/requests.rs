//! What a page gets when it asks for something: itself, files of a folder, the web if that is allowed, or nothing.

use crate::files::nowhere;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use std::sync::Arc;
use unchaff_segment::renderer::{PageToRender, Subresources};
use url::Url;

/// How the requests of one page are answered.
#[derive(Debug)]
pub(super) struct Answers {
    source: String,
    address: String,
    subresources: Option<Arc<dyn Subresources>>,
    network: bool,
    /// The frame of the page itself.
    frame: String,
    served: bool,
}

impl Answers {
    /// Answers for a page, or for a source of our own.
    pub(super) fn new(source: &str, page: Option<&PageToRender<'_>>, network: bool, frame: &str) -> Answers {
        let subresources = page.and_then(|page| page.subresources.clone());
        let own = page.and_then(|page| page.page.url()).filter(|url| url.scheme().starts_with("http"));
        let mut address = match (&subresources, own) {
            (Some(subresources), _) => subresources.address(),
            (None, Some(own)) => own.clone(),
            (None, None) => nowhere(),
        };
        address.set_fragment(None);
        Answers {
            source: source.to_owned(),
            address: address.into(),
            subresources,
            network,
            frame: frame.to_owned(),
            served: false,
        }
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
        let asked = self.subresources.as_ref().zip(Url::parse(address).ok());
        if let Some(found) = asked.and_then(|(subresources, address)| subresources.read(&address)) {
            return fulfil(&found.media_type, &found.bytes);
        }
        if self.network { ("Fetch.continueRequest", json!({"requestId": id})) } else { refuse("BlockedByClient") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;
    use std::path::PathBuf;
    use unchaff_dom::Parser;

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
        let page = Parser::new().url("https://example.org/a#b").parse("<p>");
        let page = PageToRender::new(&page).with_subresources(Some(files));
        let mut answers = Answers::new("<p>", Some(&page), false, "main");
        assert_eq!(answers.address(), "http://page.invalid/a%20b/index.html");
        let own = answers.address().to_owned();
        assert_eq!(answers.answer(&asked(&own, "Document", "main")).0, "Fetch.fulfillRequest");
        let (method, params) = answers.answer(&asked("https://elsewhere.example/", "Document", "main"));
        assert_eq!((method, &params["errorReason"]), ("Fetch.failRequest", &json!("Aborted")));
        let (method, params) = answers.answer(&asked("http://page.invalid/a%20b/style.css", "Stylesheet", "main"));
        assert_eq!((method, &params["body"]), ("Fetch.fulfillRequest", &json!(BASE64.encode("p{}"))));
        assert_eq!(answers.answer(&asked("http://page.invalid/pic.png?v=1", "Image", "main")).0, "Fetch.fulfillRequest");
        for address in ["http://page.invalid/..%2f..%2fetc/passwd", "http://page.invalid/none.css", "https://example.org/x.css"] {
            assert_eq!(answers.answer(&asked(address, "Stylesheet", "main")).0, "Fetch.failRequest", "{address}");
        }
        let mut open = Answers::new("<p>", Some(&PageToRender::new(page.page)), true, "main");
        assert_eq!(open.address(), "https://example.org/a");
        assert_eq!(open.answer(&asked("https://example.org/x.css", "Stylesheet", "main")).0, "Fetch.continueRequest");
    }
}
