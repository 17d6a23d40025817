//! `unchaff bench` as users meet it.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

struct Done {
    code: i32,
    out: String,
    err: String,
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unchaff"));
    command.arg("bench").args(arguments);
    command
}

fn bench(arguments: &[&str]) -> Done {
    let output = command(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Done { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

fn well(arguments: &[&str]) -> Done {
    let done = bench(arguments);
    assert_eq!(done.code, 0, "{arguments:?}: {}", done.err);
    done
}

/// Pages with a menu of links only and a paragraph that is links in part: the link quota filter finds nothing but the
/// paragraph, if its threshold is between the two.
fn write_suite(folder: &Path, pages: usize) {
    fs::create_dir_all(folder.join("pages")).unwrap();
    fs::create_dir_all(folder.join("gold")).unwrap();
    let mut items = serde_json::Map::new();
    for at in 0..pages {
        let text = "It rained all day and the river rose, so the old mill";
        let html = format!(
            "<body><div><a href=/>Home page</a> <a href=/all>All other pages</a></div>\n\
             <p>{text} <a href=/{at}>was closed for the night number {at}</a></p></body>"
        );
        fs::write(folder.join(format!("pages/{at}.html")), html).unwrap();
        fs::write(folder.join(format!("gold/{at}.txt")), format!("{text} was closed for the night number {at}\n")).unwrap();
        items.insert(at.to_string(), json!({"split": if at % 2 == 0 { "train" } else { "eval" }}));
    }
    fs::write(folder.join("meta.json"), json!({ "items": items }).to_string()).unwrap();
}

/// A folder with a suite of so many pages in `tiny`, and the paths of the suite and of a database.
fn workbench(pages: usize) -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    write_suite(&folder.path().join("tiny"), pages);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (suite, db) = (path("tiny"), path("results.db"));
    (folder, suite, db)
}

/// All experiments of a database, without their times.
fn experiments(db: &str) -> Vec<String> {
    let lines = well(&["export", "--db", db, "--format", "jsonl"]).out;
    let without_times = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        for field in ["load_seconds", "compute_seconds", "seconds_per_kb"] {
            line.as_object_mut().unwrap().remove(field);
        }
        line.to_string()
    };
    lines.lines().map(without_times).collect()
}

/// The rows of a run as JSON, without what depends on time.
fn rows(out: &str) -> Vec<Value> {
    let mut rows: Value = serde_json::from_str(out).unwrap();
    let rows = rows["rows"].as_array_mut().unwrap();
    for row in rows.iter_mut() {
        for field in ["compute_ms", "ms_per_kb"] {
            row.as_object_mut().unwrap().remove(field);
        }
    }
    std::mem::take(rows)
}

#[test]
fn a_run_prints_figures_that_do_not_depend_on_jobs() {
    let (_folder, suite, _) = workbench(9);
    let with =
        |jobs: &str| well(&["run", "--suite", &suite, "--technique", "all", "lqf:threshold=0.5", "-f", "json", "--jobs", jobs]);
    let one = with("1");
    assert_eq!(rows(&one.out), rows(&with("2").out));
    assert!(one.err.contains("a second"), "{}", one.err);
    let best = &rows(&one.out)[0];
    assert_eq!((&best["pages"], &best["suite"]), (&json!(9), &json!("tiny")));
    let right =
        rows(&one.out).into_iter().find(|row| row["settings"] == json!({"threshold": 0.5}) && row["measure"] == "word-bag");
    assert_eq!(right.unwrap()["f1"], 1.0);
}

#[test]
fn a_run_prints_tables_in_all_forms() {
    let (_folder, suite, db) = workbench(4);
    let with = |format: &str| well(&["run", "-s", &suite, "-t", "lqf", "--set", "threshold=0.5", "--db", &db, "-f", format]);
    let table = with("table");
    assert!(table.out.contains("lqf") && table.out.contains("word-bag"), "{}", table.out);
    let again = with("markdown");
    assert!(again.out.contains("| lqf") && again.err.contains("4 were in the database already"), "{}{}", again.out, again.err);
    assert!(with("csv").out.starts_with("suite,digest,item"));
}

#[cfg(unix)]
#[test]
fn a_run_that_was_killed_is_taken_up_without_loss_or_repetition() {
    let (folder, suite, whole) = workbench(40);
    let arguments = |db: &str| -> Vec<String> {
        let fixed =
            ["run", "-s", &suite, "-t", "lqf", "bte", "conex-page", "--external", "slow=sleep 0.01; cat", "-j", "2", "--db", db];
        fixed.iter().map(|argument| (*argument).to_owned()).collect()
    };
    let run_whole = arguments(&whole);
    well(&run_whole.iter().map(String::as_str).collect::<Vec<_>>());
    let expected = experiments(&whole);
    assert_eq!(expected.len(), 40 * 4);

    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().subsec_nanos();
    for round in 0..3 {
        let db = folder.path().join(format!("killed-{round}.db")).to_str().unwrap().to_owned();
        let arguments = arguments(&db);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(u64::from((seed / 1000 + round * 137) % 400)));
        child.kill().unwrap();
        child.wait().unwrap();
        well(&arguments);
        assert_eq!(experiments(&db), expected, "killed after {} ms", (seed / 1000 + round * 137) % 400);
    }
}

