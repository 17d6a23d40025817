//! Entries that somebody signed: a name, and what the person wrote; without names of elements, dates, or ways to answer.
//!
//! Guest books written by hand and shops that show one review have nothing else. What tells an entry from a card or a paragraph is its
//! form: the first text is short and no sentence, it stands apart from the rest (bold, a term, a line of its own), the rest is
//! sentences, and nothing in it leads elsewhere. That alone would be too little, so it counts only under a title or heading that names a guest
//! book, or where a line of marks (★★★★☆) stands between name and sentences.

use unchaff_dom::words::is_ideograph;
use unchaff_dom::{NodeId, Page, Tag};

/// Words for a guest book: in headings and titles.
const GUEST_BOOKS: &[&str] = &[
    "guestbook",
    "guest book",
    "visitors' book",
    "visitors’ book",
    "gästebuch",
    "gaestebuch",
    "livre d'or",
    "livre d’or",
    "libro de visitas",
    "libro de huéspedes",
    "libro degli ospiti",
    "livro de visitas",
    "gastenboek",
    "gästbok",
    "gjestebok",
    "gæstebog",
    "vieraskirja",
    "księga gości",
    "kniha návštěv",
    "vendégkönyv",
    "βιβλίο επισκεπτών",
    "гостевая",
    "гостевой книг",
    "книга отзывов",
    "ziyaretçi defteri",
    "دفتر الزوار",
    "留言",
    "ゲストブック",
    "방명록",
];

/// Marks that an entry of one line can be made of.
const MARKS: &[char] = &['★', '☆', '⭐', '✮', '⭑', '✩', '⯪', '\u{fe0f}'];

/// Texts of an entry at most; more is a page.
const MOST_TEXTS: usize = 12;
/// Nodes of an entry at most, so that entries in entries cost no more than their nodes.
const MOST_NODES: usize = 80;
/// Bytes that somebody wrote at most.
const LONGEST: usize = 8000;
/// Characters of a name at most.
const LONGEST_NAME: usize = 40;
/// Words of a name at most.
const MOST_NAME_WORDS: u32 = 5;

/// Whether the title of the page or one of its headings names a guest book.
pub(crate) fn is_guest_book(page: &Page, body: NodeId) -> bool {
    let names = |text: &str| {
        let text = text.trim();
        text.len() <= 120 && {
            let text = text.to_lowercase();
            GUEST_BOOKS.iter().any(|word| text.contains(word))
        }
    };
    let in_head = page.head().into_iter().flat_map(|head| page.descendants(head));
    let title = in_head.filter(|node| page.tag(*node) == Tag::Title).flat_map(|title| page.children(title));
    let mut headings = page.descendants(body).filter(|node| page.tag(*node).heading_level().is_some());
    title.take(1).any(|text| names(page.string(text))) || headings.any(|heading| names(page.text(heading)))
}

/// A text that is not blank, and its words.
struct Line<'p> {
    node: NodeId,
    text: &'p str,
    words: u32,
}

fn lines(page: &Page, node: NodeId) -> Option<Vec<Line<'_>>> {
    if page.range(node).len() > MOST_NODES {
        return None;
    }
    let texts = page.descendants(node).filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0);
    let lines: Vec<Line<'_>> = texts
        .take(MOST_TEXTS + 1)
        .map(|node| Line { node, text: page.string(node).trim(), words: page.counts(node).words })
        .collect();
    (2..=MOST_TEXTS).contains(&lines.len()).then_some(lines)
}

fn is_name(line: &Line<'_>) -> bool {
    // Each ideograph is a word.
    (1..=MOST_NAME_WORDS).contains(
        &(line.words.saturating_sub(line.text.chars().take(LONGEST_NAME).filter(|one| is_ideograph(*one)).count() as u32 / 2)),
    ) && line.text.chars().take(LONGEST_NAME + 1).count() <= LONGEST_NAME
        && !line.text.ends_with(['.', '!', '?', '。', '！', '？', ':'])
        && line.text.chars().next().is_some_and(|first| first.is_alphanumeric() && !first.is_lowercase())
}

