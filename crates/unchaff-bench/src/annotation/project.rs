//! A suite that people are annotating: a folder of sites, or of pages in any other layout that suites have.
//!
//! ```text
//! SITE/site.json            what is known about the site: key page, addresses, which pages have gold
//! SITE/pages/…              its pages, as they were saved
//! SITE/labels/WHO/PAGE      what each person said, as labelled pages, apart from each other
//! SITE/gold.html, gold/…    what holds, of the key page and of others
//! segments/SITE/PAGE/…      pages whose gold has segments, in the layout that suites of segments have
//! ```
//!
//! In other layouts pages and gold are where these have them (`collection.rs`). Names come from whoever asks. A site or page is one that the folder lists, and people have names that are one part of a path.

use super::appearance::{Appearance, shown};
use super::collection::{Collection, Kind, collections};
use super::home_page::HomePage;
use super::{Annotation, SegmentMark};
use crate::gold::encoded;
use crate::label::LabelError;
use crate::suite::SuiteError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use thiserror::Error;
use unchaff_dom::order::InOrder;
use unchaff_dom::{Page, Site};
use unchaff_job::{JobError, SiteNames, Sites, page_name, write_file};
use unchaff_source::OutputNames;
use url::Url;

/// Most bytes of a person's name.
const LONGEST_NAME: usize = 40;

/// A suite that is being annotated.
#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
}

/// A project that was made of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// Its sites by name, and how many pages each has.
    pub sites: Vec<(String, usize)>,
    /// What could not be read.
    pub problems: Vec<String>,
}

/// A page of a project.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageEntry {
    /// The site, or other folder of pages, by its path in the project.
    pub site: String,
    /// The page, by its path in that.
    pub page: String,
    /// Whether it is the page that the site is in the suite for.
    pub key: bool,
    /// Whether it has gold.
    pub gold: bool,
    /// Who said something about it.
    pub annotators: Vec<String>,
}

/// Why something of a project cannot be had or kept.
#[derive(Debug, Error)]
pub enum ProjectError {
    /// There is no folder.
    #[error("{} is no folder; `unchaff bench suite from SOURCE -o FOLDER` makes one of a site", .0.display())]
    NoFolder(PathBuf),
    /// There is no such page.
    #[error("there is no page {page} of a site {site}")]
    NoPage {
        /// The site.
        site: String,
        /// The page.
        page: String,
    },
    /// Nobody of that name said anything about the page.
    #[error("{who} has said nothing about {page}")]
    Nothing {
        /// The name.
        who: String,
        /// The page.
        page: String,
    },
    /// A name cannot be that of a person.
    #[error("a name has letters, digits, - and _, at most {LONGEST_NAME} bytes, and is not gold")]
    Name,
    /// A file of the suite cannot be read, or is not what it should be.
    #[error(transparent)]
    File(#[from] SuiteError),
    /// There is gold that was not made here.
    #[error("{} is gold that was not made here; replace it, or keep it", .0.display())]
    OtherGold(PathBuf),
    /// The layout has gold for key pages only.
    #[error(
        "{0} is no key page, and a suite laid out as TeCo is has gold for these only; a folder of sites can have it for any page"
    )]
    NoKeyPage(String),
    /// The notation of the layout cannot say it.
    #[error(
        "in a suite laid out as TeCo is, what an element is said to be holds for everything in it; label the parts instead of what is around them"
    )]
    Inherited,
    /// What is said does not fit the page.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] JobError),
}

/// Whether a path that someone names stays inside: parts of names, nothing hidden.
pub(super) fn is_inside(path: &str) -> bool {
    let is_plain = |part: Component| matches!(part, Component::Normal(name) if !name.to_string_lossy().starts_with('.'));
    !path.is_empty() && !path.contains('\\') && Path::new(path).components().all(is_plain)
}

/// Whether this can be the name of a person.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_plain) && name != "gold"
}

impl Project {
    /// The project in a folder.
    ///
    /// # Errors
    /// If there is no folder.
    pub fn open(root: &Path) -> Result<Project, ProjectError> {
        let root = fs::canonicalize(root).map_err(|_| ProjectError::NoFolder(root.to_owned()))?;
        if root.is_dir() { Ok(Project { root }) } else { Err(ProjectError::NoFolder(root)) }
    }

    /// A project of all sites of a source, in a folder that is made if it is not there. Says of each site how many pages it has; and what could
    /// not be read.
    ///
    /// # Errors
    /// If something cannot be written, or a site is there already.
    pub fn of_sites(sites: &Sites, folder: &Path, key: Option<&Url>) -> Result<Made, ProjectError> {
        fs::create_dir_all(folder).map_err(|cause| SuiteError::Read { path: folder.to_owned(), cause })?;
        let project = Project::open(folder)?;
        let (mut names, mut made, mut problems) = (SiteNames::default(), Vec::new(), Vec::new());
        for (site, _) in sites.names() {
            let name = SiteNames::folder(&names.lines(&site)).to_string_lossy().into_owned();
            let (pages, unread) = sites.with(&site, |site| project.add_site(&name, site, key))?;
            made.push((name, pages));
            problems.extend(unread);
        }
        Ok(Made { sites: made, problems })
    }

