//! Runs of entries that tell by their make that readers wrote them, in any language and whatever their names and headings are.
//!
//! An entry is one of several siblings that are alike, or a few siblings that begin or end with a line like those of the others. Somebody is named in the same place of each, what
//! was written is sentences, and nothing leads elsewhere. That alone is a list of anything: [`Run::weight`] adds up what else there is, such as days, initials, ways to answer,
//! a form to write one, a heading and the number in it, and from [`ENOUGH`] on the entries are what readers wrote.

use crate::rules::comment_signs::{Reading, has_price, is_ago, is_dated, may_say};
use crate::rules::signed_entries::{AFTER_NAMES, Around, DASHES, LONGEST_NAME, Line, SENTENCE_ENDS, is_emphasis, is_person};
use std::ops::RangeInclusive;
use unchaff_dom::metadata::names_day;
use unchaff_dom::{NodeId, Page, Tag};

/// The weight from which a run of entries is what readers wrote; two alone need two more, unless the page is a guest book.
const ENOUGH: u32 = 4;

/// So many of what is weighed is in the entries themselves.
const OWN: usize = 9;

/// So many siblings are looked at.
const MOST_SIBLINGS: usize = 400;
/// Nodes of an entry at most, so that entries in entries cost no more than their nodes.
const MOST_NODES: u32 = 200;
/// Texts of an entry that are looked at.
const MOST_TEXTS: usize = 40;
/// Tokens of a line that begins or ends an entry at most.
const MOST_LINE: u32 = 14;
/// Words of an entry on average at most.
const LONG: u32 = 300;
/// Siblings of one entry at most.
const MOST_PARTS: usize = 6;
/// So many elements around a text or a run are looked at.
const MOST_ABOVE: usize = 32;
/// So many forms are looked at.
const MOST_FORMS: usize = 32;
/// Words between a run and its heading or form at most.
const NEAR: u32 = 60;

/// What quotations end with.
const QUOTES: &[char] = &['"', '”', '“', '»', '«', '」', '’', ')'];

/// What an element is made as.
type Make<'p> = (Tag, Option<&'p str>);

fn make(page: &Page, node: NodeId) -> Make<'_> {
    (page.tag(node), page.classes(node).next())
}

/// What a text stands in. Some names are links and others are not.
fn place<'p>(page: &'p Page, line: &Line<'_>) -> Make<'p> {
    let above = page.ancestors(line.node).take(MOST_ABOVE).find(|above| page.tag(*above) != Tag::A);
    above.map_or((Tag::Text, None), |above| make(page, above))
}

/// The nodes from one to before another: one or several siblings.
type Span = (NodeId, NodeId);

fn texts(page: &Page, (from, to): Span) -> impl Iterator<Item = Line<'_>> {
    let nodes = (from.0..to.0).map(NodeId);
    let texts = nodes.filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0);
    texts.map(|node| Line { node, text: page.string(node).trim(), words: page.counts(node).words })
}

/// What stands around all runs of a page.
pub(crate) struct Surroundings<'a> {
    /// Texts that announce what readers wrote.
    pub(crate) headings: &'a [(NodeId, Around)],
    pub(crate) is_guest_book: bool,
    pub(crate) min_article_words: u32,
}

