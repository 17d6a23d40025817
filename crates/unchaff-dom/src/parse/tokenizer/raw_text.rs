//! The content of `title`, `style`, `script` and their like, where only one end
//! tag is markup: <https://html.spec.whatwg.org/#rcdata-state>, RAWTEXT and script
//! data with the states that belong to them.

use super::super::char_ref::Content;
use super::{State, TAG_NAME_END, Token, Tokenizer, class, starts_with_ignoring_case};
use memchr::{memchr, memchr2};

impl Tokenizer<'_> {
    /// The RCDATA, RAWTEXT and script data states: text up to the appropriate
    /// end tag, then that tag.
    pub(super) fn until_end_tag(&mut self, content: Content) -> Option<Token> {
        let end = if self.state == State::ScriptData { self.script_data_end() } else { self.raw_end() };
        if end > self.start {
            return Some(self.emit_text(end, content));
        }
        self.state = State::Data;
        self.tag(end + 2, Token::EndTag)
    }

    fn raw_end(&self) -> usize {
        let mut position = self.position;
        while let Some(less_than) = self.find(b'<', position) {
            if self.is_appropriate_end_tag(less_than) {
                return less_than;
            }
            position = less_than + 1;
        }
        self.source.len()
    }

    /// <https://html.spec.whatwg.org/#script-data-state> with its escaped states:
    /// after `<!--` and `<script`, the next `</script>` does not end the script.
    fn script_data_end(&self) -> usize {
        #[derive(PartialEq)]
        enum Escape {
            None,
            Escaped,
            DoubleEscaped,
        }
        let bytes = self.source.as_bytes();
        let mut escape = Escape::None;
        let mut position = self.position;
        loop {
            let found =
                if escape == Escape::None { memchr(b'<', &bytes[position..]) } else { memchr2(b'<', b'>', &bytes[position..]) };
            let Some(offset) = found else {
                return bytes.len();
            };
            let found = position + offset;
            position = found + 1;
            let after = &bytes[position..];
            if bytes[found] == b'>' {
                // Both dashes may be those of the `<!--`.
                if bytes[..found].ends_with(b"--") {
                    escape = Escape::None;
                }
                continue;
            }
            match escape {
                Escape::DoubleEscaped => {
                    if after.first() == Some(&b'/') && starts_with_name(&after[1..], b"script") {
                        escape = Escape::Escaped;
                    }
                }
                _ if self.is_appropriate_end_tag(found) => return found,
                Escape::Escaped => {
                    if starts_with_name(after, b"script") {
                        escape = Escape::DoubleEscaped;
                    }
                }
                Escape::None => {
                    if after.starts_with(b"!--") {
                        escape = Escape::Escaped;
                        position += 3;
                    }
                }
            }
        }
    }

    /// <https://html.spec.whatwg.org/#appropriate-end-tag-token>; fragments have
    /// no last start tag, so nothing ends their raw text.
    fn is_appropriate_end_tag(&self, less_than: usize) -> bool {
        let bytes = self.source.as_bytes();
        self.byte_at(less_than + 1) == Some(b'/')
            && !self.appropriate_end_tag.is_empty()
            && (starts_with_name(&bytes[less_than + 2..], self.appropriate_end_tag)
                || self.is_in_noscript && starts_with_name(&bytes[less_than + 2..], b"noscript"))
    }
}

/// Whether a tag name at the start of `bytes` is `name`, and ends.
fn starts_with_name(bytes: &[u8], name: &[u8]) -> bool {
    starts_with_ignoring_case(bytes, name) && bytes.get(name.len()).is_some_and(|&byte| class(byte) & TAG_NAME_END != 0)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_all, tokens, tokens_of};
    use super::*;

    #[test]
    fn only_the_appropriate_end_tag_ends_raw_text() {
        assert_all(&[
            ("<title>a<b></style></titles></TITLE\r>b", "<title>|a<b></style></titles>|</title>|b"),
            ("<STYLE>a<!--</ style></style/></style>", "<style>|a<!--</ style>|</style>|</style>"),
            ("<style></style a='>'>b", "<style>|</style>|b"),
            ("<title>a</title", "<title>|a</title"),
            ("<title>a</title ", "<title>|a"),
            ("<plaintext></plaintext>", "<plaintext>|</plaintext>"),
        ]);
    }

    #[test]
    fn raw_text_without_a_start_tag_never_ends() {
        for state in [State::Rcdata, State::Rawtext, State::ScriptData] {
            let mut tokenizer = Tokenizer::new("</></script>");
            tokenizer.set_state(state);
            assert_eq!(tokens_of(tokenizer), "</></script>");
        }
    }

    #[test]
    fn script_ends_at_its_end_tag_unless_double_escaped() {
        for (text, ends) in [
            ("a<b&lt;", true),
            ("<!--", true),
            ("<!-- <script", true),
            ("<!-- <script>", false),
            ("<!-- <SCRIPT/", false),
            ("<!-- <scripts>", true),
            ("<!- <script>", true),
            ("<script>", true),
            ("<!--><script>", true),
            ("<!---><script>", true),
            ("<!-- --><script>", true),
            ("<!-- --!><script>", false),
            ("<!-- <script> --> ", true),
            ("<!-- <script> -- > ", false),
            ("<!-- <script> </script> ", true),
            ("<!-- <script> </scripts> ", false),
            ("<!-- <script> </script> <script>", false),
        ] {
            let end = if ends { "|</script>" } else { "</script>" };
            let source = format!("<script>{text}</script>");
            assert_eq!(tokens(&source), format!("<script>|{text}{end}"));
        }
    }
}
