//! What Markdown must come out for small pages.

use crate::emit::{Flavour, MarkdownStyle, markdown_as};
use crate::{NodeId, NodeSet, Page, Parser, Tag, emit};

fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        let page = Parser::new().url("https://e.org/a/").parse_text(*html);
        assert_eq!(emit::markdown(&page, &page.subtree_set(page.root())), *expected, "{html}");
    }
}

#[test]
fn blocks_have_their_marks() {
    check(&[
        ("", ""),
        ("a<p>b</p>c", "a\n\nb\n\nc\n"),
        ("<h2>a <b>b</b><br>c</h2><h7>d</h7>", "## a b c\n\nd\n"),
        ("<h1></h1><h3> </h3>", ""),
        ("a<hr>b", "a\n\n---\n\nb\n"),
        (
            "<blockquote>a<p>b</p><blockquote>c</blockquote></blockquote><blockquote>d</blockquote>",
            "> a\n>\n> b\n>\n> > c\n\n> d\n",
        ),
        ("<dl><dt>a<dd>b<dd>c</dl>", "**a**\n\nb\n\nc\n"),
        ("<details><summary>a</summary>b</details>", "**a**\n\nb\n"),
        ("<figure><img src=i alt=j><figcaption>c</figcaption></figure>", "![j](https://e.org/a/i)\n\nc\n"),
        (
            "<figure><blockquote>a</blockquote><figcaption>b, <cite>c</cite></figcaption></figure><blockquote>d</blockquote>",
            "> a\n>\n> b, *c*\n\n> d\n",
        ),
        (
            "<figure><blockquote>a</blockquote><img src=i><figcaption>b</figcaption></figure>",
            "> a\n\n![](https://e.org/a/i)\n\nb\n",
        ),
        ("<p>\u{200d}</p><p>\u{200b}a</p><h2>\u{feff}</h2><ul><li>&ZeroWidthSpace;<li>b</ul>", "a\n\n- b\n"),
        ("a<br>b<br><br>c<br>", "a\\\nb\n\nc\n"),
        ("<h1>a<p>b<p>c", "a\n\nb\n\nc\n"),
    ]);
}

#[test]
fn lists_are_tight_unless_an_item_has_several_blocks() {
    check(&[
        ("<ul><li>a</li><ul><b>b</b></ul>c</ul>", "- a\n\n  **b**\n\nc\n"),
        ("<ul><li>a<li><p>b</p></ul>c", "- a\n- b\n\nc\n"),
        ("<ol start=9><li>a<li>b<ul><li>c</ul></ol>", "9. a\n10. b\n    - c\n"),
        ("<ul><li>a<p>b</p><li>c</ul>", "- a\n\n  b\n\n- c\n"),
        ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b\n"),
        ("<ul><li>a<pre>b\n\nc</pre></ul>", "- a\n\n  ```\n  b\n\n  c\n  ```\n"),
        ("<ul><li><blockquote>a</blockquote><li>b</ul>", "- > a\n- b\n"),
        ("<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>", "- a\n\n* b\n\n1. c\n\n1) d\n"),
        ("<ul><li>a</li><ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c\n"),
        ("<ul><li><hr>a</ul>", "- ___\n\n  a\n"),
        ("<ul><li><h2>a</h2></ul>", "- ## a\n"),
    ]);
}

#[test]
fn the_language_of_code_is_said_once() {
    let code = "```html\na\n```\n";
    check(&[
        (
            "<div><div class=head><span>HTML</span><button>Copy</button></div><pre class='brush: html'><code>a</code></pre></div>",
            code,
        ),
        ("<p>html</p><div class='highlight language-html'><pre>a</pre></div>", code),
        ("<p>css</p><pre class='brush: html'>a</pre>", &format!("css\n\n{code}")),
        ("<p>html</p><p>b</p><pre class='brush: html'>a</pre>", &format!("html\n\nb\n\n{code}")),
        ("<table><tr><th>a&nbsp;<th>b<tr><td>c &nbsp;<td>&nbsp;</table>", "| a | b |\n| --- | --- |\n| c |  |\n"),
    ]);
}

