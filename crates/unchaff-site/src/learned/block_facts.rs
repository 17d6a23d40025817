//! What the page and its site say of each block of text, one small number each.
//!
//! `auto` says how likely a block is content if the page stands alone. The site says how many similar pages have its text, its
//! place and its links, whether what is around it recurs, and how likely it is template. What that means depends on the page: in
//! the part that holds the content the rest belongs to it; parts of their own are teasers, comments, further reading. So
//! some numbers are of the **part**: a subtree that is no template below an element that is. Numbers of the page as a whole were tried and
//! left out: with few sites they tell which site it is.

use crate::learned::comparison::{Applied, Comparison};
use crate::learned::page_keys::PageKeys;
use std::ops::Range;
use unchaff_dom::{NodeId, Page};
use unchaff_page::learned::auto::Analysis;
use unchaff_page::learned::auto::levels::ELEMENT_SIGNS;
use unchaff_page::learned::name_families::Family;
use unchaff_page::learned::small_logs::{ln, ln_1p};

/// Names of what pages have for themselves and is not what they are about.
const BESIDE: [Family; 6] = [Family::Comment, Family::Related, Family::Breadcrumb, Family::Pager, Family::Side, Family::Share];

/// What is known of one block.
macro_rules! facts {
    ($($name:ident $meaning:literal,)*) => {
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types)]
        enum Fact { $($name),* }

        /// The names of the facts, and what they mean.
        pub const FACTS: &[(&str, &str)] = &[$((stringify!($name), $meaning)),*];
    };
}

facts! {
    auto "Log-odds of the block by `auto`.",
    over_cut "The same, less those of the least block that is taken.",
    near_auto "Share of content that is expected two blocks either side.",
    wide_auto "Share of content that is expected eight blocks either side.",
    level1_auto "Share of content expected in the level around it.",
    level2_auto "The same one level up.",
    level3_auto "The same two levels up.",
    in_container "Whether it stands in the least level with half of the expected content.",
    words "Words, as a logarithm.",
    links "Share of words in links.",
    heading "The level of the heading that it is, or 0.",
    paragraph "Whether it is paragraph-like.",
    same_text "Blocks of the page with the same text, as a logarithm.",
    since_title "Place relative to the block most like the title: before, it, after, unknown.",
    text "Share of pages with its text, or with other digits or class, which counts somewhat less.",
    folded "Share of pages with its text, digits folded.",
    pages_with "Pages with its text, as a logarithm.",
    in_best "Share of its words that the most similar page has.",
    whole "Share of pages with the text of its home.",
    reference "Share of pages that have its links; -1 if it has none.",
    place_share "Share of pages that have its place.",
    place_varies "How much it varies how often they have it; a page without it counts as 1.",
    place_as_often "Share of pages that have it as often.",
    place_repeats "How often the page has it, as a logarithm.",
    template "Log-odds of being template.",
    evidence "What it says for template on its own.",
    near_template "How likely the blocks are template two either side.",
    level1_template "How likely the words of the level around it are template.",
    level2_template "The same one level up.",
    level3_template "The same two levels up.",
    level1_text "Share of pages with the text of the level around it, by words.",
    level2_text "The same one level up.",
    level3_text "The same two levels up.",
    part_share "Share of all words that are not template in its part; -1 if it is template.",
    part_links "Share of words in links in its part.",
    part_auto "Share of content that is expected in its part.",
    part_content "Share of all expected content that is in its part.",
    comment "Levels up to a name of comments.",
    related "Levels up to a name of further reading.",
    breadcrumb "Levels up to a name of breadcrumbs.",
    pager "Levels up to a name of pagers.",
    side "Levels up to a name of sides.",
    share "Levels up to a name of sharing.",
}

/// The facts about one block, in the order of [`FACTS`].
pub type Facts = [f32; FACTS.len()];

/// Log-odds of a probability, bounded.
pub(crate) fn log_odds(p: f32) -> f32 {
    let p = p.clamp(1e-3, 1.0 - 1e-3);
    (p / (1.0 - p)).ln()
}

fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Sums over ranges of blocks as differences of two.
struct Running(Vec<[f32; 4]>);

impl Running {
    fn mean(&self, what: usize, from: usize, to: usize) -> f32 {
        self.means(from, to)[what]
    }

    #[inline]
    fn means(&self, from: usize, to: usize) -> [f32; 4] {
        let (from, to) = (self.0[from], self.0[to]);
        std::array::from_fn(|what| share(to[what] - from[what], to[WEIGHT] - from[WEIGHT]))
    }
}

const WEIGHT: usize = 0;
const AUTO: usize = 1;
const TEMPLATE: usize = 2;
const TEXT: usize = 3;

/// What other pages have of one block.
#[derive(Clone, Copy, Default)]
struct Shared {
    text: f32,
    folded: f32,
    pages: f32,
    in_best: f32,
    reference: f32,
    template: f32,
    whole: f32,
    /// Where the element around its first text stands among the keys.
    element: usize,
}

