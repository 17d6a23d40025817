//! What readers wrote, on pages of our own suite in nine languages: shops, blogs, newspapers, a guest book (`suite/readers`).
//!
//! Pages of the split `eval` were not looked at while the technique was made, and are of other kinds than those of `train`.

#![allow(clippy::disallowed_methods, reason = "pages of the suite are read from files")]

use std::collections::HashMap;
use std::fs;
use std::path::Path;
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

/// Name, split and F1 of each page that has gold for a block.
fn figures(technique: &str, kind: BlockKind, label: &str) -> Vec<(String, String, f64)> {
    let technique = registry::find(technique).unwrap().default_technique();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/readers");
    let mut folders: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let figure = |folder: std::path::PathBuf| {
        let read = |name: &str| fs::read(folder.join(name)).unwrap();
        let (page, gold) = (Page::parse(read("pages/index.html")), Page::parse(read("gold.html")));
        let about = String::from_utf8(read("site.json")).unwrap();
        let split = if about.contains("\"eval\"") { "eval" } else { "train" };
        let expected = words(&gold, &labelled(&gold, label));
        let found = technique.detect(&page).nodes(kind).cloned().unwrap_or_else(|| NodeSet::new(&page));
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        (!expected.is_empty()).then(|| (name, split.to_owned(), f1(&words(&page, &found), &expected)))
    };
    folders.into_iter().filter_map(figure).collect()
}

fn mean(figures: &[(String, String, f64)], split: &str) -> f64 {
    let of_split: Vec<f64> = figures.iter().filter(|(_, of, _)| of == split).map(|(_, _, f1)| *f1).collect();
    of_split.iter().sum::<f64>() / of_split.len() as f64
}

#[test]
fn comments_and_reviews_are_found_also_on_pages_that_were_not_looked_at() {
    let figures = figures("comments", BlockKind::Comments, "TECO_comments");
    assert!(mean(&figures, "eval") >= 0.85 && mean(&figures, "train") >= 0.85, "{figures:#?}");
}

#[test]
fn advertisements_can_be_measured() {
    let figures = figures("ads", BlockKind::Ads, "TECO_ads");
    assert!(figures.len() >= 5 && mean(&figures, "train") >= 0.5, "{figures:#?}");
}
