//! From text to a tree, as browsers do it: a tokenizer and a tree builder by the HTML standard, over spans of the source.
//!
//! [`parse`] is the only door. It never fails, never recurses, and takes time and memory in proportion to the source
//! ([`Limits`]). What it returns is frozen afterwards (`freeze.rs`) into the tree that everything else reads.

mod builder;
mod char_ref;
mod doctype;
pub(crate) mod draft;
mod foreign;
mod rules;
mod table_rules;
mod tokenizer;

pub use builder::Limits;
use builder::{Builder, TagToken, Token};
pub(crate) use builder::Met;
use crate::Tag;
use draft::Draft;
use tokenizer::Tokenizer;

/// Parses a page of at most 2 GiB; `ignore_title` skips `title` tags, for a page whose title is never closed.
pub(crate) fn parse(source: &str, limits: Limits, ignore_title: bool) -> (Draft<'_>, Met) {
    let mut tokenizer = Tokenizer::new(source);
    let mut builder = Builder::new(source, limits);
    loop {
        let kind = tokenizer.next();
        let span = tokenizer.span();
        (builder.from, builder.to) = (span.start, span.end);
        builder.end_tag = None;
        let full = builder.draft.nodes.len() >= limits.nodes;
        let skip_line_feed = std::mem::take(&mut builder.ignore_line_feed);
        match kind {
            tokenizer::Token::Text => {
                let text = tokenizer.text();
                let text = if skip_line_feed { text.strip_prefix('\n').unwrap_or(text) } else { text };
                if tokenizer.has_nul() {
                    let replacement = if builder.allows_cdata() { "\u{fffd}" } else { "" };
                    builder.process(Token::Text(&text.replace('\0', replacement)));
                } else if full {
                    // A copy, so that it joins the text before it instead of making another node.
                    builder.process(Token::Text(&text.to_owned()));
                } else if !text.is_empty() {
                    builder.process(Token::Text(text));
                }
            }
            _ if full && kind != tokenizer::Token::Eof => builder.met.nodes = true,
            tokenizer::Token::StartTag | tokenizer::Token::EndTag => {
                let name = tokenizer.name();
                let tag = TagToken {
                    tag: Tag::from_name(name),
                    name,
                    attributes: tokenizer.attributes(),
                    self_closing: tokenizer.self_closing(),
                };
                if ignore_title && tag.tag == Tag::Title {
                    continue;
                }
                if kind == tokenizer::Token::StartTag {
                    builder.process(Token::Start(tag));
                } else {
                    builder.end_tag = Some(tag.tag);
                    builder.process(Token::End(tag));
                }
            }
            tokenizer::Token::Comment => builder.process(Token::Comment(tokenizer.text())),
            tokenizer::Token::Doctype(doctype) => builder.process(Token::Doctype(&doctype)),
            tokenizer::Token::Eof => {
                builder.process(Token::Eof);
                while !builder.open.is_empty() {
                    builder.pop();
                }
                return (builder.draft, builder.met);
            }
        }
        if let Some(state) = builder.next_state.take() {
            tokenizer.set_state(state);
        }
        tokenizer.allow_cdata(builder.allows_cdata());
    }
}
