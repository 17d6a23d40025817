//! Inline Markdown: emphasis, links, code and images in running text.
//!
//! Marks are written late. A mark opens when the first character inside it comes and closes when it is known what stands
//! after it: spaces move outside, empty marks vanish, neighbours of one kind merge. At the end of a block all
//! marks close; what is still open opens again in the next. Where `*` would not count as a mark by CommonMark's rule of
//! flanking (as in `<b>Note:</b>text`), a tag of HTML takes its place, which CommonMark allows.

use super::super::anchors::Mark;
use super::super::lines::{Gap, Lines, at_start_of_line};
use super::escape::{Place, escape_heading_end, longest_ticks, push_address, push_escaped};
use super::references::{LABEL, References};
use crate::NodeId;

/// What a mark says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Bold text.
    Strong,
    /// Text in italics.
    Emphasis,
    /// Struck text.
    Strike,
    /// Raised text.
    Raised,
    /// Lowered text.
    Lowered,
    /// A link.
    Link,
}

impl Kind {
    fn mark(self) -> &'static str {
        match self {
            Kind::Strong => "**",
            Kind::Emphasis => "*",
            Kind::Strike => "~~",
            Kind::Raised | Kind::Lowered => "",
            Kind::Link => "[",
        }
    }

    fn first(self) -> char {
        match self {
            Kind::Strong | Kind::Emphasis => '*',
            Kind::Strike => '~',
            Kind::Raised | Kind::Lowered => '<',
            Kind::Link => '[',
        }
    }

    fn tag(self) -> &'static str {
        match self {
            Kind::Strong => "b",
            Kind::Emphasis => "i",
            Kind::Strike => "s",
            Kind::Raised => "sup",
            Kind::Lowered => "sub",
            Kind::Link => "a",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Opens with the next text.
    Waiting,
    /// A mark stands at this place.
    Marked(usize),
    /// A tag stands in its place.
    Tagged,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    kind: Kind,
    node: NodeId,
    state: State,
    /// How many spans were open around it.
    level: usize,
}

/// A part of a page that is one line in Markdown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flat {
    /// A heading of a level; its mark is not written yet if `true`.
    Heading(u8, bool),
    /// A cell of a table; in its header if `true`.
    Cell(bool),
    /// A cell of a row that is an item of a list.
    Listed,
}

/// Writes where a link leads, behind its text.
fn push_target(out: &mut String, address: &str, flat: Option<Flat>) {
    out.push_str("](");
    push_address(out, address, matches!(flat, Some(Flat::Cell(_))));
    out.push(')');
}

/// Running text in the making.
pub(super) struct Inline {
    /// The lines it is written to.
    pub(super) lines: Lines,
    spans: Vec<Span>,
    /// Spans that are over, inner ones first, whose closing mark waits for what follows.
    closing: Vec<Span>,
    link_address: String,
    /// Where the last link begins and where its text ends.
    last_link: (usize, usize),
    /// Whether a tag of HTML may stand where no mark will do.
    pub(super) has_tags: bool,
    /// Where links lead, if that stands at the end.
    pub(super) references: Option<References>,
    /// Code that is not written yet, because more may follow.
    code: String,
    code_depth: usize,
    /// Where the last piece of code ended.
    code_end: usize,
    flat: Option<Flat>,
    flat_start: usize,
    /// Whether a break inside a flat part waits for more text.
    flat_break: bool,
}

impl Inline {
    pub(super) fn new(lines: Lines) -> Inline {
        Inline {
            lines,
            spans: Vec::new(),
            closing: Vec::new(),
            link_address: String::new(),
            last_link: (0, 0),
            has_tags: true,
            references: None,
            code: String::new(),
            code_depth: 0,
            code_end: 0,
            flat: None,
            flat_start: 0,
            flat_break: false,
        }
    }

    /// Whether blocks cannot be written here.
    pub(super) fn is_flat(&self) -> bool {
        self.flat.is_some()
    }

