//! The walk that all emitters share: the nodes of a set and their ancestors, in document order, without recursion.
//!
//! What no output shows (`unwritten`), raw text and comments are not handed on, whatever the set says. A text node is handed on only if
//! it is in the set; an element if it is in the set or stands above a node of it, so that its markup applies; a leaf
//! (`img`, `br`, `hr`, media, frames) only if it is in the set. A row of a table is handed on with all its cells: one of which nothing
//! is in the set is an empty cell, and those after it stay in their columns. What is one line or numbered, although its elements do not
//! say so (`recipe`), is handed on as the elements that would; side notes stand apart from the sentence around them.
//!
//! Ancestors are found on the way up from each node of the set to the innermost element that is open already, so that
//! each is climbed over once: the walk is linear in the nodes it visits.

use super::between::Between;
use super::drawing::{is_set_apart, starts_line_of_drawing};
use super::edges::{ends_word, text_ends_word};
use super::formula::{Formula, formula, is_second_copy};
use super::meant::meant;
use super::recipe::{is_ingredient, is_ingredient_list, is_numbered, is_word};
use super::side_notes::is_side_note;
use super::tasks::task;
use super::unwritten::{is_left_out, is_never_written, without_opening};
use crate::{NodeId, NodeSet, Page, Tag};
use std::ops::Range;

/// What an emitter does at each step of the walk.
pub(super) trait Visitor {
    /// A piece of text, white space as in the page.
    fn text(&mut self, text: &str);
    /// An element that has no content of its own: `br`, `hr`, `audio`, `video`, `iframe`.
    fn leaf(&mut self, node: NodeId, tag: Tag);
    /// An `img`. Whether it is written.
    fn image(&mut self, _: NodeId) -> bool {
        false
    }
    /// A formula, in place of the element that it is.
    fn formula(&mut self, node: NodeId, formula: &Formula);
    /// An element starts. Whether to go into it; if not, it is not left either.
    fn enter(&mut self, node: NodeId, tag: Tag) -> bool;
    /// An element ends.
    fn leave(&mut self, node: NodeId, tag: Tag);
    /// A space comes that the page does not have.
    fn space(&mut self) {
        self.text(" ");
    }
    /// The item that has started is a task, which is done or not.
    fn task(&mut self, is_done: bool) {
        self.text(if is_done { "☑ " } else { "☐ " });
    }
    /// A side note comes. Whether it is written elsewhere.
    fn moves_side_note(&mut self, _: NodeId) -> bool {
        false
    }
}

/// Walks the nodes of a set together with their ancestors.
pub(super) fn walk(page: &Page, nodes: &NodeSet, visitor: &mut impl Visitor) {
    walk_over(page, page.root(), nodes.iter(), visitor);
}

