//! Multidimensional scaling: pages as points of a plane whose distances are as near as can be to those of the pages.
//!
//! W. Torgerson: Multidimensional Scaling, 1952 (classical scaling: the two main axes of the squared distances, centred twice), found
//! by power iteration. For many pages, V. de Silva, J. Tenenbaum: Sparse Multidimensional Scaling Using Landmark Points, 2004: some pages
//! are landmarks, all others are placed by their distances to these. Many templates that are all far from each other do not fit on two axes
//! and would lie on top of each other, so the points are then moved to where the distances themselves fit best (J. de Leeuw: Applications of
//! Convex Analysis to Multidimensional Scaling, 1977). For a person to look at; nothing is decided by it.

use crate::learned::page_keys::mix;
use crate::parallel;

/// How many landmarks there are at most.
const LANDMARKS: usize = 300;

/// How often points are moved.
const MOVES: usize = 100;

/// The most steps of one power iteration, and the change at which it has settled.
const STEPS: usize = 300;
const SETTLED: f64 = 1e-9;

/// A place for each page. Pages at no distance from a landmark stand where it does.
#[must_use]
pub(crate) fn plane(pages: usize, distance: impl Fn(usize, usize) -> f32 + Sync) -> Vec<[f32; 2]> {
    let landmarks = landmarks(pages, LANDMARKS, &distance);
    let count = landmarks.len();
    if count < 2 {
        return vec![[0.0; 2]; pages];
    }
    let squared = |page: usize| -> Vec<f64> {
        landmarks
            .iter()
            .map(|landmark| if page == *landmark { 0.0 } else { f64::from(distance(page, *landmark)).powi(2) })
            .collect()
    };
    let rows: Vec<Vec<f64>> = parallel::map(count, |at| squared(landmarks[at]));
    let means: Vec<f64> = (0..count).map(|column| rows.iter().map(|row| row[column]).sum::<f64>() / count as f64).collect();
    let mean = means.iter().sum::<f64>() / count as f64;
    let centred: Vec<Vec<f64>> = (0..count)
        .map(|row| (0..count).map(|column| -0.5 * (rows[row][column] - means[row] - means[column] + mean)).collect())
        .collect();
    let axes = main_axes(centred);
    let place = |page: usize| {
        let squares = squared(page);
        axes.each_ref().map(|(value, axis)| {
            if *value <= 0.0 {
                return 0.0;
            }
            let sum: f64 = squares.iter().zip(&means).zip(axis).map(|((square, mean), part)| part * (mean - square)).sum();
            0.5 * sum / value.sqrt()
        })
    };
    let mut marks: Vec<Point> = landmarks.iter().enumerate().map(|(at, page)| apart(place(*page), at)).collect();
    let wanted: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|square| square.sqrt()).collect()).collect();
    for _ in 0..MOVES {
        marks = parallel::map(count, |at| moved(marks[at], &marks, &wanted[at], Some(at)));
    }
    let settle = |page: usize| {
        let at = landmarks.binary_search(&page).ok();
        let distances: Vec<f64> =
            at.map_or_else(|| squared(page).iter().map(|square| square.sqrt()).collect(), |at| wanted[at].clone());
        let twin = distances.iter().position(|distance| *distance == 0.0);
        let point = match at.or(twin) {
            Some(at) => marks[at],
            None => {
                // From the nearest landmark on, because those have moved since the axes were found.
                let near = distances.iter().copied().enumerate().reduce(|best, next| if next.1 < best.1 { next } else { best });
                let start = apart(marks[near.map_or(0, |(at, _)| at)], page);
                (0..MOVES).fold(start, |point, _| moved(point, &marks, &distances, None))
            }
        };
        point.map(|part| part as f32)
    };
    parallel::map(pages, settle)
}

type Point = [f64; 2];

/// A point a very little aside, so that points that should be apart do not start in one place.
fn apart([x, y]: Point, at: usize) -> Point {
    let turn = at as f64 * 2.4;
    [x + 1e-4 * turn.cos(), y + 1e-4 * turn.sin()]
}

/// Where a point goes so that its distances to the marks fit better (Guttman's transform); `own` is its place among them.
fn moved(point: Point, marks: &[Point], wanted: &[f64], own: Option<usize>) -> Point {
    let mut sum = [0.0; 2];
    for (at, (mark, distance)) in marks.iter().zip(wanted).enumerate() {
        let away = [point[0] - mark[0], point[1] - mark[1]];
        let length = away[0].hypot(away[1]);
        let share = if own == Some(at) || length == 0.0 { 0.0 } else { distance / length };
        for axis in 0..2 {
            sum[axis] += mark[axis] + share * away[axis];
        }
    }
    sum.map(|part| part / marks.len() as f64)
}

/// Pages that are far apart: after the first, always the one that is farthest from all chosen.
fn landmarks(pages: usize, most: usize, distance: &(impl Fn(usize, usize) -> f32 + Sync)) -> Vec<usize> {
    if pages <= most {
        return (0..pages).collect();
    }
    let mut chosen = vec![0];
    let mut far = vec![f32::INFINITY; pages];
    while chosen.len() < most {
        let last = chosen[chosen.len() - 1];
        parallel::for_each(&mut far, 256, |page, far| {
            *far = if page == last { -1.0 } else { far.min(distance(page, last)) };
        });
        let better = |best: (usize, f32), next: (usize, f32)| if next.1 > best.1 { next } else { best };
        let Some((next, away)) = far.iter().copied().enumerate().reduce(better) else { break };
        if away <= 0.0 {
            break;
        }
        chosen.push(next);
    }
    chosen.sort_unstable();
    chosen
}

