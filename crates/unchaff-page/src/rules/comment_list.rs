//! Comments one by one, and the posts of a thread: who wrote each, when, and what.
//!
//! The technique [`comments`](super::comments) finds the places where comments stand; here they are told from each other. One comment is an element of
//! its own kind: microdata of a comment or a review, a number in its name (`comment-12`), or else one of several siblings that are alike and each have a
//! person or a date. An element of the same number inside is a part of it. Answers stand in the comment that they answer; the words of a comment are those outside its answers, without its author, its
//! date and the link to answer it. Where no name in the markup tells the author, a line of the comment may (`comment_byline`), or the first short line that all of them have.

use crate::learned::name_families::{Family, families_of};
use crate::rules::comment_byline::{byline, cleaned, without_furniture};
use crate::rules::comment_signs::{Reading, is_comment_microdata, is_dated, may_hold};
use crate::rules::signed_entries::{Around, is_dated_entry, is_signed_entry};
use unchaff_dom::{NodeId, NodeSet, Page, Tag, emit, metadata};

/// A name has no more characters than this.
const MOST_NAME: u32 = 60;
/// An element with a name in it has no more nodes than this.
const MOST_NODES: usize = 64;
/// A line with a date has no more words than this.
const MOST_DATE_WORDS: u32 = 12;
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

/// The comments that stand in a set, in their order on the page.
#[must_use]
pub fn comments(page: &Page, nodes: &NodeSet) -> Vec<Comment> {
    let Some(body) = page.body().filter(|_| !nodes.is_empty()) else { return Vec::new() };
    let reading = Reading::of(page, body);
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
    told(&reading, found)
}

/// The posts of a thread, or a question with its answers, in their order on the page: what `content` has of a page that several people wrote. None if they are
/// not most of it.
#[must_use]
pub fn posts(page: &Page, content: &NodeSet) -> Vec<Comment> {
    let Some(body) = page.body().filter(|_| !content.is_empty()) else { return Vec::new() };
    let words_of = |root: NodeId| -> u32 {
        let texts = content.iter_below(page, root).filter(|node| page.tag(*node) == Tag::Text);
        texts.map(|text| page.counts(text).words).sum()
    };
    // Others of the same make that are not content are related pages.
    let is_content = |one: &NodeId| {
        let words = page.counts(*one).words;
        words > 0 && 3 * words_of(*one) >= words
    };
    let reading = Reading::of(page, body);
    let all = words_of(body);
    let is_most = |found: &[NodeId]| {
        let outermost = NodeSet::from_roots(page, found.iter().copied()).roots(page);
        found.len() > 1 && 2 * outermost.into_iter().map(words_of).sum::<u32>() >= all
    };
    let ways: [Way; 3] = [questions_and_answers, named, alike];
    let found = ways.into_iter().find_map(|way| {
        let mut found = way(&reading, &[body]);
        found.retain(is_content);
        is_most(&found).then_some(found)
    });
    let mut posts = found.map(|found| told(&reading, found)).unwrap_or_default();
    // What nobody signed is a part of the page like others.
    let signed = posts.iter().filter(|post| post.author.is_some() || post.date.is_some()).count();
    if 2 * signed < posts.len() {
        posts.clear();
    }
    posts
}

