//! The identity of a suite: sixteen hexadecimal digits that change if any of its files does.
//!
//! SHA-256 over the sorted names (with `/`) and the SHA-256 of the contents of its files, so that files can be read in
//! parallel and in pieces, and neither the place of the suite nor the order of its folders matters.

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use unchaff_dom::order::InOrder;

/// The digest of files below a folder. A file that cannot be read counts as one without contents; who opens it says so.
#[must_use]
pub fn digest(root: &Path, files: &[PathBuf]) -> String {
    let mut named: Vec<(String, &PathBuf)> = files.iter().map(|file| (name(root, file), file)).collect();
    named.order();
    named.dedup();
    let contents: Vec<[u8; 32]> = named.par_iter().map(|(_, file)| content_digest(file).unwrap_or_default()).collect();
    let mut all = Sha256::new();
    for ((name, _), content) in named.iter().zip(&contents) {
        all.update(name.as_bytes());
        all.update([0]);
        all.update(content);
    }
    hex(&all.finalize()[..8])
}

/// The digest of one file, or of a part of one that is a suite by itself.
pub(crate) fn digest_of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes)[..8])
}

/// A number below 2^64 that is the same for the same text everywhere.
pub(crate) fn stable_hash(text: &str) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&Sha256::digest(text.as_bytes())[..8]);
    u64::from_be_bytes(first)
}

fn name(root: &Path, file: &Path) -> String {
    let relative = file.strip_prefix(root).unwrap_or(file);
    relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn content_digest(file: &Path) -> io::Result<[u8; 32]> {
    let mut file = File::open(file)?;
    let mut digest = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(digest.finalize().into()),
            length => digest.update(&piece[..length]),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn names_and_contents_count_and_order_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let files = ["a", "b"].map(|name| root.join(name));
        fs::write(&files[0], "1").unwrap();
        fs::write(&files[1], "2").unwrap();
        let first = digest(root, &files);
        assert_eq!(first.len(), 16);
        assert_eq!(digest(root, &[files[1].clone(), files[0].clone()]), first);
        fs::write(&files[1], "3").unwrap();
        assert_ne!(digest(root, &files), first);
        fs::write(&files[0], "2").unwrap();
        fs::write(&files[1], "1").unwrap();
        assert_ne!(digest(root, &files), first);
    }

    #[test]
    fn hashes_are_the_same_everywhere() {
        // The start of SHA-256("abc"), FIPS 180-2.
        assert_eq!(stable_hash("abc"), 0xba78_16bf_8f01_cfea);
        assert_eq!(digest_of_bytes(b"abc"), "ba7816bf8f01cfea");
    }
}
