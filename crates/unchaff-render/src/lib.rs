//! Renderers: what turns a page into boxes ([`unchaff_segment::renderer`]).
//!
//! [`chromium`] drives a browser of this machine. `blitz`, behind the feature of its name, lays pages out within the program, for
//! machines without one. Either gets what a page refers to from a folder ([`files`]).
//!
//! ```no_run
//! use unchaff_dom::Page;
//! use unchaff_render::chromium::{Chromium, Options};
//! use unchaff_segment::renderer::{PageToRender, Renderer};
//!
//! let page = Page::parse("<p>One</p>");
//! let mut renderer: Box<dyn Renderer> = Box::new(Chromium::new(Options::default()));
//! let layout = renderer.render(&PageToRender::new(&page))?.layout;
//! assert_eq!(layout.content().count(), 1);
//! # Ok::<(), unchaff_segment::renderer::RenderError>(())
//! ```

#[cfg(feature = "blitz")]
pub mod blitz;
pub mod chromium;
pub mod files;
pub mod test_browser;

use std::path::PathBuf;
use std::time::Duration;
use unchaff_segment::renderer::{RenderError, Renderer, Window};

/// Blitz, if the program was built with it, with the fonts of a folder before its own.
///
/// # Errors
/// If it was not, or the folder has no fonts.
pub fn blitz(window: Window, fonts: Option<PathBuf>, time_limit: Duration) -> Result<Box<dyn Renderer>, RenderError> {
    #[cfg(feature = "blitz")]
    return Ok(Box::new(blitz::Blitz::new(blitz::Options { window, fonts, time_limit })?));
    #[cfg(not(feature = "blitz"))]
    {
        let _ = (window, fonts, time_limit);
        Err(RenderError::NotBuilt { renderer: "Blitz" })
    }
}
