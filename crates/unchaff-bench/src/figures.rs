//! Figures over pages, and the groups of pages they are taken over.
//!
//! A figure is the mean over pages, F1 too: it is the mean of the pages' F1 (Alarte 2023 argues for it), and the usually
//! higher F1 of the mean precision and recall, which many works print, stands beside it under its own name. The spread is
//! the sample's standard deviation, which one page does not have; time is also given by kB of source, 1 kB being 1000
//! bytes, as a mean of the pages' values (Gottron 2008, 5.2). Time and loads are those of pages that went well.

use crate::measure::f_measure;
use crate::summary::{PageScore, PageState};
use serde::Serialize;

/// What pages are grouped by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    /// The kind of page, where the suite tells.
    Category,
    /// The language, where the suite tells.
    Language,
    /// Quarters of the suite by bytes of source.
    Size,
    /// The part for tuning and the part for evaluation.
    Split,
}

/// All groupings, in the order of reports.
pub const GROUPINGS: [Grouping; 4] = [Grouping::Category, Grouping::Language, Grouping::Size, Grouping::Split];

/// The quarters of a suite by size. The digits keep them in order wherever names are sorted.
pub const QUARTERS: [&str; 4] = ["1 smallest", "2 smaller", "3 larger", "4 largest"];

impl Grouping {
    /// Its name in outputs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Grouping::Category => "category",
            Grouping::Language => "language",
            Grouping::Size => "size",
            Grouping::Split => "split",
        }
    }

    /// The group a page is in; none if the suite does not tell.
    #[must_use]
    pub fn group(self, page: &PageState) -> Option<&str> {
        match self {
            Grouping::Category => page.category.as_deref(),
            Grouping::Language => page.language.as_deref(),
            Grouping::Size => Some(QUARTERS[page.quarter]),
            Grouping::Split => page.split.as_deref(),
        }
    }
}

/// Means over pages.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Mean recall.
    pub recall: f64,
    /// Mean precision.
    pub precision: f64,
    /// Mean of the pages' F1.
    pub f1: f64,
    /// F1 of the mean recall and the mean precision; other works print this one.
    pub f1_of_means: f64,
    /// Standard deviation of the pages' F1; none for one page.
    pub deviation: Option<f64>,
    /// Median of the pages' F1.
    pub median: f64,
    /// How many pages the means are over.
    pub pages: usize,
    /// On how many of them the technique failed.
    pub failures: usize,
    /// Mean number of pages loaded for one.
    pub loads: Option<f64>,
    /// Mean time of computing, without loading, in milliseconds.
    pub compute_ms: Option<f64>,
    /// Mean of the pages' time of computing by 1000 bytes of source.
    pub ms_per_kb: Option<f64>,
    /// Mean of the pages' F with recall weighed otherwise, if it is asked for; van Rijsbergen's E is one minus it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub f_beta: Option<f64>,
}

