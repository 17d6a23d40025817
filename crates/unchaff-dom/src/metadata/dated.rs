//! Dates of pages that give none where it is looked for first: far from the headline, or without one.
//!
//! All texts outside of navigation, comments and lists of related pages are read. A date counts if a word says that it is the one
//! wanted (`Published on`, `Veröffentlicht am`), if it is nearly all that its text has, if it opens a paragraph as agencies
//! do (`BERLIN, 20.03.2021 –`), or if the element is made for dates. Every teaser and comment has its date too. So it is believed only if all of its sort
//! are of one day, or if it is the first behind the headline and no teaser stands between.

use super::date::{self, Dated, DayOrder};
use super::visible::tagged_date;
use crate::{NodeId, Page, Tag};
use std::ops::Range;

/// Texts in which a date is looked for.
const MOST: usize = 600;
/// Bytes of a text that are read.
const LONGEST: usize = 160;
/// Bytes of a longer text in which a date may open it.
const OPENING: usize = 80;
/// Bytes of a text that announces a date in the next.
const LONGEST_LABEL: usize = 60;
/// Letters and digits beside a date that is nearly alone.
const FEW: usize = 25;

/// Words that announce the date of a page, in lower case.
const PUBLISHED: [&str; 47] = [
    "published",
    "posted",
    "submitted",
    "issued",
    "date:",
    "pubdate",
    "veröffentlicht",
    "erschienen",
    "erstellt",
    "eingestellt",
    "gespeichert",
    "verfasst",
    "geschrieben",
    "datum",
    "vom ",
    "publié",
    "publiée",
    "paru le",
    "mis en ligne",
    "rédigé",
    "date de publication",
    "publicad",
    "fecha",
    "data:",
    "pubblicat",
    "inserito",
    "geplaatst",
    "gepubliceerd",
    "opublikowan",
    "data publikacji",
    "dodano",
    "utworzono",
    "опубликован",
    "дата",
    "размещен",
    "опубліковано",
    "δημοσι",
    "ημερομηνία",
    "publicerad",
    "publisert",
    "julkaistu",
    "közzétéve",
    "vydáno",
    "publikován",
    "yayın",
    "发布",
    "投稿日",
];
/// Words that announce when a page was changed.
const MODIFIED: [&str; 22] = [
    "updated",
    "modified",
    "edited",
    "revised",
    "last change",
    "aktualisiert",
    "geändert",
    "bearbeitet",
    "mis à jour",
    "modifié",
    "actualizad",
    "modificad",
    "aggiornat",
    "ultima modifica",
    "bijgewerkt",
    "aktualizacja",
    "zaktualizowano",
    "обновлен",
    "изменен",
    "uppdaterad",
    "oppdatert",
    "更新",
];

/// Words that announce a date of something else.
const OTHER: [&str; 23] = [
    "expire",
    "valid",
    "until",
    "till ",
    "ends",
    "deadline",
    "since",
    "joined",
    "registered",
    "created",
    "copyright",
    "©",
    "born",
    "release date",
    "released",
    "gültig",
    "bis ",
    "seit",
    "geboren",
    "depuis",
    "jusqu",
    "hasta",
    "fino",
];

/// What the words before a date say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// The page was published then.
    Published,
    /// It was changed then.
    Modified,
    /// It is the date of something else.
    Other,
}

/// What the words before a date say of it.
pub(super) fn said(before: &str) -> Option<Said> {
    // The words right before it: a sentence further back speaks of something else.
    const BACK: usize = 48;
    let before = before.trim_end();
    if !before.contains(|character: char| character.is_alphabetic() || character == '©') {
        return None;
    }
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(BACK))..];
    // A space behind for the words of which only the whole counts.
    let near = format!("{} ", near.to_lowercase());
    // The last place of each word counts, and only if a word starts there; of several words the last, of those at one place what the list has last.
    let mut seen = 0_u128;
    for (at, byte) in near.bytes().enumerate().rev() {
        let (mut left, mut said) = (STARTING[usize::from(byte)] & !seen, None);
        while left != 0 {
            let number = left.trailing_zeros() as usize;
            left &= left - 1;
            let (word, says) = ANNOUNCING[number];
            if near.as_bytes()[at..].starts_with(word.as_bytes()) {
                seen |= 1 << number;
                said = Some(says);
            }
        }
        if said.is_some() && !near[..at].ends_with(char::is_alphanumeric) {
            return said;
        }
    }
    None
}

/// All words that announce a date, with what they say of it.
const ANNOUNCING: [(&str, Said); MODIFIED.len() + OTHER.len() + PUBLISHED.len()] = {
    let mut all = [("", Said::Other); MODIFIED.len() + OTHER.len() + PUBLISHED.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < MODIFIED.len() {
            (MODIFIED[at], Said::Modified)
        } else if at < MODIFIED.len() + OTHER.len() {
            (OTHER[at - MODIFIED.len()], Said::Other)
        } else {
            (PUBLISHED[at - MODIFIED.len() - OTHER.len()], Said::Published)
        };
        at += 1;
    }
    all
};

/// Which of these words start with a byte, a bit each.
const STARTING: [u128; 256] = {
    let mut starting = [0; 256];
    let mut number = 0;
    while number < ANNOUNCING.len() {
        starting[ANNOUNCING[number].0.as_bytes()[0] as usize] |= 1 << number;
        number += 1;
    }
    starting
};

const _: () = assert!(ANNOUNCING.len() <= u128::BITS as usize);

