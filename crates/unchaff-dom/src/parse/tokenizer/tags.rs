//! Start and end tags with their attributes: the states from
//! <https://html.spec.whatwg.org/#tag-name-state> to
//! <https://html.spec.whatwg.org/#self-closing-start-tag-state>.

use super::super::char_ref::Content;
use super::{Attribute, DECODE, EQUALS, GREATER, NUL, SLASH, SPACE, TAG_NAME_END, Token, Tokenizer, UPPER, class};
use std::borrow::Cow;
use std::collections::HashSet;

type Name<'s> = Cow<'s, str>;

const ATTRIBUTE_NAME_END: u8 = SPACE | SLASH | GREATER | EQUALS;

impl<'s> Tokenizer<'s> {
    /// <https://html.spec.whatwg.org/#tag-name-state>; `None` if the source ends
    /// inside the tag.
    pub(super) fn tag(&mut self, name_start: usize, kind: Token) -> Option<Token> {
        let (name_end, seen) = self.scan(name_start, TAG_NAME_END);
        let name = &self.source[name_start..name_end];
        if seen & (UPPER | NUL) == 0 {
            self.name = Some(name);
        } else {
            self.name = None;
            self.name_buffer.clear();
            self.name_buffer.push_str(name);
            self.name_buffer.make_ascii_lowercase();
            if seen & NUL != 0 {
                self.name_buffer = self.name_buffer.replace('\0', "\u{FFFD}");
            }
        }
        self.self_closing = false;
        self.attributes.clear();
        let is_start_tag = kind == Token::StartTag;
        let Some(end) = self.tag_attributes(name_end, is_start_tag) else {
            self.position = self.source.len();
            return None;
        };
        if is_start_tag {
            self.last_start_tag = name;
        }
        self.position = end;
        Some(kind)
    }

    /// From <https://html.spec.whatwg.org/#before-attribute-name-state> to the end
    /// of the tag, which is returned.
    fn tag_attributes(&mut self, mut position: usize, is_start_tag: bool) -> Option<usize> {
        let mut names_seen = None;
        loop {
            position = self.skip_space(position);
            match self.byte_at(position)? {
                b'>' => return Some(position + 1),
                b'/' => {
                    position += 1;
                    if self.byte_at(position) == Some(b'>') {
                        self.self_closing = true;
                        return Some(position + 1);
                    }
                    continue;
                }
                _ => {}
            }
            let name_start = position;
            let first_class = class(self.byte_at(position)?);
            let (name_end, name_classes) = self.scan(position + 1, ATTRIBUTE_NAME_END);
            let name = &self.source[name_start..name_end];
            position = self.skip_space(name_end);
            let mut value = position..position;
            let mut must_decode = false;
            if self.byte_at(position)? == b'=' {
                position = self.skip_space(position + 1);
                match self.byte_at(position)? {
                    quote @ (b'"' | b'\'') => {
                        let end = self.find(quote, position + 1)?;
                        value = position + 1..end;
                        must_decode = true;
                        position = end + 1;
                    }
                    // The value is missing.
                    b'>' => {}
                    _ => {
                        let (end, classes) = self.scan(position, SPACE | GREATER);
                        value = position..end;
                        must_decode = classes & DECODE != 0;
                        position = end;
                    }
                }
            }
            if !is_start_tag {
                continue;
            }
            let name = attribute_name(name, first_class | name_classes);
            if self.is_new(&name, &mut names_seen) {
                let value = if must_decode && self.decode(value.clone(), Content::AttributeValue) {
                    Cow::Owned(self.buffer.as_str().to_owned())
                } else {
                    Cow::Borrowed(&self.source[value])
                };
                self.attributes.push(Attribute { name, value });
            }
        }
    }

