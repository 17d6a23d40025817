//! Entries that somebody signed: a name, and what the person wrote; without names of elements, dates, or ways to answer.
//!
//! Guest books written by hand and shops that show one review have nothing else. What tells an entry from a card or a paragraph is its
//! form: the first text is short and no sentence, it stands apart from the rest (bold, a term, a line of its own), the rest is
//! sentences, and nothing in it leads elsewhere. That alone would be too little, so it counts only below a heading that announces what people say
//! (`comment_headings`), or where a line of marks (★★★★☆) or a date stands between name and sentences.

use crate::rules::comment_signs::{Reading, has_price, is_dated, is_speaking};
use unchaff_dom::words::is_ideograph;
use unchaff_dom::{NodeId, Page, Tag, words};

/// Marks that an entry of one line can be made of.
const MARKS: &[char] = &['★', '☆', '⭐', '✮', '⭑', '✩', '⯪', '\u{fe0f}'];

/// Texts of an entry at most; more is a page.
const MOST_TEXTS: usize = 12;
/// Nodes of an entry at most, so that entries in entries cost no more than their nodes.
const MOST_NODES: usize = 80;
/// Bytes that somebody wrote at most.
const LONGEST: usize = 8000;
/// Characters of a name at most.
pub(crate) const LONGEST_NAME: usize = 40;
/// Words of a name at most; with a date, twice as many.
const MOST_NAME_WORDS: u32 = 5;
/// Elements before the first entry below a heading at most.
const MOST_NOTES: usize = 2;
/// Elements of one entry besides the one that opens it, at most.
const MOST_PARTS: usize = 3;

/// Words of what gives marks at least: stars and how many they are is no review.
pub(crate) const LEAST_MARKED: u32 = 8;

/// Words of what is dated under a heading of reviews at most: longer ones are articles.
const LONGEST_VOICE: u32 = 150;

/// What sentences end with.
pub(crate) const SENTENCE_ENDS: &[char] = &['.', '!', '?', '…', '。', '！', '？'];
/// What stands between a name and what was written.
pub(crate) const AFTER_NAMES: &[char] = &[':', '：', ',', '-', '–', '—', '|', '·', ' '];
/// What stands before a name below what was written.
pub(crate) const DASHES: &[char] = &['-', '–', '—', '―', '~', '|', ' '];

/// A text that is not blank, and its words.
#[derive(Clone, Copy)]
pub(crate) struct Line<'p> {
    pub(crate) node: NodeId,
    pub(crate) text: &'p str,
    pub(crate) words: u32,
}

impl<'p> Line<'p> {
    pub(crate) fn of(node: NodeId, text: &'p str) -> Line<'p> {
        Line { node, text: text.trim(), words: words::words(text).count() as u32 }
    }
}

/// Where an entry stands, which says what it may have besides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub(crate) enum Around {
    /// Anywhere on a page: what has a picture or a heading of its own may be a card.
    Page,
    /// After a heading of comments that may be about something else: dates alone count.
    Near,
    /// Below a heading that names those who write, which may be about them: dates, marks, and names below what was written.
    Writers,
    /// Below a heading of reviews or voices, which may be an article about these: dates, marks, and names that stand apart.
    Voices,
    /// Below a heading of comments: these have portraits, names as headings, and names with a colon.
    Comments,
}

/// The texts of an element that are not blank.
fn texts(page: &Page, node: NodeId) -> impl Iterator<Item = Line<'_>> {
    let texts = page.descendants(node).filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0);
    texts.map(|node| Line { node, text: page.string(node).trim(), words: page.counts(node).words })
}

fn lines(page: &Page, node: NodeId) -> Option<Vec<Line<'_>>> {
    if page.range(node).len() > MOST_NODES {
        return None;
    }
    let lines: Vec<Line<'_>> = texts(page, node).take(MOST_TEXTS + 1).collect();
    (1..=MOST_TEXTS).contains(&lines.len()).then_some(lines)
}

/// Whether a line is a name, alone or with a date.
fn is_name(line: &Line<'_>) -> bool {
    let text = line.text.trim_start_matches(DASHES).trim_end_matches(AFTER_NAMES);
    let is_led = line.text.starts_with(DASHES);
    // Each ideograph is a word.
    let ideographs = text.chars().take(LONGEST_NAME).filter(|one| is_ideograph(*one)).count() as u32;
    let words = line.words.saturating_sub(ideographs / 2);
    let (most_words, longest) =
        if is_dated(text) { (2 * MOST_NAME_WORDS, 2 * LONGEST_NAME) } else { (MOST_NAME_WORDS, LONGEST_NAME) };
    // An initial and a shortened month end like a sentence.
    let is_shortened = || {
        let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
        text.ends_with('.') && (is_led || last.chars().count() == 2)
    };
    (1..=most_words).contains(&words)
        && text.chars().take(longest + 1).count() <= longest
        && (!text.ends_with(SENTENCE_ENDS) || is_shortened())
        && text.chars().next().is_some_and(|first| first.is_alphanumeric() && (!first.is_lowercase() || words == 1 || is_led))
}

