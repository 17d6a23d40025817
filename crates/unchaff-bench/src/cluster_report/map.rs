//! A map: each page a dot, pages near each other are built alike.

use super::{Ranked, hue};
use crate::report::escape;
use std::fmt::Write;

/// How many pages are drawn at most, spread evenly over all.
const DRAWN: usize = 10_000;

/// A small step away from a place, always the same for a page, so that pages of equal structure do not hide each other.
fn step(page: usize) -> (f64, f64) {
    let turn = page as f64 * 2.399_963;
    let far = 5.0 * ((page % 97) as f64 / 97.0).sqrt();
    (far * turn.cos(), far * turn.sin())
}

impl Ranked<'_> {
    pub(super) fn map(&self) -> String {
        let [width, height, margin]: [f64; 3] = [960.0, 560.0, 28.0];
        let places = &self.report.found.places;
        let ends = |axis: usize| {
            let both = |(low, high): (f32, f32), place: &[f32; 2]| (low.min(place[axis]), high.max(place[axis]));
            places.iter().fold((f32::INFINITY, f32::NEG_INFINITY), both)
        };
        if places.is_empty() {
            return String::new();
        }
        let (x, y) = (ends(0), ends(1));
        let extent = |(low, high): (f32, f32)| f64::from(high - low).max(1e-6);
        let scale = ((width - 2.0 * margin) / extent(x)).min((height - 2.0 * margin) / extent(y));
        let at = |page: usize| {
            let middle = |(low, high): (f32, f32)| f64::from(low + high) / 2.0;
            let place = places[page];
            (width / 2.0 + (f64::from(place[0]) - middle(x)) * scale, height / 2.0 - (f64::from(place[1]) - middle(y)) * scale)
        };
        let count = places.len();
        let is_drawn = |page: usize| count <= DRAWN || (page + 1) * DRAWN / count > page * DRAWN / count;
        let radius = match count {
            0..200 => 5.0,
            200..2000 => 4.0,
            _ => 3.0,
        };
        let mut out = String::from(
            "<h2 id=map>Map of the pages</h2><p>Each dot is a page; pages near each other are built alike. Rest the pointer on a dot for its title, \
             or on a line of the table to see where its cluster lies.</p><figure>",
        );
        let _ = write!(
            out,
            "<svg class='chart map' viewBox='0 0 {width} {height}' role=img aria-label='Map of the pages by structure'>"
        );
        // The small clusters last, so that they are not covered.
        for (rank, members) in self.members.iter().enumerate() {
            let alone = if members.len() == 1 { " alone" } else { "" };
            let _ = write!(out, "<g class='cluster{alone}' data-t={} style='--h:{:.0}'>", rank + 1, hue(rank));
            for page in members.iter().filter(|page| is_drawn(**page)) {
                let ((x, y), (dx, dy)) = (at(*page), step(*page));
                let card = &self.report.pages[*page];
                let _ = write!(
                    out,
                    "<circle cx={:.1} cy={:.1} r={radius}><title>{}\n{}\ncluster {}</title></circle>",
                    x + dx,
                    y + dy,
                    escape(&card.title),
                    escape(&card.url),
                    rank + 1
                );
            }
            out += "</g>";
        }
        // Every cluster has its number; where they would cover each other, the larger cluster's is larger.
        for (rank, page) in self.representatives.iter().enumerate().rev() {
            let (x, y) = at(*page);
            let size = if self.members[rank].len() > 1 { 12 } else { 8 };
            let _ = write!(
                out,
                "<text class=number text-anchor=middle font-size={size} x={x:.1} y={:.1}>{}</text>",
                y + f64::from(size) / 3.0,
                rank + 1
            );
        }
        let drawn = if count > DRAWN { format!(" {DRAWN} of {count} pages are drawn.") } else { String::new() };
        let _ = write!(
            out,
            "</svg><figcaption>Distances on the plane are as near as can be to those of the pages (multidimensional scaling). Numbers stand at the representatives of the \
             clusters; pages alone in their cluster are hollow; equal pages are drawn a little apart.{drawn}</figcaption></figure>"
        );
        out
    }
}
