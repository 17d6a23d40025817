//! Body text extraction: the one stretch of a page with most words in it and most tags outside it.
//!
//! A. Finn, N. Kushmerick, B. Smyth: Fact or fiction: content classification for digital libraries. DELOS workshop, 2001;
//! as restated in T. Gottron: Content Extraction. PhD thesis, Mainz 2008, §3.2.2. With *B* = 1 for a tag and 0 for a
//! word, the stretch (*i*, *j*) maximises the tags before *i*, the words from *i* to *j* and the tags after *j*. That is
//! all tags plus the largest sum of neighbours, words counting +1 and tags -1, and takes one pass; the published loops
//! are cubic. They also do not compute the formula: see [`Objective`].

use crate::parameters::choice;
use crate::registry::Entry;
use crate::views::text_selection::TextSelection;
use crate::views::token_stream::{TokenStream, Unit, token_parameters};
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use std::cmp::Reverse;
use unchaff_dom::Page;

choice! {
    /// What the stretch maximises.
    pub enum Objective {
        /// Tags outside plus words inside (the formula).
        Formula = "formula",
        /// The same, with the tokens at both ends counted as if they were outside (the published loops, whose sums
        /// include them). The words are the same unless the page has none but isolated ones.
        Printed = "printed",
    }
}

token_parameters! {
    /// Parameters of BTE.
    pub struct Params {
        /// What the stretch maximises: the formula, or what the published loops compute.
        pub objective: Objective = Objective::Formula,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Bte, Params>(
    "bte",
    BlockKind::Content,
    "the one stretch of the source with most words inside and most tags outside",
    "A. Finn, N. Kushmerick, B. Smyth: Fact or fiction: content classification for digital libraries. DELOS, 2001",
    "linear in the page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Bte {
    params: Params,
}

/// The stretch found: first and last token, and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// The first token.
    pub first: usize,
    /// The last token.
    pub last: usize,
    /// What was maximised.
    pub value: i64,
}

impl PageTechnique for Bte {
    fn name(&self) -> &'static str {
        "bte"
    }

    fn detect(&self, page: &Page) -> Detection {
        let (_, _, selection) = self.analyse(page);
        Detection::of(BlockKind::Content, selection.nodes(page))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let (stream, stretch, selection) = self.analyse(page);
        let mut explanation = Explanation::new(&["first_token", "words", "inside"]);
        if let Some(Stretch { first, last, value }) = stretch {
            explanation.notes.push(format!("tokens {first} to {last} of {}, value {value}", stream.tag_vector().len()));
        }
        let mut first_tokens = vec![u32::MAX; page.len()];
        for (token, place) in stream.places(Unit::Tokens) {
            if let Some(node) = token.text {
                first_tokens[node.index()] = first_tokens[node.index()].min(place.start);
            }
        }
        for node in selection.texts() {
            let at = node.index();
            let values = [first_tokens[at], selection.total[at], selection.selected[at]].map(f64::from);
            explanation.push(node, &values, if selection.has(node) { "content" } else { "" });
        }
        explanation
    }
}

impl From<Params> for Bte {
    fn from(params: Params) -> Bte {
        Bte { params }
    }
}

impl Bte {
    /// BTE with these parameters.
    #[must_use]
    pub fn new(params: Params) -> Bte {
        Bte::from(params)
    }

    fn analyse(&self, page: &Page) -> (TokenStream, Option<Stretch>, TextSelection) {
        let stream = TokenStream::read(page, self.params.rules());
        let stretch = best_stretch(&stream.tag_vector(), self.params.objective);
        let places: Vec<_> = stretch.iter().map(|stretch| stretch.first as u32..stretch.last as u32 + 1).collect();
        let selection = TextSelection::of(page, &stream, Unit::Tokens, &places);
        (stream, stretch, selection)
    }
}

