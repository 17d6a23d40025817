//! Web content clustering: texts and images that are near each other, by their places in the tree or on the page, are one segment.
//!
//! S. Alcic, S. Conrad, *Page segmentation by web content clustering*, WIMS 2011, as J. Zelený describes it (PhD thesis, Brno 2017, §3.1.2): of the
//! algorithms and distances that were compared, DBSCAN (M. Ester et al., KDD 1996) with the distance in the tree was best on average. The other
//! distance here is the squared Euclidean distance of the nearest points of two boxes. Thresholds are not handed down; these are ours.
//!
//! In the tree no pair has to be looked at. How many contents are within a distance is a sum of differences of counts over the nodes above one; and of all
//! dense contents below a node it is enough to join each with the least deep: if any two are near by way of that node, both are near it.

use crate::grid::Grid;
use crate::layout::Layout;
use crate::rect::Rect;
use crate::registry::{Sees, SegmentEntry};
use crate::segmentation::{SegmentTechnique, Segmentation};
use std::collections::BTreeMap;
use unchaff_dom::{NodeId, Page};
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;
use unchaff_page::{choice, parameters};

choice! {
    /// What is near.
    pub enum Distance {
        /// Steps from node to node in the tree.
        Dom = "dom",
        /// Pixels between boxes.
        Vision = "vision",
    }
}

parameters! {
    /// The parameters of web content clustering.
    pub struct Params {
        /// By what contents are near each other.
        pub distance: Distance = Distance::Dom,
        /// Contents that are at most so many steps apart in the tree are neighbours (up to 16).
        pub steps: usize = 6,
        /// Boxes that are at most so many pixels apart are neighbours.
        pub pixels: f64 = 16.0,
        /// What has so many neighbours, itself among them, is dense.
        pub points: usize = 3,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SegmentEntry = SegmentEntry {
    name: "content-clustering",
    summary: "texts and images that are near each other in the tree, or on the page, by DBSCAN",
    source: "S. Alcic, S. Conrad: Page segmentation by web content clustering. WIMS 2011",
    cost: "linear in the nodes, times the steps; with distance=vision n log n in the boxes",
    kind: Sees::Boxes,
    parameters: Params::list,
    build: |settings| Ok(Box::new(ContentClustering { params: read(settings)? })),
};

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct ContentClustering {
    params: Params,
}

/// The most steps, since there is a count for each below each node.
const MOST_STEPS: usize = 16;

/// Of the boxes around one no more are looked at, so that a heap of boxes costs no square.
const MOST_NEAR: usize = 512;

impl SegmentTechnique for ContentClustering {
    fn name(&self) -> &'static str {
        "content-clustering"
    }

    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation {
        let contents: Vec<u32> = layout.content().collect();
        let clusters = match self.params.distance {
            Distance::Vision => {
                let rects: Vec<Rect> = contents.iter().map(|at| layout.boxes[*at as usize].rect).collect();
                near_on_page(&rects, self.params.pixels, self.params.points)
            }
            Distance::Dom => {
                let of_box = |at: &u32| layout.boxes[*at as usize].node.filter(|node| (*node as usize) < page.len());
                let nodes: Vec<Option<u32>> = contents.iter().map(of_box).collect();
                let mut points: Vec<NodeId> = nodes.iter().flatten().map(|node| NodeId(*node)).collect();
                points.sort_unstable();
                points.dedup();
                let of_points = near_in_tree(page, &points, self.params.steps.min(MOST_STEPS), self.params.points);
                let cluster = |node: &Option<u32>| of_points[points.binary_search(&NodeId((*node)?)).ok()?];
                nodes.iter().map(cluster).collect()
            }
        };
        let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (at, cluster) in contents.iter().zip(clusters) {
            cluster.into_iter().for_each(|cluster| groups.entry(cluster).or_default().push(*at));
        }
        Segmentation::from_boxes(page, layout, groups.into_values())
    }
}

/// Points that belong together, by any of them.
struct Together(Vec<u32>);

impl Together {
    fn of(points: usize) -> Together {
        Together((0..points as u32).collect())
    }

    fn find(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            self.0[at as usize] = self.0[self.0[at as usize] as usize];
            at = self.0[at as usize];
        }
        at
    }

    /// The first of all is the one that stands for them.
    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one.max(other) as usize] = one.min(other);
    }
}

