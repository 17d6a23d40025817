//! The numbers of the items of a list, as `start`, `reversed` and `value` have them, and the letters or Roman numbers that lists have
//! instead (`type`, style, or the classes of documentation tools): a text that says "see (b)" means one of its items.

use crate::{NodeId, Page, Tag};

/// The number from which on a list counts from 1: CommonMark takes nine digits.
const MOST: u64 = 999_000_000;

/// The number of the next item of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbering {
    next: u64,
    is_reversed: bool,
    /// How numbers are written, if not in digits: a value of `type`.
    kind: Option<char>,
}

/// The longest Roman number, that of 3888.
const MOST_LETTERS: usize = 15;

/// The letters or the Roman number of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Letters {
    bytes: [u8; MOST_LETTERS],
    length: usize,
}

impl Letters {
    /// The number as `type` has it; none if it cannot be written so.
    fn of(number: u64, kind: char) -> Option<Letters> {
        const ROMAN: [(u64, &str); 13] = [
            (1000, "m"),
            (900, "cm"),
            (500, "d"),
            (400, "cd"),
            (100, "c"),
            (90, "xc"),
            (50, "l"),
            (40, "xl"),
            (10, "x"),
            (9, "ix"),
            (5, "v"),
            (4, "iv"),
            (1, "i"),
        ];
        let mut letters = Letters { bytes: [0; MOST_LETTERS], length: 0 };
        let mut left = number;
        if kind.eq_ignore_ascii_case(&'i') {
            for (value, sign) in ROMAN.iter().filter(|_| number < 4000) {
                while left >= *value {
                    sign.bytes().for_each(|byte| letters.push(byte));
                    left -= value;
                }
            }
        } else {
            while left > 0 {
                letters.push(b'a' + ((left - 1) % 26) as u8);
                left = (left - 1) / 26;
            }
            letters.bytes[..letters.length].reverse();
        }
        if kind.is_ascii_uppercase() {
            letters.bytes.make_ascii_uppercase();
        }
        (letters.length > 0).then_some(letters)
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

/// The letters that a list has for numbers, as a value of `type`.
pub(super) fn kind(page: &Page, list: NodeId) -> Option<char> {
    const STYLES: [(&str, char); 6] = [
        ("lower-alpha", 'a'),
        ("lower-latin", 'a'),
        ("upper-alpha", 'A'),
        ("upper-latin", 'A'),
        ("lower-roman", 'i'),
        ("upper-roman", 'I'),
    ];
    const CLASSES: [(&str, char); 4] = [("loweralpha", 'a'), ("upperalpha", 'A'), ("lowerroman", 'i'), ("upperroman", 'I')];
    for (name, value) in page.attrs(list) {
        let found = match name {
            "type" => match value.trim() {
                "a" => Some('a'),
                "A" => Some('A'),
                "i" => Some('i'),
                "I" => Some('I'),
                _ => None,
            },
            "style" if value.contains("list-style") => {
                STYLES.iter().find(|(style, _)| value.contains(style)).map(|(_, kind)| *kind)
            }
            "class" => value
                .split_ascii_whitespace()
                .find_map(|class| CLASSES.iter().find(|(name, _)| *name == class))
                .map(|(_, kind)| *kind),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

impl Numbering {
    /// The numbering of a list before its first item.
    pub(super) fn of(page: &Page, list: NodeId) -> Numbering {
        let is_reversed = page.attr(list, "reversed").is_some();
        let items = || page.element_children(list).filter(|item| page.tag(*item) == Tag::Li).count() as u64;
        let next = number(page, list, "start").unwrap_or_else(|| if is_reversed { items() } else { 1 });
        Numbering { next, is_reversed, kind: kind(page, list) }
    }

    /// Goes to an item, which may say its number itself.
    pub(super) fn go_to(&mut self, page: &Page, item: NodeId) {
        self.next = number(page, item, "value").unwrap_or(self.next);
    }

    /// Goes on behind an item.
    pub(super) fn advance(&mut self) {
        self.next = if self.is_reversed { self.next.saturating_sub(1) } else { self.next + 1 };
    }

    /// The number of the item.
    pub(super) fn number(self) -> u64 {
        self.next
    }

    /// Whether the list has letters for numbers.
    pub(super) fn has_letters(self) -> bool {
        self.kind.is_some()
    }

    /// The letters of the item, if its list has some and they can say its number.
    pub(super) fn letters(self) -> Option<Letters> {
        Letters::of(self.next, self.kind?)
    }

    /// How wide the number is, with the sign and the space behind it.
    pub(super) fn width(self) -> usize {
        self.letters().map_or_else(|| self.next.checked_ilog10().unwrap_or(0) as usize + 1, |letters| letters.length) + 2
    }
}

fn number(page: &Page, node: NodeId, name: &str) -> Option<u64> {
    page.attr(node, name)?.trim().parse().ok().filter(|number| *number < MOST)
}

#[cfg(test)]
mod tests {
    use super::Letters;
    use crate::{Page, emit};

    #[test]
    fn numbers_are_letters_or_roman_as_the_list_has_them() {
        let word = |number, kind| Letters::of(number, kind).map(|letters| letters.as_str().to_owned()).unwrap_or_default();
        let numbers = [1, 4, 26, 27, 53, 702, 703, 3888];
        assert_eq!(numbers.map(|number| word(number, 'a')), ["a", "d", "z", "aa", "ba", "zz", "aaa", "esn"]);
        assert_eq!(
            numbers.map(|number| word(number, 'I')),
            ["I", "IV", "XXVI", "XXVII", "LIII", "DCCII", "DCCIII", "MMMDCCCLXXXVIII"]
        );
        assert_eq!([word(0, 'a'), word(0, 'i'), word(4000, 'i'), word(999_000_000, 'A')], ["", "", "", "CFBBVPX"]);
    }

    #[test]
    fn a_reader_sees_the_letter_that_the_text_means() {
        let cases = [
            ("<ol type=a><li>x<li>y</ol>", "a. x\nb. y\n", "- a. x\n- b. y\n"),
            ("<ol type=I start=4><li>x<li>y</ol>", "IV. x\nV. y\n", "- IV. x\n- V. y\n"),
            ("<ol style='list-style-type: lower-roman'><li>x<li value=9>y</ol>", "i. x\nix. y\n", "- i. x\n- ix. y\n"),
            ("<ul style='list-style:upper-alpha inside'><li>x<li>y</ul>", "A. x\nB. y\n", "- A. x\n- B. y\n"),
            ("<ol class='loweralpha simple'><li>x<li>y</ol>", "a. x\nb. y\n", "- a. x\n- b. y\n"),
            ("<ol type=1><li>x<li>y</ol>", "1. x\n2. y\n", "1. x\n2. y\n"),
            (
                "<ol><li>x<ol type=a><li>y<p>z</p><li>w</ol><li>v</ol>",
                "1. x\n   a. y\n\n      z\n\n   b. w\n\n2. v\n",
                "1. x\n   - a. y\n\n     z\n\n   - b. w\n\n2. v\n",
            ),
            ("<ol type=a><li><p>x</p><p>y</p></ol>", "a. x\n\n   y\n", "- a. x\n\n  y\n"),
            // What is no line of text stands below its letter, or Markdown would not know it.
            ("<ol type=a><li><pre>x\ny</pre></ol>", "a. x\n   y\n", "- a.\n\n  ```\n  x\n  y\n  ```\n"),
            ("<ol type=a><li><h3>x</h3>y</ol>", "a. x\n\n   y\n", "- a.\n\n  ### x\n\n  y\n"),
            ("<ol type=a><li><ul><li>x</ul><li>y</ol>", "a. - x\nb. y\n", "- a.\n  - x\n- b. y\n"),
            ("<ol type=a><li><button>x</button><blockquote>y</blockquote></ol>", "a. y\n", "- a.\n\n  > y\n"),
            ("<ol type=a><li> <li># x<li><code>y</code></ol>", "a. # x\nb. y\n", "- a. \\# x\n- b. `y`\n"),
        ];
        for (html, text, markdown) in cases {
            let page = Page::parse(html);
            let nodes = page.subtree_set(page.root());
            assert_eq!(emit::text(&page, &nodes), text, "{html}");
            assert_eq!(emit::markdown(&page, &nodes), markdown, "{html}");
            let clean = Page::parse(emit::html(&page, &nodes));
            assert_eq!(emit::text(&clean, &clean.subtree_set(clean.root())), text, "{html}");
        }
    }

    #[test]
    fn items_have_the_numbers_that_browsers_show() {
        for (html, expected) in [
            ("<ol start=0><li>a<li>b</ol>", "0. a\n1. b\n"),
            ("<ol reversed><li>a<li>b<li>c</ol>", "3. a\n2. b\n1. c\n"),
            ("<ol reversed start=10><li>a<li>b</ol>", "10. a\n9. b\n"),
            ("<ol><li value=4>a<li>b</ol>", "4. a\n5. b\n"),
            ("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c\n"),
            ("<ol start=9999999999><li>a</ol>", "1. a\n"),
            ("<ol start=-3 reversed><li value=x>a<li>b<li>c</ol>", "3. a\n2. b\n1. c\n"),
            ("<ul><li value=3>a</ul>", "- a\n"),
        ] {
            let page = Page::parse(html);
            let nodes = page.subtree_set(page.root());
            assert_eq!(emit::text(&page, &nodes), expected, "{html}");
            assert_eq!(emit::markdown(&page, &nodes), expected, "{html}");
        }
    }
}
