//! Markdown: CommonMark with the tables and struck text of GitHub, which renders to the words that plain text has.
//!
//! This file decides about blocks: headings, lists (tight unless an item has several blocks), quotes, fenced code with
//! its language, tables (a layout table is the blocks in it), terms and summaries as bold paragraphs. What stands inside
//! a paragraph is written by `inline`, single characters by `escape`, the markers of lists by `lists`.

mod escape;
mod inline;
mod lists;
mod references;
mod style;
#[cfg(test)]
mod tests;

use super::anchors::{Anchors, Mark, is_sign};
use super::formula::Formula;
use super::lines::{Gap, Lines, Marker, Piece, pieces};
use super::listing;
use super::raised::{self, Raised};
use super::shape::{DataTable, has_content, is_heading, is_quote};
use super::side_notes::is_counted;
use super::target::{self, Ornaments};
use super::walk::{Unlinked, Visitor, walk, walk_over};
use crate::{NodeId, NodeSet, Page, Tag};
use escape::{Place, push_address, push_escaped};
use inline::{Inline, Kind};
use lists::{Ended, List};
use references::References;
pub use style::{Flavour, LinkStyle, MarkdownStyle, UnknownFlavour};

/// Writes a set of nodes as Markdown (CommonMark, with the tables and struck text of GitHub's).
///
/// ```
/// let page = unchaff_dom::Page::parse("<h2>Tea</h2><p>It is <b>hot </b>[1].<ol><li>Boil<li>Pour</ol>");
/// let markdown = unchaff_dom::emit::markdown(&page, &page.subtree_set(page.root()));
/// assert_eq!(markdown, "## Tea\n\nIt is **hot** [1].\n\n1. Boil\n2. Pour\n");
/// ```
#[must_use]
pub fn markdown(page: &Page, nodes: &NodeSet) -> String {
    let mut writer = Writer::new(page, nodes);
    walk(page, nodes, &mut writer);
    writer.finish()
}

/// A text as a line of Markdown, a link if it has a target: for what is no part of a page any more, such as an entry of a menu.
///
/// ```
/// use unchaff_dom::emit::markdown_line;
///
/// assert_eq!(markdown_line("C* [beta]", Some("/a b")), "[C\\* \\[beta\\]](/a%20b)");
/// assert_eq!(markdown_line("1. Home", None), "1\\. Home");
/// ```
#[must_use]
pub fn markdown_line(text: &str, target: Option<&str>) -> String {
    let mut out = String::with_capacity(text.len());
    let Some(target) = target else {
        push_escaped(&mut out, text, Place { line_start: Some(0), ..Place::default() }, None);
        return out;
    };
    out.push('[');
    push_escaped(&mut out, text, Place { in_brackets: true, ..Place::default() }, None);
    out.push_str("](");
    push_address(&mut out, target, false);
    out.push(')');
    out
}

/// Like [`markdown`], in a style.
///
/// ```
/// use unchaff_dom::{Page, emit::{Flavour, LinkStyle, MarkdownStyle, markdown_as}};
///
/// let page = Page::parse("<p><a href=https://example.org/a>A</a> or <a href=https://example.org/a>a</a>");
/// let style = MarkdownStyle { links: LinkStyle::References, ..MarkdownStyle::default() };
/// let markdown = markdown_as(&page, &page.subtree_set(page.root()), style);
/// assert_eq!(markdown, "[A][L1] or [a][L1]\n\n[L1]: <https://example.org/a>\n");
/// ```
#[must_use]
pub fn markdown_as(page: &Page, nodes: &NodeSet, style: MarkdownStyle) -> String {
    let mut writer = Writer::new(page, nodes);
    writer.inline.lines.wrap_at(style.width);
    if style.flavour == Flavour::CommonMark {
        writer.anchors = writer.anchors.without_notes();
        writer.inline.has_tags = false;
    }
    match style.links {
        LinkStyle::Inline => walk(page, nodes, &mut writer),
        LinkStyle::References => {
            writer.inline.references = Some(References::default());
            walk(page, nodes, &mut writer);
        }
        LinkStyle::Dropped => {
            writer.has_links = false;
            walk(page, nodes, &mut Unlinked(&mut writer));
        }
    }
    writer.finish()
}

