//! Techniques that compare the pages of a site: what recurs is template, what does not is content.
//!
//! A technique gets a [`Site`](unchaff_dom::Site) and the page in question, loads the few other pages it needs, and
//! returns blocks of that page. [`registry`] lists the techniques by name.

pub mod registry;
mod technique;

pub use technique::SiteTechnique;
