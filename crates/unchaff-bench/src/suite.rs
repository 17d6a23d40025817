//! Suites: folders of pages of which the truth is known.
//!
//! Five layouts are read, each in its own module: TeCo as distributed, sites, texts, evaluation packages, and segments. A
//! suite is opened without parsing anything; [`Suite::load`] reads one page with its gold, and [`Suite::check`] all of them
//! to say what is wrong. A suite has an identity, [`Suite::digest`], which belongs to every figure taken on it. Pages with segments
//! are measured on as rendered; their boxes are kept in files ([`Suite::render_missing`]).
//!
//! Items are for training or for evaluation. Where the suite does not say, a stable hash of the site (or host, or item)
//! decides, so that about half of the sites are on either side and pages of one site stay together.

mod check;
mod files;
mod kept_boxes;
mod key_page;
mod layout_package;
mod layout_segments;
mod layout_sites;
mod layout_teco;
mod layout_texts;
mod render;
pub mod teco_catalogue;

pub use check::{Overview, Overviews};
pub use kept_boxes::Boxes;
pub use render::MissingBoxes;

use crate::digest::stable_hash;
use crate::gold::{Gold, Labels, Notation, OtherElements};
use crate::measure::PageIndex;
use key_page::KeyPageSite;
use serde::Serialize;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use thiserror::Error;
use unchaff_dom::{Page, PageId, Site};
use unchaff_page::parameters::ParameterValue;
use url::Url;

/// A set of pages with gold.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The name of its folder. A folder of sites with gold for more than the key pages holds two suites: these
    /// pages are in one whose name ends in `-pages`.
    pub name: String,
    /// Its folder.
    pub root: PathBuf,
    /// How it is laid out.
    pub layout: Layout,
    /// 16 hexadecimal digits over the names and contents of its files.
    pub digest: String,
    /// Its pages, by id.
    pub items: Vec<Item>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// How a suite is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Mirrored sites with a list of key pages, which carry the labels.
    Teco,
    /// Sites with `site.json` and `gold.html`.
    Sites,
    /// `pages/`, `gold/` and `meta.json`.
    Texts,
    /// `package.json` and three files a document, also zipped.
    Package,
    /// Saved pages with `index.dom.html` and `index.blocks.html`.
    Segments,
}

impl Layout {
    /// The name of the layout.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Layout::Teco => "teco",
            Layout::Sites => "sites",
            Layout::Texts => "texts",
            Layout::Package => "package",
            Layout::Segments => "segments",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What an item is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Finding parameters.
    Train,
    /// Measuring what they are worth.
    Eval,
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl ParameterValue for Split {
    fn read(text: &str) -> Option<Split> {
        [Split::Train, Split::Eval].into_iter().find(|split| split.as_str() == text)
    }

    fn takes() -> String {
        "train or eval".to_owned()
    }
}

impl Split {
    /// The name of the split.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Eval => "eval",
        }
    }

    /// What a suite calls it; none for other words.
    fn from_name(name: &str) -> Option<Split> {
        match name.to_ascii_lowercase().as_str() {
            "train" | "training" | "t" => Some(Split::Train),
            "eval" | "evaluation" | "test" | "e" => Some(Split::Eval),
            _ => None,
        }
    }

    /// The split of everything that has this key.
    fn of(key: &str) -> Split {
        if stable_hash(key).is_multiple_of(2) { Split::Train } else { Split::Eval }
    }
}

/// A page of a suite.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name in the suite.
    pub id: String,
    /// The kind of page or site.
    pub category: Option<String>,
    /// Its language, as the suite writes it.
    pub language: Option<String>,
    /// What it is for.
    pub split: Option<Split>,
    /// The size of the page.
    pub bytes: u64,
    place: Place,
}

impl Item {
    /// The file of the page, if it is one (it is not in a zipped package).
    #[must_use]
    pub fn page_file(&self) -> Option<&Path> {
        match &self.place {
            Place::Teco(place) => Some(&place.page),
            Place::Site(place) => Some(&place.page),
            Place::Text(place) => Some(&place.page),
            Place::Segments(place) => Some(&place.page),
            Place::Zipped(_) => None,
        }
    }

