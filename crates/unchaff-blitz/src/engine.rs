//! Blitz on a thread of its own, with a time limit.
//!
//! A page on which it panics is an error like others. It cannot be stopped: a page that takes too long leaves its thread
//! behind, which works on until it is done or the program ends. The thread has much stack, because Blitz walks trees by
//! recursion.

use crate::boxes::{MOST_BOXES, boxes};
use crate::document::{DEEPEST, build};
use crate::fonts::fonts;
use blitz_dom::FontContext;
use std::any::Any;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use thiserror::Error;
use unchaff_dom::Page;
use unchaff_segment::chromium::Rendering;
use unchaff_segment::files::Files;

/// Address space only; what is not used costs nothing.
const STACK: usize = 256 << 20;

/// How pages are laid out.
#[derive(Clone, Debug)]
pub struct Options {
    /// Width and height of the window in pixels.
    pub viewport: (u32, u32),
    /// A folder of fonts that come before those of the program.
    pub fonts: Option<PathBuf>,
    /// How long a page may take.
    pub time_limit: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options { viewport: (1280, 1024), fonts: None, time_limit: Duration::from_secs(30) }
    }
}

/// Why there are no boxes.
#[derive(Debug, Error)]
pub enum BlitzError {
    /// The folder of fonts cannot be used.
    #[error(
        "the fonts of {folder} cannot be used: {reason}; name another folder with UNCHAFF_FONTS, or none for the fonts in the program"
    )]
    Fonts {
        /// The folder.
        folder: PathBuf,
        /// Why.
        reason: String,
    },
    /// It panicked.
    #[error("Blitz cannot lay out this page ({0}); try --layout chromium, or a technique that needs no boxes (dom-blocks)")]
    Panicked(String),
    /// It took too long.
    #[error("Blitz did not lay out the page in {0:?}; give it more time (--timeout), or try --layout chromium")]
    Late(Duration),
    /// There is no thread for it.
    #[error("Blitz cannot be started: {0}")]
    Start(#[from] std::io::Error),
}

/// The engine with its fonts; see the crate.
#[derive(Clone)]
pub struct Blitz {
    options: Options,
    fonts: FontContext,
}

impl std::fmt::Debug for Blitz {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blitz").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Blitz {
    /// The engine.
    ///
    /// # Errors
    /// If a folder of fonts is named that has none.
    pub fn new(options: Options) -> Result<Blitz, BlitzError> {
        Ok(Blitz { fonts: fonts(options.fonts.as_deref())?, options })
    }

    /// Lays out a page; `files` are what its relative addresses lead to. There is never a screenshot.
    ///
    /// # Errors
    /// If Blitz panics or takes too long.
    pub fn render(&self, page: &Page, files: Option<&Files>) -> Result<Rendering, BlitzError> {
        let (page, files, fonts, viewport) = (page.clone(), files.cloned(), self.fonts.clone(), self.options.viewport);
        self.within_limit(move || {
            let mut built = build(&page, files.as_ref(), viewport, fonts);
            built.document.resolve(0.0);
            let (layout, too_many) = boxes(&page, &built, viewport);
            let mut notes = Vec::new();
            if built.was_cut {
                notes
                    .push(format!("elements are nested more than {DEEPEST} deep; those below were laid out as if they were not"));
            }
            if too_many {
                notes.push(format!("the page has more than {MOST_BOXES} boxes; the rest was left out"));
            }
            Rendering { layout, screenshot: None, notes }
        })
    }

    /// What the work returns, unless it panics or takes too long.
    fn within_limit<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, BlitzError> {
        let (sender, receiver) = channel();
        // Nobody listens any more if it took too long.
        let run = move || drop(sender.send(work()));
        let thread = std::thread::Builder::new().name("blitz".to_owned()).stack_size(STACK).spawn(run)?;
        match receiver.recv_timeout(self.options.time_limit) {
            Ok(done) => Ok(done),
            Err(RecvTimeoutError::Timeout) => Err(BlitzError::Late(self.options.time_limit)),
            Err(RecvTimeoutError::Disconnected) => {
                let reason = thread.join().err().map_or_else(|| "it ended without a word".to_owned(), |panic| words(&*panic));
                Err(BlitzError::Panicked(reason))
            }
        }
    }
}

/// What a panic says.
fn words(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    said.and_then(|said| said.lines().next()).unwrap_or("it panicked").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_and_a_hang_are_errors() {
        let error =
            Blitz::new(Options::default()).unwrap().within_limit(|| panic!("odd page")).map(|(): ()| ()).unwrap_err().to_string();
        assert!(error.contains("odd page") && error.contains("--layout chromium"), "{error}");
        let blitz = Blitz::new(Options { time_limit: Duration::from_millis(50), ..Options::default() }).unwrap();
        let error = blitz.within_limit(|| std::thread::sleep(Duration::from_secs(2))).unwrap_err();
        assert!(matches!(error, BlitzError::Late(_)), "{error}");
    }

    #[test]
    fn a_folder_without_fonts_is_refused_with_the_way_out() {
        let folder = tempfile::tempdir().unwrap();
        for fonts in [folder.path().to_owned(), folder.path().join("none")] {
            let error = Blitz::new(Options { fonts: Some(fonts), ..Options::default() }).unwrap_err().to_string();
            assert!(error.contains("UNCHAFF_FONTS"), "{error}");
        }
    }
}
