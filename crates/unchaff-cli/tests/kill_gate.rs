//! What is killed at any moment and started again ends as if nothing had happened.
//!
//! Each job is run undisturbed, then again and again into empty places, killed at a random moment, and run to its end; what is there then is
//! compared with the undisturbed run. `UNCHAFF_KILLS` says how many moments are tried for each job (8).

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use unchaff_source::WarcReader;

/// What is there at the end, in a form that can be compared.
type Result = BTreeMap<String, String>;

/// A job that is killed and run again.
struct Gate<'g> {
    name: &'g str,
    /// The arguments, given the folder to write to.
    arguments: &'g dyn Fn(&Path) -> Vec<String>,
    /// What the folder has at the end.
    result: &'g dyn Fn(&Path) -> Result,
}

impl Gate<'_> {
    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unchaff"));
        command.args((self.arguments)(folder)).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn run(&self) {
        let kills: u32 = std::env::var("UNCHAFF_KILLS").map_or(8, |number| number.parse().expect("a number"));
        let whole = tempfile::tempdir().unwrap();
        let start = Instant::now();
        assert!(self.command(whole.path()).status().unwrap().success(), "{}", self.name);
        let time = start.elapsed();
        let expected = (self.result)(whole.path());
        assert!(!expected.is_empty());
        let mut random = 0x2026_u64;
        let (mut killed, mut with_something) = (0, 0);
        for at in 0..kills {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moment = time.mul_f64((random >> 33) as f64 / f64::from(u32::MAX >> 1));
            let folder = tempfile::tempdir().unwrap();
            let mut child = self.command(folder.path()).spawn().unwrap();
            std::thread::sleep(moment);
            killed += u32::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
            with_something += u32::from(folder.path().read_dir().unwrap().next().is_some());
            let again = self.command(folder.path()).stderr(Stdio::piped()).output().unwrap();
            let told = String::from_utf8_lossy(&again.stderr);
            assert!(again.status.success(), "{} killed after {moment:?} ({at}): {told}", self.name);
            let found = (self.result)(folder.path());
            assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{} {moment:?}", self.name);
            for (name, expected) in &expected {
                assert!(found[name] == *expected, "{} killed after {moment:?} ({at}): {name} is different", self.name);
            }
        }
        println!(
            "{}: {kills} runs of {time:?}, {killed} killed before their end, {with_something} had written something by then",
            self.name
        );
    }
}

