//! What is asked about a page, with the options of the command: as JSON, or as a page with the options in the query of the address.

use crate::problem::Problem;
use axum::http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use unchaff::page::parameters;
use unchaff::{BlockKind, Document, Extractor, Field, Format, Part, Parts, Title, registry};
use unchaff_source::Url;

/// A question as JSON: a page, or where to fetch it, and what to do with it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Asked {
    /// The page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// Its address; without `html`, the address to fetch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The boxes of the page, for segments, as `unchaff segment --format boxes` writes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boxes: Option<Map<String, Value>>,
    /// How to do it.
    pub options: AskedOptions,
}

/// The options of the command; those that are not named have its defaults.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AskedOptions {
    /// The technique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub technique: Option<String>,
    /// Parameters of the technique.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Value>,
    /// precision, balanced or recall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub favor: Option<String>,
    /// Parts to take: comments, tables, images, links.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// Parts to leave out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// once, found or drop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The format, whatever is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The only fields of JSON, or the columns of a table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// Whether Markdown begins with metadata.
    #[serde(skip_serializing_if = "is_false")]
    pub metadata: bool,
    /// Whether to tell what led to the result.
    #[serde(skip_serializing_if = "is_false")]
    pub explain: bool,
    /// Whether to show everything but the block.
    #[serde(skip_serializing_if = "is_false")]
    pub complement: bool,
    /// The charset, if what the page says is not to be believed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charset: Option<String>,
    /// What to call the page; `-` if nothing, as the command does with standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// With a site: the block that is shown, content, template or menu.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub show: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}

/// The page that is asked about.
#[derive(Debug)]
pub(crate) enum Source {
    /// It was sent.
    Sent(Document),
    /// It is to be fetched.
    Web(String),
}

/// What is asked, read.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) source: Source,
    pub(crate) options: AskedOptions,
    pub(crate) boxes: Option<Map<String, Value>>,
}

/// What is sent as a page.
const PAGES: [&str; 8] = [
    "",
    "text/html",
    "application/xhtml+xml",
    "text/plain",
    "application/xml",
    "text/xml",
    "application/octet-stream",
    // What curl says of everything.
    "application/x-www-form-urlencoded",
];

/// The media type of a request, in lower case and without parameters, and its charset.
pub(crate) fn content_type(headers: &HeaderMap) -> (String, Option<String>) {
    let text = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"').to_owned())
    });
    (essence, charset.filter(|charset| !charset.is_empty()))
}

/// Refuses what cannot be read by its headers alone.
pub(crate) fn check_headers(headers: &HeaderMap, also: &[&str]) -> Result<(), Problem> {
    if let Some(encoding) = headers.get(header::CONTENT_ENCODING)
        && encoding != "identity"
    {
        return Err(Problem::media_type("what is sent may not be compressed; leave Content-Encoding away"));
    }
    let (essence, _) = content_type(headers);
    if essence == "application/json" || PAGES.contains(&essence.as_str()) || also.contains(&essence.as_str()) {
        return Ok(());
    }
    let also = also.iter().map(|name| format!(" or {name}")).collect::<String>();
    Err(Problem::media_type(format!("{essence} cannot be read here; send text/html or application/json{also}")))
}

impl Question {
    /// Reads a request: JSON by its media type, otherwise a page.
    ///
    /// # Errors
    /// If it is no question.
    pub(crate) fn read(headers: &HeaderMap, query: Option<&str>, bytes: Vec<u8>) -> Result<Question, Problem> {
        let (url, mut options) = from_query(query.unwrap_or_default())?;
        let (essence, said) = content_type(headers);
        if essence != "application/json" {
            // An address alone is the same question as JSON without `html`, and has the same answer.
            if let Some(url) = url.as_ref().filter(|_| bytes.is_empty()) {
                return Ok(Question { source: Source::Web(url.clone()), options, boxes: None });
            }
            let charset = options.charset.take().or(said);
            return Question { source: Source::Sent(Document { bytes, url, charset }), options, boxes: None }.checked();
        }
        if query.is_some_and(|query| !query.is_empty()) {
            return Err(Problem::bad("with JSON, options are part of it: {\"html\": …, \"options\": {…}}; leave the query away"));
        }
        // A list would be read as the fields in their order, which nobody means.
        if bytes.trim_ascii_start().first() != Some(&b'{') {
            return Err(Problem::bad("the JSON is no question, which is an object: {\"html\": …}"));
        }
        let asked: Asked =
            serde_json::from_slice(&bytes).map_err(|error| Problem::bad(format!("the JSON is no question: {error}")))?;
        let Asked { html, url, boxes, options } = asked;
        let source = match (html, url) {
            // A string of JSON has one charset, whatever the page says.
            (Some(html), url) => Source::Sent(Document { url, ..Document::new(html).in_charset("utf-8") }),
            (None, Some(url)) => Source::Web(url),
            (None, None) => return Err(Problem::bad("there is no page: give html, or url to have it fetched")),
        };
        Question { source, options, boxes }.checked()
    }