/// A table of data that is open.
struct Table {
    data: DataTable,
    rows: usize,
    /// How many cells of the current row are written.
    cells: usize,
}

struct Writer<'p> {
    page: &'p Page,
    nodes: &'p NodeSet,
    inline: Inline,
    lists: Vec<List>,
    last_list: Option<Ended>,
    /// For each open table, its grid if it holds data.
    tables: Vec<Option<Table>>,
    heading: Option<NodeId>,
    /// Whether links say where they lead.
    has_links: bool,
    anchors: Anchors<'p>,
    ornaments: Ornaments<'p>,
    /// Whether a note is open of which nothing is written yet.
    opens_note: bool,
    /// Side notes that are written at the end; none while they are.
    side_notes: Option<Vec<(NodeId, Mark)>>,
    /// What is written at the end of open elements.
    closing: Vec<(NodeId, &'static str)>,
}

impl<'p> Writer<'p> {
    fn new(page: &'p Page, nodes: &'p NodeSet) -> Writer<'p> {
        Writer {
            page,
            nodes,
            inline: Inline::new(Lines::new(page.text(page.root()).len() / 2, false)),
            lists: Vec::new(),
            last_list: None,
            tables: Vec::new(),
            heading: None,
            has_links: true,
            anchors: Anchors::of(page, nodes),
            ornaments: Ornaments::default(),
            opens_note: false,
            side_notes: Some(Vec::new()),
            closing: Vec::new(),
        }
    }

    fn finish(mut self) -> String {
        self.inline.boundary(Gap::Blank);
        for (note, mark) in self.side_notes.take().unwrap_or_default() {
            self.open_note(mark);
            let below = self.nodes.iter_below(self.page, note).filter(|below| *below > note);
            if self.has_links {
                walk_over(self.page, note, below, &mut self);
            } else {
                walk_over(self.page, note, below, &mut Unlinked(&mut self));
            }
            self.close_note();
        }
        let mut markdown = self.inline.lines.finish();
        if let Some(references) = &self.inline.references {
            references.write(&mut markdown);
        }
        markdown
    }

    /// A note starts; in a place that has no room for one it is a block as any other.
    fn enter_note(&mut self, node: NodeId) -> bool {
        let mark = self.anchors.note(node).filter(|_| !self.inline.is_flat());
        if let Some(mark) = mark {
            self.open_note(mark);
        }
        mark.is_some()
    }

    fn open_note(&mut self, mark: Mark) {
        self.inline.boundary(Gap::Blank);
        self.inline.lines.ask(Gap::Blank);
        self.inline.lines.open(Marker::Note(mark));
        self.opens_note = true;
    }

    /// The first text of a note without the star or dagger that it starts with: the mark stands for it.
    fn without_sign<'t>(&mut self, text: &'t str) -> &'t str {
        let bare = text.trim_start().trim_start_matches(is_sign);
        self.opens_note = bare.is_empty();
        bare
    }

    fn close_note(&mut self) {
        self.opens_note = false;
        self.inline.boundary(Gap::Blank);
        self.inline.lines.close();
        self.inline.lines.ask(Gap::Blank);
    }

    /// The table of data whose row or cell this is.
    fn table(&mut self) -> Option<&mut Table> {
        self.tables.last_mut()?.as_mut()
    }

    fn enter_row(&mut self) {
        let is_listed = !self.inline.has_tags && self.table().is_some_and(|table| table.rows > 0);
        self.inline.boundary(if is_listed { Gap::Line } else { Gap::Blank });
        let Some(table) = self.tables.last_mut().and_then(Option::as_mut) else { return };
        table.cells = 0;
        let lines = &mut self.inline.lines;
        if !self.inline.has_tags {
            return lines.open(Marker::Bullet('+'));
        }
        if table.rows == 0 {
            lines.ready();
            lines.keep_line();
        } else {
            lines.next_line();
        }
        lines.out.push('|');
    }

    fn leave_row(&mut self) {
        let Some(table) = self.tables.last_mut().and_then(Option::as_mut) else { return };
        let lines = &mut self.inline.lines;
        if !self.inline.has_tags {
            lines.ready();
            lines.out.extend(std::iter::repeat_n(" |", table.data.columns.saturating_sub(table.cells)));
            table.rows += 1;
            lines.close();
            return;
        }
        lines.out.extend(std::iter::repeat_n("  |", table.data.columns.saturating_sub(table.cells)));
        if table.rows == 0 {
            lines.next_line();
            lines.out.push('|');
            lines.out.extend(std::iter::repeat_n(" --- |", table.data.columns));
        }
        table.rows += 1;
    }

    fn enter_cell(&mut self, node: NodeId, tag: Tag) {
        let Some(table) = self.tables.last_mut().and_then(Option::as_mut) else { return };
        let (columns, column) = (table.data.columns, table.data.column(node));
        let lines = &mut self.inline.lines;
        if !self.inline.has_tags {
            // A cell ends where the next begins, and the first begins the line.
            let ends = column.max(table.cells).min(columns) - table.cells + usize::from(table.cells > 0);
            if ends > 0 {
                lines.ready();
                lines.trim_line();
                for _ in 0..ends {
                    lines.out.push_str(if lines.line().is_empty() { "|" } else { " |" });
                }
                lines.space = true;
            }
            table.cells = column.max(table.cells) + 1;
            self.inline.open_listed();
            if tag == Tag::Th {
                self.inline.open(Kind::Strong, node);
            }
            return;
        }
        if table.cells < columns {
            let skipped = column.min(columns - 1).saturating_sub(table.cells);
            lines.out.extend(std::iter::repeat_n("  |", skipped));
            table.cells += skipped + 1;
        } else if lines.out.ends_with('|') {
            // What has no column of its own joins the last.
            lines.out.pop();
            lines.trim_line();
        }
        lines.out.push(' ');
        let is_header = tag == Tag::Th || table.rows == 0;
        self.inline.open_cell(is_header);
    }

    fn leave_cell(&mut self, node: NodeId) {
        self.inline.close(node);
        self.inline.close_cell();
        if self.inline.has_tags {
            let out = &mut self.inline.lines.out;
            out.truncate(out.trim_end_matches([' ', '\u{a0}']).len());
            out.push_str(if out.ends_with('|') { "  |" } else { " |" });
        }
    }

    fn write_code(&mut self, node: NodeId, code: &str) {
        self.inline.boundary(Gap::Blank);
        if self.inline.is_flat() {
            self.inline.open_code();
            self.text(code);
            self.inline.close_code();
            return self.inline.boundary(Gap::Blank);
        }
        if code.is_empty() {
            return;
        }
        let fence = "`".repeat((escape::longest_ticks(code) + 1).max(3));
        let lines = &mut self.inline.lines;
        lines.ready();
        lines.out.push_str(&fence);
        lines.out.push_str(target::code_language(self.page, node).unwrap_or_default());
        for line in code.split('\n') {
            lines.next_line();
            lines.push_line(line);
        }
        lines.next_line();
        lines.out.push_str(&fence);
        lines.ask(Gap::Blank);
    }

    /// Marks where an element starts, and notes what marks its end.
    fn enter_marked(&mut self, node: NodeId, [before, after]: [&'static str; 2]) {
        if self.page.counts(node).chars > 0 {
            self.inline.run(before, None);
            self.closing.push((node, after));
        }
    }

    /// Whether to go into a `sup` or `sub`.
    fn enter_raised(&mut self, node: NodeId, tag: Tag) -> bool {
        let lines = &self.inline.lines;
        match raised::raised(self.page, node, tag, lines.line(), lines.space) {
            Raised::Note if !self.has_links || !raised::has_link(self.page, node) => self.enter_marked(node, ["[", "]"]),
            Raised::Plain | Raised::Note => {}
            Raised::Script => {
                if let Some(text) = raised::in_unicode(self.page.text(node), tag) {
                    self.inline.run(&text, None);
                    return false;
                }
                if !self.inline.has_tags {
                    self.enter_marked(node, raised::signs(self.page.text(node), tag));
                    return true;
                }
                self.inline.open(if tag == Tag::Sup { Kind::Raised } else { Kind::Lowered }, node);
            }
        }
        true
    }

    /// What plays, or is shown in a frame: a link to it.
    fn media(&mut self, node: NodeId) {
        let Some(address) = target::media(self.page, node).filter(|_| self.has_links) else { return };
        self.inline.boundary(Gap::Blank);
        self.inline.open_link(node, &address);
        self.text(&target::media_title(self.page, node, &address));
        self.inline.close(node);
        self.inline.boundary(Gap::Blank);
    }

    fn rule(&mut self) {
        self.inline.boundary(Gap::Blank);
        if !self.inline.is_flat() {
            let lines = &mut self.inline.lines;
            // After the marker of an item, dashes or stars would be a rule around it.
            let rule = if lines.is_marker_pending() { "___" } else { "---" };
            lines.ready();
            lines.out.push_str(rule);
            lines.ask(Gap::Blank);
        }
    }
}

