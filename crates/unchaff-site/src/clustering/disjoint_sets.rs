//! Disjoint sets that are united step by step, after R. Tarjan: Efficiency of a Good But Not Linear Set Union Algorithm, 1975.

/// Numbers from 0, each in one set.
#[derive(Clone, Debug)]
pub(crate) struct DisjointSets {
    parents: Vec<u32>,
}

impl DisjointSets {
    /// Each number alone.
    pub(crate) fn new(count: usize) -> DisjointSets {
        DisjointSets { parents: (0..count as u32).collect() }
    }

    /// The number that stands for the set of another: its least.
    pub(crate) fn find(&mut self, number: usize) -> usize {
        let mut at = number as u32;
        while self.parents[at as usize] != at {
            let above = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = above;
            at = above;
        }
        at as usize
    }

    /// Unites the sets of two numbers; says whether they were apart.
    pub(crate) fn unite(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one.max(other)] = one.min(other) as u32;
        one != other
    }
}
