//! Plain text that keeps the page's blocks apart.
//!
//! Paragraphs, headings, lists, tables, quotes and preformatted text stand between blank lines; other blocks on lines
//! of their own. List items have a dash or their number, nested ones an indentation. A row of a data table is one line
//! with tabs between its cells; a layout table is the blocks in it. White space collapses as in browsers, also across
//! inline elements, except in code, which keeps its lines as they are. There are no spaces at the ends of other lines and never two
//! blank ones. What is raised or lowered says so (`10^6`, `x_i`), a note's mark stands in brackets, formulas are TeX.

use super::formula::Formula;
use super::lines::{Gap, Lines, Marker, Piece, at_start_of_line, pieces};
use super::listing;
use super::numbering::Numbering;
use super::raised::{self, Raised};
use super::shape::{DataTable, has_content};
use super::walk::{Visitor, walk_over};
use crate::{NodeId, NodeSet, Page, Tag};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Writes a set of nodes as plain text: blocks on lines of their own, lists with markers, tables with tabs.
///
/// ```
/// let page = unchaff_dom::Page::parse("<p>One <b> two</b><p>Three");
/// assert_eq!(unchaff_dom::emit::text(&page, &page.subtree_set(page.root())), "One two\n\nThree\n");
/// ```
#[must_use]
pub fn text(page: &Page, nodes: &NodeSet) -> String {
    write(page, nodes, nodes.iter(), page.text(page.root()).len() / 2, None, None)
}

/// Like [`text`], with paragraphs broken into lines of so many characters, where there are spaces.
///
/// ```
/// let page = unchaff_dom::Page::parse("<ul><li>It rained all day, and then all night.</ul>");
/// let text = unchaff_dom::emit::text_within(&page, &page.subtree_set(page.root()), 24);
/// assert_eq!(text, "- It rained all day, and\n  then all night.\n");
/// ```
#[must_use]
pub fn text_within(page: &Page, nodes: &NodeSet, width: usize) -> String {
    write(page, nodes, nodes.iter(), page.text(page.root()).len() / 2, None, Some(width))
}

/// The texts of many parts of a set, each for itself. What an element around them is (a table of data, preformatted) is found out once,
/// so that all rows of a long table cost no more than the table.
///
/// ```
/// use unchaff_dom::{Page, emit::Texts};
///
/// let page = Page::parse("<table><tr><td>1<td>2<tr><td>3<td>4</table>");
/// let all = page.subtree_set(page.root());
/// let rows = page.nodes().filter(|node| page.name(*node) == "tr");
/// let texts = Texts::new(&page, &all);
/// assert_eq!(rows.map(|row| texts.below(&[row])).collect::<Vec<_>>(), ["1\t2\n", "3\t4\n"]);
/// ```
#[derive(Debug)]
pub struct Texts<'p> {
    page: &'p Page,
    nodes: &'p NodeSet,
    known: Known,
}

impl<'p> Texts<'p> {
    /// The texts of parts of a set.
    #[must_use]
    pub fn new(page: &'p Page, nodes: &'p NodeSet) -> Texts<'p> {
        Texts { page, nodes, known: Known::default() }
    }

    /// The text of what the set has below some nodes, which are in document order; costs no more than their subtrees.
    #[must_use]
    pub fn below(&self, roots: &[NodeId]) -> String {
        let Texts { page, nodes, known } = self;
        let mut end = NodeId(0);
        let outermost = roots.iter().filter(|root| {
            let is_outermost = **root >= end;
            end = end.max(page.end(**root));
            is_outermost
        });
        let outermost: Vec<NodeId> = outermost.copied().collect();
        let length = outermost.iter().map(|root| page.text(*root).len()).sum();
        let walked = outermost.iter().flat_map(|root| nodes.iter_below(page, *root));
        write(page, nodes, walked, length, Some((known, &outermost)), None)
    }
}

/// The answers to what elements are, by element.
#[derive(Default, Debug)]
struct Known {
    tables: RefCell<HashMap<NodeId, Option<Rc<DataTable>>>>,
    rows: RefCell<HashMap<NodeId, bool>>,
}

fn write(
    page: &Page,
    nodes: &NodeSet,
    walked: impl Iterator<Item = NodeId>,
    length: usize,
    part: Option<(&Known, &[NodeId])>,
    width: Option<usize>,
) -> String {
    let mut writer = Writer {
        page,
        nodes,
        part,
        lines: Lines::new(length, true),
        lists: Vec::new(),
        tables: Vec::new(),
        column: 0,
        tabs: 0,
        cells: 0,
        closing: Vec::new(),
    };
    writer.lines.wrap_at(width);
    walk_over(page, page.root(), walked, &mut writer);
    writer.lines.finish()
}

