//! The reading proxy: `/read?url=…` shows a page of the web reduced to what it is about, in any form that the engine writes pages in, and its
//! links lead on through it. What recurs on the pages of a site is learned as one reads.
//!
//! No script of a page runs and no cookie of it is kept: it is sent with a policy under which nothing but styles and pictures is loaded, by
//! their own addresses, and as of no origin at all.

use crate::problem::Problem;
use crate::rewriting::{escaped, rewritten};
use crate::routes::App;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use unchaff::{BlockKind, Document, Extraction, Extractor, Format, Page, SITE, SiteModel};
use unchaff_job::site_of;
use url::Url;

/// So many sites are remembered, those that were read last.
const MOST_SITES: usize = 64;

const POLICY: &str = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline' https: http:; img-src data: https: http:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// How the content looks by itself.
const STYLE: &str = "<style>:root{color-scheme:light dark}body{font:1.1rem/1.6 Georgia,serif;max-width:42rem;margin:2rem auto;padding:0 1rem}\
    img{max-width:100%;height:auto}pre{overflow:auto}table{border-collapse:collapse}td,th{border:1px solid #8888;padding:.2rem .6rem}</style>";

/// How a block looks that is marked in its page.
const MARKED: &str = "<style>[data-unchaff]{outline:2px solid #1a9a1a}[data-unchaff] [data-unchaff]{outline:none}</style>";

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reading {
    url: String,
    mode: Option<String>,
    technique: Option<String>,
    show: Option<String>,
    complement: Option<String>,
}

/// What is known about the sites that were read, the latest at the end.
#[derive(Debug, Default)]
pub(crate) struct ReadSites(Mutex<VecDeque<(String, Arc<SiteModel>)>>);

impl ReadSites {
    /// What is known about the site of a page, with this page.
    fn learn(&self, page: &Page) -> Arc<SiteModel> {
        let learned = SiteModel::learn([page]);
        let Some(site) = site_of(page) else { return Arc::new(learned) };
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = sites.iter().position(|(name, _)| *name == site).and_then(|at| sites.remove(at));
        let mut model = known.map(|(_, model)| SiteModel::clone(&model)).unwrap_or_default();
        model.merge(learned);
        let model = Arc::new(model);
        sites.push_back((site, Arc::clone(&model)));
        while sites.len() > MOST_SITES {
            sites.pop_front();
        }
        model
    }
}

/// The forms in which a page is a page.
pub(crate) fn modes() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|format| format.extension() == "html")
}

