//! TeCo as it is distributed (Alarte 2023, 13.1 and 13.4.1): folders named after domains, each a site mirrored by
//! wget, and beside them a text file in which, among other things, the path of each key page stands. The key page
//! itself carries the labels, which everything below a labelled element inherits.
//!
//! What the text file looks like is not published, so any field of a line counts that is the path of a file here, or of a
//! folder with an index. A folder for which that finds nothing is searched for a page with labels. Category and
//! split come from the published [catalogue](super::teco_catalogue), by domain.

use super::key_page::KeyPageSite;
use super::{Benchmark, Item, Layout, Place as AnyPlace, Problem, Split, Suite, SuiteError, files, teco_catalogue};
use crate::digest::{digest, digest_of_bytes};
use crate::gold::{Notation, strip};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use unchaff_dom::Page;
use url::Url;

#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) page: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) base_urls: Vec<Url>,
    pub(super) notation: Notation,
}

impl Place {
    pub(super) fn load(&self, notes: &mut Vec<String>) -> Result<Benchmark, SuiteError> {
        let labelled = Page::parse(files::read(&self.page)?);
        let labels = self.notation.read(&labelled);
        notes.extend(labels.problems());
        notes.extend(labelled.warnings().iter().map(|warning| format!("the page is broken: {warning}")));
        let source =
            strip(&labelled, self.notation).map_err(|elements| SuiteError::Elements { path: self.page.clone(), elements })?;
        let site = KeyPageSite::open(&self.folder, &self.base_urls, &self.page, &source)?;
        Ok(Benchmark::of_key_page(source, &labels, site))
    }
}

/// The key pages of an archive of TeCo, its lists, and what is wrong with them.
pub(super) struct KeyPages {
    pub(super) pages: BTreeSet<PathBuf>,
    lists: Vec<PathBuf>,
    problems: Vec<Problem>,
}

/// Finds the key pages of a folder, if it is an archive of TeCo.
pub(super) fn key_pages(dir: &Path, folders: &[PathBuf], notation: Notation) -> Result<Option<KeyPages>, SuiteError> {
    let lists: Vec<PathBuf> = files::files(dir)?.into_iter().filter(|file| has_ending(file, &["txt", "csv", "tsv"])).collect();
    let mut problems = Vec::new();
    let mut keys = BTreeSet::new();
    for list in &lists {
        for line in files::read_text(list)?.lines() {
            match key_page(dir, line) {
                Listed::Page(page) => drop(keys.insert(page)),
                Listed::Missing(path) => {
                    problems.push(Problem {
                        item: Some(path),
                        what: format!("the key page that {} names is not there", files::name(list)),
                    });
                }
                Listed::Nothing => {}
            }
        }
    }
    if keys.is_empty() && !folders.iter().any(|folder| is_domain(folder)) {
        return Ok(None);
    }
    for folder in folders.iter().filter(|folder| is_domain(folder)) {
        if !keys.iter().any(|key| key.starts_with(folder)) {
            match labelled_page(folder, notation) {
                Some(page) => drop(keys.insert(page)),
                None if lists.is_empty() => {}
                None => problems.push(Problem {
                    item: Some(files::name(folder)),
                    what: "no list names its key page, and no page in it has labels".to_owned(),
                }),
            }
        }
    }
    Ok((!keys.is_empty()).then_some(KeyPages { pages: keys, lists, problems }))
}

/// Opens an archive of TeCo, if the folder is one.
pub(super) fn open(dir: &Path, folders: &[PathBuf], notation: Notation) -> Result<Option<Suite>, SuiteError> {
    let Some(KeyPages { pages: keys, lists, problems }) = key_pages(dir, folders, notation)? else { return Ok(None) };
    let mut belonging = lists;
    let mut items = Vec::new();
    for page in keys {
        let relative = page.strip_prefix(dir).unwrap_or(&page);
        // In version 1.0 the domains are in a folder of their own.
        let mut parts = relative.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let first = parts.next().unwrap_or_default();
        let (above, domain) = match first.contains('.') {
            true => (String::new(), first),
            false => parts
                .next()
                .filter(|second| second.contains('.'))
                .map_or((String::new(), first.clone()), |second| (first, second)),
        };
        let path = relative.to_string_lossy().replace('\\', "/");
        let known = teco_catalogue::find(&domain);
        let folder = dir.join(above).join(&domain);
        belonging.extend(files::all_files(&folder));
        items.push(Item {
            category: Some(known.map_or_else(|| files::name(dir).to_lowercase(), |known| known.category().to_owned())),
            language: None,
            split: Some(known.map_or_else(|| Split::of(&domain), teco_catalogue::Entry::split)),
            bytes: files::size(&page),
            id: path,
            place: AnyPlace::Teco(Place {
                page,
                folder,
                base_urls: Url::parse(&format!("http://{domain}/")).into_iter().collect(),
                notation,
            }),
        });
    }
    // The same files with other labels are another gold.
    let digest = match digest(dir, &belonging) {
        digest if notation == Notation::TECO => digest,
        digest => digest_of_bytes(format!("{digest} {notation:?}").as_bytes()),
    };
    Ok(Some(Suite { name: files::name(dir), root: dir.to_owned(), layout: Layout::Teco, digest, items, problems }))
}

enum Listed {
    Page(PathBuf),
    Missing(String),
    Nothing,
}

/// The key page that a line names. Paths can have blanks in them, so the whole line is tried, then what stands between tabs
/// and semicolons, then between blanks.
fn key_page(dir: &Path, line: &str) -> Listed {
    let fields = |separators: &'static [char]| line.split(separators).map(|field| field.trim().trim_matches('"'));
    let candidates = [line.trim()].into_iter().chain(fields(&['\t', ';', ','])).chain(fields(&[' ', '\t', ';', ',']));
    let mut missing = None;
    for field in candidates {
        let path = field.trim_start_matches("./");
        if !files::is_inside(path) {
            continue;
        }
        let file = dir.join(path);
        if file.is_file() && path.contains('/') {
            return Listed::Page(file);
        }
        let index =
            ["index.html", "index.htm", "index.php.html"].into_iter().map(|index| file.join(index)).find(|file| file.is_file());
        if let Some(index) = index {
            return Listed::Page(index);
        }
        let domain = path.split('/').next().unwrap_or_default();
        if path.contains('/') && domain.contains('.') && dir.join(domain).is_dir() {
            missing.get_or_insert_with(|| path.to_owned());
        }
    }
    missing.map_or(Listed::Nothing, Listed::Missing)
}

fn is_domain(folder: &Path) -> bool {
    files::name(folder).contains('.')
}

fn has_ending(file: &Path, endings: &[&str]) -> bool {
    file.extension().is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// The first page below a folder that has a label.
fn labelled_page(folder: &Path, notation: Notation) -> Option<PathBuf> {
    let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    let is_label = |class: &str| class.starts_with("TECO_") || notation.label(class).is_some();
    let has_label = |file: &PathBuf| {
        let bytes = files::read(file).unwrap_or_default();
        let may_have =
            has(&bytes, "TECO_") || notation.unprefixed && ["notTemplate", "mainContent"].iter().any(|label| has(&bytes, label));
        may_have && {
            let page = Page::parse(bytes);
            page.nodes().any(|node| page.is_element(node) && page.classes(node).any(is_label))
        }
    };
    files::all_files(folder).into_iter().filter(|file| has_ending(file, &["html", "htm", "xhtml"])).find(has_label)
}
