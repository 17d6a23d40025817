//! What is learned from the pages of a site, and our own techniques on top of it.
//!
//! [`page_keys`] turns a page into numbers that can be found again on others, [`evidence`] weighs what a comparison of them says.

pub mod auto_with_site;
pub mod content_site;
pub mod content_with_site;
pub mod evidence;
pub mod learned_template;
pub mod menu_site;
pub mod page_blocks;
pub mod page_groups;
pub mod page_keys;
pub mod recurring_text;
pub mod template_auto;
pub mod whole_site;
