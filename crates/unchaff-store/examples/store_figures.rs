//! What a store of templates is worth: how many pages are recognised, how good the blocks are that are carried over, against direct
//! analysis and against gold, and how much time they save.
//!
//! `cargo run --release -p unchaff-store --example store_figures -- FOLDER [published] [untried] [alone] [ripe-pages=N]`, where FOLDER has a folder for each
//! site with `site.json`, `pages/` and `gold.html`, or is a set of pages with `meta.json`, `pages/` and `gold/` as texts, which
//! go through the store one by one. `published`: as in the thesis; `untried`: without trying on a second page; `alone`: nobody
//! knows the sites.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};
use unchaff_dom::{NodeSet, Page, PageId, Parser, Site, emit};
use unchaff_page::BlockKind;
use unchaff_site::LearnedSite;
use unchaff_site::carried_over::transfer::Transfer;
use unchaff_source::{PoliteOptions, Url, open_site};
use unchaff_store::{Origin, StreamOptions, TemplateStore, TemplateStream};

const KINDS: [BlockKind; 3] = [BlockKind::Content, BlockKind::Template, BlockKind::Menu];

/// Words of the texts, or elements, that two sets have in common, and in each.
fn overlap(page: &Page, one: &NodeSet, other: &NodeSet, words: bool) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for node in page.nodes() {
        let weight = match (words, page.is_element(node)) {
            (true, false) => f64::from(page.counts(node).words),
            (false, true) => 1.0,
            _ => continue,
        };
        let (in_one, in_other) = (one.contains(node), other.contains(node));
        sums[0] += weight * f64::from(u8::from(in_one && in_other));
        sums[1] += weight * f64::from(u8::from(in_one));
        sums[2] += weight * f64::from(u8::from(in_other));
    }
    sums
}

fn f1([common, one, other]: [f64; 3]) -> f64 {
    if one + other == 0.0 { 1.0 } else { 2.0 * common / (one + other) }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[derive(Default)]
struct Figures {
    pages: usize,
    origins: [usize; 4],
    templates: usize,
    bytes: u64,
    /// By kind: F1 of what was carried over against direct analysis.
    agreement: [Vec<f64>; 3],
    /// By kind: F1 of direct analysis and of what was carried over, against gold, where both are there.
    gold: [Vec<[f64; 2]>; 2],
    learning: Duration,
    direct: Duration,
    stored: Duration,
    transferred: Duration,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = arguments.first() else { panic!("name a folder of sites") };
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let mut options = StreamOptions::default();
    if has("published") {
        options.transfer = Transfer::published();
    }
    if has("untried") {
        options.trials = 0;
    }
    if let Some(pages) = arguments.iter().find_map(|argument| argument.strip_prefix("ripe-pages=")?.parse().ok()) {
        options.ripe_pages = pages;
    }
    if Path::new(folder).join("meta.json").is_file() {
        return stream_of_pages(Path::new(folder), &options);
    }
    let taught = !has("alone");
    let mut figures = Figures::default();
    let mut sites: Vec<_> =
        std::fs::read_dir(folder).expect("the folder can be read").flatten().map(|entry| entry.path()).collect();
    sites.sort();
    for site in sites.iter().filter(|site| site.join("site.json").is_file()) {
        measure(site, &options, taught, &mut figures);
    }
    let Figures { pages, origins, templates, bytes, agreement, gold, learning, direct, stored, transferred } = figures;
    let share = |count: usize| 100.0 * count as f64 / pages.max(1) as f64;
    println!("pages {pages}, templates {templates}, {} kB", bytes / 1000);
    for (name, count) in ["carried over", "learned", "taught", "alone"].iter().zip(origins) {
        println!("{name}: {count} ({:.1} %)", share(count));
    }
    for (kind, values) in KINDS.iter().zip(&agreement) {
        let good = values.iter().filter(|value| **value >= 0.9).count();
        println!(
            "{kind}: F1 against direct analysis {:.3}, at least .9 on {:.1} %",
            mean(values),
            100.0 * good as f64 / values.len().max(1) as f64
        );
    }
    for (kind, values) in KINDS.iter().zip(&gold) {
        let of = |at: usize| mean(&values.iter().map(|pair| pair[at]).collect::<Vec<_>>());
        println!("{kind}: F1 against gold on {} key pages: direct {:.3}, carried over {:.3}", values.len(), of(0), of(1));
    }
    let each = |time: Duration, count: usize| 1e6 * time.as_secs_f64() / count.max(1) as f64;
    println!("learning {:.0} µs a page, direct {:.0} µs a page", each(learning, pages), each(direct, pages));
    println!("with the store {:.0} µs a page, carried over {:.0} µs a page", each(stored, pages), each(transferred, origins[0]));
}

fn measure(folder: &Path, options: &StreamOptions, taught: bool, figures: &mut Figures) {
    let about: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("site.json")).expect("site.json")).expect("JSON");
    let bases: Vec<Url> =
        about["base_urls"].as_array().into_iter().flatten().filter_map(|url| Url::parse(url.as_str()?).ok()).collect();
    let root = folder.join("pages");
    let site = match open_site(root.as_os_str(), &bases, PoliteOptions::default()) {
        Ok(site) => site,
        Err(error) => return eprintln!("{}: {error}", folder.display()),
    };
    let key = about["key_page"].as_str().and_then(|key| site.find_page(root.join(key).as_os_str()).ok());
    // The key page comes last, so that there is a template for it.
    let mut pages: Vec<PageId> = site.known().into_iter().filter(|page| Some(*page) != key).collect();
    pages.extend(key);
    let start = Instant::now();
    let learned = LearnedSite::learn(&site, &pages);
    figures.learning += start.elapsed();
    let stream = TemplateStream::new(TemplateStore::in_memory().expect("memory"), options.clone());
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for id in pages {
        let Ok(page) = site.load(id) else { continue };
        figures.pages += 1;
        let start = Instant::now();
        let (group, direct) = learned.detect(&page);
        figures.direct += start.elapsed();
        let start = Instant::now();
        let teach = |_: &Page| (taught && group.is_some()).then(|| direct.clone());
        let recognised = stream.process(&name, &page, &teach).expect("the store works");
        let time = start.elapsed();
        figures.stored += time;
        figures.origins[recognised.origin as usize] += 1;
        if recognised.origin != Origin::Transferred {
            continue;
        }
        figures.transferred += time;
        if group.is_some() {
            for (at, kind) in KINDS.into_iter().enumerate() {
                if let (Some(one), Some(other)) = (direct.nodes(kind), recognised.detection.nodes(kind)) {
                    figures.agreement[at].push(f1(overlap(&page, one, other, kind == BlockKind::Content)));
                }
            }
        }
        if Some(id) == key
            && let Ok(bytes) = std::fs::read(folder.join("gold.html"))
        {
            let gold = Parser::new().parse(bytes);
            for (at, kind) in KINDS.into_iter().take(2).enumerate() {
                if let (Some(truth), Some(one), Some(other)) =
                    (truth(&page, &gold, kind), direct.nodes(kind), recognised.detection.nodes(kind))
                {
                    let score = |found: &NodeSet| f1(overlap(&page, &truth, found, kind == BlockKind::Content));
                    figures.gold[at].push([score(one), score(other)]);
                }
            }
        }
    }
    let store = stream.finish().expect("the store works");
    let list = store.list(None).expect("the store works");
    figures.templates += list.len();
    figures.bytes += list.iter().map(|template| template.bytes).sum::<u64>();
}