/// Whether texts are what somebody wrote: more than the name, with the end of a sentence.
fn is_written(lines: &[Line<'_>], name: &Line<'_>) -> bool {
    let chars = |line: &Line<'_>| line.text.chars().count();
    lines.iter().all(|line| line.text.len() <= LONGEST)
        && lines.iter().map(|line| line.words).sum::<u32>() >= 3
        && lines.iter().map(chars).sum::<usize>() > chars(name)
        && !lines.iter().any(|line| has_price(line.text))
        && lines.iter().any(|line| line.text.ends_with(SENTENCE_ENDS) || line.text.ends_with(['"', '”', '»', ')', '」']))
}

/// Whether an element has links besides its name and one or two words to answer, or what cards have.
fn leads_elsewhere(page: &Page, node: NodeId, name: Option<&Line<'_>>, around: Around) -> bool {
    let is_linked =
        |line: &&Line<'_>| page.ancestors(line.node).take_while(|above| *above >= node).any(|above| page.tag(above) == Tag::A);
    let allowed = name.filter(is_linked).map_or(0, |name| name.words) + if around == Around::Page { 0 } else { 2 };
    let is_card = |inner: NodeId| page.tag(inner).heading_level().is_some() || page.tag(inner) == Tag::Img;
    page.counts(node).link_words > allowed || around == Around::Page && page.descendants(node).any(is_card)
}

/// Whether an element is one review: a name, a line of marks, and sentences.
pub(crate) fn is_marked_entry(page: &Page, node: NodeId) -> bool {
    let Some(lines) = lines(page, node) else { return false };
    let is_marks = |line: &Line<'_>| line.text.chars().all(|character| MARKS.contains(&character) || character.is_whitespace());
    let (marks, rest): (Vec<Line<'_>>, Vec<Line<'_>>) = lines.into_iter().partition(is_marks);
    let Some((at, name)) = rest.iter().enumerate().find(|(_, line)| is_name(line)) else { return false };
    // The name stands first, or last as under a quotation.
    let written = if at == 0 { &rest[1..] } else { &rest[..at] };
    marks.len() == 1
        && (at == 0 || at + 1 == rest.len())
        && is_written(written, name)
        && !leads_elsewhere(page, node, None, Around::Page)
}

/// Whether an element is an entry: a name that stands apart, and sentences after it or before it; or one text that begins with a name and a colon.
pub(crate) fn is_signed_entry(page: &Page, node: NodeId, around: Around) -> bool {
    let Some(lines) = lines(page, node) else { return false };
    let stands_apart = |name: &Line<'_>| {
        page.ancestors(name.node)
            .take_while(|above| *above > node)
            .any(|above| is_emphasis(page.tag(above)) || page.tag(above).is_block())
    };
    let is_by =
        |name: &Line<'_>, written: &[Line<'_>]| is_written(written, name) && !leads_elsewhere(page, node, Some(name), around);
    match lines.as_slice() {
        [] => false,
        [only] => {
            around == Around::Comments
                && only.text.split_once([':', '：']).is_some_and(|(name, said)| {
                    let part = |text| Line::of(only.node, text);
                    // A list of the latest comments has their beginnings.
                    let is_cut = said.ends_with("...") || said.ends_with('…');
                    !is_cut && is_name(&part(name)) && is_by(&part(name), &[part(said)])
                })
        }
        // Under a heading of reviews, a term with a colon is as likely a point of an article.
        [first, second, ..]
            if around <= Around::Voices
                && around > Around::Near
                && (first.text.ends_with(':') || second.text.starts_with(':')) =>
        {
            false
        }
        [first, rest @ ..] if around != Around::Writers && is_name(first) && stands_apart(first) && is_by(first, rest) => true,
        [rest @ .., last] => is_name(last) && (stands_apart(last) || last.text.starts_with(DASHES)) && is_by(last, rest),
    }
}

