//! How good a technique is at several settings, and how far that varies (Zelený 2017, tables 9.3 and 9.4).

use super::mean_and_deviation;
use crate::measure::segment_scores;
use crate::run::{Contender, Options, RunError, selected};
use crate::suite::Suite;
use crate::sweep::{Axis, settings};
use rayon::prelude::*;

/// The measures, as [`segment_scores`] names them.
const MEASURES: [&str; 4] = ["f-1", "ari-1", "f-2", "ari-2"];

/// A technique with one setting.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    /// The technique, with the setting.
    pub technique: String,
    /// How many pages have segments.
    pub pages: usize,
    /// Mean and standard deviation over pages of F and adjusted Rand index, by areas and by parts.
    pub scores: [(f64, f64); 4],
}

/// A technique with all its settings.
#[derive(Clone, PartialEq, Debug)]
pub struct Stability {
    /// The suite, with its digest.
    pub suite: String,
    /// The technique.
    pub name: String,
    /// By setting.
    pub settings: Vec<Setting>,
    /// How far the scores of a page vary from setting to setting: the standard deviation, averaged over pages.
    pub over_settings: [f64; 4],
}

impl Stability {
    /// The setting with the highest F by areas.
    #[must_use]
    pub fn best(&self) -> Option<usize> {
        let f = |at: &usize| self.settings[*at].scores[0].0;
        (0..self.settings.len()).reduce(|best, at| if f(&at) > f(&best) { at } else { best })
    }
}

/// The techniques of a text: `bcs:ct=0.1..1:0.1` has one for each value.
///
/// # Errors
/// If there is no such technique or parameter, or the values are of no known form.
pub fn tried(text: &str) -> Result<Vec<Contender>, RunError> {
    let Some((name, axis)) = text.split_once(':') else { return Ok(vec![Contender::one(text, &[])?]) };
    settings(&[Axis::read(axis)?], &[], None)?.iter().map(|pairs| Contender::one(name, pairs)).collect()
}

/// Measures the techniques of each text ([`tried`]) on the pages of a suite, whose boxes are kept.
///
/// # Errors
/// If a text names nothing that can be tried.
pub fn stability(suite: &Suite, texts: &[String], options: &Options) -> Result<Vec<Stability>, RunError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build()?;
    let items = selected(suite, options);
    let mut all = Vec::new();
    for text in texts {
        let contenders = tried(text)?;
        let of_page = |item: &&crate::suite::Item| -> Option<Vec<[Option<f64>; 4]>> {
            let benchmark = suite.load(item).ok()?;
            let of = |contender: &Contender| -> Option<[Option<f64>; 4]> {
                if contender.needs_boxes() && !benchmark.is_rendered() {
                    return None;
                }
                let scores = segment_scores(&benchmark, &contender.segments(&benchmark)?);
                Some(MEASURES.map(|name| scores.iter().find(|score| score.measure == name).map(|score| score.f1)))
            };
            contenders.iter().map(of).collect()
        };
        // A page for each line, a setting for each column.
        let pages: Vec<Vec<[Option<f64>; 4]>> = pool.install(|| items.par_iter().with_max_len(1).filter_map(of_page).collect());
        let column = |at: usize, measure: usize| -> Vec<f64> { pages.iter().filter_map(|page| page[at][measure]).collect() };
        let setting = |(at, contender): (usize, &Contender)| Setting {
            technique: contender.label(),
            pages: column(at, 0).len(),
            scores: std::array::from_fn(|measure| mean_and_deviation(&column(at, measure))),
        };
        let varies = |measure: usize| {
            let of = |page: &Vec<[Option<f64>; 4]>| -> Option<f64> {
                let values: Option<Vec<f64>> = page.iter().map(|scores| scores[measure]).collect();
                values.map(|values| mean_and_deviation(&values).1)
            };
            mean_and_deviation(&pages.iter().filter_map(of).collect::<Vec<_>>()).0
        };
        all.push(Stability {
            suite: format!("{} {}", suite.name, suite.digest),
            name: text.split(':').next().unwrap_or_default().to_owned(),
            settings: contenders.iter().enumerate().map(setting).collect(),
            over_settings: std::array::from_fn(varies),
        });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_value_is_a_technique() {
        let labels: Vec<String> = tried("vips:pdoc=6..8").unwrap().iter().map(Contender::label).collect();
        assert_eq!(labels.len(), 3);
        assert!(labels.iter().any(|label| label.ends_with("pdoc=8")), "{labels:?}");
        assert_eq!(tried("dom-blocks").unwrap().len(), 1);
        assert!(tried("vips:nonsense=1..2").is_err() && tried("nonsense").is_err());
    }

    #[test]
    fn our_own_pages_have_figures_at_every_setting() {
        let suites = Suite::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/segments")).unwrap();
        let found = stability(&suites[0], &["visual-blocks:most=0.2,0.7".to_owned()], &Options::default()).unwrap();
        let [one] = &found[..] else { panic!("{found:?}") };
        assert_eq!((one.name.as_str(), one.settings.len()), ("visual-blocks", 2));
        assert!(one.settings.iter().all(|setting| setting.pages > 1 && setting.scores[0].0 > 0.2), "{one:?}");
        assert!(one.over_settings[0] > 0.0 && one.best().is_some());
    }
}
