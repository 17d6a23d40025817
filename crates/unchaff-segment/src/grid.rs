//! A grid over the page by which rectangles are found that may overlap another.
//!
//! Lines of the grid stand at ranks, not at equal distances: a box far out on an endless page does not make all others
//! share a cell. It only proposes; who asks compares the rectangles.

use crate::rect::Rect;
use std::ops::RangeInclusive;

const COLUMNS: usize = 32;
const MOST_ROWS: usize = 1 << 14;

/// The most cells that a rectangle may cover on average; where it would be more, the grid is made coarser.
const CELLS_EACH: usize = 16;

/// Rectangles by the cells that they cover.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Where a new column, or row, begins.
    columns: Vec<i32>,
    rows: Vec<i32>,
    /// For each cell its latest entry. Entries of a cell are chained, so that cells need no memory of their own.
    cells: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    id: u32,
    /// The entry before it in its cell.
    before: u32,
}

/// The end of a chain.
const NONE: u32 = u32::MAX;

fn lines(mut starts: Vec<i32>, most: usize) -> Vec<i32> {
    starts.sort_unstable();
    let step = starts.len().div_ceil(most).max(1);
    let mut lines: Vec<i32> = starts.into_iter().step_by(step).collect();
    lines.dedup();
    lines
}

/// The cells between lines that an interval with exclusive end covers.
fn covered(lines: &[i32], from: i32, to: i32) -> RangeInclusive<usize> {
    let first = lines.partition_point(|line| *line <= from);
    let last = lines.partition_point(|line| *line < to);
    first..=last.max(first)
}

impl Grid {
    /// A grid of these rectangles, numbered in their order.
    #[must_use]
    pub fn new(rects: &[Rect]) -> Grid {
        let mut columns = lines(rects.iter().map(|rect| rect.left).collect(), COLUMNS);
        let mut rows = lines(rects.iter().map(|rect| rect.top).collect(), (rects.len() / 4).clamp(1, MOST_ROWS));
        let most = CELLS_EACH * rects.len() + 64;
        let total = |columns: &[i32], rows: &[i32]| {
            let cells =
                |rect: &Rect| covered(columns, rect.left, rect.right).count() * covered(rows, rect.top, rect.bottom).count();
            rects.iter().map(cells).sum::<usize>()
        };
        while total(&columns, &rows) > most {
            let lines = if rows.len() > columns.len() { &mut rows } else { &mut columns };
            *lines = lines.iter().copied().step_by(2).take(lines.len() / 2).collect();
        }
        let cells = vec![NONE; (columns.len() + 1) * (rows.len() + 1)];
        let mut grid = Grid { columns, rows, cells, entries: Vec::with_capacity(4 * rects.len()) };
        for (id, rect) in rects.iter().enumerate() {
            grid.insert(id as u32, *rect);
        }
        grid
    }

    fn cells(&self, rect: Rect) -> impl Iterator<Item = usize> + use<> {
        let columns = covered(&self.columns, rect.left, rect.right);
        let width = self.columns.len() + 1;
        covered(&self.rows, rect.top, rect.bottom).flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    /// Adds a number to all cells that a rectangle covers.
    pub fn insert(&mut self, id: u32, rect: Rect) {
        for cell in self.cells(rect) {
            let before = self.cells[cell];
            // What grows by a pixel at a time is added to the same cells over and over.
            if self.entries.get(before as usize).is_none_or(|latest| latest.id != id) {
                self.cells[cell] = self.entries.len() as u32;
                self.entries.push(Entry { id, before });
            }
        }
    }

    /// Keeps those numbers in the cell of a rectangle's upper left corner that a condition holds for.
    pub fn retain_at_corner(&mut self, rect: Rect, mut keep: impl FnMut(u32) -> bool) {
        let corner = Rect { bottom: rect.top, right: rect.left, ..rect };
        let Some(cell) = self.cells(corner).next() else { return };
        let mut kept = NONE;
        let mut at = self.cells[cell];
        self.cells[cell] = NONE;
        while let Some(entry) = self.entries.get(at as usize).copied() {
            if keep(entry.id) {
                match self.entries.get_mut(kept as usize) {
                    Some(last) => last.before = at,
                    None => self.cells[cell] = at,
                }
                kept = at;
            }
            at = entry.before;
        }
        if let Some(last) = self.entries.get_mut(kept as usize) {
            last.before = NONE;
        }
    }

    /// The numbers in the cells that a rectangle covers; some more than once.
    pub fn near(&self, rect: Rect) -> impl Iterator<Item = u32> + '_ {
        let entry = |at: u32| self.entries.get(at as usize);
        self.cells(rect).flat_map(move |cell| {
            std::iter::successors(entry(self.cells[cell]), move |latest| entry(latest.before)).map(|entry| entry.id)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rects() -> impl Strategy<Value = Vec<Rect>> {
        let one = (-50..1000i32, -50..3000i32, 1..400i32, 1..400i32);
        prop::collection::vec(
            one.prop_map(|(left, top, width, height)| Rect::from([left, top, left + width, top + height])),
            0..60,
        )
    }

    proptest! {
        #[test]
        fn everything_that_overlaps_is_near(rects in rects(), asked in rects()) {
            let grid = Grid::new(&rects);
            for rect in asked {
                let near: Vec<u32> = grid.near(rect).collect();
                for (id, other) in rects.iter().enumerate().filter(|(_, other)| other.overlaps(rect)) {
                    prop_assert!(near.contains(&(id as u32)), "{:?} {:?}", rect, other);
                }
            }
        }
    }
}
