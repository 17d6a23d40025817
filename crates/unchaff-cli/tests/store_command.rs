//! The template store on the command line: used, shared, killed, looked after.

mod running;

use running::unchaff;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

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

/// Keeps the segments of the pages in a store, by a technique that needs no browser.
fn segments(place: &Place, store: &str) -> Vec<Value> {
    let (pages, store) = (place.path("pages"), place.path(store));
    let arguments = ["segment", &pages, "--whole-site", "--base-url", "https://www.example.org/", "--technique", "dom-blocks"];
    json_lines(&ok(&[&arguments[..], &["--store", &store]].concat()))
}

fn of_kind(listed: &[Value], kind: &str) -> Vec<Value> {
    listed.iter().filter(|listed| listed["kind"] == kind).cloned().collect()
}

#[test]
fn a_second_run_knows_the_site_and_says_the_same() {
    let place = Place::new(32);
    let first = place.site("templates.db", &[]);
    let listed = place.list("templates.db");
    assert_eq!((listed.len(), &listed[1]["kind"]), (2, &"answers".into()), "{listed:?}");
    assert_eq!(
        (&listed[0]["kind"], &listed[0]["site"], &listed[0]["pages"]),
        (&"model".into(), &"example.org".into(), &32.into())
    );
    let second = place.site("templates.db", &[]);
    let direct = json_lines(&ok(&["site", &place.path("pages"), "--base-url", "https://www.example.org/"]));
    assert_eq!((first.len(), second.len()), (32, 32));
    for ((first, second), direct) in first.iter().zip(&second).zip(&direct) {
        assert_eq!((&first["text"], &second["text"]), (&direct["text"], &direct["text"]), "{}", direct["url"]);
    }
}

#[test]
fn what_has_changed_since_the_last_run_is_looked_at_again() {
    let place = Place::new(12);
    let direct = |more: &[&str]| ok(&[&["site", &place.path("pages"), "--base-url", "https://www.example.org/"], more].concat());
    let kept = |more: &[&str]| {
        let store = place.path("templates.db");
        direct(&[&["--store", &store], more].concat())
    };
    for _ in 0..2 {
        assert_eq!(kept(&[]), direct(&[]));
    }
    for more in [
        &["-f", "csv"][..],
        &["--fields", "url,text,title"],
        &["--show", "template"],
        &["--sample", "3"],
        &["--exclude", "tables"],
    ] {
        let wanted = if more[0] == "--sample" { direct(&[]) } else { direct(more) };
        assert_eq!((kept(more), kept(more)), (wanted.clone(), wanted), "{more:?}");
    }
    // A page has changed, then one has gone, and one has come.
    let page = place.path("pages/001.html");
    let changed =
        fs::read_to_string(&page).unwrap().replace("</article>", "<p>The ferry sails again since Monday.</p></article>");
    fs::write(&page, &changed).unwrap();
    assert!(kept(&[]).contains("The ferry sails again since Monday."));
    assert_eq!(kept(&[]), direct(&[]));
    fs::rename(&page, place.path("pages/101.html")).unwrap();
    let moved = kept(&[]);
    assert!(moved.contains("https://www.example.org/101.html") && !moved.contains("https://www.example.org/001.html"));
    // Without its site it is learned afresh.
    assert_eq!(
        ok(&["store", "prune", &place.path("templates.db"), "--site", "example.org"]),
        "1 models and 0 templates removed\n"
    );
    assert!(place.list("templates.db").is_empty());
    assert_eq!(kept(&[]), direct(&[]));
}

#[test]
fn the_number_of_jobs_changes_no_answer() {
    let place = Place::new(40);
    assert_eq!(place.site("one.db", &["-j", "1"]), place.site("many.db", &["-j", "4"]));
}

