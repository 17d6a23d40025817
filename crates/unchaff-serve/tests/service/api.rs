//! What is asked and what is answered.

use crate::client::{options, start};
use crate::{LIGHTHOUSE, pages};
use serde_json::json;
use unchaff::{BlockKind, Document, Extractor, Format};
use unchaff_serve::Options;

#[test]
fn answers_are_those_of_the_library_on_every_page_of_the_suite() {
    let service = start(options());
    let extractor = Extractor::new();
    let menus = Extractor::of(BlockKind::Menu);
    for (name, bytes) in pages() {
        let page = Document::new(bytes.clone()).at("https://example.org/a/b").page();
        let reply = service.post("/v1/extract?url=https://example.org/a/b", &bytes);
        assert_eq!(reply.status, 200, "{name}");
        assert_eq!(reply.text(), extractor.extract(&page).json(Some("-")) + "\n", "{name}");
        let reply = service.post("/v1/menu?url=https://example.org/a/b&format=text", &bytes);
        assert_eq!(reply.text(), menus.extract(&page).text(), "{name}");
    }
    service.ended();
}

#[test]
fn the_format_is_what_is_accepted_or_named() {
    let service = start(options());
    let extraction = Extractor::new();
    let page = Document::new(LIGHTHOUSE).page();
    let extraction = extraction.extract(&page);
    for (accept, format, kind) in [
        ("application/json", Format::Json, "application/json"),
        ("text/markdown", Format::Markdown, "text/markdown; charset=utf-8"),
        ("text/plain", Format::Text, "text/plain; charset=utf-8"),
        ("text/html", Format::Html, "text/html; charset=utf-8"),
        ("text/html;q=0.1, text/markdown", Format::Markdown, "text/markdown; charset=utf-8"),
    ] {
        let reply = service.ask("POST", "/v1/extract", &[("Accept", accept)], LIGHTHOUSE);
        assert_eq!((reply.status, reply.header("content-type")), (200, Some(kind)), "{accept}");
        let expected = if format == Format::Json { extraction.json(Some("-")) + "\n" } else { extraction.render(format) };
        assert_eq!(reply.text(), expected, "{accept}");
    }
    for format in Format::ALL {
        let reply = service.post(&format!("/v1/extract?format={format}"), LIGHTHOUSE);
        assert_eq!(reply.status, 200, "{format}: {}", reply.text());
        assert!(!reply.body.is_empty(), "{format}");
        let is_page = reply.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
        assert_eq!(
            reply.header("content-security-policy").is_some_and(|policy| policy.starts_with("sandbox;")),
            is_page,
            "{format}"
        );
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    }
    let chunks = service.post("/v1/extract?format=chunks", LIGHTHOUSE);
    assert_eq!(chunks.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(service.ask("POST", "/v1/extract", &[("Accept", "image/png")], LIGHTHOUSE).status, 406);
    service.ended();
}

#[test]
fn options_mean_the_same_in_json_and_in_the_address() {
    let service = start(options());
    let html = std::str::from_utf8(LIGHTHOUSE).unwrap();
    for (query, options) in [
        ("technique=ccb&set=range=20", json!({"technique": "ccb", "set": {"range": 20}})),
        ("favor=recall&include=comments,links", json!({"favor": "recall", "include": ["comments", "links"]})),
        ("title=drop&exclude=images&format=markdown", json!({"title": "drop", "exclude": ["images"], "format": "markdown"})),
        ("fields=title,words&input=a.html", json!({"fields": ["title", "words"], "input": "a.html"})),
        ("explain&technique=ccb", json!({"explain": true, "technique": "ccb"})),
        ("explain=true&format=text", json!({"explain": true, "format": "text"})),
        ("format=markdown&metadata=1", json!({"format": "markdown", "metadata": true})),
        ("format=csv&fields=title", json!({"format": "csv", "fields": ["title"]})),
    ] {
        let path = format!("/v1/extract?charset=utf-8&url=https%3A%2F%2Fexample.org%2F&{query}");
        let raw = service.post(&path, LIGHTHOUSE);
        let asked = service.post_json("/v1/extract", &json!({"html": html, "url": "https://example.org/", "options": options}));
        assert_eq!((raw.status, asked.status), (200, 200), "{query}: {} {}", raw.text(), asked.text());
        assert_eq!(raw.text(), asked.text(), "{query}");
    }
    let fields = service.post("/v1/extract?fields=title,words", LIGHTHOUSE).json();
    assert_eq!(fields["title"], "The lamp that would not go out", "{fields}");
    let marked = service.post("/v1/extract?format=annotated&explain", LIGHTHOUSE);
    assert!(marked.text().contains("data-unchaff=\"content") && marked.text().contains("title="), "{}", marked.text());
    service.ended();
}

#[test]
fn a_charset_is_told_by_the_header_and_a_string_needs_none() {
    let service = start(options());
    let latin = b"<p>Gr\xfc\xdfe aus der Stadt, in der es immerzu regnet und niemand einen Schirm hat.</p>";
    let reply = service.ask("POST", "/v1/extract", &[("Content-Type", "text/html; charset=\"iso-8859-1\"")], latin);
    assert!(reply.json()["text"].as_str().unwrap().contains("Grüße"), "{}", reply.text());
    let html = "<meta charset=iso-8859-1><p>Grüße aus der Stadt, in der es immerzu regnet.</p>";
    let reply = service.post_json("/v1/extract", &json!({"html": html})).json();
    assert_eq!(reply["text"].as_str().unwrap().trim(), "Grüße aus der Stadt, in der es immerzu regnet.");
    service.ended();
}

#[test]
fn segments_come_from_the_tree_or_from_boxes_that_are_sent() {
    let service = start(options());
    let reply = service.post("/v1/segment", LIGHTHOUSE);
    assert_eq!(reply.json()["technique"], "dom-blocks");
    assert!(!reply.json()["segments"].as_array().unwrap().is_empty());
    let html = "<body><p>One</p><p>Two</p></body>";
    let boxes = json!({"width": 200, "height": 100, "boxes": [
        {"kind": "text", "rect": [0, 0, 90, 16], "node": 4}, {"kind": "text", "rect": [0, 60, 90, 76], "node": 6}]});
    let reply = service.post_json("/v1/segment", &json!({"html": html, "boxes": boxes, "options": {"technique": "bcs"}}));
    assert_eq!((reply.status, reply.json()["width"].as_i64()), (200, Some(200)), "{}", reply.text());
    let svg = service.post_json("/v1/segment", &json!({"html": html, "boxes": boxes, "options": {"format": "svg"}}));
    assert!(svg.text().starts_with("<svg") && svg.header("content-type") == Some("image/svg+xml"), "{}", svg.text());
    let missing = service.post("/v1/segment?technique=vips", LIGHTHOUSE);
    assert!(missing.status == 400 && missing.text().contains("boxes"), "{}", missing.text());
    assert_eq!(service.post_json("/v1/segment", &json!({"html": html, "boxes": {"width": 1}})).status, 400);
    service.ended();
}

#[test]
fn every_bad_question_has_its_status_and_the_way_out() {
    let service = start(Options { max_bytes: 100_000, ..options() });
    let json = |body: &str| service.ask("POST", "/v1/extract", &[("Content-Type", "application/json")], body.as_bytes());
    let page = |path: &str| service.post(path, b"<p>Hello");
    let kind = |kind: &str| service.ask("POST", "/v1/extract", &[("Content-Type", kind)], b"x");
    for (reply, status, says) in [
        (json("{"), 400, "no question"),
        (json("[]"), 400, "no question"),
        (json("{}"), 400, "give html"),
        (json(r#"{"html": 1}"#), 400, "string"),
        (json(r#"{"html": "", "page": ""}"#), 400, "unknown field `page`"),
        (json(r#"{"html": "", "options": {"technik": "x"}}"#), 400, "unknown field `technik`"),
        (json(r#"{"html": "", "options": {"set": {"range": []}}}"#), 400, "range"),
        (json(r#"{"html": "", "boxes": {}}"#), 400, "segments"),
        (json(r#"{"url": "https://example.org/"}"#), 403, "--fetch"),
        (json(r#"{"html": "", "url": "nowhere"}"#), 400, "absolute address"),
        (page("/v1/extract?technique=nobody"), 400, "/v1/techniques"),
        (page("/v1/extract?technique=temex"), 400, "temex"),
        (page("/v1/extract?set=range"), 400, "PARAMETER=VALUE"),
        (page("/v1/extract?technique=ccb&set=range=much"), 400, "`much`"),
        (page("/v1/extract?technique=ccb&set=size=1"), 400, "size"),
        (page("/v1/extract?favor=everything"), 400, "everything"),
        (page("/v1/extract?include=pictures"), 400, "images"),
        (page("/v1/extract?include=links&exclude=links"), 400, "links"),
        (page("/v1/menu?include=links"), 400, "extract"),
        (page("/v1/extract?title=twice"), 400, "twice"),
        (page("/v1/extract?format=pdf"), 400, "markdown"),
        (page("/v1/extract?fields=sender"), 400, "sender"),
        (page("/v1/extract?fields=title&format=text"), 400, "json or csv"),
        (page("/v1/extract?metadata&format=text"), 400, "Markdown"),
        (page("/v1/extract?explain=perhaps"), 400, "perhaps"),
        (page("/v1/extract?charset=klingon"), 400, "klingon"),
        (page("/v1/extract?url=here"), 400, "absolute address"),
        (page("/v1/extract?colour=red"), 400, "colour"),
        (page("/v1/extract?colour=red"), 400, "`url`"),
        (service.post("/v1/extract?url=https://example.org/", b""), 403, "--fetch"),
        (page("/v1/extract?show=menu"), 400, "sites"),
        (page("/v1/segment?technique=auto"), 400, "dom-blocks"),
        (page("/v1/segment?explain"), 400, "explain"),
        (page("/v1/segment?format=markdown"), 400, "annotated"),
        (kind("image/png"), 415, "text/html"),
        (service.ask("POST", "/v1/extract", &[("Content-Encoding", "gzip")], b"x"), 415, "Content-Encoding"),
        (service.post("/v1/extract", &vec![b'a'; 100_001]), 413, "--max-bytes"),
        (service.get("/v1/extract"), 405, "openapi"),
        (service.get("/v1/nothing"), 404, "openapi"),
        (service.get("/v1/sites/example.org"), 404, "pages"),
        (service.ask("POST", "/v1/extract", &[("Host", "evil.example")], b"x"), 421, "evil.example"),
        (service.ask("POST", "/v1/extract", &[("Origin", "https://evil.example")], b"x"), 403, "evil.example"),
        (service.ask("POST", "/v1/extract", &[("Origin", "null")], b"x"), 403, "null"),
        (
            service.ask("GET", "/v1/techniques", &[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")], b""),
            403,
            "another site",
        ),
    ] {
        assert_eq!(reply.status, status, "{says}: {reply:?}");
        assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{says}");
        let problem = reply.json();
        assert_eq!(problem["status"], status);
        assert!(problem["type"].as_str().unwrap().starts_with("urn:unchaff:"));
        assert!(problem["detail"].as_str().unwrap().contains(says), "{says}: {problem}");
    }
    for odd in [&b""[..], b"\0\xff\xfe", b"<", b"<title>", &[b'<'; 5000]] {
        assert_eq!(service.post("/v1/extract", odd).status, 200);
        assert_eq!(service.post("/v1/segment", odd).status, 200);
    }
    service.ended();
}

#[test]
fn the_token_is_asked_for_where_something_is_told() {
    let service = start(Options { token: Some("open sesame".to_owned()), ..options() });
    let with = |value: &str| service.ask("GET", "/v1/techniques", &[("Authorization", value)], b"").status;
    assert_eq!(service.get("/v1/techniques").status, 401);
    assert_eq!(service.get("/metrics").status, 401);
    assert_eq!(service.get("/read?url=https://example.org/").status, 401);
    assert!(service.get("/v1/techniques").header("www-authenticate").is_some_and(|said| said.contains("Bearer")));
    // "x:open sesame", as browsers send what one types.
    assert_eq!((with("Bearer open sesame"), with("Basic eDpvcGVuIHNlc2FtZQ==")), (200, 200));
    for wrong in ["Bearer open", "Bearer ", "open sesame", "Basic b3Blbg==", "Bearer open sesame2"] {
        assert_eq!(with(wrong), 401, "{wrong}");
    }
    assert_eq!((service.get("/health").status, service.get("/").status), (200, 200));
    service.ended();
}

#[test]
fn it_tells_what_it_did() {
    let service = start(options());
    service.post("/v1/extract", LIGHTHOUSE);
    service.post("/v1/extract?format=pdf", b"x");
    service.get("/v1/sites/somebody-s-secret");
    let text = service.get("/metrics").text().to_owned();
    for line in [
        "unchaff_requests_total{route=\"/v1/extract\",status=\"200\"} 1",
        "unchaff_requests_total{route=\"/v1/extract\",status=\"400\"} 1",
        "unchaff_requests_total{route=\"/v1/sites/{name}\",status=\"404\"} 1",
        "unchaff_requests_in_flight 1",
        "unchaff_request_seconds_count 3",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
    assert!(!text.contains("secret"));
    assert_eq!(service.get("/health").text(), "ok\n");
    let techniques = service.get("/v1/techniques").json();
    let names: Vec<&str> = techniques["techniques"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(["auto", "temex", "vips"].iter().all(|name| names.contains(name)), "{names:?}");
    service.ended();
}

#[test]
fn the_complement_of_any_block_is_what_the_block_leaves() {
    let service = start(options());
    let text = |path: &str| {
        let reply = service.post(path, LIGHTHOUSE);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.text().to_owned()
    };
    let words = |path: &str| text(path).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for block in ["extract", "menu", "template"] {
        let (own, rest) = (words(&format!("/v1/{block}?format=text")), words(&format!("/v1/{block}?format=text&complement")));
        assert!(!own.is_empty() && !rest.is_empty() && own != rest, "{block}");
        let record: serde_json::Value = serde_json::from_str(&text(&format!("/v1/{block}?complement=true"))).unwrap();
        assert_eq!(record["complement"], true);
        for format in ["markdown", "html", "hidden", "deleted", "skeleton", "ranges", "highlighted", "replaced"] {
            let (own, rest) =
                (text(&format!("/v1/{block}?format={format}")), text(&format!("/v1/{block}?format={format}&complement=1")));
            assert_ne!(own, rest, "{block} as {format}");
        }
    }
    let json = service.post_json("/v1/extract", &json!({"html": "<nav>Home</nav><p>It rained all day, and the river rose to the doors.</p>", "options": {"complement": true, "format": "text"}}));
    assert!(json.status == 200 && !json.text().contains("rained"), "{}", json.text());
    assert_eq!(service.post("/v1/extract?complement=maybe", LIGHTHOUSE).status, 400);
    assert_eq!(service.post("/v1/segment?complement", LIGHTHOUSE).status, 400);
    service.ended();
}
