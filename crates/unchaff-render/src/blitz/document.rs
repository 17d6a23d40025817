//! A page as a document of Blitz.
//!
//! The document is built from our own tree and not parsed again, so every node of it has its node in the page, on misnested
//! pages too, and pages that call themselves XHTML are not taken at their word. What Blitz does not do is done here: addresses
//! are resolved (it panics at those that cannot be), `media` and `alternate` of style sheets are heeded, controls and missing
//! images get the size that browsers give them, frames stay empty, and nothing is nested deeper than [`DEEPEST`], because
//! Blitz walks trees by recursion.

use super::resources::{Resources, import, limits, sheet_address, sheet_within};
use crate::files::nowhere;
use blitz_dom::node::Attribute;
use blitz_dom::{
    BaseDocument, DocumentConfig, DocumentMutator, FontContext, LocalName, NodeId as BlitzId, QualName, UserAgentStylesheet, ns,
};
use blitz_traits::shell::{ColorScheme, Viewport};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_segment::renderer::{Subresources, Window};
use url::Url;

/// How deep elements are nested; what is deeper becomes a child of the element at this depth, as in Chromium.
pub(crate) const DEEPEST: usize = 512;

/// The most pixels that the words for an image take in a line.
const WIDEST_WORDS: usize = 1000;

/// A document, and which of its nodes stands for which of the page.
pub(crate) struct Built {
    pub(crate) document: BaseDocument,
    /// By the number of the page's node; none for those that are never seen.
    pub(crate) nodes: Vec<Option<BlitzId>>,
    /// Whether something was nested too deep.
    pub(crate) was_cut: bool,
}

pub(crate) fn build(page: &Page, files: Option<Arc<dyn Subresources>>, window: Window, fonts: FontContext) -> Built {
    let base = base(page, files.as_deref());
    let addresses = Addresses { page, base: &base, files: files.as_deref() };
    let images: HashSet<String> = page.nodes().filter_map(|node| addresses.image(node)).collect();
    let limited = page.nodes().filter(|node| page.tag(*node) == Tag::Raw && addresses.limited(*node).is_some());
    let sheets: HashMap<String, String> =
        limited.map(|node| (sheet_within(&base, node.0), page.string(node).to_owned())).collect();
    let resources = Resources { files: files.clone(), images, sheets, charset: page.charset().0 };
    let mut document = BaseDocument::new(DocumentConfig {
        viewport: Some(Viewport::new(window.width, window.height, 1.0, ColorScheme::Light)),
        base_url: Some(base.to_string()),
        net_provider: Some(Arc::new(resources)),
        font_ctx: Some(fonts),
        ua_stylesheets: vec![
            UserAgentStylesheet::default_sheet(),
            UserAgentStylesheet::parse(include_str!("default_styles.css")),
        ],
        ..DocumentConfig::default()
    });
    let root = document.root_node().id;
    let mut mutator = document.mutate();
    let mut nodes: Vec<Option<BlitzId>> = vec![None; page.len()];
    let mut was_cut = false;
    // The elements around the node at hand: where each ends in the page, its counterpart, and whether it is drawn as SVG.
    let mut open: Vec<(NodeId, BlitzId, bool)> = Vec::new();
    let html = page.html().unwrap_or(page.root());
    for node in page.subtree(html) {
        while open.last().is_some_and(|(end, ..)| *end <= node) {
            open.pop();
        }
        let above = open.last().copied();
        let is_svg = page.tag(node) == Tag::Svg || above.is_some_and(|(.., is_svg)| is_svg);
        let made = match page.tag(node) {
            Tag::Text => mutator.create_text_node(page.text(node)),
            Tag::Raw => match (page.parent(node), addresses.limited(node)) {
                (_, Some(media)) => mutator.create_text_node(&import(&sheet_within(&base, node.0), media)),
                (Some(style), None) if page.tag(style) == Tag::Style => mutator.create_text_node(page.string(node)),
                // Scripts do not run, and are never seen.
                _ => continue,
            },
            _ if page.is_element(node) => addresses.element(&mut mutator, node, is_svg),
            // Comments change nothing about how a page is laid out.
            _ => continue,
        };
        nodes[node.index()] = Some(made);
        if let Some((_, parent, _)) = above {
            mutator.append_children(parent, &[made]);
        }
        if page.is_element(node) {
            if open.len() < DEEPEST {
                open.push((page.end(node), made, is_svg));
            } else {
                was_cut |= page.end(node).0 > node.0 + 1;
            }
        }
    }
    if let Some(html) = nodes[html.index()] {
        // Last, so that everything is there when style sheets and images are looked for.
        mutator.append_children(root, &[html]);
    }
    drop(mutator);
    Built { document, nodes, was_cut }
}

