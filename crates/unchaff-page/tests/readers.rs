//! What readers wrote, on pages of our own suite in twenty-three languages: shops, blogs, newspapers, guest books, questions with answers (`suite/readers`), and on all pages of
//! `suite/sites`.
//!
//! Pages of the split `eval` were written before the rules that find their comments, and are of other kinds than those of `train`. With `--no-capture` the figures are shown.

#![allow(clippy::disallowed_methods, reason = "pages of the suite are read from files")]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use unchaff_dom::{NodeSet, Page, Tag};
use unchaff_page::{BlockKind, registry};

/// How often each word is in the texts of a set; ideographs are words of one character.
fn words(page: &Page, nodes: &NodeSet) -> HashMap<String, usize> {
    let mut words = HashMap::new();
    for node in nodes.iter().filter(|node| page.tag(*node) == Tag::Text) {
        for word in page.string(node).split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let is_ideographic = word.chars().any(|c| c >= '\u{3000}');
            let pieces: Vec<String> =
                if is_ideographic { word.chars().map(String::from).collect() } else { vec![word.to_lowercase()] };
            pieces.into_iter().for_each(|piece| *words.entry(piece).or_default() += 1);
        }
    }
    words
}

fn f1(found: &HashMap<String, usize>, gold: &HashMap<String, usize>) -> f64 {
    let common: usize = gold.iter().map(|(word, count)| (*count).min(found.get(word).copied().unwrap_or(0))).sum();
    let all = found.values().sum::<usize>() + gold.values().sum::<usize>();
    if all == 0 { 1.0 } else { 2.0 * common as f64 / all as f64 }
}

/// The elements that carry a class, with the texts right in them.
fn labelled(page: &Page, label: &str) -> NodeSet {
    let has = |node| page.is_element(node) && page.classes(node).any(|class| class == label);
    NodeSet::from_nodes(page, page.nodes().filter(|node| has(*node) || page.parent(*node).is_some_and(has)))
}

/// The F1 of a page, if it has gold for a block.
fn figure(technique: &str, kind: BlockKind, label: &str, (page, gold): (PathBuf, PathBuf)) -> Option<f64> {
    let technique = registry::find(technique).unwrap().default_technique();
    let (page, gold) = (Page::parse(fs::read(page).unwrap()), Page::parse(fs::read(gold).unwrap()));
    let expected = words(&gold, &labelled(&gold, label));
    let found = technique.detect(&page).nodes(kind).cloned().unwrap_or_else(|| NodeSet::new(&page));
    (!expected.is_empty()).then(|| f1(&words(&page, &found), &expected))
}

/// The folders in a part of the suite.
fn folders(part: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite").join(part);
    let mut folders: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

/// Name, split and F1 of each page that has gold for a block.
fn figures(technique: &str, kind: BlockKind, label: &str) -> Vec<(String, String, f64)> {
    let figure = |folder: PathBuf| {
        let about = fs::read_to_string(folder.join("site.json")).unwrap();
        let split = if about.contains("\"eval\"") { "eval" } else { "train" };
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let f1 = figure(technique, kind, label, (folder.join("pages/index.html"), folder.join("gold.html")))?;
        Some((name, split.to_owned(), f1))
    };
    folders("readers").into_iter().filter_map(figure).collect()
}

/// All files in a folder and in those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(path) = waiting.pop() {
        match fs::read_dir(&path) {
            Ok(entries) => waiting.extend(entries.map(|entry| entry.unwrap().path())),
            Err(_) => found.push(path),
        }
    }
    found.sort();
    found
}

fn mean(figures: &[(String, String, f64)], split: &str) -> f64 {
    let of_split: Vec<f64> = figures.iter().filter(|(_, of, _)| of == split).map(|(_, _, f1)| *f1).collect();
    of_split.iter().sum::<f64>() / of_split.len() as f64
}

#[test]
fn comments_and_reviews_are_found_also_on_pages_that_were_not_looked_at() {
    let figures = figures("comments", BlockKind::Comments, "TECO_comments");
    println!("eval {:.3}, train {:.3}: {figures:#?}", mean(&figures, "eval"), mean(&figures, "train"));
    assert!(mean(&figures, "eval") >= 0.85 && mean(&figures, "train") >= 0.85, "{figures:#?}");
}

#[test]
fn comments_are_found_on_all_pages_of_our_sites() {
    let mut figures = Vec::new();
    for folder in folders("sites") {
        let gold = folder.join("gold");
        for file in files(&gold) {
            let name = file.strip_prefix(&gold).unwrap();
            let f1 = figure("comments", BlockKind::Comments, "TECO_comments", (folder.join("pages").join(name), file.clone()));
            figures.extend(f1.map(|f1| (name.display().to_string(), "all".to_owned(), f1)));
        }
    }
    println!("{:.3} on {} pages: {figures:#?}", mean(&figures, "all"), figures.len());
    assert!(figures.len() >= 10 && mean(&figures, "all") >= 0.85, "{figures:#?}");
}

#[test]
fn advertisements_can_be_measured() {
    let figures = figures("ads", BlockKind::Ads, "TECO_ads");
    assert!(figures.len() >= 5 && mean(&figures, "train") >= 0.5, "{figures:#?}");
}
