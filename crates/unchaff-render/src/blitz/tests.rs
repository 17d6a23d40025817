//! Pages of ours, laid out.

use super::{Blitz, Options};
use crate::files::Files;
use proptest::prelude::*;
use std::path::PathBuf;
use unchaff_dom::{Limits, NodeId, Page, Parser};
use unchaff_segment::layout::{BoxKind, Color, Layout, RenderedBox};
use unchaff_segment::rect::Rect;
use unchaff_segment::renderer::{PageToRender, RenderError, Renderer};

fn layout(html: &str) -> (Page, Layout) {
    let page = Page::parse(html);
    let mut blitz = Blitz::new(Options { time_limit: std::time::Duration::from_secs(300), ..Options::default() }).unwrap();
    let rendering = blitz.render(&PageToRender::new(&page)).unwrap_or_else(|error| panic!("{html:.200}: {error}"));
    (page, rendering.layout)
}

fn texts(page: &Page, layout: &Layout) -> Vec<(String, Rect)> {
    let lines = layout.boxes.iter().filter(|found| found.kind == BoxKind::Text);
    lines.map(|line| (page.text(NodeId(line.node.unwrap())).trim().to_owned(), line.rect)).collect()
}

fn words(page: &Page, layout: &Layout) -> Vec<String> {
    texts(page, layout).into_iter().map(|(text, _)| text).collect()
}

fn first<'l>(page: &Page, layout: &'l Layout, name: &str) -> &'l RenderedBox {
    let of = |found: &&RenderedBox| found.node.is_some_and(|node| page.name(NodeId(node)) == name);
    layout.boxes.iter().find(of).unwrap_or_else(|| panic!("no box of {name}"))
}

fn line<'l>(page: &Page, layout: &'l Layout, text: &str) -> &'l RenderedBox {
    let of = |found: &&RenderedBox| found.kind == BoxKind::Text && page.text(NodeId(found.node.unwrap())).contains(text);
    layout.boxes.iter().find(of).unwrap_or_else(|| panic!("no line of {text}"))
}

