//! `--layout blitz`, in a program that was built with the feature `blitz`; in others, a word on how to get it.

use crate::segment::SegmentOptions;
use anyhow::Result;
use unchaff::Page;
use unchaff_segment::chromium::Rendering;
use unchaff_segment::files::Files;

#[cfg(feature = "blitz")]
pub(crate) struct Engine(unchaff_blitz::Blitz);

#[cfg(feature = "blitz")]
impl Engine {
    pub(crate) fn new(options: &SegmentOptions) -> Result<Engine> {
        let blitz = unchaff_blitz::Blitz::new(unchaff_blitz::Options {
            viewport: options.viewport,
            fonts: std::env::var_os("UNCHAFF_FONTS").map(Into::into),
            time_limit: std::time::Duration::from_secs(options.timeout),
        })?;
        Ok(Engine(blitz))
    }

    pub(crate) fn render(&self, page: &Page, files: Option<&Files>) -> Result<Rendering> {
        Ok(self.0.render(page, files)?)
    }
}

/// There is none in this program.
#[cfg(not(feature = "blitz"))]
pub(crate) enum Engine {}

#[cfg(not(feature = "blitz"))]
impl Engine {
    pub(crate) fn new(_options: &SegmentOptions) -> Result<Engine> {
        anyhow::bail!(
            "this unchaff was built without Blitz; build one with it (cargo install --path crates/unchaff-cli --features blitz), or use --layout chromium"
        )
    }

    pub(crate) fn render(&self, _page: &Page, _files: Option<&Files>) -> Result<Rendering> {
        match *self {}
    }
}
