//! Charts as SVG, drawn with the colours of the page around them, so that they follow its light and dark.
//!
//! Every mark has a `title` for the pointer and a technique's number (`data-t`), by which the page lights up the same
//! technique everywhere.

use super::document::escape;
use std::fmt::Write;
use unchaff_dom::order::InOrder;

/// How many bars a distribution has.
pub(super) const BINS: usize = 20;

/// How many dots of a technique are drawn at most where there is one for each page.
const DOTS: usize = 300;

/// A point of precision and recall.
pub(super) struct Point<'a> {
    pub(super) technique: usize,
    pub(super) rank: usize,
    pub(super) label: &'a str,
    pub(super) recall: f64,
    pub(super) precision: f64,
    pub(super) f1: f64,
}

/// Precision against recall, with lines of equal F1. The points carry the ranks of the table beside.
pub(super) fn scatter(points: &[Point]) -> String {
    let [width, height, left, bottom, margin]: [f64; 5] = [420.0, 380.0, 44.0, 40.0, 14.0];
    let (x_low, y_low) = (lower_end(points, |point| point.recall), lower_end(points, |point| point.precision));
    let place = |value: f64, low: f64| ((value - low) / (1.0 - low)).max(0.0);
    let x = |recall: f64| left + place(recall, x_low) * (width - left - margin);
    let y = |precision: f64| height - bottom - place(precision, y_low) * (height - bottom - margin);
    let mut svg = open(width, height, "Precision against recall of each technique");
    let (right, base) = (width - margin, height - bottom);
    let ticks = |low: f64| (0..=10).map(|tick| f64::from(tick) / 10.0).filter(move |tick| *tick >= low - 1e-9);
    for (tick, at) in ticks(x_low).map(|tick| (tick, x(tick))) {
        let below = base + 15.0;
        write!(svg, "<path class=grid d='M{at:.1} {margin}V{base:.1}'/><text class=tick text-anchor=middle x={at:.1} y={below:.1}>{tick:.1}</text>").ok();
    }
    for (tick, at) in ticks(y_low).map(|tick| (tick, y(tick))) {
        let (before, middle) = (left - 6.0, at + 4.0);
        write!(svg, "<path class=grid d='M{left} {at:.1}H{right:.1}'/><text class=tick text-anchor=end x={before:.1} y={middle:.1}>{tick:.1}</text>").ok();
    }
    for f1 in ticks(0.1).filter(|f1| *f1 < 0.95) {
        svg.push_str(&equal_f1(f1, (x_low, y_low), x, y));
    }
    write!(
        svg,
        "<text class=axis text-anchor=middle x={:.1} y={:.1}>recall</text>\
         <text class=axis text-anchor=middle transform='translate(12 {:.1}) rotate(-90)'>precision</text>",
        (left + width - margin) / 2.0,
        height - 6.0,
        (height - bottom + margin) / 2.0
    )
    .ok();
    for point in points.iter().rev() {
        write!(
            svg,
            "<g class='point{}' data-t={} transform='translate({:.1} {:.1})'><title>{}: F1 {:.3}, recall {:.3}, precision {:.3}</title>\
             <circle r=9 /><text text-anchor=middle y=3.5>{}</text></g>",
            if point.recall < x_low || point.precision < y_low { " off" } else { "" },
            point.technique,
            x(point.recall),
            y(point.precision),
            escape(point.label),
            point.f1,
            point.recall,
            point.precision,
            point.rank
        )
        .ok();
    }
    svg + "</svg>"
}

/// Where an axis starts, so that the worst tenth of the techniques does not crowd the others; they stand at the edge.
fn lower_end(points: &[Point], pick: fn(&Point) -> f64) -> f64 {
    let mut values: Vec<f64> = points.iter().map(pick).collect();
    values.sort_by(f64::total_cmp);
    let low = values.get(values.len() / 10).copied().unwrap_or(0.0);
    ((low * 10.0 - 0.2).floor() / 10.0).clamp(0.0, 0.8)
}

