//! What holds about a page of which several people said something: what most of them said, or what a judge said where they differ.
//!
//! The suite of Alarte (2023) was labelled by four people apart from each other, who then met; the judge is that meeting.

use super::text_mark::{Marks, TextLabel, pieces};
use super::{Annotation, Class, SegmentMark, elements, numbers, ranges};
use std::collections::BTreeMap;
use unchaff_dom::Page;
use unchaff_dom::order::InOrder;

/// What was merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// What holds.
    pub annotation: Annotation,
    /// Elements about which nothing had most votes and no judge spoke; they are template, without a segment, and no advertisement.
    pub undecided: Vec<u32>,
}

/// The one with most votes, unless several have as many.
fn most<T: Ord + Copy>(votes: impl IntoIterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    votes.into_iter().for_each(|vote| *counts.entry(vote).or_default() += 1);
    let highest = counts.values().copied().max()?;
    let mut first = counts.into_iter().filter(|(_, count)| *count == highest).map(|(vote, _)| vote);
    let found = first.next();
    if first.next().is_some() { None } else { found }
}

/// Merges annotations of one page. A judge decides wherever not all say the same; without, most votes do.
#[must_use]
pub fn merge(page: &Page, annotations: &[Annotation], judge: Option<&Annotation>) -> Merged {
    let all = elements(page);
    let count = all.len();
    let mut undecided: Vec<u32> = Vec::new();
    fn decide<T: Ord + Copy>(said: &[T], judged: Option<T>, otherwise: T) -> Result<T, T> {
        match (said.iter().all(|one| Some(one) == said.first()), judged) {
            (true, _) => Ok(said.first().copied().unwrap_or(otherwise)),
            (false, Some(judged)) => Ok(judged),
            (false, None) => most(said.iter().copied()).ok_or(otherwise),
        }
    }
    let mut decided = |number: usize, decision: Result<usize, usize>| match decision {
        Ok(decision) => decision,
        Err(otherwise) => {
            undecided.push(number as u32);
            otherwise
        }
    };
    let classes: Vec<Vec<Class>> = annotations.iter().map(|annotation| annotation.classes(count)).collect();
    let judged = judge.map(|judge| judge.classes(count));
    let class: Vec<usize> = (0..count)
        .map(|at| {
            let said: Vec<usize> = classes.iter().map(|classes| classes[at] as usize).collect();
            decided(at, decide(&said, judged.as_ref().map(|judged| judged[at] as usize), Class::Template as usize))
        })
        .collect();
    let flags = |annotation: &Annotation| {
        let mut flags = vec![0; count];
        numbers(&annotation.ads).for_each(|number| flags[number as usize] = 1);
        flags
    };
    let (all_ads, judged_ads): (Vec<Vec<usize>>, Option<Vec<usize>>) =
        (annotations.iter().map(flags).collect(), judge.map(flags));
    let ads: Vec<u32> = (0..count)
        .filter(|at| {
            let said: Vec<usize> = all_ads.iter().map(|ads| ads[*at]).collect();
            decided(*at, decide(&said, judged_ads.as_ref().map(|ads| ads[*at]), 0)) == 1
        })
        .map(|at| at as u32)
        .collect();
    let people: Vec<&Annotation> = annotations.iter().chain(judge).collect();
    let mut texts = Marks::default();
    for (element, pieces) in pieces(page, &all, &people) {
        let at = element as usize;
        for piece in pieces {
            let said: Vec<usize> = annotations
                .iter()
                .zip(&classes)
                .map(|(annotation, classes)| annotation.class_of_piece(element, piece, classes[at]) as usize)
                .collect();
            let judgement =
                judge.zip(judged.as_ref()).map(|(judge, classes)| judge.class_of_piece(element, piece, classes[at]) as usize);
            let decision = decided(at, decide(&said, judgement, Class::Template as usize));
            if decision != class[at] {
                texts.push_class(element, piece, Class::ALL[decision]);
            }
            let is_ad =
                |annotation: &Annotation, ads: &[usize]| ads[at].max(usize::from(annotation.advertises_piece(element, piece)));
            let said: Vec<usize> = annotations.iter().zip(&all_ads).map(|(annotation, ads)| is_ad(annotation, ads)).collect();
            let judgement = judge.zip(judged_ads.as_ref()).map(|(judge, ads)| is_ad(judge, ads));
            if decided(at, decide(&said, judgement, 0)) == 1 && ads.binary_search(&element).is_err() {
                texts.push(element, piece, TextLabel::Ads);
            }
        }
    }
    let menus: Vec<Option<u32>> = annotations.iter().map(|annotation| annotation.menu).collect();
    let menu = decide(&menus, judge.map(|judge| judge.menu), None).unwrap_or_else(|otherwise| {
        undecided.extend(menus.iter().flatten());
        otherwise
    });
    // Of each element whether it is a segment, and which.
    let mut named: BTreeMap<u32, Vec<Option<(u8, &str)>>> = BTreeMap::new();
    for (at, annotation) in annotations.iter().enumerate() {
        for segment in &annotation.segments {
            named.entry(segment.element).or_insert_with(|| vec![None; annotations.len()])[at] =
                Some((segment.level, &segment.kind));
        }
    }
    let in_judge = |element: u32| {
        let found = judge?.segments.iter().find(|segment| segment.element == element);
        Some(found.map(|segment| (segment.level, segment.kind.as_str())))
    };
    let mut segments = Vec::new();
    for (element, said) in &named {
        let decision = decide(said, in_judge(*element), None).unwrap_or_else(|otherwise| {
            undecided.push(*element);
            otherwise
        });
        segments.extend(decision.map(|(level, kind)| SegmentMark { element: *element, level, kind: kind.to_owned() }));
    }
    // What only the judge sees is seen.
    let only_judged = judge.into_iter().flat_map(|judge| &judge.segments).filter(|segment| !named.contains_key(&segment.element));
    segments.extend(only_judged.cloned());
    segments.order();
    undecided.sort_unstable();
    undecided.dedup();
    let of = |wanted: Class| ranges((0..).zip(&class).filter(|(_, known)| **known == wanted as usize).map(|(at, _)| at));
    let annotation = Annotation {
        content: of(Class::Content),
        comments: of(Class::Comments),
        other: of(Class::Other),
        ads: ranges(ads),
        menu,
        segments,
        texts: texts.sorted(),
    };
    Merged { annotation, undecided }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(ranges: &[[u32; 2]], menu: Option<u32>, kind: &str) -> Annotation {
        let segments = vec![SegmentMark { element: 7, level: 1, kind: kind.to_owned() }];
        Annotation { content: ranges.to_vec(), menu, segments, ..Annotation::default() }
    }

    #[test]
    fn most_votes_decide_and_ties_are_told() {
        let page = Page::parse(super::super::tests::PAGE);
        let three =
            [content(&[[6, 10]], Some(3), "Main"), content(&[[6, 9]], Some(3), "Main"), content(&[[7, 9]], Some(4), "Text")];
        let merged = merge(&page, &three, None);
        assert_eq!(merged.annotation, content(&[[6, 9]], Some(3), "Main"));
        assert!(merged.undecided.is_empty());
        let merged = merge(&page, &three[..2], None);
        assert_eq!((merged.annotation.content, merged.undecided), (vec![[6, 9]], vec![9]));
        // One against one about the menu and the kind.
        let merged = merge(&page, &[three[0].clone(), three[2].clone()], None);
        assert_eq!((merged.annotation.menu, merged.annotation.segments.len()), (None, 0));
        assert_eq!(merged.undecided, [3, 4, 6, 7, 9]);
    }

    #[test]
    fn a_judge_decides_where_people_differ_and_nowhere_else() {
        let page = Page::parse(super::super::tests::PAGE);
        let people = [content(&[[6, 10]], Some(3), "Main"), content(&[[6, 8]], Some(4), "Main")];
        // Of what both say nothing or the same, the judge is not asked.
        let judge = content(&[[8, 9], [11, 13]], Some(4), "Text");
        let merged = merge(&page, &people, Some(&judge));
        assert_eq!(merged.annotation, content(&[[6, 9]], Some(4), "Main"));
        assert!(merged.undecided.is_empty());
    }

    #[test]
    fn one_alone_is_what_holds() {
        let page = Page::parse(super::super::tests::PAGE);
        let one = content(&[[6, 10]], Some(3), "Main");
        assert_eq!(merge(&page, std::slice::from_ref(&one), None), Merged { annotation: one, undecided: Vec::new() });
        assert_eq!(merge(&page, &[], None).annotation, Annotation::default());
    }

    #[test]
    fn parts_of_texts_are_decided_piece_by_piece() {
        use super::super::text_mark::TextMark;
        // Element 3: "Tea is drunk hot", of which one takes everything, others a part.
        let page = Page::parse("<body><p>Tea is drunk hot</p></body>");
        let part = |from, to, is| TextMark { element: 3, from, to, is };
        let says =
            |content: &[[u32; 2]], texts: Vec<TextMark>| Annotation { content: content.to_vec(), texts, ..Annotation::default() };
        let people = [
            says(&[[3, 4]], vec![]),
            says(&[], vec![part(0, 6, TextLabel::Content)]),
            says(&[], vec![part(0, 12, TextLabel::Content), part(13, 16, TextLabel::Ads)]),
        ];
        let merged = merge(&page, &people, None);
        assert_eq!(merged.annotation, says(&[], vec![part(0, 12, TextLabel::Content)]));
        assert!(merged.undecided.is_empty());
        // That "hot" is no advertisement, both say; about "drunk" the judge decides.
        let merged = merge(&page, &people[..2], Some(&people[2]));
        assert_eq!(merged.annotation.texts, [part(0, 12, TextLabel::Content)]);
        let agreement = crate::annotation::agreement::agreement(&page, &people[1..]).unwrap();
        let content = agreement.about.iter().find(|about| about.what == "content").unwrap();
        // "Tea is", " drunk" and "hot": they differ about the second.
        assert!(agreement.elements == 3 && (content.observed - 2.0 / 3.0).abs() < 1e-9, "{agreement:?}");
    }
}
