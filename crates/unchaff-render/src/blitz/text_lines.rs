//! The lines of every text, found again in what Blitz made of whole paragraphs.
//!
//! Blitz joins the texts of a paragraph into one string with white space collapsed, and remembers for each piece only the
//! element that it is styled by. The characters that are not white space are still the same in the same order, so they are
//! dealt out to the texts. Where a style changes their number (ß in capitals), the next text of the same element may be off
//! by that, if nothing of another element stands between them.

use blitz_dom::node::{ListItemLayoutPosition, TextBrush, TextLayout};
use blitz_dom::{BaseDocument, Node, NodeId as BlitzId};
use parley::layout::{GlyphRun, PositionedLayoutItem};
use std::collections::HashMap;

/// A rectangle before it is rounded: left, top, right, bottom.
pub(crate) type Area = [f32; 4];

/// A text of a paragraph.
struct Piece {
    /// The element that styles it.
    brush: BlitzId,
    /// Its node in the page; none for what Blitz put in.
    text: Option<u32>,
    /// How many of its characters have not been met.
    left: usize,
}

/// A character, or several that stand as one.
struct Cluster {
    start: usize,
    brush: BlitzId,
    owner: Option<u32>,
}

/// The line that is being put together.
struct Open {
    owner: u32,
    area: Area,
    has_ink: bool,
}

/// The lines of all texts: the node of the text and where its line is, by the order of nodes.
pub(crate) fn text_lines(
    document: &BaseDocument,
    nodes: &HashMap<BlitzId, u32>,
    mut position: impl FnMut(BlitzId) -> (f32, f32),
) -> Vec<(u32, Area)> {
    let mut lines: Vec<(u32, Area)> = Vec::new();
    let (mut pieces, mut clusters) = (Vec::new(), Vec::new());
    for (id, root) in document.tree().iter() {
        let paragraph = root.element_data().and_then(|element| element.inline_layout_data.as_deref());
        let Some(paragraph) = paragraph.filter(|_| root.flags.is_inline_root()) else { continue };
        let marker = collect(document, nodes, root, &mut pieces);
        if pieces.is_empty() {
            continue;
        }
        deal(paragraph, marker, &mut pieces, &mut clusters, |brush| brush == id || nodes.contains_key(&brush));
        let layout = root.unrounded_layout();
        let (left, top) = position(id);
        let origin = (
            left + layout.padding.left + layout.border.left,
            top + layout.padding.top + layout.border.top + paragraph.block_offset,
        );
        measure(paragraph, origin, &clusters, |owner, area| lines.push((owner, area)));
    }
    lines.sort_by_key(|(node, _)| *node);
    lines
}

/// The texts of a paragraph, and how many characters of a list marker come before them.
fn collect(document: &BaseDocument, nodes: &HashMap<BlitzId, u32>, root: &Node, pieces: &mut Vec<Piece>) -> usize {
    pieces.clear();
    let mut rest: Vec<(BlitzId, BlitzId)> = root.children.iter().rev().map(|child| (*child, root.id)).collect();
    while let Some((id, brush)) = rest.pop() {
        let Some(node) = document.get_node(id) else { continue };
        if let Some(text) = node.text_data() {
            let left = text.content.chars().filter(|character| !character.is_whitespace()).count();
            if left > 0 {
                pieces.push(Piece { brush, text: nodes.get(&id).copied(), left });
            }
            continue;
        }
        let is_contents = node.primary_styles().is_some_and(|style| style.clone_display().is_contents());
        if is_contents || node.is_non_atomic_inline() {
            let brush = if is_contents { brush } else { id };
            rest.extend(node.children.iter().rev().map(|child| (*child, brush)));
        }
    }
    let marker = root.element_data().and_then(|element| element.list_item_data.as_deref());
    match marker {
        Some(item) if matches!(item.position, ListItemLayoutPosition::Inside) => match &item.marker {
            blitz_dom::node::Marker::Char(_) => 1,
            blitz_dom::node::Marker::String(text) => text.chars().filter(|character| !character.is_whitespace()).count(),
        },
        _ => 0,
    }
}

