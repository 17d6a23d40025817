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

pub mod auto_with_site;
pub mod bootstrap;
pub mod bottom_up_mapping;
pub mod candidates;
pub mod clustering;
pub mod complete_subdigraph;
pub mod conex_site;
pub mod connected_components;
pub mod content_site;
pub mod content_with_site;
pub mod contentextractor;
pub mod df_filter;
pub mod distances;
pub mod dom_distance;
pub mod earlier_versions;
pub mod evidence;
pub mod feature_entropy;
pub mod gibson_dom;
pub mod gibson_text;
pub mod hits;
pub mod hybex;
pub mod hyperlink_distance;
pub mod infodiscoverer;
pub mod iwptd;
pub mod keywords;
pub mod lamis;
pub mod learned_template;
pub mod link_order;
pub mod locate_node;
pub mod mapping;
pub mod match_dom;
pub mod menex_site;
pub mod menu_site;
pub mod node_equality;
pub mod node_position;
pub mod page_blocks;
pub mod page_groups;
pub mod page_keys;
pub mod page_sample;
pub mod pagelets;
pub mod path_set;
mod porter;
pub mod pruned_dom;
pub mod rbm_td;
pub mod recurring_text;
pub mod registry;
pub mod rtdm_mapping;
pub mod rtdm_td;
pub mod shingles;
pub mod sibling_pairing;
pub mod sibling_runs;
pub mod siblings;
pub mod site_style_tree;
pub mod sst;
mod technique;
pub mod temex;
pub mod template_auto;
pub mod training_set;
pub mod transfer;
pub mod tree_view;
pub mod votes;
pub mod whole_site;
pub mod wisdom;

pub use technique::SiteTechnique;
pub use whole_site::LearnedSite;
