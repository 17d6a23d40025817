//! Labels on parts of a text: of "By Anna Lind · Share" the first words are content, the last is not.
//!
//! Labels of TeCo stand on elements, and text is what the element around it is. Where people see more, the element says so in the attribute
//! `data-label-text`: `content:0-12 ads:15-20`, by characters of the element's own text, which is the text that stands directly in it, joined. Measures that count
//! words count these parts; measures that count nodes take a piece of text for what most of it is.

use super::{Annotation, AnnotationError, Class};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, Page, Tag};

/// The attribute that has them.
pub(crate) const ATTRIBUTE: &str = "data-label-text";

/// Most of them on a page.
const MOST: usize = 10_000;

/// What a part of a text is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextLabel {
    /// What all pages have.
    Template,
    /// What this page is about.
    Content,
    /// What readers wrote.
    Comments,
    /// Of this page alone, but neither.
    Other,
    /// An advertisement, whatever else it is.
    Ads,
}

/// A name that no label of a part of a text has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("a part of a text is one of {}, not {name}", TextLabel::ALL.map(TextLabel::as_str).join(", "))]
pub struct UnknownTextLabel {
    /// The name.
    pub name: String,
}

impl FromStr for TextLabel {
    type Err = UnknownTextLabel;

    fn from_str(name: &str) -> Result<TextLabel, UnknownTextLabel> {
        let known = TextLabel::ALL.into_iter().find(|label| label.as_str() == name);
        known.ok_or_else(|| UnknownTextLabel { name: name.to_owned() })
    }
}

impl TextLabel {
    /// All of them.
    pub const ALL: [TextLabel; 5] =
        [TextLabel::Template, TextLabel::Content, TextLabel::Comments, TextLabel::Other, TextLabel::Ads];

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        ["template", "content", "comments", "other", "ads"][self as usize]
    }

    /// The class that it gives, if it gives one.
    pub(crate) fn class(self) -> Option<Class> {
        match self {
            TextLabel::Template => Some(Class::Template),
            TextLabel::Content => Some(Class::Content),
            TextLabel::Comments => Some(Class::Comments),
            TextLabel::Other => Some(Class::Other),
            TextLabel::Ads => None,
        }
    }

    fn of(class: Class) -> TextLabel {
        [TextLabel::Template, TextLabel::Content, TextLabel::Comments, TextLabel::Other][class as usize]
    }
}

/// A part of the text that stands directly in an element.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextMark {
    /// The element.
    pub element: u32,
    /// The first character.
    pub from: u32,
    /// The one after the last.
    pub to: u32,
    /// What it is.
    pub is: TextLabel,
}

/// The texts that stand directly in an element.
pub(crate) fn own_texts(page: &Page, element: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    page.children(element).filter(|child| page.tag(*child) == Tag::Text)
}

/// The own text of an element.
#[must_use]
pub fn own_text(page: &Page, element: NodeId) -> String {
    own_texts(page, element).map(|text| page.text(text)).collect()
}

/// Marks as an attribute has them.
pub(crate) fn written(marks: &[TextMark]) -> String {
    let words: Vec<String> = marks.iter().map(|TextMark { from, to, is, .. }| format!("{}:{from}-{to}", is.as_str())).collect();
    words.join(" ")
}

/// The marks of an attribute; what makes no sense is left out.
pub(crate) fn read(page: &Page, node: NodeId, element: u32) -> Vec<TextMark> {
    let Some(value) = page.attr(node, ATTRIBUTE) else { return Vec::new() };
    let length = own_text(page, node).chars().count() as u32;
    let mark = |word: &str| {
        let (label, place) = word.split_once(':')?;
        let (from, to) = place.split_once('-')?;
        Some(TextMark { element, from: from.parse().ok()?, to: to.parse().ok()?, is: label.parse().ok()? })
    };
    let mut marks: Vec<TextMark> = Vec::new();
    let mut known: Vec<TextMark> = value.split_ascii_whitespace().take(MOST).filter_map(mark).collect();
    known.order();
    let mut free = [0; 2];
    for mark in known {
        let free = &mut free[usize::from(mark.is == TextLabel::Ads)];
        if mark.from >= *free && mark.from < mark.to && mark.to <= length {
            *free = mark.to;
            marks.push(mark);
        }
    }
    marks
}

/// Whether marks ascend, do not overlap (those of advertisements may overlap others), and are of texts that the page has.
pub(crate) fn check(page: &Page, elements: &[NodeId], marks: &[TextMark]) -> Result<(), AnnotationError> {
    let (mut last, mut free, mut length) = (None, [0; 2], 0);
    let ascend = marks.windows(2).all(|two| two[0] < two[1]);
    if !ascend || marks.len() > MOST {
        return Err(AnnotationError::Text);
    }
    for mark in marks {
        let named = AnnotationError::NoElement { elements: elements.len(), named: mark.element };
        let node = elements.get(mark.element as usize).ok_or(named)?;
        if last != Some(mark.element) {
            (last, free, length) = (Some(mark.element), [0; 2], own_text(page, *node).chars().count() as u32);
        }
        let free = &mut free[usize::from(mark.is == TextLabel::Ads)];
        if mark.from < *free || mark.from >= mark.to || mark.to > length {
            return Err(AnnotationError::Text);
        }
        *free = mark.to;
    }
    Ok(())
}