/// The span that an inline element stands for.
fn kind(tag: Tag) -> Option<Kind> {
    match tag {
        Tag::B | Tag::Strong => Some(Kind::Strong),
        Tag::I | Tag::Em | Tag::Cite => Some(Kind::Emphasis),
        Tag::S | Tag::Strike | Tag::Del => Some(Kind::Strike),
        _ => None,
    }
}

impl Visitor for Writer<'_> {
    fn text(&mut self, text: &str) {
        let text = if self.opens_note { self.without_sign(text) } else { text };
        let end = text.as_ptr() as usize + text.len();
        for piece in pieces(text) {
            match piece {
                Piece::Space => self.inline.space(),
                Piece::Run(run) => {
                    let is_last = run.as_ptr() as usize + run.len() == end;
                    self.inline.run(run, (!is_last).then_some(' '));
                }
            }
        }
    }

    fn leaf(&mut self, node: NodeId, tag: Tag) {
        match tag {
            Tag::Br => self.inline.line_break(),
            Tag::Hr => self.rule(),
            _ => self.media(node),
        }
    }

    fn image(&mut self, node: NodeId) -> bool {
        let address = if self.ornaments.has(self.page, node) { None } else { target::image(self.page, node) };
        let description = || self.page.attr(node, "alt").unwrap_or_default();
        address.is_some_and(|address| self.inline.image(description(), &address))
    }

    fn formula(&mut self, _: NodeId, formula: &Formula) {
        if !formula.is_display || self.inline.is_flat() {
            return self.inline.formula(&formula.tex);
        }
        self.inline.boundary(Gap::Blank);
        let lines = &mut self.inline.lines;
        lines.ready();
        for line in ["$$", &formula.tex] {
            lines.push_line(line);
            lines.next_line();
        }
        lines.out.push_str("$$");
        lines.ask(Gap::Blank);
    }

    fn enter(&mut self, node: NodeId, tag: Tag) -> bool {
        use Tag::*;
        if let Some(spaces) = listing::spaces(self.page, node, tag) {
            self.write_code(node, &listing::code(self.page, self.nodes, node, spaces));
            return false;
        }
        if self.enter_note(node) {
            return true;
        }
        match tag {
            _ if self.anchors.is_back(node) => return false,
            A if let Some(mark) = self.anchors.mark(node) => {
                self.inline.note(mark);
                return false;
            }
            A if self.anchors.is_inside(node) => {
                self.inline.open_link(node, self.page.attr(node, "href").unwrap_or_default().trim());
            }
            A => {
                if let Some(address) = target::link(self.page, node) {
                    self.inline.open_link(node, &address);
                }
            }
            Code | Kbd | Samp | Tt => self.inline.open_code(),
            H1 | H2 | H3 | H4 | H5 | H6 if !self.inline.is_flat() && is_heading(self.page, node) => {
                self.heading = Some(node);
                self.inline.open_heading(tag.heading_level().unwrap_or(6));
            }
            Ul | Ol | Menu | Dir => self.enter_list(node, tag == Ol),
            Li => self.enter_item(node),
            Blockquote | Figure if !self.inline.is_flat() && is_quote(self.page, node, tag) => {
                self.inline.boundary(Gap::Blank);
                self.inline.lines.open(Marker::Quote);
            }
            Span | Div | P if target::is_language_label(self.page, node) => return false,
            Dt | Summary => {
                self.inline.boundary(Gap::Blank);
                self.inline.open(Kind::Strong, node);
            }
            Table => {
                self.inline.boundary(Gap::Blank);
                let data = if self.inline.is_flat() { None } else { DataTable::of(self.page, self.nodes, node) };
                self.tables.push(data.map(|data| self::Table { data, rows: 0, cells: 0 }));
            }
            Tr if self.table().is_some() => {
                if !has_content(self.page, self.nodes, node) {
                    return false;
                }
                self.enter_row();
            }
            Td | Th if self.table().is_some() => self.enter_cell(node, tag),
            Sup | Sub => return self.enter_raised(node, tag),
            Q => self.enter_marked(node, ["“", "”"]),
            Rp => return false,
            Rt => self.enter_marked(node, ["(", ")"]),
            _ if tag.is_block() => self.inline.boundary(Gap::Blank),
            _ => {
                if let Some(kind) = kind(tag) {
                    self.inline.open(kind, node);
                }
            }
        }
        true
    }

    fn leave(&mut self, node: NodeId, tag: Tag) {
        use Tag::*;
        if let Some((_, after)) = self.closing.pop_if(|(last, _)| *last == node) {
            self.inline.lines.space = false;
            return self.inline.run(after, None);
        }
        if !self.inline.is_flat() && self.anchors.note(node).is_some() {
            return self.close_note();
        }
        match tag {
            Code | Kbd | Samp | Tt => self.inline.close_code(),
            H1 | H2 | H3 | H4 | H5 | H6 if self.heading == Some(node) => {
                self.heading = None;
                self.inline.close_heading();
            }
            Ul | Ol | Menu | Dir => self.leave_list(),
            Li => self.leave_item(),
            Blockquote | Figure if !self.inline.is_flat() && is_quote(self.page, node, tag) => {
                self.inline.boundary(Gap::Blank);
                self.inline.lines.close();
                self.inline.lines.ask(Gap::Blank);
            }
            Dt | Summary => {
                self.inline.close(node);
                self.inline.boundary(Gap::Blank);
            }
            Table => {
                self.tables.pop();
                self.inline.boundary(Gap::Blank);
            }
            Td | Th if self.table().is_some() => self.leave_cell(node),
            Tr if self.table().is_some() => self.leave_row(),
            _ if tag.is_block() => self.inline.boundary(Gap::Blank),
            A | Sup | Sub => self.inline.close(node),
            _ if kind(tag).is_some() => self.inline.close(node),
            _ => {}
        }
    }

    fn task(&mut self, is_done: bool) {
        self.inline.check_box(is_done);
    }

    fn moves_side_note(&mut self, note: NodeId) -> bool {
        let Some(notes) = self.side_notes.as_mut().filter(|_| self.inline.has_tags && is_counted(self.page, note)) else {
            return false;
        };
        let mark = self.anchors.free_mark(note);
        notes.push((note, mark));
        self.inline.lines.space = false;
        self.inline.note(mark);
        true
    }
}
