//! Options of a page, what they ask the engine for, and the record that it answers with.

use crate::frame::{Answer, Given, Request};
use crate::models;
use crate::site_in_parts::SiteInParts;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use unchaff::compare::learned::auto_with_site::Params;
use unchaff::compare::learned::with_site::WithSite;
use unchaff::compare::registry as compare;
use unchaff::dom::site::LoadedSite;
use unchaff::dom::{PageId, Site, decode};
use unchaff::{BlockKind, Document, Extraction, Extractor, Page, Part, Parts, SITE, SiteExtractor, SiteModel, Title, registry};

/// What can be asked of a page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Options {
    page: Given,
    kind: Option<String>,
    technique: Option<String>,
    #[serde(default)]
    settings: BTreeMap<String, Value>,
    favor: Option<String>,
    #[serde(default)]
    include: Vec<String>,
    #[serde(default)]
    exclude: Vec<String>,
    title: Option<String>,
    #[serde(default)]
    explain: bool,
    /// The number of a model.
    site: Option<usize>,
    /// Other pages of the site.
    pages: Option<Vec<Given>>,
    /// Whether pages that a technique asks for besides are told, to be fetched and given the next time.
    #[serde(default)]
    lazy: bool,
    /// These, where that was asked.
    #[serde(skip)]
    pub(crate) wanted: Option<Vec<String>>,
    /// What is written beside the record.
    #[serde(default)]
    formats: Vec<String>,
    /// The attribute that is told of elements.
    pub(crate) mark: Option<String>,
}

/// Reads a page, which is the next part of the request.
pub(crate) fn page(request: &Request<'_>, given: Given) -> Result<Page, String> {
    if let Some(charset) = given.charset.as_deref().filter(|charset| !decode::is_known(charset)) {
        return Err(format!("`{charset}` is not a charset of the web; names are like utf-8, windows-1252, shift_jis, gb18030"));
    }
    let charset = if given.text { Some("utf-8".to_owned()) } else { given.charset };
    let has_url = given.url.clone();
    let page = Document { bytes: request.part(given.length)?.to_vec(), url: given.url, charset }.page();
    match has_url {
        Some(url) if page.url().is_none() => {
            Err(format!("`{url}` is not an absolute address; write it like https://example.org/page"))
        }
        _ => Ok(page),
    }
}

/// A setting as techniques read it.
fn setting((name, value): (&String, &Value)) -> (String, String) {
    let value = match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    (name.clone(), value)
}

pub(crate) fn settings(settings: &BTreeMap<String, Value>) -> Vec<(String, String)> {
    settings.iter().map(setting).collect()
}