/// The two axes with the largest positive eigenvalues of a symmetric matrix.
fn main_axes(mut matrix: Vec<Vec<f64>>) -> [(f64, Vec<f64>); 2] {
    let mut axes = [(0.0, Vec::new()), (0.0, Vec::new())];
    let mut found = 0;
    // Distances that no space has give negative eigenvalues too; those are taken out on the way.
    for attempt in 0..6 {
        let (value, axis) = main_axis(&matrix, attempt);
        if value.abs() < 1e-12 {
            break;
        }
        for (row, part) in matrix.iter_mut().zip(&axis) {
            row.iter_mut().zip(&axis).for_each(|(cell, other)| *cell -= value * part * other);
        }
        if value > 0.0 {
            axes[found] = (value, axis);
            found += 1;
            if found == 2 {
                break;
            }
        }
    }
    axes
}

/// The eigenvalue of largest size and its vector, of length one, with its largest part positive.
fn main_axis(matrix: &[Vec<f64>], attempt: u64) -> (f64, Vec<f64>) {
    // Any start that is not across the axis, so another one after each axis that was taken out.
    let mut axis: Vec<f64> = (1..=matrix.len() as u64).map(|at| (mix(at, attempt + 1) % 1000) as f64 + 1.0).collect();
    let mut value = 0.0;
    for _ in 0..STEPS {
        let next: Vec<f64> = matrix.iter().map(|row| row.iter().zip(&axis).map(|(cell, part)| cell * part).sum()).collect();
        let length = next.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length < 1e-12 {
            return (0.0, axis);
        }
        let along: f64 = next.iter().zip(&axis).map(|(one, other)| one * other).sum();
        let next: Vec<f64> = next.into_iter().map(|part| part / length).collect();
        let turned: f64 = next.iter().zip(&axis).map(|(one, other)| (one - along.signum() * other).powi(2)).sum();
        (value, axis) = (length * along.signum(), next);
        if turned < SETTLED {
            break;
        }
    }
    let largest = axis.iter().copied().reduce(|best, next| if next.abs() > best.abs() { next } else { best }).unwrap_or(1.0);
    if largest < 0.0 {
        axis.iter_mut().for_each(|part| *part = -*part);
    }
    (value, axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn far(one: [f32; 2], other: [f32; 2]) -> f32 {
        (one[0] - other[0]).hypot(one[1] - other[1])
    }

    #[test]
    fn points_of_a_plane_keep_their_distances() {
        let points: Vec<[f32; 2]> = (0..40).map(|at| [(at % 7) as f32, (at / 7) as f32 * 1.5]).collect();
        let distance = |one: usize, other: usize| far(points[one], points[other]);
        let found = plane(points.len(), distance);
        for one in 0..points.len() {
            for other in 0..one {
                assert!((far(found[one], found[other]) - distance(one, other)).abs() < 0.02, "{one} {other}");
            }
        }
    }

    #[test]
    fn landmarks_place_all_other_pages() {
        let points: Vec<[f32; 2]> = (0..1200).map(|at| [(at % 40) as f32 / 10.0, (at / 40) as f32 / 12.0]).collect();
        let distance = |one: usize, other: usize| far(points[one], points[other]);
        let found = plane(points.len(), distance);
        for (one, other) in [(0, 1199), (5, 700), (39, 1160), (600, 601)] {
            assert!((far(found[one], found[other]) - distance(one, other)).abs() < 0.05, "{one} {other}");
        }
    }

    #[test]
    fn few_or_equal_pages_have_places_too() {
        assert!(plane(0, |_, _| 1.0).is_empty());
        assert_eq!(plane(1, |_, _| 1.0), [[0.0, 0.0]]);
        let equal = plane(5, |_, _| 0.0);
        assert!(equal.iter().all(|place| far(*place, equal[0]) < 0.01));
        assert!(plane(400, |_, _| 0.0).iter().all(|place| *place == [0.0, 0.0]));
        let three = plane(3, |one, other| if one == other { 0.0 } else { 1.0 });
        assert!(three.iter().flatten().all(|part| part.is_finite()) && (far(three[0], three[1]) - 1.0).abs() < 0.01);
    }

    /// Twelve templates as far apart as can be: two axes alone would put ten of them into one place.
    #[test]
    fn clusters_that_are_all_far_apart_do_not_hide_each_other() {
        let distance = |one: usize, other: usize| {
            if one == other {
                0.0
            } else if one % 12 == other % 12 {
                0.1
            } else {
                1.0
            }
        };
        let places = plane(120, distance);
        for one in 0..12 {
            assert!((12..120).step_by(12).all(|step| far(places[one], places[one + step]) < 0.3), "{one}");
            assert!((0..one).all(|other| far(places[one], places[other]) > 0.3), "{one}");
        }
    }

    #[cfg(feature = "threads")]
    #[test]
    fn threads_do_not_change_it() {
        let distance = |one: usize, other: usize| (one.abs_diff(other) as f32).sqrt();
        let on = |threads: usize| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| plane(500, distance))
        };
        assert_eq!(on(1), on(3));
    }
}
