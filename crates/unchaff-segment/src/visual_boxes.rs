//! The boxes that clustering works on: the smallest visible ones of a rendered page, each with one colour, none in another.
//!
//! Source: J. Zelený, PhD thesis, Brno 2017, §6.1 (extraction and nesting), §6.1.1 (colour), §8.2 (boxes that are no boxes).
//! A chain of boxes without branching is taken as its smallest box with a background, else its leaf.

use crate::color::TextColor;
use crate::grid::Grid;
use crate::layout::{BoxKind, Color, Layout};
use crate::rect::Rect;
use unchaff_dom::order::InOrder;

/// A box to be clustered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VisualBox {
    /// Its place.
    pub rect: Rect,
    /// The colour that stands for it.
    pub color: Color,
    /// The rendered box it is made of, by its position in the layout.
    pub origin: u32,
}

/// How boxes are extracted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Extraction {
    /// Whether boxes without content are kept if they have a background (the thesis omits them and yet says what
    /// their colour is; the author's program keeps them).
    pub keep_empty: bool,
    /// How style shifts the colour of texts.
    pub text_color: TextColor,
}

/// What is known of a rendered box from those below it.
#[derive(Clone, Copy, Default)]
struct Below {
    visible: bool,
    children: u32,
    /// Whether nothing below branches.
    chain: bool,
    /// The only child, if there is one.
    child: u32,
    /// The smallest box of the chain that has a background, itself included.
    painted: Option<u32>,
    /// The end of the chain.
    leaf: u32,
}

impl Extraction {
    /// The visual boxes of a page, in its order.
    #[must_use]
    pub fn boxes(&self, layout: &Layout) -> Vec<VisualBox> {
        let below = look_below(layout);
        let mut found = Vec::new();
        let mut done = vec![false; layout.boxes.len()];
        let mut behind = vec![Color::WHITE; layout.boxes.len()];
        for (at, rendered) in layout.boxes.iter().enumerate() {
            let above = rendered.parent.map_or(Color::WHITE, |parent| behind[parent as usize]);
            behind[at] = rendered.background.unwrap_or(above);
            if !below[at].visible || rendered.parent.is_some_and(|parent| done[parent as usize]) {
                done[at] = true;
                continue;
            }
            // The box that is taken, and the one at the end of its chain.
            let (chosen, leaf) = match (rendered.kind, below[at].children) {
                (BoxKind::Text | BoxKind::Image, _) | (BoxKind::Other, 0) => (at as u32, at as u32),
                (BoxKind::Other, 1) if below[below[at].child as usize].chain => {
                    let child = below[below[at].child as usize];
                    (child.painted.unwrap_or(child.leaf), child.leaf)
                }
                (BoxKind::Other, _) => continue,
            };
            done[at] = true;
            if self.keep_empty || layout.is_content(leaf as usize) {
                found.extend(self.visual_box(layout, chosen, behind[at]));
            }
        }
        without_containers(&found)
    }

    /// The box with its colour (§6.1.1); none if it is not on the page.
    fn visual_box(&self, layout: &Layout, origin: u32, behind: Color) -> Option<VisualBox> {
        let rendered = &layout.boxes[origin as usize];
        let behind = rendered.background.unwrap_or(behind);
        let color = match rendered.kind {
            BoxKind::Text => {
                let style = [rendered.decorated, rendered.italic, rendered.bold];
                self.text_color.of(rendered.color.unwrap_or_default(), behind, style)
            }
            BoxKind::Image => rendered.color.unwrap_or(behind),
            BoxKind::Other => behind,
        };
        layout.is_on_page(rendered.rect).then_some(VisualBox { rect: rendered.rect, color, origin })
    }
}

fn look_below(layout: &Layout) -> Vec<Below> {
    let mut below = vec![Below { chain: true, ..Below::default() }; layout.boxes.len()];
    for (at, rendered) in layout.boxes.iter().enumerate().rev() {
        let own = rendered.background.is_some() && layout.is_on_page(rendered.rect);
        let mut here = below[at];
        here.visible = match rendered.kind {
            BoxKind::Text | BoxKind::Image => layout.is_content(at),
            BoxKind::Other => here.children > 0 || own,
        };
        if rendered.kind != BoxKind::Other {
            here.children = 0;
        }
        let child = (here.children == 1).then(|| below[here.child as usize]);
        here.chain = here.children == 0 || child.is_some_and(|child| child.chain);
        here.leaf = child.map_or(at as u32, |child| child.leaf);
        here.painted = child.and_then(|child| child.painted);
        let smallest = |other: u32| layout.boxes[other as usize].rect.area() <= rendered.rect.area();
        if rendered.kind == BoxKind::Other && own && !here.painted.is_some_and(smallest) {
            here.painted = Some(at as u32);
        }
        below[at] = here;
        if let Some(parent) = rendered.parent.filter(|_| here.visible) {
            let parent = &mut below[parent as usize];
            parent.children += 1;
            parent.child = at as u32;
        }
    }
    below
}

