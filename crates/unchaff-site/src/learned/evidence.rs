//! What single elements say for or against being template, when the page is compared with others.
//!
//! Each element has a row of plain facts. Those of the first list come from the comparison: how many similar pages have its
//! text, its references, its place, and how often. What they mean depends on whether an element has text of its own, wraps text of
//! others, or has none, so places are looked at apart. Those of the second are what
//! `template-page` knows of the page alone ([`unchaff_page::learned::template_evidence`]). The sum by weight is the evidence in log-odds.
//! The weights, with the two prices of changing between parent and child, are those of a conditional random field on the
//! tree of elements, fitted to the labelled pages of 40 sites with a quadratic penalty (`examples/fit_template.rs`).

use crate::learned::comparison::{Comparison, Place};
use crate::learned::page_keys::{ElementKeys, PageKeys};
use unchaff_dom::Page;
use unchaff_page::learned::name_families::NameFamilies;
use unchaff_page::learned::template_evidence as page_evidence;
use unchaff_page::published::conex::Conex;

/// Log-odds of a child that is no template below a parent that is, all evidence aside.
pub const LEAVE: f64 = -1.60;
/// Log-odds of a child that is template below a parent that is none.
pub const BACK: f64 = -5.01;

/// The facts from the comparison, with their weights.
pub const COMPARED: [(&str, f64); 48] = [
    ("any element", -0.05),
    ("text: is", -0.10),
    ("text: place shared", -0.16),
    ("text: place unknown", 0.44),
    ("text: place varies", -0.30),
    ("text: place on the most similar", -0.18),
    ("text: place repeats", 0.19),
    ("text: place as often", 0.07),
    ("wrapper: is", -0.07),
    ("wrapper: place shared", -0.04),
    ("wrapper: place unknown", 0.28),
    ("wrapper: place varies", -0.09),
    ("wrapper: place on the most similar", -0.09),
    ("wrapper: place repeats", -0.32),
    ("wrapper: place as often", 0.05),
    ("no text: is", 0.06),
    ("no text: place shared", 0.44),
    ("no text: place unknown", -0.29),
    ("no text: place varies", -0.19),
    ("no text: place on the most similar", 0.13),
    ("no text: place repeats", 0.04),
    ("no text: place as often", 0.26),
    ("text shared", 0.21),
    ("text shared by repeats", 0.53),
    ("text on nearly all", 0.54),
    ("text unknown", -0.25),
    ("text unknown by words", -0.37),
    ("folded text shared", 0.17),
    ("folded text unknown", -0.25),
    ("text on the most similar", 0.31),
    ("text not on the most similar", -0.40),
    ("link target shared", 0.45),
    ("link target unknown", -0.35),
    ("link shared", 0.42),
    ("digits differ", -0.36),
    ("whole text shared", 0.21),
    ("whole text on most", 0.25),
    ("whole text unknown", -0.01),
    ("nothing inside shared", -0.16),
    ("little inside shared", 0.07),
    ("nearly all inside shared", 0.29),
    ("words inside not shared", 0.13),
    ("strange places inside", 0.14),
    ("share inside", 0.09),
    ("reference shared", 0.72),
    ("reference unknown", -0.60),
    ("share around", 0.29),
    ("nothing around shared", -0.10),
];

/// The weights of the facts about the page alone. Single names and the first heading mean little once pages are compared.
pub const ALONE: [f64; page_evidence::FACTS.len()] = [
    -0.05, 1.01, 0.56, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, -0.40, -0.08, 0.49, 0.15,
    0.51, 0.41, 0.82, -0.20, 0.89, 0.97, -0.20, -0.18, 0.02, -0.06, -0.29, 0.22, 0.49, 0.42, -0.28, 0.09, -0.47, 0.00, -0.59,
    0.00,
];

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
pub(crate) fn evidence(facts: &Facts) -> f64 {
    let mut sums = [0.0f32; 8];
    for (at, (fact, weight)) in facts.iter().zip(&WEIGHTS).enumerate() {
        sums[at % 8] += fact * weight;
    }
    sums.iter().map(|sum| f64::from(*sum)).sum()
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
    let shared: Vec<Shared> = keys.keys.iter().map(|own| Shared::of(own, comparison)).collect();
    let below = Below::of(keys, &shared);
    let mut at = 0;
    page_evidence::survey(page, body, &Conex::default().analyse(page), names, |_, alone| {
        let mut facts: Facts = [0.0; COMPARED.len() + ALONE.len()];
        compare(keys, comparison, &shared[at], &below, at, &mut facts);
        facts[COMPARED.len()..].copy_from_slice(alone);
        visit(at, &facts);
        at += 1;
    });
}

