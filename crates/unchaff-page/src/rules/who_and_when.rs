//! Who wrote a comment or a post, and when: the elements that name a person or a moment.
//!
//! Several may do so in one post: the writer, whoever changed it last, whom it answers; the moment, the day since which its writer is a member. What declares
//! itself (microdata, `time`) goes before what is named so by its class, and that before pictures, in which letters stand where somebody has none.

use crate::learned::name_families::Family;
use crate::rules::comment_byline::cleaned;
use crate::rules::comment_signs::{Reading, is_dated, is_speaking};
use unchaff_dom::{NodeId, Page, Tag, metadata};

/// A name has no more characters than this.
pub(crate) const MOST_NAME: usize = 60;
/// An element with a name in it has no more nodes than this.
pub(crate) const MOST_NODES: usize = 64;
/// A line with a date has no more words than this.
const MOST_DATE_WORDS: u32 = 12;
/// So many elements above one for a name are looked at.
const MOST_LEVELS: usize = 4;

/// How plainly an element says something, the least the most plainly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Plain {
    /// By microdata.
    Declared,
    /// By its own kind or name.
    Named,
    /// By a picture, or a class that has the word in it.
    Hinted,
}

fn property(page: &Page, node: NodeId) -> &str {
    page.attr(node, "itemprop").unwrap_or_default()
}

fn is_author(property: &str) -> bool {
    property.split_ascii_whitespace().any(|name| matches!(name, "author" | "creator"))
}

/// Whether an element names a person, and nothing else, and how plainly.
pub(crate) fn person(reading: &Reading<'_>, node: NodeId) -> Option<Plain> {
    let page = reading.page;
    let has = |word: &str| page.classes(node).any(|class| class.to_ascii_lowercase().contains(word));
    let is_name_of_author =
        || property(page, node) == "name" && page.ancestors(node).take(MOST_LEVELS).any(|above| is_author(property(page, above)));
    let plain = if is_author(property(page, node)) || is_name_of_author() {
        Plain::Declared
    } else if has("avatar") || has("userpic") {
        Plain::Hinted
    } else if page.tag(node) == Tag::Cite
        || page.attr(node, "rel").is_some_and(|rel| rel.contains("author"))
        || reading.names.at(node).has(Family::Person)
        || has("username")
    {
        Plain::Named
    } else {
        return None;
    };
    // Where the name and the date stand together, the name has an element of its own.
    let is_wrapper = || page.descendants(node).take(MOST_NODES).any(|below| date(page, below).is_some());
    let name = name_in(page, node);
    let is_short = || (1..=MOST_NAME).contains(&name.trim().chars().take(MOST_NAME + 1).count());
    let is_dated = is_dated(name) || plain > Plain::Declared && is_dated(page.text(node));
    (is_short() && !is_dated && !is_wrapper()).then_some(plain)
}

/// The name that an element has, from the element for it or the first link if there is one: around it stand ranks and badges, and letters in the place of a picture.
fn name_in(page: &Page, node: NodeId) -> &str {
    let said =
        |node: NodeId| page.attr(node, "content").filter(|_| page.tag(node) == Tag::Meta).unwrap_or_else(|| page.text(node));
    // One letter stands for a picture.
    let has_letters = |below: &NodeId| said(*below).trim().chars().nth(1).is_some() && said(*below).contains(char::is_alphabetic);
    let below = || page.descendants(node).take(MOST_NODES).filter(|below| page.is_element(*below));
    let has = |node: NodeId, word: &str| page.classes(node).any(|class| class.to_ascii_lowercase().contains(word));
    let is_picture = |below: NodeId| [Some(below), page.parent(below)].into_iter().flatten().any(|node| has(node, "avatar"));
    let own = below().find(|below| property(page, *below) == "name" && has_letters(below));
    let named = || below().find(|below| has(*below, "username") && has_letters(below));
    let linked = || below().find(|below| page.tag(*below) == Tag::A && has_letters(below) && !is_picture(*below));
    said(own.or_else(named).or_else(linked).unwrap_or(node))
}

/// The name of the person whom an element names.
pub(crate) fn name_of(page: &Page, node: NodeId) -> Option<String> {
    cleaned(name_in(page, node))
}

/// Whether an element is for a date, and how plainly.
pub(crate) fn date(page: &Page, node: NodeId) -> Option<Plain> {
    if !page.is_element(node) || page.counts(node).words > MOST_DATE_WORDS {
        return None;
    }
    let is_class = |class: &str| ["date", "time", "datum", "fecha"].iter().any(|word| class.contains(word));
    // Some pages show how long it is ago, and say when in a hint.
    let is_hint = |title: &str| page.counts(node).words <= 4 && is_dated(title) && metadata::date_in(page, title).is_some();
    let plain = match property(page, node) {
        "commentTime" | "datePublished" | "dateCreated" => return Some(Plain::Declared),
        _ if page.tag(node) == Tag::Time => Plain::Named,
        _ if page.classes(node).any(is_class) && (is_dated(page.text(node)) || page.attr(node, "datetime").is_some()) => {
            Plain::Hinted
        }
        _ if page.counts(node).chars > 0 && page.attr(node, "title").is_some_and(is_hint) => Plain::Hinted,
        _ => return None,
    };
    (!is_of_change(page, node)).then_some(plain)
}

/// The text before a node, if there is any near it.
fn text_before(page: &Page, node: NodeId) -> &str {
    let is_text = |node: &NodeId| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0;
    (0..node.0).rev().take(MOST_NODES).map(NodeId).find(is_text).map_or("", |node| page.string(node)).trim()
}

/// Whether a date is that on which something was changed, by the words before it.
pub(crate) fn is_of_change(page: &Page, node: NodeId) -> bool {
    const MOST_BEFORE: usize = 40;
    let text = if page.tag(node) == Tag::Text { page.string(node) } else { page.text(node) };
    let own = text.find(|character: char| character.is_ascii_digit()).map_or("", |at| &text[..at]);
    let before = text_before(page, node);
    metadata::says_changed(own) || before.len() <= MOST_BEFORE && metadata::says_changed(before)
}

/// Whether a text is a date and hardly anything else, and not that of something else.
pub(crate) fn is_bare_date(page: &Page, node: NodeId) -> bool {
    let counts = page.counts(node);
    let is_few = counts.tokens > 0 && counts.tokens <= 8;
    is_few
        && is_dated(page.string(node))
        && metadata::date_in(page, page.string(node)).is_some()
        && !is_labelled(page, node)
        && !is_of_change(page, node)
}

/// Whether a date is that of something else, by its label or that of the text before it: *Joined: May 2012*.
fn is_labelled(page: &Page, text: NodeId) -> bool {
    let label = page.string(text).split_once(": ").map(|(label, _)| label).or_else(|| text_before(page, text).strip_suffix(':'));
    label.is_some_and(|label| {
        let last = label.split_whitespace().next_back().unwrap_or_default();
        !last.bytes().any(|byte| byte.is_ascii_digit()) && !is_speaking(last) && !last.eq_ignore_ascii_case("date")
    })
}

/// The date that a text or an element has: ISO 8601 where that can be read, else as it stands there.
pub(crate) fn date_of(page: &Page, node: NodeId) -> Option<String> {
    let read = |text: &str| metadata::date_in(page, text);
    let text = if page.tag(node) == Tag::Text { page.string(node) } else { page.text(node) };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let attribute = ["datetime", "content", "title"].iter().find_map(|name| page.attr(node, name).and_then(read));
    attribute.or_else(|| read(&text)).or(Some(text).filter(|text| !text.is_empty()))
}
