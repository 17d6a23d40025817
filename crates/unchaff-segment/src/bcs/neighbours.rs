//! Which boxes are linked: for each of the four directions the nearest ones that face a box, ties included.
//!
//! Source: J. Zelený, PhD thesis, Brno 2017, §6.2, Def 5. A sweep over the page keeps, for every stretch of the other axis, how
//! near the last box passed is; each box then asks for its own stretch. That takes n log n steps, where trying all
//! pairs takes n²; a test holds one to the other. Boxes that overlap in part face nobody by the definition; they are linked
//! at distance 0 (spec 40 §3.2).

use crate::grid::Grid;
use crate::rect::{Projection, Rect, Touching};

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
    let mut found = Vec::new();
    let flip = |rect: &Rect| Rect { top: rect.bottom.saturating_neg(), bottom: rect.top.saturating_neg(), ..*rect };
    let turn = |rect: &Rect| Rect { top: rect.left, left: rect.top, bottom: rect.right, right: rect.bottom };
    let above = rects.to_vec();
    let below: Vec<Rect> = above.iter().map(flip).collect();
    let left: Vec<Rect> = rects.iter().map(turn).collect();
    let right: Vec<Rect> = left.iter().map(flip).collect();
    for (direction, turned) in [
        (Direction::Vertical, above),
        (Direction::Vertical, below),
        (Direction::Horizontal, left),
        (Direction::Horizontal, right),
    ] {
        // By the printed inequalities boxes that touch sideways count as one above the other, and so do not face at all.
        let least = i64::from(touching == Touching::Overlaps && direction == Direction::Horizontal);
        nearest_above(&turned, touching, least, |one, other, distance| {
            let (from, to) = (one.min(other), one.max(other));
            found.push(Link { from, to, direction, distance, mutual: [one == to, one == from] });
        });
    }
    overlapping(rects, |from, to, direction| found.push(Link { from, to, direction, distance: 0, mutual: [true; 2] }));
    found.sort_unstable();
    found.dedup_by(|next, kept| {
        let same = (next.from, next.to, next.direction) == (kept.from, kept.to, kept.direction);
        if same {
            kept.mutual = [kept.mutual[0] || next.mutual[0], kept.mutual[1] || next.mutual[1]];
        }
        same
    });
    found
}

/// Calls back with each box, each of the nearest boxes above it, and their distance, which is at least `least`.
fn nearest_above(rects: &[Rect], touching: Touching, least: i64, mut call: impl FnMut(u32, u32, i64)) {
    let mut edges: Vec<i32> = rects.iter().flat_map(|rect| [rect.left, rect.right]).collect();
    edges.sort_unstable();
    edges.dedup();
    // Even positions are edges, odd ones what lies between.
    let stretch = |rect: &Rect| {
        let [from, to] = [rect.left, rect.right].map(|edge| 2 * edges.partition_point(|known| *known < edge));
        match touching {
            Touching::Apart => from + 1..to,
            Touching::Overlaps => from..to + 1,
        }
    };
    let mut by_bottom: Vec<u32> = (0..rects.len() as u32).collect();
    by_bottom.sort_by_key(|at| (rects[*at as usize].bottom, rects[*at as usize].left, *at));
    let mut by_top: Vec<u32> = (0..rects.len() as u32).collect();
    by_top.sort_by_key(|at| (rects[*at as usize].top, *at));
    let mut passed = LastPassed::new(2 * edges.len() + 1);
    let mut next = 0;
    for asking in by_top {
        let rect = rects[asking as usize];
        let is_above = |other: u32| i64::from(rects[other as usize].bottom) <= i64::from(rect.top) - least;
        while next < by_bottom.len() && is_above(by_bottom[next]) {
            let other = &rects[by_bottom[next] as usize];
            passed.set(stretch(other), i64::from(other.bottom));
            next += 1;
        }
        let Some(bottom) = passed.latest(stretch(&rect)) else { continue };
        let start = by_bottom.partition_point(|other| i64::from(rects[*other as usize].bottom) < bottom);
        let row = &by_bottom[start..];
        let row = &row[..row.partition_point(|other| i64::from(rects[*other as usize].bottom) == bottom)];
        // Boxes of a row that do not overlap end in the order in which they start, so those before the stretch can be
        // left out at once; where they do overlap, looking further back finds the rest.
        let slack = i64::from(touching == Touching::Overlaps);
        let reaches = |other: &u32| i64::from(rects[*other as usize].right) + slack > i64::from(rect.left);
        let end = row.partition_point(|other| i64::from(rects[*other as usize].left) < i64::from(rect.right) + slack);
        let start = row[..end].partition_point(|other| rects[*other as usize].left < rect.left).saturating_sub(MOST);
        for other in row[start..end].iter().filter(|other| **other != asking && reaches(other)).take(MOST) {
            call(asking, *other, i64::from(rect.top) - bottom);
        }
    }
}

/// For each position the last value set there; values only grow, so the last is the largest.
struct LastPassed {
    size: usize,
    /// The largest value in the stretch of a tree node.
    largest: Vec<i64>,
    /// The largest value that was set for the whole stretch.
    whole: Vec<i64>,
}

impl LastPassed {
    fn new(positions: usize) -> LastPassed {
        let size = positions.next_power_of_two();
        LastPassed { size, largest: vec![i64::MIN; 2 * size], whole: vec![i64::MIN; 2 * size] }
    }

    fn set(&mut self, range: std::ops::Range<usize>, value: i64) {
        let (mut low, mut high) = (range.start + self.size, range.end + self.size);
        let (first, last) = (low, high.saturating_sub(1));
        if low >= high {
            return;
        }
        while low < high {
            if low % 2 == 1 {
                self.whole[low] = value;
                self.largest[low] = value;
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                self.whole[high] = value;
                self.largest[high] = value;
            }
            low /= 2;
            high /= 2;
        }
        for mut at in [first, last] {
            while at > 1 {
                at /= 2;
                self.largest[at] = self.largest[at].max(value);
            }
        }
    }

    fn latest(&self, range: std::ops::Range<usize>) -> Option<i64> {
        let (mut low, mut high) = (range.start + self.size, range.end + self.size);
        if low >= high {
            return None;
        }
        let mut latest = i64::MIN;
        for mut at in [low, high - 1] {
            while at > 1 {
                at /= 2;
                latest = latest.max(self.whole[at]);
            }
        }
        while low < high {
            if low % 2 == 1 {
                latest = latest.max(self.largest[low]);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                latest = latest.max(self.largest[high]);
            }
            low /= 2;
            high /= 2;
        }
        (latest > i64::MIN).then_some(latest)
    }
}

/// The direction of boxes that overlap: the axis on which their shadows overlap more.
fn overlap_direction(one: Rect, other: Rect) -> Direction {
    let common = one.intersection(other);
    if common.width() >= common.height() { Direction::Vertical } else { Direction::Horizontal }
}

fn overlapping(rects: &[Rect], mut call: impl FnMut(u32, u32, Direction)) {
    let grid = Grid::new(rects);
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

    /// Spec 40 §11, W-3: `n2` is not nearest to `m`, but `m` is to `n2`.
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
