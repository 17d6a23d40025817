//! What is likely content, line by line, and yet no part of it: lines that are of no page ([`filler_lines`](crate::rules::filler_lines)), and what the page
//! has said already.
//!
//! Many pages hold their text several times: once for each width of the screen, as slides that come round again, or as a description that is repeated
//! further down. A copy is a stretch of blocks that are taken and stood in the same order before. It counts by its blocks outside lists, tables, quotes and
//! code, where the same words may well be meant twice (features of two plans, fields of records); where it counts enough, all of it goes, and so do
//! shorter repetitions between it and the next one.

use super::levels::{Levels, bit};
use super::view::View;
use crate::rules::filler_lines::{HASHES, is_filler};
use crate::views::units::{Unit, ranges};
use foldhash::fast::FixedState;
use std::hash::BuildHasher;
use std::ops::Range;
use unchaff_dom::Tag;

/// A copy has at least so many different blocks that count,
const LEAST_BLOCKS: usize = 3;
/// with so many words.
const LEAST_WORDS: u32 = 30;
/// So many earlier places of a text are tried.
const MOST_PLACES: usize = 8;
/// Where words may be repeated on purpose.
const REPETITIVE: [&str; 5] = ["cell", "item", "definitions", "quote", "code"];

/// Which of the blocks that are taken are left out. A unit is so whole or not at all: a cell may say *Advertising*, and a row what another one says.
pub(super) fn left_out(view: &View<'_>, units: &[Unit], takes: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut out = vec![false; view.blocks.len()];
    let taken: Vec<usize> = (0..view.blocks.len()).filter(|at| takes(*at)).collect();
    leave_filler_lines(view, &taken, &mut out);
    leave_copies(view, &taken, &mut out);
    leave_headings_said_twice(view, &taken, &mut out);
    if out.contains(&true) && !units.is_empty() {
        let blocks: Vec<_> = view.blocks.iter().map(|block| (block.first, block.last)).collect();
        for (range, _) in ranges(view.page, units, &blocks) {
            if range.clone().any(|at| takes(at) && !out[at]) {
                out[range].fill(false);
            }
        }
    }
    out
}

/// Leaves out lines that are of no page.
fn leave_filler_lines(view: &View<'_>, taken: &[usize], out: &mut [bool]) {
    let mut line = String::new();
    for at in taken.iter().copied().filter(|at| HASHES.binary_search(&view.signs[*at].hash).is_ok()) {
        line.clear();
        line.extend(view.blocks[at].texts(view.page).map(|text| view.page.string(text)));
        out[at] = is_filler(&line);
    }
}

fn leave_copies(view: &View<'_>, taken: &[usize], out: &mut [bool]) {
    let may_be_copy = |blocks: usize, words: u32| blocks >= LEAST_BLOCKS && words >= LEAST_WORDS;
    let is_repeated = |at: &&usize| view.same_text[**at] > 1;
    let repeated: u32 = taken.iter().filter(is_repeated).map(|at| view.signs[*at].words).sum();
    if repeated < 2 * LEAST_WORDS {
        return;
    }
    let is_repetitive = repetitive_levels(&view.levels);
    let counts = |at: &usize| !is_repetitive[view.levels.of_block[*at] as usize];
    // Most pages have some lines again and no copy.
    let counted = taken.iter().filter(is_repeated).filter(|at| counts(at));
    let (blocks, words) = counted.fold((0, 0), |(blocks, words), at| (blocks + 1, words + view.signs[*at].words));
    if !may_be_copy(blocks / 2, words / 2) {
        return;
    }
    let texts = texts(view, taken);
    let runs = repetitions(&texts);
    let is_copy = |run: &&Range<usize>| {
        let counted = (*run).clone().filter(|place| counts(&taken[*place]));
        // The same line again and again is none.
        let mut different: Vec<_> = counted.map(|place| (texts[place], view.signs[taken[place]].words)).collect();
        different.sort_unstable();
        different.dedup();
        may_be_copy(different.len(), different.iter().map(|(_, words)| words).sum())
    };
    let copies = || runs.iter().filter(is_copy);
    let (Some(first), Some(last)) = (copies().next(), copies().next_back()) else { return };
    for run in runs.iter().filter(|run| (first.start..last.end).contains(&run.start)) {
        taken[run.clone()].iter().for_each(|at| out[*at] = true);
    }
}

