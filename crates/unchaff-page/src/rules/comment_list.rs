//! Comments one by one, and the posts of a thread: who wrote each, when, and what.
//!
//! The technique [`comments`](super::comments) finds the places where comments stand; here they are told from each other. One comment is an element of
//! its own kind: microdata of a comment or a review, a number in its name (`comment-12`), or else one of several siblings that are alike and each have a
//! person or a date. An element of the same number inside is a part of it. Answers stand in the comment that they answer; the words of a comment are those outside its answers, without its author, its
//! date and the link to answer it. Where no name in the markup tells the author, a line of the comment may (`comment_byline`), or the first short line that all of them have.

use crate::learned::name_families::{Families, Family, families_of};
use crate::rules::comment_byline::{byline, cleaned, without_furniture};
use crate::rules::comment_signs::{Reading, is_comment_microdata, is_dated, may_hold};
use crate::rules::posts::answered;
use crate::rules::signed_entries::{Around, is_dated_entry, is_signed_entry};
use crate::rules::who_and_when::{MOST_NAME, MOST_NODES, Plain, date, date_of, is_bare_date, is_of_change, name_of, person};
use unchaff_dom::{NodeId, NodeSet, Page, Tag, emit};

/// Words of a list that is about an author.
const MOST_PROFILE: u32 = 10;

/// What one reader wrote.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comment {
    /// Who.
    pub author: Option<String>,
    /// When: ISO 8601 where that can be read, else as it stands there.
    pub date: Option<String>,
    /// What, as plain text.
    pub text: String,
    /// How many comments this one answers, one answering the other.
    pub depth: usize,
}

/// Where a comment or a post stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The element that holds all of it.
    pub root: NodeId,
    /// The element that holds what was written and no more, where one is known.
    pub body: Option<NodeId>,
}

/// The comments that stand in a set, in their order on the page.
#[must_use]
pub fn comments(page: &Page, nodes: &NodeSet) -> Vec<Comment> {
    let Some(body) = page.body().filter(|_| !nodes.is_empty()) else { return Vec::new() };
    let reading = Reading::of(page, body);
    // Answers to a first post are told like all of its thread.
    let thread = answered(&reading, body);
    if thread.len() > 1 && thread.iter().skip(1).all(|post| nodes.contains(post.root)) {
        return told(&reading, &thread, |post| nodes.contains(post.root));
    }
    let roots: Vec<NodeId> = nodes.roots(page).into_iter().filter(|root| page.is_element(*root)).collect();
    let mut found = named(&reading, &roots);
    if found.is_empty() {
        found = alike(&reading, &roots);
    }
    if found.is_empty() {
        found = signed(page, &roots);
    }
    if found.is_empty() {
        // What tells neither who nor when is the form to write one, or what a script has yet to fill.
        let is_said =
            |root: &NodeId| reading.signs(*root).people + reading.signs(*root).dates > 0 && reading.signs(*root).words > 0;
        found = roots.into_iter().filter(is_said).collect();
    }
    let found: Vec<Entry> = found.into_iter().map(|root| Entry { root, body: None }).collect();
    told(&reading, &found, |_| true)
}

/// What each of several comments or posts says that is wanted.
pub(crate) fn told(reading: &Reading<'_>, found: &[Entry], is_wanted: impl Fn(&Entry) -> bool) -> Vec<Comment> {
    let page = reading.page;
    let mut kept = page.subtree_set(page.root());
    let mut facts: Vec<Said> = found.iter().map(|one| said(reading, *one, found, &mut kept)).collect();
    name_by_first_lines(page, &mut facts, &mut kept);
    let texts = emit::Texts::new(page, &kept);
    // Open comments with their depths. One that has nothing of its own is the one that stands first in it.
    let mut open: Vec<(NodeId, usize, bool)> = Vec::new();
    let mut comments = Vec::with_capacity(found.len());
    for (entry, Said { author, date, roots, .. }) in found.iter().zip(facts) {
        let one = entry.root;
        let items = page.ancestors(one).chain([one]).filter(|node| page.tag(*node) == Tag::Li).count();
        let text = without_furniture(&outdented(&texts.below(&roots), items)).to_owned();
        while open.pop_if(|(last, ..)| page.end(*last) <= one).is_some() {}
        let depth = match open.last_mut() {
            Some((_, depth, is_empty @ true)) => {
                *is_empty = false;
                *depth
            }
            Some((_, depth, _)) => *depth + 1,
            None => 0,
        };
        open.push((one, depth, text.is_empty()));
        if !text.is_empty() && is_wanted(entry) {
            comments.push(Comment { author, date, text, depth });
        }
    }
    comments
}

