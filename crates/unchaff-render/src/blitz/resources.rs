//! What a page gets when it asks for something: files of its folder and what it carries in itself, never the web.
//!
//! Images that pages have behind elements do not change where anything lies, so only those of `img` elements are read. What
//! is refused is answered with nothing, because Blitz waits for every style sheet that it asked for.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use blitz_traits::net::{Bytes, NetHandler, NetProvider, Request, Url};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use unchaff_dom::decode;
use unchaff_segment::renderer::Subresources;

/// Base 64 as it is found in pages, padded or not.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent).with_decode_allow_trailing_bits(true),
);

/// Marks the addresses of style sheets, followed by the media that they are for; Blitz does not look at `media`.
const SHEET: &str = "unchaff-style-sheet:";

/// What a page may ask for.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    pub(crate) files: Option<Arc<dyn Subresources>>,
    /// The addresses of its images.
    pub(crate) images: HashSet<String>,
    /// Style sheets within the page that hold only for some media, by the addresses they got.
    pub(crate) sheets: HashMap<String, String>,
    /// The charset of the page, which that of its style sheets is likely to be.
    pub(crate) charset: &'static str,
}

impl Resources {
    fn read(&self, address: &Url) -> Option<Vec<u8>> {
        let media = address.fragment().and_then(|fragment| fragment.strip_prefix(SHEET));
        let is_data = address.scheme() == "data";
        let path = address.path();
        let has_extension = |extension: &&str| {
            path.len() >= extension.len()
                && path.as_bytes()[path.len() - extension.len()..].eq_ignore_ascii_case(extension.as_bytes())
        };
        let is_sheet = media.is_some() || !is_data && has_extension(&".css");
        let is_font = match path.split_once(',').filter(|_| is_data) {
            Some((kind, _)) => kind.contains("font"),
            None => [".woff2", ".woff", ".ttf", ".otf"].iter().any(has_extension),
        };
        if !(is_sheet || is_font || self.images.contains(address.as_str())) {
            return None;
        }
        if let Some(css) = self.sheets.get(address.as_str()) {
            return Some(css.clone().into_bytes());
        }
        if let Some(media) = media.filter(|media| !media.is_empty()) {
            let media = percent_encoding::percent_decode_str(media).decode_utf8_lossy();
            return Some(import(&sheet_address(address.clone(), ""), &media).into_bytes());
        }
        let bytes = if is_data { data(address)? } else { self.files.as_ref()?.read(address)?.bytes };
        if !is_sheet {
            return Some(bytes);
        }
        // Blitz refuses style sheets that are not UTF-8.
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => decode::decode(error.into_bytes(), Some(self.charset)).text,
        };
        Some(text.into_bytes())
    }
}

impl NetProvider for Resources {
    fn fetch(&self, _document: usize, request: Request, handler: Box<dyn NetHandler>) {
        let bytes = self.read(&request.url).unwrap_or_default();
        handler.bytes(request.url.to_string(), Bytes::from(bytes));
    }
}

/// The address of a style sheet for some media.
pub(crate) fn sheet_address(mut address: Url, media: &str) -> String {
    let media = if limits(media) { media.trim() } else { "" };
    let media = percent_encoding::utf8_percent_encode(media, percent_encoding::NON_ALPHANUMERIC);
    address.set_fragment(Some(&format!("{SHEET}{media}")));
    address.into()
}

/// The address of a style sheet within the page; with that of the page, so that its own addresses lead to where they should.
pub(crate) fn sheet_within(page: &Url, number: u32) -> String {
    let mut address = page.clone();
    address.set_fragment(Some(&format!("{SHEET}within-{number}")));
    address.into()
}

/// A style sheet that is another, for some media: the only way to limit one with imports of its own.
pub(crate) fn import(address: &str, media: &str) -> String {
    format!("@import url(\"{address}\") {media};")
}

/// Whether a list of media leaves any out. What is no such list would end the rule that it is put into.
pub(crate) fn limits(media: &str) -> bool {
    let media = media.trim();
    !(media.is_empty()
        || ["all", "screen"].iter().any(|known| media.eq_ignore_ascii_case(known))
        || media.contains(['{', '}', ';', '"']))
}

/// What an address of the scheme `data` carries (RFC 2397).
fn data(address: &Url) -> Option<Vec<u8>> {
    let (kind, body) = address.path().split_once(',')?;
    let body: Vec<u8> = percent_encoding::percent_decode_str(body).collect();
    if !kind.trim_end().to_ascii_lowercase().ends_with(";base64") {
        return Some(body);
    }
    let digits: Vec<u8> = body.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
    BASE64.decode(digits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;
    use std::path::PathBuf;

    #[test]
    fn only_what_changes_the_layout_is_read_and_only_from_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [("a.css", &b"p{}"[..]), ("latin.css", b"/* \xe9 */"), ("a.png", b"picture"), ("sheet", b"b{}")] {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let files = Files { root: folder.path().to_owned(), page: PathBuf::from("index.html") };
        let address = |relative: &str| files.address().join(relative).unwrap();
        let images = HashSet::from([address("a.png").to_string()]);
        let resources =
            Resources { files: Some(Arc::new(files.clone())), images, charset: "windows-1252", ..Resources::default() };
        let read = |relative: &str| resources.read(&address(relative)).map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(read("a.css").as_deref(), Some("p{}"));
        assert_eq!(read("latin.css").as_deref(), Some("/* é */"));
        assert_eq!(read("a.png").as_deref(), Some("picture"));
        assert_eq!(read("sheet"), None);
        assert_eq!(read(&sheet_address(address("sheet"), "")).as_deref(), Some("b{}"));
        assert_eq!(
            read(&sheet_address(address("sheet"), "print and (x: 1)")).as_deref(),
            Some("@import url(\"http://page.invalid/sheet#unchaff-style-sheet:\") print and (x: 1);")
        );
        assert!(
            limits("print") && limits(" screen and (min-width: 1px)") && !limits("Screen") && !limits("") && !limits("print;}")
        );
        assert_eq!(read("none.css"), None);
        assert_eq!(read("https://example.org/a.css"), None);
        assert_eq!(read("data:text/css;base64,cHt9#unchaff-style-sheet:").as_deref(), Some("p{}"));
        assert_eq!(read("data:text/css,p%7B%7D#unchaff-style-sheet:").as_deref(), Some("p{}"));
    }
}
