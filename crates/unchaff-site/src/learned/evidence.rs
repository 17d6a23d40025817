//! What single elements say for or against being template, when the page is compared with others.
//!
//! Each element has a row of plain facts: how many similar pages have its text, its references, its place, and how often; how many of those with its place have
//! the rest, for what one kind of pages has may be rare on the site; what it stands in, how much it says, where it is. What they mean depends on whether an element has text of its own, wraps text of
//! others, or has none, so places are looked at apart. The sum by weight is the evidence in log-odds.
//! The weights, with the two prices of changing between parent and child, are those of a conditional random field on the
//! tree of elements, fitted to the labelled pages of 40 sites with a quadratic penalty (`examples/fit_template.rs`). Facts that cost much and say nothing once pages are
//! compared are left out: what ConEx takes for content, single names, headings, words of the title.
//!
//! Two rules temper the sum. Elements without text that stand together and are alike are no witnesses of each other: thirty line breaks in an article would
//! outvote its text, and did on one news page of ten; together they say as much as one, the rest being [`neutral`]. And nothing inside code speaks for template: its
//! tokens and line numbers recur on all pages with code.

use crate::learned::comparison::{Comparison, Found, Place};
use crate::learned::key_numbers::KeyNumbers;
use crate::learned::page_keys::PageKeys;
use std::ops::Range;
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_page::learned::inside::Inside;
use unchaff_page::learned::name_families::{Families, NameFamilies};
use unchaff_page::learned::small_logs::{ln, ln_1p};

/// Log-odds of a child that is no template below a parent that is, all evidence aside.
pub const LEAVE: f64 = -1.44;
/// Log-odds of a child that is template below a parent that is none.
pub const BACK: f64 = -5.05;
/// What speaks for template of `body`, which all pages have. Left to its own evidence it could fall with a flat page's content, and all of the frame with it.
pub const BODY: f64 = 20.0;

macro_rules! facts {
    ($($name:ident $text:literal $weight:literal,)*) => {
        #[derive(Clone, Copy)]
        #[allow(dead_code, reason = "of the facts about places only the first is named")]
        enum Fact { $($name),* }

        /// The facts with their names and weights.
        pub const FACTS: [(&str, f64); [$($text),*].len()] = [$(($text, $weight)),*];
    };
}