/// Where the element around each node, or the node itself, stands among the keys.
fn positions(page: &Page, keys: &PageKeys) -> Vec<u32> {
    let mut positions = vec![0; page.len()];
    let end = page.body().map_or(NodeId(0), |body| page.end(body));
    let next = keys.nodes.iter().copied().skip(1).chain([end]);
    for (at, (node, next)) in (0..).zip(keys.nodes.iter().zip(next)) {
        positions[node.index()] = at;
        // What stands before the next element is none.
        for between in (node.0 + 1..next.0).map(NodeId) {
            positions[between.index()] = page.parent(between).map_or(0, |parent| positions[parent.index()]);
        }
    }
    positions
}

/// A subtree that is no template.
#[derive(Clone, Copy, Default)]
struct Part {
    words: f32,
    links: f32,
    expected: f32,
}

/// A page beside its site, block by block.
pub struct Survey<'a> {
    analysis: &'a Analysis<'a>,
    comparison: &'a Comparison<'a>,
    applied: &'a Applied,
    /// What the other pages have of each block, and where the element around it stands among the keys.
    shared: Vec<Shared>,
    sums: Running,
    /// The means over the blocks of each level.
    levels: Vec<[f32; 4]>,
    container: Range<usize>,
    /// The part that each element is in, by its root, and all parts.
    part_of: Vec<u32>,
    parts: Vec<Part>,
    /// Log-odds of the least block that is taken.
    cut: f32,
    /// Words in parts.
    own: f32,
    /// The share of what `auto` takes that is not template.
    pub own_of_auto: f32,
}

/// What is known about all blocks of a page that was analysed alone and compared with others.
#[must_use]
pub fn survey<'a>(
    analysis: &'a Analysis<'a>,
    keys: &PageKeys,
    comparison: &'a Comparison<'a>,
    applied: &'a Applied,
) -> Survey<'a> {
    let view = &analysis.view;
    let page = view.page;
    let positions = positions(page, keys);
    let at_of = |node: NodeId| positions[node.index()] as usize;
    let words_of = |at: usize| (view.signs[at].words as f32).max(0.5);
    // What the other pages have of each block.
    let mut shared: Vec<Shared> = Vec::with_capacity(view.blocks.len());
    for block in &view.blocks {
        let whole = comparison.found(at_of(block.home)).whole;
        let mut own = Shared { element: at_of(block.first), whole, ..Shared::default() };
        let (mut words, mut referring) = (0.0, 0.0);
        let mut last = usize::MAX;
        for text in block.texts(page) {
            let element = at_of(text);
            let weight = (page.counts(text).words as f32).max(0.5);
            let found = comparison.found(element);
            words += weight;
            own.text += weight * found.text;
            own.folded += weight * found.folded;
            own.in_best += weight * f32::from(u8::from(found.folded_in_best));
            own.pages += weight * found.pages as f32;
            own.template += weight * applied.probabilities[element] as f32;
            if keys.keys[element].reference != 0 && element != last {
                own.reference += found.reference;
                referring += 1.0;
            }
            last = element;
        }
        for sum in [&mut own.text, &mut own.folded, &mut own.in_best, &mut own.pages, &mut own.template] {
            *sum = share(*sum, words);
        }
        own.reference = if referring > 0.0 { own.reference / referring } else { -1.0 };
        shared.push(own);
    }
    // Sums over blocks.
    let mut sums = Running(vec![[0.0; 4]]);
    let mut sum = [0.0; 4];
    for (at, own) in shared.iter().enumerate() {
        let words = words_of(at);
        for (sum, value) in sum.iter_mut().zip([1.0, analysis.p[at], own.template, own.text]) {
            *sum += words * value;
        }
        sums.0.push(sum);
    }
    // Parts: subtrees that are no template.
    let mut part_of = vec![u32::MAX; keys.len()];
    for at in 0..keys.len() {
        if applied.probabilities[at] < 0.5 {
            let above = if at == 0 { u32::MAX } else { part_of[keys.parents[at] as usize] };
            part_of[at] = if above == u32::MAX { at as u32 } else { above };
        }
    }
    let mut parts = vec![Part::default(); keys.len()];
    let (mut own, mut taken, mut both) = (0.0, 0.0, 0.0);
    for (at, block) in shared.iter().enumerate() {
        let (words, links) = (words_of(at), view.sum(at, at + 1).link_density().max(0.0));
        let takes = analysis.p[at] >= analysis.cut.threshold;
        taken += if takes { words } else { 0.0 };
        let part = part_of[block.element];
        if part == u32::MAX {
            continue;
        }
        own += words;
        let part = &mut parts[part as usize];
        *part = Part {
            words: part.words + words,
            links: part.links + words * links,
            expected: part.expected + words * analysis.p[at],
        };
        both += if takes { words } else { 0.0 };
    }
    let levels = view.levels.all.iter().map(|level| sums.means(level.start as usize, level.end as usize)).collect();
    let container = container(analysis, &sums);
    let own_of_auto = share(both, taken);
    let cut = log_odds(analysis.cut.threshold);
    Survey { analysis, comparison, applied, shared, sums, levels, container, part_of, parts, cut, own, own_of_auto }
}

