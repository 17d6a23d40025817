//! The file of a template store: what it says of itself, and its tables.
//!
//! A file that is not a store, or one of a later version, is refused before anything is written to it. One of an earlier version is
//! brought up to date, in one transaction. Templates of blocks, which versions 1 and 2 had, are then dropped: blocks are not carried
//! over any more, and their sites are learned when their pages come by. Segments stay.

use crate::StoreError;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use std::path::Path;
use std::time::{Duration, Instant};

/// The version of the tables, of how pages are pruned and of how paths are hashed. A file with a later one is refused.
pub const SCHEMA_VERSION: u32 = 4;

/// What SQLite files of ours carry in their header: `unch`.
const APPLICATION: i32 = 0x756e_6368;

/// How long a writer waits for another.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A site has a row for each maker of templates, so that nothing of one is counted or found for another.
const SITES_AND_PATHS: &str = "
CREATE TABLE site(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, maker TEXT NOT NULL, pages INTEGER NOT NULL DEFAULT 0, UNIQUE(name, maker));
CREATE TABLE path(
  site INTEGER NOT NULL, hash INTEGER NOT NULL, template INTEGER NOT NULL REFERENCES template ON DELETE CASCADE,
  PRIMARY KEY(site, hash, template)) WITHOUT ROWID;
CREATE INDEX path_template ON path(template);
";

/// Numbers of templates are not used again, so that nobody who remembers one gets another. Names are unique in a site only: no
/// page of one site can take the place of a template of another.
const TEMPLATES: &str = "
CREATE TABLE new_template(
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, site INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, url TEXT NOT NULL,
  tree BLOB NOT NULL, paths BLOB NOT NULL, blocks TEXT NOT NULL, ripe INTEGER NOT NULL,
  text INTEGER NOT NULL, tried INTEGER NOT NULL, agreed INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 0, pages INTEGER NOT NULL DEFAULT 0, missed INTEGER NOT NULL DEFAULT 0,
  last_page INTEGER NOT NULL DEFAULT 0, created TEXT NOT NULL, matched TEXT, retired TEXT, UNIQUE(site, name));
";

const MODELS: &str = "
ALTER TABLE new_template RENAME TO template;
CREATE TABLE model(
  site TEXT NOT NULL PRIMARY KEY, bytes BLOB NOT NULL, pages INTEGER NOT NULL, created TEXT NOT NULL, learned TEXT NOT NULL);
";

/// Versions up to 3 had none.
const ANSWERS: &str = "
CREATE TABLE answer(question BLOB NOT NULL PRIMARY KEY, site TEXT NOT NULL, state BLOB NOT NULL, bytes BLOB NOT NULL);
CREATE INDEX answer_site ON answer(site);
";

/// Version 1 had blocks only.
const WITHOUT_ALL: &str = "DROP TABLE path; DROP TABLE template; DROP TABLE site;";

/// Version 2 had blocks and segments.
const WITHOUT_BLOCKS: &str = "
DELETE FROM path WHERE site IN (SELECT id FROM site WHERE maker = 'blocks');
DELETE FROM template WHERE site IN (SELECT id FROM site WHERE maker = 'blocks');
DELETE FROM site WHERE maker = 'blocks';
";

const OLD_TEMPLATES: &str = "
INSERT INTO new_template(id, name, site, url, tree, paths, blocks, ripe, text, tried, agreed, revision, pages, missed, last_page, created, matched, retired)
  SELECT id, name, site, url, tree, paths, blocks, ripe, text, tried, agreed, revision, pages, missed, last_page, created, matched, retired
  FROM template;
DROP TABLE template;
";

/// What makes the tables of this version, from nothing or from those of an earlier one.
fn steps(version: Option<u32>) -> &'static [&'static str] {
    match version {
        None => &[SITES_AND_PATHS, TEMPLATES, MODELS, ANSWERS],
        Some(1) => &[WITHOUT_ALL, SITES_AND_PATHS, TEMPLATES, MODELS, ANSWERS],
        Some(2) => &[WITHOUT_BLOCKS, TEMPLATES, OLD_TEMPLATES, MODELS, ANSWERS],
        Some(3) => &[ANSWERS],
        Some(_) => &[],
    }
}

