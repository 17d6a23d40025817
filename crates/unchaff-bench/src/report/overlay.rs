//! A page with gold and result laid over each other: what was found rightly, what was missed, what is too much.
//!
//! Results are not kept in the database, so the technique is run again, on the suite in the state it was run on; commands
//! are not, because a report must not start programs that a file names. Pages with labelled nodes are shown in a frame, as [harmless] HTML. Gold that is
//! text is compared word by word instead, and segments are drawn over the boxes of the page.

use super::document::escape;
use super::harmless_page::harmless;
use super::word_diff::{self, Side};
use crate::measure::SEGMENTS;
use crate::run::Contender;
use crate::suite::{Benchmark, Suite};
use crate::summary::{Results, Technique};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use unchaff_dom::{NodeId, NodeSet, Page, emit};
use unchaff_page::{BlockKind, registry};
use unchaff_segment::picture;
use unchaff_segment::segmentation::{Segment, Segmentation};

/// How many words of a run are shown at its start and at its end.
const AROUND: usize = 40;

/// The suites that were opened for a report.
pub(super) struct Suites {
    layouts: Option<PathBuf>,
    opened: HashMap<String, Result<Vec<Suite>, String>>,
}

impl Suites {
    /// No suite yet; boxes of pages with segments are in this folder, if one is named.
    pub(super) fn new(layouts: Option<PathBuf>) -> Suites {
        Suites { layouts, opened: HashMap::new() }
    }

    /// A page of the results with its gold, if its suite is still the same.
    fn benchmark(&mut self, results: &Results, page: usize) -> Result<Benchmark, String> {
        let state = &results.suites[results.pages[page].suite];
        let suites = self.opened.entry(state.root.clone()).or_insert_with(|| {
            let mut suites =
                Suite::open(Path::new(&state.root)).map_err(|error| format!("The suite cannot be opened again: {error}"))?;
            if let Some(folder) = &self.layouts {
                suites.iter_mut().for_each(|suite| suite.keep_boxes_in(folder));
            }
            Ok(suites)
        });
        let suites = suites.as_ref().map_err(String::clone)?;
        let suite = suites.iter().find(|suite| suite.name == state.name && suite.digest == state.digest);
        let suite =
            suite.ok_or("The suite has changed since the run, so its pages are not shown. Run the technique on it again.")?;
        let name = &results.pages[page].item;
        let item = suite.items.iter().find(|item| item.id == *name).ok_or("The page is no longer in the suite.")?;
        suite.load(item).map_err(|error| format!("The page cannot be loaded again: {error}"))
    }

    /// The result of a technique on a page, over the gold, as HTML; or why it cannot be shown.
    pub(super) fn overlay(
        &mut self,
        results: &Results,
        technique: &Technique,
        block: &str,
        page: usize,
        most_bytes: usize,
    ) -> Result<String, String> {
        let benchmark = self.benchmark(results, page)?;
        if block == SEGMENTS {
            return drawn(technique, &benchmark, most_bytes);
        }
        let kind = kind(block).ok_or_else(|| format!("Nothing is known of blocks named {block}."))?;
        let found = detect(technique, &benchmark, kind)?;
        let page = &benchmark.page;
        match (benchmark.gold.blocks.iter().find(|(known, _)| *known == kind), &benchmark.gold.text) {
            (Some((_, gold)), _) => framed(page, gold, &found, most_bytes),
            (None, Some(gold)) if kind == BlockKind::Content => Ok(compared(gold, &emit::text(page, &found))),
            _ => Err("The suite has no gold for this block of the page.".to_owned()),
        }
    }

    /// A page as it is, or a block of it alone, or everything but that; in a frame.
    pub(super) fn view(
        &mut self,
        results: &Results,
        technique: &Technique,
        block: &str,
        page: usize,
        view: View,
    ) -> Result<String, String> {
        let benchmark = self.benchmark(results, page)?;
        let page = &benchmark.page;
        let block = || kind(block).ok_or("Segments are shown over the page only.".to_owned());
        let (nodes, is_shown) = match view {
            View::Original => (NodeSet::new(page), false),
            View::Gold => {
                let kind = block()?;
                let gold = benchmark.gold.nodes(kind).cloned();
                (gold.ok_or("The gold of this page is a text, which is compared with the result word by word.")?, true)
            }
            View::Result => (detect(technique, &benchmark, block()?)?, true),
            View::Complement => (detect(technique, &benchmark, block()?)?, false),
        };
        let status = |node: NodeId| if nodes.contains(node) == is_shown { "none" } else { "hidden" };
        Ok(frame(&harmless(page, status, |_| None)))
    }
}

/// What of a page is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// All of it.
    Original,
    /// What is right.
    Gold,
    /// What a technique finds.
    Result,
    /// What it leaves.
    Complement,
}

