//! Pairing the children of two nodes: always the pair that has most in common, until none has enough.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, §8.3.1:
//! four options say how the positions of those left are counted after each pair, and what becomes of pairs that cross another
//! one. Taken literally all pairs are compared again after each choice, the cube of the number of children. Here
//! children that are alike are one class; classes are compared once, the best first, and inside a pair of classes only
//! the nearest places are looked at. The result is the same, which a test holds it to.

use crate::mapping::node_equality::{Item, Rule, Score, Shapes};
use crate::mapping::node_position::{Position, PositionDenominator, PositionFormula};
use std::ops::Range;
use unchaff_page::parameters::choice;

choice! {
    /// How positions are counted after a pair is made, and what becomes of pairs that cross it.
    pub enum PairingOption {
        /// Among those left; crossing pairs are forbidden, so that order is kept.
        Ordered = "1",
        /// Among those left; crossing pairs have position 0.
        CrossingLast = "2",
        /// Among those left; crossing pairs are like others.
        Crossing = "3",
        /// Once, among all; crossing pairs are like others.
        Static = "4",
    }
}

choice! {
    /// Among which siblings positions are counted again in options 1 and 2.
    pub enum Recount {
        /// All that are left.
        Remaining = "remaining",
        /// Those left between two pairs (the release).
        Block = "block",
    }
}

choice! {
    /// Which of several best pairs is made.
    pub enum Ties {
        /// The first.
        First = "first",
        /// The last (the release).
        Last = "last",
    }
}

/// How children are paired.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairingRules {
    /// How positions are counted after a pair is made.
    pub option: PairingOption,
    /// Among which siblings, in options 1 and 2.
    pub recount: Recount,
    /// Which of several best pairs is made.
    pub ties: Ties,
    /// Which places may be the counterpart of one.
    pub formula: PositionFormula,
    /// How many steps are the whole way.
    pub denominator: PositionDenominator,
}

/// Children of one side that are alike: where they stand in `members`, those paired taken out at the end.
#[derive(Clone, Debug)]
struct Class {
    item: Item,
    members: Range<usize>,
}

/// One side: its children, and where those that are left stand.
#[derive(Debug, Default)]
struct Side {
    items: Vec<Item>,
    class_of: Vec<u32>,
    classes: Vec<Class>,
    /// Children by class, ascending.
    members: Vec<u32>,
    partner: Vec<Option<u32>>,
    /// The place of each child that is left, and how many pairs stand before it.
    place: Vec<u32>,
    gap: Vec<u32>,
    /// How many are left, and the place at which each gap starts.
    left: usize,
    gap_starts: Vec<u32>,
}

/// Two classes that may be paired.
#[derive(Clone, Copy, Debug)]
struct ClassPair {
    rule: Rule,
    /// The score at the best position.
    most: Score,
    a: usize,
    b: usize,
}

/// Pairs children; keeps its memory from one pair of parents to the next.
#[derive(Debug)]
pub(crate) struct SiblingPairing {
    rules: PairingRules,
    a: Side,
    b: Side,
    class_pairs: Vec<ClassPair>,
    /// Whether the pairs before the gap are the same on both sides, by gap.
    open: Vec<bool>,
    ordinal: Vec<u32>,
    /// Children at the start that were paired with each other, and how many children there are in all.
    skipped: usize,
    all: (usize, usize),
}

impl Side {
    fn fill(&mut self, items: impl Iterator<Item = Item>) {
        self.items.clear();
        self.items.extend(items);
        let items = &self.items;
        self.left = items.len();
        self.members.clear();
        self.members.extend(0..items.len() as u32);
        self.members.sort_unstable_by_key(|at| (items[*at as usize], *at));
        self.class_of.clear();
        self.class_of.resize(items.len(), 0);
        self.classes.clear();
        for (at, member) in self.members.iter().enumerate() {
            let item = items[*member as usize];
            match self.classes.last_mut() {
                Some(class) if class.item == item => class.members.end = at + 1,
                _ => self.classes.push(Class { item, members: at..at + 1 }),
            }
            self.class_of[*member as usize] = self.classes.len() as u32 - 1;
        }
        self.partner.clear();
        self.partner.resize(items.len(), None);
        self.place.clear();
        self.place.extend(0..items.len() as u32);
        self.gap.clear();
        self.gap.resize(items.len(), 0);
        self.gap_starts.clear();
        self.gap_starts.extend([0, self.left as u32]);
    }

