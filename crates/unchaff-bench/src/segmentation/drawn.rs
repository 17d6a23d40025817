//! Pages on which people drew segments, as `segments-auto` learns from them: what is known of each candidate, whether it was drawn as an area or as a part, and
//! what it was called.

use crate::gold::kind_of_label;
use crate::suite::{Benchmark, Suite, SuiteError};
use unchaff_segment::layout::Layout;
use unchaff_segment::segmentation::SegmentKind;
use unchaff_segment::segments_auto::candidates::Candidates;
use unchaff_segment::segments_auto::features::{Features, features};

/// A segment as it was drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// 1 for areas, 2 for parts.
    pub level: u8,
    /// The candidate that it is.
    pub at: usize,
    /// What it was called.
    pub kind: SegmentKind,
}

/// A page with what is learned from it.
pub struct DrawnPage {
    /// The suite that it is of.
    pub suite: String,
    /// Whether it is measured on, or only learned from.
    pub is_measured: bool,
    /// The page with its gold and boxes.
    pub benchmark: Benchmark,
    /// What is known of each candidate.
    pub rows: Vec<Features>,
    /// Whether each candidate is a segment of the first level, and of the second.
    pub targets: [Vec<bool>; 2],
    /// The segments that are candidates and have a kind.
    pub drawn: Vec<Drawn>,
}

impl DrawnPage {
    /// The pages of a suite that are rendered and on which something was drawn.
    ///
    /// # Errors
    /// If a page cannot be read.
    pub fn all(suite: &Suite, is_measured: bool) -> Result<Vec<DrawnPage>, SuiteError> {
        let mut pages = Vec::new();
        for item in &suite.items {
            let benchmark = suite.load(item)?;
            if benchmark.is_rendered() && !benchmark.gold.segments.is_empty() {
                pages.push(DrawnPage::new(&suite.name, is_measured, benchmark));
            }
        }
        Ok(pages)
    }

    fn new(suite: &str, is_measured: bool, benchmark: Benchmark) -> DrawnPage {
        let page = &benchmark.page;
        let layout = benchmark.boxes.as_ref().map(|boxes| boxes.layout.clone()).unwrap_or_default();
        let candidates = Candidates::new(page, &layout);
        let rows = features(&candidates);
        let mut targets = [vec![false; rows.len()], vec![false; rows.len()]];
        let mut drawn = Vec::new();
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
                if exactly && let Some(kind) = kind_of_label(label) {
                    drawn.push(Drawn { level: *level, at, kind });
                }
            }
        }
        DrawnPage { suite: suite.to_owned(), is_measured, benchmark, rows, targets, drawn }
    }

    /// The boxes of the page.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.benchmark.boxes.as_ref().map(|boxes| boxes.layout.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn on_our_own_pages_areas_and_parts_are_candidates_with_kinds() {
        let suites = Suite::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/segments")).unwrap();
        let pages = DrawnPage::all(&suites[0], true).unwrap();
        assert_eq!(pages.len(), 5);
        for page in &pages {
            assert!(page.targets.iter().all(|targets| targets.len() == page.rows.len() && targets.contains(&true)));
            assert!(page.drawn.iter().any(|drawn| drawn.kind == SegmentKind::Footer && drawn.level == 1));
        }
    }
}
