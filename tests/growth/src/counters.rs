//! How much work was done: the sum of the counters that the compiler puts into every branch of the program (`-Cprofile-generate`).
//!
//! It is counted, so the same work gives the same sum on any machine, loaded or not, at half the speed of a program without counters. What
//! the compiler does not build is not counted: the precompiled part of the standard library and the system's `memcpy` and `memchr`.
//! `tests/growth/run --callgrind` counts these too, and takes a hundred times as long.

unsafe extern "C" {
    fn __llvm_profile_begin_counters() -> *const u64;
    fn __llvm_profile_end_counters() -> *const u64;
    fn __llvm_profile_reset_counters();
}

/// What `work` returns, and how much work it was.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    // SAFETY: the three functions are the compiler's own, of the program's own counters, which lie between the two addresses; there is one thread.
    unsafe { __llvm_profile_reset_counters() };
    let result = work();
    let sum = unsafe {
        let (begin, end) = (__llvm_profile_begin_counters(), __llvm_profile_end_counters());
        let number = usize::try_from(end.offset_from(begin)).unwrap_or(0);
        std::slice::from_raw_parts(begin, number).iter().fold(0u64, |sum, counter| sum.saturating_add(*counter))
    };
    (result, sum)
}
