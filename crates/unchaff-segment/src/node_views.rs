//! What is seen of each node: its extent, whether it is running text, what it stands on, and in what type it is set.
//!
//! A node is seen if a text line or an image of it is; its extent is then that of its own box and of everything seen in it.

use crate::layout::{BoxKind, Color, Layout};
use crate::rect::Rect;
use unchaff_dom::{NodeId, Page};

/// What is seen of each node.
pub(crate) struct Views<'p> {
    pub(crate) page: &'p Page,
    page_area: f64,
    rects: Vec<Option<Rect>>,
    /// Whether a node is text, or inline with nothing but text in it.
    pub(crate) text: Vec<bool>,
    /// Whether a node runs within lines.
    pub(crate) inline: Vec<bool>,
    /// The background that a node paints.
    pub(crate) backgrounds: Vec<Option<Color>>,
    /// The background that a node stands on: its own, or that of the nearest node above it.
    grounds: Vec<Option<Color>>,
    /// The largest type below a node, and whether any of it is bold.
    pub(crate) fonts: Vec<(u16, bool)>,
    /// Whether all type below a node is alike.
    pub(crate) even: Vec<bool>,
}

impl<'p> Views<'p> {
    pub(crate) fn new(page: &'p Page, layout: &Layout) -> Views<'p> {
        let nodes = page.len();
        let mut views = Views {
            page,
            page_area: (f64::from(layout.width) * f64::from(layout.height)).max(1.0),
            rects: vec![None; nodes],
            text: vec![false; nodes],
            inline: page.nodes().map(|node| page.is_element(node) && !page.tag(node).is_block()).collect(),
            backgrounds: vec![None; nodes],
            grounds: Vec::with_capacity(nodes),
            fonts: vec![(0, false); nodes],
            even: vec![true; nodes],
        };
        let mut own: Vec<Option<Rect>> = vec![None; nodes];
        for (at, rendered) in layout.boxes.iter().enumerate() {
            let Some(node) = rendered.node.map(|node| node as usize).filter(|node| *node < nodes) else { continue };
            if rendered.kind == BoxKind::Other {
                own[node] = Some(rendered.rect).filter(|rect| layout.is_on_page(*rect));
                views.inline[node] = rendered.inline;
                views.backgrounds[node] = rendered.background;
            } else if layout.is_content(at) {
                views.rects[node] = Some(views.rects[node].map_or(rendered.rect, |rect| rect.union(rendered.rect)));
                views.text[node] = rendered.kind == BoxKind::Text;
                views.fonts[node] = (rendered.font_size, rendered.bold);
            }
        }
        views.propagate(&own);
        for node in page.nodes() {
            let above = page.parent(node).and_then(|parent| views.grounds[parent.index()]);
            views.grounds.push(views.backgrounds[node.index()].or(above));
        }
        // The window can be larger than all that is on a short page.
        if let Some(seen) = page.body().and_then(|body| views.rect(body)) {
            views.page_area = views.page_area.min(seen.area() as f64).max(1.0);
        }
        views
    }

    fn propagate(&mut self, own: &[Option<Rect>]) {
        let mut all_text = vec![true; own.len()];
        for at in (1..own.len()).rev() {
            // Only what holds something to be seen is seen; its own box is then its extent.
            if let (Some(seen), Some(own)) = (self.rects[at], own[at]) {
                self.rects[at] = Some(own.union(seen));
            }
            let valid = self.rects[at].is_some();
            if self.page.is_element(NodeId(at as u32)) {
                self.text[at] = self.text[at] || valid && self.inline[at] && all_text[at];
            }
            let Some(parent) = self.page.parent(NodeId(at as u32)).filter(|_| valid) else { continue };
            let parent = parent.index();
            all_text[parent] &= self.text[at];
            let first = self.rects[parent].is_none();
            self.rects[parent] = Rect::around(self.rects[parent].into_iter().chain(self.rects[at]));
            let (font, mine) = (self.fonts[at], self.fonts[parent]);
            self.even[parent] &= self.even[at] && (first || font == mine);
            self.fonts[parent] = (mine.0.max(font.0), mine.1 || font.1);
        }
        if let (Some(seen), Some(own)) = (self.rects.first().copied().flatten(), own.first().copied().flatten()) {
            self.rects[0] = Some(seen.union(own));
        }
    }

    /// The extent of a node, if something of it is seen.
    pub(crate) fn rect(&self, node: NodeId) -> Option<Rect> {
        self.rects[node.index()]
    }

    /// The share of the page that a node covers.
    pub(crate) fn share(&self, node: NodeId) -> f64 {
        self.rect(node).map_or(0.0, |rect| rect.area() as f64 / self.page_area)
    }

    /// The children of which something is seen.
    pub(crate) fn valid_children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.page.children(node).filter(|child| self.rects[child.index()].is_some())
    }

    /// The background that a node stands on.
    pub(crate) fn background(&self, node: NodeId) -> Option<Color> {
        self.grounds[node.index()]
    }
}
