//! What lies between two pieces of one line and is not written: lines that are left out, and pictures.
//!
//! Pieces on both sides of a line that is left out do not run into each other, however deep in inline elements they stand: a break stands for each
//! break or block between them, two for all of them. Words on both sides of a picture that is not written are two words; a
//! picture of a letter inside of a word is rarer. Ideographs need no space between them.
//!
//! What was passed over is looked at once, from where the walk has come to up to the next node that it visits, and only while a line is open.

use super::unwritten::{is_left_out, is_never_written};
use super::walk::Visitor;
use crate::words::is_ideograph;
use crate::{NodeId, Page, Tag};

/// More breaks would stand for no more than two.
const MOST_LINES: usize = 2;

/// What the walk has passed over since the last piece of the line.
pub(super) struct Between {
    /// The first node that the walk has not come to.
    next: NodeId,
    /// Whether a piece of the line is written that no block has ended since.
    in_line: bool,
    /// Whether that piece ends in a word.
    in_word: bool,
    /// Breaks and blocks that were passed over.
    lines: Vec<NodeId>,
    /// Whether a picture stood behind that piece.
    has_picture: bool,
}

impl Between {
    pub(super) fn new(root: NodeId) -> Between {
        Between { next: root, in_line: false, in_word: false, lines: Vec::new(), has_picture: false }
    }

    /// The walk comes to a node, over all before it that are not in the set.
    #[inline]
    pub(super) fn come_to(&mut self, page: &Page, node: NodeId) {
        if self.in_line && self.next < node {
            self.look_at(page, node);
        }
        self.next = self.next.max(NodeId(node.0 + 1));
    }

    #[inline(never)]
    fn look_at(&mut self, page: &Page, node: NodeId) {
        let mut at = self.next;
        while at < node && self.lines.len() < MOST_LINES {
            let (tag, end) = (page.tag(at), page.end(at));
            self.has_picture |= tag == Tag::Img;
            at = if end > node {
                // What the node stands in ends no line unless it is a block, which the walk enters.
                NodeId(at.0 + 1)
            } else if is_line(tag) {
                self.lines.push(at);
                end
            } else if is_never_written(page, at) {
                end
            } else {
                NodeId(at.0 + 1)
            };
        }
    }

    /// The walk goes on behind an element without having gone into it.
    pub(super) fn pass(&mut self, page: &Page, node: NodeId) {
        let tag = page.tag(node);
        if self.in_line && self.lines.len() < MOST_LINES && is_line(tag) && is_left_out(page, node, tag) {
            self.lines.push(node);
        }
        self.next = self.next.max(page.end(node));
    }

    /// A block starts or ends, and with it the line.
    #[inline]
    pub(super) fn end_line(&mut self) {
        if self.in_line {
            (self.in_line, self.in_word, self.has_picture) = (false, false, false);
            self.lines.clear();
        }
    }

    /// A break that is written stands for those that are not.
    pub(super) fn take_break(&mut self) {
        (self.in_word, self.has_picture) = (false, false);
        self.lines.clear();
    }

    /// Text comes: what keeps it apart from what is written already goes before it.
    #[inline]
    pub(super) fn before_text(&mut self, text: &str, visitor: &mut impl Visitor) {
        let solid = text.trim_start();
        if solid.is_empty() {
            self.in_word &= text.is_empty();
            return;
        }
        self.write_lines(visitor);
        if self.has_picture && self.in_word && text.starts_with(is_of_word) {
            visitor.space();
        }
        (self.in_line, self.in_word, self.has_picture) = (true, text.ends_with(is_of_word), false);
    }

    /// Another piece of the line comes.
    pub(super) fn before_piece(&mut self, visitor: &mut impl Visitor) {
        self.write_lines(visitor);
        (self.in_line, self.in_word, self.has_picture) = (true, false, false);
    }

    /// A picture comes. One that is written stands between its neighbours itself.
    pub(super) fn picture(&mut self, node: NodeId, visitor: &mut impl Visitor) {
        self.write_lines(visitor);
        self.in_line = true;
        if visitor.image(node) {
            (self.in_word, self.has_picture) = (false, false);
        } else {
            self.has_picture = true;
        }
    }

    /// Writes the breaks that are due, before the marks of what comes.
    #[inline]
    pub(super) fn write_lines(&mut self, visitor: &mut impl Visitor) {
        if !self.lines.is_empty() {
            self.break_line(visitor);
        }
    }

    #[inline(never)]
    fn break_line(&mut self, visitor: &mut impl Visitor) {
        self.in_word = false;
        self.lines.drain(..).for_each(|line| visitor.leaf(line, Tag::Br));
    }
}

/// Whether an element ends the line around it. Nobody who runs scripts sees a `noscript`.
fn is_line(tag: Tag) -> bool {
    tag == Tag::Br || tag.is_block() && tag != Tag::Noscript
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() && !is_ideograph(character)
}