/// The line of points with the same F1: precision is `f·r / (2r − f)`.
fn equal_f1(f1: f64, (x_low, y_low): (f64, f64), x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> String {
    let mut path = String::new();
    let mut last = (1.0, 1.0);
    for step in 0..=60 {
        let recall = 1.0 - (1.0 - x_low) * f64::from(step) / 60.0;
        let precision = f1 * recall / (2.0 * recall - f1);
        if 2.0 * recall <= f1 || precision > 1.0 {
            break;
        }
        if precision >= y_low {
            let letter = if path.is_empty() { 'M' } else { 'L' };
            write!(path, "{letter}{:.1} {:.1}", x(recall), y(precision)).ok();
            last = (recall, precision);
        }
    }
    if path.is_empty() {
        return path;
    }
    format!(
        "<path class=equal d='{path}'/><text class=equal-label x={:.1} y={:.1}>F1 {f1:.1}</text>",
        x(last.0) + 3.0,
        (y(last.1) + 10.0).max(22.0)
    )
}

/// How many pages have an F1 in each twentieth, with a line at the mean.
pub(super) fn distribution(f1s: &[f64], mean: f64) -> String {
    let mut bins = [0_usize; BINS];
    for f1 in f1s {
        bins[((f1 * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    let most = bins.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut bars = String::new();
    for (at, count) in bins.iter().enumerate().filter(|(_, count)| **count > 0) {
        let height = (*count as f64 / most * 22.0).max(1.0);
        write!(bars, "M{} 24v-{height:.1}h5v{height:.1}z", at * 6).ok();
    }
    let share = |below: f64| f1s.iter().filter(|f1| **f1 < below).count() * 100 / f1s.len().max(1);
    format!(
        "<svg class=spread viewBox='0 0 120 26' width=120 height=26 role=img aria-label='{} % of the pages below 0.5, {} % below 0.9'>\
         <path class=base d='M0 24.5H119'/><path class=bars d='{bars}'/><path class=mean d='M{:.1} 0V26'/></svg>",
        share(0.5),
        share(0.9),
        mean * 119.0
    )
}

/// The times of a technique: bytes of the page and milliseconds.
pub(super) struct Times<'a> {
    pub(super) technique: usize,
    pub(super) label: &'a str,
    pub(super) pages: Vec<(f64, f64)>,
}

/// Time against the size of the page, both in powers of ten; a dot for each page and a line through the medians.
pub(super) fn time_by_size(techniques: &[Times]) -> Option<String> {
    let [width, height, left, bottom, margin]: [f64; 5] = [620.0, 380.0, 56.0, 40.0, 14.0];
    let all = || techniques.iter().flat_map(|times| &times.pages);
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let (low, high) = all().map(pick).fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        (low.log10().floor(), high.log10().ceil().max(low.log10().floor() + 1.0))
    };
    all().next()?;
    let ((x_low, x_high), (y_low, y_high)) = (range(|page| page.0), range(|page| page.1));
    let x = |bytes: f64| left + (bytes.log10() - x_low) / (x_high - x_low) * (width - left - margin);
    let y = |ms: f64| height - bottom - (ms.log10() - y_low) / (y_high - y_low) * (height - bottom - margin);
    let mut svg = open(width, height, "Time of computing against the size of the page");
    for power in x_low as i32..=x_high as i32 {
        let at = x(10_f64.powi(power));
        let (base, below) = (height - bottom, height - bottom + 15.0);
        let name = amount(power, &["B", "kB", "MB", "GB"]);
        write!(
            svg,
            "<path class=grid d='M{at:.1} {margin}V{base}'/><text class=tick text-anchor=middle x={at:.1} y={below}>{name}</text>"
        )
        .ok();
    }
    for power in y_low as i32..=y_high as i32 {
        let (at, right) = (y(10_f64.powi(power)), width - margin);
        let name = amount(power + 6, &["ns", "µs", "ms", "s", "000 s"]);
        write!(
            svg,
            "<path class=grid d='M{left} {at:.1}H{right}'/><text class=tick text-anchor=end x={} y={:.1}>{name}</text>",
            left - 6.0,
            at + 4.0
        )
        .ok();
    }
    for (colour, times) in techniques.iter().enumerate() {
        let mut pages = times.pages.clone();
        pages.order_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        write!(
            svg,
            "<g class='times c{}' data-t={}><title>{}</title><path class=dots d='",
            colour + 1,
            times.technique,
            escape(times.label)
        )
        .ok();
        let step = pages.len().div_ceil(DOTS).max(1);
        for (bytes, ms) in pages.iter().step_by(step) {
            write!(svg, "M{:.1} {:.1}h0", x(*bytes), y(*ms)).ok();
        }
        svg.push_str("'/><path class=line d='");
        for (at, part) in pages.chunks(pages.len().div_ceil(8).max(1)).enumerate() {
            let mut ms: Vec<f64> = part.iter().map(|page| page.1).collect();
            ms.sort_by(f64::total_cmp);
            let letter = if at == 0 { 'M' } else { 'L' };
            write!(svg, "{letter}{:.1} {:.1}", x(part[part.len() / 2].0), y(ms[ms.len() / 2])).ok();
        }
        svg.push_str("'/></g>");
    }
    Some(svg + "</svg>")
}

/// A power of ten in units that are a thousand apart.
fn amount(power: i32, units: &[&str]) -> String {
    let unit = (power.max(0) / 3).min(units.len() as i32 - 1);
    let rest = power - unit * 3;
    if rest >= 0 {
        format!("{} {}", 10_i64.pow(rest as u32), units[unit as usize])
    } else {
        format!("10^{rest} {}", units[unit as usize])
    }
}

/// The differences between two techniques, page by page, from the worst for the first to the best.
pub(super) fn differences(pairs: &[(f64, f64)]) -> String {
    let [width, height]: [f64; 2] = [760.0, 120.0];
    let mut sorted: Vec<f64> = pairs.iter().map(|(first, second)| first - second).collect();
    sorted.sort_by(f64::total_cmp);
    let most = sorted.iter().fold(0.1_f64, |most, difference| most.max(difference.abs()));
    let middle = height / 2.0;
    let (mut better, mut worse) = (String::new(), String::new());
    let step = width / sorted.len().max(1) as f64;
    for (at, difference) in sorted.iter().enumerate().filter(|(_, difference)| **difference != 0.0) {
        let side = if *difference > 0.0 { &mut better } else { &mut worse };
        let rise = -difference / most * (middle - 4.0);
        write!(side, "M{:.2} {middle}v{rise:.2}h{step:.2}V{middle}z", at as f64 * step).ok();
    }
    open(width, height, "Differences in F1 by page")
        + &format!(
            "<path class=better d='{better}'/><path class=worse d='{worse}'/><path class=base d='M0 {middle}H{width}'/>\
             <text class=tick x=2 y=12>+{most:.2}</text><text class=tick text-anchor=end x={} y={}>−{most:.2}</text></svg>",
            width - 2.0,
            height - 4.0
        )
}

fn open(width: f64, height: f64, what: &str) -> String {
    format!("<svg class=chart viewBox='0 0 {width} {height}' role=img aria-label='{what}'>")
}
