//! From text to a tree, as browsers do it: a tokenizer and a tree builder by the HTML standard, over spans of the source.
//!
//! [`parse`] is the only door. It never fails, never recurses, and takes time and memory in proportion to the source
//! ([`Limits`]). What it returns is frozen afterwards (`freeze.rs`) into the tree that everything else reads.

mod body_rules;
mod builder;
pub(crate) mod char_names;
mod char_ref;
mod doctype;
pub(crate) mod draft;
mod foreign;
mod formatting;
mod head_rules;
mod table_rules;
mod tokenizer;

use crate::Tag;
pub use builder::Limits;
pub(crate) use builder::Met;
use builder::{Builder, TagToken, Token};
use draft::Draft;
use tokenizer::Tokenizer;

/// Parses a page of at most 2 GiB; `ignore_title` skips `title` tags, for a page whose title is never closed.
pub(crate) fn parse(source: &str, limits: Limits, ignore_title: bool) -> (Draft<'_>, Met) {
    let mut tokenizer = Tokenizer::new(source);
    let mut builder = Builder::new(source, limits);
    let mut in_noscript = false;
    loop {
        let kind = tokenizer.next();
        let span = tokenizer.span();
        (builder.from, builder.to) = (span.start, span.end);
        builder.end_tag = None;
        if builder.draft.nodes.len() >= limits.nodes {
            builder.met.nodes = true;
            return finish(tokenizer, kind, builder);
        }
        let skip_line_feed = std::mem::take(&mut builder.ignore_line_feed);
        match kind {
            tokenizer::Token::Text => {
                let text = tokenizer.text();
                let text = if skip_line_feed { text.strip_prefix('\n').unwrap_or(text) } else { text };
                if tokenizer.has_nul() {
                    process_text_with_nul(&mut builder, text);
                } else {
                    builder.process_text(text);
                }
            }
            tokenizer::Token::StartTag | tokenizer::Token::EndTag => {
                let name = tokenizer.name();
                let attributes = tokenizer.attributes();
                let tag = TagToken { tag: Tag::from_name(name), name, attributes, self_closing: tokenizer.self_closing() };
                if ignore_title && tag.tag == Tag::Title {
                    continue;
                }
                if tag.tag == Tag::Noscript {
                    // In the source: one in the head ends in the tree where something comes that belongs into the body.
                    in_noscript = kind == tokenizer::Token::StartTag;
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
            tokenizer::Token::Eof => return builder.end(),
        }
        if let Some(state) = builder.next_state.take() {
            tokenizer.set_state(state);
            tokenizer.ends_with_noscript(in_noscript);
        }
        tokenizer.allow_cdata(builder.allows_cdata());
    }
}

/// U+0000 is replaced in SVG and MathML, and elsewhere ignored. Either way it is no text that keeps a page from being a frameset.
fn process_text_with_nul(builder: &mut Builder<'_>, text: &str) {
    let is_blank = text.chars().all(|character| character == '\0' || head_rules::is_space(character));
    let frameset_ok = builder.frameset_ok;
    builder.process_text(&text.replace('\0', if builder.text_is_foreign() { "\u{fffd}" } else { "" }));
    if is_blank {
        builder.frameset_ok = frameset_ok;
    }
}

/// Beyond the limit of nodes: only text is still read, and joins the text before it, without that of scripts and the like.
fn finish<'s>(mut tokenizer: Tokenizer<'s>, mut kind: tokenizer::Token, mut builder: Builder<'s>) -> (Draft<'s>, Met) {
    let mut in_raw_text = false;
    let mut space = "";
    loop {
        match kind {
            tokenizer::Token::Text if !in_raw_text => {
                (builder.from, builder.to) = (tokenizer.span().start, tokenizer.span().end);
                // A copy, which stands right after the copies before it, so that no new node is needed.
                builder.process_text(&format!("{space}{}", tokenizer.text().replace('\0', "")));
                space = "";
            }
            tokenizer::Token::StartTag | tokenizer::Token::EndTag => {
                let tag = Tag::from_name(tokenizer.name());
                if tag.is_block() || tag == Tag::Br {
                    space = " ";
                }
                in_raw_text = kind == tokenizer::Token::StartTag && is_raw_text(tag);
                if in_raw_text {
                    tokenizer.set_state(tokenizer::State::Rawtext);
                }
            }
            tokenizer::Token::Eof => return builder.end(),
            _ => {}
        }
        kind = tokenizer.next();
    }
}

/// Elements whose contents are text that is not for readers.
pub(crate) fn is_raw_text(tag: Tag) -> bool {
    matches!(tag, Tag::Script | Tag::Style | Tag::Iframe | Tag::Noembed | Tag::Noframes)
}
