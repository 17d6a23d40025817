//! Connected components: which of some numbered things hang together, as pairs of them become known.
//!
//! The disjoint-set forest of B. Galler and M. Fischer (1964), with path halving. Detectors and clusterings ask for it: pages that
//! link to each other, pagelets that resemble each other, and pages of one structure. Cutting single linkage at a distance is
//! the same thing (T. Gottron: Content Extraction, 2008, section 7.1.2): components of the pairs that are no farther apart.

/// Things numbered from 0 that hang together in components.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    above: Vec<u32>,
}

impl Components {
    /// So many things, each alone.
    #[must_use]
    pub(crate) fn new(number: usize) -> Components {
        Components { above: (0..number as u32).collect() }
    }

    /// The smallest member of the component of a thing.
    pub(crate) fn first(&mut self, thing: usize) -> usize {
        let mut at = thing;
        while self.above[at] as usize != at {
            self.above[at] = self.above[self.above[at] as usize];
            at = self.above[at] as usize;
        }
        at
    }

    /// Puts two things, and so their components, together.
    pub(crate) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        // The smallest stays on top, so that the result does not depend on the order of pairs.
        self.above[one.max(other)] = one.min(other) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_threshold_on_distances_is_single_linkage() {
        // Points on a line, made by hand.
        let points = [0.0f64, 1.0, 3.0, 7.0];
        let clusters = |threshold: f64| {
            let mut components = Components::new(points.len());
            for one in 0..points.len() {
                for other in 0..one {
                    if (points[one] - points[other]).abs() <= threshold {
                        components.join(one, other);
                    }
                }
            }
            (0..points.len()).map(|at| components.first(at)).collect::<Vec<_>>()
        };
        assert_eq!(clusters(2.5), [0, 0, 0, 3]);
        assert_eq!(clusters(1.0), [0, 0, 2, 3]);
        assert_eq!(clusters(0.5), [0, 1, 2, 3]);
        assert_eq!(clusters(4.0), [0, 0, 0, 0]);
    }

    proptest! {
        #[test]
        fn components_do_not_depend_on_the_order_of_pairs(pairs in prop::collection::vec((0..12usize, 0..12usize), 0..15)) {
            let of = |pairs: &mut dyn Iterator<Item = &(usize, usize)>| {
                let mut components = Components::new(12);
                pairs.for_each(|(one, other)| components.join(*one, *other));
                (0..12).map(|at| components.first(at)).collect::<Vec<_>>()
            };
            let firsts = of(&mut pairs.iter());
            prop_assert_eq!(&firsts, &of(&mut pairs.iter().rev()));
            prop_assert!(pairs.iter().all(|(one, other)| firsts[*one] == firsts[*other]));
            prop_assert!(firsts.iter().enumerate().all(|(at, first)| *first <= at && firsts[*first] == *first));
        }
    }
}
