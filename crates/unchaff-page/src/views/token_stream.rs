//! A page as a stream of tags and words, in the order of its source.
//!
//! The stream techniques (BTE, DSC, content code blurring) know no tree: they see which stretches of the source are
//! markup and which are text. T. Gottron (Content Extraction: Identifying the Main Content in HTML Documents. PhD thesis,
//! Mainz 2008, §2.1.2, §3.2.2, §6.4.1) read pages for them with an error-tolerant scanner of his own, and so do we: a
//! tag is what stands in the source, whether or not the tree has a use for it, and tags that the standard implies do not
//! exist. What the tree is asked is which text node a word belongs to, so that a stretch of the stream becomes a set of
//! nodes. Text that is not for readers (`template`, `iframe`, titles in drawings) has no text node and is no word.
//!
//! There are two views of one stream. For [`Unit::Tokens`] every tag and every word is one entry of a vector, for
//! [`Unit::Characters`] every character of them that is not white space. Character references are read after markup is
//! told from text, so that `&lt;b&gt;` is no tag; each counts as one character.

use crate::parameters::choice;
use crate::views::source_markup::{comment_end, name_of, reference, tag_len, to_bracket};
use std::ops::Range;
use unchaff_dom::order::InOrder;
use unchaff_dom::words::is_ideograph;
use unchaff_dom::{NodeId, Page, Tag};

choice! {
    /// What separates words and is no character of its own.
    pub enum WhiteSpace {
        /// HTML's: space, tabulator, line feed, form feed, carriage return.
        Html = "html",
        /// HTML's and the no-break space.
        Nbsp = "nbsp",
        /// Unicode's, the no-break space included.
        Unicode = "unicode",
    }
}

impl WhiteSpace {
    fn has(self, character: char) -> bool {
        match self {
            WhiteSpace::Html => matches!(character, '\t' | '\n' | '\u{c}' | '\r' | ' '),
            WhiteSpace::Nbsp => matches!(character, '\t' | '\n' | '\u{c}' | '\r' | ' ' | '\u{a0}'),
            WhiteSpace::Unicode => character.is_whitespace(),
        }
    }
}

/// What becomes a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Whether end tags are tags.
    pub end_tags: bool,
    /// Whether the tags of `a` are tags; else they leave no trace but the end of a word.
    pub anchor_tags: bool,
    /// Whether the tags of `script` and `style` are tags. What is inside never counts.
    pub script_tags: bool,
    /// Whether comments are tags.
    pub comments: bool,
    /// Whether doctypes and processing instructions are tags.
    pub declarations: bool,
    /// Whether the text of `title` is text.
    pub title: bool,
    /// Whether what is in `noscript` counts.
    pub noscript: bool,
    /// Whether a tag ends a word.
    pub tags_split_words: bool,
    /// What separates words.
    pub white_space: WhiteSpace,
    /// Whether every ideograph is a word; scripts without spaces have hardly any words otherwise.
    pub ideographs: bool,
}

/// Declares the parameters of a technique that reads tags and words: its own, and how the stream is made.
macro_rules! token_parameters {
    ($(#[$doc:meta])* pub struct $name:ident { $($own:tt)* }) => {
        $crate::parameters::parameters! {
            $(#[$doc])*
            pub struct $name {
                $($own)*
                /// Whether end tags are tokens, like start tags.
                pub end_tags: bool = true,
                /// Whether the tags of script and style are tokens; what is inside never is.
                pub script_tags: bool = true,
                /// Whether comments are tokens, as tags are.
                pub comments: bool = false,
                /// Whether doctypes and processing instructions are tokens, as tags are.
                pub declarations: bool = false,
                /// Whether the words of the title are tokens.
                pub title: bool = true,
                /// Whether what is in noscript counts.
                pub noscript: bool = true,
                /// Whether a tag ends a word that goes on behind it.
                pub tags_split_words: bool = true,
                /// What separates words: HTML's white space, with the no-break space, or Unicode's.
                pub white_space: $crate::views::token_stream::WhiteSpace = $crate::views::token_stream::WhiteSpace::Unicode,
                /// Whether every ideograph is a word. By definition it is not: a paragraph of Chinese is a word or two.
                pub ideographs: bool = false,
            }
        }

        impl $name {
            fn rules(&self) -> $crate::views::token_stream::Rules {
                $crate::views::token_stream::Rules {
                    end_tags: self.end_tags,
                    anchor_tags: true,
                    script_tags: self.script_tags,
                    comments: self.comments,
                    declarations: self.declarations,
                    title: self.title,
                    noscript: self.noscript,
                    tags_split_words: self.tags_split_words,
                    white_space: self.white_space,
                    ideographs: self.ideographs,
                }
            }
        }
    };
}
pub(crate) use token_parameters;

/// A tag or a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The text node of a word; none for a tag.
    pub text: Option<NodeId>,
    /// Where it starts in the source.
    pub start: u32,
    /// Where it ends in the source.
    pub end: u32,
    /// Its characters without white space, references counted as one.
    pub characters: u32,
    /// Whether it goes on with the word before it, behind a comment or a tag that does not split words.
    pub joined: bool,
}

/// What is one entry of the vector that a technique works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// A tag or a word.
    Tokens,
    /// A character of a tag or a word.
    Characters,
}

