//! Pages of a project that lie together, in any of the layouts that suites have, and where their gold goes in it.
//!
//! | layout | pages | gold |
//! |---|---|---|
//! | sites | `SITE/pages/…` | `SITE/gold.html`, `SITE/gold/…`, listed in `site.json` |
//! | texts | `pages/ID.html` | `gold/ID.txt`, the text of the content |
//! | package | `ID.html` | `ID.txt`, listed in `package.json` |
//! | segments | `HOST/…/index.dom.html` | `index.blocks.html` beside it |
//! | TeCo | `DOMAIN/…` | labels in the key page itself |
//!
//! Pages that just lie in a folder are a package in the making. What each person said is in `labels/WHO/`, and, in all layouts but that of sites, `labels/gold/` has all that holds:
//! a text cannot tell a menu from an advertisement.

use super::project::{
    ProjectError, entries, files, folders, gold_file, is_inside, is_page, read, read_json, relative, write_json,
};
use super::{Annotation, SegmentMark, elements, text_mark};
use crate::gold::{Notation, encoded, same_elements, segments, strip};
use crate::suite::{Found, SuiteError, layout_of};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, Page, Parser, emit};
use unchaff_job::write_file;
use unchaff_page::BlockKind;
use url::Url;

/// How deep pages are looked for below the folder of a project.
const DEPTH: usize = 3;

/// How pages lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Site,
    Texts,
    Package,
    Segments,
    /// Key pages, by their paths in the folder.
    Teco(Vec<String>),
}

/// Pages that lie together.
#[derive(Clone, Debug)]
pub(super) struct Collection {
    /// Its path in the project.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    pub(super) kind: Kind,
}

/// All of them in a folder.
pub(super) fn collections(root: &Path) -> Vec<Collection> {
    let mut found = Vec::new();
    let mut left = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = left.pop() {
        let mut add = |folder: PathBuf, kind: Kind| found.push(Collection { name: relative(root, &folder), folder, kind });
        if folder.join("site.json").is_file() {
            add(folder, Kind::Site);
            continue;
        }
        match layout_of(&folder) {
            Some(Found::Texts) => add(folder, Kind::Texts),
            Some(Found::Segments) => add(folder, Kind::Segments),
            Some(Found::Teco(keys)) => {
                // In version 1.0 the domains are in a folder of their own.
                let domains = keys.iter().filter_map(|key| {
                    let mut above = key.ancestors().skip(1).take_while(|above| above.starts_with(&folder) && *above != folder);
                    above
                        .by_ref()
                        .filter(|above| above.file_name().is_some_and(|name| name.to_string_lossy().contains('.')))
                        .last()
                });
                let mut domains: Vec<PathBuf> = domains.map(Path::to_owned).collect();
                domains.order();
                domains.dedup();
                for domain in domains {
                    let of = keys.iter().filter(|key| key.starts_with(&domain)).map(|key| relative(&domain, key)).collect();
                    add(domain, Kind::Teco(of));
                }
            }
            // A package has no folders of its own, so what is below it is something else.
            Some(Found::Package) | None => {
                if entries(&folder).iter().any(|file| is_single(file)) {
                    add(folder.clone(), Kind::Package);
                }
                let below =
                    folders(&folder).into_iter().filter(|folder| !folder.ends_with("labels") && !folder.ends_with("layouts"));
                left.extend(below.filter(|_| depth < DEPTH).map(|folder| (folder, depth + 1)));
            }
        }
    }
    found.order_by(|one, other| one.name.cmp(&other.name));
    found
}

/// Whether a file is a page that stands alone.
fn is_single(file: &Path) -> bool {
    let has_ending = file.extension().is_some_and(|end| end.eq_ignore_ascii_case("html"));
    has_ending && file.is_file() && !file.is_symlink()
}

