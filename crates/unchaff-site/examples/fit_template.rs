//! Fits the weights of `template-auto` to labelled sites and says what they reach on sites they were not fitted to.
//!
//! `cargo run --release -p unchaff-site --example fit_template -- SITES` where SITES/<id> has `site.json`, `pages/` and `gold.html`, the key
//! page with the class `TECO_notTemplate` on every element that is none. Prints node F1 by cross-validation over sites, for several
//! numbers of pages loaded and used, then the weights for `evidence.rs`.
//!
//! A conditional random field on the tree of elements; its likelihood, each page counting as one, is maximised by Adam. Every site is
//! there several times, with more and with fewer pages to compare with, so that the weights serve both. Weights are fitted to the facts as they are; what they
//! reach is measured with the evidence [tempered], as it is used.

#![allow(clippy::disallowed_methods, reason = "an example reads files, on many threads")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use unchaff_dom::site::without_fragment;
use unchaff_dom::words::words;
use unchaff_dom::{LoadError, NodeId, NodeSet, Page, PageId, Parser, Site, Tag};
use unchaff_page::learned::name_families::NameFamilies;
use unchaff_site::SiteModel;
use unchaff_site::candidates::siblings::siblings;
use unchaff_site::learned::comparison::{Company, MOST_PAGES};
use unchaff_site::learned::content_site::{self, ContentSite};
use unchaff_site::learned::evidence::{BACK, BODY, FACTS, Facts, LEAVE, Standing, neutral, survey, tempered};
use unchaff_site::learned::page_keys::PageKeys;
use url::Url;

const NUMBER: usize = FACTS.len();
/// Weights of the facts, then the prices of leaving the template and of coming back.
type Weights = [f64; NUMBER + 2];

/// The quadratic penalty.
const PENALTY: f64 = 0.03;
const STEPS: usize = 120;
/// How many linked pages are loaded, or 0 for a sample of the site as models have it, and how many are used of them.
const BUDGETS: [(usize, usize); 4] = [(0, MOST_PAGES), (16, 16), (8, 8), (4, 4)];

/// What a budget is called.
fn named(loads: usize, used: usize) -> String {
    if loads == 0 { "a sample of the site".to_owned() } else { format!("{used} of {loads} linked pages") }
}

struct Folder {
    pages: Vec<(Url, Arc<Page>)>,
    by_url: HashMap<String, PageId>,
}

/// `dir/index.html` and `dir/` are one page.
fn name(url: &Url) -> String {
    let url = without_fragment(url);
    url.as_str().trim_end_matches("index.html").trim_end_matches('/').to_owned()
}

