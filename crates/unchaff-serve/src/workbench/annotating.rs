//! Pages that people annotate: shown to each of them apart, and what holds of what they said.

use super::results::Query;
use crate::asked::content_type;
use crate::problem::Problem;
use crate::routes::{App, json};
use axum::extract::{RawQuery, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use unchaff::dom::order::InOrder;
use unchaff_bench::annotation::Annotation;
use unchaff_bench::annotation::agreement::{Agreement, agreement};
use unchaff_bench::annotation::carrying::{carry_over, similarity};
use unchaff_bench::annotation::merging::merge;
use unchaff_bench::annotation::project::{PageEntry, ProjectError};
use unchaff_source::Url;

/// So many pages of a site are compared with one; more would take long, and nobody confirms as many.
const MOST_COMPARED: usize = 200;

/// The pages that can be annotated.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageList {
    /// By site, the key page first.
    pub(crate) pages: Vec<PageEntry>,
}

/// A page, and what was said about it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageAnnotations {
    /// The page as HTML in which nothing acts, with the styles and pictures of its folder; each element has its number in `data-n`. With `web=1` it has the addresses of
    /// styles and pictures that are not in the folder.
    pub(crate) html: String,
    /// How many elements it has.
    pub(crate) elements: usize,
    /// Who said what.
    pub(crate) people: Vec<Said>,
    /// What holds, if that was decided.
    pub(crate) gold: Option<Annotation>,
    /// How far people agree, if there are two or more.
    pub(crate) agreement: Option<Agreement>,
}

/// What a person said.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    /// The person.
    pub(crate) who: String,
    /// What was said.
    pub(crate) annotation: Annotation,
}

/// What became gold.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Undecided {
    /// What holds.
    pub(crate) annotation: Annotation,
    /// Elements that were not decided, because as many said one thing as another.
    pub(crate) undecided: Vec<u32>,
}

/// Other pages of the same template.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SimilarPages {
    /// The most similar first.
    pub(crate) pages: Vec<SimilarPage>,
}

/// A page of the same template.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SimilarPage {
    /// The page.
    pub(crate) page: String,
    /// How similar it is, from 0.7 to 1.
    pub(crate) similarity: f64,
}

/// An address whose page is to be annotated.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Added {
    url: String,
}

pub(super) async fn pages(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    Ok(json(&app.bench(|bench| Ok(PageList { pages: bench.project()?.pages() })).await?))
}

/// What is sent as JSON.
async fn sent<T: for<'de> Deserialize<'de>>(app: &Arc<App>, request: Request) -> Result<(Option<String>, T), Problem> {
    if content_type(request.headers()).0 != "application/json" {
        return Err(Problem::media_type("this is sent as application/json"));
    }
    let (head, body) = request.into_parts();
    let sent = app.receive(&head, body).await?;
    // A list would be read as the fields in their order, which nobody means.
    if sent.bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(Problem::bad("this is sent as an object: {…}"));
    }
    let value = serde_json::from_slice(&sent.bytes).map_err(|error| Problem::bad(error.to_string()))?;
    Ok((head.uri.query().map(str::to_owned), value))
}

/// Fetches a page and adds it.
pub(super) async fn add_page(State(app): State<Arc<App>>, request: Request) -> Result<Response, Problem> {
    let (_, Added { url }) = sent(&app, request).await?;
    app.bench(|bench| bench.project().map(|_| ())).await?;
    let document = app.fetched(&url).await?;
    let added = app.bench(move |bench| {
        let url = Url::parse(document.url.as_deref().unwrap_or(&url)).map_err(|error| Problem::bad(error.to_string()))?;
        bench.change(|project| Ok(project.add_page(&url, &document.page())?))
    });
    Ok(json(&added.await?))
}

/// The site and page that a query names.
fn named(query: &Query) -> Result<(String, String), Problem> {
    Ok((query.one("site").unwrap_or_default(), query.needed("page")?))
}

