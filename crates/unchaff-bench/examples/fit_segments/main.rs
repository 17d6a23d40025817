//! Fits the model of `segments-auto` to pages on which people drew segments, and says what it reaches on pages that it was not fitted to.
//!
//! `cargo run --release -p unchaff-bench --example fit_segments -- LAYOUTS SUITE… > model.txt`, where LAYOUTS is the folder of boxes that `unchaff bench run
//! --layouts` keeps. Figures go to standard error: means over pages by cross-validation, each page being judged by a model that was fitted to others;
//! differences to the other techniques with their intervals; and what kinds were taken for what. What is after `+SUITE` is fitted to and not measured on. The model for `segments_auto/model.txt`, fitted
//! to all pages, goes to standard output.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

mod boosting;

use boosting::{Settings, fit};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use unchaff_bench::bootstrap::Paired;
use unchaff_bench::measure::segment_scores;
use unchaff_bench::suite::{Benchmark, Suite};
use unchaff_segment::registry;
use unchaff_segment::segmentation::{SegmentKind, SegmentTechnique, Segmentation};
use unchaff_segment::segments_auto::candidates::Candidates;
use unchaff_segment::segments_auto::features::{Features, features};
use unchaff_segment::segments_auto::{Model, SegmentsAuto};

const FOLDS: usize = 8;
const SEGMENTS: Settings = Settings { trees: 250, depth: 4, rate: 0.06, penalty: 6.0 };
const KINDS: Settings = Settings { trees: 40, depth: 3, rate: 0.1, penalty: 1.0 };
const MEASURES: [&str; 7] = ["whole", "exact", "f-1", "b3-characters-1", "f-2", "b3-characters-2", "ari-2"];
const OTHERS: [&[&str]; 6] = [
    &["visual-blocks"],
    &["visual-blocks:0.7"],
    &["visual-blocks:0.2"],
    &["visual-blocks:0.7", "visual-blocks:0.2"],
    &["dom-blocks"],
    &["vips"],
];

/// The kind that a label of the data stands for; none if it is for none of ours.
fn kind(label: &str) -> Option<SegmentKind> {
    Some(match label {
        "Header" => SegmentKind::Header,
        "Menu" => SegmentKind::Menu,
        "Content" => SegmentKind::Content,
        "Sidebar" => SegmentKind::Sidebar,
        "Article" | "Table" | "Author" => SegmentKind::Article,
        "LinkList" => SegmentKind::Links,
        "Logo" => SegmentKind::Logo,
        "Title" => SegmentKind::Title,
        "Searchbar" => SegmentKind::Search,
        "Image" => SegmentKind::Image,
        "Video" => SegmentKind::Video,
        "Comments" => SegmentKind::Comments,
        "Ad" => SegmentKind::Advertisement,
        "Footer" => SegmentKind::Footer,
        _ => return None,
    })
}

/// A page with what is learned from it.
struct Labelled {
    suite: String,
    /// Whether it is measured on.
    is_measured: bool,
    benchmark: Benchmark,
    rows: Vec<Features>,
    /// Whether each candidate is a segment of the first level, and of the second.
    targets: [Vec<bool>; 2],
    /// The segments of the data that are candidates: level, features, kind.
    kinds: Vec<(u8, Features, SegmentKind)>,
}