/// Drops boxes that contain others, so that of nested boxes the innermost remain (§6.1); of equal ones the last.
#[must_use]
pub fn without_containers(boxes: &[VisualBox]) -> Vec<VisualBox> {
    let rects: Vec<Rect> = boxes.iter().map(|found| found.rect).collect();
    let mut grid = Grid::new(&rects);
    let mut dropped = vec![false; boxes.len()];
    let mut smallest_first: Vec<u32> = (0..boxes.len() as u32).collect();
    smallest_first.order_by_key(|at| (rects[*at as usize].area(), std::cmp::Reverse(*at)));
    for inner in smallest_first {
        if dropped[inner as usize] {
            continue;
        }
        // Containers leave the cell when they are found, so that a deep stack is looked at but once.
        grid.retain_at_corner(rects[inner as usize], |outer| {
            let contains = outer != inner && rects[outer as usize].contains(rects[inner as usize]);
            dropped[outer as usize] |= contains;
            !dropped[outer as usize]
        });
    }
    boxes.iter().zip(dropped).filter(|(_, dropped)| !dropped).map(|(found, _)| *found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::RenderedBox;
    use proptest::prelude::*;

    /// Kind, place, parent, background.
    type Given = (BoxKind, [i32; 4], Option<u32>, Option<[u8; 3]>);

    fn layout(boxes: &[Given]) -> Layout {
        let boxes = boxes.iter().map(|(kind, rect, parent, background)| RenderedBox {
            parent: *parent,
            background: background.map(Color),
            ..RenderedBox::new(*kind, Rect::from(*rect))
        });
        Layout { width: 1000, height: 1000, boxes: boxes.collect() }
    }

    fn origins(extraction: &Extraction, layout: &Layout) -> Vec<u32> {
        extraction.boxes(layout).iter().map(|found| found.origin).collect()
    }

    use BoxKind::{Image, Other, Text};

    /// The rules of §6.1.
    #[test]
    fn leaves_and_painted_chains_are_boxes() {
        let red = Some([255, 0, 0]);
        let page = layout(&[
            (Other, [0, 0, 900, 900], None, None),
            (Text, [0, 0, 100, 20], Some(0), None),
            (Image, [200, 0, 300, 20], Some(0), None),
            (Other, [0, 100, 500, 200], Some(0), None), // one child, a chain with two backgrounds below
            (Other, [0, 100, 400, 180], Some(3), red),
            (Other, [0, 100, 300, 150], Some(4), red),
            (Text, [0, 100, 50, 120], Some(5), None),
            (Other, [0, 300, 500, 400], Some(0), red), // the one-child box itself is not of the chain
            (Text, [0, 300, 50, 320], Some(7), None),
            (Other, [0, 500, 500, 600], Some(0), red), // empty, with a background
        ]);
        assert_eq!(origins(&Extraction::default(), &page), [1, 2, 5, 8]);
        // As the author's program does.
        let keep = Extraction { keep_empty: true, ..Extraction::default() };
        assert_eq!(origins(&keep, &page), [1, 2, 5, 8, 9]);
        let colors: Vec<Color> = Extraction::default().boxes(&page).iter().map(|found| found.color).collect();
        assert_eq!(colors, [Color([51; 3]), Color::WHITE, Color([255, 0, 0]), Color([51; 3])]);
    }

    /// §8.2 has such rules without giving them; these are ours.
    #[test]
    fn boxes_without_pixels_or_off_the_page_are_dropped() {
        let page = layout(&[
            (Text, [10, 10, 10, 30], None, None),
            (Text, [-50, 10, 0, 30], None, None),
            (Text, [0, -50, 50, 0], None, None),
            (Text, [1000, 0, 1050, 20], None, None),
            (Text, [0, 1000, 50, 1020], None, None),
            (Text, [-10, 10, 5, 30], None, None),
        ]);
        assert_eq!(origins(&Extraction::default(), &page), [5]);
        assert!(Extraction::default().boxes(&Layout::default()).is_empty());
    }

    #[test]
    fn of_nested_boxes_the_innermost_remain_and_of_equal_ones_the_last() {
        let page = layout(&[
            (Image, [0, 0, 100, 100], None, None),
            (Text, [10, 10, 50, 30], None, None),
            (Text, [10, 10, 50, 30], None, None),
            (Text, [90, 10, 150, 30], None, None),
        ]);
        assert_eq!(origins(&Extraction::default(), &page), [2, 3]);
    }

    proptest! {
        #[test]
        fn containers_are_found_as_by_looking_at_all_pairs(
            places in prop::collection::vec((0..12i32, 0..12i32, 1..9i32, 1..9i32), 0..60)
        ) {
            let boxes: Vec<VisualBox> = places
                .iter()
                .enumerate()
                .map(|(at, (x, y, w, h))| VisualBox { rect: Rect::from([*x, *y, x + w, y + h]), color: Color::WHITE, origin: at as u32 })
                .collect();
            let naive = |m: &&VisualBox| {
                !boxes.iter().any(|n| n.origin != m.origin && m.rect.contains(n.rect) && !(m.rect == n.rect && n.origin < m.origin))
            };
            prop_assert_eq!(without_containers(&boxes), boxes.iter().filter(naive).copied().collect::<Vec<_>>());
        }
    }
}
