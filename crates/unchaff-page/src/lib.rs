//! Techniques that look at one page.
//!
//! ```
//! use unchaff_dom::{Page, emit};
//! use unchaff_page::{BlockKind, registry};
//!
//! let page = Page::parse("<body><nav><a href=/>Home</a></nav><h1>Rain</h1><p>It rained all day and all night.</p><p>Then the sun came.</p></body>");
//! let technique = registry::find("conex-page").unwrap().default_technique();
//! let detection = technique.detect(&page);
//! let content = detection.nodes(BlockKind::Content).unwrap();
//! assert!(emit::text(&page, content).contains("Then the sun came."));
//! ```
//!
//! A technique reads a page and returns blocks: labelled sets of nodes. It never fetches, prints or stores. One technique
//! is one file, and one line in the [`registry`], from which everything else (the command line, the documentation) knows it.

mod detection;
pub mod learned;
pub mod parameters;
pub mod published;
pub mod registry;
pub mod rules;
pub mod views;

pub use detection::{Block, BlockKind, Detection, Explanation, Likely, PageTechnique, Rating, Row, UnknownBlockKind};
