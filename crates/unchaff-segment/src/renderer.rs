//! Who turns a page into boxes, seen from here: a trait, and values.
//!
//! Segmentation needs no more of a renderer than its [`Layout`]. Rendering needs processes, files, clocks and threads, so whoever
//! does it lives elsewhere (`unchaff-render` has Chromium and Blitz) and implements [`Renderer`]. What a page refers to comes from
//! [`Subresources`], so that a renderer need not know where they are kept. Options are given to a renderer when it is made, not with each page, because a
//! browser is started with them; of those that decide on boxes it tells ([`Conditions`]).

use crate::layout::Layout;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use unchaff_dom::Page;
use url::Url;

/// Turns pages into boxes.
///
/// Boxes carry the nodes of the page they were made of. A page costs an error, never the renderer: the next page is rendered, if
/// need be by a process or thread that replaces the one before.
pub trait Renderer: fmt::Debug + Send {
    /// All that boxes depend on besides the page and what it refers to. Boxes of equal conditions can be used for each other.
    fn conditions(&self) -> Conditions;

    /// Renders a page.
    ///
    /// # Errors
    /// If nothing on this machine can, or not this page, or not in time.
    fn render(&mut self, page: &PageToRender<'_>) -> Result<Rendering, RenderError>;
}

/// A page, and what a renderer needs to know about it.
#[derive(Clone, Debug)]
pub struct PageToRender<'p> {
    /// The page; its source, tree, address and charset are in it.
    pub page: &'p Page,
    /// What it refers to. Without them the address of the page is its own, and the renderer decides what it loads from there.
    pub subresources: Option<Arc<dyn Subresources>>,
    /// Whether a picture of it is wanted too.
    pub screenshot: bool,
}

impl<'p> PageToRender<'p> {
    /// A page without anything that it refers to.
    #[must_use]
    pub fn new(page: &'p Page) -> PageToRender<'p> {
        PageToRender { page, subresources: None, screenshot: false }
    }

    /// The page with what it refers to, if that is known.
    #[must_use]
    pub fn with_subresources<S: Subresources + 'static>(mut self, subresources: Option<S>) -> PageToRender<'p> {
        self.subresources = subresources.map(|found| Arc::new(found) as Arc<dyn Subresources>);
        self
    }

    /// Whether a picture of it is wanted too.
    #[must_use]
    pub fn with_screenshot(mut self, screenshot: bool) -> PageToRender<'p> {
        self.screenshot = screenshot;
        self
    }
}

/// What a page refers to: its style sheets, images and fonts.
///
/// It is asked by the address that the renderer made of what stands in the page. It must answer for its own addresses only: what it does
/// not have may be asked of the web, if that is allowed.
pub trait Subresources: fmt::Debug + Send + Sync {
    /// The address that the renderer gets the page under, against which it resolves all others.
    fn address(&self) -> Url;

    /// What an address leads to, if it is here.
    fn read(&self, address: &Url) -> Option<Subresource>;

    /// Whether an address leads to something that is here.
    fn has(&self, address: &Url) -> bool {
        self.read(address).is_some()
    }
}

/// A style sheet, an image, a font.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subresource {
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Its media type, like `text/css`.
    pub media_type: String,
}

/// A rendered page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rendering {
    /// Its boxes.
    pub layout: Layout,
    /// A picture of it as PNG, if it was asked for and the renderer makes any.
    pub screenshot: Option<Vec<u8>>,
    /// What the user should know, in a sentence each.
    pub notes: Vec<String>,
}

impl From<Layout> for Rendering {
    /// Boxes that come from elsewhere.
    fn from(layout: Layout) -> Rendering {
        Rendering { layout, screenshot: None, notes: Vec::new() }
    }
}

/// Why there are no boxes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RenderError {
    /// The renderer is not on this machine, so no page can be rendered.
    #[error("{reason}. Without {renderer}, give boxes as JSON, or use a technique that needs none (block-fusion, dom-blocks)")]
    Missing {
        /// The name of the renderer.
        renderer: &'static str,
        /// What was looked for, and how to get it.
        reason: String,
    },
    /// The program has none of that name.
    #[error("this program was built without {renderer}")]
    NotBuilt {
        /// The name of the renderer.
        renderer: &'static str,
    },
    /// It is there, but does not start.
    #[error("{reason}")]
    Start {
        /// The name of the renderer.
        renderer: &'static str,
        /// Why, and the way out.
        reason: String,
    },
    /// It ended at this page.
    #[error("{renderer} ended while it was at the page")]
    Ended {
        /// The name of the renderer.
        renderer: &'static str,
    },
    /// It took too long.
    #[error("{renderer} did not render the page in {limit:?}; give it more time, or give boxes as JSON")]
    Late {
        /// The name of the renderer.
        renderer: &'static str,
        /// How long a page may take.
        limit: Duration,
    },
    /// It has no boxes of this page.
    #[error(
        "{renderer} cannot render this page ({reason}); try another renderer, or a technique that needs no boxes (dom-blocks)"
    )]
    Failed {
        /// The name of the renderer.
        renderer: &'static str,
        /// What it says.
        reason: String,
    },
}