/// A page as tags and words; see the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenStream {
    /// Tags and words in the order of the source.
    pub tokens: Vec<Token>,
}

impl TokenStream {
    /// Reads a page's source.
    #[must_use]
    pub fn read(page: &Page, rules: Rules) -> TokenStream {
        let mut scanner = Scanner {
            source: page.source(),
            rules,
            texts: TextNodes::of(page),
            tokens: Vec::with_capacity(page.source().len() / 16),
            open_word: false,
            never_closed: Vec::new(),
        };
        scanner.scan();
        TokenStream { tokens: scanner.tokens }
    }

    /// For each token, 1 if it is a tag and 0 if it is a word: the vector *B* of BTE and DSC.
    #[must_use]
    pub fn tag_vector(&self) -> Vec<u8> {
        self.tokens.iter().filter(|token| !token.joined).map(|token| u8::from(token.text.is_none())).collect()
    }

    /// The tokens with their places in the vector. A piece that joins a word has that word's place among tokens.
    pub fn places(&self, unit: Unit) -> impl Iterator<Item = (&Token, Range<u32>)> {
        let mut next = 0;
        let mut last_word = 0..0;
        self.tokens.iter().map(move |token| {
            if unit == Unit::Tokens && token.joined {
                return (token, last_word.clone());
            }
            let size = if unit == Unit::Tokens { 1 } else { token.characters };
            let place = next..next + size;
            next += size;
            if token.text.is_some() {
                last_word = place.clone();
            }
            (token, place)
        })
    }
}

/// The text nodes with words, in the order of the source, which moved text makes different from the tree's.
struct TextNodes {
    ranges: Vec<(Range<usize>, NodeId)>,
    next: usize,
    /// Those that have begun. A text node that the parser put together from pieces can have others within its range.
    begun: Vec<usize>,
}

impl TextNodes {
    fn of(page: &Page) -> TextNodes {
        let texts = page.nodes().filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0);
        let mut ranges: Vec<(Range<usize>, NodeId)> = texts.map(|node| (page.source_range(node), node)).collect();
        ranges.order_by_key(|(range, _)| range.start);
        TextNodes { ranges, next: 0, begun: Vec::new() }
    }

    /// The innermost text node around a place; places are asked for in order.
    fn at(&mut self, place: usize) -> Option<NodeId> {
        while self.ranges.get(self.next).is_some_and(|(range, _)| range.start <= place) {
            self.begun.push(self.next);
            self.next += 1;
        }
        while let Some(last) = self.begun.last() {
            let (range, node) = &self.ranges[*last];
            if place < range.end {
                return Some(*node);
            }
            self.begun.pop();
        }
        None
    }
}

/// Elements that are read in a way of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Anchor,
    /// `script` and `style`.
    Script,
    /// Elements whose text is raw in the tree.
    Raw,
    Title,
    Noscript,
    /// Elements in which tags are text.
    Verbatim,
    Other,
}

impl Element {
    fn named(name: &[u8]) -> Element {
        const KNOWN: [(&[u8], Element); 11] = [
            (b"a", Element::Anchor),
            (b"script", Element::Script),
            (b"style", Element::Script),
            (b"iframe", Element::Raw),
            (b"noembed", Element::Raw),
            (b"noframes", Element::Raw),
            (b"title", Element::Title),
            (b"noscript", Element::Noscript),
            (b"textarea", Element::Verbatim),
            (b"xmp", Element::Verbatim),
            (b"plaintext", Element::Verbatim),
        ];
        KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map_or(Element::Other, |(_, element)| *element)
    }
}

