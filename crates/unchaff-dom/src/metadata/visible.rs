//! What readers see: the headline, the line with the author's name, the date.
//!
//! The anchor is the headline: the heading that the page's title repeats, else the first `h1`. An element is a hint if its
//! tag, `rel` or class speaks of a date or an author; hints count near the headline only, as every teaser and comment has
//! its own, and not behind the linked heading of a teaser. Without a headline they count if all dates on the page are one. Last comes text next to the headline that is little
//! more than a date. Navigation, asides, comments and lists of related pages are skipped, unless they hold most of the page.

use super::candidates::{Candidates, Field};
use super::date::{self, DayOrder};
use super::title::{self, Headings, SiteNames};
use super::value::{self, folded};
use super::{Source, person};
use crate::{NodeId, Page, Tag};

/// Hints and headings that are kept.
const MOST: usize = 256;
/// Words between the headline and a hint behind it.
const WORDS_BEHIND: u32 = 100;
/// Words between a hint and the headline behind it.
const WORDS_BEFORE: u32 = 30;
/// Nodes read for one line of text, and bytes of it.
const LINE_NODES: u32 = 60;
const LINE_BYTES: usize = 600;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum About {
    Published,
    Modified,
    Author,
    /// `rel=author`.
    LinkedAuthor,
}

/// What the names of classes speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Classes {
    publication: bool,
    date: bool,
    modified: bool,
    author: bool,
    elsewhere: bool,
}

/// Collects hints in one pass over the page.
#[derive(Debug, Default)]
pub(super) struct Visible {
    headings: Vec<NodeId>,
    hints: Vec<(NodeId, About, u8)>,
    skip_to: Option<NodeId>,
}

