//! Where pages come from: files, folders, standard input and the web.
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
//! one of them into bytes (with [`Fetcher`] for web addresses), [`OutputNames`] says what to call what comes out.
//! Everything here is bounded: the walk by the names of a part of a folder, a read by [`FetchOptions::max_bytes`], a
//! fetch also by [`FetchOptions::timeout`]. Nothing here looks inside a page; the bytes are handed on as they are.

mod content_encoding;
mod content_type;
mod error;
mod fetch;
mod inputs;
mod output_name;
mod page_file_name;
mod read;

pub use error::FetchError;
pub use fetch::{FetchOptions, Fetched, Fetcher};
pub use inputs::{Input, InputError, Inputs, Named, inputs};
pub use output_name::{OutputNames, output_name};
pub use read::read;