pub(crate) fn pairs(settings: &[(String, String)]) -> Vec<(&str, &str)> {
    settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

fn parts(include: &[String], exclude: &[String]) -> Result<Parts, String> {
    let read = |names: &[String]| names.iter().map(|name| name.parse()).collect::<Result<Vec<Part>, _>>();
    let (include, exclude) = (read(include).map_err(said)?, read(exclude).map_err(said)?);
    Parts::new(include, exclude).map_err(said)
}

fn said(error: impl ToString) -> String {
    error.to_string()
}

/// What is found on the page that is asked about, and the page.
pub(crate) fn find(request: &Request<'_>, options: &mut Options) -> Result<Extraction<'static>, String> {
    let kind = options.kind.as_deref().map(str::parse::<BlockKind>).transpose().map_err(said)?;
    let mut settings = settings(&options.settings);
    settings.extend(options.favor.take().map(|favor| ("favor".to_owned(), favor)));
    let settings = pairs(&settings);
    let parts = parts(&options.include, &options.exclude)?;
    let title = options.title.as_deref().map(str::parse::<Title>).transpose().map_err(said)?.unwrap_or_default();
    let (site, others) = (options.site, options.pages.take());
    if site.is_some() && others.is_some() {
        return Err("a site is known by its model or by its pages; leave one of site and pages away".to_owned());
    }
    let given = std::mem::replace(&mut options.page, Given { length: 0, text: false, url: None, charset: None });
    let page = page(request, given)?;
    let others = others.map(|pages| pages.into_iter().map(|given| self::page(request, given)).collect::<Result<Vec<_>, _>>());
    let (extraction, shows) = match (options.technique.as_deref(), site, others.transpose()?) {
        (None, None, Some(others)) if options.explain => {
            let kind = kind.unwrap_or(BlockKind::Content);
            let name = compare::default_for(kind).ok_or_else(|| {
                format!("the {kind} is what the page alone tells; leave pages away to have it explained, or name a technique")
            })?;
            compared(page, others, name, &settings, true)?
        }
        (None, Some(_), _) if options.explain => {
            return Err("to have a result explained, give the other pages as pages instead of a model".to_owned());
        }
        (None, Some(model), _) => {
            let model = models::get(model)?;
            with_model(page, &model, kind, &settings)?
        }
        (None, None, Some(others)) => with_model(page, &SiteModel::learn(&others), kind, &settings)?,
        (Some(name), Some(_), _) => {
            SiteExtractor::entry(name).map_err(said)?;
            return Err(format!("{name} compares pages, which a model no longer has; give them as pages"));
        }
        (Some(name), None, Some(others)) if options.lazy => {
            let (found, kind, wanted) = compared_in_parts(page, others, name, &settings, options.explain)?;
            options.wanted = Some(wanted);
            (found, kind)
        }
        (Some(name), None, Some(others)) => compared(page, others, name, &settings, options.explain)?,
        (name, None, None) => {
            let name = name.unwrap_or_else(|| registry::default_for(kind.unwrap_or(BlockKind::Content)));
            let entry = Extractor::entry(name).map_err(|error| format!("{error}{}", hint(&error)))?;
            let extractor = Extractor::with_settings(entry, &settings).map_err(said)?;
            let page = Arc::new(page);
            let found = if options.explain { extractor.explain(&page) } else { extractor.extract(&page) };
            (found.with_page(Arc::clone(&page)), entry.kind)
        }
    };
    if let Some(kind) = kind.filter(|kind| *kind != shows) {
        return Err(format!(
            "{} finds the {shows} and not the {kind}; leave kind away, or name another technique",
            extraction.technique()
        ));
    }
    if shows != BlockKind::Content && parts != Parts::default() {
        return Err("include and exclude are about the parts of the content".to_owned());
    }
    Ok(extraction.with_parts(&parts).with_title(title))
}

fn hint(error: &unchaff::UnknownTechnique) -> &'static str {
    match error {
        unchaff::UnknownTechnique::NeedsSite { .. } => "; give others of its site as pages",
        _ => "",
    }
}

/// What the model of the site tells.
fn with_model(
    page: Page,
    model: &SiteModel,
    kind: Option<BlockKind>,
    settings: &[(&str, &str)],
) -> Result<(Extraction<'static>, BlockKind), String> {
    let shows = kind.unwrap_or(BlockKind::Content);
    if !matches!(shows, BlockKind::Content | BlockKind::Template | BlockKind::Menu) {
        return Err(format!("a site tells content, template and menu; leave site and pages away to find {shows}"));
    }
    // Says what is wrong with a setting.
    SiteExtractor::entry(compare::DEFAULT).map_err(said)?.technique(settings).map_err(said)?;
    let content = registry::read::<Params>(settings).unwrap_or_default();
    let page = Arc::new(page);
    let detection = WithSite { content, ..WithSite::default() }.detect(model, &page);
    Ok((Extraction::of(&page, shows, SITE, detection).with_page(Arc::clone(&page)), shows))
}

/// The same with the pages that are at hand so far, and the addresses of those that are missing.
fn compared_in_parts(
    page: Page,
    others: Vec<Page>,
    name: &str,
    settings: &[(&str, &str)],
    explain: bool,
) -> Result<(Extraction<'static>, BlockKind, Vec<String>), String> {
    if page.url().is_none() {
        return Err("to find other pages of its site, a page needs an address: give url".to_owned());
    }
    let entry = SiteExtractor::entry(name).map_err(said)?;
    let extractor = SiteExtractor::with_settings(entry, settings).map_err(said)?;
    let (site, key) = (SiteInParts::new(std::iter::once(page).chain(others)), PageId(0));
    let page = site.load(key).map_err(said)?;
    let found = if explain { extractor.explain(&site, key, &page) } else { extractor.extract(&site, key, &page) };
    Ok((found.map_err(said)?.with_page(Arc::clone(&page)), entry.kind, site.wanted()))
}

/// What a technique tells that compares pages.
fn compared(
    page: Page,
    others: Vec<Page>,
    name: &str,
    settings: &[(&str, &str)],
    explain: bool,
) -> Result<(Extraction<'static>, BlockKind), String> {
    let entry = SiteExtractor::entry(name).map_err(said)?;
    let extractor = SiteExtractor::with_settings(entry, settings).map_err(said)?;
    // Of two pages at one address the first counts, which is the one in question.
    let (site, key) = (LoadedSite::new(std::iter::once(page).chain(others)), PageId(0));
    let page = site.load(key).map_err(said)?;
    let found = if explain { extractor.explain(&site, key, &page) } else { extractor.extract(&site, key, &page) };
    Ok((found.map_err(said)?.with_page(Arc::clone(&page)), entry.kind))
}

/// What writes a format. These and no others, so that what writes the others is not in the module.
fn writer(format: &str) -> Result<fn(&Extraction<'static>) -> String, String> {
    match format {
        "html" => Ok(Extraction::html),
        "annotated" => Ok(Extraction::annotated),
        "skeleton" => Ok(Extraction::skeleton),
        _ => Err(format!("there is no format `{format}` here; there are html, annotated, skeleton")),
    }
}

/// The record of a page as JSON, and each of the formats that are asked for.
pub(crate) fn extract(request: &Request<'_>) -> Result<Answer, String> {
    let mut options: Options = request.options()?;
    let formats = std::mem::take(&mut options.formats).iter().map(|name| writer(name)).collect::<Result<Vec<_>, _>>()?;
    let found = find(request, &mut options)?;
    let written = formats.into_iter().map(|write| write(&found).into_bytes());
    Ok(Answer::of(std::iter::once(found.json(None).into_bytes()).chain(written).collect()))
}