    /// Whether no attribute before has that name. `seen` is filled once there
    /// are too many to compare with each.
    fn is_new(&self, name: &Name<'s>, seen: &mut Option<HashSet<Name<'s>>>) -> bool {
        const FEW: usize = 16;
        let mut before = self.attributes.iter().map(|attribute| &attribute.name);
        if self.attributes.len() <= FEW {
            return before.all(|before| before != name);
        }
        seen.get_or_insert_with(|| before.cloned().collect()).insert(name.clone())
    }
}

/// The name of an attribute whose bytes are of the given classes.
fn attribute_name(raw: &str, classes: u8) -> Cow<'_, str> {
    if classes & (UPPER | NUL) == 0 {
        return Cow::Borrowed(raw);
    }
    let name = raw.to_ascii_lowercase();
    Cow::Owned(if classes & NUL != 0 { name.replace('\0', "\u{FFFD}") } else { name })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_all, tokens};
    use super::*;

    #[test]
    fn attributes_in_every_notation() {
        assert_all(&[
            ("<A HREF=x>", "<a href='x'>"),
            ("<a b='\"' c=\"'x\" d>", "<a b='\"' c=''x' d=''>"),
            ("<a\rb\r=\r'c'\r>", "<a b='c'>"),
            ("<a b='c'd=e>", "<a b='c' d='e'>"),
            ("<a =b=c>", "<a =b='c'>"),
            ("<a b= >", "<a b=''>"),
            ("<a b=/>", "<a b='/'>"),
            ("<a b=c/d>", "<a b='c/d'>"),
            ("<a b=''/>", "<a b=''/>"),
            ("<a/b/ c / >", "<a b='' c=''>"),
            ("<br/>", "<br/>"),
            ("<a '\"<é=1>", "<a '\"<é='1'>"),
            ("<a b=1 B=2 c=3 b>", "<a b='1' c='3'>"),
            ("<a b='&lt;\r\n\r&copy=&copy'>", "<a b='<\n\n&copy=©'>"),
            ("<a b=&lt;c&amp=>", "<a b='<c&amp='>"),
            ("<A\0b C\0=\0 d='\0'>", "<a\u{FFFD}b c\u{FFFD}='\u{FFFD}' d='\u{FFFD}'>"),
            ("</A b='>' c/>d", "</a>|d"),
        ]);
    }

    #[test]
    fn first_of_many_attributes_of_one_name_wins() {
        let names: Vec<String> = (0..40).map(|number| format!("n{number}")).collect();
        let mut source = "<a".to_owned();
        for value in ["first", "second"] {
            for name in &names {
                source += &format!(" {name}={value}");
            }
        }
        source += "><b>";
        let mut tokenizer = Tokenizer::new(&source);
        tokenizer.next();
        assert_eq!(tokenizer.attributes().len(), names.len());
        for (attribute, name) in tokenizer.attributes().iter().zip(&names) {
            assert_eq!((&*attribute.name, &*attribute.value), (name.as_str(), "first"));
        }
        tokenizer.next();
        assert_eq!((tokenizer.name(), tokenizer.attributes()), ("b", &[][..]));
    }

    #[test]
    fn unfinished_tag_is_dropped() {
        for unfinished in [
            "<p",
            "<p ",
            "<p/",
            "<p a",
            "<p a ",
            "<p a=",
            "<p a= ",
            "<p a=b",
            "<p a='b>",
            "<p a=\"b>",
            "<p a='b'",
            "</p",
            "</p a='>",
        ] {
            assert_eq!(tokens(&format!("x{unfinished}")), "x", "{unfinished}");
        }
    }

    #[test]
    fn only_what_had_to_change_is_copied() {
        let mut tokenizer = Tokenizer::new("<a href='?a=1&b=2' Title=\"&lt;\">");
        tokenizer.next();
        let is_borrowed = |text: &Cow<str>| matches!(text, Cow::Borrowed(_));
        let borrowed: Vec<_> = tokenizer
            .attributes()
            .iter()
            .map(|attribute| (is_borrowed(&attribute.name), is_borrowed(&attribute.value)))
            .collect();
        assert_eq!(borrowed, [(true, true), (false, false)]);
    }
}
