//! Making gold: a page with labels in the notation of TeCo, from selectors.
//!
//! The labels are written into the source of the page, so that it keeps its elements. What is content or a comment is not
//! template either; what a selector for the template names is template and nothing else, whatever it stands in. Labels
//! that the page has already are replaced.

use crate::annotation::text_mark::{self, TextLabel, TextMark, own_text};
use crate::annotation::{Annotation, AnnotationError, SegmentMark, ranges};
use crate::gold::{Notation, OtherElements, same_elements, strip, with_classes, without_attribute};
use crate::report::escape;
use std::collections::BTreeMap;
use thiserror::Error;
use unchaff_dom::order::InOrder;
use unchaff_dom::select::{Selector, SelectorError};
use unchaff_dom::{NodeId, NodeSet, Page, emit};

/// What is what on a page, as CSS selectors. A selector stands for the elements it matches and everything in them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selectors {
    /// What the page is about.
    pub content: Vec<String>,
    /// Pieces of template inside of what is not.
    pub template: Vec<String>,
    /// What is of this page alone but not its content.
    pub not_template: Vec<String>,
    /// The main menu: one element.
    pub menu: Option<String>,
    /// What readers wrote.
    pub comments: Vec<String>,
    /// Advertisements. They are template or not as the rest says.
    pub ads: Vec<String>,
    /// Segments: the level (1 is the coarsest), the kind, and a selector; each element that it matches is one.
    pub segments: Vec<(u8, String, String)>,
    /// Parts of texts: the label, the words, and a selector for the elements in which they stand directly.
    pub texts: Vec<(TextLabel, String, String)>,
}