/// The size of the window that a page is rendered in, written `1280x1024`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

impl Window {
    /// The longest side; browsers draw no more.
    const LONGEST: u32 = 10_000;
}

impl Default for Window {
    fn default() -> Self {
        Window { width: 1280, height: 1024 }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A text that is no window.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{text}` is no window; write it like {}, each number from 1 to {}", Window::default(), Window::LONGEST)]
pub struct NoWindow {
    /// The text.
    pub text: String,
}

impl FromStr for Window {
    type Err = NoWindow;

    fn from_str(text: &str) -> Result<Window, NoWindow> {
        let sides = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
        let is_side = |side: u32| (1..=Window::LONGEST).contains(&side);
        let window = sides.map(|(width, height)| Window { width, height });
        window.filter(|window| is_side(window.width) && is_side(window.height)).ok_or_else(|| NoWindow { text: text.to_owned() })
    }
}

/// All that boxes depend on besides the page and what it refers to.
///
/// Written out (`window=1280x1024 blitz`), they are part of what tells kept segments apart.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Conditions {
    /// The name of the renderer.
    pub renderer: &'static str,
    /// The window.
    pub window: Window,
    /// What else the renderer was allowed or given, a word each (`scripts`), in a fixed order.
    pub more: Vec<String>,
}

/// The renderer that is not named in what is kept, because there was no other when stores began.
const UNNAMED: &str = "chromium";

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "window={}", self.window)?;
        let name = Some(self.renderer).filter(|name| *name != UNNAMED);
        name.into_iter().chain(self.more.iter().map(String::as_str)).try_for_each(|word| write!(f, " {word}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_written_as_stores_have_them() {
        let conditions = |renderer, more: &[&str]| {
            let more = more.iter().map(ToString::to_string).collect();
            Conditions { renderer, window: Window::default(), more }.to_string()
        };
        assert_eq!(conditions("chromium", &[]), "window=1280x1024");
        assert_eq!(conditions("chromium", &["scripts", "network"]), "window=1280x1024 scripts network");
        assert_eq!(conditions("blitz", &[]), "window=1280x1024 blitz");
    }

    #[test]
    fn a_window_is_read_as_it_is_written() {
        let window = Window { width: 800, height: 600 };
        assert_eq!(window.to_string().parse(), Ok(window));
        for wrong in ["wide", "800", "0x600", "800x10001", "-1x5", "800x600x1"] {
            assert!(wrong.parse::<Window>().unwrap_err().to_string().contains("1280x1024"), "{wrong}");
        }
    }

    /// A renderer of a few lines: each text is a line, and what the page refers to is told.
    #[derive(Debug)]
    struct Lines;

    impl Renderer for Lines {
        fn conditions(&self) -> Conditions {
            Conditions { renderer: "lines", window: Window::default(), more: Vec::new() }
        }

        fn render(&mut self, page: &PageToRender<'_>) -> Result<Rendering, RenderError> {
            let from =
                page.subresources.as_ref().ok_or(RenderError::Failed { renderer: "lines", reason: "no files".to_owned() })?;
            let sheet = from.address().join("style.css").ok().filter(|address| from.has(address));
            Ok(Rendering { notes: sheet.into_iter().map(String::from).collect(), ..Rendering::default() })
        }
    }

    #[derive(Debug)]
    struct InMemory(&'static str);

    impl Subresources for InMemory {
        fn address(&self) -> Url {
            Url::parse("http://page.invalid/a/index.html").unwrap()
        }

        fn read(&self, address: &Url) -> Option<Subresource> {
            let found = address.path() == self.0;
            found.then(|| Subresource { bytes: b"p{}".to_vec(), media_type: "text/css".to_owned() })
        }
    }

    #[test]
    fn any_renderer_gets_what_a_page_refers_to_from_anywhere() {
        let page = Page::parse("<link rel=stylesheet href=style.css>");
        let mut renderer: Box<dyn Renderer> = Box::new(Lines);
        let mut notes = |path| {
            let page = PageToRender::new(&page).with_subresources(Some(InMemory(path)));
            renderer.render(&page).unwrap().notes
        };
        assert_eq!(notes("/a/style.css"), ["http://page.invalid/a/style.css"]);
        assert!(notes("/style.css").is_empty());
        let error = renderer.render(&PageToRender::new(&page)).unwrap_err().to_string();
        assert!(error.contains("lines") && error.contains("no files") && error.contains("dom-blocks"), "{error}");
    }
}
