//! Texts: `pages/<id>.html`, `gold/<id>.txt` and `meta.json`, whose `items` name the pages and say what is known about them:
//! `url`, `site`, `type`, `lang` or `language`, `split`, and the sentences that must (`with`) and must not (`without`) be there.

use super::{Benchmark, Item, Layout, Place as AnyPlace, Problem, Split, Suite, SuiteError, files};
use crate::digest::digest;
use crate::gold::Gold;
use serde_json::Value;
use std::path::{Path, PathBuf};
use unchaff_dom::Parser;
use unchaff_dom::order::InOrder;
use url::Url;

/// A page, its text, and what else is known.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) page: PathBuf,
    pub(super) gold: PathBuf,
    pub(super) url: Option<String>,
    pub(super) must: Vec<String>,
    pub(super) must_not: Vec<String>,
}

impl Place {
    pub(super) fn load(&self, notes: &mut Vec<String>) -> Result<Benchmark, SuiteError> {
        let source = files::read(&self.page)?;
        let gold =
            Gold { must: self.must.clone(), must_not: self.must_not.clone(), ..Gold::of_text(files::read_text(&self.gold)?) };
        Ok(benchmark(source, gold, self.url.as_deref(), notes))
    }
}

/// A page with the text of its content.
pub(super) fn benchmark(source: Vec<u8>, gold: Gold, url: Option<&str>, notes: &mut Vec<String>) -> Benchmark {
    let mut parser = Parser::new();
    if let Some(url) = url {
        parser = parser.url(url);
    }
    let page = parser.parse(source.clone());
    if page.counts(page.root()).words == 0 {
        notes.push("the page has no words".to_owned());
    }
    notes.extend(page.warnings().iter().map(|warning| format!("the page is broken: {warning}")));
    if gold.text.as_deref().is_some_and(|text| crate::measure::WordRule::Letters.words(text).is_empty()) {
        notes.push("the gold has no words, so the page is left out of all figures about words".to_owned());
    }
    Benchmark::new(source, page, gold)
}

/// The split of a page: as told, else by its site, the host of its address, or its id.
pub(super) fn split(known: &Value, id: &str) -> Split {
    let told = files::text(known, "split").and_then(|split| Split::from_name(&split));
    let host = || files::text(known, "url").and_then(|url| unchaff_dom::links::site(&Url::parse(&url).ok()?));
    told.unwrap_or_else(|| Split::of(&files::text(known, "site").or_else(host).unwrap_or_else(|| id.to_owned())))
}

pub(super) fn language(known: &Value) -> Option<String> {
    files::text(known, "language").or_else(|| files::text(known, "lang"))
}

/// Opens a suite of texts.
pub(super) fn open(dir: &Path) -> Result<Suite, SuiteError> {
    let meta_file = dir.join("meta.json");
    let meta = files::read_json(&meta_file)?;
    let Some(known) = meta.get("items").and_then(Value::as_object) else {
        return Err(SuiteError::Broken { path: meta_file, what: "it has no object `items` that names the pages".to_owned() });
    };
    let mut known: Vec<(&String, &Value)> = known.iter().collect();
    known.order_by_key(|(id, _)| *id);
    let (mut items, mut problems, mut belonging) = (Vec::new(), Vec::new(), vec![meta_file]);
    for (id, known) in known {
        let mut problem = |what: &str| problems.push(Problem { item: Some(id.clone()), what: what.to_owned() });
        if !files::is_inside(id) {
            problem("the name leads out of the folder");
            continue;
        }
        let place = Place {
            page: dir.join("pages").join(format!("{id}.html")),
            gold: dir.join("gold").join(format!("{id}.txt")),
            url: files::text(known, "url"),
            must: files::texts(known, "with"),
            must_not: files::texts(known, "without"),
        };
        if !place.page.is_file() {
            problem(&format!("pages/{id}.html is missing"));
            continue;
        }
        if !place.gold.is_file() {
            problem(&format!("gold/{id}.txt is missing"));
            continue;
        }
        belonging.extend([place.page.clone(), place.gold.clone()]);
        items.push(Item {
            id: id.clone(),
            category: files::text(known, "type").or_else(|| files::text(known, "category")),
            language: language(known),
            split: Some(split(known, id)),
            bytes: files::size(&place.page),
            place: AnyPlace::Text(place),
        });
    }
    note_unlisted(dir, &items, &mut problems)?;
    Ok(Suite {
        name: files::name(dir),
        root: dir.to_owned(),
        layout: Layout::Texts,
        digest: digest(dir, &belonging),
        items,
        problems,
    })
}

fn note_unlisted(dir: &Path, items: &[Item], problems: &mut Vec<Problem>) -> Result<(), SuiteError> {
    for file in files::files(&dir.join("pages"))? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if items.binary_search_by(|item| item.id.cmp(&name)).is_err() && !problems.iter().any(|p| p.item.as_ref() == Some(&name))
        {
            problems.push(Problem { item: Some(name), what: "meta.json does not name this page".to_owned() });
        }
    }
    Ok(())
}
