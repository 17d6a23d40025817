//! Lists in Markdown: two in a row get different markers, so that they stay two, and one that does not start with 1 needs a blank line
//! before it.

use super::super::lines::{Gap, Marker};
use super::super::numbering::Numbering;
use super::Writer;
use crate::{NodeId, Tag};

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
        self.numbering.map_or(Marker::Bullet(self.mark), |numbering| Marker::Number(numbering.number(), self.mark))
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
    numbering.is_some_and(|numbering| numbering.number() != 1)
}

impl Writer<'_> {
    pub(super) fn enter_list(&mut self, node: NodeId, is_ordered: bool) {
        self.inline.boundary(Gap::Line);
        if self.inline.is_flat() {
            return;
        }
        let numbering = is_ordered.then(|| Numbering::of(self.page, node));
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
        let Some(List { numbering, mark, is_stray, width, .. }) = self.lists.pop() else { return };
        let lines = &mut self.inline.lines;
        if is_stray {
            lines.close();
        }
        // An item asks for its own.
        if !is_stray || width == 0 {
            lines.ask(Gap::Blank);
        }
        if width > 0 {
            let is_ordered = numbering.is_some();
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
        lines.open(list.marker());
    }

    pub(super) fn leave_item(&mut self) {
        self.inline.boundary(Gap::None);
        if !self.inline.is_flat()
            && self.inline.lines.close()
            && let Some(list) = self.lists.last_mut()
        {
            list.width = list.numbering.map_or(2, Numbering::width);
            if let Some(numbering) = &mut list.numbering {
                numbering.advance();
            }
            list.at = self.inline.lines.out.len();
        }
    }
}

fn is_list(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir)
}
