//! What single elements say for or against being template, when the page is compared with others.
//!
//! Each element has a row of plain facts. Those of the first list come from the comparison: how many similar pages have its
//! text, its references, its place, and how often. What they mean depends on whether an element has text of its own, wraps text of
//! others, or has none, so places are looked at apart. Those of the second are what
//! `template-page` knows of the page alone ([`unchaff_page::learned::template_evidence`]). The sum by weight is the evidence in log-odds.
//! The weights, with the two prices of changing between parent and child, are those of a conditional random field on the
//! tree of elements, fitted to the labelled pages of 40 sites with a quadratic penalty (`examples/fit_template.rs`).
//!
//! Two rules temper the sum. Elements without text that stand together and are alike are no witnesses of each other: thirty line breaks in an article would
//! outvote its text, and did on one news page of ten; together they say as much as one, the rest being [`neutral`]. And nothing inside code speaks for template: its
//! tokens and line numbers recur on all pages with code.

use crate::learned::comparison::{Comparison, Place};
use crate::learned::page_keys::{ElementKeys, PageKeys};
use unchaff_dom::{Page, Tag};
use unchaff_page::learned::name_families::NameFamilies;
use unchaff_page::learned::small_logs::ln_1p;
use unchaff_page::learned::template_evidence as page_evidence;
use unchaff_page::published::conex::Conex;

/// Log-odds of a child that is no template below a parent that is, all evidence aside.
pub const LEAVE: f64 = -1.55;
/// Log-odds of a child that is template below a parent that is none.
pub const BACK: f64 = -5.09;

/// The facts from the comparison, with their weights.
pub const COMPARED: [(&str, f64); 48] = [
    ("any element", -0.02),
    ("text: is", -0.10),
    ("text: place shared", -0.21),
    ("text: place unknown", 0.46),
    ("text: place varies", -0.25),
    ("text: place on the most similar", -0.18),
    ("text: place repeats", 0.14),
    ("text: place as often", 0.26),
    ("wrapper: is", -0.05),
    ("wrapper: place shared", -0.11),
    ("wrapper: place unknown", 0.13),
    ("wrapper: place varies", -0.29),
    ("wrapper: place on the most similar", -0.03),
    ("wrapper: place repeats", -0.33),
    ("wrapper: place as often", 0.18),
    ("no text: is", 0.11),
    ("no text: place shared", 0.32),
    ("no text: place unknown", -0.08),
    ("no text: place varies", -0.63),
    ("no text: place on the most similar", 0.25),
    ("no text: place repeats", -0.02),
    ("no text: place as often", 0.49),
    ("text shared", 0.19),
    ("text shared by repeats", 0.53),
    ("text on nearly all", 0.52),
    ("text unknown", -0.18),
    ("text unknown by words", -0.34),
    ("folded text shared", 0.15),
    ("folded text unknown", -0.18),
    ("text on the most similar", 0.39),
    ("text not on the most similar", -0.49),
    ("link target shared", 0.47),
    ("link target unknown", -0.37),
    ("link shared", 0.42),
    ("digits differ", -0.43),
    ("whole text shared", 0.24),
    ("whole text on most", 0.22),
    ("whole text unknown", -0.09),
    ("nothing inside shared", -0.23),
    ("little inside shared", 0.05),
    ("nearly all inside shared", 0.23),
    ("words inside not shared", 0.12),
    ("strange places inside", 0.37),
    ("share inside", 0.09),
    ("reference shared", 0.58),
    ("reference unknown", -0.59),
    ("share around", 0.28),
    ("nothing around shared", -0.05),
];

/// The weights of the facts about the page alone. Single names and the first heading mean little once pages are compared.
pub const ALONE: [f64; page_evidence::FACTS.len()] = [
    -0.02, 1.04, 0.59, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, -0.36, -0.01, 0.48, 0.12,
    0.48, 0.42, 0.83, -0.19, 0.94, 0.83, -0.18, -0.20, 0.08, -0.09, -0.35, 0.26, 0.38, 0.41, -0.22, 0.09, -0.58, 0.00, -0.59,
    0.00,
];

/// The fact that an element has no text, of its own or of others.
const NO_TEXT: usize = 15;

/// The facts about one element: those of the comparison, then those about the page alone.
pub type Facts = [f32; COMPARED.len() + ALONE.len()];

