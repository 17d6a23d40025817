//! What the output for an input is called: a relative path that any common file system accepts.
//!
//! Names come from other people's sites, so nothing in them is trusted: whatever the input is called, the result is
//! relative, has no `..`, and no character, length or reserved name that Windows, macOS or Linux would refuse. Folders
//! never end in the output's extension and files always do, so a file never stands where a folder is needed.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use crate::inputs::Named;
use crate::page_file_name::stem;

/// Most bytes of one part of a path, which leaves room for an extension and a number below the usual 255.
const LONGEST_PART: usize = 200;

/// Most bytes of the folders of a path together; with the file name, well below the usual 4096 even inside a deep folder.
const LONGEST_FOLDERS: usize = 1024;

/// The output name for an input: its relative path with another extension (without dot, such as `md`).
///
/// Two inputs may get the same name (`a.html` and `a.php`); [`OutputNames`] keeps them apart.
///
/// ```
/// use std::path::Path;
/// use unchaff_source::{inputs, output_name};
///
/// let named = inputs(&["https://example.org/a/b.php?id=3"]).next().unwrap()?;
/// assert_eq!(output_name(&named, "md"), Path::new("example.org/a/b.php_id=3.md"));
/// # Ok::<(), unchaff_source::InputError>(())
/// ```
pub fn output_name(named: &Named, extension: &str) -> PathBuf {
    let extension = safe(extension.trim_start_matches('.'));
    let mut folders: Vec<String> = named
        .relative
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    let file = folders.pop().unwrap_or_else(|| "page".to_owned());
    let mut file = safe(stem(&file));
    let mut path = PathBuf::new();
    for folder in &folders {
        if path.as_os_str().len() > LONGEST_FOLDERS {
            file = safe(&format!("{file}-{:016x}", fingerprint(&folders.join("/"))));
            break;
        }
        let mut folder = safe(folder);
        if has_extension(&folder, &extension) {
            folder.push('_');
        }
        path.push(folder);
    }
    path.push(format!("{file}.{extension}"));
    path
}

/// Output names that are all different, also where a file system does not tell `A` from `a`.
///
/// The first input keeps its [`output_name`], later ones of the same name get `-2`, `-3` and so on: the same inputs in the
/// same order get the same names. It remembers sixteen bytes per name, not the names.
#[derive(Debug, Clone)]
pub struct OutputNames {
    extension: String,
    /// By [`fingerprint`] of each name given out: the last number that was tried for it. Should two fingerprints agree by
    /// chance, a name gets a number it did not need.
    taken: HashMap<u64, u32>,
}

impl OutputNames {
    /// Names with this extension (without dot, such as `md`).
    pub fn new(extension: &str) -> Self {
        Self { extension: extension.to_owned(), taken: HashMap::new() }
    }

    /// The name for the next input.
    pub fn name(&mut self, named: &Named) -> PathBuf {
        let plain = output_name(named, &self.extension);
        let plain_key = key(&plain);
        let Some(&last) = self.taken.get(&plain_key) else {
            self.taken.insert(plain_key, 1);
            return plain;
        };
        let mut number = last;
        loop {
            number += 1;
            let numbered = with_number(&plain, number);
            let numbered_key = key(&numbered);
            if !self.taken.contains_key(&numbered_key) {
                self.taken.insert(plain_key, number);
                self.taken.insert(numbered_key, 1);
                return numbered;
            }
        }
    }
}

fn with_number(path: &Path, number: u32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{number}.{extension}"))
}

fn key(path: &Path) -> u64 {
    fingerprint(&path.to_string_lossy().to_lowercase())
}

fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, last)| last.to_lowercase() == extension.to_lowercase())
}