#[cfg(unix)]
#[test]
fn a_failing_command_is_a_row() {
    let (_folder, suite, db) = workbench(3);
    let done = well(&["run", "-s", &suite, "--external", "broken=echo no luck >&2; exit 7", "--db", &db, "-f", "json"]);
    assert!(done.err.contains("3 failed"), "{}", done.err);
    assert_eq!((&rows(&done.out)[0]["f1"], &rows(&done.out)[0]["failures"]), (&json!(0.0), &json!(3)));
    assert!(experiments(&db).iter().all(|line| line.contains("exit code 7: no luck")));
}

#[test]
fn a_sweep_shows_both_splits() {
    let (_folder, suite, db) = workbench(8);
    let arguments =
        ["run", "-s", &suite, "-t", "lqf", "--sweep", "threshold=0..1:0.1", "--sweep", "scope=local,subtree", "--db", &db];
    let table = well(&arguments);
    assert!(table.out.contains("22 settings") && table.out.contains("threshold=0.4  "), "{}", table.out);
    let json = well(&[&arguments[..], &["-f", "json", "--top", "2"]].concat());
    let swept: Value = serde_json::from_str(&json.out).unwrap();
    let best = &swept["sweeps"][0]["best"][0];
    assert_eq!(
        (&best["settings"], &best["train"]["f1"], &best["eval"]["f1"]),
        (&json!({"threshold": 0.4}), &json!(1.0), &json!(1.0))
    );
    assert!(json.err.contains("0 experiments"), "{}", json.err);
    let random = well(&["run", "-s", &suite, "-t", "lqf", "--sweep", "threshold=0..1:0.01", "--random", "5", "--keep", "best"]);
    assert!(random.out.contains("5 settings"), "{}", random.out);
}

#[test]
fn the_gate_passes_fails_and_is_raised() {
    let (folder, suite, _) = workbench(4);
    let suites: Value = serde_json::from_str(&well(&["suites", &suite, "-f", "json"]).out).unwrap();
    let floors = folder.path().join("floors.json");
    let path = floors.to_str().unwrap();
    let write = |minimum: f64, digest: &Value| {
        let floor = |suite: &str| {
            json!({"technique": "lqf", "settings": {"threshold": 0.5}, "suite": suite, "digest": digest, "block": "content",
                "measure": "word-bag", "minimum": minimum})
        };
        fs::write(&floors, json!({"floors": [floor("tiny"), floor("not-here")]}).to_string()).unwrap();
    };
    write(0.5, &suites[0]["digest"]);
    let met = well(&["gate", "--floors", path]);
    assert!(met.out.contains("met") && met.out.contains("skipped"), "{}", met.out);
    write(1.5, &suites[0]["digest"]);
    let missed = bench(&["gate", "--floors", path, "--update"]);
    assert!(missed.code == 1 && missed.out.contains("MISSED") && missed.err.contains("by hand"), "{}{}", missed.out, missed.err);
    write(0.5, &json!("0000000000000000"));
    assert_eq!(bench(&["gate", "--floors", path]).code, 1);
    assert!(well(&["gate", "--floors", path, "--update"]).err.contains("1 of 2 floors changed"));
    let raised: Value = serde_json::from_str(&fs::read_to_string(&floors).unwrap()).unwrap();
    assert_eq!((&raised["floors"][0]["minimum"], &raised["floors"][1]["minimum"]), (&json!(1.0), &json!(0.5)));
    well(&["gate", "--floors", path]);
}

