//! An extraction as a value: what was found on a page, without the page. Its serialisation is the JSON of the schema that
//! `docs/json.md` describes; a change that breaks readers gets a new version.

use crate::{Extraction, MenuItem, TextFacts};
use serde::{Deserialize, Serialize};
use unchaff_dom::address::bounded::Addresses;
use unchaff_dom::metadata::{Found, Metadata};
use unchaff_dom::{NodeId, Page, emit};
use unchaff_page::rules::comment_list::Comment;
use unchaff_page::{Block, Explanation};

/// The name and version of the schema, which every record carries.
pub const SCHEMA: &str = "unchaff/extraction/2";

/// What was found on a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExtractionRecord {
    /// [`SCHEMA`].
    pub schema: String,
    /// What the caller calls the page, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The page's address, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// In which charset the page was read.
    pub charset: CharsetRecord,
    /// The technique that found the blocks.
    pub technique: String,
    /// The kind of block that `text` and `markdown` are of.
    pub shows: String,
    /// Whether they are of everything else instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub complement: bool,
    /// The name of the page's template among those of its site, if the site is known and has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// What the page says about itself.
    pub metadata: MetadataRecord,
    /// The blocks.
    pub blocks: Vec<BlockRecord>,
    /// The entries of the menu, if one was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub menu: Option<Vec<MenuItem>>,
    /// What readers wrote about the page, one by one, if it has comments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<CommentRecord>,
    /// What led to the result, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<ExplanationRecord>,
    /// Content that the page carries in a script, as HTML.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedded: Option<String>,
    /// How many words the block has.
    #[serde(default)]
    pub words: usize,
    /// How many minutes it takes to read, rounded up.
    #[serde(default)]
    pub reading_minutes: usize,
    /// Its [fingerprint](crate::Fingerprint), if it has words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// The block as plain text.
    pub text: String,
    /// The block as Markdown.
    pub markdown: String,
    /// What the user should know.
    pub warnings: Vec<WarningRecord>,
    /// What the caller knows of the page besides, handed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<serde_json::Map<String, serde_json::Value>>,
}

/// A charset and where it is known from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CharsetRecord {
    /// Its name by the WHATWG Encoding Standard.
    pub name: String,
    /// `bom`, `given`, `meta`, `utf8` or `guessed`.
    pub source: String,
}

/// A value of the page's metadata and where it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ValueRecord {
    /// The value.
    pub value: String,
    /// Where it stands.
    pub source: String,
}

/// Something that is so or not, and where the page says it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FlagRecord {
    /// Whether it is so.
    pub value: bool,
    /// Where it stands.
    pub source: String,
}

/// What a page says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct MetadataRecord {
    pub title: Option<ValueRecord>,
    pub author: Vec<ValueRecord>,
    pub published: Option<ValueRecord>,
    pub modified: Option<ValueRecord>,
    pub language: Option<ValueRecord>,
    pub site_name: Option<ValueRecord>,
    pub description: Option<ValueRecord>,
    pub image: Option<ValueRecord>,
    pub canonical: Option<ValueRecord>,
    pub kind: Option<ValueRecord>,
    #[serde(default)]
    pub tags: Vec<ValueRecord>,
    #[serde(default)]
    pub categories: Vec<ValueRecord>,
    #[serde(default)]
    pub licence: Option<ValueRecord>,
    #[serde(default)]
    pub paywalled: Option<FlagRecord>,
}

/// A block of a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BlockRecord {
    /// `content`, `template`, `menu`, `comments` or `ads`.
    pub kind: String,
    /// How far to trust it, 0 to 1, if the technique can say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Its roots.
    pub nodes: Vec<NodeRecord>,
}

/// A node of a block, which stands for all that is below it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NodeRecord {
    /// Positions among all children, from the document down; empty if the paths of this page are too long for it.
    pub path: String,
    /// A selector that matches this element alone; for text, its element. Empty as the path is.
    pub css: String,
    /// The element's name, or `#text`.
    pub tag: String,
    /// Where it stands in the page as text: start and end in bytes.
    pub source: [usize; 2],
    /// Its text.
    pub text: String,
    /// How sure the technique is of this part, if it can say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Paths of what is below it and not in the block.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

