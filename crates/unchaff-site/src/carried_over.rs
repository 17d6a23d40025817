//! What is known of one page carried over to others of its template.
//!
//! After Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017, chapter 7.

pub(crate) mod locate_node;
pub mod match_dom;
pub mod path_set;
pub mod pruned_dom;
pub(crate) mod sibling_runs;
pub mod transfer;
