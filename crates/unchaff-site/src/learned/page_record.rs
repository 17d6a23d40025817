//! What is kept of a page that a site was learned from: a few numbers for each of its elements, and no page.

use crate::learned::page_keys::{PageKeys, hash_bytes, long};
use unchaff_dom::site::without_fragment;
use url::Url;

/// No more elements of a page are kept, so that memory is bounded whatever the page.
pub(crate) const MOST_ELEMENTS: usize = 1 << 16;

/// A page by what can be found again on others. Records are ordered by address, hashed: that is the order in which a sample is taken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PageRecord {
    /// A hash of the address, or of all keys if the page has none.
    pub(crate) address: u64,
    /// A hash of all keys, by which copies are known.
    pub(crate) all: u64,
    /// The keys of texts and references, ascending.
    pub(crate) keys: Vec<u64>,
    /// Its paths, ascending, and how often each occurs.
    pub(crate) paths: Vec<(u64, u16)>,
}

/// A hash of an address by which pages are sampled: of any set of pages the same ones are chosen, in whatever order they come.
pub(crate) fn hash_url(url: &Url) -> u64 {
    hash_bytes(0x51_7e, without_fragment(url).as_str().as_bytes())
}

impl PageRecord {
    /// What is kept of a page with these keys.
    pub(crate) fn of(keys: &PageKeys) -> PageRecord {
        let elements = &keys.keys[..keys.len().min(MOST_ELEMENTS)];
        let mut others: Vec<u64> = Vec::with_capacity(elements.len() * 3);
        for element in elements {
            let named = [element.text, element.folded_text, element.whole, element.reference];
            others.extend(named.into_iter().filter(|key| *key != 0).map(long));
        }
        let mut others = sorted(&others);
        others.dedup();
        let all: Vec<u64> = elements.iter().map(|element| long(element.path)).collect();
        let all = sorted(&all);
        let runs = all.chunk_by(|one, other| one == other);
        let paths = runs.map(|run| (run[0], run.len().min(usize::from(u16::MAX)) as u16)).collect();
        PageRecord { address: keys.address, all: keys.all, keys: others, paths }
    }
}

/// Keys in ascending order. They are hashes and so spread evenly: most find their place by their first bits.
pub(crate) fn sorted(keys: &[u64]) -> Vec<u64> {
    const BITS: u32 = 10;
    let bucket = |key: u64| (key >> (u64::BITS - BITS)) as usize;
    let mut ends = [0u32; 1 << BITS];
    keys.iter().for_each(|key| ends[bucket(*key)] += 1);
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    let mut all = vec![0; keys.len()];
    for key in keys {
        let end = &mut ends[bucket(*key)];
        all[*end as usize] = *key;
        *end += 1;
    }
    let mut start = 0;
    for end in ends {
        all[start..end as usize].sort_unstable();
        start = end as usize;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_are_sorted_however_they_are_spread(keys in prop::collection::vec(prop_oneof![any::<u64>(), 0..9u64, u64::MAX - 9..u64::MAX], 0..200)) {
            let mut expected = keys.clone();
            expected.sort_unstable();
            prop_assert_eq!(sorted(&keys), expected);
        }
    }
}