impl Collection {
    /// Its pages, by path.
    pub(super) fn pages(&self) -> Vec<String> {
        let folder = self.pages_folder();
        let paths = |files: Vec<PathBuf>| files.iter().map(|file| relative(&folder, file)).collect::<Vec<String>>();
        match &self.kind {
            Kind::Site | Kind::Teco(_) => paths(files(&folder).into_iter().filter(|file| is_page(file)).collect()),
            Kind::Texts => {
                paths(files(&folder).into_iter().filter(|file| file.extension().is_some_and(|end| end == "html")).collect())
            }
            Kind::Package => paths(entries(&folder).into_iter().filter(|file| is_single(file)).collect()),
            Kind::Segments => {
                let hosts = folders(&folder).into_iter().filter(|host| !host.ends_with("labels") && !host.ends_with("layouts"));
                paths(hosts.flat_map(|host| files(&host)).filter(|file| file.ends_with("index.dom.html")).collect())
            }
        }
    }

    fn pages_folder(&self) -> PathBuf {
        match self.kind {
            Kind::Site | Kind::Texts => self.folder.join("pages"),
            _ => self.folder.clone(),
        }
    }

    /// The file of a page.
    pub(super) fn file(&self, page: &str) -> PathBuf {
        self.pages_folder().join(page)
    }

    /// The folder that has what a page needs to look as it does, and the addresses that it stands for.
    pub(super) fn surroundings(&self, page: &str) -> (PathBuf, Vec<Url>) {
        let known = |text: Option<&str>| text.and_then(|text| Url::parse(text).ok());
        match &self.kind {
            Kind::Site => {
                let site = read_json(&self.folder.join("site.json")).unwrap_or_default();
                let urls = site.get("base_urls").and_then(Value::as_array).into_iter().flatten().chain(site.get("base_url"));
                (self.pages_folder(), urls.filter_map(|url| known(url.as_str())).collect())
            }
            Kind::Segments => (self.folder.join(page.split('/').next().unwrap_or_default()), Vec::new()),
            Kind::Teco(_) => {
                let domain = self.folder.file_name().unwrap_or_default().to_string_lossy();
                (self.folder.clone(), known(Some(&format!("http://{domain}/"))).into_iter().collect())
            }
            Kind::Texts | Kind::Package => (self.pages_folder(), Vec::new()),
        }
    }

    /// The name of a page without its ending.
    fn id(page: &str) -> &str {
        page.rsplit_once('.').map_or(page, |(id, _)| id)
    }

    /// The address of a page, if it is known.
    fn url(&self, page: &str) -> Option<String> {
        let text = |value: &Value| Some(value.as_str()?.to_owned());
        match &self.kind {
            Kind::Site => {
                let known = read_json(&self.folder.join("site.json")).ok()?;
                Some(Url::parse(known.get("base_url")?.as_str()?).ok()?.join(page).ok()?.into())
            }
            Kind::Texts => text(read_json(&self.folder.join("meta.json")).ok()?.get("items")?.get(Self::id(page))?.get("url")?),
            Kind::Package => text(read_json(&self.folder.join(format!("{}.meta.json", Self::id(page)))).ok()?.get("url")?),
            Kind::Segments => Some(format!("http://{}/", page.split('/').next()?)),
            Kind::Teco(_) => {
                let domain = self.folder.file_name()?.to_string_lossy();
                Some(Url::parse(&format!("http://{domain}/")).ok()?.join(page).ok()?.into())
            }
        }
    }

    /// A page, without labels.
    pub(super) fn page(&self, page: &str) -> Result<Page, ProjectError> {
        let file = self.file(page);
        let mut bytes = read(&file)?;
        if matches!(self.kind, Kind::Teco(_)) {
            let stripped = strip(&Page::parse(bytes), Notation::TECO);
            bytes = stripped.map_err(|elements| SuiteError::Elements { path: file, elements })?;
        }
        Ok(match self.url(page) {
            Some(url) => Parser::new().url(&url).parse(bytes),
            None => Page::parse(bytes),
        })
    }

    /// The folder that has a folder for what each person said.
    pub(super) fn labels(&self) -> PathBuf {
        match self.kind {
            // What is in the folder of a domain is the site.
            Kind::Teco(_) => self.folder.parent().unwrap_or(&self.folder).join("labels"),
            _ => self.folder.join("labels"),
        }
    }

