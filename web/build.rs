//! How the module is linked.

fn main() {
    // Memory comes from the caller, who bounds it; package/engine.js has the same number.
    println!("cargo::rustc-link-arg-cdylib=--import-memory");
    println!("cargo::rustc-link-arg-cdylib=--initial-memory=8388608");
    println!("cargo::rerun-if-changed=build.rs");
}
