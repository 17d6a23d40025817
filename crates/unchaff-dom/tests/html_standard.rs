//! Our parser builds the trees that html5ever builds, from pages of random tag soup.
//!
//! The pages of the suite are compared too; `UNCHAFF_PAGES=DIR` also compares all pages of a folder (recursively). Those that differ are named.

#![allow(clippy::disallowed_methods, reason = "pages of the user's are read from files")]

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use std::fmt::Write as _;
use unchaff_dom::{Page, Parser, Tag, Warning};

/// One line a node: depth, what it is, attributes or text. Text nodes side by side count as one.
fn outline_of_html5ever(html: &str) -> String {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let dom = parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() }).one(html);
    let mut out = String::new();
    let mut text = None;
    let mut stack: Vec<(Handle, usize)> = vec![(dom.document.clone(), 0)];
    while let Some((node, depth)) = stack.pop() {
        if let NodeData::Text { contents } = &node.data {
            let (_, joined) = text.get_or_insert((depth, String::new()));
            joined.push_str(&contents.borrow());
            continue;
        }
        flush(&mut out, &mut text);
        match &node.data {
            NodeData::Document => out.push_str("document"),
            NodeData::Comment { contents } => write!(out, "{depth} <!--{contents}-->").unwrap(),
            NodeData::Doctype { name, .. } => write!(out, "{depth} <!doctype {name}>").unwrap(),
            NodeData::Element { name, attrs, template_contents, .. } => {
                write!(out, "{depth} {}", name.local).unwrap();
                for attribute in attrs.borrow().iter() {
                    let prefix = attribute.name.prefix.as_ref().filter(|prefix| !prefix.is_empty());
                    let prefix = prefix.map(|prefix| format!("{prefix}:")).unwrap_or_default();
                    write!(out, " {prefix}{}={:?}", attribute.name.local.to_ascii_lowercase(), &*attribute.value).unwrap();
                }
                if let Some(contents) = &*template_contents.borrow() {
                    stack.extend(contents.children.borrow().iter().rev().map(|child| (child.clone(), depth + 1)));
                }
            }
            _ => {}
        }
        out.push('\n');
        stack.extend(node.children.borrow().iter().rev().map(|child| (child.clone(), depth + 1)));
    }
    flush(&mut out, &mut text);
    out
}

fn flush(out: &mut String, text: &mut Option<(usize, String)>) {
    if let Some((depth, joined)) = text.take() {
        writeln!(out, "{depth} {joined:?}").unwrap();
    }
}

fn outline_of_ours(page: &Page) -> String {
    let mut out = String::new();
    let mut text: Option<(usize, String)> = None;
    for node in page.nodes() {
        let depth = page.depth(node);
        if matches!(page.tag(node), Tag::Text | Tag::Raw) {
            text.get_or_insert((depth, String::new())).1.push_str(page.string(node));
            continue;
        }
        flush(&mut out, &mut text);
        match page.tag(node) {
            Tag::Document => out.push_str("document"),
            Tag::Comment => write!(out, "{depth} <!--{}-->", page.string(node)).unwrap(),
            Tag::Doctype => {
                write!(out, "{depth} <!doctype {}>", page.string(node).split(' ').next().unwrap_or_default()).unwrap();
            }
            _ => {
                write!(out, "{depth} {}", page.name(node)).unwrap();
                for (name, value) in page.attrs(node) {
                    write!(out, " {name}={value:?}").unwrap();
                }
            }
        }
        out.push('\n');
    }
    flush(&mut out, &mut text);
    out
}

fn assert_same(html: &str) -> Result<(), TestCaseError> {
    let page = Parser::new().parse_text(html);
    if page.warnings().iter().any(|warning| matches!(warning, Warning::UnclosedTitle | Warning::UnclosedInNoscript)) {
        return Ok(());
    }
    prop_assert_eq!(outline_of_ours(&page), outline_of_html5ever(html), "{}", html);
    Ok(())
}