/// Whether an element is an entry that tells itself, whatever stands around it: a name, behind it a date, and then sentences.
pub(crate) fn is_dated_entry(page: &Page, node: NodeId) -> bool {
    // Most elements are not, and tell so by their first texts.
    let mut first = texts(page, node).take(3);
    let Some(name) = first.next().filter(is_person) else { return false };
    // Where somebody is from may stand between name and date.
    let Some((at, in_line)) = first.enumerate().find_map(|(at, line)| Some((at, behind_date(&line)?))) else { return false };
    let Some(lines) = lines(page, node) else { return false };
    let rest = &lines[1..];
    let mut written: Vec<Line<'_>> = in_line.into_iter().collect();
    written.extend(&rest[at + 1..]);
    let begins = written.first().is_some_and(|line| !line.text.starts_with([',', ';', '.', ')']));
    // Of a row of a table, the first cell has both and the second what was written; others are rows of data.
    let is_row_of_data = || {
        let mut cells = page.element_children(node);
        let first = cells.next().map(|cell| page.end(cell));
        page.tag(node) == Tag::Tr && (cells.count() != 1 || first.is_none_or(|end| rest[at].node >= end))
    };
    begins && is_written(&written, &name) && !is_row_of_data() && !is_card(page, node, &name)
}

/// Whether a text is a name by itself, or what somebody is called on a site: no version, no term with a colon.
pub(crate) fn is_person(line: &Line<'_>) -> bool {
    let letters = line.text.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_called = || line.words == 1 && letters > 2 && line.text.starts_with(char::is_alphabetic);
    let is_small = || {
        let text = line.text;
        line.words <= 3 && text.starts_with(char::is_lowercase) && text.len() <= LONGEST_NAME && !text.ends_with(SENTENCE_ENDS)
    };
    let has_digit = line.text.bytes().any(|byte| byte.is_ascii_digit());
    (if has_digit { is_called() } else { is_name(line) || is_small() }) && !line.text.ends_with([':', '：'])
}

/// What stands behind a date in the same text, if the text begins with one: nothing, as a rule.
fn behind_date<'p>(line: &Line<'p>) -> Option<Option<Line<'p>>> {
    // A year alone is that of a book or a game.
    let is_more = line.text.trim_matches(|one: char| !one.is_alphanumeric()).len() > 4;
    if line.words <= 2 * MOST_NAME_WORDS && line.text.len() <= LONGEST_NAME && is_more && is_dated(line.text) {
        return Some(None);
    }
    // A day in brackets: (14 mei): We have a list.
    let (day, behind) = line.text.strip_prefix(['(', '['])?.split_once([')', ']'])?;
    let is_number = |word: &str| word.len() < 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_month = |word: &str| word.chars().all(char::is_alphabetic) && word.chars().count() > 2;
    let words: Vec<&str> = day.split([' ', '.']).filter(|word| !word.is_empty()).collect();
    let is_day = matches!(words[..], [one, other] if is_number(one) && is_month(other) || is_month(one) && is_number(other));
    let behind = behind.trim_start_matches(AFTER_NAMES);
    is_day.then(|| (!behind.is_empty()).then(|| Line::of(line.node, behind)))
}

/// Whether an element has a picture or a heading, or links besides the name and a word or two to answer.
fn is_card(page: &Page, node: NodeId, name: &Line<'_>) -> bool {
    let is_of_card = |inner: NodeId| page.tag(inner).heading_level().is_some() || page.tag(inner) == Tag::Img;
    leads_elsewhere(page, node, Some(name), Around::Near) || page.descendants(node).any(is_of_card)
}

/// Whether an element is no more than the line above an entry: a name that is emphasised or a heading, or a name with a date.
fn is_opening_line(page: &Page, node: NodeId) -> bool {
    let Some(lines) = lines(page, node) else { return false };
    let whole = Line { node, text: page.text(node).trim(), words: page.counts(node).words };
    let is_apart = page.tag(node).heading_level().is_some()
        || is_emphasis(page.tag(node))
        || page.ancestors(lines[0].node).take_while(|above| *above > node).any(|above| is_emphasis(page.tag(above)));
    is_name(&whole) && (is_apart || is_dated(whole.text)) && !is_dated_only(whole.text)
}

/// Whether a line has a date and no word besides.
fn is_dated_only(text: &str) -> bool {
    is_dated(text) && !text.chars().any(char::is_alphabetic)
}

pub(crate) fn is_emphasis(tag: Tag) -> bool {
    matches!(tag, Tag::B | Tag::Strong | Tag::Dt | Tag::Th | Tag::Cite | Tag::Em | Tag::I | Tag::U)
}

/// Entries among siblings: the elements they consist of, and how many they are.
pub(crate) struct Entries {
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) number: u32,
}

