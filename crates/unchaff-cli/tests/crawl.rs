//! The crawl command against a server on this machine.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A server of endless pages `/0`, `/1`, …, each with a link to the next.
fn serve() -> String {
    serve_pages(|number| format!("<a href=/{}>next</a>", number + 1))
}

/// A server of pages with numbers; it ends with the process.
fn serve_pages(page: fn(u32) -> String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while reader.read_line(&mut head).is_ok_and(|length| length > 2) {}
            let number = head.split(' ').nth(1).and_then(|path| path.trim_start_matches('/').parse::<u32>().ok());
            let answer = match number {
                Some(number) => format!("200 OK\r\nContent-Type: text/html\r\n\r\n{}", page(number)),
                None => "404 Not Found\r\n\r\n".to_owned(),
            };
            let _ = write!(stream, "HTTP/1.1 {}", answer.replacen("\r\n", "\r\nConnection: close\r\n", 1));
        }
    });
    address
}

fn crawl(url: &str, archive: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unchaff"));
    command.args(["crawl", url, "--delay", "0", "-o"]).arg(archive).args(more).stdin(Stdio::null());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn pages(archive: &Path) -> usize {
    let mut reader = unchaff_source::WarcReader::open(archive).unwrap();
    let count = reader.by_ref().count();
    assert!(reader.warnings().is_empty(), "{:?}", reader.warnings());
    count
}

#[test]
fn a_crawl_ends_at_its_limit_and_goes_on_from_there() {
    let server = serve();
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("site.warc.gz");
    let start = format!("{server}/0");
    let output = crawl(&start, &archive, &["--allow-private", "--max-pages", "3"]).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{}", said(&output));
    assert!(said(&output).contains("3 pages in") && said(&output).contains("1 addresses are left"), "{}", said(&output));
    assert_eq!(pages(&archive), 3);
    let output = crawl(&start, &archive, &["--allow-private", "--max-pages", "5"]).output().unwrap();
    assert!(said(&output).contains("5 pages, 3 from before"), "{}", said(&output));
    assert_eq!(pages(&archive), 5);
    let output = crawl(&start, &folder.path().join("b.warc.gz"), &["--allow-private", "--depth", "1"]).output().unwrap();
    assert!(said(&output).contains("2 pages in"), "{}", said(&output));
}

#[test]
fn a_private_address_and_what_is_no_address_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("site.warc.gz");
    let output = crawl(&serve(), &archive, &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("--allow-private"), "{}", said(&output));
    let output = crawl("example.org", &archive, &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("not a web address"), "{}", said(&output));
    let output = crawl("https://example.org", &archive, &["--delay", "-1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_valid_archive() {
    let server = serve();
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("site.warc.gz");
    let mut child = crawl(&format!("{server}/0"), &archive, &["--allow-private", "--max-pages", "1000000"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(&archive).map_or(0, |file| file.len()) < 3000 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(1), "stopped, and says so");
    assert!(pages(&archive) > 0);
}

#[test]
fn a_page_alone_is_enough_to_learn_its_site() {
    let server = serve_pages(|number| {
        let menu: String = (0..5).map(|other| format!("<li><a href=/{other}>Section number {other}</a>")).collect();
        let words = ["river", "bridge", "harbour", "winter", "castle"];
        let word = |at: u32| words[((number * 3 + at * (number + 2)) % 5) as usize];
        let text: String = (0..60).map(|at| format!("{} ", word(at))).collect();
        format!("<title>{number}</title><div id=top><ul>{menu}</ul></div><div id=main><h1>Page {number}</h1><p>{text}.</p></div>")
    });
    let extract = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unchaff"));
        command.arg("extract").args(arguments).stdin(Stdio::null()).output().unwrap()
    };
    let output = extract(&[&format!("{server}/1"), "--bootstrap", "--allow-private", "--set", "enough=3", "-f", "json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", said(&output));
    assert!(text.contains("# Page 1") && !text.contains("Section") && !text.contains("alone"), "{text}");
    let output = extract(&["page.html", "--bootstrap"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("--site"), "{}", said(&output));
}

#[test]
fn a_crawl_goes_on_to_a_site_that_is_linked_to() {
    let other = serve();
    let start = other.replace("127.0.0.1", "localhost") + "/7";
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while reader.read_line(&mut head).is_ok_and(|length| length > 2) {}
            let answer = match head.split(' ').nth(1) {
                Some("/") => {
                    format!("200 OK\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n<a href={start}>elsewhere</a>")
                }
                _ => "404 Not Found\r\nConnection: close\r\n\r\n".to_owned(),
            };
            let _ = write!(stream, "HTTP/1.1 {answer}");
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("sites.warc.gz");
    let output = crawl(&address, &archive, &["--allow-private", "--follow-sites", "1", "--site-pages", "2"]).output().unwrap();
    assert!(said(&output).contains("3 pages of 2 sites in"), "{}", said(&output));
    assert_eq!(pages(&archive), 3);
}

#[test]
fn what_is_no_template_is_told_while_the_crawl_goes_on() {
    let server = serve_pages(|number| {
        format!(
            "<ul><li>The weather</ul><div><p>On day {number} it rained.</p></div><form><a href=/{}>The next day</a></form>",
            number + 1
        )
    });
    let folder = tempfile::tempdir().unwrap();
    let (archive, lines) = (folder.path().join("site.warc.gz"), folder.path().join("pages.jsonl"));
    let run = |pages: &str| {
        let more = ["--allow-private", "--max-pages", pages, "--templates", lines.to_str().unwrap()];
        let output = crawl(&format!("{server}/0"), &archive, &more).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let text = std::fs::read_to_string(&lines).unwrap();
        text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()).collect::<Vec<_>>()
    };
    let some = run("3");
    let texts: Vec<String> =
        some.iter().map(|line| line["text"].as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(texts, ["- The weather On day 0 it rained. The next day", "On day 1 it rained.", "On day 2 it rained."]);
    assert_eq!(some.iter().map(|line| line["known_pages"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
    // Going on begins with what is archived, so the lines are those of one run.
    let more = run("5");
    assert_eq!((&more[..3], more.len()), (&some[..], 5));
}
