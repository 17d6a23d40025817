//! `unchaff serve`: the engine as a service on this machine (`unchaff_serve`).

use crate::arguments::serve::ServeOptions;
use crate::output::{inform, is_quiet};
use anyhow::{Result, ensure};
use std::net::SocketAddr;
use std::time::Duration;
use unchaff_serve::{Options, serve};

pub(crate) fn run(options: &ServeOptions) -> Result<()> {
    let token = std::env::var("UNCHAFF_TOKEN").ok();
    ensure!(token.as_deref() != Some(""), "UNCHAFF_TOKEN is empty; set it to what those who ask have to know, or unset it");
    let is_open = token.is_none() && !options.bind.is_loopback();
    let may_fetch = options.fetch;
    serve(
        Options {
            bind: options.bind,
            port: options.port,
            hosts: options.host.clone(),
            fetch: options.fetch,
            fetch_private: options.fetch_private,
            max_bytes: options.max_bytes,
            timeout: Duration::from_secs(options.timeout),
            jobs: options.jobs.map(usize::from),
            quiet: is_quiet(),
            token,
            workbench: options.workbench.clone(),
            ..Options::default()
        },
        |address| inform(&told(address, is_open, may_fetch)),
    )?;
    Ok(())
}

/// Where the service is, and who can reach it.
fn told(address: SocketAddr, is_open: bool, may_fetch: bool) -> String {
    let reached = if address.ip().is_loopback() { "for this machine only" } else { "for all that can reach this machine" };
    let token = if is_open { ", without a token (UNCHAFF_TOKEN)" } else { "" };
    let fetching = if may_fetch { "pages are fetched by address" } else { "nothing is fetched (--fetch)" };
    format!("http://{address}/ {reached}{token}; {fetching}; Ctrl-C ends it")
}