impl Survey<'_> {
    /// The facts about one block.
    #[must_use]
    pub fn facts(&self, at: usize) -> Facts {
        let mut facts: Facts = [0.0; FACTS.len()];
        self.describe(at, |fact, value| facts[fact] = value);
        facts
    }

    /// Tells all facts about one block, by number.
    #[inline]
    pub fn describe(&self, at: usize, mut tell: impl FnMut(usize, f32)) {
        let Survey { analysis, comparison, applied, sums, .. } = self;
        let (view, block, count) = (&analysis.view, &self.shared[at], self.shared.len());
        let mut set = |fact: Fact, value: f32| tell(fact as usize, value);
        let near = (at.saturating_sub(2), (at + 3).min(count));
        let wide = (at.saturating_sub(8), (at + 9).min(count));
        let auto = log_odds(analysis.p[at]);
        let own_sums = view.sum(at, at + 1);
        set(Fact::auto, auto);
        set(Fact::over_cut, auto - self.cut);
        set(Fact::near_auto, sums.mean(AUTO, near.0, near.1));
        set(Fact::wide_auto, sums.mean(AUTO, wide.0, wide.1));
        set(Fact::in_container, f32::from(u8::from(self.container.contains(&at))));
        set(Fact::words, if view.signs[at].words == 0 { 0.5f32.ln_1p() } else { ln_1p(view.signs[at].words) });
        set(Fact::links, own_sums.link_density().max(0.0));
        set(Fact::heading, f32::from(view.heading[at]));
        set(Fact::paragraph, f32::from(u8::from(view.is_paragraph[at])));
        set(Fact::same_text, ln(view.same_text[at]));
        let title = view.title.map_or(2.0, |title| match at.cmp(&(title as usize)) {
            std::cmp::Ordering::Less => -1.0,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => 1.0,
        });
        set(Fact::since_title, title);
        set(Fact::text, block.text);
        set(Fact::folded, block.folded);
        set(Fact::pages_with, block.pages.ln_1p());
        set(Fact::in_best, block.in_best);
        set(Fact::whole, block.whole);
        set(Fact::reference, block.reference);
        let place = comparison.place(block.element);
        set(Fact::place_share, place.share);
        set(Fact::place_varies, place.varies);
        set(Fact::place_as_often, place.as_often);
        set(Fact::place_repeats, place.repeats);
        set(Fact::template, log_odds(applied.probabilities[block.element] as f32));
        set(Fact::evidence, (applied.evidence[block.element] as f32).clamp(-7.0, 7.0));
        set(Fact::near_template, sums.mean(TEMPLATE, near.0, near.1));
        let mut level = view.levels.of_block[at];
        let levels = [
            [Fact::level1_auto, Fact::level1_template, Fact::level1_text],
            [Fact::level2_auto, Fact::level2_template, Fact::level2_text],
            [Fact::level3_auto, Fact::level3_template, Fact::level3_text],
        ];
        for [expected, stays, recurs] in levels {
            level = view.levels.all[level as usize].parent;
            let means = &self.levels[level as usize];
            set(expected, means[AUTO]);
            set(stays, means[TEMPLATE]);
            set(recurs, means[TEXT]);
        }
        let part = match self.part_of[block.element] {
            u32::MAX => [-1.0; 4],
            part => {
                let part = self.parts[part as usize];
                [
                    share(part.words, self.own),
                    share(part.links, part.words),
                    share(part.expected, part.words),
                    share(part.expected, sums.0[count][AUTO]),
                ]
            }
        };
        let of_part = [Fact::part_share, Fact::part_links, Fact::part_auto, Fact::part_content];
        of_part.into_iter().zip(part).for_each(|(fact, value)| set(fact, value));
        let distances = &view.levels.distances[view.levels.of_block[at] as usize];
        let named = [Fact::comment, Fact::related, Fact::breadcrumb, Fact::pager, Fact::side, Fact::share];
        for (fact, family) in named.into_iter().zip(BESIDE) {
            set(fact, f32::from(distances[ELEMENT_SIGNS.len() + family as usize].min(8)));
        }
    }
}

/// The blocks of the least level that holds half of the content that is expected.
fn container(analysis: &Analysis<'_>, sums: &Running) -> Range<usize> {
    let expected = |range: &Range<usize>| sums.0[range.end][AUTO] - sums.0[range.start][AUTO];
    let wanted = 0.5 * expected(&(0..analysis.p.len()));
    let ranges = analysis.view.levels.all.iter().map(|level| level.start as usize..level.end as usize);
    ranges.filter(|range| expected(range) >= wanted).min_by_key(ExactSizeIterator::len).unwrap_or(0..0)
}
