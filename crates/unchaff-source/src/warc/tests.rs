use proptest::prelude::*;

use super::*;
use crate::content_encoding::tests::gzip;

/// A record with these header lines and this block.
pub(crate) fn record(kind: &str, url: &str, headers: &str, block: &[u8]) -> Vec<u8> {
    let mut record =
        format!("WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n{headers}Content-Length: {}\r\n\r\n", block.len())
            .into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

pub(crate) fn response(url: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let mut block = format!("HTTP/1.1 200 OK\r\n{headers}\r\n").into_bytes();
    block.extend_from_slice(body);
    record("response", url, "Content-Type: application/http; msgtype=response\r\n", &block)
}

pub(crate) fn html(url: &str, body: &str) -> Vec<u8> {
    response(url, "Content-Type: text/html\r\n", body.as_bytes())
}

pub(crate) fn redirect(url: &str, to: &str) -> Vec<u8> {
    record("response", url, "", format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\n\r\n").as_bytes())
}

/// The pages as `path text`, and the warnings.
fn pages(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let mut reader = WarcReader::new(bytes).unwrap().max_bytes(10_000);
    let pages = reader.by_ref().map(|page| format!("{} {}", page.url.path(), String::from_utf8_lossy(&page.bytes))).collect();
    (pages, reader.warnings().to_vec())
}

fn archive() -> Vec<Vec<u8>> {
    vec![
        record("warcinfo", "", "", b"software: test\r\n"),
        record("request", "http://e.org/1", "", b"GET /1 HTTP/1.1\r\n\r\n"),
        html("http://e.org/1", "<p>one"),
        response("http://e.org/logo.png", "Content-Type: image/png\r\n", b"\x89PNG"),
        record("metadata", "http://e.org/1", "", b"fetchTimeMs: 3"),
        redirect("http://e.org/old", "/1"),
        record("revisit", "http://e.org/1", "", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"),
        record("response", "http://e.org/404", "", b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>gone"),
        record("resource", "<http://e.org/2>", "Content-Type: text/html; charset=x\r\n", b"<p>two"),
        response("http://e.org/3", "", b" <!DOCTYPE html><p>three"),
        response("http://e.org/4", "", b"just text"),
        record("response", "dns:e.org", "", b"1.2.3.4"),
        response("http://e.org/5", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", &gzip(b"<p>five")),
    ]
}

const EXPECTED: [&str; 4] = ["/1 <p>one", "/2 <p>two", "/3  <!DOCTYPE html><p>three", "/5 <p>five"];

#[test]
fn pages_are_read_however_the_file_is_packed() {
    let records = archive();
    let by_record: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    for bytes in [records.concat(), by_record, gzip(&records.concat())] {
        assert_eq!(pages(&bytes), (EXPECTED.map(str::to_owned).to_vec(), vec![]));
    }
    assert_eq!(pages(b""), (vec![], vec![]));
}

#[test]
fn each_page_can_be_read_again_from_its_location() {
    let records = archive();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    let by_record: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    for bytes in [records.concat(), by_record, gzip(&records.concat())] {
        std::fs::write(&path, bytes).unwrap();
        let mut reader = WarcReader::open(&path).unwrap();
        let mut count = 0;
        while let Some(captured) = reader.next_captured() {
            let mut again = WarcReader::open_at(&path, captured.location).unwrap();
            let found = again.next_captured().unwrap();
            assert_eq!(
                (&found.url, found.location.member, &found.kind),
                (&captured.url, captured.location.member, &captured.kind)
            );
            assert_eq!(again.page(&found), reader.page(&captured));
            count += 1;
        }
        assert_eq!(count, 8);
    }
}

#[test]
fn a_file_that_is_cut_off_gives_all_that_comes_before() {
    let records = archive();
    let plain = records.concat();
    let packed: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    let last = gzip(records.last().unwrap()).len();
    // Of the second only the check sum is missing, not the page.
    let cuts = [(&plain[..plain.len() - 10], 3), (&packed[..packed.len() - 1], 4), (&packed[..packed.len() - last + 5], 3)];
    for (bytes, pages) in cuts {
        let mut reader = WarcReader::new(bytes).unwrap();
        assert_eq!(reader.by_ref().count(), pages);
        assert!(reader.truncated());
        assert!(reader.warnings()[0].contains("ends inside a record"), "{:?}", reader.warnings());
    }
}

#[test]
fn garbage_between_records_is_passed_over_with_a_warning() {
    let (one, two) = (html("http://e.org/1", "<p>one"), html("http://e.org/2", "<p>two"));
    let plain = [b"junk\0\xff\n".to_vec(), one.clone(), b"more junk\n".to_vec(), two.clone(), b"end".to_vec()].concat();
    let packed = [gzip(&one), b"junk".to_vec(), gzip(b"no record"), gzip(&two), b"end".to_vec()].concat();
    for bytes in [plain, packed] {
        let (pages, warnings) = pages(&bytes);
        assert_eq!(pages, ["/1 <p>one", "/2 <p>two"]);
        assert!(!warnings.is_empty() && warnings.iter().all(|warning| warning.contains("no record")), "{warnings:?}");
    }
}

#[test]
fn records_that_make_no_sense_do_not_end_the_reading() {
    let last = html("http://e.org/last", "<p>last");
    for bad in [
        &b"WARC/1.0\r\nWARC-Type: response\r\n\r\nno length\r\n\r\n"[..],
        b"WARC/1.0\r\nContent-Length: -5\r\n\r\n",
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.org/x\r\nContent-Length: 7\r\n\r\nno HTTP\r\n\r\n",
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: nonsense\r\nContent-Length: 2\r\n\r\nno\r\n\r\n",
    ] {
        assert_eq!(pages(&[bad, &last].concat()).0, ["/last <p>last"]);
    }
}

#[test]
fn a_page_over_the_limit_is_passed_over() {
    let large = html("http://e.org/large", &"a".repeat(10_001));
    let bomb = response("http://e.org/bomb", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", &gzip(&[0; 1 << 20]));
    let (pages, warnings) = pages(&[large, bomb, html("http://e.org/1", "<p>one")].concat());
    assert_eq!(pages, ["/1 <p>one"]);
    assert_eq!(warnings.len(), 2);
    assert!(warnings[0].contains("http://e.org/large"), "{warnings:?}");
}

#[test]
fn the_charset_of_the_server_is_believed() {
    let record = response("http://e.org/", "Content-Type: text/html; charset=windows-1251\r\n", b"<p>\xcf\xf0\xe8\xe2\xe5\xf2");
    let page = WarcReader::new(&record[..]).unwrap().next().unwrap().parse();
    assert_eq!(page.text(page.body().unwrap()), "Привет");
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0usize..2000, packed: bool) {
        let mut whole: Vec<u8> = archive().iter().flat_map(|record| if packed { gzip(record) } else { record.clone() }).collect();
        let at = at.min(whole.len());
        whole.splice(at..at, bytes);
        let _ = pages(&whole);
        let _ = pages(&whole[..at]);
    }
}

#[test]
fn a_record_with_a_wrong_length_costs_itself_alone_however_the_file_is_packed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    let good = |number: usize| html(&format!("http://e.org/{number}"), &format!("<p>good {number}"));
    let lying = |more: u64| {
        let honest = String::from_utf8(html("http://e.org/lie", "<p>lie")).unwrap();
        let length = honest.split("Content-Length: ").nth(1).unwrap().split('\r').next().unwrap();
        let said = (length.parse::<u64>().unwrap() + more).to_string();
        honest.replace(&format!("Content-Length: {length}"), &format!("Content-Length: {said}")).into_bytes()
    };
    for more in [7, 60, 400, 100_000, 1 << 40, u64::MAX / 2] {
        let mut records = vec![good(0), lying(more)];
        records.extend((1..6).map(good));
        let by_record: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        for (packed, bytes) in [("plain", records.concat()), ("by record", by_record), ("stream", gzip(&records.concat()))] {
            std::fs::write(&path, &bytes).unwrap();
            let mut reader = WarcReader::open(&path).unwrap();
            let found: Vec<String> = reader.by_ref().map(|page| String::from_utf8_lossy(&page.bytes).into_owned()).collect();
            let expected: Vec<String> = (0..6).map(|number| format!("<p>good {number}")).collect();
            assert_eq!(found, expected, "{packed} {more}");
            assert!(reader.warnings().iter().any(|warning| warning.contains("length is not what it says")), "{packed} {more}");
            let mut reader = WarcReader::open(&path).unwrap();
            while let Some(captured) = reader.next_captured() {
                let mut again = WarcReader::open_at(&path, captured.location).unwrap();
                assert_eq!(again.next_captured().unwrap().url, captured.url, "{packed} {more}");
            }
            let (found, warnings) = pages(&bytes);
            assert!(found.len() == 6 && !warnings.is_empty(), "{packed} {more}");
        }
    }
}

#[test]
fn a_page_that_looks_like_records_is_a_page() {
    let inner = String::from_utf8(html("http://bank.example/", "<p>forged")).unwrap();
    let page = html("http://e.org/1", &format!("<pre>\n{inner}\n{inner}</pre>"));
    let records = [page.clone(), html("http://e.org/2", "<p>two"), page];
    let by_record: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    for bytes in [records.concat(), by_record, gzip(&records.concat())] {
        let (pages, warnings) = pages(&bytes);
        let paths: Vec<&str> = pages.iter().map(|page| &page[..2]).collect();
        assert_eq!((paths, warnings), (vec!["/1", "/2", "/1"], vec![]));
        assert!(pages[0].ends_with("</pre>"));
    }
}

#[test]
fn a_file_of_wrong_lengths_is_read_in_bounded_time() {
    let lie = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999\r\n\r\n";
    let bytes = lie.repeat(20_000);
    let mut reader = WarcReader::new(bytes.as_bytes()).unwrap();
    assert_eq!(reader.by_ref().count(), 0);
    assert!(reader.warnings().len() > 10 && reader.records() <= 100, "{}", reader.records());
}
