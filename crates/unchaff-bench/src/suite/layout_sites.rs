//! Sites: `<site>/site.json` with `key_page`, `base_url` or `base_urls`, `category`, `language`, `split`; the mirrored pages in
//! `<site>/pages/`, and `<site>/gold.html`: the key page with labels, each element speaking for itself.
//!
//! A site may have gold for more of its pages (`gold_pages`, from page to labelled file). These make a second suite, because
//! figures of sites are means over sites, each counted once.

use super::key_page::KeyPageSite;
use super::{Benchmark, Item, Layout, Place as AnyPlace, Problem, Split, Suite, SuiteError, files};
use crate::digest::digest;
use crate::gold::{Notation, same_elements};
use serde_json::Value;
use std::path::{Path, PathBuf};
use unchaff_dom::Page;
use unchaff_dom::order::InOrder;
use url::Url;

#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) page: PathBuf,
    gold: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) base_urls: Vec<Url>,
}

impl Place {
    pub(super) fn load(&self, notes: &mut Vec<String>) -> Result<Benchmark, SuiteError> {
        let source = files::read(&self.page)?;
        let gold = Page::parse(files::read(&self.gold)?);
        let site = KeyPageSite::open(&self.folder, &self.base_urls, &self.page, &source)?;
        let (_, page) = site.key();
        same_elements(&page, &gold).map_err(|elements| SuiteError::Elements { path: self.gold.clone(), elements })?;
        let labels = Notation::default().read(&gold);
        notes.extend(labels.problems());
        notes.extend(page.warnings().iter().map(|warning| format!("the page is broken: {warning}")));
        Ok(Benchmark::of_key_page(source, &labels, site))
    }
}

/// Opens the suites of a folder of sites: that of key pages, and that of all pages with gold if there are more.
pub(super) fn open(dir: &Path, folders: &[PathBuf]) -> Result<Vec<Suite>, SuiteError> {
    let suite = |name: String| Suite {
        name,
        root: dir.to_owned(),
        layout: Layout::Sites,
        digest: String::new(),
        items: Vec::new(),
        problems: Vec::new(),
    };
    let name = files::name(dir);
    let (mut keys, mut all) = (suite(name.clone()), suite(format!("{name}-pages")));
    let (mut key_files, mut all_files) = (Vec::new(), Vec::new());
    for folder in folders.iter().filter(|folder| folder.join("site.json").is_file()) {
        let id = files::name(folder);
        let mut problem = |what: String| keys.problems.push(Problem { item: Some(id.clone()), what });
        let known = match files::read_json(&folder.join("site.json")) {
            Ok(known) => known,
            Err(error) => {
                problem(error.to_string());
                continue;
            }
        };
        let belonging =
            [folder.join("site.json"), folder.join("gold.html")].into_iter().chain(files::all_files(&folder.join("pages")));
        key_files.extend(belonging);
        let site = Description { folder, id: &id, known: &known };
        match files::text(&known, "key_page") {
            None => problem("site.json does not name a key_page".to_owned()),
            Some(key_page) => match site.item(&id, &key_page, "gold.html") {
                Ok(item) => keys.items.push(item),
                Err(what) => problem(what),
            },
        }
        let gold_pages = known.get("gold_pages").and_then(Value::as_object);
        for (page, gold) in gold_pages.into_iter().flatten() {
            let gold = gold.as_str().unwrap_or_default();
            let id = format!("{id}/{page}");
            match site.item(&id, page, gold) {
                Ok(item) => {
                    all_files.push(folder.join(gold));
                    all.items.push(item);
                }
                Err(what) => all.problems.push(Problem { item: Some(id), what }),
            }
        }
    }
    keys.digest = digest(dir, &key_files);
    if all.items.is_empty() {
        keys.problems.append(&mut all.problems);
        return Ok(vec![keys]);
    }
    all.items.order_by(|one, other| one.id.cmp(&other.id));
    all_files.extend(key_files);
    all.digest = digest(dir, &all_files);
    Ok(vec![keys, all])
}

/// What `site.json` says.
struct Description<'a> {
    folder: &'a Path,
    id: &'a str,
    known: &'a Value,
}

impl Description<'_> {
    /// A labelled page as an item; or what is wrong with it.
    fn item(&self, id: &str, page: &str, gold: &str) -> Result<Item, String> {
        let (folder, known) = (self.folder.join("pages"), self.known);
        if !files::is_inside(page) || !folder.join(page).is_file() {
            return Err(format!("the page pages/{page} that site.json names is not there"));
        }
        if !files::is_inside(gold) || !self.folder.join(gold).is_file() {
            return Err(format!("the gold {gold} is missing"));
        }
        let mut urls = files::texts(known, "base_urls");
        urls.extend(files::text(known, "base_url").filter(|url| !urls.contains(url)));
        // Addresses are made with the first, which is the main one.
        let main = files::text(known, "base_url");
        urls.order_by_key(|url| Some(url) != main.as_ref());
        let base_urls = urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
        let split = files::text(known, "split").and_then(|split| Split::from_name(&split));
        Ok(Item {
            id: id.to_owned(),
            category: files::text(known, "category"),
            language: files::text(known, "language"),
            split: Some(split.unwrap_or_else(|| Split::of(self.id))),
            bytes: files::size(&folder.join(page)),
            place: AnyPlace::Site(Place { page: folder.join(page), gold: self.folder.join(gold), folder, base_urls }),
        })
    }
}