impl Labelled {
    fn new(suite: &str, is_measured: bool, benchmark: Benchmark) -> Labelled {
        let page = &benchmark.page;
        let Some(boxes) = &benchmark.boxes else { unreachable!("a page of a suite of segments has boxes") };
        let candidates = Candidates::new(page, &boxes.layout);
        let rows = features(&candidates);
        let mut targets = [vec![false; rows.len()], vec![false; rows.len()]];
        let mut kinds = Vec::new();
        for (level, label, gold) in &benchmark.gold.segments {
            let (items, characters) = (f64::from(candidates.items(*gold)), candidates.characters(*gold));
            if items == 0.0 || !(1..=2).contains(level) {
                continue;
            }
            let within = page.range(*gold);
            for (at, candidate) in candidates.list.iter().enumerate() {
                let range = page.range(candidate.outer);
                let nested = range.start <= within.start && within.end <= range.end
                    || within.start <= range.start && range.end <= within.end;
                if !nested {
                    continue;
                }
                let (own_items, own_characters) =
                    (f64::from(candidates.items(candidate.outer)), candidates.characters(candidate.outer));
                let exactly = own_items == items;
                // Nearly the same by characters, as the measure has it, and not all too different by lines and images.
                let nearly = own_characters.min(characters) >= 0.4 * (own_characters + characters)
                    && own_characters + characters > 0.0
                    && own_items.min(items) >= 0.3 * (own_items + items);
                targets[usize::from(*level) - 1][at] |= exactly || nearly;
                if exactly && let Some(kind) = kind(label) {
                    kinds.push((*level, rows[at], kind));
                }
            }
        }
        Labelled { suite: suite.to_owned(), is_measured, benchmark, rows, targets, kinds }
    }

    fn scores(&self, found: &[Segmentation]) -> BTreeMap<&'static str, f64> {
        segment_scores(&self.benchmark, found).into_iter().map(|score| (score.measure, score.f1)).collect()
    }
}

