//! Published techniques that look at one page, one file each; some with a file for what they are made of.

pub mod blurring;
pub mod boilerpipe;
mod boilerpipe_filters;
pub mod bte;
pub mod cetd;
pub mod cetr;
pub mod conex;
pub mod content_code_blurring;
pub mod crunch;
pub mod dsc;
pub mod eiisa;
mod eiisa_expressions;
pub mod eiisa_rules;
pub mod feature_extractor;
pub mod largest_pagelet;
pub mod largest_size_increase;
#[cfg(feature = "sequence-models")]
pub mod linear_chain;
pub mod link_lists;
pub mod link_quota;
pub mod menex;
pub mod menex_euclid;
pub mod plain;
pub mod unfluff;
#[cfg(feature = "sequence-models")]
pub mod victor;
#[cfg(feature = "sequence-models")]
pub mod web2text;
pub mod word_leaf;
pub mod xwrap;
