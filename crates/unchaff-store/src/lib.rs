//! What is kept about sites, in a file: a model of each site, answers for pages that come again as they were, and the templates whose segments are carried over.
//!
//! [`TemplateStore`] is [`Templates`](unchaff_site::carried_over::templates::Templates) in an SQLite database that processes share. It
//! computes nothing: what a model says of a page is the model's affair, and when a template is used is that of
//! [`recognition`](unchaff_site::carried_over::recognition). Here are also what looks after the file (listing, removing) and the form in which
//! it leaves one store and comes into another ([`Exported`]).
//!
//! ```
//! use unchaff_dom::Parser;
//! use unchaff_site::SiteModel;
//! use unchaff_site::carried_over::templates::Templates;
//! use unchaff_store::TemplateStore;
//!
//! let page = |name: &str| Parser::new().url(&format!("https://example.org/{name}")).parse("<nav>Home</nav><p>It rained.</p>");
//! let mut store = TemplateStore::in_memory()?;
//! store.learn("example.org", SiteModel::learn([&page("monday")]))?;
//! let model = store.learn("example.org", SiteModel::learn([&page("tuesday")]))?;
//! assert_eq!(model.pages(), 2);
//! assert_eq!(store.model("example.org")?, Some(model));
//! # Ok::<(), unchaff_store::StoreError>(())
//! ```

mod columns;
mod error;
mod export;
mod import_lines;
mod listing;
mod overview;
mod rows;
pub mod store;
mod store_file;

pub use error::{ImportError, StoreError};
pub use export::{Exported, ExportedModel, ExportedTemplate};
pub use import_lines::{Imported, LineError, LineFault};
pub use listing::{AnswersSummary, Listing, ModelSummary, Removal, Removed, TemplateSummary};
pub use store::TemplateStore;
pub use store_file::SCHEMA_VERSION;
