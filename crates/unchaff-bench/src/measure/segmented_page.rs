//! A page on which segments were drawn, and what a segmentation of it is worth.
//!
//! What segments are made of are the text lines and images that the browser made of the page; a line weighs its part of the text node
//! it is from, and of its characters. A page that was not rendered has texts and images of the tree instead, which are not the same
//! items (nothing hides them, and no line is broken), so measures by them have names of their own.

use super::segments::{SegmentScore, bcubed, box_scores, whole_segments};
use super::{SEGMENTS, Score, f_measure};
use crate::gold::kind_of_label;
use crate::suite::Benchmark;
use std::collections::HashMap;
use unchaff_dom::{NodeId, Page};
use unchaff_segment::layout::{BoxKind, Layout};
use unchaff_segment::segmentation::{Segment, SegmentKind, Segmentation};

/// The measures of the two levels: over boxes, then extended BCubed by weights.
const BY_LEVEL: [[&str; 5]; 2] = [
    ["f-1", "ari-1", "b3-nodes-1", "b3-characters-1", "b3-pixels-1"],
    ["f-2", "ari-2", "b3-nodes-2", "b3-characters-2", "b3-pixels-2"],
];

/// The measures of a page that was not rendered.
const UNRENDERED: [[&str; 2]; 2] = [["b3-tree-nodes-1", "b3-tree-characters-1"], ["b3-tree-nodes-2", "b3-tree-characters-2"]];

/// From which share of the mean of both two segments are nearly the same (R. Kreuzer et al., ICWE 2015).
const NEARLY: f64 = 0.8;

/// The scores of segments found, by the gold of each level: `f` and `ari` over boxes (J. Zelený 2017, §9.2.2), `b3-nodes`, `b3-characters` and
/// `b3-pixels`; and by both levels together `whole` and `exact`, the segments that were found as a whole, nearly or exactly. On a
/// page that was not rendered, `b3-tree-nodes` and `b3-tree-characters`. Several segmentations count as one with the segments of all. No
/// score by a level that has no gold. A tree of segments is measured by its cut at each level, and by both levels together by all segments down to the
/// second.
///
/// Amounts are numbers of segments. The adjusted Rand index is one number, which stands for recall, precision and F1.
#[must_use]
pub fn segment_scores(benchmark: &Benchmark, found: &[Segmentation]) -> Vec<Score> {
    let Some(boxes) = &benchmark.boxes else { return Vec::new() };
    let items = Items::new(&benchmark.page, &boxes.layout);
    let mut scores = Vec::new();
    for level in [1, 2] {
        let cut = |found: &Segmentation| found.level(&benchmark.page, &boxes.layout, u32::from(level));
        let found = items.found(&found.iter().map(cut).collect::<Vec<Segmentation>>());
        let gold = items.gold(benchmark, |of| of == level);
        if gold.is_empty() {
            continue;
        }
        let mut add = |measure, score: SegmentScore| scores.push(record(measure, score, [found.len(), gold.len()]));
        let by_weight = |weights: &[f64]| bcubed(weights, &found, &gold);
        let at = usize::from(level) - 1;
        if boxes.rendered {
            let [f, ari, nodes, characters, pixels] = BY_LEVEL[at];
            let (score, index) = box_scores(&found, &gold);
            add(f, score);
            add(ari, SegmentScore { precision: index, recall: index, f1: index });
            add(nodes, by_weight(&items.nodes));
            add(characters, by_weight(&items.characters));
            add(pixels, by_weight(&items.pixels));
        } else {
            let [nodes, characters] = UNRENDERED[at];
            add(nodes, by_weight(&items.nodes));
            add(characters, by_weight(&items.characters));
        }
    }
    let gold = items.gold(benchmark, |_| true);
    if boxes.rendered && !gold.is_empty() {
        let found = items.found(found);
        for (measure, least) in [("whole", NEARLY), ("exact", 1.0)] {
            let score = whole_segments(&items.characters, &found, &gold, least);
            scores.push(record(measure, score, [found.len(), gold.len()]));
        }
    }
    scores
}

