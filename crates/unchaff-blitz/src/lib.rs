//! Boxes from [Blitz](https://github.com/DioxusLabs/blitz), a layout engine within the program, for machines without a browser.
//!
//! Everything here is behind the feature `engine`, because the engine takes minutes to build; without it this crate is empty.
//!
//! Pages are laid out from their own style sheets and images, with fonts that are the same everywhere; nothing comes from the
//! web, and scripts do not run. Boxes mean what those of Chromium mean. They agree with them where pages are made of blocks,
//! lists and columns; Blitz knows no margins and padding of elements that run within lines, no quirks mode and little of
//! tables, so what stands below such things is shifted (`docs/segmentation.md` has figures).

#[cfg(feature = "engine")]
mod boxes;
#[cfg(feature = "engine")]
mod document;
#[cfg(feature = "engine")]
mod engine;
#[cfg(feature = "engine")]
mod fonts;
#[cfg(feature = "engine")]
mod resources;
#[cfg(all(test, feature = "engine"))]
mod tests;
#[cfg(feature = "engine")]
mod text_lines;

#[cfg(feature = "engine")]
pub use engine::{Blitz, BlitzError, Options};
