//! The truth about a page: which text, which sentences, which nodes.
//!
//! Nodes are labelled in the notation of TeCo (Alarte, PhD thesis 2023, chapter 13): classes on the elements of the page
//! itself. `TECO_notTemplate` and `TECO_mainContent` mark elements, `TECO_mainMenu` the one element that is the menu;
//! `TECO_comments` and `TECO_ads` are ours. The template is what is left. Labels are taken off before any technique sees the page, an
//! emptied class attribute with them: they would leak into every comparison of classes.

mod segments;
mod start_tag;
mod strip;

pub use segments::kind_of_label;
pub(crate) use segments::segments;
pub(crate) use strip::{encoded, strip, with_classes, without_attribute};

use crate::annotation::text_mark::{self, TextLabel, TextMark};
use crate::measure::without_marks;
use std::borrow::Cow;
use std::ops::Range;
pub use unchaff_dom::emit::OtherElements;
pub(crate) use unchaff_dom::emit::{elements_below_body, same_elements};
use unchaff_dom::{NodeId, NodeSet, Page};
use unchaff_page::BlockKind;

/// What is known to be true about a page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Gold {
    /// The text of the content.
    pub text: Option<String>,
    /// The same with marks for headings, paragraphs and items (`<h>`, `<p>`, `<l>`), if it is told in the form of CLEANEVAL.
    pub marked: Option<String>,
    /// Sentences that the content has.
    pub must: Vec<String>,
    /// Sentences that it has not.
    pub must_not: Vec<String>,
    /// Labelled nodes, for each kind of block that is labelled: whole elements, text with the element around it.
    pub blocks: Vec<(BlockKind, NodeSet)>,
    /// Texts of which only parts belong to a block: the bytes that do. Others are wholly what the element around them is.
    pub parts: Vec<(BlockKind, NodeId, Vec<Range<usize>>)>,
    /// Segments: level (1 is the coarsest), type, element.
    pub segments: Vec<(u8, String, NodeId)>,
}

impl Gold {
    /// The gold of a text, which may have the marks of CLEANEVAL.
    #[must_use]
    pub fn of_text(text: String) -> Gold {
        match without_marks(&text) {
            Cow::Borrowed(_) => Gold { text: Some(text), ..Gold::default() },
            Cow::Owned(bare) => Gold { text: Some(bare), marked: Some(text), ..Gold::default() },
        }
    }

    /// The gold of the labels of a page, or of one with the same elements and texts.
    #[must_use]
    pub fn of_labels(labels: &Labels, page: &Page) -> Gold {
        Gold { blocks: labels.blocks(page), parts: labels.parts(page), ..Gold::default() }
    }

    /// The nodes of a kind of block, if it is labelled.
    #[must_use]
    pub fn nodes(&self, kind: BlockKind) -> Option<&NodeSet> {
        self.blocks.iter().find(|(known, _)| *known == kind).map(|(_, nodes)| nodes)
    }
}

pub(crate) const NOT_TEMPLATE: &str = "TECO_notTemplate";
pub(crate) const MAIN_CONTENT: &str = "TECO_mainContent";
pub(crate) const MAIN_MENU: &str = "TECO_mainMenu";
pub(crate) const COMMENTS: &str = "TECO_comments";
pub(crate) const ADS: &str = "TECO_ads";

/// How labels are read (Alarte 2023, 13.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Notation {
    /// Whether everything below a labelled element has its label too, as TeCo is to be read. Without, every element
    /// speaks for itself, so that a piece of template can stand inside what is not template.
    pub inherit: bool,
    /// Whether `TECO_notTemplate2` and `TECO_notTemplate3`, which the published tools know, are `TECO_notTemplate`.
    pub numbered: bool,
    /// Whether `notTemplate` and `mainContent` are labels, as in version 1.0 of the suite.
    pub unprefixed: bool,
}

impl Notation {
    /// As TeCo is labelled since version 2.0.
    pub const TECO: Notation = Notation { inherit: true, numbered: false, unprefixed: false };

