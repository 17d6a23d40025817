//! Text with the marks of CLEANEVAL: headings, paragraphs and items of lists.
//!
//! M. Baroni, F. Chantree, A. Kilgarriff, S. Sharoff: CleanEval: a competition for cleaning web pages. LREC 2008. The task asks for the text of a
//! page and rough structure: `<h>` before a heading, `<p>` before a paragraph, `<l>` before an item of a list, without end tags. Here every block
//! is one line that starts with its mark, white space collapsed, so that nothing in the text can be taken for a mark. What is neither
//! heading nor item is a paragraph: a row of a table, a caption, a listing. One line break goes on with the paragraph, two end it.

use super::formula::Formula;
use super::lines::{Piece, pieces};
use super::walk::{Visitor, walk};
use crate::{NodeId, NodeSet, Page, Tag};

/// Writes a set of nodes as lines of text that start with `<h>`, `<p>` or `<l>`.
///
/// ```
/// use unchaff_dom::{Page, emit};
///
/// let page = Page::parse("<h1>Tea</h1><p>Two <b>kinds</b>:<ul><li>green<li>black</ul>");
/// assert_eq!(emit::cleaneval(&page, &page.subtree_set(page.root())), "<h>Tea\n<p>Two kinds:\n<l>green\n<l>black\n");
/// ```
#[must_use]
pub fn cleaneval(page: &Page, nodes: &NodeSet) -> String {
    let mut writer = Writer {
        out: String::with_capacity(page.text(page.root()).len() / 2),
        around: Vec::new(),
        state: State::Between,
        breaks: 0,
    };
    walk(page, nodes, &mut writer);
    if !writer.out.is_empty() {
        writer.out.push('\n');
    }
    writer.out
}

/// Where the text has come to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The next text starts a block.
    Between,
    /// The next text goes on.
    Inside,
    /// The next text goes on after white space.
    Spaced,
}

struct Writer {
    out: String,
    /// The marks of headings and items that are open.
    around: Vec<&'static str>,
    state: State,
    /// Line breaks since the last text.
    breaks: u32,
}

fn mark(tag: Tag) -> Option<&'static str> {
    use Tag::{Dd, Dt, H1, H2, H3, H4, H5, H6, Li};
    match tag {
        H1 | H2 | H3 | H4 | H5 | H6 => Some("<h>"),
        Li | Dt | Dd => Some("<l>"),
        _ => None,
    }
}

impl Writer {
    fn run(&mut self, run: &str) {
        let run = if self.state == State::Inside { run } else { run.trim_start() };
        if run.is_empty() {
            return;
        }
        match self.state {
            State::Between => {
                if !self.out.is_empty() {
                    self.out.push('\n');
                }
                self.out.push_str(self.around.last().unwrap_or(&"<p>"));
            }
            State::Spaced => self.out.push(' '),
            State::Inside => {}
        }
        self.out.push_str(run);
        (self.state, self.breaks) = (State::Inside, 0);
    }

    fn space(&mut self) {
        if self.state == State::Inside {
            self.state = State::Spaced;
        }
    }
}

impl Visitor for Writer {
    fn text(&mut self, text: &str) {
        for piece in pieces(text) {
            match piece {
                Piece::Space => self.space(),
                Piece::Run(run) => self.run(run),
            }
        }
    }

    fn leaf(&mut self, _: NodeId, tag: Tag) {
        match tag {
            Tag::Br => {
                self.breaks += 1;
                self.space();
                if self.breaks > 1 {
                    self.state = State::Between;
                }
            }
            Tag::Hr => self.state = State::Between,
            _ => {}
        }
    }

    fn formula(&mut self, _: NodeId, formula: &Formula) {
        self.text(&formula.tex);
    }

    fn enter(&mut self, _: NodeId, tag: Tag) -> bool {
        if tag == Tag::Rp {
            return false;
        }
        if matches!(tag, Tag::Td | Tag::Th) {
            self.space();
        } else if tag.is_block() {
            self.state = State::Between;
        }
        self.around.extend(mark(tag));
        true
    }

    fn leave(&mut self, _: NodeId, tag: Tag) {
        if matches!(tag, Tag::Td | Tag::Th) {
            self.space();
        } else if tag.is_block() {
            self.state = State::Between;
        }
        if mark(tag).is_some() {
            self.around.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(html: &str) -> String {
        let page = Page::parse(html);
        cleaneval(&page, &page.subtree_set(page.root()))
    }

    #[test]
    fn every_block_is_a_line_with_its_mark() {
        let cases = [
            ("", ""),
            ("<div> </div><p></p>", ""),
            ("a", "<p>a\n"),
            ("<h2> A  <i>b</i></h2>c<p>d", "<h>A b\n<p>c\n<p>d\n"),
            ("<ul><li>a<ul><li>b</ul>c</ul>d", "<l>a\n<l>b\n<l>c\n<p>d\n"),
            ("<dl><dt>a<dd>b</dl>", "<l>a\n<l>b\n"),
            ("a<br>b<br><br>c<hr>d", "<p>a b\n<p>c\n<p>d\n"),
            ("<table><tr><th>a<th>b<tr><td>1<td><b>2</b></table>", "<p>a b\n<p>1 2\n"),
            ("<pre>x = 1\n  y</pre>", "<p>x = 1 y\n"),
            ("<p>a&nbsp;</p><p>&nbsp;b</p>", "<p>a\u{a0}\n<p>b\n"),
            ("<p>1 &lt;p>2</p>", "<p>1 <p>2\n"),
        ];
        for (html, expected) in cases {
            assert_eq!(all(html), expected, "{html}");
        }
    }

    #[test]
    fn no_text_starts_a_line_without_a_mark() {
        for html in ["<p>&lt;p>a\n\n&lt;h>b", "<pre>&lt;l>a\n\n\nb</pre>", "<textarea>x</textarea><p>a<script>y</script>\r\nb"] {
            assert!(all(html).lines().all(|line| ["<h>", "<p>", "<l>"].contains(&&line[..3])), "{html}: {}", all(html));
        }
    }
}
