//! Freezing: the draft of a tree becomes flat arrays in document order, with all prefix sums.
//!
//! Two passes, so that the draft and the sums are not in memory at the same time: the first puts the nodes in order, then
//! the draft goes, and the second counts.

use crate::decode::CharsetSource;
use crate::page::{NodeId, NodeSums, Page, TextSums};
use crate::parse::draft::{DOCUMENT, Draft, DraftNode, NONE, OwnNames, Span};
use crate::parse::is_raw_text;
use crate::{AttrName, Tag, words};
use std::sync::OnceLock;

/// Pieces of text with the node they belong to, in document order.
type Pieces = Vec<(u32, Span)>;

/// Turns a draft into a page that lacks only what the draft does not know (source, address, charset, warnings).
pub(crate) fn freeze(draft: Draft<'_>) -> Page {
    let size = draft.nodes.len();
    let mut page = Page {
        source: String::new(),
        decoded: String::new(),
        text: String::new(),
        tags: Vec::with_capacity(size),
        parents: Vec::with_capacity(size),
        ends: Vec::with_capacity(size),
        depths: Vec::with_capacity(size),
        sums: Vec::new(),
        text_sums: Vec::new(),
        attr_starts: Vec::with_capacity(size),
        attr_counts: Vec::with_capacity(size),
        attrs: Vec::new(),
        names: OwnNames::default(),
        element_names: Vec::new(),
        strings: Vec::new(),
        froms: Vec::with_capacity(size),
        tos: Vec::with_capacity(size),
        html: None,
        head: None,
        body: None,
        alike: Vec::new(),
        url: None,
        base: None,
        charset: "UTF-8",
        charset_source: CharsetSource::Given,
        offsets_match: true,
        warnings: Vec::new(),
        never_written: OnceLock::new(),
    };
    let pieces = order(&draft, &mut page);
    let source = draft.source;
    (page.decoded, page.attrs, page.names, page.alike) = (draft.decoded, draft.attrs, draft.names.into_own(), draft.alike);
    drop(draft.nodes);
    count(&mut page, source, &pieces);
    page
}

/// Puts the nodes of a draft into the arrays in document order.
fn order(draft: &Draft<'_>, page: &mut Page) -> Pieces {
    let mut walk = Walk { page, draft, pieces: Vec::with_capacity(draft.nodes.len() / 2), raw: 0 };
    let mut open: Vec<u32> = Vec::new();
    let mut current = DOCUMENT;
    loop {
        let (id, last) = walk.enter(current, &open);
        let first = draft.node(last).first;
        if first != NONE {
            open.push(id);
            current = first;
            continue;
        }
        walk.leave(last, id);
        // Up to the next sibling of the node or of the nearest ancestor that has one.
        let mut at = last;
        while draft.node(at).next == NONE && draft.node(at).parent != NONE {
            at = draft.node(at).parent;
            let Some(id) = open.pop() else { break };
            walk.leave(at, id);
        }
        match draft.node(at).next {
            NONE => return walk.pieces,
            next => current = next,
        }
    }
}

struct Walk<'p, 's> {
    page: &'p mut Page,
    draft: &'p Draft<'s>,
    pieces: Pieces,
    /// How many elements are open inside which text is raw.
    raw: u32,
}

