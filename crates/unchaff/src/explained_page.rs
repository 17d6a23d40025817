//! What led to a result, as a page for people: the page in colours, what came out of it beside it, a legend, and below them every block with its values and
//! what spoke for and against it.
//!
//! Both stand in frames in which no script runs and from which nothing leads out. The page has no script of its own; it follows the reader's choice of light or
//! dark.

use crate::{Explanation, Extraction, explain};
use std::fmt::Write as _;
use unchaff_dom::emit::SHADES;
use unchaff_dom::{NodeId, Page, Tag};

/// Most blocks in the list; the page itself has them all.
const MOST_ROWS: usize = 2_000;
/// So much of a block's text is shown.
const SHOWN: usize = 90;

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8886; --soft: #8882 }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif }
header, main, section { padding: .6rem 1rem }
h1 { font-size: 1.15rem; margin: 0 0 .3rem } h2 { font-size: 1rem; margin: 0 0 .4rem } p { margin: .2rem 0 }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center; padding: 0; margin: .5rem 0 0; list-style: none }
.scale { display: inline-flex; vertical-align: middle; border: 1px solid var(--line) } .scale i { width: 1.3rem; height: 1rem }
.key { display: inline-block; width: 1.1rem; height: .8rem; border: 2px dashed; margin-right: .3rem; vertical-align: middle }
.pages { display: grid; grid-template-columns: 3fr 2fr; gap: 1rem }
@media (max-width: 60rem) { .pages { grid-template-columns: 1fr } }
iframe { width: 100%; height: 75vh; border: 1px solid var(--line); background: #fff; box-sizing: border-box }
.list { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .88rem } th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-top: 1px solid var(--line) }
.number { text-align: right; font-variant-numeric: tabular-nums } .why { min-width: 20rem } .shade { color: #111; font-weight: 600 }
tr.out td { opacity: .75 }
";

/// The page about an extraction and its explanation.
pub(crate) fn page(extraction: &Extraction<'_>, explanation: &Explanation) -> String {
    let page = extraction.page();
    let blocks = extraction.marked_blocks();
    let coloured = extraction.annotated();
    let title = extraction.metadata().title.map_or_else(|| "a page".to_owned(), |title| title.value);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Why: {0}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n<p>The {1} by <b>{2}</b>",
        escaped(&title),
        extraction.shows(),
        escaped(extraction.technique())
    );
    if let Some(confidence) = extraction.confidence() {
        let _ = write!(out, ", to be trusted as far as {confidence}");
    }
    out.push_str(".</p>\n");
    explanation.notes.iter().for_each(|note| out += &format!("<p>{}.</p>\n", escaped(note)));
    push_legend(&mut out, explanation, &blocks.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    out.push_str("</header>\n<main class=\"pages\">\n<div>\n<h2>The page</h2>\n");
    push_frame(&mut out, "The page with its blocks in colours", &coloured);
    out.push_str("</div>\n<div>\n<h2>What came out</h2>\n");
    let clean = format!(
        "<!doctype html><meta charset=utf-8><style>body {{ font: 16px/1.5 system-ui, sans-serif; margin: 1rem; color: #111 }} img {{ max-width: 100%; height: auto }} table {{ border-collapse: collapse }} td, th {{ border: 1px solid #aaa; padding: .2rem .4rem }} pre {{ overflow: auto; background: #eee; padding: .5rem }}</style>{}",
        extraction.html()
    );
    push_frame(&mut out, "What came out of the page", &clean);
    out.push_str("</div>\n</main>\n");
    push_rows(&mut out, page, explanation);
    out + "</body>\n</html>\n"
}

fn push_legend(out: &mut String, explanation: &Explanation, blocks: &[&str]) {
    out.push_str("<ul class=\"legend\">\n");
    if let Some(threshold) = explanation.threshold {
        let scale: String = SHADES.iter().map(|colour| format!("<i style=\"background: {colour}\"></i>")).collect();
        let _ = writeln!(
            out,
            "<li>surely out <span class=\"scale\">{scale}</span> surely in; the colour turns at the threshold, {threshold:.3}</li>"
        );
    }
    for block in blocks {
        let colour = match *block {
            "content" => "#2a2",
            "menu" => "#28d",
            "comments" => "#d82",
            "ads" => "#d22",
            _ => "#aaa",
        };
        let _ = writeln!(out, "<li><span class=\"key\" style=\"border-color: {colour}\"></span>{block}</li>");
    }
    out.push_str("<li>Rest the pointer on a block to see why.</li>\n</ul>\n");
}

/// A document in a frame of its own, in which nothing runs.
fn push_frame(out: &mut String, title: &str, document: &str) {
    let _ = writeln!(out, "<iframe title=\"{title}\" sandbox=\"\" srcdoc=\"{}\"></iframe>", escaped(document));
}

fn push_rows(out: &mut String, page: &Page, explanation: &Explanation) {
    out.push_str("<section>\n<h2>Block by block</h2>\n<div class=\"list\">\n<table>\n<tr><th>text</th>");
    explanation.columns.iter().for_each(|column| *out += &format!("<th class=\"number\">{}</th>", escaped(column)));
    out.push_str("<th>became</th><th class=\"why\">why</th></tr>\n");
    for row in explanation.rows.iter().take(MOST_ROWS) {
        let shade = explain::shade(explanation, row);
        let _ = write!(
            out,
            "<tr{}><td>{}</td>",
            if row.remark.is_empty() { " class=\"out\"" } else { "" },
            escaped(&start_of(page, row.node))
        );
        for (at, value) in row.values.iter().enumerate() {
            let style = shade
                .filter(|_| at == 0)
                .map_or(String::new(), |shade| format!(" style=\"background: {}\"", SHADES[usize::from(shade)]));
            let class = if style.is_empty() { "number" } else { "number shade" };
            let _ = write!(out, "<td class=\"{class}\"{style}>{}</td>", explain::number(*value));
        }
        let _ = writeln!(out, "<td>{}</td><td class=\"why\">{}</td></tr>", escaped(&row.remark), escaped(&row.why));
    }
    out.push_str("</table>\n</div>\n");
    if explanation.rows.len() > MOST_ROWS {
        let _ = writeln!(out, "<p>…and {} more; --format json has them all.</p>", explanation.rows.len() - MOST_ROWS);
    }
    out.push_str("</section>\n");
}

/// The first words of a node.
fn start_of(page: &Page, node: NodeId) -> String {
    let text = if page.tag(node) == Tag::Text { page.string(node) } else { page.text(node) };
    let text = &text[..text.floor_char_boundary(SHOWN * 8)];
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = text.chars().take(SHOWN).collect();
    let name = if page.is_element(node) { format!("<{}> ", page.name(node)) } else { String::new() };
    format!("{name}{shown}{}", if shown.len() < text.len() { "…" } else { "" })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use crate::{Extractor, Page};

    #[test]
    fn the_page_has_legend_threshold_reasons_and_both_sides_and_nothing_of_the_page_escapes() {
        let html = "<title>Rain \"<script>alert(1)</script></title><body><nav><a href=/>Home</a> <a href=/b>Other things</a></nav>\
            <h1>Rain</h1><p>It rained all day long, and then it rained all night, and nobody came to the old harbour.</p>\
            <p>In the morning the boats lay dry, and the men went out again to look for the nets.</p><script>alert(2)</script>";
        let page = Page::parse(html);
        let explained = Extractor::new().explain(&page).explained().unwrap();
        for expected in
            ["class=\"legend\"", "the threshold, 0.", "data-unchaff-shade=&quot;", "What came out", "for it: ", "sandbox=\"\""]
        {
            assert!(explained.contains(expected), "{expected}\n{explained}");
        }
        let read = Page::parse(explained);
        assert!(read.nodes().all(|node| read.name(node) != "script"));
        assert_eq!(read.nodes().filter(|node| read.name(*node) == "iframe").count(), 2);
    }
}