    /// Where a person's labels of a page are, in the folder of that person.
    pub(super) fn labelled(&self, page: &str) -> PathBuf {
        match self.kind {
            Kind::Teco(_) => Path::new(self.folder.file_name().unwrap_or_default()).join(page),
            _ => PathBuf::from(page),
        }
    }

    fn everything(&self, page: &str) -> PathBuf {
        self.labels().join("gold").join(self.labelled(page))
    }

    /// Whether it is the page that the others are there for.
    pub(super) fn is_key(&self, page: &str, site: &Map<String, Value>) -> bool {
        match &self.kind {
            Kind::Site => site.get("key_page").and_then(Value::as_str) == Some(page),
            Kind::Teco(keys) => keys.iter().any(|key| key == page),
            _ => true,
        }
    }

    /// The file of the gold as the layout has it.
    fn own_gold(&self, page: &str, site: &Map<String, Value>) -> Option<PathBuf> {
        match &self.kind {
            Kind::Site => gold_file(site, page).map(|gold| self.folder.join(gold)),
            Kind::Texts => Some(self.folder.join("gold").join(format!("{}.txt", Self::id(page)))),
            Kind::Package => Some(self.folder.join(format!("{}.txt", Self::id(page)))),
            Kind::Segments => Some(self.file(page).with_file_name("index.blocks.html")),
            Kind::Teco(keys) => keys.iter().any(|key| key == page).then(|| self.file(page)),
        }
    }

    /// What is known about the site, if that is what it is.
    pub(super) fn site(&self) -> Map<String, Value> {
        if self.kind == Kind::Site { read_json(&self.folder.join("site.json")).unwrap_or_default() } else { Map::new() }
    }

    /// Whether a page has gold.
    pub(super) fn has_gold(&self, page: &str, site: &Map<String, Value>) -> bool {
        let Some(file) = self.own_gold(page, site).filter(|file| file.is_file()) else { return false };
        // A key page may have no labels yet.
        !matches!(self.kind, Kind::Teco(_)) || read(&file).is_ok_and(|bytes| bytes.windows(5).any(|five| five == b"TECO_"))
    }

    /// What holds of a page, if that can be told.
    pub(super) fn gold(&self, page: &str) -> Result<Option<Annotation>, ProjectError> {
        let site = self.site();
        let everything = self.everything(page);
        if self.kind != Kind::Site && everything.is_file() {
            return self.copy(page, &everything).map(Some);
        }
        let Some(file) = self.own_gold(page, &site).filter(|_| self.has_gold(page, &site)) else { return Ok(None) };
        Ok(match self.kind {
            Kind::Site => Some(self.copy(page, &file)?),
            Kind::Texts | Kind::Package => None,
            Kind::Segments => Some(drawn(&Page::parse(read(&file)?), &self.page(page)?)),
            Kind::Teco(_) => Some(Annotation::read_in(&Page::parse(read(&file)?), Notation::TECO)),
        })
    }

    /// What a labelled copy of a page says.
    pub(super) fn copy(&self, page: &str, file: &Path) -> Result<Annotation, ProjectError> {
        let labelled = Page::parse(read(file)?);
        let same = same_elements(&self.page(page)?, &labelled);
        same.map_err(|elements| SuiteError::Elements { path: file.to_owned(), elements })?;
        Ok(Annotation::read(&labelled))
    }