/// A list that is open.
struct List {
    /// The number of the next item; none in a list without.
    next: Option<Numbering>,
    /// The width of the last item's marker.
    width: usize,
    /// Whether it stands in another list but in none of its items.
    is_stray: bool,
}

struct Writer<'p> {
    page: &'p Page,
    nodes: &'p NodeSet,
    /// Of a part of a set, what is known from other parts, and the roots.
    part: Option<(&'p Known, &'p [NodeId])>,
    lines: Lines,
    lists: Vec<List>,
    /// For each open table, where its cells stand if it holds data.
    tables: Vec<Option<Rc<DataTable>>>,
    /// The column that the row has come to.
    column: usize,
    /// Tabs to be written before the next text of the row.
    tabs: usize,
    /// How many cells of data tables are open.
    cells: usize,
    /// What is written at the end of open elements.
    closing: Vec<(NodeId, &'static str)>,
}

impl Writer<'_> {
    fn data_table(&self, node: NodeId) -> Option<Rc<DataTable>> {
        let find = || DataTable::of(self.page, self.nodes, node).map(Rc::new);
        match self.part {
            Some((known, _)) => known.tables.borrow_mut().entry(node).or_insert_with(find).clone(),
            None => find(),
        }
    }

    fn has_content(&self, row: NodeId) -> bool {
        let find = || has_content(self.page, self.nodes, row);
        match self.part {
            Some((known, _)) => *known.rows.borrow_mut().entry(row).or_insert_with(find),
            None => find(),
        }
    }

    /// Whether an element is of the part that is written, not around it. A part of a listing is not the whole of it.
    fn is_inside(&self, node: NodeId) -> bool {
        self.part.is_none_or(|(_, roots)| {
            let after = roots.partition_point(|root| *root <= node);
            after.checked_sub(1).is_some_and(|at| node < self.page.end(roots[at]))
        })
    }

    fn boundary(&mut self, gap: Gap) {
        if self.cells > 0 {
            self.lines.space = true;
        } else {
            self.lines.ask(gap);
        }
    }

    fn run(&mut self, run: &str) {
        let run = if self.lines.is_at_start() || self.tabs > 0 { at_start_of_line(run) } else { run };
        if run.is_empty() {
            return;
        }
        if self.tabs > 0 {
            self.lines.space = false;
        }
        self.lines.ready();
        for _ in 0..std::mem::take(&mut self.tabs) {
            self.lines.out.push('\t');
        }
        self.lines.out.push_str(run);
    }

    fn write_code(&mut self, code: &str) {
        self.boundary(Gap::Blank);
        if self.cells > 0 || code.is_empty() {
            return self.text(code);
        }
        for (number, line) in code.split('\n').enumerate() {
            if number == 0 {
                self.lines.ready();
                self.lines.keep_line();
            } else {
                self.lines.next_line();
            }
            self.lines.push_line(line);
        }
        self.boundary(Gap::Blank);
    }

    /// Marks where an element starts, and notes what marks its end.
    fn enter_marked(&mut self, node: NodeId, [before, after]: [&'static str; 2]) {
        if self.page.counts(node).chars > 0 {
            self.run(before);
            self.closing.push((node, after));
        }
    }

    fn enter_raised(&mut self, node: NodeId, tag: Tag) {
        match raised::raised(self.page, node, tag, self.lines.line(), self.lines.space) {
            Raised::Plain => {}
            Raised::Note => self.enter_marked(node, ["[", "]"]),
            Raised::Script => self.enter_marked(node, raised::signs(self.page.text(node), tag)),
        }
    }

    fn is_in_data(&self) -> bool {
        matches!(self.tables.last(), Some(Some(_)))
    }

    fn enter_list(&mut self, node: NodeId, tag: Tag) {
        self.boundary(Gap::Line);
        if self.cells > 0 {
            return;
        }
        let outside = self.page.parent(node).is_some_and(|parent| is_list(self.page.tag(parent)));
        let stray = self.lists.last().filter(|list| outside && list.width > 0).map(|list| list.width);
        if let Some(width) = stray {
            self.lines.open(Marker::Indent(width));
        } else {
            self.lines.ask_list(true);
        }
        let next = (tag == Tag::Ol).then(|| Numbering::of(self.page, node));
        self.lists.push(List { next, width: 0, is_stray: stray.is_some() });
    }

    fn leave_list(&mut self) {
        if self.cells > 0 {
            return self.boundary(Gap::Line);
        }
        match self.lists.pop() {
            Some(list) if list.is_stray => {
                self.lines.close();
                self.lines.ask(Gap::Line);
            }
            _ => self.lines.ask(Gap::Blank),
        }
    }

    fn enter_item(&mut self, item: NodeId) {
        self.boundary(Gap::Line);
        if self.cells == 0 {
            let numbering = self.lists.last_mut().and_then(|list| list.next.as_mut());
            self.lines.open(numbering.map_or(Marker::Bullet('-'), |numbering| {
                numbering.go_to(self.page, item);
                let number = Marker::Number(numbering.number(), '.');
                numbering.letters().map_or(number, |letters| Marker::Letters(letters, None))
            }));
        }
    }

    fn leave_item(&mut self) {
        if self.cells > 0 {
            self.boundary(Gap::Line);
        } else if self.lines.close()
            && let Some(list) = self.lists.last_mut()
        {
            list.width = list.next.map_or(2, Numbering::width);
            if let Some(numbering) = &mut list.next {
                numbering.advance();
            }
        }
    }
}

