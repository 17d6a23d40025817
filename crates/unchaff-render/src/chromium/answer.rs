//! What the script in the page returned, as a layout over our own nodes.

use super::BrowserError;
use serde::Deserialize;
use std::collections::HashMap;
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_segment::background_images;
use unchaff_segment::layout::{BoxKind, Color, Layout, RenderedBox};
use unchaff_segment::rect::Rect;

#[derive(Deserialize)]
struct Answer {
    width: i32,
    height: i32,
    boxes: Vec<[i64; 13]>,
    cut: bool,
}

/// The layout, and what the user should know.
pub(super) fn read(page: &Page, json: &str) -> Result<(Layout, Vec<String>), BrowserError> {
    let answer: Answer = serde_json::from_str(json).map_err(|error| BrowserError::Answer(error.to_string()))?;
    let mut nodes = Nodes::new(page);
    let mut pictured = Vec::new();
    let mut boxes: Vec<RenderedBox> = Vec::with_capacity(answer.boxes.len());
    for [kind, left, top, right, bottom, parent, mark, copy, child, color, background, size, flags] in answer.boxes {
        let rect = Rect::from([left, top, right, bottom].map(|edge| edge as i32));
        let kind = match kind {
            0 => BoxKind::Text,
            1 => BoxKind::Image,
            _ => BoxKind::Other,
        };
        let parent = u32::try_from(parent).ok().filter(|parent| (*parent as usize) < boxes.len());
        let above = || parent.and_then(|parent| boxes[parent as usize].node).map(NodeId);
        let node = nodes.element(mark, copy).map(|element| nodes.child(element, child)).or_else(above);
        let rgb = |number: i64| u32::try_from(number).ok().map(|number| Color([16, 8, 0].map(|shift| (number >> shift) as u8)));
        if flags & 32 != 0 {
            pictured.push(boxes.len());
        }
        boxes.push(RenderedBox {
            parent,
            node: node.map(|node| node.0),
            color: rgb(color).filter(|_| kind != BoxKind::Other),
            background: rgb(background),
            font_size: u16::try_from(size).unwrap_or(0),
            bold: flags & 1 != 0,
            italic: flags & 2 != 0,
            decorated: flags & 4 != 0,
            fixed: flags & 8 != 0,
            inline: flags & 16 != 0,
            ..RenderedBox::new(kind, rect)
        });
    }
    let mut layout = Layout { width: answer.width, height: answer.height, boxes };
    background_images::show(page, &mut layout, &pictured);
    let notes = if answer.cut {
        vec![format!("the page has more than {} boxes; the rest was left out", layout.boxes.len())]
    } else {
        Vec::new()
    };
    Ok((layout, notes))
}

/// Nodes by the marks of elements and the positions of their children.
struct Nodes<'p> {
    page: &'p Page,
    /// Elements that come from one tag, by where it stands; made when the first copy is asked for.
    copies: HashMap<(usize, Tag), Vec<NodeId>>,
    /// The children of the element asked for last.
    children: (NodeId, Vec<NodeId>),
}

impl<'p> Nodes<'p> {
    fn new(page: &'p Page) -> Nodes<'p> {
        Nodes { page, copies: HashMap::new(), children: (page.root(), page.children(page.root()).collect()) }
    }

    fn element(&mut self, mark: i64, copy: i64) -> Option<NodeId> {
        let place = |node: NodeId| (self.page.source_range(node).start, self.page.tag(node));
        let marked = u32::try_from(mark).ok().filter(|mark| (*mark as usize) < self.page.len()).map(NodeId)?;
        if copy == 0 {
            return Some(marked);
        }
        if self.copies.is_empty() {
            for node in self.page.nodes().filter(|node| self.page.is_element(*node)) {
                self.copies.entry(place(node)).or_default().push(node);
            }
        }
        self.copies.get(&place(marked))?.get(usize::try_from(copy).ok()?).copied()
    }

    /// The text at a position among the children, or the element itself.
    fn child(&mut self, element: NodeId, child: i64) -> NodeId {
        let Ok(child) = usize::try_from(child) else { return element };
        if self.children.0 != element {
            self.children = (element, self.page.children(element).collect());
        }
        self.children.1.get(child).copied().filter(|node| self.page.tag(*node) == Tag::Text).unwrap_or(element)
    }
}