/// A way to tell comments or posts below some elements from each other.
type Way = fn(&Reading<'_>, &[NodeId]) -> Vec<NodeId>;

/// A question and its answers, by microdata or by their names.
fn questions_and_answers(reading: &Reading<'_>, roots: &[NodeId]) -> Vec<NodeId> {
    let page = reading.page;
    let is_one = |node: &NodeId| {
        let attr = |name| page.attr(*node, name).unwrap_or_default();
        let is_declared =
            attr("itemprop").split_ascii_whitespace().any(|name| matches!(name, "acceptedAnswer" | "suggestedAnswer"));
        let is_answer = attr("id").strip_prefix("answer").is_some_and(|rest| rest.ends_with(|last: char| last.is_ascii_digit()));
        is_declared || is_answer || attr("id") == "question" || page.classes(*node).next() == Some("question")
    };
    let elements = roots.iter().flat_map(|root| page.subtree(*root)).filter(|node| page.is_element(*node));
    let mut found: Vec<NodeId> = Vec::new();
    for one in elements.filter(|node| may_hold(page.tag(*node)) && is_one(node) && reading.signs(*node).words > 0) {
        if found.last().is_none_or(|last| page.end(*last) <= one) {
            found.push(one);
        }
    }
    found
}

/// What each of several elements says that are a comment or a post.
fn told(reading: &Reading<'_>, found: Vec<NodeId>) -> Vec<Comment> {
    let page = reading.page;
    let mut kept = page.subtree_set(page.root());
    let is_moment = |node: &NodeId| page.is_element(*node) && is_moment(page, *node);
    let moments: Vec<NodeId> = page.nodes().filter(is_moment).collect();
    let mut facts: Vec<Said> = found.iter().map(|one| said(reading, *one, &found, &moments, &mut kept)).collect();
    name_by_first_lines(page, &mut facts, &mut kept);
    let texts = emit::Texts::new(page, &kept);
    // Open comments with their depths. One that has nothing of its own is the one that stands first in it.
    let mut open: Vec<(NodeId, usize, bool)> = Vec::new();
    let mut comments = Vec::with_capacity(found.len());
    for (one, Said { author, date, roots, .. }) in found.into_iter().zip(facts) {
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
        if !text.is_empty() {
            comments.push(Comment { author, date, text, depth });
        }
    }
    comments
}

/// Elements that say of themselves that they are one comment.
fn named(reading: &Reading<'_>, roots: &[NodeId]) -> Vec<NodeId> {
    let page = reading.page;
    let below = roots.iter().flat_map(|root| page.subtree(*root));
    let elements = below.filter(|node| page.is_element(*node) && may_hold(page.tag(*node)));
    let is_one = |node: &NodeId| {
        let attr = |name| page.attr(*node, name).unwrap_or_default();
        let names = reading.names.at(*node);
        let signs = reading.signs(*node);
        let is_called = is_comment_microdata(attr("itemprop"), attr("itemtype"))
            || (names.has(Family::Comment) || names.has(Family::Review) || names.has(Family::Post))
                && (names.has_number() || attr("id").ends_with(|last: char| last.is_ascii_digit()));
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

/// The digits that a name ends with.
fn number_of(name: &str) -> &str {
    &name[name.trim_end_matches(|last: char| last.is_ascii_digit()).len()..]
}

/// Siblings that are alike and each have a person or a date.
fn alike(reading: &Reading<'_>, roots: &[NodeId]) -> Vec<NodeId> {
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
struct Said {
    author: Option<String>,
    date: Option<String>,
    roots: Vec<NodeId>,
    /// The first short piece of text in an element of its own, with more after it.
    first: Option<NodeId>,
}

/// Reads one of all comments; takes its author, its date and the links to answer it out of what is kept.
fn said(reading: &Reading<'_>, one: NodeId, all: &[NodeId], moments: &[NodeId], kept: &mut NodeSet) -> Said {
    let page = reading.page;
    // Where an element is for the moment, a date that merely stands there is another one: since when its author is a member.
    let has_moment = moments.get(moments.partition_point(|moment| *moment <= one)).is_some_and(|moment| *moment < page.end(one));
    let (mut author, mut date): (Option<String>, Option<String>) = (None, None);
    let mut roots = Vec::new();
    let mut first: Option<NodeId> = None;
    let mut has_text = false;
    let (mut skip, mut root_end) = (one, one);
    let mut answers = all[all.partition_point(|other| *other <= one)..].iter().copied().peekable();
    for node in (one.0 + 1..page.end(one).0).map(NodeId) {
        if node < skip {
            continue;
        }
        while answers.peek().is_some_and(|answer| *answer < node) {
            answers.next();
        }
        let next_answer = answers.peek().copied();
        if next_answer == Some(node) {
            skip = page.end(node);
            continue;
        }
        if node >= root_end && next_answer.is_none_or(|answer| answer >= page.end(node)) {
            roots.push(node);
            root_end = page.end(node);
        }
        let line = if page.tag(node) == Tag::Text { page.string(node) } else { page.text(node) };
        let is_line = || is_byline_place(reading, one, node) && (author.is_none() || date.is_none());
        let found = Some(line).filter(|_| is_line()).and_then(|line| byline(page, line));
        let takes = if let Some(found) = found.filter(|found| found.author.is_some() || !has_moment) {
            // A name that stands in a link is that of the link.
            let linked = page.descendants(node).find(|below| page.tag(*below) == Tag::A && !is_control(reading, *below));
            let linked =
                linked.map(|link| page.text(link)).filter(|text| !is_dated(text) && text.split_whitespace().count() <= 5);
            let linked = linked.filter(|text| found.author.as_ref().is_some_and(|name| text.contains(name.as_str())));
            author = author.or_else(|| linked.and_then(cleaned)).or(found.author);
            date = date.or(found.date);
            true
        } else if page.tag(node) == Tag::Text {
            date.is_none() && !has_moment && is_bare_date(page, node) && take_date(page, node, &mut date)
        } else if !page.is_element(node) {
            false
        } else if author.is_none() && is_person(reading, node) {
            take_name(reading, node, &mut author)
        } else if date.is_none() && page.counts(node).words <= MOST_DATE_WORDS && is_date(page, node) {
            take_date(page, node, &mut date)
        } else {
            is_control(reading, node) || !has_text && is_profile(page, node)
        };
        if takes {
            kept.remove_subtree(page, node);
            skip = page.end(node);
        } else if page.tag(node) == Tag::Text && page.counts(node).tokens > 0 {
            if !has_text && page.parent(node).is_some_and(|above| above > one && is_short_line(page, above)) {
                first = page.parent(node);
            }
            has_text = true;
        }
    }
    Said { author, date, roots, first }
}

/// Whether an element holds a few words that end like no sentence, or with an initial.
fn is_short_line(page: &Page, node: NodeId) -> bool {
    let text = page.text(node).trim();
    let is_initial = text.ends_with('.') && text.rsplit(' ').next().is_some_and(|last| last.chars().count() == 2);
    (1..=4).contains(&page.counts(node).tokens)
        && page.counts(node).chars <= MOST_NAME
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
    let is_told = |below: NodeId| page.is_element(below) && (is_date(page, below) || is_person(reading, below));
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

/// Whether an element names a person, and nothing else.
fn is_person(reading: &Reading<'_>, node: NodeId) -> bool {
    let page = reading.page;
    let property = page.attr(node, "itemprop").unwrap_or_default();
    let is_named = property.split_ascii_whitespace().any(|name| matches!(name, "author" | "creator"))
        || page.tag(node) == Tag::Cite
        || page.attr(node, "rel").is_some_and(|rel| rel.contains("author"))
        || reading.names.at(node).has(Family::Person);
    // Where the name and the date stand together, the name has an element of its own.
    let is_wrapper = || page.descendants(node).take(MOST_NODES).any(|below| page.is_element(below) && is_date(page, below));
    let is_short = |node| (1..=MOST_NAME).contains(&page.counts(node).chars);
    is_named && is_short(node) && !is_dated(page.text(node)) && !is_wrapper()
}

/// Takes the name, from the link to the person if there is one: around it stand ranks and badges.
fn take_name(reading: &Reading<'_>, node: NodeId, author: &mut Option<String>) -> bool {
    let page = reading.page;
    let is_link = |below: &NodeId| page.tag(*below) == Tag::A && is_person(reading, *below);
    let link = page.descendants(node).take(MOST_NODES).find(is_link);
    *author = cleaned(page.text(link.unwrap_or(node)));
    author.is_some()
}

/// Whether an element says that it is for the moment at which something was written.
fn is_moment(page: &Page, node: NodeId) -> bool {
    let property = || page.attr(node, "itemprop").unwrap_or_default();
    page.tag(node) == Tag::Time || matches!(property(), "commentTime" | "datePublished" | "dateCreated")
}

/// Whether an element is for a date.
fn is_date(page: &Page, node: NodeId) -> bool {
    is_moment(page, node)
        || page.classes(node).any(|class| ["date", "time", "datum", "fecha"].iter().any(|word| class.contains(word)))
            && (is_dated(page.text(node)) || page.attr(node, "datetime").is_some())
}

/// Whether a text is a date and hardly anything else.
fn is_bare_date(page: &Page, node: NodeId) -> bool {
    let counts = page.counts(node);
    counts.tokens > 0 && counts.tokens <= 6 && is_dated(page.string(node)) && metadata::date_in(page, page.string(node)).is_some()
}

fn take_date(page: &Page, node: NodeId, date: &mut Option<String>) -> bool {
    let read = |text: &str| metadata::date_in(page, text);
    let text = if page.tag(node) == Tag::Text { page.string(node) } else { page.text(node) };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let attribute = ["datetime", "content", "title"].iter().find_map(|name| page.attr(node, name).and_then(read));
    *date = attribute.or_else(|| read(&text)).or(Some(text).filter(|text| !text.is_empty()));
    date.is_some()
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

    fn posted(html: &str) -> Vec<Row> {
        let page = Page::parse(html);
        let main = page.nodes().find(|node| page.tag(*node) == Tag::Main).unwrap();
        rows(posts(&page, &page.subtree_set(main)))
    }

    #[test]
    fn a_question_and_its_answers_are_posts() {
        let answer = |number: u32, who: &str, day: u32| {
            format!(
                "<div id=answer-{number} class=answer><span class=votes></span><div class=text><p>Use water stones, first a coarse one.</p></div>\
                 <div class=sig>answered <time datetime=2021-03-0{day}>Mar {day}</time> by <a class=user>{who}</a></div></div>"
            )
        };
        let html = format!(
            "<main><h1>How to sharpen it?</h1><div id=question class=question><p>My plane is dull. How do I sharpen it at home?</p>\
             <div class=sig>asked <time datetime=2021-03-04>Mar 4</time> by <a class=user>Ann</a></div></div><h2>2 Answers</h2>{}{}</main>",
            answer(1, "Bob", 5),
            answer(2, "Cy", 6)
        );
        let said = "Use water stones, first a coarse one.";
        let posts = posted(&html);
        assert_eq!(
            posts.iter().map(|post| (post.1.as_str(), post.2.as_str())).collect::<Vec<_>>(),
            [("Ann", "2021-03-04"), ("Bob", "2021-03-05"), ("Cy", "2021-03-06")]
        );
        assert!(posts[1].3.starts_with(said), "{posts:?}");
    }

    #[test]
    fn posts_of_a_thread_are_told_and_an_article_has_none() {
        let post = |number: u32, who: &str| {
            format!(
                "<div id=p{number} class='post bg1'><p class=author><a class=username>{who}</a> <time>3 March 2024</time></p><div class=content>The lamp went out again last night, and nobody knows why.</div></div>"
            )
        };
        let html = format!("<main><h1>The lamp</h1>{}{}</main>", post(11, "Ann"), post(12, "Bob"));
        let said = "The lamp went out again last night, and nobody knows why.";
        assert_eq!(posted(&html), [row(0, "Ann", "2024-03-03", said), row(0, "Bob", "2024-03-03", said)]);
        assert!(posted("<main><h1>The lamp</h1><p>It went out again.<p>Nobody knows why it did.</main>").is_empty());
    }

    #[test]
    fn ranks_are_no_names_and_the_day_of_joining_is_no_date() {
        let post = |name: &str, moment: &str, text: &str| {
            format!(
                "<article class='message js-post'><section class=message-user><div class=message-userDetails><h4 class=message-name>\
                 <a href=/m class=username>{name}</a></h4><h5 class=userTitle>Old hand</h5></div><dl><dt>Joined</dt><dd>Feb 8, 2017</dd></dl></section>\
                 <div class=message-main><time datetime={moment}>{moment}</time><div class=message-body><p>{text}</div></div></article>"
            )
        };
        let thread = [
            post("Ada", "2023-12-30", "The lamp on the pier has gone out again, and nobody knows who has the key to the tower."),
            post("Bo", "2023-12-31", "The key hangs in the office of the harbour, behind the door, where it has always been."),
            post("Cy", "2024-01-01", "Then somebody should go and fetch it before the ferry comes in from the islands tonight."),
        ];
        let found = posted(&format!("<main><h1>The lamp</h1>{}</main>", thread.concat()));
        let told: Vec<(&str, &str)> = found.iter().map(|(_, author, date, _)| (author.as_str(), date.as_str())).collect();
        assert_eq!(told, [("Ada", "2023-12-30"), ("Bo", "2023-12-31"), ("Cy", "2024-01-01")], "{found:?}");
        assert!(found[1].3.starts_with("The key hangs"), "{found:?}");
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
