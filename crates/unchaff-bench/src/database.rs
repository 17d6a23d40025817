//! Where results are kept: one SQLite file with the thesis's three entities, technique, page and experiment.
//!
//! After Alarte (2023), the evaluation back end of the workbench: a technique with its settings has many experiments, a page
//! has many, and an experiment is one technique on one page; experiments are inserted in batches. A batch is a
//! transaction, so a run that is killed leaves whole experiments only; a technique and a page have at most one
//! experiment, so a run that is taken up again counts nothing twice. Users may query the file with any SQLite tool, also
//! while a run writes to it (write-ahead log).

use crate::measure::Measures;
use rusqlite::{Connection, OptionalExtension, params};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The version of the tables below. A file with a higher one was written by a later unchaff and is refused.
pub const SCHEMA_VERSION: u32 = 1;

// Experiments are unique by page first: runs go through the pages, so that new entries of this index come at its end.
const SCHEMA: &str = "
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE technique(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, block TEXT NOT NULL, settings TEXT NOT NULL,
  version TEXT NOT NULL, UNIQUE(name, settings, version));
CREATE TABLE page(
  id INTEGER PRIMARY KEY, suite TEXT NOT NULL, digest TEXT NOT NULL, item TEXT NOT NULL, category TEXT, language TEXT,
  split TEXT, bytes INTEGER, nodes INTEGER, words INTEGER, root TEXT, UNIQUE(suite, digest, item));
CREATE TABLE experiment(
  id INTEGER PRIMARY KEY, technique INTEGER NOT NULL REFERENCES technique, page INTEGER NOT NULL REFERENCES page, error TEXT,
  loads INTEGER, load_seconds REAL, compute_seconds REAL, repetitions INTEGER, steady INTEGER, UNIQUE(page, technique));
CREATE TABLE score(
  experiment INTEGER NOT NULL REFERENCES experiment, block TEXT NOT NULL, measure TEXT NOT NULL, retrieved REAL, gold REAL,
  common REAL, recall REAL, precision REAL, f1 REAL, PRIMARY KEY(experiment, block, measure)) WITHOUT ROWID;
";

// Came later; files without get it when they are opened, and programs that do not know it are not disturbed.
const STAGES: &str = "CREATE TABLE IF NOT EXISTS stage(
  experiment INTEGER NOT NULL REFERENCES experiment, stage TEXT NOT NULL, seconds REAL, PRIMARY KEY(experiment, stage)) WITHOUT ROWID;";

/// Why results cannot be kept or read.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// The file cannot be opened as a database.
    #[error("{path} cannot be used as a database ({source}); name another file, or a new one to start afresh")]
    Open {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The file is a database, but not one of results.
    #[error("{path} is a database of something else; name another file, or a new one to start afresh")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a later version.
    #[error(
        "{path} has schema version {found}, and this unchaff knows up to {SCHEMA_VERSION}; use the unchaff that wrote it, or name another file"
    )]
    Future {
        /// The file.
        path: PathBuf,
        /// The version it has.
        found: String,
    },
    /// The file has figures that were taken by other conventions, which cannot stand beside these.
    #[error(
        "this file has results by the conventions {found}, and now they are {wanted}; name another file with --db, or keep to what it has"
    )]
    Conventions {
        /// What the file has.
        found: String,
        /// What is asked for.
        wanted: String,
    },
    /// There is no such file, where one is to be read.
    #[error("there is no {path}; `unchaff bench run --db {path} …` writes one")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// A query or an insertion failed.
    #[error("the database of results failed: {0}")]
    Query(#[from] rusqlite::Error),
}

/// A technique with its settings, as the table has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TechniqueRecord {
    /// Its name.
    pub name: String,
    /// `page`, `site`, `segment` or `external`.
    pub kind: Cow<'static, str>,
    /// The block it looks for, or `segments`.
    pub block: Cow<'static, str>,
    /// Settings other than the defaults, as a JSON object with sorted keys; `{}` if there are none.
    pub settings: String,
    /// The version of the program that has it.
    pub version: String,
}

/// A page with a gold standard, as the table has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageRecord {
    /// The name of the suite.
    pub suite: String,
    /// The suite's digest.
    pub digest: String,
    /// The page's name in the suite.
    pub item: String,
    /// Its category, where the suite knows one.
    pub category: Option<String>,
    /// Its language, where the suite knows it.
    pub language: Option<String>,
    /// `train` or `eval`.
    pub split: Option<Cow<'static, str>>,
    /// Its size.
    pub bytes: u64,
    /// How many nodes it has; none if it could not be loaded.
    pub nodes: Option<u64>,
    /// How many words it has; none if it could not be loaded.
    pub words: Option<u64>,
    /// The folder of the suite; empty if it is not known, which changes nothing where it is known already.
    pub root: String,
}

