//! Pages in and out as people with pipelines have them: archives, JSON lines, tables, pieces for language models.

mod running;

use running::unchaff;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const TEXT: [&str; 3] = [
    "The tide came in at four, and the ferry left an hour late because the pilot had waited for the mail from the island.",
    "Nobody on the pier believed that the lamp would burn again, but the keeper had found the old wick and trimmed it by hand.",
    "In the harbour office the clerk wrote down every name twice, once for the company and once for the widows of the town.",
];

fn page(number: usize) -> String {
    let nav: String = (0..3).map(|other| format!("<li><a href=/{other}>Page {other}</a>")).collect();
    format!(
        "<html lang=en><head><title>Story {number}</title></head><body><nav><ul>{nav}</ul></nav><main><h1>Story {number}</h1><p>{}</p>\
         <h2>What followed</h2><p>{} <a href=https://example.com/more>More of it</a> was told in the spring of that year.</p></main>\
         <footer>All rights reserved by the harbour office of the town</footer></body></html>",
        TEXT[number % 3],
        TEXT[(number + 1) % 3]
    )
}

fn archive(folder: &Path, name: &str, host: &str) -> PathBuf {
    let records: String = (0..3)
        .map(|number| {
            let html = page(number);
            format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://{host}/{number}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n{html}\r\n\r\n",
                html.len()
            )
        })
        .collect();
    let path = folder.join(name);
    fs::write(&path, records).unwrap();
    path
}

fn lines(folder: &Path) -> PathBuf {
    let all: String = (0..3)
        .map(|number| {
            json!({"url": format!("https://example.org/{number}"), "html": page(number), "id": number}).to_string() + "\n"
        })
        .collect();
    let path = folder.join("pages.jsonl");
    fs::write(&path, all).unwrap();
    path
}

fn values(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn an_archive_and_json_lines_have_the_same_pages_and_fields_say_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (warc, jsonl) = (archive(folder.path(), "a.warc", "example.org"), lines(folder.path()));
    let of = |path: &Path| unchaff(&["extract", path.to_str().unwrap(), "--fields", "url,title,text"]);
    let (archived, listed) = (of(&warc), of(&jsonl));
    assert_eq!((archived.code, listed.code, archived.err.as_str()), (0, 0, ""));
    let (archived, listed) = (values(&archived.out), values(&listed.out));
    assert_eq!(archived.len(), 3);
    for (number, (archived, listed)) in archived.iter().zip(&listed).enumerate() {
        assert_eq!(archived["title"], format!("Story {number}"));
        let text = archived["text"].as_str().unwrap();
        assert!(text.contains(TEXT[number]) && !text.contains("All rights reserved"), "{text}");
        assert_eq!((&archived["url"], &archived["text"]), (&listed["url"], &listed["text"]));
        assert_eq!(archived.as_object().unwrap().len(), 3);
        assert_eq!(listed["given"], json!({"id": number}));
    }
}

#[test]
fn a_table_has_a_line_for_each_page() {
    let folder = tempfile::tempdir().unwrap();
    let done = unchaff(&["extract", lines(folder.path()).to_str().unwrap(), "-f", "csv", "--fields", "url,title,language"]);
    assert_eq!(
        done.out,
        "url,title,language\r\nhttps://example.org/0,Story 0,en\r\nhttps://example.org/1,Story 1,en\r\nhttps://example.org/2,Story 2,en\r\n"
    );
}

#[test]
fn pieces_are_no_longer_than_asked_and_know_their_headings() {
    let folder = tempfile::tempdir().unwrap();
    let jsonl = lines(folder.path());
    let whole = values(&unchaff(&["extract", jsonl.to_str().unwrap(), "--fields", "markdown"]).out);
    let done = unchaff(&["extract", jsonl.to_str().unwrap(), "-f", "chunks", "--max-tokens", "40"]);
    let pieces = values(&done.out);
    assert!(pieces.len() > 5, "{}", done.out);
    assert!(pieces.iter().all(|piece| piece["tokens"].as_u64().unwrap() <= 40), "{}", done.out);
    let of_first: Vec<&Value> = pieces.iter().filter(|piece| piece["url"] == "https://example.org/0").collect();
    let joined: String = of_first.iter().map(|piece| piece["markdown"].as_str().unwrap()).collect();
    assert_eq!(whole[0]["markdown"], joined);
    assert_eq!(
        (&of_first[0]["chunk"], &of_first[0]["of"], &of_first[0]["title"]),
        (&json!(1), &json!(of_first.len()), &json!("Story 0"))
    );
    assert_eq!(of_first.last().unwrap()["headings"][0], "Story 0");
}