/// Whether texts are what somebody wrote: more than the name, with the end of a sentence.
fn is_written(lines: &[Line<'_>], name: &Line<'_>) -> bool {
    let chars = |line: &Line<'_>| line.text.chars().count();
    lines.iter().all(|line| line.text.len() <= LONGEST)
        && lines.iter().map(|line| line.words).sum::<u32>() >= 3
        && lines.iter().map(chars).sum::<usize>() > chars(name)
        && lines.iter().any(|line| line.text.ends_with(['.', '!', '?', '…', '。', '！', '？', '"', '”', '»', ')', '」']))
}

fn leads_elsewhere(page: &Page, node: NodeId) -> bool {
    page.counts(node).link_words > 0
        || page.descendants(node).any(|inner| page.tag(inner).heading_level().is_some() || page.tag(inner) == Tag::Img)
}

/// Whether an element is one review: a name, a line of marks, and sentences.
pub(crate) fn is_marked_entry(page: &Page, node: NodeId) -> bool {
    let Some(lines) = lines(page, node) else { return false };
    let is_marks = |line: &Line<'_>| line.text.chars().all(|character| MARKS.contains(&character) || character.is_whitespace());
    let (marks, rest): (Vec<Line<'_>>, Vec<Line<'_>>) = lines.into_iter().partition(is_marks);
    let Some((at, name)) = rest.iter().enumerate().find(|(_, line)| is_name(line)) else { return false };
    // The name stands first, or last as under a quotation.
    let written = if at == 0 { &rest[1..] } else { &rest[..at] };
    marks.len() == 1 && (at == 0 || at + 1 == rest.len()) && is_written(written, name) && !leads_elsewhere(page, node)
}

/// Whether an element is an entry of a guest book: a name that stands apart, and sentences.
pub(crate) fn is_signed_entry(page: &Page, node: NodeId) -> bool {
    let Some(lines) = lines(page, node) else { return false };
    let (name, written) = (&lines[0], &lines[1..]);
    let stands_apart = page.ancestors(name.node).take_while(|above| *above > node).any(|above| {
        matches!(page.tag(above), Tag::B | Tag::Strong | Tag::Dt | Tag::Th | Tag::Cite | Tag::Em | Tag::I | Tag::U)
            || page.tag(above).is_block()
    });
    is_name(name) && stands_apart && is_written(written, name) && !leads_elsewhere(page, node)
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
        && !leads_elsewhere(page, node)
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
    fn an_entry_of_a_guest_book_is_a_name_apart_and_sentences() {
        let is = |html: &str| {
            let (page, node) = first(html);
            is_signed_entry(&page, node) || is_signed_list(&page, node)
        };
        assert!(is("<table id=e><tr><td><b>Heinz</b><br>We stood there for an hour.</table>"));
        assert!(is("<div id=e><p>上海 小林</p>水放凉一点，茶果然不苦了。</div>"));
        assert!(is("<dl id=e><dt>Agathe<dd>Thank you for the soup.<dt>The cousins<dd>We saw two owls and no telephone.</dl>"));
        assert!(!is("<div id=e>Heinz <br>We stood there for an hour.</div>"));
        assert!(!is("<div id=e><b>We stood there for an hour.</b><p>Nobody came.</p></div>"));
        assert!(!is("<dl id=e><dt>Width<dd>9 cm<dt>Light<dd>LED</dl>"));
    }

    #[test]
    fn a_guest_book_is_known_by_its_title_or_a_heading() {
        let is = |html: &str| {
            let page = Page::parse(html);
            is_guest_book(&page, page.body().unwrap())
        };
        assert!(is("<title>留言簿 - 茶</title><p>x") && is("<h2>Livre d'or</h2>") && !is("<p>Our guestbook is closed</p>"));
    }
}
