//! What a person says about a page: which of its elements are content, comments, of this page alone, advertisements, the menu, segments.
//!
//! An annotation is what the labels of a page in the notation of TeCo (Alarte 2023, chapter 13) say, with `data-block` for segments, so
//! every labelled page is one and every one can be written as a labelled page. Several people annotate the same page apart from each other; how far they
//! [agree](agreement) is a figure of the suite, and what holds is [merged](merging) from them. A [`project`] is a suite whose pages are being annotated. What was said of
//! one page can be [carried over](carrying) to others of its template.

pub mod agreement;
pub(crate) mod appearance;
pub mod carrying;
mod collection;
mod home_page;
pub mod merging;
pub mod project;
mod style_sheet;
pub mod text_mark;

use crate::gold::{ADS, COMMENTS, MAIN_CONTENT, MAIN_MENU, NOT_TEMPLATE, Notation};
use crate::label::{LabelError, written};
use serde::{Deserialize, Serialize};
use text_mark::TextMark;
use thiserror::Error;
use unchaff_dom::{NodeId, NodeSet, Page};

/// Elements by number ([`Page::element_number`]), as ranges from the first to before the last, ascending.
pub type Ranges = Vec<[u32; 2]>;

/// Most bytes of the name of a kind of segment.
const LONGEST_KIND: usize = 60;

/// Most segments of a page; people draw some dozens.
const MOST_SEGMENTS: usize = 2_000;

/// What is said about a page. An element that nothing is said of is template.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Annotation {
    /// What the page is about.
    pub content: Ranges,
    /// What readers wrote.
    pub comments: Ranges,
    /// What is of this page alone but neither content nor comments.
    pub other: Ranges,
    /// Advertisements; whatever else they are.
    pub ads: Ranges,
    /// The main menu: one element.
    pub menu: Option<u32>,
    /// Segments, by element.
    pub segments: Vec<SegmentMark>,
    /// Parts of texts that are something else than the element they stand in.
    pub texts: Vec<TextMark>,
}

/// An element that is a segment, with all that is in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentMark {
    /// The element.
    pub element: u32,
    /// Its level; 1 is the coarsest.
    pub level: u8,
    /// What it is.
    pub kind: String,
}

/// What an element is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Class {
    /// What all pages have.
    #[default]
    Template,
    /// What this page is about.
    Content,
    /// What readers wrote.
    Comments,
    /// Of this page alone, but neither.
    Other,
}

impl Class {
    /// All of them, in their order.
    pub(crate) const ALL: [Class; 4] = [Class::Template, Class::Content, Class::Comments, Class::Other];
}

/// Why something cannot be said about a page.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AnnotationError {
    /// It is about elements that the page does not have.
    #[error("the page has {elements} elements, numbered from 0; there is none {named}")]
    NoElement {
        /// How many there are.
        elements: usize,
        /// The one that is named.
        named: u32,
    },
    /// A range is empty or comes before the one before it.
    #[error("ranges of elements ascend, from the first to before the last")]
    Ranges,
    /// A segment makes no sense.
    #[error(
        "a segment has a level from 1 to 9 and a kind of at most {LONGEST_KIND} bytes, and an element is one segment, of at most {MOST_SEGMENTS}"
    )]
    Segment,
    /// A part of a text makes no sense.
    #[error(
        "parts of a text ascend by element and place, do not overlap, and end where the text that stands directly in the element does"
    )]
    Text,
}

/// Numbers, which ascend, as ranges.
pub(crate) fn ranges(numbers: impl IntoIterator<Item = u32>) -> Ranges {
    let mut ranges = Ranges::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last[1] == number => last[1] += 1,
            _ => ranges.push([number, number + 1]),
        }
    }
    ranges
}

/// The numbers of ranges.
pub(crate) fn numbers(ranges: &Ranges) -> impl Iterator<Item = u32> + '_ {
    ranges.iter().flat_map(|[from, to]| *from..*to)
}

/// The elements of a page, by number.
pub(crate) fn elements(page: &Page) -> Vec<NodeId> {
    page.nodes().filter(|node| page.is_element(*node)).collect()
}

impl Annotation {
    /// What the labels of a page say.
    #[must_use]
    pub fn read(page: &Page) -> Annotation {
        Annotation::read_in(page, Notation::default())
    }

