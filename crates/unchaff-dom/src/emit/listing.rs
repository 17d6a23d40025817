//! Code listings: elements whose lines and spaces are what they say, however highlighters have taken them apart.
//!
//! A `pre` is one. So are a `pre` whose lines are rows or items, a table of numbers and lines, a list of lines, the boxes that
//! highlighters build from lines, and a `code` with line breaks in it. A listing is written whole, as its characters, without the marks inside it.
//! White space counts as it stands where a browser would keep it, and collapses elsewhere; a space that does not break is a space.

use super::shape::{has_content, written_below};
use super::unwritten::is_never_written;
use crate::{NodeId, NodeSet, Page, Tag};

/// Classes of boxes that highlighters build from lines without any `pre`.
const BOXES: [&str; 5] = ["syntaxhighlighter", "crayon-pre", "dp-highlighter", "geshi", "CodeMirror-code"];
/// Classes of cells that hold lines of code.
const CODE_CELLS: [&str; 9] =
    ["blob-code", "hljs-ln-code", "rouge-code", "code", "crayon-code", "line-content", "codecontent", "de1", "diff-line-content"];
/// Classes of a list each of whose items is a line of code.
const LISTS: [&str; 4] = ["linenums", "dp-c", "code-lines", "hljs-list"];
/// Classes that say of a `pre` with rows or items in it that they are its lines.
const LINED: [&str; 9] =
    ["prettyprint", "prettyprinted", "linenums", "highlight", "hljs", "code", "sourceCode", "rouge", "brush:"];
/// Classes of what stands in a listing but is none of it.
const BESIDE: [&str; 8] = [
    "toolbar",
    "copy-button",
    "copy-btn",
    "code-copy",
    "btn-clipboard",
    "clipboard-copy",
    "code-block-header",
    "hljs-copy-button",
];

/// What of the white space in a listing counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spaces {
    /// All of it.
    Exact,
    /// Between words one space, as in running text.
    Collapsed,
}

/// Whether an element is a listing, with everything below it.
#[must_use]
pub fn is_listing(page: &Page, node: NodeId) -> bool {
    spaces(page, node, page.tag(node)).is_some()
}

/// What of the white space in an element counts, if it is a listing.
pub(super) fn spaces(page: &Page, node: NodeId, tag: Tag) -> Option<Spaces> {
    use Tag::*;
    let has = |classes: &[&str]| page.classes(node).any(|class| classes.contains(&class));
    match tag {
        Pre | Listing | Xmp | Plaintext => is_lines(page, node).then_some(Spaces::Exact),
        Table => is_table_of_lines(page, node).then_some(Spaces::Exact),
        Ol if has(&LISTS) => (!holds(page, node, &[Pre, P, Table])).then_some(Spaces::Collapsed),
        Div if page
            .classes(node)
            .any(|class| matches!(class.as_bytes(), [b's' | b'c' | b'd' | b'g' | b'C', ..]) && BOXES.contains(&class)) =>
        {
            (!holds(page, node, &[Pre, Listing, P])).then_some(Spaces::Collapsed)
        }
        // A piece of code in running text has one line.
        Code | Samp | Tt | Kbd if page.parent(node).is_none_or(|above| page.tag(above) != tag) => {
            (holds(page, node, &[Br, Div, Li]) && lines(page, node, Spaces::Collapsed).contains('\n'))
                .then_some(Spaces::Collapsed)
        }
        _ => None,
    }
}

fn holds(page: &Page, node: NodeId, tags: &[Tag]) -> bool {
    page.descendants(node).any(|below| tags.contains(&page.tag(below)))
}

/// Whether a `pre` is lines of text: nothing in it that only a part of a page can hold, but rows or items that are its lines.
fn is_lines(page: &Page, pre: NodeId) -> bool {
    use Tag::*;
    let (mut paragraphs, mut groups, mut inner) = (0, 0, 0);
    for below in written_below(page, pre) {
        match page.tag(below) {
            P => paragraphs += 1,
            Table | Ol => groups += 1,
            Pre => inner += 1,
            Ul | Dl | Blockquote | Form | Hr | Listing | Xmp | H1 | H2 | H3 | H4 | H5 | H6 => return false,
            _ => {}
        }
        if paragraphs > 1 || groups > 1 {
            return false;
        }
    }
    let around = || [pre].into_iter().chain(page.parent(pre)).chain(page.element_children(pre).next());
    let says_lines =
        || around().any(|node| page.classes(node).any(|class| LINED.contains(&class) || class.starts_with("language-")));
    (groups == 0 && inner == 0) || groups == 1 && says_lines()
}

