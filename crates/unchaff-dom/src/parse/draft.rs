//! The tree while it is being built: nodes in the order of their creation, linked to parent, siblings and children, so
//! that the tree builder can move them about. It holds no text of its own: text, attribute values and comments are
//! spans of the source, or of `decoded` where the source had to be decoded (character references, line ends).

use crate::Tag;
use crate::attr_name::{AttrName, KNOWN_NAMES, text_of};

/// Marks the absence of a node.
pub(crate) const NONE: u32 = u32::MAX;

/// The document, always the first node.
pub(crate) const DOCUMENT: u32 = 0;

/// The bit of [`Span::start`] that says that the span lies in the decoded text and not in the source.
const DECODED: u32 = 1 << 31;

/// A piece of the source or of the decoded text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Span {
    start: u32,
    len: u32,
}

impl Span {
    pub(crate) fn of_source(start: usize, len: usize) -> Span {
        Span { start: start as u32, len: len as u32 }
    }

    pub(crate) fn of_decoded(start: usize, len: usize) -> Span {
        Span { start: start as u32 | DECODED, len: len as u32 }
    }

    pub(crate) fn len(self) -> usize {
        self.len as usize
    }

    #[inline]
    pub(crate) fn get<'t>(self, source: &'t str, decoded: &'t str) -> &'t str {
        let (buffer, start) = if self.start & DECODED == 0 { (source, self.start) } else { (decoded, self.start ^ DECODED) };
        // Spans are made of tokens of these buffers. Without a way to fail, values that are not looked at cost nothing.
        buffer.get(start as usize..start as usize + self.len as usize).unwrap_or_default()
    }

    /// Grows the span by one that starts right where it ends; says whether it did.
    fn join(&mut self, next: Span) -> bool {
        let joins = self.start + self.len == next.start;
        if joins {
            self.len += next.len;
        }
        joins
    }
}

/// An attribute: its name (an index into the names of the page) and its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attr {
    pub(crate) name: u32,
    pub(crate) value: Span,
}

/// A node of the draft. Elements have attributes and a name, text nodes, comments and the doctype have text; both share
/// one place, because memory per node decides how much memory a page takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DraftNode {
    pub(crate) tag: Tag,
    /// Number of attributes, for elements.
    pub(crate) attr_count: u16,
    /// For elements: where the attributes start, and the exact name if it is custom or foreign. Otherwise: the text.
    payload: [u32; 2],
    pub(crate) parent: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) previous: u32,
    pub(crate) next: u32,
    /// Where in the source the node starts: the `<` of its tag, or where it was implied.
    pub(crate) from: u32,
    /// Where in the source the node ends.
    pub(crate) to: u32,
}

impl DraftNode {
    pub(crate) fn attrs(&self) -> std::ops::Range<usize> {
        let start = self.payload[0] as usize;
        start..start + usize::from(self.attr_count)
    }

    pub(crate) fn name(&self) -> u32 {
        self.payload[1]
    }

    pub(crate) fn set_attrs(&mut self, start: u32, count: u16) {
        self.payload[0] = start;
        self.attr_count = count;
    }

    pub(crate) fn set_name(&mut self, name: u32) {
        self.payload[1] = name;
    }

    pub(crate) fn text(&self) -> Span {
        let [start, len] = self.payload;
        Span { start, len }
    }

    pub(crate) fn set_text(&mut self, span: Span) {
        self.payload = [span.start, span.len];
    }
}

/// The tree under construction; see the [module](self).
pub(crate) struct Draft<'s> {
    pub(crate) source: &'s str,
    pub(crate) decoded: String,
    pub(crate) nodes: Vec<DraftNode>,
    pub(crate) attrs: Vec<Attr>,
    pub(crate) names: Names,
    /// Formatting tags of which one was dropped because three alike were open: which are alike depends on attributes.
    pub(crate) alike: Vec<Tag>,
}

impl<'s> Draft<'s> {
    pub(crate) fn new(source: &'s str) -> Draft<'s> {
        let mut draft = Draft {
            source,
            decoded: String::new(),
            // Elements and texts together are about as many as tags; growing by doubling would waste as much again.
            nodes: Vec::with_capacity(memchr::memchr_iter(b'<', source.as_bytes()).count() + 16),
            attrs: Vec::with_capacity(memchr::memchr_iter(b'=', source.as_bytes()).count() / 2),
            names: Names::default(),
            alike: Vec::new(),
        };
        draft.create(Tag::Document, 0);
        draft
    }

    pub(crate) fn create(&mut self, tag: Tag, from: usize) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(DraftNode {
            tag,
            attr_count: 0,
            payload: [0, if tag.is_element() { NONE } else { 0 }],
            parent: NONE,
            first: NONE,
            last: NONE,
            previous: NONE,
            next: NONE,
            from: from as u32,
            to: from as u32,
        });
        id
    }

    /// A new element like `original`: same name, attributes and place in the source, no children.
    pub(crate) fn copy(&mut self, original: u32) -> u32 {
        let DraftNode { tag, attr_count, payload, from, to, .. } = *self.node(original);
        let id = self.create(tag, 0);
        let copy = self.node_mut(id);
        (copy.attr_count, copy.payload, copy.from, copy.to) = (attr_count, payload, from, to);
        id
    }

    pub(crate) fn node(&self, id: u32) -> &DraftNode {
        &self.nodes[id as usize]
    }

    pub(crate) fn node_mut(&mut self, id: u32) -> &mut DraftNode {
        &mut self.nodes[id as usize]
    }

