//! An HTML tokenizer over a string in memory: cuts it into tags, texts,
//! comments and doctypes exactly as <https://html.spec.whatwg.org/#tokenization>
//! prescribes, without reporting parse errors.
//!
//! Instead of the standard's state per character, each kind of token is found by
//! jumping to the byte that can end it; the standard's states are named where a
//! rule comes from them. The caller pulls token after token; what a token holds
//! is borrowed from the source unless something in it had to be decoded. Every
//! byte is looked at a bounded number of times, whatever the input.

mod declarations;
mod raw_text;
mod tags;

use super::char_ref::{Content, decode};
use memchr::{memchr, memchr2, memchr3};
use std::borrow::Cow;
use std::ops::Range;

/// What the tree builder tells the tokenizer to read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Data,
    Rcdata,
    Rawtext,
    ScriptData,
    Plaintext,
}

/// An attribute of a start tag: the name in ASCII lower case, the value decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attribute<'s> {
    pub(super) name: Cow<'s, str>,
    pub(super) value: Cow<'s, str>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Doctype {
    pub(super) name: Option<String>,
    pub(super) public_id: Option<String>,
    pub(super) system_id: Option<String>,
    pub(super) force_quirks: bool,
}

/// The kind of the current token; its content is asked of the tokenizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Doctype(Box<Doctype>),
    StartTag,
    EndTag,
    Comment,
    Text,
    Eof,
}

pub(super) struct Tokenizer<'s> {
    source: &'s str,
    /// Where the next token starts.
    position: usize,
    /// Where the current token starts.
    start: usize,
    state: State,
    cdata_allowed: bool,
    has_carriage_return_or_nul: bool,
    /// A stretch of the source that is known to have nothing to decode. Most texts and values lie in one.
    plain: Range<usize>,
    /// Where in the source the current text is; `None`: in `buffer`.
    text: Option<Range<usize>>,
    buffer: String,
    /// The current tag's name; `None`: in `name_buffer`.
    name: Option<&'s str>,
    name_buffer: String,
    /// As written in the source.
    last_start_tag: &'s str,
    /// The name of the end tag that ends the current state other than data.
    appropriate_end_tag: &'s [u8],
    /// Whether that of a `noscript` does, too.
    is_in_noscript: bool,
    attributes: Vec<Attribute<'s>>,
    self_closing: bool,
}

// Classes of bytes, as bits so that one lookup per byte answers both whether a
// name or value ends and whether it can be borrowed as it is.
const SPACE: u8 = 1;
const SLASH: u8 = 2;
const GREATER: u8 = 4;
const EQUALS: u8 = 8;
const UPPER: u8 = 16;
const NUL: u8 = 32;
/// Values with these must be looked at for something to decode.
const DECODE: u8 = 64;

const TAG_NAME_END: u8 = SPACE | SLASH | GREATER;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut upper = b'A';
    while upper <= b'Z' {
        classes[upper as usize] = UPPER;
        upper += 1;
    }
    classes[b'\t' as usize] = SPACE;
    classes[b'\n' as usize] = SPACE;
    classes[0x0C] = SPACE;
    classes[b' ' as usize] = SPACE;
    // Not white space in the standard, which has made it U+000A before.
    classes[b'\r' as usize] = SPACE | DECODE;
    classes[b'/' as usize] = SLASH;
    classes[b'>' as usize] = GREATER;
    classes[b'=' as usize] = EQUALS;
    classes[0] = NUL | DECODE;
    classes[b'&' as usize] = DECODE;
    classes
};

#[inline]
fn class(byte: u8) -> u8 {
    CLASSES[usize::from(byte)]
}

impl<'s> Tokenizer<'s> {
    /// A byte order mark is for the caller to remove.
    pub(super) fn new(source: &'s str) -> Self {
        Tokenizer {
            source,
            position: 0,
            start: 0,
            state: State::Data,
            cdata_allowed: false,
            has_carriage_return_or_nul: memchr2(b'\r', 0, source.as_bytes()).is_some(),
            plain: 0..0,
            text: Some(0..0),
            buffer: String::new(),
            name: Some(""),
            name_buffer: String::new(),
            last_start_tag: "",
            appropriate_end_tag: b"",
            is_in_noscript: false,
            attributes: Vec::new(),
            self_closing: false,
        }
    }

    /// Moves to the next token. After the end: `Token::Eof`, always.
    pub(super) fn next(&mut self) -> Token {
        loop {
            self.start = self.position;
            if self.position == self.source.len() {
                return Token::Eof;
            }
            let token = match self.state {
                State::Data => self.data(),
                State::Rcdata => self.until_end_tag(Content::Rcdata),
                State::Rawtext | State::ScriptData => self.until_end_tag(Content::Raw),
                State::Plaintext => Some(self.emit_text(self.source.len(), Content::Raw)),
            };
            if let Some(token) = token {
                return token;
            }
        }
    }

