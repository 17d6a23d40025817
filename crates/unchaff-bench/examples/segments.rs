//! Measures techniques of segmentation on a suite of segments.
//!
//! `cargo run --release -p unchaff-bench --example segments -- SUITE LAYOUTS [TECHNIQUE[:PARAMETER=VALUE,…]…]`
//!
//! Pages are rendered once; their boxes are kept in the folder LAYOUTS. A line of the output is the mean over all pages.
//! Techniques joined by `+` are taken together, for gold with segments in segments. `UNCHAFF_SPLIT=train` or `eval` takes half of the
//! pages; with `UNCHAFF_EACH=1` there is a line for each page too.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;
use unchaff_bench::measure::segments::{bcubed, box_scores, whole_segments};
use unchaff_bench::suite::{Benchmark, Item, Split, Suite};
use unchaff_segment::chromium::{Chromium, Files, Options};
use unchaff_segment::layout::{BoxKind, Layout};
use unchaff_segment::registry;
use unchaff_segment::segmentation::{SegmentTechnique, Segmentation};

const COLUMNS: [&str; 9] = ["F", "ARI", "b3-nodes", "b3-chars", "b3-pixels", "exact", "near", "segments", "ms"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [suite, layouts, techniques @ ..] = &arguments[..] else { return Err("say SUITE LAYOUTS [TECHNIQUE…]".into()) };
    std::fs::create_dir_all(layouts)?;
    let mut browser = None;
    let mut pages = Vec::new();
    for suite in Suite::open(Path::new(suite))? {
        for item in &suite.items {
            let split = item.split.map(Split::as_str).unwrap_or_default();
            if std::env::var("UNCHAFF_SPLIT").is_ok_and(|wanted| wanted != split) {
                continue;
            }
            let benchmark = suite.load(item)?;
            let layout = layout_of(item, &benchmark, &suite.root, Path::new(layouts), &mut browser)?;
            pages.push((item.id.clone(), benchmark, layout));
        }
    }
    drop(browser);
    let named: Vec<String> = registry::all().iter().map(|entry| entry.name.to_owned()).collect();
    for level in [1, 2, 0] {
        println!("\n{} pages, level {}", pages.len(), if level == 0 { "1 and 2".to_owned() } else { level.to_string() });
        println!("{:40}{}", "", COLUMNS.map(|column| format!("{column:>11}")).concat());
        for name in if techniques.is_empty() { &named } else { techniques } {
            let techniques: Vec<Box<dyn SegmentTechnique>> = name.split('+').map(technique).collect::<Result<_, _>>()?;
            let scores: Vec<[f64; 9]> =
                pages.iter().map(|(_, benchmark, layout)| measure(benchmark, layout, &techniques, level)).collect();
            if std::env::var_os("UNCHAFF_EACH").is_some() {
                pages.iter().zip(&scores).for_each(|((id, ..), scores)| println!("  {id:38}{}", line(scores)));
            }
            let mean: [f64; 9] =
                std::array::from_fn(|at| scores.iter().map(|scores| scores[at]).sum::<f64>() / scores.len().max(1) as f64);
            println!("{name:40}{}", line(&mean));
        }
    }
    Ok(())
}

/// The technique of `NAME` or `NAME:PARAMETER=VALUE,…`.
fn technique(text: &str) -> Result<Box<dyn SegmentTechnique>, Box<dyn Error>> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    let settings: Vec<(&str, &str)> = settings.split(',').filter_map(|setting| setting.split_once('=')).collect();
    Ok(registry::find(name).ok_or_else(|| format!("there is no technique {name}"))?.technique(&settings)?)
}

fn line(values: &[f64; 9]) -> String {
    values.iter().map(|value| format!("{value:11.4}")).collect()
}

fn layout_of(
    item: &Item,
    benchmark: &Benchmark,
    root: &Path,
    layouts: &Path,
    browser: &mut Option<Chromium>,
) -> Result<Layout, Box<dyn Error>> {
    let kept = layouts.join(format!("{}.json", item.id.replace('/', "_")));
    if let Ok(json) = std::fs::read(&kept) {
        return Ok(Layout::from_json(&json)?);
    }
    let mut chromium = match browser.take() {
        Some(browser) => browser,
        None => Chromium::new(Options { time_limit: std::time::Duration::from_secs(120), ..Options::default() })?,
    };
    let page = item.page_file().ok_or("the page is in no folder")?;
    let host = page.strip_prefix(root)?.components().next().ok_or("the page is in no folder")?;
    let files = Files { root: root.join(host), page: page.strip_prefix(root.join(host))?.to_owned() };
    let start = Instant::now();
    let rendering = chromium.render(&benchmark.page, Some(&files), false)?;
    eprintln!("{}: {} boxes in {:?} {:?}", item.id, rendering.layout.boxes.len(), start.elapsed(), rendering.notes);
    std::fs::write(PathBuf::from(&kept), rendering.layout.to_json())?;
    *browser = Some(chromium);
    Ok(rendering.layout)
}

fn measure(benchmark: &Benchmark, layout: &Layout, techniques: &[Box<dyn SegmentTechnique>], level: u8) -> [f64; 9] {
    let page = &benchmark.page;
    let content: Vec<u32> = layout.content().collect();
    let item = |at: u32| content.binary_search(&at).map(|item| item as u32).ok();
    let start = Instant::now();
    let segmentations: Vec<Segmentation> = techniques.iter().map(|technique| technique.segment(page, layout)).collect();
    let time = start.elapsed().as_secs_f64() * 1000.0;
    let segments = segmentations.iter().flat_map(|segmentation| &segmentation.segments);
    let mut found: Vec<Vec<u32>> = segments.map(|segment| segment.boxes.iter().filter_map(|at| item(*at)).collect()).collect();
    found.sort_unstable();
    found.dedup();
    let node = |at: u32| layout.boxes[at as usize].node;
    let inside = |at: u32, range: &std::ops::Range<usize>| node(at).is_some_and(|node| range.contains(&(node as usize)));
    let gold: Vec<Vec<u32>> = benchmark
        .gold
        .segments
        .iter()
        .filter(|(of_level, ..)| level == 0 || *of_level == level)
        .map(|(_, _, node)| {
            let range = page.range(*node);
            content.iter().filter(|at| inside(**at, &range)).filter_map(|at| item(*at)).collect::<Vec<u32>>()
        })
        .filter(|segment| !segment.is_empty())
        .collect();
    let mut boxes_of: std::collections::HashMap<Option<u32>, f64> = std::collections::HashMap::new();
    content.iter().for_each(|at| *boxes_of.entry(node(*at)).or_default() += 1.0);
    let nodes: Vec<f64> = content.iter().map(|at| 1.0 / boxes_of[&node(*at)]).collect();
    let chars = |at: &u32| match (layout.boxes[*at as usize].kind, node(*at)) {
        (BoxKind::Text, Some(text)) => f64::from(page.counts(unchaff_dom::NodeId(text)).chars) / boxes_of[&Some(text)],
        _ => 0.0,
    };
    let characters: Vec<f64> = content.iter().map(chars).collect();
    let pixels: Vec<f64> = content.iter().map(|at| layout.boxes[*at as usize].rect.area() as f64).collect();
    let (score, ari) = box_scores(&found, &gold);
    [
        score.f1,
        ari,
        bcubed(&nodes, &found, &gold).f1,
        bcubed(&characters, &found, &gold).f1,
        bcubed(&pixels, &found, &gold).f1,
        whole_segments(&characters, &found, &gold, 1.0).f1,
        whole_segments(&characters, &found, &gold, 0.8).f1,
        found.len() as f64,
        time,
    ]
}
