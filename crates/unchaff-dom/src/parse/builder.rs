//! Tree construction: from tokens to the draft of a tree, by the HTML standard
//! (<https://html.spec.whatwg.org/multipage/parsing.html#tree-construction>), scripting off.
//!
//! This file has what the rules are made of: the stack of open elements and insertion with foster parenting; formatting
//! elements have `formatting.rs`. The rules themselves stand in `head_rules.rs`, `body_rules.rs`,
//! `table_rules.rs` (tables, select, frames, templates) and `foreign.rs` (SVG, MathML), in the standard's order.
//!
//! A few things differ from the standard on purpose. The contents of a `template` are its children. `select` keeps the
//! rules all parsers had until 2025 (only options and groups inside), as html5lib does, so that elements are numbered alike.
//! Elements of SVG and MathML are never special (see `is_special`). And what lets a small page cost much has limits, see [`Limits`]: the standard has none.

use super::draft::{Attr, DOCUMENT, Draft, NONE, Span};
use super::tokenizer::{Attribute, Doctype, State};
use crate::Tag;
use crate::tag::TAG_COUNT;

/// What keeps the cost of a page in proportion to its size, however it is written.
///
/// A page that meets a limit is still a page: what is beyond it is simplified, and a warning says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Elements nested deeper than this become siblings. Browsers do the same at the same depth (512).
    pub depth: usize,
    /// A page has at most this many nodes; further tags are skipped, their text stays (5,000,000).
    pub nodes: usize,
    /// Attributes of one element beyond this number are dropped (1,000).
    pub attributes: usize,
    /// Formatting elements (`b`, `font`, `a`, …) that were never closed are opened again in every later paragraph; at
    /// most this many of the latest are (64).
    pub formatting: usize,
    /// Bytes of source beyond this are not read (2 GiB less 1, the most that positions can tell apart).
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: 512, nodes: 5_000_000, attributes: 1_000, formatting: 64, bytes: (1 << 31) - 1 }
    }
}

/// Which limits a page met.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Met {
    pub(crate) depth: bool,
    pub(crate) nodes: bool,
    pub(crate) attributes: bool,
    pub(crate) formatting: bool,
    /// Not a limit: text in a `noscript` that only its end tag ended.
    pub(crate) noscript: bool,
}

/// A tag as the rules see it.
#[derive(Clone, Copy)]
pub(super) struct TagToken<'t> {
    pub(super) tag: Tag,
    pub(super) name: &'t str,
    pub(super) attributes: &'t [Attribute<'t>],
    pub(super) self_closing: bool,
}

impl TagToken<'_> {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &*attribute.value)
    }
}

