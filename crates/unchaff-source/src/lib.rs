//! Where pages come from: files, folders, standard input, web archives and the web.
//!
//! ```no_run
//! use unchaff_source::{FetchOptions, Fetcher, OutputNames, inputs, read};
//!
//! let fetcher = Fetcher::new(FetchOptions::default());
//! let mut names = OutputNames::new("md");
//! for named in inputs(&["mirror/", "https://example.org/news", "-"]) {
//!     let named = named?;
//!     let page = read(&named.input, &fetcher)?;
//!     println!("{}: {} bytes go to {}", named.input, page.bytes.len(), names.name(&named).display());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The steps, one module each: [`inputs()`] turns what a person names into a stream of [`Named`] inputs, [`read()`] turns
//! one of them into bytes ([`pages()`] opens files that hold many of them; with [`Fetcher`] for web addresses), [`OutputNames`] says what to call what comes out.
//! Everything here is bounded: the walk by the names of a part of a folder, a read by [`FetchOptions::max_bytes`], a
//! fetch also by [`FetchOptions::timeout`]. None of these looks inside a page; the bytes are handed on as they are.
//!
//! Pages that belong together are a [`Site`](unchaff_dom::Site), which [`open_site`] opens: a [`MirroredFolder`], files with a
//! [`UrlList`], a site of a web archive ([`WarcSites`]) or the live web ([`LiveSite`]). A site remembers a bounded part of what
//! it has loaded. [`crawl()`] saves a site of the web into an archive, which [`WarcReader`] reads as a stream.

mod address_key;
mod addresses;
mod arc;
mod client;
mod content_encoding;
mod content_type;
mod crawl;
mod error;
mod fetch;
mod file_kind;
mod inputs;
mod live;
mod mirror;
mod open_site;
mod output_name;
mod packing;
mod page_cache;
mod page_file_name;
mod pages;
mod plain_response;
mod polite;
pub mod public_address;
mod read;
mod reading;
mod robots;
mod site_error;
#[doc(hidden)]
pub mod test_network;
mod url_list;
mod warc;
mod warc_sites;
mod warc_writer;

pub use crawl::{CrawlError, CrawlOptions, CrawlReport, PageTaker, crawl, crawl_reading, starts};
pub use error::FetchError;
pub use fetch::{FetchOptions, Fetched, Fetcher, Resource};
pub use inputs::{Held, Input, InputError, Inputs, Named, inputs};
pub use live::LiveSite;
pub use mirror::MirroredFolder;
pub use open_site::{AnySite, open_site};
pub use output_name::{OutputNames, output_name};
pub use pages::{Pages, holds_pages, is_web_archive, pages};
pub use plain_response::{PlainResponse, PlainResponseError};
pub use polite::PoliteOptions;
pub use read::read;
pub use reading::Reading;
pub use robots::Robots;
pub use site_error::SiteError;
pub use url::Url;
pub use url_list::UrlList;
pub use warc::{WarcPage, WarcReader};
pub use warc_sites::{WarcSite, WarcSites};
pub use warc_writer::{CapturedResponse, WarcWriter};