/// Elements that say of themselves that they are one comment.
pub(crate) fn named(reading: &Reading<'_>, roots: &[NodeId]) -> Vec<NodeId> {
    let page = reading.page;
    let below = roots.iter().flat_map(|root| page.subtree(*root));
    let elements = below.filter(|node| page.is_element(*node) && may_hold(page.tag(*node)));
    let is_one = |node: &NodeId| {
        let attr = |name| page.attr(*node, name).unwrap_or_default();
        let names = reading.names.at(*node);
        let signs = reading.signs(*node);
        let is_kind = |names: Families| [Family::Comment, Family::Review, Family::Post].iter().any(|kind| names.has(*kind));
        // `post-12` is one; `post col-12` has another number.
        let is_numbered = |name: &str| name.bytes().any(|byte| byte.is_ascii_digit()) && is_kind(families_of(name));
        let is_called = is_comment_microdata(attr("itemprop"), attr("itemtype"))
            || is_kind(names)
                && (attr("id").ends_with(|last: char| last.is_ascii_digit())
                    || names.has_number() && page.classes(*node).chain([attr("id")]).any(is_numbered));
        is_called && signs.people + signs.dates > 0 && signs.words > 0
    };
    let mut found: Vec<NodeId> = Vec::new();
    // Comments that are open, with their numbers.
    let mut open: Vec<(NodeId, &str)> = Vec::new();
    for one in elements.filter(is_one) {
        while open.pop_if(|(last, _)| page.end(*last) <= one).is_some() {}
        let number = number_of(page.attr(one, "id").unwrap_or_default());
        if number.is_empty() || open.iter().all(|(_, known)| *known != number) {
            found.push(one);
        }
        open.push((one, number));
    }
    found
}

/// The last digits of a name.
fn number_of(name: &str) -> &str {
    let name = name.trim_end_matches(|last: char| !last.is_ascii_digit());
    &name[name.trim_end_matches(|last: char| last.is_ascii_digit()).len()..]
}

/// Siblings that are alike and each have a person or a date.
pub(crate) fn alike(reading: &Reading<'_>, roots: &[NodeId]) -> Vec<NodeId> {
    let page = reading.page;
    let is_one = |node: &NodeId| {
        let signs = reading.signs(*node);
        may_hold(page.tag(*node)) && signs.people + signs.dates + signs.ratings > 0 && signs.words > 0
    };
    let mut found = Vec::new();
    for root in roots {
        let mut end = *root;
        for parent in page.subtree(*root).filter(|node| page.is_element(*node)) {
            if parent < end {
                continue;
            }
            let children: Vec<NodeId> = page.element_children(parent).filter(is_one).collect();
            let is_kin = |node: &NodeId| {
                page.tag(*node) == page.tag(children[0]) && page.classes(*node).next() == page.classes(children[0]).next()
            };
            if children.len() > 1 && children.iter().all(is_kin) {
                // Answers have the class of what they answer.
                let has_class = page.classes(children[0]).next().is_some();
                let below = page.descendants(parent).filter(|node| {
                    page.is_element(*node) && (page.parent(*node) == Some(parent) || has_class) && is_kin(node) && is_one(node)
                });
                found.extend(below);
                end = page.end(parent);
            }
        }
    }
    found
}