impl Walk<'_, '_> {
    /// Takes a node into the arrays. Returns its position and the draft's node at which to go on: neighbouring text
    /// nodes become one.
    fn enter(&mut self, draft_id: u32, open: &[u32]) -> (u32, u32) {
        let node = self.draft.node(draft_id);
        let page = &mut *self.page;
        let id = page.tags.len() as u32;
        let tag = if node.tag == Tag::Text && self.raw > 0 { Tag::Raw } else { node.tag };
        page.tags.push(tag);
        page.parents.push(open.last().copied().unwrap_or(0));
        page.ends.push(id + 1);
        page.depths.push(open.len().min(usize::from(u16::MAX)) as u16);
        page.attr_starts.push(if tag.is_element() { node.attrs().start as u32 } else { 0 });
        page.attr_counts.push(node.attr_count);
        page.froms.push(node.from);
        page.tos.push(node.to);
        match tag {
            Tag::Text => return (id, self.join_texts(draft_id, id)),
            Tag::Raw | Tag::Comment | Tag::Doctype => page.strings.push((id, node.text())),
            Tag::Custom | Tag::Foreign => page.element_names.push((id, node.name())),
            Tag::Html if open.len() == 1 => page.html = Some(NodeId(id)),
            Tag::Head if open.len() == 2 => page.head = page.head.or(Some(NodeId(id))),
            Tag::Body | Tag::Frameset if open.len() == 2 => page.body = page.body.or(Some(NodeId(id))),
            _ => {}
        }
        self.raw += u32::from(holds_raw_text(self.draft, node));
        (id, draft_id)
    }

    /// Takes a text node and the text nodes right after it as one; returns the last of them.
    fn join_texts(&mut self, mut draft_id: u32, id: u32) -> u32 {
        loop {
            let node = self.draft.node(draft_id);
            self.pieces.push((id, node.text()));
            if node.next == NONE || self.draft.node(node.next).tag != Tag::Text {
                self.page.tos[id as usize] = node.to;
                return draft_id;
            }
            draft_id = node.next;
        }
    }

    fn leave(&mut self, draft_id: u32, id: u32) {
        self.page.ends[id as usize] = self.page.tags.len() as u32;
        self.raw -= u32::from(holds_raw_text(self.draft, self.draft.node(draft_id)));
    }
}

/// Whether text in this element is raw: not for readers. A template that is the shadow of the element around it is shown in its place.
fn holds_raw_text(draft: &Draft<'_>, node: &DraftNode) -> bool {
    match node.tag {
        Tag::Template => !draft.attrs[node.attrs()].iter().any(|attr| draft.names.get(attr.name) == "shadowrootmode"),
        Tag::Foreign => matches!(draft.names.get(node.name()), "title" | "desc" | "metadata" | "style" | "script"),
        tag => is_raw_text(tag),
    }
}

/// Writes the text of the page and sums up all counts.
fn count(page: &mut Page, source: &str, pieces: &[(u32, Span)]) {
    page.text.reserve_exact(pieces.iter().map(|(_, span)| span.len()).sum());
    page.sums.reserve_exact(page.tags.len() + 1);
    page.text_sums.reserve_exact(pieces.len() + 1);
    page.text_sums.push(TextSums::default());
    let mut sum = NodeSums::default();
    let mut text_sum = TextSums::default();
    let mut pieces = pieces.iter().peekable();
    let mut link_end = 0;
    for id in 0..page.tags.len() as u32 {
        page.sums.push(sum);
        let tag = page.tags[id as usize];
        let end = page.ends[id as usize];
        sum.leaves += u32::from(end == id + 1);
        sum.elements += u32::from(tag.is_element());
        if tag == Tag::A {
            sum.anchors += 1;
            if has_href(page, id as usize) {
                sum.links += 1;
                link_end = end.max(link_end);
            }
        } else if tag == Tag::Text {
            let start = page.text.len();
            while let Some((_, span)) = pieces.next_if(|(node, _)| *node == id) {
                page.text.push_str(span.get(source, &page.decoded));
            }
            let counts = words::count(&page.text[start..]);
            sum.texts += 1;
            text_sum.bytes = page.text.len() as u32;
            text_sum.chars += counts.chars;
            text_sum.tokens += counts.tokens;
            text_sum.words += counts.words;
            if id < link_end {
                text_sum.link_chars += counts.chars;
                text_sum.link_words += counts.words;
            }
            page.text_sums.push(text_sum);
        }
    }
    page.sums.push(sum);
}

/// Whether an element has an `href`; its value cannot be asked for before the page has its source.
fn has_href(page: &Page, id: usize) -> bool {
    let start = page.attr_starts[id] as usize;
    let attrs = &page.attrs[start..start + usize::from(page.attr_counts[id])];
    attrs.iter().any(|attr| attr.name == AttrName::Href as u32)
}
