//! How unlike two linked boxes are: relative distance, shape and colour, divided by how many boxes are aligned with them.
//!
//! Source: J. Zelený, PhD thesis, Brno 2017, §6.3–6.6, equations 6.3–6.14. Where these cannot work as printed,
//! the defaults of `Params` are our readings.

use super::neighbours::{Direction, Link};
use super::{Alignment, ColorDivisor, Neighbourhood, Params, Ratio};
use crate::layout::Color;
use crate::rect::Rect;
use crate::visual_boxes::VisualBox;
use std::collections::HashMap;

/// The difference of proportions (6.8): 0 for the same, 1 for a box and the same box turned.
#[must_use]
pub fn ratio(one: Rect, other: Rect, rule: Ratio) -> f64 {
    let [one, other] = [one, other].map(|rect| rect.width() as f64 / rect.height() as f64);
    let (mut high, mut low) = (one.max(other), one.min(other));
    if rule == Ratio::Symmetric && high * low < 1.0 {
        (high, low) = (low.recip(), high.recip());
    }
    // Two squares of any size would be 0/0.
    if high == low { 0.0 } else { (high - low) / ((high * high - 1.0) / high) }
}

/// The difference of areas (6.11).
#[must_use]
pub fn size(one: Rect, other: Rect) -> f64 {
    let [one, other] = [one, other].map(|rect| rect.area() as f64);
    1.0 - one.min(other) / one.max(other)
}

/// The difference of shape (6.12).
#[must_use]
pub fn shape(one: Rect, other: Rect, rule: Ratio) -> f64 {
    f64::midpoint(ratio(one, other, rule), size(one, other))
}

/// The distance of colours in RGB (6.13). The author tried CIE formulas; this one did much better.
#[must_use]
pub fn color(one: Color, other: Color, divisor: ColorDivisor) -> f64 {
    let squares = one.0.iter().zip(other.0).map(|(one, other)| ((f64::from(*one) - f64::from(other)) / 255.0).powi(2));
    let divisor = match divisor {
        ColorDivisor::Exact => 3.0_f64.sqrt(),
        ColorDivisor::Printed => 1.732,
    };
    squares.sum::<f64>().sqrt() / divisor
}

/// The relative distance of each pair of linked boxes (Def 6).
#[must_use]
pub fn relative_distances(boxes: usize, links: &[Link], rule: Neighbourhood) -> Vec<f64> {
    let mut farthest = vec![0_i64; boxes];
    for link in links {
        for (end, counts) in [(link.from, link.mutual[1]), (link.to, link.mutual[0])] {
            if counts || rule == Neighbourhood::Linked {
                let farthest = &mut farthest[end as usize];
                *farthest = link.distance.max(*farthest);
            }
        }
    }
    let relative = |link: &Link| {
        let of = |end: u32| link.distance as f64 / farthest[end as usize] as f64;
        if link.distance == 0 { 0.0 } else { f64::midpoint(of(link.from), of(link.to)) }
    };
    links.iter().map(relative).collect()
}

/// How many boxes are aligned with both ends of each link, at least 1 (Def 7).
#[must_use]
pub fn alignment_scores(rects: &[Rect], links: &[Link], rule: Alignment, chain_gap: f64) -> Vec<u32> {
    match rule {
        Alignment::Off => vec![1; links.len()],
        Alignment::Page => {
            let (mut lefts, mut tops): (HashMap<i32, u32>, HashMap<i32, u32>) = Default::default();
            for rect in rects {
                *lefts.entry(rect.left).or_default() += 1;
                *tops.entry(rect.top).or_default() += 1;
            }
            let score = |link: &Link| match [link.from, link.to].map(|end| rects[end as usize]) {
                [one, other] if one.left == other.left => lefts[&one.left],
                [one, other] if one.top == other.top => tops[&one.top],
                _ => 1,
            };
            links.iter().map(score).collect()
        }
        Alignment::Chain => chain_scores(rects, links, chain_gap),
    }
}

/// Boxes that hang together by links of one direction whose ends are aligned (after the author's program).
fn chain_scores(rects: &[Rect], links: &[Link], chain_gap: f64) -> Vec<u32> {
    let aligned = |link: &Link| {
        let [one, other] = [link.from, link.to].map(|end| rects[end as usize]);
        let smallest = [one, other].iter().map(|rect| rect.width().min(rect.height())).min().unwrap_or(0);
        let edge = match link.direction {
            Direction::Vertical => one.left == other.left,
            Direction::Horizontal => one.top == other.top,
        };
        edge && link.distance as f64 <= chain_gap * smallest as f64
    };
    let mut scores = vec![1; links.len()];
    for direction in [Direction::Horizontal, Direction::Vertical] {
        let chained = |link: &Link| link.direction == direction && aligned(link);
        let mut above: Vec<u32> = (0..rects.len() as u32).collect();
        let mut sizes = vec![1_u32; rects.len()];
        let find = |above: &mut Vec<u32>, mut at: u32| {
            while above[at as usize] != at {
                above[at as usize] = above[above[at as usize] as usize];
                at = above[at as usize];
            }
            at
        };
        for link in links.iter().filter(|link| chained(link)) {
            let (one, other) = (find(&mut above, link.from), find(&mut above, link.to));
            if one != other {
                let (large, small) = if sizes[one as usize] >= sizes[other as usize] { (one, other) } else { (other, one) };
                above[small as usize] = large;
                sizes[large as usize] += sizes[small as usize];
            }
        }
        for (link, score) in links.iter().zip(&mut scores).filter(|(link, _)| chained(link)) {
            *score = sizes[find(&mut above, link.from) as usize];
        }
    }
    scores
}

/// The dissimilarity of each pair of linked boxes, from 0 to 1 (6.3).
#[must_use]
pub fn base_dissimilarities(boxes: &[VisualBox], links: &[Link], params: &Params) -> Vec<f64> {
    let rects: Vec<Rect> = boxes.iter().map(|found| found.rect).collect();
    let distances = relative_distances(boxes.len(), links, params.neighbourhood);
    let scores = alignment_scores(&rects, links, params.alignment, params.chain_gap);
    let value = |((link, distance), score): ((&Link, f64), u32)| {
        let [one, other] = [link.from, link.to].map(|end| boxes[end as usize]);
        let unlike = if link.distance == 0 {
            0.0
        } else if params.farthest_is_one && distance == 1.0 {
            1.0
        } else {
            params.distance_weight * distance
                + params.shape_weight * shape(one.rect, other.rect, params.ratio)
                + params.color_weight * color(one.color, other.color, params.color_divisor)
        };
        let factor = if params.alignment == Alignment::Off { 1.0 } else { params.alignment_factor };
        (unlike / (factor * f64::from(score))).clamp(0.0, 1.0)
    };
    links.iter().zip(distances).zip(scores).map(value).collect()
}
