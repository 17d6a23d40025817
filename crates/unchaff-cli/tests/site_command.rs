//! Commands that look at several pages of a site, on the websites of our own suite.

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};

/// A site of the suite: its folder of pages, its key page, its address.
fn suite_site(name: &str) -> (PathBuf, PathBuf, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/sites").join(name);
    let about: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("site.json")).unwrap()).unwrap();
    let pages = folder.join("pages");
    let key = pages.join(about["key_page"].as_str().unwrap());
    (pages, key, about["base_url"].as_str().unwrap().to_owned())
}

struct Done {
    code: i32,
    out: String,
    err: String,
}

fn unchaff(arguments: &[&str]) -> Done {
    let output = Command::new(env!("CARGO_BIN_EXE_unchaff")).args(arguments).output().unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs a command on the key page of a site of the suite.
fn on_site(command: &str, name: &str, more: &[&str]) -> Done {
    let (pages, key, base) = suite_site(name);
    let mut arguments = vec![command, key.to_str().unwrap(), "--site", pages.to_str().unwrap(), "--base-url", &base];
    arguments.extend(more);
    unchaff(&arguments)
}

#[test]
fn the_template_is_marked_and_its_skeleton_has_no_content() {
    let marked = on_site("template", "tidewire-docs", &["-f", "annotated"]);
    assert_eq!((marked.code, marked.err.as_str()), (0, ""));
    assert!(marked.out.contains("data-unchaff=\"template\""));
    let content = on_site("extract", "tidewire-docs", &["-f", "text"]).out;
    let skeleton = on_site("template", "tidewire-docs", &["-f", "skeleton"]).out;
    let longest = content.lines().max_by_key(|line| line.len()).unwrap();
    assert!(longest.len() > 60 && !skeleton.contains(longest), "{longest}");
    assert!(skeleton.contains("<body"));
}

#[test]
fn every_site_technique_explains_itself_as_a_table_a_page_and_json() {
    let list = unchaff(&["techniques"]).out;
    let names: Vec<&str> = list
        .lines()
        .skip_while(|line| !line.starts_with("From several"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert!(names.contains(&"temex") && names.contains(&"template-auto"), "{list}");
    for technique in names {
        let explain = |format: &str| on_site("extract", "cocina-blog", &["-t", technique, "--explain", "-f", format]);
        let table = explain("text");
        assert_eq!(table.code, 0, "{technique}: {}{}", table.out, table.err);
        assert!(explain("annotated").out.contains("<style>[data-unchaff]"), "{technique}");
        let json: serde_json::Value = serde_json::from_str(&explain("json").out).unwrap();
        assert!(json["explanation"]["columns"].is_array(), "{technique}");
    }
}

#[test]
fn a_technique_of_the_other_kind_is_refused_with_the_way_out() {
    let without = unchaff(&["extract", "page.html", "-t", "temex"]);
    assert!(without.code == 2 && without.err.contains("--site"), "{}", without.err);
    let with = on_site("extract", "cocina-blog", &["-t", "bte"]);
    assert!(with.code == 2 && with.err.contains("leave --site away"), "{}", with.err);
}

#[test]
fn a_page_outside_of_the_site_is_an_error_that_names_it() {
    let (pages, _, _) = suite_site("cocina-blog");
    let (_, other, _) = suite_site("tidewire-docs");
    let done = unchaff(&["extract", other.to_str().unwrap(), "--site", pages.to_str().unwrap()]);
    assert!(done.code != 0 && done.err.contains("outside"), "{}", done.err);
}

#[test]
fn the_menu_is_confirmed_by_the_site() {
    let menu = on_site("menu", "harbour-news", &[]);
    assert!(menu.code == 0 && menu.out.contains("Harbour") && menu.out.contains("Council"), "{}{}", menu.out, menu.err);
}

#[test]
fn a_whole_site_gives_a_line_for_each_page_and_goes_on_after_a_stop() {
    let (pages, _, base) = suite_site("cocina-blog");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let run = || unchaff(&["site", pages.to_str().unwrap(), "--base-url", &base, "-o", out]);
    let done = run();
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let lines = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().path());
    let lines = lines.into_iter().find(|path| !path.ends_with("sites.jsonl")).unwrap();
    let whole = fs::read_to_string(&lines).unwrap();
    let noted = fs::read_to_string(folder.path().join("sites.jsonl")).unwrap();
    let note: serde_json::Value = serde_json::from_str(&noted).unwrap();
    assert_eq!(note["pages"].as_u64().unwrap() as usize, whole.lines().count());
    assert!(!note["templates"].as_array().unwrap().is_empty());
    for line in whole.lines() {
        let page: serde_json::Value = serde_json::from_str(line).unwrap();
        let kinds: Vec<&str> = page["blocks"].as_array().unwrap().iter().map(|block| block["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["content", "template", "menu"]);
        assert!(page["url"].as_str().unwrap().starts_with(&base) && page.get("template").is_some());
    }
    // As after a kill in the middle of the third line.
    let third = whole.match_indices('\n').nth(2).unwrap().0;
    fs::write(&lines, &whole[..third - 10]).unwrap();
    fs::remove_file(folder.path().join("sites.jsonl")).unwrap();
    assert_eq!(run().code, 0);
    assert_eq!(fs::read_to_string(&lines).unwrap(), whole);
    assert_eq!(fs::read_to_string(folder.path().join("sites.jsonl")).unwrap(), noted);
    // Finished is finished.
    fs::write(&lines, "").unwrap();
    assert_eq!(run().code, 0);
    assert_eq!(fs::read_to_string(&lines).unwrap(), "");
}

#[test]
fn a_whole_site_can_be_written_as_files_or_to_standard_output() {
    let (pages, _, _) = suite_site("grib-forum");
    let folder = tempfile::tempdir().unwrap();
    let files = unchaff(&["site", pages.to_str().unwrap(), "-o", folder.path().to_str().unwrap(), "-f", "markdown"]);
    assert_eq!((files.code, files.err.as_str()), (0, ""));
    let count = folder.path().join("pages").read_dir().unwrap().count();
    let lines = unchaff(&["site", pages.to_str().unwrap()]);
    assert_eq!((lines.code, lines.out.lines().count()), (0, count));
    let web = unchaff(&["site", "https://example.org/", "-o", folder.path().to_str().unwrap()]);
    assert!(web.code == 2 && web.err.contains("unchaff crawl"), "{}", web.err);
}
