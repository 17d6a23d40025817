//! `unchaff mcp`: the engine as tools of an assistant, over standard input and output (`unchaff_serve::mcp`).

use anyhow::Result;
use clap::Args;
use std::io;
use std::time::Duration;
use unchaff_serve::Options;
use unchaff_serve::mcp::Assistant;

const EXAMPLES: &str = "\
An assistant that speaks the Model Context Protocol starts it by itself, told by a line like
  {\"mcpServers\": {\"unchaff\": {\"command\": \"unchaff\", \"args\": [\"mcp\", \"--fetch\"]}}}

The tools: extract (Markdown, in parts), site (what recurs is removed), menu, metadata.";

/// What the tools may do.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct McpOptions {
    /// Fetch pages by address, from public addresses and usual ports only; without it, the assistant has to hand them over.
    #[arg(long)]
    fetch: bool,

    /// With --fetch: also from private networks, this machine and any port.
    #[arg(long, requires = "fetch")]
    fetch_private: bool,

    /// The most bytes a page may have.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    max_bytes: u64,

    /// Seconds after which a page is given up that is fetched.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86400))]
    timeout: u64,
}

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
