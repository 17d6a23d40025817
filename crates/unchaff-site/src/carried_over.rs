//! What is known of one page carried over to others of its template.
//!
//! After Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017, chapter 7.
//! [`match_dom`] tells which stored page a new one is like, [`transfer`] carries blocks over, [`recognition`] decides when that is
//! believed. What is kept about sites is behind a trait ([`templates`]), so that it can be in memory ([`memory_templates`]) or in a file.

pub(crate) mod locate_node;
pub mod match_dom;
pub mod memory_templates;
pub mod path_set;
pub mod pruned_dom;
pub mod recognition;
pub(crate) mod sibling_runs;
pub mod templates;
pub mod transfer;
