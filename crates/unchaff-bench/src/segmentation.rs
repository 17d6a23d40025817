//! The experiments on segmentation and templates of J. Zelený: *Web page segmentation utilizing clustering techniques* (PhD thesis, Brno 2017), chapter 9, as one study.
//!
//! On pages whose segments are known: how good a technique is at each of ten settings and how far that varies, from page to page and from setting to setting ([`stability`], tables 9.3
//! and 9.4). On the pages of sites: how many templates there are after so many pages ([`growth`], table 9.1 and figure 9.1), and what carrying segments over saves ([`gain`], table 9.5). The thesis compares BCS with
//! templates to VIPS without; here a technique is compared with itself, so that the gain is that of the templates alone, and each part of the work has a time of its own.

mod boosting;
mod comparison;
mod drawn;
pub mod fitting;
mod gain;
mod growth;
mod picture;
mod stability;
mod study;

pub use comparison::{Comparison, Confusion, Mean, Row, TECHNIQUES, compare};
pub use drawn::{Drawn, DrawnPage};
pub use gain::{FilesOf, Gain, gain};
pub use growth::{Growth, growth};
pub use stability::{Setting, Stability, stability, tried};
pub use study::{OnSites, OnSuites, StudyError};

use crate::form::Form;
use crate::report::table::Table;
use serde_json::{Value, json};

/// All that was found out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Study {
    /// By technique and suite.
    pub stability: Vec<Stability>,
    /// By site.
    pub growth: Vec<Growth>,
    /// By site and technique.
    pub gain: Vec<Gain>,
    /// Techniques beside each other, if that was asked for.
    pub comparison: Option<Comparison>,
}

/// Mean and standard deviation of the values of a sample; no deviation for fewer than two.
pub(crate) fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    (mean, crate::measure::spread(values).unwrap_or(0.0))
}

/// The study as tables, JSON, or a page with pictures.
#[must_use]
pub fn write(study: &Study, form: Form) -> String {
    if form == Form::Html {
        return picture::page(study);
    }
    let mut tables = study.comparison.as_ref().map(comparison::tables).unwrap_or_default();
    tables.extend(
        [
            (
                "Accuracy and stability (mean ± standard deviation over pages)",
                stability_table(study),
                !study.stability.is_empty(),
            ),
            ("Templates by number of pages", growth_table(study), !study.growth.is_empty()),
            ("Gain of templates (ms a page)", gain_table(study), !study.gain.is_empty()),
        ]
        .into_iter()
        .filter(|(.., shown)| *shown)
        .map(|(name, table, _)| (name.to_owned(), table)),
    );
    let with = |head: &str, write: fn(&Table) -> String| {
        let parts = tables.iter().map(|(name, table)| format!("{head}{name}\n\n{}", write(table)));
        parts.collect::<Vec<_>>().join("\n")
    };
    form.write(|| with("", Table::terminal), || with("## ", Table::markdown), || json(study))
}

fn stability_table(study: &Study) -> Table {
    let mut table = Table::new(&["suite", "technique", ">pages", ">F 1", ">ARI 1", ">F 2", ">ARI 2", "best"]);
    for one in &study.stability {
        let best = one.best();
        for (at, setting) in one.settings.iter().enumerate() {
            let mut row = vec![one.suite.clone(), setting.technique.clone(), setting.pages.to_string()];
            row.extend(setting.scores.iter().map(|(mean, deviation)| format!("{mean:.3} ±{deviation:.3}")));
            row.push(if best == Some(at) { "best F 1".to_owned() } else { String::new() });
            table.push(row);
        }
        let mut row = vec![one.suite.clone(), format!("{} over its settings", one.name), String::new()];
        row.extend(one.over_settings.iter().map(|deviation| format!("±{deviation:.3}")));
        row.push(String::new());
        table.push(row);
    }
    table
}

fn growth_table(study: &Study) -> Table {
    let steps: Vec<usize> = growth::steps(study.growth.iter().map(|one| one.pages).max().unwrap_or(0));
    let heads: Vec<String> = steps.iter().map(|step| format!(">after {step}")).collect();
    let mut titles = vec!["site", ">pages", ">templates", ">hits %"];
    titles.extend(heads.iter().map(String::as_str));
    let mut table = Table::new(&titles);
    for one in &study.growth {
        let mut row =
            vec![one.site.clone(), one.pages.to_string(), one.templates().to_string(), format!("{:.1}", 100.0 * one.hits())];
        row.extend(steps.iter().map(|step| one.after(*step).map_or_else(|| "–".to_owned(), |templates| templates.to_string())));
        table.push(row);
    }
    table
}

