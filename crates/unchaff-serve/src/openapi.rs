//! The interface as programs read it (OpenAPI 3.1), made of the types that are read and written.

use crate::asked::Asked;
use crate::problem::ProblemDocument;
use crate::schema::{Schemas, add};
use crate::sites::{LearnedRecord, SiteList, SiteRecord};
use crate::techniques::TechniqueList;
use crate::workbench::{PageAnnotations, PageList, ResultList, SimilarPages, Undecided};
use serde_json::{Map, Value, json};
use unchaff::{ExtractionRecord, Format};
use unchaff_bench::annotation::Annotation;
use unchaff_bench::annotation::carrying::CarriedOver;
use unchaff_bench::annotation::project::PageEntry;
use unchaff_bench::exchange::{Entered, ExperimentRecord};
use unchaff_segment::document::SegmentDocument;

/// What can be told in the address of a request that has a page and no JSON.
const IN_QUERY: [(&str, &str); 14] = [
    ("url", "The address of the page, against which its links are resolved; if nothing is sent, the address to fetch."),
    ("technique", "The technique; /v1/techniques lists them."),
    ("set", "A parameter of the technique, as PARAMETER=VALUE; can be repeated."),
    ("favor", "precision, balanced or recall."),
    ("include", "Parts to take: comments, tables, images, links, with commas."),
    ("exclude", "Parts to leave out."),
    ("title", "once, found or drop."),
    ("format", "The format, whatever is accepted."),
    ("fields", "The only fields of JSON, or the columns of a table, with commas."),
    ("metadata", "Whether Markdown begins with metadata."),
    ("explain", "Whether to tell what led to the result."),
    ("complement", "Whether to show everything but the block."),
    ("charset", "The charset, if what the page says is not to be believed."),
    ("input", "What to call the page."),
];

/// The document that `/openapi.json` answers with.
#[must_use]
pub fn document() -> Value {
    let mut schemas = Schemas::new();
    let asked = add::<Asked>(&mut schemas);
    let (extraction, segments) = (add::<ExtractionRecord>(&mut schemas), add::<SegmentDocument>(&mut schemas));
    let (techniques, problem) = (add::<TechniqueList>(&mut schemas), add::<ProblemDocument>(&mut schemas));
    let (site, sites, learned) =
        (add::<SiteRecord>(&mut schemas), add::<SiteList>(&mut schemas), add::<LearnedRecord>(&mut schemas));
    if let Some(format) = schemas.get_mut("AskedOptions").and_then(|options| options.pointer_mut("/properties/format")) {
        let formats: Vec<&str> = Format::ALL.iter().map(|format| format.as_str()).collect();
        format["description"] = format!("One of {}; of segments json, annotated or svg.", formats.join(", ")).into();
    }
    let failed = json!({"description": "A problem (RFC 9457)", "content": {"application/problem+json": {"schema": problem}}});
    let answer = |description: &str, content: Value| json!({"description": description, "content": content});
    let operation = |summary: &str, status: &str, answer: Value, body: Option<Value>, query: &[(&str, &str)]| {
        let parameters: Vec<Value> = query
            .iter()
            .map(|(name, told)| json!({"name": name, "in": "query", "description": told, "schema": {"type": "string"}}))
            .collect();
        let mut operation =
            json!({"summary": summary, "parameters": parameters, "responses": {status: answer, "default": failed}});
        if let Some(body) = body {
            operation["requestBody"] = json!({"required": true, "content": body});
        }
        operation
    };
    let bytes = || json!({"schema": {"type": "string", "format": "binary"}});
    let text = || json!({"schema": {"type": "string"}});
    let page = || json!({"text/html": bytes(), "application/json": {"schema": asked}});
    let with_archive = || {
        let mut body = page();
        body["application/warc"] = bytes();
        body
    };
    let written = || json!({"application/json": {"schema": extraction}, "text/markdown": text(), "text/plain": text(), "text/html": text(), "text/csv": text()});
    let as_json = |schema: &Value| json!({"application/json": {"schema": schema}});
    let block = |what: &str| operation(what, "200", answer("What the command prints", written()), Some(page()), &IN_QUERY);
    let mut paths = Map::new();
    let mut add_path = |path: &str, operations: Value| {
        paths.insert(path.to_owned(), operations);
    };
    add_path("/v1/extract", json!({"post": block("The main content of a page")}));
    add_path("/v1/menu", json!({"post": block("The main menu of a page")}));
    add_path("/v1/template", json!({"post": block("The template of a page")}));
    let segmented = json!({"application/json": {"schema": segments}, "text/html": text(), "image/svg+xml": text()});
    add_path(
        "/v1/segment",
        json!({"post": operation("The segments of a page", "200", answer("What the command prints", segmented), Some(page()), &IN_QUERY)}),
    );
    let list =
        operation("All techniques with their parameters", "200", answer("The techniques", as_json(&techniques)), None, &[]);
    add_path("/v1/techniques", json!({"get": list}));
    add_path(
        "/v1/sites",
        json!({"get": operation("The sites that are known", "200", answer("The sites", as_json(&sites)), None, &[])}),
    );
    let name = json!([{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}]);
    let get = operation("What is known about a site", "200", answer("The site", as_json(&site)), None, &[]);
    let delete = operation("Forget a site", "204", json!({"description": "It is forgotten"}), None, &[]);
    add_path("/v1/sites/{name}", json!({"parameters": name, "get": get, "delete": delete}));
    let learn = operation(
        "Learn from a page, or from the pages of a web archive",
        "200",
        answer("What was learned", as_json(&learned)),
        Some(with_archive()),
        &IN_QUERY[..1],
    );
    add_path("/v1/sites/{name}/pages", json!({"parameters": name, "post": learn}));
    let mut query = IN_QUERY.to_vec();
    query.push(("show", "The block that is shown: content, template or menu."));
    let extract = operation(
        "A page with what is known about its site",
        "200",
        answer("What the command prints", written()),
        Some(page()),
        &query,
    );
    add_path("/v1/sites/{name}/extract", json!({"parameters": name, "post": extract}));
    let model = || json!({"application/octet-stream": bytes()});
    let get = operation("The model of a site", "200", answer("Its bytes", model()), None, &[]);
    let put =
        operation("Put a model in the place of what is known", "200", answer("The site", as_json(&site)), Some(model()), &[]);
    add_path("/v1/sites/{name}/model", json!({"parameters": name, "get": get, "put": put}));
    workbench(&mut schemas, &mut add_path, &operation);
    for (path, told, kind) in [
        ("/health", "Whether the service is there", "text/plain"),
        ("/metrics", "What the service counts, for Prometheus", "text/plain"),
        ("/openapi.json", "This document", "application/json"),
    ] {
        add_path(path, json!({"get": operation(told, "200", answer(told, json!({kind: {}})), None, &[])}));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "unchaff",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Separates what a web page is about from everything around it.",
            "license": {"name": env!("CARGO_PKG_LICENSE")},
        },
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{}, {"token": []}],
    })
}