    /// The span of `text`: of the source if it is a slice of it, otherwise of a copy made here.
    pub(crate) fn span_of(&mut self, text: &str) -> Span {
        let offset = (text.as_ptr() as usize).wrapping_sub(self.source.as_ptr() as usize);
        if offset.checked_add(text.len()).is_some_and(|end| end <= self.source.len()) {
            Span::of_source(offset, text.len())
        } else {
            let start = self.decoded.len();
            self.decoded.push_str(text);
            Span::of_decoded(start, text.len())
        }
    }

    pub(crate) fn attrs_of(&self, id: u32) -> &[Attr] {
        &self.attrs[self.node(id).attrs()]
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        span.get(self.source, &self.decoded)
    }

    /// Whether the body, if there is one, has neither text nor elements.
    pub(crate) fn is_bodiless(&self) -> bool {
        let is_body = |node: &&DraftNode| matches!(node.tag, Tag::Body | Tag::Frameset);
        self.nodes.iter().find(is_body).is_none_or(|body| {
            let mut child = body.first;
            while child != NONE {
                let node = self.node(child);
                if node.tag.is_element() || node.tag == Tag::Text && !self.text(node.text()).trim().is_empty() {
                    return false;
                }
                child = node.next;
            }
            true
        })
    }

    pub(crate) fn append(&mut self, parent: u32, child: u32) {
        let previous = self.node(parent).last;
        self.link(parent, previous, child, NONE);
    }

    pub(crate) fn insert_before(&mut self, sibling: u32, child: u32) {
        let DraftNode { parent, previous, .. } = *self.node(sibling);
        self.link(parent, previous, child, sibling);
    }

    fn link(&mut self, parent: u32, previous: u32, child: u32, next: u32) {
        let node = self.node_mut(child);
        (node.parent, node.previous, node.next) = (parent, previous, next);
        match previous {
            NONE => self.node_mut(parent).first = child,
            _ => self.node_mut(previous).next = child,
        }
        match next {
            NONE => self.node_mut(parent).last = child,
            _ => self.node_mut(next).previous = child,
        }
    }

    pub(crate) fn detach(&mut self, child: u32) {
        let DraftNode { parent, previous, next, .. } = *self.node(child);
        if parent == NONE {
            return;
        }
        match previous {
            NONE => self.node_mut(parent).first = next,
            _ => self.node_mut(previous).next = next,
        }
        match next {
            NONE => self.node_mut(parent).last = previous,
            _ => self.node_mut(next).previous = previous,
        }
        let node = self.node_mut(child);
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }

    /// Moves all children of `from` to the end of `to`.
    pub(crate) fn move_children(&mut self, from: u32, to: u32) {
        let mut child = self.node(from).first;
        while child != NONE {
            let next = self.node(child).next;
            self.detach(child);
            self.append(to, child);
            child = next;
        }
    }

    /// Adds text at the end of `parent`, or before `sibling` if there is one. Freezing joins neighbouring text nodes.
    pub(crate) fn add_text(&mut self, parent: u32, sibling: u32, span: Span, at: usize, to: usize) {
        let before = if sibling == NONE { self.node(parent).last } else { self.node(sibling).previous };
        if before != NONE && self.node(before).tag == Tag::Text {
            let node = self.node_mut(before);
            let mut joined = node.text();
            if joined.join(span) {
                node.set_text(joined);
                node.to = to as u32;
                return;
            }
        }
        let id = self.create(Tag::Text, at);
        let node = self.node_mut(id);
        node.set_text(span);
        node.to = to as u32;
        if sibling == NONE { self.append(parent, id) } else { self.insert_before(sibling, id) }
    }
}

/// The names of a page that are not HTML's own tags: each has a number, those of common attributes the same on all pages.
#[derive(Default, Debug)]
pub(crate) struct Names {
    own: OwnNames,
    ids: foldhash::HashMap<Box<str>, u32>,
    /// The name last seen of each length and ends, because a page uses the same dozen names over and over.
    recent: Vec<u32>,
}

/// The names of a page beyond those that all pages share.
#[derive(Clone, Default, Debug)]
pub(crate) struct OwnNames(Vec<Box<str>>);

impl OwnNames {
    /// The name with a number.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> &str {
        text_of(id).unwrap_or_else(|| &self.0[id as usize - KNOWN_NAMES])
    }
}

impl Names {
    pub(crate) fn id(&mut self, name: &str) -> u32 {
        const SLOTS: usize = 256;
        if self.recent.is_empty() {
            self.recent.resize(SLOTS, NONE);
        }
        let bytes = name.as_bytes();
        let ends = bytes.first().zip(bytes.last()).map_or(0, |(first, last)| usize::from(*first) * 7 + usize::from(*last) * 31);
        let slot = (ends + name.len() * 5) % SLOTS;
        match self.recent[slot] {
            id if id != NONE && self.own.get(id) == name => id,
            _ => {
                let id = self.look_up(name);
                self.recent[slot] = id;
                id
            }
        }
    }

    fn look_up(&mut self, name: &str) -> u32 {
        let known = AttrName::of(name);
        if known != AttrName::Other {
            return known as u32;
        }
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = (KNOWN_NAMES + self.own.0.len()) as u32;
        self.own.0.push(name.into());
        self.ids.insert(name.into(), id);
        id
    }

    pub(crate) fn get(&self, id: u32) -> &str {
        self.own.get(id)
    }

    pub(crate) fn into_own(self) -> OwnNames {
        self.own
    }
}