/// The marks of an element.
pub(crate) fn of_element(marks: &[TextMark], element: u32) -> &[TextMark] {
    let start = marks.partition_point(|mark| mark.element < element);
    let end = marks.partition_point(|mark| mark.element <= element);
    &marks[start..end]
}

/// A piece of an element's own text of which everybody says one thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// The own texts that someone divides, as the pieces that have something to read, by element.
pub(crate) fn pieces(page: &Page, elements: &[NodeId], annotations: &[&Annotation]) -> BTreeMap<u32, Vec<Piece>> {
    let mut cuts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for mark in annotations.iter().flat_map(|annotation| &annotation.texts) {
        cuts.entry(mark.element).or_default().extend([mark.from, mark.to]);
    }
    let divide = |(element, mut cuts): (u32, Vec<u32>)| {
        let text: Vec<char> = own_text(page, *elements.get(element as usize)?).chars().collect();
        cuts.extend([0, text.len() as u32]);
        cuts.sort_unstable();
        cuts.dedup();
        let pieces = cuts.windows(2).map(|two| Piece { from: two[0], to: two[1] });
        let is_seen = |piece: &Piece| {
            text.get(piece.from as usize..piece.to as usize).is_some_and(|text| text.iter().any(|c| !c.is_whitespace()))
        };
        Some((element, pieces.filter(is_seen).collect()))
    };
    cuts.into_iter().filter_map(divide).collect()
}

impl Annotation {
    /// The class of a piece of text, in an element of a class.
    pub(crate) fn class_of_piece(&self, element: u32, piece: Piece, around: Class) -> Class {
        let marks = of_element(&self.texts, element).iter().filter(|mark| mark.from <= piece.from && piece.to <= mark.to);
        marks.filter_map(|mark| mark.is.class()).next().unwrap_or(around)
    }

    /// Whether a part of a text has a label.
    pub(crate) fn says(&self, label: TextLabel) -> bool {
        self.texts.iter().any(|mark| mark.is == label)
    }

    /// Whether a mark says of a piece that it is an advertisement.
    pub(crate) fn advertises_piece(&self, element: u32, piece: Piece) -> bool {
        let marks = of_element(&self.texts, element);
        marks.iter().any(|mark| mark.is == TextLabel::Ads && mark.from <= piece.from && piece.to <= mark.to)
    }
}

/// Marks that say of pieces what they are, those of one kind beside each other joined.
#[derive(Debug, Default)]
pub(crate) struct Marks(Vec<TextMark>);

impl Marks {
    /// Adds one; pieces of an element come in their order.
    pub(crate) fn push(&mut self, element: u32, piece: Piece, is: TextLabel) {
        let last = self.0.iter_mut().rev().take_while(|mark| mark.element == element).find(|mark| mark.is == is);
        match last {
            Some(last) if last.to == piece.from => last.to = piece.to,
            _ => self.0.push(TextMark { element, from: piece.from, to: piece.to, is }),
        }
    }

    /// Adds one of a class.
    pub(crate) fn push_class(&mut self, element: u32, piece: Piece, class: Class) {
        self.push(element, piece, TextLabel::of(class));
    }

    pub(crate) fn sorted(mut self) -> Vec<TextMark> {
        self.0.order();
        self.0
    }
}

/// A text, and the labels that bytes of it have.
pub(crate) type LabelledText = (NodeId, Vec<(TextLabel, Range<usize>)>);

/// What the marks of an element say of each of its own texts.
pub(crate) fn by_text(page: &Page, node: NodeId, marks: &[TextMark]) -> Vec<LabelledText> {
    let (mut found, mut before) = (Vec::new(), 0);
    for text in own_texts(page, node) {
        let string = page.text(text);
        let starts: Vec<usize> = string.char_indices().map(|(at, _)| at).chain([string.len()]).collect();
        let length = (starts.len() - 1) as u32;
        let parts = marks.iter().filter_map(|mark| {
            let (from, to) = (mark.from.max(before), mark.to.min(before + length));
            (from < to).then(|| (mark.is, starts[(from - before) as usize]..starts[(to - before) as usize]))
        });
        found.push((text, parts.collect()));
        before += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_attribute_says_is_read_if_it_makes_sense() {
        let page = Page::parse(
            "<p data-label-text='ads:3-9 content:0-5 other:4-7 template:7-8 x:1-2 content:9-99 content:6-6'>Grün <b>x</b>und mehr",
        );
        let p = page.nodes().find(|node| page.name(*node) == "p").unwrap();
        assert_eq!(own_text(&page, p), "Grün und mehr");
        let marks = read(&page, p, 3);
        assert_eq!(written(&marks), "content:0-5 ads:3-9 template:7-8");
        let parts = by_text(&page, p, &marks);
        let words: Vec<(&str, &str)> = parts
            .iter()
            .flat_map(|(text, parts)| parts.iter().map(|(is, range)| (is.as_str(), &page.text(*text)[range.clone()])))
            .collect();
        assert_eq!(words, [("content", "Grün "), ("ads", "n "), ("ads", "und "), ("template", "d")]);
    }
}
