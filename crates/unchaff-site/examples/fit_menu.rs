//! Fits the weights of `menu-auto` to labelled sites and says what they reach on sites they were not fitted to.
//!
//! `cargo run --release -p unchaff-site --example fit_menu -- SITES` where SITES/<id> has `site.json`, `pages/` and `gold.html`, the key
//! page with the class `TECO_mainMenu` on the menu. Prints link F1 by cross-validation over sites, of the page alone and beside some others of its site
//! (`menu_with_site.rs`), then the weights for `menu_auto.rs`.
//! A conditional logit: the share of the right candidates in the sum of exponentials is maximised, with a quadratic pull to the
//! values set by hand. "No menu" is a candidate of its own, which is right where the gold has no menu.

#![allow(clippy::disallowed_methods, reason = "an example reads files")]

use std::path::{Path, PathBuf};
use unchaff_dom::{NodeId, Page, Parser, Tag};
use unchaff_page::learned::menu_auto::{self, FACTS, Facts, MenuAuto, NONE};
use unchaff_site::SiteModel;
use unchaff_site::learned::comparison::Company;
use unchaff_site::learned::menu_with_site::recurrence;
use unchaff_site::learned::page_keys::PageKeys;

/// Numbers of other pages, in the order of their names' hashes, and how much is taken off a candidate whose links none of them has.
const BUDGETS: [usize; 3] = [2, 8, 64];
const AGAINST: [f64; 6] = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0];

struct Sample {
    name: String,
    has_menu: bool,
    /// Facts and link F1 of each candidate.
    candidates: Vec<(Facts, f64)>,
    /// How far the links of each recur, by number of other pages.
    recurrence: Vec<Vec<f64>>,
    nodes: Vec<String>,
}

type Weights = Vec<f64>;

fn links_in(page: &Page, node: NodeId) -> Vec<NodeId> {
    page.descendants(node).filter(|node| page.tag(*node) == Tag::A && page.attr(*node, "href").is_some()).collect()
}

fn sample(folder: &Path) -> Option<Sample> {
    let json = std::fs::read_to_string(folder.join("site.json")).ok()?;
    let field = |name: &str| json.split(&format!("\"{name}\": \"")).nth(1).and_then(|rest| rest.split('"').next());
    let gold = Page::parse(std::fs::read(folder.join("gold.html")).ok()?);
    let key = field("key_page")?;
    let url = format!("{}{key}", field("base_url").unwrap_or("http://site.invalid/"));
    let page = Parser::new().url(&url).parse(std::fs::read(folder.join("pages").join(key)).ok()?);
    let menu = gold.nodes().find(|node| gold.classes(*node).any(|class| class == "TECO_mainMenu"));
    let element = |page: &Page, node: NodeId| {
        page.nodes().take_while(|other| *other < node).filter(|other| page.is_element(*other)).count()
    };
    let right: Vec<usize> =
        menu.map_or_else(Vec::new, |menu| links_in(&gold, menu).into_iter().map(|link| element(&gold, link)).collect());
    let found = MenuAuto::default().candidates(&page);
    let score = |node: NodeId| {
        let links = links_in(&page, node);
        let common = links.iter().filter(|link| right.contains(&element(&page, **link))).count();
        2.0 * common as f64 / (links.len() + right.len()) as f64
    };
    let recurrence = BUDGETS.map(|budget| {
        let model =
            SiteModel::learn(&others(&folder.join("pages"), field("base_url").unwrap_or("http://site.invalid/"), key, budget));
        let keys = PageKeys::of(&page);
        recurrence(&page, &keys, &model.compare(&keys, &Company::default()), &found)
    });
    let describe = |node: NodeId| {
        format!("{}.{}#{}", page.name(node), page.attr(node, "class").unwrap_or(""), page.attr(node, "id").unwrap_or(""))
    };
    Some(Sample {
        name: folder.file_name()?.to_string_lossy().into_owned(),
        has_menu: menu.is_some(),
        recurrence: recurrence.to_vec(),
        candidates: found.iter().map(|candidate| (candidate.facts, score(candidate.node))).collect(),
        nodes: found.iter().map(|candidate| describe(candidate.node)).collect(),
    })
}