    /// Makes an annotation the gold of a page, in the layout that the page is in. Gold that others made stays unless it is to be replaced.
    pub(super) fn save_gold(&self, page: &str, annotation: &Annotation, replaces: bool) -> Result<(), ProjectError> {
        let parsed = self.page(page)?;
        let mut site = self.site();
        let everything = self.everything(page);
        if self.kind == Kind::Site {
            let blocks = Annotation { segments: Vec::new(), ..annotation.clone() }.write(&parsed)?;
            let file = gold_file(&site, page).unwrap_or_else(|| format!("gold/{page}"));
            write_file(&self.folder.join(&file), &blocks)?;
            let gold_pages = site.entry("gold_pages").or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(gold_pages) = gold_pages
                && gold_pages.get(page).and_then(Value::as_str) != Some(&file)
            {
                gold_pages.insert(page.to_owned(), file.into());
                write_json(&self.folder.join("site.json"), &site)?;
            }
            return Ok(());
        }
        let Some(gold) = self.own_gold(page, &site) else { return Err(ProjectError::NoKeyPage(page.to_owned())) };
        if self.has_gold(page, &site) && !everything.is_file() && !replaces {
            return Err(ProjectError::OtherGold(gold));
        }
        let written = annotation.write(&parsed)?;
        let bytes = match self.kind {
            Kind::Site | Kind::Texts | Kind::Package => content_text(&parsed, annotation).into_bytes(),
            Kind::Segments => Annotation { segments: annotation.segments.clone(), ..Annotation::default() }.write(&parsed)?,
            Kind::Teco(_) => {
                let labelled = Annotation { segments: Vec::new(), ..annotation.clone() };
                let bytes = labelled.write(&parsed)?;
                if Annotation::read_in(&Page::parse(bytes.clone()), Notation::TECO) != labelled {
                    return Err(ProjectError::Inherited);
                }
                bytes
            }
        };
        self.list(page)?;
        write_file(&gold, &bytes)?;
        Ok(write_file(&everything, &written)?)
    }

