//! Examples of ours, computed from the thesis's formulas, the properties, and a model that follows the definitions without
//! any short cut.

use super::clustering::Shape;
use super::dissimilarity::{alignment_scores, base_dissimilarities, color, ratio, relative_distances, shape, size};
use super::neighbours::{Direction, Link, links, links_by_definition};
use super::*;
use crate::layout::Color;
use crate::rect::Projection;
use proptest::prelude::*;

fn visual(rect: [i32; 4], color: [u8; 3]) -> VisualBox {
    VisualBox { rect: Rect::from(rect), color: Color(color), origin: 0 }
}

fn black(rects: &[[i32; 4]]) -> Vec<VisualBox> {
    rects.iter().map(|rect| visual(*rect, [0; 3])).collect()
}

fn rects_of(boxes: &[VisualBox]) -> Vec<Rect> {
    boxes.iter().map(|found| found.rect).collect()
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-4, "{value} is not {expected}");
}

/// The value of a pair.
fn value(boxes: &[VisualBox], params: &Params, from: u32, to: u32) -> f64 {
    let links = links(&rects_of(boxes), params.touching);
    let values = base_dissimilarities(boxes, &links, params);
    let at = links.iter().position(|link| (link.from, link.to) == (from, to)).expect("the boxes are linked");
    values[at]
}

#[test]
fn w2_relative_distance() {
    let boxes = black(&[[0, 0, 100, 20], [110, 0, 210, 20], [240, 0, 340, 20]]);
    let links = links(&rects_of(&boxes), Touching::Apart);
    let distances = relative_distances(3, &links, Neighbourhood::Linked);
    near(distances[0], 0.6667);
    near(distances[1], 1.0);
    let off = Params { alignment: Alignment::Off, ..Params::default() };
    near(value(&boxes, &off, 0, 1), 0.2222);
    near(value(&boxes, &off, 1, 2), 0.3333);
    near(value(&boxes, &Params::default(), 0, 1), 0.0741);
    near(value(&boxes, &Params::default(), 1, 2), 0.1111);
    near(value(&boxes, &Params { farthest_is_one: true, ..off }, 1, 2), 1.0);
}

#[test]
fn w3_distance_relative_to_the_nearest_alone_can_be_above_one() {
    let rects = [[0, 0, 100, 100], [110, 0, 160, 40], [150, 60, 200, 100]].map(Rect::from);
    let links = links(&rects, Touching::Apart);
    let linked = relative_distances(3, &links, Neighbourhood::Linked);
    for (value, expected) in linked.iter().zip([0.35 / 1.0, 1.0, 0.70]) {
        // (m,n1): (10/50 + 10/20)/2; (m,n2): 1; (n1,n2): (20/20 + 20/50)/2.
        near(*value, expected);
    }
    near(relative_distances(3, &links, Neighbourhood::Nearest)[1], 3.0);
}

#[test]
fn w4_shape() {
    let table = [
        ([100, 20, 20, 100], 1.0, 1.0, 0.0, 0.5),
        ([100, 20, 50, 20], 0.5208, 0.5208, 0.5, 0.5104),
        ([40, 20, 20, 20], 0.6667, 0.6667, 0.5, 0.5833),
        ([300, 16, 280, 16], 0.0669, 0.0669, 0.0667, 0.0668),
        ([300, 16, 120, 16], 0.6017, 0.6017, 0.6, 0.6009),
        ([20, 40, 20, 80], -0.1667, 0.5333, 0.5, 0.5167),
        ([200, 100, 10, 100], 1.2667, 0.9596, 0.95, 0.9548),
        ([30, 30, 60, 60], 0.0, 0.0, 0.75, 0.375),
    ];
    for ([w, h, other_w, other_h], printed, symmetric, of_size, of_shape) in table {
        let (one, other) = (Rect::from([0, 0, w, h]), Rect::from([0, 0, other_w, other_h]));
        near(ratio(one, other, Ratio::Printed), printed);
        near(ratio(one, other, Ratio::Symmetric), symmetric);
        near(size(one, other), of_size);
        near(shape(one, other, Ratio::Symmetric), of_shape);
    }
}