/// All weights in the order of the facts.
const WEIGHTS: Facts = {
    let mut weights = [0.0; COMPARED.len() + ALONE.len()];
    let mut at = 0;
    while at < weights.len() {
        weights[at] = if at < COMPARED.len() { COMPARED[at].1 } else { ALONE[at - COMPARED.len()] } as f32;
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

    fn add_alone(&mut self, facts: &page_evidence::Facts) {
        for (facts, weights) in facts.chunks_exact(8).zip(WEIGHTS[COMPARED.len()..].chunks_exact(8)) {
            for lane in 0..8 {
                self.0[lane] += facts[lane] * weights[lane];
            }
        }
    }

    fn sum(&self) -> f64 {
        self.0.iter().map(|sum| f64::from(*sum)).sum()
    }
}

// Both lists fill whole rounds of the sums.
const _: () = assert!(COMPARED.len().is_multiple_of(8) && ALONE.len().is_multiple_of(8));

/// What each element says for (positive) or against template on its own, in log-odds.
pub(crate) fn evidence_of(page: &Page, keys: &PageKeys, names: &NameFamilies, comparison: &Comparison<'_>) -> Vec<f64> {
    let Some(body) = page.body() else { return Vec::new() };
    let (shared, below) = look_up(keys, comparison);
    let (in_code, neutral) = (in_code(page, keys), neutral(LEAVE, BACK));
    let mut all = Vec::with_capacity(keys.len());
    page_evidence::survey(page, body, &Conex::default().analyse(page), names, |_, alone| {
        let at = all.len();
        let mut evidence = Evidence::default();
        compare(keys, &shared[at], &below, at, |fact, value| evidence.add(fact, value));
        evidence.add_alone(alone);
        all.push(temper(evidence.sum(), neutral, in_code[at], below.words[at] > 0.0, alone));
    });
    all
}

/// Visits all elements of a page with the facts about them.
pub fn survey(
    page: &Page,
    keys: &PageKeys,
    names: &NameFamilies,
    comparison: &Comparison<'_>,
    mut visit: impl FnMut(usize, &Facts),
) {
    let Some(body) = page.body() else { return };
    let (shared, below) = look_up(keys, comparison);
    let mut at = 0;
    page_evidence::survey(page, body, &Conex::default().analyse(page), names, |_, alone| {
        let mut facts: Facts = [0.0; COMPARED.len() + ALONE.len()];
        compare(keys, &shared[at], &below, at, |fact, value| facts[fact] = value);
        facts[COMPARED.len()..].copy_from_slice(alone);
        visit(at, &facts);
        at += 1;
    });
}

fn look_up<'c>(keys: &PageKeys, comparison: &'c Comparison<'_>) -> (Vec<Shared<'c>>, Below) {
    let shared: Vec<Shared<'_>> = keys.keys.iter().enumerate().map(|(at, own)| Shared::of(at, own, comparison)).collect();
    let below = Below::of(keys, &shared);
    (shared, below)
}

/// What other pages have of each element: looked up once.
#[derive(Clone, Copy)]
struct Shared<'c> {
    /// Its text, or with other digits or class, which counts somewhat less.
    text: f32,
    folded: f32,
    text_in_best: bool,
    folded_in_best: bool,
    /// How often the page has its text.
    here: u32,
    reference: f32,
    whole: f32,
    place: &'c Place,
}

impl<'c> Shared<'c> {
    fn of(at: usize, own: &ElementKeys, comparison: &'c Comparison<'_>) -> Shared<'c> {
        let (exact, text_in_best) = comparison.share(own.text);
        let (folded, folded_in_best, here) = comparison.text(at);
        Shared {
            text: exact.max(0.8 * folded),
            folded,
            text_in_best,
            folded_in_best,
            here,
            reference: comparison.share(own.reference).0,
            // It matters only where an element wraps text of others.
            whole: if own.text != 0 { 0.0 } else { comparison.share(own.whole).0 },
            place: comparison.place(at),
        }
    }
}

/// What is found again below each element, itself included.
struct Below {
    /// Words of text that recurs, by share, and of all text.
    found: Vec<f32>,
    words: Vec<f32>,
    /// Elements in places that hardly any other page has, and all.
    strange: Vec<f32>,
    elements: Vec<f32>,
}