/// Walks nodes below a root, which come in document order, together with their ancestors below it.
pub(super) fn walk_over(page: &Page, root: NodeId, nodes: impl Iterator<Item = NodeId>, visitor: &mut impl Visitor) {
    let mut open: Vec<NodeId> = Vec::new();
    let mut climbed: Vec<NodeId> = Vec::new();
    let mut state = State {
        rows: Rows::default(),
        line: root..root,
        ingredients: None,
        pair: None,
        notes: Vec::new(),
        task: None,
        between: Between::new(root),
    };
    let mut skip_to = NodeId(0);
    'nodes: for node in nodes {
        if node < skip_to || node.index() >= page.len() {
            continue;
        }
        while let Some(last) = open.pop_if(|last| page.end(*last) <= node) {
            leave(page, last, &mut state, visitor);
        }
        state.between.come_to(page, node);
        let above = open.last().copied().unwrap_or(root);
        let mut ancestor = page.parent(node);
        while let Some(at) = ancestor.filter(|at| *at > above) {
            climbed.push(at);
            ancestor = page.parent(at);
        }
        while let Some(at) = climbed.pop() {
            if !enter(page, at, &mut state, visitor) {
                skip_to = page.end(at);
                state.between.pass(page, at);
                climbed.clear();
                continue 'nodes;
            }
            open.push(at);
        }
        match page.tag(node) {
            Tag::Text => {
                let text = page.string(node);
                let written = without_opening(page, node, text);
                state.between.before_text(written, visitor);
                if state.task.is_some() && page.counts(node).chars > 0 {
                    state.task.take().into_iter().for_each(|is_done| visitor.task(is_done));
                }
                visitor.text(written);
                if text_ends_word(page, node, text) {
                    visitor.text(" ");
                }
            }
            Tag::Img if is_second_copy(page, node, Tag::Img) => {}
            tag @ (Tag::Img | Tag::Script) if let Some(formula) = formula(page, node, tag) => {
                state.between.before_piece(visitor);
                visitor.formula(node, &formula);
                skip_to = page.end(node);
                state.between.pass(page, node);
            }
            Tag::Img => state.between.picture(node, visitor),
            Tag::Br => {
                state.between.take_break();
                visitor.leaf(node, Tag::Br);
            }
            Tag::Hr => {
                state.between.end_line();
                visitor.leaf(node, Tag::Hr);
            }
            tag @ (Tag::Audio | Tag::Video | Tag::Iframe) => {
                visitor.leaf(node, tag);
                skip_to = page.end(node);
                state.between.pass(page, node);
            }
            Tag::Document | Tag::Doctype | Tag::Comment | Tag::Raw => {}
            _ if enter(page, node, &mut state, visitor) => open.push(node),
            _ => {
                skip_to = page.end(node);
                state.between.pass(page, node);
            }
        }
    }
    while let Some(last) = open.pop() {
        leave(page, last, &mut state, visitor);
    }
}

/// What the walk is in.
struct State {
    rows: Rows,
    /// What is below the element that is one line.
    line: Range<NodeId>,
    /// The list of definitions whose pairs are ingredients, and the part that began the pair which is open.
    ingredients: Option<NodeId>,
    pair: Option<NodeId>,
    /// The side notes.
    notes: Vec<NodeId>,
    /// Whether the task is done of which nothing is written yet.
    task: Option<bool>,
    between: Between,
}

impl State {
    /// The element as which one is handed on.
    fn tag(&self, page: &Page, node: NodeId) -> Tag {
        match page.tag(node) {
            tag if self.line.contains(&node) && tag.is_block() => Tag::Span,
            Tag::Ul if is_numbered(page, node) => Tag::Ol,
            Tag::Dl if self.ingredients == Some(node) => Tag::Ul,
            Tag::A if is_link_to_its_heading(page, node) => Tag::Span,
            tag => meant(page, node, tag),
        }
    }
}

impl State {
    /// Whether a part of a list of ingredients begins a pair; notes where such a list begins.
    #[inline(never)]
    fn begins_pair(&mut self, page: &Page, node: NodeId, tag: Tag) -> bool {
        match tag {
            Tag::Dl if self.line.end <= node && is_ingredient_list(page, node) => {
                self.ingredients = Some(node);
                self.line = NodeId(node.0 + 1)..page.end(node);
                false
            }
            // One of which the term is left out begins with its definition.
            Tag::Dt | Tag::Dd if self.ingredients.is_some() && self.line.contains(&node) => {
                tag == Tag::Dt || self.pair.is_none_or(|pair| next_element(page, pair) != Some(node))
            }
            _ => false,
        }
    }
}

/// Ends the pair of a list of ingredients that is open, an item.
fn leave_pair(state: &mut State, visitor: &mut impl Visitor) {
    if let Some(pair) = state.pair.take() {
        visitor.leave(pair, Tag::Li);
    }
}

/// The rows that are open, each with the place up to which its cells have been visited.
#[derive(Default)]
struct Rows(Vec<(NodeId, NodeId)>);

impl Rows {
    /// Visits the cells of the innermost row that stand before a place, as empty ones.
    fn visit_before(&mut self, page: &Page, place: NodeId, visitor: &mut impl Visitor) {
        let Some((_, next)) = self.0.last_mut() else { return };
        while *next < place {
            let (cell, tag) = (*next, page.tag(*next));
            *next = page.end(cell);
            if matches!(tag, Tag::Td | Tag::Th) && !is_never_written(page, cell) && visitor.enter(cell, tag) {
                visitor.leave(cell, tag);
            }
        }
    }
}