/// One part of a path made acceptable everywhere.
fn safe(part: &str) -> String {
    let mut out: String = part
        .chars()
        .map(|c| if c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*') { '_' } else { c })
        .collect();
    // Windows drops dots and blanks at the end, and `.` and `..` are no names at all.
    let kept = out.trim_end_matches(['.', ' ']).len();
    let dropped = out.len() - kept;
    out.truncate(kept);
    out.extend(std::iter::repeat_n('_', dropped));
    if out.is_empty() || is_reserved(&out) {
        out.insert(0, '_');
    }
    if out.len() > LONGEST_PART {
        out.truncate(out.floor_char_boundary(LONGEST_PART - 17));
        out.push_str(&format!("-{:016x}", fingerprint(part)));
    }
    out
}

/// Names of devices on Windows, with any extension.
fn is_reserved(name: &str) -> bool {
    let base = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    matches!(base.as_str(), "con" | "prn" | "aux" | "nul")
        || (base.len() == 4
            && (base.starts_with("com") || base.starts_with("lpt"))
            && base.ends_with(|c: char| c.is_ascii_digit()))
}

/// FNV-1a, 64 bits: part of file names, so it must stay the same in every version.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{Input, inputs};

    fn named(relative: impl Into<PathBuf>) -> Named {
        Named { input: Input::Stdin, relative: relative.into(), given: None }
    }

    fn text(path: &Path) -> String {
        path.to_str().unwrap().replace('\\', "/")
    }

    fn name(relative: impl Into<PathBuf>) -> String {
        text(&output_name(&named(relative), "md"))
    }

    fn name_of_address(url: &str) -> String {
        text(&output_name(&inputs(&[url]).next().unwrap().unwrap(), "md"))
    }

    #[test]
    fn the_extension_is_replaced_and_the_rest_kept() {
        assert_eq!(name("a/b/index.html"), "a/b/index.md");
        assert_eq!(name("a/page.html.gz"), "a/page.md");
        assert_eq!(name("about"), "about.md");
        assert_eq!(name("v1.2"), "v1.2.md");
        assert_eq!(name("index.php?id=3"), "index.php_id=3.md");
        assert_eq!(name("日本/東京.html"), "日本/東京.md");
        assert_eq!(output_name(&named("a.html"), ".json"), Path::new("a.json"));
    }

    #[test]
    fn a_name_never_leaves_its_folder() {
        assert_eq!(name("../../etc/passwd"), "etc/passwd.md");
        assert_eq!(name("/etc/passwd"), "etc/passwd.md");
        assert_eq!(name("a/./../b.html"), "a/b.md");
        assert_eq!(name(""), "page.md");
        assert_eq!(name(".."), "page.md");
        assert_eq!(name("..."), "___.md");
        assert_eq!(output_name(&named("a"), "/../x"), Path::new("a._.._x"));
    }

    #[test]
    fn addresses_become_host_and_path() {
        assert_eq!(name_of_address("https://example.org"), "example.org/index.md");
        assert_eq!(name_of_address("https://example.org/a/"), "example.org/a/index.md");
        assert_eq!(name_of_address("https://example.org/a//b.html#top"), "example.org/a/b.md");
        assert_eq!(name_of_address("http://example.org:8080/?p=1&q=a/b"), "example.org_8080/index.html_p=1&q=a_b.md");
        assert_eq!(name_of_address("http://[::1]/caf%C3%A9"), "[__1]/café.md");
        assert_eq!(name_of_address("http://u:secret@h/%2e%2e/..%2f..%2fx"), "h/.._.._x.md");
        assert_eq!(name_of_address("http://h/%00%0a%ff"), "h/__\u{fffd}.md");
    }

    #[test]
    fn names_that_systems_refuse_are_changed() {
        assert_eq!(name("con.html"), "_con.md");
        assert_eq!(name("AUX/LPT1.x.html"), "_AUX/_LPT1.x.md");
        assert_eq!(name("a. /b"), "a__/b.md");
        assert_eq!(name("a\nb\\c|d.html"), "a_b_c_d.md");
        let long = name(format!("{}.html", "é".repeat(500)));
        assert!(long.len() < 220 && long.ends_with(".md"), "{long}");
        assert_ne!(long, name(format!("{}x.html", "é".repeat(500))));
        let deep = name("abcdefghi/".repeat(1000) + "x.html");
        assert!(deep.len() < LONGEST_FOLDERS + 256, "{}", deep.len());
        assert_ne!(deep, name("abcdefghi/".repeat(1001) + "x.html"));
    }

    #[test]
    fn a_folder_is_never_where_a_file_goes() {
        assert_eq!(name("a.html"), "a.md");
        assert_eq!(name("a.MD/b.html"), "a.MD_/b.md");
    }

    #[test]
    fn collisions_are_numbered_in_order() {
        let mut names = OutputNames::new("md");
        let got: Vec<String> = ["a.html", "a.php", "A.htm", "a-2.html", "b/a.html", "a", "a-2.php"]
            .into_iter()
            .map(|relative| text(&names.name(&named(relative))))
            .collect();
        assert_eq!(got, ["a.md", "a-2.md", "A-3.md", "a-2-2.md", "b/a.md", "a-4.md", "a-2-3.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_unicode_still_have_a_name() {
        use std::os::unix::ffi::OsStringExt;
        let mut names = OutputNames::new("md");
        let mut one = |bytes: &[u8]| names.name(&named(std::ffi::OsString::from_vec(bytes.to_vec())));
        assert_eq!(one(b"caf\xe9.html"), Path::new("caf\u{fffd}.md"));
        assert_eq!(one(b"caf\xe8.html"), Path::new("caf\u{fffd}-2.md"));
    }
}
