//! Writing any set of nodes.
mod annotated;
pub use annotated::{ATTRIBUTE, annotated};