/// Hands on everything but the marks of links; their text stays.
pub(super) struct Unlinked<'v, V>(pub(super) &'v mut V);

impl<V: Visitor> Visitor for Unlinked<'_, V> {
    fn text(&mut self, text: &str) {
        self.0.text(text);
    }

    fn leaf(&mut self, node: NodeId, tag: Tag) {
        self.0.leaf(node, tag);
    }

    fn formula(&mut self, node: NodeId, formula: &Formula) {
        self.0.formula(node, formula);
    }

    fn enter(&mut self, node: NodeId, tag: Tag) -> bool {
        tag == Tag::A || self.0.enter(node, tag)
    }

    fn leave(&mut self, node: NodeId, tag: Tag) {
        if tag != Tag::A {
            self.0.leave(node, tag);
        }
    }

    fn image(&mut self, node: NodeId) -> bool {
        self.0.image(node)
    }

    fn space(&mut self) {
        self.0.space();
    }

    fn task(&mut self, is_done: bool) {
        self.0.task(is_done);
    }

    fn moves_side_note(&mut self, note: NodeId) -> bool {
        self.0.moves_side_note(note)
    }
}

fn enter(page: &Page, node: NodeId, state: &mut State, visitor: &mut impl Visitor) -> bool {
    let tag = page.tag(node);
    if is_left_out(page, node, tag) {
        return false;
    }
    match tag {
        Tag::Math => {
            if let Some(formula) = formula(page, node, tag) {
                state.between.before_piece(visitor);
                visitor.formula(node, &formula);
            }
            return false;
        }
        Tag::Td | Tag::Th if state.rows.0.last().is_some_and(|(row, _)| page.parent(node) == Some(*row)) => {
            state.rows.visit_before(page, node, visitor);
            if let Some((_, next)) = state.rows.0.last_mut() {
                *next = page.end(node);
            }
        }
        _ if is_side_note(page, node, tag) => {
            if visitor.moves_side_note(node) {
                return false;
            }
            state.notes.push(node);
            state.between.before_piece(visitor);
            visitor.text(" (");
        }
        Tag::Foreign if starts_line_of_drawing(page, node) => visitor.text(" "),
        _ if is_set_apart(page, node, tag) || state.line.contains(&node) && tag.is_block() => visitor.text(" "),
        _ => {}
    }
    if state.begins_pair(page, node, tag) {
        leave_pair(state, visitor);
        state.between.end_line();
        let goes_in = visitor.enter(node, Tag::Li);
        state.pair = goes_in.then_some(node);
        return goes_in;
    }
    let written = state.tag(page, node);
    if written.is_block() {
        state.between.end_line();
    } else {
        state.between.write_lines(visitor);
    }
    let goes_in = visitor.enter(node, written);
    match tag {
        Tag::Tr if goes_in => state.rows.0.push((node, NodeId(node.0 + 1))),
        Tag::Li => state.task = task(page, node),
        _ => {}
    }
    if !goes_in && state.ingredients == Some(node) {
        (state.ingredients, state.line) = (None, node..node);
    }
    if goes_in && state.line.end <= node && is_ingredient(page, node) {
        state.line = NodeId(node.0 + 1)..page.end(node);
    }
    if !goes_in && state.notes.pop_if(|note| *note == node).is_some() {
        visitor.text(")");
    }
    goes_in
}

fn leave(page: &Page, node: NodeId, state: &mut State, visitor: &mut impl Visitor) {
    let tag = page.tag(node);
    if tag == Tag::Tr {
        state.rows.visit_before(page, page.end(node), visitor);
        state.rows.0.pop();
    }
    if state.pair == Some(node) {
        return visitor.text(" ");
    }
    if state.ingredients == Some(node) {
        leave_pair(state, visitor);
    }
    let written = state.tag(page, node);
    if written.is_block() {
        state.between.end_line();
    }
    visitor.leave(node, written);
    if state.ingredients == Some(node) {
        state.ingredients = None;
    }
    if state.notes.pop_if(|note| *note == node).is_some() {
        visitor.text(")");
    } else if is_set_apart(page, node, tag)
        || ends_word(page, node, tag)
        || state.line.contains(&node) && (tag.is_block() || is_word(page, node))
    {
        visitor.text(" ");
    }
}

