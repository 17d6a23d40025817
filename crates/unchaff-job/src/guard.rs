//! A guard around the work on one page: whatever happens there, the others are done.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use thiserror::Error;

/// The work on a page panicked: a fault of ours, which we would like to hear of.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unchaff failed on this page ({what}), which it never should; please report it with the page")]
pub struct Panicked {
    /// What the panic said.
    pub what: String,
}

/// Does some work; a panic becomes an error.
///
/// # Errors
/// If the work panics.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    // Nothing that the work could leave half done is used afterwards.
    catch_unwind(AssertUnwindSafe(work)).map_err(panicked)
}

/// What the panic said. Takes the box, so that it is dropped here and not by each copy of [`guarded`].
#[cold]
#[allow(clippy::needless_pass_by_value)]
fn panicked(panic: Box<dyn Any + Send>) -> Panicked {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string).or_else(|| panic.downcast_ref::<String>().cloned());
    Panicked { what: text.unwrap_or_else(|| "it panicked".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_and_the_rest_goes_on() {
        let work = |page: i32| guarded(|| if page == 2 { panic!("page {page}") } else { page * 10 });
        let done: Vec<_> = (1..4).map(work).collect();
        assert_eq!(done[0], Ok(10));
        assert_eq!(done[1].as_ref().unwrap_err().what, "page 2");
        assert_eq!(done[2], Ok(30));
    }
}