#[test]
fn w5_colour() {
    let of = |one, other, divisor| color(Color(one), Color(other), divisor);
    let (black, white) = ([0; 3], [255; 3]);
    assert!((of(black, white, ColorDivisor::Printed) - 1.000_029_3).abs() < 1e-7);
    assert!((of(black, white, ColorDivisor::Exact) - 1.0).abs() < 1e-12);
    assert!((of([255, 0, 0], [0, 255, 0], ColorDivisor::Printed) - 0.81652).abs() < 1e-5);
    assert!((of([255, 0, 0], [0, 255, 0], ColorDivisor::Exact) - 0.81650).abs() < 1e-5);
    near(of(black, [0x33; 3], ColorDivisor::Exact), 0.2);
}

#[test]
fn w6_alignment() {
    let rects = [[0, 0, 20, 10], [0, 30, 20, 40], [0, 60, 20, 70], [50, 0, 70, 10]].map(Rect::from);
    let link = |from, to| Link { from, to, direction: Direction::Vertical, distance: 20, mutual: [true; 2] };
    let scores = alignment_scores(&rects, &[link(0, 1), link(0, 3), link(1, 3)], Alignment::Page, 1.5);
    assert_eq!(scores, [3, 2, 1]);
    // Along a chain only what hangs together counts, and gaps wider than 1.5 times the smallest side break it.
    let rects = [[0, 0, 20, 10], [0, 15, 20, 25], [0, 400, 20, 410]].map(Rect::from);
    let links = [Link { distance: 5, ..link(0, 1) }, Link { distance: 375, ..link(1, 2) }];
    assert_eq!(alignment_scores(&rects, &links, Alignment::Chain, 1.5), [2, 1]);
    assert_eq!(alignment_scores(&rects, &links, Alignment::Off, 1.5), [1, 1]);
}

fn two_columns() -> Vec<VisualBox> {
    let left = (0..6).map(|i| [0, 20 * i, 100, 20 * i + 16]);
    let right = (0..3).map(|i| [120, 50 * i, 220, 50 * i + 16]);
    black(&left.chain(right).collect::<Vec<_>>())
}

#[test]
fn w8_columns_of_unlike_density_stay_apart() {
    for ct in [0.3, 0.9, 1.0] {
        let found = cluster(&two_columns(), &Params { ct, ..Params::default() });
        assert_eq!(found.clusters, [vec![0, 1, 2, 3, 4, 5], vec![6, 7, 8]], "{ct}");
        assert!(found.unclustered.is_empty());
    }
    let shapes = [(0, 1), (1, 0), (1, 2), (1, 3), (2, 1), (3, 1), (0, 0)].map(|(h, v)| Shape::of(h, v, 2.0));
    use Shape::{Blob, Column, Row};
    assert_eq!(shapes, [Column, Row, Blob, Column, Blob, Row, Blob]);
}

#[test]
fn w9_extension() {
    let run = |others: &[[i32; 4]], clusters: &[Vec<usize>], extension| {
        let rects: Vec<Rect> = [[0, 0, 200, 20], [0, 30, 90, 50]].iter().chain(others).map(|rect| Rect::from(*rect)).collect();
        let entities = [&[vec![0], vec![1]], clusters].concat();
        extend(&rects, &entities, 0, 1, &Params { extension, ..Params::default() })
    };
    let (touching, apart) = ([90, 30, 180, 50], [100, 30, 180, 50]);
    use Extension::{Absorb, Adhesive};
    assert_eq!(run(&[touching], &[vec![2]], Adhesive), Some(vec![0, 1, 2]));
    assert_eq!(run(&[apart], &[vec![2]], Adhesive), None);
    assert_eq!(run(&[apart], &[vec![2]], Absorb), Some(vec![0, 1, 2]));
    assert_eq!(run(&[touching, [300, 30, 400, 50]], &[vec![2, 3]], Adhesive), None);
    assert_eq!(run(&[[90, 30, 180, 90], [0, 60, 80, 90]], &[vec![2], vec![3]], Adhesive), None);
    assert_eq!(run(&[[90, 30, 180, 90], [0, 50, 80, 90]], &[vec![2], vec![3]], Adhesive), Some(vec![0, 1, 2, 3]));
}