const COLUMNS: &str = "<!doctype html><style>
    body { margin: 0; font: 16px/20px sans-serif; color: #112233 }
    #side { float: left; width: 200px; background: #eeeeee } #main { margin-left: 220px }
    h1 { font-size: 32px; line-height: 40px; margin: 0 } p { margin: 0 }
    .gone { display: none } .hidden { visibility: hidden } .clear { opacity: 0 } .cut { position: absolute; clip: rect(1px,1px,1px,1px) }
    .clip { height: 20px; overflow: hidden } #bar { position: fixed; top: 600px; left: 0 } a { color: #ff0000 }
    </style><style media=print>p { display: none }</style>
    <div id=side><ul><li>first</li><li><a href=/x>second</a></li></ul></div>
    <div id=main><h1>Heading</h1><p>one <b>bold</b> two <i>slanted</i><!-- no line --> three<br>next line</p>
    <img src=none.png width=120 height=80>
    <div class=gone>gone</div><div class=hidden>hidden</div><div class=clear>clear</div><div class=cut>cut</div>
    <div class=clip>seen<br>below</div><div id=bar>fixed</div>
    <table><tr><td>cell</td><td>other cell</td></tr></table>
    <script>document.body.append('script')</script><noscript>no script</noscript></div>";

#[test]
fn a_page_of_two_columns() {
    let (page, layout) = layout(COLUMNS);
    let seen = words(&page, &layout);
    let wanted = ["first", "second", "Heading", "one", "bold", "two", "slanted", "three", "next line", "seen", "fixed", "cell"];
    assert_eq!(seen, [&wanted[..], &["other cell", "no script"]].concat());
    let at = |text: &str| line(&page, &layout, text).rect;
    assert!(at("first").right <= 200 && at("Heading").left == 220, "{:?} {:?}", at("first"), at("Heading"));
    assert!(at("one").right <= at("bold").left && at("bold").right <= at("two").left);
    assert_eq!((at("one").left, at("next line").left), (220, 220));
    assert_eq!(at("next line").top - at("one").top, 20);
    assert!((30..=40).contains(&at("Heading").height()) && (14..=20).contains(&at("one").height()));
    assert!(at("seen").top >= first(&page, &layout, "img").rect.bottom && at("seen").height() <= 20);
    assert_eq!(at("fixed").left, 0);
    assert!(at("cell").right <= at("other cell").left && at("cell").top == at("other cell").top);
    let side = layout.boxes.iter().find(|found| found.background == Some(Color([0xee; 3]))).unwrap();
    assert_eq!((side.rect.left, side.rect.width()), (0, 200));
    let image = first(&page, &layout, "img");
    assert_eq!((image.kind, image.rect.width(), image.rect.height()), (BoxKind::Image, 120, 80));
    assert_eq!((layout.width, layout.height), (1280, 1024));
}

#[test]
fn boxes_carry_how_they_look() {
    let (page, layout) = layout(COLUMNS);
    let of = |text: &str| line(&page, &layout, text);
    assert_eq!((of("one").color, of("second").color), (Some(Color([0x11, 0x22, 0x33])), Some(Color([255, 0, 0]))));
    assert_eq!((of("one").font_size, of("Heading").font_size), (16, 32));
    assert!(of("bold").bold && of("Heading").bold && !of("one").bold);
    assert!(of("slanted").italic && !of("one").italic);
    assert!(of("second").decorated && !of("first").decorated);
    assert!(of("fixed").fixed && !of("one").fixed);
    assert!(first(&page, &layout, "b").inline && !first(&page, &layout, "p").inline);
    // Elements that run within lines, and rows of tables, are around what they hold.
    assert_eq!(first(&page, &layout, "b").rect, of("bold").rect);
    let row = first(&page, &layout, "tr").rect;
    assert!(row.contains(of("cell").rect) && row.contains(of("other cell").rect));
    for (at, found) in layout.boxes.iter().enumerate() {
        assert!(found.parent.is_none_or(|parent| (parent as usize) < at));
        assert!(found.node.is_some_and(|node| (node as usize) < page.len()));
    }
}

#[test]
fn misnested_markup_leads_to_our_nodes() {
    let (page, layout) = layout("<p><b>one<p>two</b>three<select><option>four</select><table>five<tr><td>six</table>");
    assert_eq!(words(&page, &layout), ["one", "two", "three", "five", "six"]);
    assert!(line(&page, &layout, "two").bold && !line(&page, &layout, "three").bold);
}

#[test]
fn texts_of_one_paragraph_are_told_apart() {
    let (page, layout) = layout(
        "<body style='font:16px/20px monospace;margin:0'><p>a<!-- --> b <img width=10 height=10>c<span></span> d<em> e </em>f
        <ol style='list-style-position:inside'><li>x <i>y</i> z</ol><p style='text-transform:uppercase'>stra&szlig;e <b>weg</b> ende",
    );
    assert_eq!(words(&page, &layout), ["a", "b", "c", "d", "e", "f", "x", "y", "z", "straße", "weg", "ende"]);
    let lines = texts(&page, &layout);
    assert!(lines[..6].is_sorted_by(|a, b| a.1.right <= b.1.left), "{lines:?}");
    assert!(lines[6..9].is_sorted_by(|a, b| a.1.right <= b.1.left), "{lines:?}");
}

#[test]
fn long_texts_break_into_lines_and_white_space_has_none() {
    let (page, layout) =
        layout(&format!("<body style='margin:0;width:300px;font:16px/20px serif'><p>{}</p> <p> &nbsp; </p>", "word ".repeat(40)));
    let lines = texts(&page, &layout);
    assert!(lines.len() > 3 && lines.iter().all(|(_, rect)| rect.left == 0 && rect.right <= 300), "{lines:?}");
    assert!(lines.windows(2).all(|pair| pair[1].1.top - pair[0].1.top == 20));
}

#[test]
fn files_of_the_folder_are_found_and_images_have_a_mean_colour() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("css")).unwrap();
    // Not UTF-8, and with another sheet in it.
    std::fs::write(folder.path().join("css/style.css"), b"@import 'more.css'; /* \xe9 */ p{position:absolute;left:123px}")
        .unwrap();
    for (name, css) in [("more", "p{color:#123456}"), ("last", "p{font-size:20px}"), ("none", "p{display:none}")] {
        std::fs::write(folder.path().join(format!("css/{name}.css")), css).unwrap();
    }
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::from_pixel(40, 30, image::Rgba([0x33, 0x66, 0xcc, 255]))
        .write_to(&mut png, image::ImageFormat::Png)
        .unwrap();
    std::fs::write(folder.path().join("blue.png"), png.into_inner()).unwrap();
    let page = Page::parse(
        "<!doctype html><link rel=StyleSheet href=../css/style.css><link rel='alternate stylesheet' href=/none.css><link rel=stylesheet media=print href=/css/none.css>
        <style media='print, screen and (min-width: 9px)'>@import '/css/last.css';</style>
        <p>text</p><img src=/blue.png><img src='http://['><h1 style='background:url(/blue.png);width:40px;height:40px;text-indent:-999px'>name</h1><h2 style='background:url(/blue.png)'>text</h2>
        <iframe srcdoc='<p>inner' src=inner.html width=300 height=100></iframe>",
    );
    let files = Files { root: folder.path().to_owned(), page: PathBuf::from("pages/index.html") };
    let layout =
        Blitz::new(Options::default()).unwrap().render(&PageToRender::new(&page).with_subresources(Some(files))).unwrap().layout;
    let text = line(&page, &layout, "text");
    assert_eq!((text.rect.left, text.color, text.font_size), (123, Some(Color([0x12, 0x34, 0x56])), 20));
    let image = first(&page, &layout, "img");
    assert_eq!((image.color, image.rect.width(), image.rect.height()), (Some(Color([0x33, 0x66, 0xcc])), 40, 30));
    assert_eq!(first(&page, &layout, "h1").kind, BoxKind::Image);
    assert_eq!(first(&page, &layout, "h2").kind, BoxKind::Other);
    let frame = first(&page, &layout, "iframe");
    assert_eq!((frame.kind, frame.rect.width() / 10), (BoxKind::Image, 30));
}