/// What one reader wrote.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommentRecord {
    /// Who.
    pub author: Option<String>,
    /// When: ISO 8601 where that can be read, else as it stands on the page.
    pub date: Option<String>,
    /// What, as plain text.
    pub text: String,
    /// How many comments this one answers, one answering the other; 0 for one that answers the page.
    pub depth: usize,
}

impl From<Comment> for CommentRecord {
    fn from(Comment { author, date, text, depth }: Comment) -> CommentRecord {
        CommentRecord { author, date, text, depth }
    }
}

/// What led to a result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExplanationRecord {
    /// The names of the values.
    pub columns: Vec<String>,
    /// The nodes that were looked at.
    pub rows: Vec<RowRecord>,
    /// What cannot be said of a single node.
    pub notes: Vec<String>,
    /// From which value of the first column on nodes are taken, if that decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
}

/// What was computed for one node.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RowRecord {
    /// Its path.
    pub path: String,
    /// Its name.
    pub tag: String,
    /// A value for each column.
    pub values: Vec<f64>,
    /// What became of it, if something did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remark: String,
    /// Why, in words, if the technique can say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// Something that the user should know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WarningRecord {
    /// A short, stable name.
    pub code: String,
    /// The whole sentence.
    pub message: String,
}

impl ExtractionRecord {
    /// As JSON on one line.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| unreachable!("strings and numbers are always JSON"))
    }

    pub(crate) fn of(extraction: &Extraction<'_>, input: Option<&str>) -> ExtractionRecord {
        let page = extraction.page();
        let (name, source) = page.charset();
        let addresses = Addresses::new(page, 2);
        let text = extraction.text();
        let TextFacts { words, reading_minutes, fingerprint, .. } = TextFacts::of(&text);
        let blocks = block_records(page, &addresses, &extraction.detection.blocks);
        let explanation = extraction.explanation.as_ref().map(|explanation| explanation_record(page, &addresses, explanation));
        let mut warnings = extraction.warnings();
        warnings.extend(addresses.warning().map(|(code, message)| WarningRecord { code: code.to_owned(), message }));
        ExtractionRecord {
            schema: SCHEMA.to_owned(),
            input: input.map(str::to_owned),
            url: page.url_to_show().map(ToString::to_string),
            charset: CharsetRecord { name: name.to_owned(), source: source.as_str().to_owned() },
            technique: extraction.technique().to_owned(),
            shows: extraction.shows.as_str().to_owned(),
            complement: extraction.is_complement(),
            template: extraction.detection.template.clone(),
            metadata: metadata_record(extraction.metadata_with(|| &text)),
            blocks,
            menu: extraction.menu(),
            comments: extraction.comments().into_iter().map(CommentRecord::from).collect(),
            explanation,
            embedded: extraction.detection.embedded.clone(),
            words,
            reading_minutes,
            fingerprint: fingerprint.map(|fingerprint| fingerprint.to_string()),
            text,
            markdown: extraction.markdown(),
            warnings,
            given: None,
        }
    }
}

/// The parts of the record one by one, for who needs no more.
impl Extraction<'_> {
    /// What the page says about itself; the language, if it does not say it, by the words of [`Extraction::text`].
    #[must_use]
    pub fn metadata(&self) -> MetadataRecord {
        metadata_record(self.metadata_with(|| self.text()))
    }

    /// The blocks.
    #[must_use]
    pub fn blocks(&self) -> Vec<BlockRecord> {
        block_records(self.page(), &Addresses::new(self.page(), 2), &self.detection.blocks)
    }

    /// What the user should know.
    #[must_use]
    pub fn warnings(&self) -> Vec<WarningRecord> {
        let warning = |code: &str, message: String| WarningRecord { code: code.to_owned(), message };
        let of_page = self.page().warnings().iter().map(|said| warning(said.code(), said.to_string()));
        let of_technique = self.detection.notes.iter().map(|note| warning("technique", note.clone()));
        of_page.chain(of_technique).collect()
    }

    /// How far to trust what outputs show, 0 to 1, if the technique can say.
    #[must_use]
    pub fn confidence(&self) -> Option<f64> {
        self.detection.blocks.iter().find(|block| block.kind == self.shows)?.confidence.map(rounded)
    }
}