/// How an operation is told.
type Operation<'o> = &'o dyn Fn(&str, &str, Value, Option<Value>, &[(&str, &str)]) -> Value;

/// What there is with `--workbench`.
fn workbench(schemas: &mut Schemas, add_path: &mut dyn FnMut(&str, Value), operation: Operation<'_>) {
    let answer = |told: &str, schema: Value| json!({"description": told, "content": {"application/json": {"schema": schema}}});
    let none = || json!({"description": "Done"});
    let (results, record) = (add::<ResultList>(schemas), add::<ExperimentRecord>(schemas));
    let body = |schema: &Value| Some(json!({"application/json": {"schema": schema}}));
    let query = [
        ("technique", "Only of this technique."),
        ("suite", "Only on this suite, by name or digest."),
        ("page", "Only on this page."),
        ("split", "Only on pages of this split: train or eval."),
        ("setting", "Only with this setting, as PARAMETER=VALUE; can be repeated."),
        ("limit", "At most so many, up to 10000; 1000 if it is not said."),
        ("after", "Without so many at the beginning: `next` of the answer before."),
        ("format", "json or csv."),
    ];
    let get = operation("Results of experiments", "200", answer("The experiments", results), None, &query);
    let entered = answer("What was entered", add::<Entered>(schemas));
    let put = operation(
        "Enter experiments, all or none; one that is there already is replaced",
        "200",
        entered,
        body(&json!({"type": "array", "items": record})),
        &[],
    );
    add_path("/v1/results", json!({"get": get, "put": put}));
    let summary = operation(
        "What a report says in numbers",
        "200",
        answer("Rows and groups", json!({"type": "object"})),
        None,
        &query[..2],
    );
    add_path("/v1/results/summary", json!({"get": summary}));
    let page = [
        ("site", "The site, or other folder of pages."),
        ("page", "The page in it."),
        ("who", "The person."),
        ("from", "Another page of the site."),
    ];
    let judge = [
        page[0],
        page[1],
        ("judge", "Who decides where others differ; without, most votes do."),
        ("replace", "1: replace gold that was not made here; without, that is refused (409)."),
    ];
    let shown = [page[0], page[1], ("web", "1: with the addresses of styles and pictures that are not in the folder.")];
    let list = operation("Pages that can be annotated", "200", answer("The pages", add::<PageList>(schemas)), None, &[]);
    let url = json!({"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]});
    let added = operation("Fetch a page to annotate", "200", answer("The page", add::<PageEntry>(schemas)), body(&url), &[]);
    add_path("/v1/annotation/pages", json!({"get": list, "post": added}));
    let annotation = add::<Annotation>(schemas);
    let put = operation("Keep what a person says about a page", "204", none(), body(&annotation), &page[..3]);
    let delete = operation("Forget it", "204", none(), None, &page[..3]);
    add_path("/v1/annotation", json!({"put": put, "delete": delete}));
    let one = |told: &str, schema: Value, query: &[(&str, &str)]| operation(told, "200", answer(told, schema), None, query);
    let said = one("A page, and what was said about it", add::<PageAnnotations>(schemas), &shown);
    let gold = one("Make what people said the gold", add::<Undecided>(schemas), &judge);
    let similar = one("Other pages of the same template", add::<SimilarPages>(schemas), &page[..2]);
    let carried = one("What a person said of another page, carried over", add::<CarriedOver>(schemas), &page);
    add_path("/v1/annotation/page", json!({"get": said}));
    add_path("/v1/annotation/gold", json!({"post": gold}));
    add_path("/v1/annotation/similar", json!({"get": similar}));
    add_path("/v1/annotation/carried", json!({"get": carried}));
}