#[test]
fn odd_pages_are_laid_out() {
    for html in [
        "",
        " ",
        "only text",
        "<frameset><frame src=a></frameset>",
        "<html></html>",
        "<svg viewBox='0 0 10 10'><text>drawn</text></svg>",
        "\0\u{ff}<",
    ] {
        let (page, layout) = layout(html);
        assert!(layout.boxes.iter().all(|found| found.node.is_none_or(|node| (node as usize) < page.len())), "{html}");
    }
    assert_eq!(words_of("only text"), ["only text"]);
    // Fonts that nobody has, and characters that no font has.
    assert_eq!(words_of("<p style='font-family:Nothing'>plain</p><p>漢字 and more</p>"), ["plain", "漢字 and more"]);
}

fn words_of(html: &str) -> Vec<String> {
    let (page, layout) = layout(html);
    words(&page, &layout)
}

#[test]
fn deep_and_long_pages_are_laid_out() {
    assert_eq!(words_of(&format!("{}deep", "<div>".repeat(400))), ["deep"]);
    let limits = Limits { depth: 10_000, ..Limits::default() };
    let page = Parser::new().limits(limits).parse(format!("{}deep{}<p>after", "<div>".repeat(5000), "</div>".repeat(5000)));
    let rendering = Blitz::new(Options::default()).unwrap().render(&PageToRender::new(&page)).unwrap();
    assert!(words(&page, &rendering.layout).contains(&"deep".to_owned()));
    assert!(rendering.notes[0].contains("512"), "{:?}", rendering.notes);
    let (page, layout) = layout(&"<p>paragraph <b>of</b> many</p>".repeat(5000));
    let lines = texts(&page, &layout);
    assert_eq!(lines.len(), 15_000);
    assert!(lines.is_sorted_by_key(|(_, rect)| rect.top));
}

#[test]
fn the_same_page_has_the_same_boxes() {
    assert_eq!(layout(COLUMNS).1, layout(COLUMNS).1);
}

/// Pieces of markup that layout engines stumble over.
const PIECES: [&str; 24] = [
    "<div style='float:left;width:40%'>",
    "</div>",
    "<p>",
    "text ",
    "&nbsp;",
    "<b>",
    "</i>",
    "<i>",
    "<table>",
    "<tr><td rowspan=3 colspan=0>",
    "</table>",
    "<ul style='display:inline'><li>",
    "<span style='display:contents'>",
    "<a href=x style='position:absolute;bottom:0'>",
    "<img src='data:,x' width=1e9 alt=words>",
    "<select><option>",
    "<svg><circle>",
    "<input type=submit value=go>",
    "<div style='display:grid'>",
    "<div style='display:flex;overflow:hidden;height:1px'>",
    "\u{5d0}\u{5d1} ",
    "<style>*{font:900 3px x;position:fixed;columns:3}</style>",
    "<h1 style='all:unset;zoom:9;transform:rotate(9deg)'>",
    "<br>",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn boxes_are_a_tree_over_nodes_of_the_page(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..30)) {
        let page = Page::parse(pieces.concat());
        match Blitz::new(Options::default()).unwrap().render(&PageToRender::new(&page)) {
            Ok(rendering) => {
                for (at, found) in rendering.layout.boxes.iter().enumerate() {
                    prop_assert!(found.parent.is_none_or(|parent| (parent as usize) < at));
                    prop_assert!(found.node.is_some_and(|node| (node as usize) < page.len()));
                    prop_assert!(found.kind != BoxKind::Text || !found.rect.is_empty());
                }
            }
            Err(error) => prop_assert!(matches!(error, RenderError::Failed { .. }), "{error}"),
        }
    }
}
