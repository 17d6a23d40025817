//! Segments drawn over the page, as SVG: the screenshot, a frame around each segment, and what it is. Parts are drawn over what they are parts of, with
//! thinner frames, and runs of records with dashed ones.

use crate::layout::Layout;
use crate::segmentation::{SegmentKind, Segmentation};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::fmt::Write;

/// The colour of a kind of segment.
fn frame(kind: Option<SegmentKind>) -> &'static str {
    match kind {
        Some(SegmentKind::Content) => "#22aa22",
        Some(SegmentKind::Menu) => "#2288dd",
        Some(SegmentKind::Header) => "#8844cc",
        Some(SegmentKind::Footer | SegmentKind::Template) => "#777777",
        Some(SegmentKind::Links) => "#00aaaa",
        Some(SegmentKind::Sidebar | SegmentKind::Search) => "#997700",
        Some(SegmentKind::Article | SegmentKind::Records) => "#55bb00",
        Some(SegmentKind::Logo | SegmentKind::Title) => "#aa66ff",
        Some(SegmentKind::Image | SegmentKind::Video) => "#4466aa",
        Some(SegmentKind::Comments) => "#dd8822",
        Some(SegmentKind::Advertisement) => "#dd2222",
        None => "#cc44aa",
    }
}

/// The segments as SVG, over a screenshot (PNG) if there is one, else over the boxes of the page.
#[must_use]
pub fn svg(layout: &Layout, segmentation: &Segmentation, screenshot: Option<&[u8]>) -> String {
    let (width, height) = (layout.width.max(1), layout.height.max(1));
    let mut out = String::new();
    let mut line = |args: std::fmt::Arguments<'_>| {
        let _ = out.write_fmt(args);
        out.push('\n');
    };
    line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
    ));
    line(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"));
    match screenshot {
        Some(png) => line(format_args!("<image href=\"data:image/png;base64,{}\"/>", BASE64.encode(png))),
        None => {
            for at in layout.content() {
                let rect = layout.boxes[at as usize].rect;
                let (x, y, width, height) = (rect.left, rect.top, rect.width(), rect.height());
                line(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#ddd\"/>"));
            }
        }
    }
    for (at, (segment, level)) in segmentation.segments.iter().zip(segmentation.levels()).enumerate() {
        let Some(rect) = segment.rect else { continue };
        let (thick, tint, size) = match level {
            _ if segment.is_run() => (2, "0", 11),
            1 => (3, ".08", 13),
            _ => (1, ".14", 11),
        };
        let dashes = if segment.is_run() { " stroke-dasharray=\"8 4\"" } else { "" };
        let color = frame(segment.kind);
        let (x, y, width, height) = (rect.left, rect.top, rect.width(), rect.height());
        line(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\" fill-opacity=\"{tint}\" stroke=\"{color}\" stroke-width=\"{thick}\"{dashes}/>"
        ));
        // At the right: text mostly starts at the left. Parts can start where the whole does, so they are named at the bottom.
        let baseline = if level == 1 || segment.is_run() { i64::from(y) + 14 } else { i64::from(y) + height - 4 };
        let name = segment.kind.map_or(String::new(), |kind| format!(" {kind}"));
        line(format_args!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-family=\"sans-serif\" font-size=\"{size}\" font-weight=\"bold\" fill=\"{color}\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">{}{name}</text>",
            rect.right - 3,
            baseline,
            at + 1
        ));
    }
    line(format_args!("</svg>"));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{BoxKind, RenderedBox};
    use crate::rect::Rect;
    use crate::segmentation::Segment;

    #[test]
    fn every_segment_is_framed_and_named() {
        let layout = Layout { width: 300, height: 200, boxes: vec![RenderedBox::new(BoxKind::Text, Rect::from([5, 6, 50, 20]))] };
        let segment = Segment {
            rect: Some(Rect::from([5, 6, 50, 20])),
            boxes: vec![0],
            kind: Some(SegmentKind::Menu),
            ..Segment::default()
        };
        let found = Segmentation { segments: vec![segment], ..Segmentation::default() };
        let plain = svg(&layout, &found, None);
        assert!(
            plain.contains("stroke=\"#2288dd\"") && plain.contains(">1 menu</text>") && plain.contains("fill=\"#ddd\""),
            "{plain}"
        );
        let over = svg(&layout, &found, Some(b"png"));
        assert!(over.contains("data:image/png;base64,cG5n") && !over.contains("#ddd\""));
    }

    #[test]
    fn a_run_of_records_has_a_dashed_frame() {
        let layout = Layout { width: 300, height: 200, boxes: vec![RenderedBox::new(BoxKind::Text, Rect::from([5, 6, 50, 20]))] };
        let segment =
            |parent, rect, kind| Segment { parent, rect: Some(Rect::from(rect)), kind: Some(kind), ..Segment::default() };
        let segments = vec![
            segment(None, [0, 0, 300, 100], SegmentKind::Content),
            segment(Some(0), [0, 20, 300, 100], SegmentKind::Records),
        ];
        let drawn = svg(&layout, &Segmentation { segments, ..Segmentation::default() }, None);
        assert_eq!(drawn.matches("stroke-dasharray").count(), 1, "{drawn}");
        assert!(drawn.contains(">2 records</text>"), "{drawn}");
    }

    #[test]
    fn parts_are_drawn_over_their_area_with_thinner_frames_and_named_at_the_bottom() {
        let layout = Layout { width: 300, height: 200, boxes: vec![RenderedBox::new(BoxKind::Text, Rect::from([5, 6, 50, 20]))] };
        let segment =
            |parent, rect, kind| Segment { parent, rect: Some(Rect::from(rect)), kind: Some(kind), ..Segment::default() };
        let segments =
            vec![segment(None, [0, 0, 300, 100], SegmentKind::Header), segment(Some(0), [0, 0, 90, 100], SegmentKind::Logo)];
        let drawn = svg(&layout, &Segmentation { segments, ..Segmentation::default() }, None);
        let (area, part) = (drawn.find("stroke-width=\"3\"/>").unwrap(), drawn.find("stroke-width=\"1\"/>").unwrap());
        assert!(area < part, "{drawn}");
        assert!(drawn.contains("y=\"14\"") && drawn.contains(">1 header</text>"), "{drawn}");
        assert!(drawn.contains("y=\"96\"") && drawn.contains(">2 logo</text>"), "{drawn}");
    }
}