/// All files below a folder, by path; lines in no order, for sites end when they end.
fn files(folder: &Path) -> Result {
    let mut found = Result::new();
    let mut rest = vec![folder.to_owned()];
    while let Some(path) = rest.pop() {
        if path.is_dir() {
            rest.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        let mut text = fs::read_to_string(&path).unwrap();
        if name.ends_with("sites.jsonl") {
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            text = lines.join("\n");
        }
        found.insert(name, text);
    }
    found
}

fn page(number: usize) -> String {
    let text: String =
        (0..30).map(|line| format!("<p>Line {line} of page {number} tells of rain number {}.</p>", line * number)).collect();
    format!(
        "<title>Page {number}</title><nav><a href=/0.html>First</a><a href=/{}.html>Next</a></nav><main><h1>Page {number}</h1>{text}</main>\
         <footer>Rain and Sons, all rights reserved</footer>",
        number + 1
    )
}

fn write_pages(folder: &Path, pages: usize) {
    fs::create_dir_all(folder).unwrap();
    for number in 0..pages {
        fs::write(folder.join(format!("{number}.html")), page(number)).unwrap();
    }
}

/// An archive of several sites.
fn write_archive(path: &Path, sites: usize, pages: usize) {
    let mut archive = String::new();
    for number in 0..sites * pages {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", page(number));
        let url = format!("https://site{}.example/{number}.html", number % sites);
        archive += &format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
    }
    fs::write(path, archive).unwrap();
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn words(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(ToString::to_string).collect()
}

#[test]
fn extract_to_a_folder() {
    let source = tempfile::tempdir().unwrap();
    write_pages(source.path(), 150);
    let source = text(source.path());
    let gate = Gate {
        name: "extract",
        arguments: &|folder| words(&["extract", &source, "-o", &text(&folder.join("out"))]),
        result: &files,
    };
    gate.run();
}

#[test]
fn sites_of_an_archive() {
    let source = tempfile::tempdir().unwrap();
    let archive = source.path().join("a.warc");
    write_archive(&archive, 6, 30);
    for format in ["json", "markdown"] {
        let gate = Gate {
            name: &format!("site -f {format}"),
            arguments: &|folder| words(&["site", &text(&archive), "-f", format, "-o", &text(&folder.join("out"))]),
            result: &files,
        };
        gate.run();
    }
}

#[test]
fn sites_of_an_archive_with_a_store() {
    let source = tempfile::tempdir().unwrap();
    let archive = source.path().join("a.warc");
    write_archive(&archive, 6, 30);
    let store = |folder: &Path| text(&folder.join("store.db"));
    let gate = Gate {
        name: "site --store",
        arguments: &|folder| words(&["site", &text(&archive), "-o", &text(&folder.join("out")), "--store", &store(folder)]),
        result: &|folder| {
            let mut result = files(&folder.join("out"));
            let mut command = Command::new(env!("CARGO_BIN_EXE_unchaff"));
            let exported = command.args(["store", "export", &store(folder)]).output().unwrap();
            assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
            for line in String::from_utf8(exported.stdout).unwrap().lines() {
                let mut line: Value = serde_json::from_str(line).unwrap();
                let fields = line.as_object_mut().unwrap();
                fields.retain(|name, _| !matches!(name.as_str(), "created" | "learned" | "matched"));
                result.insert(format!("store of {}", line["site"]), line.to_string());
            }
            result
        },
    };
    gate.run();
}

#[test]
fn a_crawl() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/0.html", listener.local_addr().unwrap());
    // It ends with the process.
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::sleep(Duration::from_millis(2));
            let mut head = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while reader.read_line(&mut head).is_ok_and(|length| length > 2) {}
            let number = head.split(' ').nth(1).and_then(|path| path.strip_prefix('/')?.strip_suffix(".html")?.parse().ok());
            let answer = match number {
                Some(number) if number < 60 => {
                    format!("200 OK\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n{}", page(number))
                }
                _ => "404 Not Found\r\nConnection: close\r\n\r\n".to_owned(),
            };
            let _ = write!(stream, "HTTP/1.1 {answer}");
        }
    });
    let archive = |folder: &Path| folder.join("site.warc.gz");
    let gate = Gate {
        name: "crawl",
        arguments: &|folder| words(&["crawl", &address, "--allow-private", "--delay", "0", "-o", &text(&archive(folder))]),
        result: &|folder| {
            let mut reader = WarcReader::open(&archive(folder)).unwrap();
            let mut result = Result::new();
            for page in reader.by_ref() {
                let again = result.insert(page.url.to_string(), String::from_utf8(page.bytes).unwrap());
                assert_eq!(again, None, "a page twice");
            }
            assert_eq!(reader.warnings().len(), 0, "{:?}", reader.warnings());
            result
        },
    };
    gate.run();
}

#[test]
fn a_run_of_the_workbench() {
    let suite = tempfile::tempdir().unwrap();
    let mut items = serde_json::Map::new();
    for folder in ["pages", "gold"] {
        fs::create_dir(suite.path().join(folder)).unwrap();
    }
    for number in 0..80 {
        fs::write(suite.path().join(format!("pages/{number}.html")), page(number)).unwrap();
        fs::write(suite.path().join(format!("gold/{number}.txt")), format!("Page {number}\n")).unwrap();
        items.insert(number.to_string(), json!({"split": "eval"}));
    }
    fs::write(suite.path().join("meta.json"), json!({ "items": items }).to_string()).unwrap();
    let suite = text(suite.path());
    let database = |folder: &Path| text(&folder.join("results.db"));
    let gate = Gate {
        name: "bench run",
        arguments: &|folder| words(&["bench", "run", "-s", &suite, "-t", "auto", "bte", "ccb", "--db", &database(folder)]),
        result: &|folder| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_unchaff"));
            let exported = command.args(["bench", "export", "--db", &database(folder), "--format", "jsonl"]).output().unwrap();
            assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
            let mut result = Result::new();
            for line in String::from_utf8(exported.stdout).unwrap().lines() {
                let mut line: Value = serde_json::from_str(line).unwrap();
                let fields = line.as_object_mut().unwrap();
                fields.retain(|name, _| !matches!(name.as_str(), "load_seconds" | "compute_seconds" | "seconds_per_kb"));
                let name = format!("{} {} {}", line["technique"], line["item"], line["measure"]);
                assert_eq!(result.insert(name, line.to_string()), None, "an experiment twice");
            }
            result
        },
    };
    gate.run();
}