    /// Sets what follows the start tag just read. The tokenizer returns to
    /// `State::Data` by itself, at the end tag of the same name.
    pub(super) fn set_state(&mut self, state: State) {
        self.state = state;
        // In these states only letters make an end tag's name.
        let name = self.last_start_tag.as_bytes();
        let is_possible = name.iter().all(u8::is_ascii_alphabetic);
        self.appropriate_end_tag = if is_possible { name } else { b"" };
    }

    /// Whether the text that follows stands in a `noscript`, and ends with it at the latest. By the standard it does not where no scripts are run, so that an
    /// `iframe` that is not closed takes the rest of the page; where they are, nobody notices that it is not.
    pub(super) fn ends_with_noscript(&mut self, ends: bool) {
        self.is_in_noscript = ends;
    }

    /// To be called with true while the adjusted current node is not in the
    /// HTML namespace.
    pub(super) fn allow_cdata(&mut self, allowed: bool) {
        self.cdata_allowed = allowed;
    }

    /// The bytes of the source that the current token was read from: a tag from
    /// its `<` to after its `>`, a text with the markup of its CDATA section.
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.position
    }

    /// The text of the current text or comment: a part of the source itself, as its
    /// address tells, unless something in it had to be decoded.
    pub(super) fn text(&self) -> &str {
        match &self.text {
            Some(range) => &self.source[range.clone()],
            None => &self.buffer,
        }
    }

    /// Whether the current text contains U+0000, which only `State::Data` and CDATA
    /// sections let through.
    pub(super) fn has_nul(&self) -> bool {
        self.has_carriage_return_or_nul && memchr(0, self.text().as_bytes()).is_some()
    }

    /// The name of the current tag, in ASCII lower case.
    pub(super) fn name(&self) -> &str {
        self.name.unwrap_or(&self.name_buffer)
    }

    /// The attributes of the current start tag, each name once; none for an end
    /// tag.
    pub(super) fn attributes(&self) -> &[Attribute<'s>] {
        &self.attributes
    }

    pub(super) fn self_closing(&self) -> bool {
        self.self_closing
    }

    fn byte_at(&self, position: usize) -> Option<u8> {
        self.source.as_bytes().get(position).copied()
    }

    /// The position of `needle` at or after `from`.
    fn find(&self, needle: u8, from: usize) -> Option<usize> {
        let found = memchr(needle, self.source.as_bytes().get(from..)?)?;
        Some(from + found)
    }

    #[inline]
    fn skip_space(&self, mut position: usize) -> usize {
        while let Some(byte) = self.byte_at(position)
            && class(byte) & SPACE != 0
        {
            position += 1;
        }
        position
    }

    /// Where the first byte of one of the classes in `end` is, and all classes
    /// of the bytes before it; at the end of the source if there is none.
    #[inline]
    fn scan(&self, from: usize, end: u8) -> (usize, u8) {
        let mut seen = 0;
        for (offset, &byte) in self.source.as_bytes()[from..].iter().enumerate() {
            let class = class(byte);
            if class & end != 0 {
                return (from + offset, seen);
            }
            seen |= class;
        }
        (self.source.len(), seen)
    }

    /// <https://html.spec.whatwg.org/#data-state>, the tag open state and the
    /// end tag open state. `None`: there was no token after all.
    #[inline]
    fn data(&mut self) -> Option<Token> {
        let start = self.position;
        if self.byte_at(start) == Some(b'<') && self.is_markup(start) {
            match self.byte_at(start + 1)? {
                b'!' => self.markup_declaration_open(),
                b'?' => Some(self.bogus_comment(start + 1)),
                b'/' => match self.byte_at(start + 2)? {
                    b'>' => {
                        self.position = start + 3;
                        None
                    }
                    byte if byte.is_ascii_alphabetic() => self.tag(start + 2, Token::EndTag),
                    _ => Some(self.bogus_comment(start + 2)),
                },
                _ => self.tag(start + 1, Token::StartTag),
            }
        } else {
            let mut searched = start + 1;
            while let Some(less_than) = self.find(b'<', searched) {
                if self.is_markup(less_than) {
                    return Some(self.emit_text(less_than, Content::Data));
                }
                searched = less_than + 1;
            }
            Some(self.emit_text(self.source.len(), Content::Data))
        }
    }

    /// Whether the `<` at `position` opens anything or is text itself.
    fn is_markup(&self, position: usize) -> bool {
        match self.byte_at(position + 1) {
            Some(b'!' | b'?') => true,
            Some(b'/') => position + 2 < self.source.len(),
            Some(byte) => byte.is_ascii_alphabetic(),
            None => false,
        }
    }

    /// Text up to `end`, which is not where the token starts.
    fn emit_text(&mut self, end: usize, content: Content) -> Token {
        self.set_text(self.start..end, content);
        self.position = end;
        Token::Text
    }

    fn set_text(&mut self, range: Range<usize>, content: Content) {
        let is_decoded = self.decode(range.clone(), content);
        self.text = if is_decoded { None } else { Some(range) };
    }

    /// Writes what `range` means to the buffer, if that differs from what it is.
    fn decode(&mut self, range: Range<usize>, content: Content) -> bool {
        let normalise = self.has_carriage_return_or_nul;
        if !normalise && !content.has_references() || self.is_plain(&range) {
            return false;
        }
        decode(&self.source[range], content, normalise, &mut self.buffer)
    }

    /// Whether there is nothing to decode. The next byte that needs it is looked for once, and not from each text and value anew.
    #[inline]
    fn is_plain(&mut self, range: &Range<usize>) -> bool {
        if range.start < self.plain.start || self.plain.end < range.start {
            let rest = &self.source.as_bytes()[range.start..];
            let found = if self.has_carriage_return_or_nul { memchr3(b'&', b'\r', 0, rest) } else { memchr(b'&', rest) };
            self.plain = range.start..found.map_or(self.source.len(), |found| range.start + found);
        }
        range.end <= self.plain.end
    }
}

