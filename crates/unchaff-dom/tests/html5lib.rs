//! Our parser passes the tests of tree construction that all parsers of HTML share (html5lib-tests).
//!
//! They are read from the folder that `UNCHAFF_HTML5LIB` names; without it there is nothing to compare with. Left out are tests of fragments and
//! tests that run scripts. Pages with `select` may differ: it keeps the rules that all parsers had until 2025, so that elements are numbered as
//! html5lib numbers them. Processing instructions are comments in these tests, as in html5ever.

#![allow(clippy::disallowed_methods, reason = "tests of others are read from files")]

use std::fmt::Write as _;
use std::path::PathBuf;
use unchaff_dom::{Parser, Tag, Warning};

struct Case {
    data: String,
    tree: String,
}

/// The cases of a file that a whole page without scripts is about.
fn cases(text: &str) -> Vec<Case> {
    let starts = std::iter::once(0).chain(text.match_indices("\n\n#data\n").map(|(at, _)| at + 2));
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).map(|at| at - 1).chain([text.len()]);
    let cases = starts.iter().zip(ends).map(|(start, end)| &text[*start..end]);
    let whole = cases.filter(|case| !case.contains("\n#document-fragment\n") && !case.contains("\n#script-on\n"));
    let read = |case: &str| {
        let data = case.strip_prefix("#data\n")?;
        let (data, rest) = if let Some(rest) = data.strip_prefix("#errors") { ("", rest) } else { data.split_once("\n#errors")? };
        let (_, tree) = rest.split_once("\n#document\n")?;
        Some(Case { data: data.to_owned(), tree: tree.trim_end_matches('\n').to_owned() })
    };
    whole.filter_map(read).collect()
}

/// The tree in the notation of the tests. Namespaces are left out, as the page does not keep them apart.
fn outline(html: &str) -> Option<String> {
    let page = Parser::new().parse_text(html);
    if page.warnings().iter().any(|warning| matches!(warning, Warning::UnclosedTitle | Warning::UnclosedInNoscript)) {
        return None;
    }
    let mut out = String::new();
    let mut text: Option<(usize, String)> = None;
    let flush = |out: &mut String, text: &mut Option<(usize, String)>| {
        if let Some((depth, joined)) = text.take() {
            writeln!(out, "| {}\"{joined}\"", "  ".repeat(depth - 1)).unwrap();
        }
    };
    for node in page.nodes().skip(1) {
        let depth = page.depth(node);
        if matches!(page.tag(node), Tag::Text | Tag::Raw) {
            if text.as_ref().is_some_and(|(before, _)| *before != depth) {
                flush(&mut out, &mut text);
            }
            text.get_or_insert((depth, String::new())).1.push_str(page.string(node));
            continue;
        }
        flush(&mut out, &mut text);
        let indent = "  ".repeat(depth - 1);
        match page.tag(node) {
            Tag::Comment => writeln!(out, "| {indent}<!-- {} -->", page.string(node)).unwrap(),
            Tag::Doctype => writeln!(out, "| <!DOCTYPE>").unwrap(),
            _ => {
                writeln!(out, "| {indent}<{}>", page.name(node)).unwrap();
                for (name, value) in page.attrs(node) {
                    writeln!(out, "| {indent}  {}=\"{value}\"", name.to_lowercase()).unwrap();
                }
            }
        }
    }
    flush(&mut out, &mut text);
    Some(out.trim_end_matches('\n').to_owned())
}

/// The expected tree in the same notation: `<svg path>` is `<path>`, `xlink href` is `xlink:href`, and the contents of templates are children.
fn expected(tree: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut contents: Vec<usize> = Vec::new();
    let mut in_text = false;
    for line in tree.split('\n') {
        let indent = line.strip_prefix("| ").map(|rest| rest.len() - rest.trim_start_matches(' ').len());
        let Some(indent) = indent.filter(|_| !in_text) else {
            in_text = !line.ends_with('"');
            out.push(line.to_owned());
            continue;
        };
        contents.retain(|depth| *depth < indent);
        let content = &line[2 + indent..];
        let indent = indent - 2 * contents.len();
        if content == "content" {
            contents.push(indent + 2 * contents.len());
            continue;
        }
        in_text = content.starts_with('"') && (content.len() == 1 || !content.ends_with('"'));
        let content = match content {
            doctype if doctype.starts_with("<!DOCTYPE") => "<!DOCTYPE>".to_owned(),
            element if element.starts_with("<svg ") || element.starts_with("<math ") => {
                format!("<{}", &element[element.find(' ').unwrap_or_default() + 1..])
            }
            attribute if !attribute.starts_with(['<', '"']) && attribute.contains("=\"") => {
                let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
                format!("{}={value}", name.replace(' ', ":").to_lowercase())
            }
            other => other.to_owned(),
        };
        out.push(format!("| {}{content}", " ".repeat(indent)));
    }
    out.join("\n")
}

#[test]
fn trees_are_those_of_the_shared_tests() {
    let Some(folder) = std::env::var_os("UNCHAFF_HTML5LIB").map(PathBuf::from) else { return };
    let (mut equal, mut chosen, mut different) = (0, 0, Vec::new());
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.join("tree-construction")).unwrap().flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "dat")) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for Case { data, tree } in cases(&String::from_utf8_lossy(&std::fs::read(file).unwrap())) {
            let Some(ours) = outline(&data) else { continue };
            let theirs = expected(&tree);
            if sorted(&ours) == sorted(&theirs) {
                equal += 1;
            } else if data.contains("<select") {
                chosen += 1;
            } else {
                different.push(format!("{name}: {data:?}\n{ours}\n--- expected\n{theirs}\n"));
            }
        }
    }
    println!("{equal} equal, {chosen} different by choice, {} different\n{}", different.len(), different.join("\n"));
    assert!(different.is_empty() && equal > 1_500);
}

/// Attributes have no order.
fn sorted(tree: &str) -> String {
    let mut lines: Vec<&str> = tree.lines().collect();
    let is_attribute =
        |line: &str| line.starts_with("| ") && !line[2..].trim_start().starts_with(['<', '"']) && line.contains("=\"");
    lines.chunk_by_mut(|a, b| is_attribute(a) && is_attribute(b)).for_each(<[&str]>::sort_unstable);
    lines.join("\n")
}