fn fitted(pages: &[&Labelled]) -> Model {
    let rows: Vec<Features> = pages.iter().flat_map(|page| page.rows.iter().copied()).collect();
    let targets = |level: usize| pages.iter().flat_map(|page| page.targets[level].iter().copied()).collect::<Vec<bool>>();
    let of_kinds = |level: u8, prefix: &str| {
        let labelled: Vec<&(u8, Features, SegmentKind)> =
            pages.iter().flat_map(|page| &page.kinds).filter(|(of, ..)| *of == level).collect();
        let rows: Vec<Features> = labelled.iter().map(|(_, row, _)| *row).collect();
        let seen: BTreeSet<SegmentKind> = labelled.iter().map(|(_, _, kind)| *kind).collect();
        let is = |kind: SegmentKind| labelled.iter().map(|(_, _, other)| *other == kind).collect::<Vec<bool>>();
        // Of what was seen a few times only nothing can be learned.
        let enough = seen.into_iter().filter(|kind| is(*kind).into_iter().filter(|is| *is).count() >= 4);
        enough.map(|kind| (kind, fit(&format!("{prefix}-{kind}"), &rows, &is(kind), KINDS))).collect::<Vec<_>>()
    };
    Model {
        area: fit("area", &rows, &targets(0), SEGMENTS),
        part: fit("part", &rows, &targets(1), SEGMENTS),
        area_kinds: of_kinds(1, "area"),
        part_kinds: of_kinds(2, "part"),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn line(name: &str, scores: &[(&Labelled, BTreeMap<&'static str, f64>)]) {
    let means = MEASURES.map(|measure| format!("{:>17.3}", mean(scores.iter().filter_map(|(_, of)| of.get(measure).copied()))));
    eprintln!("{name:38}{}", means.concat());
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [layouts, suites @ ..] = &arguments[..] else { return Err("say LAYOUTS SUITE…".into()) };
    let mut pages = Vec::new();
    for folder in suites {
        let is_measured = !folder.starts_with('+');
        for mut suite in Suite::open(Path::new(folder.trim_start_matches('+')))? {
            suite.keep_boxes_in(Path::new(layouts));
            for item in &suite.items {
                let benchmark = suite.load(item)?;
                if benchmark.is_rendered() && !benchmark.gold.segments.is_empty() {
                    pages.push(Labelled::new(&suite.name, is_measured, benchmark));
                }
            }
        }
    }
    let models: Vec<Arc<Model>> = (0..FOLDS)
        .map(|fold| {
            let others: Vec<&Labelled> = pages
                .iter()
                .enumerate()
                .filter(|(at, page)| at % FOLDS != fold || !page.is_measured)
                .map(|(_, page)| page)
                .collect();
            eprintln!("fitted without fold {fold}");
            Arc::new(fitted(&others))
        })
        .collect();

    let layout = |page: &'_ Labelled| page.benchmark.boxes.as_ref().map(|boxes| boxes.layout.clone()).unwrap_or_default();
    let ours: Vec<(&Labelled, BTreeMap<&'static str, f64>)> = pages
        .iter()
        .enumerate()
        .filter(|(_, page)| page.is_measured)
        .map(|(at, page)| {
            let technique = SegmentsAuto { model: Arc::clone(&models[at % FOLDS]), ..SegmentsAuto::default() };
            (page, page.scores(&[technique.segment(&page.benchmark.page, &layout(page))]))
        })
        .collect();
    let names: BTreeSet<&str> = ours.iter().map(|(page, _)| page.suite.as_str()).collect();
    eprintln!("{} pages\n{:38}{}", ours.len(), "", MEASURES.map(|measure| format!("{measure:>17}")).concat());
    line("segments-auto, cross-validated", &ours);
    for name in names {
        let of: Vec<_> = ours.iter().filter(|(page, _)| page.suite == name).cloned().collect();
        line(&format!("  {name}"), &of);
    }
    for other in OTHERS {
        let techniques: Vec<Box<dyn SegmentTechnique>> = other
            .iter()
            .map(|text| {
                let (name, most) = text.split_once(':').unwrap_or((text, "0.5"));
                let settings = if name == "visual-blocks" { vec![("most", most)] } else { Vec::new() };
                Ok(registry::find(name).ok_or("there is no such technique")?.technique(&settings)?)
            })
            .collect::<Result<_, Box<dyn Error>>>()?;
        let theirs: Vec<(&Labelled, BTreeMap<&'static str, f64>)> = pages
            .iter()
            .filter(|page| page.is_measured)
            .map(|page| {
                let layout = layout(page);
                let found: Vec<Segmentation> =
                    techniques.iter().map(|technique| technique.segment(&page.benchmark.page, &layout)).collect();
                (page, page.scores(&found))
            })
            .collect();
        let name = other.join("+");
        line(&name, &theirs);
        for measure in ["whole", "f-1", "f-2"] {
            let pairs: Vec<(f64, f64)> = ours
                .iter()
                .zip(&theirs)
                .filter_map(|(ours, theirs)| Some((*ours.1.get(measure)?, *theirs.1.get(measure)?)))
                .collect();
            if let Some(Paired { difference, interval: (low, high), wins, losses, .. }) = Paired::compare(&pairs) {
                eprintln!(
                    "    {measure}: segments-auto {difference:+.3} [{low:+.3}, {high:+.3}], better on {wins}, worse on {losses}"
                );
            }
        }
    }
    tell_kinds(&pages, &models);
    print!(
        "# Fitted by the example fit_segments of unchaff-bench: a line a tree.\n{}",
        fitted(&pages.iter().collect::<Vec<_>>()).lines()
    );
    Ok(())
}

/// What kinds were taken for what, on segments as they were drawn.
fn tell_kinds(pages: &[Labelled], models: &[Arc<Model>]) {
    let mut table: BTreeMap<(u8, SegmentKind), BTreeMap<SegmentKind, usize>> = BTreeMap::new();
    let (mut right, mut all) = ([0, 0], [0, 0]);
    for (at, page) in pages.iter().enumerate().filter(|(_, page)| page.is_measured) {
        for (level, row, kind) in &page.kinds {
            let Some(found) = models[at % FOLDS].kind(row, *level == 1) else { continue };
            *table.entry((*level, *kind)).or_default().entry(found).or_default() += 1;
            right[usize::from(*level) - 1] += usize::from(found == *kind);
            all[usize::from(*level) - 1] += 1;
        }
    }
    let share = |right: usize, all: usize| right as f64 / all.max(1) as f64;
    eprintln!(
        "kinds: {:.3} of {} areas, {:.3} of {} parts, {:.3} of all",
        share(right[0], all[0]),
        all[0],
        share(right[1], all[1]),
        all[1],
        share(right[0] + right[1], all[0] + all[1])
    );
    for ((level, kind), found) in table {
        let found: Vec<String> = found.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        eprintln!("  level {level} {kind:14} {}", found.join(", "));
    }
}
