//! The template store on the command line: used, shared, killed, looked after.

use assert_cmd::Command;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

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

fn ok(arguments: &[&str]) -> String {
    let done = unchaff(arguments);
    assert_eq!(done.code, 0, "{arguments:?}: {}{}", done.out, done.err);
    done.out
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const WORDS: &[&str] =
    &["river", "bridge", "mayor", "harbour", "market", "winter", "station", "garden", "school", "theatre", "mountain", "island"];

/// A site of articles and, every fourth page, lists, each with text of its own, in one frame.
fn write_site(folder: &Path, pages: usize) {
    fs::create_dir_all(folder).unwrap();
    let menu = WORDS[..6].iter().fold(String::new(), |mut menu, word| {
        let _ = write!(menu, "<li><a href=/{word}.html>Section {word}</a></li>");
        menu
    });
    for number in 0..pages {
        let word = |at: usize| WORDS[(number * 7 + at * (number % 9 + 3) + at * at) % WORDS.len()];
        let prose = |part: usize| (0..25).map(|at| word(part * 31 + at)).collect::<Vec<_>>().join(" ");
        let main: String = if number % 4 == 3 {
            let rows = (0..4)
                .fold(String::new(), |rows, row| rows + &format!("<tr><td>{}</td><td>{number}.{row}</td></tr>", prose(row)));
            format!("<table class=list><tbody>{rows}</tbody></table><form class=filter><input name=q></form>")
        } else {
            let text = (0..2 + number % 3).fold(String::new(), |text, part| text + &format!("<p>{}.</p>", prose(part)));
            format!("<article class=post><h1>About {} number {number}</h1>{text}</article>", word(1))
        };
        let html = format!(
            "<title>{number}</title><body><header><a class=logo href=/>The Daily</a><nav class=menu><ul>{menu}</ul></nav></header>{main}\
             <aside><h3>Follow us</h3><a href=https://a.example/>On A</a></aside><footer><p>© The Daily. All rights reserved.</p></footer>"
        );
        fs::write(folder.join(format!("{number:03}.html")), html).unwrap();
    }
}

/// A folder with a site in it and room for a store.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(pages: usize) -> Place {
        let folder = tempfile::tempdir().unwrap();
        write_site(&folder.path().join("pages"), pages);
        Place { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn site(&self, store: &str, more: &[&str]) -> Vec<Value> {
        let (pages, store) = (self.path("pages"), self.path(store));
        let mut arguments = vec!["site", &pages, "--base-url", "https://www.example.org/", "--store", &store];
        arguments.extend(more);
        json_lines(&ok(&arguments))
    }

    fn list(&self, store: &str) -> Vec<Value> {
        json_lines(&ok(&["store", "list", &self.path(store), "-f", "json"]))
    }
}

fn is_carried_over(page: &Value) -> bool {
    page["warnings"].as_array().into_iter().flatten().any(|warning| warning["message"].as_str().unwrap().contains("carried over"))
}

#[test]
fn a_second_run_takes_the_blocks_from_the_store_and_says_the_same() {
    let place = Place::new(32);
    let first = place.site("templates.db", &[]);
    let templates = place.list("templates.db");
    assert_eq!(templates.iter().map(|template| template["state"].as_str().unwrap()).collect::<Vec<_>>(), ["in use", "in use"]);
    assert!(templates.iter().all(|template| template["site"] == "example.org"));
    let second = place.site("templates.db", &[]);
    assert_eq!((first.len(), second.len()), (32, 32));
    assert!(!first.iter().all(is_carried_over) && second.iter().all(is_carried_over));
    let direct = json_lines(&ok(&["site", &place.path("pages"), "--base-url", "https://www.example.org/"]));
    for (stored, direct) in second.iter().zip(&direct) {
        assert_eq!(stored["text"], direct["text"], "{}", stored["url"]);
        assert!(stored["template"].is_string() && direct["template"].is_number());
    }
}

#[test]
fn the_number_of_jobs_changes_no_answer() {
    let place = Place::new(40);
    assert_eq!(place.site("one.db", &["-j", "1"]), place.site("many.db", &["-j", "4"]));
}

#[test]
fn pages_one_by_one_are_learned_from_and_then_recognised() {
    let place = Place::new(48);
    let (pages, store) = (place.path("pages"), place.path("templates.db"));
    let extract = |command: &str, more: &[&str]| {
        let mut arguments =
            vec![command, &pages, "--site", &pages, "--base-url", "https://example.org/", "--store", &store, "-f", "json"];
        arguments.extend(more);
        json_lines(&ok(&arguments))
    };
    let content = extract("extract", &[]);
    assert!(content.iter().filter(|page| is_carried_over(page)).count() > 30);
    for page in &content {
        assert_eq!((page["technique"].as_str(), page["blocks"].as_array().unwrap().len()), (Some("store"), 1));
        assert!(!page["text"].as_str().unwrap().contains("All rights reserved"), "{}", page["text"]);
    }
    let template = extract("template", &[]);
    assert!(template.iter().all(|page| is_carried_over(page) && page["blocks"][0]["kind"] == "template"));
    let menu = extract("menu", &[]);
    assert!(menu.iter().all(|page| page["menu"].as_array().unwrap().len() >= 6));
    // A file alone has no address: it is judged alone, and a warning says so.
    let file = format!("{pages}/000.html");
    let alone = json_lines(&ok(&["extract", &file, "--store", &store, "-f", "json"])).remove(0);
    assert!(alone["warnings"].to_string().contains("--url") && !is_carried_over(&alone));
    let known =
        json_lines(&ok(&["extract", &file, "--url", "https://example.org/new", "--store", &store, "-f", "json"])).remove(0);
    assert!(is_carried_over(&known));
    let refused = unchaff(&["extract", &file, "--store", &store, "-t", "conex-page"]);
    assert!(refused.code == 2 && refused.err.contains("--technique"), "{}", refused.err);
}

#[test]
fn templates_are_shown_exported_imported_and_pruned() {
    let place = Place::new(24);
    place.site("templates.db", &[]);
    let (store, copy, lines) = (place.path("templates.db"), place.path("copy.db"), place.path("templates.jsonl"));
    let name = place.list("templates.db")[0]["template"].as_str().unwrap().to_owned();
    let table = ok(&["store", "list", &store]);
    assert!(table.contains(&name) && table.contains("in use") && table.contains("example.org"), "{table}");
    let shown = ok(&["store", "show", &store, &name[..8]]);
    assert!(shown.contains("nav.menu  [template") && shown.contains("article.post"), "{shown}");
    let shown: Value = serde_json::from_str(&ok(&["store", "show", &store, &name, "-f", "json"])).unwrap();
    assert!(shown["elements"].as_array().unwrap().len() > 20 && shown["template"] == name.as_str());
    let exported = ok(&["store", "export", &store]);
    fs::write(&lines, &exported).unwrap();
    let said = unchaff(&["store", "import", &copy, &lines]);
    assert_eq!((said.code, said.err.as_str()), (0, "2 templates imported, 0 were there already\n"));
    assert_eq!(ok(&["store", "export", &copy]), exported);
    assert!(place.site("copy.db", &[]).iter().all(is_carried_over));
    fs::write(&lines, "{\"schema\":\"unchaff/template/7\"}\n").unwrap();
    let refused = unchaff(&["store", "import", &copy, &lines]);
    assert!(refused.code == 2 && refused.err.contains("line 1") && refused.err.contains("template/7"), "{}", refused.err);
    assert_eq!(ok(&["store", "prune", &store, "--retired", "--unused-days", "2"]), "0 templates removed\n");
    assert_eq!(ok(&["store", "prune", &store, "--template", &name]), "1 templates removed\n");
    assert_eq!(ok(&["store", "prune", &store, "--site", "example.org"]), "1 templates removed\n");
    assert_eq!(ok(&["store", "list", &store]), "no templates\n");
    assert_eq!(unchaff(&["store", "prune", &store]).code, 2, "one has to say what");
    let missing = unchaff(&["store", "list", &place.path("nothing.db")]);
    assert!(missing.code == 2 && missing.err.contains("there is no"), "{}", missing.err);
}

#[test]
fn a_store_of_a_later_version_and_what_is_none_are_refused_and_left_alone() {
    let place = Place::new(4);
    place.site("templates.db", &[]);
    let path = place.path("templates.db");
    let mut bytes = fs::read(&path).unwrap();
    // The version stands in the header of the file.
    assert_eq!(bytes[60..64], [0, 0, 0, 2]);
    bytes[63] = 3;
    let (future, text) = (place.path("future.db"), place.path("notes.txt"));
    fs::write(&future, &bytes).unwrap();
    fs::write(&text, "These are notes, and many of them. ".repeat(200)).unwrap();
    for (file, said) in [(&future, "version 3"), (&text, "not a template store")] {
        let before = fs::read(file).unwrap();
        let pages = place.path("pages");
        for arguments in [vec!["site", &pages, "--store", file], vec!["store", "list", file], vec!["store", "import", file, "-"]]
        {
            let done = unchaff(&arguments);
            assert!(done.code == 2 && done.err.contains(said) && done.err.contains("name another file"), "{}", done.err);
        }
        assert_eq!(fs::read(file).unwrap(), before);
    }
}

#[test]
fn killed_at_any_moment_the_store_is_whole() {
    let place = Place::new(160);
    let (pages, store) = (place.path("pages"), place.path("templates.db"));
    for wait in [3, 11, 29, 53, 71, 97, 131, 173] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_unchaff"))
            .args(["site", &pages, "--base-url", "https://example.org/", "--store", &store])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        let _ = child.kill();
        child.wait().unwrap();
        if !Path::new(&store).is_file() {
            continue;
        }
        for template in place.list("templates.db") {
            ok(&["store", "show", &store, template["template"].as_str().unwrap()]);
        }
    }
    assert_eq!(place.site("templates.db", &[]).len(), 160);
    assert!(place.site("templates.db", &[]).iter().all(is_carried_over));
}

#[test]
fn two_processes_can_write_at_once() {
    let place = Place::new(60);
    let (pages, store) = (place.path("pages"), place.path("templates.db"));
    let start = |base: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_unchaff"))
            .args(["site", &pages, "--base-url", base, "--store", &store])
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let addresses = ["https://one.example/", "https://two.example/", "https://two.example/"];
    let mut children: Vec<_> = addresses.iter().map(|base| start(base)).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let pages_of = |site: &str| -> u64 {
        place
            .list("templates.db")
            .iter()
            .filter(|template| template["site"] == site)
            .map(|template| template["pages"].as_u64().unwrap())
            .sum()
    };
    assert_eq!((pages_of("one.example"), pages_of("two.example")), (60, 120));
}