fn gain_table(study: &Study) -> Table {
    let mut table = Table::new(&[
        "site",
        "technique",
        ">pages",
        ">carried over %",
        ">agreement",
        ">parsing",
        ">pruning",
        ">looking up",
        ">layout",
        ">segmentation",
        ">without",
        ">with",
        ">saved %",
    ]);
    for one in &study.gain {
        let mut row = vec![one.site.clone(), one.technique.clone(), one.pages.to_string()];
        row.push(format!("{:.1}", 100.0 * one.carried as f64 / one.pages.max(1) as f64));
        row.push(one.agreement.map_or_else(|| "–".to_owned(), |agreement| format!("{agreement:.3}")));
        let times = [one.parsing, one.pruning, one.looking, one.layout, one.segmentation, one.without(), one.with()];
        row.extend(times.map(|seconds| format!("{:.2}", 1e3 * seconds / one.pages.max(1) as f64)));
        row.push(format!("{:.1}", 100.0 * one.saved()));
        table.push(row);
    }
    table
}

fn json(study: &Study) -> Value {
    let pair = |(mean, deviation): &(f64, f64)| json!({"mean": mean, "deviation": deviation});
    let setting = |one: &Setting| {
        json!({"technique": one.technique, "pages": one.pages, "f-1": pair(&one.scores[0]), "ari-1": pair(&one.scores[1]),
               "f-2": pair(&one.scores[2]), "ari-2": pair(&one.scores[3])})
    };
    let stability = |one: &Stability| {
        json!({"suite": one.suite, "technique": one.name, "settings": one.settings.iter().map(setting).collect::<Vec<_>>(),
               "over_settings": one.over_settings})
    };
    let growth = |one: &Growth| json!({"site": one.site, "pages": one.pages, "hits": one.hits(), "new_template_at": one.opened});
    let gain = |one: &Gain| {
        json!({"site": one.site, "technique": one.technique, "pages": one.pages, "carried_over": one.carried, "agreement": one.agreement,
               "seconds": {"parsing": one.parsing, "pruning": one.pruning, "looking_up": one.looking, "layout": one.layout,
                           "segmentation": one.segmentation, "without": one.without(), "with": one.with()}, "saved": one.saved()})
    };
    json!({"stability": study.stability.iter().map(stability).collect::<Vec<_>>(), "growth": study.growth.iter().map(growth).collect::<Vec<_>>(),
           "gain": study.gain.iter().map(gain).collect::<Vec<_>>(), "comparison": study.comparison.as_ref().map(comparison::json)})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_is_written_in_all_forms() {
        let study = Study {
            stability: vec![Stability {
                suite: "segments".to_owned(),
                name: "bcs".to_owned(),
                settings: vec![
                    Setting { technique: "bcs:ct=0.2".to_owned(), pages: 2, scores: [(0.4, 0.1); 4] },
                    Setting { technique: "bcs".to_owned(), pages: 2, scores: [(0.5, 0.0); 4] },
                ],
                over_settings: [0.05; 4],
            }],
            growth: vec![Growth { site: "a<b".to_owned(), pages: 60, opened: vec![0, 3, 40] }],
            gain: vec![Gain {
                site: "a<b".to_owned(),
                technique: "bcs".to_owned(),
                pages: 10,
                carried: 5,
                agreement: Some(0.9),
                looking: 0.5,
                layout: 8.0,
                segmentation: 2.0,
                layout_of_misses: 4.0,
                segmentation_of_misses: 1.0,
                ..Gain::default()
            }],
            comparison: None,
        };
        let table = write(&study, Form::Table);
        assert!(table.contains("bcs:ct=0.2") && table.contains("0.500 ±0.000") && table.contains("best F 1"), "{table}");
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(lines.contains(&vec!["a<b", "60", "3", "95.0", "2", "2", "3"]), "{table}");
        // Half the layouts and segmentations are saved, and looking up costs a twentieth.
        assert!(lines.iter().any(|line| line.ends_with(&["1000.00", "550.00", "45.0"])), "{table}");
        assert!(write(&study, Form::Markdown).contains("## Gain of templates"));
        let json: Value = serde_json::from_str(&write(&study, Form::Json)).unwrap();
        assert!((json["gain"][0]["saved"].as_f64().unwrap() - 0.45).abs() < 1e-9);
        let html = write(&study, Form::Html);
        assert!(html.contains("a&lt;b") && !html.contains("a<b") && html.matches("<svg").count() == 3, "{html}");
    }
}
