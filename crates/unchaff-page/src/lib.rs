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

mod ad_networks;
pub mod ads;
pub mod auto;
pub mod blurring;
pub mod boilerpipe;
mod boilerpipe_filters;
pub mod bte;
pub mod cetd;
pub mod cetr;
mod comment_signs;
pub mod comments;
pub mod conex;
pub mod content_code_blurring;
pub mod crunch;
mod detection;
pub mod dsc;
pub mod eiisa;
mod eiisa_expressions;
pub mod eiisa_rules;
pub mod feature_extractor;
pub mod largest_pagelet;
pub mod largest_size_increase;
pub mod link_lists;
pub mod link_quota;
pub mod menex;
pub mod menex_euclid;
pub mod menu_auto;
pub mod name_families;
pub mod parameters;
pub mod registry;
mod source_markup;
pub mod template_evidence;
pub mod template_page;
pub mod text_blocks;
pub mod text_length;
pub mod text_selection;
pub mod token_stream;
pub mod tree_labelling;
mod whole_elements;
pub mod word_leaf;

pub use detection::{Block, BlockKind, Detection, Explanation, PageTechnique, Row};
