//! The command, run as a user runs it.

use assert_cmd::Command;

/// What a run of the command came to.
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the command with these arguments.
pub(crate) fn unchaff(arguments: &[&str]) -> Done {
    let output = Command::new(env!("CARGO_BIN_EXE_unchaff")).args(arguments).output().unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
