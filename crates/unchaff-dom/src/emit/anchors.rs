//! Links that lead to other places of the same page: to notes, back from them, and to parts of the content.
//!
//! A link to a place that is written too stays a fragment (`#part`); others become addresses of the page. A raised link to a short
//! block further down is the mark of a note, and that block is the note; the link back from it says nothing once the two stand in one text.

use crate::{NodeId, NodeSet, Page, Tag};
use foldhash::{HashMap, HashMapExt, HashSet};

/// A note has no more characters than this.
const MOST_NOTE_CHARS: u32 = 4000;
/// The mark of a note has no more characters than this.
const MOST_MARK: usize = 8;

/// The mark of a note: a few letters or digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Mark([u8; MOST_MARK]);

impl Mark {
    fn of(text: &str) -> Option<Mark> {
        let text = text.trim_matches(|character: char| !character.is_alphanumeric());
        let fits = (1..=MOST_MARK).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let mut bytes = [0; MOST_MARK];
        fits.then(|| bytes[..text.len()].copy_from_slice(text.as_bytes()))?;
        Some(Mark(bytes))
    }

    fn number(number: usize) -> Mark {
        let mut bytes = [0; MOST_MARK];
        for (byte, digit) in bytes.iter_mut().zip(number.to_string().bytes()) {
            *byte = digit;
        }
        Mark(bytes)
    }

    pub(super) fn chars(self) -> impl Iterator<Item = char> {
        self.0.into_iter().take_while(|byte| *byte != 0).map(char::from)
    }
}

/// The links of a set that lead to other places of the page, and those places.
#[derive(Default, Debug)]
pub(super) struct Anchors<'p> {
    /// Links to places that are written.
    inside: HashSet<NodeId>,
    /// Those places.
    places: HashMap<NodeId, &'p str>,
    /// Links that are marks of notes.
    marks: HashMap<NodeId, Mark>,
    /// The notes.
    notes: HashMap<NodeId, Mark>,
    /// Links back from notes, and the marks that notes begin with.
    back: HashSet<NodeId>,
    taken: HashMap<Mark, NodeId>,
    /// The last number that was given as a mark.
    number: usize,
}

impl<'p> Anchors<'p> {
    /// Finds what a set has of them.
    pub(super) fn of(page: &'p Page, nodes: &NodeSet) -> Anchors<'p> {
        let mut anchors = Anchors::default();
        let links = links(page, nodes);
        if links.is_empty() {
            return anchors;
        }
        let mut targets = targets(page, &links);
        for target in targets.values_mut() {
            *target = target.filter(|target| nodes.iter_below(page, *target).next().is_some());
        }
        let mut found = Vec::new();
        for (link, fragment) in &links {
            let Some(target) = targets[fragment] else { continue };
            anchors.inside.insert(*link);
            anchors.places.insert(target, fragment);
            if let Some(note) = note(page, *link, target) {
                found.push((*link, note, Mark::of(page.text(*link))));
            }
        }
        // Stars and daggers are no marks of Markdown. Where there are some, all notes are numbered, in the order in which they are read.
        let has_signs = found.iter().any(|(.., mark)| mark.is_none());
        for (link, note, mark) in found {
            let mark = mark.filter(|_| !has_signs).or_else(|| anchors.note(note)).unwrap_or_else(|| anchors.free_mark(note));
            anchors.add(link, note, mark);
        }
        if !anchors.notes.is_empty() {
            let around = |mark: &NodeId| page.ancestors(*mark).take(2).chain([*mark]).collect::<Vec<_>>();
            let marks: HashSet<NodeId> = anchors.marks.keys().flat_map(around).collect();
            let is_back = |(link, fragment): &&(NodeId, &str)| {
                targets[fragment].is_some_and(|target| marks.contains(&target))
                    && page.ancestors(*link).take(6).any(|above| anchors.notes.contains_key(&above))
            };
            let back: HashSet<NodeId> = links.iter().filter(is_back).map(|(link, _)| *link).collect();
            anchors.back = anchors
                .marks
                .keys()
                .filter_map(|link| own_mark(page, *link, targets[fragment(page, *link)?]?))
                .chain(back)
                .collect();
        }
        anchors
    }

    /// Notes that a link is the mark of a note, unless that has another, or another has it.
    fn add(&mut self, link: NodeId, note: NodeId, mark: Mark) {
        if *self.taken.entry(mark).or_insert(note) == note && *self.notes.entry(note).or_insert(mark) == mark {
            self.marks.insert(link, mark);
        }
    }

    /// A number that is the mark of no other note.
    pub(super) fn free_mark(&mut self, note: NodeId) -> Mark {
        loop {
            self.number += 1;
            let mark = Mark::number(self.number);
            if *self.taken.entry(mark).or_insert(note) == note {
                return mark;
            }
        }
    }

    /// The same where notes are blocks as any other, and their marks links to them.
    pub(super) fn without_notes(mut self) -> Anchors<'p> {
        self.marks.clear();
        self.notes.clear();
        self.back.clear();
        self
    }

