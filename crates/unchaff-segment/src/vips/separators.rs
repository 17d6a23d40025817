//! Separators: the gaps that cross no block (VIPS §4.2; Zelený 2017, §3.1.2).
//!
//! The report starts with one separator over everything and lets each block split, shrink or remove what it meets; those at the
//! edges are dropped in the end. What remains is the gaps between blocks in order, which is how they are found here.

/// The direction of a separator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Between what is above and what is below.
    Horizontal,
    /// Between what is left and what is right.
    Vertical,
}

/// The gaps between intervals with exclusive ends, those before the first and after the last left out.
pub(crate) fn separators(intervals: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let mut sorted = intervals.to_vec();
    sorted.sort_unstable();
    let mut gaps = Vec::new();
    let mut reached: Option<i32> = None;
    for (from, to) in sorted {
        if let Some(reached) = reached.filter(|reached| *reached < from) {
            gaps.push((reached, from));
        }
        reached = reached.max(Some(to));
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As the report has it, step by step.
    fn as_published(intervals: &[(i32, i32)], length: i32) -> Vec<(i32, i32)> {
        let mut found = vec![(0, length)];
        for &(start, end) in intervals {
            let split = |(from, to): (i32, i32)| {
                if end <= from || to <= start {
                    vec![(from, to)]
                } else if from < start && end < to {
                    vec![(from, start), (end, to)]
                } else if start <= from && to <= end {
                    vec![]
                } else if start <= from {
                    vec![(end, to)]
                } else {
                    vec![(from, start)]
                }
            };
            found = found.into_iter().flat_map(split).collect();
        }
        found.retain(|(from, to)| *from != 0 && *to != length);
        found
    }

    /// Made by hand.
    #[test]
    fn w16_separators() {
        assert_eq!(separators(&[(0, 20), (30, 60), (60, 100)]), [(20, 30)]);
        assert_eq!(as_published(&[(0, 20), (30, 60), (60, 100)], 100), [(20, 30)]);
        assert_eq!(separators(&[(10, 20), (30, 60)]), [(20, 30)]);
    }

    proptest! {
        #[test]
        fn gaps_are_what_the_report_finds(intervals in prop::collection::vec((0..90i32, 1..10i32), 1..20)) {
            let intervals: Vec<(i32, i32)> = intervals.into_iter().map(|(start, length)| (start, start + length)).collect();
            prop_assert_eq!(separators(&intervals), as_published(&intervals, 100));
        }
    }
}
