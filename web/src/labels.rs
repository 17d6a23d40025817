//! Blocks as labels of single nodes, for who has the page's tree elsewhere.

use crate::finding::{Options, find};
use crate::frame::{Answer, Request};
use crate::numbers::{Names, NodeName, Utf16, is_text};
use serde::Serialize;
use unchaff::dom::address::bounded::Addresses;
use unchaff::{Block, BlockRecord, NodeId, Page, WarningRecord};

/// What was found on a page.
#[derive(Serialize)]
struct Labels<'p> {
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'p str>,
    technique: &'p str,
    kind: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    elements: usize,
    nodes: Vec<Label<'p>>,
    texts: Vec<Label<'p>>,
    blocks: Vec<BlockRecord>,
    warnings: Vec<WarningRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explained<'p>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted: Option<Vec<String>>,
}

/// A node and where it stands.
#[derive(Serialize)]
struct Placed<'p> {
    #[serde(flatten)]
    name: NodeName<'p>,
    range: [usize; 2],
}

/// The root of a part of a block.
#[derive(Serialize)]
struct Label<'p> {
    #[serde(flatten)]
    name: NodeName<'p>,
    path: String,
    tag: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    range: [usize; 2],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<Placed<'p>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    again: Vec<Placed<'p>>,
}

#[derive(Serialize)]
struct Explained<'p> {
    columns: Vec<String>,
    rows: Vec<ExplainedRow<'p>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct ExplainedRow<'p> {
    #[serde(flatten)]
    name: NodeName<'p>,
    path: String,
    tag: String,
    range: [usize; 2],
    values: Vec<f64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    remark: String,
}

/// The labelled nodes of a page as JSON.
pub(crate) fn detect(request: &Request<'_>) -> Result<Answer, String> {
    let mut options: Options = request.options()?;
    let found = find(request, &mut options)?;
    let page = found.page();
    let names = Names::new(page, options.mark.as_deref());
    let blocks = found.blocks();
    let roots: Vec<(&Block, usize, NodeId)> = found
        .detection()
        .blocks
        .iter()
        .flat_map(|block| block.nodes.roots(page).into_iter().enumerate().map(move |(at, root)| (block, at, root)))
        .collect();
    let turns = |within| -> Vec<Vec<NodeId>> {
        roots.iter().map(|(block, _, root)| turns_below(page, block, *root, within).collect()).collect()
    };
    let (without, again) = (turns(false), turns(true));
    let rows = found.explanation().map(|explanation| explanation.rows.as_slice()).unwrap_or_default();
    // All at once, because positions in UTF-16 are counted from the beginning.
    let below = without.iter().zip(&again).flat_map(|(without, again)| without.iter().chain(again)).copied();
    let placed = roots.iter().map(|(_, _, root)| *root).chain(below).chain(rows.iter().map(|row| row.node));
    let ends = Utf16::of_all(page, placed.map(|node| page.source_range(node)).flat_map(|range| [range.start, range.end]));
    let mut ranges = ends.chunks_exact(2).map(|ends| [ends[0], ends[1]]);
    let of_roots: Vec<[usize; 2]> = ranges.by_ref().take(roots.len()).collect();
    let (mut nodes, mut texts) = (Vec::new(), Vec::new());
    for (((block, at, root), range), (without, again)) in roots.into_iter().zip(of_roots).zip(without.iter().zip(&again)) {
        let mut named = |nodes: &[NodeId]| -> Vec<Placed<'_>> {
            nodes.iter().zip(&mut ranges).map(|(node, range)| Placed { name: names.of(*node), range }).collect()
        };
        let record = blocks.iter().find(|record| record.kind == block.kind.as_str()).and_then(|record| record.nodes.get(at));
        let label = Label {
            name: names.of(root),
            path: record.map(|record| record.path.clone()).unwrap_or_default(),
            tag: page.name(root).to_owned(),
            kind: block.kind.as_str(),
            confidence: record.and_then(|record| record.confidence),
            range,
            without: named(without),
            again: named(again),
        };
        if is_text(page, root) { texts.push(label) } else { nodes.push(label) }
    }
    let mut warnings = found.warnings();
    let addresses = Addresses::new(page, 2);
    let explanation = found.explanation().map(|explanation| Explained {
        columns: explanation.columns.iter().map(ToString::to_string).collect(),
        rows: explanation
            .rows
            .iter()
            .zip(ranges)
            .map(|(row, range)| ExplainedRow {
                name: names.of(row.node),
                path: addresses.path(row.node),
                tag: page.name(row.node).to_owned(),
                range,
                values: row.values.clone(),
                remark: row.remark.clone(),
            })
            .collect(),
        notes: explanation.notes.clone(),
    });
    warnings.extend(addresses.warning().map(|(code, message)| WarningRecord { code: code.to_owned(), message }));
    Answer::json(&Labels {
        url: page.url().map(AsRef::as_ref),
        technique: found.technique(),
        kind: found.shows().as_str(),
        template: found.detection().template.as_deref(),
        confidence: found.confidence(),
        elements: page.counts(page.root()).elements as usize,
        nodes,
        texts,
        blocks,
        warnings,
        explanation,
        wanted: options.wanted.take(),
    })
}

/// The nodes below a root at which the block ends, or begins again: those in it or not, as `within` says, whose parent is the other. A tree elsewhere has
/// elements and texts only.
fn turns_below<'p>(page: &'p Page, block: &'p Block, root: NodeId, within: bool) -> impl Iterator<Item = NodeId> + use<'p> {
    page.subtree(root).filter(move |node| {
        let is_other = |parent: NodeId| block.nodes.contains(parent) != within;
        *node != root
            && block.nodes.contains(*node) == within
            && page.parent(*node).is_some_and(is_other)
            && (page.is_element(*node) || is_text(page, *node))
    })
}