/// Leaves out one of two lines that follow each other, say the same and are headings, or one of them is: a page prints them twice for two widths of
/// the screen, or a slide has a heading and a label.
fn leave_headings_said_twice(view: &View<'_>, taken: &[usize], out: &mut [bool]) {
    let mut is_repetitive: Option<Vec<bool>> = None;
    let words = |at: usize| {
        let texts = view.blocks[at].texts(view.page).map(|text| view.page.string(text));
        texts.flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric())).filter(|word| !word.is_empty())
    };
    for pair in taken.windows(2) {
        let [one, other] = [pair[0], pair[1]];
        let [first, second] = [one, other].map(|at| view.heading[at]);
        if first == 0 && second == 0 || view.signs[one].words != view.signs[other].words || out[one] || out[other] {
            continue;
        }
        let is_same = words(one).map(str::to_lowercase).eq(words(other).map(str::to_lowercase));
        if !is_same || words(one).next().is_none() {
            continue;
        }
        let is_repetitive = is_repetitive.get_or_insert_with(|| repetitive_levels(&view.levels));
        let is_in_list = [one, other].iter().any(|at| is_repetitive[view.levels.of_block[*at] as usize]);
        if !is_in_list || first == second && is_same_link(view, one, other) {
            out[if first == 0 { one } else { other }] = true;
        }
    }
}

/// Whether two lines are links to the same place: the name of a product, above its picture and below it.
fn is_same_link(view: &View<'_>, one: usize, other: usize) -> bool {
    let page = view.page;
    let link = |at: usize| {
        let home = view.blocks[at].home;
        let around = std::iter::once(home).chain(page.ancestors(home)).take(3);
        around.filter(|node| page.tag(*node) == Tag::A).find_map(|link| page.attr(link, "href"))
    };
    link(one).is_some_and(|address| link(other) == Some(address))
}

/// A number for the words of each block, the same for the same words; none if no other block is like it.
fn texts(view: &View<'_>, taken: &[usize]) -> Vec<Option<u64>> {
    let mut line = String::new();
    let mut text = |at: &usize| {
        line.clear();
        for word in view.blocks[*at].texts(view.page).flat_map(|text| view.page.string(text).split_whitespace()) {
            line.push_str(word);
            line.push(' ');
        }
        FixedState::default().hash_one(&line)
    };
    taken.iter().map(|at| (view.same_text[*at] > 1).then(|| text(at))).collect()
}

/// Stretches of texts that stood in the same order before, the longest from each place on; none reaches into another.
fn repetitions(texts: &[Option<u64>]) -> Vec<Range<usize>> {
    let mut places: Vec<(u64, usize)> = texts.iter().enumerate().filter_map(|(place, text)| Some(((*text)?, place))).collect();
    places.sort_unstable();
    let mut runs = Vec::new();
    let mut place = 0;
    while place < texts.len() {
        let before = texts[place].map_or(&[][..], |text| {
            let first = places.partition_point(|other| *other < (text, 0));
            let before = places.partition_point(|other| *other < (text, place));
            &places[first..before.min(first + MOST_PLACES)]
        });
        let length = |before: usize| {
            let pairs = texts[before..place].iter().zip(&texts[place..]);
            pairs.take_while(|(one, other)| one.is_some() && one == other).count()
        };
        let longest = before.iter().map(|(_, before)| length(*before)).max().unwrap_or(0);
        if longest > 0 {
            runs.push(place..place + longest);
        }
        place += longest.max(1);
    }
    runs
}