/// The element behind another.
fn next_element(page: &Page, node: NodeId) -> Option<NodeId> {
    std::iter::successors(page.next_sibling(node), |node| page.next_sibling(*node)).find(|node| page.is_element(*node))
}

/// Whether a link is a whole heading and leads to that heading, or back to where it stands in the list of contents.
#[inline(never)]
fn is_link_to_its_heading(page: &Page, link: NodeId) -> bool {
    const MOST_NODES: usize = 64;
    let Some(name) = page.attr(link, "href").and_then(|href| href.trim().strip_prefix('#')) else { return false };
    let Some(heading) = page.ancestors(link).take(3).find(|above| page.tag(*above).heading_level().is_some()) else {
        return false;
    };
    let is_named = |node: NodeId| [page.attr(node, "id"), page.attr(node, "name")].contains(&Some(name));
    let around = || page.ancestors(heading).take(2).chain(page.previous_sibling(heading));
    let says_more = |text: NodeId| {
        page.tag(text) == Tag::Text
            && !page.range(link).contains(&text.index())
            && page.string(text).contains(char::is_alphanumeric)
    };
    page.range(heading).len() <= MOST_NODES
        && !page.descendants(heading).any(says_more)
        && (page.classes(link).any(|class| class == "toc-backref")
            || page.subtree(heading).any(is_named)
            || around().any(is_named))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    struct Trace<'p>(&'p Page, String);

    impl Visitor for Trace<'_> {
        fn text(&mut self, text: &str) {
            self.1.push_str(text);
        }
        fn leaf(&mut self, _: NodeId, tag: Tag) {
            let _ = write!(self.1, "[{}]", tag.name());
        }
        fn formula(&mut self, _: NodeId, formula: &Formula) {
            let _ = write!(self.1, "${}$", formula.tex);
        }
        fn enter(&mut self, node: NodeId, tag: Tag) -> bool {
            let _ = write!(self.1, "<{}>", tag.name());
            self.0.attr(node, "class") != Some("skip")
        }
        fn leave(&mut self, _: NodeId, tag: Tag) {
            let _ = write!(self.1, "</{}>", tag.name());
        }
    }

    fn trace(page: &Page, nodes: &NodeSet) -> String {
        let mut trace = Trace(page, String::new());
        walk(page, nodes, &mut trace);
        trace.1
    }

    fn all(html: &str) -> String {
        let page = Page::parse(html);
        let body = page.body().unwrap();
        trace(&page, &NodeSet::from_roots(&page, page.children(body)))
    }

    #[test]
    fn lines_on_both_sides_of_others_that_are_left_out_stay_apart() {
        let page = Page::parse("<div>one<br>two<br>three<p>four</p>five<b>six</b>seven<br>eight</div>");
        let is_taken = |node: &NodeId| matches!(page.text(*node), "one" | "three" | "five" | "seven" | "eight");
        let texts = page.nodes().filter(|node| page.tag(*node) == Tag::Text);
        let nodes = NodeSet::from_nodes(&page, texts.filter(is_taken));
        assert_eq!(crate::emit::text(&page, &nodes), "one\n\nthree\nfiveseven\neight\n");
        assert_eq!(crate::emit::markdown(&page, &nodes), "one\n\nthree\\\nfiveseven\\\neight\n");
        assert_eq!(crate::emit::html(&page, &nodes), "<p>one<br><br>three<br>fiveseven<br>eight</p>\n");
    }

    #[test]
    fn what_is_said_again_to_who_listens_is_written_once() {
        for (html, expected) in [
            ("<p>See all<span class=clipped>See all boats</span>", "See all"),
            ("<span aria-hidden=true>A boat</span> <span class='x visually-hidden'> A boat</span>", "A boat"),
            ("<span>Read</span><span class=sr-only>about boats</span>", "Readabout boats"),
            ("<span class=sr-only>A boat</span>", "A boat"),
        ] {
            let page = Page::parse(html);
            assert_eq!(crate::emit::text(&page, &page.subtree_set(page.root())).trim_end(), expected, "{html}");
        }
    }

    #[test]
    fn what_is_never_written_is_not_visited() {
        let never = "a<script>x</script><!--x--><style>x</style><template><p>x</template><noscript><p>x</p></noscript><button>x</button>\
                     <select><option>x</select><textarea>x</textarea><canvas>x</canvas><iframe>x</iframe>b";
        assert_eq!(all(never), "<html><body>a[iframe]b</body></html>");
        assert_eq!(all("<video><p>x</p></video><label>b</label>"), "<html><body>[video]<label>b</label></body></html>");
        assert_eq!(
            all("<svg><title>x</title><text>b</text></svg>"),
            "<html><body> <svg><#foreign></#foreign> <#foreign>b</#foreign> </svg> </body></html>"
        );
        assert_eq!(all("<a>b<svg><path/></svg></a>."), "<html><body><a>b<svg><#foreign></#foreign></svg></a>.</body></html>");
        assert_eq!(all("<b>b</b><svg></svg>6"), "<html><body><b>b</b> <svg></svg> 6</body></html>");
        assert_eq!(all("<math><mi>b</mi><annotation>x</annotation></math>"), "<html><body>$b$</body></html>");
    }

    #[test]
    fn a_noscript_that_swallows_the_page_is_visited() {
        assert_eq!(all("x<noscript><p>a</noscript><p>b"), "<html><body>x<noscript><p>a</p><p>b</p></noscript></body></html>");
    }

    #[test]
    fn a_noscript_that_is_the_page_is_visited() {
        let long = "a ".repeat(30);
        assert_eq!(
            all(&format!("x<noscript><p>{long}</p></noscript>")),
            format!("<html><body>x<noscript><p>{long}</p></noscript></body></html>")
        );
        assert_eq!(all(&format!("{long}<noscript><p>{long}</p></noscript>")), format!("<html><body>{long}</body></html>"));
        assert_eq!(all("x<noscript>Turn scripts on.</noscript>"), "<html><body>x</body></html>");
    }

    #[test]
    fn line_numbers_beside_code_are_not_visited_but_numbers_in_tables_are() {
        assert_eq!(all("<span class=lineno>12 </span>x"), "<html><body>x</body></html>");
        assert_eq!(all("<span class=lineno>12a</span>"), "<html><body><span>12a</span></body></html>");
        assert_eq!(all("<span class=n>12</span>"), "<html><body><span>12</span></body></html>");
        for numbers in ["<code>1.<br>2.<br>3.<br></code>", "<pre>7\n8\n9\n</pre>", "<div>1</div><div>2</div><div>3</div>"] {
            let beside = |cell: &str| format!("<table><tr><td>{numbers}</td> <td>{cell}</td></tr></table>");
            assert!(!all(&beside("<div><pre>a\nb\nc</pre></div>")).contains(['2', '8']), "{numbers}");
            assert!(all(&beside("Vienna")).contains(['2', '8']), "{numbers}");
        }
        assert!(!all("<div><pre>1\n2\n3\n</pre><pre>a\nb\nc</pre></div>").contains('2'));
        assert!(all("<div><pre>1\n2\n4\n</pre><pre>a\nb\nc</pre></div>").contains('2'));
        assert!(all("<table><tr><td>12</td><td><code>a</code></td></tr></table>").contains("12"));
    }

    #[test]
    fn remarks_on_how_to_use_the_page_are_not_visited() {
        assert_eq!(all("<h2>a<a class=headerlink href=#a>¶</a></h2>"), "<html><body><h2>a</h2></body></html>");
        assert_eq!(all("<h2>C<a href=#x>#</a></h2>"), "<html><body><h2>C</h2></body></html>");
        assert_eq!(all("<p>C<a href=#x>#</a></p>"), "<html><body><p>C<a>#</a></p></body></html>");
        assert_eq!(
            all("<div><h2>a</h2><span class=mw-editsection>[<a>edit</a>]</span></div>"),
            "<html><body><div><h2>a</h2></div></body></html>"
        );
        assert_eq!(all("<a>b<span class=sr-only>(opens in a new window)</span></a>"), "<html><body><a>b</a></body></html>");
        assert_eq!(all("<dl><dt>a<a href=#a>¶</a></dl>"), "<html><body><dl><dt>a</dt></dl></body></html>");
        for remark in [
            "<span>(opens in a new tab)</span>",
            "<em>Opens in a new window.</em>",
            " (opens in new window)",
            "<span class=x><span class=y>(link is external)</span></span>",
            "<span class=fr-sr-only> - nouvelle fenêtre</span>",
            "<span class=icon>öffnet in neuem Fenster</span>",
        ] {
            let text = all(&format!("<p><a>b{remark}</a>"));
            assert!(text.replace("<span></span>", "").trim_end().ends_with("<a>b</a></p></body></html>"), "{remark}: {text}");
        }
        assert_eq!(
            all("<p>A window (opens in a new window)"),
            "<html><body><p>A window (opens in a new window)</p></body></html>"
        );
        assert_eq!(all("<a>Opens in a new window</a>"), "<html><body><a>Opens in a new window</a></body></html>");
        assert_eq!(all("<span class=sr-only>Chapter</span>"), "<html><body><span>Chapter</span></body></html>");
    }

    #[test]
    fn a_heading_that_is_a_link_to_itself_is_no_link() {
        for heading in [
            "<h2 id=rain><a href=#rain>Rain</a></h2>",
            "<h2><a class=anchor id=rain href=#rain>Rain</a></h2>",
            "<section id=rain><h2><a href=#rain>Rain</a></h2></section>",
            "<h2><a class=toc-backref href=#id3>Rain</a><a class=headerlink href=#rain>¶</a></h2>",
        ] {
            let page = Page::parse(heading);
            let nodes = page.subtree_set(page.root());
            assert_eq!(crate::emit::markdown(&page, &nodes), "## Rain\n", "{heading}");
            assert!(!crate::emit::html(&page, &nodes).contains("href"), "{heading}");
        }
        for link in [
            "<h3><a href=#bio>George</a></h3><p id=bio>He",
            "<h3 id=x>Rain <a href=#x>again</a></h3>",
            "<p id=x><a href=#x>Rain</a>",
        ] {
            let page = Page::parse(link);
            assert!(crate::emit::markdown(&page, &page.subtree_set(page.root())).contains("](#"), "{link}");
        }
    }

    #[test]
    fn every_cell_of_a_row_is_visited_and_of_other_rows_none() {
        let page = Page::parse("<table><tr><td>a<td>b<td>c<tr><td>d</table>");
        let texts: Vec<NodeId> = page.nodes().filter(|node| page.tag(*node) == Tag::Text).collect();
        assert_eq!(
            trace(&page, &NodeSet::from_nodes(&page, [texts[1]])),
            "<html><body><table><tbody><tr><td></td><td>b</td><td></td></tr></tbody></table></body></html>"
        );
    }

    #[test]
    fn ancestors_are_entered_once_and_text_is_written_only_if_chosen() {
        let page = Page::parse("<div><p>a<b>b</b>c</p>d</div><p>e</p><hr>");
        let texts: Vec<NodeId> = page.nodes().filter(|node| page.tag(*node) == Tag::Text).collect();
        let set = NodeSet::from_nodes(&page, [texts[0], texts[2], texts[4]]);
        assert_eq!(trace(&page, &set), "<html><body><div><p>ac</p></div><p>e</p></body></html>");
        assert_eq!(trace(&page, &NodeSet::new(&page)), "");
    }

    #[test]
    fn what_is_not_gone_into_is_not_left() {
        assert_eq!(all("a<p class=skip><b>b</b></p>c"), "<html><body>a<p>c</body></html>");
        let page = Page::parse("<p class=skip><b>b</b><i>i</i></p>c");
        let texts: Vec<NodeId> = page.nodes().filter(|node| page.tag(*node) == Tag::Text).collect();
        assert_eq!(trace(&page, &NodeSet::from_nodes(&page, texts)), "<html><body><p>c</body></html>");
    }
}