    /// Everything up to here is a block; the next text starts another after a gap.
    pub(super) fn boundary(&mut self, gap: Gap) {
        self.flush_code();
        if self.spans.iter().any(|span| span.state != State::Waiting) {
            for at in (0..self.spans.len()).rev() {
                let span = self.spans[at];
                self.spans[at].state = State::Waiting;
                self.end_span(span);
            }
        }
        self.settle(' ');
        match self.flat {
            None => self.lines.ask(gap),
            Some(_) => {
                self.flat_break |= self.lines.out.len() > self.flat_start && !self.is_heading_pending();
                self.lines.space = false;
            }
        }
    }

    /// A line break of the page's author.
    pub(super) fn line_break(&mut self) {
        if self.code_depth > 0 {
            return self.code_run(" ");
        }
        if self.flat.is_some() {
            return self.boundary(Gap::None);
        }
        self.flush_code();
        // Marks may stay open over one break, but not over the blank line that two make.
        if self.lines.is_at_start() {
            self.boundary(Gap::None);
        }
        self.settle(' ');
        self.lines.ask_break();
    }

    /// White space.
    pub(super) fn space(&mut self) {
        if self.code_depth == 0 {
            self.flush_code();
            self.lines.space = true;
        } else if self.code.is_empty() {
            self.lines.space = true;
        } else if !self.code.ends_with(' ') {
            self.code.push(' ');
        }
    }

    /// Text without white space but single spaces; `after` is the character that follows it, if known.
    pub(super) fn run(&mut self, run: &str, after: Option<char>) {
        if self.code_depth > 0 {
            return self.code_run(run);
        }
        self.flush_code();
        let is_first = self.lines.is_at_start() || self.flat.is_some() && self.lines.out.len() == self.flat_start;
        let mut run = if is_first { at_start_of_line(run) } else { run };
        let solid = at_start_of_line(run);
        if solid.len() < run.len() {
            // A space that does not break would keep the marks around it from counting. What shows nothing is no space to Markdown.
            let first = run.chars().next().filter(|first| !first.is_whitespace());
            self.settle(first.unwrap_or(' '));
            self.lines.ready();
            self.lines.out.push_str(&run[..run.len() - solid.len()]);
            run = solid;
        }
        let Some(first) = run.chars().next() else { return };
        self.begin(first);
        let place = self.place();
        push_escaped(&mut self.lines.out, run, place, after);
    }

    fn code_run(&mut self, run: &str) {
        if self.code.is_empty() && at_start_of_line(run).is_empty() {
            self.lines.space = true;
            return;
        }
        if self.code.is_empty() && self.lines.is_at_start() {
            self.code.push_str(at_start_of_line(run));
        } else {
            self.code.push_str(run);
        }
    }

    fn place(&self) -> Place {
        let is_open = |kind| self.spans.iter().any(|span| span.kind == kind && span.state != State::Waiting);
        Place {
            line_start: matches!(self.flat, None | Some(Flat::Listed)).then_some(self.lines.line_start),
            in_brackets: is_open(Kind::Link),
            in_cell: matches!(self.flat, Some(Flat::Cell(_) | Flat::Listed)),
            in_strike: is_open(Kind::Strike),
        }
    }

    fn is_heading_pending(&self) -> bool {
        matches!(self.flat, Some(Flat::Heading(_, true)))
    }

    /// Writes everything that stands before the next text, of which the first character is given.
    fn begin(&mut self, first: char) {
        let is_apart = self.lines.space || self.flat_break || self.lines.is_at_start();
        let next = if is_apart { ' ' } else { self.next_mark(0, first, None) };
        self.settle(next);
        if self.flat_break && !self.lines.is_at_start() {
            self.lines.trim_line();
            self.lines.out.push_str(if matches!(self.flat, Some(Flat::Cell(_))) { "<br>" } else { " " });
            self.lines.space = false;
        }
        self.flat_break = false;
        // The space after the bar is written.
        self.lines.space &= !(matches!(self.flat, Some(Flat::Cell(_))) && self.lines.out.len() == self.flat_start);
        self.lines.ready();
        if let Some(Flat::Heading(level, true)) = self.flat {
            self.lines.out.push_str(&"######"[..usize::from(level.clamp(1, 6))]);
            self.lines.out.push(' ');
            self.flat = Some(Flat::Heading(level, false));
            self.flat_start = self.lines.out.len();
        }
        self.open_waiting(first);
    }

