//! Words that meet where two elements do: a name and a title, a label and a price, side by side with nothing but style between them.
//!
//! Elements without white space between them are one word by the standard, and some are: a word of which a part is set in another type. What cannot
//! be one is told by its letters: a word in capitals or with a capital letter behind small ones, a price behind a word, a long number behind a word. What
//! is hidden from who listens (`aria-hidden`) is no part of a word either: another form of it stands beside it.

use super::unwritten::is_left_out;
use crate::{NodeId, Page, Tag};

/// A word or a number has so many characters at least.
const LEAST: usize = 3;

/// Whether a word ends with an element and another begins behind it, although nothing stands between them.
pub(super) fn ends_word(page: &Page, node: NodeId, tag: Tag) -> bool {
    if !is_phrase(tag) {
        return false;
    }
    let Some(next) = next_shown(page, node) else { return false };
    let (left, right) = (page.text(node), page.text(next));
    let (Some(last), Some(first)) = (left.chars().next_back(), right.chars().next()) else { return false };
    let letters = || left.chars().rev().take(LEAST).take_while(|letter| letter.is_alphabetic()).count();
    let follow = |is: fn(char) -> bool| right.chars().take(LEAST).filter(|character| is(*character)).count();
    // Two letters are a word if it ends there.
    let begins_word =
        || follow(char::is_alphabetic) == LEAST || follow(char::is_alphabetic) + 1 == LEAST && follow(char::is_whitespace) == 1;
    let is_number =
        || right.chars().take_while(|c| matches!(c, '0'..='9' | ',' | '.')).filter(char::is_ascii_digit).count() >= LEAST;
    let meets = match first {
        '$' | '€' | '£' => {
            (last.is_lowercase() || last.is_ascii_digit() || last == '.')
                && right[first.len_utf8()..].starts_with(|next: char| next.is_ascii_digit())
        }
        '0'..='9' => last.is_lowercase() && letters() >= LEAST && is_number(),
        _ if first.is_uppercase() => {
            let ends = last.is_ascii_digit() || matches!(last, '.' | '!' | '?' | ':' | ',' | ')' | '%');
            // Two words alone may be the name of one thing.
            let is_name = || !has_space(left.bytes().rev()) && !has_space(right.bytes());
            (ends || last.is_lowercase() && letters() > 1 && !is_name()) && begins_word()
        }
        _ => false,
    };
    let are_words = || {
        let ends = |character: &char| character.is_alphanumeric();
        left.chars().rev().take(2).filter(ends).count() == 2 && right.chars().take(2).filter(ends).count() == 2
    };
    let is_apart = || {
        is_hidden(page, node) && !is_hidden(page, next)
            || is_cell(page, node)
            || are_items(page, node, next)
            || are_words() && (leads_elsewhere(page, node, next) || are_styled_apart(page, node, next))
    };
    let meets = meets || last.is_alphanumeric() && first.is_alphanumeric() && is_apart();
    let next_tag = page.tag(next);
    // Text behind a single word in another type may go on with it.
    let is_other = || is_phrase(next_tag) || next_tag == Tag::Text && has_space(left.bytes().rev());
    meets && is_other() && !is_left_out(page, next, next_tag) && !is_in_code(page, node)
}

/// Whether a word ends with a text and another begins with the element behind it, although nothing stands between them: small letters alone, then
/// several words of which the first has a capital letter.
pub(super) fn text_ends_word(page: &Page, node: NodeId, text: &str) -> bool {
    if !text.ends_with(|last: char| last.is_lowercase() || last == '.') {
        return false;
    }
    let Some(next) = page.next_sibling(node).filter(|next| is_phrase(page.tag(*next))) else { return false };
    let word = text.rsplit(char::is_whitespace).next().unwrap_or(text);
    let word = word.strip_suffix('.').unwrap_or(word);
    let right = page.text(next);
    word.len() > 1
        && word.chars().all(char::is_lowercase)
        && right.starts_with(char::is_uppercase)
        && right.chars().take(LEAST).all(char::is_alphabetic)
        && (has_space(right.bytes())
            || right.ends_with(':')
            || matches!(page.tag(next), Tag::A | Tag::Span) && !text.ends_with('.'))
        && !is_left_out(page, next, page.tag(next))
        && !is_in_code(page, node)
}

fn is_hidden(page: &Page, node: NodeId) -> bool {
    page.is_element(node) && page.attr(node, "aria-hidden") == Some("true")
}

/// Whether an element has the role of a cell, in a table that style makes of others.
fn is_cell(page: &Page, node: NodeId) -> bool {
    page.attr(node, "role").is_some_and(|role| matches!(role, "cell" | "gridcell" | "columnheader" | "rowheader"))
}

/// What is seen next beside an element: comments and elements without text show nothing.
fn next_shown(page: &Page, node: NodeId) -> Option<NodeId> {
    const MOST: usize = 3;
    let next = |node: &NodeId| page.next_sibling(*node);
    let shows = |node: &NodeId| {
        let tag = page.tag(*node);
        tag != Tag::Comment && !(tag == Tag::Span && page.end(*node).0 == node.0 + 1)
    };
    std::iter::successors(next(&node), next).take(MOST).find(shows)
}

