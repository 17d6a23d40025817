//! Which boxes are linked: for each of the four directions the nearest ones that face a box, ties included.
//!
//! Source: J. Zelený, PhD thesis, Brno 2017, §6.2, Def 5. A sweep over the page keeps, for every stretch of the other axis, how
//! near the last box passed is; each box then asks for its own stretch. That takes n log n steps, where trying all
//! pairs takes n²; a test holds one to the other. Boxes that overlap in part face nobody by the definition; they are linked
//! at distance 0, which is our reading.

use crate::grid::Grid;
use crate::rect::{Projection, Rect, Touching};
use std::ops::Range;

/// How boxes are linked: side by side, or one above the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// Side by side.
    Horizontal,
    /// One above the other.
    Vertical,
}

/// A link between two boxes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Link {
    /// One end, the smaller number.
    pub from: u32,
    /// The other end.
    pub to: u32,
    /// How they face each other.
    pub direction: Direction,
    /// Pixels between them.
    pub distance: i64,
    /// Whether the first end is among those nearest to the second, and the second among those nearest to the first.
    pub mutual: [bool; 2],
}

/// The most boxes that are linked to one in one direction by looking from it, and the most that overlap it. Boxes that do not
/// overlap each other are found from the other end, so this only bounds what piles of boxes can cost.
const MOST: usize = 256;

/// All links between boxes, each pair once, in order.
#[must_use]
pub fn links(rects: &[Rect], touching: Touching) -> Vec<Link> {
    links_on(rects, &Grid::new(rects), touching)
}

/// The same, with the grid of the boxes.
pub(super) fn links_on(rects: &[Rect], grid: &Grid, touching: Touching) -> Vec<Link> {
    let mut found = Vec::with_capacity(8 * rects.len());
    let flip = |rect: &Rect| Rect { top: rect.bottom.saturating_neg(), bottom: rect.top.saturating_neg(), ..*rect };
    let turn = |rect: &Rect| Rect { top: rect.left, left: rect.top, bottom: rect.right, right: rect.bottom };
    for direction in [Direction::Vertical, Direction::Horizontal] {
        let above = match direction {
            Direction::Vertical => rects.to_vec(),
            Direction::Horizontal => rects.iter().map(turn).collect(),
        };
        let below: Vec<Rect> = above.iter().map(flip).collect();
        // By the printed inequalities boxes that touch sideways count as one above the other, and so do not face at all.
        let least = i64::from(touching == Touching::Overlaps && direction == Direction::Horizontal);
        let stretches = Stretches::new(&above, touching);
        for turned in [above, below] {
            nearest_above(&turned, &stretches, touching, least, |one, other, distance| {
                let (from, to) = (one.min(other), one.max(other));
                found.push(Link { from, to, direction, distance, mutual: [one == to, one == from] });
            });
        }
    }
    overlapping(rects, grid, |from, to, direction| found.push(Link { from, to, direction, distance: 0, mutual: [true; 2] }));
    let mut found = by_first_end(&found, rects.len());
    found.dedup_by(|next, kept| {
        let same = (next.from, next.to, next.direction) == (kept.from, kept.to, kept.direction);
        if same {
            kept.mutual = [kept.mutual[0] || next.mutual[0], kept.mutual[1] || next.mutual[1]];
        }
        same
    });
    found
}

/// Links in order. They come in several orders already, so they are dealt out by their first end, and few remain to be sorted.
fn by_first_end(links: &[Link], boxes: usize) -> Vec<Link> {
    let mut ends = vec![0_u32; boxes + 1];
    links.iter().for_each(|link| ends[link.from as usize + 1] += 1);
    (0..boxes).for_each(|at| ends[at + 1] += ends[at]);
    let mut dealt = links.to_vec();
    for link in links {
        let end = &mut ends[link.from as usize];
        dealt[*end as usize] = *link;
        *end += 1;
    }
    dealt.chunk_by_mut(|one, other| one.from == other.from).for_each(|of_one| {
        of_one.sort_unstable_by_key(|link| (link.to, link.direction, link.distance));
    });
    dealt
}

/// The stretch of the x axis that each box covers, in ranks: even positions are edges, odd ones what lies between.
struct Stretches {
    of: Vec<Range<usize>>,
    positions: usize,
}