facts! {
    Always "any element" -0.04,
    TextIs "text: is" -0.11,
    TextPlaceShared "text: place shared" -0.24,
    TextPlaceUnknown "text: place unknown" 0.55,
    TextPlaceVaries "text: place varies" -0.22,
    TextPlaceInBest "text: place on the most similar" -0.23,
    TextPlaceRepeats "text: place repeats" 0.13,
    TextPlaceAsOften "text: place as often" 0.22,
    WrapperIs "wrapper: is" -0.09,
    WrapperPlaceShared "wrapper: place shared" -0.14,
    WrapperPlaceUnknown "wrapper: place unknown" 0.17,
    WrapperPlaceVaries "wrapper: place varies" -0.27,
    WrapperPlaceInBest "wrapper: place on the most similar" -0.07,
    WrapperPlaceRepeats "wrapper: place repeats" -0.32,
    WrapperPlaceAsOften "wrapper: place as often" 0.13,
    NoTextIs "no text: is" 0.15,
    NoTextPlaceShared "no text: place shared" 0.40,
    NoTextPlaceUnknown "no text: place unknown" -0.20,
    NoTextPlaceVaries "no text: place varies" -0.51,
    NoTextPlaceInBest "no text: place on the most similar" 0.22,
    NoTextPlaceRepeats "no text: place repeats" 0.00,
    NoTextPlaceAsOften "no text: place as often" 0.52,
    TextShared "text shared" 0.20,
    TextSharedByRepeats "text shared by repeats" 0.53,
    TextOnNearlyAll "text on nearly all" 0.52,
    TextUnknown "text unknown" -0.16,
    TextUnknownByWords "text unknown by words" -0.32,
    FoldedShared "folded text shared" 0.15,
    FoldedUnknown "folded text unknown" -0.16,
    TextInBest "text on the most similar" 0.35,
    TextNotInBest "text not on the most similar" -0.44,
    TextRepeats "text repeats" -0.53,
    TextWherePlaced "text where its place is" 0.22,
    TextNotWherePlaced "text not where its place is" -0.13,
    LinkShared "link target shared" 0.36,
    LinkUnknown "link target unknown" -0.30,
    LinkAndText "link shared" 0.33,
    DigitsDiffer "digits differ" -0.42,
    WholeShared "whole text shared" 0.23,
    WholeOnMost "whole text on most" 0.23,
    WholeUnknown "whole text unknown" -0.03,
    WholeWherePlaced "whole text where its place is" 0.29,
    NothingInside "nothing inside shared" -0.27,
    LittleInside "little inside shared" 0.06,
    NearlyAllInside "nearly all inside shared" 0.20,
    NewInside "words inside not shared" 0.09,
    MostOfNew "most words that are not shared" 0.30,
    StrangeInside "strange places inside" 0.28,
    ShareInside "share inside" 0.06,
    InsideWherePlaced "share inside where places are" 0.12,
    ReferenceShared "reference shared" 0.59,
    ReferenceWherePlaced "reference where its place is" 0.41,
    ReferenceUnknown "reference unknown" -0.63,
    ShareAround "share around" 0.27,
    NothingAround "nothing around shared" -0.01,
    InMostOfNew "in the least part with most of them" -0.42,
    InArticle "in an article" -0.40,
    InContent "in named content" 0.03,
    InNavigation "in navigation" 0.52,
    InHead "in a head" 0.09,
    InFoot "in a foot" 0.46,
    InSide "beside the content" 0.40,
    InForm "in a form" 0.81,
    InRelated "in named related" -0.10,
    InShare "in named share" 1.00,
    InnerLandmark "landmark inside a post" 0.86,
    Field "form field" 1.05,
    Hidden "script or style" 0.58,
    OwnWords "own words" -0.20,
    OwnProse "own prose" -0.19,
    LinkDensity "link density" -0.10,
    Start "start of the page" 0.35,
    End "end of the page" 0.35,
    Siblings "like its siblings" 0.08,
    Depth "depth" -0.20,
}

/// The facts about one element.
pub type Facts = [f32; FACTS.len()];

const WEIGHTS: Facts = {
    let mut weights = [0.0; FACTS.len()];
    let mut at = 0;
    while at < weights.len() {
        weights[at] = FACTS[at].1 as f32;
        at += 1;
    }
    weights
};

/// The evidence that facts add up to; in eight sums at once, which processors do side by side.
#[derive(Default)]
struct Evidence([f32; 8]);

impl Evidence {
    /// Takes a fact in; those that do not hold need not be taken.
    #[inline]
    fn add(&mut self, at: usize, fact: f32) {
        self.0[at % 8] += fact * WEIGHTS[at];
    }

    fn sum(&self) -> f64 {
        f64::from(self.0.iter().sum::<f32>())
    }
}

/// What is known of an element beside its facts.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Whether it stands inside code.
    pub in_code: bool,
    /// Of an element without text, how many of its parent's children are such, of its tag and class; 1 of others.
    pub alike: u32,
}

/// What each element says for (positive) or against template on its own, in log-odds.
pub(crate) fn evidence_of(page: &Page, keys: &PageKeys, names: &NameFamilies, comparison: &Comparison<'_>) -> Vec<f64> {
    let survey = Survey::of(page, keys, names, comparison);
    let neutral = neutral(LEAVE, BACK);
    // Most elements stand in the same as their parents.
    let mut around: Vec<f32> = Vec::with_capacity(keys.len());
    let evidence = |at: usize| {
        let (inside, above) = (survey.inside[at], keys.parents[at] as usize);
        let weight = match around.get(above) {
            Some(weight) if survey.inside[above] == inside => *weight,
            _ => facts_of(inside).map(|fact| WEIGHTS[fact]).sum(),
        };
        around.push(weight);
        let mut evidence = Evidence::default();
        survey.describe(at, |fact, value| evidence.add(fact, value));
        tempered(evidence.sum() + f64::from(weight), neutral, survey.standing(at))
    };
    let mut all: Vec<f64> = (0..keys.len()).map(evidence).collect();
    all.iter_mut().take(1).for_each(|body| *body = BODY);
    all
}