    /// The mark of a note that a link is.
    pub(super) fn mark(&self, link: NodeId) -> Option<Mark> {
        self.marks.get(&link).copied()
    }

    /// The mark of the note that an element is.
    pub(super) fn note(&self, node: NodeId) -> Option<Mark> {
        self.notes.get(&node).copied()
    }

    /// Whether a link only leads back from a note.
    pub(super) fn is_back(&self, link: NodeId) -> bool {
        self.back.contains(&link)
    }

    /// Whether a link leads to a place that is written.
    pub(super) fn is_inside(&self, link: NodeId) -> bool {
        self.inside.contains(&link)
    }

    /// The name of a place that a link leads to.
    pub(super) fn place(&self, node: NodeId) -> Option<&'p str> {
        self.places.get(&node).copied()
    }
}

/// The links of a set that lead to places of the page, with the names of those.
fn links<'p>(page: &'p Page, nodes: &NodeSet) -> Vec<(NodeId, &'p str)> {
    let links = nodes.iter().filter(|node| page.tag(*node) == Tag::A);
    links.filter_map(|link| Some((link, fragment(page, link)?))).collect()
}

/// The name of the place of the page that a link leads to. Marks of notes may have the address of the page before it.
fn fragment(page: &Page, link: NodeId) -> Option<&str> {
    let (address, fragment) = page.attr(link, "href")?.trim().split_once('#')?;
    (!fragment.is_empty() && (address.is_empty() || is_mark(page, link))).then_some(fragment)
}

