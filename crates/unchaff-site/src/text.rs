//! What older detectors count: words and their stems, shingles, entropy, links between pages.

pub(crate) mod connected_components;
pub(crate) mod feature_entropy;
pub(crate) mod hits;
pub(crate) mod keywords;
pub(crate) mod porter;
pub(crate) mod shingles;