/// Visits all elements of a page with the facts about them.
pub fn survey(
    page: &Page,
    keys: &PageKeys,
    names: &NameFamilies,
    comparison: &Comparison<'_>,
    mut visit: impl FnMut(&Facts, Standing),
) {
    let survey = Survey::of(page, keys, names, comparison);
    for at in 0..keys.len() {
        let mut facts: Facts = [0.0; FACTS.len()];
        survey.describe(at, |fact, value| facts[fact] = value);
        facts_of(survey.inside[at]).for_each(|fact| facts[fact] = 1.0);
        visit(&facts, survey.standing(at));
    }
}

/// The evidence of an element that says nothing of its parent. That is not 0, for coming back to the template costs more than leaving it: an element of which nothing is known
/// speaks for template by being there.
#[must_use]
pub fn neutral(leave: f64, back: f64) -> f64 {
    let rest = |price: f64| (1.0 - price.exp()).max(1e-3);
    (rest(leave) / rest(back)).ln()
}

/// What the evidence of an element is worth; see the [module](self).
#[must_use]
pub fn tempered(evidence: f64, neutral: f64, standing: Standing) -> f64 {
    match standing {
        Standing { in_code: true, .. } => evidence.min(neutral),
        Standing { alike: 1, .. } => evidence,
        Standing { alike, .. } => neutral + (evidence - neutral) / f64::from(alike),
    }
}

/// What is found again below an element, itself included.
#[derive(Clone, Copy, Default)]
struct Below {
    /// Words of text that recurs, by share, and of all text.
    found: f32,
    /// The same by share of the pages that have its place.
    found_where_placed: f32,
    words: f32,
    /// Elements in places that hardly any other page has, and all.
    strange: f32,
    elements: f32,
}

impl Below {
    fn of_all(keys: &PageKeys, comparison: &Comparison<'_>) -> Vec<Below> {
        let mut all = vec![Below::default(); keys.len()];
        for at in (0..keys.len()).rev() {
            let mut below = all[at];
            if keys.keys[at].text != 0 {
                // Text without a word, such as an arrow, still counts for something.
                let words = (keys.words[at] as f32).max(0.5);
                below.words += words;
                let found = comparison.found(at);
                below.found += words * found.text;
                below.found_where_placed += words * found.text_where_placed;
            }
            below.elements += 1.0;
            below.strange += yes(comparison.place(at).share < 0.2);
            all[at] = below;
            if at > 0 {
                let parent = &mut all[keys.parents[at] as usize];
                parent.words += below.words;
                parent.found += below.found;
                parent.found_where_placed += below.found_where_placed;
                parent.strange += below.strange;
                parent.elements += below.elements;
            }
        }
        all
    }

    /// Words of text that does not recur.
    fn own_words(&self) -> f32 {
        self.words - self.found
    }

    /// The share of words that recur; none if there are no words.
    fn share(&self) -> Option<f32> {
        (self.words > 0.0).then(|| self.found / self.words)
    }
}

/// What holds is 1, the rest 0; chosen and not computed, so that a product with a weight is a choice as well.
#[inline]
fn yes(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}

/// The numbers of the facts that surroundings are.
fn facts_of(inside: Inside) -> impl Iterator<Item = usize> {
    const FIRST: usize = Fact::InArticle as usize;
    const LAST: usize = Fact::InnerLandmark as usize;
    (FIRST..=LAST).filter(move |fact| inside.bits() >> (fact - FIRST) & 1 == 1)
}

/// Which elements have text that stands elsewhere too, whatever is around it.
fn repeats(keys: &PageKeys) -> Vec<bool> {
    let mut repeats = vec![false; keys.len()];
    let mut numbers = KeyNumbers::for_keys(keys.texts.len());
    // The first element with each text.
    let mut firsts: Vec<u32> = Vec::with_capacity(keys.texts.len());
    for (element, text) in &keys.texts {
        let number = numbers.number(*text) as usize;
        match firsts.get(number) {
            Some(first) if first != element => {
                repeats[*first as usize] = true;
                repeats[*element as usize] = true;
            }
            Some(_) => {}
            None => firsts.push(*element),
        }
    }
    repeats
}

