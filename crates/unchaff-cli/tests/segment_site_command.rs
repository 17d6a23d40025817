//! `unchaff segment --whole-site` and `--store`: segments carried over between the pages of a template.

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

fn unchaff(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unchaff")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn ok(arguments: &[&str]) -> (Vec<Value>, String) {
    let done = unchaff(arguments);
    assert!(done.status.success(), "{arguments:?}: {}", text(&done.stderr));
    let lines = text(&done.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (lines, text(&done.stderr).to_owned())
}

/// Articles and, every fourth, a table, each with text of its own, in one frame.
fn html(number: usize) -> String {
    let sentence = |part: usize| {
        let words = ["river", "bridge", "mayor", "harbour", "market", "winter", "station", "garden", "school", "theatre"];
        let word = |at: usize| words[(number * 7 + part * 5 + at * (number % 5 + 3)) % words.len()];
        (0..20).map(word).collect::<Vec<_>>().join(" ")
    };
    let main = if number % 4 == 3 {
        let rows: String = (0..5).map(|row| format!("<tr><td>{}</td><td>{row}</td></tr>", sentence(row))).collect();
        format!("<table class=list><tbody>{rows}</tbody></table><form class=filter><input name=q></form>")
    } else {
        let paragraphs: String = (0..4).map(|part| format!("<p>{}.</p>", sentence(part))).collect();
        format!("<article><h1>Number {number}</h1>{paragraphs}</article>")
    };
    let menu: String =
        ["Home", "News", "Sport", "Culture", "About"].iter().map(|name| format!("<li><a href=/{name}>{name}</a></li>")).collect();
    format!(
        "<!doctype html><title>{number}</title><style>body{{margin:0}}nav{{height:60px}}</style><body><header><b>The Daily</b></header>\
         <nav><ul>{menu}</ul></nav>{main}<aside><p>Follow us on A and on B, every day of the week.</p></aside>\
         <footer><p>All rights reserved by The Daily. <a href=/{}>Next</a></p></footer>",
        number + 1
    )
}

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(pages: usize) -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("pages")).unwrap();
        for number in 0..pages {
            fs::write(folder.path().join(format!("pages/{number:03}.html")), html(number)).unwrap();
        }
        Place { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn segment(&self, technique: &str, more: &[&str]) -> (Vec<Value>, String) {
        let pages = self.path("pages");
        let mut arguments = vec!["segment", &pages, "--whole-site", "--base-url", "https://www.example.org/", "-t", technique];
        arguments.extend(more);
        ok(&arguments)
    }
}

fn transferred(pages: &[Value]) -> usize {
    pages.iter().filter(|page| page["transferred"] == true).count()
}

#[test]
fn pages_of_a_template_get_their_segments_from_one_of_them() {
    let place = Place::new(24);
    let store = place.path("templates.db");
    let (pages, said) = place.segment("dom-blocks", &["--store", &store]);
    let names: Vec<String> = (0..24).map(|number| format!("{number:03}.html")).collect();
    assert_eq!(pages.iter().map(|page| page["input"].as_str().unwrap()).collect::<Vec<_>>(), names);
    assert_eq!(transferred(&pages), 20, "two templates, each stored and tried once");
    assert!(said.contains("24 pages, 2 templates, 20 pages with segments carried over (83 %)"), "{said}");
    for page in &pages {
        let (again, _) = ok(&["segment", &place.path(&format!("pages/{}", page["input"].as_str().unwrap())), "-t", "dom-blocks"]);
        let nodes = |page: &Value| -> Vec<Value> {
            page["segments"].as_array().unwrap().iter().map(|segment| segment["nodes"].clone()).collect()
        };
        assert_eq!(nodes(page), nodes(&again[0]), "{page}");
        assert!(page["template"].is_string() && page["verified"].is_f64() == (page["transferred"] == true));
        assert!(page["segments"].as_array().unwrap().iter().any(|segment| segment["kind"] == "menu"), "{page}");
    }
    // All is known now, also of a page that was never seen.
    let (second, said) = place.segment("dom-blocks", &["--store", &store]);
    assert!(transferred(&second) == 24 && said.contains("(100 %)"), "{said}");
    fs::write(place.path("new.html"), html(40)).unwrap();
    let single = |more: &[&str]| {
        let (page, store) = (place.path("new.html"), store.clone());
        let mut arguments = vec!["segment", &page, "--store", &store, "-t", "dom-blocks"];
        arguments.extend(more);
        ok(&arguments).0.remove(0)
    };
    let known = single(&["--url", "https://example.org/new"]);
    assert!(known["transferred"] == true && known["template"] == second[0]["template"], "{known}");
    assert!(single(&[])["notes"][0].as_str().unwrap().contains("--url"));
    // Segments of another technique or setting are not used, and kept apart.
    assert_eq!(single(&["--url", "https://example.org/new", "--set", "most=0.1"])["transferred"], false);
    let (list, _) = ok(&["store", "list", &store, "-f", "json"]);
    assert_eq!(list.iter().filter(|template| template["maker"].as_str().unwrap().contains("most=0.4 ")).count(), 2);
    assert_eq!(list.len(), 3);
    let shown = unchaff(&["store", "show", &store, list[0]["template"].as_str().unwrap()]);
    assert!(text(&shown.stdout).contains("[2 menu]"), "{}", text(&shown.stdout));
}

