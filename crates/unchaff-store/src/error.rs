//! What can go wrong with a template store, and what to do then.

use crate::store_file::{PATIENCE, SCHEMA_VERSION};
use rusqlite::ErrorCode;
use std::path::PathBuf;
use thiserror::Error;

/// Why templates cannot be kept or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file cannot be opened as a database.
    #[error("{path} cannot be used as a template store ({source}); name another file, or a new one to start afresh")]
    Open {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The file is something else.
    #[error("{path} is not a template store; name another file, or a new one to start afresh")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by another version.
    #[error(
        "{path} is a template store of version {found}, and this unchaff knows version {SCHEMA_VERSION}; use the unchaff that wrote it, or name another file"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it has.
        found: u32,
    },
    /// There is no such file, where one is to be read.
    #[error("there is no {path}; `unchaff site … --store {path}` or `unchaff extract … --store {path}` writes one")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Another process holds the store for too long.
    #[error("another process has been writing to the template store for {} s; try again when it is done", PATIENCE.as_secs())]
    Busy,
    /// A stored template cannot be read.
    #[error(
        "template {name} of the store is damaged; `unchaff store prune --template {name}` removes it, and it is learned again"
    )]
    Damaged {
        /// Its name.
        name: String,
    },
    /// A line cannot be imported.
    #[error("this line cannot be imported: {why}")]
    Import {
        /// Why.
        why: String,
    },
    /// There is no such template.
    #[error("there is no template {wanted}, or several start like that; `unchaff store list` shows them")]
    Unknown {
        /// What was asked for.
        wanted: String,
    },
    /// A query or a change failed.
    #[error("the template store failed: {0}")]
    Query(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            _ => StoreError::Query(error),
        }
    }
}