#[test]
fn media_and_frames_are_links_and_no_words_of_the_text() {
    let html = "<p>a</p><iframe src=//v.example/embed/1 title='A [big]\nboat'></iframe><p>b <video src=clip.mp4></video></p>\
                <iframe src=https://c.example/ height=1></iframe><ul><li><audio src=//v.example/s.ogg></audio>c</ul>";
    check(&[(
        html,
        "a\n\n[A \\[big\\] boat](https://v.example/embed/1)\n\nb\n\n[clip.mp4](https://e.org/a/clip.mp4)\n\n\
         - [s.ogg](https://v.example/s.ogg)\n\n  c\n",
    )]);
    let page = Parser::new().url("https://e.org/a/").parse_text(html);
    let all = page.subtree_set(page.root());
    assert_eq!(emit::text(&page, &all), "a\n\nb\n\n- c\n");
    let style = MarkdownStyle { links: emit::LinkStyle::Dropped, ..MarkdownStyle::default() };
    assert_eq!(markdown_as(&page, &all, style), "a\n\nb\n\n- c\n");
}

#[test]
fn emphasis_counts_as_emphasis() {
    check(&[
        ("a <b> b </b>c", "a **b** c\n"),
        ("a<i>b</i>c<em></em><b> </b>", "a*b*c\n"),
        ("<b>a<strong>b</strong></b>", "**ab**\n"),
        ("<b>a</b><b>b</b> <b>c</b>", "**ab c**\n"),
        ("<i>a <b>b</b></i>", "*a **b***\n"),
        ("<b><i>a</i>b<i>c</i></b>", "***a*b<i>c</i>**\n"),
        ("<b>a (<i>b</i>)</b>", "**a (*b*)**\n"),
        ("<b>a.</b>b", "<b>a.</b>b\n"),
        ("a<b>“b”</b> c", "a<b>“b”</b> c\n"),
        ("<b>a:</b> b", "**a:** b\n"),
        ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**\n"),
        ("a<b>&nbsp;b&nbsp;</b>c", "a\u{a0}**b**\u{a0}c\n"),
        ("<del>a</del> <s>b~</s>", "~~a b\\~~~\n"),
        ("x<sup>2</sup><u>u</u>", "x²u\n"),
    ]);
}

#[test]
fn code_is_kept_as_it_is() {
    check(&[
        ("<code>a*b</code> <code> c `d` </code>", "`a*b` `` c `d` ``\n"),
        ("<code>a</code><code>b</code>", "`ab`\n"),
        ("<b><code>a</code></b>", "**`a`**\n"),
        ("<pre><code class=language-rust>fn a() {\n    <b>b</b>\n}\n</code></pre>", "```rust\nfn a() {\n    b\n}\n```\n"),
        ("<pre>a\n```\nb</pre>", "````\na\n```\nb\n````\n"),
        ("<pre><div>a</div><div>b</div>c<br>d</pre>", "```\na\nb\nc\nd\n```\n"),
        ("<pre>\n\n  a</pre><pre> </pre>", "```\n  a\n```\n"),
        ("<table><tr><td class=gutter><pre>1\n2</pre><td><pre>a\nb</pre></table>", "```\na\nb\n```\n"),
        (
            "<table><tr><td><code>1.<br>2.<br>3.<br></code></td>\n<td class=code><code>a<br>\n&nbsp;b<br>\nc<br></code></table>",
            "```\na\n b\nc\n```\n",
        ),
    ]);
}