struct Scanner<'p> {
    source: &'p str,
    rules: Rules,
    texts: TextNodes,
    tokens: Vec<Token>,
    /// Whether the last text ended within a word and nothing has ended it since.
    open_word: bool,
    /// Names of elements that are known to have no end tag in the rest of the source.
    never_closed: Vec<&'p [u8]>,
}

impl<'p> Scanner<'p> {
    fn scan(&mut self) {
        let source = self.source.as_bytes();
        let mut text = 0;
        let mut from = 0;
        while let Some(found) = self.source[from..].find('<') {
            let start = from + found;
            let rest = &source[start..];
            from = match rest.get(1) {
                Some(b'!') if rest.starts_with(b"<!--") => self.markup(text, start, comment_end(rest), self.rules.comments),
                Some(b'!') if rest.get(2..9).is_some_and(|name| name.eq_ignore_ascii_case(b"doctype")) => {
                    self.markup(text, start, to_bracket(rest), self.rules.declarations)
                }
                Some(b'?') => self.markup(text, start, to_bracket(rest), self.rules.declarations),
                Some(b'!') => self.markup(text, start, to_bracket(rest), self.rules.comments),
                Some(b'/') if rest.get(2).is_some_and(u8::is_ascii_alphabetic) => self.end_tag(text, start),
                Some(b'/') => self.markup(text, start, to_bracket(rest), self.rules.comments),
                Some(letter) if letter.is_ascii_alphabetic() => self.start_tag(text, start),
                _ => {
                    from = start + 1;
                    continue;
                }
            };
            text = from;
        }
        self.words(text..self.source.len());
    }

    /// The text before a piece of markup that is no tag, and that piece; where the source goes on.
    fn markup(&mut self, text: usize, start: usize, len: usize, counts: bool) -> usize {
        self.words(text..start);
        if counts {
            self.push_tag(start..start + len);
        }
        start + len
    }

    fn end_tag(&mut self, text: usize, start: usize) -> usize {
        self.words(text..start);
        let rest = &self.source.as_bytes()[start..];
        let Some(len) = tag_len(rest) else { return self.source.len() };
        let counts = match Element::named(name_of(&rest[2..])) {
            Element::Anchor => self.rules.anchor_tags,
            Element::Script => self.rules.script_tags,
            _ => true,
        };
        self.end_word();
        if counts && self.rules.end_tags {
            self.push_tag(start..start + len);
        }
        start + len
    }

    fn start_tag(&mut self, text: usize, start: usize) -> usize {
        self.words(text..start);
        let rest = &self.source.as_bytes()[start..];
        // A tag that the source breaks off is none, for browsers too.
        let Some(len) = tag_len(rest) else { return self.source.len() };
        let (name, end) = (name_of(&rest[1..]), start + len);
        let element = Element::named(name);
        let counts = match element {
            Element::Anchor => self.rules.anchor_tags,
            Element::Script => self.rules.script_tags,
            _ => true,
        };
        self.end_word();
        if counts {
            self.push_tag(start..end);
        }
        match element {
            Element::Anchor | Element::Other => end,
            Element::Noscript if self.rules.noscript => end,
            Element::Verbatim | Element::Title if element != Element::Title || self.rules.title => {
                let close = self.close_of(name, end).unwrap_or(end);
                self.words(end..close);
                close
            }
            _ => self.close_of(name, end).unwrap_or(end),
        }
    }

