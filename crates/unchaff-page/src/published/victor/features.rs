//! What Victor looks at: features of texts, as indicators that are there or not.
//!
//! Of the groups that descriptions of the work name (its own table was not at hand): markup around a text (`container.*`) and before it (`split.*`); its characters, tokens and sentences, whether
//! it looks like an address, a date, a time or a bullet, how often it is repeated; its position, and how large the document and the
//! `div` and the cell around it are. The program used takes nominal values, so numbers are divided into levels; where, is not published,
//! and ours (`NUMBERS`). Tags *inside* a text (`contains.*`) there are none, as every tag ends a text here.

use crate::views::text_facts::{TextFacts, is_end, sums_of};
use crate::views::text_leaves::{Split, TextLeaves};
use foldhash::{HashMap, HashMapExt};
use std::collections::HashSet;
use unchaff_dom::{NodeId, Page, Tag};

/// What is so or not.
pub const FLAGS: &[&str] = &[
    "container.p",
    "container.a",
    "container.u",
    "container.class-header",
    "container.class-bold",
    "container.class-italic",
    "container.class-list",
    "container.class-form",
    "container.class-table",
    "split.p",
    "split.br",
    "split.hr",
    "split.class-inline",
    "split.class-block",
    "sentence-begin",
    "sentence-end",
    "first-duplicate",
    "regexp.url",
    "regexp.date",
    "regexp.time",
    "bullet",
];

const RELATIVE: &[f32] = &[0.0, 0.1, 0.25, 0.5, 0.7, 0.8, 0.9];
const ABSOLUTE: &[f32] = &[0.0, 2.0, 8.0, 20.0, 50.0, 120.0, 300.0];
const TOKENS: &[f32] = &[0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
const DOCUMENT: &[f32] = &[30.0, 80.0, 160.0, 320.0, 640.0, 1280.0, 2560.0];
const GROUP: &[f32] = &[0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 0.99];

/// Numbers, and the values above which they are of the next level.
pub const NUMBERS: &[(&str, &[f32])] = &[
    ("char.alpha-rel", RELATIVE),
    ("char.num-rel", RELATIVE),
    ("char.punct-rel", &[0.0, 0.02, 0.04, 0.06, 0.1, 0.2]),
    ("char.white-rel", &[0.0, 0.05, 0.1, 0.15, 0.2, 0.3]),
    ("char.other-rel", &[0.0, 0.1, 0.5]),
    ("char.alpha-abs", ABSOLUTE),
    ("char.num-abs", &[0.0, 1.0, 2.0, 4.0, 8.0]),
    ("char.punct-abs", &[0.0, 1.0, 2.0, 4.0, 8.0, 16.0]),
    ("char.other-abs", &[0.0, 1.0, 3.0]),
    ("token.alpha-rel", RELATIVE),
    ("token.num-rel", RELATIVE),
    ("token.mix-rel", RELATIVE),
    ("token.other-rel", RELATIVE),
    ("token.alpha-abs", TOKENS),
    ("token.num-abs", &[0.0, 1.0, 2.0, 4.0]),
    ("token.mix-abs", &[0.0, 1.0, 2.0, 4.0]),
    ("sentence.count", &[0.0, 1.0, 2.0, 4.0, 8.0]),
    ("sentence.avg-length", &[1.0, 2.0, 4.0, 7.0, 11.0, 16.0, 25.0]),
    ("duplicate-count", &[1.0, 2.0, 4.0, 10.0]),
    ("position", &[0.03, 0.08, 0.15, 0.25, 0.4, 0.6, 0.75, 0.85, 0.92, 0.97]),
    ("document.word-count", DOCUMENT),
    ("document.sentence-count", &[5.0, 10.0, 20.0, 40.0, 80.0, 160.0]),
    ("document.block-count", &[20.0, 50.0, 100.0, 200.0, 400.0, 800.0]),
    ("document.max-div-group", DOCUMENT),
    ("document.max-td-group", DOCUMENT),
    ("div-group.word-ratio", GROUP),
    ("td-group.word-ratio", GROUP),
];

/// How many indicators there are.
pub const INDICATORS: usize = FLAGS.len() + levels_before(NUMBERS.len());

const fn levels_before(number: usize) -> usize {
    let (mut at, mut sum) = (0, 0);
    while at < number {
        sum += NUMBERS[at].1.len() + 1;
        at += 1;
    }
    sum
}

/// The first indicator of each number.
const FIRST: [u16; NUMBERS.len()] = {
    let mut first = [0; NUMBERS.len()];
    let mut at = 0;
    while at < NUMBERS.len() {
        first[at] = (FLAGS.len() + levels_before(at)) as u16;
        at += 1;
    }
    first
};

/// A name for each indicator: that of the flag, or of the number with the value above which this level starts.
pub fn names() -> impl Iterator<Item = String> {
    let levels = NUMBERS.iter().flat_map(|(name, borders)| {
        std::iter::once(format!("{name}=low")).chain(borders.iter().map(move |border| format!("{name}>{border}")))
    });
    FLAGS.iter().map(|name| (*name).to_owned()).chain(levels)
}

/// The indicators of each text of a page.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// The texts, and the tags between them.
    pub leaves: TextLeaves,
    all: Vec<u16>,
    ends: Vec<u32>,
}

