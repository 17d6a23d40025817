//! Numbers for the keys of a page: equal keys have the same, from 0 on in the order in which they come.
//!
//! Every element of a page is asked for by its path and its text, so this is a table for that alone: it never grows, and nothing is taken out. Where a key
//! comes first is another place in every table, so that no page can aim at crowds; its number is not.

use foldhash::fast::RandomState;
use std::hash::BuildHasher;

/// The numbers; see the [module](self).
pub(crate) struct KeyNumbers {
    /// A key in the upper half and its number, from 1, in the lower; 0 where there is none.
    places: Vec<u64>,
    known: u32,
    /// An odd number; the upper bits of its product with a key say where that comes.
    factor: u64,
    /// How many lower bits do not.
    rest: u32,
}

impl KeyNumbers {
    /// Numbers for so many keys at most. Some places stay empty even if all keys differ, which they hardly ever do.
    pub(crate) fn for_keys(most: usize) -> KeyNumbers {
        let places = (most + most / 8 + 2).next_power_of_two();
        let factor = RandomState::default().hash_one(0) | 1;
        KeyNumbers { places: vec![0; places], known: 0, factor, rest: u64::BITS - places.ilog2() }
    }

    /// The number of a key.
    #[inline]
    pub(crate) fn number(&mut self, key: u32) -> u32 {
        let last = self.places.len() - 1;
        let (mut at, mut step) = ((u64::from(key).wrapping_mul(self.factor) >> self.rest) as usize, 0);
        loop {
            let known = self.places[at];
            if known == 0 {
                self.known += 1;
                self.places[at] = u64::from(key) << 32 | u64::from(self.known);
                return self.known - 1;
            }
            if (known >> 32) as u32 == key {
                return known as u32 - 1;
            }
            // Steps that grow visit all places of a table whose size is a power of two, and leave crowds behind.
            step += 1;
            at = (at + step) & last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equal_keys_have_the_same_number_and_numbers_come_in_order(
            keys in prop::collection::vec(prop_oneof![0..9u32, any::<u32>(), (0..99u32).prop_map(|key| key << 24)], 0..200),
        ) {
            let mut numbers = KeyNumbers::for_keys(keys.len());
            let mut known: Vec<u32> = Vec::new();
            for key in keys {
                let expected = known.iter().position(|other| *other == key).unwrap_or_else(|| {
                    known.push(key);
                    known.len() - 1
                });
                prop_assert_eq!(numbers.number(key) as usize, expected);
            }
        }
    }
}