#[test]
fn w10_evenly_spaced_column() {
    let column: Vec<_> = (0..4).map(|i| [0, 30 * i, 100, 30 * i + 20]).collect();
    near(value(&black(&column), &Params::default(), 0, 1), 0.0833);
    let centred: Vec<_> = (0..4).map(|i| [5 * i, 30 * i, 100 - 5 * i, 30 * i + 20]).collect();
    for (at, expected) in [0.3674, 0.3713, 0.3764].into_iter().enumerate() {
        near(value(&black(&centred), &Params::default(), at as u32, at as u32 + 1), expected);
        near(value(&black(&centred), &Params { farthest_is_one: true, ..Params::default() }, at as u32, at as u32 + 1), 1.0);
    }
    near(value(&black(&[[0, 0, 100, 20], [0, 30, 100, 50]]), &Params::default(), 0, 1), 0.1667);
}

/// A whole page: header 0, menu 1 to 4, text 5 to 9, footer 10.
fn full_page() -> Vec<VisualBox> {
    let mut boxes = vec![visual([0, 0, 600, 40], [0, 0, 0x80])];
    boxes.extend((0..4).map(|i| visual([0, 60 + 24 * i, 120, 80 + 24 * i], [0, 0x66, 0xcc])));
    let widths = [440, 430, 435, 440, 200];
    boxes.extend((0..5).map(|i| visual([160, 60 + 20 * i, 160 + widths[i as usize], 76 + 20 * i], [0x33; 3])));
    boxes.push(visual([0, 220, 600, 240], [0x33; 3]));
    boxes
}

#[test]
fn w11_full_page() {
    let page = full_page();
    let params = Params::default();
    assert_eq!(links(&rects_of(&page), Touching::Apart).len(), 18);
    let (h, m, c, f) = (0, |i: u32| i, |i: u32| 4 + i, 10);
    let expected = [
        (m(3), m(4), 0.0044),
        (m(1), m(2), 0.0056),
        (m(2), m(3), 0.0056),
        (c(3), c(4), 0.0074),
        (c(2), c(3), 0.0074),
        (c(1), c(2), 0.0082),
        (c(4), c(5), 0.0418),
        (h, m(1), 0.0994),
        (m(4), f, 0.1213),
        (m(1), c(1), 0.3507),
        (m(4), c(5), 0.4588),
        (h, c(1), 0.5233),
        (c(5), f, 0.5431),
        (m(4), c(4), 0.6327),
        (m(2), c(2), 0.6992),
    ];
    for (from, to, expected) in expected {
        near(value(&page, &params, from, to), expected);
    }
    for step in 1..=12 {
        let found = cluster(&page, &Params { ct: 0.05 * f64::from(step), ..Params::default() });
        assert_eq!(found.clusters, [vec![1, 2, 3, 4], vec![5, 6, 7, 8, 9]], "{step}");
        assert_eq!(found.unclustered, [0, 10]);
    }
    let off = Params { ct: 0.2, alignment: Alignment::Off, ..Params::default() };
    near(value(&page, &off, 8, 9), 0.2090);
    assert!(cluster(&page, &off).unclustered.contains(&9));
}

#[test]
fn w12_what_was_refused_is_joined_when_one_side_has_grown() {
    let found = cluster(&full_page(), &Params { ct: 0.65, ..Params::default() });
    assert_eq!(found.clusters, [(0..11).collect::<Vec<u32>>()]);
}

#[test]
fn the_thesis_by_the_letter_keeps_a_centred_list_apart() {
    let centred: Vec<_> = (0..4).map(|i| [5 * i, 30 * i, 100 - 5 * i, 30 * i + 20]).collect();
    assert!(cluster(&black(&centred), &Params { ct: 0.99, ..Params::printed() }).clusters.is_empty());
    assert_eq!(cluster(&black(&centred), &Params { ct: 0.99, ..Params::default() }).clusters.len(), 1);
}

/// The author's program: 0.2 distance, 0.3 shape, 0.5 colour, divided by twice the score.
#[test]
fn the_settings_of_the_program() {
    let boxes = [visual([0, 0, 100, 20], [0; 3]), visual([10, 60, 110, 80], [255; 3])];
    near(value(&boxes, &Params::program(), 0, 1), (0.2 + 0.5) / 2.0);
    let off = Params { alignment: Alignment::Off, ..Params::program() };
    near(value(&boxes, &off, 0, 1), 0.2 + 0.5);
}

#[test]
fn ct_is_found_by_halving() {
    let ct = find_ct(&full_page(), &Params { most_unclustered: 0.2, ..Params::default() });
    assert!(ct < 0.05, "{ct}");
    assert!(find_ct(&full_page(), &Params { most_unclustered: 0.0, ..Params::default() }) > 0.6);
}

