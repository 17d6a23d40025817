//! Buttons that are headings: questions that show their answers, names of sections that fold, heads of columns by which a table is sorted.
//!
//! A button is no text, but one that a heading consists of, or that opens what stands right behind it, says what that is about. So it is written like a line
//! of its own, as the `summary` of `details` is. Buttons that open menus have links behind them, and those that open what stands elsewhere are tools.

use crate::{NodeId, Page, Tag};

/// A button with more characters than this is no heading.
const MOST_CHARS: u32 = 300;
/// What a button opens has so many words that are no links.
const LEAST_WORDS: u32 = 8;
/// So many nodes behind a button what it opens begins.
const NEAR: u32 = 64;
/// What a button opens, or heads, is not deeper or higher than this.
const NEAR_LEVELS: usize = 16;
/// Attributes of buttons that open something: of the standard, and of a framework.
const OPENS: [&str; 4] = ["aria-expanded", "aria-controls", "data-bs-toggle", "data-toggle"];

/// Whether a button is the heading of what stands behind it.
pub(super) fn is_label(page: &Page, button: NodeId) -> bool {
    let counts = page.counts(button);
    if counts.chars > MOST_CHARS || counts.words == 0 {
        return false;
    }
    let heading = heading_around(page, button).or_else(|| heading_inside(page, button));
    if heading.is_some_and(|heading| page.tag(heading) == Tag::Th) {
        return true;
    }
    let Some(text) = text_behind(page, button) else { return false };
    match heading {
        Some(heading) => heads(page, heading, text),
        None => OPENS.iter().any(|name| page.attr(button, name).is_some()) && opens(page, button, text),
    }
}

/// The heading, the term or the header cell that has no text but that of a button.
pub(super) fn heading_around(page: &Page, button: NodeId) -> Option<NodeId> {
    let is_heading = |node: &NodeId| page.tag(*node).heading_level().is_some() || matches!(page.tag(*node), Tag::Dt | Tag::Th);
    let heading = page.ancestors(button).take(4).find(is_heading);
    heading.filter(|heading| page.counts(*heading).words == page.counts(button).words)
}

/// The heading that all text of a button is in.
pub(super) fn heading_inside(page: &Page, button: NodeId) -> Option<NodeId> {
    let heading = page.descendants(button).take(NEAR as usize).find(|node| page.tag(*node).heading_level().is_some());
    heading.filter(|heading| page.counts(*heading).words == page.counts(button).words)
}

/// The first text behind a button.
fn text_behind(page: &Page, button: NodeId) -> Option<NodeId> {
    let from = page.end(button);
    let to = page.end(page.root()).min(NodeId(from.0 + NEAR));
    (from.0..to.0).map(NodeId).find(|node| page.tag(*node) == Tag::Text && page.counts(*node).words > 0)
}

/// The elements around a text behind a button that do not hold the button.
fn around<'p>(page: &'p Page, text: NodeId, button: NodeId) -> impl Iterator<Item = NodeId> + 'p {
    let end = page.end(button);
    page.ancestors(text).take(NEAR_LEVELS).take_while(move |above| *above >= end)
}

/// Whether a text is below a heading that ends before it, and no next heading.
fn heads(page: &Page, heading: NodeId, text: NodeId) -> bool {
    let level = page.tag(heading).heading_level().unwrap_or(u8::MAX);
    around(page, text, heading).all(|above| page.tag(above).heading_level().is_none_or(|below| below > level))
}

/// Whether a button opens a text right behind it.
fn opens(page: &Page, button: NodeId, text: NodeId) -> bool {
    let Some(panel) = around(page, text, button).last() else { return false };
    let is_meant = |id: &str| page.ancestors(text).take(NEAR_LEVELS).any(|above| page.attr(above, "id") == Some(id));
    let counts = page.counts(panel);
    counts.words.saturating_sub(counts.link_words) >= LEAST_WORDS
        && page.attr(button, "aria-controls").is_none_or(|ids| ids.split_ascii_whitespace().any(is_meant))
}

#[cfg(test)]
mod tests {
    use crate::{Page, emit};

    /// All of a page, as Markdown.
    fn written(html: &str) -> String {
        let page = Page::parse(html);
        emit::markdown(&page, &page.subtree_set(page.root()))
    }

    #[test]
    fn buttons_that_are_headings_are_written_and_others_are_not() {
        const ANSWER: &str = "<div id=a><p>Clouds are heavier than they look to us from below.</p></div>";
        const WRITTEN: &str = "Clouds are heavier than they look to us from below.\n";
        for (html, label) in [
            ("<h3><button>Why?</button></h3>", "### Why?\n\n"),
            ("<h3><span><button type=button><b>Why</b> so?<svg></svg></button></span></h3>", "### Why so?\n\n"),
            ("<button aria-expanded=false>Why?</button>", "**Why?**\n\n"),
            ("<div><button data-bs-toggle=collapse>Why?</button><svg></svg></div>", "**Why?**\n\n"),
            ("<button aria-controls='b a'><h4>Why?</h4></button>", "#### Why?\n\n"),
            ("<button><h4>Why?</h4><svg></svg></button>", "#### Why?\n\n"),
            ("<button><h4>Why?</h4></button><h4>Rain</h4>", "#### Rain\n\n"),
            ("<button aria-controls=b>Why?</button>", ""),
            ("<button>Why?</button>", ""),
            ("<button aria-expanded=false>+</button>", ""),
            ("<h3>Rain <button>Follow</button></h3>", "### Rain\n\n"),
            ("<h3><button>Why?</button></h3><h3>Rain</h3>", "### Rain\n\n"),
            ("<h2><button>All</button></h2><h3><button>Why?</button></h3>", "## All\n\n### Why?\n\n"),
        ] {
            assert_eq!(written(&format!("{html}{ANSWER}")), format!("{label}{WRITTEN}"), "{html}");
        }
        let menu = "<button aria-expanded=false>Menu</button><ul><li><a href=/a>All of the news of the day</a><li><a href=/b>The weather</a></ul>";
        assert!(!written(menu).contains("Menu"));
        let sorted = written("<table><tr><th><button>Day</button><th>Rain<button>▲</button><tr><td>1<td>2</table>");
        assert_eq!(sorted, "| Day | Rain |\n| --- | --- |\n| 1 | 2 |\n");
        assert_eq!(written("<p>It rained.</p><h3><button>Why?</button></h3>"), "It rained.\n");
    }

    #[test]
    fn such_a_button_is_a_paragraph_or_all_of_its_heading() {
        let page = Page::parse(
            "<dl><dt><button>Why?</button><dd>It is heavy.</dl><button aria-expanded=true>How?</button><p>One drop after the other, until there is none left.",
        );
        let all = page.subtree_set(page.root());
        assert_eq!(
            emit::html(&page, &all),
            "<dl>\n<dt>Why?</dt>\n<dd>It is heavy.</dd>\n</dl>\n<p>How?</p>\n<p>One drop after the other, until there is none left.</p>\n"
        );
        assert_eq!(
            emit::text(&page, &all),
            "Why?\nIt is heavy.\n\nHow?\n\nOne drop after the other, until there is none left.\n"
        );
    }
}
