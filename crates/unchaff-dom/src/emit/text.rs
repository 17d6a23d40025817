//! Plain text that keeps the page's blocks apart.
//!
//! Paragraphs, headings, lists, tables, quotes and preformatted text stand between blank lines; other blocks on lines
//! of their own. List items have a dash or their number, nested ones an indentation. A row of a data table is one line
//! with tabs between its cells; a layout table is the blocks in it. White space collapses as in browsers, also across
//! inline elements, except in preformatted text. There are no spaces at the ends of lines and never two blank lines.

use super::lines::{Gap, Lines, Marker, Piece, at_start_of_line, pieces};
use super::shape::{data_columns, has_content, is_preformatted};
use super::walk::{Visitor, walk_over};
use crate::{NodeId, NodeSet, Page, Tag};
use foldhash::{HashMap, HashMapExt};

/// Writes a set of nodes as plain text: blocks on lines of their own, lists with markers, tables with tabs.
///
/// ```
/// let page = unchaff_dom::Page::parse("<p>One <b> two</b><p>Three");
/// assert_eq!(unchaff_dom::emit::text(&page, &page.subtree_set(page.root())), "One two\n\nThree\n");
/// ```
#[must_use]
pub fn text(page: &Page, nodes: &NodeSet) -> String {
    write(page, nodes, nodes.iter(), page.text(page.root()).len() / 2, &mut HashMap::new())
}

/// The texts of what a set has below nodes: together they cost no more than the subtrees and what stands above them.
#[derive(Debug)]
pub struct TextsBelow<'p> {
    page: &'p Page,
    nodes: &'p NodeSet,
    /// Whether tables hold data. Many nodes can stand in one, and each would look it over.
    data: HashMap<NodeId, bool>,
}

impl<'p> TextsBelow<'p> {
    /// Of a set.
    #[must_use]
    pub fn of(page: &'p Page, nodes: &'p NodeSet) -> TextsBelow<'p> {
        TextsBelow { page, nodes, data: HashMap::new() }
    }

    /// The text below a node.
    #[must_use]
    pub fn text(&mut self, root: NodeId) -> String {
        let TextsBelow { page, nodes, data } = self;
        write(page, nodes, nodes.iter_below(page, root), page.text(root).len(), data)
    }
}

fn write<'p>(
    page: &'p Page,
    nodes: &'p NodeSet,
    walked: impl Iterator<Item = NodeId>,
    length: usize,
    data: &mut HashMap<NodeId, bool>,
) -> String {
    let mut writer = Writer {
        page,
        nodes,
        data,
        lines: Lines::new(length, true),
        lists: Vec::new(),
        tables: Vec::new(),
        preformatted: 0,
        held: String::new(),
        tabs: 0,
        cells: 0,
    };
    walk_over(page, walked, &mut writer);
    writer.lines.finish()
}

/// A list that is open.
struct List {
    /// The number of the next item; none in a list without.
    next: Option<u64>,
    /// The width of the last item's marker.
    width: usize,
    /// Whether it stands in another list but in none of its items.
    is_stray: bool,
}

struct Writer<'p, 'd> {
    page: &'p Page,
    nodes: &'p NodeSet,
    data: &'d mut HashMap<NodeId, bool>,
    lines: Lines,
    lists: Vec<List>,
    /// Whether each open table holds data.
    tables: Vec<bool>,
    /// How many preformatted elements are open.
    preformatted: usize,
    /// White space in preformatted text that is written if text follows on the same line.
    held: String,
    /// Tabs to be written before the next text of the row.
    tabs: usize,
    /// How many cells of data tables are open.
    cells: usize,
}

impl Writer<'_, '_> {
    fn boundary(&mut self, gap: Gap) {
        if self.cells > 0 {
            self.lines.space = true;
        } else {
            self.lines.ask(gap);
            self.held.clear();
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

    fn preformatted_text(&mut self, text: &str) {
        for (number, line) in text.split(['\n', '\r']).enumerate() {
            if number > 0 {
                self.held.clear();
                self.lines.ask_break();
            }
            let solid = line.trim_end();
            if !solid.is_empty() {
                self.lines.ready();
                self.lines.out.push_str(&self.held);
                self.lines.out.push_str(solid);
                self.held.clear();
            }
            self.held.push_str(&line[solid.len()..]);
        }
    }

    fn is_in_data(&self) -> bool {
        self.tables.last() == Some(&true)
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
        let start = self.page.attr(node, "start").and_then(|start| start.trim().parse().ok()).unwrap_or(1);
        self.lists.push(List { next: (tag == Tag::Ol).then_some(start), width: 0, is_stray: stray.is_some() });
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

    fn enter_item(&mut self) {
        self.boundary(Gap::Line);
        if self.cells == 0 {
            let number = self.lists.last().and_then(|list| list.next);
            self.lines.open(number.map_or(Marker::Bullet('-'), |number| Marker::Number(number, '.')));
        }
    }

    fn leave_item(&mut self) {
        if self.cells > 0 {
            self.boundary(Gap::Line);
        } else if self.lines.close()
            && let Some(list) = self.lists.last_mut()
        {
            list.width = list.next.map_or(2, |number| number.checked_ilog10().unwrap_or(0) as usize + 3);
            list.next = list.next.map(|number| number.saturating_add(1));
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

impl Visitor for Writer<'_, '_> {
    fn text(&mut self, text: &str) {
        if self.preformatted > 0 {
            return self.preformatted_text(text);
        }
        for piece in pieces(text) {
            match piece {
                Piece::Space => self.lines.space = true,
                Piece::Run(run) => self.run(run),
            }
        }
    }

    fn leaf(&mut self, _: NodeId, tag: Tag) {
        match tag {
            Tag::Br if self.cells == 0 => {
                self.held.clear();
                self.lines.ask_break();
            }
            Tag::Br => self.lines.space = true,
            Tag::Hr => self.boundary(Gap::Blank),
            _ => {}
        }
    }

    fn enter(&mut self, node: NodeId, tag: Tag) -> bool {
        use Tag::*;
        match tag {
            Ul | Ol | Menu | Dir => self.enter_list(node, tag),
            Li => self.enter_item(),
            Table => {
                self.boundary(Gap::Blank);
                let is_data = || data_columns(self.page, self.nodes, node).is_some();
                self.tables.push(*self.data.entry(node).or_insert_with(is_data));
            }
            Tr if self.is_in_data() => {
                if !has_content(self.page, self.nodes, node) {
                    return false;
                }
                self.boundary(Gap::Line);
                self.tabs = 0;
            }
            Td | Th if self.is_in_data() => {
                let is_first = self.page.parent(node).is_some_and(|row| self.page.element_children(row).next() == Some(node));
                self.tabs += usize::from(!is_first);
                self.cells += 1;
            }
            Pre | Listing | Xmp | Plaintext if is_preformatted(self.page, node) => {
                self.boundary(Gap::Blank);
                self.preformatted += 1;
            }
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
            Tr if self.is_in_data() => {
                self.tabs = 0;
                self.boundary(Gap::Line);
            }
            Pre | Listing | Xmp | Plaintext if is_preformatted(self.page, node) => {
                self.preformatted -= 1;
                self.boundary(Gap::Blank);
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
            ("a<img src=x alt=y>b", "ab\n"),
            ("x<sup>2</sup> <q>q</q>", "x2 q\n"),
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
            ("a<pre>\n  b\n    <i>c</i>  d  \n\n\n\ne\n</pre>f", "a\n\n  b\n    c  d\n\ne\n\nf\n"),
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