    /// The label that a class is.
    pub(crate) fn label(self, class: &str) -> Option<&'static str> {
        match class {
            "notTemplate" if self.unprefixed => Some(NOT_TEMPLATE),
            "mainContent" if self.unprefixed => Some(MAIN_CONTENT),
            "TECO_notTemplate2" | "TECO_notTemplate3" if self.numbered => Some(NOT_TEMPLATE),
            _ => [NOT_TEMPLATE, MAIN_CONTENT, MAIN_MENU, COMMENTS, ADS].into_iter().find(|label| *label == class),
        }
    }

    /// Whether a class has to go before a technique sees the page: labels, and what was meant to be one.
    fn is_stripped(self, class: &str) -> bool {
        looks_like_label(class) || self.label(class).is_some()
    }

    /// Reads the labels of a page.
    #[must_use]
    pub fn read(self, page: &Page) -> Labels {
        let mut labels = Labels::default();
        let Some(body) = page.body() else { return labels };
        // For each element that is open, where it ends and what holds for everything in it.
        let mut open: Vec<(NodeId, Flags)> = Vec::new();
        for node in page.subtree(body).filter(|node| page.is_element(*node)) {
            while open.pop_if(|(end, _)| *end <= node).is_some() {}
            let mut flags =
                if self.inherit { open.last().map_or(Flags::default(), |(_, flags)| *flags) } else { Flags::default() };
            for class in page.classes(node) {
                match self.label(class) {
                    Some(NOT_TEMPLATE) => flags.not_template = true,
                    Some(MAIN_CONTENT) => flags.content = true,
                    Some(COMMENTS) => flags.comments = true,
                    Some(ADS) => flags.ads = true,
                    Some(_) => labels.menus.push(labels.elements.len()),
                    None if looks_like_label(class) && !labels.unknown.iter().any(|known| known == class) => {
                        labels.unknown.push(class.to_owned());
                    }
                    None => {}
                }
            }
            labels.texts.extend(text_mark::read(page, node, labels.elements.len() as u32));
            open.push((page.end(node), flags));
            labels.elements.push(flags);
        }
        labels
    }
}

fn looks_like_label(class: &str) -> bool {
    class.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("teco"))
        && !class[4..].starts_with(|next: char| next.is_ascii_lowercase())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Flags {
    not_template: bool,
    content: bool,
    comments: bool,
    ads: bool,
}

impl Flags {
    /// Template, content, comments or other, as [`Class`](crate::annotation::Class) numbers them.
    fn class(self) -> usize {
        match self {
            Flags { content: true, .. } => 1,
            Flags { comments: true, .. } => 2,
            Flags { not_template: true, .. } => 3,
            _ => 0,
        }
    }
}

/// The labels of a page, by element in document order, the body first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Labels {
    elements: Vec<Flags>,
    menus: Vec<usize>,
    unknown: Vec<String>,
    /// Parts of texts, by element counted from the body.
    texts: Vec<TextMark>,
}

impl Labels {
    /// The labelled blocks as nodes of a page that has the same elements. Text has the labels of the element around it, or those that most of it has.
    /// Template and content are always there, the menu, comments and advertisements if something is labelled so.
    #[must_use]
    pub fn blocks(&self, page: &Page) -> Vec<(BlockKind, NodeSet)> {
        let set = || NodeSet::new(page);
        let (mut template, mut content, mut comments, mut ads, mut menu) = (set(), set(), set(), set(), set());
        let Some(body) = page.body() else { return Vec::new() };
        let mut element = 0;
        for node in page.subtree(body) {
            if page.is_element(node) {
                let flags = self.elements.get(element).copied().unwrap_or_default();
                let chosen = [
                    (&mut template, !flags.not_template),
                    (&mut content, flags.content),
                    (&mut comments, flags.comments),
                    (&mut ads, flags.ads),
                ];
                for (set, _) in chosen.into_iter().filter(|(_, chosen)| *chosen) {
                    set.insert(node);
                }
                if self.menus.first() == Some(&element) {
                    menu.insert_subtree(page, node);
                }
                element += 1;
            } else if let Some(parent) = page.parent(node) {
                for set in [&mut template, &mut content, &mut comments, &mut ads] {
                    if set.contains(parent) {
                        set.insert(node);
                    }
                }
            }
        }
        for (text, shares, ads_share) in self.divided(page) {
            let most = (0..4).max_by_key(|at| (shares[*at], std::cmp::Reverse(*at))).unwrap_or(0);
            for (set, is_in) in [
                (&mut template, most == 0),
                (&mut content, most == 1),
                (&mut comments, most == 2),
                (&mut ads, ads_share * 2 > shares.iter().sum()),
            ] {
                let change = if is_in { NodeSet::insert } else { NodeSet::remove };
                change(set, text);
            }
        }
        let mut blocks = vec![(BlockKind::Template, template), (BlockKind::Content, content)];
        blocks.extend((!self.menus.is_empty()).then_some((BlockKind::Menu, menu)));
        blocks.extend((!comments.is_empty()).then_some((BlockKind::Comments, comments)));
        blocks.extend((!ads.is_empty()).then_some((BlockKind::Ads, ads)));
        blocks
    }