#[test]
fn the_number_of_jobs_changes_no_answer() {
    let place = Place::new(40);
    let run = |jobs: &str| place.segment("dom-blocks", &["-j", jobs]).0;
    assert_eq!(run("1"), run("4"));
    assert_eq!(place.segment("dom-blocks", &["--limit", "7"]).0.len(), 7);
}

#[test]
fn every_site_of_the_suite_is_answered_in_order() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/sites");
    for site in ["cocina-blog", "harbour-news", "tidewire-docs"] {
        let pages = suite.join(site).join("pages");
        for technique in ["dom-blocks", "block-fusion"] {
            let run = || ok(&["segment", pages.to_str().unwrap(), "--whole-site", "-t", technique]).0;
            let lines = run();
            assert!(lines.len() >= 8 && lines.iter().all(|page| page["transferred"].is_boolean()));
            let inputs: Vec<&str> = lines.iter().map(|page| page["input"].as_str().unwrap()).collect();
            assert!(inputs.is_sorted(), "{inputs:?}");
            assert_eq!(lines, run());
        }
    }
}

#[test]
fn results_go_to_a_file_of_lines_or_a_folder_of_pages() {
    let place = Place::new(4);
    let (lines, marked) = (place.path("segments.jsonl"), place.path("marked"));
    assert!(place.segment("dom-blocks", &["-o", &lines]).0.is_empty());
    assert_eq!(fs::read_to_string(lines).unwrap().lines().count(), 4);
    place.segment("dom-blocks", &["-f", "annotated", "-o", &marked]);
    let page = fs::read_to_string(Path::new(&marked).join("002.html")).unwrap();
    assert!(page.contains("data-unchaff=\"segment-"), "{page}");
}

#[test]
fn what_is_wrong_is_told_with_the_way_out() {
    let place = Place::new(2);
    let (pages, store) = (place.path("pages"), place.path("templates.db"));
    let told = |arguments: &[&str], says: &str| {
        let done = unchaff(&[&["segment"], arguments].concat());
        assert!(!done.status.success() && text(&done.stderr).contains(says), "{arguments:?}: {}", text(&done.stderr));
    };
    told(&[&pages, "--whole-site", "-f", "svg"], "--format json or annotated");
    told(&[&pages, "--store", &store, "-f", "boxes"], "--format json or annotated");
    told(&[&pages, &pages, "--whole-site", "-t", "dom-blocks"], "a site by itself");
    told(&[&pages, "--whole-site", "-t", "dom-blocks", "-f", "annotated"], "-o DIR");
    told(&[&pages, "--limit", "3"], "--whole-site");
    told(&[&place.path("nowhere"), "--whole-site", "-t", "dom-blocks"], "nowhere");
    let missing = Command::new(env!("CARGO_BIN_EXE_unchaff"))
        .args(["segment", &pages, "--whole-site"])
        .env("UNCHAFF_CHROMIUM", "/nowhere")
        .output()
        .unwrap();
    let said = text(&missing.stderr);
    assert!(missing.status.code() == Some(2) && said.matches("UNCHAFF_CHROMIUM names /nowhere").count() == 1, "{said}");
}

/// The multi-page use case of Zelený 2017, chapter 5: links are followed, each page once, up to a limit.
#[test]
fn a_site_on_the_web_is_followed_by_its_links() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/0", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while reader.read_line(&mut head).is_ok_and(|length| length > 2) {}
            let number = head.split(' ').nth(1).and_then(|path| path.trim_start_matches('/').parse::<usize>().ok());
            let (status, page) = number.map_or(("404 Not Found", String::new()), |number| ("200 OK", html(4 * number)));
            let page =
                page.replace(&format!("/{}>Next", 4 * number.unwrap_or(0) + 1), &format!("/{}>Next", number.unwrap_or(0) + 1));
            let _ = write!(stream, "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n{page}");
        }
    });
    let (pages, _) = ok(&["segment", &address, "--whole-site", "--limit", "3", "--allow-private", "-t", "dom-blocks"]);
    let urls: Vec<&str> = pages.iter().filter_map(|page| page["url"].as_str()?.rsplit('/').next()).collect();
    assert_eq!((urls, transferred(&pages)), (vec!["0", "1", "2"], 1));
}

