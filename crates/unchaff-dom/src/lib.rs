//! Bytes of a web page to a frozen tree, and back to text, Markdown and HTML.
//!
//! ```
//! use unchaff_dom::Page;
//!
//! let page = Page::parse("<title>News</title><nav><a href=/>Home</a></nav><p>It rained <b>all day</b>.");
//! let body = page.body().unwrap();
//! assert_eq!(page.text(body), "HomeIt rained all day.");
//! assert_eq!(page.counts(body).words, 5);
//! assert_eq!(page.counts(body).link_words, 1);
//! ```
//!
//! The steps, one module each: [`document`] (a page as it came), [`decode`] (bytes to text), the parser (text to a tree, by the HTML standard) and the
//! freeze ([`Page`]); [`address`], [`links`] and [`select`] to find things in it; [`emit`] to write any set of nodes;
//! [`metadata`] for what the page says about itself; [`site`] for pages that belong together.

pub mod address;
mod attr_name;
pub mod decode;
pub mod document;
pub mod emit;
mod freeze;
pub mod links;
pub mod metadata;
mod node_set;
pub mod order;
pub mod page;
mod parse;
pub mod plain_address;
pub mod select;
pub mod site;
pub mod tag;
mod warning;
pub mod words;

pub use attr_name::AttrName;
pub use document::Document;
pub use node_set::NodeSet;
pub use page::{Counts, NodeId, Page, Parser};
pub use parse::Limits;
pub use site::{LoadError, PageId, Site};
pub use tag::{TAG_COUNT, Tag};
pub use warning::Warning;