/// The first place of each name.
fn targets<'p>(page: &'p Page, links: &[(NodeId, &'p str)]) -> HashMap<&'p str, Option<NodeId>> {
    let mut targets: HashMap<&str, Option<NodeId>> = HashMap::new();
    targets.extend(links.iter().map(|(_, fragment)| (*fragment, None)));
    for node in page.nodes().filter(|node| page.is_element(*node)) {
        let name = || page.attr(node, "name").filter(|_| page.tag(node) == Tag::A);
        if let Some(target) = page.attr(node, "id").or_else(name).and_then(|id| targets.get_mut(id)) {
            target.get_or_insert(node);
        }
    }
    targets
}

/// A set with the notes whose marks are in it; none if it has them all. A mark without its note says nothing.
///
/// ```
/// use unchaff_dom::{NodeId, Page, emit};
///
/// let page = Page::parse("<p>Used.<sup><a href=#n1>1</a></sup></p><footer><ol><li id=n1>A note.</ol></footer>");
/// let paragraph = page.nodes().find(|node| page.name(*node) == "p").unwrap();
/// let content = page.subtree_set(paragraph);
/// let whole = emit::with_notes(&page, &content).unwrap();
/// assert_eq!(emit::markdown(&page, &whole), "Used.[^1]\n\n[^1]: A note.\n");
/// assert!(emit::with_notes(&page, &whole).is_none());
/// ```
#[must_use]
pub fn with_notes(page: &Page, nodes: &NodeSet) -> Option<NodeSet> {
    let mut links = links(page, nodes);
    links.retain(|(link, _)| is_mark(page, *link));
    if links.is_empty() {
        return None;
    }
    let targets = targets(page, &links);
    let notes = links.iter().filter_map(|(link, fragment)| note(page, *link, targets[fragment]?));
    let missing = notes.filter(|note| page.counts(*note).chars > 0 && nodes.iter_below(page, *note).next().is_none());
    let mut whole: Option<NodeSet> = None;
    for note in missing {
        whole.get_or_insert_with(|| nodes.clone()).insert_subtree(page, note);
    }
    whole
}

/// Whether a link looks like the mark of a note: a star or a dagger, or a few letters or digits that are raised, or called one.
fn is_mark(page: &Page, link: NodeId) -> bool {
    has_signs(page.text(link)) || Mark::of(page.text(link)).is_some() && is_raised(page, link)
}

fn has_signs(text: &str) -> bool {
    let text = text.trim().trim_matches(['[', ']', '(', ')']);
    !text.is_empty() && text.len() <= MOST_MARK && text.chars().all(is_sign)
}

/// Whether a character marks notes.
pub(super) fn is_sign(character: char) -> bool {
    matches!(character, '*' | '†' | '‡')
}

fn is_raised(page: &Page, link: NodeId) -> bool {
    page.ancestors(link).take(2).chain(page.element_children(link).take(1)).any(|node| page.tag(node) == Tag::Sup)
        || page.attr(link, "role").is_some_and(|role| role.contains("noteref"))
        || page.classes(link).any(|class| class.contains("footnote") || class.contains("noteref"))
}

/// The note that a link leads to, if it is the mark of one.
fn note(page: &Page, link: NodeId, target: NodeId) -> Option<NodeId> {
    if target <= link || !is_mark(page, link) {
        return None;
    }
    let block = [target].into_iter().chain(page.ancestors(target).take(3)).find(|node| page.tag(*node).is_block())?;
    let is_note = matches!(page.tag(block), Tag::Li | Tag::P | Tag::Dd | Tag::Div | Tag::Aside);
    (is_note && page.counts(block).chars <= MOST_NOTE_CHARS && !page.is_ancestor(block, link)).then_some(block)
}

/// The element at the start of a note that says its mark again.
fn own_mark(page: &Page, link: NodeId, target: NodeId) -> Option<NodeId> {
    let bare = |node| page.text(node).trim_matches(|sign: char| sign.is_whitespace() || "[]().:".contains(sign));
    let note = note(page, link, target)?;
    let mut below = page.descendants(note).take_while(|below| page.is_element(*below) || page.counts(*below).chars == 0);
    below.find(|below| page.is_element(*below) && !page.tag(*below).is_block() && bare(*below) == bare(link))
}

#[cfg(test)]
mod tests {
    use crate::{Page, Parser, emit};

    fn written(html: &str) -> [String; 2] {
        let page: Page = Parser::new().url("https://e.org/a").parse(html);
        let nodes = page.subtree_set(page.root());
        [emit::markdown(&page, &nodes), emit::html(&page, &nodes)]
    }

    #[test]
    fn notes_are_notes_and_links_back_from_them_go() {
        for html in [
            "<p>Used.<sup id=r1><a href=#n1>1</a></sup> And<a href=#n2 id=r2><sup>2</sup></a>.</p>\
             <ol><li id=n1><p>One. <a href=#r1>↩</a></p><p>More.</p><li id=n2>Two. <a href=#r2>^</a></ol>",
            "<p>Used.<sup><a href=#n1 id=r1>[1]</a></sup> And<a class=footnote-ref href=#n2 id=r2>2</a>.</p>\
             <p id=n1><a href=#r1>↑</a> One.<p>More.<p><a name=n2 href=#r2>^</a> Two.",
            "<p>Used.<a class=footnote-anchor id=r1 href=https://e.org/a#n1>1</a> And<a class=footnote-anchor id=r2 href=https://e.org/a#n2>2</a>.</p>\
             <div class=footnote><a class=footnote-number id=n1 href=https://e.org/a#r1>1</a><div><p>One.<p>More.</div></div>\
             <div class=footnote><a class=footnote-number id=n2 href=https://e.org/a#r2>2</a><div><p>Two.</div></div>",
        ] {
            let [markdown, _] = written(html);
            assert!(markdown.starts_with("Used.[^1] And[^2].\n\n[^1]: One.\n\n"), "{markdown}");
            assert!(markdown.ends_with("More.\n\n[^2]: Two.\n"), "{markdown}");
        }
    }

    #[test]
    fn links_to_what_is_written_stay_fragments() {
        let [markdown, html] = written("<p><a href=#b>On</a> <a href=#gone>off</a> <a href=/c#b>c</a></p><h2 id=b>B</h2>");
        assert_eq!(markdown, "[On](#b) [off](https://e.org/a#gone) [c](https://e.org/c#b)\n\n## B\n");
        assert_eq!(
            html,
            "<p><a href=\"#b\">On</a> <a href=\"https://e.org/a#gone\">off</a> <a href=\"https://e.org/c#b\">c</a></p>\n<h2 id=\"b\">B</h2>\n"
        );
    }

    #[test]
    fn two_notes_of_one_mark_stay_links() {
        let [markdown, _] =
            written("<p>a<sup><a href=#x>1</a></sup> b<sup><a href=#y>1</a></sup></p><ol><li id=x>X</ol><ol><li id=y>Y</ol>");
        assert_eq!(markdown, "a[^1] b[1](#y)\n\n[^1]: X\n\n1. Y\n");
    }

    #[test]
    fn stars_and_daggers_are_notes_and_a_note_does_not_say_its_mark() {
        let [markdown, html] = written(
            "<p>Rain<a href=#a>*</a>, snow<sup><a href=#b>†</a></sup> and rain<a href=#a>*</a>, hail<sup><a href=#c>1</a></sup>.</p>\
             <p id=a><b>*</b> By noon.</p><p><a name=b>†</a> By night.<p id=c><sup>1</sup> Once.<p>So<sup><a href=#d>**</a></sup>.<p id=d>** Not.",
        );
        assert_eq!(
            markdown,
            "Rain[^1], snow[^2] and rain[^1], hail[^3].\n\n[^1]: By noon.\n\n[^2]: By night.\n\n[^3]: Once.\n\nSo[^4].\n\n[^4]: Not.\n"
        );
        assert!(html.contains("<a href=\"#a\">*</a>"), "{html}");
    }
}
