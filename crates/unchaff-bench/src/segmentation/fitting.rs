//! The model of `segments-auto` is fitted to pages on which people drew segments, and tried on pages that it was not fitted to.
//!
//! Cross-validation is by page: pages are dealt to folds in their order, and those of a fold are judged by a model that was fitted to all others. There are few pages,
//! so trees are few and shallow.

use super::boosting::{Settings, fit};
use super::drawn::{Drawn, DrawnPage};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use unchaff_segment::segmentation::SegmentKind;
use unchaff_segment::segments_auto::Model;
use unchaff_segment::segments_auto::features::Features;

/// How many folds there are.
pub const FOLDS: usize = 8;

const SEGMENTS: Settings = Settings { trees: 250, depth: 4, rate: 0.06, penalty: 6.0 };
const KINDS: Settings = Settings { trees: 40, depth: 3, rate: 0.1, penalty: 1.0 };

/// Of what was seen less often nothing can be learned.
const LEAST_SEEN: usize = 4;

/// The model that is fitted to these pages.
#[must_use]
pub fn fitted(pages: &[&DrawnPage]) -> Model {
    let rows: Vec<Features> = pages.iter().flat_map(|page| page.rows.iter().copied()).collect();
    let targets = |level: usize| pages.iter().flat_map(|page| page.targets[level].iter().copied()).collect::<Vec<bool>>();
    let of_kinds = |level: u8, prefix: &str| {
        let with_rows = |page: &&'_ DrawnPage| page.drawn.iter().map(|drawn| (page.rows[drawn.at], *drawn)).collect::<Vec<_>>();
        let labelled: Vec<(Features, Drawn)> =
            pages.iter().flat_map(with_rows).filter(|(_, drawn)| drawn.level == level).collect();
        let rows: Vec<Features> = labelled.iter().map(|(row, _)| *row).collect();
        let seen: BTreeSet<SegmentKind> = labelled.iter().map(|(_, drawn)| drawn.kind).collect();
        let is = |kind: SegmentKind| labelled.iter().map(|(_, drawn)| drawn.kind == kind).collect::<Vec<bool>>();
        let enough = seen.into_iter().filter(|kind| is(*kind).into_iter().filter(|is| *is).count() >= LEAST_SEEN);
        enough.map(|kind| (kind, fit(&format!("{prefix}-{kind}"), &rows, &is(kind), KINDS))).collect::<Vec<_>>()
    };
    Model {
        area: fit("area", &rows, &targets(0), SEGMENTS),
        part: fit("part", &rows, &targets(1), SEGMENTS),
        area_kinds: of_kinds(1, "area"),
        part_kinds: of_kinds(2, "part"),
    }
}

/// For each page the model that was not fitted to it. Pages that are not measured on are learned from in every fold.
#[must_use]
pub fn cross_validated(pages: &[DrawnPage]) -> Vec<Arc<Model>> {
    let without = |fold: usize| {
        let others = pages.iter().enumerate().filter(|(at, page)| at % FOLDS != fold || !page.is_measured);
        Arc::new(fitted(&others.map(|(_, page)| page).collect::<Vec<_>>()))
    };
    let models: Vec<Arc<Model>> = (0..FOLDS).into_par_iter().map(without).collect();
    (0..pages.len()).map(|at| Arc::clone(&models[at % FOLDS])).collect()
}
