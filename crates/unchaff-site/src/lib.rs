//! Techniques that compare the pages of a site: what recurs is template, what does not is content.
//!
//! A technique gets a [`Site`](unchaff_dom::Site) and the page in question, loads the few other pages it needs, and
//! returns blocks of that page. [`registry`] lists the techniques by name.
//!
//! ```
//! use unchaff_dom::{PageId, Parser, site::LoadedSite};
//! use unchaff_page::BlockKind;
//!
//! let page = |name: &str, text: &str| {
//!     let html = format!("<ul><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul><main>{text}</main>");
//!     Parser::new().url(&format!("https://example.org/{name}")).parse(html)
//! };
//! let site = LoadedSite::new([page("a", "<p>Rain.</p>"), page("b", "<h2>Sun</h2>"), page("c", "<ol><li>Snow</ol>")]);
//! let technique = unchaff_site::registry::find("temex").unwrap().default_technique();
//! let detection = technique.detect(&site, PageId(0)).unwrap();
//! let (page, template) = (&page("a", "<p>Rain.</p>"), detection.nodes(BlockKind::Template).unwrap());
//! let text = unchaff_dom::emit::text(page, template);
//! assert!(text.contains('C') && !text.contains("Rain"));
//! ```

pub mod candidates;
pub mod carried_over;
pub mod clustering;
pub mod distances;
pub mod learned;
mod mapping;
mod parallel;
pub mod published;
pub mod registry;
mod technique;
mod text;

pub use learned::site_model::{ModelError, SiteModel};
pub use technique::SiteTechnique;
