//! What must hold for any page: the emitters agree on its words, and what they write reads back.

use crate::emit::MarkdownStyle;
use crate::words::words;
use crate::{NodeId, NodeSet, Page, Parser, Tag, emit};
use proptest::prelude::*;
use pulldown_cmark::{Options, Parser as Markdown, html::push_html};

fn parse(html: &str) -> Page {
    Parser::new().url("https://e.org/a/b").parse_text(html)
}

fn everything(page: &Page) -> NodeSet {
    page.subtree_set(page.root())
}

fn render(markdown: &str) -> String {
    let mut html = String::new();
    push_html(&mut html, Markdown::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH));
    html
}

/// The words of plain text, but for numbers: clean HTML and rendered Markdown may count the items of a list anew.
fn solid(text: &str) -> Vec<&str> {
    words(text).filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit())).collect()
}

/// All characters but white space and what shows nothing, the markers of lists, which rendered Markdown numbers anew, and quotes, which are marks of `q`.
fn characters(page: &Page, nodes: &NodeSet) -> String {
    nodes
        .iter()
        .filter(|node| page.tag(*node) == Tag::Text)
        .flat_map(|node| page.string(node).chars())
        .filter(|character| !character.is_whitespace() && !matches!(character, '“' | '”' | '\u{200b}' | '\u{200d}'))
        .collect()
}

fn markdown_renders_to_the_same_text(html: &str) -> Result<(), TestCaseError> {
    let page = parse(html);
    let nodes = everything(&page);
    let text = emit::text(&page, &nodes);
    let markdown = emit::markdown(&page, &nodes);
    let rendered = render(&markdown);
    let again = parse(&rendered);
    let text_again = emit::text(&again, &everything(&again));
    prop_assert_eq!(solid(&text_again), solid(&text), "\n{}\n-- markdown\n{}\n-- rendered\n{}", html, &markdown, &rendered);
    let written = parse(&emit::html(&page, &nodes));
    prop_assert_eq!(
        characters(&again, &everything(&again)),
        characters(&written, &everything(&written)),
        "\n{}\n-- markdown\n{}\n-- rendered\n{}",
        html,
        &markdown,
        &rendered
    );
    Ok(())
}

fn narrow_markdown_has_the_same_words(html: &str) -> Result<(), TestCaseError> {
    let page = parse(html);
    let nodes = everything(&page);
    let words_of = |rendered: &str| {
        let again = parse(rendered);
        solid(&emit::text(&again, &everything(&again))).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = words_of(&render(&emit::markdown(&page, &nodes)));
    let narrow = emit::markdown_as(&page, &nodes, MarkdownStyle { width: Some(12), ..MarkdownStyle::default() });
    prop_assert_eq!(words_of(&render(&narrow)), expected, "\n{}\n-- narrow\n{}", html, &narrow);
    Ok(())
}

fn html_reads_back(html: &str) -> Result<(), TestCaseError> {
    let page = parse(html);
    let nodes = everything(&page);
    let clean = emit::html(&page, &nodes);
    let again = parse(&clean);
    let text = emit::text(&page, &nodes);
    let text_again = emit::text(&again, &everything(&again));
    prop_assert_eq!(solid(&text_again), solid(&text), "\n{}\n-- clean\n{}", html, &clean);
    prop_assert_eq!(&emit::html(&again, &everything(&again)), &clean, "\n{}", html);
    Ok(())
}

/// Text with everything that Markdown and HTML could take for their own.
fn nasty_text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{1,4}( [a-z]{1,3}){0,2}",
        2 => r"( |[a-z])?[*_~`\[\]()!<>#+=:|.\\&;1-]{1,3}( |[a-z1])?",
        1 => prop::sample::select(vec![
            " ", "\n ", "&nbsp;", "&nbsp;x", "1. a", "- b", "+ c", "* d", "# e", "> f", "```", "~~~", "---", "===", "| a | b |",
            "--- | ---", "&amp;amp;", "&amp;copy;", "&lt;b&gt;", "&lt;!--", "[x](y)", "![x](y)", "[x]: y", "[ ] z", "snake_case_word",
            "__init__", "http://e.org/a_b_c", "「漢字」", "é", "–", "“q”", "a\\", "C#", "x #", "2) g", "1986. A", "**", "\\*", "\u{3000}", "\u{200b}", "\u{200d}x",
        ]).prop_map(str::to_owned),
    ]
}