/// What an experiment counted for one block by one measure.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoreRecord {
    /// The block.
    pub block: Cow<'static, str>,
    /// The measure.
    pub measure: Cow<'static, str>,
    /// How much was retrieved, in units of the measure.
    pub retrieved: f64,
    /// How much there was to retrieve.
    pub gold: f64,
    /// How much of the retrieved was right.
    pub common: f64,
    /// The share of the gold that was retrieved.
    pub recall: f64,
    /// The share of the retrieved that was right.
    pub precision: f64,
    /// The harmonic mean of both.
    pub f1: f64,
}

/// One technique on one page.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// The number of the technique ([`Database::techniques`]).
    pub technique: i64,
    /// Why it failed, if it did.
    pub error: Option<String>,
    /// How many pages it loaded, the one in question included.
    pub loads: u64,
    /// The time that loading took.
    pub load_seconds: f64,
    /// The time that computing took.
    pub compute_seconds: f64,
    /// How often it was computed.
    pub repetitions: u32,
    /// Whether the time settled; none if it was not timed by the protocol ([`crate::timing`]).
    pub steady: Option<bool>,
    /// What was measured.
    pub scores: Vec<ScoreRecord>,
    /// The parts of the time that computing took, in seconds by stage, if the technique told.
    pub stages: Vec<(Cow<'static, str>, f64)>,
}

/// Results of experiments.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
}

impl Database {
    /// Opens a file of results, which is made if there is none.
    ///
    /// # Errors
    /// If it cannot be opened, is not a file of results, or was written by a later version.
    pub fn open(path: &Path) -> Result<Database, DatabaseError> {
        let failed = |source| DatabaseError::Open { path: path.to_owned(), source };
        let connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(std::time::Duration::from_secs(30)).map_err(failed)?;
        connection.pragma_update(None, "journal_mode", "wal").map_err(failed)?;
        // With the log, this loses at most the last transactions in a power cut, and nothing when the program is killed.
        connection.pragma_update(None, "synchronous", "normal").map_err(failed)?;
        Database::prepare(connection, path)
    }

    /// Opens a file of results that must be there.
    ///
    /// # Errors
    /// If it is not there, and as [`Database::open`].
    pub fn open_existing(path: &Path) -> Result<Database, DatabaseError> {
        if !path.is_file() {
            return Err(DatabaseError::Missing { path: path.to_owned() });
        }
        Database::open(path)
    }

    /// Results that are forgotten at the end.
    ///
    /// # Errors
    /// If SQLite cannot be used at all.
    pub fn in_memory() -> Result<Database, DatabaseError> {
        Database::prepare(Connection::open_in_memory()?, Path::new(":memory:"))
    }

    fn prepare(mut connection: Connection, path: &Path) -> Result<Database, DatabaseError> {
        connection.set_prepared_statement_cache_capacity(64);
        let failed = |source| DatabaseError::Open { path: path.to_owned(), source };
        // Two runs may start on one new file: the first to come makes the tables.
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(failed)?;
        let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(failed)?;
        if tables == 0 {
            transaction.execute_batch(SCHEMA)?;
            transaction.execute("INSERT INTO meta VALUES('schema', ?)", [SCHEMA_VERSION.to_string()])?;
        } else {
            let found: Option<String> = transaction
                .query_row("SELECT value FROM meta WHERE key = 'schema'", [], |row| row.get(0))
                .optional()
                .unwrap_or(None);
            match found.as_deref().map(str::parse::<u32>) {
                Some(Ok(SCHEMA_VERSION)) => {}
                Some(_) => return Err(DatabaseError::Future { path: path.to_owned(), found: found.unwrap_or_default() }),
                None => return Err(DatabaseError::Foreign { path: path.to_owned() }),
            }
        }
        transaction.execute_batch(STAGES)?;
        transaction.commit()?;
        Ok(Database { connection })
    }