/// The cluster of each of some nodes, in document order, by the distance in the tree; none for what is near nothing dense.
fn near_in_tree(page: &Page, points: &[NodeId], steps: usize, least: usize) -> Vec<Option<u32>> {
    // How many points there are so many steps below each node.
    let width = steps + 1;
    let mut counts = vec![0_u32; page.len() * width];
    let above = |point: NodeId| std::iter::successors(Some(point), |node| page.parent(*node)).take(width).enumerate();
    for point in points {
        above(*point).for_each(|(step, node)| counts[node.index() * width + step] += 1);
    }
    for below in counts.chunks_mut(width) {
        (1..width).for_each(|step| below[step] += below[step - 1]);
    }
    let within = |node: NodeId, steps: Option<usize>| steps.map_or(0, |steps| counts[node.index() * width + steps]);
    let is_dense = |point: &NodeId| {
        let (mut near, mut from) = (0, None);
        for (step, node) in above(*point) {
            let seen = from.map_or(0, |child| within(child, (steps - step).checked_sub(1)));
            near += within(node, Some(steps - step)) - seen;
            from = Some(node);
        }
        near as usize >= least
    };
    let dense: Vec<bool> = points.iter().map(is_dense).collect();
    // The dense point that is least deep below each node, with its steps; of several the first.
    let mut nearest: Vec<Option<(usize, u32)>> = vec![None; page.len()];
    for (at, point) in (0..).zip(points).filter(|(at, _)| dense[*at as usize]) {
        for (step, node) in above(*point) {
            let best = &mut nearest[node.index()];
            *best = Some(best.map_or((step, at), |known| known.min((step, at))));
        }
    }
    let mut together = Together::of(points.len());
    let reached = |point: NodeId| {
        above(point)
            .filter_map(|(step, node)| nearest[node.index()].map(|(below, at)| (step + below, at)))
            .filter(|(far, _)| *far <= steps)
    };
    for (at, point) in (0..).zip(points).filter(|(at, _)| dense[*at as usize]) {
        reached(*point).for_each(|(_, other)| together.join(at, other));
    }
    let cluster = |(at, point): (u32, &NodeId)| match dense[at as usize] {
        true => Some(together.find(at)),
        // At the edge: with the nearest.
        false => reached(*point).min().map(|(_, other)| together.find(other)),
    };
    (0..).zip(points).map(cluster).collect()
}

/// The squared distance of the nearest points of two boxes.
fn apart(one: Rect, other: Rect) -> f64 {
    let between = |end: i32, start: i32| (f64::from(start) - f64::from(end)).max(0.0);
    let across = between(one.right, other.left).max(between(other.right, one.left));
    let down = between(one.bottom, other.top).max(between(other.bottom, one.top));
    across * across + down * down
}

