//! What can be asked of `unchaff mcp`, and its help.

use clap::Args;

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
    pub(crate) fetch: bool,

    /// With --fetch: also from private networks, this machine and any port.
    #[arg(long, requires = "fetch")]
    pub(crate) fetch_private: bool,

    /// The most bytes a page may have.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_bytes: u64,

    /// Seconds after which a page is given up that is fetched.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub(crate) timeout: u64,
}
