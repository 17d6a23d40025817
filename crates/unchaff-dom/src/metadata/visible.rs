//! What readers see: the headline, the line with the author's name, the date.
//!
//! The anchor is the headline: the heading that the page's title repeats, else the first `h1`. An element is a hint if its
//! tag, `rel` or class speaks of a date or an author; hints count near the headline only, as every teaser and comment has
//! its own, and not behind the linked heading of a teaser. Then comes text next to the headline that is little more than a
//! date, and last what `dated.rs` finds elsewhere. Navigation, asides, comments and lists of related pages are skipped, unless
//! they hold most of the page or its first `h1`.

use super::candidates::{Candidates, Field};
use super::date::{self, DayOrder};
use super::dated::{self, Far, Said};
use super::title::{self, Headings, SiteNames};
use super::value::{self, folded};
use super::{Source, meta, person};
use crate::{NodeId, Page, Tag};
use std::ops::Range;

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
    /// `rel=author` in what is skipped.
    aside_authors: Vec<NodeId>,
    /// `rel=tag`, and whether it is a category, as content systems have both.
    tags: Vec<(NodeId, bool)>,
    licence: Option<NodeId>,
    skipped: Vec<Range<NodeId>>,
    first_h1: Option<NodeId>,
}

impl Visible {
    pub(super) fn new(page: &Page) -> Visible {
        Visible { first_h1: page.nodes().find(|node| page.tag(*node) == Tag::H1), ..Visible::default() }
    }

    /// Takes an element; to be called in document order.
    pub(super) fn element(&mut self, page: &Page, node: NodeId, class: &str, id: &str, rel: &str) {
        let tag = page.tag(node);
        let has_rel = |name: &str| {
            tag == Tag::A && !rel.is_empty() && rel.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case(name))
        };
        let names_author = has_rel("author");
        if self.licence.is_none() && !rel.is_empty() && tag == Tag::A && rel.split_ascii_whitespace().any(meta::is_licence) {
            self.licence = Some(node);
        }
        if self.skipped.last().is_some_and(|range| node < range.end) {
            if names_author && self.aside_authors.len() < MOST {
                self.aside_authors.push(node);
            }
            return;
        }
        let classes = if class.is_empty() { Classes::default() } else { classes(class) };
        let is_elsewhere = match tag {
            Tag::Nav | Tag::Aside => true,
            Tag::Footer => page.parent(node).is_some_and(|parent| page.tag(parent) != Tag::Article),
            _ => !classes.publication && (classes.elsewhere || (!id.is_empty() && self::classes(id).elsewhere)),
        };
        let has_h1 = self.first_h1.is_some_and(|h1| (node..page.end(node)).contains(&h1));
        if is_elsewhere && !has_h1 && 2 * page.counts(node).words < page.counts(page.root()).words {
            self.skipped.push(node..page.end(node));
            return;
        }
        if matches!(tag, Tag::H1 | Tag::H2 | Tag::H3) && self.headings.len() < MOST {
            self.headings.push(node);
        }
        if self.hints.len() >= MOST || matches!(tag, Tag::Html | Tag::Body | Tag::Form | Tag::Input | Tag::Img) {
            return;
        }
        if self.tags.len() < MOST && !rel.is_empty() && (has_rel("tag") || has_rel("category")) {
            self.tags.push((node, has_rel("category")));
        }
        let rank = u8::from(!classes.publication) + u8::from(tag != Tag::Time);
        if tag == Tag::Time || classes.date || classes.publication || classes.modified {
            let is_modified = classes.modified && !classes.publication;
            self.hints.push((node, if is_modified { About::Modified } else { About::Published }, rank));
        }
        if names_author {
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
        let is_h1 = |at: usize| page.tag(headings[at].0) == Tag::H1 && page.counts(headings[at].0).link_words == 0;
        let headlines: Vec<String> = (0..headings.len()).filter(|at| is_h1(*at)).map(|at| folds[at].clone()).collect();
        let printed = (0..headings.len()).filter(|at| is_h1(*at)).map(|at| headings[at].1.clone()).collect();
        let mut headings_said = Headings { headline: String::new(), folded: folds.clone(), headlines, printed };
        let part = title::part_in_headings(title, site, &headings_said).map(folded);
        let score = |at: usize| {
            let (node, text) = &headings[at];
            let is_in_title = folds[at].len() > 12 && folded_title.contains(&folds[at]) && !site.name(text);
            match () {
                () if part.as_ref() == Some(&folds[at]) || folds[at] == folded_title => (4, 0),
                () if is_in_title && title::starts_or_ends_with(title, text) != (false, false) => (3, text.len()),
                () if is_in_title => (2, text.len()),
                () => (u8::from(page.tag(*node) == Tag::H1 && !site.name(text)), 0),
            }
        };
        // Of equals the first: `max_by_key` would take the last.
        let best = (0..headings.len()).rev().max_by_key(|at| score(*at)).filter(|at| score(*at).0 > 0);
        // The name of the site, if it is the only one, still tells where the page starts.
        let best = best.or_else(|| (0..headings.len()).find(|at| page.tag(headings[*at].0) == Tag::H1));
        headings_said.headline = best.map(|at| headings[at].1.clone()).unwrap_or_default();
        (best.map(|at| headings[at].0), headings_said)
    }