/// Whether a `pre` is a listing whose lines are text, not rows, items, drawings or formulas, and all of it is in a set.
pub(super) fn is_plain(page: &Page, nodes: &NodeSet, pre: NodeId) -> bool {
    is_chosen(page, nodes, pre)
        && page.descendants(pre).all(|below| !matches!(page.tag(below), Tag::Table | Tag::Ol | Tag::Svg | Tag::Math))
}

/// Whether all of a listing is in a set.
pub(super) fn is_chosen(page: &Page, nodes: &NodeSet, listing: NodeId) -> bool {
    page.descendants(listing).all(|below| nodes.contains(below))
}

/// Whether every cell of a table that says anything holds code, line by line.
fn is_table_of_lines(page: &Page, table: NodeId) -> bool {
    let mut cells = 0;
    for below in written_below(page, table) {
        match page.tag(below) {
            Tag::Td if page.counts(below).chars > 0 => {
                if !page.classes(below).any(|class| CODE_CELLS.contains(&class)) {
                    return false;
                }
                cells += 1;
            }
            Tag::Th if page.counts(below).chars > 0 => return false,
            // A cell with line breaks is more than a line.
            Tag::Br | Tag::Pre | Tag::Listing | Tag::Table | Tag::P | Tag::Ul | Tag::Ol | Tag::H1 | Tag::H2 | Tag::H3 => {
                return false;
            }
            _ => {}
        }
    }
    cells > 0
}

/// Whether an element stands in a listing without being code: a button to copy it, the name of its language.
fn is_beside(page: &Page, node: NodeId) -> bool {
    page.classes(node).any(|class| BESIDE.contains(&class))
}

/// The code of a listing, its lines without blank ones around them. It is written whole if anything of it is in the set, and not at
/// all otherwise.
pub(super) fn code(page: &Page, nodes: &NodeSet, listing: NodeId, spaces: Spaces) -> String {
    if has_content(page, nodes, listing) { lines(page, listing, spaces) } else { String::new() }
}

fn lines(page: &Page, listing: NodeId, spaces: Spaces) -> String {
    use Tag::*;
    let mut code = CodeText { text: String::with_capacity(page.text(listing).len()), spaces, space: false, after_line: false };
    let end = page.end(listing);
    let mut open: Vec<(NodeId, usize)> = Vec::new();
    let mut node = NodeId(listing.0 + 1);
    while node < end {
        while let Some((last, from)) = open.pop_if(|(last, _)| page.end(*last) <= node) {
            code.end(page.tag(last), from);
        }
        let tag = page.tag(node);
        let mut next = NodeId(node.0 + 1);
        match tag {
            Text => {
                let parent = page.parent(node).map_or(tag, |parent| page.tag(parent));
                // White space between rows, cells and items is none of the code.
                let is_between = matches!(parent, Table | Tbody | Thead | Tr | Ol | Ul) && page.counts(node).chars == 0;
                if !is_between {
                    code.push(page.string(node));
                }
            }
            Br => code.push_break(),
            _ if !tag.is_element() => {}
            _ if is_never_written(page, node) || is_beside(page, node) => next = page.end(node),
            _ if tag.is_block() || is_line(page, node) => {
                code.start_line();
                open.push((node, code.text.len()));
            }
            _ => {}
        }
        node = next;
    }
    while let Some((last, from)) = open.pop() {
        code.end(page.tag(last), from);
    }
    code.finish()
}

/// Whether a `span` is a line. Some highlighters write a line break behind it, others have it drawn as a block.
fn is_line(page: &Page, node: NodeId) -> bool {
    page.tag(node) == Tag::Span
        && (page.classes(node).any(|class| class == "line" || class.ends_with("-line"))
            || page.attr(node, "style").is_some_and(|style| style.replace(' ', "").contains("display:block")))
}