#[test]
fn what_is_kept_is_shown_exported_imported_and_pruned() {
    let place = Place::new(24);
    place.site("templates.db", &[]);
    let segmented = segments(&place, "templates.db");
    let (store, copy, lines) = (place.path("templates.db"), place.path("copy.db"), place.path("templates.jsonl"));
    let templates = of_kind(&place.list("templates.db"), "template");
    assert_eq!((templates.len(), place.list("templates.db").len()), (2, 4));
    let name = templates[0]["template"].as_str().unwrap().to_owned();
    let table = ok(&["store", "list", &store]);
    assert!(table.contains(&name) && table.contains("in use") && table.contains("example.org  model "), "{table}");
    let shown = ok(&["store", "show", &store, &name[..8]]);
    assert!(shown.contains("nav.menu  [") && shown.contains("article.post"), "{shown}");
    let shown: Value = serde_json::from_str(&ok(&["store", "show", &store, &name, "-f", "json"])).unwrap();
    assert!(shown["elements"].as_array().unwrap().len() > 20 && shown["template"] == name.as_str());
    let site = ok(&["store", "show", &store, "example.org"]);
    assert!(site.contains("learned from 24 pages") && site.contains("templates  2"), "{site}");
    let exported = ok(&["store", "export", &store]);
    fs::write(&lines, &exported).unwrap();
    let said = unchaff(&["store", "import", &copy, &lines]);
    assert_eq!((said.code, said.err.as_str()), (0, "1 models and 2 templates imported, 0 were there already\n"));
    assert_eq!(ok(&["store", "export", &copy]), exported);
    let again = segments(&place, "copy.db");
    assert!(again.iter().all(|page| page["transferred"] == true), "{again:?}");
    assert!(!segmented.iter().all(|page| page["transferred"] == true));
    let old = exported.lines().last().unwrap().replace("template/3", "template/2");
    fs::write(&lines, old.replacen("\"maker\":\"", "\"maker\":\"blocks\",\"was\":\"", 1)).unwrap();
    let said = unchaff(&["store", "import", &copy, &lines]);
    assert!(said.code == 0 && said.err.contains("1 templates of blocks left out"), "{}", said.err);
    fs::write(&lines, "{\"schema\":\"unchaff/template/7\"}\n").unwrap();
    let refused = unchaff(&["store", "import", &copy, &lines]);
    assert!(refused.code == 2 && refused.err.contains("line 1") && refused.err.contains("template/7"), "{}", refused.err);
    let removed = |models: usize, templates: usize| format!("{models} models and {templates} templates removed\n");
    assert_eq!(ok(&["store", "prune", &store, "--retired", "--unused-days", "2"]), removed(0, 0));
    assert_eq!(ok(&["store", "prune", &store, "--name", &name]), removed(0, 1));
    assert_eq!(ok(&["store", "prune", &store, "--only", "example.org"]), removed(1, 1));
    assert_eq!(ok(&["store", "list", &store]), "nothing is kept\n");
    assert_eq!(unchaff(&["store", "prune", &store]).code, 2, "one has to say what");
    let missing = unchaff(&["store", "list", &place.path("nothing.db")]);
    assert!(missing.code == 2 && missing.err.contains("there is no") && missing.err.contains("--store"), "{}", missing.err);
    let unknown = unchaff(&["store", "show", &copy, "nothing"]);
    assert!(unknown.code == 2 && unknown.err.contains("unchaff store list"), "{}", unknown.err);
}

#[test]
fn a_store_of_a_later_version_and_what_is_none_are_refused_and_left_alone() {
    let place = Place::new(4);
    place.site("templates.db", &[]);
    let path = place.path("templates.db");
    let mut bytes = fs::read(&path).unwrap();
    // The version stands in the header of the file.
    assert_eq!(bytes[60..64], [0, 0, 0, 4]);
    bytes[63] = 5;
    let (future, text) = (place.path("future.db"), place.path("notes.txt"));
    fs::write(&future, &bytes).unwrap();
    fs::write(&text, "These are notes, and many of them. ".repeat(200)).unwrap();
    for (file, said) in [(&future, "version 5"), (&text, "not a template store")] {
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
fn looking_at_an_empty_file_leaves_it_empty_and_says_how_a_store_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.db");
    fs::write(&path, "").unwrap();
    let file = path.to_str().unwrap();
    for arguments in
        [vec!["list", file], vec!["show", file, "example.org"], vec!["export", file], vec!["prune", file, "--retired"]]
    {
        let done = unchaff(&[&["store"], &arguments[..]].concat());
        assert!(done.code == 2 && done.err.contains("is empty") && done.err.contains("--store"), "{}", done.err);
        assert!(done.out.is_empty() && fs::read(&path).unwrap().is_empty(), "{arguments:?}");
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
        // Killed before the tables were made, it is no store yet.
        let done = unchaff(&["store", "export", &store]);
        assert!(done.code == 0 || done.code == 2 && done.err.contains("is empty"), "{}", done.err);
    }
    assert_eq!(place.site("templates.db", &[]).len(), 160);
    assert_eq!(of_kind(&place.list("templates.db"), "model").len(), 1);
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
    let models = of_kind(&place.list("templates.db"), "model");
    let told: Vec<_> = models.iter().map(|model| (model["site"].as_str().unwrap(), model["pages"].as_u64().unwrap())).collect();
    assert_eq!(told, [("one.example", 60), ("two.example", 60)]);
}