    /// The name of the file with its boxes, if it is a page with segments.
    #[must_use]
    pub fn boxes_name(&self) -> Option<&str> {
        match &self.place {
            Place::Segments(place) => Some(&place.boxes.name),
            _ => None,
        }
    }

    /// The folder of the pages of its site, if there are more.
    #[must_use]
    pub fn site_folder(&self) -> Option<&Path> {
        match &self.place {
            Place::Teco(place) => Some(&place.folder),
            Place::Site(place) => Some(&place.folder),
            _ => None,
        }
    }

    /// The address that the folder of its site stands for, if it is known.
    #[must_use]
    pub fn base_url(&self) -> Option<&Url> {
        match &self.place {
            Place::Site(place) => place.base_urls.first(),
            Place::Teco(place) => place.base_urls.first(),
            _ => None,
        }
    }
}

/// Where the page and gold of an item are.
#[derive(Clone, Debug)]
enum Place {
    Teco(layout_teco::Place),
    Site(layout_sites::Place),
    Text(layout_texts::Place),
    Zipped(layout_package::Zipped),
    Segments(layout_segments::Place),
}

/// Something that is wrong with a suite.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    /// The item it is wrong with, if it is with one.
    pub item: Option<String>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.item {
            Some(item) => write!(f, "{item}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// A page with its gold, ready to be measured on.
pub struct Benchmark {
    /// The page as bytes, without labels; for commands.
    pub source: Vec<u8>,
    /// The page, without labels.
    pub page: Arc<Page>,
    /// What is true about it.
    pub gold: Gold,
    /// The site of the page, if the suite has one.
    pub site: Option<Box<dyn Site>>,
    /// The page in its site.
    pub key: Option<PageId>,
    /// Its boxes, if it is of a suite of segments.
    pub boxes: Option<Boxes>,
    /// How long reading and parsing took.
    pub load_time: Duration,
    pub(crate) index: OnceLock<PageIndex>,
}

impl fmt::Debug for Benchmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Benchmark").field("nodes", &self.page.len()).field("key", &self.key).finish_non_exhaustive()
    }
}

impl Benchmark {
    /// A page with gold, without a site.
    #[must_use]
    pub fn new(source: Vec<u8>, page: Page, gold: Gold) -> Benchmark {
        Benchmark {
            source,
            page: Arc::new(page),
            gold,
            site: None,
            key: None,
            boxes: None,
            load_time: Duration::ZERO,
            index: OnceLock::new(),
        }
    }

    /// The key page of a site, with gold.
    fn of_key_page(source: Vec<u8>, labels: &Labels, site: KeyPageSite) -> Benchmark {
        let (key, page) = site.key();
        let gold = Gold::of_labels(labels, &page);
        let alone = Benchmark::new(source, Page::parse(Vec::new()), gold);
        Benchmark { page, site: Some(Box::new(site)), key: Some(key), ..alone }
    }

    /// Whether it has boxes that a browser made.
    #[must_use]
    pub fn is_rendered(&self) -> bool {
        self.boxes.as_ref().is_some_and(|boxes| boxes.rendered)
    }
}

/// Why a suite cannot be used.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// There is no suite.
    #[error(
        "{} is no suite and holds none; a suite is a folder with meta.json, pages/ and gold/, or with folders that have \
         site.json, or with package.json, or with index.blocks.html in its folders, or mirrored sites with a list of key pages",
        .0.display()
    )]
    NoSuite(PathBuf),
    /// A file cannot be read.
    #[error("cannot read {}: {cause}; check that it is there and that you may read it", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// A file is not what it should be.
    #[error("{} is broken: {what}", .path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The gold is of another page.
    #[error("{} has {elements}", .path.display())]
    Elements {
        /// The file of the gold.
        path: PathBuf,
        /// What is different.
        elements: OtherElements,
    },
    /// The site of a page cannot be opened.
    #[error(transparent)]
    Site(#[from] unchaff_source::SiteError),
}

/// How deep suites are looked for below a folder.
const DEPTH: usize = 3;

impl Suite {
    /// Opens the suite in a folder (or zipped package), or all suites below it, by name.
    ///
    /// # Errors
    /// If there is none, or the file that describes it cannot be read.
    pub fn open(dir: &Path) -> Result<Vec<Suite>, SuiteError> {
        Suite::open_labelled(dir, Notation::TECO)
    }

