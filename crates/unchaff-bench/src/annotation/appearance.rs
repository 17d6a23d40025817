//! A page as it is shown to those who annotate it: harmless HTML in which every element has its number, with styles and pictures from the folder it was saved in.
//!
//! Whatever is in the folder stands in the page itself, so that a browser loads nothing: rules of linked sheets as they are, pictures as `data:` addresses. What is
//! not in the folder is not there, unless the reader wants it from the web; then its address stays, for the browser to load.

use super::style_sheet::{StyleSheet, rewritten};
use crate::report::escape;
use crate::report::harmless_page::{Looks, harmless_with};
use base64::Engine as _;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use unchaff_dom::Page;
use unchaff_render::files::Files;
use unchaff_segment::renderer::Subresources;
use url::Url;

/// Most bytes of pictures and sheets of a page.
const MOST_BYTES: usize = 8 << 20;

/// Most bytes of one of them.
const MOST_OF_ONE: u64 = 2 << 20;

/// How deep sheets import others.
const MOST_IMPORTS: usize = 4;

/// The page as HTML in which nothing acts; each element has its number in `data-n`.
pub(crate) fn shown(page: &Page, looks: &mut Appearance) -> String {
    let mut html = harmless_with(page, |_| "none", |node| Some(format!(" data-n={}", page.element_number(node))), looks);
    if !looks.pictures.is_empty() {
        html += "<style>:root{";
        for (at, picture) in looks.pictures.iter().enumerate() {
            write!(html, "--unchaff-{at}:url({picture});").ok();
        }
        html += "}</style>";
    }
    html
}

/// The styles and pictures of a page.
pub(crate) struct Appearance {
    /// Where they lie.
    files: Option<Files>,
    /// Addresses that the folder stands for.
    bases: Vec<Url>,
    /// What addresses of the page are relative to.
    base: Option<Url>,
    /// Whether what is not in the folder may come from the web.
    web: bool,
    /// Bytes that may still be taken.
    left: usize,
    /// Pictures of rules, each once: they are many rules' background.
    pictures: Vec<String>,
    known: HashMap<PathBuf, usize>,
}

/// A file that an address leads to, and that address in the folder and on the web.
struct Found {
    file: Option<PathBuf>,
    inside: Url,
    outside: Option<Url>,
}

impl Appearance {
    /// Those in a folder, which stands for some addresses.
    pub(crate) fn new(page: &Page, file: &Path, root: &Path, bases: Vec<Url>, web: bool) -> Appearance {
        Appearance {
            files: Files::around(file, Some(root)).ok(),
            bases,
            base: page.base().cloned(),
            web,
            left: MOST_BYTES,
            pictures: Vec::new(),
            known: HashMap::new(),
        }
    }

    fn find(&self, address: &str, inside: &Url, outside: Option<&Url>) -> Option<Found> {
        let address = address.trim();
        let files = self.files.as_ref()?;
        let near = inside.join(address).ok()?;
        let outside = match outside {
            Some(base) => base.join(address).ok(),
            None => Url::parse(address).ok(),
        };
        let outside = outside.filter(|url| matches!(url.scheme(), "http" | "https"));
        let below = |path: &str, url: &Url| {
            let mut inside = files.address();
            inside.set_path(path.trim_start_matches('/'));
            inside.set_query(url.query());
            inside
        };
        let mut candidates = vec![near.clone()];
        if let Some(url) = &outside {
            for base in self.bases.iter().filter(|base| base.host() == url.host()) {
                let folder = base.path().rsplit_once('/').map_or("", |(folder, _)| folder);
                candidates.extend(url.path().strip_prefix(folder).map(|path| below(path, url)));
            }
            candidates.push(below(&format!("{}{}", url.host_str().unwrap_or_default(), url.path()), url));
        }
        let found = candidates.into_iter().find_map(|inside| Some((files.find(&inside)?, inside)));
        let (file, inside) = found.map_or((None, near), |(file, inside)| (Some(file), inside));
        Some(Found { file, inside, outside })
    }

    /// The bytes of a file, if there is room for them.
    fn read(&mut self, file: &Path) -> Option<Vec<u8>> {
        let size = file.metadata().ok()?.len();
        let taken = usize::try_from(size).ok().filter(|_| size <= MOST_OF_ONE)?;
        self.left = self.left.checked_sub(taken)?;
        std::fs::read(file).ok()
    }

