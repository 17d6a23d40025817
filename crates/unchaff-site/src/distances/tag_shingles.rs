//! Common tag sequence shingles (CTSS): pieces of fixed length of the sequence of tags.
//!
//! Thomas Gottron, 2008, §7.1.1, with pieces of 8 tags, start and end tags alike. It sees order, as the longest common sequence does,
//! but repeated structures only once, and costs a pass; in the thesis it separates templates best.

use crate::learned::page_keys::mix;

/// The pieces of a sequence, with repetitions; a sequence shorter than a piece is one.
#[must_use]
pub(crate) fn tag_shingles(sequence: &[u16], length: usize) -> Vec<u64> {
    let hash = |piece: &[u16]| {
        let words = piece.chunks(4).map(|part| part.iter().fold(0, |word, symbol| word << 16 | u64::from(*symbol)));
        words.fold(piece.len() as u64, mix)
    };
    if sequence.len() < length && !sequence.is_empty() {
        return vec![hash(sequence)];
    }
    sequence.windows(length.max(1)).map(hash).collect()
}

#[cfg(test)]
mod tests {
    use super::super::overlap::{common, overlap_distance, set};
    use super::super::structure::tests::tree;
    use super::*;

    /// Trees made by hand: common pieces, and pieces of each.
    #[test]
    fn pieces_of_the_published_examples() {
        let pieces = |text: &str, length| set(tag_shingles(&tree(text).tag_sequence(), length));
        let check = |one: &str, other: &str, length, expected: (usize, usize, usize)| {
            let (one, other) = (pieces(one, length), pieces(other, length));
            assert_eq!((common(&one, &other), one.len(), other.len()), expected);
            let distance = 1.0 - expected.0 as f64 / expected.1.max(expected.2) as f64;
            assert!((overlap_distance(&one, &other) - distance).abs() < 1e-12);
        };
        let (one, other) = ("html(body(div(p,p)))", "html(body(div(p,ul(li))))");
        check(one, other, 8, (0, 3, 5));
        check(one, other, 3, (4, 8, 10));
        let (one, other) = ("html(body(div(h1,p,p),ul(li,li)))", "html(body(ul(li,li,li),div(h1,p)))");
        check(one, other, 8, (0, 11, 11));
        check(one, other, 3, (8, 16, 14));
    }

    #[test]
    fn a_short_sequence_is_one_piece_and_no_sequence_none() {
        assert_eq!(tag_shingles(&[1, 2], 8).len(), 1);
        assert!(tag_shingles(&[], 8).is_empty());
        assert_eq!(tag_shingles(&[1, 2], 0).len(), 2);
    }
}