/// The entries that siblings after a heading are: elements that are alike, each dated, with marks, or signed, and what stands between them; or
/// lines that are alike and open an entry, each with what follows it, or close one. One is enough where the heading says that there is one.
pub(crate) fn entries_among(reading: &Reading<'_>, siblings: &[NodeId], is_one: bool, around: Around) -> Option<Entries> {
    let page = reading.page;
    let is_theirs = around != Around::Near;
    let is_line =
        |node: NodeId| is_theirs && is_opening_line(page, node) && (around == Around::Comments || is_dated(page.text(node)));
    let is_linked = |node: NodeId| page.counts(node).link_words * 3 > page.counts(node).words;
    let is_whole = |node: NodeId| {
        let signs = reading.signs(node);
        let is_short = || !is_linked(node) && signs.words <= LONGEST_VOICE;
        let is_dated = signs.dates > 0
            && page.counts(node).words > MOST_NAME_WORDS
            && (around == Around::Near || around == Around::Comments || is_short());
        let is_marked = || is_theirs && signs.ratings > 0 && signs.words >= LEAST_MARKED && !has_price(page.text(node));
        is_dated || is_marked() || is_theirs && is_signed_entry(page, node, around)
    };
    let alike = |node: NodeId, other: NodeId| {
        page.tag(node) == page.tag(other) && page.classes(node).next() == page.classes(other).next()
    };
    let openings = |opens: &dyn Fn(NodeId) -> bool| {
        let mut found: Vec<usize> = Vec::new();
        for (at, node) in siblings.iter().enumerate() {
            let is_near = found.last().map_or(at <= MOST_NOTES, |last| at - last <= MOST_PARTS + 1);
            if !is_near {
                break;
            }
            if found.first().is_none_or(|first| alike(*node, siblings[*first])) && opens(*node) {
                found.push(at);
            }
        }
        (found.len() > usize::from(!(is_one && is_theirs))).then_some(found)
    };
    let is_text =
        |at: usize| siblings.get(at).is_some_and(|node| !is_linked(*node) && page.text(*node).trim().ends_with(SENTENCE_ENDS));
    let begins_by_speaking = |node: NodeId| page.text(node).split_whitespace().next().is_some_and(is_speaking);
    let lines = openings(&is_line).filter(|found| {
        let texts = found.iter().filter(|at| is_text(**at + 1)).count();
        found.windows(2).all(|pair| pair[1] > pair[0] + 1) && 2 * texts >= found.len() - 1 && is_text(found[0] + 1)
    });
    let (found, least) = lines.map(|found| (found, 1)).or_else(|| openings(&is_whole).map(|found| (found, 0)))?;
    let (first, last) = (*found.first()?, *found.last()?);
    // The one at the border has as many parts as the shortest of the others.
    let parts = found.windows(2).map(|pair| pair[1] - pair[0] - 1).min().unwrap_or(least);
    let closes = least > 0 && first > 0 && is_text(first - 1) && (!is_text(last + 1) || begins_by_speaking(siblings[first]));
    let range = if closes { first.saturating_sub(parts)..=last } else { first..=(last + parts).min(siblings.len() - 1) };
    Some(Entries { nodes: siblings[range].to_vec(), number: found.len() as u32 })
}

