//! `unchaff mcp`: the engine as tools of an assistant, over standard input and output (`unchaff_serve::mcp`).

use crate::arguments::mcp::McpOptions;
use anyhow::Result;
use std::io;
use std::time::Duration;
use unchaff_serve::Options;
use unchaff_serve::mcp::Assistant;

pub(crate) fn run(options: &McpOptions) -> Result<()> {
    let assistant = Assistant::new(&Options {
        fetch: options.fetch,
        fetch_private: options.fetch_private,
        max_bytes: options.max_bytes,
        timeout: Duration::from_secs(options.timeout),
        ..Options::default()
    });
    Ok(assistant.run(io::stdin().lock(), io::stdout().lock())?)
}
