//! Which files of a mirrored site are pages, told from the name alone.
//!
//! Mirrors name files after addresses, so a name may lack an extension (`/about`), carry a query (`index.php?id=3`; with
//! `@` for `?` where the file system needs it) or a number for a second copy (`index.html.1`). The name cannot tell a
//! page without extension from a `Makefile`; both are taken, since a page left out is the worse mistake.

/// Extensions of pages.
const PAGE: &[&str] = &["html", "htm", "xhtml", "xht", "shtml", "php", "phtml", "asp", "aspx", "jsp", "jspx", "cfm", "cgi"];

/// Extensions of what pages load; they matter where a query follows, as in `style.css?v=3`.
const ASSET: &[&str] = &[
    "css", "less", "scss", "js", "mjs", "json", "map", "wasm", // styles and scripts
    "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp", "tif", "tiff", // images
    "woff", "woff2", "ttf", "otf", "eot", // fonts
    "mp3", "mp4", "m4a", "m4v", "webm", "ogg", "ogv", "wav", "avi", "mov", // sound and film
    "pdf", "zip", "gz", "tgz", "bz2", "xz", "7z", "rar", "tar", "exe", "dmg", // downloads
];

fn is_one_of(extension: &str, list: &[&str]) -> bool {
    list.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// The name before and after the last dot, if what follows reads like an extension: one to eight ASCII letters and
/// digits, not digits alone. `v1.2`, `U.S.` and `Mr._Smith` have none.
fn split_extension(name: &str) -> Option<(&str, &str)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let reads_like_one = (1..=8).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && extension.bytes().any(|byte| byte.is_ascii_alphabetic());
    (reads_like_one && !stem.is_empty()).then_some((stem, extension))
}

/// The name without the number that download tools add to a second copy: `index.html.1` is `index.html`.
fn without_copy_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => stem,
        _ => name,
    }
}

/// Whether a file found in a folder is taken for a page. Hidden files are not.
pub(crate) fn looks_like_page(name: &str) -> bool {
    if name.is_empty() || name.starts_with('.') {
        return false;
    }
    if let Some((path, _query)) = name.split_once('?') {
        return split_extension(path).is_none_or(|(_, extension)| !is_one_of(extension, ASSET));
    }
    if let Some((path, _query)) = name.split_once('@')
        && split_extension(path).is_some_and(|(_, extension)| is_one_of(extension, PAGE))
    {
        return true;
    }
    match split_extension(without_copy_number(name)) {
        None => true,
        Some((inner, extension)) if extension.eq_ignore_ascii_case("gz") => {
            split_extension(inner).is_some_and(|(_, extension)| is_one_of(extension, PAGE))
        }
        Some((_, extension)) => is_one_of(extension, PAGE),
    }
}

/// The name without the extension that an output file replaces by its own. A query is kept: it is what tells
/// `index.php?id=3` from `index.php?id=4`.
pub(crate) fn stem(name: &str) -> &str {
    let (inner, has_gz) = match split_extension(name) {
        Some((inner, extension)) if extension.eq_ignore_ascii_case("gz") => (inner, true),
        _ => (name, false),
    };
    match split_extension(inner) {
        Some((stem, extension)) if is_one_of(extension, PAGE) => stem,
        Some((stem, _)) if !has_gz && !name.contains('?') => stem,
        _ => inner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_from_what_they_load() {
        for page in [
            "index.html",
            "INDEX.HTM",
            "a.xhtml",
            "a.shtml",
            "a.php",
            "a.asp",
            "a.aspx",
            "a.jsp",
            "about",
            "v1.2",
            "U.S.",
            "Mr._Smith",
            "index.html.1",
            "index.html.gz",
            "index.php?id=3",
            "index.php?id=3.html",
            "?p=12",
            "view?file=a.jpg",
            "index.php@id=3",
            "日本",
        ] {
            assert!(looks_like_page(page), "{page}");
        }
        for other in [
            "",
            ".htaccess",
            ".page.html",
            "logo.png",
            "jquery.min.js",
            "style.css",
            "style.css?v=3",
            "a.JPG?w=100",
            "photo.jpg.1",
            "page.html.orig",
            "dump.tar.gz",
            "data.gz",
            "logo@2x.png",
            "feed.xml",
        ] {
            assert!(!looks_like_page(other), "{other}");
        }
    }

    #[test]
    fn the_stem_keeps_what_tells_pages_apart() {
        for (name, expected) in [
            ("index.html", "index"),
            ("index.html.gz", "index"),
            ("report.txt", "report"),
            ("about", "about"),
            ("v1.2", "v1.2"),
            ("data.gz", "data"),
            ("index.php?id=3", "index.php?id=3"),
            ("index.php?id=3.html", "index.php?id=3"),
            ("view?file=a.jpg", "view?file=a.jpg"),
            (".html", ".html"),
            ("a.tar.gz", "a.tar"),
        ] {
            assert_eq!(stem(name), expected, "{name}");
        }
    }
}