#[test]
fn results_are_reported_compared_and_exported() {
    let (folder, suite, db) = workbench(6);
    well(&["run", "-s", &suite, "-t", "lqf", "bte", "--db", &db]);
    let html = folder.path().join("report.html");
    well(&["report", "--db", &db, "-o", html.to_str().unwrap()]);
    assert!(fs::read_to_string(html).unwrap().contains("word-bag"));
    let rows: Value = serde_json::from_str(&well(&["report", "--db", &db, "-f", "json", "-t", "bte"]).out).unwrap();
    assert!(rows["rows"].as_array().unwrap().iter().all(|row| row["technique"] == "bte"));
    assert!(well(&["compare", "lqf", "bte", "--db", &db]).out.contains("bte"));
    assert_eq!(well(&["export", "--db", &db]).out.lines().count(), 1 + 6 * 2 * 4);
}

/// Runs without a browser.
fn browserless(arguments: &[&str]) -> Done {
    let output = command(arguments).env("UNCHAFF_CHROMIUM", "/nowhere/chromium").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Done { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn segments_are_measured_on_boxes_that_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (db, none) = (path("results.db"), path("none"));
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/segments").canonicalize().unwrap();
    let suite = suite.to_str().unwrap();
    well(&["suites", suite]);
    let run = ["run", "-s", suite, "-t", "dom-blocks", "bcs:ct=0.5", "vips:pdoc=5+vips:pdoc=8", "--db", &db];
    let done = browserless(&run);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("segments · ari-2") && done.err.contains("15 experiments on 5 pages"), "{} {}", done.out, done.err);
    assert!(well(&["compare", "dom-blocks", "bcs:ct=0.5", "--db", &db]).out.contains("b3-pixels-1"));
    assert_eq!(well(&["export", "--db", &db]).out.lines().count(), 1 + 15 * 12);
    let report = well(&["report", "--db", &db]).out;
    assert!(report.contains("Left what people drew"), "{report}");
    let swept = ["run", "-s", suite, "-t", "dom-blocks", "--sweep", "most=0.2,0.4", "--measure", "f-2"];
    assert!(browserless(&swept).out.contains("(f-2)"));

    // Without boxes and browser, what needs none is left.
    let mut elsewhere = vec!["run", "-s", suite, "--layouts", &none, "-t", "bcs"];
    let refused = browserless(&elsewhere);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("5 pages of segments have no boxes") && refused.err.contains("--layouts"), "{}", refused.err);
    elsewhere.push("dom-blocks");
    let left = browserless(&elsewhere);
    assert_eq!(left.code, 0, "{}", left.err);
    assert!(left.err.contains("not run there: bcs") && left.out.contains("b3-tree-nodes-1"), "{} {}", left.out, left.err);
}

#[test]
fn a_page_is_labelled() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    fs::write(&page, "<body><nav><a href=/>Home</a></nav><main>Rain</main></body>").unwrap();
    let done = well(&["label", page.to_str().unwrap(), "--content", "main", "--menu", "nav"]);
    assert!(done.out.contains("TECO_mainContent") && done.out.contains("TECO_mainMenu"), "{}", done.out);
}

