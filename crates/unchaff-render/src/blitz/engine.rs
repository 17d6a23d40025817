//! Blitz on a thread of its own, with a time limit.
//!
//! A page on which it panics is an error like others. It cannot be stopped: a page that takes too long leaves its thread
//! behind, which works on until it is done or the program ends. The thread has much stack, because Blitz walks trees by
//! recursion.

use super::NAME;
use super::boxes::{MOST_BOXES, boxes};
use super::document::{DEEPEST, build};
use super::fonts::fonts;
use blitz_dom::FontContext;
use std::any::Any;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use unchaff_segment::renderer::{Conditions, PageToRender, RenderError, Renderer, Rendering, Window};

/// Address space only; what is not used costs nothing.
const STACK: usize = 256 << 20;

/// How pages are laid out.
#[derive(Clone, Debug)]
pub struct Options {
    /// The size of the window.
    pub window: Window,
    /// A folder of fonts that come before those of the program.
    pub fonts: Option<PathBuf>,
    /// How long a page may take.
    pub time_limit: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options { window: Window::default(), fonts: None, time_limit: Duration::from_secs(30) }
    }
}

impl Options {
    /// What boxes that are made with these options depend on.
    #[must_use]
    pub fn conditions(&self) -> Conditions {
        let more = self.fonts.iter().map(|folder| format!("fonts={}", folder.display())).collect();
        Conditions { renderer: NAME, window: self.window, more }
    }
}

/// The engine with its fonts; see the [module](super).
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
    pub fn new(options: Options) -> Result<Blitz, RenderError> {
        Ok(Blitz { fonts: fonts(options.fonts.as_deref())?, options })
    }

    /// What the work returns, unless it panics or takes too long.
    fn within_limit<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, RenderError> {
        let (sender, receiver) = channel();
        // Nobody listens any more if it took too long.
        let run = move || drop(sender.send(work()));
        let thread = std::thread::Builder::new().name("blitz".to_owned()).stack_size(STACK).spawn(run);
        let thread =
            thread.map_err(|cause| RenderError::Start { renderer: NAME, reason: format!("Blitz cannot be started: {cause}") })?;
        match receiver.recv_timeout(self.options.time_limit) {
            Ok(done) => Ok(done),
            Err(RecvTimeoutError::Timeout) => Err(RenderError::Late { renderer: NAME, limit: self.options.time_limit }),
            Err(RecvTimeoutError::Disconnected) => {
                let reason = thread.join().err().map_or_else(|| "it ended without a word".to_owned(), |panic| words(&*panic));
                Err(RenderError::Failed { renderer: NAME, reason })
            }
        }
    }
}

impl Renderer for Blitz {
    fn conditions(&self) -> Conditions {
        self.options.conditions()
    }

    /// Lays out a page. There is never a screenshot.
    fn render(&mut self, page: &PageToRender<'_>) -> Result<Rendering, RenderError> {
        let (files, fonts, window) = (page.subresources.clone(), self.fonts.clone(), self.options.window);
        let page = page.page.clone();
        self.within_limit(move || {
            let mut built = build(&page, files, window, fonts);
            built.document.resolve(0.0);
            let (layout, too_many) = boxes(&page, &built, window);
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
        assert!(error.contains("odd page") && error.contains("another renderer"), "{error}");
        let blitz = Blitz::new(Options { time_limit: Duration::from_millis(50), ..Options::default() }).unwrap();
        let error = blitz.within_limit(|| std::thread::sleep(Duration::from_secs(2))).unwrap_err();
        assert!(matches!(error, RenderError::Late { .. }), "{error}");
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