/// Entries side by side: the siblings that they consist of.
pub(crate) fn runs(reading: &Reading<'_>, body: NodeId, around: &Surroundings<'_>) -> Vec<(NodeId, Vec<NodeId>)> {
    let page = reading.page;
    let forms: Vec<NodeId> = page
        .descendants(body)
        .filter(|node| page.tag(*node) == Tag::Form && reading.forms.contains(*node))
        .take(MOST_FORMS)
        .collect();
    let mut found: Vec<(u32, NodeId, Vec<NodeId>)> = Vec::new();
    let mut siblings: Vec<NodeId> = Vec::new();
    let mut next = body;
    while next < page.end(body) {
        let parent = next;
        next = NodeId(next.0 + 1);
        if !page.is_element(parent)
            || page.counts(parent).words < 8
            || reading.article_words[page.end(parent).index()] < around.min_article_words
        {
            continue;
        }
        siblings.clear();
        siblings.extend(page.element_children(parent).filter(|child| page.counts(*child).tokens > 0).take(MOST_SIBLINGS));
        if siblings.len() < 2 {
            continue;
        }
        let run = whole_siblings(page, &siblings)
            .into_iter()
            .chain(lined_siblings(page, &siblings))
            .filter_map(|spans| Run::of(reading, spans, around))
            .map(|run| (run.weight(reading, &forms, around), run))
            .filter(|(weight, run)| *weight >= ENOUGH + if run.spans.len() == 2 && !around.is_guest_book { 2 } else { 0 })
            .max_by_key(|(weight, _)| *weight);
        if let Some((weight, run)) = run {
            found.push((weight, parent, siblings.iter().copied().filter(|node| run.holds(page, *node)).collect()));
            next = page.end(parent);
        }
    }
    // Next to what is surer, others are lists of something else.
    let most = found.iter().map(|(weight, ..)| *weight).max().unwrap_or_default();
    found.into_iter().filter(|(weight, ..)| weight + 2 > most).map(|(_, parent, entries)| (parent, entries)).collect()
}

/// Siblings that are alike, each one entry: most of those that have texts of their own.
fn whole_siblings(page: &Page, siblings: &[NodeId]) -> Option<Vec<Span>> {
    let is_short = |text: Option<Line<'_>>| text.is_some_and(|text| text.text.len() <= 2 * LONGEST_NAME);
    let may_be = |node: NodeId| {
        let span = (node, page.end(node));
        may_say(page.tag(node))
            && page.counts(node).words >= 4
            && span.1.0 - span.0.0 <= MOST_NODES
            && (is_short(texts(page, span).next()) || is_short(texts(page, span).last()))
            && texts(page, span).nth(1).is_some()
    };
    let mut entries = siblings.iter().copied().filter(|node| may_be(*node));
    let (one, other) = (entries.next()?, entries.next()?);
    let of_make = |like: NodeId| siblings.iter().copied().filter(move |node| make(page, *node) == make(page, like));
    let like = if of_make(one).count() > of_make(other).count() { one } else { other };
    let found = of_make(like).enumerate().filter(|(_, node)| may_be(*node)).map(|(at, _)| at).collect();
    let alike: Vec<NodeId> = of_make(like).collect();
    let entries = longest_near(found, 1..=2);
    (entries.len() > 1).then(|| entries.into_iter().map(|at| (alike[at], page.end(alike[at]))).collect())
}

/// The most numbers that follow each other with such steps; of several as many the last.
fn longest_near(numbers: Vec<usize>, steps: RangeInclusive<usize>) -> Vec<usize> {
    let runs = numbers.chunk_by(|one, other| steps.contains(&(other - one)));
    runs.max_by_key(|run| run.len()).unwrap_or_default().to_vec()
}

