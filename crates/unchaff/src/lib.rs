//! unchaff separates what a web page is about from everything around it.
//!
//! ```
//! use unchaff::{Extractor, Page};
//!
//! let page = Page::parse("<nav><a href=/>Home</a></nav><h1>Rain</h1><p>It rained <b>all day</b>.</p>");
//! let extraction = Extractor::new().extract(&page);
//! assert!(extraction.markdown().contains("It rained **all day**."));
//! ```
//!
//! A [`Page`] is read once (with [`Parser`] if its address or charset is known). An [`Extractor`] is a technique with its
//! settings, shared by threads; what it finds on a page is an [`Extraction`], which can be written in every [`Format`].
//! With other pages of its site
//! at hand, a [`SiteExtractor`] does better. The layers below are there for more: [`dom`] (the tree, selectors, links,
//! metadata, output), [`page`] and [`compare`] (techniques).

mod explain;
mod extraction;
mod format;
mod json;
mod menu;
mod parts;
mod site;

pub use extraction::{Extraction, Extractor, UnknownTechnique};
pub use format::{Format, UnknownFormat};
pub use json::SCHEMA;
pub use menu::{MenuItem, menu};
pub use parts::{Part, Parts, UnknownPart};
pub use site::SiteExtractor;
pub use unchaff_dom as dom;
pub use unchaff_dom::{Limits, NodeId, NodeSet, Page, Parser, Tag, Warning};
pub use unchaff_page as page;
pub use unchaff_page::registry::{self, Entry, SettingError};
pub use unchaff_page::{Block, BlockKind, Detection, Explanation, PageTechnique, Row};
pub use unchaff_site as compare;
