//! Results of experiments: sent in batches, asked for, and the report on them.

use crate::asked::content_type;
use crate::problem::Problem;
use crate::routes::{App, json};
use axum::extract::{RawQuery, Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::{Arc, LazyLock};
use unchaff::page::parameters;
use unchaff_bench::exchange::{self, ExperimentRecord};
use unchaff_bench::export::{Form, Wanted, export_some};
use unchaff_bench::report::{self, Place, ReportOptions};
use unchaff_bench::summary::Selection;

/// Most experiments of an answer.
const MOST: u32 = 10_000;

/// How experiments are sent.
const BATCHES: [&str; 4] = ["application/json", "application/x-ndjson", "application/jsonl", "application/x-jsonlines"];

/// The one script of a report may run, by its digest; pages in it are in frames without any.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let script = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(report::SCRIPT.as_bytes()));
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script}'; img-src data:; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    )
});

/// Some experiments.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultList {
    /// The experiments, by suite, page and technique.
    pub(crate) experiments: Vec<ExperimentRecord>,
    /// Where the next ones begin (`after`), if there are more.
    pub(crate) next: Option<u32>,
}

/// The fields of a query by name, each once or more.
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads a query that has no other fields than these.
    pub(super) fn read(query: Option<String>, known: &[&str]) -> Result<Query, Problem> {
        let query = query.unwrap_or_default();
        let fields: Vec<(String, String)> =
            url::form_urlencoded::parse(query.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
        match fields.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((unknown, _)) => Err(Problem::bad(format!("there is no {unknown} here; there are {}", known.join(", ")))),
            None => Ok(Query(fields)),
        }
    }

    pub(super) fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.clone()).collect()
    }

    pub(super) fn one(&self, name: &str) -> Option<String> {
        self.all(name).pop().filter(|value| !value.is_empty())
    }

    pub(super) fn needed(&self, name: &str) -> Result<String, Problem> {
        self.one(name).ok_or_else(|| Problem::bad(format!("{name} is missing in the address")))
    }

    fn number(&self, name: &str) -> Result<Option<u32>, Problem> {
        let read = |text: String| text.parse().map_err(|_| Problem::bad(format!("{name}={text} is no number")));
        self.one(name).map(read).transpose()
    }

    /// What of the database a report is about.
    fn selection(&self) -> Selection {
        Selection {
            techniques: self.all("technique"),
            suites: self.all("suite"),
            blocks: self.all("block"),
            measures: self.all("measure"),
            split: self.one("split"),
            beta: None,
        }
    }
}

const SELECTION: [&str; 6] = ["technique", "suite", "block", "measure", "split", "worst"];

/// Enters a batch.
pub(super) async fn enter(State(app): State<Arc<App>>, request: Request) -> Result<Response, Problem> {
    let (essence, _) = content_type(request.headers());
    if !BATCHES.contains(&essence.as_str()) {
        return Err(Problem::media_type("experiments are sent as application/json (a list) or application/x-ndjson (lines)"));
    }
    let (head, body) = request.into_parts();
    let sent = app.receive(&head, body).await?;
    let entered = app.bench(move |bench| {
        let records = exchange::read_batch(&sent.bytes)?;
        Ok(exchange::enter(&mut bench.database()?, records, |name, digest| bench.root(name, digest))?)
    });
    Ok(json(&entered.await?))
}

/// Experiments by technique, suite, page and settings.
pub(super) async fn find(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(query, &["technique", "suite", "page", "split", "setting", "limit", "after", "format"])?;
    let mut settings = Vec::new();
    for setting in query.all("setting") {
        let (name, value) = parameters::setting(&setting).map_err(|error| Problem::bad(format!("setting: {error}")))?;
        settings.push((name.to_owned(), value.to_owned()));
    }
    let most = query.number("limit")?.unwrap_or(1000).clamp(1, MOST);
    let after = query.number("after")?.unwrap_or(0);
    let is_csv = match query.one("format").as_deref() {
        None | Some("json") => false,
        Some("csv") => true,
        Some(other) => return Err(Problem::bad(format!("the format of results is json or csv, not {other}"))),
    };
    let wanted = Wanted {
        technique: query.one("technique"),
        suite: query.one("suite"),
        page: query.one("page"),
        split: query.one("split"),
        settings,
        // One more tells whether there are more.
        most: Some(most + u32::from(!is_csv)),
        after,
    };
    let found = app.bench(move |bench| {
        let mut out = Vec::new();
        let form = if is_csv { Form::Csv } else { Form::JsonLines };
        export_some(&bench.database()?, form, &wanted, &mut out).map_err(|error| Problem::internal(error.to_string()))?;
        Ok(out)
    });
    let found = found.await?;
    if is_csv {
        return Ok(([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], found).into_response());
    }
    let mut experiments = exchange::read_written(&found)?;
    let more = experiments.len() > most as usize;
    experiments.truncate(most as usize);
    Ok(json(&ResultList { experiments, next: more.then_some(after.saturating_add(most)) }))
}

/// What a report says in numbers.
pub(super) async fn summary(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let options = ReportOptions { selection: Query::read(query, &SELECTION[..5])?.selection(), ..ReportOptions::default() };
    Ok(json(&app.bench(move |bench| Ok(report::json(&bench.database()?, &options)?)).await?))
}

fn shown(html: String) -> Response {
    let mut response = Html(html).into_response();
    if let Ok(policy) = HeaderValue::from_str(&POLICY) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// The report on what the database has now.
pub(super) async fn report(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(query, &SELECTION)?;
    // Pages are a link away, and running techniques on them takes its time.
    let worst = query.number("worst")?.unwrap_or(0).min(20) as usize;
    let options = ReportOptions { selection: query.selection(), links: true, worst, ..ReportOptions::default() };
    Ok(shown(app.bench(move |bench| Ok(report::html(&bench.database()?, &options)?)).await?))
}

fn place(query: &Query) -> Result<Place, Problem> {
    Ok(Place {
        suite: query.needed("suite")?,
        technique: query.needed("technique")?,
        block: query.needed("block")?,
        measure: query.needed("measure")?,
    })
}

/// The pages of a technique on a suite.
pub(super) async fn pages(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let place = place(&Query::read(query, &["suite", "technique", "block", "measure"])?)?;
    Ok(shown(app.bench(move |bench| Ok(report::pages(&bench.database()?, &place)?)).await?))
}

/// A page with what was found on it.
pub(super) async fn page(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(query, &["suite", "technique", "block", "measure", "item", "view"])?;
    let (place, item, view) = (place(&query)?, query.needed("item")?, query.one("view").unwrap_or_default());
    let options = ReportOptions { page_bytes: 4 << 20, ..ReportOptions::default() };
    Ok(shown(app.bench(move |bench| Ok(report::page(&bench.database()?, &place, &item, &view, &options)?)).await?))
}