    /// A picture as an address that is the picture.
    fn embedded(&mut self, file: &Path) -> Option<String> {
        let bytes = self.read(file)?;
        let kind = picture_type(&bytes)?;
        Some(format!("data:{kind};base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes)))
    }

    fn start(&self) -> Option<Url> {
        self.files.as_ref().map(Subresources::address)
    }

    /// The rules of a sheet that lies somewhere.
    fn rules_at(&mut self, css: &str, inside: &Url, outside: Option<&Url>, depth: usize) -> String {
        rewritten(css, &mut Sheet { looks: self, inside, outside, depth })
    }
}

/// A sheet that is being read.
struct Sheet<'a> {
    looks: &'a mut Appearance,
    inside: &'a Url,
    outside: Option<&'a Url>,
    depth: usize,
}

impl StyleSheet for Sheet<'_> {
    fn picture(&mut self, address: &str) -> Option<String> {
        if address.starts_with("data:image/") || address.starts_with('#') {
            return Some(format!("url(\"{}\")", address.replace(['"', '\\', '\n'], "")));
        }
        let found = self.looks.find(address, self.inside, self.outside)?;
        let number = |at: usize| format!("var(--unchaff-{at})");
        if let Some(file) = found.file {
            if let Some(at) = self.looks.known.get(&file) {
                return Some(number(*at));
            }
            let picture = self.looks.embedded(&file)?;
            self.looks.pictures.push(picture);
            let at = self.looks.pictures.len() - 1;
            self.looks.known.insert(file, at);
            return Some(number(at));
        }
        found.outside.filter(|_| self.looks.web).map(|url| format!("url(\"{}\")", url.as_str().replace(['"', '\\'], "")))
    }

    fn import(&mut self, address: &str) -> Option<String> {
        let found = self.looks.find(address, self.inside, self.outside)?;
        let file = found.file.filter(|_| self.depth < MOST_IMPORTS)?;
        let bytes = self.looks.read(&file)?;
        let css = String::from_utf8_lossy(&bytes);
        Some(self.looks.rules_at(&css, &found.inside, found.outside.as_ref(), self.depth + 1))
    }
}

impl Looks for Appearance {
    fn rules(&mut self, css: &str) -> String {
        match (self.start(), self.base.clone()) {
            (Some(inside), outside) => self.rules_at(css, &inside, outside.as_ref(), 0),
            (None, _) => rewritten(css, &mut ()),
        }
    }

    fn sheet(&mut self, address: &str, media: &str) -> Option<String> {
        let (inside, base) = (self.start()?, self.base.clone());
        let found = self.find(address, &inside, base.as_ref())?;
        let media = if media.is_empty() { String::new() } else { format!(" media=\"{}\"", escape(media)) };
        if let Some(file) = found.file {
            let bytes = self.read(&file)?;
            let css = self.rules_at(&String::from_utf8_lossy(&bytes), &found.inside, found.outside.as_ref(), 0);
            return Some(format!("<style{media}>{}</style>", css.replace("</", "<\\/")));
        }
        let url = found.outside.filter(|_| self.web)?;
        Some(format!("<link rel=stylesheet{media} href=\"{}\">", escape(url.as_str())))
    }

    fn picture(&mut self, address: &str) -> Option<String> {
        let address = address.trim();
        if address.starts_with("data:image/") {
            self.left = self.left.checked_sub(address.len())?;
            return Some(address.to_owned());
        }
        let found = self.find(address, &self.start()?, self.base.clone().as_ref())?;
        match found.file {
            Some(file) => self.embedded(&file),
            None => found.outside.filter(|_| self.web).map(Into::into),
        }
    }

    fn has_boxes(&self) -> bool {
        true
    }
}

