//! The insertion modes of tables, `select`, `template` and frames
//! (<https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intable> and following).

use super::builder::{Builder, Mode, Rest, TagToken, Token};
use super::draft::{DOCUMENT, NONE};
use super::head_rules::is_space;
use super::tokenizer::State;
use crate::Tag;

impl<'s> Builder<'s> {
    pub(super) fn in_table<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        match token {
            Token::Text(_) if matches!(self.current().tag, Table | Tbody | Template | Tfoot | Thead | Tr) => {
                self.pending_table_text.clear();
                self.pending_from = self.from;
                self.original_mode = self.mode;
                self.mode = Mode::InTableText;
                return Some(token);
            }
            Token::Comment(text) => {
                self.insert_comment(text);
                return None;
            }
            Token::Doctype(_) => return None,
            Token::Start(tag) => match tag.tag {
                Caption => {
                    self.clear_to_table();
                    self.push_marker();
                    self.insert_element(tag);
                    self.mode = Mode::InCaption;
                    return None;
                }
                Colgroup => {
                    self.clear_to_table();
                    self.insert_element(tag);
                    self.mode = Mode::InColumnGroup;
                    return None;
                }
                Col => {
                    self.clear_to_table();
                    self.insert_implied(Colgroup);
                    self.mode = Mode::InColumnGroup;
                    return Some(token);
                }
                Tbody | Tfoot | Thead => {
                    self.clear_to_table();
                    self.insert_element(tag);
                    self.mode = Mode::InTableBody;
                    return None;
                }
                Td | Th | Tr => {
                    self.clear_to_table();
                    self.insert_implied(Tbody);
                    self.mode = Mode::InTableBody;
                    return Some(token);
                }
                Table => {
                    if !self.in_scope(Table, Self::table_border) {
                        return None;
                    }
                    self.pop_until(Table);
                    self.reset_mode();
                    return Some(token);
                }
                Style | Script | Template => return self.in_head(token),
                Input if tag.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")) => {
                    self.insert_void(tag);
                    return None;
                }
                Form => {
                    if self.form == NONE && !self.is_open(Template) {
                        self.form = self.insert_element(tag);
                        self.pop();
                    }
                    return None;
                }
                _ => {}
            },
            Token::End(tag) => match tag.tag {
                Table => {
                    if self.in_scope(Table, Self::table_border) {
                        self.pop_until(Table);
                        self.reset_mode();
                    }
                    return None;
                }
                Body | Caption | Col | Colgroup | Html | Tbody | Td | Tfoot | Th | Thead | Tr => return None,
                Template => return self.in_head(token),
                _ => {}
            },
            Token::Eof => return self.in_body(token),
            Token::Text(_) => {}
        }
        self.foster(token)
    }

    /// What does not belong into a table goes before it.
    fn foster<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        self.foster_parenting = true;
        let rest = self.in_body(token);
        self.foster_parenting = false;
        rest
    }

    fn clear_to_table(&mut self) {
        self.pop_to_context(|tag| matches!(tag, Tag::Table | Tag::Template | Tag::Html));
    }

    fn clear_to_table_body(&mut self) {
        self.pop_to_context(|tag| matches!(tag, Tag::Tbody | Tag::Tfoot | Tag::Thead | Tag::Template | Tag::Html));
    }

    fn clear_to_row(&mut self) {
        self.pop_to_context(|tag| matches!(tag, Tag::Tr | Tag::Template | Tag::Html));
    }

    pub(super) fn in_table_text<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        if let Token::Text(text) = token {
            let span = self.draft.span_of(text);
            self.pending_table_text.push(span);
            return None;
        }
        let pending = std::mem::take(&mut self.pending_table_text);
        let blank = pending.iter().all(|span| self.draft.text(*span).chars().all(is_space));
        let (from, to, end_tag) = (self.from, self.to, self.end_tag.take());
        (self.from, self.to) = (self.pending_from, from);
        if !blank {
            self.foster_parenting = true;
            self.reconstruct_formatting();
            self.frameset_ok = false;
        }
        for span in pending {
            self.insert_text_span(span);
        }
        self.foster_parenting = false;
        (self.from, self.to, self.end_tag) = (from, to, end_tag);
        self.mode = self.original_mode;
        Some(token)
    }

    pub(super) fn in_caption<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        let closes = match token {
            Token::Start(tag) => matches!(tag.tag, Caption | Col | Colgroup | Tbody | Td | Tfoot | Th | Thead | Tr),
            Token::End(tag) => match tag.tag {
                Caption | Table => true,
                Body | Col | Colgroup | Html | Tbody | Td | Tfoot | Th | Thead | Tr => return None,
                _ => false,
            },
            _ => false,
        };
        if !closes {
            return self.in_body(token);
        }
        if !self.in_scope(Caption, Self::table_border) {
            return None;
        }
        self.generate_implied_end_tags(None);
        self.pop_until(Caption);
        self.clear_formatting_to_marker();
        self.mode = Mode::InTable;
        match token {
            Token::End(tag) if tag.tag == Caption => None,
            _ => Some(token),
        }
    }

    pub(super) fn in_column_group<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
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
                Col => {
                    self.insert_void(tag);
                    return None;
                }
                Template => return self.in_head(token),
                _ => token,
            },
            Token::End(tag) => match tag.tag {
                Colgroup => {
                    if self.current_is(Colgroup) {
                        self.pop();
                        self.mode = Mode::InTable;
                    }
                    return None;
                }
                Col => return None,
                Template => return self.in_head(token),
                _ => token,
            },
            Token::Eof => return self.in_body(token),
        };
        if !self.current_is(Colgroup) {
            // In a template: only white space has a place here.
            let Token::Text(text) = rest else { return None };
            let space = text.trim_start_matches(|character| !is_space(character));
            return (!space.is_empty()).then_some(Token::Text(space));
        }
        self.pop();
        self.mode = Mode::InTable;
        Some(rest)
    }

    pub(super) fn in_table_body<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        let is_body = |tag| matches!(tag, Tbody | Tfoot | Thead);
        match token {
            Token::Start(tag) => match tag.tag {
                Tr => {
                    self.clear_to_table_body();
                    self.insert_element(tag);
                    self.mode = Mode::InRow;
                    None
                }
                Td | Th => {
                    self.clear_to_table_body();
                    self.insert_implied(Tr);
                    self.mode = Mode::InRow;
                    Some(token)
                }
                Caption | Col | Colgroup | Tbody | Tfoot | Thead => self.close_table_body(token),
                _ => self.in_table(token),
            },
            Token::End(tag) => match tag.tag {
                Tbody | Tfoot | Thead => {
                    if self.in_scope(tag.tag, Self::table_border) {
                        self.clear_to_table_body();
                        self.pop();
                        self.mode = Mode::InTable;
                    }
                    None
                }
                Table if self.any_in_scope(is_body, Self::table_border) => self.close_table_body(token),
                Table | Body | Caption | Col | Colgroup | Html | Td | Th | Tr => None,
                _ => self.in_table(token),
            },
            _ => self.in_table(token),
        }
    }

    fn close_table_body<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        if !self.any_in_scope(|tag| matches!(tag, Tag::Tbody | Tag::Tfoot | Tag::Thead), Self::table_border) {
            return None;
        }
        self.clear_to_table_body();
        self.pop();
        self.mode = Mode::InTable;
        Some(token)
    }

    pub(super) fn in_row<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        match token {
            Token::Start(tag) => match tag.tag {
                Td | Th => {
                    self.clear_to_row();
                    self.insert_element(tag);
                    self.mode = Mode::InCell;
                    self.push_marker();
                    None
                }
                Caption | Col | Colgroup | Tbody | Tfoot | Thead | Tr => self.close_row().then_some(token),
                _ => self.in_table(token),
            },
            Token::End(tag) => match tag.tag {
                Tr => {
                    self.close_row();
                    None
                }
                Table => self.close_row().then_some(token),
                Tbody | Tfoot | Thead => (self.in_scope(tag.tag, Self::table_border) && self.close_row()).then_some(token),
                Body | Caption | Col | Colgroup | Html | Td | Th => None,
                _ => self.in_table(token),
            },
            _ => self.in_table(token),
        }
    }

    fn close_row(&mut self) -> bool {
        if !self.in_scope(Tag::Tr, Self::table_border) {
            return false;
        }
        self.clear_to_row();
        self.pop();
        self.mode = Mode::InTableBody;
        true
    }

    pub(super) fn in_cell<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        match token {
            Token::Start(tag) if matches!(tag.tag, Caption | Col | Colgroup | Tbody | Td | Tfoot | Th | Thead | Tr) => {
                if !self.any_in_scope(|tag| matches!(tag, Td | Th), Self::table_border) {
                    return None;
                }
                self.close_cell();
                Some(token)
            }
            Token::End(tag) => match tag.tag {
                Td | Th => {
                    if self.in_scope(tag.tag, Self::table_border) {
                        self.generate_implied_end_tags(None);
                        self.pop_until(tag.tag);
                        self.clear_formatting_to_marker();
                        self.mode = Mode::InRow;
                    }
                    None
                }
                Body | Caption | Col | Colgroup | Html => None,
                Table | Tbody | Tfoot | Thead | Tr => {
                    if !self.in_scope(tag.tag, Self::table_border) {
                        return None;
                    }
                    self.close_cell();
                    Some(token)
                }
                _ => self.in_body(token),
            },
            _ => self.in_body(token),
        }
    }

    fn close_cell(&mut self) {
        self.generate_implied_end_tags(None);
        self.pop_until_any(|tag| matches!(tag, Tag::Td | Tag::Th));
        self.clear_formatting_to_marker();
        self.mode = Mode::InRow;
    }

    pub(super) fn in_select<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        match token {
            Token::Text(text) => self.insert_text(text),
            Token::Comment(text) => self.insert_comment(text),
            Token::Doctype(_) => {}
            Token::Start(tag) => match tag.tag {
                Html => return self.in_body(token),
                Option => {
                    if self.current_is(Option) {
                        self.pop();
                    }
                    self.insert_element(tag);
                }
                Optgroup | Hr => {
                    if self.current_is(Option) {
                        self.pop();
                    }
                    if self.current_is(Optgroup) {
                        self.pop();
                    }
                    if tag.tag == Hr {
                        self.insert_void(tag)
                    } else {
                        self.insert_element(tag)
                    };
                }
                Select => self.close_select(),
                Input | Keygen | Textarea if self.in_scope(Select, Self::select_border) => {
                    self.close_select();
                    return Some(token);
                }
                Script | Template => return self.in_head(token),
                _ => {}
            },
            Token::End(tag) => match tag.tag {
                Optgroup => {
                    let below = self.open.len().checked_sub(2).map(|at| self.open[at].tag);
                    if self.current_is(Option) && below == Some(Optgroup) {
                        self.pop();
                    }
                    if self.current_is(Optgroup) {
                        self.pop();
                    }
                }
                Option if self.current_is(Option) => {
                    self.pop();
                }
                Select => self.close_select(),
                Template => return self.in_head(token),
                _ => {}
            },
            Token::Eof => return self.in_body(token),
        }
        None
    }

    fn close_select(&mut self) {
        if self.in_scope(Tag::Select, Self::select_border) {
            self.pop_until(Tag::Select);
            self.reset_mode();
        }
    }

    pub(super) fn in_select_in_table<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        let is_table = |tag| matches!(tag, Caption | Table | Tbody | Tfoot | Thead | Tr | Td | Th);
        match token {
            Token::Start(tag) if is_table(tag.tag) => {
                self.pop_until(Select);
                self.reset_mode();
                Some(token)
            }
            Token::End(tag) if is_table(tag.tag) => {
                if !self.in_scope(tag.tag, Self::table_border) {
                    return None;
                }
                self.pop_until(Select);
                self.reset_mode();
                Some(token)
            }
            _ => self.in_select(token),
        }
    }

    pub(super) fn in_template<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        let mode = match token {
            Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => return self.in_body(token),
            Token::Start(tag) => match tag.tag {
                Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style | Template | Title => {
                    return self.in_head(token);
                }
                Caption | Colgroup | Tbody | Tfoot | Thead => Mode::InTable,
                Col => Mode::InColumnGroup,
                Tr => Mode::InTableBody,
                Td | Th => Mode::InRow,
                _ => Mode::InBody,
            },
            Token::End(tag) if tag.tag == Template => return self.in_head(token),
            Token::End(_) => return None,
            Token::Eof => {
                if !self.is_open(Template) {
                    return None;
                }
                self.pop_until(Template);
                self.clear_formatting_to_marker();
                self.template_modes.pop();
                self.reset_mode();
                return Some(token);
            }
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        Some(token)
    }

    /// Resets the insertion mode appropriately: finds it from what is open.
    pub(super) fn reset_mode(&mut self) {
        use Tag::*;
        for at in (0..self.open.len()).rev() {
            self.mode = match self.open[at].tag {
                Select => {
                    let in_table = self.open[..at]
                        .iter()
                        .rev()
                        .take_while(|element| element.tag != Template)
                        .any(|element| element.tag == Table);
                    if in_table { Mode::InSelectInTable } else { Mode::InSelect }
                }
                Td | Th if at > 0 => Mode::InCell,
                Tr => Mode::InRow,
                Tbody | Thead | Tfoot => Mode::InTableBody,
                Caption => Mode::InCaption,
                Colgroup => Mode::InColumnGroup,
                Table => Mode::InTable,
                Template => self.template_modes.last().copied().unwrap_or(Mode::InBody),
                Head if at > 0 => Mode::InHead,
                Body => Mode::InBody,
                Frameset => Mode::InFrameset,
                Html if self.head == NONE => Mode::BeforeHead,
                Html => Mode::AfterHead,
                _ => continue,
            };
            return;
        }
        self.mode = Mode::InBody;
    }

    pub(super) fn in_frameset<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        use Tag::*;
        match token {
            Token::Text(text) => self.insert_space_of(text),
            Token::Comment(text) => self.insert_comment(text),
            Token::Doctype(_) | Token::Eof => {}
            Token::Start(tag) => match tag.tag {
                Html => return self.in_body(token),
                Frameset => {
                    self.insert_element(tag);
                }
                Frame => {
                    self.insert_void(tag);
                }
                Noframes => return self.raw_text(tag, State::Rawtext),
                _ => {}
            },
            Token::End(tag) => {
                if tag.tag == Frameset && self.open.len() > 1 {
                    self.pop();
                    if !self.current_is(Frameset) {
                        self.mode = Mode::AfterFrameset;
                    }
                }
            }
        }
        None
    }

    fn insert_space_of(&mut self, text: &str) {
        let space: String = text.chars().filter(|character| is_space(*character)).collect();
        self.insert_text(&space);
    }

    pub(super) fn after_frameset<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        match token {
            Token::Text(text) => self.insert_space_of(text),
            Token::Comment(text) => self.insert_comment(text),
            Token::Doctype(_) | Token::Eof => {}
            Token::Start(TagToken { tag: Tag::Html, .. }) => return self.in_body(token),
            Token::Start(tag) if tag.tag == Tag::Noframes => return self.raw_text(tag, State::Rawtext),
            Token::Start(_) => {}
            Token::End(tag) => {
                if tag.tag == Tag::Html {
                    self.mode = Mode::AfterAfterFrameset;
                }
            }
        }
        None
    }

    pub(super) fn after_after_frameset<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        match token {
            Token::Comment(text) => self.insert_comment_into(DOCUMENT, text),
            Token::Text(text) => self.insert_space_of(text),
            Token::Start(TagToken { tag: Tag::Html, .. }) => return self.in_body(token),
            Token::Start(tag) if tag.tag == Tag::Noframes => return self.raw_text(tag, State::Rawtext),
            _ => {}
        }
        None
    }
}
