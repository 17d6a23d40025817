//! The boxes of a document that Blitz has laid out, with the meaning that those of Chromium have.
//!
//! The page is walked in document order, each element with what it gets from those around it: what clips it, the colour
//! behind it, whether it is seen at all. Elements that run within lines, and rows of tables, have no box of their own in
//! Blitz; theirs are around what they hold.

use super::document::Built;
use super::text_lines::{Area, text_lines};
use blitz_dom::node::ImageData;
use blitz_dom::{BaseDocument, Node, NodeId as BlitzId};
use std::collections::HashMap;
use style::color::{AbsoluteColor, ColorSpace};
use style::computed_values::visibility::T as Visibility;
use style::properties::ComputedValues;
use style::values::computed::{ClipRectOrAuto, FontStyle, Image, LengthOrAuto, PositionProperty};
use style::values::specified::box_::{DisplayInside, Overflow};
use unchaff_dom::{NodeId, Page};
use unchaff_segment::background_images;
use unchaff_segment::layout::{BoxKind, Color, Layout, RenderedBox};
use unchaff_segment::rect::Rect;
use unchaff_segment::renderer::Window;

/// The most boxes that are made of a page.
pub(crate) const MOST_BOXES: usize = 400_000;

/// Elements that are drawn as a whole.
const REPLACED: [&str; 15] = [
    "img", "video", "audio", "canvas", "iframe", "frame", "object", "embed", "input", "select", "textarea", "meter", "progress",
    "svg", "math",
];

const EVERYWHERE: Area = [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::INFINITY, f32::INFINITY];

/// What an element hands down to what is in it.
#[derive(Clone)]
struct Around {
    /// Where it ends in the page.
    end: NodeId,
    clip: Area,
    /// What clips boxes that are positioned absolutely.
    held: Area,
    behind: Color,
    /// Of its own box and its texts; that of an element around it if it has no box.
    look: RenderedBox,
    is_visible: bool,
}

/// The layout of a document; whether there were too many boxes.
pub(crate) fn boxes(page: &Page, built: &Built, window: Window) -> (Layout, bool) {
    let document = &built.document;
    let counterparts = built.nodes.iter().zip(0..).filter_map(|(made, node)| made.map(|made| (made, node)));
    let by_id: HashMap<BlitzId, u32> = counterparts.collect();
    let mut positions = Positions { document, known: HashMap::new(), way: Vec::new() };
    let lines = text_lines(document, &by_id, |id| positions.of(id));
    let mut made = Making { boxes: Vec::new(), whole: Vec::new(), is_around: Vec::new(), pictured: Vec::new() };
    let root = page.body().or(page.html()).unwrap_or(page.root());
    let html = document.try_root_element();
    let outside = Around {
        end: page.end(root),
        clip: EVERYWHERE,
        held: EVERYWHERE,
        behind: html
            .and_then(Node::primary_styles)
            .map_or(Color::WHITE, |style| background(&style).map_or(Color::WHITE, |color| over(color, Color::WHITE))),
        look: RenderedBox::new(BoxKind::Other, Rect::default()),
        is_visible: true,
    };
    let mut around = vec![outside];
    let mut node = root;
    while node < page.end(root) && made.boxes.len() < MOST_BOXES {
        while around.len() > 1 && around.last().is_some_and(|above| above.end <= node) {
            around.pop();
        }
        let above = &around[around.len() - 1];
        let next = NodeId(node.0 + 1);
        let Some(counterpart) = built.nodes[node.index()].and_then(|id| document.get_node(id)) else {
            node = next;
            continue;
        };
        if !page.is_element(node) {
            let from = lines.partition_point(|(of, _)| *of < node.0);
            for (_, line) in lines[from..].iter().take_while(|(of, _)| *of == node.0).filter(|_| above.is_visible) {
                made.text(above, node, *line);
            }
            node = next;
            continue;
        }
        match made.element(page, node, counterpart, above, node == root, &mut positions) {
            Some(within) => {
                around.push(within);
                node = next;
            }
            None => node = page.end(node),
        }
    }
    let was_cut = node < page.end(root);
    made.enclose();
    let size = html.map_or((0.0, 0.0), |html| (html.scroll_width(), html.scroll_height()));
    let (width, height) = (whole(size.0).max(window.width as i32), whole(size.1).max(window.height as i32));
    let mut layout = Layout { width, height, boxes: made.boxes };
    background_images::show(page, &mut layout, &made.pictured);
    (layout, was_cut)
}

