//! Growing clusters: the two least dissimilar entities are joined, again and again, if the result keeps to itself.
//!
//! Source: J. Zelený, PhD thesis, Brno 2017, §6.7, Algs 1 and 2. What cannot run as printed is put right: a refused pair
//! is set aside, since the loop would take it for ever; the loop ends when no pair is left; its test of what Alg 1 returns
//! is negated; a box that touches a member adheres to it; two clusters are as dissimilar as the links between them are on
//! average.
//!
//! The thesis tries a pair again that was refused; there is no need. A pair is refused for its own shapes and densities,
//! or for something in the rectangle around it; whatever is there stays there, if as part of a larger cluster, until one
//! of the pair grows, and then it is another pair. So a refused pair waits for that, and so costs nothing. A test compares
//! with a model that tries again after every step.
//!
//! The queue is as lazy: as entities grow, what joins two of them only gets later in the order (means are not below the
//! smaller of what they are of, areas grow), so an entry that is out of date is put right when it comes up.

use super::neighbours::{Direction, Link};
use super::{Extension, Params, Weighing};
use crate::grid::Grid;
use crate::rect::{Projection, Rect, Touching};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

/// What clustering found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clusters {
    /// The clusters, two boxes or more each, by their positions.
    pub clusters: Vec<Vec<u32>>,
    /// The boxes in no cluster.
    pub unclustered: Vec<u32>,
}

/// A step of clustering: what was joined to one cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct Merge {
    /// The clusters, by the steps that made them, which are before this one.
    pub clusters: Vec<u32>,
    /// The boxes that were in no cluster.
    pub boxes: Vec<u32>,
    /// The least CT at which it is done: the largest dissimilarity of a pair that was looked at so far.
    pub ct: f64,
    /// The step that made this cluster part of a larger one.
    pub part_of: Option<u32>,
}

/// How the boxes of a cluster are arranged (Def 15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Column,
    Row,
    Blob,
}

impl Shape {
    pub(super) fn of(horizontal: u32, vertical: u32, factor: f64) -> Shape {
        let [horizontal, vertical] = [horizontal, vertical].map(f64::from);
        if horizontal < vertical / factor {
            Shape::Column
        } else if horizontal > factor * vertical {
            Shape::Row
        } else {
            Shape::Blob
        }
    }
}

/// Dissimilarities are summed as multiples of this part of 1, so that sums do not depend on their order.
const UNITS: f64 = (1_u64 << 40) as f64;

/// All links between two entities: their number, by direction, the sum of their values, and what they weigh in it.
#[derive(Clone, Copy, Default, Debug)]
struct Relation {
    sum: u64,
    weight: u64,
    horizontal: u32,
    vertical: u32,
    /// The state of both ends when this was last put into the queue.
    queued_at: u32,
}

impl Relation {
    fn add(&mut self, other: Relation) {
        self.sum += other.sum;
        self.weight += other.weight;
        self.horizontal += other.horizontal;
        self.vertical += other.vertical;
    }
}

/// A box or a cluster.
#[derive(Clone, Debug, Default)]
struct Entity {
    rect: Rect,
    boxes: Vec<u32>,
    /// Links between its boxes.
    horizontal: u32,
    vertical: u32,
    /// Its smallest box.
    first: u32,
    /// The step that made it, if it is a cluster.
    made_by: Option<u32>,
    /// How often it has grown.
    version: u32,
    /// The entities that it has relations with, by any number they ever had.
    partners: Vec<u32>,
    /// Partners with which joining was refused since it last grew.
    refused: Vec<u32>,
}

impl Entity {
    fn is_cluster(&self) -> bool {
        self.boxes.len() > 1
    }

    fn place(&self) -> (i32, i32, u32) {
        (self.rect.top, self.rect.left, self.first)
    }
}

