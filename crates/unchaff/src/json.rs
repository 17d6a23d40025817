//! The JSON form of an extraction. `docs/json.md` describes the schema; a change that breaks readers gets a new version.

use crate::{Extraction, MenuItem};
use serde::Serialize;
use unchaff_dom::address::CssPaths;
use unchaff_dom::metadata::{Found, Metadata, metadata};
use unchaff_dom::{NodeId, Page, emit};
use unchaff_page::{Block, Explanation, Row};

/// The name and version of the schema, which every document carries.
pub const SCHEMA: &str = "unchaff/extraction/1";

#[derive(Serialize)]
struct Document<'e> {
    schema: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'e str>,
    charset: Charset,
    technique: &'static str,
    metadata: MetadataJson,
    blocks: Vec<BlockJson<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    menu: Option<Vec<MenuItem>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<ExplanationJson<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedded: Option<&'e str>,
    text: String,
    markdown: String,
    warnings: Vec<WarningJson>,
}

#[derive(Serialize)]
struct Charset {
    name: &'static str,
    source: &'static str,
}

#[derive(Serialize)]
struct Value {
    value: String,
    source: &'static str,
}

#[derive(Serialize)]
struct MetadataJson {
    title: Option<Value>,
    author: Vec<Value>,
    published: Option<Value>,
    modified: Option<Value>,
    language: Option<Value>,
    site_name: Option<Value>,
    description: Option<Value>,
    image: Option<Value>,
    canonical: Option<Value>,
    kind: Option<Value>,
}

#[derive(Serialize)]
struct BlockJson<'e> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    nodes: Vec<NodeJson<'e>>,
}

#[derive(Serialize)]
struct NodeJson<'e> {
    path: String,
    css: String,
    tag: &'e str,
    source: [usize; 2],
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<String>,
}

#[derive(Serialize)]
struct ExplanationJson<'e> {
    columns: &'e [&'static str],
    rows: Vec<RowJson<'e>>,
    notes: &'e [String],
}

#[derive(Serialize)]
struct RowJson<'e> {
    path: String,
    tag: &'e str,
    values: &'e [f64],
    #[serde(skip_serializing_if = "str::is_empty")]
    remark: &'e str,
}

#[derive(Serialize)]
struct WarningJson {
    code: &'static str,
    message: String,
}

pub(crate) fn write(extraction: &Extraction<'_>, input: Option<&str>) -> String {
    let page = extraction.page;
    let (name, source) = page.charset();
    let css = page.css_paths();
    let blocks = extraction.detection.blocks.iter();
    let of_page = page.warnings().iter().map(|warning| WarningJson { code: warning.code(), message: warning.to_string() });
    let of_technique = extraction.detection.notes.iter().map(|note| WarningJson { code: "technique", message: note.clone() });
    let document = Document {
        schema: SCHEMA,
        input,
        url: page.url().map(AsRef::as_ref),
        charset: Charset { name, source: source.as_str() },
        technique: extraction.technique,
        metadata: metadata_json(metadata(page)),
        blocks: blocks
            .map(|block| BlockJson {
                kind: block.kind.as_str(),
                confidence: block.confidence.map(rounded),
                nodes: nodes_json(page, &css, block),
            })
            .collect(),
        menu: extraction.menu(),
        explanation: extraction.explanation.as_ref().map(|explanation| explanation_json(page, explanation)),
        embedded: extraction.detection.embedded.as_deref(),
        text: extraction.text(),
        markdown: extraction.markdown(),
        warnings: of_page.chain(of_technique).collect(),
    };
    serde_json::to_string(&document).unwrap_or_else(|_| unreachable!("strings and numbers are always JSON"))
}

fn metadata_json(metadata: Metadata) -> MetadataJson {
    let value = |found: Found<String>| Value { value: found.value, source: found.source.as_str() };
    MetadataJson {
        title: metadata.title.map(value),
        author: metadata.author.into_iter().map(value).collect(),
        published: metadata.published.map(value),
        modified: metadata.modified.map(value),
        language: metadata.language.map(value),
        site_name: metadata.site_name.map(value),
        description: metadata.description.map(value),
        image: metadata.image.map(value),
        canonical: metadata.canonical.map(value),
        kind: metadata.kind.map(value),
    }
}

fn explanation_json<'e>(page: &'e Page, explanation: &'e Explanation) -> ExplanationJson<'e> {
    let row =
        |row: &'e Row| RowJson { path: page.path(row.node), tag: page.name(row.node), values: &row.values, remark: &row.remark };
    ExplanationJson { columns: &explanation.columns, rows: explanation.rows.iter().map(row).collect(), notes: &explanation.notes }
}

/// Three digits say all that a confidence does.
fn rounded(confidence: f32) -> f64 {
    (f64::from(confidence) * 1000.0).round() / 1000.0
}

/// The roots of a set: each stands for all that is below it, except for what is listed under `without`.
fn nodes_json<'p>(page: &'p Page, css: &CssPaths<'_>, block: &Block) -> Vec<NodeJson<'p>> {
    let nodes = &block.nodes;
    let roots = nodes.roots(page).into_iter();
    roots
        .map(|root| {
            let mut inside = page.subtree_set(root);
            let mut missing = inside.clone();
            inside.intersection(nodes);
            missing.difference(nodes);
            let range = page.source_range(root);
            NodeJson {
                path: page.path(root),
                css: css.of(root),
                tag: page.name(root),
                source: [range.start, range.end],
                text: emit::text(page, &inside),
                confidence: block.confidence_below(page, root).map(rounded),
                without: missing.roots(page).into_iter().map(|node: NodeId| page.path(node)).collect(),
            }
        })
        .collect()
}
