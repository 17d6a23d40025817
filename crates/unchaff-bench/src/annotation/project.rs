//! A suite that people are annotating: a folder of sites in the layout that suites of sites have.
//!
//! ```text
//! SITE/site.json            what is known about the site: key page, addresses, which pages have gold
//! SITE/pages/…              its pages, as they were saved
//! SITE/labels/WHO/PAGE      what each person said, as labelled pages, apart from each other
//! SITE/gold.html, gold/…    what holds, of the key page and of others
//! segments/SITE/PAGE/…      pages whose gold has segments, in the layout that suites of segments have
//! ```
//!
//! Names come from whoever asks. A site or page is one that the folder lists, and people have names that are one part of a path.

use super::{Annotation, SegmentMark};
use crate::gold::{OtherElements, encoded, same_elements};
use crate::label::LabelError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use thiserror::Error;
use unchaff_dom::{Page, Site};
use unchaff_job::{JobError, SiteNames, Sites, page_name, write_file};
use unchaff_source::OutputNames;
use url::Url;

/// How deep sites are looked for below the folder.
const DEPTH: usize = 3;

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
    /// The site, by its path in the project.
    pub site: String,
    /// The page, by its path in the site.
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
    /// A file cannot be read.
    #[error("cannot read {}: {cause}", .path.display())]
    Read {
        /// The file.
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
    /// The labels are of another page.
    #[error("{} has {elements}", .path.display())]
    Elements {
        /// The file.
        path: PathBuf,
        /// What is different.
        elements: OtherElements,
    },
    /// What is said does not fit the page.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] JobError),
}

