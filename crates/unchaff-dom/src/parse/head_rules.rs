//! The insertion modes up to the body, and the way to all modes
//! (<https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode> and following).

use super::builder::{Builder, Mode, Rest, TagToken, Token};
use super::draft::DOCUMENT;
use super::tokenizer::State;
use crate::Tag;

/// White space as the rules understand it.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\x0c' | '\r' | ' ')
}

impl<'s> Builder<'s> {
    /// What is left of a text after its leading white space, if anything. What it implies stands after the white space.
    fn after_space<'t>(&mut self, text: &'t str) -> Option<Token<'t>> {
        let token = &self.draft.source[self.from..self.to];
        self.from += token.len() - token.trim_start_matches(is_space).len();
        let rest = text.trim_start_matches(is_space);
        (!rest.is_empty()).then_some(Token::Text(rest))
    }

    /// Inserts the leading white space of a text; returns what is left of it, if anything.
    pub(super) fn insert_leading_space<'t>(&mut self, text: &'t str) -> Option<Token<'t>> {
        self.insert_text(&text[..text.len() - text.trim_start_matches(is_space).len()]);
        self.after_space(text)
    }

    pub(super) fn step<'t>(&mut self, mode: Mode, token: Token<'t>) -> Rest<'t> {
        match mode {
            Mode::Initial => self.initial(token),
            Mode::BeforeHtml => self.before_html(token),
            Mode::BeforeHead => self.before_head(token),
            Mode::InHead => self.in_head(token),
            Mode::InHeadNoscript => self.in_head_noscript(token),
            Mode::AfterHead => self.after_head(token),
            Mode::InBody => self.in_body(token),
            Mode::Text => self.text(token),
            Mode::InTable => self.in_table(token),
            Mode::InTableText => self.in_table_text(token),
            Mode::InCaption => self.in_caption(token),
            Mode::InColumnGroup => self.in_column_group(token),
            Mode::InTableBody => self.in_table_body(token),
            Mode::InRow => self.in_row(token),
            Mode::InCell => self.in_cell(token),
            Mode::InSelect => self.in_select(token),
            Mode::InSelectInTable => self.in_select_in_table(token),
            Mode::InTemplate => self.in_template(token),
            Mode::AfterBody => self.after_body(token),
            Mode::InFrameset => self.in_frameset(token),
            Mode::AfterFrameset => self.after_frameset(token),
            Mode::AfterAfterBody => self.after_after_body(token),
            Mode::AfterAfterFrameset => self.after_after_frameset(token),
        }
    }

    fn initial<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        let rest = match token {
            Token::Text(text) => self.after_space(text)?,
            Token::Comment(text) => {
                self.insert_comment_into(DOCUMENT, text);
                return None;
            }
            Token::Doctype(doctype) => {
                self.append_doctype(doctype);
                self.mode = Mode::BeforeHtml;
                return None;
            }
            other => other,
        };
        self.quirks = true;
        self.mode = Mode::BeforeHtml;
        Some(rest)
    }

    fn before_html<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        let rest = match token {
            Token::Doctype(_) => return None,
            Token::Comment(text) => {
                self.insert_comment_into(DOCUMENT, text);
                return None;
            }
            Token::Text(text) => self.after_space(text)?,
            Token::Start(tag) if tag.tag == Tag::Html => {
                self.insert_element(tag);
                self.mode = Mode::BeforeHead;
                return None;
            }
            Token::End(tag) if !matches!(tag.tag, Tag::Head | Tag::Body | Tag::Html | Tag::Br) => return None,
            other => other,
        };
        self.insert_implied(Tag::Html);
        self.mode = Mode::BeforeHead;
        Some(rest)
    }

    fn before_head<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        let rest = match token {
            Token::Text(text) => self.after_space(text)?,
            Token::Comment(text) => {
                self.insert_comment(text);
                return None;
            }
            Token::Doctype(_) => return None,
            Token::Start(tag) if tag.tag == Tag::Html => return self.in_body(token),
            Token::Start(tag) if tag.tag == Tag::Head => {
                self.head = self.insert_element(tag);
                self.mode = Mode::InHead;
                return None;
            }
            Token::End(tag) if !matches!(tag.tag, Tag::Head | Tag::Body | Tag::Html | Tag::Br) => return None,
            other => other,
        };
        self.head = self.insert_implied(Tag::Head);
        self.mode = Mode::InHead;
        Some(rest)
    }

    pub(super) fn in_head<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        let rest = match token {
            Token::Text(text) => self.insert_leading_space(text)?,
            Token::Comment(text) => {
                self.insert_comment(text);
                return None;
            }
            Token::Doctype(_) => return None,
            Token::Start(tag) => match tag.tag {
                Html => return self.in_body(token),
                Base | Basefont | Bgsound | Link | Meta => {
                    self.insert_void(tag);
                    return None;
                }
                Title => return self.raw_text(tag, State::Rcdata),
                Noframes | Style => return self.raw_text(tag, State::Rawtext),
                Noscript => {
                    self.insert_element(tag);
                    self.mode = Mode::InHeadNoscript;
                    return None;
                }
                Script => return self.raw_text(tag, State::ScriptData),
                Template => {
                    self.insert_element(tag);
                    self.push_marker();
                    self.frameset_ok = false;
                    self.mode = Mode::InTemplate;
                    self.template_modes.push(Mode::InTemplate);
                    return None;
                }
                Head => return None,
                _ => token,
            },
            Token::End(tag) => match tag.tag {
                Head => {
                    self.pop();
                    self.mode = Mode::AfterHead;
                    return None;
                }
                Body | Html | Br => token,
                Template => {
                    self.close_template();
                    return None;
                }
                _ => return None,
            },
            Token::Eof => token,
        };
        self.pop();
        self.mode = Mode::AfterHead;
        Some(rest)
    }

    pub(super) fn close_template(&mut self) {
        if self.is_open(Tag::Template) {
            self.generate_all_implied_end_tags();
            self.pop_until(Tag::Template);
            self.clear_formatting_to_marker();
            self.template_modes.pop();
            self.reset_mode();
        }
    }

    /// An element that contains only text: the tokenizer is told to read it as such.
    pub(super) fn raw_text<'t>(&mut self, tag: TagToken<'t>, state: State) -> Rest<'t> {
        self.insert_element(tag);
        self.next_state = Some(state);
        self.original_mode = self.mode;
        self.mode = Mode::Text;
        None
    }

    fn in_head_noscript<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        let rest = match token {
            Token::Doctype(_) => return None,
            Token::Start(tag) => match tag.tag {
                Html => return self.in_body(token),
                Basefont | Bgsound | Link | Meta | Noframes | Style => return self.in_head(token),
                Head | Noscript => return None,
                _ => token,
            },
            Token::End(tag) => match tag.tag {
                Noscript => {
                    self.pop();
                    self.mode = Mode::InHead;
                    return None;
                }
                Br => token,
                _ => return None,
            },
            Token::Comment(_) => return self.in_head(token),
            Token::Text(text) => self.insert_leading_space(text)?,
            Token::Eof => token,
        };
        self.pop();
        self.mode = Mode::InHead;
        Some(rest)
    }

    fn after_head<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        let rest = match token {
            Token::Text(text) => self.insert_leading_space(text)?,
            Token::Comment(text) => {
                self.insert_comment(text);
                return None;
            }
            Token::Doctype(_) => return None,
            Token::Start(tag) => match tag.tag {
                Html => return self.in_body(token),
                Body => {
                    self.insert_element(tag);
                    self.frameset_ok = false;
                    self.mode = Mode::InBody;
                    return None;
                }
                Frameset => {
                    self.insert_element(tag);
                    self.mode = Mode::InFrameset;
                    return None;
                }
                Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style | Template | Title => {
                    let head = self.head;
                    self.push(head, Head);
                    let rest = self.in_head(token);
                    if let Some(at) = self.position_open(head) {
                        self.open.remove(at);
                        self.open_tags[Head as usize] -= 1;
                    }
                    return rest;
                }
                Head => return None,
                _ => token,
            },
            Token::End(tag) => match tag.tag {
                Template => return self.in_head(token),
                Body | Html | Br => token,
                _ => return None,
            },
            Token::Eof => token,
        };
        self.insert_implied(Body);
        self.mode = Mode::InBody;
        Some(rest)
    }
}
