//! What must hold of runs.

use super::contender::Technique;
use super::*;
use crate::export::{Form, export};
use unchaff_dom::Page;
use unchaff_page::{BlockKind, Detection, Explanation, PageTechnique};

fn named(names: &[&str]) -> Vec<Contender> {
    names.iter().flat_map(|name| Contender::named(name, &[]).unwrap()).collect()
}

fn quiet(_: u64, _: u64) {}

/// All results but the times.
fn results(database: &Database) -> Vec<String> {
    let mut out = Vec::new();
    export(database, Form::JsonLines, &mut out).unwrap();
    let without_times = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        for field in ["load_seconds", "compute_seconds", "seconds_per_kb"] {
            line.as_object_mut().unwrap().remove(field);
        }
        line.to_string()
    };
    String::from_utf8(out).unwrap().lines().map(without_times).collect()
}

#[test]
fn results_are_the_same_with_any_number_of_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [tiny_suite::write(folder.path(), 9)];
    let contenders = named(&["all", "conex-page:c=2", "conex-page:c=3"]);
    let run_with = |jobs| {
        let mut database = Database::in_memory().unwrap();
        let done = run(&mut database, &suites, &contenders, &Options { jobs, ..Options::default() }, &quiet).unwrap();
        assert_eq!((done.pages, done.failed, done.earlier), (9, 0, 0));
        results(&database)
    };
    let one = run_with(1);
    assert_eq!(one, run_with(2));
    let content = unchaff_page::registry::all().iter().filter(|entry| entry.kind == BlockKind::Content).count();
    // Techniques for which the suite has no gold stay out, and settings that are the default are the technique itself.
    assert_eq!(one.len(), 9 * (content + 1));
}

#[test]
fn a_run_is_taken_up_where_it_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [tiny_suite::write(folder.path(), 8)];
    let contenders = named(&["lqf", "bte", "conex-page"]);
    let mut whole = Database::in_memory().unwrap();
    run(&mut whole, &suites, &contenders, &Options::default(), &quiet).unwrap();

    let mut database = Database::in_memory().unwrap();
    let part = Options { limit: Some(3), ..Options::default() };
    run(&mut database, &suites, &contenders[..2], &part, &quiet).unwrap();
    let done = run(&mut database, &suites, &contenders, &Options::default(), &quiet).unwrap();
    assert_eq!((done.experiments, done.earlier, done.pages), (8 * 3 - 6, 6, 8));
    assert_eq!(results(&database), results(&whole));
    let again = run(&mut database, &suites, &contenders, &Options::default(), &quiet).unwrap();
    assert_eq!((again.experiments, again.earlier), (0, 24));
    let fresh = run(&mut database, &suites, &contenders, &Options { fresh: true, ..Options::default() }, &quiet).unwrap();
    assert_eq!((fresh.experiments, fresh.earlier), (24, 0));
    assert_eq!(results(&database), results(&whole));
}

#[test]
fn splits_and_limits_select_pages() {
    let folder = tempfile::tempdir().unwrap();
    let suite = tiny_suite::write(folder.path(), 8);
    let ids = |options: Options| selected(&suite, &options).iter().map(|item| item.id.clone()).collect::<Vec<_>>().join(" ");
    assert_eq!(ids(Options { split: Some(Split::Train), ..Options::default() }), "0 2 4 6");
    assert_eq!(ids(Options { split: Some(Split::Eval), limit: Some(2), ..Options::default() }), "1 3");
}

struct Panics;

impl PageTechnique for Panics {
    fn name(&self) -> &'static str {
        "panics"
    }

    fn detect(&self, page: &Page) -> Detection {
        assert!(!page.source().contains("number 3"), "three is too many");
        Detection::of(BlockKind::Content, page.subtree_set(page.root()))
    }

    fn explain(&self, _: &Page) -> Explanation {
        Explanation::default()
    }
}

