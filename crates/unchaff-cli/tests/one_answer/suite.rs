//! On the sites of our own suite.

use crate::{Answers, Place, answers, assert_has_words, assert_same, ok};
use std::fs;
use std::path::{Path, PathBuf};
use unchaff::{BlockKind, Document, ExtractionRecord, Page, SiteModel, extract_with_site};
use unchaff_source::{Input, inputs};

/// A site of the suite: the folder of its pages, and its address.
struct SuiteSite {
    pages: String,
    base: String,
}

fn suite_sites() -> Vec<SuiteSite> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/sites").canonicalize().unwrap();
    let mut folders: Vec<PathBuf> = suite.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("site.json").is_file());
    folders.sort();
    assert!(folders.len() >= 10);
    folders.iter().map(|folder| SuiteSite::open(folder)).collect()
}

impl SuiteSite {
    fn open(folder: &Path) -> SuiteSite {
        let about: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("site.json")).unwrap()).unwrap();
        let site = SuiteSite {
            pages: folder.join("pages").to_str().unwrap().to_owned(),
            base: about["base_url"].as_str().unwrap().to_owned(),
        };
        assert_eq!(site.files().len() as u64, about["pages"].as_u64().unwrap(), "{}", site.pages);
        site
    }

    fn files(&self) -> Vec<PathBuf> {
        let file = |input| if let Input::File(path) = input { path } else { unreachable!() };
        inputs(&[&self.pages]).map(|named| file(named.unwrap().input)).collect()
    }

    fn site(&self, more: &[&str]) -> Answers {
        answers(&ok(&[&["site", &self.pages, "--base-url", &self.base], more].concat()))
    }

    /// `extract`, `template` or `menu` on all pages at once.
    fn pages(&self, command: &str, more: &[&str]) -> Answers {
        let files = self.files();
        let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
        let site = [command, "--site", &self.pages, "--base-url", &self.base, "-f", "json"];
        answers(&ok(&[&site, more, &files].concat()))
    }

    /// The pages as a program reads them that has the library alone.
    fn parsed(&self) -> Vec<Page> {
        let parse = |file: PathBuf| {
            let name = file.strip_prefix(&self.pages).unwrap().to_str().unwrap();
            Document::new(fs::read(&file).unwrap()).at(format!("{}{name}", self.base)).page()
        };
        self.files().into_iter().map(parse).collect()
    }
}

fn by_library(pages: &[Page], shows: BlockKind) -> Answers {
    let model = SiteModel::learn(pages);
    let lines: String = pages.iter().map(|page| extract_with_site(&model, page, shows).json(None) + "\n").collect();
    answers(&lines)
}

/// The answer to who asks for one kind of block.
fn only(kind: BlockKind, answers: &Answers) -> Answers {
    let narrow = |record: &ExtractionRecord| {
        let mut record = record.clone();
        record.blocks.retain(|block| block.kind == kind.as_str());
        record.menu = record.menu.filter(|_| kind == BlockKind::Menu);
        record.embedded = record.embedded.filter(|_| kind == BlockKind::Content);
        record
    };
    answers.iter().map(|(url, record)| (url.clone(), narrow(record))).collect()
}

#[test]
fn every_way_to_ask_about_a_page_has_the_same_answer() {
    for site in suite_sites() {
        let (place, pages) = (Place::new(), site.parsed());
        let library = by_library(&pages, BlockKind::Content);
        assert_has_words(&library);
        let store = place.path("kept.db");
        assert_same(&site.site(&[]), &library, "site");
        assert_same(&site.site(&["--store", &store]), &library, "site with a new store");
        assert_same(&site.site(&["--store", &store]), &library, "site with a store that knows it");
        for (command, kind) in [("extract", BlockKind::Content), ("template", BlockKind::Template), ("menu", BlockKind::Menu)] {
            let library = only(kind, &by_library(&pages, kind));
            assert_same(&site.pages(command, &[]), &library, command);
            let mut kept = place.path(command);
            kept += ".db";
            for run in ["with a new store", "with a store that knows the site"] {
                assert_same(&site.pages(command, &["--store", &kept]), &library, &format!("{command} {run}"));
            }
            assert_same(&only(kind, &site.site(&["--show", kind.as_str()])), &library, &format!("site --show {kind}"));
        }
    }
}

#[test]
fn answers_are_of_the_page_and_name_its_template() {
    for site in suite_sites() {
        for (url, record) in site.site(&[]) {
            let kinds: Vec<&str> = record.blocks.iter().map(|block| block.kind.as_str()).collect();
            assert_eq!(kinds, ["content", "template", "menu"], "{url}");
            assert!(record.template.is_some() && record.technique == "site", "{url}");
            for block in record.blocks.iter().filter(|block| !block.nodes.is_empty()) {
                assert!(block.confidence.is_some_and(|sure| (0.0..=1.0).contains(&sure)), "{url}: {block:?}");
            }
        }
    }
}

/// The values of an attribute of an annotated page.
fn marks(html: &str) -> impl Iterator<Item = &str> {
    html.split("data-unchaff=\"").skip(1).map(|rest| &rest[..rest.find('"').unwrap()])
}

#[test]
fn no_element_is_both_content_and_template() {
    let mut seen = [0, 0];
    for site in suite_sites() {
        let place = Place::new();
        let out = place.path("out");
        ok(&["site", &site.pages, "--base-url", &site.base, "-f", "annotated", "-o", &out]);
        let written: Vec<_> = inputs(&[&out]).map(|named| named.unwrap().input.to_string()).collect();
        let written: Vec<_> = written.iter().filter(|file| file.ends_with(".html")).collect();
        assert_eq!(written.len(), site.files().len());
        for file in written {
            let html = fs::read_to_string(file).unwrap();
            for mark in marks(&html) {
                let is = ["content", "template"].map(|kind| mark.split(' ').any(|marked| marked == kind));
                assert_ne!(is, [true, true], "{file}: {mark}");
                seen[0] += usize::from(is[0]);
                seen[1] += usize::from(is[1]);
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen > 1000), "{seen:?}");
}