/// A pair in the queue, first those with the smallest mean, then the smallest area, then the uppermost, as in the
/// author's program; the thesis leaves ties open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Candidate {
    sum: u64,
    weight: u64,
    area: i64,
    places: [(i32, i32, u32); 2],
    ends: [u32; 2],
    state: u32,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let mean = |one: &Candidate, by: &Candidate| u128::from(one.sum) * u128::from(by.weight);
        mean(self, other)
            .cmp(&mean(other, self))
            .then_with(|| self.area.cmp(&other.area))
            .then_with(|| self.places.cmp(&other.places))
            .then_with(|| (self.ends, self.state).cmp(&(other.ends, other.state)))
            .reverse() // The queue hands out the largest first.
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Clustering<'a> {
    params: &'a Params,
    rects: &'a [Rect],
    entities: Vec<Entity>,
    /// What an entity has become part of; itself if it has not.
    part_of: Vec<u32>,
    relations: HashMap<u64, Relation, BuildHasherDefault<PairHasher>>,
    queue: BinaryHeap<Candidate>,
    /// Boxes by place, and clusters by all of their rectangle, under a number of any of their parts.
    grid: Grid,
    /// Which entities are part of the candidate, by the number of the attempt.
    taken: Vec<u32>,
    attempt: u32,
    /// Room for what the grid proposes.
    near: Vec<u32>,
    /// What was done so far, and the largest dissimilarity looked at.
    merges: Vec<Merge>,
    reached: f64,
}

/// A pair of entities, whichever comes first.
fn key(one: u32, other: u32) -> u64 {
    u64::from(one.min(other)) << 32 | u64::from(one.max(other))
}

/// Mixes a pair; the numbers are ours, so nobody can choose them to collide.
#[derive(Clone, Copy, Default)]
struct PairHasher(u64);

impl Hasher for PairHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, pair: u64) {
        let mixed = (self.0 ^ pair).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// Clusters boxes of which it is known which are linked, and how dissimilar those are; with the steps on the way.
pub(super) fn cluster(rects: &[Rect], grid: Grid, links: &[Link], values: &[f64], params: &Params) -> (Clusters, Vec<Merge>) {
    let mut clustering = Clustering::new(rects, grid, links, values, params);
    clustering.run();
    let mut found = Clusters::default();
    for (at, entity) in clustering.entities.into_iter().enumerate() {
        if clustering.part_of[at] != at as u32 {
            continue;
        }
        match entity.boxes.len() {
            1 => found.unclustered.push(at as u32),
            _ => found.clusters.push(entity.boxes),
        }
    }
    (found, clustering.merges)
}

impl<'a> Clustering<'a> {
    fn new(rects: &'a [Rect], grid: Grid, links: &[Link], values: &[f64], params: &'a Params) -> Clustering<'a> {
        let entity =
            |(at, rect): (usize, &Rect)| Entity { rect: *rect, boxes: vec![at as u32], first: at as u32, ..Entity::default() };
        let mut clustering = Clustering {
            params,
            rects,
            entities: rects.iter().enumerate().map(entity).collect(),
            part_of: (0..rects.len() as u32).collect(),
            relations: HashMap::with_capacity_and_hasher(links.len(), BuildHasherDefault::default()),
            queue: BinaryHeap::with_capacity(links.len()),
            grid,
            taken: vec![0; rects.len()],
            attempt: 0,
            near: Vec::new(),
            merges: Vec::new(),
            reached: 0.0,
        };
        for (link, value) in links.iter().zip(values) {
            clustering.entities[link.from as usize].partners.push(link.to);
            clustering.entities[link.to as usize].partners.push(link.from);
            let (horizontal, vertical) = match link.direction {
                Direction::Horizontal => (1, 0),
                Direction::Vertical => (0, 1),
            };
            let weight = match params.weighing {
                Weighing::Links => 1,
                Weighing::Size => {
                    let area = [link.from, link.to]
                        .map(|end| rects[end as usize].area().max(1))
                        .into_iter()
                        .fold(0, i64::saturating_add);
                    u64::from(area.ilog2())
                }
            };
            let sum = weight * (value * UNITS).round() as u64;
            let relation = Relation { sum, weight, horizontal, vertical, queued_at: 0 };
            clustering.relations.entry(key(link.from, link.to)).or_default().add(relation);
            clustering.enqueue(link.from, link.to);
        }
        clustering
    }

    fn find(&mut self, mut at: u32) -> u32 {
        while self.part_of[at as usize] != at {
            let above = self.part_of[self.part_of[at as usize] as usize];
            self.part_of[at as usize] = above;
            at = above;
        }
        at
    }

    fn enqueue(&mut self, one: u32, other: u32) {
        let [mut a, mut b] = [&self.entities[one as usize], &self.entities[other as usize]];
        let mut ends = [one, other];
        if b.place() < a.place() {
            (a, b) = (b, a);
            ends.reverse();
        }
        // Relations start with a state of 0, so states of what is in the queue are above it.
        let state = a.version + b.version + 1;
        let Some(relation) = self.relations.get_mut(&key(one, other)) else { return };
        relation.queued_at = state;
        let area = a.rect.area().saturating_add(b.rect.area());
        let places = [a.place(), b.place()];
        self.queue.push(Candidate { sum: relation.sum, weight: relation.weight, area, places, ends, state });
    }

