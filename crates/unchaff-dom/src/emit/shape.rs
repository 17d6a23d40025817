//! What an element really is, where its name does not settle it: data or layout, a heading or a page that forgot to close one.
//!
//! A table is **data** if its cells are short and in a grid: no table in it, no code or quotes in its cells, at
//! least two columns and two rows, few cells with several paragraphs (any number if it has header cells), headings in short
//! cells alone and only if it has header cells, and no cell as long as an article. Everything else that is called a table only puts blocks beside each other.
//!
//! Every question is answered by one look over the element's subtree that ends at the first nested element of the same
//! kind, so that all questions together stay linear in the size of the page.

use super::lines::at_start_of_line;
use super::target;
use super::unwritten::is_never_written;
use crate::{NodeId, NodeSet, Page, Tag};

/// A cell with more characters than this is a column of a layout.
const MOST_CELL_CHARS: u32 = 1500;
/// A cell with more characters than this and a heading is a part of a page.
const MOST_HEADED_CHARS: u32 = 120;
/// More columns than this are not written as a grid.
const MOST_COLUMNS: usize = 64;
/// A heading with more characters than this was never closed.
const MOST_HEADING_CHARS: u32 = 500;

/// Whether anything that can be seen below a node is in the set.
pub(super) fn has_content(page: &Page, nodes: &NodeSet, node: NodeId) -> bool {
    written_below(page, node).any(|below| nodes.contains(below) && is_seen(page, below))
}

/// Everything below a node but what is never written.
pub(super) fn written_below(page: &Page, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let end = page.end(node);
    let mut next = NodeId(node.0 + 1);
    std::iter::from_fn(move || {
        while next < end {
            let at = next;
            if !is_never_written(page, at) {
                next = NodeId(at.0 + 1);
                return Some(at);
            }
            next = page.end(at);
        }
        None
    })
}

fn is_seen(page: &Page, node: NodeId) -> bool {
    match page.tag(node) {
        Tag::Text => page.counts(node).chars > 0 && !at_start_of_line(page.string(node)).is_empty(),
        Tag::Img => target::image(page, node).is_some(),
        _ => false,
    }
}

/// Whether an `h1` to `h6` is one line of text.
pub(super) fn is_heading(page: &Page, node: NodeId) -> bool {
    page.counts(node).chars <= MOST_HEADING_CHARS && !holds_blocks(page, node)
}

/// Whether a `blockquote` or `figure` is a quote with all that belongs to it: a figure that is nothing but a quote and its caption, which says whose
/// it is, or a quote in no such figure.
pub(super) fn is_quote(page: &Page, node: NodeId, tag: Tag) -> bool {
    let has_author = |figure| {
        let [mut quotes, mut captions] = [0, 0];
        page.element_children(figure).all(|child| match page.tag(child) {
            Tag::Blockquote => std::mem::replace(&mut quotes, 1) == 0,
            Tag::Figcaption => std::mem::replace(&mut captions, 1) == 0,
            _ => false,
        }) && quotes + captions == 2
    };
    match tag {
        Tag::Figure => has_author(node),
        _ => !page.parent(node).is_some_and(|above| page.tag(above) == Tag::Figure && has_author(above)),
    }
}

/// Whether there are blocks in an element that only a part of a page can hold.
fn holds_blocks(page: &Page, node: NodeId) -> bool {
    use Tag::*;
    let mut paragraphs = 0;
    written_below(page, node).any(|below| match page.tag(below) {
        P => {
            paragraphs += 1;
            paragraphs > 1
        }
        Table | Ul | Ol | Dl | Blockquote | Form | Hr | Pre | Listing | Xmp | H1 | H2 | H3 | H4 | H5 | H6 => true,
        _ => false,
    })
}

/// Whether what a set has of a `table` is a table of data, not a layout.
#[must_use]
pub fn is_data_table(page: &Page, nodes: &NodeSet, table: NodeId) -> bool {
    DataTable::of(page, nodes, table).is_some()
}

/// A table of data: where its cells stand.
#[derive(Debug)]
pub(super) struct DataTable {
    /// How many columns it has where something is written.
    pub(super) columns: usize,
    /// The first column of each cell, in document order.
    cells: Vec<(NodeId, usize)>,
}

impl DataTable {
    /// The table as one of data; none if it is a layout.
    pub(super) fn of(page: &Page, nodes: &NodeSet, table: NodeId) -> Option<DataTable> {
        let mut cells = Vec::new();
        data_columns(page, nodes, table, &mut cells).map(|columns| DataTable { columns, cells })
    }