/// Siblings that come in turns: a line that is like the others of its kind, and the sentences below it or above it.
fn lined_siblings(page: &Page, siblings: &[NodeId]) -> Option<Vec<Span>> {
    let first_text = |node: NodeId| texts(page, (node, page.end(node))).next();
    let is_apart = |node: NodeId| {
        let in_emphasis = |text: Line<'_>| {
            page.ancestors(text.node).take_while(|above| *above > node).any(|above| is_emphasis(page.tag(above)))
        };
        matches!(page.tag(node), Tag::Dt | Tag::Th | Tag::Cite | Tag::B | Tag::Strong)
            || page.tag(node).heading_level().is_some()
            || page.classes(node).next().is_some()
            || page.attr(node, "align").is_some()
            || first_text(node).is_some_and(in_emphasis)
    };
    let is_open = |text: &str| !text.ends_with(SENTENCE_ENDS) || text.ends_with("...") || is_initial(text);
    let is_line = |node: NodeId| {
        page.counts(node).tokens <= MOST_LINE
            && page.end(node).0 - node.0 <= MOST_NODES
            && is_apart(node)
            && first_text(node).is_some_and(|text| is_open(text.text))
    };
    let is_prose =
        |node: NodeId| may_say(page.tag(node)) && page.counts(node).words >= 3 && page.text(node).trim().ends_with(SENTENCE_ENDS);
    let kind = |node: NodeId| (make(page, node), page.attr(node, "align"));
    let lines = siblings.iter().enumerate().filter(|(_, node)| is_line(**node));
    let mut lines: Vec<_> = lines.map(|(at, node)| (kind(*node), at)).collect();
    lines.sort_unstable();
    let kinds = lines.chunk_by(|one, other| one.0 == other.0);
    let found = kinds.map(|lines| longest_near(lines.iter().map(|line| line.1).collect(), 2..=MOST_PARTS + 1));
    let found = found.max_by_key(Vec::len)?;
    let parts = found.windows(2).map(|pair| pair[1] - pair[0] - 1).min()?;
    let (start, last) = (found[0], *found.last()?);
    let prose_at = |at: usize| siblings.get(at).is_some_and(|node| is_prose(*node));
    // The line is the last of an entry where sentences stand before the first and none after the last, or where it is set to the right.
    let closes = start > 0 && prose_at(start - 1) && (!prose_at(last + 1) || is_right(page, siblings[start]));
    let ends_before = |at: usize| siblings.get(at).map_or(page.end(siblings[siblings.len() - 1]), |node| *node);
    let span = |from: usize, to: usize| (siblings[from], page.end(siblings[to]));
    let mut entries: Vec<Span> = Vec::with_capacity(found.len());
    if closes {
        let is_heading = |at: &usize| page.tag(siblings[*at]).heading_level().is_some();
        let below = (start.saturating_sub(MOST_PARTS)..start).rev().find(is_heading).map(|heading| heading + 1);
        entries.push(span(below.unwrap_or(start - parts.min(start)), start));
        entries.extend(found.windows(2).map(|pair| span(pair[0] + 1, pair[1])));
    } else {
        entries.extend(found.windows(2).map(|pair| (siblings[pair[0]], ends_before(pair[1]))));
        entries.push(span(last, (last + parts).min(siblings.len() - 1)));
    }
    entries.iter().all(|(from, to)| to.0 - from.0 <= MOST_NODES).then_some(entries)
}

/// Entries with somebody named in each.
struct Run<'p> {
    spans: Vec<Span>,
    /// The name in each entry that has one in the place of the others.
    names: Vec<Line<'p>>,
    /// Where the names stand.
    place: Make<'p>,
    /// Whether the names stand below what was written.
    closes: bool,
    /// Entries with a short text that has a day or a time.
    dated: usize,
    /// Entries in which that text stands next to the name.
    beside: usize,
}

/// The day in brackets that a text begins with, and the rest of it; or all of it.
fn parts_of(line: Line<'_>) -> [Option<Line<'_>>; 2] {
    let parts = line.text.strip_prefix(['(', '[']).and_then(|text| text.split_once([')', ']']));
    let parts = parts.map(|(day, rest)| (Line::of(line.node, day), Line::of(line.node, rest.trim_start_matches(AFTER_NAMES))));
    match parts.filter(|(day, rest)| is_day(day) && rest.words > 0) {
        Some((day, rest)) => [Some(day), Some(rest)],
        None => [Some(line), None],
    }
}

/// A line without the number before it and the colon behind it: *12) Ann*, *#3 Bob:*.
fn unnumbered<'p>(line: &Line<'p>) -> Line<'p> {
    let line = &Line { text: line.text.trim_end_matches([':', '：', ' ']), ..*line };
    let rest = line.text.trim_start_matches('#').trim_start_matches(|one: char| one.is_ascii_digit());
    match rest.strip_prefix([')', '.', ':', ' ']) {
        Some(rest) if rest.len() + 1 < line.text.len() => Line::of(line.node, rest),
        _ => *line,
    }
}

/// A name without what follows it: *Ann, Leeds*, *Bob (by e-mail)*.
fn without_place<'p>(line: &Line<'p>) -> Line<'p> {
    match line.text.find([',', '(']).filter(|at| *at > 0 && line.words > 2) {
        Some(at) => Line::of(line.node, &line.text[..at]),
        None => *line,
    }
}