/// Whether a list of terms is a guest book: each term a name, each description what was written.
pub(crate) fn is_signed_list(page: &Page, node: NodeId) -> bool {
    if page.tag(node) != Tag::Dl {
        return false;
    }
    let children: Vec<NodeId> = page.element_children(node).collect();
    let line = |node: NodeId| Line { node, text: page.text(node).trim(), words: page.counts(node).words };
    children.len() >= 4
        && page.range(node).len() <= MOST_TEXTS * children.len()
        && !leads_elsewhere(page, node, None, Around::Page)
        && children.chunks(2).all(|pair| match pair {
            [term, said] => {
                let name = line(*term);
                page.tag(*term) == Tag::Dt && page.tag(*said) == Tag::Dd && is_name(&name) && is_written(&[line(*said)], &name)
            }
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::select::Selector;

    fn first(html: &str) -> (Page, NodeId) {
        let page = Page::parse(html);
        let node = page.select(&Selector::parse("#e").unwrap()).next().unwrap();
        (page, node)
    }

    #[test]
    fn a_review_is_a_name_marks_and_a_sentence() {
        let is = |html: &str| {
            let (page, node) = first(html);
            is_marked_entry(&page, node)
        };
        assert!(is("<div id=e><p>Jonas</p><p>★★★★★</p><p>Our son takes it everywhere.</p></div>"));
        assert!(is("<div id=e><p>★★★☆☆</p><p>\"Lighter than it looks.\"</p><p>Mrs. Gray</p></div>"));
        // A card leads elsewhere, a summary says no sentence, a product has a heading.
        assert!(!is("<div id=e><a href=x>Lamp</a><p>★★★★★</p><p>Made in a workshop by the sea.</p></div>"));
        assert!(!is("<div id=e><p>★★★★☆</p><p>12 reviews</p></div>"));
        assert!(!is("<div id=e><h3>Lamp</h3><p>★★★★☆</p><p>Made in a workshop by the sea.</p></div>"));
    }

    #[test]
    fn an_entry_tells_itself_by_a_name_a_date_and_sentences() {
        let is = |html: &str| {
            let (page, node) = first(html);
            is_dated_entry(&page, node)
        };
        assert!(is("<div id=e><b>Ann</b> (3 May, 18:20)<br>The soup was warm.</div>"));
        assert!(is("<li id=e><p>Old Tom <span>2021/06/20</span></p><p>It leaks a little.</p></li>"));
        assert!(is(
            "<div id=e><span>Ann</span><span>from Leeds</span><span>5 years ago</span><div>The soup was warm.</div></div>"
        ));
        // A version, a fact, an event that leads elsewhere, a sentence with a year, a row of a table.
        assert!(!is("<li id=e><b>Version 2.1</b> (2021-06-20)<br>It no longer leaks.</li>"));
        assert!(!is("<p id=e><b>Opened:</b> 12.5.2009<br>The hall has two doors.</p>"));
        assert!(!is("<div id=e><h3>Soup day</h3><p>3 May 2021</p><p>There will be soup.</p></div>"));
        assert!(!is("<p id=e><b>In May</b> 2021<b>, the hall opened.</b> Nobody came.</p>"));
        assert!(!is("<table><tr id=e><td>Ann<td>2021<td>The soup was warm.</table>"));
        assert!(is("<table><tr id=e><td><b>Ann</b><br>7.3.2021<td>The soup was warm.</table>"));
        assert!(is("<div id=e><i>soup lover</i> <i>4/4/2019</i><p>The soup was warm.</p><a href=#>Report</a></div>"));
        assert!(is("<p id=e><b>Ann98</b> (14 mei): The soup was warm.</p>"));
    }

    #[test]
    fn below_a_heading_a_name_may_have_a_colon_or_a_portrait_or_stand_last() {
        let is = |html: &str, around: Around| {
            let (page, node) = first(html);
            is_signed_entry(&page, node, around)
        };
        for html in [
            "<p id=e><b>Ann</b>: The soup was warm and the room was not.",
            "<p id=e><strong>Ann</strong> – 3 May 2012<br>The soup was warm.",
            "<li id=e>Ann: The soup was warm and the room was not.",
            "<div id=e><img src=a><h4>Ann</h4><p>The soup was warm.</p></div>",
            "<blockquote id=e>The soup was warm.<br>— Ann, Leeds</blockquote>",
        ] {
            assert!(is(html, Around::Comments), "{html}");
        }
        assert!(is("<blockquote id=e><p>The soup was warm.</p><cite>Ann</cite></blockquote>", Around::Voices));
        assert!(!is("<p id=e><b>Better soup</b>: it is warm.", Around::Voices));
        assert!(!is("<li id=e>Ann: The soup was warm and the…", Around::Comments));
        assert!(!is("<li id=e>Ann: The soup was warm and the room was not.", Around::Page));
        assert!(!is("<div id=e><img src=a><h4>Soup</h4><p>A warm one, 3 €.</p></div>", Around::Comments));
    }

    #[test]
    fn an_entry_of_a_guest_book_is_a_name_apart_and_sentences() {
        let is = |html: &str| {
            let (page, node) = first(html);
            is_signed_entry(&page, node, Around::Page) || is_signed_list(&page, node)
        };
        assert!(is("<table id=e><tr><td><b>Heinz</b><br>We stood there for an hour.</table>"));
        assert!(is("<div id=e><p>上海 小林</p>水放凉一点，茶果然不苦了。</div>"));
        assert!(is("<dl id=e><dt>Agathe<dd>Thank you for the soup.<dt>The cousins<dd>We saw two owls and no telephone.</dl>"));
        assert!(!is("<div id=e>Heinz <br>We stood there for an hour.</div>"));
        assert!(!is("<div id=e><b>We stood there for an hour.</b><p>Nobody came.</p></div>"));
        assert!(!is("<dl id=e><dt>Width<dd>9 cm<dt>Light<dd>LED</dl>"));
    }
}
