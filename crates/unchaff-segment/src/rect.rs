//! Rectangles on a rendered page, and how two of them lie to each other.
//!
//! Source: J. Zelený, *Web page segmentation utilizing clustering techniques*, PhD thesis, Brno 2017, Defs 1–5 and 13.
//! Right and bottom edges are exclusive (`width = right − left`), so boxes that merely touch do not overlap; the thesis
//! prints ≥ and ≤, by which they would ([`Touching::Overlaps`]) and the closest neighbours would be lost.

use serde::{Deserialize, Serialize};
use unchaff_page::choice;

/// A rectangle in pixels of the page; x grows to the right, y downwards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(from = "[i32; 4]", into = "[i32; 4]")]
pub struct Rect {
    /// The first row.
    pub top: i32,
    /// The first column.
    pub left: i32,
    /// The row after the last.
    pub bottom: i32,
    /// The column after the last.
    pub right: i32,
}

impl From<[i32; 4]> for Rect {
    /// From left, top, right, bottom.
    fn from([left, top, right, bottom]: [i32; 4]) -> Rect {
        Rect { top, left, bottom, right }
    }
}

impl From<Rect> for [i32; 4] {
    fn from(rect: Rect) -> [i32; 4] {
        [rect.left, rect.top, rect.right, rect.bottom]
    }
}

choice! {
    /// Whether boxes that share an edge overlap.
    pub enum Touching {
        /// They do not: overlap is strict.
        Apart = "apart",
        /// They do, as the thesis prints it.
        Overlaps = "overlaps",
    }
}

/// On which axis the shadows of two boxes overlap (Def 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Projection {
    /// On the x axis: one is above the other.
    X,
    /// On the y axis: they are side by side.
    Y,
    /// On neither.
    Neither,
}

/// Where a box lies, seen from another (Def 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// Above it.
    Above,
    /// Below it.
    Below,
    /// To its left.
    Left,
    /// To its right.
    Right,
    /// Neither of these.
    Other,
}

impl Rect {
    /// The width; 0 if there is none.
    #[must_use]
    pub fn width(self) -> i64 {
        (i64::from(self.right) - i64::from(self.left)).max(0)
    }

    /// The height; 0 if there is none.
    #[must_use]
    pub fn height(self) -> i64 {
        (i64::from(self.bottom) - i64::from(self.top)).max(0)
    }

    /// The area in pixels.
    #[must_use]
    pub fn area(self) -> i64 {
        self.width().saturating_mul(self.height())
    }

