//! The study as a page that loads nothing: F by setting, templates by pages, time with and without templates.

use super::{Study, Table, gain_table, growth_table, stability_table};
use crate::report::{STYLE, escape};
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 548.0;
const TOP: f64 = 12.0;
const BASE: f64 = 280.0;

const OWN_STYLE: &str = "
.study path { fill: none; } .study .grid { stroke: var(--line); } .study text { fill: var(--soft); font-size: 11px; }
.study .line { stroke: hsl(var(--h) 65% 45%); stroke-width: 2; } .study .name { fill: hsl(var(--h) 65% 45%); }
.study rect { fill: hsl(var(--h) 65% 45%); } pre { overflow-x: auto; }
";

/// A line of a chart.
struct Line<'l> {
    name: &'l str,
    points: Vec<(f64, f64)>,
}

/// The whole study.
pub(super) fn page(study: &Study) -> String {
    let mut html = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <title>Segmentation and templates</title><style>{STYLE}{OWN_STYLE}</style><main><h1>Segmentation and templates</h1>"
    );
    let mut section = |title: &str, svg: String, table: &Table, note: &str| {
        write!(html, "<section class=study><h2>{title}</h2><p>{note}</p>{svg}<pre>{}</pre></section>", escape(&table.terminal()))
            .ok();
    };
    for (title, table) in study.comparison.as_ref().map(super::comparison::tables).unwrap_or_default() {
        section(&escape(&title), String::new(), &table, "");
    }
    if !study.stability.is_empty() {
        let line = |one: &'_ super::Stability| -> Vec<(f64, f64)> {
            let last = one.settings.len().saturating_sub(1).max(1) as f64;
            one.settings.iter().enumerate().map(|(at, setting)| (at as f64 / last, setting.scores[0].0)).collect()
        };
        let lines: Vec<Line<'_>> = study.stability.iter().map(|one| Line { name: &one.name, points: line(one) }).collect();
        let svg = chart(&lines, "F of areas by setting", ["first setting", "last setting"], 1.0);
        section("Accuracy and stability", svg, &stability_table(study), "Mean F of areas at each setting, in their order.");
    }
    if !study.growth.is_empty() {
        let pages = study.growth.iter().map(|one| one.pages).max().unwrap_or(1).max(1);
        let most = study.growth.iter().map(super::Growth::templates).max().unwrap_or(1).max(1) as f64;
        let line = |one: &super::Growth| -> Vec<(f64, f64)> {
            let opened = one.opened.iter().zip(1..).flat_map(|(page, count)| [(*page, count - 1), (*page, count)]);
            let points = opened.chain([(one.pages, one.templates())]);
            points.map(|(page, count)| (page as f64 / pages as f64, count as f64)).collect()
        };
        let lines: Vec<Line<'_>> = study.growth.iter().map(|one| Line { name: &one.site, points: line(one) }).collect();
        let svg = chart(&lines, "Templates by number of pages", ["0 pages", &format!("{pages} pages")], most);
        section(
            "Templates by number of pages",
            svg,
            &growth_table(study),
            "A page opens a template if it is like none that is known.",
        );
    }
    if !study.gain.is_empty() {
        section(
            "Gain of templates",
            bars(study),
            &gain_table(study),
            "Time a page, in ms: with templates (coloured) and without (grey).",
        );
    }
    html + "</main></html>\n"
}

fn hue(at: usize, all: usize) -> usize {
    at * 360 / all.max(1)
}

fn open(title: &str, height: f64) -> String {
    format!("<svg viewBox='0 0 {WIDTH} {height}' width={WIDTH} height={height} role=img aria-label='{title}'>")
}

fn chart(lines: &[Line<'_>], title: &str, ends: [&str; 2], most: f64) -> String {
    let x = |share: f64| LEFT + share * (RIGHT - LEFT);
    let y = |value: f64| BASE - value / most * (BASE - TOP);
    let mut svg = open(title, HEIGHT);
    for tick in 0..=4 {
        let value = most * f64::from(tick) / 4.0;
        let shown = if most > 4.0 { format!("{value:.0}") } else { format!("{value:.2}") };
        write!(
            svg,
            "<path class=grid d='M{LEFT} {0:.1}H{RIGHT}'/><text text-anchor=end x={1:.1} y={2:.1}>{shown}</text>",
            y(value),
            LEFT - 6.0,
            y(value) + 4.0
        )
        .ok();
    }
    let below = BASE + 16.0;
    write!(svg, "<text x={LEFT} y={below}>{}</text><text x={RIGHT} y={below} text-anchor=end>{}</text>", ends[0], ends[1]).ok();
    for (at, line) in lines.iter().enumerate() {
        let hue = hue(at, lines.len());
        let name = escape(line.name);
        write!(svg, "<path class=line style='--h:{hue}' d='").ok();
        for (at, (share, value)) in line.points.iter().enumerate() {
            write!(svg, "{}{:.1} {:.1}", if at == 0 { 'M' } else { 'L' }, x(*share), y(*value)).ok();
        }
        let (share, value) = line.points.last().copied().unwrap_or_default();
        write!(
            svg,
            "'><title>{name}</title></path><text class=name style='--h:{hue}' text-anchor=end x={:.1} y={:.1}>{name}</text>",
            x(share),
            (y(value) - 5.0).max(10.0)
        )
        .ok();
    }
    svg + "</svg>"
}

fn bars(study: &Study) -> String {
    let each = |one: &super::Gain, seconds: f64| 1e3 * seconds / one.pages.max(1) as f64;
    let most = study.gain.iter().map(|one| each(one, one.without().max(one.with()))).fold(1e-9, f64::max);
    let mut svg = open("Time with and without templates", 40.0 * study.gain.len() as f64 + 8.0);
    for (at, one) in study.gain.iter().enumerate() {
        let top = 40.0 * at as f64;
        let width = |seconds: f64| (each(one, seconds) / most * (RIGHT - LEFT)).max(1.0);
        write!(
            svg,
            "<text x={LEFT} y={:.1}>{} {}: {:.1} % saved</text><rect x={LEFT} y={:.1} width={:.1} height=8 style='--h:{}'/>\
             <rect x={LEFT} y={:.1} width={:.1} height=8 style='fill:var(--soft)'/>",
            top + 12.0,
            escape(&one.site),
            escape(&one.technique),
            100.0 * one.saved(),
            top + 17.0,
            width(one.with()),
            hue(at, study.gain.len()),
            top + 26.0,
            width(one.without())
        )
        .ok();
    }
    svg + "</svg>"
}