/// The F1 of segments that are found as a whole, with runs of records among those that are found. None if the page was not rendered, or nothing was drawn on it.
#[must_use]
pub fn whole_with_runs(benchmark: &Benchmark, found: &[Segmentation]) -> Option<f64> {
    let boxes = benchmark.boxes.as_ref().filter(|boxes| boxes.rendered)?;
    let items = Items::new(&benchmark.page, &boxes.layout);
    let gold = items.gold(benchmark, |_| true);
    let found = items.lists(found, |_| true);
    (!gold.is_empty()).then(|| whole_segments(&items.characters, &found, &gold, NEARLY).f1)
}

/// The F1 of segments that are found as a whole and called by their kind, over both levels; only segments of the gold count that have a kind, and only found ones that
/// have one. None if no segment of the gold has a kind, or the page was not rendered.
#[must_use]
pub fn named_segments(benchmark: &Benchmark, found: &[Segmentation]) -> Option<f64> {
    let boxes = benchmark.boxes.as_ref().filter(|boxes| boxes.rendered)?;
    let items = Items::new(&benchmark.page, &boxes.layout);
    let (mut hits, mut met, mut retrieved, mut gold) = (0.0, 0.0, 0, 0);
    for kind in SegmentKind::ALL {
        let mut of_kind = found.to_vec();
        for found in &mut of_kind {
            let levels = found.levels();
            let mut level = levels.into_iter();
            let is_of_kind = |segment: &Segment| level.next().is_some_and(|level| level <= 2) && segment.kind == Some(kind);
            found.segments.retain(is_of_kind);
            found.segments.iter_mut().for_each(|segment| segment.parent = None);
        }
        let weigh = |list: &Vec<u32>| list.iter().map(|item| items.characters[*item as usize]).sum::<f64>() > 0.0;
        let mut found = items.found(&of_kind);
        let mut wanted = items.of_gold(benchmark, |(_, label, _)| kind_of_label(label) == Some(kind));
        found.retain(&weigh);
        wanted.retain(&weigh);
        let score = whole_segments(&items.characters, &found, &wanted, NEARLY);
        hits += score.precision * found.len() as f64;
        met += score.recall * wanted.len() as f64;
        retrieved += found.len();
        gold += wanted.len();
    }
    let share = |hits: f64, all: usize| hits / all.max(1) as f64;
    (gold > 0).then(|| f_measure(share(met, gold), share(hits, retrieved), 1.0))
}

fn record(measure: &'static str, score: SegmentScore, [retrieved, gold]: [usize; 2]) -> Score {
    let SegmentScore { precision, recall, f1 } = score;
    let (retrieved, gold) = (retrieved as f64, gold as f64);
    Score { block: SEGMENTS, measure, retrieved, gold, common: precision.max(0.0) * retrieved, recall, precision, f1 }
}

/// The lines and images of a page with what they weigh.
struct Items<'a> {
    layout: &'a Layout,
    /// Their positions in the layout, ascending.
    boxes: Vec<u32>,
    nodes: Vec<f64>,
    characters: Vec<f64>,
    pixels: Vec<f64>,
}

