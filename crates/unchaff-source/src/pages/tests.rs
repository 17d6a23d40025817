use super::*;
use crate::arc::tests::arc;
use crate::content_encoding::tests::gzip;
use crate::packing::tests::{lz4, zstandard};
use std::fs;
use std::io::Write;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn record(url: &str, html: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {url}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{html}\r\n\r\n",
        html.len()
    )
}

/// What comes of arguments: `name: page` or the error.
fn listed(arguments: &[&Path], reading: Reading) -> Vec<String> {
    let one = |named: Result<Named, InputError>| match named {
        Ok(named) => {
            let given = named.given.as_deref().unwrap_or_default().to_owned();
            match &named.input {
                Input::Held(page) => {
                    format!("{} {} {given}", page.url.as_deref().unwrap_or("-"), String::from_utf8_lossy(&page.bytes))
                }
                input => format!("{} {given}", input.to_string().rsplit('/').next().unwrap()),
            }
        }
        Err(error) => format!("error: {error}"),
    };
    pages(arguments, reading).map(one).collect()
}

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
    for (number, (name, bytes)) in entries.iter().enumerate() {
        let method = if number % 2 == 0 { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn archives_are_opened_whatever_their_names_and_pages_stay_files() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let two = record("https://example.org/a", "<p>One") + &record("https://example.org/b?c", "<p>Two");
    let plain = put("odd-name", two.as_bytes());
    let packed = put("crawl.warc.gz", &gzip(two.as_bytes()));
    let page = put("page.html", b"<p>A page");
    let expected = ["https://example.org/a <p>One ", "https://example.org/b?c <p>Two "];
    assert_eq!(listed(&[&plain], Reading::default()), expected);
    assert_eq!(listed(&[&packed, &page], Reading::default()), [expected[0], expected[1], "page.html "]);
    // In a folder, names tell; this one has a page without extension that is none.
    fs::remove_file(plain).unwrap();
    assert_eq!(listed(&[folder.path()], Reading::default()), [expected[0], expected[1], "page.html "]);
    let named = pages(&[&packed], Reading::default()).next().unwrap().unwrap();
    assert_eq!(named.relative, Path::new("example.org/a"));
}

#[test]
fn zip_archives_have_pages_or_web_archives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.zip");
    let warc = record("https://example.org/a", "<p>One");
    let packed = gzip(warc.as_bytes());
    let entries: [(&str, &[u8]); 6] = [
        ("a/index.html", b"<p>Page"),
        ("style.css", b"p{}"),
        ("../outside.html", b"<p>Outside"),
        ("deep/b.htm", b"<p>Other"),
        ("archive/data.warc.gz", &packed),
        ("archive/more.warc", warc.as_bytes()),
    ];
    fs::write(&path, zipped(&entries)).unwrap();
    let found = listed(&[&path], Reading::default());
    assert_eq!(found, ["- <p>Page ", "- <p>Other ", "https://example.org/a <p>One ", "https://example.org/a <p>One "]);
    let first = pages(&[&path], Reading::default()).next().unwrap().unwrap();
    assert_eq!(first.relative, Path::new("a/index.html"));
    fs::write(&path, zipped(&[("word/document.xml", b"<w/>")])).unwrap();
    assert!(listed(&[&path], Reading::default())[0].ends_with("site.zip: there is no page in it, and no web archive"));
    fs::write(&path, b"PK\x03\x04 and nothing more").unwrap();
    assert!(listed(&[&path], Reading::default())[0].starts_with("error: "));
    let large = Reading { max_bytes: 3, ..Reading::default() };
    fs::write(&path, zipped(&[("a.html", b"<p>large")])).unwrap();
    assert!(listed(&[&path], large)[0].contains("a.html is larger than 3 bytes"));
}