    /// What they say in another notation.
    #[must_use]
    pub fn read_in(page: &Page, notation: Notation) -> Annotation {
        let labels = notation.read(page);
        let Some(body) = page.body() else { return Annotation::default() };
        // Labels are counted from the body.
        let first = page.element_number(body) as u32;
        let flags: Vec<[bool; 4]> = labels.flags().collect();
        let of = |wanted: &dyn Fn(&[bool; 4]) -> bool| {
            ranges((first..).zip(&flags).filter(|(_, flags)| wanted(flags)).map(|(number, _)| number))
        };
        let segment = |(number, node): (usize, &NodeId)| {
            let level = page.attr(*node, "data-block")?.trim().parse().ok().filter(|level| (1..=9).contains(level))?;
            let kind = page.attr(*node, "data-block-type").unwrap_or_default();
            let kind = kind[..kind.floor_char_boundary(LONGEST_KIND)].to_owned();
            Some(SegmentMark { element: number as u32, level, kind })
        };
        Annotation {
            content: of(&|[content, ..]| *content),
            comments: of(&|[content, comments, ..]| *comments && !content),
            other: of(&|[content, comments, own, _]| *own && !content && !comments),
            ads: of(&|[.., ads]| *ads),
            menu: labels.menu().map(|at| first + at as u32),
            segments: elements(page).iter().enumerate().filter_map(segment).collect(),
            texts: labels.texts().map(|mark| TextMark { element: mark.element + first, ..mark.clone() }).collect(),
        }
    }

    /// Whether it can be said about a page.
    ///
    /// # Errors
    /// If it names elements that are not there.
    pub fn check(&self, page: &Page) -> Result<(), AnnotationError> {
        let elements = page.counts(page.root()).elements as usize;
        for ranges in [&self.content, &self.comments, &self.other, &self.ads] {
            let mut last = 0;
            for [from, to] in ranges {
                if *from < last || to <= from {
                    return Err(AnnotationError::Ranges);
                }
                last = *to;
            }
            if last as usize > elements {
                return Err(AnnotationError::NoElement { elements, named: last - 1 });
            }
        }
        let named = self.segments.iter().map(|segment| segment.element).chain(self.menu).max();
        if let Some(named) = named.filter(|named| *named as usize >= elements) {
            return Err(AnnotationError::NoElement { elements, named });
        }
        let ascend = self.segments.windows(2).all(|two| two[0].element < two[1].element);
        let known = |segment: &SegmentMark| {
            (1..=9).contains(&segment.level) && segment.kind.len() <= LONGEST_KIND && !segment.kind.contains(char::is_control)
        };
        if !ascend || self.segments.len() > MOST_SEGMENTS || !self.segments.iter().all(known) {
            return Err(AnnotationError::Segment);
        }
        if self.texts.is_empty() { Ok(()) } else { text_mark::check(page, &self::elements(page), &self.texts) }
    }

    /// What each element is, by number.
    #[must_use]
    pub fn classes(&self, elements: usize) -> Vec<Class> {
        let mut classes = vec![Class::Template; elements];
        for (class, ranges) in [(Class::Other, &self.other), (Class::Comments, &self.comments), (Class::Content, &self.content)] {
            for number in numbers(ranges) {
                if let Some(known) = classes.get_mut(number as usize) {
                    *known = class;
                }
            }
        }
        classes
    }

    /// The page with labels that say this. It has no labels before.
    ///
    /// # Errors
    /// If it cannot be said about this page, or not be written into it.
    pub fn write(&self, page: &Page) -> Result<Vec<u8>, LabelError> {
        self.check(page)?;
        let elements = elements(page);
        let set = |ranges: &[&Ranges]| {
            let mut nodes = NodeSet::new(page);
            ranges.iter().flat_map(|ranges| numbers(ranges)).for_each(|number| {
                nodes.insert(elements[number as usize]);
            });
            nodes
        };
        let menu = NodeSet::from_nodes(page, self.menu.map(|menu| elements[menu as usize]));
        let blocks = [
            (NOT_TEMPLATE, set(&[&self.content, &self.comments, &self.other])),
            (MAIN_CONTENT, set(&[&self.content])),
            (COMMENTS, set(&[&self.comments])),
            (MAIN_MENU, menu),
            (ADS, set(&[&self.ads])),
        ];
        written(page, &blocks, &self.segments, &self.texts)
    }
}

