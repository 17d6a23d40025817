//! Parametric functions: a few numbers about one kind of structure, and their differences.
//!
//! I. Cruz, S. Borisov, M. Marks, T. Webb: Measuring Structural Similarity Among Web Documents, 1998; Gottron, 2008, §3.5. A structure is
//! written down, numbers are read off it, and their differences are added up with weights. The published example is followed: the lists
//! (`ul`) of a page are a string of braces, one pair for each, nested as they are, with the number of entries (`li`) in each; its numbers are the
//! length of that string, the number of lists, and the sum and the mean of the entries. Weights are not published; all are 1.
//!
//! Numbers have no limit. From 0 to 1, each difference is a share of both numbers, and the distance the mean of the shares.

use super::structure::{PageStructure, label};
use unchaff_dom::Tag;

/// The length of the string, the lists, their entries in all and on average.
pub(crate) type ListNumbers = [f32; 4];

/// The numbers of a page.
#[must_use]
pub(crate) fn list_numbers(structure: &PageStructure) -> ListNumbers {
    let (list, entry) = (label(Tag::Ul, "ul"), label(Tag::Li, "li"));
    let mut entries = vec![0u32; structure.len()];
    for (node, parent) in structure.parents.iter().enumerate().skip(1) {
        entries[*parent as usize] += u32::from(structure.labels[node] == entry);
    }
    let (mut length, mut lists, mut sum) = (0u32, 0u32, 0u32);
    for node in (0..structure.len()).filter(|node| structure.labels[*node] == list) {
        lists += 1;
        sum += entries[node];
        length += 3 + entries[node].max(1).ilog10();
    }
    [length as f32, lists as f32, sum as f32, sum as f32 / lists.max(1) as f32]
}

/// The distance as published: the sum of the differences.
#[must_use]
pub(crate) fn difference(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(one, other)| f64::from((one - other).abs())).sum()
}

/// The distance from 0 to 1.
#[must_use]
pub(crate) fn distance(one: &[f32], other: &[f32]) -> f64 {
    let share = |one: f32, other: f32| if one == other { 0.0 } else { f64::from((one - other).abs()) / f64::from(one + other) };
    one.iter().zip(other).map(|(one, other)| share(*one, *other)).sum::<f64>() / one.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distances::structure::tests::tree;

    /// Worked by hand: `{3{2}}` and `{3}{12}`.
    #[test]
    fn numbers_of_lists_and_their_differences() {
        let nested = list_numbers(&tree("html(body(ul(li,li(ul(li,li)),li)))"));
        assert_eq!(nested, [6.0, 2.0, 5.0, 2.5]);
        let twelve = ["li"; 12].join(",");
        let beside = list_numbers(&tree(&format!("html(body(ul(li,li,li),ul({twelve})))")));
        assert_eq!(beside, [7.0, 2.0, 15.0, 7.5]);
        assert_eq!(difference(&nested, &beside), 16.0);
        assert!((distance(&nested, &beside) - (1.0 / 13.0 + 0.5 + 0.5) / 4.0).abs() < 1e-9);
        assert_eq!(list_numbers(&tree("html(body(p))")), [0.0; 4]);
        assert_eq!(distance(&[0.0; 4], &beside), 1.0);
    }
}
