//! Reading the files of a suite, with errors that name them.

use super::SuiteError;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use unchaff_dom::order::InOrder;

/// The name of the folder a suite is in.
pub(super) fn name(dir: &Path) -> String {
    let full = fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
    full.file_name().map_or_else(|| "suite".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The folders in a folder, by name, without hidden ones.
pub(super) fn folders(dir: &Path) -> Result<Vec<PathBuf>, SuiteError> {
    Ok(entries(dir)?.into_iter().filter(|path| path.is_dir()).collect())
}

/// The files in a folder, by name, without hidden ones.
pub(super) fn files(dir: &Path) -> Result<Vec<PathBuf>, SuiteError> {
    Ok(entries(dir)?.into_iter().filter(|path| path.is_file()).collect())
}

/// All files below a folder, without hidden ones; links to folders are not followed.
pub(super) fn all_files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![dir.to_owned()];
    while let Some(folder) = left.pop() {
        for path in entries(&folder).unwrap_or_default() {
            match fs::symlink_metadata(&path) {
                Ok(known) if known.is_dir() => left.push(path),
                Ok(_) if path.is_file() => found.push(path),
                _ => {}
            }
        }
    }
    found.order();
    found
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>, SuiteError> {
    let error = |cause| SuiteError::Read { path: dir.to_owned(), cause };
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(error)? {
        let entry = entry.map_err(error)?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    paths.order();
    Ok(paths)
}

/// The bytes of a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, SuiteError> {
    fs::read(path).map_err(|cause| SuiteError::Read { path: path.to_owned(), cause })
}

/// The text of a file in UTF-8; other bytes are replaced.
pub(super) fn read_text(path: &Path) -> Result<String, SuiteError> {
    read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A JSON file.
pub(super) fn read_json(path: &Path) -> Result<Value, SuiteError> {
    parse_json(path, &read(path)?)
}

/// JSON, called by the name of its file if it is broken.
pub(super) fn parse_json(path: &Path, bytes: &[u8]) -> Result<Value, SuiteError> {
    serde_json::from_slice(bytes)
        .map_err(|error| SuiteError::Broken { path: path.to_owned(), what: format!("it is no JSON: {error}") })
}

/// A text of a JSON object, if it is there and not empty.
pub(super) fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A list of texts of a JSON object.
pub(super) fn texts(value: &Value, name: &str) -> Vec<String> {
    let list = value.get(name).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The size of a file; 0 if it is not there.
pub(super) fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |known| known.len())
}

/// Whether a name that a suite gives stays inside its folder.
pub(super) fn is_inside(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}
