//! Lists in Markdown: two in a row get different markers, so that they stay two, and one that does not start with 1 needs a blank line
//! before it. Markdown has no letters for numbers: they stand behind a bullet, and what is no line of text stands below them.

use super::super::lines::{Gap, Marker};
use super::super::listing;
use super::super::numbering::Numbering;
use super::super::unwritten::is_left_out;
use super::Writer;
use crate::{NodeId, NodeSet, Page, Tag};

/// A list that is open.
pub(super) struct List {
    /// None in a list without numbers.
    numbering: Option<Numbering>,
    /// The bullet, or what stands after the number.
    mark: char,
    /// The width of the last item's marker.
    width: usize,
    /// How much was written when the last item ended.
    at: usize,
    /// Whether it stands in another list but in none of its items.
    is_stray: bool,
}

impl List {
    fn marker(&self) -> Marker {
        let Some(numbering) = self.numbering else { return Marker::Bullet(self.mark) };
        match numbering.letters() {
            Some(letters) => Marker::Letters(letters, Some(self.mark)),
            None if numbering.has_letters() => Marker::Bullet(self.mark),
            None => Marker::Number(numbering.number(), self.mark),
        }
    }

    /// Whether items have numbers that Markdown knows.
    fn is_ordered(&self) -> bool {
        self.numbering.is_some_and(|numbering| !numbering.has_letters())
    }
}

/// A list that has ended.
pub(super) struct Ended {
    depth: usize,
    is_ordered: bool,
    mark: char,
    /// How much was written then.
    at: usize,
}

/// Whether an item with this number needs a blank line before it: Markdown takes only a 1 for more than the rest of a paragraph.
fn needs_blank(numbering: Option<Numbering>) -> bool {
    numbering.is_some_and(|numbering| numbering.number() != 1 && !numbering.has_letters())
}

impl Writer<'_> {
    pub(super) fn enter_list(&mut self, node: NodeId, is_ordered: bool) {
        self.inline.boundary(Gap::Line);
        if self.inline.is_flat() {
            return;
        }
        let numbering = is_ordered.then(|| Numbering::of(self.page, node));
        let is_ordered = numbering.is_some_and(|numbering| !numbering.has_letters());
        let is_outside = self.page.parent(node).is_some_and(|parent| is_list(self.page.tag(parent)));
        let stray = self.lists.last().filter(|list| is_outside && list.width > 0).map(|list| list.width);
        let lines = &mut self.inline.lines;
        let may_be_tight = !needs_blank(numbering);
        if let Some(width) = stray {
            lines.open(Marker::Indent(width));
            lines.ask(if may_be_tight { Gap::Line } else { Gap::Blank });
        } else {
            lines.ask_list(may_be_tight);
        }
        let [usual, other] = if is_ordered { ['.', ')'] } else { ['-', '*'] };
        let follows = self.last_list.as_ref().is_some_and(|last| {
            last.at == lines.out.len() && last.depth == self.lists.len() && last.is_ordered == is_ordered && last.mark == usual
        });
        let mark = if follows { other } else { usual };
        self.lists.push(List { numbering, mark, width: 0, at: 0, is_stray: stray.is_some() });
    }

    pub(super) fn leave_list(&mut self) {
        self.inline.boundary(Gap::None);
        if self.inline.is_flat() {
            return;
        }
        let Some(list) = self.lists.pop() else { return };
        let is_ordered = list.is_ordered();
        let List { mark, is_stray, width, .. } = list;
        let lines = &mut self.inline.lines;
        if is_stray {
            lines.close();
        }
        // An item asks for its own.
        if !is_stray || width == 0 {
            lines.ask(Gap::Blank);
        }
        if width > 0 {
            self.last_list = Some(Ended { depth: self.lists.len(), is_ordered, mark, at: lines.out.len() });
        }
    }

    pub(super) fn enter_item(&mut self, item: NodeId) {
        self.inline.boundary(Gap::Line);
        if self.inline.is_flat() {
            return;
        }
        let lines = &mut self.inline.lines;
        let Some(list) = self.lists.last_mut() else { return lines.open(Marker::Bullet('-')) };
        if let Some(numbering) = &mut list.numbering {
            numbering.go_to(self.page, item);
        }
        if needs_blank(list.numbering) && list.at != lines.out.len() {
            lines.ask(Gap::Blank);
        }
        let marker = list.marker();
        if let Marker::Letters(letters, _) = marker
            && starts_with_block(self.page, self.nodes, item)
        {
            lines.open(Marker::Bullet(list.mark));
            lines.ready();
            lines.out.extend([letters.as_str(), "."]);
            lines.ask(Gap::Blank);
        } else {
            lines.open(marker);
        }
    }

    pub(super) fn leave_item(&mut self) {
        self.inline.boundary(Gap::None);
        if !self.inline.is_flat()
            && self.inline.lines.close()
            && let Some(list) = self.lists.last_mut()
        {
            list.width = list.numbering.filter(|numbering| !numbering.has_letters()).map_or(2, Numbering::width);
            if let Some(numbering) = &mut list.numbering {
                numbering.advance();
            }
            list.at = self.inline.lines.out.len();
        }
    }
}

/// Whether the first that is written of an item is no line of text: a heading, code, a table, a quote, a list.
fn starts_with_block(page: &Page, nodes: &NodeSet, item: NodeId) -> bool {
    use Tag::*;
    // What comes first comes soon; where it does not, it costs a guess and not time.
    const MOST_NODES: usize = 200;
    let is_block = |node: NodeId| match page.tag(node) {
        H1 | H2 | H3 | H4 | H5 | H6 | Ul | Ol | Menu | Dir | Table | Blockquote | Figure | Hr => true,
        Math => page.attr(node, "display") == Some("block"),
        tag => listing::spaces(page, node, tag).is_some(),
    };
    let mut node = NodeId(item.0 + 1);
    for _ in 0..MOST_NODES {
        if node >= page.end(item) {
            break;
        }
        let tag = page.tag(node);
        if tag.is_element() && is_left_out(page, node, tag) {
            node = page.end(node);
            continue;
        }
        if nodes.contains(node) && (matches!(tag, Img | Hr | Math) || tag == Text && page.counts(node).chars > 0) {
            return is_block(node) || page.ancestors(node).take_while(|above| *above > item).any(is_block);
        }
        node.0 += 1;
    }
    false
}

fn is_list(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir)
}