/// Some other pages of the site.
fn others(root: &Path, base: &str, key: &str, budget: usize) -> Vec<Page> {
    let (mut found, mut open) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    let relative =
        |path: &PathBuf| path.strip_prefix(root).map_or_else(|_| String::new(), |path| path.to_string_lossy().into_owned());
    let hash = |name: &str| {
        name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    found.retain(|path| relative(path) != key);
    found.sort_by_key(|path| hash(&relative(path)));
    let read = |path: &PathBuf| Some(Parser::new().url(&format!("{base}{}", relative(path))).parse(std::fs::read(path).ok()?));
    found.iter().take(budget).filter_map(read).collect()
}

/// Scores of all candidates and, last, of none.
fn scores(sample: &Sample, weights: &Weights) -> Vec<f64> {
    let score = |facts: &Facts| facts.iter().zip(weights).map(|(fact, weight)| fact * weight).sum();
    sample.candidates.iter().map(|(facts, _)| score(facts)).chain([weights[FACTS.len()]]).collect()
}

fn fit(samples: &[&Sample], pull: f64) -> Weights {
    let by_hand: Weights = FACTS.iter().map(|fact| fact.2).chain([4.5]).collect();
    let mut weights = by_hand.clone();
    for step in 0..1500 {
        let mut gradient: Weights = weights.iter().zip(&by_hand).map(|(weight, hand)| -pull * (weight - hand)).collect();
        for sample in samples {
            let scores = scores(sample, &weights);
            let most = scores.iter().copied().fold(f64::MIN, f64::max);
            let shares: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
            let sum: f64 = shares.iter().sum();
            // What is right: the best candidates, better ones more; or none.
            let best = sample.candidates.iter().map(|candidate| candidate.1).fold(0.0, f64::max);
            let mut right: Vec<f64> = sample
                .candidates
                .iter()
                .map(|candidate| if sample.has_menu && candidate.1 > best - 0.02 { 1.0 } else { 0.0 })
                .collect();
            right.push(if sample.has_menu { 0.0 } else { 1.0 });
            let held: f64 = right.iter().zip(&shares).map(|(right, share)| right * share).sum();
            for at in 0..shares.len() {
                let push = right[at] * shares[at] / held.max(1e-300) - shares[at] / sum;
                match sample.candidates.get(at) {
                    Some((facts, _)) => facts.iter().enumerate().for_each(|(fact, value)| gradient[fact] += push * value),
                    None => gradient[FACTS.len()] += push,
                }
            }
        }
        let rate = 0.05 * (1.0 - f64::from(step) / 1500.0);
        weights.iter_mut().zip(gradient).for_each(|(weight, slope)| *weight += rate * slope.clamp(-2.0, 2.0));
    }
    weights
}

/// The candidate that is taken, if it scores so much more than none.
fn chosen(sample: &Sample, weights: &Weights, margin: f64) -> Option<usize> {
    let mut scores = scores(sample, weights);
    scores[sample.candidates.len()] += margin;
    let best = (0..scores.len()).rev().max_by(|one, other| scores[*one].total_cmp(&scores[*other]))?;
    (best < sample.candidates.len()).then_some(best)
}

fn main() {
    let folder = std::env::args().nth(1).expect("name the folder of the sites");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    let samples: Vec<Sample> = folders.iter().filter_map(|folder| sample(folder)).collect();
    let with_menu = samples.iter().filter(|sample| sample.has_menu).count() as f64;
    let value = |sample: &Sample, weights: &Weights, margin: f64| {
        chosen(sample, weights, margin).map_or(0.0, |best| sample.candidates[best].1)
    };
    let margin_in_use = menu_auto::Params::default().margin;
    let oracle: f64 = samples
        .iter()
        .filter(|sample| sample.has_menu)
        .map(|sample| sample.candidates.iter().map(|candidate| candidate.1).fold(0.0, f64::max))
        .sum();
    let by_hand: Weights = FACTS.iter().map(|fact| fact.2).chain([4.5]).collect();
    let mean = |weights: &Weights| {
        samples.iter().filter(|sample| sample.has_menu).map(|sample| value(sample, weights, 0.0)).sum::<f64>() / with_menu
    };
    println!(
        "sites {} with a menu {with_menu}, best possible {:.4}, by hand {:.4}",
        samples.len(),
        oracle / with_menu,
        mean(&by_hand)
    );
    let current: Weights = FACTS.iter().map(|fact| fact.1).chain([NONE]).collect();
    println!("weights in use: {:.4}", mean(&current));
    for pull in [0.1, 0.3, 1.0, 3.0] {
        let (mut sum, mut none) = (0.0, 0);
        let (mut sum_in_use, mut none_in_use) = (0.0, 0);
        let mut beside = [[(0.0, 0); AGAINST.len()]; BUDGETS.len()];
        for (at, left_out) in samples.iter().enumerate() {
            let others: Vec<&Sample> =
                samples.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, sample)| sample).collect();
            let weights = fit(&others, pull);
            let got = value(left_out, &weights, 0.0);
            for (budget, sums) in beside.iter_mut().enumerate() {
                for (against, sum) in AGAINST.iter().zip(sums) {
                    let mut scores = scores(left_out, &weights);
                    for (score, recurs) in scores.iter_mut().zip(&left_out.recurrence[budget]) {
                        *score -= against * (1.0 - recurs);
                    }
                    let best = (0..scores.len()).rev().max_by(|one, other| scores[*one].total_cmp(&scores[*other])).unwrap_or(0);
                    match left_out.candidates.get(best) {
                        Some((_, f1)) if left_out.has_menu => sum.0 += f1,
                        None if !left_out.has_menu => sum.1 += 1,
                        _ => {}
                    }
                }
            }
            if left_out.has_menu {
                sum += got;
                sum_in_use += value(left_out, &weights, margin_in_use);
            } else {
                none += usize::from(chosen(left_out, &weights, 0.0).is_none());
                none_in_use += usize::from(chosen(left_out, &weights, margin_in_use).is_none());
            }
            if (got < 0.9) == left_out.has_menu {
                let taken = chosen(left_out, &weights, 0.0).map_or("nothing", |at| &*left_out.nodes[at]);
                println!("    {} {got:.2}: {taken} was taken", left_out.name);
            }
        }
        println!(
            "pull {pull}: each site left out: link F1 {:.4}, no menu said rightly {none} of {}",
            sum / with_menu,
            samples.len() as f64 - with_menu
        );
        println!("    with the margin in use ({margin_in_use}): {:.4}, {none_in_use}", sum_in_use / with_menu);
        for (budget, sums) in BUDGETS.iter().zip(beside) {
            let line: Vec<String> = AGAINST
                .iter()
                .zip(sums)
                .map(|(against, (f1, none))| format!("{against}: {:.4} {none}", f1 / with_menu))
                .collect();
            println!("    beside {budget} other pages, taken off: {}", line.join(", "));
        }
    }
    let weights = fit(&samples.iter().collect::<Vec<_>>(), 0.3);
    println!("fitted to all: {:.4}", mean(&weights));
    for (fact, weight) in FACTS.iter().zip(&weights) {
        println!("    {:28} {weight:.2}", fact.0);
    }
    println!("NONE {:.2}", weights[FACTS.len()]);
}