impl<'a> Items<'a> {
    fn new(page: &Page, layout: &'a Layout) -> Items<'a> {
        let boxes: Vec<u32> = layout.content().collect();
        let node = |at: u32| layout.boxes[at as usize].node.filter(|node| (*node as usize) < page.len());
        let mut lines: HashMap<Option<u32>, f64> = HashMap::new();
        boxes.iter().for_each(|at| *lines.entry(node(*at)).or_default() += 1.0);
        let weigh = |weight: &dyn Fn(u32) -> f64| boxes.iter().map(|at| weight(*at)).collect::<Vec<f64>>();
        let nodes = weigh(&|at| 1.0 / lines[&node(at)]);
        let characters = weigh(&|at| match (layout.boxes[at as usize].kind, node(at)) {
            (BoxKind::Text, Some(text)) => f64::from(page.counts(NodeId(text)).chars) / lines[&Some(text)],
            _ => 0.0,
        });
        let pixels = weigh(&|at| layout.boxes[at as usize].rect.area() as f64);
        Items { layout, boxes, nodes, characters, pixels }
    }

    /// The segments found down to the second level as lists of items, each once. Runs of records put parts together and are neither areas nor parts, so
    /// they are left out, and counted in [`whole_with_runs`].
    fn found(&self, found: &[Segmentation]) -> Vec<Vec<u32>> {
        self.lists(found, |segment| !segment.is_run())
    }

    fn lists(&self, found: &[Segmentation], wanted: impl Fn(&Segment) -> bool) -> Vec<Vec<u32>> {
        let item = |at: &u32| self.boxes.binary_search(at).map(|item| item as u32).ok();
        let upper = |found: &'_ Segmentation| found.levels().into_iter().map(|level| level <= 2).collect::<Vec<bool>>();
        let segments = found
            .iter()
            .flat_map(|found| found.segments.iter().zip(upper(found)).filter(|(_, upper)| *upper).map(|(segment, _)| segment))
            .filter(|segment| wanted(segment));
        let mut lists: Vec<Vec<u32>> = segments.map(|segment| segment.boxes.iter().filter_map(item).collect()).collect();
        lists.sort_unstable();
        lists.dedup();
        lists.retain(|list| !list.is_empty());
        lists
    }

    /// The segments of the gold as lists of items, without those of which nothing is seen.
    fn gold(&self, benchmark: &Benchmark, wanted: impl Fn(u8) -> bool) -> Vec<Vec<u32>> {
        self.of_gold(benchmark, |(level, ..)| wanted(*level))
    }

    fn of_gold(&self, benchmark: &Benchmark, wanted: impl Fn(&(u8, String, NodeId)) -> bool) -> Vec<Vec<u32>> {
        let of_level = benchmark.gold.segments.iter().filter(|segment| wanted(segment));
        let lists = of_level.map(|(_, _, element)| {
            let range = benchmark.page.range(*element);
            let inside = |at: &u32| self.layout.boxes[*at as usize].node.is_some_and(|node| range.contains(&(node as usize)));
            (0..).zip(&self.boxes).filter(|(_, at)| inside(at)).map(|(item, _)| item).collect::<Vec<u32>>()
        });
        lists.filter(|list| !list.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::Gold;
    use crate::suite::Boxes;
    use unchaff_segment::registry;
    use unchaff_segment::segmentation::Group;

    /// Two parts of two lines each; the first line of the second part is broken.
    fn benchmark(rendered: bool) -> Benchmark {
        let page = Page::parse("<body><div><p>one</p><p>two</p></div><div><p>three or four</p><p>six</p></div></body>");
        let tagged = |name: &str| page.nodes().filter(|node| page.name(*node) == name).collect::<Vec<NodeId>>();
        let (divs, texts, paragraphs) = (tagged("div"), tagged("#text"), tagged("p"));
        let line =
            |node: NodeId, top: i32| format!("{{\"rect\":[0,{top},100,{}],\"kind\":\"text\",\"node\":{}}}", top + 10, node.0);
        let lines = [(0, 0), (1, 20), (2, 100), (2, 120), (3, 140)].map(|(text, top)| line(texts[text], top));
        let json = format!("{{\"width\":200,\"height\":200,\"boxes\":[{}]}}", lines.join(","));
        let layout = Layout::from_json(json.as_bytes()).unwrap();
        let mut segments = vec![(1, String::new(), divs[0]), (1, String::new(), divs[1])];
        segments.extend(paragraphs.iter().map(|node| (2, String::new(), *node)));
        let mut benchmark = Benchmark::new(Vec::new(), page, Gold { segments, ..Gold::default() });
        benchmark.boxes = Some(Boxes { layout, rendered });
        benchmark
    }

    fn f1(scores: &[Score], measure: &str) -> f64 {
        scores.iter().find(|score| score.measure == measure).unwrap_or_else(|| panic!("no {measure}")).f1
    }

    fn segmented(benchmark: &Benchmark, groups: &[&[u32]]) -> Segmentation {
        let layout = &benchmark.boxes.as_ref().unwrap().layout;
        Segmentation::from_boxes(&benchmark.page, layout, groups.iter().map(|group| group.to_vec()))
    }

    #[test]
    fn what_was_drawn_scores_one_at_its_level() {
        let benchmark = benchmark(true);
        let upper = segmented(&benchmark, &[&[0, 1], &[2, 3, 4]]);
        let lower = segmented(&benchmark, &[&[0], &[1], &[2, 3], &[4]]);
        let (ours, theirs) =
            (segment_scores(&benchmark, std::slice::from_ref(&upper)), segment_scores(&benchmark, std::slice::from_ref(&lower)));
        for (scores, full, level) in [(&ours, "1", 0), (&theirs, "2", 1)] {
            for measure in BY_LEVEL[level] {
                assert!((f1(scores, measure) - 1.0).abs() < 1e-9, "{measure} {full}");
            }
            assert!(f1(scores, BY_LEVEL[1 - level][0]) < 1.0);
        }
        // By both levels, only both together are whole.
        assert!((f1(&ours, "exact") - 2.0 * 2.0 / (2.0 + 6.0)).abs() < 1e-9);
        assert_eq!(f1(&segment_scores(&benchmark, &[upper, lower]), "exact"), 1.0);
        assert_eq!(ours.len(), 12);
    }

    #[test]
    fn a_tree_is_measured_at_each_level_by_its_cut() {
        let benchmark = benchmark(true);
        let layout = &benchmark.boxes.as_ref().unwrap().layout;
        let (mut groups, mut at) = (Vec::new(), None);
        for (level, _, node) in [0, 2, 3, 1, 4, 5].map(|gold| &benchmark.gold.segments[gold]) {
            groups.push(Group { nodes: vec![*node], parent: at.filter(|_| *level == 2), ..Group::default() });
            at = if *level == 1 { Some(groups.len() as u32 - 1) } else { at };
        }
        let tree = Segmentation::from_groups(&benchmark.page, layout, groups);
        for score in segment_scores(&benchmark, &[tree]) {
            assert!((score.f1 - 1.0).abs() < 1e-9, "{score:?}");
        }
    }

    #[test]
    fn lines_share_the_weight_of_their_text() {
        let benchmark = benchmark(true);
        // One of the two lines of "three or four" is in the first segment: of 4 nodes, a half is wrong.
        let scores = segment_scores(&benchmark, &[segmented(&benchmark, &[&[0, 1, 2], &[3, 4]])]);
        let nodes = scores.iter().find(|score| score.measure == "b3-nodes-1").unwrap();
        let first = 2.5_f64;
        let precision = (2.0 * 2.0 / first + 0.5 * 0.5 / first + 1.5) / 4.0;
        assert!((nodes.precision - precision).abs() < 1e-9, "{nodes:?}");
        assert_eq!((nodes.retrieved, nodes.gold), (2.0, 2.0));
    }

    #[test]
    fn a_segment_counts_as_named_if_it_is_whole_and_called_by_its_kind() {
        let mut benchmark = benchmark(true);
        let labels = ["Menu", "Content", "LinkList", "LinkList", "Article", ""];
        benchmark.gold.segments.iter_mut().zip(labels).for_each(|(segment, label)| segment.1 = label.to_owned());
        let mut found = segmented(&benchmark, &[&[0, 1], &[2, 3, 4]]);
        assert_eq!(named_segments(&benchmark, std::slice::from_ref(&found)), Some(0.0));
        found.segments[0].kind = Some(SegmentKind::Menu);
        found.segments[1].kind = Some(SegmentKind::Links);
        // One of the two that were found, one of the five that were drawn and have a kind.
        let score = named_segments(&benchmark, &[found]).unwrap();
        assert!((score - 2.0 / 7.0).abs() < 1e-9, "{score}");
        benchmark.gold.segments.iter_mut().for_each(|segment| segment.1.clear());
        assert_eq!(named_segments(&benchmark, &[]), None);
    }

    #[test]
    fn nothing_found_scores_zero_and_a_level_without_gold_is_not_scored() {
        let mut benchmark = benchmark(true);
        assert!(segment_scores(&benchmark, &[]).iter().all(|score| score.f1 == 0.0));
        benchmark.gold.segments.retain(|(level, ..)| *level == 1);
        let scores = segment_scores(&benchmark, &[]);
        assert!(scores.iter().all(|score| !score.measure.ends_with("-2")));
        assert_eq!(scores.len(), 7);
    }

    #[test]
    fn a_page_that_was_not_rendered_is_measured_by_its_tree() {
        let benchmark = benchmark(false);
        let found = registry::find("dom-blocks").unwrap().default_technique();
        let found = found.segment(&benchmark.page, &benchmark.boxes.as_ref().unwrap().layout);
        let scores = segment_scores(&benchmark, &[found]);
        let measures: Vec<&str> = scores.iter().map(|score| score.measure).collect();
        assert_eq!(measures, UNRENDERED.concat());
        assert!(scores.iter().all(|score| score.f1 > 0.0));
    }
}
