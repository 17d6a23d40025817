//! Clean HTML: the elements that carry content, with safe attributes, nested as the standard wants it.
//!
//! Containers without meaning of their own (`div`, `section`, layout tables …) are unwrapped; what they kept apart becomes
//! paragraphs. Inline elements never span blocks: they close before one and open again inside. Elements are written when
//! their first content comes, so none is empty but the cells of tables. Lists, tables and definition lists hold only what
//! they may: text that strays between items gets an item of its own. The result parses to the elements it shows, and
//! writing it again gives the same.

mod direction;
mod escape;
mod frame;
mod tags;
#[cfg(test)]
mod tests;

use self::direction::Directions;
pub(super) use self::escape::{push_attribute, push_escaped};
use self::frame::{Frame, Holds};
use self::tags::{is_span, modern};
use super::anchors::Anchors;
use super::formula::{Formula, push_mathml};
use super::lines::{Piece, at_start_of_line, pieces};
use super::listing;
use super::numbering;
use super::shape::{has_content, is_data_table, is_heading};
use super::target::{self, Ornaments};
use super::walk::{Unlinked, Visitor, walk};
use crate::{NodeId, NodeSet, Page, Tag};
use std::borrow::Cow;

/// Writes a set of nodes as a fragment of clean HTML: content markup only, addresses absolute, nothing that runs.
///
/// ```
/// let page = unchaff_dom::Page::parse("<div class=x onclick=y>One<div>Two <b style=z>three</b></div></div>");
/// assert_eq!(unchaff_dom::emit::html(&page, &page.subtree_set(page.root())), "<p>One</p>\n<p>Two <b>three</b></p>\n");
/// ```
#[must_use]
pub fn html(page: &Page, nodes: &NodeSet) -> String {
    let mut writer = Writer::new(page, nodes);
    walk(page, nodes, &mut writer);
    writer.finish()
}

/// Like [`html`], with the text of links but not where they lead.
#[must_use]
pub fn html_without_links(page: &Page, nodes: &NodeSet) -> String {
    let mut writer = Writer::new(page, nodes);
    walk(page, nodes, &mut Unlinked(&mut writer));
    writer.finish()
}

struct Span<'p> {
    node: NodeId,
    tag: Tag,
    /// Where a link leads.
    address: Option<Cow<'p, str>>,
    is_open: bool,
}

struct Writer<'p> {
    page: &'p Page,
    nodes: &'p NodeSet,
    out: String,
    frames: Vec<Frame>,
    /// How many of the frames are written.
    written: usize,
    spans: Vec<Span<'p>>,
    anchors: Anchors<'p>,
    ornaments: Ornaments<'p>,
    /// A place that links lead to, until something is written that can bear its name.
    place: Option<&'p str>,
    /// Whether each open table holds data.
    tables: Vec<bool>,
    directions: Directions,
    preformatted: usize,
    space: bool,
    breaks: usize,
    /// Whether nothing stands in the current line of text yet.
    is_fresh: bool,
}