fn kind(block: &str) -> Option<BlockKind> {
    use BlockKind::{Ads, Comments, Content, Menu, Template};
    [Content, Template, Menu, Comments, Ads].into_iter().find(|kind| kind.as_str() == block)
}

fn settings_of(technique: &Technique) -> Vec<(String, String)> {
    match serde_json::from_str(&technique.settings) {
        Ok(Value::Object(settings)) => {
            let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            settings.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
        }
        _ => Vec::new(),
    }
}

/// The segments of both levels that people drew, and beside them those that a technique finds.
fn drawn(technique: &Technique, benchmark: &Benchmark, most_bytes: usize) -> Result<String, String> {
    let boxes = benchmark.boxes.as_ref().filter(|boxes| boxes.rendered);
    let layout = &boxes
        .ok_or("No boxes of this page were found to draw segments on; name the folder where they are kept (--layouts).")?
        .layout;
    let contender = Contender::one(&technique.name, &settings_of(technique)).map_err(|error| error.to_string())?;
    let found = contender.segments(benchmark).ok_or("The technique is not known any more.")?;
    let of_level = |level: u8| {
        let elements = benchmark.gold.segments.iter().filter(|(of, ..)| *of == level).map(|(.., element)| vec![*element]);
        Segmentation::from_nodes(&benchmark.page, layout, elements.collect())
    };
    let picture = |all: Vec<Segmentation>| {
        let mut segments: Vec<Segment> = Vec::new();
        for one in all {
            let before = segments.len() as u32;
            let shifted = one.segments.into_iter().map(|of| Segment { parent: of.parent.map(|parent| parent + before), ..of });
            segments.extend(shifted);
        }
        picture::svg(layout, &Segmentation { segments, ..Segmentation::default() }, None)
    };
    let pictures = format!("{}{}", picture(vec![of_level(1), of_level(2)]), picture(found));
    if pictures.len() > most_bytes {
        return Err(too_long(pictures.len(), most_bytes));
    }
    Ok(format!(
        "<p>Left what people drew, right what was found.</p>\
         <iframe sandbox='' loading=lazy title='Segments drawn and found' srcdoc=\"{}\"></iframe>",
        escape(&format!("<!doctype html><meta charset=utf-8><style>svg{{width:49%;height:auto;margin:.4%}}</style>{pictures}"))
    ))
}

fn too_long(bytes: usize, most_bytes: usize) -> String {
    format!("The page is too long to be shown here: {} kB, and the report takes {} kB.", bytes / 1000, most_bytes / 1000)
}

/// Runs a technique again.
fn detect(technique: &Technique, benchmark: &Benchmark, kind: BlockKind) -> Result<NodeSet, String> {
    let settings = settings_of(technique);
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let detection = match technique.kind.as_str() {
        "external" => {
            return Err("This is a command of its own; a report starts no commands, so its answer is not shown.".to_owned());
        }
        "site" => {
            let entry = unchaff_site::registry::find(&technique.name).ok_or("The technique is not known any more.")?;
            let (Some(site), Some(key)) = (&benchmark.site, benchmark.key) else {
                return Err("The page stands alone, without a site.".to_owned());
            };
            entry
                .technique(&settings)
                .map_err(|error| error.to_string())?
                .detect(&**site, key)
                .map_err(|error| error.to_string())?
        }
        _ => {
            let entry = registry::find(&technique.name).ok_or("The technique is not known any more.")?;
            entry.technique(&settings).map_err(|error| error.to_string())?.detect(&benchmark.page)
        }
    };
    detection.nodes(kind).cloned().ok_or_else(|| format!("{} does not look for this block.", technique.label))
}

const FRAME_STYLE: &str = "<!doctype html><meta charset=utf-8><base target=_top><style>\
    :root{background:#fff;color:#111;font:14px/1.45 system-ui,sans-serif}body{margin:8px}\
    img{outline:1px dotted #bbb;min-width:16px;min-height:12px}\
    [data-unchaff]{color:#111!important;background-image:none!important}\
    [data-unchaff=right]{background-color:#c9ecd3!important}\
    [data-unchaff=missed]{background-color:#ffe2a8!important;outline:2px dashed #b07400}\
    [data-unchaff=extra]{background-color:#f9cfd8!important;outline:2px dotted #b3123f}\
    [data-unchaff=hidden]{visibility:hidden!important}\
    [data-unchaff=none]{background-color:#fff!important;visibility:visible!important}</style>";

/// The page in a frame in which nothing runs.
fn framed(page: &Page, gold: &NodeSet, found: &NodeSet, most_bytes: usize) -> Result<String, String> {
    let marked = marked(page, gold, found);
    if marked.len() > most_bytes {
        return Err(too_long(marked.len(), most_bytes));
    }
    let legend = "<p class=legend><span class=right>found rightly</span> <span class=missed>missed</span> <span class=extra>too much</span></p>";
    Ok(format!("{legend}{}", frame(&marked)))
}