#[cfg(test)]
mod tests {
    use crate::{NodeSet, Page, Tag, emit};

    /// What is in upper case is left out, and so are breaks.
    fn without_capitals(html: &str) -> [String; 3] {
        let page = Page::parse(html);
        let texts = page.nodes().filter(|node| page.tag(*node) == Tag::Text);
        let nodes = NodeSet::from_nodes(&page, texts.filter(|text| !page.string(*text).contains(char::is_uppercase)));
        [emit::text(&page, &nodes), emit::markdown(&page, &nodes), emit::html(&page, &nodes)].map(|out| out.trim_end().to_owned())
    }

    fn whole(html: &str) -> [String; 3] {
        let page = Page::parse(html);
        let nodes = page.subtree_set(page.root());
        [emit::text(&page, &nodes), emit::markdown(&page, &nodes), emit::html(&page, &nodes)].map(|out| out.trim_end().to_owned())
    }

    #[test]
    fn inline_pieces_on_both_sides_of_lines_that_are_left_out_stay_apart() {
        for (html, expected) in [
            (
                "<div><b>one</b><p>X</p><a href=/x>two</a><br><em>three</em></div>",
                [
                    "one\ntwo\nthree",
                    "**one**\\\n[two](/x)\\\n*three*",
                    "<p><b>one</b><br><a href=\"/x\">two</a><br><em>three</em></p>",
                ],
            ),
            (
                "<div>one<p>X</p><p>X</p><p>X</p><b>two</b></div>",
                ["one\n\ntwo", "one\n\n**two**", "<p>one<br><br><b>two</b></p>"],
            ),
            ("<div><b>one<br></b>two</div>", ["one\ntwo", "**one**\\\ntwo", "<p><b>one</b><br>two</p>"]),
            ("<div>one<span><br><i>two</i></span></div>", ["one\ntwo", "one\\\n*two*", "<p>one<br><i>two</i></p>"]),
            ("<div>one<a><div>X</div></a>two</div>", ["one\ntwo", "one\\\ntwo", "<p>one<br>two</p>"]),
            ("<div><i>one</i> <p>X</p> <i>two</i></div>", ["one\ntwo", "*one*\\\n*two*", "<p><i>one</i><br><i>two</i></p>"]),
        ] {
            assert_eq!(without_capitals(html), expected, "{html}");
        }
    }

    #[test]
    fn what_is_no_line_and_lines_beside_blocks_break_nothing() {
        for (html, expected) in [
            ("<div><b>one</b><noscript><p>X</p></noscript><script>x</script><i>two</i></div>", "onetwo"),
            ("<div><b>one</b><b>X</b><i>two</i></div>", "onetwo"),
            ("<div>one</div><br><br><div>two</div>", "one\ntwo"),
            ("<a><div>one</div></a><p>X</p><a><div>two</div></a>", "one\ntwo"),
            ("<p>X</p><b>one</b><p>X</p>", "one"),
        ] {
            assert_eq!(without_capitals(html)[0], expected, "{html}");
        }
    }

    #[test]
    fn a_block_that_is_never_written_ends_a_line() {
        let html = "<div>one<div class=mw-editsection>X</div><b>two</b></div>";
        assert_eq!(whole(html), ["one\ntwo", "one\\\n**two**", "<p>one<br><b>two</b></p>"]);
    }

    #[test]
    fn what_plays_has_no_lines_of_its_own() {
        assert_eq!(whole("<div>one<video><p>x</p><p>x</p></video><i>two</i></div>")[0], "onetwo");
    }

    #[test]
    fn words_on_both_sides_of_a_picture_that_is_not_written_are_two() {
        for html in ["<p>on<img src=/a.svg alt=''>this week</p>", "<p>on<img><!-- --><img><b>this</b> week</p>"] {
            assert_eq!(whole(html)[0], "on this week", "{html}");
            assert_eq!(without_capitals(html)[0], "on this week", "{html}");
        }
        let html = "<p>on<img alt=''>this week</p>";
        assert_eq!(whole(html), ["on this week", "on this week", "<p>on this week</p>"]);
        let html = "<p>on<b><img alt=''>this</b>week</p>";
        assert_eq!(whole(html), ["on thisweek", "on **this**week", "<p>on <b>this</b>week</p>"]);
        let html = "<p>on<img src=https://e.org/i.png alt=sun>this</p>";
        let written = "<p>on<img src=\"https://e.org/i.png\" alt=\"sun\">this</p>";
        assert_eq!(whole(html), ["on this", "on![sun](https://e.org/i.png)this", written]);
        for (html, expected) in [
            ("<p>on<img>, this</p>", "on, this"),
            ("<p>(<img>this) <img>week</p>", "(this) week"),
            ("<p>雨<img>天</p>", "雨天"),
            ("<p>on</p><img><p>this</p>", "on\n\nthis"),
            ("<p><img>nce</p>", "nce"),
        ] {
            assert_eq!(whole(html)[0], expected, "{html}");
        }
    }
}
