//! Boxes from Chromium (or Chrome), driven over its DevTools protocol.
//!
//! One browser serves many pages. It has no network of its own: every request it makes comes to us and is answered from a folder, or,
//! if the network is allowed, with what we fetched ourselves behind the guard of `unchaff-source`, or refused (`requests.rs`). Scripts of
//! the page do not run unless allowed, in no frame and no worker. Each page has a time limit; a browser that hangs or dies is replaced. The browser
//! hangs on a pipe to this process, so it ends when we do, whatever ends us.
//!
//! Elements are told apart by marks that are written into the source that it gets
//! ([`unchaff_dom::emit::numbered`]), so boxes carry the nodes of our own tree.

mod answer;
mod connection;
mod find;
mod requests;
mod web;

pub use find::{LEAST_VERSION, find_browser};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use connection::Connection;
use requests::{Answers, Permissions};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use thiserror::Error;
use unchaff_dom::emit;
use unchaff_segment::renderer::{Conditions, PageToRender, RenderError, Renderer, Rendering, Window};

/// The name by which boxes of it are told from others.
const NAME: &str = "chromium";

/// The most boxes that are read from a page.
const MOST_BOXES: usize = 400_000;

/// The tallest picture that is taken; browsers do not draw much more.
const TALLEST_PICTURE: i32 = 16_000;

/// How pages are rendered.
#[derive(Clone, Debug)]
pub struct Options {
    /// The browser; looked for if none is given.
    pub program: Option<PathBuf>,
    /// The size of the window.
    pub window: Window,
    /// Whether scripts of the page run.
    pub scripts: bool,
    /// Whether style sheets, fonts and images may come from the web, and what scripts ask for if they may run.
    pub network: bool,
    /// Whether they may come from private networks and from this machine too.
    pub allow_private: bool,
    /// How long a page may take.
    pub time_limit: Duration,
}

impl Default for Options {
    fn default() -> Self {
        let time_limit = Duration::from_secs(30);
        let window = Window::default();
        Options { program: None, window, scripts: false, network: false, allow_private: false, time_limit }
    }
}

impl Options {
    /// What boxes that are made with these options depend on. Which fonts there are decides on them too, and is not known.
    #[must_use]
    pub fn conditions(&self) -> Conditions {
        let more = [("scripts", self.scripts), ("network", self.network)];
        let more = more.into_iter().filter(|(_, is_on)| *is_on).map(|(word, _)| word.to_owned()).collect();
        Conditions { renderer: NAME, window: self.window, more }
    }
}

/// Why there are no boxes.
#[derive(Debug, Error)]
pub enum BrowserError {
    /// There is no browser.
    #[error("{}", find::missing(.named.as_deref()))]
    Missing {
        /// Where one was said to be; none if all places were looked at.
        named: Option<PathBuf>,
    },
    /// It is older than what it is asked for.
    #[error(
        "{program} is {version}; version {LEAST_VERSION} or later of Chromium or Chrome is needed, please update it or name another with UNCHAFF_CHROMIUM"
    )]
    TooOld {
        /// The browser.
        program: PathBuf,
        /// What it says it is.
        version: String,
    },
    /// It could not be started.
    #[error("{program} cannot be started: {reason}; name another browser with UNCHAFF_CHROMIUM, or give boxes as JSON")]
    Start {
        /// The browser.
        program: PathBuf,
        /// Why.
        reason: String,
    },
    /// It ended, or the page crashed.
    #[error("the browser ended while it was at the page")]
    Died,
    /// It took too long.
    #[error("the browser did not render the page in {0:?}; give it more time, or boxes as JSON")]
    Late(Duration),
    /// It answered something else than expected.
    #[error("the browser answered: {0}")]
    Answer(String),
}

impl From<BrowserError> for RenderError {
    fn from(error: BrowserError) -> RenderError {
        let renderer = NAME;
        match error {
            BrowserError::Missing { .. } => RenderError::Missing { renderer, reason: error.to_string() },
            BrowserError::TooOld { .. } | BrowserError::Start { .. } => {
                RenderError::Start { renderer, reason: error.to_string() }
            }
            BrowserError::Died => RenderError::Ended { renderer },
            BrowserError::Late(limit) => RenderError::Late { renderer, limit },
            BrowserError::Answer(reason) => RenderError::Failed { renderer, reason },
        }
    }
}

/// A browser; see the [module](self).
#[derive(Debug)]
pub struct Chromium {
    options: Options,
    connection: Option<Connection>,
}

impl Chromium {
    /// A browser, which is looked for and started with the first page.
    #[must_use]
    pub fn new(options: Options) -> Chromium {
        Chromium { options, connection: None }
    }