#[test]
fn several_people_label_a_page_and_what_holds_is_merged() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    fs::write(&page, "<body><nav><a href=/>Home</a></nav><main><h1>Rain</h1><p>It rained.</p></main><p>Us</p></body>").unwrap();
    let copies = [("anna", "main"), ("bo", "main"), ("cy", "main p")].map(|(who, content)| {
        let copy = folder.path().join(format!("{who}.html")).to_str().unwrap().to_owned();
        well(&["label", page.to_str().unwrap(), "--content", content, "--segment", "1:Main text=main", "-o", &copy]);
        copy
    });
    let [anna, bo, cy] = [&copies[0], &copies[1], &copies[2]].map(String::as_str);
    let agreed = well(&["agree", anna, cy]).out;
    // Of a, h1, p and the last p they differ about the heading.
    assert!(agreed.contains("2 people, 4 elements") && agreed.contains("content       0.750   0.500"), "{agreed}");
    let json: serde_json::Value = serde_json::from_str(&well(&["agree", anna, bo, cy, "-f", "json"]).out).unwrap();
    assert_eq!(json["annotators"], 3);
    let merged = well(&["merge", anna, bo, cy]);
    assert_eq!((merged.out, merged.err.as_str()), (fs::read_to_string(anna).unwrap(), ""));
    let undecided = well(&["merge", anna, cy]);
    assert!(undecided.err.contains("2 elements have as many votes") && undecided.err.contains("--judge"), "{}", undecided.err);
    assert_eq!(well(&["merge", anna, cy, "--judge", bo]).out, fs::read_to_string(anna).unwrap());
    fs::write(folder.path().join("other.html"), "<p>Another page</p>").unwrap();
    let other = bench(&["merge", anna, folder.path().join("other.html").to_str().unwrap()]);
    assert!(other.code == 2 && other.err.contains("other elements than the page"), "{}", other.err);
    assert_eq!(bench(&["label", page.to_str().unwrap(), "--segment", "nav"]).code, 2);
}