pub(crate) async fn read(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Response {
    match answer(&app, query.unwrap_or_default()).await {
        Ok(html) => page(html),
        // A person reads this.
        Err(problem) => {
            let text = format!(
                "<!doctype html><meta charset=utf-8><title>unchaff</title>{STYLE}<h1>This cannot be read</h1><p>{}</p>",
                escaped(problem.detail())
            );
            let mut response = page(text);
            *response.status_mut() = problem.into_response().status();
            response
        }
    }
}

fn page(html: String) -> Response {
    let mut response = html.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

async fn answer(app: &Arc<App>, query: String) -> Result<String, Problem> {
    let fields: serde_json::Map<String, serde_json::Value> = url::form_urlencoded::parse(query.as_bytes())
        .map(|(name, value)| (name.into_owned(), value.into_owned().into()))
        .collect();
    let reading = Reading::deserialize(serde_json::Value::Object(fields)).map_err(|error| {
        Problem::bad(format!("{error}; ask for /read?url=https://example.org/, with mode, technique, show and complement"))
    })?;
    let mode = match &reading.mode {
        None => Format::Html,
        Some(name) => name.parse().ok().filter(|mode: &Format| mode.extension() == "html").ok_or_else(|| {
            let known: Vec<&str> = modes().map(Format::as_str).collect();
            Problem::bad(format!("there is no mode {name}; there are {}", known.join(", ")))
        })?,
    };
    let kind = match reading.show.as_deref() {
        None | Some("content") => BlockKind::Content,
        Some("menu") => BlockKind::Menu,
        Some("template") => BlockKind::Template,
        Some(other) => return Err(Problem::bad(format!("show is content, template or menu, not {other}"))),
    };
    let extractor = match &reading.technique {
        None => None,
        Some(name) => {
            let entry = Extractor::entry(name).map_err(|error| Problem::bad(error.to_string()))?;
            Some(Extractor::with_settings(entry, &[]).map_err(|error| Problem::bad(error.to_string()))?)
        }
    };
    let document = app.fetched(&reading.url).await?;
    let app = Arc::clone(app);
    app.clone().engine.work(move || Ok(reduced(&app.read_sites, document, &reading, mode, kind, extractor.as_ref()))).await
}

/// The page as it is shown.
fn reduced(
    sites: &ReadSites,
    document: Document,
    reading: &Reading,
    mode: Format,
    kind: BlockKind,
    extractor: Option<&Extractor>,
) -> String {
    let page = document.page();
    let model = sites.learn(&page);
    let extraction = match extractor {
        Some(extractor) => extractor.extract(&page),
        None => Extraction::of(&page, kind, SITE, model.detect_only(&page, kind)),
    };
    let extraction = if reading.complement.is_some() { extraction.complemented() } else { extraction };
    let html = extraction.render(mode);
    // As it was asked for: a name may have something behind it.
    let name = reading.mode.as_deref().unwrap_or(mode.as_str());
    let through = |url: &Url| address(url.as_str(), name, reading);
    let html = rewritten(html, page.base(), through);
    let bar = bar(reading, mode);
    if mode == Format::Html {
        let title = extraction.metadata().title.map(|title| title.value).unwrap_or_default();
        return format!(
            "<!doctype html><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>{}</title>{STYLE}{bar}{html}",
            escaped(&title)
        );
    }
    let marked = if mode == Format::Annotated { MARKED } else { "" };
    with_bar(html, &format!("{bar}{marked}"))
}

/// Where a page is read.
fn address(url: &str, mode: &str, reading: &Reading) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("url", url).append_pair("mode", mode);
    for (name, value) in [("technique", &reading.technique), ("show", &reading.show), ("complement", &reading.complement)] {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    format!("/read?{}", query.finish())
}

/// The ways to look at the page, and the page itself.
fn bar(reading: &Reading, mode: Format) -> String {
    let link = |here: Format| {
        let (address, name) = (escaped(&address(&reading.url, here.as_str(), reading)), here.as_str());
        if here.as_str() == mode.as_str() {
            format!("<b>{name}</b>")
        } else {
            format!("<a href=\"{address}\" style=\"color:#036\">{name}</a>")
        }
    };
    let links: Vec<String> = modes().map(link).collect();
    let itself = match reading.url.starts_with("http://") || reading.url.starts_with("https://") {
        true => format!(" · <a href=\"{}\" rel=\"noreferrer\" style=\"color:#036\">the page itself</a>", escaped(&reading.url)),
        false => String::new(),
    };
    format!(
        "<nav aria-label=\"unchaff\" style=\"all:initial;display:block;font:14px/1.4 sans-serif;padding:6px 10px;background:#f4efe2;color:#222;border-bottom:1px solid #ccc\">unchaff: {}{itself}</nav>",
        links.join(" · ")
    )
}

/// The bar at the beginning of what a page shows.
fn with_bar(html: String, bar: &str) -> String {
    let page = Document::new(html).in_charset("utf-8").page();
    let source = page.source();
    let body = page
        .body()
        .map(|body| page.source_range(body).start)
        .filter(|start| source.get(*start..*start + 5).is_some_and(|tag| tag.eq_ignore_ascii_case("<body")));
    // The end of the tag: behind its values, which may have a `>`.
    let at = body.and_then(|start| {
        let mut quote = None;
        source[start..]
            .bytes()
            .position(|byte| {
                match (quote, byte) {
                    (None, b'"' | b'\'') => quote = Some(byte),
                    (Some(open), byte) if open == byte => quote = None,
                    _ => {}
                }
                quote.is_none() && byte == b'>'
            })
            .map(|end| start + end + 1)
    });
    // A page without the tag: at the end, which changes nothing before it.
    let at = at.unwrap_or(source.len());
    format!("{}{bar}{}", &source[..at], &source[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_stands_where_the_page_begins() {
        assert_eq!(
            with_bar("<!doctype html><title>x</title><body class='a>b'>Hi".to_owned(), "[bar]"),
            "<!doctype html><title>x</title><body class='a>b'>[bar]Hi"
        );
        assert_eq!(with_bar("<p>Hi</p>".to_owned(), "[bar]"), "<p>Hi</p>[bar]");
        assert_eq!(with_bar("<body".to_owned(), "[bar]"), "<body[bar]");
    }

    #[test]
    fn sites_are_learned_as_one_reads_and_the_oldest_are_forgotten() {
        let sites = ReadSites::default();
        let read = |url: String, text: &str| {
            sites.learn(&Document::new(format!("<nav><a href=/a>A</a></nav><p>{text}</p>")).at(url).page())
        };
        read("https://example.org/a".to_owned(), "It rained.");
        assert_eq!(read("https://example.org/b".to_owned(), "Then it stopped.").pages(), 2);
        for number in 0..100 {
            read(format!("https://example{number}.org/"), "It rained.");
        }
        assert_eq!(sites.0.lock().unwrap().len(), MOST_SITES);
        assert_eq!(read("https://example.org/c".to_owned(), "Snow.").pages(), 1);
    }
}