    /// Draws an SVG as PNG.
    ///
    /// # Errors
    /// As [`Chromium::render`].
    pub fn draw(&mut self, svg: &str) -> Result<Vec<u8>, RenderError> {
        let html = format!("<!doctype html><body style=\"margin:0\">{svg}");
        let drawn = self.with_restart(|browser| {
            let (_, picture) = browser.visit(&html, None, true)?;
            picture.ok_or_else(|| BrowserError::Answer("no picture".to_owned()))
        });
        Ok(drawn?)
    }

    /// The number of the browser's process, while it runs.
    #[must_use]
    pub fn process(&self) -> Option<u32> {
        self.connection.as_ref().map(Connection::process)
    }

    fn with_restart<T>(&mut self, work: impl Fn(&mut Chromium) -> Result<T, BrowserError>) -> Result<T, BrowserError> {
        let mut result = work(self);
        if matches!(result, Err(BrowserError::Died)) {
            self.connection = None;
            result = work(self);
        }
        if result.is_err() {
            self.connection = None;
        }
        result
    }

    /// Opens a page of its own for the source, waits until it is loaded, and asks for boxes and picture.
    fn visit(
        &mut self,
        source: &str,
        page: Option<&PageToRender<'_>>,
        screenshot: bool,
    ) -> Result<(String, Option<Vec<u8>>), BrowserError> {
        let limit = self.options.time_limit;
        let deadline = Instant::now() + limit;
        if self.connection.is_none() {
            let program = self.options.program.clone().map_or_else(find_browser, Ok)?;
            self.connection = Some(Connection::start(&program, &self.options, deadline)?);
        }
        let Options { scripts, network, .. } = self.options;
        let Some(connection) = &mut self.connection else { return Err(BrowserError::Died) };
        let target = connection.call(None, "Target.createTarget", json!({"url": "about:blank"}), deadline)?;
        let target = target["targetId"].as_str().unwrap_or_default().to_owned();
        let attach = json!({"targetId": target, "flatten": true});
        let session = connection.call(None, "Target.attachToTarget", attach, deadline)?["sessionId"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let mut ask = |method: &str, params: Value| connection.call(Some(&session), method, params, deadline);
        let Window { width, height } = self.options.window;
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        ask("Emulation.setDeviceMetricsOverride", metrics)?;
        ask("Page.enable", json!({}))?;
        ask("Inspector.enable", json!({}))?; // Tells of pages that crash.
        ask("Page.setFontSizes", json!({"fontSizes": {"standard": 16, "fixed": 13}}))?;
        for (method, params) in connection::tamed(scripts) {
            ask(method, params)?;
        }
        let answers = Answers::new(source, page, Permissions { scripts, network }, &target);
        connection.load(&session, answers, deadline, limit)?;
        if network && !scripts {
            connection.make_images_readable(&session, deadline, limit)?;
        }
        let mut ask = |method: &str, params: Value| connection.call(Some(&session), method, params, deadline);
        let expression = format!("({})({MOST_BOXES})", include_str!("chromium/boxes.js").trim_end());
        let answer = ask("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}))?;
        let Some(boxes) = answer["result"]["value"].as_str().map(str::to_owned) else {
            let reason = answer["exceptionDetails"]["exception"]["description"].as_str().unwrap_or("no boxes");
            return Err(BrowserError::Answer(reason.to_owned()));
        };
        let picture = if screenshot {
            let size: Value = serde_json::from_str(&boxes).unwrap_or_default();
            let tall = size["height"].as_i64().unwrap_or(0).clamp(1, i64::from(TALLEST_PICTURE));
            let clip = json!({"x": 0, "y": 0, "width": size["width"].as_i64().unwrap_or(1).max(1), "height": tall, "scale": 1});
            let picture = ask("Page.captureScreenshot", json!({"format": "png", "clip": clip, "captureBeyondViewport": true}))?;
            Some(
                BASE64
                    .decode(picture["data"].as_str().unwrap_or_default())
                    .map_err(|error| BrowserError::Answer(error.to_string()))?,
            )
        } else {
            None
        };
        connection.call(None, "Target.closeTarget", json!({"targetId": target}), deadline)?;
        Ok((boxes, picture))
    }
}

impl Renderer for Chromium {
    fn conditions(&self) -> Conditions {
        self.options.conditions()
    }

    /// Renders a page; tried once more with a new browser if it ends.
    fn render(&mut self, page: &PageToRender<'_>) -> Result<Rendering, RenderError> {
        let source = emit::numbered(page.page);
        let rendered = self.with_restart(|browser| {
            let (answer, screenshot) = browser.visit(&source, Some(page), page.screenshot)?;
            let (layout, notes) = answer::read(page.page, &answer)?;
            Ok(Rendering { layout, screenshot, notes })
        });
        Ok(rendered?)
    }
}

#[cfg(test)]
mod tests;
