//! The tools: what they take, and what they do. Each is a question to the engine that the command could be asked as well.

use super::references;
use crate::options::Options;
use crate::problem::Problem;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use unchaff::{BlockKind, Document, Extractor, Page, Part, Parts, SiteModel, extract_with_site};
use unchaff_job::guarded;
use unchaff_source::{FetchOptions, Fetcher, Url};

/// So many characters are handed over at a time if nobody says.
const USUAL_LENGTH: usize = 5000;

/// So many other pages of a site are looked at, at most.
const MOST_PAGES: usize = 16;

/// And so many if none are named.
const USUAL_PAGES: usize = 6;

/// The pause between two requests to one host.
const PAUSE: Duration = Duration::from_secs(1);

/// What does the work.
#[derive(Debug)]
pub(super) struct Tools {
    fetcher: Option<Fetcher>,
    pause: Duration,
    /// When hosts were last asked; those of a moment ago.
    asked: Mutex<HashMap<String, Instant>>,
}

#[derive(Deserialize, Clone, Copy, Default)]
#[serde(rename_all = "lowercase")]
enum Links {
    #[default]
    References,
    Inline,
    None,
}

/// What all tools can be told.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    url: Option<String>,
    html: Option<String>,
    technique: Option<String>,
    #[serde(default)]
    links: Links,
    #[serde(default)]
    start_index: usize,
    max_length: Option<std::num::NonZeroUsize>,
    #[serde(default)]
    pages: Vec<OtherPage>,
}

/// Another page of the site: its address, or the page itself.
#[derive(Deserialize)]
#[serde(untagged)]
enum OtherPage {
    Address(String),
    Given { url: String, html: String },
}

/// What tools there are, and what they take.
pub(super) fn list() -> Value {
    let page = json!({
        "url": {"type": "string", "description": "The address of the page. Without html it is fetched."},
        "html": {"type": "string", "description": "The page itself, if it is at hand."},
    });
    let reading = json!({
        "links": {"type": "string", "enum": ["references", "inline", "none"], "description": "Links as numbers with the addresses at the end (default), where they stand, or none."},
        "start_index": {"type": "integer", "minimum": 0, "description": "The character to begin with. Default: 0."},
        "max_length": {"type": "integer", "minimum": 1, "description": format!("The most characters to hand over. Default: {USUAL_LENGTH}.")},
    });
    let technique = json!({"technique": {"type": "string", "description": "The technique; auto if none is named."}});
    let pages = json!({"pages": {"type": "array", "maxItems": MOST_PAGES, "description": "Other pages of the site: addresses, or objects with url and html. Default: some that the page links to.",
        "items": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"url": {"type": "string"}, "html": {"type": "string"}}, "required": ["url", "html"]}]}}});
    let tool = |name: &str, told: &str, properties: &[&Value]| {
        let properties: serde_json::Map<String, Value> =
            properties.iter().filter_map(|some| some.as_object().cloned()).flatten().collect();
        json!({"name": name, "description": told, "annotations": {"readOnlyHint": true},
            "inputSchema": {"type": "object", "properties": properties, "additionalProperties": false}})
    };
    json!([
        tool(
            "extract",
            "What a web page is about, as Markdown, without menus, advertisements and other surroundings. Long pages come in parts.",
            &[&page, &technique, &reading]
        ),
        tool(
            "site",
            "The same, compared with other pages of its site: what recurs on them is removed.",
            &[&page, &pages, &reading]
        ),
        tool("menu", "The main menu of a web page: its entries, links and sub-menus, as nested lists.", &[&page]),
        tool(
            "metadata",
            "What a web page says about itself: title, authors, dates, language and more, each with where it stands, as JSON.",
            &[&page]
        ),
    ])
}

impl Tools {
    pub(super) fn new(options: &Options) -> Tools {
        let fetcher = || {
            Fetcher::new(FetchOptions {
                timeout: options.timeout,
                max_bytes: options.max_bytes,
                allow_private: options.fetch_private,
                proxy_from_environment: options.fetch_private,
                ..FetchOptions::default()
            })
        };
        let pause = if options.fetch_private { Duration::ZERO } else { PAUSE };
        Tools { fetcher: options.fetch.then(fetcher), pause, asked: Mutex::default() }
    }

    /// The result of a tool. That it cannot do what is asked is one as well; an error is that the question makes no sense.
    pub(super) fn call(&self, name: &str, arguments: &Value) -> Result<Value, String> {
        let tool = match name {
            "extract" => Tools::extract,
            "site" => Tools::site,
            "menu" => Tools::menu,
            "metadata" => Tools::metadata,
            other => return Err(format!("there is no tool {other}; there are extract, site, menu and metadata")),
        };
        let arguments = Arguments::deserialize(arguments).map_err(|error| format!("{name}: {error}"))?;
        if arguments.url.is_none() && arguments.html.is_none() {
            return Err(format!("{name} needs a page: give url or html"));
        }
        if arguments.pages.len() > MOST_PAGES {
            return Err(format!("at most {MOST_PAGES} other pages"));
        }
        let (text, is_error) = match guarded(|| tool(self, &arguments)) {
            Ok(Ok(text)) => (text, false),
            Ok(Err(problem)) => (problem.detail().to_owned(), true),
            Err(panicked) => (panicked.to_string(), true),
        };
        Ok(json!({"content": [{"type": "text", "text": text}], "isError": is_error}))
    }