pub(super) async fn page(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(query, &["site", "page", "web"])?;
    let ((site, name), web) = (named(&query)?, query.one("web").is_some_and(|web| web == "1"));
    let found = app.bench(move |bench| {
        let project = bench.project()?;
        let page = project.page(&site, &name)?;
        let people: Vec<Said> =
            project.annotations(&site, &name)?.into_iter().map(|(who, annotation)| Said { who, annotation }).collect();
        let said: Vec<Annotation> = people.iter().map(|said| said.annotation.clone()).collect();
        let gold = match project.annotation(&site, &name, "gold") {
            Ok(gold) => Some(gold),
            Err(ProjectError::Nothing { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        Ok(PageAnnotations {
            html: project.shown(&site, &name, web)?,
            elements: page.counts(page.root()).elements as usize,
            agreement: agreement(&page, &said),
            people,
            gold,
        })
    });
    Ok(json(&found.await?))
}

pub(super) async fn save(State(app): State<Arc<App>>, request: Request) -> Result<StatusCode, Problem> {
    let (query, annotation): (_, Annotation) = sent(&app, request).await?;
    let query = Query::read(query, &["site", "page", "who"])?;
    let ((site, page), who) = (named(&query)?, query.needed("who")?);
    app.bench(move |bench| bench.change(|project| Ok(project.save(&site, &page, &who, &annotation)?))).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn forget(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<StatusCode, Problem> {
    let query = Query::read(query, &["site", "page", "who"])?;
    let ((site, page), who) = (named(&query)?, query.needed("who")?);
    app.bench(move |bench| bench.change(|project| Ok(project.forget(&site, &page, &who)?))).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes what people said the gold of a page: what most say, or a judge where they differ. Gold that was not made here is replaced only if that is asked for.
pub(super) async fn gold(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(query, &["site", "page", "judge", "replace"])?;
    let ((site, name), judge) = (named(&query)?, query.one("judge"));
    let replaces = query.one("replace").is_some_and(|replaces| replaces == "1");
    let done = app.bench(move |bench| {
        bench.change(|project| {
            let page = project.page(&site, &name)?;
            let mut people = project.annotations(&site, &name)?;
            let judge = match &judge {
                None => None,
                Some(judge) => {
                    let at = people.iter().position(|(who, _)| who == judge);
                    let at = at.ok_or_else(|| ProjectError::Nothing { who: judge.clone(), page: name.clone() })?;
                    Some(people.remove(at).1)
                }
            };
            if people.is_empty() && judge.is_none() {
                return Err(Problem::bad("nobody has said anything about this page yet"));
            }
            let said: Vec<Annotation> = people.into_iter().map(|(_, said)| said).collect();
            // A judge alone has nothing to decide between.
            let merged = if said.is_empty() { merge(&page, judge.as_slice(), None) } else { merge(&page, &said, judge.as_ref()) };
            project.save_gold(&site, &name, &merged.annotation, replaces)?;
            Ok(Undecided { annotation: merged.annotation, undecided: merged.undecided })
        })
    });
    Ok(json(&done.await?))
}

/// Other pages of a page's site that share its template.
pub(super) async fn similar(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let (site, name) = named(&Query::read(query, &["site", "page"])?)?;
    let found = app.bench(move |bench| {
        let project = bench.project()?;
        let page = project.page(&site, &name)?;
        let others = project.pages().into_iter().filter(|entry| entry.site == site && entry.page != name);
        let mut pages: Vec<SimilarPage> = others
            .take(MOST_COMPARED)
            .filter_map(|entry| {
                let similarity = similarity(&page, &project.page(&site, &entry.page).ok()?);
                Some(SimilarPage { page: entry.page, similarity })
            })
            .filter(|page| page.similarity > 0.7)
            .collect();
        pages.order_by(|one, other| other.similarity.total_cmp(&one.similarity).then_with(|| one.page.cmp(&other.page)));
        Ok(SimilarPages { pages })
    });
    Ok(json(&found.await?))
}

/// What someone said of one page, as it would be on another.
pub(super) async fn carried(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(query, &["site", "page", "from", "who"])?;
    let ((site, page), from, who) = (named(&query)?, query.needed("from")?, query.needed("who")?);
    let found = app.bench(move |bench| {
        let project = bench.project()?;
        let said = project.annotation(&site, &from, &who)?;
        Ok(carry_over(&project.page(&site, &from)?, &said, &project.page(&site, &page)?))
    });
    Ok(json(&found.await?))
}
