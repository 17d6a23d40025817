//! Techniques beside each other on pages on which people drew segments: how many segments they find as a whole, how good their cuts at both levels are, and how many of what
//! they find they also call by its kind, each with its interval over pages.
//!
//! `segments-auto` is fitted to such pages, so its built-in model would be praised on those it was fitted to. It is judged by cross-validation instead ([`fitting`](super::fitting)),
//! and the other techniques are compared with it page by page. What it calls segments is also told apart from where it draws them: on segments as people drew them, by a table of what was taken for what.

use super::drawn::{Drawn, DrawnPage};
use super::fitting::cross_validated;
use crate::bootstrap::{Paired, Share};
use crate::measure::{named_segments, segment_scores, whole_with_runs};
use crate::report::table::Table;
use crate::run::Contender;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use unchaff_segment::labels;
use unchaff_segment::segmentation::{SegmentKind, SegmentTechnique, Segmentation};
use unchaff_segment::segments_auto::{Model, SegmentsAuto};

/// What is measured, with the titles of the columns.
pub(super) const MEASURES: [(&str, &str); 9] = [
    ("whole", "whole"),
    ("whole-with-runs", "whole, runs too"),
    ("named", "whole, kind"),
    ("exact", "exact"),
    ("f-1", "F 1"),
    ("b3-characters-1", "B³ chars 1"),
    ("f-2", "F 2"),
    ("b3-characters-2", "B³ chars 2"),
    ("ari-2", "ARI 2"),
];

/// The measures by which `segments-auto` is compared with others page by page.
pub(super) const COMPARED: [&str; 4] = ["whole", "named", "f-1", "f-2"];

/// Kinds that people themselves mix up: a teaser is a text and a link, and an advertisement is a picture.
const ALIKE: [(&str, &[&[SegmentKind]]); 4] = {
    use SegmentKind::*;
    [
        ("all kinds", &[]),
        ("links and articles alike", &[&[Links, Article]]),
        ("menus too", &[&[Links, Article, Menu]]),
        (
            "images, videos, logos and advertisements alike as well",
            &[&[Links, Article, Menu], &[Image, Video, Logo, Advertisement]],
        ),
    ]
};

/// The techniques that are compared unless others are asked for.
pub const TECHNIQUES: [&str; 16] = [
    "visual-blocks",
    "visual-blocks:most=0.7",
    "visual-blocks:most=0.2",
    "visual-blocks:most=0.7+visual-blocks:most=0.2",
    "dom-blocks",
    "vips",
    "vips:pdoc=8",
    "adaptive",
    "content-clustering",
    "box-tree",
    "wish",
    "bcs",
    "bcs:ct=0.5",
    "bcs-program",
    "bcs-printed",
    "block-fusion",
];

/// The scores of a technique on a page, by measure.
type Scores = BTreeMap<&'static str, f64>;

/// A mean and its interval.
pub type Mean = (f64, (f64, f64));

/// What a technique reaches on some pages.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The technique, or the part of the pages.
    pub name: String,
    /// How many pages were measured on.
    pub pages: usize,
    /// The mean of each of `MEASURES` with its interval; none if no page has it.
    pub means: Vec<Option<Mean>>,
    /// What `segments-auto` has more, by `COMPARED`; empty for itself.
    pub differences: Vec<Option<Paired>>,
}

/// What kinds were taken for what at one level, on segments as they were drawn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Confusion {
    /// How often each kind was taken for each.
    pub taken: BTreeMap<(SegmentKind, SegmentKind), usize>,
    /// The share that was taken for what it is.
    pub right: Option<Share>,
}

/// Techniques beside each other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparison {
    /// The suites, with their digests.
    pub suites: Vec<String>,
    /// A line for `segments-auto` on all pages, one for each suite, and one for each other technique.
    pub rows: Vec<Row>,
    /// Kinds of areas, and of parts.
    pub kinds: [Confusion; 2],
    /// The share of all segments whose kind was told, and what it would be if kinds that people mix up counted alike.
    pub right: Vec<(&'static str, Option<Share>)>,
}