impl Visible {
    /// Takes an element; to be called in document order.
    pub(super) fn element(&mut self, page: &Page, node: NodeId, class: &str, id: &str, rel: &str) {
        if self.skip_to.is_some_and(|end| node < end) {
            return;
        }
        let tag = page.tag(node);
        let classes = if class.is_empty() { Classes::default() } else { classes(class) };
        let is_elsewhere = match tag {
            Tag::Nav | Tag::Aside => true,
            Tag::Footer => page.parent(node).is_some_and(|parent| page.tag(parent) != Tag::Article),
            _ => classes.elsewhere || (!id.is_empty() && self::classes(id).elsewhere),
        };
        if is_elsewhere && 2 * page.counts(node).words < page.counts(page.root()).words {
            self.skip_to = Some(page.end(node));
            return;
        }
        if matches!(tag, Tag::H1 | Tag::H2 | Tag::H3) && self.headings.len() < MOST {
            self.headings.push(node);
        }
        if self.hints.len() >= MOST || matches!(tag, Tag::Html | Tag::Body | Tag::Form | Tag::Input | Tag::Img) {
            return;
        }
        let rank = u8::from(!classes.publication) + u8::from(tag != Tag::Time);
        if tag == Tag::Time || classes.date || classes.publication || classes.modified {
            let is_modified = classes.modified && !classes.publication;
            self.hints.push((node, if is_modified { About::Modified } else { About::Published }, rank));
        }
        if tag == Tag::A && rel.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("author")) {
            self.hints.push((node, About::LinkedAuthor, 0));
        } else if classes.author {
            self.hints.push((node, About::Author, u8::from(tag != Tag::A && tag != Tag::Span)));
        }
    }

    /// Finds the headline, given the text of the `title` element: the heading that is a part of it, else the longest that it
    /// starts or ends with, else the longest that it contains, else the first `h1`.
    pub(super) fn headings(&self, page: &Page, title: &str, site: &SiteNames) -> (Option<NodeId>, Headings) {
        let text = |node: &NodeId| value::text(&line(page, *node).replace(" | ", " "), value::LONGEST_TITLE);
        let headings: Vec<(NodeId, String)> = self.headings.iter().filter_map(|node| Some((*node, text(node)?))).collect();
        let folds: Vec<String> = headings.iter().map(|(_, text)| folded(text)).collect();
        let folded_title = folded(title);
        let part = title::part_in_headings(title, site, |heading| folds.iter().any(|known| known == heading)).map(folded);
        let score = |at: usize| {
            let (node, text) = &headings[at];
            let is_in_title = folds[at].len() > 12 && folded_title.contains(&folds[at]) && !site.name(text);
            match () {
                () if part.as_ref() == Some(&folds[at]) || folds[at] == folded_title => (4, 0),
                () if is_in_title && title::starts_or_ends_with(title, text) != (false, false) => (3, text.len()),
                () if is_in_title => (2, text.len()),
                () => (u8::from(page.tag(*node) == Tag::H1), 0),
            }
        };
        // Of equals the first: `max_by_key` would take the last.
        let best = (0..headings.len()).rev().max_by_key(|at| score(*at)).filter(|at| score(*at).0 > 0);
        let headline = best.map(|at| headings[at].1.clone()).unwrap_or_default();
        (best.map(|at| headings[at].0), Headings { headline, folded: folds })
    }

    /// Offers the date and the author that stand next to the headline.
    pub(super) fn offer<'p>(&self, page: &'p Page, headline: Option<NodeId>, order: DayOrder, candidates: &mut Candidates<'p>) {
        let Some(headline) = headline else { return self.offer_only_date(page, order, candidates) };
        let mut near: Vec<(u8, u32, NodeId, About)> = self
            .hints
            .iter()
            .filter_map(|(node, about, rank)| {
                let is_behind = *node > headline;
                let (from, to) = if is_behind { (page.end(headline), *node) } else { (page.end(*node), headline) };
                let words = if from < to { page.counts_between(from, to).words } else { 0 };
                let most = if is_behind { WORDS_BEHIND } else { WORDS_BEFORE };
                // What stands before the headline is more often of the site than of the page.
                (words <= most && !self.has_teaser_between(page, from, to)).then_some((
                    *rank + 3 * u8::from(!is_behind),
                    words,
                    *node,
                    *about,
                ))
            })
            .collect();
        near.sort_by_key(|(rank, words, node, _)| (*rank, *words, *node));
        let mut has_author = false;
        for (rank, _, node, about) in near {
            match about {
                About::Published | About::Modified => {
                    let field = if about == About::Published { Field::Published } else { Field::Modified };
                    let datetime = page.attr(node, "datetime").or_else(|| page.attr(node, "content"));
                    if let Some(datetime) = datetime.filter(|datetime| date::declared(datetime, order).is_some()) {
                        candidates.offer(field, Source::Visible, rank, datetime);
                    } else if page.counts(node).words <= 40 {
                        candidates.offer(field, Source::Visible, rank, line(page, node));
                    }
                }
                // The nearest line names all authors there are; links to authors stand each for itself.
                About::Author if !has_author && page.counts(node).words <= 40 => {
                    for name in person::visible(&line(page, node)) {
                        has_author = true;
                        candidates.offer(Field::Author, Source::Visible, rank, name);
                    }
                }
                About::LinkedAuthor => {
                    for name in person::visible(&line(page, node)) {
                        candidates.offer(Field::Author, Source::Link, rank, name);
                    }
                }
                About::Author => {}
            }
        }
        offer_dated_text(page, headline, order, candidates);
    }

    /// Whether a heading that is a link stands between two places: then what comes after belongs to another page.
    fn has_teaser_between(&self, page: &Page, from: NodeId, to: NodeId) -> bool {
        let first = self.headings.partition_point(|heading| *heading < from);
        let between = self.headings[first..].iter().take_while(|heading| **heading < to);
        between.into_iter().any(|heading| page.counts(*heading).link_words > 0)
    }

    fn offer_only_date<'p>(&self, page: &'p Page, order: DayOrder, candidates: &mut Candidates<'p>) {
        let hints = self.hints.iter().filter(|(_, about, _)| *about == About::Published);
        let mut dates = hints.filter_map(|(node, _, _)| {
            let datetime = page.attr(*node, "datetime").and_then(|datetime| date::declared(datetime, order));
            datetime.or_else(|| date::find(&line(page, *node), order).map(|dated| dated.iso))
        });
        let Some(only) = dates.next() else { return };
        if dates.all(|date| date[..10] == only[..10]) {
            candidates.offer(Field::Published, Source::Visible, 0, only);
        }
    }
}