    /// The connection, for queries.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// By which conventions its figures are taken ([`crate::measure::Measures`]); files from before there was a choice have the default.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn conventions(&self) -> Result<Option<String>, DatabaseError> {
        let kept =
            self.connection.query_row("SELECT value FROM meta WHERE key = 'conventions'", [], |row| row.get(0)).optional()?;
        let is_empty: bool = self.connection.query_row("SELECT NOT EXISTS(SELECT 1 FROM experiment)", [], |row| row.get(0))?;
        Ok(kept.or_else(|| (!is_empty).then(|| Measures::default().to_string())))
    }

    /// Makes sure that all its figures are taken by these conventions.
    ///
    /// # Errors
    /// If they are not, or the file cannot be written.
    pub fn keep_to(&self, measures: &Measures) -> Result<(), DatabaseError> {
        let wanted = measures.to_string();
        match self.conventions()? {
            Some(found) if found != wanted => Err(DatabaseError::Conventions { found, wanted }),
            _ => {
                self.connection.execute("INSERT OR REPLACE INTO meta VALUES('conventions', ?)", [wanted])?;
                Ok(())
            }
        }
    }

    /// The numbers of techniques, which are entered if they are new.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn techniques<'a>(
        &mut self,
        techniques: impl IntoIterator<Item = &'a TechniqueRecord>,
    ) -> Result<Vec<i64>, DatabaseError> {
        let transaction = self.connection.transaction()?;
        let mut numbers = Vec::new();
        {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO technique(name, kind, block, settings, version) VALUES(?, ?, ?, ?, ?)
                 ON CONFLICT(name, settings, version) DO UPDATE SET kind = excluded.kind, block = excluded.block RETURNING id",
            )?;
            for technique in techniques {
                let TechniqueRecord { name, kind, block, settings, version } = technique;
                numbers.push(insert.query_row(params![name, kind, block, settings, version], |row| row.get(0))?);
            }
        }
        transaction.commit()?;
        Ok(numbers)
    }

    /// The experiments that a suite's pages have already: for each item the techniques, in ascending order. With `timed`,
    /// only those whose time was taken by the protocol.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn done(&self, suite: &str, digest: &str, timed: bool) -> Result<HashMap<String, Vec<i64>>, DatabaseError> {
        let mut query = self.connection.prepare_cached(
            "SELECT page.item, experiment.technique FROM page JOIN experiment ON experiment.page = page.id
             WHERE page.suite = ? AND page.digest = ? AND (experiment.steady IS NOT NULL OR NOT ?)
             ORDER BY page.id, experiment.technique",
        )?;
        let mut rows = query.query(params![suite, digest, timed])?;
        let mut done: HashMap<String, Vec<i64>> = HashMap::new();
        while let Some(row) = rows.next()? {
            let item = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            let technique = row.get(1)?;
            match done.get_mut(item) {
                Some(techniques) => techniques.push(technique),
                None => drop(done.insert(item.to_owned(), vec![technique])),
            }
        }
        Ok(done)
    }

    /// Enters experiments, all or none of them. One that is there already is replaced.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn record(&mut self, batch: &[(PageRecord, Vec<Experiment>)]) -> Result<(), DatabaseError> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert_page = transaction.prepare_cached(
                "INSERT INTO page(suite, digest, item, category, language, split, bytes, nodes, words, root)
                 VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                 ON CONFLICT(suite, digest, item) DO UPDATE SET nodes = coalesce(excluded.nodes, nodes),
                 words = coalesce(excluded.words, words), root = iif(excluded.root = '', root, excluded.root)
                 RETURNING id",
            )?;
            let mut insert_experiment = transaction.prepare_cached(
                "INSERT INTO experiment(technique, page, error, loads, load_seconds, compute_seconds, repetitions, steady)
                 VALUES(?, ?, ?, ?, ?, ?, ?, ?)
                 ON CONFLICT(page, technique) DO UPDATE SET error = excluded.error, loads = excluded.loads,
                 load_seconds = excluded.load_seconds, compute_seconds = excluded.compute_seconds,
                 repetitions = excluded.repetitions, steady = excluded.steady RETURNING id",
            )?;
            let mut forget = transaction.prepare_cached("DELETE FROM score WHERE experiment = ?")?;
            let mut forget_stages = transaction.prepare_cached("DELETE FROM stage WHERE experiment = ?")?;
            let mut insert_stage = transaction.prepare_cached("INSERT INTO stage VALUES(?, ?, ?)")?;
            let mut insert_score = transaction.prepare_cached("INSERT INTO score VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
            for (page, experiments) in batch {
                let PageRecord { suite, digest, item, category, language, split, bytes, nodes, words, root } = page;
                let page: i64 = insert_page
                    .query_row(params![suite, digest, item, category, language, split, bytes, nodes, words, root], |row| {
                        row.get(0)
                    })?;
                for done in experiments {
                    let Experiment {
                        technique,
                        error,
                        loads,
                        load_seconds,
                        compute_seconds,
                        repetitions,
                        steady,
                        scores,
                        stages,
                    } = done;
                    let experiment: i64 = insert_experiment.query_row(
                        params![technique, page, error, loads, load_seconds, compute_seconds, repetitions, steady],
                        |row| row.get(0),
                    )?;
                    forget.execute([experiment])?;
                    forget_stages.execute([experiment])?;
                    for (stage, seconds) in stages {
                        insert_stage.execute(params![experiment, stage, seconds])?;
                    }
                    for score in scores {
                        let ScoreRecord { block, measure, retrieved, gold, common, recall, precision, f1 } = score;
                        insert_score
                            .execute(params![experiment, block, measure, retrieved, gold, common, recall, precision, f1])?;
                    }
                }
            }
        }
        transaction.commit()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn technique(settings: &str) -> TechniqueRecord {
        TechniqueRecord {
            name: "conex-page".to_owned(),
            kind: "page".into(),
            block: "content".into(),
            settings: settings.to_owned(),
            version: "1".to_owned(),
        }
    }

    fn page(item: &str) -> PageRecord {
        PageRecord {
            suite: "small".to_owned(),
            digest: "00".to_owned(),
            item: item.to_owned(),
            category: None,
            language: Some("en".to_owned()),
            split: Some("train".into()),
            bytes: 10,
            nodes: Some(3),
            words: Some(2),
            root: "small".to_owned(),
        }
    }

    fn experiment(technique: i64, f1: f64) -> Experiment {
        let score = ScoreRecord {
            block: "content".into(),
            measure: "words".into(),
            retrieved: 1.0,
            gold: 1.0,
            common: 1.0,
            recall: f1,
            precision: f1,
            f1,
        };
        Experiment {
            technique,
            error: None,
            loads: 1,
            load_seconds: 0.0,
            compute_seconds: 0.0,
            repetitions: 1,
            steady: None,
            scores: vec![score],
            stages: Vec::new(),
        }
    }

    fn count(database: &Database, table: &str) -> i64 {
        database.connection().query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn what_is_entered_again_is_there_once() {
        let mut database = Database::in_memory().unwrap();
        let numbers = database.techniques(&[technique("{}"), technique("{\"c\":2}"), technique("{}")]).unwrap();
        assert_eq!(numbers[0], numbers[2]);
        for f1 in [0.5, 0.75] {
            let both = vec![experiment(numbers[0], f1), experiment(numbers[1], f1)];
            database.record(&[(page("a"), both), (page("b"), vec![experiment(numbers[0], f1)])]).unwrap();
        }
        assert_eq!([count(&database, "technique"), count(&database, "page"), count(&database, "experiment")], [2, 2, 3]);
        assert_eq!(count(&database, "score WHERE f1 = 0.75"), 3);
        let done = database.done("small", "00", false).unwrap();
        assert_eq!((&done["a"], &done["b"]), (&numbers[..2].to_vec(), &vec![numbers[0]]));
        assert!(database.done("small", "01", false).unwrap().is_empty());
        assert!(database.done("small", "00", true).unwrap().is_empty());
    }

    #[test]
    fn results_are_there_when_the_file_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.db");
        assert!(Database::open_existing(&path).unwrap_err().to_string().contains("there is no"));
        let mut database = Database::open(&path).unwrap();
        let numbers = database.techniques(&[technique("{}")]).unwrap();
        database.record(&[(page("a"), vec![experiment(numbers[0], 1.0)])]).unwrap();
        drop(database);
        assert_eq!(Database::open_existing(&path).unwrap().done("small", "00", false).unwrap()["a"], numbers);
    }

    #[test]
    fn a_file_of_a_later_version_or_of_something_else_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.db");
        let database = Database::open(&path).unwrap();
        database.connection().execute("UPDATE meta SET value = '99' WHERE key = 'schema'", []).unwrap();
        drop(database);
        let said = Database::open(&path).unwrap_err().to_string();
        assert!(said.contains("schema version 99") && said.contains("name another file"), "{said}");

        let other = folder.path().join("other.db");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE songs(title TEXT)").unwrap();
        assert!(matches!(Database::open(&other), Err(DatabaseError::Foreign { .. })));
        let text = folder.path().join("notes.txt");
        std::fs::write(&text, "not a database at all, but long enough to be looked at as one".repeat(100)).unwrap();
        assert!(matches!(Database::open(&text), Err(DatabaseError::Open { .. })));
    }
}