/// What is known of a date by the text that it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    /// A word says that it is the date of publication.
    Announced,
    /// In an element for dates.
    Tagged,
    /// Nearly alone, or before a paragraph.
    Bare,
    /// A word says that it is the date of a change.
    Modified,
}

/// The text right before a node, if it is short: it may announce a date in the node.
pub(super) fn label_before(page: &Page, node: NodeId) -> &str {
    let texts = (0..node.0).rev().take(12).map(NodeId).filter(|before| page.tag(*before) == Tag::Text);
    let text = texts.map(|text| page.string(text).trim()).find(|text| !text.is_empty());
    text.filter(|text| text.len() <= LONGEST_LABEL).unwrap_or_default()
}

/// The dates of publication and of the last change, if they can be told.
pub(super) struct Far {
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
}

/// Looks through the whole page, except for some ranges in order, given the elements for dates and the headline.
pub(super) fn far(page: &Page, skipped: &[Range<NodeId>], hints: &[NodeId], headline: Option<NodeId>, order: DayOrder) -> Far {
    let mut found: Vec<(NodeId, Sort, String)> = Vec::new();
    for hint in hints {
        let Some((iso, said)) = tagged_date(page, *hint, order) else { continue };
        match said {
            None => found.push((*hint, Sort::Tagged, iso)),
            Some(Said::Published) => found.push((*hint, Sort::Announced, iso)),
            Some(Said::Modified) => found.push((*hint, Sort::Modified, iso)),
            Some(Said::Other) => {}
        }
    }
    let mut skipped = skipped.iter().peekable();
    let mut label = "";
    let mut read = 0;
    let mut at = page.body().unwrap_or(page.root());
    let end = page.end(at);
    while at < end && read < MOST {
        let node = at;
        at = NodeId(node.0 + 1);
        while skipped.next_if(|range| range.end <= node).is_some() {}
        if let Some(range) = skipped.peek().filter(|range| range.contains(&node)) {
            at = range.end;
            continue;
        }
        if page.tag(node) != Tag::Text {
            continue;
        }
        let text = page.string(node).trim();
        // Of a paragraph only its start is of interest.
        let start = if text.len() <= LONGEST { text } else { &text[..text.floor_char_boundary(OPENING)] };
        if date::may_hold_date(start.as_bytes()) {
            read += 1;
            found.extend(sort(text, start, label, order).map(|(sort, iso)| (node, sort, iso)));
        }
        if !text.is_empty() {
            label = if text.len() <= LONGEST_LABEL { text } else { "" };
        }
    }
    found.sort_by_key(|(node, _, _)| *node);
    let of = |sort: Sort| found.iter().filter(move |(_, known, _)| *known == sort);
    let only = |sort: Sort| {
        let (_, _, first) = of(sort).next()?;
        of(sort).all(|(_, _, iso)| iso[..10] == first[..10]).then(|| first.clone())
    };
    let behind = |sort: Sort| {
        let headline = headline?;
        let (node, _, iso) = of(sort).find(|(node, _, _)| *node > headline)?;
        let is_teaser =
            |node: NodeId| matches!(page.tag(node), Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4) && page.counts(node).link_words > 0;
        let between = page.end(headline).0..node.0;
        (!between.map(NodeId).any(is_teaser)).then(|| iso.clone())
    };
    // A bare date below the text is as often of something else.
    let is_above = |node: NodeId| 2 * page.counts_between(page.root(), node).words <= page.counts(page.root()).words;
    let bare = || only(Sort::Bare).filter(|_| of(Sort::Bare).next().is_some_and(|(node, _, _)| is_above(*node)));
    let published = only(Sort::Announced).or_else(|| behind(Sort::Announced));
    let published = published.or_else(|| only(Sort::Tagged)).or_else(bare);
    Far { published, modified: only(Sort::Modified) }
}

/// What a date is by its text, of which `start` is the beginning, and by the short text before it.
fn sort(text: &str, start: &str, label: &str, order: DayOrder) -> Option<(Sort, String)> {
    let Dated { iso, range } = date::find(start, order)?;
    let (before, after) = (&start[..range.start], &start[range.end..]);
    let letters = |text: &str| text.chars().filter(|character| character.is_alphanumeric()).count();
    let announced_by = if letters(before) == 0 { label } else { before };
    let is_short = letters(before) + letters(after) <= FEW && text.len() <= LONGEST;
    // A sentence may say when something else was published.
    let is_note = text.len() <= LONGEST && letters(before) <= 60;
    let sort = match if is_note { said(announced_by) } else { None } {
        Some(Said::Modified) => Sort::Modified,
        Some(Said::Published) => Sort::Announced,
        Some(Said::Other) => return None,
        None if is_span(after) => return None,
        None if is_short || opens(before, after) => Sort::Bare,
        None => return None,
    };
    Some((sort, iso))
}

/// Whether a date goes on to another, as those of events and offers do.
pub(super) fn is_span(after: &str) -> bool {
    let rest = after.trim_start();
    let rest = ["-", "–", "—", "to ", "bis ", "au ", "al "].iter().find_map(|mark| rest.strip_prefix(mark));
    rest.is_some_and(|rest| rest.trim_start().starts_with(|first: char| first.is_ascii_digit()))
}

/// Whether a date opens a paragraph: before it at most a place, after it a mark.
fn opens(before: &str, after: &str) -> bool {
    let is_place = before.len() <= 40 && !before.split_whitespace().any(|word| word.starts_with(char::is_lowercase));
    let marked = after.trim_start();
    is_place && (marked.starts_with([')', '|', '–', '—', ':', '•', '·']) || marked.starts_with("- ") || marked.starts_with("Uhr"))
}