    fn checked(self) -> Result<Question, Problem> {
        let (Source::Sent(Document { url, charset, .. }), said) = (&self.source, &self.options.charset) else { return Ok(self) };
        if let Some(charset) = charset.as_ref().or(said.as_ref()).filter(|charset| !unchaff::dom::decode::is_known(charset)) {
            return Err(Problem::bad(format!(
                "{charset} is not a charset of the web; names are like utf-8, windows-1252, shift_jis"
            )));
        }
        if let Some(url) = url.as_ref().filter(|url| !Url::parse(url).is_ok_and(|url| url.has_host())) {
            return Err(Problem::bad(format!("{url} is not an absolute address; write it like https://example.org/page")));
        }
        Ok(self)
    }
}

/// The options of a query: `technique=ccb&set=range=20&include=comments,tables`.
pub(crate) fn from_query(query: &str) -> Result<(Option<String>, AskedOptions), Problem> {
    let mut url = None;
    let mut fields = Map::new();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        let value = value.into_owned();
        match &*name {
            "url" => url = Some(value),
            "set" => {
                let (parameter, value) = parameters::setting(&value).map_err(|error| Problem::bad(format!("set: {error}")))?;
                let set = fields.entry("set").or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(set) = set {
                    set.insert(parameter.to_owned(), value.into());
                }
            }
            "include" | "exclude" | "fields" => {
                let list = fields.entry(&*name).or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(list) = list {
                    list.extend(value.split(',').filter(|part| !part.is_empty()).map(Value::from));
                }
            }
            "metadata" | "explain" | "complement" => {
                let is = match &*value {
                    "" | "true" | "1" => true,
                    "false" | "0" => false,
                    _ => return Err(Problem::bad(format!("{name}={value} is neither true nor false"))),
                };
                fields.insert(name.into_owned(), is.into());
            }
            _ => {
                fields.insert(name.into_owned(), value.into());
            }
        }
    }
    let options = serde_json::from_value(Value::Object(fields));
    // The address is no field of the options, but stands beside them here.
    let said = |error: serde_json::Error| error.to_string().replace("expected one of ", "expected one of `url`, ");
    Ok((url, options.map_err(|error| Problem::bad(format!("in the address: {}", said(error))))?))
}

impl AskedOptions {
    /// The settings of the technique, as the command has them.
    pub(crate) fn settings(&self) -> Result<Vec<(String, String)>, Problem> {
        let mut settings: Vec<(String, String)> = self.favor.iter().map(|favor| ("favor".to_owned(), favor.clone())).collect();
        for (name, value) in &self.set {
            let value = match value {
                Value::String(value) => value.clone(),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => return Err(Problem::bad(format!("the value of {name} in set is a string, a number, true or false"))),
            };
            settings.push((name.clone(), value));
        }
        Ok(settings)
    }

    /// The technique that is named, or the default for the kind of block.
    pub(crate) fn extractor(&self, kind: BlockKind) -> Result<Extractor, Problem> {
        let name = self.technique.as_deref().unwrap_or(registry::default_for(kind));
        let entry =
            Extractor::entry(name).map_err(|error| Problem::bad(format!("{error}; GET /v1/techniques tells about them")))?;
        let settings = self.settings()?;
        let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Extractor::with_settings(entry, &settings).map_err(|error| Problem::bad(error.to_string()))
    }

    /// What is to be included and excluded.
    pub(crate) fn parts(&self, kind: BlockKind) -> Result<Parts, Problem> {
        let read = |names: &[String]| -> Result<Vec<Part>, Problem> {
            names.iter().map(|name| name.parse().map_err(|error: unchaff::UnknownPart| Problem::bad(error.to_string()))).collect()
        };
        let parts = Parts::new(read(&self.include)?, read(&self.exclude)?).map_err(|error| Problem::bad(error.to_string()))?;
        match kind == BlockKind::Content || parts == Parts::default() {
            true => Ok(parts),
            false => Err(Problem::bad("include and exclude are about the parts of the content; use them with extract")),
        }
    }

    pub(crate) fn title(&self) -> Result<Title, Problem> {
        let title = self.title.as_deref().map(str::parse).transpose();
        Ok(title.map_err(|error: unchaff::UnknownTitle| Problem::bad(error.to_string()))?.unwrap_or_default())
    }

    pub(crate) fn fields(&self) -> Result<Vec<Field>, Problem> {
        let read = |name: &String| name.parse().map_err(|error: unchaff::UnknownField| Problem::bad(error.to_string()));
        self.fields.iter().map(read).collect()
    }

    /// The format that is named, if one is.
    pub(crate) fn format(&self) -> Result<Option<Format>, Problem> {
        self.format
            .as_deref()
            .map(str::parse)
            .transpose()
            .map_err(|error: unchaff::UnknownFormat| Problem::bad(error.to_string()))
    }

    /// The block that is shown of all those that a site tells.
    pub(crate) fn show(&self) -> Result<BlockKind, Problem> {
        match self.show.as_deref() {
            None | Some("content") => Ok(BlockKind::Content),
            Some("template") => Ok(BlockKind::Template),
            Some("menu") => Ok(BlockKind::Menu),
            Some(other) => Err(Problem::bad(format!("show is content, template or menu, not {other}"))),
        }
    }
}