/// The boxes so far, with what is needed to complete them.
struct Making {
    boxes: Vec<RenderedBox>,
    /// The place of each before anything clips it.
    whole: Vec<Area>,
    /// Whether its place is around what it holds.
    is_around: Vec<bool>,
    pictured: Vec<usize>,
}

impl Making {
    fn push(&mut self, found: RenderedBox, area: Area, is_around: bool) {
        self.boxes.push(found);
        self.whole.push(area);
        self.is_around.push(is_around);
    }

    fn text(&mut self, above: &Around, node: NodeId, line: Area) {
        let seen = meet(line, above.clip);
        if !is_empty(seen) {
            let found = RenderedBox {
                kind: BoxKind::Text,
                rect: rounded(seen),
                node: Some(node.0),
                background: None,
                inline: false,
                ..above.look.clone()
            };
            self.push(found, line, false);
        }
    }

    /// Makes the box of an element; returns what holds within it, or nothing if nothing in it is looked at.
    fn element(
        &mut self,
        page: &Page,
        node: NodeId,
        counterpart: &Node,
        above: &Around,
        is_root: bool,
        positions: &mut Positions<'_>,
    ) -> Option<Around> {
        let style = counterpart.primary_styles()?;
        let style: &ComputedValues = &style;
        let display = style.clone_display();
        if display.is_none() || style.clone_opacity() == 0.0 || is_cut_away(style) {
            return None;
        }
        let position = style.clone_position();
        let is_fixed = matches!(position, PositionProperty::Fixed | PositionProperty::Sticky);
        let painted = background(style);
        let mut within = Around { end: page.end(node), ..above.clone() };
        match position {
            PositionProperty::Fixed => within.clip = EVERYWHERE,
            PositionProperty::Absolute => within.clip = above.held,
            _ => {}
        }
        within.is_visible = style.clone_visibility() == Visibility::Visible;
        if let Some(color) = painted {
            within.behind = over(color, above.behind);
        }
        within.look = RenderedBox {
            color: Some(opaque(style.clone_color())),
            font_size: whole(style.clone_font_size().computed_size().px()).clamp(0, i32::from(u16::MAX)) as u16,
            bold: style.clone_font_weight().value() >= 600.0,
            italic: style.clone_font_style() != FontStyle::NORMAL,
            decorated: above.look.decorated || !style.clone_text_decoration_line().is_empty(),
            fixed: above.look.fixed || is_fixed,
            parent: above.look.parent,
            ..RenderedBox::new(BoxKind::Other, Rect::default())
        };
        if display.is_contents() {
            return Some(within);
        }
        let is_row = matches!(
            display.inside(),
            DisplayInside::TableRow
                | DisplayInside::TableRowGroup
                | DisplayInside::TableHeaderGroup
                | DisplayInside::TableFooterGroup
        );
        let is_inline = counterpart.is_non_atomic_inline();
        let is_around = is_row || is_inline;
        let area = if is_around { [0.0; 4] } else { positions.area(counterpart) };
        let is_replaced = REPLACED.contains(&page.name(node));
        let seen = if is_replaced { meet(area, within.clip) } else { area };
        if is_replaced && (is_empty(seen) || !within.is_visible) {
            return None;
        }
        let images = &style.get_background().background_image.0;
        let is_painted =
            within.is_visible && !is_root && (painted.is_some() || images.iter().any(|image| !matches!(image, Image::None)));
        if within.is_visible && images.iter().any(|image| matches!(image, Image::Url(_))) {
            self.pictured.push(self.boxes.len());
        }
        let found = RenderedBox {
            rect: rounded(seen),
            kind: if is_replaced { BoxKind::Image } else { BoxKind::Other },
            node: Some(node.0),
            color: if is_replaced { mean(counterpart) } else { None },
            background: is_painted.then_some(within.behind),
            inline: is_inline,
            ..within.look.clone()
        };
        self.push(found, area, is_around);
        if is_replaced {
            return None;
        }
        within.look.parent = Some(self.boxes.len() as u32 - 1);
        let hides = style.clone_overflow_x() != Overflow::Visible || style.clone_overflow_y() != Overflow::Visible;
        if hides && !is_root && !is_around {
            within.clip = meet(within.clip, area);
        }
        if position != PositionProperty::Static || is_root {
            within.held = within.clip;
        }
        Some(within)
    }

