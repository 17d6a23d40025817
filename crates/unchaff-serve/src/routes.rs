//! What can be asked, by address; `openapi.rs` tells the same to programs.

use crate::answer::{Answer, Writer};
use crate::asked::{Question, Source, check_headers, content_type};
use crate::body::{Memory, Sent, receive};
use crate::engine::Engine;
use crate::fetching::Fetching;
use crate::gate::{Clients, digest, gate};
use crate::metrics::Metrics;
use crate::options::Options;
use crate::problem::Problem;
use crate::read::{ReadSites, read};
use crate::segments::Segmenter;
use crate::sites::{LearnedRecord, Sites, check_name, learn_archive};
use crate::workbench::Workbench;
use crate::{openapi, techniques, web, workbench};
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::request::Parts as Head;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;
use unchaff::{BlockKind, Document, Extraction, SITE, SiteModel};

/// What is sent as a web archive.
const ARCHIVES: [&str; 3] = ["application/warc", "application/warc+gzip", "application/gzip"];

/// Everything that requests share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) options: Options,
    pub(crate) token: Option<[u8; 32]>,
    pub(crate) metrics: Metrics,
    pub(crate) clients: Clients,
    pub(crate) read_sites: ReadSites,
    pub(crate) engine: Engine,
    pub(crate) workbench: Option<Workbench>,
    fetching: Fetching,
    memory: Arc<Memory>,
    sites: Sites,
}

impl App {
    pub(crate) fn new(options: Options, jobs: usize, workbench: Option<Workbench>) -> App {
        App {
            token: options.token.as_deref().map(digest),
            metrics: Metrics::default(),
            clients: Clients::default(),
            read_sites: ReadSites::default(),
            engine: Engine::new(jobs, options.timeout),
            fetching: Fetching::new(&options),
            memory: Memory::new(options.held_bytes),
            workbench,
            sites: Sites::new(options.sites, options.site_bytes),
            options,
        }
    }

    /// All that is sent with a request.
    pub(crate) async fn receive(&self, head: &Head, body: Body) -> Result<Sent, Problem> {
        let Options { max_bytes, timeout, .. } = self.options;
        let sent = receive(&head.headers, body, max_bytes, timeout, &self.memory).await?;
        self.metrics.received(sent.bytes.len());
        Ok(sent)
    }

    /// What is asked. The second is what was sent, which takes its share of the memory as long as it lives.
    async fn question(&self, request: Request, also: &[&str]) -> Result<(Head, Question, Sent), Problem> {
        let (head, body) = request.into_parts();
        check_headers(&head.headers, also)?;
        let mut sent = self.receive(&head, body).await?;
        let question = Question::read(&head.headers, head.uri.query(), std::mem::take(&mut sent.bytes))?;
        Ok((head, question, sent))
    }

    /// The page at an address.
    pub(crate) async fn fetched(&self, url: &str) -> Result<Document, Problem> {
        let document = self.fetching.page(url).await?;
        self.metrics.fetched();
        Ok(document)
    }

    /// The page that is asked about, and what the command would call it.
    pub(crate) async fn page(&self, source: Source, charset: Option<String>) -> Result<(Document, String), Problem> {
        match source {
            Source::Sent(document) => {
                let charset = charset.or(document.charset);
                Ok((Document { charset, ..document }, "-".to_owned()))
            }
            Source::Web(url) => {
                let document = self.fetched(&url).await?;
                let charset = charset.or(document.charset);
                Ok((Document { charset, ..document }, url))
            }
        }
    }
}

/// What is behind each address.
pub(crate) fn router(app: Arc<App>) -> Router {
    let limit = DefaultBodyLimit::disable();
    Router::new()
        .route("/v1/extract", post(|State(app), request| block(app, request, BlockKind::Content)))
        .route("/v1/menu", post(|State(app), request| block(app, request, BlockKind::Menu)))
        .route("/v1/template", post(|State(app), request| block(app, request, BlockKind::Template)))
        .route("/v1/segment", post(segment))
        .route("/v1/techniques", get(async || json(&techniques::list())))
        .route("/v1/sites", get(async |State(app): State<Arc<App>>| json(&app.sites.list())))
        .route("/v1/sites/{name}", get(site).delete(delete_site))
        .route("/v1/sites/{name}/pages", post(learn))
        .route("/v1/sites/{name}/extract", post(extract_with_site))
        .route("/v1/sites/{name}/model", get(model).put(put_model))
        .route("/openapi.json", get(async || json(&openapi::document())))
        .route("/read", get(read))
        .route("/health", get(async || ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], "ok\n")))
        .route("/metrics", get(metrics))
        .merge(web::routes())
        .merge(workbench::routes())
        .method_not_allowed_fallback(async || Problem::no_method())
        .fallback(async |request: Request| {
            Problem::not_found(format!("there is no {}; /openapi.json tells what there is", request.uri().path()))
        })
        .layer(CatchPanicLayer::custom(|_| {
            Problem::internal("unchaff failed on this request, which it never should; please report it").into_response()
        }))
        .layer(from_fn_with_state(Arc::clone(&app), gate))
        .layer(limit)
        .with_state(app)
}

