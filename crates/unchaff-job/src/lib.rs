//! Many pages at once.
//!
//! The engine looks at one page; whoever has a folder, a crawl or an archive of thousands of sites needs what is here: [`Workers`] take
//! pages from a stream, some at a time, and hand results on in their order ([`InFlight`] to whoever asks for one after the other); a [guard](guarded) turns a panic on one page into that page's
//! error; [`Watch`] is told how far things are and may call them off; files are [written](write_file) whole or not at all, under
//! [names](SiteNames) that stay in their folder. [`EachPage`] does the pages that somebody names, one by one, with what a [`Finder`] knows about their sites. A [`Segmenter`] finds the parts of rendered pages. [`SourcePages`] puts pages that share a template, or a text, together. [`WholeSites`] is the job of a crawl: learn each site, then apply it to every page, and go on
//! where an earlier run was stopped. Threads and files are here and at the edges, and nowhere in the engine.

mod checked_pages;
mod clustered_pages;
mod crawled_templates;
mod each_page;
mod error;
pub mod external;
mod files;
mod finder;
mod guard;
mod in_flight;
mod kept_answers;
mod known_sites;
mod parquet_file;
mod rendering;
mod segmented_site;
mod segmenter;
mod sink;
mod site_names;
mod site_overview;
mod sites;
mod source_pages;
mod watch;
mod whole_sites;
mod workers;

pub use checked_pages::checked_pages;
pub use clustered_pages::{ClusteredPages, TextOf};
pub use crawled_templates::{CrawledLines, CrawledPage, CrawledTemplates};
pub use each_page::{Destination, EachPage, NamedPages, PageError, PagesDone, input_name};
pub use error::JobError;
pub use external::{CommandError, ExternalError, ExternalTechnique};
pub use files::write_file;
pub use finder::{Finder, Wanted, WithModel};
pub use guard::{Panicked, guarded};
pub use in_flight::{InFlight, Next};
pub use known_sites::{KnownPages, KnownSites, learn_site, site_of};
pub use parquet_file::{Form, ParquetFile};
pub use rendering::Rendering;
pub use segmented_site::{SegmentSummary, SegmentedSite};
pub use segmenter::{BoxesFrom, Cut, SegmentError, SegmentForm, SegmentedPages, Segmenter};
pub use sink::Sink;
pub use site_names::{SiteNames, page_name};
pub use sites::Sites;
pub use source_pages::{Batch, ReducedPages, SourcePages};
pub use watch::{Quiet, Watch};
pub use whole_sites::{FinishedSite, Named, Output, SiteOrPage, TemplateNote, WholeSites};
pub use workers::Workers;