    /// The character that follows a mark of the kind of `mine` before the spans from a position on are opened.
    fn next_mark(&self, from: usize, first: char, mine: Option<char>) -> char {
        let waiting = self.spans[from..].iter().filter(|span| span.state == State::Waiting && self.is_shown(span.kind));
        waiting.map(|span| span.kind.first()).find(|mark| mine.is_none_or(|mine| *mark != mine) && *mark != '*').unwrap_or(first)
    }

    /// Headings and headers of tables are bold already.
    fn is_shown(&self, kind: Kind) -> bool {
        kind != Kind::Strong || !matches!(self.flat, Some(Flat::Heading(..) | Flat::Cell(true)))
    }

    fn open_waiting(&mut self, first: char) {
        for at in 0..self.spans.len() {
            let Span { kind, state, .. } = self.spans[at];
            if state != State::Waiting || !self.is_shown(kind) {
                continue;
            }
            let next = self.next_mark(at + 1, first, Some(kind.first()));
            if kind == Kind::Link {
                if first.is_lowercase() && self.goes_on_with_link() {
                    let (start, text_end) = self.last_link;
                    self.lines.out.truncate(text_end);
                    self.spans[at].state = State::Marked(start);
                    continue;
                }
                escape_exclamation(&mut self.lines.out);
            }
            let out = &self.lines.out;
            let place = out.len();
            let before = last_before_marks(out, kind.first()).filter(|_| place > self.lines.line_start);
            let counts =
                next.is_alphanumeric() || before.is_none_or(|before| before.is_whitespace() || before.is_ascii_punctuation());
            let has_mark = !matches!(kind, Kind::Raised | Kind::Lowered);
            if kind == Kind::Link || has_mark && counts && !self.may_close_another(at, before, next) {
                let out = &mut self.lines.out;
                out.push_str(kind.mark());
                self.spans[at].state = State::Marked(place);
            } else {
                if self.has_tags {
                    self.lines.out.extend(["<", kind.tag(), ">"]);
                }
                self.spans[at].state = State::Tagged;
            }
        }
    }

    /// Whether a word goes on with a link to where the last one leads, which ends with its first part.
    fn goes_on_with_link(&self) -> bool {
        let ((start, text_end), Lines { out, line_start, .. }) = (self.last_link, &self.lines);
        let is_word = |text: &str| text.starts_with('[') && text.ends_with(char::is_alphabetic);
        text_end > *line_start && out.get(start..text_end).is_some_and(is_word) && {
            let mut target = String::new();
            push_target(&mut target, &self.link_address, self.flat);
            out[text_end..] == target
        }
    }

    /// Whether an opening `*` might be read as the end of one that was opened before: by its neighbours it could end one,
    /// and CommonMark's rule of three does not help where marks stand together.
    fn may_close_another(&self, at: usize, before: Option<char>, next: char) -> bool {
        let could_close =
            before.is_some_and(|before| !(before.is_whitespace() || before.is_ascii_punctuation() && next.is_alphanumeric()));
        let stands_apart = |place: usize| self.lines.out[place..].contains(|character| character != '*');
        let is_open = |span: &Span| span.kind.first() == '*' && matches!(span.state, State::Marked(place) if stands_apart(place));
        self.spans[at].kind.first() == '*' && could_close && self.spans[..at].iter().any(is_open)
    }

    /// Ends a span: a link at once, others when it is known what follows.
    fn end_span(&mut self, span: Span) {
        match (span.kind, span.state) {
            (_, State::Waiting) => {}
            (Kind::Link, _) => {
                self.settle(']');
                let text_end = self.lines.out.len();
                if let Some(references) = &mut self.references {
                    let number = references.number(&self.link_address);
                    self.lines.out.push_str(&format!("][{LABEL}{number}]"));
                    return;
                }
                push_target(&mut self.lines.out, &self.link_address, self.flat);
                if let State::Marked(start) = span.state {
                    self.last_link = (start, text_end);
                }
            }
            _ => self.closing.push(span),
        }
    }

