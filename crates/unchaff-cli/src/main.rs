//! The `unchaff` command as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(unchaff_command::run(std::env::args_os()))
}