    /// The column where a cell starts.
    pub(super) fn column(&self, cell: NodeId) -> usize {
        self.cells.binary_search_by_key(&cell, |(cell, _)| *cell).map_or(0, |at| self.cells[at].1)
    }
}

/// How many columns a table of data has; none if it is a layout. Notes where the cells stand.
fn data_columns(page: &Page, nodes: &NodeSet, table: NodeId, places: &mut Vec<(NodeId, usize)>) -> Option<usize> {
    use Tag::*;
    if page.attr(table, "role").is_some_and(|role| matches!(role.trim(), "presentation" | "none")) {
        return None;
    }
    let mut grid = Grid::default();
    let (mut columns, mut rows, mut cells, mut long_cells, mut headers) = (0, 0, 0_u32, 0_u32, 0);
    let mut text_cells = 0;
    let mut cell = Cell::default();
    let (mut cell_of, mut cell_end, mut has_rows) = (table, table, false);
    let (mut has_headings, mut needs_headers) = (false, false);
    let (mut row_is_seen, mut row_width, mut row_headers) = (false, 0, 0);
    for node in written_below(page, table) {
        match page.tag(node) {
            Text | Img if node < cell_end && nodes.contains(node) && is_seen(page, node) => {
                let first = !cell.is_seen;
                text_cells += u32::from(page.tag(node) == Text && !std::mem::replace(&mut cell.has_text, true));
                if cell.add(page, node) && cell.paragraphs == 2 {
                    long_cells += 1;
                }
                cells += u32::from(first);
                rows += usize::from(!row_is_seen);
                row_is_seen = true;
                columns = columns.max(row_width);
                headers += std::mem::take(&mut row_headers);
            }
            Tr => {
                has_rows = true;
                grid.start_row();
                (row_is_seen, row_width, row_headers) = (false, 0, 0);
            }
            tag @ (Td | Th) => {
                if page.counts(node).chars > MOST_CELL_CHARS {
                    return None;
                }
                row_headers += usize::from(tag == Th);
                let place = grid.place(page, node);
                places.push((node, place.start));
                row_width = place.end;
                if row_is_seen {
                    columns = columns.max(row_width);
                }
                cell = Cell::default();
                (cell_of, cell_end) = (node, page.end(node));
            }
            Table | Pre | Listing | Xmp | Blockquote | Form | Article | Section => return None,
            H1 | H2 | H3 | H4 | H5 | H6 | Hr => {
                if node >= cell_end || page.counts(cell_of).chars > MOST_HEADED_CHARS {
                    return None;
                }
                has_headings = true;
                needs_headers |= page.tag(cell_of) != Th;
                cell.block = None;
            }
            Caption if has_rows => return None,
            tag if tag.is_block() => cell.block = None,
            _ => {}
        }
    }
    // Pictures around a line are a frame.
    let is_grid = text_cells >= 2 && rows >= 2 && (columns >= 2 || headers > 0) && columns <= MOST_COLUMNS;
    let may_be_data =
        if has_headings { headers > usize::from(needs_headers) && columns >= 2 } else { headers > 0 || long_cells * 4 <= cells };
    (is_grid && may_be_data).then_some(columns)
}

#[derive(Default)]
struct Cell {
    is_seen: bool,
    has_text: bool,
    block: Option<NodeId>,
    paragraphs: u32,
}

impl Cell {
    /// Takes in what can be seen in the cell; whether it starts another paragraph there.
    fn add(&mut self, page: &Page, node: NodeId) -> bool {
        self.is_seen = true;
        // Inline elements do not nest deep; where they do, it costs a guess and not time.
        let block = page.ancestors(node).take(12).find(|ancestor| page.tag(*ancestor).is_block());
        let is_new = self.block != block || self.paragraphs == 0;
        self.block = block;
        self.paragraphs += u32::from(is_new);
        is_new
    }
}

/// Where cells stand in a table: `rowspan` and `colspan` worked out.
#[derive(Default)]
struct Grid {
    /// For each column how many more rows a cell from above takes.
    taken: Vec<u32>,
    column: usize,
}

impl Grid {
    /// Goes to the next row.
    fn start_row(&mut self) {
        // What no cell of the last row stood before is taken by rows above all the same.
        for taken in self.taken.iter_mut().skip(self.column) {
            *taken = taken.saturating_sub(1);
        }
        self.column = 0;
    }