    /// Writes all closing marks, now that the character after them is known.
    fn settle(&mut self, next: char) {
        for at in 0..self.closing.len() {
            let span = self.closing[at];
            let end = self.lines.out.trim_end().len();
            let following = self.closing[at + 1..].iter().find_map(|later| match later.state {
                State::Tagged if self.has_tags => Some('<'),
                State::Tagged => None,
                _ if later.kind.first() == span.kind.first() => None,
                _ => Some(later.kind.first()),
            });
            let next = following.unwrap_or(next);
            let before = last_before_marks(&self.lines.out[..end], span.kind.first());
            let counts = before.is_some_and(char::is_alphanumeric) || next.is_whitespace() || next.is_ascii_punctuation();
            match span.state {
                State::Marked(_) if counts => self.lines.out.insert_str(end, span.kind.mark()),
                State::Marked(place) => {
                    let tag = if self.has_tags { format!("<{}>", span.kind.tag()) } else { String::new() };
                    if self.has_tags {
                        self.lines.out.insert_str(end, &format!("</{}>", span.kind.tag()));
                    }
                    self.replace_mark(place, span.kind.mark().len(), &tag);
                }
                State::Tagged if !self.has_tags => {}
                State::Tagged => self.lines.out.insert_str(end, &format!("</{}>", span.kind.tag())),
                State::Waiting => {}
            }
        }
        self.closing.clear();
    }

    /// Puts a tag where an opening mark is written, or nothing; then what comes first in the line must not start a block.
    fn replace_mark(&mut self, place: usize, length: usize, tag: &str) {
        let is_block = tag.is_empty()
            && place == self.lines.line_start
            && self.lines.out[place + length..].starts_with(['#', '>', '-', '+', '=', ':']);
        let tag = if is_block { "\\" } else { tag };
        self.lines.out.replace_range(place..place + length, tag);
        for span in self.spans.iter_mut().chain(&mut self.closing) {
            if let State::Marked(other) = &mut span.state
                && *other > place
            {
                *other = *other + tag.len() - length;
            }
        }
    }

    /// A span starts. One of the same kind inside it says nothing new.
    pub(super) fn open(&mut self, kind: Kind, node: NodeId) {
        if self.code_depth > 0 || self.spans.iter().any(|span| span.kind == kind) {
            return;
        }
        self.flush_code();
        let level = self.spans.len();
        // What was just closed goes on.
        let last = self.closing.pop_if(|last| last.kind == kind && last.level == level);
        let state = last.map_or(State::Waiting, |last| last.state);
        self.spans.push(Span { kind, node, state, level });
    }

    /// A link starts.
    pub(super) fn open_link(&mut self, node: NodeId, address: &str) {
        if self.spans.iter().any(|span| span.kind == Kind::Link) {
            return;
        }
        self.open(Kind::Link, node);
        self.link_address.clear();
        self.link_address.push_str(address);
    }

    /// The span of a node ends, if it has one.
    pub(super) fn close(&mut self, node: NodeId) {
        if self.spans.last().is_some_and(|span| span.node == node) {
            self.flush_code();
            if let Some(span) = self.spans.pop() {
                self.end_span(span);
            }
        }
    }

    /// Code starts.
    pub(super) fn open_code(&mut self) {
        self.code_depth += 1;
    }

    /// Code ends; it is written when something else follows, so that neighbours become one piece.
    pub(super) fn close_code(&mut self) {
        self.code_depth = self.code_depth.saturating_sub(1);
        if self.code.ends_with(' ') {
            self.flush_code();
            self.lines.space = true;
        }
    }

