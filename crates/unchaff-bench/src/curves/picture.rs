//! Curves as a page that loads nothing: for each suite ROC and lift, a line for each technique.

use super::{Curves, STEPS};
use crate::report::{STYLE, escape};
use std::fmt::Write;

const SIZE: f64 = 360.0;
const LEFT: f64 = 40.0;
const BASE: f64 = 330.0;
const TOP: f64 = 10.0;

const OWN_STYLE: &str = "
h2 { text-transform: none; } .curves td:first-child, .curves th:first-child { text-align: left; }
.curves { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: start; }
.curves figure { margin: 0; } .curves figcaption { color: var(--soft); max-width: 24rem; }
.curves path { fill: none; } .curves .grid { stroke: var(--line); } .curves .chance { stroke: var(--soft); stroke-dasharray: 4 4; }
.curves .curve { stroke: hsl(var(--h) 65% 45%); stroke-width: 2; } .curves .curve:hover { stroke-width: 4; }
.curves text { fill: var(--soft); font-size: 11px; }
.curves i { display: inline-block; width: 1.6em; height: 3px; vertical-align: middle; margin-right: .5em; background: hsl(var(--h) 65% 45%); }
";

/// A page with the curves of all suites.
#[must_use]
pub fn picture(curves: &[Curves]) -> String {
    let mut html = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <title>Curves</title><style>{STYLE}{OWN_STYLE}</style><main><h1>How well techniques rate</h1>"
    );
    for suite in curves.chunk_by(|a, b| (&a.suite, a.block) == (&b.suite, b.block)) {
        let (name, digest) = &suite[0].suite;
        write!(
            html,
            "<section><h2>{} of {} <small>{}</small></h2><div class=curves>",
            suite[0].block,
            escape(name),
            escape(digest)
        )
        .ok();
        html += &chart(suite, "ROC", "share of the wrong blocks taken", |one| &one.roc);
        html += &chart(suite, "Lift", "share of all blocks taken", |one| &one.lift);
        html += "<table><thead><tr><th>technique<th>area<th>lift of first tenth<th>precision at 10<tbody>";
        for (at, one) in suite.iter().enumerate() {
            write!(
                html,
                "<tr style='--h:{}'><td><i></i>{}<td>{:.3}<td>{:.2}<td>{:.3}",
                hue(at, suite.len()),
                escape(&one.technique),
                one.area,
                one.first_tenth,
                one.precision_at[2]
            )
            .ok();
        }
        html += "</table></div></section>";
    }
    html + "</main></html>\n"
}

fn hue(at: usize, all: usize) -> usize {
    at * 360 / all.max(1)
}

fn chart(suite: &[Curves], title: &str, axis: &str, pick: impl Fn(&Curves) -> &Vec<f64>) -> String {
    let x = |share: f64| LEFT + share * (SIZE - LEFT - TOP);
    let y = |share: f64| BASE - share * (BASE - TOP);
    let mut svg = format!("<figure><svg viewBox='0 0 {SIZE} {SIZE}' width={SIZE} height={SIZE} role=img aria-label='{title}'>");
    for tick in 0..=5 {
        let share = f64::from(tick) / 5.0;
        write!(
            svg,
            "<path class=grid d='M{:.1} {TOP}V{BASE}M{LEFT} {:.1}H{:.1}'/><text x={:.1} y={:.1} text-anchor=middle>{share:.1}</text><text x={:.1} y={:.1} text-anchor=end>{share:.1}</text>",
            x(share), y(share), x(1.0), x(share), BASE + 15.0, LEFT - 5.0, y(share) + 4.0
        )
        .ok();
    }
    write!(svg, "<path class=chance d='M{:.1} {:.1}L{:.1} {:.1}'/>", x(0.0), y(0.0), x(1.0), y(1.0)).ok();
    for (at, one) in suite.iter().enumerate() {
        write!(svg, "<path class=curve style='--h:{}' d='M{:.1} {:.1}", hue(at, suite.len()), x(0.0), y(0.0)).ok();
        for (step, share) in pick(one).iter().enumerate() {
            write!(svg, "L{:.1} {:.1}", x(step as f64 / STEPS as f64), y(*share)).ok();
        }
        write!(svg, "'><title>{}</title></path>", escape(&one.technique)).ok();
    }
    write!(
        svg,
        "<text x={:.1} y={:.1} text-anchor=middle>{axis}</text></svg><figcaption>{title}: the share of the right blocks that are found. The broken line is chance.</figcaption></figure>",
        x(0.5),
        SIZE - 2.0
    )
    .ok();
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_technique_has_a_line_in_both_charts_and_names_are_harmless() {
        let one = Curves {
            technique: "x<script>".to_owned(),
            block: "content",
            suite: ("pages".to_owned(), "00ff".to_owned()),
            pages: 1,
            failed: 0,
            roc: vec![1.0; STEPS + 1],
            lift: (0..=STEPS).map(|step| step as f64 / STEPS as f64).collect(),
            area: 1.0,
            pooled_area: 1.0,
            first_tenth: 1.0,
            precision_at: [1.0; 3],
            precision_at_right: 1.0,
        };
        let html = picture(&[one.clone(), Curves { technique: "other".to_owned(), ..one }]);
        assert_eq!(html.matches("class=curve ").count(), 4);
        assert!(!html.contains("<script") && html.contains("x&lt;script&gt;"), "{html}");
        // The curve of the first rises at once and stays.
        assert!(html.contains(&format!("d='M{LEFT:.1} {BASE:.1}L{LEFT:.1} {TOP:.1}L")));
    }
}