#[test]
fn fifty_thousand_boxes_and_piles_of_boxes_have_an_answer() {
    let lines = (0..50_000).map(|i| [300 * (i % 4), 20 * (i / 4), 300 * (i % 4) + 100 + i % 150, 20 * (i / 4) + 16]);
    let found = cluster(&black(&lines.collect::<Vec<_>>()), &Params::default());
    assert!(!found.clusters.is_empty());
    let stairs: Vec<_> = (0..3000).map(|i| [i, i, i + 500, i + 500]).collect();
    assert_eq!(cluster(&black(&stairs), &Params::default()).clusters.len(), 1);
    // Each line a pixel wider than the one before.
    let wedge: Vec<_> = (0..5000).map(|i| [0, 20 * i, 100 + i, 20 * i + 16]).collect();
    assert_eq!(cluster(&black(&wedge), &Params::default()).clusters.len(), 1);
    assert_eq!(cluster(&[], &Params::default()), Clusters::default());
    assert_eq!(cluster(&black(&[[0, 0, 9, 9]]), &Params::default()).unclustered, [0]);
}

fn mbr(rects: &[Rect], members: &[usize]) -> Rect {
    Rect::around(members.iter().map(|at| rects[*at])).expect("an entity has boxes")
}

/// Alg 1, as we read it.
fn extend(rects: &[Rect], entities: &[Vec<usize>], m: usize, n: usize, params: &Params) -> Option<Vec<usize>> {
    let mut members: Vec<usize> = [entities[m].clone(), entities[n].clone()].concat();
    loop {
        let rect = mbr(rects, &members);
        let clusters = || entities.iter().enumerate().filter(|(at, entity)| *at != m && *at != n && entity.len() > 1);
        if clusters().any(|(_, entity)| mbr(rects, entity).overlaps(rect)) {
            return None;
        }
        let intruders: Vec<usize> = (0..rects.len()).filter(|at| !members.contains(at) && rects[*at].overlaps(rect)).collect();
        let adheres = |at: &usize| members.iter().any(|member| rects[*member].touches(rects[*at]));
        if params.extension == Extension::Adhesive && !intruders.iter().all(adheres) {
            return None;
        }
        if intruders.is_empty() {
            members.sort_unstable();
            return Some(members);
        }
        members.extend(intruders);
    }
}

/// Clustering by Alg 2, as we read it, over plain lists: refused pairs are tried again after every step, everything is
/// computed anew each time.
fn naive(boxes: &[VisualBox], params: &Params) -> Clusters {
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    order.sort_by_key(|at| (boxes[*at as usize].rect, boxes[*at as usize].color, *at));
    let sorted: Vec<VisualBox> = order.iter().map(|at| boxes[*at as usize]).collect();
    let rects = rects_of(&sorted);
    let links = links_by_definition(&rects, params.touching);
    let values = base_dissimilarities(&sorted, &links, params);
    let mut entities: Vec<Vec<usize>> = (0..boxes.len()).map(|at| vec![at]).collect();
    loop {
        let mut pairs = Vec::new();
        for m in 0..entities.len() {
            for n in m + 1..entities.len() {
                let crosses = |link: &Link| {
                    let [from, to] = [link.from as usize, link.to as usize];
                    entities[m].contains(&from) && entities[n].contains(&to)
                        || entities[m].contains(&to) && entities[n].contains(&from)
                };
                let units: Vec<u64> = links
                    .iter()
                    .zip(&values)
                    .filter(|(link, _)| crosses(link))
                    .map(|(_, value)| (value * (1_u64 << 40) as f64).round() as u64)
                    .collect();
                if units.is_empty() {
                    continue;
                }
                let mut places =
                    [m, n].map(|at| (mbr(&rects, &entities[at]).top, mbr(&rects, &entities[at]).left, entities[at][0]));
                places.sort_unstable();
                let area = mbr(&rects, &entities[m]).area() + mbr(&rects, &entities[n]).area();
                pairs.push((units.iter().sum::<u64>(), units.len() as u64, area, places, m, n));
            }
        }
        pairs.sort_by(|one, other| {
            let means = (u128::from(one.0) * u128::from(other.1)).cmp(&(u128::from(other.0) * u128::from(one.1)));
            means.then((one.2, one.3).cmp(&(other.2, other.3)))
        });
        let most = (params.ct * (1_u64 << 40) as f64).round() as u64;
        let joined = pairs
            .iter()
            .take_while(|pair| pair.0 <= most * pair.1)
            .filter(|pair| mergeable(&rects, &links, &entities, pair.4, pair.5, params))
            .find_map(|pair| extend(&rects, &entities, pair.4, pair.5, params));
        let Some(joined) = joined else { break };
        entities.retain(|entity| !joined.contains(&entity[0]));
        entities.push(joined);
    }
    let mut found = Clusters::default();
    for entity in entities {
        let mut members: Vec<u32> = entity.iter().map(|at| order[*at]).collect();
        members.sort_unstable();
        if members.len() > 1 { found.clusters.push(members) } else { found.unclustered.extend(members) }
    }
    found.clusters.sort_unstable();
    found.unclustered.sort_unstable();
    found
}