/// Whether two links side by side lead to different places.
fn leads_elsewhere(page: &Page, node: NodeId, next: NodeId) -> bool {
    let address = |node: NodeId| page.attr(node, "href").filter(|_| page.tag(node) == Tag::A);
    address(node).is_some_and(|one| address(next).is_some_and(|other| one != other))
}

/// Whether two elements side by side have classes of their own: a name and its type, a maker and a product.
fn are_styled_apart(page: &Page, node: NodeId, next: NodeId) -> bool {
    let class = |node: NodeId| if page.tag(node) == Tag::Span { page.class(node) } else { "" };
    !class(node).is_empty() && !class(next).is_empty() && class(node) != class(next)
}

/// Whether two elements are items of a row of facts or names, by their common class.
fn are_items(page: &Page, node: NodeId, next: NodeId) -> bool {
    const NAMES: [&str; 5] = ["item", "tag", "badge", "chip", "pill"];
    let class = page.class(node);
    !class.is_empty() && page.is_element(next) && page.class(next) == class && NAMES.iter().any(|name| class.contains(name))
}

fn has_space(text: impl Iterator<Item = u8>) -> bool {
    const NEAR: usize = 80;
    text.take(NEAR).any(|byte| byte == b' ')
}

fn is_phrase(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        A | Abbr
            | B
            | Cite
            | Code
            | Custom
            | Del
            | Em
            | Font
            | I
            | Ins
            | Kbd
            | Label
            | Mark
            | S
            | Samp
            | Small
            | Span
            | Strong
            | Time
            | Tt
            | U
    )
}

fn is_in_code(page: &Page, node: NodeId) -> bool {
    use Tag::*;
    page.ancestors(node).take(4).any(|above| matches!(page.tag(above), Code | Kbd | Samp | Tt | Pre | Var))
}

#[cfg(test)]
mod tests {
    use crate::{Page, emit};

    #[test]
    fn words_of_two_elements_stand_apart_and_parts_of_one_do_not() {
        for (html, expected) in [
            ("<span>Ann Lee</span><span>Chief Officer</span>", "Ann Lee Chief Officer"),
            ("<b>Ann Lee</b><i>STUDENT</i>", "Ann Lee STUDENT"),
            ("<span>Ann</span><a href=tel:1>952-960</a>", "Ann 952-960"),
            ("<span>savings</span><span>$0</span><span>Annual savings</span>", "savings $0 Annual savings"),
            ("<strong>Fair winds</strong>Our boats sail.", "Fair winds Our boats sail."),
            ("<span>New!</span><span>Boats</span>", "New! Boats"),
            ("<span>O</span><span>nce</span>", "Once"),
            ("<b>stud</b><i>ies</i>", "studies"),
            ("<span>i</span><span>Boat house</span>", "iBoat house"),
            ("<b>Boat</b><i>House</i>", "BoatHouse"),
            ("We live in<a href=s>Harbour City</a>.", "We live in Harbour City."),
            ("by<span>Ann</span>", "by Ann"),
            ("It rained.<b>But then it stopped.</b>", "It rained. But then it stopped."),
            ("my i<b>Boat house</b>, boat<b>House</b>, Mac<a href=m>Book</a>", "my iBoat house, boatHouse, MacBook"),
            ("java.util.<a href=l>List</a>, util.<a href=l>List</a>", "java.util.List, util.List"),
            ("<span aria-hidden=true>31</span><span>4.5 stars</span>", "31 4.5 stars"),
            (
                "<span class=meta-item>2026</span><span class=meta-item>1h 54m</span><span class=meta-item>R</span>",
                "2026 1h 54m R",
            ),
            ("<a href=/a>Fast-Paced</a><a href=/b>Co-op</a>", "Fast-Paced Co-op"),
            ("<a href=/a>rain</a><a href=/a>fall</a>, <a href=/a>one</a><b>self</b>", "rainfall, oneself"),
            ("<b>in the town</b><span class=x></span><!-- x -->It rained.", "in the town It rained."),
            ("<b>Fair winds</b>We sail. <b>Fair winds</b>A", "Fair winds We sail. Fair windsA"),
            ("<i>5 stars</i><span>3,663</span>, <i>stars</i><span>36</span>", "5 stars 3,663, stars36"),
            ("They are dear and slow<b>Cons:</b> rain", "They are dear and slow Cons: rain"),
            ("<span class=maker>BOATCO</span><span class=name>lamp 10</span>", "BOATCO lamp 10"),
            ("<span class=a>r</span><span class=b>ain</span>, <span>rain</span><span class=b>fall</span>", "rain, rainfall"),
            ("<span class=letter>r</span><span class=letter>a</span>", "ra"),
            ("<span role=cell>rain</span><span role=cell>much</span>", "rain much"),
            ("<span aria-hidden=true>r</span><span aria-hidden=true>ain</span>", "rain"),
            ("<b>Mac</b>OS and <b>Mac</b>Donald", "MacOS and MacDonald"),
            ("<span>US</span><span>$5</span>", "US$5"),
            ("<span>A</span><span>4</span>", "A4"),
            ("<code><span>get</span><span>Name</span></code>", "getName"),
        ] {
            let page = Page::parse(html);
            let text = emit::text(&page, &page.subtree_set(page.root()));
            assert_eq!(text.trim_end(), expected, "{html}");
        }
    }
}