/// Pieces of tag soup: every kind of tag that has a rule of its own, opened, closed, misplaced.
fn soup(tags: Vec<&'static str>) -> impl Strategy<Value = String> {
    let tag = prop::sample::select(tags);
    let texts = ["x", " ", "y z", "\n", "&amp;", "<!-- c -->", "<![CDATA[ d ]]>", "<input type=hidden>"];
    let piece = prop_oneof![
        6 => tag.clone().prop_map(|tag| format!("<{tag}>")),
        4 => tag.clone().prop_map(|tag| format!("</{tag}>")),
        1 => (tag.clone(), 0..3u8).prop_map(|(tag, id)| format!("<{tag} id={id}>")),
        1 => tag.prop_map(|tag| format!("<{tag}/>")),
        2 => prop::sample::select(texts.to_vec()).prop_map(str::to_owned),
    ];
    let starts = ["<!doctype html>", "", "<!doctype html><body>", "<table>", "<!doctype html><div><table><tr><td>"];
    let start = prop::sample::select(starts.to_vec());
    (start, prop::collection::vec(piece, 0..40)).prop_map(|(start, pieces)| format!("{start}{}", pieces.concat()))
}

const FORMATTING: [&str; 7] = ["a", "b", "i", "font", "nobr", "em", "code"];
const FOREIGN: [&str; 7] = ["svg", "math", "mi", "title", "desc", "foreignObject", "template"];
// Without `thead`, which html5ever does not close for another part of a table inside `template`.
const OTHER: [&str; 56] = [
    "p", "div", "span", "table", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup", "col", "ul", "li", "dl", "dd", "dt",
    "h1", "h2", "form", "input", "button", "select", "option", "optgroup", "br", "hr", "img", "image", "pre", "textarea",
    "script", "style", "head", "body", "html", "frameset", "frame", "noframes", "noscript", "object", "marquee", "ruby", "rt",
    "rp", "rb", "rtc", "x-y", "main", "link", "meta", "base", "address", "xmp", "iframe", "nav",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn misnested_formatting_becomes_the_tree_of_the_standard(html in soup([&FORMATTING[..], &OTHER[..]].concat())) {
        assert_same(&html)?;
    }

    // Apart from formatting, because html5ever does not open formatting elements again before `svg` and `math`, nor leaves
    // them closed for white space in a `template` of table rows; it also lacks `annotation-xml` among the borders of scopes.
    #[test]
    fn foreign_elements_become_the_tree_of_the_standard(html in soup([&FOREIGN[..], &FOREIGN[..], &OTHER[..]].concat())) {
        assert_same(&html)?;
    }
}

#[test]
fn nul_is_replaced_in_foreign_elements_and_ignored_in_html() {
    for (html, expected) in [
        ("<svg>a\0b", "a\u{fffd}b"),
        ("<svg><![CDATA[a\0b]]>", "a\u{fffd}b"),
        ("<math><mi>a\0b", "ab"),
        ("<svg><foreignObject>a\0b", "ab"),
        ("<p>a\0b", "ab"),
        ("<svg>\0</svg><frameset>", ""),
    ] {
        let page = Parser::new().parse_text(html);
        assert_eq!(page.text(page.root()), expected, "{html:?}");
        assert_eq!(outline_of_ours(&page), outline_of_html5ever(html), "{html:?}");
    }
}

#[test]
fn pages_of_folders_become_the_trees_of_the_standard() {
    let suite = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite");
    let (mut pages, mut different) = (0, Vec::new());
    let mut folders = vec![suite];
    folders.extend(std::env::var_os("UNCHAFF_PAGES").map(std::path::PathBuf::from));
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                let page = Page::parse(std::fs::read(&path).unwrap());
                pages += 1;
                if page.warnings().iter().any(|warning| matches!(warning, Warning::UnclosedTitle | Warning::UnclosedInNoscript)) {
                    // Read again without the tag, which html5ever lets swallow the page.
                    continue;
                }
                let ours = outline_of_ours(&page);
                let theirs = outline_of_html5ever(page.source());
                if ours != theirs {
                    let line = ours.lines().zip(theirs.lines()).position(|(a, b)| a != b).unwrap_or_default();
                    let nth = |text: &str| text.lines().nth(line).unwrap_or_default().chars().take(100).collect::<String>();
                    different.push(format!(
                        "{}: line {line}: {} / {} {:?}",
                        path.display(),
                        nth(&ours),
                        nth(&theirs),
                        page.warnings()
                    ));
                }
            }
        }
    }
    println!("{pages} pages, {} different\n{}", different.len(), different.join("\n"));
    assert!(pages > 100, "the suite is there");
    assert!(different.is_empty());
}