fn is_list(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir)
}

/// The gap around a block.
fn gap(tag: Tag) -> Gap {
    use Tag::*;
    match tag {
        P | H1 | H2 | H3 | H4 | H5 | H6 | Table | Dl | Blockquote | Pre | Listing | Xmp | Plaintext | Figure | Hr => Gap::Blank,
        _ => Gap::Line,
    }
}

impl Visitor for Writer<'_> {
    fn text(&mut self, text: &str) {
        for piece in pieces(text) {
            match piece {
                Piece::Space => self.lines.space = true,
                Piece::Run(run) => self.run(run),
            }
        }
    }

    fn leaf(&mut self, _: NodeId, tag: Tag) {
        match tag {
            Tag::Br if self.cells == 0 => self.lines.ask_break(),
            Tag::Br => self.lines.space = true,
            Tag::Hr => self.boundary(Gap::Blank),
            _ => {}
        }
    }

    fn formula(&mut self, _: NodeId, formula: &Formula) {
        if formula.is_display {
            self.boundary(Gap::Blank);
        }
        self.text(&formula.tex);
        if formula.is_display {
            self.boundary(Gap::Blank);
        }
    }

    fn enter(&mut self, node: NodeId, tag: Tag) -> bool {
        use Tag::*;
        if self.is_inside(node)
            && let Some(spaces) = listing::spaces(self.page, node, tag)
        {
            self.write_code(&listing::code(self.page, self.nodes, node, spaces));
            return false;
        }
        match tag {
            Ul | Ol | Menu | Dir => self.enter_list(node, tag),
            Li => self.enter_item(node),
            Table => {
                self.boundary(Gap::Blank);
                let table = self.data_table(node);
                self.tables.push(table);
            }
            Tr if self.is_in_data() => {
                if !self.has_content(node) {
                    return false;
                }
                self.boundary(Gap::Line);
                (self.column, self.tabs) = (0, 0);
            }
            Td | Th if self.is_in_data() => {
                if let Some(Some(table)) = self.tables.last() {
                    let column = table.column(node);
                    self.tabs += column.saturating_sub(self.column);
                    self.column = column;
                }
                self.cells += 1;
            }
            Sup | Sub => self.enter_raised(node, tag),
            Q => self.enter_marked(node, ["“", "”"]),
            Rp => return false,
            Rt => self.enter_marked(node, ["(", ")"]),
            _ if tag.is_block() => self.boundary(gap(tag)),
            _ => {}
        }
        true
    }

    fn leave(&mut self, node: NodeId, tag: Tag) {
        use Tag::*;
        match tag {
            Ul | Ol | Menu | Dir => self.leave_list(),
            Li => self.leave_item(),
            Table => {
                self.tables.pop();
                self.boundary(Gap::Blank);
            }
            Td | Th if self.is_in_data() => self.cells -= 1,
            Sup | Sub | Q | Rt => {
                if let Some((_, after)) = self.closing.pop_if(|(last, _)| *last == node) {
                    self.lines.space = false;
                    self.run(after);
                }
            }
            Tr if self.is_in_data() => {
                self.tabs = 0;
                self.boundary(Gap::Line);
            }
            _ if tag.is_block() => self.boundary(gap(tag)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(html: &str) -> String {
        let page = Page::parse(html);
        text(&page, &page.subtree_set(page.root()))
    }

    #[test]
    fn blocks_stand_on_lines_of_their_own() {
        let cases = [
            ("", ""),
            ("<p> </p><div></div>", ""),
            ("a", "a\n"),
            ("<p>a</p><p>b</p>", "a\n\nb\n"),
            ("<div>a</div><div>b</div>c", "a\nb\nc\n"),
            ("<h1>a</h1><div>b<p>c</p>d</div>", "a\n\nb\n\nc\n\nd\n"),
            ("a<br>b<br><br><br>c<br>", "a\nb\n\nc\n"),
            ("<p>a<hr>b", "a\n\nb\n"),
            ("<blockquote><p>a</p></blockquote>b", "a\n\nb\n"),
            ("<dl><dt>a<dd>b<dt>c<dd>d</dl>e", "a\nb\nc\nd\n\ne\n"),
            ("<p>&nbsp;</p><p>a</p><p>&nbsp;</p><p>&nbsp;b&nbsp;</p>", "a\n\nb\n"),
        ];
        for (html, expected) in cases {
            assert_eq!(all(html), expected, "{html}");
        }
    }

    #[test]
    fn white_space_collapses_across_inline_elements() {
        let cases = [
            ("a <b> b</b>", "a b\n"),
            ("a<b> b </b> c", "a b c\n"),
            ("  a \n\t b  ", "a b\n"),
            ("a<b>b</b>c", "abc\n"),
            ("<p>a </p> <p> b", "a\n\nb\n"),
            ("a&nbsp; b", "a\u{a0} b\n"),
            ("a <br> b", "a\nb\n"),
            ("a<img src=x alt=y>b", "a b\n"),
            ("x<sup>2</sup> <q>q</q>", "x^2 “q”\n"),
        ];
        for (html, expected) in cases {
            assert_eq!(all(html), expected, "{html}");
        }
    }

    #[test]
    fn lists_have_markers_and_nested_ones_are_indented() {
        let cases = [
            ("a<ul><li>b<li>c</ul>d", "a\n\n- b\n- c\n\nd\n"),
            ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b\n"),
            ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d\n"),
            ("<ol><li>a<ul><li>b</ul></ol>", "1. a\n   - b\n"),
            ("<ul><li><p>a</p><li><p>b</p></ul>", "- a\n- b\n"),
            ("<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n\n  b\n\n- c\n"),
            ("<ul><li>a<br>b</ul>", "- a\n  b\n"),
            ("<ul><li><li>a</ul>", "- a\n"),
            ("<ul><li>a</li><ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c\n"),
            ("<ul><li><ul><li>a</ul></ul>", "- - a\n"),
            ("<li>a<li>b", "- a\n- b\n"),
        ];
        for (html, expected) in cases {
            assert_eq!(all(html), expected, "{html}");
        }
    }

    #[test]
    fn rows_of_data_are_lines_and_layouts_are_blocks() {
        let cases = [
            ("<table><tr><th>a<th>b<tr><td>1<td> 2 </table>c", "a\tb\n1\t2\n\nc\n"),
            ("<table><caption>t</caption><tr><th>a<th>b<tr><td><td><p>2</p></table>", "t\na\tb\n\t2\n"),
            ("<table><tr><td>a<td>b<tr><td>c<br>d<td></table>", "a\tb\nc d\n"),
            ("<table><tr><td>a<td><table><tr><td>b</table><p>c</table>", "a\n\nb\n\nc\n"),
            ("<table><tr><td>a</table>", "a\n"),
        ];
        for (html, expected) in cases {
            assert_eq!(all(html), expected, "{html}");
        }
    }

    #[test]
    fn preformatted_text_keeps_its_lines_and_spaces() {
        let cases = [
            ("a<pre>\n  b\n    <i>c</i>  d  \n\n\n\ne\n</pre>f", "a\n\n  b\n    c  d  \n\n\n\ne\n\nf\n"),
            ("<ul><li>a<pre>b\n c</pre></ul>", "- a\n\n  b\n   c\n"),
            ("<pre>a <b>  </b>b<br>c</pre>", "a   b\nc\n"),
        ];
        for (html, expected) in cases {
            assert_eq!(all(html), expected, "{html}");
        }
    }

    #[test]
    fn only_chosen_text_is_written() {
        let page = Page::parse("<ul><li>a<li>b <b>c</b></ul>");
        let texts: Vec<NodeId> = page.nodes().filter(|node| page.tag(*node) == Tag::Text).collect();
        assert_eq!(text(&page, &NodeSet::from_nodes(&page, [texts[2]])), "- c\n");
        assert_eq!(text(&page, &NodeSet::new(&page)), "");
    }
}
