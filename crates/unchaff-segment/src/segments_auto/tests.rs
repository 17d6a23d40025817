use super::*;
use crate::layout::{BoxKind, RenderedBox};
use crate::rect::Rect;

/// A page whose texts are set by hand: each text is its own place, `left,top,right,bottom`.
fn set(html: &str) -> (Page, Layout) {
    let page = Page::parse(html);
    let boxes = page.nodes().filter(|node| page.name(*node) == "#text" && page.counts(*node).chars > 0).map(|node| {
        let edges: Vec<i32> = page.text(node).trim().split(',').map(|edge| edge.trim().parse().unwrap()).collect();
        let rect = Rect::from([edges[0], edges[1], edges[2], edges[3]]);
        RenderedBox { node: Some(node.0), font_size: 16, ..RenderedBox::new(BoxKind::Text, rect) }
    });
    let boxes: Vec<RenderedBox> = boxes.collect();
    let height = boxes.iter().map(|rendered| rendered.rect.bottom).max().unwrap_or_default();
    (page, Layout { width: 1000, height, boxes })
}

/// A model with one question for areas and one for parts.
fn model(area: &str, part: &str) -> Arc<Model> {
    let text = format!(
        "area {area} : -9000 9000\npart {part} : -9000 9000\narea-header top>0.5 : 9000 -9000\narea-footer top>0.5 : -9000 9000\n"
    );
    Arc::new(Model::read(&text).unwrap())
}

fn texts(page: &Page, found: &Segmentation) -> Vec<(u32, String)> {
    let text = |nodes: &[NodeId]| nodes.iter().map(|node| page.text(*node).replace(",0", "")).collect::<Vec<_>>().join("|");
    found.levels().into_iter().zip(&found.segments).map(|(level, segment)| (level, text(&segment.nodes))).collect()
}

const PAGE: &str = "<body><div class=head><p>0,0,900,40</p></div><div><div class=side><p>0,60,200,800</p><p>0,820,200,900</p></div>\
    <p>300,60,900,300</p><p>300,310,900,900</p></div><footer>0,950,900,990</footer></body>";

#[test]
fn areas_and_parts_are_those_of_which_the_sum_is_best() {
    let (page, layout) = set(PAGE);
    let technique = SegmentsAuto { model: model("named-head>0.5", "named-side>0.5"), ..SegmentsAuto::default() };
    let found = technique.segment(&page, &layout);
    // What is in no area by itself is one with its neighbours, and has its parts.
    let areas: Vec<String> = texts(&page, &found).into_iter().filter(|(level, _)| *level == 1).map(|(_, text)| text).collect();
    assert_eq!(areas.len(), 2, "{areas:?}");
    assert_eq!(areas[0], "0,0,900,40".replace(",0", ""));
    assert!(areas[1].contains('|') && areas[1].ends_with("0,950,900,990"));
    let parts: Vec<u32> = found.segments.iter().filter_map(|segment| segment.parent).collect();
    assert_eq!(parts, [1]);
    assert!(found.unclustered.is_empty());
    let degrees: Vec<f64> = found.segments.iter().filter_map(|segment| segment.coherence).collect();
    assert!(degrees[0] > 9.0 && degrees[1] < 2.0 && degrees[2] > 9.0, "{degrees:?}");
    assert_eq!(found.segments[0].kind, Some(SegmentKind::Header));
}

/// A shop: a heading, three products in two rows, and a note.
const SHOP: &str = "<body><div class=side><h1>0,0,900,40</h1>\
    <div><div class=head><p>0,60,200,100</p><b>0,110,200,150</b></div><div class=head><p>300,60,500,100</p><b>300,110,500,150</b></div></div>\
    <div><div class=head><p>0,160,200,200</p><b>0,210,200,250</b></div></div><p>0,300,900,340</p></div><footer>0,950,900,990</footer></body>";