/// Entries that a name stands in: the elements that were found, or their children.
fn signed(page: &Page, roots: &[NodeId]) -> Vec<NodeId> {
    let is_one = |node: &NodeId| is_signed_entry(page, *node, Around::Comments) || is_dated_entry(page, *node);
    let mut found = Vec::new();
    for root in roots {
        match page.element_children(*root).filter(is_one).collect::<Vec<_>>() {
            children if children.len() > 1 => found.extend(children),
            _ => found.extend(Some(*root).filter(is_one)),
        }
    }
    found
}

/// Who wrote a comment and when, and the outermost nodes of it that are in none of its answers.
#[derive(Default)]
struct Said {
    author: Option<String>,
    date: Option<String>,
    roots: Vec<NodeId>,
    /// The first short piece of text in an element of its own, with more after it.
    first: Option<NodeId>,
}

impl Said {
    fn take_date(&mut self, page: &Page, node: NodeId) -> bool {
        self.date = date_of(page, node);
        self.date.is_some()
    }
}

/// Reads one of all comments; takes its author, its date and the links to answer it out of what is kept.
fn said(reading: &Reading<'_>, entry: Entry, all: &[Entry], kept: &mut NodeSet) -> Said {
    let page = reading.page;
    let Entry { root: one, body } = entry;
    let mut answers = all[all.partition_point(|other| other.root <= one)..].iter().map(|other| other.root).peekable();
    let body_range = body.map_or(one..one, |body| body..page.end(body));
    let (mut who, mut when) = (None, None);
    let first_answer = answers.peek().copied().unwrap_or(page.end(one));
    for node in page.descendants(one).take_while(|node| *node < first_answer).filter(|node| !body_range.contains(node)) {
        who = [who, person(reading, node)].into_iter().flatten().min();
        when = [when, date(page, node)].into_iter().flatten().min();
    }
    // Where an element is for the moment, a date that merely stands there is another one: since when its author is a member.
    let has_moment = when.is_some_and(|plain| plain < Plain::Hinted);
    let mut said = Said { roots: body.into_iter().collect(), ..Said::default() };
    let mut has_text = false;
    let (mut skip, mut root_end) = (one, one);
    for node in (one.0 + 1..page.end(one).0).map(NodeId) {
        if node < skip {
            continue;
        }
        while answers.peek().is_some_and(|answer| *answer < node) {
            answers.next();
        }
        let next_answer = answers.peek().copied();
        if next_answer == Some(node) || body == Some(node) {
            skip = page.end(node);
            continue;
        }
        if body.is_none() && node >= root_end && next_answer.is_none_or(|answer| answer >= page.end(node)) {
            said.roots.push(node);
            root_end = page.end(node);
        }
        let line = if page.tag(node) == Tag::Text { page.string(node) } else { page.text(node) };
        let is_line = || is_byline_place(reading, one, node) && (said.author.is_none() || said.date.is_none());
        let found = Some(line).filter(|_| is_line() && !is_of_change(page, node)).and_then(|line| byline(page, line));
        let takes = if let Some(found) = found.filter(|found| found.author.is_some() || !has_moment) {
            // A name that stands in a link is that of the link.
            let linked = page.descendants(node).find(|below| page.tag(*below) == Tag::A && !is_control(reading, *below));
            let linked =
                linked.map(|link| page.text(link)).filter(|text| !is_dated(text) && text.split_whitespace().count() <= 5);
            let linked = linked.filter(|text| found.author.as_ref().is_some_and(|name| text.contains(name.as_str())));
            said.author = said.author.or_else(|| linked.and_then(cleaned)).or(found.author);
            said.date = said.date.or(found.date);
            true
        } else if page.tag(node) == Tag::Text {
            said.date.is_none() && !has_moment && is_bare_date(page, node) && said.take_date(page, node)
        } else if !page.is_element(node) {
            false
        } else if said.author.is_none() && who.is_some() && person(reading, node) == who {
            said.author = name_of(page, node);
            said.author.is_some()
        } else if said.date.is_none() && when.is_some() && date(page, node) == when {
            said.take_date(page, node)
        } else {
            is_control(reading, node) || body.is_none() && !has_text && is_profile(page, node)
        };
        if takes {
            kept.remove_subtree(page, node);
            skip = page.end(node);
        } else if page.tag(node) == Tag::Text && line.chars().any(char::is_alphabetic) {
            if !has_text && page.parent(node).is_some_and(|above| above > one && is_short_line(page, above)) {
                said.first = page.parent(node);
            }
            has_text = true;
        }
    }
    if let Some(body) = body {
        let is_beside = |node: &NodeId| page.is_element(*node) && (is_control(reading, *node) || is_signature(page, *node));
        page.descendants(body).filter(is_beside).for_each(|node| kept.remove_subtree(page, node));
    }
    said
}