    fn pair(&mut self, child: usize, partner: usize) {
        self.partner[child] = Some(partner as u32);
        self.left -= 1;
        let members = &mut self.classes[self.class_of[child] as usize].members;
        let at = members.start + self.members[members.clone()].partition_point(|member| (*member as usize) < child);
        self.members.copy_within(at + 1..members.end, at);
        members.end -= 1;
    }

    /// Counts places and gaps again.
    fn recount(&mut self) {
        let (mut place, mut gap) = (0, 0);
        self.gap_starts.clear();
        self.gap_starts.push(0);
        for (at, partner) in self.partner.iter().enumerate() {
            if partner.is_some() {
                gap += 1;
                self.gap_starts.push(place);
            } else {
                self.place[at] = place;
                self.gap[at] = gap;
                place += 1;
            }
        }
        self.gap_starts.push(place);
    }

    fn members(&self, class: usize) -> &[u32] {
        &self.members[self.classes[class].members.clone()]
    }
}

impl SiblingPairing {
    /// Ready to pair.
    #[must_use]
    pub(crate) fn new(rules: PairingRules) -> SiblingPairing {
        let (a, b) = (Side::default(), Side::default());
        SiblingPairing { rules, a, b, class_pairs: Vec::new(), open: Vec::new(), ordinal: Vec::new(), skipped: 0, all: (0, 0) }
    }

    fn position(&self) -> Position {
        Position { formula: self.rules.formula, denominator: self.rules.denominator, mirrored: self.rules.ties == Ties::Last }
    }

    /// Pairs two lists of siblings, that of the key page first; the pairs are told by their places, in no order.
    pub(crate) fn pair(&mut self, shapes: &Shapes, a: &[Item], b: &[Item], mut found: impl FnMut(usize, usize)) {
        // The last of the best is the first when counted from the right.
        let last = self.rules.ties == Ties::Last;
        let at = |list: &[Item], at: usize| if last { list[list.len() - 1 - at] } else { list[at] };
        let mut tell = |x: usize, y: usize| if last { found(a.len() - 1 - x, b.len() - 1 - y) } else { found(x, y) };
        self.all = (a.len(), b.len());
        // A first pair that has everything in common stands in the best place and is the first of the best.
        let perfect = |x: usize| shapes.rule(at(a, x), at(b, x)).is_some_and(|rule| self.is_first(shapes, &rule, x));
        self.skipped = (0..a.len().min(b.len())).take_while(|x| perfect(*x)).count();
        (0..self.skipped).for_each(|x| tell(x, x));
        if self.skipped == a.len().min(b.len()) {
            return;
        }
        self.a.fill((self.skipped..a.len()).map(|x| at(a, x)));
        self.b.fill((self.skipped..b.len()).map(|y| at(b, y)));
        self.compare_classes(shapes);
        self.open.clear();
        self.open.push(true);
        while let Some((_, x, y)) = self.best(shapes) {
            self.a.pair(x, y);
            self.b.pair(y, x);
            tell(self.skipped + x, self.skipped + y);
            if self.a.left == 0 || self.b.left == 0 {
                break;
            }
            if self.rules.option != PairingOption::Static {
                self.recount();
            }
        }
    }

    /// Whether the first two of those left, after `done` pairs of first ones, are the best pair and good enough.
    fn is_first(&self, shapes: &Shapes, rule: &Rule, done: usize) -> bool {
        let (p, q, x) = match self.rules.option {
            PairingOption::Static => (self.all.0 as i64, self.all.1 as i64, done as i64),
            _ => ((self.all.0 - done) as i64, (self.all.1 - done) as i64, 0),
        };
        let position = self.position();
        let value = position.value(p, q, position.counterparts(p, q, x), x);
        shapes.is_perfect(rule) && value == position.best(p, q) && shapes.accepts(rule.score(value))
    }

    fn compare_classes(&mut self, shapes: &Shapes) {
        self.class_pairs.clear();
        for (a, one) in self.a.classes.iter().enumerate() {
            for (b, two) in self.b.classes.iter().enumerate() {
                if let Some(rule) = shapes.rule(one.item, two.item) {
                    self.class_pairs.push(ClassPair { rule, most: rule.score(1.0), a, b });
                }
            }
        }
        self.class_pairs.sort_by_key(|pair| std::cmp::Reverse(pair.most));
    }