    /// Puts the next cell into the row: the columns it takes.
    fn place(&mut self, page: &Page, cell: NodeId) -> std::ops::Range<usize> {
        let span = |name| page.attr(cell, name).and_then(|span| span.trim().parse::<u32>().ok()).unwrap_or(1).max(1);
        let has_neighbours = page.parent(cell).is_some_and(|row| page.element_children(row).nth(1).is_some());
        let (wide, high) = if has_neighbours { (span("colspan").min(16) as usize, span("rowspan").min(1000)) } else { (1, 1) };
        while let Some(taken) = self.taken.get_mut(self.column).filter(|taken| **taken > 0) {
            *taken -= 1;
            self.column += 1;
        }
        let columns = self.column..self.column + wide;
        self.taken.resize(self.taken.len().max(columns.end), 0);
        self.taken[columns.clone()].fill(high - 1);
        self.column = columns.end;
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(rows: &str) -> Option<usize> {
        let page = Page::parse(format!("<table>{rows}</table>"));
        let table = page.nodes().find(|node| page.tag(*node) == Tag::Table)?;
        DataTable::of(&page, &page.subtree_set(page.root()), table).map(|table| table.columns)
    }

    #[test]
    fn grids_of_short_cells_are_data_and_all_else_is_layout() {
        let cases = [
            ("<tr><th>a<th>b<tr><td>1<td>2", Some(2)),
            ("<tr><td>a<td>b<tr><td>1<td>2<td>3", Some(3)),
            ("<tr><td rowspan=2>a<td>b<tr><td>2<td>3", Some(3)),
            ("<tr><td colspan=2>a<td>b<tr><td>2<td>3", Some(3)),
            ("<tr><td colspan=9>a<tr><td>2<td>3", Some(2)),
            ("<tr><th>a<tr><td>b", Some(1)),
            ("<tr><td>a<tr><td>b", None),
            ("<tr><th><h3>a</h3><th>b<tr><td>1<td>2<hr>", Some(2)),
            ("<tr><td><h3>a</h3><td>b<tr><td>1<td>2", None),
            ("<tr><th><h3>a</h3><tr><td>1<tr><td>2", None),
            ("<tr><th colspan=2><h3>a</h3><tr><td>1<td>2", Some(2)),
            ("<tr><th>x<td>y<tr><td><h3>a</h3><td>2", None),
            (&format!("<tr><th><th>b<tr><td><h3>a</h3>{}<td>2", "rain ".repeat(40)), None),
            ("<tr><th><tr><td>a<tr><td>b", None),
            ("<tr><td>a<td>b", None),
            ("<tr><td><img src=l><td>a<td><img src=r><tr><td><img src=x><td><img src=y>", None),
            ("<tr><td><img src=l><td>a<tr><td><img src=x><td>b", Some(2)),
            ("<caption>t</caption><tr><td>a<td>b", None),
            ("<tr><td>a<td>b<tr><td><td>", None),
            ("<tr><td>a<td>b<tr><td>c<td><table><tr><td>x</table>", None),
            ("<tr><td><p>a<p>b<td><p>c<p>d<tr><td>e<td>f", None),
            ("<tr><th>x<th>y<tr><td><p>a<p>b<td><p>c<p>d", Some(2)),
            ("<tr><td>a<td><h2>b</h2><tr><td>c<td>d", None),
            ("<tr><td>a<td><div><div>b</div></div><tr><td>c<td>d", Some(2)),
            ("<tr><td>a<td>b<tr><td>c<td>d<div></div>e", Some(2)),
            ("<tr><td>a<tr><td>c<td>d<div></div>e", None),
        ];
        for (rows, expected) in cases {
            assert_eq!(columns(rows), expected, "{rows}");
        }
    }

    #[test]
    fn a_heading_that_swallows_the_page_is_none() {
        let is = |html: &str| {
            let page = Page::parse(html);
            let node = page.nodes().find(|node| page.tag(*node).heading_level().is_some()).unwrap();
            is_heading(&page, node)
        };
        assert!(is("<h1><div>a</div></h1>"));
        assert!(is("<h1><p>a</h1>"));
        assert!(!is("<h1>a<p>b<p>c"));
        assert!(!is("<h1>a<ul><li>b</ul>"));
        assert!(!is(&format!("<h1>a<div>{}", "b ".repeat(400))));
    }
}
