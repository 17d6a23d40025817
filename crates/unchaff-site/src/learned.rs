//! What is learned from the pages of a site, and our own techniques on top of it.
//!
//! [`site_model`] is what is known about a site, [`with_site`] the recipe that turns it into content, template and menu of a page.
//! [`page_keys`] turns a page into numbers that can be found again on others, [`comparison`] puts a page beside those of its site,
//! [`evidence`] weighs what that says. The others are techniques.

pub mod auto_with_site;
mod belonging;
mod bit_codes;
pub mod block_facts;
pub mod block_trees;
pub mod comparison;
pub mod content_site;
pub(crate) mod content_with_site;
pub mod evidence;
mod key_index;
mod key_numbers;
pub(crate) mod menu_site;
pub mod menu_with_site;
pub(crate) mod model_bytes;
mod own_lines;
pub mod page_facts;
pub mod page_keys;
mod page_record;
pub(crate) mod recurring_text;
pub mod site_model;
pub(crate) mod template_auto;
pub mod with_site;