/// The cluster of each of some boxes by their distance on the page; none for what is near nothing dense.
fn near_on_page(rects: &[Rect], pixels: f64, least: usize) -> Vec<Option<u32>> {
    let reach = pixels.clamp(0.0, 10_000.0);
    let margin = reach as i32 + 1;
    let grid = Grid::new(rects);
    let near = |at: usize| {
        let rect = rects[at];
        let around = Rect {
            left: rect.left.saturating_sub(margin),
            top: rect.top.saturating_sub(margin),
            right: rect.right.saturating_add(margin),
            bottom: rect.bottom.saturating_add(margin),
        };
        let mut near: Vec<u32> =
            grid.near(around).take(4 * MOST_NEAR).filter(|other| apart(rect, rects[*other as usize]) <= reach * reach).collect();
        near.sort_unstable();
        near.dedup();
        near.truncate(MOST_NEAR);
        near
    };
    let dense: Vec<bool> = (0..rects.len()).map(|at| near(at).len() >= least).collect();
    let mut together = Together::of(rects.len());
    for at in (0..rects.len()).filter(|at| dense[*at]) {
        near(at).into_iter().filter(|other| dense[*other as usize]).for_each(|other| together.join(at as u32, other));
    }
    let mut clusters = Vec::with_capacity(rects.len());
    for at in 0..rects.len() {
        clusters.push(match dense[at] {
            true => Some(together.find(at as u32)),
            false => {
                let by_distance = |one: &u32, other: &u32| {
                    apart(rects[at], rects[*one as usize])
                        .total_cmp(&apart(rects[at], rects[*other as usize]))
                        .then(one.cmp(other))
                };
                let nearest = near(at).into_iter().filter(|other| dense[*other as usize]).min_by(by_distance);
                nearest.map(|other| together.find(other))
            }
        });
    }
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::Tag;

    /// DBSCAN as it is defined, over all pairs; what is at an edge is not compared.
    fn by_definition(points: usize, least: usize, is_near: impl Fn(usize, usize) -> bool) -> (Vec<bool>, Vec<u32>) {
        let near = |one: usize| (0..points).filter(|other| is_near(one, *other)).collect::<Vec<_>>();
        let dense: Vec<bool> = (0..points).map(|at| near(at).len() >= least).collect();
        let mut together = Together::of(points);
        for one in (0..points).filter(|at| dense[*at]) {
            near(one).into_iter().filter(|other| dense[*other]).for_each(|other| together.join(one as u32, other as u32));
        }
        let clusters = (0..points as u32).map(|at| together.find(at)).collect();
        (dense, clusters)
    }

    fn texts(page: &Page) -> Vec<NodeId> {
        page.nodes().filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).chars > 0).collect()
    }

    fn steps_between(page: &Page, one: NodeId, other: NodeId) -> usize {
        let path = |node: NodeId| {
            let mut path: Vec<NodeId> = std::iter::successors(Some(node), |node| page.parent(*node)).collect();
            path.reverse();
            path
        };
        let (one, other) = (path(one), path(other));
        let common = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
        one.len() + other.len() - 2 * common
    }

    /// Texts of one list are four steps apart, those of two lists six.
    #[test]
    fn lists_are_clusters_and_what_stands_alone_is_none() {
        let list = "<ul><li>a</li><li>b</li><li>c</li></ul>";
        let page = Page::parse(format!("{list}{list}<div><div><div><p>alone</p></div></div></div>"));
        let points = texts(&page);
        assert_eq!(steps_between(&page, points[0], points[1]), 4);
        assert_eq!(steps_between(&page, points[0], points[3]), 6);
        let found = near_in_tree(&page, &points, 4, 3);
        assert_eq!(found, [Some(0), Some(0), Some(0), Some(3), Some(3), Some(3), None]);
        let wider = near_in_tree(&page, &points, 6, 3);
        assert_eq!(wider[..6], [Some(0); 6]);
    }

    /// Spec 10.3: dx² + dy² of the nearest points.
    #[test]
    fn the_distance_of_boxes_is_that_of_their_nearest_points() {
        let rect = |edges: [i32; 4]| Rect::from(edges);
        assert!((apart(rect([0, 0, 10, 10]), rect([13, 14, 20, 20])) - 25.0).abs() < 1e-9);
        assert!((apart(rect([0, 0, 10, 10]), rect([5, 14, 20, 20])) - 16.0).abs() < 1e-9);
        assert!(apart(rect([0, 0, 10, 10]), rect([5, 5, 20, 20])) == 0.0);
    }

    fn trees() -> impl Strategy<Value = String> {
        let leaf = Just("<b>x</b>".to_owned());
        leaf.prop_recursive(5, 40, 4, |inner| {
            prop::collection::vec(inner, 1..4).prop_map(|parts| format!("<div>{}</div>", parts.concat()))
        })
    }

    proptest! {
        #[test]
        fn in_the_tree_it_is_what_the_definition_gives(html in prop::collection::vec(trees(), 1..4), steps in 2..9usize, least in 1..5usize) {
            let page = Page::parse(html.concat());
            let points = texts(&page);
            let (dense, clusters) = by_definition(points.len(), least, |one, other| steps_between(&page, points[one], points[other]) <= steps);
            let found = near_in_tree(&page, &points, steps, least);
            for at in 0..points.len() {
                if dense[at] {
                    prop_assert_eq!(found[at], Some(clusters[at]));
                }
                let beside = (0..points.len()).any(|other| dense[other] && steps_between(&page, points[at], points[other]) <= steps);
                prop_assert_eq!(found[at].is_some(), beside);
            }
        }

        #[test]
        fn on_the_page_too(places in prop::collection::vec((0..60i32, 0..60i32), 0..40), least in 1..5usize) {
            let rects: Vec<Rect> = places.iter().map(|(x, y)| Rect::from([10 * x, 10 * y, 10 * x + 15, 10 * y + 8])).collect();
            let (dense, clusters) = by_definition(rects.len(), least, |one, other| apart(rects[one], rects[other]) <= 400.0);
            let found = near_on_page(&rects, 20.0, least);
            for at in (0..rects.len()).filter(|at| dense[*at]) {
                prop_assert_eq!(found[at], Some(clusters[at]));
            }
        }
    }
}
