//! Trails: the way from the start page to here (*Home › Forums › Repair › Squeaking brakes*).
//!
//! Names such as `breadcrumbs` tell some of them. All of them look alike, though: a few links one after the other, and last the
//! name of the page, which its headline says again. Only a headline that the title of the page has too is meant, so that a table of contents,
//! which ends with the last heading, is no trail.

use unchaff_dom::words::hash_words;
use unchaff_dom::{NodeId, Page, Tag};

/// A trail has no more words.
const MOST_WORDS: u32 = 40;
/// "You are here".
const MOST_UNLINKED: u32 = 3;

/// Reads the words of a text in lower case, as hashes.
fn fold(text: &str, words: &mut Vec<u64>) {
    words.clear();
    hash_words(text, |word| words.push(word));
}

/// The first of these words, unless what the text begins with has none: most texts begin with another than is looked for, and need not be read on.
fn first(text: &str) -> Option<u64> {
    let mut first = None;
    hash_words(text.split_ascii_whitespace().next().unwrap_or_default(), |word| {
        first.get_or_insert(word);
    });
    first
}

/// The elements around the trails of a page, in document order.
#[must_use]
pub fn trails(page: &Page) -> Vec<NodeId> {
    let Some(body) = page.body() else { return Vec::new() };
    let titled = page.head().and_then(|head| page.descendants(head).find(|node| page.tag(*node) == Tag::Title));
    let (mut title, mut words) = (Vec::new(), Vec::new());
    fold(titled.map_or("", |titled| page.text(titled)), &mut title);
    title.truncate(MOST_WORDS as usize);
    let nodes = || page.subtree(body).zip(page.tags(body));
    let mut headings: Vec<NodeId> = Vec::new();
    for (node, tag) in nodes() {
        if matches!(tag, Tag::H1 | Tag::H2 | Tag::H3) {
            headings.push(node);
        }
    }
    let mut names: Vec<Vec<u64>> = Vec::new();
    for heading in headings.iter().filter(|heading| (1..=MOST_WORDS).contains(&page.counts(**heading).words)) {
        if first(page.text(*heading)).is_some_and(|first| !title.contains(&first)) {
            continue;
        }
        fold(page.text(*heading), &mut words);
        if title.windows(words.len().max(1)).any(|part| part == &words[..]) {
            names.push(words.clone());
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    names.sort_unstable();
    // They are parts of the title, so their lengths are bits of a number.
    let lengths = names.iter().fold(0u64, |lengths, name| lengths | 1 << name.len());
    let mut is_name = |text: NodeId| {
        if first(page.text(text)).is_some_and(|first| !names.iter().any(|name| name.first() == Some(&first))) {
            return false;
        }
        fold(page.text(text), &mut words);
        names.binary_search(&words).is_ok()
    };
    let holds_heading = |node: NodeId| {
        let next = headings.get(headings.partition_point(|heading| *heading < node));
        next.is_some_and(|heading| *heading < page.end(node))
    };
    let mut found: Vec<NodeId> = Vec::new();
    for (text, tag) in nodes() {
        if *tag != Tag::Text {
            continue;
        }
        let own = page.counts(text);
        if !(1..=MOST_WORDS).contains(&own.words) || lengths >> own.words & 1 == 0 || !is_name(text) {
            continue;
        }
        let mut trail = None;
        for around in page.ancestors(text).take_while(|around| *around != body) {
            let all = page.counts(around);
            let is_last = page.counts_between(page.end(text), page.end(around)).words == 0;
            let (before, linked) = (all.words - own.words, all.link_words.saturating_sub(own.link_words));
            if !is_last || all.words > MOST_WORDS || before - linked.min(before) > MOST_UNLINKED || holds_heading(around) {
                break;
            }
            if linked > 0 && !matches!(page.tag(around), Tag::A) {
                trail = Some(around);
            }
        }
        found.extend(trail);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The trails of a page about brakes, by the names of their elements.
    fn found(body: &str) -> Vec<String> {
        let page = Page::parse(format!("<title>Squeaking brakes - Bicycle forum</title>{body}"));
        trails(&page).into_iter().map(|node| page.name(node).to_owned()).collect()
    }

    const HEADLINE: &str = "<h1>Squeaking brakes</h1><p>They squeak when it rains.</p>";

    #[test]
    fn links_that_end_with_the_headline_are_a_trail() {
        let links = "<a href=/>Home</a> › <a href=/repair>Repair</a> › Squeaking Brakes";
        assert_eq!(found(&format!("<p>{links}</p>{HEADLINE}")), ["p"]);
        assert_eq!(found(&format!("<nav>You are here: <span>{links}</span></nav>{HEADLINE}")), ["nav"]);
        let items = "<li><a href=/>Home</a> »<li><strong>Squeaking brakes</strong>";
        assert_eq!(found(&format!("<ul>{items}</ul><h1>Squeaking brakes<a href=#b>¶</a></h1>")), ["ul"]);
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        let contents = "<ul><li><a href=#a>Rain</a><li><a href=#b>New pads</a></ul>";
        assert!(found(&format!("{contents}{HEADLINE}<h2>Rain</h2><h2>New pads</h2>")).is_empty());
        assert!(found(&format!("<p>Squeaking brakes</p>{HEADLINE}")).is_empty());
        assert!(found(&format!("<p>By <a href=/ann>Ann</a>, who knows all about squeaking brakes</p>{HEADLINE}")).is_empty());
        assert!(found(&format!("<div><a href=/>Home</a>{HEADLINE}</div>")).is_empty());
        assert!(found("<p><a href=/>Home</a> › Squeaking brakes</p>").is_empty());
    }
}