    fn run(&mut self) {
        let most = (self.params.ct * UNITS).round().max(0.0) as u64;
        while let Some(candidate) = self.queue.pop() {
            let [m, n] = candidate.ends.map(|end| self.find(end));
            if m == n {
                continue;
            }
            let Some(relation) = self.relations.get(&key(m, n)) else { continue };
            let state = self.entities[m as usize].version + self.entities[n as usize].version + 1;
            if candidate.state != state || candidate.ends != [m, n] || candidate.sum != relation.sum {
                if relation.queued_at != state {
                    self.enqueue(m, n);
                }
                continue;
            }
            if u128::from(candidate.sum) > u128::from(most) * u128::from(candidate.weight) {
                break;
            }
            self.reached = self.reached.max(candidate.sum as f64 / candidate.weight as f64 / UNITS);
            self.attempt += 1;
            self.taken[m as usize] = self.attempt;
            self.taken[n as usize] = self.attempt;
            let grown = if self.may_join(m, n) { self.extend(m, n) } else { None };
            match grown {
                Some((rect, absorbed)) => self.commit(m, n, &absorbed, rect),
                None => {
                    self.entities[m as usize].refused.push(n);
                    self.entities[n as usize].refused.push(m);
                }
            }
        }
    }

    /// The test on shapes and densities (§6.7).
    fn may_join(&mut self, m: u32, n: u32) -> bool {
        let factor = self.params.shape_factor;
        let [one, other] = [m, n].map(|at| &self.entities[at as usize]);
        let [shape, other_shape] = [one, other].map(|entity| Shape::of(entity.horizontal, entity.vertical, factor));
        if shape != other_shape {
            let union = one.rect.union(other.rect);
            return self.intruders(union, self.clean_part(m, n)).is_some_and(|intruders| intruders.is_empty());
        }
        let projection = one.rect.projection(other.rect, Touching::Apart);
        let densities = match (shape, projection) {
            (Shape::Column, Projection::Y) => [one, other].map(|entity| f64::from(entity.vertical) / entity.rect.height() as f64),
            (Shape::Row, Projection::X) => [one, other].map(|entity| f64::from(entity.horizontal) / entity.rect.width() as f64),
            _ => return true,
        };
        let most = self.params.density_factor;
        let quotient = densities[0] / densities[1];
        quotient <= most && quotient >= 1.0 / most
    }

    /// The rectangle of the larger cluster of the two, in which there is nothing of anyone else.
    fn clean_part(&self, m: u32, n: u32) -> Option<Rect> {
        let clusters = [m, n].into_iter().map(|at| &self.entities[at as usize]).filter(|entity| entity.is_cluster());
        clusters.map(|entity| entity.rect).max_by_key(|rect| rect.area())
    }

    /// The boxes without a cluster that reach into a rectangle and are not taken; none if a cluster does. What lies in the
    /// clean part is known.
    fn intruders(&mut self, rect: Rect, clean: Option<Rect>) -> Option<Vec<u32>> {
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        around(rect, clean).for_each(|part| near.extend(self.grid.near(part)));
        let mut found = Vec::new();
        let mut in_the_way = false;
        for id in &near {
            let id = self.find(*id);
            let entity = &self.entities[id as usize];
            if self.taken[id as usize] == self.attempt || !entity.rect.overlaps(rect) {
                continue;
            }
            if entity.is_cluster() {
                in_the_way = true;
                break;
            }
            found.push(id);
        }
        self.near = near;
        found.sort_unstable();
        found.dedup();
        (!in_the_way).then_some(found)
    }

    /// The overlap test with extension (Alg 1): the rectangle of the candidate and the boxes it absorbs; none
    /// if something is in the way.
    fn extend(&mut self, m: u32, n: u32) -> Option<(Rect, Vec<u32>)> {
        let mut clean = self.clean_part(m, n);
        let mut rect = self.entities[m as usize].rect.union(self.entities[n as usize].rect);
        let mut absorbed = Vec::new();
        loop {
            let intruders = self.intruders(rect, clean)?;
            if intruders.is_empty() {
                return Some((rect, absorbed));
            }
            if self.params.extension == Extension::Adhesive && !intruders.iter().all(|intruder| self.adheres(*intruder)) {
                return None;
            }
            clean = Some(rect);
            for intruder in intruders {
                self.taken[intruder as usize] = self.attempt;
                rect = rect.union(self.rects[intruder as usize]);
                absorbed.push(intruder);
            }
        }
    }

