//! Pages: read, understood by every technique, and written in every form.

use crate::soup;
use unchaff::compare::SiteTechnique;
use unchaff::dom::emit;
use unchaff::dom::site::{LoadedSite, PageId, Site};
use unchaff::{BlockKind, Extraction, Extractor, Format, NodeSet, Page, Parser, SiteExtractor, SiteModel, registry};
use unchaff_segment::document::{SegmentDocument, annotated};
use unchaff_segment::layout::{BoxKind, Layout, RenderedBox};
use unchaff_segment::rect::Rect;
use unchaff_segment::renderer::Rendering;

fn read(html: impl Into<Vec<u8>>) -> Page {
    Parser::new().url("https://example.org/a/b").parse(html)
}

/// One of a list, and the bytes that are left.
fn choose<'b, T>(list: &'static [T], bytes: &'b [u8]) -> Option<(&'static T, &'b [u8])> {
    let (first, rest) = bytes.split_first()?;
    Some((&list[usize::from(*first) % list.len()], rest))
}

/// Any bytes are a page, whatever their charset.
pub fn bytes(bytes: &[u8]) {
    let page = read(bytes);
    check_tree(&page);
    check_writing(&page, &page.subtree_set(page.root()));
}

/// A page of tag soup, all of it and a part.
pub fn tree(bytes: &[u8]) {
    let page = read(soup::page(bytes));
    check_tree(&page);
    check_writing(&page, &page.subtree_set(page.root()));
    let odd = NodeSet::from_nodes(&page, page.nodes().skip(1).step_by(3));
    check_writing(&page, &odd);
}

fn check_tree(page: &Page) {
    let paths = page.paths();
    for node in page.nodes() {
        assert_eq!(page.at_path(&paths.of(node)), Some(node));
        assert!(page.source().get(page.source_range(node)).is_some());
    }
    assert!(page.links().all(|link| link.node.index() < page.len()));
}

fn check_writing(page: &Page, nodes: &NodeSet) {
    let text = emit::text(page, nodes);
    let has_code = || page.nodes().any(|node| page.is_element(node) && emit::is_listing(page, node));
    assert!(!text.contains("\n\n\n") || has_code());
    let _ = emit::markdown(page, nodes);
    let clean = Page::parse(emit::html(page, nodes));
    for node in clean.nodes() {
        assert!(clean.name(node) != "script");
        assert!(clean.attrs(node).all(|(name, value)| !name.starts_with("on") && !value.trim_start().starts_with("javascript:")));
    }
    let _ = (emit::skeleton(page, nodes), emit::ranges(page, nodes));
    for written in [emit::hidden(page, nodes), emit::deleted(page, nodes), emit::restructured(page, nodes, &NodeSet::new(page))] {
        assert_inert(&Page::parse(written));
    }
    let _ = emit::replaced(page, nodes, emit::Filler::Placeholder);
    let _ = emit::highlighted(page, &[("content", nodes)]);
    let marked = Page::parse(emit::annotated(page, &[("content", nodes)]));
    assert_eq!(names(page), names(&marked));
}

/// Nothing in a page that is written for a browser runs.
fn assert_inert(page: &Page) {
    for node in page.nodes().filter(|node| page.is_element(*node)) {
        let runs = |name: &str, value: &str| {
            name.starts_with("on") || matches!(name, "href" | "src" | "action") && value.trim_start().starts_with("javascript:")
        };
        assert!(page.attrs(node).all(|(name, value)| !runs(name, value)));
        assert!(page.name(node) != "script" || page.attr(node, "type") == Some("text/plain"));
    }
}

fn names(page: &Page) -> Vec<&str> {
    page.nodes().filter(|node| page.is_element(*node)).map(|node| page.name(node)).collect()
}

/// Each technique that looks at a page.
pub fn technique(bytes: &[u8]) {
    let Some((entry, rest)) = choose(registry::all(), bytes) else { return };
    let page = read(soup::page(rest));
    let extractor = Extractor::with_settings(entry, &[]).expect("no setting, none wrong");
    check_extraction(&page, entry.kind, &extractor.explain(&page));
    assert_eq!(extractor.extract(&page).detection(), extractor.explain(&page).detection());
}

fn check_extraction(page: &Page, kind: BlockKind, extraction: &Extraction<'_>) {
    assert!(extraction.detection().nodes(kind).is_some());
    assert!(extraction.detection().blocks.iter().all(|block| block.nodes.iter().all(|node| node.index() < page.len())));
    for format in Format::ALL {
        let _ = extraction.render(format);
    }
    let _ = extraction.table();
    let json = extraction.json(Some("x"));
    let read: unchaff::ExtractionRecord = serde_json::from_str(&json).expect("what is written can be read");
    assert_eq!(read.json(), json);
}