fn html_tree() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        8 => nasty_text(),
        1 => Just("<br>".to_owned()),
        1 => Just("<img src=i alt='a [b] *c*'>".to_owned()),
        1 => Just("<hr>".to_owned()),
    ];
    leaf.prop_recursive(6, 60, 5, |inner| {
        let inline = prop::sample::select(vec![
            "b",
            "i",
            "em",
            "strong",
            "s",
            "del",
            "code",
            "span",
            "a href='x(y_z'",
            "a href='/q?a=1&copy;|'",
            "small",
            "kbd",
            "span role=heading",
            "span style='font-weight:bold'",
            "span style='font-style:italic'",
            "span style='text-decoration:line-through'",
            "b style='font-weight:normal'",
            "span class=item",
            "button aria-expanded=false",
            "i class=material-icons",
        ]);
        let block = prop::sample::select(vec![
            "p",
            "div",
            "h1",
            "h2",
            "ul",
            "ol",
            "ol start=5",
            "li",
            "blockquote",
            "pre",
            "dl",
            "dt",
            "dd",
            "section",
            "figure",
            "figcaption",
            "details",
            "summary",
            "table",
            "tr",
            "td",
            "th",
            "caption",
            "form",
            "svg",
            "noscript",
            "menu",
            "center",
            "div role=heading aria-level=3",
            "template shadowrootmode=open",
            "button",
        ]);
        let many = prop::collection::vec(inner.clone(), 1..5);
        prop_oneof![
            4 => (inline, many.clone()).prop_map(|(tag, inside)| wrap(tag, &inside)),
            4 => (block, many.clone()).prop_map(|(tag, inside)| wrap(tag, &inside)),
            2 => many.clone().prop_map(|inside| inside.concat()),
            2 => (prop::sample::select(vec!["ul", "ol"]), many.clone()).prop_map(|(tag, inside)| {
                format!("<{tag}>{}</{tag}>", inside.iter().map(|item| wrap("li", std::slice::from_ref(item))).collect::<String>())
            }),
            1 => prop::collection::vec(many, 1..4).prop_map(|rows| {
                let cells = |row: &Vec<String>| row.iter().map(|cell| wrap("td", std::slice::from_ref(cell))).collect::<String>();
                format!("<table>{}</table>", rows.iter().map(|row| format!("<tr>{}</tr>", cells(row))).collect::<String>())
            }),
        ]
    })
}

fn wrap(tag: &str, inside: &[String]) -> String {
    let name = tag.split(' ').next().unwrap_or(tag);
    format!("<{tag}>{}</{name}>", inside.concat())
}

#[test]
fn marks_before_what_shows_nothing_and_lines_left_out_of_code_read_back() {
    let all = "<span><b>|</b>\u{200b}</span><p><i>a</i>\u{200b}b <b>c.</b>\u{200d}d</p>";
    markdown_renders_to_the_same_text(all).unwrap();
    let page = parse("a<code>b<b>c</b><hr>d</code>");
    let texts = page.nodes().filter(|node| matches!(page.text(*node), "a" | "b" | "d") && page.tag(*node) == Tag::Text);
    let nodes = NodeSet::from_nodes(&page, texts);
    let again = parse(&emit::html(&page, &nodes));
    assert_eq!(solid(&emit::text(&again, &everything(&again))), solid(&emit::text(&page, &nodes)));
}

#[test]
fn code_in_a_heading_of_which_some_nodes_are_chosen_is_the_same_everywhere() {
    let page = parse("<h1><kbd>a<br>a</kbd><dt>a</dt>a</h1>");
    let all: Vec<NodeId> = page.nodes().collect();
    for chosen in 0..1 << all.len() {
        let nodes = NodeSet::from_nodes(&page, all.iter().copied().filter(|node| chosen >> node.0 & 1 == 1));
        let text = emit::text(&page, &nodes);
        for html in [emit::html(&page, &nodes), render(&emit::markdown(&page, &nodes))] {
            let again = parse(&html);
            assert_eq!(solid(&emit::text(&again, &everything(&again))), solid(&text), "{chosen:b}: {html}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, max_shrink_iters: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn markdown_renders_to_the_words_of_plain_text(html in html_tree()) {
        markdown_renders_to_the_same_text(&html)?;
    }

    #[test]
    fn markdown_has_the_same_words_in_narrow_lines(html in html_tree()) {
        narrow_markdown_has_the_same_words(&html)?;
    }

    #[test]
    fn clean_html_reads_back_and_stays_as_it_is(html in html_tree()) {
        html_reads_back(&html)?;
    }

    #[test]
    fn plain_text_has_no_spaces_at_ends_of_lines_and_no_two_blank_lines(html in html_tree()) {
        // Code keeps its lines as they are.
        let html = ["pre", "code", "kbd"].iter().fold(html, |html, code| html.replace(&format!("<{code}>"), "<i>"));
        let page = parse(&html);
        let text = emit::text(&page, &everything(&page));
        prop_assert!(!text.contains("\n\n\n"), "{html}\n{text:?}");
        prop_assert!(text.is_empty() || text.ends_with('\n') && !text.ends_with("\n\n") && !text.starts_with('\n'), "{html}\n{text:?}");
        prop_assert!(text.lines().all(|line| line.trim_end() == line), "{html}\n{text:?}");
    }

    #[test]
    fn no_soup_and_no_set_of_nodes_makes_an_emitter_fail(
        soup in prop::collection::vec(prop_oneof![html_tree(), "[<>/a-z \"='&;!-]{0,12}", "</?(p|b|a|table|tr|td|li|ul|h1|pre|code|svg)>"], 0..8),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let page = parse(&soup.concat());
        let nodes = NodeSet::from_nodes(&page, picks.iter().map(|pick| NodeId(pick.index(page.len()) as u32)));
        let [text, markdown, html] = [emit::text(&page, &nodes), emit::markdown(&page, &nodes), emit::html(&page, &nodes)];
        let again = parse(&html);
        let text_again = emit::text(&again, &everything(&again));
        prop_assert_eq!(solid(&text_again), solid(&text), "{}\n{}", soup.concat(), html);
        let _ = render(&markdown);
    }
}