    /// Its folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// All pages that can be annotated, by site and path.
    #[must_use]
    pub fn pages(&self) -> Vec<PageEntry> {
        let collections = collections(&self.root);
        let mut pages: Vec<PageEntry> = collections.iter().flat_map(|collection| self.pages_of(collection)).collect();
        // Pages that were written because their gold has segments are there already.
        let copies: BTreeSet<PathBuf> =
            pages.iter().map(|entry| self.segments_folder(&entry.site, &entry.page).join("index.dom.html")).collect();
        pages.retain(|entry| !copies.contains(&self.root.join(&entry.site).join(&entry.page)));
        pages.order_by(|one, other| (&one.site, !one.key, &one.page).cmp(&(&other.site, !other.key, &other.page)));
        pages
    }

    fn pages_of(&self, collection: &Collection) -> Vec<PageEntry> {
        let site = collection.site();
        let mut said: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
        for who in folders(&collection.labels()).iter().filter(|who| !who.ends_with("gold")) {
            let name = relative(&collection.labels(), who);
            for file in files(who) {
                said.entry(file.strip_prefix(who).unwrap_or(&file).to_owned()).or_default().push(name.clone());
            }
        }
        let entry = |page: String| PageEntry {
            key: collection.is_key(&page, &site),
            gold: collection.has_gold(&page, &site),
            annotators: said.remove(&collection.labelled(&page)).unwrap_or_default(),
            site: collection.name.clone(),
            page,
        };
        collection.pages().into_iter().map(entry).collect()
    }

    /// The pages that a page lies among.
    fn collection(&self, site: &str, page: &str) -> Result<Collection, ProjectError> {
        let unknown = || ProjectError::NoPage { site: site.to_owned(), page: page.to_owned() };
        if !is_inside(page) || !(is_inside(site) || site.is_empty()) {
            return Err(unknown());
        }
        let found = collections(&self.root).into_iter().find(|collection| collection.name == site);
        found.filter(|collection| collection.has(&self.root, page)).ok_or_else(unknown)
    }

    /// A page as it was saved, without labels.
    ///
    /// # Errors
    /// If there is none.
    pub fn page(&self, site: &str, page: &str) -> Result<Page, ProjectError> {
        self.collection(site, page)?.page(page)
    }

    /// A page as those see it who annotate it: HTML in which nothing acts, each element with its number in `data-n`, with the styles and pictures of its folder; and,
    /// if they are wanted from the `web`, with the addresses of others.
    ///
    /// # Errors
    /// If there is none.
    pub fn shown(&self, site: &str, page: &str, web: bool) -> Result<String, ProjectError> {
        let collection = self.collection(site, page)?;
        let parsed = collection.page(page)?;
        let (folder, bases) = collection.surroundings(page);
        Ok(shown(&parsed, &mut Appearance::new(&parsed, &collection.file(page), &folder, bases, web)))
    }

    /// What a person said about a page; of `gold`, what holds.
    ///
    /// # Errors
    /// If it is nothing, or of another page.
    pub fn annotation(&self, site: &str, page: &str, who: &str) -> Result<Annotation, ProjectError> {
        let collection = self.collection(site, page)?;
        let nothing = || ProjectError::Nothing { who: who.to_owned(), page: page.to_owned() };
        if who == "gold" {
            let mut annotation = collection.gold(page)?.ok_or_else(nothing)?;
            if collection.kind == Kind::Site {
                annotation.segments = self.gold_segments(site, page);
            }
            return Ok(annotation);
        }
        let file = labels(&collection, page, who)?;
        if file.is_file() { collection.copy(page, &file) } else { Err(nothing()) }
    }

    /// What everybody said about a page, by name.
    ///
    /// # Errors
    /// If there is no such page.
    pub fn annotations(&self, site: &str, page: &str) -> Result<Vec<(String, Annotation)>, ProjectError> {
        let collection = self.collection(site, page)?;
        let folder = collection.labels();
        let names = folders(&folder).into_iter().map(|who| relative(&folder, &who));
        let said = |who: String| {
            let file = labels(&collection, page, &who).ok().filter(|file| file.is_file())?;
            Some((who, collection.copy(page, &file).ok()?))
        };
        Ok(names.filter_map(said).collect())
    }

