//! How the time of techniques grows with the number of boxes, on made-up pages of articles in three columns.
//!
//! `cargo run --release -p unchaff-segment --example growth -- [TECHNIQUE…] [BOXES…]`

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example has arguments, and takes the time")]

use std::fmt::Write;
use std::time::Instant;
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_segment::layout::{BoxKind, Color, Layout, RenderedBox};
use unchaff_segment::rect::Rect;
use unchaff_segment::registry;

/// Articles of a heading and nine lines each.
fn page(boxes: usize) -> (Page, Layout) {
    let mut html = String::from("<body>");
    for article in 0..boxes / 10 {
        let _ = write!(html, "<div class=row><h2>Heading {article}</h2>{}</div>", "<p>a line of text</p>".repeat(9));
    }
    let page = Page::parse(html);
    let mut rendered = Vec::new();
    let texts: Vec<NodeId> = page.nodes().filter(|node| page.tag(*node) == Tag::Text).collect();
    for (at, node) in texts.iter().enumerate() {
        let (article, line) = (at / 10, (at % 10) as i32);
        let (left, top) = (420 * (article % 3) as i32, 240 * (article / 3) as i32 + 22 * line);
        // Lines differ in length, in the same way every time.
        let width = 250 + (at as i32 * 7919) % 140;
        let mut found = RenderedBox::new(BoxKind::Text, Rect::from([left, top, left + width, top + 16]));
        (found.node, found.bold, found.color) = (Some(node.0), line == 0, Some(Color([0x33; 3])));
        rendered.push(found);
    }
    let height = 240 * (boxes as i32 / 30 + 1);
    (page, Layout { width: 1280, height, boxes: rendered })
}

fn main() {
    let (sizes, names): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.bytes().all(|byte| byte.is_ascii_digit()));
    let mut sizes: Vec<usize> = sizes.iter().filter_map(|size| size.parse().ok()).collect();
    let mut entries: Vec<_> =
        names.iter().map(|name| registry::find(name).expect("a technique of `unchaff techniques`")).collect();
    if sizes.is_empty() {
        sizes.extend([500, 1000, 2000, 5000, 10_000, 20_000]);
    }
    if entries.is_empty() {
        entries.extend(registry::all());
    }
    println!(
        "{:>8}{}  (milliseconds, best of 5)",
        "boxes",
        entries.iter().map(|entry| format!("{:>15}", entry.name)).collect::<String>()
    );
    for boxes in sizes {
        let (page, layout) = page(boxes);
        print!("{boxes:8}");
        for entry in &entries {
            let technique = entry.default_technique();
            let run = || {
                let start = Instant::now();
                std::hint::black_box(technique.segment(&page, &layout));
                start.elapsed().as_secs_f64() * 1000.0
            };
            print!("{:15.2}", (0..5).map(|_| run()).fold(f64::INFINITY, f64::min));
        }
        println!();
    }
}
