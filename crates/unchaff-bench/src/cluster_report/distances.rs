//! How far pages are apart: a histogram of all distances, and a picture of their matrix.

use super::Ranked;
use std::fmt::Write;
use unchaff_site::clustering::picture::{BARS, Gap};

/// Shades of the matrix.
const SHADES: usize = 10;

impl Ranked<'_> {
    /// What is to be said of the gap in which the pages are cut.
    fn gaps(&self) -> (Option<Gap>, String) {
        let Some(tree) = &self.report.found.of_pages else { return (None, String::new()) };
        let shown = |gap: &Gap| format!("from {:.2} to {:.2}", gap.from, gap.to);
        let cut = self.report.found.threshold.map(|threshold| tree.gap_at(threshold));
        let mut said =
            cut.map_or(String::new(), |gap| format!(" The cut lies in a gap {}, in which no two clusters meet.", shown(&gap)));
        if let Some(widest) = tree.widest_gap().filter(|widest| Some(*widest) != cut) {
            let _ = write!(
                said,
                " The widest gap is {}: <code>--threshold {:.2}</code> makes {} clusters.",
                shown(&widest),
                (widest.from + widest.to) / 2.0,
                widest.clusters
            );
        }
        (cut, said)
    }

    pub(super) fn histogram(&self) -> String {
        let Some(picture) = self.report.found.picture.as_ref().filter(|picture| picture.pages.len() > 1) else {
            return String::new();
        };
        let [width, height, left, top, bottom]: [f64; 5] = [960.0, 260.0, 40.0, 20.0, 30.0];
        let most = picture.bars.iter().map(|bar| bar[0] + bar[1]).max().unwrap_or(1).max(1);
        // Square roots, so that few pairs within clusters are seen beside many between them.
        let tall = |count: u32| (f64::from(count) / f64::from(most)).sqrt() * (height - top - bottom);
        let step = (width - 2.0 * left) / BARS as f64;
        let x = |distance: f64| left + distance * (width - 2.0 * left);
        let (gap, said) = self.gaps();
        let mut out = format!(
            "<h2 id=distances>Distances</h2><p>How many pairs of pages are how far apart: within clusters and between them. A good cut lies between two hills.{said}</p><figure>\
             <svg class='chart bars' viewBox='0 0 {width} {height}' role=img aria-label='Histogram of distances'>"
        );
        if let Some(gap) = gap {
            let _ = write!(
                out,
                "<rect class=gap x={:.1} y={top} width={:.1} height={:.1} />",
                x(gap.from),
                x(gap.to) - x(gap.from),
                height - top - bottom
            );
        }
        for (at, [within, between]) in picture.bars.iter().enumerate() {
            let whole = tall(within + between);
            // The share of each in the height of the bar.
            let inner = if *within == 0 { 0.0 } else { whole * f64::from(*within) / f64::from(within + between) };
            let from = left + at as f64 * step;
            for (class, y, part) in
                [("within", height - bottom - inner, inner), ("between", height - bottom - whole, whole - inner)]
            {
                if part > 0.0 {
                    let _ = write!(
                        out,
                        "<rect class={class} x={from:.1} y={y:.1} width={:.1} height={part:.1}><title>{within} pairs within clusters, {between} between</title></rect>",
                        step - 1.0
                    );
                }
            }
        }
        let _ = write!(out, "<path class=base d='M{left} {0:.1}H{1:.1}'/>", height - bottom, width - left);
        for tick in 0..=5 {
            let distance = f64::from(tick) / 5.0;
            let _ = write!(
                out,
                "<text class=tick text-anchor=middle x={:.1} y={:.1}>{distance:.1}</text>",
                x(distance),
                height - bottom + 16.0
            );
        }
        if let Some(threshold) = self.report.found.threshold {
            let at = x(threshold);
            let _ = write!(
                out,
                "<path class=cut d='M{at:.1} {top}V{:.1}'/><text class=cut-label text-anchor=middle x={at:.1} y=14>cut</text>",
                height - bottom
            );
        }
        let _ = write!(
            out,
            "</svg><figcaption><ul class=key><li class=c1><i></i><span>pairs of one cluster</span><li class=c6><i></i><span>pairs of two clusters</span></ul>Heights are square roots of numbers; \
             all pairs of {} pages.</figcaption></figure>",
            picture.counted
        );
        out
    }

    pub(super) fn matrix(&self) -> String {
        let Some(picture) = self.report.found.picture.as_ref().filter(|picture| picture.pages.len() > 1) else {
            return String::new();
        };
        let count = picture.pages.len();
        let mut shades: Vec<String> = vec![String::new(); SHADES];
        for row in 0..count {
            let distances = &picture.distances[row * count..(row + 1) * count];
            let shade = |distance: f32| (((1.0 - distance) * SHADES as f32) as usize).min(SHADES - 1);
            let mut from = 0;
            for run in distances.chunk_by(|one, other| shade(*one) == shade(*other)) {
                let _ = write!(shades[shade(run[0])], "M{from} {row}h{0}v1h-{0}z", run.len());
                from += run.len();
            }
        }
        let mut out = format!(
            "<h3 id=matrix>Matrix</h3><p>Each row and each column is a page, in the order of the clusters; the fuller, the nearer. Clusters are full squares along the \
             diagonal; what is full beside them belongs to another cluster and is built alike.</p><figure>\
             <svg class='chart matrix' viewBox='0 0 {count} {count}' shape-rendering=crispEdges role=img aria-label='Matrix of distances'>"
        );
        for (shade, path) in shades.iter().enumerate().skip(1).filter(|(_, path)| !path.is_empty()) {
            let _ = write!(out, "<path fill-opacity={:.2} d='{path}'/>", shade as f64 / (SHADES - 1) as f64);
        }
        let clusters = &self.report.found.clustering;
        let mut from = 0;
        for run in picture.pages.chunk_by(|one, other| clusters.of(*one) == clusters.of(*other)) {
            if run.len() > 1 {
                let _ = write!(out, "<rect class=edge x={from} y={from} width={0} height={0} />", run.len());
            }
            from += run.len();
        }
        let all = self.report.pages.len();
        let some = if count < all { format!("{count} of {all} pages, spread evenly.") } else { format!("All {count} pages.") };
        let _ = write!(out, "</svg><figcaption>{some}</figcaption></figure>");
        out
    }
}