/// Finds the text of every cluster, by going through both in the order in which they are read.
fn deal(
    paragraph: &TextLayout,
    mut marker: usize,
    pieces: &mut [Piece],
    clusters: &mut Vec<Cluster>,
    is_element: impl Fn(BlitzId) -> bool,
) {
    clusters.clear();
    for line in paragraph.layout.lines() {
        for run in line.runs() {
            clusters.extend(run.clusters().map(|cluster| Cluster {
                start: cluster.text_range().start,
                brush: cluster.style().brush.id,
                owner: None,
            }));
        }
    }
    // Runs stand as they are seen, which is not as they are read where directions are mixed.
    clusters.sort_by_key(|cluster| cluster.start);
    let mut at = 0;
    for index in 0..clusters.len() {
        let end = clusters.get(index + 1).map_or(paragraph.text.len(), |next| next.start);
        let text = paragraph.text.get(clusters[index].start..end).unwrap_or_default();
        let mut count = text.chars().filter(|character| !character.is_whitespace()).count();
        let brush = clusters[index].brush;
        if marker > 0 || !is_element(brush) {
            marker -= marker.min(count);
            continue;
        }
        let is_next = |at: usize, pieces: &[Piece]| pieces.get(at + 1).is_some_and(|piece| piece.brush == brush);
        if count == 0 {
            // White space belongs to what it follows; if that is in another element, to what comes next.
            let owner = if pieces[at].brush == brush { Some(at) } else { is_next(at, pieces).then_some(at + 1) };
            clusters[index].owner = owner.and_then(|at| pieces[at].text);
            continue;
        }
        if pieces[at].brush != brush {
            let Some(next) = pieces[at + 1..].iter().position(|piece| piece.brush == brush) else { continue };
            at += 1 + next;
        } else if pieces[at].left == 0 && is_next(at, pieces) {
            at += 1;
        }
        clusters[index].owner = pieces[at].text;
        while count > pieces[at].left && is_next(at, pieces) {
            count -= pieces[at].left;
            pieces[at].left = 0;
            at += 1;
        }
        pieces[at].left = pieces[at].left.saturating_sub(count);
    }
}

/// The lines of the texts of a paragraph, each as soon as it is complete.
fn measure(paragraph: &TextLayout, origin: (f32, f32), clusters: &[Cluster], mut found: impl FnMut(u32, Area)) {
    for line in paragraph.layout.lines() {
        let range = line.text_range();
        let seen = range.start + paragraph.text.get(range.clone()).unwrap_or_default().trim_end().len();
        let mut open: Option<Open> = None;
        // The run at hand, and how many of its clusters were in pieces before.
        let (mut run_at, mut done) = (usize::MAX, 0);
        for item in line.items() {
            let PositionedLayoutItem::GlyphRun(glyphs) = item else { continue };
            if glyphs.run().index() != run_at {
                (run_at, done) = (glyphs.run().index(), 0);
            }
            let (top, bottom) = extent(&glyphs);
            let mut x = glyphs.offset();
            for cluster in
                glyphs.run().visual_clusters().skip(done).take_while(|cluster| cluster.style_index() == glyphs.style_index())
            {
                done += 1;
                let (left, range) = (x, cluster.text_range());
                x += cluster.advance();
                let owner =
                    clusters.binary_search_by_key(&range.start, |cluster| cluster.start).ok().and_then(|at| clusters[at].owner);
                let Some(owner) = owner.filter(|_| range.start < seen) else { continue };
                let has_ink = paragraph.text.get(range).is_some_and(|text| !text.trim().is_empty());
                match &mut open {
                    Some(open) if open.owner == owner && (left - open.area[2]).abs() < 1.0 => {
                        open.area = [open.area[0], open.area[1].min(top), x, open.area[3].max(bottom)];
                        open.has_ink |= has_ink;
                    }
                    _ => {
                        close(open.take(), origin, &mut found);
                        open = Some(Open { owner, area: [left, top, x, bottom], has_ink });
                    }
                }
            }
        }
        close(open, origin, &mut found);
    }
}

/// The rows of a run of glyphs: those of its font around the base line, whole as in browsers.
fn extent(glyphs: &GlyphRun<'_, TextBrush>) -> (f32, f32) {
    let metrics = glyphs.run().font_metrics();
    (glyphs.baseline() - metrics.ascent.round(), glyphs.baseline() + metrics.descent.round())
}

fn close(open: Option<Open>, (left, top): (f32, f32), found: &mut impl FnMut(u32, Area)) {
    if let Some(Open { owner, area: [x, y, right, bottom], .. }) = open.filter(|open| open.has_ink) {
        found(owner, [left + x, top + y, left + right, top + bottom]);
    }
}