#[test]
fn links_and_images_have_absolute_addresses() {
    check(&[
        ("<a href=b>c [1]</a>", "[c \\[1\\]](https://e.org/a/b)\n"),
        ("<a href='b_(c)'>d</a><a href='b(c'>d</a>", "[d](https://e.org/a/b_(c))[d](https://e.org/a/b\\(c)\n"),
        ("<a href='javascript:x()'>a</a> <a>b</a> <a href=c></a>", "a b\n"),
        ("<a href=b><h3>c</h3><p>d</p></a>", "### [c](https://e.org/a/b)\n\n[d](https://e.org/a/b)\n"),
        ("a!<a href=b>c</a>", "a\\![c](https://e.org/a/b)\n"),
        ("<a href=b><img src=c alt='d\n[e]'></a>", "[![d \\[e\\]](https://e.org/a/c)](https://e.org/a/b)\n"),
        ("<img src=a width=1 height=1><img src=data:x data-src=b>", "![](https://e.org/a/b)\n"),
        ("a<a href=b> c </a>d", "a [c](https://e.org/a/b) d\n"),
    ]);
}

#[test]
fn tables_of_data_are_tables_and_layouts_are_blocks() {
    check(&[
        (
            "<table><tr><th>a<th><b>b</b><tr><td>1|2<td><code>3|4</code></table>",
            "| a | b |\n| --- | --- |\n| 1\\|2 | `3\\|4` |\n",
        ),
        (
            "<table><caption>t</caption><tr><td>a<td>b<tr><td><td> c<br>d</table>e",
            "t\n\n| a | b |\n| --- | --- |\n|  | c<br>d |\n\ne\n",
        ),
        (
            "<table><tr><th rowspan=2>a<th>b<tr><td>c<tr><td colspan=2>d<td>e</table>",
            "| a | b |  |\n| --- | --- | --- |\n|  | c |  |\n| d |  | e |\n",
        ),
        ("<table><tr><td>a<td><p>b<p>c</table>", "a\n\nb\n\nc\n"),
        ("<ul><li><table><tr><th>a<th>b<tr><td>c<td>d</table></ul>", "- | a | b |\n  | --- | --- |\n  | c | d |\n"),
    ]);
}

#[test]
fn text_that_looks_like_markdown_is_escaped_and_no_more() {
    check(&[
        ("snake_case _a_ 2 * 3 *b* a*b", "snake_case \\_a\\_ 2 * 3 \\*b\\* a\\*b\n"),
        (
            "<p># a<p>#a<p>- b<p>-b<p>+ c<p>1. d<p>1.5<p>2) e<p>&gt; f<p>=",
            "\\# a\n\n#a\n\n\\- b\n\n-b\n\n\\+ c\n\n1\\. d\n\n1.5\n\n2\\) e\n\n\\> f\n\n\\=\n",
        ),
        ("a # b - c + d 1. e > f", "a # b - c + d 1. e > f\n"),
        ("a<br>---<br>===", "a\\\n\\---\\\n\\===\n"),
        ("[1] [a](b) [c]: d ![e]", "[1] [a\\](b) [c\\]: d \\![e]\n"),
        ("1 &lt; 2 &lt;b> &amp;amp; &amp; AT&amp;T; &amp;#1;", "1 < 2 \\<b> \\&amp; & AT\\&T; \\&#1;\n"),
        ("`a` C:\\dir \\* ~1 a~b a|b", "\\`a\\` C:\\dir \\\\\\* ~1 a\\~b a|b\n"),
        ("<h1>a #</h1><h1>C#</h1>", "# a \\#\n\n# C#\n"),
        ("<b>1</b>. a <span>1</span>. a", "**1**. a 1. a\n"),
        ("<span>1</span>. a", "1\\. a\n"),
    ]);
}

#[test]
fn markup_of_ancestors_applies_to_chosen_text() {
    let page = Parser::new().parse_text("<ol><li>a<li>b <b>c</b> d</ol>");
    let texts: Vec<NodeId> = page.nodes().filter(|node| page.tag(*node) == Tag::Text).collect();
    assert_eq!(emit::markdown(&page, &NodeSet::from_nodes(&page, [texts[2]])), "1. **c**\n");
}

