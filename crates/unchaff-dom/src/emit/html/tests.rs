//! What clean HTML must come out for small pages, and that it comes out again from itself.

use crate::{Parser, emit};

fn all(html: &str) -> String {
    let page = Parser::new().url("https://e.org/a/").parse(html);
    emit::html(&page, &page.subtree_set(page.root()))
}

fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        assert_eq!(all(html), *expected, "{html}");
        assert_eq!(all(expected), *expected, "again: {html}");
    }
}

#[test]
fn containers_are_unwrapped_and_loose_text_becomes_paragraphs() {
    check(&[
        ("", ""),
        ("a", "<p>a</p>\n"),
        ("a<p>b</p>c", "<p>a</p>\n<p>b</p>\n<p>c</p>\n"),
        ("<div><section>a</section>b <i> c</i></div>", "<p>a</p>\n<p>b <i>c</i></p>\n"),
        ("<h2><div>a</div>b</h2>", "<h2>a b</h2>\n"),
        ("<blockquote>a</blockquote>", "<blockquote>\n<p>a</p>\n</blockquote>\n"),
        ("<p>a<br>b<br><br><br>c<br></p>", "<p>a<br>b<br><br>c</p>\n"),
        ("<p></p><ul><li></ul><b></b>", ""),
        ("a<hr>b", "<p>a</p>\n<hr>\n<p>b</p>\n"),
    ]);
}

#[test]
fn text_from_right_to_left_says_so() {
    check(&[
        ("<p dir=rtl>a</p><p>b</p>", "<p dir=\"rtl\">a</p>\n<p>b</p>\n"),
        ("<body dir=RTL><p>a<p dir=ltr>b", "<p dir=\"rtl\">a</p>\n<p dir=\"ltr\">b</p>\n"),
        (
            "<div dir=rtl><ul><li><p>a</p></ul>b<h2 dir=rtl>c</h2></div>d",
            "<ul dir=\"rtl\">\n<li><p>a</p>\n</li>\n</ul>\n<p dir=\"rtl\">b</p>\n<h2 dir=\"rtl\">c</h2>\n<p>d</p>\n",
        ),
        ("<html dir=ltr><p>a", "<p>a</p>\n"),
    ]);
}

#[test]
fn lists_keep_their_numbers_and_places_their_names() {
    check(&[(
        "<a href=#x>a</a><ol type=a start=3><li id=x value=4>b</ol>",
        "<p><a href=\"#x\">a</a></p>\n<ol type=\"a\" start=\"3\">\n<li id=\"x\" value=\"4\">b</li>\n</ol>\n",
    )]);
}

#[test]
fn inline_elements_never_span_blocks() {
    check(&[
        ("<b><p>a</p><p>b</p></b>", "<p><b>a</b></p>\n<p><b>b</b></p>\n"),
        (
            "<a href=b><h2>c</h2>d</a>",
            "<h2><a href=\"https://e.org/a/b\">c</a></h2>\n<p><a href=\"https://e.org/a/b\">d</a></p>\n",
        ),
        ("<b>a<b>c</b></b><span>d</span>", "<p><b>ac</b>d</p>\n"),
    ]);
}

#[test]
fn lists_and_tables_hold_only_what_they_may() {
    check(&[
        ("<ul>a<li>b<li><p>c</p>d</ul>", "<ul>\n<li>a</li>\n<li>b</li>\n<li><p>c</p>\n<p>d</p>\n</li>\n</ul>\n"),
        ("<ul><li>a</li><ul><li>b</ul></ul>", "<ul>\n<li>a</li>\n<li><ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n"),
        ("<li>a", "<p>a</p>\n"),
        ("<ol start=3><li>a</ol>", "<ol start=\"3\">\n<li>a</li>\n</ol>\n"),
        ("<dl><div><dt>a<dd>b</div></dl>", "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>\n"),
        (
            "<table><tr><th scope=col style=x>a<th>b<tr><td><td colspan=2>c</table>",
            "<table>\n<tbody>\n<tr>\n<th scope=\"col\">a</th>\n<th>b</th>\n</tr>\n<tr>\n<td></td>\n<td colspan=\"2\">c</td>\n</tr>\n</tbody>\n</table>\n",
        ),
        ("<table><tr><td>a<td><table><tr><td>b</table></table>", "<p>a</p>\n<p>b</p>\n"),
        (
            "<figure><img src=i alt=j><figcaption>c</figcaption></figure>",
            "<figure><img src=\"https://e.org/a/i\" alt=\"j\">\n<figcaption>c</figcaption>\n</figure>\n",
        ),
    ]);
}

