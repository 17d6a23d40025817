//! Evaluation packages, written: documents of any suites recombined into one archive (Gottron 2008, 5.3.1).
//!
//! For each page its source, the text that is right, and what is known about it, as `suite/layout_package.rs` reads them. Of labelled pages the text of the content is written. Names of
//! documents that two suites have get the name of the suite before them. The same suites give the same bytes.

use crate::gold::Notation;
use crate::landmarks::{GoldExtractor, LandmarkError};
use crate::structure::page_files;
use crate::suite::{Item, Suite, SuiteError};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;
use unchaff_dom::emit;
use unchaff_job::{JobError, write_file};
use unchaff_page::BlockKind;

/// Why a package cannot be written.
#[derive(Debug, Error)]
pub enum PackageError {
    /// A page cannot be read.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// It cannot be written.
    #[error("the package cannot be written: {0}")]
    Output(#[from] io::Error),
    /// A description of landmarks, or a page, cannot be read.
    #[error("cannot read {}: {cause}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// The description of landmarks is none.
    #[error(transparent)]
    Landmarks(#[from] LandmarkError),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] JobError),
    /// There is nothing to write.
    #[error("no page has a text that is right; suites of segments have none")]
    Nothing,
}

/// A document of a package.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    /// The page as it was served.
    pub source: Vec<u8>,
    /// The text that is right.
    pub gold: String,
    /// What is known about it: `url`, `language`, `category`, `split`.
    pub known: Map<String, Value>,
}

/// What became of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// How many documents it has.
    pub documents: usize,
    /// Pages without gold, and why.
    pub problems: Vec<String>,
}

/// Writes a package of all pages of suites, or, with a description of landmarks, of pages.
///
/// # Errors
/// If something cannot be read or written, or if there is nothing to write.
pub fn write(sources: &[PathBuf], landmarks: Option<&Path>, file: &Path) -> Result<Packed, PackageError> {
    let mut problems = Vec::new();
    let documents = match landmarks {
        None => documents(&Suite::open_all(sources, Notation::TECO)?)?,
        Some(path) => {
            let text = std::fs::read(path).map_err(|cause| PackageError::Read { path: path.to_owned(), cause })?;
            GoldExtractor::read(&text)?.documents(&page_files(sources)?, &mut |said| problems.push(said))?
        }
    };
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    write_file(file, &zipped(&name, &documents)?)?;
    Ok(Packed { documents: documents.len(), problems })
}

/// The documents of suites, by name.
///
/// # Errors
/// If a page cannot be read.
pub fn documents(suites: &[Suite]) -> Result<BTreeMap<String, Document>, PackageError> {
    let mut all = BTreeMap::new();
    for suite in suites {
        for item in &suite.items {
            let Some(document) = document(suite, item)? else { continue };
            let plain = item.id.replace(['/', '\\'], "_");
            let name = if all.contains_key(&plain) { format!("{}-{plain}", suite.name) } else { plain };
            all.insert(name, document);
        }
    }
    if all.is_empty() { Err(PackageError::Nothing) } else { Ok(all) }
}

fn document(suite: &Suite, item: &Item) -> Result<Option<Document>, PackageError> {
    let benchmark = suite.load(item)?;
    let content = || benchmark.gold.nodes(BlockKind::Content).map(|nodes| emit::text(&benchmark.page, nodes));
    let Some(gold) = benchmark.gold.marked.clone().or(benchmark.gold.text.clone()).or_else(content) else { return Ok(None) };
    let known = [
        ("url", benchmark.page.url().map(ToString::to_string)),
        ("language", item.language.clone()),
        ("category", item.category.clone()),
        ("split", item.split.map(|split| split.as_str().to_owned())),
    ];
    let known = known.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Value::from(value?)))).collect();
    Ok(Some(Document { source: benchmark.source, gold, known }))
}

/// A package as a zip archive.
///
/// # Errors
/// If it becomes larger than an archive can be.
pub fn zipped(name: &str, documents: &BTreeMap<String, Document>) -> Result<Vec<u8>, PackageError> {
    let mut archive = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    let how = zip::write::SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    let mut add = |name: &str, bytes: &[u8]| -> io::Result<()> {
        archive.start_file(name, how).map_err(io::Error::from)?;
        archive.write_all(bytes)
    };
    let names: Vec<&String> = documents.keys().collect();
    add("package.json", format!("{:#}\n", json!({"name": name, "documents": names})).as_bytes())?;
    for (name, document) in documents {
        add(&format!("{name}.html"), &document.source)?;
        add(&format!("{name}.txt"), document.gold.as_bytes())?;
        add(&format!("{name}.meta.json"), format!("{:#}\n", Value::from(document.known.clone())).as_bytes())?;
    }
    Ok(archive.finish().map_err(io::Error::from)?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tiny_suite;
    use std::fs;

    #[test]
    fn a_package_of_suites_is_read_as_these_suites() {
        let folder = tempfile::tempdir().unwrap();
        let suites = ["one", "two"].map(|name| tiny_suite::write(&folder.path().join(name), 3));
        let all = documents(&suites).unwrap();
        assert_eq!(all.keys().collect::<Vec<_>>(), ["0", "1", "2", "two-0", "two-1", "two-2"]);
        let path = folder.path().join("both.zip");
        let bytes = zipped("both", &all).unwrap();
        assert_eq!(bytes, zipped("both", &all).unwrap());
        fs::write(&path, bytes).unwrap();
        let read = Suite::open(&path).unwrap().remove(0);
        assert_eq!((read.items.len(), read.problems.len()), (6, 0));
        assert_eq!(documents(&[read]).unwrap(), all);
    }
}
