//! What spreading a crawl over machines needs of the engine: the site of an address, the order of samples, and the row that a page becomes.

use crate::document::{address, document};
use crate::errors::Class;
use crate::finder::{Extractor, Failed};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use unchaff::dom::links;
use unchaff::{Extraction, MetadataRecord, SiteModel, TextFacts};
use unchaff_job::guarded;
use unchaff_source::Url;

fn web_address(url: &Bound<'_, PyAny>) -> PyResult<Option<Url>> {
    Ok(Url::parse(&address(url)?).ok().filter(Url::has_host))
}

/// The site of an address, by host or by registrable domain; none if it is no address.
#[pyfunction]
#[pyo3(signature = (url, by))]
pub(crate) fn site_of(url: &Bound<'_, PyAny>, by: &str) -> PyResult<Option<String>> {
    let name: fn(&Url) -> Option<String> = match by {
        "host" => |url| url.host_str().map(str::to_owned),
        "domain" => links::site,
        _ => return Err(Class::Option.error(url.py(), format!("`{by}` is no way to tell sites; there is host and domain"))),
    };
    Ok(web_address(url)?.and_then(|url| name(&url)).filter(|site| !site.is_empty()))
}

/// Where a page at this address comes in the order of samples; none if it is no address.
#[pyfunction]
pub(crate) fn sample_order(url: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    Ok(web_address(url)?.map(|url| SiteModel::order(&url)))
}

/// What a row has of a page.
struct Found {
    body: String,
    metadata: MetadataRecord,
    facts: TextFacts,
    ratio: Option<f64>,
}

impl Found {
    fn of(found: &Extraction<'_>, is_markdown: bool) -> Found {
        let text = found.text();
        let page = found.page();
        let all = page.body().map_or(0, |body| weight(page.text(body)));
        let ratio = (all > 0).then(|| (weight(&text) as f64 / all as f64).min(1.0));
        let (facts, metadata) = (TextFacts::of(&text), found.metadata());
        Found { body: if is_markdown { found.markdown() } else { text }, metadata, facts, ratio }
    }
}

/// How many characters of a text are seen.
fn weight(text: &str) -> usize {
    text.chars().filter(|character| !character.is_whitespace()).count()
}

/// The row of a page, in the order of `unchaff._rows`; raises what is wrong with the page.
#[pyfunction]
#[pyo3(signature = (extractor, html, url, charset, format))]
pub(crate) fn row<'py>(
    py: Python<'py>,
    extractor: &Bound<'py, Extractor>,
    html: &Bound<'py, PyAny>,
    url: Option<&Bound<'py, PyAny>>,
    charset: Option<String>,
    format: &str,
) -> PyResult<Bound<'py, PyTuple>> {
    let is_markdown = match format {
        "markdown" => true,
        "text" => false,
        _ => return Err(Class::Option.error(py, format!("`{format}` is no format of rows; there is markdown and text"))),
    };
    let (document, plan) = (document(html, url, charset)?, extractor.get().plan());
    let done = py.detach(|| {
        let extraction = plan.extract_shown(document)?;
        let found = guarded(|| Found::of(&extraction, is_markdown)).map_err(Failed::page)?;
        Ok((extraction, found))
    });
    let (extraction, found) = done.map_err(|failed: Failed| failed.error(py))?;
    let metadata = found.metadata;
    let authors: Vec<String> = metadata.author.into_iter().map(|author| author.value).collect();
    let warnings: Vec<String> = extraction.warnings().into_iter().map(|warning| warning.code).collect();
    let signed = |hash: Option<u64>| hash.map(u64::cast_signed).into_pyobject(py);
    let facts = found.facts;
    let cells: [Bound<'py, PyAny>; 13] = [
        metadata.title.map(|title| title.value).into_pyobject(py)?,
        Some(authors.join("; ")).filter(|authors| !authors.is_empty()).into_pyobject(py)?,
        metadata.published.or(metadata.modified).map(|date| date.value).into_pyobject(py)?,
        metadata.language.map(|language| language.value).into_pyobject(py)?,
        PyString::new(py, &found.body).into_any(),
        facts.words.into_pyobject(py)?.into_any(),
        found.ratio.into_pyobject(py)?,
        extraction.confidence().into_pyobject(py)?,
        extraction.detection().template.clone().into_pyobject(py)?,
        PyString::new(py, extraction.technique()).into_any(),
        PyList::new(py, warnings)?.into_any(),
        signed(facts.words_hash)?,
        signed(facts.fingerprint.map(|fingerprint| fingerprint.0))?,
    ];
    PyTuple::new(py, cells)
}
