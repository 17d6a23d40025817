//! How far people agree about a page, beyond what chance would give.
//!
//! Two: J. Cohen, A coefficient of agreement for nominal scales, 1960. More: J. L. Fleiss, Measuring nominal scale agreement among many raters, 1971. What is
//! rated are the elements that show something of their own (text directly in them, or a picture): wrappers follow their parts, and would count one
//! opinion many times.

use super::text_mark::{Piece, TextLabel, pieces};
use super::{Annotation, elements, numbers};
use serde::{Deserialize, Serialize};
use unchaff_dom::{NodeId, Page, Tag};

/// Agreement on a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// How many people.
    pub annotators: usize,
    /// How many elements were rated; of texts that someone divides, each piece.
    pub elements: usize,
    /// By what they agree about; first `class`, which is everything but advertisements, menu and segments at once.
    pub about: Vec<AgreementAbout>,
}

/// Agreement about one thing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgreementAbout {
    /// What is agreed about: `class`, or a block.
    pub what: String,
    /// The share of pairs of opinions that are the same.
    pub observed: f64,
    /// Cohen's kappa of two, Fleiss' of more. None if all said the same of everything, where chance explains all.
    pub kappa: Option<f64>,
}

/// Observed agreement and kappa. Each list has the ratings of one person, of the same things in the same order, as numbers of categories.
///
/// # Panics
/// Never: what some have not rated is left out.
#[must_use]
pub fn kappa(ratings: &[Vec<usize>]) -> Option<(f64, Option<f64>)> {
    let things = ratings.iter().map(Vec::len).min().filter(|things| *things > 0 && ratings.len() > 1)?;
    let categories = ratings.iter().flatten().max().map_or(0, |most| most + 1);
    let (raters, count) = (ratings.len() as f64, things as f64);
    let share =
        |person: &[usize], category: usize| person[..things].iter().filter(|rated| **rated == category).count() as f64 / count;
    let mut observed = 0.0;
    for thing in 0..things {
        let mut votes = vec![0.0; categories];
        ratings.iter().for_each(|person| votes[person[thing]] += 1.0);
        observed += votes.iter().map(|votes| votes * (votes - 1.0)).sum::<f64>() / (raters * (raters - 1.0));
    }
    observed /= count;
    let by_chance = (0..categories).map(|category| match ratings {
        [one, other] => share(one, category) * share(other, category),
        all => (all.iter().map(|person| share(person, category)).sum::<f64>() / raters).powi(2),
    });
    let by_chance: f64 = by_chance.sum();
    let kappa = (by_chance < 1.0 - 1e-12).then(|| (observed - by_chance) / (1.0 - by_chance));
    Some((observed, kappa))
}

/// How far annotations of one page agree; none if there are fewer than two.
#[must_use]
pub fn agreement(page: &Page, annotations: &[Annotation]) -> Option<Agreement> {
    let all = elements(page);
    let people: Vec<&Annotation> = annotations.iter().collect();
    let mut pieces = pieces(page, &all, &people);
    // Elements, and pieces of texts that someone divides.
    let shown: Vec<(usize, Option<Piece>)> = (0..all.len())
        .filter(|at| shows_something(page, all[*at]))
        .flat_map(|at| match pieces.remove(&(at as u32)) {
            Some(pieces) => pieces.into_iter().map(|piece| (at, Some(piece))).collect(),
            None => vec![(at, None)],
        })
        .collect();
    let classes: Vec<Vec<usize>> = annotations
        .iter()
        .map(|annotation| {
            let classes = annotation.classes(all.len());
            let class = |(at, piece): &(usize, Option<Piece>)| match piece {
                Some(piece) => annotation.class_of_piece(*at as u32, *piece, classes[*at]),
                None => classes[*at],
            };
            shown.iter().map(|place| class(place) as usize).collect()
        })
        .collect();
    let is_in = |contains: &dyn Fn(&Annotation, usize) -> bool| -> Vec<Vec<usize>> {
        annotations
            .iter()
            .map(|annotation| shown.iter().map(|(at, _)| usize::from(contains(annotation, *at))).collect())
            .collect()
    };
    let of_class =
        |class: usize| classes.iter().map(|all| all.iter().map(|known| usize::from(*known == class)).collect()).collect();
    let advertised: Vec<Vec<usize>> = annotations
        .iter()
        .map(|annotation| {
            let mut flags = vec![0; all.len()];
            numbers(&annotation.ads).for_each(|number| flags[number as usize] = 1);
            let in_text =
                |at: usize, piece: &Option<Piece>| piece.is_some_and(|piece| annotation.advertises_piece(at as u32, piece));
            shown.iter().map(|(at, piece)| flags[*at].max(usize::from(in_text(*at, piece)))).collect()
        })
        .collect();
    let in_menu = |annotation: &Annotation, at: usize| {
        annotation.menu.is_some_and(|menu| (all[menu as usize]..page.end(all[menu as usize])).contains(&all[at]))
    };
    // Where a segment begins is said of every element.
    let begins: Vec<Vec<usize>> = annotations
        .iter()
        .map(|annotation| {
            let mut begins = vec![0; all.len()];
            annotation.segments.iter().for_each(|segment| begins[segment.element as usize] = usize::from(segment.level));
            begins
        })
        .collect();
    let any = |said: &dyn Fn(&Annotation) -> bool| annotations.iter().any(said);
    let mut about = vec![("class", classes.clone()), ("content", of_class(1)), ("template", of_class(0))];
    if any(&|annotation| annotation.says(TextLabel::Comments) || !annotation.comments.is_empty()) {
        about.push(("comments", of_class(2)));
    }
    if any(&|annotation| annotation.menu.is_some()) {
        about.push(("menu", is_in(&in_menu)));
    }
    if any(&|annotation| annotation.says(TextLabel::Ads) || !annotation.ads.is_empty()) {
        about.push(("ads", advertised));
    }
    if any(&|annotation| !annotation.segments.is_empty()) {
        about.push(("segments", begins));
    }
    let about = about.into_iter().filter_map(|(what, ratings)| {
        let (observed, kappa) = kappa(&ratings)?;
        Some(AgreementAbout { what: what.to_owned(), observed, kappa })
    });
    let about: Vec<AgreementAbout> = about.collect();
    (!about.is_empty()).then_some(Agreement { annotators: annotations.len(), elements: shown.len(), about })
}

