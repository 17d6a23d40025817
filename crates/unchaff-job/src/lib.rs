//! Many pages at once.
//!
//! The engine looks at one page; whoever has a folder, a crawl or an archive of thousands of sites needs what is here: [`Workers`] take
//! pages from a stream, some at a time, and hand results on in their order ([`InFlight`] to whoever asks for one after the other); a [guard](guarded) turns a panic on one page into that page's
//! error; [`Watch`] is told how far things are and may call them off; files are [written](write_file) whole or not at all, under
//! [names](SiteNames) that stay in their folder. [`WholeSites`] is the job of a crawl: learn each site, then apply it to every page, and go on
//! where an earlier run was stopped. Threads and files are here and at the edges, and nowhere in the engine.

mod crawled_templates;
mod error;
pub mod external;
mod files;
mod guard;
mod in_flight;
mod known_sites;
mod rendering;
mod site_names;
mod site_overview;
mod sites;
mod source_pages;
mod watch;
mod whole_sites;
mod workers;

pub use crawled_templates::{CrawledPage, CrawledTemplates};
pub use error::JobError;
pub use external::{ExternalError, ExternalTechnique};
pub use files::write_file;
pub use guard::{Panicked, guarded};
pub use in_flight::{InFlight, Next};
pub use known_sites::{KnownPages, KnownSites, learn_site, site_of};
pub use rendering::Rendering;
pub use site_names::{SiteNames, page_name};
pub use sites::Sites;
pub use source_pages::{Batch, SourcePages};
pub use watch::{Quiet, Watch};
pub use whole_sites::{FinishedSite, Named, Output, SiteOrPage, TemplateNote, WholeSites};
pub use workers::Workers;