    /// As [`Suite::open`]; labels of TeCo are read in a notation of other versions of it.
    ///
    /// # Errors
    /// As [`Suite::open`].
    pub fn open_labelled(dir: &Path, notation: Notation) -> Result<Vec<Suite>, SuiteError> {
        let suites = open_below(dir, DEPTH, notation)?;
        if suites.is_empty() { Err(SuiteError::NoSuite(dir.to_owned())) } else { Ok(suites) }
    }

    /// Opens the suites in several folders, each once.
    ///
    /// # Errors
    /// As [`Suite::open`].
    pub fn open_all(folders: &[PathBuf], notation: Notation) -> Result<Vec<Suite>, SuiteError> {
        let mut suites: Vec<Suite> = Vec::new();
        for folder in folders {
            for suite in Suite::open_labelled(folder, notation)? {
                if !suites.iter().any(|known| known.name == suite.name && known.digest == suite.digest) {
                    suites.push(suite);
                }
            }
        }
        Ok(suites)
    }

    /// Reads a page with its gold.
    ///
    /// # Errors
    /// If a file cannot be read, or the gold does not belong to the page.
    pub fn load(&self, item: &Item) -> Result<Benchmark, SuiteError> {
        self.load_noting(item, &mut Vec::new())
    }

    /// Reads a page with its gold and notes what is wrong with them without making them useless.
    fn load_noting(&self, item: &Item, notes: &mut Vec<String>) -> Result<Benchmark, SuiteError> {
        let start = Instant::now();
        let mut benchmark = match &item.place {
            Place::Teco(place) => place.load(notes),
            Place::Site(place) => place.load(notes),
            Place::Text(place) => place.load(notes),
            Place::Zipped(place) => place.load(notes),
            Place::Segments(place) => place.load(notes),
        }?;
        benchmark.load_time = start.elapsed();
        Ok(benchmark)
    }
}

/// How a folder is laid out that is no folder of sites, found without reading its pages.
pub(crate) enum Found {
    /// Texts.
    Texts,
    /// A package.
    Package,
    /// Segments, or pages that may become such.
    Segments,
    /// Mirrored sites with these key pages.
    Teco(Vec<PathBuf>),
}

/// What a folder is.
pub(crate) fn layout_of(dir: &Path) -> Option<Found> {
    if dir.join("meta.json").is_file() && dir.join("pages").is_dir() {
        return Some(Found::Texts);
    }
    if dir.join("package.json").is_file() {
        return Some(Found::Package);
    }
    let folders = files::folders(dir).ok()?;
    if folders.iter().any(|folder| folder.join("site.json").is_file()) {
        return None;
    }
    if layout_segments::hosts(dir, "index.dom.html").ok()?.is_some() {
        return Some(Found::Segments);
    }
    let keys = layout_teco::key_pages(dir, &folders, Notation::TECO).ok()??;
    Some(Found::Teco(keys.pages.into_iter().collect()))
}

fn open_below(dir: &Path, depth: usize, notation: Notation) -> Result<Vec<Suite>, SuiteError> {
    if dir.is_file() {
        return layout_package::open_zip(dir).map(|suite| vec![suite]);
    }
    let folders = files::folders(dir)?;
    if dir.join("meta.json").is_file() && dir.join("pages").is_dir() {
        return layout_texts::open(dir).map(|suite| vec![suite]);
    }
    if dir.join("package.json").is_file() {
        return layout_package::open(dir).map(|suite| vec![suite]);
    }
    if folders.iter().any(|folder| folder.join("site.json").is_file()) {
        return layout_sites::open(dir, &folders);
    }
    if let Some(suite) = layout_segments::open(dir)? {
        return Ok(vec![suite]);
    }
    if let Some(suite) = layout_teco::open(dir, &folders, notation)? {
        return Ok(vec![suite]);
    }
    let mut suites = Vec::new();
    if depth > 0 {
        for folder in &folders {
            suites.extend(open_below(folder, depth - 1, notation)?);
        }
    }
    Ok(suites)
}

#[cfg(test)]
mod tests;