/// Compares techniques with `segments-auto` on the pages that are measured on.
#[must_use]
pub fn compare(pages: &[DrawnPage], contenders: &[Contender]) -> Comparison {
    let models = cross_validated(pages);
    let measured: Vec<(&DrawnPage, &Arc<Model>)> = pages.iter().zip(&models).filter(|(page, _)| page.is_measured).collect();
    let ours: Vec<Scores> = measured.par_iter().map(|(page, model)| of_ours(page, model)).collect();
    let mut rows = vec![row("segments-auto, cross-validated", &ours, None)];
    let mut suites: Vec<&str> = measured.iter().map(|(page, _)| page.suite.as_str()).collect();
    suites.dedup();
    for suite in suites.iter().filter(|_| suites.len() > 1) {
        let of = measured.iter().zip(&ours).filter(|((page, _), _)| page.suite == *suite).map(|(_, scores)| scores.clone());
        rows.push(row(&format!("  of these {suite}"), &of.collect::<Vec<_>>(), None));
    }
    for contender in contenders {
        let theirs: Vec<Scores> = measured.par_iter().map(|(page, _)| of_contender(page, contender)).collect();
        rows.push(row(&contender.label(), &theirs, Some(&ours)));
    }
    let by_page: Vec<Vec<(Drawn, SegmentKind)>> = measured.par_iter().map(|(page, model)| taken(page, model)).collect();
    let share = |wanted: &dyn Fn(&Drawn) -> bool, is_right: &dyn Fn(SegmentKind, SegmentKind) -> bool| {
        let of_page = |told: &Vec<(Drawn, SegmentKind)>| {
            let wanted = told.iter().filter(|(drawn, _)| wanted(drawn));
            (wanted.clone().filter(|(drawn, found)| is_right(drawn.kind, *found)).count(), wanted.count())
        };
        Share::of(&by_page.iter().map(of_page).collect::<Vec<_>>())
    };
    let confusion = |level: u8| {
        let mut taken = BTreeMap::new();
        let of_level = by_page.iter().flatten().filter(|(drawn, _)| drawn.level == level);
        of_level.for_each(|(drawn, found)| *taken.entry((drawn.kind, *found)).or_default() += 1);
        Confusion { taken, right: share(&|drawn| drawn.level == level, &|is, found| is == found) }
    };
    let alike = |kinds: &[&[SegmentKind]]| {
        let is_right = |is: SegmentKind, found: SegmentKind| {
            is == found || kinds.iter().any(|alike| alike.contains(&is) && alike.contains(&found))
        };
        share(&|_| true, &is_right)
    };
    Comparison {
        suites: Vec::new(),
        rows,
        kinds: [confusion(1), confusion(2)],
        right: ALIKE.iter().map(|&(name, kinds)| (name, alike(kinds))).collect(),
    }
}

fn scores(page: &DrawnPage, mut found: Vec<Segmentation>) -> Scores {
    let layout = page.layout();
    let mut scores: Scores = segment_scores(&page.benchmark, &found).into_iter().map(|score| (score.measure, score.f1)).collect();
    scores.extend(whole_with_runs(&page.benchmark, &found).map(|score| ("whole-with-runs", score)));
    // Kinds as a user gets them.
    found.iter_mut().for_each(|found| labels::label(&page.benchmark.page, &layout, found));
    scores.extend(named_segments(&page.benchmark, &found).map(|score| ("named", score)));
    scores
}

fn of_ours(page: &DrawnPage, model: &Arc<Model>) -> Scores {
    let technique = SegmentsAuto { model: Arc::clone(model), ..SegmentsAuto::default() };
    scores(page, vec![technique.segment(&page.benchmark.page, &page.layout())])
}

fn of_contender(page: &DrawnPage, contender: &Contender) -> Scores {
    contender.segments(&page.benchmark).map(|found| scores(page, found)).unwrap_or_default()
}

fn row(name: &str, scores: &[Scores], ours: Option<&[Scores]>) -> Row {
    let of = |measure: &str| scores.iter().map(|scores| scores.get(measure).copied()).collect::<Vec<Option<f64>>>();
    let mean = |measure: &str| {
        let values: Vec<(f64, f64)> = of(measure).into_iter().flatten().map(|value| (value, 0.0)).collect();
        Paired::compare(&values).map(|found| (found.difference, found.interval))
    };
    let difference = |ours: &[Scores], measure: &str| {
        let pairs: Vec<(f64, f64)> =
            ours.iter().zip(of(measure)).filter_map(|(ours, theirs)| Some((*ours.get(measure)?, theirs?))).collect();
        Paired::compare(&pairs)
    };
    Row {
        name: name.to_owned(),
        pages: of("whole").into_iter().flatten().count(),
        means: MEASURES.iter().map(|(measure, _)| mean(measure)).collect(),
        differences: ours.map(|ours| COMPARED.iter().map(|measure| difference(ours, measure)).collect()).unwrap_or_default(),
    }
}