/// Whether an element is named after the lines that somebody puts below all that he writes.
pub(crate) fn is_signature(page: &Page, node: NodeId) -> bool {
    page.classes(node).chain(page.attr(node, "id")).any(|name| name.to_ascii_lowercase().contains("signature"))
}

/// Whether an element holds a few words that end like no sentence, or with an initial.
fn is_short_line(page: &Page, node: NodeId) -> bool {
    let text = page.text(node).trim();
    let is_initial = text.ends_with('.') && text.rsplit(' ').next().is_some_and(|last| last.chars().count() == 2);
    (1..=4).contains(&page.counts(node).tokens)
        && page.counts(node).chars as usize <= MOST_NAME
        && text.starts_with(char::is_alphabetic)
        && (is_initial || !text.ends_with(['.', '!', '?', '…', '。']))
        && !is_dated(text)
}

/// Where comments that are one like the other all start with a short line, and none tells its author, the line does.
fn name_by_first_lines(page: &Page, facts: &mut [Said], kept: &mut NodeSet) {
    let make = |node: NodeId| (page.tag(node), page.classes(node).next());
    let Some(first) = facts.first().and_then(|said| said.first) else { return };
    let is_alike = |said: &Said| said.author.is_none() && said.first.is_some_and(|node| make(node) == make(first));
    let is_phrase = matches!(page.tag(first), Tag::A | Tag::B | Tag::Strong | Tag::Span | Tag::Em | Tag::Cite)
        || page.tag(first).heading_level().is_some()
        || page.classes(first).next().is_some();
    if facts.len() < 2 || !is_phrase || !facts.iter().all(is_alike) {
        return;
    }
    for said in facts {
        if let Some(node) = said.first {
            said.author = cleaned(page.text(node));
            kept.remove_subtree(page, node);
        }
    }
}

/// Whether a node is a line of its own, in which no element is for the name or the date, or text of the comment itself before what is in its elements.
fn is_byline_place(reading: &Reading<'_>, one: NodeId, node: NodeId) -> bool {
    let page = reading.page;
    let counts = page.counts(node);
    let is_told = |below: NodeId| page.is_element(below) && (date(page, below).is_some() || person(reading, below).is_some());
    let is_few = counts.tokens > 0 && counts.tokens <= 24;
    match page.tag(node) {
        _ if !is_few => false,
        Tag::Text => {
            let next = page.end(node);
            page.parent(node) == Some(one) && next < page.end(one) && page.is_element(next) && page.tag(next).is_block()
        }
        tag if tag.is_block() || matches!(tag, Tag::Span | Tag::Small) => {
            page.counts(one).tokens > counts.tokens && !page.subtree(node).take(MOST_NODES).any(is_told)
        }
        _ => false,
    }
}

