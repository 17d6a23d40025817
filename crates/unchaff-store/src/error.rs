//! What can go wrong with a template store, and what to do then.

use crate::store_file::{PATIENCE, SCHEMA_VERSION};
use rusqlite::ErrorCode;
use std::path::PathBuf;
use thiserror::Error;
use unchaff_site::ModelError;

/// Why something cannot be kept or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file cannot be opened as a database.
    #[error("{path} cannot be used as a template store ({why}); name another file, or a new one to start afresh")]
    Open {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        why: rusqlite::Error,
    },
    /// The file is something else.
    #[error("{path} is not a template store; name another file, or a new one to start afresh")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a later version.
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
    #[error("there is no {path}")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// There is nothing in the file, where a store is to be read.
    #[error("{path} is empty, so it is not a template store yet")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Another process holds the store for too long.
    #[error("another process has been writing to the template store for {} s; try again when it is done", PATIENCE.as_secs())]
    Busy,
    /// The model of a site cannot be read.
    #[error(
        "the model of {site} in the store cannot be used: {why}; remove it, and it is learned from the next pages of the site"
    )]
    DamagedModel {
        /// The site.
        site: String,
        /// What is wrong with it.
        why: ModelError,
    },
    /// A stored template cannot be read.
    #[error("template {name} of {site} in the store is damaged; remove it, and it is learned again")]
    DamagedTemplate {
        /// Its name.
        name: String,
        /// Its site.
        site: String,
    },
    /// There is no such template.
    #[error("there is no template {wanted} in the store")]
    Unknown {
        /// What was asked for.
        wanted: String,
    },
    /// Several templates have names that start like that.
    #[error("the names of {count} templates in the store start with {wanted:?}; say more of the name")]
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// How many there are.
        count: usize,
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

/// Why a line cannot be imported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// It is no JSON, or not with these fields.
    #[error("this is no line of an export: {0}")]
    Json(serde_json::Error),
    /// It does not say what it is.
    #[error("this is no line of an export: it has no schema")]
    NoSchema,
    /// It is of a version that is not known.
    #[error("this line is of {found}, which this unchaff does not read")]
    Schema {
        /// What it says it is.
        found: String,
    },
    /// It is a template of content, template and menu, which are not carried over any more.
    #[error(
        "this line is a template of blocks, which are not carried over any more; {site} is learned again when its pages come by"
    )]
    Blocks {
        /// Its site.
        site: String,
    },
    /// Its template contradicts itself.
    #[error("the template {name} in this line is damaged")]
    DamagedTemplate {
        /// Its name.
        name: String,
    },
    /// Its model cannot be read.
    #[error("the model of {site} in this line cannot be used: {why}")]
    DamagedModel {
        /// The site.
        site: String,
        /// What is wrong with it.
        why: ModelError,
    },
}