    /// Keeps what a person says about a page.
    ///
    /// # Errors
    /// If it does not fit the page, or cannot be written.
    pub fn save(&self, site: &str, page: &str, who: &str, annotation: &Annotation) -> Result<(), ProjectError> {
        let collection = self.collection(site, page)?;
        let file = labels(&collection, page, who)?;
        Ok(write_file(&file, &annotation.write(&collection.page(page)?)?)?)
    }

    /// Forgets what a person said about a page.
    ///
    /// # Errors
    /// If it was nothing.
    pub fn forget(&self, site: &str, page: &str, who: &str) -> Result<(), ProjectError> {
        let file = labels(&self.collection(site, page)?, page, who)?;
        fs::remove_file(file).map_err(|_| ProjectError::Nothing { who: who.to_owned(), page: page.to_owned() })
    }

    /// Makes an annotation the gold of a page, and with it the page one of the suite. Gold that was not made here stays, unless it is to be replaced.
    ///
    /// # Errors
    /// If it does not fit the page or its layout, or cannot be written.
    pub fn save_gold(&self, site: &str, page: &str, annotation: &Annotation, replaces: bool) -> Result<(), ProjectError> {
        let collection = self.collection(site, page)?;
        collection.save_gold(page, annotation, replaces)?;
        if collection.kind == Kind::Segments {
            return Ok(());
        }
        let parsed = collection.page(page)?;
        let segments = self.segments_folder(site, page);
        if !annotation.segments.is_empty() {
            let blocks = Annotation { segments: annotation.segments.clone(), ..Annotation::default() }.write(&parsed)?;
            write_file(&segments.join("index.dom.html"), &encoded(&parsed, parsed.source().to_owned()))?;
            write_file(&segments.join("index.blocks.html"), &blocks)?;
        } else if segments.is_dir() {
            for file in ["index.blocks.html", "index.dom.html"] {
                let _ = fs::remove_file(segments.join(file));
            }
        }
        Ok(())
    }

    /// Where the page is as one of a suite of segments, which has folders of one level below hosts.
    fn segments_folder(&self, site: &str, page: &str) -> PathBuf {
        let flat = |path: &str| path.replace('/', "_");
        self.root.join("segments").join(flat(site)).join(flat(page))
    }

    fn gold_segments(&self, site: &str, page: &str) -> Vec<SegmentMark> {
        let bytes = fs::read(self.segments_folder(site, page).join("index.blocks.html"));
        bytes.map_or_else(|_| Vec::new(), |bytes| Annotation::read(&Page::parse(bytes)).segments)
    }

    /// Adds a page, in the layout that the folder has; to a folder of sites its site too, if it is new. Returns their names. A page that is there already stays as it is.
    ///
    /// # Errors
    /// If it cannot be written, or if the layout takes no other pages.
    pub fn add_page(&self, url: &Url, page: &Page) -> Result<PageEntry, ProjectError> {
        let name = file_name(&mut OutputNames::new("html"), url);
        let whole = collections(&self.root).into_iter().find(|collection| {
            // Single pages may lie beside sites.
            collection.name.is_empty() && (collection.kind != Kind::Package || self.root.join("package.json").is_file())
        });
        let (collection, name) = match whole {
            Some(collection) => {
                let name = collection.add(&name, url, page)?;
                (collection, name)
            }
            None => {
                let site = url.host_str().unwrap_or("site").replace(['[', ']', ':'], "_");
                let folder = self.root.join(&site);
                let collection = Collection { name: site.clone(), folder: folder.clone(), kind: Kind::Site };
                if !folder.join("site.json").is_file() {
                    let base = url.join("/").unwrap_or_else(|_| url.clone());
                    write_json(&folder.join("site.json"), &description(&site, &name, &base, page))?;
                }
                let name = collection.add(&name, url, page)?;
                (collection, name)
            }
        };
        let entry = self.pages_of(&collection).into_iter().find(|entry| entry.page == name);
        entry.ok_or(ProjectError::NoPage { site: collection.name, page: name })
    }