#[test]
fn like_records_are_put_together_in_a_run_of_their_level() {
    let (page, layout) = set(SHOP);
    let technique = SegmentsAuto { model: model("named-side>0.5", "named-head>0.5"), ..SegmentsAuto::default() };
    let found = technique.segment(&page, &layout);
    let told: Vec<(u32, Option<u32>, bool)> = (found.levels().into_iter().zip(&found.segments))
        .map(|(level, segment)| (level, segment.parent, segment.is_run()))
        .collect();
    assert_eq!(
        told,
        [(1, None, false), (2, Some(0), true), (2, Some(1), false), (2, Some(1), false), (2, Some(1), false), (1, None, false)]
    );
    assert_eq!(found.segments[1].boxes.len(), 6);
    // A part is never less coherent than the whole.
    for segment in &found.segments {
        let whole = segment.parent.map(|parent| found.segments[parent as usize].coherence);
        assert!(whole.is_none_or(|whole| whole <= segment.coherence), "{found:?}");
    }
    // The cut at the second level has the records, and the rest of the area beside them.
    let cut = found.level(&page, &layout, 2);
    assert_eq!(cut.segments.iter().map(|segment| segment.boxes.len()).collect::<Vec<_>>(), [2, 2, 2, 2, 1]);
    assert_eq!(found.level(&page, &layout, 1).segments.len(), 2);
}

#[test]
fn two_records_and_plain_links_are_no_run() {
    let product =
        |left: i32| format!("<div class=head><p>{left},60,{},100</p><b>{left},110,{},150</b></div>", left + 90, left + 90);
    let link = |left: i32| format!("<li class=head><a href=/>{left},200,{},220</a></li>", left + 90);
    let kinds = |inside: String| {
        let (page, layout) = set(&format!("<body><div class=side><h1>0,0,900,40</h1>{inside}</div><p>0,500,90,520</p></body>"));
        let technique = SegmentsAuto { model: model("named-side>0.5", "named-head>0.5"), ..SegmentsAuto::default() };
        technique.segment(&page, &layout).segments.iter().filter(|segment| segment.is_run()).count()
    };
    assert_eq!(kinds([0, 100].map(product).concat()), 0);
    assert_eq!(kinds([0, 100, 200, 300].map(link).concat()), 0);
    assert_eq!(kinds([0, 100, 200].map(product).concat()), 1);
}

#[test]
fn a_price_that_nothing_pays_leaves_the_page_whole() {
    let (page, layout) = set(PAGE);
    let params = Params { area_price: 1.0, part_price: 1.0 };
    let found = SegmentsAuto { params, ..SegmentsAuto::default() }.segment(&page, &layout);
    assert_eq!(found.segments.len(), 1);
    assert_eq!(found.segments[0].boxes.len(), layout.boxes.len());
}

#[test]
fn the_model_of_the_program_is_read_and_comes_back() {
    let model = Model::read(include_str!("model.txt")).unwrap();
    assert_eq!(Model::read(&model.lines()).unwrap(), model);
    assert!(!model.area.trees.is_empty() && !model.part.trees.is_empty());
    assert!(model.area_kinds.len() > 2 && model.part_kinds.len() > 4);
    for wrong in ["area width : 1 2", "area width>x : 1 2", "area width>1 : 1", "area nothing>1 : 1 2", "other width>1 : 1 2"] {
        assert!(Model::read(wrong).is_none(), "{wrong}");
    }
}

#[test]
fn features_of_one_page_are_those_of_the_same_page_twice_as_large() {
    let (page, layout) = set(PAGE);
    let mut large = Layout { width: 2 * layout.width, height: 2 * layout.height, boxes: layout.boxes.clone() };
    for rendered in &mut large.boxes {
        let [left, top, right, bottom]: [i32; 4] = rendered.rect.into();
        rendered.rect = Rect::from([2 * left, 2 * top, 2 * right, 2 * bottom]);
    }
    let (small, large) = (features(&Candidates::new(&page, &layout)), features(&Candidates::new(&page, &large)));
    for (one, other) in small.iter().zip(&large) {
        for (at, name) in features::NAMES.iter().enumerate() {
            let is_absolute =
                ["log-height", "log-width", "top-pixels", "page-height", "gap-before", "gap-after", "proportions"].contains(name);
            assert!(is_absolute || (one[at] - other[at]).abs() < 1e-3, "{name}: {} {}", one[at], other[at]);
        }
    }
}

#[test]
fn a_page_of_many_siblings_costs_what_it_should() {
    let texts: String = (0..20_000).map(|at| format!("<p class=c{at}>0,{},100,{}</p>", 20 * at, 20 * at + 16)).collect();
    let (page, layout) = set(&format!("<body>{texts}</body>"));
    let found = SegmentsAuto::default().segment(&page, &layout);
    let boxes: usize = found.segments.iter().filter(|segment| segment.parent.is_none()).map(|segment| segment.boxes.len()).sum();
    assert_eq!(boxes, 20_000);
}
