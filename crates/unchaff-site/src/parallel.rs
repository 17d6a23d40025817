//! Loops whose rounds do not depend on each other: on many threads with the feature `threads`, else one after the other, with the same
//! result. Nothing else in this crate knows of threads.

/// `work` for each number below `count`, in order.
#[cfg(feature = "threads")]
pub(crate) fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    use rayon::prelude::*;
    (0..count).into_par_iter().map(work).collect()
}

/// `work` for each number below `count`, in order.
#[cfg(not(feature = "threads"))]
pub(crate) fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    (0..count).map(work).collect()
}

/// `work` on each item by its number; `least` items are worth a thread.
#[cfg(feature = "threads")]
pub(crate) fn for_each<T: Send>(items: &mut [T], least: usize, work: impl Fn(usize, &mut T) + Sync + Send) {
    use rayon::prelude::*;
    items.par_iter_mut().enumerate().with_min_len(least).for_each(|(at, item)| work(at, item));
}

/// `work` on each item by its number; `least` items are worth a thread.
#[cfg(not(feature = "threads"))]
pub(crate) fn for_each<T: Send>(items: &mut [T], _least: usize, work: impl Fn(usize, &mut T) + Sync + Send) {
    items.iter_mut().enumerate().for_each(|(at, item)| work(at, item));
}