#[test]
fn a_panic_is_a_row_that_scores_zero() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [tiny_suite::write(folder.path(), 5)];
    let panics = Contender {
        name: "panics".to_owned(),
        block: Some(BlockKind::Content),
        settings: Settings::new(),
        technique: Technique::Page(Box::new(Panics)),
    };
    let mut database = Database::in_memory().unwrap();
    let done = run(&mut database, &suites, &[panics], &Options::default(), &quiet).unwrap();
    assert_eq!((done.experiments, done.failed), (5, 1));
    let query = "SELECT item, error, recall, precision, f1, gold FROM experiment JOIN page ON page.id = page \
        JOIN score ON experiment = experiment.id WHERE error IS NOT NULL AND measure = 'word-bag'";
    let row: (String, String, f64, f64, f64, f64) = database
        .connection()
        .query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?)))
        .unwrap();
    assert_eq!(row, ("3".to_owned(), "it panicked: three is too many".to_owned(), 0.0, 0.0, 0.0, 19.0));
}

#[cfg(unix)]
#[test]
fn external_commands_stand_beside_techniques() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [tiny_suite::write(folder.path(), 4)];
    let external = |text: &str| Contender::external(text, Duration::from_secs(20)).unwrap();
    let contenders = [
        external("right=sed -n 's/<[^>]*>//g; /rained/p'"),
        external("broken=echo oh no >&2; exit 3"),
        external("marks=sed 's/<p>/<p data-unchaff=content>/; s/<a href=.[0-9]*>was/<a data-unchaff=content href=\"\">was/'"),
        external("other=echo '<div data-unchaff=content>It rained</div>'"),
    ];
    let mut database = Database::in_memory().unwrap();
    let done = run(&mut database, &suites, &contenders, &Options::default(), &quiet).unwrap();
    assert_eq!((done.experiments, done.failed), (16, 8));
    let mut query = database
        .connection()
        .prepare(
            "SELECT name, avg(f1), count(error), min(error) FROM technique JOIN experiment ON technique = technique.id \
            JOIN score ON experiment = experiment.id WHERE measure = 'word-bag' GROUP BY name ORDER BY name",
        )
        .unwrap();
    let rows: Vec<(String, f64, u64, Option<String>)> = query
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(rows[0], ("broken".to_owned(), 0.0, 4, Some("exit code 3: oh no".to_owned())));
    assert_eq!(rows[1], ("marks".to_owned(), 1.0, 0, None));
    assert_eq!((rows[2].1, rows[2].2), (0.0, 4));
    assert_eq!(rows[3], ("right".to_owned(), 1.0, 0, None));
}

#[test]
fn a_page_that_cannot_be_loaded_is_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [tiny_suite::write(folder.path(), 3)];
    std::fs::remove_file(folder.path().join("gold/1.txt")).unwrap();
    let mut database = Database::in_memory().unwrap();
    let done = run(&mut database, &suites, &named(&["lqf", "bte"]), &Options::default(), &quiet).unwrap();
    assert_eq!((done.experiments, done.failed), (6, 2));
}

#[test]
fn times_are_taken_by_the_protocol_also_where_results_were_there() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [tiny_suite::write(folder.path(), 2)];
    let contenders = named(&["lqf"]);
    let mut database = Database::in_memory().unwrap();
    run(&mut database, &suites, &contenders, &Options::default(), &quiet).unwrap();
    let protocol = Some(Protocol { most: 4, ..Protocol::default() });
    let timed = Options { protocol, ..Options::default() };
    for expected in [(2, 0), (0, 2)] {
        let done = run(&mut database, &suites, &contenders, &timed, &quiet).unwrap();
        assert_eq!((done.experiments, done.earlier), expected);
    }
    let rows: u32 = database
        .connection()
        .query_row("SELECT count(*) FROM experiment WHERE repetitions = 4 AND NOT steady", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 2);
}

#[test]
fn what_cannot_be_run_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [tiny_suite::write(folder.path(), 2)];
    let mut database = Database::in_memory().unwrap();
    let menus = named(&["menex"]);
    let said = check_applicable(&menus, &suites).unwrap_err().to_string();
    assert!(said.contains("menex looks for menu"), "{said}");
    let said = run(&mut database, &suites, &[], &Options::default(), &quiet).unwrap_err().to_string();
    assert!(said.contains("no technique"), "{said}");
    let said = run(&mut database, &[], &named(&["lqf"]), &Options::default(), &quiet).unwrap_err().to_string();
    assert!(said.contains("no suite"), "{said}");
}