    /// Puts boxes that have no place of their own around what they hold.
    fn enclose(&mut self) {
        let mut held: Vec<Option<Area>> = vec![None; self.boxes.len()];
        for at in (0..self.boxes.len()).rev() {
            if self.is_around[at] {
                let area = held[at].unwrap_or_default();
                self.whole[at] = area;
                self.boxes[at].rect = rounded(area);
                if held[at].is_none() {
                    continue;
                }
            }
            let (area, parent) = (self.whole[at], self.boxes[at].parent);
            if let Some(parent) = parent.map(|parent| parent as usize).filter(|parent| self.is_around[*parent]) {
                held[parent] = Some(held[parent].map_or(area, |known| join(known, area)));
            }
        }
    }
}

/// Where boxes are on the page; Blitz knows it relative to others.
struct Positions<'d> {
    document: &'d BaseDocument,
    known: HashMap<BlitzId, (f32, f32)>,
    way: Vec<BlitzId>,
}

impl Positions<'_> {
    fn of(&mut self, id: BlitzId) -> (f32, f32) {
        let mut next = Some(id);
        let mut place = (0.0, 0.0);
        while let Some(id) = next {
            if let Some(known) = self.known.get(&id) {
                place = *known;
                break;
            }
            self.way.push(id);
            next = self.document.get_node(id).and_then(Node::containing_block);
        }
        while let Some(id) = self.way.pop() {
            if let Some(node) = self.document.get_node(id) {
                let location = node.unrounded_layout().location;
                place = (place.0 + location.x, place.1 + location.y);
            }
            self.known.insert(id, place);
        }
        place
    }

    fn area(&mut self, node: &Node) -> Area {
        let (left, top) = self.of(node.id);
        let size = node.unrounded_layout().size;
        [left, top, left + size.width, top + size.height]
    }
}

fn meet(a: Area, b: Area) -> Area {
    [a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]
}

fn join(a: Area, b: Area) -> Area {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

fn is_empty(area: Area) -> bool {
    !(area[2] > area[0] && area[3] > area[1])
}

fn whole(length: f32) -> i32 {
    length.round().clamp(-1e9, 1e9) as i32
}

fn rounded(area: Area) -> Rect {
    Rect::from(area.map(whole))
}

/// Whether `clip` leaves nothing: the usual way to hide a text from all but those who listen to it.
fn is_cut_away(style: &ComputedValues) -> bool {
    let ClipRectOrAuto::Rect(clip) = style.clone_clip() else { return false };
    let [
        LengthOrAuto::LengthPercentage(top),
        LengthOrAuto::LengthPercentage(right),
        LengthOrAuto::LengthPercentage(bottom),
        LengthOrAuto::LengthPercentage(left),
    ] = [clip.top, clip.right, clip.bottom, clip.left]
    else {
        return false;
    };
    right.px() - left.px() <= 1.0 || bottom.px() - top.px() <= 1.0
}

/// Red, green and blue from 0 to 1, and opacity; nothing if one sees through it.
fn background(style: &ComputedValues) -> Option<AbsoluteColor> {
    let color = style.resolve_color(&style.clone_background_color()).to_color_space(ColorSpace::Srgb);
    (color.alpha > 0.0).then_some(color)
}

fn opaque(color: AbsoluteColor) -> Color {
    let color = color.to_color_space(ColorSpace::Srgb);
    Color([color.components.0, color.components.1, color.components.2].map(|part| (part * 255.0).round() as u8))
}

/// A colour that is not quite opaque over one that is.
fn over(top: AbsoluteColor, bottom: Color) -> Color {
    let Color(above) = opaque(top);
    Color(std::array::from_fn(|at| {
        (f32::from(above[at]) * top.alpha + f32::from(bottom.0[at]) * (1.0 - top.alpha)).round() as u8
    }))
}

/// The mean colour of an image without its transparent pixels, from as many as 64 rows and columns.
fn mean(node: &Node) -> Option<Color> {
    let ImageData::Raster(image) = node.element_data()?.image_data()? else { return None };
    let (width, height) = (image.width as usize, image.height as usize);
    let pixels = image.data.data();
    let mut sums = [0u64; 4];
    for row in (0..height).step_by(height.div_ceil(64).max(1)) {
        for column in (0..width).step_by(width.div_ceil(64).max(1)) {
            let Some(&[red, green, blue, alpha]) = pixels.get((row * width + column) * 4..).and_then(|pixel| pixel.first_chunk())
            else {
                continue;
            };
            let alpha = u64::from(alpha);
            for (sum, part) in
                sums.iter_mut().zip([u64::from(red) * alpha, u64::from(green) * alpha, u64::from(blue) * alpha, alpha])
            {
                *sum += part;
            }
        }
    }
    let [red, green, blue, alpha] = sums;
    (alpha > 0).then(|| Color([red, green, blue].map(|sum| ((sum + alpha / 2) / alpha) as u8)))
}
