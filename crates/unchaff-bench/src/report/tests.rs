//! Reports over a database of made-up results: what they print is what is in the database, and nothing breaks out of them.

use super::*;
use crate::database::{Experiment, PageRecord, ScoreRecord, TechniqueRecord};
use unchaff_dom::{NodeId, Page, Tag};

const HOSTILE: &str = "\"><script src=//a.test/x.js></script>'&\u{1b}[2J|`";

fn technique(name: &str, kind: &'static str, settings: &str) -> TechniqueRecord {
    TechniqueRecord {
        name: name.to_owned(),
        kind: kind.into(),
        block: "content".into(),
        settings: settings.to_owned(),
        version: "1".to_owned(),
    }
}

fn page(suite: &str, item: &str, at: usize) -> PageRecord {
    PageRecord {
        suite: suite.to_owned(),
        digest: "0123456789abcdef".to_owned(),
        item: item.to_owned(),
        category: Some(["news", "forum"][at % 2].to_owned()),
        language: Some(["en", "de", "zh"][at % 3].to_owned()),
        split: Some(["train", "eval"][at % 2].into()),
        bytes: 1000 * (at as u64 + 1),
        nodes: Some(10),
        words: Some(10),
        root: "no/such/folder".to_owned(),
    }
}

fn experiment(technique: i64, recall: f64, precision: f64) -> Experiment {
    let f1 = if recall + precision > 0.0 { 2.0 * recall * precision / (recall + precision) } else { 0.0 };
    let score = |measure: &'static str| ScoreRecord {
        block: "content".into(),
        measure: measure.into(),
        retrieved: 1.0,
        gold: 1.0,
        common: 1.0,
        recall,
        precision,
        f1,
    };
    Experiment {
        technique,
        error: None,
        loads: 1,
        load_seconds: 0.001,
        compute_seconds: 0.002,
        repetitions: 1,
        steady: None,
        scores: vec![score("word-bag"), score("word-lcs")],
        stages: Vec::new(),
    }
}

fn failure(technique: i64) -> Experiment {
    Experiment { error: Some(format!("broke: {HOSTILE}")), scores: Vec::new(), ..experiment(technique, 0.0, 0.0) }
}

/// Two suites of twelve pages; three techniques with scores, one of which fails once, and one that only fails.
fn database() -> Database {
    let mut database = Database::in_memory().unwrap();
    let techniques = [
        technique("conex-page", "page", "{}"),
        technique("conex-page", "page", "{\"c\":2}"),
        technique(HOSTILE, "external", "{}"),
        technique("never", "external", "{}"),
    ];
    let ids = database.techniques(&techniques).unwrap();
    for suite in ["news", HOSTILE] {
        let pages = (0..12).map(|at| {
            let item = if at == 5 { HOSTILE.to_owned() } else { format!("page-{at:02}") };
            let share = at as f64 / 11.0;
            let third = if at == 3 { failure(ids[2]) } else { experiment(ids[2], 0.3 + share / 7.0, 0.9) };
            let ran = vec![
                experiment(ids[0], 0.9 - share / 3.0, 0.8),
                experiment(ids[1], 0.5, 0.4 + share / 2.0),
                third,
                failure(ids[3]),
            ];
            (page(suite, &item, at), ran)
        });
        // The last technique fails where nobody has a score, too.
        let alone = (page("unscored", "only", 0), vec![failure(ids[3])]);
        database.record(&pages.chain([alone]).collect::<Vec<_>>()).unwrap();
    }
    database
}

fn rows(database: &Database) -> Vec<Value> {
    json(database, &ReportOptions::default()).unwrap()["rows"].as_array().unwrap().clone()
}

fn elements(page: &Page, below: NodeId, tag: Tag) -> Vec<NodeId> {
    page.subtree(below).filter(|node| page.tag(*node) == tag).collect()
}