#[test]
fn a_site_becomes_a_suite_to_be_labelled() {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/sites/harbour-news/pages");
    let suite = folder.path().join("mine");
    let from = [
        "suite",
        "from",
        source.to_str().unwrap(),
        "-o",
        suite.to_str().unwrap(),
        "--base-url",
        "https://www.skarholm-courier.example/",
    ];
    let made = well(&from);
    assert!(
        made.out.contains("www.skarholm-courier.example: ") && made.err.contains("unchaff serve --workbench"),
        "{} {}",
        made.out,
        made.err
    );
    let site = suite.join("www.skarholm-courier.example");
    let about: serde_json::Value = serde_json::from_slice(&fs::read(site.join("site.json")).unwrap()).unwrap();
    let key = about["key_page"].as_str().unwrap();
    assert_eq!(about["base_url"], "https://www.skarholm-courier.example/");
    // A page keeps its elements, so that one who labels it labels the page.
    let gold = site.join("gold.html").to_str().unwrap().to_owned();
    well(&["label", site.join("pages").join(key).to_str().unwrap(), "--content", "main", "-o", &gold]);
    let listed = bench(&["suites", suite.to_str().unwrap(), "-f", "json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(listed[0]["layout"], "sites", "{listed}");
    // Its links find the pages: a technique that compares pages loads others than the key page.
    let run = well(&["run", "-s", suite.to_str().unwrap(), "-t", "auto-with-site", "-f", "json"]).out;
    let run: serde_json::Value = serde_json::from_str(&run).unwrap();
    assert!(run["rows"][0]["loads"].as_f64().unwrap() > 2.0, "{run}");
    assert_eq!(bench(&from).code, 2, "what is there already stays");
}

#[test]
fn what_is_wrong_is_said_with_the_way_out() {
    let (folder, suite, db) = workbench(2);
    let said = |arguments: &[&str]| {
        let done = bench(arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.out);
        done.err
    };
    assert!(said(&["run", "-s", &suite, "-t", "conex"]).contains("conex-page"));
    assert!(said(&["run", "-s", &suite, "-t", "menex"]).contains("gold standard"));
    assert!(said(&["run", "-s", &suite, "-t", "lqf", "--sweep", "threshold"]).contains("FROM..TO:STEP"));
    assert!(said(&["run", "-s", &suite, "-t", "lqf", "--set", "threshold"]).contains("PARAMETER=VALUE"));
    assert!(said(&["run", "-s", folder.path().join("none").to_str().unwrap(), "-t", "lqf"]).contains("none"));
    assert!(said(&["report", "--db", &db]).contains("bench run"));
    assert!(said(&["gate", "--floors", &db]).contains("--floors"));

    well(&["run", "-s", &suite, "-t", "lqf", "--db", &db]);
    let future = rewrite_schema_version(&db);
    assert!(said(&["run", "-s", &suite, "-t", "lqf", "--db", &future]).contains("schema version 9"));
}

/// The database with a schema version of the future.
fn rewrite_schema_version(db: &str) -> String {
    // The row of the version is the text `schema` and then the number.
    let mut bytes = fs::read(db).unwrap();
    let at = bytes.windows(7).position(|window| window == b"schema1").unwrap();
    bytes[at + 6] = b'9';
    let future = format!("{db}.future");
    fs::write(&future, bytes).unwrap();
    future
}

#[test]
fn every_subcommand_has_help_with_examples() {
    for name in ["suites", "run", "report", "bundle", "package", "times", "compare", "export", "gate", "label", "agree", "merge"]
    {
        let help = well(&[name, "--help"]).out;
        assert!(help.contains("Examples:") && help.contains(&format!("unchaff bench {name}")), "{help}");
    }
}

/// A site labelled as in version 1.0 of TeCo, with a numbered label of the published tools.
fn write_old_teco(folder: &Path) {
    let page = "<body><nav class=menu><a href=/>Home</a></nav><script>x()</script><div class='notTemplate mainContent'><p>Rain all day.</p></div>\
                <p class=TECO_notTemplate2>Share</p></body>";
    fs::create_dir_all(folder.join("pages/www.example.org")).unwrap();
    fs::write(folder.join("pages/www.example.org/index.html"), page).unwrap();
    fs::write(folder.join("keys.txt"), "1\tpages/www.example.org/index.html\n").unwrap();
}

#[test]
fn teco_of_version_1_is_read_where_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    write_old_teco(folder.path());
    let suite = folder.path().to_str().unwrap();
    let nodes = |more: &[&str]| {
        let arguments = [&["run", "--suite", suite, "-t", "plain", "-t", "template-page", "-f", "csv"], more].concat();
        let out = well(&arguments).out;
        let golds = out
            .lines()
            .skip(1)
            .filter(|line| line.contains(",nodes,"))
            .map(|line| line.split(',').rev().nth(4).unwrap().to_owned());
        golds.collect::<Vec<_>>()
    };
    // Content and template, by elements: nothing is labelled, so all is template.
    assert_eq!(nodes(&[]), ["0", "6"]);
    assert_eq!(nodes(&["--teco-labels", "version-1.0"]), ["2", "4"]);
    assert_eq!(nodes(&["--teco-labels", "version-1.0,numbered"]), ["2", "3"]);
    // The body, nav, a, its text, (script and its text,) and the content div, p, text; p and its text are numbered.
    let rule = |rule: &'static str| nodes(&["--teco-labels", "version-1.0,numbered", "--node-rule", rule]);
    assert_eq!(rule("from-body"), ["3", "6"]);
    assert_eq!(rule("without-scripts"), ["3", "4"]);
    assert_ne!(bench(&["suites", suite]).out, bench(&["suites", suite, "--teco-labels", "version-1.0,numbered"]).out);
}

#[test]
fn conventions_are_switches_and_a_database_keeps_to_them() {
    let (_folder, suite, db) = workbench(3);
    let one = |more: &[&str]| {
        let arguments = [&["run", "--suite", &suite, "-t", "lqf:threshold=0.01", "-t", "plain", "-f", "json"], more].concat();
        let of = |row: &Value, name: &str| row["technique"] == name && row["measure"] == "word-bag";
        let all = rows(&well(&arguments).out);
        let find = |name: &str| all.iter().find(|row| of(row, name)).unwrap().clone();
        (find("lqf"), find("plain"))
    };
    let (nothing, plain) = one(&["--beta", "2"]);
    assert_eq!((&nothing["precision"], &plain["recall"]), (&json!(0.0), &json!(1.0)));
    let (f1, f2) = (plain["f1"].as_f64().unwrap(), plain["f_beta"].as_f64().unwrap());
    assert!(f2 > f1 && f1 < 0.9, "{plain}");
    assert_eq!(one(&["--empty", "one"]).0["precision"], 1.0);
    let table = well(&["run", "--suite", &suite, "-t", "plain", "--word-rule", "white-space", "--beta", "0.5", "--db", &db]).out;
    assert!(table.contains("F0.5") && table.contains("E0.5"), "{table}");
    let refused = bench(&["run", "--suite", &suite, "-t", "plain", "--db", &db]);
    assert!(refused.code == 2 && refused.err.contains("words=white-space") && refused.err.contains("--db"), "{}", refused.err);
}

#[test]
fn further_measures_are_taken_where_they_are_asked_for() {
    let (folder, suite, _) = workbench(2);
    let first = folder.path().join("tiny/gold/0.txt");
    fs::write(&first, format!("URL: http://example.org/\n\n<p>{}", fs::read_to_string(&first).unwrap())).unwrap();
    let out = well(&["run", "--suite", &suite, "-t", "lqf:threshold=0.5", "--more-measures", "-f", "csv"]).out;
    let value = |page: &str, measure: &str| {
        let line = out.lines().find(|line| line.split(',').nth(2) == Some(page) && line.contains(&format!(",{measure},")));
        line.and_then(|line| line.rsplit(',').next()).unwrap_or("none").to_owned()
    };
    for measure in ["word-bag", "aligned-blocks", "block-accuracy", "levenshtein", "levenshtein-marks"] {
        assert_eq!(value("0", measure), "1", "{measure}: {out}");
    }
    assert_eq!(value("1", "levenshtein-marks"), "none");
}

#[test]
fn bundles_packages_and_times_are_written_and_read() {
    let (folder, suite, db) = workbench(6);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    well(&["run", "--suite", &suite, "-t", "lqf:threshold=0.5", "--db", &db]);
    well(&["bundle", "--db", &db, "-o", &path("bundle")]);
    assert!(fs::read_to_string(folder.path().join("bundle/README.md")).unwrap().contains("| tiny |"));
    let times = well(&["times", "--db", &db]).out;
    assert!(times.contains("Spearman") && times.lines().filter(|line| line.contains("lqf")).count() == 5, "{times}");
    well(&["package", &suite, "-o", &path("all.zip")]);
    let listed = well(&["suites", &path("all.zip")]).out;
    assert!(listed.contains("all") && listed.contains('6'), "{listed}");
    // The same pages, their gold by landmarks: the paragraph without the link in it.
    fs::write(path("marks.json"), r#"{"between": [{"start": "<p>", "end": "</p>"}], "without": ["a"]}"#).unwrap();
    fs::write(path("tiny/pages/odd.html"), "<div>another template</div>").unwrap();
    let done = bench(&["package", &path("tiny/pages"), "--landmarks", &path("marks.json"), "-o", &path("marked.zip")]);
    assert!(
        done.code == 1 && done.err.contains("odd.html: `<p>` is not there") && done.err.contains("6 documents"),
        "{}",
        done.err
    );
    let right = rows(&well(&["run", "--suite", &path("marked.zip"), "-t", "plain", "-f", "json"]).out);
    assert!(right.iter().all(|row| row["recall"] == 1.0 && row["pages"] == 6), "{right:?}");
}

#[test]
fn curves_tell_a_rating_from_chance() {
    let (folder, suite, _) = workbench(4);
    let table = well(&["curves", "--suite", &suite, "-t", "lqf", "-t", "bte"]);
    let line = table.out.lines().find(|line| line.contains("lqf")).unwrap();
    // The menu has links only: it comes after the paragraph on every page.
    assert!(line.split_whitespace().filter(|cell| *cell == "1.000").count() >= 4, "{}", table.out);
    assert!(table.err.contains("bte does not rate"), "{}", table.err);
    let file = folder.path().join("curves.html");
    well(&["curves", "-s", &suite, "-t", "lqf", "-f", "html", "-o", file.to_str().unwrap()]);
    assert!(fs::read_to_string(file).unwrap().contains("class=curve"));
    let refused = bench(&["curves", "-s", &suite, "-t", "bte"]);
    assert!(refused.code == 2 && refused.err.contains("none of these techniques rates"), "{}", refused.err);
}

#[test]
fn a_system_behind_http_is_a_contender_on_this_machine_only() {
    let (_folder, suite, _) = workbench(3);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let system = format!("plain-text=http://{}/", listener.local_addr().unwrap());
    // It answers with the page as it was sent: all of its text.
    std::thread::spawn(move || {
        use std::io::{Read, Write};
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
            while !bytes.ends_with(b"</body>") {
                let count = connection.read(&mut part).unwrap();
                bytes.extend_from_slice(&part[..count]);
            }
            let text = String::from_utf8(bytes).unwrap();
            let body = text.split_once("\r\n\r\n").unwrap().1;
            write!(connection, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}").unwrap();
        }
    });
    let out = well(&["run", "--suite", &suite, "-t", "plain", "--http", &system, "-f", "json"]).out;
    let f1 = |name: &str| {
        let found = rows(&out).into_iter().find(|row| row["technique"] == name && row["measure"] == "word-bag");
        found.unwrap_or_else(|| panic!("{out}"))["f1"].as_f64().unwrap()
    };
    assert!(f1("plain") > 0.5 && f1("plain") == f1("plain-text"));
    let elsewhere = bench(&["run", "--suite", &suite, "--http", "far=http://192.0.2.1/"]);
    assert!(elsewhere.code == 2 && elsewhere.err.contains("--http-anywhere"), "{}", elsewhere.err);
}

#[test]
fn times_by_module_tell_what_a_technique_did() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("sites.db").to_str().unwrap().to_owned();
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/sites");
    well(&["run", "--suite", suite, "-t", "temex", "-t", "template-page", "--db", &db, "--limit", "2", "--without-lcs"]);
    let out = well(&["times", "--db", &db, "--modules"]).out;
    let cells = |name: &str| out.lines().find(|line| line.starts_with(name)).unwrap().split_whitespace().collect::<Vec<_>>();
    assert!(cells("temex").iter().all(|cell| *cell != "–") && cells("temex").len() == 7, "{out}");
    assert_eq!(cells("template-page")[3..5], ["–", "–"], "{out}");
}