struct CodeText {
    text: String,
    spaces: Spaces,
    /// White space that is written if text follows on the same line.
    space: bool,
    /// A `span` that is a line has ended: a line break follows, be it written or not.
    after_line: bool,
}

impl CodeText {
    fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let is_broken = text.starts_with(['\n', '\r']) || self.text.ends_with('\n');
        if std::mem::take(&mut self.after_line) && !is_broken {
            self.text.push('\n');
        }
        match self.spaces {
            Spaces::Exact => {
                let mut lines = text.split('\r');
                self.text.extend(lines.next());
                lines.for_each(|line| self.text.extend(["\n", line]));
            }
            Spaces::Collapsed => {
                for character in text.chars() {
                    if character.is_ascii_whitespace() {
                        self.space = !self.text.is_empty() && !self.text.ends_with('\n');
                        continue;
                    }
                    if std::mem::take(&mut self.space) && !self.text.ends_with('\n') {
                        self.text.push(' ');
                    }
                    self.text.push(if character == '\u{a0}' { ' ' } else { character });
                }
            }
        }
    }

    fn push_break(&mut self) {
        self.after_line = false;
        self.text.push('\n');
    }

    fn start_line(&mut self) {
        (self.space, self.after_line) = (false, false);
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// A line or a group of lines ends; a line that says nothing is a blank one.
    fn end(&mut self, tag: Tag, from: usize) {
        if tag == Tag::Span {
            (self.space, self.after_line) = (false, true);
            return;
        }
        let is_blank = matches!(tag, Tag::Li | Tag::Tr) && self.text.len() == from;
        self.space = false;
        if is_blank || !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// The lines without blank ones before and after.
    fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        let first = self.text.len() - self.text.trim_start().len();
        let start = self.text[..first].rfind('\n').map_or(0, |at| at + 1);
        self.text.drain(..start);
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit;

    fn codes(html: &str) -> Vec<String> {
        let page = Page::parse(html);
        let mut found = Vec::new();
        let mut node = page.root();
        while node < page.end(page.root()) {
            match spaces(&page, node, page.tag(node)) {
                Some(spaces) => {
                    found.push(code(&page, &page.subtree_set(page.root()), node, spaces));
                    node = page.end(node);
                }
                None => node = NodeId(node.0 + 1),
            }
        }
        found
    }

    const LINES: &str = "int add(int x, int y) {\n  // sum\n  return x + y;\n}";

    #[test]
    fn code_is_the_same_however_it_is_highlighted() {
        let cases = [
            "<pre>int add(int x, int y) {\n  // sum\n  return x + y;\n}\n</pre>",
            "<pre><code><span>int</span> <span>add</span>(<span>int</span> x, <span>int</span> y) {<br>  <i>// sum</i><br>  return x + y;<br>}</code></pre>",
            "<pre><div>int add(int x, int y) {</div><div>  // sum</div><div>  return x + y;</div><div>}</div></pre>",
            "<pre><code><span class=token-line style='color: red'>int add(int x, int y) {</span><span class=token-line>  // sum</span>\
             <span style='display: block'>  return x + y;</span><span class=token-line>}</span></code></pre>",
            "<pre><code><span class=line>int add(int x, int y) {</span>\n<span class=line><i>  // sum</i></span>\n<span class=line>  return x + y;</span>\n<span class=line>}</span></code></pre>",
            "<pre><code>int add(int x, int y) {\n<span class=highlight-code-line>  // sum</span><span class=highlight-code-line>  return x + y;</span>}</code></pre>",
            "<pre><span class='code-line'>int add(int x, int y) {\n</span><span class='code-line'>  // sum\n</span><span class='code-line'>  return x + y;\n</span><span class='code-line'>}\n</span></pre>",
            "<pre class='prettyprint linenums'><ol class=linenums><li class=L0><span class=kwd>int</span> add(int x, int y) {\
             <li class=L1>  // sum<li class=L2>  return x + y;<li class=L3>}</ol></pre>",
            "<pre><code class=hljs><table class=hljs-ln><tr><td class=hljs-ln-numbers><div data-line-number=1></div><td class=hljs-ln-code>int add(int x, int y) {\
             <tr><td class=hljs-ln-numbers><td class=hljs-ln-code>  // sum<tr><td><td class=hljs-ln-code>  return x + y;<tr><td><td class=hljs-ln-code>}</table></code></pre>",
            "<table class=highlight>\n<tr> <td class='blob-num' data-line-number=1></td>\n <td class='blob-code blob-code-inner'>int <span>add</span>(int x, int y) {</td></tr>\n\
             <tr><td class=blob-num>2</td><td class=blob-code>  // sum</td></tr> <tr><td class=blob-code>  return x + y;<tr><td class=blob-code>}</table>",
            "<div class='syntaxhighlighter java'><table><tr><td class=gutter><div class='line number1'>1</div><div>2</div><div>3</div><div>4</div>\
             <td class=code><div class=container><div class='line number1'><code class='java plain'>int</code> <code>add(int x, int y) {</code></div>\
             <div class=line><code>&nbsp;&nbsp;</code><code>// sum</code></div><div><code>&nbsp;&nbsp;</code>return x + y;</div><div>}</div></div></table></div>",
            "<code>int add(int x,\n   int y) {<br>\n&nbsp;&nbsp;// sum<br>&nbsp; return x + y;<br>}</code>",
            "<pre class=highlight><button>Copy</button><span class=copy-btn>Copy</span><code><table class=rouge-table><tr><td class='rouge-gutter gl'><pre class=lineno>1\n2\n3\n4\n</pre>\
             <td class=rouge-code><pre>int add(int x, int y) {\n  // sum\n  return x + y;\n}\n</pre></table></code></pre>",
        ];
        for html in cases {
            assert_eq!(codes(html), [LINES], "{html}");
        }
    }

    #[test]
    fn blank_lines_and_spaces_are_kept() {
        assert_eq!(codes("<pre>\n\n  a \n\n\n\tb  </pre>"), ["  a \n\n\n\tb"]);
        assert_eq!(codes("<pre class=linenums><ol><li>a<li><li>b</ol></pre>"), ["a\n\nb"]);
        assert_eq!(codes("<ol class=linenums><li>a<li><li><li>&nbsp;b</ol>"), ["a\n\n\n b"]);
        assert_eq!(codes("<pre>a&#13;b</pre>"), ["a\nb"]);
        assert_eq!(
            codes("<pre><span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span></pre>"),
            ["a\n\nb"]
        );
    }

    #[test]
    fn one_of_which_a_part_is_chosen_is_written_whole_where_there_is_no_room_for_it_too() {
        for (html, markdown, clean) in [
            ("<h1><kbd>a<br>b</kbd>c</h1>", "# `a b`\n", "<h1><kbd>a b</kbd></h1>\n"),
            ("<h1>x<div class=geshi><i>a</i> b</div></h1>", "# `a b`\n", "<h1><code>a b</code></h1>\n"),
        ] {
            let page = Page::parse(html);
            let a = page.nodes().find(|node| page.tag(*node) == Tag::Text && page.string(*node) == "a").unwrap();
            let nodes = NodeSet::from_nodes(&page, [a]);
            assert_eq!(emit::markdown(&page, &nodes), markdown);
            assert_eq!(emit::html(&page, &nodes), clean);
            assert_eq!(emit::text(&page, &nodes).split_whitespace().collect::<Vec<_>>(), ["a", "b"]);
        }
        let page = Page::parse("<h1><kbd>a<br>b</kbd>c</h1>");
        assert_eq!(emit::html(&page, &page.subtree_set(page.root())), "<h1><kbd>a<br>b</kbd>c</h1>\n");
        assert_eq!(emit::markdown(&page, &page.subtree_set(page.root())), "# `a b` c\n");
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        for html in [
            "<pre>a<p>b<p>c</pre>",
            "<pre><h2>a</h2>b</pre>",
            "<pre>a<table><tr><td>b<td>c</table></pre>",
            "a <code>b</code> c",
            "a <code>b<br></code> c",
            "<table><tr><td class=code>AT<td>Austria</table>",
            "<ol class=linenums><li><p>a</ol>",
        ] {
            assert!(codes(html).is_empty(), "{html} {:?}", codes(html));
        }
    }
}