    /// Offers the date and the author that stand next to the headline, and what links say of the page.
    pub(super) fn offer<'p>(&self, page: &'p Page, headline: Option<NodeId>, order: DayOrder, candidates: &mut Candidates<'p>) {
        if let Some(href) = self.licence.and_then(|node| page.attr(node, "href")) {
            candidates.offer(Field::Licence, Source::Link, 1, href);
        }
        let Some(headline) = headline else { return self.offer_only_author(page, candidates) };
        let mut near: Vec<(u8, u32, NodeId, About)> = self
            .hints
            .iter()
            .filter_map(|(node, about, rank)| {
                let is_behind = *node > headline;
                let (from, to) = if is_behind { (page.end(headline), *node) } else { (page.end(*node), headline) };
                let words = if from < to { page.counts_between(from, to).words } else { 0 };
                let most = if is_behind { WORDS_BEHIND } else { WORDS_BEFORE };
                (words <= most && !self.has_teaser_between(page, from, to)).then_some((
                    *rank + BEFORE * u8::from(!is_behind),
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
                    let Some((date, said)) = tagged_date(page, node, order) else { continue };
                    let field = match said {
                        Some(Said::Other) => continue,
                        Some(Said::Modified) => Field::Modified,
                        None if about == About::Modified => Field::Modified,
                        _ => Field::Published,
                    };
                    candidates.offer(field, Source::Visible, rank, date);
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
        for (node, is_category) in &self.tags {
            let (from, to) = if *node > headline { (page.end(headline), *node) } else { (*node, headline) };
            if from <= to && !self.has_teaser_between(page, from, to) {
                let field = if *is_category { Field::Categories } else { Field::Tags };
                candidates.offer(field, Source::Link, 0, page.text(*node));
            }
        }
        self.offer_only_author(page, candidates);
        if !has_author && !candidates.has_declared(Field::Author) {
            offer_byline(page, headline, candidates);
        }
        offer_dated_text(page, headline, order, candidates);
    }

    /// Whether a heading that is a link stands between two places: then what comes after belongs to another page.
    fn has_teaser_between(&self, page: &Page, from: NodeId, to: NodeId) -> bool {
        let first = self.headings.partition_point(|heading| *heading < from);
        let between = self.headings[first..].iter().take_while(|heading| **heading < to);
        between.into_iter().any(|heading| page.counts(*heading).link_words > 0)
    }

    /// Offers those that links to authors name, wherever they stand: one person, or several side by side.
    fn offer_only_author<'p>(&self, page: &'p Page, candidates: &mut Candidates<'p>) {
        const FAR: u8 = 50;
        let near = self.hints.iter().filter(|(_, about, _)| *about == About::LinkedAuthor).map(|(node, _, _)| node);
        let links: Vec<NodeId> = near.chain(&self.aside_authors).copied().collect();
        let mut names: Vec<String> = links.iter().flat_map(|node| person::visible(&line(page, *node))).collect();
        names.dedup();
        let are_side_by_side = links.iter().all(|link| page.parent(*link) == page.parent(links[0]));
        if names.len() == 1 || (names.len() <= 6 && are_side_by_side) {
            names.into_iter().for_each(|name| candidates.offer(Field::Author, Source::Link, FAR, name));
        }
    }

    /// The dates that stand elsewhere than next to the headline.
    pub(super) fn far_dates(&self, page: &Page, headline: Option<NodeId>, order: DayOrder) -> Far {
        let hints = self.hints.iter().filter(|(_, about, _)| *about == About::Published).map(|(node, _, _)| *node);
        dated::far(page, &self.skipped, &hints.collect::<Vec<_>>(), headline, order)
    }
}

/// Ranks of what stands before the headline start here: it is more often of the site than of the page.
const BEFORE: u8 = 3;
/// Ranks of texts that are little more than a date, behind the headline and before it.
const TEXT: u8 = 10;

/// Whether the rank of a date is that of one behind the headline.
pub(super) fn is_behind_headline(rank: u8) -> bool {
    rank < BEFORE || rank == TEXT
}

/// The date of an element for dates, and what words before it say of it. It is that of the attribute, unless readers see another that is
/// said to be of the publication.
pub(super) fn tagged_date(page: &Page, node: NodeId, order: DayOrder) -> Option<(String, Option<Said>)> {
    let attribute = |name| page.attr(node, name).and_then(|value| date::declared(value, order));
    let declared = attribute("datetime").or_else(|| attribute("content"));
    let declared = declared.or_else(|| attribute("title").filter(|_| page.tag(node) == Tag::Abbr));
    let text = if page.counts(node).words <= 40 { line(page, node) } else { String::new() };
    let seen = date::find(&text, order);
    let before = seen.as_ref().map_or("", |seen| &text[..seen.range.start]);
    let has_words = before.contains(char::is_alphanumeric);
    let said = dated::said(if has_words { before } else { dated::label_before(page, node) });
    match (declared, seen) {
        (Some(declared), Some(seen)) if declared[..10] != seen.iso[..10] && said == Some(Said::Published) => {
            Some((seen.iso, said))
        }
        (Some(declared), _) => Some((declared, said)),
        (None, seen) => Some((seen?.iso, said)),
    }
}

/// Offers the name behind the headline that a word announces (`By`), or that links to the pages of authors have.
fn offer_byline<'p>(page: &'p Page, headline: NodeId, candidates: &mut Candidates<'p>) {
    const NODES: usize = 200;
    const WORDS: u32 = 16;
    for node in (page.end(headline).0..page.len() as u32).map(NodeId).take(NODES) {
        let names = match page.tag(node) {
            Tag::A if page.attr(node, "href").is_some_and(leads_to_author) => person::visible(&line(page, node)),
            Tag::Text if person::is_by(page.string(node)) => {
                // The word may have an element of its own.
                let around = page.ancestors(node).take(3).take_while(|around| page.counts(*around).words <= WORDS);
                let lines = around.map(|around| line(page, around));
                let mut starting = lines.take_while(|line| line.trim_start().starts_with(page.string(node).trim()));
                starting.find_map(|line| Some(person::visible(&line)).filter(|names| !names.is_empty())).unwrap_or_default()
            }
            // From here on it is about other pages.
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 if page.counts(node).link_words > 0 => return,
            _ => continue,
        };
        // One word may be anything.
        if !names.is_empty() && names.iter().all(|name| name.contains(' ')) {
            return names.into_iter().for_each(|name| candidates.offer(Field::Author, Source::Visible, TEXT, name));
        }
    }
}

/// Whether an address is that of a person's page.
fn leads_to_author(href: &str) -> bool {
    let path = href.split(['?', '#']).next().unwrap_or(href);
    let mut folders = path.rsplit('/').filter(|folder| !folder.is_empty()).skip(1);
    folders.any(|folder| {
        matches!(
            folder,
            "author"
                | "authors"
                | "auteur"
                | "autor"
                | "autoren"
                | "byline"
                | "contributors"
                | "editors"
                | "journalists"
                | "profile"
                | "reporters"
                | "staff"
                | "writer"
                | "writers"
        )
    })
}

/// Offers texts next to the headline that are little more than a date.
fn offer_dated_text<'p>(page: &'p Page, headline: NodeId, order: DayOrder, candidates: &mut Candidates<'p>) {
    const TEXTS: usize = 30;
    const LONGEST: usize = 120;
    const MOST_OTHER_LETTERS: usize = 25;
    let is_text = |node: &NodeId| page.tag(*node) == Tag::Text;
    let behind = (headline.0..page.len() as u32).map(NodeId).take(10 * TEXTS).filter(is_text).map(|node| (node, TEXT));
    let before = (0..headline.0).rev().map(NodeId).take(3 * TEXTS).filter(is_text).map(|node| (node, TEXT + 1));
    for (node, rank) in behind.take(TEXTS).chain(before.take(TEXTS / 3)) {
        let text = page.string(node).trim();
        if text.len() < 8 || text.len() > LONGEST {
            continue;
        }
        let Some(dated) = date::find(text, order) else { continue };
        let (before, after) = (&text[..dated.range.start], &text[dated.range.end..]);
        if matches!(dated::said(before), Some(Said::Modified | Said::Other)) || dated::is_span(after) {
            continue;
        }
        let others = before.chars().chain(after.chars());
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
            // As a word of its own: elsewhere in a name it is also the kind of article that says an opinion.
            b'c' if starts("comments") || (is_word_start(bytes, at) && starts("comment")) => set(&mut found.elsewhere, 7),
            b'd' if starts("disqus") => set(&mut found.elsewhere, 6),
            b'd' if starts("date") || starts("datum") => set(&mut found.date, 4),
            b'f' if starts("fecha") => set(&mut found.date, 5),
            b'm' if starts("modif") => set(&mut found.modified, 5),
            b'p' if starts("publi") || starts("pubdate") || starts("posted") || starts("postdate") || starts("post-date") => {
                set(&mut found.publication, 5)
            }
            b'e' if starts("entry-date") => set(&mut found.publication, 10),
            b'r' if starts("related") || starts("reviews") => set(&mut found.elsewhere, 7),
            b's' if starts("sidebar") => set(&mut found.elsewhere, 7),
            b't' if starts("time") => set(&mut found.date, 4),
            b'u' if starts("updat") => set(&mut found.modified, 5),
            _ => 1,
        };
    }
    found
}

/// Whether a word of a name starts here, in lower case behind a mark.
fn is_word_start(bytes: &[u8], at: usize) -> bool {
    at == 0 || !bytes[at - 1].is_ascii_alphanumeric()
}

fn set(flag: &mut bool, length: usize) -> usize {
    *flag = true;
    length
}
