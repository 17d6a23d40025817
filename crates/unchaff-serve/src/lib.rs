//! unchaff as a service: an HTTP interface, a page to try it, a reading proxy, the workbench in the browser, and tools for assistants.
//!
//! Whoever writes neither Rust nor Python asks over HTTP and gets what the command would print, byte for byte: what is asked ([`Asked`]) has the
//! options of the command, and the engine answers. All that is here is about being asked by many at once, and by strangers: how large a
//! request may be (`body.rs`), how many are worked on (`engine.rs`), who may ask (`gate.rs`), and what may be fetched (`fetching.rs`).
//! The asynchronous runtime is in this crate and in no other.
//!
//! ```no_run
//! use unchaff_serve::{Options, serve};
//!
//! serve(Options::default(), |address| eprintln!("http://{address}"))?;
//! # Ok::<(), unchaff_serve::ServeError>(())
//! ```

mod accept;
mod answer;
mod asked;
mod body;
mod engine;
mod fetching;
mod gate;
pub mod mcp;
mod metrics;
mod openapi;
mod options;
mod problem;
mod read;
mod rewriting;
mod routes;
mod schema;
mod segments;
mod server;
mod sites;
mod stalled;
mod techniques;
mod web;
mod workbench;

pub use asked::{Asked, AskedOptions};
pub use openapi::document as openapi;
pub use options::Options;
pub use server::{ServeError, Server, serve};
