//! `--layout blitz`, in a program that was built with the feature `blitz`; in others, a word on how to get it.

use crate::segment::SegmentOptions;
use anyhow::Result;
use unchaff_segment::renderer::Renderer;

/// Blitz as the options say.
#[cfg(feature = "blitz")]
pub(crate) fn renderer(options: &SegmentOptions) -> Result<Box<dyn Renderer>> {
    use unchaff_render::blitz::{Blitz, Options};
    let blitz = Blitz::new(Options {
        window: options.viewport,
        fonts: std::env::var_os("UNCHAFF_FONTS").map(Into::into),
        time_limit: std::time::Duration::from_secs(options.timeout),
    })?;
    Ok(Box::new(blitz))
}

/// There is none in this program.
#[cfg(not(feature = "blitz"))]
pub(crate) fn renderer(_options: &SegmentOptions) -> Result<Box<dyn Renderer>> {
    anyhow::bail!(
        "this unchaff was built without Blitz; build one with it (cargo install --path crates/unchaff-cli --features blitz), or use --layout chromium"
    )
}
