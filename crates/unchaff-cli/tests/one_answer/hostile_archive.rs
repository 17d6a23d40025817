//! An archive is other people's: its names must not lead anywhere.

use crate::{article, sentence};
use assert_cmd::Command;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use unchaff::ExtractionRecord;
use unchaff_job::FinishedSite;
use unchaff_source::{Url, WarcReader};

/// A record as a crawler writes it, with whatever address.
fn html(url: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    let head = "Content-Type: application/http; msgtype=response\r\n";
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n{head}Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn hostile() -> Vec<String> {
    let mut urls: Vec<String> =
        ["http://../evil.html", "http://sites/x.html", "http://con/", "http://a%2f..%2fb/"].map(str::to_owned).to_vec();
    let hosts = [
        "sites.jsonl",
        "sites.origin",
        "SITES.JSONL.example",
        ".",
        "...",
        "%2e%2e",
        "..%5c..",
        "nul",
        "aux.example",
        "com1",
        "-rf",
        "~",
        "a..b",
        "[::1]",
        "10.0.0.1",
        "..example",
        "sites.",
        "lpt9.jsonl",
        "xn--4gbrim",
        "名.example",
        "a_b.example",
        "$(id).example",
        "a:80@b.example",
    ];
    let long = "l".repeat(400);
    let paths = [
        "/../../evil.html",
        "/%2e%2e/%2e%2e/evil.html?1",
        "/..%2f..%2fevil.html",
        "//etc/passwd",
        "/%5c..%5cevil.html",
        "/con/nul.html",
        "/a%00b.html",
        "/a%0ab.html",
        "/../sites.jsonl",
        "/sites.jsonl/x",
        "/.hidden/x",
        "/~/.ssh/x",
        "/?../../../evil",
        "/a.html/b.html",
        "/C:%5cevil.html",
    ];
    for host in hosts {
        urls.extend(paths.iter().map(|path| format!("http://{host}{path}")));
        urls.push(format!("http://{host}/{long}/{long}/{long}/{long}.html"));
    }
    urls.push(format!("http://{}/x.html", "h".repeat(600)));
    urls.push(format!("http://{}/x.html", "../".repeat(9)));
    assert!(urls.len() > 204);
    urls
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .flat_map(|entry| match entry.file_type().unwrap() {
            kind if kind.is_dir() => files(&entry.path()),
            kind => {
                assert!(kind.is_file(), "{:?}", entry.path());
                BTreeSet::from([entry.path()])
            }
        })
        .collect()
}

/// An archive of hostile addresses, deep in a folder, and the numbers of the pages that can be read from it.
struct Hostile {
    folder: tempfile::TempDir,
    pages: Vec<usize>,
}

impl Hostile {
    fn new() -> Hostile {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().join("a/b/c");
        fs::create_dir_all(&here).unwrap();
        // Of an address that others are written like, the first counts.
        let (mut seen, mut pages, mut archive) = (HashSet::new(), Vec::new(), String::new());
        for (number, url) in hostile().iter().enumerate() {
            archive += &html(url, &article(number));
            if Url::parse(url).is_ok_and(|url| seen.insert(url)) {
                pages.push(number);
            }
        }
        fs::write(here.join("x.warc"), &archive).unwrap();
        assert_eq!(WarcReader::open(&here.join("x.warc")).unwrap().map(|page| page.url).collect::<HashSet<_>>(), seen);
        assert!(pages.len() > 204, "{}", pages.len());
        Hostile { folder, pages }
    }

    fn here(&self) -> PathBuf {
        self.folder.path().join("a/b/c")
    }

    /// Writes all sites to `deep/out`, twice; what is there then, and nowhere else.
    fn run(&self, format: &str) -> Vec<PathBuf> {
        for _ in 0..2 {
            let mut command = Command::new(env!("CARGO_BIN_EXE_unchaff"));
            let output =
                command.args(["site", "x.warc", "-o", "deep/out", "-f", format]).current_dir(self.here()).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let all = files(self.folder.path());
        let (inside, outside): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|file| file.starts_with(self.here().join("deep/out")));
        assert_eq!(outside, [self.here().join("x.warc")]);
        inside
    }

    fn is_ours(&self, file: &Path) -> bool {
        ["sites.jsonl", "sites.origin"].iter().any(|name| file == self.here().join("deep/out").join(name))
    }

    /// The notes are all ours, and tell all sites and pages, each once.
    fn check_notes(&self) -> usize {
        let notes = fs::read_to_string(self.here().join("deep/out/sites.jsonl")).unwrap();
        let notes: Vec<FinishedSite> = notes.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(notes.iter().map(|note| &note.site).collect::<HashSet<_>>().len(), notes.len());
        assert_eq!(
            notes.iter().map(|note| (note.pages, note.failed)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1)),
            (self.pages.len(), 0)
        );
        for site in ["..", "sites", "con", "sites.jsonl"] {
            assert!(notes.iter().any(|note| note.site == site) || Url::parse(&format!("http://{site}/")).is_err(), "{site}");
        }
        notes.len()
    }
}

#[test]
fn lines_of_hostile_sites_stay_in_the_folder_and_have_their_words() {
    let hostile = Hostile::new();
    let written = hostile.run("json");
    // Ours are the notes, and what the results are of.
    assert_eq!(written.len(), hostile.check_notes() + 2);
    let lines: String =
        written.iter().filter(|file| !hostile.is_ours(file)).map(|file| fs::read_to_string(file).unwrap()).collect();
    let texts: Vec<String> = lines.lines().map(|line| serde_json::from_str::<ExtractionRecord>(line).unwrap().text).collect();
    assert_eq!(texts.len(), hostile.pages.len());
    for number in &hostile.pages {
        let with: Vec<_> = texts.iter().filter(|text| text.contains(&sentence(*number))).collect();
        assert!(!with.is_empty(), "{}", self::hostile()[*number]);
    }
}

#[test]
fn files_of_hostile_sites_stay_in_the_folder_and_have_their_words() {
    let hostile = Hostile::new();
    let written = hostile.run("html");
    hostile.check_notes();
    let texts: Vec<String> =
        written.iter().filter(|file| !hostile.is_ours(file)).map(|file| fs::read_to_string(file).unwrap()).collect();
    assert_eq!(texts.len(), hostile.pages.len());
    for number in &hostile.pages {
        assert!(texts.iter().any(|text| text.contains(&sentence(*number))), "{}", self::hostile()[*number]);
    }
}
