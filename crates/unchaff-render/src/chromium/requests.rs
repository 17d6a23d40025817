//! What a page gets when it asks for something: itself, files of a folder, what the web has if that is allowed, or nothing.
//!
//! From the web come style sheets, fonts and images, by GET and nothing else; where scripts run, also scripts and what they ask for. The
//! browser enforces who may read what, as it does for every page.

use crate::files::nowhere;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use std::sync::Arc;
use unchaff_segment::renderer::{PageToRender, Subresources};
use url::Url;

/// What a page without scripts may do, whatever frames it makes: those without an address of their own inherit it.
const NO_SCRIPTS: &str =
    "script-src 'none'; worker-src 'none'; object-src 'none'; connect-src 'none'; form-action 'none'; manifest-src 'none'";

/// The most requests of a page that are passed on to the web.
const MOST_FROM_WEB: usize = 1_000;

/// What a page may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Permissions {
    pub(super) scripts: bool,
    pub(super) network: bool,
}

/// How the requests of one page are answered.
#[derive(Debug)]
pub(super) struct Answers {
    source: String,
    address: String,
    subresources: Option<Arc<dyn Subresources>>,
    permissions: Permissions,
    /// The frame of the page itself.
    frame: String,
    served: bool,
    from_web: usize,
}

/// How one request is answered.
#[derive(PartialEq, Debug)]
pub(super) enum Answer {
    /// With a method of the protocol and its parameters.
    Now(&'static str, Value),
    /// With what is found at an address of the web; the server is told which kinds are wanted.
    Web(Url, &'static str),
}

/// The answer with these bytes.
pub(super) fn fulfilled(request: &Value, headers: &[(&str, &str)], body: &[u8]) -> (&'static str, Value) {
    let headers: Vec<Value> = headers.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
    let params = json!({"requestId": request, "responseCode": 200, "responseHeaders": headers, "body": BASE64.encode(body)});
    ("Fetch.fulfillRequest", params)
}

/// The answer that there is none.
pub(super) fn refused(request: &Value, reason: &str) -> (&'static str, Value) {
    ("Fetch.failRequest", json!({"requestId": request, "errorReason": reason}))
}

impl Answers {
    /// Answers for a page, or for a source of our own.
    pub(super) fn new(source: &str, page: Option<&PageToRender<'_>>, permissions: Permissions, frame: &str) -> Answers {
        let subresources = page.and_then(|page| page.subresources.clone());
        let own = page.and_then(|page| page.page.url()).filter(|url| url.scheme().starts_with("http"));
        let mut address = match (&subresources, own) {
            (Some(subresources), _) => subresources.address(),
            (None, Some(own)) => own.clone(),
            (None, None) => nowhere(),
        };
        address.set_fragment(None);
        let (source, frame) = (source.to_owned(), frame.to_owned());
        Answers { source, address: address.into(), subresources, permissions, frame, served: false, from_web: 0 }
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    pub(super) fn permissions(&self) -> Permissions {
        self.permissions
    }

    /// How a paused request is answered.
    pub(super) fn answer(&mut self, paused: &Value) -> Answer {
        let id = &paused["requestId"];
        let now = |(method, params)| Answer::Now(method, params);
        let fulfil = |kind: &str, body: &[u8]| {
            let mut headers = vec![("Content-Type", kind)];
            if !self.permissions.scripts {
                headers.push(("Content-Security-Policy", NO_SCRIPTS));
            }
            now(fulfilled(id, &headers, body))
        };
        if paused["resourceType"] == "Document" && paused["frameId"] == self.frame.as_str() {
            // A page that leads elsewhere at once is still the page that was asked for.
            if self.served {
                return now(refused(id, "Aborted"));
            }
            self.served = true;
            return fulfil("text/html; charset=utf-8", self.source.as_bytes());
        }
        let Ok(address) = Url::parse(paused["request"]["url"].as_str().unwrap_or_default()) else {
            return now(refused(id, "BlockedByClient"));
        };
        if let Some(found) = self.subresources.as_ref().and_then(|subresources| subresources.read(&address)) {
            return fulfil(&found.media_type, &found.bytes);
        }
        match self.wanted_of_web(paused, &address) {
            Some(accept) => {
                self.from_web += 1;
                Answer::Web(address, accept)
            }
            None => now(refused(id, "BlockedByClient")),
        }
    }

    /// The kinds that are asked of the web for a request; none if it is not passed on.
    fn wanted_of_web(&self, paused: &Value, address: &Url) -> Option<&'static str> {
        let Permissions { scripts, network } = self.permissions;
        let may = network
            && self.from_web < MOST_FROM_WEB
            && paused["request"]["method"] == "GET"
            && matches!(address.scheme(), "http" | "https");
        match paused["resourceType"].as_str().filter(|_| may)? {
            "Stylesheet" => Some("text/css,*/*;q=0.1"),
            "Image" => Some("image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"),
            "Font" => Some("font/woff2,font/*,*/*;q=0.5"),
            "Script" | "XHR" | "Fetch" if scripts => Some("*/*"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;
    use std::path::PathBuf;
    use unchaff_dom::Parser;

    fn asked(address: &str, kind: &str, frame: &str) -> Value {
        json!({"requestId": "1", "request": {"url": address, "method": "GET"}, "resourceType": kind, "frameId": frame})
    }

    fn method(answer: Answer) -> &'static str {
        match answer {
            Answer::Now(method, _) => method,
            Answer::Web(..) => "web",
        }
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
        let mut answers = Answers::new("<p>", Some(&page), Permissions::default(), "main");
        assert_eq!(answers.address(), "http://page.invalid/a%20b/index.html");
        let own = answers.address().to_owned();
        let Answer::Now("Fetch.fulfillRequest", params) = answers.answer(&asked(&own, "Document", "main")) else { panic!() };
        assert_eq!(params["responseHeaders"][1]["name"], "Content-Security-Policy");
        let elsewhere = answers.answer(&asked("https://elsewhere.example/", "Document", "main"));
        assert!(matches!(elsewhere, Answer::Now("Fetch.failRequest", params) if params["errorReason"] == "Aborted"));
        let style = answers.answer(&asked("http://page.invalid/a%20b/style.css", "Stylesheet", "main"));
        assert!(matches!(style, Answer::Now("Fetch.fulfillRequest", params) if params["body"] == BASE64.encode("p{}")));
        let picture = answers.answer(&asked("http://page.invalid/pic.png?v=1", "Image", "main"));
        assert_eq!(method(picture), "Fetch.fulfillRequest");
        for address in [
            "http://page.invalid/..%2f..%2fetc/passwd",
            "http://page.invalid/none.css",
            "https://example.org/x.css",
            "no address",
        ] {
            assert_eq!(method(answers.answer(&asked(address, "Stylesheet", "main"))), "Fetch.failRequest", "{address}");
        }
    }

    #[test]
    fn of_the_web_a_page_gets_its_looks_by_get_and_with_scripts_what_they_need() {
        let page = Parser::new().url("https://example.org/a#b").parse("<p>");
        let page = PageToRender::new(&page);
        for (scripts, wanted) in [
            (false, &["Stylesheet", "Image", "Font"][..]),
            (true, &["Stylesheet", "Image", "Font", "Script", "XHR", "Fetch"][..]),
        ] {
            let mut answers = Answers::new("<p>", Some(&page), Permissions { scripts, network: true }, "main");
            assert_eq!(answers.address(), "https://example.org/a");
            for kind in [
                "Stylesheet",
                "Image",
                "Font",
                "Script",
                "XHR",
                "Fetch",
                "Document",
                "Media",
                "WebSocket",
                "EventSource",
                "Ping",
                "Manifest",
                "Prefetch",
                "TextTrack",
                "CSPViolationReport",
                "Preflight",
                "Other",
            ] {
                let expected = if wanted.contains(&kind) { "web" } else { "Fetch.failRequest" };
                assert_eq!(method(answers.answer(&asked("https://example.org/x", kind, "inner"))), expected, "{kind} {scripts}");
                for address in ["file:///etc/passwd", "ftp://example.org/x", "chrome://settings"] {
                    assert_eq!(method(answers.answer(&asked(address, kind, "inner"))), "Fetch.failRequest", "{address}");
                }
                let mut post = asked("https://example.org/x", kind, "inner");
                post["request"]["method"] = "POST".into();
                assert_eq!(method(answers.answer(&post)), "Fetch.failRequest", "{kind}");
            }
            let many = (0..2 * MOST_FROM_WEB).map(|_| method(answers.answer(&asked("https://example.org/x", "Image", "main"))));
            assert!(many.filter(|answer| *answer == "web").count() < MOST_FROM_WEB);
        }
    }
}