#[test]
fn links_stand_where_they_are_wanted_and_metadata_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    fs::write(&path, page(0)).unwrap();
    let with = |more: &[&str]| unchaff(&[&["extract", path.to_str().unwrap()], more].concat()).out;
    assert!(with(&[]).contains("[More of it](https://example.com/more)"));
    let references = with(&["--links", "references"]);
    assert!(
        references.contains("[More of it][L1] was told") && references.ends_with("\n[L1]: <https://example.com/more>\n"),
        "{references}"
    );
    let none = with(&["--links", "none"]);
    assert!(none.contains(" More of it was told") && !none.contains("example.com"), "{none}");
    assert!(with(&["--metadata"]).starts_with("---\ntitle: \"Story 0\"\nlanguage: \"en\"\n---\n\n# Story 0\n"));
    let refused = unchaff(&["extract", path.to_str().unwrap(), "--metadata", "-f", "text"]);
    assert!(refused.code == 2 && refused.err.contains("markdown only"), "{}", refused.err);
}

#[test]
fn a_site_is_one_whatever_its_files_and_goes_to_one_stream() {
    let folder = tempfile::tempdir().unwrap();
    let sites = folder.path().join("crawl");
    fs::create_dir(&sites).unwrap();
    let one = archive(&sites, "a.warc", "example.org");
    archive(&sites, "b.warc", "example.net");
    let jsonl = lines(folder.path());
    let text = |sources: &[&Path]| {
        let mut arguments = vec!["site"];
        arguments.extend(sources.iter().map(|source| source.to_str().unwrap()));
        let done = unchaff(&[&arguments[..], &["--fields", "url,text"]].concat());
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        values(&done.out)
    };
    let alone = text(&[&one]);
    assert_eq!(alone.len(), 3);
    assert!(alone[1]["text"].as_str().unwrap().contains(TEXT[1]) && !alone[1]["text"].as_str().unwrap().contains("Page 2"));
    assert_eq!(text(&[&jsonl]), alone);
    let both = text(&[&sites]);
    assert_eq!(both.len(), 6);
    assert_eq!(both[3..], alone[..], "sites come by name");
    assert_eq!(text(&[&one, &sites.join("b.warc")]), both);
}

#[test]
fn a_site_is_written_as_pages_are_and_by_any_technique() {
    let folder = tempfile::tempdir().unwrap();
    let warc = archive(folder.path(), "a.warc", "example.org");
    let out = folder.path().join("out");
    let with = |out: &Path, more: &[&str]| {
        let done = unchaff(&[&["site", warc.to_str().unwrap(), "-o", out.to_str().unwrap(), "-f", "markdown"], more].concat());
        (done, fs::read_to_string(out.join("example.org/1.md")).unwrap_or_default())
    };
    let (_, markdown) = with(&out, &["--metadata", "--links", "none", "--title", "drop"]);
    assert!(markdown.starts_with("---\ntitle: \"Story 1\"\n") && markdown.contains(TEXT[1]), "{markdown}");
    assert!(!markdown.contains("# Story 1") && !markdown.contains("](http"), "{markdown}");
    let (refused, _) = with(&out, &[]);
    assert!(refused.code == 2 && refused.err.contains("links=none"), "{}", refused.err);
    for technique in ["cectd-ds", "content-site"] {
        let (_, markdown) = with(&folder.path().join(technique), &["-t", technique]);
        assert!(markdown.contains(TEXT[1]), "{technique}: {markdown}");
    }
}

#[test]
fn what_is_no_page_is_refused_by_name_and_a_list_without_pages_too() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    for (path, word) in [
        (put("report.html", b"%PDF-1.7\n..."), "a PDF document"),
        (put("feed.xml", b"<rss><channel><title>x</title></channel></rss>"), "names no page"),
    ] {
        let done = unchaff(&["extract", path.to_str().unwrap()]);
        assert!(done.code == 1 && done.err.contains(word) && done.out.is_empty(), "{}", done.err);
    }
}

#[test]
fn menus_have_no_options_of_the_content() {
    let help = unchaff(&["menu", "--help"]).out;
    assert!(!help.contains("--bootstrap") && !help.contains("--include") && !help.contains("--metadata"), "{help}");
    let help = unchaff(&["extract", "--help"]).out;
    assert!(help.contains("--bootstrap") && help.contains("--include") && help.contains("--quiet"), "{help}");
}
