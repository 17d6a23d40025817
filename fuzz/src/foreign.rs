//! What is no page but comes from others: archives, boxes, models, exports, rules of hosts, selectors.

use std::path::PathBuf;
use std::sync::LazyLock;
use unchaff::dom::select::Selector;
use unchaff::{Page, SiteModel};
use unchaff_segment::layout::Layout;
use unchaff_source::{Input, Reading, Robots, Url, WarcReader, pages};
use unchaff_store::{Exported, ExportedModel, TemplateStore};

/// A page to apply things to.
static PAGE: LazyLock<Page> = LazyLock::new(|| {
    let html = "<body class=a><div id=x><p class='b c' title='d e'>One <b>two</b></p><ul><li>1<li>2<li>3</ul></div><svg><g/></svg><a href=/x>y</a></body>";
    unchaff::Parser::new().url("https://example.org/").parse(html)
});

pub fn selector(bytes: &[u8]) {
    let Ok(selector) = Selector::parse(&String::from_utf8_lossy(bytes)) else { return };
    let found: Vec<_> = PAGE.select(&selector).collect();
    assert!(found.iter().all(|node| PAGE.matches(*node, &selector)));
}

pub fn boxes(bytes: &[u8]) {
    let Ok(layout) = Layout::from_json(bytes) else { return };
    assert_eq!(Layout::from_json(layout.to_json().as_bytes()).expect("what is written can be read"), layout);
    for entry in unchaff_segment::registry::all() {
        let _ = entry.default_technique().segment(&PAGE, &layout);
    }
}

/// Something valid with some of its bytes changed: two bytes tell where, one how. Bytes as they are would hardly ever be valid.
fn damaged(valid: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = valid.to_vec();
    for edit in edits.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % bytes.len();
        bytes[at] ^= edit[2];
    }
    bytes
}

static MODEL: LazyLock<Vec<u8>> = LazyLock::new(|| SiteModel::learn([&*PAGE]).to_bytes());

pub fn model(bytes: &[u8]) {
    let Ok(model) = SiteModel::from_bytes(&damaged(&MODEL, bytes)) else { return };
    let written = model.to_bytes();
    let mut again = SiteModel::from_bytes(&written).expect("what is written can be read");
    let _ = model.detect(&PAGE);
    again.merge(model);
    assert_eq!(again.to_bytes(), written);
}

static EXPORT: LazyLock<String> = LazyLock::new(|| {
    let model = SiteModel::learn([&*PAGE]);
    let (site, time) = ("example.org".to_owned(), "2026-01-02T03:04:05Z".to_owned());
    Exported::Model(ExportedModel { site, model, created: time.clone(), learned: time }).to_json()
});

/// A line of an export: bytes as they are, or one that was valid.
pub fn import(bytes: &[u8]) {
    let line = if bytes.starts_with(b"{") { bytes.to_vec() } else { damaged(EXPORT.as_bytes(), bytes) };
    let Ok(exported) = Exported::parse(&String::from_utf8_lossy(&line)) else { return };
    let again = Exported::parse(&exported.to_json()).expect("what is written can be read");
    assert_eq!(again.to_json(), exported.to_json());
    let mut store = TemplateStore::in_memory().expect("memory is there");
    store.import(&exported).expect("what was read can be stored");
}

/// A file of this process, where nothing else is that a line of JSON could name.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let base = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let folder = base.join(format!("unchaff-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder.join("file")
});

/// A file that is named on the command line: packed in whatever way, an archive of any kind, lines of JSON, a list of addresses, a sitemap, a feed.
pub fn file(bytes: &[u8]) {
    // What a line of JSON names is read, which may be anything of this machine.
    if bytes.windows(5).any(|word| word == b"\"path" || word == b"\"file") {
        return;
    }
    std::fs::write(&*FILE, bytes).expect("the file can be written");
    let reading = Reading { max_bytes: 1 << 16, ..Reading::default() };
    let mut count = 0;
    for page in pages(&[&*FILE], reading).filter_map(Result::ok) {
        if let Input::Held(held) = &page.input {
            assert!(held.bytes.len() <= 1 << 16);
        }
        assert!(page.relative.components().all(|part| matches!(part, std::path::Component::Normal(_))), "{:?}", page.relative);
        count += 1;
        if count == 100 {
            return;
        }
    }
}

/// An archive as it is.
pub fn warc(bytes: &[u8]) {
    let Ok(mut archive) = WarcReader::new(bytes) else { return };
    archive = archive.max_bytes(1 << 16);
    let mut size = 0;
    for page in archive.by_ref() {
        assert!(page.bytes.len() <= 1 << 16);
        size += page.bytes.len();
        if size > 1 << 20 {
            return;
        }
        let _ = page.url.as_str();
    }
    assert!(archive.warnings().len() <= 101);
}

/// An answer of a server in an archive, whose head and encodings the first byte chooses.
pub fn encoding(bytes: &[u8]) {
    let Some((first, body)) = bytes.split_first() else { return };
    const ENCODINGS: [&str; 6] = ["gzip", "deflate", "br", "gzip, br", "deflate, gzip", "x-gzip, deflate, br"];
    let encoding = ENCODINGS[usize::from(first & 0x7f) % ENCODINGS.len()];
    let chunked = if first & 0x80 == 0 { "" } else { "Transfer-Encoding: chunked\r\n" };
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: {encoding}\r\n{chunked}\r\n");
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{head}",
        head.len() + body.len()
    );
    warc(&[record.as_bytes(), body, b"\r\n\r\n"].concat());
}

pub fn robots(bytes: &[u8]) {
    let robots = Robots::parse(bytes, "unchaff");
    for path in ["", "a/b?c=d", "robots.txt", "%7e/ä*$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"] {
        let _ = robots.allows(&Url::parse("https://example.org/").and_then(|base| base.join(path)).expect("an address"));
    }
    let _ = robots.delay();
}
