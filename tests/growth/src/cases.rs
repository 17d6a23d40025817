//! What is measured: reading a page, every technique, every way of writing what was found.

use crate::memory;
use unchaff::compare::SiteTechnique;
use unchaff::dom::site::{LoadedSite, PageId, Site};
use unchaff::dom::{emit, metadata};
use unchaff::{Extractor, NodeSet, Page, Parser, SiteExtractor, SiteModel, registry};
use unchaff_segment::document::SegmentDocument;
use unchaff_segment::layout::{BoxKind, Layout, RenderedBox};
use unchaff_segment::rect::Rect;
use unchaff_segment::renderer::Rendering;

/// A page of a shape, the way each kind of case needs it.
pub struct Subject {
    pub html: String,
    pub page: Page,
    /// What the page takes in memory.
    pub held: usize,
    rendering: Rendering,
    /// Every other text of the page, as techniques that choose among texts find them: many roots.
    texts: NodeSet,
    /// Four pages, together as long as the page.
    site: LoadedSite,
}

impl Subject {
    pub fn new(make: fn(usize, u64) -> String, size: usize) -> Subject {
        let html = make(size, 0);
        let at = |number: u64, html: String| Parser::new().url(&format!("https://example.org/page{number}")).parse(html);
        let before = memory::reset_peak();
        let page = at(0, html.clone());
        let held = memory::held() - before;
        let rendering = Rendering { layout: laid_out(&page), ..Rendering::default() };
        let texts = NodeSet::from_nodes(&page, page.nodes().filter(|node| page.name(*node) == "#text").step_by(2));
        let site = LoadedSite::new((0..4).map(|number| at(number, make(size / 4, number))));
        Subject { html, page, held, rendering, texts, site }
    }
}

/// The page as a simple renderer would set it: texts below each other, twenty pixels a line, those in one parent beside each other.
fn laid_out(page: &Page) -> Layout {
    let (mut boxes, mut top, mut left, mut last) = (Vec::new(), 0, 0, None);
    for node in page.nodes().filter(|node| page.name(*node) == "#text" && !page.text(*node).trim().is_empty()) {
        let width = 8 * page.text(node).len().min(100) as i32;
        let block = page.ancestors(node).nth(1);
        if block != last || left + width > 1000 {
            (top, left, last) = (top + 20 + 4 * (node.0 % 3) as i32, 0, block);
        }
        let rect = Rect::from([left, top, left + width, top + 16]);
        left += width + 6;
        boxes.push(RenderedBox { node: Some(node.0), font_size: 14, ..RenderedBox::new(BoxKind::Text, rect) });
    }
    Layout { width: 1000, height: top + 20, boxes }
}

/// Something whose cost is measured. What it makes is handed back, so that nothing is left out as unused.
pub struct Case {
    pub name: String,
    pub run: Box<dyn Fn(&Subject) -> usize>,
}

fn case(name: impl Into<String>, run: impl Fn(&Subject) -> usize + 'static) -> Case {
    Case { name: name.into(), run: Box::new(run) }
}

fn writes(name: &str, write: fn(&Page, &NodeSet) -> String) -> [Case; 2] {
    [
        case(format!("write {name}"), move |subject| write(&subject.page, &subject.page.subtree_set(subject.page.root())).len()),
        case(format!("write {name}, every other text"), move |subject| write(&subject.page, &subject.texts).len()),
    ]
}

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        case("read", |subject| Parser::new().url("https://example.org/").parse(subject.html.clone()).len()),
        case("metadata", |subject| usize::from(metadata::metadata(&subject.page).title.is_some())),
        case("links", |subject| subject.page.links().count()),
        case("paths", |subject| {
            let (paths, css) = (subject.page.paths(), subject.page.css_paths());
            subject.page.nodes().step_by(20).map(|node| paths.of(node).len() + css.of(node).len()).sum()
        }),
    ];
    cases.extend(writes("text", emit::text));
    cases.extend(writes("markdown", emit::markdown));
    cases.extend(writes("html", emit::html));
    cases.extend(writes("skeleton", emit::skeleton));
    cases.extend(writes("hidden", emit::hidden));
    cases.extend(writes("replaced", |page, nodes| emit::replaced(page, nodes, emit::Filler::Placeholder)));
    cases.extend(writes("deleted", emit::deleted));
    cases.extend(writes("restructured", |page, nodes| emit::restructured(page, nodes, &NodeSet::new(page))));
    cases.extend(writes("highlighted", |page, nodes| emit::highlighted(page, &[("content", nodes)])));
    cases.extend(writes("annotated", |page, nodes| emit::annotated(page, &[("content", nodes)])));
    cases.push(case("write the text of every other text for itself", |subject| {
        let texts = emit::Texts::new(&subject.page, &subject.texts);
        subject.texts.roots(&subject.page).iter().map(|root| texts.below(&[*root]).len()).sum()
    }));
    for entry in registry::all() {
        cases.push(case(entry.name, |subject| entry.default_technique().detect(&subject.page).blocks.len()));
        let extractor = move || Extractor::with_settings(entry, &[]).expect("no setting, none wrong");
        cases.push(case(format!("{} --explain", entry.name), move |subject| {
            let extraction = extractor().explain(&subject.page);
            extraction.table().len() + extraction.annotated().len() + extraction.json(None).len()
        }));
    }
    for entry in unchaff::compare::registry::all() {
        let technique: Box<dyn SiteTechnique> = entry.default_technique();
        cases.push(case(entry.name, move |subject| {
            technique.detect(&subject.site, PageId(0)).map_or(0, |detection| detection.blocks.len())
        }));
        let extractor = SiteExtractor::with_settings(entry, &[]).expect("no setting, none wrong");
        cases.push(case(format!("{} --explain", entry.name), move |subject| {
            let key = subject.site.load(PageId(0)).expect("it is in memory");
            let extraction = extractor.explain(&subject.site, PageId(0), &key).expect("it is in memory");
            extraction.table().len() + extraction.json(None).len()
        }));
    }
    cases.push(case("learn a site", |subject| {
        let pages = subject.site.known().into_iter().filter_map(|page| subject.site.load(page).ok());
        let pages: Vec<_> = pages.collect();
        SiteModel::learn(pages.iter().map(|page| &**page)).to_bytes().len()
    }));
    for entry in unchaff_segment::registry::all() {
        let technique = entry.default_technique();
        cases.push(case(format!("segment {}", entry.name), move |subject| {
            let found = technique.segment(&subject.page, &subject.rendering.layout);
            let document = SegmentDocument::new(entry.name, &subject.page, &found, &subject.rendering);
            let marked = unchaff_segment::document::annotated(&subject.page, &found);
            document.segments.len() + marked.len()
        }));
    }
    cases
}