    /// Elements that have marks on parts of their texts, with these and what else is said of them.
    fn marked<'p>(&'p self, page: &'p Page) -> impl Iterator<Item = (NodeId, Flags, &'p [TextMark])> + 'p {
        let elements: Vec<NodeId> = if self.texts.is_empty() {
            Vec::new()
        } else {
            page.body().into_iter().flat_map(|body| page.subtree(body)).filter(|node| page.is_element(*node)).collect()
        };
        self.texts.chunk_by(|one, other| one.element == other.element).filter_map(move |marks| {
            let at = marks[0].element as usize;
            Some((*elements.get(at)?, *self.elements.get(at)?, marks))
        })
    }

    /// Texts that are divided, with how many bytes of them are template, content, comments and other things; and advertisements.
    fn divided(&self, page: &Page) -> Vec<(NodeId, [usize; 4], usize)> {
        let mut found = Vec::new();
        for (node, flags, marks) in self.marked(page) {
            for (text, parts) in text_mark::by_text(page, node, marks) {
                let mut shares = [0; 4];
                let length = page.text(text).len();
                shares[flags.class()] = length;
                let mut advertised = if flags.ads { length } else { 0 };
                for (is, range) in parts {
                    match is.class() {
                        Some(class) => {
                            shares[flags.class()] -= range.len();
                            shares[class as usize] += range.len();
                        }
                        None if !flags.ads => advertised += range.len(),
                        None => {}
                    }
                }
                found.push((text, shares, advertised));
            }
        }
        found
    }

    /// Texts of which only parts are content or comments, and which.
    #[must_use]
    pub fn parts(&self, page: &Page) -> Vec<(BlockKind, NodeId, Vec<Range<usize>>)> {
        let mut found = Vec::new();
        for (node, flags, marks) in self.marked(page) {
            for (text, parts) in text_mark::by_text(page, node, marks) {
                for (kind, label, is_in) in [
                    (BlockKind::Content, TextLabel::Content, flags.content),
                    (BlockKind::Comments, TextLabel::Comments, flags.comments),
                ] {
                    let mut ranges: Vec<Range<usize>> = Vec::new();
                    let mut at = 0;
                    for (is, range) in parts.iter().filter(|(is, _)| is.class().is_some()) {
                        ranges.extend((is_in && at < range.start).then_some(at..range.start));
                        ranges.extend((*is == label).then(|| range.clone()));
                        at = range.end;
                    }
                    ranges.extend((is_in && at < page.text(text).len()).then(|| at..page.text(text).len()));
                    found.push((kind, text, ranges));
                }
            }
        }
        found
    }

    /// Parts of texts, by element counted from the body.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &TextMark> {
        self.texts.iter()
    }

    /// For each element, the body first: whether it is content, a comment, not template, an advertisement.
    pub(crate) fn flags(&self) -> impl Iterator<Item = [bool; 4]> + '_ {
        self.elements.iter().map(|flags| [flags.content, flags.comments, flags.not_template, flags.ads])
    }

    /// The first element that is the menu, counted from the body.
    pub(crate) fn menu(&self) -> Option<usize> {
        self.menus.first().copied()
    }

    /// What is wrong with them, in a sentence each.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let mut problems: Vec<String> = self
            .unknown
            .iter()
            .map(|class| {
                format!("class {class} is no label; labels are {NOT_TEMPLATE}, {MAIN_CONTENT}, {MAIN_MENU}, {COMMENTS}, {ADS}")
            })
            .collect();
        if !self.elements.iter().any(|flags| flags.content) {
            problems.push(format!("no element has class {MAIN_CONTENT}, so nothing is right for content"));
        }
        if !self.elements.iter().any(|flags| flags.not_template) {
            problems.push(format!("no element has class {NOT_TEMPLATE}, so all of the page is template"));
        }
        if self.menus.len() > 1 {
            problems.push(format!("{} elements have class {MAIN_MENU}; only the first counts", self.menus.len()));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TECO: Notation = Notation::TECO;

    fn names(page: &Page, nodes: &NodeSet) -> String {
        let name = |node: NodeId| if page.is_element(node) { page.name(node) } else { page.string(node) };
        nodes.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    fn block(html: &str, notation: Notation, kind: BlockKind) -> String {
        let page = Page::parse(html);
        let gold = Gold::of_labels(&notation.read(&page), &page);
        gold.nodes(kind).map(|nodes| names(&page, nodes)).unwrap_or_default()
    }

    #[test]
    fn labels_are_inherited_in_teco() {
        // Our reading: the thesis has all nodes labelled, but text cannot be.
        let html = "<body><div class=\"TECO_notTemplate\">a<p>b</p></div><ul>c</ul></body>";
        assert_eq!(block(html, TECO, BlockKind::Template), "body ul c");
        assert_eq!(block(html, Notation::default(), BlockKind::Template), "body p b ul c");
        assert_eq!(block(html, TECO, BlockKind::Menu), "");
    }

    #[test]
    fn content_menu_and_comments_are_read() {
        let html = "<body><ul class='x TECO_mainMenu'><li>m</ul><h1 class='TECO_mainContent TECO_notTemplate'>t<b>u</b></h1>\
                    <div class=TECO_comments>c</div>";
        assert_eq!(block(html, TECO, BlockKind::Content), "h1 t b u");
        assert_eq!(block(html, TECO, BlockKind::Menu), "ul li m");
        assert_eq!(block(html, TECO, BlockKind::Comments), "div c");
        // Nested labels count once.
        assert_eq!(block("<p class=TECO_mainContent>a<b class=TECO_mainContent>b</b>", TECO, BlockKind::Content), "p a b b");
    }

    #[test]
    fn other_forms_of_labels_are_options() {
        let html = "<p class=TECO_notTemplate2>a</p><div class=notTemplate>b</div>";
        assert_eq!(block(html, TECO, BlockKind::Template), "body p a div b");
        assert_eq!(block(html, Notation { numbered: true, ..TECO }, BlockKind::Template), "body div b");
        assert_eq!(block(html, Notation { unprefixed: true, ..TECO }, BlockKind::Template), "body p a");
    }

    #[test]
    fn what_is_wrong_with_labels_is_told() {
        let problems = |html: &str| TECO.read(&Page::parse(html)).problems().join("\n");
        let wrong = problems("<p class=TECO_maincontent>a<p class=teco-mainMenu>b<p class=tecon>c");
        assert!(wrong.contains("class TECO_maincontent is no label") && wrong.contains("teco-mainMenu"), "{wrong}");
        assert!(wrong.contains("no element has class TECO_mainContent") && !wrong.contains("tecon"), "{wrong}");
        let menus = problems("<p class='TECO_mainMenu TECO_mainContent TECO_notTemplate'>a<p class=TECO_mainMenu>b");
        assert_eq!(menus, "2 elements have class TECO_mainMenu; only the first counts");
    }

    #[test]
    fn pages_with_other_elements_are_told_apart() {
        let page = Page::parse("<p>a<p>b<p>c");
        assert_eq!(same_elements(&page, &Page::parse("<p>x<p>y<p>z")), Ok(()));
        assert_eq!(same_elements(&page, &Page::parse("<p>a<div>b</div>")), Err(OtherElements { expected: 3, found: 2, at: 2 }));
    }
}