impl Features {
    /// Reads a page.
    #[must_use]
    pub fn of(page: &Page) -> Features {
        let leaves = TextLeaves::of(page);
        let sums = sums_of(page, &leaves.texts, &HashSet::new());
        let around = Around::of(page, &leaves, &sums);
        let duplicates = Duplicates::of(page, &leaves);
        let whole = *sums.last().unwrap_or(&TextFacts::default());
        let mut features = Features { all: Vec::new(), ends: Vec::with_capacity(leaves.texts.len()), leaves };
        let count = features.leaves.texts.len();
        for at in 0..count {
            let text = page.string(features.leaves.texts[at]).trim();
            let facts = sums[at + 1] - sums[at];
            let split = features.leaves.splits[at];
            let container = around.containers[at];
            let flags = (0..CONTAINERS).map(|bit| container >> bit & 1 == 1);
            let flags = flags.chain(Split::ALL.iter().map(|(_, kind)| split.has(*kind))).chain([
                text.chars().find(|first| first.is_alphanumeric()).is_some_and(char::is_uppercase),
                text.chars().rev().find(|last| last.is_alphanumeric() || is_end(*last)).is_some_and(is_end),
                duplicates.is_first[at],
                facts.urls + facts.emails > 0,
                facts.dates > 0,
                facts.times > 0,
                text.starts_with(['•', '·', '*', '-', '–', '»', '›', '■', '▪', '|']),
            ]);
            features.all.extend(flags.enumerate().filter(|(_, is)| *is).map(|(flag, _)| flag as u16));
            let share = |part: u32, whole: u32| part as f32 / whole.max(1) as f32;
            let (chars, tokens) = (facts.chars(), facts.tokens());
            let ratio = |(group, largest): (u32, u32)| share(group, largest);
            let numbers: [f32; NUMBERS.len()] = [
                share(facts.letters, chars),
                share(facts.digits, chars),
                share(facts.punctuation, chars),
                share(facts.blanks, chars),
                share(facts.others, chars),
                facts.letters as f32,
                facts.digits as f32,
                facts.punctuation as f32,
                facts.others as f32,
                share(facts.letter_tokens, tokens),
                share(facts.digit_tokens, tokens),
                share(facts.mixed_tokens, tokens),
                share(facts.other_tokens, tokens),
                facts.letter_tokens as f32,
                facts.digit_tokens as f32,
                facts.mixed_tokens as f32,
                facts.sentence_ends as f32,
                share(tokens, facts.sentences()),
                duplicates.counts[at] as f32,
                (at as f32 + 0.5) / count as f32,
                whole.words() as f32,
                whole.sentence_ends as f32,
                count as f32,
                around.largest[0] as f32,
                around.largest[1] as f32,
                ratio((around.groups[at][0], around.largest[0])),
                ratio((around.groups[at][1], around.largest[1])),
            ];
            let level = |(number, value): (usize, f32)| {
                FIRST[number] + NUMBERS[number].1.partition_point(|border| *border < value) as u16
            };
            features.all.extend(numbers.into_iter().enumerate().map(level));
            features.ends.push(features.all.len() as u32);
        }
        features
    }

    /// The indicators of a text.
    #[must_use]
    pub fn at(&self, text: usize) -> &[u16] {
        let from = text.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.all[from..self.ends[text] as usize]
    }
}

const CONTAINERS: usize = 9;

fn container(tag: Tag) -> u16 {
    use Tag::*;
    let bit = match tag {
        P => 0,
        A => 1,
        U | Ins => 2,
        H1 | H2 | H3 | H4 | H5 | H6 => 3,
        B | Strong => 4,
        I | Em => 5,
        Ul | Ol | Li | Dl | Dt | Dd | Menu | Dir => 6,
        Form | Label | Fieldset | Legend => 7,
        Table | Tbody | Thead | Tfoot | Tr | Td | Th => 8,
        _ => return 0,
    };
    1 << bit
}