#[test]
fn json_rows_are_what_a_query_of_the_database_says() {
    let database = database();
    let rows = rows(&database);
    assert_eq!(rows.len(), 4 * 2 * 2);
    let row =
        rows.iter().find(|row| row["technique"] == "conex-page" && row["settings"]["c"] == 2 && row["suite"] == "news").unwrap();
    let query = "SELECT avg(s.recall), avg(s.precision), avg(s.f1), count(*), avg(e.compute_seconds) FROM score s JOIN experiment e ON e.id = s.experiment \
                 JOIN technique t ON t.id = e.technique JOIN page p ON p.id = e.page \
                 WHERE t.settings = '{\"c\":2}' AND p.suite = 'news' AND s.measure = 'word-bag'";
    let mut values = [0.0; 5];
    database
        .connection()
        .query_row(query, [], |row| {
            for (at, value) in values.iter_mut().enumerate() {
                *value = row.get(at)?;
            }
            Ok(())
        })
        .unwrap();
    for (name, value) in ["recall", "precision", "f1", "pages"].iter().zip(values) {
        assert!((row[*name].as_f64().unwrap() - value).abs() < 1e-12, "{name}: {row}");
    }
    assert!((row["compute_ms"].as_f64().unwrap() - values[4] * 1000.0).abs() < 1e-9);
    assert_eq!((&row["digest"], &row["block"]), (&Value::from("0123456789abcdef"), &Value::from("content")));
}

#[test]
fn a_failure_counts_as_zero_where_the_page_has_gold() {
    let database = database();
    let rows = rows(&database);
    let hostile = rows.iter().find(|row| row["technique"] == HOSTILE).unwrap();
    assert_eq!((&hostile["pages"], &hostile["failures"]), (&Value::from(12), &Value::from(1)));
    let never = rows.iter().find(|row| row["technique"] == "never").unwrap();
    assert_eq!((&never["f1"], &never["pages"], &never["failures"]), (&Value::from(0.0), &Value::from(12), &Value::from(12)));
    assert!(never["compute_ms"].is_null());
    let unscored = &json(&database, &ReportOptions::default()).unwrap()["unscored"];
    assert_eq!((&unscored[0]["suite"], &unscored[0]["failures"]), (&Value::from("unscored"), &Value::from(1)));
}

#[test]
fn groups_hold_every_page_once_and_quarters_are_equal() {
    let json = json(&database(), &ReportOptions::default()).unwrap();
    for by in ["category", "language", "size", "split"] {
        let of_one =
            json["groups"].as_array().unwrap().iter().filter(|row| {
                row["by"] == by && row["settings"]["c"] == 2 && row["suite"] == "news" && row["measure"] == "word-bag"
            });
        let pages: Vec<u64> = of_one.map(|row| row["pages"].as_u64().unwrap()).collect();
        assert_eq!(pages.iter().sum::<u64>(), 12, "{by}");
        assert!(by != "size" || pages == [3, 3, 3, 3]);
    }
}

#[test]
fn selections_leave_the_rest_out() {
    let database = database();
    let selection = Selection {
        techniques: vec!["conex-page:c=2".to_owned()],
        suites: vec!["news".to_owned()],
        measures: vec!["word-lcs".to_owned()],
        split: Some("eval".to_owned()),
        ..Selection::default()
    };
    let json = json(&database, &ReportOptions { selection, ..ReportOptions::default() }).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 1);
    assert_eq!(json["rows"][0]["pages"], 6);
}