fn starts_with_ignoring_case(bytes: &[u8], prefix: &[u8]) -> bool {
    bytes.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens in a short notation with `|` between, adjacent texts joined.
    /// Sets the state after a start tag as the tree builder would.
    pub(super) fn tokens_of(mut tokenizer: Tokenizer) -> String {
        let mut all = String::new();
        let mut after_text = false;
        loop {
            let token = tokenizer.next();
            let is_text = token == Token::Text;
            if token != Token::Eof && !all.is_empty() && !(is_text && after_text) {
                all.push('|');
            }
            after_text = is_text;
            match token {
                Token::Doctype(doctype) => {
                    all += "doctype";
                    for part in [doctype.name, doctype.public_id, doctype.system_id] {
                        all += &format!(" '{}'", part.as_deref().unwrap_or("none"));
                    }
                    all += if doctype.force_quirks { " quirks" } else { "" };
                }
                Token::StartTag => {
                    all += &format!("<{}", tokenizer.name());
                    for attribute in tokenizer.attributes() {
                        all += &format!(" {}='{}'", attribute.name, attribute.value);
                    }
                    all += if tokenizer.self_closing() { "/>" } else { ">" };
                    match tokenizer.name() {
                        "title" => tokenizer.set_state(State::Rcdata),
                        "style" => tokenizer.set_state(State::Rawtext),
                        "script" => tokenizer.set_state(State::ScriptData),
                        "plaintext" => tokenizer.set_state(State::Plaintext),
                        _ => {}
                    }
                }
                Token::EndTag => all += &format!("</{}>", tokenizer.name()),
                Token::Comment => all += &format!("<!--{}-->", tokenizer.text()),
                Token::Text => all += tokenizer.text(),
                Token::Eof => {
                    assert_eq!(tokenizer.next(), Token::Eof);
                    return all;
                }
            }
        }
    }

    pub(super) fn tokens(source: &str) -> String {
        tokens_of(Tokenizer::new(source))
    }

    #[track_caller]
    pub(super) fn assert_all(cases: &[(&str, &str)]) {
        for (source, expected) in cases {
            assert_eq!(&tokens(source), expected, "{source:?}");
        }
    }

    #[test]
    fn less_than_opens_markup_only_before_certain_characters() {
        assert_all(&[
            ("", ""),
            ("a < b <3 <", "a < b <3 <"),
            ("a</", "a</"),
            ("a</>b", "ab"),
            ("<<a>>", "<|<a>|>"),
            ("<é>", "<é>"),
        ]);
    }

    #[test]
    fn text_is_decoded_as_its_state_says() {
        assert_all(&[
            ("a\r\nb\rc\r\r\n\n", "a\nb\nc\n\n\n"),
            ("a&#13;b", "a\rb"),
            ("&lt;p&gt; &notit; &amp &x; &", "<p> ¬it; & &x; &"),
            ("\0&lt;", "\0<"),
            ("<title>\0&lt;", "<title>|\u{FFFD}<"),
            ("<style>\0&lt;", "<style>|\u{FFFD}&lt;"),
            ("<script>\0&lt;", "<script>|\u{FFFD}&lt;"),
            ("<plaintext>\0&lt;", "<plaintext>|\u{FFFD}&lt;"),
        ]);
    }

    #[test]
    fn nul_in_text_is_told() {
        for (source, has_nul) in [("a\0", true), ("\r\0", true), ("a\r", false), ("a", false)] {
            let mut tokenizer = Tokenizer::new(source);
            tokenizer.next();
            assert_eq!(tokenizer.has_nul(), has_nul, "{source:?}");
        }
    }

    #[test]
    fn span_and_undecoded_text_are_parts_of_the_source() {
        let source = "a<P b='>'>c&lt;<!--d--><![CDATA[e]]>\r";
        let mut tokenizer = Tokenizer::new(source);
        tokenizer.allow_cdata(true);
        for (span, text, is_part) in [
            ("a", "a", true),
            ("<P b='>'>", "a", true),
            ("c&lt;", "c<", false),
            ("<!--d-->", "d", true),
            ("<![CDATA[e]]>", "e", true),
            ("\r", "\n", false),
            ("", "\n", false),
        ] {
            tokenizer.next();
            assert_eq!((&source[tokenizer.span()], tokenizer.text()), (span, text));
            let part = source.as_bytes().as_ptr_range();
            assert_eq!(part.contains(&tokenizer.text().as_ptr()), is_part, "{span}");
        }
    }
}