/// The best stretch of a vector of tags (1) and words (0); of equal ones the first, then the shortest.
#[must_use]
pub fn best_stretch(tags: &[u8], objective: Objective) -> Option<Stretch> {
    let at_end = |tag: i64| if objective == Objective::Printed { tag } else { 0 };
    let all_tags: i64 = tags.iter().map(|tag| i64::from(*tag)).sum();
    let mut sum = 0;
    let mut start: Option<(i64, usize)> = None;
    let mut best: Option<(i64, Reverse<(usize, usize)>)> = None;
    for (last, tag) in tags.iter().map(|tag| i64::from(*tag)).enumerate() {
        let from_here = at_end(tag) - sum;
        let (gain, first) = start.filter(|(gain, _)| *gain >= from_here).unwrap_or((from_here, last));
        start = Some((gain, first));
        sum += 1 - 2 * tag;
        best = best.max(Some((all_tags + gain + sum + at_end(tag), Reverse((first, last)))));
    }
    best.map(|(value, Reverse((first, last)))| match value {
        // The loops start with the whole page at the value 0 and leave it for more only.
        ..=0 => Stretch { first: 0, last: tags.len() - 1, value: 0 },
        value => Stretch { first, last, value },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::emit;

    /// The definition: every stretch by its own sum.
    fn by_definition(tags: &[u8], objective: Objective) -> Option<Stretch> {
        let mut best = Stretch { first: 0, last: tags.len().checked_sub(1)?, value: 0 };
        for first in 0..tags.len() {
            for last in first..tags.len() {
                let outside: i64 = tags[..first].iter().chain(&tags[last + 1..]).map(|tag| i64::from(*tag)).sum();
                let inside: i64 = tags[first..=last].iter().map(|tag| 1 - i64::from(*tag)).sum();
                let ends = if objective == Objective::Printed { i64::from(tags[first] + tags[last]) } else { 0 };
                if outside + inside + ends > best.value {
                    best = Stretch { first, last, value: outside + inside + ends };
                }
            }
        }
        Some(best)
    }

    /// First by the formula, then by algorithm 3.1 (Gottron 2008, §3.2.2).
    #[test]
    fn vectors_have_the_stretches_computed_by_hand() {
        type Found = (usize, usize, i64);
        let vectors: [(&[u8], Found, Found); 8] = [
            (&[1, 0, 1], (1, 1, 3), (0, 0, 3)),
            (&[1, 0, 0, 1], (1, 2, 4), (0, 2, 4)),
            (&[1, 1, 0, 0, 0, 1, 0, 0, 1, 1], (2, 7, 9), (1, 7, 9)),
            (&[1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1], (5, 7, 11), (4, 7, 11)),
            (&[1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1], (1, 3, 9), (0, 3, 9)),
            (&[0, 0, 0], (0, 2, 3), (0, 2, 3)),
            (&[1, 1, 1], (0, 0, 2), (0, 0, 4)),
            (&[1], (0, 0, 0), (0, 0, 2)),
        ];
        for (tags, formula, printed) in vectors {
            for (objective, (first, last, value)) in [(Objective::Formula, formula), (Objective::Printed, printed)] {
                assert_eq!(best_stretch(tags, objective), Some(Stretch { first, last, value }), "{tags:?} {objective}");
            }
        }
        assert_eq!(best_stretch(&[], Objective::Formula), None);
    }

    #[test]
    fn one_pass_equals_the_definition_for_all_short_vectors() {
        for len in 0..=12 {
            for bits in 0u32..1 << len {
                let tags: Vec<u8> = (0..len).map(|at| (bits >> at & 1) as u8).collect();
                for objective in [Objective::Formula, Objective::Printed] {
                    assert_eq!(best_stretch(&tags, objective), by_definition(&tags, objective), "{tags:?} {objective}");
                }
            }
        }
    }

    #[test]
    fn a_page_gives_its_body_text() {
        let page = Page::parse(
            "<title>Site</title><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><p>It rained all day and <b>all</b> night long.</p>\
             <p>Then, at last, the sun came out.</p><ul><li><a href=/c>Contact</a></ul>",
        );
        let detection = Bte::default().detect(&page);
        let text = emit::text(&page, detection.nodes(BlockKind::Content).unwrap());
        assert_eq!(text, "It rained all day and all night long.\n\nThen, at last, the sun came out.\n");
        let explanation = Bte::default().explain(&page);
        assert_eq!(explanation.rows.iter().filter(|row| row.remark == "content").count(), 4);
        assert!(explanation.notes[0].starts_with("tokens 14 to "), "{:?}", explanation.notes);
    }

    /// Where words stand alone, algorithm 3.1 (Gottron 2008, §3.2.2) may return none.
    #[test]
    fn the_published_loops_lose_a_lone_word() {
        let page = Page::parse("<p>word</p>");
        let found = |objective| !Bte::new(Params { objective, ..Params::default() }).detect(&page).blocks[0].nodes.is_empty();
        assert!(found(Objective::Formula) && !found(Objective::Printed));
    }

    proptest! {
        #[test]
        fn one_pass_equals_the_definition(tags in prop::collection::vec(0..2u8, 0..60)) {
            for objective in [Objective::Formula, Objective::Printed] {
                prop_assert_eq!(best_stretch(&tags, objective), by_definition(&tags, objective));
            }
        }

        /// Both objectives have the same words inside if the best sum of neighbours is at least 2.
        #[test]
        fn both_objectives_find_the_same_words(tags in prop::collection::vec(0..2u8, 1..40)) {
            let words = |stretch: Stretch| (stretch.first..=stretch.last).filter(|at| tags[*at] == 0).collect::<Vec<_>>();
            let formula = best_stretch(&tags, Objective::Formula).unwrap();
            let all_tags = tags.iter().filter(|tag| **tag == 1).count() as i64;
            if formula.value - all_tags >= 2 {
                prop_assert_eq!(words(formula), words(best_stretch(&tags, Objective::Printed).unwrap()));
            }
        }
    }
}
