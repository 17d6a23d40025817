//! Sorting where speed does not matter.
//!
//! The standard library's sort is fast and has six kilobytes for every type and every order it is used with, and there are many things to put in order. Here
//! the places of the items are sorted, by one function for all types, and the items then take their places. Equal ones stay as they were.

use std::cmp::Ordering;

/// Slices that can be put in order.
pub trait InOrder<T> {
    /// Sorts by what comparing two items gives.
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts by a key of each item.
    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.order_by(|one, other| key(one).cmp(&key(other)));
    }

    /// Sorts by the order the items have.
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

impl<T> InOrder<T> for [T] {
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let mut from = places(self.len(), &|one, other| compare(&self[one], &self[other]));
        for start in 0..self.len() {
            // One round: each item comes where the one before it was taken from.
            let mut to = start;
            loop {
                let next = std::mem::replace(&mut from[to], to);
                if next == start {
                    break;
                }
                self.swap(to, next);
                to = next;
            }
        }
    }
}

/// Which item comes first, which second.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_are_where_the_standard_sort_puts_them(items: Vec<(u8, String)>) {
            let mut sorted = items.clone();
            sorted.sort();
            let mut ordered = items.clone();
            ordered.order();
            prop_assert_eq!(&ordered, &sorted);
            // Of a few keys only, so that many are equal and have to stay as they were.
            let (mut sorted, mut ordered) = (items.clone(), items);
            sorted.sort_by_key(|(key, _)| key % 4);
            ordered.order_by_key(|(key, _)| key % 4);
            prop_assert_eq!(ordered, sorted);
        }
    }
}