/// What kind of picture bytes are; mirrored files are often named otherwise, or not at all.
fn picture_type(bytes: &[u8]) -> Option<&'static str> {
    let start = &bytes[..bytes.len().min(1024)];
    match start {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f', ..] => Some("image/avif"),
        [b'B', b'M', ..] => Some("image/bmp"),
        [0, 0, 1, 0, ..] => Some("image/x-icon"),
        _ if start.trim_ascii_start().starts_with(b"<") && start.windows(4).any(|four| four == b"<svg") => Some("image/svg+xml"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use unchaff_dom::Parser;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n tiny";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [
            ("site/pages/news/one.html", &b""[..]),
            (
                "site/pages/looks/all.css",
                b"@import 'more.css' print; p { background: url(../dot.png) } b { background: url( \"../dot.png\" ) }",
            ),
            ("site/pages/looks/more.css", b"i { color: red } u { background: url(http://evil.invalid/x.png) }"),
            ("site/pages/dot.png", PNG),
            ("site/pages/notes.txt", b"no picture"),
            ("site/secret.png", PNG),
        ] {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        folder
    }

    fn written(html: &str, web: bool) -> String {
        let folder = folder();
        let page = Parser::new().url("https://tea.example/news/one.html").parse(html);
        let root = folder.path().join("site/pages");
        let bases = vec![Url::parse("https://tea.example/").unwrap()];
        shown(&page, &mut Appearance::new(&page, &root.join("news/one.html"), &root, bases, web))
    }

    #[test]
    fn a_page_is_shown_with_numbers_and_nothing_that_acts() {
        let html = written(
            "<title>x</title><body onload=x()><p>Tea <a href=javascript:x()>more</a><script>x()</script><iframe width=300 height=250 srcdoc='<script>x()</script>'></iframe>",
            true,
        );
        assert_eq!(
            html,
            "<html data-n=0><head data-n=1></head><body data-n=3><p data-n=4>Tea <a data-n=5>more</a>\
             <x-part data-was=iframe style=\"width:300px;height:250px;\" data-n=7></x-part></p></body></html>"
        );
    }

    #[test]
    fn styles_and_pictures_come_from_the_folder_and_nowhere_else() {
        let html = written(
            "<link rel=stylesheet href=../looks/all.css><link rel='alternate stylesheet' href=/looks/more.css><link rel=stylesheet href=https://evil.invalid/a.css>\
             <style media=screen>h1 { background: url(/dot.png) } h2 { background: url(https://evil.invalid/b.png) } </style>\
             <body background=/dot.png><img src=../dot.png><img src=https://tea.example/dot.png><img src=https://evil.invalid/c.png><img src=/notes.txt><img src=../../secret.png>\
             <img src=/..%2fsecret.png><p style='background:url(\"/dot.png\")'>x",
            false,
        );
        let picture = format!("data:image/png;base64,{}", base64::engine::general_purpose::STANDARD.encode(PNG));
        assert!(html.contains("<style>@media print{i { color: red } u { background: none }} p { background: var(--unchaff-0) } b { background: var(--unchaff-0) }</style>"), "{html}");
        assert!(
            html.contains("<style media=\"screen\">h1 { background: var(--unchaff-0) } h2 { background: none } </style>"),
            "{html}"
        );
        assert_eq!(html.matches(&format!(" src=\"{picture}\"")).count(), 2, "{html}");
        assert_eq!(html.matches(" src=").count(), 2, "{html}");
        assert!(
            html.contains(&format!("background=\"{picture}\""))
                && html.contains("<p data-n=13 style=\"background:var(--unchaff-0)\">"),
            "{html}"
        );
        assert!(html.ends_with(&format!("<style>:root{{--unchaff-0:url({picture});}}</style>")), "{html}");
        assert!(!html.contains("evil") && !html.contains("http"), "{html}");
    }

    #[test]
    fn the_rest_comes_from_the_web_for_those_who_want_it() {
        let html = written(
            "<link rel=stylesheet href=https://cdn.invalid/a.css><body><img src=/none.png><p style='background:url(b.png)'>x<img src='javascript:x()'>",
            true,
        );
        assert!(html.contains("<link rel=stylesheet href=\"https://cdn.invalid/a.css\">"), "{html}");
        assert!(
            html.contains("src=\"https://tea.example/none.png\"")
                && html.contains("url(&quot;https://tea.example/news/b.png&quot;)"),
            "{html}"
        );
        assert!(!html.contains("javascript"), "{html}");
    }

    #[test]
    fn elements_that_browsers_do_not_know_stay_where_they_are() {
        let html = written("<p><my-mark>a</my-mark><foo>b</foo><noscript>c</noscript></p><pre>\n\nd</pre>", false);
        assert!(
            html.contains("<p data-n=3><my-mark data-n=4>a</my-mark><x-part data-n=5>b</x-part><x-part data-n=6>c</x-part></p>"),
            "{html}"
        );
        assert!(html.contains("<pre data-n=7>\n\nd</pre>"), "{html}");
    }
}