/// Prose is text of at least so many words outside links.
const PROSE: u32 = 8;

/// What has to be known of a page before its elements can be described.
struct Survey<'p> {
    page: &'p Page,
    keys: &'p PageKeys,
    comparison: &'p Comparison<'p>,
    /// `body`, its depth, and how many nodes it has.
    body: NodeId,
    depth: usize,
    nodes: f32,
    below: Vec<Below>,
    inside: Vec<Inside>,
    /// Words that do not recur.
    all_new: f32,
    /// What stands in the least element with most words that do not recur.
    most_of_new: Range<usize>,
    /// Whether a text of each element stands elsewhere too.
    repeats: Vec<bool>,
    /// Children of one parent with the same tag and class are a group: that of each element, and how many are in each.
    group_of: Vec<u32>,
    groups: Vec<u32>,
}

impl<'p> Survey<'p> {
    fn of(page: &'p Page, keys: &'p PageKeys, names: &NameFamilies, comparison: &'p Comparison<'_>) -> Survey<'p> {
        let below = Below::of_all(keys, comparison);
        let all_new = below.first().map_or(0.0, Below::own_words);
        let least = below.iter().rposition(|below| below.own_words() > 0.5 * all_new).unwrap_or(0);
        let most_of_new = least + 1..least + below.get(least).map_or(0, |below| below.elements as usize);
        let mut inside = vec![Inside::default(); keys.len()];
        let (mut group_of, mut groups) = (vec![0; keys.len()], Vec::with_capacity(keys.len()));
        // The last group in each place, and its parent: children of one parent in one place come one after the other among all that stand there.
        let mut last = vec![(u32::MAX, 0); comparison.places()];
        for (at, (node, parent)) in keys.nodes.iter().zip(&keys.parents).enumerate() {
            // The names of `body` speak of the page.
            let families = if at == 0 { Families::default() } else { names.at(*node) };
            inside[at] = Inside::of(page, *node, families, inside[*parent as usize]);
            let last = &mut last[comparison.place_of(at)];
            if last.0 != *parent {
                *last = (*parent, groups.len() as u32);
                groups.push(0);
            }
            groups[last.1 as usize] += 1;
            group_of[at] = last.1;
        }
        let body = keys.nodes.first().copied().unwrap_or(page.root());
        Survey {
            page,
            keys,
            comparison,
            body,
            depth: page.depth(body),
            nodes: page.range(body).len() as f32,
            below,
            all_new,
            most_of_new,
            inside,
            repeats: repeats(keys),
            group_of,
            groups,
        }
    }

    fn standing(&self, at: usize) -> Standing {
        let above = self.inside[self.keys.parents[at] as usize];
        Standing {
            in_code: at > 0 && above.has(Inside::CODE),
            alike: if self.below[at].words > 0.0 { 1 } else { self.groups[self.group_of[at] as usize] },
        }
    }

    /// Tells the facts about one element that hold, by number, apart from what it stands in.
    #[inline]
    fn describe(&self, at: usize, mut tell: impl FnMut(usize, f32)) {
        let mut hold = |fact: Fact, value: f32| tell(fact as usize, value);
        let (page, keys, below) = (self.page, self.keys, &self.below[at]);
        let (node, own, words) = (keys.nodes[at], keys.keys[at], keys.words[at]);
        let Found { text, folded, text_in_best, folded_in_best, here, reference, whole, .. } = *self.comparison.found(at);
        let Found { text_where_placed, reference_where_placed, whole_where_placed, .. } = *self.comparison.found(at);
        let refers = own.reference != 0;
        hold(Fact::Always, 1.0);
        let kind;
        if own.text != 0 {
            kind = Fact::TextIs;
            let is_new = yes(text == 0.0);
            hold(Fact::TextShared, text);
            hold(Fact::TextSharedByRepeats, text / here as f32);
            hold(Fact::TextOnNearlyAll, yes(text > 0.9));
            hold(Fact::TextUnknown, is_new);
            hold(Fact::TextUnknownByWords, is_new * ln_1p(words));
            hold(Fact::FoldedShared, folded);
            hold(Fact::FoldedUnknown, yes(folded == 0.0));
            hold(Fact::TextInBest, yes(text_in_best));
            hold(Fact::TextNotInBest, yes(!folded_in_best));
            hold(Fact::TextRepeats, yes(self.repeats[at]));
            hold(Fact::TextWherePlaced, text_where_placed);
            hold(Fact::TextNotWherePlaced, yes(text_where_placed == 0.0));
            if refers {
                hold(Fact::LinkShared, reference);
                hold(Fact::ReferenceWherePlaced, reference_where_placed);
                hold(Fact::LinkUnknown, yes(reference == 0.0));
                hold(Fact::LinkAndText, yes(reference > 0.5 && text > 0.5));
            }
            hold(Fact::DigitsDiffer, (folded - text).max(0.0));
            hold(Fact::OwnWords, ln_1p(words));
            hold(Fact::OwnProse, if words >= PROSE && page.tag(node) != Tag::A { ln_1p(words) } else { 0.0 });
        } else if let Some(share) = below.share() {
            kind = Fact::WrapperIs;
            hold(Fact::WholeShared, whole);
            hold(Fact::WholeOnMost, yes(whole > 0.7));
            hold(Fact::WholeUnknown, yes(whole == 0.0));
            hold(Fact::WholeWherePlaced, whole_where_placed);
            hold(Fact::NothingInside, yes(share < 0.03));
            hold(Fact::LittleInside, yes(share < 0.3));
            hold(Fact::NearlyAllInside, yes(share > 0.9));
            hold(Fact::NewInside, below.own_words().ln_1p());
            hold(Fact::MostOfNew, yes(below.own_words() > 0.5 * self.all_new));
            hold(Fact::StrangeInside, below.strange / below.elements);
            hold(Fact::ShareInside, share);
            hold(Fact::InsideWherePlaced, below.found_where_placed / below.words);
        } else {
            kind = Fact::NoTextIs;
            if refers {
                hold(Fact::ReferenceShared, reference);
                hold(Fact::ReferenceWherePlaced, reference_where_placed);
                hold(Fact::ReferenceUnknown, yes(reference == 0.0));
            }
        }
        let Place { share: shared, in_best, repeats, varies, as_often, .. } = *self.comparison.place(at);
        let place = [1.0, shared, yes(shared == 0.0), varies, yes(in_best), repeats, as_often];
        let around = if at == 0 { None } else { self.below[keys.parents[at] as usize].share() };
        hold(Fact::ShareAround, around.unwrap_or(0.5));
        hold(Fact::NothingAround, yes(around.is_some_and(|share| share < 0.03)));
        hold(Fact::InMostOfNew, yes(self.most_of_new.contains(&at)));
        use Tag::*;
        let tag = page.tag(node);
        hold(Fact::Field, yes(matches!(tag, Form | Input | Select | Textarea | Button | Label | Fieldset | Option)));
        hold(Fact::Hidden, yes(matches!(tag, Script | Style | Link | Meta | Noscript | Template)));
        let counts = page.counts(node);
        hold(Fact::LinkDensity, counts.link_chars as f32 / counts.chars.max(1) as f32);
        let position = (node.0 - self.body.0) as f32 / self.nodes;
        hold(Fact::Start, (1.0 - 8.0 * position).max(0.0));
        hold(Fact::End, (8.0 * position - 7.0).max(0.0));
        hold(Fact::Depth, (page.depth(node) - self.depth).min(20) as f32 / 20.0);
        hold(Fact::Siblings, ln(self.groups[self.group_of[at] as usize]));
        match kind {
            Fact::TextIs => tell_place::<{ Fact::TextIs as usize }>(place, tell),
            Fact::WrapperIs => tell_place::<{ Fact::WrapperIs as usize }>(place, tell),
            _ => tell_place::<{ Fact::NoTextIs as usize }>(place, tell),
        }
    }
}