#[test]
fn deep_nesting_does_not_blow_up() {
    let html = format!("{}{}", "<ul><li>a<blockquote><b>".repeat(200), "<p>b</p>".repeat(100));
    let page = Parser::new().parse_text(html);
    assert!(emit::markdown(&page, &page.subtree_set(page.root())).len() < 100_000);
}

/// What is written of a page of which only some texts are taken.
fn without(html: &str, gone: &[&str]) -> [String; 3] {
    let page = crate::Page::parse(html);
    let is_taken = |node: &crate::NodeId| page.tag(*node) == crate::Tag::Text && !gone.contains(&page.string(*node));
    let nodes = crate::NodeSet::from_nodes(&page, page.nodes().filter(is_taken));
    [crate::emit::markdown(&page, &nodes), crate::emit::text(&page, &nodes), crate::emit::html(&page, &nodes)]
}

#[test]
fn a_cell_of_which_nothing_is_taken_is_an_empty_cell() {
    let table = "<table><tr><th>Tea</th><th>Price</th><th>From</th></tr><tr><td>green</td><td>4</td><td>Uji</td></tr>\
                 <tr><td>black</td><td>3</td><td>Assam</td></tr></table>";
    let [markdown, text, html] = without(table, &["green", "3"]);
    assert_eq!(markdown, "| Tea | Price | From |\n| --- | --- | --- |\n|  | 4 | Uji |\n| black |  | Assam |\n");
    assert_eq!(text, "Tea\tPrice\tFrom\n\t4\tUji\nblack\t\tAssam\n");
    assert!(html.contains("<td></td>\n<td>4</td>"), "{html}");
}

#[test]
fn cells_stay_in_their_columns_below_one_of_several_rows() {
    let table = "<table><tr><th>Year</th><th>Team</th><th>Goals</th></tr><tr><td rowspan=2>2001</td><td>A</td><td>1</td></tr><tr><td>B</td><td>2</td></tr></table>";
    let [markdown, text, _] = without(table, &["A"]);
    assert_eq!(markdown, "| Year | Team | Goals |\n| --- | --- | --- |\n| 2001 |  | 1 |\n|  | B | 2 |\n");
    assert_eq!(text, "Year\tTeam\tGoals\n2001\t\t1\n\tB\t2\n");
}

#[test]
fn common_mark_has_no_extension_and_no_html() {
    let cases = [
        ("<table><tr><th>a<th>b<tr><td><td>1. x|y<tr><td>- c<td></table>d", "+ **a** | **b**\n+ | 1. x\\|y\n+ \\- c |\n\nd\n"),
        ("<p>x<sub>a b</sub> <b>a.</b>b", "x\\_(a b) a.b\n"),
        ("<p>a<sup><a href=#n>1</a></sup><ol><li id=n>b</ol>", "a[1](#n)\n\n1. b\n"),
    ];
    for (html, expected) in cases {
        let page = Page::parse(html);
        let style = MarkdownStyle { flavour: Flavour::CommonMark, ..MarkdownStyle::default() };
        assert_eq!(markdown_as(&page, &page.subtree_set(page.root()), style), expected, "{html}");
    }
}

#[test]
fn a_word_in_two_links_to_one_place_is_one_link() {
    check(&[
        ("<p>see <a href=c>case stud</a><a href=c>ies</a>.", "see [case studies](https://e.org/a/c).\n"),
        ("<a href=c><b>a</b>b</a><a href=c>c</a><a href=c>d</a>", "[**a**bcd](https://e.org/a/c)\n"),
        ("<a href=c>a</a><a href=d>b</a>", "[a](https://e.org/a/c)[b](https://e.org/a/d)\n"),
        ("<a href=c>a</a> <a href=c>b</a>", "[a](https://e.org/a/c) [b](https://e.org/a/c)\n"),
        (
            "<table><tr><th>x<th>y<tr><td><a href=c>case stud</a><a href=c>ies</a><td>é</table>",
            "| x | y |\n| --- | --- |\n| [case studies](https://e.org/a/c) | é |\n",
        ),
    ]);
}
