//! Boxes from [Blitz](https://github.com/DioxusLabs/blitz), a layout engine within the program, for machines without a browser.
//!
//! Pages are laid out from their own style sheets and images, with fonts that are the same everywhere; nothing comes from the
//! web, and scripts do not run. Boxes mean what those of Chromium mean. They agree with them where pages are made of blocks,
//! lists and columns; Blitz knows no margins and padding of elements that run within lines, no quirks mode and little of
//! tables, so what stands below such things is shifted (`docs/segmentation.md` has figures).

mod boxes;
mod document;
mod engine;
mod fonts;
mod resources;
#[cfg(test)]
mod tests;
mod text_lines;

pub use engine::{Blitz, Options};

/// The name by which boxes of it are told from others.
const NAME: &str = "blitz";