impl Site for Folder {
    fn find(&self, url: &Url) -> Option<PageId> {
        self.by_url.get(&name(url)).copied()
    }
    fn url(&self, page: PageId) -> Url {
        self.pages[page.index()].0.clone()
    }
    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        Ok(Arc::clone(&self.pages[page.index()].1))
    }
    fn known(&self) -> Vec<PageId> {
        (0..self.pages.len() as u32).map(PageId).collect()
    }
    fn loads(&self) -> usize {
        0
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// A site as it is compared with one budget of pages.
struct Sample {
    rows: Vec<(Facts, Standing)>,
    parents: Vec<u32>,
    gold: Vec<bool>,
    page: Arc<Page>,
    elements: Vec<NodeId>,
    /// Words of the gold's content.
    content: HashMap<String, f64>,
}

/// The words of the texts that stand directly in elements.
fn words_in(page: &Page, is_in: impl Fn(NodeId) -> bool) -> HashMap<String, f64> {
    let mut counts = HashMap::new();
    for node in page.nodes().filter(|node| page.tag(*node) == Tag::Text && page.parent(*node).is_some_and(&is_in)) {
        words(page.string(node)).for_each(|word| *counts.entry(word.to_lowercase()).or_default() += 1.0);
    }
    counts
}

fn word_f1(ours: &HashMap<String, f64>, gold: &HashMap<String, f64>) -> f64 {
    let common: f64 = ours.iter().map(|(word, count)| count.min(*gold.get(word).unwrap_or(&0.0))).sum();
    2.0 * common / (ours.values().sum::<f64>() + gold.values().sum::<f64>()).max(1.0)
}

/// The word F1 of the content that `content-site` makes of a template: all that is none, and with its rules.
fn content_f1(sample: &Sample, weights: &Weights) -> [f64; 2] {
    let probability = run(sample, weights, true).0;
    let page = &*sample.page;
    let chosen = sample.elements.iter().zip(&probability).filter(|(_, probability)| **probability >= 0.6).map(|(node, _)| *node);
    let mut template = NodeSet::from_nodes(page, chosen);
    for node in page.nodes().filter(|node| !page.is_element(*node)) {
        if page.parent(node).is_some_and(|parent| template.contains(parent)) {
            template.insert(node);
        }
    }
    let plain = content_site::Params { names: false, comments: false, ..content_site::Params::default() };
    [plain, content_site::Params::default()].map(|params| {
        let content = ContentSite::from(params).content(page, &template);
        word_f1(&words_in(page, |node| content.contains(node)), &sample.content)
    })
}

fn samples(folder: &Path) -> Option<(String, Vec<Sample>)> {
    let json = std::fs::read_to_string(folder.join("site.json")).ok()?;
    let field = |name: &str| json.split(&format!("\"{name}\": \"")).nth(1).and_then(|rest| rest.split('"').next());
    let gold = Page::parse(std::fs::read(folder.join("gold.html")).ok()?);
    let base = Url::parse(field("base_url").unwrap_or("http://site.invalid/")).ok()?;
    let key = field("key_page")?;
    let root = folder.join("pages");
    let mut found = Vec::new();
    files(&root, &mut found);
    found.sort();
    let mut site = Folder { pages: Vec::new(), by_url: HashMap::new() };
    let mut key_page = None;
    for file in found {
        let relative = file.strip_prefix(&root).ok()?.to_string_lossy().into_owned();
        let mut url = base.clone();
        let (path, query) = relative.split_once('?').map_or((&*relative, None), |(path, query)| (path, Some(query)));
        url.set_path(&format!("{}{path}", base.path()));
        url.set_query(query);
        let id = PageId(site.pages.len() as u32);
        if relative == key {
            key_page = Some(id);
        }
        site.by_url.entry(name(&url)).or_insert(id);
        site.pages.push((url.clone(), Arc::new(Parser::new().url(url.as_str()).parse(std::fs::read(&file).ok()?))));
    }
    let key_page = key_page?;
    let page = site.load(key_page).ok()?;
    let content = words_in(&gold, |node| gold.classes(node).any(|class| class == "TECO_mainContent"));
    let gold: Vec<bool> = gold
        .subtree(gold.body()?)
        .filter(|node| gold.is_element(*node))
        .map(|node| !gold.classes(node).any(|class| class == "TECO_notTemplate"))
        .collect();
    let (keys, names) = (PageKeys::of(&page), NameFamilies::of(&page));
    assert_eq!(keys.len(), gold.len(), "{}: the gold has other elements than the page", folder.display());
    let sample = |(loads, used): (usize, usize)| {
        let model = match loads {
            0 => SiteModel::of_site(&site, key_page, &page, MOST_PAGES),
            loads => SiteModel::learn(siblings(&site, key_page, &page, loads).iter().map(|(_, page)| &**page)),
        };
        let comparison = model.compare(&keys, &Company { used, ..Company::default() });
        let mut rows = Vec::with_capacity(keys.len());
        survey(&page, &keys, &names, &comparison, |facts, standing| rows.push((*facts, standing)));
        Sample {
            rows,
            parents: keys.parents.clone(),
            gold: gold.clone(),
            page: Arc::clone(&page),
            elements: keys.nodes.clone(),
            content: content.clone(),
        }
    };
    Some((folder.file_name()?.to_string_lossy().into_owned(), BUDGETS.into_iter().map(sample).collect()))
}

fn log_sum(one: f64, other: f64) -> f64 {
    let most = one.max(other);
    most + ((one - most).exp() + (other - most).exp()).ln()
}

/// The probability of each element, and how often the template is expected to be left and come back to.
fn run(sample: &Sample, weights: &Weights, is_tempered: bool) -> (Vec<f64>, f64, f64) {
    let (leave, back) = (weights[NUMBER], weights[NUMBER + 1]);
    let number = sample.gold.len();
    let evidence = |row: &Facts| row.iter().zip(weights).map(|(fact, weight)| f64::from(*fact) * weight).sum::<f64>();
    let neutral = neutral(leave, back);
    let own = |(row, standing): &(Facts, Standing)| match is_tempered {
        true => tempered(evidence(row), neutral, *standing),
        false => evidence(row),
    };
    let mut up: Vec<[f64; 2]> = sample.rows.iter().map(|element| [own(element), 0.0]).collect();
    up[0][0] = BODY;
    let mut message = vec![[0.0; 2]; number];
    for at in (1..number).rev() {
        message[at] = [log_sum(up[at][0], up[at][1] + leave), log_sum(up[at][0] + back, up[at][1])];
        let parent = sample.parents[at] as usize;
        up[parent][0] += message[at][0];
        up[parent][1] += message[at][1];
    }
    let mut probability = vec![0.0; number];
    let (mut left, mut returned) = (0.0, 0.0);
    probability[0] = (up[0][0] - log_sum(up[0][0], up[0][1])).exp();
    for at in 1..number {
        let parent = probability[sample.parents[at] as usize];
        let stays = (up[at][0] - message[at][0]).exp();
        let returns = (up[at][0] + back - message[at][1]).exp();
        probability[at] = parent * stays + (1.0 - parent) * returns;
        left += parent * (1.0 - stays);
        returned += (1.0 - parent) * returns;
    }
    (probability, left, returned)
}

fn fit(samples: &[&Sample]) -> Weights {
    let mut weights = [0.0; NUMBER + 2];
    (weights[NUMBER], weights[NUMBER + 1]) = (-3.0, -4.0);
    let (mut mean, mut square) = ([0.0; NUMBER + 2], [0.0; NUMBER + 2]);
    for step in 1..=STEPS {
        let mut gradient = [0.0; NUMBER + 2];
        for sample in samples {
            let (probability, left, returned) = run(sample, &weights, false);
            let weight = 1.0 / sample.gold.len() as f64;
            for (at, probability) in probability.iter().enumerate() {
                let push = (f64::from(u8::from(sample.gold[at])) - probability) * weight;
                for (fact, value) in sample.rows[at].0.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                    gradient[fact] += push * f64::from(*value);
                }
                let parent = sample.gold[sample.parents[at] as usize];
                gradient[NUMBER] += weight * f64::from(u8::from(parent && !sample.gold[at]));
                gradient[NUMBER + 1] += weight * f64::from(u8::from(!parent && sample.gold[at]));
            }
            gradient[NUMBER] -= left * weight;
            gradient[NUMBER + 1] -= returned * weight;
        }
        let rate = 0.06 * (1.0 - 0.9 * step as f64 / STEPS as f64);
        for at in 0..NUMBER + 2 {
            let penalty = if at == 0 || at >= NUMBER { 0.0 } else { PENALTY * weights[at] * samples.len() as f64 / 40.0 };
            let slope = gradient[at] - penalty;
            mean[at] = 0.9 * mean[at] + 0.1 * slope;
            square[at] = 0.999 * square[at] + 0.001 * slope * slope;
            let (first, second) = (mean[at] / (1.0 - 0.9f64.powi(step as i32)), square[at] / (1.0 - 0.999f64.powi(step as i32)));
            weights[at] += rate * first / (second.sqrt() + 1e-10);
        }
    }
    weights
}