impl<'p> Writer<'p> {
    fn new(page: &'p Page, nodes: &'p NodeSet) -> Writer<'p> {
        Writer {
            page,
            nodes,
            out: String::with_capacity(page.text(page.root()).len()),
            frames: vec![Frame::new(None, Tag::Body, Holds::Paragraphs)],
            written: 1,
            spans: Vec::new(),
            anchors: Anchors::of(page, nodes),
            ornaments: Ornaments::default(),
            place: None,
            tables: Vec::new(),
            directions: Directions::default(),
            preformatted: 0,
            space: false,
            breaks: 0,
            is_fresh: true,
        }
    }

    fn finish(mut self) -> String {
        self.boundary();
        self.out
    }

    fn top(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Ends the current line of text.
    fn boundary(&mut self) {
        let holds = self.top().holds;
        match holds {
            Holds::Text if self.preformatted > 0 => {
                if !self.is_fresh && !self.out.ends_with('\n') {
                    self.breaks = 1;
                }
            }
            Holds::Text => self.space |= !self.is_fresh,
            Holds::Parts => {}
            Holds::Paragraphs | Holds::TextFirst => self.end_text(),
        }
    }

    fn end_text(&mut self) {
        for span in self.spans.iter_mut().rev().filter(|span| span.is_open) {
            self.out.extend(["</", span.tag.name(), ">"]);
            span.is_open = false;
        }
        let frame = self.top();
        if frame.in_paragraph {
            self.out.push_str("</p>\n");
        }
        let frame = self.top();
        frame.has_blocks |= frame.in_paragraph || frame.in_text;
        (frame.in_paragraph, frame.in_text) = (false, false);
        (self.space, self.breaks, self.is_fresh) = (false, 0, true);
    }

    /// Gets ready for text or another inline piece.
    fn begin(&mut self) {
        self.imply_part();
        self.write_frames();
        let frame = self.top();
        let needs_paragraph = match frame.holds {
            Holds::Paragraphs => true,
            Holds::TextFirst => !frame.in_text && (frame.has_blocks || frame.paragraphs > 0),
            Holds::Text | Holds::Parts => false,
        };
        if needs_paragraph && !frame.in_paragraph {
            frame.in_paragraph = true;
            self.start_line();
            self.out.push_str("<p");
            self.name_place();
            self.direct(self.frames.len());
            self.out.push('>');
            self.is_fresh = true;
        } else if !needs_paragraph {
            frame.in_text = true;
        }
        if !self.is_fresh {
            for _ in 0..self.breaks.min(2) {
                self.out.push_str(if self.preformatted > 0 { "\n" } else { "<br>" });
            }
            if self.space && self.breaks == 0 {
                self.out.push(' ');
            }
        }
        (self.space, self.breaks, self.is_fresh) = (false, 0, false);
        for at in 0..self.spans.len() {
            if !self.spans[at].is_open {
                let Span { node, tag, .. } = self.spans[at];
                self.spans[at].is_open = true;
                self.out.extend(["<", tag.name()]);
                if let Some(address) = &self.spans[at].address {
                    push_attribute(&mut self.out, "href", address);
                }
                self.attributes(node, tag);
                self.out.push('>');
            }
        }
        if self.place.is_some() {
            self.out.push_str("<span");
            self.name_place();
            self.out.push_str("></span>");
        }
    }

    /// Gives the element that is being written the name of the place where it stands.
    fn name_place(&mut self) {
        if let Some(name) = self.place.take() {
            push_attribute(&mut self.out, "id", name);
        }
    }

    /// Says of the element that is being written which way its text runs.
    fn direct(&mut self, depth: usize) {
        if let Some(direction) = self.directions.at(depth) {
            push_attribute(&mut self.out, "dir", direction);
        }
    }

    /// Opens the part that text needs where only parts may stand.
    fn imply_part(&mut self) {
        while self.top().holds == Holds::Parts {
            let part = match self.top().tag {
                Tag::Ul | Tag::Ol => Tag::Li,
                Tag::Dl => Tag::Dd,
                Tag::Tr => Tag::Td,
                _ => Tag::Tr,
            };
            let holds = if part == Tag::Tr { Holds::Parts } else { Holds::TextFirst };
            self.frames.push(Frame::new(None, part, holds));
        }
    }

    /// Writes the start tags that are still due.
    fn write_frames(&mut self) {
        while self.written < self.frames.len() {
            let Frame { node, tag, holds, .. } = self.frames[self.written];
            if let Some(above) = self.written.checked_sub(1).map(|at| &mut self.frames[at]) {
                above.has_blocks = true;
            }
            self.start_line();
            // A place is named by the element that it is, not by what is written before that.
            let later = self.frames[self.written + 1..].iter().filter_map(|frame| self.anchors.place(frame.node?));
            let held = self.place.take_if(|place| later.into_iter().any(|later| later == *place));
            self.start_tag(node, tag);
            self.place = self.place.or(held);
            if holds == Holds::Parts {
                self.out.push('\n');
            }
            self.written += 1;
            self.is_fresh = true;
        }
    }

    /// A block after text starts on a new line; it has no other meaning there.
    fn start_line(&mut self) {
        let in_item =
            self.out.ends_with("<li>") || self.out.ends_with("<td>") || self.out.ends_with("<dd>") || self.out.ends_with("<th>");
        if !self.out.is_empty() && !self.out.ends_with('\n') && !in_item {
            self.out.push('\n');
        }
    }

    fn start_tag(&mut self, node: Option<NodeId>, tag: Tag) {
        self.out.push('<');
        self.out.push_str(tag.name());
        match node {
            Some(node) => {
                self.attributes(node, tag);
                if self.page.attr(node, "dir").is_none() {
                    self.direct(self.written);
                }
            }
            None => self.name_place(),
        }
        self.out.push('>');
    }

    fn attributes(&mut self, node: NodeId, tag: Tag) {
        use Tag::*;
        let page = self.page;
        // What stands between a place and its text bears no name of its own, unless it is one too.
        self.place = self.anchors.place(node).or(self.place);
        self.name_place();
        if tag == Pre {
            self.language(node);
        } else if tag == Ol
            && let Some(kind) = numbering::kind(page, node)
        {
            push_attribute(&mut self.out, "type", kind.encode_utf8(&mut [0; 4]));
        }
        for (name, value) in page.attrs(node) {
            let is_kept = match name {
                "lang" | "dir" => true,
                "title" => matches!(tag, A | Abbr | Dfn | Img),
                "alt" | "width" | "height" => tag == Img,
                "colspan" | "rowspan" | "scope" => matches!(tag, Td | Th),
                "start" | "reversed" => tag == Ol,
                "value" => tag == Li,
                "datetime" => matches!(tag, Time | Del | Ins),
                _ => false,
            };
            if is_kept && value.contains(|character: char| character.is_ascii_control()) {
                push_attribute(&mut self.out, name, &value.split_ascii_whitespace().collect::<Vec<_>>().join(" "));
            } else if is_kept {
                push_attribute(&mut self.out, name, value);
            } else if name == "cite" && matches!(tag, Blockquote | Q | Del | Ins) {
                target::web_address(page, value).inspect(|address| push_attribute(&mut self.out, name, address));
            }
        }
    }

    /// Starts a block element; what may not stand here is unwrapped.
    fn open(&mut self, node: NodeId, tag: Tag, holds: Holds, stands_in: &[Tag]) {
        self.boundary();
        if !stands_in.is_empty() {
            // A part ends the part that was implied before it.
            while self.top().node.is_none() && self.frames.len() > 1 {
                self.close_top();
            }
            if !stands_in.contains(&self.top().tag) {
                return;
            }
        } else if self.top().holds == Holds::Text {
            return;
        } else {
            self.imply_part();
        }
        self.frames.push(Frame::new(Some(node), tag, holds));
    }

    /// Ends the block element of a node, if it has one.
    fn close(&mut self, node: NodeId) {
        self.boundary();
        let Some(at) = self.frames.iter().rposition(|frame| frame.node.is_some()) else { return };
        if self.frames[at].node == Some(node) {
            while self.frames.len() > at {
                self.close_top();
            }
        }
    }

    fn close_top(&mut self) {
        self.end_text();
        let Some(frame) = self.frames.pop() else { return };
        let is_cell = matches!(frame.tag, Tag::Td | Tag::Th);
        if is_cell && self.written <= self.frames.len() {
            // Empty cells keep the others in their columns.
            self.frames.push(frame);
            self.write_frames();
            return self.close_top();
        }
        if self.written > self.frames.len() {
            if frame.holds == Holds::TextFirst && frame.has_blocks && self.out.ends_with('\n') && !self.out.ends_with(">\n") {
                self.out.pop();
            }
            self.out.extend(["</", frame.tag.name(), ">\n"]);
            self.written = self.frames.len();
        }
        self.is_fresh = true;
    }

    fn run(&mut self, run: &str) {
        let run = if self.is_fresh || self.is_block_due() { at_start_of_line(run) } else { run };
        if !run.is_empty() {
            self.begin();
            push_escaped(&mut self.out, run);
        }
    }

    /// Whether the next text starts a new line of text.
    fn is_block_due(&self) -> bool {
        self.written < self.frames.len()
    }

    fn preformatted_text(&mut self, text: &str) {
        if !text.is_empty() {
            let is_first = self.is_block_due();
            self.begin();
            // The parser drops the first new line of a `pre`.
            if is_first && text.starts_with('\n') && self.out[self.out.rfind('<').unwrap_or(0)..].starts_with("<pre") {
                self.out.push('\n');
            }
            push_escaped(&mut self.out, text);
        }
    }

    /// Says of a piece of code which language it is in.
    fn language(&mut self, node: NodeId) {
        if let Some(language) = target::code_language(self.page, node) {
            push_attribute(&mut self.out, "class", &format!("language-{language}"));
        }
    }

    /// Writes a listing that is no plain `pre` as one.
    fn write_code(&mut self, node: NodeId, code: &str) {
        self.boundary();
        if !code.is_empty() {
            self.imply_part();
            self.write_frames();
            self.start_line();
            self.out.push_str("<pre");
            self.name_place();
            self.language(node);
            self.out.push('>');
            push_escaped(&mut self.out, code);
            self.out.push_str("</pre>\n");
            self.top().has_blocks = true;
            self.is_fresh = true;
        }
    }

    fn rule(&mut self) {
        self.boundary();
        if self.top().holds != Holds::Text {
            self.imply_part();
            self.write_frames();
            self.start_line();
            self.out.push_str("<hr>\n");
            self.top().has_blocks = true;
        }
    }

    /// What plays. A frame is a link to what it shows: its scripts would run wherever this is read.
    fn media(&mut self, node: NodeId, tag: Tag) {
        let Some(address) = target::media(self.page, node) else { return };
        if tag == Tag::Iframe {
            let title = target::media_title(self.page, node, &address);
            self.open_span(node, Tag::A, Some(address));
            self.text(&title);
            return self.close_span(node);
        }
        self.begin();
        self.out.extend(["<", tag.name()]);
        push_attribute(&mut self.out, "src", &address);
        if let Some(title) = self.page.attr(node, "title").map(str::trim).filter(|title| !title.is_empty()) {
            push_attribute(&mut self.out, "title", &title.split_ascii_whitespace().collect::<Vec<_>>().join(" "));
        }
        self.out.extend([" controls></", tag.name(), ">"]);
    }

    fn open_span(&mut self, node: NodeId, tag: Tag, address: Option<Cow<'p, str>>) {
        let is_ruby_part = matches!(tag, Tag::Rt | Tag::Rp);
        let is_there = |tags: &[Tag]| self.spans.iter().any(|span| tags.contains(&span.tag));
        let fits = !is_ruby_part || is_there(&[Tag::Ruby]) && !is_there(&[Tag::Rt, Tag::Rp]);
        if fits && !is_there(&[tag]) {
            self.spans.push(Span { node, tag, address, is_open: false });
        }
    }

    fn close_span(&mut self, node: NodeId) {
        if let Some(span) = self.spans.pop_if(|span| span.node == node)
            && span.is_open
        {
            self.out.extend(["</", span.tag.name(), ">"]);
        }
    }

    fn is_in_code(&self) -> bool {
        self.spans.iter().any(|span| matches!(span.tag, Tag::Code | Tag::Kbd | Tag::Samp))
    }

    fn is_in_data(&self) -> bool {
        self.tables.last() == Some(&true)
    }
}

