//! The insertion modes in the body, in elements of only text, and after the body
//! (<https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody> and following).

use super::builder::{Builder, Mode, Rest, TagToken, Token};
use super::draft::{DOCUMENT, NONE};
use super::head_rules::is_space;
use super::tokenizer::State;
use crate::Tag;

impl<'s> Builder<'s> {
    pub(super) fn in_body<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        match token {
            Token::Text(text) => {
                self.reconstruct_formatting();
                self.insert_text(text);
                self.frameset_ok &= text.chars().all(is_space);
                None
            }
            Token::Comment(text) => {
                self.insert_comment(text);
                None
            }
            Token::Doctype(_) => None,
            Token::Start(tag) => self.start_tag_in_body(tag),
            Token::End(tag) => self.end_tag_in_body(tag),
            Token::Eof => {
                if !self.template_modes.is_empty() {
                    return self.in_template(token);
                }
                None
            }
        }
    }

    fn start_tag_in_body<'t>(&mut self, tag: TagToken<'t>) -> Rest<'t> {
        use Tag::*;
        match tag.tag {
            Html => {
                if !self.is_open(Template)
                    && let Some(html) = self.open.first()
                {
                    self.merge_attributes(html.node, tag);
                }
            }
            Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style | Template | Title => {
                return self.in_head(Token::Start(tag));
            }
            Body => {
                if let Some(body) = self.open.get(1).filter(|second| second.tag == Body).copied()
                    && !self.is_open(Template)
                {
                    self.frameset_ok = false;
                    self.merge_attributes(body.node, tag);
                }
            }
            Frameset => {
                if self.frameset_ok && self.open.get(1).is_some_and(|second| second.tag == Body) {
                    self.draft.detach(self.open[1].node);
                    while self.open.len() > 1 {
                        self.pop();
                    }
                    self.insert_element(tag);
                    self.mode = Mode::InFrameset;
                }
            }
            Address | Article | Aside | Blockquote | Center | Details | Dialog | Dir | Div | Dl | Fieldset | Figcaption
            | Figure | Footer | Header | Hgroup | Main | Menu | Nav | Ol | P | Search | Section | Summary | Ul => {
                self.close_p();
                self.insert_element(tag);
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                self.close_p();
                if self.current().tag.heading_level().is_some() {
                    self.pop();
                }
                self.insert_element(tag);
            }
            Pre | Listing => {
                self.close_p();
                self.insert_element(tag);
                self.ignore_line_feed = true;
                self.frameset_ok = false;
            }
            Form => {
                if self.form == NONE || self.is_open(Template) {
                    self.close_p();
                    let form = self.insert_element(tag);
                    if !self.is_open(Template) {
                        self.form = form;
                    }
                }
            }
            Li => {
                self.frameset_ok = false;
                self.close_item(|found| found == Li);
                self.close_p();
                self.insert_element(tag);
            }
            Dd | Dt => {
                self.frameset_ok = false;
                self.close_item(|found| matches!(found, Dd | Dt));
                self.close_p();
                self.insert_element(tag);
            }
            Plaintext => {
                self.close_p();
                self.insert_element(tag);
                self.next_state = Some(State::Plaintext);
            }
            Button => {
                if self.in_scope(Button, Self::default_border) {
                    self.generate_implied_end_tags(None);
                    self.pop_until(Button);
                }
                self.reconstruct_formatting();
                self.insert_element(tag);
                self.frameset_ok = false;
            }
            A => {
                if let Some(at) = self.last_formatting(A) {
                    let node = self.formatting[at];
                    self.adoption_agency_or_end(A, "a");
                    self.formatting.retain(|entry| *entry != node);
                    if let Some(at) = self.position_open(node) {
                        self.remove_open(at);
                    }
                }
                self.reconstruct_formatting();
                let node = self.insert_element(tag);
                self.push_formatting(node);
            }
            B | Big | Code | Em | Font | I | S | Small | Strike | Strong | Tt | U => {
                self.reconstruct_formatting();
                let node = self.insert_element(tag);
                self.push_formatting(node);
            }
            Nobr => {
                self.reconstruct_formatting();
                if self.in_scope(Nobr, Self::default_border) {
                    self.adoption_agency_or_end(Nobr, "nobr");
                    self.reconstruct_formatting();
                }
                let node = self.insert_element(tag);
                self.push_formatting(node);
            }
            Applet | Marquee | Object => {
                self.reconstruct_formatting();
                self.insert_element(tag);
                self.push_marker();
                self.frameset_ok = false;
            }
            Table => {
                if !self.quirks {
                    self.close_p();
                }
                self.insert_element(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            Area | Br | Embed | Img | Keygen | Wbr => {
                self.reconstruct_formatting();
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            Input => {
                self.reconstruct_formatting();
                self.insert_void(tag);
                self.frameset_ok &= tag.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"));
            }
            Param | Source | Track => {
                self.insert_void(tag);
            }
            Hr => {
                self.close_p();
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            Custom if tag.name == "image" => return self.start_tag_in_body(TagToken { tag: Img, name: "img", ..tag }),
            Textarea => {
                self.insert_element(tag);
                self.ignore_line_feed = true;
                self.next_state = Some(State::Rcdata);
                self.original_mode = self.mode;
                self.frameset_ok = false;
                self.mode = Mode::Text;
            }
            Xmp => {
                self.close_p();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                return self.raw_text(tag, State::Rawtext);
            }
            Iframe => {
                self.frameset_ok = false;
                return self.raw_text(tag, State::Rawtext);
            }
            Noembed => return self.raw_text(tag, State::Rawtext),
            Select => {
                self.reconstruct_formatting();
                self.insert_element(tag);
                self.frameset_ok = false;
                self.mode = match self.mode {
                    Mode::InTable | Mode::InCaption | Mode::InTableBody | Mode::InRow | Mode::InCell => Mode::InSelectInTable,
                    _ => Mode::InSelect,
                };
            }
            Optgroup | Option => {
                if self.current_is(Option) {
                    self.pop();
                }
                self.reconstruct_formatting();
                self.insert_element(tag);
            }
            Rb | Rtc => {
                if self.in_scope(Ruby, Self::default_border) {
                    self.generate_implied_end_tags(None);
                }
                self.insert_element(tag);
            }
            Rp | Rt => {
                if self.in_scope(Ruby, Self::default_border) {
                    self.generate_implied_end_tags(Some(Rtc));
                }
                self.insert_element(tag);
            }
            Custom if matches!(tag.name, "svg" | "math") => self.start_foreign(tag),
            Caption | Col | Colgroup | Frame | Head | Tbody | Td | Tfoot | Th | Thead | Tr => {}
            _ => {
                self.reconstruct_formatting();
                self.insert_element(tag);
            }
        }
        None
    }

    /// A new item of a list closes the one before it, unless something special stands between.
    fn close_item(&mut self, is_item: fn(Tag) -> bool) {
        for at in (0..self.open.len()).rev() {
            let element = self.open[at];
            if is_item(element.tag) {
                self.generate_implied_end_tags(Some(element.tag));
                self.pop_until(element.tag);
                return;
            }
            if Self::is_special(element) && !matches!(element.tag, Tag::Address | Tag::Div | Tag::P) {
                return;
            }
        }
    }

    fn adoption_agency_or_end(&mut self, tag: Tag, name: &str) {
        if !self.adoption_agency(tag) {
            self.any_other_end_tag(tag, name);
        }
    }

    fn end_tag_in_body<'t>(&mut self, tag: TagToken<'t>) -> Rest<'t> {
        use Tag::*;
        match tag.tag {
            Template => self.close_template(),
            Body => {
                if self.in_scope(Body, Self::default_border) {
                    self.mode = Mode::AfterBody;
                }
            }
            Html => {
                if self.in_scope(Body, Self::default_border) {
                    self.mode = Mode::AfterBody;
                    return Some(Token::End(tag));
                }
            }
            Address | Article | Aside | Blockquote | Button | Center | Details | Dialog | Dir | Div | Dl | Fieldset
            | Figcaption | Figure | Footer | Header | Hgroup | Listing | Main | Menu | Nav | Ol | Pre | Search | Section
            | Summary | Ul => {
                if self.in_scope(tag.tag, Self::default_border) {
                    self.generate_implied_end_tags(None);
                    self.pop_until(tag.tag);
                }
            }
            Form => self.end_form(),
            P => {
                if !self.in_scope(P, Self::button_border) {
                    self.insert_implied(P);
                }
                self.close_p();
            }
            Li => {
                if self.in_scope(Li, Self::list_border) {
                    self.generate_implied_end_tags(Some(Li));
                    self.pop_until(Li);
                }
            }
            Dd | Dt => {
                if self.in_scope(tag.tag, Self::default_border) {
                    self.generate_implied_end_tags(Some(tag.tag));
                    self.pop_until(tag.tag);
                }
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                let is_heading = |found: Tag| found.heading_level().is_some();
                if self.any_in_scope(is_heading, Self::default_border) {
                    self.generate_implied_end_tags(None);
                    self.pop_until_any(is_heading);
                }
            }
            A | B | Big | Code | Em | Font | I | Nobr | S | Small | Strike | Strong | Tt | U => {
                self.adoption_agency_or_end(tag.tag, tag.name);
            }
            Applet | Marquee | Object => {
                if self.in_scope(tag.tag, Self::default_border) {
                    self.generate_implied_end_tags(None);
                    self.pop_until(tag.tag);
                    self.clear_formatting_to_marker();
                }
            }
            Br => {
                self.reconstruct_formatting();
                self.insert_void(TagToken { attributes: &[], ..tag });
                self.frameset_ok = false;
            }
            _ => self.any_other_end_tag(tag.tag, tag.name),
        }
        None
    }

    fn end_form(&mut self) {
        if self.is_open(Tag::Template) {
            if self.in_scope(Tag::Form, Self::default_border) {
                self.generate_implied_end_tags(None);
                self.pop_until(Tag::Form);
            }
            return;
        }
        let form = std::mem::replace(&mut self.form, NONE);
        let Some(at) = self.position_open(form) else { return };
        if self.open[at + 1..].iter().any(|element| self.default_border(*element)) {
            return;
        }
        self.generate_implied_end_tags(None);
        if let Some(at) = self.position_open(form) {
            self.remove_open(at);
        }
    }

    fn any_other_end_tag(&mut self, tag: Tag, name: &str) {
        let wanted = |builder: &Self, at: usize| {
            let element = builder.open[at];
            element.tag == tag && (tag != Tag::Custom || builder.draft.names.get(builder.draft.node(element.node).name()) == name)
        };
        for at in (0..self.open.len()).rev() {
            if wanted(self, at) {
                self.generate_implied_end_tags(Some(tag));
                while self.open.len() > at {
                    self.pop();
                }
                return;
            }
            if Self::is_special(self.open[at]) {
                return;
            }
        }
    }

    pub(super) fn text<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        match token {
            Token::Text(text) => {
                self.insert_text(text);
                None
            }
            Token::Eof => {
                self.pop();
                self.mode = self.original_mode;
                Some(token)
            }
            Token::End(tag) if tag.tag == Tag::Noscript => {
                self.met.noscript = true;
                self.pop();
                self.mode = self.original_mode;
                Some(token)
            }
            _ => {
                self.pop();
                self.mode = self.original_mode;
                None
            }
        }
    }

    pub(super) fn after_body<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        match token {
            Token::Text(text) if text.chars().all(is_space) => return self.in_body(token),
            Token::Comment(text) => {
                let html = self.open.first().map_or(DOCUMENT, |html| html.node);
                self.insert_comment_into(html, text);
                return None;
            }
            Token::Doctype(_) => return None,
            Token::Start(tag) if tag.tag == Tag::Html => return self.in_body(token),
            Token::End(tag) if tag.tag == Tag::Html => {
                self.mode = Mode::AfterAfterBody;
                return None;
            }
            Token::Eof => return None,
            _ => {}
        }
        self.mode = Mode::InBody;
        Some(token)
    }

    pub(super) fn after_after_body<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        match token {
            Token::Comment(text) => {
                self.insert_comment_into(DOCUMENT, text);
                return None;
            }
            Token::Doctype(_) => return self.in_body(token),
            Token::Text(text) if text.chars().all(is_space) => return self.in_body(token),
            Token::Start(tag) if tag.tag == Tag::Html => return self.in_body(token),
            Token::Eof => return None,
            _ => {}
        }
        self.mode = Mode::InBody;
        Some(token)
    }
}