impl Figures {
    /// The figures over some pages; none if there are no pages. `bytes` is the size of a page's source, `beta` how many times as much as precision recall
    /// weighs in [`Figures::f_beta`].
    #[must_use]
    pub fn over<'a>(
        scores: impl Iterator<Item = &'a PageScore> + Clone,
        bytes: impl Fn(usize) -> u64,
        beta: Option<f64>,
    ) -> Option<Figures> {
        let mut f1s: Vec<f64> = scores.clone().map(|score| score.f1).collect();
        let (f1, pages) = (mean(f1s.iter().copied())?, f1s.len());
        let recall = mean(scores.clone().map(|score| score.recall))?;
        let precision = mean(scores.clone().map(|score| score.precision))?;
        let squares: f64 = f1s.iter().map(|one| (one - f1).powi(2)).sum();
        f1s.sort_by(f64::total_cmp);
        let done = scores.clone().filter(|score| !score.failed);
        let times = done.clone().filter_map(|score| Some((score.seconds?, bytes(score.page))));
        Some(Figures {
            recall,
            precision,
            f1,
            f1_of_means: if recall + precision > 0.0 { 2.0 * recall * precision / (recall + precision) } else { 0.0 },
            deviation: (pages > 1).then(|| (squares / (pages - 1) as f64).sqrt()),
            median: f1s[(pages - 1) / 2].midpoint(f1s[pages / 2]),
            pages,
            failures: scores.clone().filter(|score| score.failed).count(),
            loads: mean(done.filter_map(|score| score.loads)),
            compute_ms: mean(times.clone().map(|(seconds, _)| seconds * 1000.0)),
            ms_per_kb: mean(times.filter(|(_, bytes)| *bytes > 0).map(|(seconds, bytes)| seconds * 1e6 / bytes as f64)),
            f_beta: beta.and_then(|beta| mean(scores.map(|score| f_measure(score.recall, score.precision, beta)))),
        })
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn score(precision: f64, recall: f64, f1: f64) -> PageScore {
        let (block, measure) = ("content".into(), "nodes".into());
        PageScore { page: 0, block, measure, recall, precision, f1, failed: false, loads: Some(2.0), seconds: Some(0.004) }
    }

    fn figures(scores: &[PageScore]) -> Figures {
        Figures::over(scores.iter(), |_| 2000, Some(2.0)).unwrap()
    }

    // Alarte 2023, 12.4; the pages are made up.
    #[test]
    fn f1_is_the_mean_of_the_pages_and_not_the_f1_of_the_means() {
        let two = figures(&[score(1.0, 0.0, 0.0), score(1.0, 1.0, 1.0)]);
        assert_eq!((two.f1, two.median), (0.5, 0.5));
        assert!((two.f1_of_means - 2.0 / 3.0).abs() < 1e-12);
        assert!((two.deviation.unwrap() - 0.5_f64.sqrt()).abs() < 1e-12);
    }

    // The averages of TemEx (Alarte 2023, Table 9.1): F1 of 93.09 and 87.75 is 90.34, the mean of the pages' F1 is 87.54.
    #[test]
    fn the_f1_of_means_is_that_of_the_published_table() {
        let one = figures(&[score(0.8775, 0.9309, 0.8754)]);
        assert_eq!(format!("{:.2} {:.2}", one.f1 * 100.0, one.f1_of_means * 100.0), "87.54 90.34");
    }

    // Gottron 2008, 2.2.4: recall 0.8 and precision 1 give 0.833333 with beta 2.
    #[test]
    fn f_beta_weighs_recall() {
        assert_eq!(format!("{:.6}", figures(&[score(1.0, 0.8, 0.888_889)]).f_beta.unwrap()), "0.833333");
    }

    // A sample of one has no spread.
    #[test]
    fn one_page_has_no_deviation_and_no_page_no_figures() {
        assert_eq!(figures(&[score(0.5, 0.5, 0.5)]).deviation, None);
        assert_eq!(Figures::over([].iter(), |_| 1, None), None);
    }

    #[test]
    fn time_is_that_of_pages_that_went_well_and_is_divided_by_their_size() {
        let failed = PageScore { failed: true, seconds: Some(60.0), loads: Some(9.0), ..score(0.0, 0.0, 0.0) };
        let both = figures(&[score(1.0, 1.0, 1.0), failed]);
        assert_eq!((both.pages, both.failures, both.f1, both.loads), (2, 1, 0.5, Some(2.0)));
        assert_eq!((both.compute_ms, both.ms_per_kb), (Some(4.0), Some(2.0)));
        let empty = Figures::over([score(1.0, 1.0, 1.0)].iter(), |_| 0, None).unwrap();
        assert_eq!((empty.compute_ms, empty.ms_per_kb), (Some(4.0), None));
    }

    proptest! {
        #[test]
        fn figures_lie_within_their_pages(f1s in proptest::collection::vec(0.0..1.0_f64, 1..30)) {
            let scores: Vec<PageScore> = f1s.iter().map(|f1| score(*f1, *f1, *f1)).collect();
            let all = figures(&scores);
            let (low, high) = f1s.iter().fold((1.0_f64, 0.0_f64), |(low, high), f1| (low.min(*f1), high.max(*f1)));
            for figure in [all.f1, all.median, all.recall, all.precision, all.f1_of_means] {
                prop_assert!(figure >= low - 1e-12 && figure <= high + 1e-12);
            }
        }
    }
}
