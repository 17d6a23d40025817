//! Tag vectors: how often each tag occurs, or whether it does.
//!
//! Thomas Gottron, 2008, §7.1.1: the Euclidean distance of the vectors of tag counts, on purpose without any normalisation, since
//! the number of tags is itself typical of a template. It has no upper limit then; as a share of the length of both
//! vectors together it stays in 0 to 1 and a metric. It is the fastest distance and the least certain one.

use super::structure::{PageStructure, end_symbol};
use unchaff_page::parameters::choice;

choice! {
    /// Which tags a tag vector counts.
    pub enum CountedTags {
        /// Start tags.
        Start = "start",
        /// Start and end tags under one name, which doubles most counts.
        Both = "both",
        /// Start and end tags, each with a place of its own.
        Separate = "separate",
    }
}

/// Counts by tag, in the order of the tags' numbers.
pub(crate) type TagCounts = Vec<(u16, u32)>;

/// The vector of a page; without `counts` every tag that occurs counts as one.
#[must_use]
pub(crate) fn tag_counts(structure: &PageStructure, tags: CountedTags, counts: bool) -> TagCounts {
    let mut symbols = structure.labels.clone();
    if tags != CountedTags::Start {
        let ends = structure.labels.iter().filter_map(|label| end_symbol(*label).map(|end| (*label, end)));
        symbols.extend(ends.map(|(start, end)| if tags == CountedTags::Both { start } else { end }));
    }
    symbols.sort_unstable();
    let runs = symbols.chunk_by(|one, other| one == other);
    runs.map(|run| (run[0], if counts { run.len() as u32 } else { 1 })).collect()
}

/// The counts of both pages for each tag that one of them has.
pub(super) fn pairs<'c>(one: &'c [(u16, u32)], other: &'c [(u16, u32)]) -> impl Iterator<Item = (u32, u32)> + 'c {
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    std::iter::from_fn(move || {
        let (here, there) = (left.peek().map(|pair| pair.0), right.peek().map(|pair| pair.0));
        let least = match (here, there) {
            (Some(here), Some(there)) => here.min(there),
            (here, there) => here.or(there)?,
        };
        let take = |from: &mut std::iter::Peekable<std::slice::Iter<'c, (u16, u32)>>| {
            from.next_if(|pair| pair.0 == least).map_or(0, |pair| pair.1)
        };
        Some((take(&mut left), take(&mut right)))
    })
}

/// The Euclidean distance, as published.
#[must_use]
pub(crate) fn euclidean(one: &[(u16, u32)], other: &[(u16, u32)]) -> f64 {
    let squares = pairs(one, other).map(|(one, other)| f64::from(one.abs_diff(other)).powi(2));
    squares.sum::<f64>().sqrt()
}

/// The Euclidean distance as a share of both lengths.
#[must_use]
pub(crate) fn distance(one: &[(u16, u32)], other: &[(u16, u32)]) -> f64 {
    let lengths = euclidean(one, &[]) + euclidean(other, &[]);
    if lengths == 0.0 { 0.0 } else { euclidean(one, other) / lengths }
}

#[cfg(test)]
mod tests {
    use super::super::structure::tests::tree;
    use super::*;

    /// Trees made by hand.
    #[test]
    fn distances_of_the_published_examples() {
        let pairs = [
            ("html(body(div(p,p)))", "html(body(div(p,ul(li))))", [3f64.sqrt(), 12f64.sqrt(), 6f64.sqrt()]),
            ("html(body(div(h1,p,p),ul(li,li)))", "html(body(ul(li,li,li),div(h1,p)))", [2f64.sqrt(), 8f64.sqrt(), 2.0]),
        ];
        for (one, other, expected) in pairs {
            for (tags, expected) in [CountedTags::Start, CountedTags::Both, CountedTags::Separate].into_iter().zip(expected) {
                let vector = |text: &str| tag_counts(&tree(text), tags, true);
                assert!((euclidean(&vector(one), &vector(other)) - expected).abs() < 1e-6, "{tags}");
            }
        }
    }

    #[test]
    fn without_counts_only_the_kinds_of_tags_matter_and_void_elements_have_no_end() {
        let vector = |text: &str, tags, counts| tag_counts(&tree(text), tags, counts);
        let kinds = |text| vector(text, CountedTags::Start, false);
        assert_eq!(euclidean(&kinds("body(p,p,p,ul(li))"), &kinds("body(p,ul(li,li))")), 0.0);
        assert_eq!(euclidean(&kinds("body(p,h1)"), &kinds("body(h2,p,ul,dl)")), 2.0);
        assert_eq!(vector("body(br,br)", CountedTags::Both, true).iter().map(|pair| pair.1).sum::<u32>(), 4);
        assert_eq!(distance(&[], &[]), 0.0);
        assert_eq!(distance(&[], &[(1, 3)]), 1.0);
    }
}