    /// Where the end tag of a name starts. One that is missing is not looked for again: many would cost the square of
    /// the page. What would have been skipped is read then; the tree decides what of it is text.
    fn close_of(&mut self, name: &'p [u8], from: usize) -> Option<usize> {
        if self.never_closed.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return None;
        }
        let mut at = from;
        while let Some(found) = self.source[at..].find("</") {
            at += found;
            if name_of(&self.source.as_bytes()[at + 2..]).eq_ignore_ascii_case(name) {
                return Some(at);
            }
            at += 2;
        }
        self.never_closed.push(name);
        None
    }

    fn end_word(&mut self) {
        if self.rules.tags_split_words {
            self.open_word = false;
        }
    }

    fn push_tag(&mut self, range: Range<usize>) {
        let bytes = &self.source.as_bytes()[range.clone()];
        // Bytes that go on a character of UTF-8 are no characters of their own.
        let counts = |byte: &&u8| !matches!(**byte, b'\t' | b'\n' | 0xc | b'\r' | b' ' | 0x80..=0xbf);
        let characters = bytes.iter().filter(counts).count() as u32;
        self.tokens.push(Token { text: None, start: range.start as u32, end: range.end as u32, characters, joined: false });
    }

    /// Splits a stretch of text into words.
    fn words(&mut self, range: Range<usize>) {
        let bytes = &self.source.as_bytes()[..range.end];
        let mut at = range.start;
        let mut word: Option<(usize, u32)> = None;
        while at < range.end {
            let (len, is_space) = match bytes[at] {
                b'&' => {
                    reference(&bytes[at..]).map_or((1, false), |(len, character)| (len, self.rules.white_space.has(character)))
                }
                byte @ ..0x80 => (1, byte <= b' ' && self.rules.white_space.has(char::from(byte))),
                _ => match self.source[at..].chars().next() {
                    Some(character) if self.rules.ideographs && is_ideograph(character) => {
                        if let Some((start, characters)) = word.take() {
                            self.push_word(start..at, characters);
                        }
                        self.open_word = false;
                        self.push_word(at..at + character.len_utf8(), 1);
                        at += character.len_utf8();
                        continue;
                    }
                    Some(character) => (character.len_utf8(), self.rules.white_space.has(character)),
                    None => break,
                },
            };
            match (&mut word, is_space) {
                (Some((start, characters)), true) => {
                    let (start, characters) = (*start, *characters);
                    self.push_word(start..at, characters);
                    word = None;
                    self.open_word = false;
                }
                (Some((_, characters)), false) => *characters += 1,
                (None, true) => self.open_word = false,
                (None, false) => word = Some((at, 1)),
            }
            at += len;
        }
        if let Some((start, characters)) = word {
            self.push_word(start..at, characters);
            self.open_word = true;
        }
    }

    fn push_word(&mut self, range: Range<usize>, characters: u32) {
        let Some(node) = self.texts.at(range.start) else { return };
        let joined = std::mem::take(&mut self.open_word);
        self.tokens.push(Token { text: Some(node), start: range.start as u32, end: range.end as u32, characters, joined });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: Rules = Rules {
        end_tags: true,
        anchor_tags: true,
        script_tags: true,
        comments: false,
        declarations: false,
        title: true,
        noscript: true,
        tags_split_words: true,
        white_space: WhiteSpace::Unicode,
        ideographs: false,
    };

    /// The stream with `<>` for tags, words as they stand, and `+` before a piece that joins a word.
    fn read(html: &str, rules: Rules) -> String {
        let page = Page::parse(html);
        let tokens = TokenStream::read(&page, rules).tokens;
        let spell = |token: &Token| match token.text {
            None => "<>".to_owned(),
            Some(_) => {
                format!("{}{}", if token.joined { "+" } else { "" }, &page.source()[token.start as usize..token.end as usize])
            }
        };
        tokens.iter().map(spell).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tags_and_words_stand_in_the_order_of_the_source() {
        assert_eq!(read("<p>One <b class='a > b'>two</b>,\n three<br/></p>", ALL), "<> One <> two <> , three <> <>");
        assert_eq!(read("1 < 2 <a title=it's href = x>link</A >", ALL), "1 < 2 <> link <>");
        assert_eq!(read("", ALL), "");
        assert_eq!(read("<!-- only --> \n", ALL), "");
        assert_eq!(read("a <!-- b > c --!> d <!--> e <!---> f <!-- g", ALL), "a d e f");
    }

    /// Gottron (2008, §3.2.2) leaves these points of the tokeniser open; each is a rule.
    #[test]
    fn every_open_point_of_the_tokeniser_is_a_rule() {
        let html = "<!doctype html><title>T t</title><script>var a = '<b>';</script><!-- c --> a<b>b</b> c&nbsp;d<?x?>";
        assert_eq!(read(html, ALL), "<> T t <> <> <> a <> b <> c d");
        assert_eq!(read(html, Rules { end_tags: false, ..ALL }), "<> T t <> a <> b c d");
        assert_eq!(read(html, Rules { script_tags: false, ..ALL }), "<> T t <> a <> b <> c d");
        assert_eq!(read(html, Rules { comments: true, ..ALL }), "<> T t <> <> <> <> a <> b <> c d");
        assert_eq!(read(html, Rules { declarations: true, ..ALL }), "<> <> T t <> <> <> a <> b <> c d <>");
        assert_eq!(read(html, Rules { title: false, ..ALL }), "<> <> <> <> a <> b <> c d");
        assert_eq!(read(html, Rules { tags_split_words: false, ..ALL }), "<> T t <> <> <> a <> +b <> c d");
        assert_eq!(read(html, Rules { white_space: WhiteSpace::Html, ..ALL }), "<> T t <> <> <> a <> b <> c&nbsp;d");
        assert_eq!(read("<p>a<noscript><img>b</noscript>c", ALL), "<> a <> <> b <> c");
        assert_eq!(read("<p>a<noscript><img>b</noscript>c", Rules { noscript: false, ..ALL }), "<> a <> <> c");
        assert_eq!(read("ab中文cd 今", ALL), "ab中文cd 今");
        assert_eq!(read("ab中文cd 今", Rules { ideographs: true, ..ALL }), "ab 中 文 cd 今");
        assert_eq!(read("a<a>b</a>c", Rules { anchor_tags: false, ..ALL }), "a b c");
    }

    #[test]
    fn a_comment_does_not_end_a_word() {
        let page = Page::parse("un<!-- x -->chaff it");
        let stream = TokenStream::read(&page, ALL);
        assert_eq!(stream.tag_vector(), [0, 0]);
        let places: Vec<Range<u32>> = stream.places(Unit::Tokens).map(|(_, place)| place).collect();
        assert_eq!(places, [0..1, 0..1, 1..2]);
        let places: Vec<Range<u32>> = stream.places(Unit::Characters).map(|(_, place)| place).collect();
        assert_eq!(places, [0..2, 2..7, 7..9]);
    }

    #[test]
    fn words_know_their_text_node_wherever_the_tree_puts_it() {
        let page = Page::parse("<table>moved<tr><td>cell</td> too</table><p>a</b>c<textarea><b>typed</textarea>");
        let tokens = TokenStream::read(&page, ALL).tokens;
        let words = tokens
            .iter()
            .filter_map(|token| Some((&page.source()[token.start as usize..token.end as usize], page.text(token.text?))));
        let expected =
            [("moved", "moved too"), ("cell", "cell"), ("too", "moved too"), ("a", "ac"), ("c", "ac"), ("<b>typed", "<b>typed")];
        assert_eq!(words.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn elements_that_are_never_closed_swallow_nothing_and_cost_nothing() {
        assert_eq!(read("<p>a<svg><style/></svg>b", ALL).matches('b').count(), 1);
        let many = Page::parse("<title><xmp>".repeat(20_000));
        assert!(!TokenStream::read(&many, ALL).tokens.is_empty());
    }

    proptest! {
        #[test]
        fn every_word_of_the_tree_is_a_word_of_the_stream(pieces in prop::collection::vec("<(div|p|ul|li|a|span|b|table|tr|td|br)>|</(div|p|ul|a|b|table|td)> |one two |&nbsp;|&amp;x |<!-- y --> | z", 0..60)) {
            let page = Page::parse(pieces.concat());
            let tokens = TokenStream::read(&page, ALL).tokens;
            let mut words = vec![0; page.len()];
            for token in tokens.iter().filter_map(|token| token.text) {
                words[token.index()] += 1;
            }
            for node in page.nodes().filter(|node| page.tag(*node) == Tag::Text) {
                // Pieces that the parser puts together can make one word of two.
                prop_assert!(words[node.index()] >= page.counts(node).tokens);
            }
        }

        #[test]
        fn any_source_is_a_stream_in_order(source in "[<>/!?a-c=\"' &;#x-]{0,80}") {
            let page = Page::parse(source);
            let tokens = TokenStream::read(&page, ALL).tokens;
            prop_assert!(tokens.iter().all(|token| token.start < token.end && token.characters > 0));
            prop_assert!(tokens.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
    }
}