    fn flush_code(&mut self) {
        if self.code.is_empty() {
            return;
        }
        let code = std::mem::take(&mut self.code);
        let trimmed = code.trim_matches(' ');
        if !trimmed.is_empty() {
            self.begin('`');
            let out = &mut self.lines.out;
            if self.code_end == out.len() && out.ends_with('`') {
                out.push_str(if self.has_tags { "<!-- -->" } else { " " });
            }
            let ticks = longest_ticks(trimmed) + 1;
            let pad = if trimmed.starts_with('`') || trimmed.ends_with('`') { " " } else { "" };
            out.extend(std::iter::repeat_n('`', ticks));
            out.push_str(pad);
            if matches!(self.flat, Some(Flat::Cell(_))) {
                out.push_str(&trimmed.replace('|', "\\|"));
            } else {
                out.push_str(trimmed);
            }
            out.push_str(pad);
            out.extend(std::iter::repeat_n('`', ticks));
            self.code_end = out.len();
        }
        self.code = code;
        self.code.clear();
    }

    /// The mark of a note.
    pub(super) fn note(&mut self, mark: Mark) {
        self.flush_code();
        self.begin('[');
        self.lines.out.push_str("[^");
        self.lines.out.extend(mark.chars());
        self.lines.out.push(']');
    }

    /// The box of a task, at the start of an item.
    pub(super) fn check_box(&mut self, is_done: bool) {
        self.lines.ready();
        self.lines.out.push_str(if is_done { "[x]" } else { "[ ]" });
        self.lines.space = true;
    }

    /// A formula in running text.
    pub(super) fn formula(&mut self, tex: &str) {
        if self.code_depth > 0 {
            return self.code_run(tex);
        }
        self.flush_code();
        self.begin('$');
        let in_cell = matches!(self.flat, Some(Flat::Cell(_)));
        let tex = if in_cell { tex.replace('|', "\\|") } else { tex.to_owned() };
        self.lines.out.extend(["$", &tex, "$"]);
    }

    /// An image. Whether it is written.
    pub(super) fn image(&mut self, description: &str, address: &str) -> bool {
        if self.code_depth > 0 {
            return false;
        }
        self.flush_code();
        self.begin('!');
        let place = Place { line_start: None, in_brackets: true, ..self.place() };
        let out = &mut self.lines.out;
        out.push_str("![");
        for (number, word) in description.split_whitespace().enumerate() {
            if number > 0 {
                out.push(' ');
            }
            push_escaped(out, word, place, Some(' '));
        }
        out.push_str("](");
        push_address(out, address, place.in_cell);
        out.push(')');
        true
    }

    /// A heading starts; its mark is written with its first text.
    pub(super) fn open_heading(&mut self, level: u8) {
        self.boundary(Gap::Blank);
        self.flat = Some(Flat::Heading(level, true));
        self.flat_break = false;
    }

    /// The heading ends.
    pub(super) fn close_heading(&mut self) {
        self.boundary(Gap::None);
        if !self.is_heading_pending() {
            self.lines.trim_line();
            escape_heading_end(&mut self.lines.out, self.flat_start);
        }
        self.flat = None;
        self.flat_break = false;
        self.lines.ask(Gap::Blank);
    }

    /// A cell starts, at the end of what is written.
    pub(super) fn open_cell(&mut self, is_header: bool) {
        self.flat = Some(Flat::Cell(is_header));
        self.flat_start = self.lines.out.len();
        self.flat_break = false;
        self.lines.space = false;
    }

    /// A cell starts, as a part of an item.
    pub(super) fn open_listed(&mut self) {
        self.flat = Some(Flat::Listed);
        self.flat_start = self.lines.out.len();
        self.flat_break = false;
    }

    /// The cell ends.
    pub(super) fn close_cell(&mut self) {
        self.boundary(Gap::None);
        self.lines.space = false;
        self.flat = None;
        self.flat_break = false;
    }
}

/// The last character of a text before the marks at its end.
fn last_before_marks(out: &str, mark: char) -> Option<char> {
    out.chars().rev().find(|character| *character != mark)
}

/// Keeps an exclamation mark before a link from making it an image.
fn escape_exclamation(out: &mut String) {
    if let Some(before) = out.strip_suffix('!') {
        let slashes = before.len() - before.trim_end_matches('\\').len();
        if slashes.is_multiple_of(2) {
            out.insert(before.len(), '\\');
        }
    }
}