/// What the segments of a page, as they were drawn, are taken for by a model.
fn taken(page: &DrawnPage, model: &Model) -> Vec<(Drawn, SegmentKind)> {
    page.drawn.iter().filter_map(|drawn| Some((*drawn, model.kind(&page.rows[drawn.at], drawn.level == 1)?))).collect()
}

/// The comparison as tables with their titles.
pub(super) fn tables(comparison: &Comparison) -> Vec<(String, Table)> {
    let mut tables =
        vec![(format!("Techniques ({}; means over pages with 95 % intervals)", comparison.suites.join(", ")), means(comparison))];
    tables.push((
        "What segments-auto has more, page by page (differences with 95 % intervals; pages better and worse)".to_owned(),
        differences(comparison),
    ));
    for (confusion, of) in comparison.kinds.iter().zip(["areas", "parts"]) {
        let right = confusion.right.map(share).unwrap_or_default();
        tables.push((format!("Kinds of {of} as drawn, by segments-auto: {right}"), taken_for(confusion)));
    }
    let mut all = Table::new(&["kinds of all segments as drawn", ">right"]);
    for (name, right) in &comparison.right {
        all.push(vec![(*name).to_owned(), right.map(share).unwrap_or_default()]);
    }
    tables.push(("Kinds of all segments as drawn, and if some counted alike".to_owned(), all));
    tables
}

fn share(share: Share) -> String {
    let (low, high) = share.interval;
    format!("{:.3} [{low:.3}, {high:.3}] of {} are right", share.value(), share.all)
}

fn means(comparison: &Comparison) -> Table {
    let titles = MEASURES.map(|(_, title)| format!(">{title}"));
    let mut table = Table::new(&["technique", ">pages"].into_iter().chain(titles.iter().map(String::as_str)).collect::<Vec<_>>());
    for row in &comparison.rows {
        let mut cells = vec![row.name.clone(), row.pages.to_string()];
        cells.extend(row.means.iter().map(|mean| match mean {
            Some((mean, (low, high))) => format!("{mean:.3} [{low:.3}, {high:.3}]"),
            None => "–".to_owned(),
        }));
        table.push(cells);
    }
    table
}

fn differences(comparison: &Comparison) -> Table {
    let title = |measure: &str| MEASURES.iter().find(|(name, _)| *name == measure).map_or("", |(_, title)| title).to_owned();
    let titles: Vec<String> = COMPARED.iter().map(|measure| format!(">{}", title(measure))).collect();
    let mut table = Table::new(&["to"].into_iter().chain(titles.iter().map(String::as_str)).collect::<Vec<_>>());
    for row in comparison.rows.iter().filter(|row| !row.differences.is_empty()) {
        let mut cells = vec![row.name.clone()];
        cells.extend(row.differences.iter().map(|found| match found {
            Some(Paired { difference, interval: (low, high), wins, losses, .. }) => {
                format!("{difference:+.3} [{low:+.3}, {high:+.3}] {wins}:{losses}")
            }
            None => "–".to_owned(),
        }));
        table.push(cells);
    }
    table
}

/// A line for each kind that was drawn, a column for each that something was taken for.
fn taken_for(confusion: &Confusion) -> Table {
    let columns: BTreeSet<SegmentKind> = confusion.taken.keys().map(|(_, found)| *found).collect();
    let titles: Vec<String> = columns.iter().map(|kind| format!(">{kind}")).collect();
    let mut table = Table::new(&["is \\ taken for"].into_iter().chain(titles.iter().map(String::as_str)).collect::<Vec<_>>());
    let lines: BTreeSet<SegmentKind> = confusion.taken.keys().map(|(is, _)| *is).collect();
    for is in lines {
        let count = |found: &SegmentKind| confusion.taken.get(&(is, *found)).map_or(String::new(), usize::to_string);
        table.push(std::iter::once(is.to_string()).chain(columns.iter().map(count)).collect());
    }
    table
}

