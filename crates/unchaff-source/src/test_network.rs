//! A network of tests: one that has this machine and nothing else, for all crates that have tests of what may be reached.
//!
//! Such a test runs itself again in a network namespace of its own. There it can give this machine any address, also a public one, and
//! whatever it finds wrong, nothing leaves. Where tests must tell the truth (`CI` is set) a machine without namespaces fails the test; elsewhere
//! it is skipped with a line that says so.

use std::process::Command;

/// A public address that a test can give to this machine.
pub const PUBLIC: &str = "93.184.215.14";

/// Says that a run is the one inside.
const INSIDE: &str = "UNCHAFF_INSIDE_TEST_NETWORK";

/// Whether the test named `test` (its path in the test program) runs inside such a network, in which this machine is [`PUBLIC`] too. If
/// not, it has now been run there, or is skipped, and has nothing more to do.
///
/// # Panics
/// If the test failed there, or if there can be no such network and `CI` is set.
#[must_use]
pub fn is_inside(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let inside = |program: &std::path::Path, arguments: &[&str]| {
        // A user of one's own has the rights that it takes.
        let script = format!("ip link set lo up && ip address add {PUBLIC}/32 dev lo && exec \"$0\" \"$@\"");
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--net", "sh", "-c", &script]).arg(program).args(arguments).env(INSIDE, "1");
        for proxy in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env_remove(proxy);
        }
        command.output()
    };
    let can = inside(std::path::Path::new("true"), &[]);
    if !can.as_ref().is_ok_and(|done| done.status.success()) {
        let why = can.map_or_else(|error| error.to_string(), |done| String::from_utf8_lossy(&done.stderr).into_owned());
        let told = format!("{test} needs a network of its own (unshare of util-linux, ip of iproute2): {why}");
        assert!(std::env::var_os("CI").is_none(), "{told}");
        eprintln!("skipped, because {told}");
        return false;
    }
    let program = std::env::current_exe().expect("a test knows its program");
    let done = inside(&program, &["--exact", test, "--nocapture"]).expect("it could be started a moment ago");
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "inside: {out}{err}");
    assert!(out.contains("test result: ok. 1 passed"), "{test} is no test: {out}");
    false
}
