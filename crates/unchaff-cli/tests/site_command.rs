//! Commands that look at several pages of a site, on the websites of our own suite.

mod running;

use running::{Done, unchaff};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A site of the suite: its folder of pages, its key page, its address.
fn suite_site(name: &str) -> (PathBuf, PathBuf, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/sites").join(name);
    let about: Value = serde_json::from_slice(&fs::read(folder.join("site.json")).unwrap()).unwrap();
    let pages = folder.join("pages");
    let key = pages.join(about["key_page"].as_str().unwrap());
    (pages, key, about["base_url"].as_str().unwrap().to_owned())
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
        let page = explain("annotated").out;
        assert!(page.contains("style&gt;[data-unchaff]") && page.contains("What came out"), "{technique}");
        let json: Value = serde_json::from_str(&explain("json").out).unwrap();
        assert!(json["explanation"]["columns"].is_array(), "{technique}");
    }
}

#[test]
fn the_structure_of_a_site_is_told() {
    let (pages, _, base) = suite_site("harbour-news");
    let structure = |more: &[&str]| {
        let mut arguments = vec!["site", pages.to_str().unwrap(), "--base-url", &base, "--structure"];
        arguments.extend(more);
        unchaff(&arguments)
    };
    let json = structure(&[]);
    let record: Value = serde_json::from_str(&json.out).unwrap_or_else(|error| panic!("{error}: {}{}", json.out, json.err));
    assert!(record["pages"].as_u64().unwrap() > 3, "{record}");
    assert!((0.05..0.95).contains(&record["template_text"].as_f64().unwrap()), "{record}");
    assert!(record["index_pages"][0]["url"].as_str().unwrap().starts_with(&base), "{record}");
    let text = structure(&["-f", "text"]).out;
    assert!(text.contains("% of the text") && text.contains("index pages: "), "{text}");
    let without = unchaff(&["site", pages.to_str().unwrap(), "--structure"]);
    assert!(without.code == 0 && without.err.contains("--base-url says"), "links with a host lead nowhere: {}", without.err);
    let refused = structure(&["-f", "markdown"]);
    assert!(refused.code != 0 && refused.err.contains("json or text"), "{}", refused.err);
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

/// What JSON lines say, by what follows in the address.
fn by_path(lines: &str, base: &str) -> BTreeMap<String, Value> {
    let read = |line: &str| {
        let page: Value = serde_json::from_str(line).unwrap();
        let name = page["url"].as_str().or_else(|| page["input"].as_str()).unwrap();
        (name.strip_prefix(base).unwrap().to_owned(), page)
    };
    lines.lines().map(read).collect()
}

/// The words of a block of a page.
fn words(page: &Value, kind: &str) -> String {
    let block = page["blocks"].as_array().unwrap().iter().find(|block| block["kind"] == kind).unwrap();
    block["nodes"].as_array().unwrap().iter().map(|node| node["text"].as_str().unwrap().to_owned() + "\n").collect()
}

#[test]
fn a_whole_site_gives_a_line_for_each_page_and_goes_on_after_a_stop() {
    let (pages, _, base) = suite_site("cocina-blog");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let run = || unchaff(&["site", pages.to_str().unwrap(), "--base-url", &base, "-o", out]);
    let done = run();
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let lines = folder.path().join("cuchara-lenta.example.jsonl");
    let whole = fs::read_to_string(&lines).unwrap();
    let noted = fs::read_to_string(folder.path().join("sites.jsonl")).unwrap();
    let note: Value = serde_json::from_str(&noted).unwrap();
    assert_eq!(note["pages"].as_u64().unwrap() as usize, whole.lines().count());
    assert!(!note["templates"].as_array().unwrap().is_empty());
    let found = by_path(&whole, &base);
    assert_eq!(found.len(), 11);
    for (path, title, last) in [
        ("pan-de-centeno/index.html", "Pan de centeno sin prisas", "se corta fino y sabe mejor."),
        ("lentejas-de-lunes/index.html", "Lentejas de lunes", "cambia el plato entero."),
        ("sobre-mi/index.html", "Sobre mí", "la repetimos juntas hasta encontrar el fallo."),
    ] {
        let text = found[path]["text"].as_str().unwrap();
        assert!(text.starts_with(title) && text.trim_end().ends_with(last), "{text}");
        assert_eq!(
            words(&found[path], "content").split_whitespace().collect::<String>(),
            text.split_whitespace().collect::<String>()
        );
    }
    for (path, page) in &found {
        let template = words(page, "template");
        assert!(template.contains("La cuchara lenta") && words(page, "menu").contains("Guisos"), "{path}: {template}");
        assert!(!words(page, "content").contains("La cuchara lenta"), "{path}");
        assert_eq!(page["menu"][0]["text"], "Inicio", "{path}");
        assert_eq!(page["template"], note["templates"][0]["template"], "{path}");
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
fn a_page_that_could_not_be_read_before_a_stop_is_not_lost_after_it() {
    let (pages, _, base) = suite_site("cocina-blog");
    let folder = tempfile::tempdir().unwrap();
    let (out, lines) = (folder.path().to_str().unwrap(), folder.path().join("cuchara-lenta.example.jsonl"));
    let run = |more: &[&str]| unchaff(&[&["site", pages.to_str().unwrap(), "--base-url", &base, "-o", out], more].concat());
    let done = run(&["--max-bytes", "6000"]);
    let before = fs::read_to_string(&lines).unwrap();
    assert!(done.code == 1 && (2..11).contains(&before.lines().count()), "{}", before.lines().count());
    // A site of which pages failed is not finished: they are tried again, and told again.
    let again = run(&["--max-bytes", "6000"]);
    assert!(again.code == 1 && again.err.contains("the limit for a page"), "{}", again.err);
    assert_eq!(fs::read_to_string(&lines).unwrap(), before);
    assert_eq!(run(&[]).code, 0);
    let notes = fs::read_to_string(folder.path().join("sites.jsonl")).unwrap();
    assert!(notes.lines().count() == 1 && notes.contains("\"failed\":0"), "{notes}");
    let after = fs::read_to_string(&lines).unwrap();
    assert!(after.starts_with(&before));
    assert_eq!((after.lines().count(), by_path(&after, &base).len()), (11, 11), "each page once");
}

#[test]
fn results_of_different_sources_and_settings_do_not_mix() {
    let (pages, _, base) = suite_site("cocina-blog");
    let (other, _, _) = suite_site("grib-forum");
    let folder = tempfile::tempdir().unwrap();
    let (out, lines) = (folder.path().to_str().unwrap(), folder.path().join("cuchara-lenta.example.jsonl"));
    let run = |pages: &Path, more: &[&str]| {
        unchaff(&[&["site", pages.to_str().unwrap(), "--base-url", &base, "-o", out], more].concat())
    };
    assert_eq!(run(&pages, &[]).code, 0);
    let first = fs::read_to_string(&lines).unwrap();
    for refused in [run(&other, &[]), run(&pages, &["-f", "markdown"]), run(&pages, &["--sample", "3"])] {
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains(out) && refused.err.contains("--overwrite"), "{}", refused.err);
        assert_eq!(fs::read_to_string(&lines).unwrap(), first, "what is there stays");
    }
    let replaced = run(&other, &["--overwrite"]);
    assert_eq!((replaced.code, replaced.err.as_str()), (0, ""));
    let second = fs::read_to_string(&lines).unwrap();
    assert_eq!(by_path(&second, &base).len(), 9);
    assert!(!second.contains("centeno") && second.contains("берёзой"), "nothing of the first is left");
    assert_eq!(run(&other, &[]).code, 0, "and it is known whose it is");
}

#[test]
fn a_whole_site_can_be_written_as_files_or_to_standard_output() {
    let (pages, _, _) = suite_site("grib-forum");
    let folder = tempfile::tempdir().unwrap();
    let files = unchaff(&["site", pages.to_str().unwrap(), "-o", folder.path().to_str().unwrap(), "-f", "markdown"]);
    assert_eq!((files.code, files.err.as_str()), (0, ""));
    let lines = unchaff(&["site", pages.to_str().unwrap()]);
    // The folder stands for no address, so pages are called by their files, and no address is made up.
    let found = by_path(&lines.out, "");
    assert_eq!((lines.code, found.len()), (0, 9));
    assert!(!lines.out.contains(".invalid") && found.values().all(|page| page.get("url").is_none()));
    for (path, page) in &found {
        let file = path.strip_suffix(".html").unwrap().replace('?', "_") + ".md";
        let written = fs::read_to_string(folder.path().join("pages").join(&file)).unwrap();
        assert_eq!(written, page["markdown"].as_str().unwrap(), "{path}");
        assert!(!written.contains("Поиск") && words(page, "menu").contains("Поиск"), "{path}: {written}");
    }
    assert_eq!(folder.path().join("pages").read_dir().unwrap().count(), 9);
    // The folder stands for no address, so links lead where they do in the page, whoever asks.
    let list = pages.join("viewforum.php?f=1.html");
    let [alone, with_site] = [&[][..], &["--site", pages.to_str().unwrap()]].map(|site| {
        let command = |name| unchaff(&[&[name, list.to_str().unwrap(), "-f", "markdown"], site].concat()).out;
        (command("extract"), command("menu"))
    });
    assert_eq!(alone.1, with_site.1);
    assert!(alone.0.contains("](") && with_site.0.contains("]("), "{}", with_site.0);
    for text in [&alone.0, &with_site.0, &with_site.1] {
        assert!(!text.contains(".invalid"), "{text}");
    }
    let site = ["--site", pages.to_str().unwrap()];
    for form in [&["-f", "json"][..], &["-f", "chunks"], &["-f", "tei"], &["-f", "csv", "--fields", "url,title"], &["--metadata"]]
    {
        let record = unchaff(&[&["extract", list.to_str().unwrap()], &site[..], form].concat());
        assert!(record.code == 0 && !record.out.contains(".invalid"), "{form:?}: {}", record.out);
    }
    for form in [&["-f", "chunks"][..], &["-f", "csv", "--fields", "url,title"], &["--structure"]] {
        let all = unchaff(&[&["site", pages.to_str().unwrap()], form].concat());
        assert!(all.code == 0 && !all.out.contains(".invalid") && all.out.len() > 100, "{form:?}: {}", all.out);
    }
    // A run that goes on knows by their files which pages are there.
    let again = tempfile::tempdir().unwrap();
    let to = again.path().to_str().unwrap();
    let run = || {
        let done = unchaff(&["site", pages.to_str().unwrap(), "-o", to]);
        assert_eq!(done.code, 0, "{}", done.err);
        fs::read_to_string(again.path().join("pages.jsonl")).unwrap()
    };
    let whole = run();
    let third = whole.match_indices('\n').nth(2).unwrap().0;
    fs::write(again.path().join("pages.jsonl"), &whole[..=third]).unwrap();
    fs::remove_file(again.path().join("sites.jsonl")).unwrap();
    assert_eq!(run(), whole);
    let topic = fs::read_to_string(folder.path().join("pages/viewtopic.php_t=14.md")).unwrap();
    assert!(topic.contains("На даче под берёзой вылезла целая семья коричневых грибов."), "{topic}");
    let web = unchaff(&["site", "https://example.org/", "-o", folder.path().to_str().unwrap()]);
    assert!(web.code == 2 && web.err.contains("unchaff crawl"), "{}", web.err);
}

#[test]
fn a_site_for_assistants_is_a_list_whose_links_are_its_files() {
    let (pages, _, base) = suite_site("bibliotheque");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let done = unchaff(&[
        "site",
        pages.to_str().unwrap(),
        "--base-url",
        &base,
        "-o",
        out.to_str().unwrap(),
        "-f",
        "markdown",
        "--metadata",
        "--llms",
    ]);
    assert_eq!(done.code, 0, "{}", done.err);
    let site = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.is_dir()).unwrap();
    let text = fs::read_to_string(site.join("llms.txt")).unwrap();
    assert!(text.starts_with("# ") && text.contains("\n## "), "{text}");
    let links: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("- ["))
        .map(|line| line.split("](").nth(1).unwrap().split(')').next().unwrap())
        .collect();
    let mut files = Vec::new();
    let mut folders = vec![site.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(&site).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    files.retain(|file| file != "llms.txt");
    let mut linked: Vec<String> = links.iter().map(|link| (*link).to_owned()).collect();
    linked.sort();
    files.sort();
    assert_eq!(linked, files, "{text}");
    assert!(files.iter().all(|file| file.ends_with(".md")) && files.len() > 5);
    let refused = unchaff(&["site", pages.to_str().unwrap(), "-o", folder.path().join("x").to_str().unwrap(), "--llms"]);
    assert!(refused.code == 2 && refused.err.contains("--format markdown"), "{}", refused.err);
}

#[cfg(unix)]
#[test]
fn a_command_is_told_where_the_site_lies_and_serves_whole_sites() {
    let found = on_site(
        "extract",
        "tidewire-docs",
        &["--external", "mine=grep -m1 -o '<p>.*' {key}; test -d {pages} && test {base}", "-f", "text"],
    );
    assert_eq!((found.code, found.err.as_str()), (0, ""));
    let (pages, _, _) = suite_site("tidewire-docs");
    let source = fs::read_to_string(pages.join("guide/filters.html")).unwrap();
    let paragraph = source.lines().find_map(|line| line.split_once("<p>")).unwrap().1;
    let start: String = paragraph.chars().take_while(|character| *character != '<').take(40).collect();
    assert!(found.out.contains(start.trim()) && found.out.lines().count() < 6, "{}", found.out);
    let (pages, _, base) = suite_site("tidewire-docs");
    let whole = unchaff(&[
        "site",
        pages.to_str().unwrap(),
        "--base-url",
        &base,
        "--external",
        "mine=cat > /dev/null; echo nothing of it",
        "--fields",
        "url,technique,text",
    ]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    assert!(
        whole.out.lines().count() > 3 && whole.out.lines().all(|line| line.contains(r#""technique":"mine""#)),
        "{}",
        whole.out
    );
    let refused = unchaff(&["site", pages.to_str().unwrap(), "--external", "mine=cat {key}"]);
    assert!(refused.code == 2 && refused.err.contains("unchaff extract --site"), "{}", refused.err);
}