/// The comparison as JSON.
pub(super) fn json(comparison: &Comparison) -> Value {
    let mean = |(measure, mean): (&str, &Option<Mean>)| {
        (measure.to_owned(), mean.map_or(Value::Null, |(mean, interval)| json!({"mean": mean, "interval": interval})))
    };
    let difference = |(measure, found): (&str, &Option<Paired>)| {
        let value = found.map_or(Value::Null, |found| {
            json!({"difference": found.difference, "interval": found.interval, "better": found.wins, "worse": found.losses})
        });
        (measure.to_owned(), value)
    };
    let row = |row: &Row| {
        let means: serde_json::Map<String, Value> =
            MEASURES.iter().map(|(measure, _)| *measure).zip(&row.means).map(mean).collect();
        let differences: serde_json::Map<String, Value> =
            COMPARED.iter().copied().zip(&row.differences).map(difference).collect();
        json!({"technique": row.name.trim(), "pages": row.pages, "means": means, "segments-auto_has_more": differences})
    };
    let share = |share: Option<Share>| {
        share.map_or(Value::Null, |share| json!({"right": share.right, "all": share.all, "interval": share.interval}))
    };
    let confusion = |confusion: &Confusion| {
        let taken: Vec<Value> =
            confusion.taken.iter().map(|((is, found), count)| json!({"is": is, "taken_for": found, "count": count})).collect();
        json!({"right": share(confusion.right), "taken": taken})
    };
    let right: serde_json::Map<String, Value> =
        comparison.right.iter().map(|(name, right)| ((*name).to_owned(), share(*right))).collect();
    json!({"suites": comparison.suites, "techniques": comparison.rows.iter().map(row).collect::<Vec<_>>(),
           "kinds": {"areas": confusion(&comparison.kinds[0]), "parts": confusion(&comparison.kinds[1]), "all": right}})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison() -> Comparison {
        let pair = Paired::compare(&[(0.7, 0.5), (0.6, 0.6)]);
        let row = |name: &str, differences| Row {
            name: name.to_owned(),
            pages: 2,
            means: std::iter::once(Some((0.65, (0.6, 0.7)))).chain(std::iter::repeat_n(None, MEASURES.len() - 1)).collect(),
            differences,
        };
        let taken = BTreeMap::from([((SegmentKind::Menu, SegmentKind::Links), 2), ((SegmentKind::Menu, SegmentKind::Menu), 3)]);
        Comparison {
            suites: vec!["mine 0123".to_owned()],
            rows: vec![row("segments-auto", Vec::new()), row("vips", vec![pair, None, None, None])],
            kinds: [Confusion::default(), Confusion { taken, right: Share::of(&[(3, 5)]) }],
            right: vec![("all kinds", Share::of(&[(3, 5)]))],
        }
    }

    #[test]
    fn tables_have_a_line_for_each_technique_and_for_each_kind() {
        let tables = tables(&comparison());
        let text = |at: usize| format!("{}\n{}", tables[at].0, tables[at].1.terminal());
        assert!(
            text(0).contains("mine 0123") && text(0).contains("0.650 [0.600, 0.700]") && text(0).contains('–'),
            "{}",
            text(0)
        );
        // segments-auto is not compared with itself.
        assert!(text(1).contains("+0.100") && text(1).contains("1:0") && !text(1).contains("segments-auto  "), "{}", text(1));
        assert!(tables[3].0.contains("0.600") && tables[3].0.contains("of 5"), "{}", text(3));
        let terminal = tables[3].1.terminal();
        let menu: Vec<&str> = terminal.lines().nth(1).unwrap_or_default().split_whitespace().collect();
        assert_eq!(menu, ["menu", "3", "2"]);
    }

    #[test]
    fn json_has_means_differences_and_kinds() {
        let json = json(&comparison());
        assert_eq!(json["techniques"][0]["means"]["whole"]["mean"], 0.65);
        assert_eq!(json["techniques"][1]["segments-auto_has_more"]["whole"]["better"], 1);
        assert_eq!(json["kinds"]["parts"]["taken"][1], json!({"is": "menu", "taken_for": "links", "count": 2}));
    }

    #[test]
    fn every_technique_of_the_tables_is_known() {
        for text in TECHNIQUES {
            assert!(Contender::one(text, &[]).is_ok(), "{text}");
        }
    }
}
