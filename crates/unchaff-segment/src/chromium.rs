//! Boxes from Chromium (or Chrome), driven over its DevTools protocol.
//!
//! One browser serves many pages. It reads the page from us, never from the web: every request it makes comes to us first
//! and is answered from a folder, passed on if the network is allowed, or refused. Scripts of the page do not run
//! unless allowed. Each page has a time limit; a browser that hangs or dies is replaced. The browser hangs on a pipe to this
//! process, so it ends when we do, whatever ends us.
//!
//! Elements are told apart by marks that are written into the source that it gets
//! ([`unchaff_dom::emit::numbered`]), so boxes carry the nodes of our own tree.

mod answer;
mod connection;
mod find;
mod requests;

pub use find::{LEAST_VERSION, find_browser};

use crate::files::Files;
use crate::layout::Layout;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use connection::Connection;
use requests::Answers;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use thiserror::Error;
use unchaff_dom::{Page, emit};

/// The most boxes that are read from a page.
const MOST_BOXES: usize = 400_000;

/// The tallest picture that is taken; browsers do not draw much more.
const TALLEST_PICTURE: i32 = 16_000;

/// How pages are rendered.
#[derive(Clone, Debug)]
pub struct Options {
    /// The browser; looked for if none is given.
    pub program: Option<PathBuf>,
    /// Width and height of the window in pixels.
    pub viewport: (u32, u32),
    /// Whether scripts of the page run.
    pub scripts: bool,
    /// Whether style sheets and images may come from the web.
    pub network: bool,
    /// How long a page may take.
    pub time_limit: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options { program: None, viewport: (1280, 1024), scripts: false, network: false, time_limit: Duration::from_secs(30) }
    }
}

/// Why there are no boxes.
#[derive(Debug, Error)]
pub enum BrowserError {
    /// There is no browser.
    #[error("{0}")]
    Missing(String),
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
    #[error("the browser did not render the page in {0:?}; give it more time (--timeout), or boxes as JSON")]
    Late(Duration),
    /// It answered something else than expected.
    #[error("the browser answered: {0}")]
    Answer(String),
}

/// A rendered page.
#[derive(Clone, Debug)]
pub struct Rendering {
    /// Its boxes.
    pub layout: Layout,
    /// A picture of it as PNG, if it was asked for.
    pub screenshot: Option<Vec<u8>>,
    /// What the user should know, in a sentence each.
    pub notes: Vec<String>,
}

/// A browser; see the [module](self).
#[derive(Debug)]
pub struct Chromium {
    options: Options,
    program: PathBuf,
    connection: Option<Connection>,
}

impl Chromium {
    /// A browser, which is started with the first page.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(options: Options) -> Result<Chromium, BrowserError> {
        let program = match &options.program {
            Some(program) => program.clone(),
            None => find_browser()?,
        };
        Ok(Chromium { options, program, connection: None })
    }

    /// Renders a page; `files` are what its relative addresses lead to. Tried once more with a new browser if it ends.
    ///
    /// # Errors
    /// If the browser cannot be started, ends twice, or takes too long.
    pub fn render(&mut self, page: &Page, files: Option<&Files>, screenshot: bool) -> Result<Rendering, BrowserError> {
        let source = emit::numbered(page);
        self.with_restart(|browser| {
            let (answer, screenshot) = browser.visit(&source, page.url().map(url::Url::as_str), files, screenshot)?;
            let (layout, notes) = answer::read(page, &answer)?;
            Ok(Rendering { layout, screenshot, notes })
        })
    }

    /// Draws an SVG as PNG.
    ///
    /// # Errors
    /// As [`Chromium::render`].
    pub fn draw(&mut self, svg: &str) -> Result<Vec<u8>, BrowserError> {
        let html = format!("<!doctype html><body style=\"margin:0\">{svg}");
        self.with_restart(|browser| {
            let (_, picture) = browser.visit(&html, None, None, true)?;
            picture.ok_or_else(|| BrowserError::Answer("no picture".to_owned()))
        })
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
        address: Option<&str>,
        files: Option<&Files>,
        screenshot: bool,
    ) -> Result<(String, Option<Vec<u8>>), BrowserError> {
        let limit = self.options.time_limit;
        let deadline = Instant::now() + limit;
        if self.connection.is_none() {
            self.connection = Some(Connection::start(&self.program, &self.options, deadline)?);
        }
        let network = self.options.network;
        let Some(connection) = &mut self.connection else { return Err(BrowserError::Died) };
        let target = connection.call(None, "Target.createTarget", json!({"url": "about:blank"}), deadline)?;
        let target = target["targetId"].as_str().unwrap_or_default().to_owned();
        let attach = json!({"targetId": target, "flatten": true});
        let session = connection.call(None, "Target.attachToTarget", attach, deadline)?["sessionId"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let mut ask = |method: &str, params: Value| connection.call(Some(&session), method, params, deadline);
        let (width, height) = self.options.viewport;
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        ask("Emulation.setDeviceMetricsOverride", metrics)?;
        ask("Emulation.setScriptExecutionDisabled", json!({"value": !self.options.scripts}))?;
        ask("Page.enable", json!({}))?;
        ask("Inspector.enable", json!({}))?; // Tells of pages that crash.
        ask("Page.setFontSizes", json!({"fontSizes": {"standard": 16, "fixed": 13}}))?;
        ask("Fetch.enable", json!({"patterns": [{"urlPattern": "*"}]}))?;
        let answers = Answers::new(source, address, files, network, &target);
        connection.load(&session, answers, deadline, limit)?;
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

#[cfg(test)]
mod tests;