fn block_records(page: &Page, addresses: &Addresses<'_>, blocks: &[Block]) -> Vec<BlockRecord> {
    blocks.iter().map(|block| block_record(page, addresses, block)).collect()
}

fn metadata_record(metadata: Metadata) -> MetadataRecord {
    let value = |found: Found<String>| ValueRecord { value: found.value, source: found.source.as_str().to_owned() };
    MetadataRecord {
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
        tags: metadata.tags.into_iter().map(value).collect(),
        categories: metadata.categories.into_iter().map(value).collect(),
        licence: metadata.licence.map(value),
        paywalled: metadata.paywalled.map(|found| FlagRecord { value: found.value, source: found.source.as_str().to_owned() }),
    }
}

fn explanation_record(page: &Page, addresses: &Addresses<'_>, explanation: &Explanation) -> ExplanationRecord {
    let rows = explanation.rows.iter().map(|row| RowRecord {
        path: addresses.path(row.node),
        tag: page.name(row.node).to_owned(),
        values: row.values.clone(),
        remark: row.remark.clone(),
        why: row.why.clone(),
    });
    ExplanationRecord {
        columns: explanation.columns.iter().map(ToString::to_string).collect(),
        rows: rows.collect(),
        notes: explanation.notes.clone(),
        threshold: explanation.threshold,
    }
}

/// Three digits say all that a confidence does.
fn rounded(confidence: f32) -> f64 {
    (f64::from(confidence) * 1000.0).round() / 1000.0
}

/// The roots of a block: each stands for all that is below it, except for what is listed under `without`. Roots do not overlap, so all
/// of them together cost no more than the page.
fn block_record(page: &Page, addresses: &Addresses<'_>, block: &Block) -> BlockRecord {
    let texts = emit::Texts::new(page, &block.nodes);
    let record = |root: NodeId| {
        let range = page.source_range(root);
        NodeRecord {
            path: addresses.path(root),
            css: addresses.css(root),
            tag: page.name(root).to_owned(),
            source: [range.start, range.end],
            text: texts.below(&[root]),
            confidence: block.confidence_below(page, root).map(rounded),
            without: missing_below(page, block, root).map(|node| addresses.path(node)).collect(),
        }
    };
    BlockRecord {
        kind: block.kind.as_str().to_owned(),
        confidence: block.confidence.map(rounded),
        nodes: block.nodes.roots(page).into_iter().map(record).collect(),
    }
}

/// The outermost nodes below a root that are not in the block.
fn missing_below(page: &Page, block: &Block, root: NodeId) -> impl Iterator<Item = NodeId> {
    let mut covered = root;
    page.subtree(root).filter(move |node| {
        let is_missing = *node >= covered && !block.nodes.contains(*node);
        if is_missing {
            covered = page.end(*node);
        }
        is_missing
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_from_json_as_it_went() {
        let values =
            vec![0.999_999_813_944_739_5, -1.406_152_695_417_404_2, 0.548_310_539_241_587, 1e-300, 2.144_817_896_187_305_5];
        let rows =
            vec![RowRecord { path: "/0".to_owned(), tag: "html".to_owned(), values, remark: String::new(), why: String::new() }];
        let page = Page::parse("<p>It rained all day.</p>");
        let mut record = crate::Extractor::new().extract(&page).record(None);
        record.explanation =
            Some(ExplanationRecord { columns: vec!["x".to_owned(); 5], rows, notes: Vec::new(), threshold: None });
        assert_eq!(serde_json::from_str::<ExtractionRecord>(&record.json()).unwrap(), record);
    }
}
