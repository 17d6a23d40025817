//! The dendrogram: at which distance pages meet within their clusters, and clusters beyond the cut.

use super::{Ranked, hue, short};
use crate::report::escape;
use std::fmt::Write;

/// How many rows a dendrogram has at most.
const ROWS: usize = 90;
/// Letters of a title beside it.
const LETTERS: usize = 52;

/// A row: a page, and whether it stands for all of its cluster that has no row.
struct Row {
    page: usize,
    rank: usize,
}

/// A part that is drawn: where it ends.
#[derive(Clone, Copy)]
struct Branch {
    x: f64,
    y: f64,
}

impl Ranked<'_> {
    /// A row for each page if there are few; else for the page that stands for each cluster, the largest first, and for as many others as there is room for.
    fn rows(&self) -> Vec<Row> {
        let with_pages = self.report.found.of_pages.is_some();
        let all: usize = self.members.iter().map(Vec::len).sum();
        let mut rows = Vec::new();
        for (rank, members) in self.members.iter().enumerate().take(ROWS) {
            let room = if all <= ROWS { members.len() } else { (members.len() * ROWS / 2 / all).min(members.len() - 1) + 1 };
            let representative = self.representatives[rank];
            rows.push(Row { page: representative, rank });
            let others = members.iter().filter(|page| **page != representative);
            rows.extend(others.take(if with_pages { room - 1 } else { 0 }).map(|page| Row { page: *page, rank }));
        }
        rows.truncate(ROWS);
        rows
    }

    /// All merges between rows, as numbers of rows, the nearest first.
    fn merges(&self, rows: &[Row]) -> Vec<(usize, usize, f64)> {
        let found = self.report.found;
        // What meets: pages where they were linked, else clusters.
        let (count, tree) = found.of_pages.as_ref().map_or((self.members.len(), &found.tree), |tree| (tree.len(), tree));
        let is_pages = found.of_pages.is_some();
        let mut row_of: Vec<Option<usize>> = vec![None; count];
        for (at, row) in rows.iter().enumerate() {
            row_of[if is_pages { row.page } else { row.rank }] = Some(at);
        }
        // Each part points to another of its cluster, the first to itself.
        let mut parts: Vec<usize> = (0..count).collect();
        let first = |parts: &mut Vec<usize>, mut part: usize| {
            while parts[part] != part {
                parts[part] = parts[parts[part]];
                part = parts[part];
            }
            part
        };
        let mut merges = Vec::new();
        for merge in &tree.merges {
            let [one, other] = [merge.one, merge.other].map(|part| {
                let part = if is_pages { part as usize } else { self.rank[part as usize] };
                first(&mut parts, part)
            });
            parts[other] = one;
            row_of[one] = match (row_of[one], row_of[other]) {
                (Some(one), Some(other)) => {
                    merges.push((one.min(other), one.max(other), f64::from(merge.distance)));
                    Some(one.min(other))
                }
                (one, other) => one.or(other),
            };
        }
        merges
    }

    pub(super) fn dendrogram(&self) -> String {
        let rows = self.rows();
        if rows.len() < 2 {
            return String::new();
        }
        let merges = self.merges(&rows);
        // Rows that meet early stand beside each other.
        let mut held: Vec<Vec<usize>> = (0..rows.len()).map(|row| vec![row]).collect();
        for (into, from, _) in &merges {
            let taken = std::mem::take(&mut held[*from]);
            held[*into].extend(taken);
        }
        let order: Vec<usize> = held.into_iter().flatten().collect();
        let [width, left, line, top]: [f64; 4] = [960.0, 470.0, 15.0, 30.0];
        let height = top + line * rows.len() as f64 + 8.0;
        let farthest = merges.iter().map(|merge| merge.2).fold(0.05, f64::max);
        let x = |distance: f64| left - 12.0 - distance / farthest * (left - 40.0);
        let mut out = String::from(
            "<h2 id=tree>How pages and clusters are related</h2><p>What meets far to the right is built alike; a template in two variants shows as two \
             branches that meet soon. Colours and numbers are those of the clusters.</p><figure>",
        );
        let _ = write!(
            out,
            "<svg class='chart tree' viewBox='0 0 {width} {height}' role=img aria-label='Dendrogram of pages and clusters'>"
        );
        let ticks = if farthest > 0.35 { 0.2 } else { 0.05 };
        for tick in (0..=20).map(|at| f64::from(at) * ticks).take_while(|tick| *tick <= farthest + 1e-9) {
            let at = x(tick);
            let _ = write!(
                out,
                "<path class=grid d='M{at:.1} {top}V{height}'/><text class=tick text-anchor=middle x={at:.1} y=16>{tick:.2}</text>"
            );
        }
        let mut branches = vec![Branch { x: x(0.0), y: 0.0 }; rows.len()];
        for (place, row) in order.iter().enumerate() {
            let y = top + line * (place as f64 + 0.5);
            branches[*row].y = y;
            let Row { page, rank } = rows[*row];
            let card = &self.report.pages[page];
            let stands = page == self.representatives[rank];
            let count = if stands { format!(" · {} pages", self.members[rank].len()) } else { String::new() };
            let _ = write!(
                out,
                "<g data-t={0}><title>{1}\n{2}</title><g class=cluster style='--h:{3:.0}'><circle fill=currentColor cx={left} cy={y:.1} r={4} /></g>\
                 <text class=leaf x={5} y={6:.1}>{0}{count} <tspan>· {7}</tspan></text></g>",
                rank + 1,
                escape(&card.title),
                escape(&card.url),
                hue(rank),
                if stands { 5 } else { 3 },
                left + 12.0,
                y + 4.0,
                escape(&short(card.name(), LETTERS))
            );
        }
        for (into, from, distance) in merges {
            let at = x(distance);
            let (one, other) = (branches[into], branches[from]);
            let _ = write!(out, "<path class=branch d='M{:.1} {:.1}H{at:.1}V{:.1}H{:.1}'/>", one.x, one.y, other.y, other.x);
            branches[into] = Branch { x: at, y: (one.y + other.y) / 2.0 };
        }
        if let Some(threshold) = self.report.found.threshold.filter(|threshold| *threshold <= farthest) {
            let at = x(threshold);
            let _ = write!(
                out,
                "<path class=cut d='M{at:.1} {top}V{height}'/><text class=cut-label text-anchor=middle x={at:.1} y=28>cut</text>"
            );
        }
        let more = self.report.pages.len() - rows.len();
        let hidden = if more > 0 { format!(" {more} pages are left out.") } else { String::new() };
        let _ = write!(
            out,
            "</svg><figcaption>Distance at which pages, and clusters beyond the cut, meet.{hidden}</figcaption></figure>"
        );
        out
    }
}