/// Why a page cannot be labelled.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LabelError {
    /// A selector is not understood.
    #[error("{0}")]
    Selector(#[from] SelectorError),
    /// A selector matches nothing.
    #[error("`{0}` matches no element of the page's body; see the page's elements with `unchaff extract --format annotated`")]
    NoMatch(String),
    /// A selector for the menu matches many elements.
    #[error(
        "`{selector}` matches {count} elements, but a page has one main menu; make it more exact, for example with :nth-child()"
    )]
    ManyMenus {
        /// The selector.
        selector: String,
        /// How many elements it matches.
        count: usize,
    },
    /// No element that a selector matches has these words directly in it.
    #[error(
        "no element that `{selector}` matches has the words `{words}` directly in it; parts of texts are named as they stand in the page"
    )]
    NoText {
        /// The words.
        words: String,
        /// The selector.
        selector: String,
    },
    /// What is said makes no sense on this page.
    #[error(transparent)]
    Annotation(#[from] AnnotationError),
    /// The page without its old labels, or with its new ones, would be another page.
    #[error("labels cannot be written into this page: it would have {0}")]
    Elements(#[from] OtherElements),
}

/// Writes a labelled page: the page of these bytes with the classes of TeCo on every element concerned.
///
/// # Errors
/// If a selector is not understood or does not match as it should.
pub fn label(bytes: &[u8], selectors: &Selectors) -> Result<Vec<u8>, LabelError> {
    let page = unlabelled(bytes)?;
    annotation(&page, selectors)?.write(&page)
}

/// A page without the labels that it has.
///
/// # Errors
/// If it would be another page.
pub fn unlabelled(bytes: &[u8]) -> Result<Page, LabelError> {
    let mut page = Page::parse(strip(&Page::parse(bytes), Notation::default())?);
    for attribute in ["data-block", "data-block-type", text_mark::ATTRIBUTE] {
        page = Page::parse(without_attribute(&page, attribute)?);
    }
    Ok(page)
}

/// A page that several people labelled, each a copy of it: the page without labels, and what each said.
///
/// # Errors
/// If one of them is of another page, or if there is none.
pub fn read_copies(copies: &[Vec<u8>]) -> Result<(Page, Vec<Annotation>), LabelError> {
    let page = unlabelled(copies.first().map_or(&[][..], Vec::as_slice))?;
    let mut annotations = Vec::new();
    for copy in copies {
        let labelled = Page::parse(copy.as_slice());
        same_elements(&page, &labelled)?;
        annotations.push(Annotation::read(&labelled));
    }
    Ok((page, annotations))
}

/// What selectors say about a page.
fn annotation(page: &Page, selectors: &Selectors) -> Result<Annotation, LabelError> {
    let template = subtrees(page, &selectors.template)?;
    let numbers = |selectors: &[String], but: Option<&NodeSet>| {
        let mut nodes = subtrees(page, selectors)?;
        but.into_iter().for_each(|but| nodes.difference(but));
        let elements = nodes.iter().filter(|node| page.is_element(*node)).map(|node| page.element_number(node) as u32);
        Ok::<_, LabelError>(ranges(elements))
    };
    let mut annotation = Annotation {
        content: numbers(&selectors.content, Some(&template))?,
        comments: numbers(&selectors.comments, Some(&template))?,
        other: numbers(&selectors.not_template, Some(&template))?,
        ads: numbers(&selectors.ads, None)?,
        ..Annotation::default()
    };
    if let Some(selector) = &selectors.menu {
        let found = select(page, selector)?;
        if found.len() > 1 {
            return Err(LabelError::ManyMenus { selector: selector.clone(), count: found.len() });
        }
        annotation.menu = Some(page.element_number(found[0]) as u32);
    }
    for (level, kind, selector) in &selectors.segments {
        for node in select(page, selector)? {
            let element = page.element_number(node) as u32;
            annotation.segments.retain(|known| known.element != element);
            annotation.segments.push(SegmentMark { element, level: *level, kind: kind.clone() });
        }
    }
    annotation.segments.order_by_key(|segment| segment.element);
    for (label, words, selector) in &selectors.texts {
        let before = annotation.texts.len();
        for node in select(page, selector)? {
            let text = own_text(page, node);
            let Some(at) = text.find(words.as_str()).filter(|_| !words.is_empty()) else { continue };
            let from = text[..at].chars().count() as u32;
            let to = from + words.chars().count() as u32;
            annotation.texts.push(TextMark { element: page.element_number(node) as u32, from, to, is: *label });
        }
        if annotation.texts.len() == before {
            return Err(LabelError::NoText { words: words.clone(), selector: selector.clone() });
        }
    }
    annotation.texts.order();
    annotation.check(page)?;
    Ok(annotation)
}

/// Writes labels into the source of a page that has none: blocks by the classes they stand for, and segments.
pub(crate) fn written(
    page: &Page,
    blocks: &[(&'static str, NodeSet)],
    segments: &[SegmentMark],
    texts: &[TextMark],
) -> Result<Vec<u8>, LabelError> {
    // A mark of a segment is its place in the list of levels and kinds; classes never begin like this.
    const MARK: &str = "segment:";
    const TEXT: &str = "text:";
    let mut kinds: Vec<(u8, &str)> = segments.iter().map(|segment| (segment.level, segment.kind.as_str())).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let names: Vec<String> = (0..kinds.len()).map(|at| format!("{MARK}{at}")).collect();
    let numbers: BTreeMap<u32, usize> = segments
        .iter()
        .filter_map(|segment| Some((segment.element, kinds.binary_search(&(segment.level, &segment.kind)).ok()?)))
        .collect();
    let divided: Vec<(u32, String)> = texts
        .chunk_by(|one, other| one.element == other.element)
        .map(|marks| (marks[0].element, text_mark::written(marks)))
        .collect();
    let text_names: Vec<String> = (0..divided.len()).map(|at| format!("{TEXT}{at}")).collect();
    let all: Vec<&str> =
        blocks.iter().map(|(name, _)| *name).chain(names.iter().chain(&text_names).map(String::as_str)).collect();
    let annotated = emit::annotated_by(page, &all, |node, found| {
        found.extend((0..blocks.len()).filter(|at| blocks[*at].1.contains(node)));
        if page.is_element(node) {
            let number = page.element_number(node) as u32;
            found.extend(numbers.get(&number).map(|at| blocks.len() + at));
            let text = divided.binary_search_by_key(&number, |(element, _)| *element).ok();
            found.extend(text.map(|at| blocks.len() + names.len() + at));
        }
    });
    let attribute = |name: &str| {
        if let Some(at) = name.strip_prefix(TEXT) {
            let (_, marks) = divided.get(at.parse::<usize>().ok()?)?;
            return Some(format!(" {}=\"{marks}\"", text_mark::ATTRIBUTE));
        }
        let (level, kind) = kinds.get(name.strip_prefix(MARK)?.parse::<usize>().ok()?)?;
        Some(format!(" data-block=\"{level}\" data-block-type=\"{}\"", escape(kind)))
    };
    let labelled = with_classes(&annotated, attribute).into_bytes();
    same_elements(page, &Page::parse(labelled.clone()))?;
    Ok(labelled)
}

fn subtrees(page: &Page, selectors: &[String]) -> Result<NodeSet, LabelError> {
    let mut nodes = NodeSet::new(page);
    for selector in selectors {
        for root in select(page, selector)? {
            nodes.insert_subtree(page, root);
        }
    }
    Ok(nodes)
}

fn select(page: &Page, selector: &str) -> Result<Vec<NodeId>, LabelError> {
    let parsed = Selector::parse(selector)?;
    let found: Vec<NodeId> = page.body().map(|body| page.select_in(body, &parsed).collect()).unwrap_or_default();
    if found.is_empty() { Err(LabelError::NoMatch(selector.to_owned())) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_page::BlockKind;

    const PAGE: &str = "<body><ul id=menu class=nav><li><a href=/>Home</a></ul><main class='m'><h1>Tea</h1><div class=share>share</div>\
                        <table><tr><td>green</table></main><ol><li>nice</ol><time>today</time><div class=ad>Buy tea</div></body>";

    fn selectors() -> Selectors {
        let list = |selector: &str| vec![selector.to_owned()];
        Selectors {
            content: list("main"),
            template: list(".share"),
            not_template: list("time"),
            menu: Some("#menu".to_owned()),
            comments: list("ol"),
            ads: list(".ad"),
            segments: vec![(1, "Main \"content\"".to_owned(), "main".to_owned()), (2, "Item".to_owned(), "li".to_owned())],
            texts: vec![(TextLabel::Other, "tea".to_owned(), ".ad".to_owned())],
        }
    }

    #[test]
    fn a_labelled_page_reads_back_as_it_was_labelled() {
        let labelled = label(PAGE.as_bytes(), &selectors()).unwrap();
        let html = String::from_utf8(labelled.clone()).unwrap();
        assert!(html.contains("<ul id=menu class=\"TECO_mainMenu nav\">"), "{html}");
        assert!(html.contains("<tbody class=\"TECO_notTemplate TECO_mainContent\">"), "{html}");
        let page = Page::parse(labelled.clone());
        let blocks = Notation::default().read(&page).blocks(&page);
        let words = |kind: BlockKind| {
            let nodes = &blocks.iter().find(|(known, _)| *known == kind).unwrap().1;
            emit::text(&page, nodes).split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words(BlockKind::Content), "Tea green");
        assert_eq!(words(BlockKind::Template), "- Home share Buy tea");
        assert_eq!(words(BlockKind::Ads), "Buy tea");
        assert_eq!(words(BlockKind::Comments), "1. nice");
        assert_eq!(words(BlockKind::Menu), "- Home");
        assert!(html.contains("<main data-block=\"1\" data-block-type=\"Main &quot;content&quot;\" class='"), "{html}");
        assert_eq!(html.matches("<li data-block=\"2\" data-block-type=\"Item\"").count(), 2, "{html}");
        assert!(html.contains("data-label-text=\"other:4-7\""), "{html}");
        // Labelling again replaces the labels.
        assert_eq!(label(&labelled, &selectors()).unwrap(), labelled);
        let without = unlabelled(&labelled).unwrap();
        assert!(!without.source().contains("TECO") && !without.source().contains("data-block"), "{}", without.source());
        assert_eq!(same_elements(&Page::parse(PAGE), &without), Ok(()));
    }

    #[test]
    fn selectors_that_do_not_fit_are_told() {
        let with = |change: fn(&mut Selectors)| {
            let mut selectors = selectors();
            change(&mut selectors);
            label(PAGE.as_bytes(), &selectors).unwrap_err().to_string()
        };
        assert!(with(|s| s.content = vec!["#nothing".into()]).contains("`#nothing` matches no element"));
        assert!(with(|s| s.texts[0].1 = "coffee".into()).contains("no element that `.ad` matches has the words `coffee`"));
        assert!(with(|s| s.menu = Some("li".into())).contains("matches 2 elements"));
        assert!(with(|s| s.comments = vec!["p[".into()]).contains("is not a CSS selector"));
    }
}