/// The name that a line with a day has besides: what stands before its first digit, or behind its last.
fn name_beside<'p>(line: &Line<'p>, is_before: bool) -> Option<Line<'p>> {
    let is_digit = |one: char| one.is_ascii_digit();
    let part = if is_before { &line.text[..line.text.find(is_digit)?] } else { &line.text[line.text.rfind(is_digit)? + 1..] };
    let bare = |text: &'p str| {
        text.trim_matches(|one: char| AFTER_NAMES.contains(&one) || matches!(one, '(' | ')' | '[' | ']' | '/' | '•'))
    };
    let part = bare(part);
    // The month is of the day.
    let last = part.rsplit(' ').next().filter(|word| is_before && is_month(word)).unwrap_or_default();
    let name = Line::of(line.node, bare(&part[..part.len() - last.len()]));
    let is_name =
        name.text.chars().count() > 1 && !name.text.starts_with(char::is_lowercase) && !name.text.contains(['[', ']', '(', ':']);
    is_name.then_some(name)
}

/// Whether a text is a sentence, or as long as one.
fn is_sentence(line: &Line<'_>) -> bool {
    line.words >= 12 || line.words >= 3 && line.text.ends_with(SENTENCE_ENDS) && !is_day(line) && !is_initial(line.text)
}

