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
//! A [`Page`] is read once, from a [`Document`] if its address or charset is known. An [`Extractor`] is a technique with its
//! settings, shared by threads; what it finds on a page is an [`Extraction`], which can be written in every [`Format`], or kept
//! as an [`ExtractionRecord`]. With other pages of its site at hand a [`SiteModel`] is learned from them, and [`extract_with_site`] does
//! better; [`SiteExtractor`] is for the published techniques that compare pages. The layers below are there for more: [`dom`] (the tree, selectors, links,
//! metadata, output), [`page`] and [`compare`] (techniques).

mod check;
mod chunks;
mod clusters;
mod duplicates;
mod explain;
mod explained_page;
mod extraction;
pub mod facts;
mod fields;
mod format;
mod html5;
mod landmarks;
mod links;
mod menu;
mod parts;
mod record;
mod site;
mod structure;
mod tei;
mod title;
mod views;

pub use check::{CHECK_SCHEMA, Check, Finding, Level, check};
pub use chunks::{Chunk, TOKENS, chunks, lines as chunk_lines, tokens};
pub use clusters::{Agreement, ClusterRecord, NearClusters, OneCluster, Truth};
pub use duplicates::DuplicateRecord;
pub use extraction::{Extraction, Extractor, UnknownTechnique};
pub use facts::{Fingerprint, TextFacts};
pub use fields::{Field, UnknownField};
pub use format::{Format, UnknownFormat};
pub use links::{Links, UnknownLinks};
pub use menu::{MenuItem, menu};
pub use parts::{ContradictoryPart, Part, Parts, UnknownPart};
pub use record::{
    BlockRecord, CharsetRecord, CommentRecord, ExplanationRecord, ExtractionRecord, FlagRecord, MetadataRecord, NodeRecord,
    RowRecord, SCHEMA, ValueRecord, WarningRecord,
};
pub use site::{SITE, SiteExtractor, extract_with_facts, extract_with_site};
pub use structure::{RankedAddress, StructureRecord};
pub use title::{Title, UnknownTitle};
pub use unchaff_dom as dom;
pub use unchaff_dom::emit::{Filler, Flavour, UnknownFlavour};
pub use unchaff_dom::{Document, Limits, NodeId, NodeSet, Page, Parser, Tag, Warning};
pub use unchaff_page as page;
pub use unchaff_page::registry::{self, Entry, SettingError};
pub use unchaff_page::rules::comment_list::Comment;
pub use unchaff_page::{Block, BlockKind, Detection, Explanation, PageTechnique, Row};
pub use unchaff_site as compare;
pub use unchaff_site::{ModelError, SiteModel};
