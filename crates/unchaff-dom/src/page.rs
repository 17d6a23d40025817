//! The frozen tree: a page as flat arrays in document order.
//!
//! A node is an index. The subtree of `n` is the range `n..end(n)`; its text is one slice of the page's text; every
//! count over it is the difference of two prefix sums, so it costs the same for a word as for the whole page. Walks are
//! loops over ranges: depth never meets the call stack. Nothing changes after [`Parser::parse`].
//!
//! Two kinds of text are kept apart. [`Tag::Text`] is what a reader may see, and is what is counted. [`Tag::Raw`] is text
//! that is not for readers: in `script`, `style`, `iframe`, `noembed`, `noframes`, everything inside `template`, and the
//! title, description, metadata, style and script of SVG. It has a node and its own string, but no share in the page's text.

use crate::decode::CharsetSource;
use crate::document::{Document, Step};
use crate::freeze::freeze;
use crate::parse::draft::{Attr, OwnNames, Span};
use crate::parse::{Limits, Met, parse};
use crate::{AttrName, NodeSet, Tag, Warning};
use std::ops::Range;
use std::sync::OnceLock;
use url::Url;

/// A node of a page: its position in document order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The position as an index into arrays.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is counted over every subtree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Bytes of text.
    pub text_bytes: u32,
    /// Characters of text, white space collapsed in each text node ([`words`](crate::words)).
    pub chars: u32,
    /// Pieces of text between white space.
    pub tokens: u32,
    /// Words.
    pub words: u32,
    /// Characters inside links (`a` with an `href`).
    pub link_chars: u32,
    /// Words inside links.
    pub link_words: u32,
    /// Links: `a` elements with an `href`.
    pub links: u32,
    /// `a` elements, with an `href` or without.
    pub anchors: u32,
    /// Elements.
    pub elements: u32,
    /// Nodes of any kind that have no child.
    pub leaves: u32,
    /// Text nodes.
    pub text_nodes: u32,
}

/// Totals of what is not text of all nodes before one, and how many texts stand before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeSums {
    pub(crate) texts: u32,
    pub(crate) elements: u32,
    pub(crate) leaves: u32,
    pub(crate) links: u32,
    pub(crate) anchors: u32,
}

/// Totals of the texts before one. There are half as many texts as nodes, so these are kept apart.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextSums {
    pub(crate) bytes: u32,
    pub(crate) chars: u32,
    pub(crate) tokens: u32,
    pub(crate) words: u32,
    pub(crate) link_chars: u32,
    pub(crate) link_words: u32,
}

/// How to read pages: everything about them that their bytes do not say. One page is a [`Document`].
///
/// ```
/// let page = unchaff_dom::Parser::new().url("https://example.org/a/").parse("<p>Hello <b>world</b>");
/// assert_eq!(page.text(page.root()), "Hello world");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parser {
    url: Option<String>,
    charset: Option<String>,
    limits: Limits,
}

impl Parser {
    /// A parser that knows nothing but the page's bytes.
    #[must_use]
    pub fn new() -> Parser {
        Parser::default()
    }

    /// The address of the page, against which links are resolved. What is no absolute URL is left out, with a warning.
    #[must_use]
    pub fn url(mut self, url: &str) -> Parser {
        self.url = Some(url.to_owned());
        self
    }

    /// The charset as told by the server. A name that is not known is left out, with a warning.
    #[must_use]
    pub fn charset(mut self, charset: &str) -> Parser {
        self.charset = Some(charset.to_owned());
        self
    }

    /// Other limits than the default.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Parser {
        self.limits = limits;
        self
    }

    /// Reads a page. Any bytes are one.
    #[must_use]
    pub fn parse(&self, bytes: impl Into<Vec<u8>>) -> Page {
        let Parser { url, charset, limits } = self.clone();
        Document { bytes: bytes.into(), url, charset }.page_within(limits)
    }

    /// Reads a page that is text already.
    #[must_use]
    pub fn parse_text(&self, text: impl Into<String>) -> Page {
        let address = self.url.as_deref().map(Url::parse);
        let mut page = Page::of_source(text.into(), address.as_ref().and_then(|url| url.clone().ok()), self.limits, |_| ());
        page.warnings.extend(matches!(address, Some(Err(_))).then_some(Warning::Address));
        page
    }
}