/// Whether each level stands in a list, a table, a quote or code.
fn repetitive_levels(levels: &Levels) -> Vec<bool> {
    let signs = REPETITIVE.iter().fold(0, |signs, name| signs | bit(name));
    let mut is_in: Vec<bool> = Vec::with_capacity(levels.all.len());
    for (at, level) in levels.all.iter().enumerate() {
        is_in.push(level.signs & signs != 0 || at > 0 && is_in[level.parent as usize]);
    }
    is_in
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::units;
    use proptest::prelude::*;
    use unchaff_dom::Page;

    const TEXT: [&str; 3] = [
        "It rained all day and all night, and in the morning the river had come into the garden.",
        "Nobody had expected it to come so far, least of all the cat, who slept on the wall.",
        "By noon it had gone again and left its mud on the beans.",
    ];

    fn paragraphs() -> String {
        TEXT.map(|text| format!("<p>{text}</p>")).concat()
    }

    /// What is left of the blocks of a page, all of them taken.
    fn left(html: &str) -> Vec<String> {
        let page = Page::parse(html);
        let view = View::of(&page);
        let out = left_out(&view, &units::units(&page), |at| view.signs[at].words > 0);
        let text = |at: usize| view.blocks[at].texts(&page).map(|text| page.string(text)).collect::<String>();
        (0..view.blocks.len()).filter(|at| view.signs[*at].words > 0 && !out[*at]).map(text).collect()
    }

    #[test]
    fn what_a_page_holds_for_several_widths_is_taken_once_with_its_lists() {
        let whole = format!("<h2>Rain</h2>{}<ul><li>mud<li>beans</ul>", paragraphs());
        let page =
            format!("<div class=wide>{whole}</div><div class=narrow>{whole}</div><div class=print>{whole}</div><p>The end.</p>");
        assert_eq!(left(&page), ["Rain", TEXT[0], TEXT[1], TEXT[2], "mud", "beans", "The end."]);
    }

    #[test]
    fn a_heading_that_is_said_twice_in_a_row_is_taken_once() {
        let text = TEXT[0];
        assert_eq!(left(&format!("<h1>Rain again</h1><h2>Rain Again</h2><p>{text}</p>")), ["Rain again", text]);
        assert_eq!(left(&format!("<div>Rain again</div><h1>Rain again</h1><p>{text}</p>")), ["Rain again", text]);
        let apart = format!("<h2>Rain</h2><p>{text}</p><h2>Rain</h2><p>{text}</p>");
        assert_eq!(left(&apart), ["Rain", text, "Rain", text]);
        let item = format!("<h2>Rain</h2><ul><li>Rain<li>Sun</ul><p>{text}</p>");
        assert_eq!(left(&item), ["Rain", "Rain", "Sun", text]);
        let cards = |second: &str| {
            left(&format!("<ul><li><h3><a href=/a>A boat</a></h3><h3><a href={second}>A boat</a></h3>9 euros<li>{text}</ul>"))
        };
        assert_eq!(cards("/a"), ["A boat", "9 euros", text]);
        assert_eq!(cards("/b"), ["A boat", "A boat", "9 euros", text]);
    }

    #[test]
    fn a_refrain_a_feature_of_every_plan_and_other_numbers_stay() {
        let refrain = format!("<p>{}</p>", TEXT[0]);
        assert_eq!(left(&format!("{refrain}<p>One.</p>{refrain}<p>Two.</p>{refrain}")).len(), 5);
        assert_eq!(left(&refrain.repeat(20)).len(), 20);
        let plan = |name: &str| format!("<h3>{name}</h3><ul>{}</ul>", TEXT.map(|text| format!("<li>{text}</li>")).concat());
        assert_eq!(left(&(plan("Small") + &plan("Large"))).len(), 8);
        let numbered = |number: u32| TEXT.map(|text| format!("<p>{number} {text}</p>")).concat();
        assert_eq!(left(&(numbered(1) + &numbered(2))).len(), 6);
    }

    #[test]
    fn tables_between_copies_stay_whole_and_go_with_their_copy() {
        let table = "<table><tr><th>Plan<th>Mail<th>Chat<tr><td>Small<td>Yes<td>Yes<tr><td>Large<td>Yes<td>Yes</table>";
        let cells = ["Plan", "Mail", "Chat", "Small", "Yes", "Yes", "Large", "Yes", "Yes"];
        let text = paragraphs();
        assert_eq!(left(&format!("{text}{text}{table}{text}")), [&TEXT[..], &cells].concat());
        assert_eq!(left(&format!("{text}{table}<p>And then:</p>{text}{table}")), [&TEXT[..], &cells, &["And then:"]].concat());
    }

    #[test]
    fn labels_of_advertisements_go_and_stay_in_tables() {
        let table = "<table><tr><th>Spent on<th>Sum<tr><td>Advertising<td>40<tr><td>Rent<td>90</table>";
        let lines = left(&format!("<p>{}</p><p>ADVERTISEMENT</p>{table}<p>{}</p>", TEXT[0], TEXT[1]));
        assert_eq!(lines, [TEXT[0], "Spent on", "Sum", "Advertising", "40", "Rent", "90", TEXT[1]]);
    }

    #[test]
    fn what_stands_for_a_part_that_is_still_to_come_goes() {
        let text = TEXT[0];
        for line in ["<p>Loading...</p>", "<h2>Loading</h2>", "<ul><li>Loading…</ul>", "<div><span>Loading</span></div>"] {
            assert_eq!(left(&format!("<p>{text}</p>{line}<p>{}</p>", TEXT[1])), [text, TEXT[1]], "{line}");
        }
    }

    proptest! {
        #[test]
        fn what_is_left_out_was_said_before(order in prop::collection::vec(0_usize..5, 0..40)) {
            let texts: Vec<String> = (0..5).map(|at| format!("{} {at}x", TEXT[at % 3])).collect();
            let page: String = order.iter().map(|at| format!("<p>{}</p>", texts[*at])).collect();
            let mut every: Vec<&String> = order.iter().map(|at| &texts[*at]).collect();
            let lines = left(&page);
            let mut found: Vec<&String> = lines.iter().collect();
            for all in [&mut every, &mut found] {
                all.sort();
                all.dedup();
            }
            prop_assert_eq!(every, found);
        }
    }
}