impl Below {
    fn of(keys: &PageKeys, shared: &[Shared<'_>]) -> Below {
        let number = keys.len();
        let mut below =
            Below { found: vec![0.0; number], words: vec![0.0; number], strange: vec![0.0; number], elements: vec![0.0; number] };
        for at in (0..number).rev() {
            let own = keys.keys[at];
            if own.text != 0 {
                // Text without a word, such as an arrow, still counts for something.
                let words = (keys.words[at] as f32).max(0.5);
                below.words[at] += words;
                below.found[at] += words * shared[at].text;
            }
            below.elements[at] += 1.0;
            below.strange[at] += yes(shared[at].place.share < 0.2);
            if at > 0 {
                let parent = keys.parents[at] as usize;
                below.words[parent] += below.words[at];
                below.found[parent] += below.found[at];
                below.strange[parent] += below.strange[at];
                below.elements[parent] += below.elements[at];
            }
        }
        below
    }

    /// The share of words below an element that recur; none if there are no words.
    fn share(&self, at: usize) -> Option<f32> {
        (self.words[at] > 0.0).then(|| self.found[at] / self.words[at])
    }
}

fn yes(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Which elements stand inside code.
#[must_use]
pub fn in_code(page: &Page, keys: &PageKeys) -> Vec<bool> {
    let mut inside = vec![false; keys.len()];
    for at in 1..keys.len() {
        let parent = keys.parents[at] as usize;
        inside[at] = inside[parent] || matches!(page.tag(keys.nodes[parent]), Tag::Pre | Tag::Code);
    }
    inside
}

/// The evidence of an element that says nothing of its parent. That is not 0, for coming back to the template costs more than leaving it: an element of which nothing is known
/// speaks for template by being there.
#[must_use]
pub fn neutral(leave: f64, back: f64) -> f64 {
    let rest = |price: f64| (1.0 - price.exp()).max(1e-3);
    (rest(leave) / rest(back)).ln()
}

/// What the evidence of an element is worth; see the [module](self).
fn temper(evidence: f64, neutral: f64, is_in_code: bool, has_text: bool, alone: &page_evidence::Facts) -> f64 {
    match (is_in_code, has_text) {
        (true, _) => evidence.min(neutral),
        (false, true) => evidence,
        (false, false) => neutral + (evidence - neutral) / f64::from(page_evidence::alike(alone)),
    }
}

/// The same, by the facts about it.
#[must_use]
pub fn tempered(evidence: f64, neutral: f64, is_in_code: bool, facts: &Facts) -> f64 {
    let mut alone: page_evidence::Facts = [0.0; ALONE.len()];
    alone.copy_from_slice(&facts[COMPARED.len()..]);
    temper(evidence, neutral, is_in_code, facts[NO_TEXT] == 0.0, &alone)
}

/// The facts about one element that hold, in order.
#[inline]
fn compare(keys: &PageKeys, shared: &Shared<'_>, below: &Below, at: usize, mut hold: impl FnMut(usize, f32)) {
    let own = keys.keys[at];
    let has_text = own.text != 0;
    let wraps = !has_text && below.words[at] > 0.0;
    let refers = own.reference != 0;
    let Place { share: place, in_best, repeats, varies, as_often, .. } = *shared.place;
    hold(0, 1.0);
    let first = if has_text {
        1
    } else if wraps {
        8
    } else {
        NO_TEXT
    };
    for (fact, value) in [1.0, place, yes(place == 0.0), varies, yes(in_best), repeats, as_often].into_iter().enumerate() {
        hold(first + fact, value);
    }
    let Shared { text, folded, text_in_best, folded_in_best, here, reference, whole, .. } = *shared;
    if has_text {
        let is_new = yes(text == 0.0);
        hold(22, text);
        hold(23, text / here as f32);
        hold(24, yes(text > 0.9));
        hold(25, is_new);
        hold(26, is_new * ln_1p(keys.words[at]));
        hold(27, folded);
        hold(28, yes(folded == 0.0));
        hold(29, yes(text_in_best));
        hold(30, yes(!folded_in_best));
        if refers {
            hold(31, reference);
            hold(32, yes(reference == 0.0));
            hold(33, yes(reference > 0.5 && text > 0.5));
        }
        hold(34, (folded - text).max(0.0));
    } else if wraps {
        let share = below.share(at).unwrap_or(0.0);
        hold(35, whole);
        hold(36, yes(whole > 0.7));
        hold(37, yes(whole == 0.0));
        hold(38, yes(share < 0.03));
        hold(39, yes(share < 0.3));
        hold(40, yes(share > 0.9));
        hold(41, (below.words[at] - below.found[at]).ln_1p());
        hold(42, below.strange[at] / below.elements[at]);
        hold(43, share);
    } else if refers {
        hold(44, reference);
        hold(45, yes(reference == 0.0));
    }
    let around = if at == 0 { None } else { below.share(keys.parents[at] as usize) };
    hold(46, around.unwrap_or(0.5));
    hold(47, yes(around.is_some_and(|share| share < 0.03)));
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
        let weights = COMPARED.iter().map(|fact| fact.1).chain(ALONE);
        let expected: f64 = facts.iter().zip(weights).map(|(fact, weight)| f64::from(*fact) * weight).sum();
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
        let inside = in_code(&page, &PageKeys::of(&page));
        assert_eq!(inside, [false, false, true, true, false]);
        let facts: Facts = [0.0; COMPARED.len() + ALONE.len()];
        let worth = |evidence: f64, is_in_code: bool| tempered(evidence, -0.5, is_in_code, &facts);
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
        survey(&page, &keys, &names, &comparison, |at, facts| {
            found.push((at, tempered(evidence(facts), neutral(LEAVE, BACK), false, facts)));
        });
        let added = evidence_of(&page, &keys, &names, &comparison);
        assert!(found.iter().zip(&added).all(|((_, one), other)| (one - other).abs() < 1e-5), "{found:?} {added:?}");
        assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(found[1].1 > found[2].1);
    }
}