#[test]
fn nothing_unsafe_is_written_and_everything_is_escaped() {
    check(&[
        ("<a href='javascript:x()'>a</a><a href=mailto:b@c>b</a>", "<p>a<a href=\"mailto:b@c\">b</a></p>\n"),
        (
            "<p onclick=x>1 &lt; 2 &amp;amp; <q cite='?\"&amp;'>3</q>",
            "<p>1 &lt; 2 &amp;amp; <q cite=\"https://e.org/a/?%22&amp;\">3</q></p>\n",
        ),
        ("<img src=data:x><img src=i onerror=x title='\"<'>", "<p><img src=\"https://e.org/a/i\" title=\"&quot;&lt;\"></p>\n"),
        (
            "<script>x</script><style>x</style><iframe srcdoc=x onload=x></iframe><iframe src='javascript:x()'></iframe><video src=v onplay=x><p>x</p></video>",
            "<p><video src=\"https://e.org/a/v\" controls></video></p>\n",
        ),
    ]);
}

#[test]
fn media_are_elements_and_frames_links_so_that_nothing_runs() {
    check(&[
        (
            "<p>a</p><iframe src=//v.example/1 title='A\nboat' onload=x allow=camera></iframe><p>b</p>",
            "<p>a</p>\n<p><a href=\"https://v.example/1\" title=\"A boat\">A boat</a></p>\n<p>b</p>\n",
        ),
        (
            "<audio title=Song><source src=s.ogg></audio>",
            "<p><audio src=\"https://e.org/a/s.ogg\" title=\"Song\" controls></audio></p>\n",
        ),
        ("<iframe src=https://c.example/ width=1 height=1></iframe><iframe></iframe>", ""),
    ]);
}

#[test]
fn preformatted_text_is_kept_exactly() {
    check(&[
        ("<pre>\n\n a\n  <b>b</b>\n</pre>", "<pre>\n\n a\n  <b>b</b>\n</pre>\n"),
        ("<pre><div>a</div><div>b</div>c<br>d</pre>", "<pre>a\nb\nc\nd</pre>\n"),
        ("<pre> </pre>", ""),
    ]);
}

#[test]
fn places_that_links_of_the_content_lead_to_keep_their_names() {
    let link = "<p><a href=\"#x\">to it</a></p>\n";
    for (place, expected) in [
        ("<p id=x>a</p>", "<p id=\"x\">a</p>\n"),
        ("<h2><a name=x></a>a</h2>", "<h2 id=\"x\">a</h2>\n"),
        ("<div id=x><ul><li>a</ul></div>", "<ul id=\"x\">\n<li>a</li>\n</ul>\n"),
        ("<div id=x><pre>a</pre></div>", "<pre id=\"x\">a</pre>\n"),
        ("<p>a <span id=x>b</span> c</p>", "<p>a <span id=\"x\"></span>b c</p>\n"),
        ("<p>a <b id=x>b</b> c</p>", "<p>a <b id=\"x\">b</b> c</p>\n"),
        ("<p id=y>a</p><p id=x>b</p>", "<p>a</p>\n<p id=\"x\">b</p>\n"),
    ] {
        check(&[(&format!("{link}{place}"), &format!("{link}{expected}"))]);
    }
}
