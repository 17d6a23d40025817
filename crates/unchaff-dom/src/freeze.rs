//! Freezing: the draft of a tree becomes flat arrays in document order, with all prefix sums, in one walk.

use crate::decode::CharsetSource;
use crate::page::{NodeId, NodeSums, Page, TextSums};
use crate::parse::draft::{DOCUMENT, Draft, DraftNode, NONE};
use crate::parse::is_raw_text;
use crate::{Tag, words};

/// Whether text in this element is raw: not for readers.
fn holds_raw_text(draft: &Draft<'_>, node: &DraftNode) -> bool {
    match node.tag {
        Tag::Template => true,
        Tag::Foreign => matches!(draft.names.get(node.name()), "title" | "desc" | "metadata" | "style" | "script"),
        tag => is_raw_text(tag),
    }
}

/// Turns a draft into a page that lacks only what the draft does not know (source, address, charset, warnings).
pub(crate) fn freeze(draft: Draft<'_>) -> Page {
    let size = draft.nodes.len();
    let mut page = Page {
        source: String::new(),
        decoded: String::new(),
        text: String::with_capacity(draft.text_bytes()),
        tags: Vec::with_capacity(size),
        parents: Vec::with_capacity(size),
        ends: Vec::with_capacity(size),
        depths: Vec::with_capacity(size),
        sums: Vec::with_capacity(size + 1),
        text_sums: vec![TextSums::default()],
        attr_starts: Vec::with_capacity(size),
        attr_counts: Vec::with_capacity(size),
        attrs: Vec::new(),
        names: Vec::new(),
        element_names: Vec::new(),
        strings: Vec::new(),
        froms: Vec::with_capacity(size),
        tos: Vec::with_capacity(size),
        html: None,
        head: None,
        body: None,
        url: None,
        base: None,
        charset: "UTF-8",
        charset_source: CharsetSource::Given,
        offsets_match: true,
        warnings: Vec::new(),
    };
    let mut walk = Walk { page: &mut page, draft: &draft, sum: NodeSums::default(), raw: 0, links: 0 };
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
            NONE => break,
            next => current = next,
        }
    }
    let sum = walk.sum;
    page.sums.push(sum);
    (page.decoded, page.attrs, page.names) = (draft.decoded, draft.attrs, draft.names.into_list());
    page
}

struct Walk<'p, 's> {
    page: &'p mut Page,
    draft: &'p Draft<'s>,
    sum: NodeSums,
    /// How many elements are open inside which text is raw.
    raw: u32,
    /// How many links are open.
    links: u32,
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
        page.sums.push(self.sum);
        page.attr_starts.push(if tag.is_element() { node.attrs().start as u32 } else { 0 });
        page.attr_counts.push(node.attr_count);
        page.froms.push(node.from);
        page.tos.push(node.to);
        self.sum.leaves += u32::from(node.first == NONE);
        match tag {
            Tag::Text => return (id, self.add_text(draft_id)),
            Tag::Raw | Tag::Comment | Tag::Doctype => page.strings.push((id, node.text())),
            Tag::Custom | Tag::Foreign => page.element_names.push((id, node.name())),
            Tag::A => {
                self.sum.anchors += 1;
                let is_link = u32::from(has_href(self.draft, node));
                self.sum.links += is_link;
                self.links += is_link;
            }
            Tag::Html if open.len() == 1 => page.html = Some(NodeId(id)),
            Tag::Head if open.len() == 2 => page.head = page.head.or(Some(NodeId(id))),
            Tag::Body | Tag::Frameset if open.len() == 2 => page.body = page.body.or(Some(NodeId(id))),
            _ => {}
        }
        if tag.is_element() {
            self.sum.elements += 1;
            self.raw += u32::from(holds_raw_text(self.draft, node));
        }
        (id, draft_id)
    }

    /// Adds the text of a node and of the text nodes right after it; returns the last of them.
    fn add_text(&mut self, mut draft_id: u32) -> u32 {
        let start = self.page.text.len();
        loop {
            let node = self.draft.node(draft_id);
            self.page.text.push_str(self.draft.text(node.text()));
            if node.next == NONE || self.draft.node(node.next).tag != Tag::Text {
                break;
            }
            draft_id = node.next;
        }
        if let Some(to) = self.page.tos.last_mut() {
            *to = self.draft.node(draft_id).to;
        }
        let counts = words::count(&self.page.text[start..]);
        self.sum.texts += 1;
        let mut sums = self.page.text_sums.last().copied().unwrap_or_default();
        sums.bytes = self.page.text.len() as u32;
        sums.chars += counts.chars;
        sums.tokens += counts.tokens;
        sums.words += counts.words;
        if self.links > 0 {
            sums.link_chars += counts.chars;
            sums.link_words += counts.words;
        }
        self.page.text_sums.push(sums);
        draft_id
    }

    fn leave(&mut self, draft_id: u32, id: u32) {
        let node = self.draft.node(draft_id);
        self.page.ends[id as usize] = self.page.tags.len() as u32;
        if node.tag == Tag::A {
            self.links -= u32::from(has_href(self.draft, node));
        }
        if node.tag.is_element() {
            self.raw -= u32::from(holds_raw_text(self.draft, node));
        }
    }
}

fn has_href(draft: &Draft<'_>, node: &DraftNode) -> bool {
    draft.attrs[node.attrs()].iter().any(|attr| draft.names.get(attr.name) == "href")
}