/// A value as JSON on one line.
pub(crate) fn json(value: &impl Serialize) -> Response {
    let text = serde_json::to_string(value).unwrap_or_default() + "\n";
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// A block of a page, by a technique that looks at one page.
async fn block(app: Arc<App>, request: Request, kind: BlockKind) -> Result<Answer, Problem> {
    let (head, question, sent) = app.question(request, &[]).await?;
    let Question { source, options, boxes } = question;
    if boxes.is_some() {
        return Err(Problem::bad("boxes are for segments; leave them away, or ask /v1/segment"));
    }
    if options.show.is_some() {
        return Err(Problem::bad("show is for pages of a site (/v1/sites/NAME/extract); here the address tells what is shown"));
    }
    let extractor = options.extractor(kind)?;
    // Before anything is fetched: what makes no sense is told at once.
    let mut writer = Writer::new(&options, &head.headers, kind)?;
    let (document, input) = app.page(source, options.charset.clone()).await?;
    writer.called(&options, &input);
    app.engine
        .work(move || {
            let _sent = sent;
            let page = document.page();
            Ok(writer.write(if options.explain { extractor.explain(&page) } else { extractor.extract(&page) }))
        })
        .await
}

async fn segment(State(app): State<Arc<App>>, request: Request) -> Result<Answer, Problem> {
    let (head, question, sent) = app.question(request, &[]).await?;
    let Question { source, options, boxes } = question;
    let mut segmenter = Segmenter::new(&options, boxes, &head.headers)?;
    let (document, input) = app.page(source, options.charset.clone()).await?;
    segmenter.input = options.input.unwrap_or(input);
    app.engine
        .work(move || {
            let _sent = sent;
            segmenter.answer(document)
        })
        .await
}

async fn site(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, Problem> {
    app.sites.get(&name).map(|site| json(&site))
}

async fn delete_site(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<StatusCode, Problem> {
    app.sites.delete(&name).map(|()| StatusCode::NO_CONTENT)
}

/// Learns from a page, or from all pages of an archive.
async fn learn(State(app): State<Arc<App>>, Path(name): Path<String>, request: Request) -> Result<Response, Problem> {
    check_name(&name)?;
    let (essence, _) = content_type(request.headers());
    let (learned, read, warnings) = if ARCHIVES.contains(&essence.as_str()) {
        let (head, body) = request.into_parts();
        check_headers(&head.headers, &ARCHIVES)?;
        let sent = app.receive(&head, body).await?;
        let Options { max_bytes, timeout, .. } = app.options;
        // It is given up before the one who asks is.
        app.engine.work(move || learn_archive(&sent.bytes[..], max_bytes, timeout.mul_f32(0.8))).await?
    } else {
        let (_, question, sent) = app.question(request, &ARCHIVES).await?;
        let (document, _) = app.page(question.source, question.options.charset).await?;
        if document.url.is_none() {
            return Err(Problem::bad("a page is learned with its address: ?url=https://example.org/page, or url in JSON"));
        }
        let work = move || {
            let _sent = sent;
            Ok((SiteModel::learn([&document.page()]), 1, Vec::new()))
        };
        app.engine.work(work).await?
    };
    let site = app.sites.learn(&name, learned)?;
    Ok(json(&LearnedRecord { site, read, warnings }))
}

/// A page with what is known about its site.
async fn extract_with_site(State(app): State<Arc<App>>, Path(name): Path<String>, request: Request) -> Result<Answer, Problem> {
    let model = app.sites.model(&name)?;
    let (head, question, sent) = app.question(request, &[]).await?;
    let Question { source, options, .. } = question;
    if options.technique.is_some() || !options.settings()?.is_empty() || options.explain {
        return Err(Problem::bad(
            "what a site knows has no technique, settings or explanation; leave technique, set, favor and explain away",
        ));
    }
    let kind = options.show()?;
    let mut writer = Writer::new(&options, &head.headers, kind)?;
    let (document, input) = app.page(source, options.charset.clone()).await?;
    writer.called(&options, &input);
    app.engine
        .work(move || {
            let _sent = sent;
            let page = document.page();
            Ok(writer.write(Extraction::of(&page, kind, SITE, model.detect_only(&page, kind))))
        })
        .await
}

async fn model(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, Problem> {
    let bytes = app.sites.model(&name)?.to_bytes();
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}.unchaff-model\""))
        .map_err(|error| Problem::bad(error.to_string()))?;
    let kind = HeaderValue::from_static("application/octet-stream");
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], bytes).into_response())
}

async fn put_model(State(app): State<Arc<App>>, Path(name): Path<String>, request: Request) -> Result<Response, Problem> {
    check_name(&name)?;
    let (head, body) = request.into_parts();
    let sent = app.receive(&head, body).await?;
    let read = move || SiteModel::from_bytes(&sent.bytes).map_err(|error| Problem::bad(error.to_string()));
    let model = app.engine.work(read).await?;
    Ok(json(&app.sites.put(&name, model)?))
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let (sites, bytes) = app.sites.size();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.text(sites, bytes)).into_response()
}
