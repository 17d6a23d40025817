//! Which nodes of two pages stand for each other: the mappings of published techniques, and what they are made of.

pub(crate) mod bottom_up_mapping;
pub(crate) mod equal_top_down;
pub(crate) mod moved_parts;
pub(crate) mod ne_pattern;
pub(crate) mod node_equality;
pub(crate) mod node_position;
pub(crate) mod rtdm_mapping;
pub(crate) mod sibling_pairing;
pub(crate) mod site_style_tree;
pub(crate) mod tree_view;
pub(crate) mod votes;