/// Whether an element shows something that is not that of an element in it.
fn shows_something(page: &Page, node: NodeId) -> bool {
    if matches!(page.tag(node), Tag::Img | Tag::Svg | Tag::Video | Tag::Audio | Tag::Canvas | Tag::Input) {
        return true;
    }
    let is_text = |child: NodeId| page.tag(child) == Tag::Text && !page.text(child).trim().is_empty();
    page.body().is_some_and(|body| (body..page.end(body)).contains(&node)) && page.children(node).any(is_text)
}

impl Agreement {
    /// A line for each thing that is agreed about.
    #[must_use]
    pub fn table(&self) -> String {
        let mut out = format!(
            "{} people, {} elements\n\n{:<10} {:>8} {:>7}\n",
            self.annotators, self.elements, "about", "observed", "kappa"
        );
        for AgreementAbout { what, observed, kappa } in &self.about {
            let kappa = kappa.map_or_else(|| "–".to_owned(), |kappa| format!("{kappa:.3}"));
            out += &format!("{what:<10} {observed:>8.3} {kappa:>7}\n");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 50 things, two people: both yes 20, only the first 5, only the second 10, neither 15.
    #[test]
    fn two_agree_as_cohen_computes_it() {
        let rated = |counts: [(usize, usize); 4]| counts.iter().flat_map(|(what, times)| vec![*what; *times]).collect::<Vec<_>>();
        let one = rated([(1, 20), (1, 5), (0, 10), (0, 15)]);
        let other = rated([(1, 20), (0, 5), (1, 10), (0, 15)]);
        let (observed, kappa) = kappa(&[one.clone(), other]).unwrap();
        assert!((observed - 0.7).abs() < 1e-12 && (kappa.unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(super::kappa(&[one.clone(), one]).unwrap(), (1.0, Some(1.0)));
    }

    /// The ten things, fourteen people and five categories that the article of 1971 is usually explained with: 0.210.
    #[test]
    fn many_agree_as_fleiss_computes_it() {
        let votes = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ];
        let mut people = vec![Vec::new(); 14];
        for thing in votes {
            let rated = thing.iter().enumerate().flat_map(|(category, votes)| vec![category; *votes]);
            people.iter_mut().zip(rated).for_each(|(person, category)| person.push(category));
        }
        let (observed, kappa) = kappa(&people).unwrap();
        assert!((observed - 0.378).abs() < 5e-4 && (kappa.unwrap() - 0.210).abs() < 5e-4, "{observed} {kappa:?}");
    }

    #[test]
    fn who_is_alone_or_says_nothing_has_no_kappa() {
        assert_eq!(kappa(&[vec![1, 0]]), None);
        assert_eq!(kappa(&[vec![], vec![]]), None);
        assert_eq!(kappa(&[vec![0, 0], vec![0, 0]]), Some((1.0, None)));
        let page = Page::parse(super::super::tests::PAGE);
        assert_eq!(agreement(&page, &[Annotation::default()]), None);
    }

    #[test]
    fn people_agree_about_what_is_seen() {
        let page = Page::parse(super::super::tests::PAGE);
        let main = page.element_number(page.nodes().find(|node| page.name(*node) == "main").unwrap()) as u32;
        // One takes the heading, the other does not: h1 of five elements with text (a, h1, p, b, li).
        let one = Annotation { content: vec![[main, main + 4]], ..Annotation::default() };
        let other = Annotation { content: vec![[main + 2, main + 4]], ..Annotation::default() };
        let agreement = agreement(&page, &[one, other]).unwrap();
        assert_eq!((agreement.annotators, agreement.elements), (2, 5));
        let content = agreement.about.iter().find(|about| about.what == "content").unwrap();
        assert!((content.observed - 0.8).abs() < 1e-12, "{agreement:?}");
        // Expected: 3/5 · 2/5 + 2/5 · 3/5 = 0.48.
        assert!((content.kappa.unwrap() - (0.8 - 0.48) / 0.52).abs() < 1e-12, "{agreement:?}");
        assert!(agreement.table().contains("content       0.800   0.615"), "{}", agreement.table());
    }
}
