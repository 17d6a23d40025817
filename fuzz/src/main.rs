//! Everything that reads bytes of others, each as a target: any bytes have an answer, without a panic, and what must hold of it does.
//!
//! `UNCHAFF_FUZZ` names the target. Targets that need a page make it of the bytes (`soup.rs`), a piece of markup for each, so that a few bytes
//! reach far: an execution takes a fraction of a millisecond, and each shortens to a page one can read.
#![no_main]

mod foreign;
mod pages;
mod soup;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// A target: its name, and what it does with bytes.
type Target = (&'static str, fn(&[u8]));

const TARGETS: &[Target] = &[
    ("bytes", pages::bytes),
    ("tree", pages::tree),
    ("technique", pages::technique),
    ("site", pages::site),
    ("segment", pages::segment),
    ("metadata", pages::metadata),
    ("selector", foreign::selector),
    ("boxes", foreign::boxes),
    ("model", foreign::model),
    ("import", foreign::import),
    ("file", foreign::file),
    ("warc", foreign::warc),
    ("encoding", foreign::encoding),
    ("robots", foreign::robots),
];

static CHOSEN: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("UNCHAFF_FUZZ").unwrap_or_default();
    let known = || TARGETS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    TARGETS.iter().find(|target| target.0 == name).unwrap_or_else(|| panic!("UNCHAFF_FUZZ names a target: {}", known())).1
});

fuzz_target!(|bytes: &[u8]| CHOSEN(bytes));