/// Whether there is an end tag `title`, and not of a longer name.
fn closes_title(source: &str) -> bool {
    let bytes = source.as_bytes();
    let is_end_tag = |tag: &[u8]| {
        tag[..7].eq_ignore_ascii_case(b"</title") && matches!(tag[7], b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'/' | b'>')
    };
    memchr::memchr_iter(b'<', bytes).any(|at| bytes[at..].get(..8).is_some_and(is_end_tag))
}

/// A page as a frozen tree; see the [module](self).
#[derive(Clone, Debug)]
pub struct Page {
    pub(crate) source: String,
    pub(crate) decoded: String,
    pub(crate) text: String,
    pub(crate) tags: Vec<Tag>,
    pub(crate) parents: Vec<u32>,
    pub(crate) ends: Vec<u32>,
    pub(crate) depths: Vec<u16>,
    /// Totals of all nodes before each one, and of all at the end.
    pub(crate) sums: Vec<NodeSums>,
    /// Totals of all texts before each one, and of all at the end.
    pub(crate) text_sums: Vec<TextSums>,
    pub(crate) attr_starts: Vec<u32>,
    pub(crate) attr_counts: Vec<u16>,
    pub(crate) attrs: Vec<Attr>,
    /// Names of attributes and elements that are not the same on all pages.
    pub(crate) names: OwnNames,
    /// Exact names of custom and foreign elements, by node.
    pub(crate) element_names: Vec<(u32, u32)>,
    /// Strings of raw text, comments and the doctype, by node.
    pub(crate) strings: Vec<(u32, Span)>,
    pub(crate) froms: Vec<u32>,
    pub(crate) tos: Vec<u32>,
    pub(crate) html: Option<NodeId>,
    pub(crate) head: Option<NodeId>,
    pub(crate) body: Option<NodeId>,
    /// Formatting tags that must not get other attributes if the page is to keep its tree.
    pub(crate) alike: Vec<Tag>,
    pub(crate) url: Option<Url>,
    pub(crate) base: Option<Url>,
    pub(crate) charset: &'static str,
    pub(crate) charset_source: CharsetSource,
    pub(crate) offsets_match: bool,
    pub(crate) warnings: Vec<Warning>,
    /// What no output shows, found when it is first asked for (`emit::is_never_written`).
    pub(crate) never_written: OnceLock<NodeSet>,
}

impl Page {
    /// The page of a source.
    pub(crate) fn of_source(mut source: String, url: Option<Url>, limits: Limits, mut done: impl FnMut(Step)) -> Page {
        let mut warnings = Vec::new();
        let most = limits.bytes.min(Limits::default().bytes);
        if source.len() > most {
            source.truncate(source.floor_char_boundary(most));
            warnings.push(Warning::Truncated);
        }
        let (mut draft, mut met) = parse(&source, limits, false);
        if draft.is_bodiless() && !closes_title(&source) {
            let (again, met_again) = parse(&source, limits, true);
            if !again.is_bodiless() {
                (draft, met) = (again, met_again);
                warnings.push(Warning::UnclosedTitle);
            }
        }
        done(Step::Parsed);
        let Met { depth, nodes, attributes, formatting, noscript } = met;
        let limits = [
            (depth, Warning::Depth),
            (nodes, Warning::Nodes),
            (attributes, Warning::Attributes),
            (formatting, Warning::Formatting),
            (noscript, Warning::UnclosedInNoscript),
        ];
        warnings.extend(limits.into_iter().filter(|(met, _)| *met).map(|(_, warning)| warning));
        let mut page = freeze(draft);
        page.source = source;
        page.url = url;
        let (base, is_too_long) = page.find_base();
        page.base = base;
        warnings.extend(is_too_long.then_some(Warning::Base));
        page.warnings = warnings;
        done(Step::Frozen);
        page
    }

    /// Reads a page of which nothing but the bytes is known; [`Parser`] takes more.
    #[must_use]
    pub fn parse(bytes: impl Into<Vec<u8>>) -> Page {
        Parser::new().parse(bytes)
    }

    /// How many nodes the page has, the document included.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // There is always the document.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// The document, the first of all nodes.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The `html` element.
    #[must_use]
    pub fn html(&self) -> Option<NodeId> {
        self.html
    }

    /// The `head` element.
    #[must_use]
    pub fn head(&self) -> Option<NodeId> {
        self.head
    }

    /// The `body` element, or the outermost `frameset`.
    #[must_use]
    pub fn body(&self) -> Option<NodeId> {
        self.body
    }

    /// What a node is.
    #[must_use]
    #[inline]
    pub fn tag(&self, node: NodeId) -> Tag {
        self.tags[node.index()]
    }