/// The test on shapes and densities (§6.7).
fn mergeable(rects: &[Rect], links: &[Link], entities: &[Vec<usize>], m: usize, n: usize, params: &Params) -> bool {
    let inside = |entity: &[usize], direction| {
        let within = |link: &&Link| entity.contains(&(link.from as usize)) && entity.contains(&(link.to as usize));
        links.iter().filter(within).filter(|link| link.direction == direction).count() as u32
    };
    let counts = [m, n].map(|at| [Direction::Horizontal, Direction::Vertical].map(|direction| inside(&entities[at], direction)));
    let shapes = counts.map(|[horizontal, vertical]| Shape::of(horizontal, vertical, params.shape_factor));
    let [one, other] = [m, n].map(|at| mbr(rects, &entities[at]));
    if shapes[0] != shapes[1] {
        let union = one.union(other);
        return entities.iter().enumerate().all(|(at, entity)| at == m || at == n || !mbr(rects, entity).overlaps(union));
    }
    let density = |at: usize, rect: Rect| match shapes[0] {
        Shape::Column => f64::from(counts[at][1]) / rect.height() as f64,
        _ => f64::from(counts[at][0]) / rect.width() as f64,
    };
    match (shapes[0], one.projection(other, Touching::Apart)) {
        (Shape::Column, Projection::Y) | (Shape::Row, Projection::X) => {
            let quotient = density(0, one) / density(1, other);
            (1.0 / params.density_factor..=params.density_factor).contains(&quotient)
        }
        _ => true,
    }
}

fn page_of_boxes(most: usize, apart: bool) -> impl Strategy<Value = Vec<VisualBox>> {
    // As dense for many boxes as for few.
    let side = (4.0 * (most as f64).sqrt()) as i32;
    let one = (0..side, 0..side, 1..8i32, 1..5i32, 0..3u8);
    prop::collection::vec(one, 0..most).prop_map(move |places| {
        let mut kept: Vec<VisualBox> = Vec::new();
        for (x, y, w, h, color) in places {
            let found =
                visual([10 * x, 10 * y, 10 * (x + w), 10 * (y + h)], [[0; 3], [0, 0, 255], [200, 40, 40]][color as usize]);
            let taken = |other: &VisualBox| {
                if apart {
                    other.rect.overlaps(found.rect)
                } else {
                    other.rect.contains(found.rect) || found.rect.contains(other.rect)
                }
            };
            if !kept.iter().any(taken) {
                kept.push(found);
            }
        }
        kept
    })
}

fn settings() -> impl Strategy<Value = Params> {
    let alignments = prop::sample::select(vec![Alignment::Page, Alignment::Chain, Alignment::Off]);
    let extensions = prop::sample::select(vec![Extension::Adhesive, Extension::Absorb]);
    (prop::sample::select(vec![0.0, 0.1, 0.2, 0.5, 1.0]), alignments, extensions).prop_map(|(ct, alignment, extension)| Params {
        ct,
        alignment,
        extension,
        ..Params::default()
    })
}

