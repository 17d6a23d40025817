//! What must hold of sweeps.

use super::*;
use crate::run::tiny_suite;

fn a_sweep(axes: &[&str], keep: Keep) -> Sweep {
    Sweep {
        axes: axes.iter().map(|axis| Axis::read(axis).unwrap()).collect(),
        sums: Vec::new(),
        sample: None,
        keep,
        measure: None,
        top: 3,
    }
}

fn run(database: &mut Database, suites: &[Suite], sweep_of: &Sweep, jobs: usize) -> Swept {
    let base = Contender::one("lqf", &[]).unwrap();
    sweep(database, suites, &base, sweep_of, &Options { jobs, ..Options::default() }, &|_, _| {}).unwrap()
}

fn threshold(standing: &Standing) -> f64 {
    standing.settings["threshold"].as_f64().unwrap()
}

#[test]
fn the_best_settings_are_found_on_one_split_and_evaluated_on_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [tiny_suite::write(folder.path(), 7)];
    let mut database = Database::in_memory().unwrap();
    let swept = run(&mut database, &suites, &a_sweep(&["threshold=0.1..1:0.1", "scope=local,subtree"], Keep::All), 1);
    assert_eq!((swept.tried, swept.best.len()), (20, 3));
    let best = &swept.best[0];
    assert_eq!((threshold(best), best.train.f1, best.train.pages), (0.4, 1.0, 4));
    let eval = best.eval.unwrap();
    assert_eq!((eval.f1, eval.pages), (1.0, 3));
    // The published threshold, which is not in the grid, finds nothing here.
    assert!(swept.base.settings.is_empty());
    assert_eq!((swept.base.train.f1, swept.base.eval.unwrap().f1), (0.0, 0.0));
    assert!(swept.best[1].eval.is_none());
    // 21 settings on 4 pages, then two on 3.
    assert_eq!(swept.done.experiments, 21 * 4 + 2 * 3);
    let table = swept.terminal();
    assert!(
        table.contains("threshold=0.4") && table.contains("defaults (the start)") && table.contains(&suites[0].digest),
        "{table}"
    );
    assert_eq!(swept.json()["best"][0]["eval"]["f1"], 1.0);
}

#[test]
fn neither_jobs_nor_what_is_kept_nor_a_stop_changes_the_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [tiny_suite::write(&folder.path().join("a"), 6), tiny_suite::write(&folder.path().join("b"), 9)];
    let outcome = |swept: Swept| Swept { done: Done::default(), ..swept };
    let grid = ["threshold=0..1:0.05"];
    let mut database = Database::in_memory().unwrap();
    let one = outcome(run(&mut database, &suites, &a_sweep(&grid, Keep::All), 1));
    assert_eq!(one, outcome(run(&mut Database::in_memory().unwrap(), &suites, &a_sweep(&grid, Keep::All), 2)));
    let mut few = Database::in_memory().unwrap();
    assert_eq!(one, outcome(run(&mut few, &suites, &a_sweep(&grid, Keep::Best), 2)));
    let kept: i64 = few.connection().query_row("SELECT count(*) FROM experiment", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 2 * 15);

    // As if it had been killed: some of what was done is lost.
    let lost = "id % 3 = 0";
    database
        .connection()
        .execute_batch(&format!(
            "DELETE FROM score WHERE experiment IN (SELECT id FROM experiment WHERE {lost}); DELETE FROM experiment WHERE {lost}"
        ))
        .unwrap();
    let again = run(&mut database, &suites, &a_sweep(&grid, Keep::All), 2);
    assert!(again.done.earlier > again.done.experiments);
    assert_eq!(one, outcome(again));
}

#[test]
fn a_measure_that_nobody_has_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [tiny_suite::write(folder.path(), 4)];
    let base = Contender::one("lqf", &[]).unwrap();
    let mut wrong = a_sweep(&["threshold=0.1,0.2"], Keep::All);
    wrong.measure = Some("links".to_owned());
    let mut database = Database::in_memory().unwrap();
    let failed = |sweep_of: &Sweep, database: &mut Database| {
        sweep(database, &suites, &base, sweep_of, &Options::default(), &|_, _| {}).unwrap_err().to_string()
    };
    assert!(failed(&wrong, &mut database).contains("by links"));
    assert!(failed(&a_sweep(&["treshold=1"], Keep::All), &mut database).contains("`treshold`"));
}