/// What stands around each text: elements by kind, and the words of the nearest `div` and the nearest cell without those inside it.
struct Around {
    containers: Vec<u16>,
    /// Words in the `div` and in the cell.
    groups: Vec<[u32; 2]>,
    largest: [u32; 2],
}

impl Around {
    fn of(page: &Page, leaves: &TextLeaves, sums: &[TextFacts]) -> Around {
        let body = page.body().unwrap_or(page.root());
        // For each node the kinds of the elements around it and itself, and the nearest `div` and cell.
        let mut above: Vec<(u16, [NodeId; 2])> = vec![(0, [body; 2]); page.range(body).len()];
        for node in page.descendants(body).filter(|node| page.is_element(*node)) {
            let (kinds, [mut div, mut cell]) = above[page.parent(node).unwrap_or(body).index() - body.index()];
            match page.tag(node) {
                Tag::Div => div = node,
                Tag::Td | Tag::Th => cell = node,
                _ => {}
            }
            above[node.index() - body.index()] = (kinds | container(page.tag(node)), [div, cell]);
        }
        let of_text = |text: &NodeId| above[page.parent(*text).unwrap_or(body).index() - body.index()];
        let mut words: HashMap<(usize, NodeId), u32> = HashMap::new();
        for (at, text) in leaves.texts.iter().enumerate() {
            for (kind, group) in of_text(text).1.into_iter().enumerate().filter(|(_, group)| *group != body) {
                *words.entry((kind, group)).or_default() += (sums[at + 1] - sums[at]).words();
            }
        }
        let groups = |text: &NodeId| {
            let [div, cell] = of_text(text).1;
            [(0, div), (1, cell)].map(|key| words.get(&key).copied().unwrap_or(0))
        };
        let largest = |kind: usize| words.iter().filter(|((of, _), _)| *of == kind).map(|(_, words)| *words).max().unwrap_or(0);
        Around {
            containers: leaves.texts.iter().map(|text| of_text(text).0).collect(),
            groups: leaves.texts.iter().map(groups).collect(),
            largest: [largest(0), largest(1)],
        }
    }
}

/// How often each text is on the page.
struct Duplicates {
    counts: Vec<u32>,
    is_first: Vec<bool>,
}

impl Duplicates {
    fn of(page: &Page, leaves: &TextLeaves) -> Duplicates {
        let mut seen: HashMap<&str, u32> = HashMap::with_capacity(leaves.texts.len());
        let key = |text: &NodeId| page.string(*text).trim();
        let is_first = leaves.texts.iter().map(|text| {
            let count = seen.entry(key(text)).or_default();
            *count += 1;
            *count == 1
        });
        let is_first = is_first.collect();
        Duplicates { counts: leaves.texts.iter().map(|text| seen[key(text)]).collect(), is_first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(html: &str) -> Vec<Vec<String>> {
        let all: Vec<String> = names().collect();
        let features = Features::of(&Page::parse(html));
        (0..features.leaves.texts.len())
            .map(|at| features.at(at).iter().map(|one| all[usize::from(*one)].clone()).collect())
            .collect()
    }

    #[test]
    fn every_indicator_has_a_name_of_its_own() {
        let all: Vec<String> = names().collect();
        assert_eq!(all.len(), INDICATORS);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), INDICATORS);
    }

    #[test]
    fn a_link_in_a_paragraph_is_in_both_and_each_number_has_one_level() {
        let texts = of("<div><p>Rain fell. It <a href=x>was wet</a></p></div><div>Menu</div><div>Menu</div>");
        let has = |at: usize, name: &str| texts[at].iter().any(|one| one == name);
        assert!(has(1, "container.p") && has(1, "container.a") && has(1, "split.class-inline") && !has(0, "container.a"));
        assert!(has(0, "sentence-begin") && !has(0, "sentence-end") && !has(1, "sentence-begin"));
        // Three letters tokens of three (Rain, fell, It), five words in the largest div, of which the menus have one each.
        assert!(has(0, "token.alpha-abs>2") && has(0, "char.alpha-rel>0.7") && has(0, "sentence.count>0"));
        assert!(has(0, "div-group.word-ratio>0.99") && has(2, "div-group.word-ratio>0.1"));
        assert!(has(2, "first-duplicate") && !has(3, "first-duplicate") && has(3, "duplicate-count>1"));
        for text in &texts {
            let numbers = text.iter().filter(|name| name.contains(['=', '>'])).count();
            assert_eq!(numbers, NUMBERS.len());
        }
    }
}