/// Each technique that compares pages, on a site of a few, and the model of the site.
pub fn site(bytes: &[u8]) {
    let Some((entry, rest)) = choose(unchaff::compare::registry::all(), bytes) else { return };
    // 255 divides pages.
    let pages = rest.split(|byte| *byte == 255).take(5).enumerate();
    let pages: Vec<Page> = pages
        .map(|(at, bytes)| {
            let links: String = (0..5).map(|to| format!("<a href=/{to}>Part {to}</a>")).collect();
            Parser::new().url(&format!("https://example.org/{at}")).parse(format!("{links}{}", soup::page(bytes)))
        })
        .collect();
    let model = SiteModel::learn(&pages);
    let (half, other) = pages.split_at(pages.len() / 2);
    let mut merged = SiteModel::learn(half);
    merged.merge(SiteModel::learn(other));
    assert_eq!(merged.to_bytes(), model.to_bytes());
    assert_eq!(SiteModel::from_bytes(&model.to_bytes()).expect("what is written can be read").to_bytes(), model.to_bytes());
    let _ = model.detect(&pages[0]);
    let site = LoadedSite::new(pages);
    let key = site.load(PageId(0)).expect("it is in memory");
    let technique: Box<dyn SiteTechnique> = entry.default_technique();
    assert!(technique.detect(&site, PageId(0)).expect("it is in memory").nodes(entry.kind).is_some());
    let extractor = SiteExtractor::with_settings(entry, &[]).expect("no setting, none wrong");
    check_extraction(&key, entry.kind, &extractor.explain(&site, PageId(0), &key).expect("it is in memory"));
}

/// Each technique that finds segments, on boxes that are anywhere.
pub fn segment(bytes: &[u8]) {
    let Some((entry, rest)) = choose(unchaff_segment::registry::all(), bytes) else { return };
    let (boxes, html) = rest.split_at(rest.len() / 2);
    let page = read(soup::page(html));
    let boxes = boxes.chunks_exact(6).map(|bytes| {
        let [left, top, width, height, node, kind] = bytes.try_into().expect("six of them");
        let at = |place: u8| (i32::from(place) - 20) * 8;
        let rect = Rect::from([at(left), at(top), at(left) + i32::from(width), at(top) + i32::from(height)]);
        let kind = [BoxKind::Text, BoxKind::Image, BoxKind::Other][usize::from(kind % 3)];
        RenderedBox { node: Some(u32::from(node)), inline: width % 2 == 0, ..RenderedBox::new(kind, rect) }
    });
    let rendering = Rendering::from(Layout { width: 1500, height: 1800, boxes: boxes.collect() });
    let found = entry.default_technique().segment(&page, &rendering.layout);
    let document = SegmentDocument::new(entry.name, &page, &found, &rendering);
    let _ = document.to_json().expect("numbers are finite");
    assert_eq!(names(&page), names(&Page::parse(annotated(&page, &found))));
}

/// What a page says of itself: bytes as JSON-LD, as values of `meta`, and as text where dates and names stand.
pub fn metadata(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (kind, text) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    let value = text.replace('"', "&quot;");
    let html = match kind.bytes().next().unwrap_or(0) % 5 {
        0 => format!("<script type=application/ld+json>{text}</script><p>x"),
        1 => {
            let named =
                ["author", "date", "og:title", "article:published_time", "description", "og:image", "og:locale", "og:site_name"];
            named.iter().map(|name| format!("<meta property={name} name={name} content=\"{value}\">")).collect()
        }
        2 => format!("<title>{text}</title><h1>{text}</h1><time datetime=\"{value}\">{text}</time><p class=byline>{text}</p>"),
        3 => format!(
            "<html lang=\"{value}\"><link rel=canonical href=\"{value}\"><base href=\"{value}\"><a rel=author href=x>{text}</a>"
        ),
        _ => format!(
            "<div itemscope itemtype=https://schema.org/Article><span itemprop=author>{text}</span><meta itemprop=datePublished content=\"{value}\">"
        ),
    };
    let page = read(html);
    let found = unchaff::dom::metadata::metadata(&page);
    for date in found.published.iter().chain(&found.modified) {
        assert!(date.value.len() >= 4 && date.value.is_ascii(), "{}", date.value);
    }
    let _ = unchaff::dom::metadata::embedded_text(&page, 20);
}