/// Whether a path that someone names stays inside: parts of names, nothing hidden.
fn is_inside(path: &str) -> bool {
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
        fs::create_dir_all(folder).map_err(|cause| ProjectError::Read { path: folder.to_owned(), cause })?;
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
        let mut sites = Vec::new();
        let mut left = vec![(self.root.clone(), 0)];
        while let Some((folder, depth)) = left.pop() {
            if folder.join("site.json").is_file() {
                sites.push(folder);
            } else if depth < DEPTH {
                left.extend(folders(&folder).into_iter().map(|folder| (folder, depth + 1)));
            }
        }
        let mut pages: Vec<PageEntry> = sites.iter().flat_map(|site| self.pages_of(site)).collect();
        pages.sort_by(|one, other| (&one.site, !one.key, &one.page).cmp(&(&other.site, !other.key, &other.page)));
        pages
    }

    fn pages_of(&self, folder: &Path) -> Vec<PageEntry> {
        let site = relative(&self.root, folder);
        let known = read_json(&folder.join("site.json")).unwrap_or_default();
        let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for who in folders(&folder.join("labels")) {
            let name = relative(&folder.join("labels"), &who);
            files(&who).into_iter().for_each(|file| said.entry(relative(&who, &file)).or_default().push(name.clone()));
        }
        let pages = folder.join("pages");
        let mut found = Vec::new();
        for file in files(&pages) {
            let page = relative(&pages, &file);
            // Styles and pictures lie beside the pages.
            let is_page = fs::File::open(&file).is_ok_and(|mut file| {
                let mut start = [0; 512];
                let read = io::Read::read(&mut file, &mut start).unwrap_or(0);
                let start = start[..read].strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start[..read]);
                start.trim_ascii_start().starts_with(b"<") || start.windows(5).any(|five| five.eq_ignore_ascii_case(b"<html"))
            });
            let end = page.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
            if !is_page || ["svg", "xml", "css", "js", "json"].contains(&end.as_str()) {
                continue;
            }
            found.push(PageEntry {
                key: known.get("key_page").and_then(Value::as_str) == Some(&page),
                gold: gold_file(&known, &page).is_some_and(|gold| folder.join(gold).is_file()),
                annotators: said.remove(&page).unwrap_or_default(),
                site: site.clone(),
                page,
            });
        }
        found
    }

    /// The folder of a site that has a page.
    fn site_of(&self, site: &str, page: &str) -> Result<PathBuf, ProjectError> {
        let unknown = || ProjectError::NoPage { site: site.to_owned(), page: page.to_owned() };
        if !is_inside(page) || !(is_inside(site) || site.is_empty()) {
            return Err(unknown());
        }
        let folder = self.root.join(site);
        let file = folder.join("pages").join(page);
        // A link in the folder must not lead out of it.
        let inside = fs::canonicalize(&file).is_ok_and(|file| file.starts_with(&self.root) && file.is_file());
        if inside && folder.join("site.json").is_file() { Ok(folder) } else { Err(unknown()) }
    }

    /// A page as it was saved.
    ///
    /// # Errors
    /// If there is none.
    pub fn page(&self, site: &str, page: &str) -> Result<Page, ProjectError> {
        let folder = self.site_of(site, page)?;
        let base = read_json(&folder.join("site.json")).ok().and_then(|known| Some(known.get("base_url")?.as_str()?.to_owned()));
        let bytes = read(&folder.join("pages").join(page))?;
        let address = base.and_then(|base| Url::parse(&base).ok()?.join(page).ok());
        Ok(match address {
            Some(address) => unchaff_dom::Parser::new().url(address.as_str()).parse(bytes),
            None => Page::parse(bytes),
        })
    }

    /// Where the labels of a person are.
    fn labels(&self, site: &str, page: &str, who: &str) -> Result<PathBuf, ProjectError> {
        let folder = self.site_of(site, page)?;
        if is_name(who) { Ok(folder.join("labels").join(who).join(page)) } else { Err(ProjectError::Name) }
    }

    /// What a person said about a page; of `gold`, what holds.
    ///
    /// # Errors
    /// If it is nothing, or of another page.
    pub fn annotation(&self, site: &str, page: &str, who: &str) -> Result<Annotation, ProjectError> {
        let file = match who {
            "gold" => {
                let folder = self.site_of(site, page)?;
                let known = read_json(&folder.join("site.json"))?;
                gold_file(&known, page).map(|gold| folder.join(gold))
            }
            who => Some(self.labels(site, page, who)?),
        };
        let nothing = || ProjectError::Nothing { who: who.to_owned(), page: page.to_owned() };
        let file = file.filter(|file| file.is_file()).ok_or_else(nothing)?;
        let labelled = Page::parse(read(&file)?);
        same_elements(&self.page(site, page)?, &labelled).map_err(|elements| ProjectError::Elements { path: file, elements })?;
        let mut annotation = Annotation::read(&labelled);
        if who == "gold" {
            annotation.segments = self.gold_segments(site, page);
        }
        Ok(annotation)
    }

    /// What everybody said about a page, by name.
    ///
    /// # Errors
    /// If there is no such page.
    pub fn annotations(&self, site: &str, page: &str) -> Result<Vec<(String, Annotation)>, ProjectError> {
        let folder = self.site_of(site, page)?;
        let names = folders(&folder.join("labels")).into_iter().map(|who| relative(&folder.join("labels"), &who));
        Ok(names.filter_map(|who| Some((who.clone(), self.annotation(site, page, &who).ok()?))).collect())
    }

    /// Keeps what a person says about a page.
    ///
    /// # Errors
    /// If it does not fit the page, or cannot be written.
    pub fn save(&self, site: &str, page: &str, who: &str, annotation: &Annotation) -> Result<(), ProjectError> {
        let file = self.labels(site, page, who)?;
        Ok(write_file(&file, &annotation.write(&self.page(site, page)?)?)?)
    }

    /// Forgets what a person said about a page.
    ///
    /// # Errors
    /// If it was nothing.
    pub fn forget(&self, site: &str, page: &str, who: &str) -> Result<(), ProjectError> {
        let file = self.labels(site, page, who)?;
        fs::remove_file(file).map_err(|_| ProjectError::Nothing { who: who.to_owned(), page: page.to_owned() })
    }

    /// Makes an annotation the gold of a page, and with it the page one of the suite.
    ///
    /// # Errors
    /// If it does not fit the page, or cannot be written.
    pub fn save_gold(&self, site: &str, page: &str, annotation: &Annotation) -> Result<(), ProjectError> {
        let folder = self.site_of(site, page)?;
        let parsed = self.page(site, page)?;
        let blocks = Annotation { segments: Vec::new(), ..annotation.clone() }.write(&parsed)?;
        let mut known = read_json(&folder.join("site.json"))?;
        let file = gold_file(&known, page).unwrap_or_else(|| format!("gold/{page}"));
        write_file(&folder.join(&file), &blocks)?;
        let gold_pages = known.entry("gold_pages").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(gold_pages) = gold_pages
            && gold_pages.get(page).and_then(Value::as_str) != Some(&file)
        {
            gold_pages.insert(page.to_owned(), file.into());
            write_json(&folder.join("site.json"), &known)?;
        }
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

    /// Adds a page, and its site if it is new; returns their names. A page that is there already stays as it is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add_page(&self, url: &Url, page: &Page) -> Result<PageEntry, ProjectError> {
        let site = url.host_str().unwrap_or("site").replace(['[', ']', ':'], "_");
        let folder = self.root.join(&site);
        let name = file_name(&mut OutputNames::new("html"), url);
        let file = folder.join("pages").join(&name);
        if !file.exists() {
            write_file(&file, &encoded(page, page.source().to_owned()))?;
        }
        if !folder.join("site.json").is_file() {
            let base = url.join("/").unwrap_or_else(|_| url.clone());
            write_json(&folder.join("site.json"), &description(&site, &name, &base, page))?;
        }
        let entry = self.pages_of(&folder).into_iter().find(|entry| entry.page == name);
        entry.ok_or(ProjectError::NoPage { site, page: name })
    }

    /// Adds a whole site. Its key page is the one whose address is `key`, else the first page of the shortest path. Returns how many pages it has, and what could not be read.
    ///
    /// # Errors
    /// If a file cannot be written, or if the site is there already.
    pub fn add_site(&self, name: &str, site: &dyn Site, key: Option<&Url>) -> Result<(usize, Vec<String>), ProjectError> {
        let folder = self.root.join(name);
        if folder.exists() {
            let what = "it is there already; name another folder, or remove it".to_owned();
            return Err(ProjectError::Broken { path: folder, what });
        }
        let mut names = OutputNames::new("html");
        let (mut pages, mut problems) = (Vec::new(), Vec::new());
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
            if pages.len() > 1 && key.is_none() {
                let length = |at: usize| {
                    let (url, ..): &(Url, String, _) = &pages[at];
                    (url.path().len() + url.query().map_or(0, str::len), url.as_str().to_owned())
                };
                if length(1) < length(0) {
                    pages.swap(0, 1);
                }
                pages.truncate(1);
            } else if let Some(key) = key {
                pages.sort_by_key(|(url, ..)| url != key);
                pages.truncate(1);
            }
        }
        let count = site.known().len() - problems.len();
        let Some((url, key_page, page)) = pages.first() else {
            return Err(ProjectError::Broken { path: folder, what: "the site has no page that can be read".to_owned() });
        };
        let base = url.join("/").unwrap_or_else(|_| url.clone());
        let mut known = description(name, key_page, &base, page);
        known.insert("pages".to_owned(), count.into());
        write_json(&folder.join("site.json"), &known)?;
        Ok((count, problems))
    }
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
fn gold_file(known: &Map<String, Value>, page: &str) -> Option<String> {
    let named = known.get("gold_pages").and_then(|pages| pages.get(page)).and_then(Value::as_str).filter(|gold| is_inside(gold));
    let is_key = known.get("key_page").and_then(Value::as_str) == Some(page);
    named.map(str::to_owned).or_else(|| is_key.then(|| "gold.html".to_owned()))
}