#[test]
fn results_that_cannot_be_kept_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let suite = tiny_suite::write(folder.path(), 200);
    let contenders = named(&["lqf"]);
    let (entered, earlier): (Vec<&Contender>, _) = (contenders.iter().collect(), HashMap::new());
    for jobs in [1, 4] {
        let options = Options { jobs, ..Options::default() };
        let heat = Heat { suite: &suite, contenders: &entered, numbers: &[1], earlier: &earlier, options: &options };
        let full = || DatabaseError::Query(rusqlite::Error::InvalidQuery);
        assert!(matches!(heat.run(&mut |_| Err(full()), &|_| {}), Err(RunError::Database(_))));
    }
}

/// Three pages with segments; two of them were rendered.
fn segment_suite(folder: &std::path::Path) -> Suite {
    for name in ["a", "b", "c"] {
        let page = format!("<body><div><p>{name} one</p><p>two</p></div><div><p>three</p><p>four</p></div></body>");
        std::fs::create_dir_all(folder.join(name)).unwrap();
        std::fs::write(folder.join(name).join("index.dom.html"), &page).unwrap();
        std::fs::write(folder.join(name).join("index.blocks.html"), page.replace("<div>", "<div data-block=1>")).unwrap();
    }
    let layouts = folder.join("layouts");
    std::fs::create_dir_all(&layouts).unwrap();
    let suite = Suite::open(folder).unwrap().remove(0);
    for item in &suite.items[..2] {
        let page = suite.load(item).unwrap().page;
        let texts = page.nodes().filter(|node| page.name(*node) == "#text");
        let line = |(at, node): (usize, unchaff_dom::NodeId)| {
            format!("{{\"rect\":[0,{},90,{}],\"kind\":\"text\",\"node\":{}}}", 90 * at, 90 * at + 9, node.0)
        };
        let lines: Vec<String> = texts.enumerate().map(line).collect();
        let json = format!("{{\"width\":100,\"height\":400,\"boxes\":[{}]}}", lines.join(","));
        std::fs::write(layouts.join(item.boxes_name().unwrap()), json).unwrap();
    }
    let mut suite = Suite::open(folder).unwrap().remove(0);
    suite.keep_boxes_in(&layouts);
    suite
}

#[test]
fn segments_are_measured_on_rendered_pages_and_by_the_tree_on_others() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [segment_suite(folder.path())];
    let contenders = named(&["dom-blocks", "visual-blocks", "bcs:ct=0.5", "visual-blocks:most=0.7+dom-blocks"]);
    check_applicable(&contenders, &suites).unwrap();
    assert!(check_applicable(&named(&["conex-page"]), &suites).is_err());
    let run_with =
        |jobs, fresh: &mut Database| run(fresh, &suites, &contenders, &Options { jobs, ..Options::default() }, &quiet).unwrap();
    let mut database = Database::in_memory().unwrap();
    let done = run_with(1, &mut database);
    // What needs boxes is not run on the page without, rather than failing there, so that it is run later.
    assert_eq!((done.experiments, done.failed, done.pages), (2 * 4 + 1, 0, 3));
    let mut other = Database::in_memory().unwrap();
    run_with(2, &mut other);
    assert_eq!(results(&database), results(&other));
    let again = run_with(1, &mut database);
    assert_eq!((again.experiments, again.earlier), (0, 9));
    let count = |query: &str| database.connection().query_row(query, [], |row| row.get::<_, u32>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM score WHERE block = 'segments' AND measure = 'ari-1'"), 8);
    assert_eq!(count("SELECT count(*) FROM score WHERE measure = 'b3-tree-nodes-1'"), 1);
    assert_eq!(count("SELECT count(*) FROM technique WHERE kind = 'segment' AND block = 'segments'"), 4);

    let table = crate::report::terminal(&database, &crate::report::ReportOptions::default()).unwrap();
    assert!(table.contains("segments · f-1") && table.contains("visual-blocks:most=0.7+dom-blocks"), "{table}");
    let html = crate::report::html(&database, &crate::report::ReportOptions::default()).unwrap();
    assert!(html.contains("Left what people drew"), "{html}");
    let compared = crate::report::compare(&database, "dom-blocks", "visual-blocks", &Default::default()).unwrap();
    assert_eq!((compared.parts[0].measure.as_str(), compared.parts.len()), ("f-1", 7));
}
