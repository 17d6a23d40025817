//! Where the loss is: pages sorted by their largest mistake.

use crate::corpus::{Corpus, GoldPage};
use std::collections::BTreeMap;
use unchaff_page::learned::auto::features::Source;
use unchaff_page::learned::auto::levels::NOWHERE;
use unchaff_page::learned::auto::tables::quantity;

/// Pages whose gold has fewer words are mostly captions and headlines.
const TINY: u32 = 60;

/// Prints for each set the share of the loss by kind of mistake.
pub(crate) fn report(corpus: &Corpus, columns: &[(String, Source)], taken: impl Fn(&GoldPage) -> Vec<bool>) {
    let named = |name: &str| columns.iter().position(|(own, _)| own == name);
    let (comment, links) = (named("to_named_comment"), named("link_density"));
    let of_links = links.and_then(|column| quantity(columns[column].1)).map_or(&[][..], |number| &corpus.borders[number]);
    let half = of_links.iter().filter(|border| **border < 0.5).count();
    let at = |column: Option<usize>, block: usize| column.map_or(0, |column| corpus.columns[column][block]);
    let mut losses: BTreeMap<String, BTreeMap<&str, f64>> = BTreeMap::new();
    for page in &corpus.pages {
        let taken = taken(page);
        let is_comment = |block: usize| at(comment, page.first + block) < NOWHERE;
        let is_item = |block: usize| page.words[block].len() < 12 || usize::from(at(links, page.first + block)) > half;
        let loss = 1.0 - page.f1(|block| taken[block]);
        let kind = mistake(page, &taken, loss, is_comment, is_item);
        let key = page.kind.as_ref().map_or(page.set.clone(), |kind| format!("{} {kind}", page.set));
        *losses.entry(key).or_default().entry(kind).or_default() += loss;
    }
    println!("share of the loss by kind of mistake:");
    for (set, kinds) in losses {
        let total: f64 = kinds.values().sum();
        let mut kinds: Vec<(&str, f64)> = kinds.into_iter().collect();
        kinds.sort_by(|a, b| b.1.total_cmp(&a.1));
        let kinds: Vec<String> = kinds.iter().map(|(kind, loss)| format!("{kind} {:.0} %", 100.0 * loss / total)).collect();
        println!("  {set}: {}", kinds.join(", "));
    }
}

fn mistake(
    page: &GoldPage,
    taken: &[bool],
    loss: f64,
    is_comment: impl Fn(usize) -> bool,
    is_item: impl Fn(usize) -> bool,
) -> &'static str {
    if loss <= 0.2 {
        return "small";
    }
    if page.f1(|block| page.labels[block] >= 0.5) < 0.7 {
        return "text not in the page";
    }
    if page.gold_words() < TINY {
        return "tiny gold";
    }
    let is_gold = |block: usize| page.labels[block] >= 0.5;
    let last = (0..taken.len()).filter(|block| is_gold(*block)).max().unwrap_or(0);
    let mut words: BTreeMap<&str, usize> = BTreeMap::new();
    for block in (0..taken.len()).filter(|block| taken[*block] != is_gold(*block)) {
        let kind = match (taken[block], is_comment(block)) {
            (true, true) => "comments too much",
            (false, true) => "comments missed",
            (true, false) if block > last => "too much after",
            (true, false) => "too much before or inside",
            (false, false) if is_item(block) => "short items and links missed",
            (false, false) => "prose missed",
        };
        *words.entry(kind).or_default() += page.words[block].len();
    }
    words.into_iter().max_by_key(|(_, words)| *words).map_or("small", |(kind, _)| kind)
}