impl Stretches {
    fn new(rects: &[Rect], touching: Touching) -> Stretches {
        let mut edges: Vec<i32> = rects.iter().flat_map(|rect| [rect.left, rect.right]).collect();
        edges.sort_unstable();
        edges.dedup();
        let stretch = |rect: &Rect| {
            let [from, to] = [rect.left, rect.right].map(|edge| 2 * edges.partition_point(|known| *known < edge));
            match touching {
                Touching::Apart => from + 1..to,
                Touching::Overlaps => from..to + 1,
            }
        };
        Stretches { of: rects.iter().map(stretch).collect(), positions: 2 * edges.len() + 1 }
    }
}

/// Boxes whose lower edges are at one height.
#[derive(Clone, Copy)]
struct Row {
    bottom: i64,
    start: u32,
    end: u32,
}

/// Calls back with each box, each of the nearest boxes above it, and their distance, which is at least `least`.
fn nearest_above(rects: &[Rect], stretches: &Stretches, touching: Touching, least: i64, mut call: impl FnMut(u32, u32, i64)) {
    let by_bottom = in_order(rects, |rect| [rect.bottom, rect.left]);
    let by_top = in_order(rects, |rect| [rect.top, rect.left]);
    let mut rows: Vec<Row> = Vec::new();
    let mut passed = LastPassed::new(stretches.positions);
    let mut next = 0;
    for asking in by_top {
        let rect = rects[asking as usize];
        let bottom_of = |at: u32| i64::from(rects[at as usize].bottom);
        while let Some(other) = by_bottom.get(next).filter(|other| bottom_of(**other) <= i64::from(rect.top) - least) {
            let bottom = bottom_of(*other);
            match rows.last_mut().filter(|row| row.bottom == bottom) {
                Some(row) => row.end += 1,
                None => rows.push(Row { bottom, start: next as u32, end: next as u32 + 1 }),
            }
            passed.set(stretches.of[*other as usize].clone(), rows.len() as u32);
            next += 1;
        }
        let Some(row) = passed.latest(stretches.of[asking as usize].clone()).map(|row| rows[row as usize - 1]) else { continue };
        let of_row = &by_bottom[row.start as usize..row.end as usize];
        // Boxes of a row that do not overlap end in the order in which they start, so those before the stretch can be
        // left out at once; where they do overlap, looking further back finds the rest.
        let slack = i64::from(touching == Touching::Overlaps);
        let reaches = |other: &u32| i64::from(rects[*other as usize].right) + slack > i64::from(rect.left);
        let end = of_row.partition_point(|other| i64::from(rects[*other as usize].left) < i64::from(rect.right) + slack);
        let start = of_row[..end].partition_point(|other| rects[*other as usize].left < rect.left).saturating_sub(MOST);
        for other in of_row[start..end].iter().filter(|other| **other != asking && reaches(other)).take(MOST) {
            call(asking, *other, i64::from(rect.top) - row.bottom);
        }
    }
}

/// Boxes in the order of two edges, then of their numbers.
fn in_order(rects: &[Rect], edges: impl Fn(&Rect) -> [i32; 2]) -> Vec<u32> {
    // One number each that is ordered as its edges are, so that sorting compares but once.
    let packed = |(at, rect): (usize, &Rect)| {
        let [first, second] = edges(rect).map(|edge| u128::from(edge.cast_unsigned() ^ 1 << 31));
        first << 64 | second << 32 | at as u128
    };
    let mut order: Vec<u128> = rects.iter().enumerate().map(packed).collect();
    order.sort_unstable();
    order.into_iter().map(|packed| packed as u32).collect()
}

/// For each position the last row set there, by its number, from 1; rows are set in order, so the last is the largest.
struct LastPassed {
    size: usize,
    /// The largest number in the stretch of a tree node, and the largest that was set for all of it; 0 for none.
    nodes: Vec<[u32; 2]>,
}

impl LastPassed {
    fn new(positions: usize) -> LastPassed {
        let size = positions.next_power_of_two();
        LastPassed { size, nodes: vec![[0; 2]; 2 * size] }
    }

    fn set(&mut self, range: Range<usize>, value: u32) {
        let (mut low, mut high) = (range.start + self.size, range.end + self.size);
        let (first, last) = (low, high.saturating_sub(1));
        if low >= high {
            return;
        }
        while low < high {
            if low % 2 == 1 {
                self.nodes[low] = [value; 2];
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                self.nodes[high] = [value; 2];
            }
            low /= 2;
            high /= 2;
        }
        for mut at in [first, last] {
            while at > 1 {
                at /= 2;
                self.nodes[at][0] = value;
            }
        }
    }