fn turned(boxes: &[VisualBox]) -> Vec<VisualBox> {
    let turn = |rect: Rect| Rect { top: rect.left, left: rect.top, bottom: rect.right, right: rect.bottom };
    boxes.iter().map(|found| VisualBox { rect: turn(found.rect), ..*found }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// As a model without short cuts, one that tries refused pairs again, has it.
    #[test]
    fn the_result_is_that_of_the_model(boxes in page_of_boxes(28, true), params in settings()) {
        prop_assert_eq!(cluster(&boxes, &params), naive(&boxes, &params));
    }

    #[test]
    fn so_it_is_where_boxes_overlap_in_part(boxes in page_of_boxes(24, false), params in settings()) {
        prop_assert_eq!(cluster(&boxes, &params), naive(&boxes, &params));
    }

    #[test]
    fn every_box_is_in_one_cluster_or_none_and_clusters_do_not_overlap(boxes in page_of_boxes(300, true), params in settings()) {
        let found = cluster(&boxes, &params);
        let mut all: Vec<u32> = found.clusters.iter().flatten().chain(&found.unclustered).copied().collect();
        all.sort_unstable();
        prop_assert_eq!(all, (0..boxes.len() as u32).collect::<Vec<_>>());
        let areas: Vec<Rect> = found.clusters.iter().map(|members| Rect::around(members.iter().map(|at| boxes[*at as usize].rect)).unwrap()).collect();
        for (at, one) in areas.iter().enumerate() {
            prop_assert!(found.clusters[at].len() > 1);
            prop_assert!(areas[at + 1..].iter().all(|other| !one.overlaps(*other)));
        }
    }

    #[test]
    fn order_and_place_do_not_matter(boxes in page_of_boxes(300, true), params in settings(), x in 0..500i32, y in 0..500i32) {
        let found = cluster(&boxes, &params);
        let mut backwards = boxes.clone();
        backwards.reverse();
        let last = boxes.len().wrapping_sub(1) as u32;
        let mut again = cluster(&backwards, &params);
        for members in again.clusters.iter_mut().chain([&mut again.unclustered]) {
            members.iter_mut().for_each(|member| *member = last - *member);
            members.sort_unstable();
        }
        again.clusters.sort_unstable();
        prop_assert_eq!(&again, &found);
        let shift = |rect: Rect| Rect { top: rect.top + y, left: rect.left + x, bottom: rect.bottom + y, right: rect.right + x };
        let shifted: Vec<VisualBox> = boxes.iter().map(|found| VisualBox { rect: shift(found.rect), ..*found }).collect();
        prop_assert_eq!(cluster(&shifted, &params), found);
    }

    #[test]
    fn values_are_from_0_to_1_and_do_not_change_with_scale_or_axis(boxes in page_of_boxes(300, true), scale in 2..5i32) {
        let params = Params { alignment: Alignment::Off, ..Params::default() };
        let values = |boxes: &[VisualBox]| {
            let links = links(&rects_of(boxes), Touching::Apart);
            let values = base_dissimilarities(boxes, &links, &params);
            links.iter().zip(values).map(|(link, value)| (link.from, link.to, value)).collect::<Vec<_>>()
        };
        let plain = values(&boxes);
        prop_assert!(plain.iter().all(|(.., value)| (0.0..=1.0).contains(value)));
        let larger = |rect: Rect| Rect { top: rect.top * scale, left: rect.left * scale, bottom: rect.bottom * scale, right: rect.right * scale };
        let scaled: Vec<VisualBox> = boxes.iter().map(|found| VisualBox { rect: larger(found.rect), ..*found }).collect();
        for other in [values(&scaled), values(&turned(&boxes))] {
            prop_assert_eq!(other.len(), plain.len());
            for (one, other) in plain.iter().zip(other) {
                prop_assert!((one.0, one.1) == (other.0, other.1) && (one.2 - other.2).abs() < 1e-9);
            }
        }
    }

    /// A degree D is that of CT = (10 - D) / 9.
    #[test]
    fn the_tree_cut_at_a_degree_is_what_is_found_at_its_ct(boxes in page_of_boxes(60, true), params in settings(), tenths in 10..=100u32) {
        let params = Params { ct: 1.0, ..params };
        let groups = dendrogram::groups(&Prepared::new(&boxes, &params).at(&params).1, Steps::All);
        let mut members: Vec<Vec<u32>> = groups.iter().map(|group| group.boxes.clone()).collect();
        for (at, group) in groups.iter().enumerate().rev() {
            if let Some(parent) = group.parent.map(|parent| parent as usize) {
                prop_assert!(parent < at && groups[parent].coherence < group.coherence);
                let inner = members[at].clone();
                members[parent].extend(inner);
            }
        }
        let degree = f64::from(tenths) / 10.0;
        let is_coherent = |at: usize| groups[at].coherence.unwrap() >= degree - 1e-6;
        let top = |at: &usize| is_coherent(*at) && !groups[*at].parent.is_some_and(|parent| is_coherent(parent as usize));
        let mut cut: Vec<Vec<u32>> = (0..groups.len()).filter(top).map(|at| members[at].clone()).collect();
        cut.iter_mut().for_each(|members| members.sort_unstable());
        cut.sort_unstable();
        prop_assert_eq!(cut, cluster(&boxes, &Params { ct: (10.0 - degree) / 9.0, ..params.clone() }).clusters);
        // Of joins there are two or more to a whole.
        let joins = dendrogram::groups(&Prepared::new(&boxes, &params).at(&params).1, Steps::Joins);
        for at in 0..joins.len() {
            prop_assert!(joins.iter().filter(|group| group.parent == Some(at as u32)).count() != 1);
        }
    }

    #[test]
    fn at_ct_0_only_what_touches_is_joined(boxes in page_of_boxes(300, true)) {
        let found = cluster(&boxes, &Params { ct: 0.0, ..Params::default() });
        for members in found.clusters {
            for member in &members {
                let rect = boxes[*member as usize].rect;
                prop_assert!(members.iter().any(|other| other != member && boxes[*other as usize].rect.touches(rect)));
            }
        }
    }
}

/// Made by hand: a large and a small box are one cluster, and a third is linked to both. The links have 37,000 and 7,800 pixels at their ends, which are 15 and 12 doublings.
#[test]
fn links_of_large_boxes_can_weigh_more() {
    let boxes = [visual([0, 0, 300, 100], [0; 3]), visual([310, 0, 350, 20], [0; 3]), visual([0, 120, 350, 140], [255; 3])];
    let step = |weighing| {
        let params = Params { ct: 1.0, alignment: Alignment::Off, weighing, ..Params::default() };
        let (large, small) = (value(&boxes, &params, 0, 2), value(&boxes, &params, 1, 2));
        let merges = Prepared::new(&boxes, &params).at(&params).1;
        assert_eq!((merges[0].boxes.as_slice(), merges.len()), ([0, 1].as_slice(), 2));
        (large, small, merges[1].ct)
    };
    let (large, small, plain) = step(Weighing::Links);
    near(plain, f64::midpoint(large, small));
    let (large, small, weighed) = step(Weighing::Size);
    near(weighed, (15.0 * large + 12.0 * small) / 27.0);
    assert!((weighed - plain).abs() > 1e-3, "{weighed} and {plain}");
    assert_eq!(Params::default().weighing, Weighing::Links);
}

#[test]
fn the_tree_of_a_page_has_the_flat_segments_on_top() {
    let page = Page::parse("<body><p>one</p><p>two</p><p>three</p><p>four</p></body>");
    let texts = page.nodes().filter(|node| page.name(*node) == "#text");
    let boxes = texts.zip([0, 20, 60, 80]).map(|(node, top)| crate::layout::RenderedBox {
        node: Some(node.0),
        ..crate::layout::RenderedBox::new(crate::layout::BoxKind::Text, Rect::from([0, top, 100, top + 16]))
    });
    let layout = Layout { width: 100, height: 100, boxes: boxes.collect() };
    let bcs = Bcs::new("bcs", Params { tree: Steps::Joins, ..Params::default() });
    assert_eq!(Bcs::new("bcs", Params::default()).tree(&page, &layout), bcs.segment(&page, &layout));
    let (flat, tree) = (bcs.segment(&page, &layout), bcs.tree(&page, &layout));
    assert_eq!(flat.segments.len(), 1);
    let (areas, pairs): (Vec<_>, Vec<_>) = tree.segments.iter().partition(|segment| segment.parent.is_none());
    assert_eq!(areas[0].boxes, flat.segments[0].boxes);
    assert_eq!(pairs.iter().map(|pair| pair.boxes.clone()).collect::<Vec<_>>(), [[0, 1], [2, 3]]);
    assert!(pairs.iter().all(|pair| pair.coherence > areas[0].coherence && pair.nodes.len() == 2));
    assert_eq!(tree.level(&page, &layout, 2).segments.len(), 2);
}