#[cfg(test)]
mod tests {
    use super::text_mark::TextLabel;
    use super::*;

    pub(super) const PAGE: &str = "<body><ul id=menu><li><a href=/>Home</a></ul><main><h1>Tea</h1><p>It is <b>green</b>.</p></main><ol><li>nice</ol></body>";

    #[test]
    fn what_is_written_is_what_is_read() {
        let page = Page::parse(PAGE);
        let number = |name: &str| page.element_number(page.nodes().find(|node| page.name(*node) == name).unwrap()) as u32;
        let annotation = Annotation {
            content: vec![[number("main"), number("ol")]],
            comments: vec![[number("ol"), number("ol") + 2]],
            ads: vec![[number("p"), number("p") + 1]],
            menu: Some(number("ul")),
            segments: vec![SegmentMark { element: number("main"), level: 1, kind: "Main <content>".to_owned() }],
            texts: vec![
                TextMark { element: number("p"), from: 0, to: 5, is: TextLabel::Template },
                TextMark { element: number("b"), from: 2, to: 5, is: TextLabel::Ads },
            ],
            ..Annotation::default()
        };
        let written = annotation.write(&page).unwrap();
        assert_eq!(Annotation::read(&Page::parse(written.clone())), annotation, "{}", String::from_utf8_lossy(&written));
        assert_eq!(Annotation::read(&Page::parse(PAGE)), Annotation::default());
        let classes = annotation.classes(page.counts(page.root()).elements as usize);
        assert_eq!(classes[number("b") as usize], Class::Content);
        assert_eq!(classes[number("ul") as usize], Class::Template);
    }

    #[test]
    fn what_cannot_be_said_is_told() {
        let page = Page::parse(PAGE);
        let content = |ranges: &[[u32; 2]]| Annotation { content: ranges.to_vec(), ..Annotation::default() }.check(&page);
        assert_eq!(content(&[[3, 5], [5, 6]]), Ok(()));
        assert_eq!(content(&[[3, 5], [4, 6]]), Err(AnnotationError::Ranges));
        assert_eq!(content(&[[3, 3]]), Err(AnnotationError::Ranges));
        assert_eq!(content(&[[3, 99]]), Err(AnnotationError::NoElement { elements: 12, named: 98 }));
        let menu = Annotation { menu: Some(12), ..Annotation::default() };
        assert_eq!(menu.check(&page), Err(AnnotationError::NoElement { elements: 12, named: 12 }));
        let segment = |level, kind: &str| SegmentMark { element: 4, level, kind: kind.to_owned() };
        for wrong in [
            vec![segment(0, "a")],
            vec![segment(1, "a"), segment(2, "b")],
            vec![segment(1, &"x".repeat(61))],
            vec![segment(1, "a\n")],
        ] {
            let wrong = Annotation { segments: wrong, ..Annotation::default() };
            assert_eq!(wrong.check(&page), Err(AnnotationError::Segment));
        }
        // Element 8 is the paragraph, "It is ." without what is bold.
        let part = |element, from, to, is| TextMark { element, from, to, is };
        use TextLabel::{Ads, Content, Other};
        let texts = |texts: &[TextMark]| Annotation { texts: texts.to_vec(), ..Annotation::default() }.check(&page);
        assert_eq!(texts(&[part(8, 0, 3, Content), part(8, 1, 7, Ads), part(8, 3, 7, Other)]), Ok(()));
        for wrong in [
            vec![part(8, 0, 8, Content)],
            vec![part(8, 3, 3, Content)],
            vec![part(8, 0, 4, Content), part(8, 3, 5, Other)],
            vec![part(8, 4, 5, Content), part(8, 0, 2, Content)],
        ] {
            assert_eq!(texts(&wrong), Err(AnnotationError::Text), "{wrong:?}");
        }
        assert_eq!(texts(&[part(99, 0, 1, Content)]), Err(AnnotationError::NoElement { elements: 12, named: 99 }));
    }
}
