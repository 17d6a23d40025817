//! Names in ASCII are done as in the crate `idna`; those in other scripts are the platform's, and `../tests/charsets.test.mjs` compares them.

use std::borrow::Cow;

fn same(name: &[u8]) {
    let ours = idna::domain_to_ascii_from_cow(Cow::Borrowed(name), idna::AsciiDenyList::URL);
    let theirs = as_crate::domain_to_ascii_from_cow(Cow::Borrowed(name), as_crate::AsciiDenyList::URL);
    assert_eq!(ours.ok(), theirs.ok(), "{:?}", String::from_utf8_lossy(name));
}

#[test]
fn names_in_ascii() {
    for name in [
        "",
        ".",
        "a",
        "A.Example",
        "www.example.org.",
        "a..b",
        "-a-",
        "a_b",
        "1.2.3.4",
        "0x7f.1",
        "xn",
        "xn-",
        "a.b-xn--c",
        "ab--cd.example",
    ] {
        same(name.as_bytes());
    }
    same("a".repeat(300).as_bytes());
}

#[test]
fn every_byte_of_ascii_alone_and_within() {
    for byte in 0..0x80 {
        same(&[byte]);
        same(&[b'a', byte, b'Z', b'.', b'b']);
    }
}

#[test]
fn bytes_that_are_no_text() {
    for name in [&[0xFF][..], b"a\xC3.example", b"\xE2\x82.b"] {
        same(name);
    }
}