/// Opens a file to read in it and nothing else. It may be on a medium, or belong to somebody, where nothing can be written.
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    let failed = |source: rusqlite::Error| StoreError::Open { path: path.to_owned(), why: source };
    let open = |more: &str| {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(format!("file:{}?mode=ro{more}", uri_path(path)), flags).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        let version = check(&connection, path)?;
        Ok((connection, version))
    };
    // The log of others can be read only where files can be made beside it; if nothing can be, there are no others.
    let opened = match open("") {
        Err(StoreError::Open { .. }) => open("&immutable=1"),
        opened => opened,
    };
    match opened? {
        (connection, Some(SCHEMA_VERSION)) => Ok(connection),
        (_, Some(found)) => Err(StoreError::Version { path: path.to_owned(), found }),
        (_, None) => Err(StoreError::Empty { path: path.to_owned() }),
    }
}

/// A path as part of an address of SQLite.
fn uri_path(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    bytes.iter().map(|byte| if is_plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Opens a file for templates, which is made if there is none, or must be one already.
pub(crate) fn open(path: &Path, must_be_one: bool) -> Result<Connection, StoreError> {
    let failed = |source: rusqlite::Error| match source.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => StoreError::NotAStore { path: path.to_owned() },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
        _ => StoreError::Open { path: path.to_owned(), why: source },
    };
    let connection = Connection::open(path).map_err(failed)?;
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    // Before anything is written, and not even the journal is changed: it may be somebody else's database.
    // In one transaction, or another process could make the tables between two questions.
    let reading = connection.unchecked_transaction().map_err(failed)?;
    // Tables are made by those who have something to keep, not by those who look for it.
    if check(&reading, path)?.is_none() && must_be_one {
        return Err(StoreError::Empty { path: path.to_owned() });
    }
    drop(reading);
    write_ahead(&connection).map_err(failed)?;
    // With the log, this loses at most the last transactions in a power cut, and nothing when the program is killed.
    connection.pragma_update(None, "synchronous", "normal").map_err(failed)?;
    prepare(connection, path)
}

/// Makes the tables if there are none, and brings older ones up to date.
pub(crate) fn prepare(mut connection: Connection, path: &Path) -> Result<Connection, StoreError> {
    connection.set_prepared_statement_cache_capacity(32);
    // Or paths would go with the table of templates when that is replaced. It cannot be changed in a transaction.
    connection.pragma_update(None, "foreign_keys", false)?;
    // Two processes may start on one file: the first to come makes or changes the tables.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = check(&transaction, path)?;
    if version != Some(SCHEMA_VERSION) {
        steps(version).iter().try_for_each(|step| transaction.execute_batch(step))?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    transaction.commit()?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

/// The version of a store of ours, this or an earlier one; none if the file is empty.
fn check(connection: &Connection, path: &Path) -> Result<Option<u32>, StoreError> {
    let number = |sql: &str| {
        connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(|source| match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::NotAStore { path: path.to_owned() },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            _ => StoreError::Open { path: path.to_owned(), why: source },
        })
    };
    if number("PRAGMA application_id")? != i64::from(APPLICATION) {
        return match number("SELECT count(*) FROM sqlite_schema")? {
            0 => Ok(None),
            _ => Err(StoreError::NotAStore { path: path.to_owned() }),
        };
    }
    match number("PRAGMA user_version")? as u32 {
        version @ 1..=SCHEMA_VERSION => Ok(Some(version)),
        found => Err(StoreError::Version { path: path.to_owned(), found }),
    }
}

/// Changing to the write-ahead log does not wait for others by itself.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "wal") {
            Err(error)
                if matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
                    && start.elapsed() < PATIENCE =>
            {
                std::thread::sleep(Duration::from_millis(20));
            }
            done => return done,
        }
    }
}