impl Visitor for Writer<'_> {
    fn text(&mut self, text: &str) {
        if self.preformatted > 0 {
            return self.preformatted_text(text);
        }
        for piece in pieces(text) {
            match piece {
                Piece::Space => self.space = true,
                Piece::Run(run) => self.run(run),
            }
        }
    }

    fn image(&mut self, node: NodeId) -> bool {
        let address = if self.ornaments.has(self.page, node) { None } else { target::image(self.page, node) };
        let Some(address) = address else { return false };
        self.begin();
        self.out.push_str("<img");
        push_attribute(&mut self.out, "src", &address);
        self.attributes(node, Tag::Img);
        self.out.push('>');
        true
    }

    /// Code is written as it is.
    fn space(&mut self) {
        self.space |= self.preformatted == 0;
    }

    fn leaf(&mut self, node: NodeId, tag: Tag) {
        match tag {
            Tag::Br if self.preformatted > 0 => self.preformatted_text("\n"),
            // Code that has no break of its own would be a listing with one.
            Tag::Br if self.page.tag(node) != Tag::Br && self.is_in_code() => self.space = true,
            Tag::Br => self.breaks += 1,
            Tag::Hr => self.rule(),
            _ => self.media(node, tag),
        }
    }

    fn formula(&mut self, node: NodeId, formula: &Formula) {
        self.begin();
        push_mathml(&mut self.out, self.page, node, formula);
    }

    fn enter(&mut self, node: NodeId, tag: Tag) -> bool {
        use Tag::*;
        self.place = self.anchors.place(node).or(self.place);
        // A cell of data has no blocks.
        let has_room = self.top().holds != Holds::Text && !self.is_in_data();
        let listing = if self.preformatted == 0 { listing::spaces(self.page, node, tag) } else { None };
        let tag = modern(self.page.tag(node), tag);
        if tag.is_block() {
            self.directions.enter(self.page, node, self.frames.len());
        }
        if let Some(spaces) = listing.filter(|_| !has_room && !listing::is_chosen(self.page, self.nodes, node)) {
            let span = if is_span(tag) { tag } else { Code };
            self.boundary();
            self.open_span(node, span, None);
            self.text(&listing::code(self.page, self.nodes, node, spaces));
            self.close_span(node);
            self.boundary();
            return false;
        }
        let listing = listing.filter(|_| has_room);
        if let Some(spaces) = listing
            && !(tag == Pre && listing::is_plain(self.page, self.nodes, node))
        {
            self.write_code(node, &listing::code(self.page, self.nodes, node, spaces));
            return false;
        }
        match tag {
            P => {
                self.boundary();
                self.top().paragraphs += 1;
            }
            H1 | H2 | H3 | H4 | H5 | H6 if is_heading(self.page, node) => self.open(node, tag, Holds::Text, &[]),
            Ul | Ol | Dl => self.open(node, tag, Holds::Parts, &[]),
            Li => self.open(node, tag, Holds::TextFirst, &[Ul, Ol]),
            Dt | Dd => self.open(node, tag, Holds::TextFirst, &[Dl]),
            Blockquote | Details => self.open(node, tag, Holds::Paragraphs, &[]),
            Figure => self.open(node, tag, Holds::TextFirst, &[]),
            Figcaption => self.open(node, tag, Holds::TextFirst, &[Figure]),
            Summary => self.open(node, tag, Holds::TextFirst, &[Details]),
            Table => {
                let is_data = is_data_table(self.page, self.nodes, node);
                self.tables.push(is_data);
                if is_data {
                    self.open(node, tag, Holds::Parts, &[]);
                } else {
                    self.boundary();
                }
            }
            Caption if self.is_in_data() => self.open(node, tag, Holds::TextFirst, &[Table]),
            Thead | Tbody | Tfoot if self.is_in_data() => self.open(node, tag, Holds::Parts, &[Table]),
            Tr if self.is_in_data() => {
                if !has_content(self.page, self.nodes, node) {
                    return false;
                }
                self.open(node, tag, Holds::Parts, &[Thead, Tbody, Tfoot]);
            }
            Td | Th if self.is_in_data() => self.open(node, tag, Holds::TextFirst, &[Tr]),
            Pre if listing.is_some() => {
                if !has_content(self.page, self.nodes, node) {
                    self.boundary();
                    return false;
                }
                self.open(node, tag, Holds::Text, &[]);
                self.preformatted += 1;
            }
            A => {
                let fragment = self.page.attr(node, "href").filter(|_| self.anchors.is_inside(node));
                if let Some(address) = fragment.map(|href| href.trim().into()).or_else(|| target::link(self.page, node)) {
                    self.open_span(node, tag, Some(address));
                }
            }
            _ if tag.is_block() => self.boundary(),
            _ if is_span(tag) => self.open_span(node, tag, None),
            _ => {}
        }
        true
    }

    fn leave(&mut self, node: NodeId, tag: Tag) {
        let tag = modern(self.page.tag(node), tag);
        self.directions.leave(node);
        match tag {
            Tag::P => {
                self.boundary();
                self.top().paragraphs = self.top().paragraphs.saturating_sub(1);
            }
            Tag::Pre if self.preformatted > 0 && self.top().node == Some(node) => {
                self.close(node);
                self.preformatted -= 1;
            }
            Tag::Table => {
                self.close(node);
                self.tables.pop();
            }
            _ if tag.is_block() => self.close(node),
            _ => self.close_span(node),
        }
    }
}