/// Offers texts next to the headline that are little more than a date.
fn offer_dated_text<'p>(page: &'p Page, headline: NodeId, order: DayOrder, candidates: &mut Candidates<'p>) {
    const TEXTS: usize = 30;
    const LONGEST: usize = 120;
    const MOST_OTHER_LETTERS: usize = 25;
    let is_text = |node: &NodeId| page.tag(*node) == Tag::Text;
    let behind = (page.end(headline).0..page.len() as u32).map(NodeId).take(10 * TEXTS).filter(is_text).map(|node| (node, 10));
    let before = (0..headline.0).rev().map(NodeId).take(3 * TEXTS).filter(is_text).map(|node| (node, 11));
    for (node, rank) in behind.take(TEXTS).chain(before.take(TEXTS / 3)) {
        let text = page.string(node).trim();
        if text.len() < 8 || text.len() > LONGEST {
            continue;
        }
        let Some(dated) = date::find(text, order) else { continue };
        let others = text[..dated.range.start].chars().chain(text[dated.range.end..].chars());
        if others.filter(|character| character.is_alphanumeric()).count() <= MOST_OTHER_LETTERS {
            candidates.offer(Field::Published, Source::Visible, rank, dated.iso);
        }
    }
}

/// The text of an element in one line: `|` where a block or a line ends, a space where another inline element starts.
pub(super) fn line(page: &Page, node: NodeId) -> String {
    let mut line = String::new();
    let mut ends_block = false;
    let mut block_ends: Vec<NodeId> = Vec::new();
    for below in page.subtree(node).take(LINE_NODES as usize) {
        while block_ends.last().is_some_and(|end| *end <= below) {
            block_ends.pop();
            ends_block = true;
        }
        let tag = page.tag(below);
        if tag == Tag::Text {
            let text = page.text(below);
            let text = &text[..text.floor_char_boundary(LINE_BYTES)];
            if !text.trim().is_empty() {
                line.push_str(if line.is_empty() {
                    ""
                } else if ends_block {
                    " | "
                } else {
                    " "
                });
                ends_block = false;
            }
            line.push_str(text);
            if line.len() > LINE_BYTES {
                line.truncate(line.floor_char_boundary(LINE_BYTES));
                break;
            }
        } else if tag == Tag::Br || (tag.is_block() && below != node) {
            ends_block = true;
            block_ends.push(page.end(below));
        }
    }
    line
}

/// Reads the names of classes in one pass over their bytes.
fn classes(names: &str) -> Classes {
    let mut found = Classes::default();
    let bytes = names.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let starts = |word: &str| bytes[at..].get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
        at += match bytes[at] | 0x20 {
            b'a' if starts("author") || starts("auteur") || starts("autor") => set(&mut found.author, 5),
            b'b' if starts("byline") => set(&mut found.author, 6),
            b'c' if starts("comment") => set(&mut found.elsewhere, 7),
            b'd' if starts("disqus") => set(&mut found.elsewhere, 6),
            b'd' if starts("date") || starts("datum") => set(&mut found.date, 4),
            b'f' if starts("fecha") => set(&mut found.date, 5),
            b'm' if starts("modif") => set(&mut found.modified, 5),
            b'p' if starts("publi") || starts("pubdate") || starts("posted") || starts("postdate") || starts("post-date") => {
                set(&mut found.publication, 5)
            }
            b'e' if starts("entry-date") => set(&mut found.publication, 10),
            b'r' if starts("related") => set(&mut found.elsewhere, 7),
            b's' if starts("sidebar") => set(&mut found.elsewhere, 7),
            b't' if starts("time") => set(&mut found.date, 4),
            b'u' if starts("updat") => set(&mut found.modified, 5),
            _ => 1,
        };
    }
    found
}

fn set(flag: &mut bool, length: usize) -> usize {
    *flag = true;
    length
}