fn read(path: &Path) -> Result<Vec<u8>, ProjectError> {
    fs::read(path).map_err(|cause| ProjectError::Read { path: path.to_owned(), cause })
}

fn read_json(path: &Path) -> Result<Map<String, Value>, ProjectError> {
    serde_json::from_slice(&read(path)?).map_err(|error| ProjectError::Broken { path: path.to_owned(), what: error.to_string() })
}

fn write_json(path: &Path, value: &Map<String, Value>) -> Result<(), ProjectError> {
    let mut text = format!("{:#}", Value::Object(value.clone()));
    text.push('\n');
    Ok(write_file(path, text.as_bytes())?)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut paths: Vec<PathBuf> =
        found.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The folders in a folder, without links.
fn folders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir() && !path.is_symlink()).collect()
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut left) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = left.pop() {
        left.extend(folders(&folder));
        found.extend(entries(&folder).into_iter().filter(|path| path.is_file()));
    }
    found.sort();
    found
}

/// A path below another, with slashes.
fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotation::merging::merge;
    use crate::suite::Suite;
    use unchaff_page::BlockKind;

    const PAGE: &str = "<!doctype html><html lang=en><body><nav><a href=/>Home</a></nav><main><h1>Tea</h1><p>It is green.</p></main></body></html>";

    fn project() -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| write_file(&folder.path().join(name), text.as_bytes()).unwrap();
        write(
            "tea/site.json",
            r#"{"id": "tea", "key_page": "index.html", "base_url": "https://tea.example/", "category": "shop"}"#,
        );
        write("tea/pages/index.html", PAGE);
        write("tea/pages/green/one.html", PAGE);
        write("tea/pages/style.css", "<html>");
        let project = Project::open(folder.path()).unwrap();
        (folder, project)
    }

    fn content(from: u32) -> Annotation {
        Annotation { content: vec![[from, 8]], ..Annotation::default() }
    }

    #[test]
    fn people_say_things_apart_and_what_holds_is_a_suite() {
        let (folder, project) = project();
        let names: Vec<(String, bool)> = project.pages().into_iter().map(|entry| (entry.page, entry.key)).collect();
        assert_eq!(names, [("index.html".to_owned(), true), ("green/one.html".to_owned(), false)]);
        for page in ["index.html", "green/one.html"] {
            project.save("tea", page, "anna", &content(5)).unwrap();
            project.save("tea", page, "björn", &content(5)).unwrap();
            project.save("tea", page, "c-3", &content(6)).unwrap();
            let said: Vec<Annotation> = project.annotations("tea", page).unwrap().into_iter().map(|(_, said)| said).collect();
            assert_eq!(said, [content(5), content(5), content(6)]);
            let mut merged = merge(&project.page("tea", page).unwrap(), &said, None).annotation;
            merged.segments = vec![SegmentMark { element: 5, level: 1, kind: "Main".to_owned() }];
            project.save_gold("tea", page, &merged).unwrap();
            assert_eq!(project.annotation("tea", page, "gold").unwrap(), merged);
        }
        assert!(project.pages().iter().all(|entry| entry.gold && entry.annotators == ["anna", "björn", "c-3"]));
        let mut suites = Suite::open(folder.path()).unwrap();
        suites.iter_mut().for_each(Suite::check);
        let counts: Vec<(usize, usize)> = suites.iter().map(|suite| (suite.items.len(), suite.problems.len())).collect();
        assert_eq!(counts, [(1, 0), (2, 0)], "{:?}", suites[1].problems);
        let benchmark = suites[1].load(&suites[1].items[0]).unwrap();
        let words = unchaff_dom::emit::text(&benchmark.page, benchmark.gold.nodes(BlockKind::Content).unwrap());
        assert_eq!(words.split_whitespace().collect::<Vec<_>>().join(" "), "Tea It is green.");
        assert_eq!(suites[0].items[0].category.as_deref(), Some("shop"));
        let segments = Suite::open(&folder.path().join("segments")).unwrap();
        assert_eq!(segments[0].items.len(), 2);
        assert_eq!(segments[0].load(&segments[0].items[0]).unwrap().gold.segments[0].1, "Main");
        project.forget("tea", "index.html", "c-3").unwrap();
        assert!(matches!(project.forget("tea", "index.html", "c-3"), Err(ProjectError::Nothing { .. })));
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let (folder, project) = project();
        fs::write(folder.path().join("secret.html"), PAGE).unwrap();
        for (site, page) in [
            ("tea", "../../secret.html"),
            ("tea", "/etc/passwd"),
            ("..", "x"),
            ("tea/..", "secret.html"),
            ("", "secret.html"),
            ("tea", ""),
            ("tea", "."),
            ("tea", ".hidden"),
            ("tea", "none.html"),
            ("coffee", "index.html"),
            ("tea", "..\\..\\secret.html"),
        ] {
            assert!(matches!(project.page(site, page), Err(ProjectError::NoPage { .. })), "{site} {page}");
            assert!(project.save(site, page, "anna", &content(5)).is_err(), "{site} {page}");
        }
        for who in ["", "..", "a/b", "a.b", "gold", &"x".repeat(41), "a b", "a\0"] {
            assert!(matches!(project.save("tea", "index.html", who, &content(5)), Err(ProjectError::Name)), "{who}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc/passwd", folder.path().join("tea/pages/linked.html")).unwrap();
            assert!(project.page("tea", "linked.html").is_err());
        }
        assert!(matches!(project.save("tea", "index.html", "anna", &content(6)), Ok(())));
        let wrong = Annotation { content: vec![[4, 99]], ..Annotation::default() };
        assert!(matches!(project.save("tea", "index.html", "anna", &wrong), Err(ProjectError::Label(_))));
    }

    #[test]
    fn a_page_that_is_fetched_becomes_one_of_the_project() {
        let (_folder, project) = project();
        let url = |text: &str| Url::parse(text).unwrap();
        let page = Page::parse(b"<meta charset=windows-1252><p>caf\xe9".as_slice());
        let entry = project.add_page(&url("https://caf.example/menu?day=1"), &page).unwrap();
        assert_eq!((entry.site.as_str(), entry.page.as_str(), entry.key), ("caf.example", "menu@day=1.html", true));
        let again = project.page("caf.example", &entry.page).unwrap();
        assert_eq!(again.text(again.root()), "café");
        project.save("caf.example", &entry.page, "anna", &Annotation { content: vec![[2, 3]], ..Annotation::default() }).unwrap();
        let second = project.add_page(&url("https://caf.example/"), &page).unwrap();
        assert_eq!((second.page.as_str(), second.key), ("index.html", false));
        assert!(project.add_page(&url("https://[::1]:8080/a"), &page).is_ok());
    }
}
