//! Writing any set of nodes: as plain text, as Markdown, as clean HTML, as marks in the page itself, as
//! what is left of the page without the rest, as the page with the rest out of the way ([`hidden`] and others), or as places in the source.
//!
//! A set may be whole subtrees, subtrees with pieces taken out, or text nodes alone. A text node is written if it is in the
//! set; the markup of an element applies if it, or anything below it, is in the set; what is never written is decided in
//! one place (`walk`), so that the three emitters give the same words.
//!
//! ```
//! use unchaff_dom::{Page, emit};
//!
//! let page = Page::parse("<h1>Tea</h1><ul><li>green<li><b>black</b></ul>");
//! let nodes = page.subtree_set(page.root());
//! assert_eq!(emit::text(&page, &nodes), "Tea\n\n- green\n- black\n");
//! assert_eq!(emit::markdown(&page, &nodes), "# Tea\n\n- green\n- **black**\n");
//! assert_eq!(emit::html(&page, &nodes), "<h1>Tea</h1>\n<ul>\n<li>green</li>\n<li><b>black</b></li>\n</ul>\n");
//! ```

mod anchors;
mod annotated;
mod between;
mod browser_page;
mod cleaneval;
mod disclosure;
mod drawing;
mod edges;
mod formula;
mod gutter;
mod html;
mod lines;
mod listing;
mod markdown;
mod marks;
mod meant;
mod modes;
mod numbering;
mod raised;
mod ranges;
mod recipe;
#[cfg(test)]
mod round_trip;
mod shape;
mod side_notes;
mod skeleton;
mod stray_data;
mod target;
mod tasks;
mod text;
mod unwritten;
mod walk;
mod wrap;

pub use anchors::with_notes;
pub use annotated::{ATTRIBUTE, Remark, SHADES, TEXT_ATTRIBUTE, annotated, annotated_by, explained, marked_texts, numbered};
pub use cleaneval::cleaneval;
pub use html::{html, html_without_links};
pub use listing::is_listing;
pub use markdown::{Flavour, LinkStyle, MarkdownStyle, UnknownFlavour, markdown, markdown_as, markdown_line};
pub use marks::{OtherElements, elements_below_body, marked_nodes, same_elements};
pub use modes::{Filler, deleted, hidden, highlighted, replaced, restructured};
pub use ranges::ranges;
pub use recipe::is_ingredient;
pub use shape::is_data_table;
pub use skeleton::skeleton;
pub use text::{Texts, text, text_within};
pub use unwritten::is_never_written;