/// A text without the markers and the indentation of the items that it stands in.
fn outdented(text: &str, items: usize) -> String {
    let mut text = text.trim_end().to_owned();
    for _ in 0..items {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let width = match &text[digits..] {
            rest if digits > 0 && rest.starts_with(". ") => digits + 2,
            rest if digits == 0 && rest.starts_with("- ") => 2,
            _ => break,
        };
        let without =
            |line: &str| line.chars().skip(line.chars().take(width).take_while(|c| *c == ' ').count()).collect::<String>();
        let lines = text[width..].split('\n').enumerate();
        text = lines.map(|(at, line)| if at == 0 { line.to_owned() } else { without(line) }).collect::<Vec<_>>().join("\n");
    }
    text.trim().to_owned()
}

/// Whether an element says of somebody, in a word or two each, since when and how often: a list of definitions before any text.
fn is_profile(page: &Page, node: NodeId) -> bool {
    page.tag(node) == Tag::Dl && (1..=MOST_PROFILE).contains(&page.counts(node).tokens)
}

/// Whether an element is for readers who want to do something: answer, share, vote.
fn is_control(reading: &Reading<'_>, node: NodeId) -> bool {
    let (page, counts) = (reading.page, reading.page.counts(node));
    let says = || families_of(page.text(node));
    (1..=3).contains(&counts.tokens)
        && (reading.names.at(node).has(Family::Reply)
            || page.tag(node) == Tag::A && (says().has(Family::Reply) || says().has(Family::Share)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::comments::Comments;
    use crate::{BlockKind, PageTechnique};

    type Row = (usize, String, String, String);

    fn listed(html: &str) -> Vec<Row> {
        let article = "<article><h1>Rain</h1><p>It rained all day long, and then it rained all night, and nobody came to the old harbour.</p>\
                       <p>In the morning the boats lay dry, and the men went out again to look for the nets.</p></article>";
        let page = Page::parse(format!("<html lang=en><body>{article}{html}"));
        let found = Comments::default().detect(&page);
        rows(comments(&page, found.nodes(BlockKind::Comments).unwrap()))
    }

    #[test]
    fn entries_are_told_apart_by_the_names_in_them() {
        let row = |author: &str, text: &str| (0, author.to_owned(), String::new(), text.to_owned());
        let expected = [row("Ann", "The soup was warm."), row("Bob", "The room was not.")];
        let entries =
            "<div class=e><b>Ann</b><p>The soup was warm.</p></div><div class=e><b>Bob</b><p>The room was not.</p></div>";
        assert_eq!(listed(&format!("<h2>Guest book</h2>{entries}")), expected);
        assert_eq!(listed(&format!("<h2>Guest book</h2><div>{entries}</div>")), expected);
        // None is lost that was found by the date behind its name.
        let dated = listed(
            "<h3>A chat in the kitchen</h3><p><b>Ann</b> (14 May): The soup was warm.</p><p><b>Bob B.</b> (15 May): The room was not.</p>\
             <p><b>mrs. Gray</b> (19 May): I sat by the stove.</p>",
        );
        let authors: Vec<&str> = dated.iter().map(|(_, author, ..)| author.as_str()).collect();
        assert_eq!(authors, ["Ann", "Bob B.", "mrs. Gray"]);
        assert!(dated.iter().zip(["soup", "room", "stove"]).all(|((.., text), word)| text.contains(word)));
    }

    fn rows(comments: Vec<Comment>) -> Vec<Row> {
        let said = |comment: Comment| {
            (comment.depth, comment.author.unwrap_or_default(), comment.date.unwrap_or_default(), comment.text)
        };
        comments.into_iter().map(said).collect()
    }

    fn row(depth: usize, author: &str, date: &str, text: &str) -> Row {
        (depth, author.to_owned(), date.to_owned(), text.to_owned())
    }

    #[test]
    fn answers_stand_below_what_they_answer() {
        let html = "<section id=comments class=comments><h3>3 comments</h3><ol class=commentlist>\
            <li id=comment-11 class=comment><article id=div-comment-11><cite class=comment-author>Bob</cite> <time datetime=2024-03-03T10:00:00Z>3 March</time>\
            <div class=comment-body><p>Lovely rain, I was out twice.</p><p>Thanks!</p></div><a class=reply href=#>Reply</a></article>\
            <ul class=children><li id=comment-13 class=comment><cite class=comment-author>Ann Lee</cite> says: <time datetime=2024-03-04>4 March</time><div class=comment-body><p>Thank you, Bob.</p></div></li></ul></li>\
            <li id=comment-12 class=comment><cite class=comment-author>Carla</cite> <time datetime=2024-03-05>5 March</time><div class=comment-body><p>Too much of it for me.</p></div></li></ol></section>";
        let rows = listed(html);
        assert_eq!(rows[0], row(0, "Bob", "2024-03-03T10:00:00Z", "Lovely rain, I was out twice.\n\nThanks!"));
        assert_eq!((rows[1].0, rows[1].1.as_str(), rows[1].2.as_str()), (1, "Ann Lee", "2024-03-04"));
        assert!(rows[1].3.contains("Thank you, Bob."), "{rows:?}");
        assert_eq!(rows[2], row(0, "Carla", "2024-03-05", "Too much of it for me."));
        assert_eq!(rows.len(), 3);
    }

    #[test]
    fn a_line_can_tell_who_wrote_it_and_parts_of_the_same_number_are_no_answers() {
        let html = "<div class=comments id=comments><h2>3 comments</h2>\
            <div class=comment id=comment-250><div class=comment-body><p>I was there in May 2012, and it rained.</p><p class=comment-meta>by <a href=/u>Andrew</a> on May 23, 2011 at 12:12 am. <a href=#>#</a></p></div></div>\
            <div class=comment id=comment-251><div class=head>Meg B says:</div><div id=comment-body-251><p>So it did.</p></div> <span class=date>09. Jul, 2012</span></div>\
            <div class=comment id=comment-252><cite id=cite-252>Carla</cite><div class=meta>Posted October 28, 2012 at 10:31 pm | Permalink</div><p>Too much of it for me.</p></div></div>";
        assert_eq!(
            listed(html),
            [
                row(0, "Andrew", "2011-05-23T00:12", "I was there in May 2012, and it rained."),
                row(0, "Meg B", "2012-07-09", "So it did."),
                row(0, "Carla", "2012-10-28T22:31", "Too much of it for me."),
            ]
        );
    }

    #[test]
    fn first_lines_that_are_alike_are_names() {
        let html = "<div class=comments><h3>2 comments</h3><ol>\
            <li id=comment-1><b>Marie</b> <a href=#>#</a><time datetime=2012-11-01>Nov 1</time><p>Beautiful and wonderfully original.</p></li>\
            <li id=comment-2><b>Michael N</b> <a href=#>#</a><time datetime=2012-11-02>Nov 2</time><p>Ahh, good question, and thank you.</p></li></ol></div>";
        assert_eq!(
            listed(html),
            [
                row(0, "Marie", "2012-11-01", "Beautiful and wonderfully original."),
                row(0, "Michael N", "2012-11-02", "Ahh, good question, and thank you."),
            ]
        );
    }

    #[test]
    fn comments_without_numbers_are_siblings_that_are_alike() {
        let html = "<div class=comments><h3>2 comments</h3><div class=comments-list>\
            <div class=c><b class=user>Bob</b> <span class=date>3 March 2024</span><p>Lovely rain, I was out twice in it.</p>\
            <div class=c><b class=user>Ann</b> <span class=date>4 March 2024</span><p>So was I.</p></div></div>\
            <div class=c><b class=user>Carla</b> <span class=date>yesterday</span><p>Too much of it for me, sorry to say.</p></div></div></div>";
        let rows = listed(html);
        assert_eq!(
            rows,
            [
                row(0, "Bob", "2024-03-03", "Lovely rain, I was out twice in it."),
                row(1, "Ann", "2024-03-04", "So was I."),
                row(0, "Carla", "yesterday", "Too much of it for me, sorry to say."),
            ]
        );
        assert!(listed("<p>No comments here at all, only some more of the same.</p>").is_empty());
    }
}
