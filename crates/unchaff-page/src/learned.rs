//! Our own techniques whose weights were learned from labelled pages.
//!
//! [`auto`] finds the content, [`menu_auto`] the main menu, [`template_page`] the template as far as one page can tell.

pub mod auto;
pub mod inside;
pub mod menu_auto;
pub mod name_families;
pub mod small_logs;
mod template_evidence;
pub mod template_page;
pub mod tree_labelling;