/// What other pages have of each element: looked up once.
#[derive(Clone, Copy)]
struct Shared {
    /// Its text, or with other digits or class, which counts somewhat less.
    text: f32,
    folded: f32,
    text_in_best: bool,
    folded_in_best: bool,
    reference: f32,
    whole: f32,
    place: Place,
}

impl Shared {
    fn of(own: &ElementKeys, comparison: &Comparison<'_>) -> Shared {
        let (exact, text_in_best) = comparison.share(own.text);
        let (folded, folded_in_best) = comparison.share(own.folded_text);
        Shared {
            text: exact.max(0.8 * folded),
            folded,
            text_in_best,
            folded_in_best,
            reference: comparison.share(own.reference).0,
            // It matters only where an element wraps text of others.
            whole: if own.text != 0 { 0.0 } else { comparison.share(own.whole).0 },
            place: comparison.paths.get(&own.path).copied().unwrap_or_default(),
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
    fn of(keys: &PageKeys, shared: &[Shared]) -> Below {
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

fn compare(keys: &PageKeys, comparison: &Comparison<'_>, shared: &Shared, below: &Below, at: usize, facts: &mut Facts) {
    let own = keys.keys[at];
    let has_text = own.text != 0;
    let wraps = !has_text && below.words[at] > 0.0;
    let mut next = 0;
    let mut push = |value: f32| {
        facts[next] = value;
        next += 1;
    };
    let Place { share: place, in_best, here, range, .. } = shared.place;
    let (varies, stable) = match range {
        Some((least, most)) => {
            ((most.max(here) as f32 / least.min(here).max(1) as f32).ln().min(3.0), least == most && least == here)
        }
        None => (1.0, false),
    };
    push(1.0);
    for is in [has_text, wraps, !has_text && !wraps] {
        let is = yes(is);
        for value in [1.0, place, yes(place == 0.0), varies, yes(in_best), (here as f32).ln(), yes(stable)] {
            push(is * value);
        }
    }
    let refers = own.reference != 0;
    let Shared { text, folded, text_in_best, folded_in_best, reference, whole, .. } = *shared;
    let is = yes(has_text);
    let here = if has_text { comparison.texts.get(&own.folded_text).map_or(1, |text| text.here) as f32 } else { 1.0 };
    let link = has_text && refers;
    for value in [
        text,
        text / here,
        yes(text > 0.9),
        yes(text == 0.0),
        yes(text == 0.0) * (keys.words[at] as f32).ln_1p(),
        folded,
        yes(folded == 0.0),
        yes(text_in_best),
        yes(!folded_in_best),
        yes(link) * reference,
        yes(link && reference == 0.0),
        yes(link && reference > 0.5 && text > 0.5),
        (folded - text).max(0.0),
    ] {
        push(is * value);
    }
    let is = yes(wraps);
    let share = below.share(at).unwrap_or(0.0);
    for value in [
        whole,
        yes(whole > 0.7),
        yes(whole == 0.0),
        yes(share < 0.03),
        yes(share < 0.3),
        yes(share > 0.9),
        (below.words[at] - below.found[at]).ln_1p(),
        below.strange[at] / below.elements[at],
        share,
    ] {
        push(is * value);
    }
    let is = yes(!has_text && !wraps && refers);
    push(is * reference);
    push(is * yes(reference == 0.0));
    let around = if at == 0 { None } else { below.share(keys.parents[at] as usize) };
    push(around.unwrap_or(0.5));
    push(yes(around.is_some_and(|share| share < 0.03)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteModel;
    use crate::learned::comparison::Company;
    use unchaff_dom::Page;

    #[test]
    fn evidence_is_the_sum_of_facts_by_weight() {
        let facts: Facts = std::array::from_fn(|at| (at % 5) as f32 / 4.0);
        let weights = COMPARED.iter().map(|fact| fact.1).chain(ALONE);
        let expected: f64 = facts.iter().zip(weights).map(|(fact, weight)| f64::from(*fact) * weight).sum();
        assert!((evidence(&facts) - expected).abs() < 1e-4);
    }

    #[test]
    fn every_element_has_one_row_and_shared_text_speaks_for_template() {
        let html = |text: &str| Page::parse(format!("<div class=top>Welcome to all</div><p>{text} and so on and on</p>"));
        let model = SiteModel::learn(&["one", "two", "three"].map(html));
        let page = html("four");
        let keys = PageKeys::of(&page);
        let mut found = Vec::new();
        let comparison = model.compare(&page, &keys, &Company::default());
        survey(&page, &keys, &NameFamilies::of(&page), &comparison, |at, facts| found.push((at, evidence(facts))));
        assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(found[1].1 > found[2].1);
    }
}
