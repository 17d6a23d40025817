//! The command as users meet it.

use assert_cmd::Command;
use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../../../examples/lighthouse.html");

fn unchaff(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unchaff"));
    command.args(arguments);
    command
}

struct Done {
    code: i32,
    out: String,
    err: String,
}

fn run(mut command: Command) -> Done {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Done { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

fn path_of(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_file_becomes_markdown() {
    let folder = folder(&[("a.html", PAGE)]);
    let done = run(unchaff(&["extract", &path_of(&folder, "a.html")]));
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.starts_with("# The lamp that would not go out\n\nBy [Ines Okafor]"), "{}", done.out);
    assert!(!done.out.contains("Most read") && done.err.is_empty());
}

#[test]
fn standard_input_is_read_when_named_and_when_nothing_is() {
    for arguments in [&["extract", "-", "-f", "text"][..], &["extract", "--format", "text"][..]] {
        let mut command = unchaff(arguments);
        command.write_stdin(PAGE);
        let done = run(command);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.starts_with("The lamp that would not go out\n\nBy Ines Okafor, 3"), "{}", done.out);
    }
}

#[test]
fn every_format_has_its_form() {
    let of = |format: &str| {
        let mut command = unchaff(&["extract", "-", "--url", "https://example.org/x/", "-f", format]);
        command.write_stdin(PAGE);
        run(command).out
    };
    assert!(of("markdown").contains("[minutes](https://example.org/documents/council-minutes.html)"));
    assert!(of("html").contains("<a href=\"https://example.org/documents/council-minutes.html\">minutes</a>"));
    let annotated = of("annotated");
    assert!(annotated.contains("<article data-unchaff=\"content\">") && annotated.contains("<nav class=\"main-menu\">"));
    let json: serde_json::Value = serde_json::from_str(&of("json")).unwrap();
    assert_eq!(json["schema"], "unchaff/extraction/2");
    assert_eq!(json["url"], "https://example.org/x/");
    assert_eq!(json["metadata"]["title"]["value"], "The lamp that would not go out");
    assert_eq!(json["blocks"][0]["kind"], "content");
    assert_eq!(json["blocks"][0]["nodes"][0]["tag"], "main");
    assert_eq!(json["blocks"][0]["nodes"][0]["css"], "html > body > div > main");
    assert!(json["text"].as_str().unwrap().contains("It was not."));
    assert_eq!(json["warnings"], serde_json::json!([]));
}

#[test]
fn the_page_is_written_with_its_content_in_place_and_with_everything_else() {
    let of = |arguments: &[&str]| {
        let mut command = unchaff(&[&["extract", "-"], arguments].concat());
        command.write_stdin(PAGE);
        let done = run(command);
        assert_eq!(done.code, 0, "{}", done.err);
        done.out
    };
    let (content, rest) = (of(&["-f", "text"]), of(&["-f", "text", "--complement"]));
    assert!(content.contains("It was not.") && !rest.contains("It was not."));
    let hidden = of(&["-f", "hidden"]);
    assert!(
        hidden.contains("<header class=\"masthead\" data-unchaff-hidden=\"\">") && !hidden.contains("<main data-unchaff-hidden")
    );
    assert!(!of(&["-f", "hidden", "--complement"]).contains("<header class=\"masthead\" data-unchaff-hidden"));
    assert!(of(&["-f", "deleted"]).contains("It was not.") && !of(&["-f", "deleted", "--complement"]).contains("It was not."));
    assert!(of(&["-f", "highlighted", "--complement"]).contains("data-unchaff=\"not-content\""));
    let restructured = of(&["-f", "restructured"]);
    assert!(restructured.find("It was not.").unwrap() < restructured.find("<nav class=\"main-menu\"").unwrap());
    let (first, last) =
        of(&["-f", "ranges"]).lines().next().unwrap().split_once('\t').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    let piece: String = PAGE.chars().skip(first - 1).take(last + 1 - first).collect();
    assert!(content.contains(piece.trim()) && !piece.trim().is_empty(), "{piece}");
    let json: serde_json::Value = serde_json::from_str(&of(&["-f", "json", "--complement"])).unwrap();
    assert_eq!((json["complement"].as_bool(), json["text"].as_str()), (Some(true), Some(rest.as_str())));
    let mut wrong = unchaff(&["extract", "-", "-f", "replaced:dots"]);
    wrong.write_stdin(PAGE);
    assert!(run(wrong).err.contains("a character, ellipsis or placeholder"));
}

#[test]
fn an_author_is_told_where_markup_and_page_differ() {
    let checked = |html: &str, arguments: &[&str]| {
        let mut command = unchaff(&[&["check", "-"], arguments].concat());
        command.write_stdin(html);
        run(command)
    };
    let good = checked(PAGE, &[]);
    assert_eq!(good.code, 0, "{}{}", good.out, good.err);
    assert!(good.out.contains("-: 0 errors"), "{}", good.out);
    let bad = PAGE.replace("<main>", "<div>").replace("</main>", "</div>");
    let done = checked(&bad, &[]);
    assert_eq!(done.code, 1);
    assert!(done.out.contains("error: the page has no <main>") && done.out.contains("[no-main]"), "{}", done.out);
    let json: serde_json::Value = serde_json::from_str(&checked(&bad, &["-f", "json"]).out).unwrap();
    assert_eq!((json["schema"].as_str(), json["findings"][0]["rule"].as_str()), (Some("unchaff/check/1"), Some("no-main")));
    assert!(json["findings"][0]["line"].as_u64().is_some_and(|line| line > 20), "{json}");
    let mut mend = unchaff(&["extract", "-", "-f", "html5"]);
    mend.write_stdin(bad.as_str());
    let mended = checked(&run(mend).out, &[]);
    assert_eq!(mended.code, 0, "{}", mended.out);
}

#[test]
fn many_inputs_become_json_lines_in_order_at_any_number_of_jobs() {
    let names: Vec<String> = (0..60).map(|at| format!("site/{at:02}.html")).collect();
    let pages: Vec<String> = (0..60).map(|at| PAGE.replace("The lamp that would not go out", &format!("Lamp {at}"))).collect();
    let files: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(pages.iter().map(String::as_str)).collect();
    let folder = folder(&files);
    let one = run(unchaff(&["extract", "-j", "1", folder.path().to_str().unwrap()]));
    let four = run(unchaff(&["extract", "-j", "4", folder.path().to_str().unwrap()]));
    assert_eq!((one.code, four.code), (0, 0));
    assert_eq!(one.out, four.out);
    let titles: Vec<String> = one
        .out
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["metadata"]["title"]["value"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(titles, (0..60).map(|at| format!("Lamp {at}")).collect::<Vec<_>>());
}

#[test]
fn many_inputs_become_one_file_each() {
    let folder = folder(&[("site/a.html", PAGE), ("site/deep/b.html", PAGE), ("site/style.css", "x")]);
    let out = path_of(&folder, "out");
    let done = run(unchaff(&["extract", &path_of(&folder, "site"), "-o", &out, "-f", "text"]));
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
    assert!(fs::read_to_string(Path::new(&out).join("a.txt")).unwrap().starts_with("The lamp"));
    assert!(fs::read_to_string(Path::new(&out).join("deep/b.txt")).unwrap().starts_with("The lamp"));
    assert_eq!(fs::read_dir(&out).unwrap().count(), 2);
}

#[test]
fn one_bad_input_is_reported_and_the_rest_is_done() {
    let folder = folder(&[("a.html", PAGE), ("b.html", PAGE)]);
    let missing = path_of(&folder, "missing.html");
    let done = run(unchaff(&["extract", &path_of(&folder, "a.html"), &missing, &path_of(&folder, "b.html")]));
    assert_eq!(done.code, 1);
    assert_eq!(done.out.lines().count(), 2);
    assert!(done.err.contains("missing.html") && done.err.contains("1 of 3 inputs failed"), "{}", done.err);
}

#[test]
fn wrong_use_is_refused_with_a_way_out() {
    let folder = folder(&[("a.html", PAGE), ("b.html", PAGE)]);
    let (a, b) = (path_of(&folder, "a.html"), path_of(&folder, "b.html"));
    let cases: [(&[&str], &str); 9] = [
        (&["extract", &a, "-t", "nothing"], "conex-page"),
        (&["extract", &a, "--set", "c"], "PARAMETER=VALUE"),
        (&["extract", &a, "-t", "conex-page", "--set", "c=x"], "whole number"),
        (&["extract", &a, "-t", "conex-page", "--set", "q=1"], "max_words"),
        (&["extract", &a, &b, "-f", "markdown"], "-o DIR"),
        (&["extract", &a, &b, "-o", &a], "folder"),
        (&["extract", &a, &b, "--url", "https://example.org/"], "--url"),
        (&["extract", &a, "--charset", "klingon"], "windows-1252"),
        (&["extract", &a, "--url", "example.org"], "https://example.org/page"),
    ];
    for (arguments, says) in cases {
        let done = run(unchaff(arguments));
        assert_eq!(done.code, 2, "{arguments:?}");
        assert!(done.err.contains(says) && done.out.is_empty(), "{arguments:?}: {}", done.err);
    }
    let format = run(unchaff(&["extract", &a, "-f", "pdf"]));
    assert!(format.code == 2 && format.err.contains("annotated"), "{}", format.err);
    assert_eq!(fs::read_to_string(&a).unwrap(), PAGE);
}

#[test]
fn charset_and_settings_are_obeyed() {
    let folder = folder(&[]);
    let path = path_of(&folder, "k.html");
    fs::write(&path, [&b"<div><div><p>"[..], &[0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4], b"</p></div></div>"].concat()).unwrap();
    let done = run(unchaff(&[
        "extract",
        &path,
        "--charset",
        "koi8-r",
        "-f",
        "text",
        "-t",
        "conex-page",
        "--set",
        "wide_page_rule=false",
    ]));
    assert_eq!(done.out, "Привет\n", "{}", done.err);
}

#[test]
fn techniques_are_listed_and_told_about() {
    let list = run(unchaff(&["techniques"]));
    assert!(list.code == 0 && list.out.contains("conex-page") && list.out.contains("(default)"));
    let one = run(unchaff(&["techniques", "conex-page"]));
    assert!(one.out.contains("max_words=3") && one.out.contains("2023"), "{}", one.out);
    assert_eq!(run(unchaff(&["techniques", "x"])).code, 2);
}

#[test]
fn the_menu_is_a_tree_of_text_and_links() {
    let folder = folder(&[("a.html", PAGE)]);
    let path = path_of(&folder, "a.html");
    let done = run(unchaff(&["menu", &path, "--url", "https://example.org/"]));
    assert!(
        done.out.starts_with("- [Home](https://example.org/)\n- [Town](https://example.org/town)\n"),
        "{}{}",
        done.out,
        done.err
    );
    let json: serde_json::Value = serde_json::from_str(&run(unchaff(&["menu", &path, "-f", "json"])).out).unwrap();
    assert_eq!(json["menu"][2]["text"], "Coast");
    assert_eq!(json["blocks"][0]["kind"], "menu");
    assert!(run(unchaff(&["menu", &path, "-f", "annotated"])).out.contains("<ul data-unchaff=\"menu\">"));
}

#[test]
fn every_technique_explains_itself_as_a_table_a_page_and_json() {
    let folder = folder(&[("a.html", PAGE)]);
    let path = path_of(&folder, "a.html");
    let list = run(unchaff(&["techniques"])).out;
    let names = list.lines().skip(1).take_while(|line| !line.is_empty()).map(|line| line.split(' ').next().unwrap());
    for technique in names {
        let explain = |format: &str| run(unchaff(&["extract", &path, "-t", technique, "--explain", "-f", format]));
        let table = explain("text");
        assert!(table.code == 0 && table.out.contains("node"), "{technique}: {}{}", table.out, table.err);
        let page = explain("annotated").out;
        assert!(page.contains("style&gt;[data-unchaff]") && page.contains("What came out"), "{technique}");
        let json: serde_json::Value = serde_json::from_str(&explain("json").out).unwrap();
        assert!(json["explanation"]["columns"].is_array(), "{technique}");
    }
}

#[test]
fn favouring_recall_takes_at_least_what_favouring_precision_takes() {
    let folder = folder(&[("a.html", PAGE)]);
    let path = path_of(&folder, "a.html");
    let words = |favor: &str| run(unchaff(&["extract", &path, "-f", "text", "--favor", favor])).out.split_whitespace().count();
    assert!(words("precision") > 50 && words("precision") <= words("balanced") && words("balanced") <= words("recall"));
    let other = run(unchaff(&["extract", &path, "-t", "bte", "--favor", "recall"]));
    assert!(other.code == 2 && other.err.contains("bte has no parameter `favor`"), "{}", other.err);
}

#[test]
fn help_completions_and_manual_are_there() {
    assert!(run(unchaff(&["extract", "--help"])).out.contains("Examples:"));
    assert!(run(unchaff(&["--version"])).out.starts_with("unchaff "));
    assert!(run(unchaff(&["completions", "bash"])).out.contains("_unchaff"));
    assert!(run(unchaff(&["man"])).out.contains(".TH"));
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    assert_eq!(run(unchaff(&["man", "-o", pages.to_str().unwrap()])).code, 0);
    let page = fs::read_to_string(pages.join("unchaff-bench-run.1")).unwrap();
    assert!(page.contains(concat!(".TH unchaff-bench-run 1  \"unchaff ", env!("CARGO_PKG_VERSION"), "\"")), "{page}");
    assert!(fs::read_to_string(pages.join("unchaff-extract.1")).unwrap().contains("\\-\\-charset"));
    assert!(pages.join("unchaff.1").is_file() && pages.join("unchaff-bench-run.1").is_file());
}

#[test]
fn a_page_of_nothing_and_a_page_of_anything_have_an_answer() {
    for page in [&b""[..], &[0, 159, 146, 150], b"\xff\xfe", b"<", b"just text"] {
        for format in ["text", "markdown", "html", "json", "annotated"] {
            let mut command = unchaff(&["extract", "-", "-f", format]);
            command.write_stdin(page);
            let done = command.output().unwrap();
            assert!(done.status.success(), "{page:?} {format}: {}", String::from_utf8_lossy(&done.stderr));
        }
    }
}

#[test]
fn parts_are_included_and_excluded_and_blocks_have_a_confidence() {
    let folder = folder(&[("a.html", PAGE)]);
    let page = path_of(&folder, "a.html");
    let without = run(unchaff(&["extract", &page, "--exclude", "links,images"]));
    assert!(without.out.contains("By Ines Okafor") && !without.out.contains("]("), "{}", without.out);
    let json: serde_json::Value = serde_json::from_str(&run(unchaff(&["extract", &page, "-f", "json"])).out).unwrap();
    let block = &json["blocks"][0];
    for confidence in [&block["confidence"], &block["nodes"][0]["confidence"]] {
        assert!(confidence.as_f64().is_some_and(|confidence| (0.5..=1.0).contains(&confidence)), "{block}");
    }
    let cases: [(&[&str], &str); 3] = [
        (&["extract", "--include", "pictures"], "comments, tables, images and links"),
        (&["menu", "--include", "tables"], "unexpected argument"),
        (&["extract", "--include", "tables", "--exclude", "tables"], "both included and excluded"),
    ];
    for (arguments, way_out) in cases {
        let done = run(unchaff(&[arguments, &[&page]].concat()));
        assert!(done.code == 2 && done.err.contains(way_out), "{arguments:?}: {}", done.err);
    }
}

#[test]
fn text_that_only_json_ld_has_is_extracted_and_said_so() {
    let html = "<title>Rain</title><div id=root></div><script type='application/ld+json'>\
                {\"@type\": \"Article\", \"headline\": \"Rain at last\", \"articleBody\": \"It rained all day.\\nThen it stopped.\"}</script>";
    let folder = folder(&[("a.html", html)]);
    let page = path_of(&folder, "a.html");
    assert_eq!(run(unchaff(&["extract", &page])).out, "# Rain at last\n\nIt rained all day.\n\nThen it stopped.\n");
    let json = run(unchaff(&["extract", &page, "-f", "json"])).out;
    assert!(json.contains("taken from its JSON-LD") && json.contains("\"embedded\":\"<h1>Rain"), "{json}");
}

#[cfg(unix)]
#[test]
fn a_command_stands_in_for_a_technique_in_every_format() {
    let folder = folder(&[("a.html", PAGE)]);
    let page = path_of(&folder, "a.html");
    let with = |arguments: &[&str]| run(unchaff(&[arguments, &[&page]].concat()));
    let mine = "mine=printf 'The lamp that would NOT go out\\n\\n* Most read'";
    let text = with(&["extract", "--external", mine, "-f", "text"]);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    assert!(
        text.out.contains("The lamp that would not go out") && text.out.contains("Most read") && !text.out.contains("Okafor"),
        "{}",
        text.out
    );
    let json: serde_json::Value = serde_json::from_str(&with(&["extract", "--external", mine, "-f", "json"]).out).unwrap();
    assert_eq!(json["technique"], "mine");
    // Our own command through a pipe finds what it finds directly.
    let own = format!("own:menu={} menu -f annotated", env!("CARGO_BIN_EXE_unchaff"));
    assert_eq!(with(&["menu", "--external", &own]).out, with(&["menu"]).out);
    let wrong = with(&["template", "--external", &own]);
    assert!(wrong.code == 2 && wrong.err.contains("own looks for menu, and here the template is asked for"), "{}", wrong.err);
    let failed = with(&["extract", "--external", "mine=echo no such page >&2; exit 3"]);
    assert!(failed.code == 1 && failed.err.contains("a.html: mine: exit code 3: no such page"), "{}", failed.err);
    let slow = with(&["extract", "--external", "mine=sleep 20", "--external-timeout", "1"]);
    assert!(slow.code == 1 && slow.err.contains("no answer within 1 s"), "{}", slow.err);
    let placed = with(&["extract", "--external", "mine=cat {key}"]);
    assert!(placed.code == 2 && placed.err.contains("--site"), "{}", placed.err);
}

#[test]
fn cleaneval_marks_headings_paragraphs_and_items() {
    let folder = folder(&[("a.html", PAGE)]);
    let done = run(unchaff(&["extract", "-f", "cleaneval", &path_of(&folder, "a.html")]));
    assert!(done.out.starts_with("<h>The lamp that would not go out\n<p>By Ines Okafor"), "{}", done.out);
    assert!(done.out.lines().all(|line| ["<h>", "<p>", "<l>"].contains(&&line[..3])), "{}", done.out);
}

#[test]
fn what_is_not_content_is_told_by_kind() {
    let folder = folder(&[("a.html", PAGE)]);
    let done = run(unchaff(&["extract", &path_of(&folder, "a.html"), "-f", "json", "--fields", "additional"]));
    assert_eq!(done.code, 0, "{}", done.err);
    let read: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let parts = read["additional"].as_array().unwrap();
    let of = |kind: &str| {
        parts.iter().filter(|part| part["kind"] == kind).map(|part| part["text"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert!(of("navigation").iter().any(|text| text.contains("Home")), "{}", done.out);
    assert!(!parts.iter().any(|part| part["text"].as_str().unwrap().contains("would not go out")), "{}", done.out);
    assert!(parts.iter().all(|part| !part["why"].as_str().unwrap().is_empty()));
}