fn frame(html: &str) -> String {
    let page = escape(&format!("{FRAME_STYLE}{html}"));
    format!("<iframe sandbox='' loading=lazy title='The page with its marks' srcdoc=\"{page}\"></iframe>")
}

/// The page, its elements marked where they are other than the element around them.
fn marked(page: &Page, gold: &NodeSet, found: &NodeSet) -> String {
    let status = |node: NodeId| match (gold.contains(node), found.contains(node)) {
        (true, true) => "right",
        (true, false) => "missed",
        (false, true) => "extra",
        (false, false) => "none",
    };
    harmless(page, status, |_| None)
}

/// Gold and result word by word; long runs are cut short.
fn compared(gold: &str, found: &str) -> String {
    let (gold, found) = (word_diff::words(gold), word_diff::words(found));
    let mut out = String::from("<p class=legend>in both <del>missed</del> <ins>too much</ins></p><div class=words>");
    if gold.is_empty() && found.is_empty() {
        out += "Neither the gold nor the result has any text.";
    }
    for (side, words) in word_diff::diff(&gold, &found) {
        let (element, what) = match side {
            Side::Both => ("span", "in both"),
            Side::Missed => ("del", "missed"),
            Side::Extra => ("ins", "too much"),
        };
        let left_out = words.len().saturating_sub(2 * AROUND);
        // A cut that saves less than its own note is none.
        if left_out < 10 {
            write!(out, "<{element}>{}</{element}>", escape(&words.concat())).ok();
        } else {
            let (start, end) = (escape(&words[..AROUND].concat()), escape(&words[words.len() - AROUND..].concat()));
            write!(
                out,
                "<{element}>{start}</{element}><b class=gap>… {left_out} more words {what} …</b> <{element}>{end}</{element}>"
            )
            .ok();
        }
    }
    out + "</div>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Tag;

    #[test]
    fn marks_stand_where_the_status_changes_and_nothing_acts() {
        let page = Page::parse(
            "<body onload=x()><nav><a href=http://a.test/>Home</a></nav><p id=t style=color:red>Text <b>bold</b></p><script>x()</script>\
             <img src=http://a.test/i.png alt='A \"cat\"'><p>End</p><table><tr><td>1</table>",
        );
        let find = |tag| page.nodes().filter(|node| page.tag(*node) == tag).collect::<Vec<_>>();
        let gold = NodeSet::from_roots(&page, [find(Tag::P)[0], find(Tag::P)[1]]);
        let mut found = NodeSet::from_roots(&page, [find(Tag::P)[0], find(Tag::Nav)[0]]);
        found.remove_subtree(&page, find(Tag::B)[0]);
        let html = marked(&page, &gold, &found);
        assert!(html.contains("<nav data-unchaff=extra><a>Home</a></nav>"), "{html}");
        assert!(
            html.contains("<p data-unchaff=right id=\"t\" style=\"color:red\">Text <b data-unchaff=missed>bold</b></p>"),
            "{html}"
        );
        assert!(html.contains("<p data-unchaff=missed>End</p>") && html.contains("alt=\"A &quot;cat&quot;\""), "{html}");
        assert!(!html.contains("http") && !html.contains("x()") && !html.contains("onload"), "{html}");
        assert!(html.ends_with("<td>1</td></tr></tbody></table></body></html>"), "{html}");
    }

    #[test]
    fn a_frame_holds_the_page_as_one_attribute_and_long_pages_are_refused() {
        let page = Page::parse("<p title=x>\"quoted\" </iframe><script>alert(1)</script>");
        let none = NodeSet::new(&page);
        let frame = framed(&page, &none, &none, 1000).unwrap();
        let parsed = Page::parse(frame);
        let frames: Vec<NodeId> = parsed.nodes().filter(|node| parsed.tag(*node) == Tag::Iframe).collect();
        assert!(parsed.attr(frames[0], "srcdoc").unwrap().contains("&quot;quoted&quot;"));
        assert_eq!(parsed.attr(frames[0], "sandbox"), Some(""));
        assert!(framed(&page, &none, &none, 10).unwrap_err().contains("too long"));
    }

    #[test]
    fn long_runs_of_words_are_cut_and_short_ones_are_not() {
        let long = "word ".repeat(500);
        let html = compared(&format!("{long}<end>"), &long);
        assert!(html.contains("… 420 more words in both …") && html.contains("<del>&lt;end&gt;</del>"), "{html}");
        assert!(compared("", "").contains("Neither"));
    }

    #[test]
    fn deep_and_odd_pages_are_written() {
        let deep = format!("{}x{}", "<div>".repeat(5000), "</div>".repeat(5000));
        for source in
            ["", "<frameset><frame src=a></frameset>", "<svg><p>x</svg>", "<textarea></textarea><plaintext>a</b>", &deep]
        {
            let page = Page::parse(source);
            let all = page.subtree_set(page.root());
            marked(&page, &all, &NodeSet::new(&page));
        }
    }
}