    /// Adds a whole site. Its key page is the one whose address is `key`, else the home page. Returns how many pages it has, and what could not be read.
    ///
    /// # Errors
    /// If a file cannot be written, or if the site is there already.
    pub fn add_site(&self, name: &str, site: &dyn Site, key: Option<&Url>) -> Result<(usize, Vec<String>), ProjectError> {
        let folder = self.root.join(name);
        if folder.exists() {
            let what = "it is there already; name another folder, or remove it".to_owned();
            return Err(SuiteError::Broken { path: folder, what }.into());
        }
        let mut names = OutputNames::new("html");
        let (mut pages, mut problems) = (Vec::new(), Vec::new());
        let urls: Vec<Url> = site.known().into_iter().map(|id| site.url(id)).collect();
        let home = HomePage::of(&urls);
        for id in site.known() {
            let url = site.url(id);
            match site.load(id) {
                Ok(page) => {
                    let name = file_name(&mut names, &url);
                    write_file(&folder.join("pages").join(&name), &encoded(&page, page.source().to_owned()))?;
                    pages.push((url, name, page));
                }
                Err(error) => problems.push(error.to_string()),
            }
            // Only what is written down later is kept.
            pages.order_by_key(|(url, ..): &(Url, String, _)| (key.is_some_and(|key| key != url), home.distance(url)));
            pages.truncate(1);
        }
        let count = site.known().len() - problems.len();
        let Some((url, key_page, page)) = pages.first() else {
            return Err(SuiteError::Broken { path: folder, what: "the site has no page that can be read".to_owned() }.into());
        };
        let base = url.join("/").unwrap_or_else(|_| url.clone());
        let mut known = description(name, key_page, &base, page);
        known.insert("pages".to_owned(), count.into());
        write_json(&folder.join("site.json"), &known)?;
        Ok((count, problems))
    }
}

/// Where the labels of a person are.
fn labels(collection: &Collection, page: &str, who: &str) -> Result<PathBuf, ProjectError> {
    if !is_name(who) {
        return Err(ProjectError::Name);
    }
    Ok(collection.labels().join(who).join(collection.labelled(page)))
}

/// Whether a file is a page; styles and pictures lie beside them.
pub(super) fn is_page(file: &Path) -> bool {
    let starts = fs::File::open(file).is_ok_and(|mut file| {
        let mut start = [0; 512];
        let read = io::Read::read(&mut file, &mut start).unwrap_or(0);
        let start = start[..read].strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start[..read]);
        start.trim_ascii_start().starts_with(b"<") || start.windows(5).any(|five| five.eq_ignore_ascii_case(b"<html"))
    });
    let end = file.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    starts && !["svg", "xml", "css", "js", "json"].contains(&end.as_str())
}

/// What is known about a site.
fn description(id: &str, key_page: &str, base: &Url, page: &Page) -> Map<String, Value> {
    let mut known = Map::new();
    known.insert("id".to_owned(), id.into());
    known.insert("key_page".to_owned(), key_page.into());
    known.insert("base_url".to_owned(), base.as_str().into());
    let html = page.nodes().find(|node| page.name(*node) == "html");
    let language = html.and_then(|html| page.attr(html, "lang")).map(str::trim).filter(|language| !language.is_empty());
    known.extend(language.map(|language| ("language".to_owned(), Value::from(language.chars().take(20).collect::<String>()))));
    known
}

/// What the file of an address is called. A query stands after `@`, by which mirrored folders are found again where no name may have `?`.
fn file_name(names: &mut OutputNames, url: &Url) -> String {
    let mut url = url.clone();
    if let Some(query) = url.query().map(str::to_owned) {
        let path = format!("{}@{}", url.path(), query.replace('/', "_"));
        url.set_path(&path);
        url.set_query(None);
    }
    if url.path().ends_with('/') {
        url.set_path(&format!("{}index.html", url.path()));
    }
    names.name(&page_name(&url)).to_string_lossy().replace('\\', "/")
}

/// The file that has the gold of a page, as `site.json` says.
pub(super) fn gold_file(known: &Map<String, Value>, page: &str) -> Option<String> {
    let named = known.get("gold_pages").and_then(|pages| pages.get(page)).and_then(Value::as_str).filter(|gold| is_inside(gold));
    let is_key = known.get("key_page").and_then(Value::as_str) == Some(page);
    named.map(str::to_owned).or_else(|| is_key.then(|| "gold.html".to_owned()))
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, ProjectError> {
    fs::read(path).map_err(|cause| SuiteError::Read { path: path.to_owned(), cause }.into())
}

pub(super) fn read_json(path: &Path) -> Result<Map<String, Value>, ProjectError> {
    let broken = |error: serde_json::Error| SuiteError::Broken { path: path.to_owned(), what: error.to_string() };
    Ok(serde_json::from_slice(&read(path)?).map_err(broken)?)
}

pub(super) fn write_json(path: &Path, value: &Map<String, Value>) -> Result<(), ProjectError> {
    let mut text = format!("{:#}", Value::Object(value.clone()));
    text.push('\n');
    Ok(write_file(path, text.as_bytes())?)
}

pub(super) fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut paths: Vec<PathBuf> =
        found.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')).map(|entry| entry.path()).collect();
    paths.order();
    paths
}

/// The folders in a folder, without links.
pub(super) fn folders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir() && !path.is_symlink()).collect()
}

/// All files below a folder.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut left) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = left.pop() {
        left.extend(folders(&folder));
        found.extend(entries(&folder).into_iter().filter(|path| path.is_file()));
    }
    found.order();
    found
}

/// A path below another, with slashes.
pub(super) fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests;