#[test]
fn json_lines_hold_pages_name_files_and_addresses_and_hand_on_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("b.html"), "<p>File").unwrap();
    let lines = "{\"url\": \"https://example.org/a\", \"html\": \"<p>é\", \"id\": 7, \"tags\": [\"x\"]}\n\n\
        {\"path\": \"b.html\"}\r\n\
        {\"url\": \"https://example.org/c\", \"html\": null, \"n\": 1}\n\
        {\"html\": \"<p>Alone\"}\n\
        {\"id\": 1}\n{\"html\": 5}\nnonsense\n{\"path\": \"gone.html\"}\n{\"url\": \"nowhere\"}\n\
        {\"html\": \"<p>Last\"}";
    for (name, bytes) in [("pages.jsonl", lines.as_bytes().to_vec()), ("pages.jsonl.gz", gzip(lines.as_bytes()))] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let found = listed(&[&path], Reading::default());
        let good = [&found[..4], &found[9..]].concat();
        assert_eq!(
            good,
            ["https://example.org/a <p>é {\"id\":7,\"tags\":[\"x\"]}", "- <p>File ", "c {\"n\":1}", "- <p>Alone ", "- <p>Last "]
        );
        for (error, part) in
            found[4..9].iter().zip(["neither html", "`html` is no text", "no JSON object", "gone.html", "`nowhere`"])
        {
            assert!(error.starts_with("error: line ") && error.contains(part), "{error}");
        }
        assert!(found[4].contains("line 6 of "), "{}", found[4]);
    }
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pages.jsonl");
    let long = format!("{{\"html\": \"{}\"}}\n{{\"html\": \"<p>Next\"}}\n", "x".repeat(2 << 20));
    fs::write(&path, long).unwrap();
    let found = listed(&[&path], Reading { max_bytes: 1000, ..Reading::default() });
    assert!(found[0].contains("line 1 ") && found[0].contains("longer than"), "{}", found[0]);
    assert_eq!(found[1..], ["- <p>Next "]);
}

#[test]
fn damage_is_told_after_what_could_be_read_and_the_next_argument_follows() {
    let folder = tempfile::tempdir().unwrap();
    let (cut, pdf) = (folder.path().join("cut.warc"), folder.path().join("paper.html"));
    let whole = record("https://example.org/a", "<p>One") + &record("https://example.org/b", "<p>Two");
    fs::write(&cut, &whole[..whole.len() - 8]).unwrap();
    fs::write(&pdf, "%PDF-1.7").unwrap();
    let found = listed(&[&cut, &pdf], Reading::default());
    assert_eq!(found[0], "https://example.org/a <p>One ");
    assert!(found[1..found.len() - 1].iter().all(|error| error.starts_with("error: ")) && found.len() > 2, "{found:?}");
    assert!(found.last().unwrap().ends_with("paper.html is a PDF document, not a web page"), "{found:?}");
}

#[test]
fn archives_are_read_however_they_are_packed_and_addresses_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let (one, two) = (record("https://example.org/a", "<p>One"), record("https://example.org/b", "<p>Two"));
    let expected = ["https://example.org/a <p>One ", "https://example.org/b <p>Two "];
    let frames = [zstandard(one.as_bytes()), zstandard(two.as_bytes())].concat();
    let old = arc(&[("https://example.org/a", "<p>One"), ("https://example.org/b", "<p>Two")]);
    for (name, bytes) in [
        ("a.warc.zst", frames),
        ("a.warc.lz4", lz4((one.clone() + &two).as_bytes())),
        ("a.arc", old.clone()),
        ("a.arc.gz", gzip(&old)),
        ("a.arc.zst", zstandard(&old)),
        ("a.wacz", zipped(&[("archive/data.warc.zst", &zstandard((one.clone() + &two).as_bytes()))])),
        ("b.wacz", zipped(&[("archive/data.arc.gz", &gzip(&old))])),
    ] {
        assert_eq!(listed(&[&put(name, &bytes)], Reading::default()), expected, "{name}");
        // In folders, names tell.
        assert_eq!(listed(&[folder.path()], Reading::default()), expected, "{name} in a folder");
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let page = put("page.html.zst", &zstandard(b"<p>Packed"));
    let fetched = crate::read(&Input::File(page), &crate::Fetcher::new(Reading::default().fetch_options(false))).unwrap();
    assert_eq!(fetched.bytes, b"<p>Packed");
    let sitemap = put("sitemap.xml.gz", &gzip(b"<urlset><url><loc>https://example.org/x</loc></url></urlset>"));
    let list = put("list", b"https://example.org/1\nhttps://example.org/2\n");
    assert_eq!(listed(&[&sitemap, &list], Reading::default()), ["x ", "1 ", "2 "]);
    let none = put("none.xml", b"<rss><channel></channel></rss>");
    assert!(listed(&[&none], Reading::default())[0].contains("names no page"));
}