    fn latest(&self, range: Range<usize>) -> Option<u32> {
        let (mut low, mut high) = (range.start + self.size, range.end + self.size);
        if low >= high {
            return None;
        }
        let mut latest = 0;
        for mut at in [low, high - 1] {
            while at > 1 {
                at /= 2;
                latest = latest.max(self.nodes[at][1]);
            }
        }
        while low < high {
            if low % 2 == 1 {
                latest = latest.max(self.nodes[low][0]);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                latest = latest.max(self.nodes[high][0]);
            }
            low /= 2;
            high /= 2;
        }
        (latest > 0).then_some(latest)
    }
}

/// The direction of boxes that overlap: the axis on which their shadows overlap more.
fn overlap_direction(one: Rect, other: Rect) -> Direction {
    let common = one.intersection(other);
    if common.width() >= common.height() { Direction::Vertical } else { Direction::Horizontal }
}

fn overlapping(rects: &[Rect], grid: &Grid, mut call: impl FnMut(u32, u32, Direction)) {
    let mut near = Vec::new();
    for (at, rect) in rects.iter().enumerate() {
        near.clear();
        near.extend(grid.near(*rect).filter(|other| *other as usize > at && rects[*other as usize].overlaps(*rect)));
        near.sort_unstable();
        near.dedup();
        near.iter().take(MOST).for_each(|other| call(at as u32, *other, overlap_direction(*rect, rects[*other as usize])));
    }
}

/// All links by the definition, for comparison.
#[doc(hidden)]
#[must_use]
pub fn links_by_definition(rects: &[Rect], touching: Touching) -> Vec<Link> {
    let mut found: Vec<Link> = Vec::new();
    let nearest = |m: usize, n: usize| {
        let position = rects[m].position(rects[n], touching);
        let distance = rects[m].distance(rects[n], touching);
        distance.is_some()
            && !(0..rects.len()).any(|k| {
                k != m && rects[m].position(rects[k], touching) == position && rects[m].distance(rects[k], touching) < distance
            })
    };
    for from in 0..rects.len() {
        for to in from + 1..rects.len() {
            let mutual = [nearest(to, from), nearest(from, to)];
            if rects[from].overlaps(rects[to]) {
                let direction = overlap_direction(rects[from], rects[to]);
                found.push(Link { from: from as u32, to: to as u32, direction, distance: 0, mutual: [true; 2] });
            } else if mutual.contains(&true) {
                let direction = match rects[from].projection(rects[to], touching) {
                    Projection::X => Direction::Vertical,
                    _ => Direction::Horizontal,
                };
                let distance = rects[from].distance(rects[to], touching).unwrap_or_default();
                found.push(Link { from: from as u32, to: to as u32, direction, distance, mutual });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Made by hand: `n2` is not nearest to `m`, but `m` is to `n2`.
    #[test]
    fn neighbourhood_is_not_mutual_but_links_are() {
        let rects = [[0, 0, 100, 100], [110, 0, 160, 40], [150, 60, 200, 100]].map(Rect::from);
        let found: Vec<_> =
            links(&rects, Touching::Apart).iter().map(|link| (link.from, link.to, link.distance, link.mutual)).collect();
        assert_eq!(found, [(0, 1, 10, [true; 2]), (0, 2, 50, [true, false]), (1, 2, 20, [true; 2])]);
    }

    fn rects(apart: bool) -> impl Strategy<Value = Vec<Rect>> {
        let one = (0..40i32, 0..40i32, 1..12i32, 1..12i32);
        prop::collection::vec(one, 0..60).prop_map(move |places| {
            let mut kept: Vec<Rect> = Vec::new();
            for (x, y, w, h) in places {
                let rect = Rect::from([x, y, x + w, y + h]);
                let taken =
                    |other: &Rect| if apart { other.overlaps(rect) } else { other.contains(rect) || rect.contains(*other) };
                if !kept.iter().any(taken) {
                    kept.push(rect);
                }
            }
            kept
        })
    }

    proptest! {
        #[test]
        fn the_sweep_finds_what_the_definition_says(rects in rects(true)) {
            prop_assert_eq!(links(&rects, Touching::Apart), links_by_definition(&rects, Touching::Apart));
        }

        #[test]
        fn so_it_does_where_boxes_overlap_in_part(rects in rects(false)) {
            prop_assert_eq!(links(&rects, Touching::Apart), links_by_definition(&rects, Touching::Apart));
        }

        #[test]
        fn and_by_the_printed_inequalities(rects in rects(true)) {
            prop_assert_eq!(links(&rects, Touching::Overlaps), links_by_definition(&rects, Touching::Overlaps));
        }
    }
}
