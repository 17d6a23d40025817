//! Sites that are taught.

use crate::client::{options, start};
use serde_json::json;
use unchaff::{BlockKind, Document, Extraction, SITE, SiteModel};
use unchaff_serve::Options;

fn page(name: &str, text: &str) -> (String, String) {
    let html = format!(
        "<title>{name}</title><nav><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></nav><p>{text}</p><footer>Printed on paper by the harbour.</footer>"
    );
    (format!("https://example.org/{name}"), html)
}

fn site() -> Vec<(String, String)> {
    vec![page("a", "It rained all day."), page("b", "Then the sun came out."), page("c", "Snow fell.")]
}

#[test]
fn a_site_that_is_taught_answers_as_the_library_does() {
    let service = start(options());
    for (url, html) in site() {
        let reply = service.post(&format!("/v1/sites/example.org/pages?url={url}"), html.as_bytes());
        assert_eq!((reply.status, reply.json()["read"].as_u64()), (200, Some(1)), "{}", reply.text());
    }
    assert_eq!(service.get("/v1/sites/example.org").json()["pages"], 3);
    assert_eq!(service.get("/v1/sites").json()["sites"].as_array().unwrap().len(), 1);
    let read: Vec<_> = site().into_iter().map(|(url, html)| Document::new(html).at(url).page()).collect();
    let model = SiteModel::learn(&read);
    for (show, kind) in [("content", BlockKind::Content), ("template", BlockKind::Template), ("menu", BlockKind::Menu)] {
        let (url, html) = page("d", "It is hot today.");
        let reply = service.post(&format!("/v1/sites/example.org/extract?url={url}&show={show}"), html.as_bytes());
        let page = Document::new(html).at(url).page();
        let expected = Extraction::of(&page, kind, SITE, model.detect(&page).only(kind)).json(Some("-")) + "\n";
        assert_eq!(reply.text(), expected, "{show}");
    }
    // The model leaves and comes back.
    let bytes = service.get("/v1/sites/example.org/model");
    assert_eq!(bytes.body, model.to_bytes());
    assert_eq!(service.ask("PUT", "/v1/sites/copy/model", &[], &bytes.body).json()["pages"], 3);
    assert_eq!(service.get("/v1/sites/copy/model").body, bytes.body);
    assert_eq!(service.ask("DELETE", "/v1/sites/copy", &[], b"").status, 204);
    assert_eq!(service.ask("DELETE", "/v1/sites/copy", &[], b"").status, 404);
    for (reply, status) in [
        (service.ask("PUT", "/v1/sites/x/model", &[], b"nothing"), 400),
        (service.post("/v1/sites/x/pages", b"<p>no address"), 400),
        (service.post("/v1/sites/a%20b/pages?url=https://example.org/", b"<p>"), 400),
        (service.post("/v1/sites/x/extract", b"<p>"), 404),
        (service.post("/v1/sites/example.org/extract?technique=ccb", b"<p>"), 400),
        (service.post("/v1/sites/example.org/extract?show=ads", b"<p>"), 400),
        (service.post_json("/v1/sites/x/pages", &json!({"url": "https://example.org/"})), 403),
    ] {
        assert_eq!(reply.status, status, "{}", reply.text());
    }
    service.ended();
}

#[test]
fn an_archive_teaches_all_its_pages() {
    let service = start(options());
    let mut archive = String::new();
    for (url, html) in site() {
        archive += &format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {url}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{html}\r\n\r\n",
            html.len()
        );
    }
    let warc = [("Content-Type", "application/warc")];
    let reply = service.ask("POST", "/v1/sites/example.org/pages", &warc, archive.as_bytes());
    assert_eq!((reply.status, reply.json()["read"].as_u64()), (200, Some(3)), "{}", reply.text());
    let read: Vec<_> = site().into_iter().map(|(url, html)| Document::new(html).at(url).page()).collect();
    assert_eq!(service.get("/v1/sites/example.org/model").body, SiteModel::learn(&read).to_bytes());
    assert_eq!(service.ask("POST", "/v1/sites/example.org/pages", &warc, b"<p>no archive").status, 400);
    service.ended();
}

#[test]
fn sites_have_a_number_and_a_size() {
    let service = start(Options { sites: 2, ..options() });
    let learn =
        |name: &str| service.post(&format!("/v1/sites/{name}/pages?url=https://example.org/"), b"<p>It rained.</p>").status;
    assert_eq!((learn("a"), learn("b"), learn("c"), learn("a")), (200, 200, 507, 200));
    assert_eq!(service.ask("DELETE", "/v1/sites/a", &[], b"").status, 204);
    assert_eq!(learn("c"), 200);
    service.ended();
    let service = start(Options { site_bytes: 10, ..options() });
    assert_eq!(service.post("/v1/sites/a/pages?url=https://example.org/", b"<p>It rained.</p>").status, 507);
    service.ended();
}
