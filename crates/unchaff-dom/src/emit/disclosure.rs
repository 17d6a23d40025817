//! Buttons that are headings: questions that show their answers, names of sections that fold.
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
    let Some(text) = text_behind(page, button) else { return false };
    match heading_around(page, button) {
        Some(heading) => heads(page, heading, text),
        None => OPENS.iter().any(|name| page.attr(button, name).is_some()) && opens(page, button, text),
    }
}

/// The heading or the term that has no text but that of a button.
pub(super) fn heading_around(page: &Page, button: NodeId) -> Option<NodeId> {
    let is_heading = |node: &NodeId| page.tag(*node).heading_level().is_some() || page.tag(*node) == Tag::Dt;
    let heading = page.ancestors(button).take(4).find(is_heading);
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