    /// Names a page in the file that lists those of the suite.
    fn list(&self, page: &str) -> Result<(), ProjectError> {
        let id = Self::id(page);
        let broken = |path: &Path, what: &str| SuiteError::Broken { path: path.to_owned(), what: what.to_owned() };
        match self.kind {
            Kind::Texts => {
                let file = self.folder.join("meta.json");
                let mut meta = read_json(&file)?;
                let items = meta.entry("items").or_insert_with(|| Value::Object(Map::new()));
                let items = items.as_object_mut().ok_or_else(|| broken(&file, "its `items` are no object"))?;
                if !items.contains_key(id) {
                    items.insert(id.to_owned(), Value::Object(Map::new()));
                    write_json(&file, &meta)?;
                }
            }
            Kind::Package => {
                let file = self.folder.join("package.json");
                let mut package = if file.is_file() { read_json(&file)? } else { Map::new() };
                let documents = package.entry("documents").or_insert_with(|| Value::Array(Vec::new()));
                let documents = documents.as_array_mut().ok_or_else(|| broken(&file, "its `documents` are no list"))?;
                if !documents.iter().any(|known| known.as_str() == Some(id)) {
                    documents.push(id.into());
                    write_json(&file, &package)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds a page in the layout; returns its path. A page that is there already stays as it is.
    pub(super) fn add(&self, name: &str, url: &Url, page: &Page) -> Result<String, ProjectError> {
        let flat = name.replace('/', "_");
        let host = url.host_str().unwrap_or("site").replace(['[', ']', ':'], "_");
        let known = || Map::from_iter([("url".to_owned(), Value::from(url.as_str()))]);
        let path = match &self.kind {
            Kind::Site => name.to_owned(),
            Kind::Texts | Kind::Package => format!("{host}_{flat}"),
            Kind::Segments => format!("{host}/{}/index.dom.html", Self::id(&flat)),
            Kind::Teco(_) => return Err(ProjectError::NoKeyPage(name.to_owned())),
        };
        let file = self.file(&path);
        if file.exists() {
            return Ok(path);
        }
        write_file(&file, &encoded(page, page.source().to_owned()))?;
        match self.kind {
            Kind::Texts => {
                self.list(&path)?;
                let meta_file = self.folder.join("meta.json");
                let mut meta = read_json(&meta_file)?;
                if let Some(Value::Object(items)) = meta.get_mut("items") {
                    items.insert(Self::id(&path).to_owned(), Value::Object(known()));
                }
                write_json(&meta_file, &meta)?;
            }
            Kind::Package => write_json(&self.folder.join(format!("{}.meta.json", Self::id(&path))), &known())?,
            _ => {}
        }
        Ok(path)
    }

    /// Whether a path can be that of a page here.
    pub(super) fn has(&self, root: &Path, page: &str) -> bool {
        // A link in the folder must not lead out of it.
        let file = std::fs::canonicalize(self.file(page));
        let is_listed = match &self.kind {
            Kind::Package => !page.contains('/') && is_single(&self.file(page)),
            Kind::Segments => page.ends_with("/index.dom.html") && !page.starts_with("labels/") && !page.starts_with("layouts/"),
            Kind::Texts => page.ends_with(".html"),
            _ => true,
        };
        is_inside(page) && is_listed && file.is_ok_and(|file| file.starts_with(root) && file.is_file())
    }
}

/// The segments that people drew on a copy of a page.
fn drawn(labelled: &Page, page: &Page) -> Annotation {
    let (found, _) = segments(labelled, page);
    let mut marks: Vec<SegmentMark> = found
        .into_iter()
        .filter(|(level, ..)| (1..=9).contains(level))
        .map(|(level, kind, node)| SegmentMark {
            element: page.element_number(node) as u32,
            level,
            kind: kind[..kind.floor_char_boundary(super::LONGEST_KIND)].replace(char::is_control, " "),
        })
        .collect();
    marks.order();
    marks.dedup_by_key(|mark| mark.element);
    Annotation { segments: marks, ..Annotation::default() }
}

/// The text of the content that an annotation says.
fn content_text(page: &Page, annotation: &Annotation) -> String {
    let text = |page: &Page, labelled: Result<Vec<u8>, crate::label::LabelError>| {
        let labels = Notation::default().read(&Page::parse(labelled.ok()?));
        let blocks = labels.blocks(page);
        let (_, content) = blocks.into_iter().find(|(kind, _)| *kind == BlockKind::Content)?;
        Some(emit::text(page, &content))
    };
    if annotation.texts.is_empty() {
        return text(page, annotation.write(page)).unwrap_or_default();
    }
    // Texts that are divided are written anew with their content alone, and so have nothing in them that is not wholly content.
    let Ok(labelled) = annotation.write(page) else { return String::new() };
    let labels = Notation::default().read(&Page::parse(labelled));
    let mut parts: Vec<(std::ops::Range<usize>, String)> = labels
        .parts(page)
        .into_iter()
        .filter(|(kind, ..)| *kind == BlockKind::Content)
        .map(|(_, node, ranges)| {
            let kept: Vec<&str> = ranges.into_iter().map(|range| &page.text(node)[range]).collect();
            (page.source_range(node), crate::report::escape(&kept.join(" ")))
        })
        .collect();
    parts.order_by_key(|(range, _)| range.start);
    let (source, mut edited, mut at) = (page.source(), String::new(), 0);
    for (range, kept) in parts {
        if range.start >= at && range.end <= source.len() {
            edited.push_str(&source[at..range.start]);
            edited.push_str(&kept);
            at = range.end;
        }
    }
    edited.push_str(&source[at..]);
    let less = Parser::new().parse_text(&edited);
    if same_elements(page, &less).is_err() {
        // A page that cannot be edited: each text is what most of it is.
        return text(page, annotation.write(page)).unwrap_or_default();
    }
    // What is left of the divided texts is content.
    let nodes: Vec<NodeId> = elements(&less);
    let mut whole = annotation.clone();
    whole.texts.clear();
    let mut divided: Vec<u32> = annotation.texts.iter().map(|mark| mark.element).collect();
    divided.dedup();
    for element in divided {
        let length = text_mark::own_text(&less, nodes[element as usize]).chars().count() as u32;
        if length > 0 {
            whole.texts.push(text_mark::TextMark { element, from: 0, to: length, is: text_mark::TextLabel::Content });
        }
    }
    text(&less, whole.write(&less)).unwrap_or_default()
}