    fn extract(&self, arguments: &Arguments) -> Result<String, Problem> {
        let extractor = match &arguments.technique {
            None => Extractor::new(),
            Some(name) => {
                let entry = Extractor::entry(name).map_err(|error| Problem::bad(error.to_string()))?;
                Extractor::with_settings(entry, &[]).map_err(|error| Problem::bad(error.to_string()))?
            }
        };
        let page = self.page(arguments)?;
        Ok(part(&written(extractor.extract(&page), arguments.links), arguments))
    }

    fn site(&self, arguments: &Arguments) -> Result<String, Problem> {
        let page = self.page(arguments)?;
        let mut model = SiteModel::learn([&page]);
        let mut missing = 0;
        let linked: Vec<OtherPage>;
        let others = if arguments.pages.is_empty() {
            linked = neighbours(&page).into_iter().map(OtherPage::Address).collect();
            &linked
        } else {
            &arguments.pages
        };
        for other in others {
            let read = match other {
                OtherPage::Given { url, html } => Ok(given(html, Some(url))),
                OtherPage::Address(url) => self.fetch(url),
            };
            match read {
                Ok(document) => model.add(&document.page()),
                Err(_) => missing += 1,
            }
        }
        let mut text = written(extract_with_site(&model, &page, BlockKind::Content), arguments.links);
        if model.pages() < 2 {
            text += "\n\n[No other page of the site could be had, so nothing was compared.]\n";
        } else if missing > 0 {
            text += &format!("\n\n[{missing} of {} other pages could not be had.]\n", others.len());
        }
        Ok(part(&text, arguments))
    }

    fn menu(&self, arguments: &Arguments) -> Result<String, Problem> {
        let page = self.page(arguments)?;
        let menu = Extractor::of(BlockKind::Menu).extract(&page).markdown();
        Ok(if menu.is_empty() { "The page has no menu.".to_owned() } else { menu })
    }

    fn metadata(&self, arguments: &Arguments) -> Result<String, Problem> {
        let page = self.page(arguments)?;
        let metadata = Extractor::new().extract(&page).metadata();
        serde_json::to_string_pretty(&metadata).map_err(|error| Problem::internal(error.to_string()))
    }

    fn page(&self, arguments: &Arguments) -> Result<Page, Problem> {
        Ok(match (&arguments.html, &arguments.url) {
            (Some(html), url) => given(html, url.as_deref()).page(),
            (None, Some(url)) => self.fetch(url)?.page(),
            (None, None) => Document::default().page(),
        })
    }

    fn fetch(&self, url: &str) -> Result<Document, Problem> {
        let Some(fetcher) = &self.fetcher else {
            return Err(Problem::bad(
                "nothing is fetched here; give the page itself (html), or start the tools with `unchaff mcp --fetch`",
            ));
        };
        if let Some(host) = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)) {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.retain(|_, when| when.elapsed() < self.pause);
            if let Some(when) = asked.get(&host) {
                std::thread::sleep(self.pause.saturating_sub(when.elapsed()));
            }
            asked.insert(host, Instant::now());
        }
        Ok(fetcher.fetch_for(url)?.into())
    }
}

fn given(html: &str, url: Option<&str>) -> Document {
    Document { url: url.map(str::to_owned), ..Document::new(html).in_charset("utf-8") }
}

fn written(extraction: unchaff::Extraction<'_>, links: Links) -> String {
    match links {
        Links::None => extraction.with_parts(&Parts { include: Vec::new(), exclude: vec![Part::Links] }).markdown(),
        Links::Inline => extraction.markdown(),
        Links::References => references::numbered(&extraction.markdown()),
    }
}

/// The part of a text that is asked for, by characters, and how to go on.
fn part(text: &str, arguments: &Arguments) -> String {
    let length = arguments.max_length.map_or(USUAL_LENGTH, Into::into);
    let all = text.chars().count();
    if arguments.start_index > 0 && arguments.start_index >= all {
        return format!("[There is no more: the text has {all} characters.]");
    }
    let rest = text.chars().skip(arguments.start_index);
    let mut part: String = rest.clone().take(length).collect();
    if let Some(next) = rest.clone().nth(length) {
        part.truncate(whole_words(&part, next));
    }
    let end = arguments.start_index + part.chars().count();
    match end < all {
        true => format!("{part}\n\n[More: start_index={end} goes on; the text has {all} characters.]"),
        false if all == 0 => "The page has no content.".to_owned(),
        false => part,
    }
}

/// How many bytes of a part to hand over so that no word is cut in two, if that costs less than half of it: some languages have no spaces, and
/// some addresses are long.
fn whole_words(part: &str, next: char) -> usize {
    if next.is_whitespace() {
        return part.len();
    }
    let words = part.trim_end_matches(|letter: char| !letter.is_whitespace()).len();
    if words > part.len() / 2 { words } else { part.len() }
}

/// Some pages that a page links to, of its own host, spread over all of them.
fn neighbours(page: &Page) -> Vec<String> {
    let Some(here) = page.url() else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for mut url in page.links().filter_map(|link| link.url) {
        url.set_fragment(None);
        let is_near = url.host() == here.host() && url.path() != here.path();
        if is_near && !found.contains(&url.to_string()) && found.len() < 200 {
            found.push(url.into());
        }
    }
    let step = found.len().div_ceil(USUAL_PAGES).max(1);
    found.into_iter().step_by(step).collect()
}