    fn recount(&mut self) {
        self.a.recount();
        self.b.recount();
        // Pairs before a gap are the same on both sides if the partners of the first t are the first t.
        self.ordinal.clear();
        self.ordinal.resize(self.b.items.len(), 0);
        let paired = (0..).zip(self.b.partner.iter().enumerate().filter(|(_, partner)| partner.is_some()));
        paired.for_each(|(ordinal, (at, _))| self.ordinal[at] = ordinal);
        self.open.clear();
        self.open.push(true);
        let mut farthest = 0;
        for (before, partner) in (1..).zip(self.a.partner.iter().flatten()) {
            farthest = farthest.max(self.ordinal[*partner as usize] + 1);
            self.open.push(farthest == before);
        }
    }

    /// The best pair of those left, if it is good enough: highest score, then first on the key page, then on the other.
    fn best(&self, shapes: &Shapes) -> Option<(Score, usize, usize)> {
        let most_position = match (self.rules.option, self.rules.recount) {
            (PairingOption::Static, _) => self.position().best(self.all.0 as i64, self.all.1 as i64),
            (PairingOption::Ordered | PairingOption::CrossingLast, Recount::Block) => 1.0,
            _ => self.position().best(self.a.left as i64, self.b.left as i64),
        };
        let mut best: Option<(Score, usize, usize)> = None;
        for pair in &self.class_pairs {
            if best.is_some_and(|(score, ..)| pair.most < score) {
                break;
            }
            if self.b.members(pair.b).is_empty() {
                continue;
            }
            let bound = pair.rule.score(most_position);
            for x in self.a.members(pair.a).iter().map(|member| *member as usize) {
                // Nothing of this class pair from here on can be better or earlier.
                if !shapes.accepts(bound) || best.is_some_and(|(score, first, _)| bound < score || bound == score && first < x) {
                    break;
                }
                if let Some((score, y)) =
                    self.best_for(&pair.rule, x, self.b.members(pair.b)).filter(|(score, _)| shapes.accepts(*score))
                {
                    let better =
                        |(most, first, second): (Score, usize, usize)| score > most || score == most && (x, y) < (first, second);
                    if best.is_none_or(better) {
                        best = Some((score, x, y));
                    }
                }
            }
        }
        best
    }

    /// The best partner of `x` among members of a class. It is one of those nearest to the counterparts, or the first.
    fn best_for(&self, rule: &Rule, x: usize, members: &[u32]) -> Option<(Score, usize)> {
        let minds_crossing = matches!(self.rules.option, PairingOption::Ordered | PairingOption::CrossingLast);
        let gap = self.a.gap[x];
        let uncrossed = if !minds_crossing {
            0..members.len()
        } else if self.open[gap as usize] {
            let before = |bar: u32| members.partition_point(|y| self.b.gap[*y as usize] < bar);
            before(gap)..before(gap + 1)
        } else {
            0..0
        };
        let mut best: Option<(Score, usize)> = None;
        let mut offer = |score: Score, y: usize| {
            if best.is_none_or(|(most, first)| score > most || score == most && y < first) {
                best = Some((score, y));
            }
        };
        if !uncrossed.is_empty() {
            let position = self.position();
            let in_block = minds_crossing && self.rules.recount == Recount::Block;
            // How many siblings there are, and where their count starts, on each side.
            let (p, q, a_start, b_start) = match self.rules.option {
                PairingOption::Static => (self.all.0 as i64, self.all.1 as i64, -(self.skipped as i64), -(self.skipped as i64)),
                _ if in_block => {
                    let block = |side: &Side| {
                        let start = i64::from(side.gap_starts[gap as usize]);
                        (i64::from(side.gap_starts[gap as usize + 1]) - start, start)
                    };
                    let ((p, a_start), (q, b_start)) = (block(&self.a), block(&self.b));
                    (p, q, a_start, b_start)
                }
                _ => (self.a.left as i64, self.b.left as i64, 0, 0),
            };
            let counterparts = position.counterparts(p, q, i64::from(self.a.place[x]) - a_start);
            let place = |y: u32| i64::from(self.b.place[y as usize]) - b_start;
            let near = &members[uncrossed.clone()];
            let from = near.partition_point(|y| place(*y) < counterparts.0);
            let to = near.partition_point(|y| place(*y) < counterparts.1);
            for at in [Some(0), from.checked_sub(1), Some(from), to.checked_sub(1), Some(to)].into_iter().flatten() {
                if let Some(y) = near.get(at) {
                    offer(rule.score(position.value(p, q, counterparts, place(*y))), *y as usize);
                }
            }
        }
        if self.rules.option == PairingOption::CrossingLast {
            let crossed = if uncrossed.start > 0 { 0 } else { uncrossed.end };
            if let Some(y) = members.get(crossed) {
                offer(rule.score(0.0), *y as usize);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests;