#[derive(Clone, Copy)]
pub(super) enum Token<'t> {
    Doctype(&'t Doctype),
    Start(TagToken<'t>),
    End(TagToken<'t>),
    Comment(&'t str),
    Text(&'t str),
    Eof,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InSelect,
    InSelectInTable,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// What is left to do of a token: nothing, or to process it (or the rest of it) again in the mode now current.
pub(super) type Rest<'t> = Option<Token<'t>>;

#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) node: u32,
    pub(super) tag: Tag,
}

pub(super) struct Builder<'s> {
    pub(super) draft: Draft<'s>,
    pub(super) limits: Limits,
    pub(super) met: Met,
    pub(super) mode: Mode,
    pub(super) original_mode: Mode,
    pub(super) template_modes: Vec<Mode>,
    pub(super) open: Vec<Open>,
    /// How many elements of each tag are open: most questions about the stack are answered by "none".
    pub(super) open_tags: [u32; TAG_COUNT],
    pub(super) formatting: Vec<u32>,
    pub(super) pending_table_text: Vec<Span>,
    pub(super) pending_from: usize,
    pub(super) head: u32,
    pub(super) form: u32,
    pub(super) frameset_ok: bool,
    pub(super) foster_parenting: bool,
    pub(super) ignore_line_feed: bool,
    pub(super) quirks: bool,
    /// Formatting tags of which one was dropped because three alike were open.
    pub(super) alike: Vec<Tag>,
    /// Copies of formatting elements that may still be made.
    pub(super) copies_left: usize,
    /// What the tokenizer shall read next, set by a rule.
    pub(super) next_state: Option<State>,
    /// The tag of the current token if it is an end tag.
    pub(super) end_tag: Option<Tag>,
    /// The range of the current token in the source.
    pub(super) from: usize,
    pub(super) to: usize,
}

impl<'s> Builder<'s> {
    pub(super) fn new(source: &'s str, limits: Limits) -> Builder<'s> {
        Builder {
            draft: Draft::new(source),
            limits,
            met: Met::default(),
            mode: Mode::Initial,
            original_mode: Mode::Initial,
            template_modes: Vec::new(),
            open: Vec::with_capacity(64),
            open_tags: [0; TAG_COUNT],
            formatting: Vec::new(),
            pending_table_text: Vec::new(),
            pending_from: 0,
            head: NONE,
            form: NONE,
            frameset_ok: true,
            foster_parenting: false,
            ignore_line_feed: false,
            alike: Vec::new(),
            quirks: false,
            copies_left: 10_000 + source.len() / 16,
            next_state: None,
            end_tag: None,
            from: 0,
            to: 0,
        }
    }

    pub(super) fn process_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.process(Token::Text(text));
        }
    }

    /// The end of the page: closes everything.
    pub(super) fn end(mut self) -> (Draft<'s>, Met) {
        self.process(Token::Eof);
        while !self.open.is_empty() {
            self.pop();
        }
        self.draft.alike = self.alike;
        (self.draft, self.met)
    }

    // ---- The stack of open elements ----

    pub(super) fn current(&self) -> Open {
        self.open.last().copied().unwrap_or(Open { node: DOCUMENT, tag: Tag::Document })
    }

    pub(super) fn current_is(&self, tag: Tag) -> bool {
        self.current().tag == tag
    }

    pub(super) fn is_open(&self, tag: Tag) -> bool {
        self.open_tags[tag as usize] > 0
    }

    pub(super) fn push(&mut self, node: u32, tag: Tag) {
        self.open.push(Open { node, tag });
        self.open_tags[tag as usize] += 1;
    }

    pub(super) fn pop(&mut self) -> Open {
        let at = self.open.len().saturating_sub(1);
        self.remove_open(at)
    }

    /// Takes an element off the stack; for the document alone there is nothing to take.
    pub(super) fn remove_open(&mut self, at: usize) -> Open {
        if at >= self.open.len() {
            return self.current();
        }
        let element = self.open.remove(at);
        self.open_tags[element.tag as usize] -= 1;
        self.draft.node_mut(element.node).to = if self.end_tag == Some(element.tag) { self.to } else { self.from } as u32;
        element
    }

    pub(super) fn pop_until(&mut self, tag: Tag) {
        self.pop_until_any(|found| found == tag);
    }

    pub(super) fn pop_until_any(&mut self, stop: impl Fn(Tag) -> bool) {
        while let Some(element) = self.open.last() {
            let found = stop(element.tag);
            self.pop();
            if found {
                break;
            }
        }
    }

    pub(super) fn pop_to_context(&mut self, context: impl Fn(Tag) -> bool) {
        while !self.open.is_empty() && !context(self.current().tag) {
            self.pop();
        }
    }

    pub(super) fn position_open(&self, node: u32) -> Option<usize> {
        self.open.iter().rposition(|element| element.node == node)
    }

    /// Whether an element of this tag is open and no element of the scope's border stands above it.
    pub(super) fn in_scope(&self, tag: Tag, border: fn(&Self, Open) -> bool) -> bool {
        self.is_open(tag) && self.any_in_scope(|found| found == tag, border)
    }

    pub(super) fn any_in_scope(&self, wanted: impl Fn(Tag) -> bool, border: fn(&Self, Open) -> bool) -> bool {
        for element in self.open.iter().rev() {
            if wanted(element.tag) {
                return true;
            }
            if border(self, *element) {
                return false;
            }
        }
        false
    }

    pub(super) fn default_border(&self, element: Open) -> bool {
        use Tag::*;
        match element.tag {
            Applet | Caption | Html | Table | Td | Th | Marquee | Object | Template => true,
            Foreign => {
                self.is_integration_point(element)
                    || self.is_mathml_text_integration_point(element)
                    || self.is_annotation_xml(element)
            }
            _ => false,
        }
    }

    pub(super) fn list_border(&self, element: Open) -> bool {
        matches!(element.tag, Tag::Ol | Tag::Ul) || self.default_border(element)
    }

    pub(super) fn button_border(&self, element: Open) -> bool {
        element.tag == Tag::Button || self.default_border(element)
    }

    pub(super) fn table_border(&self, element: Open) -> bool {
        matches!(element.tag, Tag::Html | Tag::Table | Tag::Template)
    }

    pub(super) fn select_border(&self, element: Open) -> bool {
        !matches!(element.tag, Tag::Optgroup | Tag::Option)
    }

    pub(super) fn generate_implied_end_tags(&mut self, except: Option<Tag>) {
        use Tag::*;
        while matches!(self.current().tag, Dd | Dt | Li | Optgroup | Option | P | Rb | Rp | Rt | Rtc)
            && Some(self.current().tag) != except
        {
            self.pop();
        }
    }

    pub(super) fn generate_all_implied_end_tags(&mut self) {
        use Tag::*;
        while matches!(
            self.current().tag,
            Caption | Colgroup | Dd | Dt | Li | Optgroup | Option | P | Rb | Rp | Rt | Rtc | Tbody | Td | Tfoot | Th | Thead | Tr
        ) {
            self.pop();
        }
    }

    pub(super) fn close_p(&mut self) {
        if self.in_scope(Tag::P, Self::button_border) {
            self.generate_implied_end_tags(Some(Tag::P));
            self.pop_until(Tag::P);
        }
    }

    // ---- Insertion ----

    /// The appropriate place for inserting a node: a parent, and the child before which it goes (or none: at the end).
    pub(super) fn place(&self, target: Open) -> (u32, u32) {
        use Tag::*;
        if !self.foster_parenting || !matches!(target.tag, Table | Tbody | Tfoot | Thead | Tr) {
            return (target.node, NONE);
        }
        let template = self.open.iter().rposition(|element| element.tag == Template);
        let table = self.open.iter().rposition(|element| element.tag == Table);
        match (template, table) {
            (Some(template), table) if table.is_none_or(|table| template > table) => (self.open[template].node, NONE),
            (_, Some(table)) => match self.draft.node(self.open[table].node).parent {
                NONE => (self.open[table - 1].node, NONE),
                parent => (parent, self.open[table].node),
            },
            _ => (self.open.first().map_or(DOCUMENT, |html| html.node), NONE),
        }
    }

    pub(super) fn insert_at(&mut self, (parent, sibling): (u32, u32), node: u32) {
        if sibling == NONE { self.draft.append(parent, node) } else { self.draft.insert_before(sibling, node) }
    }

    pub(super) fn insert(&mut self, node: u32) {
        let place = self.place(self.current());
        self.insert_at(place, node);
    }

    pub(super) fn insert_comment(&mut self, text: &str) {
        let parent = self.place(self.current());
        self.insert_comment_at(parent, text);
    }

    pub(super) fn insert_comment_into(&mut self, parent: u32, text: &str) {
        self.insert_comment_at((parent, NONE), text);
    }

    fn insert_comment_at(&mut self, place: (u32, u32), text: &str) {
        let node = self.draft.create(Tag::Comment, self.from);
        let span = self.draft.span_of(text);
        let comment = self.draft.node_mut(node);
        comment.set_text(span);
        comment.to = self.to as u32;
        self.insert_at(place, node);
    }

    pub(super) fn insert_text(&mut self, text: &str) {
        if !text.is_empty() {
            let span = self.draft.span_of(text);
            self.insert_text_span(span);
        }
    }

    pub(super) fn insert_text_span(&mut self, span: Span) {
        let (parent, sibling) = self.place(self.current());
        if parent != DOCUMENT {
            self.draft.add_text(parent, sibling, span, self.from, self.to);
        }
    }

    /// Creates the element of a start tag, without inserting it.
    pub(super) fn create_element(&mut self, token: TagToken<'_>, tag: Tag) -> u32 {
        let node = self.draft.create(tag, self.from);
        let start = self.draft.attrs.len() as u32;
        let kept = token.attributes.len().min(self.limits.attributes);
        self.met.attributes |= kept < token.attributes.len();
        for attribute in &token.attributes[..kept] {
            let attr = Attr { name: self.draft.names.id(&attribute.name), value: self.draft.span_of(&attribute.value) };
            self.draft.attrs.push(attr);
        }
        let name = if matches!(tag, Tag::Custom | Tag::Foreign) { self.draft.names.id(token.name) } else { NONE };
        let to = self.to as u32;
        let element = self.draft.node_mut(node);
        element.set_attrs(start, kept as u16);
        element.set_name(name);
        element.to = to;
        node
    }

    /// Inserts an HTML element for a start tag and opens it.
    pub(super) fn insert_element(&mut self, token: TagToken<'_>) -> u32 {
        self.insert_element_as(token, token.tag)
    }

    pub(super) fn insert_element_as(&mut self, token: TagToken<'_>, tag: Tag) -> u32 {
        self.make_room();
        let node = self.create_element(token, tag);
        self.insert(node);
        self.push(node, tag);
        node
    }

    /// Inserts an element that is empty by definition.
    pub(super) fn insert_void(&mut self, token: TagToken<'_>) -> u32 {
        let node = self.create_element(token, token.tag);
        self.insert(node);
        node
    }

    /// Inserts an element that the standard implies, where there is no tag.
    pub(super) fn insert_implied(&mut self, tag: Tag) -> u32 {
        self.insert_element(TagToken { tag, name: tag.name(), attributes: &[], self_closing: false })
    }

    /// At the limit of depth, what would be a child becomes the next sibling.
    pub(super) fn make_room(&mut self) {
        while self.open.len() >= self.limits.depth.max(8) {
            self.met.depth = true;
            self.pop();
        }
    }

    /// Adds the attributes of a repeated `html` or `body` tag that the element does not have yet.
    pub(super) fn merge_attributes(&mut self, node: u32, token: TagToken<'_>) {
        let had = self.draft.attrs_of(node).to_vec();
        let mut all = had.clone();
        for attribute in token.attributes {
            let name = self.draft.names.id(&attribute.name);
            if all.len() >= self.limits.attributes.min(100) {
                self.met.attributes = true;
                break;
            }
            if all.iter().all(|attr| attr.name != name) {
                all.push(Attr { name, value: self.draft.span_of(&attribute.value) });
            }
        }
        if all.len() > had.len() {
            let start = self.draft.attrs.len() as u32;
            self.draft.attrs.extend_from_slice(&all);
            self.draft.node_mut(node).set_attrs(start, all.len() as u16);
        }
    }

    /// Elements of the standard's category "special". It has a few of SVG and MathML too, which html5ever and html5lib leave
    /// out, and so do we.
    pub(super) fn is_special(element: Open) -> bool {
        use Tag::*;
        matches!(
            element.tag,
            Address
                | Applet
                | Area
                | Article
                | Aside
                | Base
                | Basefont
                | Bgsound
                | Blockquote
                | Body
                | Br
                | Button
                | Caption
                | Center
                | Col
                | Colgroup
                | Dd
                | Details
                | Dir
                | Div
                | Dl
                | Dt
                | Embed
                | Fieldset
                | Figcaption
                | Figure
                | Footer
                | Form
                | Frame
                | Frameset
                | H1
                | H2
                | H3
                | H4
                | H5
                | H6
                | Head
                | Header
                | Hgroup
                | Hr
                | Html
                | Iframe
                | Img
                | Input
                | Keygen
                | Li
                | Link
                | Listing
                | Main
                | Marquee
                | Menu
                | Meta
                | Nav
                | Noembed
                | Noframes
                | Noscript
                | Object
                | Ol
                | P
                | Param
                | Plaintext
                | Pre
                | Script
                | Search
                | Section
                | Select
                | Source
                | Style
                | Summary
                | Table
                | Tbody
                | Td
                | Template
                | Textarea
                | Tfoot
                | Th
                | Thead
                | Title
                | Tr
                | Track
                | Ul
                | Wbr
                | Xmp
        )
    }
}