/// What relative addresses of the page are resolved against.
fn base(page: &Page, files: Option<&dyn Subresources>) -> Url {
    let own = page.url().filter(|url| url.scheme().starts_with("http") && files.is_none());
    let address = own.cloned().unwrap_or_else(|| files.map_or_else(nowhere, Subresources::address));
    let given = page.nodes().filter(|node| page.tag(*node) == Tag::Base).find_map(|node| page.attr(node, "href"));
    given.and_then(|href| address.join(href.trim()).ok()).filter(|base| !base.cannot_be_a_base()).unwrap_or(address)
}

struct Addresses<'p> {
    page: &'p Page,
    base: &'p Url,
    files: Option<&'p dyn Subresources>,
}

impl Addresses<'_> {
    fn resolved(&self, node: NodeId, attribute: &str) -> Option<Url> {
        self.page
            .attr(node, attribute)
            .map(str::trim)
            .filter(|address| !address.is_empty())
            .and_then(|address| self.base.join(address).ok())
    }

    /// The media that a style sheet within the page holds for, if it does not hold for all.
    fn limited(&self, node: NodeId) -> Option<&str> {
        let style = self.page.parent(node).filter(|parent| self.page.tag(*parent) == Tag::Style)?;
        self.page.attr(style, "media").filter(|media| limits(media))
    }

    /// The address of an image.
    fn image(&self, node: NodeId) -> Option<String> {
        (self.page.tag(node) == Tag::Img).then(|| self.resolved(node, "src")).flatten().map(String::from)
    }

    /// The size of the words that stand for an image that is not there, about as in Chromium; Blitz shows nothing in its place.
    fn alternative(&self, node: NodeId) -> Option<(usize, usize)> {
        let has = |name: &str| self.page.attr(node, name).is_some();
        if self.page.tag(node) != Tag::Img || has("width") || has("height") {
            return None;
        }
        let letters = self.page.attr(node, "alt").map(|words| words.trim().chars().count()).filter(|letters| *letters > 0)?;
        let address = self.resolved(node, "src");
        let is_there =
            address.is_some_and(|address| address.scheme() == "data" || self.files.is_some_and(|files| files.has(&address)));
        (!is_there).then_some(((letters * 7).min(WIDEST_WORDS), 18))
    }

    /// The address of a style sheet that holds for the page as it is.
    fn sheet(&self, node: NodeId) -> Option<String> {
        let attribute = |name: &str| self.page.attr(node, name).unwrap_or_default();
        let is = |wanted: &str| attribute("rel").split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(wanted));
        let kind = attribute("type").trim();
        let holds = is("stylesheet")
            && !is("alternate")
            && (kind.is_empty() || kind.eq_ignore_ascii_case("text/css"))
            && self.page.attr(node, "disabled").is_none();
        holds.then(|| self.resolved(node, "href")).flatten().map(|address| sheet_address(address, attribute("media")))
    }

    fn element(&self, mutator: &mut DocumentMutator<'_>, node: NodeId, is_svg: bool) -> BlitzId {
        let tag = self.page.tag(node);
        let attribute = |name: &str, value: &str| Attribute {
            // The one name that counts for the size of a drawing is not in lower case.
            name: QualName::new(None, ns!(), LocalName::from(if is_svg && name == "viewbox" { "viewBox" } else { name })),
            value: value.to_owned(),
        };
        let mut attributes: Vec<Attribute> = Vec::new();
        for (name, value) in self.page.attrs(node) {
            let is_address = matches!(
                (tag, name),
                (Tag::Link, "rel" | "href") | (Tag::Img | Tag::Iframe | Tag::Canvas, "src" | "srcset") | (Tag::Iframe, "srcdoc")
            );
            if !is_address {
                attributes.push(attribute(name, value));
            }
        }
        if let Some(address) = self.image(node) {
            attributes.push(attribute("src", &address));
        }
        if let Some((width, height)) = self.alternative(node) {
            attributes.extend([attribute("width", &width.to_string()), attribute("height", &height.to_string())]);
        }
        if let Some(address) = (tag == Tag::Link).then(|| self.sheet(node)).flatten() {
            attributes.extend([attribute("rel", "stylesheet"), attribute("href", &address)]);
        }
        let namespace = if is_svg { ns!(svg) } else { ns!(html) };
        mutator.create_element(QualName::new(None, namespace, LocalName::from(self.page.name(node))), attributes)
    }
}