    /// Whether a box touches one that is taken.
    fn adheres(&mut self, id: u32) -> bool {
        let rect = self.rects[id as usize];
        let wider = Rect {
            top: rect.top.saturating_sub(1),
            left: rect.left.saturating_sub(1),
            bottom: rect.bottom.saturating_add(1),
            right: rect.right.saturating_add(1),
        };
        let near: Vec<u32> = self.grid.near(wider).filter(|other| self.rects[*other as usize].touches(rect)).collect();
        near.into_iter().any(|other| {
            let whole = self.find(other);
            self.taken[whole as usize] == self.attempt
        })
    }

    /// Makes one cluster of the candidate's parts (6.30); all links to any of them become links to it.
    fn commit(&mut self, m: u32, n: u32, absorbed: &[u32], rect: Rect) {
        let mut parts = vec![m, n];
        parts.extend(absorbed);
        // The part with most relations keeps them, so that each is moved but a few times.
        let most = |at: &u32| (self.entities[*at as usize].partners.len(), std::cmp::Reverse(*at));
        let whole = parts.iter().copied().max_by_key(most).unwrap_or(m);
        let covered = parts.iter().map(|at| self.entities[*at as usize].rect).max_by_key(|rect| rect.area());
        let step = self.merges.len() as u32;
        let (mut clusters, mut boxes) = (Vec::new(), Vec::new());
        for part in &parts {
            match self.entities[*part as usize].made_by {
                Some(cluster) => {
                    self.merges[cluster as usize].part_of = Some(step);
                    clusters.push(cluster);
                }
                None => boxes.push(*part),
            }
        }
        self.merges.push(Merge { clusters, boxes, ct: self.reached, part_of: None });
        let mut waiting: Vec<u32> = Vec::new();
        let mut inside = Relation::default();
        for part in parts.into_iter().filter(|part| *part != whole) {
            let mut taken = std::mem::take(&mut self.entities[part as usize]);
            for partner in taken.partners {
                let partner = self.find(partner);
                let Some(relation) = self.relations.remove(&key(part, partner)) else { continue };
                if self.taken[partner as usize] == self.attempt {
                    inside.add(relation);
                    continue;
                }
                let known = self.relations.entry(key(whole, partner));
                if let std::collections::hash_map::Entry::Vacant(_) = known {
                    self.entities[whole as usize].partners.push(partner);
                }
                known.or_default().add(relation);
            }
            waiting.append(&mut taken.refused);
            self.part_of[part as usize] = whole;
            let entity = &mut self.entities[whole as usize];
            entity.boxes.append(&mut taken.boxes);
            entity.first = entity.first.min(taken.first);
            inside.horizontal += taken.horizontal;
            inside.vertical += taken.vertical;
        }
        let entity = &mut self.entities[whole as usize];
        entity.rect = rect;
        entity.made_by = Some(step);
        entity.horizontal += inside.horizontal;
        entity.vertical += inside.vertical;
        entity.version = self.attempt;
        waiting.append(&mut entity.refused);
        for part in around(rect, covered) {
            self.grid.insert(whole, part);
        }
        waiting.iter_mut().for_each(|partner| *partner = self.find(*partner));
        waiting.sort_unstable();
        waiting.dedup();
        for partner in waiting.into_iter().filter(|partner| *partner != whole) {
            self.enqueue(whole, partner);
        }
    }
}

/// The parts of a rectangle that are not in another, which lies in it: all of it if there is none.
fn around(rect: Rect, hole: Option<Rect>) -> impl Iterator<Item = Rect> {
    let hole = hole.unwrap_or(Rect { bottom: rect.top, ..rect });
    [
        Rect { bottom: hole.top, ..rect },
        Rect { top: hole.bottom, ..rect },
        Rect { top: hole.top, bottom: hole.bottom, right: hole.left, ..rect },
        Rect { top: hole.top, bottom: hole.bottom, left: hole.right, ..rect },
    ]
    .into_iter()
    .filter(|part| !part.is_empty())
}
