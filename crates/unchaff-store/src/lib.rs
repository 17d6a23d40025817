//! Templates that are kept: pages of a known template get their blocks from it, and only the others are analysed.
//!
//! After Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017,
//! chapter 7: a page stands for its template; a new page is compared with those that stand for the templates of its site,
//! and if one is like it, its blocks are carried over. [`TemplateStore`] is the file, [`TemplateStream`] what pages go through to get
//! content, template and menu, [`SegmentStream`] to get segments.
//! What is compared and carried over is in `unchaff-site` ([`match_dom`](unchaff_site::carried_over::match_dom),
//! [`transfer`](unchaff_site::carried_over::transfer)).
//!
//! ```
//! use unchaff_dom::Parser;
//! use unchaff_store::{Origin, StreamOptions, TemplateStore, TemplateStream};
//!
//! let stream = TemplateStream::new(TemplateStore::in_memory()?, StreamOptions::default());
//! let mut origins = Vec::new();
//! for number in 0..4 {
//!     let html = format!("<nav><a href=/>Home</a></nav><main><h1>Day {number}</h1><p>It rained {number} hours.</p></main>");
//!     let page = Parser::new().url("https://example.org/").parse(html);
//!     // Whoever knows the site better analyses the pages that are not recognised.
//!     let recognised = stream.process("example.org", &page, &|page| Some(stream.blocks().alone(page)))?;
//!     origins.push(recognised.origin);
//! }
//! assert_eq!(origins, [Origin::Taught, Origin::Taught, Origin::Transferred, Origin::Transferred]);
//! # Ok::<(), unchaff_store::StoreError>(())
//! ```

mod error;
mod recognition;
mod record;
pub mod segment_stream;
pub mod store;
mod store_file;
pub mod stream;

pub use error::StoreError;
pub use recognition::{Look, StreamOptions};
pub use record::{BLOCKS, ExportedTemplate, StoredTemplate};
pub use segment_stream::{SegmentStream, Segmented};
pub use store::{Removal, TemplateStore, TemplateSummary};
pub use store_file::SCHEMA_VERSION;
pub use stream::{Origin, Recognised, TemplateStream};