/// Pages of many sites, one after the other: the content from the page alone, and with the store, against gold texts.
fn stream_of_pages(folder: &Path, options: &StreamOptions) {
    let meta: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("meta.json")).expect("meta.json")).expect("JSON");
    let about: BTreeMap<String, serde_json::Value> = serde_json::from_value(meta["items"].clone()).expect("an object of pages");
    let stream = TemplateStream::new(TemplateStore::in_memory().expect("memory"), options.clone());
    let mut scores: [Vec<[f64; 2]>; 4] = Default::default();
    let (mut alone_time, mut times) = (Duration::ZERO, [Duration::ZERO; 4]);
    for (name, about) in &about {
        let read = |path: &str| std::fs::read(folder.join(path)).unwrap_or_default();
        let page = Parser::new().parse(read(&format!("pages/{name}.html")));
        let gold = words(&String::from_utf8_lossy(&read(&format!("gold/{name}.txt"))));
        let start = Instant::now();
        let alone = stream.blocks().alone(&page);
        alone_time += start.elapsed();
        let start = Instant::now();
        let site = about["site"].as_str().unwrap_or_default();
        let recognised = stream.process(site, &page, &|_| None).expect("the store works");
        times[recognised.origin as usize] += start.elapsed();
        let score = |nodes: Option<&NodeSet>| {
            let found = words(&nodes.map(|nodes| emit::text(&page, nodes)).unwrap_or_default());
            let common: u32 = found.iter().map(|(word, count)| (*count).min(gold.get(word).copied().unwrap_or(0))).sum();
            f1([f64::from(common), f64::from(found.values().sum::<u32>()), f64::from(gold.values().sum::<u32>())])
        };
        let pair = [score(alone.nodes(BlockKind::Content)), score(recognised.detection.nodes(BlockKind::Content))];
        scores[recognised.origin as usize].push(pair);
    }
    println!("{} pages, {:.0} µs a page alone", about.len(), 1e6 * alone_time.as_secs_f64() / about.len().max(1) as f64);
    for (at, name) in ["carried over", "learned", "taught", "alone"].iter().enumerate() {
        let of = |which: usize| mean(&scores[at].iter().map(|pair| pair[which]).collect::<Vec<_>>());
        let count = scores[at].len();
        let time = 1e6 * times[at].as_secs_f64() / count.max(1) as f64;
        println!(
            "{name}: {count} pages, {time:.0} µs a page; word F1 with the store {:.3}, of the page alone {:.3}",
            of(1),
            of(0)
        );
    }
}

fn words(text: &str) -> HashMap<String, u32> {
    let mut words = HashMap::new();
    text.split_whitespace().for_each(|word| *words.entry(word.to_lowercase()).or_default() += 1);
    words
}

/// A block by the classes of the gold page, whose elements are numbered as those of the page.
fn truth(page: &Page, gold: &Page, kind: BlockKind) -> Option<NodeSet> {
    let count = |page: &Page| page.counts(page.root()).elements;
    if count(page) != count(gold) {
        return None;
    }
    let marked: HashSet<&str> = match kind {
        BlockKind::Content => HashSet::from(["TECO_mainContent"]),
        _ => HashSet::from(["TECO_notTemplate"]),
    };
    let mut nodes = NodeSet::new(page);
    let body = page.body()?;
    for node in page.subtree(body).filter(|node| page.is_element(*node)) {
        let same = gold.element_at(page.element_number(node))?;
        if gold.classes(same).any(|class| marked.contains(class)) == (kind == BlockKind::Content) {
            nodes.insert(node);
            page.children(node).filter(|child| !page.is_element(*child)).for_each(|child| nodes.insert(child));
        }
    }
    Some(nodes)
}
