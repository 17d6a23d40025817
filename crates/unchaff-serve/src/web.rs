//! The page at `/`: plain files within the program, which a browser is told to run and nothing else.

use crate::answer::Answer;
use crate::routes::App;
use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

const PAGE: &str = include_str!("web/index.html");
const STYLE: &str = include_str!("web/app.css");
const SCRIPT: &str = include_str!("web/app.js");
const WORKBENCH: &str = include_str!("web/workbench.html");
const WORKBENCH_STYLE: &str = include_str!("web/workbench.css");
const WORKBENCH_SCRIPT: &str = include_str!("web/workbench.js");
const PARTS_OF_TEXT: &str = include_str!("web/parts_of_text.js");
/// What is shown before anyone has asked for something.
const EXAMPLE: &str = include_str!("web/example.html");

/// Scripts come from us alone. Pages of others are shown in a frame that inherits this and has no scripts at all; styles and pictures of theirs
/// are loaded only where the reader wants it, by a stricter policy in the frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline' https: http:; \
    img-src data: https: http:; font-src data: https: http:; form-action 'none'; frame-ancestors 'none'";

/// The frame of the workbench is looked into from outside, so it is of our origin; it has no scripts and nothing in it acts. A stricter policy in it lets nothing be loaded,
/// unless the reader wants styles and pictures from the web.
const WORKBENCH_POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline' https: http:; \
    img-src data: https: http:; font-src https: http:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(async || file("text/html; charset=utf-8", PAGE, POLICY)))
        .route("/app.css", get(async || file("text/css; charset=utf-8", STYLE, POLICY)))
        .route("/app.js", get(async || file("text/javascript; charset=utf-8", SCRIPT, POLICY)))
        .route("/workbench", get(async || file("text/html; charset=utf-8", WORKBENCH, WORKBENCH_POLICY)))
        .route("/workbench.css", get(async || file("text/css; charset=utf-8", WORKBENCH_STYLE, WORKBENCH_POLICY)))
        .route("/workbench.js", get(async || file("text/javascript; charset=utf-8", WORKBENCH_SCRIPT, WORKBENCH_POLICY)))
        .route("/parts_of_text.js", get(async || file("text/javascript; charset=utf-8", PARTS_OF_TEXT, WORKBENCH_POLICY)))
        .route("/example.html", get(async || Answer { text: EXAMPLE.to_owned(), media_type: "text/html; charset=utf-8" }))
        .route("/favicon.ico", get(async || axum::http::StatusCode::NO_CONTENT))
}

fn file(kind: &'static str, text: &'static str, policy: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache"), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, text).into_response()
}
