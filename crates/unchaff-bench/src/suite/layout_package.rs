//! Evaluation packages (Gottron 2008, 5.3; what the files are called is ours): `package.json` with the names of the
//! `documents`, and for each `<name>.html`, `<name>.txt` with the text that is right, and `<name>.meta.json` with `url` and
//! `language`. In a folder or zipped. Names that lead out of the package are refused.

use super::layout_texts::{self, benchmark, language, split};
use super::{Benchmark, Item, Layout, Place, Problem, Suite, SuiteError, files};
use crate::digest::{digest, digest_of_bytes};
use crate::gold::Gold;
use serde_json::Value;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use unchaff_dom::order::InOrder;
use zip::ZipArchive;

/// Opens a package in a folder.
pub(super) fn open(dir: &Path) -> Result<Suite, SuiteError> {
    let description = dir.join("package.json");
    let mut belonging = vec![description.clone()];
    let (mut items, mut problems) = (Vec::new(), Vec::new());
    for id in documents(&description, &files::read(&description)?)? {
        let file = |ending: &str| dir.join(format!("{id}{ending}"));
        if let Some(problem) = refusal(&id, |ending| file(ending).is_file()) {
            problems.push(problem);
            continue;
        }
        let known = files::read_json(&file(".meta.json")).unwrap_or_default();
        belonging.extend([".html", ".txt", ".meta.json"].map(file).into_iter().filter(|file| file.is_file()));
        let place = layout_texts::Place {
            page: file(".html"),
            gold: file(".txt"),
            url: files::text(&known, "url"),
            must: Vec::new(),
            must_not: Vec::new(),
        };
        items.push(item(&id, &known, files::size(&place.page), Place::Text(place)));
    }
    for file in files::files(dir)?.into_iter().filter(|file| !belonging.contains(file)) {
        problems.push(Problem { item: None, what: format!("{} belongs to no document of package.json", files::name(&file)) });
    }
    Ok(Suite {
        name: files::name(dir),
        root: dir.to_owned(),
        layout: Layout::Package,
        digest: digest(dir, &belonging),
        items,
        problems,
    })
}

/// A document of a zipped package.
#[derive(Clone, Debug)]
pub(super) struct Zipped {
    archive: PathBuf,
    page: String,
    gold: String,
    url: Option<String>,
}

impl Zipped {
    pub(super) fn load(&self, notes: &mut Vec<String>) -> Result<Benchmark, SuiteError> {
        let mut archive = archive(&self.archive)?;
        let source = unzip(&self.archive, &mut archive, &self.page)?;
        let text = unzip(&self.archive, &mut archive, &self.gold)?;
        let gold = Gold::of_text(String::from_utf8_lossy(&text).into_owned());
        Ok(benchmark(source, gold, self.url.as_deref(), notes))
    }
}

/// Opens a zipped package.
pub(super) fn open_zip(path: &Path) -> Result<Suite, SuiteError> {
    let mut archive = archive(path)?;
    // What has no name that can be read belongs to no document.
    let names: Vec<String> = archive.file_names().filter_map(|name| name.ok().map(Cow::into_owned)).collect();
    // Some tools put the folder itself into the archive.
    let Some(description) = names.iter().filter(|name| name.ends_with("package.json")).min_by_key(|name| name.len()) else {
        return Err(SuiteError::Broken { path: path.to_owned(), what: "it has no package.json".to_owned() });
    };
    let folder = description.trim_end_matches("package.json");
    let listed = documents(path, &unzip(path, &mut archive, description)?)?;
    let (mut items, mut problems) = (Vec::new(), Vec::new());
    for id in listed {
        let name = |ending: &str| format!("{folder}{id}{ending}");
        if let Some(problem) = refusal(&id, |ending| names.contains(&name(ending))) {
            problems.push(problem);
            continue;
        }
        let known = unzip(path, &mut archive, &name(".meta.json")).ok();
        let known: Value = known.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let bytes = archive.by_name(&name(".html")).map_or(0, |file| file.size());
        let place = Zipped { archive: path.to_owned(), page: name(".html"), gold: name(".txt"), url: files::text(&known, "url") };
        items.push(item(&id, &known, bytes, Place::Zipped(place)));
    }
    let digest = digest_of_bytes(&files::read(path)?);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Suite { name, root: path.to_owned(), layout: Layout::Package, digest, items, problems })
}

fn item(id: &str, known: &Value, bytes: u64, place: Place) -> Item {
    let category = files::text(known, "type").or_else(|| files::text(known, "category"));
    Item { id: id.to_owned(), category, language: language(known), split: Some(split(known, id)), bytes, place }
}

fn documents(path: &Path, description: &[u8]) -> Result<Vec<String>, SuiteError> {
    let known = files::parse_json(path, description)?;
    let mut documents = files::texts(&known, "documents");
    if documents.is_empty() {
        return Err(SuiteError::Broken { path: path.to_owned(), what: "package.json has no list `documents`".to_owned() });
    }
    documents.order();
    documents.dedup();
    Ok(documents)
}

/// Why a document cannot be used.
fn refusal(id: &str, has: impl Fn(&str) -> bool) -> Option<Problem> {
    let what = if !files::is_inside(id) || id.contains(['/', '\\']) {
        "a name of a document has no folders in it".to_owned()
    } else {
        let missing = [".html", ".txt"].into_iter().find(|ending| !has(ending))?;
        format!("{id}{missing} is missing")
    };
    Some(Problem { item: Some(id.to_owned()), what })
}

fn archive(path: &Path) -> Result<ZipArchive<File>, SuiteError> {
    let file = File::open(path).map_err(|cause| SuiteError::Read { path: path.to_owned(), cause })?;
    ZipArchive::new(file).map_err(|error| SuiteError::Broken {
        path: path.to_owned(),
        what: format!("it is no zip archive that can be read: {error}"),
    })
}

/// More bytes than this are no page or text.
const LARGEST: u64 = 64 << 20;

fn unzip(path: &Path, archive: &mut ZipArchive<File>, name: &str) -> Result<Vec<u8>, SuiteError> {
    let mut bytes = Vec::new();
    let read = archive.by_name(name).map_err(io::Error::from).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 > LARGEST => {
            let what = format!("{name} has more than {LARGEST} bytes, so it is no page or text");
            Err(SuiteError::Broken { path: path.to_owned(), what })
        }
        Ok(_) => Ok(bytes),
        Err(cause) => Err(SuiteError::Read { path: path.join(name), cause }),
    }
}