/// Where what was written begins: with the first sentence, or else the longest text.
fn said(entry: &[Line<'_>]) -> usize {
    let longest = || entry.iter().enumerate().max_by_key(|(_, line)| line.text.len()).map_or(0, |(at, _)| at);
    entry.iter().position(is_sentence).unwrap_or_else(longest)
}

/// Whether an entry has a link of several words to another page, as the title of an article is.
fn leads_elsewhere(page: &Page, entry: &[Line<'_>]) -> bool {
    let is_elsewhere = |link: NodeId| page.tag(link) == Tag::A && page.attr(link, "href").is_some_and(|to| !to.contains('#'));
    let is_linked = |line: &&Line<'_>| line.words > 3 && !is_day(line) && page.ancestors(line.node).take(4).any(is_elsewhere);
    let linked: u32 = entry.iter().filter(is_linked).map(|line| line.words).sum();
    8 * linked > entry.iter().map(|line| line.words).sum::<u32>()
}

/// Whether a text that opens or closes an entry is no word of its first or last sentence.
fn is_apart(page: &Page, entry: &[Line<'_>], at: usize, closes: bool) -> bool {
    let line = &entry[at];
    let block = |line: &Line<'_>| page.ancestors(line.node).take(MOST_ABOVE).find(|above| page.tag(*above).is_block());
    let beside = |other: usize| entry.get(other).filter(|other| block(other) == block(line));
    if !closes {
        let is_cut = line.text.ends_with(',');
        return beside(at + 1).is_none_or(|after| {
            let goes_on =
                is_cut && !is_day(after) || after.text.starts_with([',', ';', '.']) || after.text.starts_with(char::is_lowercase);
            let is_short = after.words <= 2 || after.words <= 6 && !after.text.ends_with(SENTENCE_ENDS);
            !goes_on || !is_cut && is_short
        });
    }
    let is_set_off = || {
        page.parent(line.node).is_some_and(|above| is_emphasis(page.tag(above)))
            || line.text.starts_with(DASHES)
            || page.tag(NodeId(line.node.0 - 1)) == Tag::Br
    };
    let is_linked = page.ancestors(line.node).take(3).any(|above| page.tag(above) == Tag::A);
    let is_term = || entry.get(at + 1).is_some_and(|after| after.text.starts_with(':'));
    let is_ended = |text: &str| text.ends_with(SENTENCE_ENDS) || text.ends_with(QUOTES);
    let follows = |before: &Line<'_>| is_day(before) || is_ended(before.text) && is_set_off();
    !is_linked && !is_term() && beside(at - 1).is_none_or(follows)
}

impl<'p> Run<'p> {
    /// The run that some siblings are, if there are people and sentences in them and nothing leads elsewhere.
    fn of(reading: &Reading<'p>, mut spans: Vec<Span>, around: &Surroundings<'_>) -> Option<Run<'p>> {
        let page = reading.page;
        // The first of a thread is what the others answer.
        spans.retain(|(from, _)| reading.article_words[from.index()] >= around.min_article_words);
        if spans.len() < 2 {
            return None;
        }
        let (from, to) = (spans[0].0, spans[spans.len() - 1].1);
        let between = |(from, to): Span| (reading.sums[from.index()], reading.sums[to.index()]);
        let words = |span: Span| between(span).1.words - between(span).0.words;
        let before = reading.article_words[from.index()];
        let (start, end) = between((from, to));
        let is_place = before >= words((from, to)) / 60
            && start.articles == end.articles
            && words((from, to)) <= LONG * spans.len() as u32
            && !page.ancestors(from).take(MOST_ABOVE).any(|above| page.tag(above) == Tag::Nav);
        if !is_place {
            return None;
        }
        let most = |number: usize| 3 * number >= 2 * spans.len() && number > 1;
        let entries: Vec<Vec<Line<'p>>> =
            spans.iter().map(|span| texts(page, *span).take(MOST_TEXTS).flat_map(parts_of).flatten().collect()).collect();
        let has_price = |entry: &Vec<Line<'p>>| entry.iter().any(|line| has_price(line.text));
        let led = entries.iter().filter(|entry| leads_elsewhere(page, entry)).count();
        let priced = entries.iter().filter(|entry| has_price(entry)).count();
        if !most(entries.iter().filter(|entry| entry.iter().any(is_sentence)).count())
            || 3 * led > spans.len()
            || 3 * priced > spans.len()
        {
            return None;
        }
        let days: Vec<Option<usize>> = entries.iter().map(|entry| entry.iter().position(is_day)).collect();
        let dated = days.iter().flatten().count();
        let place = |line: &Line<'p>| place(page, line);
        // Somebody is named in a text of its own, or in one with a day.
        let candidates = entries[..2].iter().flat_map(|entry| {
            let long = said(entry);
            let may_name = move |at: &usize| *at != long && (*at < 5 || at + 3 >= entry.len());
            (0..entry.len()).filter(may_name).map(move |at| (at > long, &entry[at]))
        });
        let readings: [fn(&Line<'p>) -> Option<Line<'p>>; 3] = [
            |line| Some(without_place(&unnumbered(line))).filter(|line| !is_day(line) && !line.text.starts_with('-')),
            |line| is_day(line).then(|| name_beside(line, true))?,
            |line| is_day(line).then(|| name_beside(line, false))?,
        ];
        let ways = candidates.flat_map(|(closes, line)| readings.into_iter().map(move |read| (closes, line, read)));
        let mut best: Option<Run<'p>> = None;
        for (closes, like, read) in ways {
            if read(like).filter(|name| is_person(name)).is_none() {
                continue;
            }
            let mut names: Vec<Line<'p>> = Vec::with_capacity(entries.len());
            let mut last = 0;
            let (mut beside, mut named) = (0, Vec::with_capacity(entries.len()));
            for ((number, entry), day) in entries.iter().enumerate().zip(&days) {
                let long = said(entry);
                let is_like = |(at, line): &(usize, &Line<'p>)| {
                    (*at > long) == closes && *at != long && place(line) == place(like) && is_apart(page, entry, *at, closes)
                };
                let name =
                    entry.iter().enumerate().filter(is_like).find_map(|(at, line)| Some((at, read(line).filter(is_person)?)));
                if entry.iter().enumerate().any(|pair| is_like(&pair)) {
                    named.push(number);
                }
                let Some((at, name)) = name else { continue };
                let is_one = name.text.len() < entry[at].text.len()
                    && day == &Some(at)
                    && entry[at].text.starts_with(name.text)
                    && has_year(entry[at].text);
                let is_beside = |day: usize| {
                    is_one || day.abs_diff(at) <= 2 && day != at && (day > long) == closes && capitals(&entry[day]) < 2
                };
                beside += usize::from(day.is_some_and(is_beside));
                last += usize::from(entry[at + 1..].iter().map(|line| line.words).sum::<u32>() <= MOST_LINE);
                names.push(name);
            }
            let mut different: Vec<&str> = names.iter().map(|name| name.text).collect();
            different.sort_unstable();
            different.dedup();
            let is_better = best.as_ref().is_none_or(|best| (names.len(), beside) > (best.names.len(), best.beside));
            let is_last = !closes || 2 * last >= names.len();
            if most(names.len())
                && is_last
                && different.len() > 1
                && (different.len() > 2 || 3 * different.len() >= names.len())
                && is_better
            {
                best = Some(Run {
                    spans: spans[named[0]..=named[named.len() - 1]].to_vec(),
                    names,
                    place: place(like),
                    closes,
                    dated,
                    beside,
                });
            }
        }
        best
    }

    /// Whether a sibling is of an entry, or stands between entries and names somebody in the same way: an answer that is made otherwise.
    fn holds(&self, page: &Page, node: NodeId) -> bool {
        let is_named = |line: Line<'_>| place(page, &line) == self.place && is_person(&line);
        self.spans.iter().any(|(from, to)| *from <= node && node < *to)
            || self.spans[0].0 < node && texts(page, (node, page.end(node))).take(MOST_TEXTS).any(is_named)
    }

    /// What speaks for readers having written the entries.
    ///
    /// | | |
    /// |---|---|
    /// | names that are no headings | 1 |
    /// | below what was written, without a day | 1 |
    /// | initials in one of four, or digits and signs where the entries are dated | 1 |
    /// | set to the right | 1 |
    /// | a day in each | 2 |
    /// | next to the name, without headings and pictures | 1 |
    /// | people by the markup in each | 1 |
    /// | ways to answer in each | 2 |
    /// | marks in each | 2 |
    /// | a form to write one next to them | 2 |
    /// | a heading of comments, of voices, of those who write | 3, 2, 1 |
    /// | their number before them | 2 |
    /// | a guest book | 3 |
    fn weight(&self, reading: &Reading<'_>, forms: &[NodeId], around: &Surroundings<'_>) -> u32 {
        let page = reading.page;
        let number = self.spans.len();
        let most = |count: usize| 3 * count >= 2 * number;
        let each = |sign: &dyn Fn(NodeId) -> u32| most(self.spans.iter().filter(|(from, to)| sign(*to) > sign(*from)).count());
        let sums = |node: NodeId| &reading.sums[node.index()];
        let (from, to) = (self.spans[0].0, self.spans[number - 1].1);
        let above = |name: &Line<'_>| page.ancestors(name.node).take(3);
        let is_heading = self.names.iter().any(|name| above(name).any(|above| page.tag(above).heading_level().is_some()));
        let with = |is: &dyn Fn(&str) -> bool| 4 * self.names.iter().filter(|name| is(name.text)).count() >= number;
        let is_linked = || {
            self.names.iter().any(|name| {
                page.parent(name.node).is_some_and(|link| page.attr(link, "href").is_some_and(|to| !to.starts_with('#')))
            })
        };
        let are_short = self.names.iter().map(|name| name.text.split_whitespace().count()).sum::<usize>() <= 3 * self.names.len();
        let is_dated = most(self.dated);
        let is_plain = || {
            let is_of_card = |node: NodeId| page.tag(node).heading_level().is_some() || page.tag(node) == Tag::Img;
            !is_linked() && !(from.0..to.0).any(|node| is_of_card(NodeId(node)))
        };
        let is_near = |from: NodeId, to: NodeId| from <= to && page.counts_between(from, to).words <= NEAR;
        let heading = around.headings.iter().rev().find(|(heading, _)| *heading < from);
        let heading =
            heading.filter(|(heading, _)| is_near(*heading, from) && !forms.iter().any(|form| *heading < *form && *form < from));
        let points = [
            (!is_heading && are_short, 1),
            (self.closes && !is_dated && !is_heading, 1),
            (with(&is_initial) || is_dated && with(&is_nickname), 1),
            (self.closes && !is_dated && self.names.iter().all(|name| above(name).any(|above| is_right(page, above))), 1),
            (is_dated, 2),
            (most(self.beside) && are_short && is_plain(), 1),
            (each(&|node| sums(node).people), 1),
            (each(&|node| sums(node).answers), 2),
            (each(&|node| sums(node).ratings), 2),
            (forms.iter().any(|form| is_near(to, *form) || is_near(page.end(*form), from)), 2),
            (heading.is_some_and(|(_, around)| *around >= Around::Writers), 1),
            (heading.is_some_and(|(_, around)| *around >= Around::Voices), 1),
            (heading.is_some_and(|(_, around)| *around >= Around::Comments), 1),
            (number > 2 && says_number(page, from, number), 2),
            (around.is_guest_book, 3),
        ];
        let sum = |points: &[(bool, u32)]| points.iter().filter(|(holds, _)| *holds).map(|(_, points)| points).sum::<u32>();
        // What stands around them alone makes no entries.
        if sum(&points[..OWN]) < 2 && !around.is_guest_book { 0 } else { sum(&points) }
    }
}

/// Whether a line is little more than a day or a time: a year alone is that of a book, and other numbers have signs in them too.
fn is_day(line: &Line<'_>) -> bool {
    let is_day = || is_dated(line.text) && capitals(line) <= 4 && has_day(line.text);
    line.words <= 12 && line.text.len() <= 3 * LONGEST_NAME && (is_elapsed(line.text) || is_day())
}

/// Whether a text is a number and the letter of a unit: *4h*, *2d*.
fn is_elapsed(text: &str) -> bool {
    let unit = text.trim_start_matches(|one: char| one.is_ascii_digit());
    (2..=3).contains(&text.len()) && matches!(unit, "h" | "d" | "w" | "m" | "y")
}

fn has_day(text: &str) -> bool {
    let is_numeric = |word: &str| {
        let word = word.trim_end_matches([',', ';', ')', ']']).trim_start_matches(['(', '[']);
        let mut signs = word.bytes().filter(|byte| !byte.is_ascii_digit());
        let first = signs.next();
        word.starts_with(|first: char| first.is_ascii_digit())
            && match (first, signs.next()) {
                (Some(b':' | b'/' | b'h'), _) => word.len() <= 10,
                (Some(one @ (b'.' | b'-')), Some(other)) => one == other,
                _ => false,
            }
    };
    let has_month = || text.split(|one: char| !one.is_alphabetic()).any(is_month);
    let is_numbered = text.bytes().any(|byte| byte.is_ascii_digit());
    !is_numbered
        || text.split_whitespace().any(is_numeric)
        || names_day(text)
        || is_ago(text)
        || has_year(text)
            && (has_month() || text.split(|one: char| !one.is_ascii_digit()).any(|digits| (1..=2).contains(&digits.len())))
        || text.contains(['年', '月', '日', '년', '월'])
}

fn has_year(text: &str) -> bool {
    text.split(|one: char| !one.is_ascii_digit()).any(|digits| digits.len() == 4)
}

fn is_month(word: &str) -> bool {
    !word.is_empty() && names_day(&["1 ", word].concat())
}

/// How many words of a line begin with a capital and are no months.
fn capitals(line: &Line<'_>) -> usize {
    let words = line.text.split(|one: char| !one.is_alphanumeric());
    words.filter(|word| word.starts_with(char::is_uppercase) && !is_month(word)).count()
}

/// Whether an element is set to the right.
fn is_right(page: &Page, node: NodeId) -> bool {
    let is = |style: &str| style.contains("text-align: right") || style.contains("text-align:right");
    page.attr(node, "align") == Some("right") || page.attr(node, "style").is_some_and(is)
}

/// Whether a name has an initial: *Ann B.*, *C. D. Elm*.
fn is_initial(name: &str) -> bool {
    name.split([' ', ',', '-']).any(|word| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next() == Some('.')
            && letters.next().is_none_or(char::is_uppercase)
    })
}

/// Whether a name is one that people give themselves: *ann_b*, *bob77*.
fn is_nickname(name: &str) -> bool {
    !name.contains(' ') && name.contains(|one: char| one == '_' || one.is_ascii_digit())
}

/// Whether one of the short texts before a node has a number.
fn says_number(page: &Page, node: NodeId, number: usize) -> bool {
    let before =
        (0..node.0).rev().take(40).map(NodeId).filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0);
    let mut short = before.take(4).filter(|node| page.counts(*node).tokens <= 8);
    short.any(|text| {
        let mut numbers = page
            .string(text)
            .split(|one: char| !one.is_alphanumeric())
            .filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        numbers.any(|word| word.parse() == Ok(number))
    })
}

#[cfg(test)]
mod tests;
