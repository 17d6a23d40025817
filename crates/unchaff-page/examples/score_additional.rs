//! How well the kinds of what is not content are told (`--fields additional`), on pages whose parts are labelled.
//!
//! `cargo run -p unchaff-page --example score_additional -- suite/additional` reads pages in which `data-additional` names what an element and all in it is: content, navigation, link-list,
//! commercial, functional, comments, other. The labels are taken off before a page is looked at. Words count; what is content is given by the label, so that kinds alone are judged, and then found
//! by `auto`, as users have it: what is taken for content then counts as missed, and content that is left over as wrong.

#![allow(clippy::disallowed_methods, reason = "an example reads files")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::rules::additional_content::additional;
use unchaff_page::{BlockKind, registry};

/// Words by the kind that a label says and the kind that was told; none is content.
type Confusion = BTreeMap<(String, String), u32>;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or_else(|| std::io::Error::other("give the folder of the pages"))?);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "html"));
    files.sort();
    let (mut given, mut found) = (Confusion::new(), Confusion::new());
    for file in &files {
        let html = std::fs::read_to_string(file)?;
        let labelled = Page::parse(html.as_str());
        let page = Page::parse(without_labels(&html));
        assert_eq!(page.len(), labelled.len(), "{}: labels are attributes and nothing else", file.display());
        let of_label = NodeSet::from_roots(&page, labelled.nodes().filter(|node| labelled.attr(*node, LABEL) == Some("content")));
        count(&page, &labelled, &of_label, &mut given);
        let technique = registry::find("auto").map(registry::Entry::default_technique);
        let of_auto = technique.and_then(|technique| technique.detect(&page).nodes(BlockKind::Content).cloned());
        count(&page, &labelled, &of_auto.unwrap_or(of_label), &mut found);
    }
    println!("{} pages", files.len());
    report("content as labelled", &given);
    report("content by auto", &found);
    Ok(())
}

const LABEL: &str = "data-additional";

fn without_labels(html: &str) -> String {
    let mut parts = html.split(" data-additional=\"");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| plain.push_str(part.split_once('"').map_or("", |(_, rest)| rest)));
    plain
}

fn count(page: &Page, labelled: &Page, content: &NodeSet, confusion: &mut Confusion) {
    // The elements that something was said of; the nearest around a text says what it is.
    let said: BTreeMap<NodeId, &'static str> =
        additional(page, content).into_iter().map(|part| (part.node, part.kind.as_str())).collect();
    for text in page.nodes().filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).words > 0) {
        let Some(label) = labelled.ancestors(text).find_map(|above| labelled.attr(above, LABEL)) else { continue };
        let told = if content.contains(text) {
            "content"
        } else {
            page.ancestors(text).find_map(|above| said.get(&above).copied()).unwrap_or("other")
        };
        *confusion.entry((label.to_owned(), told.to_owned())).or_default() += page.counts(text).words;
    }
}

fn report(title: &str, confusion: &Confusion) {
    println!("{title}");
    let sum = |wants: &dyn Fn(&str, &str) -> bool| -> u32 {
        confusion.iter().filter(|((label, told), _)| wants(label, told)).map(|(_, words)| words).sum()
    };
    let mut f1s = Vec::new();
    for kind in ["navigation", "link-list", "commercial", "functional", "comments", "other"] {
        let right = f64::from(sum(&|label, told| label == kind && told == kind));
        let (all, told) = (f64::from(sum(&|label, _| label == kind)), f64::from(sum(&|_, told| told == kind)));
        let f1 = 2.0 * right / (all + told).max(1.0);
        f1s.push(f1);
        let taken: Vec<String> = confusion
            .iter()
            .filter(|((label, told), _)| label == kind && told != kind)
            .map(|((_, told), words)| format!("{words} {told}"))
            .collect();
        println!(
            "  {kind:<11} recall {:.3}, precision {:.3}, F1 {f1:.3}; {all} words; taken for: {}",
            right / all.max(1.0),
            right / told.max(1.0),
            taken.join(", ")
        );
    }
    let judged = f64::from(sum(&|label, _| label != "content"));
    let right = f64::from(sum(&|label, told| label == told && label != "content"));
    println!(
        "  mean F1 {:.3}; {:.3} of {judged} words right",
        f1s.iter().sum::<f64>() / f1s.len() as f64,
        right / judged.max(1.0)
    );
}
