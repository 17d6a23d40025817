//! What a person sees as the parts of a rendered page.
//!
//! ```
//! use unchaff_dom::Page;
//! use unchaff_segment::layout::Layout;
//! use unchaff_segment::registry;
//!
//! let page = Page::parse("<body><p>One</p><p>Two</p></body>");
//! let layout = Layout::from_json(br#"{"width":200,"height":100,"boxes":[
//!     {"rect":[10,10,60,26],"kind":"text","node":4},
//!     {"rect":[10,30,60,46],"kind":"text","node":6}]}"#).unwrap();
//! let found = registry::find("bcs").unwrap().default_technique().segment(&page, &layout);
//! assert_eq!(found.segments.len(), 1);
//! assert_eq!(page.text(found.segments[0].nodes[0]), "OneTwo");
//! ```
//!
//! Boxes come from a renderer ([`renderer`]) or as JSON ([`layout`]); techniques ([`registry`]) make segments of them, as boxes and as
//! nodes ([`segmentation`]), which are written as JSON or in the page ([`document`]). Clustering ([`bcs`]) knows boxes only, so it serves
//! whatever has boxes. Nothing here starts a process or thread, reads a file or asks the clock.

pub mod adaptive;
pub mod background_images;
pub mod bcs;
pub mod block_fusion;
pub mod box_tree;
pub mod catalogue;
pub mod color;
pub mod content_clustering;
pub mod document;
pub mod dom_blocks;
pub mod grid;
pub mod labels;
mod largest_nodes;
pub mod layout;
mod node_views;
pub mod picture;
pub mod rect;
pub mod registry;
pub mod renderer;
pub mod segment_stream;
pub mod segmentation;
pub mod segments_auto;
pub mod vips;
pub mod visual_blocks;
pub mod visual_boxes;
pub mod wish;
