//! What is answered: what the command would print, with the headers that browsers need to know.

use crate::accept::{accepted, media_type};
use crate::asked::AskedOptions;
use crate::problem::Problem;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use unchaff::{BlockKind, Extraction, Field, Format, Parts, Title};

/// Pages of others are shown without scripts, without access to us, and without anything from elsewhere but what they show.
pub(crate) const FOREIGN: &str =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// How an extraction is written; the same for all pages of a request.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) format: Format,
    parts: Parts,
    title: Title,
    fields: Vec<Field>,
    metadata: bool,
    explain: bool,
    complement: bool,
    input: String,
}

/// A text and its media type.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) media_type: &'static str,
}

impl Writer {
    /// As the options and headers of a request ask for.
    ///
    /// # Errors
    /// If they contradict each other, or if there is no such format.
    pub(crate) fn new(options: &AskedOptions, headers: &HeaderMap, kind: BlockKind) -> Result<Writer, Problem> {
        let format = match options.format()? {
            Some(format) => format,
            None => accepted(headers)?,
        };
        let fields = options.fields()?;
        if !fields.is_empty() && !matches!(format, Format::Json | Format::Csv) {
            return Err(Problem::bad("fields are those of JSON and of tables; ask for format json or csv"));
        }
        if options.metadata && format != Format::Markdown {
            return Err(Problem::bad(format!("metadata is the head of a Markdown file; for {format} ask for format json")));
        }
        Ok(Writer {
            format,
            parts: options.parts(kind)?,
            title: options.title()?,
            fields,
            metadata: options.metadata,
            explain: options.explain,
            complement: options.complement,
            input: "-".to_owned(),
        })
    }

    /// What the page is called, unless the options say it.
    pub(crate) fn called(&mut self, options: &AskedOptions, input: &str) {
        self.input = options.input.clone().unwrap_or_else(|| input.to_owned());
    }

    /// What the command prints.
    pub(crate) fn write(&self, extraction: Extraction<'_>) -> Answer {
        let extraction = extraction.with_parts(&self.parts).with_title(self.title);
        let extraction = if self.complement { extraction.complemented() } else { extraction };
        let input = Some(self.input.as_str());
        let text = match self.format {
            Format::Json if !self.fields.is_empty() => extraction.json_of(&self.fields, input, None) + "\n",
            Format::Json => extraction.record(input).json() + "\n",
            Format::Csv => {
                let columns: &[Field] = if self.fields.is_empty() { &Field::USUAL } else { &self.fields };
                Field::csv_head(columns) + &extraction.csv(columns, input)
            }
            Format::Markdown if self.metadata => extraction.front_matter() + &extraction.markdown(),
            Format::Annotated => extraction.annotated(),
            _ if self.explain => return Answer { text: extraction.table(), media_type: "text/plain; charset=utf-8" },
            format => extraction.render(format),
        };
        Answer { text, media_type: media_type(self.format) }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let is_page = self.media_type.starts_with("text/html");
        let mut response = self.text.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type));
        headers.insert(header::VARY, HeaderValue::from_static("accept"));
        if is_page {
            headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FOREIGN));
        }
        response
    }
}