#[test]
fn only_pages_of_unknown_templates_are_rendered() {
    let Some(_) = unchaff_render::test_browser::or_skip() else { return };
    let place = Place::new(8);
    for technique in ["visual-blocks", "bcs"] {
        let (pages, said) = place.segment(technique, &["--timeout", "60"]);
        assert!(transferred(&pages) >= 4, "{said}");
        for page in &pages {
            let has_boxes = page["segments"].as_array().unwrap().iter().all(|segment| segment["box"].is_array());
            let is_rendered = page["transferred"] == false;
            assert_eq!((has_boxes, page["width"].is_number()), (is_rendered, is_rendered), "{page}");
            // A form is a segment without text.
            let texts = page["segments"].as_array().unwrap().iter().filter(|segment| segment["text"] != "");
            assert!(texts.count() >= 3, "{page}");
            assert!(page["segments"].as_array().unwrap().iter().all(|segment| !segment["nodes"].as_array().unwrap().is_empty()));
        }
    }
}

/// The named areas of a page: their names, kinds and texts.
fn named(page: &Value) -> Vec<(&str, &str, &str)> {
    let segments = page["segments"].as_array().unwrap().iter();
    segments
        .filter_map(|segment| Some((segment["name"].as_str()?, segment["kind"].as_str()?, segment["text"].as_str()?)))
        .collect()
}

/// A name stands for one area on all pages: it is of one kind, there is one on a page, and what the site repeats has the same words. Returns the names that most pages have.
fn names_are_those_of_the_site(pages: &[Value]) -> Vec<String> {
    let mut seen: std::collections::BTreeMap<&str, (&str, Vec<&str>)> = std::collections::BTreeMap::new();
    for page in pages {
        let names = named(page);
        let distinct: std::collections::BTreeSet<&str> = names.iter().map(|(name, ..)| *name).collect();
        assert_eq!(distinct.len(), names.len(), "{page}");
        for (name, kind, text) in names {
            let of_site = seen.entry(name).or_insert((kind, Vec::new()));
            assert_eq!(of_site.0, kind, "{name}");
            of_site.1.push(text);
        }
        // Content is of the page.
        assert!(
            page["segments"].as_array().unwrap().iter().all(|segment| segment["kind"] != "content" || segment["name"].is_null())
        );
    }
    let common = seen.into_iter().filter(|(_, (_, texts))| 2 * texts.len() > pages.len());
    common.map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn an_area_has_one_name_on_all_pages_of_its_site() {
    let place = Place::new(24);
    let store = place.path("templates.db");
    let (pages, _) = place.segment("dom-blocks", &["--store", &store]);
    let names = names_are_those_of_the_site(&pages);
    assert!(names.iter().any(|name| name == "menu") && names.iter().any(|name| name == "footer"), "{names:?}");
    for page in &pages {
        let menu: Vec<&str> = named(page).iter().filter(|(name, ..)| *name == "menu").map(|(.., text)| *text).collect();
        assert!(menu.len() == 1 && menu[0].contains("Culture") && !menu[0].contains("Follow"), "{page}");
    }
    // The store gives the names again.
    let (second, _) = place.segment("dom-blocks", &["--store", &store]);
    let all = |pages: &[Value]| pages.iter().map(|page| format!("{:?}", named(page))).collect::<Vec<_>>();
    assert_eq!(all(&second), all(&pages));
    // A page by itself has no site to name its areas.
    let (alone, _) = ok(&["segment", &place.path("pages/000.html"), "-t", "dom-blocks"]);
    assert!(named(&alone[0]).is_empty());
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/sites");
    for site in ["cocina-blog", "harbour-news", "tidewire-docs"] {
        let pages = ok(&["segment", suite.join(site).join("pages").to_str().unwrap(), "--site", "-t", "dom-blocks"]).0;
        let names = names_are_those_of_the_site(&pages);
        assert!(!names.is_empty(), "{site}");
    }
}

#[test]
fn areas_of_rendered_sites_keep_their_names_where_they_are_carried_over() {
    let Some(_) = unchaff_render::test_browser::or_skip() else { return };
    let place = Place::new(12);
    let (pages, said) = place.segment("segments-auto", &["--timeout", "60"]);
    let names = names_are_those_of_the_site(&pages);
    assert!(!names.is_empty() && transferred(&pages) > 0, "{said}");
    // Levels come with the segments.
    for page in pages.iter().filter(|page| page["transferred"] == true) {
        for segment in page["segments"].as_array().unwrap() {
            assert_eq!(segment["level"] == 1, segment["parent"].is_null(), "{page}");
        }
    }
}
