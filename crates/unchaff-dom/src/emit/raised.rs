//! What `sup` and `sub` mean: a power or an index, the mark of a note, or only the form of an ordinary ending.
//!
//! Without its form, `10<sup>6</sup>` would read 106. So powers and indices say what they are; a number that stands after a sentence, or after
//! a word too long for a unit or a variable, is the mark of a note. Endings (`5<sup>th</sup>`) and signs (`™`) mean the same without their form.

use crate::{NodeId, Page, Tag};

/// Letters on a line that a number belongs to as a power: units and variables have no more.
const MOST_LETTERS: usize = 3;

/// What has more characters than this is raised for its looks.
const MOST_CHARS: u32 = 60;

/// What raised or lowered text means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Raised {
    /// Nothing but its letters.
    Plain,
    /// The mark of a note.
    Note,
    /// A power or an index.
    Script,
}

/// What a `sup` or `sub` means after what stands before it on its line; `is_apart` if there is a space between.
pub(super) fn raised(page: &Page, node: NodeId, tag: Tag, before: &str, is_apart: bool) -> Raised {
    if page.counts(node).chars > MOST_CHARS {
        return Raised::Plain;
    }
    let text = page.text(node).trim();
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    let length = text.chars().count();
    let Some(last) = before.trim_end_matches(['*', '_', '~', '`']).chars().next_back() else { return Raised::Plain };
    let is_bound = !is_apart && (last.is_alphanumeric() || matches!(last, ')' | ']' | '}' | '′' | '”' | '|'));
    let is_bare = text.starts_with(['[', '(']) || !text.contains(char::is_alphanumeric);
    if length == 0 || is_bare {
        return Raised::Plain;
    }
    if tag == Tag::Sub {
        return if is_bound { Raised::Script } else { Raised::Plain };
    }
    if has_link(page, node) {
        return Raised::Note;
    }
    if letters == length {
        let is_ending = length > 1 || last.is_ascii_digit() && matches!(text, "a" | "e" | "o" | "r" | "s" | "d");
        return if is_bound && !is_ending { Raised::Script } else { Raised::Plain };
    }
    if text.chars().all(|character| character.is_ascii_digit() || matches!(character, ',' | ' ')) {
        let word = before.chars().rev().take_while(|character| character.is_alphabetic()).count();
        return if is_bound && word <= MOST_LETTERS { Raised::Script } else { Raised::Note };
    }
    if is_bound { Raised::Script } else { Raised::Plain }
}

/// Whether there is a link in an element, or it stands in one.
pub(super) fn has_link(page: &Page, node: NodeId) -> bool {
    page.descendants(node).any(|below| page.tag(below) == Tag::A)
        || page.parent(node).is_some_and(|parent| page.tag(parent) == Tag::A)
}

/// What stands before and after a power or an index on a line.
pub(super) fn signs(text: &str, tag: Tag) -> [&'static str; 2] {
    match (tag, is_simple(text)) {
        (Tag::Sup, true) => ["^", ""],
        (Tag::Sup, false) => ["^(", ")"],
        (_, true) => ["_", ""],
        (_, false) => ["_(", ")"],
    }
}

/// Whether text needs no brackets to be one power or index: a number, a letter or a name.
fn is_simple(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix(['-', '−', '+', '–']).unwrap_or(text);
    text.chars().all(char::is_alphanumeric)
}

/// Text in raised or lowered characters, if there are such for all of it.
pub(super) fn in_unicode(text: &str, tag: Tag) -> Option<String> {
    let text = text.trim();
    let (from, to) = if tag == Tag::Sup {
        ("0123456789+-−–=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ")
    } else {
        ("0123456789+-−–=()aeoxijkmnprtuv", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₒₓᵢⱼₖₘₙₚᵣₜᵤᵥ")
    };
    text.chars().map(|character| to.chars().nth(from.chars().position(|known| known == character)?)).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Page, emit};

    #[test]
    fn powers_indices_and_notes_keep_their_meaning_and_endings_their_letters() {
        let cases = [
            ("10<sup>6</sup>", "10^6", "10⁶"),
            ("10<sup>−6</sup> m", "10^−6 m", "10⁻⁶ m"),
            ("5 km<sup>2</sup>", "5 km^2", "5 km²"),
            ("x<sup>n+1</sup>", "x^(n+1)", "xⁿ⁺¹"),
            ("x<sup>a+b</sup>", "x^(a+b)", "x<sup>a+b</sup>"),
            ("x<sup>n</sup>", "x^n", "xⁿ"),
            ("e<sup>x</sup>", "e^x", "e<sup>x</sup>"),
            ("H<sub>2</sub>O", "H_2O", "H₂O"),
            ("v<sub>max</sub>", "v_max", "vₘₐₓ"),
            ("v<sub>b,c</sub>", "v_(b,c)", "v<sub>b,c</sub>"),
            ("the 5<sup>th</sup>", "the 5th", "the 5th"),
            ("le 1<sup>er</sup>", "le 1er", "le 1er"),
            ("Brand<sup>®</sup>", "Brand®", "Brand®"),
            ("used.<sup>1</sup>", "used.[1]", "used.[1]"),
            ("often used<sup>12</sup>", "often used[12]", "often used[12]"),
            ("used<sup>[1]</sup>", "used[1]", "used[1]"),
            ("<p><sup>1</sup> A note.", "1 A note.", "1 A note."),
            ("<b>x</b><sup>2</sup>", "x^2", "**x**²"),
            ("say <q>no</q>", "say “no”", "say “no”"),
            ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)", "漢(kan)"),
            ("<ruby>漢<rt>kan</ruby>", "漢(kan)", "漢(kan)"),
            ("a<sup></sup><q></q>b", "ab", "ab"),
        ];
        for (html, text, markdown) in cases {
            let page = Page::parse(html);
            let nodes = page.subtree_set(page.root());
            assert_eq!(emit::text(&page, &nodes).trim_end(), text, "{html}");
            assert_eq!(emit::markdown(&page, &nodes).trim_end(), markdown, "{html}");
        }
    }
}