/// Every figure of every table in the HTML report, read back from it, against the rows.
#[test]
fn numbers_in_the_html_report_are_those_of_the_database() {
    let database = database();
    let report = Page::parse(html(&database, &ReportOptions::default()).unwrap());
    let rows = rows(&database);
    let mut seen = 0;
    for table in elements(&report, report.root(), Tag::Table) {
        let Some(suite) = report.attr(table, "data-suite") else { continue };
        let body = elements(&report, table, Tag::Tbody)[0];
        let heads: Vec<&str> =
            elements(&report, table, Tag::Th).iter().take_while(|head| **head < body).map(|head| report.text(*head)).collect();
        for line in elements(&report, body, Tag::Tr) {
            let cells: Vec<&str> = report.element_children(line).map(|cell| report.text(cell)).collect();
            let label = |row: &Value| match row["settings"]["c"].as_u64() {
                Some(c) => format!("conex-page:c={c}"),
                None => row["technique"].as_str().unwrap().replace('\u{1b}', "\u{fffd}"),
            };
            let row = rows.iter().find(|row| {
                let title = format!("{} {}", row["suite"].as_str().unwrap(), row["digest"].as_str().unwrap())
                    .replace('\u{1b}', "\u{fffd}");
                title == suite && report.attr(table, "data-measure") == row["measure"].as_str() && label(row) == cells[1]
            });
            let row = row.unwrap_or_else(|| panic!("{suite} {cells:?}"));
            for (head, cell) in heads.iter().zip(&cells) {
                let key = match *head {
                    "F1" => "f1",
                    "F1 of means" => "f1_of_means",
                    "ms" => "compute_ms",
                    "ms/kB" => "ms_per_kb",
                    head @ ("recall" | "precision" | "median" | "deviation" | "pages" | "failures" | "loads") => head,
                    _ => continue,
                };
                let value = row[key].as_f64();
                let expected = match key {
                    "pages" | "failures" => format!("{:.0}", value.unwrap()),
                    "loads" | "compute_ms" | "ms_per_kb" => number(value),
                    _ => share(value.unwrap()),
                };
                assert_eq!(*cell, expected, "{head} of {cells:?}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, rows.len() * 11);
}

#[test]
fn nothing_is_loaded_and_hostile_names_stay_text() {
    let source = html(&database(), &ReportOptions::default()).unwrap();
    let report = Page::parse(source.clone());
    let scripts = elements(&report, report.root(), Tag::Script);
    assert_eq!(scripts.len(), 1);
    assert_eq!(report.attr(scripts[0], "src"), None);
    for node in report.nodes() {
        for (name, value) in report.attrs(node) {
            assert!(!name.starts_with("on"), "{name}");
            assert!(!matches!(name, "src" | "href") || value.starts_with('#'), "{name}={value}");
        }
    }
    assert!(!source.contains("http://") && !source.contains("https://") && !source.contains('\u{1b}'));
    assert!(report.text(report.root()).contains("<script src=//a.test/x.js></script>"));
    assert!(source.contains("0123456789abcdef"));
}

#[test]
fn terminal_and_markdown_say_the_same_and_cannot_be_broken_by_names() {
    let database = database();
    let options = ReportOptions::default();
    let (terminal, markdown) = (terminal(&database, &options).unwrap(), markdown(&database, &options).unwrap());
    let f1 = share(rows(&database)[0]["f1"].as_f64().unwrap());
    for text in [&terminal, &markdown] {
        assert!(
            text.contains(&f1)
                && text.contains("0123456789abcdef")
                && text.contains("F1 by language")
                && text.contains("Without a score")
        );
        assert!(!text.contains('\u{1b}'));
    }
    assert!(!markdown.contains('<'));
}

#[test]
fn an_empty_database_makes_a_report_that_says_so() {
    let database = Database::in_memory().unwrap();
    let options = ReportOptions::default();
    assert_eq!(json(&database, &options).unwrap(), json!({"rows": [], "groups": [], "unscored": []}));
    for text in [html(&database, &options), markdown(&database, &options), terminal(&database, &options)] {
        assert!(text.unwrap().contains("There are no scores here"));
    }
}

#[test]
fn techniques_are_compared_on_the_pages_both_have_scores_for() {
    let database = database();
    let comparison = compare(&database, "conex-page:c=2", HOSTILE, &Selection::default()).unwrap();
    assert_eq!(comparison.parts.len(), 4);
    let part = comparison.parts.iter().find(|part| part.suite == "news").unwrap();
    assert_eq!((part.measure.as_str(), part.paired.wins + part.paired.losses + part.paired.ties), ("word-bag", 12));
    // The failure is the largest difference.
    assert_eq!((part.largest[0].0.as_str(), part.largest[0].2), ("page-03", 0.0));
    assert!(comparison.terminal().contains("Largest differences") && comparison.markdown().contains("95 % interval"));
    assert_eq!(comparison.json()["rows"][0]["interval"].as_array().unwrap().len(), 2);
    let same = compare(&database, "never", "never", &Selection::default()).unwrap();
    assert_eq!((same.parts[0].paired.difference, same.parts[0].paired.ties), (0.0, 12));
}

#[test]
fn techniques_that_are_not_there_are_named_with_those_that_are() {
    let database = database();
    let unknown = compare(&database, "nobody", "never", &Selection::default()).unwrap_err().to_string();
    assert!(unknown.contains("`nobody`") && unknown.contains("`never`"), "{unknown}");
    let settings = TechniqueRecord { version: "2".to_owned(), ..technique("never", "external", "{}") };
    let mut database = database;
    database.techniques(&[settings]).unwrap();
    let several = compare(&database, "never", HOSTILE, &Selection::default()).unwrap_err().to_string();
    assert!(several.contains("`never @1`, `never @2`"), "{several}");
}

#[test]
fn a_comparison_that_is_asked_for_is_in_the_report() {
    let compare = Some(("conex-page:c=2".to_owned(), "never".to_owned()));
    let report = html(&database(), &ReportOptions { compare, ..ReportOptions::default() }).unwrap();
    assert!(report.contains("conex-page:c=2 is better than never on pages like these."), "{report}");
    assert!(!report.contains("The best two"));
}

#[test]
fn figures_do_not_depend_on_the_order_of_the_runs() {
    let (ours, other) = (database(), database());
    other
        .connection()
        .execute_batch(
            "PRAGMA foreign_keys = OFF; UPDATE experiment SET id = 1000 - id; UPDATE score SET experiment = 1000 - experiment;",
        )
        .unwrap();
    let options = ReportOptions::default();
    assert_eq!(html(&ours, &options).unwrap(), html(&other, &options).unwrap());
}

/// A suite of a labelled site and one of a text, written here, run, and shown with gold and result over each other.
#[test]
fn worst_pages_are_shown_with_gold_and_result() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let story = "<p>The river rose in the night and the bridge was closed until noon.</p>".repeat(4);
    let page_source = |class: &str| {
        format!(
            "<html><body><ul><li><a href=/a>Home</a><li><a href=/b>About</a></ul><div{class}>{}</div></body></html>",
            story.replace("<p>", &format!("<p{class}>"))
        )
    };
    write(
        "sites/river/site.json",
        r#"{"key_page": "index.html", "category": "news", "language": "en", "base_url": "http://river.test/"}"#,
    );
    write("sites/river/pages/index.html", &page_source(""));
    write("sites/river/gold.html", &page_source(" class='TECO_notTemplate TECO_mainContent'"));
    write("texts/meta.json", r#"{"items": {"one": {}}}"#);
    write("texts/pages/one.html", &page_source(""));
    write("texts/gold/one.txt", "The river rose and the mill stood still.");
    let mut database = Database::in_memory().unwrap();
    let id = database.techniques(&[technique("conex-page", "page", "{\"c\":3}")]).unwrap()[0];
    for suite in ["sites", "texts"].iter().flat_map(|name| crate::suite::Suite::open(&folder.path().join(name)).unwrap()) {
        let root = suite.root.display().to_string();
        let record = PageRecord { suite: suite.name, digest: suite.digest, root, ..page("", &suite.items[0].id, 0) };
        database.record(&[(record, vec![experiment(id, 0.5, 0.5)])]).unwrap();
    }
    let source = html(&database, &ReportOptions::default()).unwrap();
    let report = Page::parse(source.clone());
    let frame = elements(&report, report.root(), Tag::Iframe)[0];
    assert_eq!(report.attr(frame, "sandbox"), Some(""));
    assert!(report.attr(frame, "srcdoc").unwrap().contains("data-unchaff=right"));
    assert!(source.contains("<del>") && source.contains("<ins>"), "{source}");

    let short = html(&database, &ReportOptions { page_bytes: 10, ..ReportOptions::default() }).unwrap();
    assert!(short.contains("too long to be shown"));
    write("texts/gold/one.txt", "Another gold.");
    let changed = html(&database, &ReportOptions::default()).unwrap();
    assert!(changed.contains("has changed since the run") && changed.contains("<iframe"));
}
