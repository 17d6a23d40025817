//! The list of active formatting elements (`b`, `font`, `a`, …) and the adoption agency, which undoes their misnesting
//! (<https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements>).

use super::builder::{Builder, Open};
use super::draft::NONE;
use crate::Tag;

/// An entry of the list that is no element: formatting does not reach across it.
const MARKER: u32 = NONE;

impl Builder<'_> {
    fn after_last_marker(&self) -> usize {
        self.formatting.iter().rposition(|entry| *entry == MARKER).map_or(0, |at| at + 1)
    }

    /// Pushes an entry; at most three alike stay ("Noah's Ark clause").
    pub(super) fn push_formatting(&mut self, node: u32) {
        let start = self.after_last_marker();
        let alike: Vec<usize> =
            (start..self.formatting.len()).filter(|at| self.same_tag_and_attributes(self.formatting[*at], node)).collect();
        if alike.len() >= 3 {
            self.formatting.remove(alike[0]);
            let tag = self.draft.node(node).tag;
            if !self.alike.contains(&tag) {
                self.alike.push(tag);
            }
        } else if self.formatting.len() - start >= self.limits.formatting {
            self.met.formatting = true;
            self.formatting.remove(start);
        }
        self.formatting.push(node);
    }

    fn same_tag_and_attributes(&self, a: u32, b: u32) -> bool {
        let (left, right) = (self.draft.attrs_of(a), self.draft.attrs_of(b));
        self.draft.node(a).tag == self.draft.node(b).tag
            && left.len() == right.len()
            && left.iter().all(|attr| {
                right.iter().any(|other| other.name == attr.name && self.draft.text(other.value) == self.draft.text(attr.value))
            })
    }

    pub(super) fn push_marker(&mut self) {
        self.formatting.push(MARKER);
    }

    pub(super) fn clear_formatting_to_marker(&mut self) {
        while self.formatting.pop().is_some_and(|entry| entry != MARKER) {}
    }

    pub(super) fn last_formatting(&self, tag: Tag) -> Option<usize> {
        (self.after_last_marker()..self.formatting.len()).rev().find(|at| self.draft.node(self.formatting[*at]).tag == tag)
    }

    /// Opens again the formatting elements that a paragraph's end closed.
    pub(super) fn reconstruct_formatting(&mut self) {
        let start = self.after_last_marker();
        let closed = |at: usize| self.position_open(self.formatting[at]).is_none();
        let mut first = self.formatting.len();
        while first > start && closed(first - 1) {
            first -= 1;
        }
        for at in first..self.formatting.len() {
            if self.copies_left == 0 {
                self.met.formatting = true;
                self.formatting.truncate(at);
                return;
            }
            self.make_room();
            let copy = self.copy_formatting(at);
            self.insert(copy);
            self.push(copy, self.draft.node(copy).tag);
        }
    }

    /// Replaces an entry of the list by a new element like it.
    fn copy_formatting(&mut self, at: usize) -> u32 {
        self.copies_left = self.copies_left.saturating_sub(1);
        let copy = self.draft.copy(self.formatting[at]);
        self.formatting[at] = copy;
        copy
    }

    /// The adoption agency: an end tag of a formatting element, however misnested. Returns `false` where the standard
    /// says to treat it as any other end tag.
    pub(super) fn adoption_agency(&mut self, subject: Tag) -> bool {
        if self.current_is(subject) && !self.formatting.contains(&self.current().node) {
            self.pop();
            return true;
        }
        for _ in 0..8 {
            let Some(entry) = self.last_formatting(subject) else { return false };
            let formatting = self.formatting[entry];
            let Some(position) = self.position_open(formatting) else {
                self.formatting.remove(entry);
                return true;
            };
            if self.open[position + 1..].iter().any(|element| self.default_border(*element)) {
                return true;
            }
            let Some(furthest) = (position + 1..self.open.len()).find(|at| Self::is_special(self.open[*at])) else {
                while self.open.len() > position {
                    self.pop();
                }
                self.formatting.remove(entry);
                return true;
            };
            self.adopt(entry, position, furthest);
        }
        true
    }

    /// Steps 11 to 19 of the adoption agency: `formatting[entry]` stands at `position` of the stack.
    fn adopt(&mut self, entry: usize, position: usize, furthest: usize) {
        let formatting = self.formatting[entry];
        let common_ancestor = self.open[position - 1];
        let furthest_block = self.open[furthest].node;
        let mut bookmark = entry;
        let mut last = furthest_block;
        let mut at = furthest;
        for inner in 1.. {
            at -= 1;
            let node = self.open[at].node;
            if node == formatting {
                break;
            }
            let listed = self.formatting.iter().position(|other| *other == node);
            let Some(listed) = listed.filter(|_| inner <= 3) else {
                if let Some(listed) = listed {
                    self.formatting.remove(listed);
                    bookmark -= usize::from(listed < bookmark);
                }
                self.remove_open(at);
                continue;
            };
            let copy = self.copy_formatting(listed);
            self.open[at].node = copy;
            if last == furthest_block {
                bookmark = listed + 1;
            }
            self.draft.detach(last);
            self.draft.append(copy, last);
            last = copy;
        }
        self.draft.detach(last);
        let place = self.place(common_ancestor);
        self.insert_at(place, last);

        self.copies_left = self.copies_left.saturating_sub(1);
        let copy = self.draft.copy(formatting);
        self.draft.move_children(furthest_block, copy);
        self.draft.append(furthest_block, copy);

        let old = self.formatting.iter().position(|other| *other == formatting);
        if let Some(old) = old {
            self.formatting.remove(old);
            bookmark -= usize::from(old < bookmark);
        }
        self.formatting.insert(bookmark.min(self.formatting.len()), copy);
        if let Some(old) = self.position_open(formatting) {
            self.remove_open(old);
        }
        let below = self.position_open(furthest_block).map_or(self.open.len(), |at| at + 1);
        let tag = self.draft.node(copy).tag;
        self.open.insert(below, Open { node: copy, tag });
        self.open_tags[tag as usize] += 1;
    }
}