    /// Whether no pixel is in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.width() == 0 || self.height() == 0
    }

    /// Whether two rectangles share a pixel (Def 2, strict).
    #[must_use]
    pub fn overlaps(self, other: Rect) -> bool {
        self.right > other.left && self.left < other.right && self.bottom > other.top && self.top < other.bottom
    }

    /// Whether two rectangles share a pixel, an edge or a corner (Def 2 as printed).
    #[must_use]
    pub fn touches(self, other: Rect) -> bool {
        self.right >= other.left && self.left <= other.right && self.bottom >= other.top && self.top <= other.bottom
    }

    /// Whether the other lies wholly in this one (Def 2).
    #[must_use]
    pub fn contains(self, other: Rect) -> bool {
        self.left <= other.left && self.right >= other.right && self.top <= other.top && self.bottom >= other.bottom
    }

    /// The smallest rectangle around both (Def 13).
    #[must_use]
    pub fn union(self, other: Rect) -> Rect {
        Rect {
            top: self.top.min(other.top),
            left: self.left.min(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.max(other.right),
        }
    }

    /// What both have in common; empty if nothing.
    #[must_use]
    pub fn intersection(self, other: Rect) -> Rect {
        Rect {
            top: self.top.max(other.top),
            left: self.left.max(other.left),
            bottom: self.bottom.min(other.bottom),
            right: self.right.min(other.right),
        }
    }

    /// The smallest rectangle around all of these; none if there are none.
    #[must_use]
    pub fn around(rects: impl IntoIterator<Item = Rect>) -> Option<Rect> {
        rects.into_iter().reduce(Rect::union)
    }

    /// On which axis the shadows overlap; the first case that holds (Def 3).
    #[must_use]
    pub fn projection(self, other: Rect, touching: Touching) -> Projection {
        let slack = i64::from(touching == Touching::Overlaps);
        let over = |start: i32, end: i32, from: i32, to: i32| {
            i64::from(end) + slack > i64::from(from) && i64::from(start) < i64::from(to) + slack
        };
        if over(self.left, self.right, other.left, other.right) {
            Projection::X
        } else if over(self.top, self.bottom, other.top, other.bottom) {
            Projection::Y
        } else {
            Projection::Neither
        }
    }

    /// Where this one lies, seen from the other (Def 4).
    #[must_use]
    pub fn position(self, other: Rect, touching: Touching) -> Position {
        match self.projection(other, touching) {
            Projection::X if self.bottom <= other.top => Position::Above,
            Projection::X if self.top >= other.bottom => Position::Below,
            Projection::Y if self.right <= other.left => Position::Left,
            Projection::Y if self.left >= other.right => Position::Right,
            _ => Position::Other,
        }
    }

    /// How far apart two boxes are that face each other; none if they do not (Def 5).
    #[must_use]
    pub fn distance(self, other: Rect, touching: Touching) -> Option<i64> {
        let gap = |to: i32, from: i32| i64::from(to) - i64::from(from);
        match self.position(other, touching) {
            Position::Above => Some(gap(other.top, self.bottom)),
            Position::Below => Some(gap(self.top, other.bottom)),
            Position::Left => Some(gap(other.left, self.right)),
            Position::Right => Some(gap(self.left, other.right)),
            Position::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by hand: projection and position as printed, then as we read them.
    #[test]
    fn boxes_that_touch_are_neighbours_and_do_not_overlap() {
        let p = Rect::from([0, 0, 100, 20]);
        use Position as P;
        use Projection::{Neither, X, Y};
        let table = [
            ([100, 0, 200, 20], X, P::Other, Y, P::Left, Some(0), true),
            ([0, 20, 100, 40], X, P::Above, X, P::Above, Some(0), true),
            ([100, 20, 200, 40], X, P::Above, Neither, P::Other, None, true),
            ([120, 10, 220, 60], Y, P::Left, Y, P::Left, Some(20), false),
            ([120, 30, 220, 60], Neither, P::Other, Neither, P::Other, None, false),
        ];
        for (q, printed, printed_position, strict, position, distance, touches) in table {
            let q = Rect::from(q);
            assert_eq!(p.projection(q, Touching::Overlaps), printed, "{q:?}");
            assert_eq!(p.position(q, Touching::Overlaps), printed_position, "{q:?}");
            assert_eq!(p.projection(q, Touching::Apart), strict, "{q:?}");
            assert_eq!(p.position(q, Touching::Apart), position, "{q:?}");
            assert_eq!(p.distance(q, Touching::Apart), distance, "{q:?}");
            assert_eq!(q.distance(p, Touching::Apart), distance, "{q:?}");
            assert_eq!((p.touches(q), p.overlaps(q)), (touches, false), "{q:?}");
        }
        assert_eq!(Rect::from([120, 10, 220, 60]).position(p, Touching::Apart), P::Right);
    }

    #[test]
    fn extreme_coordinates_do_not_overflow() {
        let all = Rect::from([i32::MIN, i32::MIN, i32::MAX, i32::MAX]);
        let corner = Rect::from([i32::MAX - 1, i32::MAX - 1, i32::MAX, i32::MAX]);
        assert!(all.contains(corner) && all.overlaps(corner) && all.area() == i64::MAX);
        assert_eq!(all.projection(corner, Touching::Overlaps), Projection::X);
    }
}
