//! The browser of tests, for all crates that have some that need one.
//!
//! A test that passes because it did nothing has misled many. So where tests must tell the truth (the environment variable `CI` is set, as
//! build services do) a missing browser is a failure; elsewhere the test is skipped with a line that says so.

use crate::chromium::{BrowserError, find_browser};
use std::path::PathBuf;

/// The browser; none if there is none and the test is to be skipped.
///
/// # Panics
/// If there is none and `CI` is set.
#[must_use]
pub fn or_skip() -> Option<PathBuf> {
    match decide(find_browser(), std::env::var_os("CI").is_some()) {
        Ok(program) => Some(program),
        Err(Without::Skipped(told)) => {
            eprintln!("{told}");
            None
        }
        Err(Without::Failed(told)) => panic!("{told}"),
    }
}

/// What happens to a test without a browser, in words.
#[derive(PartialEq, Eq, Debug)]
enum Without {
    Skipped(String),
    Failed(String),
}

fn decide(found: Result<PathBuf, BrowserError>, is_ci: bool) -> Result<PathBuf, Without> {
    found.map_err(|missing| match is_ci {
        true => Without::Failed(format!(
            "this test needs a browser, and with CI set none is skipped: apt-get install chromium, or name one with UNCHAFF_CHROMIUM ({missing})"
        )),
        false => Without::Skipped(format!("skipped, because {missing}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_browser_fails_a_test_only_where_all_must_run() {
        let missing = || Err(BrowserError::Missing { named: None });
        let Err(Without::Failed(told)) = decide(missing(), true) else { panic!("it did not fail") };
        assert!(told.contains("apt-get install chromium"), "{told}");
        let Err(Without::Skipped(told)) = decide(missing(), false) else { panic!("it was not skipped") };
        assert!(told.starts_with("skipped"), "{told}");
        assert_eq!(decide(Ok(PathBuf::from("chromium")), true), Ok(PathBuf::from("chromium")));
    }
}
