//! Which other pages of a site a page is compared with.
//!
//! Alarte's way: links in order, a complete subdigraph among them, or the other choices of his earlier
//! work. The way of the older detectors: a sample or a training set. Ours: [`siblings`](mod@siblings).

pub(crate) mod choice;
pub(crate) mod complete_subdigraph;
pub(crate) mod dom_distance;
pub(crate) mod hyperlink_distance;
pub(crate) mod link_order;
pub(crate) mod page_sample;
pub mod siblings;
pub(crate) mod training_set;

pub use choice::Selection;
pub use complete_subdigraph::Subdigraph;
pub use link_order::CandidateLink;
pub use training_set::TrainingSet;