/// Tells the facts about a place. The number of the first is known when this is compiled, or the sums that facts are added to would have to be in memory.
#[inline]
fn tell_place<const FIRST: usize>(place: [f32; 7], mut tell: impl FnMut(usize, f32)) {
    place.into_iter().enumerate().for_each(|(fact, value)| tell(FIRST + fact, value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteModel;
    use crate::learned::comparison::Company;
    use unchaff_dom::Page;
    use unchaff_page::learned::tree_labelling::marginals;

    fn evidence(facts: &Facts) -> f64 {
        let mut evidence = Evidence::default();
        facts.iter().enumerate().for_each(|(at, fact)| evidence.add(at, *fact));
        evidence.sum()
    }

    #[test]
    fn evidence_is_the_sum_of_facts_by_weight() {
        let facts: Facts = std::array::from_fn(|at| (at % 5) as f32 / 4.0);
        let expected: f64 = facts.iter().zip(FACTS).map(|(fact, (_, weight))| f64::from(*fact) * weight).sum();
        assert!((evidence(&facts) - expected).abs() < 1e-4);
    }

    #[test]
    fn line_breaks_do_not_outvote_the_text_between_them() {
        let html = |word: &str| {
            let lines: String = (0..40).map(|line| format!("{word} and {word} again in line {line} {word}<br><br>")).collect();
            Page::parse(format!(
                "<div class=top>Welcome to all</div><table><tr><td class=story>{lines}</table><p class=foot>All rights reserved</p>"
            ))
        };
        let model = SiteModel::learn(&["river", "bridge", "mayor"].map(html));
        let page = html("harbour");
        let (keys, names) = (PageKeys::of(&page), NameFamilies::of(&page));
        let applied = model.compare(&keys, &Company::default()).apply(&page, &keys, &names, 0.6);
        let is_template = |tag: &str| {
            let at = keys.nodes.iter().position(|node| page.name(*node) == tag).unwrap();
            applied.nodes.contains(keys.nodes[at])
        };
        assert!(!is_template("td") && !is_template("br") && is_template("div") && is_template("p"));
    }

    #[test]
    fn what_is_neutral_changes_nothing_around_it() {
        let of_parent = |children: usize| {
            let evidence: Vec<f64> = [0.7].into_iter().chain(vec![neutral(LEAVE, BACK); children]).collect();
            marginals(&vec![0; children + 1], &evidence, LEAVE, BACK)[0]
        };
        assert!((of_parent(0) - of_parent(100)).abs() < 1e-6);
    }

    #[test]
    fn nothing_inside_code_speaks_for_template() {
        let page = Page::parse("<pre><code><span>let</span></code></pre><p>let</p>");
        let mut inside = Vec::new();
        let model = SiteModel::learn(&[Page::parse("<pre>let</pre>")]);
        let keys = PageKeys::of(&page);
        let comparison = model.compare(&keys, &Company::default());
        survey(&page, &keys, &NameFamilies::of(&page), &comparison, |_, standing| inside.push(standing.in_code));
        assert_eq!(inside, [false, false, true, true, false]);
        let worth = |evidence: f64, in_code: bool| tempered(evidence, -0.5, Standing { in_code, alike: 1 });
        assert_eq!([worth(2.0, true), worth(-2.0, true), worth(2.0, false)], [-0.5, -2.0, 2.0]);
    }

    #[test]
    fn every_element_has_one_row_and_shared_text_speaks_for_template() {
        let html = |text: &str| Page::parse(format!("<div class=top>Welcome to all</div><p>{text} and so on and on</p>"));
        let model = SiteModel::learn(&["one", "two", "three"].map(html));
        let page = html("four");
        let keys = PageKeys::of(&page);
        let mut found = Vec::new();
        let comparison = model.compare(&keys, &Company::default());
        let names = NameFamilies::of(&page);
        survey(&page, &keys, &names, &comparison, |facts, standing| {
            found.push(tempered(evidence(facts), neutral(LEAVE, BACK), standing));
        });
        let added = evidence_of(&page, &keys, &names, &comparison);
        // All pages have the first, `body`.
        assert!((found.len(), added.len(), added[0]) == (3, 3, BODY), "{found:?} {added:?}");
        assert!(found.iter().zip(&added).skip(1).all(|(one, other)| (one - other).abs() < 1e-5), "{found:?} {added:?}");
        assert!(found[1] > found[2]);
    }
}