fn f1(sample: &Sample, weights: &Weights, threshold: f64) -> f64 {
    let probability = run(sample, weights, true).0;
    // The element `body` itself is not counted.
    let pairs = probability.iter().zip(&sample.gold).skip(1).map(|(probability, gold)| (*probability >= threshold, *gold));
    let (mut both, mut sum) = (0.0, 0.0);
    for (ours, gold) in pairs {
        both += f64::from(u8::from(ours && gold));
        sum += f64::from(u8::from(ours)) + f64::from(u8::from(gold));
    }
    if sum > 0.0 { 2.0 * both / sum } else { 0.0 }
}

fn main() {
    let folder = std::env::args().nth(1).expect("name the folder of the sites");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder can be read").flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let sites: Vec<(String, Vec<Sample>)> = folders.iter().filter_map(|folder| samples(folder)).collect();
    println!("{} sites", sites.len());
    let thresholds = [0.5, 0.6, 0.7];
    let in_use: Weights = std::array::from_fn(|at| match at {
        at if at < NUMBER => FACTS[at].1,
        NUMBER => LEAVE,
        _ => BACK,
    });
    for (budget, (loads, used)) in BUDGETS.iter().enumerate() {
        let mean = sites.iter().map(|(_, samples)| f1(&samples[budget], &in_use, 0.6)).sum::<f64>() / sites.len() as f64;
        println!("weights in use, {}: {mean:.4}", named(*loads, *used));
    }
    let plans = [(0, 8), (1, 5), (3, 10)];
    let mut sums = [[0.0; 3]; BUDGETS.len()];
    let mut contents = [[0.0; 2]; BUDGETS.len()];
    let mut each = vec![[0.0; 2]; sites.len()];
    for (shift, folds) in plans {
        let fold_of = |site: usize| (site * 7 + shift) % folds;
        let fitted: Vec<Weights> = std::thread::scope(|scope| {
            let sites = &sites;
            let threads: Vec<_> = (0..folds)
                .map(|fold| {
                    scope.spawn(move || {
                        let others = sites.iter().enumerate().filter(|(site, _)| fold_of(*site) != fold);
                        fit(&others.flat_map(|(_, (_, samples))| samples).collect::<Vec<_>>())
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("fitting ends")).collect()
        });
        for (site, (_, samples)) in sites.iter().enumerate() {
            let share = 1.0 / (sites.len() * plans.len()) as f64;
            for (budget, sample) in samples.iter().enumerate() {
                for (at, threshold) in thresholds.iter().enumerate() {
                    sums[budget][at] += share * f1(sample, &fitted[fold_of(site)], *threshold);
                }
            }
            for (budget, sample) in samples.iter().enumerate() {
                let found = content_f1(sample, &fitted[fold_of(site)]);
                (0..2).for_each(|rule| contents[budget][rule] += share * found[rule]);
                each[site][1] += if budget == 2 { found[1] / plans.len() as f64 } else { 0.0 };
            }
            each[site][0] += f1(&samples[2], &fitted[fold_of(site)], 0.6) / plans.len() as f64;
        }
    }
    for ((loads, used), [low, middle, high]) in BUDGETS.iter().zip(sums) {
        println!("left out, {}: node F1 {low:.4} {middle:.4} {high:.4} at confidence {thresholds:?}", named(*loads, *used));
    }
    for ((loads, used), [plain, content]) in BUDGETS.iter().zip(contents) {
        println!("left out, {}: content word F1 {content:.4}, of all that is no template {plain:.4}", named(*loads, *used));
    }
    for ((name, _), [template, content]) in sites.iter().zip(each).filter(|(_, value)| value[0] < 0.94 || value[1] < 0.94) {
        println!("    {name:26} template {template:.3} content {content:.3}");
    }
    let weights = fit(&sites.iter().flat_map(|(_, samples)| samples).collect::<Vec<_>>());
    for ((name, _), weight) in FACTS.iter().zip(weights) {
        println!("    {name:?} {weight:.2},");
    }
    println!("LEAVE {:.2} BACK {:.2}", weights[NUMBER], weights[NUMBER + 1]);
}