    /// What a node and everything below it is, in document order, for those who look for a few among many.
    #[must_use]
    pub fn tags(&self, node: NodeId) -> &[Tag] {
        &self.tags[self.range(node)]
    }

    /// The exact name of a node: of custom and foreign elements too; a word with `#` for what is no element.
    #[must_use]
    pub fn name(&self, node: NodeId) -> &str {
        match self.tag(node) {
            Tag::Custom | Tag::Foreign => {
                let found = self.element_names.binary_search_by_key(&node.0, |(node, _)| *node);
                found.map_or("", |at| self.names.get(self.element_names[at].1))
            }
            tag => tag.name(),
        }
    }

    /// Whether a node is an element.
    #[must_use]
    #[inline]
    pub fn is_element(&self, node: NodeId) -> bool {
        self.tag(node).is_element()
    }

    /// The first node after the subtree of `node`.
    #[must_use]
    #[inline]
    pub fn end(&self, node: NodeId) -> NodeId {
        NodeId(self.ends[node.index()])
    }

    /// The parent; none for the document.
    #[must_use]
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node.0 != 0).then(|| NodeId(self.parents[node.index()]))
    }

    /// Steps from the document.
    #[must_use]
    #[inline]
    pub fn depth(&self, node: NodeId) -> usize {
        usize::from(self.depths[node.index()])
    }

    /// The subtree of a node as a range of positions, itself first.
    #[must_use]
    #[inline]
    pub fn range(&self, node: NodeId) -> Range<usize> {
        node.index()..self.end(node).index()
    }

    /// All nodes in document order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.tags.len() as u32).map(NodeId)
    }

    /// A node and everything below it, in document order.
    pub fn subtree(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (node.0..self.ends[node.index()]).map(NodeId)
    }

    /// Everything below a node, in document order.
    pub fn descendants(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (node.0 + 1..self.ends[node.index()]).map(NodeId)
    }

    /// The children in order.
    #[inline]
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.end(node);
        let mut next = NodeId(node.0 + 1);
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.end(child);
            Some(child)
        })
    }

    /// The children that are elements.
    pub fn element_children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(node).filter(|child| self.is_element(*child))
    }

    /// Parent, grandparent and so on up to the document.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(node), |ancestor| self.parent(*ancestor))
    }

    /// The next sibling.
    #[must_use]
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        let next = self.end(node);
        self.parent(node).filter(|parent| next < self.end(*parent)).map(|_| next)
    }

    /// The previous sibling: found by climbing from the node before, so it costs as many steps as that is deeper.
    #[must_use]
    pub fn previous_sibling(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.parent(node)?;
        let mut before = NodeId(node.0 - 1);
        while before != parent {
            let above = self.parent(before)?;
            if above == parent {
                return Some(before);
            }
            before = above;
        }
        None
    }

    /// Whether `ancestor` stands above `node` (a node does not stand above itself).
    #[must_use]
    pub fn is_ancestor(&self, ancestor: NodeId, node: NodeId) -> bool {
        ancestor < node && node < self.end(ancestor)
    }

    /// Counts over a node and everything below it.
    #[must_use]
    #[inline(always)] // Callers want a few of the counts; the others need not be computed.
    pub fn counts(&self, node: NodeId) -> Counts {
        self.counts_between(node, self.end(node))
    }

    /// Counts over all nodes from one position up to another.
    #[must_use]
    #[inline(always)]
    pub fn counts_between(&self, from: NodeId, to: NodeId) -> Counts {
        let (start, end) = (self.sums[from.index()], self.sums[to.index()]);
        let (text_start, text_end) = (self.text_sums[start.texts as usize], self.text_sums[end.texts as usize]);
        Counts {
            text_bytes: text_end.bytes - text_start.bytes,
            chars: text_end.chars - text_start.chars,
            tokens: text_end.tokens - text_start.tokens,
            words: text_end.words - text_start.words,
            link_chars: text_end.link_chars - text_start.link_chars,
            link_words: text_end.link_words - text_start.link_words,
            links: end.links - start.links,
            anchors: end.anchors - start.anchors,
            elements: end.elements - start.elements,
            leaves: end.leaves - start.leaves,
            text_nodes: end.texts - start.texts,
        }
    }

    /// The text of a node and everything below it, as it stands in the page, without raw text.
    #[must_use]
    #[inline]
    pub fn text(&self, node: NodeId) -> &str {
        let text_before = |node: NodeId| self.text_sums[self.sums[node.index()].texts as usize].bytes as usize;
        &self.text[text_before(node)..text_before(self.end(node))]
    }

    /// The string of a text node, raw text, comment or doctype; empty for elements.
    #[must_use]
    pub fn string(&self, node: NodeId) -> &str {
        match self.tag(node) {
            Tag::Text => self.text(node),
            Tag::Raw | Tag::Comment | Tag::Doctype => {
                let found = self.strings.binary_search_by_key(&node.0, |(node, _)| *node);
                found.map_or("", |at| self.strings[at].1.get(&self.source, &self.decoded))
            }
            _ => "",
        }
    }

    /// The value of an attribute, by its lower-case name.
    #[must_use]
    #[inline(always)] // Nearly all names are literals, of which the compiler then knows the number.
    pub fn attr(&self, node: NodeId, name: &str) -> Option<&str> {
        match AttrName::of(name) {
            AttrName::Other => self.attrs(node).find(|(known, _)| *known == name).map(|(_, value)| value),
            known => self.known_attr(node, known),
        }
    }

    /// The same for a name that has a number.
    #[inline]
    fn known_attr(&self, node: NodeId, name: AttrName) -> Option<&str> {
        let found = self.attr_spans(node).iter().find(|attr| attr.name == name as u32)?;
        Some(found.value.get(&self.source, &self.decoded))
    }

    #[inline]
    fn attr_spans(&self, node: NodeId) -> &[Attr] {
        let start = self.attr_starts[node.index()] as usize;
        &self.attrs[start..start + usize::from(self.attr_counts[node.index()])]
    }

    /// All attributes of an element, in the order of the source.
    #[inline]
    pub fn attrs(&self, node: NodeId) -> impl Iterator<Item = (&str, &str)> {
        self.attr_spans(node).iter().map(|attr| (self.names.get(attr.name), attr.value.get(&self.source, &self.decoded)))
    }

    /// The same with names as numbers, for who looks for several at once.
    #[inline]
    pub fn numbered_attrs(&self, node: NodeId) -> impl Iterator<Item = (AttrName, &str)> {
        let spans = self.attr_spans(node).iter();
        spans.map(|attr| (AttrName::numbered(attr.name), attr.value.get(&self.source, &self.decoded)))
    }

    /// The same of some names alone. What is not asked for is not read: values are all over the source.
    #[inline]
    pub fn attrs_named(&self, node: NodeId, is_wanted: impl Fn(AttrName) -> bool) -> impl Iterator<Item = (AttrName, &str)> {
        let wanted = self.attr_spans(node).iter().map(|attr| (AttrName::numbered(attr.name), attr.value));
        let wanted = wanted.filter(move |(name, _)| is_wanted(*name));
        wanted.map(|(name, value)| (name, value.get(&self.source, &self.decoded)))
    }

    /// The value of an element's `class`; empty if it has none.
    #[inline]
    #[must_use]
    pub fn class(&self, node: NodeId) -> &str {
        self.known_attr(node, AttrName::Class).unwrap_or_default()
    }

    /// The class names of an element.
    #[inline]
    pub fn classes(&self, node: NodeId) -> impl Iterator<Item = &str> {
        self.class(node).split_ascii_whitespace()
    }

    /// The page as text, as it was parsed.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Where in [`Page::source`] a node comes from. Empty for elements that no tag stands for, such as a `tbody` that the
    /// standard implies, at the place that implied them. Elements that the standard copies from a misnested formatting
    /// tag start where that tag does.
    #[must_use]
    pub fn source_range(&self, node: NodeId) -> Range<usize> {
        let from = self.froms[node.index()] as usize;
        from..(self.tos[node.index()] as usize).max(from)
    }

    /// Whether positions in [`Page::source`] are positions in the bytes that were parsed (UTF-8, no BOM, nothing replaced).
    #[must_use]
    pub fn offsets_match(&self) -> bool {
        self.offsets_match
    }

    /// The address of the page, if it was given.
    #[must_use]
    pub fn url(&self) -> Option<&Url> {
        self.url.as_ref()
    }

    /// The charset by the name of the WHATWG's Encoding Standard, and how it was found out.
    #[must_use]
    pub fn charset(&self) -> (&'static str, CharsetSource) {
        (self.charset, self.charset_source)
    }

    /// What the user should know about how the page was read.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The set of a node and everything below it.
    #[must_use]
    pub fn subtree_set(&self, node: NodeId) -> NodeSet {
        NodeSet::from_roots(self, [node])
    }
}
