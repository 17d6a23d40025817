//! Whoever watches a job: is told how far it is, and may call it off.

/// Told about a job while it goes on, from any thread.
pub trait Watch: Sync {
    /// So many pages are to be done.
    fn total(&self, _pages: u64) {}

    /// So many more pages are done.
    fn advance(&self, _pages: u64) {}

    /// So many of those that are done are as they were in an earlier run, and need not be looked at again.
    fn known(&self, _pages: u64) {}

    /// All pages are read, and now something is done with all of them.
    fn step(&self, _what: &str) {}

    /// Something went wrong with a page or a part of the source; the rest goes on.
    fn warn(&self, _message: &str) {}

    /// Whether the job is to stop. Asked now and then; what is done stays done.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Watch for Quiet {}