#[test]
fn templates_are_counted_and_what_they_save_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for at in 0..12 {
        let html = format!("<nav><a href=/>Home</a></nav><main><h1>Day {at}</h1><p>It rained {at} hours.</p></main>");
        fs::write(folder.path().join(format!("{at}.html")), html).unwrap();
    }
    let mirror = folder.path().to_str().unwrap();
    let study = |more: &[&str]| {
        let mut arguments =
            vec!["segmentation", mirror, "--base-url", "https://example.org/", "--gain", "dom-blocks", "-f", "json"];
        arguments.extend(more);
        serde_json::from_str::<Value>(&well(&arguments).out).unwrap()
    };
    let ours = study(&[]);
    assert_eq!((&ours["growth"][0]["pages"], &ours["growth"][0]["new_template_at"]), (&json!(12), &json!([0])));
    assert_eq!((&ours["gain"][0]["carried_over"], &ours["gain"][0]["agreement"]), (&json!(10), &json!(1.0)));
    let published = study(&["--carry-over", "trials=0", "--carry-over", "way=published", "--limit", "5"]);
    assert_eq!((&published["gain"][0]["pages"], &published["gain"][0]["carried_over"]), (&json!(5), &json!(4)));
    let wrong = bench(&["segmentation", mirror, "--carry-over", "way=mine"]);
    assert!(wrong.code == 2 && wrong.err.contains("sibling-runs or published"), "{}", wrong.err);
}

#[test]
fn stability_is_told_for_every_setting() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/segments");
    let out = well(&["segmentation", "--suite", suite, "--try", "bcs:ct=0.4,0.5", "--try", "vips:pdoc=5,8"]).out;
    for part in ["bcs:ct=0.4", "vips:pdoc=8", "bcs over its settings", "best F 1"] {
        assert!(out.contains(part), "{part}: {out}");
    }
}
