//! Our own techniques that are rules written by hand: comments, advertisements, trails, kinds of what is not content.

mod ad_networks;
pub mod additional_content;
pub mod ads;
mod comment_byline;
mod comment_headings;
pub mod comment_list;
pub(crate) mod comment_signs;
pub mod comments;
mod entry_runs;
pub(crate) mod filler_lines;
pub mod posts;
mod signed_entries;
pub mod trail;
pub(crate) mod who_and_when;
