//! What starts with `<!`, and bogus comments: the states from
//! <https://html.spec.whatwg.org/#markup-declaration-open-state> to
//! <https://html.spec.whatwg.org/#cdata-section-state>.

use super::super::char_ref::Content;
use super::{Doctype, GREATER, SPACE, Token, Tokenizer, starts_with_ignoring_case};
use memchr::{memchr2, memmem};
use std::ops::Range;

impl Tokenizer<'_> {
    /// <https://html.spec.whatwg.org/#markup-declaration-open-state>
    pub(super) fn markup_declaration_open(&mut self) -> Option<Token> {
        const DOCTYPE: &[u8] = b"DOCTYPE";
        const CDATA: &[u8] = b"[CDATA[";
        let after = self.start + 2;
        let rest = &self.source.as_bytes()[after..];
        if rest.starts_with(b"--") {
            Some(self.comment(after + 2))
        } else if starts_with_ignoring_case(rest, DOCTYPE) {
            Some(self.doctype(after + DOCTYPE.len()))
        } else if self.cdata_allowed && rest.starts_with(CDATA) {
            self.cdata_section(after + CDATA.len())
        } else {
            Some(self.bogus_comment(after))
        }
    }

    /// <https://html.spec.whatwg.org/#bogus-comment-state>
    pub(super) fn bogus_comment(&mut self, text_start: usize) -> Token {
        let end = self.find(b'>', text_start);
        let text_end = end.unwrap_or(self.source.len());
        self.set_text(text_start..text_end, Content::Raw);
        self.position = end.map_or(text_end, |end| end + 1);
        Token::Comment
    }

    /// <https://html.spec.whatwg.org/#comment-start-state> and the states after it.
    fn comment(&mut self, text_start: usize) -> Token {
        let bytes = self.source.as_bytes();
        let mut position = text_start;
        let text_end = loop {
            let Some(end) = self.find(b'>', position) else {
                self.position = bytes.len();
                let text = &bytes[text_start..];
                let unfinished_end = [&b"--!"[..], b"--", b"-"].into_iter().find(|unfinished| text.ends_with(unfinished));
                break bytes.len() - unfinished_end.map_or(0, <[u8]>::len);
            };
            position = end + 1;
            self.position = position;
            let text = &bytes[text_start..end];
            if text.is_empty() || text == b"-" {
                break text_start;
            } else if text.ends_with(b"--") {
                break end - 2;
            } else if text.ends_with(b"--!") {
                break end - 3;
            }
        };
        self.set_text(text_start..text_end, Content::Raw);
        Token::Comment
    }

    /// <https://html.spec.whatwg.org/#cdata-section-state>
    fn cdata_section(&mut self, text_start: usize) -> Option<Token> {
        let end = memmem::find(&self.source.as_bytes()[text_start..], b"]]>");
        let text_end = end.map_or(self.source.len(), |end| text_start + end);
        self.position = end.map_or(text_end, |_| text_end + 3);
        if text_start == text_end {
            return None;
        }
        self.set_text(text_start..text_end, Content::Cdata);
        Some(Token::Text)
    }

    /// <https://html.spec.whatwg.org/#doctype-state>
    fn doctype(&mut self, after_keyword: usize) -> Token {
        let mut doctype = Doctype::default();
        let end = self.doctype_parts(after_keyword, &mut doctype);
        doctype.force_quirks |= end.is_none();
        // From the bogus DOCTYPE state on, `>` is all that counts.
        let end = end.and_then(|end| self.find(b'>', end));
        self.position = end.map_or(self.source.len(), |end| end + 1);
        Token::Doctype(Box::new(doctype))
    }

    /// Reads until nothing more can change the doctype and returns where that
    /// is, or `None` if the source ended before.
    fn doctype_parts(&mut self, position: usize, doctype: &mut Doctype) -> Option<usize> {
        let name_start = self.skip_space(position);
        if self.byte_at(name_start)? == b'>' {
            doctype.force_quirks = true;
            return Some(name_start);
        }
        let (name_end, _) = self.scan(name_start, SPACE | GREATER);
        let mut name = self.decoded(name_start..name_end);
        name.make_ascii_lowercase();
        doctype.name = Some(name);

        let mut position = self.skip_space(name_end);
        if self.byte_at(position)? == b'>' {
            return Some(position);
        }
        let rest = &self.source.as_bytes()[position..];
        let is_public = starts_with_ignoring_case(rest, b"PUBLIC");
        if !is_public && !starts_with_ignoring_case(rest, b"SYSTEM") {
            doctype.force_quirks = true;
            return Some(position);
        }
        position = self.skip_space(position + b"PUBLIC".len());
        if is_public {
            position = self.doctype_identifier(position, doctype, |doctype| &mut doctype.public_id)?;
            if doctype.force_quirks {
                return Some(position);
            }
            position = self.skip_space(position);
            if self.byte_at(position)? == b'>' {
                return Some(position);
            }
        }
        position = self.doctype_identifier(position, doctype, |doctype| &mut doctype.system_id)?;
        position = self.skip_space(position);
        self.byte_at(position)?;
        Some(position)
    }

    /// Reads a quoted identifier and returns where it ends. Anything else, or a
    /// `>` before the second quote, forces quirks.
    fn doctype_identifier(
        &mut self,
        position: usize,
        doctype: &mut Doctype,
        identifier: fn(&mut Doctype) -> &mut Option<String>,
    ) -> Option<usize> {
        let quote @ (b'"' | b'\'') = self.byte_at(position)? else {
            doctype.force_quirks = true;
            return Some(position);
        };
        let start = position + 1;
        let found = memchr2(quote, b'>', &self.source.as_bytes()[start..]);
        let end = found.map_or(self.source.len(), |found| start + found);
        *identifier(doctype) = Some(self.decoded(start..end));
        if self.byte_at(end)? == b'>' {
            doctype.force_quirks = true;
            return Some(end);
        }
        Some(end + 1)
    }

    /// A name or an identifier.
    fn decoded(&mut self, range: Range<usize>) -> String {
        if self.decode(range.clone(), Content::Raw) { self.buffer.clone() } else { self.source[range].to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_all, tokens, tokens_of};
    use super::*;

    #[test]
    fn comments_end_in_many_ways() {
        assert_all(&[
            ("<!---->x", "<!---->|x"),
            ("<!-->x", "<!---->|x"),
            ("<!--->x", "<!---->|x"),
            ("<!--a-->x", "<!--a-->|x"),
            ("<!--a--->x", "<!--a--->|x"),
            ("<!--a--!>x", "<!--a-->|x"),
            ("<!--a--!-->x", "<!--a--!-->|x"),
            ("<!--a<!-->x", "<!--a<!-->|x"),
            ("<!--a->--b-- >-->", "<!--a->--b-- >-->"),
            ("<!--!>-!>-->", "<!--!>-!>-->"),
            ("<!--", "<!---->"),
            ("<!---", "<!---->"),
            ("<!--a-", "<!--a-->"),
            ("<!--a--", "<!--a-->"),
            ("<!--a---", "<!--a--->"),
            ("<!--a--!", "<!--a-->"),
            ("<!--a->", "<!--a->-->"),
            ("<!--&lt;\r\0-->", "<!--&lt;\n\u{FFFD}-->"),
        ]);
    }

    #[test]
    fn bogus_comments_end_at_the_next_greater_than() {
        assert_all(&[
            ("<?xml a='>'?>", "<!--?xml a='-->|'?>"),
            ("</ a>b", "<!-- a-->|b"),
            ("</é>", "<!--é-->"),
            ("<!x-->b", "<!--x---->|b"),
            ("<!->b", "<!----->|b"),
            ("<!>b", "<!---->|b"),
            ("<!", "<!---->"),
            ("<?", "<!--?-->"),
            ("<![CDATA[a]]>b", "<!--[CDATA[a]]-->|b"),
        ]);
    }

    #[test]
    fn cdata_section_is_text_where_allowed() {
        for (source, expected) in [
            ("<![CDATA[a<b>&lt;\r\n\0]]>", "a<b>&lt;\n\0"),
            ("<![CDATA[]]]]><p>", "]]|<p>"),
            ("<![CDATA[]]><p>", "<p>"),
            ("<![CDATA[a]]", "a]]"),
            ("<![cdata[a]]>", "<!--[cdata[a]]-->"),
        ] {
            let mut tokenizer = Tokenizer::new(source);
            tokenizer.allow_cdata(true);
            assert_eq!(tokens_of(tokenizer), expected, "{source:?}");
        }
    }

    #[test]
    fn doctypes_with_and_without_quirks() {
        for (source, expected) in [
            (" html>", "'html' 'none' 'none'"),
            ("HTML\r>", "'html' 'none' 'none'"),
            (" \0 PUBLIC 'P\0\r\n'>", "'\u{FFFD}' 'P\u{FFFD}\n' 'none'"),
            (" html public\"P\"'S'>", "'html' 'P' 'S'"),
            (" html PUBLIC 'P' \"S\" >", "'html' 'P' 'S'"),
            (" html SYSTEM 'S'>", "'html' 'none' 'S'"),
            (" html system'' x>", "'html' 'none' ''"),
            (" html system'' x", "'html' 'none' ''"),
            ("", "'none' 'none' 'none' quirks"),
            (" >", "'none' 'none' 'none' quirks"),
            (" html", "'html' 'none' 'none' quirks"),
            (" html x 'S'>", "'html' 'none' 'none' quirks"),
            (" html PUBLIC", "'html' 'none' 'none' quirks"),
            (" html PUBLIC x 'P'>", "'html' 'none' 'none' quirks"),
            (" html PUBLIC>", "'html' 'none' 'none' quirks"),
            (" html PUBLIC 'P>", "'html' 'P' 'none' quirks"),
            (" html PUBLIC 'P", "'html' 'P' 'none' quirks"),
            (" html PUBLIC 'P'", "'html' 'P' 'none' quirks"),
            (" html PUBLIC 'P' x>", "'html' 'P' 'none' quirks"),
            (" html PUBLIC 'P' 'S>", "'html' 'P' 'S' quirks"),
            (" html SYSTEM>", "'html' 'none' 'none' quirks"),
            (" html SYSTEM 'S' ", "'html' 'none' 'S' quirks"),
        ] {
            for keyword in ["<!DOCTYPE", "<!doctype"] {
                let expected = format!("doctype {expected}");
                assert_eq!(tokens(&format!("{keyword}{source}")), expected, "{source:?}");
            }
        }
    }
}
